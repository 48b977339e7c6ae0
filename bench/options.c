/*
 * options.c -- the command line of the benchmark.
 */
#include "bench.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE_MS_DEFAULT 200
#define N_SAMPLES_DEFAULT 5

void ag_bench_usage(FILE *out)
{
    fprintf(out,
            "Usage: bench [OPTION]...\n"
            "Checks and times fixed jobs; JSON lines on stdout, a table on stderr.\n"
            "\n"
            "  -b BACKEND[:DEVICE],...  where: cpu, opencl, cuda, cuda:1, cuda:all (default: device 0 of\n"
            "                           every backend present); with -s one, reference too (default: cpu)\n"
            "  -T THREADS,...           threads of cpu, 0 = one for each processor (default: 1,0)\n"
            "  -t MS                    a sample lasts at least so long (default: %d)\n"
            "  -r N                     samples (default: %d)\n"
            "  -j GLOB                  only these jobs: 'hog/*'\n"
            "  -s                       print the signature of the results; reads no clock\n"
            "  -l                       list the jobs\n"
            "  --table                  the table on stdout, no JSON\n"
            "  --help                   this help\n"
            "\n"
            "Times are of one run of a job. Exit status: 0 done, 1 a device that was named or is broken\n"
            "did not run, 2 bad usage, 3 a result is wrong.\n",
            SAMPLE_MS_DEFAULT, N_SAMPLES_DEFAULT);
}

static bool bad_value(const char *option, const char *value, const char *accepted)
{
    fprintf(stderr, "bench: %s is '%s', must be %s\n", option, value, accepted);
    return false;
}

/* Digits alone, lo..hi. */
static bool parse_int(const char *text, int lo, int hi, int *out)
{
    char *end;
    if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0')
        return false;
    errno = 0;
    const long x = strtol(text, &end, 10);
    if (errno || x < lo || x > hi)
        return false;
    *out = (int)x;
    return true;
}

/* Copies the next item of a comma list to item and moves on; false at the end. An item too long is cut, which
 * makes it no backend's name and no number. */
static bool next_item(const char **list, char *item, size_t size)
{
    if (!*list)
        return false;
    const size_t length = strcspn(*list, ",");
    snprintf(item, size, "%.*s", (int)(length < size ? length : size), *list);
    *list = (*list)[length] ? *list + length + 1 : NULL;
    return true;
}

static bool parse_backends(const char *list, ag_bench_options *o)
{
    static const char accepted[] = "BACKEND, BACKEND:DEVICE or BACKEND:all, at most 8 of them between commas";
    const char *at = list;
    char item[sizeof o->backends[0].backend + 8];
    for (o->n_backends = 0; next_item(&at, item, sizeof item); o->n_backends++) {
        char *colon = strchr(item, ':');
        int device = 0;
        if (colon && strcmp(colon + 1, "all") == 0)
            device = AG_ALL_DEVICES;
        else if (colon && !parse_int(colon + 1, 0, 1023, &device))
            return bad_value("-b", list, accepted);
        if (o->n_backends == AG_BENCH_BACKENDS_MAX)
            return bad_value("-b", list, accepted);
        if (colon)
            *colon = '\0';
        if (item[0] == '\0' || strlen(item) >= sizeof o->backends[0].backend)
            return bad_value("-b", list, accepted);
        memcpy(o->backends[o->n_backends].backend, item, strlen(item) + 1);
        o->backends[o->n_backends].device = device;
    }
    return true;
}

static bool parse_threads(const char *list, ag_bench_options *o)
{
    const char *at = list;
    char item[8];
    for (o->n_threads = 0; next_item(&at, item, sizeof item); o->n_threads++)
        if (o->n_threads == AG_BENCH_THREADS_MAX || !parse_int(item, 0, 1024, &o->threads[o->n_threads]))
            return bad_value("-T", list, "numbers 0..1024, at most 16 of them between commas");
    return true;
}

/* Options that do not go together. */
static bool check_together(const ag_bench_options *o)
{
    if (o->sign && (o->n_backends > 1 || o->n_threads > 1)) {
        fprintf(stderr, "bench: -s takes one backend and one number of threads\n");
        return false;
    }
    for (size_t i = 0; i < o->n_backends && !o->sign; i++)
        if (strcmp(o->backends[i].backend, "reference") == 0 || strcmp(o->backends[i].backend, "auto") == 0)
            return bad_value("-b", o->backends[i].backend,
                             "a backend with devices: the reference is timed beside each, alone it goes with -s");
    return true;
}

bool ag_bench_options_parse(int argc, char **argv, ag_bench_options *out)
{
    static const struct option longs[] = {
        {"table", no_argument, NULL, 1}, {"help", no_argument, NULL, 2}, {NULL, 0, NULL, 0}};
    ag_bench_options o = {.sample_ms = SAMPLE_MS_DEFAULT, .n_samples = N_SAMPLES_DEFAULT};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":b:T:t:r:j:sl", longs, NULL)) != -1;) {
        bool good = true;
        switch (c) {
        case 'b':
            good = parse_backends(optarg, &o);
            break;
        case 'T':
            good = parse_threads(optarg, &o);
            break;
        case 't':
            good = parse_int(optarg, 1, 60000, &o.sample_ms) || bad_value("-t", optarg, "1..60000");
            break;
        case 'r':
            good = parse_int(optarg, 1, AG_BENCH_SAMPLES_MAX, &o.n_samples) || bad_value("-r", optarg, "1..1000");
            break;
        case 'j':
            o.glob = optarg;
            break;
        case 's':
            o.sign = true;
            break;
        case 'l':
            o.list = true;
            break;
        case 1:
            o.table = true;
            break;
        case 2:
            o.help = true;
            break;
        case ':':
            fprintf(stderr, "bench: option -%c needs a value (bench --help)\n", optopt);
            return false;
        default:
            if (optopt > 2) /* not one of the long ones with a value too many */
                fprintf(stderr, "bench: unknown option -%c (bench --help)\n", optopt);
            else
                fprintf(stderr, "bench: unknown option %s (bench --help)\n", argv[optind - 1]);
            return false;
        }
        if (!good)
            return false;
    }
    if (optind < argc) {
        fprintf(stderr, "bench: unexpected argument '%s' (bench --help)\n", argv[optind]);
        return false;
    }
    *out = o;
    return check_together(out);
}
