/*
 * plot.c -- grids as pictures: a gnuplot script for a heat map, and the running of gnuplot, which reads
 * script and data from its standard input and gives the picture on its standard output. No file name
 * and no shell is involved, and the same grid gives the same bytes.
 */
#include "output/format.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Cells drawn along an axis; of a larger grid every k-th row and column is. */
#define CELLS_MAX 2000
/* Labels that the colour box has room for. */
#define LABELS_MAX 26

/* Probabilities: viridis, whose equal steps look equal, to the colour-blind and in grey too, sampled at nine places
 * (Smith, van der Walt and Firing, https://bids.github.io/colormap/, CC0). */
static const char *const even_colours[] = {"#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c",
                                           "#28ae80", "#5ec962", "#addc30", "#fde725"};

/* Whole numbers: neighbours are easy to tell apart, and the order is that of the rainbow (Tol, "Colour schemes", SRON
 * technical note SRON/EPS/TN/09-002: discrete rainbow of eleven). Other counts than eleven blend them. */
static const char *const distinct_colours[] = {"#882e72", "#1965b0", "#5289c7", "#7bafde", "#4eb265", "#cae0ab",
                                               "#f7f056", "#f4a736", "#e8601c", "#dc050c", "#72190e"};

/* --------------------------------------------------------------------- script */

/* A gnuplot string. In single quotes nothing but the quote is special; the terminals read UTF-8. */
static void write_quoted(FILE *to, const char *text)
{
    putc('\'', to);
    while (*text) {
        const size_t n = ag_utf8_bytes(text);
        if (n == 0)
            putc('?', to);
        else if (n == 1 && ((unsigned char)*text < 0x20 || *text == 0x7f))
            putc(' ', to);
        else
            fwrite(text, 1, n, to);
        if (*text == '\'')
            putc('\'', to);
        text += n == 0 ? 1 : n;
    }
    putc('\'', to);
}

static void write_real(FILE *to, const char *before, double x, const char *after)
{
    char text[AG_REAL_TEXT];
    fprintf(to, "%s%s%s", before, ag_real_exact(text, x), after);
}

static void write_palette(FILE *to, const char *const *colours, size_t n)
{
    fputs("set palette defined (", to);
    for (size_t i = 0; i < n; i++)
        fprintf(to, "%s%zu '%s'", i == 0 ? "" : ", ", i, colours[i]);
    fputs(")\n", to);
}

/* The colours of a grid of bytes: one a whole number from lo to hi. */
static void write_distinct_scale(FILE *to, const ag_grid *grid)
{
    const int lo = (int)grid->lo, hi = (int)grid->hi > lo ? (int)grid->hi : lo + 1;
    const int step = (hi - lo) / LABELS_MAX + 1;
    write_palette(to, distinct_colours, AG_COUNT(distinct_colours));
    fprintf(to, "set palette maxcolors %d\n", hi - lo + 1);
    write_real(to, "set cbrange [", lo - 0.5, ":");
    write_real(to, "", hi + 0.5, "]\n");
    fprintf(to, "set cbtics %d,%d,%d scale 0\n", lo, step, hi);
}

static void write_even_scale(FILE *to, const ag_grid *grid)
{
    write_palette(to, even_colours, AG_COUNT(even_colours));
    write_real(to, "set cbrange [", grid->lo, ":");
    write_real(to, "", grid->hi > grid->lo ? grid->hi : grid->lo + 1, "]\n");
}

/* What of a grid is shown. */
typedef struct {
    size_t step;           /* one of every step rows and columns */
    size_t n_rows, n_cols; /* of those that are shown */
    size_t repeat;         /* image points along each side of a cell */
} picture;

static void write_labels(FILE *to, const ag_grid *grid, size_t step)
{
    fputs("set title ", to);
    write_quoted(to, grid->title);
    if (step > 1)
        fprintf(to, ".\"\\n(one of every %zu rows and columns is shown)\"", step);
    fputs(" font ',17'\nset xlabel ", to);
    write_quoted(to, grid->col_label);
    fputs("\nset ylabel ", to);
    write_quoted(to, grid->row_label);
    fputs("\nset cblabel ", to);
    write_quoted(to, grid->name);
    fputs("\nset tics out nomirror\nunset key\n", to);
}

/* A range from half a cell before 0 to half a cell after the last of n shown rows or columns. */
static void write_range(FILE *to, char axis, size_t n, size_t step)
{
    fprintf(to, "set %crange", axis);
    write_real(to, " [", -(double)step / 2, ":");
    write_real(to, "", ((double)n - 0.5) * (double)step, "]\n");
    if (n <= 10) /* else gnuplot, short of labels, would divide cells */
        fprintf(to, "set %ctics %zu\n", axis, step);
}

/* Every script line before the data. */
static void write_script(FILE *to, const ag_grid *grid, const picture *shown, const char *terminal)
{
    const double point = (double)shown->step / (double)shown->repeat;
    const double origin = (point - (double)shown->step) / 2; /* middle of the first point */
    fprintf(to, "set encoding utf8\nset terminal %s\n", terminal);
    write_labels(to, grid, shown->step);
    /* Square cells, unless that would make a strip of the picture. */
    if (shown->n_rows <= 4 * shown->n_cols && shown->n_cols <= 4 * shown->n_rows)
        fputs("set size ratio -1\n", to);
    write_range(to, 'x', shown->n_cols, shown->step);
    write_range(to, 'y', shown->n_rows, shown->step);
    if (grid->bytes)
        write_distinct_scale(to, grid);
    else
        write_even_scale(to, grid);
    fprintf(to, "plot '-' binary array=(%zu,%zu)", shown->n_cols * shown->repeat, shown->n_rows * shown->repeat);
    write_real(to, " origin=(", origin, ",");
    write_real(to, "", origin, ")");
    write_real(to, " dx=", point, "");
    write_real(to, " dy=", point, " format='%float32' with image notitle\n");
}

/* One shown row, each cell as often as there are points in it. */
static void write_row(FILE *to, const ag_grid *grid, const picture *shown, size_t row)
{
    float line[2 * CELLS_MAX];
    size_t n = 0;
    for (size_t col = 0; col < shown->n_cols; col++) {
        const size_t i = row * shown->step * grid->n_cols + col * shown->step;
        assert(grid->bytes || isfinite(grid->reals[i]));
        for (size_t k = 0; k < shown->repeat; k++)
            line[n++] = grid->bytes ? (float)grid->bytes[i] : (float)grid->reals[i];
    }
    for (size_t k = 0; k < shown->repeat; k++)
        fwrite(line, sizeof line[0], n, to);
}

/* Script and data, as gnuplot is to read them. blurred: the viewer smooths images that it enlarges, so every cell
 * is given as a block of points. */
static void write_input(FILE *to, const ag_grid *grid, const char *terminal, bool blurred)
{
    const size_t longest = grid->n_rows > grid->n_cols ? grid->n_rows : grid->n_cols;
    picture shown = {.step = (longest + CELLS_MAX - 1) / CELLS_MAX};
    shown.n_rows = (grid->n_rows + shown.step - 1) / shown.step;
    shown.n_cols = (grid->n_cols + shown.step - 1) / shown.step;
    const size_t longest_shown = shown.n_rows > shown.n_cols ? shown.n_rows : shown.n_cols;
    shown.repeat = blurred ? CELLS_MAX / longest_shown : 1;
    if (shown.repeat == 1 && (shown.n_rows == 1 || shown.n_cols == 1))
        shown.repeat = 2; /* gnuplot leaves an image of a single row or column away */
    write_script(to, grid, &shown, terminal);
    for (size_t row = 0; row < shown.n_rows && !ferror(to); row++)
        write_row(to, grid, &shown, row);
}

/* -------------------------------------------------------------------- gnuplot */

/* Starts gnuplot; its answer can be read from *out. Returns 0 or an errno: ENOENT if there is none in PATH. */
static int start_gnuplot(FILE *input, FILE *errors, pid_t *pid, int *out)
{
    char name[] = "gnuplot", defaults[] = "-d"; /* -d: without the user's own settings */
    char *const args[] = {name, defaults, NULL};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return errno;
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error == 0) {
        if ((error = posix_spawn_file_actions_adddup2(&actions, fileno(input), STDIN_FILENO)) == 0 &&
            (error = posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)) == 0 &&
            (error = posix_spawn_file_actions_adddup2(&actions, fileno(errors), STDERR_FILENO)) == 0)
            error = posix_spawnp(pid, name, &actions, NULL, args, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    close(ends[1]);
    if (error != 0)
        close(ends[0]);
    else
        *out = ends[0];
    return error;
}

/* Copies all that comes from fd. Returns the number of bytes; failed writes are left to the commit. */
static size_t copy_all(int fd, FILE *to)
{
    static const size_t part = 1 << 16;
    char *bytes = malloc(part);
    size_t total = 0;
    for (;;) {
        const ssize_t n = bytes ? read(fd, bytes, part) : 0;
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        fwrite(bytes, 1, (size_t)n, to);
        total += (size_t)n;
    }
    free(bytes);
    return total;
}

/* The last line that says something: gnuplot repeats the command first, then states the reason. */
static void last_line(FILE *errors, char *line, size_t size)
{
    char next[256];
    snprintf(line, size, "it gave no picture and no reason");
    rewind(errors);
    while (fgets(next, sizeof next, errors)) {
        const char *start = next + strspn(next, " \t\r\n^");
        if (*start)
            snprintf(line, size, "%.*s", (int)strcspn(start, "\r\n"), start);
    }
}

static ag_status fail_without_gnuplot(ag_ctx *ctx, const char *path)
{
    return ag_fail(ctx, AG_E_IO, "cannot draw %s: gnuplot is not installed (Debian: apt-get install gnuplot-nox)",
                   path);
}

ag_status ag_gnuplot_check(ag_ctx *ctx, const char *path)
{
    const char *folder = getenv("PATH");
    while (folder && *folder) {
        char program[PATH_MAX];
        const int length = (int)strcspn(folder, ":");
        snprintf(program, sizeof program, "%.*s%sgnuplot", length, folder, length ? "/" : "");
        if (access(program, X_OK) == 0)
            return AG_OK;
        folder += length + (folder[length] == ':');
    }
    return fail_without_gnuplot(ctx, path);
}

static ag_status run_gnuplot(ag_ctx *ctx, const char *path, FILE *input, FILE *errors, FILE *to)
{
    pid_t pid = -1;
    int out = -1;
    const int error = start_gnuplot(input, errors, &pid, &out);
    if (error == ENOENT)
        return fail_without_gnuplot(ctx, path);
    if (error != 0)
        return ag_fail(ctx, AG_E_IO, "cannot draw %s: cannot run gnuplot: %s", path, strerror(error));
    const size_t n_bytes = copy_all(out, to);
    close(out);
    int ended = 0;
    pid_t waited;
    do
        waited = waitpid(pid, &ended, 0);
    while (waited < 0 && errno == EINTR);
    /* A process that ignores SIGCHLD cannot learn how it ended; then the picture itself must do. */
    if ((waited == pid && ended != 0) || n_bytes == 0) {
        char reason[256];
        last_line(errors, reason, sizeof reason);
        return ag_fail(ctx, AG_E_IO, "cannot draw %s: gnuplot: %s", path, reason);
    }
    return AG_OK;
}

static ag_status draw(ag_ctx *ctx, const char *path, const ag_grid *grid, const char *terminal, bool blurred, FILE *to)
{
    if (grid->n_rows == 0 || grid->n_cols == 0)
        return ag_fail(ctx, AG_E_ARG, "cannot draw %s: the grid is %zu x %zu, must be at least 1 x 1", path,
                       grid->n_rows, grid->n_cols);
    ag_status status = AG_OK;
    FILE *errors = NULL;
    /* A file, not a pipe: nobody need feed gnuplot while reading from it, nor fear SIGPIPE. */
    FILE *input = tmpfile();
    if (input)
        errors = tmpfile();
    if (errors) {
        write_input(input, grid, terminal, blurred);
        if (fflush(input) != 0 || ferror(input) || fseek(input, 0, SEEK_SET) != 0)
            status = ag_fail(ctx, AG_E_IO, "cannot draw %s: cannot write a temporary file: %s", path, strerror(errno));
        else
            status = run_gnuplot(ctx, path, input, errors, to);
        fclose(errors);
    } else {
        status = ag_fail(ctx, AG_E_IO, "cannot draw %s: cannot open a temporary file: %s", path, strerror(errno));
    }
    if (input)
        fclose(input);
    return status;
}

ag_status ag_png_write(ag_ctx *ctx, const char *path, const ag_table *table, FILE *to)
{
    return draw(ctx, path, table->grid, "pngcairo noenhanced size 900,800 font 'Sans,13'", false, to);
}

ag_status ag_svg_write(ag_ctx *ctx, const char *path, const ag_table *table, FILE *to)
{
    const char *terminal = "svg noenhanced size 900,800 font 'sans-serif,15' background 'white'";
    return draw(ctx, path, table->grid, terminal, true, to);
}
