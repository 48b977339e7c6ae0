/*
 * test_sweep.c -- three ways to one table: layers, sweeps with two-sided bounds, and the plain reference agree on
 * every preset and on random rule sets.
 */
#include "methods_test.h"

#define SEED 20260701u

/* The reference's moves at goal 100 are the same, all of them. */
static void every_preset_agrees(void **state)
{
    (void)state;
    for (size_t i = 0; ag_hog_preset_name(i) != NULL; i++) {
        const ag_hog_rules rules = make_rules(cpu, ag_hog_preset_name(i), "");
        assert_int_equal(check_methods(&rules, 1e-11), 0);
    }
}

/* The bounds meet, pairs that pass for ever included; the sweep says so, and that is what its error is. */
static void bounds_meet_on_every_preset(void **state)
{
    (void)state;
    for (size_t i = 0; ag_hog_preset_name(i) != NULL; i++) {
        const ag_hog_rules rules = make_rules(cpu, ag_hog_preset_name(i), "goal=50");
        table t = solve(cpu, &rules, AG_HOG_SWEEP, 1e-9);
        if (!t.result.converged || !(t.result.error <= 0.5e-9 + 0x1p-53) || t.result.sweeps < 1)
            fail_at(&t, 0, "bounds did not meet");
        free_table(&t);
    }
}

/* A wide epsilon stops early: fewer sweeps, and bounds that are wide and still true. */
static void a_wide_epsilon_stops_early(void **state)
{
    (void)state;
    const ag_hog_rules rules = make_rules(cpu, "neller", "goal=60");
    table layers = solve_layers(cpu, &rules);
    int sweeps_before = 1000000;
    for (double epsilon = 1e-9; epsilon < 1.0; epsilon *= 1e3) {
        table t = solve(cpu, &rules, AG_HOG_SWEEP, epsilon);
        assert_true(t.result.converged && t.result.error <= epsilon / 2.0 + 0x1p-53);
        assert_true(t.result.sweeps <= sweeps_before);
        sweeps_before = t.result.sweeps;
        check_within_bounds(&layers, &t, "layers and an early stop");
        free_table(&t);
    }
    free_table(&layers);
}

/* No rounding lets bounds meet within 1e-300: the sweep ends all the same, says that they did not meet, and what
 * it returns is true. Hefty Hogs has pairs that pass for ever, which bounds alone would never close. */
static void bounds_that_cannot_meet_are_honest(void **state)
{
    static const char *const presets[] = {"plain", "neller", "snowden", "cs61a-sp22", "cs61a-fa20"};
    (void)state;
    for (size_t i = 0; i < COUNT(presets); i++) {
        const ag_hog_rules rules = make_rules(cpu, presets[i], "goal=40");
        table layers = solve_layers(cpu, &rules), t = solve(cpu, &rules, AG_HOG_SWEEP, 1e-300);
        if (t.result.converged || !(t.result.error > 0.0))
            fail_at(&t, 0, "bounds met within 1e-300");
        check_within_bounds(&layers, &t, "layers and sweeps");
        free_table(&layers);
        free_table(&t);
    }
}

/* Goals around the width of a tile, by layers and by the reference. */
static void edges_of_tiles_agree_with_the_reference(void **state)
{
    static const char *const presets[] = {"cs61a-fa15", "snowden", "cs61a-sp22", "laney", "cs61a-fa20", "neller"};
    static const int goals[] = {1, 2, 7, 127, 128, 129, 257};
    (void)state;
    for (size_t i = 0; i < COUNT(presets); i++)
        for (size_t g = 0; g < COUNT(goals); g++) {
            const ag_hog_rules rules = with_goal(make_rules(cpu, presets[i], ""), goals[g]);
            assert_int_equal(check_methods(&rules, goals[g] <= 7 ? 1e-12 : 0.0), 0);
        }
}

/* The reference takes no notice of the method. */
static void the_reference_has_one_method(void **state)
{
    (void)state;
    const ag_hog_rules rules = make_rules(reference, "snowden", "goal=30");
    table a = solve(reference, &rules, AG_HOG_LAYERS, 0.0), b = solve(reference, &rules, AG_HOG_SWEEP, 1e-9);
    assert_memory_equal(a.win, b.win, n_states(&rules) * sizeof *a.win);
    assert_memory_equal(a.rolls, b.rolls, n_states(&rules));
    free_table(&a);
    free_table(&b);
}

/* Every key drawn from all its values. One set in ten has a larger goal. */
static void random_rule_sets_agree(void **state)
{
    (void)state;
    uint64_t seed = SEED;
    int n_differ = 0;
    for (int i = 0; i < 200; i++) {
        const int goal = i % 10 == 0 ? random_int(&seed, 60, 120) : random_int(&seed, 20, 45);
        const ag_hog_rules rules = random_rules(cpu, &seed, goal);
        n_differ += check_methods(&rules, 1e-10);
    }
    print_message("moves of the reference that differ, within the bounds: %d\n", n_differ);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_preset_agrees),
        cmocka_unit_test(edges_of_tiles_agree_with_the_reference),
        cmocka_unit_test(bounds_meet_on_every_preset),
        cmocka_unit_test(a_wide_epsilon_stops_early),
        cmocka_unit_test(bounds_that_cannot_meet_are_honest),
        cmocka_unit_test(the_reference_has_one_method),
        cmocka_unit_test(random_rule_sets_agree),
    };
    return cmocka_run_group_tests(tests, open_both, free_both);
}
