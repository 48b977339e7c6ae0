/*
 * lcr_play_small.cl -- plays games of LCR whose coins fit in a few words, many games in lockstep.
 *
 * A table is n_words words of fields of n_bits bits, from the highest bit of the first word down: first the mover, then
 * whoever moves next, and so on; last his left neighbour. A turn shifts the table up by a field, which brings the next
 * mover to the top, and puts what the mover keeps at the bottom. Below its fields a word has `spare` bits, all zero.
 *
 * Nobody rolls once all coins are in one hand: nothing but those coins moves round then, so a game that is over can be
 * played on without harm. When it ended is seen from the dice that were rolled in each turn: an empty turn ends no
 * game.
 *
 * What limits it, in packs of eight (a CPU): a turn of a table of one word is 24 operations for 16 games, ten of them
 * shifts, which one of two ports does. Dice cost as much: a block, 40 dice, is 20 multiplications, 40 exclusive ors and
 * 20 shifts for 8 games, then eight loads for each of them from the table of fives. A game of four takes 34 turns and
 * 2.5 blocks. Lanes are refilled with dice and games by packing those that need them into lists, without branches.
 */

/* Turns between two looks at a game, and the dice that they may take: with another block they must fit in 64 bits. */
#define LCR_SMALL_TURNS 8u
#define LCR_SMALL_DICE  (LCR_SMALL_TURNS * AG_LCR_SMALL_CAP)
/* Games that are played at a time: many, so that dice are made for many of them; few enough for the first cache. */
#if AG_PACK > 1
#define LCR_SMALL_LANES 256u
#else
#define LCR_SMALL_LANES 1u
#endif

/* Games in play, each in a lane. */
typedef struct {
    ag_u32 table[AG_LCR_SMALL_WORDS][LCR_SMALL_LANES];
    ag_u32 history[LCR_SMALL_LANES]; /* dice of the last LCR_SMALL_TURNS turns, two bits each, the last lowest */
    ag_u32 used[LCR_SMALL_LANES];    /* their sum */
    ag_u32 holders[LCR_SMALL_LANES]; /* a bit for each seat with coins */
    ag_u32 turns[LCR_SMALL_LANES], seat[LCR_SMALL_LANES]; /* done; of the next mover */
    ag_u32 window[2][LCR_SMALL_LANES];                    /* letters of the next dice, from bit 1 */
    ag_u64 game[LCR_SMALL_LANES]; /* number in the run, and above it how many blocks of dice it has had */
    ag_u64 low[LCR_SMALL_LANES], high[LCR_SMALL_LANES], n_dice[LCR_SMALL_LANES]; /* letters of the next n_dice dice */
} lcr_lanes;

/* How many of bits 1 .. 3 are set; the others are not. */
AG_INLINE ag_halves lcr_small_count(ag_halves bits)
{
    return ag_pick_halves(0xE994u, bits);
}

/* LCR_SMALL_TURNS turns of lanes i .. i + AG_HALVES - 1. */
AG_INLINE void lcr_small_turns(const agk_lcr_params *p, lcr_lanes *s, ag_u32 i, const ag_u32 n_words)
{
    const ag_halves n_bits = AG_SPLAT_HALVES(p->n_bits), top = AG_SPLAT_HALVES(32u - p->n_bits);
    const ag_halves spare = AG_SPLAT_HALVES(p->spare), last_spare = AG_SPLAT_HALVES(p->last_spare);
    const ag_halves cap = AG_SPLAT_HALVES(p->cap), all = AG_SPLAT_HALVES(0xFFFFFFFEu);
    ag_halves x[AG_LCR_SMALL_WORDS], history = AG_SPLAT_HALVES(0u);
    ag_halves low = ag_load_halves(s->window[0] + i), high = ag_load_halves(s->window[1] + i);
    x[0] = ag_load_halves(s->table[0] + i);
    for (ag_u32 w = 1; w < n_words; w++)
        x[w] = ag_load_halves(s->table[w] + i);
    for (ag_u32 turn = 0; turn < LCR_SMALL_TURNS; turn++) {
        const ag_halves own = x[0] >> top;
        ag_halves rest = AG_SPLAT_HALVES(0u);
        for (ag_u32 w = 0; w < n_words; w++) {
            x[w] <<= n_bits;
            if (w + 1u < n_words)
                x[w] |= x[w + 1u] >> top << spare;
            rest |= x[w];
        }
        /* any coins of others make rest greater than the cap */
        const ag_halves k = ag_min_halves(ag_min_halves(own, cap), rest);
        const ag_halves rolled = ~(all << k) & 14u;
        const ag_halves any = lcr_small_count((low | high) & rolled);
        const ag_halves left = lcr_small_count(low & ~high & rolled), right = lcr_small_count(high & ~low & rolled);
        low >>= k;
        high >>= k;
        history = (history << 2u) | k;
        x[n_words - 1u] += (own - any + (left << n_bits)) << last_spare;
        x[0] += right << top;
    }
    for (ag_u32 w = 0; w < n_words; w++)
        ag_store_halves(s->table[w] + i, x[w]);
    ag_store_halves(s->history + i, history);

    ag_halves used = (history & 0x33333333u) + (history >> 2u & 0x33333333u);
    used = (used + (used >> 4u)) & 0x0F0F0F0Fu;
    used = (used + (used >> 8u)) & 0xFFu;
    ag_store_halves(s->used + i, used);

    ag_halves holders = AG_SPLAT_HALVES(0u);
    for (ag_u32 w = 0; w < n_words; w++)
        holders |= ((((x[w] & p->lows) + p->lows) | x[w]) & p->highs) >> w;
    ag_store_halves(s->holders + i, holders);
    ag_halves seat = ag_load_halves(s->seat + i) + LCR_SMALL_TURNS % p->players;
    ag_store_halves(s->seat + i, ag_min_halves(seat, seat - p->players));
    ag_store_halves(s->turns + i, ag_load_halves(s->turns + i) + LCR_SMALL_TURNS);
}

/* A new game in a lane. */
AG_INLINE void lcr_small_begin(const agk_lcr_params *p, lcr_lanes *s, ag_u32 i, ag_u32 game, const ag_u32 n_words)
{
    for (ag_u32 w = 0; w < n_words; w++)
        s->table[w][i] = p->start[w];
    s->low[i] = s->high[i] = s->n_dice[i] = 0;
    s->turns[i] = 0u;
    s->seat[i] = p->first;
    s->game[i] = game;
}

AG_FN void lcr_small_end(const agk_lcr_params *p, const lcr_lanes *s, ag_u32 i, const AG_GLOBAL ag_u32 *who,
                         AG_GLOBAL ag_u32 *tally, agk_lcr_sums *sums)
{
    const ag_u32 history = s->history[i], winner = s->seat[i] + who[AG_LCR_HASH(s->holders[i])];
    const ag_u32 turns = s->turns[i] - who[32u + AG_LCR_HASH(history & -history)];
    lcr_count_game(p, tally, winner < p->players ? winner : winner - p->players, turns, sums);
}

#if AG_PACK > 1
#define LCR_SMALL_BATCH (AG_PACK * AG_PHILOX_CHAINS)

/* Lists of lanes, or of what they need. */
typedef struct {
    ag_u64 ended[LCR_SMALL_LANES + AG_PACK];
    ag_u64 game[LCR_SMALL_LANES + LCR_SMALL_BATCH];                                         /* that need dice */
    ag_u64 low[LCR_SMALL_LANES + LCR_SMALL_BATCH], high[LCR_SMALL_LANES + LCR_SMALL_BATCH]; /* the dice they get */
} lcr_lists;

/* LCR_SMALL_TURNS turns of all lanes. Returns how many games are over, and lists their lanes. */
AG_INLINE ag_u32 lcr_small_pass(const agk_lcr_params *p, lcr_lanes *s, lcr_lists *lists, ag_u32 n_lanes,
                                const ag_u32 n_words)
{
    ag_u32 n_ended = 0;
    ag_u64 first[AG_PACK];
    for (ag_u32 i = 0; i < AG_PACK; i++)
        first[i] = i;
    ag_words lane = ag_load_words(first);
    for (ag_u32 i = 0; i < n_lanes; i += AG_HALVES)
        lcr_small_turns(p, s, i, n_words);
    for (ag_u32 i = 0; i < n_lanes; i += AG_PACK, lane += AG_PACK) {
        const ag_words used = ag_widen(s->used + i), holders = ag_widen(s->holders + i);
        ag_store_words(s->low + i, ag_load_words(s->low + i) >> used);
        ag_store_words(s->high + i, ag_load_words(s->high + i) >> used);
        ag_store_words(s->n_dice + i, ag_load_words(s->n_dice + i) - used);
        ag_pack_words(lists->ended, &n_ended, lane, ((holders & (holders - 1u)) == 0u) & (lane < n_lanes));
    }
    return n_ended;
}

/* Makes the dice of the n games that are listed. */
AG_FN void lcr_small_dice(const agk_lcr_params *p, lcr_lists *lists, ag_u32 n, const AG_GLOBAL ag_u32 *fives)
{
    const ag_words n_fives = AG_SPLAT_WORDS(AG_LCR_FIVES);
    const ag_words from = AG_SPLAT_WORDS((ag_u64)p->from[1] << 32u | p->from[0]);
    ag_u64 rejected[LCR_SMALL_BATCH];
    for (ag_u32 at = 0; at < n; at += LCR_SMALL_BATCH) {
        ag_words c[4u * AG_PHILOX_CHAINS], any_rejected = AG_SPLAT_WORDS(0u);
        AG_UNROLL
        for (ag_u32 k = 0; k < AG_PHILOX_CHAINS; k++) {
            const ag_words game = ag_load_words(lists->game + at + k * AG_PACK);
            c[k] = from + (game & 0xFFFFFFFFu);
            c[k + AG_PHILOX_CHAINS] = c[k] >> 32u;
            c[k + 2u * AG_PHILOX_CHAINS] = game >> 32u;
            c[k + 3u * AG_PHILOX_CHAINS] = AG_SPLAT_WORDS(0u);
        }
        ag_philox_packs(c, p->key[0], p->key[1]);
        AG_UNROLL
        for (ag_u32 k = 0; k < AG_PHILOX_CHAINS; k++) {
            ag_words w[4], below = AG_SPLAT_WORDS(0u);
            AG_UNROLL
            for (ag_u32 q = 0; q < 4u; q++) {
                const ag_words first = ag_mul_words(c[q * AG_PHILOX_CHAINS + k], n_fives);
                const ag_words second = ag_mul_words(first, n_fives);
                below |= (second & 0xFFFFFFFFu) - p->reject; /* the highest bit is set if what is left is too little */
                w[q] = AG_AS_WORDS(ag_lookup_halves(fives, AG_AS_HALVES((first >> 32u) | (second >> 32u << 32u))));
                w[q] |= w[q] >> 27u;
            }
            ag_store_words(lists->low + at + k * AG_PACK,
                           (w[0] & 0x3FFu) | (w[1] & 0x3FFu) << 10u | (w[2] & 0x3FFu) << 20u | (w[3] & 0x3FFu) << 30u);
            ag_store_words(lists->high + at + k * AG_PACK, (w[0] >> 10u & 0x3FFu) | (w[1] >> 10u & 0x3FFu) << 10u |
                                                               (w[2] >> 10u & 0x3FFu) << 20u |
                                                               (w[3] >> 10u & 0x3FFu) << 30u);
            ag_store_words(rejected + k * AG_PACK, below);
            any_rejected |= below;
        }
        ag_u64 any[AG_PACK];
        ag_store_words(any, any_rejected);
        for (ag_u32 k = 1; k < AG_PACK; k++)
            any[0] |= any[k];
        for (ag_u32 j = 0; any[0] >> 63u && j < LCR_SMALL_BATCH; j++)
            if (rejected[j] >> 63u)
                lcr_block(p, (ag_u32)lists->game[at + j], (ag_u32)(lists->game[at + j] >> 32u), fives,
                          &lists->low[at + j], &lists->high[at + j]);
    }
}

/* Sees to it that all lanes have dice for LCR_SMALL_TURNS turns. */
AG_FN void lcr_small_refill(const agk_lcr_params *p, lcr_lanes *s, lcr_lists *lists, ag_u32 n_lanes,
                            const AG_GLOBAL ag_u32 *fives)
{
    ag_u32 n = 0, n_low = 0, n_high = 0;
    for (ag_u32 i = 0; i < n_lanes; i += AG_PACK)
        ag_pack_words(lists->game, &n, ag_load_words(s->game + i), ag_load_words(s->n_dice + i) < LCR_SMALL_DICE);
    for (ag_u32 j = 0; j < LCR_SMALL_BATCH; j++) /* what fills the last batch up */
        lists->game[n + j] = 0;
    lcr_small_dice(p, lists, n, fives);
    for (ag_u32 i = 0; i < n_lanes; i += AG_PACK) {
        const ag_words n_dice = ag_load_words(s->n_dice + i);
        const ag_mask more = n_dice < LCR_SMALL_DICE;
        const ag_words low = ag_load_words(s->low + i) | ag_spread_words(lists->low, &n_low, more) << n_dice;
        const ag_words high = ag_load_words(s->high + i) | ag_spread_words(lists->high, &n_high, more) << n_dice;
        ag_store_words(s->low + i, low);
        ag_store_words(s->high + i, high);
        ag_store_words(s->n_dice + i, n_dice + (AG_MASK_WORDS(more) & LCR_BLOCK_DICE));
        ag_store_words(s->game + i, ag_load_words(s->game + i) + (AG_MASK_WORDS(more) & (ag_u64)1 << 32u));
    }
    for (ag_u32 i = 0; i < n_lanes; i++) {
        s->window[0][i] = (ag_u32)s->low[i] << 1u;
        s->window[1][i] = (ag_u32)s->high[i] << 1u;
    }
}

/* Lane `from` goes to lane `to`. */
AG_FN void lcr_small_move(lcr_lanes *s, ag_u32 from, ag_u32 to)
{
    for (ag_u32 w = 0; w < AG_LCR_SMALL_WORDS; w++)
        s->table[w][to] = s->table[w][from];
    s->turns[to] = s->turns[from];
    s->seat[to] = s->seat[from];
    s->game[to] = s->game[from];
    s->low[to] = s->low[from];
    s->high[to] = s->high[from];
    s->n_dice[to] = s->n_dice[from];
}

/* Plays games lo .. hi - 1 of the run. */
AG_INLINE void lcr_small_play(const agk_lcr_params *p, ag_u32 lo, ag_u32 hi, const ag_u32 n_words,
                              const AG_GLOBAL ag_u32 *who, const AG_GLOBAL ag_u32 *fives, AG_GLOBAL ag_u32 *tally,
                              agk_lcr_sums *sums)
{
    lcr_lanes s;
    lcr_lists lists;
    ag_u32 n_lanes = hi - lo < LCR_SMALL_LANES ? hi - lo : LCR_SMALL_LANES, next = lo + n_lanes;
    for (ag_u32 i = 0; i < LCR_SMALL_LANES; i++)
        lcr_small_begin(p, &s, i, lo + i, n_words);
    while (n_lanes > 0u) {
        lcr_small_refill(p, &s, &lists, n_lanes, fives);
        const ag_u32 n_ended = lcr_small_pass(p, &s, &lists, n_lanes, n_words);
        ag_u32 n_holes = 0;
        for (ag_u32 k = 0; k < n_ended; k++) {
            const ag_u32 i = (ag_u32)lists.ended[k];
            lcr_small_end(p, &s, i, who, tally, sums);
            if (next < hi)
                lcr_small_begin(p, &s, i, next++, n_words);
            else
                lists.ended[n_holes++] = i;
        }
        while (n_holes-- > 0u)
            lcr_small_move(&s, --n_lanes, (ag_u32)lists.ended[n_holes]);
    }
}
#else
/* Plays games lo, lo + stride, ... of the run: a lane of a GPU, which plays one at a time. */
AG_INLINE void lcr_small_play(const agk_lcr_params *p, ag_u64 lo, ag_u64 stride, const ag_u32 n_words,
                              const AG_GLOBAL ag_u32 *who, const AG_GLOBAL ag_u32 *fives, AG_GLOBAL ag_u32 *tally,
                              agk_lcr_sums *sums)
{
    lcr_lanes s;
    ag_u64 game = lo;
    lcr_small_begin(p, &s, 0u, (ag_u32)game, n_words);
    while (game < p->n_games) {
        if (s.n_dice[0] < LCR_SMALL_DICE) {
            ag_u64 low, high;
            lcr_block(p, game, (ag_u32)(s.game[0] >> 32u), fives, &low, &high);
            s.low[0] |= low << s.n_dice[0];
            s.high[0] |= high << s.n_dice[0];
            s.n_dice[0] += LCR_BLOCK_DICE;
            s.game[0] += (ag_u64)1 << 32u;
        }
        s.window[0][0] = (ag_u32)s.low[0] << 1u;
        s.window[1][0] = (ag_u32)s.high[0] << 1u;
        lcr_small_turns(p, &s, 0u, n_words);
        s.low[0] >>= s.used[0];
        s.high[0] >>= s.used[0];
        s.n_dice[0] -= s.used[0];
        /* one bit is left; said so that no compiler counts bits, which Oclgrind cannot */
        if ((s.holders[0] ^ (s.holders[0] - 1u)) >= s.holders[0]) {
            lcr_small_end(p, &s, 0u, who, tally, sums);
            game += stride;
            lcr_small_begin(p, &s, 0u, (ag_u32)game, n_words);
        }
    }
}
#endif

/* The group's share of the games, or the lane's of a GPU. Sums of a lane have their slot. */
AG_INLINE void lcr_small_share(const agk_lcr_params *p, ag_u32 group, ag_u32 n_groups, ag_u32 lane, ag_u32 n_lanes,
                               const ag_u32 n_words, const AG_GLOBAL ag_u32 *who, const AG_GLOBAL ag_u32 *fives,
                               AG_GLOBAL ag_u32 *tally, agk_lcr_sums *sums)
{
#if AG_PACK > 1
    const ag_u32 lo = (ag_u32)((ag_u64)p->n_games * group / n_groups);
    const ag_u32 hi = (ag_u32)((ag_u64)p->n_games * (group + 1u) / n_groups);
    (void)lane;
    (void)n_lanes;
    lcr_small_play(p, lo, hi, n_words, who, fives, tally, sums);
#else
    const ag_u32 n_used = n_lanes < p->n_slots ? n_lanes : p->n_slots;
    if (lane < n_used)
        lcr_small_play(p, (ag_u64)group * n_used + lane, (ag_u64)n_groups * n_used, n_words, who, fives, tally, sums);
#endif
}

AG_ENTRY(agk_lcr_play_small, agk_lcr_params)
{
    AG_UNUSED_BUFS();
    AG_GLOBAL ag_u32 *tally = (AG_GLOBAL ag_u32 *)b0 + (ag_u64)(AG_GROUP % p.n_copies) * (p.players + AG_LCR_BINS);
    const AG_GLOBAL ag_u32 *who = (const AG_GLOBAL ag_u32 *)b1;
    const AG_GLOBAL ag_u32 *fives = (const AG_GLOBAL ag_u32 *)b2;
    AG_GLOBAL agk_lcr_sums *kept = (AG_GLOBAL agk_lcr_sums *)b3 + (ag_u64)AG_GROUP * p.n_slots;
    agk_lcr_sums sums = {0, {0, 0}, 0};

    AG_FOR_ITEMS(i, 0u, p.n_slots) {
        kept[i] = sums;
    }
    if (p.n_words == 1u)
        lcr_small_share(&p, AG_GROUP, AG_N_GROUPS, AG_LANE, AG_N_LANES, 1u, who, fives, tally, &sums);
    else if (p.n_words == 2u)
        lcr_small_share(&p, AG_GROUP, AG_N_GROUPS, AG_LANE, AG_N_LANES, 2u, who, fives, tally, &sums);
    else if (p.n_words == 3u)
        lcr_small_share(&p, AG_GROUP, AG_N_GROUPS, AG_LANE, AG_N_LANES, 3u, who, fives, tally, &sums);
    else
        lcr_small_share(&p, AG_GROUP, AG_N_GROUPS, AG_LANE, AG_N_LANES, 4u, who, fives, tally, &sums);
    if (AG_LANE < p.n_slots) /* which this lane has cleared */
        kept[AG_LANE] = sums;
}
