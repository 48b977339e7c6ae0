/*
 * rng.h -- random dice that are a pure function of (seed, game, number of the die).
 * The conventions of astragal.h hold. This text is enough to re-implement the dice.
 *
 * Words. A block is Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers:
 * as easy as 1, 2, 3", SC11): four 32-bit words from a counter of four words and a key
 * of two. The key is {seed mod 2^32, seed / 2^32}. The counter is
 *
 *     { game mod 2^32,  game / 2^32,  position,  stream * 256 + attempt }
 *
 * Word w of a stream is word (w mod 4) of the block with position w / 4.
 *   stream 0          the dice on the table
 *   stream (1 + seat) * 4096 + b    private draws of a seat in one turn: position is the
 *                     number of the turn, and word w of that turn has b = w / 4; w < 16384
 *
 * Dice. With f faces a word yields m dice, m the largest number with f^m <= 2^32 that
 * rejects fewer than one word in 256: (2^32 mod f^m) / 2^32 < 1/256. (f = 6: m = 10,
 * 0.0435 % rejected; f = 4: 16; f = 2: 32; f = 100: 3.) A word r gives its dice in order by
 * r * f = die * 2^32 + r', the next die from r', each die 0..f-1, plus 1 for the face
 * (Brackett-Rozinsky and Lemire, arXiv 2408.06213): exactly the digits of floor(r f^m / 2^32)
 * to the base f. The word is rejected when the r' left after m dice is below 2^32 mod f^m;
 * then the same word of the same block with the next attempt (from 0, at most 255) is
 * used instead. So all f^m results are equally likely, exactly.
 * Die i of a stream is die (i mod m) of word i / m.
 */
#ifndef ASTRAGAL_RNG_H
#define ASTRAGAL_RNG_H

#include "astragal/astragal.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One Philox4x32-10 block. */
void ag_philox4x32_10(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/* m of the text above for 2..65536 faces; 0 outside that range. */
uint32_t ag_dice_per_word(uint32_t faces);

/* Dice i .. i + n - 1 of stream 0 of a game, faces 1..faces. Errors: AG_E_ARG (faces not 2..65536,
 * or more than the 2^34 m dice that a stream has). */
ag_status ag_dice_roll(ag_ctx *ctx, uint64_t seed, uint64_t game, uint32_t faces, uint64_t i, size_t n, uint32_t *dice);

/*
 * Rolls n_words words of stream 0 (positions 0, 1, ... of one game; rejected words retried) and
 * counts the faces, on the device of ctx: counts[f] = dice that showed f + 1, shape [faces].
 * The total is n_words * m. faces 2..100, n_words up to 2^34, all that a stream has.
 * Errors: AG_E_ARG, AG_E_MEMORY, AG_E_DEVICE.
 */
ag_status ag_dice_count(ag_ctx *ctx, uint64_t seed, uint64_t game, uint32_t faces, uint64_t n_words, uint64_t *counts);

#ifdef __cplusplus
}
#endif
#endif
