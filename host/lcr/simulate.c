/*
 * simulate.c -- games of LCR by the billion: shares them out over devices, adds up what was counted.
 */
#include "astragal/lcr.h"
#include "device/device.h"
#include "reference/reference.h"

#include "ag_kl.h"
#include "lcr_play_params.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

_Static_assert(AG_LCR_BINS == AG_LCR_TURNS_BINS, "bins");

/* Games of one run on a device: its 32-bit tallies cannot overflow. */
#define RUN_GAMES (UINT64_C(1) << 31)
/* Slots of a group, and turns of a slot in one launch. A GPU has up to 1024 lanes for them; elsewhere a group is one
 * lane, and several slots make their number odd enough for tests. */
#define GPU_SLOTS 1024u
#define CPU_SLOTS 8u
#define GPU_TURNS (1u << 17)
#define CPU_TURNS (1u << 20)
/* Of a CPU: so that one that is slow does not make all wait. */
#define GROUPS_A_THREAD 4u
/* Turns of a group in one launch that plays games to their ends, by turns_of_game(): some tenths of a second. */
#define GROUP_TURNS     2e8
#define GROUP_GAMES_MIN 4096u
/* Groups of a GPU share this many copies of the tallies. */
#define GPU_COPIES 16u
/* The most coins of all slots together. */
#define COINS_MAX (1u << 28)

/* All that is counted; the reference fills one too. */
typedef struct {
    uint64_t *wins;      /* [players] */
    uint64_t *histogram; /* [AG_LCR_TURNS_BINS] */
    ag_lcr_lengths lengths;
} tallies;

/* A device that plays a share of the games. */
typedef struct {
    ag_device *dev;
    ag_kernel kernel;
    ag_buf bufs[AG_N_BUFS];
    agk_lcr_params p;
    uint32_t groups_most, copies_most, n_groups;
    uint64_t games_most; /* of a run */
    bool plays;
} player;

/* ----------------------------------------------------------------------------- rules */

/* Letters by face: see agk_lcr_params. */
static uint32_t letters_of_faces(const ag_lcr_rules *rules)
{
    uint32_t letters = 0, face = 0;
    for (uint32_t letter = 0; letter < AG_LCR_N_LETTERS; letter++)
        for (int i = 0; i < rules->faces[letter]; i++)
            letters |= letter << (2 * face++);
    return letters;
}

/* See b2 of agk_lcr_params. */
static void fill_fives(uint32_t letters, uint32_t fives[AG_LCR_FIVES])
{
    for (uint32_t n = 0; n < AG_LCR_FIVES; n++) {
        uint32_t rest = n, low = 0, high = 0;
        for (int k = 0; k < 5; k++, rest /= 6) { /* the last die is the lowest digit */
            const uint32_t letter = letters >> (2 * (rest % 6));
            low = low << 1 | (letter & 1u);
            high = high << 1 | (letter >> 1 & 1u);
        }
        fives[n] = low | high << 10;
    }
}

/*
 * Fills the part of p that is for agk_lcr_play_small; false if the table is not small. Every field can hold all coins.
 * The left neighbour is in the same word as the place for what the mover keeps: the last word has two fields. Of
 * several words each has two bits to spare at least, so that a word with coins is greater than AG_LCR_SMALL_CAP; and
 * fields have more bits than there are words, since players < 2^n_bits do not fit in one. Games without C may take for
 * ever, and more than one launch.
 */
static bool plan_small(const ag_lcr_rules *rules, agk_lcr_params *p)
{
    const uint32_t players = (uint32_t)rules->players, coins = (uint32_t)rules->coins;
    uint32_t n_bits = 2;
    while (players * coins >> n_bits > 0)
        n_bits++;
    if (rules->cap > (int)AG_LCR_SMALL_CAP || rules->faces[AG_LCR_C] == 0)
        return false;
    for (uint32_t n_words = 1; n_words <= AG_LCR_SMALL_WORDS; n_words++) {
        const uint32_t fields = (players + n_words - 1) / n_words, spare = 32 - fields * n_bits;
        if (fields * n_bits > 32 || (n_words > 1 && spare < 2) || players < (n_words - 1) * fields + 2)
            continue;
        p->n_words = n_words;
        p->n_bits = n_bits;
        p->spare = spare;
        p->last_spare = 32 - (players - (n_words - 1) * fields) * n_bits;
        p->lows = p->highs = 0;
        for (uint32_t i = 0; i < fields; i++) {
            p->highs |= 1u << (31 - i * n_bits);
            p->lows |= ((1u << (n_bits - 1)) - 1) << (32 - (i + 1) * n_bits);
        }
        for (uint32_t i = 0; i < players; i++)
            p->start[i / fields] |= coins << (32 - (i % fields + 1) * n_bits);
        return true;
    }
    return false;
}

/* See b1 of agk_lcr_play_small. */
static void fill_who(const agk_lcr_params *p, uint32_t who[64])
{
    const uint32_t fields = (32 - p->spare) / p->n_bits;
    memset(who, 0, 32 * sizeof *who);
    for (uint32_t i = 0; i < 32; i++)
        who[32 + AG_LCR_HASH(1u << i)] = i / 2;
    for (uint32_t i = 0; i < p->players; i++)
        who[AG_LCR_HASH(1u << (31 - i % fields * p->n_bits - i / fields))] = i;
}

/* Turns of a game, roughly and rather too many: a round takes each seat's coins down by C / 6 of its dice, and once all
 * coins are rolled in every round, m of them are one after 6 / C ln m rounds. */
static double turns_of_game(const ag_lcr_rules *rules)
{
    const double n = rules->players, rate = (rules->faces[AG_LCR_C] ? rules->faces[AG_LCR_C] : 0.01) / 6.0;
    return n * (rules->coins / (fmin(rules->coins, rules->cap) * rate) + log(n * rules->cap) / rate);
}

/* --------------------------------------------------------------------------- devices */

static size_t tally_words(const player *d)
{
    return (size_t)d->p.n_copies * (d->p.players + AG_LCR_BINS);
}

/* Makes room on the device for agk_lcr_play. */
static ag_status make_slots(ag_ctx *ctx, player *d)
{
    const size_t all_slots = (size_t)d->groups_most * d->p.n_slots;
    AG_TRY(ag_device_scratch(ctx, d->dev, 1, 2 * sizeof(uint32_t), &d->bufs[1]));
    AG_TRY(ag_device_scratch(ctx, d->dev, 3, all_slots * sizeof(agk_lcr_slot), &d->bufs[3]));
    return ag_device_scratch(ctx, d->dev, 4, all_slots * d->p.players * sizeof(uint32_t), &d->bufs[4]);
}

/* The same for agk_lcr_play_small. */
static ag_status make_small(ag_ctx *ctx, player *d)
{
    const size_t size_sums = (size_t)d->groups_most * d->p.n_slots * sizeof(agk_lcr_sums);
    uint32_t who[64];
    fill_who(&d->p, who);
    AG_TRY(ag_device_scratch(ctx, d->dev, 1, sizeof who, &d->bufs[1]));
    AG_TRY(ag_device_scratch(ctx, d->dev, 3, size_sums, &d->bufs[3]));
    return ag_device_write(ctx, d->dev, &d->bufs[1], 0, who, sizeof who);
}

/* Gets a device ready to play by the rules in p. */
static ag_status start_player(ag_ctx *ctx, ag_device *dev, const agk_lcr_params *p, const uint32_t *fives,
                              double game_turns, player *d)
{
    const bool gpu = ag_device_describe(dev)->is_gpu, small = p->n_words > 0;
    const ag_kernel kernel = small ? AG_KERNEL_agk_lcr_play_small : AG_KERNEL_agk_lcr_play;
    const uint32_t n_slots = gpu ? GPU_SLOTS : CPU_SLOTS, most = COINS_MAX / (n_slots * p->players);
    const uint32_t n = ag_device_groups(dev, kernel) * (gpu ? 1u : GROUPS_A_THREAD);
    *d = (player){.dev = dev, .kernel = kernel, .p = *p, .groups_most = n > most ? most : n};
    const double games = d->groups_most * GROUP_TURNS / game_turns;
    d->games_most = small && games < (double)RUN_GAMES ? (uint64_t)games + 1 : RUN_GAMES;
    d->p.n_slots = n_slots;
    d->p.n_turns = gpu ? GPU_TURNS : CPU_TURNS;
    d->copies_most = gpu && d->groups_most > GPU_COPIES ? GPU_COPIES : d->groups_most;
    d->p.n_copies = d->copies_most;
    AG_TRY(ag_device_scratch(ctx, dev, 0, tally_words(d) * sizeof(uint32_t), &d->bufs[0]));
    AG_TRY(ag_device_scratch(ctx, dev, 2, AG_LCR_FIVES * sizeof *fives, &d->bufs[2]));
    AG_TRY(ag_device_write(ctx, dev, &d->bufs[2], 0, fives, AG_LCR_FIVES * sizeof *fives));
    return small ? make_small(ctx, d) : make_slots(ctx, d);
}

static ag_status launch_player(ag_ctx *ctx, player *d)
{
    static const uint32_t none[2];
    if (d->kernel == AG_KERNEL_agk_lcr_play)
        AG_TRY(ag_device_write(ctx, d->dev, &d->bufs[1], 0, none, sizeof none));
    return ag_device_launch(ctx, d->dev, d->kernel, d->n_groups, &d->p, sizeof d->p, d->bufs);
}

/* Starts games first .. first + n - 1 of the seed; n <= games_most. words: [tally_words]. */
static ag_status begin_run(ag_ctx *ctx, player *d, uint64_t first, uint64_t n, uint32_t *words)
{
    const uint64_t wanted = (n + GROUP_GAMES_MIN - 1) / GROUP_GAMES_MIN;
    d->n_groups = wanted < d->groups_most ? (uint32_t)wanted : d->groups_most;
    d->p.n_copies = d->n_groups < d->copies_most ? d->n_groups : d->copies_most;
    d->p.from[0] = (uint32_t)first;
    d->p.from[1] = (uint32_t)(first >> 32);
    d->p.n_games = (uint32_t)n;
    d->p.resumed = 0;
    d->plays = true;
    memset(words, 0, tally_words(d) * sizeof *words);
    AG_TRY(ag_device_write(ctx, d->dev, &d->bufs[0], 0, words, tally_words(d) * sizeof *words));
    return launch_player(ctx, d);
}

/* Waits for the launch; starts another one if games are left. */
static ag_status go_on(ag_ctx *ctx, player *d)
{
    uint32_t left[2];
    d->plays = false;
    if (d->kernel != AG_KERNEL_agk_lcr_play)
        return AG_OK;
    AG_TRY(ag_device_read(ctx, d->dev, &d->bufs[1], 0, left, sizeof left));
    if (left[1] > 0)
        return ag_fail(ctx, AG_E_ARG, "%" PRIu32 " games are not over after all the dice that a game has", left[1]);
    d->plays = left[0] > 0;
    d->p.resumed = 1;
    return d->plays ? launch_player(ctx, d) : AG_OK;
}

static void add_wide(uint64_t sum[2], wide x)
{
    x += (wide)sum[1] << 64 | sum[0];
    sum[0] = (uint64_t)x;
    sum[1] = (uint64_t)(x >> 64);
}

/* Adds the games that have no bin of their own: their sums are in each slot. */
static ag_status add_long_games(ag_ctx *ctx, const player *d, ag_lcr_lengths *lengths)
{
    const size_t size = d->kernel == AG_KERNEL_agk_lcr_play ? sizeof(agk_lcr_slot) : sizeof(agk_lcr_sums);
    const size_t n = (size_t)d->n_groups * d->p.n_slots;
    char *slots = malloc(n * size);
    if (!slots)
        return ag_fail(ctx, AG_E_MEMORY, "no memory for %zu games", n);
    const ag_status status = ag_device_read(ctx, d->dev, &d->bufs[3], 0, slots, n * size);
    for (size_t i = 0; i < n && status == AG_OK; i++) {
        agk_lcr_sums sums; /* what a slot begins with */
        memcpy(&sums, slots + i * size, sizeof sums);
        lengths->turns_sum += sums.sum;
        add_wide(lengths->turns_squares, (wide)sums.squares[1] << 64 | sums.squares[0]);
        if (sums.most > lengths->turns_max)
            lengths->turns_max = sums.most;
    }
    free(slots);
    return status;
}

/* Adds what the run has counted. words: [tally_words]. */
static ag_status add_run(ag_ctx *ctx, const player *d, uint32_t *words, tallies *t)
{
    const size_t players = d->p.players;
    uint64_t n_long = 0;
    AG_TRY(ag_device_read(ctx, d->dev, &d->bufs[0], 0, words, tally_words(d) * sizeof *words));
    for (uint32_t copy = 0; copy < d->p.n_copies; copy++) {
        const uint32_t *row = words + copy * (players + AG_LCR_BINS);
        for (size_t i = 0; i < players; i++)
            t->wins[i] += row[i];
        for (size_t i = 0; i < AG_LCR_BINS; i++)
            t->histogram[i] += row[players + i];
        n_long += row[players + AG_LCR_BINS - 1];
    }
    return n_long ? add_long_games(ctx, d, &t->lengths) : AG_OK;
}

/* All devices share the games of a round: each is started before the first is waited for. words: for any device. */
static ag_status play_by_rounds(ag_ctx *ctx, int n, player *players, uint64_t from, uint64_t games, uint32_t *words,
                                tallies *t)
{
    uint64_t most = RUN_GAMES;
    for (int i = 0; i < n; i++)
        most = players[i].games_most < most ? players[i].games_most : most;
    for (uint64_t done = 0; done < games;) {
        const uint64_t fair = (games - done + (uint64_t)n - 1) / (uint64_t)n;
        const uint64_t share = fair < most ? fair : most;
        int n_started = 0, n_playing;
        for (; n_started < n && done < games; n_started++) {
            const uint64_t some = games - done < share ? games - done : share;
            AG_TRY(begin_run(ctx, &players[n_started], from + done, some, words));
            done += some;
        }
        do {
            n_playing = 0;
            for (int i = 0; i < n_started; i++) {
                if (players[i].plays)
                    AG_TRY(go_on(ctx, &players[i]));
                n_playing += players[i].plays;
            }
        } while (n_playing > 0);
        for (int i = 0; i < n_started; i++)
            AG_TRY(add_run(ctx, &players[i], words, t));
    }
    return AG_OK;
}

/* Sums over the games that have bins of their own. */
static void add_bins(tallies *t)
{
    for (uint64_t turns = 0; turns < AG_LCR_BINS - 1; turns++) {
        const uint64_t n = t->histogram[turns];
        if (n == 0)
            continue;
        t->lengths.turns_sum += n * turns;
        add_wide(t->lengths.turns_squares, (wide)n * (turns * turns));
        if (turns > t->lengths.turns_max)
            t->lengths.turns_max = turns;
    }
}

static ag_status play_on_devices(ag_ctx *ctx, const ag_lcr_rules *rules, uint64_t seed, uint64_t from, uint64_t games,
                                 tallies *t)
{
    agk_lcr_params p = {
        .key = {(uint32_t)seed, (uint32_t)(seed >> 32)},
        .players = (uint32_t)rules->players,
        .coins = (uint32_t)rules->coins,
        .cap = (uint32_t)rules->cap,
        .first = (uint32_t)rules->first,
        .letters = letters_of_faces(rules),
        .reject = (uint32_t)((UINT64_C(1) << 32) % UINT64_C(60466176)), /* 6^10 */
        .last_block = UINT32_MAX,
    };
    uint32_t fives[AG_LCR_FIVES];
    int n;
    ag_device *const *devices;
    /* some 1e8 turns a second on two cores */
    AG_TRY(ag_device_get_all(ctx, 1e-8 * (double)games * turns_of_game(rules), &n, &devices));
    fill_fives(p.letters, fives);
    (void)plan_small(rules, &p);
    player *players = calloc((size_t)n, sizeof *players);
    ag_status status = players ? AG_OK : ag_fail(ctx, AG_E_MEMORY, "no memory for %d devices", n);
    size_t n_words = 0;
    for (int i = 0; i < n && status == AG_OK; i++) {
        status = start_player(ctx, devices[i], &p, fives, turns_of_game(rules), &players[i]);
        n_words = status == AG_OK && tally_words(&players[i]) > n_words ? tally_words(&players[i]) : n_words;
    }
    uint32_t *words = status == AG_OK ? malloc(n_words * sizeof *words) : NULL;
    if (status == AG_OK && !words)
        status = ag_fail(ctx, AG_E_MEMORY, "no memory for %zu tallies", n_words);
    if (status == AG_OK)
        status = play_by_rounds(ctx, n, players, from, games, words, t);
    if (status == AG_OK)
        add_bins(t);
    free(words);
    free(players);
    return status;
}

/* ---------------------------------------------------------------------------- public */

/* Mean and deviation from the sums, games > 0. */
static void finish_lengths(ag_lcr_lengths *lengths)
{
    /* Squares about a whole number next to the mean, exactly: so little is left to take off that no digits are lost. */
    const wide squares = (wide)lengths->turns_squares[1] << 64 | lengths->turns_squares[0];
    const wide centre = (lengths->turns_sum + (wide)lengths->games / 2) / lengths->games;
    const wide about = squares - 2 * centre * lengths->turns_sum + centre * centre * lengths->games;
    const double games = (double)lengths->games;
    const double off = (double)((int64_t)(lengths->turns_sum - (uint64_t)centre * lengths->games));
    lengths->turns_mean = (double)centre + off / games;
    lengths->turns_deviation =
        lengths->games > 1 ? sqrt(fmax(0.0, (double)about - off * off / games) / (games - 1.0)) : 0.0;
}

void ag_lcr_lengths_add(ag_lcr_lengths *to, const ag_lcr_lengths *more)
{
    to->games += more->games;
    to->turns_sum += more->turns_sum;
    add_wide(to->turns_squares, (wide)more->turns_squares[1] << 64 | more->turns_squares[0]);
    if (more->turns_max > to->turns_max)
        to->turns_max = more->turns_max;
    if (to->games > 0)
        finish_lengths(to);
}

ag_status ag_lcr_simulate(ag_ctx *ctx, const ag_lcr_rules *rules, uint64_t seed, uint64_t from, uint64_t games,
                          uint64_t *wins, ag_lcr_lengths *lengths, uint64_t *histogram)
{
    AG_TRY(ag_lcr_rules_check(ctx, rules));
    if (games < 1 || games > AG_LCR_GAMES_MAX)
        return ag_fail(ctx, AG_E_ARG, "games is %" PRIu64 ", must be 1..%" PRIu64, games, AG_LCR_GAMES_MAX);
    if (from > UINT64_MAX - (games - 1))
        return ag_fail(ctx, AG_E_ARG, "%" PRIu64 " games from number %" PRIu64 ": the last number is %" PRIu64, games,
                       from, UINT64_MAX);
    const size_t players = (size_t)rules->players;
    tallies t = {.wins = calloc(players, sizeof *t.wins), .histogram = calloc(AG_LCR_TURNS_BINS, sizeof *t.histogram)};
    ag_status status = AG_OK;
    if (!t.wins || !t.histogram) {
        status = ag_fail(ctx, AG_E_MEMORY, "no memory for the tallies of %zu players", players);
    } else if (ag_ctx_is_reference(ctx)) {
        ag_ctx_ran_reference(ctx);
        status = ag_ref_lcr_simulate(ctx, rules, seed, from, games, t.wins, &t.lengths, t.histogram);
    } else {
        do {
            memset(t.wins, 0, players * sizeof *t.wins);
            memset(t.histogram, 0, AG_LCR_TURNS_BINS * sizeof *t.histogram);
            t.lengths = (ag_lcr_lengths){.games = games};
            status = play_on_devices(ctx, rules, seed, from, games, &t);
        } while (ag_device_give_up(ctx, status));
    }
    if (status == AG_OK) {
        finish_lengths(&t.lengths);
        memcpy(wins, t.wins, players * sizeof *wins);
        *lengths = t.lengths;
        if (histogram)
            memcpy(histogram, t.histogram, AG_LCR_TURNS_BINS * sizeof *histogram);
    }
    free(t.wins);
    free(t.histogram);
    return status;
}
