/*
 * kernel_cache.c -- one file for each compiled program: a header, the key, the image, a checksum.
 *
 * The name of a file is a hash of its key, but the key itself decides: it is compared byte for byte,
 * so that two keys with one hash take turns and never each other's kernels.
 */
#include "device/kernel_cache.h"
#include "core/file.h"
#include "device/kernel_src.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES_MAX      32
#define SIZE_MAX_BYTES ((size_t)64 << 20)     /* of a file */
#define MAGIC          "astragal kernels 1\n" /* the number is that of the format */
#define SUFFIX         ".kernels"

/* A file is this, size_key bytes, size_image bytes, and the hash of all that. A machine of another byte order reads
 * another `order`. */
typedef struct {
    char magic[24];
    uint64_t order, size_key, size_image;
} file_header;
#define ORDER UINT64_C(0x0102030405060708)

typedef struct {
    char *bytes;
    size_t size;
} flat_key;

/* Where the file of a key is. */
typedef struct {
    char folder[PATH_MAX], path[PATH_MAX];
} place;

/* FNV-1a, 64 bits. */
#define HASH_START  UINT64_C(0xcbf29ce484222325)
#define HASH_DIGITS 16
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t n)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* ------------------------------------------------------------------ key and name */

/* The parts and the sources, each after its length: no two keys give the same text. bytes is NULL without memory. */
static flat_key flatten(const ag_kernel_key *key)
{
    const char *pieces[AG_KERNEL_KEY_PARTS + ag_n_kernel_strings];
    size_t lengths[AG_KERNEL_KEY_PARTS + ag_n_kernel_strings], n = 0;
    for (; n < AG_KERNEL_KEY_PARTS && key->parts[n]; n++) {
        pieces[n] = key->parts[n];
        lengths[n] = strlen(pieces[n]);
    }
    ag_kernel_strings(pieces + n, lengths + n);
    n += ag_n_kernel_strings;
    flat_key out = {NULL, 0};
    FILE *to = open_memstream(&out.bytes, &out.size);
    if (!to)
        return out;
    for (size_t i = 0; i < n; i++) {
        fprintf(to, "%zu:", lengths[i]);
        fwrite(pieces[i], 1, lengths[i], to);
    }
    if (fclose(to) != 0) {
        free(out.bytes);
        out.bytes = NULL;
    }
    return out;
}

/* The cache folder; false if there is none. */
static bool find_folder(char *path, size_t size)
{
    const char *own = getenv("AG_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = -1;
    if (own)
        length = *own && strcmp(own, "off") != 0 ? snprintf(path, size, "%s", own) : -1;
    else if (xdg && *xdg == '/') /* a relative one is to be ignored */
        length = snprintf(path, size, "%s/astragal", xdg);
    else if (home && *home == '/')
        length = snprintf(path, size, "%s/.cache/astragal", home);
    return length > 0 && (size_t)length < size;
}

/* FOLDER/BACKEND-HASH.kernels; false without a folder. */
static bool find_place(const ag_kernel_key *key, const flat_key *k, place *out)
{
    if (!find_folder(out->folder, sizeof out->folder))
        return false;
    const int length = snprintf(out->path, sizeof out->path, "%s/%s-%016llx" SUFFIX, out->folder, key->parts[0],
                                (unsigned long long)hash_bytes(HASH_START, k->bytes, k->size));
    return length > 0 && (size_t)length < sizeof out->path;
}

/* Whether a name is like those above: a backend, a hash of 16 digits, our ending. */
static bool is_ours(const char *name)
{
    const char *dash = strrchr(name, '-');
    return dash && dash > name && name[0] != '.' && strspn(dash + 1, "0123456789abcdef") == HASH_DIGITS &&
           strcmp(dash + 1 + HASH_DIGITS, SUFFIX) == 0;
}

/* -------------------------------------------------------------------------- load */

/* The bytes of a regular file of this user; NULL and a reason if it is not that. */
static char *read_whole(const char *path, size_t *size, const char **why)
{
    /* O_NONBLOCK: a pipe of that name must not keep us. */
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat st;
    char *bytes = NULL;
    *why = strerror(errno);
    if (fd < 0)
        return NULL;
    *why = "not a file of this user, or too large";
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() && st.st_size >= 0 &&
        (uint64_t)st.st_size <= SIZE_MAX_BYTES)
        bytes = malloc((size_t)st.st_size + 1);
    size_t n = 0;
    while (bytes && n < (size_t)st.st_size) {
        const ssize_t got = read(fd, bytes + n, (size_t)st.st_size - n);
        if (got <= 0 && !(got < 0 && errno == EINTR))
            break;
        n += got > 0 ? (size_t)got : 0;
    }
    close(fd);
    *size = n;
    return bytes;
}

/* Where in the file the image begins; 0 and a reason if it is not a whole file of that key. */
static size_t check_file(const char *bytes, size_t size, const flat_key *k, size_t *size_image, const char **why)
{
    file_header header;
    uint64_t hash;
    *why = "damaged, or of another format";
    if (size < sizeof header + sizeof hash)
        return 0;
    memcpy(&header, bytes, sizeof header);
    memcpy(&hash, bytes + size - sizeof hash, sizeof hash);
    const size_t room = size - sizeof header - sizeof hash;
    if (memcmp(header.magic, MAGIC, sizeof MAGIC) != 0 || header.order != ORDER || header.size_key > room ||
        header.size_image != room - header.size_key || hash != hash_bytes(HASH_START, bytes, size - sizeof hash))
        return 0;
    *why = "for another key";
    if (header.size_key != k->size || memcmp(bytes + sizeof header, k->bytes, k->size) != 0)
        return 0;
    *size_image = (size_t)header.size_image;
    return sizeof header + k->size;
}

bool ag_kernel_cache_load(const ag_kernel_key *key, void **image, size_t *size_bytes)
{
    place where;
    const char *why;
    size_t size = 0, at = 0;
    flat_key k = flatten(key);
    if (!k.bytes || !find_place(key, &k, &where)) {
        free(k.bytes);
        return false;
    }
    char *bytes = read_whole(where.path, &size, &why);
    if (bytes)
        at = check_file(bytes, size, &k, size_bytes, &why);
    free(k.bytes);
    if (at == 0) {
        ag_log(AG_LOG_INFO, "build", "kernel cache: %s: %s", where.path, why);
        free(bytes);
        return false;
    }
    memmove(bytes, bytes + at, *size_bytes);
    bytes[*size_bytes] = '\0';
    *image = bytes;
    ag_log(AG_LOG_INFO, "build", "kernel cache: %s: used", where.path);
    return true;
}

/* ------------------------------------------------------------------------- store */

/* Makes the folder of path and those above it, for this user alone. */
static void make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0700); /* what is missing shows when the folder is looked at */
        *slash = '/';
    }
}

/* Makes sure that a file can be written there and nowhere else: in a folder where others may write, one of them could
 * lay a link for us to follow. */
static ag_status prepare_place(ag_ctx *ctx, place *where)
{
    struct stat st;
    make_folders(where->path);
    if (stat(where->folder, &st) != 0)
        return ag_fail(ctx, AG_E_IO, "cannot use %s: %s", where->folder, strerror(errno));
    if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return ag_fail(ctx, AG_E_IO, "cannot use %s: not a folder in which this user alone may write", where->folder);
    if (lstat(where->path, &st) == 0 && !S_ISREG(st.st_mode))
        (void)unlink(where->path); /* a folder stays, and is refused as a file */
    return AG_OK;
}

/* Removes the oldest file when there are more than FILES_MAX; false when there was nothing to remove. */
static bool remove_oldest(int folder)
{
    char oldest[NAME_MAX + 1] = "";
    struct timespec time = {0};
    size_t n = 0;
    const int again = dup(folder); /* closedir() closes it */
    DIR *list = again < 0 ? NULL : fdopendir(again);
    if (!list) {
        if (again >= 0)
            close(again);
        return false;
    }
    rewinddir(list);
    for (const struct dirent *entry = readdir(list); entry; entry = readdir(list)) {
        struct stat st;
        if (!is_ours(entry->d_name) || fstatat(folder, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(st.st_mode))
            continue;
        if (n++ == 0 || st.st_mtim.tv_sec < time.tv_sec ||
            (st.st_mtim.tv_sec == time.tv_sec && st.st_mtim.tv_nsec < time.tv_nsec)) {
            time = st.st_mtim;
            snprintf(oldest, sizeof oldest, "%s", entry->d_name);
        }
    }
    closedir(list);
    return n > FILES_MAX && unlinkat(folder, oldest, 0) == 0;
}

static void keep_few(const char *folder)
{
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    while (remove_oldest(fd))
        continue;
    close(fd);
}

static ag_status write_file(ag_ctx *ctx, const char *path, const flat_key *k, const void *image, size_t size_bytes)
{
    file_header header = {.magic = MAGIC, .order = ORDER, .size_key = k->size, .size_image = size_bytes};
    ag_file *file;
    if (size_bytes > SIZE_MAX_BYTES - sizeof header - k->size - sizeof(uint64_t))
        return ag_fail(ctx, AG_E_IO, "cannot write %s: %zu bytes are too many", path, size_bytes);
    AG_TRY(ag_file_create(ctx, path, &file));
    (void)fchmod(fileno(ag_file_stream(file)), 0600);
    uint64_t hash = hash_bytes(HASH_START, &header, sizeof header);
    hash = hash_bytes(hash_bytes(hash, k->bytes, k->size), image, size_bytes);
    FILE *to = ag_file_stream(file);
    fwrite(&header, sizeof header, 1, to);
    fwrite(k->bytes, 1, k->size, to);
    fwrite(image, 1, size_bytes, to);
    fwrite(&hash, sizeof hash, 1, to); /* a write that failed is met again by the commit */
    return ag_file_commit(ctx, file);
}

void ag_kernel_cache_store(const ag_kernel_key *key, const void *image, size_t size_bytes)
{
    place where;
    ag_ctx *messages = NULL; /* what goes wrong here is no message of the caller's context */
    flat_key k = flatten(key);
    if (k.bytes && find_place(key, &k, &where) && ag_ctx_create(&messages) == AG_OK) {
        ag_status status = prepare_place(messages, &where);
        if (status == AG_OK)
            status = write_file(messages, where.path, &k, image, size_bytes);
        if (status == AG_OK)
            keep_few(where.folder);
        else
            ag_log(AG_LOG_INFO, "build", "kernel cache: %s", ag_ctx_message(messages));
    }
    ag_ctx_free(messages);
    free(k.bytes);
}

void ag_kernel_cache_drop(const ag_kernel_key *key)
{
    place where;
    flat_key k = flatten(key);
    if (k.bytes && find_place(key, &k, &where) && unlink(where.path) == 0)
        ag_log(AG_LOG_INFO, "build", "kernel cache: %s: removed", where.path);
    free(k.bytes);
}
