/*
 * solve.c -- drives the Hog kernels: memory, launches and results (see kernels/hog.cl and hog_sweep.cl).
 */
#include "device/device.h"
#include "hog/plan.h"
#include "reference/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The most tables of one launch: keeps a plan's parts small. */
#define AG_HOG_BATCH_MAX 16384
/* And the most work, in seconds of one core: a GPU with a screen stops kernels that take longer. */
#define AG_HOG_BATCH_SECONDS 1.0

/* A plan on a device, with room for values and moves. */
typedef struct {
    ag_device *dev;
    ag_buf bufs[AG_N_BUFS];
    agk_hog_params p;
} hog_run;

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

/* Uploads the plan; values and moves: room wanted. */
static ag_status start_run(ag_ctx *ctx, const ag_hog_plan *plan, double cpu_seconds, double n_values, double n_moves,
                           hog_run *run)
{
    const size_t size_tables = plan->tables.n * sizeof(ag_hog_table);
    const size_t size_ints = plan->ints.n * sizeof(uint32_t), size_reals = plan->reals.n * sizeof(double);
    if (n_values > (double)UINT32_MAX)
        return ag_fail(ctx, AG_E_MEMORY, "%.3g values are more than one job can address", n_values);
    AG_TRY(ag_device_get(ctx, cpu_seconds, &run->dev));
    AG_TRY(ag_device_scratch(ctx, run->dev, 0, size_tables + size_ints, &run->bufs[0]));
    AG_TRY(ag_device_scratch(ctx, run->dev, 1, size_reals, &run->bufs[1]));
    AG_TRY(ag_device_scratch(ctx, run->dev, 2, plan->bytes.n + 1, &run->bufs[2]));
    AG_TRY(ag_device_scratch(ctx, run->dev, 3, (size_t)n_values * sizeof(double), &run->bufs[3]));
    AG_TRY(ag_device_scratch(ctx, run->dev, 4, (size_t)n_moves, &run->bufs[4]));
    AG_TRY(ag_device_write(ctx, run->dev, &run->bufs[0], 0, plan->tables.items, size_tables));
    AG_TRY(ag_device_write(ctx, run->dev, &run->bufs[0], size_tables, plan->ints.items, size_ints));
    AG_TRY(ag_device_write(ctx, run->dev, &run->bufs[1], 0, plan->reals.items, size_reals));
    if (plan->bytes.n)
        AG_TRY(ag_device_write(ctx, run->dev, &run->bufs[2], 0, plan->bytes.items, plan->bytes.n));
    run->p = (agk_hog_params){
        .n_tables = (uint32_t)plan->tables.n, .keep = 1, .at_ints = (uint32_t)(size_tables / sizeof(uint32_t))};
    return AG_OK;
}

static ag_status launch(ag_ctx *ctx, hog_run *run, ag_kernel k, uint32_t n_groups)
{
    return ag_device_launch(ctx, run->dev, k, n_groups, &run->p, sizeof run->p, run->bufs);
}

/* Seconds that one core takes for a table: 3 ns a state and ten dice, more where terms are many. */
static double seconds_of(const ag_hog_rules *rules)
{
    return 3e-10 * rules->goal * rules->goal * rules->max_rolls * (1.0 + rules->faces / 6.0);
}

double ag_hog_solve_bytes(const ag_hog_rules *rules, ag_hog_method method)
{
    const ag_hog_table t = ag_hog_plan_sizes(rules, method == AG_HOG_SWEEP);
    const double goal = rules->goal, flags = (double)(t.x_end + t.turn_rows) * (goal + t.pad + t.turn_rows);
    const double win = goal * goal * (method == AG_HOG_SWEEP ? 8.0 : 16.0);
    return 8.0 * ag_hog_work_reals(&t, method == AG_HOG_SWEEP) + win + 2.0 * goal * goal + 2.0 * (goal * goal + flags);
}

static void set_bounds(ag_hog_result *out)
{
    out->lower = fmax(0.0, out->first_player_win - out->error);
    out->upper = fmin(1.0, out->first_player_win + out->error);
}

/* ------------------------------------------------------------------ by layers */

static ag_status solve_layers(ag_ctx *ctx, const ag_hog_rules *rules, double *win, uint8_t *rolls, ag_hog_result *out)
{
    ag_hog_plan plan;
    hog_run run = {0};
    ag_hog_plan_init(&plan);
    ag_status status = ag_hog_plan_add(ctx, &plan, rules, false);
    if (status != AG_OK)
        goto out;

    const ag_hog_table *t = ag_hog_plan_table(&plan, 0);
    const size_t n_states = (size_t)t->goal * t->goal, at_work = round_up(n_states + 1, AG_HOG_OVERHANG);
    status = start_run(ctx, &plan, seconds_of(rules), (double)at_work + ag_hog_work_reals(t, false),
                       (double)n_states + 1.0, &run);
    if (status != AG_OK)
        goto out;
    run.p.at_first = (uint32_t)n_states;
    run.p.at_work = (uint32_t)at_work;
    run.p.work_each = t->n_panels == 1 ? t->panel_reals : 0;
    for (uint32_t step = 2 * t->n_panels - 1; step-- > 0 && status == AG_OK;) {
        const uint32_t most = step < t->n_panels - 1 ? step : t->n_panels - 1;
        run.p.step = step;
        status = launch(ctx, &run, AG_KERNEL_agk_hog_layers, most - (step + 1) / 2 + 1);
    }
    uint8_t first = 0;
    ag_hog_result result = {.error = ag_hog_plan_facts(&plan, 0)->error,
                            .tie_tolerance = ag_hog_plan_facts(&plan, 0)->tie_tolerance,
                            .converged = 1};
    if (status == AG_OK)
        status = ag_device_read(ctx, run.dev, &run.bufs[3], n_states * sizeof(double), &result.first_player_win,
                                sizeof(double));
    if (status == AG_OK)
        status = ag_device_read(ctx, run.dev, &run.bufs[4], n_states, &first, 1);
    if (status == AG_OK && win)
        status = ag_device_read(ctx, run.dev, &run.bufs[3], 0, win, n_states * sizeof(double));
    if (status == AG_OK && rolls)
        status = ag_device_read(ctx, run.dev, &run.bufs[4], 0, rolls, n_states);
    if (status == AG_OK) {
        result.first_move = first;
        set_bounds(&result);
        *out = result;
    }
out:
    ag_hog_plan_free(&plan);
    return status;
}

/* Tables first .. first + n - 1 of the plan's rule sets, each of one panel, in one launch. */
static ag_status solve_batch(ag_ctx *ctx, size_t n, const ag_hog_rules *rules, ag_hog_result *out)
{
    ag_hog_plan plan;
    hog_run run = {0};
    double *first_win = malloc(n * sizeof *first_win), seconds = 0.0;
    uint8_t *first_move = malloc(n);
    size_t each = 0;
    ag_hog_plan_init(&plan);
    ag_status status = AG_OK;
    if (!first_win || !first_move) {
        status = ag_fail(ctx, AG_E_MEMORY, "out of memory for the results of %zu rule sets", n);
        goto out;
    }
    for (size_t i = 0; i < n && status == AG_OK; i++) {
        status = ag_hog_plan_add(ctx, &plan, &rules[i], false);
        if (status != AG_OK)
            goto out;
        const ag_hog_table *t = ag_hog_plan_table(&plan, i);
        const size_t reals = round_up((size_t)t->goal * t->goal, AG_HOG_OVERHANG) + t->panel_reals;
        each = reals > each ? reals : each;
        seconds += seconds_of(&rules[i]);
    }
    /* Groups share the tables out: as many as run at once, so that each keeps its work space in a cache. */
    status = ag_device_get(ctx, seconds, &run.dev);
    if (status != AG_OK)
        goto out;
    const size_t wanted = ag_device_groups(run.dev, AG_KERNEL_agk_hog_layers);
    const size_t n_groups = wanted < n ? wanted : n, at_work = round_up(n, AG_HOG_OVERHANG);
    status = start_run(ctx, &plan, seconds, (double)at_work + (double)n_groups * (double)each, (double)n, &run);
    if (status != AG_OK)
        goto out;
    run.p.keep = 0;
    run.p.at_work = (uint32_t)at_work;
    run.p.work_each = (uint32_t)each;
    status = launch(ctx, &run, AG_KERNEL_agk_hog_layers, (uint32_t)n_groups);
    if (status == AG_OK)
        status = ag_device_read(ctx, run.dev, &run.bufs[3], 0, first_win, n * sizeof *first_win);
    if (status == AG_OK)
        status = ag_device_read(ctx, run.dev, &run.bufs[4], 0, first_move, n);
    for (size_t i = 0; i < n && status == AG_OK; i++) {
        const ag_hog_facts *facts = ag_hog_plan_facts(&plan, i);
        out[i] = (ag_hog_result){.first_player_win = first_win[i],
                                 .error = facts->error,
                                 .tie_tolerance = facts->tie_tolerance,
                                 .first_move = first_move[i],
                                 .converged = 1};
        set_bounds(&out[i]);
    }
out:
    ag_hog_plan_free(&plan);
    free(first_win);
    free(first_move);
    return status;
}

/* ------------------------------------------------------------------ by sweeps */

/* Sweeps between two looks at the bounds, and between two looks at whether it is worth going on. */
#define SWEEPS_A_LOOK  8u
#define SWEEPS_A_STAGE 512u

/* How far bounds have come: the widest, all widths together, and how many are wider than epsilon. */
typedef struct {
    double widest, total, n_open;
} sweep_state;

static sweep_state look_at(size_t n, const double *bounds, double epsilon)
{
    sweep_state now = {0};
    for (size_t i = 0; i < n; i++) {
        const double width = bounds[n + i] - bounds[i];
        now.widest = fmax(now.widest, width);
        now.total += width;
        now.n_open += width > epsilon;
    }
    return now;
}

/*
 * Sweeps until the bounds meet within epsilon or stop narrowing: when nothing moves any more, or when a stage has
 * neither halved the widths nor closed a tenth of the open states (a move that almost surely gains nothing makes them
 * creep for ever). Either can happen only so often: the stages grow with the logarithms of goal and 1 / epsilon.
 * bounds: [2][goal][goal], lower then upper.
 */
static ag_status sweep_until(ag_ctx *ctx, hog_run *run, const ag_hog_table *t, double epsilon, double *bounds,
                             ag_hog_result *result)
{
    const size_t n = (size_t)t->goal * t->goal;
    sweep_state last = {INFINITY, INFINITY, INFINITY}, stage = last;
    for (;;) {
        for (uint32_t i = 0; i < SWEEPS_A_LOOK; i++, run->p.step++) {
            AG_TRY(launch(ctx, run, AG_KERNEL_agk_hog_sweep_after, t->rows));
            AG_TRY(launch(ctx, run, AG_KERNEL_agk_hog_sweep_best, t->goal));
        }
        AG_TRY(ag_device_read(ctx, run->dev, &run->bufs[3],
                              (run->p.at_work + 2 * (size_t)(run->p.step & 1u) * n) * sizeof(double), bounds,
                              2 * n * sizeof(double)));
        const sweep_state now = look_at(n, bounds, epsilon);
        result->error = now.widest / 2.0;
        result->sweeps = (int)run->p.step;
        result->converged = now.widest <= epsilon;
        ag_log(AG_LOG_DEBUG, "solve", "sweep %u: width %.3g, %.0f states open", run->p.step, now.widest, now.n_open);
        if (result->converged || now.total >= last.total)
            return AG_OK;
        last = now;
        if (run->p.step % SWEEPS_A_STAGE == 0) {
            if (now.total > 0.5 * stage.total && now.n_open > 0.9 * stage.n_open)
                return AG_OK;
            stage = now;
        }
    }
}

static ag_status solve_sweep(ag_ctx *ctx, const ag_hog_rules *rules, double epsilon, double *win, uint8_t *rolls,
                             ag_hog_result *out)
{
    ag_hog_plan plan;
    hog_run run = {0};
    ag_hog_result result = {0};
    ag_hog_plan_init(&plan);
    const size_t n = (size_t)rules->goal * (size_t)rules->goal;
    double *bounds = calloc(2 * n, sizeof *bounds);
    uint8_t *moves = malloc(n);
    ag_status status = AG_OK;
    if (!bounds || !moves) {
        status = ag_fail(ctx, AG_E_MEMORY, "out of memory for the bounds of goal %d", rules->goal);
        goto out;
    }
    status = ag_hog_plan_add(ctx, &plan, rules, true);
    if (status != AG_OK)
        goto out;
    const ag_hog_table *t = ag_hog_plan_table(&plan, 0);
    const ag_hog_facts *facts = ag_hog_plan_facts(&plan, 0);
    const size_t n_work = (size_t)ag_hog_work_reals(t, true), n_act = 4 * (size_t)t->goal * t->lanes;
    status = start_run(ctx, &plan, 100.0 * seconds_of(rules), (double)n_work, (double)n, &run);
    if (status != AG_OK)
        goto out;
    /* Nothing is known at first: every bound is 0 or 1, those of acting too. */
    double *act = calloc(n_act, sizeof *act);
    if (!act) {
        status = ag_fail(ctx, AG_E_MEMORY, "out of memory for the bounds of goal %d", rules->goal);
        goto out;
    }
    for (size_t i = 0; i < n; i++)
        bounds[n + i] = 1.0;
    for (size_t i = 0; i < n_act; i++)
        act[i] = i / (n_act / 4) % 2 ? 1.0 : 0.0;
    status = ag_device_write(ctx, run.dev, &run.bufs[3], 0, bounds, 2 * n * sizeof(double));
    if (status == AG_OK)
        status = ag_device_write(ctx, run.dev, &run.bufs[3], 4 * n * sizeof(double), act, n_act * sizeof(double));
    free(act);
    if (status != AG_OK)
        goto out;
    /* A sum of n_terms products: a rounding for each coefficient, product and addition; one for 1 - v, one for
     * the slack itself. */
    run.p.slack = (facts->n_terms + 4.0) * 0x1p-53;
    status = sweep_until(ctx, &run, t, epsilon, bounds, &result);
    if (status != AG_OK)
        goto out;

    for (size_t i = 0; i < n; i++)
        bounds[i] = bounds[n + i] = bounds[i] + (bounds[n + i] - bounds[i]) / 2.0;
    result.error += 0x1p-53; /* of the mean */
    result.tie_tolerance = facts->tie_tolerance + 4.0 * result.error;
    run.p.slack = result.tie_tolerance;
    const size_t at = 2 * (size_t)(run.p.step & 1u) * n * sizeof(double);
    status = ag_device_write(ctx, run.dev, &run.bufs[3], at, bounds, 2 * n * sizeof(double));
    if (status == AG_OK)
        status = launch(ctx, &run, AG_KERNEL_agk_hog_sweep_choose, t->goal);
    if (status == AG_OK)
        status = ag_device_read(ctx, run.dev, &run.bufs[4], 0, moves, n);
    if (status != AG_OK)
        goto out;
    result.first_player_win = bounds[0];
    result.first_move = moves[0];
    set_bounds(&result);
    if (win)
        memcpy(win, bounds, n * sizeof *win);
    if (rolls)
        memcpy(rolls, moves, n);
    *out = result;
out:
    ag_hog_plan_free(&plan);
    free(bounds);
    free(moves);
    return status;
}

/* ------------------------------------------------------------------ public */

static ag_status solve_reference(ag_ctx *ctx, const ag_hog_rules *rules, double *win, uint8_t *rolls,
                                 ag_hog_result *out)
{
    ag_hog_plan plan;
    ag_hog_plan_init(&plan);
    const size_t n = (size_t)rules->goal * (size_t)rules->goal;
    double *values = win ? win : malloc(n * sizeof *values);
    uint8_t *moves = rolls ? rolls : malloc(n);
    ag_status status = AG_OK;
    if (!values || !moves)
        status = ag_fail(ctx, AG_E_MEMORY, "out of memory for the table of goal %d", rules->goal);
    /* Compiled for its numbers alone: the tie tolerance, which is one for all backends, and the roundings of a sum over
     * all outcomes, as a sweep and the reference make it. One more a turn is for the shift by 1/2; and where whole
     * numbers of ways are too large to be exact, 2 faces + 4 for each die of a probability. */
    if (status == AG_OK)
        status = ag_hog_plan_add(ctx, &plan, rules, false);
    if (status == AG_OK)
        status = ag_hog_plan_add(ctx, &plan, rules, true);
    if (status == AG_OK) {
        const double tie = ag_hog_plan_facts(&plan, 0)->tie_tolerance;
        const double faces = rules->wild == AG_HOG_WILD_SEVENS_REROLL ? rules->faces * rules->faces : rules->faces;
        const double law =
            pow(fmax(faces, 4.0), rules->max_rolls) < 0x1p53 ? 0.0 : rules->max_rolls * (2.0 * rules->faces + 4.0);
        const double error = ag_hog_plan_facts(&plan, 1)->error + 0x1p-53 * (1.0 + law) * (2.0 * rules->goal - 1.0);
        status = ag_ref_hog_solve(ctx, rules, tie, values, moves);
        if (status == AG_OK) {
            *out = (ag_hog_result){.first_player_win = values[0],
                                   .error = error,
                                   .tie_tolerance = tie,
                                   .first_move = moves[0],
                                   .converged = 1};
            set_bounds(out);
            ag_ctx_ran_reference(ctx);
        }
    }
    ag_hog_plan_free(&plan);
    if (!win)
        free(values);
    if (!rolls)
        free(moves);
    return status;
}

ag_status ag_hog_solve(ag_ctx *ctx, const ag_hog_rules *rules, ag_hog_method method, double epsilon, double *win,
                       uint8_t *rolls, ag_hog_result *out)
{
    AG_TRY(ag_hog_rules_check(ctx, rules));
    if (method != AG_HOG_LAYERS && method != AG_HOG_SWEEP)
        return ag_fail(ctx, AG_E_ARG, "method is %d, must be AG_HOG_LAYERS or AG_HOG_SWEEP", (int)method);
    if (method == AG_HOG_SWEEP && !(epsilon > 0.0))
        return ag_fail(ctx, AG_E_ARG, "epsilon is %g, must be above 0", epsilon);
    if (ag_ctx_is_reference(ctx))
        return solve_reference(ctx, rules, win, rolls, out);
    ag_status status;
    do
        status = method == AG_HOG_SWEEP ? solve_sweep(ctx, rules, epsilon, win, rolls, out)
                                        : solve_layers(ctx, rules, win, rolls, out);
    while (ag_device_give_up(ctx, status));
    return status;
}

ag_status ag_hog_solve_many(ag_ctx *ctx, size_t n, const ag_hog_rules *rules, ag_hog_result *out)
{
    for (size_t i = 0; i < n; i++)
        AG_TRY(ag_hog_rules_check(ctx, &rules[i]));
    ag_hog_result *results = malloc((n ? n : 1) * sizeof *results);
    if (!results)
        return ag_fail(ctx, AG_E_MEMORY, "out of memory for the results of %zu rule sets", n);
    ag_status status = AG_OK;
    for (size_t i = 0, end; i < n && status == AG_OK; i = end) {
        /* A run of tables of one panel goes in one launch, a larger table alone. */
        double seconds = 0.0;
        end = i;
        while (end < n && end - i < AG_HOG_BATCH_MAX && seconds < AG_HOG_BATCH_SECONDS &&
               rules[end].goal <= (int)AG_HOG_PANEL && !ag_ctx_is_reference(ctx))
            seconds += seconds_of(&rules[end++]);
        if (end > i)
            do
                status = solve_batch(ctx, end - i, rules + i, results + i);
            while (ag_device_give_up(ctx, status));
        else
            status = ag_hog_solve(ctx, &rules[end], AG_HOG_LAYERS, 1.0, NULL, NULL, &results[end]), end++;
    }
    if (status == AG_OK)
        memcpy(out, results, n * sizeof *out);
    free(results);
    return status;
}
