/*
 * fairness.c -- do all seats win as often? Pearson's chi-square and its p-value.
 */
#include "lcr/fairness.h"

#include "astragal/lcr.h"

#include <float.h>
#include <math.h>

/*
 * Q(a, z) = Gamma(a, z) / Gamma(a) with a = freedom / 2 and z = x / 2 (Abramowitz and Stegun, Handbook of Mathematical
 * Functions, 26.4.19). Either from the series of 1 - Q (6.5.29) or from Legendre's continued fraction of Q (6.5.31),
 * by Lentz's method: whichever converges fast (Press et al., Numerical Recipes, 6.2).
 */
double ag_chi_square_tail(double freedom, double x)
{
    const double a = freedom / 2.0, z = x / 2.0;
    if (!(z > 0.0))
        return 1.0;
    const double scale = exp(a * log(z) - z - lgamma(a));
    if (z < a + 1.0) {
        double term = 1.0 / a, sum = term;
        for (double n = a + 1.0; term > DBL_EPSILON * sum / 4.0; n += 1.0) {
            term *= z / n;
            sum += term;
        }
        return fmax(0.0, 1.0 - scale * sum);
    }
    /* 1 / (b0 + a1 / (b1 + a2 / ...)), b_n = z + 2n + 1 - a, a_n = n (a - n); all terms stay above 0 here */
    const double tiny = DBL_MIN / DBL_EPSILON;
    double b = z + 1.0 - a, c = 1.0 / tiny, d = 1.0 / b, fraction = d, factor = 0.0;
    for (double n = 1.0; fabs(factor - 1.0) > DBL_EPSILON && n < 1e6; n += 1.0) {
        const double numerator = n * (a - n);
        b += 2.0;
        d = numerator * d + b;
        c = b + numerator / c;
        d = 1.0 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        factor = c * d;
        fraction *= factor;
    }
    return scale * fraction;
}

void ag_lcr_fairness(int players, const uint64_t *wins, double *chi_square, double *p_value)
{
    double games = 0.0, sum = 0.0;
    for (int i = 0; i < players; i++)
        games += (double)wins[i];
    const double expected = games / players;
    for (int i = 0; i < players && games > 0.0; i++) {
        const double difference = (double)wins[i] - expected;
        sum += difference * difference / expected;
    }
    *chi_square = sum;
    *p_value = ag_chi_square_tail(players - 1.0, sum);
}
