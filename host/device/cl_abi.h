/*
 * cl_abi.h -- the part of the OpenCL 1.2 interface that is used here, declared anew so that
 * building needs no OpenCL header. The struct tags are those of Khronos's CL/cl.h, so the
 * types are the same types; tests/device/test_cl_abi.c holds every line to that header.
 */
#ifndef AG_DEVICE_CL_ABI_H
#define AG_DEVICE_CL_ABI_H

#include <stddef.h>
#include <stdint.h>

typedef struct _cl_platform_id *ag_cl_platform;
typedef struct _cl_device_id *ag_cl_device;
typedef struct _cl_context *ag_cl_context;
typedef struct _cl_command_queue *ag_cl_queue;
typedef struct _cl_program *ag_cl_program;
typedef struct _cl_kernel *ag_cl_kernel;
typedef struct _cl_mem *ag_cl_mem;
typedef struct _cl_event *ag_cl_event;

/* clang-format off */

/* X(name, value): AG_CL_<name> here is CL_<name> there. */
#define AG_CL_CONSTANTS(X) \
    X(SUCCESS,                           0) \
    X(DEVICE_TYPE_CPU,                   2) \
    X(DEVICE_TYPE_GPU,                   4) \
    X(PLATFORM_VERSION,                  0x0901) \
    X(PLATFORM_NAME,                     0x0902) \
    X(DEVICE_TYPE,                       0x1000) \
    X(DEVICE_MAX_COMPUTE_UNITS,          0x1002) \
    X(DEVICE_MAX_WORK_GROUP_SIZE,        0x1004) \
    X(DEVICE_MAX_MEM_ALLOC_SIZE,         0x1010) \
    X(DEVICE_GLOBAL_MEM_SIZE,            0x101F) \
    X(DEVICE_NAME,                       0x102B) \
    X(DRIVER_VERSION,                    0x102D) \
    X(DEVICE_DOUBLE_FP_CONFIG,           0x1032) \
    X(DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, 0x103B) \
    X(DEVICE_OPENCL_C_VERSION,           0x103D) \
    X(CONTEXT_PLATFORM,                  0x1084) \
    X(MEM_READ_WRITE,                    1) \
    X(PROGRAM_BINARY_SIZES,              0x1165) \
    X(PROGRAM_BINARIES,                  0x1166) \
    X(PROGRAM_BUILD_LOG,                 0x1183) \
    X(KERNEL_WORK_GROUP_SIZE,            0x11B0) \
    X(TRUE,                              1)

/* X(name, value): every error code of OpenCL 1.2, and the loader's. */
#define AG_CL_ERRORS(X) \
    X(CL_DEVICE_NOT_FOUND,                          -1) \
    X(CL_DEVICE_NOT_AVAILABLE,                      -2) \
    X(CL_COMPILER_NOT_AVAILABLE,                    -3) \
    X(CL_MEM_OBJECT_ALLOCATION_FAILURE,             -4) \
    X(CL_OUT_OF_RESOURCES,                          -5) \
    X(CL_OUT_OF_HOST_MEMORY,                        -6) \
    X(CL_PROFILING_INFO_NOT_AVAILABLE,              -7) \
    X(CL_MEM_COPY_OVERLAP,                          -8) \
    X(CL_IMAGE_FORMAT_MISMATCH,                     -9) \
    X(CL_IMAGE_FORMAT_NOT_SUPPORTED,                -10) \
    X(CL_BUILD_PROGRAM_FAILURE,                     -11) \
    X(CL_MAP_FAILURE,                               -12) \
    X(CL_MISALIGNED_SUB_BUFFER_OFFSET,              -13) \
    X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, -14) \
    X(CL_COMPILE_PROGRAM_FAILURE,                   -15) \
    X(CL_LINKER_NOT_AVAILABLE,                      -16) \
    X(CL_LINK_PROGRAM_FAILURE,                      -17) \
    X(CL_DEVICE_PARTITION_FAILED,                   -18) \
    X(CL_KERNEL_ARG_INFO_NOT_AVAILABLE,             -19) \
    X(CL_INVALID_VALUE,                             -30) \
    X(CL_INVALID_DEVICE_TYPE,                       -31) \
    X(CL_INVALID_PLATFORM,                          -32) \
    X(CL_INVALID_DEVICE,                            -33) \
    X(CL_INVALID_CONTEXT,                           -34) \
    X(CL_INVALID_QUEUE_PROPERTIES,                  -35) \
    X(CL_INVALID_COMMAND_QUEUE,                     -36) \
    X(CL_INVALID_HOST_PTR,                          -37) \
    X(CL_INVALID_MEM_OBJECT,                        -38) \
    X(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,           -39) \
    X(CL_INVALID_IMAGE_SIZE,                        -40) \
    X(CL_INVALID_SAMPLER,                           -41) \
    X(CL_INVALID_BINARY,                            -42) \
    X(CL_INVALID_BUILD_OPTIONS,                     -43) \
    X(CL_INVALID_PROGRAM,                           -44) \
    X(CL_INVALID_PROGRAM_EXECUTABLE,                -45) \
    X(CL_INVALID_KERNEL_NAME,                       -46) \
    X(CL_INVALID_KERNEL_DEFINITION,                 -47) \
    X(CL_INVALID_KERNEL,                            -48) \
    X(CL_INVALID_ARG_INDEX,                         -49) \
    X(CL_INVALID_ARG_VALUE,                         -50) \
    X(CL_INVALID_ARG_SIZE,                          -51) \
    X(CL_INVALID_KERNEL_ARGS,                       -52) \
    X(CL_INVALID_WORK_DIMENSION,                    -53) \
    X(CL_INVALID_WORK_GROUP_SIZE,                   -54) \
    X(CL_INVALID_WORK_ITEM_SIZE,                    -55) \
    X(CL_INVALID_GLOBAL_OFFSET,                     -56) \
    X(CL_INVALID_EVENT_WAIT_LIST,                   -57) \
    X(CL_INVALID_EVENT,                             -58) \
    X(CL_INVALID_OPERATION,                         -59) \
    X(CL_INVALID_GL_OBJECT,                         -60) \
    X(CL_INVALID_BUFFER_SIZE,                       -61) \
    X(CL_INVALID_MIP_LEVEL,                         -62) \
    X(CL_INVALID_GLOBAL_WORK_SIZE,                  -63) \
    X(CL_INVALID_PROPERTY,                          -64) \
    X(CL_INVALID_IMAGE_DESCRIPTOR,                  -65) \
    X(CL_INVALID_COMPILER_OPTIONS,                  -66) \
    X(CL_INVALID_LINKER_OPTIONS,                    -67) \
    X(CL_INVALID_DEVICE_PARTITION_COUNT,            -68) \
    X(CL_PLATFORM_NOT_FOUND_KHR,                    -1001)

/* X(result, name, arguments): every function. */
#define AG_CL_CALLS(X) \
    X(int32_t, clGetPlatformIDs, (uint32_t, ag_cl_platform *, uint32_t *)) \
    X(int32_t, clGetPlatformInfo, (ag_cl_platform, uint32_t, size_t, void *, size_t *)) \
    X(int32_t, clGetDeviceIDs, (ag_cl_platform, uint64_t, uint32_t, ag_cl_device *, uint32_t *)) \
    X(int32_t, clGetDeviceInfo, (ag_cl_device, uint32_t, size_t, void *, size_t *)) \
    X(ag_cl_context, clCreateContext, (const intptr_t *, uint32_t, const ag_cl_device *, void (*)(const char *, \
      const void *, size_t, void *), void *, int32_t *)) \
    X(int32_t, clReleaseContext, (ag_cl_context)) \
    X(ag_cl_queue, clCreateCommandQueue, (ag_cl_context, ag_cl_device, uint64_t, int32_t *)) \
    X(int32_t, clReleaseCommandQueue, (ag_cl_queue)) \
    X(ag_cl_program, clCreateProgramWithSource, (ag_cl_context, uint32_t, const char **, const size_t *, int32_t *)) \
    X(ag_cl_program, clCreateProgramWithBinary, (ag_cl_context, uint32_t, const ag_cl_device *, const size_t *, \
      const unsigned char **, int32_t *, int32_t *)) \
    X(int32_t, clGetProgramInfo, (ag_cl_program, uint32_t, size_t, void *, size_t *)) \
    X(int32_t, clBuildProgram, (ag_cl_program, uint32_t, const ag_cl_device *, const char *, \
      void (*)(ag_cl_program, void *), void *)) \
    X(int32_t, clGetProgramBuildInfo, (ag_cl_program, ag_cl_device, uint32_t, size_t, void *, size_t *)) \
    X(int32_t, clReleaseProgram, (ag_cl_program)) \
    X(ag_cl_kernel, clCreateKernel, (ag_cl_program, const char *, int32_t *)) \
    X(int32_t, clReleaseKernel, (ag_cl_kernel)) \
    X(int32_t, clGetKernelWorkGroupInfo, (ag_cl_kernel, ag_cl_device, uint32_t, size_t, void *, size_t *)) \
    X(int32_t, clSetKernelArg, (ag_cl_kernel, uint32_t, size_t, const void *)) \
    X(ag_cl_mem, clCreateBuffer, (ag_cl_context, uint64_t, size_t, void *, int32_t *)) \
    X(int32_t, clReleaseMemObject, (ag_cl_mem)) \
    X(int32_t, clEnqueueWriteBuffer, (ag_cl_queue, ag_cl_mem, uint32_t, size_t, size_t, const void *, uint32_t, \
      const ag_cl_event *, ag_cl_event *)) \
    X(int32_t, clEnqueueReadBuffer, (ag_cl_queue, ag_cl_mem, uint32_t, size_t, size_t, void *, uint32_t, \
      const ag_cl_event *, ag_cl_event *)) \
    X(int32_t, clEnqueueFillBuffer, (ag_cl_queue, ag_cl_mem, const void *, size_t, size_t, size_t, uint32_t, \
      const ag_cl_event *, ag_cl_event *)) \
    X(int32_t, clEnqueueNDRangeKernel, (ag_cl_queue, ag_cl_kernel, uint32_t, const size_t *, const size_t *, \
      const size_t *, uint32_t, const ag_cl_event *, ag_cl_event *)) \
    X(int32_t, clFlush, (ag_cl_queue)) \
    X(int32_t, clFinish, (ag_cl_queue))

/* clang-format on */

enum {
#define X(name, value) AG_CL_##name = value,
    AG_CL_CONSTANTS(X)
#undef X
};

/* Every type of device; too large for an enumerator. */
#define AG_CL_DEVICE_TYPE_ALL UINT64_C(0xFFFFFFFF)

/* The functions of a loaded library. */
typedef struct {
#define X(result, name, arguments) result(*name) arguments;
    AG_CL_CALLS(X)
#undef X
} ag_cl_calls;

#endif
