/*
 * test_file.c -- output files are there whole or not at all, whatever goes wrong on the way.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/file.h"
#include "scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

static ag_ctx *ctx;

static ag_file *begin(const char *path, const char *content)
{
    ag_file *file = NULL;
    if (ag_file_create(ctx, path, &file) != AG_OK)
        fail_msg("%s", ag_ctx_message(ctx));
    fputs(content, ag_file_stream(file));
    return file;
}

static mode_t mode_of(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 07777;
}

static void assert_message(const char *path, const char *reason)
{
    char want[PATH_MAX + 100];
    snprintf(want, sizeof want, "cannot write %s: %s", path, reason);
    assert_string_equal(ag_ctx_message(ctx), want);
}

static void new_file_appears_at_commit(void **state)
{
    (void)state;
    const mode_t mask = umask(027);
    const char *path = in_scratch("new");
    ag_file *file = begin(path, "hello\n");
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(ag_file_commit(ctx, file), AG_OK);
    umask(mask);
    assert_file(path, "hello\n");
    assert_int_equal(mode_of(path), 0640);
    assert_int_equal(scratch_entries(), 1);
}

static void old_file_stays_until_commit_and_lends_its_mode(void **state)
{
    (void)state;
    static const mode_t modes[] = {0600, 0644, 0666, 0755};
    const char *path = in_scratch("file");
    for (size_t i = 0; i < AG_COUNT(modes); i++) {
        put_file(path, "old");
        chmod(path, modes[i]);
        ag_file *file = begin(path, "new");
        fflush(ag_file_stream(file));
        assert_file(path, "old");
        assert_int_equal(ag_file_commit(ctx, file), AG_OK);
        assert_file(path, "new");
        assert_int_equal(mode_of(path), modes[i]);
        assert_int_equal(scratch_entries(), 1);
    }
}

static void abandoned_file_leaves_no_trace(void **state)
{
    (void)state;
    put_file(in_scratch("old"), "old");
    ag_file_abandon(begin(in_scratch("old"), "new"));
    ag_file_abandon(begin(in_scratch("other"), "new"));
    ag_file_abandon(NULL);
    assert_file(in_scratch("old"), "old");
    assert_int_equal(scratch_entries(), 1);
}

static void links_are_followed(void **state)
{
    (void)state;
    assert_int_equal(mkdir(in_scratch("folder"), 0755), 0);
    put_file(in_scratch("folder/target"), "old");
    assert_int_equal(symlink("folder/target", in_scratch("link")), 0);
    assert_int_equal(symlink("../link", in_scratch("folder/link to link")), 0);
    assert_int_equal(ag_file_commit(ctx, begin(in_scratch("folder/link to link"), "new")), AG_OK);
    assert_file(in_scratch("folder/target"), "new");
    struct stat st;
    assert_int_equal(lstat(in_scratch("link"), &st), 0);
    assert_true(S_ISLNK(st.st_mode));

    assert_int_equal(symlink(in_scratch("folder/made"), in_scratch("dangling")), 0);
    assert_int_equal(ag_file_commit(ctx, begin(in_scratch("dangling"), "new")), AG_OK);
    assert_file(in_scratch("folder/made"), "new");

    assert_int_equal(symlink("loop", in_scratch("loop")), 0);
    ag_file *file = NULL;
    assert_int_equal(ag_file_create(ctx, in_scratch("loop"), &file), AG_E_IO);
    assert_null(file);
}

static void relative_path_survives_chdir(void **state)
{
    (void)state;
    char *before = getcwd(NULL, 0);
    assert_int_equal(chdir(scratch), 0);
    ag_file *file = begin("bare name", "x");
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(ag_file_commit(ctx, file), AG_OK);
    assert_file(in_scratch("bare name"), "x");
    assert_int_equal(chdir(before), 0);
    free(before);
}

static void what_cannot_be_written_is_refused(void **state)
{
    (void)state;
    ag_file *file = NULL;
    assert_int_equal(ag_file_create(ctx, scratch, &file), AG_E_IO);
    assert_message(scratch, strerror(EISDIR));
    assert_int_equal(ag_file_create(ctx, in_scratch("no/file"), &file), AG_E_IO);
    assert_message(in_scratch("no/file"), strerror(ENOENT));
    assert_int_equal(ag_file_create(ctx, in_scratch("no/"), &file), AG_E_IO);
    assert_int_equal(ag_file_create(ctx, "", &file), AG_E_IO);
    put_file(in_scratch("file"), "old");
    assert_int_equal(ag_file_create(ctx, in_scratch("file/below"), &file), AG_E_IO);
    assert_message(in_scratch("file/below"), strerror(ENOTDIR));
    if (geteuid() != 0) { /* root may write anything */
        chmod(in_scratch("file"), 0444);
        assert_int_equal(ag_file_create(ctx, in_scratch("file"), &file), AG_E_IO);
        assert_message(in_scratch("file"), strerror(EACCES));
    }
    assert_null(file);
    assert_file(in_scratch("file"), "old");
    assert_int_equal(scratch_entries(), 1);
}

static void full_device_is_noticed_at_commit(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0) {
        print_message("no /dev/full here\n");
        skip();
    }
    assert_int_equal(ag_file_commit(ctx, begin("/dev/full", "x")), AG_E_IO);
    assert_message("/dev/full", strerror(ENOSPC));
}

/* As on a full disk: a file may not grow past a limit. `many` bytes fail before the commit, few within it. */
static void failed_write_keeps_the_old_file(void **state)
{
    (void)state;
    static const size_t sizes[] = {5000, (size_t)3 << 20};
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    void (*const handler)(int) = signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < AG_COUNT(sizes); i++) {
        const char *path = in_scratch("file");
        put_file(path, "old");
        ag_file *file = begin(path, "");
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){4096, limit.rlim_max}), 0);
        for (size_t k = 0; k < sizes[i]; k++)
            putc('x', ag_file_stream(file));
        const ag_status status = ag_file_commit(ctx, file);
        setrlimit(RLIMIT_FSIZE, &limit);
        assert_int_equal(status, AG_E_IO);
        assert_file(path, "old");
        assert_int_equal(scratch_entries(), 1);
    }
    signal(SIGXFSZ, handler);
}

static void fifo_is_written_directly(void **state)
{
    (void)state;
    const char *path = in_scratch("fifo");
    assert_int_equal(mkfifo(path, 0600), 0);
    const int reader = open(path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_int_equal(ag_file_commit(ctx, begin(path, "through")), AG_OK);
    char text[16] = "";
    assert_int_equal(read(reader, text, sizeof text), 7);
    assert_string_equal(text, "through");
    /* What is abandoned is not sent either. */
    ag_file_abandon(begin(path, "never"));
    assert_int_equal(read(reader, text, sizeof text), 0);
    close(reader);
    assert_int_equal(scratch_entries(), 1);
}

static void closed_pipe_is_noticed_at_commit(void **state)
{
    (void)state;
    if (access("/dev/fd", F_OK) != 0) {
        print_message("no /dev/fd here\n");
        skip();
    }
    int ends[2];
    char path[32];
    void (*const handler)(int) = signal(SIGPIPE, SIG_IGN);
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    ag_file *file = begin(path, "x");
    close(ends[0]);
    assert_int_equal(ag_file_commit(ctx, file), AG_E_IO);
    assert_message(path, strerror(EPIPE));
    close(ends[1]);
    signal(SIGPIPE, handler);
}

/* As after `astragal ... --out csv:/dev/stdout --out json:/dev/stdout > file`. */
static void own_descriptor_keeps_what_it_holds(void **state)
{
    (void)state;
    if (access("/dev/fd", F_OK) != 0) {
        print_message("no /dev/fd here\n");
        skip();
    }
    const int fd = open(in_scratch("file"), O_WRONLY | O_CREAT, 0644);
    char path[32];
    snprintf(path, sizeof path, "/dev/fd/%d", fd);
    assert_int_equal(write(fd, "summary\n", 8), 8);
    assert_int_equal(ag_file_commit(ctx, begin(path, "first\n")), AG_OK);
    assert_int_equal(ag_file_commit(ctx, begin(path, "second\n")), AG_OK);
    assert_int_equal(write(fd, "end\n", 4), 4);
    close(fd);
    assert_file(in_scratch("file"), "summary\nfirst\nsecond\nend\n");
}

static void remove_and_exit(int number)
{
    ag_file_cleanup_on_signal();
    _exit(number);
}

static void signal_removes_temporary_files(void **state)
{
    (void)state;
    const pid_t child = fork();
    if (child == 0) {
        ag_file *one = NULL, *two = NULL, *three = NULL;
        signal(SIGTERM, remove_and_exit);
        if (ag_file_create(ctx, in_scratch("one"), &one) != AG_OK ||
            ag_file_create(ctx, in_scratch("two"), &two) != AG_OK ||
            ag_file_create(ctx, in_scratch("three"), &three) != AG_OK || ag_file_commit(ctx, two) != AG_OK)
            _exit(1);
        raise(SIGTERM);
    }
    int ended = 0;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), SIGTERM);
    assert_int_equal(access(in_scratch("two"), F_OK), 0);
    assert_int_equal(scratch_entries(), 1);
}

static void number_of_open_files_is_limited(void **state)
{
    (void)state;
    ag_file *files[17] = {NULL};
    size_t n = 0;
    while (n < AG_COUNT(files) && ag_file_create(ctx, in_scratch("file"), &files[n]) == AG_OK)
        n++;
    assert_int_equal(n, 16);
    assert_message(in_scratch("file"), strerror(EMFILE));
    while (n-- > 0)
        ag_file_abandon(files[n]);
    assert_int_equal(ag_file_commit(ctx, begin(in_scratch("file"), "x")), AG_OK);
    assert_int_equal(scratch_entries(), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, scratch_setup, scratch_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(new_file_appears_at_commit),         TEST(old_file_stays_until_commit_and_lends_its_mode),
        TEST(abandoned_file_leaves_no_trace),     TEST(links_are_followed),
        TEST(relative_path_survives_chdir),       TEST(what_cannot_be_written_is_refused),
        TEST(full_device_is_noticed_at_commit),   TEST(failed_write_keeps_the_old_file),
        TEST(fifo_is_written_directly),           TEST(closed_pipe_is_noticed_at_commit),
        TEST(own_descriptor_keeps_what_it_holds), TEST(signal_removes_temporary_files),
        TEST(number_of_open_files_is_limited),
    };
    if (ag_ctx_create(&ctx) != AG_OK)
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ag_ctx_free(ctx);
    return failed;
}
