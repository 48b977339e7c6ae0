/*
 * test_lab.c -- LCR's rules and the lab's functions: small positions by hand, staged dice, and whole games against the
 * same game played here from the dice of rng.h.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "astragal/lcr.h"
#include "astragal/rng.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define POISON       (-77)

static ag_ctx *ctx;

static int create_ctx(void **state)
{
    (void)state;
    return ag_ctx_create(&ctx) == AG_OK ? 0 : -1;
}

static int free_ctx(void **state)
{
    (void)state;
    ag_ctx_free(ctx);
    return 0;
}

static ag_lcr_rules usual(int players)
{
    ag_lcr_rules rules;
    assert_int_equal(ag_lcr_rules_default(ctx, players, &rules), AG_OK);
    return rules;
}

static ag_lcr_dice *new_dice(const ag_lcr_rules *rules, uint64_t seed, uint64_t game, const char *staged)
{
    ag_lcr_dice *dice = NULL;
    assert_int_equal(ag_lcr_dice_create(ctx, rules, seed, game, &dice), AG_OK);
    assert_int_equal(ag_lcr_dice_stage(ctx, dice, staged), AG_OK);
    return dice;
}

static void expect_coins(int players, const int *coins, const int *want)
{
    for (int seat = 0; seat < players; seat++)
        if (coins[seat] != want[seat])
            fail_msg("seat %d has %d coins, must have %d", seat, coins[seat], want[seat]);
}

/* ------------------------------------------------------------------------- rules */

static void usual_rules_are_three_coins_and_three_dice(void **state)
{
    (void)state;
    for (int players = 2; players <= AG_LCR_PLAYERS_MAX; players++) {
        const ag_lcr_rules rules = usual(players);
        assert_int_equal(rules.players, players);
        assert_int_equal(rules.coins, 3);
        assert_int_equal(rules.cap, 3);
        assert_int_equal(rules.first, 0);
        const int faces[] = {3, 1, 1, 1};
        assert_memory_equal(rules.faces, faces, sizeof faces);
    }
}

static void the_number_of_players_is_checked(void **state)
{
    static const int wrong[] = {0, 1, -3, 1025, 1000000};
    char says[64];
    (void)state;
    for (size_t i = 0; i < COUNT(wrong); i++) {
        ag_lcr_rules rules, before;
        memset(&rules, 0x5a, sizeof rules);
        before = rules;
        assert_int_equal(ag_lcr_rules_default(ctx, wrong[i], &rules), AG_E_ARG);
        snprintf(says, sizeof says, "players is %d, must be 2..1024", wrong[i]);
        assert_string_equal(ag_ctx_message(ctx), says);
        assert_memory_equal(&rules, &before, sizeof rules);
    }
}

static const struct {
    ag_lcr_rules rules;
    const char *says; /* NULL: these are a game */
} rule_cases[] = {
    {{2, 1, 1, 0, {3, 1, 1, 1}}, NULL},
    {{1024, 255, 16, 1023, {3, 1, 1, 1}}, NULL},
    {{3, 3, 3, 0, {0, 0, 0, 6}}, NULL},
    {{3, 3, 3, 0, {0, 2, 2, 2}}, NULL},
    {{3, 3, 3, 0, {5, 0, 0, 1}}, NULL},
    {{3, 3, 3, 0, {0, 5, 0, 1}}, NULL},
    {{3, 3, 3, 0, {5, 1, 0, 0}}, NULL},
    {{3, 3, 3, 0, {1, 0, 5, 0}}, NULL},
    {{0, 3, 3, 0, {3, 1, 1, 1}}, "players is 0, must be 2..1024"},
    {{3, 0, 3, 0, {3, 1, 1, 1}}, "coins is 0, must be 1..255"},
    {{3, 256, 3, 0, {3, 1, 1, 1}}, "coins is 256, must be 1..255"},
    {{3, 3, 0, 0, {3, 1, 1, 1}}, "cap is 0, must be 1..16"},
    {{3, 3, 17, 0, {3, 1, 1, 1}}, "cap is 17, must be 1..16"},
    {{3, 3, 3, -1, {3, 1, 1, 1}}, "first is -1, must be 0..2"},
    {{3, 3, 3, 3, {3, 1, 1, 1}}, "first is 3, must be 0..2"},
    {{3, 3, 3, 0, {3, 1, 1, 0}}, "faces are 3,1,1,0, must be six in all"},
    {{3, 3, 3, 0, {3, 1, 1, 2}}, "faces are 3,1,1,2, must be six in all"},
    {{3, 3, 3, 0, {7, -1, 0, 0}}, "faces are 7,-1,0,0, each must be 0..6"},
    {{3, 3, 3, 0, {3, 3, -1, 1}}, "faces are 3,3,-1,1, each must be 0..6"},
    {{3, 3, 3, 0, {2147483647, 2147483647, 4, 4}}, "each must be 0..6"},
    {{3, 3, 3, 0, {6, 0, 0, 0}}, "such a game may never end"},
    {{3, 3, 3, 0, {0, 6, 0, 0}}, "such a game may never end"},
    {{3, 3, 3, 0, {0, 3, 3, 0}}, "faces are 0,3,3,0: without C, or a dot beside L or R, such a game may never end"},
};

static void rules_that_are_no_game_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rule_cases); i++) {
        const ag_status status = ag_lcr_rules_check(ctx, &rule_cases[i].rules);
        if ((status == AG_OK) != !rule_cases[i].says || (status != AG_OK && status != AG_E_ARG))
            fail_msg("rules %zu: %s", i, ag_status_name(status));
        if (rule_cases[i].says && !strstr(ag_ctx_message(ctx), rule_cases[i].says))
            fail_msg("rules %zu must be refused with \"%s\": %s", i, rule_cases[i].says, ag_ctx_message(ctx));
    }
}

static void every_function_checks_its_rules(void **state)
{
    const ag_lcr_rules good = usual(3), bad = {3, 0, 3, 0, {3, 1, 1, 1}};
    const char *says = "coins is 0, must be 1..255";
    ag_lcr_dice *dice = NULL;
    int winner = POISON, coins[3] = {POISON, POISON, POISON};
    uint64_t turns = 77;
    double share = 7.5;

    assert_int_equal(ag_lcr_dice_create(ctx, &bad, 1, 0, &dice), AG_E_ARG);
    assert_string_equal(ag_ctx_message(ctx), says);
    assert_null(dice);
    (void)state;

    dice = new_dice(&good, 1, 0, "L");
    assert_int_equal(ag_lcr_game(ctx, &bad, dice, &winner, &turns, coins), AG_E_ARG);
    assert_string_equal(ag_ctx_message(ctx), says);
    assert_int_equal(ag_lcr_dice_staged(dice), 1);
    ag_lcr_dice_free(dice);

    assert_int_equal(ag_lcr_most_common_winner(ctx, &bad, 1, 2000, &winner, &share), AG_E_ARG);
    assert_string_equal(ag_ctx_message(ctx), says);
    assert_int_equal(ag_lcr_most_common_winner(ctx, &good, 1, 0, &winner, &share), AG_E_ARG);
    assert_non_null(strstr(ag_ctx_message(ctx), "games is 0"));

    assert_int_equal(winner, POISON);
    assert_true(turns == 77 && share == 7.5);
    expect_coins(3, coins, (int[]){POISON, POISON, POISON});
}

/* ------------------------------------------------------------------------- coins */

static void over_is_exactly_one_seat_with_coins(void **state)
{
    int coins[AG_LCR_PLAYERS_MAX] = {0};
    (void)state;
    static const int sizes[] = {2, 3, 5, AG_LCR_PLAYERS_MAX};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const int n = sizes[i];
        assert_false(ag_lcr_over(n, coins)); /* nobody */
        for (int seat = 0; seat < n; seat++) {
            coins[seat] = 1 + seat % 4;
            assert_true(ag_lcr_over(n, coins));
            assert_int_equal(ag_lcr_winner(n, coins), seat);
            const int other = (seat + 1 + (7 * seat) % (n - 1)) % n;
            coins[other]++;
            assert_false(ag_lcr_over(n, coins));
            coins[other] = coins[seat] = 0;
        }
    }
    assert_true(ag_lcr_over(3, (int[]){3, 0, 0}));
    assert_true(ag_lcr_over(3, (int[]){0, 0, 1}));
    assert_false(ag_lcr_over(3, (int[]){1, 0, 1}));
    assert_false(ag_lcr_over(3, (int[]){3, 3, 3}));
}

static void neighbours_are_counted_modulo_the_players(void **state)
{
    static const int sizes[] = {2, 3, 5, AG_LCR_PLAYERS_MAX};
    int coins[AG_LCR_PLAYERS_MAX + 1], want[AG_LCR_PLAYERS_MAX + 1];
    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const int n = sizes[i];
        for (int seat = 0; seat < 3 * n; seat++) {
            const int player = seat % n, kind = seat / n;
            for (int k = 0; k <= n; k++)
                want[k] = coins[k] = k % 3 + 1;
            want[player]--;
            if (kind == 0)
                want[(player + n - 1) % n]++;
            if (kind == 1)
                want[(player + 1) % n]++;
            (kind == 0 ? ag_lcr_left : kind == 1 ? ag_lcr_right : ag_lcr_center)(n, coins, player);
            expect_coins(n + 1, coins, want);
        }
    }
}

/* -------------------------------------------------------------------------- dice */

static void letters_have_characters(void **state)
{
    (void)state;
    assert_int_equal(ag_lcr_letter_char(AG_LCR_DOT), '.');
    assert_int_equal(ag_lcr_letter_char(AG_LCR_L), 'L');
    assert_int_equal(ag_lcr_letter_char(AG_LCR_R), 'R');
    assert_int_equal(ag_lcr_letter_char(AG_LCR_C), 'C');
}

static void staged_dice_come_in_their_order(void **state)
{
    static const ag_lcr_letter want[] = {AG_LCR_DOT, AG_LCR_L, AG_LCR_C, AG_LCR_R,  AG_LCR_L,
                                         AG_LCR_C,   AG_LCR_R, AG_LCR_R, AG_LCR_DOT};
    const ag_lcr_rules rules = usual(3);
    ag_lcr_dice *dice = new_dice(&rules, 1, 0, ". L\tC,r");
    (void)state;
    assert_int_equal(ag_lcr_dice_stage(ctx, dice, "lcR,\nr.\r\v\f "), AG_OK);
    for (size_t i = 0; i < COUNT(want); i++) {
        assert_int_equal(ag_lcr_dice_staged(dice), COUNT(want) - i);
        assert_int_equal(ag_lcr_roll(dice), want[i]);
    }
    assert_int_equal(ag_lcr_dice_staged(dice), 0);
    assert_int_equal(ag_lcr_dice_unstaged(dice), 0);
    assert_int_equal(ag_lcr_dice_check(dice), 1);
    ag_lcr_dice_free(dice);
}

static void the_check_wants_all_staged_dice_and_no_other(void **state)
{
    const ag_lcr_rules rules = usual(3);
    ag_lcr_dice *dice = new_dice(&rules, 1, 0, "");
    (void)state;
    assert_int_equal(ag_lcr_dice_check(dice), 1); /* none staged, none rolled */

    assert_int_equal(ag_lcr_dice_stage(ctx, dice, "LR"), AG_OK); /* one is left, and forgotten */
    assert_int_equal(ag_lcr_roll(dice), AG_LCR_L);
    assert_int_equal(ag_lcr_dice_check(dice), 0);
    assert_int_equal(ag_lcr_dice_staged(dice), 0);

    assert_int_equal(ag_lcr_dice_stage(ctx, dice, "L"), AG_OK); /* two real ones are rolled behind it */
    assert_int_equal(ag_lcr_roll(dice), AG_LCR_L);
    (void)ag_lcr_roll(dice);
    (void)ag_lcr_roll(dice);
    assert_int_equal(ag_lcr_dice_unstaged(dice), 2);
    assert_int_equal(ag_lcr_dice_check(dice), 0);
    assert_int_equal(ag_lcr_dice_unstaged(dice), 0);
    assert_int_equal(ag_lcr_dice_check(dice), 1);

    assert_int_equal(ag_lcr_dice_stage(ctx, dice, "C"), AG_OK); /* staged behind a real die: still not exactly */
    assert_int_equal(ag_lcr_roll(dice), AG_LCR_C);
    (void)ag_lcr_roll(dice);
    assert_int_equal(ag_lcr_dice_stage(ctx, dice, "C"), AG_OK);
    assert_int_equal(ag_lcr_roll(dice), AG_LCR_C);
    assert_int_equal(ag_lcr_dice_check(dice), 0);
    ag_lcr_dice_free(dice);
    ag_lcr_dice_free(NULL);
}

static void what_is_no_letter_is_named_with_its_place(void **state)
{
    static const char *const cases[][2] = {
        {"x", "character 1 of the dice is x, must be ., L, R or C"},
        {"LL. D", "character 5 of the dice is D, must be ., L, R or C"},
        {"LRC;", "character 4 of the dice is ;, must be ., L, R or C"},
        {"L0", "character 2 of the dice is 0, must be ., L, R or C"},
        {"L\x01", "character 2 of the dice is byte 1, must be ., L, R or C"},
        {"..\xc3\xa9", "character 3 of the dice is byte 195, must be ., L, R or C"},
    };
    const ag_lcr_rules rules = usual(3);
    ag_lcr_dice *dice = new_dice(&rules, 1, 0, "C");
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(ag_lcr_dice_stage(ctx, dice, cases[i][0]), AG_E_ARG);
        assert_string_equal(ag_ctx_message(ctx), cases[i][1]);
        assert_int_equal(ag_lcr_dice_staged(dice), 1);
    }
    assert_int_equal(ag_lcr_roll(dice), AG_LCR_C);
    ag_lcr_dice_free(dice);
}

/* The letter of a face 1..6, from the text of lcr.h. */
static ag_lcr_letter letter_of(const ag_lcr_rules *rules, uint32_t face)
{
    const int f = (int)face;
    if (f <= rules->faces[0])
        return AG_LCR_DOT;
    if (f <= rules->faces[0] + rules->faces[1])
        return AG_LCR_L;
    return f <= rules->faces[0] + rules->faces[1] + rules->faces[2] ? AG_LCR_R : AG_LCR_C;
}

static const ag_lcr_rules laws[] = {
    {3, 3, 3, 0, {3, 1, 1, 1}}, {3, 3, 3, 0, {0, 2, 2, 2}}, {3, 3, 3, 0, {0, 0, 0, 6}}, {3, 3, 3, 0, {5, 0, 0, 1}},
    {3, 3, 3, 0, {1, 0, 4, 1}}, {3, 3, 3, 0, {2, 4, 0, 0}}, {3, 3, 3, 0, {1, 2, 1, 2}},
};

static void real_dice_are_those_of_the_game_by_the_law_of_the_faces(void **state)
{
    uint32_t faces[1000];
    (void)state;
    for (size_t i = 0; i < COUNT(laws); i++) {
        const uint64_t seed = UINT64_C(0x123456789abcdef) * i, game = UINT64_MAX - i;
        assert_int_equal(ag_dice_roll(ctx, seed, game, 6, 0, COUNT(faces), faces), AG_OK);
        ag_lcr_dice *dice = new_dice(&laws[i], seed, game, "LL");
        for (size_t k = 0; k < COUNT(faces); k++) {
            if (k == 100) /* staged dice move no real one */
                assert_int_equal(ag_lcr_dice_stage(ctx, dice, "LL"), AG_OK);
            if (k == 0 || k == 100) {
                assert_int_equal(ag_lcr_roll(dice), AG_LCR_L);
                assert_int_equal(ag_lcr_roll(dice), AG_LCR_L);
            }
            const ag_lcr_letter got = ag_lcr_roll(dice), want = letter_of(&laws[i], faces[k]);
            if (got != want)
                fail_msg("law %zu, die %zu: %c, must be %c", i, k, ag_lcr_letter_char(got), ag_lcr_letter_char(want));
        }
        assert_int_equal(ag_lcr_dice_unstaged(dice), COUNT(faces));
        ag_lcr_dice_free(dice);
    }
}

/* ------------------------------------------------------------------------- turns */

static const struct {
    int players, cap, player;
    const char *dice;
    int before[5], after[5];
} turn_cases[] = {
    {2, 3, 0, "LRC", {3, 3}, {0, 5}},             /* both neighbours are the other */
    {2, 3, 1, "LR.", {0, 3}, {2, 1}},             /* */
    {3, 3, 0, "LRC", {3, 3, 3}, {0, 4, 4}},       /* left of seat 0 is the last seat */
    {3, 3, 2, "RR.", {3, 3, 3}, {5, 3, 1}},       /* right of the last is seat 0 */
    {3, 3, 1, "...", {3, 3, 3}, {3, 3, 3}},       /* */
    {3, 3, 1, "", {3, 0, 3}, {3, 0, 3}},          /* no coins, no dice */
    {3, 3, 1, "C", {1, 1, 0}, {1, 0, 0}},         /* one coin, one die */
    {4, 3, 0, "CCC", {8, 0, 1, 0}, {5, 0, 1, 0}}, /* more coins than dice */
    {4, 1, 0, "L", {8, 0, 1, 0}, {7, 0, 1, 1}},   /* cap 1 */
    {5, 16, 4, "LLLLL.....RRRRRC", {0, 0, 0, 0, 20}, {5, 0, 0, 5, 9}},
    {5, 16, 0, "LLLLRRRC", {8, 1, 1, 1, 1}, {0, 4, 1, 1, 5}},
};

static void a_turn_rolls_for_each_coin_up_to_the_cap(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(turn_cases); i++) {
        ag_lcr_rules rules = usual(turn_cases[i].players);
        ag_lcr_letter letters[AG_LCR_CAP_MAX + 1];
        int coins[5];
        rules.cap = turn_cases[i].cap;
        memset(letters, 0x55, sizeof letters);
        const size_t n = strlen(turn_cases[i].dice);
        const ag_lcr_letter untouched = letters[AG_LCR_CAP_MAX];
        ag_lcr_dice *dice = new_dice(&rules, 1, 0, turn_cases[i].dice);
        memcpy(coins, turn_cases[i].before, sizeof coins);
        assert_int_equal(ag_lcr_turn(&rules, coins, turn_cases[i].player, dice, letters), n);
        expect_coins(5, coins, turn_cases[i].after);
        for (size_t k = 0; k < n; k++)
            assert_int_equal(ag_lcr_letter_char(letters[k]), turn_cases[i].dice[k]);
        assert_int_equal(letters[n], untouched);
        assert_int_equal(ag_lcr_dice_check(dice), 1);

        assert_int_equal(ag_lcr_dice_stage(ctx, dice, turn_cases[i].dice), AG_OK); /* letters may be NULL */
        memcpy(coins, turn_cases[i].before, sizeof coins);
        assert_int_equal(ag_lcr_turn(&rules, coins, turn_cases[i].player, dice, NULL), n);
        expect_coins(5, coins, turn_cases[i].after);
        ag_lcr_dice_free(dice);
    }
}

/* ------------------------------------------------------------------------- games */

static const struct {
    ag_lcr_rules rules;
    const char *dice;
    int winner, turns, end[4];
} game_cases[] = {
    {{2, 3, 3, 0, {3, 1, 1, 1}}, "CCC", 1, 1, {0, 3}},
    {{2, 3, 3, 0, {3, 1, 1, 1}}, "LCR", 1, 1, {0, 5}},
    {{2, 3, 3, 1, {3, 1, 1, 1}}, "CRL", 0, 1, {5, 0}},
    {{2, 1, 3, 0, {3, 1, 1, 1}}, ".C", 0, 2, {1, 0}},
    {{2, 1, 3, 0, {3, 1, 1, 1}}, "...L", 0, 4, {2, 0}},
    /* The owner of all coins need not be on turn: seat 1 gives seat 0 his last. */
    {{3, 1, 3, 0, {3, 1, 1, 1}}, "..L.LC", 0, 5, {2, 0, 0}},
    {{3, 3, 3, 0, {3, 1, 1, 1}}, "...CCCCCC", 0, 3, {3, 0, 0}},
    {{3, 3, 3, 2, {3, 1, 1, 1}}, "CCC...CCC", 0, 3, {3, 0, 0}},
    /* Turns without coins count, and take no dice: the fourth and the seventh. */
    {{3, 1, 3, 0, {3, 1, 1, 1}}, "L...R", 2, 5, {0, 0, 3}},
    {{3, 1, 3, 0, {3, 1, 1, 1}}, "L......R", 2, 8, {0, 0, 3}},
    /* He who had none may be given some and win. */
    {{4, 1, 3, 0, {3, 1, 1, 1}}, "CLCC", 0, 4, {1, 0, 0, 0}},
    {{4, 1, 3, 3, {3, 1, 1, 1}}, "CCC", 2, 3, {0, 0, 1, 0}},
};

static void small_games_by_hand(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(game_cases); i++) {
        const ag_lcr_rules *rules = &game_cases[i].rules;
        ag_lcr_dice *dice = new_dice(rules, 1, 0, game_cases[i].dice);
        int winner = POISON, coins[5] = {POISON, POISON, POISON, POISON, POISON};
        uint64_t turns = 77;
        assert_int_equal(ag_lcr_game(ctx, rules, dice, &winner, &turns, coins), AG_OK);
        if (winner != game_cases[i].winner || turns != (uint64_t)game_cases[i].turns)
            fail_msg("game %zu: seat %d after %llu turns", i, winner, (unsigned long long)turns);
        expect_coins(rules->players, coins, game_cases[i].end);
        assert_int_equal(coins[rules->players], POISON);
        if (!ag_lcr_dice_check(dice))
            fail_msg("game %zu takes other dice than its own", i);
        ag_lcr_dice_free(dice);
    }
}

static void a_game_that_lacks_dice_goes_on_with_real_ones(void **state)
{
    const ag_lcr_rules rules = usual(3);
    uint32_t faces[6];
    int winner, coins[3];
    uint64_t turns, game = 0;
    (void)state;
    /* A game whose first six dice are six dots, so that the turns of seats 1 and 2 are known. */
    for (bool all_dots = false; !all_dots; game += !all_dots) {
        assert_int_equal(ag_dice_roll(ctx, 5, game, 6, 0, 6, faces), AG_OK);
        all_dots = true;
        for (int i = 0; i < 6; i++)
            all_dots &= faces[i] <= 3;
    }
    ag_lcr_dice *dice = new_dice(&rules, 5, game, "CCC");
    assert_int_equal(ag_lcr_game(ctx, &rules, dice, &winner, &turns, coins), AG_OK);
    assert_true(turns > 3);
    assert_int_equal(ag_lcr_dice_staged(dice), 0);
    assert_true(ag_lcr_dice_unstaged(dice) > 6);
    assert_int_equal(ag_lcr_dice_check(dice), 0);

    assert_int_equal(ag_lcr_dice_stage(ctx, dice, "CCC CCC L"), AG_OK); /* one more than it takes */
    assert_int_equal(ag_lcr_game(ctx, &rules, dice, &winner, &turns, coins), AG_OK);
    assert_int_equal(winner, 2);
    assert_int_equal(turns, 2);
    assert_int_equal(ag_lcr_dice_staged(dice), 1);
    assert_int_equal(ag_lcr_dice_check(dice), 0);
    ag_lcr_dice_free(dice);
}

/* What a game played here came to. */
typedef struct {
    int winner, coins[AG_LCR_PLAYERS_MAX];
    uint64_t turns, empty, dice, centre;
} plain_game;

/* The rules once more, as a table of who has what; the dice, one by one, from rng.h. */
static void play_plainly(const ag_lcr_rules *rules, uint64_t seed, uint64_t game, plain_game *g)
{
    const int n = rules->players;
    int with_coins = n;
    memset(g, 0, sizeof *g);
    for (int k = 0; k < n; k++)
        g->coins[k] = rules->coins;
    for (int mover = rules->first; with_coins > 1; mover = (mover + 1) % n) {
        const int rolls = g->coins[mover] > rules->cap ? rules->cap : g->coins[mover];
        int thrown[AG_LCR_N_LETTERS] = {0};
        for (int k = 0; k < rolls; k++) {
            uint32_t face;
            assert_int_equal(ag_dice_roll(ctx, seed, game, 6, g->dice++, 1, &face), AG_OK);
            thrown[letter_of(rules, face)]++;
        }
        g->coins[mover] -= rolls - thrown[AG_LCR_DOT];
        g->coins[(mover + n - 1) % n] += thrown[AG_LCR_L];
        g->coins[(mover + 1) % n] += thrown[AG_LCR_R];
        g->centre += (uint64_t)thrown[AG_LCR_C];
        g->turns++;
        g->empty += rolls == 0;
        with_coins = 0;
        for (int k = 0; k < n; k++)
            if (g->coins[k] > 0) {
                with_coins++;
                g->winner = k;
            }
    }
}

static void games_equal_those_played_plainly(void **state)
{
    static const ag_lcr_rules rules[] = {
        {2, 3, 3, 0, {3, 1, 1, 1}},  {2, 3, 3, 1, {3, 1, 1, 1}},  {3, 3, 3, 0, {3, 1, 1, 1}},
        {5, 3, 3, 2, {3, 1, 1, 1}},  {3, 3, 3, 0, {0, 2, 2, 2}},  {7, 1, 1, 6, {1, 2, 1, 2}},
        {4, 9, 16, 0, {2, 0, 3, 1}}, {3, 2, 3, 0, {4, 1, 1, 0}},  {33, 3, 3, 32, {3, 1, 1, 1}},
        {6, 20, 2, 5, {0, 0, 5, 1}}, {12, 1, 3, 0, {0, 0, 0, 6}},
    };
    static plain_game want;
    (void)state;
    for (size_t i = 0; i < COUNT(rules); i++)
        for (uint64_t game = 0; game < 200; game++) {
            const uint64_t seed = UINT64_C(0x9e3779b97f4a7c15) * i;
            int winner, coins[AG_LCR_PLAYERS_MAX];
            uint64_t turns;
            ag_lcr_dice *dice = new_dice(&rules[i], seed, game, "");
            assert_int_equal(ag_lcr_game(ctx, &rules[i], dice, &winner, &turns, coins), AG_OK);
            play_plainly(&rules[i], seed, game, &want);
            if (winner != want.winner || turns != want.turns || ag_lcr_dice_unstaged(dice) != want.dice)
                fail_msg("rules %zu, game %d: seat %d after %d turns and %d dice, must be seat %d, %d, %d", i,
                         (int)game, winner, (int)turns, (int)ag_lcr_dice_unstaged(dice), want.winner, (int)want.turns,
                         (int)want.dice);
            expect_coins(rules[i].players, coins, want.coins);
            ag_lcr_dice_free(dice);
        }
}

static void the_largest_game_ends(void **state)
{
    const ag_lcr_rules rules = {1024, 255, 16, 1023, {3, 1, 1, 1}};
    static plain_game want;
    int winner, coins[AG_LCR_PLAYERS_MAX];
    uint64_t turns;
    (void)state;
    ag_lcr_dice *dice = new_dice(&rules, 3, 9, "");
    assert_int_equal(ag_lcr_game(ctx, &rules, dice, &winner, &turns, coins), AG_OK);
    play_plainly(&rules, 3, 9, &want);
    assert_int_equal(winner, want.winner);
    assert_int_equal(turns, want.turns);
    expect_coins(rules.players, coins, want.coins);
    ag_lcr_dice_free(dice);
}

/* One pair of dice serves game after game: each begins with the die after the last of the one before. */
static void games_in_a_row_go_on_with_the_dice(void **state)
{
    const ag_lcr_rules rules = usual(3);
    uint32_t faces[4000];
    int winner, coins[3], replayed[3];
    uint64_t turns, again, at = 0;
    (void)state;
    assert_int_equal(ag_dice_roll(ctx, 8, 2, 6, 0, COUNT(faces), faces), AG_OK);
    ag_lcr_dice *dice = new_dice(&rules, 8, 2, ""), *staged = new_dice(&rules, 1, 0, "");
    for (int game = 0; game < 20; game++) {
        int second;
        assert_int_equal(ag_lcr_game(ctx, &rules, dice, &winner, &turns, coins), AG_OK);
        const uint64_t n = ag_lcr_dice_unstaged(dice);
        assert_true(n <= COUNT(faces));
        for (; at < n; at++) {
            const char letter[] = {ag_lcr_letter_char(letter_of(&rules, faces[at])), '\0'};
            assert_int_equal(ag_lcr_dice_stage(ctx, staged, letter), AG_OK);
        }
        assert_int_equal(ag_lcr_game(ctx, &rules, staged, &second, &again, replayed), AG_OK);
        assert_int_equal(second, winner);
        assert_int_equal(again, turns);
        expect_coins(3, replayed, coins);
        assert_int_equal(ag_lcr_dice_check(staged), 1);
    }
    ag_lcr_dice_free(staged);
    ag_lcr_dice_free(dice);
}

/* ------------------------------------------------------------------ known values */

/* x within five standard errors of the expected value, the deviation of one game taken from the games. */
static void expect_mean(const char *what, double sum, double squares, double games, double want)
{
    const double mean = sum / games, error = sqrt((squares / games - mean * mean) / games);
    if (fabs(mean - want) > 5 * error)
        fail_msg("%s: %.4f +- %.4f, must be %.4f", what, mean, error, want);
}

static void games_have_the_known_means(void **state)
{
    /* players, coins, expected turns, those with dice (0: not known), win probability of seat 0 */
    static const double cases[][5] = {
        {2, 1, 2, 2, 1.0 / 3},
        {2, 3, 5.809886251535, 0, 0.382074917290},
        {3, 3, 18.863028485351, 17.515886010, 0.306843014247},
        {5, 3, 49.934824634719, 0, 0.193706527740},
    };
    const int games = 20000;
    static plain_game g;
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ag_lcr_rules rules = usual((int)cases[i][0]);
        double turns[2] = {0, 0}, busy[2] = {0, 0}, wins = 0, gap[2] = {0, 0};
        rules.coins = (int)cases[i][1];
        for (int k = 0; k < games; k++) {
            int winner;
            uint64_t n_turns;
            ag_lcr_dice *dice = new_dice(&rules, 11, (uint64_t)k, "");
            assert_int_equal(ag_lcr_game(ctx, &rules, dice, &winner, &n_turns, g.coins), AG_OK);
            int centre = rules.players * rules.coins - g.coins[winner];
            /* optional stopping: as many coins leave as a sixth of the dice, in the mean */
            const double x = centre - (double)ag_lcr_dice_unstaged(dice) / 6, t = (double)n_turns;
            turns[0] += t;
            turns[1] += t * t;
            gap[0] += x;
            gap[1] += x * x;
            wins += winner == 0;
            ag_lcr_dice_free(dice);
            if (cases[i][3] > 0) {
                play_plainly(&rules, 11, (uint64_t)k, &g);
                const double b = (double)(g.turns - g.empty);
                busy[0] += b;
                busy[1] += b * b;
            }
        }
        expect_mean("turns", turns[0], turns[1], games, cases[i][2]);
        expect_mean("wins of seat 0", wins, wins, games, cases[i][4]);
        expect_mean("coins in the centre less a sixth of the dice", gap[0], gap[1], games, 0);
        if (cases[i][3] > 0)
            expect_mean("turns with dice", busy[0], busy[1], games, cases[i][3]);
    }
}

/* ------------------------------------------------------------ most common winner */

static void the_most_common_winner_is_counted(void **state)
{
    static const ag_lcr_rules rules[] = {{2, 3, 3, 0, {3, 1, 1, 1}},
                                         {3, 3, 3, 1, {3, 1, 1, 1}},
                                         {5, 2, 1, 0, {2, 0, 2, 2}},
                                         {40, 1, 3, 7, {0, 2, 2, 2}}};
    (void)state;
    for (size_t i = 0; i < COUNT(rules); i++) {
        int wins[AG_LCR_PLAYERS_MAX] = {0}, best = 0, winner = POISON;
        double share = 7.5;
        for (uint64_t game = 0; game < 2000; game++) {
            uint64_t turns;
            ag_lcr_dice *dice = new_dice(&rules[i], 6, game, "");
            assert_int_equal(ag_lcr_game(ctx, &rules[i], dice, &winner, &turns, NULL), AG_OK);
            wins[winner]++;
            ag_lcr_dice_free(dice);
        }
        for (int seat = rules[i].players - 1; seat >= 0; seat--)
            if (wins[seat] >= wins[best])
                best = seat;
        assert_int_equal(ag_lcr_most_common_winner(ctx, &rules[i], 6, 2000, &winner, &share), AG_OK);
        assert_int_equal(winner, best);
        assert_true(share == wins[best] / 2000.0);
    }
}

static void of_equal_counts_the_lowest_seat_is_named(void **state)
{
    const ag_lcr_rules rules = usual(4);
    int n_ties = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        int winner = POISON, of_game[2];
        double share = 7.5;
        for (uint64_t game = 0; game < 2; game++) {
            uint64_t turns;
            ag_lcr_dice *dice = new_dice(&rules, seed, game, "");
            assert_int_equal(ag_lcr_game(ctx, &rules, dice, &of_game[game], &turns, NULL), AG_OK);
            ag_lcr_dice_free(dice);
        }
        n_ties += of_game[0] != of_game[1];
        assert_int_equal(ag_lcr_most_common_winner(ctx, &rules, seed, 2, &winner, &share), AG_OK);
        assert_int_equal(winner, of_game[0] < of_game[1] ? of_game[0] : of_game[1]);
        assert_true(share == (of_game[0] == of_game[1] ? 1 : 0.5));
    }
    assert_true(n_ties > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usual_rules_are_three_coins_and_three_dice),
        cmocka_unit_test(the_number_of_players_is_checked),
        cmocka_unit_test(rules_that_are_no_game_are_refused),
        cmocka_unit_test(every_function_checks_its_rules),
        cmocka_unit_test(over_is_exactly_one_seat_with_coins),
        cmocka_unit_test(neighbours_are_counted_modulo_the_players),
        cmocka_unit_test(letters_have_characters),
        cmocka_unit_test(staged_dice_come_in_their_order),
        cmocka_unit_test(the_check_wants_all_staged_dice_and_no_other),
        cmocka_unit_test(what_is_no_letter_is_named_with_its_place),
        cmocka_unit_test(real_dice_are_those_of_the_game_by_the_law_of_the_faces),
        cmocka_unit_test(a_turn_rolls_for_each_coin_up_to_the_cap),
        cmocka_unit_test(small_games_by_hand),
        cmocka_unit_test(a_game_that_lacks_dice_goes_on_with_real_ones),
        cmocka_unit_test(games_equal_those_played_plainly),
        cmocka_unit_test(the_largest_game_ends),
        cmocka_unit_test(games_in_a_row_go_on_with_the_dice),
        cmocka_unit_test(games_have_the_known_means),
        cmocka_unit_test(the_most_common_winner_is_counted),
        cmocka_unit_test(of_equal_counts_the_lowest_seat_is_named),
    };
    return cmocka_run_group_tests(tests, create_ctx, free_ctx);
}
