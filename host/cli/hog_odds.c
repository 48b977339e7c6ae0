/*
 * hog_odds.c -- astragal hog odds: the probability of every turn total for every number of dice.
 */
#include "cli.h"
#include "output/output.h"

#include <stdlib.h>
#include <string.h>

/* One probability of the listing. */
typedef struct {
    int64_t faces, rolls, total, rerolled;
    double probability;
} odds_row;

/* The listing so far, and what it must tell apart. */
typedef struct {
    odds_row *rows;
    size_t n, room;
    bool has_rerolled; /* some dice are rolled once more: a column says which */
} odds;

static ag_status add_row(ag_ctx *ctx, odds *list, odds_row row)
{
    if (list->n == list->room) {
        const size_t room = list->room ? 2 * list->room : 1024;
        odds_row *rows = realloc(list->rows, room * sizeof *rows);
        if (!rows)
            return ag_fail(ctx, AG_E_MEMORY, "not enough memory for %zu rows", room);
        list->rows = rows;
        list->room = room;
    }
    list->rows[list->n++] = row;
    return AG_OK;
}

/* Adds the laws of 1..max_rolls dice of one kind; p: room for AG_HOG_TOTAL_MAX + 1. */
static ag_status add_dice(ag_ctx *ctx, odds *list, const ag_hog_rules *rules, int wild, int faces, int rerolled,
                          double *p)
{
    for (int n = 1; n <= rules->max_rolls; n++) {
        int max_total;
        AG_TRY(ag_hog_odds(ctx, rules, wild, n, AG_HOG_TOTAL_MAX + 1, p, &max_total));
        for (int k = 0; k <= max_total; k++)
            if (p[k] > 0)
                AG_TRY(add_row(ctx, list, (odds_row){faces, n, k, rerolled, p[k]}));
    }
    return AG_OK;
}

/* All the dice that one rule set uses: scores 0 and 0 have the wild ones where there are any, 1 and 0 never. */
static ag_status add_rules(ag_ctx *ctx, odds *list, const ag_hog_rules *rules, double *p)
{
    int faces, rerolled;
    ag_hog_dice_in_use(rules, 1, 0, &faces, &rerolled);
    AG_TRY(add_dice(ctx, list, rules, 0, faces, rerolled, p));
    if (rules->wild == AG_HOG_WILD_NONE)
        return AG_OK;
    ag_hog_dice_in_use(rules, 0, 0, &faces, &rerolled);
    list->has_rerolled |= rerolled;
    return add_dice(ctx, list, rules, 1, faces, rerolled, p);
}

static ag_status fill(ag_ctx *ctx, const ag_cli_line *line, odds *list, ag_hog_rules *rules)
{
    const bool both = !line->rules && !line->faces;
    ag_hog_rules four;
    char key_value[32];

    AG_TRY(ag_cli_hog_rules_from(ctx, line, "plain", rules));
    if (line->faces) {
        int64_t faces;
        if (!ag_parse_int(line->faces, 2, AG_HOG_FACES_MAX, &faces))
            return ag_fail(ctx, AG_E_ARG, "--faces is %s, must be 2..%d", *line->faces ? line->faces : "empty",
                           AG_HOG_FACES_MAX);
        snprintf(key_value, sizeof key_value, "faces=%d", (int)faces);
        AG_TRY(ag_hog_rules_set(ctx, rules, key_value));
    }
    if (line->max_rolls) {
        snprintf(key_value, sizeof key_value, "max_rolls=%d", line->max_rolls);
        AG_TRY(ag_hog_rules_set(ctx, rules, key_value));
    }
    double *p = malloc((AG_HOG_TOTAL_MAX + 1) * sizeof *p);
    if (!p)
        return ag_fail(ctx, AG_E_MEMORY, "not enough memory for %d totals", AG_HOG_TOTAL_MAX + 1);
    ag_status status = add_rules(ctx, list, rules, p);
    if (status == AG_OK && both) {
        four = *rules;
        status = ag_hog_rules_set(ctx, &four, "faces=4");
        if (status == AG_OK)
            status = add_rules(ctx, list, &four, p);
    }
    free(p);
    return status;
}

static void print_json(const odds *list, const ag_hog_rules *rules)
{
    printf("{\"game\":\"hog\",\"rules\":");
    ag_json_string(stdout, rules->name);
    printf(",\"odds\":[");
    for (size_t i = 0; i < list->n; i++) {
        const odds_row *row = &list->rows[i];
        printf("%s{\"faces\":%d,\"rolls\":%d,\"total\":%d,\"probability\":", i ? "," : "", (int)row->faces,
               (int)row->rolls, (int)row->total);
        ag_json_real(stdout, row->probability);
        if (list->has_rerolled)
            printf(",\"rerolled\":%d", (int)row->rerolled);
        putchar('}');
    }
    printf("]}\n");
}

static void print_text(const odds *list)
{
    for (size_t i = 0; i < list->n; i++) {
        const odds_row *row = &list->rows[i], *before = i ? row - 1 : NULL;
        if (!before || before->faces != row->faces || before->rerolled != row->rerolled)
            printf("%sdice with %d faces%s\nturn total  dice  probability\n", i ? "\n" : "", (int)row->faces,
                   row->rerolled ? ", odd ones rolled once more" : "");
        printf("%10d  %4d  %.9f\n", (int)row->total, (int)row->rolls, row->probability);
    }
}

static ag_status write_tables(ag_ctx *ctx, const ag_cli_line *line, const odds *list)
{
    int64_t *cells = malloc((4 * list->n + 1) * sizeof *cells);
    double *reals = malloc((list->n + 1) * sizeof *reals);
    ag_status status = AG_OK;

    if (cells && reals) {
        for (size_t i = 0; i < list->n; i++) {
            cells[i] = list->rows[i].faces;
            cells[list->n + i] = list->rows[i].rolls;
            cells[2 * list->n + i] = list->rows[i].total;
            cells[3 * list->n + i] = list->rows[i].rerolled;
            reals[i] = list->rows[i].probability;
        }
        const ag_column columns[] = {
            {.name = "faces", .kind = AG_CELL_INT, .ints = cells},
            {.name = "rolls", .kind = AG_CELL_INT, .ints = cells + list->n},
            {.name = "total", .kind = AG_CELL_INT, .ints = cells + 2 * list->n},
            {.name = "probability", .kind = AG_CELL_REAL, .reals = reals},
            {.name = "rerolled", .kind = AG_CELL_INT, .ints = cells + 3 * list->n},
        };
        const ag_table table = {.columns = columns, .n_columns = list->has_rerolled ? 5 : 4, .n_rows = list->n};
        for (size_t i = 0; i < line->n_outs && status == AG_OK; i++)
            status = ag_table_write(ctx, line->outs[i], &table);
    } else {
        status = ag_fail(ctx, AG_E_MEMORY, "not enough memory to write %zu rows", list->n);
    }
    free(cells);
    free(reals);
    return status;
}

static ag_status run(ag_ctx *ctx, const ag_cli_line *line)
{
    ag_hog_rules rules;
    odds list = {0};

    AG_TRY(ag_cli_check_outs(ctx, line, false));
    ag_status status = fill(ctx, line, &list, &rules);
    if (status == AG_OK && line->n_outs)
        status = write_tables(ctx, line, &list);
    if (status == AG_OK && line->json)
        print_json(&list, &rules);
    else if (status == AG_OK && !line->n_outs)
        print_text(&list);
    free(list.rows);
    return status;
}

const ag_cli_command ag_cli_hog_odds = {
    .words = "hog odds",
    .args = "",
    .options = AG_OPT_BIT(FACES) | AG_OPT_BIT(MAX_ROLLS) | AG_OPT_BIT(RULES) | AG_OPT_BIT(SET) | AG_OPT_BIT(OUT) |
               AG_OPT_BIT(JSON),
    .brief = "the probability of every turn total for every number of dice",
    .text = "Prints the probability of every turn total: with --rules after its pig-out and\n"
            "turn-score rules (and for its other dice, where it has them); without, a 1\n"
            "makes a roll score 1. Default dice: 6 faces, and 4.",
    .example = "astragal hog odds --faces 6 --max-rolls 3",
    .run = run,
};
