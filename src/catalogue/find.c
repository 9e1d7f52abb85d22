/*
 * catalogue/find.c: searches. Each is one query, built here from the words and the mode; all values are
 * parameters.
 */
#include "catalogue/catalogue.h"
#include "catalogue/collect.h"
#include "catalogue/names.h"
#include "catalogue/words.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/hash.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TERMS = 16, LEAST_LIKENESS = 18, FEW_TEXTS = 1000 };

/* Columns that `word:` may name, and where they are. */
static const struct facet {
    const char *name, *column;
    bool begins; /* any value that begins so: a path */
} facets[] = {
    {"format", "f.format", false},   {"family", "f.family", false}, {"version", "f.version", false},
    {"verdict", "f.verdict", false}, {"game", "l.game", false},     {"year", "substr(f.date, 1, 4)", false},
    {"path", "f.path", true},        {"name", "f.name", false},     {"sha256", "f.sha256", true},
    {"content", "f.content", false}, {"note", NULL, false}, /* a part of what people have noted */
};

const char *lvl_catalogue_facets(void)
{
    return "format family version verdict game year path name sha256 content note";
}

/* A word of the search. */
typedef struct term {
    lvl_text key; /* before the ':'; empty: none */
    lvl_text text;
    bool phrase;
    const struct facet *facet; /* a column; NULL: texts */
} term;

/* A level that is like the one that is searched for. */
typedef struct alike {
    unsigned percent;
    int64_t file;
} alike;

typedef struct query {
    lvl_catalogue *c;
    const lvl_find_options *options;
    term terms[MAX_TERMS];
    size_t count, texts; /* terms that search texts */
    lvl_buffer sql;
    lvl_buffer values[MAX_TERMS * 2 + 8]; /* of the parameters, in order */
    size_t value_count;
    lvl_catalogue_row_fn row;
    void *user;
    bool ended; /* `row` wants no more */
    cat_words *words; /* made when it is first needed */
    lvl_buffer term_words, line_words;
    int64_t counted;
    /* of LVL_FIND_LIKE */
    uint8_t wanted[CAT_SIGNATURE];
    float weights[CAT_SLOTS];
    int64_t self, format; /* 0: none */
    cat_rarity rarity;
    alike *alike;
    size_t alike_count, alike_cap;
    lvl_status status; /* of what the functions for rows did */
    bool any; /* `row` got one */
    /* of the hint: the value of a field that is the nearest to that of a term */
    const term *wrong;
    lvl_buffer nearest;
    unsigned distance;
} query;

/* A new parameter with this value; returns its number. */
static int parameter(query *q, lvl_text value)
{
    lvl_buffer *to = &q->values[q->value_count++];

    lvl_buffer_add(to, value.ptr, value.len);
    lvl_buffer_u8(to, 0);
    return (int)q->value_count;
}

/* The same in lower case, of ASCII alone: a database would go by its own language. */
static int lower_parameter(query *q, lvl_text value)
{
    lvl_buffer *to = &q->values[q->value_count];
    const int at = parameter(q, value);

    for (size_t i = 0; i < to->len; i++)
        to->data[i] = (uint8_t)lvl_lower((char)to->data[i]);
    return at;
}

static lvl_status parse_word(query *q, const char *word, lvl_buffer *why)
{
    term *t = &q->terms[q->count];
    const char *colon = word[0] == '"' ? NULL : strchr(word, ':');
    const char *text = colon ? colon + 1 : word;
    size_t len = strlen(text);

    memset(t, 0, sizeof *t);
    if (colon)
        t->key = (lvl_text){word, (size_t)(colon - word)};
    if (len >= 2 && text[0] == '"' && text[len - 1] == '"') {
        t->phrase = true;
        text++;
        len -= 2;
    }
    t->text = (lvl_text){text, len};
    if (!len || (colon && colon == word)) {
        if (why)
            lvl_buffer_printf(why, "%s: expected a word, \"a phrase\", or NAME:WORD", word);
        return LVL_ERR_ARG;
    }
    for (size_t i = 0; i < sizeof facets / sizeof *facets; i++) {
        if (t->key.len && lvl_text_is(t->key, facets[i].name))
            t->facet = &facets[i];
    }
    q->texts += !t->facet;
    q->count++;
    return LVL_OK;
}

/* Appends a parameter for LIKE: any text that has this one in it, in any case of ASCII. */
static int part_parameter(query *q, lvl_text value)
{
    lvl_buffer pattern = {0};

    lvl_buffer_u8(&pattern, '%');
    for (size_t i = 0; i < value.len; i++) {
        if (strchr("%_\\", value.ptr[i]))
            lvl_buffer_u8(&pattern, '\\');
        lvl_buffer_u8(&pattern, (uint8_t)value.ptr[i]);
    }
    lvl_buffer_u8(&pattern, '%');
    if (pattern.status != LVL_OK)
        q->sql.status = pattern.status;
    const int at = lower_parameter(q, lvl_buffer_text(&pattern));
    lvl_buffer_free(&pattern);
    return at;
}

/* Appends the conditions of facets, each after " AND ". */
static void put_facets(query *q)
{
    lvl_buffer *sql = &q->sql;

    for (size_t i = 0; i < q->count; i++) {
        const term *t = &q->terms[i];
        if (!t->facet)
            continue;
        const char *column = t->facet->column;
        if (!column) {
            lvl_buffer_printf(sql,
                              " AND EXISTS (SELECT 1 FROM notes n WHERE n.sha256 = f.sha256 AND "
                              "lower(n.value) LIKE $%d ESCAPE '\\')",
                              part_parameter(q, t->text));
        } else if (t->facet->begins) {
            const int at = parameter(q, t->text);
            lvl_buffer_printf(sql, " AND substr(%s, 1, length($%d)) = $%d", column, at, at);
        } else {
            lvl_buffer_printf(sql, " AND lower(%s) = $%d", column, lower_parameter(q, t->text));
        }
    }
}

static const char *limited(const query *q, char buf[32])
{
    buf[0] = 0;
    if (q->options->most)
        snprintf(buf, 32, " LIMIT %llu", (unsigned long long)q->options->most);
    return buf;
}

/* ---- running ------------------------------------------------------------------------------------------ */

/* Fills in a value for the caller; `number` has room for a number as text. */
static void show_value(const cat_value *v, const char *name, char number[32], lvl_catalogue_value *out)
{
    memset(out, 0, sizeof *out);
    out->name = name;
    out->text = v->text;
    switch (v->kind) {
    case CAT_NULL: out->null = true; break;
    case CAT_INT:
        snprintf(number, 32, "%lld", (long long)v->number);
        out->text = lvl_text_of(number);
        out->number = true;
        break;
    case CAT_REAL:
        snprintf(number, 32, "%.15g", v->real);
        out->text = lvl_text_of(number);
        out->number = true;
        break;
    case CAT_BYTES: out->bytes = true; break;
    case CAT_TEXT: break;
    }
}

static bool give_row(query *q, const cat_statement *s)
{
    lvl_catalogue_value values[CAT_MOST_COLUMNS];
    char numbers[CAT_MOST_COLUMNS][32];
    const size_t count = cat_columns(s);

    q->any = true;
    for (size_t i = 0; i < count; i++) {
        cat_value v;
        cat_get(s, i, &v);
        show_value(&v, cat_column_name(s, i), numbers[i], &values[i]);
    }
    return q->row(q->user, values, count);
}

typedef bool (*give_fn)(query *q, const cat_statement *s);

static lvl_status run(query *q, give_fn give, lvl_buffer *why)
{
    cat_statement *s;
    bool row;

    lvl_buffer_u8(&q->sql, 0);
    for (size_t i = 0; i < q->value_count; i++) {
        if (q->values[i].status != LVL_OK)
            return q->values[i].status;
    }
    if (q->sql.status != LVL_OK)
        return q->sql.status;
    lvl_status status = cat_sql_prepare(q->c->sql, (const char *)q->sql.data, &s);
    for (size_t i = 0; i < q->value_count && status == LVL_OK; i++)
        cat_bind_text(s, (int)i + 1, (lvl_text){(const char *)q->values[i].data, q->values[i].len - 1});
    while (status == LVL_OK && !q->ended && (status = cat_step(s, &row)) == LVL_OK && row) {
        if (cat_columns(s) > CAT_MOST_COLUMNS) {
            if (why)
                lvl_buffer_printf(
                    why, "the query has %zu columns, expected at most %d: name those that are needed",
                    cat_columns(s), CAT_MOST_COLUMNS);
            cat_statement_free(s);
            return LVL_ERR_ARG;
        }
        q->ended = !give(q, s);
    }
    if (status != LVL_OK)
        cat_why(q->c, why);
    cat_statement_free(s);
    return status;
}

/* ---- words -------------------------------------------------------------------------------------------- */

/* Whether the word, or phrase, of a term stands in a line as it was typed. */
static bool line_has(lvl_text line, const term *t)
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
static const char *spell_words(query *q, lvl_buffer *out, lvl_text text, bool begins)
{
    out->len = 0;
    lvl_buffer_u8(out, ' ');
    q->words = q->words ? q->words : cat_words_new();
    lvl_status status = q->words ? cat_words_of(q->words, text, put_word, out) : LVL_ERR_MEMORY;
    out->len -= begins && out->len > 1; /* the last one may go on */
    lvl_buffer_u8(out, 0);
    status = status == LVL_OK ? out->status : status;
    q->status = q->status == LVL_OK ? status : q->status;
    return status == LVL_OK ? (const char *)out->data : " ";
}

/* Whether a line has these words of a term, as the database compares them. */
static bool line_has_words(query *q, lvl_text line, const char *wanted)
{
    return wanted[1] && strstr(spell_words(q, &q->line_words, line, false), wanted);
}

static lvl_text take_line(lvl_text *text)
{
    const char *nl = text->len ? memchr(text->ptr, '\n', text->len) : NULL;
    const lvl_text line = {text->ptr, nl ? (size_t)(nl - text->ptr) : text->len};

    text->ptr += line.len + (nl != NULL);
    text->len -= line.len + (nl != NULL);
    return line;
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

static bool give_hit(query *q, lvl_text path, lvl_text field, lvl_text place, lvl_text text, uint32_t line)
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

/* The line of `places` for a value: "4.71 12#3": numbers, how often, lines. */
static lvl_text take_place(lvl_text *places, uint32_t *lines)
{
    lvl_text place = take_line(places);

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

/* Gives the lines of a row in which the word of a term stands; `as_words`: as the database compares. *any:
 * there was one. */
static bool give_lines(query *q, const cat_statement *s, const term *t, bool as_words, bool *any)
{
    const lvl_text path = cat_text(s, 0), field = cat_text(s, 1);
    lvl_text text = cat_text(s, 2), places = cat_text(s, 3);
    const char *wanted = as_words ? spell_words(q, &q->term_words, t->text, !t->phrase) : NULL;
    bool more = true;

    while (text.len && more) {
        uint32_t lines;
        const lvl_text place = take_place(&places, &lines);
        for (uint32_t n = 1; n <= (lines ? lines : 1) && text.len && more; n++) {
            const lvl_text line = take_line(&text);
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
static bool give_words(query *q, const cat_statement *s)
{
    const lvl_text path = cat_text(s, 0), field = cat_text(s, 1);
    lvl_text text = cat_text(s, 2), places = cat_text(s, 3);
    const size_t number = (size_t)cat_int(s, 4);
    const term *t = number < q->count ? &q->terms[number] : NULL;
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
    return give_hit(q, path, field, place, take_line(&text), 0);
}

/* Appends a text in which %d is replaced by a number. */
static void put_number(lvl_buffer *out, const char *text, int number)
{
    const char *at = strstr(text, "%d");

    lvl_buffer_printf(out, "%.*s%d%s", (int)(at - text), text, number, at + 2);
}

/* Appends a query for the texts of a term: file, text. */
static void put_match(query *q, const term *t)
{
    lvl_buffer pattern = {0}, condition = {0};

    cat_sql_pattern(q->c->sql, &pattern, t->text, t->phrase);
    const int at = parameter(q, lvl_buffer_text(&pattern));
    if (t->key.len)
        put_number(&condition, cat_fields_of_name, parameter(q, t->key));
    lvl_buffer_u8(&condition, 0);
    cat_sql_match(q->c->sql, &q->sql, at,
                  t->key.len && condition.status == LVL_OK ? (const char *)condition.data : NULL);
    if (pattern.status != LVL_OK || condition.status != LVL_OK)
        q->sql.status = LVL_ERR_MEMORY;
    lvl_buffer_free(&pattern);
    lvl_buffer_free(&condition);
}

static bool take_count(query *q, const cat_statement *s)
{
    q->counted = cat_int(s, 0);
    return true;
}

static void clear_query(query *q)
{
    for (size_t i = 0; i < q->value_count; i++)
        lvl_buffer_free(&q->values[i]);
    q->value_count = 0;
    q->sql.len = 0;
}

/* Of several words, one that few texts have, so that of the others only those in the same files have to be
 * looked at; or NULL. */
static lvl_status find_rare(query *q, const term **rare, lvl_buffer *why)
{
    int64_t fewest = FEW_TEXTS;
    lvl_status status = LVL_OK;

    *rare = NULL;
    for (size_t i = 0; i < q->count && q->texts > 1 && status == LVL_OK; i++) {
        if (q->terms[i].facet)
            continue;
        lvl_buffer_str(&q->sql, "SELECT count(*) FROM (SELECT m.text FROM (");
        put_match(q, &q->terms[i]);
        lvl_buffer_printf(&q->sql, ") AS m LIMIT %d) AS n", FEW_TEXTS);
        status = run(q, take_count, why);
        if (status == LVL_OK && q->counted < fewest) {
            fewest = q->counted;
            *rare = &q->terms[i];
        }
        clear_query(q);
    }
    return status;
}

/* Files by their facts; if notes are among these, with what was noted. */
static lvl_status find_facets(query *q, lvl_buffer *why)
{
    bool noted = false;
    char limit[32];

    for (size_t i = 0; i < q->count; i++)
        noted = noted || !q->terms[i].facet->column;
    lvl_buffer_str(
        &q->sql, noted
                     ? "SELECT p.path, 'notes.' || n.key, replace(n.value || CASE WHEN n.source IS NULL THEN "
                       "'' ELSE ' (source: ' || n.source || ')' END, '\n', ' '), '', 0 FROM ("
                     : "SELECT p.path, '', NULL, '', 0 FROM (");
    lvl_buffer_str(
        &q->sql,
        "SELECT f.path AS path, f.sha256 AS sha256 FROM files f LEFT JOIN stored_levels l ON l.file = f.id "
        "WHERE f.removed IS NULL");
    put_facets(q);
    lvl_buffer_printf(&q->sql, " ORDER BY f.path%s) AS p%s", limited(q, limit),
                      noted ? " JOIN notes n ON n.sha256 = p.sha256 ORDER BY p.path, 2, 3"
                            : " ORDER BY p.path");
    return run(q, give_words, why);
}

static lvl_status find_words(query *q, lvl_buffer *why)
{
    lvl_buffer *sql = &q->sql;
    const term *rare;
    const char *gap = "";
    char limit[32];

    if (!q->count) {
        if (why)
            lvl_buffer_str(why, "expected a word to search");
        return LVL_ERR_ARG;
    }
    if (!q->texts)
        return find_facets(q, why);
    const lvl_status status = find_rare(q, &rare, why);
    if (status != LVL_OK)
        return status;
    lvl_buffer_str(sql, "WITH ");
    if (rare) {
        lvl_buffer_str(sql, "rare AS (SELECT DISTINCT m.file AS file FROM (");
        put_match(q, rare);
        lvl_buffer_str(sql, ") AS m), ");
    }
    lvl_buffer_str(sql, "hits AS (");
    for (size_t i = 0; i < q->count; i++) {
        if (q->terms[i].facet)
            continue;
        lvl_buffer_printf(sql, "%sSELECT %zu AS term, m.file AS file, m.text AS text FROM (", gap, i);
        put_match(q, &q->terms[i]);
        lvl_buffer_printf(sql, ") AS m%s", rare ? " WHERE m.file IN (SELECT file FROM rare)" : "");
        gap = " UNION ALL ";
    }
    /* those in which the words are a larger part of the texts go first; of paths, which are not stored among
     * the texts, a usual length counts */
    lvl_buffer_printf(
        sql,
        "), good AS (SELECT h.file AS file FROM hits h GROUP BY h.file HAVING count(DISTINCT h.term) = %zu), "
        "ranked AS (SELECT g.file AS file, sum(coalesce(length(t.text), 40)) AS score FROM good g JOIN files "
        "f "
        "ON f.id = g.file LEFT JOIN stored_levels l ON l.file = f.id JOIN hits h ON h.file = g.file JOIN "
        "stored_texts "
        "t ON t.id = h.text WHERE f.removed IS NULL",
        q->texts);
    put_facets(q);
    lvl_buffer_printf(
        sql,
        " GROUP BY g.file ORDER BY score, g.file%s) SELECT f.path, t.field, t.text, t.places, h.term FROM "
        "ranked r JOIN files f ON f.id = r.file JOIN hits h ON h.file = r.file JOIN texts t ON t.id = h.text "
        "ORDER BY r.score, f.path, t.id, h.term",
        limited(q, limit));
    return run(q, give_words, why);
}

/* ---- the others --------------------------------------------------------------------------------------- */

/* "SELECT … FROM files f LEFT JOIN stored_levels l … WHERE f.removed IS NULL AND facets" + `end`. */
static lvl_status find_rows(query *q, const char *start_, const char *end, lvl_buffer *why)
{
    char limit[32];

    for (size_t i = 0; i < q->count; i++) {
        if (q->terms[i].facet)
            continue;
        if (why)
            lvl_buffer_printf(why, "%s: with this search, expected NAME:WORD with one of: %s",
                              q->options->words[i], lvl_catalogue_facets());
        return LVL_ERR_ARG;
    }
    lvl_buffer_str(&q->sql, start_);
    put_facets(q);
    lvl_buffer_printf(&q->sql, " %s%s", end, limited(q, limit));
    return run(q, give_row, why);
}

#define USES                                                                                               \
    "SELECT f.path, r.place, r.kind, r.target, r.count FROM stored_refs s JOIN refs r ON r.file = s.file " \
    "AND "                                                                                                 \
    "r.number = s.number JOIN files f ON f.id = s.file LEFT JOIN stored_levels l ON l.file = f.id WHERE "  \
    "f.removed "                                                                                           \
    "IS NULL AND s.stem_key = CAST(CAST($1 AS text) AS bigint)"
/* Removed ones, too: the oldest version is often in a backup that was deleted. */
#define VERSIONS                                                                                             \
    "SELECT f.path, f.date, f.date_source, f.format, f.version, f.size, f.content FROM stored_files s JOIN " \
    "files f ON f.id = s.id LEFT JOIN stored_levels l ON l.file = f.id WHERE f.format IS NOT NULL AND "      \
    "s.stem_key "                                                                                            \
    "= "                                                                                                     \
    "CAST(CAST($1 AS text) AS bigint)"

/* A new parameter with a number. */
static int parameter_number(query *q, int64_t number)
{
    char text[32];

    snprintf(text, sizeof text, "%lld", (long long)number);
    return parameter(q, lvl_text_of(text));
}

static lvl_status find_named(query *q, lvl_buffer *why)
{
    const lvl_text text = lvl_text_of(q->options->text);

    if (!text.len) {
        if (why)
            lvl_buffer_str(why, "expected a name");
        return LVL_ERR_ARG;
    }
    if (q->options->mode == LVL_FIND_FINDING) {
        parameter(q, text);
        return find_rows(
            q,
            "SELECT f.path, d.place, d.severity, d.id, d.text, d.count FROM stored_findings s JOIN findings "
            "d "
            "ON d.file = s.file AND d.number = s.number JOIN files f ON f.id = s.file LEFT JOIN "
            "stored_levels l ON "
            "l.file = f.id WHERE f.removed IS NULL AND s.id IN (SELECT n.id FROM names n WHERE n.name = $1 "
            "OR "
            "substr(n.name, 1, length($1) + 1) = $1 || '.')",
            "ORDER BY f.path, d.id", why);
    }
    lvl_buffer folded = {0};
    const char *last = q->options->text;
    for (const char *p = last; *p; p++) {
        if (*p == '/' || *p == '\\')
            last = p + 1;
    }
    for (const char *p = last; *p; p++)
        lvl_buffer_u8(&folded, (uint8_t)lvl_lower(*p));
    const bool ending = folded.len && memchr(folded.data, '.', folded.len);
    parameter_number(q, cat_key_of(cat_stem(lvl_buffer_text(&folded))));
    if (ending) {
        const lvl_text name = lvl_buffer_text(&folded);
        const size_t dot = cat_stem(name).len, from = dot < name.len ? dot + 1 : name.len;
        const lvl_use use = cat_use_of_ending(q->c->ctx, NULL, (lvl_text){name.ptr + from, name.len - from});
        parameter(q, name);
        if (q->options->mode == LVL_FIND_USES)
            parameter(q, lvl_text_of(use ? cat_use_name(use) : ""));
    }
    if (folded.status != LVL_OK)
        q->sql.status = folded.status;
    lvl_buffer_free(&folded);
    if (q->options->mode == LVL_FIND_USES)
        return find_rows(
            q,
            ending ? USES
                " AND (substr('/' || lower(r.target), length(r.target) - length($2) + 1) = '/' || $2 "
                /* named without its ending, by a file of the same format, or as what has such an ending */
                "OR (r.target NOT LIKE '%.%' AND (CAST($2 AS text) LIKE '%.' || f.format OR r.kind = $3)))"
                   : USES,
            "ORDER BY f.path, r.place", why);
    return find_rows(q, ending ? VERSIONS " AND f.folded = $2" : VERSIONS, "ORDER BY f.date, f.time, f.path",
                     why);
}

/* ---- likeness ----------------------------------------------------------------------------------------- */

static int most_alike_first(const void *a, const void *b)
{
    const alike *x = a, *y = b;

    if (x->percent != y->percent)
        return x->percent > y->percent ? -1 : 1;
    return x->file < y->file ? -1 : x->file > y->file;
}

/* The signature of the level that is searched for; LVL_ERR_MISSING: it has none. */
static lvl_status wanted_signature(query *q, uint8_t out[CAT_SIGNATURE], int64_t *self, lvl_buffer *why)
{
    cat_statement *s;
    bool row = false, found = false;
    lvl_status status;

    *self = 0;
    if (q->options->like) {
        lvl_buffer rows = {0};
        cat_grids grids = {0};
        cat_facts facts;
        status = cat_collect(q->options->like, NULL, &grids, &rows, &facts);
        found = facts.has_signature;
        memcpy(out, facts.signature, CAT_SIGNATURE);
        cat_facts_clear(&facts);
        cat_grids_free(&grids);
        lvl_buffer_free(&rows);
    } else {
        status = cat_sql_prepare(
            q->c->sql,
            "SELECT k.signature, f.id FROM stored_files f LEFT JOIN likeness k ON k.file = f.id WHERE "
            "f.path_key = $1 AND f.path = $2",
            &s);
        if (status == LVL_OK) {
            const lvl_text path = lvl_text_of(q->options->text ? q->options->text : "");
            cat_bind_int(s, 1, cat_key_of(path));
            cat_bind_text(s, 2, path);
            status = cat_step(s, &row);
        }
        if (status == LVL_OK && row) {
            cat_value v;
            cat_get(s, 0, &v);
            found = v.text.len == CAT_SIGNATURE;
            if (found)
                memcpy(out, v.text.ptr, CAT_SIGNATURE);
            *self = cat_int(s, 1);
        }
        cat_statement_free(s);
    }
    if (status == LVL_OK && !found && !row && !q->options->like) {
        if (why)
            lvl_buffer_printf(why, "%s: expected a file, or the path of one as the catalogue has it",
                              q->options->text ? q->options->text : "");
        return LVL_ERR_MISSING;
    }
    if (status == LVL_OK && !found) {
        if (why)
            lvl_buffer_str(why, "nothing to compare: no tiles, things or texts");
        return LVL_ERR_MISSING;
    }
    return status;
}

static lvl_status give_alike(query *q, const alike *a, bool *more)
{
    cat_statement *s;
    bool row;

    lvl_status status =
        cat_sql_prepare(q->c->sql, "SELECT path, format, version, date FROM files WHERE id = $1", &s);
    if (status != LVL_OK)
        return status;
    cat_bind_int(s, 1, a->file);
    status = cat_step(s, &row);
    if (status == LVL_OK && row) {
        lvl_catalogue_value values[5];
        char percent[32], numbers[4][32];
        for (size_t i = 0; i < 4; i++) {
            cat_value v;
            cat_get(s, i, &v);
            show_value(&v, cat_column_name(s, i), numbers[i], &values[i + (i > 0)]);
        }
        snprintf(percent, sizeof percent, "%u", a->percent);
        values[1] = (lvl_catalogue_value){"likeness", lvl_text_of(percent), false, true, false};
        q->any = true;
        *more = q->row(q->user, values, 5);
    }
    cat_statement_free(s);
    return status;
}

/* Rows of file, signature, format. */
static bool take_rarity(query *q, const cat_statement *s)
{
    cat_value v;

    cat_get(s, 1, &v);
    if (v.text.len == CAT_SIGNATURE &&
        !cat_rarity_add(&q->rarity, cat_int(s, 2), (const uint8_t *)v.text.ptr))
        q->status = LVL_ERR_MEMORY;
    return q->status == LVL_OK;
}

static bool take_alike(query *q, const cat_statement *s)
{
    float weights[CAT_SLOTS];
    cat_value v;

    cat_get(s, 1, &v);
    if (v.text.len != CAT_SIGNATURE || cat_int(s, 0) == q->self)
        return true;
    cat_rarity_weights(&q->rarity, cat_int(s, 2), (const uint8_t *)v.text.ptr, weights);
    const alike a = {cat_likeness(q->wanted, q->weights, (const uint8_t *)v.text.ptr, weights),
                     cat_int(s, 0)};
    if (a.percent < LEAST_LIKENESS)
        return true;
    if (!lvl_grow(&q->alike, &q->alike_cap, q->alike_count + 1, sizeof *q->alike))
        q->status = LVL_ERR_MEMORY;
    else
        q->alike[q->alike_count++] = a;
    return q->status == LVL_OK;
}

static bool take_format(query *q, const cat_statement *s)
{
    q->format = cat_int(s, 0);
    return true;
}

/* Twice over all signatures: how rare their numbers are, and then how much they have in common. */
static lvl_status find_alike(query *q, lvl_buffer *why)
{
    lvl_status status;

    lvl_buffer_str(&q->sql,
                   "SELECT k.file, k.signature, s.format FROM likeness k JOIN stored_files s ON s.id = "
                   "k.file WHERE s.removed IS NULL");
    status = run(q, take_rarity, why);
    clear_query(q);
    q->ended = false;
    if (status == LVL_OK && q->status == LVL_OK) {
        if (q->options->like) {
            parameter(q, lvl_text_of(lvl_doc_format(q->options->like)->id));
            lvl_buffer_str(&q->sql, "SELECT id FROM names WHERE name = $1");
        } else {
            parameter_number(q, q->self);
            lvl_buffer_str(&q->sql,
                           "SELECT format FROM stored_files WHERE id = CAST(CAST($1 AS text) AS bigint)");
        }
        status = run(q, take_format, why);
        clear_query(q);
    }
    if (status != LVL_OK || q->status != LVL_OK)
        return status != LVL_OK ? status : q->status;
    cat_rarity_weights(&q->rarity, q->format, q->wanted, q->weights);
    lvl_buffer_str(&q->sql,
                   "SELECT k.file, k.signature, s.format FROM likeness k JOIN stored_files s ON s.id = "
                   "k.file JOIN files f ON f.id = k.file LEFT JOIN stored_levels l ON l.file = f.id WHERE "
                   "s.removed IS NULL");
    put_facets(q);
    status = run(q, take_alike, why);
    q->ended = false;
    return status != LVL_OK ? status : q->status;
}

static lvl_status find_like(query *q, lvl_buffer *why)
{
    bool more = true;

    lvl_status status = wanted_signature(q, q->wanted, &q->self, why);
    if (status != LVL_OK)
        return status;
    status = find_alike(q, why);
    if (status == LVL_OK && q->alike_count)
        qsort(q->alike, q->alike_count, sizeof *q->alike, most_alike_first);
    for (size_t i = 0; i < q->alike_count && status == LVL_OK && more; i++) {
        if (q->options->most && i >= q->options->most)
            break;
        status = give_alike(q, &q->alike[i], &more);
        if (status != LVL_OK)
            cat_why(q->c, why);
    }
    return status;
}

/* ---- a value that occurs nowhere ---------------------------------------------------------------------- */

static void compare_value(query *q, lvl_text value)
{
    enum { LONGEST = 64 };

    if (!value.len || value.len > LONGEST)
        return;
    const unsigned distance = lvl_text_distance(q->wrong->text, value, q->distance);
    if (distance >= q->distance)
        return;
    q->distance = distance;
    q->nearest.len = 0;
    lvl_buffer_add(&q->nearest, value.ptr, value.len);
}

static bool is_in_word(char c)
{
    return lvl_is_digit(c) || (lvl_lower(c) >= 'a' && lvl_lower(c) <= 'z') || (unsigned char)c >= 0x80;
}

/* Rows of a text: its lines, and the words in these, are values. */
static bool take_values(query *q, const cat_statement *s)
{
    lvl_text text = cat_text(s, 0);

    while (text.len) {
        const lvl_text line = take_line(&text);
        compare_value(q, line);
        for (size_t i = 0, end; i < line.len; i = end + 1) {
            for (end = i; end < line.len && is_in_word(line.ptr[end]); end++)
                continue;
            if (end - i < line.len)
                compare_value(q, (lvl_text){line.ptr + i, end - i});
        }
    }
    return q->nearest.status == LVL_OK;
}

/* Whether the value of a term occurs in any file, and if not, the nearest one. */
static lvl_status look_at_term(query *q, const term *t, bool *occurs, lvl_buffer *why)
{
    enum { MOST_TEXTS = 20000 };
    const unsigned third = (unsigned)(t->text.len / 3 > 3 ? 3 : t->text.len / 3);
    lvl_status status;

    q->counted = 0;
    if (t->facet) {
        lvl_buffer_printf(
            &q->sql,
            "SELECT count(*) FROM (SELECT f.id FROM files f LEFT JOIN stored_levels l ON l.file "
            "= f.id WHERE f.removed IS NULL AND lower(%s) = $%d LIMIT 1) AS n",
            t->facet->column, lower_parameter(q, t->text));
    } else {
        lvl_buffer_str(&q->sql, "SELECT count(*) FROM (SELECT m.text FROM (");
        put_match(q, t);
        lvl_buffer_str(&q->sql, ") AS m LIMIT 1) AS n");
    }
    status = run(q, take_count, why);
    clear_query(q);
    *occurs = q->counted > 0;
    if (status != LVL_OK || *occurs)
        return status;
    q->wrong = t;
    q->distance = (third ? third : 1) + 1;
    q->nearest.len = 0;
    if (t->facet) {
        lvl_buffer_printf(&q->sql,
                          "SELECT DISTINCT %s FROM files f LEFT JOIN stored_levels l ON l.file = f.id WHERE "
                          "f.removed IS NULL "
                          "AND %s IS NOT NULL ORDER BY 1 LIMIT %d",
                          t->facet->column, t->facet->column, MOST_TEXTS);
    } else {
        lvl_buffer_str(&q->sql, "SELECT t.text FROM stored_texts t WHERE ");
        put_number(&q->sql, cat_fields_of_name, parameter(q, t->key));
        lvl_buffer_printf(&q->sql, " AND t.text IS NOT NULL ORDER BY t.id LIMIT %d", MOST_TEXTS);
    }
    status = run(q, take_values, why);
    clear_query(q);
    return status == LVL_OK ? q->nearest.status : status;
}

/* After a search for words without a hit: says which value occurs nowhere. */
static lvl_status explain_nothing(query *q, lvl_buffer *why)
{
    lvl_status status = LVL_OK;
    bool occurs = true;

    for (size_t i = 0; i < q->count && occurs && status == LVL_OK; i++) {
        const term *t = &q->terms[i];
        if (!t->key.len || (t->facet && (t->facet->begins || !t->facet->column)))
            continue;
        q->ended = false;
        clear_query(q);
        status = look_at_term(q, t, &occurs, why);
        if (status != LVL_OK || occurs)
            continue;
        lvl_buffer_str(why, "no file has ");
        lvl_text_escape(why, LVL_CP_UTF8, t->key, false);
        lvl_buffer_u8(why, ' ');
        lvl_text_escape(why, LVL_CP_UTF8, t->text, false);
        if (q->nearest.len) {
            lvl_buffer_str(why, "; the nearest is ");
            lvl_text_escape(why, LVL_CP_UTF8, lvl_buffer_text(&q->nearest), false);
        }
    }
    return status;
}

lvl_status lvl_catalogue_find(lvl_catalogue *c, const lvl_find_options *options, lvl_catalogue_row_fn row,
                              void *user, lvl_buffer *why)
{
    query q = {.c = c, .options = options, .row = row, .user = user};
    lvl_status status = LVL_OK;

    if (options->word_count > MAX_TERMS) {
        if (why)
            lvl_buffer_printf(why, "expected at most %d words, found %zu", MAX_TERMS, options->word_count);
        return LVL_ERR_ARG;
    }
    for (size_t i = 0; i < options->word_count && status == LVL_OK; i++)
        status = parse_word(&q, options->words[i], why);
    if (status == LVL_OK) {
        switch (options->mode) {
        case LVL_FIND_WORDS: status = find_words(&q, why); break;
        case LVL_FIND_LIKE: status = find_like(&q, why); break;
        case LVL_FIND_DUPLICATES:
            status = find_rows(
                &q,
                "SELECT f.path, f.content, f.format, f.version, f.date, f.size FROM files f LEFT JOIN "
                "stored_levels l ON l.file = f.id WHERE f.id IN (SELECT s.id FROM stored_files s WHERE "
                "s.removed IS "
                "NULL AND s.content IN (SELECT t.content FROM stored_files t WHERE t.removed IS NULL AND "
                "t.content IS NOT NULL GROUP BY t.content HAVING count(*) > 1))",
                "ORDER BY f.content, f.date, f.path", why);
            break;
        case LVL_FIND_MISSING:
            status = find_rows(
                &q,
                "SELECT f.path, m.place, m.kind, m.target, m.count FROM missing m JOIN files f ON f.id = "
                "m.file LEFT JOIN stored_levels l ON l.file = f.id WHERE f.removed IS NULL",
                "ORDER BY f.path, m.kind, m.target", why);
            break;
        case LVL_FIND_FINDING:
        case LVL_FIND_USES:
        case LVL_FIND_HISTORY: status = find_named(&q, why); break;
        case LVL_FIND_SQL:
            status = c->mode == LVL_CATALOGUE_READ ? LVL_OK : cat_sql_read_only(c->sql);
            lvl_buffer_str(&q.sql, options->text ? options->text : "");
            if (status == LVL_OK)
                status = run(&q, give_row, why);
            break;
        }
    }
    status = status == LVL_OK ? q.status : status;
    if (status == LVL_OK && !q.any && why)
        status = explain_nothing(&q, why);
    cat_rarity_free(&q.rarity);
    free(q.alike);
    lvl_buffer_free(&q.nearest);
    cat_words_free(q.words);
    lvl_buffer_free(&q.term_words);
    lvl_buffer_free(&q.line_words);
    for (size_t i = 0; i < q.value_count; i++)
        lvl_buffer_free(&q.values[i]);
    lvl_buffer_free(&q.sql);
    return status;
}

/* ---- a file -------------------------------------------------------------------------------------------- */

lvl_status lvl_catalogue_sha256(lvl_catalogue *c, const char *path, char out[65])
{
    cat_statement *s;
    bool row = false;

    memset(out, 0, 65);
    lvl_status status = cat_sql_prepare(c->sql,
                                        "SELECT f.sha256 FROM stored_files s JOIN files f ON f.id = s.id "
                                        "WHERE s.path_key = $1 AND s.path = $2",
                                        &s);
    if (status == LVL_OK) {
        cat_bind_int(s, 1, cat_key_of(lvl_text_of(path)));
        cat_bind_text(s, 2, lvl_text_of(path));
        status = cat_step(s, &row);
    }
    if (status == LVL_OK && row && cat_text(s, 0).len == 64)
        memcpy(out, cat_text(s, 0).ptr, 64);
    cat_statement_free(s);
    return status == LVL_OK && !*out ? LVL_ERR_MISSING : status;
}

lvl_status lvl_catalogue_has(lvl_catalogue *c, const char *path, lvl_bytes bytes, bool *same)
{
    char wanted[65], found[65];

    *same = false;
    const lvl_status status = lvl_catalogue_sha256(c, path, wanted);
    if (status != LVL_OK)
        return status;
    lvl_sha256_hex(bytes, found);
    *same = strcmp(wanted, found) == 0;
    return LVL_OK;
}

/* ---- counts and tables -------------------------------------------------------------------------------- */

static lvl_status each_row(lvl_catalogue *c, const char *sql, lvl_catalogue_row_fn row, void *user)
{
    const lvl_find_options options = {.mode = LVL_FIND_SQL};
    query q = {.c = c, .options = &options, .row = row, .user = user};

    lvl_buffer_str(&q.sql, sql);
    const lvl_status status = run(&q, give_row, NULL);
    lvl_buffer_free(&q.sql);
    return status;
}

lvl_status lvl_catalogue_stats(lvl_catalogue *c, lvl_catalogue_row_fn row, void *user)
{
    static const char *const what[][2] = {
        {"format", "coalesce(f.format, 'foreign')"},
        {"version", "f.format || ' ' || f.version"},
        {"game", "l.game"},
        {"verdict", "f.verdict"},
        {"author", "l.author"},
        {"year", "substr(f.date, 1, 4)"},
    };
    lvl_status status = each_row(
        c,
        "SELECT 'files' AS what, 'all' AS value, count(*) AS files, sum(size) AS bytes FROM "
        "stored_files WHERE removed IS NULL UNION ALL SELECT 'files', 'removed', count(*), sum(size) "
        "FROM stored_files WHERE removed IS NOT NULL UNION ALL SELECT 'files', 'different', "
        "count(DISTINCT coalesce(content, sha256)), NULL FROM stored_files WHERE removed IS NULL",
        row, user);
    char sql[500];

    for (size_t i = 0; i < sizeof what / sizeof *what && status == LVL_OK; i++) {
        snprintf(
            sql, sizeof sql,
            "SELECT '%s' AS what, %s AS value, count(*) AS files, sum(f.size) AS bytes FROM files f LEFT "
            "JOIN stored_levels "
            "l ON l.file = f.id WHERE f.removed IS NULL AND %s IS NOT NULL GROUP BY 2 ORDER BY 3 DESC, 2",
            what[i][0], what[i][1], what[i][1]);
        status = each_row(c, sql, row, user);
    }
    if (status == LVL_OK)
        status = each_row(
            c,
            "SELECT 'note' AS what, n.key AS value, count(DISTINCT f.id) AS files, NULL AS bytes FROM "
            "notes n JOIN files f ON f.sha256 = n.sha256 WHERE f.removed IS NULL GROUP BY 2 ORDER BY 3 "
            "DESC, 2",
            row, user);
    return status;
}

const char *lvl_catalogue_table(size_t index)
{
    return index < CAT_NAMES ? cat_tables[index].name : NULL;
}

lvl_status lvl_catalogue_rows(lvl_catalogue *c, const char *table, lvl_catalogue_row_fn row, void *user)
{
    char sql[200];

    for (size_t t = 0; t < CAT_NAMES; t++) {
        const cat_table *of = &cat_tables[t];
        if (strcmp(of->name, table) != 0)
            continue;
        snprintf(sql, sizeof sql, "SELECT * FROM %s ORDER BY 1, 2, 3", of->name);
        if (of->count < 3)
            snprintf(sql, sizeof sql, "SELECT * FROM %s ORDER BY 1", of->name);
        return each_row(c, sql, row, user);
    }
    return LVL_ERR_ARG;
}
