/*
 * program.h -- runs the program named by the environment variable AG_BIN (default build/astragal) through the
 * shell, in a folder of its own that is removed at the end.
 */
#ifndef AG_TESTS_PROGRAM_H
#define AG_TESTS_PROGRAM_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static char folder[] = "/tmp/astragal-test-XXXXXX";
static char root[4096]; /* where the tests were started: the top of the tree */

/* -------------------------------------------------------------------- running it */

/* What the last command left; the texts are freed by the next. */
static struct {
    int status;
    char *out, *err;
} last;

static inline char *read_file(const char *path)
{
    FILE *from = fopen(path, "rb");
    char *text = NULL;
    size_t size = 0, room = 0;
    assert_non_null(from);
    do {
        if (size + 65536 + 1 > room) {
            room = 2 * room + 65536 + 1;
            text = realloc(text, room);
            assert_non_null(text);
        }
        size += fread(text + size, 1, 65536, from);
    } while (!feof(from) && !ferror(from));
    assert_false(ferror(from));
    fclose(from);
    text[size] = '\0';
    return text;
}

/* Runs a shell command in the folder; fills `last`. */
static inline void shell(const char *command)
{
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        const int in = open("/dev/null", O_RDONLY);
        const int out = open("stdout", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        const int err = open("stderr", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (in < 0 || out < 0 || err < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
            _exit(99);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(99);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    last.status = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    free(last.out);
    free(last.err);
    last.out = read_file("stdout");
    last.err = read_file("stderr");
}

static inline void expect_status(const char *command, int want)
{
    shell(command);
    if (last.status != want)
        fail_msg("%s: exit status %d, must be %d; stderr: %s", command, last.status, want, last.err);
}

static inline void ok(const char *command)
{
    expect_status(command, 0);
}

/* Exit status, one line on stderr that begins "astragal: " and says `says`, and nothing on stdout. */
static inline void refused(const char *command, int status, const char *says)
{
    expect_status(command, status);
    if (*last.out)
        fail_msg("%s: writes to stdout: %.200s", command, last.out);
    const char *end = strchr(last.err, '\n');
    if (!end || end[1] || strncmp(last.err, "astragal: ", 10))
        fail_msg("%s: stderr must be one line that begins \"astragal: \", is: %s", command, last.err);
    if (!strstr(last.err, says))
        fail_msg("%s: stderr must say \"%s\", is: %s", command, says, last.err);
}

static inline void says(const char *command, const char *text)
{
    if (!strstr(last.out, text))
        fail_msg("%s: must print \"%s\", prints: %.2000s", command, text, last.out);
}

/* ------------------------------------------------------------- folder of the tests */

static inline int make_folder(void **state)
{
    char bin[4096], path[16384];
    const char *name = getenv("AG_BIN");
    (void)state;
    if (!getcwd(root, sizeof root) || !realpath(name ? name : "build/astragal", bin) || !mkdtemp(folder) ||
        chdir(folder))
        return -1;
    *strrchr(bin, '/') = '\0'; /* commands say "astragal": found in its folder */
    snprintf(path, sizeof path, "%s:%s", bin, getenv("PATH"));
    return setenv("PATH", path, 1);
}

static inline int remove_folder(void **state)
{
    char command[128];
    (void)state;
    free(last.out);
    free(last.err);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") || system(command);
}

#endif
