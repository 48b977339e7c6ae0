/*
 * hog_scan.c -- astragal hog scan: many rule sets, every combination of the values given for some keys.
 */
#include "cli.h"
#include "output/output.h"

#include <stdlib.h>
#include <string.h>

#define SETS_MAX 1000000
/* Rule sets of one call: enough to fill a device, few enough to show progress. */
#define BATCH 4096

/* The values that one --set gives to its key. */
typedef struct {
    char *name;           /* of the key */
    int64_t lo, hi, step; /* step 0: not a range */
    char **values;        /* then n words */
    int64_t n;
} scan_axis;

typedef struct {
    scan_axis *axes;
    size_t n_axes;
    size_t n_sets; /* product of all n */
} scan_plan;

/* ------------------------------------------------------------------------ parsing */

/* "A..B" or "A..B..STEP". */
static ag_status parse_range(ag_ctx *ctx, const char *key_value, const char *value, scan_axis *axis)
{
    static const char form[] = "KEY=A..B or KEY=A..B..STEP with whole numbers 0 <= A <= B and STEP >= 1";
    char text[64];
    int64_t part[3] = {0, 0, 1};
    int n = 0;

    if (strlen(value) >= sizeof text)
        return ag_fail(ctx, AG_E_ARG, "--set %s: a range is %s", key_value, form);
    strcpy(text, value);
    for (char *at = text; at; n++) {
        char *dots = strstr(at, "..");
        if (dots)
            *dots = '\0';
        if (n == 3 || !ag_parse_int(at, 0, INT32_MAX, &part[n]))
            return ag_fail(ctx, AG_E_ARG, "--set %s: a range is %s", key_value, form);
        at = dots ? dots + 2 : NULL;
    }
    if (part[0] > part[1] || part[2] == 0)
        return ag_fail(ctx, AG_E_ARG, "--set %s: a range is %s", key_value, form);
    axis->lo = part[0];
    axis->hi = part[1];
    axis->step = part[2];
    axis->n = (axis->hi - axis->lo) / axis->step + 1;
    return AG_OK;
}

/* "a|b|c", or one value. */
static ag_status parse_words(ag_ctx *ctx, const char *value, scan_axis *axis)
{
    axis->n = 1;
    for (const char *c = value; *c; c++)
        axis->n += *c == '|';
    axis->values = calloc((size_t)axis->n, sizeof *axis->values);
    if (!axis->values)
        return ag_fail(ctx, AG_E_MEMORY, "not enough memory for %lld values", (long long)axis->n);
    for (int64_t i = 0; i < axis->n; i++) {
        const size_t length = strcspn(value, "|");
        axis->values[i] = strndup(value, length);
        if (!axis->values[i])
            return ag_fail(ctx, AG_E_MEMORY, "not enough memory for %lld values", (long long)axis->n);
        value += length + 1;
    }
    return AG_OK;
}

static ag_status parse_axis(ag_ctx *ctx, const char *key_value, scan_axis *axis)
{
    const char *value = strchr(key_value, '=');
    if (!value)
        return ag_fail(ctx, AG_E_ARG, "--set %s: must be KEY=VALUE, KEY=A..B, KEY=A..B..STEP or KEY=V|W", key_value);
    axis->name = strndup(key_value, (size_t)(value - key_value));
    if (!axis->name)
        return ag_fail(ctx, AG_E_MEMORY, "not enough memory for %s", key_value);
    value++;
    return strstr(value, "..") ? parse_range(ctx, key_value, value, axis) : parse_words(ctx, value, axis);
}

static ag_status plan_make(ag_ctx *ctx, const ag_cli_line *line, scan_plan *plan)
{
    double product = 1;
    plan->axes = calloc(line->n_sets + 1, sizeof *plan->axes);
    if (!plan->axes)
        return ag_fail(ctx, AG_E_MEMORY, "not enough memory for %zu keys", line->n_sets);
    plan->n_axes = line->n_sets;
    for (size_t a = 0; a < plan->n_axes; a++) {
        scan_axis *axis = &plan->axes[a];
        AG_TRY(parse_axis(ctx, line->sets[a], axis));
        for (size_t i = 0; i < a; i++)
            if (!strcmp(plan->axes[i].name, axis->name))
                return ag_fail(ctx, AG_E_ARG, "--set %s: %s is given twice", line->sets[a], axis->name);
        product *= (double)axis->n;
    }
    if (product > SETS_MAX)
        return ag_fail(ctx, AG_E_ARG,
                       "the scan has %.10g rule sets (%.3g GiB of rules and results), must be at most %d", product,
                       product * (double)(sizeof(ag_hog_rules) + sizeof(ag_hog_result)) / (1 << 30), SETS_MAX);
    plan->n_sets = (size_t)product;
    return AG_OK;
}

static void plan_free(scan_plan *plan)
{
    for (size_t i = 0; i < plan->n_axes; i++) {
        for (int64_t v = 0; plan->axes[i].values && v < plan->axes[i].n; v++)
            free(plan->axes[i].values[v]);
        free(plan->axes[i].values);
        free(plan->axes[i].name);
    }
    free(plan->axes);
}

/* Which value of each axis rule set i has: the last key varies fastest. */
static int64_t value_index(const scan_plan *plan, size_t i, size_t axis)
{
    for (size_t a = plan->n_axes; --a > axis;)
        i /= (size_t)plan->axes[a].n;
    return (int64_t)(i % (size_t)plan->axes[axis].n);
}

static ag_status make_rules(ag_ctx *ctx, const scan_plan *plan, const ag_hog_rules *base, size_t i, ag_hog_rules *out)
{
    char key_value[512];
    *out = *base;
    for (size_t a = 0; a < plan->n_axes; a++) {
        const scan_axis *axis = &plan->axes[a];
        const int64_t v = value_index(plan, i, a);
        if (axis->step)
            snprintf(key_value, sizeof key_value, "%s=%lld", axis->name, (long long)(axis->lo + v * axis->step));
        else
            snprintf(key_value, sizeof key_value, "%s=%s", axis->name, axis->values[v]);
        AG_TRY(ag_cli_hog_rules_set(ctx, out, key_value));
    }
    return ag_hog_rules_check(ctx, out);
}

/* ------------------------------------------------------------------------ results */

static ag_status solve_all(ag_ctx *ctx, const ag_cli_line *line, size_t n, const ag_hog_rules *rules,
                           ag_hog_result *results)
{
    double most = 0;
    int goal = 0;
    char what[32];
    for (size_t i = 0; i < n; i++)
        if (rules[i].goal > goal) {
            goal = rules[i].goal;
            most = ag_hog_solve_bytes(&rules[i], AG_HOG_LAYERS);
        }
    snprintf(what, sizeof what, "goal %d", goal);
    AG_TRY(ag_cli_check_memory(ctx, what, most));
    AG_TRY(ag_cli_use_backend(ctx, line));
    for (size_t i = 0; i < n; i += BATCH) {
        ag_cli_progress(line, "%zu of %zu rule sets", i, n);
        AG_TRY(ag_hog_solve_many(ctx, n - i < BATCH ? n - i : BATCH, rules + i, results + i));
    }
    ag_cli_progress(line, NULL);
    return AG_OK;
}

/* The cells of the result, column by column. */
typedef struct {
    ag_column *columns;
    int64_t *ints;      /* [n_axes + 1][n]: the values of ranges, then first_move */
    double *reals;      /* [2][n] */
    const char **texts; /* [n_axes][n] */
} scan_cells;

static bool cells_make(const scan_plan *plan, const ag_hog_result *results, scan_cells *cells, size_t *n_columns)
{
    const size_t n = plan->n_sets;
    cells->columns = calloc(plan->n_axes + 3, sizeof *cells->columns);
    cells->ints = calloc((plan->n_axes + 1) * n, sizeof *cells->ints);
    cells->reals = calloc(2 * n, sizeof *cells->reals);
    cells->texts = calloc((plan->n_axes + 1) * n, sizeof *cells->texts);
    if (!cells->columns || !cells->ints || !cells->reals || !cells->texts)
        return false;
    size_t c = 0;
    for (size_t a = 0; a < plan->n_axes; a++) {
        const scan_axis *axis = &plan->axes[a];
        int64_t *ints = cells->ints + a * n;
        const char **texts = cells->texts + a * n;
        if (!axis->step && axis->n == 1)
            continue; /* set, not scanned */
        for (size_t i = 0; i < n; i++) {
            const int64_t v = value_index(plan, i, a);
            if (axis->step)
                ints[i] = axis->lo + v * axis->step;
            else
                texts[i] = axis->values[v];
        }
        cells->columns[c++] = (ag_column){
            .name = axis->name, .kind = axis->step ? AG_CELL_INT : AG_CELL_TEXT, .ints = ints, .texts = texts};
    }
    int64_t *moves = cells->ints + plan->n_axes * n;
    for (size_t i = 0; i < n; i++) {
        cells->reals[i] = results[i].first_player_win;
        moves[i] = results[i].first_move;
        cells->reals[n + i] = results[i].error;
    }
    cells->columns[c++] = (ag_column){.name = "first_player_win", .kind = AG_CELL_REAL, .reals = cells->reals};
    cells->columns[c++] = (ag_column){.name = "first_move", .kind = AG_CELL_INT, .ints = moves};
    cells->columns[c++] = (ag_column){.name = "error", .kind = AG_CELL_REAL, .reals = cells->reals + n};
    *n_columns = c;
    return true;
}

/* The rule set and every --set as given. To be freed; NULL: no memory. */
static char *summary_make(const ag_cli_line *line, const char *rules)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return NULL;
    fprintf(to, "\"game\":\"hog\",\"rules\":");
    ag_json_string(to, rules);
    fprintf(to, ",\"set\":[");
    for (size_t i = 0; i < line->n_sets; i++) {
        fputs(i ? "," : "", to);
        ag_json_string(to, line->sets[i]);
    }
    fprintf(to, "]");
    if (fclose(to)) {
        free(text);
        return NULL;
    }
    return text;
}

static ag_status write_rows(ag_ctx *ctx, const ag_cli_line *line, const scan_plan *plan, const char *rules,
                            const ag_hog_result *results)
{
    scan_cells cells = {0};
    size_t n_columns = 0;
    char *summary = summary_make(line, rules);
    ag_status status = AG_OK;

    if (!summary || !cells_make(plan, results, &cells, &n_columns))
        status = ag_fail(ctx, AG_E_MEMORY, "not enough memory to write %zu rows", plan->n_sets);
    const ag_table table = {
        .columns = cells.columns, .n_columns = n_columns, .n_rows = plan->n_sets, .summary_json = summary};
    for (size_t i = 0; i < line->n_outs && status == AG_OK; i++)
        status = ag_table_write(ctx, line->outs[i], &table);
    if (status == AG_OK && line->json)
        status = ag_table_write(ctx, "json:/dev/stdout", &table);
    else if (status == AG_OK && !line->n_outs)
        status = ag_table_write(ctx, "csv:/dev/stdout", &table);
    free(summary);
    free(cells.columns);
    free(cells.ints);
    free(cells.reals);
    free(cells.texts);
    return status;
}

static ag_status scan(ag_ctx *ctx, const ag_cli_line *line, scan_plan *plan)
{
    ag_hog_rules base;
    AG_TRY(ag_hog_rules_preset(ctx, line->rules ? line->rules : AG_CLI_RULES_DEFAULT, &base));
    AG_TRY(plan_make(ctx, line, plan));
    ag_hog_rules *rules = malloc(plan->n_sets * sizeof *rules);
    ag_hog_result *results = malloc(plan->n_sets * sizeof *results);
    ag_status status = AG_OK;
    if (!rules || !results)
        status = ag_fail(ctx, AG_E_MEMORY, "not enough memory for %zu rule sets", plan->n_sets);
    for (size_t i = 0; i < plan->n_sets && status == AG_OK; i++)
        status = make_rules(ctx, plan, &base, i, &rules[i]);
    if (status == AG_OK)
        status = solve_all(ctx, line, plan->n_sets, rules, results);
    if (status == AG_OK)
        status = write_rows(ctx, line, plan, base.name, results);
    free(rules);
    free(results);
    return status;
}

static ag_status run(ag_ctx *ctx, const ag_cli_line *line)
{
    scan_plan plan = {0};
    AG_TRY(ag_cli_check_outs(ctx, line, false));
    const ag_status status = scan(ctx, line, &plan);
    plan_free(&plan);
    return status;
}

const ag_cli_command ag_cli_hog_scan = {
    .words = "hog scan",
    .args = "",
    .options = AG_OPT_BIT(RULES) | AG_OPT_BIT(SET) | AG_OPT_BIT(OUT) | AG_OPT_BIT(JSON) | AG_OPTS_RUN,
    .backend = "auto",
    .brief = "many rule sets at once, one csv row each",
    .text = "Solves every combination of the values that --set gives: KEY=A..B[..STEP] for\n"
            "whole numbers, KEY=V|W|... for words. Prints csv: the scanned keys, the first\n"
            "player's win probability and best move, and the bound on the error.",
    .example = "astragal hog scan --set goal=20..100..20 --set 'swap=none|double'",
    .run = run,
};
