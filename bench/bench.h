/*
 * bench.h -- what a job of the benchmark is, and how its parts share the work: jobs are data (jobs.c),
 * a game's kind of job knows how to run and check one, bench.c times them, report.c prints.
 */
#ifndef AG_BENCH_H
#define AG_BENCH_H

#include "astragal/hog.h"

#include <stdbool.h>
#include <stdio.h>

#define AG_BENCH_COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define AG_BENCH_WHY          400

#if defined(__GNUC__)
#define AG_BENCH_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define AG_BENCH_PRINTF(fmt, args)
#endif

typedef struct ag_bench_work ag_bench_work;

/* How the jobs of one game are done. Failures leave a line in work->why. */
typedef struct {
    /* Fills w->state with the inputs, and n_items and the reference's part of w. */
    ag_status (*create)(ag_bench_work *w);
    /* The work that is timed. */
    ag_status (*run)(ag_bench_work *w, ag_ctx *ctx);
    /* After a run with ctx: AG_E_CHECK where it was wrong. digest: hash of the exact bits of the results. */
    ag_status (*check)(ag_bench_work *w, ag_ctx *ctx, uint64_t *digest);
    /* Also after a create() that failed half-way; state may be NULL. */
    void (*free)(void *state);
} ag_bench_kind;

/* One fixed job. */
typedef struct {
    const char *name; /* "game/what" */
    const ag_bench_kind *kind;
    const char *unit; /* what is counted per second */
    /* hog: one table of a preset, or (preset NULL) n_tables different rule sets at once */
    const char *preset;
    int goal;
    bool read_back; /* both tables are copied to the host, else they stay on the device */
    size_t n_tables;
    /* dice */
    uint32_t faces;
    uint64_t n_words;
    /* lcr */
    int players;
    uint64_t n_games;
} ag_bench_job;

extern const ag_bench_job ag_bench_jobs[];
extern const size_t ag_bench_n_jobs;

extern const ag_bench_kind ag_bench_hog, ag_bench_dice, ag_bench_lcr;

/* A job being done. */
struct ag_bench_work {
    const ag_bench_job *job;
    ag_ctx *ref;              /* a context of the reference */
    double n_items;           /* of one run, in units of the job */
    double n_reference_items; /* that the reference did in reference_ns; 0: it takes too long */
    double reference_ns;
    void *state; /* the kind's own */
    char why[AG_BENCH_WHY];
};

/* Records the line and returns status. */
ag_status ag_bench_fail(ag_bench_work *w, ag_status status, const char *fmt, ...) AG_BENCH_PRINTF(3, 4);
/* The same with the message that a failed call left in ctx; AG_OK passes. */
ag_status ag_bench_forward(ag_bench_work *w, ag_status status, const ag_ctx *ctx);

/* Rule set i < AG_BENCH_BATCH of the batch, all different. */
#define AG_BENCH_BATCH 4096
ag_status ag_bench_batch_rules(ag_ctx *ctx, size_t i, ag_hog_rules *out);
/* The members of the batch that checks look at: every value of every rule is among them. */
#define AG_BENCH_MEMBERS   16
#define AG_BENCH_MEMBER(k) ((size_t)(k) * (AG_BENCH_BATCH - 1) / (AG_BENCH_MEMBERS - 1))

/* ------------------------------------------------------------------- timing.c */

/* Nanoseconds of a clock that only rises. */
double ag_bench_now_ns(void);

/* Nanoseconds of one run, over n_samples samples of `loops` runs each. */
typedef struct {
    double min_ns, median_ns, max_ns;
    double busy_ns; /* in kernels, by the device's clock, the mean of all; 0: it has none */
    uint64_t loops;
} ag_bench_time;

#define AG_BENCH_SAMPLES_MAX 1000
/* Runs until a sample of so many loops lasts sample_ms, then takes n_samples. The first run has been made. */
ag_status ag_bench_measure(ag_bench_work *w, ag_ctx *ctx, int sample_ms, int n_samples, ag_bench_time *out);

/* ---------------------------------------------------------------- signature.c */

/* FNV-1a, 64 bits, over bytes in the order of rising significance. */
#define AG_BENCH_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t ag_bench_hash_u64(uint64_t hash, uint64_t x);
uint64_t ag_bench_hash_doubles(uint64_t hash, size_t n, const double *x);
uint64_t ag_bench_hash_bytes(uint64_t hash, size_t n, const uint8_t *x);

typedef struct {
    uint64_t all;      /* every bit of every result: the same on cpu, opencl and any further device */
    uint64_t integers; /* moves and counts of dice: the same on the reference too */
} ag_bench_signature;

/* Does the fixed list of small jobs with ctx; reads no clock. why: [AG_BENCH_WHY], written on failure. */
ag_status ag_bench_sign(ag_ctx *ctx, ag_bench_signature *out, char *why);

/* ------------------------------------------------------------------ options.c */

#define AG_BENCH_BACKENDS_MAX 8
#define AG_BENCH_THREADS_MAX  16

typedef struct {
    struct {
        char backend[16];
        int device; /* or AG_ALL_DEVICES */
    } backends[AG_BENCH_BACKENDS_MAX];
    size_t n_backends; /* 0: none named */
    int threads[AG_BENCH_THREADS_MAX];
    size_t n_threads; /* 0: none named */
    int sample_ms, n_samples;
    const char *glob;
    bool sign, list, table, help;
} ag_bench_options;

/* False after one line on stderr. */
bool ag_bench_options_parse(int argc, char **argv, ag_bench_options *out);
void ag_bench_usage(FILE *out);

/* ------------------------------------------------------------------- report.c */

/* Where jobs run. */
typedef struct {
    ag_ctx *ctx;
    char label[32]; /* "cpu"; "opencl:1" for device 1, "cuda:all" for all */
    int n_threads;  /* 0: the device knows */
    char device[128], driver[128];
    ag_bench_signature signature;
} ag_bench_target;

/* JSON lines on stdout and a table on stderr, or (table_only) the table on stdout. */
typedef struct {
    FILE *json, *table; /* json: may be NULL */
} ag_bench_report;

ag_bench_report ag_bench_report_start(bool table_only);
void ag_bench_report_context(const ag_bench_report *r, const ag_bench_target *t);
void ag_bench_report_header(const ag_bench_report *r);
void ag_bench_report_job(const ag_bench_report *r, const ag_bench_target *t, const ag_bench_work *w,
                         const ag_bench_time *time, int n_samples);
/* kind: "skip", or "fail" for results that are wrong. */
void ag_bench_report_not(const ag_bench_report *r, const char *kind, const char *job, const char *label, int n_threads,
                         const char *why);

#endif
