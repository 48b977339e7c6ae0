/*
 * pi_digits.h -- the decimals of pi that Hog's rules of fall 2020 look at.
 */
#ifndef AG_PI_DIGITS_H
#define AG_PI_DIGITS_H

#define AG_PI_ROWS       100
#define AG_PI_ROW_DIGITS 100

/* Digit o = 1, 2, ... after the point is character (o - 1) % 100 of row (o - 1) / 100. */
extern const char ag_pi_digits[AG_PI_ROWS][AG_PI_ROW_DIGITS + 1];

#endif
