/*
 * tools/values/schema.c: the JSON Schema of a format's dumps. A schema cannot express everything (that rows
 * fill their grid, for example); undump checks it.
 */
#include "base/buffer.h"
#include "codec/json.h"
#include "base/text.h"
#include "tools/values/json_write.h"

#include "tools/tools.h"
#include "tools/values/schema.h"

#include <string.h>

static void put_range(lvl_buffer *out, const lvl_field *f)
{
    const unsigned bits = (unsigned)f->size * 8, sign = f->flags & LVL_F_SIGNED ? 1 : 0;

    if (bits < 64)
        lvl_buffer_printf(out, ",\"minimum\":%lld,\"maximum\":%lld", sign ? -((long long)1 << (bits - 1)) : 0,
                          ((long long)1 << (bits - sign)) - 1);
}

static void put_names(lvl_buffer *out, const lvl_field *f)
{
    if (f->flags & LVL_F_FLAGS) { /* names and numbers, joined by | */
        for (int i = 0; i < 2; i++) {
            lvl_buffer_str(out, i ? ")(\\\\|(" : "\"anyOf\":[{\"type\":\"string\",\"pattern\":\"^(");
            for (const lvl_name *n = f->names; n && n->name; n++)
                lvl_buffer_printf(out, "%s|", n->name);
            lvl_buffer_str(out, "0x[0-9a-f]+|[0-9]+");
        }
        lvl_buffer_str(out, "))*$\"}");
    } else {
        lvl_buffer_str(out, "\"anyOf\":[{\"enum\":[");
        for (const lvl_name *n = f->names; n->name; n++) {
            bool again = false; /* one value may have several names, and one name several values */
            for (const lvl_name *m = f->names; m < n && !again; m++)
                again = strcmp(m->name, n->name) == 0;
            if (!again)
                lvl_buffer_printf(out, "%s\"%s\"", n == f->names ? "" : ",", n->name);
        }
        lvl_buffer_str(out, "]}");
    }
    lvl_buffer_str(out, ",{\"type\":\"integer\"");
    put_range(out, f);
    lvl_buffer_str(out, "}]");
}

static void put_kind(lvl_buffer *out, const lvl_field *f)
{
    static const char base64[] = ",{\"$ref\":\"#/$defs/base64\"}]";

    switch (f->kind) {
    case LVL_INT:
        if (f->names || (f->flags & LVL_F_FLAGS)) {
            put_names(out, f);
        } else {
            lvl_buffer_str(out, "\"type\":\"integer\"");
            put_range(out, f);
        }
        break;
    case LVL_REAL: lvl_buffer_printf(out, "\"anyOf\":[{\"type\":\"number\"}%s", base64); break;
    case LVL_TEXT:
        lvl_buffer_str(out, "\"anyOf\":[{\"type\":\"string\"");
        if (f->flags & LVL_F_SLOT)
            lvl_buffer_printf(out, ",\"maxLength\":%lu", (unsigned long)f->size);
        if (f->flags & LVL_F_LINES)
            lvl_buffer_str(out, "},{\"type\":\"array\",\"items\":{\"type\":\"string\"}");
        lvl_buffer_printf(out, "}%s", base64);
        break;
    case LVL_BYTES:
        lvl_buffer_str(out, f->flags & LVL_F_STREAM ? "\"$ref\":\"#/$defs/stream\""
                                                    : "\"$ref\":\"#/$defs/base64\"");
        break;
    case LVL_RECORD: lvl_buffer_printf(out, "\"$ref\":\"#/$defs/%s\"", f->table->name); break;
    case LVL_LIST: {
        const lvl_field item = lvl_item_field(f);
        lvl_buffer_str(out, "\"type\":\"array\",\"items\":{");
        put_kind(out, &item);
        lvl_buffer_u8(out, '}');
        break;
    }
    case LVL_CELLS: lvl_buffer_str(out, "\"$ref\":\"#/$defs/cells\""); break;
    }
}

static void put_field(lvl_buffer *out, const lvl_field *f)
{
    lvl_buffer prose = {0};

    lvl_buffer_printf(out, "\"%s\":{", f->name);
    put_kind(out, f);
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
        lvl_json_key(out, "description");
        lvl_json_string(out, lvl_buffer_text(&prose));
    }
    if (prose.status != LVL_OK)
        out->status = prose.status;
    lvl_buffer_free(&prose);
    if (f->kind == LVL_INT && f->role != LVL_DERIVED && lvl_int_fits(f, f->def)) {
        const char *name = f->flags & LVL_F_FLAGS ? NULL : lvl_name_of(f->names, f->def);
        if (name)
            lvl_json_put_string(out, "default", name);
        else
            lvl_buffer_printf(out, ",\"default\":%lld", (long long)f->def);
    }
    lvl_buffer_u8(out, '}');
}

static bool put_fields(lvl_buffer *out, const lvl_table *t, bool kept, const char *indent)
{
    bool any = false;

    for (uint32_t i = 0; i < t->field_count; i++) {
        if ((t->fields[i].role == LVL_KEPT) != kept)
            continue;
        lvl_buffer_printf(out, "%s\n%s", any ? "," : "", indent);
        put_field(out, &t->fields[i]);
        any = true;
    }
    return any;
}

static const lvl_field *tag_of(const lvl_table *t, const lvl_field *f)
{
    return f->when.tag_size ? lvl_table_at(t, f->when.tag_offset) : NULL;
}

/* The rule that a field requires its tag to have one of certain values. */
static void put_when(lvl_buffer *out, const lvl_field *tag, const lvl_field *f)
{
    const char *gap = "";

    lvl_buffer_printf(out, "{\"if\":{\"required\":[\"%s\"]},\"then\":{\"properties\":{\"%s\":{\"enum\":[",
                      f->name, tag->name);
    for (int v = 0; v < 64; v++) {
        if (!(f->when.values >> v & 1))
            continue;
        const char *name = lvl_name_of(tag->names, v);
        lvl_buffer_str(out, gap);
        gap = ",";
        if (name)
            lvl_buffer_printf(out, "\"%s\",", name);
        lvl_buffer_printf(out, "%d", v);
    }
    lvl_buffer_str(out, "]}}");
    if (tag->def < 0 || tag->def > 63 || !(f->when.values >> tag->def & 1))
        lvl_buffer_printf(out, ",\"required\":[\"%s\"]", tag->name);
    lvl_buffer_str(out, "}}");
}

static void put_table(lvl_buffer *out, const lvl_table *t)
{
    bool kept = false;
    const char *gap;

    lvl_buffer_printf(out, "    \"%s\": {\"type\":\"object\"", t->name);
    lvl_json_put_string(out, "description", t->prose ? t->prose : "");
    lvl_buffer_str(out, ",\"additionalProperties\":false,\"properties\":{");
    const bool any = put_fields(out, t, false, "      ");
    for (uint32_t i = 0; i < t->field_count; i++)
        kept = kept || t->fields[i].role == LVL_KEPT;
    if (kept) {
        lvl_buffer_printf(out,
                          "%s\n      \"~\":{\"type\":\"object\",\"description\":\"The file's spelling; used "
                          "while it matches the fields beside it.\",\"additionalProperties\":false,"
                          "\"properties\":{",
                          any ? "," : "");
        put_fields(out, t, true, "        ");
        lvl_buffer_str(out, "}}");
    }
    lvl_buffer_u8(out, '}');
    gap = ",\n      \"required\":[";
    for (uint32_t i = 0; i < t->field_count; i++) {
        if (!lvl_field_required(&t->fields[i]) || t->fields[i].when.tag_size)
            continue;
        lvl_buffer_printf(out, "%s\"%s\"", gap, t->fields[i].name);
        gap = ",";
    }
    lvl_buffer_str(out, strcmp(gap, ",") == 0 ? "]" : "");
    gap = ",\n      \"allOf\":[";
    for (uint32_t i = 0; i < t->field_count; i++) {
        const lvl_field *tag = tag_of(t, &t->fields[i]);
        if (!tag)
            continue;
        lvl_buffer_printf(out, "%s\n        ", gap);
        gap = ",";
        put_when(out, tag, &t->fields[i]);
    }
    lvl_buffer_str(out, strcmp(gap, ",") == 0 ? "]}" : "}");
}

static bool has_streams(const lvl_table *const *tables, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < tables[i]->field_count; k++) {
            if (tables[i]->fields[k].flags & LVL_F_STREAM)
                return true;
        }
    }
    return false;
}

lvl_status lvl_schema(const lvl_format *format, lvl_buffer *out)
{
    const lvl_table *tables[LVL_MAX_TABLES];
    const uint32_t count = lvl_tables_below(format->table, tables, NULL, NULL);

    lvl_buffer_str(out, "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n  \"title\": ");
    lvl_json_string(out, lvl_text_of(format->title));
    lvl_buffer_printf(
        out,
        ",\n  \"type\": \"object\",\n  \"required\": [\"lvl\",\"format\",\"doc\"],\n  "
        "\"additionalProperties\": false,\n"
        "  \"properties\": {\n    \"lvl\": {\"const\":1},\n    \"format\": {\"const\":\"%s\"},\n"
        "    \"encoding\": {\"enum\":[",
        format->id);
    for (int p = 0; p < LVL_CP_COUNT; p++)
        lvl_buffer_printf(out, "%s\"%s\"", p ? "," : "", lvl_codepage_name((lvl_codepage)p));
    lvl_buffer_printf(
        out,
        "]},\n    \"transfer\": {\"const\":\"text\"},\n    \"header\": "
        "{\"type\":\"array\",\"minItems\":1,\"maxItems\":2,\"items\":{\"type\":\"object\",\"properties\":{"
        "\"at\":{\"type\":\"integer\",\"minimum\":0},\"expected\":{\"type\":\"integer\",\"minimum\":0,"
        "\"maximum\":255},\"found\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":255}},\"required\":["
        "\"at\",\"expected\",\"found\"],\"additionalProperties\":false}},\n    \"doc\": "
        "{\"$ref\":\"#/$defs/%s\"}\n  },\n  \"$defs\": {\n",
        format->table->name);
    for (uint32_t i = 0; i < count; i++) {
        put_table(out, tables[i]);
        lvl_buffer_str(out, ",\n");
    }
    if (has_streams(tables, count))
        lvl_buffer_str(
            out, "    \"stream\": "
                 "{\"description\":\"a stream: the library and level that made it, and its CRC-32; or its "
                 "bytes\",\"anyOf\":[{\"type\":\"object\",\"required\":[\"crc32\"],\"minProperties\":2,"
                 "\"maxProperties\":2,\"additionalProperties\":false,\"properties\":{"
                 "\"libdeflate\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":9},"
                 "\"zlib\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":9},"
                 "\"crc32\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":4294967295}}},"
                 "{\"$ref\":\"#/$defs/base64\"}]},\n");
    lvl_buffer_str(
        out,
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
