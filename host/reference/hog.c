/*
 * hog.c -- optimal play of Hog, state by state, move by move, outcome by outcome.
 *
 * States are done by falling sum of the two scores: no turn lowers the sum, so what a turn that gains
 * anything leads to is known by then. What remains are turns that gain nothing. All of them leave the
 * totals of a state (s, o) as they were, so the state decides what follows:
 *
 *                     the other player moves      the same player moves again (extra turn)
 *      no swap        at (o, s), the partner      at (s, o), this state itself
 *      swap           at (s, o), this state       at (o, s), the partner
 *
 * Such states are games of their own. In them values are counted from 1/2, so that playing for ever
 * is worth 0 and the value for one player is minus that for the other. A move is known by
 *   q = P(the turn gains something),  z = P(it gains nothing),  c = sum of P (value - 1/2) over gains,
 * and moves i of a state worth u and j of its partner worth v, both leading to each other, give
 *   u = c_i + a z_i v,  v = c_j + a z_j u,   a = +1 if the same player moves next, else -1.
 * The sign is the same for both: a state leads to its partner without a swap and without an extra turn,
 * or with both. Were (s, o) of the first kind and (o, s) of the second, both would test the extra turn
 * on the totals (s, o), and one would find it given, the other not.
 */
#include "reference/reference.h"

#include "core/core.h"
#include "reference/hog_law.h"
#include "reference/hog_rules.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A rule set with its lists, and the table as far as it is known. */
typedef struct {
    const ag_hog_rules *rules;
    ag_ref_law law[2][AG_HOG_ROLLS_MAX + 1]; /* of the usual dice, of those of Hog Wild */
    uint8_t *pi;                             /* [goal] decimals, where n = 0 wants them */
    const double *win;                       /* [goal][goal] */
} game;

/* One move at one state. */
typedef struct {
    bool allowed;
    double q, z, c; /* as above */
    double gained;  /* sum of P value over the outcomes that gain something */
} move;

/* Where a turn that gains nothing leads. */
typedef enum { NOWHERE, ITSELF, PARTNER } echo;

typedef struct {
    int score, opponent_score;
    int n_max;
    move moves[AG_HOG_ROLLS_MAX + 1];
    echo echo;                          /* NOWHERE if every turn gains */
    double sign;                        /* +1 if the same player moves then, else -1 */
    double value[AG_HOG_ROLLS_MAX + 1]; /* win probability of each move */
    double worth;                       /* and of the state */
} state;

/* --------------------------------------------------------------------- lists */

static void game_free(game *g)
{
    if (g == NULL)
        return;
    ag_ref_hog_laws_free(AG_HOG_ROLLS_MAX, g->law[0]);
    ag_ref_hog_laws_free(AG_HOG_ROLLS_MAX, g->law[1]);
    free(g->pi);
    free(g);
}

/* Lists what the rules need; win: the table in which outcomes are looked up. */
static ag_status game_create(ag_ctx *ctx, const ag_hog_rules *rules, const double *win, game **out)
{
    ag_status status = AG_OK;
    game *g = calloc(1, sizeof *g);
    if (g == NULL)
        return ag_fail(ctx, AG_E_MEMORY, "no memory for the lists of a rule set");
    g->rules = rules;
    g->win = win;
    status = ag_ref_hog_laws(ctx, rules, false, rules->max_rolls, g->law[0]);
    if (status == AG_OK && rules->wild != AG_HOG_WILD_NONE)
        status = ag_ref_hog_laws(ctx, rules, true, rules->max_rolls, g->law[1]);
    if (status == AG_OK && rules->bacon == AG_HOG_BACON_PI)
        status = ag_ref_hog_pi(ctx, rules->goal, &g->pi);
    if (status != AG_OK) {
        game_free(g);
        return status;
    }
    *out = g;
    return AG_OK;
}

/* -------------------------------------------------------------------- values */

static double known(const game *g, int score, int opponent_score)
{
    return g->win[(size_t)score * (size_t)g->rules->goal + (size_t)opponent_score];
}

/* What the player who made this turn has of it. */
static double worth(const game *g, const ag_hog_turn_result *t)
{
    const int goal = g->rules->goal;
    if (t->score >= goal && t->opponent_score >= goal)
        return t->score > t->opponent_score ? 1 : t->score < t->opponent_score ? 0 : 0.5;
    if (t->over)
        return t->score >= goal;
    return t->again ? known(g, t->score, t->opponent_score) : 1 - known(g, t->opponent_score, t->score);
}

/* Adds one outcome of the move n at x: `points` as turn score, with probability p. */
static void add_outcome(const game *g, state *x, int n, int points, double p)
{
    const ag_hog_turn_result t = ag_ref_hog_turn(g->rules, x->score, x->opponent_score, n, points);
    move *m = &x->moves[n];

    if (t.score + t.opponent_score > x->score + x->opponent_score) {
        const double w = worth(g, &t);
        m->q += p;
        m->c += p * (w - 0.5);
        m->gained += p * w;
    } else {
        const int next_mover = t.again ? t.score : t.opponent_score;
        m->z += p;
        x->echo = next_mover == x->score ? ITSELF : PARTNER;
        x->sign = t.again ? 1 : -1;
    }
}

/* Lists the moves at (score, opponent_score), each by its outcomes. */
static void list_moves(const game *g, int score, int opponent_score, state *x)
{
    const ag_hog_rules *rules = g->rules;
    const ag_ref_law *law = g->law[ag_ref_hog_is_wild(rules, score, opponent_score)];

    x->score = score;
    x->opponent_score = opponent_score;
    x->n_max = ag_ref_hog_most_dice(rules, score, opponent_score);
    x->echo = NOWHERE;
    assert(x->n_max >= 0);
    for (int n = 0; n <= x->n_max; n++) {
        x->moves[n] = (move){.allowed = n > 0 || rules->bacon != AG_HOG_BACON_NONE};
        for (size_t i = 0; i < law[n].n_outcomes; i++)
            add_outcome(g, x, n, law[n].outcome[i].points, law[n].outcome[i].p);
    }
    if (x->moves[0].allowed) {
        const int points = ag_ref_hog_bacon(rules, g->pi, score, opponent_score);
        add_outcome(g, x, 0, ag_ref_hog_turn_score(rules, 0, points), 1);
    }
}

/* The best of the moves, when they are valued. */
static double best_value(const state *x)
{
    double best = -1;
    for (int n = 0; n <= x->n_max; n++)
        if (x->moves[n].allowed)
            best = fmax(best, x->value[n]);
    return best;
}

/* ------------------------------------------------- states that may gain nothing */

/* Values of the moves where a turn that gains nothing is worth `echo_win` to its player. */
static void value_with_known_echo(state *x, double echo_win)
{
    for (int n = 0; n <= x->n_max; n++)
        x->value[n] = x->moves[n].gained + x->moves[n].z * echo_win;
    x->worth = best_value(x);
}

/* Values of the moves, each taken whenever x comes back to itself: u = c + a z u. */
static void value_with_echo_to_itself(state *x)
{
    for (int n = 0; n <= x->n_max; n++) {
        const move *m = &x->moves[n];
        const bool for_ever = m->q == 0;
        x->value[n] = 0.5 + (for_ever ? 0 : m->c / (x->sign > 0 ? m->q : 1 + m->z));
    }
    x->worth = best_value(x);
}

/* u, when x always plays i and its partner y always plays j. */
static double pair_value(const state *x, const move *i, const move *j)
{
    const bool for_ever = i->q == 0 && j->q == 0;
    /* 1 - z z' without cancellation: 1 - (1 - q)(1 - q') */
    const double one_minus = i->q + j->q - i->q * j->q;
    return for_ever ? 0 : (i->c + x->sign * i->z * j->c) / one_minus;
}

/*
 * Values of the moves of x when it and its partner lead to each other. Let u_j be the best that x can
 * get while the partner always plays j. The partner's player chooses j: the other player (a = -1) the
 * one with the smallest u_j, the same player (a = +1) the one with the largest; of those, the one worth most at
 * the partner, for x may be indifferent where the partner is not. No plan that varies
 * with time does better: nothing is gained in between, so the same choice comes back unchanged.
 */
static void value_with_partner(state *x, const state *y, double tie_tolerance)
{
    const move *chosen = &y->moves[0];
    double u_best = -2 * x->sign, worth = 0; /* no u_j is as bad */
    assert(x->sign == y->sign);

    for (int j = 0; j <= y->n_max; j++) {
        double u = -1;
        if (!y->moves[j].allowed)
            continue;
        for (int i = 0; i <= x->n_max; i++)
            if (x->moves[i].allowed)
                u = fmax(u, pair_value(x, &x->moves[i], &y->moves[j]));
        const double better = x->sign * (u - u_best), to_y = y->moves[j].c + y->sign * y->moves[j].z * u;
        if (better > tie_tolerance || (better > -tie_tolerance && to_y > worth)) {
            worth = to_y;
            u_best = better > 0 ? u : u_best;
            chosen = &y->moves[j];
        }
    }
    for (int i = 0; i <= x->n_max; i++)
        x->value[i] = 0.5 + pair_value(x, &x->moves[i], chosen);
    x->worth = 0.5 + u_best; /* the chosen move may be as little off as equal moves are */
}

/* ----------------------------------------------------------------- the table */

static double clamp(double p)
{
    return fmin(fmax(p, 0), 1);
}

/*
 * True if x's sure passes must stand back: x is worth more than endless play, and its partner y, passing surely
 * too, would lose nothing by passing back for ever.
 */
static bool pass_stands_back(const state *x, const state *y, double tie_tolerance)
{
    const double worth_pass = y->sign > 0 ? x->worth : 1 - x->worth;
    bool y_passes = false;
    for (int n = 0; n <= y->n_max; n++)
        y_passes = y_passes || (y->moves[n].allowed && y->moves[n].q == 0);
    return y_passes && x->worth > 0.5 + tie_tolerance && worth_pass >= y->worth - tie_tolerance;
}

/* The smallest n equal to the best; one that surely gains nothing (q = 0) only if no other is, where it stands back. */
static int best_move(const state *x, bool stands_back, double tie_tolerance)
{
    const double enough = x->worth - tie_tolerance;
    int passing = -1;
    for (int n = 0; n <= x->n_max; n++) {
        if (!x->moves[n].allowed || x->value[n] < enough)
            continue;
        if (x->moves[n].q > 0 || !stands_back)
            return n;
        if (passing < 0)
            passing = n;
    }
    return passing;
}

typedef struct {
    game *g;
    double *win;    /* [goal][goal] */
    uint8_t *rolls; /* [goal][goal] or NULL */
    double tie_tolerance;
    state a, b; /* the pair at hand */
} solver;

/* Enters x, whose moves are valued, into the table. y: its partner where each leads to the other, else NULL. */
static void enter(solver *s, const state *x, const state *y)
{
    const size_t at = (size_t)x->score * (size_t)s->g->rules->goal + (size_t)x->opponent_score;
    s->win[at] = clamp(x->worth);
    if (s->rolls != NULL)
        s->rolls[at] = (uint8_t)best_move(x, y != NULL && pass_stands_back(x, y, s->tie_tolerance), s->tie_tolerance);
}

/* Values x if its partner need not be known; says whether it did. */
static bool solve_alone(solver *s, state *x)
{
    if (x->echo == PARTNER)
        return false;
    if (x->echo == ITSELF)
        value_with_echo_to_itself(x);
    else
        value_with_known_echo(x, 0);
    enter(s, x, NULL);
    return true;
}

/* Values x, which leads to its partner y, which is in the table. */
static void solve_after_partner(solver *s, state *x, const state *y)
{
    const double v = known(s->g, y->score, y->opponent_score);
    value_with_known_echo(x, x->sign > 0 ? v : 1 - v);
    enter(s, x, NULL);
}

/* Solves (score, opponent_score) and its partner, the same scores seen from the other side. */
static void solve_pair(solver *s, int score, int opponent_score)
{
    state *const x = &s->a;
    state *const y = &s->b;
    list_moves(s->g, score, opponent_score, x);
    if (score == opponent_score) {
        solve_alone(s, x);
        return;
    }
    list_moves(s->g, opponent_score, score, y);

    const bool x_done = solve_alone(s, x);
    const bool y_done = solve_alone(s, y);
    if (x_done && !y_done)
        solve_after_partner(s, y, x);
    if (y_done && !x_done)
        solve_after_partner(s, x, y);
    if (!x_done && !y_done) {
        value_with_partner(x, y, s->tie_tolerance);
        value_with_partner(y, x, s->tie_tolerance);
        enter(s, x, y);
        enter(s, y, x);
    }
}

ag_status ag_ref_hog_solve(ag_ctx *ctx, const ag_hog_rules *rules, double tie_tolerance, double *win, uint8_t *rolls)
{
    solver s = {.rolls = rolls, .tie_tolerance = tie_tolerance};
    double *own_win = NULL;

    AG_TRY(ag_hog_rules_check(ctx, rules));
    if (!(tie_tolerance >= 0 && tie_tolerance <= 1))
        return ag_fail(ctx, AG_E_ARG, "the tie tolerance is %g, must be 0..1", tie_tolerance);
    if (win == NULL) {
        win = own_win = malloc((size_t)rules->goal * (size_t)rules->goal * sizeof *win);
        if (own_win == NULL)
            return ag_fail(ctx, AG_E_MEMORY, "no memory for a table of goal %d", rules->goal);
    }
    s.win = win;
    const ag_status status = game_create(ctx, rules, win, &s.g);
    if (status == AG_OK)
        for (int sum = 2 * rules->goal - 2; sum >= 0; sum--)
            for (int score = sum < rules->goal ? 0 : sum - rules->goal + 1; 2 * score <= sum; score++)
                solve_pair(&s, score, sum - score);
    game_free(s.g);
    free(own_win);
    return status;
}

ag_status ag_ref_hog_move_values(ag_ctx *ctx, const ag_hog_rules *rules, const double *win, int score,
                                 int opponent_score, double *value, int *n_max)
{
    game *g = NULL;
    state x;

    AG_TRY(ag_hog_rules_check(ctx, rules));
    if (score < 0 || score >= rules->goal || opponent_score < 0 || opponent_score >= rules->goal)
        return ag_fail(ctx, AG_E_ARG, "the scores are %d and %d, must be 0..%d", score, opponent_score,
                       rules->goal - 1);
    AG_TRY(game_create(ctx, rules, win, &g));
    list_moves(g, score, opponent_score, &x);
    if (x.echo != NOWHERE) {
        const double next = x.echo == ITSELF ? known(g, score, opponent_score) : known(g, opponent_score, score);
        value_with_known_echo(&x, x.sign > 0 ? next : 1 - next);
    } else {
        value_with_known_echo(&x, 0);
    }
    for (int n = 0; n <= rules->max_rolls; n++)
        value[n] = n <= x.n_max && x.moves[n].allowed ? clamp(x.value[n]) : -1;
    *n_max = x.n_max;
    game_free(g);
    return AG_OK;
}
