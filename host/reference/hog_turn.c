/*
 * hog_turn.c -- looking at one turn of Hog: its dice, its law, its moves; straight from the rules.
 */
#include "reference/reference.h"

#include "core/core.h"
#include "reference/hog_law.h"
#include "reference/hog_rules.h"

#include <stdlib.h>
#include <string.h>

/* Win probabilities this close differ by rounding only. */
#define SAME_WIN 1e-12

static ag_status check_scores(ag_ctx *ctx, const ag_hog_rules *rules, int score, int opponent_score)
{
    const int most = rules->goal - 1;
    if (score < 0 || score > most || opponent_score < 0 || opponent_score > most)
        return ag_fail(ctx, AG_E_ARG, "the scores are %d and %d, must be 0..%d", score, opponent_score, most);
    return AG_OK;
}

/* What n = 0 scores after the turn-score rules; -1 where it is not allowed. */
static ag_status bacon_points(ag_ctx *ctx, const ag_hog_rules *rules, int score, int opponent_score, int *points)
{
    uint8_t *pi = NULL;
    if (rules->bacon == AG_HOG_BACON_NONE) {
        *points = -1;
        return AG_OK;
    }
    if (rules->bacon == AG_HOG_BACON_PI)
        AG_TRY(ag_ref_hog_pi(ctx, rules->goal, &pi));
    *points = ag_ref_hog_turn_score(rules, 0, ag_ref_hog_bacon(rules, pi, score, opponent_score));
    free(pi);
    return AG_OK;
}

/* ------------------------------------------------------------------ play a turn */

static ag_status check_dice(ag_ctx *ctx, const ag_hog_rules *rules, int score, int opponent_score, int n,
                            const int *dice)
{
    const int faces = ag_ref_hog_faces(rules, ag_ref_hog_is_wild(rules, score, opponent_score));
    const int most = ag_ref_hog_most_dice(rules, score, opponent_score);
    const int least = rules->bacon == AG_HOG_BACON_NONE ? 1 : 0;

    if (n < least || n > most)
        return ag_fail(ctx, AG_E_ARG, "%d dice at %d against %d, must be %d..%d", n, score, opponent_score, least,
                       most);
    for (int i = 0; i < n; i++)
        if (dice[i] < 1 || dice[i] > faces)
            return ag_fail(ctx, AG_E_ARG, "die %d shows %d, must be 1..%d at %d against %d", i + 1, dice[i], faces,
                           score, opponent_score);
    return AG_OK;
}

static int points_of_dice(const ag_hog_rules *rules, int n, const int *dice)
{
    int sum = 0;
    int ones = 0;
    for (int i = 0; i < n; i++) {
        sum += dice[i];
        ones += dice[i] == 1;
    }
    return ones > 0 ? ag_ref_hog_pig_out(rules, n, ones) : sum;
}

ag_status ag_hog_play_turn(ag_ctx *ctx, const ag_hog_rules *rules, int score, int opponent_score, int n,
                           const int *dice, ag_hog_turn_result *out)
{
    int turn_score = 0;
    AG_TRY(ag_hog_rules_check(ctx, rules));
    AG_TRY(check_scores(ctx, rules, score, opponent_score));
    AG_TRY(check_dice(ctx, rules, score, opponent_score, n, dice));
    if (n == 0)
        AG_TRY(bacon_points(ctx, rules, score, opponent_score, &turn_score));
    else
        turn_score = ag_ref_hog_turn_score(rules, n, points_of_dice(rules, n, dice));
    *out = ag_ref_hog_turn(rules, score, opponent_score, n, turn_score);
    return AG_OK;
}

/* ------------------------------------------------------------------ law of a turn */

ag_status ag_hog_odds(ag_ctx *ctx, const ag_hog_rules *rules, int wild, int n, size_t size, double *p, int *max_total)
{
    ag_ref_law laws[AG_HOG_ROLLS_MAX + 1];

    AG_TRY(ag_hog_rules_check(ctx, rules));
    if (n < 1 || n > rules->max_rolls)
        return ag_fail(ctx, AG_E_ARG, "the number of dice is %d, must be 1..%d", n, rules->max_rolls);
    if (wild != 0 && (wild != 1 || rules->wild == AG_HOG_WILD_NONE))
        return ag_fail(ctx, AG_E_ARG, "wild is %d, must be 0%s", wild,
                       rules->wild == AG_HOG_WILD_NONE ? ": these rules have no Hog Wild" : " or 1");

    ag_status status = ag_ref_hog_laws(ctx, rules, wild == 1, n, laws);
    if (status == AG_OK) {
        const ag_ref_law *law = &laws[n];
        const int most = law->outcome[law->n_outcomes - 1].points;
        if (size <= (size_t)most) {
            status = ag_fail(ctx, AG_E_ARG, "room for %zu totals, must be at least %d", size, most + 1);
        } else {
            memset(p, 0, ((size_t)most + 1) * sizeof *p);
            for (size_t i = 0; i < law->n_outcomes; i++)
                p[law->outcome[i].points] = law->outcome[i].p;
            *max_total = most;
        }
    }
    ag_ref_hog_laws_free(n, laws);
    return status;
}

/* ------------------------------------------------------------------ advice */

/* Whether some outcome of some allowed move swaps. */
static ag_status can_swap(ag_ctx *ctx, const ag_hog_rules *rules, int score, int opponent_score, int bacon, int *out)
{
    const int most = ag_ref_hog_most_dice(rules, score, opponent_score);
    const bool wild = ag_ref_hog_is_wild(rules, score, opponent_score);
    ag_ref_law laws[AG_HOG_ROLLS_MAX + 1];
    int swaps = bacon >= 0 && ag_ref_hog_turn(rules, score, opponent_score, 0, bacon).swapped;

    const ag_status status = ag_ref_hog_laws(ctx, rules, wild, most, laws);
    if (status == AG_OK) {
        for (int n = 1; n <= most; n++)
            for (size_t i = 0; i < laws[n].n_outcomes; i++)
                swaps |= ag_ref_hog_turn(rules, score, opponent_score, n, laws[n].outcome[i].points).swapped;
        *out = swaps;
    }
    ag_ref_hog_laws_free(most, laws);
    return status;
}

/* Moves the best of moves[0..n-1] to the front; the others keep their order, which is by rising n, so
 * that of moves equal but for rounding the first is the one with the fewest dice. */
static void best_to_front(int n, ag_hog_move *moves)
{
    double best = 0;
    int at = 0;
    for (int i = 0; i < n; i++)
        if (moves[i].win_probability > best)
            best = moves[i].win_probability;
    while (moves[at].win_probability < best - SAME_WIN)
        at++;
    const ag_hog_move first = moves[at];
    memmove(moves + 1, moves, (size_t)at * sizeof *moves);
    moves[0] = first;
}

ag_status ag_hog_advise(ag_ctx *ctx, const ag_hog_rules *rules, const double *win, int score, int opponent_score,
                        ag_hog_advice *out)
{
    ag_hog_advice a = {0};
    double value[AG_HOG_ROLLS_MAX + 1];

    AG_TRY(ag_ref_hog_move_values(ctx, rules, win, score, opponent_score, value, &a.max_rolls));
    AG_TRY(bacon_points(ctx, rules, score, opponent_score, &a.bacon_points));
    AG_TRY(can_swap(ctx, rules, score, opponent_score, a.bacon_points, &a.can_swap));

    const bool wild = ag_ref_hog_is_wild(rules, score, opponent_score);
    a.dice = ag_ref_hog_faces(rules, wild);
    a.rerolled = ag_ref_hog_is_rerolled(rules, wild);
    for (int n = 0; n <= a.max_rolls; n++)
        if (value[n] >= 0)
            a.moves[a.n_moves++] = (ag_hog_move){n, value[n]};
    for (int i = 0; i < a.n_moves; i++)
        best_to_front(a.n_moves - i, a.moves + i);
    *out = a;
    return AG_OK;
}
