/*
 * long_random.c -- the checks of test_sweep.c, test_devices_agree.c and test_exact.c on many more random rule sets.
 *
 * AG_SEED chooses others than the usual ones; every failure prints its rule set whole.
 */
#include "devices_test.h"
#include "exact_test.h"

static uint64_t seed_of(uint64_t test)
{
    const char *text = getenv("AG_SEED");
    const uint64_t seed = text != NULL ? strtoull(text, NULL, 0) : 1;
    print_message("AG_SEED is %llu\n", (unsigned long long)seed);
    return seed * 1000003u + test;
}

static int open_everything(void **state)
{
    return open_both(state) == 0 && open_all(state) == 0 ? 0 : -1;
}

static int free_everything(void **state)
{
    return free_both(state) == 0 && free_all(state) == 0 ? 0 : -1;
}

static void methods_agree(void **state)
{
    (void)state;
    uint64_t seed = seed_of(1);
    int n_differ = 0;
    for (int i = 0; i < 500; i++) {
        const int goal = i % 20 == 0 ? random_int(&seed, 60, 200) : random_int(&seed, 1, 45);
        const ag_hog_rules rules = random_rules(cpu, &seed, goal);
        n_differ += check_methods(&rules, goal <= 100 ? 1e-10 : 0.0);
    }
    print_message("moves of the reference that differ, within the bounds: %d\n", n_differ);
}

/* Larger dice than the other tests have, and more of them; by layers and by the reference. */
static void large_dice_agree(void **state)
{
    (void)state;
    uint64_t seed = seed_of(2);
    for (int i = 0; i < 100; i++) {
        ag_hog_rules rules = random_rules(cpu, &seed, random_int(&seed, 1, 60));
        rules.faces = random_int(&seed, 2, AG_HOG_FACES_MAX);
        rules.max_rolls = random_int(&seed, 1, rules.faces > 20 ? 12 : AG_HOG_ROLLS_MAX);
        if (i % 5 == 0)
            rules.pig_out = random_int(&seed, 0, 1000);
        check_methods(&rules, 0.0);
    }
}

static void devices_agree(void **state)
{
    (void)state;
    uint64_t seed = seed_of(3);
    for (int i = 0; i < 150; i++) {
        const int goal = i % 20 == 0 ? random_int(&seed, 100, 300) : random_int(&seed, 1, 100);
        const ag_hog_rules rules = random_rules(cpu, &seed, goal);
        compare_devices(rules, AG_HOG_LAYERS, 30);
        if (goal < 40)
            compare_devices(rules, AG_HOG_SWEEP, 8);
    }
}

static void small_games_are_exact(void **state)
{
    (void)state;
    uint64_t seed = seed_of(4);
    int n_near = 0;
    for (int i = 0; i < 1000; i++) {
        const ag_hog_rules rules = random_rules(cpu, &seed, random_int(&seed, 1, 16));
        n_near += check_exactly(&rules, 1);
    }
    print_message("moves that lose something within the tie tolerance: %d\n", n_near);
}

/* Goal 100 itself, exactly: acyclic presets and those that can gain nothing. */
static void presets_are_exact_at_their_goal(void **state)
{
    static const char *const presets[] = {"cs61a-su23", "cs61a-sp22", "cs61a-fa15", "laney", "neller", "snowden"};
    (void)state;
    for (size_t i = 0; i < COUNT(presets); i++) {
        const ag_hog_rules rules = make_rules(cpu, presets[i], "");
        print_message("%s: %d moves lose something within the tie tolerance\n", presets[i], check_exactly(&rules, 0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_agree),
        cmocka_unit_test(large_dice_agree),
        cmocka_unit_test(devices_agree),
        cmocka_unit_test(small_games_are_exact),
        cmocka_unit_test(presets_are_exact_at_their_goal),
    };
    return cmocka_run_group_tests(tests, open_everything, free_everything);
}
