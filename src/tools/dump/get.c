/*
 * tools/dump/get.c: writes the values at a path as text or JSON.
 */
#include "codec/json.h"
#include "base/text.h"
#include "tools/values/json_read.h"
#include "tools/paths/meaning.h"
#include "tools/paths/path.h"
#include "tools/values/json_write.h"
#include "tools/dump/dump.h"

#include <stdlib.h>

/* The record of a match and its member, with the names that the book of its game has for its values; NULL:
 * it is none. */
static const void *member_of(const lvl_emit *w, const lvl_match *m, lvl_field *field)
{
    const void *record = m->field && !m->has_region ? lvl_match_member(m, field) : NULL;
    const lvl_name *names =
        LVL_MEANING && record ? lvl_meaning_names(w->doc, &m->where, record, field) : NULL;

    if (names)
        field->names = names;
    return record;
}

/* Adds what is not in the value: of a number the name that the book of its game has, of a name its number. */
static void put_names(const lvl_emit *w, const lvl_match *m)
{
    lvl_field field;
    const void *record = member_of(w, m, &field);

    if (!record || field.kind != LVL_INT || (field.flags & LVL_F_FLAGS))
        return;
    const int64_t number = lvl_get_int(record, &field);
    const char *name = lvl_name_of(field.names, number);
    if (!name)
        return;
    if (!lvl_name_of(m->index == LVL_NO_INDEX ? m->field->names : NULL, number))
        lvl_json_put_string(w->out, "name", name);
    else
        lvl_json_put_int(w->out, "number", number);
}

static void get_one(const lvl_emit *w, const lvl_match *m, const lvl_get_options *options)
{
    char path[400];
    lvl_field field;

    lvl_match_text(m, path, sizeof path);
    if (options->json) {
        lvl_buffer_u8(w->out, '{');
        lvl_json_put_string(w->out, "path", path);
        lvl_json_key(w->out, "value");
        lvl_write_match(w, m, 0);
        put_names(w, m);
        lvl_buffer_str(w->out, "}\n");
        return;
    }
    if (options->paths) {
        lvl_buffer_str(w->out, path);
        lvl_buffer_u8(w->out, '=');
    }
    const void *record = member_of(w, m, &field);
    if (record && (field.kind == LVL_INT || field.kind == LVL_TEXT))
        lvl_write_plain(w, record, &field);
    else
        lvl_write_match(w, m, 0);
    lvl_buffer_u8(w->out, '\n');
}

lvl_status lvl_get(const lvl_doc *doc, const char *path, const lvl_get_options *options, lvl_buffer *out,
                   size_t *count, lvl_findings *findings)
{
    const lvl_get_options none = {0};
    lvl_match *matches;
    size_t n, shown = 0;
    char when[200];

    if (count)
        *count = 0;
    lvl_emit w = lvl_emit_of(doc, out);
    w.compact = true;
    w.defaults = !(options && options->brief);
    lvl_status status = lvl_path_matches(doc, lvl_text_of(path), &matches, &n, findings);
    for (size_t i = 0; i < n; i++) {
        if (matches[i].append ||
            (matches[i].field && !lvl_field_present(matches[i].record, matches[i].field)))
            continue;
        get_one(&w, &matches[i], options ? options : &none);
        shown++;
    }
    if (status == LVL_OK && !shown) {
        const lvl_match *m = &matches[0];
        const lvl_table *table = doc->format->table;
        for (uint32_t i = 0; i + 1 < m->where.depth; i++)
            table = m->where.steps[i].field->table;
        lvl_findings_add(findings, &lvl_faults[LVL_FAULT_NOTHING], &m->where, NULL,
                         m->append ? "a new item has no value yet" : "%s exists only %s", m->field->name,
                         lvl_when_text(table, m->field, when, sizeof when));
        status = LVL_ERR_MISSING;
    }
    free(matches);
    if (count)
        *count = shown;
    return status != LVL_OK ? status : out->status;
}
