/*
 * test_devices_agree.c -- one table on every device: threads, instruction sets, OpenCL as one lane and as many
 * work-items give the same bytes, by layers and by sweeps, at goals chosen for the edges of tiles and packs.
 */
#include "devices_test.h"

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
        cmocka_unit_test(every_preset_by_layers),
        cmocka_unit_test(every_preset_by_sweeps),
        cmocka_unit_test(edges_of_tiles_by_layers),
        cmocka_unit_test(edges_of_tiles_by_sweeps),
        cmocka_unit_test(extremes),
        cmocka_unit_test(random_rule_sets),
        cmocka_unit_test(earlier_jobs_leave_no_trace),
    };
    return cmocka_run_group_tests(tests, open_all, free_all);
}
