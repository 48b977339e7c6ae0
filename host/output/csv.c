/*
 * csv.c -- tables as comma-separated values: RFC 4180 with Unix line ends.
 */
#include "output/format.h"

#include <inttypes.h>
#include <string.h>

/* alone: the only field of its line, which must not be empty, since readers skip empty lines. */
static void write_text(FILE *to, const char *text, bool alone)
{
    if (strpbrk(text, ",\"\r\n") == NULL && !(alone && text[0] == '\0')) {
        fputs(text, to);
        return;
    }
    putc('"', to);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', to);
        putc(*text, to);
    }
    putc('"', to);
}

ag_status ag_csv_write(ag_ctx *ctx, const char *path, const ag_table *table, FILE *to)
{
    (void)ctx;
    (void)path;
    char text[AG_REAL_TEXT];
    const size_t n = table->n_columns;
    for (size_t c = 0; c < n; c++) {
        write_text(to, table->columns[c].name, n == 1);
        putc(c + 1 < n ? ',' : '\n', to);
    }
    /* A full disk is noticed early in a long table, and reported by the commit. */
    for (size_t row = 0; row < table->n_rows && !ferror(to); row++) {
        for (size_t c = 0; c < n; c++) {
            const ag_column *column = &table->columns[c];
            switch (column->kind) {
            case AG_CELL_INT:
                fprintf(to, "%" PRId64, column->ints[row]);
                break;
            case AG_CELL_REAL:
                fputs(ag_real_exact(text, column->reals[row]), to);
                break;
            case AG_CELL_TEXT:
                write_text(to, column->texts[row], n == 1);
                break;
            }
            putc(c + 1 < n ? ',' : '\n', to);
        }
    }
    return AG_OK;
}
