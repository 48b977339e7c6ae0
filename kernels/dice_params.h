/*
 * dice_params.h -- what the host tells the dice kernels.
 */
#ifndef AG_DICE_PARAMS_H
#define AG_DICE_PARAMS_H

#define AG_DICE_FACES_MAX 100u /* of agk_dice_count */

#define AG_DICE_FIELD 6u /* bits of one face's count where five six-sided counts share a word */

/* Blocks that agk_dice_count and agk_dice_count_sixes take at a time, or a part of them. */
#define AG_DICE_BATCH 64u

/* Packs count six-sided dice five at a time, by a table of all results of five dice. */
#define AG_DICE_FIVES 7776u /* 6^5 */

/*
 * Buffers of agk_dice_count, and of agk_dice_count_sixes (faces = 6)
 *   b0  ag_u32 [n_groups][faces]    out: dice of the group's blocks that showed each face
 *   b1  ag_u32 [AG_DICE_FIVES]      read by agk_dice_count_sixes where AG_PACK > 1, never on a GPU:
 *                                   entry n holds, for the five digits of n to the base 6, how many are
 *                                   k at bits FIELD * k, k = 0..4 (the fives are what is missing)
 * n_blocks is a multiple of AG_DICE_BATCH, and n_words is not read. A group's blocks, n_blocks / n_groups of them,
 * hold fewer than 2^32 dice: the host sees to it.
 *
 * Buffer of agk_dice_roll
 *   b0  ag_u32 [n_words][per_word]  out: faces 1..faces
 */
typedef struct {
    ag_u32 key[2];   /* seed */
    ag_u32 game[2];  /* low word, high word */
    ag_u32 block0;   /* first position of this launch */
    ag_u32 n_blocks; /* blocks of four words of this launch, below 2^30 */
    ag_u32 n_words;  /* words of this launch: 4 n_blocks, or up to 3 fewer; agk_dice_roll alone reads it */
    ag_u32 faces;
    ag_u32 per_word; /* m: dice cut from one word */
    ag_u32 reject;   /* 2^32 mod faces^m: what is left of a word must not be below it */
} agk_dice_params;

#endif
