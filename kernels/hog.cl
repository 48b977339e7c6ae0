/*
 * hog.cl -- solves Hog by layers of equal score + opponent_score, from the last to the first.
 *
 * The host has turned the rules into tables; no rule is named here. With W(x,o) the mover's
 * win probability once a turn has left him at x against o (before total rules, swap, goal
 * test and extra turn, which hog_after() applies), n dice are worth
 *
 *     sum over outcomes k of P_n(k) W(s + k, o)  =  f_n C_n(s,o) + a few terms c W(s + k, o),
 *
 * where the chain C_n(x,o) = C_{n-1}(x+2,o) + ... + C_{n-1}(x+faces,o), C_0 = W, is the unscaled sum over
 * all rolls of n dice without a 1, and the terms are the roll with a 1 and whatever the
 * turn-score rules move. A layer needs only later layers: C_n even of two layers at once.
 *
 * Parallel shape. Lanes run over the opponent's score o; a panel holds AG_HOG_PANEL of them,
 * in rows of equal layer, so that one step along a row is one step along the layer:
 *
 *     panel J:   W      [rows][lanes]                row r, lane l:  o = J*P + l,  x = r - l
 *                C_n    [lanes/8][n_chain][faces][8] row r at r mod faces, for n = 1..n_chain
 *                move   [lanes/8][max_rolls + 1][8]  this layer's value of n dice
 *                best   [lanes]
 *                turn   [turn_rows][lanes]           AG_HOG_HAS_LEADER: this layer's W by points
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

/* ------------------------------------------------------------- the parts of a layer */

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

/*
 * Rows r and r - 1 (r odd) of every chain sum, from rows r + 1 .. r + faces on. A ring holds just these: the new rows
 * take the places of r + faces and r + faces - 1 (as r and r - 1 mod faces), which the next longer chain has
 * read, so the longest comes first. Where a tile has neighbours, only its own lanes are written.
 */
AG_FN void hog_chain_of(const hog_game *g, const hog_tile *a, ag_i32 r, ag_u32 faces)
{
    const ag_u32 lanes = g->t.lanes, slot = (ag_u32)r % faces;
    const ag_i32 from = r - a->x_hi, end = (r - a->x_lo < a->n_lanes - 1 ? r - a->x_lo : a->n_lanes - 1) + 1;
    const ag_i32 end_low = r - 1 - a->x_lo < a->n_lanes - 1 ? end - 1 : end;
    const ag_i32 top = (ag_i32)g->t.goal - 1;
#define HOG_RING(d) ((slot + (d) >= faces ? slot + (d) - faces : slot + (d)) * HOG_BLOCK)
    HOG_FOR_PACKS(l, from, end)
    {
        /* Beyond the goal only what a shorter chain still asks for. */
        const ag_i32 beyond = r - 1 - ((ag_i32)(l + AG_PACK) - 1) - top;
        const ag_i32 cut = beyond > 0 ? (beyond + (ag_i32)faces - 1) / (ag_i32)faces : 0;
        const ag_i32 n_top = (ag_i32)g->t.n_chain - cut;
        const int whole = g->t.n_panels == 1 || (from < (ag_i32)l && (ag_i32)(l + AG_PACK) < end);
        const AG_GLOBAL double *after = a->after + (size_t)r * lanes + l;
        AG_GLOBAL double *to = hog_chain_at(g, a, l) + (n_top - 1) * (ag_i32)(faces * HOG_BLOCK);
        for (ag_i32 n = n_top; n > 0; n--, to -= faces * HOG_BLOCK) {
            /* the shortest chain sums the rows of W, which lie in order */
            const AG_GLOBAL double *below = to - faces * HOG_BLOCK;
            ag_pack sum, low, high;
            if (n > 1) {
                sum = faces > 2 ? ag_load(below + HOG_RING(2)) : AG_SPLAT(0.0);
                for (ag_u32 d = 3; d < faces; d++)
                    sum = sum + ag_load(below + HOG_RING(d));
                high = sum + ag_load(below + HOG_RING(faces));
                low = sum + ag_load(below + HOG_RING(1));
            } else {
                sum = faces > 2 ? ag_load(after + 2 * lanes) : AG_SPLAT(0.0);
                for (ag_u32 d = 3; d < faces; d++)
                    sum = sum + ag_load(after + d * lanes);
                high = sum + ag_load(after + faces * lanes);
                low = sum + ag_load(after + lanes);
            }
            if (!whole) {
                const ag_mask mine = ag_lanes_between(from + 1 - (ag_i32)l, end - (ag_i32)l);
                const ag_mask mine_low = ag_lanes_between(from - (ag_i32)l, end_low - (ag_i32)l);
                high = AG_SELECT(mine, high, ag_load(to + HOG_RING(0)));
                low = AG_SELECT(mine_low, low, ag_load(to + HOG_RING(faces - 1)));
            }
            ag_store(to + HOG_RING(0), high);
            ag_store(to + HOG_RING(faces - 1), low);
        }
    }
#undef HOG_RING
}

AG_FN void hog_chain(const hog_game *g, const hog_tile *a, ag_i32 r)
{
    if (g->t.faces == 6) /* the usual dice: the same text, unrolled */
        hog_chain_of(g, a, r, 6);
    else
        hog_chain_of(g, a, r, g->t.faces);
}

/* AG_HOG_HAS_LEADER: what follows a turn depends on its points too, one row for each. */
AG_FN void hog_turn_rows(const hog_game *g, const hog_tile *a, ag_i32 r, hog_span span)
{
    HOG_FOR_LANES(l, span.from, span.end)
    {
        const ag_u32 s = (ag_u32)r - l, o = (ag_u32)a->o_lo + l;
        for (ag_u32 k = 0; k < g->t.turn_rows; k++) {
            /* what gains nothing is no later layer's: hog_settle() */
            const int later = k > 0 || !(g->t.has & AG_HOG_HAS_ZERO);
            a->turn[(size_t)k * g->t.lanes + l] = later ? hog_after(g, g->win, g->win, s + k, o, k) : 0.0;
        }
    }
}

/* Points of n = 0 by layer and opponent's score. */
AG_FN const AG_GLOBAL ag_u8 *hog_bacon(const hog_game *g, ag_u32 layer)
{
    return g->bytes + g->t.at_bacon + (size_t)(layer % g->t.bacon_period) * g->t.goal;
}

/* The terms start .. end - 1 at the pack l of lanes. */
AG_FN ag_pack hog_terms(const hog_game *g, const AG_GLOBAL double *row, const AG_GLOBAL double *base, ag_u32 start,
                        ag_u32 end, ag_u32 l)
{
    const AG_GLOBAL ag_u32 *terms = g->ints + g->t.at_term;
    const AG_GLOBAL double *coefs = g->reals + g->t.at_coef;
    ag_pack value = AG_SPLAT(0.0);
    for (ag_u32 t = start; t < end; t++) {
        /* Points given away by Piggy Back mean none scored: nothing counts again for a leader. */
        const ag_u32 points = terms[t] & 0xffffu, given = terms[t] >> 16;
        const AG_GLOBAL double *w = given ? row + (points + given) * g->t.lanes + given : base + points * g->t.lanes;
        value = value + AG_SPLAT(coefs[t]) * ag_load(w + l);
    }
    return value;
}

/* The value of every move in row r, and the best. Where turns may gain nothing, that outcome is
 * left out here, and hog_settle() finds the best. */
AG_FN void hog_decide(const hog_game *g, const hog_tile *a, ag_i32 r)
{
    const ag_u32 lanes = g->t.lanes, one_n = g->t.faces * HOG_BLOCK, n_moves = g->t.max_rolls + 1;
    const ag_u32 layer = (ag_u32)(r + a->o_lo), rule = g->ints[g->t.at_layer + layer];
    const ag_u32 kind = rule & 1u, n_max = rule >> 1;
    const hog_span span = hog_states(a, r);
    const AG_GLOBAL ag_u32 *start = g->ints + g->t.at_start + kind * (n_moves + 1);
    const AG_GLOBAL double *factor = g->reals + g->t.at_chain + kind * n_moves;
    const AG_GLOBAL double *common = g->reals + g->t.at_common + kind * n_moves;
    const AG_GLOBAL double *row = a->after + (size_t)r * lanes;
    const ag_u32 slot = (ag_u32)r % g->t.faces * HOG_BLOCK;
    const int leader = (g->t.has & AG_HOG_HAS_LEADER) != 0, bacon = (g->t.has & AG_HOG_HAS_BACON) != 0;
    const AG_GLOBAL double *base = leader ? a->turn : row;
    const int more = start[0] != start[n_moves], chained = kind == 0 && g->t.n_chain > 0;

    if (leader)
        hog_turn_rows(g, a, r, span);
    if (bacon) {
        const AG_GLOBAL ag_u8 *points = hog_bacon(g, layer) + a->o_lo;
        HOG_FOR_LANES(l, span.from, span.end) *hog_move_at(g, a, l) = base[points[l] * lanes + l];
    }
    HOG_FOR_PACKS(l, span.from, span.end)
    {
        const ag_pack one = ag_load(base + g->t.common_points * lanes + l);
        const AG_GLOBAL double *sum = hog_chain_at(g, a, l) + slot;
        AG_GLOBAL double *move = hog_move_at(g, a, l);
        ag_pack best = bacon ? ag_load(move) : AG_SPLAT(-1.0);
        if (chained && !more) { /* the usual dice and rules: the case to be fast */
            for (ag_u32 n = 1; n <= n_max; n++, sum += one_n) {
                const ag_pack value = AG_SPLAT(common[n]) * one + AG_SPLAT(factor[n]) * ag_load(sum);
                move += HOG_BLOCK;
                ag_store(move, value);
                best = ag_max(best, value);
            }
        } else {
            for (ag_u32 n = 1; n <= n_max; n++, sum += one_n) {
                ag_pack value = AG_SPLAT(common[n]) * one;
                if (chained)
                    value = value + AG_SPLAT(factor[n]) * ag_load(sum);
                value = value + hog_terms(g, row, base, start[n], start[n + 1], l);
                move += HOG_BLOCK;
                ag_store(move, value);
                best = ag_max(best, value);
            }
        }
        ag_store(a->best + l, best);
    }
}

/* Writes the values of row r, and the smallest n among the best moves. */
AG_FN void hog_record(const hog_game *g, const hog_tile *a, ag_i32 r)
{
    const ag_u32 goal = g->t.goal;
    const ag_u32 layer = (ag_u32)(r + a->o_lo), n_max = g->ints[g->t.at_layer + layer] >> 1;
    const ag_u32 n_min = g->t.has & AG_HOG_HAS_BACON ? 0 : 1;
    const hog_span span = hog_states(a, r);
    const AG_GLOBAL double *name = g->reals + g->t.at_tie + 1;
    const ag_pack tie = AG_SPLAT(g->reals[g->t.at_tie]);
    /* one lane on: one point more for the other, one less for the mover */
    AG_GLOBAL double *win = g->win + (size_t)r * goal + (ag_u32)a->o_lo;
    AG_GLOBAL ag_u8 *rolls = g->rolls + (size_t)r * goal + (ag_u32)a->o_lo;

    HOG_FOR_LANES(l, span.from, span.end) *(win - (size_t)l * (goal - 1)) = ag_min1(a->best[l], 1.0);
    if (layer >= g->n_wanted)
        return;
    HOG_FOR_PACKS(l, span.from, span.end)
    {
        const ag_pack enough = ag_load(a->best + l) - tie;
        const AG_GLOBAL double *move = hog_move_at(g, a, l) + n_max * HOG_BLOCK;
        ag_pack choice = AG_SPLAT(0.0);
        for (ag_u32 n = n_max; n + 1 > n_min; n--) {
            choice = AG_SELECT(ag_load(move) < enough, choice, AG_SPLAT(name[n]));
            move -= HOG_BLOCK;
        }
        ag_store(a->best + l, choice);
    }
    HOG_FOR_LANES(l, span.from, span.end) *(rolls - (size_t)l * (goal - 1)) = (ag_u8)a->best[l];
}

/*
 * Row r of what follows a turn, from the win values of this and later layers. hog_after() says it for every
 * lane; the loops below say the same, faster, where the opponent is below the goal and the points do not matter.
 */
AG_FN void hog_follow(const hog_game *g, const hog_tile *a, ag_i32 r)
{
    const ag_u32 goal = g->t.goal, o_lo = (ag_u32)a->o_lo, has = g->t.has, mark = g->t.x_end;
    const ag_i32 from = r - (a->x_hi - 1) > 0 ? r - (a->x_hi - 1) : 0, width = a->n_lanes + (ag_i32)g->t.pad;
    const ag_i32 end = (r - a->x_lo < width - 1 ? r - a->x_lo : width - 1) + 1;
    /* lanes with the opponent below the goal; of those, the ones with the mover at it come first */
    const ag_i32 below = (ag_i32)(goal - o_lo) < end ? (ag_i32)(goal - o_lo) : end;
    const ag_i32 usual = has & AG_HOG_HAS_LEADER ? 0 : below;
    const ag_i32 won = r - (ag_i32)goal + 1 < usual ? r - (ag_i32)goal + 1 : usual;
    const ag_i32 open = won > from ? won : from, rest = usual > from ? usual : from;
    const int maps = (has & AG_HOG_HAS_MAPS) != 0;
    const AG_GLOBAL ag_u32 *map = g->ints + g->t.at_map;
    const AG_GLOBAL double *win = g->win;
    AG_GLOBAL double *row = a->after + (size_t)r * g->t.lanes;

    HOG_FOR_LANES(l, rest, end) row[l] = hog_after(g, win, win, (ag_u32)r - l, o_lo + l, 0);
    if (has & AG_HOG_HAS_FLAGS) {
        /* one lane on: one point less for the mover, one more for the other */
        const AG_GLOBAL ag_u8 *flags = g->bytes + g->t.at_flags + (size_t)r * g->t.flag_stride + o_lo;
        const ag_u32 step = g->t.flag_stride - 1;
        HOG_FOR_LANES(l, from, won) row[l] = *(flags - (size_t)l * step) & AG_HOG_FLAG_SWAP ? 0.0 : 1.0;
        HOG_FOR_LANES(l, open, usual)
        {
            const ag_u32 flag = *(flags - (size_t)l * step), swap = flag & AG_HOG_FLAG_SWAP;
            const ag_u32 x = (ag_u32)r - l + (maps && (flag & AG_HOG_FLAG_MARK) ? mark : 0), o = o_lo + l;
            const ag_u32 total = maps ? map[x] : x, mine = swap ? o : total, theirs = swap ? total : o;
            if (total >= goal)
                row[l] = swap ? 0.0 : 1.0;
            else if (flag & AG_HOG_FLAG_AGAIN)
                row[l] = win[(size_t)mine * goal + theirs];
            else
                row[l] = 1.0 - win[(size_t)theirs * goal + mine];
        }
        return;
    }
    win += (size_t)o_lo * goal;
    HOG_FOR_LANES(l, from, won) row[l] = 1.0;
    if (maps) {
        HOG_FOR_LANES(l, open, usual)
        {
            const ag_u32 mine = map[(ag_u32)r - l];
            row[l] = mine >= goal ? 1.0 : 1.0 - win[(size_t)l * goal + mine];
        }
    } else {
        HOG_FOR_LANES(l, open, usual) row[l] = 1.0 - win[(size_t)l * (goal - 1) + (ag_u32)r];
    }
}

/* ------------------------------------------------- states that can gain nothing */

/*
 * A turn that gains nothing comes back to the same pair of states {(s,o), (o,s)}: to the state
 * itself or to its partner, with the same player on move or the other. Values are shifted by
 * 1/2, so that endless play is worth 0 and a change of player is a change of sign.
 */
typedef struct {
    int known;      /* total rules make a gain of it after all: no coupling */
    double value;   /* then: its shifted value */
    int self;       /* comes back to the state itself */
    double sign;    /* +1: same player on move, -1: the other */
    const AG_GLOBAL double *move; /* values without the outcome that gains nothing, a lane of the move rows */
    const AG_GLOBAL double *zero; /* [max_rolls + 1][2]: its probability z, and q = 1 - z */
    ag_u32 n_min, n_max;
    ag_u32 bacon;   /* points of n = 0 */
    ag_u32 sure;    /* the best move that surely gains; n_max + 1 if there is none */
} hog_echo;

/* Probability that n gains nothing, and that it gains. */
AG_FN double hog_z(const hog_echo *e, ag_u32 n)
{
    return e->known ? 0.0 : n > 0 ? e->zero[2 * n] : e->bacon == 0 ? 1.0 : 0.0;
}

AG_FN double hog_q(const hog_echo *e, ag_u32 n)
{
    return e->known ? 1.0 : n > 0 ? e->zero[2 * n + 1] : e->bacon == 0 ? 0.0 : 1.0;
}

/* q times the shifted mean value of n given that it gains. */
AG_FN double hog_a(const hog_echo *e, ag_u32 n)
{
    const double z = n > 0 ? e->zero[2 * n] : e->bacon == 0 ? 1.0 : 0.0;
    const double q = n > 0 ? e->zero[2 * n + 1] : e->bacon == 0 ? 0.0 : 1.0;
    const double rest = q > 0.0 ? e->move[n * HOG_BLOCK] - 0.5 * q : 0.0;
    return e->known ? rest + z * e->value : rest;
}

AG_FN hog_echo hog_echo_of(const hog_game *g, const hog_tile *a, ag_u32 s, ag_u32 o)
{
    hog_echo e;
    const ag_u32 rule = g->ints[g->t.at_layer + s + o];
    const hog_end end = hog_end_of(g, s, o, 0);
    const int known = end.mine + end.theirs != s + o;
    double best = -2.0;
    e.known = known;
    e.value = known ? hog_after(g, g->win, g->win, s, o, 0) - 0.5 : 0.0;
    /* next on move: with (mine, theirs) again, or the other with (theirs, mine) */
    e.self = s == o || (end.again ? end.mine == s : end.theirs == s);
    e.sign = end.again ? 1.0 : -1.0;
    e.move = hog_move_at(g, a, o - (ag_u32)a->o_lo);
    e.zero = g->reals + g->t.at_zero + (rule & 1u) * (g->t.max_rolls + 1) * 2;
    e.n_min = g->t.has & AG_HOG_HAS_BACON ? 0 : 1;
    e.n_max = rule >> 1;
    e.bacon = e.n_min == 0 ? hog_bacon(g, s + o)[o] : 1;
    e.sure = e.n_max + 1;
    for (ag_u32 n = e.n_min; n <= e.n_max; n++)
        if (hog_z(&e, n) == 0.0 && hog_a(&e, n) > best) {
            best = hog_a(&e, n);
            e.sure = n;
        }
    return e;
}

/* What a state's echo meets: its partner's kept move, or its partner's value where that does not depend on it. */
typedef struct {
    int coupled;
    double a, z, q, sign; /* of the partner's move */
    double value;         /* shifted, of the partner */
} hog_partner;

/*
 * Shifted value of u when it keeps to n. Where two states echo to each other that is a 2x2 linear system,
 * (a + z sign b) / (1 - z z' sign sign'), a weighted mean of means given a gain: 1 - z z' is q + q' - q q', which does
 * not cancel. Passing for ever is worth 0. A state cannot be coupled to one of the other sign (the extra turn is
 * tested after the swap, on the same two scores), but the formula would serve.
 */
AG_FN double hog_kept(const hog_echo *u, ag_u32 n, const hog_partner *v)
{
    const double a = hog_a(u, n), z = hog_z(u, n), q = hog_q(u, n);
    double d;
    if (z == 0.0)
        return a;
    if (u->self) {
        d = u->sign > 0.0 ? q : 1.0 + z;
        return d > 0.0 ? a / d : 0.0;
    }
    if (!v->coupled)
        return a + z * u->sign * v->value;
    d = u->sign == v->sign ? q + v->q - q * v->q : 1.0 + z * v->z;
    return d > 0.0 ? (a + z * u->sign * v->a) / d : 0.0;
}

/* The best move to keep to, and its value. Of the moves that surely gain only the best can be it. */
AG_FN double hog_best(const hog_echo *u, const hog_partner *v, ag_u32 *move)
{
    double best = -2.0;
    for (ag_u32 n = u->n_min; n <= u->n_max; n++) {
        if (n == u->sure || hog_z(u, n) > 0.0) {
            const double value = hog_kept(u, n, v);
            if (value > best) {
                best = value;
                *move = n;
            }
        }
    }
    return best;
}

AG_FN hog_partner hog_keeping(const hog_echo *v, ag_u32 n)
{
    hog_partner p;
    p.coupled = 1;
    p.a = hog_a(v, n);
    p.z = hog_z(v, n);
    p.q = hog_q(v, n);
    p.sign = v->sign;
    p.value = 0.0;
    return p;
}

/*
 * Two states that echo to each other: a 2x2 system of maxima. The player at u answers each move of v with the
 * best of his own; v's best move is the one that lowers this (the other player is on move there) or raises it. The
 * optimum over all pairs: no iteration, nothing to get lost in. Returns u's value and both moves.
 */
AG_FN double hog_coupled(const hog_echo *u, const hog_echo *v, ag_u32 *u_move, ag_u32 *v_move)
{
    double value = u->sign < 0.0 ? 2.0 : -2.0;
    for (ag_u32 j = v->n_min; j <= v->n_max; j++) {
        if (j == v->sure || hog_z(v, j) > 0.0) {
            const hog_partner p = hog_keeping(v, j);
            ag_u32 i = u->n_min;
            const double best = hog_best(u, &p, &i);
            if (u->sign < 0.0 ? best < value : best > value) {
                value = best;
                *u_move = i;
                *v_move = j;
            }
        }
    }
    return value;
}

/* True if the player at v, worth `value`, does as well by passing surely back to u, worth `u_value`. */
AG_FN int hog_may_pass(const hog_echo *v, double value, double u_value, double tie)
{
    int sure = 0;
    for (ag_u32 n = v->n_min; n <= v->n_max; n++)
        sure = sure || hog_q(v, n) == 0.0;
    return sure && v->sign * u_value >= value - tie;
}

/* The smallest n that, kept to, is within the tie tolerance of the best. One that passes surely stands back for
 * any other where `stands_back`: the partner may pass as well, and endless play would be worth less. */
AG_FN ag_u32 hog_choice(const hog_echo *u, const hog_partner *v, double value, int stands_back, double tie)
{
    ag_u32 choice = u->n_min, passes = 1;
    for (ag_u32 n = u->n_max; n + 1 > u->n_min; n--) {
        const ag_u32 pass = stands_back && hog_q(u, n) == 0.0;
        if (hog_kept(u, n, v) >= value - tie && (passes || !pass)) {
            choice = n;
            passes = pass;
        }
    }
    return choice;
}

AG_FN void hog_settle_pair(const hog_game *g, const hog_tile *a, const hog_tile *b, ag_u32 s, ag_u32 o)
{
    const hog_echo u = hog_echo_of(g, a, s, o), v = hog_echo_of(g, b, o, s);
    const int u_alone = u.self || u.known, v_alone = v.self || v.known;
    ag_u32 u_move = u.n_min, v_move = v.n_min;
    hog_partner to_u, to_v; /* what v meets at u, and u at v */
    double pu = 0.0, pv;
    to_u.coupled = to_v.coupled = 0;
    if (!u_alone && !v_alone) {
        pu = hog_coupled(&u, &v, &u_move, &v_move);
        to_u = hog_keeping(&u, u_move);
        to_v = hog_keeping(&v, v_move);
    } else if (u_alone) {
        pu = hog_best(&u, &to_v, &u_move);
        to_u.value = pu;
    }
    pv = hog_best(&v, &to_u, &v_move);
    if (!to_v.coupled) {
        to_v.value = pv;
        pu = hog_best(&u, &to_v, &u_move);
    }

    const ag_u32 at = s * g->t.goal + o, mirror = o * g->t.goal + s;
    g->win[at] = ag_max1(0.0, ag_min1(1.0, pu + 0.5));
    g->win[mirror] = ag_max1(0.0, ag_min1(1.0, pv + 0.5));
    if (s + o < g->n_wanted) {
        const double tie = g->reals[g->t.at_tie];
        const int u_back = to_v.coupled && pu > tie && hog_may_pass(&v, pv, pu, tie);
        const int v_back = to_u.coupled && pv > tie && hog_may_pass(&u, pu, pv, tie);
        g->rolls[at] = (ag_u8)hog_choice(&u, &to_v, pu, u_back, tie);
        g->rolls[mirror] = (ag_u8)hog_choice(&v, &to_u, pv, v_back, tie);
    }
}

/* True if some move of (s, o) may gain nothing. */
AG_FN int hog_may_echo(const hog_game *g, ag_u32 s, ag_u32 o)
{
    return (g->t.has & AG_HOG_HAS_ZERO_ROLL) || ((g->t.has & AG_HOG_HAS_BACON) && hog_bacon(g, s + o)[o] == 0);
}

/* True if a roll that gains nothing leaves (s, o) as it is, for the other player, and n = 0 does gain. */
AG_FN int hog_just_passes_on(const hog_game *g, ag_u32 s, ag_u32 o)
{
    const hog_end end = hog_end_of(g, s, o, 0);
    return end.mine == s && end.theirs == o && !end.again && !((g->t.has & AG_HOG_HAS_BACON) && hog_bacon(g, s + o)[o] == 0);
}

/* Moves of a pack of lanes: shifted values of n, q times the mean given a gain. */
AG_FN ag_pack hog_shifted(const AG_GLOBAL double *move, ag_u32 n, double q)
{
    return ag_load(move + n * HOG_BLOCK) - AG_SPLAT(0.5 * q);
}

/* The smallest n of a pack that, kept to against a move b / q of the partner, is within the tolerance of `value`. */
AG_FN ag_pack hog_pack_choice(const AG_GLOBAL double *move, const AG_GLOBAL double *zero, const AG_GLOBAL double *name,
                              ag_u32 n_min, ag_u32 n_max, ag_pack b, ag_pack q, ag_pack enough)
{
    ag_pack choice = AG_SPLAT(0.0);
    for (ag_u32 n = n_max; n + 1 > n_min; n--) {
        const ag_pack one = AG_SPLAT(zero[2 * n + 1]);
        const ag_pack kept = hog_shifted(move, n, zero[2 * n + 1]) - AG_SPLAT(zero[2 * n]) * b;
        choice = AG_SELECT(kept < enough * (one + q - one * q), choice, AG_SPLAT(name[n]));
    }
    return choice;
}

/*
 * The usual pairs of a layer, a pack at a time: both states pass on to each other by rolls that gain nothing.
 * The optimum over all pairs of moves as in hog_coupled(), with the host's 1 / (1 - z z'); no roll passes surely. Values
 * and moves go to `best`.
 */
AG_FN void hog_settle_packs(const hog_game *g, const hog_tile *a, const hog_tile *b, ag_i32 r, hog_span span)
{
    const ag_u32 rule = g->ints[g->t.at_layer + (ag_u32)(r + a->o_lo)], n_max = rule >> 1, n_moves = g->t.max_rolls + 1;
    const ag_u32 n_min = g->t.has & AG_HOG_HAS_BACON ? 0 : 1, mirror = (ag_u32)(r - b->o_lo);
    const AG_GLOBAL double *zero = g->reals + g->t.at_zero + (rule & 1u) * n_moves * 2;
    const AG_GLOBAL double *inverse = g->reals + g->t.at_inverse + (rule & 1u) * n_moves * n_moves;
    const AG_GLOBAL double *name = g->reals + g->t.at_tie + 1;
    const ag_pack tie = AG_SPLAT(g->reals[g->t.at_tie]);
    HOG_FOR_LANES(l, span.from, span.end)
        for (ag_u32 n = n_min; n <= n_max; n++)
            hog_mirror_at(g, a, l)[n * HOG_BLOCK] = hog_move_at(g, b, mirror - l)[n * HOG_BLOCK];
    HOG_FOR_PACKS(l, span.from, span.end)
    {
        const AG_GLOBAL double *mu = hog_move_at(g, a, l);
        const AG_GLOBAL double *mv = hog_mirror_at(g, a, l);
        ag_pack u = AG_SPLAT(2.0), v = AG_SPLAT(-2.0), au = u, qu = u, bv = u, qv = u, choice_u, choice_v;
        for (ag_u32 j = n_min; j <= n_max; j++) {
            const ag_pack bj = hog_shifted(mv, j, zero[2 * j + 1]);
            ag_pack best = AG_SPLAT(-2.0), ai = best, qi = best;
            for (ag_u32 i = n_min; i <= n_max; i++) {
                const ag_pack x = hog_shifted(mu, i, zero[2 * i + 1]);
                const ag_pack kept = (x - AG_SPLAT(zero[2 * i]) * bj) * AG_SPLAT(inverse[i * n_moves + j]);
                const ag_mask better = kept > best;
                best = ag_max(kept, best);
                ai = AG_SELECT(better, x, ai);
                qi = AG_SELECT(better, AG_SPLAT(zero[2 * i + 1]), qi);
            }
            const ag_mask lower = best < u;
            u = AG_SELECT(lower, best, u);
            au = AG_SELECT(lower, ai, au);
            qu = AG_SELECT(lower, qi, qu);
            bv = AG_SELECT(lower, bj, bv);
            qv = AG_SELECT(lower, AG_SPLAT(zero[2 * j + 1]), qv);
        }
        for (ag_u32 j = n_min; j <= n_max; j++)
            v = ag_max(v, hog_shifted(mv, j, zero[2 * j + 1]) - AG_SPLAT(zero[2 * j]) * u);
        choice_u = hog_pack_choice(mu, zero, name, n_min, n_max, bv, qv, u - tie);
        choice_v = hog_pack_choice(mv, zero, name, n_min, n_max, au, qu, v - tie);
        ag_store(a->best + l, u + AG_SPLAT(0.5));
        ag_store(a->best + g->t.lanes + l, choice_u);
        ag_store(a->best + 2 * g->t.lanes + l, v + AG_SPLAT(0.5));
        ag_store(a->best + 3 * g->t.lanes + l, choice_v);
    }
}

/* Solves the pairs of states of one layer of which one may gain nothing, after hog_record() has taken them
 * for states of their own: a is the tile with the larger scores. */
AG_FN void hog_settle(const hog_game *g, const hog_tile *a, const hog_tile *b, ag_i32 r)
{
    const ag_u32 goal = g->t.goal, lanes = g->t.lanes, packs = g->t.has & AG_HOG_HAS_PACKS;
    hog_span span = hog_states(a, r);
    /* s >= o: the other half of a tile on the diagonal are the partners */
    if (a->x_lo == a->o_lo && 2 * (span.end - 1) > r)
        span.end = r / 2 + 1;
    if (packs)
        hog_settle_packs(g, a, b, r, span);
    HOG_FOR_LANES(l, span.from, span.end)
    {
        const ag_u32 s = (ag_u32)r - l, o = (ag_u32)a->o_lo + l;
        if (packs && s != o && hog_just_passes_on(g, s, o) && hog_just_passes_on(g, o, s)) {
            g->win[s * goal + o] = ag_max1(0.0, ag_min1(1.0, a->best[l]));
            g->win[o * goal + s] = ag_max1(0.0, ag_min1(1.0, a->best[2 * lanes + l]));
            if (s + o < g->n_wanted) {
                g->rolls[s * goal + o] = (ag_u8)a->best[lanes + l];
                g->rolls[o * goal + s] = (ag_u8)a->best[3 * lanes + l];
            }
        } else if (hog_may_echo(g, s, o) || hog_may_echo(g, o, s)) {
            hog_settle_pair(g, a, b, s, o);
        }
    }
}

/* ------------------------------------------------------------------------ entry */

/* All layers of the tile pair (I, J), I >= J. */
AG_FN void hog_tile_pair(const hog_game *g, ag_u32 i, ag_u32 j)
{
    const hog_tile a = hog_tile_of(g, i, j), b = hog_tile_of(g, j, i);
    const ag_i32 top_a = a.x_hi + a.o_lo + a.n_lanes + (ag_i32)g->t.pad - 2;
    const ag_i32 top_b = b.x_hi + b.o_lo + b.n_lanes + (ag_i32)g->t.pad - 2;
    const ag_i32 top = (top_a > top_b ? top_a : top_b) | 1, bottom = a.x_lo + a.o_lo;
    const ag_i32 last = (ag_i32)(2 * g->t.goal - 2);
    for (ag_i32 odd = top; odd > bottom; odd -= 2) {
        hog_chain(g, &a, odd - a.o_lo);
        if (i != j)
            hog_chain(g, &b, odd - b.o_lo);
        for (ag_i32 layer = odd; layer >= odd - 1; layer--) {
            if (layer <= last) {
                hog_decide(g, &a, layer - a.o_lo);
                if (i != j)
                    hog_decide(g, &b, layer - b.o_lo);
                hog_record(g, &a, layer - a.o_lo);
                if (i != j)
                    hog_record(g, &b, layer - b.o_lo);
                if (g->t.has & AG_HOG_HAS_ZERO) {
                    AG_BARRIER();
                    hog_settle(g, &a, &b, layer - a.o_lo);
                }
            }
            AG_BARRIER();
            hog_follow(g, &a, layer - a.o_lo);
            if (i != j)
                hog_follow(g, &b, layer - b.o_lo);
            AG_BARRIER();
        }
    }
}

/*
 * Tables of one panel: groups share them out. A larger table goes alone, one group for each tile pair
 * with I + J = step, the most unequal first; the host launches steps from the last to the first.
 */
AG_ENTRY(agk_hog_layers, agk_hog_params)
{
    for (ag_u32 table = p.work_each ? AG_GROUP : 0; table < p.n_tables; table += p.work_each ? AG_N_GROUPS : 1) {
        const hog_game g = hog_game_of(&p, b0, b1, b2, b3, b4, table, AG_GROUP);
        const ag_u32 most = p.step < g.t.n_panels - 1 ? p.step : g.t.n_panels - 1;
        const ag_u32 i = p.work_each ? 0 : most - AG_GROUP;
        hog_tile_pair(&g, i, p.step - i);
        if (AG_LANE == 0 && p.step == 0) {
            ((AG_GLOBAL double *)b3)[p.at_first + table] = g.win[0];
            b4[p.at_first + table] = g.rolls[0];
        }
        AG_BARRIER();
    }
    (void)b5;
}
