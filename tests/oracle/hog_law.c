/*
 * hog_law.c -- the law of a roll that shows no 1, by inclusion and exclusion.
 *
 * Given that none of the n dice shows 1, each is uniform on 2..f; less one, uniform on
 * 1..g with g = f - 1. The number of ways in which n dice of g faces sum to t is
 *
 *     sum over j of (-1)^j C(n, j) C(t - g j - 1, n - 1),
 *
 * where j dice are forced above g. So P(no 1 and sum k) is that number at t = k - n,
 * over g^n (the conditional law), times (g / f)^n (no die shows 1).
 */
#include "hog_law.h"

/* ways = number of ways in which n dice with faces 1..g sum to t. */
static void ways_of_sum(mpz_t ways, int g, int n, int t)
{
    mpz_t choose, place;

    mpz_inits(choose, place, NULL);
    mpz_set_ui(ways, 0);
    for (int j = 0; j <= n && t - g * j >= n; j++) {
        mpz_bin_uiui(choose, (unsigned long)n, (unsigned long)j);
        mpz_bin_uiui(place, (unsigned long)(t - g * j - 1), (unsigned long)(n - 1));
        if (j % 2 == 0)
            mpz_addmul(ways, choose, place);
        else
            mpz_submul(ways, choose, place);
    }
    mpz_clears(choose, place, NULL);
}

void hog_law_exact(int faces, int n, mpq_t *p, mpq_t spoiled)
{
    const int g = faces - 1;
    mpq_t clean;

    mpq_init(clean);
    mpz_ui_pow_ui(mpq_numref(clean), (unsigned long)g, (unsigned long)n);
    mpz_ui_pow_ui(mpq_denref(clean), (unsigned long)faces, (unsigned long)n);
    mpq_canonicalize(clean);
    mpq_set_ui(spoiled, 1, 1);
    mpq_sub(spoiled, spoiled, clean);

    for (int k = 0; k <= n * faces; k++) {
        ways_of_sum(mpq_numref(p[k]), g, n, k - n);
        mpz_ui_pow_ui(mpq_denref(p[k]), (unsigned long)g, (unsigned long)n);
        mpq_canonicalize(p[k]);
        mpq_mul(p[k], p[k], clean);
    }
    mpq_clear(clean);
}
