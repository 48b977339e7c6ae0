/*
 * test_count.c -- counting dice on a device: every device agrees with the reference bit for bit,
 * the kernels take any range of words split over any number of groups, the faces are as likely
 * as they should be, and errors are said.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "naive.h"
#include "device/device.h"
#include "ag_kl.h"
#include "dice_params.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define POISON UINT64_C(0xDEADBEEFDEADBEEF)
#define SEED   UINT64_C(0x0123456789ABCDEF)
#define GAME   UINT64_C(0x00000005FFFFFFFE)

/* A backend under test; isa is for "cpu" alone. */
typedef struct {
    const char *backend, *isa;
    int n_threads;
} device_case;

static const device_case cases[] = {
    {"cpu", "base", 1}, {"cpu", "avx2", 2}, {"cpu", "avx512", 1}, {"cpu", "avx512", 7}, {"opencl", "", 0},
};

/* A context on that device, or NULL and the reason printed. */
static ag_ctx *open_case(const device_case *c)
{
    ag_ctx *ctx = NULL;
    assert_int_equal(ag_ctx_create(&ctx), AG_OK);
    assert_int_equal(setenv("AG_ISA", c->isa, 1), 0);
    const ag_status status = ag_ctx_use(ctx, c->backend, 0, c->n_threads);
    assert_int_equal(unsetenv("AG_ISA"), 0);
    if (status == AG_OK)
        return ctx;
    print_message("%s %s: %s\n", c->backend, c->isa, ag_ctx_message(ctx));
    assert_int_equal(status, c->isa[0] ? AG_E_ARG : AG_E_NOTFOUND); /* absent, not broken */
    ag_ctx_free(ctx);
    return NULL;
}

static ag_ctx *open_reference(void)
{
    ag_ctx *ctx = NULL;
    assert_int_equal(ag_ctx_create(&ctx), AG_OK);
    assert_int_equal(ag_ctx_use(ctx, "reference", 0, 0), AG_OK);
    return ctx;
}

static const uint32_t faces[] = {2, 3, 4, 5, 6, 7, 10, 16, 20, 37, 64, 99, 100};
static const uint32_t n_words[] = {0, 1, 3, 4, 5, 63, 64, 65, 255, 256, 257, 4095, 4097, 100003};

enum { N_FACES = sizeof faces / sizeof faces[0], N_SIZES = sizeof n_words / sizeof n_words[0] };

/* [faces][sizes][face], counted once by the reference. */
static uint64_t want[N_FACES][N_SIZES][AG_DICE_FACES_MAX];

static int count_by_reference(void **state)
{
    (void)state;
    ag_ctx *ref = open_reference();
    for (size_t f = 0; f < N_FACES; f++)
        for (size_t s = 0; s < N_SIZES; s++)
            assert_int_equal(ag_dice_count(ref, SEED, GAME, faces[f], n_words[s], want[f][s]), AG_OK);
    assert_string_equal(ag_ctx_backend(ref), "reference");
    ag_ctx_free(ref);
    return 0;
}

/* The reference is itself held to dice computed another way. */
static void reference_is_naive(void **state)
{
    (void)state;
    for (size_t f = 0; f < N_FACES; f++)
        for (size_t s = 0; s < N_SIZES && n_words[s] < 5000; s++) {
            uint64_t count[AG_DICE_FACES_MAX] = {0};
            for (uint64_t i = 0; i < (uint64_t)n_words[s] * naive_per_word(faces[f]); i++)
                count[naive_die(SEED, GAME, faces[f], i) - 1]++;
            assert_memory_equal(count, want[f][s], sizeof count);
        }
}

static void check_shape(ag_ctx *ctx, const device_case *c, size_t f, size_t s)
{
    uint64_t got[AG_DICE_FACES_MAX + 1], sum = 0;
    for (size_t k = 0; k <= AG_DICE_FACES_MAX; k++)
        got[k] = POISON;
    assert_int_equal(ag_dice_count(ctx, SEED, GAME, faces[f], n_words[s], got), AG_OK);
    for (uint32_t k = 0; k < faces[f]; k++) {
        if (got[k] != want[f][s][k])
            fail_msg("%s %s: faces %" PRIu32 " words %" PRIu32 " face %" PRIu32 ": got %" PRIu64 ", reference %" PRIu64,
                     c->backend, c->isa, faces[f], n_words[s], k + 1, got[k], want[f][s][k]);
        sum += got[k];
    }
    assert_true(sum == (uint64_t)n_words[s] * ag_dice_per_word(faces[f]));
    assert_true(got[faces[f]] == POISON);
}

static void devices_agree(void **state)
{
    (void)state;
    for (size_t i = 0; i < AG_COUNT(cases); i++) {
        ag_ctx *ctx = open_case(&cases[i]);
        for (size_t f = 0; ctx && f < N_FACES; f++)
            for (size_t s = 0; s < N_SIZES; s++)
                check_shape(ctx, &cases[i], f, s);
        if (ctx)
            assert_string_equal(ag_ctx_backend(ctx), cases[i].backend);
        ag_ctx_free(ctx);
    }
}

static agk_dice_params range_params(uint32_t n_faces, uint32_t block0, uint32_t words)
{
    const uint32_t m = naive_per_word(n_faces);
    return (agk_dice_params){
        .key = {(uint32_t)SEED, (uint32_t)(SEED >> 32)},
        .game = {(uint32_t)GAME, (uint32_t)(GAME >> 32)},
        .block0 = block0,
        .n_blocks = (words + 3) / 4,
        .n_words = words,
        .faces = n_faces,
        .per_word = m,
        .reject = (uint32_t)(NAIVE_WORDS % naive_power(n_faces, m)),
    };
}

/* Launches a kernel on a range of words, poisons what it should write and reads it back. */
static void launch_range(ag_ctx *ctx, ag_kernel k, const agk_dice_params *p, uint32_t n_groups, uint32_t *out, size_t n)
{
    ag_device *dev = NULL;
    ag_buf bufs[AG_N_BUFS] = {0};
    uint32_t fives[AG_DICE_FIVES];
    for (uint32_t i = 0; i < AG_DICE_FIVES; i++) {
        fives[i] = 0;
        for (uint32_t rest = i, die = 0; die < 5; die++, rest /= 6)
            fives[i] += rest % 6 == 5 ? 0 : 1u << (6 * (rest % 6));
    }
    for (size_t i = 0; i < n; i++)
        out[i] = (uint32_t)POISON;
    assert_int_equal(ag_device_get(ctx, 0, &dev), AG_OK);
    assert_int_equal(ag_device_scratch(ctx, dev, 0, n * sizeof *out, &bufs[0]), AG_OK);
    assert_int_equal(ag_device_scratch(ctx, dev, 1, sizeof fives, &bufs[1]), AG_OK);
    assert_int_equal(ag_device_write(ctx, dev, &bufs[0], 0, out, n * sizeof *out), AG_OK);
    assert_int_equal(ag_device_write(ctx, dev, &bufs[1], 0, fives, sizeof fives), AG_OK);
    assert_int_equal(ag_device_launch(ctx, dev, k, n_groups, p, sizeof *p, bufs), AG_OK);
    assert_int_equal(ag_device_read(ctx, dev, &bufs[0], 0, out, n * sizeof *out), AG_OK);
}

/* Both kernels on words of positions block0 .., in n_groups groups, against ag_dice_roll(). */
static void check_range(ag_ctx *ctx, uint32_t n_faces, uint32_t block0, uint32_t words, uint32_t n_groups)
{
    const agk_dice_params p = range_params(n_faces, block0, words);
    const size_t n = (size_t)words * p.per_word, n_rows = (size_t)n_groups * n_faces;
    uint32_t *host = malloc(n * sizeof *host), *dice = malloc((n + 1) * sizeof *dice);
    uint32_t *rows = malloc((n_rows + 1) * sizeof *rows), sum[AG_DICE_FACES_MAX] = {0};
    assert_true(host && dice && rows);
    assert_int_equal(ag_dice_roll(ctx, SEED, GAME, n_faces, UINT64_C(4) * block0 * p.per_word, n, host), AG_OK);
    launch_range(ctx, AG_KERNEL_agk_dice_roll, &p, n_groups, dice, n + 1);
    for (size_t i = 0; i < n; i++) {
        if (dice[i] != host[i])
            fail_msg("%s: faces %" PRIu32 " block0 %" PRIu32 " words %" PRIu32 " groups %" PRIu32
                     " die %zu: got %" PRIu32 ", host %" PRIu32,
                     ag_ctx_backend(ctx), n_faces, block0, words, n_groups, i, dice[i], host[i]);
        sum[host[i] - 1]++;
    }
    assert_int_equal(dice[n], (uint32_t)POISON);
    launch_range(ctx, AG_KERNEL_agk_dice_count, &p, n_groups, rows, n_rows + 1);
    for (size_t i = 0; i < n_rows; i++)
        sum[i % n_faces] -= rows[i];
    for (uint32_t f = 0; f < n_faces; f++)
        if (sum[f] != 0)
            fail_msg("%s: faces %" PRIu32 " block0 %" PRIu32 " words %" PRIu32 " groups %" PRIu32 " face %" PRIu32
                     ": count differs by %" PRId32,
                     ag_ctx_backend(ctx), n_faces, block0, words, n_groups, f + 1, (int32_t)sum[f]);
    assert_int_equal(rows[n_rows], (uint32_t)POISON);
    free(host);
    free(dice);
    free(rows);
}

static void kernels_take_any_range(void **state)
{
    (void)state;
    static const uint32_t range_faces[] = {2, 3, 6, 7, 100}, groups[] = {1, 3, 64};
    static const uint32_t words[] = {1, 3, 4, 5, 63, 64, 65, 255, 256, 257, 4095, 4097};
    for (size_t i = 0; i < AG_COUNT(cases); i++) {
        ag_ctx *ctx = open_case(&cases[i]);
        for (size_t f = 0; ctx && f < AG_COUNT(range_faces); f++)
            for (size_t w = 0; w < AG_COUNT(words); w++)
                for (size_t g = 0; g < AG_COUNT(groups); g++) {
                    check_range(ctx, range_faces[f], 1000003, words[w], groups[g]);
                    check_range(ctx, range_faces[f], UINT32_MAX - (words[w] - 1) / 4, words[w], groups[g]);
                }
        ag_ctx_free(ctx);
    }
}

/* More words than one launch takes: the last few are those that ag_dice_roll() gives. */
static void many_launches(void **state)
{
    (void)state;
    const uint64_t one_launch = UINT64_C(1) << 26;
    uint64_t some[6], all[6];
    uint32_t dice[70];
    ag_ctx *ctx = NULL;
    assert_int_equal(ag_ctx_create(&ctx), AG_OK);
    assert_int_equal(ag_ctx_use(ctx, "cpu", 0, 0), AG_OK);
    assert_int_equal(ag_dice_count(ctx, 1, 2, 6, one_launch, some), AG_OK);
    assert_int_equal(ag_dice_count(ctx, 1, 2, 6, one_launch + 7, all), AG_OK);
    assert_int_equal(ag_dice_roll(ctx, 1, 2, 6, one_launch * 10, 70, dice), AG_OK);
    for (size_t i = 0; i < 70; i++)
        some[dice[i] - 1]++;
    assert_memory_equal(some, all, sizeof all);
    ag_ctx_free(ctx);
}

/*
 * 10^8 dice of one seed. With fair dice the sum below is chi-squared with 5 degrees of freedom
 * and exceeds 35.888 for one seed in 10^6.
 */
static void chi_squared(void **state)
{
    (void)state;
    const double expected = 1e8 / 6;
    uint64_t count[6];
    double sum = 0;
    ag_ctx *ctx = NULL;
    assert_int_equal(ag_ctx_create(&ctx), AG_OK);
    assert_int_equal(ag_dice_count(ctx, 20240824, 0, 6, 10000000, count), AG_OK);
    for (int f = 0; f < 6; f++)
        sum += ((double)count[f] - expected) * ((double)count[f] - expected) / expected;
    print_message("chi-squared of 10^8 dice: %.3f, 5 degrees of freedom\n", sum);
    assert_true(sum < 35.888);
    assert_true(sum > 0.0128); /* nor too even: as rare */
    ag_ctx_free(ctx);
}

static void check_refused(ag_ctx *ctx, uint32_t n_faces, uint64_t words, const char *message)
{
    uint64_t count[2] = {POISON, POISON};
    assert_int_equal(ag_dice_count(ctx, 1, 2, n_faces, words, count), AG_E_ARG);
    assert_string_equal(ag_ctx_message(ctx), message);
    assert_true(count[0] == POISON && count[1] == POISON);
}

static void errors(void **state)
{
    (void)state;
    ag_ctx *ctx = NULL;
    assert_int_equal(ag_ctx_create(&ctx), AG_OK);
    check_refused(ctx, 0, 1, "faces is 0, must be 2..100");
    check_refused(ctx, 1, 1, "faces is 1, must be 2..100");
    check_refused(ctx, 101, 1, "faces is 101, must be 2..100");
    check_refused(ctx, 6, 17179869185, "words is 17179869185, must be 0..17179869184");
    ag_ctx_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_is_naive), cmocka_unit_test(devices_agree), cmocka_unit_test(kernels_take_any_range),
        cmocka_unit_test(many_launches),      cmocka_unit_test(chi_squared),   cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, count_by_reference, NULL);
}
