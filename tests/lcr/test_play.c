/*
 * test_play.c -- astragal lcr play: transcripts, staged dice, and every refusal in one line.
 */
#include "../cli/program.h"

#include "astragal/lcr.h"

static void expect_golden(const char *command, const char *name)
{
    char path[5000];
    snprintf(path, sizeof path, "%s/tests/golden/%s", root, name);
    char *want = read_file(path);
    ok(command);
    assert_string_equal(last.err, "");
    assert_string_equal(last.out, want);
    free(want);
}

static void games_equal_their_transcripts(void **state)
{
    (void)state;
    expect_golden("astragal lcr play --players 3 --seed 2 --game 5", "lcr_play_3.txt");
    expect_golden("astragal lcr play --players 3 --seed 2 --game 5 --json", "lcr_play_3.json");
    expect_golden("astragal lcr play --players 12 --coins 20 --cap 6 --first 11 --faces 0,2,2,2", "lcr_play_12.txt");
    expect_golden("astragal lcr play --players 13 --coins 2 --game 55", "lcr_play_13.txt");
}

static void staged_dice_make_the_game(void **state)
{
    (void)state;
    /* Seat 1 gives seat 0 his last coins: whose turn it was does not matter, and no further turn is counted. */
    ok("astragal lcr play --players 3 --coins 1 --dice '..L.LC'");
    says("staged", "3 players with 1 coin each, at most 3 dice a turn, seat 0 begins, faces . . . L R C\n"
                   "6 dice as given\n\n"
                   " turn  seat  dice  centre  0  1  2\n"
                   "    0                   0  1  1  1\n"
                   "    1     0  .          0  1  1  1\n"
                   "    2     1  .          0  1  1  1\n"
                   "    3     2  L          0  1  2  0\n"
                   "    4     0  .          0  1  2  0\n"
                   "    5     1  LC         1  2  0  0\n"
                   "\nseat 0 wins with 2 coins after 5 turns\n");
    /* A turn without coins is shown, and counted. */
    ok("astragal lcr play --players 3 --coins 1 --dice 'l, . .. r'");
    says("empty turn", "    4     0  -          0  0  1  2\n"
                       "    5     1  R          0  0  0  3\n"
                       "\nseat 2 wins with 3 coins after 5 turns\n");
    ok("astragal lcr play --players 3 --coins 1 --dice L...R --json");
    assert_string_equal(last.out,
                        "{\"game\":\"lcr\",\"players\":3,\"coins\":1,\"cap\":3,\"first\":0,\"faces\":[3,1,1,1],"
                        "\"staged_dice\":5,\"turns\":[\n"
                        "{\"turn\":1,\"seat\":0,\"dice\":\"L\",\"coins\":[0,1,2],\"centre\":0},\n"
                        "{\"turn\":2,\"seat\":1,\"dice\":\".\",\"coins\":[0,1,2],\"centre\":0},\n"
                        "{\"turn\":3,\"seat\":2,\"dice\":\"..\",\"coins\":[0,1,2],\"centre\":0},\n"
                        "{\"turn\":4,\"seat\":0,\"dice\":\"\",\"coins\":[0,1,2],\"centre\":0},\n"
                        "{\"turn\":5,\"seat\":1,\"dice\":\"R\",\"coins\":[0,0,3],\"centre\":0}\n"
                        "],\"winner\":2,\"n_turns\":5}\n");
    ok("astragal lcr play --players 2 --dice CCC");
    says("one turn", "\nseat 1 wins with 3 coins after 1 turn\n");
    ok("astragal lcr play --players 2 --coins 1 --dice C");
    says("one coin", "\nseat 1 wins with 1 coin after 1 turn\n");
}

/* The dice of a printed game, staged, make the same turns. */
static void a_random_game_can_be_staged(void **state)
{
    static const char *const rules[] = {"--players 2", "--players 5 --first 3", "--players 7 --coins 9 --cap 16",
                                        "--players 33 --faces 2,1,2,1"};
    char command[1024];
    (void)state;
    for (size_t i = 0; i < COUNT(rules); i++) {
        snprintf(command, sizeof command,
                 "astragal lcr play %s --seed 18446744073709551615 --game 18446744073709551614 --json >random.json && "
                 "sed -n 's/.*\"dice\":\"\\([.LRC]*\\)\".*/\\1/p' random.json >dice && "
                 "astragal lcr play %s --json --dice \"$(cat dice)\" >staged.json && "
                 "sed 1d random.json >random && sed 1d staged.json | cmp - random && wc -l <random",
                 rules[i], rules[i]);
        ok(command);
        assert_true(atoi(last.out) > 1);
    }
}

static void the_game_is_that_of_the_library(void **state)
{
    char command[256], end[128];
    (void)state;
    for (int game = 0; game < 30; game++) {
        ag_ctx *ctx = NULL;
        ag_lcr_rules rules;
        ag_lcr_dice *dice = NULL;
        int winner = -1, coins[16];
        uint64_t turns = 0;
        assert_int_equal(ag_ctx_create(&ctx), AG_OK);
        assert_int_equal(ag_lcr_rules_default(ctx, 2 + game % 15, &rules), AG_OK);
        assert_int_equal(ag_lcr_dice_create(ctx, &rules, 9, (uint64_t)game, &dice), AG_OK);
        assert_int_equal(ag_lcr_game(ctx, &rules, dice, &winner, &turns, coins), AG_OK);
        snprintf(command, sizeof command, "astragal lcr play --seed 9 --game %d --players %d", game, rules.players);
        snprintf(end, sizeof end, "\nseat %d wins with %d coin%s after %d turn%s\n", winner, coins[winner],
                 coins[winner] == 1 ? "" : "s", (int)turns, turns == 1 ? "" : "s");
        ok(command);
        says(command, end);
        ag_lcr_dice_free(dice);
        ag_ctx_free(ctx);
    }
}

static void dice_must_be_as_many_as_the_game_takes(void **state)
{
    (void)state;
    refused(
        "astragal lcr play --players 2 --dice ''", 2,
        "too few dice: --dice has 0 and the game goes on; turn 1, of seat 0, rolls 3, 0 are left: at least 3 missing");
    refused(
        "astragal lcr play --players 2 --dice 'LL'", 2,
        "too few dice: --dice has 2 and the game goes on; turn 1, of seat 0, rolls 3, 2 are left: at least 1 missing");
    refused(
        "astragal lcr play --players 3 --dice ' ...C.C L'", 2,
        "too few dice: --dice has 7 and the game goes on; turn 3, of seat 2, rolls 3, 1 is left: at least 2 missing");
    /* The turn that lacks dice is not the next one but that after a turn without coins. */
    refused(
        "astragal lcr play --players 3 --coins 1 --dice L... --json", 2,
        "too few dice: --dice has 4 and the game goes on; turn 5, of seat 1, rolls 1, 0 are left: at least 1 missing");
    refused("astragal lcr play --players 2 --dice CCCC", 2,
            "too many dice: --dice has 4, the game is over after 1 turn and 3 of them: 1 left over");
    refused("astragal lcr play --players 3 --coins 1 --dice L...RLRC --json", 2,
            "too many dice: --dice has 8, the game is over after 5 turns and 5 of them: 3 left over");
}

static void bad_input_is_refused_in_one_line(void **state)
{
    static const char *const cases[][2] = {
        {"", "--players is not given, must be 2..1024"},
        {"--players 0", "--players is 0, must be 2..1024"},
        {"--players 1", "--players is 1, must be 2..1024"},
        {"--players -3", "--players is -3, must be 2..1024"},
        {"--players 1000000", "--players is 1000000, must be 2..1024"},
        {"--players 2..9", "--players is 2..9, must be 2..1024"},
        {"--players three", "--players is three, must be 2..1024"},
        {"--players 3 --coins 0", "--coins is 0, must be 1..255"},
        {"--players 3 --coins 256", "--coins is 256, must be 1..255"},
        {"--players 3 --cap 0", "--cap is 0, must be 1..16"},
        {"--players 3 --cap 17", "--cap is 17, must be 1..16"},
        {"--players 3 --first 3", "first is 3, must be 0..2"},
        {"--players 3 --first -1", "--first is -1, must be 0..1023"},
        {"--players 3 --faces 3,1,1", "--faces is 3,1,1, must be four numbers"},
        {"--players 3 --faces ''", "--faces is empty, must be four numbers"},
        {"--players 3 --faces 3,1,1,2", "faces are 3,1,1,2, must be six in all"},
        {"--players 3 --faces 0,3,3,0", "such a game may never end"},
        {"--players 3 --faces 6,0,0,0", "such a game may never end"},
        {"--players 3 --dice 'LLX'", "character 3 of the dice is X, must be ., L, R or C"},
        {"--players 3 --dice '. L 1'", "character 5 of the dice is 1, must be ., L, R or C"},
        {"--players 3 --dice CCC --seed 1", "--dice gives all dice of the game: --seed and --game go without it"},
        {"--players 3 --dice CCC --game 1", "--dice gives all dice of the game: --seed and --game go without it"},
        {"--players 3 --game 1.5", "--game is 1.5, must be 0..18446744073709551615"},
        {"--players 3 --games 5", "lcr play takes no --games"},
        {"--players 3 extra", "lcr play: unexpected argument extra"},
    };
    char command[256];
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        snprintf(command, sizeof command, "astragal lcr play %s", cases[i][0]);
        refused(command, 2, cases[i][1]);
    }
}

/* 10,200 coins and no C on the dice: nobody waits for the end. The first lines come at once, a closed pipe ends it. */
static void an_endless_game_is_printed_as_it_goes(void **state)
{
    (void)state;
    ok("(astragal lcr play --players 40 --coins 255 --faces 4,1,1,0; echo $? >status) | sed -n '300000{p;q;}' && cat "
       "status");
    says("endless game", "\n1\n");
    assert_non_null(strstr(last.err, "astragal: cannot write to standard output"));
    assert_int_equal(atoi(last.out), 300000 - 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_equal_their_transcripts),
        cmocka_unit_test(staged_dice_make_the_game),
        cmocka_unit_test(a_random_game_can_be_staged),
        cmocka_unit_test(the_game_is_that_of_the_library),
        cmocka_unit_test(dice_must_be_as_many_as_the_game_takes),
        cmocka_unit_test(bad_input_is_refused_in_one_line),
        cmocka_unit_test(an_endless_game_is_printed_as_it_goes),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
