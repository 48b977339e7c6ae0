/*
 * long_uniform.c -- the dice of one word are exactly uniform: counted over all 2^32 words.
 *
 * For f faces and m dice a word, a word r has the outcome i = floor(r f^m / 2^32). Checked for
 * every r: the dice that ag_dice.h cuts one after the other are the m digits of i to the base f,
 * and what is left of r is what ag_dice_accepts looks at. Checked for every outcome: it has exactly
 * floor(2^32 / f^m) accepted words. As r rises i rises, so the words of an outcome are
 * neighbours and no table is needed; threads share out ranges of outcomes.
 *
 * usage: long_uniform [FACES...]      prints a line for each; exit status 1 if one fails
 */
#include "astragal/rng.h"
#include "ag_kl.h"
#include "ag_philox.h"
#include "ag_dice.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define WORDS       (UINT64_C(1) << 32)
#define CHUNK       256 /* words at a time, in loops that compilers turn into SIMD */
#define THREADS_MAX 64

typedef struct {
    uint32_t faces, m, reject;
    uint32_t factor;        /* ag_dice_power(): a word times this should be what is left of it */
    uint64_t power, share;  /* f^m, and the accepted words that each outcome must have */
    uint64_t lo, hi;        /* outcomes of this thread */
    uint64_t n_wrong_dice;  /* words with other dice, or with something else left */
    uint64_t n_wrong_share; /* outcomes without their share */
    uint64_t n_accepted;
} slice;

/* The first word of outcome i. */
static uint64_t first_word(const slice *s, uint64_t i)
{
    return (i * WORDS + s->power - 1) / s->power; /* i < f^m <= 2^32: no overflow */
}

/* Cuts the dice of n words from r on: index[k] is the number whose digits they are. */
static void cut_dice(const slice *s, uint64_t r, int n, uint32_t *index, uint32_t *left)
{
    for (int k = 0; k < n; k++) {
        left[k] = (uint32_t)(r + (uint64_t)k);
        index[k] = 0;
    }
    for (uint32_t d = 0; d < s->m; d++)
        for (int k = 0; k < n; k++)
            index[k] = index[k] * s->faces + ag_dice_next(&left[k], s->faces) - 1;
}

static void *check_slice(void *arg)
{
    slice *s = arg;
    const uint64_t end = s->hi == s->power ? WORDS : first_word(s, s->hi);
    uint64_t outcome = s->lo, n = 0; /* accepted words of the present outcome so far */
    uint32_t index[CHUNK], left[CHUNK];
    for (uint64_t r = first_word(s, s->lo); r < end; r += CHUNK) {
        const int n_chunk = end - r < CHUNK ? (int)(end - r) : CHUNK;
        cut_dice(s, r, n_chunk, index, left);
        for (int k = 0; k < n_chunk; k++) {
            const uint32_t word = (uint32_t)(r + (uint64_t)k);
            const uint64_t product = (uint64_t)word * s->power;
            const bool accepted = product % WORDS >= s->reject;
            s->n_wrong_dice +=
                index[k] != product / WORDS || left[k] != product % WORDS || word * s->factor != product % WORDS;
            if (product / WORDS != outcome) {
                s->n_wrong_share += n != s->share || product / WORDS != outcome + 1;
                outcome = product / WORDS;
                n = 0;
            }
            n += accepted;
            s->n_accepted += accepted;
        }
    }
    s->n_wrong_share += n != s->share || outcome + 1 != s->hi;
    return NULL;
}

/* True if all is as it should be. */
static bool check_faces(uint32_t faces, uint64_t n_threads)
{
    slice all = {.faces = faces, .m = ag_dice_per_word(faces), .power = 1}, part[THREADS_MAX];
    pthread_t thread[THREADS_MAX];
    for (uint32_t d = 0; d < all.m; d++)
        all.power *= faces;
    all.factor = ag_dice_power(faces, all.m);
    all.reject = (uint32_t)(WORDS % all.power);
    all.share = WORDS / all.power;
    for (uint64_t t = 0; t < n_threads; t++) {
        part[t] = all;
        part[t].lo = all.power / n_threads * t;
        part[t].hi = t + 1 == n_threads ? all.power : all.power / n_threads * (t + 1);
        if (pthread_create(&thread[t], NULL, check_slice, &part[t]) != 0) {
            fprintf(stderr, "long_uniform: no thread\n");
            exit(1);
        }
    }
    for (uint64_t t = 0; t < n_threads; t++) {
        pthread_join(thread[t], NULL);
        all.n_wrong_dice += part[t].n_wrong_dice;
        all.n_wrong_share += part[t].n_wrong_share;
        all.n_accepted += part[t].n_accepted;
    }
    const bool good = all.n_wrong_dice == 0 && all.n_wrong_share == 0 && all.n_accepted == all.power * all.share &&
                      (uint64_t)all.reject * 256 < WORDS;
    printf("%6" PRIu32 " faces, %2" PRIu32 " dice a word: %10" PRIu64 " outcomes of %" PRIu64 " words each, %" PRIu64
           " words rejected; wrong: %" PRIu64 " words, %" PRIu64 " outcomes: %s\n",
           faces, all.m, all.power, all.share, WORDS - all.n_accepted, all.n_wrong_dice, all.n_wrong_share,
           good ? "ok" : "FAILED");
    fflush(stdout);
    return good;
}

int main(int argc, char **argv)
{
    static const char *const usual[] = {"6", "10", "20", "100", "65536"};
    const int n = argc > 1 ? argc - 1 : (int)(sizeof usual / sizeof usual[0]);
    const long n_processors = sysconf(_SC_NPROCESSORS_ONLN);
    const uint64_t n_threads = n_processors < 1 ? 1 : n_processors > THREADS_MAX ? THREADS_MAX : (uint64_t)n_processors;
    int n_good = 0;
    for (int i = 0; i < n; i++) {
        const char *text = argc > 1 ? argv[1 + i] : usual[i];
        const uint32_t faces = (uint32_t)strtoul(text, NULL, 10);
        if (ag_dice_per_word(faces) == 0) {
            fprintf(stderr, "long_uniform: faces is %s, must be 2..65536\n", text);
            return 2;
        }
        n_good += check_faces(faces, n_threads);
    }
    printf("%d passed, %d failed\n", n_good, n - n_good);
    return n_good == n ? 0 : 1;
}
