/*
 * hog_rules.c -- the rules of Hog as functions, one for each rule, in the order of a turn.
 *
 * Throughout: `mover` is the total of the player on turn, `other` that of the opponent. Where a rule
 * speaks of tens and ones, a score is padded to two digits: 8 is 08, and the tens digit of 107 is 0.
 */
#include "reference/hog_rules.h"

#include <stdlib.h>

/* -------------------------------------------------------------------- numbers */

static int max(int a, int b)
{
    return a > b ? a : b;
}

static int min(int a, int b)
{
    return a < b ? a : b;
}

static int ones(int x)
{
    return x % 10;
}

static int tens(int x)
{
    return x / 10 % 10;
}

/* |tens - ones| */
static int digit_distance(int x)
{
    return abs(tens(x) - ones(x));
}

static int first_digit(int x)
{
    while (x >= 10)
        x /= 10;
    return x;
}

/* The digits as written: 8 has one, 0 has the digit 0. */
static int largest_digit(int64_t x)
{
    int largest = (int)(x % 10);
    for (; x > 0; x /= 10)
        largest = max(largest, (int)(x % 10));
    return largest;
}

static int smallest_digit(int64_t x)
{
    int smallest = (int)(x % 10);
    for (; x > 0; x /= 10)
        smallest = min(smallest, (int)(x % 10));
    return smallest;
}

static bool is_prime(int x)
{
    for (int d = 2; d * d <= x; d++)
        if (x % d == 0)
            return false;
    return x >= 2;
}

static int next_prime(int x)
{
    do
        x++;
    while (!is_prime(x));
    return x;
}

/* The root of a perfect square; 0 for any other number, and for 0, which Hog does not count as one. */
static int square_root(int x)
{
    int root = 0;
    while (root * root < x)
        root++;
    return root * root == x ? root : 0;
}

static int n_divisors(int x)
{
    int n = 0;
    for (int d = 1; d * d <= x; d++)
        if (x % d == 0)
            n += d * d == x ? 1 : 2;
    return n;
}

static int gcd(int a, int b)
{
    return b == 0 ? a : gcd(b, a % b);
}

/* ----------------------------------------------------------------------- dice */

bool ag_ref_hog_is_wild(const ag_hog_rules *rules, int score, int opponent_score)
{
    return rules->wild != AG_HOG_WILD_NONE && (score + opponent_score) % 7 == 0;
}

int ag_ref_hog_faces(const ag_hog_rules *rules, bool wild)
{
    return wild && rules->wild == AG_HOG_WILD_SEVENS ? 4 : rules->faces;
}

bool ag_ref_hog_is_rerolled(const ag_hog_rules *rules, bool wild)
{
    return wild && rules->wild == AG_HOG_WILD_SEVENS_REROLL;
}

int ag_ref_hog_most_dice(const ag_hog_rules *rules, int score, int opponent_score)
{
    const bool tied = rules->hog_tied && (score + opponent_score) % 10 == 7;
    return tied ? 1 : rules->max_rolls;
}

/* ------------------------------------------------------------ points: n = 0 */

/* The last digit of the product of the digits; a single digit is multiplied by 0. */
static int digit_product_ones(int x)
{
    int product = x < 10 ? 0 : 1;
    for (; x > 0; x /= 10)
        product *= x % 10;
    return ones(product);
}

/* d1 - d2 + d3 - ... of the digits, without its sign, so that it does not matter which comes first */
static int alternating_sum(int64_t x)
{
    int sum = 0;
    for (; x > 0; x /= 10)
        sum = (int)(x % 10) - sum;
    return abs(sum);
}

/* Hefty Hogs can reach 999^8: more than 64 bits hold. */
__extension__ typedef __int128 wide;

/* x mod m as mathematics and Python have it: never negative. */
static wide modulo(wide x, int m)
{
    return (x % m + m) % m;
}

static wide hefty_digit(int digit, wide v)
{
    switch (digit) {
    case 0:
        return v + 1;
    case 1:
        return v * v;
    case 2:
        return 3 * v;
    case 3:
        return (v - modulo(v, 4)) / 4; /* rounded down, below 0 too */
    case 4:
        return v - 5;
    case 5:
        return modulo(v, 6);
    case 6:
        return 8 * modulo(v, 7);
    case 7:
        return 88 * v / 10; /* 8.8 v, cut off towards 0 */
    case 8:
        return 15 * v / 99 + 10;
    default:
        return v;
    }
}

/* The digits of the opponent's score, from right to left, each change the mover's score in turn. */
static int hefty_hogs(int mover, int other)
{
    if (other == 0)
        return 1;
    wide v = mover;
    for (; other > 0; other /= 10)
        v = hefty_digit(ones(other), v);
    return (int)modulo(v, 30);
}

int ag_ref_hog_bacon(const ag_hog_rules *rules, const uint8_t *pi, int mover, int other)
{
    static const int seventh[6] = {7, 1, 4, 2, 8, 5}; /* 1/7 = 0.142857 142857 ... */
    const int64_t o = other;

    switch (rules->bacon) {
    case AG_HOG_BACON_LARGEST_DIGIT:
        return largest_digit(o) + 1;
    case AG_HOG_BACON_TENS_PLUS_1:
        return tens(other) + 1;
    case AG_HOG_BACON_DIGIT_DISTANCE:
        return 2 + digit_distance(other);
    case AG_HOG_BACON_DIGIT_PRODUCT:
        return 1 + digit_product_ones(other);
    case AG_HOG_BACON_TWICE_TENS:
        return max(2 * tens(other) - ones(other), 1);
    case AG_HOG_BACON_SMALLER_DIGIT:
        return 1 + min(tens(other), ones(other));
    case AG_HOG_BACON_TEN_MINUS_SMALLER:
        return 10 - min(tens(other), ones(other));
    case AG_HOG_BACON_CUBE:
        return 1 + alternating_sum(o * o * o);
    case AG_HOG_BACON_TENS_MINUS_ONES:
        return 10 - ones(other) + tens(other);
    case AG_HOG_BACON_PI:
        return 3 + pi[other];
    case AG_HOG_BACON_SQUARE:
        return 3 + smallest_digit(o * o);
    case AG_HOG_BACON_FOUR_PLUS_DISTANCE:
        return 4 + digit_distance(other);
    case AG_HOG_BACON_SEVENTH:
        return seventh[other % 6];
    case AG_HOG_BACON_HEFTY_HOGS:
        return hefty_hogs(mover, other);
    case AG_HOG_BACON_PIG_TAIL:
        return 2 * digit_distance(other) + 1;
    case AG_HOG_BACON_BOAR_BRAWL:
        return max(1, 3 * abs(tens(other) - ones(mover)));
    case AG_HOG_BACON_NONE:
    case AG_HOG_N_BACON:
        break;
    }
    return -1;
}

/* ------------------------------------------------ points: a 1, and what replaces them */

int ag_ref_hog_pig_out(const ag_hog_rules *rules, int n, int n_ones)
{
    if (rules->pig_out == AG_HOG_PIG_OUT_ONES)
        return n_ones;
    if (rules->pig_out == AG_HOG_PIG_OUT_ONES_CAPPED)
        return max(0, min(11 - n, n_ones));
    return rules->pig_out;
}

int ag_ref_hog_turn_score(const ag_hog_rules *rules, int n, int points)
{
    for (size_t i = 0; i < AG_HOG_TURN_RULES_MAX && rules->turn_score[i] != AG_HOG_TURN_NONE; i++) {
        if (rules->turn_score[i] == AG_HOG_TURN_HOGTIMUS_PRIME && is_prime(points))
            points = next_prime(points);
        if (rules->turn_score[i] == AG_HOG_TURN_TOUCHDOWN && points % 6 == 0)
            points += points / 6;
        if (rules->turn_score[i] == AG_HOG_TURN_PIGS_FLY)
            points = min(points, max(0, 25 - n));
    }
    return points;
}

/* --------------------------------------------------------------- total rules */

static void apply_total_rule(ag_hog_total rule, int turn_score, int *mover, int *other)
{
    switch (rule) {
    case AG_HOG_TOTAL_HOGTIMUS: /* the points count once more, for the leader, whoever that is */
        if (is_prime(*mover + *other) && *mover != *other)
            *(*mover > *other ? mover : other) += turn_score;
        break;
    case AG_HOG_TOTAL_SQUARE_SWINE: {
        const int root = square_root(*mover);
        if (root > 0)
            *mover = (root + 1) * (root + 1);
        break;
    }
    case AG_HOG_TOTAL_SUS_FUSS: {
        const int n = n_divisors(*mover);
        if (n == 3 || n == 4)
            *mover = next_prime(*mover);
        break;
    }
    case AG_HOG_TOTAL_HOG_PILE_EQUAL:
        if (*mover == *other)
            *mover *= 2;
        break;
    case AG_HOG_TOTAL_HOG_PILE_ONES:
        if (ones(*mover) == ones(*other))
            *mover += ones(*mover);
        break;
    case AG_HOG_TOTAL_NONE:
    case AG_HOG_N_TOTAL:
        break;
    }
}

/* ---------------------------------------------------------------------- swap */

/* A digit that both scores have in the same place; what is not written does not count, nor does the
 * ones digit of 0. */
static bool share_a_digit(int a, int b)
{
    for (; a > 0 && b > 0; a /= 10, b /= 10)
        if (ones(a) == ones(b))
            return true;
    return false;
}

/* Whether the first digit of 3^exponent is its last. Of the power itself the first 18 digits are
 * kept: each digit dropped loses less than 1e-17 of it, too little to change the first. (The test
 * multiplies the powers out.) */
static bool power_of_three_agrees(int exponent)
{
    static const int last[4] = {1, 3, 9, 7};
    uint64_t power = 1;
    for (int i = 0; i < exponent; i++) {
        power *= 3;
        if (power >= 1000000000000000000u)
            power /= 10;
    }
    while (power >= 10)
        power /= 10;
    return (int)power == last[exponent % 4];
}

static bool totals_swap(ag_hog_swap rule, int mover, int other)
{
    switch (rule) {
    case AG_HOG_SWAP_DOUBLE:
        return mover == 2 * other || other == 2 * mover;
    case AG_HOG_SWAP_REVERSED_DIGITS:
        return tens(mover) == ones(other) && ones(mover) == tens(other);
    case AG_HOG_SWAP_MULTIPLES:
        return mover > 1 && other > 1 && (mover % other == 0 || other % mover == 0);
    case AG_HOG_SWAP_ONES_TENS:
        return ones(mover) == tens(other);
    case AG_HOG_SWAP_DIGIT_DISTANCE:
        return digit_distance(mover) == digit_distance(other);
    case AG_HOG_SWAP_SHARED_DIGIT:
        return share_a_digit(mover, other);
    case AG_HOG_SWAP_DIGIT_PRODUCT:
        return first_digit(mover) * ones(mover) == first_digit(other) * ones(other);
    case AG_HOG_SWAP_POWER_OF_THREE:
        return power_of_three_agrees(mover + other);
    case AG_HOG_SWAP_ONES_DISTANCE:
        return abs(ones(mover) - ones(other)) == tens(other);
    case AG_HOG_SWAP_SQUARE:
        return square_root(mover) > 0;
    case AG_HOG_SWAP_NONE:
    case AG_HOG_N_SWAP:
        break;
    }
    return false;
}

/* ---------------------------------------------------------------- extra turn */

static bool leading_digits_smaller(int a, int b)
{
    while (a >= 100)
        a /= 10;
    while (b >= 100)
        b /= 10;
    return tens(a) < tens(b) && ones(a) < ones(b);
}

static bool moves_again(ag_hog_extra rule, int mover, int other)
{
    switch (rule) {
    case AG_HOG_EXTRA_SWINE_ALIGN_PIG_PASS: {
        const bool swine_align = mover > 0 && other > 0 && gcd(mover, other) >= 10;
        const bool pig_pass = 0 < other - mover && other - mover < 3;
        return swine_align || pig_pass;
    }
    case AG_HOG_EXTRA_MORE_BOAR_SP21:
        return leading_digits_smaller(mover, other);
    case AG_HOG_EXTRA_MORE_BOAR_SU21:
        return smallest_digit(mover) < smallest_digit(other) && largest_digit(mover) > largest_digit(other);
    case AG_HOG_EXTRA_NONE:
    case AG_HOG_N_EXTRA:
        break;
    }
    return false;
}

/* ---------------------------------------------------------------- the turn */

ag_hog_turn_result ag_ref_hog_turn(const ag_hog_rules *rules, int score, int opponent_score, int n, int turn_score)
{
    ag_hog_turn_result t = {.turn_score = turn_score};
    int mover = score + turn_score;
    int other = opponent_score;

    if (rules->piggy_back && turn_score == 0)
        t.given = n;
    other += t.given;

    apply_total_rule(rules->total, turn_score, &mover, &other);

    t.swapped = totals_swap(rules->swap, mover, other);
    t.score = t.swapped ? other : mover;
    t.opponent_score = t.swapped ? mover : other;

    t.over = t.score >= rules->goal || t.opponent_score >= rules->goal;
    t.again = !t.over && moves_again(rules->extra_turn, t.score, t.opponent_score);
    return t;
}
