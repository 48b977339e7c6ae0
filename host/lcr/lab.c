/*
 * lab.c -- LCR as a lab asks for it: coins as plain counts, dice that may be staged, a turn, a game.
 */
#include "astragal/lcr.h"
#include "astragal/rng.h"
#include "core/core.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------ coins */

int ag_lcr_over(int players, const int *coins)
{
    int n_with_coins = 0;
    for (int seat = 0; seat < players && n_with_coins < 2; seat++)
        n_with_coins += coins[seat] != 0;
    return n_with_coins == 1;
}

int ag_lcr_winner(int players, const int *coins)
{
    int seat = 0;
    while (seat < players - 1 && coins[seat] == 0)
        seat++;
    return seat;
}

void ag_lcr_left(int players, int *coins, int player)
{
    coins[player]--;
    coins[player > 0 ? player - 1 : players - 1]++;
}

void ag_lcr_right(int players, int *coins, int player)
{
    coins[player]--;
    coins[player < players - 1 ? player + 1 : 0]++;
}

void ag_lcr_center(int players, int *coins, int player)
{
    (void)players;
    coins[player]--;
}

/* ------------------------------------------------------------------------- dice */

#define FACES 6

/* Dice of the game that are fetched together. They divide the dice that a game has, so no fetch passes its end. */
#define FETCHED        160
#define DICE_OF_A_GAME (UINT64_C(10) << 34)

struct ag_lcr_dice {
    uint8_t letter_of_face[FACES];
    uint64_t seed, game;
    uint64_t n_thrown; /* dice of the game that are thrown */
    uint32_t fetched[FETCHED];
    uint8_t *staged; /* [room_staged], n_staged in use */
    size_t n_staged, n_rolled, room_staged;
    uint64_t n_unstaged; /* thrown since the last check */
};

ag_status ag_lcr_dice_create(ag_ctx *ctx, const ag_lcr_rules *rules, uint64_t seed, uint64_t game, ag_lcr_dice **out)
{
    AG_TRY(ag_lcr_rules_check(ctx, rules));
    ag_lcr_dice *dice = calloc(1, sizeof *dice);
    if (!dice)
        return ag_fail(ctx, AG_E_MEMORY, "no memory for %zu bytes of dice", sizeof *dice);
    int face = 0;
    for (int letter = 0; letter < AG_LCR_N_LETTERS; letter++)
        for (int i = 0; i < rules->faces[letter]; i++)
            dice->letter_of_face[face++] = (uint8_t)letter;
    dice->seed = seed;
    dice->game = game;
    *out = dice;
    return AG_OK;
}

void ag_lcr_dice_free(ag_lcr_dice *dice)
{
    if (!dice)
        return;
    free(dice->staged);
    free(dice);
}

static const char letter_chars[] = ".LRC", small_letter_chars[] = ".lrc";

char ag_lcr_letter_char(ag_lcr_letter letter)
{
    return letter_chars[letter];
}

/* The letter that c, not 0, stands for, or -1. */
static int letter_of_char(char c)
{
    const char *at = strchr(letter_chars, c), *small = strchr(small_letter_chars, c);
    return at ? (int)(at - letter_chars) : small ? (int)(small - small_letter_chars) : -1;
}

static bool is_between(char c)
{
    return strchr(" ,\t\n\v\f\r", c) != NULL;
}

static ag_status check_letters(ag_ctx *ctx, const char *letters)
{
    for (size_t i = 0; letters[i]; i++) {
        const unsigned char c = (unsigned char)letters[i];
        if (is_between(letters[i]) || letter_of_char(letters[i]) >= 0)
            continue;
        if (c > ' ' && c < 0x7f)
            return ag_fail(ctx, AG_E_ARG, "character %zu of the dice is %c, must be ., L, R or C", i + 1, c);
        return ag_fail(ctx, AG_E_ARG, "character %zu of the dice is byte %d, must be ., L, R or C", i + 1, c);
    }
    return AG_OK;
}

/* Grows the room by at least half, so that staging letter by letter stays linear. */
static ag_status make_room(ag_ctx *ctx, ag_lcr_dice *dice, size_t more)
{
    if (more <= dice->room_staged - dice->n_staged)
        return AG_OK;
    const size_t room = dice->n_staged + dice->n_staged / 2 + more;
    uint8_t *staged = realloc(dice->staged, room);
    if (!staged)
        return ag_fail(ctx, AG_E_MEMORY, "no memory for %zu staged dice", room);
    dice->staged = staged;
    dice->room_staged = room;
    return AG_OK;
}

ag_status ag_lcr_dice_stage(ag_ctx *ctx, ag_lcr_dice *dice, const char *letters)
{
    AG_TRY(check_letters(ctx, letters));
    AG_TRY(make_room(ctx, dice, strlen(letters)));
    for (; *letters; letters++)
        if (!is_between(*letters))
            dice->staged[dice->n_staged++] = (uint8_t)letter_of_char(*letters);
    return AG_OK;
}

int ag_lcr_dice_check(ag_lcr_dice *dice)
{
    const bool exactly = ag_lcr_dice_staged(dice) == 0 && dice->n_unstaged == 0;
    dice->n_staged = 0;
    dice->n_rolled = 0;
    dice->n_unstaged = 0;
    return exactly;
}

size_t ag_lcr_dice_staged(const ag_lcr_dice *dice)
{
    return dice->n_staged - dice->n_rolled;
}

uint64_t ag_lcr_dice_unstaged(const ag_lcr_dice *dice)
{
    return dice->n_unstaged;
}

ag_lcr_letter ag_lcr_roll(ag_lcr_dice *dice)
{
    if (dice->n_rolled < dice->n_staged)
        return (ag_lcr_letter)dice->staged[dice->n_rolled++];
    const uint64_t at = dice->n_thrown++ % DICE_OF_A_GAME;
    if (at % FETCHED == 0) /* cannot fail: the range is within the game's dice */
        (void)ag_dice_roll(NULL, dice->seed, dice->game, FACES, at, FETCHED, dice->fetched);
    dice->n_unstaged++;
    return (ag_lcr_letter)dice->letter_of_face[dice->fetched[at % FETCHED] - 1];
}

/* ------------------------------------------------------------------------ games */

int ag_lcr_turn(const ag_lcr_rules *rules, int *coins, int player, ag_lcr_dice *dice, ag_lcr_letter *letters)
{
    const int n = coins[player] < rules->cap ? coins[player] : rules->cap;
    for (int i = 0; i < n; i++) {
        const ag_lcr_letter letter = ag_lcr_roll(dice);
        if (letter == AG_LCR_L)
            ag_lcr_left(rules->players, coins, player);
        else if (letter == AG_LCR_R)
            ag_lcr_right(rules->players, coins, player);
        else if (letter == AG_LCR_C)
            ag_lcr_center(rules->players, coins, player);
        if (letters)
            letters[i] = letter;
    }
    return n;
}

ag_status ag_lcr_game(ag_ctx *ctx, const ag_lcr_rules *rules, ag_lcr_dice *dice, int *winner, uint64_t *turns,
                      int *coins)
{
    int own[AG_LCR_PLAYERS_MAX] = {0};
    uint64_t n_turns = 0;
    bool over = false;

    AG_TRY(ag_lcr_rules_check(ctx, rules));
    for (int seat = 0; seat < rules->players; seat++)
        own[seat] = rules->coins;
    for (int player = rules->first; !over; player = player < rules->players - 1 ? player + 1 : 0) {
        n_turns++;
        if (ag_lcr_turn(rules, own, player, dice, NULL) > 0) /* a turn without dice ends no game */
            over = ag_lcr_over(rules->players, own);
    }
    *winner = ag_lcr_winner(rules->players, own);
    *turns = n_turns;
    if (coins)
        memcpy(coins, own, (size_t)rules->players * sizeof *coins);
    return AG_OK;
}

ag_status ag_lcr_most_common_winner(ag_ctx *ctx, const ag_lcr_rules *rules, uint64_t seed, uint64_t games, int *winner,
                                    double *share)
{
    uint64_t wins[AG_LCR_PLAYERS_MAX];
    ag_lcr_lengths lengths;
    int best = 0;

    AG_TRY(ag_lcr_rules_check(ctx, rules));
    AG_TRY(ag_lcr_simulate(ctx, rules, seed, 0, games, wins, &lengths, NULL));
    for (int seat = 1; seat < rules->players; seat++)
        if (wins[seat] > wins[best])
            best = seat;
    *winner = best;
    *share = (double)wins[best] / (double)games;
    return AG_OK;
}
