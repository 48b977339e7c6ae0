/*
 * lcr_common.h -- what the kernels that play LCR share: letters of dice, and counters.
 *
 * Letters come in two planes: bit i of the low one and bit i of the high one are the letter of die i.
 */

/* ------------------------------------------------------------------------------ dice */

#define LCR_BLOCK_DICE 40u

#if AG_PACK > 1
/* The ten dice of an accepted word: the low plane in bits 0 .. 9, the high one above. */
AG_FN ag_u32 lcr_letters(const agk_lcr_params *p, ag_u32 word, const AG_GLOBAL ag_u32 *fives)
{
    const ag_u32 first = AG_MULHI32(word, AG_LCR_FIVES), second = AG_MULHI32(word * AG_LCR_FIVES, AG_LCR_FIVES);
    (void)p;
    return fives[first] | fives[second] << 5u;
}
#else
/* Die by die: 32 lanes would look into as many lines of a table at once. */
AG_FN ag_u32 lcr_letters(const agk_lcr_params *p, ag_u32 word, const AG_GLOBAL ag_u32 *fives)
{
    ag_u32 letters = 0;
    (void)fives;
    for (ag_u32 k = 0; k < 10u; k++) {
        const ag_u32 letter = p->letters >> 2u * (ag_dice_next(&word, 6u) - 1u);
        letters |= ((letter & 1u) | (letter & 2u) << 9u) << k;
    }
    return letters;
}
#endif

/* Both planes of a block whose words have these letters. */
AG_FN void lcr_planes(ag_u32 word0, ag_u32 word1, ag_u32 word2, ag_u32 word3, ag_u64 *low, ag_u64 *high)
{
    *low = (word0 & 0x3FFu) | (word1 & 0x3FFu) << 10u | (word2 & 0x3FFu) << 20u | (ag_u64)(word3 & 0x3FFu) << 30u;
    *high = word0 >> 10u | word1 >> 10u << 10u | word2 >> 10u << 20u | (ag_u64)(word3 >> 10u) << 30u;
}

/* The letters of a block of dice. game: number of the game within the run. */
AG_FN void lcr_block(const agk_lcr_params *p, ag_u64 game, ag_u32 block, const AG_GLOBAL ag_u32 *fives, ag_u64 *low,
                     ag_u64 *high)
{
    const ag_u64 number = ((ag_u64)p->from[1] << 32u | p->from[0]) + game;
    const ag_u32 power = ag_dice_power(6u, 10u);
    ag_u32 word[4], again[4];
    ag_philox_block((ag_u32)number, (ag_u32)(number >> 32u), block, 0u, p->key[0], p->key[1], word);
    for (ag_u32 attempt = 1; attempt < AG_DICE_ATTEMPTS; attempt++) {
        if ((word[0] * power >= p->reject) & (word[1] * power >= p->reject) & (word[2] * power >= p->reject) &
            (word[3] * power >= p->reject))
            break;
        ag_philox_block((ag_u32)number, (ag_u32)(number >> 32u), block, attempt, p->key[0], p->key[1], again);
        for (ag_u32 q = 0; q < 4u; q++)
            if (word[q] * power < p->reject)
                word[q] = again[q];
    }
    lcr_planes(lcr_letters(p, word[0], fives), lcr_letters(p, word[1], fives), lcr_letters(p, word[2], fives),
               lcr_letters(p, word[3], fives), low, high);
}

/* -------------------------------------------------------------------------- counting */

/* One more in a counter of the group's copy, which the lanes of a GPU and several groups there share. */
AG_FN void lcr_count(AG_GLOBAL ag_u32 *counter)
{
#if AG_PACK > 1
    *counter += 1u;
#else
    AG_ATOMIC_ADD32(counter, 1u);
#endif
}

/* sum + x to 128 bits. */
AG_FN void lcr_add_wide(ag_u64 *sum, ag_u64 low, ag_u64 high)
{
    sum[0] += low;
    sum[1] += high + (sum[0] < low);
}

/* Counts a game that is over; one that the bins do not tell the length of also in s. A game has fewer than 2^48 turns:
 * 2^32 blocks of dice, and a die in every round of the table. */
AG_FN void lcr_count_game(const agk_lcr_params *p, AG_GLOBAL ag_u32 *tally, ag_u32 winner, ag_u64 turns,
                          agk_lcr_sums *s)
{
    const ag_u64 low = turns & 0xFFFFFFFFu, high = turns >> 32u;
    const ag_u32 is_long = turns >= AG_LCR_BINS - 1u;
    lcr_count(&tally[winner]);
    lcr_count(&tally[p->players + (is_long ? AG_LCR_BINS - 1u : (ag_u32)turns)]);
    if (!is_long)
        return;
    s->sum += turns;
    lcr_add_wide(s->squares, low * low, high * high);
    lcr_add_wide(s->squares, low * high << 33u, low * high >> 31u);
    if (turns > s->most)
        s->most = turns;
}
