/*
 * hog_game.h -- one Hog table as its kernels see it: where its parts lie, and what follows a turn.
 *
 * The host has turned the rules into tables (hog_params.h); no rule is named here.
 *
 * Parallel shape. Lanes run over the opponent's score o; a panel holds AG_HOG_PANEL of them,
 * in rows of equal layer, so that one step along a row is one step along the layer:
 *
 *     panel J:   W      [rows][lanes]                row r, lane l:  o = J*P + l,  x = r - l
 *                C_n    [lanes/8][n_chain][faces][8] row r at r mod faces, for n = 1..n_chain
 *                move   [lanes/8][max_rolls + 1][8]  this layer's value of n dice
 *                best   [4][lanes]                   its best values; hog_pairs.h: and moves, and both at mirrored
 * scores turn   [turn_rows][lanes]           AG_HOG_HAS_LEADER: this layer's W by points mirror [lanes/8][max_rolls +
 * 1][8]  AG_HOG_HAS_PACKS: this layer's moves at mirrored scores
 *
 * C_n and move keep all that eight lanes need side by side: a step through the lanes is one pass through memory.
 *
 * No score falls except by a swap, which mirrors: the tile pair of rows I and columns J with
 * rows J and columns I depends only on itself and on pairs of larger I + J. One group solves
 * one pair; a launch solves all pairs of one I + J (a goal up to AG_HOG_PANEL is one pair).
 */

/* One table, unpacked for a group. */
typedef struct {
    ag_hog_table t;
    const AG_GLOBAL ag_u32 *ints;
    const AG_GLOBAL double *reals;
    const AG_GLOBAL ag_u8 *bytes;
    AG_GLOBAL double *win;
    AG_GLOBAL double *work;
    AG_GLOBAL ag_u8 *rolls;
    ag_u32 n_wanted; /* layers 0 .. n_wanted - 1 get moves */
} hog_game;

/* One of the two tiles of a pair: the mover's scores x of block I, the opponent's of panel J. */
typedef struct {
    ag_i32 x_lo, x_hi; /* what a turn can leave the mover at; the last block has all from the goal on */
    ag_i32 s_hi;       /* scores before the turn: x_lo .. s_hi - 1 */
    ag_i32 o_lo;       /* opponent's score of lane 0 */
    ag_i32 n_lanes;    /* lanes with a state */
    AG_GLOBAL double *after;
    AG_GLOBAL double *chain;
    AG_GLOBAL double *move;
    AG_GLOBAL double *best;
    AG_GLOBAL double *turn;
    AG_GLOBAL double *mirror;
} hog_tile;

AG_FN hog_game hog_game_of(const agk_hog_params *p, const AG_GLOBAL ag_u8 *b0, const AG_GLOBAL ag_u8 *b1,
                           const AG_GLOBAL ag_u8 *b2, AG_GLOBAL ag_u8 *b3, AG_GLOBAL ag_u8 *b4, ag_u32 table,
                           ag_u32 group)
{
    hog_game g;
    AG_GLOBAL double *work = (AG_GLOBAL double *)b3 + p->at_work + (size_t)group * p->work_each;
    g.t = ((const AG_GLOBAL ag_hog_table *)b0)[table];
    g.ints = (const AG_GLOBAL ag_u32 *)b0 + p->at_ints;
    g.reals = (const AG_GLOBAL double *)b1;
    g.bytes = b2;
    g.win = p->keep ? (AG_GLOBAL double *)b3 + g.t.at_win : work;
    g.work = p->keep ? work : work + (size_t)g.t.goal * g.t.goal;
    g.rolls = b4 + (p->keep ? g.t.at_rolls : p->at_first + table);
    g.n_wanted = p->keep ? 2 * g.t.goal - 1 : 1;
    return g;
}

AG_FN hog_tile hog_tile_of(const hog_game *g, ag_u32 block, ag_u32 panel)
{
    hog_tile a;
    const ag_u32 end = (block + 1) * AG_HOG_PANEL;
    a.x_lo = (ag_i32)(block * AG_HOG_PANEL);
    a.x_hi = (ag_i32)(block + 1 == g->t.n_panels ? g->t.x_end : end);
    a.s_hi = (ag_i32)(end < g->t.goal ? end : g->t.goal);
    a.o_lo = (ag_i32)(panel * AG_HOG_PANEL);
    a.n_lanes = (ag_i32)(panel + 1 == g->t.n_panels ? g->t.goal - panel * AG_HOG_PANEL : AG_HOG_PANEL);
    a.after = g->work + (size_t)panel * g->t.panel_reals;
    a.chain = a.after + g->t.rows * g->t.lanes;
    a.move = a.chain + g->t.n_chain * g->t.faces * g->t.lanes;
    a.best = a.move + (g->t.max_rolls + 1) * g->t.lanes;
    a.turn = a.best + 4 * g->t.lanes;
    a.mirror = a.turn + g->t.turn_rows * g->t.lanes;
    return a;
}

/* Where lane l has its chain sums and its moves; the next level or move is so many doubles on. */
#define HOG_BLOCK 8u
AG_FN AG_GLOBAL double *hog_chain_at(const hog_game *g, const hog_tile *a, ag_u32 l)
{
    return a->chain + (l / HOG_BLOCK * g->t.n_chain * g->t.faces) * HOG_BLOCK + l % HOG_BLOCK;
}

AG_FN AG_GLOBAL double *hog_move_at(const hog_game *g, const hog_tile *a, ag_u32 l)
{
    return a->move + (l / HOG_BLOCK * (g->t.max_rolls + 1)) * HOG_BLOCK + l % HOG_BLOCK;
}

AG_FN AG_GLOBAL double *hog_mirror_at(const hog_game *g, const hog_tile *a, ag_u32 l)
{
    return a->mirror + (l / HOG_BLOCK * (g->t.max_rolls + 1)) * HOG_BLOCK + l % HOG_BLOCK;
}

/* ------------------------------------------------------------------ after a turn */

/* What the scores become, and who goes on. */
typedef struct {
    ag_u32 mine, theirs;
    ag_u32 again;
} hog_end;

/* The mover stands at x against o, `points` of them scored just now. */
AG_FN hog_end hog_end_of(const hog_game *g, ag_u32 x, ag_u32 o, ag_u32 points)
{
    hog_end e;
    const AG_GLOBAL ag_u8 *flags = g->bytes + g->t.at_flags;
    ag_u32 flag = g->t.has & AG_HOG_HAS_FLAGS ? flags[(size_t)x * g->t.flag_stride + o] : 0;
    e.mine = x;
    e.theirs = o;
    if (g->t.has & AG_HOG_HAS_MAPS)
        e.mine = g->ints[g->t.at_map + (flag & AG_HOG_FLAG_MARK ? g->t.x_end : 0) + x];
    if ((g->t.has & AG_HOG_HAS_LEADER) && (flag & AG_HOG_FLAG_MARK)) {
        e.mine = x > o ? x + points : x;
        e.theirs = x > o ? o : o + points;
        flag = flags[(size_t)e.mine * g->t.flag_stride + e.theirs];
    }
    if (flag & AG_HOG_FLAG_SWAP) {
        const ag_u32 old = e.mine;
        e.mine = e.theirs;
        e.theirs = old;
    }
    e.again = flag & AG_HOG_FLAG_AGAIN;
    return e;
}

/* Somebody at the goal: 1 if the mover wins, 0 if the other does, 1/2 for equal totals. */
AG_FN double hog_final(ag_u32 goal, ag_u32 mine, ag_u32 theirs)
{
    if (mine >= goal && theirs >= goal)
        return mine > theirs ? 1.0 : mine < theirs ? 0.0 : 0.5;
    return mine >= goal ? 1.0 : 0.0;
}

/* The mover's win probability then, from tables that hold the win probability of the player on move: `same` where
 * the mover goes on, `other` where the opponent does (a lower bound needs upper bounds there). */
AG_FN double hog_after(const hog_game *g, const AG_GLOBAL double *same, const AG_GLOBAL double *other, ag_u32 x,
                       ag_u32 o, ag_u32 points)
{
    const hog_end e = hog_end_of(g, x, o, points);
    if (e.mine >= g->t.goal || e.theirs >= g->t.goal)
        return hog_final(g->t.goal, e.mine, e.theirs);
    if (e.again)
        return same[(size_t)e.mine * g->t.goal + e.theirs];
    return 1.0 - other[(size_t)e.theirs * g->t.goal + e.mine];
}

/* Points of n = 0 by layer and opponent's score. */
AG_FN const AG_GLOBAL ag_u8 *hog_bacon(const hog_game *g, ag_u32 layer)
{
    return g->bytes + g->t.at_bacon + (size_t)(layer % g->t.bacon_period) * g->t.goal;
}

/* ------------------------------------------------------------------ lanes of a row */

/*
 * Loops over lanes lo .. hi - 1 of a row, as packs and one by one. They start at a lane that every loop reaches
 * from 0 in whole strides, so that one worker has the same lanes in all of them, and packs stay aligned; what
 * a pack has beyond the bounds is computed from whatever lies there, and no valid value depends on it.
 */
AG_FN ag_u32 hog_first(ag_i32 lo, ag_u32 stride)
{
    return lo > 0 ? (ag_u32)lo / stride * stride : 0u;
}
#define HOG_FOR_PACKS(l, lo, hi) AG_FOR_PACKS(l, hog_first(lo, AG_PACK * AG_N_LANES), (ag_u32)((hi) > 0 ? (hi) : 0))
#define HOG_FOR_LANES(l, lo, hi)                                                                                       \
    AG_FOR_ITEMS(l, hog_first(lo, AG_N_LANES), (ag_u32)((hi) > 0 ? (hi) : 0))                                          \
        if (AG_N_LANES == 1u || (ag_i32)l >= (lo))

/* Lanes of row r of tile a that hold states: from .. end - 1. */
typedef struct {
    ag_i32 from, end;
} hog_span;

AG_FN hog_span hog_states(const hog_tile *a, ag_i32 r)
{
    hog_span span;
    span.from = r - (a->s_hi - 1) > 0 ? r - (a->s_hi - 1) : 0;
    span.end = (r - a->x_lo < a->n_lanes - 1 ? r - a->x_lo : a->n_lanes - 1) + 1;
    return span;
}
