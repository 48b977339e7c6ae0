/*
 * lcr_simulate.c -- astragal lcr simulate: many games of LCR, who wins how often, how long it takes, is it fair.
 */
#include "cli.h"
#include "output/output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GAMES_DEFAULT 1000000
/* Games of the first call, and how long a call may take, for a look at progress; the next is at most GROWTH as large.
 */
#define FIRST_CALL   10000
#define CALL_SECONDS 0.5
#define CALL_GROWTH  8.0
/* Seats that the table for people shows; of more players the best and the worst. */
#define SEATS_SHOWN 16
#define SEATS_ENDS  5
/* One that is below this is not told from 0. */
#define P_LEAST 1e-300
/* How sure the best seat is when it is named: at most this probability that another one is. */
#define BEST_RISK 0.01

/* All that was played. */
typedef struct {
    ag_lcr_rules rules;
    uint64_t wins[AG_LCR_PLAYERS_MAX];
    uint64_t *histogram; /* [AG_LCR_TURNS_BINS] */
    ag_lcr_lengths lengths;
    double chi_square, p_value;
    int order[AG_LCR_PLAYERS_MAX]; /* seats, [players], most wins first, the lower seat of equals */
    double seconds;
} played;

/* --------------------------------------------------------------------------- playing */

/* The number of games of the next call. */
static uint64_t next_call(uint64_t last, double seconds, uint64_t left)
{
    const double factor = fmin(CALL_GROWTH, CALL_SECONDS / fmax(seconds, 1e-6));
    const double wanted = fmax(1.0, (double)last * factor);
    /* no small rest: "auto" would run it elsewhere, and say so */
    return wanted * 2.0 >= (double)left ? left : (uint64_t)wanted;
}

/* In parts, for the sake of progress: part by part is as good as all at once. */
static ag_status play(ag_ctx *ctx, const ag_cli_line *line, uint64_t games, played *all)
{
    const size_t players = (size_t)all->rules.players;
    uint64_t *wins = malloc(players * sizeof *wins), *histogram = malloc(AG_LCR_TURNS_BINS * sizeof *histogram);
    ag_status status = AG_OK;
    const double start = ag_now_seconds();
    if (!wins || !histogram)
        status = ag_fail(ctx, AG_E_MEMORY, "not enough memory for the wins of %zu players", players);
    for (uint64_t done = 0, n = games < 2 * FIRST_CALL ? games : FIRST_CALL; done < games && status == AG_OK;) {
        ag_lcr_lengths lengths;
        const double call = ag_now_seconds();
        status = ag_lcr_simulate(ctx, &all->rules, line->seed, done, n, wins, &lengths, histogram);
        if (status != AG_OK)
            break;
        for (size_t i = 0; i < players; i++)
            all->wins[i] += wins[i];
        for (size_t i = 0; i < AG_LCR_TURNS_BINS; i++)
            all->histogram[i] += histogram[i];
        ag_lcr_lengths_add(&all->lengths, &lengths);
        done += n;
        ag_cli_progress(line, "%.1f %% of %.4g games, %.3g games a second", 100.0 * (double)done / (double)games,
                        (double)games, (double)done / fmax(ag_now_seconds() - start, 1e-9));
        n = next_call(n, ag_now_seconds() - call, games - done);
    }
    ag_cli_progress(line, NULL);
    all->seconds = ag_now_seconds() - start;
    free(wins);
    free(histogram);
    return status;
}

static void sort_seats(played *all)
{
    for (int i = 0; i < all->rules.players; i++) {
        int at = i;
        for (; at > 0 && all->wins[all->order[at - 1]] < all->wins[i]; at--)
            all->order[at] = all->order[at - 1];
        all->order[at] = i;
    }
}

/* --------------------------------------------------------------------------- figures */

static double win_rate(const played *all, int seat)
{
    return (double)all->wins[seat] / (double)all->lengths.games;
}

static double rate_error(const played *all, int seat)
{
    const double rate = win_rate(all, seat);
    return sqrt(rate * (1.0 - rate) / (double)all->lengths.games);
}

static double mean_error(const played *all)
{
    return all->lengths.turns_deviation / sqrt((double)all->lengths.games);
}

/* Standard errors between the two seats that won most often. That of a difference of two wins is the root of their sum
 * where both are as likely. */
static double best_lead(const played *all)
{
    const double first = (double)all->wins[all->order[0]], second = (double)all->wins[all->order[1]];
    return (first - second) / sqrt(fmax(1.0, first + second));
}

/* Whether the games tell the best seat: another is better with no more than BEST_RISK, over all the others. */
static bool best_is_known(const played *all)
{
    return 0.5 * erfc(best_lead(all) * sqrt(0.5)) * (all->rules.players - 1.0) <= BEST_RISK;
}

/* Chi-square says nothing where a seat expects fewer wins. */
static bool is_testable(const played *all)
{
    return (double)all->lengths.games >= 5.0 * all->rules.players;
}

/* ---------------------------------------------------------------------------- people */

static void print_seat(const played *all, int seat)
{
    printf("  %4d  %14llu  %.6f  %.6f\n", seat, (unsigned long long)all->wins[seat], win_rate(all, seat),
           rate_error(all, seat));
}

static void print_seats(const played *all)
{
    const int players = all->rules.players;
    printf("\n  seat            wins      rate  std error\n");
    if (players <= SEATS_SHOWN) {
        for (int i = 0; i < players; i++)
            print_seat(all, i);
    } else {
        for (int i = 0; i < SEATS_ENDS; i++)
            print_seat(all, all->order[i]);
        printf("   ...  the best and the worst %d of %d seats; all of them with --json\n", SEATS_ENDS, players);
        for (int i = players - SEATS_ENDS; i < players; i++)
            print_seat(all, all->order[i]);
    }
    printf("\n");
}

/* One sentence that can be read out. */
static void print_fairness(const played *all)
{
    char p[48];
    if (!is_testable(all)) {
        printf("Is it fair?        too few games to tell: a seat can expect %.2g wins, and needs 5.\n",
               (double)all->lengths.games / all->rules.players);
        return;
    }
    if (all->p_value < P_LEAST)
        snprintf(p, sizeof p, "below %g", P_LEAST);
    else
        snprintf(p, sizeof p, "%.3g", all->p_value);
    printf("Is it fair?        If every seat won as often, wins this uneven would come with probability %s\n"
           "                   (chi-square %.6g, %d degree%s of freedom): %s.\n",
           p, all->chi_square, all->rules.players - 1, all->rules.players == 2 ? "" : "s",
           all->p_value < 1e-6    ? "the game is not fair"
           : all->p_value < 0.001 ? "the game is hardly fair"
           : all->p_value < 0.05  ? "a hint that the game is not fair, no more"
                                  : "these games do not show that it is unfair");
}

static void print_best(const played *all)
{
    const int best = all->order[0], next = all->order[1];
    printf("most common winner seat %d, in %.4f %% of the games", best, 100.0 * win_rate(all, best));
    if (best_is_known(all))
        printf("\n");
    else if (all->wins[best] == all->wins[next])
        printf(";\n                   seat %d won as many: so few games do not tell which seat is best\n", next);
    else
        printf(";\n                   seat %d is %.2g standard errors behind: so few games do not tell which is best\n",
               next, best_lead(all));
}

static void print_summary(ag_ctx *ctx, const ag_cli_line *line, const played *all)
{
    char rules[256];
    const ag_lcr_lengths *l = &all->lengths;
    ag_cli_lcr_rules_text(&all->rules, rules, sizeof rules);
    printf("rules              %s\n", rules);
    printf("games              %llu of seed %llu\n", (unsigned long long)l->games, (unsigned long long)line->seed);
    printf("backend            %s (%s)\n", ag_ctx_backend(ctx), ag_ctx_device(ctx));
    print_seats(all);
    printf("turns of a game    %.4f +- %.4f in the mean, standard deviation %.4f, longest %llu\n", l->turns_mean,
           mean_error(all), l->turns_deviation, (unsigned long long)l->turns_max);
    print_best(all);
    print_fairness(all);
    printf("seconds            %.3f (%.4g games a second)\n", all->seconds,
           (double)l->games / fmax(all->seconds, 1e-9));
}

/* ------------------------------------------------------------------------------ JSON */

static void json_list(FILE *to, const char *name, const played *all, double (*value)(const played *all, int seat))
{
    fprintf(to, ",\"%s\":[", name);
    for (int i = 0; i < all->rules.players; i++) {
        fputs(i ? "," : "", to);
        ag_json_real(to, value(all, i));
    }
    fputs("]", to);
}

static void json_real(FILE *to, const char *name, double x)
{
    fprintf(to, ",\"%s\":", name);
    ag_json_real(to, x);
}

/* The keys that say what was played and what came out: the same bytes on every backend. */
static void json_result(FILE *to, const ag_cli_line *line, const played *all)
{
    const ag_lcr_lengths *l = &all->lengths;
    char rules[256];
    ag_cli_lcr_rules_text(&all->rules, rules, sizeof rules);
    fprintf(to, "\"rules\":");
    ag_json_string(to, rules);
    fprintf(to, ",\"games\":%llu,\"seed\":%llu,\"wins\":[", (unsigned long long)l->games,
            (unsigned long long)line->seed);
    for (int i = 0; i < all->rules.players; i++)
        fprintf(to, "%s%llu", i ? "," : "", (unsigned long long)all->wins[i]);
    fputs("]", to);
    json_list(to, "win_rate", all, win_rate);
    json_list(to, "standard_error", all, rate_error);
    json_real(to, "turns_mean", l->turns_mean);
    json_real(to, "turns_mean_error", mean_error(all));
    json_real(to, "turns_deviation", l->turns_deviation);
    fprintf(to, ",\"turns_max\":%llu,\"most_common_winner\":%d", (unsigned long long)l->turns_max, all->order[0]);
    json_real(to, "share", win_rate(all, all->order[0]));
    fprintf(to, ",\"best_seat_known\":%s", best_is_known(all) ? "true" : "false");
    json_real(to, "chi_square", all->chi_square);
    if (is_testable(all))
        json_real(to, "p_value", all->p_value < P_LEAST ? 0.0 : all->p_value);
    else
        fprintf(to, ",\"p_value\":null");
}

static void print_json(ag_ctx *ctx, const ag_cli_line *line, const played *all)
{
    putchar('{');
    ag_cli_lcr_rules_json(&all->rules);
    putchar(',');
    json_result(stdout, line, all);
    printf(",\"backend\":");
    ag_json_string(stdout, ag_ctx_backend(ctx));
    printf(",\"device\":");
    ag_json_string(stdout, ag_ctx_device(ctx));
    json_real(stdout, "seconds", all->seconds);
    printf("}\n");
}

/* ------------------------------------------------------------------------------ table */

/* Turns 1 .. the longest, or the bin of all that are longer. */
static ag_status write_histogram(ag_ctx *ctx, const ag_cli_line *line, const played *all)
{
    const uint64_t last =
        all->lengths.turns_max < AG_LCR_TURNS_BINS - 1 ? all->lengths.turns_max : AG_LCR_TURNS_BINS - 1;
    const size_t n = (size_t)last;
    char *summary = NULL;
    size_t size;
    if (line->n_outs == 0)
        return AG_OK;
    int64_t *cells = malloc(2 * n * sizeof *cells);
    FILE *to = open_memstream(&summary, &size);
    if (to) {
        fprintf(to, "\"game\":\"lcr\",\"players\":%d,", all->rules.players);
        json_result(to, line, all);
        if (fclose(to)) {
            free(summary);
            summary = NULL;
        }
    }
    ag_status status = AG_OK;
    if (!cells || !summary)
        status = ag_fail(ctx, AG_E_MEMORY, "not enough memory to write %zu rows", n);
    for (size_t i = 0; i < n && status == AG_OK; i++) {
        cells[i] = (int64_t)i + 1;
        cells[n + i] = (int64_t)all->histogram[i + 1];
    }
    const ag_column columns[] = {
        {.name = "turns", .kind = AG_CELL_INT, .ints = cells},
        {.name = "games", .kind = AG_CELL_INT, .ints = cells ? cells + n : NULL},
    };
    const ag_table table = {.columns = columns, .n_columns = AG_COUNT(columns), .n_rows = n, .summary_json = summary};
    for (size_t i = 0; i < line->n_outs && status == AG_OK; i++)
        status = ag_table_write(ctx, line->outs[i], &table);
    free(summary);
    free(cells);
    return status;
}

static ag_status simulate(ag_ctx *ctx, const ag_cli_line *line, played *all)
{
    all->histogram = calloc(AG_LCR_TURNS_BINS, sizeof *all->histogram);
    if (!all->histogram)
        return ag_fail(ctx, AG_E_MEMORY, "not enough memory for the histogram of lengths");
    AG_TRY(play(ctx, line, line->given & AG_OPT_BIT(GAMES) ? line->games : GAMES_DEFAULT, all));
    ag_lcr_fairness(all->rules.players, all->wins, &all->chi_square, &all->p_value);
    sort_seats(all);
    AG_TRY(write_histogram(ctx, line, all));
    if (line->json)
        print_json(ctx, line, all);
    else
        print_summary(ctx, line, all);
    return AG_OK;
}

static ag_status run(ag_ctx *ctx, const ag_cli_line *line)
{
    played all = {0};
    int players = 0;
    AG_TRY(ag_cli_check_outs(ctx, line, false));
    AG_TRY(ag_cli_lcr_players(ctx, line, true, &players, &players));
    AG_TRY(ag_cli_lcr_rules_from(ctx, line, players, &all.rules));
    AG_TRY(ag_cli_use_backend(ctx, line));
    const ag_status status = simulate(ctx, line, &all);
    free(all.histogram);
    return status;
}

const ag_cli_command ag_cli_lcr_simulate = {
    .words = "lcr simulate",
    .args = "",
    .options = AG_OPTS_LCR | AG_OPT_BIT(GAMES) | AG_OPT_BIT(SEED) | AG_OPT_BIT(OUT) | AG_OPT_BIT(JSON) | AG_OPTS_RUN,
    .backend = "auto",
    .brief = "many games: who wins how often, how long it takes, is it fair",
    .text = "Plays --games G (default 1e6) games of LCR and shows how often every seat won,\n"
            "how many turns a game took, and whether the seats are equally good.\n"
            "--out FILE writes the games by number of turns (turns,games), those of 65535 or\n"
            "more in one row; the ending says how: .csv .json .txt.",
    .example = "astragal lcr simulate --players 4 --games 1e7",
    .run = run,
};
