/*
 * kernel_src.h -- the kernel sources inside the program: X(symbol, file), in the order
 * in which every kernel compiler reads them. Read by C and by the assembler (kernel_src.S);
 * KERNELS of the Makefile is the same list.
 */
#ifndef AG_DEVICE_KERNEL_SRC_H
#define AG_DEVICE_KERNEL_SRC_H

/* clang-format off */
#define AG_KERNEL_FILES(X)                    \
    X(ag_kl,           "ag_kl.h")             \
    X(ag_philox,       "ag_philox.h")         \
    X(ag_dice,         "ag_dice.h")           \
    X(selftest_params, "selftest_params.h")   \
    X(dice_params,     "dice_params.h")       \
    X(hog_params,      "hog_params.h")        \
    X(lcr_play_params, "lcr_play_params.h")   \
    X(selftest,        "selftest.cl")         \
    X(dice,            "dice.cl")             \
    X(hog_game,        "hog_game.h")          \
    X(hog_pairs,       "hog_pairs.h")         \
    X(hog,             "hog.cl")              \
    X(hog_sweep,       "hog_sweep.cl")        \
    X(lcr_common,      "lcr_common.h")        \
    X(lcr_play,        "lcr_play.cl")         \
    X(lcr_play_small,  "lcr_play_small.cl")
/* clang-format on */

#ifndef __ASSEMBLER__

#include <stddef.h>

/* ag_kernel_<symbol> .. ag_kernel_<symbol>_end: the bytes of a file, without a final zero. */
#define X(symbol, file) extern const char ag_kernel_##symbol[], ag_kernel_##symbol##_end[];
AG_KERNEL_FILES(X)
#undef X

/* Number of strings that make the program: for each file a line marker and its text. */
#define X(symbol, file)     +2
#define AG_N_KERNEL_STRINGS (0 AG_KERNEL_FILES(X))
enum { ag_n_kernel_strings = AG_N_KERNEL_STRINGS };
#undef X
#undef AG_N_KERNEL_STRINGS

/* Fills strings and their lengths, shape [ag_n_kernel_strings]. They live as long as the program. The markers
 * make compilers and checkers name the right file and line. */
void ag_kernel_strings(const char **strings, size_t *lengths);

#endif
#endif
