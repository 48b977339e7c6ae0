/*
 * lcr_rules.c -- what the commands of LCR share: rules from options, and rules as text.
 */
#include "cli.h"

#include <string.h>

/* "3,1,1,1": four numbers 0..6. */
static bool parse_faces(const char *text, int *faces)
{
    for (int i = 0; i < AG_LCR_N_LETTERS; i++) {
        const bool last = i == AG_LCR_N_LETTERS - 1;
        if (text[0] < '0' || text[0] > '6' || text[1] != (last ? '\0' : ','))
            return false;
        faces[i] = text[0] - '0';
        text += 2;
    }
    return true;
}

ag_status ag_cli_lcr_rules_from(ag_ctx *ctx, const ag_cli_line *line, int players, ag_lcr_rules *out)
{
    AG_TRY(ag_lcr_rules_default(ctx, players, out));
    out->coins = line->coins;
    out->cap = line->cap;
    out->first = line->first;
    if (line->faces && !parse_faces(line->faces, out->faces))
        return ag_fail(
            ctx, AG_E_ARG,
            "--faces is %s, must be four numbers: how many of the six faces show a dot, L, R, C, as in 3,1,1,1",
            *line->faces ? line->faces : "empty");
    return ag_lcr_rules_check(ctx, out);
}

ag_status ag_cli_lcr_players(ag_ctx *ctx, const ag_cli_line *line, bool only_one, int *lo, int *hi)
{
    const char *text = line->players ? line->players : "", *dots = strstr(text, "..");
    int64_t from = 0, to = 0;
    char first[16] = "";
    bool good;
    if (dots && !only_one) {
        snprintf(first, sizeof first, "%.*s", (int)(dots - text < 15 ? dots - text : 15), text);
        good =
            ag_parse_int(first, 2, AG_LCR_PLAYERS_MAX, &from) && ag_parse_int(dots + 2, from, AG_LCR_PLAYERS_MAX, &to);
    } else {
        good = ag_parse_int(text, 2, AG_LCR_PLAYERS_MAX, &from);
        to = from;
    }
    if (!good)
        return ag_fail(ctx, AG_E_ARG, "--players is %s, must be 2..%d%s", *text ? text : "not given",
                       AG_LCR_PLAYERS_MAX, only_one ? "" : ", or two such numbers as in 2..9");
    *lo = (int)from;
    *hi = (int)to;
    return AG_OK;
}

void ag_cli_lcr_rules_text(const ag_lcr_rules *rules, char *text, size_t size)
{
    static const char letters[AG_LCR_N_LETTERS] = {'.', 'L', 'R', 'C'};
    char faces[16] = "";
    size_t n = 0;
    for (int i = 0; i < AG_LCR_N_LETTERS; i++)
        for (int k = 0; k < rules->faces[i]; k++) {
            faces[n++] = ' ';
            faces[n++] = letters[i];
        }
    snprintf(text, size, "%d players with %d coin%s each, at most %d %s a turn, seat %d begins, faces%s",
             rules->players, rules->coins, rules->coins == 1 ? "" : "s", rules->cap, rules->cap == 1 ? "die" : "dice",
             rules->first, faces);
}

void ag_cli_lcr_rules_json(const ag_lcr_rules *rules)
{
    printf("\"game\":\"lcr\",\"players\":%d,\"coins\":%d,\"cap\":%d,\"first\":%d,\"faces\":[%d,%d,%d,%d]",
           rules->players, rules->coins, rules->cap, rules->first, rules->faces[0], rules->faces[1], rules->faces[2],
           rules->faces[3]);
}
