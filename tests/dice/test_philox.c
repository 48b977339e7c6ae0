/*
 * test_philox.c -- the block function gives the published words, those of Random123's own
 * header, and those of cuRAND; packs of blocks give the words of single blocks.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "astragal/rng.h"
#include "ag_kl.h"
#include "ag_philox.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_include)
#if __has_include(<Random123/philox.h>)
#include <Random123/philox.h>
#define HAVE_RANDOM123 1
#endif
#endif

#define POISON 0xDEADBEEFu

static void known_answers(void **state)
{
    (void)state;
    FILE *file = fopen("tests/kat/philox4x32.txt", "r");
    assert_non_null(file);
    char line[256];
    int n = 0;
    while (fgets(line, sizeof line, file)) {
        uint32_t c[4], k[2], want[4], out[5] = {POISON, POISON, POISON, POISON, POISON};
        if (line[0] == '#' || line[0] == '\n')
            continue;
        assert_int_equal(sscanf(line,
                                "philox4x32 10 %" SCNx32 " %" SCNx32 " %" SCNx32 " %" SCNx32 " %" SCNx32 " %" SCNx32
                                " %" SCNx32 " %" SCNx32 " %" SCNx32 " %" SCNx32,
                                &c[0], &c[1], &c[2], &c[3], &k[0], &k[1], &want[0], &want[1], &want[2], &want[3]),
                         10);
        assert_true((want[0] | want[1] | want[2] | want[3]) != 0); /* nobody's answer: a broken file */
        ag_philox4x32_10(c, k, out);
        for (int i = 0; i < 4; i++)
            if (out[i] != want[i])
                fail_msg("word %d is %08" PRIx32 ", not as in: %s", i, out[i], line);
        assert_int_equal(out[4], POISON);
        n++;
    }
    fclose(file);
    assert_true(n >= 4);
}

/* Words that look random and depend on i alone (splitmix64's finisher). */
static uint32_t scramble(uint64_t i)
{
    i += UINT64_C(0x9E3779B97F4A7C15);
    i = (i ^ (i >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    i = (i ^ (i >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)((i ^ (i >> 31)) >> 16);
}

static void random123(void **state)
{
    (void)state;
#ifdef HAVE_RANDOM123
    for (uint64_t i = 0; i < 100000; i++) {
        uint32_t in[6], out[4] = {POISON, POISON, POISON, POISON};
        for (uint64_t j = 0; j < 6; j++)
            in[j] = scramble(6 * i + j);
        ag_philox4x32_10(in, in + 4, out);
        const philox4x32_ctr_t counter = {{in[0], in[1], in[2], in[3]}};
        const philox4x32_key_t key = {{in[4], in[5]}};
        const philox4x32_ctr_t want = philox4x32_R(10, counter, key);
        if (memcmp(out, want.v, sizeof out) != 0)
            fail_msg("block %" PRIu64 ": word 0 is %08" PRIx32 ", Random123 gives %08" PRIx32, i, out[0], want.v[0]);
    }
#else
    print_message("Random123/philox.h is absent\n");
    skip();
#endif
}

/* Also with upper halves that hold anything. */
static void packs_are_blocks(void **state)
{
    (void)state;
    enum { N = AG_PACK * AG_PHILOX_CHAINS };
    for (uint64_t i = 0; i < 1000; i++) {
        ag_words c[4 * AG_PHILOX_CHAINS];
        uint64_t in[4][N], out[4][N];
        const uint32_t key[2] = {scramble(2 * i), scramble(2 * i + 1)};
        for (uint64_t j = 0; j < 4 * N; j++)
            in[j / N][j % N] = scramble(4 * N * i + j) | (uint64_t)scramble(j) << 32;
        memcpy(c, in, sizeof c);
        ag_philox_packs(c, key[0], key[1]);
        memcpy(out, c, sizeof c);
        for (int s = 0; s < N; s++) {
            const uint32_t counter[4] = {(uint32_t)in[0][s], (uint32_t)in[1][s], (uint32_t)in[2][s],
                                         (uint32_t)in[3][s]};
            uint32_t want[4];
            ag_philox4x32_10(counter, key, want);
            for (int q = 0; q < 4; q++)
                assert_int_equal((uint32_t)out[q][s], want[q]);
        }
    }
}

/* cuRAND's host generator needs a library, no GPU. */
static void *open_curand(void)
{
    static const char *const names[] = {"libcurand.so.10", "libcurand.so", "/usr/local/cuda/lib64/libcurand.so.10"};
    void *lib = NULL;
    for (size_t i = 0; !lib && i < sizeof names / sizeof names[0]; i++)
        lib = dlopen(names[i], RTLD_NOW);
    return lib;
}

static void find_symbol(void *lib, const char *name, void *function)
{
    void *symbol = dlsym(lib, name);
    assert_non_null(symbol);
    memcpy(function, &symbol, sizeof symbol);
}

static void curand(void **state)
{
    (void)state;
    enum { PHILOX4_32_10 = 161, LANES = 65536 };
    int (*create)(void **, int) = NULL, (*seed)(void *, unsigned long long) = NULL, (*destroy)(void *) = NULL;
    int (*generate)(void *, unsigned *, size_t) = NULL;
    void *lib = open_curand(), *generator = NULL;
    if (!lib) {
        print_message("libcurand is absent: %s\n", dlerror());
        skip();
    }
    find_symbol(lib, "curandCreateGeneratorHost", &create);
    find_symbol(lib, "curandSetPseudoRandomGeneratorSeed", &seed);
    find_symbol(lib, "curandGenerate", &generate);
    find_symbol(lib, "curandDestroyGenerator", &destroy);
    const size_t n = 4 * (LANES + 1);
    unsigned *words = calloc(n, sizeof *words);
    assert_non_null(words);
    assert_int_equal(create(&generator, PHILOX4_32_10), 0);
    assert_int_equal(seed(generator, 1234), 0);
    assert_int_equal(generate(generator, words, n), 0);
    /* Its generators are 65536 lanes that differ in word 2 of the counter and then step word 0. */
    for (uint32_t block = 0; block <= LANES; block++) {
        const uint32_t counter[4] = {block / LANES, 0, block % LANES, 0}, key[2] = {1234, 0};
        uint32_t want[4];
        ag_philox4x32_10(counter, key, want);
        if (memcmp(want, words + 4 * (size_t)block, sizeof want) != 0)
            fail_msg("block %" PRIu32 ": word 0 is %08" PRIx32 ", cuRAND gives %08x", block, want[0],
                     words[4 * (size_t)block]);
    }
    assert_int_equal(destroy(generator), 0);
    free(words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(random123),
        cmocka_unit_test(packs_are_blocks),
        cmocka_unit_test(curand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
