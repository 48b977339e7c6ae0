/*
 * hog_oracle_pairs_self.c -- tests the oracle's states that depend on each other against a trial of every policy.
 *
 * The second solver is too plain to be wrong: it solves each pair of states by trying all
 * policies of both players. Endless play needs no care, since before every turn the game
 * stops as a draw with probability 1e-9; what that changes stays below 1e-6.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hog_oracle.h"

enum { SMALL_GOAL = 8, SMALL_STATES = SMALL_GOAL * SMALL_GOAL, SMALL_MOVES = 26, SMALL_POINTS = 64 };

typedef struct {
    int n;
    double gain;       /* expected value, less 1/2, of what ends the game or raises the sum of scores */
    double stay[2][2]; /* [other][y]: probability that the same or the other player is next, at state y of the pair */
} small_move;

typedef struct {
    ag_hog_rules rules;
    int state[2]; /* of the pair in hand: a * SMALL_GOAL + b and b * SMALL_GOAL + a */
    int n_moves[2];
    small_move moves[2][SMALL_MOVES];
    double law[SMALL_MOVES][SMALL_POINTS]; /* of the points before the turn-score rules */
    double value[SMALL_STATES];            /* less 1/2 */
} small_game;

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

static void add_outcome(const small_game *game, small_move *move, int state, int points, double p)
{
    const int s = state / SMALL_GOAL, o = state % SMALL_GOAL;
    const ag_hog_turn_result t = hog_oracle_turn(&game->rules, s, o, move->n, points);
    const int next = t.again ? t.score * SMALL_GOAL + t.opponent_score : t.opponent_score * SMALL_GOAL + t.score;

    if (t.over)
        move->gain += p * 0.5 * ((t.score > t.opponent_score) - (t.score < t.opponent_score));
    else if (next == game->state[0] || next == game->state[1])
        move->stay[!t.again][next != game->state[0]] += p;
    else
        move->gain += p * (t.again ? game->value[next] : -game->value[next]);
}

/* The moves of state x of the pair; of those that always gain, only the best and that of n = rolls. */
static void make_small_moves(small_game *game, int x, int rolls)
{
    const ag_hog_rules *rules = &game->rules;
    const int state = game->state[x];
    small_move best = {.gain = -1};

    game->n_moves[x] = 0;
    for (int n = hog_oracle_fewest(rules); n <= rules->max_rolls; n++) {
        small_move move = {.n = n};
        if (n == 0)
            add_outcome(game, &move, state, hog_oracle_bacon(rules, state / SMALL_GOAL, state % SMALL_GOAL), 1);
        for (int k = 0; n > 0 && k < SMALL_POINTS; k++)
            if (game->law[n][k] > 0)
                add_outcome(game, &move, state, k, game->law[n][k]);
        if (move.stay[0][0] + move.stay[0][1] + move.stay[1][0] + move.stay[1][1] > 0 || n == rolls)
            game->moves[x][game->n_moves[x]++] = move;
        else if (move.gain > best.gain)
            best = move;
    }
    if (best.gain > -1)
        game->moves[x][game->n_moves[x]++] = best;
}

/* Solves m u = r for four unknowns; m and r are used up. */
static void solve_four(double m[4][4], double r[4], double u[4])
{
    for (int i = 0; i < 4; i++) { /* rows are diagonally dominant: no pivoting */
        for (int k = i + 1; k < 4; k++) {
            const double factor = m[k][i] / m[i][i];
            for (int j = i; j < 4; j++)
                m[k][j] -= factor * m[i][j];
            r[k] -= factor * r[i];
        }
    }
    for (int i = 3; i >= 0; i--) {
        u[i] = r[i];
        for (int j = i + 1; j < 4; j++)
            u[i] -= m[i][j] * u[j];
        u[i] /= m[i][i];
    }
}

/* value[x]: what player 0, on turn at state x, gets by the moves mine[] against his[]. */
static void play_policies(const small_game *game, const int mine[2], const int his[2], double value[2])
{
    double m[4][4] = {{0}}, r[4], u[4];

    for (int player = 0; player < 2; player++)
        for (int x = 0; x < 2; x++) {
            const small_move *move = &game->moves[x][player == 0 ? mine[x] : his[x]];
            r[2 * player + x] = player == 0 ? move->gain : -move->gain;
            for (int other = 0; other < 2; other++)
                for (int y = 0; y < 2; y++)
                    m[2 * player + x][2 * (player ^ other) + y] -= (1 - 1e-9) * move->stay[other][y];
            m[2 * player + x][2 * player + x] += 1;
        }
    solve_four(m, r, u);
    value[0] = u[0];
    value[1] = u[1];
}

/* secured[x]: what the moves mine[] secure against any reply. */
static void secure(const small_game *game, const int mine[2], double secured[2])
{
    double value[2];

    secured[0] = secured[1] = 1;
    for (int k = 0; k < game->n_moves[0]; k++)
        for (int l = 0; l < game->n_moves[1]; l++) {
            const int his[2] = {k, l};
            play_policies(game, mine, his, value);
            for (int x = 0; x < 2; x++)
                secured[x] = fmin(secured[x], value[x]);
        }
}

/* The values of a pair, and what the given rolls secure there. */
static void try_all_policies(small_game *game, const int rolls[2], double best[2], double by_rolls[2])
{
    double secured[2];

    best[0] = best[1] = by_rolls[0] = by_rolls[1] = -1;
    for (int i = 0; i < game->n_moves[0]; i++)
        for (int j = 0; j < game->n_moves[1]; j++) {
            const int mine[2] = {i, j};
            secure(game, mine, secured);
            for (int x = 0; x < 2; x++)
                best[x] = fmax(best[x], secured[x]);
            if (game->moves[0][i].n == rolls[0] && game->moves[1][j].n == rolls[1])
                memcpy(by_rolls, secured, sizeof secured);
        }
}

/* The exact values, and what the chosen moves secure, are what trying all policies finds. */
static void check_small_game(small_game *game, mpq_t *win, mpq_t *law)
{
    int rolls[SMALL_STATES];
    const ag_hog_rules *rules = &game->rules;
    ag_hog_rules no_turn_rules = *rules;

    no_turn_rules.turn_score[0] = AG_HOG_TURN_NONE;
    for (int n = 1; n <= rules->max_rolls; n++) {
        hog_oracle_law(&no_turn_rules, 0, n, SMALL_POINTS, law);
        for (int k = 0; k < SMALL_POINTS; k++)
            game->law[n][k] = mpq_get_d(law[k]);
    }
    hog_oracle_solve(rules, win, rolls);
    for (int sum = 2 * SMALL_GOAL - 2; sum >= 0; sum--)
        for (int a = sum < SMALL_GOAL ? 0 : sum - SMALL_GOAL + 1; 2 * a <= sum; a++) {
            double best[2], by_rolls[2];
            game->state[0] = a * SMALL_GOAL + sum - a;
            game->state[1] = (sum - a) * SMALL_GOAL + a;
            const int pair_rolls[2] = {rolls[game->state[0]], rolls[game->state[1]]};
            make_small_moves(game, 0, pair_rolls[0]);
            make_small_moves(game, 1, pair_rolls[1]);
            try_all_policies(game, pair_rolls, best, by_rolls);
            for (int x = 0; x < 2; x++) {
                const double exact = mpq_get_d(win[game->state[x]]) - 0.5;
                game->value[game->state[x]] = best[x];
                if (fabs(best[x] - exact) > 1e-6 || fabs(by_rolls[x] - exact) > 1e-6)
                    fail_msg("swap %d, extra turn %d, total %d, pig out %d, state %d:%d: exact %.9f, best %.9f, "
                             "by its moves %.9f",
                             (int)rules->swap, (int)rules->extra_turn, (int)rules->total, rules->pig_out,
                             game->state[x] / SMALL_GOAL, game->state[x] % SMALL_GOAL, exact, best[x], by_rolls[x]);
            }
        }
}

/* Zero gains of every kind: for certain and by chance, with swaps and extra turns in any combination. */
static void test_odd_rules_against_every_policy(void **state)
{
    small_game *game = calloc(1, sizeof *game);
    mpq_t *win = new_rationals(SMALL_STATES), *law = new_rationals(SMALL_POINTS);
    ag_hog_rules *rules = &game->rules;

    (void)state;
    assert_non_null(game);
    for (int swap = 0; swap < AG_HOG_N_SWAP; swap++)
        for (int extra_turn = 0; extra_turn < AG_HOG_N_EXTRA; extra_turn++)
            for (int total = 0; total < AG_HOG_N_TOTAL; total++) {
                *rules = (ag_hog_rules){.goal = SMALL_GOAL,
                                        .max_rolls = 2,
                                        .faces = 3,
                                        .bacon = AG_HOG_BACON_HEFTY_HOGS,
                                        .total = (ag_hog_total)total,
                                        .swap = (ag_hog_swap)swap,
                                        .extra_turn = (ag_hog_extra)extra_turn};
                for (rules->pig_out = 0; rules->pig_out <= 1; rules->pig_out++)
                    check_small_game(game, win, law); /* n = 0 gains nothing here and there */
                rules->bacon = AG_HOG_BACON_NONE;
                rules->pig_out = 1;
                rules->faces = 2;
                rules->max_rolls = 25;
                rules->turn_score[0] = AG_HOG_TURN_PIGS_FLY; /* 25 dice never score */
                check_small_game(game, win, law);
            }
    free_rationals(law, SMALL_POINTS);
    free_rationals(win, SMALL_STATES);
    free(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_odd_rules_against_every_policy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
