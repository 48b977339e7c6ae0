/*
 * test_plot.c -- pictures: what gnuplot is told (a stand-in echoes it), what it answers, and how its
 * absence or failure is reported.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "output/output.h"
#include "../core/scratch.h"

static ag_ctx *ctx;
static char *path_before;

static const double wins[6] = {0, 0.25, 0.5, 0.75, 1, 0.125};
static const uint8_t moves[6] = {0, 3, 10, 4, 5, 6};
static const ag_grid win_grid = {.name = "win probability",
                                 .n_rows = 2,
                                 .n_cols = 3,
                                 .reals = wins,
                                 .row_label = "score",
                                 .col_label = "opponent's score",
                                 .title = "Title",
                                 .hi = 1};
static const ag_grid move_grid = {.name = "dice",
                                  .n_rows = 2,
                                  .n_cols = 3,
                                  .bytes = moves,
                                  .row_label = "score",
                                  .col_label = "opponent's score",
                                  .title = "Title",
                                  .hi = 10};

static int setup(void **state)
{
    const char *path = getenv("PATH");
    path_before = strdup(path ? path : "");
    return path_before ? scratch_setup(state) : -1;
}

static int teardown(void **state)
{
    setenv("PATH", path_before, 1);
    free(path_before);
    return scratch_teardown(state);
}

static ag_status draw(const char *path, const ag_grid *grid)
{
    const ag_table table = {.grid = grid};
    return ag_table_write(ctx, path, &table);
}

static void need_gnuplot(void)
{
    if (system("command -v gnuplot >/dev/null 2>&1") != 0) {
        print_message("gnuplot is not installed\n");
        skip();
    }
}

/* Puts a shell script of the name gnuplot into a folder and makes that the PATH. */
static void stand_in(const char *script)
{
    assert_int_equal(mkdir(in_scratch("bin"), 0755), 0);
    put_file(in_scratch("bin/gnuplot"), script);
    assert_int_equal(chmod(in_scratch("bin/gnuplot"), 0755), 0);
    setenv("PATH", in_scratch("bin"), 1);
}

/* What gnuplot would read for grid; the data start after the line that begins with "plot". */
static char *input_for(const ag_grid *grid, const char *name, const float **data, size_t *n_data)
{
    size_t size = 0;
    assert_int_equal(draw(in_scratch(name), grid), AG_OK);
    char *input = get_file(in_scratch(name), &size);
    char *plot = strstr(input, "\nplot ");
    assert_non_null(plot);
    char *start = strchr(plot + 1, '\n') + 1;
    const size_t bytes = size - (size_t)(start - input);
    *n_data = bytes / sizeof **data;
    float *values = malloc(bytes + 1);
    assert_non_null(values);
    memcpy(values, start, bytes);
    *start = '\0';
    *data = values;
    return input;
}

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no \"%s\" in:\n%s", part, text);
}

static void gnuplot_reads_script_and_cells(void **state)
{
    (void)state;
    const float *data = NULL;
    size_t n = 0;
    stand_in("#!/bin/sh\nexec /bin/cat\n");
    char *input = input_for(&win_grid, "a.png", &data, &n);
    assert_has(input, "set terminal pngcairo ");
    assert_has(input, "set xlabel 'opponent''s score'\nset ylabel 'score'\nset cblabel 'win probability'\n");
    assert_has(input, "set xrange [-0.5:2.5]\n");
    assert_has(input, "set yrange [-0.5:1.5]\n");
    assert_has(input, "set cbrange [0:1]\n");
    assert_has(input, "\nplot '-' binary array=(3,2) origin=(0,0) dx=1 dy=1 format='%float32' with image notitle\n");
    assert_int_equal(n, 6);
    for (size_t i = 0; i < n; i++)
        assert_true(data[i] == (float)wins[i]);
    free((void *)data);
    free(input);

    input = input_for(&move_grid, "b.png", &data, &n);
    assert_has(input, "set palette maxcolors 11\nset cbrange [-0.5:10.5]\nset cbtics 0,1,10 scale 0\n");
    assert_int_equal(n, 6);
    for (size_t i = 0; i < n; i++)
        assert_true(data[i] == (float)moves[i]);
    free((void *)data);
    free(input);
}

/* SVG viewers smooth enlarged images: there a cell is a block of points, which covers the cell exactly. */
static void svg_cells_are_blocks(void **state)
{
    (void)state;
    const float *data = NULL;
    size_t n = 0;
    stand_in("#!/bin/sh\nexec /bin/cat\n");
    char *input = input_for(&move_grid, "a.svg", &data, &n);
    assert_has(input, "set terminal svg ");
    assert_has(input, "array=(1998,1332)");
    assert_int_equal(n, 1998 * 1332);
    for (size_t i = 0; i < n; i++)
        assert_true(data[i] == (float)moves[i / 1998 / 666 * 3 + i % 1998 / 666]);
    free((void *)data);
    free(input);
}

static void large_grids_are_thinned(void **state)
{
    (void)state;
    enum { ROWS = 4001, COLS = 5 };
    static uint8_t cells[ROWS * COLS];
    for (size_t i = 0; i < sizeof cells; i++)
        cells[i] = (uint8_t)(i % 251);
    ag_grid grid = move_grid;
    grid.n_rows = ROWS;
    grid.n_cols = COLS;
    grid.bytes = cells;
    const float *data = NULL;
    size_t n = 0;
    stand_in("#!/bin/sh\nexec /bin/cat\n");
    char *input = input_for(&grid, "a.png", &data, &n);
    assert_has(input, "set title 'Title'.\"\\n(one of every 3 rows and columns is shown)\"");
    assert_has(input, "array=(2,1334) origin=(0,0) dx=3 dy=3 ");
    assert_has(input, "set yrange [-1.5:4000.5]\n");
    assert_int_equal(n, 2 * 1334);
    for (size_t row = 0; row < 1334; row++)
        for (size_t col = 0; col < 2; col++)
            assert_true(data[row * 2 + col] == (float)cells[row * 3 * COLS + col * 3]);
    free((void *)data);
    free(input);
}

static void labels_are_text_not_commands(void **state)
{
    (void)state;
    const float *data = NULL;
    size_t n = 0;
    ag_grid grid = win_grid;
    grid.title = "it's `touch pwned`\n!touch pwned\xff \xc3\xa9";
    stand_in("#!/bin/sh\nexec /bin/cat\n");
    char *input = input_for(&grid, "a.png", &data, &n);
    assert_has(input, "set title 'it''s `touch pwned` !touch pwned? \xc3\xa9' font");
    free((void *)data);
    free(input);

    setenv("PATH", path_before, 1);
    need_gnuplot();
    char *before = getcwd(NULL, 0);
    assert_int_equal(chdir(scratch), 0);
    const ag_status status = draw("b.svg", &grid);
    assert_int_equal(chdir(before), 0);
    free(before);
    assert_int_equal(status, AG_OK);
    assert_int_not_equal(access(in_scratch("pwned"), F_OK), 0);
    char *picture = get_file(in_scratch("b.svg"), NULL);
    assert_has(picture, "it's `touch pwned` !touch pwned? \xc3\xa9");
    free(picture);
}

static void png_is_a_picture(void **state)
{
    (void)state;
    need_gnuplot();
    static const char *const names[] = {"a.png", "it's a \"name\"\nwith `all` $(that).png"};
    for (size_t i = 0; i < AG_COUNT(names); i++) {
        size_t size = 0;
        assert_int_equal(draw(in_scratch(names[i]), i == 0 ? &win_grid : &move_grid), AG_OK);
        char *picture = get_file(in_scratch(names[i]), &size);
        assert_true(size > 1000);
        assert_memory_equal(picture, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x03\x84\0\0\x03\x20", 24); /* 900 x 800 */
        assert_memory_equal(picture + size - 12, "\0\0\0\0IEND\xae\x42\x60\x82", 12);
        free(picture);
    }
    assert_int_equal(scratch_entries(), 2);
}

/* Every tag of XML text is closed by its own name. */
static void assert_balanced(const char *xml)
{
    char open[64][64];
    size_t depth = 0;
    for (const char *at = strchr(xml, '<'); at; at = strchr(at + 1, '<')) {
        if (at[1] == '?' || at[1] == '!')
            continue;
        const char *end = strchr(at, '>');
        assert_non_null(end);
        const bool closes = at[1] == '/';
        const char *name = at + 1 + closes;
        const size_t length = strcspn(name, " \t\r\n/>");
        if (closes) {
            assert_true(depth > 0);
            depth--;
            assert_true(strlen(open[depth]) == length && memcmp(open[depth], name, length) == 0);
        } else if (end[-1] != '/') {
            assert_true(depth < AG_COUNT(open) && length < sizeof open[0]);
            memcpy(open[depth], name, length);
            open[depth++][length] = '\0';
        }
        at = end;
    }
    assert_int_equal(depth, 0);
}

static void svg_is_well_formed(void **state)
{
    (void)state;
    need_gnuplot();
    ag_grid grid = move_grid;
    grid.title = "a < b & c > d: <text>";
    assert_int_equal(draw(in_scratch("a.svg"), &grid), AG_OK);
    char *picture = get_file(in_scratch("a.svg"), NULL);
    assert_memory_equal(picture, "<?xml", 5);
    assert_has(picture, "<svg");
    assert_has(picture, "a &lt; b &amp; c > d: &lt;text>");
    assert_balanced(picture);
    free(picture);
}

static void same_grid_gives_the_same_bytes(void **state)
{
    (void)state;
    need_gnuplot();
    static const char *const names[][2] = {{"a.png", "b.png"}, {"a.svg", "b.svg"}};
    for (size_t i = 0; i < AG_COUNT(names); i++) {
        size_t size_a = 0, size_b = 0;
        assert_int_equal(draw(in_scratch(names[i][0]), &win_grid), AG_OK);
        assert_int_equal(draw(in_scratch(names[i][1]), &win_grid), AG_OK);
        char *a = get_file(in_scratch(names[i][0]), &size_a);
        char *b = get_file(in_scratch(names[i][1]), &size_b);
        assert_int_equal(size_a, size_b);
        assert_memory_equal(a, b, size_a);
        free(a);
        free(b);
    }
}

/* gnuplot draws no image of one row or column by itself; the picture must not be blank then. */
static void single_cells_are_drawn(void **state)
{
    (void)state;
    const float *data = NULL;
    size_t n = 0;
    ag_grid grid = win_grid;
    grid.n_rows = 1;
    stand_in("#!/bin/sh\nexec /bin/cat\n");
    char *input = input_for(&grid, "a.png", &data, &n);
    assert_has(input, "array=(6,2) origin=(-0.25,-0.25) dx=0.5 dy=0.5 ");
    assert_int_equal(n, 12);
    free((void *)data);
    free(input);
    grid.n_rows = 0;
    assert_int_equal(draw(in_scratch("b.png"), &grid), AG_E_ARG);
}

static void missing_gnuplot_is_named_with_its_package(void **state)
{
    (void)state;
    const char *path = in_scratch("a.png");
    char want[PATH_MAX + 100];
    put_file(path, "old");
    setenv("PATH", in_scratch("nothing here"), 1);
    assert_int_equal(draw(path, &win_grid), AG_E_IO);
    snprintf(want, sizeof want, "cannot draw %s: gnuplot is not installed (Debian: apt-get install gnuplot-nox)", path);
    assert_string_equal(ag_ctx_message(ctx), want);
    assert_file(path, "old");
    assert_int_equal(scratch_entries(), 1);
}

static void failing_gnuplot_is_quoted(void **state)
{
    (void)state;
    static const char *const scripts[] = {
        "#!/bin/sh\nprintf '\\ngnuplot> set terminal x\\n             ^\\n         line 2: unknown terminal\\n\\n' "
        ">&2\n"
        "echo part of a picture\nexit 1\n",
        "#!/bin/sh\nexit 0\n",
        "#!/bin/sh\nkill -9 $$\n",
    };
    static const char *const reasons[] = {"line 2: unknown terminal", "it gave no picture and no reason",
                                          "it gave no picture and no reason"};
    const char *path = in_scratch("a.svg");
    char want[PATH_MAX + 100];
    put_file(path, "old");
    stand_in("");
    for (size_t i = 0; i < AG_COUNT(scripts); i++) {
        put_file(in_scratch("bin/gnuplot"), scripts[i]);
        assert_int_equal(draw(path, &win_grid), AG_E_IO);
        snprintf(want, sizeof want, "cannot draw %s: gnuplot: %s", path, reasons[i]);
        assert_string_equal(ag_ctx_message(ctx), want);
        assert_file(path, "old");
        assert_int_equal(scratch_entries(), 2);
    }
}

static void full_device_is_noticed(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0) {
        print_message("no /dev/full here\n");
        skip();
    }
    stand_in("#!/bin/sh\nexec /bin/cat\n");
    assert_int_equal(draw("png:/dev/full", &win_grid), AG_E_IO);
    assert_string_equal(ag_ctx_message(ctx), "cannot write /dev/full: No space left on device");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(gnuplot_reads_script_and_cells),
        TEST(svg_cells_are_blocks),
        TEST(large_grids_are_thinned),
        TEST(labels_are_text_not_commands),
        TEST(png_is_a_picture),
        TEST(svg_is_well_formed),
        TEST(same_grid_gives_the_same_bytes),
        TEST(single_cells_are_drawn),
        TEST(missing_gnuplot_is_named_with_its_package),
        TEST(failing_gnuplot_is_quoted),
        TEST(full_device_is_noticed),
    };
    if (ag_ctx_create(&ctx) != AG_OK)
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ag_ctx_free(ctx);
    return failed;
}
