/*
 * reference_test.h -- what the tests of Hog's reference share: a context, rule sets, one turn.
 */
#ifndef AG_TESTS_REFERENCE_TEST_H
#define AG_TESTS_REFERENCE_TEST_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "reference/reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ag_ctx *ctx;

static inline int create_ctx(void **state)
{
    (void)state;
    return ag_ctx_create(&ctx) == AG_OK ? 0 : -1;
}

static inline int free_ctx(void **state)
{
    (void)state;
    ag_ctx_free(ctx);
    return 0;
}

static inline void assert_near(const char *what, double got, double want, double within)
{
    if (!(fabs(got - want) <= within))
        fail_msg("%s: got %.17g, want %.17g within %g", what, got, want, within);
}

/* The rules of a preset with the keys of `set`, separated by spaces, replaced. */
static inline ag_hog_rules make_rules(const char *preset, const char *set)
{
    ag_hog_rules rules;
    char keys[200];
    snprintf(keys, sizeof keys, "%s", set);
    if (ag_hog_rules_preset(ctx, preset, &rules) != AG_OK)
        fail_msg("%s", ag_ctx_message(ctx));
    for (char *key = strtok(keys, " "); key != NULL; key = strtok(NULL, " "))
        if (ag_hog_rules_set(ctx, &rules, key) != AG_OK)
            fail_msg("%s", ag_ctx_message(ctx));
    return rules;
}

static inline ag_hog_turn_result play(const ag_hog_rules *rules, int score, int opponent_score, int n, const int *dice)
{
    ag_hog_turn_result t;
    if (ag_hog_play_turn(ctx, rules, score, opponent_score, n, dice, &t) != AG_OK)
        fail_msg("%s", ag_ctx_message(ctx));
    return t;
}

#endif
