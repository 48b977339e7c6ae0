/*
 * hog_law.c -- the law of a turn of Hog, by adding one die after the other.
 *
 * What the dice show matters in two ways only: their sum if none shows a 1, else the number of 1s. So
 * each is counted: clean[s], the ways of n dice to show the sum s and no 1, and spoiled[k], the ways
 * to show k >= 1 times a 1. Ways are whole numbers, exact while faces^n is below 2^53.
 */
#include "reference/hog_law.h"

#include "core/core.h"
#include "reference/hog_rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The ways of one die: ways[f] to show face f, `all` in all. Both are scaled by one power of two, which
 * is exact, so that the ways of 100 dice stay below 2^1024: 1/2 <= all < 1. */
typedef struct {
    int faces;
    double ways[AG_HOG_FACES_MAX + 1];
    double all;
} die;

static die make_die(int faces, bool rerolled)
{
    die d = {.faces = faces};
    const int n_odd = (faces + 1) / 2;
    int exponent;
    for (int f = 1; f <= faces; f++) {
        /* two rolls have faces^2 ways: a first even outcome stands (whatever the second), a first odd
         * one gives way to the second, which is f once for each odd first */
        const int ways = rerolled ? (f % 2 == 0 ? faces : 0) + n_odd : 1;
        d.ways[f] = ways;
        d.all += ways;
    }
    d.all = frexp(d.all, &exponent);
    for (int f = 1; f <= faces; f++)
        d.ways[f] = ldexp(d.ways[f], -exponent);
    return d;
}

/* The ways of some number of dice. */
typedef struct {
    int n;
    double all;
    double *clean;   /* [most * faces + 1] by sum */
    double *spoiled; /* [most + 1] by number of 1s; entry 0 is not used */
    double none;     /* to show no 1 at all */
} ways;

/* Rolls one more die. Sums and counts are done from the top down, so that each is still the old one
 * when it is used. */
static void add_die(ways *w, const die *d)
{
    for (int sum = (w->n + 1) * d->faces; sum >= 0; sum--) {
        double total = 0;
        for (int f = 2; f <= d->faces && f <= sum; f++)
            total += w->clean[sum - f] * d->ways[f];
        w->clean[sum] = total;
    }
    for (int k = w->n + 1; k >= 1; k--) {
        const double before = k == 1 ? w->none : w->spoiled[k - 1];
        w->spoiled[k] = w->spoiled[k] * (d->all - d->ways[1]) + before * d->ways[1];
    }
    w->none *= d->all - d->ways[1];
    w->all *= d->all;
    w->n++;
}

/* Adds ways to what scores `points` by the rules; *most: the most points so far. */
static void add_points(double *by_points, int points, double ways_more, int *most)
{
    by_points[points] += ways_more;
    if (points > *most)
        *most = points;
}

/* Collects the ways by turn score into by_points [AG_HOG_TOTAL_MAX + 1], which is all 0 before and
 * after, and lists what is possible. */
static ag_status list_outcomes(ag_ctx *ctx, const ag_hog_rules *rules, const ways *w, int faces, double *by_points,
                               ag_ref_law *law)
{
    int most = 0;
    for (int sum = 2 * w->n; sum <= faces * w->n; sum++)
        add_points(by_points, ag_ref_hog_turn_score(rules, w->n, sum), w->clean[sum], &most);
    for (int k = 1; k <= w->n; k++)
        add_points(by_points, ag_ref_hog_turn_score(rules, w->n, ag_ref_hog_pig_out(rules, w->n, k)), w->spoiled[k],
                   &most);

    law->outcome = malloc(((size_t)most + 1) * sizeof *law->outcome);
    if (law->outcome == NULL)
        return ag_fail(ctx, AG_E_MEMORY, "no memory for the outcomes of %d dice, up to %d points", w->n, most);
    for (int points = 0; points <= most; points++) {
        if (by_points[points] > 0)
            law->outcome[law->n_outcomes++] = (ag_ref_outcome){points, fmin(by_points[points] / w->all, 1)};
        by_points[points] = 0;
    }
    return AG_OK;
}

ag_status ag_ref_hog_laws(ag_ctx *ctx, const ag_hog_rules *rules, bool wild, int most, ag_ref_law *law)
{
    const die d = make_die(ag_ref_hog_faces(rules, wild), ag_ref_hog_is_rerolled(rules, wild));
    const size_t n_sums = (size_t)(most * d.faces) + 1;
    double *by_points = calloc(AG_HOG_TOTAL_MAX + 1, sizeof *by_points);
    ways w = {.n = 0, .all = 1, .none = 1};
    ag_status status = AG_OK;

    memset(law, 0, ((size_t)most + 1) * sizeof *law);
    w.clean = calloc(n_sums, sizeof *w.clean);
    w.spoiled = calloc((size_t)most + 1, sizeof *w.spoiled);
    if (by_points == NULL || w.clean == NULL || w.spoiled == NULL) {
        status = ag_fail(ctx, AG_E_MEMORY, "no memory for the sums of %d dice of %d faces", most, d.faces);
        goto out;
    }
    w.clean[0] = 1; /* no dice show the sum 0, in one way */
    for (int n = 1; n <= most && status == AG_OK; n++) {
        add_die(&w, &d);
        status = list_outcomes(ctx, rules, &w, d.faces, by_points, &law[n]);
    }
out:
    free(by_points);
    free(w.clean);
    free(w.spoiled);
    return status;
}

void ag_ref_hog_laws_free(int most, ag_ref_law *law)
{
    for (int n = 0; n <= most; n++)
        free(law[n].outcome);
    memset(law, 0, ((size_t)most + 1) * sizeof *law);
}
