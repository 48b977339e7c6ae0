/*
 * features.c -- the rules of every Hog rule set, one small pure function each.
 */
#include "hog/features.h"

#include "hog/pi_digits.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

/* ------------------------------------------------------------------ digits */

static int ones(int x)
{
    return x % 10;
}

/* Not x / 10: totals of 100 and more occur before the goal test. */
static int tens(int x)
{
    return x / 10 % 10;
}

static int digit_distance(int x)
{
    return abs(tens(x) - ones(x));
}

static int min_int(int a, int b)
{
    return a < b ? a : b;
}

static int max_int(int a, int b)
{
    return a > b ? a : b;
}

static int smallest_digit(int64_t x)
{
    int digit = (int)(x % 10);
    for (x /= 10; x > 0; x /= 10)
        digit = min_int(digit, (int)(x % 10));
    return digit;
}

static int largest_digit(int64_t x)
{
    int digit = (int)(x % 10);
    for (x /= 10; x > 0; x /= 10)
        digit = max_int(digit, (int)(x % 10));
    return digit;
}

static int first_digit(int x)
{
    while (x >= 10)
        x /= 10;
    return x;
}

/* ------------------------------------------------------- tables, made once */

#define SIEVE_SIZE 65536 /* holds the prime that follows AG_HOG_SCORE_MAX */

static uint16_t smallest_factor[SIEVE_SIZE]; /* 0 for primes, and for 0 and 1 */

static void fill_sieve(void)
{
    for (uint32_t p = 2; p * p < SIEVE_SIZE; p++) {
        if (smallest_factor[p] != 0)
            continue;
        for (uint32_t m = p * p; m < SIEVE_SIZE; m += p)
            if (smallest_factor[m] == 0)
                smallest_factor[m] = (uint16_t)p;
    }
}

/* 0 and 1 are not prime. */
static bool is_prime(int x)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    assert(x >= 0 && x < SIEVE_SIZE);
    pthread_once(&once, fill_sieve);
    return x > 1 && smallest_factor[x] == 0;
}

static int next_prime(int x)
{
    do
        x++;
    while (!is_prime(x));
    return x;
}

/* Exactly 3 divisors: p^2. Exactly 4: p q or p^3. */
static bool is_sus(int x)
{
    if (x < 4 || is_prime(x))
        return false;
    const int p = smallest_factor[x]; /* filled by is_prime() */
    const int rest = x / p;
    return is_prime(rest) || rest == p * p;
}

static bool powers_agree[AG_HOG_SCORE_MAX + 1]; /* [k]: first and last digit of 3^k are equal */

/*
 * 3^k lies in [lo, hi] times a power of ten. Both are exact while they fit; then each step rounds lo
 * down and hi up by less than 10^-17 of their size, so they stay within 10^-12 of each other, and nearer than any
 * 3^k with k <= AG_HOG_SCORE_MAX comes to a digit times a power of ten: the first digit is exact.
 */
static void fill_powers(void)
{
    static const uint8_t last_digit[4] = {1, 3, 9, 7};
    const uint64_t most = UINT64_C(100000000000000000); /* 10^17 */
    uint64_t lo = 1, hi = 1, unit = 1;                  /* unit: place of the first digit */
    for (int k = 0; k <= AG_HOG_SCORE_MAX; k++) {
        assert(lo / unit == hi / unit);
        powers_agree[k] = hi / unit == last_digit[k % 4];
        lo *= 3;
        hi *= 3;
        if (hi / 10 < unit)
            continue;
        if (unit < most) {
            unit *= 10;
        } else {
            lo = lo / 10;
            hi = (hi + 9) / 10;
        }
    }
}

static bool power_of_three_agrees(int k)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    assert(k >= 0 && k <= AG_HOG_SCORE_MAX);
    pthread_once(&once, fill_powers);
    return powers_agree[k];
}

/* ------------------------------------------------------------------- n = 0 */

/* One digit's product is taken with the 0 before it. */
static int digit_product(int x)
{
    int product = x < 10 ? 0 : 1;
    for (; x > 0; x /= 10)
        product *= x % 10;
    return product;
}

static int pi_digit(int o)
{
    if (o == 0)
        return 3;
    assert(o <= AG_PI_ROWS * AG_PI_ROW_DIGITS);
    return ag_pi_digits[(o - 1) / AG_PI_ROW_DIGITS][(o - 1) % AG_PI_ROW_DIGITS] - '0';
}

static int alternating_digit_sum(int64_t x)
{
    int sum = 0;
    for (; x > 0; x /= 10)
        sum = (int)(x % 10) - sum;
    return abs(sum);
}

__extension__ typedef __int128 wide;

/* Remainder in 0..m-1, as Python's % gives it: v can be negative. */
static wide floor_mod(wide v, int m)
{
    const wide r = v % m;
    return r < 0 ? r + m : r;
}

/* Exact. The course's code multiplies and divides doubles, which gives the same for all scores below 100. */
static int hefty_hogs(int score, int opponent_score)
{
    assert(score < AG_HOG_HEFTY_GOAL_MAX && opponent_score < AG_HOG_HEFTY_GOAL_MAX);
    if (opponent_score == 0)
        return 1;
    wide v = score;
    for (int o = opponent_score; o > 0; o /= 10) {
        /* clang-format off */
        switch (o % 10) {
        case 0: v += 1; break;
        case 1: v *= v; break;
        case 2: v *= 3; break;
        case 3: v = (v - floor_mod(v, 4)) / 4; break;
        case 4: v -= 5; break;
        case 5: v = floor_mod(v, 6); break;
        case 6: v = 8 * floor_mod(v, 7); break;
        case 7: v = 44 * v / 5; break;       /* 8.8 v toward 0 */
        case 8: v = 15 * v / 99 + 10; break; /* toward 0 too */
        default: break;
        }
        /* clang-format on */
    }
    return (int)floor_mod(v, 30);
}

int ag_hog_bacon_points(ag_hog_bacon kind, int score, int opponent_score)
{
    const int o = opponent_score;
    /* clang-format off */
    switch (kind) {
    case AG_HOG_BACON_LARGEST_DIGIT: return largest_digit(o) + 1;
    case AG_HOG_BACON_TENS_PLUS_1: return tens(o) + 1;
    case AG_HOG_BACON_DIGIT_DISTANCE: return 2 + digit_distance(o);
    case AG_HOG_BACON_DIGIT_PRODUCT: return 1 + digit_product(o) % 10;
    case AG_HOG_BACON_TWICE_TENS: return max_int(2 * tens(o) - ones(o), 1);
    case AG_HOG_BACON_SMALLER_DIGIT: return 1 + min_int(tens(o), ones(o));
    case AG_HOG_BACON_TEN_MINUS_SMALLER: return 10 - min_int(tens(o), ones(o));
    case AG_HOG_BACON_CUBE: return 1 + alternating_digit_sum((int64_t)o * o * o);
    case AG_HOG_BACON_TENS_MINUS_ONES: return 10 - ones(o) + tens(o);
    case AG_HOG_BACON_PI: return 3 + pi_digit(o);
    case AG_HOG_BACON_SQUARE: return 3 + smallest_digit((int64_t)o * o);
    case AG_HOG_BACON_FOUR_PLUS_DISTANCE: return 4 + digit_distance(o);
    case AG_HOG_BACON_SEVENTH: return o == 0 ? 7 : "142857"[(o - 1) % 6] - '0';
    case AG_HOG_BACON_HEFTY_HOGS: return hefty_hogs(score, o);
    case AG_HOG_BACON_PIG_TAIL: return 2 * digit_distance(o) + 1;
    case AG_HOG_BACON_BOAR_BRAWL: return max_int(1, 3 * abs(tens(o) - ones(score)));
    case AG_HOG_BACON_NONE:
    case AG_HOG_N_BACON: break;
    }
    /* clang-format on */
    return 0;
}

int ag_hog_bacon_period(ag_hog_bacon kind)
{
    return kind == AG_HOG_BACON_BOAR_BRAWL ? 10 : kind == AG_HOG_BACON_HEFTY_HOGS ? -1 : 0;
}

/* -------------------------------------------------------- points and totals */

int ag_hog_turn_points(const ag_hog_rules *rules, int n, int points)
{
    for (int i = 0; i < AG_HOG_TURN_RULES_MAX; i++) {
        switch (rules->turn_score[i]) {
        case AG_HOG_TURN_HOGTIMUS_PRIME:
            if (is_prime(points))
                points = next_prime(points);
            break;
        case AG_HOG_TURN_TOUCHDOWN:
            if (points % 6 == 0)
                points += points / 6;
            break;
        case AG_HOG_TURN_PIGS_FLY:
            points = min_int(points, max_int(0, 25 - n));
            break;
        case AG_HOG_TURN_NONE:
        case AG_HOG_N_TURN:
            return points;
        }
    }
    return points;
}

/* The root of the largest square that is not above x. */
static int square_root(int x)
{
    int root = 0;
    for (int bit = 128; bit > 0; bit /= 2)
        if ((root + bit) * (root + bit) <= x)
            root += bit;
    return root;
}

/* 0 is not a perfect square here, 1 is. */
static bool is_square(int x)
{
    const int root = square_root(x);
    return x > 0 && root * root == x;
}

int ag_hog_total_alone(ag_hog_total kind, int total)
{
    if (kind == AG_HOG_TOTAL_SQUARE_SWINE && is_square(total)) {
        const int root = square_root(total) + 1;
        return root * root;
    }
    if (kind == AG_HOG_TOTAL_SUS_FUSS && is_sus(total))
        return next_prime(total);
    return total;
}

bool ag_hog_total_marked(ag_hog_total kind, int mine, int theirs)
{
    /* clang-format off */
    switch (kind) {
    case AG_HOG_TOTAL_HOGTIMUS: return mine != theirs && is_prime(mine + theirs);
    case AG_HOG_TOTAL_HOG_PILE_EQUAL: return mine == theirs;
    case AG_HOG_TOTAL_HOG_PILE_ONES: return ones(mine) == ones(theirs);
    case AG_HOG_TOTAL_NONE:
    case AG_HOG_TOTAL_SQUARE_SWINE:
    case AG_HOG_TOTAL_SUS_FUSS:
    case AG_HOG_N_TOTAL: break;
    }
    /* clang-format on */
    return false;
}

int ag_hog_total_when_marked(ag_hog_total kind, int mine)
{
    if (kind == AG_HOG_TOTAL_HOG_PILE_EQUAL)
        return 2 * mine;
    if (kind == AG_HOG_TOTAL_HOG_PILE_ONES)
        return mine + ones(mine);
    return mine;
}

/* --------------------------------------------------------- swaps and extra turns */

/* Leading zeros and the ones digit of 0 do not count. */
static bool share_digit(int a, int b)
{
    for (; a > 0 && b > 0; a /= 10, b /= 10)
        if (a % 10 == b % 10)
            return true;
    return false;
}

bool ag_hog_swaps(ag_hog_swap kind, int mine, int theirs)
{
    /* clang-format off */
    switch (kind) {
    case AG_HOG_SWAP_DOUBLE: return mine == 2 * theirs || theirs == 2 * mine;
    case AG_HOG_SWAP_REVERSED_DIGITS: return ones(mine) == tens(theirs) && tens(mine) == ones(theirs);
    case AG_HOG_SWAP_MULTIPLES: return mine > 1 && theirs > 1 && (mine % theirs == 0 || theirs % mine == 0);
    case AG_HOG_SWAP_ONES_TENS: return ones(mine) == tens(theirs);
    case AG_HOG_SWAP_DIGIT_DISTANCE: return digit_distance(mine) == digit_distance(theirs);
    case AG_HOG_SWAP_SHARED_DIGIT: return share_digit(mine, theirs);
    case AG_HOG_SWAP_DIGIT_PRODUCT: return first_digit(mine) * ones(mine) == first_digit(theirs) * ones(theirs);
    case AG_HOG_SWAP_POWER_OF_THREE: return power_of_three_agrees(mine + theirs);
    case AG_HOG_SWAP_ONES_DISTANCE: return abs(ones(mine) - ones(theirs)) == tens(theirs);
    case AG_HOG_SWAP_SQUARE: return is_square(mine);
    case AG_HOG_SWAP_NONE:
    case AG_HOG_N_SWAP: break;
    }
    /* clang-format on */
    return false;
}

static int gcd(int a, int b)
{
    while (b != 0) {
        const int r = a % b;
        a = b;
        b = r;
    }
    return a;
}

/* Swine Align, or Pig Pass. */
static bool aligns_or_passes(int mine, int theirs)
{
    if (mine < theirs && theirs < mine + 3)
        return true;
    return mine > 0 && theirs > 0 && gcd(mine, theirs) >= 10;
}

/* Spring 2021: the two leftmost digits, one-digit scores with a 0 before them. */
static bool more_boar_leading(int mine, int theirs)
{
    while (mine >= 100)
        mine /= 10;
    while (theirs >= 100)
        theirs /= 10;
    return tens(mine) < tens(theirs) && ones(mine) < ones(theirs);
}

/* Summer 2021: all digits as written, 8 has the single digit 8. */
static bool more_boar_extremes(int mine, int theirs)
{
    return smallest_digit(mine) < smallest_digit(theirs) && largest_digit(mine) > largest_digit(theirs);
}

bool ag_hog_moves_again(ag_hog_extra kind, int mine, int theirs)
{
    /* clang-format off */
    switch (kind) {
    case AG_HOG_EXTRA_SWINE_ALIGN_PIG_PASS: return aligns_or_passes(mine, theirs);
    case AG_HOG_EXTRA_MORE_BOAR_SP21: return more_boar_leading(mine, theirs);
    case AG_HOG_EXTRA_MORE_BOAR_SU21: return more_boar_extremes(mine, theirs);
    case AG_HOG_EXTRA_NONE:
    case AG_HOG_N_EXTRA: break;
    }
    /* clang-format on */
    return false;
}
