/*
 * hog_oracle.h -- an independent oracle for Hog: the written rules as plain functions, solved in exact
 * rationals. It shares nothing with the library but the struct that names a rule set.
 */
#ifndef AG_TESTS_HOG_ORACLE_H
#define AG_TESTS_HOG_ORACLE_H

#include <stddef.h>
#include <stdio.h>

#include <gmp.h>

#include "astragal/hog.h"

/* Points of n = 0 before the turn-score rules; the rule set must allow n = 0. */
int hog_oracle_bacon(const ag_hog_rules *rules, int score, int opponent_score);

/* Points of a roll before the turn-score rules. dice: the n >= 1 outcomes that count. */
int hog_oracle_roll_points(const ag_hog_rules *rules, int n, const int *dice);

/* 1: the other dice of the rule set are in use at these scores. */
int hog_oracle_wild(const ag_hog_rules *rules, int score, int opponent_score);

/* Fewest and most dice allowed at these scores. */
int hog_oracle_fewest(const ag_hog_rules *rules);
int hog_oracle_most(const ag_hog_rules *rules, int score, int opponent_score);

/* What the turn comes to that rolls n dice for `points` (before the turn-score rules). */
ag_hog_turn_result hog_oracle_turn(const ag_hog_rules *rules, int score, int opponent_score, int n, int points);

/*
 * The law of the turn score of n >= 1 dice after pig-outs and turn-score rules; wild: 1 for the other dice.
 * p: out, [size], initialised by the caller; size must exceed the largest turn score (AG_HOG_TOTAL_MAX does).
 */
void hog_oracle_law(const ag_hog_rules *rules, int wild, int n, size_t size, mpq_t *p);

/*
 * Solves the game for both players, exactly.
 *
 * win    out: win probability of the player on turn, shape [goal][goal], initialised by the caller
 * rolls  out, may be NULL: the smallest n of exactly equal best moves, shape [goal][goal]. Of such moves one
 *        that gains nothing for certain is passed over where choosing it for ever would be worth less.
 *
 * Cost: with ten d6 goal 30 takes some 0.1 s and goal 100 some 2 to 10 s, up to 20 s where a roll with a 1 gains
 * nothing. Making the laws takes max_rolls^3 faces^2 steps: not for 100 dice of 100 faces.
 */
void hog_oracle_solve(const ag_hog_rules *rules, mpq_t *win, int *rolls);

/* The same, but only states with score + opponent_score >= lowest_sum; the others are left as they are. */
void hog_oracle_solve_from(const ag_hog_rules *rules, int lowest_sum, mpq_t *win, int *rolls);

/* The same in long double, for goals too large for rationals: moves within 1e-16 count as equal. */
void hog_oracle_solve_ld(const ag_hog_rules *rules, long double *win, int *rolls);

#endif
