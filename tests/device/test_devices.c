/*
 * test_devices.c -- the list of devices, an OpenCL without drivers, and what "auto" chooses.
 * Each driver set-up is a process of its own: a process loads OpenCL once.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define OCLGRIND_ICD "/usr/lib/oclgrind/liboclgrind-rt-icd.so"

/* Runs `check` in a child whose OpenCL drivers are those of vendors, and without NVIDIA GPUs or with n_gpus of the
 * stand-in driver; returns what check returned: 0 is good. */
static int in_child(const char *vendors, const char *n_gpus, int (*check)(void))
{
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setenv("OCL_ICD_VENDORS", vendors, 1);
        setenv("AG_STANDIN_DEVICES", n_gpus, 1);
        setenv("CUDA_VISIBLE_DEVICES", "", 1);
        const int result = check();
        fflush(NULL);
        _exit(result);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            print_error("%s:%d: not so: %s; message: %s\n", __FILE__, __LINE__, #condition, ag_ctx_message(ctx));      \
            return 1;                                                                                                  \
        }                                                                                                              \
    } while (0)

static int check_absent(void)
{
    ag_ctx *ctx = NULL;
    ag_device *dev = NULL;
    ag_device_row rows[8];
    size_t n = 0;
    if (ag_ctx_create(&ctx) != AG_OK)
        return 1;
    EXPECT(ag_ctx_use(ctx, "opencl", 0, 0) == AG_E_NOTFOUND);
    EXPECT(strncmp(ag_ctx_message(ctx), "backend opencl is absent: ", 26) == 0);
    EXPECT(ag_devices_list(ctx, AG_COUNT(rows), rows, &n) == AG_OK);
    EXPECT(n == 4);
    EXPECT(strcmp(rows[0].backend, "cuda") == 0 && !rows[0].found && !rows[0].usable && rows[0].note[0]);
    EXPECT(strcmp(rows[1].backend, "opencl") == 0 && !rows[1].found && !rows[1].usable && rows[1].note[0]);
    EXPECT(strcmp(rows[2].backend, "cpu") == 0 && rows[2].found && rows[2].usable);
    EXPECT(strcmp(rows[3].backend, "reference") == 0 && rows[3].found && rows[3].usable);
    /* A long job without a GPU is the cpu's. */
    EXPECT(ag_device_get(ctx, 1e6, &dev) == AG_OK);
    EXPECT(strcmp(ag_ctx_backend(ctx), "cpu") == 0);
    ag_ctx_free(ctx);
    return 0;
}

static void without_drivers_both_are_absent(void **state)
{
    (void)state;
    char folder[] = "/tmp/astragal-no-vendors-XXXXXX";
    assert_non_null(mkdtemp(folder));
    const int result = in_child(folder, "0", check_absent);
    rmdir(folder);
    assert_int_equal(result, 0);
}

/* oclgrind calls itself a GPU. */
static int check_auto_takes_gpu(void)
{
    ag_ctx *ctx = NULL;
    ag_device *dev = NULL;
    if (ag_ctx_create(&ctx) != AG_OK)
        return 1;
    EXPECT(ag_device_get(ctx, 0.0, &dev) == AG_OK);
    EXPECT(strcmp(ag_ctx_backend(ctx), "cpu") == 0);
    EXPECT(ag_device_get(ctx, 1e6, &dev) == AG_OK);
    EXPECT(strcmp(ag_ctx_backend(ctx), "opencl") == 0);
    EXPECT(ag_device_describe(dev)->is_gpu);
    EXPECT(ag_device_get(ctx, 0.0, &dev) == AG_OK);
    EXPECT(strcmp(ag_ctx_backend(ctx), "cpu") == 0);
    ag_ctx_free(ctx);
    return 0;
}

static void auto_takes_gpu_for_long_jobs(void **state)
{
    (void)state;
    if (access(OCLGRIND_ICD, R_OK) != 0) {
        print_message("skipped: no %s\n", OCLGRIND_ICD);
        skip();
    }
    assert_int_equal(in_child(OCLGRIND_ICD, "0", check_auto_takes_gpu), 0);
}

/* A GPU by CUDA before one by OpenCL, and all of them where all are asked for. */
static int check_auto_takes_cuda(void)
{
    ag_ctx *ctx = NULL;
    ag_device *dev = NULL, *const *all = NULL;
    int n = 0;
    if (ag_ctx_create(&ctx) != AG_OK)
        return 1;
    if (ag_ctx_use(ctx, "cuda", 0, 0) == AG_E_NOTFOUND) {
        print_message("skipped: %s\n", ag_ctx_message(ctx));
        ag_ctx_free(ctx);
        return 2;
    }
    EXPECT(ag_ctx_use(ctx, "auto", 0, 0) == AG_OK);
    EXPECT(ag_device_get_all(ctx, 1e6, &n, &all) == AG_OK);
    EXPECT(n == 1 && strcmp(ag_ctx_backend(ctx), "cuda") == 0);
    EXPECT(ag_ctx_use(ctx, "auto", AG_ALL_DEVICES, 0) == AG_OK);
    EXPECT(ag_device_get_all(ctx, 0.0, &n, &all) == AG_OK);
    EXPECT(n == 1 && strcmp(ag_ctx_backend(ctx), "cpu") == 0);
    EXPECT(ag_device_get_all(ctx, 1e6, &n, &all) == AG_OK);
    EXPECT(n == 2 && strcmp(ag_ctx_device(ctx), "Stand-in GPU and 1 more") == 0);
    EXPECT(ag_device_get(ctx, 1e6, &dev) == AG_OK && dev == all[0]);
    ag_ctx_free(ctx);
    return 0;
}

static void auto_prefers_cuda(void **state)
{
    (void)state;
    const int result = in_child(OCLGRIND_ICD, "2", check_auto_takes_cuda);
    if (result == 2) {
        print_message("skipped: the stand-in driver is not in LD_LIBRARY_PATH\n");
        skip();
    }
    assert_int_equal(result, 0);
}

static void rows_of_this_machine(void **state)
{
    (void)state;
    ag_ctx *ctx = NULL;
    ag_device_row rows[80];
    size_t n = 0;
    assert_int_equal(ag_ctx_create(&ctx), AG_OK);
    assert_int_equal(ag_fail(ctx, AG_E_IO, "before"), AG_E_IO);
    assert_int_equal(ag_devices_list(ctx, AG_COUNT(rows), rows, &n), AG_OK);
    assert_string_equal(ag_ctx_message(ctx), "before"); /* notes are not messages of ctx */
    assert_in_range(n, 4, AG_COUNT(rows));
    for (size_t i = 0; i < n; i++) {
        if (rows[i].found && !rows[i].usable)
            print_message("%s %d: %s\n", rows[i].backend, rows[i].device, rows[i].note);
        if (rows[i].usable) {
            assert_true(rows[i].found);
            assert_string_equal(rows[i].note, "");
            assert_int_not_equal(strlen(rows[i].name), 0);
        } else {
            assert_int_not_equal(strlen(rows[i].note), 0);
        }
    }
    assert_string_equal(rows[n - 2].backend, "cpu");
    assert_true(rows[n - 2].compute_units >= 1);
    assert_string_equal(rows[n - 1].backend, "reference");

    /* No more rows than there is room for. */
    ag_device_row two[3];
    memset(two, 0x5A, sizeof two);
    assert_int_equal(ag_devices_list(ctx, 2, two, &n), AG_OK);
    assert_int_equal(n, 2);
    assert_int_equal(two[2].backend[0], 0x5A);
    assert_int_equal(ag_devices_list(ctx, 0, two, &n), AG_OK);
    assert_int_equal(n, 0);
    ag_ctx_free(ctx);
}

/* "auto" never takes an OpenCL device that is a CPU. */
static void auto_avoids_cpus_behind_opencl(void **state)
{
    (void)state;
    ag_ctx *ctx = NULL;
    ag_device *dev = NULL;
    assert_int_equal(ag_ctx_create(&ctx), AG_OK);
    assert_int_equal(ag_device_get(ctx, 1e6, &dev), AG_OK);
    assert_true(strcmp(ag_ctx_backend(ctx), "cpu") == 0 || ag_device_describe(dev)->is_gpu);
    ag_ctx_free(ctx);
}

static void opencl_opens(void **state)
{
    (void)state;
    ag_ctx *ctx = NULL;
    ag_device *dev = NULL;
    assert_int_equal(ag_ctx_create(&ctx), AG_OK);
    const ag_status status = ag_ctx_use(ctx, "opencl", 0, 0);
    if (status == AG_E_NOTFOUND) {
        print_message("skipped: %s\n", ag_ctx_message(ctx));
        ag_ctx_free(ctx);
        skip();
    }
    assert_int_equal(status, AG_OK);
    assert_int_equal(ag_device_get(ctx, 0.0, &dev), AG_OK);
    assert_string_equal(ag_ctx_backend(ctx), "opencl");
    assert_int_equal(ag_ctx_use(ctx, "opencl", 63, 0), AG_E_NOTFOUND);
    assert_non_null(strstr(ag_ctx_message(ctx), "device is 63, must be 0.."));
    setenv("AG_OPENCL_LANES", "many", 1);
    assert_int_equal(ag_ctx_use(ctx, "opencl", 0, 0), AG_E_ARG);
    assert_string_equal(ag_ctx_message(ctx), "AG_OPENCL_LANES is 'many', must be 1..1024");
    unsetenv("AG_OPENCL_LANES");
    ag_ctx_free(ctx);
}

int main(void)
{
    /* For the other tests, none but OpenCL's devices. The children first: they must be forked before this process loads
     * OpenCL. */
    setenv("AG_STANDIN_DEVICES", "0", 1);
    setenv("AG_CACHE", "off", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_drivers_both_are_absent),
        cmocka_unit_test(auto_takes_gpu_for_long_jobs),
        cmocka_unit_test(auto_prefers_cuda),
        cmocka_unit_test(rows_of_this_machine),
        cmocka_unit_test(auto_avoids_cpus_behind_opencl),
        cmocka_unit_test(opencl_opens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
