/*
 * tools/format_json.c: a format and its records as JSON, for programs that list or edit them.
 */
#include "codec/json.h"
#include "tools/tools.h"

#include <string.h>

static void put_field(lvl_buffer *out, const lvl_table *table, const lvl_field *f)
{
    static const char *const kinds[] = {"int", "real", "text", "bytes", "record", "list", "cells"};
    static const char *const roles[] = {"value", "derived", "unknown", "spelling"};
    static const char *const groups[LVL_GROUP_COUNT] = {NULL, "place", "look", "behaviour"};

    lvl_buffer_printf(out, "{\"name\":\"%s\",\"kind\":\"%s\",\"role\":\"%s\"", f->name, kinds[f->kind],
                      roles[f->role]);
    lvl_json_put_string(out, "prose", f->prose);
    lvl_json_put_string(out, "unit", f->unit);
    lvl_json_put_string(out, "group", groups[f->group]);
    lvl_buffer_str(out, f->common ? ",\"common\":true" : "");
    lvl_json_put_string(out, "ref", f->ref);
    if (f->table)
        lvl_json_put_string(out, "table", f->table->name);
    if (f->kind == LVL_LIST)
        lvl_json_put_string(out, "item", kinds[f->item]);
    lvl_buffer_str(out, f->flags & LVL_F_FLAGS ? ",\"flags\":true" : "");
    lvl_buffer_str(out, f->flags & LVL_F_LINES ? ",\"lines\":true" : "");
    lvl_buffer_str(out, f->flags & LVL_F_FIXED ? ",\"fixed\":true" : "");
    if (f->kind == LVL_INT)
        lvl_buffer_printf(out, ",\"default\":%lld", (long long)f->def);
    if (f->min || f->max)
        lvl_buffer_printf(out, ",\"min\":%lld,\"max\":%lld", (long long)f->min, (long long)f->max);
    const lvl_field *tag = f->when.tag_size ? lvl_table_at(table, f->when.tag_offset) : NULL;
    if (tag) {
        const char *gap = "";
        lvl_buffer_printf(out, ",\"when\":{\"field\":\"%s\",\"values\":[", tag->name);
        for (unsigned v = 0; v < 64; v++) {
            if (f->when.values >> v & 1) {
                lvl_buffer_printf(out, "%s%u", gap, v);
                gap = ",";
            }
        }
        lvl_buffer_str(out, "]}");
    }
    for (const lvl_name *n = f->names; n && n->name; n++) {
        lvl_buffer_printf(out, "%s{\"value\":%lld", n == f->names ? ",\"names\":[" : ",",
                          (long long)n->value);
        lvl_json_put_string(out, "name", n->name);
        lvl_json_put_string(out, "prose", n->prose);
        lvl_buffer_str(out, n[1].name ? "}" : "}]");
    }
    for (const lvl_cell_name *n = f->cell_names; n && n->symbol; n++) {
        const char symbol[] = {n->symbol, 0};
        lvl_buffer_printf(out, "%s{\"value\":%lu", n == f->cell_names ? ",\"cell_names\":[" : ",",
                          (unsigned long)n->value);
        lvl_json_put_string(out, "symbol", symbol);
        lvl_json_put_string(out, "name", n->name);
        lvl_json_put_string(out, "prose", n->prose);
        lvl_buffer_str(out, n[1].symbol ? "}" : "}]");
    }
    lvl_buffer_u8(out, '}');
}

static void put_tables(lvl_buffer *out, const lvl_table *root)
{
    const lvl_table *tables[LVL_MAX_TABLES];
    const uint32_t count = lvl_tables_below(root, tables, NULL, NULL);

    lvl_buffer_str(out, ",\"tables\":{");
    for (uint32_t i = 0; i < count; i++) {
        const lvl_table *t = tables[i];
        lvl_buffer_printf(out, "%s\"%s\":{\"name\":\"%s\"", i ? "," : "", t->name, t->name);
        lvl_json_put_string(out, "prose", t->prose);
        lvl_json_put_string(out, "label", t->label);
        lvl_buffer_str(out, ",\"fields\":[");
        for (uint32_t k = 0; k < t->field_count; k++) {
            lvl_buffer_str(out, k ? "," : "");
            put_field(out, t, &t->fields[k]);
        }
        lvl_buffer_str(out, "]}");
    }
    lvl_buffer_u8(out, '}');
}

static void put_forms(lvl_buffer *out, const lvl_format *f)
{
    const char *gap = ",\"forms\":[";

    for (const lvl_form *form = f->forms; form && form->name; form++) {
        if (strcmp(form->format, f->id) != 0)
            continue;
        lvl_buffer_printf(out, "%s{\"name\":\"%s\"", gap, form->name);
        lvl_json_put_string(out, "title", form->title);
        lvl_json_put_string(out, "extension", form->extension);
        lvl_buffer_u8(out, '}');
        gap = ",";
    }
    lvl_buffer_str(out, strcmp(gap, ",") == 0 ? "]" : "");
}

lvl_status lvl_format_json(const lvl_format *f, bool tables, lvl_buffer *out)
{
    const char *gap = "";

    lvl_buffer_printf(out, "{\"id\":\"%s\",\"family\":\"%s\"", f->id, f->family);
    lvl_json_put_string(out, "title", f->title);
    if (f->mime)
        lvl_json_put_string(out, "mime", f->mime);
    lvl_buffer_str(out, ",\"extensions\":[");
    for (const char *p = f->extensions; *p; p += strspn(p, " ")) {
        const size_t n = strcspn(p, " ");
        lvl_buffer_printf(out, "%s\"%.*s\"", gap, (int)n, p);
        gap = ",";
        p += n;
    }
    lvl_buffer_str(out, "],\"can\":[\"read\"");
    for (size_t i = 0; i < LVL_ABILITIES; i++) {
        if (lvl_format_can(f) & lvl_abilities[i].can)
            lvl_buffer_printf(out, ",\"%s\"", lvl_abilities[i].word);
    }
    lvl_buffer_u8(out, ']');
    put_forms(out, f);
    for (uint32_t i = 0; i < f->program_count; i++) {
        lvl_buffer_printf(out, "%s{\"name\":\"%s\"", i ? "," : ",\"programs\":[", f->programs[i].name);
        lvl_json_put_string(out, "title", f->programs[i].title);
        lvl_json_put_string(out, "prose", f->programs[i].prose);
        lvl_buffer_str(out, i + 1 < f->program_count ? "}" : "}]");
    }
    if (tables)
        put_tables(out, f->table);
    lvl_buffer_str(out, "}\n");
    return out->status;
}
