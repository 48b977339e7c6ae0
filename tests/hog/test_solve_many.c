/*
 * test_solve_many.c -- many rule sets in one call give, on every device, the same bits as one by one.
 */
#include "solver_test.h"

static const where devices[] = {
    {"cpu", 1, NULL, NULL},       {"cpu", 2, NULL, NULL},       {"cpu", 7, NULL, NULL},
    {"cpu", 2, "AG_ISA", "base"}, {"opencl", 0, NULL, NULL},    {"opencl", 0, "AG_OPENCL_LANES", "7"},
    {"cuda", 0, NULL, NULL},      {"reference", 0, NULL, NULL},
};

static int is_slow(size_t d)
{
    return devices[d].variable && devices[d].value[0] == '7';
}

static void fail_rules(const where *w, size_t i, const ag_hog_rules *rules, const ag_hog_result *got,
                       const ag_hog_result *want)
{
    char text[RULES_TEXT];
    fail_msg("%s, rule set %zu: %s: got %.17g in [%.17g, %.17g] by %d dice, one by one %.17g in [%.17g, %.17g] by %d",
             where_text(w), i, rules_text(rules, text), got->first_player_win, got->lower, got->upper, got->first_move,
             want->first_player_win, want->lower, want->upper, want->first_move);
}

/* Every rule set alone on one CPU thread, then all together on each device; the entry past the last keeps its poison.
 * The reference has doubles of its own: it is held to itself. */
static void compare(size_t n, const ag_hog_rules *rules, int slow_too)
{
    ag_hog_result *want = calloc(n + 1, sizeof *want), *got = calloc(n + 1, sizeof *got), poison;
    assert_true(want != NULL && got != NULL);
    memset(&poison, POISON_BYTE, sizeof poison);
    for (size_t d = 0; d < COUNT(devices); d++) {
        ag_ctx *ctx = slow_too || !is_slow(d) ? open_ctx(&devices[d]) : NULL;
        if (!ctx)
            continue;
        const int alone = d == 0 || strcmp(devices[d].backend, "reference") == 0;
        for (size_t i = 0; i < n && alone; i++)
            assert_int_equal(ag_hog_solve(ctx, &rules[i], AG_HOG_LAYERS, 0.0, NULL, NULL, &want[i]), AG_OK);
        memset(got, POISON_BYTE, (n + 1) * sizeof *got);
        if (ag_hog_solve_many(ctx, n, rules, got) != AG_OK)
            fail_msg("%s: %s", where_text(&devices[d]), ag_ctx_message(ctx));
        for (size_t i = 0; i < n; i++) {
            const ag_hog_result *a = &got[i], *b = &want[i];
            if (a->first_player_win != b->first_player_win || a->lower != b->lower || a->upper != b->upper ||
                a->error != b->error || a->tie_tolerance != b->tie_tolerance || a->first_move != b->first_move ||
                a->sweeps != 0 || a->converged != 1)
                fail_rules(&devices[d], i, &rules[i], a, b);
        }
        assert_memory_equal(&got[n], &poison, sizeof poison);
        ag_ctx_free(ctx);
    }
    free(want);
    free(got);
}

static void no_rule_set_is_fine(void **state)
{
    (void)state;
    const ag_hog_rules unread = {0};
    compare(0, &unread, 1);
}

static void one_rule_set(void **state)
{
    (void)state;
    ag_ctx *ctx = open_cpu(1);
    ag_hog_rules rules = make_rules(ctx, "cs61a-fa15", "");
    compare(1, &rules, 0);
    rules.goal = 1;
    compare(1, &rules, 1);
    rules.goal = 129; /* larger than what many share a launch for */
    compare(1, &rules, 0);
    ag_ctx_free(ctx);
}

/* Large ones first, last and in between; the same one twice; and neighbours that share no part. */
static void mixed_goals_in_any_order(void **state)
{
    (void)state;
    ag_ctx *ctx = open_cpu(1);
    const ag_hog_rules rules[] = {
        make_rules(ctx, "neller", "goal=150"),    make_rules(ctx, "cs61a-fa15", "goal=128"),
        make_rules(ctx, "cs61a-sp22", "goal=1"),  make_rules(ctx, "laney", "goal=129"),
        make_rules(ctx, "cs61a-fa20", "goal=77"),
    };
    compare(COUNT(rules), rules, 0);
    const ag_hog_rules again[] = {rules[1], rules[1], rules[0], rules[1], rules[4]};
    compare(COUNT(again), again, 0);
    ag_ctx_free(ctx);
}

/* 300 random rule sets, some of them twice: the parts that rule sets share are found again, and only then. */
static void three_hundred(void **state)
{
    enum { N = 300 };
    static ag_hog_rules rules[N];
    (void)state;
    ag_ctx *ctx = open_cpu(1);
    uint64_t seed = 300;
    for (int i = 0; i < N; i++) {
        if (i > 0 && i % 7 == 0)
            rules[i] = rules[random_int(&seed, 0, i - 1)];
        else
            rules[i] = random_rules(ctx, &seed, i % 60 == 0 ? random_int(&seed, 129, 140) : random_int(&seed, 1, 40));
        /* a neighbour that differs in one key alone */
        if (i % 5 == 1)
            rules[i] = with_goal(rules[i - 1], rules[i - 1].goal > 2 ? rules[i - 1].goal - 1 : 9);
        if (i % 5 == 2)
            rules[i].max_rolls = rules[i - 1].max_rolls % 12 + 1;
    }
    compare(N, rules, 0);
    compare(40, rules + 1, 0);
    ag_ctx_free(ctx);
}

/* One key changed at a time, and back: a part that is shared although the key matters to it would show. */
static void neighbours_that_differ_in_one_key(void **state)
{
    static const char *const changes[] = {
        "goal=49",
        "max_rolls=7",
        "faces=4",
        "bacon=pi",
        "pig_out=0",
        "pig_out=ones",
        "piggy_back=no",
        "wild=sevens",
        "hog_tied=yes",
        "turn_score=hogtimus_prime",
        "turn_score=hogtimus_prime,touchdown",
        "turn_score=hogtimus_prime,pigs_fly",
        "turn_score=hogtimus_prime,pigs_fly,touchdown",
        "turn_score=pigs_fly,hogtimus_prime,touchdown",
        "total=hogtimus_total",
        "total=sus_fuss",
        "total=hog_pile_equal",
        "swap=double",
        "swap=square",
        "extra_turn=swine_align_pig_pass",
        "extra_turn=more_boar_su21",
    };
    static ag_hog_rules rules[2 * COUNT(changes)];
    (void)state;
    ag_ctx *ctx = open_cpu(1);
    const ag_hog_rules base =
        make_rules(ctx, "plain", "goal=50 max_rolls=5 bacon=cube piggy_back=yes pig_out=1 turn_score=touchdown");
    for (size_t i = 0; i < COUNT(changes); i++) {
        rules[2 * i] = rules[2 * i + 1] = base;
        assert_int_equal(ag_hog_rules_set(ctx, &rules[2 * i], changes[i]), AG_OK);
    }
    compare(COUNT(rules), rules, 0);
    ag_ctx_free(ctx);
}

/* A scan over one key, as the command makes it. */
static void a_scan_over_the_goal(void **state)
{
    enum { N = 40 };
    static ag_hog_rules rules[N];
    (void)state;
    ag_ctx *ctx = open_cpu(1);
    for (int i = 0; i < N; i++)
        rules[i] = with_goal(make_rules(ctx, "snowden", ""), i + 1);
    compare(N, rules, 1);
    ag_ctx_free(ctx);
}

/* One bad rule set among good ones: refused as a whole, with its message, before anything is written. */
static void a_bad_one_spoils_all_and_changes_nothing(void **state)
{
    (void)state;
    for (size_t d = 0; d < COUNT(devices); d++) {
        ag_ctx *ctx = open_ctx(&devices[d]);
        if (!ctx)
            continue;
        ag_hog_rules rules[3] = {make_rules(ctx, "plain", "goal=5"), make_rules(ctx, "laney", "goal=5"),
                                 make_rules(ctx, "plain", "goal=5")};
        ag_hog_result got[3], poison[3];
        memset(got, POISON_BYTE, sizeof got);
        memset(poison, POISON_BYTE, sizeof poison);
        rules[2].max_rolls = 101;
        assert_int_equal(ag_hog_solve_many(ctx, 3, rules, got), AG_E_ARG);
        assert_non_null(strstr(ag_ctx_message(ctx), "max_rolls is 101, must be 1..100"));
        assert_memory_equal(got, poison, sizeof got);
        rules[2].max_rolls = 10;
        assert_int_equal(ag_hog_solve_many(ctx, 3, rules, got), AG_OK);
        assert_true(got[0].first_player_win == got[2].first_player_win);
        ag_ctx_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_rule_set_is_fine),
        cmocka_unit_test(one_rule_set),
        cmocka_unit_test(mixed_goals_in_any_order),
        cmocka_unit_test(three_hundred),
        cmocka_unit_test(neighbours_that_differ_in_one_key),
        cmocka_unit_test(a_scan_over_the_goal),
        cmocka_unit_test(a_bad_one_spoils_all_and_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
