/*
 * log.c -- the one way in which the library says anything: a function that the program
 * may replace, and a default that writes to stderr what AG_LOG allows.
 */
#include "core/core.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words of AG_LOG, in the order of ag_log_level. */
static const char *const level_names[] = {"error", "warn", "info", "debug"};
static const char *const category_names[] = {"build", "mem", "launch", "solve"};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the two below */
static ag_log_fn chosen_fn;
static void *chosen_user;

/* What AG_LOG allows; read once, on the first message of the default function. */
static pthread_once_t read_once = PTHREAD_ONCE_INIT;
static ag_log_level allowed_level = AG_LOG_WARN;
static unsigned allowed_categories; /* bit i: category_names[i] */

static bool same_word(const char *name, const char *word, size_t length)
{
    return strlen(name) == length && memcmp(name, word, length) == 0;
}

/* Takes one word of AG_LOG; false if it is none of ours. */
static bool take_word(const char *word, size_t length)
{
    for (size_t i = 0; i < AG_COUNT(level_names); i++)
        if (same_word(level_names[i], word, length)) {
            allowed_level = (ag_log_level)i;
            return true;
        }
    for (size_t i = 0; i < AG_COUNT(category_names); i++)
        if (same_word(category_names[i], word, length)) {
            allowed_categories |= 1u << i;
            return true;
        }
    return length == 0;
}

static void read_environment(void)
{
    const char *word = getenv("AG_LOG");
    while (word) {
        const size_t length = strcspn(word, ",");
        if (!take_word(word, length))
            fprintf(stderr,
                    "astragal: AG_LOG: '%.*s' is no level (error, warn, info, debug) "
                    "and no category (build, mem, launch, solve)\n",
                    (int)length, word);
        word = word[length] ? word + length + 1 : NULL;
    }
    if (allowed_categories == 0)
        allowed_categories = ~0u;
}

static bool allowed(ag_log_level level, const char *category)
{
    pthread_once(&read_once, read_environment);
    if (level > allowed_level)
        return false;
    for (size_t i = 0; i < AG_COUNT(category_names); i++)
        if (strcmp(category_names[i], category) == 0)
            return (allowed_categories >> i & 1u) != 0;
    return true;
}

void ag_log_set(ag_log_fn fn, void *user)
{
    pthread_mutex_lock(&lock);
    chosen_fn = fn;
    chosen_user = user;
    pthread_mutex_unlock(&lock);
}

void ag_log(ag_log_level level, const char *category, const char *fmt, ...)
{
    pthread_mutex_lock(&lock);
    const ag_log_fn fn = chosen_fn;
    void *const user = chosen_user;
    pthread_mutex_unlock(&lock); /* so that fn may itself call ag_log_set() */
    if (!fn && !allowed(level, category))
        return;

    char shorter[512];
    char *text = shorter;
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    const int length = vsnprintf(shorter, sizeof shorter, fmt, args);
    char *longer = length >= (int)sizeof shorter ? malloc((size_t)length + 1) : NULL;
    if (longer) { /* without memory the message is cut, not lost */
        vsnprintf(longer, (size_t)length + 1, fmt, again);
        text = longer;
    }
    va_end(again);
    va_end(args);

    if (fn)
        fn(user, level, category, text);
    else
        fprintf(stderr, "astragal: %s: %s: %s\n", level_names[level], category, text);
    free(longer);
}
