/*
 * verify.c -- astragal verify: every device against the reference, dice and tables.
 *
 * Dice are counts and must be equal. Values must lie within the two error bounds. Moves must be
 * equal wherever one is better by more than both bounds and the tolerance within which moves
 * count as equal, since near that limit either choice is right; the others are counted.
 */
#include "astragal/rng.h"
#include "cli.h"
#include "output/output.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEVICES_MAX 64

/* Goals of the presets: the usual one, and small ones, whose every state is near an edge. */
static const int goals[] = {100, 37, 10, 2, 1};
/* Sweeps cost the reference nothing, but hundreds of passes: up to this goal. */
#define SWEEP_GOAL_MAX 37

/* A device under test. */
typedef struct {
    ag_ctx *ctx;
    char backend[16];
    char device[16]; /* "0", "all" */
    char label[32];  /* "opencl 0" */
} dut;

typedef struct {
    ag_ctx *reference;
    dut duts[DEVICES_MAX];
    size_t n_duts;
    bool json;
    size_t n_rows;      /* printed so far */
    const char *method; /* of the tables being compared */
} verification;

/* The message of another context becomes that of ctx. */
static ag_status forward(ag_ctx *ctx, ag_status status, const ag_ctx *from, const char *who)
{
    return status == AG_OK ? AG_OK : ag_fail(ctx, status, "%s: %s", who, ag_ctx_message(from));
}

/* ------------------------------------------------------------------------ devices */

static ag_status add_dut(ag_ctx *ctx, const ag_cli_line *line, const char *backend, int device, verification *v)
{
    dut *d = &v->duts[v->n_duts];
    if (ag_ctx_create(&d->ctx) != AG_OK)
        return ag_fail(ctx, AG_E_MEMORY, "not enough memory for a context");
    v->n_duts++;
    snprintf(d->backend, sizeof d->backend, "%s", backend);
    if (device == AG_ALL_DEVICES) {
        snprintf(d->device, sizeof d->device, "all");
        snprintf(d->label, sizeof d->label, "%.15s all", backend);
    } else {
        snprintf(d->device, sizeof d->device, "%d", device);
        snprintf(d->label, sizeof d->label, "%.15s %d", backend, device);
    }
    const ag_status status = ag_ctx_use(d->ctx, backend, device, line->threads);
    return status == AG_OK ? AG_OK : ag_fail(ctx, status, "%s", ag_ctx_message(d->ctx));
}

static ag_status open_devices(ag_ctx *ctx, const ag_cli_line *line, verification *v)
{
    ag_device_row rows[DEVICES_MAX];
    size_t n;

    if (ag_ctx_create(&v->reference) != AG_OK)
        return ag_fail(ctx, AG_E_MEMORY, "not enough memory for a context");
    AG_TRY(forward(ctx, ag_ctx_use(v->reference, "reference", 0, 0), v->reference, "reference"));
    if (line->backend && !strcmp(line->backend, "reference"))
        return ag_fail(ctx, AG_E_ARG, "verify compares a backend with reference: choose another one");
    if (line->backend)
        return add_dut(ctx, line, line->backend, line->device, v);
    if (line->given & AG_OPT_BIT(DEVICE))
        return ag_fail(ctx, AG_E_ARG, "--device goes with --backend");
    AG_TRY(ag_devices_list(ctx, AG_COUNT(rows), rows, &n));
    for (size_t i = 0; i < n; i++) {
        if (!strcmp(rows[i].backend, "reference"))
            continue;
        if (rows[i].usable)
            AG_TRY(add_dut(ctx, line, rows[i].backend, rows[i].device, v));
        else if (!v->json)
            printf("%s %d is left out: %s\n", rows[i].backend, rows[i].device, rows[i].note);
    }
    return AG_OK;
}

static void close_devices(verification *v)
{
    for (size_t i = 0; i < v->n_duts; i++)
        ag_ctx_free(v->duts[i].ctx);
    ag_ctx_free(v->reference);
}

/* --------------------------------------------------------------------------- dice */

/* A number, or "all" as a string. */
static const char *json_device(const dut *d)
{
    return strcmp(d->device, "all") ? d->device : "\"all\"";
}

static ag_status verify_dice(ag_ctx *ctx, const ag_cli_line *line, verification *v, const dut *d)
{
    static const uint32_t faces[] = {2, 3, 4, 6, 7, 10, 20, 100};
    static const uint64_t games[] = {0, ((uint64_t)1 << 40) + 5};
    static const uint64_t n_words = 100003;
    uint64_t want[100], got[100];

    for (size_t f = 0; f < AG_COUNT(faces); f++)
        for (size_t g = 0; g < AG_COUNT(games); g++) {
            AG_TRY(forward(ctx, ag_dice_count(v->reference, line->seed, games[g], faces[f], n_words, want),
                           v->reference, "reference"));
            AG_TRY(forward(ctx, ag_dice_count(d->ctx, line->seed, games[g], faces[f], n_words, got), d->ctx, d->label));
            for (uint32_t i = 0; i < faces[f]; i++)
                if (want[i] != got[i])
                    return ag_fail(ctx, AG_E_CHECK,
                                   "%s: dice of %u faces, seed %" PRIu64 ", game %" PRIu64 ", %" PRIu64
                                   " words: face %u comes %" PRIu64 " times, by reference %" PRIu64,
                                   d->label, faces[f], line->seed, games[g], n_words, i + 1, got[i], want[i]);
        }
    if (v->json)
        printf("%s\n{\"backend\":\"%s\",\"device\":%s,\"job\":\"dice\",\"words\":%" PRIu64 "}", v->n_rows++ ? "," : "",
               d->backend, json_device(d), n_words * AG_COUNT(faces) * AG_COUNT(games));
    else
        printf("%-10s dice: %" PRIu64 " words, all counts equal\n", d->label,
               n_words * AG_COUNT(faces) * AG_COUNT(games));
    return AG_OK;
}

/* ------------------------------------------------------------------------- tables */

typedef struct {
    double largest, allowed; /* differences of values */
    int64_t other_moves;
} comparison;

static double move_value(const ag_hog_advice *advice, int rolls)
{
    for (int i = 0; i < advice->n_moves; i++)
        if (advice->moves[i].rolls == rolls)
            return advice->moves[i].win_probability;
    return -1; /* not a move at all */
}

/* At state i the moves differ: is one of them really worse? */
static ag_status compare_moves(ag_ctx *ctx, verification *v, const dut *d, const ag_hog_rules *rules,
                               const ag_cli_hog_solved *want, const ag_cli_hog_solved *got, int s, int o)
{
    const size_t i = (size_t)s * (size_t)rules->goal + (size_t)o;
    const double allowed = want->result.error + got->result.error + want->result.tie_tolerance;
    ag_hog_advice advice;
    AG_TRY(forward(ctx, ag_hog_advise(v->reference, rules, want->win, s, o, &advice), v->reference, "reference"));
    const double loss = fabs(move_value(&advice, want->rolls[i]) - move_value(&advice, got->rolls[i]));
    if (loss <= allowed)
        return AG_OK;
    return ag_fail(
        ctx, AG_E_CHECK,
        "%s: rules %s, goal %d, method %s, score %d, opponent_score %d: best move %d, by reference %d, which differ by "
        "%.17g (allowed %.3g)",
        d->label, rules->name, rules->goal, v->method, s, o, got->rolls[i], want->rolls[i], loss, allowed);
}

static ag_status compare(ag_ctx *ctx, verification *v, const dut *d, const ag_hog_rules *rules,
                         const ag_cli_hog_solved *want, const ag_cli_hog_solved *got, comparison *c)
{
    c->allowed = want->result.error + got->result.error;
    for (int s = 0; s < rules->goal; s++)
        for (int o = 0; o < rules->goal; o++) {
            const size_t i = (size_t)s * (size_t)rules->goal + (size_t)o;
            const double difference = fabs(want->win[i] - got->win[i]);
            if (!(difference <= c->allowed))
                return ag_fail(
                    ctx, AG_E_CHECK,
                    "%s: rules %s, goal %d, method %s, score %d, opponent_score %d: win probability %.17g, by "
                    "reference %.17g, which differ by %.3g (allowed %.3g)",
                    d->label, rules->name, rules->goal, v->method, s, o, got->win[i], want->win[i], difference,
                    c->allowed);
            if (difference > c->largest)
                c->largest = difference;
            if (want->rolls[i] != got->rolls[i]) {
                AG_TRY(compare_moves(ctx, v, d, rules, want, got, s, o));
                c->other_moves++;
            }
        }
    return AG_OK;
}

static void print_row(verification *v, const dut *d, const ag_hog_rules *rules, const comparison *c)
{
    if (!v->json) {
        printf("%-10s %-12s goal %3d %s: difference %.2g (allowed %.2g), %" PRId64 " equal moves chosen otherwise\n",
               d->label, rules->name, rules->goal, v->method, c->largest, c->allowed, c->other_moves);
        return;
    }
    printf("%s\n{\"backend\":\"%s\",\"device\":%s,\"job\":\"hog\",\"rules\":", v->n_rows++ ? "," : "", d->backend,
           json_device(d));
    ag_json_string(stdout, rules->name);
    printf(",\"goal\":%d,\"method\":\"%s\",\"largest_difference\":", rules->goal, v->method);
    ag_json_real(stdout, c->largest);
    printf(",\"allowed\":");
    ag_json_real(stdout, c->allowed);
    printf(",\"other_moves\":%" PRId64 "}", c->other_moves);
}

static ag_status solve(ag_ctx *ctx, ag_ctx *on, const char *who, const ag_hog_rules *rules, ag_hog_method method,
                       ag_cli_hog_solved *out)
{
    return forward(ctx, ag_hog_solve(on, rules, method, 1e-12, out->win, out->rolls, &out->result), on, who);
}

static ag_status verify_tables(ag_ctx *ctx, const ag_cli_line *line, verification *v, const ag_hog_rules *rules,
                               ag_cli_hog_solved *want, ag_cli_hog_solved *got)
{
    static const char *const names[] = {"layers", "sweep"};
    ag_cli_progress(line, "%s, goal %d", rules->name, rules->goal);
    AG_TRY(solve(ctx, v->reference, "reference", rules, AG_HOG_LAYERS, want));
    ag_cli_progress(line, NULL);
    for (size_t i = 0; i < v->n_duts; i++)
        for (int method = AG_HOG_LAYERS; method <= AG_HOG_SWEEP; method++) {
            comparison c = {0};
            if (method == AG_HOG_SWEEP && rules->goal > SWEEP_GOAL_MAX)
                continue;
            v->method = names[method];
            AG_TRY(solve(ctx, v->duts[i].ctx, v->duts[i].label, rules, (ag_hog_method)method, got));
            AG_TRY(compare(ctx, v, &v->duts[i], rules, want, got, &c));
            print_row(v, &v->duts[i], rules, &c);
        }
    return ag_cli_check_stdout(ctx);
}

/* Makes room for the tables and compares them. */
static ag_status verify_rules(ag_ctx *ctx, const ag_cli_line *line, verification *v, const ag_hog_rules *rules)
{
    const size_t n = (size_t)rules->goal * (size_t)rules->goal;
    char what[32];
    snprintf(what, sizeof what, "goal %d", rules->goal);
    AG_TRY(ag_cli_check_memory(
        ctx, what, ag_hog_solve_bytes(rules, AG_HOG_LAYERS) + (double)n * (sizeof(double) + sizeof(uint8_t))));
    ag_cli_hog_solved want = {.win = malloc(n * sizeof(double)), .rolls = malloc(n)};
    ag_cli_hog_solved got = {.win = malloc(n * sizeof(double)), .rolls = malloc(n)};
    ag_status status;
    if (want.win && want.rolls && got.win && got.rolls)
        status = verify_tables(ctx, line, v, rules, &want, &got);
    else
        status = ag_fail(ctx, AG_E_MEMORY, "not enough memory for tables of %zu states", n);
    ag_cli_hog_solved_free(&want);
    ag_cli_hog_solved_free(&got);
    return status;
}

/* Every preset at every goal, or the one rule set that was asked for. */
static ag_status verify_all(ag_ctx *ctx, const ag_cli_line *line, verification *v)
{
    ag_hog_rules rules;
    char key_value[32];

    for (size_t i = 0; i < v->n_duts; i++)
        AG_TRY(verify_dice(ctx, line, v, &v->duts[i]));
    if (line->rules || line->n_sets) {
        AG_TRY(ag_cli_hog_rules_from(ctx, line, AG_CLI_RULES_DEFAULT, &rules));
        return verify_rules(ctx, line, v, &rules);
    }
    for (size_t i = 0; ag_hog_preset_name(i); i++)
        for (size_t g = 0; g < AG_COUNT(goals); g++) {
            AG_TRY(ag_hog_rules_preset(ctx, ag_hog_preset_name(i), &rules));
            snprintf(key_value, sizeof key_value, "goal=%d", goals[g]);
            AG_TRY(ag_hog_rules_set(ctx, &rules, key_value));
            AG_TRY(verify_rules(ctx, line, v, &rules));
        }
    return AG_OK;
}

static ag_status run(ag_ctx *ctx, const ag_cli_line *line)
{
    verification v = {.json = line->json};
    ag_hog_rules rules;

    if (line->n_args && strcmp(line->args[0], "hog"))
        return ag_fail(ctx, AG_E_ARG, "game is %s, must be hog", *line->args[0] ? line->args[0] : "empty");
    AG_TRY(ag_cli_hog_rules_from(ctx, line, AG_CLI_RULES_DEFAULT, &rules)); /* bad input before any device opens */
    ag_status status = open_devices(ctx, line, &v);
    if (status == AG_OK) {
        if (v.json)
            printf("{\"checks\":[");
        status = verify_all(ctx, line, &v);
        if (v.json)
            printf("\n],\"agree\":%s}\n", status == AG_OK ? "true" : "false");
        else if (status == AG_OK)
            printf("all agree\n");
    }
    close_devices(&v);
    return status;
}

const ag_cli_command ag_cli_verify = {
    .words = "verify",
    .args = "[GAME]",
    .max_args = 1,
    .options = AG_OPT_BIT(RULES) | AG_OPT_BIT(SET) | AG_OPT_BIT(SEED) | AG_OPT_BIT(JSON) | AG_OPTS_RUN,
    .brief = "devices against the reference; exit status 3 where they differ",
    .text = "Compares every device (or the one of --backend) with sequential code that shares\n"
            "only the dice: counts of dice, and the tables of every preset (or of --rules\n"
            "and --set). GAME: hog.",
    .example = "astragal verify hog --backend cpu --rules laney",
    .run = run,
};
