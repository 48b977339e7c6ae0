/*
 * rules.c -- Hog's rule sets as data: one table of presets, one of keys; all parsing, checking and printing reads them.
 */
#include "hog/features.h"

#include "core/core.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* ----------------------------------------------------------------- presets */

#define MAX_TERMS 6

struct preset {
    ag_hog_rules rules;
    const char *terms[MAX_TERMS]; /* each names the preset too, bare or after COURSE */
    const char *about;
    const char *source;
};

#define COURSE "cs61a-"
#define USUAL  .goal = 100, .max_rolls = 10, .faces = 6

/* Newest first, then the rule sets of no course. */
static const struct preset presets[] = {
    {{.name = "cs61a-su23", USUAL, .pig_out = 1, .bacon = AG_HOG_BACON_BOAR_BRAWL, .total = AG_HOG_TOTAL_SUS_FUSS},
     {"su23", "fa23", "sp24", "fa24", "sp25", "sp26"},
     "CS 61A, summer 2023 to spring 2026: su23, fa23, sp24, fa24, sp25, sp26",
     "github.com/Cal-CS-61A-Staff/site"},
    {{.name = "cs61a-fa22", USUAL, .pig_out = 1, .bacon = AG_HOG_BACON_PIG_TAIL, .total = AG_HOG_TOTAL_SQUARE_SWINE},
     {"fa22", "sp23"},
     "CS 61A, fall 2022 and spring 2023: fa22, sp23",
     "github.com/mykolwu/hog"},
    {{.name = "cs61a-sp22", USUAL, .pig_out = 1, .bacon = AG_HOG_BACON_HEFTY_HOGS, .total = AG_HOG_TOTAL_HOG_PILE_ONES},
     {"sp22"},
     "CS 61A, spring 2022: sp22",
     "inst.eecs.berkeley.edu/~cs61a/sp22/proj/hog"},
    {{.name = "cs61a-fa21", USUAL, .pig_out = 1, .bacon = AG_HOG_BACON_SEVENTH, .total = AG_HOG_TOTAL_HOG_PILE_EQUAL},
     {"fa21"},
     "CS 61A, fall 2021: fa21",
     "github.com/kdata12/hog"},
    {{.name = "cs61a-su21",
      USUAL,
      .pig_out = 1,
      .bacon = AG_HOG_BACON_FOUR_PLUS_DISTANCE,
      .extra_turn = AG_HOG_EXTRA_MORE_BOAR_SU21},
     {"su21"},
     "CS 61A, summer 2021: su21",
     "github.com/luxi-liu97/hog_game"},
    {{.name = "cs61a-sp21",
      USUAL,
      .pig_out = 1,
      .bacon = AG_HOG_BACON_SQUARE,
      .extra_turn = AG_HOG_EXTRA_MORE_BOAR_SP21},
     {"sp21"},
     "CS 61A, spring 2021, the project: sp21",
     "github.com/Andris-Huang/Hog-Strategy"},
    {{.name = "cs61a-fa20",
      USUAL,
      .pig_out = 1,
      .bacon = AG_HOG_BACON_PI,
      .extra_turn = AG_HOG_EXTRA_SWINE_ALIGN_PIG_PASS},
     {"fa20"},
     "CS 61A, fall 2020, the project: fa20",
     "github.com/audreylamwk/CS61A"},
    {{.name = "cs61a-sp19", USUAL, .pig_out = 1, .bacon = AG_HOG_BACON_SMALLER_DIGIT, .swap = AG_HOG_SWAP_SHARED_DIGIT},
     {"sp19"},
     "CS 61A, spring 2019, the project: sp19",
     "github.com/sxyu/bacon2"},
    {{.name = "cs61a-fa18", USUAL, .pig_out = 1, .bacon = AG_HOG_BACON_TWICE_TENS, .swap = AG_HOG_SWAP_DIGIT_DISTANCE},
     {"fa18"},
     "CS 61A, fall 2018, the project: fa18",
     "github.com/sxyu/bacon2"},
    {{.name = "cs61a-su18", USUAL, .pig_out = 1, .bacon = AG_HOG_BACON_DIGIT_PRODUCT, .swap = AG_HOG_SWAP_ONES_TENS},
     {"su18"},
     "CS 61A, summer 2018, the project: su18",
     "inst.eecs.berkeley.edu/~cs61a/su18/proj/hog_contest"},
    {{.name = "cs61a-sp18", USUAL, .pig_out = 1, .bacon = AG_HOG_BACON_DIGIT_DISTANCE, .swap = AG_HOG_SWAP_MULTIPLES},
     {"sp18"},
     "CS 61A, spring 2018, the project: sp18",
     "inst.eecs.berkeley.edu/~cs61a/sp18/proj/hog_contest"},
    {{.name = "cs61a-fa17", USUAL, .pig_out = 1, .bacon = AG_HOG_BACON_LARGEST_DIGIT, .swap = AG_HOG_SWAP_MULTIPLES},
     {"fa17"},
     "CS 61A, fall 2017, the project: fa17",
     "github.com/czahie/CS61A"},
    {{.name = "cs61a-fa15",
      USUAL,
      .pig_out = 0,
      .piggy_back = 1,
      .bacon = AG_HOG_BACON_LARGEST_DIGIT,
      .wild = AG_HOG_WILD_SEVENS,
      .turn_score = {AG_HOG_TURN_HOGTIMUS_PRIME},
      .swap = AG_HOG_SWAP_REVERSED_DIGITS},
     {"fa15"},
     "CS 61A, fall 2015: fa15",
     "github.com/MichaelSnowden/hog, hog.py"},
    {{.name = "cs61a-su15",
      USUAL,
      .pig_out = 1,
      .bacon = AG_HOG_BACON_LARGEST_DIGIT,
      .wild = AG_HOG_WILD_SEVENS,
      .swap = AG_HOG_SWAP_REVERSED_DIGITS},
     {"su15"},
     "CS 61A, summer 2015, the project: su15",
     "github.com/61a-su15-website/61a-su15-website.github.io, proj/hog"},
    {{.name = "laney",
      USUAL,
      .pig_out = 1,
      .bacon = AG_HOG_BACON_LARGEST_DIGIT,
      .wild = AG_HOG_WILD_SEVENS,
      .swap = AG_HOG_SWAP_DOUBLE},
     {"fa13", "sp14", "su14"},
     "CS 61A, fall 2013 to summer 2014: fa13, sp14, su14; Laney College, CIS 61",
     "github.com/Vellication/hog-optimization"},
    {{.name = "snowden",
      USUAL,
      .pig_out = 0,
      .bacon = AG_HOG_BACON_LARGEST_DIGIT,
      .wild = AG_HOG_WILD_SEVENS,
      .turn_score = {AG_HOG_TURN_HOGTIMUS_PRIME},
      .swap = AG_HOG_SWAP_REVERSED_DIGITS},
     {NULL},
     "cs61a-fa15 as a README tells it, without Piggy Back; turns can gain nothing",
     "github.com/MichaelSnowden/hog, README"},
    {{.name = "plain", USUAL, .pig_out = 1},
     {NULL},
     "dice alone: no n = 0, a 1 scores 1 point, no other rule",
     "the rules that all terms share"},
    {{.name = "neller", USUAL, .pig_out = 0},
     {NULL},
     "Hog of the books: no n = 0, a 1 scores nothing, no other rule; turns can gain nothing",
     "Neller and Presser, Pigtail: A Pig Addendum, The UMAP Journal 26(4), 2005"},
};

/* Terms of the course without a preset, and why. */
static const struct {
    const char *term;
    int needs_state; /* 1: more of it than the two scores */
    const char *why;
} refused[] = {
    {"fa11", 0, "play laney with bacon=tens_plus_1, hog_tied=yes, swap=none"},
    {"fa12", 0, "play laney with bacon=tens_plus_1, hog_tied=yes, swap=none, turn_score=touchdown,hogtimus_prime"},
    {"fa14", 0, "its project rules were not recovered"},
    {"sp15", 0, "play laney with swap=none, total=hogtimus_total"},
    {"sp16", 0, "its project rules were not recovered; what is known of them agrees with cs61a-fa15"},
    {"su16", 0,
     "its rules were recovered in part only (bacon=largest_digit, pig_out=ones_capped, turn_score=hogtimus_prime)"},
    {"fa16", 1, "Pork Chop exchanges six-sided and four-sided dice for the rest of the game"},
    {"sp17", 1, "Perfect Piggy exchanges six-sided and four-sided dice for all later turns"},
    {"su17", 0, "its rules were not recovered"},
    {"su19", 0, "its rules were not recovered"},
    {"fa19", 1, "Feral Hogs remembers each player's previous number of dice"},
    {"sp20", 1, "Feral Hogs remembers each player's previous points"},
    {"su20", 1, "Feral Hogs remembers each player's previous points"},
    {"su22", 0, "its rules were not recovered"},
};

/* -------------------------------------------------------------------- keys */

struct choice {
    const char *name;
    int value;
    const char *sentence; /* NULL: nothing in force */
};

static const struct choice bacon_choices[] = {
    {"none", AG_HOG_BACON_NONE, NULL},
    {"largest_digit", AG_HOG_BACON_LARGEST_DIGIT,
     "Free Bacon: rolling 0 dice scores the largest digit of the opponent's score, plus 1."},
    {"tens_plus_1", AG_HOG_BACON_TENS_PLUS_1,
     "Free Bacon: rolling 0 dice scores the tens digit of the opponent's score, plus 1."},
    {"digit_distance", AG_HOG_BACON_DIGIT_DISTANCE,
     "Free Bacon: rolling 0 dice scores 2 + |tens digit - ones digit| of the opponent's score."},
    {"digit_product", AG_HOG_BACON_DIGIT_PRODUCT,
     "Free Bacon: rolling 0 dice scores 1 + the last digit of the product of the opponent's digits (8 counts as 08)."},
    {"twice_tens", AG_HOG_BACON_TWICE_TENS,
     "Free Bacon: rolling 0 dice scores max(1, 2 x tens digit - ones digit) of the opponent's score."},
    {"smaller_digit", AG_HOG_BACON_SMALLER_DIGIT,
     "Free Bacon: rolling 0 dice scores 1 + the smaller of the last two digits of the opponent's score (8 counts as "
     "08)."},
    {"ten_minus_smaller", AG_HOG_BACON_TEN_MINUS_SMALLER,
     "Free Bacon: rolling 0 dice scores 10 - the smaller of the last two digits of the opponent's score (8 counts as "
     "08)."},
    {"cube", AG_HOG_BACON_CUBE,
     "Free Bacon: rolling 0 dice scores 1 + |alternating sum of the digits of the opponent's score cubed|."},
    {"tens_minus_ones", AG_HOG_BACON_TENS_MINUS_ONES,
     "Free Bacon: rolling 0 dice scores 10 - ones digit + tens digit of the opponent's score."},
    {"pi", AG_HOG_BACON_PI,
     "Free Bacon: rolling 0 dice scores 3 + the o-th digit of pi after the point, o the opponent's score (o = 0: 3 + "
     "3)."},
    {"square", AG_HOG_BACON_SQUARE,
     "Free Bacon: rolling 0 dice scores 3 + the smallest digit of the opponent's score squared."},
    {"four_plus_distance", AG_HOG_BACON_FOUR_PLUS_DISTANCE,
     "Free Bacon: rolling 0 dice scores 4 + |tens digit - ones digit| of the opponent's score."},
    {"seventh", AG_HOG_BACON_SEVENTH,
     "Free Bacon: rolling 0 dice scores the o-th decimal of 1/7, o the opponent's score (o = 0: 7)."},
    {"hefty_hogs", AG_HOG_BACON_HEFTY_HOGS,
     "Hefty Hogs: rolling 0 dice takes v = your score, changes it by each digit of the opponent's score from right to "
     "left "
     "(0: v + 1, 1: v x v, 2: 3 v, 3: v / 4 rounded down, 4: v - 5, 5: v mod 6, 6: 8 (v mod 7), 7: 8.8 v cut to a "
     "whole "
     "number, 8: 15 v / 99 cut, + 10, 9: v) and scores v mod 30, or 1 against a score of 0."},
    {"pig_tail", AG_HOG_BACON_PIG_TAIL,
     "Pig Tail: rolling 0 dice scores 2 |tens digit - ones digit| + 1 of the opponent's score."},
    {"boar_brawl", AG_HOG_BACON_BOAR_BRAWL,
     "Boar Brawl: rolling 0 dice scores max(1, 3 x |tens digit of the opponent's score - ones digit of your own|)."},
};

static const struct choice pig_out_choices[] = {
    {"ones", AG_HOG_PIG_OUT_ONES, "Pig Out: a roll with a 1 scores the number of 1s."},
    {"ones_capped", AG_HOG_PIG_OUT_ONES_CAPPED,
     "Pig Out: a roll with a 1 scores the number of 1s, but at most 11 - dice rolled, and never less than 0."},
};

static const struct choice piggy_back_choices[] = {
    {"no", 0, NULL},
    {"yes", 1, "Piggy Back: a turn that scores 0 gives the opponent as many points as dice were rolled."},
};

static const struct choice wild_choices[] = {
    {"none", AG_HOG_WILD_NONE, NULL},
    {"sevens", AG_HOG_WILD_SEVENS,
     "Hog Wild: where the sum of both scores is divisible by 7 (0 is), the dice are four-sided."},
    {"sevens_reroll", AG_HOG_WILD_SEVENS_REROLL,
     "Hog Wild: where the sum of both scores is divisible by 7 (0 is), each die with an odd first outcome is rolled "
     "once more, and the second outcome counts."},
};

static const struct choice hog_tied_choices[] = {
    {"no", 0, NULL},
    {"yes", 1, "Hog Tied: where the sum of both scores ends in 7, at most one die may be rolled."},
};

static const struct choice turn_score_choices[] = {
    {"none", AG_HOG_TURN_NONE, NULL},
    {"hogtimus_prime", AG_HOG_TURN_HOGTIMUS_PRIME,
     "Hogtimus Prime: a turn score that is prime becomes the next prime."},
    {"touchdown", AG_HOG_TURN_TOUCHDOWN, "Touchdown: a turn score divisible by 6 grows by a sixth of itself."},
    {"pigs_fly", AG_HOG_TURN_PIGS_FLY,
     "When Pigs Fly: a turn score above 25 - dice rolled becomes that, and never less than 0."},
};

static const struct choice total_choices[] = {
    {"none", AG_HOG_TOTAL_NONE, NULL},
    {"hogtimus_total", AG_HOG_TOTAL_HOGTIMUS,
     "Hogtimus Prime: where the sum of both new scores is prime, the points of the turn count once more, for the "
     "leader (for nobody where the scores are equal)."},
    {"square_swine", AG_HOG_TOTAL_SQUARE_SWINE,
     "Square Swine: a new score that is a perfect square (1 is, 0 is not) becomes the next one."},
    {"sus_fuss", AG_HOG_TOTAL_SUS_FUSS,
     "Sus Fuss: a new score with exactly 3 or 4 divisors becomes the next larger prime."},
    {"hog_pile_equal", AG_HOG_TOTAL_HOG_PILE_EQUAL, "Hog Pile: a new score equal to the opponent's doubles."},
    {"hog_pile_ones", AG_HOG_TOTAL_HOG_PILE_ONES,
     "Hog Pile: a new score that ends in the same digit as the opponent's gains that digit."},
};

#define SWINE_SWAP "Swine Swap: after the turn's points the scores are exchanged where "
static const struct choice swap_choices[] = {
    {"none", AG_HOG_SWAP_NONE, NULL},
    {"double", AG_HOG_SWAP_DOUBLE, SWINE_SWAP "one is exactly twice the other."},
    {"reversed_digits", AG_HOG_SWAP_REVERSED_DIGITS,
     SWINE_SWAP "the last two digits of one are those of the other reversed (8 counts as 08)."},
    {"multiples", AG_HOG_SWAP_MULTIPLES, SWINE_SWAP "both are above 1 and one divides the other."},
    {"ones_tens", AG_HOG_SWAP_ONES_TENS, SWINE_SWAP "your ones digit is the opponent's tens digit."},
    {"digit_distance", AG_HOG_SWAP_DIGIT_DISTANCE, SWINE_SWAP "|tens digit - ones digit| is the same for both."},
    {"shared_digit", AG_HOG_SWAP_SHARED_DIGIT,
     SWINE_SWAP "both have the same digit in the same place (no leading zeros, not the digit of 0)."},
    {"digit_product", AG_HOG_SWAP_DIGIT_PRODUCT, SWINE_SWAP "first digit x last digit is the same for both."},
    {"power_of_three", AG_HOG_SWAP_POWER_OF_THREE,
     SWINE_SWAP "the first and the last digit of 3 to the power of their sum are equal."},
    {"ones_distance", AG_HOG_SWAP_ONES_DISTANCE, SWINE_SWAP "the ones digits differ by the opponent's tens digit."},
    {"square", AG_HOG_SWAP_SQUARE, SWINE_SWAP "your new score is a perfect square (1 is, 0 is not)."},
};

static const struct choice extra_turn_choices[] = {
    {"none", AG_HOG_EXTRA_NONE, NULL},
    {"swine_align_pig_pass", AG_HOG_EXTRA_SWINE_ALIGN_PIG_PASS,
     "Swine Align, Pig Pass: you go again where both scores are above 0 with a greatest common divisor of at least 10, "
     "or the opponent is ahead by less than 3."},
    {"more_boar_sp21", AG_HOG_EXTRA_MORE_BOAR_SP21,
     "More Boar: you go again where both of the two leftmost digits of your score are smaller than the opponent's "
     "(8 counts as 08)."},
    {"more_boar_su21", AG_HOG_EXTRA_MORE_BOAR_SU21,
     "More Boar: you go again where your smallest digit is smaller and your largest digit larger than the opponent's."},
};

struct key {
    const char *name;
    size_t offset;
    int lo, hi;    /* the numbers it takes; none if lo > hi */
    size_t length; /* 1, or of a list that the first choice ends */
    const struct choice *choices;
    size_t n_choices;
};

#define KEY(field)     #field, offsetof(ag_hog_rules, field)
#define CHOICES(field) field##_choices, AG_COUNT(field##_choices)
#define NO_NUMBER      0, -1

static const struct key keys[] = {
    {KEY(goal), 1, AG_HOG_GOAL_MAX, 1, NULL, 0},
    {KEY(max_rolls), 1, AG_HOG_ROLLS_MAX, 1, NULL, 0},
    {KEY(faces), 2, AG_HOG_FACES_MAX, 1, NULL, 0},
    {KEY(bacon), NO_NUMBER, 1, CHOICES(bacon)},
    {KEY(pig_out), 0, 1000, 1, CHOICES(pig_out)},
    {KEY(piggy_back), NO_NUMBER, 1, CHOICES(piggy_back)},
    {KEY(wild), NO_NUMBER, 1, CHOICES(wild)},
    {KEY(hog_tied), NO_NUMBER, 1, CHOICES(hog_tied)},
    {KEY(turn_score), NO_NUMBER, AG_HOG_TURN_RULES_MAX, CHOICES(turn_score)},
    {KEY(total), NO_NUMBER, 1, CHOICES(total)},
    {KEY(swap), NO_NUMBER, 1, CHOICES(swap)},
    {KEY(extra_turn), NO_NUMBER, 1, CHOICES(extra_turn)},
};

#define MAX_CHOICES AG_COUNT(bacon_choices)

_Static_assert(sizeof(ag_hog_bacon) == sizeof(int) && sizeof(ag_hog_swap) == sizeof(int),
               "every field of a key is read as an int");

static int get_field(const ag_hog_rules *rules, const struct key *key, size_t i)
{
    int value;
    memcpy(&value, (const char *)rules + key->offset + i * sizeof value, sizeof value);
    return value;
}

static void set_field(ag_hog_rules *rules, const struct key *key, size_t i, int value)
{
    memcpy((char *)rules + key->offset + i * sizeof value, &value, sizeof value);
}

static const struct choice *find_choice(const struct key *key, int value)
{
    for (size_t i = 0; i < key->n_choices; i++)
        if (key->choices[i].value == value)
            return &key->choices[i];
    return NULL;
}

/* -------------------------------------------------------------------- text */

/* Counts what does not fit. */
struct text {
    char *at; /* may be NULL if size is 0 */
    size_t size, length;
};

static void add(struct text *text, const char *fmt, ...) AG_PRINTF(2, 3);
static void add(struct text *text, const char *fmt, ...)
{
    const size_t room = text->length < text->size ? text->size - text->length : 0;
    va_list args;
    va_start(args, fmt);
    const int added = vsnprintf(room > 0 ? text->at + text->length : NULL, room, fmt, args);
    va_end(args);
    text->length += (size_t)added;
}

static void add_value(struct text *text, const struct key *key, int value)
{
    const struct choice *choice = find_choice(key, value);
    if (choice)
        add(text, "%s", choice->name);
    else
        add(text, "%d", value);
}

static char value_texts[AG_COUNT(keys)][320];

static void fill_value_texts(void)
{
    for (size_t k = 0; k < AG_COUNT(keys); k++) {
        const struct key *key = &keys[k];
        struct text text = {value_texts[k], sizeof value_texts[k], 0};
        if (key->lo <= key->hi)
            add(&text, "%d..%d", key->lo, key->hi);
        for (size_t i = 0; i < key->n_choices; i++)
            add(&text, "%s%s", text.length > 0 ? ", " : "", key->choices[i].name);
        if (key->length > 1)
            add(&text, " (several in order: %s,%s)", key->choices[2].name, key->choices[1].name);
        assert(text.length < text.size);
    }
}

static const char *values_of(const struct key *key)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill_value_texts);
    return value_texts[key - keys];
}

const char *ag_hog_key_name(size_t i)
{
    return i < AG_COUNT(keys) ? keys[i].name : NULL;
}

const char *ag_hog_key_values(size_t i)
{
    return i < AG_COUNT(keys) ? values_of(&keys[i]) : NULL;
}

size_t ag_hog_rules_key(const ag_hog_rules *rules, size_t i, char *out, size_t size)
{
    struct text text = {out, size, 0};
    if (i >= AG_COUNT(keys)) {
        add(&text, "%s", "");
        return 0;
    }
    const struct key *key = &keys[i];
    add(&text, "%s=", key->name);
    add_value(&text, key, get_field(rules, key, 0));
    if (key->length > 1 && get_field(rules, key, 0) != key->choices[0].value) {
        for (size_t j = 1; j < key->length && get_field(rules, key, j) != key->choices[0].value; j++) {
            add(&text, ",");
            add_value(&text, key, get_field(rules, key, j));
        }
    }
    return text.length;
}

/* ------------------------------------------------------------ names of sets */

const char *ag_hog_preset_name(size_t i)
{
    return i < AG_COUNT(presets) ? presets[i].rules.name : NULL;
}

const char *ag_hog_preset_terms(size_t i)
{
    return i < AG_COUNT(presets) ? presets[i].about : NULL;
}

/* The part of a name after COURSE, or all of it. */
static const char *without_course(const char *name)
{
    const size_t length = strlen(COURSE);
    return strncmp(name, COURSE, length) == 0 ? name + length : name;
}

static const struct preset *find_preset(const char *name)
{
    const char *term = without_course(name);
    for (size_t i = 0; i < AG_COUNT(presets); i++) {
        if (strcmp(name, presets[i].rules.name) == 0)
            return &presets[i];
        for (size_t t = 0; t < MAX_TERMS && presets[i].terms[t]; t++)
            if (strcmp(term, presets[i].terms[t]) == 0)
                return &presets[i];
    }
    return NULL;
}

static ag_status fail_preset(ag_ctx *ctx, const char *name)
{
    const char *term = without_course(name);
    for (size_t i = 0; i < AG_COUNT(refused); i++) {
        if (strcmp(term, refused[i].term) != 0)
            continue;
        if (refused[i].needs_state)
            return ag_fail(ctx, AG_E_ARG,
                           "\"%s\" needs more state than the two scores: %s; solving it is not possible here", name,
                           refused[i].why);
        return ag_fail(ctx, AG_E_ARG, "no rule set for \"%s\": %s", name, refused[i].why);
    }
    if (strstr(term, "contest"))
        return ag_fail(
            ctx, AG_E_ARG,
            "no rule set for \"%.40s\": contests add rules that remember turns, dice or moves, which need more "
            "state than the two scores; the projects' rules are here",
            name);

    const char *known[AG_COUNT(presets) * (MAX_TERMS + 1)];
    size_t n = 0;
    for (size_t i = 0; i < AG_COUNT(presets); i++) {
        if (term == name)
            known[n++] = presets[i].rules.name;
        for (size_t t = 0; t < MAX_TERMS && presets[i].terms[t]; t++)
            known[n++] = presets[i].terms[t];
    }
    const char *near = ag_nearest_word(term, known, n);
    if (!near)
        return ag_fail(ctx, AG_E_ARG, "unknown rule set \"%.40s\" (astragal hog rules lists them)", name);
    return ag_fail(ctx, AG_E_ARG, "unknown rule set \"%.40s\"; did you mean \"%s%s\"? (astragal hog rules lists them)",
                   name, term == name ? "" : COURSE, near);
}

ag_status ag_hog_rules_preset(ag_ctx *ctx, const char *name, ag_hog_rules *out)
{
    const struct preset *preset = find_preset(name);
    if (!preset)
        return fail_preset(ctx, name);
    *out = preset->rules;
    return AG_OK;
}

/* ------------------------------------------------------------- replacing keys */

static const struct key *find_key(const char *name, size_t length)
{
    for (size_t i = 0; i < AG_COUNT(keys); i++)
        if (strlen(keys[i].name) == length && memcmp(keys[i].name, name, length) == 0)
            return &keys[i];
    return NULL;
}

static ag_status fail_key(ag_ctx *ctx, const char *name)
{
    const char *known[AG_COUNT(keys)];
    char all[160];
    struct text text = {all, sizeof all, 0};
    for (size_t i = 0; i < AG_COUNT(keys); i++) {
        known[i] = keys[i].name;
        add(&text, "%s%s", i > 0 ? ", " : "", keys[i].name);
    }
    const char *near = ag_nearest_word(name, known, AG_COUNT(keys));
    if (!near)
        return ag_fail(ctx, AG_E_ARG, "unknown key \"%.40s\"; keys: %s", name, all);
    return ag_fail(ctx, AG_E_ARG, "unknown key \"%.40s\"; did you mean \"%s\"? keys: %s", name, near, all);
}

static ag_status fail_value(ag_ctx *ctx, const struct key *key, const char *word)
{
    if (key->n_choices == 0)
        return ag_fail(ctx, AG_E_ARG, "%s is \"%.40s\", must be a whole number %s", key->name, word, values_of(key));
    const char *known[MAX_CHOICES];
    assert(key->n_choices <= MAX_CHOICES);
    for (size_t i = 0; i < key->n_choices; i++)
        known[i] = key->choices[i].name;
    const char *near = ag_nearest_word(word, known, key->n_choices);
    if (!near)
        return ag_fail(ctx, AG_E_ARG, "%s is \"%.40s\"; values: %s", key->name, word, values_of(key));
    return ag_fail(ctx, AG_E_ARG, "%s is \"%.40s\"; did you mean \"%s\"? values: %s", key->name, word, near,
                   values_of(key));
}

static ag_status parse_value(ag_ctx *ctx, const struct key *key, const char *word, int *out)
{
    int64_t number;
    if (key->lo <= key->hi && ag_parse_int(word, key->lo, key->hi, &number)) {
        *out = (int)number;
        return AG_OK;
    }
    for (size_t i = 0; i < key->n_choices; i++) {
        if (strcmp(word, key->choices[i].name) == 0) {
            *out = key->choices[i].value;
            return AG_OK;
        }
    }
    return fail_value(ctx, key, word);
}

/* values: [AG_HOG_TURN_RULES_MAX], all of them zero, which is what ends a shorter list. */
static ag_status parse_list(ag_ctx *ctx, const struct key *key, const char *list, int *values)
{
    const int end = key->choices[0].value;
    const bool several = strchr(list, ',') != NULL;
    size_t n = 0;
    for (const char *at = list;; at++) {
        const size_t length = strcspn(at, ",");
        char word[64];
        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), at);
        int value = 0;
        AG_TRY(parse_value(ctx, key, word, &value));
        if (several && value == end)
            return ag_fail(ctx, AG_E_ARG, "%s is \"%.80s\", but \"%s\" stands alone", key->name, list, word);
        for (size_t i = 0; i < n; i++)
            if (values[i] == value)
                return ag_fail(ctx, AG_E_ARG, "%s is \"%.80s\", but names %s twice", key->name, list, word);
        values[n++] = value; /* in bounds: there are as many different rules as places */
        at += length;
        if (*at == '\0')
            return AG_OK;
    }
}

/* Long words are cut where they are copied: no key and no value is that long. */
ag_status ag_hog_rules_set(ag_ctx *ctx, ag_hog_rules *rules, const char *key_value)
{
    const char *equals = strchr(key_value, '=');
    if (!equals)
        return ag_fail(ctx, AG_E_ARG, "\"%.40s\" must be KEY=VALUE, as in goal=50", key_value);
    const size_t length = (size_t)(equals - key_value);
    const struct key *key = find_key(key_value, length);
    if (!key) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), key_value);
        return fail_key(ctx, name);
    }
    int values[AG_HOG_TURN_RULES_MAX] = {0};
    if (key->length > 1)
        AG_TRY(parse_list(ctx, key, equals + 1, values));
    else
        AG_TRY(parse_value(ctx, key, equals + 1, &values[0]));

    bool changed = false;
    for (size_t i = 0; i < key->length; i++) {
        changed = changed || get_field(rules, key, i) != values[i];
        set_field(rules, key, i, values[i]);
    }
    const size_t end = strnlen(rules->name, sizeof rules->name);
    if (changed && end + 1 < sizeof rules->name && (end == 0 || rules->name[end - 1] != '+'))
        memcpy(rules->name + end, "+", 2);
    return AG_OK;
}

/* ------------------------------------------------------------------ checking */

static ag_status check_key(ag_ctx *ctx, const ag_hog_rules *rules, const struct key *key)
{
    for (size_t i = 0; i < key->length; i++) {
        const int value = get_field(rules, key, i);
        const struct choice *choice = find_choice(key, value);
        if (!choice) {
            if (value < key->lo || value > key->hi)
                return ag_fail(ctx, AG_E_ARG, "%s is %d, must be %s", key->name, value, values_of(key));
            continue; /* a number: lists hold names only */
        }
        if (key->length > 1 && choice == &key->choices[0])
            break;
        for (size_t j = 0; j < i; j++)
            if (get_field(rules, key, j) == value)
                return ag_fail(ctx, AG_E_ARG, "%s names %s twice", key->name, choice->name);
    }
    return AG_OK;
}

ag_status ag_hog_rules_check(ag_ctx *ctx, const ag_hog_rules *rules)
{
    if (!memchr(rules->name, '\0', sizeof rules->name))
        return ag_fail(ctx, AG_E_ARG, "name of a rule set has no end, must be at most %zu letters",
                       sizeof rules->name - 1);
    for (size_t i = 0; i < AG_COUNT(keys); i++)
        AG_TRY(check_key(ctx, rules, &keys[i]));
    if (rules->bacon == AG_HOG_BACON_HEFTY_HOGS && rules->goal > AG_HOG_HEFTY_GOAL_MAX)
        return ag_fail(ctx, AG_E_ARG,
                       "goal is %d, must be 1..%d with bacon=hefty_hogs, whose powers of larger scores "
                       "do not fit 128 bits",
                       rules->goal, AG_HOG_HEFTY_GOAL_MAX);
    return AG_OK;
}

/* --------------------------------------------------------------------- words */

static void add_size(struct text *text, const ag_hog_rules *rules)
{
    static const char *const names[] = {
        [4] = "four-sided", [6] = "six-sided", [8] = "eight-sided", [10] = "ten-sided", [12] = "twelve-sided"};
    const int least = rules->bacon == AG_HOG_BACON_NONE ? 1 : 0;
    add(text, "Game to %d; ", rules->goal);
    if (least == rules->max_rolls)
        add(text, "1 ");
    else
        add(text, "%d..%d ", least, rules->max_rolls);
    if (rules->faces >= 0 && (size_t)rules->faces < AG_COUNT(names) && names[rules->faces])
        add(text, "%s", names[rules->faces]);
    else
        add(text, "%d-sided", rules->faces);
    add(text, " %s a turn.\n", least == rules->max_rolls ? "die" : "dice");
}

static void add_origin(struct text *text, const ag_hog_rules *rules)
{
    char name[sizeof rules->name];
    const size_t length = strnlen(rules->name, sizeof name - 1);
    memcpy(name, rules->name, length);
    name[length] = '\0';
    const bool changed = length > 0 && name[length - 1] == '+';
    if (changed)
        name[length - 1] = '\0';
    const struct preset *preset = find_preset(name);
    if (preset)
        add(text, "Rule set %s%s: %s. Source: %s.\n", name, changed ? " with other keys" : "", preset->about,
            preset->source);
}

size_t ag_hog_rules_words(const ag_hog_rules *rules, char *out, size_t size)
{
    struct text text = {out, size, 0};
    add_size(&text, rules);
    for (size_t k = 0; k < AG_COUNT(keys); k++) {
        for (size_t i = 0; i < keys[k].length; i++) {
            const struct choice *choice = find_choice(&keys[k], get_field(rules, &keys[k], i));
            if (choice && choice->sentence)
                add(&text, "%s\n", choice->sentence);
            else
                break;
        }
        if (keys[k].choices == pig_out_choices && rules->pig_out >= 0)
            add(&text, "Pig Out: a roll with a 1 scores %d point%s, whatever the other dice show.\n", rules->pig_out,
                rules->pig_out == 1 ? "" : "s");
    }
    add_origin(&text, rules);
    return text.length;
}

/* ------------------------------------------------------- before the dice roll */

void ag_hog_dice_in_use(const ag_hog_rules *rules, int score, int opponent_score, int *faces, int *rerolled)
{
    const bool wild = (score + opponent_score) % 7 == 0;
    *faces = wild && rules->wild == AG_HOG_WILD_SEVENS ? 4 : rules->faces;
    *rerolled = wild && rules->wild == AG_HOG_WILD_SEVENS_REROLL;
}

int ag_hog_rolls_allowed(const ag_hog_rules *rules, int score, int opponent_score)
{
    return rules->hog_tied && (score + opponent_score) % 10 == 7 ? 1 : rules->max_rolls;
}
