/*
 * test_devices_agree.c -- one table on every device: threads, instruction sets, OpenCL as one lane and as many
 * work-items give the same bytes, by layers and by sweeps, at goals chosen for the edges of tiles and packs.
 */
#include "solver_test.h"

/* The first is the one that all others must equal. */
static const where devices[] = {
    {"cpu", 1, "AG_ISA", "base"},
    {"cpu", 1, NULL, NULL},
    {"cpu", 2, NULL, NULL},
    {"cpu", 7, NULL, NULL},
    {"cpu", 2, "AG_ISA", "base"},
    {"cpu", 2, "AG_ISA", "avx2"},
    {"cpu", 2, "AG_ISA", "avx512"},
    {"opencl", 0, NULL, NULL},
    {"opencl", 0, "AG_OPENCL_LANES", "1"},
    {"opencl", 0, "AG_OPENCL_LANES", "7"},
    {"opencl", 0, "AG_OPENCL_LANES", "128"},
};
#define N_DEVICES COUNT(devices)

static ag_ctx *ctx_of[N_DEVICES]; /* NULL: not here */

static int open_all(void **state)
{
    (void)state;
    for (size_t d = 0; d < N_DEVICES; d++)
        ctx_of[d] = open_ctx(&devices[d]);
    return ctx_of[0] ? 0 : -1;
}

static int free_all(void **state)
{
    (void)state;
    for (size_t d = 0; d < N_DEVICES; d++)
        ag_ctx_free(ctx_of[d]);
    return 0;
}

/* Work-items of a driver that runs them on a CPU: right, and slow. */
static int is_slow(size_t d)
{
    return devices[d].variable && strcmp(devices[d].variable, "AG_OPENCL_LANES") == 0;
}

static int same_results(const ag_hog_result *a, const ag_hog_result *b)
{
    return a->first_player_win == b->first_player_win && a->lower == b->lower && a->upper == b->upper &&
           a->error == b->error && a->tie_tolerance == b->tie_tolerance && a->first_move == b->first_move &&
           a->sweeps == b->sweeps && a->converged == b->converged;
}

/* Every device against the first, byte for byte; slow ones only up to goal `slow_goal`. */
static void compare_devices(ag_hog_rules rules, ag_hog_method method, int slow_goal)
{
    char text[RULES_TEXT];
    const double epsilon = 1e-9;
    table want = solve(ctx_of[0], &rules, method, epsilon);
    for (size_t d = 1; d < N_DEVICES; d++) {
        if (!ctx_of[d] || (is_slow(d) && rules.goal > slow_goal))
            continue;
        table got = solve(ctx_of[d], &rules, method, epsilon);
        for (size_t i = 0; i < n_states(&rules); i++)
            if (memcmp(&got.win[i], &want.win[i], sizeof got.win[i]) != 0 || got.rolls[i] != want.rolls[i])
                fail_msg("%s, %s, state (%zu, %zu): %s has %.17g by %d dice, cpu with AG_ISA=base %.17g by %d",
                         rules_text(&rules, text), method == AG_HOG_SWEEP ? "sweeps" : "layers",
                         i / (size_t)rules.goal, i % (size_t)rules.goal, where_text(&devices[d]), got.win[i],
                         got.rolls[i], want.win[i], want.rolls[i]);
        if (!same_results(&got.result, &want.result))
            fail_msg("%s: %s has another result beside the same table", rules_text(&rules, text),
                     where_text(&devices[d]));
        free_table(&got);
    }
    free_table(&want);
}

static void every_preset_by_layers(void **state)
{
    (void)state;
    for (size_t i = 0; ag_hog_preset_name(i) != NULL; i++) {
        compare_devices(make_rules(ctx_of[0], ag_hog_preset_name(i), ""), AG_HOG_LAYERS, 0);
        compare_devices(make_rules(ctx_of[0], ag_hog_preset_name(i), "goal=37"), AG_HOG_LAYERS, 37);
    }
}

static void every_preset_by_sweeps(void **state)
{
    (void)state;
    for (size_t i = 0; ag_hog_preset_name(i) != NULL; i++) {
        compare_devices(make_rules(ctx_of[0], ag_hog_preset_name(i), "goal=40"), AG_HOG_SWEEP, 0);
        compare_devices(make_rules(ctx_of[0], ag_hog_preset_name(i), "goal=11"), AG_HOG_SWEEP, 11);
    }
}

/* A tile has 128 lanes: one tile, one and a bit, two and a bit. What a turn is worth crosses tiles by points, by
 * Piggy Back, by swaps, by passes and by extra turns. */
static const char *const edge_presets[] = {"cs61a-fa15", "snowden", "cs61a-sp22", "laney", "cs61a-fa20", "neller"};
static const int edge_goals[] = {1, 2, 7, 8, 9, 127, 128, 129, 257};

static void edges_of_tiles_by_layers(void **state)
{
    (void)state;
    for (size_t p = 0; p < COUNT(edge_presets); p++)
        for (size_t g = 0; g < COUNT(edge_goals); g++)
            compare_devices(with_goal(make_rules(ctx_of[0], edge_presets[p], ""), edge_goals[g]), AG_HOG_LAYERS, 9);
    /* work-items with more than one tile, once */
    compare_devices(make_rules(ctx_of[0], "cs61a-fa15", "goal=129 max_rolls=3"), AG_HOG_LAYERS, 129);
    compare_devices(make_rules(ctx_of[0], "cs61a-sp22", "goal=129 max_rolls=3"), AG_HOG_LAYERS, 129);
}

static void edges_of_tiles_by_sweeps(void **state)
{
    (void)state;
    for (size_t p = 0; p < COUNT(edge_presets); p++)
        for (size_t g = 0; g < 5; g++)
            compare_devices(with_goal(make_rules(ctx_of[0], edge_presets[p], ""), edge_goals[g]), AG_HOG_SWEEP, 9);
    compare_devices(make_rules(ctx_of[0], "laney", "goal=129 max_rolls=2"), AG_HOG_SWEEP, 0);
}

/* Rules that make the largest parts: many faces, many dice, large pig outs, long gifts. */
static void extremes(void **state)
{
    static const char *const sets[] = {
        "goal=20 faces=100 max_rolls=5",
        "goal=20 faces=2 max_rolls=100",
        "goal=60 pig_out=1000 max_rolls=3",
        "goal=60 pig_out=0 piggy_back=yes max_rolls=100 faces=3",
        "goal=130 pig_out=0 piggy_back=yes max_rolls=40 faces=3 swap=reversed_digits",
        "goal=140 total=hogtimus_total max_rolls=6 wild=sevens_reroll pig_out=ones",
        "goal=130 faces=7 max_rolls=4 turn_score=pigs_fly,touchdown,hogtimus_prime hog_tied=yes pig_out=ones_capped",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(sets); i++)
        compare_devices(make_rules(ctx_of[0], "plain", sets[i]), AG_HOG_LAYERS, 60);
}

static void random_rule_sets(void **state)
{
    (void)state;
    uint64_t seed = 20261130;
    for (int i = 0; i < 100; i++) {
        const int goal = i % 20 == 0 ? random_int(&seed, 129, 150) : random_int(&seed, 1, 60);
        const ag_hog_rules rules = random_rules(ctx_of[0], &seed, goal);
        compare_devices(rules, AG_HOG_LAYERS, 25);
        if (goal < 40)
            compare_devices(rules, AG_HOG_SWEEP, 6);
    }
}

/* A context keeps its memory from job to job; what an earlier, larger job left there must not show. */
static void earlier_jobs_leave_no_trace(void **state)
{
    (void)state;
    for (size_t d = 0; d < N_DEVICES; d++) {
        if (!ctx_of[d] || is_slow(d))
            continue;
        ag_ctx *fresh = open_ctx(&devices[d]);
        const ag_hog_rules rules = make_rules(fresh, "cs61a-fa15", "goal=33");
        const ag_hog_rules large = make_rules(fresh, "neller", "goal=140 max_rolls=12");
        table first = solve_layers(fresh, &rules), other = solve_layers(fresh, &large);
        table swept = solve(fresh, &rules, AG_HOG_SWEEP, 1e-6), again = solve_layers(fresh, &rules);
        assert_memory_equal(first.win, again.win, n_states(&rules) * sizeof *first.win);
        assert_memory_equal(first.rolls, again.rolls, n_states(&rules));
        free_table(&first);
        free_table(&other);
        free_table(&swept);
        free_table(&again);
        ag_ctx_free(fresh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_preset_by_layers),   cmocka_unit_test(every_preset_by_sweeps),
        cmocka_unit_test(edges_of_tiles_by_layers), cmocka_unit_test(edges_of_tiles_by_sweeps),
        cmocka_unit_test(extremes),                 cmocka_unit_test(random_rule_sets),
        cmocka_unit_test(earlier_jobs_leave_no_trace),
    };
    return cmocka_run_group_tests(tests, open_all, free_all);
}
