/*
 * test_context.c -- choosing a backend: each documented error with its message, and what a context then runs on.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "astragal/rng.h"
#include "device/device.h"

#include <stdlib.h>
#include <string.h>

static ag_ctx *new_context(void)
{
    ag_ctx *ctx = NULL;
    assert_int_equal(ag_ctx_create(&ctx), AG_OK);
    return ctx;
}

static void errors_say_what_is_accepted(void **state)
{
    (void)state;
    static const struct {
        const char *backend;
        int device, n_threads;
        ag_status status;
        const char *message;
    } cases[] = {
        {"opncl", 0, 0, AG_E_ARG,
         "backend is 'opncl', must be auto, cuda, opencl, cpu or reference; did you mean 'opencl'?"},
        {"warp drive", 0, 0, AG_E_ARG, "backend is 'warp drive', must be auto, cuda, opencl, cpu or reference"},
        {"", 0, 0, AG_E_ARG, "backend is '', must be auto, cuda, opencl, cpu or reference"},
        {"CPU", 0, 0, AG_E_ARG, "backend is 'CPU', must be auto, cuda, opencl, cpu or reference; did you mean 'cpu'?"},
        {"cpu", 0, -1, AG_E_ARG, "threads is -1, must be 1..1024, or 0 for one a processor"},
        {"auto", 0, 1025, AG_E_ARG, "threads is 1025, must be 1..1024, or 0 for one a processor"},
        {"cpu", -2, 0, AG_E_ARG, "device is -2, must be 0 or more, or -1 for all"},
        {"cpu", 1, 0, AG_E_NOTFOUND, "device is 1, must be 0..0: cpu has 1 device"},
        {"auto", 2, 0, AG_E_ARG, "device is 2, but backend auto has no numbered devices: name another backend"},
        {"reference", 1, 0, AG_E_ARG,
         "device is 1, but backend reference has no numbered devices: name another backend"},
    };
    ag_ctx *ctx = new_context();
    for (size_t i = 0; i < AG_COUNT(cases); i++) {
        assert_int_equal(ag_ctx_use(ctx, cases[i].backend, cases[i].device, cases[i].n_threads), cases[i].status);
        assert_string_equal(ag_ctx_message(ctx), cases[i].message);
    }
    ag_ctx_free(ctx);
}

/* A failed choice leaves the one before it. */
static void failure_changes_nothing(void **state)
{
    (void)state;
    ag_ctx *ctx = new_context();
    ag_device *dev = NULL;
    assert_int_equal(ag_ctx_use(ctx, "reference", 0, 0), AG_OK);
    assert_int_equal(ag_ctx_use(ctx, "cpu", 9, 0), AG_E_NOTFOUND);
    assert_true(ag_ctx_is_reference(ctx));
    assert_int_equal(ag_device_get(ctx, 0.0, &dev), AG_E_ARG);
    assert_null(dev);
    assert_string_equal(ag_ctx_message(ctx), "backend is 'reference', which runs on no device");
    ag_ctx_free(ctx);
}

static void names_follow_the_last_job(void **state)
{
    (void)state;
    ag_ctx *ctx = new_context();
    ag_device *dev = NULL, *again = NULL;
    assert_string_equal(ag_ctx_backend(ctx), "");
    assert_string_equal(ag_ctx_device(ctx), "");
    assert_int_equal(ag_device_get(ctx, 0.0, &dev), AG_OK); /* auto, a small job */
    assert_string_equal(ag_ctx_backend(ctx), "cpu");
    assert_string_equal(ag_ctx_device(ctx), ag_device_describe(dev)->name);
    assert_int_not_equal(strlen(ag_ctx_device(ctx)), 0);
    assert_int_equal(ag_device_get(ctx, 0.0, &again), AG_OK);
    assert_ptr_equal(dev, again);

    assert_int_equal(ag_ctx_use(ctx, "reference", 0, 0), AG_OK);
    assert_string_equal(ag_ctx_backend(ctx), "cpu"); /* nothing has run since */
    ag_ctx_ran_reference(ctx);
    assert_string_equal(ag_ctx_backend(ctx), "reference");

    assert_int_equal(ag_ctx_use(ctx, "cpu", 0, 3), AG_OK);
    assert_int_equal(ag_device_get(ctx, 1e9, &dev), AG_OK); /* a named backend is used for any job */
    assert_string_equal(ag_ctx_backend(ctx), "cpu");
    ag_ctx_free(ctx);
}

/* All devices of a backend together; the names say how many took part. */
static void all_devices(void **state)
{
    (void)state;
    static const char *const backends[] = {"cpu", "opencl", "cuda", "auto"};
    for (size_t b = 0; b < AG_COUNT(backends); b++) {
        ag_ctx *ctx = new_context();
        ag_device *first = NULL, *const *all = NULL;
        int n = 0;
        const ag_status status = ag_ctx_use(ctx, backends[b], AG_ALL_DEVICES, 0);
        if (status == AG_E_NOTFOUND) {
            print_message("skipped: %s\n", ag_ctx_message(ctx));
            ag_ctx_free(ctx);
            continue;
        }
        assert_int_equal(status, AG_OK);
        assert_int_equal(ag_device_get_all(ctx, 1e6, &n, &all), AG_OK);
        assert_true(n >= 1);
        if (strcmp(backends[b], "cpu") == 0)
            assert_int_equal(n, 1);
        for (int i = 1; i < n; i++)
            assert_ptr_not_equal(all[i], all[0]);
        assert_int_equal(strstr(ag_ctx_device(ctx), " more") != NULL, n > 1);
        assert_int_equal(ag_device_get(ctx, 1e6, &first), AG_OK);
        assert_ptr_equal(first, all[0]);
        assert_null(strstr(ag_ctx_device(ctx), " more"));
        ag_ctx_free(ctx);
    }
}

/* Only "cuda" has a clock of its own; what it showed is not shown again. */
static void busy_seconds(void **state)
{
    (void)state;
    static const char *const backends[] = {"cpu", "cuda"};
    for (size_t b = 0; b < AG_COUNT(backends); b++) {
        ag_ctx *ctx = new_context();
        uint64_t counts[6];
        double seconds = -7.0;
        const ag_status status = ag_ctx_use(ctx, backends[b], 0, 0);
        if (status == AG_E_NOTFOUND) {
            print_message("skipped: %s\n", ag_ctx_message(ctx));
            ag_ctx_free(ctx);
            continue;
        }
        assert_int_equal(status, AG_OK);
        assert_int_equal(ag_ctx_busy_seconds(ctx, &seconds), AG_OK); /* of the self-test */
        assert_int_equal(ag_dice_count(ctx, 1, 0, 6, 4096, counts), AG_OK);
        assert_int_equal(ag_ctx_busy_seconds(ctx, &seconds), AG_OK);
        assert_int_equal(seconds > 0.0, strcmp(backends[b], "cuda") == 0);
        assert_int_equal(ag_ctx_busy_seconds(ctx, &seconds), AG_OK);
        assert_true(seconds == 0.0);
        ag_ctx_free(ctx);
    }
}

static void bad_instruction_set(void **state)
{
    (void)state;
    ag_ctx *ctx = new_context();
    ag_device *dev = NULL;
    setenv("AG_ISA", "mmx", 1);
    assert_int_equal(ag_device_get(ctx, 0.0, &dev), AG_E_ARG);
    assert_non_null(strstr(ag_ctx_message(ctx), "AG_ISA is 'mmx', must be one of what this processor has: base"));
    unsetenv("AG_ISA");
    assert_int_equal(ag_device_get(ctx, 0.0, &dev), AG_OK);
    ag_ctx_free(ctx);
}

/* Scratch is zero when made, keeps its bytes while it is large enough, and is zero again when it grows. */
static void scratch_memory(void **state)
{
    (void)state;
    static const char *const backends[] = {"cpu", "opencl", "cuda"};
    for (size_t b = 0; b < AG_COUNT(backends); b++) {
        ag_ctx *ctx = new_context();
        ag_device *dev = NULL;
        ag_buf small, same, large, empty;
        uint8_t bytes[1000];
        const ag_status status = ag_ctx_use(ctx, backends[b], 0, 0);
        if (status == AG_E_NOTFOUND) {
            print_message("skipped: %s\n", ag_ctx_message(ctx));
            ag_ctx_free(ctx);
            continue;
        }
        assert_int_equal(status, AG_OK);
        assert_int_equal(ag_device_get(ctx, 0.0, &dev), AG_OK);
        assert_int_equal(ag_device_scratch(ctx, dev, 2, 100, &small), AG_OK);
        if (small.host)
            assert_int_equal((uintptr_t)small.host % 64, 0);
        assert_int_equal(ag_device_read(ctx, dev, &small, 0, bytes, 100), AG_OK);
        for (int i = 0; i < 100; i++)
            assert_int_equal(bytes[i], 0);
        memset(bytes, 0xAB, sizeof bytes);
        assert_int_equal(ag_device_write(ctx, dev, &small, 10, bytes, 90), AG_OK);
        assert_int_equal(ag_device_scratch(ctx, dev, 2, 50, &same), AG_OK);
        assert_ptr_equal(small.handle, same.handle);
        assert_int_equal(ag_device_read(ctx, dev, &same, 9, bytes, 91), AG_OK);
        assert_int_equal(bytes[0], 0);
        assert_int_equal(bytes[1], 0xAB);
        assert_int_equal(bytes[90], 0xAB);
        assert_int_equal(ag_device_scratch(ctx, dev, 2, 1000, &large), AG_OK);
        assert_int_equal(ag_device_read(ctx, dev, &large, 0, bytes, 1000), AG_OK);
        for (int i = 0; i < 1000; i++)
            assert_int_equal(bytes[i], 0);
        assert_int_equal(ag_device_scratch(ctx, dev, 3, 0, &empty), AG_OK);
        assert_int_equal(ag_device_write(ctx, dev, &empty, 0, bytes, 0), AG_OK);
        assert_int_equal(ag_device_scratch(ctx, dev, 4, SIZE_MAX - 8, &large), AG_E_MEMORY);
        assert_non_null(strstr(ag_ctx_message(ctx), "18446744073709551607 bytes"));
        ag_ctx_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_say_what_is_accepted),
        cmocka_unit_test(failure_changes_nothing),
        cmocka_unit_test(names_follow_the_last_job),
        cmocka_unit_test(all_devices),
        cmocka_unit_test(busy_seconds),
        cmocka_unit_test(bad_instruction_set),
        cmocka_unit_test(scratch_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
