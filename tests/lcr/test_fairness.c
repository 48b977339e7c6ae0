/*
 * test_fairness.c -- the tail of chi-square against values to 17 digits, and what wins it is asked about.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "astragal/lcr.h"
#include "lcr/fairness.h"

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Gamma(freedom / 2, x / 2) / Gamma(freedom / 2) by mpmath 1.3 with 40 digits. */
static void tail_is_known(void **state)
{
    (void)state;
    static const struct {
        double freedom, x, tail;
    } known[] = {
        {1, 9.9999999999999995e-07, 0.99920211557217787},
        {1, 0.5, 0.47950012218695346},
        {1, 3.841458820694124, 0.050000000000000057},
        {1, 1370, 6.9429373646432677e-300},
        {2, 0.001, 0.99950012497916927},
        {2, 5, 0.082084998623898795},
        {2, 1381, 1.3172258525345525e-300},
        {3, 0.10000000000000001, 0.99183742373187648},
        {3, 7.8147279032511792, 0.050000000000000018},
        {3, 1367.6400000000001, 3.0973518755368467e-296},
        {3, 2, 0.57240670447087983},
        {9, 1, 0.9994375026978325},
        {9, 9, 0.43727418891386706},
        {9, 16.899999999999999, 0.050305190124310876},
        {9, 1400, 7.7309942439991564e-296},
        {31, 20, 0.93580362074115442},
        {31, 31, 0.46621250621750834},
        {31, 70, 7.6437041917551002e-5},
        {1023, 900, 0.99761156593246123},
        {1023, 1023, 0.49412008986727303},
        {1023, 1200, 9.8706059561673697e-5},
        {1023, 3650, 8.953339743269077e-291},
        {1023, 500, 1.0},
    };
    for (size_t i = 0; i < COUNT(known); i++) {
        const double tail = ag_chi_square_tail(known[i].freedom, known[i].x);
        if (!(fabs(tail - known[i].tail) <= 1e-11 * known[i].tail))
            fail_msg("freedom %g, x %.17g: %.17g, must be %.17g", known[i].freedom, known[i].x, tail, known[i].tail);
    }
}

/* With an even number of degrees of freedom the tail is exp(-x/2) times the first terms of the series of exp(x/2). */
static void even_freedom_is_a_sum(void **state)
{
    (void)state;
    for (int half = 1; half <= 20; half++)
        for (double x = 0.125; x < 1000.0; x *= 1.5) {
            double term = exp(-x / 2.0), sum = 0.0;
            for (int k = 0; k < half; k++, term *= x / 2.0 / k)
                sum += term;
            const double tail = ag_chi_square_tail(2.0 * half, x);
            if (!(fabs(tail - sum) <= 1e-11 * sum))
                fail_msg("freedom %d, x %.17g: %.17g, must be %.17g", 2 * half, x, tail, sum);
        }
}

static void ends(void **state)
{
    (void)state;
    assert_true(ag_chi_square_tail(3.0, 0.0) == 1.0);
    assert_true(ag_chi_square_tail(3.0, 1e5) == 0.0);
    assert_true(ag_chi_square_tail(1023.0, 1e12) == 0.0);
    double last = 1.0;
    for (double x = 1e-3; x < 1500.0; x *= 1.01) { /* falls, where one way of computing it gives way to the other too */
        const double tail = ag_chi_square_tail(9.0, x);
        assert_true(tail < last || (x < 1.0 && tail <= last));
        last = tail;
    }
}

static void wins_are_judged(void **state)
{
    (void)state;
    const uint64_t even[] = {250, 250, 250, 250}, uneven[] = {239521, 242957, 254954, 262568}, one[] = {0, 7};
    double chi_square = -1.0, p = -1.0;
    ag_lcr_fairness(4, even, &chi_square, &p);
    assert_true(chi_square == 0.0 && p == 1.0);
    /* by hand: the differences from 250000 are -10479, -7043, 4954, 12568 */
    ag_lcr_fairness(4, uneven, &chi_square, &p);
    assert_true(fabs(chi_square - (10479.0 * 10479 + 7043.0 * 7043 + 4954.0 * 4954 + 12568.0 * 12568) / 250000) < 1e-9);
    assert_true(p == ag_chi_square_tail(3.0, chi_square));
    ag_lcr_fairness(2, one, &chi_square, &p); /* freedom 1: erfc(sqrt(x / 2)) */
    assert_true(chi_square == 7.0 && fabs(p - erfc(sqrt(3.5))) < 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tail_is_known),
        cmocka_unit_test(even_freedom_is_a_sum),
        cmocka_unit_test(ends),
        cmocka_unit_test(wins_are_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
