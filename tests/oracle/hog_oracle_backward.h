/*
 * hog_oracle_backward.h -- optimal play by backward induction over the sum of scores, for one kind of number.
 *
 * Read by hog_oracle.c once for each kind: NUMBER is an array type of one element, OP(f)
 * its arithmetic, NAME(f) the name of a function or type for it; MOVE, PAIR and GAME are
 * the types below.
 *
 * Values are shifted by 1/2: v = P(the player on turn wins) - 1/2. A won game is worth
 * +1/2, an endless one 0, and a state where the other player is next is worth -v.
 *
 * The sum of scores never falls, so the only states that can depend on each other are
 * A = (a,b) and B = (b,a), where a turn gains nothing (and then may or may not swap, and
 * may or may not give another turn). Each such pair is a game of its own between the two
 * players: a position is (who is on turn, A or B), a move leaves the pair for a known
 * value or leads to some position of it, and play that never leaves is worth 0. In
 * such games (finite, perfect information) both players have optimal policies that are
 * pure, stationary and the same from every position (Liggett and Lippman 1969); and as
 * the game is the same for both, there is one policy that is optimal for either. So:
 *
 *   take a policy: a move at A and a move at B. Let w be the value when both players use
 *   it, found exactly from two linear equations; w = 0 at positions that play never leaves.
 *   It is optimal, and w the value of the game, if and only if against it
 *   (1) no move of the other player is better in one step, given w afterwards, and
 *   (2) at every position from which some pure stationary reply makes play endless for
 *       certain, w is worth at least 0 to the player who replies so.
 *
 * If: let u be the value w seen by the replying player. By (1), along any reply, u is at
 * least the expected payoff so far plus the expectation of u while play has not left. The
 * latter tends to its part on endless positions, since all others are left with certainty,
 * and by (2) that part is at least 0. So no reply earns more than w (a best reply to a
 * fixed policy can be taken pure and stationary), the policy secures w to whoever uses
 * it, and when both do they get w. Only if: a better move or reply would earn more.
 *
 * (1) alone would not do: where both players do worse by acting than 1/2, "both act" also
 * satisfies it (Hefty Hogs at 72:75). Policies are tried until one passes: first each
 * one improved by what failed, then, should that circle, all of them; one must pass.
 */

/* One move at one state of a pair. */
typedef struct {
    int n;
    int kind;       /* LEAVES, or the positions it surely goes to */
    NUMBER gain;    /* expected value of what leaves the pair */
    NUMBER stay[2]; /* P(the same player is next at that state) - P(the other player is) */
} MOVE;

/* A pair of states; n_states = 1: the single state (a,a). */
typedef struct {
    int n_states;
    int score[2], opponent_score[2];
    int n_moves[2];
    MOVE *moves[2];
    int policy[2]; /* a move of each state; of a single state both entries are the same */
    NUMBER value[2];
} PAIR;

/* The laws of the points of all moves, and the values of all states with a larger sum. */
typedef struct {
    const ag_hog_rules *rules;
    NUMBER *value;                        /* [goal][goal] */
    NUMBER *law[2][AG_HOG_ROLLS_MAX + 1]; /* [wild][n][law_size] */
    NUMBER half, zero, scratch;
} GAME;

/* ---------------------------------------------------------------------- moves */

/* Adds to the move the outcome that the turn scores `points`, of probability p > 0. */
static void NAME(add_outcome)(GAME *game, const PAIR *pair, int x, MOVE *move, int points, const NUMBER p)
{
    const ag_hog_turn_result t = hog_oracle_turn(game->rules, pair->score[x], pair->opponent_score[x], move->n, points);
    const int next = t.again ? t.score : t.opponent_score, other = t.again ? t.opponent_score : t.score;
    const int leaves = t.over || next + other > pair->score[x] + pair->opponent_score[x];
    void (*const add)(NUMBER, const NUMBER, const NUMBER) = OP(add);
    void (*const sub)(NUMBER, const NUMBER, const NUMBER) = OP(sub);

    if (leaves)
        move->kind = LEAVES;
    if (t.over) {
        OP(mul)(game->scratch, p, t.score == t.opponent_score ? game->zero : game->half);
        (t.score > t.opponent_score ? add : sub)(move->gain, move->gain, game->scratch);
    } else if (leaves) {
        OP(mul)(game->scratch, p, game->value[next * game->rules->goal + other]);
        (t.again ? add : sub)(move->gain, move->gain, game->scratch);
    } else {
        const int y = next == pair->score[0] ? 0 : 1;
        assert(next == pair->score[y] && other == pair->opponent_score[y]);
        if (move->kind != LEAVES)
            move->kind |= 1 << ((t.again ? 0 : 2) + y);
        (t.again ? add : sub)(move->stay[y], move->stay[y], p);
    }
}

static void NAME(make_moves)(GAME *game, PAIR *pair, int x)
{
    const ag_hog_rules *rules = game->rules;
    const int s = pair->score[x], o = pair->opponent_score[x];
    const int wild = hog_oracle_wild(rules, s, o), most = hog_oracle_most(rules, s, o);
    NUMBER sure;

    OP(init)(sure);
    OP(set_si)(sure, 1, 1);
    pair->n_moves[x] = 0;
    for (int n = hog_oracle_fewest(rules); n <= most; n++) {
        MOVE *move = &pair->moves[x][pair->n_moves[x]++];
        move->n = n;
        move->kind = 0;
        OP(set)(move->gain, game->zero);
        OP(set)(move->stay[0], game->zero);
        OP(set)(move->stay[1], game->zero);
        if (n == 0) {
            NAME(add_outcome)(game, pair, x, move, hog_oracle_bacon(rules, s, o), sure);
            continue;
        }
        for (int k = 0; k < law_size(rules, n); k++)
            if (OP(cmp)(game->law[wild][n][k], game->zero) > 0)
                NAME(add_outcome)(game, pair, x, move, k, game->law[wild][n][k]);
    }
    OP(clear)(sure);
}

/* ----------------------------------------------------------------------- pairs */

static void NAME(one_step)(NUMBER worth, const PAIR *pair, const MOVE *move)
{
    NUMBER term;

    OP(init)(term);
    OP(set)(worth, move->gain);
    for (int y = 0; y < pair->n_states; y++) {
        OP(mul)(term, move->stay[y], pair->value[y]);
        OP(add)(worth, worth, term);
    }
    OP(clear)(term);
}

/*
 * The values when both players use the policy: v[x] = gain[x] + sum over y of stay[x][y] v[y], by Cramer's rule;
 * 0 where play never leaves. Elsewhere it leaves with certainty, so the system is regular.
 */
static void NAME(evaluate)(const GAME *game, PAIR *pair)
{
    int kinds[2];
    NUMBER m[2][2], r[2], determinant, term;

    for (int x = 0; x < 2; x++) {
        OP(init)(r[x]);
        for (int y = 0; y < 2; y++)
            OP(init)(m[x][y]);
        kinds[x] = pair->moves[x][pair->policy[x]].kind;
    }
    OP(init)(determinant);
    OP(init)(term);

    const unsigned endless = endless_positions(kinds, kinds);
    for (int x = 0; x < 2; x++) {
        const MOVE *move = &pair->moves[x][pair->policy[x]];
        const int fixed = x >= pair->n_states || (endless >> x & 1) != 0;
        OP(set)(r[x], fixed ? game->zero : move->gain);
        for (int y = 0; y < 2; y++) {
            OP(set_si)(m[x][y], x == y, 1);
            if (!fixed)
                OP(sub)(m[x][y], m[x][y], move->stay[y]);
        }
    }
    OP(mul)(determinant, m[0][0], m[1][1]);
    OP(mul)(term, m[0][1], m[1][0]);
    OP(sub)(determinant, determinant, term);
    for (int x = 0; x < 2; x++) {
        OP(mul)(pair->value[x], r[x], m[1 - x][1 - x]);
        OP(mul)(term, r[1 - x], m[x][1 - x]);
        OP(sub)(pair->value[x], pair->value[x], term);
        OP(div)(pair->value[x], pair->value[x], determinant);
    }

    for (int x = 0; x < 2; x++) {
        OP(clear)(r[x]);
        for (int y = 0; y < 2; y++)
            OP(clear)(m[x][y]);
    }
    OP(clear)(determinant);
    OP(clear)(term);
}

/* The first move of the kind at state x; -1 if there is none. */
static int NAME(move_of_kind)(const PAIR *pair, int x, int kind)
{
    for (int i = 0; i < pair->n_moves[x]; i++)
        if (pair->moves[x][i].kind == kind)
            return i;
    return -1;
}

/* (1): no move is better in one step. better: out, the best move of each state; the policy's if none is better. */
static int NAME(passes_one_step)(const PAIR *pair, int better[2])
{
    int passes = 1;
    NUMBER worth, best;

    OP(init)(worth);
    OP(init)(best);
    for (int x = 0; x < pair->n_states; x++) {
        better[x] = pair->policy[x];
        OP(set)(best, pair->value[x]);
        for (int i = 0; i < pair->n_moves[x]; i++) {
            NAME(one_step)(worth, pair, &pair->moves[x][i]);
            if (OP(cmp)(worth, best) > 0) {
                OP(set)(best, worth);
                better[x] = i;
                passes = 0;
            }
        }
    }
    OP(clear)(worth);
    OP(clear)(best);
    return passes;
}

/* (2): no endless play is better for the player who forces it. better: out, as above, with the moves that force it. */
static int NAME(passes_endless)(const GAME *game, const PAIR *pair, int better[2])
{
    int mine[2], passes = 1;

    for (int x = 0; x < 2; x++) {
        better[x] = pair->policy[x];
        mine[x] = pair->moves[x][pair->policy[x]].kind;
    }
    for (int kind_0 = 0; kind_0 < N_KINDS; kind_0++)
        for (int kind_1 = 0; kind_1 < N_KINDS; kind_1++) {
            const int his[2] = {kind_0, kind_1};
            const int reply[2] = {NAME(move_of_kind)(pair, 0, kind_0), NAME(move_of_kind)(pair, 1, kind_1)};
            if (reply[0] < 0 || reply[1] < 0 || (pair->n_states == 1 && kind_0 != kind_1))
                continue;
            const unsigned endless = endless_positions(mine, his);
            for (int x = 0; x < pair->n_states; x++) {
                const int sign = OP(cmp)(pair->value[x], game->zero);
                if ((endless >> (2 + x) & 1) != 0 && sign < 0) {
                    better[x] = reply[x];
                    passes = 0;
                }
                if ((endless >> x & 1) != 0 && sign > 0)
                    passes = 0;
            }
        }
    return passes;
}

/* Evaluates the policy and says whether it is optimal; better: out, a policy to try if it is not. */
static int NAME(certify)(const GAME *game, PAIR *pair, int better[2])
{
    NAME(evaluate)(game, pair);
    return NAME(passes_one_step)(pair, better) && NAME(passes_endless)(game, pair, better);
}

/* Takes the policy (i, j) for the pair; of a single state i alone counts. */
static void NAME(take_policy)(PAIR *pair, int i, int j)
{
    pair->policy[0] = i;
    pair->policy[1] = pair->n_states == 1 ? i : j;
}

/* Finds a policy that is optimal, and with it the values of the pair. */
static void NAME(solve_pair)(const GAME *game, PAIR *pair)
{
    enum { IMPROVEMENTS = 50 }; /* a handful does; circling would show long before */
    int better[2] = {0, 0};

    for (int i = 0; i < IMPROVEMENTS; i++) {
        NAME(take_policy)(pair, better[0], better[1]);
        if (NAME(certify)(game, pair, better))
            return;
    }
    for (int i = 0; i < pair->n_moves[0]; i++)
        for (int j = 0; j < pair->n_moves[1]; j++) {
            NAME(take_policy)(pair, i, j);
            if (NAME(certify)(game, pair, better))
                return;
        }
    assert(0 && "some policy is optimal");
    abort();
}

/* --------------------------------------------------------------- canonical moves */

/* 1: moves of the kind at state x can be chosen for ever, with some best move at the other state and some reply, so
 * that play never ends. best: [state][kind] = 1 if some best move is of that kind. */
static int NAME(can_be_endless)(const PAIR *pair, int x, int kind, int best[2][N_KINDS])
{
    for (int kind_y = 0; kind_y < N_KINDS; kind_y++) {
        int mine[2] = {kind, kind};
        if (pair->n_states == 2 && !best[1 - x][kind_y])
            continue;
        if (pair->n_states == 2)
            mine[1 - x] = kind_y;
        for (int kind_0 = 0; kind_0 < N_KINDS; kind_0++)
            for (int kind_1 = 0; kind_1 < N_KINDS; kind_1++) {
                const int his[2] = {kind_0, kind_1};
                if (NAME(move_of_kind)(pair, 0, kind_0) < 0 || NAME(move_of_kind)(pair, 1, kind_1) < 0)
                    continue;
                if ((endless_positions(mine, his) >> x & 1) != 0)
                    return 1;
            }
    }
    return 0;
}

/*
 * Of equally good moves the smallest n; but where the state is worth more than an endless game, a move that can be
 * chosen for ever (above) gives way to one that cannot, since choosing it for ever would be worth less.
 */
static void NAME(choose_canonical)(const GAME *game, PAIR *pair)
{
    int best[2][N_KINDS] = {{0}}, chosen[2] = {-1, -1}, harmless[2] = {0, 0};
    NUMBER worth;

    OP(init)(worth);
    for (int x = 0; x < pair->n_states; x++)
        for (int i = 0; i < pair->n_moves[x]; i++) {
            NAME(one_step)(worth, pair, &pair->moves[x][i]);
            if (OP(cmp)(worth, pair->value[x]) == 0)
                best[x][pair->moves[x][i].kind] = 1;
        }
    for (int x = 0; x < pair->n_states; x++)
        for (int i = 0; i < pair->n_moves[x] && !harmless[x]; i++) {
            const int kind = pair->moves[x][i].kind;
            NAME(one_step)(worth, pair, &pair->moves[x][i]);
            if (OP(cmp)(worth, pair->value[x]) != 0)
                continue;
            harmless[x] = kind == LEAVES || OP(cmp)(pair->value[x], game->zero) <= 0 ||
                          !NAME(can_be_endless)(pair, x, kind, best);
            if (harmless[x] || chosen[x] < 0)
                chosen[x] = i;
        }
    assert(chosen[0] >= 0 && (pair->n_states == 1 || chosen[1] >= 0));
    NAME(take_policy)(pair, chosen[0], chosen[1]);
    OP(clear)(worth);
}

/* --------------------------------------------------------------- whole tables */

static void NAME(init_game)(GAME *game, const ag_hog_rules *rules)
{
    const int n_values = rules->goal * rules->goal;

    *game = (GAME){.rules = rules};
    OP(init)(game->zero);
    OP(init)(game->half);
    OP(init)(game->scratch);
    OP(set_si)(game->zero, 0, 1);
    OP(set_si)(game->half, 1, 2);
    game->value = malloc((size_t)n_values * sizeof *game->value);
    assert(game->value != NULL);
    for (int i = 0; i < n_values; i++)
        OP(init)(game->value[i]);
    for (int wild = 0; wild < 2; wild++)
        for (int n = 1; n <= rules->max_rolls; n++) {
            const size_t size = (size_t)law_size(rules, n);
            mpq_t *p = malloc(size * sizeof *p);
            NUMBER *law = malloc(size * sizeof *law);
            assert(p != NULL && law != NULL);
            for (size_t k = 0; k < size; k++)
                mpq_init(p[k]);
            points_law(rules, wild, n, p);
            for (size_t k = 0; k < size; k++) {
                OP(init)(law[k]);
                OP(from_rational)(law[k], p[k]);
                mpq_clear(p[k]);
            }
            free(p);
            game->law[wild][n] = law;
        }
}

static void NAME(free_game)(GAME *game)
{
    for (int wild = 0; wild < 2; wild++)
        for (int n = 1; n <= game->rules->max_rolls; n++) {
            for (int k = 0; k < law_size(game->rules, n); k++)
                OP(clear)(game->law[wild][n][k]);
            free(game->law[wild][n]);
        }
    for (int i = 0; i < game->rules->goal * game->rules->goal; i++)
        OP(clear)(game->value[i]);
    free(game->value);
    OP(clear)(game->zero);
    OP(clear)(game->half);
    OP(clear)(game->scratch);
}

static void NAME(init_pair)(PAIR *pair)
{
    for (int x = 0; x < 2; x++) {
        OP(init)(pair->value[x]);
        pair->moves[x] = malloc((AG_HOG_ROLLS_MAX + 1) * sizeof *pair->moves[x]);
        assert(pair->moves[x] != NULL);
        for (int i = 0; i <= AG_HOG_ROLLS_MAX; i++) {
            OP(init)(pair->moves[x][i].gain);
            OP(init)(pair->moves[x][i].stay[0]);
            OP(init)(pair->moves[x][i].stay[1]);
        }
    }
}

static void NAME(free_pair)(PAIR *pair)
{
    for (int x = 0; x < 2; x++) {
        OP(clear)(pair->value[x]);
        for (int i = 0; i <= AG_HOG_ROLLS_MAX; i++) {
            OP(clear)(pair->moves[x][i].gain);
            OP(clear)(pair->moves[x][i].stay[0]);
            OP(clear)(pair->moves[x][i].stay[1]);
        }
        free(pair->moves[x]);
    }
}

/* Solves (a,b) and (b,a) from the values of larger sums. */
static void NAME(solve_states)(GAME *game, PAIR *pair, int a, int b, NUMBER *win, int *rolls)
{
    const int goal = game->rules->goal;
    int better[2] = {0, 0};

    pair->n_states = a == b ? 1 : 2;
    pair->score[0] = pair->opponent_score[1] = a;
    pair->score[1] = pair->opponent_score[0] = b;
    NAME(make_moves)(game, pair, 0);
    NAME(make_moves)(game, pair, 1);
    NAME(solve_pair)(game, pair);
    NAME(choose_canonical)(game, pair);
    const int optimal = NAME(certify)(game, pair, better);
    assert(optimal);
    (void)optimal;
    for (int x = 0; x < pair->n_states; x++) {
        const int at = pair->score[x] * goal + pair->opponent_score[x];
        OP(set)(game->value[at], pair->value[x]);
        OP(add)(win[at], pair->value[x], game->half);
        if (rolls != NULL)
            rolls[at] = pair->moves[x][pair->policy[x]].n;
    }
}

static void NAME(solve)(const ag_hog_rules *rules, int lowest_sum, NUMBER *win, int *rolls)
{
    const int goal = rules->goal;
    GAME game;
    PAIR pair = {0};

    NAME(init_game)(&game, rules);
    NAME(init_pair)(&pair);
    for (int sum = 2 * goal - 2; sum >= larger(lowest_sum, 0); sum--)
        for (int a = larger(0, sum - goal + 1); 2 * a <= sum; a++)
            NAME(solve_states)(&game, &pair, a, sum - a, win, rolls);
    NAME(free_pair)(&pair);
    NAME(free_game)(&game);
}
