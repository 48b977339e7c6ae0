/*
 * reference.h -- the plain sequential solver of each game, against which every device is checked.
 * It shares no code with the kernels nor with the drivers that feed them.
 */
#ifndef AG_REFERENCE_H
#define AG_REFERENCE_H

#include "astragal/hog.h"
#include "astragal/lcr.h"

/*
 * Solves Hog for both players by falling sum of scores, every move by its full list of outcomes.
 *
 * tie_tolerance  moves within it of the best count as equal, >= 0
 * win    out, may be NULL: win probability of the player on turn, shape [goal][goal]
 * rolls  out, may be NULL: the smallest n among equal moves, shape [goal][goal]. Where the other state of the
 *        pair may pass back and endless play would be worth less, a move that is sure to gain nothing
 *        stands there only if no other is equal to the best.
 *
 * Cost: O(goal^2) times the length of all lists; some 20 ms for a preset at goal 100. Errors:
 * AG_E_ARG, AG_E_MEMORY.
 */
ag_status ag_ref_hog_solve(ag_ctx *ctx, const ag_hog_rules *rules, double tie_tolerance, double *win, uint8_t *rolls);

/*
 * The win probability of every move at one state when all play afterwards is worth what the table
 * win says (after a turn that gained nothing, too).
 *
 * win    [goal][goal]
 * value  out: [max_rolls + 1]; -1 where a move is not allowed
 * n_max  out: most dice allowed here
 *
 * Errors: AG_E_ARG (score outside 0..goal-1), AG_E_MEMORY.
 */
ag_status ag_ref_hog_move_values(ag_ctx *ctx, const ag_hog_rules *rules, const double *win, int score,
                                 int opponent_score, double *value, int *n_max);

/*
 * Plays games from .. from + games - 1 of LCR, one after the other. The arguments are good. Adds to what is there:
 *
 * wins       [players]
 * lengths    its whole numbers: games, turns_sum, turns_max; turns_squares are set, and turns_mean and
 *            turns_deviation left alone
 * histogram  [AG_LCR_TURNS_BINS]
 *
 * Cost: some 1 us a game of four players. Errors: AG_E_ARG (a game that is not over after all of its dice),
 * AG_E_MEMORY.
 */
ag_status ag_ref_lcr_simulate(ag_ctx *ctx, const ag_lcr_rules *rules, uint64_t seed, uint64_t from, uint64_t games,
                              uint64_t *wins, ag_lcr_lengths *lengths, uint64_t *histogram);

#endif
