/*
 * test_standin_failures.c -- the stand-in CUDA driver fails as it is told to, and no process that misused it, or left
 * something behind, ends well.
 */
#include "standin_test.h"

#include "ag_kl.h"
#include "dice_params.h"

/* ------------------------------------------------------------- planned failures */

static void a_planned_call_fails_and_does_nothing(void **state)
{
    (void)state;
    session s = open_session(0);
    ag_cu_ptr a = 0, b = 0, c = 0;
    driver_.standin_fail("cuMemAlloc_v2:2=2,cuMemcpyHtoDAsync_v2:1=77");
    assert_code(0, cu.cuMemAlloc_v2(&a, 4));
    assert_code(2, cu.cuMemAlloc_v2(&b, 4));
    assert_int_equal(b, 0);
    assert_code(0, cu.cuMemAlloc_v2(&c, 4));
    uint32_t from = 5, to = 0;
    assert_code(77, cu.cuMemcpyHtoDAsync_v2(a, &from, 4, s.stream));
    assert_code(0, cu.cuMemcpyDtoHAsync_v2(&to, a, 4, s.stream));
    assert_code(0, cu.cuStreamSynchronize(s.stream));
    assert_int_equal(to, 0xA5A5A5A5);
    assert_code(0, cu.cuMemFree_v2(a));
    assert_code(0, cu.cuMemFree_v2(c));
    close_session(&s);
}

static void the_kth_call_of_all_fails(void **state)
{
    (void)state;
    int n = 0;
    driver_.standin_fail("*:3=803");
    const unsigned long long before = driver_.standin_calls();
    assert_code(0, cu.cuDeviceGetCount(&n));
    assert_code(0, cu.cuDriverGetVersion(&n));
    n = -1;
    assert_code(803, cu.cuDeviceGetCount(&n));
    assert_int_equal(n, -1);
    assert_code(0, cu.cuDeviceGetCount(&n));
    assert_int_equal(driver_.standin_calls(), before + 4);
    driver_.standin_fail(NULL);
    driver_.standin_fail("nvrtc*:1=5,nvrtcVersion:1=6"); /* those are NVRTC's affair */
    assert_code(0, cu.cuDeviceGetCount(&n));
}

/* All that a device lost says, and what still works. */
static void fatal_errors_stay(void **state)
{
    (void)state;
    static const unsigned fatal[] = {46, 700, 702, 719, 999};
    for (size_t i = 0; i < COUNT(fatal); i++) {
        char plan[64];
        size_t free_bytes, total_bytes;
        ag_cu_context context;
        ag_cu_module module;
        ag_cu_event event;
        uint32_t to = 0;
        play("AG_STANDIN_DEVICES", "2");
        session s = open_session(0);
        (void)load_kernel(IMAGE_90, "agk_dice_roll", &module);
        const ag_cu_ptr buffer = new_buffer(4);
        assert_code(0, cu.cuEventCreate(&event, 0));
        assert_code(0, cu.cuMemcpyDtoHAsync_v2(&to, buffer, 4, s.stream));
        snprintf(plan, sizeof plan, "cuMemGetInfo_v2:1=%u", fatal[i]);
        driver_.standin_fail(plan);
        assert_code(fatal[i], cu.cuMemGetInfo_v2(&free_bytes, &total_bytes));
        driver_.standin_fail(NULL);
        assert_code(fatal[i], cu.cuMemGetInfo_v2(&free_bytes, &total_bytes));
        assert_code(fatal[i], cu.cuEventRecord(event, s.stream));
        assert_code(fatal[i], cu.cuStreamSynchronize(s.stream));
        assert_int_equal(to, 0); /* work that waited is gone */
        assert_code(fatal[i], cu.cuDevicePrimaryCtxRetain(&context, 0));

        session other = open_session(1); /* not lost */
        close_session(&other);

        /* Release calls say the same, and release. */
        assert_code(fatal[i], cu.cuMemFree_v2(buffer));
        assert_code(fatal[i], cu.cuEventDestroy_v2(event));
        assert_code(fatal[i], cu.cuModuleUnload(module));
        assert_code(fatal[i], cu.cuStreamDestroy_v2(s.stream));
        assert_code(0, cu.cuCtxPopCurrent_v2(NULL));
        assert_code(0, cu.cuCtxPushCurrent_v2(s.context));
        assert_code(0, cu.cuCtxPopCurrent_v2(NULL));
        assert_code(fatal[i], cu.cuDevicePrimaryCtxRelease_v2(0));
        assert_int_equal(driver_.standin_live(), 0);
    }
    driver_.standin_forget();
    session s = open_session(0); /* found again */
    close_session(&s);
}

static void a_kernel_fails_when_it_is_waited_for(void **state)
{
    (void)state;
    static const struct {
        unsigned code;
        bool stays;
    } codes[] = {{700, true}, {719, true}, {77, false}};
    for (size_t i = 0; i < COUNT(codes); i++) {
        char plan[64];
        uint32_t to = 0;
        agk_dice_params params = {.n_blocks = 4, .n_words = 13, .faces = 6, .per_word = 10, .reject = 1868800};
        play(NULL, NULL);
        session s = open_session(0);
        ag_cu_module module;
        const ag_cu_function function = load_kernel(IMAGE_90, "agk_dice_roll", &module);
        const ag_cu_ptr buffer = new_buffer(13 * 10 * 4);
        struct {
            agk_dice_params params;
            ag_cu_ptr bufs[AG_N_BUFS];
        } packed = {params, {buffer}};
        size_t size = sizeof packed;
        void *extra[] = {AG_CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, AG_CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                         AG_CU_LAUNCH_PARAM_END};
        snprintf(plan, sizeof plan, "kernel:2=%u", codes[i].code);
        driver_.standin_fail(plan);
        for (int j = 0; j < 3; j++) {
            assert_code(0, cu.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, s.stream, NULL, extra));
            if (j == 0)
                assert_code(0, cu.cuStreamSynchronize(s.stream));
        }
        assert_code(0, cu.cuMemcpyDtoHAsync_v2(&to, buffer, 4, s.stream));
        assert_code(codes[i].code, cu.cuStreamSynchronize(s.stream));
        assert_int_equal(to, 0);
        assert_code(codes[i].stays ? codes[i].code : 0, cu.cuStreamSynchronize(s.stream));
        if (codes[i].stays)
            continue;

        /* A stream that is full starts by itself; whoever waits next is told what became of it. */
        driver_.standin_fail("kernel:1=77");
        assert_code(0, cu.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, s.stream, NULL, extra));
        for (int j = 0; j < 5000; j++)
            assert_code(0, cu.cuMemsetD8Async(buffer, 0, 4, s.stream));
        assert_code(77, cu.cuStreamSynchronize(s.stream));
    }
}

/* One more release that is made to fail: it is still there, can be used, and is no leak. */
static void a_failed_release_is_no_leak(void **state)
{
    (void)state;
    session s = open_session(0);
    ag_cu_event event;
    ag_cu_module module;
    (void)load_kernel(IMAGE_90, "agk_dice_roll", &module);
    const ag_cu_ptr buffer = new_buffer(4);
    uint32_t to = 0;
    assert_code(0, cu.cuEventCreate(&event, 0));
    assert_int_equal(driver_.standin_live(), 6); /* context retained and pushed, stream, event, module, buffer */
    driver_.standin_fail("cuMemFree_v2:1=1,cuEventDestroy_v2:1=1,cuModuleUnload:1=1,cuStreamDestroy_v2:1=1,"
                         "cuCtxPopCurrent_v2:1=1,cuDevicePrimaryCtxRelease_v2:1=1");
    assert_code(1, cu.cuMemFree_v2(buffer));
    assert_code(0, cu.cuMemcpyDtoHAsync_v2(&to, buffer, 4, s.stream));
    assert_code(1, cu.cuEventDestroy_v2(event));
    assert_code(0, cu.cuEventRecord(event, s.stream));
    assert_code(1, cu.cuModuleUnload(module));
    assert_code(1, cu.cuStreamDestroy_v2(s.stream));
    assert_int_equal(to, 0);
    assert_code(0, cu.cuStreamSynchronize(s.stream));
    assert_int_equal(to, 0xA5A5A5A5);
    assert_code(1, cu.cuCtxPopCurrent_v2(NULL));
    assert_code(1, cu.cuDevicePrimaryCtxRelease_v2(0));
    assert_int_equal(driver_.standin_live(), 0);
}

static void plan_in_environment(void *plan)
{
    setenv("AG_STANDIN_FAIL", plan, 1);
    driver_.standin_forget();
    nvrtc_.standin_forget();
}

static void plans_and_settings_are_read_strictly(void **state)
{
    (void)state;
    static const char *const wrong[] = {"x",
                                        "cuInit",
                                        "cuInit:1",
                                        "cuInit:1=",
                                        "cuInit:0=1",
                                        "cuInit:1=0",
                                        "cuInit:-1=2",
                                        "cuInit:1=2,",
                                        "cuInit:1=2;",
                                        "cuInit:1=2 ",
                                        "cuinit:1=2",
                                        "cuMemAlloc:1=2",
                                        "cuGetErrorName:1=2",
                                        "cu*:1=2",
                                        ":1=2",
                                        "*:18446744073709551616=2",
                                        "*:1=100000"};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        char plan[64], said[160];
        snprintf(plan, sizeof plan, "%s", wrong[i]);
        snprintf(said, sizeof said, "stand-in: AG_STANDIN_FAIL is '%s', must be ", wrong[i]);
        assert_killed(SIGABRT, said, plan_in_environment, plan);
    }
    char good[] = "cuInit:1=2,*:9=3,nvrtc*:1=1,nvrtcVersion:3=4,kernel:2=700,cuLaunchKernel:1=1";
    assert_exit(0, "", plan_in_environment, good);
}

static void set_and_forget(void *setting)
{
    char *const *pair = setting;
    setenv(pair[0], pair[1], 1);
    driver_.standin_forget();
    nvrtc_.standin_forget();
}

static void wrong_settings_abort(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"AG_STANDIN_DEVICES", "5"},   {"AG_STANDIN_DEVICES", "1x"},  {"AG_STANDIN_ARCH", "sm_90"},
        {"AG_STANDIN_MEMORY", "8GiB"}, {"AG_STANDIN_DRIVER", "13"},   {"AG_STANDIN_UNITS", "0"},
        {"AG_STANDIN_NVRTC", "13"},    {"AG_STANDIN_NVRTC", "13.0a"}, {"AG_STANDIN_ARCHS", "80,,90"},
        {"AG_STANDIN_ARCHS", "80,"},
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        char said[160];
        snprintf(said, sizeof said, "stand-in: %s is '%s', must be ", wrong[i][0], wrong[i][1]);
        assert_killed(SIGABRT, said, set_and_forget, (void *)(uintptr_t)wrong[i]);
    }
}

/* ------------------------------------------------------------------- the old names */

static void entries_of_older_interfaces_are_traps(void **state)
{
    (void)state;
    static const char *const names[] = {"cuDeviceTotalMem",  "cuDevicePrimaryCtxRelease",
                                        "cuCtxCreate",       "cuCtxDestroy",
                                        "cuCtxPushCurrent",  "cuCtxPopCurrent",
                                        "cuMemGetInfo",      "cuMemAlloc",
                                        "cuMemFree",         "cuMemcpyHtoD",
                                        "cuMemcpyDtoH",      "cuMemcpyHtoDAsync",
                                        "cuMemcpyDtoHAsync", "cuMemsetD8",
                                        "cuStreamDestroy",   "cuEventDestroy",
                                        "cuLaunch",          "cuLaunchGrid",
                                        "cuModuleGetGlobal"};
    for (size_t i = 0; i < COUNT(names); i++) {
        ag_cu_result (*entry)(void);
        char said[160];
        find_symbol(driver_library, names[i], &entry);
        snprintf(said, sizeof said, "%s: an entry of an older interface", names[i]);
        assert_fault(STANDIN_ERROR_NOT_SUPPORTED, said, entry());
    }
}

static void look_into_the_broken_driver(void *argument)
{
    static const char *const names[] = {
#define X(name, arguments) #name,
        AG_CU_CALLS(X)
#undef X
    };
    (void)argument;
    void *library = open_library("broken/libcuda.so.1");
    for (size_t i = 0; i < COUNT(names); i++)
        if (!dlsym(library, names[i]))
            printf("lacks %s;", names[i]);
    printf("looked for all");
}

/* In a child: a second driver would write its own list of calls at the exit of this program. */
static void a_broken_driver_lacks_one_function(void **state)
{
    (void)state;
    assert_exit(0, "lacks cuEventRecord;looked for all", look_into_the_broken_driver, NULL);
}

/* -------------------------------------------------------------------------- at exit */

static void clean_use(void *argument)
{
    (void)argument;
    session s = open_session(0);
    assert_code(0, cu.cuMemFree_v2(new_buffer(4)));
    close_session(&s);
    printf("words that are not flushed yet");
}

static void leave_buffer(void *argument)
{
    (void)argument;
    (void)open_session(0);
    (void)new_buffer(4);
    printf("words that are not flushed yet");
}

static void leave_module_and_event(void *argument)
{
    ag_cu_module module;
    ag_cu_event event;
    (void)argument;
    (void)open_session(0);
    (void)load_kernel(IMAGE_90, "agk_dice_roll", &module);
    assert_code(0, cu.cuEventCreate(&event, 0));
}

static void release_context_with_buffer(void *argument)
{
    (void)argument;
    session s = open_session(0);
    (void)new_buffer(4);
    assert_code(0, cu.cuCtxPopCurrent_v2(NULL));
    cu.cuDevicePrimaryCtxRelease_v2(0);
    (void)s;
}

static void retain_twice(void *argument)
{
    ag_cu_context context;
    (void)argument;
    assert_code(0, cu.cuDevicePrimaryCtxRetain(&context, 0));
    assert_code(0, cu.cuDevicePrimaryCtxRetain(&context, 0));
}

static void make_a_mistake(void *argument)
{
    (void)argument;
    cu.cuInit(4);
}

static void leave_program(void *argument)
{
    ag_nvrtc_program program;
    (void)argument;
    assert_code(0, nvrtc.nvrtcCreateProgram(&program, "", "kernels", 0, NULL, NULL));
}

/* Fails to free a buffer, an event and a program, because it is made to. */
static void fail_to_release(void *argument)
{
    ag_cu_event event;
    ag_nvrtc_program program;
    (void)argument;
    session s = open_session(0);
    const ag_cu_ptr buffer = new_buffer(4);
    assert_code(0, cu.cuEventCreate(&event, 0));
    assert_code(0, nvrtc.nvrtcCreateProgram(&program, "", "kernels", 0, NULL, NULL));
    driver_.standin_fail("cuMemFree_v2:1=1,cuEventDestroy_v2:1=1");
    nvrtc_.standin_fail("nvrtcDestroyProgram:1=11");
    assert_code(1, cu.cuMemFree_v2(buffer));
    assert_code(1, cu.cuEventDestroy_v2(event));
    assert_code(11, nvrtc.nvrtcDestroyProgram(&program));
    close_session(&s);
}

static void the_exit_status_tells(void **state)
{
    (void)state;
    assert_exit(0, "words that are not flushed yet", clean_use, NULL);
    assert_exit(0, "", fail_to_release, NULL);
    assert_exit(86, "words that are not flushed yet", leave_buffer, NULL);
    assert_exit(86, "stand-in: fault: at exit: a buffer of 4 bytes on device 0 was not freed", leave_buffer, NULL);
    assert_exit(86, "at exit: a stream of device 0 was not destroyed", leave_buffer, NULL);
    assert_exit(86, "at exit: a thread has pushed 1 contexts that were not popped", leave_buffer, NULL);
    assert_exit(86, "at exit: a module of device 0 was not destroyed", leave_module_and_event, NULL);
    assert_exit(86, "at exit: an event of device 0 was not destroyed", leave_module_and_event, NULL);
    assert_exit(86, "1 buffers and 1 modules, streams, events of device 0 were not released before",
                release_context_with_buffer, NULL);
    assert_exit(86, "at exit: the context of device 0 is retained 2 times", retain_twice, NULL);
    assert_exit(86, "stand-in: fault: cuInit: flags are 4, must be 0", make_a_mistake, NULL);
    assert_exit(86, "at exit: program kernels was not destroyed", leave_program, NULL);
}

/* ---------------------------------------------------------------- the list of calls */

static void call_each_once(void *path)
{
    int n;
    const char *name;
    ag_nvrtc_program program;
    setenv("AG_STANDIN_CALLS", path, 1);
    driver_.standin_forget();
    nvrtc_.standin_forget();
    clean_use(NULL);
    assert_code(0, cu.cuGetErrorName(1, &name));
    assert_code(0, nvrtc.nvrtcVersion(&n, &n));
    assert_code(0, nvrtc.nvrtcCreateProgram(&program, "", "kernels", 0, NULL, NULL));
    assert_code(0, nvrtc.nvrtcDestroyProgram(&program));
}

static void assert_file(const char *path, const char *want)
{
    char text[1024];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, want);
    remove(path);
}

static void calls_are_listed_in_order(void **state)
{
    (void)state;
    char path[] = "/tmp/standin-calls-XXXXXX", nvrtc_path[sizeof path + 8];
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    snprintf(nvrtc_path, sizeof nvrtc_path, "%s.nvrtc", path);
    assert_exit(0, "", call_each_once, path);
    assert_file(path, "cuDevicePrimaryCtxRetain\ncuCtxPushCurrent_v2\ncuStreamCreate\ncuMemAlloc_v2\ncuMemFree_v2\n"
                      "cuStreamDestroy_v2\ncuCtxPopCurrent_v2\ncuDevicePrimaryCtxRelease_v2\n");
    assert_file(nvrtc_path, "nvrtcVersion\nnvrtcCreateProgram\nnvrtcDestroyProgram\n");
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, begin_test, end_test)
    const struct CMUnitTest tests[] = {
        TEST(a_planned_call_fails_and_does_nothing),
        TEST(the_kth_call_of_all_fails),
        TEST(fatal_errors_stay),
        TEST(a_kernel_fails_when_it_is_waited_for),
        TEST(a_failed_release_is_no_leak),
        TEST(plans_and_settings_are_read_strictly),
        TEST(wrong_settings_abort),
        TEST(entries_of_older_interfaces_are_traps),
        TEST(a_broken_driver_lacks_one_function),
        TEST(the_exit_status_tells),
        TEST(calls_are_listed_in_order),
    };
    return cmocka_run_group_tests(tests, load_libraries, NULL);
}
