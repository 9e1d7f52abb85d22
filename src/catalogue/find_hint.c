/*
 * catalogue/find_hint.c: after a search without a hit, which value occurs nowhere, and the one nearest to it.
 */
#include "catalogue/find.h"
#include "catalogue/collect.h"

#include "base/text.h"

#include <string.h>

/* `own` of the query: the value of a field that is the nearest to that of a term. */
typedef struct nearest {
    const cat_term *wrong;
    lvl_buffer text;
    unsigned distance;
} nearest;

static void compare_value(cat_query *q, lvl_text value)
{
    enum { LONGEST = 64 };
    nearest *n = q->own;

    if (!value.len || value.len > LONGEST)
        return;
    const unsigned distance = lvl_text_distance(n->wrong->text, value, n->distance);
    if (distance >= n->distance)
        return;
    n->distance = distance;
    n->text.len = 0;
    lvl_buffer_add(&n->text, value.ptr, value.len);
}

static bool is_in_word(char c)
{
    return lvl_is_digit(c) || (lvl_lower(c) >= 'a' && lvl_lower(c) <= 'z') || (unsigned char)c >= 0x80;
}

/* Rows of a text: its lines, and the words in these, are values. */
static bool take_values(cat_query *q, const cat_statement *s)
{
    nearest *n = q->own;
    lvl_text text = cat_text(s, 0);

    while (text.len) {
        const lvl_text line = lvl_text_take_line(&text);
        compare_value(q, line);
        for (size_t i = 0, end; i < line.len; i = end + 1) {
            for (end = i; end < line.len && is_in_word(line.ptr[end]); end++)
                continue;
            if (end - i < line.len)
                compare_value(q, (lvl_text){line.ptr + i, end - i});
        }
    }
    return n->text.status == LVL_OK;
}

enum { MAX_TEXTS = 20000 }; /* values that are compared */

/* Sets what is compared from now on, and how far the nearest value may be. */
static void begin_nearest(nearest *n, const cat_term *wrong)
{
    const unsigned third = (unsigned)(wrong->text.len / 3 > 3 ? 3 : wrong->text.len / 3);

    n->wrong = wrong;
    n->distance = (third ? third : 1) + 1;
    n->text.len = 0;
}

/* Whether the value of a term occurs in any file, and if not, the nearest one. */
static lvl_status look_at_term(cat_query *q, const cat_term *t, bool *occurs, lvl_buffer *why)
{
    nearest *n = q->own;
    lvl_status status;

    q->counted = 0;
    if (t->facet) {
        lvl_buffer_printf(
            &q->sql,
            "SELECT count(*) FROM (SELECT f.id FROM files f LEFT JOIN stored_levels l ON l.file "
            "= f.id WHERE f.removed IS NULL AND lower(%s) = $%d LIMIT 1) AS n",
            t->facet->column, cat_parameter_lower(q, t->text));
    } else {
        lvl_buffer_str(&q->sql, "SELECT count(*) FROM (SELECT m.text FROM (");
        cat_put_match(q, t);
        lvl_buffer_str(&q->sql, ") AS m LIMIT 1) AS n");
    }
    status = cat_query_run(q, cat_take_count, why);
    cat_query_clear(q);
    *occurs = q->counted > 0;
    if (status != LVL_OK || *occurs)
        return status;
    begin_nearest(n, t);
    if (t->facet) {
        lvl_buffer_printf(&q->sql,
                          "SELECT DISTINCT %s FROM files f LEFT JOIN stored_levels l ON l.file = f.id WHERE "
                          "f.removed IS NULL "
                          "AND %s IS NOT NULL ORDER BY 1 LIMIT %d",
                          t->facet->column, t->facet->column, MAX_TEXTS);
    } else {
        lvl_buffer_str(&q->sql, "SELECT t.text FROM stored_texts t WHERE ");
        cat_put_number(&q->sql, cat_fields_of_name, cat_parameter(q, t->key));
        lvl_buffer_printf(&q->sql, " AND t.text IS NOT NULL ORDER BY t.id LIMIT %d", MAX_TEXTS);
    }
    status = cat_query_run(q, take_values, why);
    cat_query_clear(q);
    return status == LVL_OK ? n->text.status : status;
}

/* What follows the folders of a path. */
static lvl_text name_of(lvl_text path)
{
    size_t from = path.len;

    while (from && path.ptr[from - 1] != '/' && path.ptr[from - 1] != '\\')
        from--;
    return (lvl_text){path.ptr + from, path.len - from};
}

static bool take_name(cat_query *q, const cat_statement *s)
{
    nearest *n = q->own;
    const lvl_text name = name_of(cat_text(s, 0)), wrong = n->wrong->text;

    compare_value(q, memchr(wrong.ptr, '.', wrong.len) ? name : cat_stem(name));
    return n->text.status == LVL_OK;
}

/* Of a search for the uses of a file: the nearest name that has some. */
static lvl_status look_at_name(cat_query *q, lvl_buffer *why)
{
    const cat_term name = {.text = name_of(lvl_text_of(q->options->text))};
    nearest *n = q->own;

    if (!name.text.len)
        return LVL_OK;
    begin_nearest(n, &name);
    q->ended = false;
    cat_query_clear(q);
    lvl_buffer_printf(&q->sql,
                      "SELECT DISTINCT r.target FROM refs r JOIN files f ON f.id = r.file WHERE f.removed IS "
                      "NULL ORDER BY 1 LIMIT %d",
                      MAX_TEXTS);
    const lvl_status status = cat_query_run(q, take_name, why);
    cat_query_clear(q);
    if (status != LVL_OK || n->text.status != LVL_OK || !n->text.len || !n->distance)
        return status == LVL_OK ? n->text.status : status;
    lvl_buffer_str(why, "no file names ");
    lvl_text_escape(why, LVL_CP_UTF8, name.text, false);
    lvl_buffer_str(why, "; the nearest is ");
    lvl_text_escape(why, LVL_CP_UTF8, lvl_buffer_text(&n->text), false);
    return LVL_OK;
}

lvl_status cat_find_hint(cat_query *q, lvl_buffer *why)
{
    lvl_status status = LVL_OK;
    nearest n = {0};
    bool occurs = true;

    q->own = &n;
    for (size_t i = 0; i < q->count && occurs && status == LVL_OK; i++) {
        const cat_term *t = &q->terms[i];
        if (!t->key.len || (t->facet && t->facet->begins))
            continue;
        q->ended = false;
        cat_query_clear(q);
        status = look_at_term(q, t, &occurs, why);
        if (status != LVL_OK || occurs)
            continue;
        lvl_buffer_str(why, "no file has ");
        lvl_text_escape(why, LVL_CP_UTF8, t->key, false);
        lvl_buffer_u8(why, ' ');
        lvl_text_escape(why, LVL_CP_UTF8, t->text, false);
        if (n.text.len) {
            lvl_buffer_str(why, "; the nearest is ");
            lvl_text_escape(why, LVL_CP_UTF8, lvl_buffer_text(&n.text), false);
        }
    }
    if (status == LVL_OK && occurs && q->options->mode == LVL_FIND_USES)
        status = look_at_name(q, why);
    q->own = NULL;
    lvl_buffer_free(&n.text);
    return status;
}
