/*
 * catalogue/find_words.c: files with words in their texts, and files by their facts. The database finds the
 * rows of texts; which values and lines in them have the words is found here.
 */
#include "catalogue/find.h"
#include "catalogue/tokenizer.h"

#include "base/text.h"

#include <string.h>

/* A word that fewer than FEW_TEXTS have is rare; with fewer than RARE_TEXTS, no rarer one is looked for. */
enum { FEW_TEXTS = 1000, RARE_TEXTS = 100 };
/* How much text is read instead of lists of the index, and how many hits this may give. */
enum { MOST_BYTES = 1 << 20, MOST_HITS = 2000 };

/* What finds the lines: `own` of the query. */
typedef struct finder {
    cat_words *words; /* made when it is first needed */
    lvl_buffer term_words, line_words;
    /* texts of the files that have a rare word */
    lvl_buffer wanted[CAT_MAX_TERMS]; /* the words of each term */
    lvl_buffer hits; /* as rows of SQL: (term, file, text) */
    size_t hit_count, bytes;
} finder;

/* Whether the word, or phrase, of a term is in a line as it was typed. */
static bool line_has(lvl_text line, const cat_term *t)
{
    for (size_t i = 0; i + t->text.len <= line.len; i++) {
        if (lvl_text_equal_nocase((lvl_text){line.ptr + i, t->text.len}, t->text))
            return true;
    }
    return false;
}

static bool put_word(void *user, lvl_text word)
{
    lvl_buffer *out = user;

    lvl_buffer_add(out, word.ptr, word.len);
    lvl_buffer_u8(out, ' ');
    return out->status == LVL_OK;
}

/* A text as its words, without accents and signs: " word word ". They have no NUL. */
static const char *spell_words(cat_query *q, lvl_buffer *out, lvl_text text, bool begins)
{
    finder *f = q->own;

    out->len = 0;
    lvl_buffer_u8(out, ' ');
    f->words = f->words ? f->words : cat_words_new();
    lvl_status status = f->words ? cat_words_of(f->words, text, put_word, out) : LVL_ERR_MEMORY;
    out->len -= begins && out->len > 1; /* the last one may go on */
    lvl_buffer_u8(out, 0);
    status = status == LVL_OK ? out->status : status;
    q->status = q->status == LVL_OK ? status : q->status;
    return status == LVL_OK ? (const char *)out->data : " ";
}

/* Whether a line has these words of a term, as the database compares them. */
static bool line_has_words(cat_query *q, lvl_text line, const char *wanted)
{
    finder *f = q->own;

    return wanted[1] && strstr(spell_words(q, &f->line_words, line, false), wanted);
}

/* The path of a value: the numbers of its place in the brackets of the field. */
static void put_path(lvl_buffer *out, lvl_text field, lvl_text place)
{
    size_t at = 0;

    for (size_t i = 0; i < field.len; i++) {
        lvl_buffer_u8(out, (uint8_t)field.ptr[i]);
        if (field.ptr[i] != '[')
            continue;
        while (at < place.len && lvl_is_digit(place.ptr[at]))
            lvl_buffer_u8(out, (uint8_t)place.ptr[at++]);
        at += at < place.len && place.ptr[at] == '.';
    }
}

static bool give_hit(cat_query *q, lvl_text path, lvl_text field, lvl_text place, lvl_text text,
                     uint32_t line)
{
    lvl_buffer where = {0};
    q->any = true;
    const size_t blank = place.len && memchr(place.ptr, ' ', place.len)
                             ? (size_t)((const char *)memchr(place.ptr, ' ', place.len) - place.ptr)
                             : place.len;

    put_path(&where, field, (lvl_text){place.ptr, blank});
    if (line)
        lvl_buffer_printf(&where, ":%u", line);
    const lvl_text count =
        blank < place.len ? (lvl_text){place.ptr + blank + 1, place.len - blank - 1} : lvl_text_of("1");
    const lvl_catalogue_value values[] = {
        {"path", path, false, false, false},
        {"place", lvl_buffer_text(&where), false, false, false},
        {"text", text, false, false, false},
        {"count", count, false, true, false},
    };
    if (where.status != LVL_OK)
        q->status = where.status;
    const bool more = q->status == LVL_OK && q->row(q->user, values, sizeof values / sizeof *values);
    lvl_buffer_free(&where);
    return more;
}

/* The line of `places` for a value, "4.71 12#3": numbers, how often, how many lines. */
static lvl_text take_place(lvl_text *places, uint32_t *lines)
{
    lvl_text place = lvl_text_take_line(places);

    *lines = 1;
    for (size_t i = 0; i < place.len; i++) {
        if (place.ptr[i] != '#')
            continue;
        *lines = 0;
        for (size_t k = i + 1; k < place.len && lvl_is_digit(place.ptr[k]) && *lines < UINT32_MAX / 10 - 1;
             k++)
            *lines = *lines * 10 + (uint32_t)(place.ptr[k] - '0');
        place.len = i;
    }
    return place;
}

/* Gives the lines of a row that have the word of a term; `as_words`: as the database compares. *any:
 * there was one. */
static bool give_lines(cat_query *q, const cat_statement *s, const cat_term *t, bool as_words, bool *any)
{
    finder *f = q->own;
    const lvl_text path = cat_text(s, 0), field = cat_text(s, 1);
    lvl_text text = cat_text(s, 2), places = cat_text(s, 3);
    const char *wanted = as_words ? spell_words(q, &f->term_words, t->text, !t->phrase) : NULL;
    bool more = true;

    while (text.len && more) {
        uint32_t lines;
        const lvl_text place = take_place(&places, &lines);
        for (uint32_t n = 1; n <= (lines ? lines : 1) && text.len && more; n++) {
            const lvl_text line = lvl_text_take_line(&text);
            if (!(wanted ? line_has_words(q, line, wanted) : line_has(line, t)))
                continue;
            *any = true;
            more = give_hit(q, path, field, place, line, lines > 1 ? n : 0);
        }
        more = more && q->status == LVL_OK;
    }
    return more;
}

/* A row of texts: path, field, text, places, number of the term. A phrase may go on in the next line: then
 * the first line is shown. */
static bool give_words(cat_query *q, const cat_statement *s)
{
    const lvl_text path = cat_text(s, 0), field = cat_text(s, 1);
    lvl_text text = cat_text(s, 2), places = cat_text(s, 3);
    const size_t number = (size_t)cat_int(s, 4);
    const cat_term *t = number < q->count ? &q->terms[number] : NULL;
    bool any = false, more = true;
    uint32_t lines;

    if (!text.ptr) /* facets alone */
        return give_hit(q, path, lvl_text_of(""), (lvl_text){"", 0}, lvl_text_of(""), 0);
    if (t)
        more = give_lines(q, s, t, false, &any);
    if (t && !any)
        more = give_lines(q, s, t, true, &any);
    if (any || !more)
        return more;
    const lvl_text place = take_place(&places, &lines);
    return give_hit(q, path, field, place, lvl_text_take_line(&text), 0);
}

/* ---- the query ---------------------------------------------------------------------------------------- */

/* Of several words, one that few texts have, so that the others are looked for in those files only; or
 * NULL. */
static lvl_status find_rare(cat_query *q, const cat_term **rare, lvl_buffer *why)
{
    int64_t fewest = FEW_TEXTS;
    lvl_status status = LVL_OK;

    *rare = NULL;
    for (size_t i = 0; i < q->count && q->texts > 1 && status == LVL_OK; i++) {
        if (q->terms[i].facet)
            continue;
        lvl_buffer_str(&q->sql, "SELECT count(*) FROM (SELECT m.text FROM (");
        cat_put_match(q, &q->terms[i]);
        lvl_buffer_printf(&q->sql, ") AS m LIMIT %d) AS n", FEW_TEXTS);
        status = cat_query_run(q, cat_take_count, why);
        if (status == LVL_OK && q->counted < fewest) {
            fewest = q->counted;
            *rare = &q->terms[i];
        }
        cat_query_clear(q);
        if (fewest < RARE_TEXTS)
            break;
    }
    return status;
}

/* "rare AS (...)": the files that have this word. */
static void put_rare(cat_query *q, const cat_term *rare)
{
    lvl_buffer_str(&q->sql, "rare AS (SELECT DISTINCT m.file AS file FROM (");
    cat_put_match(q, rare);
    lvl_buffer_str(&q->sql, ") AS m)");
}

/* A row of texts of a file that has a rare word: id, name, text. Notes which terms it has. False: there are
 * too many, or an error. */
static bool look_at_text(cat_query *q, const cat_statement *s)
{
    finder *f = q->own;
    const int64_t id = cat_int(s, 0);
    const lvl_text name = cat_text(s, 1), text = cat_text(s, 2);

    f->bytes += text.len;
    if (f->bytes > MOST_BYTES)
        return false;
    const char *words = spell_words(q, &f->line_words, text, false);
    for (size_t i = 0; i < q->count && q->status == LVL_OK; i++) {
        const cat_term *t = &q->terms[i];
        const char *wanted = (const char *)f->wanted[i].data;
        if (t->facet || (t->key.len && !lvl_text_equal(t->key, name)) || !wanted || !wanted[1] ||
            !strstr(words, wanted))
            continue;
        lvl_buffer_printf(&f->hits, "%s(%zu, %lld, %lld)", f->hit_count++ ? ", " : "", i,
                          (long long)(id / CAT_TEXTS_OF_FILE), (long long)id);
    }
    return q->status == LVL_OK && f->hit_count <= MOST_HITS;
}

/* Looks for all words in the texts of the files that have the rare one, since the index would list all texts
 * of the others, which may be a third of all. *found: f->hits has them; else there is too much to read. */
static lvl_status look_at_texts(cat_query *q, const cat_term *rare, bool *found, lvl_buffer *why)
{
    finder *f = q->own;

    for (size_t i = 0; i < q->count; i++) {
        if (!q->terms[i].facet)
            spell_words(q, &f->wanted[i], q->terms[i].text, !q->terms[i].phrase);
    }
    if (q->status != LVL_OK)
        return q->status;
    lvl_buffer_str(&q->sql, "WITH ");
    put_rare(q, rare);
    lvl_buffer_printf(&q->sql,
                      " SELECT t.id, t.name, t.text FROM rare r CROSS JOIN texts t WHERE t.id >= r.file * %d "
                      "AND t.id < r.file * %d + %d",
                      CAT_TEXTS_OF_FILE, CAT_TEXTS_OF_FILE, CAT_TEXTS_OF_FILE);
    lvl_status status = cat_query_run(q, look_at_text, why);
    *found = !q->ended;
    q->ended = false;
    cat_query_clear(q);
    status = status == LVL_OK ? q->status : status;
    return status == LVL_OK ? f->hits.status : status;
}

/* "hits (term, file, text) AS (...)": the texts that have the words, of all files or of those with a rare
 * one. */
static void put_hits(cat_query *q, const cat_term *rare)
{
    const char *gap = "";

    lvl_buffer_str(&q->sql, "hits (term, file, text) AS (");
    for (size_t i = 0; i < q->count; i++) {
        if (q->terms[i].facet)
            continue;
        lvl_buffer_printf(&q->sql, "%sSELECT %zu, m.file, m.text FROM (", gap, i);
        cat_put_match(q, &q->terms[i]);
        lvl_buffer_printf(&q->sql, ") AS m%s", rare ? " WHERE m.file IN (SELECT file FROM rare)" : "");
        gap = " UNION ALL ";
    }
    lvl_buffer_str(&q->sql, ")");
}

/* Files by their facts. */
static lvl_status find_facets(cat_query *q, lvl_buffer *why)
{
    char limit[32];

    lvl_buffer_str(&q->sql, "SELECT f.path, '', NULL, '', 0 FROM files f LEFT JOIN stored_levels l ON l.file "
                            "= f.id WHERE f.removed IS NULL");
    cat_put_facets(q);
    lvl_buffer_printf(&q->sql, " ORDER BY f.path%s", cat_limit(q, limit));
    return cat_query_run(q, give_words, why);
}

static lvl_status search(cat_query *q, lvl_buffer *why)
{
    lvl_buffer *sql = &q->sql;
    const finder *f = q->own;
    const cat_term *rare;
    bool found = false;
    char limit[32];

    if (!q->count) {
        if (why)
            lvl_buffer_str(why, "expected a word to search");
        return LVL_ERR_ARG;
    }
    if (!q->texts)
        return find_facets(q, why);
    lvl_status status = find_rare(q, &rare, why);
    if (status == LVL_OK && rare)
        status = look_at_texts(q, rare, &found, why);
    if (status != LVL_OK || (found && !f->hit_count))
        return status;
    lvl_buffer_str(sql, "WITH ");
    if (found) {
        lvl_buffer_printf(sql, "hits (term, file, text) AS (VALUES %.*s)", (int)f->hits.len,
                          (const char *)f->hits.data);
    } else {
        if (rare) {
            put_rare(q, rare);
            lvl_buffer_str(sql, ", ");
        }
        put_hits(q, rare);
    }
    /* those in which the words are a larger part of the texts go first; of paths, which are not stored among
     * the texts, a usual length counts */
    lvl_buffer_printf(
        sql,
        ", good AS (SELECT h.file AS file FROM hits h GROUP BY h.file HAVING count(DISTINCT h.term) = %zu), "
        "ranked AS (SELECT g.file AS file, sum(coalesce(length(t.text), 40)) AS score FROM good g JOIN files "
        "f "
        "ON f.id = g.file LEFT JOIN stored_levels l ON l.file = f.id JOIN hits h ON h.file = g.file JOIN "
        "stored_texts "
        "t ON t.id = h.text WHERE f.removed IS NULL",
        q->texts);
    cat_put_facets(q);
    lvl_buffer_printf(
        sql,
        " GROUP BY g.file ORDER BY score, g.file%s) SELECT f.path, t.field, t.text, t.places, h.term FROM "
        "ranked r JOIN files f ON f.id = r.file JOIN hits h ON h.file = r.file JOIN texts t ON t.id = h.text "
        "ORDER BY r.score, f.path, t.id, h.term",
        cat_limit(q, limit));
    return cat_query_run(q, give_words, why);
}

lvl_status cat_find_words(cat_query *q, lvl_buffer *why)
{
    finder f = {0};

    q->own = &f;
    const lvl_status status = search(q, why);
    q->own = NULL;
    cat_words_free(f.words);
    lvl_buffer_free(&f.term_words);
    lvl_buffer_free(&f.line_words);
    for (size_t i = 0; i < CAT_MAX_TERMS; i++)
        lvl_buffer_free(&f.wanted[i]);
    lvl_buffer_free(&f.hits);
    return status;
}
