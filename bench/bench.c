/*
 * bench.c -- checks and times every job on every target: a backend's device with a number of threads.
 *
 * Jobs are the outer loop, so that the reference does each once and the targets follow one another closely,
 * under the same load of the machine.
 */
#include "bench.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX    64
#define TARGETS_MAX (AG_BENCH_BACKENDS_MAX * AG_BENCH_THREADS_MAX)

enum { EXIT_DONE = 0, EXIT_BROKEN = 1, EXIT_USAGE = 2, EXIT_WRONG = 3 };

typedef struct {
    ag_bench_options options;
    ag_bench_report report;
    ag_ctx *ref;
    ag_device_row rows[ROWS_MAX];
    size_t n_rows;
    ag_bench_target targets[TARGETS_MAX];
    size_t n_targets;
    int exit_status; /* the worst so far */
} bench;

ag_status ag_bench_fail(ag_bench_work *w, ag_status status, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(w->why, sizeof w->why, fmt, args);
    va_end(args);
    return status;
}

ag_status ag_bench_forward(ag_bench_work *w, ag_status status, const ag_ctx *ctx)
{
    return status == AG_OK ? AG_OK : ag_bench_fail(w, status, "%s: %s", ag_status_name(status), ag_ctx_message(ctx));
}

static void worsen(bench *b, int exit_status)
{
    if (exit_status > b->exit_status)
        b->exit_status = exit_status;
}

/* --------------------------------------------------------------------- targets */

/* Opens and signs the target; reports why not. asked: the user named its backend. */
static void add_target(bench *b, const ag_device_row *row, int n_threads, bool asked)
{
    ag_bench_target *t = &b->targets[b->n_targets];
    char why[AG_BENCH_WHY] = "not enough memory for a context";
    *t = (ag_bench_target){.n_threads = n_threads};
    if (row->device == AG_ALL_DEVICES)
        snprintf(t->label, sizeof t->label, "%s:all", row->backend);
    else
        snprintf(t->label, sizeof t->label, row->device ? "%s:%d" : "%s", row->backend, row->device);
    memcpy(t->device, row->name, sizeof t->device);
    memcpy(t->driver, row->driver, sizeof t->driver);
    ag_status status = ag_ctx_create(&t->ctx);
    if (status == AG_OK) {
        status = ag_ctx_use(t->ctx, row->backend, row->device, n_threads);
        if (status != AG_OK)
            snprintf(why, sizeof why, "%s", ag_ctx_message(t->ctx));
        else
            status = ag_bench_sign(t->ctx, &t->signature, why);
    }
    if (status != AG_OK) {
        ag_ctx_free(t->ctx);
        t->ctx = NULL;
        ag_bench_report_not(&b->report, "skip", "*", t->label, n_threads, why);
        if (status != AG_E_NOTFOUND || asked)
            worsen(b, EXIT_BROKEN);
        return;
    }
    b->n_targets++;
    ag_bench_report_context(&b->report, t);
    if (t->signature.all != b->targets[0].signature.all) {
        snprintf(why, sizeof why, "%016" PRIx64 ", but %016" PRIx64 " on %s", t->signature.all,
                 b->targets[0].signature.all, b->targets[0].label);
        ag_bench_report_not(&b->report, "fail", "signature", t->label, n_threads, why);
        worsen(b, EXIT_WRONG);
    }
}

/* A device: one target, or one for each number of threads. */
static void add_device(bench *b, const ag_device_row *row, bool asked)
{
    int threads[AG_BENCH_THREADS_MAX] = {1, 0};
    size_t n = b->options.n_threads;
    if (strcmp(row->backend, "cpu") != 0 || !row->found) {
        add_target(b, row, 0, asked);
        return;
    }
    if (n == 0)
        n = row->compute_units > 1 ? 2 : 1;
    else
        memcpy(threads, b->options.threads, n * sizeof *threads);
    for (size_t i = 0; i < n; i++)
        add_target(b, row, threads[i] ? threads[i] : (int)row->compute_units, asked);
}

/* What is known of a device that the user named, of the first for all; a row made up for one that is not there. */
static ag_device_row find_row(const bench *b, const char *backend, int device)
{
    ag_device_row row = {.device = device};
    for (size_t i = 0; i < b->n_rows; i++)
        if (strcmp(b->rows[i].backend, backend) == 0 && (b->rows[i].device == device || device == AG_ALL_DEVICES)) {
            row = b->rows[i];
            row.device = device;
            return row;
        }
    snprintf(row.backend, sizeof row.backend, "%s", backend);
    return row;
}

/* False after one line on stderr: the user named a backend that is none. Every true one has a row, if only to
 * say why it is absent. */
static bool check_backends(const bench *b)
{
    for (size_t i = 0; i < b->options.n_backends; i++) {
        const char *name = b->options.backends[i].backend;
        size_t row = 0;
        while (row < b->n_rows && strcmp(b->rows[row].backend, name) != 0)
            row++;
        if (row < b->n_rows)
            continue;
        ag_ctx_use(b->ref, name, 0, 0);
        fprintf(stderr, "bench: %s\n", ag_ctx_message(b->ref));
        return false;
    }
    return true;
}

static void add_targets(bench *b)
{
    for (size_t i = 0; i < b->options.n_backends; i++) {
        const ag_device_row row = find_row(b, b->options.backends[i].backend, b->options.backends[i].device);
        add_device(b, &row, true);
    }
    if (b->options.n_backends > 0)
        return;
    /* From the end: cpu first, what others are compared with. */
    for (size_t i = b->n_rows; i-- > 0;)
        if (b->rows[i].device == 0 && strcmp(b->rows[i].backend, "reference") != 0)
            add_device(b, &b->rows[i], false);
}

/* ------------------------------------------------------------------------ jobs */

/* One job on one target. digest: of the first target that ran it, 0 before. */
static void time_job(bench *b, const ag_bench_target *t, ag_bench_work *w, uint64_t *digest)
{
    const ag_bench_options *o = &b->options;
    uint64_t own_digest = 0;
    ag_bench_time time;
    ag_status status = w->job->kind->run(w, t->ctx);
    if (status == AG_OK)
        status = w->job->kind->check(w, t->ctx, &own_digest);
    if (status == AG_OK && *digest && own_digest != *digest)
        status = ag_bench_fail(w, AG_E_CHECK, "results have other bits than those of the first target");
    if (status == AG_OK) {
        *digest = own_digest;
        status = ag_bench_measure(w, t->ctx, o->sample_ms, o->n_samples, &time);
    }
    if (status == AG_OK) {
        ag_bench_report_job(&b->report, t, w, &time, o->n_samples);
        return;
    }
    ag_bench_report_not(&b->report, status == AG_E_CHECK ? "fail" : "skip", w->job->name, t->label, t->n_threads,
                        w->why);
    worsen(b, status == AG_E_CHECK ? EXIT_WRONG : status == AG_E_MEMORY ? EXIT_DONE : EXIT_BROKEN);
}

static bool is_chosen(const bench *b, const ag_bench_job *job)
{
    return !b->options.glob || fnmatch(b->options.glob, job->name, 0) == 0;
}

static void do_job(bench *b, const ag_bench_job *job)
{
    ag_bench_work w = {.job = job, .ref = b->ref};
    uint64_t digest = 0;
    const ag_status status = job->kind->create(&w);
    for (size_t i = 0; i < b->n_targets; i++) {
        const ag_bench_target *t = &b->targets[i];
        if (status == AG_OK)
            time_job(b, t, &w, &digest);
        else
            ag_bench_report_not(&b->report, "skip", job->name, t->label, t->n_threads, w.why);
    }
    if (status != AG_OK && status != AG_E_MEMORY)
        worsen(b, EXIT_BROKEN);
    job->kind->free(w.state);
}

/* ------------------------------------------------------------------------ main */

static int list_jobs(const bench *b)
{
    for (size_t i = 0; i < ag_bench_n_jobs; i++)
        if (is_chosen(b, &ag_bench_jobs[i]))
            puts(ag_bench_jobs[i].name);
    return EXIT_DONE;
}

static int sign(const ag_bench_options *o)
{
    const char *backend = o->n_backends ? o->backends[0].backend : "cpu";
    ag_bench_signature s;
    char why[AG_BENCH_WHY] = "not enough memory for a context";
    ag_ctx *ctx = NULL;
    ag_status status = ag_ctx_create(&ctx);
    if (status == AG_OK) {
        status = ag_ctx_use(ctx, backend, o->n_backends ? o->backends[0].device : 0, o->n_threads ? o->threads[0] : 0);
        if (status != AG_OK)
            snprintf(why, sizeof why, "%s", ag_ctx_message(ctx));
        else
            status = ag_bench_sign(ctx, &s, why);
    }
    ag_ctx_free(ctx);
    if (status != AG_OK) {
        fprintf(stderr, "bench: %s\n", why);
        return status == AG_E_ARG ? EXIT_USAGE : EXIT_BROKEN;
    }
    if (strcmp(backend, "reference") != 0)
        printf("signature %016" PRIx64 "\n", s.all);
    printf("integers %016" PRIx64 "\n", s.integers);
    return EXIT_DONE;
}

static int run(bench *b)
{
    ag_status status = ag_ctx_create(&b->ref);
    if (status == AG_OK)
        status = ag_ctx_use(b->ref, "reference", 0, 0);
    if (status == AG_OK)
        status = ag_devices_list(b->ref, ROWS_MAX, b->rows, &b->n_rows);
    if (status != AG_OK) {
        fprintf(stderr, "bench: %s\n", b->ref ? ag_ctx_message(b->ref) : "not enough memory for a context");
        ag_ctx_free(b->ref);
        return EXIT_BROKEN;
    }
    if (!check_backends(b)) {
        ag_ctx_free(b->ref);
        return EXIT_USAGE;
    }
    add_targets(b);
    if (b->n_targets)
        ag_bench_report_header(&b->report);
    for (size_t i = 0; i < ag_bench_n_jobs && b->n_targets; i++)
        if (is_chosen(b, &ag_bench_jobs[i]))
            do_job(b, &ag_bench_jobs[i]);
    for (size_t i = 0; i < b->n_targets; i++)
        ag_ctx_free(b->targets[i].ctx);
    ag_ctx_free(b->ref);
    return b->exit_status;
}

int main(int argc, char **argv)
{
    static bench b; /* large */
    size_t n_chosen = 0;
    if (!ag_bench_options_parse(argc, argv, &b.options))
        return EXIT_USAGE;
    for (size_t i = 0; i < ag_bench_n_jobs; i++)
        n_chosen += is_chosen(&b, &ag_bench_jobs[i]);
    if (n_chosen == 0) {
        fprintf(stderr, "bench: no job matches '%s' (bench -l lists them)\n", b.options.glob);
        return EXIT_USAGE;
    }
    b.report = ag_bench_report_start(b.options.table);
    int exit_status = EXIT_DONE;
    if (b.options.help)
        ag_bench_usage(stdout);
    else if (b.options.list)
        exit_status = list_jobs(&b);
    else if (b.options.sign)
        exit_status = sign(&b.options);
    else
        exit_status = run(&b);
    if (fflush(stdout) || ferror(stdout)) {
        fprintf(stderr, "bench: cannot write to standard output\n");
        return EXIT_BROKEN;
    }
    return exit_status;
}
