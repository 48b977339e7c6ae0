/*
 * dice.c -- the dice of rng.h for host code, and counting them on the devices of a context.
 */
#include "astragal/rng.h"
#include "device/device.h"

#include "ag_kl.h"
#include "ag_philox.h"
#include "ag_dice.h"
#include "dice_params.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FACES_MAX    65536u
#define STREAM_WORDS (UINT64_C(1) << 34) /* 2^32 positions of four words */

/* Blocks of one launch: short enough that a GPU's screen stays alive, long enough that starting it costs little. */
#define LAUNCH_BLOCKS (UINT64_C(1) << 26)
/* A launch has so many groups that each has no more than the greater of GROUP_BLOCKS_MIN and a GROUPS_MIN-th of the
 * blocks, and less than a batch more: at most 128 dice a block, far fewer than the 2^32 that a tally holds. */
#define GROUP_BLOCKS_MIN 1024u
#define GROUPS_MIN       64u
#define GROUPS_MAX       16384u

void ag_philox4x32_10(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    ag_philox_block(counter[0], counter[1], counter[2], counter[3], key[0], key[1], out);
}

uint32_t ag_dice_per_word(uint32_t faces)
{
    const uint64_t words = UINT64_C(1) << 32;
    uint32_t per_word = 0, m = 1;
    if (faces < 2 || faces > FACES_MAX)
        return 0;
    for (uint64_t power = faces; power <= words; power *= faces, m++)
        if (words % power < words / 256)
            per_word = m;
    return per_word;
}

/* Everything about the dice of one game but the range to roll. faces: 2..65536. */
static agk_dice_params describe_dice(uint64_t seed, uint64_t game, uint32_t faces)
{
    const uint32_t per_word = ag_dice_per_word(faces);
    uint64_t power = 1;
    for (uint32_t i = 0; i < per_word; i++)
        power *= faces;
    return (agk_dice_params){
        .key = {(uint32_t)seed, (uint32_t)(seed >> 32)},
        .game = {(uint32_t)game, (uint32_t)(game >> 32)},
        .faces = faces,
        .per_word = per_word,
        .reject = (uint32_t)((UINT64_C(1) << 32) % power),
    };
}

static uint32_t accepted_word(const agk_dice_params *p, uint64_t w)
{
    return ag_dice_word(p->key[0], p->key[1], p->game[0], p->game[1], w, 0, p->faces, p->per_word, p->reject);
}

ag_status ag_dice_roll(ag_ctx *ctx, uint64_t seed, uint64_t game, uint32_t faces, uint64_t i, size_t n, uint32_t *dice)
{
    if (faces < 2 || faces > FACES_MAX)
        return ag_fail(ctx, AG_E_ARG, "faces is %" PRIu32 ", must be 2..%u", faces, FACES_MAX);
    const agk_dice_params p = describe_dice(seed, game, faces);
    const uint64_t n_stream = STREAM_WORDS * p.per_word;
    if (i > n_stream || n > n_stream - i)
        return ag_fail(ctx, AG_E_ARG,
                       "%zu dice from number %" PRIu64 ": a game has %" PRIu64 " dice of %" PRIu32 " faces", n, i,
                       n_stream, faces);
    uint64_t skip = i % p.per_word; /* dice of the first word that come before die i */
    for (uint64_t w = i / p.per_word; n > 0; w++, skip = 0) {
        uint32_t rest = accepted_word(&p, w);
        for (uint32_t k = 0; k < p.per_word && n > 0; k++) {
            const uint32_t die = ag_dice_next(&rest, faces);
            if (k < skip)
                continue;
            *dice++ = die;
            n--;
        }
    }
    return AG_OK;
}

/* Adds the dice of words from .. to - 1. */
static void count_plainly(const agk_dice_params *p, uint64_t from, uint64_t to, uint64_t *sum)
{
    for (uint64_t w = from; w < to; w++) {
        uint32_t rest = accepted_word(p, w);
        for (uint32_t k = 0; k < p->per_word; k++)
            sum[ag_dice_next(&rest, p->faces) - 1]++;
    }
}

/* See AG_DICE_FIVES in dice_params.h. */
static void fill_fives(uint32_t fives[AG_DICE_FIVES])
{
    for (uint32_t n = 0; n < AG_DICE_FIVES; n++) {
        uint32_t rest = n;
        fives[n] = 0;
        for (int k = 0; k < 5; k++, rest /= 6)
            if (rest % 6 < 5)
                fives[n] += 1u << (AG_DICE_FIELD * (rest % 6));
    }
}

/* A device that counts a share of the dice. */
typedef struct {
    ag_device *dev;
    ag_buf bufs[AG_N_BUFS];
    uint32_t n_groups, groups_most;
} counter;

/* Makes room on the device. rows: room for the table of fives. */
static ag_status start_counter(ag_ctx *ctx, ag_device *dev, ag_kernel kernel, uint32_t faces, uint32_t *rows,
                               counter *out)
{
    const size_t size_fives = AG_DICE_FIVES * sizeof *rows;
    const uint32_t n = ag_device_groups(dev, kernel);
    *out = (counter){.dev = dev, .groups_most = n < GROUPS_MIN ? GROUPS_MIN : n > GROUPS_MAX ? GROUPS_MAX : n};
    AG_TRY(ag_device_scratch(ctx, dev, 0, (size_t)out->groups_most * faces * sizeof *rows, &out->bufs[0]));
    if (kernel != AG_KERNEL_agk_dice_count_sixes || ag_device_describe(dev)->is_gpu) /* lanes of a GPU have no packs */
        return AG_OK;
    fill_fives(rows);
    AG_TRY(ag_device_scratch(ctx, dev, 1, size_fives, &out->bufs[1]));
    return ag_device_write(ctx, dev, &out->bufs[1], 0, rows, size_fives);
}

/* Starts counting the blocks of p. */
static ag_status launch_counter(ag_ctx *ctx, counter *c, ag_kernel kernel, const agk_dice_params *p)
{
    c->n_groups = (p->n_blocks + GROUP_BLOCKS_MIN - 1) / GROUP_BLOCKS_MIN;
    if (c->n_groups > c->groups_most)
        c->n_groups = c->groups_most;
    return ag_device_launch(ctx, c->dev, kernel, c->n_groups, p, sizeof *p, c->bufs);
}

/* Waits for what was launched and adds it to sum. rows: [n_groups][faces]. */
static ag_status add_counter(ag_ctx *ctx, const counter *c, uint32_t faces, uint32_t *rows, uint64_t *sum)
{
    AG_TRY(ag_device_read(ctx, c->dev, &c->bufs[0], 0, rows, (size_t)c->n_groups * faces * sizeof *rows));
    for (uint32_t k = 0; k < c->n_groups * faces; k++)
        sum[k % faces] += rows[k];
    return AG_OK;
}

/* Adds the dice of blocks 0 .. n_blocks - 1, which all n devices share: in each round all are started before the first
 * is waited for. rows: [GROUPS_MAX][faces]. */
static ag_status count_by_rounds(ag_ctx *ctx, int n, counter *counters, ag_kernel kernel, agk_dice_params p,
                                 uint64_t n_blocks, uint32_t *rows, uint64_t *sum)
{
    for (uint64_t b = 0; b < n_blocks;) {
        const uint64_t batches = (n_blocks - b) / AG_DICE_BATCH, fair = (batches + (uint64_t)n - 1) / (uint64_t)n;
        const uint64_t share = fair * AG_DICE_BATCH < LAUNCH_BLOCKS ? fair * AG_DICE_BATCH : LAUNCH_BLOCKS;
        int n_started = 0;
        for (; n_started < n && b < n_blocks; n_started++, b += p.n_blocks) {
            p.block0 = (uint32_t)b;
            p.n_blocks = (uint32_t)(n_blocks - b < share ? n_blocks - b : share);
            AG_TRY(launch_counter(ctx, &counters[n_started], kernel, &p));
        }
        for (int i = 0; i < n_started; i++)
            AG_TRY(add_counter(ctx, &counters[i], p.faces, rows, sum));
    }
    return AG_OK;
}

static ag_status count_on_devices(ag_ctx *ctx, const agk_dice_params *p, uint64_t n_blocks, uint64_t *sum)
{
    const ag_kernel kernel = p->faces == 6 ? AG_KERNEL_agk_dice_count_sixes : AG_KERNEL_agk_dice_count;
    int n;
    ag_device *const *devices;
    /* some 1e10 six-sided dice a second on two cores, others a tenth of it */
    AG_TRY(ag_device_get_all(ctx, 4.0 * (double)n_blocks * p->per_word / (p->faces == 6 ? 1e10 : 1e9), &n, &devices));
    const size_t size_rows = (size_t)GROUPS_MAX * p->faces * sizeof(uint32_t);
    uint32_t *rows = malloc(size_rows);
    counter *counters = calloc((size_t)n, sizeof *counters);
    ag_status status = AG_OK;
    if (!rows || !counters)
        status = ag_fail(ctx, AG_E_MEMORY, "no memory for %zu bytes of tallies", size_rows);
    for (int i = 0; i < n && status == AG_OK; i++)
        status = start_counter(ctx, devices[i], kernel, p->faces, rows, &counters[i]);
    if (status == AG_OK)
        status = count_by_rounds(ctx, n, counters, kernel, *p, n_blocks, rows, sum);
    free(counters);
    free(rows);
    return status;
}

ag_status ag_dice_count(ag_ctx *ctx, uint64_t seed, uint64_t game, uint32_t faces, uint64_t n_words, uint64_t *counts)
{
    if (faces < 2 || faces > AG_DICE_FACES_MAX)
        return ag_fail(ctx, AG_E_ARG, "faces is %" PRIu32 ", must be 2..%u", faces, AG_DICE_FACES_MAX);
    if (n_words > STREAM_WORDS)
        return ag_fail(ctx, AG_E_ARG, "words is %" PRIu64 ", must be 0..%" PRIu64, n_words, STREAM_WORDS);
    const agk_dice_params p = describe_dice(seed, game, faces);
    uint64_t sum[AG_DICE_FACES_MAX] = {0};
    uint64_t from = 0;
    if (ag_ctx_is_reference(ctx)) {
        ag_ctx_ran_reference(ctx);
    } else { /* whole batches there, the rest here */
        const uint64_t n_blocks = n_words / (4 * AG_DICE_BATCH) * AG_DICE_BATCH;
        ag_status status;
        do {
            memset(sum, 0, sizeof sum);
            status = count_on_devices(ctx, &p, n_blocks, sum);
        } while (ag_device_give_up(ctx, status));
        AG_TRY(status);
        from = 4 * n_blocks;
    }
    count_plainly(&p, from, n_words, sum);
    memcpy(counts, sum, faces * sizeof *counts);
    return AG_OK;
}
