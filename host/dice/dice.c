/*
 * dice.c -- the dice of rng.h for host code, and counting them on the device of a context.
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

/* One launch: short enough that a GPU's screen stays alive and that its dice, at most 32 a word,
 * fit the 32 bits of a tally whatever the split into groups. */
#define LAUNCH_WORDS     (UINT64_C(1) << 26)
#define GROUPS_MAX       1024u
#define GROUP_BLOCKS_MIN 256u

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

static void count_plainly(const agk_dice_params *p, uint64_t n_words, uint64_t *sum)
{
    for (uint64_t w = 0; w < n_words; w++) {
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

/* rows: room for GROUPS_MAX rows of tallies, and for the table of fives. */
static ag_status count_on_device(ag_ctx *ctx, agk_dice_params p, uint64_t n_words, uint32_t *rows, uint64_t *sum)
{
    ag_device *dev;
    ag_buf bufs[AG_N_BUFS] = {0};
    /* some 1e10 six-sided dice a second on two cores, others a tenth of it */
    AG_TRY(ag_device_get(ctx, (double)n_words * p.per_word / (p.faces == 6 ? 1e10 : 1e9), &dev));
    AG_TRY(ag_device_scratch(ctx, dev, 0, GROUPS_MAX * p.faces * sizeof *rows, &bufs[0]));
    AG_TRY(ag_device_scratch(ctx, dev, 1, AG_DICE_FIVES * sizeof *rows, &bufs[1]));
    fill_fives(rows);
    AG_TRY(ag_device_write(ctx, dev, &bufs[1], 0, rows, AG_DICE_FIVES * sizeof *rows));
    for (uint64_t w = 0; w < n_words; w += LAUNCH_WORDS) {
        p.n_words = (uint32_t)(n_words - w < LAUNCH_WORDS ? n_words - w : LAUNCH_WORDS);
        p.block0 = (uint32_t)(w / 4);
        p.n_blocks = (p.n_words + 3) / 4;
        uint32_t n_groups = (p.n_blocks + GROUP_BLOCKS_MIN - 1) / GROUP_BLOCKS_MIN;
        if (n_groups > GROUPS_MAX)
            n_groups = GROUPS_MAX;
        AG_TRY(ag_device_launch(ctx, dev, AG_KERNEL_agk_dice_count, n_groups, &p, sizeof p, bufs));
        AG_TRY(ag_device_read(ctx, dev, &bufs[0], 0, rows, (size_t)n_groups * p.faces * sizeof *rows));
        for (uint32_t k = 0; k < n_groups * p.faces; k++)
            sum[k % p.faces] += rows[k];
    }
    return AG_OK;
}

ag_status ag_dice_count(ag_ctx *ctx, uint64_t seed, uint64_t game, uint32_t faces, uint64_t n_words, uint64_t *counts)
{
    if (faces < 2 || faces > AG_DICE_FACES_MAX)
        return ag_fail(ctx, AG_E_ARG, "faces is %" PRIu32 ", must be 2..%u", faces, AG_DICE_FACES_MAX);
    if (n_words > STREAM_WORDS)
        return ag_fail(ctx, AG_E_ARG, "words is %" PRIu64 ", must be 0..%" PRIu64, n_words, STREAM_WORDS);
    const agk_dice_params p = describe_dice(seed, game, faces);
    uint64_t sum[AG_DICE_FACES_MAX] = {0};
    if (ag_ctx_is_reference(ctx)) {
        count_plainly(&p, n_words, sum);
        ag_ctx_ran_reference(ctx);
    } else {
        const size_t size_bytes = GROUPS_MAX * AG_DICE_FACES_MAX * sizeof(uint32_t);
        uint32_t *rows = malloc(size_bytes);
        if (!rows)
            return ag_fail(ctx, AG_E_MEMORY, "no memory for %zu bytes of tallies", size_bytes);
        const ag_status status = count_on_device(ctx, p, n_words, rows, sum);
        free(rows);
        AG_TRY(status);
    }
    memcpy(counts, sum, faces * sizeof *counts);
    return AG_OK;
}
