/*
 * test_log.c -- what the log function receives, and what the default one writes for each AG_LOG.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
    int n;
    ag_log_level level;
    char category[16];
    char text[4096];
} received;

static void receive(void *user, ag_log_level level, const char *category, const char *text)
{
    received *got = user;
    got->n++;
    got->level = level;
    snprintf(got->category, sizeof got->category, "%s", category);
    snprintf(got->text, sizeof got->text, "%s", text);
}

static void function_receives_all(void **state)
{
    (void)state;
    received got = {0};
    ag_log_set(receive, &got);
    ag_log(AG_LOG_DEBUG, "launch", "%d groups of %s", 3, "agk_selftest");
    assert_int_equal(got.n, 1);
    assert_int_equal(got.level, AG_LOG_DEBUG);
    assert_string_equal(got.category, "launch");
    assert_string_equal(got.text, "3 groups of agk_selftest");
    /* Longer than any buffer inside. */
    ag_log(AG_LOG_ERROR, "build", "%3000d|", 1);
    assert_int_equal(got.n, 2);
    assert_int_equal(strlen(got.text), 3001);
    assert_string_equal(got.text + 2999, "1|");
    ag_log_set(NULL, NULL);
    ag_log(AG_LOG_DEBUG, "launch", "not for us");
    assert_int_equal(got.n, 2);
}

/* One message for each level and category. */
static void say_all(void)
{
    static const char *const categories[] = {"build", "mem", "launch", "solve"};
    for (int level = AG_LOG_ERROR; level <= AG_LOG_DEBUG; level++)
        for (size_t i = 0; i < AG_COUNT(categories); i++)
            ag_log((ag_log_level)level, categories[i], "text %d", level);
}

/* What a process of its own writes to stderr with AG_LOG=value (NULL: unset). */
static void written_with(const char *value, char *text, size_t size)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        if (value)
            setenv("AG_LOG", value, 1);
        else
            unsetenv("AG_LOG");
        say_all();
        _exit(0);
    }
    close(ends[1]);
    size_t n = 0;
    for (ssize_t got = 1; got > 0 && n + 1 < size; n += got > 0 ? (size_t)got : 0)
        got = read(ends[0], text + n, size - 1 - n);
    text[n] = '\0';
    close(ends[0]);
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static int count_lines(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static void environment_chooses(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        int n_lines;
        const char *has;
    } cases[] = {
        {NULL, 8, "astragal: warn: solve: text 1\n"},
        {"", 8, "astragal: error: build: text 0\n"},
        {"error", 4, "astragal: error: mem: text 0\n"},
        {"info", 12, "astragal: info: launch: text 2\n"},
        {"debug", 16, "astragal: debug: launch: text 3\n"},
        {"debug,launch", 4, "astragal: debug: launch: text 3\n"},
        {"launch,debug,mem", 8, "astragal: debug: mem: text 3\n"},
        {"solve", 2, "astragal: warn: solve: text 1\n"},
        {"debug,,solve,", 4, "astragal: error: solve: text 0\n"},
        {"loud,error", 5, "'loud' is no level"},
    };
    for (size_t i = 0; i < AG_COUNT(cases); i++) {
        char text[4096];
        written_with(cases[i].value, text, sizeof text);
        const char *value = cases[i].value ? cases[i].value : "(unset)";
        if (count_lines(text) != cases[i].n_lines || !strstr(text, cases[i].has))
            fail_msg("AG_LOG=%s: expected %d lines, one with '%s', got:\n%s", value, cases[i].n_lines, cases[i].has,
                     text);
    }
}

int main(void)
{
    /* environment_chooses first: its children must read AG_LOG anew. */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(environment_chooses),
        cmocka_unit_test(function_receives_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
