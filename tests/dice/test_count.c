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

/* A backend under test, opened with an environment variable set, if one is named. */
typedef struct {
    const char *backend;
    int n_threads;
    const char *variable, *value;
} device_case;

static const device_case cases[] = {
    {"cpu", 1, "AG_ISA", "base"},   {"cpu", 2, "AG_ISA", "avx2"}, {"cpu", 1, "AG_ISA", "avx512"},
    {"cpu", 7, "AG_ISA", "avx512"}, {"opencl", 0, NULL, ""},      {"opencl", 0, "AG_OPENCL_LANES", "7"},
    {"cuda", 0, NULL, ""},
};

/* A context on that device, or NULL and the reason printed. */
static ag_ctx *open_case(const device_case *c)
{
    ag_ctx *ctx = NULL;
    assert_int_equal(ag_ctx_create(&ctx), AG_OK);
    if (c->variable)
        assert_int_equal(setenv(c->variable, c->value, 1), 0);
    const ag_status status = ag_ctx_use(ctx, c->backend, 0, c->n_threads);
    if (c->variable)
        assert_int_equal(unsetenv(c->variable), 0);
    if (status == AG_OK)
        return ctx;
    print_message("%s %s: skipped: %s\n", c->backend, c->value, ag_ctx_message(ctx));
    assert_int_equal(status, strcmp(c->backend, "cpu") == 0 ? AG_E_ARG : AG_E_NOTFOUND); /* absent, not broken */
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
                     c->backend, c->value, faces[f], n_words[s], k + 1, got[k], want[f][s][k]);
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

/* Three devices share the words, in shares of whole batches; the last may get less, or nothing. */
static void devices_share(void **state)
{
    (void)state;
    const device_case together = {"cuda", 0, NULL, "all"};
    ag_ctx *ctx = NULL;
    assert_int_equal(ag_ctx_create(&ctx), AG_OK);
    const ag_status status = ag_ctx_use(ctx, "cuda", AG_ALL_DEVICES, 0);
    if (status == AG_E_NOTFOUND) {
        print_message("skipped: %s\n", ag_ctx_message(ctx));
        ag_ctx_free(ctx);
        skip();
    }
    assert_int_equal(status, AG_OK);
    for (size_t f = 0; f < N_FACES; f++)
        for (size_t s = 0; s < N_SIZES; s++)
            check_shape(ctx, &together, f, s);
    print_message("on %s\n", ag_ctx_device(ctx));
    ag_ctx_free(ctx);
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

static void fail_range(ag_ctx *ctx, const char *kernel, const agk_dice_params *p, uint32_t n_groups, const char *what,
                       uint64_t where, uint32_t got, uint32_t wanted)
{
    fail_msg("%s on %s: faces %" PRIu32 " block0 %" PRIu32 " words %" PRIu32 " groups %" PRIu32 " %s %" PRIu64
             ": got %" PRIu32 ", host %" PRIu32,
             kernel, ag_ctx_backend(ctx), p->faces, p->block0, p->n_words, n_groups, what, where, got, wanted);
}

/* Rolls the words of positions block0 .., in n_groups groups, and holds them to ag_dice_roll(). */
static void check_roll(ag_ctx *ctx, uint32_t n_faces, uint32_t block0, uint32_t words, uint32_t n_groups)
{
    const agk_dice_params p = range_params(n_faces, block0, words);
    const size_t n = (size_t)words * p.per_word;
    uint32_t *host = malloc(n * sizeof *host), *dice = malloc((n + 1) * sizeof *dice);
    assert_true(host && dice);
    assert_int_equal(ag_dice_roll(ctx, SEED, GAME, n_faces, UINT64_C(4) * block0 * p.per_word, n, host), AG_OK);
    launch_range(ctx, AG_KERNEL_agk_dice_roll, &p, n_groups, dice, n + 1);
    for (size_t i = 0; i < n; i++)
        if (dice[i] != host[i])
            fail_range(ctx, "agk_dice_roll", &p, n_groups, "die", i, dice[i], host[i]);
    assert_int_equal(dice[n], (uint32_t)POISON);
    free(host);
    free(dice);
}

/* Counts the words of positions block0 .., in n_groups groups. wanted: [faces]. */
static void check_counts(ag_ctx *ctx, ag_kernel k, const char *kernel, const agk_dice_params *p, uint32_t n_groups,
                         const uint32_t *wanted)
{
    const size_t n_rows = (size_t)n_groups * p->faces;
    uint32_t *rows = malloc((n_rows + 1) * sizeof *rows), sum[AG_DICE_FACES_MAX] = {0};
    assert_non_null(rows);
    launch_range(ctx, k, p, n_groups, rows, n_rows + 1);
    for (size_t i = 0; i < n_rows; i++)
        sum[i % p->faces] += rows[i];
    for (uint32_t f = 0; f < p->faces; f++)
        if (sum[f] != wanted[f])
            fail_range(ctx, kernel, p, n_groups, "face", f + 1, sum[f], wanted[f]);
    assert_int_equal(rows[n_rows], (uint32_t)POISON);
    free(rows);
}

static void check_count(ag_ctx *ctx, uint32_t n_faces, uint32_t block0, uint32_t batches, uint32_t n_groups)
{
    const agk_dice_params p = range_params(n_faces, block0, 4 * AG_DICE_BATCH * batches);
    const size_t n = (size_t)p.n_words * p.per_word;
    uint32_t *host = malloc(n * sizeof *host), wanted[AG_DICE_FACES_MAX] = {0};
    assert_non_null(host);
    assert_int_equal(ag_dice_roll(ctx, SEED, GAME, n_faces, UINT64_C(4) * block0 * p.per_word, n, host), AG_OK);
    for (size_t i = 0; i < n; i++)
        wanted[host[i] - 1]++;
    check_counts(ctx, AG_KERNEL_agk_dice_count, "agk_dice_count", &p, n_groups, wanted);
    if (n_faces == 6)
        check_counts(ctx, AG_KERNEL_agk_dice_count_sixes, "agk_dice_count_sixes", &p, n_groups, wanted);
    free(host);
}

static void kernels_take_any_range(void **state)
{
    (void)state;
    static const uint32_t range_faces[] = {2, 3, 6, 7, 100}, groups[] = {1, 3, 64};
    static const uint32_t words[] = {1, 3, 4, 5, 63, 64, 65, 255, 256, 257, 4095, 4097};
    static const uint32_t batches[] = {1, 2, 3, 17};
    for (size_t i = 0; i < AG_COUNT(cases); i++) {
        ag_ctx *ctx = open_case(&cases[i]);
        for (size_t f = 0; ctx && f < AG_COUNT(range_faces); f++)
            for (size_t g = 0; g < AG_COUNT(groups); g++) {
                for (size_t w = 0; w < AG_COUNT(words); w++) {
                    check_roll(ctx, range_faces[f], 1000003, words[w], groups[g]);
                    check_roll(ctx, range_faces[f], UINT32_MAX - (words[w] - 1) / 4, words[w], groups[g]);
                }
                for (size_t b = 0; b < AG_COUNT(batches); b++) {
                    check_count(ctx, range_faces[f], 1000003, batches[b], groups[g]);
                    check_count(ctx, range_faces[f], UINT32_MAX - batches[b] * AG_DICE_BATCH + 1, batches[b],
                                groups[g]);
                }
            }
        ag_ctx_free(ctx);
    }
}

/* More words than one launch takes, by a batch and a few: the last are those that ag_dice_roll() gives. */
static void many_launches(void **state)
{
    (void)state;
    const uint64_t one_launch = UINT64_C(1) << 28;
    enum { N_MORE = 4 * AG_DICE_BATCH + 7 };
    uint64_t some[6], all[6];
    static uint32_t dice[10 * N_MORE];
    ag_ctx *ctx = NULL;
    assert_int_equal(ag_ctx_create(&ctx), AG_OK);
    assert_int_equal(ag_ctx_use(ctx, "cpu", 0, 0), AG_OK);
    assert_int_equal(ag_dice_count(ctx, 1, 2, 6, one_launch, some), AG_OK);
    assert_int_equal(ag_dice_count(ctx, 1, 2, 6, one_launch + N_MORE, all), AG_OK);
    assert_int_equal(ag_dice_roll(ctx, 1, 2, 6, one_launch * 10, AG_COUNT(dice), dice), AG_OK);
    for (size_t i = 0; i < AG_COUNT(dice); i++)
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
    setenv("AG_STANDIN_DEVICES", "3", 1); /* where the stand-in driver is, it plays three */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_is_naive),
        cmocka_unit_test(devices_agree),
        cmocka_unit_test(devices_share),
        cmocka_unit_test(kernels_take_any_range),
        cmocka_unit_test(many_launches),
        cmocka_unit_test(chi_squared),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, count_by_reference, NULL);
}
