/*
 * rules.c -- what a game of LCR may be: the usual rules, and the check of any.
 */
#include "astragal/lcr.h"
#include "core/core.h"

ag_status ag_lcr_rules_default(ag_ctx *ctx, int players, ag_lcr_rules *out)
{
    const ag_lcr_rules rules = {.players = players, .coins = 3, .cap = 3, .first = 0, .faces = {3, 1, 1, 1}};
    AG_TRY(ag_lcr_rules_check(ctx, &rules));
    *out = rules;
    return AG_OK;
}

static ag_status check_range(ag_ctx *ctx, const char *name, int value, int lo, int hi)
{
    if (value >= lo && value <= hi)
        return AG_OK;
    return ag_fail(ctx, AG_E_ARG, "%s is %d, must be %d..%d", name, value, lo, hi);
}

ag_status ag_lcr_rules_check(ag_ctx *ctx, const ag_lcr_rules *rules)
{
    const int *f = rules->faces;
    AG_TRY(check_range(ctx, "players", rules->players, 2, AG_LCR_PLAYERS_MAX));
    AG_TRY(check_range(ctx, "coins", rules->coins, 1, AG_LCR_COINS_MAX));
    AG_TRY(check_range(ctx, "cap", rules->cap, 1, AG_LCR_CAP_MAX));
    AG_TRY(check_range(ctx, "first", rules->first, 0, rules->players - 1));
    for (int i = 0; i < AG_LCR_N_LETTERS; i++)
        if (f[i] < 0 || f[i] > 6)
            return ag_fail(ctx, AG_E_ARG, "faces are %d,%d,%d,%d, each must be 0..6", f[0], f[1], f[2], f[3]);
    if (f[AG_LCR_DOT] + f[AG_LCR_L] + f[AG_LCR_R] + f[AG_LCR_C] != 6)
        return ag_fail(ctx, AG_E_ARG, "faces are %d,%d,%d,%d, must be six in all", f[0], f[1], f[2], f[3]);
    if (f[AG_LCR_C] == 0 && (f[AG_LCR_DOT] == 0 || f[AG_LCR_DOT] == 6))
        return ag_fail(ctx, AG_E_ARG,
                       "faces are %d,%d,%d,%d: without C, or a dot beside L or R, such a game may never end", f[0],
                       f[1], f[2], f[3]);
    return AG_OK;
}
