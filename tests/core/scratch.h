/*
 * scratch.h -- a folder of its own for each test of files, and the reading of what was written there.
 */
#ifndef AG_TEST_SCRATCH_H
#define AG_TEST_SCRATCH_H

#include <dirent.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch[64];

static int scratch_setup(void **state)
{
    (void)state;
    strcpy(scratch, "/tmp/astragal-test-XXXXXX");
    return mkdtemp(scratch) ? 0 : -1;
}

static int scratch_remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st, (void)kind, (void)at;
    return remove(path);
}

static int scratch_teardown(void **state)
{
    (void)state;
    return nftw(scratch, scratch_remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* The path of a name in the folder; the last eight stay valid. */
static inline const char *in_scratch(const char *name)
{
    static char paths[8][PATH_MAX];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, PATH_MAX, "%s/%s", scratch, name);
    return path;
}

/* Names in the folder, temporary ones included. */
static inline int scratch_entries(void)
{
    int n = 0;
    DIR *folder = opendir(scratch);
    while (folder && readdir(folder))
        n++;
    if (folder)
        closedir(folder);
    return n - 2;
}

static inline void put_file(const char *path, const char *content)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(content, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* The whole file with a zero after it, to be freed; *size may be NULL. */
static inline char *get_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s is not there", path);
    char *content = NULL;
    size_t used = 0, room = 0;
    do {
        room += 1 << 16;
        content = realloc(content, room + 1);
        assert_non_null(content);
        used += fread(content + used, 1, room - used, file);
    } while (used == room);
    fclose(file);
    content[used] = '\0';
    if (size)
        *size = used;
    return content;
}

static inline void assert_file(const char *path, const char *content)
{
    char *found = get_file(path, NULL);
    assert_string_equal(found, content);
    free(found);
}

#endif
