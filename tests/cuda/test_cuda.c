/*
 * test_cuda.c -- the backend "cuda" as a neighbour in its process: it waits when told to, uses the device it was given,
 * and leaves the thread's own context where it was. On the stand-in driver, which must be in LD_LIBRARY_PATH.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "astragal/hog.h"
#include "astragal/rng.h"
#include "device/cuda_abi.h"
#include "device/device.h"
#include "ag_kl.h"
#include "dice_params.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static ag_cu_calls cu;
static void (*standin_fail)(const char *plan);
static void (*standin_forget)(void);

/* A symbol of the driver, as a pointer to a function. */
static void find(void *library, const char *name, void *pointer)
{
    void *symbol = dlsym(library, name);
    memcpy(pointer, &symbol, sizeof symbol);
}

/* Two devices of so little memory that one table, but not two, fits each. */
static int find_standin(void **state)
{
    (void)state;
    setenv("AG_STANDIN_DEVICES", "2", 1);
    setenv("AG_STANDIN_MEMORY", "4000000", 1);
    setenv("AG_CACHE", "off", 1);
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library || !dlsym(library, "standin_fail"))
        return 0;
    find(library, "standin_fail", &standin_fail);
    find(library, "standin_forget", &standin_forget);
#define X(name, arguments) find(library, #name, &cu.name);
    AG_CU_CALLS(X)
#undef X
    return 0;
}

static ag_ctx *open_device(int device)
{
    ag_ctx *ctx = NULL;
    if (!standin_fail) {
        print_message("skipped: the stand-in driver is not in LD_LIBRARY_PATH\n");
        skip();
    }
    assert_int_equal(ag_ctx_create(&ctx), AG_OK);
    if (ag_ctx_use(ctx, "cuda", device, 0) != AG_OK)
        fail_msg("%s", ag_ctx_message(ctx));
    return ctx;
}

static ag_status solve(ag_ctx *ctx, int goal)
{
    ag_hog_rules rules;
    ag_hog_result result;
    assert_int_equal(ag_hog_rules_preset(ctx, "cs61a-su23", &rules), AG_OK);
    rules.goal = goal;
    return ag_hog_solve(ctx, &rules, AG_HOG_LAYERS, 0.0, NULL, NULL, &result);
}

/* A kernel that fails does so when it is waited for, and not before. */
static void finish_waits(void **state)
{
    (void)state;
    ag_ctx *ctx = open_device(0);
    ag_device *dev = NULL;
    ag_buf bufs[AG_N_BUFS] = {0};
    const agk_dice_params p = {.faces = 4, .per_word = 16, .n_blocks = AG_DICE_BATCH};
    assert_int_equal(ag_device_get(ctx, 0.0, &dev), AG_OK);
    assert_int_equal(ag_device_scratch(ctx, dev, 0, 4 * sizeof(uint32_t), &bufs[0]), AG_OK);
    standin_fail("kernel:1=719");
    assert_int_equal(ag_device_launch(ctx, dev, AG_KERNEL_agk_dice_count, 1, &p, sizeof p, bufs), AG_OK);
    assert_int_equal(ag_device_finish(ctx, dev), AG_E_DEVICE);
    assert_string_equal(ag_ctx_message(ctx), "cuda device 0: cuStreamSynchronize: CUDA_ERROR_LAUNCH_FAILED (719)");
    ag_ctx_free(ctx);
    standin_forget(); /* and the device is found again */
}

/* The table of goal 300 takes more than half the memory of one device. */
static void devices_are_apart(void **state)
{
    (void)state;
    ag_ctx *first = open_device(0), *second = open_device(0), *other = open_device(1);
    assert_int_equal(solve(first, 300), AG_OK); /* its scratch memory stays */
    assert_int_equal(solve(second, 300), AG_E_MEMORY);
    assert_non_null(strstr(ag_ctx_message(second), "cuda device 0: a buffer of "));
    assert_int_equal(solve(other, 300), AG_OK);
    assert_int_equal(solve(other, 310), AG_OK);
    ag_ctx_free(first);
    assert_int_equal(solve(second, 300), AG_OK);
    ag_ctx_free(second);
    ag_ctx_free(other);
}

static void the_context_of_the_thread_stays(void **state)
{
    (void)state;
    ag_ctx *ctx = open_device(0);
    ag_cu_context own = NULL, now = NULL;
    assert_int_equal(cu.cuDevicePrimaryCtxRetain(&own, 1), AG_CUDA_SUCCESS);
    assert_int_equal(cu.cuCtxPushCurrent_v2(own), AG_CUDA_SUCCESS);
    assert_int_equal(solve(ctx, 20), AG_OK);
    assert_int_equal(solve(ctx, 3000), AG_E_MEMORY);
    standin_fail("cuMemcpyHtoDAsync_v2:1=801");
    assert_int_equal(solve(ctx, 20), AG_E_DEVICE);
    standin_fail(NULL);
    ag_ctx_free(ctx);
    ctx = open_device(0);
    ag_ctx_free(ctx);
    assert_int_equal(cu.cuCtxPopCurrent_v2(&now), AG_CUDA_SUCCESS);
    assert_ptr_equal(now, own);
    assert_int_equal(cu.cuDevicePrimaryCtxRelease_v2(1), AG_CUDA_SUCCESS);
}

static void *count(void *user)
{
    uint64_t counts[6];
    return ag_dice_count(user, 1, 0, 6, 8192, counts) == AG_OK ? user : NULL;
}

/* A context is for one thread at a time, not for one thread. */
static void contexts_move_between_threads(void **state)
{
    (void)state;
    ag_ctx *ctx[2] = {open_device(0), open_device(1)};
    pthread_t threads[2];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 2; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, count, ctx[(i + round) % 2]), 0);
        for (int i = 0; i < 2; i++) {
            void *result = NULL;
            assert_int_equal(pthread_join(threads[i], &result), 0);
            assert_ptr_equal(result, ctx[(i + round) % 2]);
        }
        assert_ptr_equal(count(ctx[0]), ctx[0]);
    }
    ag_ctx_free(ctx[0]);
    ag_ctx_free(ctx[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finish_waits),
        cmocka_unit_test(devices_are_apart),
        cmocka_unit_test(the_context_of_the_thread_stays),
        cmocka_unit_test(contexts_move_between_threads),
    };
    return cmocka_run_group_tests(tests, find_standin, NULL);
}
