/*
 * hog_advise.c -- astragal hog advise: every move at one pair of scores, best first.
 */
#include "cli.h"
#include "output/output.h"

#include <string.h>

static ag_status parse_score(ag_ctx *ctx, const char *name, const char *text, int goal, int *out)
{
    int64_t x;
    if (!ag_parse_int(text, 0, goal - 1, &x))
        return ag_fail(ctx, AG_E_ARG, "%s is %s, must be 0..%d (goal %d)", name, *text ? text : "empty", goal - 1,
                       goal);
    *out = (int)x;
    return AG_OK;
}

static void print_json(const ag_hog_rules *rules, int score, int opponent_score, const ag_hog_advice *a)
{
    printf("{\"game\":\"hog\",\"rules\":");
    ag_json_string(stdout, rules->name);
    printf(",\"goal\":%d,\"score\":%d,\"opponent_score\":%d,\"bacon_points\":", rules->goal, score, opponent_score);
    if (a->bacon_points < 0)
        printf("null");
    else
        printf("%d", a->bacon_points);
    printf(",\"dice\":%d,\"can_swap\":%s,\"moves\":[", a->dice, a->can_swap ? "true" : "false");
    for (int i = 0; i < a->n_moves; i++) {
        printf("%s{\"rolls\":%d,\"win_probability\":", i ? "," : "", a->moves[i].rolls);
        ag_json_real(stdout, a->moves[i].win_probability);
        putchar('}');
    }
    printf("]}\n");
}

static void print_text(const ag_hog_rules *rules, int score, int opponent_score, const ag_hog_advice *a)
{
    printf("%s, goal %d: you have %d, your opponent %d\n", rules->name, rules->goal, score, opponent_score);
    printf("dice with %d faces%s, at most %d of them\n", a->dice, a->rerolled ? " (odd ones are rolled once more)" : "",
           a->max_rolls);
    if (a->bacon_points < 0)
        printf("0 dice are not allowed\n");
    else
        printf("0 dice score %d point%s\n", a->bacon_points, a->bacon_points == 1 ? "" : "s");
    printf("%s\n\ndice  win probability\n", a->can_swap ? "a move can swap the scores" : "no move can swap the scores");
    for (int i = 0; i < a->n_moves; i++)
        printf("%4d  %.8f\n", a->moves[i].rolls, a->moves[i].win_probability);
}

static ag_status run(ag_ctx *ctx, const ag_cli_line *line)
{
    ag_hog_rules rules;
    ag_cli_hog_solved solved;
    ag_hog_advice advice;
    int score, opponent_score;

    AG_TRY(ag_cli_hog_rules_from(ctx, line, AG_CLI_RULES_DEFAULT, &rules));
    AG_TRY(parse_score(ctx, "score", line->args[0], rules.goal, &score));
    AG_TRY(parse_score(ctx, "opponent_score", line->args[1], rules.goal, &opponent_score));
    AG_TRY(ag_cli_hog_solved_make(ctx, line, &rules, AG_HOG_LAYERS, 0, &solved));
    const ag_status status = ag_hog_advise(ctx, &rules, solved.win, score, opponent_score, &advice);
    ag_cli_hog_solved_free(&solved);
    if (status != AG_OK)
        return status;
    if (line->json)
        print_json(&rules, score, opponent_score, &advice);
    else
        print_text(&rules, score, opponent_score, &advice);
    return AG_OK;
}

const ag_cli_command ag_cli_hog_advise = {
    .words = "hog advise",
    .args = "S O",
    .min_args = 2,
    .max_args = 2,
    .options = AG_OPT_BIT(RULES) | AG_OPT_BIT(SET) | AG_OPT_BIT(JSON) | AG_OPTS_RUN,
    .backend = "cpu",
    .brief = "the win probability of every move at scores S and O",
    .text = "S is the score of the player on turn, O the opponent's. Prints every number of\n"
            "dice, best first, with the probability to win when both play best afterwards.\n"
            "Rules: default " AG_CLI_RULES_DEFAULT "; backend: default cpu.",
    .example = "astragal hog advise 42 37 --rules laney",
    .run = run,
};
