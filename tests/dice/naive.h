/*
 * naive.h -- one die at a time, computed another way than the library does: m by its
 * definition, the digits by division of floor(r f^m / 2^32), the remainder by subtraction.
 */
#ifndef TESTS_DICE_NAIVE_H
#define TESTS_DICE_NAIVE_H

#include "astragal/rng.h"

#define NAIVE_WORDS (UINT64_C(1) << 32)

static inline uint64_t naive_power(uint32_t faces, uint32_t m)
{
    uint64_t power = 1;
    while (m-- > 0)
        power *= faces;
    return power;
}

static inline uint32_t naive_per_word(uint32_t faces)
{
    uint32_t m = 1;
    while (naive_power(faces, m) * faces <= NAIVE_WORDS)
        m++;
    while (NAIVE_WORDS % naive_power(faces, m) * 256 >= NAIVE_WORDS)
        m--;
    return m;
}

/* The word number w of stream 0 under an attempt, and whether it is accepted. */
static inline uint32_t naive_word(uint64_t seed, uint64_t game, uint32_t faces, uint64_t w, uint32_t attempt,
                                  int *accepted)
{
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    const uint32_t counter[4] = {(uint32_t)game, (uint32_t)(game >> 32), (uint32_t)(w / 4), attempt};
    const uint64_t power = naive_power(faces, naive_per_word(faces));
    uint32_t out[4];
    ag_philox4x32_10(counter, key, out);
    const uint32_t r = out[w % 4];
    const uint64_t index = r * power / NAIVE_WORDS; /* below 2^64: power <= 2^32 */
    *accepted = r * power - index * NAIVE_WORDS >= NAIVE_WORDS % power;
    return r;
}

static inline uint32_t naive_die(uint64_t seed, uint64_t game, uint32_t faces, uint64_t i)
{
    const uint32_t m = naive_per_word(faces);
    int accepted = 0;
    uint32_t r = 0;
    for (uint32_t attempt = 0; !accepted; attempt++)
        r = naive_word(seed, game, faces, i / m, attempt, &accepted);
    const uint64_t index = r * naive_power(faces, m) / NAIVE_WORDS;
    return (uint32_t)(index / naive_power(faces, m - 1 - (uint32_t)(i % m)) % faces) + 1;
}

#endif
