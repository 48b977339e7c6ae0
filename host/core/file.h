/*
 * file.h -- files that appear whole or not at all.
 */
#ifndef AG_CORE_FILE_H
#define AG_CORE_FILE_H

#include "core/core.h"

#include <stdio.h>

/*
 * Opens `path` for writing. A regular file, or none: what is written goes to a temporary
 * name in the same folder (links followed) until ag_file_commit(). Anything else that exists (pipe,
 * /dev/full) is written directly, and so is a descriptor of this process (/dev/stdout, /dev/fd/N), after
 * what it already holds, even when it is a regular file. Errors: AG_E_IO (a directory, no such folder, a file
 * that may not be written, more than 16 open, ...), with path and reason in the message.
 */
typedef struct ag_file ag_file;
ag_status ag_file_create(ag_ctx *ctx, const char *path, ag_file **out);
FILE *ag_file_stream(ag_file *file);
/* Flushes, syncs, renames over `path` and frees. Writes to the stream that failed (no space, closed pipe) are reported
 * here, AG_E_IO. On failure the old file is unharmed, the temporary one is gone. The new file has the mode of the old.
 */
ag_status ag_file_commit(ag_ctx *ctx, ag_file *file);
/* Drops what was written and frees. Accepts NULL. */
void ag_file_abandon(ag_file *file);
/* Removes the temporary files of all open ag_files; async-signal-safe, for a handler of SIGINT, SIGTERM. */
void ag_file_cleanup_on_signal(void);

#endif
