/*
 * lcr_play_params.h -- what the host tells the kernels that play LCR.
 */
#ifndef AG_LCR_PLAY_PARAMS_H
#define AG_LCR_PLAY_PARAMS_H

#define AG_LCR_BINS  65536u /* of the number of turns; the last has all longer games */
#define AG_LCR_FIVES 7776u  /* 6^5: all results of five dice */

/* What shows on a die, as two bits. */
#define AG_LCR_IS_DOT 0u
#define AG_LCR_IS_L   1u
#define AG_LCR_IS_R   2u
#define AG_LCR_IS_C   3u

/*
 * A place where one game after the other is played, between two launches. Of game `game` (counted from the first of
 * the run), as many turns as `turns` are done, and `blocks` blocks of dice were taken, whose letters that are left are
 * the lowest 2 n_letters bits of letters[0], then [1].
 */
typedef struct {
    ag_u64 game; /* n_games or more: none is left */
    ag_u64 turns, blocks;
    ag_u64 letters[2];
    ag_u32 n_letters;
    ag_u32 seat;    /* of the next mover */
    ag_u32 holders; /* seats with coins; 0: the next game has not begun */
    ag_u32 stuck;   /* 1: the game has used up its dice */
    /* of all games here that are longer than the bins know: turns, squares of turns (low and high word), most turns */
    ag_u64 sum, squares[2], most;
} agk_lcr_slot;

/*
 * Buffers of agk_lcr_play, which plays by any rules
 *   b0  ag_u32 [n_copies][players + AG_LCR_BINS]  in, out: games won by each seat, games by number of turns; group g
 *                                                 counts in copy g mod n_copies
 *   b1  ag_u32 [2]                                in, out: slots that have games left; games that ran out of dice
 *   b2  ag_u16 [AG_LCR_FIVES]                     letters of five dice, the first at the lowest two bits, entry
 *                                                 floor(word 6^5 / 2^32); not read on a GPU
 *   b3  agk_lcr_slot [n_groups][n_slots]          in, out: what a launch leaves to the next
 *   b4  ag_u32 [n_groups][n_slots][players]       in, out: coins
 * Slot s of all S plays games s, s + S, ... of the run.
 */
typedef struct {
    ag_u32 key[2];  /* seed */
    ag_u32 from[2]; /* the first game of the run: low word, high word */
    ag_u32 n_games; /* of the run */
    ag_u32 players, coins, cap, first;
    ag_u32 letters;    /* of face f + 1 at bits 2 f */
    ag_u32 reject;     /* 2^32 mod 6^10: see agk_dice_params */
    ag_u32 n_copies;   /* n_groups, unless a group has many lanes */
    ag_u32 n_slots;    /* of a group */
    ag_u32 n_turns;    /* after so many turns a slot rests until the next launch */
    ag_u32 resumed;    /* 0: the first launch of a run, 1: a later one */
    ag_u32 last_block; /* number of the last block of dice that a game has */
} agk_lcr_params;

#endif
