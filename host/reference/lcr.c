/*
 * lcr.c -- LCR played one game after the other, die by die, as its rules are written.
 */
#include "reference/reference.h"

#include "astragal/rng.h"
#include "core/core.h"

#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* The dice of one game, some at a time. */
#define DICE_AHEAD 40
typedef struct {
    uint64_t seed, game, next; /* number of the next die that is not here yet */
    uint32_t faces[DICE_AHEAD];
    size_t n, at;
} dice_stream;

static ag_status next_face(ag_ctx *ctx, dice_stream *dice, int *face)
{
    if (dice->at == dice->n) {
        if (ag_dice_roll(ctx, dice->seed, dice->game, 6, dice->next, DICE_AHEAD, dice->faces) != AG_OK)
            return ag_fail(ctx, AG_E_ARG, "game %llu of seed %llu is not over after its %llu dice, all that a game has",
                           (unsigned long long)dice->game, (unsigned long long)dice->seed,
                           (unsigned long long)dice->next);
        dice->next += DICE_AHEAD;
        dice->n = DICE_AHEAD;
        dice->at = 0;
    }
    *face = (int)dice->faces[dice->at++];
    return AG_OK;
}

/* Seats that have coins; last: one of them. */
static int count_holders(int players, const int *coins, int *last)
{
    int n = 0;
    for (int i = 0; i < players; i++)
        if (coins[i] > 0) {
            *last = i;
            n++;
        }
    return n;
}

/* coins: work space, [players]. */
static ag_status play_game(ag_ctx *ctx, const ag_lcr_rules *rules, dice_stream *dice, int *coins, int *winner,
                           uint64_t *turns)
{
    const int n = rules->players, *f = rules->faces;
    int mover = rules->first;
    for (int i = 0; i < n; i++)
        coins[i] = rules->coins;
    *turns = 0;
    for (;; mover = (mover + 1) % n) {
        const int left = (mover + n - 1) % n, right = (mover + 1) % n;
        const int n_dice = coins[mover] < rules->cap ? coins[mover] : rules->cap;
        for (int k = 0; k < n_dice; k++) {
            int face = 0;
            AG_TRY(next_face(ctx, dice, &face));
            if (face <= f[AG_LCR_DOT])
                continue;
            coins[mover]--;
            if (face <= f[AG_LCR_DOT] + f[AG_LCR_L])
                coins[left]++;
            else if (face <= f[AG_LCR_DOT] + f[AG_LCR_L] + f[AG_LCR_R])
                coins[right]++;
        }
        ++*turns;
        /* nobody's coins have moved in an empty turn */
        if (n_dice > 0 && count_holders(n, coins, winner) == 1)
            return AG_OK;
    }
}

ag_status ag_ref_lcr_simulate(ag_ctx *ctx, const ag_lcr_rules *rules, uint64_t seed, uint64_t from, uint64_t games,
                              uint64_t *wins, ag_lcr_lengths *lengths, uint64_t *histogram)
{
    wide squares = 0;
    int *coins = malloc((size_t)rules->players * sizeof *coins);
    if (!coins)
        return ag_fail(ctx, AG_E_MEMORY, "no memory for the coins of %d players", rules->players);
    ag_status status = AG_OK;
    for (uint64_t g = 0; g < games && status == AG_OK; g++) {
        dice_stream dice = {.seed = seed, .game = from + g};
        uint64_t turns = 0;
        int winner = 0;
        status = play_game(ctx, rules, &dice, coins, &winner, &turns);
        if (status != AG_OK)
            break;
        wins[winner]++;
        histogram[turns < AG_LCR_TURNS_BINS ? turns : AG_LCR_TURNS_BINS - 1]++;
        lengths->games++;
        lengths->turns_sum += turns;
        squares += (wide)turns * turns;
        if (turns > lengths->turns_max)
            lengths->turns_max = turns;
    }
    lengths->turns_squares[0] = (uint64_t)squares;
    lengths->turns_squares[1] = (uint64_t)(squares >> 64);
    free(coins);
    return status;
}
