/*
 * plan.c -- compiles a rule set: sizes, scores and layers. The terms of the dice are in terms.c.
 */
#include "hog/plan.h"

#include "hog/features.h"
#include "hog/plan_parts.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ pools */

void *ag_pool_grow(ag_pool *pool, size_t n)
{
    if (pool->n + n > pool->room) {
        const size_t room = (pool->n + n) * 2;
        void *items = realloc(pool->items, room * pool->size_item);
        if (!items)
            return NULL;
        pool->items = items;
        pool->room = room;
    }
    void *first = (char *)pool->items + pool->n * pool->size_item;
    memset(first, 0, n * pool->size_item);
    pool->n += n;
    return first;
}

void ag_hog_plan_init(ag_hog_plan *plan)
{
    *plan = (ag_hog_plan){.tables = {.size_item = sizeof(ag_hog_table)},
                          .facts = {.size_item = sizeof(ag_hog_facts)},
                          .ints = {.size_item = sizeof(uint32_t)},
                          .reals = {.size_item = sizeof(double)},
                          .bytes = {.size_item = 1},
                          .shared = {.size_item = sizeof(hog_shared)}};
}

void ag_hog_plan_free(ag_hog_plan *plan)
{
    free(plan->tables.items);
    free(plan->facts.items);
    free(plan->ints.items);
    free(plan->reals.items);
    free(plan->bytes.items);
    free(plan->shared.items);
    ag_hog_plan_init(plan);
}

const ag_hog_table *ag_hog_plan_table(const ag_hog_plan *plan, size_t i)
{
    return (const ag_hog_table *)plan->tables.items + i;
}

const ag_hog_facts *ag_hog_plan_facts(const ag_hog_plan *plan, size_t i)
{
    return (const ag_hog_facts *)plan->facts.items + i;
}

/* ------------------------------------------------------------------ shared parts */

const hog_shared *ag_hog_shared_find(const ag_hog_plan *plan, const int key[AG_HOG_KEY])
{
    /* Neighbours in a scan share most: look from the newest back, not for ever. */
    const hog_shared *all = plan->shared.items;
    for (size_t i = plan->shared.n, tried = 0; i > 0 && tried < 256; i--, tried++)
        if (memcmp(all[i - 1].key, key, sizeof all[i - 1].key) == 0)
            return &all[i - 1];
    return NULL;
}

ag_status ag_hog_shared_add(ag_ctx *ctx, ag_hog_plan *plan, const hog_shared *part)
{
    hog_shared *to = ag_pool_grow(&plan->shared, 1);
    if (!to)
        return ag_fail(ctx, AG_E_MEMORY, "out of memory for the plan of a rule set");
    *to = *part;
    return AG_OK;
}

/* ------------------------------------------------------------------ sizes */

static uint32_t round_up(uint32_t n, uint32_t to)
{
    return (n + to - 1) / to * to;
}

static bool has_marks(ag_hog_total kind)
{
    return kind == AG_HOG_TOTAL_HOGTIMUS || kind == AG_HOG_TOTAL_HOG_PILE_EQUAL || kind == AG_HOG_TOTAL_HOG_PILE_ONES;
}

/* No n = 0 scores more before the turn-score rules, by kind in the order of ag_hog_bacon. */
static const int most_bacon[AG_HOG_N_BACON] = {0, 10, 10, 11, 10, 18, 10, 10, 128, 19, 12, 12, 13, 9, 29, 19, 27};

/* The most points that a turn can score. */
static int most_points(const ag_hog_rules *rules)
{
    const int pig = rules->pig_out < 0 ? rules->max_rolls : rules->pig_out;
    const bool replaced = rules->turn_score[0] != AG_HOG_TURN_NONE;
    int most = 0;
    for (int n = 0; n <= rules->max_rolls; n++) {
        const int faces = rules->wild == AG_HOG_WILD_SEVENS && rules->faces < 4 ? 4 : rules->faces;
        const int top = n == 0 ? most_bacon[rules->bacon] : n * faces > pig ? n * faces : pig;
        /* The turn-score rules need not keep the order of points: ask for all. */
        for (int k = replaced ? 0 : top; k <= top; k++) {
            const int points = ag_hog_turn_points(rules, n, k);
            most = points > most ? points : most;
        }
    }
    return most;
}

ag_hog_table ag_hog_plan_sizes(const ag_hog_rules *rules, bool sweep)
{
    ag_hog_table t = {0};
    const int points = most_points(rules), chain = rules->max_rolls * rules->faces;
    t.goal = (uint32_t)rules->goal;
    t.max_rolls = (uint32_t)rules->max_rolls;
    t.faces = (uint32_t)rules->faces;
    t.x_end = t.goal + (uint32_t)(points > chain ? points : chain) + 2;
    t.pad = rules->piggy_back ? t.max_rolls : 0;
    t.n_panels = (t.goal + AG_HOG_PANEL - 1) / AG_HOG_PANEL;
    t.panel = t.n_panels == 1 ? t.goal : AG_HOG_PANEL;
    t.turn_rows = rules->total == AG_HOG_TOTAL_HOGTIMUS ? t.x_end - t.goal + 1 : 0;
    if (sweep) {
        t.lanes = round_up(t.x_end, AG_HOG_OVERHANG) + AG_HOG_OVERHANG;
        t.rows = t.goal + t.pad;
    } else {
        t.lanes = round_up(t.panel + t.pad, AG_HOG_OVERHANG) + AG_HOG_OVERHANG;
        t.rows = t.x_end + t.panel + t.pad + 2 * AG_HOG_OVERHANG;
        /* the most that the rules of the dice can ask for; terms.c knows better */
        t.n_chain = t.max_rolls;
        t.has = AG_HOG_HAS_PACKS;
        t.panel_reals = ag_hog_panel_reals(&t);
    }
    return t;
}

uint32_t ag_hog_panel_reals(const ag_hog_table *t)
{
    const uint32_t moves = t->max_rolls + 1, mirror = t->has & AG_HOG_HAS_PACKS ? moves : 0;
    return t->lanes * (t->rows + t->n_chain * t->faces + moves + 4 + t->turn_rows + mirror);
}

double ag_hog_work_reals(const ag_hog_table *t, bool sweep)
{
    const double goal = t->goal;
    if (sweep)
        return 4.0 * goal * goal + (4.0 * goal + 2.0 * t->rows) * t->lanes;
    return (double)t->n_panels * t->panel_reals;
}

/* ------------------------------------------------------------------ scores */

/* Turn scores of n = 0, after the turn-score rules. Points that look at score % 10 look at (layer - o) % 10. */
static ag_status add_bacon(ag_ctx *ctx, ag_hog_plan *plan, const ag_hog_rules *rules, ag_hog_table *t, bool *zero)
{
    const int depends = ag_hog_bacon_period(rules->bacon), goal = rules->goal;
    const int period = depends == 0 ? 1 : depends > 0 ? depends : 2 * goal - 1;
    const int key[AG_HOG_KEY] = {'b',
                                 rules->goal,
                                 (int)rules->bacon,
                                 (int)rules->turn_score[0],
                                 (int)rules->turn_score[1],
                                 (int)rules->turn_score[2]};
    const hog_shared *found = ag_hog_shared_find(plan, key);
    hog_shared part = {0};
    t->bacon_period = (uint32_t)period;
    if (!found) {
        memcpy(part.key, key, sizeof key);
        part.at[0] = (uint32_t)plan->bytes.n;
        uint8_t *points = ag_pool_grow(&plan->bytes, (size_t)period * (size_t)goal);
        if (!points)
            return ag_fail(ctx, AG_E_MEMORY, "out of memory for the n = 0 scores of goal %d", goal);
        for (int row = 0; row < period; row++)
            for (int o = 0; o < goal; o++) {
                /* row - o stands for the mover's score; where that is no score, no state looks here */
                const int s = depends < 0 ? row - o : ((row - o) % period + period) % period;
                const int scored = s < 0 || (depends < 0 && s >= goal)
                                       ? 1
                                       : ag_hog_turn_points(rules, 0, ag_hog_bacon_points(rules->bacon, s, o));
                points[(size_t)row * (size_t)goal + (size_t)o] = (uint8_t)scored;
                part.flag |= scored == 0;
            }
        AG_TRY(ag_hog_shared_add(ctx, plan, &part));
        found = &part;
    }
    t->at_bacon = found->at[0];
    *zero = found->flag;
    return AG_OK;
}

/* The total rules as maps of the mover's total: alone, and where marked. */
static ag_status add_maps(ag_ctx *ctx, ag_hog_plan *plan, const ag_hog_rules *rules, ag_hog_table *t)
{
    const int key[AG_HOG_KEY] = {'m', (int)rules->total, (int)t->x_end};
    const hog_shared *found = ag_hog_shared_find(plan, key);
    hog_shared part = {0};
    if (!found) {
        memcpy(part.key, key, sizeof key);
        part.at[0] = (uint32_t)plan->ints.n;
        uint32_t *map = ag_pool_grow(&plan->ints, 2 * (size_t)t->x_end);
        if (!map)
            return ag_fail(ctx, AG_E_MEMORY, "out of memory for the totals of goal %d", rules->goal);
        for (uint32_t x = 0; x < t->x_end; x++) {
            map[x] = (uint32_t)ag_hog_total_alone(rules->total, (int)x);
            map[t->x_end + x] = (uint32_t)ag_hog_total_when_marked(rules->total, (int)x);
        }
        AG_TRY(ag_hog_shared_add(ctx, plan, &part));
        found = &part;
    }
    t->at_map = found->at[0];
    return AG_OK;
}

/*
 * One row of flags (kernels/hog_params.h): the mover at `mine` against 0 .. n - 1. sp15's points are not known
 * here: the kernel asks again for the totals with them.
 */
static void flag_row(const ag_hog_rules *rules, int mine, int n, uint8_t *flags)
{
    const bool marks = has_marks(rules->total);
    const int alone = ag_hog_total_alone(rules->total, mine),
              when_marked = ag_hog_total_when_marked(rules->total, mine);
    for (int theirs = 0; theirs < n; theirs++) {
        const bool marked = marks && ag_hog_total_marked(rules->total, mine, theirs);
        const int total = marked ? when_marked : alone;
        const bool swaps = rules->swap && ag_hog_swaps(rules->swap, total, theirs);
        uint32_t bits = (marked ? AG_HOG_FLAG_MARK : 0) | (swaps ? AG_HOG_FLAG_SWAP : 0);
        if (rules->extra_turn && total < rules->goal && theirs < rules->goal &&
            ag_hog_moves_again(rules->extra_turn, swaps ? theirs : total, swaps ? total : theirs))
            bits |= AG_HOG_FLAG_AGAIN;
        flags[theirs] = (uint8_t)bits;
    }
}

/* Marks, swaps and extra turns for every pair of totals. */
static ag_status add_flags(ag_ctx *ctx, ag_hog_plan *plan, const ag_hog_rules *rules, ag_hog_table *t)
{
    const uint32_t own_end = t->x_end + t->turn_rows;
    t->flag_stride = t->goal + t->pad + t->turn_rows;
    const int key[AG_HOG_KEY] = {'f',          (int)rules->total, (int)rules->swap,   (int)rules->extra_turn,
                                 (int)own_end, (int)t->goal,      (int)t->flag_stride};
    const hog_shared *found = ag_hog_shared_find(plan, key);
    hog_shared part = {0};
    if (!found) {
        memcpy(part.key, key, sizeof key);
        part.at[0] = (uint32_t)plan->bytes.n;
        uint8_t *flags = ag_pool_grow(&plan->bytes, (size_t)own_end * t->flag_stride);
        if (!flags)
            return ag_fail(ctx, AG_E_MEMORY, "out of memory for the swaps of goal %d: %.0f bytes", rules->goal,
                           (double)own_end * t->flag_stride);
        for (uint32_t own = 0; own < own_end; own++)
            flag_row(rules, (int)own, (int)t->flag_stride, flags + (size_t)own * t->flag_stride);
        AG_TRY(ag_hog_shared_add(ctx, plan, &part));
        found = &part;
    }
    t->at_flags = found->at[0];
    return AG_OK;
}

/* What each layer allows: kind of dice and most dice. */
static ag_status add_layers(ag_ctx *ctx, ag_hog_plan *plan, const ag_hog_rules *rules, ag_hog_table *t, bool sweep)
{
    const size_t n = 2 * (size_t)t->goal - 1, stride = n + AG_HOG_OVERHANG;
    t->at_layer = (uint32_t)plan->ints.n;
    t->at_limit = (uint32_t)plan->reals.n;
    uint32_t *layer = ag_pool_grow(&plan->ints, n);
    double *limit = sweep ? ag_pool_grow(&plan->reals, AG_HOG_KINDS * stride) : NULL;
    if (!layer || (sweep && !limit))
        return ag_fail(ctx, AG_E_MEMORY, "out of memory for the layers of goal %d", rules->goal);
    for (size_t i = 0; i < n; i++) {
        const uint32_t most = (uint32_t)ag_hog_rolls_allowed(rules, (int)i, 0);
        const uint32_t kind = rules->wild != AG_HOG_WILD_NONE && i % 7 == 0 ? 1 : 0;
        layer[i] = kind + 2 * most;
        for (uint32_t k = 0; sweep && k < AG_HOG_KINDS; k++)
            limit[k * stride + i] = k == kind ? (double)most : -1.0;
    }
    return AG_OK;
}

ag_status ag_hog_plan_add(ag_ctx *ctx, ag_hog_plan *plan, const ag_hog_rules *rules, bool sweep)
{
    ag_hog_table t = ag_hog_plan_sizes(rules, sweep);
    ag_hog_facts facts = {0};
    t.has = 0;
    bool zero = false;

    if (rules->bacon != AG_HOG_BACON_NONE) {
        t.has |= AG_HOG_HAS_BACON;
        AG_TRY(add_bacon(ctx, plan, rules, &t, &zero));
    }
    if (rules->total == AG_HOG_TOTAL_HOGTIMUS) {
        t.has |= AG_HOG_HAS_LEADER;
    } else if (rules->total != AG_HOG_TOTAL_NONE) {
        t.has |= AG_HOG_HAS_MAPS;
        AG_TRY(add_maps(ctx, plan, rules, &t));
    }
    if (rules->swap != AG_HOG_SWAP_NONE || rules->extra_turn != AG_HOG_EXTRA_NONE || has_marks(rules->total)) {
        t.has |= AG_HOG_HAS_FLAGS;
        AG_TRY(add_flags(ctx, plan, rules, &t));
    }
    AG_TRY(add_layers(ctx, plan, rules, &t, sweep));
    AG_TRY(ag_hog_plan_add_terms(ctx, plan, rules, &t, sweep, zero, &facts));
    if (plan->ints.n > UINT32_MAX / 2 || plan->reals.n > UINT32_MAX / 2 || plan->bytes.n > UINT32_MAX)
        return ag_fail(ctx, AG_E_MEMORY, "too many rule sets for one plan");

    ag_hog_table *table = ag_pool_grow(&plan->tables, 1);
    ag_hog_facts *fact = table ? ag_pool_grow(&plan->facts, 1) : NULL;
    if (!fact)
        return ag_fail(ctx, AG_E_MEMORY, "out of memory for the plan of a rule set");
    *table = t;
    *fact = facts;
    return AG_OK;
}
