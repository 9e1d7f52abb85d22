/*
 * catalogue/alike.c: what concerns all files of a catalogue: pairs of similar levels, and the words of each
 * file.
 */
#include "catalogue/catalogue.h"
#include "catalogue/likeness.h"

#include "base/arena.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A row of whole numbers; the first may be a word instead. */
static bool give_row(lvl_catalogue_row_fn row, void *user, const char *const names[], const lvl_text *word,
                     const int64_t *numbers, size_t count)
{
    enum { MAX_NUMBERS = 3 };
    lvl_catalogue_value values[MAX_NUMBERS];
    char texts[MAX_NUMBERS][24];

    memset(values, 0, sizeof values);
    for (size_t i = 0; i < count && i < MAX_NUMBERS; i++) {
        values[i].name = names[i];
        values[i].number = i || !word;
        snprintf(texts[i], sizeof texts[i], "%lld", (long long)numbers[i]);
        values[i].text = i || !word ? lvl_text_of(texts[i]) : *word;
    }
    return row(user, values, count);
}

/* ---- pairs that are alike ----------------------------------------------------------------------------- */

/*
 * Two levels are compared if a band of numbers in their signatures is equal. If half of the numbers of two
 * levels are equal, so is one of the 42 bands, with a probability of 99.6 %.
 */
enum { BAND = 3, BANDS = CAT_SLOTS / BAND, NEIGHBOURS = 40, LEAST_ALIKE = 30 };

typedef struct signed_file {
    int64_t file, format;
    uint8_t signature[CAT_SIGNATURE];
} signed_file;

typedef struct band {
    uint32_t value, file; /* index */
} band;

typedef struct pair {
    uint32_t a, b;
} pair;

static int by_value(const void *a, const void *b)
{
    const band *x = a, *y = b;

    return x->value != y->value ? (x->value < y->value ? -1 : 1) : (x->file > y->file) - (x->file < y->file);
}

static int by_pair(const void *a, const void *b)
{
    const pair *x = a, *y = b;

    return x->a != y->a ? (x->a < y->a ? -1 : 1) : (x->b > y->b) - (x->b < y->b);
}

static lvl_status read_signatures(lvl_catalogue *c, signed_file **files, size_t *count, cat_rarity *rarity)
{
    cat_statement *s = NULL;
    size_t cap = 0;
    bool row;

    lvl_status status = cat_sql_prepare(
        c->sql,
        "SELECT k.file, k.signature, f.format FROM likeness k JOIN stored_files f ON f.id = k.file "
        "WHERE f.removed IS NULL ORDER BY k.file",
        &s);
    while (status == LVL_OK && (status = cat_step(s, &row)) == LVL_OK && row) {
        cat_value v;
        cat_get(s, 1, &v);
        if (v.kind != CAT_BYTES || v.text.len != CAT_SIGNATURE)
            continue;
        if (*count == UINT32_MAX || !lvl_grow(files, &cap, *count + 1, sizeof **files)) {
            status = LVL_ERR_MEMORY;
            break;
        }
        signed_file *f = &(*files)[(*count)++];
        f->file = cat_int(s, 0);
        memcpy(f->signature, v.text.ptr, CAT_SIGNATURE);
        f->format = cat_int(s, 2);
        if (!cat_rarity_add(rarity, f->format, f->signature)) {
            status = LVL_ERR_MEMORY;
            break;
        }
    }
    cat_statement_free(s);
    return status == LVL_ERR_ARG ? LVL_ERR_IO : status;
}

/* Adds pairs of files that have this band in common. */
static bool add_pairs(const signed_file *files, size_t count, unsigned at, band *bands, pair **pairs,
                      size_t *n, size_t *cap)
{
    for (size_t i = 0; i < count; i++) {
        const uint8_t *p = files[i].signature + (size_t)at * BAND;
        bands[i] = (band){(uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2], (uint32_t)i};
    }
    qsort(bands, count, sizeof *bands, by_value);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = i + 1; k < count && k <= i + NEIGHBOURS && bands[k].value == bands[i].value; k++) {
            if (!lvl_grow(pairs, cap, *n + 1, sizeof **pairs))
                return false;
            (*pairs)[(*n)++] = (pair){bands[i].file, bands[k].file};
        }
    }
    return true;
}

/* Sorts them and removes duplicates. */
static void unique_pairs(pair *pairs, size_t *count)
{
    size_t kept = 0;

    if (*count)
        qsort(pairs, *count, sizeof *pairs, by_pair);
    for (size_t i = 0; i < *count; i++) {
        if (!kept || by_pair(&pairs[kept - 1], &pairs[i]) != 0)
            pairs[kept++] = pairs[i];
    }
    *count = kept;
}

lvl_status lvl_catalogue_alike(lvl_catalogue *c, lvl_catalogue_row_fn row, void *user)
{
    static const char *const names[] = {"file", "other", "likeness"};
    signed_file *files = NULL;
    size_t count = 0, pair_count = 0, unique = 0, cap = 0;
    cat_rarity rarity = {0};
    band *bands = NULL;
    pair *pairs = NULL;

    lvl_status status = read_signatures(c, &files, &count, &rarity);
    if (status == LVL_OK && count) {
        bands = malloc(count * sizeof *bands);
        status = bands ? LVL_OK : LVL_ERR_MEMORY;
    }
    for (unsigned at = 0; at < BANDS && status == LVL_OK && count; at++) {
        if (!add_pairs(files, count, at, bands, &pairs, &pair_count, &cap))
            status = LVL_ERR_MEMORY;
        else if (c->ctx->stop && *c->ctx->stop)
            status = LVL_ERR_STOPPED;
        /* levels that have one band in common mostly have others, too */
        if (pair_count > 2 * unique) {
            unique_pairs(pairs, &pair_count);
            unique = pair_count;
        }
    }
    unique_pairs(pairs, &pair_count);
    for (size_t i = 0; i < pair_count && status == LVL_OK; i++) {
        const signed_file *a = &files[pairs[i].a], *b = &files[pairs[i].b];
        float weights_a[CAT_SLOTS], weights_b[CAT_SLOTS];
        cat_rarity_weights(&rarity, a->format, a->signature, weights_a);
        cat_rarity_weights(&rarity, b->format, b->signature, weights_b);
        const int64_t numbers[] = {a->file, b->file,
                                   cat_likeness(a->signature, weights_a, b->signature, weights_b)};
        if (numbers[2] >= LEAST_ALIKE && !give_row(row, user, names, NULL, numbers, LVL_COUNT_OF(numbers)))
            break;
    }
    cat_rarity_free(&rarity);
    free(bands);
    free(pairs);
    free(files);
    return status;
}

/* ---- words -------------------------------------------------------------------------------------------- */

lvl_status lvl_catalogue_words(lvl_catalogue *c, lvl_catalogue_row_fn row, void *user)
{
    static const char *const names[] = {"word", "file"};
    lvl_buffer last = {0};
    int64_t last_file = 0;
    cat_statement *s = NULL;
    bool found;

    lvl_status status = cat_sql_open_words(c->sql);
    if (status == LVL_OK)
        status = cat_sql_prepare(c->sql, "SELECT term, doc FROM temp.texts_words", &s);
    while (status == LVL_OK && (status = cat_step(s, &found)) == LVL_OK && found) {
        const lvl_text word = cat_text(s, 0);
        const int64_t numbers[] = {0, cat_int(s, 1) / CAT_TEXTS_OF_FILE};
        const bool same = last.len == word.len && word.len && memcmp(last.data, word.ptr, word.len) == 0;
        if (same && last_file == numbers[1])
            continue;
        if (!same) {
            last.len = 0;
            lvl_buffer_add(&last, word.ptr, word.len);
            if (last.status != LVL_OK)
                status = last.status;
        }
        last_file = numbers[1];
        if (!give_row(row, user, names, &word, numbers, LVL_COUNT_OF(numbers)))
            break;
    }
    cat_statement_free(s);
    lvl_buffer_free(&last);
    return status == LVL_ERR_ARG ? LVL_ERR_IO : status;
}
