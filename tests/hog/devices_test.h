/*
 * devices_test.h -- one table on every device, and the bytes of all compared with those of the first.
 */
#ifndef AG_TESTS_DEVICES_TEST_H
#define AG_TESTS_DEVICES_TEST_H

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
    {"cuda", 0, NULL, NULL},
    {"cuda", 0, "AG_CUDA_LANES", "7"},
};
#define N_DEVICES COUNT(devices)

static ag_ctx *ctx_of[N_DEVICES]; /* NULL: not here */

static inline int open_all(void **state)
{
    (void)state;
    for (size_t d = 0; d < N_DEVICES; d++)
        ctx_of[d] = open_ctx(&devices[d]);
    return ctx_of[0] ? 0 : -1;
}

static inline int free_all(void **state)
{
    (void)state;
    for (size_t d = 0; d < N_DEVICES; d++)
        ag_ctx_free(ctx_of[d]);
    return 0;
}

/* Work-items of a driver that runs them on a CPU: right, and slow. */
static inline int is_slow(size_t d)
{
    return devices[d].variable && strcmp(devices[d].variable, "AG_OPENCL_LANES") == 0;
}

static inline int same_results(const ag_hog_result *a, const ag_hog_result *b)
{
    return a->first_player_win == b->first_player_win && a->lower == b->lower && a->upper == b->upper &&
           a->error == b->error && a->tie_tolerance == b->tie_tolerance && a->first_move == b->first_move &&
           a->sweeps == b->sweeps && a->converged == b->converged;
}

/* Every device against the first, byte for byte; slow ones only up to goal `slow_goal`. */
static inline void compare_devices(ag_hog_rules rules, ag_hog_method method, int slow_goal)
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
                         rules_text(&rules, text), method == AG_HOG_SWEEP ? "sweeps" : "layers", i / (size_t)rules.goal,
                         i % (size_t)rules.goal, where_text(&devices[d]), got.win[i], got.rolls[i], want.win[i],
                         want.rolls[i]);
        if (!same_results(&got.result, &want.result))
            fail_msg("%s: %s has another result beside the same table", rules_text(&rules, text),
                     where_text(&devices[d]));
        free_table(&got);
    }
    free_table(&want);
}

#endif
