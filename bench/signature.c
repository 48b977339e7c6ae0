/*
 * signature.c -- one hash over the exact results of a fixed list of small jobs, the same on every backend.
 */
#include "astragal/rng.h"
#include "bench.h"

#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------------- hash */

uint64_t ag_bench_hash_bytes(uint64_t hash, size_t n, const uint8_t *x)
{
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ x[i]) * UINT64_C(0x100000001b3);
    return hash;
}

uint64_t ag_bench_hash_u64(uint64_t hash, uint64_t x)
{
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(x >> (8 * i));
    return ag_bench_hash_bytes(hash, sizeof bytes, bytes);
}

uint64_t ag_bench_hash_doubles(uint64_t hash, size_t n, const double *x)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        hash = ag_bench_hash_u64(hash, bits);
    }
    return hash;
}

static void add_integer(ag_bench_signature *s, uint64_t x)
{
    s->all = ag_bench_hash_u64(s->all, x);
    s->integers = ag_bench_hash_u64(s->integers, x);
}

static void add_result(ag_bench_signature *s, const ag_hog_result *r)
{
    const double reals[] = {r->first_player_win, r->lower, r->upper, r->error, r->tie_tolerance};
    s->all = ag_bench_hash_doubles(s->all, AG_BENCH_COUNT(reals), reals);
    s->all = ag_bench_hash_u64(s->all, (uint64_t)r->sweeps); /* not made by the reference */
    s->all = ag_bench_hash_u64(s->all, (uint64_t)r->converged);
    add_integer(s, (uint64_t)r->first_move);
}

/* ----------------------------------------------------------------------- jobs */

/* Beside every preset at its own goal: tables of several panels, with an odd edge, and the sweeps. */
static const struct {
    const char *preset;
    int goal;
    ag_hog_method method;
} tables[] = {
    {"cs61a-su23", 300, AG_HOG_LAYERS}, {"snowden", 260, AG_HOG_LAYERS},  {"cs61a-su23", 25, AG_HOG_SWEEP},
    {"cs61a-fa20", 25, AG_HOG_SWEEP},   {"cs61a-fa15", 25, AG_HOG_SWEEP}, {"snowden", 25, AG_HOG_SWEEP},
};
#define EPSILON 1e-12

static const struct {
    uint32_t faces;
    uint64_t game, n_words;
} dice[] = {
    {6, 0, 1000003},  {6, (UINT64_C(1) << 40) + 5, 4099}, {2, 1, 4097}, {4, 2, 100003}, {10, 3, 100003},
    {100, 4, 100003},
};
#define DICE_FACES_MAX 100
#define DICE_SEED      1

static ag_status sign_table(ag_ctx *ctx, const ag_hog_rules *rules, ag_hog_method method, ag_bench_signature *s)
{
    const size_t n = (size_t)rules->goal * (size_t)rules->goal;
    ag_hog_result result;
    double *win = malloc(n * sizeof *win);
    uint8_t *rolls = malloc(n);
    ag_status status = AG_E_MEMORY;
    if (win && rolls)
        status = ag_hog_solve(ctx, rules, method, EPSILON, win, rolls, &result);
    if (status == AG_OK) {
        s->all = ag_bench_hash_doubles(s->all, n, win);
        s->all = ag_bench_hash_bytes(s->all, n, rolls);
        s->integers = ag_bench_hash_bytes(s->integers, n, rolls);
        add_result(s, &result);
    }
    free(win);
    free(rolls);
    return status;
}

static ag_status sign_tables(ag_ctx *ctx, ag_bench_signature *s)
{
    ag_hog_rules rules;
    ag_status status = AG_OK;
    for (size_t i = 0; ag_hog_preset_name(i) && status == AG_OK; i++) {
        status = ag_hog_rules_preset(ctx, ag_hog_preset_name(i), &rules);
        if (status == AG_OK)
            status = sign_table(ctx, &rules, AG_HOG_LAYERS, s);
    }
    for (size_t i = 0; i < AG_BENCH_COUNT(tables) && status == AG_OK; i++) {
        status = ag_hog_rules_preset(ctx, tables[i].preset, &rules);
        rules.goal = tables[i].goal;
        if (status == AG_OK)
            status = sign_table(ctx, &rules, tables[i].method, s);
    }
    return status;
}

static ag_status sign_batch(ag_ctx *ctx, ag_bench_signature *s)
{
    ag_hog_rules rules[AG_BENCH_MEMBERS];
    ag_hog_result results[AG_BENCH_MEMBERS];
    ag_status status = AG_OK;
    for (size_t k = 0; k < AG_BENCH_MEMBERS && status == AG_OK; k++)
        status = ag_bench_batch_rules(ctx, AG_BENCH_MEMBER(k), &rules[k]);
    if (status == AG_OK)
        status = ag_hog_solve_many(ctx, AG_BENCH_MEMBERS, rules, results);
    for (size_t k = 0; k < AG_BENCH_MEMBERS && status == AG_OK; k++)
        add_result(s, &results[k]);
    return status;
}

static ag_status sign_dice(ag_ctx *ctx, ag_bench_signature *s)
{
    uint64_t counts[DICE_FACES_MAX];
    for (size_t i = 0; i < AG_BENCH_COUNT(dice); i++) {
        const ag_status status = ag_dice_count(ctx, DICE_SEED, dice[i].game, dice[i].faces, dice[i].n_words, counts);
        if (status != AG_OK)
            return status;
        for (uint32_t f = 0; f < dice[i].faces; f++)
            add_integer(s, counts[f]);
    }
    return AG_OK;
}

ag_status ag_bench_sign(ag_ctx *ctx, ag_bench_signature *out, char *why)
{
    ag_bench_signature s = {AG_BENCH_HASH_START, AG_BENCH_HASH_START};
    ag_status status = sign_tables(ctx, &s);
    if (status == AG_OK)
        status = sign_batch(ctx, &s);
    if (status == AG_OK)
        status = sign_dice(ctx, &s);
    if (status == AG_OK)
        *out = s;
    else
        snprintf(why, AG_BENCH_WHY, "signature: %s: %s", ag_status_name(status), ag_ctx_message(ctx));
    return status;
}
