/*
 * tools/explain/line.c: writes a line of explain as text or JSON.
 */
#include "base/buffer.h"
#include "tools/paths/meaning.h"
#include "tools/explain/explain.h"

#include "base/text.h"
#include "codec/json.h"

#include <stdio.h>
#include <string.h>

static const char *role_name(lvl_span_role role)
{
    static const char *const names[] = {"field", "derived", "spelling", "container", "padding", "residue"};
    return names[role];
}

/* ---- values ------------------------------------------------------------------------------------------ */

static const void *item_of(const lvl_explain_line *l, lvl_field *field)
{
    if (l->index == LVL_NO_INDEX) {
        *field = *l->field;
        return l->record;
    }
    *field = lvl_item_field(l->field);
    return lvl_list_item(l->record, l->field, l->index);
}

/* ---- lines ------------------------------------------------------------------------------------------- */

static lvl_bytes raw_of(const lvl_explainer *e, const lvl_explain_line *l)
{
    const lvl_trace_space *s = lvl_trace_find(&e->trace, l->span.space);
    lvl_bytes b = {NULL, 0};

    if (!s || l->span.bit / 8 < s->space.base || l->span.bit / 8 - s->space.base >= s->space.bytes.len)
        return b;
    size_t from = (size_t)(l->span.bit / 8 - s->space.base), left = s->space.bytes.len - from;
    uint64_t want = (l->span.bit % 8 + l->span.bits + 7) / 8;
    b.ptr = s->space.bytes.ptr + from;
    b.len = want < left ? (size_t)want : left;
    return b;
}

static lvl_emit scratch_of(lvl_explainer *e)
{
    lvl_emit scratch = e->emit;

    scratch.out = &e->text;
    return scratch;
}

enum { MEMBERS = 6 }; /* shown of a record */

static bool in_bits(const lvl_explain_line *l)
{
    return l->span.bit % 8 || l->span.bits % 8;
}

/* Whether a line has a note and no value: some bits of a field, or the end mark of a list. */
static bool only_note(const lvl_explain_line *l)
{
    return l->span.note && !l->span.has_value && l->field && l->span.role != LVL_SPAN_FIELD &&
           (in_bits(l) || (l->field->kind == LVL_LIST && l->index == LVL_NO_INDEX));
}

/* Whether to print the field's prose; remembers it for long listings, which have it once. */
static bool shows_prose(lvl_explainer *e, const lvl_field *f)
{
    for (size_t i = 0; e->prose_once && i < e->reported_count; i++) {
        if (e->reported[i] == f)
            return false;
    }
    if (e->prose_once && e->reported_count < LVL_EXPLAIN_PROSE)
        e->reported[e->reported_count++] = f;
    return true;
}

static void json_line(lvl_explainer *e, const lvl_explain_line *l)
{
    const lvl_emit scratch = scratch_of(e);
    enum { RAW = 32 };
    lvl_buffer *out = e->out;
    const lvl_trace_space *s = lvl_trace_find(&e->trace, l->span.space);
    lvl_bytes raw = raw_of(e, l);
    lvl_field field;

    lvl_buffer_u8(out, '{');
    lvl_json_put_uint(out, "offset", l->span.bit / 8);
    lvl_json_put_uint(out, "length", (l->span.bit % 8 + l->span.bits + 7) / 8);
    if (e->options->bits || in_bits(l)) {
        lvl_json_put_uint(out, "bit", l->span.bit);
        lvl_json_put_uint(out, "bits", l->span.bits);
    }
    if (s && s->space.parent) {
        char outer[100];
        lvl_json_put_string(
            out, "outer",
            lvl_trace_position(&e->trace, s->space.parent, s->space.parent_bit, false, outer, sizeof outer));
    } else if (s && s->space.id) {
        lvl_json_put_uint(out, "outer", s->space.parent_bit / 8);
    }
    lvl_json_put_string(out, "role", role_name(l->span.role));
    lvl_json_put_string(out, "path", l->path);
    lvl_json_put_string(out, "name",
                        l->span.has_value && l->span.note ? l->span.note
                        : l->field                        ? l->field->name
                        : l->table                        ? l->table->name
                        : l->span.note                    ? l->span.note
                                                          : "");
    if (l->span.called.len) {
        lvl_json_key(out, "called");
        lvl_json_text(out, lvl_doc_codepage(e->doc), l->span.called);
    }
    if (l->span.has_value) {
        lvl_json_key(out, "value");
        lvl_json_int(out, l->span.value);
    } else if (l->record && (l->field || l->table)) {
        lvl_json_key(out, "value");
        const void *record = l->field ? item_of(l, &field) : l->record;
        e->text.len = 0;
        if (!l->field)
            lvl_write_summary(&scratch, record, l->table, MEMBERS);
        else if (field.kind == LVL_CELLS || field.kind == LVL_LIST ||
                 (field.kind == LVL_BYTES && lvl_get_bytes(record, &field).len > RAW))
            lvl_write_short(&scratch, record, &field);
        else
            lvl_write_value(&e->emit, record, &field, 0);
        if (e->text.len)
            lvl_json_string(out, lvl_buffer_text(&e->text));
    }
    if (l->json) {
        lvl_json_key(out, "value");
        lvl_buffer_str(out, l->json);
    }
    lvl_buffer_str(out, ",\"raw\":\"");
    raw.len = raw.len > RAW ? RAW : raw.len;
    lvl_json_hex(out, raw);
    lvl_buffer_u8(out, '"');
    lvl_json_put_string(out, "unit", l->field ? l->field->unit : NULL);
    lvl_json_put_string(out, "prose", l->field ? l->field->prose : NULL);
    lvl_buffer_str(out, "}\n");
}

static void put_length(lvl_explainer *e, const lvl_explain_line *l)
{
    if (e->options->bits || in_bits(l))
        lvl_buffer_printf(e->out, " %8llub  ", (unsigned long long)l->span.bits);
    else
        lvl_buffer_printf(e->out, " %8llu  ", (unsigned long long)((l->span.bit % 8 + l->span.bits + 7) / 8));
}

/* The name in the file of what is wrapped. */
static void put_called(lvl_explainer *e, lvl_text called)
{
    if (!called.len)
        return;
    lvl_buffer_u8(e->out, ' ');
    lvl_json_text(e->out, lvl_doc_codepage(e->doc), called);
}

/* For the container of another space: the position of that space. */
static void put_inner(lvl_explainer *e, const lvl_explain_line *l)
{
    enum { MAX_SPACES = 4096 }; /* each line searches all spaces */
    char position[100];

    for (size_t i = 0; i < e->trace.space_count && e->trace.space_count <= MAX_SPACES; i++) {
        const lvl_space *s = &e->trace.spaces[i].space;
        if (!s->id || s->parent != l->span.space || s->parent_bit < l->span.bit ||
            s->parent_bit >= l->span.bit + l->span.bits)
            continue;
        lvl_trace_position(&e->trace, s->id, s->base * 8, false, position, sizeof position);
        lvl_buffer_printf(e->out, ": %s, from %s on", s->name ? s->name : "what it holds", position);
        return;
    }
}

static void text_line(lvl_explainer *e, const lvl_explain_line *l, bool raw)
{
    const lvl_emit scratch = scratch_of(e);
    enum { RAW = 8 };
    char position[100];
    lvl_bytes bytes = raw_of(e, l);
    lvl_field field;

    lvl_trace_position(&e->trace, l->span.space, l->span.bit, e->options->bits || in_bits(l), position,
                       sizeof position);
    lvl_buffer_printf(e->out, "%-16s", position);
    put_length(e, l);
    if (raw) {
        char hex[RAW * 2 + 4] = "";
        size_t n = bytes.len < RAW ? bytes.len : RAW;
        for (size_t i = 0; i < n; i++)
            snprintf(hex + i * 2, 3, "%02x", bytes.ptr[i]);
        if (bytes.len > RAW)
            memcpy(hex + RAW * 2 - 2, "..", 3);
        lvl_buffer_printf(e->out, "%-17s ", hex);
    }
    e->text.len = 0;
    if (l->span.has_value) {
        lvl_buffer_printf(&e->text, "%s = %lld", l->span.note ? l->span.note : "value",
                          (long long)l->span.value);
    } else if (l->json) {
        lvl_buffer_str(&e->text, l->json);
    } else if (l->record && l->field && !only_note(l)) {
        const void *record = item_of(l, &field);
        const lvl_name *names =
            LVL_MEANING ? lvl_meaning_names(e->doc, &l->span.where, record, &field) : NULL;
        field.names = names ? names : field.names;
        lvl_write_short(&scratch, record, &field);
    } else if (l->record && l->table && !l->field) {
        lvl_write_summary(&scratch, l->record, l->table, MEMBERS);
    } else if (l->span.note) {
        lvl_buffer_str(&e->text, l->span.note);
    } else if (l->span.role != LVL_SPAN_FIELD) {
        lvl_buffer_str(&e->text, role_name(l->span.role));
    }
    lvl_buffer_str(e->out, l->path);
    if (((l->field && l->record && !only_note(l)) || l->json) && !l->span.has_value)
        lvl_buffer_str(e->out, " = ");
    else if (*l->path)
        lvl_buffer_str(e->out, "  ");
    lvl_buffer_add(e->out, e->text.data, e->text.len);
    put_called(e, l->span.called);
    if (l->span.role == LVL_SPAN_CONTAINER)
        put_inner(e, l);
    if (l->field && l->field->unit && !l->span.has_value && !only_note(l))
        lvl_buffer_printf(e->out, " %s", l->field->unit);
    if (l->field && l->record && l->span.note && !l->span.has_value && !only_note(l))
        lvl_buffer_printf(e->out, " (%s)", l->span.note);
    if (raw && l->field && l->field->prose && !in_bits(l) && !only_note(l) && shows_prose(e, l->field))
        lvl_buffer_printf(e->out, "  ; %s", l->field->prose);
    lvl_buffer_u8(e->out, '\n');
}

void lvl_explain_put(lvl_explainer *e, const lvl_explain_line *l, bool raw)
{
    e->any = true;
    if (e->options->json)
        json_line(e, l);
    else
        text_line(e, l, raw);
    if (e->text.status != LVL_OK && e->out->status == LVL_OK)
        e->out->status = e->text.status;
}

void lvl_explain_space(lvl_explainer *e, uint32_t id)
{
    const lvl_trace_space *s = lvl_trace_find(&e->trace, id);
    char position[100] = "";

    if (e->options->json || !s)
        return;
    if (id)
        lvl_trace_position(&e->trace, s->space.parent, s->space.parent_bit, false, position, sizeof position);
    lvl_buffer_printf(e->out, "%s%s%s%s", e->any ? "\n" : "", position, id ? ": " : "",
                      s->space.name ? s->space.name : "file");
    put_called(e, s->space.called);
    lvl_buffer_printf(e->out, ", %llu bytes\n", (unsigned long long)s->size);
}
