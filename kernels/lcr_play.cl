/*
 * lcr_play.cl -- plays games of LCR by any rules, one after the other in each slot.
 */

/* Coins that leave a seat in one turn. */
typedef struct {
    ag_u32 left, right, all;
} lcr_throw;

/* Rolls k dice. False if the game has no more of them. */
AG_FN ag_u32 lcr_roll(const agk_lcr_params *p, agk_lcr_slot *s, const AG_GLOBAL ag_u32 *fives, ag_u32 k, lcr_throw *t)
{
    t->left = t->right = t->all = 0u;
    for (; k > 0u; k--) {
        if (s->n_dice == 0u) {
            if (s->blocks > p->last_block)
                return 0u;
            lcr_block(p, s->game, (ag_u32)s->blocks, fives, &s->low, &s->high);
            s->blocks++;
            s->n_dice = LCR_BLOCK_DICE;
        }
        const ag_u32 low = (ag_u32)s->low & 1u, high = (ag_u32)s->high & 1u;
        s->low >>= 1u;
        s->high >>= 1u;
        s->n_dice--;
        t->left += low & ~high;
        t->right += high & ~low;
        t->all += low | high;
    }
    return 1u;
}

AG_FN void lcr_begin(const agk_lcr_params *p, agk_lcr_slot *s, AG_GLOBAL ag_u32 *coins)
{
    for (ag_u32 i = 0; i < p->players; i++)
        coins[i] = p->coins;
    s->turns = 0;
    s->blocks = 0;
    s->low = s->high = 0;
    s->n_dice = 0;
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
AG_FN ag_u32 lcr_turn(const agk_lcr_params *p, agk_lcr_slot *s, AG_GLOBAL ag_u32 *coins, const AG_GLOBAL ag_u32 *fives)
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
    lcr_count_game(p, tally, winner, s->turns, &s->sums);
}

/* A slot before its first game. */
AG_FN void lcr_open(agk_lcr_slot *s, ag_u64 game)
{
    s->game = game;
    s->turns = s->blocks = 0;
    s->low = s->high = 0;
    s->n_dice = s->seat = s->holders = s->stuck = 0u;
    s->sums.sum = s->sums.squares[0] = s->sums.squares[1] = s->sums.most = 0;
}

/* Plays in a slot until its games or its turns of this launch are used up. stride: slots of all groups. */
AG_FN void lcr_play_slot(const agk_lcr_params *p, agk_lcr_slot *s, ag_u64 stride, AG_GLOBAL ag_u32 *coins,
                         const AG_GLOBAL ag_u32 *fives, AG_GLOBAL ag_u32 *tally)
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
    const AG_GLOBAL ag_u32 *fives = (const AG_GLOBAL ag_u32 *)b2;

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
