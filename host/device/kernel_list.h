/*
 * kernel_list.h -- every kernel of the project, once: X(entry, parameter struct).
 * Adding a kernel is adding its line here and its text under kernels/; launchers,
 * embedding, self-tests and the nvcc check all follow this list.
 */
#ifndef AG_DEVICE_KERNEL_LIST_H
#define AG_DEVICE_KERNEL_LIST_H

/* clang-format off */
#define AG_KERNELS(X)                                  \
    X(agk_selftest,        agk_selftest_params)        \
    X(agk_dice_count,      agk_dice_params)            \
    X(agk_dice_count_sixes, agk_dice_params)           \
    X(agk_dice_roll,       agk_dice_params)            \
    X(agk_hog_layers,      agk_hog_params)             \
    X(agk_hog_sweep_after, agk_hog_params)             \
    X(agk_hog_sweep_best,  agk_hog_params)             \
    X(agk_hog_sweep_choose, agk_hog_params)           \
    X(agk_lcr_play,        agk_lcr_params)           \
    X(agk_lcr_play_small,  agk_lcr_params)
/* clang-format on */

typedef enum {
#define X(name, params) AG_KERNEL_##name,
    AG_KERNELS(X)
#undef X
        AG_N_KERNELS
} ag_kernel;

#endif
