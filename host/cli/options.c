/*
 * options.c -- the one table of options, which drives both parsing and --help.
 */
#include "cli.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef enum {
    KIND_TEXT, /* const char *: the last one counts */
    KIND_LIST, /* collected */
    KIND_INT,  /* int in lo..hi */
    KIND_ALL,  /* int in lo..hi, or "all": AG_ALL_DEVICES */
    KIND_U64,  /* uint64_t */
    KIND_MANY, /* uint64_t, also as 3e8 or 2.5e6 */
    KIND_REAL, /* double, 0 < x < 1 */
    KIND_WORD, /* int: number of the word within the metavar "auto|never" */
    KIND_FLAG  /* int 1 */
} option_kind;

typedef struct {
    const char *name, *metavar;
    option_kind kind;
    size_t at; /* of the field in ag_cli_line */
    int lo, hi;
    const char *text;
} option_row;

#define AT(field) offsetof(ag_cli_line, field)

/* clang-format off */
static const option_row options[AG_N_OPTS] = {
    [AG_OPT_RULES]     = {"rules", "NAME", KIND_TEXT, AT(rules), 0, 0, "rule set: see astragal hog rules"},
    [AG_OPT_SET]       = {"set", "KEY=VALUE", KIND_LIST, AT(sets), 0, 0, "replace one rule: see hog rules --keys"},
    [AG_OPT_FACES]     = {"faces", "F", KIND_TEXT, AT(faces), 0, 0, "faces of the dice; of lcr with ., L, R, C: 3,1,1,1"},
    [AG_OPT_MAX_ROLLS] = {"max-rolls", "N", KIND_INT, AT(max_rolls), 1, AG_HOG_ROLLS_MAX, "most dice of a turn"},
    [AG_OPT_METHOD]    = {"method", "layers|sweep", KIND_WORD, AT(method), 0, 0, "by layers (default) or by sweeps"},
    [AG_OPT_EPSILON]   = {"epsilon", "E", KIND_REAL, AT(epsilon), 0, 0, "sweep until bounds meet within E (1e-12)"},
    [AG_OPT_PLAYERS]   = {"players", "N", KIND_TEXT, AT(players), 0, 0, "number of players"},
    [AG_OPT_COINS]     = {"coins", "C", KIND_INT, AT(coins), 1, AG_LCR_COINS_MAX, "coins of each at the start (default 3)"},
    [AG_OPT_CAP]       = {"cap", "D", KIND_INT, AT(cap), 1, AG_LCR_CAP_MAX, "most dice of a turn (default 3)"},
    [AG_OPT_FIRST]     = {"first", "SEAT", KIND_INT, AT(first), 0, AG_LCR_PLAYERS_MAX - 1, "the seat that begins (default 0)"},
    [AG_OPT_DICE]      = {"dice", "LETTERS", KIND_TEXT, AT(dice), 0, 0, "the dice to come, like .LCR"},
    [AG_OPT_GAMES]     = {"games", "G", KIND_MANY, AT(games), 0, 0, "number of games, also as 3e8"},
    [AG_OPT_SEED]      = {"seed", "S", KIND_U64, AT(seed), 0, 0, "seed of the dice (default 1)"},
    [AG_OPT_GAME]      = {"game", "K", KIND_U64, AT(game), 0, 0, "number of the game (default 0)"},
    [AG_OPT_KEYS]      = {"keys", NULL, KIND_FLAG, AT(keys), 0, 0, "list the keys of --set and their values"},
    [AG_OPT_OUT]       = {"out", "FILE", KIND_LIST, AT(outs), 0, 0, "write the table; format by ending, or csv:FILE"},
    [AG_OPT_WHAT]      = {"what", "win|rolls", KIND_WORD, AT(what), 0, 0, "what .npy and pictures hold (default win)"},
    [AG_OPT_JSON]      = {"json", NULL, KIND_FLAG, AT(json), 0, 0, "one JSON object instead of text"},
    [AG_OPT_QUIET]     = {"quiet", NULL, KIND_FLAG, AT(quiet), 0, 0, "no progress, no note on the backend"},
    [AG_OPT_PROGRESS]  = {"progress", "auto|never", KIND_WORD, AT(progress), 0, 0, "progress of long scans and checks, on a terminal"},
    [AG_OPT_BACKEND]   = {"backend", "NAME", KIND_TEXT, AT(backend), 0, 0, "auto, cpu, opencl, cuda or reference"},
    [AG_OPT_DEVICE]    = {"device", "N|all", KIND_ALL, AT(device), 0, 1023, "number of the device: see astragal devices"},
    [AG_OPT_THREADS]   = {"threads", "N", KIND_INT, AT(threads), 1, 1024, "threads of cpu (default: all)"},
    [AG_OPT_HELP]      = {"help", NULL, KIND_FLAG, 0, 0, 0, "this help"},
    [AG_OPT_VERSION]   = {"version", NULL, KIND_FLAG, 0, 0, 0, "the version"},
};
/* clang-format on */

/* ------------------------------------------------------------------------ values */

static ag_status bad_value(ag_ctx *ctx, const option_row *row, const char *value, const char *accepted)
{
    return ag_fail(ctx, AG_E_ARG, "--%s is %s, must be %s", row->name, *value ? value : "empty", accepted);
}

static bool parse_u64(const char *text, uint64_t *out)
{
    uint64_t x = 0;
    if (!*text)
        return false;
    for (; *text; text++) {
        if (!isdigit((unsigned char)*text))
            return false;
        const uint64_t digit = (uint64_t)(*text - '0');
        if (x > (UINT64_MAX - digit) / 10)
            return false;
        x = x * 10 + digit;
    }
    *out = x;
    return true;
}

/* A whole number 1..AG_LCR_GAMES_MAX as digits, a point perhaps, and a power of ten perhaps: 2.5e6. */
static bool parse_many(const char *text, uint64_t *out)
{
    uint64_t x = 0;
    int64_t power = 0;
    bool point = false, digits = false;
    for (; isdigit((unsigned char)*text) || (*text == '.' && !point); text++) {
        if (*text == '.') {
            point = true;
            continue;
        }
        digits = true;
        x = 10 * x + (uint64_t)(*text - '0');
        power -= point;
        if (x > AG_LCR_GAMES_MAX)
            return false;
    }
    if (*text == 'e' || *text == 'E') {
        int64_t more = 0;
        if (!ag_parse_int(text + 1 + (text[1] == '+'), 0, 12, &more))
            return false;
        power += more;
        text = "";
    }
    for (; power < 0 && x % 10 == 0; power++)
        x /= 10;
    if (!digits || *text || power < 0)
        return false;
    for (; power > 0 && x <= AG_LCR_GAMES_MAX; power--)
        x *= 10;
    *out = x;
    return x >= 1 && x <= AG_LCR_GAMES_MAX;
}

static bool parse_fraction(const char *text, double *out)
{
    char *end;
    if (!*text || text[strspn(text, "0123456789.eE+-")]) /* keeps nan, inf, hexadecimal and blanks out */
        return false;
    *out = strtod(text, &end);
    return !*end && *out > 0 && *out < 1;
}

/* Position of word in "a|b|c", or -1. */
static int word_index(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (int i = 0;; i++) {
        const size_t n = strcspn(words, "|");
        if (n == length && !memcmp(words, word, n))
            return i;
        if (!words[n])
            return -1;
        words += n + 1;
    }
}

static ag_status set_option(ag_ctx *ctx, ag_cli_line *line, ag_opt opt, const char *value)
{
    const option_row *row = &options[opt];
    void *field = (char *)line + row->at;
    char accepted[80];
    int64_t integer;

    line->given |= 1u << opt;
    switch (row->kind) {
    case KIND_TEXT:
        *(const char **)field = value;
        return AG_OK;
    case KIND_LIST:
        if (opt == AG_OPT_OUT)
            line->outs[line->n_outs++] = value;
        else
            line->sets[line->n_sets++] = value;
        return AG_OK;
    case KIND_INT:
    case KIND_ALL:
        snprintf(accepted, sizeof accepted, "%d..%d%s", row->lo, row->hi, row->kind == KIND_ALL ? " or all" : "");
        if (row->kind == KIND_ALL && !strcmp(value, "all"))
            integer = AG_ALL_DEVICES;
        else if (!ag_parse_int(value, row->lo, row->hi, &integer))
            return bad_value(ctx, row, value, accepted);
        *(int *)field = (int)integer;
        return AG_OK;
    case KIND_U64:
        if (!parse_u64(value, field))
            return bad_value(ctx, row, value, "0..18446744073709551615");
        return AG_OK;
    case KIND_MANY:
        if (!parse_many(value, field))
            return bad_value(ctx, row, value, "a whole number 1..1000000000000, like 1000000 or 1e6");
        return AG_OK;
    case KIND_REAL:
        if (!parse_fraction(value, field))
            return bad_value(ctx, row, value, "a number above 0 and below 1, like 1e-12");
        return AG_OK;
    case KIND_WORD: {
        const int i = word_index(row->metavar, value);
        if (i < 0)
            return bad_value(ctx, row, value, row->metavar);
        *(int *)field = i;
        return AG_OK;
    }
    case KIND_FLAG:
        if (opt != AG_OPT_HELP && opt != AG_OPT_VERSION)
            *(int *)field = 1;
        return AG_OK;
    }
    return AG_OK;
}

/* ------------------------------------------------------------------------- names */

/* The option called by the first `length` characters of name, whole or abbreviated. */
static ag_status find_option(ag_ctx *ctx, const char *name, size_t length, ag_opt *out)
{
    const char *names[AG_N_OPTS];
    char word[32];
    int found = -1, also = -1;

    for (int i = 0; i < AG_N_OPTS; i++) {
        names[i] = options[i].name;
        if (length == 0 || strncmp(options[i].name, name, length))
            continue;
        if (!options[i].name[length]) {
            *out = (ag_opt)i;
            return AG_OK;
        }
        also = found;
        found = i;
    }
    if (also >= 0)
        return ag_fail(ctx, AG_E_ARG, "option --%.*s is ambiguous: --%s or --%s", (int)length, name, options[also].name,
                       options[found].name);
    if (found >= 0) {
        *out = (ag_opt)found;
        return AG_OK;
    }
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    const char *near = ag_nearest_word(word, names, AG_N_OPTS);
    if (near)
        return ag_fail(ctx, AG_E_ARG, "unknown option --%.*s; did you mean --%s?", (int)length, name, near);
    return ag_fail(ctx, AG_E_ARG, "unknown option --%.*s; see astragal --help", (int)length, name);
}

/* Takes argv[*i], which begins with "--", and its value. */
static ag_status take_option(ag_ctx *ctx, int argc, char **argv, int *i, ag_cli_line *line)
{
    const char *name = argv[*i] + 2, *value = strchr(name, '=');
    const size_t length = value ? (size_t)(value - name) : strlen(name);
    ag_opt opt = AG_N_OPTS;

    AG_TRY(find_option(ctx, name, length, &opt));
    const option_row *row = &options[opt];
    if (row->kind == KIND_FLAG) {
        if (value)
            return ag_fail(ctx, AG_E_ARG, "--%s takes no value", row->name);
    } else if (value) {
        value++;
    } else {
        if (*i + 1 >= argc)
            return ag_fail(ctx, AG_E_ARG, "--%s needs a value: --%s %s", row->name, row->name, row->metavar);
        value = argv[++*i];
    }
    return set_option(ctx, line, opt, value);
}

/* Number of words in `words`, if they are the first operands of line; else 0. */
static size_t words_match(const char *words, const ag_cli_line *line)
{
    size_t n = 0;
    for (;;) {
        const size_t length = strcspn(words, " ");
        if (n == line->n_args || strlen(line->args[n]) != length || memcmp(words, line->args[n], length))
            return 0;
        n++;
        if (!words[length])
            return n;
        words += length + 1;
    }
}

/* A game's commands. */
static const struct {
    const char *name, *text, *example;
} groups[] = {
    {"hog", "The dice game Hog: exact optimal play for rule sets of many terms.",
     "astragal hog advise 42 37 --rules laney"},
    {"lcr", "The dice game LCR (Left, Center, Right).", "astragal lcr play --players 4"},
};

/* True if the first operand names a group of commands, such as "hog". */
static bool in_group(const ag_cli_command *command, const ag_cli_line *line)
{
    const size_t length = strcspn(command->words, " ");
    return line->n_args && command->words[length] && strlen(line->args[0]) == length &&
           !memcmp(command->words, line->args[0], length);
}

/* Says which command was meant when the operands of line name none. */
static ag_status no_command(ag_ctx *ctx, const ag_cli_line *line)
{
    const char *words[32];
    size_t n = 0;
    bool group = false;

    for (size_t i = 0; ag_cli_commands[i]; i++)
        group |= in_group(ag_cli_commands[i], line);
    for (size_t i = 0; ag_cli_commands[i] && n < AG_COUNT(words); i++) {
        const char *second = strchr(ag_cli_commands[i]->words, ' ');
        if (group ? in_group(ag_cli_commands[i], line) : !second)
            words[n++] = group ? second + 1 : ag_cli_commands[i]->words;
    }
    for (size_t i = 0; !group && i < AG_COUNT(groups) && n < AG_COUNT(words); i++)
        words[n++] = groups[i].name;
    if (line->n_args == 0)
        return ag_fail(ctx, AG_E_ARG, "no command given; see astragal --help");
    if (group && line->n_args == 1)
        return ag_fail(ctx, AG_E_ARG, "%s needs a command; see astragal %s --help", line->args[0], line->args[0]);
    const char *word = line->args[group ? 1 : 0], *near = ag_nearest_word(word, words, n);
    const char *before = group ? line->args[0] : "", *gap = group ? " " : "";
    if (near)
        return ag_fail(ctx, AG_E_ARG, "unknown command %s%s%s; did you mean %s%s%s?", before, gap, word, before, gap,
                       near);
    return ag_fail(ctx, AG_E_ARG, "unknown command %s%s%s; see astragal%s%s --help", before, gap, word, gap, before);
}

/* Refuses options and operands that the command does not take. */
static ag_status check_command(ag_ctx *ctx, const ag_cli_command *command, const ag_cli_line *line)
{
    const unsigned always = AG_OPT_BIT(HELP) | AG_OPT_BIT(QUIET) | AG_OPT_BIT(PROGRESS);
    const unsigned refused = line->given & ~command->options & ~always;
    for (int i = 0; i < AG_N_OPTS; i++)
        if (refused & 1u << i)
            return ag_fail(ctx, AG_E_ARG, "%s takes no --%s; see astragal %s --help", command->words, options[i].name,
                           command->words);
    if (line->n_args > command->max_args)
        return ag_fail(ctx, AG_E_ARG, "%s: unexpected argument %s; see astragal %s --help", command->words,
                       line->args[command->max_args], command->words);
    if (line->n_args < command->min_args && !(line->given & AG_OPT_BIT(HELP)))
        return ag_fail(ctx, AG_E_ARG, "%s needs %s; see astragal %s --help", command->words, command->args,
                       command->words);
    return AG_OK;
}

ag_status ag_cli_parse(ag_ctx *ctx, int argc, char **argv, ag_cli_line *line, const ag_cli_command **command)
{
    const size_t n = (size_t)argc + 1;
    bool ended = false;

    *command = NULL;
    *line = (ag_cli_line){.seed = 1, .epsilon = 1e-12, .coins = 3, .cap = 3};
    line->sets = calloc(3 * n, sizeof *line->sets);
    if (!line->sets)
        return ag_fail(ctx, AG_E_MEMORY, "not enough memory for %d arguments", argc);
    line->outs = line->sets + n;
    line->args = line->outs + n;
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        /* A word that begins with "-" and a digit is a number, for the command to judge. */
        if (ended || arg[0] != '-' || !arg[1] || isdigit((unsigned char)arg[1]))
            line->args[line->n_args++] = arg;
        else if (!strcmp(arg, "--"))
            ended = true;
        else if (!strcmp(arg, "-h"))
            line->given |= AG_OPT_BIT(HELP);
        else if (arg[1] == '-')
            AG_TRY(take_option(ctx, argc, argv, &i, line));
        else
            return ag_fail(ctx, AG_E_ARG, "unknown option %s; see astragal --help", arg);
    }
    for (size_t i = 0; ag_cli_commands[i]; i++) {
        const size_t n_words = words_match(ag_cli_commands[i]->words, line);
        if (n_words == 0)
            continue;
        *command = ag_cli_commands[i];
        line->args += n_words;
        line->n_args -= n_words;
        if (!line->backend)
            line->backend = (*command)->backend;
        return check_command(ctx, *command, line);
    }
    /* "astragal --help", "astragal hog --help" and "astragal --version" need no command. */
    bool named = line->n_args == 0;
    for (size_t i = 0; ag_cli_commands[i]; i++)
        named |= line->n_args == 1 && in_group(ag_cli_commands[i], line);
    if (named && line->given & (AG_OPT_BIT(HELP) | AG_OPT_BIT(VERSION)))
        return AG_OK;
    return no_command(ctx, line);
}

void ag_cli_line_free(ag_cli_line *line)
{
    free(line->sets);
}

/* -------------------------------------------------------------------------- help */

static void help_row(const char *name, const char *metavar, const char *text)
{
    char left[64];
    snprintf(left, sizeof left, "--%s%s%s", name, metavar ? " " : "", metavar ? metavar : "");
    printf("  %-23s %s\n", left, text);
}

void ag_cli_help(const ag_cli_command *command, const ag_cli_line *line)
{
    if (command) {
        printf("Usage: astragal %s%s%s [OPTION]...\n%s\n\n", command->words, *command->args ? " " : "", command->args,
               command->text);
        for (int i = 0; i < AG_N_OPTS; i++)
            if ((command->options | AG_OPT_BIT(HELP)) & 1u << i)
                help_row(options[i].name, options[i].metavar, options[i].text);
        printf("\nExample: %s\n", command->example);
        return;
    }
    const bool group = line->n_args == 1;
    size_t g = 0;
    while (group && g < AG_COUNT(groups) - 1 && strcmp(groups[g].name, line->args[0]))
        g++;
    printf("Usage: astragal %s%sCOMMAND [ARGUMENT]... [OPTION]...\n%s\n\n", group ? groups[g].name : "",
           group ? " " : "",
           group ? groups[g].text : "Solves dice games exactly, on processor threads, OpenCL devices and NVIDIA GPUs.");
    for (size_t i = 0; ag_cli_commands[i]; i++)
        if (!group || in_group(ag_cli_commands[i], line))
            printf("  %-12s %s\n", ag_cli_commands[i]->words, ag_cli_commands[i]->brief);
    printf("\n");
    help_row("help", NULL, "this help; after a command, its arguments and options");
    if (!group)
        help_row("version", NULL, "the version");
    printf("\nExit status: 0 done, 1 could not be done, 2 bad input, 3 a check failed,\n"
           "130 interrupted.\n\nExample: %s\n",
           group ? groups[g].example : "astragal hog solve");
}
