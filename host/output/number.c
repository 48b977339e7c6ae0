/*
 * number.c -- doubles as text, with a point in every locale and never a negative zero.
 */
#include "output/format.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Some locales write a comma, or several bytes, where every file format wants a point. */
static void put_point(char *text)
{
    const size_t whole = strspn(text, "+-0123456789e");
    if (text[whole] == '\0')
        return;
    const char *rest = text + whole + strcspn(text + whole, "+-0123456789e");
    text[whole] = '.';
    memmove(text + whole + 1, rest, strlen(rest) + 1);
}

const char *ag_real_exact(char text[AG_REAL_TEXT], double x)
{
    assert(isfinite(x));
    snprintf(text, AG_REAL_TEXT, "%.17g", x == 0 ? 0.0 : x);
    put_point(text);
    return text;
}

const char *ag_real_rounded(char text[AG_REAL_TEXT], double x)
{
    assert(isfinite(x));
    /* six decimals would make nothing of an error bound */
    snprintf(text, AG_REAL_TEXT, x != 0.0 && fabs(x) < 5e-7 ? "%.2g" : "%.6f", x);
    put_point(text);
    const bool negative_zero = text[0] == '-' && text[strspn(text, "-0.")] == '\0';
    return negative_zero ? text + 1 : text;
}
