/*
 * test_opencl_errors.c -- what the backend "opencl" and "auto" make of every kind of bad OpenCL, played by
 * a fake driver: the backend's source is compiled here with dlopen() and dlsym() replaced.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "../core/scratch.h"

#include <dlfcn.h>
static void *fake_dlopen(const char *name, int flags);
static void *fake_dlsym(void *library, const char *name);
#define dlopen fake_dlopen
#define dlsym  fake_dlsym
#include "device/opencl.c"
#include "device/registry.h"

/* How the driver behaves; all zero: a GPU that works but computes nothing. */
static struct {
    int no_library;
    const char *no_function; /* missing from the library */
    const char *failing;     /* a function that returns `error` */
    int32_t error;
    int no_platforms;
    int no_doubles;
    const char *c_version; /* NULL: 1.2 */
    uint64_t max_alloc_bytes;
    int is_cpu;
    uint32_t n_units;        /* 0: it does not tell */
    const char *platform;    /* NULL: one that keeps no programs */
    int no_binary;           /* a program has none to give */
    int32_t binary_status;   /* what is said of one that is given */
    int is_binary;           /* where the last program came from */
    int n_objects;           /* created and not released */
    int n_compiled, n_taken; /* programs built from source, and made from a binary */
} fake;

#define BINARY "compiled kernels" /* what the driver gives, with its zero, and takes back */

static int token; /* what handles point to */

static int32_t outcome(const char *function)
{
    return fake.failing && strcmp(fake.failing, function) == 0 ? fake.error : AG_CL_SUCCESS;
}

/* A new object, or NULL with *error. */
static void *object(const char *function, int32_t *error)
{
    *error = outcome(function);
    fake.n_objects += *error == AG_CL_SUCCESS;
    return *error == AG_CL_SUCCESS ? &token : NULL;
}

static int32_t released(void *handle)
{
    assert_ptr_equal(handle, &token);
    fake.n_objects--;
    return AG_CL_SUCCESS;
}

static int32_t fake_clGetPlatformIDs(uint32_t n, ag_cl_platform *out, uint32_t *n_out)
{
    assert_true(n >= 1);
    out[0] = (ag_cl_platform)(void *)&token;
    *n_out = fake.no_platforms ? 0 : 1;
    return outcome("clGetPlatformIDs");
}

static int32_t fake_clGetPlatformInfo(ag_cl_platform platform, uint32_t what, size_t size, void *out, size_t *size_out)
{
    (void)platform, (void)size_out;
    snprintf(out, size, "%s", what != AG_CL_PLATFORM_NAME ? "1.2" : fake.platform ? fake.platform : "Fake Platform");
    return AG_CL_SUCCESS;
}

static int32_t fake_clGetDeviceIDs(ag_cl_platform platform, uint64_t type, uint32_t n, ag_cl_device *out,
                                   uint32_t *n_out)
{
    (void)platform, (void)type, (void)n;
    out[0] = (ag_cl_device)(void *)&token;
    *n_out = 1;
    return outcome("clGetDeviceIDs");
}

static int32_t fake_clGetDeviceInfo(ag_cl_device device, uint32_t what, size_t size, void *out, size_t *size_out)
{
    (void)device, (void)size_out;
    uint64_t number = 0;
    switch (what) {
    case AG_CL_DEVICE_NAME:
        snprintf(out, size, "  Fake GPU");
        return AG_CL_SUCCESS;
    case AG_CL_DRIVER_VERSION:
        snprintf(out, size, "0.1");
        return AG_CL_SUCCESS;
    case AG_CL_DEVICE_OPENCL_C_VERSION:
        snprintf(out, size, "%s", fake.c_version ? fake.c_version : "OpenCL C 1.2 fake");
        return AG_CL_SUCCESS;
    case AG_CL_DEVICE_TYPE:
        number = fake.is_cpu ? AG_CL_DEVICE_TYPE_CPU : AG_CL_DEVICE_TYPE_GPU;
        break;
    case AG_CL_DEVICE_MAX_COMPUTE_UNITS:
        assert_int_equal(size, sizeof fake.n_units);
        memcpy(out, &fake.n_units, sizeof fake.n_units);
        return fake.n_units ? AG_CL_SUCCESS : -30;
    case AG_CL_DEVICE_DOUBLE_FP_CONFIG:
        number = fake.no_doubles ? 0 : 63;
        break;
    case AG_CL_DEVICE_MAX_MEM_ALLOC_SIZE:
        number = fake.max_alloc_bytes ? fake.max_alloc_bytes : 1u << 20;
        break;
    case AG_CL_DEVICE_GLOBAL_MEM_SIZE:
        number = 2u << 20;
        break;
    default:
        return -30;
    }
    assert_int_equal(size, sizeof number);
    memcpy(out, &number, sizeof number);
    return AG_CL_SUCCESS;
}

static ag_cl_context fake_clCreateContext(const intptr_t *properties, uint32_t n, const ag_cl_device *devices,
                                          void (*notify)(const char *, const void *, size_t, void *), void *user,
                                          int32_t *error)
{
    (void)properties, (void)n, (void)devices, (void)notify, (void)user;
    return object("clCreateContext", error);
}

static int32_t fake_clReleaseContext(ag_cl_context context)
{
    return released(context);
}

static ag_cl_queue fake_clCreateCommandQueue(ag_cl_context context, ag_cl_device device, uint64_t flags, int32_t *error)
{
    (void)context, (void)device, (void)flags;
    return object("clCreateCommandQueue", error);
}

static int32_t fake_clReleaseCommandQueue(ag_cl_queue queue)
{
    return released(queue);
}

static ag_cl_program fake_clCreateProgramWithSource(ag_cl_context context, uint32_t n, const char **strings,
                                                    const size_t *lengths, int32_t *error)
{
    (void)context, (void)n, (void)strings, (void)lengths;
    fake.is_binary = 0;
    fake.n_compiled++;
    return object("clCreateProgramWithSource", error);
}

static ag_cl_program fake_clCreateProgramWithBinary(ag_cl_context context, uint32_t n, const ag_cl_device *devices,
                                                    const size_t *sizes, const unsigned char **binaries,
                                                    int32_t *status, int32_t *error)
{
    (void)context, (void)devices;
    assert_int_equal(n, 1);
    assert_int_equal(sizes[0], sizeof BINARY);
    assert_memory_equal(binaries[0], BINARY, sizeof BINARY);
    *status = fake.binary_status;
    fake.is_binary = 1;
    fake.n_taken++;
    return object("clCreateProgramWithBinary", error);
}

static int32_t fake_clGetProgramInfo(ag_cl_program program, uint32_t what, size_t size, void *out, size_t *size_out)
{
    const size_t n = fake.no_binary ? 0 : sizeof BINARY;
    (void)program, (void)size_out;
    assert_int_equal(size, sizeof(size_t));
    if (what == AG_CL_PROGRAM_BINARY_SIZES)
        memcpy(out, &n, sizeof n);
    else
        memcpy(*(unsigned char **)out, BINARY, n);
    return outcome(what == AG_CL_PROGRAM_BINARY_SIZES ? "clGetProgramInfo" : "clGetProgramInfo 2");
}

static int32_t fake_clFlush(ag_cl_queue queue)
{
    (void)queue;
    return outcome("clFlush");
}

static int32_t fake_clBuildProgram(ag_cl_program program, uint32_t n, const ag_cl_device *devices, const char *options,
                                   void (*notify)(ag_cl_program, void *), void *user)
{
    (void)program, (void)n, (void)devices, (void)notify, (void)user;
    assert_string_equal(options, "-cl-std=CL1.2");
    return outcome(fake.is_binary ? "clBuildProgram of a binary" : "clBuildProgram");
}

static int32_t fake_clGetProgramBuildInfo(ag_cl_program program, ag_cl_device device, uint32_t what, size_t size,
                                          void *out, size_t *size_out)
{
    static const char words[] = "\nhog.cl:12: no such word\nhog.cl:13: nor this\n";
    (void)program, (void)device;
    assert_int_equal(what, AG_CL_PROGRAM_BUILD_LOG);
    if (size_out)
        *size_out = sizeof words;
    if (out)
        memcpy(out, words, size < sizeof words ? size : sizeof words);
    return AG_CL_SUCCESS;
}

static int32_t fake_clReleaseProgram(ag_cl_program program)
{
    return released(program);
}

static ag_cl_kernel fake_clCreateKernel(ag_cl_program program, const char *name, int32_t *error)
{
    (void)program, (void)name;
    return object(fake.is_binary ? "clCreateKernel of a binary" : "clCreateKernel", error);
}

static int32_t fake_clReleaseKernel(ag_cl_kernel kernel)
{
    return released(kernel);
}

static int32_t fake_clGetKernelWorkGroupInfo(ag_cl_kernel kernel, ag_cl_device device, uint32_t what, size_t size,
                                             void *out, size_t *size_out)
{
    const size_t most = 32; /* fewer than the backend would like */
    (void)kernel, (void)device, (void)what, (void)size_out;
    assert_int_equal(size, sizeof most);
    memcpy(out, &most, sizeof most);
    return outcome("clGetKernelWorkGroupInfo");
}

static int32_t fake_clSetKernelArg(ag_cl_kernel kernel, uint32_t i, size_t size, const void *value)
{
    (void)kernel, (void)i, (void)size;
    assert_non_null(value);
    return outcome("clSetKernelArg");
}

static ag_cl_mem fake_clCreateBuffer(ag_cl_context context, uint64_t flags, size_t size, void *host, int32_t *error)
{
    (void)context, (void)flags, (void)size, (void)host;
    return object("clCreateBuffer", error);
}

static int32_t fake_clReleaseMemObject(ag_cl_mem memory)
{
    return released(memory);
}

static int32_t fake_clEnqueueWriteBuffer(ag_cl_queue queue, ag_cl_mem to, uint32_t block, size_t at, size_t size,
                                         const void *from, uint32_t n, const ag_cl_event *wait, ag_cl_event *event)
{
    (void)queue, (void)to, (void)block, (void)at, (void)size, (void)from, (void)n, (void)wait, (void)event;
    return outcome("clEnqueueWriteBuffer");
}

static int32_t fake_clEnqueueReadBuffer(ag_cl_queue queue, ag_cl_mem from, uint32_t block, size_t at, size_t size,
                                        void *to, uint32_t n, const ag_cl_event *wait, ag_cl_event *event)
{
    (void)queue, (void)from, (void)block, (void)at, (void)n, (void)wait, (void)event;
    memset(to, 0, size);
    return outcome("clEnqueueReadBuffer");
}

static int32_t fake_clEnqueueFillBuffer(ag_cl_queue queue, ag_cl_mem to, const void *pattern, size_t size_pattern,
                                        size_t at, size_t size, uint32_t n, const ag_cl_event *wait, ag_cl_event *event)
{
    (void)queue, (void)to, (void)pattern, (void)at, (void)n, (void)wait, (void)event;
    assert_int_equal(size % size_pattern, 0);
    return outcome("clEnqueueFillBuffer");
}

static int32_t fake_clEnqueueNDRangeKernel(ag_cl_queue queue, ag_cl_kernel kernel, uint32_t n_dimensions,
                                           const size_t *offset, const size_t *items, const size_t *lanes, uint32_t n,
                                           const ag_cl_event *wait, ag_cl_event *event)
{
    (void)queue, (void)kernel, (void)offset, (void)n, (void)wait, (void)event;
    assert_int_equal(n_dimensions, 1);
    assert_int_equal(lanes[0], 32);
    assert_int_equal(items[0] % lanes[0], 0);
    return outcome("clEnqueueNDRangeKernel");
}

static int32_t fake_clFinish(ag_cl_queue queue)
{
    (void)queue;
    return outcome("clFinish");
}

static void *fake_dlopen(const char *name, int flags)
{
    (void)flags;
    assert_true(strncmp(name, "libOpenCL.so", 12) == 0);
    return fake.no_library ? NULL : &token;
}

static void *fake_dlsym(void *library, const char *name)
{
    void *symbol = NULL;
    assert_ptr_equal(library, &token);
    if (fake.no_function && strcmp(fake.no_function, name) == 0)
        return NULL;
#define X(result, function, arguments)                                                                                 \
    if (strcmp(name, #function) == 0) {                                                                                \
        result(*pointer) arguments = fake_##function;                                                                  \
        memcpy(&symbol, &pointer, sizeof symbol);                                                                      \
    }
    AG_CL_CALLS(X)
#undef X
    return symbol;
}

/* ------------------------------------------------------------------- the tests */

/* A driver that works, as if the process had not looked yet. */
static void reset(void)
{
    memset(&fake, 0, sizeof fake);
    memset(&cl, 0, sizeof cl);
    load_once = (pthread_once_t)PTHREAD_ONCE_INIT;
}

static char log_text[1024];

static void keep_errors(void *user, ag_log_level level, const char *category, const char *text)
{
    (void)user;
    if (level == AG_LOG_ERROR && strcmp(category, "build") == 0)
        snprintf(log_text, sizeof log_text, "%s", text);
}

/* Opens "opencl", which must fail so and leave nothing behind. */
static void expect_failure(ag_status status, const char *message)
{
    ag_ctx *ctx = NULL;
    assert_int_equal(ag_ctx_create(&ctx), AG_OK);
    const ag_status got = ag_ctx_use(ctx, "opencl", 0, 0);
    if (got != status || !strstr(ag_ctx_message(ctx), message))
        fail_msg("expected %s '%s', got %s '%s'", ag_status_name(status), message, ag_status_name(got),
                 ag_ctx_message(ctx));
    assert_int_equal(fake.n_objects, 0);
    ag_ctx_free(ctx);
}

static void absent_says_why(void **state)
{
    (void)state;
    reset();
    fake.no_library = 1;
    expect_failure(AG_E_NOTFOUND, "backend opencl is absent: no libOpenCL.so.1");
    reset();
    fake.no_function = "clEnqueueFillBuffer";
    expect_failure(AG_E_NOTFOUND, "libOpenCL has no clEnqueueFillBuffer");
    reset();
    fake.no_platforms = 1;
    expect_failure(AG_E_NOTFOUND, "no OpenCL platform");
    reset();
    fake.failing = "clGetPlatformIDs";
    fake.error = -1001;
    expect_failure(AG_E_NOTFOUND, "CL_PLATFORM_NOT_FOUND_KHR");
    reset();
    fake.failing = "clGetDeviceIDs";
    fake.error = -1;
    expect_failure(AG_E_NOTFOUND, "CL_DEVICE_NOT_FOUND");
}

static void unsuitable_is_refused(void **state)
{
    (void)state;
    reset();
    fake.no_doubles = 1;
    expect_failure(AG_E_NOTFOUND, "opencl device Fake GPU cannot be used: it has no doubles");
    reset();
    fake.c_version = "OpenCL C 1.1 old";
    expect_failure(AG_E_NOTFOUND, "it has 'OpenCL C 1.1 old', needs OpenCL C 1.2");
    reset();
    fake.c_version = "";
    expect_failure(AG_E_NOTFOUND, "it has '', needs OpenCL C 1.2");
}

static void every_call_is_checked(void **state)
{
    (void)state;
    static const struct {
        const char *call;
        int32_t error;
        ag_status status;
        const char *message;
    } cases[] = {
        {"clCreateContext", -2, AG_E_DEVICE, "opencl: clCreateContext: CL_DEVICE_NOT_AVAILABLE (-2)"},
        {"clCreateCommandQueue", -6, AG_E_MEMORY, "opencl: clCreateCommandQueue: CL_OUT_OF_HOST_MEMORY (-6)"},
        {"clCreateBuffer", -4, AG_E_MEMORY, "opencl: clCreateBuffer of 128 bytes: CL_MEM_OBJECT_ALLOCATION_FAILURE"},
        {"clCreateBuffer", -5, AG_E_MEMORY, "CL_OUT_OF_RESOURCES (-5)"},
        {"clEnqueueFillBuffer", -36, AG_E_DEVICE, "clEnqueueFillBuffer: CL_INVALID_COMMAND_QUEUE (-36)"},
        {"clCreateProgramWithSource", -30, AG_E_DEVICE, "clCreateProgramWithSource: CL_INVALID_VALUE (-30)"},
        {"clBuildProgram", -11, AG_E_DEVICE, "CL_BUILD_PROGRAM_FAILURE (-11): hog.cl:12: no such word"},
        {"clCreateKernel", -46, AG_E_DEVICE, "clCreateKernel of agk_selftest: CL_INVALID_KERNEL_NAME (-46)"},
        {"clGetKernelWorkGroupInfo", -48, AG_E_DEVICE, "clGetKernelWorkGroupInfo: CL_INVALID_KERNEL (-48)"},
        {"clEnqueueWriteBuffer", -5, AG_E_DEVICE, "clEnqueueWriteBuffer: CL_OUT_OF_RESOURCES (-5)"},
        {"clSetKernelArg", -51, AG_E_DEVICE, "clSetKernelArg: CL_INVALID_ARG_SIZE (-51)"},
        {"clEnqueueNDRangeKernel", -9999, AG_E_DEVICE,
         "clEnqueueNDRangeKernel of agk_selftest, 3 groups of 32: unknown error (-9999)"},
        {"clFlush", -36, AG_E_DEVICE, "clFlush: CL_INVALID_COMMAND_QUEUE (-36)"},
        {"clFinish", -5, AG_E_DEVICE, "clFinish: CL_OUT_OF_RESOURCES (-5)"},
        {"clEnqueueReadBuffer", -14, AG_E_DEVICE, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
    };
    ag_log_set(keep_errors, NULL);
    for (size_t i = 0; i < AG_COUNT(cases); i++) {
        reset();
        fake.failing = cases[i].call;
        fake.error = cases[i].error;
        log_text[0] = '\0';
        expect_failure(cases[i].status, cases[i].message);
        if (strcmp(cases[i].call, "clBuildProgram") == 0)
            assert_string_equal(log_text, "opencl: hog.cl:12: no such word\nhog.cl:13: nor this\n");
    }
    ag_log_set(NULL, NULL);
}

static void too_little_memory(void **state)
{
    (void)state;
    ag_ctx *ctx = NULL;
    void *self = NULL;
    ag_buf first = {0}, second = {0};
    reset();
    fake.max_alloc_bytes = 100;
    expect_failure(AG_E_MEMORY, "bytes, the device allows 100");

    /* Each buffer alone would fit. */
    reset();
    fake.max_alloc_bytes = 3u << 19;
    assert_int_equal(ag_ctx_create(&ctx), AG_OK);
    assert_int_equal(opencl_count(NULL, 0), 1);
    assert_int_equal(opencl_open(ctx, 0, 0, &self), AG_OK);
    assert_int_equal(opencl_alloc(ctx, self, 3u << 19, &first), AG_OK);
    assert_int_equal(opencl_alloc(ctx, self, 1u << 19, &second), AG_E_MEMORY);
    assert_string_equal(ag_ctx_message(ctx),
                        "opencl: a buffer of 524288 bytes beside 1572928 in use, the device has 2097152");
    opencl_release(self, &first);
    assert_int_equal(opencl_alloc(ctx, self, 1u << 19, &second), AG_OK);
    opencl_release(self, &second);
    opencl_release(self, &second); /* nothing there any more */
    opencl_close(self);
    opencl_close(NULL);
    assert_int_equal(fake.n_objects, 0);
    ag_ctx_free(ctx);
}

/* Opens and closes the device; what it did with programs. */
static void expect_programs(int n_compiled, int n_taken)
{
    ag_ctx *ctx = NULL;
    void *self = NULL;
    fake.n_compiled = fake.n_taken = 0;
    assert_int_equal(ag_ctx_create(&ctx), AG_OK);
    assert_int_equal(opencl_count(NULL, 0), 1);
    if (opencl_open(ctx, 0, 0, &self) != AG_OK)
        fail_msg("%s", ag_ctx_message(ctx));
    opencl_close(self);
    ag_ctx_free(ctx);
    assert_int_equal(fake.n_compiled, n_compiled);
    assert_int_equal(fake.n_taken, n_taken);
    assert_int_equal(fake.n_objects, 0);
}

/* Where the driver keeps no programs, the cache does; whatever it cannot do, the compiler does. */
static void compiled_programs_are_kept(void **state)
{
    static const char *const refusals[] = {"clCreateProgramWithBinary", "clBuildProgram of a binary",
                                           "clCreateKernel of a binary"};
    (void)state;
    setenv("AG_CACHE", in_scratch("cache"), 1);
    reset();
    fake.no_binary = 1;
    expect_programs(1, 0);
    fake.no_binary = 0;
    fake.failing = "clGetProgramInfo";
    fake.error = -44;
    expect_programs(1, 0);
    fake.failing = "clGetProgramInfo 2";
    expect_programs(1, 0);
    fake.failing = NULL;
    expect_programs(1, 0); /* nothing was there; now it is */
    expect_programs(0, 1);
    fake.binary_status = -42;
    expect_programs(1, 1); /* refused, made again */
    fake.failing = "clGetProgramInfo";
    expect_programs(1, 1);
    fake.binary_status = 0;
    expect_programs(1, 0); /* what was refused is forgotten */
    fake.failing = NULL;
    expect_programs(1, 0);
    expect_programs(0, 1);
    for (size_t i = 0; i < AG_COUNT(refusals); i++) {
        fake.failing = refusals[i];
        expect_programs(1, 1);
        fake.failing = NULL;
        expect_programs(0, 1);
    }
    fake.c_version = "OpenCL C 2.0 fake"; /* no part of the key */
    expect_programs(0, 1);

    static const char *const keeping[] = {"Portable Computing Language", "NVIDIA CUDA"}; /* their own */
    for (size_t i = 0; i < AG_COUNT(keeping); i++) {
        fake.platform = keeping[i];
        expect_programs(1, 0);
        expect_programs(1, 0);
    }
    fake.platform = "Another Platform";
    expect_programs(1, 0);
    expect_programs(0, 1);
    setenv("AG_CACHE", "off", 1);
    expect_programs(1, 0);
}

static void expect_resident(int is_cpu, uint32_t n_units, uint32_t expected)
{
    ag_ctx *ctx = NULL;
    void *self = NULL;
    reset();
    fake.is_cpu = is_cpu;
    fake.n_units = n_units;
    assert_int_equal(ag_ctx_create(&ctx), AG_OK);
    assert_int_equal(opencl_count(NULL, 0), 1);
    assert_int_equal(opencl_open(ctx, 0, 0, &self), AG_OK);
    for (ag_kernel k = 0; k < AG_N_KERNELS; k++)
        assert_int_equal(opencl_resident(self, k), expected);
    opencl_close(self);
    ag_ctx_free(ctx);
}

static void resident_groups_fill_the_units(void **state)
{
    (void)state;
    setenv("AG_OPENCL_LANES", "32", 1); /* so that a CPU gets the kernels of a GPU, as the driver here expects */
    expect_resident(0, 7, 28);
    expect_resident(0, 0, 4);
    expect_resident(1, 7, 7);
    expect_resident(1, 0, 1);
    unsetenv("AG_OPENCL_LANES");
}

/* "auto" passes over a GPU that cannot be used, and reports one that is broken. */
static void auto_and_bad_gpus(void **state)
{
    (void)state;
    ag_ctx *ctx = NULL;
    ag_device *dev = NULL;
    reset();
    fake.no_doubles = 1;
    assert_int_equal(ag_ctx_create(&ctx), AG_OK);
    assert_int_equal(ag_device_get(ctx, 1e6, &dev), AG_OK);
    assert_string_equal(ag_ctx_backend(ctx), "cpu");
    ag_ctx_free(ctx);

    reset(); /* computes nothing: the self-test is wrong */
    assert_int_equal(ag_ctx_create(&ctx), AG_OK);
    assert_int_equal(ag_device_get(ctx, 0.0, &dev), AG_OK);
    assert_int_equal(ag_device_get(ctx, 1e6, &dev), AG_E_DEVICE);
    assert_non_null(strstr(ag_ctx_message(ctx),
                           "device Fake GPU answers wrongly: self-test, sum, pair 0, group 0: got 0, expected 1"));
    assert_int_equal(fake.n_objects, 0);

    ag_device_row rows[4];
    size_t n = 0;
    assert_int_equal(ag_devices_list(ctx, 4, rows, &n), AG_OK);
    assert_int_equal(n, 4);
    assert_string_equal(rows[1].name, "Fake GPU");
    assert_string_equal(rows[1].driver, "Fake Platform 0.1");
    assert_true(rows[1].found && !rows[1].usable);
    assert_non_null(strstr(rows[1].note, "answers wrongly"));
    ag_ctx_free(ctx);
}

int main(void)
{
    setenv("AG_CACHE", "off", 1);
    setenv("AG_STANDIN_DEVICES", "0", 1); /* no GPU but the one played here */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(absent_says_why),
        cmocka_unit_test(unsuitable_is_refused),
        cmocka_unit_test(every_call_is_checked),
        cmocka_unit_test(too_little_memory),
        cmocka_unit_test(auto_and_bad_gpus),
        cmocka_unit_test(resident_groups_fill_the_units),
        cmocka_unit_test_setup_teardown(compiled_programs_are_kept, scratch_setup, scratch_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
