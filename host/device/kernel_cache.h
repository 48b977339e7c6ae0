/*
 * kernel_cache.h -- compiled kernels kept between runs in the user's cache folder.
 *
 * The folder is $AG_CACHE ("off" or empty: none), else astragal/ in $XDG_CACHE_HOME or ~/.cache; it is
 * made by the first store, and nothing is stored where others may write too. A file holds one compiled
 * program, its whole key and a checksum; what is not exactly that, and this user's, is as good as absent.
 * Nothing here fails: at worst kernels are compiled again, and the log says why.
 */
#ifndef AG_DEVICE_KERNEL_CACHE_H
#define AG_DEVICE_KERNEL_CACHE_H

#include "core/core.h"

/* What a compiled program depends on, beside the kernels' sources, which are always part of the key: the backend, then
 * device or architecture, driver, compiler, options. */
#define AG_KERNEL_KEY_PARTS 6
typedef struct {
    const char *parts[AG_KERNEL_KEY_PARTS]; /* unused ones are NULL, at the end */
} ag_kernel_key;

/* True: *image, to be freed, is what ag_kernel_cache_store() was given for that key. A zero byte, not counted in
 * *size_bytes, follows it. */
bool ag_kernel_cache_load(const ag_kernel_key *key, void **image, size_t *size_bytes);
/* Keeps it, whole or not at all, in place of what was there; the oldest of more than 32 files go. */
void ag_kernel_cache_store(const ag_kernel_key *key, const void *image, size_t size_bytes);
/* Forgets what the driver would not take. */
void ag_kernel_cache_drop(const ag_kernel_key *key);

#endif
