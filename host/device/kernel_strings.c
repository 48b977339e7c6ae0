/*
 * kernel_strings.c -- the embedded kernel sources as the list of strings that run-time compilers take.
 */
#include "device/kernel_src.h"

#include <string.h>

void ag_kernel_strings(const char **strings, size_t *lengths)
{
    size_t n = 0;
#define X(symbol, file)                                                                                                \
    strings[n] = "#line 1 \"" file "\"\n";                                                                             \
    lengths[n] = strlen(strings[n]);                                                                                   \
    strings[n + 1] = ag_kernel_##symbol;                                                                               \
    lengths[n + 1] = (size_t)(ag_kernel_##symbol##_end - ag_kernel_##symbol);                                          \
    n += 2;
    AG_KERNEL_FILES(X)
#undef X
}
