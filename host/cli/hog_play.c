/*
 * hog_play.c -- astragal hog play and replay: one game, turn by turn, between people and strategies.
 *
 * The dice of a game are those of stream 0 of (seed, game), see astragal/rng.h. Turn t, from 0,
 * owns the words 256 t .. 256 t + 255 of the stream, whatever dice it rolls: its dice begin with
 * word 256 t, the second outcomes of rerolled dice with word 256 t + 128 (die i there is the
 * second outcome of die i), and the choice of a random player is one die of as many faces as
 * he has choices, in word 256 t + 192.
 */
#include "astragal/rng.h"
#include "cli.h"
#include "output/output.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_PER_TURN  256u
#define WORD_OF_REROLLS 128u
#define WORD_OF_CHOICE  192u
/* Some rule sets let both players pass for ever. */
#define TURNS_MAX 100000

typedef enum { PLAYER_HUMAN, PLAYER_OPTIMAL, PLAYER_RANDOM, PLAYER_ALWAYS } player_kind;

typedef struct {
    player_kind kind;
    int rolls; /* PLAYER_ALWAYS */
    const char *name;
} player;

typedef struct {
    ag_hog_rules rules;
    ag_cli_hog_solved solved; /* empty unless somebody plays or asks for the best moves */
    uint64_t seed, game;
    player players[2];
    int score[2];
    int mover; /* index of the player on turn */
    int turn;  /* from 0 */
    bool json;
} game_state;

/* One turn, for printing. */
typedef struct {
    int faces, rerolled, n;
    int dice[AG_HOG_ROLLS_MAX];       /* the outcomes that count */
    uint32_t first[AG_HOG_ROLLS_MAX]; /* the first outcomes */
    ag_hog_turn_result result;
} turn_record;

static ag_status roll(ag_ctx *ctx, const game_state *g, uint32_t word, int faces, int n, uint32_t *dice)
{
    const uint64_t at = (uint64_t)g->turn * WORDS_PER_TURN + word;
    return ag_dice_roll(ctx, g->seed, g->game, (uint32_t)faces, at * ag_dice_per_word((uint32_t)faces), (size_t)n,
                        dice);
}

/* ------------------------------------------------------------------------ players */

static ag_status parse_player(ag_ctx *ctx, const ag_hog_rules *rules, const char *text, bool human, player *out)
{
    static const char *const names[] = {"human", "optimal", "random"};
    int64_t n;
    *out = (player){.name = text};
    for (size_t i = human ? 0 : 1; i < AG_COUNT(names); i++)
        if (!strcmp(text, names[i])) {
            out->kind = (player_kind)i;
            return AG_OK;
        }
    if (strncmp(text, "always:", 7))
        return ag_fail(ctx, AG_E_ARG, "player is %s, must be %soptimal, always:N or random", *text ? text : "empty",
                       human ? "human, " : "");
    const int least = rules->bacon == AG_HOG_BACON_NONE;
    if (!ag_parse_int(text + 7, least, rules->max_rolls, &n))
        return ag_fail(ctx, AG_E_ARG, "N of %s must be %d..%d", text, least, rules->max_rolls);
    out->kind = PLAYER_ALWAYS;
    out->rolls = (int)n;
    return AG_OK;
}

static int least_rolls(const game_state *g)
{
    return g->rules.bacon == AG_HOG_BACON_NONE;
}

static int most_rolls(const game_state *g)
{
    return ag_hog_rolls_allowed(&g->rules, g->score[g->mover], g->score[!g->mover]);
}

/* The move of a player who is no human. */
static ag_status choose(ag_ctx *ctx, const game_state *g, int *n)
{
    const player *who = &g->players[g->mover];
    const int least = least_rolls(g), most = most_rolls(g);
    uint32_t pick = 1;
    switch (who->kind) {
    case PLAYER_OPTIMAL:
        *n = g->solved.rolls[(size_t)g->score[g->mover] * (size_t)g->rules.goal + (size_t)g->score[!g->mover]];
        return AG_OK;
    case PLAYER_RANDOM:
        if (most > least)
            AG_TRY(roll(ctx, g, WORD_OF_CHOICE, most - least + 1, 1, &pick));
        *n = least + (int)pick - 1;
        return AG_OK;
    default:
        *n = who->rolls < most ? who->rolls : most;
        return AG_OK;
    }
}

static ag_status print_hint(ag_ctx *ctx, const game_state *g)
{
    ag_hog_advice advice;
    AG_TRY(ag_hog_advise(ctx, &g->rules, g->solved.win, g->score[g->mover], g->score[!g->mover], &advice));
    if (advice.bacon_points >= 0)
        printf("  0 dice score %d\n", advice.bacon_points);
    for (int i = 0; i < advice.n_moves; i++)
        printf("  %3d %s: win probability %.6f\n", advice.moves[i].rolls, advice.moves[i].rolls == 1 ? "die " : "dice",
               advice.moves[i].win_probability);
    return AG_OK;
}

/* Reads the move of a human; *n is -1 when the input ends. */
static ag_status ask(ag_ctx *ctx, const game_state *g, int *n)
{
    int faces, rerolled;
    char *text = NULL;
    size_t size = 0;
    ag_status status = AG_OK;

    *n = -1;
    ag_hog_dice_in_use(&g->rules, g->score[g->mover], g->score[!g->mover], &faces, &rerolled);
    while (status == AG_OK && *n < 0) {
        printf("Player %d, you have %d, your opponent %d. How many d%d (%d..%d, ? for the odds)? ", g->mover + 1,
               g->score[g->mover], g->score[!g->mover], faces, least_rolls(g), most_rolls(g));
        fflush(stdout);
        status = ag_cli_check_stdout(ctx);
        const ssize_t length = status == AG_OK ? getline(&text, &size, stdin) : -1;
        if (length < 0)
            break;
        char *begin = text, *end = text + strlen(text);
        while (isspace((unsigned char)*begin))
            begin++;
        while (end > begin && isspace((unsigned char)end[-1]))
            *--end = '\0';
        int64_t value;
        if (!strcmp(begin, "?"))
            status = print_hint(ctx, g);
        else if (ag_parse_int(begin, least_rolls(g), most_rolls(g), &value))
            *n = (int)value;
        else
            printf("  Type a number of dice from %d to %d, or ? for the odds.\n", least_rolls(g), most_rolls(g));
    }
    free(text);
    return status;
}

/* -------------------------------------------------------------------------- turns */

/* Plays the turn of n dice; on return the scores and the mover are those after it. */
static ag_status play_turn(ag_ctx *ctx, game_state *g, int n, turn_record *t)
{
    uint32_t second[AG_HOG_ROLLS_MAX];
    const int own = g->score[g->mover], other = g->score[!g->mover];

    t->n = n;
    ag_hog_dice_in_use(&g->rules, own, other, &t->faces, &t->rerolled);
    AG_TRY(roll(ctx, g, 0, t->faces, n, t->first));
    if (t->rerolled)
        AG_TRY(roll(ctx, g, WORD_OF_REROLLS, t->faces, n, second));
    for (int i = 0; i < n; i++)
        t->dice[i] = (int)(t->rerolled && t->first[i] % 2 ? second[i] : t->first[i]);
    AG_TRY(ag_hog_play_turn(ctx, &g->rules, own, other, n, t->dice, &t->result));
    g->score[g->mover] = t->result.score;
    g->score[!g->mover] = t->result.opponent_score;
    return AG_OK;
}

/* "turn 3, player 1 (optimal), 10:12: 4d6 3 5 2 6, 16 points -> 26:12"; scores are player 1's : player 2's. */
static void print_turn_text(const game_state *g, const turn_record *t, const int before[2])
{
    printf("turn %d, player %d (%s), %d:%d: ", g->turn + 1, g->mover + 1, g->players[g->mover].name, before[0],
           before[1]);
    if (t->n == 0)
        printf("0 dice");
    else
        printf("%dd%d", t->n, t->faces);
    for (int i = 0; i < t->n; i++)
        if (t->rerolled && t->first[i] % 2)
            printf(" %u>%d", t->first[i], t->dice[i]);
        else
            printf(" %d", t->dice[i]);
    printf(", %d point%s", t->result.turn_score, t->result.turn_score == 1 ? "" : "s");
    if (t->result.given)
        printf(", gives %d", t->result.given);
    if (t->result.swapped)
        printf(", swap");
    printf(" -> %d:%d%s\n", g->score[0], g->score[1], t->result.again ? ", goes again" : "");
}

static void print_turn_json(const game_state *g, const turn_record *t, const int before[2])
{
    printf("%s\n{\"turn\":%d,\"player\":%d,\"scores_before\":[%d,%d],\"faces\":%d,\"rolls\":%d,\"dice\":[",
           g->turn ? "," : "", g->turn + 1, g->mover + 1, before[0], before[1], t->faces, t->n);
    for (int i = 0; i < t->n; i++)
        printf("%s%d", i ? "," : "", t->dice[i]);
    if (t->rerolled) {
        printf("],\"first_outcomes\":[");
        for (int i = 0; i < t->n; i++)
            printf("%s%u", i ? "," : "", t->first[i]);
    }
    printf("],\"turn_score\":%d,\"given\":%d,\"swapped\":%s,\"again\":%s,\"scores\":[%d,%d]}", t->result.turn_score,
           t->result.given, t->result.swapped ? "true" : "false", t->result.again ? "true" : "false", g->score[0],
           g->score[1]);
}

/* 1 or 2: that player has won; 0: a draw. */
static int winner(const game_state *g)
{
    const int goal = g->rules.goal;
    if (g->score[0] < goal && g->score[1] < goal)
        return 0;
    return g->score[0] == g->score[1] ? 0 : g->score[0] > g->score[1] ? 1 : 2;
}

static void print_end(const game_state *g, bool over, bool abandoned)
{
    if (g->json) {
        printf("\n],\"scores\":[%d,%d],\"n_turns\":%d,\"winner\":%d,\"endless\":%s}\n", g->score[0], g->score[1],
               g->turn, winner(g), over ? "false" : "true");
    } else if (abandoned) {
        printf("\nThe game ends unfinished at %d:%d.\n", g->score[0], g->score[1]);
    } else if (!over) {
        printf("No end after %d turns: counted as a draw at %d:%d.\n", g->turn, g->score[0], g->score[1]);
    } else if (winner(g)) {
        printf("player %d (%s) wins %d:%d after %d turn%s\n", winner(g), g->players[winner(g) - 1].name, g->score[0],
               g->score[1], g->turn, g->turn == 1 ? "" : "s");
    } else {
        printf("a draw, %d:%d after %d turns\n", g->score[0], g->score[1], g->turn);
    }
}

static void print_begin(const game_state *g)
{
    if (!g->json) {
        printf("%s, goal %d, seed %llu, game %llu: %s against %s\n", g->rules.name, g->rules.goal,
               (unsigned long long)g->seed, (unsigned long long)g->game, g->players[0].name, g->players[1].name);
        return;
    }
    printf("{\"game\":\"hog\",\"rules\":");
    ag_json_string(stdout, g->rules.name);
    printf(",\"goal\":%d,\"seed\":%llu,\"game_number\":%llu,\"players\":[", g->rules.goal, (unsigned long long)g->seed,
           (unsigned long long)g->game);
    ag_json_string(stdout, g->players[0].name);
    putchar(',');
    ag_json_string(stdout, g->players[1].name);
    printf("],\"turns\":[");
}

static ag_status play_game(ag_ctx *ctx, game_state *g)
{
    turn_record t;
    bool over = false;

    print_begin(g);
    while (!over && g->turn < TURNS_MAX) {
        const int before[2] = {g->score[0], g->score[1]};
        int n;
        if (g->players[g->mover].kind == PLAYER_HUMAN)
            AG_TRY(ask(ctx, g, &n));
        else
            AG_TRY(choose(ctx, g, &n));
        if (n < 0) {
            print_end(g, false, true);
            return AG_OK;
        }
        AG_TRY(play_turn(ctx, g, n, &t));
        if (g->json)
            print_turn_json(g, &t, before);
        else
            print_turn_text(g, &t, before);
        over = t.result.over;
        if (!t.result.again)
            g->mover = !g->mover;
        g->turn++;
        AG_TRY(ag_cli_check_stdout(ctx));
    }
    print_end(g, over, false);
    return AG_OK;
}

/* ----------------------------------------------------------------------- commands */

/* a, b: the players when the command line names none; a human is allowed where `a` is one. */
static ag_status play(ag_ctx *ctx, const ag_cli_line *line, const char *a, const char *b)
{
    game_state g = {.seed = line->seed, .game = line->game, .json = line->json};
    const bool human = !strcmp(a, "human");
    bool solve = false;

    if (line->n_args == 1)
        return ag_fail(ctx, AG_E_ARG, "both players must be named, or none: %s ...", line->args[0]);
    AG_TRY(ag_cli_hog_rules_from(ctx, line, AG_CLI_RULES_DEFAULT, &g.rules));
    AG_TRY(parse_player(ctx, &g.rules, line->n_args ? line->args[0] : a, human, &g.players[0]));
    AG_TRY(parse_player(ctx, &g.rules, line->n_args ? line->args[1] : b, human, &g.players[1]));
    for (int i = 0; i < 2; i++)
        solve |= g.players[i].kind == PLAYER_HUMAN || g.players[i].kind == PLAYER_OPTIMAL;
    if (solve)
        AG_TRY(ag_cli_hog_solved_make(ctx, line, &g.rules, AG_HOG_LAYERS, 0, &g.solved));
    const ag_status status = play_game(ctx, &g);
    ag_cli_hog_solved_free(&g.solved);
    return status;
}

static ag_status run_play(ag_ctx *ctx, const ag_cli_line *line)
{
    return play(ctx, line, "human", "optimal");
}

static ag_status run_replay(ag_ctx *ctx, const ag_cli_line *line)
{
    return play(ctx, line, "optimal", "optimal");
}

const ag_cli_command ag_cli_hog_play = {
    .words = "hog play",
    .args = "[A B]",
    .max_args = 2,
    .options = AG_OPT_BIT(RULES) | AG_OPT_BIT(SET) | AG_OPT_BIT(SEED) | AG_OPTS_RUN,
    .backend = "cpu",
    .brief = "a game at the terminal, against a strategy or between two",
    .text = "A and B are human, optimal, always:N or random; default: human optimal. A human\n"
            "types a number of dice, or ? for the odds. The dice are game 0 of the seed.\n"
            "Rules: default " AG_CLI_RULES_DEFAULT "; backend: default cpu.",
    .example = "astragal hog play always:5 optimal --rules laney",
    .run = run_play,
};

const ag_cli_command ag_cli_hog_replay = {
    .words = "hog replay",
    .args = "[A B]",
    .max_args = 2,
    .options =
        AG_OPT_BIT(RULES) | AG_OPT_BIT(SET) | AG_OPT_BIT(SEED) | AG_OPT_BIT(GAME) | AG_OPT_BIT(JSON) | AG_OPTS_RUN,
    .backend = "cpu",
    .brief = "one game of a seed, turn by turn",
    .text = "Plays game K of the seed. A and B are optimal (default), always:N or random.\n"
            "Turn t, from 0, takes its dice from word 256 t of the game on: see rng.h.\n"
            "Rules: default " AG_CLI_RULES_DEFAULT "; backend: default cpu.",
    .example = "astragal hog replay --game 7 --seed 3 optimal always:6",
    .run = run_replay,
};
