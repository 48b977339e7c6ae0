/*
 * npy.c -- grids as NumPy arrays, format 1.0 (numpy.lib.format): magic, version, length and text of a
 * header padded so that the data, little-endian in row order, start at a multiple of 64.
 */
#include "output/format.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#define ALIGN      64
#define HEAD_BYTES 10 /* magic 6, version 2, length 2 */

static void write_header(FILE *to, const ag_grid *grid)
{
    char text[3 * ALIGN];
    const int length = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%zu, %zu), }",
                                grid->reals ? "<f8" : "|u1", grid->n_rows, grid->n_cols);
    assert(length > 0 && (size_t)length < sizeof text - ALIGN);
    /* The text ends in '\n' before the boundary. */
    const size_t whole = (HEAD_BYTES + (size_t)length + 1 + ALIGN - 1) / ALIGN * ALIGN;
    const unsigned text_bytes = (unsigned)(whole - HEAD_BYTES);

    fwrite("\x93NUMPY\x01\x00", 1, 8, to);
    putc((int)(text_bytes & 0xff), to);
    putc((int)(text_bytes >> 8), to);
    fprintf(to, "%-*s\n", (int)text_bytes - 1, text);
}

static bool write_reals(FILE *to, const double *reals, size_t n)
{
    unsigned char bytes[512][8];
    for (size_t done = 0; done < n;) {
        size_t part = 0;
        for (; part < AG_COUNT(bytes) && done < n; part++, done++) {
            uint64_t bits;
            memcpy(&bits, &reals[done], sizeof bits);
            for (int i = 0; i < 8; i++)
                bytes[part][i] = (unsigned char)(bits >> (8 * i));
        }
        if (fwrite(bytes, sizeof bytes[0], part, to) != part)
            return false;
    }
    return true;
}

ag_status ag_npy_write(ag_ctx *ctx, const char *path, const ag_table *table, FILE *to)
{
    const ag_grid *grid = table->grid;
    const size_t n = grid->n_rows * grid->n_cols;
    write_header(to, grid);
    if (grid->reals ? write_reals(to, grid->reals, n) : fwrite(grid->bytes, 1, n, to) == n)
        return AG_OK;
    /* said here, for a stream remembers that a write failed but not why */
    return ag_fail(ctx, AG_E_IO, "cannot write %s: %s", path, strerror(errno));
}
