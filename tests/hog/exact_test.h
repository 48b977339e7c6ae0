/*
 * exact_test.h -- one rule set held to exact rationals: every value inside its proven bounds, every move exactly the
 * canonical best, by layers, by sweeps and by the reference.
 */
#ifndef AG_TESTS_EXACT_TEST_H
#define AG_TESTS_EXACT_TEST_H

#include "methods_test.h"

#include "../oracle/hog_oracle.h"

static inline mpq_t *new_rationals(size_t n)
{
    mpq_t *q = malloc(n * sizeof *q);
    assert_non_null(q);
    for (size_t i = 0; i < n; i++)
        mpq_init(q[i]);
    return q;
}

static inline void free_rationals(mpq_t *q, size_t n)
{
    for (size_t i = 0; i < n; i++)
        mpq_clear(q[i]);
    free(q);
}

/* ------------------------------------------------------------------ exact play */

/* A rule set solved exactly, with the laws of its rolls before the turn-score rules. */
typedef struct {
    ag_hog_rules rules;
    mpq_t *win; /* [goal][goal] */
    int *rolls; /* [goal][goal], the canonical moves */
    size_t n_points;
    mpq_t *law[2][AG_HOG_ROLLS_MAX + 1]; /* [wild][n][n_points] */
} exact;

static inline exact *solve_exactly(const ag_hog_rules *rules)
{
    exact *e = calloc(1, sizeof *e);
    assert_non_null(e);
    ag_hog_rules raw = *rules;
    raw.turn_score[0] = AG_HOG_TURN_NONE;
    const int faces = rules->faces > 4 ? rules->faces : 4, sum = rules->max_rolls * faces;
    e->rules = *rules;
    e->n_points = (size_t)(sum > rules->pig_out ? sum : rules->pig_out) + 1;
    e->win = new_rationals(n_states(rules));
    e->rolls = calloc(n_states(rules), sizeof *e->rolls);
    assert_non_null(e->rolls);
    hog_oracle_solve(rules, e->win, e->rolls);
    for (int wild = 0; wild < (rules->wild == AG_HOG_WILD_NONE ? 1 : 2); wild++)
        for (int n = 1; n <= rules->max_rolls; n++) {
            e->law[wild][n] = new_rationals(e->n_points);
            hog_oracle_law(&raw, wild, n, e->n_points, e->law[wild][n]);
        }
    return e;
}

static inline void free_exact(exact *e)
{
    free_rationals(e->win, n_states(&e->rules));
    for (int wild = 0; wild < 2; wild++)
        for (int n = 1; n <= e->rules.max_rolls; n++)
            if (e->law[wild][n])
                free_rationals(e->law[wild][n], e->n_points);
    free(e->rolls);
    free(e);
}

/* Adds p times what the turn is worth to its player. */
static inline void add_turn(const exact *e, int s, int o, int n, int points, const mpq_t p, mpq_t worth)
{
    const ag_hog_turn_result t = hog_oracle_turn(&e->rules, s, o, n, points);
    const int goal = e->rules.goal;
    mpq_t term;
    mpq_init(term);
    if (t.over)
        mpq_set_si(term, t.score > t.opponent_score ? 2 : t.score == t.opponent_score, 2);
    else if (t.again)
        mpq_set(term, e->win[AT(goal, t.score, t.opponent_score)]);
    else {
        mpq_set_si(term, 1, 1);
        mpq_sub(term, term, e->win[AT(goal, t.opponent_score, t.score)]);
    }
    mpq_canonicalize(term);
    mpq_mul(term, term, p);
    mpq_add(worth, worth, term);
    mpq_clear(term);
}

/* The exact worth of n dice at (s, o), optimal play afterwards. */
static inline void move_worth(const exact *e, int s, int o, int n, mpq_t worth)
{
    const int wild = hog_oracle_wild(&e->rules, s, o);
    mpq_t sure;
    mpq_init(sure);
    mpq_set_si(sure, 1, 1);
    mpq_set_si(worth, 0, 1);
    if (n == 0)
        add_turn(e, s, o, 0, hog_oracle_bacon(&e->rules, s, o), sure, worth);
    else
        for (size_t k = 0; k < e->n_points; k++)
            if (mpq_sgn(e->law[wild][n][k]) > 0)
                add_turn(e, s, o, n, (int)k, e->law[wild][n][k], worth);
    mpq_clear(sure);
}

/* |win - exact| <= error, all in rationals. */
static inline int contains(double win, double error, const mpq_t value)
{
    mpq_t difference, bound;
    mpq_inits(difference, bound, NULL);
    mpq_set_d(difference, win);
    mpq_sub(difference, difference, value);
    mpq_abs(difference, difference);
    mpq_set_d(bound, error);
    const int inside = mpq_cmp(difference, bound) <= 0;
    mpq_clears(difference, bound, NULL);
    return inside;
}

/* Every value of the table inside its bounds. */
static inline void check_values(const exact *e, const table *t, const char *name)
{
    char text[RULES_TEXT];
    for (size_t i = 0; i < n_states(&e->rules); i++)
        if (!contains(t->win[i], t->result.error, e->win[i]))
            fail_msg("%s, state (%zu, %zu): %s: %.17g is not within %g of the exact %.17g", rules_text(&e->rules, text),
                     i / (size_t)e->rules.goal, i % (size_t)e->rules.goal, name, t->win[i], t->result.error,
                     mpq_get_d(e->win[i]));
}

/*
 * Every move of the table is exactly canonical, or loses no more than the tie tolerance allows: a move that
 * is worth as much as the canonical one, and is another, never passes. Returns how many lose something.
 */
static inline int check_canonical(const exact *e, const table *t, const char *name)
{
    char text[RULES_TEXT];
    int n_near = 0;
    mpq_t loss;
    mpq_init(loss);
    for (size_t i = 0; i < n_states(&e->rules); i++) {
        const int s = (int)(i / (size_t)e->rules.goal), o = (int)(i % (size_t)e->rules.goal);
        if (t->rolls[i] == e->rolls[i])
            continue;
        n_near++;
        move_worth(e, s, o, t->rolls[i], loss);
        mpq_sub(loss, e->win[i], loss);
        if (mpq_sgn(loss) <= 0 || mpq_get_d(loss) > t->result.tie_tolerance + 2.0 * t->result.error)
            fail_msg("%s, state (%d, %d): %s: %d dice, exactly best are %d; worth %.17g, an exact loss of %g; tie "
                     "tolerance %g",
                     rules_text(&e->rules, text), s, o, name, t->rolls[i], e->rolls[i], mpq_get_d(e->win[i]),
                     mpq_get_d(loss), t->result.tie_tolerance);
    }
    mpq_clear(loss);
    return n_near;
}

/* Layers, the reference and (if wanted) sweeps against exact play. Returns how many moves of the layers lose
 * something, all of it within the tie tolerance. */
static inline int check_exactly(const ag_hog_rules *rules, int sweeps_too)
{
    exact *e = solve_exactly(rules);
    table layers = solve_layers(cpu, rules), plain = solve_layers(reference, rules);
    check_values(e, &layers, "layers");
    check_values(e, &plain, "reference");
    const int n_near = check_canonical(e, &layers, "layers");
    check_canonical(e, &plain, "reference");
    if (sweeps_too) {
        table sweep = solve(cpu, rules, AG_HOG_SWEEP, 1e-12);
        check_values(e, &sweep, "sweeps");
        check_canonical(e, &sweep, "sweeps");
        free_table(&sweep);
    }
    free_table(&layers);
    free_table(&plain);
    free_exact(e);
    return n_near;
}

#endif
