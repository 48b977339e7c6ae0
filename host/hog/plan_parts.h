/*
 * plan_parts.h -- what the files of the rule compiler share among themselves.
 */
#ifndef AG_HOG_PLAN_PARTS_H
#define AG_HOG_PLAN_PARTS_H

#include "hog/plan.h"

/* One part that was made: what it was made from, and where it lies. */
#define AG_HOG_KEY 12
struct hog_shared {
    int key[AG_HOG_KEY];
    uint32_t at[9];
    bool flag, surely;
    double numbers[5];
};

/* n more items, zeroed; NULL when out of memory. Moves the earlier ones. */
void *ag_pool_grow(ag_pool *pool, size_t n);

/* The part made from `key`, or NULL. Valid until the next one is added. */
const hog_shared *ag_hog_shared_find(const ag_hog_plan *plan, const int key[AG_HOG_KEY]);
ag_status ag_hog_shared_add(ag_ctx *ctx, ag_hog_plan *plan, const hog_shared *part);

/* Doubles of one panel of hog.cl, as far as t->has and t->n_chain are known. */
uint32_t ag_hog_panel_reals(const ag_hog_table *t);

/*
 * The dice: chain factors, terms, the law of gaining nothing, the error bound and the tie tolerance.
 * bacon_zero: some n = 0 scores nothing. Completes t->n_chain, t->panel_reals, t->has and facts.
 */
ag_status ag_hog_plan_add_terms(ag_ctx *ctx, ag_hog_plan *plan, const ag_hog_rules *rules, ag_hog_table *t, bool sweep,
                                bool bacon_zero, ag_hog_facts *facts);

#endif
