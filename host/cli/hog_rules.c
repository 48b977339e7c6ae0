/*
 * hog_rules.c -- astragal hog rules: the presets, one rule set in words, or the keys of --set.
 */
#include "cli.h"
#include "output/output.h"

#include <stdlib.h>
#include <string.h>

ag_status ag_cli_hog_rules_set(ag_ctx *ctx, ag_hog_rules *rules, const char *key_value)
{
    const ag_status status = ag_hog_rules_set(ctx, rules, key_value);
    if (status == AG_OK || strncmp(key_value, "goal=", 5))
        return status;
    char *end;
    const double goal = strtod(key_value + 5, &end);
    if (*end || !(goal > AG_HOG_GOAL_MAX && goal <= 1e18))
        return status;
    return ag_fail(ctx, AG_E_ARG,
                   "goal is %.40s, must be 1..%d: a table of win probabilities and moves for it takes %.3g GiB",
                   key_value + 5, AG_HOG_GOAL_MAX, 9 * goal * goal / (1 << 30));
}

ag_status ag_cli_hog_rules_from(ag_ctx *ctx, const ag_cli_line *line, const char *preset, ag_hog_rules *out)
{
    AG_TRY(ag_hog_rules_preset(ctx, line->rules ? line->rules : preset, out));
    for (size_t i = 0; i < line->n_sets; i++)
        AG_TRY(ag_cli_hog_rules_set(ctx, out, line->sets[i]));
    return ag_hog_rules_check(ctx, out);
}

/* Prints name and text in two columns; the first is as wide as the longest name. */
static void print_pairs(const char *(*name)(size_t), const char *(*text)(size_t))
{
    size_t width = 0;
    for (size_t i = 0; name(i); i++)
        width = strlen(name(i)) > width ? strlen(name(i)) : width;
    for (size_t i = 0; name(i); i++)
        printf("%-*s  %s\n", (int)width, name(i), text(i));
}

static void print_pairs_json(const char *list, const char *(*name)(size_t), const char *key,
                             const char *(*text)(size_t))
{
    printf("{\"game\":\"hog\",\"%s\":[", list);
    for (size_t i = 0; name(i); i++) {
        printf("%s{\"name\":", i ? "," : "");
        ag_json_string(stdout, name(i));
        printf(",\"%s\":", key);
        ag_json_string(stdout, text(i));
        putchar('}');
    }
    printf("]}\n");
}

/* "goal=100" as "goal":100, "swap=double" as "swap":"double". */
static void print_key_json(const char *key_value)
{
    const char *value = strchr(key_value, '=') + 1;
    int64_t number;
    printf("\"%.*s\":", (int)(value - key_value - 1), key_value);
    if (ag_parse_int(value, INT64_MIN, INT64_MAX, &number))
        printf("%lld", (long long)number);
    else
        ag_json_string(stdout, value);
}

static ag_status print_rules(ag_ctx *ctx, const ag_hog_rules *rules, bool json)
{
    char key_value[128];
    const size_t size = ag_hog_rules_words(rules, NULL, 0) + 1;
    char *words = malloc(size);
    if (!words)
        return ag_fail(ctx, AG_E_MEMORY, "not enough memory for %zu bytes", size);
    ag_hog_rules_words(rules, words, size);
    if (json) {
        printf("{\"game\":\"hog\",\"rules\":");
        ag_json_string(stdout, rules->name);
        printf(",\"keys\":{");
        for (size_t i = 0; ag_hog_key_name(i); i++) {
            ag_hog_rules_key(rules, i, key_value, sizeof key_value);
            fputs(i ? "," : "", stdout);
            print_key_json(key_value);
        }
        printf("},\"words\":[");
        const char *gap = "";
        for (char *sentence = strtok(words, "\n"); sentence; sentence = strtok(NULL, "\n")) {
            fputs(gap, stdout);
            ag_json_string(stdout, sentence);
            gap = ",";
        }
        printf("]}\n");
    } else {
        printf("%s\n\n%s%s\n", rules->name, words, *words && words[size - 2] == '\n' ? "" : "\n");
        for (size_t i = 0; ag_hog_key_name(i); i++) {
            ag_hog_rules_key(rules, i, key_value, sizeof key_value);
            printf("%s%s", i ? " " : "", key_value);
        }
        printf("\n");
    }
    free(words);
    return AG_OK;
}

static ag_status run(ag_ctx *ctx, const ag_cli_line *line)
{
    ag_hog_rules rules;
    if (line->n_args && line->rules)
        return ag_fail(ctx, AG_E_ARG, "hog rules takes one rule set, not both %s and %s", line->args[0], line->rules);
    if (line->n_args || line->rules || line->n_sets) {
        if (line->keys)
            return ag_fail(ctx, AG_E_ARG, "--keys goes without a rule set");
        AG_TRY(ag_cli_hog_rules_from(ctx, line, line->n_args ? line->args[0] : AG_CLI_RULES_DEFAULT, &rules));
        return print_rules(ctx, &rules, line->json);
    }
    if (line->keys && line->json)
        print_pairs_json("keys", ag_hog_key_name, "values", ag_hog_key_values);
    else if (line->keys)
        print_pairs(ag_hog_key_name, ag_hog_key_values);
    else if (line->json)
        print_pairs_json("presets", ag_hog_preset_name, "terms", ag_hog_preset_terms);
    else
        print_pairs(ag_hog_preset_name, ag_hog_preset_terms);
    return AG_OK;
}

const ag_cli_command ag_cli_hog_rules = {
    .words = "hog rules",
    .args = "[NAME]",
    .max_args = 1,
    .options = AG_OPT_BIT(RULES) | AG_OPT_BIT(SET) | AG_OPT_BIT(KEYS) | AG_OPT_BIT(JSON),
    .brief = "the known rule sets, or one of them in words",
    .text = "Lists the rule sets by name and terms; or says one of them, changed by --set,\n"
            "in words; or lists the keys of --set with their values.",
    .example = "astragal hog rules cs61a-fa15 --set turn_score=none",
    .run = run,
};
