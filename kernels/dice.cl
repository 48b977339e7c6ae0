/*
 * dice.cl -- rolls the dice on the table of one game: counts their faces, or writes them out.
 *
 * Words are made a batch of blocks at a time, in packs, and rejected ones (0.04 % for six
 * faces) are replaced before the batch is counted. On a GPU a batch is one block and the loops
 * over it dissolve.
 *
 * What limits it, for six faces: a block, 40 dice, costs 20 multiplications, 20 shifts and 40
 * exclusive ors in one lane of a pack; a word, ten dice, then 3 multiplications (one says
 * whether it is accepted) and two loads from a table that the first cache holds. In packs of
 * eight that is 0.35 SIMD operations and 0.8 scalar ones a die, in about equal times. Cutting die
 * by die instead costs a multiplication, a shift and a dependent increment of memory each.
 */

#if AG_PACK > 1
#define AG_DICE_BLOCKS 64u /* of a batch */
#else
#define AG_DICE_BLOCKS 1u
#endif
#define AG_DICE_WORDS (4u * AG_DICE_BLOCKS)

/* word[q * AG_DICE_BLOCKS + i], lower half: accepted word q of block block0 + i. Positions past
 * 2^32 - 1 wrap; the caller ignores them. power as ag_dice_power(). */
AG_FN void dice_fill(const agk_dice_params *p, ag_u32 block0, ag_u32 power, ag_u64 *word)
{
    const ag_words powers = AG_SPLAT_WORDS(power);
    ag_words n_bad = AG_SPLAT_WORDS(0u);
    ag_u64 lane[AG_PACK];
    for (ag_u32 k = 0; k < AG_PACK; k++)
        lane[k] = k;
    const ag_words position = ag_load_words(lane) + block0;
    for (ag_u32 i = 0; i < AG_DICE_BLOCKS; i += AG_PACK * AG_PHILOX_CHAINS) {
        ag_words c[4u * AG_PHILOX_CHAINS];
        for (ag_u32 s = 0; s < AG_PHILOX_CHAINS; s++) {
            c[s] = AG_SPLAT_WORDS(p->game[0]);
            c[s + AG_PHILOX_CHAINS] = AG_SPLAT_WORDS(p->game[1]);
            c[s + 2u * AG_PHILOX_CHAINS] = position + (i + s * AG_PACK);
            c[s + 3u * AG_PHILOX_CHAINS] = AG_SPLAT_WORDS(0u);
        }
        ag_philox_packs(c, p->key[0], p->key[1]);
        for (ag_u32 k = 0; k < 4u * AG_PHILOX_CHAINS; k++) {
            const ag_words left = ag_mul_words(c[k], powers) & 0xFFFFFFFFu;
            n_bad += (left - p->reject) >> 63u;
            ag_store_words(word + k / AG_PHILOX_CHAINS * AG_DICE_BLOCKS + i + k % AG_PHILOX_CHAINS * AG_PACK, c[k]);
        }
    }
    ag_store_words(lane, n_bad);
    for (ag_u32 k = 1; k < AG_PACK; k++)
        lane[0] += lane[k];
    for (ag_u32 q = 0; q < 4u && lane[0] > 0u; q++)
        for (ag_u32 i = 0; i < AG_DICE_BLOCKS; i++)
            if ((ag_u32)word[q * AG_DICE_BLOCKS + i] * power < p->reject) {
                word[q * AG_DICE_BLOCKS + i] =
                    ag_dice_word(p->key[0], p->key[1], p->game[0], p->game[1], 4u * (ag_u64)(block0 + i) + q, 0u,
                                 p->faces, p->per_word, p->reject);
                lane[0]--;
            }
}

/* Adds the six-sided dice of a whole batch to tally: two looks into the table for a word of ten. */
AG_FN void dice_count_sixes(ag_u64 *word, const AG_GLOBAL ag_u32 *fives, ag_u32 *tally)
{
    const ag_words n_fives = AG_SPLAT_WORDS(AG_DICE_FIVES);
    const ag_u32 field = (1u << AG_DICE_FIELD) - 1u;
    ag_u32 n0 = 0, n1 = 0, n2 = 0, n3 = 0, n4 = 0;
    for (ag_u32 j = 0; j < AG_DICE_WORDS; j += AG_PACK) {
        const ag_words a = ag_mul_words(ag_load_words(word + j), n_fives);
        const ag_words b = ag_mul_words(a, n_fives);
        ag_store_words(word + j, (a >> 32u) | (b >> 32u << 32u));
    }
    for (ag_u32 j = 0; j < AG_DICE_WORDS; j += 4u) {
        ag_u32 sum = 0; /* of 40 dice: every field has room */
        for (ag_u32 q = 0; q < 4u; q++)
            sum += fives[(ag_u32)word[j + q]] + fives[word[j + q] >> 32u];
        n0 += sum & field;
        n1 += sum >> AG_DICE_FIELD & field;
        n2 += sum >> 2u * AG_DICE_FIELD & field;
        n3 += sum >> 3u * AG_DICE_FIELD & field;
        n4 += sum >> 4u * AG_DICE_FIELD & field;
    }
    tally[0] += n0;
    tally[1] += n1;
    tally[2] += n2;
    tally[3] += n3;
    tally[4] += n4;
    tally[5] += 10u * AG_DICE_WORDS - (n0 + n1 + n2 + n3 + n4);
}

/* Adds the dice of those words of a batch that are below n_words, the batch's first being word0. */
AG_FN void dice_count_any(const agk_dice_params *p, const ag_u64 *word, ag_u32 word0, ag_u32 *tally)
{
    for (ag_u32 j = 0; j < AG_DICE_WORDS && word0 + j < p->n_words; j++) {
        ag_u32 rest = (ag_u32)word[j % 4u * AG_DICE_BLOCKS + j / 4u];
        for (ag_u32 k = 0; k < p->per_word; k++)
            tally[ag_dice_next(&rest, p->faces) - 1u]++;
    }
}

AG_ENTRY(agk_dice_count, agk_dice_params)
{
    AG_UNUSED_BUFS();
    AG_GLOBAL ag_u32 *row = (AG_GLOBAL ag_u32 *)b0 + (ag_u64)AG_GROUP * p.faces;
    const AG_GLOBAL ag_u32 *fives = (const AG_GLOBAL ag_u32 *)b1;
    const ag_u32 n_batches = (p.n_blocks + AG_DICE_BLOCKS - 1u) / AG_DICE_BLOCKS;
    const ag_u32 lo = (ag_u32)((ag_u64)n_batches * AG_GROUP / AG_N_GROUPS);
    const ag_u32 hi = (ag_u32)((ag_u64)n_batches * (AG_GROUP + 1u) / AG_N_GROUPS);
    const ag_u32 power = ag_dice_power(p.faces, p.per_word);
    ag_u32 tally[AG_DICE_FACES_MAX];
    ag_u64 word[AG_DICE_WORDS];

    AG_FOR_ITEMS(f, 0u, p.faces) {
        row[f] = 0;
    }
    for (ag_u32 f = 0; f < p.faces; f++)
        tally[f] = 0;
    AG_BARRIER();
    AG_FOR_ITEMS(batch, lo, hi) {
        const ag_u32 word0 = AG_DICE_WORDS * batch;
        dice_fill(&p, p.block0 + AG_DICE_BLOCKS * batch, power, word);
        if (p.faces == 6u && word0 + AG_DICE_WORDS <= p.n_words)
            dice_count_sixes(word, fives, tally);
        else
            dice_count_any(&p, word, word0, tally);
    }
    for (ag_u32 f = 0; f < p.faces; f++)
        AG_ATOMIC_ADD32(&row[f], tally[f]);
}

AG_ENTRY(agk_dice_roll, agk_dice_params)
{
    AG_UNUSED_BUFS();
    AG_GLOBAL ag_u32 *dice = (AG_GLOBAL ag_u32 *)b0;
    const ag_u32 lo = (ag_u32)((ag_u64)p.n_words * AG_GROUP / AG_N_GROUPS);
    const ag_u32 hi = (ag_u32)((ag_u64)p.n_words * (AG_GROUP + 1u) / AG_N_GROUPS);

    AG_FOR_ITEMS(w, lo, hi) {
        ag_u32 rest = ag_dice_word(p.key[0], p.key[1], p.game[0], p.game[1], 4u * (ag_u64)p.block0 + w, 0u, p.faces,
                                   p.per_word, p.reject);
        for (ag_u32 k = 0; k < p.per_word; k++)
            dice[(ag_u64)w * p.per_word + k] = ag_dice_next(&rest, p.faces);
    }
}
