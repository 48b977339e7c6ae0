/*
 * terms.c -- compiles the dice of a rule set: for each number of dice the factor of the chain sum,
 * the terms beside it, what gains nothing, and from these the proven error bound.
 *
 * The chain (hog.cl) gives every roll without a 1 its own sum as points. A rule that replaces points
 * moves mass: -p at the old points, +p at the new. Where that takes more terms than there are outcomes, the
 * chain is left out and every outcome is a term. The turn score 0 is no term: it is the
 * mass z of a turn that gains nothing, unless Piggy Back makes a gift of it.
 */
#include "hog/features.h"
#include "hog/law.h"
#include "hog/plan_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One n of one kind of dice. points: index into the arrays of a move, 0 .. n_points - 1. */
typedef struct {
    ag_dd *law;    /* P(turn score = k) */
    ag_dd *change; /* law minus the chain's own */
    bool *touched; /* change is not exactly 0 */
    size_t n_points;
    double whole; /* P(no 1): the mass of the chain */
} hog_move;

static void put(hog_move *m, int points, ag_dd p, bool by_chain)
{
    m->law[points] = ag_dd_add(m->law[points], p);
    if (!by_chain) {
        m->change[points] = ag_dd_add(m->change[points], p);
        m->touched[points] = true;
    }
}

/* Fills m with the law of n dice. sums: ag_hog_sums() of the die; chained: the chain can sum this die. */
static void make_move(const ag_hog_rules *rules, ag_hog_die die, int n, const ag_dd *sums, bool chained, hog_move *m)
{
    const ag_dd *row = sums + ag_hog_sums_row(die.faces, n);
    memset(m->law, 0, m->n_points * sizeof *m->law);
    memset(m->change, 0, m->n_points * sizeof *m->change);
    memset(m->touched, 0, m->n_points * sizeof *m->touched);
    ag_dd whole = {0.0, 0.0};
    for (int k = 2 * n; k <= n * die.faces; k++) {
        const int points = ag_hog_turn_points(rules, n, k);
        whole = ag_dd_add(whole, row[k]);
        put(m, points, row[k], chained && points == k);
        if (chained && points != k) {
            m->change[k] = ag_dd_sub(m->change[k], row[k]);
            m->touched[k] = true;
        }
    }
    m->whole = whole.hi;
    if (rules->pig_out >= 0) {
        put(m, ag_hog_turn_points(rules, n, rules->pig_out), ag_hog_spoiled(die, n), false);
        return;
    }
    for (int j = 1; j <= n; j++) {
        int ones = j;
        if (rules->pig_out == AG_HOG_PIG_OUT_ONES_CAPPED)
            ones = 11 - n < j ? (11 - n > 0 ? 11 - n : 0) : j;
        put(m, ag_hog_turn_points(rules, n, ones), ag_hog_ones(die, n, j), false);
    }
}

/* What a chosen sum of terms costs in roundings, and what it gains: hog.h, "The error bound". */
typedef struct {
    double roundings; /* in units of 2^-53 */
    double mean_gain; /* E[points | points > 0] */
    double gains;     /* P(points > 0) */
} hog_cost;

static hog_cost cost_of(const hog_move *m, int n, int faces, bool chain, size_t common_points, double gift)
{
    double mass = chain ? m->whole : 0.0, mean = 0.0, gains = 0.0, common = 0.0, rest = 0.0, n_rest = 0.0;
    for (size_t k = 0; k < m->n_points; k++) {
        const double points = k == 0 ? gift : (double)k;
        const double p = m->law[k].hi, c = fabs(chain ? m->change[k].hi : p);
        if (points == 0.0 || (p == 0.0 && c == 0.0))
            continue;
        gains += p;
        mean += p * points;
        common += k == common_points ? c : 0.0;
        rest += k == common_points ? 0.0 : c;
        n_rest += k == common_points || c == 0.0 ? 0.0 : 1.0;
    }
    /* The chain: faces - 2 additions a die, the factor and its product. A term: its coefficient and product; the other
     * terms are summed by themselves. Then two additions; W itself is rounded once. */
    const double links = chain ? (double)n * (faces > 2 ? faces - 2 : 0) + 2.0 : 0.0;
    return (hog_cost){mass * links + 2.0 * common + (2.0 + n_rest) * rest + 2.0 * (mass + common + rest) + gains,
                      gains > 0.0 ? mean / gains : 1.0, gains};
}

/* Terms of one n: appends them but for the one at the points that all n share, which goes to *common; says whether
 * the chain serves. Returns the number of terms, or -1. */
static int add_move(ag_hog_plan *plan, const ag_hog_rules *rules, const hog_move *m, int n, bool chained, bool sweep,
                    size_t common_points, double *common, bool *chain)
{
    size_t n_changed = 0, n_all = 0;
    for (size_t k = 0; k < m->n_points; k++) {
        n_changed += m->touched[k] && m->change[k].hi != 0.0;
        n_all += m->law[k].hi != 0.0;
    }
    *chain = chained && n_changed <= n_all;
    *common = 0.0;
    int n_terms = 0;
    for (size_t k = 0; k < m->n_points; k++) {
        const ag_dd c = *chain ? m->change[k] : m->law[k];
        const bool gift = k == 0 && rules->piggy_back;
        if (c.hi == 0.0 || (k == 0 && !gift && !sweep))
            continue;
        n_terms++;
        if (k == common_points && !sweep) {
            *common = c.hi;
            continue;
        }
        uint32_t *term = ag_pool_grow(&plan->ints, 1);
        double *coef = ag_pool_grow(&plan->reals, 1);
        if (!term || !coef)
            return -1;
        *term = (uint32_t)k + (gift ? (uint32_t)n << 16 : 0);
        *coef = c.hi;
    }
    return n_terms;
}

/*
 * Roundings that solving a pair adds, in units of 2^-53; shifted values are at most 1/2, so one costs half a
 * unit: 1/2 each for a, z b, their sum and the division, 3/2 for 1 - z z', 1 for rounded z and q, 1 for the shift back;
 * the partner's value from there 1/2 each for a, the product and the sum. 7 with the second shift in place of the
 * first.
 */
#define PAIR 8.0

/* ------------------------------------------------------------------ one rule set */

/* Where the parts of the dice lie while they are made. */
typedef struct {
    ag_hog_table *t;
    ag_hog_facts *facts;
    bool sweep;
    bool zero;   /* some roll may gain nothing */
    bool surely; /* and one nearly surely does: P(points > 0) < 1/256 */
    /* the largest roundings a point gained, and a turn, A and D of hog.h: where every turn gains, and where one may not
     */
    double a, a_zero, d, d_zero;
    double most_terms;
} hog_dice;

static ag_status add_kind(ag_ctx *ctx, ag_hog_plan *plan, const ag_hog_rules *rules, int kind, hog_dice *d)
{
    const ag_hog_die die = ag_hog_die_of(rules, kind);
    const bool used = kind == 0 || rules->wild != AG_HOG_WILD_NONE;
    const bool chained = kind == 0 && !d->sweep && rules->total != AG_HOG_TOTAL_HOGTIMUS;
    const size_t n_moves = (size_t)rules->max_rolls + 1;
    const size_t n_points = (size_t)d->t->x_end - d->t->goal + 1 + (size_t)die.faces;
    hog_move m = {calloc(n_points, sizeof(ag_dd)), calloc(n_points, sizeof(ag_dd)), calloc(n_points, 1), n_points, 0.0};
    ag_dd *sums = used ? ag_hog_sums(die, rules->max_rolls) : NULL;
    ag_status status = AG_OK;
    if (!m.law || !m.change || !m.touched || (used && !sums))
        status = ag_fail(ctx, AG_E_MEMORY, "out of memory for the law of %d dice", rules->max_rolls);

    uint32_t *start = (uint32_t *)plan->ints.items + d->t->at_start + (size_t)kind * (n_moves + 1);
    start[0] = start[1] = (uint32_t)(plan->ints.n - d->t->at_term);
    for (int n = 1; n <= rules->max_rolls && status == AG_OK; n++) {
        bool chain = false;
        int n_terms = 0;
        double common = 0.0;
        if (used) {
            make_move(rules, die, n, sums, chained, &m);
            n_terms = add_move(plan, rules, &m, n, chained, d->sweep, d->t->common_points, &common, &chain);
        }
        if (n_terms < 0) {
            status = ag_fail(ctx, AG_E_MEMORY, "out of memory for the terms of %d dice", n);
            break;
        }
        /* the pools may have moved */
        start = (uint32_t *)plan->ints.items + d->t->at_start + (size_t)kind * (n_moves + 1);
        double *factor = (double *)plan->reals.items + d->t->at_chain + (size_t)kind * n_moves;
        double *zero = (double *)plan->reals.items + d->t->at_zero + 2 * (size_t)kind * n_moves;
        ((double *)plan->reals.items)[d->t->at_common + (size_t)kind * n_moves + (size_t)n] = common;
        start[n + 1] = (uint32_t)(plan->ints.n - d->t->at_term);
        if (!used)
            continue;
        const hog_cost cost =
            cost_of(&m, n, die.faces, chain, d->sweep ? SIZE_MAX : d->t->common_points, rules->piggy_back ? n : 0);
        const double z = rules->piggy_back ? 0.0 : m.law[0].hi;
        zero[2 * n] = z;
        zero[2 * n + 1] = rules->piggy_back ? 1.0 : cost.gains;
        d->zero = d->zero || z > 0.0;
        d->surely = d->surely || zero[2 * n + 1] < 1.0 / 256.0;
        if (chain) {
            /* faces^-n: the probability of n times the highest face, exactly rounded */
            factor[n] = sums[ag_hog_sums_row(die.faces, n) + (size_t)(n * die.faces)].hi;
            d->t->n_chain = d->t->max_rolls;
        }
        if (cost.gains > 0.0) {
            const double zero_roundings = cost.roundings / cost.gains + PAIR;
            d->a = fmax(d->a, cost.roundings / cost.mean_gain);
            d->a_zero = fmax(d->a_zero, zero_roundings / cost.mean_gain);
            d->d = fmax(d->d, cost.roundings);
            d->d_zero = fmax(d->d_zero, zero_roundings);
        }
        d->most_terms = fmax(d->most_terms, n_terms);
    }
    free(m.law);
    free(m.change);
    free(m.touched);
    free(sums);
    return status;
}

/* Makes the dice parts anew. */
static ag_status make_dice(ag_ctx *ctx, ag_hog_plan *plan, const ag_hog_rules *rules, hog_dice *d)
{
    const size_t n_moves = (size_t)rules->max_rolls + 1;
    d->t->at_start = (uint32_t)plan->ints.n;
    d->t->at_chain = (uint32_t)plan->reals.n;
    d->t->at_common = d->t->at_chain + (uint32_t)(AG_HOG_KINDS * n_moves);
    d->t->at_zero = d->t->at_common + (uint32_t)(AG_HOG_KINDS * n_moves);
    if (!ag_pool_grow(&plan->ints, AG_HOG_KINDS * (n_moves + 1)) ||
        !ag_pool_grow(&plan->reals, 4 * AG_HOG_KINDS * n_moves))
        return ag_fail(ctx, AG_E_MEMORY, "out of memory for the terms of %d dice", rules->max_rolls);
    d->t->at_term = (uint32_t)plan->ints.n;
    d->t->at_coef = (uint32_t)plan->reals.n;
    d->t->n_chain = 0;
    const int spoiled = rules->pig_out > 0 ? ag_hog_turn_points(rules, 1, rules->pig_out) : 0;
    d->t->common_points = spoiled > 0 ? (uint32_t)spoiled : 1;
    for (int kind = 0; kind < (int)AG_HOG_KINDS; kind++)
        AG_TRY(add_kind(ctx, plan, rules, kind, d));
    if (!d->zero || d->surely || d->sweep)
        return AG_OK;

    d->t->at_inverse = (uint32_t)plan->reals.n;
    double *inverse = ag_pool_grow(&plan->reals, AG_HOG_KINDS * n_moves * n_moves);
    if (!inverse)
        return ag_fail(ctx, AG_E_MEMORY, "out of memory for the pairs of %d dice", rules->max_rolls);
    for (size_t k = 0; k < AG_HOG_KINDS; k++) {
        double *zero = (double *)plan->reals.items + d->t->at_zero + 2 * k * n_moves;
        zero[1] = 1.0;
        for (size_t i = 0; i < n_moves; i++)
            for (size_t j = 0; j < n_moves; j++) {
                const double q = zero[2 * i + 1], p = zero[2 * j + 1];
                inverse[(k * n_moves + i) * n_moves + j] = q + p > 0.0 ? 1.0 / (q + p - q * p) : 0.0;
            }
    }
    return AG_OK;
}

ag_status ag_hog_plan_add_terms(ag_ctx *ctx, ag_hog_plan *plan, const ag_hog_rules *rules, ag_hog_table *t, bool sweep,
                                bool bacon_zero, ag_hog_facts *facts)
{
    const int key[AG_HOG_KEY] = {'d',
                                 rules->max_rolls,
                                 rules->faces,
                                 rules->pig_out,
                                 rules->piggy_back,
                                 (int)rules->wild,
                                 (int)rules->turn_score[0],
                                 (int)rules->turn_score[1],
                                 (int)rules->turn_score[2],
                                 sweep,
                                 rules->total == AG_HOG_TOTAL_HOGTIMUS};
    const hog_shared *found = ag_hog_shared_find(plan, key);
    hog_shared part = {0};
    if (!found) {
        hog_dice d = {.t = t, .facts = facts, .sweep = sweep};
        AG_TRY(make_dice(ctx, plan, rules, &d));
        memcpy(part.key, key, sizeof key);
        const uint32_t at[] = {t->at_start, t->at_term,       t->at_coef,   t->at_chain,  t->at_zero,
                               t->n_chain,  t->common_points, t->at_common, t->at_inverse};
        memcpy(part.at, at, sizeof at);
        part.flag = d.zero;
        part.surely = d.surely;
        part.numbers[0] = d.a;
        part.numbers[1] = d.a_zero;
        part.numbers[2] = d.d;
        part.numbers[3] = d.d_zero;
        part.numbers[4] = d.most_terms;
        AG_TRY(ag_hog_shared_add(ctx, plan, &part));
        found = &part;
    }
    t->at_start = found->at[0];
    t->at_term = found->at[1];
    t->at_coef = found->at[2];
    t->at_chain = found->at[3];
    t->at_zero = found->at[4];
    t->n_chain = found->at[5];
    t->common_points = found->at[6];
    t->at_common = found->at[7];
    t->at_inverse = found->at[8];

    /* hog.h, "The error bound". n = 0 gains at least a point for one rounding; 1 % covers products of roundings. */
    const bool zero = found->flag || bacon_zero;
    const double least = zero ? 1.0 + PAIR : 1.0;
    const double a = fmax(found->numbers[zero ? 1 : 0], least), d = fmax(found->numbers[zero ? 3 : 2], least);
    const double layers = 2.0 * t->goal - 1.0, most_points = t->x_end - t->goal;
    t->has |= (zero ? AG_HOG_HAS_ZERO : 0) | (found->flag ? AG_HOG_HAS_ZERO_ROLL : 0);
    t->has |= found->flag && !found->surely ? AG_HOG_HAS_PACKS : 0;
    if (!sweep)
        t->panel_reals = ag_hog_panel_reals(t);
    facts->n_terms = found->numbers[4];
    facts->error = 1.01 * 0x1p-53 * fmin(a * (layers + most_points), d * layers);
    facts->tie_tolerance = 4.0 * facts->error;

    t->at_tie = (uint32_t)plan->reals.n;
    double *tie = ag_pool_grow(&plan->reals, 2 + (size_t)t->max_rolls);
    if (!tie)
        return ag_fail(ctx, AG_E_MEMORY, "out of memory for the plan of a rule set");
    *tie = facts->tie_tolerance;
    for (uint32_t n = 0; n <= t->max_rolls; n++)
        tie[1 + n] = n;
    return AG_OK;
}
