/*
 * hog_sweep.cl -- solves Hog by sweeps over the whole grid with two-sided bounds: the general
 * method, which asks of the game only that bounds narrow, and a cross-check of hog.cl.
 *
 * One sweep is two launches, one group for each opponent's score o: hog_sweep_after takes the bounds
 * of all states to bounds of what follows a turn, hog_sweep_best those to new bounds of
 * every state. A lower bound uses lower bounds of the mover's own values and upper bounds
 * of the opponent's. p.slack is a bound on the rounding of one sweep, so the bounds stay true; they
 * only narrow. Here every outcome of every move is a term: no chain, no order of states.
 *
 * Passing for ever. A move that surely gains nothing leads from a state to itself or to
 * its partner. Bounds alone would not see that passing for ever is worth 1/2; so a pass is
 * followed until somebody could act or the passes come round (hog_pass_bounds).
 *
 * Sweep number k (p.step) reads the bounds k mod 2 and writes the others. In doubles, from at_work:
 *     bounds 0 lo, hi, bounds 1 lo, hi  [goal][goal] each   as every win table
 *     act 0 lo, hi, act 1 lo, hi        [goal][lanes] each  best move that may gain; row o, lane s
 *     after lo, hi                      [rows][lanes] each  row o < goal + pad, lane x < x_end
 */

typedef struct {
    const AG_GLOBAL double *lo, *hi, *old_act_lo, *old_act_hi;
    AG_GLOBAL double *new_lo, *new_hi, *act_lo, *act_hi;
    AG_GLOBAL double *after_lo, *after_hi;
} hog_sweep;

typedef struct {
    double lo, hi;
} hog_bounds;

AG_FN hog_sweep hog_sweep_of(const hog_game *g, ag_u32 step)
{
    hog_sweep w;
    const size_t n_win = (size_t)g->t.goal * g->t.goal, n_act = (size_t)g->t.goal * g->t.lanes;
    const size_t odd = step & 1u, even = 1u - odd;
    AG_GLOBAL double *act = g->work + 4 * n_win;
    w.lo = g->work + 2 * odd * n_win;
    w.hi = w.lo + n_win;
    w.new_lo = g->work + 2 * even * n_win;
    w.new_hi = w.new_lo + n_win;
    w.old_act_lo = act + 2 * odd * n_act;
    w.old_act_hi = w.old_act_lo + n_act;
    w.act_lo = act + 2 * even * n_act;
    w.act_hi = w.act_lo + n_act;
    w.after_lo = act + 4 * n_act;
    w.after_hi = w.after_lo + (size_t)g->t.rows * g->t.lanes;
    return w;
}

AG_ENTRY(agk_hog_sweep_after, agk_hog_params)
{
    const hog_game g = hog_game_of(&p, b0, b1, b2, b3, b4, 0, 0);
    const hog_sweep w = hog_sweep_of(&g, p.step);
    const ag_u32 o = AG_GROUP;
    AG_FOR_ITEMS(x, 0, g.t.x_end) {
        w.after_lo[(size_t)o * g.t.lanes + x] = hog_after(&g, w.lo, w.hi, x, o, 0);
        w.after_hi[(size_t)o * g.t.lanes + x] = hog_after(&g, w.hi, w.lo, x, o, 0);
    }
    (void)b5;
}

/* Bounds of n dice for the states s .. s + AG_PACK - 1 against o; `after`: one side. */
AG_FN ag_pack hog_sweep_value(const hog_game *g, const AG_GLOBAL double *after, ag_u32 start, ag_u32 end, ag_u32 s,
                              ag_u32 o)
{
    ag_pack value = AG_SPLAT(0.0);
    for (ag_u32 t = start; t < end; t++) {
        const ag_u32 points = g->ints[g->t.at_term + t] & 0xffffu, given = g->ints[g->t.at_term + t] >> 16;
        value = value +
                AG_SPLAT(g->reals[g->t.at_coef + t]) * ag_load(after + (size_t)(o + given) * g->t.lanes + s + points);
    }
    return value;
}

/* The best roll where the points count once more for the leader: each outcome is asked for what follows. */
AG_FN void hog_sweep_leader(const hog_game *g, const hog_sweep *w, ag_u32 s, ag_u32 o)
{
    const ag_u32 rule = g->ints[g->t.at_layer + s + o], kind = rule & 1u;
    const AG_GLOBAL ag_u32 *start = g->ints + g->t.at_start + kind * (g->t.max_rolls + 2);
    const AG_GLOBAL double *zero = g->reals + g->t.at_zero + kind * (g->t.max_rolls + 1) * 2;
    double best_lo = 0.0, best_hi = 0.0;
    for (ag_u32 n = 1; n <= rule >> 1; n++) {
        double lo = 0.0, hi = 0.0;
        for (ag_u32 t = start[n]; t < start[n + 1] && zero[2 * n + 1] > 0.0; t++) {
            const ag_u32 points = g->ints[g->t.at_term + t] & 0xffffu, given = g->ints[g->t.at_term + t] >> 16;
            const double coef = g->reals[g->t.at_coef + t];
            lo = lo + coef * hog_after(g, w->lo, w->hi, s + points, o + given, points);
            hi = hi + coef * hog_after(g, w->hi, w->lo, s + points, o + given, points);
        }
        best_lo = ag_max1(best_lo, lo);
        best_hi = ag_max1(best_hi, hi);
    }
    w->act_lo[(size_t)o * g->t.lanes + s] = best_lo;
    w->act_hi[(size_t)o * g->t.lanes + s] = best_hi;
}

/* True if some move of (s, o) surely scores nothing. */
AG_FN int hog_sure_zero(const hog_game *g, ag_u32 s, ag_u32 o)
{
    const ag_u32 rule = g->ints[g->t.at_layer + s + o];
    const AG_GLOBAL double *zero = g->reals + g->t.at_zero + (rule & 1u) * (g->t.max_rolls + 1) * 2;
    int sure = (g->t.has & AG_HOG_HAS_BACON) && hog_bacon(g, s + o)[o] == 0;
    for (ag_u32 n = 1; n <= rule >> 1; n++)
        sure = sure || zero[2 * n + 1] == 0.0;
    return sure;
}

/* True if it then comes back to the pair of states: no total rule makes a gain of it. */
AG_FN int hog_comes_back(const hog_game *g, ag_u32 s, ag_u32 o)
{
    const hog_end end = hog_end_of(g, s, o, 0);
    return end.mine + end.theirs == s + o;
}

/*
 * Bounds of passing surely at (s, o). There are four positions: either state of the pair, with either player
 * on move. Follow the passes; where the next position cannot pass, its value stands; where passes come round
 * to a position passed before, the game is endless and counts 1/2. Then go back: each mover on the way may act instead.
 */
AG_FN hog_bounds hog_pass_bounds(const hog_game *g, const hog_sweep *w, ag_u32 s, ag_u32 o)
{
    ag_u32 at_s[4], at_o[4];
    int flip[4];
    ag_u32 n = 0, seen = 0, mirror = 0, other_player = 0;
    hog_bounds v;
    v.lo = 0.5;
    v.hi = 0.5;
    for (;;) {
        const ag_u32 cs = mirror ? o : s, co = mirror ? s : o;
        const hog_end end = hog_end_of(g, cs, co, 0);
        const ag_u32 next_s = end.again ? end.mine : end.theirs;
        at_s[n] = cs;
        at_o[n] = co;
        flip[n] = end.again == 0;
        seen |= 1u << (2 * mirror + other_player);
        n++;
        mirror = s != o && next_s != s;
        other_player = end.again ? other_player : 1 - other_player;
        if (seen & (1u << (2 * mirror + other_player)))
            break;
        if (!hog_sure_zero(g, mirror ? o : s, mirror ? s : o) || !hog_comes_back(g, mirror ? o : s, mirror ? s : o)) {
            v.lo = w->after_lo[(size_t)co * g->t.lanes + cs];
            v.hi = w->after_hi[(size_t)co * g->t.lanes + cs];
            flip[n - 1] = 0; /* seen from the position that passes already */
            break;
        }
    }
    /* v is the value of the position after at[n - 1]; bring it back to at[0]. */
    for (; n > 0; n--) {
        const double lo = v.lo;
        if (flip[n - 1]) {
            v.lo = 1.0 - v.hi;
            v.hi = 1.0 - lo;
        }
        if (n > 1) {
            const size_t act = (size_t)at_o[n - 1] * g->t.lanes + at_s[n - 1];
            v.lo = ag_max1(v.lo, w->old_act_lo[act]);
            v.hi = ag_max1(v.hi, w->old_act_hi[act]);
        }
    }
    return v;
}

/* True if n dice surely score nothing and come back to the pair. */
AG_FN ag_u32 hog_sweep_passes(const hog_game *g, ag_u32 s, ag_u32 o, ag_u32 n)
{
    const ag_u32 rule = g->ints[g->t.at_layer + s + o];
    const AG_GLOBAL double *zero = g->reals + g->t.at_zero + (rule & 1u) * (g->t.max_rolls + 1) * 2;
    const int sure = n == 0 ? hog_bacon(g, s + o)[o] == 0 : zero[2 * n + 1] == 0.0;
    return sure && hog_comes_back(g, s, o) ? 1u : 0u;
}

/* The value of n dice where lower and upper bounds are the same. */
AG_FN double hog_sweep_move(const hog_game *g, const hog_sweep *w, ag_u32 s, ag_u32 o, ag_u32 n)
{
    const ag_u32 rule = g->ints[g->t.at_layer + s + o];
    const AG_GLOBAL ag_u32 *start = g->ints + g->t.at_start + (rule & 1u) * (g->t.max_rolls + 2);
    double value = 0.0;
    if (n == 0) {
        const ag_u32 points = hog_bacon(g, s + o)[o];
        return hog_after(g, w->lo, w->hi, s + points, o, points);
    }
    for (ag_u32 t = start[n]; t < start[n + 1]; t++) {
        const ag_u32 points = g->ints[g->t.at_term + t] & 0xffffu, given = g->ints[g->t.at_term + t] >> 16;
        value = value + g->reals[g->t.at_coef + t] * hog_after(g, w->lo, w->hi, s + points, o + given, points);
    }
    return value;
}

/* Takes the bounds of the best roll of (s, o) to new bounds of the state. */
AG_FN void hog_sweep_store(const hog_game *g, const hog_sweep *w, ag_u32 s, ag_u32 o, double slack)
{
    const size_t at = (size_t)s * g->t.goal + o, row = (size_t)o * g->t.lanes + s;
    const ag_u32 points = g->t.has & AG_HOG_HAS_BACON ? hog_bacon(g, s + o)[o] : 0;
    double lo = w->act_lo[row], hi = w->act_hi[row];
    if (points > 0) {
        const int leader = (g->t.has & AG_HOG_HAS_LEADER) != 0;
        lo = ag_max1(lo, leader ? hog_after(g, w->lo, w->hi, s + points, o, points) : w->after_lo[row + points]);
        hi = ag_max1(hi, leader ? hog_after(g, w->hi, w->lo, s + points, o, points) : w->after_hi[row + points]);
    }
    w->act_lo[row] = ag_max1(lo - slack, 0.0);
    w->act_hi[row] = ag_min1(hi + slack, 1.0);
    if ((g->t.has & AG_HOG_HAS_ZERO) && hog_sure_zero(g, s, o)) {
        hog_bounds pass;
        pass.lo = w->after_lo[row];
        pass.hi = w->after_hi[row];
        if (hog_comes_back(g, s, o))
            pass = hog_pass_bounds(g, w, s, o);
        lo = ag_max1(lo, pass.lo);
        hi = ag_max1(hi, pass.hi);
    }
    w->new_lo[at] = ag_max1(w->lo[at], lo - slack);
    w->new_hi[at] = ag_min1(w->hi[at], hi + slack);
}

AG_ENTRY(agk_hog_sweep_best, agk_hog_params)
{
    const hog_game g = hog_game_of(&p, b0, b1, b2, b3, b4, 0, 0);
    const hog_sweep w = hog_sweep_of(&g, p.step);
    const ag_u32 o = AG_GROUP;
    const int leader = (g.t.has & AG_HOG_HAS_LEADER) != 0;
    AG_FOR_PACKS(s, 0, g.t.goal) {
        ag_pack lo = AG_SPLAT(0.0), hi = AG_SPLAT(0.0);
        for (ag_u32 kind = 0; kind < AG_HOG_KINDS && !leader; kind++) {
            const AG_GLOBAL ag_u32 *start = g.ints + g.t.at_start + kind * (g.t.max_rolls + 2);
            const AG_GLOBAL double *zero = g.reals + g.t.at_zero + kind * (g.t.max_rolls + 1) * 2;
            const AG_GLOBAL double *limit = g.reals + g.t.at_limit + kind * (2 * g.t.goal - 1 + AG_HOG_OVERHANG);
            const ag_pack most = ag_load(limit + s + o);
            for (ag_u32 n = 1; n <= g.t.max_rolls; n++) {
                const ag_mask allowed = most >= AG_SPLAT((double)n);
                ag_pack value_lo, value_hi;
                if (start[n] == start[n + 1] || zero[2 * n + 1] == 0.0)
                    continue;
                value_lo = hog_sweep_value(&g, w.after_lo, start[n], start[n + 1], s, o);
                value_hi = hog_sweep_value(&g, w.after_hi, start[n], start[n + 1], s, o);
                lo = AG_SELECT(allowed, ag_max(lo, value_lo), lo);
                hi = AG_SELECT(allowed, ag_max(hi, value_hi), hi);
            }
        }
        ag_store(w.act_lo + (size_t)o * g.t.lanes + s, lo);
        ag_store(w.act_hi + (size_t)o * g.t.lanes + s, hi);
        for (ag_u32 i = s; i < s + AG_PACK && i < g.t.goal; i++) {
            if (leader)
                hog_sweep_leader(&g, &w, i, o);
            hog_sweep_store(&g, &w, i, o, p.slack);
        }
    }
    (void)b5;
}

/* True if passing surely at (s, o) must stand back for other moves: the state is worth more than endless play, and
 * the passes may come round: the mover stays at the state, or the player at its partner may pass back and lose nothing.
 */
AG_FN int hog_sweep_stands_back(const hog_game *g, const hog_sweep *w, ag_u32 s, ag_u32 o, double tie)
{
    const double here = w->lo[(size_t)s * g->t.goal + o], there = w->lo[(size_t)o * g->t.goal + s];
    const hog_end end = hog_end_of(g, s, o, 0), end_there = hog_end_of(g, o, s, 0);
    const double back = end_there.again ? here : 1.0 - here;
    if (here <= 0.5 + tie)
        return 0;
    if (s == o || (end.again ? end.mine : end.theirs) == s)
        return end.again != 0;
    return back >= there - tie && hog_sure_zero(g, o, s) && hog_comes_back(g, o, s);
}

/* The moves of a table: both bounds of sweep `step` hold the values, and moves within p.slack of the best
 * count as equal. */
AG_ENTRY(agk_hog_sweep_choose, agk_hog_params)
{
    const hog_game g = hog_game_of(&p, b0, b1, b2, b3, b4, 0, 0);
    const hog_sweep w = hog_sweep_of(&g, p.step);
    const ag_u32 o = AG_GROUP;
    const ag_u32 n_min = g.t.has & AG_HOG_HAS_BACON ? 0 : 1;
    AG_FOR_ITEMS(s, 0, g.t.goal) {
        const ag_u32 rule = g.ints[g.t.at_layer + s + o];
        const double best = w.lo[(size_t)s * g.t.goal + o];
        const int back = (g.t.has & AG_HOG_HAS_ZERO) && hog_sweep_stands_back(&g, &w, s, o, p.slack);
        ag_u32 choice = n_min, passes = 1;
        for (ag_u32 n = rule >> 1; n + 1 > n_min; n--) {
            const ag_u32 pass = back && hog_sweep_passes(&g, s, o, n);
            if (hog_sweep_move(&g, &w, s, o, n) >= best - p.slack && (passes || !pass)) {
                choice = n;
                passes = pass;
            }
        }
        g.rolls[(size_t)s * g.t.goal + o] = (ag_u8)choice;
    }
    (void)b5;
}
