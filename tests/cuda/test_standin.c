/*
 * test_standin.c -- the stand-in CUDA driver does what CUDA does, and finds each kind of mistake that is planted:
 * what it let pass, no test of the backend could find.
 */
#include "standin_test.h"

#include "device/cpu_kernels.h"

#include "ag_kl.h"
#include "dice_params.h"
#include "hog_params.h"
#include "selftest_params.h"

#include <pthread.h>

#define POISON 0xA5 /* what fresh memory on a device holds */

/* ------------------------------------------------------------------- the machine */

static void driver_plays_the_machine_of_the_environment(void **state)
{
    (void)state;
    int number = -1;
    size_t bytes = 0;
    char name[8];
    setenv("AG_STANDIN_ARCH", "86", 1);
    setenv("AG_STANDIN_UNITS", "17", 1);
    setenv("AG_STANDIN_MEMORY", "123456789", 1);
    setenv("AG_STANDIN_DRIVER", "12040", 1);
    play("AG_STANDIN_DEVICES", "3");
    assert_code(0, cu.cuDriverGetVersion(&number));
    assert_int_equal(number, 12040);
    assert_code(0, cu.cuDeviceGetCount(&number));
    assert_int_equal(number, 3);
    assert_code(0, cu.cuDeviceGet(&number, 2));
    assert_int_equal(number, 2);
    assert_code(0, cu.cuDeviceTotalMem_v2(&bytes, 2));
    assert_int_equal(bytes, 123456789);
    assert_code(0, cu.cuDeviceGetName(name, sizeof name, 2));
    assert_string_equal(name, "Stand-i");
    static const unsigned attributes[][2] = {{1, 1024}, {16, 17}, {75, 8}, {76, 6}};
    for (size_t i = 0; i < COUNT(attributes); i++) {
        assert_code(0, cu.cuDeviceGetAttribute(&number, attributes[i][0], 0));
        assert_int_equal(number, attributes[i][1]);
    }
    play("AG_STANDIN_DEVICES", "0");
    assert_code(STANDIN_ERROR_NO_DEVICE, cu.cuInit(0));
}

static void wrong_questions_about_devices_are_faults(void **state)
{
    (void)state;
    int number;
    char name[16];
    assert_fault(STANDIN_ERROR_INVALID_VALUE, "cuInit: flags are 1, must be 0", cu.cuInit(1));
    assert_fault(STANDIN_ERROR_INVALID_DEVICE, "device 1 of 1", cu.cuDeviceGet(&number, 1));
    assert_fault(STANDIN_ERROR_INVALID_DEVICE, "device -1 of 1", cu.cuDeviceGetName(name, sizeof name, -1));
    assert_fault(STANDIN_ERROR_INVALID_VALUE, "0 bytes at", cu.cuDeviceGetName(name, 0, 0));
    assert_fault(STANDIN_ERROR_INVALID_VALUE, "is null", cu.cuDeviceGetCount(NULL));
    assert_fault(STANDIN_ERROR_INVALID_VALUE, "attribute 2 is not played", cu.cuDeviceGetAttribute(&number, 2, 0));
    driver_.standin_reset();
    assert_code(0, cu.cuDriverGetVersion(&number));
    assert_fault(STANDIN_ERROR_NOT_INITIALIZED, "cuDeviceGetCount: before cuInit", cu.cuDeviceGetCount(&number));
}

static void errors_have_names(void **state)
{
    (void)state;
    static const struct {
        unsigned code;
        const char *name;
    } known[] = {{0, "CUDA_SUCCESS"},
                 {2, "CUDA_ERROR_OUT_OF_MEMORY"},
                 {34, "CUDA_ERROR_STUB_LIBRARY"},
                 {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
                 {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
                 {719, "CUDA_ERROR_LAUNCH_FAILED"}};
    const unsigned long long n_calls = driver_.standin_calls();
    for (size_t i = 0; i < COUNT(known); i++) {
        const char *name = NULL;
        assert_code(0, cu.cuGetErrorName(known[i].code, &name));
        assert_string_equal(name, known[i].name);
    }
    const char *name = "untouched";
    assert_code(STANDIN_ERROR_INVALID_VALUE, cu.cuGetErrorName(7777, &name));
    assert_null(name);
    assert_fault(STANDIN_ERROR_INVALID_VALUE, "is null", cu.cuGetErrorName(1, NULL));
    assert_int_equal(driver_.standin_calls(), n_calls);
}

/* ---------------------------------------------------------------------- contexts */

static void contexts_are_a_stack_of_the_thread(void **state)
{
    (void)state;
    ag_cu_context contexts[2], popped = NULL, again = NULL;
    play("AG_STANDIN_DEVICES", "2");
    assert_fault(STANDIN_ERROR_INVALID_CONTEXT, "nothing was pushed", cu.cuCtxPopCurrent_v2(&popped));
    for (int i = 0; i < 2; i++) {
        assert_code(0, cu.cuDevicePrimaryCtxRetain(&contexts[i], i));
        assert_code(0, cu.cuCtxPushCurrent_v2(contexts[i]));
    }
    assert_true(contexts[0] != contexts[1]);
    for (int i = 1; i >= 0; i--) {
        assert_code(0, cu.cuCtxPopCurrent_v2(&popped));
        assert_ptr_equal(popped, contexts[i]);
    }
    assert_fault(STANDIN_ERROR_INVALID_CONTEXT, "a null handle, must be that of a context",
                 cu.cuCtxPushCurrent_v2(NULL));

    /* The primary context is one, however often it is retained, and dies with the last release. */
    assert_code(0, cu.cuDevicePrimaryCtxRetain(&again, 0));
    assert_ptr_equal(again, contexts[0]);
    assert_code(0, cu.cuDevicePrimaryCtxRelease_v2(0));
    assert_code(0, cu.cuCtxPushCurrent_v2(contexts[0]));
    assert_fault(0, "of device 0 is still current", cu.cuDevicePrimaryCtxRelease_v2(0));
    assert_code(0, cu.cuCtxPopCurrent_v2(NULL));
    assert_fault(STANDIN_ERROR_INVALID_CONTEXT, "a context that was destroyed", cu.cuCtxPushCurrent_v2(contexts[0]));
    assert_fault(STANDIN_ERROR_INVALID_CONTEXT, "is not retained", cu.cuDevicePrimaryCtxRelease_v2(0));
    assert_code(0, cu.cuDevicePrimaryCtxRelease_v2(1));
    assert_int_equal(driver_.standin_live(), 0);
}

static void without_a_current_context_nothing_goes(void **state)
{
    (void)state;
    static const char words[] = "no context is current on this thread";
    session s = open_session(0);
    ag_cu_module module;
    ag_cu_function function = load_kernel(IMAGE_90, "agk_dice_roll", &module);
    ag_cu_ptr address = new_buffer(64);
    ag_cu_event event;
    size_t free_bytes, total_bytes;
    int number;
    float ms;
    char host[64];
    assert_code(0, cu.cuEventCreate(&event, 0));
    assert_code(0, cu.cuCtxPopCurrent_v2(NULL));
    const unsigned invalid = STANDIN_ERROR_INVALID_CONTEXT;
    assert_fault(invalid, words, cu.cuModuleLoadDataEx(&module, IMAGE_90, 0, NULL, NULL));
    assert_fault(invalid, words, cu.cuModuleGetFunction(&function, module, "agk_dice_roll"));
    assert_fault(invalid, words, cu.cuFuncGetAttribute(&number, 4, function));
    assert_fault(invalid, words, cu.cuOccupancyMaxActiveBlocksPerMultiprocessor(&number, function, 32, 0));
    assert_fault(invalid, words, cu.cuMemGetInfo_v2(&free_bytes, &total_bytes));
    assert_fault(invalid, words, cu.cuMemAlloc_v2(&address, 64));
    assert_fault(invalid, words, cu.cuMemsetD8Async(address, 0, 64, s.stream));
    assert_fault(invalid, words, cu.cuMemcpyHtoDAsync_v2(address, host, 64, s.stream));
    assert_fault(invalid, words, cu.cuMemcpyDtoHAsync_v2(host, address, 64, s.stream));
    assert_fault(invalid, words, cu.cuStreamSynchronize(s.stream));
    assert_fault(invalid, words, cu.cuEventRecord(event, s.stream));
    assert_fault(invalid, words, cu.cuEventElapsedTime(&ms, event, event));
    assert_fault(invalid, words, cu.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, s.stream, NULL, NULL));
    assert_fault(invalid, words, cu.cuMemFree_v2(address));
    assert_fault(invalid, words, cu.cuEventDestroy_v2(event));
    assert_fault(invalid, words, cu.cuModuleUnload(module));
    assert_fault(invalid, words, cu.cuStreamDestroy_v2(s.stream));
    /* context, module, buffer, event, stream: none of the calls did anything */
    assert_int_equal(driver_.standin_live(), 5);
}

/* Each thread makes its own context current; buffers of all are in one memory. */
static void *work_of_a_thread(void *argument)
{
    const session *s = argument;
    uint32_t out[64], in[64];
    ag_cu_ptr address = 0;
    ag_cu_stream stream = NULL;
    bool good = cu.cuCtxPushCurrent_v2(s->context) == 0 && cu.cuStreamCreate(&stream, AG_CU_STREAM_NON_BLOCKING) == 0;
    for (uint32_t i = 0; i < 50 && good; i++) {
        for (size_t j = 0; j < COUNT(out); j++)
            out[j] = i + (uint32_t)j;
        good = cu.cuMemAlloc_v2(&address, sizeof out) == 0 &&
               cu.cuMemcpyHtoDAsync_v2(address, out, sizeof out, stream) == 0 &&
               cu.cuMemcpyDtoHAsync_v2(in, address, sizeof in, stream) == 0 && cu.cuStreamSynchronize(stream) == 0 &&
               memcmp(out, in, sizeof in) == 0 && cu.cuMemFree_v2(address) == 0;
    }
    good = good && cu.cuStreamDestroy_v2(stream) == 0 && cu.cuCtxPopCurrent_v2(NULL) == 0;
    return good ? argument : NULL;
}

static void threads_do_not_disturb_each_other(void **state)
{
    (void)state;
    session s = open_session(0);
    pthread_t threads[4];
    for (size_t i = 0; i < COUNT(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work_of_a_thread, &s), 0);
    for (size_t i = 0; i < COUNT(threads); i++) {
        void *result = NULL;
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_ptr_equal(result, &s);
    }
    assert_int_equal(driver_.standin_faults(), 0);
    close_session(&s);
}

/* ------------------------------------------------------------------------ memory */

static void memory_is_poisoned_counted_and_limited(void **state)
{
    (void)state;
    unsigned char host[300];
    size_t free_bytes = 0, total_bytes = 0;
    play("AG_STANDIN_MEMORY", "10000");
    session s = open_session(0);
    assert_code(0, cu.cuMemGetInfo_v2(&free_bytes, &total_bytes));
    assert_int_equal(free_bytes, 10000);
    assert_int_equal(total_bytes, 10000);
    ag_cu_ptr first = new_buffer(300), second = 0;
    assert_int_equal(first % 256, 0);
    assert_code(0, cu.cuMemGetInfo_v2(&free_bytes, &total_bytes));
    assert_int_equal(free_bytes, 10000 - 512);
    assert_code(STANDIN_ERROR_OUT_OF_MEMORY, cu.cuMemAlloc_v2(&second, 9489));
    assert_code(STANDIN_ERROR_OUT_OF_MEMORY, cu.cuMemAlloc_v2(&second, SIZE_MAX));
    assert_int_equal(second, 0);
    memset(host, 0, sizeof host);
    assert_code(0, cu.cuMemcpyDtoHAsync_v2(host, first, sizeof host, s.stream));
    assert_code(0, cu.cuStreamSynchronize(s.stream));
    for (size_t i = 0; i < sizeof host; i++)
        assert_int_equal(host[i], POISON);
    assert_code(0, cu.cuMemFree_v2(first));
    assert_code(0, cu.cuMemGetInfo_v2(&free_bytes, &total_bytes));
    assert_int_equal(free_bytes, 10000);
    second = new_buffer(9472);   /* 37 * 256 */
    assert_true(second > first); /* an address is never given twice */
    assert_code(0, cu.cuMemFree_v2(second));
    close_session(&s);
}

static void copies_and_fills_do_what_they_say(void **state)
{
    (void)state;
    unsigned char out[64], in[64];
    session s = open_session(0);
    ag_cu_ptr address = new_buffer(64);
    for (size_t i = 0; i < sizeof out; i++)
        out[i] = (unsigned char)i;
    assert_code(0, cu.cuMemcpyHtoDAsync_v2(address, out, 64, s.stream));
    assert_code(0, cu.cuMemsetD8Async(address + 10, 0x77, 20, s.stream));
    assert_code(0, cu.cuMemcpyHtoDAsync_v2(address + 60, out, 4, s.stream));
    assert_code(0, cu.cuMemcpyDtoHAsync_v2(in, address, 64, s.stream));
    assert_code(0, cu.cuMemcpyDtoHAsync_v2(in, address, 0, s.stream));
    assert_code(0, cu.cuStreamSynchronize(s.stream));
    for (size_t i = 0; i < sizeof in; i++)
        assert_int_equal(in[i], i >= 10 && i < 30 ? 0x77 : i >= 60 ? i - 60 : i);
    assert_code(0, cu.cuMemFree_v2(address));
    close_session(&s);
}

static void misused_memory_is_a_fault(void **state)
{
    (void)state;
    char host[256] = "";
    const unsigned invalid = STANDIN_ERROR_INVALID_VALUE;
    play("AG_STANDIN_DEVICES", "2");
    session other = open_session(1);
    ag_cu_ptr far = new_buffer(64);
    session s = open_session(0);
    ag_cu_ptr address = new_buffer(64), freed = new_buffer(32);
    assert_code(0, cu.cuMemFree_v2(freed));
    const ag_cu_ptr on_host = (ag_cu_ptr)(uintptr_t)host;
    void *on_device = (void *)(uintptr_t)address;

    assert_fault(invalid, "cuMemcpyHtoDAsync_v2: 100 bytes at offset 30 of a buffer of 64",
                 cu.cuMemcpyHtoDAsync_v2(address + 30, host, 100, s.stream));
    assert_fault(invalid, "1 bytes at offset 64 of a buffer of 64",
                 cu.cuMemcpyDtoHAsync_v2(host, address + 64, 1, s.stream));
    assert_fault(invalid, "18446744073709551615 bytes at offset 2",
                 cu.cuMemsetD8Async(address + 2, 0, SIZE_MAX, s.stream));
    assert_fault(invalid, "10 bytes before a buffer of 64", cu.cuMemsetD8Async(address - 10, 0, 12, s.stream));
    assert_fault(invalid, "is in no buffer", cu.cuMemsetD8Async(address + 65, 0, 1, s.stream));
    assert_fault(invalid, "is in no buffer", cu.cuMemsetD8Async(address + 0x10000000, 0, 12, s.stream));
    assert_fault(invalid, "a freed buffer of 32 bytes", cu.cuMemcpyHtoDAsync_v2(freed, host, 8, s.stream));
    assert_fault(invalid, "a freed buffer of 32 bytes", cu.cuMemcpyDtoHAsync_v2(host, freed + 31, 1, s.stream));
    assert_fault(invalid, "a buffer of device 1, the current context is of device 0",
                 cu.cuMemcpyDtoHAsync_v2(host, far, 8, s.stream));
    assert_fault(invalid, "is no address on a device", cu.cuMemcpyHtoDAsync_v2(on_host, host, 8, s.stream));
    assert_fault(invalid, "is no address on a device", cu.cuMemsetD8Async(0, 0, 8, s.stream));
    assert_fault(invalid, "is an address on a device, not on the host",
                 cu.cuMemcpyHtoDAsync_v2(address, on_device, 8, s.stream));
    assert_fault(invalid, "is an address on a device, not on the host",
                 cu.cuMemcpyDtoHAsync_v2(on_device, address, 8, s.stream));
    assert_fault(invalid, "a null pointer to host memory", cu.cuMemcpyDtoHAsync_v2(NULL, address, 8, s.stream));

    assert_fault(invalid, "cuMemFree_v2: a freed buffer", cu.cuMemFree_v2(freed));
    assert_fault(invalid, "offset 8 of a buffer of 64, must be its start", cu.cuMemFree_v2(address + 8));
    assert_fault(invalid, "is no address on a device", cu.cuMemFree_v2(0));
    assert_fault(invalid, "a buffer of device 1", cu.cuMemFree_v2(far));
    assert_fault(invalid, "0 bytes, the address goes to", cu.cuMemAlloc_v2(&freed, 0));
    assert_fault(invalid, "64 bytes, the address goes to", cu.cuMemAlloc_v2(NULL, 64));

    assert_code(0, cu.cuMemFree_v2(address));
    close_session(&s);
    assert_code(0, cu.cuMemFree_v2(far));
    close_session(&other);
}

static void touch(void *address)
{
    *(volatile char *)address = 1;
}

static void look(void *address)
{
    printf("%d", *(volatile char *)address);
}

static void the_host_cannot_touch_memory_of_a_device(void **state)
{
    (void)state;
    session s = open_session(0);
    const ag_cu_ptr address = new_buffer(64);
    assert_killed(SIGSEGV, "", touch, (void *)(uintptr_t)address);
    assert_killed(SIGSEGV, "", look, (void *)(uintptr_t)address);
    assert_killed(SIGSEGV, "", touch, (void *)s.stream); /* nor what handles hide */
    assert_code(0, cu.cuMemFree_v2(address));
    close_session(&s);
}

/* ----------------------------------------------------------------- late as can be */

static void work_waits_until_it_is_waited_for(void **state)
{
    (void)state;
    session s = open_session(0);
    ag_cu_ptr address = new_buffer(4), spare = new_buffer(4);
    uint32_t source = 1, target = 0;

    /* A source that changes before the wait is read changed; a target has nothing before it. */
    assert_code(0, cu.cuMemcpyHtoDAsync_v2(address, &source, 4, s.stream));
    source = 2;
    assert_code(0, cu.cuMemcpyDtoHAsync_v2(&target, address, 4, s.stream));
    source = 3;
    assert_int_equal(target, 0);
    assert_code(0, cu.cuStreamSynchronize(s.stream));
    assert_int_equal(target, 3);

    /* Waiting for another stream is not enough; freeing anything is. */
    ag_cu_stream other;
    assert_code(0, cu.cuStreamCreate(&other, AG_CU_STREAM_NON_BLOCKING));
    assert_code(0, cu.cuMemsetD8Async(address, 0, 4, s.stream));
    assert_code(0, cu.cuMemcpyDtoHAsync_v2(&target, address, 4, s.stream));
    assert_code(0, cu.cuStreamSynchronize(other));
    assert_int_equal(target, 3);
    assert_code(0, cu.cuMemFree_v2(spare));
    assert_int_equal(target, 0);

    /* A stream that ends does its work first. */
    source = 4;
    assert_code(0, cu.cuMemcpyHtoDAsync_v2(address, &source, 4, other));
    assert_code(0, cu.cuMemcpyDtoHAsync_v2(&target, address, 4, other));
    assert_code(0, cu.cuStreamDestroy_v2(other));
    assert_int_equal(target, 4);

    /* More than a stream holds: it starts by itself, and nothing is lost. */
    spare = new_buffer(4);
    assert_code(0, cu.cuMemsetD8Async(spare, 0x33, 4, s.stream));
    for (source = 10; source < 10000; source++)
        assert_code(0, cu.cuMemcpyHtoDAsync_v2(address, &source, 4, s.stream));
    assert_code(0, cu.cuMemcpyDtoHAsync_v2(&target, address, 4, s.stream));
    assert_code(0, cu.cuStreamSynchronize(s.stream));
    assert_int_equal(target, 10000);
    assert_code(0, cu.cuMemcpyDtoHAsync_v2(&target, spare, 4, s.stream));
    assert_code(0, cu.cuMemFree_v2(spare));
    assert_int_equal(target, 0x33333333);
    assert_code(0, cu.cuMemFree_v2(address));
    close_session(&s);
}

static void events_tell_the_time_of_the_device(void **state)
{
    (void)state;
    session s = open_session(0);
    ag_cu_ptr address = new_buffer(4);
    ag_cu_event start, stop, never;
    float ms = -1.0f;
    assert_code(0, cu.cuEventCreate(&start, AG_CU_EVENT_DEFAULT));
    assert_code(0, cu.cuEventCreate(&stop, AG_CU_EVENT_DEFAULT));
    assert_code(0, cu.cuEventCreate(&never, AG_CU_EVENT_DEFAULT));
    assert_fault(STANDIN_ERROR_INVALID_VALUE, "flags are 2, must be 0 to measure", cu.cuEventCreate(&never, 2));
    assert_code(0, cu.cuEventRecord(start, s.stream));
    for (int i = 0; i < 3; i++)
        assert_code(0, cu.cuMemsetD8Async(address, 0, 4, s.stream));
    assert_code(0, cu.cuEventRecord(stop, s.stream));
    assert_code(0, cu.cuMemsetD8Async(address, 0, 4, s.stream));
    assert_code(STANDIN_ERROR_NOT_READY, cu.cuEventElapsedTime(&ms, start, stop));
    assert_code(0, cu.cuEventSynchronize(start));
    assert_code(STANDIN_ERROR_NOT_READY, cu.cuEventElapsedTime(&ms, start, stop));
    assert_true(ms == -1.0f);
    assert_code(0, cu.cuEventSynchronize(stop));
    assert_code(0, cu.cuEventElapsedTime(&ms, start, stop));
    assert_true(ms == 0.75f); /* three fills, not the fourth */
    assert_code(0, cu.cuEventRecord(stop, s.stream));
    assert_code(STANDIN_ERROR_NOT_READY, cu.cuEventElapsedTime(&ms, start, stop));
    assert_code(0, cu.cuStreamSynchronize(s.stream));
    assert_code(0, cu.cuEventElapsedTime(&ms, start, stop));
    assert_true(ms == 1.0f);
    for (int i = 0; i < 3; i++) /* recorded twice, of which the first is done: the last counts */
        assert_code(0, cu.cuEventRecord(i == 1 ? start : stop, s.stream));
    assert_code(0, cu.cuEventSynchronize(start));
    assert_code(STANDIN_ERROR_NOT_READY, cu.cuEventElapsedTime(&ms, start, stop));
    assert_code(0, cu.cuEventSynchronize(never));
    assert_fault(STANDIN_ERROR_INVALID_HANDLE, "never recorded", cu.cuEventElapsedTime(&ms, start, never));
    assert_fault(STANDIN_ERROR_INVALID_VALUE, "is null", cu.cuEventElapsedTime(NULL, start, stop));
    assert_code(0, cu.cuEventDestroy_v2(start));
    assert_code(0, cu.cuEventDestroy_v2(stop));
    assert_code(0, cu.cuEventDestroy_v2(never));
    assert_code(0, cu.cuMemFree_v2(address));
    close_session(&s);
}

/* ----------------------------------------------------------------------- handles */

static void a_wrong_handle_is_a_fault(void **state)
{
    (void)state;
    const unsigned invalid = STANDIN_ERROR_INVALID_HANDLE;
    play("AG_STANDIN_DEVICES", "2");
    session other = open_session(1), s = open_session(0);
    ag_cu_event event;
    ag_cu_module module;
    ag_cu_function function = load_kernel(IMAGE_90, "agk_dice_roll", &module);
    int number;
    assert_code(0, cu.cuEventCreate(&event, 0));
    assert_fault(invalid, "a null handle, must be that of a stream", cu.cuStreamSynchronize(NULL));
    assert_fault(invalid, "the handle of an event, must be that of a stream",
                 cu.cuStreamSynchronize((ag_cu_stream)(void *)event));
    assert_fault(invalid, "is no handle, least of all of a stream", cu.cuStreamSynchronize((ag_cu_stream)(void *)&s));
    assert_fault(invalid, "a stream of device 1, the current context is of device 0",
                 cu.cuStreamSynchronize(other.stream));
    assert_fault(invalid, "a stream of device 1", cu.cuEventRecord(event, other.stream));
    assert_fault(invalid, "a stream of device 1", cu.cuStreamDestroy_v2(other.stream));
    assert_fault(invalid, "a stream of device 1",
                 cu.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, other.stream, NULL, NULL));
    assert_fault(STANDIN_ERROR_INVALID_VALUE, "flags are 0, must be 1", cu.cuStreamCreate(&other.stream, 0));
    assert_code(0, cu.cuEventDestroy_v2(event));
    assert_fault(invalid, "an event that was destroyed", cu.cuEventDestroy_v2(event));
    assert_fault(invalid, "an event that was destroyed", cu.cuEventRecord(event, s.stream));
    assert_code(0, cu.cuModuleUnload(module));
    assert_fault(invalid, "a module that was destroyed", cu.cuModuleUnload(module));
    assert_fault(invalid, "a function that was destroyed", cu.cuFuncGetAttribute(&number, 4, function));
    assert_fault(invalid, "a function that was destroyed",
                 cu.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, s.stream, NULL, NULL));
    close_session(&s);
    close_session(&other);
}

/* ---------------------------------------------------------------------- launches */

/* What agk_dice_roll gets: the struct and six addresses, as a launch takes them. */
typedef struct {
    agk_dice_params params;
    ag_cu_ptr bufs[AG_N_BUFS];
} packed_dice;

enum { N_WORDS = 13, PER_WORD = 10, N_DICE = N_WORDS * PER_WORD };

static packed_dice pack(ag_cu_ptr buffer)
{
    return (packed_dice){
        .params =
            {.key = {1, 2}, .n_blocks = 4, .n_words = N_WORDS, .faces = 6, .per_word = PER_WORD, .reject = 1868800},
        .bufs = {buffer}};
}

static ag_cu_result launch(ag_cu_function function, const session *s, unsigned grid, unsigned n_lanes, void *packed,
                           size_t size)
{
    void *extra[] = {AG_CU_LAUNCH_PARAM_BUFFER_POINTER, packed, AG_CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     AG_CU_LAUNCH_PARAM_END};
    return cu.cuLaunchKernel(function, grid, 1, 1, n_lanes, 1, 1, 0, s->stream, NULL, extra);
}

static void launches_run_kernels_as_the_cpu_does(void **state)
{
    (void)state;
    static const unsigned grids[] = {1, 2, 7}, lanes[] = {1, 5, 32, 128};
    session s = open_session(0);
    ag_cu_module module;
    ag_cu_function function = load_kernel(IMAGE_90, "agk_dice_roll", &module);
    uint32_t want[N_DICE], got[N_DICE + 1];
    uint8_t *bufs[AG_N_BUFS] = {(uint8_t *)want};
    for (size_t g = 0; g < COUNT(grids); g++)
        for (size_t l = 0; l < COUNT(lanes); l++) {
            const ag_cu_ptr buffer = new_buffer(sizeof got);
            packed_dice packed = pack(buffer);
            packed.params.game[0] = lanes[l];
            for (uint32_t i = 0; i < grids[g]; i++)
                ag_cpu_kernels_base[AG_KERNEL_agk_dice_roll](&packed.params, bufs, i, grids[g]);
            assert_code(0, launch(function, &s, grids[g], lanes[l], &packed, sizeof packed));
            memset(&packed, 0xFF, sizeof packed); /* the launch has taken its parameters */
            assert_code(0, cu.cuMemcpyDtoHAsync_v2(got, buffer, sizeof got, s.stream));
            assert_code(0, cu.cuStreamSynchronize(s.stream));
            assert_memory_equal(got, want, sizeof want);
            assert_int_equal(got[N_DICE], 0xA5A5A5A5);
            assert_code(0, cu.cuMemFree_v2(buffer));
        }
    assert_code(0, cu.cuModuleUnload(module));
    close_session(&s);
}

/* agk_dice_count has barriers and atomic sums: its threads meet. */
static void threads_of_a_block_meet_at_barriers(void **state)
{
    (void)state;
    static const unsigned lanes[] = {1, 2, 33, 256, 1024};
    enum { FACES = 10, GROUPS = 2 };
    session s = open_session(0);
    ag_cu_module module;
    ag_cu_function function = load_kernel(IMAGE_90, "agk_dice_count", &module);
    const ag_cu_ptr buffer = new_buffer(GROUPS * FACES * sizeof(uint32_t));
    packed_dice packed = {.params = {.key = {7}, .n_blocks = 640, .faces = FACES, .per_word = 7, .reject = 4967296},
                          .bufs = {buffer}};
    uint32_t want[GROUPS * FACES], got[GROUPS * FACES];
    uint8_t *bufs[AG_N_BUFS] = {(uint8_t *)want};
    for (uint32_t i = 0; i < GROUPS; i++)
        ag_cpu_kernels_base[AG_KERNEL_agk_dice_count](&packed.params, bufs, i, GROUPS);
    for (size_t l = 0; l < COUNT(lanes); l++) {
        assert_code(0, cu.cuMemsetD8Async(buffer, 0x5A, sizeof got, s.stream));
        assert_code(0, launch(function, &s, GROUPS, lanes[l], &packed, sizeof packed));
        assert_code(0, cu.cuMemcpyDtoHAsync_v2(got, buffer, sizeof got, s.stream));
        assert_code(0, cu.cuStreamSynchronize(s.stream));
        assert_memory_equal(got, want, sizeof want);
    }
    assert_code(0, cu.cuMemFree_v2(buffer));
    assert_code(0, cu.cuModuleUnload(module));
    close_session(&s);
}

static void a_wrong_launch_is_a_fault(void **state)
{
    (void)state;
    const unsigned invalid = STANDIN_ERROR_INVALID_VALUE;
    session s = open_session(0);
    ag_cu_module module;
    ag_cu_function function = load_kernel(IMAGE_90, "agk_dice_roll", &module), large = NULL, none = NULL;
    const ag_cu_ptr buffer = new_buffer(sizeof(uint32_t) * N_DICE), freed = new_buffer(64);
    packed_dice packed = pack(buffer);
    assert_code(0, cu.cuModuleGetFunction(&large, module, "agk_hog_layers"));
    assert_code(0, cu.cuMemFree_v2(freed));

    /* A wrong name is a question: its answer tells. */
    assert_code(STANDIN_ERROR_NOT_FOUND, cu.cuModuleGetFunction(&none, module, "agk_dice_rolls"));
    assert_null(none);

    /* the parameters */
    assert_fault(invalid, "80 bytes of parameters at an address % 8 = 0, must be 88 at 0",
                 launch(function, &s, 1, 32, &packed, sizeof packed - 8));
    assert_fault(invalid, "96 bytes of parameters", launch(function, &s, 1, 32, &packed, sizeof packed + 8));
    ag_cu_ptr aligned[1 + sizeof packed / 8];
    unsigned char *misaligned = (unsigned char *)aligned + 4;
    memcpy(misaligned, &packed, sizeof packed);
    assert_fault(invalid, "88 bytes of parameters at an address % 8 = 4",
                 launch(function, &s, 1, 32, misaligned, sizeof packed));
    packed.bufs[5] = freed;
    assert_fault(invalid, "cuLaunchKernel: a freed buffer of 64 bytes",
                 launch(function, &s, 1, 32, &packed, sizeof packed));
    packed.bufs[5] = buffer + 8;
    assert_fault(invalid, "offset 8 of a buffer of 520, must be its start",
                 launch(function, &s, 1, 32, &packed, sizeof packed));
    packed.bufs[5] = (ag_cu_ptr)(uintptr_t)&packed;
    assert_fault(invalid, "is no address on a device", launch(function, &s, 1, 32, &packed, sizeof packed));
    packed.bufs[5] = 0;

    /* their form */
    size_t size = sizeof packed;
    void *all[] = {&packed};
    void *swapped[] = {AG_CU_LAUNCH_PARAM_BUFFER_SIZE, &size, AG_CU_LAUNCH_PARAM_BUFFER_POINTER, &packed,
                       AG_CU_LAUNCH_PARAM_END};
    void *half[] = {AG_CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, AG_CU_LAUNCH_PARAM_END, NULL, NULL};
    void *endless[] = {AG_CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, AG_CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                       AG_CU_LAUNCH_PARAM_BUFFER_SIZE,    &size};
    assert_fault(invalid, "kernelParams and extra are null",
                 cu.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, s.stream, NULL, NULL));
    assert_fault(invalid, "only extra is played",
                 cu.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, s.stream, all, swapped));
    assert_fault(invalid, "extra must be", cu.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, s.stream, NULL, half));
    assert_fault(invalid, "extra must be", cu.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, s.stream, NULL, endless));
    assert_code(0, cu.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, s.stream, NULL, swapped));

    /* the shape */
    assert_fault(invalid, "a grid of 0 x 1 x 1", launch(function, &s, 0, 32, &packed, sizeof packed));
    assert_fault(invalid, "a grid of 2147483648 x 1 x 1", launch(function, &s, 1u << 31, 32, &packed, sizeof packed));
    assert_fault(invalid, "a block of 0 x 1 x 1", launch(function, &s, 1, 0, &packed, sizeof packed));
    assert_fault(invalid, "a block of 1025 x 1 x 1", launch(function, &s, 1, 1025, &packed, sizeof packed));
    assert_fault(invalid, "a grid of 1 x 2 x 1",
                 cu.cuLaunchKernel(function, 1, 2, 1, 32, 1, 1, 0, s.stream, NULL, swapped));
    assert_fault(invalid, "a block of 32 x 1 x 2",
                 cu.cuLaunchKernel(function, 1, 1, 1, 32, 1, 2, 0, s.stream, NULL, swapped));
    assert_fault(invalid, "4 bytes of shared memory",
                 cu.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 4, s.stream, NULL, swapped));
    assert_fault(STANDIN_ERROR_LAUNCH_OUT_OF_RESOURCES,
                 "a block of 257, registers of agk_hog_layers are enough for 256",
                 launch(large, &s, 1, 257, &packed, sizeof packed));
    assert_code(0, cu.cuMemFree_v2(buffer));
    assert_code(0, cu.cuModuleUnload(module));
    close_session(&s);
}

static void occupancy_follows_from_registers(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int registers, local_bytes, most, resident_of_most, resident_of_128;
    } want[] = {{"agk_dice_roll", 64, 0, 1024, 1, 8},
                {"agk_hog_layers", 255, 48, 256, 1, 2},
                {"agk_selftest", 32, 0, 1024, 2, 16},
                {"agk_dice_count", 33, 0, 1024, 1, 12}}; /* given in eights: 40 */
    session s = open_session(0);
    ag_cu_module module;
    assert_code(0, cu.cuModuleLoadDataEx(&module, IMAGE_90, 0, NULL, NULL));
    for (size_t i = 0; i < COUNT(want); i++) {
        ag_cu_function function = NULL;
        int number = 0, block = 0;
        assert_code(0, cu.cuModuleGetFunction(&function, module, want[i].name));
        assert_code(0, cu.cuFuncGetAttribute(&number, AG_CU_FUNC_ATTRIBUTE_NUM_REGS, function));
        assert_int_equal(number, want[i].registers);
        assert_code(0, cu.cuFuncGetAttribute(&number, AG_CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, function));
        assert_int_equal(number, want[i].local_bytes);
        assert_code(0, cu.cuFuncGetAttribute(&number, AG_CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
        assert_int_equal(number, want[i].most);
        assert_fault(STANDIN_ERROR_INVALID_VALUE, "attribute 1 is not played",
                     cu.cuFuncGetAttribute(&number, 1, function));
        assert_code(0, cu.cuOccupancyMaxPotentialBlockSize(&number, &block, function, NULL, 0, 0));
        assert_int_equal(block, want[i].most);
        assert_int_equal(number, want[i].resident_of_most * 8);
        assert_code(0, cu.cuOccupancyMaxPotentialBlockSize(&number, &block, function, NULL, 0, 128));
        assert_int_equal(block, 128);
        assert_code(0, cu.cuOccupancyMaxActiveBlocksPerMultiprocessor(&number, function, 128, 0));
        assert_int_equal(number, want[i].resident_of_128);
        assert_fault(STANDIN_ERROR_INVALID_VALUE, "blocks of 0",
                     cu.cuOccupancyMaxActiveBlocksPerMultiprocessor(&number, function, 0, 0));
        assert_fault(STANDIN_ERROR_INVALID_VALUE, "a limit of -1",
                     cu.cuOccupancyMaxPotentialBlockSize(&number, &block, function, NULL, 0, -1));
    }
    assert_code(0, cu.cuModuleUnload(module));
    close_session(&s);
}

/* A kernel writes one die more than its buffer holds: on a GPU that may go unseen. */
static void overrun(void *argument)
{
    (void)argument;
    session s = open_session(0);
    ag_cu_module module;
    ag_cu_function function = load_kernel(IMAGE_90, "agk_dice_roll", &module);
    packed_dice packed = pack(new_buffer(sizeof(uint32_t) * N_DICE - 8));
    assert_code(0, launch(function, &s, 1, 32, &packed, sizeof packed));
    cu.cuStreamSynchronize(s.stream);
}

static void read_no_buffer(void *argument)
{
    (void)argument;
    session s = open_session(0);
    ag_cu_module module;
    ag_cu_function function = load_kernel(IMAGE_90, "agk_dice_roll", &module);
    packed_dice packed = pack(0);
    assert_code(0, launch(function, &s, 1, 32, &packed, sizeof packed));
    cu.cuStreamSynchronize(s.stream);
}

static void kernels_that_leave_their_buffers_crash(void **state)
{
    (void)state;
    static const char words[] = "stand-in: kernel agk_dice_roll touches memory that is of no buffer";
    assert_killed(SIGSEGV, words, overrun, NULL);
    assert_killed(SIGSEGV, "dice", read_no_buffer, NULL); /* a checker says so first, in its own words */
}

/* Overruns that end before the next 8 bytes do not crash; they are found when the buffer is freed. */
static void small_overruns_are_found_at_the_end(void **state)
{
    (void)state;
    session s = open_session(0);
    ag_cu_module module;
    ag_cu_function function = load_kernel(IMAGE_90, "agk_dice_roll", &module);
    const size_t size = sizeof(uint32_t) * N_DICE - 4;
    packed_dice packed = pack(new_buffer(size));
    assert_code(0, launch(function, &s, 1, 32, &packed, sizeof packed));
    assert_fault(0, "cuMemFree_v2: a kernel wrote past the end of a buffer of 516", cu.cuMemFree_v2(packed.bufs[0]));
    assert_code(0, cu.cuModuleUnload(module));
    close_session(&s);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, begin_test, end_test)
    const struct CMUnitTest tests[] = {
        TEST(driver_plays_the_machine_of_the_environment),
        TEST(wrong_questions_about_devices_are_faults),
        TEST(errors_have_names),
        TEST(contexts_are_a_stack_of_the_thread),
        TEST(without_a_current_context_nothing_goes),
        TEST(threads_do_not_disturb_each_other),
        TEST(memory_is_poisoned_counted_and_limited),
        TEST(copies_and_fills_do_what_they_say),
        TEST(misused_memory_is_a_fault),
        TEST(the_host_cannot_touch_memory_of_a_device),
        TEST(work_waits_until_it_is_waited_for),
        TEST(events_tell_the_time_of_the_device),
        TEST(a_wrong_handle_is_a_fault),
        TEST(launches_run_kernels_as_the_cpu_does),
        TEST(threads_of_a_block_meet_at_barriers),
        TEST(a_wrong_launch_is_a_fault),
        TEST(occupancy_follows_from_registers),
        TEST(kernels_that_leave_their_buffers_crash),
        TEST(small_overruns_are_found_at_the_end),
    };
    return cmocka_run_group_tests(tests, load_libraries, NULL);
}
