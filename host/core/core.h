/*
 * core.h -- status, context, log, sizes and threads: what all host code stands on.
 */
#ifndef AG_CORE_H
#define AG_CORE_H

#include "astragal/astragal.h"

#include <stdarg.h>
#include <stdbool.h>

#if defined(__GNUC__)
#define AG_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define AG_PRINTF(fmt, args)
#endif

#define AG_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Forwards a failure to the caller. */
#define AG_TRY(expr)                                                                                                   \
    do {                                                                                                               \
        const ag_status status_ = (expr);                                                                              \
        if (status_ != AG_OK)                                                                                          \
            return status_;                                                                                            \
    } while (0)

/* Records the message in ctx (may be NULL: then it is lost) and returns code. */
ag_status ag_fail(ag_ctx *ctx, ag_status code, const char *fmt, ...) AG_PRINTF(3, 4);

/* a * b, or false on overflow. */
bool ag_mul_size(size_t a, size_t b, size_t *out);

/* The known word nearest to `word` by edit distance, for "did you mean"; NULL when none is near.
 * words: n pointers. */
const char *ag_nearest_word(const char *word, const char *const *words, size_t n);

/* Parses a whole decimal integer in lo..hi, nothing before or after it. */
bool ag_parse_int(const char *text, int64_t lo, int64_t hi, int64_t *out);

/* log.c */
void ag_log(ag_log_level level, const char *category, const char *fmt, ...) AG_PRINTF(3, 4);

/* threads.c: processors this process may use, 1..AG_THREADS_MAX. */
#define AG_THREADS_MAX 1024
int ag_processors(void);

/* A pool of threads that runs item(user, i) for every i of 0..n-1, each once. */
typedef struct ag_threads ag_threads;
/* n_threads 0: as many as processors this process may use. The caller's thread is one of them. */
ag_status ag_threads_create(ag_ctx *ctx, int n_threads, ag_threads **out);
void ag_threads_free(ag_threads *pool);
int ag_threads_count(const ag_threads *pool);
/* Returns when all are done. Items are taken in rising order, so neighbours run close in time.
 * n = 1, or a pool of one, runs on the caller's thread alone. Not reentrant. */
void ag_threads_run(ag_threads *pool, uint32_t n, void (*item)(void *user, uint32_t i), void *user);

/* Seconds of a clock that only rises, for progress and for choosing a device; no result depends on it. */
double ag_now_seconds(void);

#endif
