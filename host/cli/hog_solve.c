/*
 * hog_solve.c -- astragal hog solve: optimal play for both sides, as a summary, a map and tables.
 */
#include "cli.h"
#include "output/output.h"

#include <stdlib.h>

/* Bytes that one row of the table takes besides win and rolls: three columns of int64. */
#define COLUMN_BYTES (3 * sizeof(int64_t))

ag_status ag_cli_hog_solved_make(ag_ctx *ctx, const ag_cli_line *line, const ag_hog_rules *rules, ag_hog_method method,
                                 double extra_bytes, ag_cli_hog_solved *out)
{
    char what[32];
    const size_t n = (size_t)rules->goal * (size_t)rules->goal;

    *out = (ag_cli_hog_solved){0};
    snprintf(what, sizeof what, "goal %d", rules->goal);
    AG_TRY(ag_cli_check_memory(ctx, what, ag_hog_solve_bytes(rules, method) + extra_bytes));
    AG_TRY(ag_cli_use_backend(ctx, line));
    out->win = malloc(n * sizeof *out->win);
    out->rolls = malloc(n * sizeof *out->rolls);
    ag_status status = AG_OK;
    const double start = ag_now_seconds();
    if (!out->win || !out->rolls)
        status = ag_fail(ctx, AG_E_MEMORY, "not enough memory for a table of %zu states", n);
    else
        status = ag_hog_solve(ctx, rules, method, line->epsilon, out->win, out->rolls, &out->result);
    out->seconds = ag_now_seconds() - start;
    if (status != AG_OK)
        ag_cli_hog_solved_free(out);
    return status;
}

void ag_cli_hog_solved_free(ag_cli_hog_solved *solved)
{
    free(solved->win);
    free(solved->rolls);
    *solved = (ag_cli_hog_solved){0};
}

/* ----------------------------------------------------------------------- summary */

/* The keys that say what was solved and what came out: the same bytes on every backend. */
static void json_result(FILE *to, const ag_hog_rules *rules, ag_hog_method method, const ag_hog_result *r)
{
    fprintf(to, "\"game\":\"hog\",\"rules\":");
    ag_json_string(to, rules->name);
    fprintf(to, ",\"goal\":%d,\"states\":%lld,\"method\":\"%s\",\"first_player_win\":", rules->goal,
            (long long)rules->goal * rules->goal, method == AG_HOG_SWEEP ? "sweep" : "layers");
    ag_json_real(to, r->first_player_win);
    fprintf(to, ",\"lower\":");
    ag_json_real(to, r->lower);
    fprintf(to, ",\"upper\":");
    ag_json_real(to, r->upper);
    fprintf(to, ",\"first_move\":%d", r->first_move);
    if (method == AG_HOG_SWEEP) {
        fprintf(to, ",\"sweeps\":%d,\"width\":", r->sweeps);
        ag_json_real(to, 2 * r->error);
        fprintf(to, ",\"converged\":%s", r->converged ? "true" : "false");
    }
}

static void print_json(ag_ctx *ctx, const ag_hog_rules *rules, ag_hog_method method, const ag_hog_result *r,
                       double seconds)
{
    putchar('{');
    json_result(stdout, rules, method, r);
    printf(",\"backend\":");
    ag_json_string(stdout, ag_ctx_backend(ctx));
    printf(",\"device\":");
    ag_json_string(stdout, ag_ctx_device(ctx));
    printf(",\"seconds\":");
    ag_json_real(stdout, seconds);
    printf("}\n");
}

static void print_summary(ag_ctx *ctx, const ag_cli_line *line, const ag_hog_rules *rules, const ag_hog_result *r,
                          double seconds)
{
    printf("rules              %s\n", rules->name);
    printf("goal               %d (%lld states)\n", rules->goal, (long long)rules->goal * rules->goal);
    printf("backend            %s (%s)\n", ag_ctx_backend(ctx), ag_ctx_device(ctx));
    printf("first player wins  %.12f\n", r->first_player_win);
    printf("proved within      %.17g .. %.17g\n", r->lower, r->upper);
    printf("best first move    %d %s\n", r->first_move, r->first_move == 1 ? "die" : "dice");
    if (line->method == AG_HOG_SWEEP) {
        printf("sweeps             %d\n", r->sweeps);
        if (r->converged)
            printf("widest bounds      %.3g\n", 2 * r->error);
        else
            printf("widest bounds      %.3g: they did not meet within %.3g\n", 2 * r->error, line->epsilon);
    }
    printf("seconds            %.6f\n", seconds);
}

/* --------------------------------------------------------------------------- map */

static char move_mark(uint8_t rolls)
{
    static const char marks[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    return rolls < sizeof marks - 1 ? marks[rolls] : '+';
}

/* Every row_step-th row and col_step-th column of the best moves, so that a terminal holds them. */
static void print_map(int goal, int max_rolls, const uint8_t *rolls)
{
    const int row_step = (goal + 24) / 25, col_step = (goal + 49) / 50;
    const int label_step = 10 * col_step;

    const char *legend = max_rolls < 10    ? ""
                         : max_rolls == 10 ? " (A = 10)"
                         : max_rolls < 36  ? " (A = 10, B = 11, ...)"
                                           : " (A = 10, B = 11, ..., a = 36, ..., + = 62 or more)";

    printf("\nBest number of dice%s; score down, opponent's score across\n     ", legend);
    for (int o = 0; o < goal; o += label_step)
        printf("%-10d", o);
    putchar('\n');
    for (int s = 0; s < goal; s += row_step) {
        printf("%4d ", s);
        for (int o = 0; o < goal; o += col_step)
            putchar(move_mark(rolls[(size_t)s * (size_t)goal + (size_t)o]));
        putchar('\n');
    }
}

/* ------------------------------------------------------------------------ tables */

/* True if some --out wants the table row by row, not as a grid. */
static bool wants_columns(const ag_cli_line *line)
{
    for (size_t i = 0; i < line->n_outs; i++)
        if (ag_table_check_path(NULL, line->outs[i], false) == AG_OK)
            return true;
    return false;
}

static ag_status write_all(ag_ctx *ctx, const ag_cli_line *line, const ag_table *table)
{
    for (size_t i = 0; i < line->n_outs; i++)
        AG_TRY(ag_table_write(ctx, line->outs[i], table));
    return AG_OK;
}

/* Fills cells, [3][n]: score, opponent's score, rolls. */
static void fill_cells(int goal, const uint8_t *rolls, int64_t *cells)
{
    const size_t n = (size_t)goal * (size_t)goal;
    for (size_t i = 0; i < n; i++) {
        cells[i] = (int64_t)(i / (size_t)goal);
        cells[n + i] = (int64_t)(i % (size_t)goal);
        cells[2 * n + i] = rolls[i];
    }
}

static ag_status write_tables(ag_ctx *ctx, const ag_cli_line *line, const ag_hog_rules *rules,
                              const ag_cli_hog_solved *solved)
{
    const size_t goal = (size_t)rules->goal, n = goal * goal;
    char title[128], *summary = NULL;
    size_t size;
    int64_t *cells = NULL;

    if (line->n_outs == 0)
        return AG_OK;
    FILE *to = open_memstream(&summary, &size);
    if (to) {
        json_result(to, rules, (ag_hog_method)line->method, &solved->result);
        if (fclose(to)) {
            free(summary);
            summary = NULL;
        }
    }
    if (wants_columns(line) && (cells = malloc(n * COLUMN_BYTES)))
        fill_cells(rules->goal, solved->rolls, cells);
    if (!summary || (wants_columns(line) && !cells)) {
        free(summary);
        free(cells);
        return ag_fail(ctx, AG_E_MEMORY, "not enough memory to write %zu rows", n);
    }
    snprintf(title, sizeof title, "Hog %s, goal %d: %s", rules->name, rules->goal,
             line->what ? "best number of dice" : "win probability");
    const ag_grid grid = {
        .name = line->what ? "dice" : "win probability",
        .n_rows = goal,
        .n_cols = goal,
        .reals = line->what ? NULL : solved->win,
        .bytes = line->what ? solved->rolls : NULL,
        .row_label = "score",
        .col_label = "opponent's score",
        .title = title,
        .hi = line->what ? rules->max_rolls : 1,
    };
    const ag_column columns[] = {
        {.name = "score", .kind = AG_CELL_INT, .ints = cells},
        {.name = "opponent_score", .kind = AG_CELL_INT, .ints = cells ? cells + n : NULL},
        {.name = "rolls", .kind = AG_CELL_INT, .ints = cells ? cells + 2 * n : NULL},
        {.name = "win_probability", .kind = AG_CELL_REAL, .reals = solved->win},
    };
    const ag_table table = {
        .columns = columns, .n_columns = AG_COUNT(columns), .n_rows = n, .grid = &grid, .summary_json = summary};
    const ag_status status = write_all(ctx, line, &table);
    free(summary);
    free(cells);
    return status;
}

static ag_status run(ag_ctx *ctx, const ag_cli_line *line)
{
    ag_hog_rules rules;
    ag_cli_hog_solved solved;
    const ag_hog_method method = (ag_hog_method)line->method;

    AG_TRY(ag_cli_check_outs(ctx, line, true));
    AG_TRY(ag_cli_hog_rules_from(ctx, line, AG_CLI_RULES_DEFAULT, &rules));
    const double n_states = (double)rules.goal * rules.goal;
    AG_TRY(
        ag_cli_hog_solved_make(ctx, line, &rules, method, wants_columns(line) ? n_states * COLUMN_BYTES : 0, &solved));
    const ag_status status = write_tables(ctx, line, &rules, &solved);
    if (status == AG_OK && line->json) {
        print_json(ctx, &rules, method, &solved.result, solved.seconds);
    } else if (status == AG_OK) {
        print_summary(ctx, line, &rules, &solved.result, solved.seconds);
        print_map(rules.goal, rules.max_rolls, solved.rolls);
    }
    ag_cli_hog_solved_free(&solved);
    return status;
}

const ag_cli_command ag_cli_hog_solve = {
    .words = "hog solve",
    .args = "",
    .options = AG_OPT_BIT(RULES) | AG_OPT_BIT(SET) | AG_OPT_BIT(METHOD) | AG_OPT_BIT(EPSILON) | AG_OPT_BIT(OUT) |
               AG_OPT_BIT(WHAT) | AG_OPT_BIT(JSON) | AG_OPTS_RUN,
    .backend = "auto",
    .brief = "optimal play for both sides: who wins, and every best move",
    .text = "Solves Hog for both sides and prints the first player's win probability with\n"
            "proved bounds and a map of the best moves. --out FILE writes every state; the\n"
            "ending says how: .csv .json .txt .npy .png .svg. Rules: default " AG_CLI_RULES_DEFAULT ".",
    .example = "astragal hog solve --rules laney --set goal=50 --out laney.csv",
    .run = run,
};
