/*
 * test_kernel_cache.c -- the cache of compiled kernels gives back what was stored under exactly that key, or nothing,
 * whatever became of its folder and files. Its source is compiled here, so that small sources can stand for the
 * kernels' and the bytes of a file can be forged.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "device/kernel_src.h"
static void chosen_strings(const char **strings, size_t *lengths);
#define ag_kernel_strings chosen_strings
#include "device/kernel_cache.c"
#include "../core/scratch.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define OCLGRIND_ICD "/usr/lib/oclgrind/liboclgrind-rt-icd.so"

static const char *source; /* stands for the kernels' sources; NULL: they themselves */

static void chosen_strings(const char **strings, size_t *lengths)
{
#undef ag_kernel_strings
    ag_kernel_strings(strings, lengths);
    for (int i = 0; source && i < ag_n_kernel_strings; i++) {
        strings[i] = i == 0 ? source : "";
        lengths[i] = strlen(strings[i]);
    }
}

/* What the cache said, one line after the other, and how often kernels were compiled and taken from it. */
static char log_text[4096];
static int n_compiled, n_used;

static void keep_log(void *user, ag_log_level level, const char *category, const char *text)
{
    (void)user;
    if (level != AG_LOG_INFO || strcmp(category, "build") != 0)
        return;
    const size_t used = strlen(log_text);
    snprintf(log_text + used, sizeof log_text - used, "%s\n", text);
    n_compiled += strstr(text, "kernels compiled") != NULL;
    n_used += strncmp(text, "kernel cache: ", 14) == 0 && strstr(text, ": used") != NULL;
}

static void expect_log(const char *words)
{
    if (!strstr(log_text, words))
        fail_msg("'%s' is not in the log:\n%s", words, log_text);
    log_text[0] = '\0';
}

/* A scratch folder, its "cache" being the cache, small sources, and a log. */
static int set_up(void **state)
{
    source = "kernels";
    log_text[0] = '\0';
    ag_log_set(keep_log, NULL);
    if (scratch_setup(state) != 0)
        return -1;
    setenv("AG_CACHE", in_scratch("cache"), 1);
    return 0;
}

static int tear_down(void **state)
{
    ag_log_set(NULL, NULL);
    return scratch_teardown(state);
}

static const ag_kernel_key some_key = {{"fake", "device", "driver"}};
static const char some_image[] = "compiled";

/* The path of a key's file; the last two stay valid. */
static const char *path_of(const ag_kernel_key *key)
{
    static place places[2];
    static unsigned next;
    place *where = &places[next++ % 2];
    flat_key k = flatten(key);
    assert_non_null(k.bytes);
    assert_true(find_place(key, &k, where));
    free(k.bytes);
    return where->path;
}

static void store(const ag_kernel_key *key, const char *image)
{
    ag_kernel_cache_store(key, image, strlen(image) + 1);
}

static void expect_hit(const ag_kernel_key *key, const char *image)
{
    void *got = NULL;
    size_t size = 0;
    log_text[0] = '\0';
    if (!ag_kernel_cache_load(key, &got, &size))
        fail_msg("not found: %s", log_text);
    assert_int_equal(size, strlen(image) + 1);
    assert_string_equal(got, image);
    assert_int_equal(((char *)got)[size], 0); /* the one after it */
    free(got);
    expect_log(": used");
}

/* Not found, with these words in the log; the outputs are untouched. */
static void expect_miss(const ag_kernel_key *key, const char *words)
{
    char guard;
    void *got = &guard;
    size_t size = 12345;
    log_text[0] = '\0';
    if (ag_kernel_cache_load(key, &got, &size))
        fail_msg("found %zu bytes", size);
    assert_ptr_equal(got, &guard);
    assert_int_equal(size, 12345);
    expect_log(words);
}

static int entries_of(const char *path)
{
    int n = 0;
    DIR *folder = opendir(path);
    while (folder && readdir(folder))
        n++;
    if (folder)
        closedir(folder);
    return n - 2;
}

static mode_t mode_of(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 07777;
}

static void put_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* ------------------------------------------------------------------- the key */

static void what_is_stored_comes_back(void **state)
{
    (void)state;
    expect_miss(&some_key, strerror(ENOENT));
    assert_int_not_equal(access(in_scratch("cache"), F_OK), 0); /* looking makes no folder */
    const mode_t mask = umask(0);
    store(&some_key, some_image);
    umask(mask);
    expect_hit(&some_key, some_image);
    assert_int_equal(mode_of(in_scratch("cache")), 0700);
    assert_int_equal(mode_of(path_of(&some_key)), 0600);
    assert_int_equal(entries_of(in_scratch("cache")), 1);

    store(&some_key, "longer than before");
    expect_hit(&some_key, "longer than before");
    chmod(path_of(&some_key), 0644);
    store(&some_key, "");
    expect_hit(&some_key, "");
    assert_int_equal(mode_of(path_of(&some_key)), 0600);
    assert_int_equal(entries_of(in_scratch("cache")), 1);

    log_text[0] = '\0';
    ag_kernel_cache_drop(&some_key);
    expect_log(": removed");
    expect_miss(&some_key, strerror(ENOENT));
    ag_kernel_cache_drop(&some_key); /* nothing there any more */
    assert_string_equal(log_text, "");
}

static void other_parts_are_another_key(void **state)
{
    (void)state;
    static const ag_kernel_key keys[] = {
        {{"fake", "ab", "c"}},
        {{"fake", "a", "bc"}},
        {{"fake", "abc"}},
        {{"fake", "c", "ab"}},
        {{"fake", "ab", "C"}},
        {{"fake", "ab", "c", ""}},
        {{"fake", "", "ab", "c"}},
        {{"fake", "ab", "c", "d"}},
        {{"fake2", "ab", "c"}},
        {{"fake", "ab", "1:c"}},
        {{"fake", "ab1:c"}},
        {{"fake"}},
        {{"fake", "a", "b", "c", "d", "e"}},
    };
    char image[32];
    for (size_t i = 0; i < AG_COUNT(keys); i++) {
        expect_miss(&keys[i], strerror(ENOENT));
        snprintf(image, sizeof image, "image %zu", i);
        store(&keys[i], image);
    }
    for (size_t i = 0; i < AG_COUNT(keys); i++) {
        snprintf(image, sizeof image, "image %zu", i);
        expect_hit(&keys[i], image);
    }
    source = "other kernels";
    for (size_t i = 0; i < AG_COUNT(keys); i++)
        expect_miss(&keys[i], strerror(ENOENT));
}

static void sources_are_in_the_key(void **state)
{
    (void)state;
    const char *strings[ag_n_kernel_strings];
    size_t lengths[ag_n_kernel_strings], size = 0;
    source = NULL;
    store(&some_key, some_image);
    expect_hit(&some_key, some_image);
    char *bytes = get_file(path_of(&some_key), &size);
    ag_kernel_strings(strings, lengths);
    for (int i = 0; i < ag_n_kernel_strings; i++)
        assert_non_null(memmem(bytes, size, strings[i], lengths[i]));
    free(bytes);
}

/* The file of one key under the name of another: as if their hashes were the same. */
static void equal_hashes_do_not_mix_keys(void **state)
{
    (void)state;
    static const ag_kernel_key other = {{"fake", "device", "drivel"}}, longer = {{"fake", "device", "driver", "x"}};
    store(&other, "the other's");
    assert_int_equal(rename(path_of(&other), path_of(&some_key)), 0);
    expect_miss(&some_key, "for another key");
    assert_int_equal(rename(path_of(&some_key), path_of(&longer)), 0);
    expect_miss(&longer, "for another key");
    assert_int_equal(rename(path_of(&longer), path_of(&other)), 0);
    expect_hit(&other, "the other's");

    /* As bytes, the one key is the beginning of the other. */
    static const ag_kernel_key shorter = {{"fake"}}, with_source = {{"fake", "kernels"}};
    source = "";
    store(&with_source, "the longer's");
    const char *longer_path = path_of(&with_source);
    source = "kernels";
    assert_int_equal(rename(longer_path, path_of(&shorter)), 0);
    expect_miss(&shorter, "for another key");
}

/* ------------------------------------------------------------------- damage */

static void every_damage_is_noticed(void **state)
{
    (void)state;
    size_t size = 0;
    store(&some_key, some_image);
    char *good = get_file(path_of(&some_key), &size), *bad = malloc(size + 1);
    assert_non_null(bad);
    assert_in_range(size, 100, 400); /* small enough for what follows */
    for (size_t i = 0; i < size; i++) {
        memcpy(bad, good, size);
        bad[i] = (char)(bad[i] ^ (1 << i % 8));
        put_bytes(path_of(&some_key), bad, size);
        expect_miss(&some_key, "damaged");
        put_bytes(path_of(&some_key), good, i); /* the first i bytes alone */
        expect_miss(&some_key, "damaged");
    }
    memcpy(bad, good, size);
    bad[size] = '\0';
    put_bytes(path_of(&some_key), bad, size + 1);
    expect_miss(&some_key, "damaged");
    put_bytes(path_of(&some_key), good, size);
    expect_hit(&some_key, some_image);
    free(bad);
    free(good);
}

/* A file whose checksum is right and whose header or key is not: of another version or machine, or forged. */
static void checksum_alone_is_not_trusted(void **state)
{
    (void)state;
    size_t size = 0;
    store(&some_key, some_image);
    char *good = get_file(path_of(&some_key), &size), *bad = malloc(size);
    assert_non_null(bad);
    const size_t end = size - sizeof(uint64_t), size_key = end - sizeof(file_header) - sizeof some_image;
    for (size_t i = 0; i < sizeof(file_header) + size_key; i++) {
        if (i >= sizeof MAGIC && i < offsetof(file_header, order))
            continue; /* nothing is there */
        for (int bit = 0; bit < 8; bit++) {
            memcpy(bad, good, size);
            bad[i] = (char)(bad[i] ^ (1 << bit));
            const uint64_t hash = hash_bytes(HASH_START, bad, end);
            memcpy(bad + end, &hash, sizeof hash);
            put_bytes(path_of(&some_key), bad, size);
            expect_miss(&some_key, i < sizeof(file_header) ? "damaged, or of another format" : "for another key");
        }
    }
    free(bad);
    free(good);
}

/* ------------------------------------------------------- what is in the place of a file */

static void what_is_no_file_is_passed_over(void **state)
{
    (void)state;
    store(&some_key, some_image);
    const char *path = path_of(&some_key); /* no other is asked for here */
    put_bytes(path, "", 0);
    expect_miss(&some_key, "damaged");

    /* A link is neither read nor written through, not even to a file that would do. */
    store(&some_key, some_image);
    assert_int_equal(rename(path, in_scratch("elsewhere")), 0);
    assert_int_equal(symlink(in_scratch("elsewhere"), path), 0);
    expect_miss(&some_key, strerror(ELOOP));
    put_file(in_scratch("elsewhere"), "precious");
    store(&some_key, some_image);
    assert_file(in_scratch("elsewhere"), "precious");
    expect_hit(&some_key, some_image);

    /* A pipe that nobody reads or writes keeps neither waiting. */
    assert_int_equal(remove(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    expect_miss(&some_key, "not a file of this user");
    store(&some_key, some_image);
    expect_hit(&some_key, some_image);

    assert_int_equal(remove(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    expect_miss(&some_key, "not a file of this user");
    store(&some_key, some_image);
    expect_log(strerror(EISDIR));
    ag_kernel_cache_drop(&some_key);
    expect_miss(&some_key, "not a file of this user");
    assert_int_equal(entries_of(in_scratch("cache")), 1);
}

static void too_large_is_neither_read_nor_written(void **state)
{
    (void)state;
    char *large = calloc(SIZE_MAX_BYTES, 1);
    assert_non_null(large);
    ag_kernel_cache_store(&some_key, large, SIZE_MAX_BYTES);
    free(large);
    expect_log("67108864 bytes are too many");
    expect_miss(&some_key, strerror(ENOENT));
    store(&some_key, some_image);
    assert_int_equal(truncate(path_of(&some_key), (off_t)SIZE_MAX_BYTES + 1), 0); /* mostly a hole */
    expect_miss(&some_key, "too large");
}

static void file_of_another_user_is_passed_over(void **state)
{
    (void)state;
    if (geteuid() != 0) {
        print_message("skipped: only root can give a file away\n");
        skip();
    }
    store(&some_key, some_image);
    assert_int_equal(chown(path_of(&some_key), 65534, 65534), 0);
    expect_miss(&some_key, "not a file of this user");
    store(&some_key, some_image);
    expect_hit(&some_key, some_image);
    assert_int_equal(chown(in_scratch("cache"), 65534, 65534), 0);
    store(&some_key, "new");
    expect_log("not a folder in which this user alone may write");
    expect_hit(&some_key, some_image);
}

/* ------------------------------------------------------------------- the folder */

static void environment_chooses_the_folder(void **state)
{
    (void)state;
    const char *home_before = getenv("HOME");
    char *home = home_before ? strdup(home_before) : NULL;
    unsetenv("AG_CACHE");
    setenv("XDG_CACHE_HOME", in_scratch("xdg/deep"), 1);
    setenv("HOME", in_scratch("home"), 1);
    store(&some_key, some_image);
    expect_hit(&some_key, some_image);
    assert_int_equal(entries_of(in_scratch("xdg/deep/astragal")), 1);
    assert_int_equal(mode_of(in_scratch("xdg")), 0700);
    assert_int_equal(mode_of(in_scratch("xdg/deep/astragal")), 0700);
    assert_int_equal(scratch_entries(), 1);

    static const char *const unused[] = {"", "relative", NULL};
    for (size_t i = 0; i < AG_COUNT(unused); i++) {
        if (unused[i])
            setenv("XDG_CACHE_HOME", unused[i], 1);
        else
            unsetenv("XDG_CACHE_HOME");
        expect_miss(&some_key, strerror(ENOENT));
        store(&some_key, some_image);
        expect_hit(&some_key, some_image);
        assert_int_equal(entries_of(in_scratch("home/.cache/astragal")), 1);
        ag_kernel_cache_drop(&some_key);
    }
    assert_int_equal(scratch_entries(), 2);

    /* Nowhere to go. */
    char *before = getcwd(NULL, 0);
    assert_int_equal(chdir(scratch), 0);
    static const char *const homeless[] = {NULL, "", "relative"};
    for (size_t i = 0; i < AG_COUNT(homeless); i++) {
        if (homeless[i])
            setenv("HOME", homeless[i], 1);
        else
            unsetenv("HOME");
        store(&some_key, some_image);
        expect_miss(&some_key, "");
    }
    assert_int_equal(scratch_entries(), 2);

    /* $AG_CACHE comes first, and may be a folder below the current one. */
    setenv("XDG_CACHE_HOME", in_scratch("xdg/deep"), 1);
    setenv("AG_CACHE", "own", 1);
    expect_miss(&some_key, strerror(ENOENT));
    store(&some_key, "own");
    expect_hit(&some_key, "own");
    assert_int_equal(entries_of(in_scratch("own")), 1);
    static const char *const off[] = {"", "off"};
    for (size_t i = 0; i < AG_COUNT(off); i++) {
        setenv("AG_CACHE", off[i], 1);
        expect_miss(&some_key, "");
        store(&some_key, some_image);
        ag_kernel_cache_drop(&some_key);
    }
    assert_int_equal(scratch_entries(), 3);
    unsetenv("AG_CACHE");
    expect_hit(&some_key, some_image);

    assert_int_equal(chdir(before), 0);
    free(before);
    unsetenv("XDG_CACHE_HOME");
    if (home)
        setenv("HOME", home, 1);
    free(home);
}

static void folder_that_will_not_do_is_no_error(void **state)
{
    (void)state;
    put_file(in_scratch("file"), "a file");
    setenv("AG_CACHE", in_scratch("file/below"), 1);
    store(&some_key, some_image);
    expect_log(strerror(ENOTDIR));
    expect_miss(&some_key, strerror(ENOTDIR));
    setenv("AG_CACHE", in_scratch("file"), 1);
    store(&some_key, some_image);
    expect_log("not a folder in which this user alone may write");
    assert_file(in_scratch("file"), "a file");

    static const mode_t open_modes[] = {0770, 0777, 01777};
    setenv("AG_CACHE", in_scratch("open"), 1);
    assert_int_equal(mkdir(in_scratch("open"), 0700), 0);
    for (size_t i = 0; i < AG_COUNT(open_modes); i++) {
        assert_int_equal(chmod(in_scratch("open"), open_modes[i]), 0);
        store(&some_key, some_image);
        expect_log("not a folder in which this user alone may write");
        assert_int_equal(entries_of(in_scratch("open")), 0);
    }
    assert_int_equal(chmod(in_scratch("open"), 0755), 0); /* others may look */
    store(&some_key, some_image);
    expect_hit(&some_key, some_image);

    /* Too long for any file system, and for us. */
    char *path = malloc(2 * PATH_MAX);
    assert_non_null(path);
    memset(path, 'x', 2 * PATH_MAX);
    path[0] = '/';
    static const size_t lengths[] = {1000, PATH_MAX - 10, PATH_MAX - 1, PATH_MAX, 2 * PATH_MAX - 1};
    for (size_t i = AG_COUNT(lengths); i-- > 0;) {
        path[lengths[i]] = '\0';
        setenv("AG_CACHE", path, 1);
        store(&some_key, some_image);
        expect_miss(&some_key, "");
    }
    free(path);
}

static void folder_without_permission_is_no_error(void **state)
{
    (void)state;
    if (geteuid() == 0) {
        print_message("skipped: root needs no permission\n");
        skip();
    }
    const char *folder = in_scratch("cache");
    store(&some_key, some_image);
    assert_int_equal(chmod(path_of(&some_key), 0200), 0);
    expect_miss(&some_key, strerror(EACCES));
    assert_int_equal(chmod(path_of(&some_key), 0600), 0);
    assert_int_equal(chmod(folder, 0000), 0);
    expect_miss(&some_key, strerror(EACCES));
    store(&some_key, "new");
    expect_log(strerror(EACCES));
    assert_int_equal(chmod(folder, 0500), 0);
    expect_hit(&some_key, some_image);
    store(&some_key, "new");
    expect_log(strerror(EACCES));
    ag_kernel_cache_drop(&some_key);
    expect_hit(&some_key, some_image);
    setenv("AG_CACHE", in_scratch("cache/below"), 1);
    store(&some_key, some_image);
    expect_log(strerror(ENOENT));
    assert_int_equal(chmod(folder, 0700), 0);
}

/* ------------------------------------------------------------------- few and whole */

/* The i-th of many keys, and its file's time, in nanoseconds of one second long ago. */
static ag_kernel_key numbered(int i)
{
    static char names[64][8];
    snprintf(names[i], sizeof names[i], "%d", i);
    return (ag_kernel_key){{i % 2 ? "fake" : "fake-2", names[i]}};
}

static void set_time(const char *path, time_t seconds, long nanoseconds)
{
    const struct timespec at = {seconds, nanoseconds}, times[] = {at, at};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void only_the_newest_stay(void **state)
{
    (void)state;
    static const char *const foreign[] = {
        "notes.txt",
        "my.kernels",
        "-0123456789abcdef.kernels",
        ".fake-0123456789abcdef.kernels",
        "fake-0123456789abcde.kernels",
        "fake-0123456789abcdef0.kernels",
        "fake-0123456789abcdeX.kernels",
        "fake-0123456789abcdef.kernels.old",
    };
    enum { first = 32, then = 8 };
    char path[PATH_MAX];
    store(&some_key, some_image); /* makes the folder */
    ag_kernel_cache_drop(&some_key);
    for (size_t i = 0; i < AG_COUNT(foreign); i++) {
        snprintf(path, sizeof path, "%s/%s", in_scratch("cache"), foreign[i]);
        put_file(path, "mine");
        set_time(path, 1, 0);
    }
    snprintf(path, sizeof path, "%s/fake-fedcba9876543210.kernels", in_scratch("cache"));
    assert_int_equal(mkdir(path, 0700), 0);
    set_time(path, 1, 0);

    for (int i = 0; i < first; i++) {
        const ag_kernel_key key = numbered(i);
        store(&key, some_image);
        set_time(path_of(&key), 1000 + i % 2, i * 7 % first); /* odd ones are newer, 7, 14, 21, 28, 3 ... in each */
    }
    for (int i = 0; i < first; i++) {
        const ag_kernel_key key = numbered(i);
        expect_hit(&key, some_image);
    }
    for (int i = first; i < first + then; i++) {
        const ag_kernel_key key = numbered(i);
        store(&key, some_image);
        set_time(path_of(&key), 2000, i);
    }
    for (int i = 0; i < first + then; i++) {
        const ag_kernel_key key = numbered(i);
        /* Of the even ones, whose times are 0, 2, .. 30, the lower half is gone. */
        if (i < first && i % 2 == 0 && i * 7 % first < 2 * then)
            expect_miss(&key, strerror(ENOENT));
        else
            expect_hit(&key, some_image);
    }
    assert_int_equal(entries_of(in_scratch("cache")), 32 + (int)AG_COUNT(foreign) + 1);

    /* A folder that is overfull, by an earlier version perhaps, is brought down at once. */
    for (int i = 0; i < 20; i++) {
        snprintf(path, sizeof path, "%s/fake-%016x.kernels", in_scratch("cache"), i);
        put_file(path, "old");
        set_time(path, 1, i);
    }
    const ag_kernel_key last = numbered(first + then);
    store(&last, some_image);
    assert_int_equal(entries_of(in_scratch("cache")), 32 + (int)AG_COUNT(foreign) + 1);
    expect_hit(&last, some_image);
}

/* As on a full disk: in a child, a file may not grow past a limit. */
static void failed_store_keeps_the_old_file(void **state)
{
    (void)state;
    static char large[100000];
    store(&some_key, some_image);
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGXFSZ, SIG_IGN);
        if (setrlimit(RLIMIT_FSIZE, &(struct rlimit){4096, 4096}) != 0)
            _exit(1);
        log_text[0] = '\0';
        ag_kernel_cache_store(&some_key, large, sizeof large);
        _exit(strstr(log_text, strerror(EFBIG)) ? 0 : 2);
    }
    int ended = -1;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_int_equal(ended, 0);
    expect_hit(&some_key, some_image);
    assert_int_equal(entries_of(in_scratch("cache")), 1);
}

/* Writers of one key at once, and a reader who must always get the whole image of one of them. */
static void writers_at_once_leave_a_whole_file(void **state)
{
    (void)state;
    enum { writers = 3, rounds = 10, size_image = 20000 };
    static char image[size_image];
    pid_t children[writers];
    memset(image, '0', size_image);
    ag_kernel_cache_store(&some_key, image, size_image);
    fflush(NULL);
    for (int w = 0; w < writers; w++) {
        children[w] = fork();
        assert_true(children[w] >= 0);
        if (children[w] == 0) {
            memset(image, '1' + w, size_image);
            for (int i = 0; i < rounds; i++)
                ag_kernel_cache_store(&some_key, image, size_image);
            _exit(0);
        }
    }
    for (int running = writers; running > 0;) {
        void *got = NULL;
        size_t size = 0;
        log_text[0] = '\0';
        if (!ag_kernel_cache_load(&some_key, &got, &size))
            fail_msg("%s", log_text);
        memset(image, *(char *)got, size_image);
        assert_int_equal(size, size_image);
        assert_memory_equal(got, image, size_image);
        free(got);
        int ended = 0;
        if (waitpid(-1, &ended, WNOHANG) > 0) {
            assert_int_equal(ended, 0);
            running--;
        }
    }
    assert_int_equal(entries_of(in_scratch("cache")), 1);
}

/* ------------------------------------------------------------------- with a real driver */

/* Opens OpenCL's first device in a process of its own, as each program run does, self-test and all. Returns 0 when
 * kernels were compiled and taken from the cache as often as given. */
static int open_in_child(int want_compiled, int want_used)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        ag_ctx *ctx = NULL;
        n_compiled = n_used = 0;
        setenv("OCL_ICD_VENDORS", OCLGRIND_ICD, 1);
        if (ag_ctx_create(&ctx) != AG_OK)
            _exit(1);
        const ag_status status = ag_ctx_use(ctx, "opencl", 0, 0);
        if (status == AG_OK && n_compiled == want_compiled && n_used == want_used)
            _exit(0);
        print_error("%s: %s; %d compiled, %d from the cache; log:\n%s", ag_status_name(status), ag_ctx_message(ctx),
                    n_compiled, n_used, log_text);
        fflush(NULL);
        _exit(2);
    }
    int ended = -1;
    assert_int_equal(waitpid(child, &ended, 0), child);
    return ended;
}

static void oclgrind_opens_from_the_cache(void **state)
{
    (void)state;
    if (access(OCLGRIND_ICD, R_OK) != 0) {
        print_message("skipped: no %s\n", OCLGRIND_ICD);
        skip();
    }
    source = NULL;
    assert_int_equal(open_in_child(1, 0), 0);
    assert_int_equal(entries_of(in_scratch("cache")), 1);
    assert_int_equal(open_in_child(0, 1), 0);
    setenv("AG_CACHE", "off", 1);
    assert_int_equal(open_in_child(1, 0), 0);
    setenv("AG_CACHE", in_scratch("cache"), 1);
    source = "other kernels"; /* as after an update */
    assert_int_equal(open_in_child(1, 0), 0);
    assert_int_equal(entries_of(in_scratch("cache")), 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_stored_comes_back),
        TEST(other_parts_are_another_key),
        TEST(sources_are_in_the_key),
        TEST(equal_hashes_do_not_mix_keys),
        TEST(every_damage_is_noticed),
        TEST(checksum_alone_is_not_trusted),
        TEST(what_is_no_file_is_passed_over),
        TEST(too_large_is_neither_read_nor_written),
        TEST(file_of_another_user_is_passed_over),
        TEST(environment_chooses_the_folder),
        TEST(folder_that_will_not_do_is_no_error),
        TEST(folder_without_permission_is_no_error),
        TEST(only_the_newest_stay),
        TEST(failed_store_keeps_the_old_file),
        TEST(writers_at_once_leave_a_whole_file),
        TEST(oclgrind_opens_from_the_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
