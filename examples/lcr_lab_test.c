/*
 * lcr_lab_test.c -- the test of a programming lab on the dice game LCR, as a teacher would write it.
 *
 * It calls Astragal's functions in the places where a class has its own, and needs nothing but the public header and
 * the library:
 *
 *     cc -Iinclude examples/lcr_lab_test.c build/libastragal.a -lm -ldl -pthread
 */
#include "astragal/lcr.h"

#include <stdio.h>
#include <string.h>

static int n_passed, n_failed;

static void check(int good, const char *what)
{
    if (good) {
        n_passed++;
        return;
    }
    n_failed++;
    printf("FAILED: %s\n", what);
}

static int has_coins(const int *coins, int a, int b, int c)
{
    return coins[0] == a && coins[1] == b && coins[2] == c;
}

static void test_over_and_winner(void)
{
    const int start[] = {3, 3, 3}, two_left[] = {0, 4, 1}, last[] = {0, 0, 5};
    check(!ag_lcr_over(3, start), "a new game is not over");
    check(!ag_lcr_over(3, two_left), "with two players who have coins the game is not over");
    check(ag_lcr_over(3, last), "with one player who has coins the game is over");
    check(ag_lcr_winner(3, last) == 2, "the player who has coins is the winner");
}

static void test_moving_coins(void)
{
    int coins[] = {3, 3, 3};
    ag_lcr_left(3, coins, 0);
    check(has_coins(coins, 2, 3, 4), "the left neighbour of player 0 is the last player");
    ag_lcr_right(3, coins, 2);
    check(has_coins(coins, 3, 3, 3), "the right neighbour of the last player is player 0");
    ag_lcr_center(3, coins, 1);
    check(has_coins(coins, 3, 2, 3), "a coin in the centre is nobody's");
}

static void test_a_turn(ag_ctx *ctx, const ag_lcr_rules *rules, ag_lcr_dice *dice)
{
    int coins[] = {3, 3, 3};

    ag_lcr_dice_stage(ctx, dice, ". L C R");
    check(ag_lcr_turn(rules, coins, 0, dice, NULL) == 3, "three coins are three dice");
    check(has_coins(coins, 1, 3, 4), "after . L C one coin is kept, one went left, one is out");
    check(ag_lcr_turn(rules, coins, 0, dice, NULL) == 1, "one coin is one die");
    check(has_coins(coins, 0, 4, 4), "after R the last coin went right");
    check(ag_lcr_turn(rules, coins, 0, dice, NULL) == 0, "no coins are no dice");
    check(has_coins(coins, 0, 4, 4), "without dice no coin moves");
    check(ag_lcr_dice_check(dice), "the turns use exactly the staged dice");

    ag_lcr_dice_stage(ctx, dice, "R R");
    coins[0] = 1;
    ag_lcr_turn(rules, coins, 0, dice, NULL);
    check(!ag_lcr_dice_check(dice), "a turn that leaves a staged die is found out");

    ag_lcr_dice_stage(ctx, dice, "R R");
    ag_lcr_turn(rules, coins, 1, dice, NULL);
    check(!ag_lcr_dice_check(dice), "a turn that needs more dice than were staged is found out");
}

static void test_a_game(ag_ctx *ctx, const ag_lcr_rules *rules, ag_lcr_dice *dice)
{
    int winner = -1, coins[3];
    uint64_t turns = 0;

    /* 3 3 3, player 0: 0 4 4, player 1: 3 1 4, player 2: 3 1 1, player 0: 0 1 1, player 1: 0 0 2 */
    ag_lcr_dice_stage(ctx, dice, "RLC LLL CCC CCC R");
    check(ag_lcr_game(ctx, rules, dice, &winner, &turns, coins) == AG_OK, "a game can be played");
    check(ag_lcr_dice_check(dice), "the game uses exactly the staged dice");
    check(winner == 2 && turns == 5, "player 2 wins after five turns");
    check(has_coins(coins, 0, 0, 2), "the winner has two coins");

    /* 0 3 6, 0 1 6, 0 1 3, then player 0 has no coins: a turn without dice is a turn too */
    ag_lcr_dice_stage(ctx, dice, "LLL CC. CCC C");
    ag_lcr_game(ctx, rules, dice, &winner, &turns, coins);
    check(ag_lcr_dice_check(dice), "a turn without coins takes no dice");
    check(winner == 2 && turns == 5, "a turn without coins is counted");

    ag_lcr_dice_stage(ctx, dice, "CCC RRR C");
    ag_lcr_game(ctx, rules, dice, &winner, &turns, coins);
    check(winner == 2 && turns == 2, "player 2 wins on the turn of player 1");
    check(!ag_lcr_dice_check(dice), "the game was over before its last staged die");
}

static void test_many_games(ag_ctx *ctx)
{
    /* Of three players, none wins by far: seat 2 has 0.365. 2000 games tell it from 0.328 and 0.307. */
    ag_lcr_rules rules;
    int winner = -1;
    double share = 0;

    check(ag_lcr_rules_default(ctx, 3, &rules) == AG_OK, "three can play");
    check(ag_lcr_most_common_winner(ctx, &rules, 1, 2000, &winner, &share) == AG_OK, "2000 games can be played");
    check(winner == 2, "of three players the last wins most often");
    check(share > 0.33 && share < 0.40, "he wins between 33 and 40 of 100 games");

    check(ag_lcr_rules_default(ctx, 1, &rules) == AG_E_ARG, "one cannot play alone");
    check(strstr(ag_ctx_message(ctx), "must be 2..1024") != NULL, "the message says how many can");
}

int main(void)
{
    ag_ctx *ctx = NULL;
    ag_lcr_rules rules;
    ag_lcr_dice *dice = NULL;

    if (ag_ctx_create(&ctx) || ag_lcr_rules_default(ctx, 3, &rules) || ag_lcr_dice_create(ctx, &rules, 1, 0, &dice)) {
        fprintf(stderr, "lcr_lab_test: %s\n", ctx ? ag_ctx_message(ctx) : "not enough memory");
        ag_ctx_free(ctx);
        return 1;
    }
    test_over_and_winner();
    test_moving_coins();
    test_a_turn(ctx, &rules, dice);
    test_a_game(ctx, &rules, dice);
    test_many_games(ctx);
    ag_lcr_dice_free(dice);
    ag_ctx_free(ctx);
    printf("%d passed, %d failed\n", n_passed, n_failed);
    return n_failed > 0;
}
