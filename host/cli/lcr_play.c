/*
 * lcr_play.c -- astragal lcr play: one game turn by turn, by the dice of a seed or by dice that are given.
 */
#include "cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* More seats have no column each: then a turn shows the seats that it changed. */
#define SEATS_IN_COLUMNS 12

typedef struct {
    ag_lcr_rules rules;
    uint64_t seed, number;
    const char *staged; /* letters of the dice to come; NULL: random dice */
    bool json, columns;
    int dice_width, coin_width;
    /* the game as it stands */
    ag_lcr_dice *dice;
    int coins[AG_LCR_PLAYERS_MAX];
    int centre;
    uint64_t turn; /* turns played */
    int seat;      /* on turn next */
} game_state;

/* One turn, for printing. */
typedef struct {
    int seat, n;
    ag_lcr_letter letters[AG_LCR_CAP_MAX];
} turn_record;

static int width_of(int number)
{
    return snprintf(NULL, 0, "%d", number);
}

/* ------------------------------------------------------------------------- playing */

/* Puts the game back to its start. */
static ag_status begin(ag_ctx *ctx, game_state *g)
{
    ag_lcr_dice_free(g->dice);
    g->dice = NULL;
    g->centre = 0;
    g->turn = 0;
    g->seat = g->rules.first;
    for (int seat = 0; seat < g->rules.players; seat++)
        g->coins[seat] = g->rules.coins;
    AG_TRY(ag_lcr_dice_create(ctx, &g->rules, g->seed, g->number, &g->dice));
    return g->staged ? ag_lcr_dice_stage(ctx, g->dice, g->staged) : AG_OK;
}

/* Dice of the next turn. */
static int dice_needed(const game_state *g)
{
    return g->coins[g->seat] < g->rules.cap ? g->coins[g->seat] : g->rules.cap;
}

static bool is_over(const game_state *g)
{
    return ag_lcr_over(g->rules.players, g->coins);
}

static void play_turn(game_state *g, turn_record *t)
{
    t->seat = g->seat;
    t->n = ag_lcr_turn(&g->rules, g->coins, g->seat, g->dice, t->letters);
    for (int i = 0; i < t->n; i++)
        g->centre += t->letters[i] == AG_LCR_C;
    g->seat = (g->seat + 1) % g->rules.players;
    g->turn++;
}

/* Plays the game without a word and refuses dice that do not end with it. */
static ag_status check_staged(ag_ctx *ctx, game_state *g)
{
    turn_record t;
    AG_TRY(begin(ctx, g));
    const size_t n_staged = ag_lcr_dice_staged(g->dice);
    while (!is_over(g)) {
        const size_t need = (size_t)dice_needed(g), left = ag_lcr_dice_staged(g->dice);
        if (need > left)
            return ag_fail(ctx, AG_E_ARG,
                           "too few dice: --dice has %zu and the game goes on; turn %" PRIu64
                           ", of seat %d, rolls %zu, %zu %s left: at least %zu missing",
                           n_staged, g->turn + 1, g->seat, need, left, left == 1 ? "is" : "are", need - left);
        play_turn(g, &t);
    }
    const size_t left = ag_lcr_dice_staged(g->dice);
    if (left > 0)
        return ag_fail(ctx, AG_E_ARG,
                       "too many dice: --dice has %zu, the game is over after %" PRIu64 " turn%s and %zu of them: "
                       "%zu left over",
                       n_staged, g->turn, g->turn == 1 ? "" : "s", n_staged - left, left);
    return AG_OK;
}

/* ------------------------------------------------------------------------ as a table */

/* " 3   0   5" where every seat has a column. */
static void print_coins(const game_state *g)
{
    for (int seat = 0; seat < g->rules.players; seat++)
        printf("%*d", g->coin_width, g->coins[seat]);
}

static void print_text_begin(game_state *g)
{
    char rules[256];
    ag_cli_lcr_rules_text(&g->rules, rules, sizeof rules);
    printf("%s\n", rules);
    if (g->staged)
        printf("%zu dice as given\n\n", ag_lcr_dice_staged(g->dice));
    else
        printf("game %" PRIu64 " of seed %" PRIu64 "\n\n", g->number, g->seed);

    g->columns = g->rules.players <= SEATS_IN_COLUMNS;
    g->dice_width = g->rules.cap > 4 ? g->rules.cap : 4;
    g->coin_width = 2 + width_of(g->rules.players * g->rules.coins);
    printf(" turn  seat  %-*s  centre", g->dice_width, "dice");
    if (!g->columns) {
        printf("  seat:coins, of the mover and who got some\n");
        return;
    }
    for (int seat = 0; seat < g->rules.players; seat++)
        printf("%*d", g->coin_width, seat);
    printf("\n%5d        %-*s  %6d", 0, g->dice_width, "", 0);
    print_coins(g);
    printf("\n");
}

/* "  2:1  1:4  3:4": the mover, and the neighbours that his dice gave coins to. */
static void print_changes(const game_state *g, const turn_record *t)
{
    const int n = g->rules.players, left = (t->seat + n - 1) % n, right = (t->seat + 1) % n;
    bool to_left = false, to_right = false;
    for (int i = 0; i < t->n; i++) {
        to_left |= t->letters[i] == AG_LCR_L;
        to_right |= t->letters[i] == AG_LCR_R;
    }
    printf("  %d:%d", t->seat, g->coins[t->seat]);
    if (to_left)
        printf("  %d:%d", left, g->coins[left]);
    if (to_right)
        printf("  %d:%d", right, g->coins[right]);
}

static void print_text_turn(const game_state *g, const turn_record *t)
{
    char dice[AG_LCR_CAP_MAX + 1] = "-";
    for (int i = 0; i < t->n; i++)
        dice[i] = ag_lcr_letter_char(t->letters[i]);
    printf("%5" PRIu64 "  %4d  %-*s  %6d", g->turn, t->seat, g->dice_width, dice, g->centre);
    if (g->columns)
        print_coins(g);
    else
        print_changes(g, t);
    printf("\n");
}

static void print_text_end(const game_state *g)
{
    const int winner = ag_lcr_winner(g->rules.players, g->coins), coins = g->coins[winner];
    printf("\nseat %d wins with %d coin%s after %" PRIu64 " turn%s\n", winner, coins, coins == 1 ? "" : "s", g->turn,
           g->turn == 1 ? "" : "s");
}

/* -------------------------------------------------------------------------- as JSON */

static void print_json_begin(const game_state *g)
{
    printf("{");
    ag_cli_lcr_rules_json(&g->rules);
    if (g->staged)
        printf(",\"staged_dice\":%zu,\"turns\":[", ag_lcr_dice_staged(g->dice));
    else
        printf(",\"seed\":%" PRIu64 ",\"game_number\":%" PRIu64 ",\"turns\":[", g->seed, g->number);
}

static void print_json_turn(const game_state *g, const turn_record *t)
{
    printf("%s\n{\"turn\":%" PRIu64 ",\"seat\":%d,\"dice\":\"", g->turn > 1 ? "," : "", g->turn, t->seat);
    for (int i = 0; i < t->n; i++)
        putchar(ag_lcr_letter_char(t->letters[i]));
    printf("\",\"coins\":[");
    for (int seat = 0; seat < g->rules.players; seat++)
        printf("%s%d", seat ? "," : "", g->coins[seat]);
    printf("],\"centre\":%d}", g->centre);
}

static void print_json_end(const game_state *g)
{
    printf("\n],\"winner\":%d,\"n_turns\":%" PRIu64 "}\n", ag_lcr_winner(g->rules.players, g->coins), g->turn);
}

/* -------------------------------------------------------------------------- command */

/* Each turn is printed when it is played: a game may have millions. */
static ag_status play_and_print(ag_ctx *ctx, game_state *g)
{
    turn_record t;
    AG_TRY(begin(ctx, g));
    if (g->json)
        print_json_begin(g);
    else
        print_text_begin(g);
    while (!is_over(g)) {
        play_turn(g, &t);
        if (g->json)
            print_json_turn(g, &t);
        else
            print_text_turn(g, &t);
        AG_TRY(ag_cli_check_stdout(ctx));
    }
    if (g->json)
        print_json_end(g);
    else
        print_text_end(g);
    return AG_OK;
}

static ag_status run_play(ag_ctx *ctx, const ag_cli_line *line)
{
    game_state g = {.seed = line->seed, .number = line->game, .staged = line->dice, .json = line->json};
    int players, also;
    ag_status status = AG_OK;

    if (line->dice && line->given & (AG_OPT_BIT(SEED) | AG_OPT_BIT(GAME)))
        return ag_fail(ctx, AG_E_ARG, "--dice gives all dice of the game: --seed and --game go without it");
    AG_TRY(ag_cli_lcr_players(ctx, line, true, &players, &also));
    AG_TRY(ag_cli_lcr_rules_from(ctx, line, players, &g.rules));
    if (g.staged)
        status = check_staged(ctx, &g);
    if (status == AG_OK)
        status = play_and_print(ctx, &g);
    ag_lcr_dice_free(g.dice);
    return status;
}

const ag_cli_command ag_cli_lcr_play = {
    .words = "lcr play",
    .args = "",
    .options = AG_OPTS_LCR | AG_OPT_BIT(DICE) | AG_OPT_BIT(SEED) | AG_OPT_BIT(GAME) | AG_OPT_BIT(JSON),
    .brief = "one game, turn by turn",
    .text = "Plays game K of the seed, or by the dice given: letters . L R C in either case,\n"
            "blanks and commas between them skipped, as many as the game takes. Each line\n"
            "shows the coins after the turn; of more than 12 seats, those of the mover and\n"
            "of who got some. A turn without coins, and so without dice (-), is one too.",
    .example = "astragal lcr play --players 3 --seed 2 --game 7",
    .run = run_play,
};
