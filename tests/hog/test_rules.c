/*
 * test_rules.c -- Hog's rule sets: every preset by its keys, every message, printing and parsing as each other's
 * inverse.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "astragal/hog.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int create_ctx(void **state)
{
    ag_ctx *ctx;
    if (ag_ctx_create(&ctx) != AG_OK)
        return -1;
    *state = ctx;
    return 0;
}

static int free_ctx(void **state)
{
    ag_ctx_free(*state);
    return 0;
}

/* All keys of the rules, with blanks between. */
static void write_keys(const ag_hog_rules *rules, char *text, size_t size)
{
    size_t length = 0;
    for (size_t i = 0; ag_hog_key_name(i); i++) {
        assert_true(length + 2 < size);
        if (i > 0)
            text[length++] = ' ';
        length += ag_hog_rules_key(rules, i, text + length, size - length);
    }
    assert_true(length < size);
}

/* ----------------------------------------------------------------- presets */

static const struct {
    const char *name, *keys;
} presets[] = {
    {"cs61a-su23", "goal=100 max_rolls=10 faces=6 bacon=boar_brawl pig_out=1 piggy_back=no wild=none hog_tied=no "
                   "turn_score=none total=sus_fuss swap=none extra_turn=none"},
    {"cs61a-fa22", "goal=100 max_rolls=10 faces=6 bacon=pig_tail pig_out=1 piggy_back=no wild=none hog_tied=no "
                   "turn_score=none total=square_swine swap=none extra_turn=none"},
    {"cs61a-sp22", "goal=100 max_rolls=10 faces=6 bacon=hefty_hogs pig_out=1 piggy_back=no wild=none hog_tied=no "
                   "turn_score=none total=hog_pile_ones swap=none extra_turn=none"},
    {"cs61a-fa21", "goal=100 max_rolls=10 faces=6 bacon=seventh pig_out=1 piggy_back=no wild=none hog_tied=no "
                   "turn_score=none total=hog_pile_equal swap=none extra_turn=none"},
    {"cs61a-su21", "goal=100 max_rolls=10 faces=6 bacon=four_plus_distance pig_out=1 piggy_back=no wild=none "
                   "hog_tied=no turn_score=none total=none swap=none extra_turn=more_boar_su21"},
    {"cs61a-sp21", "goal=100 max_rolls=10 faces=6 bacon=square pig_out=1 piggy_back=no wild=none hog_tied=no "
                   "turn_score=none total=none swap=none extra_turn=more_boar_sp21"},
    {"cs61a-fa20", "goal=100 max_rolls=10 faces=6 bacon=pi pig_out=1 piggy_back=no wild=none hog_tied=no "
                   "turn_score=none total=none swap=none extra_turn=swine_align_pig_pass"},
    {"cs61a-sp19", "goal=100 max_rolls=10 faces=6 bacon=smaller_digit pig_out=1 piggy_back=no wild=none hog_tied=no "
                   "turn_score=none total=none swap=shared_digit extra_turn=none"},
    {"cs61a-fa18", "goal=100 max_rolls=10 faces=6 bacon=twice_tens pig_out=1 piggy_back=no wild=none hog_tied=no "
                   "turn_score=none total=none swap=digit_distance extra_turn=none"},
    {"cs61a-su18", "goal=100 max_rolls=10 faces=6 bacon=digit_product pig_out=1 piggy_back=no wild=none hog_tied=no "
                   "turn_score=none total=none swap=ones_tens extra_turn=none"},
    {"cs61a-sp18", "goal=100 max_rolls=10 faces=6 bacon=digit_distance pig_out=1 piggy_back=no wild=none hog_tied=no "
                   "turn_score=none total=none swap=multiples extra_turn=none"},
    {"cs61a-fa17", "goal=100 max_rolls=10 faces=6 bacon=largest_digit pig_out=1 piggy_back=no wild=none hog_tied=no "
                   "turn_score=none total=none swap=multiples extra_turn=none"},
    {"cs61a-fa15", "goal=100 max_rolls=10 faces=6 bacon=largest_digit pig_out=0 piggy_back=yes wild=sevens "
                   "hog_tied=no turn_score=hogtimus_prime total=none swap=reversed_digits extra_turn=none"},
    {"cs61a-su15", "goal=100 max_rolls=10 faces=6 bacon=largest_digit pig_out=1 piggy_back=no wild=sevens "
                   "hog_tied=no turn_score=none total=none swap=reversed_digits extra_turn=none"},
    {"laney", "goal=100 max_rolls=10 faces=6 bacon=largest_digit pig_out=1 piggy_back=no wild=sevens hog_tied=no "
              "turn_score=none total=none swap=double extra_turn=none"},
    {"snowden", "goal=100 max_rolls=10 faces=6 bacon=largest_digit pig_out=0 piggy_back=no wild=sevens hog_tied=no "
                "turn_score=hogtimus_prime total=none swap=reversed_digits extra_turn=none"},
    {"plain", "goal=100 max_rolls=10 faces=6 bacon=none pig_out=1 piggy_back=no wild=none hog_tied=no "
              "turn_score=none total=none swap=none extra_turn=none"},
    {"neller", "goal=100 max_rolls=10 faces=6 bacon=none pig_out=0 piggy_back=no wild=none hog_tied=no "
               "turn_score=none total=none swap=none extra_turn=none"},
};

static void presets_have_their_keys(void **state)
{
    size_t n = 0;
    for (; ag_hog_preset_name(n); n++) {
        ag_hog_rules rules;
        char keys[400];
        assert_true(n < COUNT(presets));
        assert_string_equal(ag_hog_preset_name(n), presets[n].name);
        assert_int_equal(ag_hog_rules_preset(*state, presets[n].name, &rules), AG_OK);
        assert_string_equal(rules.name, presets[n].name);
        assert_int_equal(ag_hog_rules_check(*state, &rules), AG_OK);
        write_keys(&rules, keys, sizeof keys);
        assert_string_equal(keys, presets[n].keys);
    }
    assert_int_equal(n, COUNT(presets));
    assert_null(ag_hog_preset_terms(n));
    assert_null(ag_hog_preset_name(SIZE_MAX));
}

static void aliases_name_the_same_rules(void **state)
{
    static const struct {
        const char *term, *name;
    } aliases[] = {
        {"fa13", "laney"},      {"sp14", "laney"},      {"su14", "laney"},      {"su15", "cs61a-su15"},
        {"fa15", "cs61a-fa15"}, {"fa17", "cs61a-fa17"}, {"sp18", "cs61a-sp18"}, {"su18", "cs61a-su18"},
        {"fa18", "cs61a-fa18"}, {"sp19", "cs61a-sp19"}, {"fa20", "cs61a-fa20"}, {"sp21", "cs61a-sp21"},
        {"su21", "cs61a-su21"}, {"fa21", "cs61a-fa21"}, {"sp22", "cs61a-sp22"}, {"fa22", "cs61a-fa22"},
        {"sp23", "cs61a-fa22"}, {"su23", "cs61a-su23"}, {"fa23", "cs61a-su23"}, {"sp24", "cs61a-su23"},
        {"fa24", "cs61a-su23"}, {"sp25", "cs61a-su23"}, {"sp26", "cs61a-su23"},
    };
    for (size_t i = 0; i < COUNT(aliases); i++) {
        char full[32];
        ag_hog_rules rules;
        snprintf(full, sizeof full, "cs61a-%s", aliases[i].term);
        assert_int_equal(ag_hog_rules_preset(*state, aliases[i].term, &rules), AG_OK);
        assert_string_equal(rules.name, aliases[i].name);
        assert_int_equal(ag_hog_rules_preset(*state, full, &rules), AG_OK);
        assert_string_equal(rules.name, aliases[i].name);
        size_t p = 0; /* its line of terms names it */
        while (strcmp(ag_hog_preset_name(p), aliases[i].name) != 0)
            p++;
        assert_non_null(strstr(ag_hog_preset_terms(p), aliases[i].term));
    }
}

/* The message that asking for `name` leaves; nothing else may change. */
static void expect_no_preset(ag_ctx *ctx, const char *name, const char *message)
{
    ag_hog_rules rules, poison;
    memset(&rules, 0x5a, sizeof rules);
    poison = rules;
    assert_int_equal(ag_hog_rules_preset(ctx, name, &rules), AG_E_ARG);
    assert_memory_equal(&rules, &poison, sizeof rules);
    assert_string_equal(ag_ctx_message(ctx), message);
    assert_int_equal(ag_hog_rules_preset(NULL, name, &rules), AG_E_ARG);
}

static void unknown_presets(void **state)
{
    expect_no_preset(*state, "cs61a-su32",
                     "unknown rule set \"cs61a-su32\"; did you mean \"cs61a-su23\"? (astragal hog rules lists them)");
    expect_no_preset(*state, "lanye",
                     "unknown rule set \"lanye\"; did you mean \"laney\"? (astragal hog rules lists them)");
    expect_no_preset(*state, "su32",
                     "unknown rule set \"su32\"; did you mean \"su23\"? (astragal hog rules lists them)");
    expect_no_preset(*state, "cs61-fa15",
                     "unknown rule set \"cs61-fa15\"; did you mean \"cs61a-fa15\"? (astragal hog rules lists them)");
    expect_no_preset(*state, "cs61a-laney", "unknown rule set \"cs61a-laney\" (astragal hog rules lists them)");
    expect_no_preset(*state, "", "unknown rule set \"\" (astragal hog rules lists them)");
    expect_no_preset(*state, "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq",
                     "unknown rule set \"qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq\" (astragal hog rules lists them)");
}

#define STATE "\" needs more state than the two scores: "
#define WHERE "; solving it is not possible here"

static void terms_without_a_preset(void **state)
{
    static const struct {
        const char *name, *message;
    } terms[] = {
        {"fa16", "\"fa16" STATE "Pork Chop exchanges six-sided and four-sided dice for the rest of the game" WHERE},
        {"cs61a-sp17",
         "\"cs61a-sp17" STATE "Perfect Piggy exchanges six-sided and four-sided dice for all later turns" WHERE},
        {"cs61a-fa19", "\"cs61a-fa19" STATE "Feral Hogs remembers each player's previous number of dice" WHERE},
        {"sp20", "\"sp20" STATE "Feral Hogs remembers each player's previous points" WHERE},
        {"su20", "\"su20" STATE "Feral Hogs remembers each player's previous points" WHERE},
        {"su17", "no rule set for \"su17\": its rules were not recovered"},
        {"su19", "no rule set for \"su19\": its rules were not recovered"},
        {"cs61a-su22", "no rule set for \"cs61a-su22\": its rules were not recovered"},
        {"fa14", "no rule set for \"fa14\": its project rules were not recovered"},
        {"sp16", "no rule set for \"sp16\": its project rules were not recovered; what is known of them agrees with "
                 "cs61a-fa15"},
        {"su16", "no rule set for \"su16\": its rules were recovered in part only (bacon=largest_digit, "
                 "pig_out=ones_capped, turn_score=hogtimus_prime)"},
        {"sp15", "no rule set for \"sp15\": play laney with swap=none, total=hogtimus_total"},
        {"fa11", "no rule set for \"fa11\": play laney with bacon=tens_plus_1, hog_tied=yes, swap=none"},
        {"fa12", "no rule set for \"fa12\": play laney with bacon=tens_plus_1, hog_tied=yes, swap=none, "
                 "turn_score=touchdown,hogtimus_prime"},
        {"cs61a-fa20-contest",
         "no rule set for \"cs61a-fa20-contest\": contests add rules that remember turns, dice or moves, which need "
         "more state than the two scores; the projects' rules are here"},
    };
    for (size_t i = 0; i < COUNT(terms); i++)
        expect_no_preset(*state, terms[i].name, terms[i].message);
}

/* -------------------------------------------------------------------- keys */

static void every_value_of_every_key_round_trips(void **state)
{
    static const char *const values[] = {
        "goal=1",
        "goal=10000",
        "max_rolls=1",
        "max_rolls=100",
        "faces=2",
        "faces=100",
        "bacon=none",
        "bacon=largest_digit",
        "bacon=tens_plus_1",
        "bacon=digit_distance",
        "bacon=digit_product",
        "bacon=twice_tens",
        "bacon=smaller_digit",
        "bacon=ten_minus_smaller",
        "bacon=cube",
        "bacon=tens_minus_ones",
        "bacon=pi",
        "bacon=square",
        "bacon=four_plus_distance",
        "bacon=seventh",
        "bacon=hefty_hogs",
        "bacon=pig_tail",
        "bacon=boar_brawl",
        "pig_out=0",
        "pig_out=1000",
        "pig_out=ones",
        "pig_out=ones_capped",
        "piggy_back=yes",
        "piggy_back=no",
        "wild=none",
        "wild=sevens",
        "wild=sevens_reroll",
        "hog_tied=yes",
        "hog_tied=no",
        "turn_score=none",
        "turn_score=pigs_fly",
        "turn_score=touchdown,hogtimus_prime",
        "turn_score=hogtimus_prime,pigs_fly,touchdown",
        "total=none",
        "total=hogtimus_total",
        "total=square_swine",
        "total=sus_fuss",
        "total=hog_pile_equal",
        "total=hog_pile_ones",
        "swap=none",
        "swap=double",
        "swap=reversed_digits",
        "swap=multiples",
        "swap=ones_tens",
        "swap=digit_distance",
        "swap=shared_digit",
        "swap=digit_product",
        "swap=power_of_three",
        "swap=ones_distance",
        "swap=square",
        "extra_turn=none",
        "extra_turn=swine_align_pig_pass",
        "extra_turn=more_boar_sp21",
        "extra_turn=more_boar_su21",
    };
    int seen[32] = {0};
    for (size_t v = 0; v < COUNT(values); v++) {
        ag_hog_rules rules;
        char text[80];
        assert_int_equal(ag_hog_rules_preset(*state, "laney", &rules), AG_OK);
        assert_int_equal(ag_hog_rules_set(*state, &rules, values[v]), AG_OK);
        size_t i = 0;
        while (strncmp(values[v], ag_hog_key_name(i), strlen(ag_hog_key_name(i))) != 0)
            i++;
        seen[i]++;
        assert_int_equal(ag_hog_rules_key(&rules, i, text, sizeof text), strlen(values[v]));
        assert_string_equal(text, values[v]);
    }
    for (size_t i = 0; ag_hog_key_name(i); i++)
        assert_true(seen[i] >= 2);
}

/* Printed and set again upon another rule set, the keys make the same rules. */
static void presets_round_trip(void **state)
{
    for (size_t p = 0; ag_hog_preset_name(p); p++) {
        ag_hog_rules rules, copy;
        assert_int_equal(ag_hog_rules_preset(*state, ag_hog_preset_name(p), &rules), AG_OK);
        assert_int_equal(ag_hog_rules_preset(*state, p == 0 ? "snowden" : "su23", &copy), AG_OK);
        for (size_t i = 0; ag_hog_key_name(i); i++) {
            char text[80];
            assert_true(ag_hog_rules_key(&rules, i, text, sizeof text) < sizeof text);
            assert_int_equal(ag_hog_rules_set(*state, &copy, text), AG_OK);
        }
        memcpy(copy.name, rules.name, sizeof copy.name);
        assert_memory_equal(&copy, &rules, sizeof rules);
    }
}

static void names_tell_that_a_key_was_replaced(void **state)
{
    ag_hog_rules rules;
    assert_int_equal(ag_hog_rules_preset(*state, "su23", &rules), AG_OK);
    assert_int_equal(ag_hog_rules_set(*state, &rules, "goal=100"), AG_OK);
    assert_string_equal(rules.name, "cs61a-su23");
    assert_int_equal(ag_hog_rules_set(*state, &rules, "goal=50"), AG_OK);
    assert_string_equal(rules.name, "cs61a-su23+");
    assert_int_equal(ag_hog_rules_set(*state, &rules, "faces=8"), AG_OK);
    assert_string_equal(rules.name, "cs61a-su23+");
    memset(rules.name, 'x', sizeof rules.name - 1); /* full: no room for the sign */
    rules.name[sizeof rules.name - 1] = '\0';
    assert_int_equal(ag_hog_rules_set(*state, &rules, "goal=51"), AG_OK);
    assert_int_equal(strlen(rules.name), sizeof rules.name - 1);
    memset(rules.name, 'x', sizeof rules.name); /* no end at all */
    assert_int_equal(ag_hog_rules_set(*state, &rules, "goal=52"), AG_OK);
    assert_int_equal(rules.goal, 52);
}

#define KEYS                                                                                                           \
    "keys: goal, max_rolls, faces, bacon, pig_out, piggy_back, wild, hog_tied, turn_score, total, swap, extra_turn"
#define SWAPS                                                                                                          \
    "values: none, double, reversed_digits, multiples, ones_tens, digit_distance, shared_digit, digit_product, "       \
    "power_of_three, ones_distance, square"
#define TURN_SCORES "values: none, hogtimus_prime, touchdown, pigs_fly (several in order: touchdown,hogtimus_prime)"

static void bad_keys_and_values(void **state)
{
    static const struct {
        const char *key_value, *message;
    } bad[] = {
        {"goal=abc", "goal is \"abc\", must be a whole number 1..10000"},
        {"goal=", "goal is \"\", must be a whole number 1..10000"},
        {"goal=0", "goal is \"0\", must be a whole number 1..10000"},
        {"goal=10001", "goal is \"10001\", must be a whole number 1..10000"},
        {"goal=-5", "goal is \"-5\", must be a whole number 1..10000"},
        {"goal=100x", "goal is \"100x\", must be a whole number 1..10000"},
        {"goal=1e9", "goal is \"1e9\", must be a whole number 1..10000"},
        {"goal=nan", "goal is \"nan\", must be a whole number 1..10000"},
        {"goal=1.5", "goal is \"1.5\", must be a whole number 1..10000"},
        {"goal= 50", "goal is \" 50\", must be a whole number 1..10000"},
        {"goal=50\n", "goal is \"50 \", must be a whole number 1..10000"},
        {"goal=4294967396", "goal is \"4294967396\", must be a whole number 1..10000"},
        {"goal=99999999999999999999", "goal is \"99999999999999999999\", must be a whole number 1..10000"},
        {"goal=5=6", "goal is \"5=6\", must be a whole number 1..10000"},
        {"max_rolls=0", "max_rolls is \"0\", must be a whole number 1..100"},
        {"max_rolls=101", "max_rolls is \"101\", must be a whole number 1..100"},
        {"faces=1", "faces is \"1\", must be a whole number 2..100"},
        {"faces=101", "faces is \"101\", must be a whole number 2..100"},
        {"pig_out=-1", "pig_out is \"-1\"; values: 0..1000, ones, ones_capped"},
        {"pig_out=1001", "pig_out is \"1001\"; values: 0..1000, ones, ones_capped"},
        {"pig_out=onse", "pig_out is \"onse\"; did you mean \"ones\"? values: 0..1000, ones, ones_capped"},
        {"piggy_back=yess", "piggy_back is \"yess\"; did you mean \"yes\"? values: no, yes"},
        {"piggy_back=1", "piggy_back is \"1\"; values: no, yes"},
        {"wild=seven", "wild is \"seven\"; did you mean \"sevens\"? values: none, sevens, sevens_reroll"},
        {"hog_tied=", "hog_tied is \"\"; values: no, yes"},
        {"swap=doubel", "swap is \"doubel\"; did you mean \"double\"? " SWAPS},
        {"swap=rotate", "swap is \"rotate\"; " SWAPS},
        {"swap=none,double", "swap is \"none,double\"; " SWAPS},
        {"total=sus_fus",
         "total is \"sus_fus\"; did you mean \"sus_fuss\"? values: none, hogtimus_total, square_swine, "
         "sus_fuss, hog_pile_equal, hog_pile_ones"},
        {"extra_turn=more_boar_su22",
         "extra_turn is \"more_boar_su22\"; did you mean \"more_boar_su21\"? values: none, swine_align_pig_pass, "
         "more_boar_sp21, more_boar_su21"},
        {"bacon=BOAR", "bacon is \"BOAR\"; values: none, largest_digit, tens_plus_1, digit_distance, digit_product, "
                       "twice_tens, smaller_digit, ten_minus_smaller, cube, tens_minus_ones, pi, square, "
                       "four_plus_distance, seventh, hefty_hogs, pig_tail, boar_brawl"},
        {"turn_score=touchdow", "turn_score is \"touchdow\"; did you mean \"touchdown\"? " TURN_SCORES},
        {"turn_score=", "turn_score is \"\"; " TURN_SCORES},
        {"turn_score=touchdown,", "turn_score is \"\"; " TURN_SCORES},
        {"turn_score=,touchdown", "turn_score is \"\"; " TURN_SCORES},
        {"turn_score=touchdown,,pigs_fly", "turn_score is \"\"; " TURN_SCORES},
        {"turn_score=touchdown,touchdown", "turn_score is \"touchdown,touchdown\", but names touchdown twice"},
        {"turn_score=touchdown,pigs_fly,hogtimus_prime,pigs_fly",
         "turn_score is \"touchdown,pigs_fly,hogtimus_prime,pigs_fly\", but names pigs_fly twice"},
        {"turn_score=none,touchdown", "turn_score is \"none,touchdown\", but \"none\" stands alone"},
        {"turn_score=touchdown,none", "turn_score is \"touchdown,none\", but \"none\" stands alone"},
        {"gaol=50", "unknown key \"gaol\"; did you mean \"goal\"? " KEYS},
        {"max_roll=50", "unknown key \"max_roll\"; did you mean \"max_rolls\"? " KEYS},
        {"goal =50", "unknown key \"goal \"; did you mean \"goal\"? " KEYS},
        {"velocity=50", "unknown key \"velocity\"; " KEYS},
        {"=50", "unknown key \"\"; " KEYS},
        {"goal", "\"goal\" must be KEY=VALUE, as in goal=50"},
        {"", "\"\" must be KEY=VALUE, as in goal=50"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        ag_hog_rules rules, before;
        assert_int_equal(ag_hog_rules_preset(*state, "fa15", &rules), AG_OK);
        before = rules;
        assert_int_equal(ag_hog_rules_set(*state, &rules, bad[i].key_value), AG_E_ARG);
        assert_string_equal(ag_ctx_message(*state), bad[i].message);
        assert_memory_equal(&rules, &before, sizeof rules);
    }
}

static void endless_input(void **state)
{
    char text[5000];
    ag_hog_rules rules, before;
    assert_int_equal(ag_hog_rules_preset(*state, "fa15", &rules), AG_OK);
    before = rules;
    static const char *const starts[] = {"", "=", "goal=", "swap=", "turn_score=", "turn_score=touchdown,"};
    for (size_t i = 0; i < COUNT(starts); i++) {
        memset(text, 'a', sizeof text);
        text[sizeof text - 1] = '\0';
        memcpy(text, starts[i], strlen(starts[i]));
        assert_int_equal(ag_hog_rules_set(*state, &rules, text), AG_E_ARG);
        text[0] = 'b';
        assert_int_equal(ag_hog_rules_preset(*state, text, &rules), AG_E_ARG);
        assert_memory_equal(&rules, &before, sizeof rules);
        assert_true(strlen(ag_ctx_message(*state)) < 400);
    }
}

static void listings(void **state)
{
    (void)state;
    size_t n = 0;
    for (; ag_hog_key_name(n); n++)
        assert_true(strlen(ag_hog_key_values(n)) > 0);
    assert_int_equal(n, 12);
    assert_null(ag_hog_key_values(n));
    assert_string_equal(ag_hog_key_name(0), "goal");
    assert_string_equal(ag_hog_key_values(0), "1..10000");
    assert_string_equal(ag_hog_key_values(4), "0..1000, ones, ones_capped");
    assert_string_equal(ag_hog_key_values(5), "no, yes");
}

/* ------------------------------------------------------------------ checking */

static void expect_bad(ag_ctx *ctx, const ag_hog_rules *rules, const char *message)
{
    assert_int_equal(ag_hog_rules_check(ctx, rules), AG_E_ARG);
    assert_string_equal(ag_ctx_message(ctx), message);
}

static void checks(void **state)
{
    ag_hog_rules good, rules;
    assert_int_equal(ag_hog_rules_preset(*state, "fa15", &good), AG_OK);
#define EXPECT_BAD(change, message)                                                                                    \
    do {                                                                                                               \
        rules = good;                                                                                                  \
        change;                                                                                                        \
        expect_bad(*state, &rules, message);                                                                           \
    } while (0)
    EXPECT_BAD(rules.goal = 0, "goal is 0, must be 1..10000");
    EXPECT_BAD(rules.goal = -7, "goal is -7, must be 1..10000");
    EXPECT_BAD(rules.goal = 10001, "goal is 10001, must be 1..10000");
    EXPECT_BAD(rules.max_rolls = 0, "max_rolls is 0, must be 1..100");
    EXPECT_BAD(rules.max_rolls = 101, "max_rolls is 101, must be 1..100");
    EXPECT_BAD(rules.faces = 1, "faces is 1, must be 2..100");
    EXPECT_BAD(rules.pig_out = -3, "pig_out is -3, must be 0..1000, ones, ones_capped");
    EXPECT_BAD(rules.pig_out = 1001, "pig_out is 1001, must be 0..1000, ones, ones_capped");
    EXPECT_BAD(rules.piggy_back = 2, "piggy_back is 2, must be no, yes");
    EXPECT_BAD(rules.hog_tied = -1, "hog_tied is -1, must be no, yes");
    EXPECT_BAD(rules.wild = AG_HOG_N_WILD, "wild is 3, must be none, sevens, sevens_reroll");
    EXPECT_BAD(rules.extra_turn = AG_HOG_N_EXTRA,
               "extra_turn is 4, must be none, swine_align_pig_pass, more_boar_sp21, more_boar_su21");
    EXPECT_BAD(rules.turn_score[1] = AG_HOG_TURN_HOGTIMUS_PRIME, "turn_score names hogtimus_prime twice");
    EXPECT_BAD(rules.turn_score[1] = AG_HOG_N_TURN, "turn_score is 4, must be none, hogtimus_prime, touchdown, "
                                                    "pigs_fly (several in order: touchdown,hogtimus_prime)");
    EXPECT_BAD(memset(rules.name, 'x', sizeof rules.name), "name of a rule set has no end, must be at most 31 letters");
    rules = good;
    rules.bacon = AG_HOG_N_BACON;
    assert_int_equal(ag_hog_rules_check(*state, &rules), AG_E_ARG);
    rules = good;
    rules.total = AG_HOG_N_TOTAL;
    assert_int_equal(ag_hog_rules_check(*state, &rules), AG_E_ARG);
    rules = good;
    rules.swap = AG_HOG_N_SWAP;
    assert_int_equal(ag_hog_rules_check(*state, &rules), AG_E_ARG);

    assert_int_equal(ag_hog_rules_preset(*state, "sp22", &good), AG_OK);
    EXPECT_BAD(rules.goal = 1001, "goal is 1001, must be 1..1000 with bacon=hefty_hogs, whose powers of larger scores "
                                  "do not fit 128 bits");
#undef EXPECT_BAD
    good.goal = 1000;
    assert_int_equal(ag_hog_rules_check(*state, &good), AG_OK);
}

static void unusual_rules_pass(void **state)
{
    static const char *const sets[][4] = {
        {"neller", "max_rolls=1", "goal=1"},
        {"su23", "wild=sevens_reroll", "hog_tied=yes", "pig_out=ones_capped"},
        {"su23", "turn_score=hogtimus_prime,touchdown,pigs_fly", "faces=2", "goal=10000"},
        {"laney", "swap=power_of_three", "extra_turn=more_boar_su21", "total=hogtimus_total"},
    };
    for (size_t i = 0; i < COUNT(sets); i++) {
        ag_hog_rules rules;
        assert_int_equal(ag_hog_rules_preset(*state, sets[i][0], &rules), AG_OK);
        for (size_t k = 1; k < 4 && sets[i][k]; k++)
            assert_int_equal(ag_hog_rules_set(*state, &rules, sets[i][k]), AG_OK);
        assert_int_equal(ag_hog_rules_check(*state, &rules), AG_OK);
    }
}

/* --------------------------------------------------------------------- words */

static void words_of_the_default(void **state)
{
    ag_hog_rules rules;
    char text[2000];
    const char *want =
        "Game to 100; 0..10 six-sided dice a turn.\n"
        "Boar Brawl: rolling 0 dice scores max(1, 3 x |tens digit of the opponent's score - ones digit of your own|).\n"
        "Pig Out: a roll with a 1 scores 1 point, whatever the other dice show.\n"
        "Sus Fuss: a new score with exactly 3 or 4 divisors becomes the next larger prime.\n"
        "Rule set cs61a-su23: CS 61A, summer 2023 to spring 2026: su23, fa23, sp24, fa24, sp25, sp26. "
        "Source: github.com/Cal-CS-61A-Staff/site.\n";
    assert_int_equal(ag_hog_rules_preset(*state, "su23", &rules), AG_OK);
    assert_int_equal(ag_hog_rules_words(&rules, text, sizeof text), strlen(want));
    assert_string_equal(text, want);

    for (size_t size = 1; size < strlen(want) + 2; size++) { /* cut, ended, and nothing written past the size */
        memset(text, '#', sizeof text);
        assert_int_equal(ag_hog_rules_words(&rules, text, size), strlen(want));
        const size_t fits = size - 1 < strlen(want) ? size - 1 : strlen(want);
        assert_memory_equal(text, want, fits);
        assert_int_equal(text[fits], '\0');
        assert_int_equal(text[size], '#');
    }
    assert_int_equal(ag_hog_rules_words(&rules, NULL, 0), strlen(want));
}

static void words_of_many_rules(void **state)
{
    ag_hog_rules rules;
    char text[2000];
    assert_int_equal(ag_hog_rules_preset(*state, "fa15", &rules), AG_OK);
    assert_int_equal(ag_hog_rules_set(*state, &rules, "turn_score=touchdown,hogtimus_prime"), AG_OK);
    assert_int_equal(ag_hog_rules_set(*state, &rules, "faces=7"), AG_OK);
    assert_int_equal(ag_hog_rules_set(*state, &rules, "hog_tied=yes"), AG_OK);
    ag_hog_rules_words(&rules, text, sizeof text);
    assert_string_equal(
        text, "Game to 100; 0..10 7-sided dice a turn.\n"
              "Free Bacon: rolling 0 dice scores the largest digit of the opponent's score, plus 1.\n"
              "Pig Out: a roll with a 1 scores 0 points, whatever the other dice show.\n"
              "Piggy Back: a turn that scores 0 gives the opponent as many points as dice were rolled.\n"
              "Hog Wild: where the sum of both scores is divisible by 7 (0 is), the dice are four-sided.\n"
              "Hog Tied: where the sum of both scores ends in 7, at most one die may be rolled.\n"
              "Touchdown: a turn score divisible by 6 grows by a sixth of itself.\n"
              "Hogtimus Prime: a turn score that is prime becomes the next prime.\n"
              "Swine Swap: after the turn's points the scores are exchanged where the last two digits of one are those "
              "of the other reversed (8 counts as 08).\n"
              "Rule set cs61a-fa15 with other keys: CS 61A, fall 2015: fa15. Source: github.com/MichaelSnowden/hog, "
              "hog.py.\n");
    assert_int_equal(ag_hog_rules_preset(*state, "neller", &rules), AG_OK);
    assert_int_equal(ag_hog_rules_set(*state, &rules, "max_rolls=1"), AG_OK);
    ag_hog_rules_words(&rules, text, sizeof text);
    assert_non_null(strstr(text, "Game to 100; 1 six-sided die a turn.\n"));
}

/* A caller's own rules, even broken ones, are put in words without harm. */
static void words_of_anything(void **state)
{
    ag_hog_rules rules;
    char text[200];
    (void)state;
    memset(&rules, 0x7f, sizeof rules);
    assert_true(ag_hog_rules_words(&rules, text, sizeof text) > 0);
    for (size_t i = 0; i < 20; i++)
        ag_hog_rules_key(&rules, i, text, sizeof text);
    assert_string_equal(text, ""); /* past the last key */
    assert_int_equal(ag_hog_rules_key(&rules, 0, NULL, 0), strlen("goal=2139062143"));
}

/* ------------------------------------------------------- before the dice roll */

static void dice_before_the_roll(void **state)
{
    ag_hog_rules rules;
    int faces, rerolled;
    assert_int_equal(ag_hog_rules_preset(*state, "laney", &rules), AG_OK);
    for (int s = 0; s < 100; s++) {
        for (int o = 0; o < 100; o++) {
            ag_hog_dice_in_use(&rules, s, o, &faces, &rerolled);
            assert_int_equal(faces, (s + o) % 7 == 0 ? 4 : 6);
            assert_int_equal(rerolled, 0);
            assert_int_equal(ag_hog_rolls_allowed(&rules, s, o), 10);
        }
    }
    assert_int_equal(ag_hog_rules_set(*state, &rules, "wild=sevens_reroll"), AG_OK);
    assert_int_equal(ag_hog_rules_set(*state, &rules, "hog_tied=yes"), AG_OK);
    ag_hog_dice_in_use(&rules, 0, 0, &faces, &rerolled);
    assert_int_equal(faces, 6);
    assert_int_equal(rerolled, 1);
    ag_hog_dice_in_use(&rules, 3, 5, &faces, &rerolled);
    assert_int_equal(faces, 6);
    assert_int_equal(rerolled, 0);
    assert_int_equal(ag_hog_rolls_allowed(&rules, 3, 4), 1);
    assert_int_equal(ag_hog_rolls_allowed(&rules, 99, 98), 1);
    assert_int_equal(ag_hog_rolls_allowed(&rules, 70, 1), 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presets_have_their_keys),
        cmocka_unit_test(aliases_name_the_same_rules),
        cmocka_unit_test(unknown_presets),
        cmocka_unit_test(terms_without_a_preset),
        cmocka_unit_test(every_value_of_every_key_round_trips),
        cmocka_unit_test(presets_round_trip),
        cmocka_unit_test(names_tell_that_a_key_was_replaced),
        cmocka_unit_test(bad_keys_and_values),
        cmocka_unit_test(endless_input),
        cmocka_unit_test(listings),
        cmocka_unit_test(checks),
        cmocka_unit_test(unusual_rules_pass),
        cmocka_unit_test(words_of_the_default),
        cmocka_unit_test(words_of_many_rules),
        cmocka_unit_test(words_of_anything),
        cmocka_unit_test(dice_before_the_roll),
    };
    return cmocka_run_group_tests(tests, create_ctx, free_ctx);
}
