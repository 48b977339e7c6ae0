/*
 * dice_params.h -- what the host tells the dice kernels. All offsets in words.
 */
#ifndef AG_DICE_PARAMS_H
#define AG_DICE_PARAMS_H

typedef struct {
    ag_u32 key[2];      /* seed */
    ag_u32 game[2];     /* low word, high word */
    ag_u32 block0;      /* first position of this launch */
    ag_u32 n_blocks;    /* blocks of four words of this launch */
    ag_u32 n_words;     /* words of this launch: 4 n_blocks, or up to 3 fewer */
    ag_u32 faces;
    ag_u32 per_word;    /* m: dice cut from one word */
    ag_u32 reject;      /* 2^32 mod faces^m: what is left of a word must not be below it */
} agk_dice_params;

#endif
