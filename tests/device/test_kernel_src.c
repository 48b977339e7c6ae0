/*
 * test_kernel_src.c -- the program holds every file of kernels/, byte for byte, each after its line marker.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "device/kernel_src.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The embedded text of a file; NULL if there is none. */
static const char *embedded(const char *name, size_t *length)
{
    const char *strings[ag_n_kernel_strings];
    size_t lengths[ag_n_kernel_strings];
    char marker[300];
    snprintf(marker, sizeof marker, "#line 1 \"%s\"\n", name);
    ag_kernel_strings(strings, lengths);
    for (int i = 0; i < ag_n_kernel_strings; i += 2)
        if (lengths[i] == strlen(marker) && memcmp(strings[i], marker, lengths[i]) == 0) {
            *length = lengths[i + 1];
            return strings[i + 1];
        }
    return NULL;
}

static void compare_file(const char *name)
{
    char path[300];
    snprintf(path, sizeof path, "kernels/%s", name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = 0;
    const char *text = embedded(name, &length);
    if (!text)
        fail_msg("%s is not in AG_KERNEL_FILES of host/device/kernel_src.h", path);
    char *want = malloc(length + 1);
    assert_non_null(want);
    const size_t n = fread(want, 1, length + 1, file);
    fclose(file);
    if (n != length || memcmp(text, want, length) != 0)
        fail_msg("%s differs from the text in the program", path);
    free(want);
}

static void every_kernel_file_is_embedded(void **state)
{
    (void)state;
    DIR *folder = opendir("kernels");
    if (!folder) {
        print_message("skipped: no folder kernels/ here\n");
        skip();
    }
    int n_files = 0;
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        const char *ending = strrchr(entry->d_name, '.');
        if (entry->d_name[0] == '.' || !ending || (strcmp(ending, ".cl") != 0 && strcmp(ending, ".h") != 0))
            continue;
        compare_file(entry->d_name);
        n_files++;
    }
    closedir(folder);
    assert_int_equal(2 * n_files, ag_n_kernel_strings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_file_is_embedded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
