/*
 * hog.h -- the dice game Hog: rule sets, exact optimal play, the law of a turn.
 * The conventions of astragal.h hold.
 *
 * The game (rules and sources: docs/hog.md and NOTICE). Two players alternate. The player
 * on turn, with `score` against `opponent_score`, picks a number of dice n and rolls
 * them; whoever first *ends* a turn with a player at the goal decides it: the player
 * at the goal wins (both at it: the higher total; equal totals count 1/2). One turn is, in this
 * order: points of the turn -> turn-score rules -> added to the score -> Piggy Back
 * -> total rules -> swap -> goal test -> extra turn. A game that never ends counts
 * 1/2 for each player.
 *
 * A table holds one entry for each (score, opponent_score) with both below the goal,
 * for the player on turn, row by row: entry [score * goal + opponent_score].
 */
#ifndef ASTRAGAL_HOG_H
#define ASTRAGAL_HOG_H

#include "astragal/astragal.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ rule sets */

#define AG_HOG_GOAL_MAX       10000
#define AG_HOG_ROLLS_MAX      100
#define AG_HOG_FACES_MAX      100
#define AG_HOG_TURN_RULES_MAX 3

/* What n = 0 scores, by the digits of the opponent's score o (tens and ones: padded to two digits). */
typedef enum {
    AG_HOG_BACON_NONE,               /* n = 0 is not allowed */
    AG_HOG_BACON_LARGEST_DIGIT,      /* largest digit of o, plus 1 */
    AG_HOG_BACON_TENS_PLUS_1,        /* fa11: tens digit of o, plus 1 */
    AG_HOG_BACON_DIGIT_DISTANCE,     /* sp18: 2 + |tens - ones| */
    AG_HOG_BACON_DIGIT_PRODUCT,      /* su18: 1 + last digit of the product of o's digits (one digit: of 0 * o) */
    AG_HOG_BACON_TWICE_TENS,         /* fa18: max(2 tens - ones, 1) */
    AG_HOG_BACON_SMALLER_DIGIT,      /* sp19: 1 + min(tens, ones) */
    AG_HOG_BACON_TEN_MINUS_SMALLER,  /* fa19: 10 - min(tens, ones) */
    AG_HOG_BACON_CUBE,               /* sp20: 1 + |alternating sum of the digits of o^3| */
    AG_HOG_BACON_TENS_MINUS_ONES,    /* su20: 10 - ones + tens */
    AG_HOG_BACON_PI,                 /* fa20: 3 + o-th digit of pi after the point (o = 0: 3 + 3) */
    AG_HOG_BACON_SQUARE,             /* sp21: 3 + smallest digit of o^2 */
    AG_HOG_BACON_FOUR_PLUS_DISTANCE, /* su21: 4 + |tens - ones| */
    AG_HOG_BACON_SEVENTH,            /* fa21: o-th decimal of 1/7 (o = 0: 7) */
    AG_HOG_BACON_HEFTY_HOGS, /* sp22: chain of digit functions on the mover's score, mod 30; goal at most 1000 */
    AG_HOG_BACON_PIG_TAIL,   /* fa22: 2 |tens - ones| + 1 */
    AG_HOG_BACON_BOAR_BRAWL, /* su23: max(1, 3 |tens of o - ones of the mover's score|) */
    AG_HOG_N_BACON
} ag_hog_bacon;

/* What a roll with a 1 scores: `pig_out` 0..1000 points, or one of these. */
#define AG_HOG_PIG_OUT_ONES        (-1) /* fa16: the number of 1s */
#define AG_HOG_PIG_OUT_ONES_CAPPED (-2) /* su16: max(0, min(11 - n, number of 1s)) */

/* When other dice are used than `faces`. */
typedef enum {
    AG_HOG_WILD_NONE,
    AG_HOG_WILD_SEVENS,        /* score + opponent_score divisible by 7: four-sided dice */
    AG_HOG_WILD_SEVENS_REROLL, /* fa16: then each die of `faces` faces with an odd first outcome is rolled once
                                  more, and the second outcome counts, odd or not */
    AG_HOG_N_WILD
} ag_hog_wild;

/* Rules that replace the points of a turn, n = 0 and pig-outs included. */
typedef enum {
    AG_HOG_TURN_NONE,
    AG_HOG_TURN_HOGTIMUS_PRIME, /* a prime becomes the next prime */
    AG_HOG_TURN_TOUCHDOWN,      /* divisible by 6: plus a sixth */
    AG_HOG_TURN_PIGS_FLY,       /* at most max(0, 25 - n) */
    AG_HOG_N_TURN
} ag_hog_turn;

/* Rules on the totals after the points are added. */
typedef enum {
    AG_HOG_TOTAL_NONE,
    AG_HOG_TOTAL_HOGTIMUS,       /* sp15: sum of both totals prime: the points count once more, for the leader */
    AG_HOG_TOTAL_SQUARE_SWINE,   /* fa22: a perfect square becomes the next one */
    AG_HOG_TOTAL_SUS_FUSS,       /* su23: 3 or 4 divisors: the next prime */
    AG_HOG_TOTAL_HOG_PILE_EQUAL, /* fa21: equal totals: the mover's doubles */
    AG_HOG_TOTAL_HOG_PILE_ONES,  /* sp22: equal ones digits: the mover gains that digit */
    AG_HOG_N_TOTAL
} ag_hog_total;

/* When the totals are exchanged. */
typedef enum {
    AG_HOG_SWAP_NONE,
    AG_HOG_SWAP_DOUBLE,          /* one exactly twice the other */
    AG_HOG_SWAP_REVERSED_DIGITS, /* last two digits, one reversed */
    AG_HOG_SWAP_MULTIPLES,       /* fa17: both above 1, one divides the other */
    AG_HOG_SWAP_ONES_TENS,       /* su18: ones digit of the mover's = tens digit of the other */
    AG_HOG_SWAP_DIGIT_DISTANCE,  /* fa18: |tens - ones| equal */
    AG_HOG_SWAP_SHARED_DIGIT,    /* sp19: the same digit in the same place; no leading zeros, not the ones digit of 0 */
    AG_HOG_SWAP_DIGIT_PRODUCT,   /* fa19: first digit times last digit equal */
    AG_HOG_SWAP_POWER_OF_THREE,  /* sp20: first and last digit of 3^(sum of totals) agree */
    AG_HOG_SWAP_ONES_DISTANCE,   /* su20: |difference of the ones digits| = tens digit of the other */
    AG_HOG_SWAP_SQUARE,          /* the mover's new total is a perfect square */
    AG_HOG_N_SWAP
} ag_hog_swap;

/* When the mover goes again; tested on the totals after the swap. */
typedef enum {
    AG_HOG_EXTRA_NONE,
    AG_HOG_EXTRA_SWINE_ALIGN_PIG_PASS, /* fa20: gcd at least 10, both above 0; or 0 < opponent's - mover's < 3 */
    AG_HOG_EXTRA_MORE_BOAR_SP21,       /* both leading digits smaller (two digits, padded) */
    AG_HOG_EXTRA_MORE_BOAR_SU21,       /* smallest digit smaller and largest digit larger (digits as written) */
    AG_HOG_N_EXTRA
} ag_hog_extra;

/* One rule set: plain data, copied freely. Fill it with ag_hog_rules_preset(). */
typedef struct {
    char name[32];  /* preset it came from, "+" appended once a key was replaced: "cs61a-su23+" */
    int goal;       /* 1..AG_HOG_GOAL_MAX */
    int max_rolls;  /* 1..AG_HOG_ROLLS_MAX */
    int faces;      /* 2..AG_HOG_FACES_MAX */
    int pig_out;    /* 0..1000 or AG_HOG_PIG_OUT_* */
    int piggy_back; /* 1: a turn that scores 0 gives the opponent n points */
    int hog_tied;   /* 1: at most one die where the sum of scores ends in 7 */
    ag_hog_bacon bacon;
    ag_hog_wild wild;
    ag_hog_turn turn_score[AG_HOG_TURN_RULES_MAX]; /* in order; AG_HOG_TURN_NONE ends the list */
    ag_hog_total total;
    ag_hog_swap swap;
    ag_hog_extra extra_turn;
} ag_hog_rules;

/* The rule set of a preset or alias. Errors: AG_E_ARG (unknown; the message names the nearest, or says
 * what state beyond the two scores such a rule set would need). */
ag_status ag_hog_rules_preset(ag_ctx *ctx, const char *name, ag_hog_rules *out);

/* Replaces one key: "goal=50", "turn_score=touchdown,hogtimus_prime". Errors: AG_E_ARG. */
ag_status ag_hog_rules_set(ag_ctx *ctx, ag_hog_rules *rules, const char *key_value);

/* Checks a filled rule set, ranges and combinations. Every function below does so itself. */
ag_status ag_hog_rules_check(ag_ctx *ctx, const ag_hog_rules *rules);

/* Preset i in the order of listings, its terms and aliases in one line; NULL past the end. */
const char *ag_hog_preset_name(size_t i);
const char *ag_hog_preset_terms(size_t i);
/* Key i, and its values in words; NULL past the end. */
const char *ag_hog_key_name(size_t i);
const char *ag_hog_key_values(size_t i);

/* Writes the rules in words, one sentence a line; at most size bytes with the final zero. Returns the
 * length the whole text has. */
size_t ag_hog_rules_words(const ag_hog_rules *rules, char *text, size_t size);
/* Writes key i of the rules as it would be given to --set: "goal=100". */
size_t ag_hog_rules_key(const ag_hog_rules *rules, size_t i, char *text, size_t size);

/* --------------------------------------------------------------- optimal play */

typedef enum {
    AG_HOG_LAYERS, /* by falling sum of scores; states that can gain nothing are solved in closed form */
    AG_HOG_SWEEP   /* parallel sweeps over the whole grid with two-sided bounds */
} ag_hog_method;

typedef struct {
    double first_player_win; /* V(0,0) */
    double lower, upper;     /* V(0,0) lies in [lower, upper], and every entry of the table within
                                [value - error, value + error] */
    double error;            /* proven bound on the absolute error of every entry; see below */
    double tie_tolerance;    /* moves within it of the best count as equal; the smallest n of them is the table's */
    int first_move;          /* rolls at (0, 0) */
    int sweeps;              /* AG_HOG_SWEEP: sweeps made; else 0 */
    int converged;           /* 0 if the bounds of AG_HOG_SWEEP did not meet within epsilon, else 1 */
} ag_hog_result;

/*
 * The error bound of AG_HOG_LAYERS. Let u = 2^-53. A value is a maximum over moves of
 * sums of non-negative terms P(k) W(k), so a move n adds at most d(n) u to the error of
 * the values it uses, where d(n) counts roundings, each weighted by the probability of
 * the outcomes it can touch (a maximum adds none; a game that is over has no error). Let R be
 * the distance of a layer from the largest sum, 2 goal - 2. Every turn gains a point, so D u (R + 1) with
 * D = max d(n) is a bound. And so is A u (R + 1 + G), G the most points of a turn: if it holds for later
 * layers, also where the game is over, a move that gains g points is left with A u (R + 1 + G - E[g]) + d(n) u,
 * which A = max d(n) / E[g] makes no more. Outcomes that gain nothing drop out: a pair of
 * states is solved as a weighted mean of the values given g > 0, with 1 - z z' computed as q + q' - q q' from
 * the exact q = P(g > 0); d(n) and E[g] are then those given g > 0. error is the smaller of
 * both at R = 2 goal - 2: some 1e-13 at goal 100. host/hog/terms.c counts d.
 * AG_HOG_SWEEP: half the widest interval reached.
 */

/* Bytes of memory that solving takes on the device and the host together; a double cannot overflow. */
double ag_hog_solve_bytes(const ag_hog_rules *rules, ag_hog_method method);

/*
 * Solves the game for both players on the device of ctx. "reference" has one plain method of its own
 * and takes no notice of `method`.
 *
 * win    out, may be NULL: win probability of the player on turn, shape [goal][goal]
 * rolls  out, may be NULL: the best move, shape [goal][goal]
 * epsilon  AG_HOG_SWEEP only: stop when all bounds meet within it, > 0
 *
 * Cost: O(goal^2 max_rolls (faces + rules)) work for AG_HOG_LAYERS; that times the number
 * of sweeps for AG_HOG_SWEEP. Errors: AG_E_ARG, AG_E_MEMORY, AG_E_DEVICE.
 */
ag_status ag_hog_solve(ag_ctx *ctx, const ag_hog_rules *rules, ag_hog_method method, double epsilon, double *win,
                       uint8_t *rolls, ag_hog_result *out);

/* Solves n rule sets by layers, many in one launch; out: [n]. The same bits as ag_hog_solve() one by one. */
ag_status ag_hog_solve_many(ag_ctx *ctx, size_t n, const ag_hog_rules *rules, ag_hog_result *out);

/* ------------------------------------------------------------ looking at moves */

typedef struct {
    int rolls;
    double win_probability;
} ag_hog_move;

typedef struct {
    int bacon_points; /* turn score of n = 0 after the turn-score rules; -1 if n = 0 is not allowed */
    int dice;         /* faces of the dice in use */
    int rerolled;     /* 1: dice with an odd first outcome are rolled once more */
    int max_rolls;    /* most dice allowed here */
    int can_swap;     /* 1: some outcome of some move swaps */
    int n_moves;
    ag_hog_move moves[AG_HOG_ROLLS_MAX + 1]; /* best first; equal moves by rising n */
} ag_hog_advice;

/* The win probability of every move at (score, opponent_score) when both play optimally afterwards.
 * win: the table that ag_hog_solve() gave for these rules. Errors: AG_E_ARG (score outside 0..goal-1). */
ag_status ag_hog_advise(ag_ctx *ctx, const ag_hog_rules *rules, const double *win, int score, int opponent_score,
                        ag_hog_advice *out);

/* Largest turn total that ag_hog_odds() can report. */
#define AG_HOG_TOTAL_MAX (2 * AG_HOG_ROLLS_MAX * AG_HOG_FACES_MAX)

/*
 * The law of the turn score of n dice: p[k] = probability of k points, k = 0..*max_total,
 * after the pig-out and turn-score rules of `rules`; wild: 1 for the dice of Hog Wild.
 * size: entries of p; AG_HOG_TOTAL_MAX + 1 always suffices. Errors: AG_E_ARG.
 */
ag_status ag_hog_odds(ag_ctx *ctx, const ag_hog_rules *rules, int wild, int n, size_t size, double *p, int *max_total);

/* ---------------------------------------------------------------- single turns */

/* What one turn did; what follows is (score, opponent_score) seen by the player on turn next. */
typedef struct {
    int score, opponent_score; /* totals after the turn, of the player who moved and of the other */
    int turn_score;            /* after the turn-score rules */
    int given;                 /* points that Piggy Back gave to the opponent */
    int swapped;               /* 1: the totals were exchanged */
    int over;                  /* 1: somebody is at the goal */
    int again;                 /* 1: the same player moves next */
} ag_hog_turn_result;

/*
 * Plays one turn from its dice by the rules, as `reference` does.
 * n       dice rolled, 0..max allowed at these scores
 * dice    the n outcomes, 1..faces in use (rerolled dice: the outcome that counts)
 */
ag_status ag_hog_play_turn(ag_ctx *ctx, const ag_hog_rules *rules, int score, int opponent_score, int n,
                           const int *dice, ag_hog_turn_result *out);

/* Faces of the dice for (score, opponent_score), and whether odd outcomes are rolled once more. */
void ag_hog_dice_in_use(const ag_hog_rules *rules, int score, int opponent_score, int *faces, int *rerolled);
/* Most dice allowed there. */
int ag_hog_rolls_allowed(const ag_hog_rules *rules, int score, int opponent_score);

#ifdef __cplusplus
}
#endif
#endif
