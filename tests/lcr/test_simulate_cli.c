/*
 * test_simulate_cli.c -- astragal lcr simulate: what it prints and writes, that numbers agree with one another and on
 * every backend, and what it refuses.
 */
#include "../cli/program.h"

#include <math.h>

/* The number that follows "key": in the JSON of the last command. */
static double number(const char *key)
{
    char name[64];
    snprintf(name, sizeof name, "\"%s\":", key);
    const char *at = strstr(last.out, name);
    if (!at)
        fail_msg("no %s in %.2000s", name, last.out);
    return strtod(at + strlen(name), NULL);
}

/* The list that follows "key":; returns its length. */
static int numbers(const char *key, int most, double *out)
{
    char name[64];
    int n = 0;
    snprintf(name, sizeof name, "\"%s\":[", key);
    const char *at = strstr(last.out, name);
    if (!at)
        fail_msg("no %s in %.2000s", name, last.out);
    char *end = (char *)at + strlen(name) - 1;
    while (n < most && *end != ']')
        out[n++] = strtod(end + 1, &end);
    return n;
}

static void json_agrees_with_itself(void **state)
{
    (void)state;
    const char *command = "astragal lcr simulate --players 3 --games 1e5 --seed 7 --json --quiet";
    double wins[3], rates[3], errors[3], total = 0.0, chi_square = 0.0;
    ok(command);
    says(command, "{\"game\":\"lcr\",\"players\":3,\"coins\":3,\"cap\":3,\"first\":0,\"faces\":[3,1,1,1],");
    says(command, "\"games\":100000,\"seed\":7,");
    assert_int_equal(numbers("wins", 3, wins), 3);
    assert_int_equal(numbers("win_rate", 3, rates), 3);
    assert_int_equal(numbers("standard_error", 3, errors), 3);
    for (int i = 0; i < 3; i++) {
        total += wins[i];
        chi_square += (wins[i] - 1e5 / 3) * (wins[i] - 1e5 / 3) / (1e5 / 3);
        assert_true(rates[i] == wins[i] / 1e5);
        assert_true(fabs(errors[i] - sqrt(rates[i] * (1.0 - rates[i]) / 1e5)) < 1e-15);
    }
    assert_true(total == 1e5);
    assert_true(fabs(number("chi_square") - chi_square) < 1e-9 * chi_square);
    assert_true(number("p_value") < 1e-100); /* 3 seats are far from fair */
    assert_true(number("most_common_winner") == 2.0 && number("share") == rates[2]);
    assert_true(fabs(number("turns_mean") - 18.863028485351) < 5.0 * number("turns_mean_error"));
    assert_true(number("turns_max") > 50.0);
    says(command, "\"best_seat_known\":true");
    says(command, "\"backend\":\"cpu\"");
}

/* The same bytes wherever the games are played, but for the names of the device and the time. */
static void backends_agree(void **state)
{
    (void)state;
    static const char *const rules[] = {"--players 4", "--players 10 --coins 2 --first 9",
                                        "--players 3 --cap 5 --coins 4", "--players 40 --faces 1,2,2,1"};
    for (size_t r = 0; r < COUNT(rules); r++) {
        char command[400];
        snprintf(command, sizeof command,
                 "for b in reference cpu opencl; do astragal lcr simulate %s --games 501 --backend $b --json "
                 "--out $b.csv --out $b.json | sed 's/,\"backend.*//' > $b.out || exit; done; "
                 "for b in cpu opencl; do for e in out csv json; do cmp reference.$e $b.$e || exit; done; done",
                 rules[r]);
        shell(command);
        if (last.status != 0 && strstr(last.err, "absent"))
            skip();
        if (last.status != 0)
            fail_msg("%s: %s%s", rules[r], last.out, last.err);
    }
}

static void histogram_is_written(void **state)
{
    (void)state;
    ok("astragal lcr simulate --players 2 --games 1001 --json --out h.csv --out h.txt --quiet");
    const double longest = number("turns_max"), mean = number("turns_mean");
    double games = 0.0, turns = 0.0, t = 0.0, n = 0.0;
    char *csv = read_file("h.csv"), *at = csv + strlen("turns,games\n");
    assert_memory_equal(csv, "turns,games\n1,", strlen("turns,games\n1,"));
    while (*at) {
        assert_true(strtod(at, &at) == ++t);
        n = strtod(at + 1, &at);
        at++;
        games += n;
        turns += n * t;
    }
    assert_true(t == longest && n > 0.0 && games == 1001.0);
    assert_true(fabs(turns / games - mean) < 1e-12 * mean);
    free(csv);
    /* games that are longer than there are bins are in the last one */
    ok("astragal lcr simulate --players 1024 --coins 255 --cap 1 --faces 0,0,0,6 --games 2 --out l.csv --quiet");
    says("1024 players", "261119.0000");
    ok("tail -n 1 l.csv");
    says("1024 players", "65535,2\n");
}

static void people_are_told(void **state)
{
    (void)state;
    const char *command = "astragal lcr simulate --players 4 --games 1e6 --quiet";
    ok(command);
    says(command, "4 players with 3 coins each, at most 3 dice a turn, seat 0 begins, faces . . . L R C\n");
    says(command, "1000000 of seed 1\n");
    says(command, "most common winner seat 3, in 26.2568 % of the games\n");
    says(command, "wins this uneven would come with probability 3.1e-296");
    says(command, "the game is not fair.\n");
    command = "astragal lcr simulate --players 4 --games 2e6 --quiet";
    ok(command);
    says(command, "with probability below 1e-300");
    command = "astragal lcr simulate --players 4 --games 19 --quiet";
    ok(command);
    says(command, "too few games to tell: a seat can expect 4.8 wins, and needs 5.\n");
    says(command, "so few games do not tell which");
    command = "astragal lcr simulate --players 4 --games 19 --json --quiet";
    ok(command);
    says(command, "\"p_value\":null");
    says(command, "\"best_seat_known\":false");
    command = "astragal lcr simulate --players 17 --games 1000 --quiet";
    ok(command);
    says(command, "the best and the worst 5 of 17 seats");
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *command, *says;
    } bad[] = {
        {"astragal lcr simulate", "--players is not given, must be 2..1024"},
        {"astragal lcr simulate --players 0", "--players is 0, must be 2..1024"},
        {"astragal lcr simulate --players 1", "--players is 1, must be 2..1024"},
        {"astragal lcr simulate --players -3", "--players is -3, must be 2..1024"},
        {"astragal lcr simulate --players 1000000", "--players is 1000000, must be 2..1024"},
        {"astragal lcr simulate --players 2..4", "--players is 2..4, must be 2..1024"},
        {"astragal lcr simulate --players 4 --coins 0", "--coins is 0, must be 1..255"},
        {"astragal lcr simulate --players 4 --first 4", "first is 4, must be 0..3"},
        {"astragal lcr simulate --players 4 --games 0", "--games is 0, must be a whole number"},
        {"astragal lcr simulate --players 4 --games 1.5", "--games is 1.5, must be a whole number"},
        {"astragal lcr simulate --players 4 --games 1e30", "--games is 1e30, must be a whole number"},
        {"astragal lcr simulate --players 4 --faces 6,0,0,0", "may never end"},
        {"astragal lcr simulate --players 4 --out x.npy", "npy"},
        {"astragal lcr simulate --players 4 --dice LCR", "takes no --dice"},
        {"astragal lcr simulate 4", "unexpected argument 4"},
    };
    for (size_t i = 0; i < COUNT(bad); i++)
        refused(bad[i].command, 2, bad[i].says);
}

/* A game that practically never ends can be stopped. */
static void can_be_interrupted(void **state)
{
    (void)state;
    shell("timeout --preserve-status -s INT 1 astragal lcr simulate --players 100 --coins 9 --faces 1,5,0,0 --games 10 "
          "--backend cpu");
    assert_int_equal(last.status, 130);
    assert_string_equal(last.out, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_agrees_with_itself), cmocka_unit_test(backends_agree),
        cmocka_unit_test(histogram_is_written),    cmocka_unit_test(people_are_told),
        cmocka_unit_test(bad_input_is_refused),    cmocka_unit_test(can_be_interrupted),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
