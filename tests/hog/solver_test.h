/*
 * solver_test.h -- what the tests of Hog's solver share: contexts on every device, tables that are
 * poisoned before they are solved, random rule sets, and failure lines that can be replayed.
 */
#ifndef AG_TESTS_SOLVER_TEST_H
#define AG_TESTS_SOLVER_TEST_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "astragal/hog.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array)   (sizeof(array) / sizeof(array)[0])
#define AT(goal, s, o) ((size_t)(s) * (size_t)(goal) + (size_t)(o))

#define POISON_WIN   (-7.0)
#define POISON_ROLLS 0xEE
#define POISON_BYTE  0xA5

/* ------------------------------------------------------------------ contexts */

/* Where a job runs, and what is set in the environment while the device opens (NULL: nothing). */
typedef struct {
    const char *backend;
    int n_threads;
    const char *variable, *value;
} where;

/* One line that names it: "AG_ISA=base cpu, 2 threads". */
static inline const char *where_text(const where *w)
{
    static char text[120];
    snprintf(text, sizeof text, "%s%s%s%s%s, %d threads", w->variable ? w->variable : "", w->variable ? "=" : "",
             w->variable ? w->value : "", w->variable ? " " : "", w->backend, w->n_threads);
    return text;
}

/* A context on that device; NULL, after saying why, if the device or its instruction set is not here. */
static inline ag_ctx *open_ctx(const where *w)
{
    ag_ctx *ctx = NULL;
    if (ag_ctx_create(&ctx) != AG_OK)
        fail_msg("no context");
    if (w->variable)
        assert_int_equal(setenv(w->variable, w->value, 1), 0);
    const ag_status status = ag_ctx_use(ctx, w->backend, 0, w->n_threads);
    if (w->variable)
        assert_int_equal(unsetenv(w->variable), 0);
    if (status == AG_OK)
        return ctx;
    const int no_such_set = status == AG_E_ARG && strstr(ag_ctx_message(ctx), "what this processor has");
    if (status != AG_E_NOTFOUND && !no_such_set)
        fail_msg("%s: %s", where_text(w), ag_ctx_message(ctx));
    print_message("%s is skipped: %s\n", where_text(w), ag_ctx_message(ctx));
    ag_ctx_free(ctx);
    return NULL;
}

static inline ag_ctx *open_cpu(int n_threads)
{
    return open_ctx(&(where){"cpu", n_threads, NULL, NULL});
}

/* ----------------------------------------------------------------- rule sets */

#define RULES_TEXT 512

/* The rules as options that name them whole: "--rules plain --set goal=100 ...". */
static inline const char *rules_text(const ag_hog_rules *rules, char text[RULES_TEXT])
{
    size_t length = (size_t)snprintf(text, RULES_TEXT, "--rules plain");
    for (size_t i = 0; ag_hog_key_name(i) != NULL; i++) {
        char key[100];
        ag_hog_rules_key(rules, i, key, sizeof key);
        length += (size_t)snprintf(text + length, RULES_TEXT - length, " --set %s", key);
    }
    return text;
}

/* The rules of a preset with the keys of `set`, separated by spaces, replaced. */
static inline ag_hog_rules make_rules(ag_ctx *ctx, const char *preset, const char *set)
{
    ag_hog_rules rules;
    char keys[200];
    snprintf(keys, sizeof keys, "%s", set);
    if (ag_hog_rules_preset(ctx, preset, &rules) != AG_OK)
        fail_msg("%s", ag_ctx_message(ctx));
    for (char *key = strtok(keys, " "); key != NULL; key = strtok(NULL, " "))
        if (ag_hog_rules_set(ctx, &rules, key) != AG_OK)
            fail_msg("%s", ag_ctx_message(ctx));
    return rules;
}

static inline ag_hog_rules with_goal(ag_hog_rules rules, int goal)
{
    rules.goal = goal;
    return rules;
}

/* SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014). */
static inline uint64_t random_word(uint64_t *seed)
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* lo..hi, near enough to uniform. */
static inline int random_int(uint64_t *seed, int lo, int hi)
{
    return lo + (int)(random_word(seed) % (uint64_t)(hi - lo + 1));
}

static inline int random_pig_out(uint64_t *seed)
{
    switch (random_int(seed, 0, 9)) {
    case 0:
    case 1:
    case 2:
        return 0;
    case 3:
    case 4:
        return 1;
    case 5:
    case 6:
        return AG_HOG_PIG_OUT_ONES;
    case 7:
    case 8:
        return AG_HOG_PIG_OUT_ONES_CAPPED;
    default:
        return random_int(seed, 2, 40);
    }
}

/* A rule set of that goal with every other key drawn from all its values. */
static inline ag_hog_rules random_rules(ag_ctx *ctx, uint64_t *seed, int goal)
{
    ag_hog_rules rules;
    do {
        rules = make_rules(ctx, "plain", "");
        rules.goal = goal;
        rules.max_rolls = random_int(seed, 1, 12);
        rules.faces = random_int(seed, 2, 10);
        rules.pig_out = random_pig_out(seed);
        rules.piggy_back = random_int(seed, 0, 3) == 0;
        rules.hog_tied = random_int(seed, 0, 3) == 0;
        rules.bacon = (ag_hog_bacon)random_int(seed, 0, AG_HOG_N_BACON - 1);
        rules.wild = (ag_hog_wild)random_int(seed, 0, AG_HOG_N_WILD - 1);
        for (int i = 0, n = random_int(seed, 0, AG_HOG_TURN_RULES_MAX); i < n; i++)
            rules.turn_score[i] = (ag_hog_turn)random_int(seed, 1, AG_HOG_N_TURN - 1);
        rules.total = (ag_hog_total)random_int(seed, 0, AG_HOG_N_TOTAL - 1);
        rules.swap = (ag_hog_swap)random_int(seed, 0, AG_HOG_N_SWAP - 1);
        rules.extra_turn = (ag_hog_extra)random_int(seed, 0, AG_HOG_N_EXTRA - 1);
    } while (ag_hog_rules_check(ctx, &rules) != AG_OK); /* a turn-score rule named twice, say */
    return rules;
}

/* -------------------------------------------------------------------- tables */

typedef struct {
    ag_hog_rules rules;
    ag_hog_result result;
    double *win;    /* [goal][goal] */
    uint8_t *rolls; /* [goal][goal] */
} table;

static inline size_t n_states(const ag_hog_rules *rules)
{
    return AT(rules->goal, rules->goal, 0);
}

/* Poisoned: nothing of it is a result. */
static inline table new_table(const ag_hog_rules *rules)
{
    const size_t n = n_states(rules);
    table t = {.rules = *rules, .win = malloc(n * sizeof *t.win), .rolls = malloc(n)};
    assert_non_null(t.win);
    assert_non_null(t.rolls);
    for (size_t i = 0; i < n; i++)
        t.win[i] = POISON_WIN;
    memset(t.rolls, POISON_ROLLS, n);
    memset(&t.result, POISON_BYTE, sizeof t.result);
    return t;
}

static inline void free_table(table *t)
{
    free(t->win);
    free(t->rolls);
    *t = (table){0};
}

/* Fails with the state, so that one can look it up. */
static inline void fail_at(const table *t, size_t i, const char *what)
{
    char text[RULES_TEXT];
    fail_msg("%s, state (%zu, %zu): %s: win %.17g, rolls %d, error %g", rules_text(&t->rules, text),
             i / (size_t)t->rules.goal, i % (size_t)t->rules.goal, what, t->win[i], t->rolls[i], t->result.error);
}

/* Every entry is written, a probability (and no -0), and an allowed move; the summary says what the table says. */
static inline void check_table(const table *t)
{
    const ag_hog_rules *rules = &t->rules;
    for (size_t i = 0; i < n_states(rules); i++) {
        const int sum = (int)(i / (size_t)rules->goal + i % (size_t)rules->goal);
        if (!(t->win[i] >= 0.0 && t->win[i] <= 1.0) || signbit(t->win[i]))
            fail_at(t, i, "no probability");
        if (t->rolls[i] > ag_hog_rolls_allowed(rules, sum, 0) ||
            (t->rolls[i] == 0 && rules->bacon == AG_HOG_BACON_NONE))
            fail_at(t, i, "no allowed move");
    }
    const ag_hog_result *r = &t->result;
    if (r->first_player_win != t->win[0] || r->first_move != t->rolls[0])
        fail_at(t, 0, "the result says otherwise");
    if (!(r->error >= 0.0 && r->tie_tolerance > 0.0) || r->lower != fmax(0.0, t->win[0] - r->error) ||
        r->upper != fmin(1.0, t->win[0] + r->error))
        fail_at(t, 0, "bounds do not fit the value");
}

static inline table solve(ag_ctx *ctx, const ag_hog_rules *rules, ag_hog_method method, double epsilon)
{
    char text[RULES_TEXT];
    table t = new_table(rules);
    if (ag_hog_solve(ctx, rules, method, epsilon, t.win, t.rolls, &t.result) != AG_OK)
        fail_msg("%s: %s", rules_text(rules, text), ag_ctx_message(ctx));
    check_table(&t);
    return t;
}

static inline table solve_layers(ag_ctx *ctx, const ag_hog_rules *rules)
{
    return solve(ctx, rules, AG_HOG_LAYERS, 0.0);
}

/* What the advice says that many dice are worth. */
static inline double advised(const ag_hog_advice *advice, int rolls)
{
    for (int i = 0; i < advice->n_moves; i++)
        if (advice->moves[i].rolls == rolls)
            return advice->moves[i].win_probability;
    fail_msg("%d dice are not among the %d moves", rolls, advice->n_moves);
    return 0.0;
}

#endif
