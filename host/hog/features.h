/*
 * features.h -- Hog's rules as pure functions of scores, points and dice.
 *
 * Each is one step of a turn in the order of hog.h. They take totals 0..AG_HOG_SCORE_MAX, allocate
 * nothing, and may be called from any thread. A rule that is not in force changes nothing.
 */
#ifndef AG_HOG_FEATURES_H
#define AG_HOG_FEATURES_H

#include "astragal/hog.h"

#include <stdbool.h>

/*
 * No total, and no sum of both totals, passes this. With P the most points of a turn,
 * P <= 11,800 (100 dice of 100 faces, a sixth for Touchdown, less than 80 to a next prime): the mover's
 * total is at most 9,999 + 2 P (sp15 counts the points twice), the other at most 9,999 + 100.
 */
#define AG_HOG_SCORE_MAX 45000

/* The largest goal for Hefty Hogs: three digits square a score below it at most three times, 999^8 < 2^80,
 * which is exact in 128 bits. */
#define AG_HOG_HEFTY_GOAL_MAX 1000

/* Points of n = 0 before the turn-score rules; both scores below AG_HOG_GOAL_MAX, and below
 * AG_HOG_HEFTY_GOAL_MAX for Hefty Hogs. AG_HOG_BACON_NONE: 0. */
int ag_hog_bacon_points(ag_hog_bacon kind, int score, int opponent_score);

/* How those points depend on the mover's score: 0 not at all, 10 through score % 10 alone, -1 on all of it. */
int ag_hog_bacon_period(ag_hog_bacon kind);

/* What `points` of a turn with n dice become by the turn-score rules, in their order. */
int ag_hog_turn_points(const ag_hog_rules *rules, int n, int points);

/* The mover's total by a rule that looks at it alone. */
int ag_hog_total_alone(ag_hog_total kind, int total);

/* Whether a rule that looks at both totals applies (sp15: the points count again for the leader). */
bool ag_hog_total_marked(ag_hog_total kind, int mine, int theirs);
/* The mover's total where it does; sp15's depends on the points and is not told here: `mine` comes back. */
int ag_hog_total_when_marked(ag_hog_total kind, int mine);

/* Whether the totals are exchanged. */
bool ag_hog_swaps(ag_hog_swap kind, int mine, int theirs);

/* Whether the mover, now at `mine`, goes again; the goal test is the caller's. */
bool ag_hog_moves_again(ag_hog_extra kind, int mine, int theirs);

#endif
