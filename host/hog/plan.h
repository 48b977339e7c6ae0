/*
 * plan.h -- rule sets turned into the tables that the Hog kernels read.
 *
 * A plan holds any number of tables; parts that several rule sets share (a dice law, a map of swaps)
 * are made once. Layouts: kernels/hog_params.h.
 */
#ifndef AG_HOG_PLAN_H
#define AG_HOG_PLAN_H

#include "astragal/hog.h"
#include "core/core.h"

#include "ag_kl.h"
#include "hog_params.h"

/* A growing array. */
typedef struct {
    void *items;
    size_t n, room, size_item;
} ag_pool;

/* What the compiler made of one rule set, beside its table. */
typedef struct {
    double error; /* bound on the error of every value: hog.h */
    double tie_tolerance;
    double n_terms; /* the longest sum of terms: for the rounding of a sweep */
} ag_hog_facts;

typedef struct hog_shared hog_shared;

typedef struct {
    ag_pool tables; /* ag_hog_table */
    ag_pool facts;  /* ag_hog_facts */
    ag_pool ints;   /* uint32_t */
    ag_pool reals;  /* double */
    ag_pool bytes;  /* uint8_t */
    ag_pool shared; /* parts made so far, with what they were made from */
} ag_hog_plan;

/* An empty plan; freeing it twice is fine. */
void ag_hog_plan_init(ag_hog_plan *plan);
void ag_hog_plan_free(ag_hog_plan *plan);

/*
 * Compiles one more rule set (checked by the caller). sweep: every outcome is a term and there is
 * no chain, as hog_sweep.cl wants it. at_win and at_rolls are the caller's to fill. Errors: AG_E_MEMORY.
 */
ag_status ag_hog_plan_add(ag_ctx *ctx, ag_hog_plan *plan, const ag_hog_rules *rules, bool sweep);

const ag_hog_table *ag_hog_plan_table(const ag_hog_plan *plan, size_t i);
const ag_hog_facts *ag_hog_plan_facts(const ag_hog_plan *plan, size_t i);

/* The fields of a table that say how large things are, from the rules alone; nothing is compiled. */
ag_hog_table ag_hog_plan_sizes(const ag_hog_rules *rules, bool sweep);
/* Doubles of work of one table by layers, without its win table; by sweeps, with it. */
double ag_hog_work_reals(const ag_hog_table *t, bool sweep);

#endif
