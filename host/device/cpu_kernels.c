/*
 * cpu_kernels.c -- all kernels as C, compiled once for each instruction set (AG_ENTRY_SUFFIX),
 * and the table of their entries.
 */
#include "device/cpu_kernels.h"

/* In the order of kernel_src.h. */
#include "ag_kl.h"
#include "ag_philox.h"
#include "ag_dice.h"
#include "selftest_params.h"
#include "dice_params.h"
#include "hog_params.h"
#include "lcr_play_params.h"
#include "selftest.cl"
#include "dice.cl"
#include "hog_game.h"
#include "hog_pairs.h"
#include "hog.cl"
#include "hog_sweep.cl"
#include "lcr_common.h"
#include "lcr_play.cl"
#include "lcr_play_small.cl"

const ag_cpu_entry AG_CAT(ag_cpu_kernels, AG_ENTRY_SUFFIX)[AG_N_KERNELS] = {
#define X(name, params) AG_CAT(name, AG_ENTRY_SUFFIX),
    AG_KERNELS(X)
#undef X
};
