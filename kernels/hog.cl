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
 */

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
#define HOG_RING(d) ((slot + (d) >= faces ? slot + (d)-faces : slot + (d)) * HOG_BLOCK)
    HOG_FOR_PACKS(l, from, end) {
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
    HOG_FOR_LANES(l, span.from, span.end) {
        const ag_u32 s = (ag_u32)r - l, o = (ag_u32)a->o_lo + l;
        for (ag_u32 k = 0; k < g->t.turn_rows; k++) {
            /* what gains nothing is no later layer's: hog_settle(), if there is any */
            a->turn[(size_t)k * g->t.lanes + l] = k > 0 ? hog_after(g, g->win, g->win, s + k, o, k) : 0.0;
        }
    }
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
        HOG_FOR_LANES(l, span.from, span.end)
            a->best[l] = base[points[l] * lanes + l];
    }
    HOG_FOR_PACKS(l, span.from, span.end) {
        const ag_pack one = ag_load(base + g->t.common_points * lanes + l);
        const AG_GLOBAL double *sum = hog_chain_at(g, a, l) + slot;
        AG_GLOBAL double *move = hog_move_at(g, a, l);
        ag_pack best = bacon ? ag_load(a->best + l) : AG_SPLAT(-1.0);
        ag_store(move, best);
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

    HOG_FOR_LANES(l, span.from, span.end)
        *(win - (size_t)l * (goal - 1)) = ag_min1(a->best[l], 1.0);
    if (layer >= g->n_wanted)
        return;
    HOG_FOR_PACKS(l, span.from, span.end) {
        const ag_pack enough = ag_load(a->best + l) - tie;
        const AG_GLOBAL double *move = hog_move_at(g, a, l) + n_max * HOG_BLOCK;
        ag_pack choice = AG_SPLAT(0.0);
        for (ag_u32 n = n_max; n + 1 > n_min; n--) {
            choice = AG_SELECT(ag_load(move) < enough, choice, AG_SPLAT(name[n]));
            move -= HOG_BLOCK;
        }
        ag_store(a->best + l, choice);
    }
    HOG_FOR_LANES(l, span.from, span.end)
        *(rolls - (size_t)l * (goal - 1)) = (ag_u8)a->best[l];
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

    HOG_FOR_LANES(l, rest, end)
        row[l] = hog_after(g, win, win, (ag_u32)r - l, o_lo + l, 0);
    if (has & AG_HOG_HAS_FLAGS) {
        /* one lane on: one point less for the mover, one more for the other */
        const AG_GLOBAL ag_u8 *flags = g->bytes + g->t.at_flags + (size_t)r * g->t.flag_stride + o_lo;
        const ag_u32 step = g->t.flag_stride - 1;
        HOG_FOR_LANES(l, from, won)
            row[l] = *(flags - (size_t)l * step) & AG_HOG_FLAG_SWAP ? 0.0 : 1.0;
        HOG_FOR_LANES(l, open, usual) {
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
    HOG_FOR_LANES(l, from, won)
        row[l] = 1.0;
    if (maps) {
        HOG_FOR_LANES(l, open, usual) {
            const ag_u32 mine = map[(ag_u32)r - l];
            row[l] = mine >= goal ? 1.0 : 1.0 - win[(size_t)l * goal + mine];
        }
    } else {
        HOG_FOR_LANES(l, open, usual)
            row[l] = 1.0 - win[(size_t)l * (goal - 1) + (ag_u32)r];
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
