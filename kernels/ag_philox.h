/*
 * ag_philox.h -- one block of Philox4x32-10, the random bits of every game.
 * Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3" (SC11).
 */
#ifndef AG_PHILOX_H
#define AG_PHILOX_H

#define AG_PHILOX_M0     0xD2511F53u /* multipliers of words 0 and 2 */
#define AG_PHILOX_M1     0xCD9E8D57u
#define AG_PHILOX_W0     0x9E3779B9u /* what a round adds to the key: golden ratio, sqrt(3) - 1 */
#define AG_PHILOX_W1     0xBB67AE85u
#define AG_PHILOX_ROUNDS 10u
/* Packs of blocks that ag_philox_packs makes at a time: as many as the registers hold. */
#if AG_PACK == 8
#define AG_PHILOX_CHAINS 4u
#elif AG_PACK > 1
#define AG_PHILOX_CHAINS 2u
#else
#define AG_PHILOX_CHAINS 1u
#endif

/* out: the 4 words of the block with counter {c0, c1, c2, c3} and key {k0, k1}; private memory. */
AG_FN void ag_philox_block(ag_u32 c0, ag_u32 c1, ag_u32 c2, ag_u32 c3, ag_u32 k0, ag_u32 k1, ag_u32 *out)
{
    for (ag_u32 round = 0; round < AG_PHILOX_ROUNDS; round++) {
        const ag_u32 hi0 = AG_MULHI32(c0, AG_PHILOX_M0), lo0 = c0 * AG_PHILOX_M0;
        const ag_u32 hi1 = AG_MULHI32(c2, AG_PHILOX_M1), lo1 = c2 * AG_PHILOX_M1;
        c0 = hi1 ^ c1 ^ k0;
        c1 = lo1;
        c2 = hi0 ^ c3 ^ k1;
        c3 = lo0;
        k0 += AG_PHILOX_W0;
        k1 += AG_PHILOX_W1;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

/*
 * The same, AG_PHILOX_CHAINS packs of blocks at a time: a block is one long chain of dependent
 * operations, and a processor needs several of them to be busy. c: [4][CHAINS], counters in,
 * blocks out, word by word; upper halves may hold anything before and after.
 */
AG_FN void ag_philox_packs(ag_words *c, ag_u32 k0, ag_u32 k1)
{
#if AG_PACK == 1 /* sums and exclusive ors of 64 bits would be two instructions each on a GPU */
    ag_u32 out[4];
    ag_philox_block((ag_u32)c[0], (ag_u32)c[1], (ag_u32)c[2], (ag_u32)c[3], k0, k1, out);
    for (ag_u32 q = 0; q < 4u; q++)
        c[q] = out[q];
#else
    const ag_words m0 = AG_SPLAT_WORDS(AG_PHILOX_M0), m1 = AG_SPLAT_WORDS(AG_PHILOX_M1);
    ag_words *c0 = c, *c1 = c + AG_PHILOX_CHAINS, *c2 = c + 2u * AG_PHILOX_CHAINS, *c3 = c + 3u * AG_PHILOX_CHAINS;
    for (ag_u32 round = 0; round < AG_PHILOX_ROUNDS; round++) {
        AG_UNROLL
        for (ag_u32 s = 0; s < AG_PHILOX_CHAINS; s++) {
            const ag_words p0 = ag_mul_words(c0[s], m0);
            const ag_words p1 = ag_mul_words(c2[s], m1);
            c0[s] = (p1 >> 32u) ^ c1[s] ^ k0;
            c1[s] = p1;
            c2[s] = (p0 >> 32u) ^ c3[s] ^ k1;
            c3[s] = p0;
        }
        k0 += AG_PHILOX_W0;
        k1 += AG_PHILOX_W1;
    }
#endif
}

#endif
