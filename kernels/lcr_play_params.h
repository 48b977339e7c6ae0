/*
 * lcr_play_params.h -- what the host tells the kernels that play LCR.
 */
#ifndef AG_LCR_PLAY_PARAMS_H
#define AG_LCR_PLAY_PARAMS_H

#define AG_LCR_BINS  65536u /* of the number of turns; the last has all longer games */
#define AG_LCR_FIVES 7776u  /* 6^5: all results of five dice */

#define AG_LCR_SMALL_WORDS 4u /* the most words of a small table */
#define AG_LCR_SMALL_CAP   3u /* the most dice of a turn there */

/* One bit of a word, shifted down to a number below 32: these are all different. */
#define AG_LCR_HASH(bit) ((ag_u32)(bit)*0x077CB531u >> 27u)

/* Of games that are longer than the bins know: turns, squares of turns (low and high word), most turns. */
typedef struct {
    ag_u64 sum, squares[2], most;
} agk_lcr_sums;

/*
 * A place where one game after the other is played, between two launches of agk_lcr_play. Of game `game` (counted from
 * the first of the run), as many turns as `turns` are done and `blocks` blocks of dice were taken, whose letters that
 * are left are the lowest n_dice bits of two planes: see lcr_common.h.
 */
typedef struct {
    agk_lcr_sums sums;
    ag_u64 game; /* n_games or more: none is left */
    ag_u64 turns, blocks;
    ag_u64 low, high;
    ag_u32 n_dice;
    ag_u32 seat;    /* of the next mover */
    ag_u32 holders; /* seats with coins; 0: the next game has not begun */
    ag_u32 stuck;   /* 1: the game has used up its dice */
} agk_lcr_slot;

/*
 * Buffers of agk_lcr_play, which plays by any rules
 *   b0  ag_u32 [n_copies][players + AG_LCR_BINS]  in, out: games won by each seat, games by number of turns; group g
 *                                                 counts in copy g mod n_copies
 *   b1  ag_u32 [2]                                in, out: slots that have games left; games that ran out of dice
 *   b2  ag_u32 [AG_LCR_FIVES]                     letters of five dice, entry floor(word 6^5 / 2^32): the low plane in
 *                                                 bits 0 .. 4, the high one in 10 .. 14; not read on a GPU
 *   b3  agk_lcr_slot [n_groups][n_slots]          in, out: what a launch leaves to the next
 *   b4  ag_u32 [n_groups][n_slots][players]       in, out: coins
 * Slot s of all S plays games s, s + S, ... of the run.
 *
 * Buffers of agk_lcr_play_small, which plays all games of the run in one launch where the table is small
 *   b0, b2                                        the same
 *   b1  ag_u32 [2][32]                            by AG_LCR_HASH of one bit: where it is all that is left of holders,
 *                                                 whose it is, counted from the next mover; where it is the lowest of
 *                                                 history, the empty turns since. See lcr_play_small.cl
 *   b3  agk_lcr_sums [n_groups][n_slots]          out; a lane of a group writes in the slot of its number
 */
typedef struct {
    ag_u32 key[2];  /* seed */
    ag_u32 from[2]; /* the first game of the run: low word, high word */
    ag_u32 n_games; /* of the run */
    ag_u32 players, coins, cap, first;
    ag_u32 letters;  /* of face f + 1 at bits 2 f: dot 0, L 1, R 2, C 3 */
    ag_u32 reject;   /* 2^32 mod 6^10: see agk_dice_params */
    ag_u32 n_copies; /* n_groups, unless a group has many lanes */
    ag_u32 n_slots;  /* of a group */
    /* agk_lcr_play alone */
    ag_u32 n_turns;    /* after so many turns a slot rests until the next launch */
    ag_u32 resumed;    /* 0: the first launch of a run, 1: a later one */
    ag_u32 last_block; /* number of the last block of dice that a game has */
    /* agk_lcr_play_small alone */
    ag_u32 n_words, n_bits;           /* words of a table, bits of a field */
    ag_u32 spare, last_spare;         /* bits below the fields of a word, of the last word */
    ag_u32 lows, highs;               /* all bits of all fields of a word but the highest; the highest */
    ag_u32 start[AG_LCR_SMALL_WORDS]; /* the table at the start */
} agk_lcr_params;

#endif
