/*
 * opencl.c -- the backend "opencl": any OpenCL 1.2 device with doubles.
 *
 * The library is opened at run time and never closed: closing it makes leak checkers report
 * what drivers keep. Devices of all platforms are numbered in one row. A GPU runs a group as
 * LANES work-items, each with packs of one double. A CPU behind OpenCL runs a group as one
 * work-item with wide packs; how many threads it uses is its driver's affair, so n_threads
 * is not used here. AG_OPENCL_LANES=n treats every device as a GPU with n work-items a group,
 * so that barriers and lanes can be tested without one; the results are the same.
 */
#include "device/backend.h"
#include "device/cl_abi.h"
#include "device/kernel_cache.h"
#include "device/kernel_src.h"
#include "ag_kl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LANES         128u
#define LANES_MAX     1024
#define PLATFORMS_MAX 16u
#define DEVICES_MAX   64
#define DUMMY_BYTES   64u /* what a kernel gets where it reads no buffer */

typedef struct {
    ag_cl_platform platform;
    ag_cl_device id;
} cl_device;

/* Filled once for the process. */
static struct {
    ag_cl_calls fn;
    int n_devices;
    cl_device devices[DEVICES_MAX];
    char why[256]; /* why n_devices is 0 */
} cl;
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

typedef struct {
    cl_device device;
    ag_cl_context context;
    ag_cl_queue queue;
    ag_cl_program program;
    ag_cl_kernel kernels[AG_N_KERNELS];
    size_t lanes[AG_N_KERNELS]; /* work-items of a group */
    ag_buf dummy;
    uint64_t max_alloc_bytes, memory_bytes, used_bytes;
} open_device;

static const char *const kernel_names[] = {
#define X(name, params) #name,
    AG_KERNELS(X)
#undef X
};

/* ------------------------------------------------------------------ errors */

static const char *error_name(int32_t error)
{
    switch (error) {
#define X(name, value)                                                                                                 \
    case value:                                                                                                        \
        return #name;
        AG_CL_ERRORS(X)
#undef X
    }
    return "unknown error";
}

/* The failure of one call in words: "clFinish: CL_OUT_OF_RESOURCES (-5)". */
static ag_status fail_call(ag_ctx *ctx, const char *call, int32_t error)
{
    const bool memory = error == -4 || error == -6; /* allocation failed on the device, on the host */
    return ag_fail(ctx, memory ? AG_E_MEMORY : AG_E_DEVICE, "opencl: %s: %s (%d)", call, error_name(error), (int)error);
}

#define CL_TRY(ctx, name, ...)                                                                                         \
    do {                                                                                                               \
        const int32_t error_ = cl.fn.name(__VA_ARGS__);                                                                \
        if (error_ != AG_CL_SUCCESS)                                                                                   \
            return fail_call(ctx, #name, error_);                                                                      \
    } while (0)

/* ------------------------------------------------------- library and devices */

/* Fills cl.fn; false, with cl.why, if the library or one of its functions is missing. */
static bool load_library(void)
{
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        library = dlopen("libOpenCL.so", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(cl.why, sizeof cl.why, "no libOpenCL.so.1 (the OpenCL loader is not installed)");
        return false;
    }
    void *symbol;
    /* memcpy(): ISO C converts no object pointer to a function pointer. */
#define X(result, name, arguments)                                                                                     \
    symbol = dlsym(library, #name);                                                                                    \
    if (!symbol) {                                                                                                     \
        snprintf(cl.why, sizeof cl.why, "libOpenCL has no %s (older than OpenCL 1.2)", #name);                         \
        return false;                                                                                                  \
    }                                                                                                                  \
    memcpy(&cl.fn.name, &symbol, sizeof symbol);
    AG_CL_CALLS(X)
#undef X
    return true;
}

static void add_devices(ag_cl_platform platform)
{
    ag_cl_device found[DEVICES_MAX];
    uint32_t n = 0;
    const int32_t error = cl.fn.clGetDeviceIDs(platform, AG_CL_DEVICE_TYPE_ALL, DEVICES_MAX, found, &n);
    if (error != AG_CL_SUCCESS) { /* a driver without its hardware */
        snprintf(cl.why, sizeof cl.why, "no device (clGetDeviceIDs: %s)", error_name(error));
        return;
    }
    for (uint32_t i = 0; i < n && i < DEVICES_MAX && cl.n_devices < DEVICES_MAX; i++)
        cl.devices[cl.n_devices++] = (cl_device){platform, found[i]};
}

static void load(void)
{
    if (!load_library())
        return;
    ag_cl_platform platforms[PLATFORMS_MAX];
    uint32_t n = 0;
    const int32_t error = cl.fn.clGetPlatformIDs(PLATFORMS_MAX, platforms, &n);
    if (error != AG_CL_SUCCESS || n == 0) {
        snprintf(cl.why, sizeof cl.why, "no OpenCL platform: no driver is installed (clGetPlatformIDs: %s)",
                 error == AG_CL_SUCCESS ? "0 platforms" : error_name(error));
        return;
    }
    snprintf(cl.why, sizeof cl.why, "no device");
    for (uint32_t i = 0; i < n && i < PLATFORMS_MAX; i++)
        add_devices(platforms[i]);
}

static int opencl_count(char *why, size_t size_why)
{
    pthread_once(&load_once, load);
    if (cl.n_devices == 0)
        snprintf(why, size_why, "%s", cl.why);
    return cl.n_devices;
}

/* ---------------------------------------------------------------- properties */

/* A property that is a number of `size` bytes; 0 where the device does not know it. */
static uint64_t device_number(ag_cl_device id, uint32_t property, size_t size)
{
    uint32_t narrow = 0;
    uint64_t wide = 0;
    void *at = size == sizeof narrow ? (void *)&narrow : (void *)&wide;
    if (cl.fn.clGetDeviceInfo(id, property, size, at, NULL) != AG_CL_SUCCESS)
        return 0;
    return size == sizeof narrow ? narrow : wide;
}

static uint64_t device_u32(ag_cl_device id, uint32_t property)
{
    return device_number(id, property, sizeof(uint32_t));
}

static uint64_t device_u64(ag_cl_device id, uint32_t property)
{
    return device_number(id, property, sizeof(uint64_t));
}

/* A property that is text, cut to size bytes; "" where the device does not know it. */
static void device_text(ag_cl_device id, uint32_t property, char *text, size_t size)
{
    char all[1024] = ""; /* a buffer too small for the whole text would get none of it */
    if (cl.fn.clGetDeviceInfo(id, property, sizeof all, all, NULL) != AG_CL_SUCCESS)
        all[0] = '\0';
    snprintf(text, size, "%.*s", (int)size - 1, all + strspn(all, " "));
}

/* What AG_OPENCL_LANES says; 0 if nothing that is a number of lanes. */
static size_t forced_lanes(void)
{
    const char *text = getenv("AG_OPENCL_LANES");
    int64_t lanes = 0;
    return text && ag_parse_int(text, 1, LANES_MAX, &lanes) ? (size_t)lanes : 0;
}

static bool is_gpu(ag_cl_device id)
{
    return (device_u64(id, AG_CL_DEVICE_TYPE) & AG_CL_DEVICE_TYPE_GPU) != 0;
}

/* True: one work-item is a group, with wide packs. */
static bool is_one_lane(ag_cl_device id)
{
    return !is_gpu(id) && (device_u64(id, AG_CL_DEVICE_TYPE) & AG_CL_DEVICE_TYPE_CPU) != 0 && forced_lanes() == 0;
}

static ag_status opencl_describe(ag_ctx *ctx, int i, ag_device_info *out)
{
    (void)ctx;
    const cl_device *device = &cl.devices[i];
    char platform[256] = "", version[64];
    (void)cl.fn.clGetPlatformInfo(device->platform, AG_CL_PLATFORM_NAME, sizeof platform, platform, NULL);
    device_text(device->id, AG_CL_DRIVER_VERSION, version, sizeof version);
    memset(out, 0, sizeof *out);
    device_text(device->id, AG_CL_DEVICE_NAME, out->name, sizeof out->name);
    snprintf(out->driver, sizeof out->driver, "%.60s %s", platform, version);
    out->memory_bytes = device_u64(device->id, AG_CL_DEVICE_GLOBAL_MEM_SIZE);
    out->compute_units = (uint32_t)device_u32(device->id, AG_CL_DEVICE_MAX_COMPUTE_UNITS);
    out->is_gpu = is_gpu(device->id);
    return AG_OK;
}

/* AG_E_NOTFOUND if the device lacks what the kernels need. */
static ag_status check_suitable(ag_ctx *ctx, ag_cl_device id)
{
    char name[128], version[128];
    device_text(id, AG_CL_DEVICE_NAME, name, sizeof name);
    device_text(id, AG_CL_DEVICE_OPENCL_C_VERSION, version, sizeof version);
    int major = 0, minor = 0;
    if (sscanf(version, "OpenCL C %d.%d", &major, &minor) != 2 || major * 100 + minor < 102)
        return ag_fail(ctx, AG_E_NOTFOUND, "opencl device %s cannot be used: it has '%s', needs OpenCL C 1.2", name,
                       version);
    if (device_u64(id, AG_CL_DEVICE_DOUBLE_FP_CONFIG) == 0)
        return ag_fail(ctx, AG_E_NOTFOUND, "opencl device %s cannot be used: it has no doubles (cl_khr_fp64)", name);
    return AG_OK;
}

/* ------------------------------------------------------------- open and close */

/* Sends the compiler's words to the log, and records their first line. */
static ag_status fail_build(ag_ctx *ctx, const open_device *dev, int32_t error)
{
    size_t size = 0;
    cl.fn.clGetProgramBuildInfo(dev->program, dev->device.id, AG_CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char *words = calloc(1, size + 1);
    if (words)
        cl.fn.clGetProgramBuildInfo(dev->program, dev->device.id, AG_CL_PROGRAM_BUILD_LOG, size, words, NULL);
    const char *start = words ? words + strspn(words, " \n") : "";
    if (*start)
        ag_log(AG_LOG_ERROR, "build", "opencl: %s", start);
    const ag_status status = ag_fail(ctx, AG_E_DEVICE, "opencl: clBuildProgram: %s (%d): %.*s", error_name(error),
                                     (int)error, (int)strcspn(start, "\n"), start);
    free(words);
    return status;
}

/* These keep what they have compiled, under keys of their own; nobody else's cache is needed. */
static const char *const caching_platforms[] = {"Portable Computing Language", "NVIDIA CUDA"};

static bool keeps_programs(const char *platform)
{
    for (size_t i = 0; i < AG_COUNT(caching_platforms); i++)
        if (strcmp(platform, caching_platforms[i]) == 0)
            return true;
    return false;
}

static ag_status create_kernels(ag_ctx *ctx, open_device *dev)
{
    const bool one_lane = is_one_lane(dev->device.id);
    const size_t wanted = one_lane ? 1 : forced_lanes() ? forced_lanes() : LANES;
    for (int k = 0; k < AG_N_KERNELS; k++) {
        int32_t error = AG_CL_SUCCESS;
        dev->kernels[k] = cl.fn.clCreateKernel(dev->program, kernel_names[k], &error);
        if (!dev->kernels[k])
            return ag_fail(ctx, AG_E_DEVICE, "opencl: clCreateKernel of %s: %s (%d)", kernel_names[k],
                           error_name(error), (int)error);
        size_t most = 0;
        CL_TRY(ctx, clGetKernelWorkGroupInfo, dev->kernels[k], dev->device.id, AG_CL_KERNEL_WORK_GROUP_SIZE,
               sizeof most, &most, NULL);
        dev->lanes[k] = most > 0 && most < wanted ? most : wanted;
    }
    return AG_OK;
}

/* Releases the program and its kernels. */
static void drop_program(open_device *dev)
{
    for (int k = 0; k < AG_N_KERNELS; k++) {
        if (dev->kernels[k])
            cl.fn.clReleaseKernel(dev->kernels[k]);
        dev->kernels[k] = NULL;
    }
    if (dev->program)
        cl.fn.clReleaseProgram(dev->program);
    dev->program = NULL;
}

/* Program and kernels from the cache; false, without any, if there are none or the driver does not take them. */
static bool load_program(open_device *dev, const ag_kernel_key *key, const char *options)
{
    void *image = NULL;
    size_t size = 0;
    if (!ag_kernel_cache_load(key, &image, &size))
        return false;
    const unsigned char *binary = image;
    int32_t taken = AG_CL_SUCCESS, error = AG_CL_SUCCESS;
    dev->program = cl.fn.clCreateProgramWithBinary(dev->context, 1, &dev->device.id, &size, &binary, &taken, &error);
    free(image);
    if (dev->program && taken == AG_CL_SUCCESS)
        error = cl.fn.clBuildProgram(dev->program, 1, &dev->device.id, options, NULL, NULL);
    if (dev->program && taken == AG_CL_SUCCESS && error == AG_CL_SUCCESS && create_kernels(NULL, dev) == AG_OK)
        return true;
    ag_log(AG_LOG_INFO, "build", "opencl: the driver does not take what it compiled in an earlier run");
    drop_program(dev);
    ag_kernel_cache_drop(key);
    return false;
}

/* Keeps the program's binary, if the driver gives one. */
static void store_program(const open_device *dev, const ag_kernel_key *key)
{
    size_t size = 0;
    if (cl.fn.clGetProgramInfo(dev->program, AG_CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) != AG_CL_SUCCESS ||
        size == 0)
        return;
    unsigned char *binary = malloc(size);
    if (binary &&
        cl.fn.clGetProgramInfo(dev->program, AG_CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) == AG_CL_SUCCESS)
        ag_kernel_cache_store(key, binary, size);
    free(binary);
}

/* Program and kernels from their sources. */
static ag_status compile_program(ag_ctx *ctx, open_device *dev, const char *options)
{
    const char *strings[ag_n_kernel_strings];
    size_t lengths[ag_n_kernel_strings];
    ag_kernel_strings(strings, lengths);
    int32_t error = AG_CL_SUCCESS;
    dev->program = cl.fn.clCreateProgramWithSource(dev->context, ag_n_kernel_strings, strings, lengths, &error);
    if (!dev->program)
        return fail_call(ctx, "clCreateProgramWithSource", error);
    const double start = ag_now_seconds();
    error = cl.fn.clBuildProgram(dev->program, 1, &dev->device.id, options, NULL, NULL);
    if (error != AG_CL_SUCCESS)
        return fail_build(ctx, dev, error);
    ag_log(AG_LOG_INFO, "build", "opencl: kernels compiled in %.3f s (%s)", ag_now_seconds() - start, options);
    return create_kernels(ctx, dev);
}

static ag_status build_program(ag_ctx *ctx, open_device *dev)
{
    char options[64] = "-cl-std=CL1.2", platform[256] = "", version[256] = "", name[256], driver[256];
    if (is_one_lane(dev->device.id)) {
        const uint64_t width = device_u32(dev->device.id, AG_CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE);
        snprintf(options, sizeof options, "-cl-std=CL1.2 -DAG_ONE_LANE -DAG_PACK=%d", width >= 8 ? 8 : 4);
    }
    (void)cl.fn.clGetPlatformInfo(dev->device.platform, AG_CL_PLATFORM_NAME, sizeof platform, platform, NULL);
    if (keeps_programs(platform))
        return compile_program(ctx, dev, options);
    (void)cl.fn.clGetPlatformInfo(dev->device.platform, AG_CL_PLATFORM_VERSION, sizeof version, version, NULL);
    device_text(dev->device.id, AG_CL_DEVICE_NAME, name, sizeof name);
    device_text(dev->device.id, AG_CL_DRIVER_VERSION, driver, sizeof driver);
    const ag_kernel_key key = {{"opencl", platform, version, name, driver, options}};
    if (load_program(dev, &key, options))
        return AG_OK;
    AG_TRY(compile_program(ctx, dev, options));
    store_program(dev, &key);
    return AG_OK;
}

static void opencl_release(void *self, ag_buf *buf);
static ag_status opencl_alloc(ag_ctx *ctx, void *self, size_t size_bytes, ag_buf *out);

static void opencl_close(void *self)
{
    open_device *dev = self;
    if (!dev)
        return;
    opencl_release(dev, &dev->dummy);
    drop_program(dev);
    if (dev->queue)
        cl.fn.clReleaseCommandQueue(dev->queue);
    if (dev->context)
        cl.fn.clReleaseContext(dev->context);
    free(dev);
}

static ag_status open_parts(ag_ctx *ctx, open_device *dev)
{
    const intptr_t properties[] = {AG_CL_CONTEXT_PLATFORM, (intptr_t)dev->device.platform, 0};
    int32_t error = AG_CL_SUCCESS;
    dev->context = cl.fn.clCreateContext(properties, 1, &dev->device.id, NULL, NULL, &error);
    if (!dev->context)
        return fail_call(ctx, "clCreateContext", error);
    dev->queue = cl.fn.clCreateCommandQueue(dev->context, dev->device.id, 0, &error); /* 0: in order */
    if (!dev->queue)
        return fail_call(ctx, "clCreateCommandQueue", error);
    dev->max_alloc_bytes = device_u64(dev->device.id, AG_CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    dev->memory_bytes = device_u64(dev->device.id, AG_CL_DEVICE_GLOBAL_MEM_SIZE);
    AG_TRY(opencl_alloc(ctx, dev, DUMMY_BYTES, &dev->dummy));
    return build_program(ctx, dev);
}

static ag_status opencl_open(ag_ctx *ctx, int i, int n_threads, void **self)
{
    (void)n_threads;
    const char *lanes = getenv("AG_OPENCL_LANES");
    if (lanes && *lanes && forced_lanes() == 0)
        return ag_fail(ctx, AG_E_ARG, "AG_OPENCL_LANES is '%s', must be 1..%d", lanes, LANES_MAX);
    AG_TRY(check_suitable(ctx, cl.devices[i].id));
    open_device *dev = calloc(1, sizeof *dev);
    if (!dev)
        return ag_fail(ctx, AG_E_MEMORY, "no memory for an opencl device");
    dev->device = cl.devices[i];
    const ag_status status = open_parts(ctx, dev);
    if (status != AG_OK) {
        opencl_close(dev);
        return status;
    }
    *self = dev;
    return AG_OK;
}

/* -------------------------------------------------------------------- memory */

static ag_status opencl_alloc(ag_ctx *ctx, void *self, size_t size_bytes, ag_buf *out)
{
    static const uint64_t zero = 0;
    open_device *dev = self;
    if (size_bytes > dev->max_alloc_bytes)
        return ag_fail(ctx, AG_E_MEMORY, "opencl: a buffer of %zu bytes, the device allows %llu", size_bytes,
                       (unsigned long long)dev->max_alloc_bytes);
    if (dev->used_bytes > dev->memory_bytes || size_bytes > dev->memory_bytes - dev->used_bytes)
        return ag_fail(ctx, AG_E_MEMORY, "opencl: a buffer of %zu bytes beside %llu in use, the device has %llu",
                       size_bytes, (unsigned long long)dev->used_bytes, (unsigned long long)dev->memory_bytes);
    /* At least one byte must be asked for, and the fill goes in whole patterns. */
    const size_t rounded = size_bytes / DUMMY_BYTES * DUMMY_BYTES + DUMMY_BYTES;
    int32_t error = AG_CL_SUCCESS;
    ag_cl_mem memory = cl.fn.clCreateBuffer(dev->context, AG_CL_MEM_READ_WRITE, rounded, NULL, &error);
    if (!memory)
        return ag_fail(ctx, error == -5 ? AG_E_MEMORY : fail_call(NULL, "", error),
                       "opencl: clCreateBuffer of %zu bytes: %s (%d)", rounded, error_name(error), (int)error);
    error = cl.fn.clEnqueueFillBuffer(dev->queue, memory, &zero, sizeof zero, 0, rounded, 0, NULL, NULL);
    if (error != AG_CL_SUCCESS) {
        cl.fn.clReleaseMemObject(memory);
        return fail_call(ctx, "clEnqueueFillBuffer", error);
    }
    dev->used_bytes += size_bytes;
    *out = (ag_buf){.handle = memory, .host = NULL, .size_bytes = size_bytes};
    return AG_OK;
}

static void opencl_release(void *self, ag_buf *buf)
{
    open_device *dev = self;
    if (buf->handle) {
        cl.fn.clReleaseMemObject(buf->handle);
        dev->used_bytes -= buf->size_bytes;
    }
    *buf = (ag_buf){0};
}

static ag_status opencl_write(ag_ctx *ctx, void *self, const ag_buf *to, size_t at, const void *from, size_t size_bytes)
{
    open_device *dev = self;
    CL_TRY(ctx, clEnqueueWriteBuffer, dev->queue, to->handle, AG_CL_TRUE, at, size_bytes, from, 0, NULL, NULL);
    return AG_OK;
}

static ag_status opencl_read(ag_ctx *ctx, void *self, const ag_buf *from, size_t at, void *to, size_t size_bytes)
{
    open_device *dev = self;
    CL_TRY(ctx, clEnqueueReadBuffer, dev->queue, from->handle, AG_CL_TRUE, at, size_bytes, to, 0, NULL, NULL);
    return AG_OK;
}

/* -------------------------------------------------------------------- launch */

static ag_status opencl_launch(ag_ctx *ctx, void *self, ag_kernel k, uint32_t n_groups, const void *params,
                               size_t size_params, const ag_buf *bufs)
{
    open_device *dev = self;
    ag_cl_kernel kernel = dev->kernels[k];
    CL_TRY(ctx, clSetKernelArg, kernel, 0, size_params, params);
    for (uint32_t i = 0; i < AG_N_BUFS; i++) {
        const ag_cl_mem memory = bufs[i].handle ? bufs[i].handle : dev->dummy.handle;
        CL_TRY(ctx, clSetKernelArg, kernel, i + 1, sizeof memory, &memory);
    }
    const size_t lanes = dev->lanes[k], items = lanes * n_groups;
    const int32_t error = cl.fn.clEnqueueNDRangeKernel(dev->queue, kernel, 1, NULL, &items, &lanes, 0, NULL, NULL);
    if (error != AG_CL_SUCCESS)
        return ag_fail(ctx, fail_call(NULL, "", error),
                       "opencl: clEnqueueNDRangeKernel of %s, %u groups of %zu: %s (%d)", kernel_names[k],
                       (unsigned)n_groups, lanes, error_name(error), (int)error);
    CL_TRY(ctx, clFlush, dev->queue); /* starts it, while the host turns to another device */
    return AG_OK;
}

static ag_status opencl_finish(ag_ctx *ctx, void *self)
{
    open_device *dev = self;
    CL_TRY(ctx, clFinish, dev->queue);
    return AG_OK;
}

/* A GPU hides waiting for memory by running several groups on each of its units. */
#define GROUPS_A_GPU_UNIT 4u

static uint32_t opencl_resident(void *self, ag_kernel k)
{
    const open_device *dev = self;
    const uint32_t n_units = (uint32_t)device_u32(dev->device.id, AG_CL_DEVICE_MAX_COMPUTE_UNITS);
    (void)k;
    return (n_units ? n_units : 1u) * (is_gpu(dev->device.id) ? GROUPS_A_GPU_UNIT : 1u);
}

const ag_backend ag_backend_opencl = {
    .name = "opencl",
    .count = opencl_count,
    .describe = opencl_describe,
    .open = opencl_open,
    .close = opencl_close,
    .alloc = opencl_alloc,
    .release = opencl_release,
    .write = opencl_write,
    .read = opencl_read,
    .launch = opencl_launch,
    .finish = opencl_finish,
    .resident = opencl_resident,
};
