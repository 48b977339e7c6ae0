/*
 * selftest.c -- inputs of the self-test, and what must come out, from plain C and published vectors.
 */
#include "device/selftest.h"

#include <stdio.h>
#include <string.h>

#define FACES  6u
#define SCALE  0.3
#define REJECT 1868800u /* 2^32 mod 6^10 */
#define MARKER 0xA57A6A1u

static const uint32_t pairs[AG_SELFTEST_PAIRS][2] = {
    {0u, 1u},          {1u, 0xFFFFFFFFu},          {0xFFFFFFFFu, 0xFFFFFFFFu},
    {0x80000000u, 3u}, {0x12345678u, 0x9ABCDEF0u}, {0xD2511F53u, 0xCD9E8D57u},
};

/* Counter, key, and the block: the first four words of cuRAND's host generator with seed 1234, then
 * Random123's kat_vectors (Salmon, Moraes, Dror, Shaw). */
static const struct {
    uint32_t in[6], out[4];
} blocks[AG_SELFTEST_BLOCKS] = {
    {{0, 0, 0, 0, 1234, 0}, {546353992u, 3665621163u, 1140953199u, 3419031310u}},
    {{0, 0, 0, 0, 0, 0}, {0x6627E8D5u, 0xE169C58Du, 0xBC57AC4Cu, 0x9B00DBD8u}},
    {{0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu},
     {0x408F276Du, 0x41C83B0Eu, 0xA20BC7C6u, 0x6D5451FDu}},
    {{0x243F6A88u, 0x85A308D3u, 0x13198A2Eu, 0x03707344u, 0xA4093822u, 0x299F31D0u},
     {0xD16CFE09u, 0x94FDCCEBu, 0x5001E420u, 0x24126EA1u}},
};

/* x, y, z. In the first three x * y + z is 0 when the product is rounded, and not 0 when it is fused. */
static const double triples[AG_SELFTEST_TRIPLES][3] = {
    {0x1.00000004p0, 0x1.00000004p0, -0x1.00000008p0},
    {0.1, 10.0, -1.0},
    {1.0 / 3.0, 3.0, -1.0},
    {1.0, 49.0, 1e-3},
    {5.0, 3.0, -7.25}, /* 5 / 3 is not 5 * (1 / 3) */
    {-1.7e300, 0.3, 1.3e-290},
};

static const char *const word_ops[AG_SELFTEST_WORD_OPS] = {
    "high word of a product",
    "low word of a product",
    "sum",
    "difference",
    "left shift",
    "right shift",
    "quotient",
    "remainder",
    "64-bit product",
    "64-bit quotient",
    "signed quotient",
    "narrow integers",
    "word of a double",
};
static const char *const real_ops[AG_SELFTEST_REAL_OPS] = {"x * y + z", "z - x * y", "x / y",
                                                           "x + y - z", "maximum",   "minimum"};

/* Item i of the two rows that packs combine. */
static double row_x(uint32_t i)
{
    return (double)(i * 37u % 41u) / 41.0;
}

static double row_y(uint32_t i)
{
    return (double)(i * 29u % 43u) / 43.0;
}

/* ------------------------------------------------------------------ expected */

static void expect_words(uint32_t *out, uint32_t a, uint32_t b)
{
    const uint64_t wide = (uint64_t)a << 32 | b, product = (uint64_t)a * b;
    const int64_t divisor = (int64_t)(b >> 1 | 1u);
    out[0] = (uint32_t)(product >> 32);
    out[1] = (uint32_t)product;
    out[2] = (uint32_t)((uint64_t)a + b);
    out[3] = (uint32_t)((uint64_t)a + (UINT64_C(1) << 32) - b);
    out[4] = (uint32_t)((uint64_t)a << (b % 32u));
    out[5] = (uint32_t)(a / (UINT64_C(1) << (b % 32u)));
    out[6] = (uint32_t)((uint64_t)a / b);
    out[7] = (uint32_t)((uint64_t)a % b);
    out[8] = (uint32_t)(wide * UINT64_C(0x9E3779B97F4A7C15) >> 32);
    out[9] = (uint32_t)(wide / (b | UINT64_C(0x100000001)));
    out[10] = (uint32_t)(uint64_t)((-(int64_t)(a / 2u) - 1) / divisor);
    out[11] = a % 256u + (a + b) % 65536u * 256u;
    out[12] = (uint32_t)((2u * (uint64_t)(b % 256u) + a) / 2u);
}

/* volatile: each operation is rounded on its own, whatever the compiler may do elsewhere. */
static void expect_reals(double *out, double x, double y, double z)
{
    const volatile double product = x * y, sum = x + y;
    out[0] = product + z;
    out[1] = z - product;
    out[2] = x / y;
    out[3] = sum - z;
    out[4] = x > z ? x : z;
    out[5] = x < z ? x : z;
}

/* The digits of floor(word * 6^10 / 2^32) to the base 6, each plus 1; the two tests of acceptance. */
static void expect_dice(uint32_t *out, uint32_t word)
{
    const uint64_t scaled = (uint64_t)word * 60466176u; /* 6^10 */
    uint64_t digits = scaled >> 32;
    for (uint32_t i = AG_SELFTEST_DICE; i-- > 0; digits /= FACES)
        out[i] = (uint32_t)(digits % FACES) + 1u;
    out[AG_SELFTEST_DICE] = (uint32_t)scaled >= REJECT;
    out[AG_SELFTEST_DICE + 1] = 0;
}

static double expect_line(uint32_t i)
{
    const double x = row_x(i), y = row_y(i);
    const volatile double product = x * y, difference = x - y;
    if (i < AG_SELFTEST_KEEP_FROM || i >= AG_SELFTEST_KEEP_TO)
        return SCALE;
    if (x < y)
        return product + SCALE;
    return difference > SCALE ? difference : SCALE;
}

static void expect(ag_selftest_results *want)
{
    for (uint32_t g = 0; g < AG_SELFTEST_GROUPS; g++) {
        uint32_t *words = want->words + g * AG_SELFTEST_WORDS;
        double *reals = want->reals + g * AG_SELFTEST_REALS;
        for (uint32_t i = 0; i < AG_SELFTEST_PAIRS; i++)
            expect_words(words + i * AG_SELFTEST_WORD_OPS, pairs[i][0], pairs[i][1]);
        for (uint32_t i = 0; i < AG_SELFTEST_BLOCKS; i++)
            memcpy(words + AG_SELFTEST_AT_PHILOX + 4 * i, blocks[i].out, sizeof blocks[i].out);
        for (uint32_t i = 0; i < AG_SELFTEST_DICE_WORDS; i++)
            expect_dice(words + AG_SELFTEST_AT_DICE + i * AG_SELFTEST_DICE_OPS, blocks[0].out[i]);
        for (uint32_t i = 0; i < AG_SELFTEST_LINE; i++) {
            const uint64_t product = (uint64_t)(i * 0x7F4A7C15u) * 0xCD9E8D57u;
            words[AG_SELFTEST_AT_PRODUCTS + i] = (uint32_t)(product >> 32 ^ product);
        }
        words[AG_SELFTEST_AT_AGREE] = 1;
        words[AG_SELFTEST_AT_MARKER] = MARKER;
        for (uint32_t i = 0; i < AG_SELFTEST_TRIPLES; i++)
            expect_reals(reals + i * AG_SELFTEST_REAL_OPS, triples[i][0], triples[i][1], triples[i][2]);
        for (uint32_t i = 0; i < AG_SELFTEST_LINE; i++) {
            reals[AG_SELFTEST_AT_LINE + i] = expect_line(i);
            reals[AG_SELFTEST_AT_BACKWARDS + i] = expect_line(AG_SELFTEST_LINE - 1 - i);
        }
    }
    want->words[AG_SELFTEST_AT_TALLY] = AG_SELFTEST_GROUPS * AG_SELFTEST_LINE;
}

/* ---------------------------------------------------------------------- judge */

/* What word i of the results is, in words. */
static void name_word(uint32_t i, char *text, size_t size)
{
    const uint32_t g = i / AG_SELFTEST_WORDS, w = i % AG_SELFTEST_WORDS;
    if (i == AG_SELFTEST_AT_TALLY)
        snprintf(text, size, "atomic sum over all groups");
    else if (w < AG_SELFTEST_AT_PHILOX)
        snprintf(text, size, "%s, pair %u, group %u", word_ops[w % AG_SELFTEST_WORD_OPS],
                 (unsigned)(w / AG_SELFTEST_WORD_OPS), (unsigned)g);
    else if (w < AG_SELFTEST_AT_DICE)
        snprintf(text, size, "Philox block %u, word %u, group %u", (unsigned)((w - AG_SELFTEST_AT_PHILOX) / 4),
                 (unsigned)((w - AG_SELFTEST_AT_PHILOX) % 4), (unsigned)g);
    else if (w < AG_SELFTEST_AT_PRODUCTS)
        snprintf(text, size, "dice of word %u, result %u, group %u",
                 (unsigned)((w - AG_SELFTEST_AT_DICE) / AG_SELFTEST_DICE_OPS),
                 (unsigned)((w - AG_SELFTEST_AT_DICE) % AG_SELFTEST_DICE_OPS), (unsigned)g);
    else if (w < AG_SELFTEST_AT_AGREE)
        snprintf(text, size, "pack product %u, group %u", (unsigned)(w - AG_SELFTEST_AT_PRODUCTS), (unsigned)g);
    else if (w == AG_SELFTEST_AT_AGREE)
        snprintf(text, size, "packs of Philox blocks, group %u", (unsigned)g);
    else
        snprintf(text, size, "last parameter, group %u", (unsigned)g);
}

/* What double i of the results is, in words. */
static void name_real(uint32_t i, char *text, size_t size)
{
    const uint32_t g = i / AG_SELFTEST_REALS, r = i % AG_SELFTEST_REALS;
    if (r < AG_SELFTEST_AT_LINE)
        snprintf(text, size, "%s, triple %u, group %u", real_ops[r % AG_SELFTEST_REAL_OPS],
                 (unsigned)(r / AG_SELFTEST_REAL_OPS), (unsigned)g);
    else if (r < AG_SELFTEST_AT_BACKWARDS)
        snprintf(text, size, "pack item %u, group %u", (unsigned)(r - AG_SELFTEST_AT_LINE), (unsigned)g);
    else
        snprintf(text, size, "item %u after a barrier, group %u", (unsigned)(r - AG_SELFTEST_AT_BACKWARDS),
                 (unsigned)g);
}

ag_status ag_selftest_judge(ag_ctx *ctx, const char *device, const ag_selftest_results *got)
{
    ag_selftest_results want;
    char item[96];
    expect(&want);
    for (uint32_t i = 0; i < AG_COUNT(want.words); i++)
        if (got->words[i] != want.words[i]) {
            name_word(i, item, sizeof item);
            return ag_fail(ctx, AG_E_DEVICE, "device %s answers wrongly: self-test, %s: got %u, expected %u", device,
                           item, (unsigned)got->words[i], (unsigned)want.words[i]);
        }
    for (uint32_t i = 0; i < AG_COUNT(want.reals); i++)
        if (memcmp(&got->reals[i], &want.reals[i], sizeof(double)) != 0) { /* bits: -0 is not 0 */
            name_real(i, item, sizeof item);
            return ag_fail(ctx, AG_E_DEVICE, "device %s answers wrongly: self-test, %s: got %.17g, expected %.17g",
                           device, item, got->reals[i], want.reals[i]);
        }
    return AG_OK;
}

/* ------------------------------------------------------------------------ run */

/* The buffers of the kernel: words in, doubles in, words out, doubles out. */
static ag_status prepare(ag_ctx *ctx, ag_device *dev, ag_buf *bufs)
{
    uint32_t words_in[AG_SELFTEST_WORDS_IN];
    double reals_in[AG_SELFTEST_REALS_IN] = {0};
    memcpy(words_in, pairs, sizeof pairs);
    for (uint32_t i = 0; i < AG_SELFTEST_BLOCKS; i++)
        memcpy(words_in + AG_SELFTEST_AT_BLOCKS + 6 * i, blocks[i].in, sizeof blocks[i].in);
    memcpy(reals_in, triples, sizeof triples);
    for (uint32_t i = 0; i < AG_SELFTEST_LINE; i++) {
        reals_in[AG_SELFTEST_AT_ROWS + i] = row_x(i);
        reals_in[AG_SELFTEST_AT_ROWS + AG_SELFTEST_ROW + i] = row_y(i);
    }
    const ag_selftest_results zero = {0}; /* the tally starts at 0, also when the test runs again */
    AG_TRY(ag_device_scratch(ctx, dev, 0, sizeof words_in, &bufs[0]));
    AG_TRY(ag_device_scratch(ctx, dev, 1, sizeof reals_in, &bufs[1]));
    AG_TRY(ag_device_scratch(ctx, dev, 2, sizeof zero.words, &bufs[2]));
    AG_TRY(ag_device_scratch(ctx, dev, 3, sizeof zero.reals, &bufs[3]));
    AG_TRY(ag_device_write(ctx, dev, &bufs[0], 0, words_in, sizeof words_in));
    AG_TRY(ag_device_write(ctx, dev, &bufs[1], 0, reals_in, sizeof reals_in));
    AG_TRY(ag_device_write(ctx, dev, &bufs[2], 0, zero.words, sizeof zero.words));
    return ag_device_write(ctx, dev, &bufs[3], 0, zero.reals, sizeof zero.reals);
}

ag_status ag_selftest_run(ag_ctx *ctx, ag_device *dev, ag_selftest_results *got)
{
    const agk_selftest_params params = {.faces = FACES, .scale = SCALE, .reject = REJECT, .marker = MARKER};
    ag_buf bufs[AG_N_BUFS] = {{0}};
    AG_TRY(prepare(ctx, dev, bufs));
    AG_TRY(ag_device_launch(ctx, dev, AG_KERNEL_agk_selftest, AG_SELFTEST_GROUPS, &params, sizeof params, bufs));
    AG_TRY(ag_device_finish(ctx, dev));
    AG_TRY(ag_device_read(ctx, dev, &bufs[2], 0, got->words, sizeof got->words));
    return ag_device_read(ctx, dev, &bufs[3], 0, got->reals, sizeof got->reals);
}

ag_status ag_selftest(ag_ctx *ctx, ag_device *dev)
{
    ag_selftest_results got;
    AG_TRY(ag_selftest_run(ctx, dev, &got));
    return ag_selftest_judge(ctx, ag_device_describe(dev)->name, &got);
}
