/*
 * lcr_play.cl -- plays games of LCR and counts who won and how long it took.
 */

/* ------------------------------------------------------------------------------ dice */

#if AG_PACK > 1
/* Letters of the ten dice of an accepted word, two bits each, the first lowest. */
AG_FN ag_u32 lcr_letters(const agk_lcr_params *p, ag_u32 word, const AG_GLOBAL ag_u16 *fives)
{
    const ag_u32 first = AG_MULHI32(word, AG_LCR_FIVES), second = AG_MULHI32(word * AG_LCR_FIVES, AG_LCR_FIVES);
    (void)p;
    return fives[first] | (ag_u32)fives[second] << 10u;
}
#else
/* Die by die: 32 lanes would look into as many lines of a table at once. */
AG_FN ag_u32 lcr_letters(const agk_lcr_params *p, ag_u32 word, const AG_GLOBAL ag_u16 *fives)
{
    ag_u32 letters = 0;
    (void)fives;
    for (ag_u32 k = 0; k < 10u; k++) {
        const ag_u32 face = ag_dice_next(&word, 6u) - 1u;
        letters |= (p->letters >> 2u * face & 3u) << 2u * k;
    }
    return letters;
}
#endif

/* Letters of the 40 dice of a block: 32 in letters[0], 8 in [1]. game: number of the game within the run. */
AG_FN void lcr_block(const agk_lcr_params *p, ag_u64 game, ag_u32 block, const AG_GLOBAL ag_u16 *fives, ag_u64 *letters)
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
    const ag_u64 third = lcr_letters(p, word[2], fives), fourth = lcr_letters(p, word[3], fives);
    letters[0] = (ag_u64)lcr_letters(p, word[0], fives) | (ag_u64)lcr_letters(p, word[1], fives) << 20u | third << 40u |
                 fourth << 60u;
    letters[1] = fourth >> 4u;
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

/* A game that the bins do not tell the length of. A game has fewer than 2^48 turns: see last_block. */
AG_FN void lcr_count_long(agk_lcr_slot *s)
{
    const ag_u64 low = s->turns & 0xFFFFFFFFu, high = s->turns >> 32u;
    s->sum += s->turns;
    lcr_add_wide(s->squares, low * low, high * high);
    lcr_add_wide(s->squares, low * high << 33u, low * high >> 31u);
    if (s->turns > s->most)
        s->most = s->turns;
}

/* ----------------------------------------------------------------------- by any rules */

/* Coins that leave a seat in one turn. */
typedef struct {
    ag_u32 left, right, all;
} lcr_throw;

/* Rolls k dice. False if the game has no more of them. */
AG_FN ag_u32 lcr_roll(const agk_lcr_params *p, agk_lcr_slot *s, const AG_GLOBAL ag_u16 *fives, ag_u32 k, lcr_throw *t)
{
    t->left = t->right = t->all = 0u;
    for (; k > 0u; k--) {
        if (s->n_letters == 0u) {
            if (s->blocks > p->last_block)
                return 0u;
            lcr_block(p, s->game, (ag_u32)s->blocks, fives, s->letters);
            s->blocks++;
            s->n_letters = 40u;
        }
        const ag_u32 letter = (ag_u32)s->letters[0] & 3u;
        s->letters[0] = s->letters[0] >> 2u | s->letters[1] << 62u;
        s->letters[1] >>= 2u;
        s->n_letters--;
        t->left += letter == AG_LCR_IS_L;
        t->right += letter == AG_LCR_IS_R;
        t->all += letter != AG_LCR_IS_DOT;
    }
    return 1u;
}

AG_FN void lcr_begin(const agk_lcr_params *p, agk_lcr_slot *s, AG_GLOBAL ag_u32 *coins)
{
    for (ag_u32 i = 0; i < p->players; i++)
        coins[i] = p->coins;
    s->turns = 0;
    s->blocks = 0;
    s->letters[0] = s->letters[1] = 0;
    s->n_letters = 0;
    s->seat = p->first;
    s->holders = p->players;
}

/* Coins come to a seat. */
AG_FN void lcr_give(agk_lcr_slot *s, AG_GLOBAL ag_u32 *coins, ag_u32 n)
{
    s->holders += *coins == 0u && n > 0u;
    *coins += n;
}

/* One turn, not an empty one. False if there are no dice for it. */
AG_FN ag_u32 lcr_turn(const agk_lcr_params *p, agk_lcr_slot *s, AG_GLOBAL ag_u32 *coins, const AG_GLOBAL ag_u16 *fives)
{
    const ag_u32 seat = s->seat, own = coins[seat];
    lcr_throw t;
    if (!lcr_roll(p, s, fives, own < p->cap ? own : p->cap, &t))
        return 0u;
    coins[seat] = own - t.all;
    s->holders -= own == t.all;
    lcr_give(s, &coins[seat > 0u ? seat - 1u : p->players - 1u], t.left);
    lcr_give(s, &coins[seat + 1u < p->players ? seat + 1u : 0u], t.right);
    return 1u;
}

AG_FN void lcr_end(const agk_lcr_params *p, agk_lcr_slot *s, const AG_GLOBAL ag_u32 *coins, AG_GLOBAL ag_u32 *tally)
{
    ag_u32 winner = 0;
    while (coins[winner] == 0u)
        winner++;
    lcr_count(&tally[winner]);
    lcr_count(&tally[p->players + (s->turns < AG_LCR_BINS - 1u ? (ag_u32)s->turns : AG_LCR_BINS - 1u)]);
    if (s->turns >= AG_LCR_BINS - 1u)
        lcr_count_long(s);
}

/* A slot before its first game. */
AG_FN void lcr_open(agk_lcr_slot *s, ag_u64 game)
{
    s->game = game;
    s->turns = s->blocks = 0;
    s->letters[0] = s->letters[1] = 0;
    s->n_letters = s->seat = s->holders = s->stuck = 0u;
    s->sum = s->squares[0] = s->squares[1] = s->most = 0;
}

/* Plays in a slot until its games or its turns of this launch are used up. stride: slots of all groups. */
AG_FN void lcr_play_slot(const agk_lcr_params *p, agk_lcr_slot *s, ag_u64 stride, AG_GLOBAL ag_u32 *coins,
                         const AG_GLOBAL ag_u16 *fives, AG_GLOBAL ag_u32 *tally)
{
    for (ag_u32 n = p->n_turns; n > 0u && s->game < p->n_games && !s->stuck; n--) {
        if (s->holders == 0u)
            lcr_begin(p, s, coins);
        if (coins[s->seat] > 0u)
            s->stuck = !lcr_turn(p, s, coins, fives);
        s->turns++;
        s->seat = s->seat + 1u < p->players ? s->seat + 1u : 0u;
        if (s->holders == 1u && !s->stuck) {
            lcr_end(p, s, coins, tally);
            s->holders = 0;
            s->game += stride;
        }
    }
}

AG_ENTRY(agk_lcr_play, agk_lcr_params)
{
    AG_UNUSED_BUFS();
    AG_GLOBAL ag_u32 *tally = (AG_GLOBAL ag_u32 *)b0 + (ag_u64)(AG_GROUP % p.n_copies) * (p.players + AG_LCR_BINS);
    AG_GLOBAL ag_u32 *left = (AG_GLOBAL ag_u32 *)b1;
    const AG_GLOBAL ag_u16 *fives = (const AG_GLOBAL ag_u16 *)b2;

    AG_FOR_ITEMS(i, 0u, p.n_slots) {
        const ag_u64 slot = (ag_u64)AG_GROUP * p.n_slots + i, stride = (ag_u64)AG_N_GROUPS * p.n_slots;
        AG_GLOBAL agk_lcr_slot *kept = (AG_GLOBAL agk_lcr_slot *)b3 + slot;
        agk_lcr_slot s;
        if (p.resumed)
            s = *kept;
        else
            lcr_open(&s, slot);
        lcr_play_slot(&p, &s, stride, (AG_GLOBAL ag_u32 *)b4 + slot * p.players, fives, tally);
        *kept = s;
        if (s.stuck)
            AG_ATOMIC_ADD32(&left[1], 1u);
        else if (s.game < p.n_games)
            AG_ATOMIC_ADD32(&left[0], 1u);
    }
}
