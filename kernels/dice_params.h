/*
 * dice_params.h -- what the host tells the dice kernels.
 */
#ifndef AG_DICE_PARAMS_H
#define AG_DICE_PARAMS_H

#define AG_DICE_FACES_MAX 100u /* of agk_dice_count */

/* Six-sided dice are counted five at a time, by a table of all results of five dice. */
#define AG_DICE_FIVES 7776u /* 6^5 */
#define AG_DICE_FIELD 6u    /* bits of one face's count */

/*
 * Buffers of agk_dice_count
 *   b0  ag_u32 [n_groups][faces]    out: dice of the group that showed each face
 *   b1  ag_u32 [AG_DICE_FIVES]      read when faces = 6: entry n holds, for the five digits of n
 *                                   to the base 6, how many are k at bits FIELD * k, k = 0..4
 *                                   (the fives are what is missing)
 * A group's words, n_words / n_groups of them, hold fewer than 2^32 dice: the host sees to it.
 *
 * Buffer of agk_dice_roll
 *   b0  ag_u32 [n_words][per_word]  out: faces 1..faces
 */
typedef struct {
    ag_u32 key[2];   /* seed */
    ag_u32 game[2];  /* low word, high word */
    ag_u32 block0;   /* first position of this launch */
    ag_u32 n_blocks; /* blocks of four words of this launch, below 2^30 */
    ag_u32 n_words;  /* words of this launch: 4 n_blocks, or up to 3 fewer */
    ag_u32 faces;
    ag_u32 per_word; /* m: dice cut from one word */
    ag_u32 reject;   /* 2^32 mod faces^m: what is left of a word must not be below it */
} agk_dice_params;

#endif
