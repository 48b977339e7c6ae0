/*
 * test_table.c -- every text and array format reads back to what was written, and paths choose formats.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "output/output.h"
#include "../core/scratch.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <locale.h>

static ag_ctx *ctx;

static const int64_t ints[] = {0, -1, INT64_MAX, INT64_MIN, 42};
static const double reals[] = {-0.0, 0.1, DBL_MAX, -4.9406564584124654e-324, 1.0 / 3};
static const char *const texts[] = {"plain", "a,b", "say \"hi\"", "two\nlines", ""};
static const ag_column columns[] = {
    {.name = "count", .kind = AG_CELL_INT, .ints = ints},
    {.name = "p, \"win\"", .kind = AG_CELL_REAL, .reals = reals},
    {.name = "bot", .kind = AG_CELL_TEXT, .texts = texts},
};
static const ag_table all_kinds = {.columns = columns, .n_columns = 3, .n_rows = 5};

static void write_table(const char *path, const ag_table *table)
{
    if (ag_table_write(ctx, path, table) != AG_OK)
        fail_msg("%s: %s", path, ag_ctx_message(ctx));
}

/* Runs python3 with one argument; 77 from it, or no python3, means that it lacks a module: skip. */
static void assert_python(const char *program, const char *argument)
{
    char command[PATH_MAX + 1000];
    if (system("python3 -c '' >/dev/null 2>&1") != 0) {
        print_message("no python3 here\n");
        skip();
    }
    snprintf(command, sizeof command, "python3 -c \"%s\" '%s'", program, argument);
    const int ended = system(command);
    if (ended == 77 << 8) {
        print_message("python3 lacks a module that this test needs\n");
        skip();
    }
    assert_int_equal(ended, 0);
}

/* ------------------------------------------------------------------------ csv */

/* Reads one field of RFC 4180 from *at; returns the character that ended it: ',' or '\n'. */
static char next_field(const char **at, char *field)
{
    if (**at == '"') {
        for (++*at; (*at)[0] != '"' || (*at)[1] == '"'; ++*at) {
            *at += (*at)[0] == '"';
            *field++ = **at;
        }
        ++*at;
    } else {
        while (**at != ',' && **at != '\n')
            *field++ = *(*at)++;
    }
    *field = '\0';
    return *(*at)++;
}

static void csv_reads_back(void **state)
{
    (void)state;
    char field[400];
    write_table(in_scratch("t.csv"), &all_kinds);
    char *content = get_file(in_scratch("t.csv"), NULL);
    const char *at = content;
    for (size_t c = 0; c < 3; c++) {
        assert_int_equal(next_field(&at, field), c < 2 ? ',' : '\n');
        assert_string_equal(field, columns[c].name);
    }
    for (size_t row = 0; row < 5; row++) {
        assert_int_equal(next_field(&at, field), ',');
        assert_true(strtoll(field, NULL, 10) == ints[row]);
        assert_int_equal(next_field(&at, field), ',');
        assert_true(strtod(field, NULL) == reals[row]);
        assert_true(field[0] != '-' || reals[row] < 0);
        assert_int_equal(next_field(&at, field), '\n');
        assert_string_equal(field, texts[row]);
    }
    assert_int_equal(*at, '\0');
    free(content);
}

static void csv_text_is_known(void **state)
{
    (void)state;
    write_table(in_scratch("t.csv"), &all_kinds);
    assert_file(in_scratch("t.csv"), "count,\"p, \"\"win\"\"\",bot\n"
                                     "0,0,plain\n"
                                     "-1,0.10000000000000001,\"a,b\"\n"
                                     "9223372036854775807,1.7976931348623157e+308,\"say \"\"hi\"\"\"\n"
                                     "-9223372036854775808,-4.9406564584124654e-324,\"two\nlines\"\n"
                                     "42,0.33333333333333331,\n");
    const ag_table lone = {.columns = &columns[2], .n_columns = 1, .n_rows = 5};
    write_table(in_scratch("lone.csv"), &lone);
    assert_file(in_scratch("lone.csv"), "bot\nplain\n\"a,b\"\n\"say \"\"hi\"\"\"\n\"two\nlines\"\n\"\"\n");
    const ag_table empty = {.columns = columns, .n_columns = 3, .n_rows = 0};
    write_table(in_scratch("empty.csv"), &empty);
    assert_file(in_scratch("empty.csv"), "count,\"p, \"\"win\"\"\",bot\n");
}

/* ----------------------------------------------------------------------- json */

static void json_text_is_known(void **state)
{
    (void)state;
    ag_table table = all_kinds;
    table.summary_json = "\"game\":\"hog\",\"states\":10000";
    write_table(in_scratch("t.json"), &table);
    assert_file(in_scratch("t.json"), "{\"game\":\"hog\",\"states\":10000,\n"
                                      "\"columns\":[\"count\",\"p, \\\"win\\\"\",\"bot\"],\n"
                                      "\"rows\":[\n"
                                      "[0,0,\"plain\"],\n"
                                      "[-1,0.10000000000000001,\"a,b\"],\n"
                                      "[9223372036854775807,1.7976931348623157e+308,\"say \\\"hi\\\"\"],\n"
                                      "[-9223372036854775808,-4.9406564584124654e-324,\"two\\u000alines\"],\n"
                                      "[42,0.33333333333333331,\"\"]]}\n");
    const ag_table empty = {.columns = columns, .n_columns = 1, .n_rows = 0};
    write_table(in_scratch("empty.json"), &empty);
    assert_file(in_scratch("empty.json"), "{\n\"columns\":[\"count\"],\n\"rows\":[]}\n");
}

static void json_is_accepted_by_python(void **state)
{
    (void)state;
    ag_table table = all_kinds;
    table.summary_json = "\"game\":\"hog\"";
    write_table(in_scratch("t.json"), &table);
    assert_python("import json,sys; t=json.load(open(sys.argv[1])); r=t['rows']; "
                  "assert len(r)==5 and r[2][0]==2**63-1 and r[4][1]==1/3 and r[3][2]=='two\\nlines'",
                  in_scratch("t.json"));
}

static void json_strings_are_escaped(void **state)
{
    (void)state;
#define BAD "\xef\xbf\xbd"
    static const struct {
        const char *text, *json;
    } cases[] = {
        {"", "\"\""},
        {"\\ \" /", "\"\\\\ \\\" /\""},
        {"\x01\t\r\n\x1f\x7f", "\"\\u0001\\u0009\\u000d\\u000a\\u001f\x7f\""},
        {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x8e\xb2", "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x8e\xb2\""},
        {"\xff\xfe", "\"" BAD BAD "\""},
        {"a\xc3", "\"a" BAD "\""},                                    /* ends within a character */
        {"\xc3\"", "\"" BAD "\\\"\""},                                /* the quote is not swallowed */
        {"\xc0\x80", "\"" BAD BAD "\""},                              /* overlong */
        {"\xe0\x80\x80", "\"" BAD BAD BAD "\""},                      /* overlong */
        {"\xf0\x8f\xbf\xbf", "\"" BAD BAD BAD BAD "\""},              /* overlong */
        {"\xed\xa0\x80", "\"" BAD BAD BAD "\""},                      /* surrogate */
        {"\xed\x9f\xbf\xee\x80\x80", "\"\xed\x9f\xbf\xee\x80\x80\""}, /* around the surrogates */
        {"\xf4\x8f\xbf\xbf", "\"\xf4\x8f\xbf\xbf\""},                 /* U+10FFFF */
        {"\xf4\x90\x80\x80", "\"" BAD BAD BAD BAD "\""},              /* past it */
        {"\xe2\x82", "\"" BAD BAD "\""},
    };
    for (size_t i = 0; i < AG_COUNT(cases); i++) {
        char text[100] = "";
        FILE *to = fmemopen(text, sizeof text, "w");
        assert_non_null(to);
        ag_json_string(to, cases[i].text);
        fclose(to);
        assert_string_equal(text, cases[i].json);
    }
}

/* A program may set its locale; the files stay the same. */
static void numbers_have_points_in_every_locale(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    size_t i = 0;
    while (i < AG_COUNT(names) && !setlocale(LC_NUMERIC, names[i]))
        i++;
    if (i == AG_COUNT(names)) {
        print_message("no locale with a decimal comma here\n");
        skip();
    }
    const ag_table table = {.columns = &columns[1], .n_columns = 1, .n_rows = 3};
    write_table(in_scratch("t.csv"), &table);
    write_table(in_scratch("t.txt"), &table);
    setlocale(LC_NUMERIC, "C");
    assert_file(in_scratch("t.csv"), "\"p, \"\"win\"\"\"\n0\n0.10000000000000001\n1.7976931348623157e+308\n");
    char *content = get_file(in_scratch("t.txt"), NULL);
    assert_non_null(strstr(content, " 0.100000\n"));
    free(content);
}

/* ------------------------------------------------------------------------ npy */

static void npy_bytes_are_known(void **state)
{
    (void)state;
    static const double values[6] = {0, 1, -2.5, 1.0 / 3, DBL_MIN, 6};
    static const uint8_t moves[6] = {0, 1, 2, 10, 100, 255};
    const ag_grid grids[] = {{.n_rows = 2, .n_cols = 3, .reals = values}, {.n_rows = 2, .n_cols = 3, .bytes = moves}};
    static const char *const headers[] = {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }",
                                          "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }"};
    for (int i = 0; i < 2; i++) {
        const ag_table table = {.grid = &grids[i]};
        size_t size = 0;
        write_table(in_scratch("a.npy"), &table);
        char *content = get_file(in_scratch("a.npy"), &size);
        assert_memory_equal(content, "\x93NUMPY\x01\x00\x76\x00", 10); /* 128 - 10 bytes of text */
        assert_memory_equal(content + 10, headers[i], strlen(headers[i]));
        for (size_t k = 10 + strlen(headers[i]); k < 127; k++)
            assert_int_equal(content[k], ' ');
        assert_int_equal(content[127], '\n');
        assert_int_equal(size, 128 + (i == 0 ? sizeof values : sizeof moves));
        if (i == 0) /* -2.5 is 0xC004000000000000 */
            assert_memory_equal(content + 128 + 16, "\0\0\0\0\0\0\x04\xc0", 8);
        else
            assert_memory_equal(content + 128, moves, sizeof moves);
        free(content);
    }
}

static void npy_reads_back_in_every_shape(void **state)
{
    (void)state;
    static const size_t shapes[][2] = {{0, 0}, {1, 1}, {1, 511}, {16, 32}, {27, 19}, {100, 100}, {1000, 1}, {3, 1000}};
    for (size_t s = 0; s < AG_COUNT(shapes); s++) {
        const size_t n = shapes[s][0] * shapes[s][1];
        double *values = calloc(n + 1, sizeof *values);
        assert_non_null(values);
        for (size_t i = 0; i < n; i++)
            values[i] = 1.0 / (double)(i + 1);
        const ag_grid grid = {.n_rows = shapes[s][0], .n_cols = shapes[s][1], .reals = values};
        const ag_table table = {.grid = &grid};
        size_t size = 0, n_rows = 99, n_cols = 99;
        write_table(in_scratch("a.npy"), &table);
        char *content = get_file(in_scratch("a.npy"), &size);
        const size_t start = 10u + (unsigned char)content[8] + 256u * (unsigned char)content[9];
        assert_int_equal(start % 64, 0);
        assert_int_equal(sscanf(strstr(content + 10, "'shape'"), "'shape': (%zu, %zu), }", &n_rows, &n_cols), 2);
        assert_int_equal(n_rows, shapes[s][0]);
        assert_int_equal(n_cols, shapes[s][1]);
        assert_int_equal(size, start + n * sizeof *values);
        for (size_t i = 0; i < n; i++) {
            const unsigned char *bytes = (const unsigned char *)content + start + 8 * i;
            uint64_t bits = 0;
            for (int k = 7; k >= 0; k--)
                bits = bits << 8 | bytes[k];
            double value;
            memcpy(&value, &bits, sizeof value);
            assert_true(value == values[i]);
        }
        free(content);
        free(values);
    }
}

static void npy_is_accepted_by_numpy(void **state)
{
    (void)state;
    static const double values[6] = {0, 1, -2.5, 0.125, 1e300, 6};
    const ag_grid grid = {.n_rows = 2, .n_cols = 3, .reals = values};
    const ag_table table = {.grid = &grid};
    write_table(in_scratch("a.npy"), &table);
    assert_python("import sys\n"
                  "try: import numpy\n"
                  "except ImportError: sys.exit(77)\n"
                  "a = numpy.load(sys.argv[1])\n"
                  "assert a.shape == (2, 3) and a.dtype == '<f8' and a.tolist() == [[0, 1, -2.5], [0.125, 1e300, 6]]",
                  in_scratch("a.npy"));
}

/* ------------------------------------------------------------------------ txt */

static void txt_is_aligned(void **state)
{
    (void)state;
    static const double values[] = {0.5, -1e-9, -12.25};
    static const char *const names[] = {"long name", "\xc3\xa9t\xc3\xa9", "x\ny"};
    const ag_column parts[] = {
        {.name = "n", .kind = AG_CELL_INT, .ints = ints},
        {.name = "bot", .kind = AG_CELL_TEXT, .texts = names},
        {.name = "p", .kind = AG_CELL_REAL, .reals = values},
        {.name = "note", .kind = AG_CELL_TEXT, .texts = names},
    };
    const ag_table table = {.columns = parts, .n_columns = 4, .n_rows = 3, .summary_text = "Summary."};
    write_table(in_scratch("t.txt"), &table);
    assert_file(in_scratch("t.txt"), "Summary.\n\n"
                                     "                  n  bot                 p  note\n"
                                     "                  0  long name    0.500000  long name\n"
                                     "                 -1  \xc3\xa9t\xc3\xa9            -1e-09  \xc3\xa9t\xc3\xa9\n"
                                     "9223372036854775807  x y        -12.250000  x y\n");
}

/* ---------------------------------------------------------------------- paths */

static void ending_chooses_the_format(void **state)
{
    (void)state;
    static const char *const good[] = {"a.csv",   "a.CSV",   "a.b.Json",         "./a.txt",
                                       ".csv",    "csv:a",   "JSON:/dev/stdout", "txt:a.csv",
                                       "a b.npy", "x:y.csv", "./csv:x.csv"};
    static const struct {
        const char *path, *message;
    } bad[] = {
        {"a.xyz", "--out FILE: unknown ending \".xyz\" of \"a.xyz\"; .csv .json .npy .txt .png .svg are known"},
        {"a.csv2", "--out FILE: unknown ending \".csv2\" of \"a.csv2\"; .csv .json .npy .txt .png .svg are known"},
        {"/dev/stdout", "--out FILE: no ending in \"/dev/stdout\"; .csv .json .npy .txt .png .svg are known, "
                        "or name the format: csv:/dev/stdout"},
        {"a.csv/b", "--out FILE: no ending in \"a.csv/b\"; .csv .json .npy .txt .png .svg are known, "
                    "or name the format: csv:a.csv/b"},
        {"a.", "--out FILE: no ending in \"a.\"; .csv .json .npy .txt .png .svg are known, or name the format: csv:a."},
        {"", "--out FILE: no ending in \"\"; .csv .json .npy .txt .png .svg are known, or name the format: csv:"},
        {"csv:", "--out FILE: no file name in \"csv:\""},
    };
    for (size_t i = 0; i < AG_COUNT(good); i++)
        assert_int_equal(ag_table_check_path(ctx, good[i], true), AG_OK);
    for (size_t i = 0; i < AG_COUNT(bad); i++) {
        assert_int_equal(ag_table_check_path(ctx, bad[i].path, true), AG_E_ARG);
        assert_string_equal(ag_ctx_message(ctx), bad[i].message);
        assert_int_equal(ag_table_write(ctx, bad[i].path, &all_kinds), AG_E_ARG);
    }
}

/* What could not be written is refused before any work, and looking leaves the old file as it is. */
static void what_cannot_be_written_is_refused_first(void **state)
{
    (void)state;
    assert_int_equal(ag_table_check_path(ctx, "no-such-folder/a.csv", true), AG_E_IO);
    assert_string_equal(ag_ctx_message(ctx), "cannot write no-such-folder/a.csv: No such file or directory");
    assert_int_equal(ag_table_check_path(ctx, "csv:/", true), AG_E_IO);
    assert_string_equal(ag_ctx_message(ctx), "cannot write /: Is a directory");
    assert_int_equal(ag_table_check_path(ctx, "csv:/dev/full", true), AG_OK); /* not a file: not looked into */

    FILE *old = fopen(in_scratch("old.csv"), "w");
    assert_non_null(old);
    assert_true(fputs("old", old) >= 0 && fclose(old) == 0);
    assert_int_equal(ag_table_check_path(ctx, in_scratch("old.csv"), true), AG_OK);
    assert_file(in_scratch("old.csv"), "old");
}

static void arrays_and_pictures_need_a_grid(void **state)
{
    (void)state;
    static const char *const names[] = {"a.npy", "a.png", "a.SVG"};
    for (size_t i = 0; i < AG_COUNT(names); i++) {
        assert_int_equal(ag_table_check_path(ctx, names[i], true), AG_OK);
        assert_int_equal(ag_table_check_path(ctx, names[i], false), AG_E_ARG);
        assert_non_null(strstr(ag_ctx_message(ctx), ".csv .json .txt"));
        assert_int_equal(ag_table_write(ctx, in_scratch(names[i]), &all_kinds), AG_E_ARG);
    }
    assert_int_equal(scratch_entries(), 0);
}

static void format_prefix_wins_over_the_ending(void **state)
{
    (void)state;
    const ag_table table = {.columns = columns, .n_columns = 1, .n_rows = 1};
    char path[PATH_MAX];
    snprintf(path, sizeof path, "csv:%s", in_scratch("a.json"));
    write_table(path, &table);
    assert_file(in_scratch("a.json"), "count\n0\n");
}

static void failure_is_reported_and_harms_nothing(void **state)
{
    (void)state;
    assert_int_equal(ag_table_write(ctx, in_scratch("no/t.csv"), &all_kinds), AG_E_IO);
    assert_non_null(strstr(ag_ctx_message(ctx), strerror(ENOENT)));
    if (access("/dev/full", W_OK) != 0) {
        print_message("no /dev/full here\n");
        skip();
    }
    assert_int_equal(ag_table_write(ctx, "json:/dev/full", &all_kinds), AG_E_IO);
    assert_string_equal(ag_ctx_message(ctx), "cannot write /dev/full: No space left on device");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, scratch_setup, scratch_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(csv_reads_back),
        TEST(csv_text_is_known),
        TEST(json_text_is_known),
        TEST(json_is_accepted_by_python),
        TEST(json_strings_are_escaped),
        TEST(numbers_have_points_in_every_locale),
        TEST(npy_bytes_are_known),
        TEST(npy_reads_back_in_every_shape),
        TEST(npy_is_accepted_by_numpy),
        TEST(txt_is_aligned),
        TEST(ending_chooses_the_format),
        TEST(what_cannot_be_written_is_refused_first),
        TEST(arrays_and_pictures_need_a_grid),
        TEST(format_prefix_wins_over_the_ending),
        TEST(failure_is_reported_and_harms_nothing),
    };
    if (ag_ctx_create(&ctx) != AG_OK)
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ag_ctx_free(ctx);
    return failed;
}
