/*
 * methods_test.h -- three ways to one table: layers and sweeps on the CPU, and the reference.
 */
#ifndef AG_TESTS_METHODS_TEST_H
#define AG_TESTS_METHODS_TEST_H

#include "solver_test.h"

static const where cpu_here = {"cpu", 2, NULL, NULL}, reference_here = {"reference", 0, NULL, NULL};
static ag_ctx *cpu, *reference;

static inline int open_both(void **state)
{
    (void)state;
    cpu = open_ctx(&cpu_here);
    reference = open_ctx(&reference_here);
    return cpu && reference ? 0 : -1;
}

static inline int free_both(void **state)
{
    (void)state;
    ag_ctx_free(cpu);
    ag_ctx_free(reference);
    return 0;
}

/* All values of two tables of the same rules lie within both error bounds of each other. */
static inline void check_within_bounds(const table *a, const table *b, const char *names)
{
    char text[RULES_TEXT];
    const double within = a->result.error + b->result.error;
    for (size_t i = 0; i < n_states(&a->rules); i++)
        if (!(fabs(a->win[i] - b->win[i]) <= within))
            fail_msg("%s, state (%zu, %zu): %s: %.17g and %.17g, bounds %g and %g, moves %d and %d",
                     rules_text(&a->rules, text), i / (size_t)a->rules.goal, i % (size_t)a->rules.goal, names,
                     a->win[i], b->win[i], a->result.error, b->result.error, a->rolls[i], b->rolls[i]);
}

/*
 * Where the moves of two tables differ, both are worth the same within what either promises: its tie tolerance, and
 * the error of either value compared. Returns how many differ.
 */
static inline int check_moves(const table *a, const table *b, const char *names)
{
    char text[RULES_TEXT];
    int n_differ = 0;
    const double tie = fmax(a->result.tie_tolerance, b->result.tie_tolerance);
    const double within = tie + 2.0 * (a->result.error + b->result.error);
    for (size_t i = 0; i < n_states(&a->rules); i++) {
        const int s = (int)(i / (size_t)a->rules.goal), o = (int)(i % (size_t)a->rules.goal);
        ag_hog_advice advice;
        if (a->rolls[i] == b->rolls[i])
            continue;
        n_differ++;
        assert_int_equal(ag_hog_advise(reference, &a->rules, a->win, s, o, &advice), AG_OK);
        const double gap = fabs(advised(&advice, a->rolls[i]) - advised(&advice, b->rolls[i]));
        if (!(gap <= within))
            fail_msg("%s, state (%d, %d): %s: moves %d and %d, worth %g apart, more than %g",
                     rules_text(&a->rules, text), s, o, names, a->rolls[i], b->rolls[i], gap, within);
    }
    return n_differ;
}

/*
 * Layers, sweeps and the reference on one rule set: every pair of values lies within both bounds, moves differ
 * only where their values do not. A sweep that stopped early has wide bounds, but true ones. epsilon 0: no sweeps.
 * Returns how many moves of the reference differ.
 */
static inline int check_methods(const ag_hog_rules *rules, double epsilon)
{
    table layers = solve_layers(cpu, rules), plain = solve_layers(reference, rules);
    /* two moves of equal worth lie within twice the error of each other: they must count as equal */
    if (!(layers.result.tie_tolerance >= 2.0 * layers.result.error))
        fail_at(&layers, 0, "ties may be missed");
    check_within_bounds(&layers, &plain, "layers and reference");
    const int n_differ = check_moves(&layers, &plain, "layers and reference");
    if (epsilon > 0.0) {
        table sweep = solve(cpu, rules, AG_HOG_SWEEP, epsilon);
        check_within_bounds(&layers, &sweep, "layers and sweeps");
        check_moves(&layers, &sweep, "layers and sweeps");
        free_table(&sweep);
    }
    free_table(&layers);
    free_table(&plain);
    return n_differ;
}

#endif
