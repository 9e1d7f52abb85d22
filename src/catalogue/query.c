/*
 * catalogue/query.c: see query.h. All values are parameters.
 */
#include "catalogue/query.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* ---- words of a search -------------------------------------------------------------------------------- */

/* Columns that `word:` may name, and where they are. */
static const cat_facet facets[] = {
    {"format", "f.format", false},   {"family", "f.family", false}, {"version", "f.version", false},
    {"verdict", "f.verdict", false}, {"game", "l.game", false},     {"year", "substr(f.date, 1, 4)", false},
    {"path", "f.path", true},        {"name", "f.name", false},     {"sha256", "f.sha256", true},
    {"content", "f.content", false},
};

void cat_put_facet_names(lvl_buffer *out)
{
    for (size_t i = 0; i < sizeof facets / sizeof *facets; i++)
        lvl_buffer_printf(out, "%s%s", i ? " " : "", facets[i].name);
}

lvl_status cat_query_word(cat_query *q, const char *word, lvl_buffer *why)
{
    cat_term *t = &q->terms[q->count];
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
    for (size_t i = 0; i < LVL_COUNT_OF(facets); i++) {
        if (t->key.len && lvl_text_is(t->key, facets[i].name))
            t->facet = &facets[i];
    }
    q->texts += !t->facet;
    q->count++;
    return LVL_OK;
}

/* ---- SQL ---------------------------------------------------------------------------------------------- */

int cat_parameter(cat_query *q, lvl_text value)
{
    lvl_buffer *to = &q->values[q->value_count++];

    lvl_buffer_add(to, value.ptr, value.len);
    lvl_buffer_u8(to, 0);
    return (int)q->value_count;
}

/* Of ASCII alone, as SQLite's lower(). */
int cat_parameter_lower(cat_query *q, lvl_text value)
{
    lvl_buffer *to = &q->values[q->value_count];
    const int at = cat_parameter(q, value);

    for (size_t i = 0; i < to->len; i++)
        to->data[i] = (uint8_t)lvl_lower((char)to->data[i]);
    return at;
}

void cat_put_facets(cat_query *q)
{
    lvl_buffer *sql = &q->sql;

    for (size_t i = 0; i < q->count; i++) {
        const cat_term *t = &q->terms[i];
        if (!t->facet)
            continue;
        const char *column = t->facet->column;
        if (t->facet->begins) {
            const int at = cat_parameter(q, t->text);
            lvl_buffer_printf(sql, " AND substr(%s, 1, length($%d)) = $%d", column, at, at);
        } else {
            lvl_buffer_printf(sql, " AND lower(%s) = $%d", column, cat_parameter_lower(q, t->text));
        }
    }
}

int cat_parameter_number(cat_query *q, int64_t number)
{
    char text[32];

    snprintf(text, sizeof text, "%lld", (long long)number);
    return cat_parameter(q, lvl_text_of(text));
}

const char *cat_limit(const cat_query *q, char buf[32])
{
    buf[0] = 0;
    if (q->options->most)
        snprintf(buf, 32, " LIMIT %llu", (unsigned long long)q->options->most);
    return buf;
}

void cat_put_number(lvl_buffer *out, const char *text, int number)
{
    const char *at = strstr(text, "%d");

    lvl_buffer_printf(out, "%.*s%d%s", (int)(at - text), text, number, at + 2);
}

/* The pattern of FTS5 for a word. `phrase`: its words in this order, else any word that begins with it. */
static void put_pattern(lvl_buffer *out, lvl_text word, bool phrase)
{
    lvl_buffer_u8(out, '"');
    for (size_t i = 0; i < word.len; i++) {
        /* a NUL would end the pattern */
        lvl_buffer_u8(out, word.ptr[i] ? (uint8_t)word.ptr[i] : ' ');
        if (word.ptr[i] == '"')
            lvl_buffer_u8(out, '"');
    }
    lvl_buffer_str(out, phrase ? "\"" : "\"*");
}

void cat_put_match(cat_query *q, const cat_term *t)
{
    lvl_buffer pattern = {0};

    put_pattern(&pattern, t->text, t->phrase);
    lvl_buffer_printf(&q->sql,
                      "SELECT i.rowid / 256 AS file, i.rowid AS text FROM texts_index i%s WHERE "
                      "i.texts_index MATCH $%d",
                      t->key.len ? " JOIN stored_texts t ON t.id = i.rowid" : "",
                      cat_parameter(q, lvl_buffer_text(&pattern)));
    if (t->key.len) {
        lvl_buffer_str(&q->sql, " AND ");
        cat_put_number(&q->sql, cat_fields_of_name, cat_parameter(q, t->key));
    }
    if (pattern.status != LVL_OK)
        q->sql.status = LVL_ERR_MEMORY;
    lvl_buffer_free(&pattern);
}

/* ---- running ------------------------------------------------------------------------------------------ */

void cat_query_clear(cat_query *q)
{
    for (size_t i = 0; i < q->value_count; i++)
        lvl_buffer_free(&q->values[i]);
    q->value_count = 0;
    q->sql.len = 0;
}

void cat_query_free(cat_query *q)
{
    cat_query_clear(q);
    lvl_buffer_free(&q->sql);
}

void cat_show_value(const cat_value *v, const char *name, char number[32], lvl_catalogue_value *out)
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

bool cat_give_row(cat_query *q, const cat_statement *s)
{
    lvl_catalogue_value values[CAT_MOST_COLUMNS];
    char numbers[CAT_MOST_COLUMNS][32];
    const size_t count = cat_columns(s);

    q->any = true;
    for (size_t i = 0; i < count; i++) {
        cat_value v;
        cat_get(s, i, &v);
        cat_show_value(&v, cat_column_name(s, i), numbers[i], &values[i]);
    }
    return q->row(q->user, values, count);
}

lvl_status cat_query_run(cat_query *q, cat_give_fn give, lvl_buffer *why)
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

bool cat_take_count(cat_query *q, const cat_statement *s)
{
    q->counted = cat_int(s, 0);
    return true;
}

lvl_status cat_each_row(lvl_catalogue *c, const char *sql, lvl_catalogue_row_fn row, void *user)
{
    const lvl_find_options options = {.mode = LVL_FIND_SQL};
    cat_query q = {.c = c, .options = &options, .row = row, .user = user};

    lvl_buffer_str(&q.sql, sql);
    const lvl_status status = cat_query_run(&q, cat_give_row, NULL);
    lvl_buffer_free(&q.sql);
    return status;
}
