/*
 * catalogue/find.c: searches: files with the same content, missing ones, findings, uses of a file; words and
 * likeness are in find_words.c and find_like.c.
 */
#include "catalogue/find.h"
#include "catalogue/collect.h"
#include "catalogue/names.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* "SELECT … FROM files f LEFT JOIN stored_levels l … WHERE f.removed IS NULL AND facets" + `end`. */
static lvl_status find_rows(cat_query *q, const char *start_, const char *end, lvl_buffer *why)
{
    char limit[32];

    for (size_t i = 0; i < q->count; i++) {
        if (q->terms[i].facet)
            continue;
        if (why) {
            lvl_buffer_printf(why,
                              "%s: with this search, expected NAME:WORD with one of: ", q->options->words[i]);
            cat_put_facet_names(why);
        }
        return LVL_ERR_ARG;
    }
    lvl_buffer_str(&q->sql, start_);
    cat_put_facets(q);
    lvl_buffer_printf(&q->sql, " %s%s", end, cat_limit(q, limit));
    return cat_query_run(q, cat_give_row, why);
}

/* "'wwd'": the formats whose documents name files by keys. */
static void put_key_formats(const lvl_ctx *ctx, lvl_buffer *out)
{
    const lvl_format *const *formats = lvl_formats_of(ctx);
    const char *gap = "";

    for (size_t i = 0; formats[i]; i++) {
        if (!formats[i]->calls->file_places)
            continue;
        lvl_buffer_printf(out, "%s'%s'", gap, formats[i]->id);
        gap = ", ";
    }
}

/* The search for what names a file: $1 is the key of its name without ending. `ending`: it has one, and $2 is
 * the name, $3 what such a file is, $4 the name without ending. `keys`: such files have keys, at whose end is
 * their name. */
static void put_uses(const lvl_ctx *ctx, bool ending, bool keys, lvl_buffer *out)
{
    lvl_buffer_str(
        out,
        "SELECT f.path, r.place, r.kind, r.target, r.count FROM stored_refs s JOIN refs r ON r.file = s.file "
        "AND r.number = s.number JOIN files f ON f.id = s.file LEFT JOIN stored_levels l ON l.file = f.id "
        "WHERE f.removed IS NULL AND (s.stem_key = CAST($1 AS integer)");
    if (ending) /* or named without it: by a file of the same format, or as a kind of file that has it */
        lvl_buffer_str(
            out, " AND (substr('/' || lower(r.target), length(r.target) - length($2) + 1) = '/' || $2 OR "
                 "(r.target NOT LIKE '%.%' AND ($2 LIKE '%.' || f.format OR $3 IN (r.kind, ''))))");
    if (keys) {
        lvl_buffer_str(
            out,
            " OR (r.kind = $3 AND substr(lower(r.target), -length($4) - 1) = '_' || $4 AND f.format IN (");
        put_key_formats(ctx, out);
        lvl_buffer_str(out, "))");
    }
    lvl_buffer_u8(out, ')');
}

static lvl_status find_named(cat_query *q, lvl_buffer *why)
{
    const lvl_text text = lvl_text_of(q->options->text);

    if (!text.len) {
        if (why)
            lvl_buffer_str(why, "expected a name");
        return LVL_ERR_ARG;
    }
    if (q->options->mode == LVL_FIND_FINDING) {
        cat_parameter(q, text);
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
    lvl_buffer folded = {0}, sql = {0};
    bool keys = false;
    const char *last = q->options->text;
    for (const char *p = last; *p; p++) {
        if (*p == '/' || *p == '\\' || *p == ':')
            last = p + 1;
    }
    for (const char *p = last; *p; p++)
        lvl_buffer_u8(&folded, (uint8_t)lvl_lower(*p));
    const bool ending = folded.len && memchr(folded.data, '.', folded.len);
    cat_parameter_number(q, cat_key_of(cat_stem(lvl_buffer_text(&folded))));
    if (ending) {
        const lvl_text name = lvl_buffer_text(&folded);
        const size_t dot = cat_stem(name).len, from = dot < name.len ? dot + 1 : name.len;
        const lvl_use use = cat_use_of_ending(q->c->ctx, NULL, (lvl_text){name.ptr + from, name.len - from});
        cat_parameter(q, name);
        cat_parameter(q, lvl_text_of(use ? cat_use_name(use) : ""));
        cat_parameter(q, cat_stem(name));
        keys = use == LVL_USE_SOUND || use == LVL_USE_ANIMATION;
    }
    if (folded.status != LVL_OK)
        q->sql.status = folded.status;
    lvl_buffer_free(&folded);
    put_uses(q->c->ctx, ending, keys, &sql);
    lvl_buffer_u8(&sql, 0);
    const lvl_status status = sql.status == LVL_OK
                                  ? find_rows(q, (const char *)sql.data, "ORDER BY f.path, r.place", why)
                                  : sql.status;
    lvl_buffer_free(&sql);
    return status;
}

static lvl_status find_sql(cat_query *q, lvl_buffer *why)
{
    const lvl_status status = q->c->mode == LVL_CATALOGUE_READ ? LVL_OK : cat_sql_read_only(q->c->sql);

    lvl_buffer_str(&q->sql, q->options->text ? q->options->text : "");
    return status == LVL_OK ? cat_query_run(q, cat_give_row, why) : status;
}

static lvl_status find_by_mode(cat_query *q, lvl_buffer *why)
{
    switch (q->options->mode) {
    case LVL_FIND_WORDS: return cat_find_words(q, why);
    case LVL_FIND_LIKE: return cat_find_like(q, why);
    case LVL_FIND_DUPLICATES:
        return find_rows(
            q,
            "SELECT f.path, f.content, f.format, f.version, f.date, f.size FROM files f LEFT JOIN "
            "stored_levels l ON l.file = f.id WHERE f.id IN (SELECT s.id FROM stored_files s WHERE "
            "s.removed IS "
            "NULL AND s.content IN (SELECT t.content FROM stored_files t WHERE t.removed IS NULL AND "
            "t.content IS NOT NULL GROUP BY t.content HAVING count(*) > 1))",
            "ORDER BY f.content, f.date, f.path", why);
    case LVL_FIND_MISSING:
        return find_rows(
            q,
            "SELECT f.path, m.place, m.kind, m.target, m.count FROM missing m JOIN files f ON f.id = "
            "m.file LEFT JOIN stored_levels l ON l.file = f.id WHERE f.removed IS NULL",
            "ORDER BY f.path, m.kind, m.target", why);
    case LVL_FIND_FINDING:
    case LVL_FIND_USES: return find_named(q, why);
    case LVL_FIND_SQL: return find_sql(q, why);
    }
    return LVL_ERR_ARG;
}

lvl_status lvl_catalogue_find(lvl_catalogue *c, const lvl_find_options *options, lvl_catalogue_row_fn row,
                              void *user, lvl_buffer *why)
{
    cat_query q = {.c = c, .options = options, .row = row, .user = user};
    lvl_status status = LVL_OK;

    if (options->word_count > CAT_MAX_TERMS) {
        if (why)
            lvl_buffer_printf(why, "expected at most %d words, found %zu", CAT_MAX_TERMS,
                              options->word_count);
        return LVL_ERR_ARG;
    }
    for (size_t i = 0; i < options->word_count && status == LVL_OK; i++)
        status = cat_query_word(&q, options->words[i], why);
    if (status == LVL_OK)
        status = find_by_mode(&q, why);
    status = status == LVL_OK ? q.status : status;
    if (status == LVL_OK && !q.any && why)
        status = cat_find_hint(&q, why);
    cat_query_free(&q);
    return status;
}
