/*
 * test_features.c -- Hog's rules one by one: the examples of the course, and oracles that count in another way.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "hog/features.h"
#include "hog/pi_digits.h"

#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct example {
    int a, b, want;
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ------------------------------------------------------------------- n = 0 */

static void bacon_examples(void **state)
{
    static const struct {
        ag_hog_bacon kind;
        int score, opponent_score, want;
    } examples[] = {
        {AG_HOG_BACON_NONE, 5, 55, 0},
        {AG_HOG_BACON_LARGEST_DIGIT, 0, 0, 1},
        {AG_HOG_BACON_LARGEST_DIGIT, 0, 42, 5},
        {AG_HOG_BACON_LARGEST_DIGIT, 0, 48, 9},
        {AG_HOG_BACON_LARGEST_DIGIT, 0, 7, 8},
        {AG_HOG_BACON_LARGEST_DIGIT, 0, 9999, 10},
        {AG_HOG_BACON_TENS_PLUS_1, 0, 7, 1},
        {AG_HOG_BACON_TENS_PLUS_1, 0, 42, 5},
        {AG_HOG_BACON_TENS_PLUS_1, 0, 142, 5},
        {AG_HOG_BACON_DIGIT_DISTANCE, 0, 0, 2},
        {AG_HOG_BACON_DIGIT_DISTANCE, 0, 9, 11},
        {AG_HOG_BACON_DIGIT_DISTANCE, 0, 42, 4},
        {AG_HOG_BACON_DIGIT_PRODUCT, 0, 46, 5},
        {AG_HOG_BACON_DIGIT_PRODUCT, 0, 28, 7},
        {AG_HOG_BACON_DIGIT_PRODUCT, 0, 5, 1},
        {AG_HOG_BACON_DIGIT_PRODUCT, 0, 0, 1},
        {AG_HOG_BACON_DIGIT_PRODUCT, 0, 234, 5},
        {AG_HOG_BACON_TWICE_TENS, 0, 0, 1},
        {AG_HOG_BACON_TWICE_TENS, 0, 9, 1},
        {AG_HOG_BACON_TWICE_TENS, 0, 90, 18},
        {AG_HOG_BACON_TWICE_TENS, 0, 42, 6},
        {AG_HOG_BACON_SMALLER_DIGIT, 0, 8, 1},
        {AG_HOG_BACON_SMALLER_DIGIT, 0, 47, 5},
        {AG_HOG_BACON_TEN_MINUS_SMALLER, 0, 8, 10},
        {AG_HOG_BACON_TEN_MINUS_SMALLER, 0, 47, 6},
        {AG_HOG_BACON_CUBE, 0, 0, 1},
        {AG_HOG_BACON_CUBE, 0, 45, 13},
        {AG_HOG_BACON_TENS_MINUS_ONES, 0, 0, 10},
        {AG_HOG_BACON_TENS_MINUS_ONES, 0, 90, 19},
        {AG_HOG_BACON_TENS_MINUS_ONES, 0, 19, 2},
        {AG_HOG_BACON_PI, 0, 0, 6},
        {AG_HOG_BACON_PI, 0, 1, 4},
        {AG_HOG_BACON_PI, 0, 2, 7},
        {AG_HOG_BACON_PI, 0, 42, 12},
        {AG_HOG_BACON_SQUARE, 0, 0, 3},
        {AG_HOG_BACON_SQUARE, 0, 7, 7},
        {AG_HOG_BACON_SQUARE, 0, 32, 3},
        {AG_HOG_BACON_FOUR_PLUS_DISTANCE, 0, 9, 13},
        {AG_HOG_BACON_SEVENTH, 0, 0, 7},
        {AG_HOG_BACON_SEVENTH, 0, 1, 1},
        {AG_HOG_BACON_SEVENTH, 0, 6, 7},
        {AG_HOG_BACON_SEVENTH, 0, 7, 1},
        {AG_HOG_BACON_HEFTY_HOGS, 50, 0, 1},
        {AG_HOG_BACON_HEFTY_HOGS, 1, 4, 26},
        {AG_HOG_BACON_HEFTY_HOGS, 2, 34, 29},
        {AG_HOG_BACON_HEFTY_HOGS, 1, 34, 29},
        {AG_HOG_BACON_HEFTY_HOGS, 5, 123, 9},
        {AG_HOG_BACON_HEFTY_HOGS, 5, 456, 29},
        {AG_HOG_BACON_PIG_TAIL, 0, 0, 1},
        {AG_HOG_BACON_PIG_TAIL, 0, 8, 17},
        {AG_HOG_BACON_PIG_TAIL, 0, 42, 5},
        {AG_HOG_BACON_BOAR_BRAWL, 21, 46, 9},
        {AG_HOG_BACON_BOAR_BRAWL, 45, 52, 1},
        {AG_HOG_BACON_BOAR_BRAWL, 2, 5, 6},
        {AG_HOG_BACON_BOAR_BRAWL, 9, 100, 27},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(examples); i++) {
        const int got = ag_hog_bacon_points(examples[i].kind, examples[i].score, examples[i].opponent_score);
        if (got != examples[i].want)
            fail_msg("bacon %d at %d, %d: got %d, want %d", (int)examples[i].kind, examples[i].score,
                     examples[i].opponent_score, got, examples[i].want);
    }
}

static void bacon_depends_on_the_mover_as_told(void **state)
{
    (void)state;
    for (int k = 0; k < AG_HOG_N_BACON; k++) {
        const ag_hog_bacon kind = (ag_hog_bacon)k;
        const int period = ag_hog_bacon_period(kind);
        int differ_first = 0, differ_decade = 0;
        for (int s = 0; s < 100; s++) {
            for (int o = 0; o < 100; o++) {
                const int points = ag_hog_bacon_points(kind, s, o);
                differ_first |= points != ag_hog_bacon_points(kind, 0, o);
                differ_decade |= points != ag_hog_bacon_points(kind, s % 10, o);
            }
        }
        assert_int_equal(period, !differ_first ? 0 : !differ_decade ? 10 : -1);
    }
}

/* The same chain in GMP integers of any size. */
static int hefty_by_gmp(mpz_t v, int score, int opponent_score)
{
    if (opponent_score == 0)
        return 1;
    mpz_set_ui(v, (unsigned)score);
    for (int o = opponent_score; o > 0; o /= 10) {
        const int digit = o % 10;
        if (digit == 0)
            mpz_add_ui(v, v, 1);
        else if (digit == 1)
            mpz_mul(v, v, v);
        else if (digit == 2)
            mpz_mul_ui(v, v, 3);
        else if (digit == 3)
            mpz_fdiv_q_ui(v, v, 4);
        else if (digit == 4)
            mpz_sub_ui(v, v, 5);
        else if (digit == 5)
            mpz_fdiv_r_ui(v, v, 6);
        else if (digit == 6)
            mpz_fdiv_r_ui(v, v, 7), mpz_mul_ui(v, v, 8);
        else if (digit == 7)
            mpz_mul_ui(v, v, 88), mpz_tdiv_q_ui(v, v, 10);
        else if (digit == 8)
            mpz_mul_ui(v, v, 15), mpz_tdiv_q_ui(v, v, 99), mpz_add_ui(v, v, 10);
    }
    return (int)mpz_fdiv_ui(v, 30);
}

static void hefty_hogs_is_exact_up_to_its_goal(void **state)
{
    (void)state;
    mpz_t v;
    mpz_init(v);
    int zeros = 0;
    for (int s = 0; s < AG_HOG_HEFTY_GOAL_MAX; s++) {
        for (int o = 0; o < AG_HOG_HEFTY_GOAL_MAX; o++) {
            const int got = ag_hog_bacon_points(AG_HOG_BACON_HEFTY_HOGS, s, o), want = hefty_by_gmp(v, s, o);
            if (got != want)
                fail_msg("hefty hogs at %d, %d: got %d, want %d", s, o, got, want);
            zeros += got == 0 && s < 100 && o < 100;
        }
    }
    assert_int_equal(zeros, 951);
    mpz_clear(v);
}

/* As the course's hog.py computes it: f7 and f8 in doubles. */
static int hefty_by_doubles(int score, int opponent_score)
{
    if (opponent_score == 0)
        return 1;
    int v = score;
    for (int o = opponent_score; o > 0; o /= 10) {
        const int m6 = (v % 6 + 6) % 6, m7 = (v % 7 + 7) % 7, m4 = (v % 4 + 4) % 4;
        const int by_digit[10] = {v + 1,
                                  v * v,
                                  3 * v,
                                  (v - m4) / 4,
                                  v - 5,
                                  m6,
                                  8 * m7,
                                  (int)((double)v * 8.8),
                                  (int)((double)v / 99 * 15) + 10,
                                  v};
        v = by_digit[o % 10];
    }
    return (v % 30 + 30) % 30;
}

static void hefty_hogs_is_the_courses_below_100(void **state)
{
    (void)state;
    for (int s = 0; s < 100; s++)
        for (int o = 0; o < 100; o++)
            assert_int_equal(ag_hog_bacon_points(AG_HOG_BACON_HEFTY_HOGS, s, o), hefty_by_doubles(s, o));
}

/* The digits of x as text. */
static void digits_of(uint64_t x, char *digits, size_t size)
{
    snprintf(digits, size, "%llu", (unsigned long long)x);
}

static void bacon_of_squares_and_cubes(void **state)
{
    (void)state;
    for (uint64_t o = 0; o < AG_HOG_GOAL_MAX; o++) {
        char digits[24];
        digits_of(o * o * o, digits, sizeof digits);
        int sum = 0, smallest = 9;
        for (size_t i = 0; digits[i]; i++)
            sum += (i % 2 == 0 ? 1 : -1) * (digits[i] - '0');
        assert_int_equal(ag_hog_bacon_points(AG_HOG_BACON_CUBE, 0, (int)o), 1 + abs(sum));
        digits_of(o * o, digits, sizeof digits);
        for (size_t i = 0; digits[i]; i++)
            smallest = digits[i] - '0' < smallest ? digits[i] - '0' : smallest;
        assert_int_equal(ag_hog_bacon_points(AG_HOG_BACON_SQUARE, 0, (int)o), 3 + smallest);
    }
}

/* sum = scale * arctan(1/x), cut. */
static void arctan_inverse(mpz_t sum, const mpz_t scale, unsigned x)
{
    mpz_t power, term;
    mpz_init(term);
    mpz_init(power);
    mpz_tdiv_q_ui(power, scale, x);
    mpz_set(sum, power);
    for (unsigned n = 3; mpz_sgn(power) != 0; n += 2) {
        mpz_tdiv_q_ui(power, power, x * x);
        mpz_tdiv_q_ui(term, power, n);
        if (n % 4 == 3)
            mpz_sub(sum, sum, term);
        else
            mpz_add(sum, sum, term);
    }
    mpz_clears(power, term, NULL);
}

static void digits_of_pi(void **state)
{
    (void)state;
    const int digits = AG_PI_ROWS * AG_PI_ROW_DIGITS, guard = 20;
    mpz_t scale, a, b;
    mpz_inits(scale, a, b, NULL);
    mpz_ui_pow_ui(scale, 10, (unsigned)(digits + guard));
    arctan_inverse(a, scale, 5);
    arctan_inverse(b, scale, 239);
    mpz_mul_ui(a, a, 16);
    mpz_mul_ui(b, b, 4);
    mpz_sub(a, a, b);
    char *text = mpz_get_str(NULL, 10, a); /* the guard digits are cut by the comparison */
    assert_int_equal(text[0], '3');
    for (int row = 0; row < AG_PI_ROWS; row++) {
        assert_int_equal(strlen(ag_pi_digits[row]), AG_PI_ROW_DIGITS);
        assert_memory_equal(ag_pi_digits[row], text + 1 + row * AG_PI_ROW_DIGITS, AG_PI_ROW_DIGITS);
    }
    assert_int_equal(ag_hog_bacon_points(AG_HOG_BACON_PI, 0, digits - 1), 3 + text[digits - 1] - '0');
    void (*release)(void *, size_t);
    mp_get_memory_functions(NULL, NULL, &release);
    release(text, strlen(text) + 1);
    mpz_clears(scale, a, b, NULL);
}

/* -------------------------------------------------------- points and totals */

static bool is_prime_by_trial(int x)
{
    for (int d = 2; d * d <= x; d++)
        if (x % d == 0)
            return false;
    return x > 1;
}

static int next_prime_by_trial(int x)
{
    do
        x++;
    while (!is_prime_by_trial(x));
    return x;
}

static void turn_points(void **state)
{
    (void)state;
    const ag_hog_rules none = {0}, prime = {.turn_score = {AG_HOG_TURN_HOGTIMUS_PRIME}},
                       touchdown_prime = {.turn_score = {AG_HOG_TURN_TOUCHDOWN, AG_HOG_TURN_HOGTIMUS_PRIME}},
                       prime_touchdown = {.turn_score = {AG_HOG_TURN_HOGTIMUS_PRIME, AG_HOG_TURN_TOUCHDOWN}},
                       all = {.turn_score = {AG_HOG_TURN_TOUCHDOWN, AG_HOG_TURN_HOGTIMUS_PRIME, AG_HOG_TURN_PIGS_FLY}};
    static const struct example primes[] = {{0, 0, 0}, {0, 1, 1},   {1, 2, 3},  {1, 3, 5},   {1, 4, 4},  {1, 5, 7},
                                            {1, 6, 6}, {2, 19, 23}, {0, 7, 11}, {9, 54, 54}, {9, 53, 59}};
    for (size_t i = 0; i < COUNT(primes); i++)
        assert_int_equal(ag_hog_turn_points(&prime, primes[i].a, primes[i].b), primes[i].want);
    for (int points = 0; points <= 12000; points++) {
        assert_int_equal(ag_hog_turn_points(&none, 5, points), points);
        assert_int_equal(ag_hog_turn_points(&prime, 5, points),
                         is_prime_by_trial(points) ? next_prime_by_trial(points) : points);
    }
    assert_int_equal(ag_hog_turn_points(&touchdown_prime, 3, 6), 11); /* 6 -> 7 -> 11 */
    assert_int_equal(ag_hog_turn_points(&prime_touchdown, 3, 6), 7);
    assert_int_equal(ag_hog_turn_points(&touchdown_prime, 3, 0), 0);
    assert_int_equal(ag_hog_turn_points(&all, 10, 12), 14);
    assert_int_equal(ag_hog_turn_points(&all, 10, 18), 15); /* 18 -> 21, capped */
    assert_int_equal(ag_hog_turn_points(&all, 25, 18), 0);
    assert_int_equal(ag_hog_turn_points(&all, 40, 18), 0);
}

/* The course's take_turn(0, o) under Hogtimus Prime. */
static void hogtimus_prime_acts_on_free_bacon(void **state)
{
    (void)state;
    const ag_hog_rules rules = {.turn_score = {AG_HOG_TURN_HOGTIMUS_PRIME}};
    static const struct example examples[] = {{0, 60, 11}, {0, 35, 6}, {0, 71, 8}};
    for (size_t i = 0; i < COUNT(examples); i++)
        assert_int_equal(
            ag_hog_turn_points(&rules, 0, ag_hog_bacon_points(AG_HOG_BACON_LARGEST_DIGIT, 0, examples[i].b)),
            examples[i].want);
}

static void total_rules(void **state)
{
    (void)state;
    static uint16_t divisors[AG_HOG_SCORE_MAX + 1];
    for (size_t d = 1; d <= AG_HOG_SCORE_MAX; d++)
        for (size_t m = d; m <= AG_HOG_SCORE_MAX; m += d)
            divisors[m]++;
    int root = 1;
    for (int x = 0; x <= AG_HOG_SCORE_MAX; x++) {
        const bool sus = divisors[x] == 3 || divisors[x] == 4;
        assert_int_equal(ag_hog_total_alone(AG_HOG_TOTAL_SUS_FUSS, x), sus ? next_prime_by_trial(x) : x);
        const bool square = x == root * root;
        root += square;
        assert_int_equal(ag_hog_total_alone(AG_HOG_TOTAL_SQUARE_SWINE, x), square ? root * root : x);
        assert_int_equal(ag_hog_swaps(AG_HOG_SWAP_SQUARE, x, 5), square);
        assert_int_equal(ag_hog_total_alone(AG_HOG_TOTAL_NONE, x), x);
        assert_int_equal(ag_hog_total_alone(AG_HOG_TOTAL_HOG_PILE_EQUAL, x), x);
    }
    static const struct example sus_fuss[] = {{0, 21, 23}, {0, 62, 67}, {0, 64, 64}, {0, 67, 67},
                                              {0, 0, 0},   {0, 1, 1},   {0, 4, 5},   {0, 8, 11}};
    for (size_t i = 0; i < COUNT(sus_fuss); i++)
        assert_int_equal(ag_hog_total_alone(AG_HOG_TOTAL_SUS_FUSS, sus_fuss[i].b), sus_fuss[i].want);
    assert_int_equal(ag_hog_total_alone(AG_HOG_TOTAL_SQUARE_SWINE, 0), 0);
    assert_int_equal(ag_hog_total_alone(AG_HOG_TOTAL_SQUARE_SWINE, 1), 4);
}

static void marked_totals(void **state)
{
    (void)state;
    for (int a = 0; a < 300; a++) {
        for (int b = 0; b < 300; b++) {
            assert_int_equal(ag_hog_total_marked(AG_HOG_TOTAL_HOGTIMUS, a, b), is_prime_by_trial(a + b) && a != b);
            assert_int_equal(ag_hog_total_marked(AG_HOG_TOTAL_HOG_PILE_EQUAL, a, b), a == b);
            assert_int_equal(ag_hog_total_marked(AG_HOG_TOTAL_HOG_PILE_ONES, a, b), (a - b) % 10 == 0);
            assert_false(ag_hog_total_marked(AG_HOG_TOTAL_NONE, a, b));
            assert_false(ag_hog_total_marked(AG_HOG_TOTAL_SUS_FUSS, a, b));
        }
    }
    assert_false(ag_hog_total_marked(AG_HOG_TOTAL_HOGTIMUS, 1, 1)); /* 2 is prime, but they are tied */
    assert_int_equal(ag_hog_total_when_marked(AG_HOG_TOTAL_HOG_PILE_EQUAL, 42), 84);
    assert_int_equal(ag_hog_total_when_marked(AG_HOG_TOTAL_HOG_PILE_ONES, 47), 54);
    assert_int_equal(ag_hog_total_when_marked(AG_HOG_TOTAL_HOG_PILE_ONES, 40), 40);
    assert_int_equal(ag_hog_total_when_marked(AG_HOG_TOTAL_HOGTIMUS, 42), 42);
}

/* --------------------------------------------------------- swaps and extra turns */

static void swap_examples(void **state)
{
    static const struct {
        ag_hog_swap kind;
        int mine, theirs, want;
    } examples[] = {
        {AG_HOG_SWAP_NONE, 0, 0, 0},
        {AG_HOG_SWAP_DOUBLE, 100, 50, 1},
        {AG_HOG_SWAP_DOUBLE, 7, 14, 1},
        {AG_HOG_SWAP_DOUBLE, 0, 0, 1},
        {AG_HOG_SWAP_DOUBLE, 105, 50, 0},
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
        {AG_HOG_SWAP_REVERSED_DIGITS, 110, 1, 1},
        {AG_HOG_SWAP_MULTIPLES, 111, 37, 1},
        {AG_HOG_SWAP_MULTIPLES, 46, 92, 1},
        {AG_HOG_SWAP_MULTIPLES, 1, 40, 0},
        {AG_HOG_SWAP_MULTIPLES, 40, 1, 0},
        {AG_HOG_SWAP_MULTIPLES, 40, 0, 0},
        {AG_HOG_SWAP_MULTIPLES, 0, 40, 0},
        {AG_HOG_SWAP_MULTIPLES, 40, 40, 1},
        {AG_HOG_SWAP_ONES_TENS, 49, 92, 1},
        {AG_HOG_SWAP_ONES_TENS, 92, 49, 0},
        {AG_HOG_SWAP_ONES_TENS, 40, 9, 1},
        {AG_HOG_SWAP_ONES_TENS, 41, 112, 1},
        {AG_HOG_SWAP_DIGIT_DISTANCE, 42, 24, 1},
        {AG_HOG_SWAP_DIGIT_DISTANCE, 2, 13, 1},
        {AG_HOG_SWAP_DIGIT_DISTANCE, 102, 2, 1},
        {AG_HOG_SWAP_DIGIT_DISTANCE, 42, 43, 0},
        {AG_HOG_SWAP_SHARED_DIGIT, 42, 49, 1},
        {AG_HOG_SWAP_SHARED_DIGIT, 42, 24, 0},
        {AG_HOG_SWAP_SHARED_DIGIT, 2, 92, 1},
        {AG_HOG_SWAP_SHARED_DIGIT, 2, 3, 0},
        {AG_HOG_SWAP_SHARED_DIGIT, 0, 10, 0},
        {AG_HOG_SWAP_SHARED_DIGIT, 0, 0, 0},
        {AG_HOG_SWAP_SHARED_DIGIT, 100, 20, 1},
        {AG_HOG_SWAP_SHARED_DIGIT, 105, 4, 0},
        {AG_HOG_SWAP_DIGIT_PRODUCT, 100, 10, 1},
        {AG_HOG_SWAP_DIGIT_PRODUCT, 124, 2, 1},
        {AG_HOG_SWAP_DIGIT_PRODUCT, 13, 301, 1},
        {AG_HOG_SWAP_DIGIT_PRODUCT, 2, 0, 0},
        {AG_HOG_SWAP_DIGIT_PRODUCT, 10, 0, 1},
        {AG_HOG_SWAP_POWER_OF_THREE, 0, 0, 1}, /* 1 */
        {AG_HOG_SWAP_POWER_OF_THREE, 1, 1, 1}, /* 9 */
        {AG_HOG_SWAP_POWER_OF_THREE, 2, 1, 0}, /* 27 */
        {AG_HOG_SWAP_POWER_OF_THREE, 5, 4, 0}, /* 19683 */
        {AG_HOG_SWAP_POWER_OF_THREE, 4, 4, 0}, /* 6561 */
        {AG_HOG_SWAP_POWER_OF_THREE, 6, 5, 0}, /* 177147 */
        {AG_HOG_SWAP_ONES_DISTANCE, 43, 21, 1},
        {AG_HOG_SWAP_ONES_DISTANCE, 21, 43, 0},
        {AG_HOG_SWAP_ONES_DISTANCE, 17, 7, 1},
        {AG_HOG_SWAP_SQUARE, 49, 0, 1},
        {AG_HOG_SWAP_SQUARE, 0, 49, 0},
        {AG_HOG_SWAP_SQUARE, 1, 0, 1},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(examples); i++)
        if (ag_hog_swaps(examples[i].kind, examples[i].mine, examples[i].theirs) != examples[i].want)
            fail_msg("swap %d at %d, %d: want %d", (int)examples[i].kind, examples[i].mine, examples[i].theirs,
                     examples[i].want);
}

/* Every digit rule again, on the scores written out. */
static void swaps_by_text(void **state)
{
    (void)state;
    for (int mine = 0; mine < 320; mine++) {
        for (int theirs = 0; theirs < 320; theirs++) {
            char m[12], t[12];
            snprintf(m, sizeof m, "%02d", mine);
            snprintf(t, sizeof t, "%02d", theirs);
            const char *m2 = m + strlen(m) - 2, *t2 = t + strlen(t) - 2;
            assert_int_equal(ag_hog_swaps(AG_HOG_SWAP_REVERSED_DIGITS, mine, theirs), m2[0] == t2[1] && m2[1] == t2[0]);
            assert_int_equal(ag_hog_swaps(AG_HOG_SWAP_ONES_TENS, mine, theirs), m2[1] == t2[0]);
            assert_int_equal(ag_hog_swaps(AG_HOG_SWAP_DIGIT_DISTANCE, mine, theirs),
                             abs(m2[0] - m2[1]) == abs(t2[0] - t2[1]));
            assert_int_equal(ag_hog_swaps(AG_HOG_SWAP_ONES_DISTANCE, mine, theirs), abs(m2[1] - t2[1]) == t2[0] - '0');

            const int len_m = snprintf(m, sizeof m, "%d", mine), len_t = snprintf(t, sizeof t, "%d", theirs);
            assert_int_equal(ag_hog_swaps(AG_HOG_SWAP_DIGIT_PRODUCT, mine, theirs),
                             (m[0] - '0') * (m[len_m - 1] - '0') == (t[0] - '0') * (t[len_t - 1] - '0'));
            bool shared = false;
            for (int i = 1; i <= len_m && i <= len_t; i++)
                shared = shared || (mine > 0 && theirs > 0 && m[len_m - i] == t[len_t - i]);
            assert_int_equal(ag_hog_swaps(AG_HOG_SWAP_SHARED_DIGIT, mine, theirs), shared);
        }
    }
}

static void powers_of_three_by_gmp(void **state)
{
    (void)state;
    mpz_t power, unit, ten_units, first;
    mpz_inits(power, unit, ten_units, first, NULL);
    mpz_set_ui(power, 1);
    mpz_set_ui(unit, 1); /* the power of ten with unit <= power < 10 unit */
    mpz_set_ui(ten_units, 10);
    for (int k = 0; k <= AG_HOG_SCORE_MAX; k++) {
        mpz_tdiv_q(first, power, unit);
        const bool want = mpz_get_ui(first) == mpz_tdiv_ui(power, 10);
        if (ag_hog_swaps(AG_HOG_SWAP_POWER_OF_THREE, k / 3, k - k / 3) != want)
            fail_msg("3^%d: want %d", k, want);
        mpz_mul_ui(power, power, 3);
        if (mpz_cmp(power, ten_units) >= 0) {
            mpz_swap(unit, ten_units);
            mpz_mul_ui(ten_units, unit, 10);
        }
    }
    mpz_clears(power, unit, ten_units, first, NULL);
}

static void extra_turns(void **state)
{
    static const struct {
        ag_hog_extra kind;
        int mine, theirs, want;
    } examples[] = {
        {AG_HOG_EXTRA_NONE, 1, 2, 0},
        {AG_HOG_EXTRA_SWINE_ALIGN_PIG_PASS, 30, 40, 1}, /* gcd 10 */
        {AG_HOG_EXTRA_SWINE_ALIGN_PIG_PASS, 44, 33, 1},
        {AG_HOG_EXTRA_SWINE_ALIGN_PIG_PASS, 27, 18, 0}, /* gcd 9 */
        {AG_HOG_EXTRA_SWINE_ALIGN_PIG_PASS, 50, 0, 0},
        {AG_HOG_EXTRA_SWINE_ALIGN_PIG_PASS, 0, 50, 0},
        {AG_HOG_EXTRA_SWINE_ALIGN_PIG_PASS, 50, 50, 1},
        {AG_HOG_EXTRA_SWINE_ALIGN_PIG_PASS, 9, 9, 0},
        {AG_HOG_EXTRA_SWINE_ALIGN_PIG_PASS, 9, 10, 1},
        {AG_HOG_EXTRA_SWINE_ALIGN_PIG_PASS, 9, 11, 1},
        {AG_HOG_EXTRA_SWINE_ALIGN_PIG_PASS, 9, 12, 0},
        {AG_HOG_EXTRA_SWINE_ALIGN_PIG_PASS, 0, 2, 1},
        {AG_HOG_EXTRA_SWINE_ALIGN_PIG_PASS, 10, 9, 0},
        {AG_HOG_EXTRA_MORE_BOAR_SP21, 21, 43, 1},
        {AG_HOG_EXTRA_MORE_BOAR_SP21, 21, 41, 0},
        {AG_HOG_EXTRA_MORE_BOAR_SP21, 7, 18, 1},
        {AG_HOG_EXTRA_MORE_BOAR_SP21, 7, 8, 0},
        {AG_HOG_EXTRA_MORE_BOAR_SP21, 100, 21, 1}, /* 10 against 21 */
        {AG_HOG_EXTRA_MORE_BOAR_SP21, 12, 234, 1}, /* 12 against 23 */
        {AG_HOG_EXTRA_MORE_BOAR_SU21, 29, 55, 1},
        {AG_HOG_EXTRA_MORE_BOAR_SU21, 29, 25, 0},
        {AG_HOG_EXTRA_MORE_BOAR_SU21, 8, 55, 0}, /* 8 is not 08 */
        {AG_HOG_EXTRA_MORE_BOAR_SU21, 19, 8, 1},
        {AG_HOG_EXTRA_MORE_BOAR_SU21, 109, 18, 1},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(examples); i++)
        if (ag_hog_moves_again(examples[i].kind, examples[i].mine, examples[i].theirs) != examples[i].want)
            fail_msg("extra turn %d at %d, %d: want %d", (int)examples[i].kind, examples[i].mine, examples[i].theirs,
                     examples[i].want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bacon_examples),
        cmocka_unit_test(bacon_depends_on_the_mover_as_told),
        cmocka_unit_test(hefty_hogs_is_exact_up_to_its_goal),
        cmocka_unit_test(hefty_hogs_is_the_courses_below_100),
        cmocka_unit_test(bacon_of_squares_and_cubes),
        cmocka_unit_test(digits_of_pi),
        cmocka_unit_test(turn_points),
        cmocka_unit_test(hogtimus_prime_acts_on_free_bacon),
        cmocka_unit_test(total_rules),
        cmocka_unit_test(marked_totals),
        cmocka_unit_test(swap_examples),
        cmocka_unit_test(swaps_by_text),
        cmocka_unit_test(powers_of_three_by_gmp),
        cmocka_unit_test(extra_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
