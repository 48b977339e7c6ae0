/*
 * file.c -- output files that appear whole or not at all: written under another name in the target's
 * folder, synced and renamed over the target; and the list of such names that a signal handler removes.
 */
#include "core/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_BYTES ((size_t)1 << 20)
#define LINKS_MAX    40
#define FILES_MAX    16

/* One temporary file: what a signal handler must know to remove it, without memory of the heap. */
enum { SLOT_FREE, SLOT_CLAIMED, SLOT_LIVE };
typedef struct {
    atomic_int state; /* one of the three */
    int folder;       /* descriptor of the folder, so that neither chdir() nor long paths matter */
    char name[64];
} temporary_slot;

static temporary_slot slots[FILES_MAX];

struct ag_file {
    char *path;           /* as the caller gave it, for messages */
    char *target;         /* path with links followed */
    const char *leaf;     /* its last part */
    temporary_slot *slot; /* NULL: written directly */
    FILE *stream;
    char *buffer;
};

static ag_status refuse(ag_ctx *ctx, const char *path, int error)
{
    return ag_fail(ctx, error == ENOMEM ? AG_E_MEMORY : AG_E_IO, "cannot write %s: %s", path, strerror(error));
}

/* ------------------------------------------------------------ names and links */

static size_t leaf_at(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* The folder that holds path, "." for a bare name; to be freed. NULL: no memory. */
static char *folder_of(const char *path)
{
    const size_t leaf = leaf_at(path);
    return leaf == 0 ? strdup(".") : strndup(path, leaf);
}

/* N if path is /dev/fd/N or /proc/self/fd/N under whatever name, which stand for a descriptor of this process; else -1.
 */
static int own_descriptor(const char *path)
{
    int descriptor = -1;
    int64_t number = 0;
    char *folder = folder_of(path);
    char *real = folder ? realpath(folder, NULL) : NULL;
    char *own = realpath("/proc/self/fd", NULL);
    if (real && own && strcmp(real, own) == 0 && ag_parse_int(path + leaf_at(path), 0, INT_MAX, &number))
        descriptor = (int)number;
    free(own);
    free(real);
    free(folder);
    return descriptor;
}

/* Replaces *path, a link, by what it points to. Returns 0 or an errno. */
static int follow_link(char **path)
{
    char to[PATH_MAX];
    const ssize_t length = readlink(*path, to, sizeof to - 1);
    if (length < 0)
        return errno;
    to[length] = '\0';
    char *next = NULL;
    if (asprintf(&next, "%.*s%s", to[0] == '/' ? 0 : (int)leaf_at(*path), *path, to) < 0)
        return ENOMEM;
    free(*path);
    *path = next;
    return 0;
}

/* Follows links from *path to their end, which need not exist; realpath() would need it to. Stops at a name
 * of an open descriptor of ours and gives its number, else -1. Returns 0 or an errno. */
static int follow_links(char **path, int *descriptor)
{
    *descriptor = -1;
    for (int i = 0; i < LINKS_MAX; i++) {
        struct stat st;
        if (lstat(*path, &st) != 0)
            return errno == ENOENT ? 0 : errno;
        if (!S_ISLNK(st.st_mode))
            return 0;
        *descriptor = own_descriptor(*path);
        if (*descriptor >= 0)
            return 0;
        const int error = follow_link(path);
        if (error != 0)
            return error;
    }
    return ELOOP;
}

/* ------------------------------------------------------------ temporary files */

static temporary_slot *slot_claim(void)
{
    for (size_t i = 0; i < AG_COUNT(slots); i++) {
        int expected = SLOT_FREE;
        if (atomic_compare_exchange_strong(&slots[i].state, &expected, SLOT_CLAIMED))
            return &slots[i];
    }
    return NULL;
}

static void slot_release(temporary_slot *slot)
{
    if (slot->folder >= 0)
        close(slot->folder);
    atomic_store(&slot->state, SLOT_FREE);
}

/* Creates a file of a new name in slot->folder. Returns the descriptor, or -1 and errno. */
static int slot_open(temporary_slot *slot, mode_t mode)
{
    static atomic_uint number;
    for (;;) {
        snprintf(slot->name, sizeof slot->name, ".astragal-%ld-%u.tmp", (long)getpid(), atomic_fetch_add(&number, 1));
        /* Live before it exists: a signal between the two lines finds it either way. */
        atomic_store(&slot->state, SLOT_LIVE);
        const int fd = openat(slot->folder, slot->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0)
            return fd;
        const int error = errno;
        atomic_store(&slot->state, SLOT_CLAIMED);
        if (error != EEXIST) { /* else what a killed process of our number left */
            errno = error;
            return -1;
        }
    }
}

void ag_file_cleanup_on_signal(void)
{
    const int saved = errno;
    for (size_t i = 0; i < AG_COUNT(slots); i++)
        if (atomic_load(&slots[i].state) == SLOT_LIVE)
            unlinkat(slots[i].folder, slots[i].name, 0);
    errno = saved;
}

/* Opens a temporary file beside file->target. old: the file that is there now, or NULL. -1 and errno on failure. */
static int open_temporary(ag_file *file, const struct stat *old)
{
    temporary_slot *slot = slot_claim();
    if (!slot) {
        errno = EMFILE;
        return -1;
    }
    char *folder = folder_of(file->target);
    slot->folder = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (folder && slot->folder < 0 && errno == EACCES) /* files may be made in it, but not listed */
        slot->folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    /* Never wider than the old file's mode, not even for a moment; a new file gets what umask leaves. */
    const int fd = slot->folder < 0 ? -1 : slot_open(slot, old ? old->st_mode & 0777 : 0666);
    const int error = errno;
    free(folder);
    if (fd < 0) {
        slot_release(slot);
        errno = error;
        return -1;
    }
    file->slot = slot;
    if (old)
        (void)fchmod(fd, old->st_mode & 0777); /* what umask took away; some file systems have no modes */
    return fd;
}

/* Opens file->target, or a temporary file in its place. -1 and errno on failure. */
static int open_target(ag_file *file)
{
    int descriptor = -1;
    const int error = follow_links(&file->target, &descriptor);
    if (error != 0) {
        errno = error;
        return -1;
    }
    file->leaf = file->target + leaf_at(file->target);
    if (descriptor >= 0) {
        /* Opening the name anew would start over at offset 0 of what a shell's ">" opened. */
        if (descriptor == STDOUT_FILENO)
            fflush(stdout);
        return fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    }
    struct stat st;
    if (stat(file->target, &st) != 0)
        return errno == ENOENT && file->leaf[0] != '\0' ? open_temporary(file, NULL) : -1;
    if (!S_ISREG(st.st_mode))
        return open(file->target, O_WRONLY | O_NOCTTY | O_CLOEXEC); /* a directory: EISDIR */
    /* rename() would not mind a file that may not be written; its owner does. */
    if (faccessat(AT_FDCWD, file->target, W_OK, AT_EACCESS) != 0)
        return -1;
    return open_temporary(file, &st);
}

/* --------------------------------------------------------------------- public */

ag_status ag_file_create(ag_ctx *ctx, const char *path, ag_file **out)
{
    ag_file *file = calloc(1, sizeof *file);
    if (!file)
        return refuse(ctx, path, ENOMEM);
    int error = 0;
    file->path = strdup(path);
    file->target = strdup(path);
    file->buffer = malloc(BUFFER_BYTES);
    if (!file->path || !file->target || !file->buffer) {
        error = ENOMEM;
    } else {
        const int fd = open_target(file);
        file->stream = fd < 0 ? NULL : fdopen(fd, "w");
        if (!file->stream) {
            error = errno;
            if (fd >= 0)
                close(fd);
        }
    }
    if (error != 0) {
        ag_file_abandon(file);
        return refuse(ctx, path, error);
    }
    setvbuf(file->stream, file->buffer, _IOFBF, BUFFER_BYTES);
    *out = file;
    return AG_OK;
}

FILE *ag_file_stream(ag_file *file)
{
    return file->stream;
}

/* Writes out and closes the stream. Returns 0 or the errno of the first failure. */
static int finish_stream(ag_file *file)
{
    int error = 0;
    if (fflush(file->stream) != 0)
        error = errno;
    else if (ferror(file->stream))
        error = EIO; /* an earlier write failed, and its reason is gone */
    if (error == 0 && file->slot && fsync(fileno(file->stream)) != 0)
        error = errno;
    if (fclose(file->stream) != 0 && error == 0)
        error = errno;
    file->stream = NULL;
    return error;
}

ag_status ag_file_commit(ag_ctx *ctx, ag_file *file)
{
    int error = finish_stream(file);
    temporary_slot *slot = file->slot;
    if (error == 0 && slot) {
        if (renameat(slot->folder, slot->name, slot->folder, file->leaf) == 0) {
            /* The new file is in place and complete: a file system that cannot sync folders is no failure. */
            (void)fsync(slot->folder);
            slot_release(slot);
            file->slot = NULL;
        } else {
            error = errno;
        }
    }
    const ag_status status = error == 0 ? AG_OK : refuse(ctx, file->path, error);
    ag_file_abandon(file);
    return status;
}

void ag_file_abandon(ag_file *file)
{
    if (!file)
        return;
    if (file->stream) {
        __fpurge(file->stream); /* else fclose() would send a part down a pipe */
        fclose(file->stream);
    }
    if (file->slot) {
        unlinkat(file->slot->folder, file->slot->name, 0);
        slot_release(file->slot);
    }
    free(file->buffer);
    free(file->target);
    free(file->path);
    free(file);
}
