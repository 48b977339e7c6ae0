/*
 * timing.c -- how long one run of a job takes: samples of so many runs that the clock and the scheduler
 * hardly matter.
 */
#include "bench.h"

#include <stdlib.h>
#include <time.h>

double ag_bench_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static ag_status take_sample(ag_bench_work *w, ag_ctx *ctx, uint64_t loops, double *total_ns)
{
    const double start = ag_bench_now_ns();
    for (uint64_t i = 0; i < loops; i++) {
        const ag_status status = w->job->kind->run(w, ctx);
        if (status != AG_OK)
            return status;
    }
    *total_ns = ag_bench_now_ns() - start;
    return AG_OK;
}

/* Enough loops for the sample, tried out: a guess from one run alone would be off by its cold caches. */
static ag_status find_loops(ag_bench_work *w, ag_ctx *ctx, double sample_ns, uint64_t *loops)
{
    for (*loops = 1;;) {
        double total_ns;
        const ag_status status = take_sample(w, ctx, *loops, &total_ns);
        if (status != AG_OK || total_ns >= sample_ns)
            return status;
        double growth = 1.2 * sample_ns / (total_ns > 1.0 ? total_ns : 1.0);
        growth = growth < 10.0 ? growth : 10.0; /* a short sample says little */
        *loops = (uint64_t)((double)*loops * growth) + 1;
    }
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static ag_status ask_busy(ag_bench_work *w, ag_ctx *ctx, double *seconds)
{
    return ag_bench_forward(w, ag_ctx_busy_seconds(ctx, seconds), ctx);
}

ag_status ag_bench_measure(ag_bench_work *w, ag_ctx *ctx, int sample_ms, int n_samples, ag_bench_time *out)
{
    double each_ns[AG_BENCH_SAMPLES_MAX];
    uint64_t loops;
    double busy_seconds = 0.0;
    ag_status status = find_loops(w, ctx, 1e6 * sample_ms, &loops);
    if (status == AG_OK)
        status = ask_busy(w, ctx, &busy_seconds); /* of the runs that are not counted */
    for (int i = 0; i < n_samples && status == AG_OK; i++) {
        double total_ns = 0.0;
        status = take_sample(w, ctx, loops, &total_ns);
        each_ns[i] = total_ns / (double)loops;
    }
    if (status == AG_OK)
        status = ask_busy(w, ctx, &busy_seconds);
    if (status != AG_OK)
        return status;
    qsort(each_ns, (size_t)n_samples, sizeof *each_ns, compare_doubles);
    *out = (ag_bench_time){.min_ns = each_ns[0],
                           .median_ns = (each_ns[(n_samples - 1) / 2] + each_ns[n_samples / 2]) / 2.0,
                           .max_ns = each_ns[n_samples - 1],
                           .busy_ns = 1e9 * busy_seconds / ((double)n_samples * (double)loops),
                           .loops = loops};
    return AG_OK;
}
