/*
 * clang-tidy.h -- what the analyzer, which reads one file at a time, has to be told: tools/lint includes this first.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/core.h"

/* ag_fail() returns its code, never AG_OK. */
#define ag_fail(ctx, code, ...) ((void)ag_fail(ctx, code, __VA_ARGS__), (code))

/* cmocka does not return from a failed assertion. */
__attribute__((noreturn)) void _fail(const char *file, const int line);
#undef assert_non_null
#undef assert_true
#undef assert_int_equal
#undef skip
#define skip()                 _fail(__FILE__, __LINE__)
#define assert_true(condition) ((condition) ? (void)0 : _fail(__FILE__, __LINE__))
#define assert_non_null(p)     assert_true(p)
#define assert_int_equal(a, b) assert_true((a) == (b))
