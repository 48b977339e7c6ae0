/*
 * selftest_params.h -- the shape of the known-answer test that every device passes when opened.
 */
#ifndef AG_SELFTEST_PARAMS_H
#define AG_SELFTEST_PARAMS_H

#define AG_SELFTEST_GROUPS   3u  /* each computes everything, into its own part of the results */
#define AG_SELFTEST_PAIRS    6u  /* pairs of words */
#define AG_SELFTEST_BLOCKS   4u  /* Philox blocks */
#define AG_SELFTEST_TRIPLES  6u  /* triples of doubles */
#define AG_SELFTEST_LINE     37u /* doubles in a row, for packs: no multiple of a pack's width */
#define AG_SELFTEST_LINE_PAD 8u  /* doubles past the row that the last pack may load */

/* Items of the row that packs compute; the others are set to the scale. */
#define AG_SELFTEST_KEEP_FROM 5
#define AG_SELFTEST_KEEP_TO   30

#define AG_SELFTEST_WORD_OPS   13u /* results of a pair */
#define AG_SELFTEST_REAL_OPS   6u  /* results of a triple */
#define AG_SELFTEST_DICE_WORDS 4u  /* words cut into dice: those of block 0 */
#define AG_SELFTEST_DICE       10u /* dice of a word, and two more results: is it accepted */
#define AG_SELFTEST_DICE_OPS   (AG_SELFTEST_DICE + 2u)

/* Words of input: pairs [PAIRS][2], then blocks [BLOCKS][6], each the counter and the key. */
#define AG_SELFTEST_AT_BLOCKS (AG_SELFTEST_PAIRS * 2u)
#define AG_SELFTEST_WORDS_IN  (AG_SELFTEST_AT_BLOCKS + AG_SELFTEST_BLOCKS * 6u)
/* Doubles of input: triples [TRIPLES][3], then two rows [LINE + LINE_PAD]. */
#define AG_SELFTEST_ROW      (AG_SELFTEST_LINE + AG_SELFTEST_LINE_PAD)
#define AG_SELFTEST_AT_ROWS  (AG_SELFTEST_TRIPLES * 3u)
#define AG_SELFTEST_REALS_IN (AG_SELFTEST_AT_ROWS + 2u * AG_SELFTEST_ROW)

/* Words of a group's results: [PAIRS][WORD_OPS], [BLOCKS][4], [DICE_WORDS][DICE_OPS], a row [LINE] of packs
 * of words, 1 if packs of Philox agree with single blocks, the marker. */
#define AG_SELFTEST_AT_PHILOX   (AG_SELFTEST_PAIRS * AG_SELFTEST_WORD_OPS)
#define AG_SELFTEST_AT_DICE     (AG_SELFTEST_AT_PHILOX + AG_SELFTEST_BLOCKS * 4u)
#define AG_SELFTEST_AT_PRODUCTS (AG_SELFTEST_AT_DICE + AG_SELFTEST_DICE_WORDS * AG_SELFTEST_DICE_OPS)
#define AG_SELFTEST_AT_AGREE    (AG_SELFTEST_AT_PRODUCTS + AG_SELFTEST_LINE)
#define AG_SELFTEST_AT_MARKER   (AG_SELFTEST_AT_AGREE + 1u)
#define AG_SELFTEST_WORDS       (AG_SELFTEST_AT_MARKER + 1u)
/* Doubles of a group's results: [TRIPLES][REAL_OPS], the row of packs, the same row read backwards. */
#define AG_SELFTEST_AT_LINE      (AG_SELFTEST_TRIPLES * AG_SELFTEST_REAL_OPS)
#define AG_SELFTEST_AT_BACKWARDS (AG_SELFTEST_AT_LINE + AG_SELFTEST_LINE)
#define AG_SELFTEST_REALS        (AG_SELFTEST_AT_BACKWARDS + AG_SELFTEST_LINE)
/* One word after the results of all groups: to it every group adds 1 for each item of a row. */
#define AG_SELFTEST_AT_TALLY (AG_SELFTEST_GROUPS * AG_SELFTEST_WORDS)

typedef struct {
    ag_u32 faces;
    double scale; /* of the row; after a word, so that padding is tested */
    ag_u32 reject;
    ag_u32 marker; /* written back: the last field arrives too */
} agk_selftest_params;

#endif
