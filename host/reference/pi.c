/*
 * pi.c -- the decimals of pi, by Machin's formula pi = 16 arctan(1/5) - 4 arctan(1/239).
 */
#include "reference/hog_rules.h"

#include "core/core.h"

#include <stdlib.h>
#include <string.h>

#define BASE   1000000000u /* a number is limbs of nine decimals; limb 0 stands before the point */
#define DIGITS 9
/* Each of the some 1.5 n terms is cut off below the last limb and then taken up to 16 times: 18
 * decimals more than asked for hold that error. */
#define SPARE_LIMBS 3

/* out = x / divisor, rounded down; out may be x. */
static void divide(size_t limbs, const uint32_t *x, uint32_t divisor, uint32_t *out)
{
    uint64_t rest = 0;
    for (size_t i = 0; i < limbs; i++) {
        rest = rest * BASE + x[i];
        out[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
}

static void add(size_t limbs, uint32_t *sum, const uint32_t *x)
{
    uint32_t carry = 0;
    for (size_t i = limbs; i-- > 0;) {
        const uint32_t limb = sum[i] + x[i] + carry;
        carry = limb >= BASE;
        sum[i] = limb - carry * BASE;
    }
}

static void subtract(size_t limbs, uint32_t *sum, const uint32_t *x)
{
    uint32_t borrow = 0;
    for (size_t i = limbs; i-- > 0;) {
        const uint32_t taken = x[i] + borrow;
        borrow = sum[i] < taken;
        sum[i] = sum[i] + borrow * BASE - taken;
    }
}

static bool is_zero(size_t limbs, const uint32_t *x)
{
    for (size_t i = 0; i < limbs; i++)
        if (x[i] != 0)
            return false;
    return true;
}

/* sum += factor arctan(1/m) = factor (1/m - 1/(3 m^3) + 1/(5 m^5) - ...), or minus it. */
static void add_arctan(size_t limbs, uint32_t *sum, uint32_t factor, uint32_t m, bool minus, uint32_t *power,
                       uint32_t *term)
{
    memset(power, 0, limbs * sizeof *power);
    power[0] = factor;
    divide(limbs, power, m, power);
    for (uint32_t odd = 1; !is_zero(limbs, power); odd += 2) {
        divide(limbs, power, odd, term);
        if (minus)
            subtract(limbs, sum, term);
        else
            add(limbs, sum, term);
        divide(limbs, power, m * m, power);
        minus = !minus;
    }
}

ag_status ag_ref_hog_pi(ag_ctx *ctx, int n, uint8_t **pi)
{
    const size_t limbs = (size_t)n / DIGITS + SPARE_LIMBS;
    uint32_t *const sum = calloc(3 * limbs, sizeof *sum);
    uint8_t *const decimals = malloc((size_t)n);
    if (sum == NULL || decimals == NULL) {
        free(sum);
        free(decimals);
        return ag_fail(ctx, AG_E_MEMORY, "no memory for %d decimals of pi", n);
    }
    add_arctan(limbs, sum, 16, 5, false, sum + limbs, sum + 2 * limbs);
    add_arctan(limbs, sum, 4, 239, true, sum + limbs, sum + 2 * limbs);

    for (int i = 0; i < n; i++) {
        /* decimal i stands in limb ceil(i / 9), from its left at place 1, 2, ... 8, 0 (the last) */
        uint32_t limb = sum[(i + DIGITS - 1) / DIGITS];
        for (int place = i % DIGITS; place % DIGITS != 0; place++)
            limb /= 10;
        decimals[i] = (uint8_t)(limb % 10);
    }
    free(sum);
    *pi = decimals;
    return AG_OK;
}
