/*
 * json.c -- JSON values (RFC 8259), and tables as one JSON object.
 */
#include "output/format.h"

#include <inttypes.h>

/* Unicode 15, table 3-7: no overlong forms, no surrogates, nothing past U+10FFFF. */
size_t ag_utf8_bytes(const char *s)
{
    const unsigned char *b = (const unsigned char *)s;
    if (b[0] < 0x80)
        return 1;
    if (b[0] < 0xc2 || b[0] > 0xf4)
        return 0;
    const size_t n = b[0] < 0xe0 ? 2 : b[0] < 0xf0 ? 3 : 4;
    const unsigned char second_lo = b[0] == 0xe0 ? 0xa0 : b[0] == 0xf0 ? 0x90 : 0x80;
    const unsigned char second_hi = b[0] == 0xed ? 0x9f : b[0] == 0xf4 ? 0x8f : 0xbf;
    if (b[1] < second_lo || b[1] > second_hi)
        return 0;
    for (size_t i = 2; i < n; i++)
        if (b[i] < 0x80 || b[i] > 0xbf)
            return 0;
    return n;
}

void ag_json_string(FILE *to, const char *s)
{
    putc('"', to);
    while (*s) {
        const size_t n = ag_utf8_bytes(s);
        if (n == 0)
            fputs("\xef\xbf\xbd", to); /* U+FFFD */
        else if (n == 1 && (*s == '"' || *s == '\\'))
            fprintf(to, "\\%c", *s);
        else if (n == 1 && (unsigned char)*s < 0x20)
            fprintf(to, "\\u%04x", (unsigned)*s);
        else
            fwrite(s, 1, n, to);
        s += n == 0 ? 1 : n;
    }
    putc('"', to);
}

void ag_json_real(FILE *to, double x)
{
    char text[AG_REAL_TEXT];
    fputs(ag_real_exact(text, x), to);
}

static void write_cell(FILE *to, const ag_column *column, size_t row)
{
    switch (column->kind) {
    case AG_CELL_INT:
        fprintf(to, "%" PRId64, column->ints[row]);
        break;
    case AG_CELL_REAL:
        ag_json_real(to, column->reals[row]);
        break;
    case AG_CELL_TEXT:
        ag_json_string(to, column->texts[row]);
        break;
    }
}

ag_status ag_json_write(ag_ctx *ctx, const char *path, const ag_table *table, FILE *to)
{
    (void)ctx;
    (void)path;
    fputs("{", to);
    if (table->summary_json && table->summary_json[0] != '\0')
        fprintf(to, "%s,", table->summary_json);
    fputs("\n\"columns\":[", to);
    for (size_t c = 0; c < table->n_columns; c++) {
        fputs(c == 0 ? "" : ",", to);
        ag_json_string(to, table->columns[c].name);
    }
    fputs("],\n\"rows\":[", to);
    for (size_t row = 0; row < table->n_rows && !ferror(to); row++) {
        fputs(row == 0 ? "\n" : ",\n", to);
        for (size_t c = 0; c < table->n_columns; c++) {
            putc(c == 0 ? '[' : ',', to);
            write_cell(to, &table->columns[c], row);
        }
        fputs(table->n_columns == 0 ? "[]" : "]", to);
    }
    fputs("]}\n", to);
    return AG_OK;
}
