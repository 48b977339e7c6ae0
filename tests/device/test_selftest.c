/*
 * test_selftest.c -- every device and instruction set gives the same bits in the self-test, and the
 * self-test finds any single altered word.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "device/registry.h"
#include "device/selftest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Results of agk_selftest on a device; AG_E_NOTFOUND when there is none. */
static ag_status results_of(ag_ctx *ctx, const char *backend, int n_threads, ag_selftest_results *got)
{
    ag_device *dev = NULL;
    memset(got, 0xA5, sizeof *got);
    AG_TRY(ag_ctx_use(ctx, backend, 0, n_threads));
    AG_TRY(ag_device_get(ctx, 0.0, &dev));
    return ag_selftest_run(ctx, dev, got);
}

static void same_bits_everywhere(void **state)
{
    (void)state;
    /* backend, threads, and an environment variable with its value */
    static const struct {
        const char *backend;
        int n_threads;
        const char *variable, *value;
    } ways[] = {
        {"cpu", 1, "AG_ISA", "base"},          {"cpu", 2, "AG_ISA", "base"},
        {"cpu", 7, "AG_ISA", "avx2"},          {"cpu", 2, "AG_ISA", "avx512"},
        {"opencl", 0, "AG_OPENCL_LANES", ""},  {"opencl", 0, "AG_OPENCL_LANES", "1"},
        {"opencl", 0, "AG_OPENCL_LANES", "7"}, {"opencl", 0, "AG_OPENCL_LANES", "128"},
        {"cuda", 0, "AG_CUDA_LANES", ""},      {"cuda", 0, "AG_CUDA_LANES", "32"},
    };
    ag_ctx *ctx = NULL;
    assert_int_equal(ag_ctx_create(&ctx), AG_OK);
    for (size_t i = 0; i < AG_COUNT(ways); i++) {
        ag_selftest_results got;
        setenv(ways[i].variable, ways[i].value, 1);
        const ag_status status = results_of(ctx, ways[i].backend, ways[i].n_threads, &got);
        unsetenv(ways[i].variable);
        /* This processor has not that instruction set, or there is no OpenCL. */
        if (status == AG_E_NOTFOUND || (status == AG_E_ARG && strstr(ag_ctx_message(ctx), "this processor has"))) {
            print_message("skipped: %s\n", ag_ctx_message(ctx));
            continue;
        }
        if (status != AG_OK)
            fail_msg("%s %s=%s: %s", ways[i].backend, ways[i].variable, ways[i].value, ag_ctx_message(ctx));
        if (ag_selftest_judge(ctx, ways[i].backend, &got) != AG_OK)
            fail_msg("%s=%s: %s", ways[i].variable, ways[i].value, ag_ctx_message(ctx));
    }
    ag_ctx_free(ctx);
}

/* Flips one bit of each word and double in turn. */
static void any_wrong_word_is_found(void **state)
{
    (void)state;
    ag_selftest_results good, bad;
    ag_ctx *ctx = NULL;
    assert_int_equal(ag_ctx_create(&ctx), AG_OK);
    assert_int_equal(results_of(ctx, "cpu", 1, &good), AG_OK);
    for (size_t i = 0; i < AG_COUNT(good.words); i++) {
        bad = good;
        bad.words[i] ^= 1u << i % 32;
        assert_int_equal(ag_selftest_judge(ctx, "Fake GPU", &bad), AG_E_DEVICE);
        assert_non_null(strstr(ag_ctx_message(ctx), "device Fake GPU answers wrongly: self-test, "));
    }
    for (size_t i = 0; i < AG_COUNT(good.reals); i++) {
        bad = good;
        bad.reals[i] = good.reals[i] == 0.0 ? -good.reals[i] : nextafter(good.reals[i], 9.0);
        assert_int_equal(ag_selftest_judge(ctx, "Fake GPU", &bad), AG_E_DEVICE);
    }
    assert_int_equal(ag_selftest_judge(ctx, "Fake GPU", &good), AG_OK);
    ag_ctx_free(ctx);
}

static void message_names_item_and_values(void **state)
{
    (void)state;
    ag_selftest_results got;
    ag_ctx *ctx = NULL;
    assert_int_equal(ag_ctx_create(&ctx), AG_OK);
    assert_int_equal(results_of(ctx, "cpu", 1, &got), AG_OK);

    got.words[AG_SELFTEST_WORDS + AG_SELFTEST_AT_PHILOX + 1] ^= 1u;
    assert_int_equal(ag_selftest_judge(ctx, "G", &got), AG_E_DEVICE);
    assert_string_equal(ag_ctx_message(ctx), "device G answers wrongly: self-test, Philox block 0, word 1, group 1: "
                                             "got 3665621162, expected 3665621163");
    got.words[AG_SELFTEST_WORDS + AG_SELFTEST_AT_PHILOX + 1] ^= 1u;

    /* What a device that fuses multiply and add would answer. */
    got.reals[0] = fma(0x1.00000004p0, 0x1.00000004p0, -0x1.00000008p0);
    assert_true(got.reals[0] != 0.0);
    assert_int_equal(ag_selftest_judge(ctx, "G", &got), AG_E_DEVICE);
    assert_non_null(strstr(ag_ctx_message(ctx), "x * y + z, triple 0, group 0: got 8.67361737988403"));
    assert_non_null(strstr(ag_ctx_message(ctx), "expected 0"));
    ag_ctx_free(ctx);
}

/* Dice of the first word by hand: 546353992 * 6^10 / 2^32 = 7691778.6, and 7691778 is 0432510030 to the base 6. */
static void dice_by_hand(void **state)
{
    (void)state;
    ag_selftest_results got;
    ag_ctx *ctx = NULL;
    assert_int_equal(ag_ctx_create(&ctx), AG_OK);
    assert_int_equal(results_of(ctx, "cpu", 1, &got), AG_OK);
    static const uint32_t want[] = {1, 5, 4, 3, 6, 2, 1, 1, 4, 1};
    assert_memory_equal(got.words + AG_SELFTEST_AT_DICE, want, sizeof want);
    assert_int_equal(got.words[AG_SELFTEST_AT_DICE + 10], 1);
    assert_int_equal(got.words[AG_SELFTEST_AT_DICE + 11], 0);
    ag_ctx_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits_everywhere),
        cmocka_unit_test(any_wrong_word_is_found),
        cmocka_unit_test(message_names_item_and_values),
        cmocka_unit_test(dice_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
