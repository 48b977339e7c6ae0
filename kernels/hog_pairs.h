/*
 * hog_pairs.h -- the states of Hog where a turn can gain nothing, solved in closed form pair by pair.
 */

/*
 * A turn that gains nothing comes back to the same pair of states {(s,o), (o,s)}: to the state
 * itself or to its partner, with the same player on move or the other. Values are shifted by
 * 1/2, so that endless play is worth 0 and a change of player is a change of sign.
 */
typedef struct {
    int known;                    /* total rules make a gain of it after all: no coupling */
    double value;                 /* then: its shifted value */
    int self;                     /* comes back to the state itself */
    double sign;                  /* +1: same player on move, -1: the other */
    const AG_GLOBAL double *move; /* values without the outcome that gains nothing, a lane of the move rows */
    const AG_GLOBAL double *zero; /* [max_rolls + 1][2]: its probability z, and q = 1 - z */
    ag_u32 n_min, n_max;
    ag_u32 bacon; /* points of n = 0 */
    ag_u32 sure;  /* the best move that surely gains; n_max + 1 if there is none */
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

/* The value of n when its echo is worth `echo`. */
AG_FN double hog_given(const hog_echo *u, ag_u32 n, double echo)
{
    return hog_a(u, n) + hog_z(u, n) * echo;
}

/*
 * Two states that echo to each other: a 2x2 system of maxima. The player at u answers each move of v with the
 * best of his own; v's best move is the one that lowers this (the other player is on move there) or raises it. The
 * optimum over all pairs: no iteration, nothing to get lost in. *v_move: of those that do so equally well, the one
 * that is worth most to v, for u may be indifferent where v is not.
 */
AG_FN double hog_coupled(const hog_echo *u, const hog_echo *v, double tie, ag_u32 *v_move)
{
    double value = -2.0 * u->sign, worth = -2.0; /* of v_move to v */
    for (ag_u32 j = v->n_min; j <= v->n_max; j++) {
        if (j == v->sure || hog_z(v, j) > 0.0) {
            const hog_partner p = hog_keeping(v, j);
            ag_u32 i = u->n_min;
            const double best = hog_best(u, &p, &i), gain = u->sign * (best - value);
            const double to_v = hog_given(v, j, v->sign * best);
            if (gain > tie || (gain > -tie && to_v > worth)) {
                worth = to_v;
                *v_move = j;
            }
            value = gain > 0.0 ? best : value;
        }
    }
    return value;
}

/* The best of v when its echo is worth `echo`. */
AG_FN double hog_best_given(const hog_echo *v, double echo)
{
    double best = -2.0;
    for (ag_u32 n = v->n_min; n <= v->n_max; n++)
        best = ag_max1(best, hog_given(v, n, echo));
    return best;
}

/* The best move to keep to against v; of those equally good the one worth most when its echo is worth `echo`. */
AG_FN ag_u32 hog_best_move(const hog_echo *u, const hog_partner *v, double value, double echo, double tie)
{
    ag_u32 move = u->n_min;
    double worth = -2.0;
    for (ag_u32 n = u->n_min; n <= u->n_max; n++)
        if (hog_kept(u, n, v) >= value - tie && hog_given(u, n, echo) > worth) {
            worth = hog_given(u, n, echo);
            move = n;
        }
    return move;
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
    const double tie = g->reals[g->t.at_tie];
    ag_u32 move = v.n_min;
    hog_partner to_u, to_v; /* what v meets at u, and u at v */
    double pu = 0.0, pv;
    to_u.coupled = to_v.coupled = 0;
    if (!u_alone && !v_alone) {
        pu = hog_coupled(&u, &v, tie, &move);
        pv = hog_best_given(&v, v.sign * pu);
        to_v = hog_keeping(&v, move);
        to_u = hog_keeping(&u, hog_best_move(&u, &to_v, pu, u.sign * pv, tie));
    } else {
        if (u_alone)
            pu = hog_best(&u, &to_v, &move);
        to_u.value = pu;
        pv = hog_best(&v, &to_u, &move);
        to_v.value = pv;
        pu = hog_best(&u, &to_v, &move);
    }

    const ag_u32 at = s * g->t.goal + o, mirror = o * g->t.goal + s;
    g->win[at] = ag_max1(0.0, ag_min1(1.0, pu + 0.5));
    g->win[mirror] = ag_max1(0.0, ag_min1(1.0, pv + 0.5));
    if (s + o < g->n_wanted) {
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
    return end.mine == s && end.theirs == o && !end.again &&
           !((g->t.has & AG_HOG_HAS_BACON) && hog_bacon(g, s + o)[o] == 0);
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
 * The optimum over all pairs of moves as in hog_coupled(), with the host's 1 / (1 - z z'). No roll passes nearly
 * surely, so the best move given the partner's value is also the best to keep to. Values and moves go to `best`.
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
    HOG_FOR_PACKS(l, span.from, span.end) {
        const AG_GLOBAL double *mu = hog_move_at(g, a, l);
        const AG_GLOBAL double *mv = hog_mirror_at(g, a, l);
        ag_pack u = AG_SPLAT(2.0), v = AG_SPLAT(-2.0), worth = v, worth_u = v, au = v, qu = v, bv = v, qv = v;
        ag_pack choice_u, choice_v;
        for (ag_u32 j = n_min; j <= n_max; j++) {
            const ag_pack bj = hog_shifted(mv, j, zero[2 * j + 1]);
            ag_pack best = AG_SPLAT(-2.0), to_v;
            ag_mask take;
            for (ag_u32 i = n_min; i <= n_max; i++)
                best = ag_max((hog_shifted(mu, i, zero[2 * i + 1]) - AG_SPLAT(zero[2 * i]) * bj) *
                                  AG_SPLAT(inverse[i * n_moves + j]),
                              best);
            to_v = bj - AG_SPLAT(zero[2 * j]) * best;
            take = (best < u - tie) | ((best < u + tie) & (to_v > worth));
            worth = AG_SELECT(take, to_v, worth);
            bv = AG_SELECT(take, bj, bv);
            qv = AG_SELECT(take, AG_SPLAT(zero[2 * j + 1]), qv);
            u = AG_SELECT(best < u, best, u);
        }
        for (ag_u32 j = n_min; j <= n_max; j++)
            v = ag_max(hog_shifted(mv, j, zero[2 * j + 1]) - AG_SPLAT(zero[2 * j]) * u, v);
        for (ag_u32 i = n_min; i <= n_max; i++) {
            const ag_pack x = hog_shifted(mu, i, zero[2 * i + 1]), to_u = x - AG_SPLAT(zero[2 * i]) * v;
            const ag_mask take = to_u > worth_u;
            worth_u = AG_SELECT(take, to_u, worth_u);
            au = AG_SELECT(take, x, au);
            qu = AG_SELECT(take, AG_SPLAT(zero[2 * i + 1]), qu);
        }
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
    /* s >= o: the other half of a tile on the diagonal are the partners, and no lane may settle them as well */
    if (a->x_lo == a->o_lo && 2 * (span.end - 1) > r - a->o_lo)
        span.end = (r - a->o_lo) / 2 + 1;
    if (packs)
        hog_settle_packs(g, a, b, r, span);
    HOG_FOR_LANES(l, span.from, span.end) {
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
