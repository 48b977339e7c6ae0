/*
 * standin_record.c -- calls counted, failures planned, faults recorded and told at exit; linked into both libraries.
 */
#include "standin_record.h"
#include "device/cuda_abi.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RULES_MAX 16

typedef struct {
    char name[64];
    uint64_t k, seen;
    unsigned code;
} rule;

static struct {
    pthread_mutex_t mutex;
    const char *call;
    int n_faults;
    char last_fault[512];
    rule rules[RULES_MAX];
    int n_rules;
    const char **names; /* of counted calls */
    size_t n_names, size_names;
} record = {.mutex = PTHREAD_MUTEX_INITIALIZER, .call = ""};

void standin_lock(void)
{
    pthread_mutex_lock(&record.mutex);
}

void standin_unlock(void)
{
    pthread_mutex_unlock(&record.mutex);
}

/* ------------------------------------------------------------------ settings */

void standin_refuse(const char *name, const char *whole, const char *must_be)
{
    fprintf(stderr, "stand-in: %s is '%s', must be %s\n", name, whole, must_be);
    abort();
}

uint64_t standin_number(const char **text, uint64_t lo, uint64_t hi, const char *name, const char *whole)
{
    char must_be[80], *end = NULL;
    snprintf(must_be, sizeof must_be, "made of numbers %llu..%llu", (unsigned long long)lo, (unsigned long long)hi);
    if (**text < '0' || **text > '9')
        standin_refuse(name, whole, must_be);
    errno = 0;
    const uint64_t number = strtoull(*text, &end, 10);
    if (errno || number < lo || number > hi)
        standin_refuse(name, whole, must_be);
    *text = end;
    return number;
}

uint64_t standin_setting(const char *name, uint64_t lo, uint64_t hi, uint64_t otherwise)
{
    const char *whole = getenv(name);
    if (!whole || !*whole)
        return otherwise;
    const char *text = whole;
    const uint64_t number = standin_number(&text, lo, hi, name, whole);
    if (*text)
        standin_refuse(name, whole, "a number and nothing after it");
    return number;
}

/* ---------------------------------------------------------- planned failures */

static bool is_known_name(const char *name)
{
#define X(known, arguments)                                                                                            \
    if (!strcmp(name, #known))                                                                                         \
        return strcmp(name, "cuGetErrorName") != 0;
    AG_CU_CALLS(X)
#undef X
#define X(result, known, arguments)                                                                                    \
    if (!strcmp(name, #known))                                                                                         \
        return strcmp(name, "nvrtcGetErrorString") != 0;
    AG_NVRTC_CALLS(X)
#undef X
    return !strcmp(name, "*") || !strcmp(name, "nvrtc*") || !strcmp(name, "kernel");
}

static void plan(const char *whole, const char *variable)
{
    record.n_rules = 0;
    const char *text = whole ? whole : "";
    while (*text) {
        const size_t length = strcspn(text, ":");
        if (record.n_rules == RULES_MAX || length >= sizeof record.rules[0].name || text[length] != ':')
            standin_refuse(variable, whole, "NAME:K=CODE, with commas between");
        rule *r = &record.rules[record.n_rules++];
        *r = (rule){.k = 0};
        memcpy(r->name, text, length);
        if (!is_known_name(r->name))
            standin_refuse(variable, whole, "of names of counted calls, *, nvrtc* and kernel");
        text += length + 1;
        r->k = standin_number(&text, 1, UINT64_MAX, variable, whole);
        if (*text++ != '=')
            standin_refuse(variable, whole, "NAME:K=CODE, with commas between");
        r->code = (unsigned)standin_number(&text, 1, 99999, variable, whole);
        if (*text == ',' && text[1])
            text++;
        else if (*text)
            standin_refuse(variable, whole, "NAME:K=CODE, with commas between");
    }
}

/* Counts for the rules that name this; the code of one whose time has come. */
static unsigned count(const char *name)
{
    unsigned code = 0;
    for (rule *r = record.rules; r < record.rules + record.n_rules; r++)
        if (!strcmp(r->name, name) && ++r->seen == r->k && !code)
            code = r->code;
    return code;
}

unsigned standin_count_call(const char *call)
{
    record.call = call;
    if (record.n_names == record.size_names) {
        record.size_names = record.size_names ? 2 * record.size_names : 1024;
        const char **names = realloc(record.names, record.size_names * sizeof *names);
        if (!names)
            abort();
        record.names = names;
    }
    record.names[record.n_names++] = call;
    const unsigned any = count(standin_any_call), one = count(call);
    return any ? any : one;
}

unsigned standin_count_kernel(void)
{
    return count("kernel");
}

/* -------------------------------------------------------------------- faults */

void standin_name_call(const char *call)
{
    record.call = call;
}

unsigned standin_fault(unsigned code, const char *format, ...)
{
    va_list args;
    const int at = snprintf(record.last_fault, sizeof record.last_fault, "%s: ", record.call);
    va_start(args, format);
    vsnprintf(record.last_fault + at, sizeof record.last_fault - (size_t)at, format, args);
    va_end(args);
    fprintf(stderr, "stand-in: fault: %s\n", record.last_fault);
    record.n_faults++;
    return code;
}

int standin_faults(void)
{
    standin_lock();
    const int n = record.n_faults;
    standin_unlock();
    return n;
}

const char *standin_last_fault(void)
{
    return record.last_fault;
}

unsigned long long standin_calls(void)
{
    standin_lock();
    const unsigned long long n = record.n_names;
    standin_unlock();
    return n;
}

unsigned long long standin_live(void)
{
    standin_lock();
    const unsigned long long n = standin_count_live();
    standin_unlock();
    return n;
}

void standin_fail(const char *text)
{
    standin_lock();
    plan(text, "standin_fail()");
    standin_unlock();
}

static void forget(void)
{
    record.n_faults = 0;
    record.last_fault[0] = '\0';
    record.n_names = 0;
    standin_revive();
    standin_read_environment();
    plan(getenv("AG_STANDIN_FAIL"), "AG_STANDIN_FAIL");
}

void standin_forget(void)
{
    standin_lock();
    forget();
    standin_unlock();
}

void standin_reset(void)
{
    standin_lock();
    standin_release_all();
    forget();
    standin_unlock();
}

/* ------------------------------------------------------------ load and exit */

__attribute__((constructor)) static void at_load(void)
{
    forget();
}

static void write_calls(void)
{
    const char *name = getenv("AG_STANDIN_CALLS");
    if (!name || !*name)
        return;
    char path[4096];
    snprintf(path, sizeof path, "%s%s", name, standin_calls_ending);
    FILE *file = fopen(path, "w");
    if (!file) {
        standin_fault(0, "AG_STANDIN_CALLS: %s: %s", path, strerror(errno));
        return;
    }
    for (size_t i = 0; i < record.n_names; i++)
        fprintf(file, "%s\n", record.names[i]);
    fclose(file);
}

/* Runs before stdio is flushed for the last time, which _exit() would leave out. */
__attribute__((destructor)) static void at_exit(void)
{
    standin_name_call("at exit");
    write_calls();
    standin_record_leaks();
    free(record.names);
    record.names = NULL;
    record.n_names = record.size_names = 0;
    if (record.n_faults > 0) {
        fflush(NULL);
        _exit(STANDIN_EXIT_STATUS);
    }
}
