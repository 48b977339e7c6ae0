/*
 * cli.h -- what the commands of the program share: one parsed command line, one
 * description per command, and the few things that every command does.
 *
 * A command is one file: it parses its operands, calls the library and formats. It
 * returns an ag_status with the message in ctx; main.c turns that into the one line on
 * stderr and the exit status. Results go to stdout, and only results.
 */
#ifndef AG_CLI_H
#define AG_CLI_H

#include "astragal/hog.h"
#include "astragal/lcr.h"
#include "core/core.h"

#include <stdio.h>

/* Every option of the program; options.c has a row for each, in this order. */
typedef enum {
    AG_OPT_RULES,
    AG_OPT_SET,
    AG_OPT_FACES,
    AG_OPT_MAX_ROLLS,
    AG_OPT_METHOD,
    AG_OPT_EPSILON,
    AG_OPT_PLAYERS,
    AG_OPT_COINS,
    AG_OPT_CAP,
    AG_OPT_FIRST,
    AG_OPT_DICE,
    AG_OPT_GAMES,
    AG_OPT_SEED,
    AG_OPT_GAME,
    AG_OPT_KEYS,
    AG_OPT_OUT,
    AG_OPT_WHAT,
    AG_OPT_JSON,
    AG_OPT_QUIET,
    AG_OPT_PROGRESS,
    AG_OPT_BACKEND,
    AG_OPT_DEVICE,
    AG_OPT_THREADS,
    AG_OPT_HELP,
    AG_OPT_VERSION,
    AG_N_OPTS
} ag_opt;

#define AG_OPT_BIT(name) (1u << AG_OPT_##name)
/* The options of a command that computes: where it runs, and what it says meanwhile. */
#define AG_OPTS_RUN                                                                                                    \
    (AG_OPT_BIT(BACKEND) | AG_OPT_BIT(DEVICE) | AG_OPT_BIT(THREADS) | AG_OPT_BIT(QUIET) | AG_OPT_BIT(PROGRESS))

/* What a command line says; defaults where it says nothing. Strings belong to argv. */
typedef struct {
    unsigned given; /* AG_OPT_BIT of each option that appeared */
    const char *rules;
    const char **sets; /* n_sets times KEY=VALUE */
    size_t n_sets;
    const char *faces; /* hog: a number; lcr: D,L,R,C */
    int max_rolls;
    int method; /* an ag_hog_method */
    double epsilon;
    const char *players; /* of lcr */
    int coins, cap, first;
    const char *dice; /* staged letters */
    uint64_t games, seed, game;
    const char **outs;
    size_t n_outs;
    int what; /* 0: win, 1: rolls */
    int json, keys, quiet;
    int progress;        /* 0: auto, 1: never */
    const char *backend; /* NULL: not given, and the command has no default */
    int device, threads; /* threads 0: all */
    const char **args;   /* n_args operands after the command's words */
    size_t n_args;
} ag_cli_line;

typedef struct ag_cli_command {
    const char *words; /* "hog solve" */
    const char *args;  /* operands as --help shows them: "S O"; "" for none */
    size_t min_args, max_args;
    unsigned options;    /* AG_OPT_BIT of those it takes; --help, --quiet and --progress always */
    const char *backend; /* default of --backend; NULL: none, or the command chooses */
    const char *brief;   /* one line of the list of commands */
    const char *text;    /* what --help says; lines up to 80 columns */
    const char *example; /* a command line that works */
    ag_status (*run)(ag_ctx *ctx, const ag_cli_line *line);
} ag_cli_command;

/* Every command, in the order of listings; NULL ends it. main.c */
extern const ag_cli_command *const ag_cli_commands[];
extern const ag_cli_command ag_cli_devices, ag_cli_verify, ag_cli_hog_rules, ag_cli_hog_solve, ag_cli_hog_advise,
    ag_cli_hog_odds, ag_cli_hog_scan, ag_cli_hog_play, ag_cli_hog_replay, ag_cli_lcr_simulate, ag_cli_lcr_play;

/* ---- options.c ---- */

/*
 * Parses argv[1..]. GNU conventions: --opt=value or --opt value, unambiguous abbreviations,
 * options anywhere, "--" ends them. *command: the one named; NULL if the words name none, which is an error unless
 * --help or --version is given. The arrays of *line are one block, freed by ag_cli_line_free().
 */
ag_status ag_cli_parse(ag_ctx *ctx, int argc, char **argv, ag_cli_line *line, const ag_cli_command **command);
void ag_cli_line_free(ag_cli_line *line);
/* Prints the help of a command, or (NULL) of the group that the words name: "hog", or the whole program. */
void ag_cli_help(const ag_cli_command *command, const ag_cli_line *line);

/* ---- main.c ---- */

/* Makes ctx run where the command line says. */
ag_status ag_cli_use_backend(ag_ctx *ctx, const ag_cli_line *line);
/* AG_E_IO once a write to stdout has failed: for loops, so that a closed pipe ends them. */
ag_status ag_cli_check_stdout(ag_ctx *ctx);
/* Checks the endings of all --out before any work. */
ag_status ag_cli_check_outs(ag_ctx *ctx, const ag_cli_line *line, bool has_grid);
/* Refuses work that needs more than this machine's memory; `what` begins the sentence: "goal 10000". */
ag_status ag_cli_check_memory(ag_ctx *ctx, const char *what, double need_bytes);
/* Rewrites the progress line on stderr, at most 5 times a second and only on a terminal; NULL erases it. */
void ag_cli_progress(const ag_cli_line *line, const char *fmt, ...) AG_PRINTF(2, 3);

/* ---- hog_rules.c ---- */

/* ag_hog_rules_set(); a goal beyond the limit is refused with the memory it would take. */
ag_status ag_cli_hog_rules_set(ag_ctx *ctx, ag_hog_rules *rules, const char *key_value);
/* The rule set that --rules (or `preset` when it was not given) and --set ask for. */
ag_status ag_cli_hog_rules_from(ag_ctx *ctx, const ag_cli_line *line, const char *preset, ag_hog_rules *out);
#define AG_CLI_RULES_DEFAULT "cs61a-su23"

/* ---- lcr_rules.c ---- */

/* The rules that --coins, --cap, --first and --faces ask for, with `players`. */
ag_status ag_cli_lcr_rules_from(ag_ctx *ctx, const ag_cli_line *line, int players, ag_lcr_rules *out);
/* The numbers of players that --players asks for: lo..hi; one number where only_one. */
ag_status ag_cli_lcr_players(ag_ctx *ctx, const ag_cli_line *line, bool only_one, int *lo, int *hi);
/* The options of those rules. */
#define AG_OPTS_LCR (AG_OPT_BIT(PLAYERS) | AG_OPT_BIT(COINS) | AG_OPT_BIT(CAP) | AG_OPT_BIT(FIRST) | AG_OPT_BIT(FACES))
/* "4 players with 3 coins each, at most 3 dice, seat 0 begins, faces . . . L R C": printed with every result. */
void ag_cli_lcr_rules_text(const ag_lcr_rules *rules, char *text, size_t size);
/* The keys of JSON that say the rules: "\"game\":\"lcr\",\"players\":4,...,\"faces\":[3,1,1,1]". */
void ag_cli_lcr_rules_json(const ag_lcr_rules *rules);

/* ---- hog_solve.c ---- */

/* A solved game. */
typedef struct {
    double *win;    /* [goal][goal] */
    uint8_t *rolls; /* [goal][goal] */
    ag_hog_result result;
    double seconds; /* that solving took, a device named with --backend being open */
} ag_cli_hog_solved;

/* Solves on the backend that the command line names; refuses first what cannot fit in memory, tables of
 * extra_bytes included. */
ag_status ag_cli_hog_solved_make(ag_ctx *ctx, const ag_cli_line *line, const ag_hog_rules *rules, ag_hog_method method,
                                 double extra_bytes, ag_cli_hog_solved *out);
/* Accepts a zero-initialised one. */
void ag_cli_hog_solved_free(ag_cli_hog_solved *solved);

#endif
