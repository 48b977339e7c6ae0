/*
 * text.c -- words and whole numbers as people type them, and sizes that cannot overflow.
 */
#include "core/core.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Longer words are near to nothing. */
#define WORD_MAX 63

bool ag_mul_size(size_t a, size_t b, size_t *out)
{
    if (b != 0 && a > SIZE_MAX / b)
        return false;
    *out = a * b;
    return true;
}

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Single-letter insertions, deletions and replacements that turn a into b, letters of either case
 * being equal; both at most WORD_MAX long. */
static size_t edit_distance(const char *a, const char *b)
{
    const size_t len_a = strlen(a), len_b = strlen(b);
    size_t row[WORD_MAX + 1]; /* row[j]: distance of the first i letters of a to the first j of b */
    for (size_t j = 0; j <= len_b; j++)
        row[j] = j;
    for (size_t i = 1; i <= len_a; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= len_b; j++) {
            const bool same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
            const size_t replaced = diagonal + (same ? 0 : 1);
            diagonal = row[j];
            row[j] = min_size(replaced, min_size(row[j], row[j - 1]) + 1);
        }
    }
    return row[len_b];
}

const char *ag_nearest_word(const char *word, const char *const *words, size_t n)
{
    const size_t length = strlen(word);
    if (length > WORD_MAX)
        return NULL;
    const size_t allowed = length / 3 > 2 ? length / 3 : 2;
    const char *nearest = NULL;
    size_t nearest_distance = allowed + 1;
    for (size_t i = 0; i < n; i++) {
        const size_t known_length = strlen(words[i]);
        if (known_length > WORD_MAX)
            continue;
        const size_t distance = edit_distance(word, words[i]);
        /* Every letter replaced is no likeness: "xy" is not near "pi". */
        const bool alike = distance < (length > known_length ? length : known_length) || length + known_length == 0;
        if (alike && distance < nearest_distance) {
            nearest = words[i];
            nearest_distance = distance;
        }
    }
    return nearest;
}

bool ag_parse_int(const char *text, int64_t lo, int64_t hi, int64_t *out)
{
    /* strtoll() would accept blanks and a plus sign. */
    if (!isdigit((unsigned char)text[text[0] == '-']))
        return false;
    char *end = NULL;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (errno == ERANGE || *end != '\0' || value < lo || value > hi)
        return false;
    *out = value;
    return true;
}
