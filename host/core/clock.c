/*
 * clock.c -- a clock that only rises.
 */
#include "core/core.h"

#include <time.h>

double ag_now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
