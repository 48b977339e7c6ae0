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
 *     panel J:   W      [rows][lanes]            row r, lane l:  o = J*P + l,  x = r - l
 *                C_n    [n_chain][ring][lanes]   row r at r mod ring, for n = 1..n_chain
 *                move   [max_rolls + 1][lanes]   this layer's value of n dice
 *                best   [lanes]
 *                turn   [turn_rows][lanes]       AG_HOG_HAS_LEADER: this layer's W by points
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
    a.move = a.chain + g->t.n_chain * g->t.ring * g->t.lanes;
    a.best = a.move + (g->t.max_rolls + 1) * g->t.lanes;
    a.turn = a.best + g->t.lanes;
    return a;
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
    const ag_u32 has_flags = g->t.has & AG_HOG_HAS_FLAGS;
    const ag_u32 mark = has_flags ? flags[(size_t)x * g->t.flag_stride + o] & AG_HOG_FLAG_MARK : 0;
    e.mine = x;
    e.theirs = o;
    e.again = 0;
    if (g->t.has & AG_HOG_HAS_LEADER) {
        if (mark && x > o)
            e.mine = x + points;
        else if (mark)
            e.theirs = o + points;
    } else if (g->t.has & AG_HOG_HAS_MAPS) {
        e.mine = g->ints[g->t.at_map + (mark ? g->t.x_end : 0) + x];
    }
    if (has_flags) {
        if (flags[(size_t)e.mine * g->t.flag_stride + e.theirs] & AG_HOG_FLAG_SWAP) {
            const ag_u32 old = e.mine;
            e.mine = e.theirs;
            e.theirs = old;
        }
        if (e.mine < g->t.goal && e.theirs < g->t.goal)
            e.again = flags[(size_t)e.mine * g->t.flag_stride + e.theirs] & AG_HOG_FLAG_EXTRA;
    }
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

/* First lane of a loop: the lane that is sure to be reached from 0, so that every loop
 * gives lane l to the same worker and packs stay aligned. */
AG_FN ag_u32 hog_first(ag_i32 lane)
{
    const ag_i32 stride = (ag_i32)(AG_PACK * AG_N_LANES);
    return lane > 0 ? (ag_u32)(lane / stride * stride) : 0u;
}

/* Rows r and r - 1 (r odd) of every chain sum, from rows r + 1 on. Where a tile has neighbours, only
 * its own lanes are written: another row of theirs may still be needed at the same place of the ring. */
AG_FN void hog_chain(const hog_game *g, const hog_tile *a, ag_i32 r)
{
    const ag_u32 lanes = g->t.lanes, ring = g->t.ring, faces = g->t.faces;
    const ag_i32 from = r - a->x_hi, last = r - a->x_lo < a->n_lanes - 1 ? r - a->x_lo : a->n_lanes - 1;
    const ag_i32 top = (ag_i32)g->t.goal - 1;
    AG_FOR_PACKS(l, hog_first(from), (ag_u32)(last + 1))
    {
        /* Beyond the goal only what a shorter chain still asks for. */
        const ag_i32 beyond = r - 1 - ((ag_i32)(l + AG_PACK) - 1) - top;
        const ag_i32 cut = beyond > 0 ? (beyond + (ag_i32)faces - 1) / (ag_i32)faces : 0;
        const ag_i32 n_top = (ag_i32)g->t.n_chain - cut;
        const ag_mask mine = ag_lanes_between(from - (ag_i32)l, last + 1 - (ag_i32)l);
        const int whole = g->t.n_panels == 1 || (from <= (ag_i32)l && (ag_i32)(l + AG_PACK) <= last + 1);
        for (ag_i32 n = 1; n <= n_top; n++) {
            const AG_GLOBAL double *below = a->chain + (size_t)(n - 2) * ring * lanes + l;
            AG_GLOBAL double *out = a->chain + (size_t)(n - 1) * ring * lanes + l;
            ag_pack low, high, sum = AG_SPLAT(0.0);
            if (n == 1) {
                const AG_GLOBAL double *w = a->after + (size_t)r * lanes + l;
                low = ag_load(w + lanes);
                for (ag_u32 d = 2; d < faces; d++)
                    sum = sum + ag_load(w + (size_t)d * lanes);
                high = ag_load(w + (size_t)faces * lanes);
            } else {
                low = ag_load(below + (((ag_u32)r + 1) & (ring - 1)) * lanes);
                for (ag_u32 d = 2; d < faces; d++)
                    sum = sum + ag_load(below + (((ag_u32)r + d) & (ring - 1)) * lanes);
                high = ag_load(below + (((ag_u32)r + faces) & (ring - 1)) * lanes);
            }
            high = sum + high;
            low = low + sum;
            AG_GLOBAL double *to_r = out + ((ag_u32)r & (ring - 1)) * lanes;
            AG_GLOBAL double *to_r1 = out + ((ag_u32)(r - 1) & (ring - 1)) * lanes;
            ag_store(to_r, whole ? high : AG_SELECT(mine, high, ag_load(to_r)));
            ag_store(to_r1, whole ? low : AG_SELECT(mine, low, ag_load(to_r1)));
        }
    }
}

/* AG_HOG_HAS_LEADER: what follows a turn depends on its points too, one row for each. */
AG_FN void hog_turn_rows(const hog_game *g, const hog_tile *a, ag_i32 r, ag_i32 from, ag_i32 end)
{
    AG_FOR_PACKS(l0, hog_first(from), (ag_u32)end)
    {
        for (ag_i32 l = (ag_i32)l0; l < (ag_i32)l0 + AG_PACK && l < end; l++)
            for (ag_u32 k = 0; l >= from && k < g->t.turn_rows; k++)
                a->turn[(size_t)k * g->t.lanes + (ag_u32)l] =
                    k == 0 && (g->t.has & AG_HOG_HAS_ZERO)
                        ? 0.0
                        : hog_after(g, g->win, g->win, (ag_u32)(r - l) + k, (ag_u32)(a->o_lo + l), k);
    }
}

/* Points of n = 0 at (s, o). */
AG_FN ag_u32 hog_bacon(const hog_game *g, ag_u32 s, ag_u32 o)
{
    return g->bytes[g->t.at_bacon + (size_t)s * g->t.bacon_stride + o];
}

/* The value of every move in row r, and the best. Where turns may gain nothing, that outcome is
 * left out here, and hog_settle() finds the best. */
AG_FN void hog_decide(const hog_game *g, const hog_tile *a, ag_i32 r)
{
    const ag_u32 lanes = g->t.lanes, ring = g->t.ring;
    const ag_u32 layer = (ag_u32)(r + a->o_lo), rule = g->ints[g->t.at_layer + layer];
    const ag_u32 kind = rule & 1u, n_max = rule >> 1;
    const ag_i32 from = r - (a->s_hi - 1);
    const ag_i32 end = (r - a->x_lo < a->n_lanes - 1 ? r - a->x_lo : a->n_lanes - 1) + 1;
    const AG_GLOBAL ag_u32 *start = g->ints + g->t.at_start + kind * (g->t.max_rolls + 2);
    const AG_GLOBAL double *factor = g->reals + g->t.at_chain + kind * (g->t.max_rolls + 1);
    const AG_GLOBAL double *row = a->after + (size_t)r * lanes;
    const int leader = (g->t.has & AG_HOG_HAS_LEADER) != 0, bacon = (g->t.has & AG_HOG_HAS_BACON) != 0;

    if (leader)
        hog_turn_rows(g, a, r, from, end);
    AG_FOR_PACKS(l, hog_first(from), (ag_u32)end)
    {
        ag_pack best = AG_SPLAT(-1.0);
        for (ag_i32 i = (ag_i32)l; bacon && i < (ag_i32)l + AG_PACK && i < end; i++) {
            if (i < from)
                continue;
            const ag_u32 points = hog_bacon(g, (ag_u32)(r - i), (ag_u32)(a->o_lo + i));
            a->move[i] = leader ? a->turn[(size_t)points * lanes + (ag_u32)i] : row[(size_t)points * lanes + (ag_u32)i];
        }
        if (bacon)
            best = ag_load(a->move + l);
        for (ag_u32 n = 1; n <= n_max; n++) {
            ag_pack value = AG_SPLAT(0.0);
            if (n <= g->t.n_chain)
                value = AG_SPLAT(factor[n]) * ag_load(a->chain + ((size_t)(n - 1) * ring + ((ag_u32)r & (ring - 1))) * lanes + l);
            for (ag_u32 t = start[n]; t < start[n + 1]; t++) {
                const ag_u32 points = g->ints[g->t.at_term + t] & 0xffffu, given = g->ints[g->t.at_term + t] >> 16;
                /* Points given away by Piggy Back mean none scored: nothing counts again for a leader. */
                const AG_GLOBAL double *w = leader && !given ? a->turn + (size_t)points * lanes
                                                             : row + (size_t)(points + given) * lanes + given;
                value = value + AG_SPLAT(g->reals[g->t.at_coef + t]) * ag_load(w + l);
            }
            ag_store(a->move + (size_t)n * lanes + l, value);
            best = ag_max(best, value);
        }
        ag_store(a->best + l, best);
    }
}

/* Writes the values of row r, and the smallest n among the best moves. */
AG_FN void hog_record(const hog_game *g, const hog_tile *a, ag_i32 r)
{
    const ag_u32 lanes = g->t.lanes, goal = g->t.goal;
    const ag_u32 layer = (ag_u32)(r + a->o_lo), n_max = g->ints[g->t.at_layer + layer] >> 1;
    const ag_i32 from = r - (a->s_hi - 1);
    const ag_i32 end = (r - a->x_lo < a->n_lanes - 1 ? r - a->x_lo : a->n_lanes - 1) + 1;
    const ag_u32 n_min = g->t.has & AG_HOG_HAS_BACON ? 0 : 1;
    const double tie = g->reals[g->t.at_tie];
    AG_FOR_PACKS(l, hog_first(from), (ag_u32)end)
    {
        const ag_i32 lo = from > (ag_i32)l ? from : (ag_i32)l;
        const ag_i32 hi = end < (ag_i32)(l + AG_PACK) ? end : (ag_i32)(l + AG_PACK);
        for (ag_i32 i = lo; i < hi; i++)
            g->win[(size_t)(r - i) * goal + (ag_u32)(a->o_lo + i)] = ag_min1(a->best[i], 1.0);
        if (layer >= g->n_wanted)
            continue;
        const ag_pack enough = ag_load(a->best + l) - AG_SPLAT(tie);
        ag_pack choice = AG_SPLAT(0.0);
        for (ag_u32 n = n_max; n + 1 > n_min; n--)
            choice = AG_SELECT(ag_load(a->move + (size_t)n * lanes + l) >= enough, AG_SPLAT((double)n), choice);
        ag_store(a->best + l, choice);
        for (ag_i32 i = lo; i < hi; i++)
            g->rolls[(size_t)(r - i) * goal + (ag_u32)(a->o_lo + i)] = (ag_u8)a->best[i];
    }
}

/* Row r of what follows a turn, from the win values of this and later layers. */
AG_FN void hog_follow(const hog_game *g, const hog_tile *a, ag_i32 r)
{
    const ag_u32 goal = g->t.goal;
    const ag_i32 from = r - (a->x_hi - 1), width = a->n_lanes + (ag_i32)g->t.pad;
    const ag_i32 end = (r - a->x_lo < width - 1 ? r - a->x_lo : width - 1) + 1;
    const int plain = (g->t.has & (AG_HOG_HAS_MAPS | AG_HOG_HAS_FLAGS)) == 0 && g->t.pad == 0;
    AG_GLOBAL double *row = a->after + (size_t)r * g->t.lanes;
    AG_FOR_PACKS(l, hog_first(from), (ag_u32)(end > 0 ? end : 0))
    {
        const ag_i32 lo = from > (ag_i32)l ? from : (ag_i32)l;
        const ag_i32 hi = end < (ag_i32)(l + AG_PACK) ? end : (ag_i32)(l + AG_PACK);
        for (ag_i32 i = lo; i < hi; i++) {
            const ag_u32 x = (ag_u32)(r - i), o = (ag_u32)(a->o_lo + i);
            if (plain)
                row[i] = x >= goal ? 1.0 : 1.0 - g->win[(size_t)o * goal + x];
            else
                row[i] = hog_after(g, g->win, g->win, x, o, 0);
        }
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
    ag_u32 lanes;
    ag_u32 bacon;   /* points of n = 0 */
} hog_echo;

/* Probability that n gains nothing, and that it gains. */
AG_FN double hog_z(const hog_echo *e, ag_u32 n)
{
    if (e->known)
        return 0.0;
    return n == 0 ? (e->bacon == 0 ? 1.0 : 0.0) : e->zero[2 * n];
}

AG_FN double hog_q(const hog_echo *e, ag_u32 n)
{
    if (e->known)
        return 1.0;
    return n == 0 ? (e->bacon == 0 ? 0.0 : 1.0) : e->zero[2 * n + 1];
}

/* q times the shifted mean value of n given that it gains. */
AG_FN double hog_a(const hog_echo *e, ag_u32 n)
{
    const double z = n == 0 ? (e->bacon == 0 ? 1.0 : 0.0) : e->zero[2 * n];
    const double q = n == 0 ? (e->bacon == 0 ? 0.0 : 1.0) : e->zero[2 * n + 1];
    const double rest = q > 0.0 ? e->move[(size_t)n * e->lanes] - 0.5 * q : 0.0;
    return e->known ? rest + z * e->value : rest;
}

AG_FN hog_echo hog_echo_of(const hog_game *g, const hog_tile *a, ag_u32 s, ag_u32 o)
{
    hog_echo e;
    const ag_u32 rule = g->ints[g->t.at_layer + s + o];
    const hog_end end = hog_end_of(g, s, o, 0);
    const int known = end.mine + end.theirs != s + o;
    e.known = known;
    e.value = known ? hog_after(g, g->win, g->win, s, o, 0) - 0.5 : 0.0;
    /* next on move: with (mine, theirs) again, or the other with (theirs, mine) */
    e.self = s == o || (end.again ? end.mine == s : end.theirs == s);
    e.sign = end.again ? 1.0 : -1.0;
    e.move = a->move + (o - (ag_u32)a->o_lo);
    e.zero = g->reals + g->t.at_zero + (rule & 1u) * (g->t.max_rolls + 1) * 2;
    e.n_min = g->t.has & AG_HOG_HAS_BACON ? 0 : 1;
    e.n_max = rule >> 1;
    e.lanes = g->t.lanes;
    e.bacon = e.n_min == 0 ? hog_bacon(g, s, o) : 1;
    return e;
}

/* Shifted value of a state that does not depend on its partner: the best of its moves, each kept up. */
AG_FN double hog_alone(const hog_echo *u)
{
    double best = -1.0;
    for (ag_u32 n = u->n_min; n <= u->n_max; n++) {
        const double q = hog_q(u, n), d = u->sign > 0.0 ? q : 1.0 + hog_z(u, n);
        best = ag_max1(best, d > 0.0 ? hog_a(u, n) / d : 0.0);
    }
    return best;
}

/* Shifted value of a state whose echo is worth `echo`. */
AG_FN double hog_given(const hog_echo *u, double echo)
{
    double best = -1.0;
    for (ag_u32 n = u->n_min; n <= u->n_max; n++)
        best = ag_max1(best, hog_a(u, n) + hog_z(u, n) * echo);
    return best;
}

/*
 * Shifted value of u where u and v echo to each other: a 2x2 system of maxima. With moves i and j kept up it is
 * linear, u(i,j) = (a_i + z_i sign_u b_j) / (1 - z_i z_j sign_u sign_v), a weighted mean of means given a gain; the
 * player at u takes the best i, and against each i the best j for v is the one that lowers u (the other player
 * is on move there) or raises it: the optimum over all pairs, which has no cycle to get lost in.
 * 1 - z z' is q + q' - q q', which does not cancel. Both passing for ever is worth 0.
 */
AG_FN double hog_coupled(const hog_echo *u, const hog_echo *v)
{
    double value = u->sign < 0.0 ? 2.0 : -2.0;
    for (ag_u32 j = v->n_min; j <= v->n_max; j++) {
        const double b = u->sign * hog_a(v, j), zj = hog_z(v, j), qj = hog_q(v, j);
        double best = -1.0;
        for (ag_u32 i = u->n_min; i <= u->n_max; i++) {
            const double zi = hog_z(u, i), qi = hog_q(u, i);
            const double d = u->sign == v->sign ? qi + qj - qi * qj : 1.0 + zi * zj;
            best = ag_max1(best, d > 0.0 ? (hog_a(u, i) + zi * b) / d : 0.0);
        }
        value = u->sign < 0.0 ? ag_min1(value, best) : ag_max1(value, best);
    }
    return value;
}

/* The smallest n within the tie tolerance of the best; one that passes surely only if no other is. */
AG_FN ag_u32 hog_choice(const hog_echo *u, double value, double echo, double tie)
{
    ag_u32 choice = u->n_min, passes = 1;
    for (ag_u32 n = u->n_max; n + 1 > u->n_min; n--) {
        const ag_u32 pass = hog_q(u, n) == 0.0;
        if (hog_a(u, n) + hog_z(u, n) * echo >= value - tie && (passes || !pass)) {
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
    double pu, pv;
    if (u_alone)
        pu = hog_alone(&u);
    else if (v_alone)
        pu = hog_given(&u, u.sign * hog_alone(&v));
    else
        pu = hog_coupled(&u, &v);
    pv = v_alone ? hog_alone(&v) : hog_given(&v, v.sign * pu);

    const ag_u32 at = s * g->t.goal + o, mirror = o * g->t.goal + s;
    g->win[at] = ag_max1(0.0, ag_min1(1.0, pu + 0.5));
    g->win[mirror] = ag_max1(0.0, ag_min1(1.0, pv + 0.5));
    if (s + o < g->n_wanted) {
        const double tie = g->reals[g->t.at_tie];
        g->rolls[at] = (ag_u8)hog_choice(&u, pu, u.sign * (u.self ? pu : pv), tie);
        g->rolls[mirror] = (ag_u8)hog_choice(&v, pv, v.sign * (v.self ? pv : pu), tie);
    }
}

/* Solves the states of one layer where turns may gain nothing: a is the tile with the larger scores. */
AG_FN void hog_settle(const hog_game *g, const hog_tile *a, const hog_tile *b, ag_i32 r)
{
    const ag_i32 from = r - (a->s_hi - 1);
    const ag_i32 end = (r - a->x_lo < a->n_lanes - 1 ? r - a->x_lo : a->n_lanes - 1) + 1;
    AG_FOR_ITEMS(l, hog_first(from), (ag_u32)(end > 0 ? end : 0))
    {
        const ag_i32 s = r - (ag_i32)l, o = a->o_lo + (ag_i32)l;
        if ((ag_i32)l >= from && s >= o)
            hog_settle_pair(g, a, b, (ag_u32)s, (ag_u32)o);
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
                if (g->t.has & AG_HOG_HAS_ZERO) {
                    AG_BARRIER();
                    hog_settle(g, &a, &b, layer - a.o_lo);
                } else {
                    hog_record(g, &a, layer - a.o_lo);
                    if (i != j)
                        hog_record(g, &b, layer - b.o_lo);
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
