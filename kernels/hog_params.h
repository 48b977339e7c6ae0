/*
 * hog_params.h -- what the host tells the Hog kernels: one descriptor per table.
 * Read by the host and by every kernel compiler; all fields are 32 bits wide.
 */
#ifndef AG_HOG_PARAMS_H
#define AG_HOG_PARAMS_H

/* Opponent's scores of one panel: a panel is a column block of the table. Even, and the same
 * on every backend. */
#define AG_HOG_PANEL 128u

/* Lanes that the widest pack may reach past the end of a row. */
#define AG_HOG_OVERHANG 8u

/* Kinds of dice: 0 = the usual ones, 1 = those of Hog Wild. */
#define AG_HOG_KINDS 2u

/* ag_hog_table.has */
#define AG_HOG_HAS_BACON     1u  /* n = 0 is a move */
#define AG_HOG_HAS_ZERO      2u  /* some turn may gain nothing: states may depend on themselves */
#define AG_HOG_HAS_ZERO_ROLL 32u /* and a roll may: every state is concerned */
#define AG_HOG_HAS_PACKS     64u /* but no roll nearly surely does: most pairs of states are settled by packs */
#define AG_HOG_HAS_MAPS      4u  /* total rules replace the mover's total */
#define AG_HOG_HAS_FLAGS     8u  /* swaps, extra turns or marks depend on both totals */
#define AG_HOG_HAS_LEADER    16u /* marked: the points count once more, for the leader */

/* Bits of one flag byte, flags[mine * flag_stride + theirs], for the totals after the points are added. */
#define AG_HOG_FLAG_MARK  1u /* the total rule uses the second map; or the points count once more, for the leader */
#define AG_HOG_FLAG_SWAP  2u /* then the totals are exchanged (after a leader's points: asked for again, with them) */
#define AG_HOG_FLAG_AGAIN 4u /* then, nobody being at the goal, the same player goes on */

typedef struct {
    ag_u32 goal;
    ag_u32 max_rolls;
    ag_u32 faces;   /* of the usual dice: the chain sums over 2..faces */
    ag_u32 n_chain; /* dice counts 1..n_chain use the chain (0: none does) */
    ag_u32 has;
    ag_u32 x_end; /* a turn leaves the mover below x_end, before the total rules */
    ag_u32 pad;   /* lanes past a panel's edge: Piggy Back reaches so far */
    ag_u32 n_panels;
    ag_u32 panel;       /* lanes of a panel: AG_HOG_PANEL, or the goal if that is less */
    ag_u32 lanes;       /* doubles of one row: panel + pad, rounded up, and room for a pack to overhang */
    ag_u32 rows;        /* rows of what follows a turn in one panel: x_end + panel + pad */
    ag_u32 panel_reals; /* doubles of one panel, all parts together */
    ag_u32 flag_stride;
    ag_u32 bacon_period;  /* n = 0 scores by layer mod bacon_period, and the opponent's score */
    ag_u32 common_points; /* every n has a term at these points: the roll with a 1, as a rule */
    /* where this table's parts begin, counted in items of the buffer */
    ag_u32 at_map;     /* ints: first map [x_end], then second map [x_end] */
    ag_u32 at_layer;   /* ints: [2 goal - 1]: dice kind + 2 * most dice allowed */
    ag_u32 at_start;   /* ints: [KINDS][max_rolls + 2]: first term of n dice at entry n, its end at entry n + 1 */
    ag_u32 at_term;    /* ints: one a term: points + 65536 * opponent's points */
    ag_u32 at_coef;    /* reals: one a term */
    ag_u32 at_common;  /* reals: [KINDS][max_rolls + 1]: its coefficient, entry n */
    ag_u32 at_chain;   /* reals: [KINDS][max_rolls + 1]: factor of the chain sum, entry n */
    ag_u32 at_zero;    /* reals: [KINDS][max_rolls + 1][2]: P(turn score 0), P(turn score > 0), entry n; 0, 1 for 0 */
    ag_u32 at_inverse; /* AG_HOG_HAS_PACKS: reals: [KINDS][max_rolls + 1][max_rolls + 1]: 1 / (q + q' - q q') */
    ag_u32 at_tie;     /* reals: the tie tolerance, then [max_rolls + 1]: n */
    ag_u32 at_bacon;   /* bytes: [bacon_period][goal] turn score of n = 0 */
    ag_u32 at_flags;   /* bytes */
    ag_u32 at_win;     /* values: [goal][goal], where p.keep; else in the group's work */
    ag_u32 at_rolls;   /* moves: [goal][goal], where p.keep; else only rolls at (0, 0) are wanted */
    ag_u32 at_limit;   /* reals: [KINDS][2 goal - 1 + OVERHANG]: most dice allowed in a layer of that kind, else -1 */
    ag_u32 turn_rows;  /* AG_HOG_HAS_LEADER: a turn scores 0 .. turn_rows - 1 points; else 0 */
} ag_hog_table;

/*
 * Buffers of the Hog kernels
 *   b0  ag_hog_table [n_tables], then ints
 *   b1  reals (doubles)
 *   b2  bytes: bacon, flags
 *   b3  values (doubles): win tables and work
 *   b4  moves (bytes)
 */
typedef struct {
    ag_u32 n_tables;  /* hog_layers: groups share out the tables; hog_sweep: 1 */
    ag_u32 keep;      /* 1: whole tables are wanted; 0: only the values of (0, 0) */
    ag_u32 step;      /* hog_layers: tile pairs with I + J = step; hog_sweep: number of the sweep, from 0 */
    ag_u32 at_ints;   /* words before the ints of b0 */
    ag_u32 at_first;  /* values and moves: [n_tables], those of (0, 0) */
    ag_u32 at_work;   /* values: where the work of group 0 begins */
    ag_u32 work_each; /* values of one group; 0: all groups share one work, tile by tile */
    ag_u32 spare;
    double slack; /* hog_sweep: a bound on one sweep's rounding */
} agk_hog_params;

#endif
