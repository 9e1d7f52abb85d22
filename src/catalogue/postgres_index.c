/*
 * catalogue/postgres_index.c: the full-text index: tsvectors with a GIN index. The words in them are found by
 * SQLite's tokenizer (words.c), so that a search finds the same in both databases.
 */
#include "catalogue/postgres.h"

#include "catalogue/words.h"

#include "base/buffer.h"
#include "base/hash.h"

#include <stdio.h>
#include <string.h>

#ifdef LVL_HAVE_POSTGRES

/* ---- searching ---------------------------------------------------------------------------------------- */

void cat_pg_put_match(lvl_buffer *out, int at, const char *condition)
{
    lvl_buffer_printf(
        out,
        "SELECT t.id / 256 AS file, t.id AS text FROM texts_index i JOIN stored_texts t ON t.id = "
        "i.text WHERE i.words @@ $%d::text::tsquery%s%s GROUP BY t.id",
        at, condition ? " AND " : "", condition ? condition : "");
}

typedef struct query_words {
    lvl_buffer *out;
    size_t count;
} query_words;

static bool add_query_word(void *user, lvl_text word)
{
    query_words *q = user;

    if (q->count++)
        lvl_buffer_str(q->out, " <-> ");
    cat_pg_put_word(q->out, word);
    return true;
}

/* A text without words finds nothing. */
void cat_pg_put_pattern(cat_sql *sql, lvl_buffer *out, lvl_text word, bool phrase)
{
    query_words q = {out, 0};

    if (cat_words_of(cat_pg_database_of(sql)->words, word, add_query_word, &q) != LVL_OK)
        out->status = LVL_ERR_MEMORY;
    else if (q.count && !phrase)
        lvl_buffer_str(out, ":*");
}

/* ---- filling ------------------------------------------------------------------------------------------ */

/* A vector has room for 1 MB, for 16,383 places, and for 255 places of a word: longer texts have several,
 * each of which repeats some words, so that phrases are found across their borders. */
enum { WORDS_OF_PART = 4000, BYTES_OF_PART = 256 << 10, PLACES_OF_WORD = 255, REPEATED = 16 };

typedef struct index_words {
    cat_pg_database *d;
    int64_t text;
    unsigned part, count;
    size_t start; /* of the vector in the buffer */
    lvl_buffer last[REPEATED]; /* the words before, in a ring */
    /* How many places the words with such a hash have: no word has more. */
    uint8_t places[512];
    bool full; /* the next part has to begin before REPEATED more places */
} index_words;

static void count_place(index_words *w, lvl_text word)
{
    static const lvl_hash_seed seed = {1, 0x9E3779B97F4A7C15}; /* a text always has the same parts */
    uint8_t *places = &w->places[lvl_hash_bytes(&seed, word.ptr, word.len) % LVL_COUNT_OF(w->places)];

    w->full |= ++*places >= PLACES_OF_WORD - REPEATED;
}

static void put_place(index_words *w, lvl_text word)
{
    lvl_buffer *out = &w->d->index;

    if (!w->count) {
        lvl_buffer_printf(out, "%lld\t%u\t", (long long)w->text, w->part);
        w->start = out->len;
    }
    cat_pg_put_word(out, word);
    lvl_buffer_printf(out, ":%u ", ++w->count);
    count_place(w, word);
}

/* Begins another part first, if this one is full. */
static bool add_index_word(void *user, lvl_text word)
{
    index_words *w = user;
    lvl_buffer *out = &w->d->index;

    if (w->count > REPEATED && w->count % REPEATED == 0 &&
        (w->full || w->count >= WORDS_OF_PART || out->len - w->start > BYTES_OF_PART)) {
        lvl_buffer_u8(out, '\n');
        w->part++;
        w->count = 0;
        w->full = false;
        memset(w->places, 0, sizeof w->places);
        for (unsigned i = 0; i < REPEATED; i++)
            put_place(w, lvl_buffer_text(&w->last[i]));
    }
    lvl_buffer *last = &w->last[w->count % REPEATED];
    last->len = 0;
    lvl_buffer_add(last, word.ptr, word.len);
    put_place(w, word);
    return out->status == LVL_OK;
}

lvl_status cat_pg_index_add(cat_sql *sql, int64_t id, lvl_text text)
{
    cat_pg_database *d = cat_pg_database_of(sql);
    index_words w = {.d = d, .text = id};
    const size_t from = d->index.len;

    d->line.len = 0;
    cat_pg_put_plain(&d->line, text);
    lvl_status status = d->line.status;
    if (status == LVL_OK)
        status = cat_words_of(d->words, lvl_buffer_text(&d->line), add_index_word, &w);
    if (w.count)
        lvl_buffer_u8(&d->index, '\n');
    for (size_t i = 0; i < REPEATED; i++) {
        if (w.last[i].status != LVL_OK)
            status = w.last[i].status;
        lvl_buffer_free(&w.last[i]);
    }
    d->gathered += d->index.len - from;
    return status == LVL_OK ? d->index.status : status;
}

lvl_status cat_pg_index_remove(cat_sql *sql, int64_t first, int64_t end)
{
    char text[120];

    snprintf(text, sizeof text, "DELETE FROM texts_index WHERE text >= %lld AND text < %lld",
             (long long)first, (long long)end);
    return cat_pg_run(sql, text);
}

#endif
