/*
 * lcr.h -- the dice game LCR (Left, Center, Right): a lab's functions, and games by the billion.
 * The conventions of astragal.h hold.
 *
 * The game. Players sit in a circle, seats 0 .. players-1; each starts with `coins` coins. Seats take turns in
 * rising order from seat `first`, seat 0 following the last. The mover rolls one die for each of his coins, at most
 * `cap`. A die shows a dot (keep the coin), L (one coin to seat - 1), R (one coin to seat + 1) or C (one coin
 * to the centre, out of play), on faces[0], [1], [2], [3] of its six faces in this order: face 1 is the first of the
 * dots. Seats are counted modulo players: of two, both neighbours are the other. Who has no coins rolls nothing,
 * which is a turn too. The game is over when, after a turn, exactly one seat has coins: it has won, whoever's
 * turn it was. The length is the number of turns, empty ones included.
 */
#ifndef ASTRAGAL_LCR_H
#define ASTRAGAL_LCR_H

#include "astragal/astragal.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AG_LCR_PLAYERS_MAX 1024
#define AG_LCR_COINS_MAX   255
#define AG_LCR_CAP_MAX     16

/* What a die shows; also its place in faces[]. */
typedef enum { AG_LCR_DOT, AG_LCR_L, AG_LCR_R, AG_LCR_C, AG_LCR_N_LETTERS } ag_lcr_letter;

typedef struct {
    int players;                 /* 2..AG_LCR_PLAYERS_MAX */
    int coins;                   /* of each at the start, 1..AG_LCR_COINS_MAX */
    int cap;                     /* most dice of a turn, 1..AG_LCR_CAP_MAX */
    int first;                   /* the seat that begins, 0..players-1 */
    int faces[AG_LCR_N_LETTERS]; /* six in all; C, or a dot beside L or R, must be among them: else games may never end
                                  */
} ag_lcr_rules;

/* The usual rules: 3 coins, 3 dice, seat 0 begins, faces 3, 1, 1, 1. Errors: AG_E_ARG (players). */
ag_status ag_lcr_rules_default(ag_ctx *ctx, int players, ag_lcr_rules *out);
/* AG_E_ARG, naming the field and its range, if the rules are no game. All functions below that take rules begin with
 * it. */
ag_status ag_lcr_rules_check(ag_ctx *ctx, const ag_lcr_rules *rules);

/* ----------------------------------------------------------------- for a lab: coins */

/* coins: [players], each 0 or more. These check nothing. */

/* 1 if exactly one count is not zero, else 0. */
int ag_lcr_over(int players, const int *coins);
/* The seat that has coins, of a game that is over. */
int ag_lcr_winner(int players, const int *coins);
/* Moves one coin of `player` (who has one) to the left neighbour, to the right one, out of play. */
void ag_lcr_left(int players, int *coins, int player);
void ag_lcr_right(int players, int *coins, int player);
void ag_lcr_center(int players, int *coins, int player);

/* ------------------------------------------------------------------ for a lab: dice */

/* Where dice come from: first those that were staged, in their order, then die 0, 1, ... of a game, as rng.h has
 * them for six faces; after the last of them, which no usual game meets, die 0 again. */
typedef struct ag_lcr_dice ag_lcr_dice;

/* The dice of game number `game` of `seed`, thrown by these rules' faces. Errors: AG_E_ARG, AG_E_MEMORY. */
ag_status ag_lcr_dice_create(ag_ctx *ctx, const ag_lcr_rules *rules, uint64_t seed, uint64_t game, ag_lcr_dice **out);
void ag_lcr_dice_free(ag_lcr_dice *dice);
/* Stages letters of ".LCR" (either case; blanks and commas between are skipped) behind those staged already. Errors:
 * AG_E_ARG (another character, with its place; nothing is staged then), AG_E_MEMORY. */
ag_status ag_lcr_dice_stage(ag_ctx *ctx, ag_lcr_dice *dice, const char *letters);
/* 1 if all staged dice were rolled and no other, else 0. Forgets what was staged and counts anew. */
int ag_lcr_dice_check(ag_lcr_dice *dice);
/* Staged dice that are left; dice rolled that were not staged, since the last check. */
size_t ag_lcr_dice_staged(const ag_lcr_dice *dice);
uint64_t ag_lcr_dice_unstaged(const ag_lcr_dice *dice);

/* Rolls one die. */
ag_lcr_letter ag_lcr_roll(ag_lcr_dice *dice);
/* The letter as text: '.', 'L', 'R', 'C'. */
char ag_lcr_letter_char(ag_lcr_letter letter);

/* One turn of `player`: rolls min(coins, cap) dice, then moves the coins. letters: out, may be NULL: [cap]. Returns
 * the number of dice. */
int ag_lcr_turn(const ag_lcr_rules *rules, int *coins, int player, ag_lcr_dice *dice, ag_lcr_letter *letters);

/* One whole game from the start. coins: [players], may be NULL: those at the end. Errors: AG_E_ARG, AG_E_MEMORY. */
ag_status ag_lcr_game(ag_ctx *ctx, const ag_lcr_rules *rules, ag_lcr_dice *dice, int *winner, uint64_t *turns,
                      int *coins);

/* Who won most often in games 0 .. games-1 of a seed (the lowest such seat), and in which share of them: what a lab
 * does with 2000 games. Where it runs, and errors: as ag_lcr_simulate(). */
ag_status ag_lcr_most_common_winner(ag_ctx *ctx, const ag_lcr_rules *rules, uint64_t seed, uint64_t games, int *winner,
                                    double *share);

/* ------------------------------------------------------------------------ rollouts */

#define AG_LCR_GAMES_MAX UINT64_C(1000000000000)

/* Turns 0 .. AG_LCR_TURNS_BINS - 2 have a bin each, the last bin has all longer games. */
#define AG_LCR_TURNS_BINS 65536

typedef struct {
    uint64_t games;
    double turns_mean, turns_deviation; /* standard deviation of one game's length */
    uint64_t turns_max;
    uint64_t turns_sum;        /* of all games */
    uint64_t turns_squares[2]; /* sum of squares, low and high word */
} ag_lcr_lengths;

/*
 * Plays games from .. from + games - 1 of a seed. Game g takes die 0, 1, 2, ... of game g of rng.h, six faces, one
 * after the other, so it is the game that ag_lcr_game() plays with the dice of (seed, g), on every backend,
 * thread count and split.
 *
 * wins       out: games that each seat won: [players]
 * lengths    out
 * histogram  out, may be NULL: games by number of turns: [AG_LCR_TURNS_BINS]
 *
 * Runs on the device(s) of ctx. Errors: AG_E_ARG (rules; games 0 or above AG_LCR_GAMES_MAX; from + games above 2^64; a
 * game that is not over after all the dice that rng.h has for it), AG_E_MEMORY, AG_E_DEVICE.
 */
ag_status ag_lcr_simulate(ag_ctx *ctx, const ag_lcr_rules *rules, uint64_t seed, uint64_t from, uint64_t games,
                          uint64_t *wins, ag_lcr_lengths *lengths, uint64_t *histogram);

/* Adds what more games have shown: as if all had been played at once. `to` may be zero-initialised. */
void ag_lcr_lengths_add(ag_lcr_lengths *to, const ag_lcr_lengths *more);

/*
 * Do all seats win as often? Pearson's chi-square of the wins, players - 1 degrees of freedom, and its p-value: the
 * probability of so uneven wins, or more so, if they do. It is an approximation, good where each seat can expect five
 * wins or more. wins: [players].
 */
void ag_lcr_fairness(int players, const uint64_t *wins, double *chi_square, double *p_value);

#ifdef __cplusplus
}
#endif
#endif
