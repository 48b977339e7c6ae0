/*
 * hog_oracle.c -- the rules of Hog as plain functions of the scores, and the law of a roll by counting.
 *
 * One function for each kind of rule, in the order in which a turn applies them. The
 * backward induction is in hog_oracle_backward.h, which is read twice: for rationals and
 * for long double.
 */
#include "hog_oracle.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------- numbers */

static int ones_digit(int x)
{
    return x % 10;
}

static int tens_digit(int x)
{
    return x / 10 % 10;
}

static int first_digit(int x)
{
    while (x >= 10)
        x /= 10;
    return x;
}

/* The digits as written: 8 has the one digit 8, 0 the one digit 0. */
static int smallest_digit(int x)
{
    int smallest = x % 10;

    for (x /= 10; x > 0; x /= 10)
        smallest = x % 10 < smallest ? x % 10 : smallest;
    return smallest;
}

static int largest_digit(int x)
{
    int largest = x % 10;

    for (x /= 10; x > 0; x /= 10)
        largest = x % 10 > largest ? x % 10 : largest;
    return largest;
}

static int digit_distance(int x)
{
    return abs(tens_digit(x) - ones_digit(x));
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int divisors(int x)
{
    int count = 0;

    for (int d = 1; d * d <= x; d++)
        if (x % d == 0)
            count += d * d == x ? 1 : 2;
    return count;
}

static int is_prime(int x)
{
    return divisors(x) == 2;
}

static int next_prime(int x)
{
    do
        x++;
    while (!is_prime(x));
    return x;
}

/* The root of a perfect square from 1 on; 0 for any other number, 0 itself included. */
static int square_root(int x)
{
    int root = 0;

    while (root * root < x)
        root++;
    return root * root == x ? root : 0;
}

static int greatest_common_divisor(int a, int b)
{
    while (b != 0) {
        const int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* -------------------------------------------------------------- points of n = 0 */

/* sum = unit * arctan(1 / x), each term cut off to an integer. */
static void scaled_arctan(mpz_t sum, const mpz_t unit, unsigned long x)
{
    mpz_t power, term;

    mpz_inits(power, term, NULL);
    mpz_tdiv_q_ui(power, unit, x);
    mpz_set(sum, power);
    for (unsigned long i = 1; mpz_sgn(power) != 0; i++) {
        mpz_tdiv_q_ui(power, power, x * x);
        mpz_tdiv_q_ui(term, power, 2 * i + 1);
        if (i % 2 == 0)
            mpz_add(sum, sum, term);
        else
            mpz_sub(sum, sum, term);
    }
    mpz_clears(power, term, NULL);
}

/* Digit i of pi, counted from 0 = the 3 before the point; by Machin: pi = 16 arctan(1/5) - 4 arctan(1/239). */
static int pi_digit(int i)
{
    enum { GUARD = 20 }; /* some 7,200 terms are cut off by less than 1 each, times 16: far below 10^20 */
    static char digits[AG_HOG_GOAL_MAX + GUARD + 3];

    if (digits[0] == '\0') {
        mpz_t unit, a, b;
        mpz_inits(unit, a, b, NULL);
        mpz_ui_pow_ui(unit, 10, AG_HOG_GOAL_MAX + GUARD);
        scaled_arctan(a, unit, 5);
        scaled_arctan(b, unit, 239);
        mpz_mul_ui(a, a, 16);
        mpz_submul_ui(a, b, 4);
        mpz_get_str(digits, 10, a);
        mpz_clears(unit, a, b, NULL);
    }
    assert(i >= 0 && i <= AG_HOG_GOAL_MAX);
    return digits[i] - '0';
}

/* 1 + |alternating sum of the digits of o^3|. */
static int cube_bacon(int o)
{
    mpz_t cube;
    int sum = 0, sign = 1;

    mpz_init(cube);
    mpz_ui_pow_ui(cube, (unsigned long)o, 3);
    for (; mpz_sgn(cube) != 0; sign = -sign)
        sum += sign * (int)mpz_tdiv_q_ui(cube, cube, 10);
    mpz_clear(cube);
    return 1 + abs(sum);
}

/* 3 + smallest digit of o^2; goals up to 10,000 keep the square within an int. */
static int square_bacon(int o)
{
    return 3 + smallest_digit(o * o);
}

/* 1 + last digit of the product of o's digits; a single digit has a 0 before it. */
static int product_bacon(int o)
{
    int product = o < 10 ? 0 : 1;

    for (; o > 0; o /= 10)
        product = product * (o % 10) % 10;
    return 1 + product;
}

/* The o-th decimal of 1/7 by long division; o = 0: 7. */
static int seventh_bacon(int o)
{
    int rest = 1, decimal = 7;

    for (int i = 0; i < o; i++) {
        decimal = 10 * rest / 7;
        rest = 10 * rest % 7;
    }
    return decimal;
}

/* One digit function of Hefty Hogs. "floor" and "mod" as in Python: the remainder of -4 by 30 is 26. */
static void hefty_digit(mpz_t v, int digit)
{
    switch (digit) {
    case 0:
        mpz_add_ui(v, v, 1);
        break;
    case 1:
        mpz_mul(v, v, v);
        break;
    case 2:
        mpz_mul_ui(v, v, 3);
        break;
    case 3:
        mpz_fdiv_q_ui(v, v, 4);
        break;
    case 4:
        mpz_sub_ui(v, v, 5);
        break;
    case 5:
        mpz_fdiv_r_ui(v, v, 6);
        break;
    case 6:
        mpz_fdiv_r_ui(v, v, 7);
        mpz_mul_ui(v, v, 8);
        break;
    case 7: /* 8.8 v, cut off towards 0 */
        mpz_mul_ui(v, v, 88);
        mpz_tdiv_q_ui(v, v, 10);
        break;
    case 8: /* 15 v / 99, cut off towards 0 */
        mpz_mul_ui(v, v, 15);
        mpz_tdiv_q_ui(v, v, 99);
        mpz_add_ui(v, v, 10);
        break;
    default:
        break;
    }
}

static int hefty_bacon(int s, int o)
{
    mpz_t v;
    int points;

    if (o == 0)
        return 1;
    mpz_init_set_ui(v, (unsigned long)s);
    for (; o > 0; o /= 10)
        hefty_digit(v, o % 10);
    points = (int)mpz_fdiv_ui(v, 30);
    mpz_clear(v);
    return points;
}

int hog_oracle_bacon(const ag_hog_rules *rules, int score, int opponent_score)
{
    const int tens = tens_digit(opponent_score), ones = ones_digit(opponent_score);

    switch (rules->bacon) {
    case AG_HOG_BACON_LARGEST_DIGIT:
        return largest_digit(opponent_score) + 1;
    case AG_HOG_BACON_TENS_PLUS_1:
        return tens + 1;
    case AG_HOG_BACON_DIGIT_DISTANCE:
        return 2 + abs(tens - ones);
    case AG_HOG_BACON_DIGIT_PRODUCT:
        return product_bacon(opponent_score);
    case AG_HOG_BACON_TWICE_TENS:
        return larger(2 * tens - ones, 1);
    case AG_HOG_BACON_SMALLER_DIGIT:
        return 1 + smaller(tens, ones);
    case AG_HOG_BACON_TEN_MINUS_SMALLER:
        return 10 - smaller(tens, ones);
    case AG_HOG_BACON_CUBE:
        return cube_bacon(opponent_score);
    case AG_HOG_BACON_TENS_MINUS_ONES:
        return 10 - ones + tens;
    case AG_HOG_BACON_PI:
        return 3 + pi_digit(opponent_score);
    case AG_HOG_BACON_SQUARE:
        return square_bacon(opponent_score);
    case AG_HOG_BACON_FOUR_PLUS_DISTANCE:
        return 4 + abs(tens - ones);
    case AG_HOG_BACON_SEVENTH:
        return seventh_bacon(opponent_score);
    case AG_HOG_BACON_HEFTY_HOGS:
        return hefty_bacon(score, opponent_score);
    case AG_HOG_BACON_PIG_TAIL:
        return 2 * abs(tens - ones) + 1;
    case AG_HOG_BACON_BOAR_BRAWL:
        return larger(1, 3 * abs(tens - ones_digit(score)));
    case AG_HOG_BACON_NONE:
    case AG_HOG_N_BACON:
        break;
    }
    assert(0 && "n = 0 is not allowed");
    return 0;
}

/* ------------------------------------------------------------- rules of a turn */

int hog_oracle_wild(const ag_hog_rules *rules, int score, int opponent_score)
{
    return rules->wild != AG_HOG_WILD_NONE && (score + opponent_score) % 7 == 0;
}

int hog_oracle_fewest(const ag_hog_rules *rules)
{
    return rules->bacon == AG_HOG_BACON_NONE ? 1 : 0;
}

int hog_oracle_most(const ag_hog_rules *rules, int score, int opponent_score)
{
    return rules->hog_tied && (score + opponent_score) % 10 == 7 ? 1 : rules->max_rolls;
}

/* Points of a roll of n dice of which `ones` show 1 and all together show `sum`. */
static int points_of(const ag_hog_rules *rules, int n, int ones, int sum)
{
    if (ones == 0)
        return sum;
    if (rules->pig_out == AG_HOG_PIG_OUT_ONES)
        return ones;
    if (rules->pig_out == AG_HOG_PIG_OUT_ONES_CAPPED)
        return larger(0, smaller(11 - n, ones));
    return rules->pig_out;
}

int hog_oracle_roll_points(const ag_hog_rules *rules, int n, const int *dice)
{
    int ones = 0, sum = 0;

    for (int i = 0; i < n; i++) {
        ones += dice[i] == 1;
        sum += dice[i];
    }
    return points_of(rules, n, ones, sum);
}

/* The turn score: what the rules of the list make of the points, one after the other. */
static int turn_score(const ag_hog_rules *rules, int n, int points)
{
    for (int i = 0; i < AG_HOG_TURN_RULES_MAX && rules->turn_score[i] != AG_HOG_TURN_NONE; i++) {
        if (rules->turn_score[i] == AG_HOG_TURN_HOGTIMUS_PRIME && is_prime(points))
            points = next_prime(points);
        else if (rules->turn_score[i] == AG_HOG_TURN_TOUCHDOWN && points % 6 == 0)
            points += points / 6;
        else if (rules->turn_score[i] == AG_HOG_TURN_PIGS_FLY)
            points = smaller(points, larger(0, 25 - n));
    }
    return points;
}

/* Total rules: the points of the turn are added, the swap is still to come. */
static void apply_total(ag_hog_total total, ag_hog_turn_result *t)
{
    switch (total) {
    case AG_HOG_TOTAL_HOGTIMUS:
        if (is_prime(t->score + t->opponent_score)) {
            if (t->score > t->opponent_score)
                t->score += t->turn_score;
            else if (t->opponent_score > t->score)
                t->opponent_score += t->turn_score;
        }
        break;
    case AG_HOG_TOTAL_SQUARE_SWINE: {
        const int root = square_root(t->score);
        if (root > 0)
            t->score = (root + 1) * (root + 1);
        break;
    }
    case AG_HOG_TOTAL_SUS_FUSS:
        if (divisors(t->score) == 3 || divisors(t->score) == 4)
            t->score = next_prime(t->score);
        break;
    case AG_HOG_TOTAL_HOG_PILE_EQUAL:
        if (t->score == t->opponent_score)
            t->score *= 2;
        break;
    case AG_HOG_TOTAL_HOG_PILE_ONES:
        if (ones_digit(t->score) == ones_digit(t->opponent_score))
            t->score += ones_digit(t->score);
        break;
    case AG_HOG_TOTAL_NONE:
    case AG_HOG_N_TOTAL:
        break;
    }
}

/* The same digit in the same place, counted from the right; places that a score does not have, and all of 0, do
 * not count. */
static int share_digit(int s, int o)
{
    for (; s > 0 && o > 0; s /= 10, o /= 10)
        if (s % 10 == o % 10)
            return 1;
    return 0;
}

/* First and last decimal digit of 3^e agree. */
static int power_of_three_agrees(int e)
{
    mpz_t power;
    char *digits;
    int agree;

    mpz_init(power);
    mpz_ui_pow_ui(power, 3, (unsigned long)e);
    digits = mpz_get_str(NULL, 10, power);
    agree = digits[0] == digits[strlen(digits) - 1];
    free(digits);
    mpz_clear(power);
    return agree;
}

/* 1: the totals s of the mover and o of the other are exchanged. */
static int swaps(ag_hog_swap swap, int s, int o)
{
    switch (swap) {
    case AG_HOG_SWAP_DOUBLE:
        return s == 2 * o || o == 2 * s;
    case AG_HOG_SWAP_REVERSED_DIGITS:
        return tens_digit(s) == ones_digit(o) && ones_digit(s) == tens_digit(o);
    case AG_HOG_SWAP_MULTIPLES:
        return s > 1 && o > 1 && (s % o == 0 || o % s == 0);
    case AG_HOG_SWAP_ONES_TENS:
        return ones_digit(s) == tens_digit(o);
    case AG_HOG_SWAP_DIGIT_DISTANCE:
        return digit_distance(s) == digit_distance(o);
    case AG_HOG_SWAP_SHARED_DIGIT:
        return share_digit(s, o);
    case AG_HOG_SWAP_DIGIT_PRODUCT:
        return first_digit(s) * ones_digit(s) == first_digit(o) * ones_digit(o);
    case AG_HOG_SWAP_POWER_OF_THREE:
        return power_of_three_agrees(s + o);
    case AG_HOG_SWAP_ONES_DISTANCE:
        return abs(ones_digit(s) - ones_digit(o)) == tens_digit(o);
    case AG_HOG_SWAP_SQUARE:
        return square_root(s) > 0;
    case AG_HOG_SWAP_NONE:
    case AG_HOG_N_SWAP:
        break;
    }
    return 0;
}

/* The two leftmost digits, tens and ones of what remains; a single digit has a 0 before it. */
static int two_leftmost(int x)
{
    while (x >= 100)
        x /= 10;
    return x;
}

/* 1: the mover, whose total is now s, goes again. */
static int goes_again(ag_hog_extra extra, int s, int o)
{
    switch (extra) {
    case AG_HOG_EXTRA_SWINE_ALIGN_PIG_PASS:
        return (s > 0 && o > 0 && greatest_common_divisor(s, o) >= 10) || (o - s > 0 && o - s < 3);
    case AG_HOG_EXTRA_MORE_BOAR_SP21:
        return two_leftmost(s) / 10 < two_leftmost(o) / 10 && two_leftmost(s) % 10 < two_leftmost(o) % 10;
    case AG_HOG_EXTRA_MORE_BOAR_SU21:
        return smallest_digit(s) < smallest_digit(o) && largest_digit(s) > largest_digit(o);
    case AG_HOG_EXTRA_NONE:
    case AG_HOG_N_EXTRA:
        break;
    }
    return 0;
}

ag_hog_turn_result hog_oracle_turn(const ag_hog_rules *rules, int score, int opponent_score, int n, int points)
{
    ag_hog_turn_result t = {0};

    t.turn_score = turn_score(rules, n, points);
    t.score = score + t.turn_score;
    t.opponent_score = opponent_score;
    if (rules->piggy_back && t.turn_score == 0) {
        t.given = n;
        t.opponent_score += t.given;
    }
    apply_total(rules->total, &t);
    t.swapped = swaps(rules->swap, t.score, t.opponent_score);
    if (t.swapped) {
        const int mine = t.score;
        t.score = t.opponent_score;
        t.opponent_score = mine;
    }
    t.over = t.score >= rules->goal || t.opponent_score >= rules->goal;
    t.again = !t.over && goes_again(rules->extra_turn, t.score, t.opponent_score);
    return t;
}

/* ------------------------------------------------------------------ law of a roll */

/* Entries that the law of the points (before the turn-score rules) of n dice needs. */
static int law_size(const ag_hog_rules *rules, int n)
{
    return larger(n * larger(rules->faces, 4), rules->pig_out) + 1;
}

/* Ways in which one die comes to show v: out of faces^2 where it may be rolled once more, else out of faces. */
static unsigned long ways_of_face(int faces, int rerolled, int v)
{
    const int odd = (faces + 1) / 2;

    if (!rerolled)
        return 1;
    return (unsigned long)(v % 2 == 1 ? odd : odd + faces);
}

/* ways[k]: in how many ways n dice show k together and no 1; [n * faces + 1], set to 0. */
static void count_clean_rolls(mpz_t *ways, int faces, int rerolled, int n)
{
    mpz_set_ui(ways[0], 1);
    for (int die = 1; die <= n; die++)
        for (int k = die * faces; k >= 0; k--) { /* from above: ways[k - v] still counts one die less */
            mpz_set_ui(ways[k], 0);
            for (int v = 2; v <= faces && v <= k; v++)
                mpz_addmul_ui(ways[k], ways[k - v], ways_of_face(faces, rerolled, v));
        }
}

/* The law of the points of n >= 1 dice before the turn-score rules; p: [law_size()], initialised. */
static void points_law(const ag_hog_rules *rules, int wild, int n, mpq_t *p)
{
    const int rerolled = wild && rules->wild == AG_HOG_WILD_SEVENS_REROLL;
    const int faces = wild && !rerolled ? 4 : rules->faces;
    const int n_ways = n * faces + 1, size = law_size(rules, n);
    mpz_t *ways = calloc((size_t)n_ways, sizeof *ways);
    mpz_t count, one, others, all;

    assert(ways != NULL);
    mpz_inits(count, one, others, all, NULL);
    for (int k = 0; k < n_ways; k++)
        mpz_init(ways[k]);
    for (int k = 0; k < size; k++)
        mpq_set_ui(p[k], 0, 1);

    count_clean_rolls(ways, faces, rerolled, n);
    for (int k = 0; k < n_ways; k++)
        mpz_add(mpq_numref(p[k]), mpq_numref(p[k]), ways[k]);

    mpz_set_ui(one, ways_of_face(faces, rerolled, 1));
    for (int v = 2; v <= faces; v++)
        mpz_add_ui(others, others, ways_of_face(faces, rerolled, v));
    for (int ones = 1; ones <= n; ones++) { /* C(n, ones) one^ones others^(n - ones) */
        mpz_bin_uiui(count, (unsigned long)n, (unsigned long)ones);
        for (int die = 0; die < n; die++)
            mpz_mul(count, count, die < ones ? one : others);
        mpz_ptr at = mpq_numref(p[points_of(rules, n, ones, 0)]);
        mpz_add(at, at, count);
    }

    mpz_ui_pow_ui(all, (unsigned long)faces, (unsigned long)(rerolled ? 2 * n : n));
    for (int k = 0; k < size; k++) {
        mpz_set(mpq_denref(p[k]), all);
        mpq_canonicalize(p[k]);
    }
    for (int k = 0; k < n_ways; k++)
        mpz_clear(ways[k]);
    free(ways);
    mpz_clears(count, one, others, all, NULL);
}

void hog_oracle_law(const ag_hog_rules *rules, int wild, int n, size_t size, mpq_t *p)
{
    const int n_points = law_size(rules, n);
    mpq_t *points = calloc((size_t)n_points, sizeof *points);

    assert(points != NULL);
    for (size_t k = 0; k < size; k++)
        mpq_set_ui(p[k], 0, 1);
    for (int k = 0; k < n_points; k++)
        mpq_init(points[k]);
    points_law(rules, wild, n, points);
    for (int k = 0; k < n_points; k++) {
        const size_t to = (size_t)turn_score(rules, n, k);
        if (mpq_sgn(points[k]) > 0) {
            assert(to < size);
            mpq_add(p[to], p[to], points[k]);
        }
        mpq_clear(points[k]);
    }
    free(points);
}

/* ------------------------------------------------- two states that depend on each other */

/*
 * What a move can do, as far as endless play goes: LEAVES if with some probability it ends
 * the game or raises the sum of scores; else the set of positions of its pair to which it
 * surely goes, as bits 2 * other + state (other = 1: the other player is next).
 */
enum { LEAVES = 16, N_KINDS = LEAVES + 1 };

/*
 * The positions, as bits 2 * player + state, from which play never leaves a pair of states
 * when player 0 makes moves of the kinds mine[state] and player 1 of the kinds his[state].
 */
static unsigned endless_positions(const int mine[2], const int his[2])
{
    unsigned leaving = 0, before;

    do {
        before = leaving;
        for (unsigned at = 0; at < 4; at++) {
            const unsigned kind = (unsigned)(at < 2 ? mine[at] : his[at - 2]);
            const unsigned to = at < 2 ? kind : (kind << 2 | kind >> 2);
            if (kind == LEAVES || (to & leaving) != 0)
                leaving |= 1u << at;
        }
    } while (leaving != before);
    return 15u & ~leaving;
}

/* ------------------------------------------------------------ the two kinds of number */

/* A long double that is handled like an mpq_t. */
typedef long double ld_number[1];

static void ld_init(long double *a)
{
    *a = 0;
}

static void ld_clear(long double *a)
{
    (void)a;
}

static void ld_set(long double *a, const long double *b)
{
    *a = *b;
}

static void ld_set_si(long double *a, long numerator, unsigned long denominator)
{
    *a = (long double)numerator / (long double)denominator;
}

/* A double and the double nearest to the rest: 64 bits and more. */
static void ld_from_rational(long double *a, const mpq_t b)
{
    const double head = mpq_get_d(b);
    mpq_t rest;

    mpq_init(rest);
    mpq_set_d(rest, head);
    mpq_sub(rest, b, rest);
    *a = (long double)head + (long double)mpq_get_d(rest);
    mpq_clear(rest);
}

static void ld_add(long double *sum, const long double *a, const long double *b)
{
    *sum = *a + *b;
}

static void ld_sub(long double *difference, const long double *a, const long double *b)
{
    *difference = *a - *b;
}

static void ld_mul(long double *product, const long double *a, const long double *b)
{
    *product = *a * *b;
}

static void ld_div(long double *quotient, const long double *a, const long double *b)
{
    *quotient = *a / *b;
}

/* Numbers within 1e-16 count as equal: 1,000 roundings of numbers up to 1. */
static int ld_cmp(const long double *a, const long double *b)
{
    return fabsl(*a - *b) <= 1e-16L ? 0 : *a < *b ? -1 : 1;
}

#define mpq_from_rational mpq_set

#define MOVE NAME(move)
#define PAIR NAME(pair)
#define GAME NAME(game)

#define NUMBER     mpq_t
#define OP(name)   mpq_##name
#define NAME(name) exact_##name
#include "hog_oracle_backward.h"
#undef NUMBER
#undef OP
#undef NAME

#define NUMBER     ld_number
#define OP(name)   ld_##name
#define NAME(name) ld_##name
#include "hog_oracle_backward.h"
#undef NUMBER
#undef OP
#undef NAME

void hog_oracle_solve_from(const ag_hog_rules *rules, int lowest_sum, mpq_t *win, int *rolls)
{
    exact_solve(rules, lowest_sum, win, rolls);
}

void hog_oracle_solve(const ag_hog_rules *rules, mpq_t *win, int *rolls)
{
    exact_solve(rules, 0, win, rolls);
}

void hog_oracle_solve_ld(const ag_hog_rules *rules, long double *win, int *rolls)
{
    ld_solve(rules, 0, (ld_number *)win, rolls);
}
