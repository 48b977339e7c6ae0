/*
 * test_exact.c -- the solver against exact rationals: every value inside its proven bounds, every move exactly the
 * canonical best, and the law of a roll against a closed formula.
 */
#include "exact_test.h"

#include "../oracle/hog_law.h"

static void presets_are_exact(void **state)
{
    static const int goals[] = {5, 11, 22, 30};
    (void)state;
    for (size_t i = 0; ag_hog_preset_name(i) != NULL; i++)
        for (size_t g = 0; g < COUNT(goals); g++) {
            const ag_hog_rules rules = with_goal(make_rules(cpu, ag_hog_preset_name(i), ""), goals[g]);
            assert_int_equal(check_exactly(&rules, goals[g] <= 22), 0);
        }
}

/*
 * Every way to gain nothing (a chance, a sure pass, both, a roll that surely fails, neither), with every swap and
 * every extra turn: a state leads to itself or to its partner, with the same player or the other.
 */
static void every_way_to_gain_nothing_is_exact(void **state)
{
    static const struct {
        int pig_out;
        ag_hog_bacon bacon;
        int max_rolls;
        ag_hog_turn turn;
    } ways[] = {
        {0, AG_HOG_BACON_NONE, 3, AG_HOG_TURN_NONE},
        {1, AG_HOG_BACON_HEFTY_HOGS, 3, AG_HOG_TURN_NONE},
        {0, AG_HOG_BACON_HEFTY_HOGS, 2, AG_HOG_TURN_NONE},
        {AG_HOG_PIG_OUT_ONES_CAPPED, AG_HOG_BACON_SEVENTH, 12, AG_HOG_TURN_NONE},
        {0, AG_HOG_BACON_SEVENTH, 26, AG_HOG_TURN_PIGS_FLY}, /* 25 dice and more score nothing, whatever they show */
        {1, AG_HOG_BACON_DIGIT_PRODUCT, 3, AG_HOG_TURN_NONE},
    };
    (void)state;
    uint64_t seed = 6;
    for (int swap = 0; swap < AG_HOG_N_SWAP; swap++)
        for (int extra = 0; extra < AG_HOG_N_EXTRA; extra++)
            for (size_t w = 0; w < COUNT(ways); w++) {
                ag_hog_rules rules = make_rules(cpu, "plain", "");
                rules.goal = ways[w].max_rolls > 3 ? random_int(&seed, 3, 7) : random_int(&seed, 7, 13);
                rules.faces = ways[w].max_rolls > 3 ? 2 : random_int(&seed, 2, 4);
                rules.pig_out = ways[w].pig_out;
                rules.bacon = ways[w].bacon;
                rules.max_rolls = ways[w].max_rolls;
                rules.turn_score[0] = ways[w].turn;
                rules.swap = (ag_hog_swap)swap;
                rules.extra_turn = (ag_hog_extra)extra;
                rules.total = (ag_hog_total)random_int(&seed, 0, AG_HOG_N_TOTAL - 1);
                rules.wild = (ag_hog_wild)random_int(&seed, 0, AG_HOG_N_WILD - 1);
                assert_int_equal(check_exactly(&rules, 1), 0);
            }
}

/*
 * One who surely wins by rolling, and could pass to one who surely loses and could pass back: equal in worth, but
 * passing for ever would be a draw, so the pass stands back. One who loses anyway may pass. Hefty Hogs at 24:5 with one
 * die, goal 25.
 */
static void a_pass_that_could_go_on_for_ever_stands_back(void **state)
{
    (void)state;
    const ag_hog_rules rules = make_rules(cpu, "cs61a-sp22", "goal=25 max_rolls=1");
    assert_int_equal(check_exactly(&rules, 1), 0);
    table t = solve_layers(cpu, &rules);
    const size_t winner = AT(25, 24, 5), loser = AT(25, 5, 24);
    if (t.win[winner] != 1.0 || t.rolls[winner] != 1)
        fail_at(&t, winner, "a sure win passes");
    if (!(t.win[loser] <= t.result.error) || t.rolls[loser] != 0)
        fail_at(&t, loser, "a sure loss does not pass");
    free_table(&t);
}

/*
 * Where rolling is worth exactly 1/2, as much as endless play, a pass is not: the partner does better by rolling than
 * by passing back. Hefty Hogs with one die: 25:24 at goal 29 (the pass loses 1/18), 36:35 at goal 40, 72:75 at goal 77
 * (it loses 1/3).
 */
static void a_pass_is_worth_what_the_partner_makes_of_it(void **state)
{
    static const int goals[] = {29, 40, 77};
    (void)state;
    for (size_t i = 0; i < COUNT(goals); i++) {
        const ag_hog_rules rules = with_goal(make_rules(cpu, "cs61a-sp22", "max_rolls=1"), goals[i]);
        assert_int_equal(check_exactly(&rules, 0), 0);
    }
}

/* All keys at random. */
static void random_small_rule_sets_are_exact(void **state)
{
    (void)state;
    uint64_t seed = 40;
    for (int i = 0; i < 60; i++) {
        ag_hog_rules rules = random_rules(cpu, &seed, random_int(&seed, 1, 16));
        assert_int_equal(check_exactly(&rules, 1), 0);
    }
}

/* ------------------------------------------------------------------ law of a roll */

/*
 * One law of n dice, exact: want, [size]. A way is counted by at most `faces` roundings for each die, all ways by one
 * for each; a turn score collects the ways of at most n (faces + 1) others, then one division. No number is negative,
 * so every probability is right but for a factor 1 +- (2 faces + 4) n 2^-53, and no more than 1; all together are 1.
 */
static void check_law(const ag_hog_rules *rules, int wild, int n, size_t size, mpq_t *want)
{
    static double p[AG_HOG_TOTAL_MAX + 1];
    char text[RULES_TEXT];
    const double relative = (2.0 * (rules->faces > 4 ? rules->faces : 4) + 4.0) * n * 0x1p-53;
    double sum = 0.0;
    int most = -1;
    for (size_t k = 0; k < COUNT(p); k++)
        p[k] = POISON_WIN;
    assert_int_equal(ag_hog_odds(cpu, rules, wild, n, COUNT(p), p, &most), AG_OK);
    assert_true(most >= 0 && (size_t)most < size && p[most] > 0.0 && p[most + 1] == POISON_WIN);
    for (size_t k = 0; k < size; k++) {
        const double got = k <= (size_t)most ? p[k] : 0.0, exactly = mpq_get_d(want[k]); /* to 2^-52 of it */
        if (!(fabs(got - exactly) <= (relative + 0x1p-52) * exactly) || !(got <= 1.0))
            fail_msg("%s: %d dice, wild %d: P(%zu) is %.17g, exactly %.17g", rules_text(rules, text), n, wild, k, got,
                     exactly);
        sum += got;
    }
    if (!(fabs(sum - 1.0) <= relative + (double)size * 0x1p-53)) /* one rounding a term beside theirs */
        fail_msg("%s: %d dice, wild %d: the law sums to %.17g", rules_text(rules, text), n, wild, sum);
}

static void the_law_is_the_closed_formula(void **state)
{
    static const int faces_of[] = {2, 3, 4, 6, 10, 100}, dice[] = {1, 2, 3, 5, 10, 25, 60, 100};
    (void)state;
    for (size_t f = 0; f < COUNT(faces_of); f++)
        for (size_t d = 0; d < COUNT(dice); d++) {
            const int faces = faces_of[f], n = dice[d];
            const size_t size = (size_t)(n * faces) + 1;
            ag_hog_rules rules = make_rules(cpu, "plain", "max_rolls=100 pig_out=0");
            mpq_t *want = new_rationals(size), spoiled;
            rules.faces = faces;
            mpq_init(spoiled);
            hog_law_exact(faces, n, want, spoiled);
            mpq_swap(want[0], spoiled); /* which was 0: clean dice show at least 2 each */
            check_law(&rules, 0, n, size, want);
            free_rationals(want, size);
            mpq_clear(spoiled);
        }
}

/* Every pig-out, wild and turn-score rule, against the oracle. */
static void the_law_follows_the_rules(void **state)
{
    enum { SIZE = 400 };
    (void)state;
    uint64_t seed = 7;
    mpq_t *want = new_rationals(SIZE);
    for (int i = 0; i < 60; i++) {
        const ag_hog_rules rules = random_rules(cpu, &seed, 100);
        for (int wild = 0; wild < (rules.wild == AG_HOG_WILD_NONE ? 1 : 2); wild++)
            for (int n = 1; n <= rules.max_rolls; n++) {
                hog_oracle_law(&rules, wild, n, SIZE, want);
                check_law(&rules, wild, n, SIZE, want);
            }
    }
    free_rationals(want, SIZE);
}

/* Mean points of a turn of n d6: pig out 0: 4 n (5/6)^n; pig out 1: published to four decimals. */
static void mean_points_are_known(void **state)
{
    static const double with_1[] = {3.5, 5.8611, 7.3657, 8.2338, 8.6357, 8.7027, 8.5352, 8.2096, 7.7832, 7.2987};
    static double p[AG_HOG_TOTAL_MAX + 1];
    (void)state;
    for (int pig_out = 0; pig_out <= 1; pig_out++) {
        ag_hog_rules rules = make_rules(cpu, "plain", "");
        rules.pig_out = pig_out;
        for (int n = 1; n <= 10; n++) {
            int most = 0;
            double mean = 0.0;
            assert_int_equal(ag_hog_odds(cpu, &rules, 0, n, AG_HOG_TOTAL_MAX + 1, p, &most), AG_OK);
            for (int k = 0; k <= most; k++)
                mean += k * p[k];
            const double want = pig_out ? with_1[n - 1] : 4.0 * n * pow(5.0 / 6.0, n);
            if (!(fabs(mean - want) <= (pig_out ? 5e-5 : 1e-13)))
                fail_msg("pig_out %d, %d dice: %.17g points, want %.17g", pig_out, n, mean, want);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presets_are_exact),
        cmocka_unit_test(every_way_to_gain_nothing_is_exact),
        cmocka_unit_test(a_pass_that_could_go_on_for_ever_stands_back),
        cmocka_unit_test(a_pass_is_worth_what_the_partner_makes_of_it),
        cmocka_unit_test(random_small_rule_sets_are_exact),
        cmocka_unit_test(the_law_is_the_closed_formula),
        cmocka_unit_test(the_law_follows_the_rules),
        cmocka_unit_test(mean_points_are_known),
    };
    return cmocka_run_group_tests(tests, open_both, free_both);
}
