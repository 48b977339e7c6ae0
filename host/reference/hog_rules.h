/*
 * hog_rules.h -- the rules of Hog as functions: one for each rule, and one that plays a turn.
 * Written from the course pages that README.md names; it takes nothing from host/hog.
 */
#ifndef AG_REFERENCE_HOG_RULES_H
#define AG_REFERENCE_HOG_RULES_H

#include "astragal/hog.h"

#include <stdbool.h>

/* True where the dice of Hog Wild are used. */
bool ag_ref_hog_is_wild(const ag_hog_rules *rules, int score, int opponent_score);
/* Faces of the usual dice (wild false) or of those of Hog Wild. */
int ag_ref_hog_faces(const ag_hog_rules *rules, bool wild);
/* True if an odd first outcome is rolled once more. */
bool ag_ref_hog_is_rerolled(const ag_hog_rules *rules, bool wild);
/* Most dice that may be rolled. */
int ag_ref_hog_most_dice(const ag_hog_rules *rules, int score, int opponent_score);

/* What n = 0 scores, before the turn-score rules. pi: its decimals for AG_HOG_BACON_PI (entry 0 is
 * the 3 before the point), 0..goal-1; else it may be NULL. */
int ag_ref_hog_bacon(const ag_hog_rules *rules, const uint8_t *pi, int score, int opponent_score);
/* What n dice score when `ones` >= 1 of them show a 1, before the turn-score rules. */
int ag_ref_hog_pig_out(const ag_hog_rules *rules, int n, int ones);
/* What the turn-score rules make of the points of a turn with n dice. */
int ag_ref_hog_turn_score(const ag_hog_rules *rules, int n, int points);

/* The rest of the turn, from adding the turn score to the extra turn. */
ag_hog_turn_result ag_ref_hog_turn(const ag_hog_rules *rules, int score, int opponent_score, int n, int turn_score);

/* Decimals 0..n-1 of pi, where decimal 0 is the 3 before the point; the caller frees *pi. n >= 1.
 * Errors: AG_E_MEMORY. */
ag_status ag_ref_hog_pi(ag_ctx *ctx, int n, uint8_t **pi);

#endif
