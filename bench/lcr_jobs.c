/*
 * lcr_jobs.c -- jobs that play games of LCR by the usual rules and count who won and how long it took.
 */
#include "astragal/lcr.h"
#include "bench.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SEED 1
/* The reference plays one game in so many, and its tallies are compared over these. */
#define REFERENCE_SHARE 100

typedef struct {
    uint64_t wins[AG_LCR_PLAYERS_MAX], histogram[AG_LCR_TURNS_BINS];
    ag_lcr_lengths lengths;
} lcr_tallies;

typedef struct {
    ag_lcr_rules rules;
    lcr_tallies got, first, wanted; /* of all games; of the first ones, and by the reference */
} lcr_state;

static ag_status play(ag_ctx *ctx, const lcr_state *s, uint64_t games, lcr_tallies *out)
{
    return ag_lcr_simulate(ctx, &s->rules, SEED, 0, games, out->wins, &out->lengths, out->histogram);
}

static ag_status create(ag_bench_work *w)
{
    lcr_state *s = w->state = calloc(1, sizeof *s);
    if (!s)
        return ag_bench_fail(w, AG_E_MEMORY, "no memory for tallies");
    const ag_status status = ag_lcr_rules_default(w->ref, w->job->players, &s->rules);
    if (status != AG_OK)
        return ag_bench_forward(w, status, w->ref);
    const uint64_t games = w->job->n_games / REFERENCE_SHARE;
    const double start = ag_bench_now_ns();
    const ag_status played = play(w->ref, s, games, &s->wanted);
    w->reference_ns = ag_bench_now_ns() - start;
    w->n_reference_items = (double)games;
    w->n_items = (double)w->job->n_games;
    return ag_bench_forward(w, played, w->ref);
}

static ag_status run(ag_bench_work *w, ag_ctx *ctx)
{
    lcr_state *s = w->state;
    return ag_bench_forward(w, play(ctx, s, w->job->n_games, &s->got), ctx);
}

/* The first games as the reference has them, to the last one. */
static ag_status check_first_games(ag_bench_work *w, ag_ctx *ctx)
{
    lcr_state *s = w->state;
    const uint64_t games = w->job->n_games / REFERENCE_SHARE;
    const ag_status status = play(ctx, s, games, &s->first);
    if (status != AG_OK)
        return ag_bench_forward(w, status, ctx);
    for (int i = 0; i < s->rules.players; i++)
        if (s->first.wins[i] != s->wanted.wins[i])
            return ag_bench_fail(w, AG_E_CHECK,
                                 "seed %d, %" PRIu64 " games: seat %d won %" PRIu64 ", by reference %" PRIu64, SEED,
                                 games, i, s->first.wins[i], s->wanted.wins[i]);
    for (int t = 0; t < AG_LCR_TURNS_BINS; t++)
        if (s->first.histogram[t] != s->wanted.histogram[t])
            return ag_bench_fail(w, AG_E_CHECK,
                                 "seed %d, %" PRIu64 " games: %" PRIu64 " had %d turns, by reference %" PRIu64, SEED,
                                 games, s->first.histogram[t], t, s->wanted.histogram[t]);
    if (memcmp(&s->first.lengths, &s->wanted.lengths, sizeof s->wanted.lengths) != 0)
        return ag_bench_fail(w, AG_E_CHECK, "seed %d, %" PRIu64 " games: %" PRIu64 " turns, by reference %" PRIu64,
                             SEED, games, s->first.lengths.turns_sum, s->wanted.lengths.turns_sum);
    return AG_OK;
}

/* All games: each has a winner and a length. */
static ag_status check_all_games(ag_bench_work *w)
{
    const lcr_state *s = w->state;
    uint64_t wins = 0, games = 0;
    for (int i = 0; i < s->rules.players; i++)
        wins += s->got.wins[i];
    for (int t = 0; t < AG_LCR_TURNS_BINS; t++)
        games += s->got.histogram[t];
    if (wins != w->job->n_games || games != w->job->n_games)
        return ag_bench_fail(w, AG_E_CHECK, "%" PRIu64 " winners and %" PRIu64 " lengths of %" PRIu64 " games", wins,
                             games, w->job->n_games);
    return AG_OK;
}

static ag_status check(ag_bench_work *w, ag_ctx *ctx, uint64_t *digest)
{
    const lcr_state *s = w->state;
    ag_status status = check_all_games(w);
    if (status == AG_OK)
        status = check_first_games(w, ctx);
    *digest = AG_BENCH_HASH_START;
    for (int i = 0; i < s->rules.players; i++)
        *digest = ag_bench_hash_u64(*digest, s->got.wins[i]);
    for (int t = 0; t < AG_LCR_TURNS_BINS; t++)
        *digest = ag_bench_hash_u64(*digest, s->got.histogram[t]);
    return status;
}

const ag_bench_kind ag_bench_lcr = {create, run, check, free};
