/*
 * test_roll.c -- every die is the one that rng.h describes: against a naive computation, against
 * another language, across words, rejections and the ends of the stream.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "naive.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POISON       0xDEADBEEFu
#define STREAM_WORDS (UINT64_C(1) << 34)

static ag_ctx *ctx;

static int open_ctx(void **state)
{
    (void)state;
    return ag_ctx_create(&ctx) != AG_OK;
}

static int close_ctx(void **state)
{
    (void)state;
    ag_ctx_free(ctx);
    return 0;
}

static void per_word(void **state)
{
    (void)state;
    static const uint32_t want[][2] = {{0, 0},   {1, 0},     {2, 32},    {3, 15},    {4, 16},
                                       {6, 10},  {10, 7},    {16, 8},    {100, 3},   {256, 4},
                                       {255, 3}, {65535, 2}, {65536, 2}, {65537, 0}, {UINT32_MAX, 0}};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++)
        if (ag_dice_per_word(want[i][0]) != want[i][1])
            fail_msg("faces %" PRIu32 ": %" PRIu32 " dice a word, not %" PRIu32, want[i][0],
                     ag_dice_per_word(want[i][0]), want[i][1]);
    for (uint32_t faces = 2; faces <= 65536; faces++)
        assert_int_equal(ag_dice_per_word(faces), naive_per_word(faces));
}

/* Rolls dice i .. i + n - 1 and checks each, and that nothing else is written. */
static void check_range(uint64_t seed, uint64_t game, uint32_t faces, uint64_t i, size_t n)
{
    uint32_t *dice = malloc((n + 1) * sizeof *dice);
    assert_non_null(dice);
    for (size_t k = 0; k <= n; k++)
        dice[k] = POISON;
    assert_int_equal(ag_dice_roll(ctx, seed, game, faces, i, n, dice), AG_OK);
    for (size_t k = 0; k < n; k++)
        if (dice[k] != naive_die(seed, game, faces, i + k))
            fail_msg("seed %" PRIu64 " game %" PRIu64 " faces %" PRIu32 " die %" PRIu64 ": %" PRIu32 ", not %" PRIu32,
                     seed, game, faces, i + k, dice[k], naive_die(seed, game, faces, i + k));
    assert_int_equal(dice[n], POISON);
    free(dice);
}

static void naive(void **state)
{
    (void)state;
    static const uint32_t faces[] = {2, 3, 4, 6, 7, 10, 20, 100, 255, 1000, 65535, 65536};
    static const uint64_t big = UINT64_C(0xFEDCBA9876543210);
    for (size_t f = 0; f < sizeof faces / sizeof faces[0]; f++) {
        const uint64_t n_stream = STREAM_WORDS * naive_per_word(faces[f]);
        check_range(1, 0, faces[f], 0, 5000);
        check_range(big, ~big, faces[f], 12345, 100);
        for (uint64_t i = 0; i < 70; i++) /* every phase of a word, every word of a block */
            check_range(2, 3, faces[f], i, (size_t)(i * 7 % 71));
        check_range(5, big, faces[f], 4 * UINT64_C(65536) * naive_per_word(faces[f]) - 50, 100);
        check_range(6, 7, faces[f], n_stream - 40, 40); /* the last of the stream */
        check_range(6, 7, faces[f], n_stream, 0);
    }
}

/* The first word at or after w that attempt 0 rejects. */
static uint64_t find_rejected(uint64_t seed, uint64_t game, uint32_t faces, uint64_t w)
{
    for (int accepted = 1;; w++) {
        naive_word(seed, game, faces, w, 0, &accepted);
        if (!accepted)
            return w;
    }
}

/* A rejected word is retried; its neighbours stay what they are. */
static void rejected(void **state)
{
    (void)state;
    static const uint32_t faces[] = {3, 6, 10, 20, 100};
    for (size_t f = 0; f < sizeof faces / sizeof faces[0]; f++) {
        const uint32_t m = naive_per_word(faces[f]);
        for (uint64_t w = 0, n = 0; n < 10; n++, w++) {
            w = find_rejected(8, 9, faces[f], w);
            check_range(8, 9, faces[f], w * m - (w > 0 ? m : 0), 3 * m);
        }
    }
}

/* tests/dice/dice_again.py was written from rng.h alone. */
static void check_against_python(uint64_t seed, uint64_t game, uint32_t faces, uint64_t i, uint32_t n)
{
    char command[256];
    uint32_t dice[256], want;
    assert_true(n <= 256);
    assert_int_equal(ag_dice_roll(ctx, seed, game, faces, i, n, dice), AG_OK);
    snprintf(command, sizeof command,
             "python3 tests/dice/dice_again.py %" PRIu64 " %" PRIu64 " %" PRIu32 " %" PRIu64 " %" PRIu32, seed, game,
             faces, i, n);
    FILE *again = popen(command, "r");
    assert_non_null(again);
    for (uint32_t k = 0; k < n; k++) {
        assert_int_equal(fscanf(again, "%" SCNu32, &want), 1);
        if (dice[k] != want)
            fail_msg("%s: die %" PRIu64 " is %" PRIu32 ", python says %" PRIu32, command, i + k, dice[k], want);
    }
    assert_int_equal(pclose(again), 0);
}

static void other_language(void **state)
{
    (void)state;
    if (system("python3 -c '' 2>/dev/null") != 0) {
        print_message("python3 is absent\n");
        skip();
    }
    check_against_python(1, 0, 6, 0, 256);
    check_against_python(UINT64_C(0xFFFFFFFF00000001), UINT64_C(0x8000000000000003), 6, 999, 100);
    check_against_python(3, 4, 100, 0, 100);
    check_against_python(3, 4, 65536, STREAM_WORDS * 2 - 10, 10);
    check_against_python(3, 4, 2, 31, 70);
    check_against_python(8, 9, 6, find_rejected(8, 9, 6, 0) * 10, 10);
    check_against_python(8, 9, 3, find_rejected(8, 9, 3, 0) * naive_per_word(3), 18);
}

/* The call fails with this message and writes nothing. */
static void check_refused(uint32_t faces, uint64_t i, size_t n, const char *message)
{
    uint32_t dice[2] = {POISON, POISON};
    assert_int_equal(ag_dice_roll(ctx, 1, 2, faces, i, n, dice), AG_E_ARG);
    assert_string_equal(ag_ctx_message(ctx), message);
    assert_true(dice[0] == POISON && dice[1] == POISON);
}

static void errors(void **state)
{
    (void)state;
    check_refused(0, 0, 1, "faces is 0, must be 2..65536");
    check_refused(1, 0, 1, "faces is 1, must be 2..65536");
    check_refused(65537, 0, 1, "faces is 65537, must be 2..65536");
    check_refused(6, 171798691839, 2, "2 dice from number 171798691839: a game has 171798691840 dice of 6 faces");
    check_refused(6, UINT64_MAX, 2, "2 dice from number 18446744073709551615: a game has 171798691840 dice of 6 faces");
    check_refused(2, 0, SIZE_MAX, "18446744073709551615 dice from number 0: a game has 549755813888 dice of 2 faces");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(per_word),       cmocka_unit_test(naive),  cmocka_unit_test(rejected),
        cmocka_unit_test(other_language), cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, open_ctx, close_ctx);
}
