/*
 * report.c -- what the benchmark prints: JSON lines for programs, a table for people.
 */
#include "bench.h"

#include <inttypes.h>

ag_bench_report ag_bench_report_start(bool table_only)
{
    const ag_bench_report r = {.json = table_only ? NULL : stdout, .table = table_only ? stdout : stderr};
    return r;
}

/* Bytes above 127 are UTF-8 as they came. */
static void print_string(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            putc(c, out);
    }
    putc('"', out);
}

static void print_member(FILE *out, const char *key, const char *text)
{
    fprintf(out, ",\"%s\":", key);
    print_string(out, text);
}

/* "threads" is null where the device decides. */
static void print_place(FILE *out, const char *label, int n_threads)
{
    print_member(out, "backend", label);
    if (n_threads)
        fprintf(out, ",\"threads\":%d", n_threads);
    else
        fprintf(out, ",\"threads\":null");
}

/* In nanoseconds, as people read it. */
static void print_time(FILE *out, double ns)
{
    if (ns < 1e6)
        fprintf(out, " %8.1f us", ns / 1e3);
    else if (ns < 1e9)
        fprintf(out, " %8.2f ms", ns / 1e6);
    else
        fprintf(out, " %8.3f s ", ns / 1e9);
}

static void print_threads(FILE *out, int n_threads)
{
    if (n_threads)
        fprintf(out, " %7d", n_threads);
    else
        fprintf(out, "       -");
}

void ag_bench_report_context(const ag_bench_report *r, const ag_bench_target *t)
{
    fprintf(r->table, "# astragal %s, %s", ag_version(), t->label);
    if (t->n_threads)
        fprintf(r->table, ", %d thread%s", t->n_threads, t->n_threads == 1 ? "" : "s");
    fprintf(r->table, ": %s%s%s; signature %016" PRIx64 "\n", t->device, t->driver[0] ? ", " : "", t->driver,
            t->signature.all);
    if (!r->json)
        return;
    fprintf(r->json, "{\"kind\":\"context\"");
    print_member(r->json, "version", ag_version());
    print_place(r->json, t->label, t->n_threads);
    print_member(r->json, "device", t->device);
    print_member(r->json, "driver", t->driver);
    fprintf(r->json, ",\"sig\":\"%016" PRIx64 "\",\"integers\":\"%016" PRIx64 "\"}\n", t->signature.all,
            t->signature.integers);
    fflush(r->json);
}

static void print_job_json(FILE *out, const ag_bench_target *t, const ag_bench_work *w, const ag_bench_time *time,
                           int n_samples, double reference_ns)
{
    fprintf(out, "{\"kind\":\"job\"");
    print_member(out, "job", w->job->name);
    print_place(out, t->label, t->n_threads);
    fprintf(out, ",\"min_ns\":%.0f,\"median_ns\":%.0f,\"max_ns\":%.0f,\"loops\":%" PRIu64 ",\"reps\":%d", time->min_ns,
            time->median_ns, time->max_ns, time->loops, n_samples);
    if (time->busy_ns > 0.0)
        fprintf(out, ",\"kernel_ns\":%.0f", time->busy_ns);
    else
        fprintf(out, ",\"kernel_ns\":null");
    print_member(out, "unit", w->job->unit);
    fprintf(out, ",\"items\":%.0f,\"items_per_s\":%.17g", w->n_items, 1e9 * w->n_items / time->median_ns);
    if (reference_ns > 0.0)
        fprintf(out, ",\"reference_ns\":%.0f,\"reference_items\":%.0f,\"ratio_to_reference\":%.17g}\n", reference_ns,
                w->n_reference_items, reference_ns / time->median_ns);
    else
        fprintf(out, ",\"reference_ns\":null,\"reference_items\":0,\"ratio_to_reference\":null}\n");
    fflush(out);
}

void ag_bench_report_job(const ag_bench_report *r, const ag_bench_target *t, const ag_bench_work *w,
                         const ag_bench_time *time, int n_samples)
{
    /* The reference may have done a part only; all items of a job take it about the same time. */
    const double reference_ns =
        w->n_reference_items > 0.0 ? w->reference_ns * (w->n_items / w->n_reference_items) : 0.0;
    fprintf(r->table, "%-20s %-10s", w->job->name, t->label);
    print_threads(r->table, t->n_threads);
    print_time(r->table, time->median_ns);
    print_time(r->table, time->min_ns);
    print_time(r->table, time->max_ns);
    if (time->busy_ns > 0.0)
        print_time(r->table, time->busy_ns);
    else
        fprintf(r->table, "           -");
    fprintf(r->table, " %10.4g %-6s", 1e9 * w->n_items / time->median_ns, w->job->unit);
    if (reference_ns > 0.0)
        fprintf(r->table, " %9.4g%s\n", reference_ns / time->median_ns,
                w->n_reference_items < w->n_items ? " (scaled)" : "");
    else
        fprintf(r->table, "         -\n");
    fflush(r->table);
    if (r->json)
        print_job_json(r->json, t, w, time, n_samples, reference_ns);
}

void ag_bench_report_header(const ag_bench_report *r)
{
    fprintf(r->table, "%-20s %-10s threads %11s %11s %11s %11s %10s %-6s %9s\n", "job", "backend", "median   ",
            "fastest  ", "slowest  ", "in kernels", "a second", "", "x reference");
}

void ag_bench_report_not(const ag_bench_report *r, const char *kind, const char *job, const char *label, int n_threads,
                         const char *why)
{
    fprintf(r->table, "%-20s %-10s", job, label);
    print_threads(r->table, n_threads);
    fprintf(r->table, " %s: %s\n", kind, why);
    fflush(r->table);
    if (!r->json)
        return;
    fprintf(r->json, "{\"kind\":\"%s\"", kind);
    print_member(r->json, "job", job);
    print_place(r->json, label, n_threads);
    print_member(r->json, "why", why);
    fprintf(r->json, "}\n");
    fflush(r->json);
}
