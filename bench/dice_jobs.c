/*
 * dice_jobs.c -- jobs that roll raw dice and count the faces.
 */
#include "astragal/rng.h"
#include "bench.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define FACES_MAX 100
#define SEED      1
#define GAME      0
/* The reference rolls one word in so many, and its counts are compared over these. */
#define REFERENCE_SHARE 100

typedef struct {
    uint64_t counts[FACES_MAX], wanted[FACES_MAX];
} dice_state;

static ag_status create(ag_bench_work *w)
{
    dice_state *s = w->state = calloc(1, sizeof *s);
    if (!s)
        return ag_bench_fail(w, AG_E_MEMORY, "no memory for counts");
    const uint64_t n_words = w->job->n_words / REFERENCE_SHARE;
    const double start = ag_bench_now_ns();
    const ag_status status = ag_dice_count(w->ref, SEED, GAME, w->job->faces, n_words, s->wanted);
    w->reference_ns = ag_bench_now_ns() - start;
    w->n_reference_items = (double)n_words * ag_dice_per_word(w->job->faces);
    w->n_items = (double)w->job->n_words * ag_dice_per_word(w->job->faces);
    return ag_bench_forward(w, status, w->ref);
}

static ag_status run(ag_bench_work *w, ag_ctx *ctx)
{
    dice_state *s = w->state;
    return ag_bench_forward(w, ag_dice_count(ctx, SEED, GAME, w->job->faces, w->job->n_words, s->counts), ctx);
}

/* The first words as the reference has them, face by face. */
static ag_status check_first_words(ag_bench_work *w, ag_ctx *ctx)
{
    const dice_state *s = w->state;
    uint64_t counts[FACES_MAX];
    const uint64_t n_words = w->job->n_words / REFERENCE_SHARE;
    const ag_status status = ag_dice_count(ctx, SEED, GAME, w->job->faces, n_words, counts);
    if (status != AG_OK)
        return ag_bench_forward(w, status, ctx);
    for (uint32_t f = 0; f < w->job->faces; f++)
        if (counts[f] != s->wanted[f])
            return ag_bench_fail(w, AG_E_CHECK,
                                 "seed %d, game %d, %" PRIu64 " words: face %u came %" PRIu64
                                 " times, by reference %" PRIu64,
                                 SEED, GAME, n_words, f + 1, counts[f], s->wanted[f]);
    return AG_OK;
}

/* All words: the number of dice, and faces equally likely. */
static ag_status check_all_words(ag_bench_work *w)
{
    const dice_state *s = w->state;
    const uint64_t n_dice = w->job->n_words * ag_dice_per_word(w->job->faces);
    const double expected = (double)n_dice / w->job->faces, freedom = w->job->faces - 1.0;
    uint64_t total = 0;
    double chi_square = 0.0;
    for (uint32_t f = 0; f < w->job->faces; f++) {
        const double difference = (double)s->counts[f] - expected;
        total += s->counts[f];
        chi_square += difference * difference / expected;
    }
    if (total != n_dice)
        return ag_bench_fail(w, AG_E_CHECK, "%" PRIu64 " dice were counted, not %" PRIu64, total, n_dice);
    /* P(chi-square >= k + 2 sqrt(k x) + 2 x) <= exp(-x) (Laurent and Massart, Annals of Statistics 28, 2000,
     * lemma 1); x = 20: true dice fail twice in 1e9 seeds, and this seed is fixed. */
    const double bound = freedom + 2.0 * sqrt(freedom * 20.0) + 2.0 * 20.0;
    if (!(chi_square <= bound))
        return ag_bench_fail(w, AG_E_CHECK, "chi-square of the faces is %.4g, must be at most %.4g", chi_square, bound);
    return AG_OK;
}

static ag_status check(ag_bench_work *w, ag_ctx *ctx, uint64_t *digest)
{
    const dice_state *s = w->state;
    ag_status status = check_all_words(w);
    if (status == AG_OK)
        status = check_first_words(w, ctx);
    *digest = AG_BENCH_HASH_START;
    for (uint32_t f = 0; f < w->job->faces; f++)
        *digest = ag_bench_hash_u64(*digest, s->counts[f]);
    return status;
}

const ag_bench_kind ag_bench_dice = {create, run, check, free};
