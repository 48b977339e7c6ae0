/*
 * test_text.c -- sizes, whole numbers, near words, status names and messages.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/core.h"

#include <stdio.h>
#include <string.h>

static void sizes_do_not_overflow(void **state)
{
    (void)state;
    size_t out = 77;
    assert_true(ag_mul_size(0, SIZE_MAX, &out));
    assert_int_equal(out, 0);
    assert_true(ag_mul_size(SIZE_MAX, 0, &out));
    assert_true(ag_mul_size(SIZE_MAX, 1, &out));
    assert_true(out == SIZE_MAX);
    assert_true(ag_mul_size(10000, 80000, &out));
    assert_int_equal(out, 800000000);
    out = 77;
    assert_false(ag_mul_size(SIZE_MAX, 2, &out));
    assert_false(ag_mul_size(SIZE_MAX / 2 + 1, 2, &out));
    assert_int_equal(out, 77);
}

static void whole_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t lo, hi;
        bool good;
        int64_t value;
    } cases[] = {
        {"0", 0, 0, true, 0},
        {"-0", 0, 0, true, 0},
        {"007", 0, 10, true, 7},
        {"100", 1, 100, true, 100},
        {"101", 1, 100, false, 0},
        {"-5", -5, 5, true, -5},
        {"-6", -5, 5, false, 0},
        {"9223372036854775807", INT64_MIN, INT64_MAX, true, INT64_MAX},
        {"-9223372036854775808", INT64_MIN, INT64_MAX, true, INT64_MIN},
        {"9223372036854775808", INT64_MIN, INT64_MAX, false, 0},
        {"-9223372036854775809", INT64_MIN, INT64_MAX, false, 0},
        {"99999999999999999999999999", INT64_MIN, INT64_MAX, false, 0},
        {"", 0, 9, false, 0},
        {"-", -9, 9, false, 0},
        {"--1", -9, 9, false, 0},
        {"+1", 0, 9, false, 0},
        {" 1", 0, 9, false, 0},
        {"1 ", 0, 9, false, 0},
        {"- 1", -9, 9, false, 0},
        {"1.0", 0, 9, false, 0},
        {"1e3", 0, 9999, false, 0},
        {"0x10", 0, 99, false, 0},
        {"\xb2", 0, 9, false, 0},
        {"one", 0, 9, false, 0},
    };
    for (size_t i = 0; i < AG_COUNT(cases); i++) {
        int64_t value = -77;
        if (ag_parse_int(cases[i].text, cases[i].lo, cases[i].hi, &value) != cases[i].good)
            fail_msg("'%s' in %lld..%lld should be %s", cases[i].text, (long long)cases[i].lo, (long long)cases[i].hi,
                     cases[i].good ? "accepted" : "refused");
        assert_true(value == (cases[i].good ? cases[i].value : -77));
    }
}

static void near_words(void **state)
{
    (void)state;
    static const char *const words[] = {"auto", "cpu", "opencl", "reference", "cs61a-su23", "cs61a-fa22"};
    static const struct {
        const char *word, *near;
    } cases[] = {
        {"opencl", "opencl"},
        {"OpenCL", "opencl"},
        {"opncl", "opencl"},
        {"opnecl", "opencl"},
        {"gpu", "cpu"},
        {"cs61a-su24", "cs61a-su23"},
        {"cs61a_su23", "cs61a-su23"},
        {"refrence", "reference"},
        {"refer", NULL},
        {"x", NULL},
        {"", NULL},
        {"xyz", NULL},
        {"completely else", NULL},
    };
    for (size_t i = 0; i < AG_COUNT(cases); i++) {
        const char *near = ag_nearest_word(cases[i].word, words, AG_COUNT(words));
        if (cases[i].near ? !near || strcmp(near, cases[i].near) != 0 : near != NULL)
            fail_msg("near '%s': got %s, expected %s", cases[i].word, near ? near : "none",
                     cases[i].near ? cases[i].near : "none");
    }
    char endless[5000];
    memset(endless, 'a', sizeof endless);
    endless[sizeof endless - 1] = '\0';
    assert_null(ag_nearest_word(endless, words, AG_COUNT(words)));
    const char *const long_words[] = {endless, "cpu"};
    assert_string_equal(ag_nearest_word("cpi", long_words, 2), "cpu");
    assert_null(ag_nearest_word("cpu", words, 0));
}

static void status_names(void **state)
{
    (void)state;
    static const struct {
        int code;
        const char *name;
    } names[] = {
        {0, "AG_OK"},    {-1, "AG_E_ARG"},   {-2, "AG_E_MEMORY"},      {-3, "AG_E_DEVICE"},   {-4, "AG_E_NOTFOUND"},
        {-5, "AG_E_IO"}, {-6, "AG_E_CHECK"}, {-7, "AG_E_INTERRUPTED"}, {1, "unknown status"}, {-8, "unknown status"},
    };
    for (size_t i = 0; i < AG_COUNT(names); i++)
        assert_string_equal(ag_status_name((ag_status)names[i].code), names[i].name);
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", AG_VERSION / 10000, AG_VERSION / 100 % 100, AG_VERSION % 100);
    assert_string_equal(ag_version(), version);
}

static void messages_are_one_line(void **state)
{
    (void)state;
    ag_ctx *ctx = NULL;
    assert_int_equal(ag_ctx_create(&ctx), AG_OK);
    assert_string_equal(ag_ctx_message(ctx), "");
    assert_int_equal(ag_fail(ctx, AG_E_IO, "file '%s': %d", "a\nb\tc\x7f", 5), AG_E_IO);
    assert_string_equal(ag_ctx_message(ctx), "file 'a b c ': 5");
    /* The old message may be part of the new one. */
    assert_int_equal(ag_fail(ctx, AG_E_ARG, "line 3: %s", ag_ctx_message(ctx)), AG_E_ARG);
    assert_string_equal(ag_ctx_message(ctx), "line 3: file 'a b c ': 5");
    assert_int_equal(ag_fail(ctx, AG_E_ARG, "%5000d", 1), AG_E_ARG);
    assert_in_range(strlen(ag_ctx_message(ctx)), 500, 4000);
    assert_int_equal(ag_fail(NULL, AG_E_MEMORY, "lost"), AG_E_MEMORY);
    ag_ctx_free(ctx);
    ag_ctx_free(NULL);
}

static void clock_rises(void **state)
{
    (void)state;
    double before = ag_now_seconds();
    for (int i = 0; i < 1000; i++) {
        const double now = ag_now_seconds();
        assert_true(now >= before);
        before = now;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_do_not_overflow), cmocka_unit_test(whole_numbers),         cmocka_unit_test(near_words),
        cmocka_unit_test(status_names),          cmocka_unit_test(messages_are_one_line), cmocka_unit_test(clock_rises),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
