/*
 * jobs.c -- the one list of jobs that are timed.
 */
#include "bench.h"

/* One table of a preset, solved whole, the rules compiled too. */
#define PRESET(name_)                                                                                                  \
    {                                                                                                                  \
        .name = "hog/" name_, .kind = &ag_bench_hog, .unit = "tables", .preset = name_, .goal = 100                    \
    }

const ag_bench_job ag_bench_jobs[] = {
    PRESET("cs61a-su23"),
    {.name = "hog/cs61a-su23/read",
     .kind = &ag_bench_hog,
     .unit = "tables",
     .preset = "cs61a-su23",
     .goal = 100,
     .read_back = true},
    PRESET("cs61a-fa22"),
    PRESET("cs61a-sp22"),
    PRESET("cs61a-fa21"),
    PRESET("cs61a-su21"),
    PRESET("cs61a-sp21"),
    PRESET("cs61a-fa20"),
    PRESET("cs61a-sp19"),
    PRESET("cs61a-fa18"),
    PRESET("cs61a-su18"),
    PRESET("cs61a-sp18"),
    PRESET("cs61a-fa17"),
    PRESET("cs61a-fa15"),
    PRESET("cs61a-su15"),
    PRESET("laney"),
    PRESET("snowden"),
    PRESET("plain"),
    PRESET("neller"),
    {.name = "hog/batch4096", .kind = &ag_bench_hog, .unit = "tables", .goal = 100, .n_tables = AG_BENCH_BATCH},
    {.name = "hog/goal2000", .kind = &ag_bench_hog, .unit = "states", .preset = "cs61a-su23", .goal = 2000},
    {.name = "hog/goal5000", .kind = &ag_bench_hog, .unit = "states", .preset = "cs61a-su23", .goal = 5000},
    {.name = "dice/d6", .kind = &ag_bench_dice, .unit = "dice", .faces = 6, .n_words = 40000000},
    {.name = "lcr/play4", .kind = &ag_bench_lcr, .unit = "games", .players = 4, .n_games = 20000000},
    {.name = "lcr/play10", .kind = &ag_bench_lcr, .unit = "games", .players = 10, .n_games = 5000000},
};
const size_t ag_bench_n_jobs = AG_BENCH_COUNT(ag_bench_jobs);
