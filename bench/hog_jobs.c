/*
 * hog_jobs.c -- jobs that solve Hog: one table, or many rule sets at once.
 *
 * Checked before timing: tables at small goals against the reference, value by value and move by move; in
 * larger ones, which would take it minutes, states here and there against what the reference makes of the
 * rest of the table; of many rule sets some, each solved alone too, which must give the same bits.
 */
#include "astragal/hog.h"
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

/* The reference takes 0.1 s for goal 100, and so much more as there are more states. */
#define REFERENCE_GOAL_MAX 300
/* States looked at in larger tables; odd, so that they do not line up with rows. */
#define N_STATES_CHECKED 101

/* A table as the reference has it. */
typedef struct {
    ag_hog_result result;
    double *win; /* NULL: too large */
    uint8_t *rolls;
} wanted_table;

typedef struct {
    size_t n; /* rule sets */
    ag_hog_rules *rules;
    ag_hog_result *results; /* of the last run */
    size_t n_members;       /* rule sets that are checked */
    wanted_table wanted[AG_BENCH_MEMBERS];
    double *win; /* room for one table */
    uint8_t *rolls;
} hog_state;

static size_t n_states(const ag_hog_rules *rules)
{
    return (size_t)rules->goal * (size_t)rules->goal;
}

/* ---------------------------------------------------------------------- inputs */

ag_status ag_bench_batch_rules(ag_ctx *ctx, size_t i, ag_hog_rules *out)
{
    static const ag_hog_bacon bacons[] = {AG_HOG_BACON_LARGEST_DIGIT, AG_HOG_BACON_DIGIT_DISTANCE,
                                          AG_HOG_BACON_PIG_TAIL, AG_HOG_BACON_BOAR_BRAWL};
    static const ag_hog_total totals[] = {AG_HOG_TOTAL_NONE, AG_HOG_TOTAL_SQUARE_SWINE, AG_HOG_TOTAL_SUS_FUSS,
                                          AG_HOG_TOTAL_HOG_PILE_EQUAL};
    static const ag_hog_swap swaps[] = {AG_HOG_SWAP_NONE, AG_HOG_SWAP_DOUBLE, AG_HOG_SWAP_REVERSED_DIGITS,
                                        AG_HOG_SWAP_MULTIPLES};
    _Static_assert(8 * 8 * AG_BENCH_COUNT(bacons) * AG_BENCH_COUNT(totals) * AG_BENCH_COUNT(swaps) == AG_BENCH_BATCH,
                   "every combination is one rule set");
    const ag_status status = ag_hog_rules_preset(ctx, "plain", out);
    if (status != AG_OK)
        return status;
    out->max_rolls = 3 + (int)(i % 8);
    out->pig_out = 1 + (int)(i / 8 % 8);
    out->bacon = bacons[i / 64 % AG_BENCH_COUNT(bacons)];
    out->total = totals[i / 256 % AG_BENCH_COUNT(totals)];
    out->swap = swaps[i / 1024 % AG_BENCH_COUNT(swaps)];
    return AG_OK;
}

/* Index of the rule set that member k is. */
static size_t member(const hog_state *s, size_t k)
{
    return s->n == 1 ? 0 : AG_BENCH_MEMBER(k);
}

static ag_status fill_rules(ag_bench_work *w, hog_state *s)
{
    ag_status status = AG_OK;
    for (size_t i = 0; i < s->n && status == AG_OK; i++) {
        status = w->job->preset ? ag_hog_rules_preset(w->ref, w->job->preset, &s->rules[i])
                                : ag_bench_batch_rules(w->ref, i, &s->rules[i]);
        s->rules[i].goal = w->job->goal;
    }
    return ag_bench_forward(w, status, w->ref);
}

/* The members as the reference solves them, timed. */
static ag_status ask_reference(ag_bench_work *w, hog_state *s)
{
    for (size_t k = 0; k < s->n_members; k++) {
        wanted_table *t = &s->wanted[k];
        const ag_hog_rules *rules = &s->rules[member(s, k)];
        t->win = malloc(n_states(rules) * sizeof *t->win);
        t->rolls = malloc(n_states(rules));
        if (!t->win || !t->rolls)
            return ag_bench_fail(w, AG_E_MEMORY, "no memory for a table of goal %d", rules->goal);
        const double start = ag_bench_now_ns();
        const ag_status status = ag_hog_solve(w->ref, rules, AG_HOG_LAYERS, 1.0, t->win, t->rolls, &t->result);
        w->reference_ns += ag_bench_now_ns() - start;
        if (status != AG_OK)
            return ag_bench_forward(w, status, w->ref);
    }
    w->n_reference_items = w->n_items * (double)s->n_members / (double)s->n;
    return AG_OK;
}

static ag_status create(ag_bench_work *w)
{
    hog_state *s = w->state = calloc(1, sizeof *s);
    if (!s)
        return ag_bench_fail(w, AG_E_MEMORY, "no memory for a job");
    s->n = w->job->preset ? 1 : w->job->n_tables;
    s->n_members = w->job->preset ? 1 : AG_BENCH_MEMBERS;
    s->rules = calloc(s->n, sizeof *s->rules);
    s->results = calloc(s->n, sizeof *s->results);
    if (!s->rules || !s->results)
        return ag_bench_fail(w, AG_E_MEMORY, "no memory for %zu rule sets", s->n);
    const ag_status status = fill_rules(w, s);
    if (status != AG_OK)
        return status;

    const size_t n = n_states(&s->rules[0]);
    const double needed = ag_hog_solve_bytes(&s->rules[0], AG_HOG_LAYERS) + 9.0 * (double)n;
    const double present = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (needed > present)
        return ag_bench_fail(w, AG_E_MEMORY, "needs %.3g bytes of memory, this machine has %.3g", needed, present);
    s->win = malloc(n * sizeof *s->win);
    s->rolls = malloc(n);
    if (!s->win || !s->rolls)
        return ag_bench_fail(w, AG_E_MEMORY, "no memory for a table of goal %d", w->job->goal);
    w->n_items = w->job->goal > REFERENCE_GOAL_MAX ? (double)n : (double)s->n;
    return w->job->goal > REFERENCE_GOAL_MAX ? AG_OK : ask_reference(w, s);
}

static void free_state(void *state)
{
    hog_state *s = state;
    if (!s)
        return;
    for (size_t k = 0; k < s->n_members; k++) {
        free(s->wanted[k].win);
        free(s->wanted[k].rolls);
    }
    free(s->rules);
    free(s->results);
    free(s->win);
    free(s->rolls);
    free(s);
}

/* ------------------------------------------------------------------------- run */

static ag_status run(ag_bench_work *w, ag_ctx *ctx)
{
    hog_state *s = w->state;
    const bool back = w->job->read_back;
    const ag_status status = s->n == 1 ? ag_hog_solve(ctx, s->rules, AG_HOG_LAYERS, 1.0, back ? s->win : NULL,
                                                      back ? s->rolls : NULL, s->results)
                                       : ag_hog_solve_many(ctx, s->n, s->rules, s->results);
    return ag_bench_forward(w, status, ctx);
}

/* ----------------------------------------------------------------------- check */

/* Not over the bytes of the struct: some of them are padding. */
static uint64_t hash_result(uint64_t hash, const ag_hog_result *r)
{
    const double reals[] = {r->first_player_win, r->lower, r->upper, r->error, r->tie_tolerance};
    return ag_bench_hash_u64(ag_bench_hash_doubles(hash, AG_BENCH_COUNT(reals), reals), (uint64_t)r->first_move);
}

static double move_value(const ag_hog_advice *advice, int rolls)
{
    for (int i = 0; i < advice->n_moves; i++)
        if (advice->moves[i].rolls == rolls)
            return advice->moves[i].win_probability;
    return -1.0; /* not a move at all */
}

/* State i of the table in s->win follows from the others: its value is that of the best move, and its move
 * is as good. Each side is within r->error of the truth. */
static ag_status check_state(ag_bench_work *w, const ag_hog_rules *rules, const ag_hog_result *r, size_t i)
{
    const hog_state *s = w->state;
    const int score = (int)(i / (size_t)rules->goal), opponent_score = (int)(i % (size_t)rules->goal);
    ag_hog_advice advice;
    const ag_status status = ag_hog_advise(w->ref, rules, s->win, score, opponent_score, &advice);
    if (status != AG_OK)
        return ag_bench_forward(w, status, w->ref);
    const double best = advice.moves[0].win_probability, allowed = 2.0 * r->error;
    if (!(fabs(s->win[i] - best) <= allowed))
        return ag_bench_fail(w, AG_E_CHECK,
                             "score %d, opponent_score %d: win probability %.17g, by reference from the rest of the "
                             "table %.17g (allowed difference %.3g)",
                             score, opponent_score, s->win[i], best, allowed);
    if (!(best - move_value(&advice, s->rolls[i]) <= r->tie_tolerance + allowed))
        return ag_bench_fail(w, AG_E_CHECK, "score %d, opponent_score %d: move %d is worth %.17g, move %d %.17g", score,
                             opponent_score, s->rolls[i], move_value(&advice, s->rolls[i]), advice.moves[0].rolls,
                             best);
    return AG_OK;
}

/* The table in s->win against that of the reference. */
static ag_status check_against(ag_bench_work *w, const ag_hog_rules *rules, const ag_hog_result *r,
                               const wanted_table *t)
{
    const hog_state *s = w->state;
    const double allowed = r->error + t->result.error;
    for (size_t i = 0; i < n_states(rules); i++) {
        if (!(fabs(s->win[i] - t->win[i]) <= allowed))
            return ag_bench_fail(w, AG_E_CHECK,
                                 "score %zu, opponent_score %zu: win probability %.17g, by reference %.17g (allowed "
                                 "difference %.3g)",
                                 i / (size_t)rules->goal, i % (size_t)rules->goal, s->win[i], t->win[i], allowed);
        const ag_status status = s->rolls[i] == t->rolls[i] ? AG_OK : check_state(w, rules, r, i);
        if (status != AG_OK)
            return status;
    }
    return AG_OK;
}

/* Member k, solved alone with its table. */
static ag_status check_member(ag_bench_work *w, ag_ctx *ctx, size_t k, uint64_t *digest)
{
    hog_state *s = w->state;
    const ag_hog_rules *rules = &s->rules[member(s, k)];
    const ag_hog_result *of_run = &s->results[member(s, k)];
    const size_t n = n_states(rules);
    ag_hog_result alone;
    ag_status status = ag_hog_solve(ctx, rules, AG_HOG_LAYERS, 1.0, s->win, s->rolls, &alone);
    if (status != AG_OK)
        return ag_bench_forward(w, status, ctx);
    if (hash_result(0, &alone) != hash_result(0, of_run))
        return ag_bench_fail(w, AG_E_CHECK,
                             "rule set %zu: win probability %.17g and first move %d, solved again with its table %.17g "
                             "and %d",
                             member(s, k), of_run->first_player_win, of_run->first_move, alone.first_player_win,
                             alone.first_move);
    if (s->wanted[k].win)
        status = check_against(w, rules, &alone, &s->wanted[k]);
    else
        for (size_t j = 0; j < N_STATES_CHECKED && status == AG_OK; j++)
            status = check_state(w, rules, &alone, j * (n - 1) / (N_STATES_CHECKED - 1));
    *digest = ag_bench_hash_bytes(ag_bench_hash_doubles(*digest, n, s->win), n, s->rolls);
    return status;
}

static ag_status check(ag_bench_work *w, ag_ctx *ctx, uint64_t *digest)
{
    const hog_state *s = w->state;
    ag_status status = AG_OK;
    *digest = AG_BENCH_HASH_START;
    for (size_t i = 0; i < s->n; i++)
        *digest = hash_result(*digest, &s->results[i]);
    for (size_t k = 0; k < s->n_members && status == AG_OK; k++)
        status = check_member(w, ctx, k, digest);
    return status;
}

const ag_bench_kind ag_bench_hog = {create, run, check, free_state};
