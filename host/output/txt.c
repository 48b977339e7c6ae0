/*
 * txt.c -- tables for people: aligned columns under their names.
 */
#include "output/format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Characters that s takes on a terminal, counting each as one wide. */
static size_t width_of(const char *s)
{
    size_t width = 0;
    for (; *s; width++) {
        const size_t bytes = ag_utf8_bytes(s);
        s += bytes == 0 ? 1 : bytes;
    }
    return width;
}

/* The cell as text; room is used when it is a number. */
static const char *cell_text(char room[AG_REAL_TEXT], const ag_column *column, size_t row)
{
    switch (column->kind) {
    case AG_CELL_INT:
        snprintf(room, AG_REAL_TEXT, "%" PRId64, column->ints[row]);
        return room;
    case AG_CELL_REAL:
        return ag_real_rounded(room, column->reals[row]);
    case AG_CELL_TEXT:
        break;
    }
    return column->texts[row];
}

static void write_spaces(FILE *to, size_t n)
{
    while (n-- > 0)
        putc(' ', to);
}

/* A line stays a line, whatever the text holds. */
static void write_line_part(FILE *to, const char *text)
{
    for (; *text; text++)
        putc((unsigned char)*text < 0x20 || *text == 0x7f ? ' ' : *text, to);
}

/* Numbers to the right; texts to the left, and nothing after the last. */
static void write_field(FILE *to, const char *text, size_t width, bool left, bool last)
{
    const size_t used = width_of(text);
    const size_t fill = width > used ? width - used : 0;
    if (!left)
        write_spaces(to, fill);
    write_line_part(to, text);
    if (left && !last)
        write_spaces(to, fill);
    fputs(last ? "\n" : "  ", to);
}

ag_status ag_txt_write(ag_ctx *ctx, const char *path, const ag_table *table, FILE *to)
{
    char room[AG_REAL_TEXT];
    const size_t n = table->n_columns;
    size_t *widths = calloc(n + 1, sizeof *widths);
    if (!widths)
        return ag_fail(ctx, AG_E_MEMORY, "cannot write %s: no memory for %zu columns", path, n);
    for (size_t c = 0; c < n; c++) {
        widths[c] = width_of(table->columns[c].name);
        for (size_t row = 0; row < table->n_rows; row++) {
            const size_t width = width_of(cell_text(room, &table->columns[c], row));
            widths[c] = width > widths[c] ? width : widths[c];
        }
    }
    if (table->summary_text && table->summary_text[0] != '\0') {
        const size_t length = strlen(table->summary_text);
        fprintf(to, "%s%s\n", table->summary_text, table->summary_text[length - 1] == '\n' ? "" : "\n");
    }
    for (size_t c = 0; c < n; c++)
        write_field(to, table->columns[c].name, widths[c], table->columns[c].kind == AG_CELL_TEXT, c + 1 == n);
    for (size_t row = 0; row < table->n_rows && !ferror(to); row++)
        for (size_t c = 0; c < n; c++)
            write_field(to, cell_text(room, &table->columns[c], row), widths[c], table->columns[c].kind == AG_CELL_TEXT,
                        c + 1 == n);
    free(widths);
    return AG_OK;
}
