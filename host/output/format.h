/*
 * format.h -- private to host/output: one writer a format, and what several of them share.
 */
#ifndef AG_OUTPUT_FORMAT_H
#define AG_OUTPUT_FORMAT_H

#include "output/output.h"

/* Writes table to `to`; path is for messages. Failed writes are left to ag_file_commit(). */
typedef ag_status ag_format_writer(ag_ctx *ctx, const char *path, const ag_table *table, FILE *to);
/* AG_E_IO, naming its package, if there is no gnuplot in PATH to draw `path`. */
ag_status ag_gnuplot_check(ag_ctx *ctx, const char *path);
ag_format_writer ag_csv_write, ag_json_write, ag_npy_write, ag_txt_write, ag_png_write, ag_svg_write;

/* Room for any finite double with 6 decimals: sign, 309 digits, point, 6 digits, zero. */
#define AG_REAL_TEXT 320

/* x, finite, as %.17g: enough digits to read the same double back. -0 becomes 0. Returns text. */
const char *ag_real_exact(char text[AG_REAL_TEXT], double x);
/* x, finite, as %.6f; without a sign when all digits are 0. Returns text. */
const char *ag_real_rounded(char text[AG_REAL_TEXT], double x);

/* Bytes of the UTF-8 character at s, 1..4; 0 if s does not start with one. s is not at its end. */
size_t ag_utf8_bytes(const char *s);

#endif
