/*
 * cuda_abi.h -- the part of the CUDA driver interface and of NVRTC that is used here, declared anew so
 * that building needs no CUDA header. Names are those that libcuda exports since CUDA 12.0: cuMemAlloc
 * without _v2 and its like are entries of an older interface with other types. Struct tags are those of
 * NVIDIA's cuda.h and nvrtc.h, so the types are the same types; tests/cuda/test_cuda_abi.c holds every
 * line to those headers.
 */
#ifndef AG_DEVICE_CUDA_ABI_H
#define AG_DEVICE_CUDA_ABI_H

#include <stddef.h>
#include <stdint.h>

typedef unsigned int ag_cu_result;    /* CUresult and other enums have the type of their constants, unsigned int */
typedef int ag_cu_device;             /* a number, not a handle */
typedef unsigned long long ag_cu_ptr; /* an address on the device */
typedef struct CUctx_st *ag_cu_context;
typedef struct CUmod_st *ag_cu_module;
typedef struct CUfunc_st *ag_cu_function;
typedef struct CUstream_st *ag_cu_stream;
typedef struct CUevent_st *ag_cu_event;
typedef unsigned int ag_nvrtc_result;
typedef struct _nvrtcProgram *ag_nvrtc_program;

/* clang-format off */

/* X(name, value): AG_CU_<name> here is CU_<name> there. */
#define AG_CU_CONSTANTS(X) \
    X(DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK,    1) \
    X(DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,     16) \
    X(DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 75) \
    X(DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 76) \
    X(STREAM_NON_BLOCKING,                       1) \
    X(EVENT_DEFAULT,                             0) \
    X(JIT_ERROR_LOG_BUFFER,                      5) \
    X(JIT_ERROR_LOG_BUFFER_SIZE_BYTES,           6) \
    X(FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,      0) \
    X(FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,           3) \
    X(FUNC_ATTRIBUTE_NUM_REGS,                   4)

/* X(name, value): the results that are told apart: AG_CUDA_<name> here is CUDA_<name> there.
 * Names of all others come from the driver. */
#define AG_CU_RESULTS(X) \
    X(SUCCESS,                       0) \
    X(ERROR_OUT_OF_MEMORY,           2) \
    X(ERROR_STUB_LIBRARY,            34) \
    X(ERROR_DEVICE_UNAVAILABLE,      46) \
    X(ERROR_NO_DEVICE,               100)

/* X(name, arguments): every function of libcuda; each returns an ag_cu_result. */
#define AG_CU_CALLS(X) \
    X(cuInit, (unsigned int)) \
    X(cuDriverGetVersion, (int *)) \
    X(cuGetErrorName, (ag_cu_result, const char **)) \
    X(cuDeviceGetCount, (int *)) \
    X(cuDeviceGet, (ag_cu_device *, int)) \
    X(cuDeviceGetName, (char *, int, ag_cu_device)) \
    X(cuDeviceTotalMem_v2, (size_t *, ag_cu_device)) \
    X(cuDeviceGetAttribute, (int *, unsigned int, ag_cu_device)) \
    X(cuDevicePrimaryCtxRetain, (ag_cu_context *, ag_cu_device)) \
    X(cuDevicePrimaryCtxRelease_v2, (ag_cu_device)) \
    X(cuCtxPushCurrent_v2, (ag_cu_context)) \
    X(cuCtxPopCurrent_v2, (ag_cu_context *)) \
    X(cuCtxGetCurrent, (ag_cu_context *)) \
    X(cuModuleLoadDataEx, (ag_cu_module *, const void *, unsigned int, unsigned int *, void **)) \
    X(cuModuleUnload, (ag_cu_module)) \
    X(cuModuleGetFunction, (ag_cu_function *, ag_cu_module, const char *)) \
    X(cuFuncGetAttribute, (int *, unsigned int, ag_cu_function)) \
    X(cuOccupancyMaxPotentialBlockSize, (int *, int *, ag_cu_function, size_t (*)(int), size_t, int)) \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *, ag_cu_function, int, size_t)) \
    X(cuMemGetInfo_v2, (size_t *, size_t *)) \
    X(cuMemAlloc_v2, (ag_cu_ptr *, size_t)) \
    X(cuMemFree_v2, (ag_cu_ptr)) \
    X(cuMemsetD8Async, (ag_cu_ptr, unsigned char, size_t, ag_cu_stream)) \
    X(cuMemcpyHtoDAsync_v2, (ag_cu_ptr, const void *, size_t, ag_cu_stream)) \
    X(cuMemcpyDtoHAsync_v2, (void *, ag_cu_ptr, size_t, ag_cu_stream)) \
    X(cuStreamCreate, (ag_cu_stream *, unsigned int)) \
    X(cuStreamDestroy_v2, (ag_cu_stream)) \
    X(cuStreamSynchronize, (ag_cu_stream)) \
    X(cuEventCreate, (ag_cu_event *, unsigned int)) \
    X(cuEventDestroy_v2, (ag_cu_event)) \
    X(cuEventRecord, (ag_cu_event, ag_cu_stream)) \
    X(cuEventSynchronize, (ag_cu_event)) \
    X(cuEventElapsedTime, (float *, ag_cu_event, ag_cu_event)) \
    X(cuLaunchKernel, (ag_cu_function, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, \
      unsigned int, unsigned int, ag_cu_stream, void **, void **))

/* X(result, name, arguments): every function of libnvrtc. */
#define AG_NVRTC_CALLS(X) \
    X(const char *, nvrtcGetErrorString, (ag_nvrtc_result)) \
    X(ag_nvrtc_result, nvrtcVersion, (int *, int *)) \
    X(ag_nvrtc_result, nvrtcGetNumSupportedArchs, (int *)) \
    X(ag_nvrtc_result, nvrtcGetSupportedArchs, (int *)) \
    X(ag_nvrtc_result, nvrtcCreateProgram, (ag_nvrtc_program *, const char *, const char *, int, \
      const char *const *, const char *const *)) \
    X(ag_nvrtc_result, nvrtcCompileProgram, (ag_nvrtc_program, int, const char *const *)) \
    X(ag_nvrtc_result, nvrtcGetProgramLogSize, (ag_nvrtc_program, size_t *)) \
    X(ag_nvrtc_result, nvrtcGetProgramLog, (ag_nvrtc_program, char *)) \
    X(ag_nvrtc_result, nvrtcGetCUBINSize, (ag_nvrtc_program, size_t *)) \
    X(ag_nvrtc_result, nvrtcGetCUBIN, (ag_nvrtc_program, char *)) \
    X(ag_nvrtc_result, nvrtcGetPTXSize, (ag_nvrtc_program, size_t *)) \
    X(ag_nvrtc_result, nvrtcGetPTX, (ag_nvrtc_program, char *)) \
    X(ag_nvrtc_result, nvrtcDestroyProgram, (ag_nvrtc_program *))

/* clang-format on */

enum {
#define X(name, value) AG_CU_##name = value,
    AG_CU_CONSTANTS(X)
#undef X
#define X(name, value) AG_CUDA_##name = value,
        AG_CU_RESULTS(X)
#undef X
};

/* The keys of cuLaunchKernel's last argument: what follows is the packed parameters, and a pointer to their size. */
#define AG_CU_LAUNCH_PARAM_END            ((void *)0)
#define AG_CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)1)
#define AG_CU_LAUNCH_PARAM_BUFFER_SIZE    ((void *)2)

/* The functions of a loaded library. */
typedef struct {
#define X(name, arguments) ag_cu_result(*name) arguments;
    AG_CU_CALLS(X)
#undef X
} ag_cu_calls;

typedef struct {
#define X(result, name, arguments) result(*name) arguments;
    AG_NVRTC_CALLS(X)
#undef X
} ag_nvrtc_calls;

#endif
