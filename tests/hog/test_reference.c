/*
 * test_reference.c -- the reference's tables of Hog: known answers, published tables, and a second
 * solver that iterates.
 */
#include "reference_test.h"

#include <stdbool.h>

#define TIE            1e-12 /* moves this close are equal */
#define AT(goal, s, o) ((size_t)(s) * (size_t)(goal) + (size_t)(o))

typedef struct {
    ag_hog_rules rules;
    double *win;
    uint8_t *rolls;
} table;

static table solve(ag_hog_rules rules)
{
    const size_t n = AT(rules.goal, rules.goal, 0);
    table t = {rules, malloc(n * sizeof *t.win), malloc(n)};
    for (size_t i = 0; i < n; i++)
        t.win[i] = -7; /* poison: every entry must be written */
    memset(t.rolls, 255, n);
    if (ag_ref_hog_solve(ctx, &rules, TIE, t.win, t.rolls) != AG_OK)
        fail_msg("%s: %s", rules.name, ag_ctx_message(ctx));
    return t;
}

static void free_table(table t)
{
    free(t.win);
    free(t.rolls);
}

static double win_at(const table *t, int score, int opponent_score)
{
    return t->win[AT(t->rules.goal, score, opponent_score)];
}

static int rolls_at(const table *t, int score, int opponent_score)
{
    return t->rolls[AT(t->rules.goal, score, opponent_score)];
}

/* ------------------------------------------------------------- known answers */

/* Values at goal 100 that two independent programs in long double agree on. */
static void first_player_win_is_known(void **state)
{
    static const struct {
        const char *preset, *set;
        double win;
        int first_move; /* -1: not known */
    } known[] = {
        {"laney", "", 0.500272882364592, 4},       {"snowden", "", 0.513193375466079, 4},
        {"cs61a-fa15", "", 0.489920597414628, 4},  {"cs61a-fa15", "turn_score=none", 0.487008993825, -1},
        {"neller", "", 0.530664924548615, 6},      {"neller", "max_rolls=16", 0.530100004822376, -1},
        {"plain", "", 0.534359523661518, 6},       {"cs61a-su23", "", 0.569240345215900, 4},
        {"cs61a-sp22", "", 0.516823004360180, -1}, {"cs61a-su21", "", 0.523074, -1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const table t = solve(make_rules(known[i].preset, known[i].set));
        const double within = known[i].win == 0.523074 ? 5e-7 : 1e-12;
        assert_near(t.rules.name, t.win[0], known[i].win, within);
        if (known[i].first_move >= 0)
            assert_int_equal(t.rolls[0], known[i].first_move);
        free_table(t);
    }
}

static void values_inside_the_table_are_known(void **state)
{
    static const struct {
        const char *preset;
        int score, opponent_score;
        double win;
        int move; /* -1: not known */
    } known[] = {
        {"laney", 50, 50, 0.562785040389, 6},
        {"laney", 31, 80, 0.864856073203, 0},
        {"laney", 10, 10, 0.544346973032, -1},
        {"laney", 89, 93, 0.2578125, -1},
        {"laney", 90, 90, 1, -1},
        {"laney", 0, 99, 0, -1},
        {"laney", 99, 50, 1, 0},
        {"snowden", 50, 50, 0.553920960279, -1},
        {"snowden", 99, 0, 0.999997674483, 1},
        {"snowden", 0, 99, 0.000013953104, 10},
        {"snowden", 1, 10, 0.521119405835, -1},
        {"snowden", 10, 1, 0.584171648531, -1},
        {"cs61a-fa15", 50, 50, 0.540070377874, -1},
        {"cs61a-fa15", 0, 99, 1.0 / 6, 1},
        {"cs61a-fa15", 99, 0, 0.999999759707, 6},
        {"cs61a-fa15", 90, 99, 1, -1},
        {"cs61a-fa15", 89, 99, 0.470679012346, 4},
        {"cs61a-fa15", 9, 61, 0.177627456513, -1},
        {"cs61a-fa15", 5, 61, 0.854336375725, 0},
        {"cs61a-su15", 99, 0, 5.0 / 6, 1},
        {"cs61a-sp22", 72, 75, 0.5, 0},
        {"cs61a-sp22", 75, 72, 0.5, 0},
    };
    table t = {0};
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const int s = known[i].score;
        const int o = known[i].opponent_score;
        char what[80];
        if (i == 0 || strcmp(known[i].preset, known[i - 1].preset) != 0) {
            free_table(t);
            t = solve(make_rules(known[i].preset, ""));
        }
        snprintf(what, sizeof what, "%s (%d, %d)", known[i].preset, s, o);
        /* the figures were printed with 12 decimals */
        assert_near(what, win_at(&t, s, o), known[i].win, 6e-13);
        if (known[i].move >= 0 && rolls_at(&t, s, o) != known[i].move)
            fail_msg("%s: move %d, want %d", what, rolls_at(&t, s, o), known[i].move);
    }
    free_table(t);
}

/* Where a zero is a zero and a one a one, and nothing leaves [0, 1]. */
static void every_value_is_a_probability(void **state)
{
    (void)state;
    for (size_t i = 0; ag_hog_preset_name(i) != NULL; i++) {
        const table t = solve(make_rules(ag_hog_preset_name(i), "goal=60"));
        for (size_t at = 0; at < AT(60, 60, 0); at++) {
            if (!(t.win[at] >= 0 && t.win[at] <= 1) || signbit(t.win[at]))
                fail_msg("%s: entry %zu is %.17g", t.rules.name, at, t.win[at]);
            if (t.rolls[at] > t.rules.max_rolls || (t.rolls[at] == 0 && t.rules.bacon == AG_HOG_BACON_NONE))
                fail_msg("%s: entry %zu rolls %d", t.rules.name, at, t.rolls[at]);
        }
        free_table(t);
    }
    const table laney = solve(make_rules("laney", ""));
    assert_true(win_at(&laney, 0, 99) == 0);
    assert_true(win_at(&laney, 99, 50) == 1);
    free_table(laney);
}

/* Every value is the best of its moves, and the move printed is worth it. */
static void tables_solve_the_optimality_equation(void **state)
{
    (void)state;
    for (size_t i = 0; ag_hog_preset_name(i) != NULL; i++) {
        const table t = solve(make_rules(ag_hog_preset_name(i), ""));
        for (int at = 0; at < 10000; at += 37) {
            double value[AG_HOG_ROLLS_MAX + 1];
            double best = -1;
            int n_max;
            assert_int_equal(ag_ref_hog_move_values(ctx, &t.rules, t.win, at / 100, at % 100, value, &n_max), AG_OK);
            for (int n = 0; n <= n_max; n++)
                best = fmax(best, value[n]);
            assert_near(t.rules.name, t.win[at], best, 1e-14);
            assert_near(t.rules.name, value[t.rolls[at]], best, TIE);
        }
        free_table(t);
    }
}

/* --------------------------------------------------------- published tables */

static FILE *open_shared(const char *name)
{
    const char *folder = getenv("AG_SHARED");
    char path[600];
    snprintf(path, sizeof path, "%s/published/%s", folder != NULL ? folder : "../shared", name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        print_message("%s is not here: this comparison is skipped\n", path);
    return file;
}

/* Rows "score,opponent_score,rolls,win" of somebody else's program against ours: every probability
 * within `within`, all rows there, and exactly n_moves moves that differ, all of them between moves that
 * are equal within `tie`. */
static void compare_published(FILE *file, const table *t, double within, double tie, int n_moves)
{
    char line[100];
    int n_rows = 0;
    int n_differ = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        int s, o, rolls;
        double win;
        if (sscanf(line, "%d,%d,%d,%lf", &s, &o, &rolls, &win) != 4)
            continue; /* the header */
        n_rows++;
        assert_near("published", win_at(t, s, o), win, within);
        if (rolls_at(t, s, o) != rolls) {
            double value[AG_HOG_ROLLS_MAX + 1];
            int n_max;
            n_differ++;
            assert_int_equal(ag_ref_hog_move_values(ctx, &t->rules, t->win, s, o, value, &n_max), AG_OK);
            assert_near("published move", value[rolls], win_at(t, s, o), tie);
        }
    }
    fclose(file);
    assert_int_equal(n_rows, 10000);
    assert_int_equal(n_differ, n_moves);
}

/* github.com/Vellication/hog-optimization */
static void laney_agrees_with_vellication(void **state)
{
    (void)state;
    FILE *file = open_shared("hog_laney_vellication.csv");
    if (file == NULL)
        skip();
    const table t = solve(make_rules("laney", ""));
    compare_published(file, &t, 1e-6, TIE, 222);
    free_table(t);
}

/* github.com/michaelsnowden/hog: made without Hogtimus Prime, and with rounded intermediate tables */
static void fa15_agrees_with_snowden(void **state)
{
    (void)state;
    FILE *file = open_shared("hog_fa15_snowden_selfplay.txt");
    if (file == NULL)
        skip();
    const table t = solve(make_rules("cs61a-fa15", "turn_score=none"));
    compare_published(file, &t, 6.2e-6, 2e-6, 71);
    free_table(t);
}

/* ------------------------------------------------- against a solver that iterates */

/*
 * A second solver for small games: every throw of the dice one by one through ag_hog_play_turn(), and
 * the states of one sum, which may lead to each other, from 1/2 by iteration. After k rounds
 * that is the value of the game that is called a draw k turns after it last gained anything.
 */
#define SMALL_GOAL 30
#define MAX_THROWS 64 /* of all moves at a state */

typedef struct {
    int n; /* dice rolled */
    double p;
    ag_hog_turn_result t;
} throw;

/* All throws at (s, o), at most two dice. */
static int list_throws(const ag_hog_rules *rules, int s, int o, throw *list)
{
    int n_throws = 0;
    int faces, rerolled;
    ag_hog_dice_in_use(rules, s, o, &faces, &rerolled);
    if (rules->bacon != AG_HOG_BACON_NONE)
        list[n_throws++] = (throw){0, 1, play(rules, s, o, 0, NULL)};
    for (int a = 1; a <= faces; a++) {
        const int one[1] = {a};
        list[n_throws++] = (throw){1, 1.0 / faces, play(rules, s, o, 1, one)};
        for (int b = 1; b <= faces; b++) {
            const int two[2] = {a, b};
            list[n_throws++] = (throw){2, 1.0 / (faces * faces), play(rules, s, o, 2, two)};
        }
    }
    assert_true(n_throws <= MAX_THROWS);
    return n_throws;
}

static double throw_worth(const ag_hog_rules *rules, const double *win, const ag_hog_turn_result *t)
{
    if (t->over && t->score >= rules->goal && t->opponent_score >= rules->goal)
        return t->score == t->opponent_score ? 0.5 : t->score > t->opponent_score;
    if (t->over)
        return t->score >= rules->goal;
    return t->again ? win[AT(rules->goal, t->score, t->opponent_score)]
                    : 1 - win[AT(rules->goal, t->opponent_score, t->score)];
}

/* The best move's value, or that of one move if only >= 0. */
static double iterate(const ag_hog_rules *rules, const double *win, const throw *list, int n_throws, int only)
{
    double value[3] = {0};
    double best = 0;
    for (int i = 0; i < n_throws; i++)
        value[list[i].n] += list[i].p * throw_worth(rules, win, &list[i].t);
    for (int n = 0; n < 3; n++)
        best = fmax(best, value[n]);
    return only >= 0 ? value[only] : best;
}

/* Fills win with optimal play, or, if rolls is given, with what those moves are worth. */
static void solve_by_iteration(const ag_hog_rules *rules, const uint8_t *rolls, double *win)
{
    const int goal = rules->goal;
    for (size_t i = 0; i < AT(goal, goal, 0); i++)
        win[i] = 0.5;
    for (int sum = 2 * goal - 2; sum >= 0; sum--)
        for (int s = sum < goal ? 0 : sum - goal + 1; 2 * s <= sum; s++) {
            const size_t at = AT(goal, s, sum - s);
            const size_t partner = AT(goal, sum - s, s);
            throw list[2][MAX_THROWS];
            const int n_own = list_throws(rules, s, sum - s, list[0]);
            const int n_partner = list_throws(rules, sum - s, s, list[1]);
            for (int round = 0; round < 400; round++) {
                const double own = iterate(rules, win, list[0], n_own, rolls != NULL ? rolls[at] : -1);
                const double other = iterate(rules, win, list[1], n_partner, rolls != NULL ? rolls[partner] : -1);
                const double change = fabs(own - win[at]) + fabs(other - win[partner]);
                win[at] = own;
                win[partner] = other;
                if (change == 0)
                    break;
            }
        }
}

static void compare_with_iteration(const ag_hog_rules *rules)
{
    static double optimal[SMALL_GOAL * SMALL_GOAL];
    static double printed[SMALL_GOAL * SMALL_GOAL];
    const table t = solve(*rules);
    solve_by_iteration(rules, NULL, optimal);
    solve_by_iteration(rules, t.rolls, printed);
    for (size_t i = 0; i < AT(rules->goal, rules->goal, 0); i++) {
        const bool right = fabs(t.win[i] - optimal[i]) < 1e-13;
        /* both players give away up to TIE at every turn */
        if (!right || fabs(printed[i] - optimal[i]) > 2 * SMALL_GOAL * TIE)
            fail_msg("faces %d pig_out %d piggy_back %d bacon %d total %d swap %d extra_turn %d, (%zu, %zu): "
                     "%.17g, by iteration %.17g, the moves are worth %.17g",
                     rules->faces, rules->pig_out, rules->piggy_back, (int)rules->bacon, (int)rules->total,
                     (int)rules->swap, (int)rules->extra_turn, i / (size_t)rules->goal, i % (size_t)rules->goal,
                     t.win[i], optimal[i], printed[i]);
    }
    free_table(t);
}

/* Sure passes and chances to gain nothing, with every swap, extra turn and total rule there is: a state
 * leads to itself or its partner, with the same or the other player, alike or not on both sides. */
static void every_way_to_gain_nothing_is_solved(void **state)
{
    (void)state;
    for (int total = 0; total < AG_HOG_N_TOTAL; total++)
        for (int swap = 0; swap < AG_HOG_N_SWAP; swap++)
            for (int extra = 0; extra < AG_HOG_N_EXTRA; extra++) {
                ag_hog_rules rules = make_rules("neller", "max_rolls=2 faces=3 bacon=hefty_hogs");
                rules.goal = total == 0 ? SMALL_GOAL : 12;
                rules.total = (ag_hog_total)total;
                rules.swap = (ag_hog_swap)swap;
                rules.extra_turn = (ag_hog_extra)extra;
                compare_with_iteration(&rules);
                rules.pig_out = 1;
                compare_with_iteration(&rules);
            }
}

/* Both players at the goal at once: the higher total wins. */
static void both_at_the_goal_is_solved(void **state)
{
    (void)state;
    for (int total = 0; total < AG_HOG_N_TOTAL; total++) {
        ag_hog_rules rules = make_rules("neller", "goal=9 max_rolls=2 piggy_back=yes wild=sevens");
        rules.total = (ag_hog_total)total;
        compare_with_iteration(&rules);
    }
    const ag_hog_rules rules = make_rules("neller", "goal=9 piggy_back=yes total=square_swine");
    const int spoiled[1] = {1};
    const ag_hog_turn_result t = play(&rules, 4, 8, 1, spoiled); /* 4 becomes 9, 8 is given 1 */
    assert_true(t.over && t.score == 9 && t.opponent_score == 9);
}

/* Where both may pass, (a, b) is worth max(c, min(1/2, 1 - d)), c and d being the best values of (a, b) and
 * (b, a) without passing: act, or wait for the other to act, who will if that gives him more than 1/2. */
static void passing_pairs_of_sp22_are_known(void **state)
{
    static const int pair[][2] = {{24, 5}, {24, 15}, {25, 24}, {28, 6}, {72, 75}};
    const table t = solve(make_rules("cs61a-sp22", ""));
    (void)state;
    for (size_t i = 0; i < sizeof pair / sizeof pair[0]; i++) {
        double best[2] = {0, 0};
        for (int side = 0; side < 2; side++) {
            double value[AG_HOG_ROLLS_MAX + 1];
            int n_max;
            const int s = pair[i][side];
            const int o = pair[i][1 - side];
            assert_int_equal(ag_ref_hog_move_values(ctx, &t.rules, t.win, s, o, value, &n_max), AG_OK);
            assert_int_equal(play(&t.rules, s, o, 0, NULL).turn_score, 0);
            for (int n = 1; n <= n_max; n++)
                best[side] = fmax(best[side], value[n]);
        }
        const double c = best[0];
        const double d = best[1];
        assert_near("pair", win_at(&t, pair[i][0], pair[i][1]), fmax(c, fmin(0.5, 1 - d)), 1e-15);
        assert_near("partner", win_at(&t, pair[i][1], pair[i][0]), fmax(d, fmin(0.5, 1 - c)), 1e-15);
        if (pair[i][0] == 72) {
            assert_near("c", c, 0.417170, 5e-7);
            assert_near("d", d, 0.476819, 5e-7);
        }
    }
    free_table(t);
}

/* ------------------------------------------------------------------ errors */

static void bad_input_is_refused_and_changes_nothing(void **state)
{
    ag_hog_rules rules = make_rules("plain", "goal=3");
    double win[9] = {-7};
    double value[AG_HOG_ROLLS_MAX + 1] = {-7};
    uint8_t rolls[9] = {255};
    int n_max = -7;
    (void)state;

    assert_int_equal(ag_ref_hog_solve(ctx, &rules, -1e-12, win, rolls), AG_E_ARG);
    assert_non_null(strstr(ag_ctx_message(ctx), "the tie tolerance is -1e-12, must be 0..1"));
    assert_int_equal(ag_ref_hog_solve(ctx, &rules, NAN, win, rolls), AG_E_ARG);
    assert_int_equal(ag_ref_hog_move_values(ctx, &rules, win, 3, 0, value, &n_max), AG_E_ARG);
    assert_non_null(strstr(ag_ctx_message(ctx), "the scores are 3 and 0, must be 0..2"));
    assert_int_equal(ag_ref_hog_move_values(ctx, &rules, win, 0, -1, value, &n_max), AG_E_ARG);
    rules.goal = 0;
    assert_int_equal(ag_ref_hog_solve(ctx, &rules, TIE, win, rolls), AG_E_ARG);
    assert_int_equal(ag_ref_hog_move_values(ctx, &rules, win, 0, 0, value, &n_max), AG_E_ARG);
    assert_true(win[0] == -7 && value[0] == -7 && rolls[0] == 255 && n_max == -7);
}

/* Each output may be left out, and the smallest game has one state. */
static void outputs_are_optional(void **state)
{
    const ag_hog_rules rules = make_rules("plain", "goal=1");
    double win = -7;
    uint8_t rolls = 255;
    (void)state;
    assert_int_equal(ag_ref_hog_solve(ctx, &rules, TIE, NULL, NULL), AG_OK);
    assert_int_equal(ag_ref_hog_solve(ctx, &rules, TIE, NULL, &rolls), AG_OK);
    assert_int_equal(ag_ref_hog_solve(ctx, &rules, TIE, &win, NULL), AG_OK);
    assert_int_equal(rolls, 1);
    assert_near("goal 1", win, 1, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_player_win_is_known),
        cmocka_unit_test(values_inside_the_table_are_known),
        cmocka_unit_test(every_value_is_a_probability),
        cmocka_unit_test(tables_solve_the_optimality_equation),
        cmocka_unit_test(laney_agrees_with_vellication),
        cmocka_unit_test(fa15_agrees_with_snowden),
        cmocka_unit_test(every_way_to_gain_nothing_is_solved),
        cmocka_unit_test(both_at_the_goal_is_solved),
        cmocka_unit_test(passing_pairs_of_sp22_are_known),
        cmocka_unit_test(bad_input_is_refused_and_changes_nothing),
        cmocka_unit_test(outputs_are_optional),
    };
    return cmocka_run_group_tests(tests, create_ctx, free_ctx);
}
