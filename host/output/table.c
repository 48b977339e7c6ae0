/*
 * table.c -- which format a path asks for, and the writing of a table in it.
 */
#include "output/format.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

typedef struct {
    const char *name;
    bool needs_grid;
    bool needs_gnuplot;
    ag_format_writer *write;
} format;

static const format formats[] = {
    {"csv", false, false, ag_csv_write}, {"json", false, false, ag_json_write}, {"npy", true, false, ag_npy_write},
    {"txt", false, false, ag_txt_write}, {"png", true, true, ag_png_write},     {"svg", true, true, ag_svg_write},
};
static const char known[] = ".csv .json .npy .txt .png .svg";
static const char tables[] = ".csv .json .txt";

static const format *format_named(const char *name, size_t length)
{
    for (size_t i = 0; i < AG_COUNT(formats); i++)
        if (strlen(formats[i].name) == length && strncasecmp(formats[i].name, name, length) == 0)
            return &formats[i];
    return NULL;
}

/* Splits "FORMAT:PATH", or takes the ending of a mere path. */
static ag_status choose_format(ag_ctx *ctx, const char *path, bool has_grid, const format **out, const char **file_path)
{
    const char *colon = strchr(path, ':');
    const format *chosen = colon ? format_named(path, (size_t)(colon - path)) : NULL;
    if (chosen) {
        *file_path = colon + 1;
    } else {
        const char *slash = strrchr(path, '/');
        const char *dot = strrchr(slash ? slash : path, '.');
        if (!dot || dot[1] == '\0')
            return ag_fail(ctx, AG_E_ARG, "--out FILE: no ending in \"%s\"; %s are known, or name the format: csv:%s",
                           path, known, path);
        chosen = format_named(dot + 1, strlen(dot + 1));
        if (!chosen)
            return ag_fail(ctx, AG_E_ARG, "--out FILE: unknown ending \"%s\" of \"%s\"; %s are known", dot, path,
                           known);
        *file_path = path;
    }
    if ((*file_path)[0] == '\0')
        return ag_fail(ctx, AG_E_ARG, "--out FILE: no file name in \"%s\"", path);
    if (chosen->needs_grid && !has_grid)
        return ag_fail(ctx, AG_E_ARG,
                       "--out FILE: \"%s\" takes an array, and this command gives only a table; %s take it", path,
                       tables);
    *out = chosen;
    return AG_OK;
}

ag_status ag_table_check_path(ag_ctx *ctx, const char *path, bool has_grid)
{
    const format *chosen = NULL;
    const char *file_path = NULL;
    struct stat what;
    AG_TRY(choose_format(ctx, path, has_grid, &chosen, &file_path));
    if (chosen->needs_gnuplot)
        AG_TRY(ag_gnuplot_check(ctx, file_path));
    /* A new file is begun and dropped; what is no file (a pipe, say) must not notice that it was looked at. */
    if (stat(file_path, &what) == 0 && !S_ISREG(what.st_mode) && !S_ISDIR(what.st_mode))
        return AG_OK;
    ag_file *file = NULL;
    AG_TRY(ag_file_create(ctx, file_path, &file));
    ag_file_abandon(file);
    return AG_OK;
}

ag_status ag_table_write(ag_ctx *ctx, const char *path, const ag_table *table)
{
    const format *chosen = NULL;
    const char *file_path = NULL;
    AG_TRY(choose_format(ctx, path, table->grid != NULL, &chosen, &file_path));
    ag_file *file = NULL;
    AG_TRY(ag_file_create(ctx, file_path, &file));
    const ag_status status = chosen->write(ctx, file_path, table, ag_file_stream(file));
    if (status != AG_OK) {
        ag_file_abandon(file);
        return status;
    }
    return ag_file_commit(ctx, file);
}
