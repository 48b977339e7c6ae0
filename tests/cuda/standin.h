/*
 * standin.h -- the stand-in CUDA driver (libcuda.so.1) and the stand-in NVRTC (libnvrtc.so.13): what a test may ask
 * of them beside CUDA's own functions.
 *
 * The driver plays GPUs that are slow, strict and honest. Memory of a device is out of the host's reach; work waits in
 * its stream until something waits for it; kernels are run by their C text. Every argument of every call is checked.
 * Mistakes of the caller are *faults*: each is a line on stderr, and the process that made one ends with
 * STANDIN_EXIT_STATUS, as does one that leaves something unreleased. Calls can be made to fail, which is no fault.
 *
 * Environment, read when a library is loaded and by standin_forget():
 *   AG_STANDIN_DEVICES  number of devices, 0..4 (1); of 0 devices cuInit says so
 *   AG_STANDIN_ARCH     their architecture, 10 * major + minor (90)
 *   AG_STANDIN_UNITS    their multiprocessors (8)
 *   AG_STANDIN_MEMORY   bytes of each (8 GiB)
 *   AG_STANDIN_DRIVER   version of the driver, 1000 * major + 10 * minor (13000)
 *   AG_STANDIN_NVRTC    version of NVRTC, major.minor (13.0)
 *   AG_STANDIN_ARCHS    architectures that NVRTC knows, like 80,90 (those of its version)
 *   AG_STANDIN_FAIL     calls that fail: see standin_fail()
 *   AG_STANDIN_CALLS    file that gets the names of all counted calls at exit, one a line; those of NVRTC go into
 *                       the file of that name with .nvrtc at its end
 * What cannot be read aborts the process.
 *
 * A device's clock counts work, not time: a kernel takes 1 ms, a copy or fill 0.25 ms, so elapsed times are exact.
 */
#ifndef AG_TESTS_CUDA_STANDIN_H
#define AG_TESTS_CUDA_STANDIN_H

#define STANDIN_EXIT_STATUS 86

/* X(name, value): the results that the driver knows by name; CUDA_<name> there. */
/* clang-format off */
#define STANDIN_RESULTS(X) \
    X(SUCCESS,                       0) \
    X(ERROR_INVALID_VALUE,           1) \
    X(ERROR_OUT_OF_MEMORY,           2) \
    X(ERROR_NOT_INITIALIZED,         3) \
    X(ERROR_DEVICE_UNAVAILABLE,      46) \
    X(ERROR_STUB_LIBRARY,            34) \
    X(ERROR_NO_DEVICE,               100) \
    X(ERROR_INVALID_DEVICE,          101) \
    X(ERROR_INVALID_IMAGE,           200) \
    X(ERROR_INVALID_CONTEXT,         201) \
    X(ERROR_NO_BINARY_FOR_GPU,       209) \
    X(ERROR_INVALID_PTX,             218) \
    X(ERROR_UNSUPPORTED_PTX_VERSION, 222) \
    X(ERROR_INVALID_SOURCE,          300) \
    X(ERROR_INVALID_HANDLE,          400) \
    X(ERROR_NOT_FOUND,               500) \
    X(ERROR_NOT_READY,               600) \
    X(ERROR_ILLEGAL_ADDRESS,         700) \
    X(ERROR_LAUNCH_OUT_OF_RESOURCES, 701) \
    X(ERROR_LAUNCH_TIMEOUT,          702) \
    X(ERROR_LAUNCH_FAILED,           719) \
    X(ERROR_NOT_SUPPORTED,           801) \
    X(ERROR_SYSTEM_DRIVER_MISMATCH,  803) \
    X(ERROR_UNKNOWN,                 999)

/* X(name, value): likewise for NVRTC; NVRTC_<name> there. */
#define STANDIN_NVRTC_RESULTS(X) \
    X(SUCCESS,                  0) \
    X(ERROR_OUT_OF_MEMORY,      1) \
    X(ERROR_INVALID_INPUT,      3) \
    X(ERROR_INVALID_PROGRAM,    4) \
    X(ERROR_INVALID_OPTION,     5) \
    X(ERROR_COMPILATION,        6) \
    X(ERROR_INTERNAL_ERROR,     11)

enum {
#define X(name, value) STANDIN_##name = value,
    STANDIN_RESULTS(X)
#undef X
#define X(name, value) STANDIN_NVRTC_##name = value,
    STANDIN_NVRTC_RESULTS(X)
#undef X
};

/*
 * X(result, name, arguments): functions for tests, in both libraries, each speaking of its own; to be found by dlsym.
 *
 * standin_faults      number of faults so far
 * standin_last_fault  the last one's line, without "stand-in: fault: "; "" if there is none
 * standin_calls       number of counted calls so far: all but cuGetErrorName, nvrtcGetErrorString
 * standin_live        number of things unreleased: buffers, modules, streams, events, retained and pushed contexts;
 *                     programs. What a call was made to fail to release does not count.
 * standin_fail        plans failures, counting from now on: "NAME:K=CODE", several with commas between. The K-th call
 *                     (from 1) of function NAME returns CODE and does nothing. NAME may be *: any of the driver's
 *                     calls; nvrtc*: any of NVRTC's; kernel: the K-th kernel to be executed fails, and what next
 *                     waits for it is told so. 46, 700, 702, 719 and 999 where a context is used, or by a kernel, are
 *                     the end of that device: all later calls that use it fail the same way, though they release.
 *                     cuCtxPushCurrent_v2 and cuCtxPopCurrent_v2 still work. NULL plans none.
 * standin_forget      forgets faults, counted calls, planned failures and lost devices, and reads the environment
 * standin_reset       as well releases all that is live, and takes cuInit back
 */
#define STANDIN_HELPERS(X) \
    X(int, standin_faults, (void)) \
    X(const char *, standin_last_fault, (void)) \
    X(unsigned long long, standin_calls, (void)) \
    X(unsigned long long, standin_live, (void)) \
    X(void, standin_fail, (const char *plan)) \
    X(void, standin_forget, (void)) \
    X(void, standin_reset, (void))
/* clang-format on */

#endif
