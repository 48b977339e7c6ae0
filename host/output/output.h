/*
 * output.h -- the formats of tables: .csv .json .npy .txt, and .png .svg heat maps through gnuplot.
 * Knows no game.
 */
#ifndef AG_OUTPUT_H
#define AG_OUTPUT_H

#include "core/file.h"

#include <stdio.h>

/* ---- tables (table.c and one file a format) ---- */

typedef enum { AG_CELL_INT, AG_CELL_REAL, AG_CELL_TEXT } ag_cell_kind;

/* One column: n cells of its kind. */
typedef struct {
    const char *name;
    ag_cell_kind kind;
    const int64_t *ints;
    const double *reals;
    const char *const *texts;
} ag_column;

/* A rectangle of numbers for .npy and pictures: row-major, shape [n_rows][n_cols]. */
typedef struct {
    const char *name; /* "win probability" */
    size_t n_rows, n_cols;
    const double *reals;               /* either these (npy '<f8') */
    const uint8_t *bytes;              /* or these (npy '|u1') */
    const char *row_label, *col_label; /* axes of a picture: "score", "opponent's score" */
    const char *title;                 /* of a picture: "Hog cs61a-su23, goal 100: win probability" */
    double lo, hi;                     /* range of the colour scale */
} ag_grid;

/* All that a command can write to a file. */
typedef struct {
    const ag_column *columns;
    size_t n_columns, n_rows;
    const ag_grid *grid;      /* NULL: .npy and pictures are refused with a sentence */
    const char *summary_json; /* NULL, or "\"key\":value,..." put before "columns" in .json */
    const char *summary_text; /* NULL, or lines put before the table in .txt */
} ag_table;

/* For a command to refuse before it works: AG_E_ARG with the list of endings if ag_table_write() does not know the
 * format of path, AG_E_IO if nothing could be written there or a picture not drawn. Leaves nothing behind, and an old
 * file as it is. has_grid: the table will have a grid. */
ag_status ag_table_check_path(ag_ctx *ctx, const char *path, bool has_grid);

/*
 * Writes table to path in the format of its ending, in either case of letters. A path without one of
 * these endings is written as FORMAT:PATH, "csv:/dev/stdout" (a file of such a name is "./csv:x").
 * Reals must be finite.
 *  .csv   header line, one line a row, each ending in LF; reals as %.17g, never -0; texts quoted where
 *         RFC 4180 asks for it
 *  .json  one object: summary keys, "columns": [names], "rows": [[...], ...]
 *  .npy   the grid, NumPy format 1.0, its values as they are
 *  .txt   aligned columns for people, reals with 6 decimals
 *  .png .svg  a heat map of the grid by gnuplot: columns to the right, row 0 at the bottom, for bytes one
 *         colour a whole number of lo..hi. Of more than 2000 rows or columns every k-th is drawn, and the
 *         title says so. AG_E_IO naming gnuplot and its package when it is missing
 * Errors: AG_E_ARG, AG_E_IO, AG_E_MEMORY; on failure an old file at path is unharmed.
 */
ag_status ag_table_write(ag_ctx *ctx, const char *path, const ag_table *table);

/* ---- JSON values (json.c) ---- */

/* Writes s as a JSON string with quotes and escapes; bytes that are not UTF-8 become U+FFFD. */
void ag_json_string(FILE *to, const char *s);
/* Writes x as %.17g; x must be finite. -0 becomes 0. */
void ag_json_real(FILE *to, double x);

#endif
