/*
 * test_cli.c -- the program as people and scripts meet it: what it prints, where, and its exit status.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "program.h"

#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>

/* ------------------------------------------------------------------ JSON grammar */

static const char *json_value(const char *s);

static const char *blanks(const char *s)
{
    return s + strspn(s, " \t\r\n");
}

static const char *json_string(const char *s)
{
    if (*s++ != '"')
        return NULL;
    for (; *s != '"'; s++)
        if ((unsigned char)*s < 0x20 || (*s == '\\' && !*++s))
            return NULL;
    return s + 1;
}

static const char *json_number(const char *s)
{
    s += *s == '-';
    if (!isdigit((unsigned char)*s))
        return NULL;
    s += *s == '0' ? 1 : strspn(s, "0123456789");
    if (*s == '.') {
        const size_t n = strspn(++s, "0123456789");
        if (n == 0)
            return NULL;
        s += n;
    }
    if (*s == 'e' || *s == 'E') {
        s++;
        s += *s == '+' || *s == '-';
        const size_t n = strspn(s, "0123456789");
        return n ? s + n : NULL;
    }
    return s;
}

/* Members of an object (keyed) or an array, after the opening bracket. */
static const char *json_members(const char *s, bool keyed, char end)
{
    s = blanks(s);
    if (*s == end)
        return s + 1;
    for (;; s++) {
        if (keyed) {
            s = json_string(blanks(s));
            s = s ? blanks(s) : NULL;
            if (!s || *s++ != ':')
                return NULL;
        }
        s = json_value(s);
        if (!s)
            return NULL;
        s = blanks(s);
        if (*s == end)
            return s + 1;
        if (*s != ',')
            return NULL;
    }
}

/* The end of the value at s, or NULL if there is none. */
static const char *json_value(const char *s)
{
    static const char *const words[] = {"true", "false", "null"};
    s = blanks(s);
    if (*s == '{' || *s == '[')
        return json_members(s + 1, *s == '{', *s == '{' ? '}' : ']');
    if (*s == '"')
        return json_string(s);
    for (size_t i = 0; i < COUNT(words); i++)
        if (!strncmp(s, words[i], strlen(words[i])))
            return s + strlen(words[i]);
    return json_number(s);
}

static void is_json(const char *what, const char *text)
{
    const char *end = json_value(text);
    if (!end || *blanks(end))
        fail_msg("%s is not one JSON value: %.300s", what, text);
}

/* ------------------------------------------------------------------------- tests */

static const char *const commands[] = {
    "",         "hog",        "hog solve", "hog advise", "hog odds",     "hog rules", "hog scan",
    "hog play", "hog replay", "lcr",       "lcr play",   "lcr simulate", "devices",   "verify",
};

static void help_fits_a_screen_and_its_example_runs(void **state)
{
    char command[512];
    (void)state;
    for (size_t i = 0; i < COUNT(commands); i++) {
        snprintf(command, sizeof command, "astragal %s --help", commands[i]);
        ok(command);
        assert_string_equal(last.err, "");
        size_t lines = 0;
        for (const char *at = last.out; *at; lines++) {
            const size_t width = strcspn(at, "\n");
            if (width > 80)
                fail_msg("%s: line of %zu columns: %.*s", command, width, (int)width, at);
            at += width + 1;
        }
        if (lines > 24)
            fail_msg("%s: %zu lines", command, lines);
        const char *example = strstr(last.out, "Example: astragal");
        if (!example)
            fail_msg("%s: no example", command);
        snprintf(command, sizeof command, "%.*s", (int)strcspn(example, "\n") - 9, example + 9);
        ok(command);
    }
}

static void version_goes_to_stdout(void **state)
{
    (void)state;
    ok("astragal --version");
    assert_true(!strncmp(last.out, "astragal 0.", 11));
    assert_string_equal(last.err, "");
}

static void bad_usage_is_refused_in_one_line(void **state)
{
    static const char *const cases[][2] = {
        {"astragal", "no command"},
        {"astragal ''", "unknown command"},
        {"astragal hgo", "did you mean hog?"},
        {"astragal hog", "hog needs a command"},
        {"astragal hog slove", "did you mean hog solve?"},
        {"astragal hog solve extra", "unexpected argument extra"},
        {"astragal hog solve --jsn", "did you mean --json?"},
        {"astragal hog solve --zzzzzzzzzz", "unknown option --zzzzzzzzzz"},
        {"astragal hog solve -x", "unknown option -x"},
        {"astragal hog solve --se 1", "ambiguous"},
        {"astragal hog solve --json=1", "--json takes no value"},
        {"astragal hog solve --rules", "--rules needs a value"},
        {"astragal hog solve --game 1", "hog solve takes no --game"},
        {"astragal hog solve --version", "takes no --version"},
        {"astragal devices --threads 2", "devices takes no --threads"},
        {"astragal hog solve --threads 0", "--threads is 0, must be 1..1024"},
        {"astragal hog solve --threads 1025", "must be 1..1024"},
        {"astragal hog solve --threads 2x", "--threads is 2x"},
        {"astragal hog solve --threads ''", "--threads is empty"},
        {"astragal hog solve --device -1", "--device is -1"},
        {"astragal hog solve --backend nosuch", "nosuch"},
        {"astragal hog solve --backend ''", "backend"},
        {"astragal hog solve --method fast", "must be layers|sweep"},
        {"astragal hog solve --what moves", "must be win|rolls"},
        {"astragal hog solve --progress always", "must be auto|never"},
        {"astragal hog solve --epsilon 0", "--epsilon is 0"},
        {"astragal hog solve --epsilon 1", "--epsilon is 1"},
        {"astragal hog solve --epsilon -1e-9", "--epsilon is -1e-9"},
        {"astragal hog solve --epsilon nan", "--epsilon is nan"},
        {"astragal hog solve --epsilon inf", "--epsilon is inf"},
        {"astragal hog solve --epsilon 1e-9x", "--epsilon is 1e-9x"},
        {"astragal hog solve --epsilon 0x1p-3", "--epsilon is 0x1p-3"},
        {"astragal hog solve --epsilon 1e-99999", "--epsilon is 1e-99999"},
        {"astragal hog replay --seed -1", "must be 0..18446744073709551615"},
        {"astragal hog replay --seed 18446744073709551616", "must be 0..18446744073709551615"},
        {"astragal hog replay --seed 1e3", "--seed is 1e3"},
        {"astragal hog replay --game ''", "--game is empty"},
        {"astragal hog replay optimal", "both players must be named"},
        {"astragal hog replay human optimal", "player is human"},
        {"astragal hog replay optimal always:11", "must be 0..10"},
        {"astragal hog replay optimal always:x", "must be 0..10"},
        {"astragal hog replay --rules neller optimal always:0", "must be 1..10"},
        {"astragal hog play optimal ''", "player is empty"},
        {"astragal verify nosuch", "game is nosuch, must be hog"},
        {"astragal verify --backend reference", "choose another"},
        {"astragal verify --rules nosuch", "nosuch"},
        {"astragal hog rules laney --keys", "--keys goes without"},
        {"astragal hog rules laney --rules laney", "one rule set"},
        {"astragal hog odds --faces 1", "--faces is 1, must be 2..100"},
        {"astragal hog odds --faces 101", "must be 2..100"},
        {"astragal hog odds --max-rolls 0", "must be 1..100"},
        {"astragal hog odds --max-rolls 101", "must be 1..100"},
        {"astragal lcr", "lcr needs a command"},
        {"astragal lcr solv", "unknown command lcr solv"},
        {"astragal lcr simulate", "--players is not given, must be 2..1024"},
        {"astragal lcr simulate --players 0", "--players is 0, must be 2..1024"},
        {"astragal lcr simulate --players 1", "--players is 1, must be 2..1024"},
        {"astragal lcr simulate --players -3", "--players is -3, must be 2..1024"},
        {"astragal lcr simulate --players 1000000", "--players is 1000000, must be 2..1024"},
        {"astragal lcr simulate --players 4 --coins 0", "--coins is 0, must be 1..255"},
        {"astragal lcr simulate --players 4 --cap 17", "--cap is 17, must be 1..16"},
        {"astragal lcr simulate --players 4 --first 4", "first is 4, must be 0..3"},
        {"astragal lcr simulate --players 4 --faces 6,0,0,0", "such a game may never end"},
        {"astragal lcr simulate --players 4 --faces 3,1,1", "--faces is 3,1,1, must be four numbers"},
        {"astragal lcr simulate --players 4 --games 0", "--games is 0, must be a whole number 1..1000000000000"},
        {"astragal lcr simulate --players 4 --games 1.5", "--games is 1.5, must be a whole number"},
        {"astragal lcr simulate --players 4 --games 1e30", "--games is 1e30, must be a whole number"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        refused(cases[i][0], 2, cases[i][1]);
}

static void bad_rules_and_scores_are_refused_in_one_line(void **state)
{
    static const char *const cases[][2] = {
        {"astragal hog solve --rules nosuch", "nosuch"},
        {"astragal hog solve --rules ''", "rule set"},
        {"astragal hog solve --rules laneyy", "did you mean \"laney\""},
        {"astragal hog solve --rules \"$(printf 'a\\nb')\"", "a b"},
        {"astragal hog rules nosuch", "nosuch"},
        {"astragal hog solve --set nosuch=1", "unknown key"},
        {"astragal hog solve --set goal", "KEY=VALUE"},
        {"astragal hog solve --set goal=", "goal is"},
        {"astragal hog solve --set goal=0", "1..10000"},
        {"astragal hog solve --set goal=-5", "1..10000"},
        {"astragal hog solve --set goal=nan", "1..10000"},
        {"astragal hog solve --set goal=100x", "1..10000"},
        {"astragal hog solve --set goal=10001", "GiB"},
        {"astragal hog solve --set goal=1000000000",
         "must be 1..10000: a table of win probabilities and moves for it takes 8.38e+09 GiB"},
        {"astragal hog solve --set goal=1e9", "8.38e+09 GiB"},
        {"astragal hog solve --set max_rolls=101", "1..100"},
        {"astragal hog solve --set swap=1", "swap is"},
        {"astragal hog advise 5", "hog advise needs S O"},
        {"astragal hog advise 100 0", "score is 100, must be 0..99 (goal 100)"},
        {"astragal hog advise 0 100", "opponent_score is 100, must be 0..99 (goal 100)"},
        {"astragal hog advise -1 0", "score is -1, must be 0..99 (goal 100)"},
        {"astragal hog advise 5x 0", "score is 5x, must be 0..99 (goal 100)"},
        {"astragal hog advise '' 0", "score is empty"},
        {"astragal hog advise nan 0", "score is nan"},
        {"astragal hog advise 50 0 --set goal=50", "score is 50, must be 0..49 (goal 50)"},
        {"astragal hog scan --set goal=20..10", "whole numbers 0 <= A <= B"},
        {"astragal hog scan --set goal=10..20..0", "STEP >= 1"},
        {"astragal hog scan --set goal=10..20..-1", "STEP >= 1"},
        {"astragal hog scan --set goal=-2..5", "whole numbers"},
        {"astragal hog scan --set goal=1..", "whole numbers"},
        {"astragal hog scan --set goal=1..2..3..4", "whole numbers"},
        {"astragal hog scan --set goal=0..5", "1..10000"},
        {"astragal hog scan --set goal=5 --set goal=6", "goal is given twice"},
        {"astragal hog scan --set goal=1..10000 --set max_rolls=1..100 --set faces=2..100", "at most 1000000"},
        {"astragal hog scan --set 'swap=double|nosuch'", "nosuch"},
        {"astragal hog scan --set swap", "KEY=A..B"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        refused(cases[i][0], 2, cases[i][1]);
}

static void options_follow_gnu_conventions(void **state)
{
    (void)state;
    ok("astragal --quiet hog advise --rules=laney 42 --set goal=50 37");
    says("options anywhere", "laney+, goal 50: you have 42, your opponent 37");
    ok("astragal hog solve --set goal=5 --backend cpu --");
    ok("astragal hog advise --rul laney -- 1 2");
    says("abbreviation", "laney, goal 100: you have 1, your opponent 2");
    ok("astragal hog solve --rules fa15 --rules laney --set goal=9 --set goal=8 --quiet");
    says("the last one counts", "goal               8 (64 states)");
    ok("astragal hog -h");
    says("-h", "hog COMMAND");
    ok("astragal hog solve --epsilon 1e-9 --method sweep --set goal=5 --quiet --threads 2 --progress never");
}

static void unknown_endings_are_refused_before_any_work(void **state)
{
    (void)state;
    refused("astragal hog solve --out table.xls", 2, ".csv .json .npy .txt .png .svg");
    refused("astragal hog solve --out table", 2, "table");
    refused("astragal hog solve --out ''", 2, "--out");
    refused("astragal hog solve --out new.csv --out table.xls", 2, "table.xls");
    assert_int_not_equal(access("new.csv", F_OK), 0);
    refused("astragal hog odds --out odds.png", 2, "odds.png");
    refused("astragal hog scan --set goal=1..3 --out scan.npy", 2, "scan.npy");
}

static bool temporary_left(void)
{
    DIR *dir = opendir(".");
    bool found = false;
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));)
        found |= strstr(entry->d_name, ".tmp") != NULL;
    closedir(dir);
    return found;
}

static void failed_output_leaves_the_old_file(void **state)
{
    (void)state;
    ok("echo old > old.csv; mkdir -p dir.csv; ln -sf /dev/full full.csv");
    refused("astragal hog solve --backend cpu --out dir.csv", 1, "dir.csv");
    refused("astragal hog solve --backend cpu --out full.csv", 1, "full.csv");
    refused("astragal hog solve --backend cpu --out no/such/folder.csv", 1, "folder.csv");
    /* A file may grow to 512 bytes only: the disk is full half-way. 25 is SIGXFSZ. */
    refused("trap '' 25; ulimit -f 1; astragal hog solve --backend cpu --out old.csv", 1, "old.csv");
    ok("cat old.csv");
    assert_string_equal(last.out, "old\n");
    assert_false(temporary_left());
    ok("astragal hog solve --backend cpu --out old.csv && head -1 old.csv | cmp - <<END\n"
       "score,opponent_score,rolls,win_probability\nEND");
    assert_false(temporary_left());
}

static void a_lost_stdout_is_an_error(void **state)
{
    (void)state;
    refused("astragal hog rules > /dev/full", 1, "standard output");
    refused("astragal hog solve > /dev/full", 1, "standard output");
    refused("astragal hog scan --set goal=1..9 > /dev/full", 1, "stdout");
    refused("astragal --help > /dev/full", 1, "standard output");
    refused("astragal hog rules >&-", 1, "standard output");
    /* More than a pipe holds, so that the writer meets the closed end. */
    ok("{ astragal hog odds --max-rolls 60; echo $? > status; } | head -1; cat status");
    assert_non_null(strstr(last.out, "\n1\n"));
    assert_non_null(strstr(last.err, "astragal: cannot write to standard output: Broken pipe\n"));
    ok("astragal hog scan --set goal=1..9 --out scan.csv --backend cpu >&-");
}

/* Starts the game that waits for a human, and interrupts it once it asks. */
static void an_interrupt_ends_with_130(void **state)
{
    static const int signals[] = {SIGINT, SIGTERM};
    (void)state;
    for (size_t i = 0; i < COUNT(signals); i++) {
        int in[2], out[2], status;
        char prompt;
        assert_int_equal(pipe(in) | pipe(out), 0);
        const pid_t pid = fork();
        if (pid == 0) {
            dup2(in[0], 0);
            dup2(out[1], 1);
            signal(signals[i], SIG_DFL);
            execlp("astragal", "astragal", "hog", "play", (char *)NULL);
            _exit(99);
        }
        assert_int_equal(read(out[0], &prompt, 1), 1);
        assert_int_equal(kill(pid, signals[i]), 0);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 130);
        close(in[0]);
        close(in[1]);
        close(out[0]);
        close(out[1]);
    }
}

static void results_are_valid_json(void **state)
{
    static const char *const cases[][2] = {
        {"astragal hog solve --json --quiet", "\"states\":10000,"},
        {"astragal hog solve --json --set goal=9 --method sweep", "\"converged\":true,"},
        {"astragal hog advise 3 4 --json", "\"moves\":[{\"rolls\":"},
        {"astragal hog advise 3 4 --json --rules neller", "\"bacon_points\":null,"},
        {"astragal hog odds --json",
         "\"odds\":[{\"faces\":6,\"rolls\":1,\"total\":1,\"probability\":0.16666666666666666}"},
        {"astragal hog odds --json --rules fa15", "{\"faces\":4,\"rolls\":1,"},
        {"astragal hog rules --json", "\"presets\":[{\"name\":\"cs61a-su23\","},
        {"astragal hog rules --keys --json", "\"keys\":[{\"name\":\"goal\","},
        {"astragal hog rules laney --json", "\"swap\":\"double\""},
        {"astragal hog scan --set goal=1..3 --set 'swap=none|double' --json", "\"columns\":[\"goal\",\"swap\","},
        {"astragal hog replay --json", "\"turns\":[\n{\"turn\":1,\"player\":1,"},
        {"astragal hog replay --json --set wild=sevens_reroll", "\"first_outcomes\":["},
        {"astragal devices --json", "\"backend\":\"cpu\""},
        {"astragal verify --json --backend cpu --set goal=9", "\"agree\":true"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ok(cases[i][0]);
        is_json(cases[i][0], last.out);
        says(cases[i][0], cases[i][1]);
    }
    ok("astragal hog solve --quiet --out table.json > summary && cat table.json");
    is_json("table.json", last.out);
}

static void the_summary_has_exactly_its_keys(void **state)
{
    static const char *const keys[] = {"game",  "rules", "goal",       "states",  "method", "first_player_win",
                                       "lower", "upper", "first_move", "backend", "device", "seconds"};
    char key[64];
    size_t colons = 0;
    (void)state;
    ok("astragal hog solve --json --quiet --backend cpu --rules laney");
    for (size_t i = 0; i < COUNT(keys); i++) {
        snprintf(key, sizeof key, "\"%s\":", keys[i]);
        says("hog solve --json", key);
    }
    for (const char *c = last.out; (c = strstr(c, "\":")); c++)
        colons++;
    assert_int_equal(colons, COUNT(keys));
}

static void tables_have_one_row_for_each_state(void **state)
{
    size_t lines = 0;
    (void)state;
    ok("astragal hog solve --rules laney --out t.csv --backend cpu > summary && cat t.csv");
    assert_int_equal(strncmp(last.out, "score,opponent_score,rolls,win_probability\n0,0,4,0.50027288", 57), 0);
    for (const char *c = last.out; *c; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 10001);
    ok("astragal hog scan --set goal=1..10..3 --set 'swap=none|double' --set turn_score=touchdown --quiet");
    assert_int_equal(strncmp(last.out, "goal,swap,first_player_win,first_move,error\n1,none,", 51), 0);
    lines = 0;
    for (const char *c = last.out; *c; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 9);
}

/* The same bytes whatever ran: number of threads, and OpenCL where there is one. */
static void tables_are_equal_on_every_backend(void **state)
{
    (void)state;
    ok("astragal hog solve --threads 1 --backend cpu --out a.csv --out a.json --out a.npy");
    ok("astragal hog solve --threads 7 --backend cpu --out b.csv --out b.json --out b.npy");
    ok("cmp a.csv b.csv && cmp a.json b.json && cmp a.npy b.npy");
    ok("astragal devices");
    if (!strstr(last.out, "opencl          0  passed")) {
        print_message("no OpenCL device: not compared\n");
        return;
    }
    ok("astragal hog solve --backend opencl --out c.csv --out c.json --out c.npy");
    ok("cmp a.csv c.csv && cmp a.json c.json && cmp a.npy c.npy");
}

static void auto_names_its_backend_on_stderr_only(void **state)
{
    (void)state;
    ok("astragal hog solve --set goal=5");
    assert_true(!strncmp(last.err, "astragal: ran on ", 17));
    assert_ptr_equal(strchr(last.err, '\n'), strrchr(last.err, '\n'));
    ok("astragal hog solve --set goal=5 --quiet");
    assert_string_equal(last.err, "");
    ok("astragal hog solve --set goal=5 --backend cpu");
    assert_string_equal(last.err, "");
}

static void play_asks_again_and_ends_politely(void **state)
{
    (void)state;
    ok("printf '?\\nx\\n\\n11\\n-1\\n 5 \\n' | astragal hog play human always:0");
    says("hint", "win probability");
    says("again", "Type a number of dice from 0 to 10, or ? for the odds.");
    says("a turn", "turn 1, player 1 (human), 0:0: 5d6 ");
    says("the other's turn", "turn 2, player 2 (always:0)");
    says("the end of input", "The game ends unfinished at ");
    assert_string_equal(last.err, "");
    ok("astragal hog play < /dev/null");
    ok("head -c 100000 /dev/zero | astragal hog play");
    ok("astragal hog play always:5 random --set goal=20 --seed 4");
    says("a winner", " wins ");
}

/* Nobody ever scores: pig out 0 on dice that are sure to show a 1. */
static void an_endless_game_is_stopped(void **state)
{
    (void)state;
    ok("astragal hog replay --rules neller --set faces=2 --set max_rolls=100 always:100 always:100 | tail -1");
    assert_string_equal(last.out, "No end after 100000 turns: counted as a draw at 0:0.\n");
}

static void replays_equal_their_transcripts(void **state)
{
    static const char *const cases[][2] = {
        {"astragal hog replay", "hog_replay_su23.txt"},
        {"astragal hog replay --rules fa15 --seed 3 --game 45 optimal random", "hog_replay_fa15.txt"},
        {"astragal hog replay --rules laney --set wild=sevens_reroll --game 15 always:6 optimal",
         "hog_replay_reroll.txt"},
    };
    char path[5000];
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        snprintf(path, sizeof path, "%s/tests/golden/%s", root, cases[i][1]);
        char *want = read_file(path);
        ok(cases[i][0]);
        assert_string_equal(last.out, want);
        free(want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help_fits_a_screen_and_its_example_runs),
        cmocka_unit_test(version_goes_to_stdout),
        cmocka_unit_test(bad_usage_is_refused_in_one_line),
        cmocka_unit_test(bad_rules_and_scores_are_refused_in_one_line),
        cmocka_unit_test(options_follow_gnu_conventions),
        cmocka_unit_test(unknown_endings_are_refused_before_any_work),
        cmocka_unit_test(failed_output_leaves_the_old_file),
        cmocka_unit_test(a_lost_stdout_is_an_error),
        cmocka_unit_test(an_interrupt_ends_with_130),
        cmocka_unit_test(results_are_valid_json),
        cmocka_unit_test(the_summary_has_exactly_its_keys),
        cmocka_unit_test(tables_have_one_row_for_each_state),
        cmocka_unit_test(tables_are_equal_on_every_backend),
        cmocka_unit_test(auto_names_its_backend_on_stderr_only),
        cmocka_unit_test(play_asks_again_and_ends_politely),
        cmocka_unit_test(an_endless_game_is_stopped),
        cmocka_unit_test(replays_equal_their_transcripts),
    };
    return cmocka_run_group_tests_name("cli", tests, make_folder, remove_folder);
}
