/*
 * hog_oracle_self.c -- tests of the Hog oracle itself: values quoted by the rules' sources, laws against counting,
 * and known tables.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hog_law.h"
#include "hog_oracle.h"

/* ----------------------------------------------------------------- rule sets */

/* Goal 100, up to ten d6, a 1 scores 1 point, n = 0 not allowed, no other rule. */
static ag_hog_rules plain(void)
{
    const ag_hog_rules rules = {.goal = 100, .max_rolls = 10, .faces = 6, .pig_out = 1};

    return rules;
}

static ag_hog_rules with(ag_hog_bacon bacon, ag_hog_total total, ag_hog_swap swap, ag_hog_extra extra_turn)
{
    ag_hog_rules rules = plain();

    rules.bacon = bacon;
    rules.total = total;
    rules.swap = swap;
    rules.extra_turn = extra_turn;
    return rules;
}

static ag_hog_rules laney(void)
{
    ag_hog_rules rules = with(AG_HOG_BACON_LARGEST_DIGIT, 0, AG_HOG_SWAP_DOUBLE, 0);

    rules.wild = AG_HOG_WILD_SEVENS;
    return rules;
}

static ag_hog_rules su15(void)
{
    ag_hog_rules rules = with(AG_HOG_BACON_LARGEST_DIGIT, 0, AG_HOG_SWAP_REVERSED_DIGITS, 0);

    rules.wild = AG_HOG_WILD_SEVENS;
    return rules;
}

static ag_hog_rules snowden(void)
{
    ag_hog_rules rules = su15();

    rules.pig_out = 0;
    rules.turn_score[0] = AG_HOG_TURN_HOGTIMUS_PRIME;
    return rules;
}

static ag_hog_rules fa15(void)
{
    ag_hog_rules rules = snowden();

    rules.piggy_back = 1;
    return rules;
}

static ag_hog_rules neller(int max_rolls)
{
    ag_hog_rules rules = plain();

    rules.pig_out = 0;
    rules.max_rolls = max_rolls;
    return rules;
}

static ag_hog_rules sp22(void)
{
    return with(AG_HOG_BACON_HEFTY_HOGS, AG_HOG_TOTAL_HOG_PILE_ONES, 0, 0);
}

static ag_hog_rules su23(void)
{
    return with(AG_HOG_BACON_BOAR_BRAWL, AG_HOG_TOTAL_SUS_FUSS, 0, 0);
}

/* ------------------------------------------------------------- helpers */

static mpq_t *new_rationals(size_t n)
{
    mpq_t *q = malloc(n * sizeof *q);

    assert_non_null(q);
    for (size_t i = 0; i < n; i++)
        mpq_init(q[i]);
    return q;
}

static void free_rationals(mpq_t *q, size_t n)
{
    for (size_t i = 0; i < n; i++)
        mpq_clear(q[i]);
    free(q);
}

/* Fails, with both values in the message, unless q is the rational that the text names. */
static void check_rational(const mpq_t q, const char *expected)
{
    char *text = mpq_get_str(NULL, 10, q);

    assert_string_equal(text, expected);
    free(text);
}

static void check_near(long double value, long double expected, long double error)
{
    if (fabsl(value - expected) > error)
        fail_msg("%.18Lf is not within %Lg of %.18Lf", value, error, expected);
}

static int bacon_of(ag_hog_bacon bacon, int s, int o)
{
    const ag_hog_rules rules = with(bacon, 0, 0, 0);

    return hog_oracle_bacon(&rules, s, o);
}

/* The mover's total after `points`, by a total rule, from s against o. */
static int total_after(ag_hog_total total, int s, int o, int points)
{
    const ag_hog_rules rules = with(0, total, 0, 0);

    return hog_oracle_turn(&rules, s, o, 1, points).score;
}

/* Whether totals s and o are exchanged; 1 point is scored on the way. */
static int swapped_at(ag_hog_swap swap, int s, int o)
{
    const ag_hog_rules rules = with(0, 0, swap, 0);

    return hog_oracle_turn(&rules, s - 1, o, 1, 1).swapped;
}

static int again_at(ag_hog_extra extra, int s, int o)
{
    const ag_hog_rules rules = with(0, 0, 0, extra);

    return hog_oracle_turn(&rules, s, o, 0, 0).again;
}

/* --------------------------------------------------------------- single rules */

static void test_bacon(void **state)
{
    (void)state;
    assert_int_equal(bacon_of(AG_HOG_BACON_LARGEST_DIGIT, 0, 0), 1);
    assert_int_equal(bacon_of(AG_HOG_BACON_LARGEST_DIGIT, 0, 42), 5);
    assert_int_equal(bacon_of(AG_HOG_BACON_LARGEST_DIGIT, 0, 48), 9);
    assert_int_equal(bacon_of(AG_HOG_BACON_LARGEST_DIGIT, 0, 7), 8);
    assert_int_equal(bacon_of(AG_HOG_BACON_TENS_PLUS_1, 0, 7), 1);
    assert_int_equal(bacon_of(AG_HOG_BACON_TENS_PLUS_1, 0, 142), 5);
    assert_int_equal(bacon_of(AG_HOG_BACON_DIGIT_DISTANCE, 0, 8), 10);
    assert_int_equal(bacon_of(AG_HOG_BACON_DIGIT_PRODUCT, 0, 8), 1);
    assert_int_equal(bacon_of(AG_HOG_BACON_DIGIT_PRODUCT, 0, 47), 9);
    assert_int_equal(bacon_of(AG_HOG_BACON_TWICE_TENS, 0, 19), 1);
    assert_int_equal(bacon_of(AG_HOG_BACON_TWICE_TENS, 0, 43), 5);
    assert_int_equal(bacon_of(AG_HOG_BACON_SMALLER_DIGIT, 0, 47), 5);
    assert_int_equal(bacon_of(AG_HOG_BACON_TEN_MINUS_SMALLER, 0, 47), 6);
    assert_int_equal(bacon_of(AG_HOG_BACON_TEN_MINUS_SMALLER, 0, 7), 10);
    assert_int_equal(bacon_of(AG_HOG_BACON_CUBE, 0, 45), 13);
    assert_int_equal(bacon_of(AG_HOG_BACON_CUBE, 0, 0), 1);
    assert_int_equal(bacon_of(AG_HOG_BACON_TENS_MINUS_ONES, 0, 90), 19);
    assert_int_equal(bacon_of(AG_HOG_BACON_TENS_MINUS_ONES, 0, 19), 2);
    assert_int_equal(bacon_of(AG_HOG_BACON_SQUARE, 0, 0), 3);
    assert_int_equal(bacon_of(AG_HOG_BACON_SQUARE, 0, 2), 7);
    assert_int_equal(bacon_of(AG_HOG_BACON_SQUARE, 0, 26), 9);
    assert_int_equal(bacon_of(AG_HOG_BACON_FOUR_PLUS_DISTANCE, 0, 8), 12);
    assert_int_equal(bacon_of(AG_HOG_BACON_SEVENTH, 0, 0), 7);
    assert_int_equal(bacon_of(AG_HOG_BACON_SEVENTH, 0, 1), 1);
    assert_int_equal(bacon_of(AG_HOG_BACON_SEVENTH, 0, 12), 7);
    assert_int_equal(bacon_of(AG_HOG_BACON_PIG_TAIL, 0, 46), 5);
    assert_int_equal(bacon_of(AG_HOG_BACON_BOAR_BRAWL, 21, 46), 9);
    assert_int_equal(bacon_of(AG_HOG_BACON_BOAR_BRAWL, 14, 46), 1);
}

static void test_bacon_pi(void **state)
{
    static const char digits[] = "3141592653589793238462643383279502884197169399375105820974944592307816406286";

    (void)state;
    for (int i = 0; digits[i] != '\0'; i++)
        assert_int_equal(bacon_of(AG_HOG_BACON_PI, 0, i), 3 + digits[i] - '0');
    assert_int_equal(bacon_of(AG_HOG_BACON_PI, 0, 761), 3 + 4); /* the six nines follow */
    for (int i = 762; i < 768; i++)
        assert_int_equal(bacon_of(AG_HOG_BACON_PI, 0, i), 3 + 9);
    assert_int_equal(bacon_of(AG_HOG_BACON_PI, 0, 10000), 3 + 8);
}

static void test_bacon_hefty(void **state)
{
    int zeros = 0;

    (void)state;
    assert_int_equal(bacon_of(AG_HOG_BACON_HEFTY_HOGS, 5, 0), 1);
    assert_int_equal(bacon_of(AG_HOG_BACON_HEFTY_HOGS, 1, 4), 26);
    assert_int_equal(bacon_of(AG_HOG_BACON_HEFTY_HOGS, 2, 34), 29);
    assert_int_equal(bacon_of(AG_HOG_BACON_HEFTY_HOGS, 1, 34), 29);
    assert_int_equal(bacon_of(AG_HOG_BACON_HEFTY_HOGS, 24, 5), 0);
    assert_int_equal(bacon_of(AG_HOG_BACON_HEFTY_HOGS, 5, 24), 0);
    /* 999^8 mod 30: 9^8 = 3^16, and 3^4 = 21, 21^2 = 21 mod 30. */
    assert_int_equal(bacon_of(AG_HOG_BACON_HEFTY_HOGS, 999, 111), 21);
    for (int s = 0; s < 100; s++)
        for (int o = 0; o < 100; o++)
            zeros += bacon_of(AG_HOG_BACON_HEFTY_HOGS, s, o) == 0;
    assert_int_equal(zeros, 951);
}

static void test_pig_out(void **state)
{
    static const int clean[] = {2, 6, 3}, spoiled[] = {1, 6, 1};
    static const int many_ones[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    ag_hog_rules rules = plain();

    (void)state;
    assert_int_equal(hog_oracle_roll_points(&rules, 3, clean), 11);
    assert_int_equal(hog_oracle_roll_points(&rules, 3, spoiled), 1);
    rules.pig_out = 0;
    assert_int_equal(hog_oracle_roll_points(&rules, 3, spoiled), 0);
    rules.pig_out = AG_HOG_PIG_OUT_ONES;
    assert_int_equal(hog_oracle_roll_points(&rules, 3, spoiled), 2);
    assert_int_equal(hog_oracle_roll_points(&rules, 12, many_ones), 12);
    rules.pig_out = AG_HOG_PIG_OUT_ONES_CAPPED;
    assert_int_equal(hog_oracle_roll_points(&rules, 3, spoiled), 2);
    assert_int_equal(hog_oracle_roll_points(&rules, 9, many_ones), 2);
    assert_int_equal(hog_oracle_roll_points(&rules, 12, many_ones), 0);
}

/* The turn score of `points` scored with n dice, by a list of up to two rules. */
static int score_after(ag_hog_turn first, ag_hog_turn second, int n, int points)
{
    ag_hog_rules rules = plain();

    rules.turn_score[0] = first;
    rules.turn_score[1] = second;
    return hog_oracle_turn(&rules, 0, 0, n, points).turn_score;
}

static void test_turn_score(void **state)
{
    const ag_hog_rules rules = fa15();

    (void)state;
    assert_int_equal(score_after(AG_HOG_TURN_HOGTIMUS_PRIME, 0, 1, 2), 3);
    assert_int_equal(score_after(AG_HOG_TURN_HOGTIMUS_PRIME, 0, 1, 3), 5);
    assert_int_equal(score_after(AG_HOG_TURN_HOGTIMUS_PRIME, 0, 1, 19), 23);
    assert_int_equal(score_after(AG_HOG_TURN_HOGTIMUS_PRIME, 0, 1, 1), 1);
    assert_int_equal(score_after(AG_HOG_TURN_HOGTIMUS_PRIME, 0, 1, 0), 0);
    assert_int_equal(score_after(AG_HOG_TURN_TOUCHDOWN, AG_HOG_TURN_HOGTIMUS_PRIME, 1, 6), 11);
    assert_int_equal(score_after(AG_HOG_TURN_HOGTIMUS_PRIME, AG_HOG_TURN_TOUCHDOWN, 1, 5), 7);
    assert_int_equal(score_after(AG_HOG_TURN_TOUCHDOWN, 0, 1, 0), 0);
    assert_int_equal(score_after(AG_HOG_TURN_PIGS_FLY, 0, 10, 40), 15);
    assert_int_equal(score_after(AG_HOG_TURN_PIGS_FLY, 0, 30, 40), 0);
    /* Course tests of n = 0: take_turn(0, o). */
    assert_int_equal(hog_oracle_turn(&rules, 0, 60, 0, hog_oracle_bacon(&rules, 0, 60)).turn_score, 11);
    assert_int_equal(hog_oracle_turn(&rules, 0, 35, 0, hog_oracle_bacon(&rules, 0, 35)).turn_score, 6);
    assert_int_equal(hog_oracle_turn(&rules, 0, 71, 0, hog_oracle_bacon(&rules, 0, 71)).turn_score, 8);
}

static void test_totals(void **state)
{
    const ag_hog_rules sp15 = with(0, AG_HOG_TOTAL_HOGTIMUS, 0, 0);
    ag_hog_turn_result t;

    (void)state;
    assert_int_equal(total_after(AG_HOG_TOTAL_SUS_FUSS, 20, 0, 1), 23);
    assert_int_equal(total_after(AG_HOG_TOTAL_SUS_FUSS, 60, 0, 2), 67);
    assert_int_equal(total_after(AG_HOG_TOTAL_SUS_FUSS, 60, 0, 4), 64);
    assert_int_equal(total_after(AG_HOG_TOTAL_SUS_FUSS, 60, 0, 7), 67);
    assert_int_equal(total_after(AG_HOG_TOTAL_SQUARE_SWINE, 0, 0, 1), 4);
    assert_int_equal(total_after(AG_HOG_TOTAL_SQUARE_SWINE, 20, 0, 5), 36);
    assert_int_equal(total_after(AG_HOG_TOTAL_SQUARE_SWINE, 0, 0, 0), 0);
    assert_int_equal(total_after(AG_HOG_TOTAL_SQUARE_SWINE, 20, 0, 6), 26);
    assert_int_equal(total_after(AG_HOG_TOTAL_HOG_PILE_EQUAL, 10, 12, 2), 24);
    assert_int_equal(total_after(AG_HOG_TOTAL_HOG_PILE_EQUAL, 10, 12, 3), 13);
    assert_int_equal(total_after(AG_HOG_TOTAL_HOG_PILE_ONES, 10, 34, 4), 18);
    assert_int_equal(total_after(AG_HOG_TOTAL_HOG_PILE_ONES, 10, 30, 10), 20);

    t = hog_oracle_turn(&sp15, 10, 4, 1, 5); /* 15 + 4 = 19 is prime, the mover leads */
    assert_int_equal(t.score, 20);
    assert_int_equal(t.opponent_score, 4);
    t = hog_oracle_turn(&sp15, 4, 10, 1, 3); /* 7 + 10 = 17 is prime, the opponent leads */
    assert_int_equal(t.score, 7);
    assert_int_equal(t.opponent_score, 13);
    t = hog_oracle_turn(&sp15, 0, 1, 1, 1); /* 1 + 1 = 2 is prime, nobody leads */
    assert_int_equal(t.score, 1);
    assert_int_equal(t.opponent_score, 1);
}

static void test_swaps(void **state)
{
    static const struct {
        ag_hog_swap swap;
        int s, o, expected;
    } cases[] = {
        {AG_HOG_SWAP_REVERSED_DIGITS, 19, 91, 1},
        {AG_HOG_SWAP_REVERSED_DIGITS, 2, 20, 1},
        {AG_HOG_SWAP_REVERSED_DIGITS, 114, 41, 1},
        {AG_HOG_SWAP_REVERSED_DIGITS, 41, 114, 1},
        {AG_HOG_SWAP_REVERSED_DIGITS, 107, 70, 1},
        {AG_HOG_SWAP_REVERSED_DIGITS, 81, 118, 1},
        {AG_HOG_SWAP_REVERSED_DIGITS, 71, 107, 0},
        {AG_HOG_SWAP_REVERSED_DIGITS, 55, 55, 1},
        {AG_HOG_SWAP_REVERSED_DIGITS, 20, 40, 0},
        {AG_HOG_SWAP_REVERSED_DIGITS, 100, 0, 1},
        {AG_HOG_SWAP_REVERSED_DIGITS, 109, 90, 1},
        {AG_HOG_SWAP_DOUBLE, 100, 50, 1},
        {AG_HOG_SWAP_DOUBLE, 50, 100, 1},
        {AG_HOG_SWAP_DOUBLE, 50, 99, 0},
        {AG_HOG_SWAP_MULTIPLES, 111, 37, 1},
        {AG_HOG_SWAP_MULTIPLES, 37, 111, 1},
        {AG_HOG_SWAP_MULTIPLES, 1, 37, 0},
        {AG_HOG_SWAP_MULTIPLES, 37, 0, 0},
        {AG_HOG_SWAP_MULTIPLES, 37, 36, 0},
        {AG_HOG_SWAP_ONES_TENS, 105, 57, 1},
        {AG_HOG_SWAP_ONES_TENS, 57, 105, 0},
        {AG_HOG_SWAP_ONES_TENS, 10, 7, 1},
        {AG_HOG_SWAP_DIGIT_DISTANCE, 103, 3, 1},
        {AG_HOG_SWAP_DIGIT_DISTANCE, 47, 30, 1},
        {AG_HOG_SWAP_DIGIT_DISTANCE, 47, 31, 0},
        {AG_HOG_SWAP_SHARED_DIGIT, 5, 15, 1},
        {AG_HOG_SWAP_SHARED_DIGIT, 10, 0, 0},
        {AG_HOG_SWAP_SHARED_DIGIT, 43, 48, 1},
        {AG_HOG_SWAP_SHARED_DIGIT, 4, 105, 0},
        {AG_HOG_SWAP_SHARED_DIGIT, 34, 43, 0},
        {AG_HOG_SWAP_DIGIT_PRODUCT, 100, 10, 1},
        {AG_HOG_SWAP_DIGIT_PRODUCT, 124, 2, 1},
        {AG_HOG_SWAP_DIGIT_PRODUCT, 13, 301, 1},
        {AG_HOG_SWAP_DIGIT_PRODUCT, 2, 0, 0},
        {AG_HOG_SWAP_DIGIT_PRODUCT, 10, 0, 1},
        {AG_HOG_SWAP_POWER_OF_THREE, 1, 1, 1}, /* 9 */
        {AG_HOG_SWAP_POWER_OF_THREE, 2, 1, 0},
        {AG_HOG_SWAP_POWER_OF_THREE, 10, 1, 0}, /* 27, 177147 */
        {AG_HOG_SWAP_ONES_DISTANCE, 107, 49, 0},
        {AG_HOG_SWAP_ONES_DISTANCE, 105, 49, 1},
        {AG_HOG_SWAP_ONES_DISTANCE, 49, 105, 0},
        {AG_HOG_SWAP_SQUARE, 1, 7, 1},
        {AG_HOG_SWAP_SQUARE, 49, 7, 1},
        {AG_HOG_SWAP_SQUARE, 48, 49, 0},
    };
    const ag_hog_rules square = with(0, 0, AG_HOG_SWAP_SQUARE, 0), three = with(0, 0, AG_HOG_SWAP_POWER_OF_THREE, 0);

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (swapped_at(cases[i].swap, cases[i].s, cases[i].o) != cases[i].expected)
            fail_msg("case %zu: swap rule %d at %d:%d", i, (int)cases[i].swap, cases[i].s, cases[i].o);
    assert_false(hog_oracle_turn(&square, 0, 7, 0, 0).swapped); /* 0 is no square here */
    assert_true(hog_oracle_turn(&three, 0, 0, 0, 0).swapped);   /* 1 begins and ends with 1 */
}

static void test_extra_turns(void **state)
{
    (void)state;
    assert_true(again_at(AG_HOG_EXTRA_SWINE_ALIGN_PIG_PASS, 30, 45));
    assert_false(again_at(AG_HOG_EXTRA_SWINE_ALIGN_PIG_PASS, 35, 45));
    assert_false(again_at(AG_HOG_EXTRA_SWINE_ALIGN_PIG_PASS, 0, 45));
    assert_true(again_at(AG_HOG_EXTRA_SWINE_ALIGN_PIG_PASS, 12, 14));
    assert_true(again_at(AG_HOG_EXTRA_SWINE_ALIGN_PIG_PASS, 12, 13));
    assert_true(again_at(AG_HOG_EXTRA_SWINE_ALIGN_PIG_PASS, 12, 12));
    assert_false(again_at(AG_HOG_EXTRA_SWINE_ALIGN_PIG_PASS, 9, 9));
    assert_false(again_at(AG_HOG_EXTRA_SWINE_ALIGN_PIG_PASS, 12, 15));
    assert_false(again_at(AG_HOG_EXTRA_SWINE_ALIGN_PIG_PASS, 14, 12));
    assert_false(again_at(AG_HOG_EXTRA_SWINE_ALIGN_PIG_PASS, 100, 101)); /* the game is over */
    assert_true(again_at(AG_HOG_EXTRA_MORE_BOAR_SP21, 21, 43));
    assert_false(again_at(AG_HOG_EXTRA_MORE_BOAR_SP21, 22, 42));
    assert_true(again_at(AG_HOG_EXTRA_MORE_BOAR_SP21, 2, 14));
    assert_false(again_at(AG_HOG_EXTRA_MORE_BOAR_SP21, 7, 8));
    assert_true(again_at(AG_HOG_EXTRA_MORE_BOAR_SU21, 19, 28));
    assert_false(again_at(AG_HOG_EXTRA_MORE_BOAR_SU21, 29, 28));
    assert_false(again_at(AG_HOG_EXTRA_MORE_BOAR_SU21, 9, 8)); /* as written: smallest 9 is not below 8 */
    assert_true(again_at(AG_HOG_EXTRA_MORE_BOAR_SU21, 90, 8));
}

static void test_order_of_a_turn(void **state)
{
    const ag_hog_rules course = fa15(), doubling = laney();
    ag_hog_turn_result t = hog_oracle_turn(&doubling, 90, 50, 3, 10); /* the swap comes before the goal test */

    (void)state;
    assert_true(t.over);
    assert_int_equal(t.score, 50);
    assert_int_equal(t.opponent_score, 100);
    t = hog_oracle_turn(&course, 90, 99, 10, 0); /* a pig out gives ten points, and the totals swap */
    assert_int_equal(t.given, 10);
    assert_int_equal(t.score, 109);
    assert_int_equal(t.opponent_score, 90);
    t = hog_oracle_turn(&course, 90, 90, 4, 17); /* 17 -> 19, 109:90, a swap */
    assert_int_equal(t.score, 90);
    assert_int_equal(t.opponent_score, 109);
    assert_true(hog_oracle_wild(&doubling, 0, 0));
    assert_true(hog_oracle_wild(&doubling, 3, 4));
    assert_false(hog_oracle_wild(&doubling, 3, 5));
}

/* ------------------------------------------------------------------------ laws */

/* Counts all faces^n rolls: clean[k] without a 1 and of sum k, ones[j] with j ones. */
static void count_rolls(int faces, int n, unsigned *clean, unsigned *ones)
{
    int dice[8];

    for (int i = 0; i < n; i++)
        dice[i] = 1;
    for (;;) {
        int sum = 0, n_ones = 0, i = 0;
        for (int die = 0; die < n; die++) {
            sum += dice[die];
            n_ones += dice[die] == 1;
        }
        if (n_ones == 0)
            clean[sum]++;
        else
            ones[n_ones]++;
        while (i < n && dice[i] == faces)
            dice[i++] = 1;
        if (i == n)
            return;
        dice[i]++;
    }
}

static void test_closed_formula(void **state)
{
    mpq_t *p = new_rationals(64), spoiled, expected;

    (void)state;
    mpq_inits(spoiled, expected, NULL);
    for (int faces = 2; faces <= 7; faces++)
        for (int n = 1; n <= 6; n++) {
            unsigned clean[64] = {0}, ones[8] = {0}, with_ones = 0, all = 1;
            count_rolls(faces, n, clean, ones);
            for (int i = 0; i < n; i++)
                all *= (unsigned)faces;
            for (int j = 1; j <= n; j++)
                with_ones += ones[j];
            hog_law_exact(faces, n, p, spoiled);
            for (int k = 0; k <= n * faces; k++) {
                mpq_set_ui(expected, clean[k], all);
                mpq_canonicalize(expected);
                assert_true(mpq_equal(p[k], expected));
            }
            mpq_set_ui(expected, with_ones, all);
            mpq_canonicalize(expected);
            assert_true(mpq_equal(spoiled, expected));
        }
    mpq_clears(spoiled, expected, NULL);
    free_rationals(p, 64);
}

/* The oracle's law, by counting, against the closed formula; both of total mass 1. */
static void test_law_against_formula(void **state)
{
    enum { SIZE = 2 * 16 * 100 };
    static const int faces[] = {2, 4, 6, 20};
    mpq_t *p = new_rationals(SIZE), *q = new_rationals(SIZE), spoiled, sum;
    ag_hog_rules rules = plain();

    (void)state;
    mpq_inits(spoiled, sum, NULL);
    for (size_t i = 0; i < sizeof faces / sizeof faces[0]; i++)
        for (int n = 1; n <= 16; n++) {
            rules.faces = faces[i];
            rules.max_rolls = 16;
            hog_oracle_law(&rules, 0, n, SIZE, p);
            hog_law_exact(faces[i], n, q, spoiled);
            mpq_add(q[1], q[1], spoiled);
            mpq_set_ui(sum, 0, 1);
            for (int k = 0; k <= n * faces[i]; k++) {
                assert_true(mpq_equal(p[k], q[k]));
                mpq_add(sum, sum, p[k]);
            }
            check_rational(sum, "1");
        }
    mpq_clears(spoiled, sum, NULL);
    free_rationals(p, SIZE);
    free_rationals(q, SIZE);
}

static void test_law_of_counted_ones(void **state)
{
    mpq_t *p = new_rationals(32), expected;
    unsigned clean[32] = {0}, ones[8] = {0};
    ag_hog_rules rules = plain();

    (void)state;
    mpq_init(expected);
    rules.pig_out = AG_HOG_PIG_OUT_ONES;
    count_rolls(6, 5, clean, ones);
    hog_oracle_law(&rules, 0, 5, 32, p);
    for (int k = 0; k < 32; k++) {
        mpq_set_ui(expected, clean[k] + (k >= 1 && k <= 5 ? ones[k] : 0), 7776);
        mpq_canonicalize(expected);
        assert_true(mpq_equal(p[k], expected));
    }
    mpq_clear(expected);
    free_rationals(p, 32);
}

static void test_law_of_replaced_scores(void **state)
{
    static const char *const one_die[] = {"1/6", "0", "0", "1/6", "1/6", "1/6", "1/6", "1/6"};
    mpq_t *p = new_rationals(16);
    ag_hog_rules rules = snowden();

    (void)state;
    hog_oracle_law(&rules, 0, 1, 16, p);
    for (int k = 0; k < 8; k++)
        check_rational(p[k], one_die[k]);
    rules = plain();
    rules.pig_out = 0;
    rules.wild = AG_HOG_WILD_SEVENS_REROLL;
    hog_oracle_law(&rules, 1, 1, 16, p);
    check_rational(p[0], "1/12");
    for (int k = 2; k <= 6; k++)
        check_rational(p[k], k % 2 == 1 ? "1/12" : "1/4");
    rules.wild = AG_HOG_WILD_SEVENS;
    hog_oracle_law(&rules, 1, 1, 16, p);
    check_rational(p[0], "1/4");
    check_rational(p[4], "1/4");
    check_rational(p[5], "0");
    free_rationals(p, 16);
}

/* ---------------------------------------------------------------- whole tables */

static void test_values_near_the_goal(void **state)
{
    mpq_t *win = new_rationals(10000);
    int *rolls = calloc(10000, sizeof *rolls);
    ag_hog_rules rules = laney();

    (void)state;
    assert_non_null(rolls);
    hog_oracle_solve_from(&rules, 149, win, rolls);
    check_rational(win[9950], "1");
    assert_int_equal(rolls[9950], 0);
    check_rational(win[8993], "33/128"); /* 0.2578125 */
    check_rational(win[9090], "1");
    rules = fa15();
    hog_oracle_solve_from(&rules, 99, win, rolls);
    check_rational(win[99], "1/6");
    assert_int_equal(rolls[99], 1);
    check_rational(win[9099], "1");
    check_near((long double)mpq_get_d(win[8999]), 0.470679012346L, 1e-12L);
    assert_int_equal(rolls[8999], 4);
    rules = su15();
    hog_oracle_solve_from(&rules, 99, win, rolls);
    check_rational(win[9900], "5/6");
    assert_int_equal(rolls[9900], 1);
    free(rolls);
    free_rationals(win, 10000);
}

/* Probability of winning by n dice where every outcome gains, in rationals. */
static void worth_of_dice(mpq_t worth, const ag_hog_rules *rules, int s, int o, int n, mpq_t *win, mpq_t *law)
{
    mpq_t term, one;

    mpq_inits(term, one, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_set_ui(worth, 0, 1);
    hog_oracle_law(rules, hog_oracle_wild(rules, s, o), n, 128, law);
    for (int k = 0; k < 128; k++) {
        const ag_hog_turn_result t = hog_oracle_turn(rules, s, o, n, k);
        if (mpq_sgn(law[k]) == 0)
            continue;
        if (t.over)
            mpq_set_ui(term, t.score > t.opponent_score, 1);
        else
            mpq_sub(term, one, win[t.opponent_score * rules->goal + t.score]);
        mpq_mul(term, term, law[k]);
        mpq_add(worth, worth, term);
    }
    mpq_clears(term, one, NULL);
}

/* The best value by dice alone, that is without passing where n = 0 gains nothing. */
static void best_by_dice(mpq_t best, const ag_hog_rules *rules, int s, int o, mpq_t *win, mpq_t *law)
{
    mpq_t worth;

    mpq_init(worth);
    mpq_set_ui(best, 0, 1);
    for (int n = 1; n <= rules->max_rolls; n++) {
        worth_of_dice(worth, rules, s, o, n, win, law);
        if (mpq_cmp(worth, best) > 0)
            mpq_set(best, worth);
    }
    mpq_clear(worth);
}

static int passes_surely(const ag_hog_rules *rules, int s, int o)
{
    const ag_hog_turn_result t = hog_oracle_turn(rules, s, o, 0, hog_oracle_bacon(rules, s, o));

    return t.score == s && t.opponent_score == o;
}

/* sp22: where both players can pass for ever, with c and d the best values without passing: V(a,b) = c if
 * c + d >= 1, else the median of c, 1/2 and 1 - d. */
static void test_passing_for_ever(void **state)
{
    const ag_hog_rules rules = sp22();
    mpq_t *win = new_rationals(10000), *law = new_rationals(128), c, d, half, one;
    int n_pairs = 0, n_endless = 0;

    (void)state;
    mpq_inits(c, d, half, one, NULL);
    mpq_set_ui(half, 1, 2);
    mpq_set_ui(one, 1, 1);
    hog_oracle_solve(&rules, win, NULL);
    check_near((long double)mpq_get_d(win[0]), 0.516823004360180L, 1e-12L);
    for (int a = 0; a < 100; a++)
        for (int b = 0; b < 100; b++) {
            if (!passes_surely(&rules, a, b) || !passes_surely(&rules, b, a))
                continue;
            best_by_dice(c, &rules, a, b, win, law);
            best_by_dice(d, &rules, b, a, win, law);
            mpq_sub(d, one, d);
            if (mpq_cmp(c, d) >= 0) /* one of the two at least need not pass: both act */
                assert_true(mpq_equal(win[100 * a + b], c));
            else if (mpq_cmp(c, half) > 0)
                assert_true(mpq_equal(win[100 * a + b], c));
            else if (mpq_cmp(d, half) < 0)
                assert_true(mpq_equal(win[100 * a + b], d));
            else
                assert_true(mpq_equal(win[100 * a + b], half));
            n_pairs += a < b;
            n_endless += a < b && mpq_equal(win[100 * a + b], half);
        }
    print_message("pairs that can pass for ever: %d, that do: %d\n", n_pairs, n_endless);
    check_rational(win[7275], "1/2");
    check_rational(win[7572], "1/2");
    assert_int_equal(n_endless, 1);
    mpq_clears(c, d, half, one, NULL);
    free_rationals(law, 128);
    free_rationals(win, 10000);
}

/* Tables of goal 100 in long double against values found by value iteration elsewhere. */
static void test_known_openings(void **state)
{
    const struct {
        ag_hog_rules rules;
        int first_move;
        long double value;
    } cases[] = {
        {laney(), 4, 0.500272882364592L},    {snowden(), 4, 0.513193375466079L},  {fa15(), 4, 0.489920597414628L},
        {neller(10), 6, 0.530664924548615L}, {neller(16), 6, 0.530100004822376L}, {plain(), 6, 0.534359523661518L},
        {su23(), 4, 0.569240345215900L},     {sp22(), 2, 0.516823004360180L},
    };
    long double *win = calloc(10000, sizeof *win);
    int *rolls = calloc(10000, sizeof *rolls);

    (void)state;
    assert_non_null(win);
    assert_non_null(rolls);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hog_oracle_solve_ld(&cases[i].rules, win, rolls);
        check_near(win[0], cases[i].value, 1e-12L);
        assert_int_equal(rolls[0], cases[i].first_move);
    }
    free(win);
    free(rolls);
}

/* Long double gives the exact table and the exact moves, where ties and zero gains abound. */
static void test_long_double_against_exact(void **state)
{
    ag_hog_rules cases[] = {laney(), snowden(), fa15(), neller(10), sp22(), su23()};
    enum { GOAL = 40 };
    mpq_t *win = new_rationals(GOAL * GOAL);
    long double win_ld[GOAL * GOAL];
    int rolls[GOAL * GOAL], rolls_ld[GOAL * GOAL];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cases[i].goal = GOAL;
        hog_oracle_solve(&cases[i], win, rolls);
        hog_oracle_solve_ld(&cases[i], win_ld, rolls_ld);
        for (int k = 0; k < GOAL * GOAL; k++) {
            check_near(win_ld[k], (long double)mpq_get_d(win[k]), 2e-16L);
            assert_int_equal(rolls[k], rolls_ld[k]);
        }
    }
    free_rationals(win, GOAL * GOAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bacon),
        cmocka_unit_test(test_bacon_pi),
        cmocka_unit_test(test_bacon_hefty),
        cmocka_unit_test(test_pig_out),
        cmocka_unit_test(test_turn_score),
        cmocka_unit_test(test_totals),
        cmocka_unit_test(test_swaps),
        cmocka_unit_test(test_extra_turns),
        cmocka_unit_test(test_order_of_a_turn),
        cmocka_unit_test(test_closed_formula),
        cmocka_unit_test(test_law_against_formula),
        cmocka_unit_test(test_law_of_counted_ones),
        cmocka_unit_test(test_law_of_replaced_scores),
        cmocka_unit_test(test_values_near_the_goal),
        cmocka_unit_test(test_passing_for_ever),
        cmocka_unit_test(test_known_openings),
        cmocka_unit_test(test_long_double_against_exact),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
