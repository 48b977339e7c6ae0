/*
 * hog_law.h -- the law of a turn of Hog: every turn score of n dice with its probability.
 */
#ifndef AG_REFERENCE_HOG_LAW_H
#define AG_REFERENCE_HOG_LAW_H

#include "astragal/hog.h"

#include <stdbool.h>

/* One turn score, and how likely it is. */
typedef struct {
    int points;
    double p; /* > 0 */
} ag_ref_outcome;

/* The turn scores of n dice, after the pig-out and turn-score rules, by rising points. */
typedef struct {
    size_t n_outcomes;
    ag_ref_outcome *outcome;
} ag_ref_law;

/* Lists the laws of 1..most dice, wild: of the dice of Hog Wild. law: [most + 1]; entry 0 stays empty.
 * Whatever it returns, law goes back through ag_ref_hog_laws_free(). Errors: AG_E_MEMORY. */
ag_status ag_ref_hog_laws(ag_ctx *ctx, const ag_hog_rules *rules, bool wild, int most, ag_ref_law *law);
void ag_ref_hog_laws_free(int most, ag_ref_law *law);

#endif
