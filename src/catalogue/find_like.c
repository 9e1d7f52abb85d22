/*
 * catalogue/find_like.c: levels that are similar to another one, by their signatures.
 */
#include "catalogue/find.h"
#include "catalogue/collect.h"

#include "base/arena.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_LIKENESS = 18 };

/* A level that is similar to the given one. */
typedef struct alike {
    unsigned percent;
    int64_t file;
} alike;

/* `own` of the query. */
typedef struct likes {
    uint8_t wanted[CAT_SIGNATURE];
    float weights[CAT_SLOTS];
    int64_t self, format; /* 0: none */
    cat_rarity rarity;
    alike *items;
    size_t count, cap;
} likes;

static int most_alike_first(const void *a, const void *b)
{
    const alike *x = a, *y = b;

    if (x->percent != y->percent)
        return x->percent > y->percent ? -1 : 1;
    return x->file < y->file ? -1 : x->file > y->file;
}

/* The signature of the given level; LVL_ERR_MISSING: it has none. */
static lvl_status wanted_signature(cat_query *q, uint8_t out[CAT_SIGNATURE], int64_t *self, lvl_buffer *why)
{
    cat_statement *s;
    bool row = false, found = false;
    lvl_status status;

    *self = 0;
    if (q->options->like) {
        lvl_buffer rows = {0};
        cat_facts facts;
        status = cat_collect(q->options->like, NULL, &rows, &facts);
        found = facts.has_signature;
        memcpy(out, facts.signature, CAT_SIGNATURE);
        cat_facts_clear(&facts);
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
            lvl_buffer_str(why, "too few different tiles, things and texts to compare");
        return LVL_ERR_MISSING;
    }
    return status;
}

static lvl_status give_alike(cat_query *q, const alike *a, bool *more)
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
            cat_show_value(&v, cat_column_name(s, i), numbers[i], &values[i + (i > 0)]);
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
static bool take_rarity(cat_query *q, const cat_statement *s)
{
    likes *l = q->own;
    cat_value v;

    cat_get(s, 1, &v);
    if (v.text.len == CAT_SIGNATURE &&
        !cat_rarity_add(&l->rarity, cat_int(s, 2), (const uint8_t *)v.text.ptr))
        q->status = LVL_ERR_MEMORY;
    return q->status == LVL_OK;
}

static bool take_alike(cat_query *q, const cat_statement *s)
{
    likes *l = q->own;
    float weights[CAT_SLOTS];
    cat_value v;

    cat_get(s, 1, &v);
    if (v.text.len != CAT_SIGNATURE || cat_int(s, 0) == l->self)
        return true;
    cat_rarity_weights(&l->rarity, cat_int(s, 2), (const uint8_t *)v.text.ptr, weights);
    const alike a = {cat_likeness(l->wanted, l->weights, (const uint8_t *)v.text.ptr, weights),
                     cat_int(s, 0)};
    if (a.percent < LEAST_LIKENESS)
        return true;
    if (!lvl_grow(&l->items, &l->cap, l->count + 1, sizeof *l->items))
        q->status = LVL_ERR_MEMORY;
    else
        l->items[l->count++] = a;
    return q->status == LVL_OK;
}

static bool take_format(cat_query *q, const cat_statement *s)
{
    likes *l = q->own;

    l->format = cat_int(s, 0);
    return true;
}

/* Twice over all signatures: how rare their numbers are, and then how much they have in common. */
static lvl_status find_alike(cat_query *q, lvl_buffer *why)
{
    likes *l = q->own;
    lvl_status status;

    lvl_buffer_str(&q->sql,
                   "SELECT k.file, k.signature, s.format FROM likeness k JOIN stored_files s ON s.id = "
                   "k.file WHERE s.removed IS NULL");
    status = cat_query_run(q, take_rarity, why);
    cat_query_clear(q);
    q->ended = false;
    if (status == LVL_OK && q->status == LVL_OK) {
        if (q->options->like) {
            cat_parameter(q, lvl_text_of(lvl_doc_format(q->options->like)->id));
            lvl_buffer_str(&q->sql, "SELECT id FROM names WHERE name = $1");
        } else {
            cat_parameter_number(q, l->self);
            lvl_buffer_str(&q->sql, "SELECT format FROM stored_files WHERE id = CAST($1 AS integer)");
        }
        status = cat_query_run(q, take_format, why);
        cat_query_clear(q);
    }
    if (status != LVL_OK || q->status != LVL_OK)
        return status != LVL_OK ? status : q->status;
    cat_rarity_weights(&l->rarity, l->format, l->wanted, l->weights);
    lvl_buffer_str(&q->sql,
                   "SELECT k.file, k.signature, s.format FROM likeness k JOIN stored_files s ON s.id = "
                   "k.file JOIN files f ON f.id = k.file LEFT JOIN stored_levels l ON l.file = f.id WHERE "
                   "s.removed IS NULL");
    cat_put_facets(q);
    status = cat_query_run(q, take_alike, why);
    q->ended = false;
    return status != LVL_OK ? status : q->status;
}

lvl_status cat_find_like(cat_query *q, lvl_buffer *why)
{
    likes l = {0};
    bool more = true;

    q->own = &l;
    lvl_status status = wanted_signature(q, l.wanted, &l.self, why);
    if (status == LVL_OK)
        status = find_alike(q, why);
    if (status == LVL_OK && l.count)
        qsort(l.items, l.count, sizeof *l.items, most_alike_first);
    for (size_t i = 0; i < l.count && status == LVL_OK && more; i++) {
        if (q->options->most && i >= q->options->most)
            break;
        status = give_alike(q, &l.items[i], &more);
        if (status != LVL_OK)
            cat_why(q->c, why);
    }
    q->own = NULL;
    cat_rarity_free(&l.rarity);
    free(l.items);
    return status;
}
