/*
 * dice.cl -- rolls the dice on the table of one game: counts their faces, or writes them out.
 *
 * Words are made a batch of blocks at a time, and rejected ones (0.04 % for six faces) are replaced
 * before the batch is counted. Six-sided dice, the most common, have an entry of their own. It counts
 * five faces in five fields of a word that has room for 40 dice; the sixth is what is missing.
 *
 * What limits it, for six faces, in packs (a CPU): a block, 40 dice, costs 20 multiplications, 20
 * shifts and 40 exclusive ors in one lane of a pack; a word, ten dice, then 3 multiplications (one
 * says whether it is accepted) and two loads from a table that the first cache holds. In packs of
 * eight that is 0.35 SIMD operations and 0.8 scalar ones a die, in about equal times. Cutting die by
 * die instead costs a multiplication, a shift and a dependent increment of memory each.
 *
 * On a GPU a batch is one block, and 32 lanes would look into as many lines of the table at once. There
 * a die is cut, shifted into its field and added, all in registers: 221 instructions a block on sm_90
 * (docs/gpu.md counts them).
 */

/* Adds a sum of fields to the counts n of faces 1..5. */
AG_FN void dice_add_fields(ag_u32 sum, ag_u32 *n)
{
    for (ag_u32 f = 0; f < 5u; f++)
        n[f] += sum >> AG_DICE_FIELD * f & ((1u << AG_DICE_FIELD) - 1u);
}

/*
 * Two functions for each kind of lane, on a batch of AG_DICE_BLOCKS blocks:
 *
 * dice_fill: the lower half of word[q * AG_DICE_BLOCKS + i] becomes the accepted word q of block block0 + i.
 * power as ag_dice_power().
 *
 * dice_count_sixes: adds the six-sided dice of the words to the counts n of faces 1..5. May change the words.
 */
#if AG_PACK > 1
#define AG_DICE_BLOCKS AG_DICE_BATCH

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

/* Two looks into the table for a word of ten dice. */
AG_FN void dice_count_sixes(const agk_dice_params *p, ag_u64 *word, const AG_GLOBAL ag_u32 *fives, ag_u32 *n)
{
    const ag_words n_fives = AG_SPLAT_WORDS(AG_DICE_FIVES);
    for (ag_u32 j = 0; j < 4u * AG_DICE_BLOCKS; j += AG_PACK) {
        const ag_words a = ag_mul_words(ag_load_words(word + j), n_fives);
        const ag_words b = ag_mul_words(a, n_fives);
        ag_store_words(word + j, (a >> 32u) | (b >> 32u << 32u));
    }
    for (ag_u32 j = 0; j < 4u * AG_DICE_BLOCKS; j += 4u) {
        ag_u32 sum = 0;
        for (ag_u32 q = 0; q < 4u; q++)
            sum += fives[(ag_u32)word[j + q]] + fives[word[j + q] >> 32u];
        dice_add_fields(sum, n);
    }
}
#else
#define AG_DICE_BLOCKS 1u

AG_FN void dice_fill(const agk_dice_params *p, ag_u32 block0, ag_u32 power, ag_u64 *word)
{
    ag_u32 out[4], again[4];
    ag_philox_block(p->game[0], p->game[1], block0, 0u, p->key[0], p->key[1], out);
    for (ag_u32 attempt = 1; attempt < AG_DICE_ATTEMPTS; attempt++) {
        if ((out[0] * power >= p->reject) & (out[1] * power >= p->reject) & (out[2] * power >= p->reject) &
            (out[3] * power >= p->reject))
            break;
        ag_philox_block(p->game[0], p->game[1], block0, attempt, p->key[0], p->key[1], again);
        for (ag_u32 q = 0; q < 4u; q++)
            if (out[q] * power < p->reject)
                out[q] = again[q];
    }
    for (ag_u32 q = 0; q < 4u; q++)
        word[q] = out[q];
}

/* Die by die. By faces and not by 6: a compiler that knows the number makes each die anew from the whole word, which
 * is a second multiplication. */
AG_FN void dice_count_sixes(const agk_dice_params *p, ag_u64 *word, const AG_GLOBAL ag_u32 *fives, ag_u32 *n)
{
    ag_u32 sum = 0;
    (void)fives;
    for (ag_u32 q = 0; q < 4u; q++) {
        ag_u32 rest = (ag_u32)word[q];
        for (ag_u32 k = 0; k < 10u; k++)
            sum += 1u << AG_DICE_FIELD * (ag_dice_next(&rest, p->faces) - 1u);
    }
    dice_add_fields(sum, n);
}
#endif
#define AG_DICE_WORDS (4u * AG_DICE_BLOCKS)

/* The first batch of a group, of those that n_blocks make. */
AG_FN ag_u32 dice_batch_of(ag_u32 n_blocks, ag_u32 group, ag_u32 n_groups)
{
    return (ag_u32)((ag_u64)(n_blocks / AG_DICE_BLOCKS) * group / n_groups);
}

AG_ENTRY(agk_dice_count_sixes, agk_dice_params)
{
    AG_UNUSED_BUFS();
    AG_GLOBAL ag_u32 *row = (AG_GLOBAL ag_u32 *)b0 + 6u * (ag_u64)AG_GROUP;
    const AG_GLOBAL ag_u32 *fives = (const AG_GLOBAL ag_u32 *)b1;
    const ag_u32 lo = dice_batch_of(p.n_blocks, AG_GROUP, AG_N_GROUPS);
    const ag_u32 hi = dice_batch_of(p.n_blocks, AG_GROUP + 1u, AG_N_GROUPS);
    const ag_u32 power = ag_dice_power(6u, 10u);
    ag_u32 n[6] = {0u, 0u, 0u, 0u, 0u, 0u};
    ag_u64 word[AG_DICE_WORDS];

    AG_FOR_ITEMS(f, 0u, 6u) {
        row[f] = 0;
    }
    AG_BARRIER();
    AG_FOR_ITEMS(batch, lo, hi) {
        dice_fill(&p, p.block0 + AG_DICE_BLOCKS * batch, power, word);
        dice_count_sixes(&p, word, fives, n);
        n[5] += 10u * AG_DICE_WORDS;
    }
    n[5] -= n[0] + n[1] + n[2] + n[3] + n[4];
    for (ag_u32 f = 0; f < 6u; f++)
        AG_ATOMIC_ADD32(&row[f], n[f]);
}

AG_ENTRY(agk_dice_count, agk_dice_params)
{
    AG_UNUSED_BUFS();
    AG_GLOBAL ag_u32 *row = (AG_GLOBAL ag_u32 *)b0 + (ag_u64)AG_GROUP * p.faces;
    const ag_u32 lo = dice_batch_of(p.n_blocks, AG_GROUP, AG_N_GROUPS);
    const ag_u32 hi = dice_batch_of(p.n_blocks, AG_GROUP + 1u, AG_N_GROUPS);
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
        dice_fill(&p, p.block0 + AG_DICE_BLOCKS * batch, power, word);
        for (ag_u32 j = 0; j < AG_DICE_WORDS; j++) {
            ag_u32 rest = (ag_u32)word[j];
            for (ag_u32 k = 0; k < p.per_word; k++)
                tally[ag_dice_next(&rest, p.faces) - 1u]++;
        }
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
