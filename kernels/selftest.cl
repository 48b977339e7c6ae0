/*
 * selftest.cl -- one kernel that uses every word of the kernel language on inputs whose
 * results the host knows: integers, doubles that show contraction, packs, barriers,
 * atomics, Philox and dice. Shapes: selftest_params.h.
 *
 *   b0  words in     b1  doubles in     b2  words out, zeroed     b3  doubles out
 */

/* What integers make of a and b > 0; out holds AG_SELFTEST_WORD_OPS results. */
AG_FN void ag_selftest_words(AG_GLOBAL ag_u32 *out, ag_u32 a, ag_u32 b)
{
    const ag_u64 wide = ((ag_u64)a << 32) | b;
    const ag_i32 negative = -(ag_i32)(a >> 1) - 1;
    out[0] = AG_MULHI32(a, b);
    out[1] = a * b;
    out[2] = a + b;
    out[3] = a - b;
    out[4] = a << (b & 31u);
    out[5] = a >> (b & 31u);
    out[6] = a / b;
    out[7] = a % b;
    out[8] = (ag_u32)((wide * 0x9E3779B97F4A7C15u) >> 32);
    out[9] = (ag_u32)(wide / (b | 0x100000001u));
    out[10] = (ag_u32)(negative / (ag_i32)((b >> 1) | 1u));
    out[11] = (ag_u32)(ag_u8)a | ((ag_u32)(ag_u16)(a + b) << 8);
    out[12] = (ag_u32)((double)a * 0.5 + (double)(b & 0xFFu));
}

/* What doubles make of x, y and z; out holds AG_SELFTEST_REAL_OPS results. */
AG_FN void ag_selftest_reals(AG_GLOBAL double *out, double x, double y, double z)
{
    out[0] = x * y + z;
    out[1] = z - x * y;
    out[2] = x / y;
    out[3] = x + y - z;
    out[4] = ag_max1(x, z);
    out[5] = ag_min1(x, z);
}

/* The dice of one word, then whether it is accepted with `reject`, and with one more than is left of it. */
AG_FN void ag_selftest_dice(AG_GLOBAL ag_u32 *out, ag_u32 word, ag_u32 faces, ag_u32 reject)
{
    ag_u32 rest = word;
    for (ag_u32 i = 0; i < AG_SELFTEST_DICE; i++)
        out[i] = ag_dice_next(&rest, faces);
    out[AG_SELFTEST_DICE] = ag_dice_accepts(word, faces, AG_SELFTEST_DICE, reject);
    out[AG_SELFTEST_DICE + 1u] = ag_dice_accepts(word, faces, AG_SELFTEST_DICE, rest + 1u);
}

/* Packs of words: item i gives the high word, xor the low word, of 0xCD9E8D57 times the low
 * word of i * 0x9E3779B97F4A7C15. */
AG_FN void ag_selftest_products(AG_GLOBAL ag_u32 *out, ag_u32 i)
{
    ag_u64 item[AG_PACK];
    for (ag_u32 j = 0; j < AG_PACK; j++)
        item[j] = (i + j) * (ag_u64)0x9E3779B97F4A7C15u;
    const ag_words v = ag_mul_words(ag_load_words(item), AG_SPLAT_WORDS(0xCD9E8D57u));
    ag_store_words(item, v ^ (v >> 32u));
    for (ag_u32 j = 0; j < AG_PACK && i + j < AG_SELFTEST_LINE; j++)
        out[i + j] = (ag_u32)item[j];
}

/* 1 if ag_philox_packs() gives what ag_philox_block() gives, with counters {0, item, 5, ~item}. */
AG_FN ag_u32 ag_selftest_agree(ag_u32 key0, ag_u32 key1)
{
    ag_words c[4u * AG_PHILOX_CHAINS];
    ag_u64 item[AG_PACK];
    ag_u32 block[4], agree = 1u;
    for (ag_u32 s = 0; s < AG_PHILOX_CHAINS; s++) {
        for (ag_u32 j = 0; j < AG_PACK; j++)
            item[j] = s * AG_PACK + j;
        const ag_words number = ag_load_words(item);
        c[s] = AG_SPLAT_WORDS(0u);
        c[AG_PHILOX_CHAINS + s] = number;
        c[2u * AG_PHILOX_CHAINS + s] = AG_SPLAT_WORDS(5u);
        c[3u * AG_PHILOX_CHAINS + s] = ~number;
    }
    ag_philox_packs(c, key0, key1);
    for (ag_u32 i = 0; i < AG_PHILOX_CHAINS * AG_PACK; i++) {
        ag_philox_block(0u, i, 5u, ~i, key0, key1, block);
        for (ag_u32 w = 0; w < 4u; w++) {
            ag_store_words(item, c[w * AG_PHILOX_CHAINS + i / AG_PACK]);
            if ((ag_u32)item[i % AG_PACK] != block[w])
                agree = 0u;
        }
    }
    return agree;
}

AG_ENTRY(agk_selftest, agk_selftest_params)
{
    const AG_GLOBAL ag_u32 *words_in = (const AG_GLOBAL ag_u32 *)b0;
    const AG_GLOBAL double *reals_in = (const AG_GLOBAL double *)b1;
    AG_GLOBAL ag_u32 *words = (AG_GLOBAL ag_u32 *)b2 + AG_GROUP * AG_SELFTEST_WORDS;
    AG_GLOBAL double *reals = (AG_GLOBAL double *)b3 + AG_GROUP * AG_SELFTEST_REALS;
    AG_GLOBAL ag_u32 *tally = (AG_GLOBAL ag_u32 *)b2 + AG_N_GROUPS * AG_SELFTEST_WORDS;
    const AG_GLOBAL double *row = reals_in + AG_SELFTEST_AT_ROWS;
    AG_GLOBAL double *line = reals + AG_SELFTEST_AT_LINE;
    AG_UNUSED_BUFS();

    AG_FOR_ITEMS(i, 0u, AG_SELFTEST_PAIRS) {
        ag_selftest_words(words + i * AG_SELFTEST_WORD_OPS, words_in[2u * i], words_in[2u * i + 1u]);
    }
    AG_FOR_ITEMS(i, 0u, AG_SELFTEST_TRIPLES) {
        ag_selftest_reals(reals + i * AG_SELFTEST_REAL_OPS, reals_in[3u * i], reals_in[3u * i + 1u],
                          reals_in[3u * i + 2u]);
    }
    AG_FOR_ITEMS(i, 0u, AG_SELFTEST_BLOCKS) {
        const AG_GLOBAL ag_u32 *in = words_in + AG_SELFTEST_AT_BLOCKS + 6u * i;
        ag_u32 block[4];
        ag_philox_block(in[0], in[1], in[2], in[3], in[4], in[5], block);
        for (ag_u32 j = 0; j < 4u; j++)
            words[AG_SELFTEST_AT_PHILOX + 4u * i + j] = block[j];
    }
    AG_FOR_ITEMS(i, 0u, AG_SELFTEST_DICE_WORDS) {
        const AG_GLOBAL ag_u32 *key = words_in + AG_SELFTEST_AT_BLOCKS + 4u;
        const ag_u32 word = ag_dice_word(key[0], key[1], 0u, 0u, i, 0u, p.faces, AG_SELFTEST_DICE, 0u);
        ag_selftest_dice(words + AG_SELFTEST_AT_DICE + i * AG_SELFTEST_DICE_OPS, word, p.faces, p.reject);
    }
    AG_FOR_ITEMS(i, AG_SELFTEST_AT_AGREE, AG_SELFTEST_WORDS) {
        words[i] = i == AG_SELFTEST_AT_MARKER ? p.marker : ag_selftest_agree(p.marker, p.reject);
    }

    AG_FOR_PACKS(i, 0u, AG_SELFTEST_LINE) {
        ag_selftest_products(words + AG_SELFTEST_AT_PRODUCTS, i);
    }
    AG_FOR_PACKS(i, 0u, AG_SELFTEST_LINE) {
        const ag_i32 first = (ag_i32)i;
        const ag_pack x = ag_load(row + i), y = ag_load(row + AG_SELFTEST_ROW + i);
        const ag_pack v = AG_SELECT(x < y, x * y + AG_SPLAT(p.scale), ag_max(x - y, AG_SPLAT(p.scale)));
        const ag_mask keep = ag_lanes_between(AG_SELFTEST_KEEP_FROM - first, AG_SELFTEST_KEEP_TO - first);
        ag_store_first(line + i, AG_SELECT(keep, v, AG_SPLAT(p.scale)), AG_SELFTEST_LINE - i);
    }
    AG_BARRIER();
    AG_FOR_ITEMS(i, 0u, AG_SELFTEST_LINE) {
        reals[AG_SELFTEST_AT_BACKWARDS + i] = line[AG_SELFTEST_LINE - 1u - i];
        AG_ATOMIC_ADD32(tally, 1u);
    }
}
