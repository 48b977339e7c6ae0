/*
 * test_solve.c -- the solver's known answers: figures that independent programs agree on, tables that others
 * published, values worked out by hand, and errors that leave every output as it was.
 */
#include "solver_test.h"

#include <sys/resource.h>
#include <unistd.h>

/* Figures given with 12 decimals: half a unit of the last, and room for a value that lies there. */
#define PRINTED_12 6e-13

static const where devices[] = {{"cpu", 2, NULL, NULL}, {"opencl", 0, NULL, NULL}, {"cuda", 0, NULL, NULL}};

/* Runs f on every device of the list that is here. */
static void on_devices(void (*f)(ag_ctx *ctx))
{
    for (size_t d = 0; d < COUNT(devices); d++) {
        ag_ctx *ctx = open_ctx(&devices[d]);
        if (ctx) {
            f(ctx);
            assert_string_equal(ag_ctx_backend(ctx), devices[d].backend);
        }
        ag_ctx_free(ctx);
    }
}

static void check_value(ag_ctx *ctx, const table *t, int s, int o, double win, double within, int move)
{
    char text[RULES_TEXT];
    const size_t at = AT(t->rules.goal, s, o);
    if (!(fabs(t->win[at] - win) <= within) || (move >= 0 && t->rolls[at] != move))
        fail_msg("%s: %s, state (%d, %d): got %.17g by %d dice, want %.17g within %g by %d", ag_ctx_backend(ctx),
                 rules_text(&t->rules, text), s, o, t->win[at], t->rolls[at], win, within, move);
}

/* ------------------------------------------------------------- known answers */

/*
 * V(0,0) at goal 100 with every digit that two programs in long double agree on: value iteration to 1e-17 over the
 * whole grid, and value iteration inside blocks of equal sum. sp22 and fa15 without Hogtimus Prime come from one of
 * them, su21 from the discussion of its digits (6 decimals).
 */
static void first_player_wins(ag_ctx *ctx)
{
    static const struct {
        const char *preset, *set;
        double win, within;
        int move; /* -1: not told */
    } known[] = {
        {"laney", "", 0.500272882364592, 1e-12, 4},
        {"snowden", "", 0.513193375466079, 1e-12, 4},
        {"cs61a-fa15", "", 0.489920597414628, 1e-12, 4},
        {"cs61a-fa15", "turn_score=none", 0.487008993825, PRINTED_12, -1},
        {"neller", "", 0.530664924548615, 1e-12, 6},
        {"neller", "max_rolls=16", 0.530100004822376, 1e-12, -1},
        {"plain", "", 0.534359523661518, 1e-12, 6},
        {"cs61a-su23", "", 0.569240345215900, 1e-12, 4},
        {"cs61a-sp22", "", 0.516823004360180, 1e-12, -1},
        {"cs61a-su21", "", 0.523074, 5e-7, -1},
    };
    for (size_t i = 0; i < COUNT(known); i++) {
        const ag_hog_rules rules = make_rules(ctx, known[i].preset, known[i].set);
        table t = solve_layers(ctx, &rules);
        check_value(ctx, &t, 0, 0, known[i].win, known[i].within, known[i].move);
        assert_true(t.result.error < 1e-12 && t.result.sweeps == 0 && t.result.converged == 1);
        free_table(&t);
    }
}

/* Values inside the tables, from the same two programs; fractions are exact. */
static void values_inside_tables(ag_ctx *ctx)
{
    static const struct {
        const char *preset;
        int score, opponent_score;
        double win;
        int move;
    } known[] = {
        {"laney", 50, 50, 0.562785040389, 6},
        {"laney", 31, 80, 0.864856073203, 0},
        {"laney", 10, 10, 0.544346973032, -1},
        {"laney", 89, 93, 0.2578125, -1},
        {"laney", 90, 90, 1.0, -1},
        {"laney", 0, 99, 0.0, -1},
        {"laney", 99, 50, 1.0, 0},
        {"snowden", 50, 50, 0.553920960279, -1},
        {"snowden", 99, 0, 0.999997674483, 1},
        {"snowden", 0, 99, 0.000013953104, 10},
        {"snowden", 1, 10, 0.521119405835, -1},
        {"snowden", 10, 1, 0.584171648531, -1},
        {"cs61a-fa15", 50, 50, 0.540070377874, -1},
        {"cs61a-fa15", 0, 99, 1.0 / 6.0, 1},
        {"cs61a-fa15", 99, 0, 0.999999759707, 6},
        {"cs61a-fa15", 90, 99, 1.0, -1},
        {"cs61a-fa15", 89, 99, 0.470679012346, 4},
        {"cs61a-fa15", 9, 61, 0.177627456513, -1},
        {"cs61a-fa15", 5, 61, 0.854336375725, 0},
        {"cs61a-su15", 99, 0, 5.0 / 6.0, 1},
        {"cs61a-sp22", 72, 75, 0.5, 0},
        {"cs61a-sp22", 75, 72, 0.5, 0},
    };
    table t = {0};
    for (size_t i = 0; i < COUNT(known); i++) {
        if (i == 0 || strcmp(known[i].preset, known[i - 1].preset) != 0) {
            const ag_hog_rules rules = make_rules(ctx, known[i].preset, "");
            free_table(&t);
            t = solve_layers(ctx, &rules);
        }
        check_value(ctx, &t, known[i].score, known[i].opponent_score, known[i].win, PRINTED_12, known[i].move);
    }
    free_table(&t);
}

static void known_first_player_wins_are_found(void **state)
{
    (void)state;
    on_devices(first_player_wins);
}

static void known_values_inside_tables_are_found(void **state)
{
    (void)state;
    on_devices(values_inside_tables);
}

/* ------------------------------------------------------------------- mistakes that others made */

/* One state whose value a well-known mistake gets wrong. */
static double advised_at(ag_ctx *ctx, const table *t, int s, int o, int rolls)
{
    ag_hog_advice advice;
    assert_int_equal(ag_hog_advise(ctx, &t->rules, t->win, s, o, &advice), AG_OK);
    return advised(&advice, rolls);
}

/* The swap comes before the goal test: a gain of exactly 1 makes 100:50, which swaps and loses. */
static void goal_is_tested_after_the_swap(void **state)
{
    (void)state;
    ag_ctx *ctx = open_cpu(2);
    const ag_hog_rules laney = make_rules(ctx, "laney", ""), su15 = make_rules(ctx, "cs61a-su15", "");
    table t = solve_layers(ctx, &laney);
    check_value(ctx, &t, 99, 50, 1.0, 0.0, 0);
    /* one die: a 1 loses at once, all else wins */
    assert_true(fabs(advised_at(ctx, &t, 99, 50, 1) - 5.0 / 6.0) < 1e-15);
    free_table(&t);

    t = solve_layers(ctx, &su15); /* 99:0 and one point: 00 reversed is 00 */
    check_value(ctx, &t, 99, 0, 5.0 / 6.0, 1e-15, 1);
    assert_true(advised_at(ctx, &t, 99, 0, 0) == 0.0);
    free_table(&t);
    ag_ctx_free(ctx);
}

/* A roll with a 1 gives the opponent 10, and 90:109 swaps; all other sums win by themselves. */
static void a_certain_win_by_failing_is_seen(void **state)
{
    (void)state;
    ag_ctx *ctx = open_cpu(2);
    const ag_hog_rules rules = make_rules(ctx, "cs61a-fa15", "");
    table t = solve_layers(ctx, &rules);
    check_value(ctx, &t, 90, 99, 1.0, 1e-15, -1);
    assert_true(fabs(advised_at(ctx, &t, 90, 99, 10) - 1.0) < 1e-14);
    free_table(&t);
    ag_ctx_free(ctx);
}

/* A value of exactly 0 is a value. */
static void a_lost_state_is_worth_zero(void **state)
{
    (void)state;
    ag_ctx *ctx = open_cpu(2);
    const ag_hog_rules rules = make_rules(ctx, "laney", "");
    table t = solve_layers(ctx, &rules);
    assert_true(t.win[AT(100, 0, 99)] == 0.0 && !signbit(t.win[AT(100, 0, 99)]));
    free_table(&t);
    ag_ctx_free(ctx);
}

/* Both pass for ever at 72:75, since acting is worth less than 1/2 to either. */
static void two_who_had_better_wait_pass_for_ever(void **state)
{
    (void)state;
    ag_ctx *ctx = open_cpu(2);
    const ag_hog_rules rules = make_rules(ctx, "cs61a-sp22", "");
    table t = solve_layers(ctx, &rules);
    double best[2] = {0.0, 0.0};
    for (int side = 0; side < 2; side++) {
        const int s = side ? 75 : 72, o = side ? 72 : 75;
        check_value(ctx, &t, s, o, 0.5, 0.0, 0);
        for (int n = 1; n <= 10; n++)
            best[side] = fmax(best[side], advised_at(ctx, &t, s, o, n));
    }
    assert_true(fabs(best[0] - 0.417170) < 5e-7 && fabs(best[1] - 0.476819) < 5e-7);
    free_table(&t);
    ag_ctx_free(ctx);
}

/* Sixteen dice are rolled somewhere, and nothing caps them at ten. */
static void more_than_ten_dice_are_used(void **state)
{
    (void)state;
    ag_ctx *ctx = open_cpu(2);
    const ag_hog_rules rules = make_rules(ctx, "neller", "max_rolls=16");
    table t = solve_layers(ctx, &rules);
    int most = 0;
    for (size_t i = 0; i < n_states(&rules); i++)
        most = t.rolls[i] > most ? t.rolls[i] : most;
    assert_int_equal(most, 16);
    free_table(&t);
    ag_ctx_free(ctx);
}

/*
 * Square Swine at goal 4 with one die, by hand. A total of 1 is a square and becomes 4, which wins; 4 becomes 9. So
 * from 0 the outcomes 1, 4, 5, 6 win, from 2 all but the 1, from 3 all:
 *     V(3,o) = 1, V(2,3) = 5/6, V(2,2) = 5/6 + 1/6 1/6 = 31/36, V(0,3) = 4/6,
 *     V(0,2) = 4/6 + 1/6 (1 - 31/36) + 1/6 (1 - 5/6) = 155/216, V(0,0) = 4/6 + 1/6 61/216 + 1/6 2/6 = 997/1296.
 */
static void a_total_of_one_is_a_square(void **state)
{
    (void)state;
    ag_ctx *ctx = open_cpu(2);
    const ag_hog_rules rules = make_rules(ctx, "cs61a-fa22", "goal=4 bacon=none max_rolls=1");
    table t = solve_layers(ctx, &rules);
    check_value(ctx, &t, 3, 1, 1.0, 1e-15, 1);
    check_value(ctx, &t, 2, 3, 5.0 / 6.0, 1e-15, 1);
    check_value(ctx, &t, 2, 2, 31.0 / 36.0, 1e-15, 1);
    check_value(ctx, &t, 0, 3, 4.0 / 6.0, 1e-15, 1);
    check_value(ctx, &t, 0, 2, 155.0 / 216.0, 1e-15, 1);
    check_value(ctx, &t, 0, 0, 997.0 / 1296.0, 1e-15, 1);
    free_table(&t);
    ag_ctx_free(ctx);
}

/* solve() checks every entry: a probability, no -0, an allowed move. Here at the goals where a table is least. */
static void every_preset_has_sound_tables_at_every_small_goal(void **state)
{
    (void)state;
    ag_ctx *ctx = open_cpu(2);
    for (size_t i = 0; ag_hog_preset_name(i) != NULL; i++)
        for (int goal = 1; goal <= 25; goal++) {
            const ag_hog_rules rules = with_goal(make_rules(ctx, ag_hog_preset_name(i), ""), goal);
            table t = solve_layers(ctx, &rules);
            free_table(&t);
        }
    ag_ctx_free(ctx);
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

/* Rows "score,opponent_score,rolls,win" of another program: every probability within `within`, all rows
 * there, and exactly n_moves moves that differ, all of them between moves that are equal within `tie`. */
static void compare_published(ag_ctx *ctx, FILE *file, const table *t, double within, double tie, int n_moves)
{
    char line[100];
    int n_rows = 0, n_differ = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        int s, o, rolls;
        double win;
        if (sscanf(line, "%d,%d,%d,%lf", &s, &o, &rolls, &win) != 4)
            continue; /* the header */
        n_rows++;
        check_value(ctx, t, s, o, win, within, -1);
        const int ours = t->rolls[AT(t->rules.goal, s, o)];
        if (ours == rolls)
            continue;
        n_differ++;
        const double gap = fabs(advised_at(ctx, t, s, o, ours) - advised_at(ctx, t, s, o, rolls));
        if (!(gap <= tie))
            fail_msg("%s, state (%d, %d): %d dice here, %d published, worth %g apart", t->rules.name, s, o, ours, rolls,
                     gap);
    }
    fclose(file);
    assert_int_equal(n_rows, 10000);
    assert_int_equal(n_differ, n_moves);
}

/* github.com/Vellication/hog-optimization: six decimals, and half a unit of the last is what rounding can do. */
static void laney_agrees_with_vellication(void **state)
{
    (void)state;
    FILE *file = open_shared("hog_laney_vellication.csv");
    if (file == NULL)
        skip();
    ag_ctx *ctx = open_cpu(2);
    const ag_hog_rules rules = make_rules(ctx, "laney", "");
    table t = solve_layers(ctx, &rules);
    compare_published(ctx, file, &t, 5e-7 + 1e-12, t.result.tie_tolerance, 222);
    free_table(&t);
    ag_ctx_free(ctx);
}

/* github.com/michaelsnowden/hog: made without Hogtimus Prime, and from intermediate tables rounded to six
 * decimals, which moves its values by up to 6.2e-6 and its ties by up to 2e-6. */
static void fa15_agrees_with_snowden(void **state)
{
    (void)state;
    FILE *file = open_shared("hog_fa15_snowden_selfplay.txt");
    if (file == NULL)
        skip();
    ag_ctx *ctx = open_cpu(2);
    const ag_hog_rules rules = make_rules(ctx, "cs61a-fa15", "turn_score=none");
    table t = solve_layers(ctx, &rules);
    compare_published(ctx, file, &t, 6.2e-6, 2e-6, 71);
    free_table(&t);
    ag_ctx_free(ctx);
}

/* ------------------------------------------------------------------- outputs */

/* Tables may be left out, and the summary is the same. */
static void outputs_may_be_left_out(void **state)
{
    (void)state;
    ag_ctx *ctx = open_cpu(2);
    for (int method = AG_HOG_LAYERS; method <= AG_HOG_SWEEP; method++) {
        const ag_hog_rules rules = make_rules(ctx, "cs61a-sp22", "goal=40");
        table t = solve(ctx, &rules, (ag_hog_method)method, 1e-12);
        table only_win = new_table(&rules), only_rolls = new_table(&rules);
        ag_hog_result none;
        memset(&none, POISON_BYTE, sizeof none);
        assert_int_equal(ag_hog_solve(ctx, &rules, (ag_hog_method)method, 1e-12, NULL, NULL, &none), AG_OK);
        assert_int_equal(ag_hog_solve(ctx, &rules, (ag_hog_method)method, 1e-12, only_win.win, NULL, &only_win.result),
                         AG_OK);
        assert_int_equal(
            ag_hog_solve(ctx, &rules, (ag_hog_method)method, 1e-12, NULL, only_rolls.rolls, &only_rolls.result), AG_OK);
        assert_memory_equal(only_win.win, t.win, n_states(&rules) * sizeof *t.win);
        assert_memory_equal(only_rolls.rolls, t.rolls, n_states(&rules));
        assert_true(none.first_player_win == t.result.first_player_win && none.first_move == t.result.first_move &&
                    none.error == t.result.error && none.sweeps == t.result.sweeps);
        free_table(&only_win);
        free_table(&only_rolls);
        free_table(&t);
    }
    ag_ctx_free(ctx);
}

/* -------------------------------------------------------------------- errors */

/* One call that must fail, saying `words`, and leave the poison where it is. */
static void expect_failure(ag_ctx *ctx, const ag_hog_rules *rules, int method, double epsilon, ag_status status,
                           const char *words)
{
    const ag_hog_rules small = make_rules(ctx, "plain", "goal=3");
    table t = new_table(&small), poison = new_table(&small);
    const ag_status got = ag_hog_solve(ctx, rules, (ag_hog_method)method, epsilon, t.win, t.rolls, &t.result);
    if (got != status || strstr(ag_ctx_message(ctx), words) == NULL)
        fail_msg("got %s \"%s\", want %s \"...%s...\"", ag_status_name(got), ag_ctx_message(ctx),
                 ag_status_name(status), words);
    assert_memory_equal(t.win, poison.win, n_states(&small) * sizeof *t.win);
    assert_memory_equal(t.rolls, poison.rolls, n_states(&small));
    assert_memory_equal(&t.result, &poison.result, sizeof t.result);
    free_table(&t);
    free_table(&poison);
}

static void bad_arguments(ag_ctx *ctx)
{
    const ag_hog_rules good = make_rules(ctx, "plain", "goal=3");
    ag_hog_rules bad = good;
    bad.goal = 0;
    expect_failure(ctx, &bad, AG_HOG_LAYERS, 0.0, AG_E_ARG, "goal is 0, must be 1..10000");
    expect_failure(ctx, &bad, AG_HOG_SWEEP, 1e-9, AG_E_ARG, "goal is 0, must be 1..10000");
    bad = good;
    bad.faces = 101;
    expect_failure(ctx, &bad, AG_HOG_LAYERS, 0.0, AG_E_ARG, "faces is 101, must be 2..100");
    bad = good;
    bad.swap = AG_HOG_N_SWAP;
    expect_failure(ctx, &bad, AG_HOG_LAYERS, 0.0, AG_E_ARG, "swap is 11, must be none");
    bad = good;
    bad.bacon = AG_HOG_BACON_HEFTY_HOGS;
    bad.goal = 1001;
    expect_failure(ctx, &bad, AG_HOG_LAYERS, 0.0, AG_E_ARG, "goal is 1001, must be 1..1000 with bacon=hefty_hogs");
    expect_failure(ctx, &good, 2, 1e-9, AG_E_ARG, "method is 2, must be AG_HOG_LAYERS or AG_HOG_SWEEP");
    expect_failure(ctx, &good, AG_HOG_SWEEP, 0.0, AG_E_ARG, "epsilon is 0, must be above 0");
    expect_failure(ctx, &good, AG_HOG_SWEEP, -1e-9, AG_E_ARG, "epsilon is -1e-09, must be above 0");
    expect_failure(ctx, &good, AG_HOG_SWEEP, (double)NAN, AG_E_ARG, "must be above 0");
}

/* After any failure the context still works. */
static void bad_arguments_then_work(ag_ctx *ctx)
{
    bad_arguments(ctx);
    first_player_wins(ctx);
}

static void bad_arguments_are_refused_and_change_nothing(void **state)
{
    static const where reference = {"reference", 0, NULL, NULL};
    (void)state;
    on_devices(bad_arguments_then_work);
    ag_ctx *ctx = open_ctx(&reference);
    bad_arguments(ctx);
    ag_ctx_free(ctx);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LIMIT_WORKS 0 /* sanitizers reserve more address space than any limit */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LIMIT_WORKS 0
#endif
#endif
#ifndef LIMIT_WORKS
#define LIMIT_WORKS 1
#endif

/* Bytes of address space in use now. */
static rlim_t bytes_in_use(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file) {
        if (fscanf(file, "%lu", &pages) != 1)
            pages = 0;
        fclose(file);
    }
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* A table of 5000 x 5000 takes 200 MB and more: with 64 MB left it is refused, and says how much was wanted. */
static void lack_of_memory_is_told(void **state)
{
    (void)state;
    const rlim_t used = bytes_in_use();
    struct rlimit before;
    if (!LIMIT_WORKS || used == 0 || getrlimit(RLIMIT_AS, &before) != 0) {
        print_message("memory cannot be limited here: this error is skipped\n");
        skip();
    }
    ag_ctx *ctx = open_cpu(1);
    const ag_hog_rules large = make_rules(ctx, "plain", "goal=5000"), small = make_rules(ctx, "plain", "goal=20");
    const struct rlimit limit = {bytes_in_use() + ((rlim_t)64 << 20), before.rlim_max};
    assert_true(ag_hog_solve_bytes(&large, AG_HOG_LAYERS) > 200e6);
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    expect_failure(ctx, &large, AG_HOG_LAYERS, 0.0, AG_E_MEMORY, "");
    assert_true(ag_ctx_message(ctx)[0] != '\0');
    expect_failure(ctx, &large, AG_HOG_SWEEP, 1e-9, AG_E_MEMORY, "out of memory for the bounds of goal 5000");
    table t = solve_layers(ctx, &small); /* and the context still works */
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    free_table(&t);
    ag_ctx_free(ctx);
}

/* What ag_hog_solve_bytes() promises is no less than the tables themselves, and grows with the goal. */
static void bytes_are_told_beforehand(void **state)
{
    (void)state;
    ag_ctx *ctx = open_cpu(1);
    for (size_t i = 0; ag_hog_preset_name(i) != NULL; i++)
        for (int method = AG_HOG_LAYERS; method <= AG_HOG_SWEEP; method++) {
            double before = 0.0;
            for (int goal = 1; goal <= 1000; goal = goal * 3 + 1) {
                const ag_hog_rules rules = with_goal(make_rules(ctx, ag_hog_preset_name(i), ""), goal);
                const double bytes = ag_hog_solve_bytes(&rules, (ag_hog_method)method);
                assert_true(bytes > before && bytes >= 9.0 * goal * goal);
                before = bytes;
            }
        }
    ag_ctx_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_first_player_wins_are_found),
        cmocka_unit_test(known_values_inside_tables_are_found),
        cmocka_unit_test(goal_is_tested_after_the_swap),
        cmocka_unit_test(a_certain_win_by_failing_is_seen),
        cmocka_unit_test(a_lost_state_is_worth_zero),
        cmocka_unit_test(two_who_had_better_wait_pass_for_ever),
        cmocka_unit_test(more_than_ten_dice_are_used),
        cmocka_unit_test(a_total_of_one_is_a_square),
        cmocka_unit_test(every_preset_has_sound_tables_at_every_small_goal),
        cmocka_unit_test(laney_agrees_with_vellication),
        cmocka_unit_test(fa15_agrees_with_snowden),
        cmocka_unit_test(outputs_may_be_left_out),
        cmocka_unit_test(bad_arguments_are_refused_and_change_nothing),
        cmocka_unit_test(lack_of_memory_is_told),
        cmocka_unit_test(bytes_are_told_beforehand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
