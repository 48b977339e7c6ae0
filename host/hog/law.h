/*
 * law.h -- the law of a roll, in double-double arithmetic: every probability is right to far
 * more than a double holds, so rounding it once is the only error a kernel sees.
 */
#ifndef AG_HOG_LAW_H
#define AG_HOG_LAW_H

#include "astragal/hog.h"
#include "core/core.h"

/* An unevaluated sum hi + lo, |lo| <= ulp(hi) / 2: about 106 bits. Round to nearest is assumed. */
typedef struct {
    double hi, lo;
} ag_dd;

ag_dd ag_dd_add(ag_dd a, ag_dd b);
ag_dd ag_dd_sub(ag_dd a, ag_dd b);
ag_dd ag_dd_mul(ag_dd a, ag_dd b);
ag_dd ag_dd_div(ag_dd a, ag_dd b);
ag_dd ag_dd_from(double x);

/* One of the two kinds of dice of a rule set. */
typedef struct {
    int faces;
    bool rerolled; /* an odd first outcome is rolled once more */
} ag_hog_die;

/* Kind 0: the usual dice; kind 1: those of Hog Wild (kind 0 again where there are none). */
ag_hog_die ag_hog_die_of(const ag_hog_rules *rules, int kind);

/* P(n dice show no 1 and sum to k) for n = 0..n_max: row n begins at ag_hog_sums_row(faces, n) and has n * faces + 1
 * entries. NULL when out of memory; free() it. */
ag_dd *ag_hog_sums(ag_hog_die die, int n_max);
size_t ag_hog_sums_row(int faces, int n);

/* P(exactly j of n dice show a 1). */
ag_dd ag_hog_ones(ag_hog_die die, int n, int j);
/* P(at least one of n dice shows a 1), without cancellation. */
ag_dd ag_hog_spoiled(ag_hog_die die, int n);

#endif
