/*
 * tools/schema.c: the JSON Schema of a format's dumps. What a schema can't say (that rows fill their grid,
 * that names of flags may be joined) is said in descriptions; undump looks at everything.
 */
#include "codec/json.h"
#include "base/text.h"
#include "tools/json_write.h"

#include "tools/tools.h"

#include <string.h>

enum { MOST_TABLES = 128 };

typedef struct schema {
    lvl_buffer *out;
    const lvl_table *tables[MOST_TABLES];
    uint32_t count;
} schema;

/* The root's table and all that it reaches, each once. */
static void gather(schema *s, const lvl_table *table)
{
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->tables[i] == table)
            return;
    }
    if (s->count == MOST_TABLES)
        return;
    s->tables[s->count++] = table;
    for (uint32_t i = 0; i < table->field_count; i++) {
        if (table->fields[i].table)
            gather(s, table->fields[i].table);
    }
}

static void put(const schema *s, const char *text)
{
    lvl_buffer_str(s->out, text);
}

static void put_string(const schema *s, const char *text)
{
    lvl_json_string(s->out, lvl_text_of(text));
}

static void put_ref(const schema *s, const char *name)
{
    put(s, "\"$ref\":\"#/$defs/");
    put(s, name);
    put(s, "\"");
}

static void put_range(const schema *s, const lvl_field *f)
{
    unsigned bits = (unsigned)f->size * 8;

    if (bits >= 64)
        return;
    int64_t least = f->flags & LVL_F_SIGNED ? -((int64_t)1 << (bits - 1)) : 0;
    int64_t most = f->flags & LVL_F_SIGNED ? ((int64_t)1 << (bits - 1)) - 1 : ((int64_t)1 << bits) - 1;
    put(s, ",\"minimum\":");
    lvl_json_int(s->out, least);
    put(s, ",\"maximum\":");
    lvl_json_int(s->out, most);
}

static void put_names(const schema *s, const lvl_field *f)
{
    put(s, "\"anyOf\":[");
    if (f->flags & LVL_F_FLAGS) { /* one name or number, or several joined */
        lvl_buffer one = {0};
        for (const lvl_name *n = f->names; n && n->name; n++)
            lvl_buffer_printf(&one, "%s|", n->name);
        lvl_buffer_str(&one, "0x[0-9a-f]+|[0-9]+");
        lvl_buffer_u8(&one, 0);
        put(s, "{\"type\":\"string\",\"pattern\":\"^(");
        put(s, one.status == LVL_OK ? (const char *)one.data : "");
        put(s, ")(\\\\|(");
        put(s, one.status == LVL_OK ? (const char *)one.data : "");
        put(s, "))*$\"}");
        if (one.status != LVL_OK)
            s->out->status = one.status;
        lvl_buffer_free(&one);
    } else {
        put(s, "{\"enum\":[");
        for (const lvl_name *n = f->names; n->name; n++) {
            bool again = false; /* one value may have several names, and one name several values */
            for (const lvl_name *m = f->names; m < n && !again; m++)
                again = strcmp(m->name, n->name) == 0;
            if (again)
                continue;
            put(s, n == f->names ? "" : ",");
            put_string(s, n->name);
        }
        put(s, "]}");
    }
    put(s, ",{\"type\":\"integer\"");
    put_range(s, f);
    put(s, "}]");
}

static void put_kind(const schema *s, const lvl_field *f)
{
    switch (f->kind) {
    case LVL_INT:
        if (f->names || (f->flags & LVL_F_FLAGS)) {
            put_names(s, f);
        } else {
            put(s, "\"type\":\"integer\"");
            put_range(s, f);
        }
        break;
    case LVL_REAL:
        put(s, "\"anyOf\":[{\"type\":\"number\"},{");
        put_ref(s, "base64");
        put(s, "}]");
        break;
    case LVL_TEXT:
        put(s, "\"anyOf\":[{\"type\":\"string\"");
        if (f->flags & LVL_F_SLOT) {
            put(s, ",\"maxLength\":");
            lvl_json_uint(s->out, f->size);
        }
        if (f->flags & LVL_F_LINES)
            put(s, "},{\"type\":\"array\",\"items\":{\"type\":\"string\"}");
        put(s, "},{");
        put_ref(s, "base64");
        put(s, "}]");
        break;
    case LVL_BYTES: put_ref(s, "base64"); break;
    case LVL_RECORD: put_ref(s, f->table->name); break;
    case LVL_LIST: {
        const lvl_field item = lvl_item_field(f);
        put(s, "\"type\":\"array\",\"items\":{");
        if (f->item == LVL_RECORD)
            put_ref(s, f->table->name);
        else
            put_kind(s, &item);
        put(s, "}");
        break;
    }
    case LVL_CELLS: put_ref(s, "cells"); break;
    }
}

static void put_field(const schema *s, const lvl_field *f)
{
    lvl_buffer prose = {0};

    put_string(s, f->name);
    put(s, ":{");
    put_kind(s, f);
    lvl_buffer_str(&prose, f->prose ? f->prose : "");
    if (f->unit)
        lvl_buffer_printf(&prose, " (%s)", f->unit);
    if (f->min || f->max)
        lvl_buffer_printf(&prose, " Usual values: %lld to %lld.", (long long)f->min, (long long)f->max);
    if (f->ref)
        lvl_buffer_printf(&prose, " Points into %s.", f->ref);
    if (f->role == LVL_DERIVED)
        lvl_buffer_str(&prose, " Computed from other fields; given only where a file disagrees.");
    if (prose.len) {
        lvl_text t = {(const char *)prose.data, prose.len};
        put(s, ",\"description\":");
        lvl_json_string(s->out, t);
    }
    if (prose.status != LVL_OK)
        s->out->status = prose.status;
    lvl_buffer_free(&prose);
    if (f->kind == LVL_INT && f->role != LVL_DERIVED && lvl_int_fits(f, f->def)) {
        const char *name = f->flags & LVL_F_FLAGS ? NULL : lvl_name_of(f->names, f->def);
        put(s, ",\"default\":");
        if (name)
            put_string(s, name);
        else
            lvl_json_int(s->out, f->def);
    }
    put(s, "}");
}

static bool put_fields(const schema *s, const lvl_table *t, bool kept, const char *indent)
{
    bool any = false;

    for (uint32_t i = 0; i < t->field_count; i++) {
        if ((t->fields[i].role == LVL_KEPT) != kept)
            continue;
        put(s, any ? ",\n" : "\n");
        put(s, indent);
        put_field(s, &t->fields[i]);
        any = true;
    }
    return any;
}

/* If the field is given, its tag has one of the values. */
static void put_when(const schema *s, const lvl_table *t, const lvl_field *f)
{
    const lvl_field *tag = lvl_table_at(t, f->when.tag_offset);
    bool first = true;

    put(s, "{\"if\":{\"required\":[");
    put_string(s, f->name);
    put(s, "]},\"then\":{\"properties\":{");
    put_string(s, tag->name);
    put(s, ":{\"enum\":[");
    for (int v = 0; v < 64; v++) {
        if (!(f->when.values >> v & 1))
            continue;
        const char *name = lvl_name_of(tag->names, v);
        put(s, first ? "" : ",");
        first = false;
        if (name) {
            put_string(s, name);
            put(s, ",");
        }
        lvl_json_int(s->out, v);
    }
    put(s, "]}}");
    if (tag->def < 0 || tag->def > 63 || !(f->when.values >> tag->def & 1)) {
        put(s, ",\"required\":[");
        put_string(s, tag->name);
        put(s, "]");
    }
    put(s, "}}");
}

static void put_table(const schema *s, const lvl_table *t)
{
    bool kept = false, when = false;

    put(s, "    ");
    put_string(s, t->name);
    put(s, ": {\"type\":\"object\",\"description\":");
    put_string(s, t->prose ? t->prose : "");
    put(s, ",\"additionalProperties\":false,\"properties\":{");
    bool any = put_fields(s, t, false, "      ");
    for (uint32_t i = 0; i < t->field_count; i++) {
        kept |= t->fields[i].role == LVL_KEPT;
        when |= t->fields[i].when.tag_size && lvl_table_at(t, t->fields[i].when.tag_offset);
    }
    if (kept) {
        put(s, any ? ",\n" : "\n");
        put(s, "      \"~\":{\"type\":\"object\",\"description\":\"The file's spelling; used while it "
               "matches the fields beside it.\",\"additionalProperties\":false,\"properties\":{");
        put_fields(s, t, true, "        ");
        put(s, "}}");
    }
    put(s, "}");
    bool required = false;
    for (uint32_t i = 0; i < t->field_count; i++) {
        if (!lvl_field_required(&t->fields[i]) || t->fields[i].when.tag_size)
            continue;
        put(s, required ? "," : ",\n      \"required\":[");
        put_string(s, t->fields[i].name);
        required = true;
    }
    put(s, required ? "]" : "");
    if (when) {
        bool first = true;
        put(s, ",\n      \"allOf\":[");
        for (uint32_t i = 0; i < t->field_count; i++) {
            const lvl_field *f = &t->fields[i];
            if (!f->when.tag_size || !lvl_table_at(t, f->when.tag_offset))
                continue;
            put(s, first ? "\n        " : ",\n        ");
            first = false;
            put_when(s, t, f);
        }
        put(s, "]");
    }
    put(s, "}");
}

lvl_status lvl_schema(const lvl_format *format, lvl_buffer *out)
{
    schema s;

    memset(&s, 0, sizeof s);
    s.out = out;
    gather(&s, format->table);
    put(&s, "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n  \"title\": ");
    put_string(&s, format->title);
    put(&s, ",\n  \"type\": \"object\",\n  \"required\": [\"lvl\",\"format\",\"doc\"],\n  "
            "\"additionalProperties\": false,\n"
            "  \"properties\": {\n    \"lvl\": {\"const\":1},\n    \"format\": {\"const\":");
    put_string(&s, format->id);
    put(&s, "},\n    \"encoding\": {\"enum\":[");
    for (int p = 0; p < LVL_CP_COUNT; p++) {
        put(&s, p ? "," : "");
        put_string(&s, lvl_codepage_name((lvl_codepage)p));
    }
    put(&s, "]},\n    \"doc\": {");
    put_ref(&s, format->table->name);
    put(&s, "}\n  },\n  \"$defs\": {\n");
    for (uint32_t i = 0; i < s.count; i++) {
        put_table(&s, s.tables[i]);
        put(&s, ",\n");
    }
    put(&s,
        "    \"base64\": "
        "{\"type\":\"object\",\"required\":[\"base64\"],\"additionalProperties\":false,\"properties\":{"
        "\"base64\":{\"type\":\"string\",\"contentEncoding\":\"base64\"}}},\n "
        "   \"cells\": "
        "{\"type\":\"object\",\"required\":[\"width\",\"height\",\"rows\"],\"additionalProperties\":false,"
        "\"properties\":{\n "
        "     \"width\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":4294967295},\n      "
        "\"height\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":4294967295},\n      "
        "\"size\":{\"enum\":[1,2,4],\"description\":\"bytes of a cell, if it is not the usual one\"},\n     "
        " \"rows\":{\"description\":\"runs of cells, \\\"7 13*3\\\"; null without "
        "cells\",\"anyOf\":[{\"type\":\"null\"},{\"type\":\"array\",\"items\":{\"type\":\"string\"}}]}}}\n  "
        "}\n}\n");
    return out->status;
}
