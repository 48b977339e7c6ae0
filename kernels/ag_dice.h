/*
 * ag_dice.h -- exactly uniform dice cut from the words of Philox, as include/astragal/rng.h
 * lays them out (Brackett-Rozinsky, Lemire: "Batched ranged random integer generation",
 * arXiv 2408.06213).
 */
#ifndef AG_DICE_H
#define AG_DICE_H

#define AG_DICE_ATTEMPTS 256u /* fewer than one word in 256 is rejected: the last attempt is never needed */

/* The face 1..faces of the next die of a word; *rest is the word at first, then what is left of it. */
AG_FN ag_u32 ag_dice_next(ag_u32 *rest, ag_u32 faces)
{
    const ag_u32 die = AG_MULHI32(*rest, faces);
    *rest *= faces;
    return die + 1u;
}

/* faces^per_word mod 2^32: a word times this is what is left of it after all its dice. */
AG_FN ag_u32 ag_dice_power(ag_u32 faces, ag_u32 per_word)
{
    ag_u32 power = 1u;
    for (ag_u32 i = 0; i < per_word; i++)
        power *= faces;
    return power;
}

/* Whether a word may be used: reject = 2^32 mod faces^per_word. */
AG_FN ag_u32 ag_dice_accepts(ag_u32 word, ag_u32 faces, ag_u32 per_word, ag_u32 reject)
{
    return word * ag_dice_power(faces, per_word) >= reject;
}

/*
 * Word w of a stream, w < 2^34, retried until accepted. per_word is m of rng.h. Word j of turn t of a seat's private
 * draws: w = 4 t + j mod 4, stream = (1 + seat) * 4096 + j / 4.
 */
AG_FN ag_u32 ag_dice_word(ag_u32 key0, ag_u32 key1, ag_u32 game0, ag_u32 game1, ag_u64 w, ag_u32 stream, ag_u32 faces,
                          ag_u32 per_word, ag_u32 reject)
{
    ag_u32 out[4], word = 0;
    for (ag_u32 attempt = 0; attempt < AG_DICE_ATTEMPTS; attempt++) {
        ag_philox_block(game0, game1, (ag_u32)(w >> 2), stream * 256u + attempt, key0, key1, out);
        /* not out[w & 3]: a GPU keeps in registers only what is indexed by constants */
        word = (w & 2u) != 0 ? ((w & 1u) != 0 ? out[3] : out[2]) : ((w & 1u) != 0 ? out[1] : out[0]);
        if (ag_dice_accepts(word, faces, per_word, reject))
            break;
    }
    return word;
}

#endif
