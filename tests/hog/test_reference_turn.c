/*
 * test_reference_turn.c -- single turns of Hog by the reference: every rule by example, the law of a turn
 * against enumeration of all dice, advice, and refused input.
 */
#include "reference_test.h"

#include "reference/hog_rules.h"

#include <stdbool.h>

/* ------------------------------------------------------------- points of n = 0 */

static void bacon_scores_what_the_rules_say(void **state)
{
    static const struct {
        ag_hog_bacon bacon;
        int score, opponent_score, points;
    } cases[] = {
        {AG_HOG_BACON_LARGEST_DIGIT, 0, 0, 1},
        {AG_HOG_BACON_LARGEST_DIGIT, 0, 42, 5},
        {AG_HOG_BACON_LARGEST_DIGIT, 0, 48, 9},
        {AG_HOG_BACON_LARGEST_DIGIT, 0, 7, 8},
        {AG_HOG_BACON_LARGEST_DIGIT, 0, 312, 4},
        {AG_HOG_BACON_TENS_PLUS_1, 0, 42, 5},
        {AG_HOG_BACON_TENS_PLUS_1, 0, 107, 1},
        {AG_HOG_BACON_DIGIT_DISTANCE, 0, 35, 4},
        {AG_HOG_BACON_DIGIT_DISTANCE, 0, 8, 10},
        {AG_HOG_BACON_DIGIT_PRODUCT, 0, 7, 1},
        {AG_HOG_BACON_DIGIT_PRODUCT, 0, 35, 6},
        {AG_HOG_BACON_DIGIT_PRODUCT, 0, 123, 7},
        {AG_HOG_BACON_TWICE_TENS, 0, 35, 1},
        {AG_HOG_BACON_TWICE_TENS, 0, 80, 16},
        {AG_HOG_BACON_SMALLER_DIGIT, 0, 35, 4},
        {AG_HOG_BACON_SMALLER_DIGIT, 0, 8, 1},
        {AG_HOG_BACON_TEN_MINUS_SMALLER, 0, 35, 7},
        {AG_HOG_BACON_CUBE, 0, 45, 13},
        {AG_HOG_BACON_CUBE, 0, 0, 1},
        {AG_HOG_BACON_TENS_MINUS_ONES, 0, 35, 8},
        {AG_HOG_BACON_TENS_MINUS_ONES, 0, 90, 19},
        {AG_HOG_BACON_TENS_MINUS_ONES, 0, 9, 1},
        {AG_HOG_BACON_PI, 0, 0, 6},
        {AG_HOG_BACON_PI, 0, 1, 4},
        {AG_HOG_BACON_PI, 0, 2, 7},
        {AG_HOG_BACON_PI, 0, 42, 12},
        {AG_HOG_BACON_SQUARE, 0, 0, 3},
        {AG_HOG_BACON_SQUARE, 0, 4, 4},
        {AG_HOG_BACON_FOUR_PLUS_DISTANCE, 0, 35, 6},
        {AG_HOG_BACON_SEVENTH, 0, 0, 7},
        {AG_HOG_BACON_SEVENTH, 0, 1, 1},
        {AG_HOG_BACON_SEVENTH, 0, 12, 7},
        {AG_HOG_BACON_SEVENTH, 0, 8, 4},
        {AG_HOG_BACON_HEFTY_HOGS, 1, 4, 26},  /* 1 - 5 = -4, and -4 mod 30 */
        {AG_HOG_BACON_HEFTY_HOGS, 2, 34, 29}, /* -3, then rounded down to -1 */
        {AG_HOG_BACON_HEFTY_HOGS, 1, 34, 29},
        {AG_HOG_BACON_HEFTY_HOGS, 50, 0, 1},
        {AG_HOG_BACON_HEFTY_HOGS, 24, 5, 0},
        {AG_HOG_BACON_HEFTY_HOGS, 28, 6, 0},
        {AG_HOG_BACON_HEFTY_HOGS, 999, 111, 21}, /* 999^8 mod 30 */
        {AG_HOG_BACON_PIG_TAIL, 0, 35, 5},
        {AG_HOG_BACON_PIG_TAIL, 0, 8, 17},
        {AG_HOG_BACON_BOAR_BRAWL, 21, 46, 9},
        {AG_HOG_BACON_BOAR_BRAWL, 45, 52, 1},
    };
    ag_hog_rules rules = make_rules("plain", "goal=1000");
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rules.bacon = cases[i].bacon;
        const int points = play(&rules, cases[i].score, cases[i].opponent_score, 0, NULL).turn_score;
        if (points != cases[i].points)
            fail_msg("bacon %d at (%d, %d): %d, want %d", (int)rules.bacon, cases[i].score, cases[i].opponent_score,
                     points, cases[i].points);
    }
}

static void decimals_of_pi_are_right(void **state)
{
    static const char begin[] = "31415926535897932384626433832795028841971693993751058209749445923078164062862089986"
                                "28034825342117067";
    static const char end[] = "5256375678"; /* decimals 9,991 to 10,000 */
    uint8_t *pi = NULL;
    (void)state;
    assert_int_equal(ag_ref_hog_pi(ctx, 10001, &pi), AG_OK);
    for (int i = 0; begin[i] != 0; i++)
        assert_int_equal(pi[i], begin[i] - '0');
    for (int i = 762; i < 768; i++)
        assert_int_equal(pi[i], 9);
    for (int i = 0; i < 10; i++)
        assert_int_equal(pi[9991 + i], end[i] - '0');
    for (int n = 1; n < 40; n++) { /* a shorter list is the beginning of a longer one */
        uint8_t *few = NULL;
        assert_int_equal(ag_ref_hog_pi(ctx, n, &few), AG_OK);
        assert_memory_equal(few, pi, (size_t)n);
        free(few);
    }
    free(pi);
}

/* ------------------------------------------------------------- turns by example */

/* Each line: the rules, a turn, and what it does. */
static void turns_follow_the_rules(void **state)
{
    static const struct {
        const char *preset, *set;
        int score, opponent_score, n, dice[10];
        int want_score, want_opponent_score, want_turn_score;
        bool swapped, over, again;
    } cases[] = {
        /* the goal is tested after the swap */
        {"laney", "", 90, 50, 3, {4, 4, 2}, 50, 100, 10, true, true, false},
        {"laney", "", 99, 50, 0, {0}, 105, 50, 6, false, true, false},
        {"laney", "", 99, 50, 1, {1}, 50, 100, 1, true, true, false},
        {"cs61a-su15", "", 99, 0, 0, {0}, 0, 100, 1, true, true, false},
        {"cs61a-su15", "", 90, 70, 3, {6, 6, 5}, 70, 107, 17, true, true, false},
        {"cs61a-fa17", "", 91, 37, 4, {6, 6, 6, 2}, 37, 111, 20, true, true, false},
        /* a certain win by failing: Piggy Back gives 10, and 90:109 swaps */
        {"cs61a-fa15", "", 90, 99, 10, {1, 2, 2, 2, 2, 2, 2, 2, 2, 2}, 109, 90, 0, true, true, false},
        /* Hogtimus Prime, n = 0 included */
        {"cs61a-fa15", "", 0, 60, 0, {0}, 11, 60, 11, false, false, false},
        {"cs61a-fa15", "", 0, 35, 0, {0}, 6, 35, 6, false, false, false},
        {"cs61a-fa15", "", 0, 71, 0, {0}, 8, 71, 8, false, false, false},
        {"cs61a-fa15", "", 0, 1, 1, {3}, 5, 1, 5, false, false, false},
        {"cs61a-fa15", "", 0, 1, 1, {2}, 3, 1, 3, false, false, false},
        {"plain", "pig_out=2 turn_score=hogtimus_prime", 0, 1, 1, {1}, 3, 1, 3, false, false, false},
        {"plain", "turn_score=hogtimus_prime", 0, 5, 1, {1}, 1, 5, 1, false, false, false},
        {"plain", "turn_score=touchdown,hogtimus_prime", 0, 0, 1, {6}, 11, 0, 11, false, false, false},
        {"plain", "turn_score=hogtimus_prime,touchdown", 0, 0, 1, {6}, 7, 0, 7, false, false, false},
        {"plain", "turn_score=pigs_fly", 0, 0, 10, {6, 6, 6, 6, 6, 6, 6, 6, 6, 6}, 15, 0, 15, false, false, false},
        /* a roll with a 1 */
        {"plain", "pig_out=ones", 5, 0, 4, {1, 6, 1, 1}, 8, 0, 3, false, false, false},
        {"plain", "pig_out=ones_capped", 5, 0, 10, {1, 6, 1, 1, 2, 2, 2, 2, 2, 2}, 6, 0, 1, false, false, false},
        /* total rules */
        {"plain", "total=hogtimus_total", 0, 50, 1, {3}, 3, 53, 3, false, false, false},
        {"plain", "total=hogtimus_total", 50, 0, 1, {3}, 56, 0, 3, false, false, false},
        {"plain", "total=hogtimus_total", 0, 1, 1, {1}, 1, 1, 1, false, false, false},
        {"cs61a-fa22", "", 0, 7, 1, {1}, 4, 7, 1, false, false, false},
        {"cs61a-fa22", "pig_out=0", 0, 7, 1, {1}, 0, 7, 0, false, false, false},
        {"cs61a-su23", "", 15, 7, 1, {6}, 23, 7, 6, false, false, false},
        {"cs61a-su23", "", 59, 7, 1, {3}, 67, 7, 3, false, false, false},
        {"cs61a-su23", "", 60, 7, 1, {4}, 64, 7, 4, false, false, false},
        {"cs61a-su23", "", 62, 7, 1, {5}, 67, 7, 5, false, false, false},
        {"cs61a-fa21", "", 15, 20, 1, {5}, 40, 20, 5, false, false, false},
        {"cs61a-sp22", "", 10, 26, 1, {6}, 22, 26, 6, false, false, false},
        /* extra turns */
        {"cs61a-fa20", "", 15, 40, 1, {5}, 20, 40, 5, false, false, true},
        {"cs61a-fa20", "", 15, 22, 1, {5}, 20, 22, 5, false, false, true},
        {"cs61a-fa20", "", 15, 23, 1, {5}, 20, 23, 5, false, false, false},
        {"cs61a-fa20", "", 95, 20, 1, {5}, 100, 20, 5, false, true, false},
        {"cs61a-sp21", "", 19, 35, 1, {4}, 23, 35, 4, false, false, true},
        {"cs61a-sp21", "", 3, 18, 1, {4}, 7, 18, 4, false, false, true},
        {"cs61a-sp21", "goal=1000", 119, 23, 1, {2}, 121, 23, 2, false, false, true},
        {"cs61a-su21", "", 12, 56, 1, {5}, 17, 56, 5, false, false, true},
        {"cs61a-su21", "", 14, 8, 1, {5}, 19, 8, 5, false, false, true}, /* 8 is not 08 */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const ag_hog_rules rules = make_rules(cases[i].preset, cases[i].set);
        const ag_hog_turn_result t = play(&rules, cases[i].score, cases[i].opponent_score, cases[i].n, cases[i].dice);
        if (t.score != cases[i].want_score || t.opponent_score != cases[i].want_opponent_score ||
            t.turn_score != cases[i].want_turn_score || t.swapped != cases[i].swapped || t.over != cases[i].over ||
            t.again != cases[i].again)
            fail_msg("case %zu, %s %s (%d, %d) n = %d: %d:%d, turn score %d, swapped %d, over %d, again %d", i,
                     cases[i].preset, cases[i].set, cases[i].score, cases[i].opponent_score, cases[i].n, t.score,
                     t.opponent_score, t.turn_score, t.swapped, t.over, t.again);
    }
}

/* Swap rules on the totals after the points: one die brings the mover from 2 less. */
static void totals_swap_when_the_rules_say(void **state)
{
    static const struct {
        ag_hog_swap swap;
        int mover, other;
        bool swaps;
    } cases[] = {
        {AG_HOG_SWAP_DOUBLE, 20, 40, true},
        {AG_HOG_SWAP_DOUBLE, 40, 20, true},
        {AG_HOG_SWAP_DOUBLE, 20, 20, false},
        {AG_HOG_SWAP_REVERSED_DIGITS, 19, 91, true},
        {AG_HOG_SWAP_REVERSED_DIGITS, 2, 20, true},
        {AG_HOG_SWAP_REVERSED_DIGITS, 114, 41, true},
        {AG_HOG_SWAP_REVERSED_DIGITS, 41, 114, true},
        {AG_HOG_SWAP_REVERSED_DIGITS, 107, 70, true},
        {AG_HOG_SWAP_REVERSED_DIGITS, 81, 118, true},
        {AG_HOG_SWAP_REVERSED_DIGITS, 55, 55, true},
        {AG_HOG_SWAP_REVERSED_DIGITS, 100, 0, true},
        {AG_HOG_SWAP_REVERSED_DIGITS, 71, 107, false},
        {AG_HOG_SWAP_REVERSED_DIGITS, 20, 40, false},
        {AG_HOG_SWAP_MULTIPLES, 12, 4, true},
        {AG_HOG_SWAP_MULTIPLES, 4, 12, true},
        {AG_HOG_SWAP_MULTIPLES, 12, 1, false},
        {AG_HOG_SWAP_MULTIPLES, 12, 0, false},
        {AG_HOG_SWAP_MULTIPLES, 12, 5, false},
        {AG_HOG_SWAP_ONES_TENS, 24, 41, true},
        {AG_HOG_SWAP_ONES_TENS, 41, 24, false},
        {AG_HOG_SWAP_ONES_TENS, 110, 107, true},
        {AG_HOG_SWAP_DIGIT_DISTANCE, 24, 75, true},
        {AG_HOG_SWAP_DIGIT_DISTANCE, 24, 76, false},
        {AG_HOG_SWAP_SHARED_DIGIT, 24, 74, true},
        {AG_HOG_SWAP_SHARED_DIGIT, 24, 25, true},
        {AG_HOG_SWAP_SHARED_DIGIT, 24, 42, false},
        {AG_HOG_SWAP_SHARED_DIGIT, 10, 0, false},
        {AG_HOG_SWAP_SHARED_DIGIT, 10, 20, true},
        {AG_HOG_SWAP_SHARED_DIGIT, 3, 4, false},
        {AG_HOG_SWAP_DIGIT_PRODUCT, 100, 10, true},
        {AG_HOG_SWAP_DIGIT_PRODUCT, 124, 2, true},
        {AG_HOG_SWAP_DIGIT_PRODUCT, 13, 301, true},
        {AG_HOG_SWAP_DIGIT_PRODUCT, 2, 0, false},
        {AG_HOG_SWAP_DIGIT_PRODUCT, 10, 0, true},
        {AG_HOG_SWAP_ONES_DISTANCE, 24, 37, true},
        {AG_HOG_SWAP_ONES_DISTANCE, 37, 24, false},
        {AG_HOG_SWAP_SQUARE, 49, 3, true},
        {AG_HOG_SWAP_SQUARE, 3, 49, false},
    };
    ag_hog_rules rules = make_rules("plain", "goal=1000");
    const int two[1] = {2};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rules.swap = cases[i].swap;
        const ag_hog_turn_result t = play(&rules, cases[i].mover - 2, cases[i].other, 1, two);
        if (t.swapped != cases[i].swaps || t.score != (t.swapped ? cases[i].other : cases[i].mover))
            fail_msg("swap %d at %d:%d is %d", (int)rules.swap, cases[i].mover, cases[i].other, t.swapped);
    }
}

/* sp20's swap, against the powers of three multiplied out: power[0] holds the last nine digits. */
static void powers_of_three_swap(void **state)
{
    enum { MOST = 6000, LIMBS = MOST / 18 }; /* 3^18 has nine digits */
    static uint32_t power[LIMBS + 2] = {1};
    const ag_hog_rules rules = make_rules("plain", "swap=power_of_three");
    int limbs = 1;
    (void)state;
    for (int exponent = 0; exponent <= MOST; exponent++) {
        uint64_t carry = 0;
        uint32_t first = power[limbs - 1];
        while (first >= 10)
            first /= 10;
        if (ag_ref_hog_turn(&rules, 0, exponent, 0, 0).swapped != (first == power[0] % 10))
            fail_msg("3^%d: first digit %u, last %u", exponent, first, power[0] % 10);
        for (int i = 0; i < limbs; i++) {
            carry += 3 * (uint64_t)power[i];
            power[i] = (uint32_t)(carry % 1000000000u);
            carry /= 1000000000u;
        }
        if (carry > 0)
            power[limbs++] = (uint32_t)carry;
    }
}

/* ------------------------------------------------------------- the law of a turn */

static double p_odds[AG_HOG_TOTAL_MAX + 1];

static int odds(const ag_hog_rules *rules, int wild, int n)
{
    int max_total = -1;
    if (ag_hog_odds(ctx, rules, wild, n, AG_HOG_TOTAL_MAX + 1, p_odds, &max_total) != AG_OK)
        fail_msg("%s", ag_ctx_message(ctx));
    return max_total;
}

static void laws_of_rules_are_laws(const ag_hog_rules *rules)
{
    for (int wild = 0; wild <= (rules->wild != AG_HOG_WILD_NONE); wild++)
        for (int n = 1; n <= rules->max_rolls; n += n < 12 ? 1 : 22) {
            double sum = 0;
            const int max_total = odds(rules, wild, n);
            for (int points = 0; points <= max_total; points++) {
                assert_true(p_odds[points] >= 0);
                sum += p_odds[points];
            }
            assert_true(p_odds[max_total] > 0);
            assert_near("sum of a law", sum, 1, 1e-13);
        }
}

static void laws_are_laws(void **state)
{
    static const char *const sets[] = {"faces=2 max_rolls=100", "faces=6 max_rolls=100 pig_out=ones",
                                       "faces=100 max_rolls=100", "faces=99 max_rolls=100 wild=sevens_reroll",
                                       "pig_out=1000 turn_score=touchdown,hogtimus_prime,pigs_fly max_rolls=30"};
    (void)state;
    for (size_t i = 0; ag_hog_preset_name(i) != NULL; i++) {
        const ag_hog_rules rules = make_rules(ag_hog_preset_name(i), "");
        laws_of_rules_are_laws(&rules);
    }
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        const ag_hog_rules rules = make_rules("plain", sets[i]);
        laws_of_rules_are_laws(&rules);
    }
}

/* Every throw of n dice of the kind in use at (0, opponent_score), through ag_hog_play_turn(). */
static void compare_with_enumeration(const ag_hog_rules *rules, int wild, int n)
{
    static double want[2001];
    int faces, rerolled;
    int dice[6];
    double face[7] = {0};
    const int opponent_score = wild ? 0 : 1;
    ag_hog_dice_in_use(rules, 0, opponent_score, &faces, &rerolled);
    for (int a = 1; a <= faces; a++)
        for (int b = 1; b <= faces; b++)
            face[rerolled && a % 2 == 1 ? b : a] += 1.0 / (faces * faces);

    memset(want, 0, sizeof want);
    for (int i = 0; i < n; i++)
        dice[i] = 1;
    for (int at = 0; at < n;) {
        double p = 1;
        for (int i = 0; i < n; i++)
            p *= face[dice[i]];
        want[play(rules, 0, opponent_score, n, dice).turn_score] += p;
        for (at = 0; at < n && dice[at] == faces; at++) /* the next throw, as an odometer counts */
            dice[at] = 1;
        if (at < n)
            dice[at]++;
    }

    const int max_total = odds(rules, wild, n);
    for (int points = 0; points <= 2000; points++)
        assert_near(rules->name, points <= max_total ? p_odds[points] : 0, want[points], 1e-13);
}

static void laws_agree_with_enumeration(void **state)
{
    static const char *const sets[] = {
        "pig_out=0",
        "pig_out=ones",
        "pig_out=ones_capped",
        "pig_out=1000",
        "turn_score=hogtimus_prime",
        "turn_score=touchdown,hogtimus_prime,pigs_fly pig_out=ones",
        "wild=sevens",
        "wild=sevens_reroll",
        "wild=sevens_reroll faces=5 pig_out=ones",
        "faces=4",
        "faces=2",
    };
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        const ag_hog_rules rules = make_rules("plain", sets[i]);
        for (int wild = 0; wild <= (rules.wild != AG_HOG_WILD_NONE); wild++)
            for (int n = 1; n <= 5; n++)
                compare_with_enumeration(&rules, wild, n);
    }
}

static void known_laws(void **state)
{
    static const double mean[10] = {3.5, 5.8611, 7.3657, 8.2338, 8.6357, 8.7027, 8.5352, 8.2096, 7.7832, 7.2987};
    const ag_hog_rules pig_out_0 = make_rules("neller", "");
    const ag_hog_rules pig_out_1 = make_rules("plain", "");
    const ag_hog_rules prime = make_rules("cs61a-fa15", "");
    const ag_hog_rules reroll = make_rules("plain", "wild=sevens_reroll");
    (void)state;
    for (int n = 1; n <= 10; n++) {
        double sum = 0;
        for (int k = odds(&pig_out_0, 0, n); k >= 0; k--)
            sum += k * p_odds[k];
        assert_near("mean points, pig out 0", sum, 4 * n * pow(5.0 / 6, n), 1e-13);
        sum = 0;
        for (int k = odds(&pig_out_1, 0, n); k >= 0; k--)
            sum += k * p_odds[k];
        assert_near("mean points, pig out 1", sum, mean[n - 1], 5.01e-5);
    }
    assert_int_equal(odds(&prime, 0, 1), 7); /* 0, 3, 4, 5, 6, 7: a sixth each */
    for (int k = 0; k <= 7; k++)
        assert_near("one die, Hogtimus Prime", p_odds[k], k == 1 || k == 2 ? 0 : 1.0 / 6, 0);
    assert_int_equal(odds(&reroll, 1, 1), 6);
    for (int k = 1; k <= 6; k++)
        assert_near("one die, odd ones rerolled", p_odds[k], k % 2 == 1 ? 1.0 / 12 : 1.0 / 4, 0);
    /* ten d6 without a 1 have 5^10 equally likely throws of 6^10: one rounding */
    odds(&pig_out_0, 0, 10);
    assert_near("ten dice fail", p_odds[0], (60466176.0 - 9765625.0) / 60466176.0, 0);
}

/* ------------------------------------------------------------- advice */

static ag_hog_advice advise(const ag_hog_rules *rules, int score, int opponent_score)
{
    const size_t n = (size_t)rules->goal * (size_t)rules->goal;
    double *win = malloc(n * sizeof *win);
    ag_hog_advice a;
    if (ag_ref_hog_solve(ctx, rules, 1e-12, win, NULL) != AG_OK ||
        ag_hog_advise(ctx, rules, win, score, opponent_score, &a) != AG_OK)
        fail_msg("%s", ag_ctx_message(ctx));
    free(win);
    for (int i = 1; i < a.n_moves; i++)
        assert_true(a.moves[i].win_probability <= a.moves[i - 1].win_probability + 1e-12);
    return a;
}

static void advice_names_the_best_move_first(void **state)
{
    const ag_hog_rules laney = make_rules("laney", "");
    const ag_hog_rules fa15 = make_rules("cs61a-fa15", "");
    const ag_hog_rules neller = make_rules("neller", "");
    const ag_hog_rules tied = make_rules("plain", "hog_tied=yes wild=sevens_reroll goal=40");
    (void)state;

    ag_hog_advice a = advise(&laney, 99, 50);
    assert_int_equal(a.n_moves, 11);
    assert_int_equal(a.moves[0].rolls, 0);
    assert_true(a.moves[0].win_probability == 1);
    assert_int_equal(a.bacon_points, 6);
    assert_true(a.dice == 6 && !a.rerolled && a.max_rolls == 10 && a.can_swap);

    a = advise(&laney, 0, 99); /* nothing wins: all moves are equal, in rising order */
    assert_int_equal(a.n_moves, 11);
    for (int i = 0; i < a.n_moves; i++)
        assert_int_equal(a.moves[i].rolls, i);
    assert_false(a.can_swap);

    a = advise(&fa15, 90, 99);
    assert_near("(90, 99) of fa15", a.moves[0].win_probability, 1, 1e-15);
    assert_int_equal(a.dice, 4);

    a = advise(&neller, 0, 0);
    assert_int_equal(a.bacon_points, -1);
    assert_int_equal(a.n_moves, 10);
    assert_int_equal(a.moves[0].rolls, 6);
    assert_false(a.can_swap);

    a = advise(&tied, 3, 4); /* the sum is 7: one die, and odd ones are rolled once more */
    assert_true(a.max_rolls == 1 && a.n_moves == 1 && a.rerolled && a.dice == 6);
}

/* ------------------------------------------------------------- refused input */

#define REFUSED(call, text)                                                                                            \
    do {                                                                                                               \
        assert_int_equal((call), AG_E_ARG);                                                                            \
        if (strstr(ag_ctx_message(ctx), (text)) == NULL)                                                               \
            fail_msg("message \"%s\" does not say \"%s\"", ag_ctx_message(ctx), (text));                               \
    } while (0)

static void bad_turns_are_refused(void **state)
{
    const ag_hog_rules rules = make_rules("plain", "wild=sevens hog_tied=yes");
    const int dice[11] = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
    const int bad[2] = {2, 5};
    ag_hog_turn_result t = {.score = -7};
    ag_hog_rules broken = rules;
    (void)state;
    REFUSED(ag_hog_play_turn(ctx, &rules, 100, 0, 1, dice, &t), "the scores are 100 and 0, must be 0..99");
    REFUSED(ag_hog_play_turn(ctx, &rules, 0, -1, 1, dice, &t), "the scores are 0 and -1, must be 0..99");
    REFUSED(ag_hog_play_turn(ctx, &rules, 0, 1, 11, dice, &t), "11 dice at 0 against 1, must be 1..10");
    REFUSED(ag_hog_play_turn(ctx, &rules, 0, 1, 0, dice, &t), "0 dice at 0 against 1, must be 1..10");
    REFUSED(ag_hog_play_turn(ctx, &rules, 8, 9, 2, dice, &t), "2 dice at 8 against 9, must be 1..1");
    REFUSED(ag_hog_play_turn(ctx, &rules, 3, 18, 2, bad, &t), "die 2 shows 5, must be 1..4 at 3 against 18");
    broken.faces = 1;
    assert_int_equal(ag_hog_play_turn(ctx, &broken, 0, 0, 1, dice, &t), AG_E_ARG);
    assert_int_equal(t.score, -7);
}

static void bad_odds_are_refused(void **state)
{
    const ag_hog_rules rules = make_rules("plain", "");
    const ag_hog_rules wild = make_rules("laney", "");
    ag_hog_rules broken = rules;
    double p[61] = {-7};
    int max_total = -7;
    (void)state;
    REFUSED(ag_hog_odds(ctx, &rules, 0, 0, 61, p, &max_total), "the number of dice is 0, must be 1..10");
    REFUSED(ag_hog_odds(ctx, &rules, 0, 11, 61, p, &max_total), "the number of dice is 11, must be 1..10");
    REFUSED(ag_hog_odds(ctx, &rules, 1, 1, 61, p, &max_total), "wild is 1, must be 0: these rules have no Hog Wild");
    REFUSED(ag_hog_odds(ctx, &wild, 2, 1, 61, p, &max_total), "wild is 2, must be 0 or 1");
    REFUSED(ag_hog_odds(ctx, &rules, 0, 10, 60, p, &max_total), "room for 60 totals, must be at least 61");
    broken.max_rolls = 101;
    assert_int_equal(ag_hog_odds(ctx, &broken, 0, 1, 61, p, &max_total), AG_E_ARG);
    assert_true(p[0] == -7 && max_total == -7);
    assert_int_equal(ag_hog_odds(ctx, &rules, 0, 10, 61, p, &max_total), AG_OK);
    assert_int_equal(max_total, 60);
}

static void bad_advice_is_refused(void **state)
{
    const ag_hog_rules rules = make_rules("plain", "goal=2");
    const double win[4] = {1, 1, 1, 1};
    ag_hog_rules broken = rules;
    ag_hog_advice a = {.n_moves = -7};
    (void)state;
    REFUSED(ag_hog_advise(ctx, &rules, win, 2, 0, &a), "the scores are 2 and 0, must be 0..1");
    REFUSED(ag_hog_advise(ctx, &rules, win, 0, -1, &a), "the scores are 0 and -1, must be 0..1");
    broken.goal = AG_HOG_GOAL_MAX + 1;
    assert_int_equal(ag_hog_advise(ctx, &broken, win, 0, 0, &a), AG_E_ARG);
    assert_int_equal(a.n_moves, -7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bacon_scores_what_the_rules_say),
        cmocka_unit_test(decimals_of_pi_are_right),
        cmocka_unit_test(turns_follow_the_rules),
        cmocka_unit_test(totals_swap_when_the_rules_say),
        cmocka_unit_test(powers_of_three_swap),
        cmocka_unit_test(laws_are_laws),
        cmocka_unit_test(laws_agree_with_enumeration),
        cmocka_unit_test(known_laws),
        cmocka_unit_test(advice_names_the_best_move_first),
        cmocka_unit_test(bad_turns_are_refused),
        cmocka_unit_test(bad_odds_are_refused),
        cmocka_unit_test(bad_advice_is_refused),
    };
    return cmocka_run_group_tests(tests, create_ctx, free_ctx);
}
