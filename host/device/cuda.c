/*
 * cuda.c -- the backend "cuda": NVIDIA GPUs through the driver, libcuda.
 *
 * The library is opened at run time and never closed. A device is used through its primary
 * context, which other code of the process may share, and one stream of our own; every
 * function here makes that context current and puts back the one that was. A group is a
 * thread block, its lanes are threads; how many of them is what fills the device best, by the
 * driver's own count. AG_CUDA_LANES=n forces n lanes, for tests and timing; the results are
 * the same. Every launch is timed by two events on the device's clock.
 */
#include "device/backend.h"
#include "device/cuda_abi.h"
#include "device/kernel_cache.h"
#include "device/nvrtc.h"
#include "ag_kl.h"

#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DRIVER_MIN   12000 /* CUDA 12.0: from then on all names and types are those of cuda_abi.h */
#define DEVICES_MAX  64
#define LANES_LIMIT  128 /* a layer of Hog is no wider */
#define LANES_MAX    1024
#define TIMED_MAX    16  /* launches between two looks at their times */
#define PARAMS_MAX   512 /* bytes of a parameter struct */
#define JIT_LOG_SIZE 4096

/* Filled once for the process. */
static struct {
    ag_cu_calls fn;
    int driver_version; /* 13000 for CUDA 13.0 */
    int n_devices;
    ag_cu_result broken; /* what cuInit said of a driver that is there but does not work; n_devices is 1 then */
    char why[256];       /* why n_devices is 0 */
} cu;
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

typedef struct {
    ag_cu_function function;
    int n_lanes;    /* threads of a block */
    int n_resident; /* blocks that run at once on the whole device */
} cuda_kernel;

typedef struct {
    int number; /* of the device, for messages */
    ag_cu_device device;
    ag_cu_context context;
    ag_cu_stream stream;
    ag_cu_module module;
    ag_nvrtc_target target; /* and driver: what the module depends on */
    char driver[32];
    bool from_cache;
    cuda_kernel kernels[AG_N_KERNELS];
    ag_cu_event starts[TIMED_MAX], stops[TIMED_MAX];
    int n_timed;         /* launches whose events have not been read */
    double busy_seconds; /* of launches whose events have */
} open_device;

static const char *const kernel_names[] = {
#define X(name, params) #name,
    AG_KERNELS(X)
#undef X
};

/* ------------------------------------------------------------------ errors */

static const char *error_name(ag_cu_result result)
{
    const char *name = NULL;
    if (result == AG_CUDA_ERROR_STUB_LIBRARY) /* which knows no names */
        return "the toolkit's stub of a driver";
    return cu.fn.cuGetErrorName(result, &name) == AG_CUDA_SUCCESS && name ? name : "unknown error";
}

static ag_status status_of(ag_cu_result result)
{
    return result == AG_CUDA_ERROR_OUT_OF_MEMORY ? AG_E_MEMORY : AG_E_DEVICE;
}

/* The failure of one call in words: "cuda device 0: cuStreamSynchronize: CUDA_ERROR_LAUNCH_FAILED (719)". */
static ag_status fail_call(ag_ctx *ctx, int device, const char *call, ag_cu_result result)
{
    return ag_fail(ctx, status_of(result), "cuda device %d: %s: %s (%u)", device, call, error_name(result), result);
}

#define CU_TRY(ctx, device, name, ...)                                                                                 \
    do {                                                                                                               \
        const ag_cu_result result_ = cu.fn.name(__VA_ARGS__);                                                          \
        if (result_ != AG_CUDA_SUCCESS)                                                                                \
            return fail_call(ctx, device, #name, result_);                                                             \
    } while (0)

/* ------------------------------------------------------- library and devices */

/* Fills cu.fn; false, with cu.why, if the library or one of its functions is missing. */
static bool load_library(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *why = dlerror();
        if (!why || strstr(why, "No such file"))
            snprintf(cu.why, sizeof cu.why, "no libcuda.so.1 (no NVIDIA driver is installed)");
        else
            snprintf(cu.why, sizeof cu.why, "the driver does not load: %s", why);
        return false;
    }
    void *symbol;
    /* memcpy(): ISO C converts no object pointer to a function pointer. */
#define X(name, arguments)                                                                                             \
    symbol = dlsym(library, #name);                                                                                    \
    if (!symbol) {                                                                                                     \
        snprintf(cu.why, sizeof cu.why, "libcuda has no %s (a driver older than CUDA 12.0?)", #name);                  \
        return false;                                                                                                  \
    }                                                                                                                  \
    memcpy(&cu.fn.name, &symbol, sizeof symbol);
    AG_CU_CALLS(X)
#undef X
    return true;
}

static void load(void)
{
    if (!load_library())
        return;
    ag_cu_result result = cu.fn.cuInit(0);
    if (result == AG_CUDA_ERROR_NO_DEVICE || result == AG_CUDA_ERROR_STUB_LIBRARY) {
        snprintf(cu.why, sizeof cu.why, "no NVIDIA GPU (cuInit: %s)", error_name(result));
        return;
    }
    if (result != AG_CUDA_SUCCESS) {
        cu.broken = result;
        cu.n_devices = 1;
        return;
    }
    result = cu.fn.cuDriverGetVersion(&cu.driver_version);
    if (result != AG_CUDA_SUCCESS) {
        snprintf(cu.why, sizeof cu.why, "the driver does not tell its version (cuDriverGetVersion: %s)",
                 error_name(result));
        return;
    }
    if (cu.driver_version < DRIVER_MIN) {
        snprintf(cu.why, sizeof cu.why, "the driver is for CUDA %d.%d, 12.0 or newer is needed",
                 cu.driver_version / 1000, cu.driver_version % 1000 / 10);
        return;
    }
    if (!ag_nvrtc_load(cu.driver_version, cu.why, sizeof cu.why))
        return;
    int n = 0;
    result = cu.fn.cuDeviceGetCount(&n);
    snprintf(cu.why, sizeof cu.why, "no device (cuDeviceGetCount: %s)",
             result == AG_CUDA_SUCCESS ? "0 devices" : error_name(result));
    if (result == AG_CUDA_SUCCESS)
        cu.n_devices = n < DEVICES_MAX ? n : DEVICES_MAX;
}

static int cuda_count(char *why, size_t size_why)
{
    pthread_once(&load_once, load);
    if (cu.n_devices == 0)
        snprintf(why, size_why, "%s", cu.why);
    return cu.n_devices;
}

/* ---------------------------------------------------------------- properties */

static ag_status get_attribute(ag_ctx *ctx, int number, ag_cu_device device, unsigned int attribute, int *out)
{
    CU_TRY(ctx, number, cuDeviceGetAttribute, out, attribute, device);
    return AG_OK;
}

static ag_status get_capability(ag_ctx *ctx, int number, ag_cu_device device, int *major, int *minor)
{
    AG_TRY(get_attribute(ctx, number, device, AG_CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, major));
    return get_attribute(ctx, number, device, AG_CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, minor);
}

static ag_status cuda_describe(ag_ctx *ctx, int i, ag_device_info *out)
{
    ag_cu_device device;
    size_t memory_bytes = 0;
    int major, minor, n_units;
    ag_device_info info = {.is_gpu = 1};
    if (cu.broken)
        return ag_fail(ctx, AG_E_DEVICE, "cuda: cuInit: %s (%u)", error_name(cu.broken), cu.broken);
    CU_TRY(ctx, i, cuDeviceGet, &device, i);
    CU_TRY(ctx, i, cuDeviceGetName, info.name, (int)sizeof info.name, device);
    CU_TRY(ctx, i, cuDeviceTotalMem_v2, &memory_bytes, device);
    AG_TRY(get_capability(ctx, i, device, &major, &minor));
    AG_TRY(get_attribute(ctx, i, device, AG_CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &n_units));
    snprintf(info.driver, sizeof info.driver, "CUDA %d.%d, compute capability %d.%d", cu.driver_version / 1000,
             cu.driver_version % 1000 / 10, major, minor);
    info.memory_bytes = memory_bytes;
    info.compute_units = (uint32_t)n_units;
    *out = info;
    return AG_OK;
}

/* -------------------------------------------------------------------- context */

/* Between these two the context of dev is current; leave() passes on the first failure. */
static ag_status enter(ag_ctx *ctx, const open_device *dev)
{
    CU_TRY(ctx, dev->number, cuCtxPushCurrent_v2, dev->context);
    return AG_OK;
}

static ag_status leave(ag_ctx *ctx, const open_device *dev, ag_status status)
{
    ag_cu_context own, now = NULL;
    const ag_cu_result result = cu.fn.cuCtxPopCurrent_v2(&own);
    if (result == AG_CUDA_SUCCESS)
        return status;
    /* The failure may be one of earlier work, and the pop done all the same. Ours must not stay where another was. */
    if (cu.fn.cuCtxGetCurrent(&now) == AG_CUDA_SUCCESS && now == dev->context)
        (void)cu.fn.cuCtxPopCurrent_v2(&own);
    return status != AG_OK ? status : fail_call(ctx, dev->number, "cuCtxPopCurrent_v2", result);
}

/* enter() for giving back, which has no second chance later. */
static bool enter_at_last(const open_device *dev)
{
    for (int i = 0; i < 2; i++)
        if (enter(NULL, dev) == AG_OK)
            return true;
    return false;
}

/* ------------------------------------------------------------- open and close */

/* Gives the image to the driver, which compiles it if it is PTX. */
static ag_status load_module(ag_ctx *ctx, open_device *dev, const void *image)
{
    char words[JIT_LOG_SIZE] = "";
    unsigned int keys[] = {AG_CU_JIT_ERROR_LOG_BUFFER, AG_CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {words, (void *)(uintptr_t)(sizeof words - 1)};
    const ag_cu_result result =
        cu.fn.cuModuleLoadDataEx(&dev->module, image, (unsigned int)AG_COUNT(keys), keys, values);
    if (result == AG_CUDA_SUCCESS)
        return AG_OK;
    const char *start = words + strspn(words, " \n");
    if (*start)
        ag_log(AG_LOG_INFO, "build", "cuda: %s", start);
    return ag_fail(ctx, status_of(result), "cuda device %d: cuModuleLoadDataEx: %s (%u)%s%.*s", dev->number,
                   error_name(result), result, *start ? ": " : "", (int)strcspn(start, "\n"), start);
}

static ag_kernel_key key_of(const open_device *dev)
{
    return (ag_kernel_key){{"cuda", dev->target.options, dev->target.compiler, dev->driver}};
}

/* Compiled kernels from the user's cache, or compiled now and kept there. */
static ag_status build_module(ag_ctx *ctx, open_device *dev)
{
    int major, minor;
    void *image = NULL;
    size_t size_bytes = 0;
    AG_TRY(get_capability(ctx, dev->number, dev->device, &major, &minor));
    AG_TRY(ag_nvrtc_choose(ctx, dev->number, major, minor, &dev->target));
    snprintf(dev->driver, sizeof dev->driver, "driver %d", cu.driver_version);
    const ag_kernel_key key = key_of(dev);
    if (ag_kernel_cache_load(&key, &image, &size_bytes)) {
        const ag_status status = load_module(ctx, dev, image);
        free(image);
        dev->from_cache = status == AG_OK;
        if (status == AG_OK)
            return AG_OK;
        ag_kernel_cache_drop(&key);
    }
    AG_TRY(ag_nvrtc_compile(ctx, &dev->target, &image, &size_bytes));
    const ag_status status = load_module(ctx, dev, image);
    if (status == AG_OK)
        ag_kernel_cache_store(&key, image, size_bytes);
    free(image);
    return status;
}

/* What AG_CUDA_LANES says; 0 if nothing that is a number of lanes. */
static int forced_lanes(void)
{
    const char *text = getenv("AG_CUDA_LANES");
    int64_t lanes = 0;
    return text && ag_parse_int(text, 1, LANES_MAX, &lanes) ? (int)lanes : 0;
}

/* Finds kernel k and the size of block that fills the device best. */
static ag_status find_kernel(ag_ctx *ctx, open_device *dev, int k, int n_units)
{
    cuda_kernel *kernel = &dev->kernels[k];
    int n_blocks = 0, n_most = 0, n_registers = 0, n_local_bytes = 0;
    const ag_cu_result result = cu.fn.cuModuleGetFunction(&kernel->function, dev->module, kernel_names[k]);
    if (result != AG_CUDA_SUCCESS)
        return ag_fail(ctx, status_of(result), "cuda device %d: cuModuleGetFunction of %s: %s (%u)", dev->number,
                       kernel_names[k], error_name(result), result);
    CU_TRY(ctx, dev->number, cuOccupancyMaxPotentialBlockSize, &n_blocks, &kernel->n_lanes, kernel->function, NULL, 0,
           LANES_LIMIT);
    CU_TRY(ctx, dev->number, cuFuncGetAttribute, &n_most, AG_CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel->function);
    if (forced_lanes())
        kernel->n_lanes = forced_lanes() < n_most ? forced_lanes() : n_most;
    CU_TRY(ctx, dev->number, cuOccupancyMaxActiveBlocksPerMultiprocessor, &n_blocks, kernel->function, kernel->n_lanes,
           0);
    if (n_blocks < 1 || kernel->n_lanes < 1)
        return ag_fail(ctx, AG_E_DEVICE, "cuda device %d: no block of %s with %d lanes fits a multiprocessor",
                       dev->number, kernel_names[k], kernel->n_lanes);
    kernel->n_resident = n_blocks * n_units;
    CU_TRY(ctx, dev->number, cuFuncGetAttribute, &n_registers, AG_CU_FUNC_ATTRIBUTE_NUM_REGS, kernel->function);
    CU_TRY(ctx, dev->number, cuFuncGetAttribute, &n_local_bytes, AG_CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
           kernel->function);
    ag_log(AG_LOG_INFO, "build",
           "cuda device %d: %s has %d registers, %d bytes of local memory, runs in %d blocks of %d at once",
           dev->number, kernel_names[k], n_registers, n_local_bytes, kernel->n_resident, kernel->n_lanes);
    return AG_OK;
}

static ag_status retain_context(ag_ctx *ctx, open_device *dev)
{
    CU_TRY(ctx, dev->number, cuDeviceGet, &dev->device, dev->number);
    const ag_cu_result result = cu.fn.cuDevicePrimaryCtxRetain(&dev->context, dev->device);
    if (result == AG_CUDA_ERROR_DEVICE_UNAVAILABLE) /* another process has it to itself */
        return ag_fail(ctx, AG_E_NOTFOUND, "cuda device %d: cuDevicePrimaryCtxRetain: %s (%u)", dev->number,
                       error_name(result), result);
    return result == AG_CUDA_SUCCESS ? AG_OK : fail_call(ctx, dev->number, "cuDevicePrimaryCtxRetain", result);
}

static ag_status open_parts(ag_ctx *ctx, open_device *dev)
{
    int n_units;
    AG_TRY(get_attribute(ctx, dev->number, dev->device, AG_CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &n_units));
    CU_TRY(ctx, dev->number, cuStreamCreate, &dev->stream, AG_CU_STREAM_NON_BLOCKING);
    for (int i = 0; i < TIMED_MAX; i++) {
        CU_TRY(ctx, dev->number, cuEventCreate, &dev->starts[i], AG_CU_EVENT_DEFAULT);
        CU_TRY(ctx, dev->number, cuEventCreate, &dev->stops[i], AG_CU_EVENT_DEFAULT);
    }
    AG_TRY(build_module(ctx, dev));
    for (int k = 0; k < AG_N_KERNELS; k++)
        AG_TRY(find_kernel(ctx, dev, k, n_units));
    return AG_OK;
}

/* A failure here changes nothing for anybody: it is logged. */
#define CU_LOG(dev, name, ...)                                                                                         \
    do {                                                                                                               \
        const ag_cu_result result_ = cu.fn.name(__VA_ARGS__);                                                          \
        if (result_ != AG_CUDA_SUCCESS)                                                                                \
            ag_log(AG_LOG_INFO, "mem", "cuda device %d: %s: %s (%u)", (dev)->number, #name, error_name(result_),       \
                   result_);                                                                                           \
    } while (0)

static void close_parts(open_device *dev)
{
    for (int i = 0; i < TIMED_MAX; i++) {
        if (dev->starts[i])
            CU_LOG(dev, cuEventDestroy_v2, dev->starts[i]);
        if (dev->stops[i])
            CU_LOG(dev, cuEventDestroy_v2, dev->stops[i]);
    }
    if (dev->module)
        CU_LOG(dev, cuModuleUnload, dev->module);
    if (dev->stream)
        CU_LOG(dev, cuStreamDestroy_v2, dev->stream);
}

static void cuda_close(void *self)
{
    open_device *dev = self;
    if (!dev)
        return;
    if (enter_at_last(dev)) {
        close_parts(dev);
        (void)leave(NULL, dev, AG_OK);
    }
    CU_LOG(dev, cuDevicePrimaryCtxRelease_v2, dev->device);
    free(dev);
}

static ag_status cuda_open(ag_ctx *ctx, int i, int n_threads, void **self)
{
    (void)n_threads;
    const char *lanes = getenv("AG_CUDA_LANES");
    if (lanes && *lanes && forced_lanes() == 0)
        return ag_fail(ctx, AG_E_ARG, "AG_CUDA_LANES is '%s', must be 1..%d", lanes, LANES_MAX);
    open_device *dev = calloc(1, sizeof *dev);
    if (!dev)
        return ag_fail(ctx, AG_E_MEMORY, "no memory for a cuda device");
    dev->number = i;
    ag_status status = retain_context(ctx, dev);
    if (status != AG_OK) {
        free(dev);
        return status;
    }
    status = enter(ctx, dev);
    if (status == AG_OK)
        status = leave(ctx, dev, open_parts(ctx, dev));
    if (status != AG_OK) {
        if (dev->from_cache) { /* a driver may look at machine code no sooner than now */
            const ag_kernel_key key = key_of(dev);
            ag_kernel_cache_drop(&key);
        }
        cuda_close(dev);
        return status;
    }
    *self = dev;
    return AG_OK;
}

/* -------------------------------------------------------------------- memory */

static ag_cu_ptr address_of(const ag_buf *buf)
{
    return (ag_cu_ptr)(uintptr_t)buf->handle;
}

static void cuda_release(void *self, ag_buf *buf)
{
    const open_device *dev = self;
    if (buf->handle && enter_at_last(dev)) {
        CU_LOG(dev, cuMemFree_v2, address_of(buf));
        (void)leave(NULL, dev, AG_OK);
    }
    *buf = (ag_buf){0};
}

static ag_status make_zeros(ag_ctx *ctx, const open_device *dev, size_t size_bytes, ag_cu_ptr *out)
{
    size_t free_bytes = 0, total_bytes = 0;
    CU_TRY(ctx, dev->number, cuMemGetInfo_v2, &free_bytes, &total_bytes);
    if (size_bytes > free_bytes)
        return ag_fail(ctx, AG_E_MEMORY, "cuda device %d: a buffer of %zu bytes, the device has %zu free of %zu",
                       dev->number, size_bytes, free_bytes, total_bytes);
    ag_cu_result result = cu.fn.cuMemAlloc_v2(out, size_bytes);
    if (result != AG_CUDA_SUCCESS)
        return ag_fail(ctx, status_of(result), "cuda device %d: cuMemAlloc_v2 of %zu bytes: %s (%u)", dev->number,
                       size_bytes, error_name(result), result);
    result = cu.fn.cuMemsetD8Async(*out, 0, size_bytes, dev->stream);
    if (result == AG_CUDA_SUCCESS)
        return AG_OK;
    CU_LOG(dev, cuMemFree_v2, *out);
    *out = 0;
    return fail_call(ctx, dev->number, "cuMemsetD8Async", result);
}

static ag_status cuda_alloc(ag_ctx *ctx, void *self, size_t size_bytes, ag_buf *out)
{
    const open_device *dev = self;
    ag_cu_ptr memory = 0;
    AG_TRY(enter(ctx, dev));
    /* At least one byte must be asked for. */
    const ag_status status = leave(ctx, dev, make_zeros(ctx, dev, size_bytes ? size_bytes : 1, &memory));
    ag_buf buf = {.handle = (void *)(uintptr_t)memory, .host = NULL, .size_bytes = size_bytes};
    if (status == AG_OK)
        *out = buf;
    else
        cuda_release(self, &buf);
    return status;
}

static ag_status wait_for_all(ag_ctx *ctx, const open_device *dev)
{
    const ag_cu_result result = cu.fn.cuStreamSynchronize(dev->stream);
    if (result == AG_CUDA_SUCCESS)
        return AG_OK;
    /* A copy may still be under way, and its host memory is about to go: once more, unless all is lost. */
    (void)cu.fn.cuStreamSynchronize(dev->stream);
    return fail_call(ctx, dev->number, "cuStreamSynchronize", result);
}

/* Host memory may be such that the copy goes on after the call: both wait for its end. */
static ag_status copy_in(ag_ctx *ctx, const open_device *dev, ag_cu_ptr to, const void *from, size_t size_bytes)
{
    CU_TRY(ctx, dev->number, cuMemcpyHtoDAsync_v2, to, from, size_bytes, dev->stream);
    return wait_for_all(ctx, dev);
}

static ag_status copy_out(ag_ctx *ctx, const open_device *dev, void *to, ag_cu_ptr from, size_t size_bytes)
{
    CU_TRY(ctx, dev->number, cuMemcpyDtoHAsync_v2, to, from, size_bytes, dev->stream);
    return wait_for_all(ctx, dev);
}

static ag_status cuda_write(ag_ctx *ctx, void *self, const ag_buf *to, size_t at, const void *from, size_t size_bytes)
{
    const open_device *dev = self;
    AG_TRY(enter(ctx, dev));
    return leave(ctx, dev, copy_in(ctx, dev, address_of(to) + at, from, size_bytes));
}

static ag_status cuda_read(ag_ctx *ctx, void *self, const ag_buf *from, size_t at, void *to, size_t size_bytes)
{
    const open_device *dev = self;
    AG_TRY(enter(ctx, dev));
    return leave(ctx, dev, copy_out(ctx, dev, to, address_of(from) + at, size_bytes));
}

/* -------------------------------------------------------------------- launch */

/* Adds the times of all launches that have events; waits for them. */
static ag_status read_times(ag_ctx *ctx, open_device *dev)
{
    if (dev->n_timed > 0)
        CU_TRY(ctx, dev->number, cuEventSynchronize, dev->stops[dev->n_timed - 1]);
    for (int i = 0; i < dev->n_timed; i++) {
        float milliseconds = 0.0f;
        CU_TRY(ctx, dev->number, cuEventElapsedTime, &milliseconds, dev->starts[i], dev->stops[i]);
        dev->busy_seconds += 1e-3 * (double)milliseconds;
    }
    dev->n_timed = 0;
    return AG_OK;
}

static ag_status launch_timed(ag_ctx *ctx, open_device *dev, ag_kernel k, uint32_t n_groups, void **arguments)
{
    const cuda_kernel *kernel = &dev->kernels[k];
    if (dev->n_timed == TIMED_MAX)
        AG_TRY(read_times(ctx, dev));
    CU_TRY(ctx, dev->number, cuEventRecord, dev->starts[dev->n_timed], dev->stream);
    const ag_cu_result result = cu.fn.cuLaunchKernel(kernel->function, n_groups, 1, 1, (unsigned int)kernel->n_lanes, 1,
                                                     1, 0, dev->stream, NULL, arguments);
    if (result != AG_CUDA_SUCCESS)
        return ag_fail(ctx, status_of(result), "cuda device %d: cuLaunchKernel of %s, %u groups of %d: %s (%u)",
                       dev->number, kernel_names[k], (unsigned)n_groups, kernel->n_lanes, error_name(result), result);
    CU_TRY(ctx, dev->number, cuEventRecord, dev->stops[dev->n_timed], dev->stream);
    dev->n_timed++;
    return AG_OK;
}

static ag_status cuda_launch(ag_ctx *ctx, void *self, ag_kernel k, uint32_t n_groups, const void *params,
                             size_t size_params, const ag_buf *bufs)
{
    open_device *dev = self;
    /* The arguments as the kernel finds them: the struct, then the buffers at the next multiple of 8. The driver holds
     * their size to that in the compiled kernel. */
    ag_cu_ptr packed[PARAMS_MAX / sizeof(ag_cu_ptr) + AG_N_BUFS] = {0};
    assert(size_params <= PARAMS_MAX);
    memcpy(packed, params, size_params);
    const size_t first = (size_params + sizeof *packed - 1) / sizeof *packed;
    for (size_t i = 0; i < AG_N_BUFS; i++)
        packed[first + i] = address_of(&bufs[i]);
    size_t size_packed = (first + AG_N_BUFS) * sizeof *packed;
    void *arguments[] = {AG_CU_LAUNCH_PARAM_BUFFER_POINTER, packed, AG_CU_LAUNCH_PARAM_BUFFER_SIZE, &size_packed,
                         AG_CU_LAUNCH_PARAM_END};
    AG_TRY(enter(ctx, dev));
    return leave(ctx, dev, launch_timed(ctx, dev, k, n_groups, arguments));
}

static ag_status cuda_finish(ag_ctx *ctx, void *self)
{
    const open_device *dev = self;
    AG_TRY(enter(ctx, dev));
    return leave(ctx, dev, wait_for_all(ctx, dev));
}

static uint32_t cuda_resident(void *self, ag_kernel k)
{
    const open_device *dev = self;
    return dev->kernels[k].n_resident > 0 ? (uint32_t)dev->kernels[k].n_resident : 1u;
}

static ag_status cuda_busy(ag_ctx *ctx, void *self, double *seconds)
{
    open_device *dev = self;
    AG_TRY(enter(ctx, dev));
    AG_TRY(leave(ctx, dev, read_times(ctx, dev)));
    *seconds = dev->busy_seconds;
    dev->busy_seconds = 0.0;
    return AG_OK;
}

const ag_backend ag_backend_cuda = {
    .name = "cuda",
    .count = cuda_count,
    .describe = cuda_describe,
    .open = cuda_open,
    .close = cuda_close,
    .alloc = cuda_alloc,
    .release = cuda_release,
    .write = cuda_write,
    .read = cuda_read,
    .launch = cuda_launch,
    .finish = cuda_finish,
    .resident = cuda_resident,
    .busy = cuda_busy,
};
