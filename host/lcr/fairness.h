/*
 * fairness.h -- the tail of the chi-square distribution.
 */
#ifndef AG_LCR_FAIRNESS_H
#define AG_LCR_FAIRNESS_H

/* P(X >= x) of a chi-square with `freedom` > 0 degrees of freedom; relative error below 1e-11 wherever it is above
 * 1e-300, for freedom up to 1e4. */
double ag_chi_square_tail(double freedom, double x);

#endif
