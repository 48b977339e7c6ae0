/* hog_law.h -- the law of a roll that shows no 1, from a closed formula in exact rationals. */
#ifndef AG_TESTS_HOG_LAW_H
#define AG_TESTS_HOG_LAW_H

/* Before gmp.h of old and new GMP alike, so that it declares what needs FILE. */
#include <stdio.h>

#include <gmp.h>

/*
 * n fair dice with `faces` faces, n >= 1, faces >= 2.
 *
 * p        out: p[k] = P(no die shows 1 and the sum is k); shape [n * faces + 1], initialised by the caller
 * spoiled  out: P(at least one die shows 1)
 */
void hog_law_exact(int faces, int n, mpq_t *p, mpq_t spoiled);

#endif
