/*
 * test_simulate.c -- games of LCR on every device: the same tallies as the reference to the last game, whatever the
 * rules, the lanes and the split; games that can be foretold; exact odds; errors.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "astragal/lcr.h"
#include "device/device.h"
#include "ag_kl.h"
#include "lcr_play_params.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POISON 0xA5
#define SEED   UINT64_C(0x0123456789ABCDEF)
#define FROM   UINT64_C(0x00000005FFFFFF00) /* the low word of the number runs over */

/* Where games are played, and what is set in the environment while the device opens (NULL: nothing). */
typedef struct {
    const char *backend;
    int device, n_threads;
    const char *variable, *value;
} where;

static const where places[] = {
    {"cpu", 0, 1, "AG_ISA", "base"}, {"cpu", 0, 2, "AG_ISA", "avx2"},      {"cpu", 0, 1, "AG_ISA", "avx512"},
    {"cpu", 0, 7, NULL, NULL},       {"opencl", 0, 0, NULL, NULL},         {"opencl", 0, 0, "AG_OPENCL_LANES", "7"},
    {"cuda", 0, 0, NULL, NULL},      {"cuda", 0, 0, "AG_CUDA_LANES", "7"}, {"cuda", AG_ALL_DEVICES, 0, NULL, NULL},
};
#define N_PLACES AG_COUNT(places)

static ag_ctx *ctx_of[N_PLACES]; /* NULL: not here */
static ag_ctx *reference;

/* All that a call gives. */
typedef struct {
    uint64_t wins[AG_LCR_PLAYERS_MAX];
    uint64_t histogram[AG_LCR_TURNS_BINS];
    ag_lcr_lengths lengths;
} outcome;

static outcome want, got, more;

static int open_all(void **state)
{
    (void)state;
    if (ag_ctx_create(&reference) != AG_OK || ag_ctx_use(reference, "reference", 0, 0) != AG_OK)
        return -1;
    for (size_t i = 0; i < N_PLACES; i++) {
        const where *w = &places[i];
        if (ag_ctx_create(&ctx_of[i]) != AG_OK || (w->variable && setenv(w->variable, w->value, 1)))
            return -1;
        const ag_status status = ag_ctx_use(ctx_of[i], w->backend, w->device, w->n_threads);
        if (w->variable)
            unsetenv(w->variable);
        if (status == AG_OK)
            continue;
        print_message("%s %s is skipped: %s\n", w->backend, w->value ? w->value : "", ag_ctx_message(ctx_of[i]));
        if (status != AG_E_NOTFOUND && !strstr(ag_ctx_message(ctx_of[i]), "what this processor has"))
            return -1; /* broken, not absent */
        ag_ctx_free(ctx_of[i]);
        ctx_of[i] = NULL;
    }
    return 0;
}

static int free_all(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_PLACES; i++)
        ag_ctx_free(ctx_of[i]);
    ag_ctx_free(reference);
    return 0;
}

static const char *rules_text(const ag_lcr_rules *r)
{
    static char text[120];
    snprintf(text, sizeof text, "--players %d --coins %d --cap %d --first %d --faces %d,%d,%d,%d", r->players, r->coins,
             r->cap, r->first, r->faces[0], r->faces[1], r->faces[2], r->faces[3]);
    return text;
}

static void poison(outcome *o)
{
    memset(o, POISON, sizeof *o);
}

static void play(ag_ctx *ctx, const ag_lcr_rules *rules, uint64_t from, uint64_t games, outcome *out)
{
    poison(out);
    if (ag_lcr_simulate(ctx, rules, SEED, from, games, out->wins, &out->lengths, out->histogram) != AG_OK)
        fail_msg("%s, %" PRIu64 " games on %s: %s", rules_text(rules), games, ag_ctx_backend(ctx), ag_ctx_message(ctx));
}

/* Fails with what can be replayed, at the first difference. */
static void check_same(const char *where_text, const ag_lcr_rules *rules, uint64_t games, const outcome *have,
                       const outcome *wanted)
{
    for (int i = 0; i < rules->players; i++)
        if (have->wins[i] != wanted->wins[i])
            fail_msg("%s: %s, seed %" PRIu64 ", %" PRIu64 " games from %" PRIu64 ": seat %d won %" PRIu64
                     ", must be %" PRIu64,
                     where_text, rules_text(rules), SEED, games, FROM, i, have->wins[i], wanted->wins[i]);
    for (int i = 0; i < AG_LCR_TURNS_BINS; i++)
        if (have->histogram[i] != wanted->histogram[i])
            fail_msg("%s: %s, seed %" PRIu64 ", %" PRIu64 " games from %" PRIu64 ": %" PRIu64
                     " had %d turns, must be %" PRIu64,
                     where_text, rules_text(rules), SEED, games, FROM, have->histogram[i], i, wanted->histogram[i]);
    if (memcmp(&have->lengths, &wanted->lengths, sizeof have->lengths) != 0)
        fail_msg("%s: %s, %" PRIu64 " games: %" PRIu64 " turns, longest %" PRIu64 ", mean %.17g, deviation %.17g; must "
                 "be %" PRIu64 ", %" PRIu64 ", %.17g, %.17g",
                 where_text, rules_text(rules), games, have->lengths.turns_sum, have->lengths.turns_max,
                 have->lengths.turns_mean, have->lengths.turns_deviation, wanted->lengths.turns_sum,
                 wanted->lengths.turns_max, wanted->lengths.turns_mean, wanted->lengths.turns_deviation);
    if (rules->players < AG_LCR_PLAYERS_MAX) {
        uint64_t untouched;
        memset(&untouched, POISON, sizeof untouched);
        assert_true(have->wins[rules->players] == untouched);
    }
}

/* ----------------------------------------------------------------- all devices agree */

typedef struct {
    ag_lcr_rules rules;
    uint64_t games;
} game_case;

#define USUAL                                                                                                          \
    {                                                                                                                  \
        3, 1, 1, 1                                                                                                     \
    }
static const game_case cases[] = {
    {{4, 3, 3, 0, USUAL}, 1},           {{4, 3, 3, 0, USUAL}, 7},
    {{4, 3, 3, 0, USUAL}, 1001},        {{4, 3, 3, 3, USUAL}, 40001}, /* more than the lanes that are refilled */
    {{2, 3, 3, 1, USUAL}, 10007},       {{3, 3, 3, 0, USUAL}, 10007},
    {{5, 3, 3, 2, USUAL}, 1003},        {{6, 3, 3, 5, USUAL}, 1003},
    {{7, 3, 3, 4, USUAL}, 1003},        {{8, 3, 3, 0, USUAL}, 501},
    {{9, 3, 3, 8, USUAL}, 501},         {{10, 3, 3, 9, USUAL}, 2003},
    {{11, 3, 3, 1, USUAL}, 301},        {{13, 3, 3, 1, USUAL}, 301},
    {{17, 3, 3, 16, USUAL}, 301},       {{21, 3, 3, 1, USUAL}, 201},
    {{33, 3, 3, 17, USUAL}, 101},       {{1024, 3, 3, 1023, USUAL}, 5},
    {{2, 1, 1, 0, USUAL}, 1001},        {{2, 1, 16, 0, USUAL}, 1001},
    {{2, 255, 16, 0, USUAL}, 77},       {{2, 255, 1, 0, USUAL}, 33},
    {{3, 7, 2, 1, USUAL}, 301},         {{4, 1, 3, 2, USUAL}, 1001},
    {{4, 2, 1, 0, USUAL}, 1001},        {{4, 4, 2, 0, USUAL}, 1001},
    {{4, 5, 5, 0, USUAL}, 301},         {{4, 63, 16, 0, USUAL}, 77},
    {{4, 64, 3, 0, USUAL}, 77},         {{5, 6, 3, 0, USUAL}, 301},
    {{5, 7, 4, 0, USUAL}, 301},         {{7, 9, 3, 0, USUAL}, 301},
    {{10, 13, 7, 0, USUAL}, 101},       {{16, 15, 3, 0, USUAL}, 101},
    {{33, 255, 5, 32, USUAL}, 3},       {{3, 255, 3, 0, USUAL}, 33},
    {{5, 255, 3, 0, USUAL}, 33},                                     /* the last word would have one field */
    {{6, 255, 3, 0, USUAL}, 33},        {{12, 2, 3, 0, USUAL}, 101}, /* two bits to spare, and none */
    {{15, 1, 3, 0, USUAL}, 101},        {{8, 1, 2, 7, USUAL}, 301},
    {{4, 3, 3, 0, {0, 2, 2, 2}}, 1001}, {{4, 3, 3, 0, {0, 0, 0, 6}}, 33},
    {{4, 3, 3, 0, {0, 0, 5, 1}}, 1001}, {{4, 3, 3, 0, {0, 5, 0, 1}}, 1001},
    {{4, 3, 3, 1, {5, 0, 0, 1}}, 301},  {{4, 3, 3, 1, {1, 2, 0, 3}}, 1001},
    {{2, 3, 3, 0, {3, 3, 0, 0}}, 301}, /* coins never leave play */
    {{3, 2, 3, 2, {1, 2, 3, 0}}, 301},  {{4, 1, 1, 0, {2, 0, 4, 0}}, 301},
    {{7, 1, 2, 0, {2, 1, 2, 1}}, 301},
};

static void devices_agree(void **state)
{
    (void)state;
    for (size_t c = 0; c < AG_COUNT(cases); c++) {
        play(reference, &cases[c].rules, FROM, cases[c].games, &want);
        assert_string_equal(ag_ctx_backend(reference), "reference");
        for (size_t i = 0; i < N_PLACES; i++) {
            if (!ctx_of[i])
                continue;
            char text[80];
            const where *w = &places[i];
            snprintf(text, sizeof text, "%s, %d threads, %s", w->backend, w->n_threads, w->value ? w->value : "");
            play(ctx_of[i], &cases[c].rules, FROM, cases[c].games, &got);
            assert_string_equal(ag_ctx_backend(ctx_of[i]), w->backend);
            check_same(text, &cases[c].rules, cases[c].games, &got, &want);
        }
    }
}

/* The reference, too, is held to something: the lab's functions, and what follows from its own bins. */
static void reference_is_lab(void **state)
{
    (void)state;
    for (size_t c = 0; c < AG_COUNT(cases); c++) {
        const ag_lcr_rules *rules = &cases[c].rules;
        const uint64_t games = cases[c].games < 33 ? cases[c].games : 33;
        memset(&want, 0, sizeof want);
        for (uint64_t g = 0; g < games; g++) {
            ag_lcr_dice *dice = NULL;
            int winner = -1;
            uint64_t turns = 0;
            assert_int_equal(ag_lcr_dice_create(reference, rules, SEED, FROM + g, &dice), AG_OK);
            assert_int_equal(ag_lcr_game(reference, rules, dice, &winner, &turns, NULL), AG_OK);
            ag_lcr_dice_free(dice);
            want.wins[winner]++;
            want.histogram[turns < AG_LCR_TURNS_BINS - 1 ? turns : AG_LCR_TURNS_BINS - 1]++;
        }
        play(reference, rules, FROM, games, &got);
        double mean = 0.0, squares = 0.0;
        for (int t = 0; t < AG_LCR_TURNS_BINS - 1; t++)
            mean += (double)want.histogram[t] * t / (double)games;
        for (int t = 0; t < AG_LCR_TURNS_BINS - 1; t++)
            squares += (double)want.histogram[t] * (t - mean) * (t - mean);
        assert_true(got.lengths.games == games);
        if (want.histogram[AG_LCR_TURNS_BINS - 1] == 0) {
            assert_true(fabs(got.lengths.turns_mean - mean) <= 1e-12 * mean);
            assert_true(fabs(got.lengths.turns_deviation - sqrt(squares / fmax(1.0, (double)games - 1.0))) <=
                        1e-9 * mean);
        }
        want.lengths = got.lengths;
        memset(want.wins + rules->players, POISON, sizeof want.wins - (size_t)rules->players * sizeof want.wins[0]);
        check_same("reference", rules, games, &got, &want);
    }
}

/* ------------------------------------------------------------------------ foretold */

/*
 * Every die takes a coin out, so all games are one: after some whole rounds everybody has at most `cap` coins, which
 * the first movers lose in the last round; who moves last in it wins before he moves.
 */
static void check_all_out(ag_ctx *ctx, int players, int coins, int cap, int first, uint64_t games)
{
    const ag_lcr_rules rules = {players, coins, cap, first, {0, 0, 0, 6}};
    const uint64_t turns = (uint64_t)(coins - 1) / (uint64_t)cap * (uint64_t)players + (uint64_t)players - 1;
    memset(&want, 0, sizeof want);
    memset(want.wins + players, POISON, sizeof want.wins - (size_t)players * sizeof want.wins[0]);
    want.wins[(first + players - 1) % players] = games;
    want.histogram[turns < AG_LCR_TURNS_BINS - 1 ? turns : AG_LCR_TURNS_BINS - 1] = games;
    want.lengths = (ag_lcr_lengths){.games = games,
                                    .turns_mean = (double)turns,
                                    .turns_max = turns,
                                    .turns_sum = games * turns,
                                    .turns_squares = {games * turns * turns}};
    play(ctx, &rules, 0, games, &got);
    check_same(ag_ctx_backend(ctx), &rules, games, &got, &want);
}

static void all_out_in_known_turns(void **state)
{
    (void)state;
    static const int players[] = {2, 3, 4, 7, 10, 33}, coins[] = {1, 2, 3, 4, 17, 255}, caps[] = {1, 2, 3, 4, 16};
    for (size_t i = 0; i <= N_PLACES; i++) {
        ag_ctx *ctx = i < N_PLACES ? ctx_of[i] : reference;
        if (!ctx)
            continue;
        for (size_t n = 0; n < AG_COUNT(players); n++)
            for (size_t c = 0; c < AG_COUNT(coins); c++)
                for (size_t k = 0; k < AG_COUNT(caps); k++)
                    check_all_out(ctx, players[n], coins[c], caps[k], (int)(n + c + k) % players[n], 3);
        check_all_out(ctx, 2, 1, 1, 1, 10000); /* a turn a game */
        /* around the bin of all that is longer, and far beyond it */
        check_all_out(ctx, 258, 254, 1, 1, 3);   /* 65531 */
        check_all_out(ctx, 257, 255, 1, 1, 3);   /* 65534 */
        check_all_out(ctx, 331, 198, 1, 0, 3);   /* 65537 */
        check_all_out(ctx, 1024, 255, 1, 5, 20); /* 261119 */
    }
}

/* ----------------------------------------------------------------------- exact odds */

/*
 * Against the exact values of the rules' page, computed elsewhere. Wins are binomial, and the mean of so many lengths
 * as good as normal: one of these 13 comparisons of one fixed seed is off by more than 5.5 standard errors with
 * probability 13 * 3.8e-8 = 5e-7.
 */
static void odds_are_exact(void **state)
{
    (void)state;
    static const struct {
        int players;
        double turns, win[5];
    } exact[] = {
        {2, 5.809886251535, {0.382074917290, 0.617925082710}},
        {3, 18.863028485351, {0.306843014247, 0.328018729743, 0.365138256010}},
        {5, 49.934824634719, {0.193706527740, 0.193808158892, 0.199938050774, 0.206321769573, 0.206225493020}},
    };
    const uint64_t games = 2000000;
    ag_ctx *ctx = NULL;
    assert_int_equal(ag_ctx_create(&ctx), AG_OK);
    assert_int_equal(ag_ctx_use(ctx, "cpu", 0, 0), AG_OK);
    for (size_t e = 0; e < AG_COUNT(exact); e++) {
        const ag_lcr_rules rules = {exact[e].players, 3, 3, 0, USUAL};
        play(ctx, &rules, 0, games, &got);
        const double z_turns =
            (got.lengths.turns_mean - exact[e].turns) * sqrt((double)games) / got.lengths.turns_deviation;
        if (!(fabs(z_turns) <= 5.5))
            fail_msg("%d players: %.12g turns, exactly %.12g: z = %.3g", exact[e].players, got.lengths.turns_mean,
                     exact[e].turns, z_turns);
        for (int i = 0; i < exact[e].players; i++) {
            const double p = exact[e].win[i], mean = p * (double)games;
            const double z = ((double)got.wins[i] - mean) / sqrt(mean * (1.0 - p));
            if (!(fabs(z) <= 5.5))
                fail_msg("%d players: seat %d won %" PRIu64 " of %" PRIu64 ", expected %.12g: z = %.3g",
                         exact[e].players, i, got.wins[i], games, mean, z);
        }
    }
    ag_ctx_free(ctx);
}

/* ---------------------------------------------------------------------------- parts */

static void parts_add_up(void **state)
{
    (void)state;
    static const uint64_t parts[] = {1, 7, 600, 1, 4000, 391};
    static const ag_lcr_rules rules[] = {{4, 3, 3, 0, USUAL}, {10, 3, 3, 0, USUAL}, {33, 3, 3, 0, USUAL}};
    for (size_t r = 0; r < AG_COUNT(rules); r++)
        for (size_t i = 0; i < N_PLACES; i++) {
            if (!ctx_of[i])
                continue;
            uint64_t done = 0;
            memset(&more, 0, sizeof more);
            memset(more.wins + rules[r].players, POISON,
                   sizeof more.wins - (size_t)rules[r].players * sizeof(uint64_t));
            for (size_t k = 0; k < AG_COUNT(parts); k++, done += parts[k - 1]) {
                play(ctx_of[i], &rules[r], FROM + done, parts[k], &got);
                for (int s = 0; s < rules[r].players; s++)
                    more.wins[s] += got.wins[s];
                for (int t = 0; t < AG_LCR_TURNS_BINS; t++)
                    more.histogram[t] += got.histogram[t];
                ag_lcr_lengths_add(&more.lengths, &got.lengths);
            }
            play(ctx_of[i], &rules[r], FROM, done, &got);
            check_same(ag_ctx_backend(ctx_of[i]), &rules[r], done, &more, &got);
            play(ctx_of[i], &rules[r], FROM, done, &want); /* and once more */
            check_same(ag_ctx_backend(ctx_of[i]), &rules[r], done, &got, &want);
        }
}

/* The last number that a game can have, and no histogram. */
static void last_game(void **state)
{
    (void)state;
    const ag_lcr_rules rules = {4, 3, 3, 0, USUAL};
    play(reference, &rules, UINT64_MAX - 2, 3, &want);
    for (size_t i = 0; i < N_PLACES; i++) {
        if (!ctx_of[i])
            continue;
        poison(&got);
        memset(got.histogram, 0, sizeof got.histogram);
        assert_int_equal(ag_lcr_simulate(ctx_of[i], &rules, SEED, UINT64_MAX - 2, 3, got.wins, &got.lengths, NULL), 0);
        memcpy(got.histogram, want.histogram, sizeof got.histogram);
        check_same(ag_ctx_backend(ctx_of[i]), &rules, 3, &got, &want);
    }
}

/* Lengths of many games: nothing is lost where sums pass 64 bits and where all lengths are alike. */
static void lengths_add(void **state)
{
    (void)state;
    ag_lcr_lengths sum = {0};
    const uint64_t turns = UINT64_C(3) << 30, games = UINT64_C(1) << 30;
    ag_lcr_lengths some = {.games = games,
                           .turns_max = turns,
                           .turns_sum = games * turns,
                           .turns_squares = {0, UINT64_C(9) << 26}}; /* 2^30 (3 2^30)^2 = 9 2^90 */
    ag_lcr_lengths_add(&sum, &some);
    assert_true(sum.turns_mean == (double)turns && sum.turns_deviation == 0.0 && sum.turns_max == turns);
    some.turns_sum = games * (turns + 2); /* as many games that are longer by two: a deviation of one */
    some.turns_max = turns + 2;
    some.turns_squares[0] = 4 * games * turns + 4 * games; /* 2^32 3 2^30 = 3 2^62 and 2^32 */
    ag_lcr_lengths_add(&sum, &some);
    assert_true(sum.games == 2 * games && sum.turns_max == turns + 2);
    assert_true(sum.turns_mean == (double)turns + 1.0);
    assert_true(fabs(sum.turns_deviation - sqrt((double)games * 2.0 / ((double)games * 2.0 - 1.0))) < 1e-15);
}

/* --------------------------------------------------------------------------- kernel */

/* Lets agk_lcr_play play with a few turns a launch, many launches long. Returns games that ran out of dice. */
static uint32_t play_in_bits(ag_ctx *ctx, agk_lcr_params p, uint32_t n_groups, outcome *out)
{
    ag_device *dev = NULL;
    ag_buf bufs[AG_N_BUFS] = {0};
    uint32_t left[2] = {0, 0};
    const size_t n_slots = (size_t)n_groups * p.n_slots, n_row = p.players + AG_LCR_BINS;
    uint32_t *rows = calloc(n_row * p.n_copies, sizeof *rows);
    uint32_t *fives = malloc(AG_LCR_FIVES * sizeof *fives);
    assert_true(rows && fives);
    for (uint32_t i = 0; i < AG_LCR_FIVES; i++) {
        fives[i] = 0;
        for (uint32_t rest = i, die = 5; die-- > 0; rest /= 6) {
            const uint32_t letter = p.letters >> (2 * (rest % 6)) & 3;
            fives[i] |= (letter % 2) << die | (letter / 2) << (10 + die);
        }
    }
    assert_int_equal(ag_device_get(ctx, 0, &dev), AG_OK);
    assert_int_equal(ag_device_scratch(ctx, dev, 0, n_row * p.n_copies * sizeof *rows, &bufs[0]), AG_OK);
    assert_int_equal(ag_device_scratch(ctx, dev, 1, sizeof left, &bufs[1]), AG_OK);
    assert_int_equal(ag_device_scratch(ctx, dev, 2, AG_LCR_FIVES * sizeof *fives, &bufs[2]), AG_OK);
    assert_int_equal(ag_device_scratch(ctx, dev, 3, n_slots * sizeof(agk_lcr_slot), &bufs[3]), AG_OK);
    assert_int_equal(ag_device_scratch(ctx, dev, 4, n_slots * p.players * sizeof(uint32_t), &bufs[4]), AG_OK);
    assert_int_equal(ag_device_write(ctx, dev, &bufs[0], 0, rows, n_row * p.n_copies * sizeof *rows), AG_OK);
    assert_int_equal(ag_device_write(ctx, dev, &bufs[2], 0, fives, AG_LCR_FIVES * sizeof *fives), AG_OK);
    do {
        left[0] = left[1] = 0;
        assert_int_equal(ag_device_write(ctx, dev, &bufs[1], 0, left, sizeof left), AG_OK);
        assert_int_equal(ag_device_launch(ctx, dev, AG_KERNEL_agk_lcr_play, n_groups, &p, sizeof p, bufs), AG_OK);
        assert_int_equal(ag_device_read(ctx, dev, &bufs[1], 0, left, sizeof left), AG_OK);
        p.resumed = 1;
    } while (left[0] > 0);
    assert_int_equal(ag_device_read(ctx, dev, &bufs[0], 0, rows, n_row * p.n_copies * sizeof *rows), AG_OK);
    memset(out, 0, sizeof *out);
    memset(out->wins + p.players, POISON, sizeof out->wins - p.players * sizeof out->wins[0]);
    for (uint32_t copy = 0; copy < p.n_copies; copy++) {
        for (uint32_t i = 0; i < p.players; i++)
            out->wins[i] += rows[copy * n_row + i];
        for (uint32_t i = 0; i < AG_LCR_BINS; i++)
            out->histogram[i] += rows[copy * n_row + p.players + i];
    }
    free(rows);
    free(fives);
    return left[1];
}

/* Tables that the quick kernel takes too; games are cut anywhere, slots are more or fewer than games and lanes. */
static void kernel_takes_any_split(void **state)
{
    (void)state;
    static const game_case some[] = {
        {{4, 3, 3, 1, USUAL}, 301}, {{2, 5, 16, 0, USUAL}, 100}, {{10, 3, 3, 0, USUAL}, 77}, {{40, 3, 2, 0, USUAL}, 9}};
    static const struct {
        uint32_t n_groups, n_slots, n_copies, n_turns;
    } splits[] = {{1, 1, 1, 5000}, {3, 5, 3, 7}, {5, 3, 2, 100}, {2, 40, 1, 1}, {1, 400, 1, 33}};
    for (size_t c = 0; c < AG_COUNT(some); c++) {
        const ag_lcr_rules *rules = &some[c].rules;
        play(reference, rules, FROM, some[c].games, &want);
        agk_lcr_params p = {
            .key = {(uint32_t)SEED, (uint32_t)(SEED >> 32)},
            .from = {(uint32_t)FROM, (uint32_t)(FROM >> 32)},
            .n_games = (uint32_t)some[c].games,
            .players = (uint32_t)rules->players,
            .coins = (uint32_t)rules->coins,
            .cap = (uint32_t)rules->cap,
            .first = (uint32_t)rules->first,
            .letters = 0xE40,                                     /* three dots, L, R, C */
            .reject = (uint32_t)((UINT64_C(1) << 32) % 60466176), /* 6^10 */
            .last_block = UINT32_MAX,
        };
        for (size_t i = 0; i < N_PLACES; i++)
            for (size_t s = 0; ctx_of[i] && s < AG_COUNT(splits); s++) {
                if (AG_PACK > 1 && splits[s].n_copies < splits[s].n_groups && strcmp(places[i].backend, "cuda") != 0)
                    continue; /* groups of one lane count without atomics, each in a copy of its own */
                p.n_slots = splits[s].n_slots;
                p.n_copies = splits[s].n_copies;
                p.n_turns = splits[s].n_turns;
                assert_int_equal(play_in_bits(ctx_of[i], p, splits[s].n_groups, &got), 0);
                got.lengths = want.lengths; /* told from the histogram */
                check_same(places[i].backend, rules, some[c].games, &got, &want);
            }
        /* a game that has only 40 dice, or 80: those that need more are told, the others counted */
        for (size_t i = 0; i < N_PLACES; i++) {
            if (!ctx_of[i])
                continue;
            uint32_t stuck[3];
            p.n_slots = p.n_games;
            p.n_copies = 1;
            p.n_turns = 5000;
            for (uint32_t k = 0; k < 3; k++) {
                uint64_t ended = 0;
                p.last_block = k;
                stuck[k] = play_in_bits(ctx_of[i], p, 1, &got);
                for (int s = 0; s < rules->players; s++)
                    ended += got.wins[s];
                assert_true(stuck[k] + ended == some[c].games);
            }
            p.last_block = UINT32_MAX;
            assert_true(stuck[0] >= stuck[1] && stuck[1] >= stuck[2] && stuck[0] > 0);
        }
    }
}

/* Games that have lasted very long when a launch takes them up: each ends with its next turn, all dice being C. */
static void long_games_are_summed(void **state)
{
    (void)state;
    __extension__ typedef unsigned __int128 wide;
    static const uint64_t turns[] = {65533, 65534, UINT64_C(0xFFFFFFFF), UINT64_C(0x100000000),
                                     UINT64_C(0xFEDCBA987654)};
    enum { N = AG_COUNT(turns) };
    const agk_lcr_params p = {
        .n_games = N,
        .players = 2,
        .coins = 1,
        .cap = 1,
        .letters = 0xFFF,
        .reject = (uint32_t)((UINT64_C(1) << 32) % 60466176),
        .n_copies = 1,
        .n_slots = N,
        .n_turns = 10,
        .resumed = 1,
        .last_block = UINT32_MAX,
    };
    static uint32_t fives[AG_LCR_FIVES], row[2 + AG_LCR_BINS];
    for (size_t i = 0; i < AG_LCR_FIVES; i++)
        fives[i] = 0x7C1F;
    for (size_t i = 0; i < N_PLACES; i++) {
        if (!ctx_of[i])
            continue;
        ag_device *dev = NULL;
        ag_buf bufs[AG_N_BUFS] = {0};
        agk_lcr_slot slots[N];
        uint32_t left[2] = {0}, coins[2 * N];
        for (size_t k = 0; k < N; k++) {
            slots[k] = (agk_lcr_slot){.game = k, .turns = turns[k], .holders = 2};
            slots[k].sums = (agk_lcr_sums){.sum = 1, .squares = {UINT64_MAX, 2}, .most = 3};
            coins[2 * k] = coins[2 * k + 1] = 1;
        }
        memset(row, 0, sizeof row);
        const struct {
            const void *from;
            size_t size;
        } data[] = {{row, sizeof row},
                    {left, sizeof left},
                    {fives, sizeof fives},
                    {slots, sizeof slots},
                    {coins, sizeof coins}};
        assert_int_equal(ag_device_get(ctx_of[i], 0, &dev), AG_OK);
        for (int b = 0; b < (int)AG_COUNT(data); b++) {
            assert_int_equal(ag_device_scratch(ctx_of[i], dev, b, data[b].size, &bufs[b]), AG_OK);
            assert_int_equal(ag_device_write(ctx_of[i], dev, &bufs[b], 0, data[b].from, data[b].size), AG_OK);
        }
        assert_int_equal(ag_device_launch(ctx_of[i], dev, AG_KERNEL_agk_lcr_play, 1, &p, sizeof p, bufs), AG_OK);
        assert_int_equal(ag_device_read(ctx_of[i], dev, &bufs[0], 0, row, sizeof row), AG_OK);
        assert_int_equal(ag_device_read(ctx_of[i], dev, &bufs[3], 0, slots, sizeof slots), AG_OK);
        assert_true(row[0] == 0 && row[1] == N && row[2 + 65534] == 1 && row[2 + 65535] == N - 1);
        for (size_t k = 0; k < N; k++) {
            const uint64_t t = turns[k] + 1;
            const int is_long = t > 65534;
            const wide squares = ((wide)2 << 64 | UINT64_MAX) + (is_long ? (wide)t * t : 0);
            assert_true(slots[k].game >= N);
            assert_true(slots[k].sums.sum == (is_long ? 1 + t : 1) && slots[k].sums.most == (is_long ? t : 3));
            assert_true(slots[k].sums.squares[0] == (uint64_t)squares &&
                        slots[k].sums.squares[1] == (uint64_t)(squares >> 64));
        }
    }
}

/* --------------------------------------------------------------------------- errors */

static void check_refused(ag_ctx *ctx, const ag_lcr_rules *rules, uint64_t from, uint64_t games, const char *message)
{
    poison(&got);
    poison(&want);
    assert_int_equal(ag_lcr_simulate(ctx, rules, SEED, from, games, got.wins, &got.lengths, got.histogram), AG_E_ARG);
    assert_string_equal(ag_ctx_message(ctx), message);
    assert_memory_equal(&got, &want, sizeof got);
}

static void errors(void **state)
{
    (void)state;
    const ag_lcr_rules good = {4, 3, 3, 0, USUAL};
    ag_lcr_rules bad = good;
    for (size_t i = 0; i <= N_PLACES; i++) {
        ag_ctx *ctx = i < N_PLACES ? ctx_of[i] : reference;
        if (!ctx)
            continue;
        check_refused(ctx, &good, 0, 0, "games is 0, must be 1..1000000000000");
        check_refused(ctx, &good, 0, UINT64_C(1000000000001), "games is 1000000000001, must be 1..1000000000000");
        check_refused(ctx, &good, UINT64_MAX - 1, 3,
                      "3 games from number 18446744073709551614: the last number is 18446744073709551615");
        bad.players = 1025;
        check_refused(ctx, &bad, 0, 1, "players is 1025, must be 2..1024");
        bad = good;
        bad.cap = 17;
        check_refused(ctx, &bad, 0, 1, "cap is 17, must be 1..16");
        bad = good;
        bad.first = 4;
        check_refused(ctx, &bad, 0, 1, "first is 4, must be 0..3");
    }
}

int main(void)
{
    setenv("AG_STANDIN_DEVICES", "3", 1); /* where the stand-in driver is, it plays three */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_agree),
        cmocka_unit_test(reference_is_lab),
        cmocka_unit_test(all_out_in_known_turns),
        cmocka_unit_test(odds_are_exact),
        cmocka_unit_test(parts_add_up),
        cmocka_unit_test(last_game),
        cmocka_unit_test(lengths_add),
        cmocka_unit_test(kernel_takes_any_split),
        cmocka_unit_test(long_games_are_summed),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, open_all, free_all);
}
