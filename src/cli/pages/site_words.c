/*
 * cli/pages/site_words.c: the words of a site's levels, for its search:
 *
 *     words-N.js         lvlWords(N, "word a b\n…"): rows that have a word, in base 36, each as the
 *                        difference to the one before. N: the first two bytes of the word, b0 * 31 + b1,
 *                        modulo `shards` of levels.js
 *
 * The catalogue has pairs of a word and a file, sorted by word: the rows of one word are collected, and
 * appended to its part when the next word comes.
 */
#include "cli/pages/site.h"

#include "base/text.h"
#include "catalogue/scan.h"

#include <stdlib.h>
#include <string.h>

enum {
    WORDS_PER_SHARD = 500,
    MAX_SHARDS = 256,
    MAX_WORD = 64 /* bytes; longer ones are not words of a language */
};

typedef struct words {
    site *s;
    lvl_buffer *shards;
    uint32_t shard_count;
    lvl_buffer word; /* the current one, */
    uint32_t *rows; /* and those that have it */
    size_t row_count, cap;
} words;

static void put_base36(lvl_buffer *out, uint32_t value)
{
    char digits[8];
    size_t n = 0;

    do
        digits[n++] = "0123456789abcdefghijklmnopqrstuvwxyz"[value % 36];
    while ((value /= 36) != 0);
    while (n)
        lvl_buffer_u8(out, (uint8_t)digits[--n]);
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* Adds the word whose rows were collected to its part. */
static void end_word(words *w)
{
    uint32_t before = 0;

    if (!w->row_count || w->word.len < 2)
        return;
    lvl_buffer *out = &w->shards[(w->word.data[0] * 31U + w->word.data[1]) % w->shard_count];
    qsort(w->rows, w->row_count, sizeof *w->rows, by_number);
    lvl_buffer_add(out, w->word.data, w->word.len);
    for (size_t i = 0; i < w->row_count; i++) {
        lvl_buffer_u8(out, ' ');
        put_base36(out, w->rows[i] - before);
        before = w->rows[i];
    }
    lvl_buffer_u8(out, '\n');
    if (out->status != LVL_OK)
        w->s->status = out->status;
}

static bool take_word(void *user, const lvl_catalogue_value *v, size_t count)
{
    words *w = user;
    const lvl_text word = count == 2 ? v[0].text : (lvl_text){NULL, 0};
    const uint32_t row = count == 2 ? site_row_of(w->s, site_number(&v[1])) : UINT32_MAX;

    if (row == UINT32_MAX || !word.len || word.len > MAX_WORD)
        return true;
    if (!lvl_text_equal(lvl_buffer_text(&w->word), word)) {
        end_word(w);
        w->row_count = w->word.len = 0;
        lvl_buffer_add(&w->word, word.ptr, word.len);
    }
    if (!cli_grow(&w->rows, &w->cap, w->row_count + 1, sizeof *w->rows))
        w->s->status = LVL_ERR_MEMORY;
    else
        w->rows[w->row_count++] = row;
    if (w->word.status != LVL_OK)
        w->s->status = w->word.status;
    return w->s->status == LVL_OK && !cli_stopped();
}

static bool save_shard(words *w, uint32_t i)
{
    lvl_buffer out = {0};
    char name[32];

    lvl_buffer_printf(&out, "lvlWords(%u,", i);
    lvl_json_string(&out, lvl_buffer_text(&w->shards[i]));
    lvl_buffer_str(&out, ");\n");
    snprintf(name, sizeof name, "words-%u", i);
    const bool saved = site_save(w->s, "", name, ".js", &out);
    lvl_buffer_free(&out);
    return saved;
}

static int write_shards(words *w)
{
    lvl_status status = w->shards ? lvl_catalogue_words(w->s->catalogue, take_word, w) : LVL_ERR_MEMORY;

    if (status == LVL_OK)
        status = w->s->status;
    if (status != LVL_OK) {
        cli_report(w->s->c, "the words of the catalogue cannot be read: %s",
                   status == LVL_ERR_MEMORY ? lvl_status_text(status) : lvl_catalogue_error(w->s->catalogue));
        return cli_code_of(status);
    }
    end_word(w);
    for (uint32_t i = 0; i < w->shard_count && save_shard(w, i);)
        i++;
    return EXIT_FINE;
}

int site_write_words(site *s, uint32_t *shards)
{
    /* about as many words in each part, whatever the number of levels */
    const size_t wanted = s->count * 10 / WORDS_PER_SHARD + 1;
    words w = {.s = s, .shard_count = wanted < MAX_SHARDS ? (uint32_t)wanted : MAX_SHARDS};

    w.shards = calloc(w.shard_count, sizeof *w.shards);
    const int code = write_shards(&w);
    for (uint32_t i = 0; i < w.shard_count && w.shards; i++)
        lvl_buffer_free(&w.shards[i]);
    free(w.shards);
    free(w.rows);
    lvl_buffer_free(&w.word);
    *shards = w.shard_count;
    return code;
}
