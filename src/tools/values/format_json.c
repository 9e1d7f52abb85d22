/*
 * tools/values/format_json.c: a format and its records as JSON, for programs that list or edit them.
 */
#include "base/format.h"
#include "codec/json.h"
#include "tools/tools.h"
#include "tools/values/schema.h"

#include <string.h>

static void put_if_true(lvl_buffer *out, const char *key, bool value)
{
    if (value)
        lvl_json_put_bool(out, key, true);
}

/* When the field is present: a tag, and the values of it. */
static void put_condition(lvl_buffer *out, const lvl_table *table, const lvl_field *f)
{
    const lvl_field *tag = f->when.tag_size ? lvl_table_at(table, f->when.tag_offset) : NULL;

    if (!tag)
        return;
    lvl_json_open(out, "when", '{');
    lvl_json_put_string(out, "field", tag->name);
    lvl_json_open(out, "values", '[');
    for (unsigned v = 0; v < 64; v++) {
        if (f->when.values >> v & 1)
            lvl_json_put_uint(out, NULL, v);
    }
    lvl_buffer_str(out, "]}");
}

/* What its values, or its cells, are called. */
static void put_names(lvl_buffer *out, const lvl_field *f)
{
    if (f->names && f->names->name)
        lvl_json_open(out, "names", '[');
    for (const lvl_name *n = f->names; n && n->name; n++) {
        lvl_json_open(out, NULL, '{');
        lvl_json_put_int(out, "value", n->value);
        lvl_json_put_string(out, "name", n->name);
        lvl_json_put_string(out, "prose", n->prose);
        lvl_buffer_str(out, n[1].name ? "}" : "}]");
    }
    if (f->cell_names && f->cell_names->symbol)
        lvl_json_open(out, "cell_names", '[');
    for (const lvl_cell_name *n = f->cell_names; n && n->symbol; n++) {
        const char symbol[] = {n->symbol, 0};
        lvl_json_open(out, NULL, '{');
        lvl_json_put_uint(out, "value", n->value);
        lvl_json_put_string(out, "symbol", symbol);
        lvl_json_put_string(out, "name", n->name);
        lvl_json_put_string(out, "prose", n->prose);
        lvl_buffer_str(out, n[1].symbol ? "}" : "}]");
    }
}

/* What the field is in a level. */
static void put_roles(lvl_buffer *out, const lvl_field *f)
{
    static const lvl_name words[] = {
        {LVL_ROLE_X, "x", NULL},
        {LVL_ROLE_Y, "y", NULL},
        {LVL_ROLE_WIDTH, "width", NULL},
        {LVL_ROLE_HEIGHT, "height", NULL},
        {LVL_ROLE_ORDER, "order", NULL},
        {LVL_ROLE_CLASS, "class", NULL},
        {LVL_ROLE_NAME, "name", NULL},
        {LVL_ROLE_ID, "id", NULL},
        {LVL_ROLE_LINKS, "links", NULL},
        {LVL_ROLE_PICTURE, "picture", NULL},
        {LVL_ROLE_NUMBER, "number", NULL},
        {LVL_ROLE_FLIP, "flip", NULL},
        {LVL_ROLE_LEFT, "left", NULL},
        {LVL_ROLE_TOP, "top", NULL},
        {LVL_ROLE_RIGHT, "right", NULL},
        {LVL_ROLE_BOTTOM, "bottom", NULL},
        {LVL_ROLE_DEST_X, "dest_x", NULL},
        {LVL_ROLE_DEST_Y, "dest_y", NULL},
        {LVL_ROLE_COLOR, "color", NULL},
        {LVL_ROLE_CELL_WIDTH, "cell_width", NULL},
        {LVL_ROLE_CELL_HEIGHT, "cell_height", NULL},
        {LVL_ROLE_PARALLAX_X, "parallax_x", NULL},
        {LVL_ROLE_PARALLAX_Y, "parallax_y", NULL},
        {LVL_ROLE_LAYERS, "layers", NULL},
        {LVL_ROLE_OBJECTS, "objects", NULL},
        {LVL_ROLE_START_X, "start_x", NULL},
        {LVL_ROLE_START_Y, "start_y", NULL},
        {LVL_ROLE_BOUNDS, "bounds", NULL},
        {LVL_ROLE_FILES, "files", NULL},
        {LVL_ROLE_LEVELS, "levels", NULL},
        {LVL_ROLE_PROPERTY, "property", NULL},
    };

    if (!f->roles)
        return;
    lvl_json_open(out, "roles", '[');
    for (size_t i = 0; i < LVL_COUNT_OF(words); i++) {
        if (f->roles & words[i].value)
            lvl_json_put_string(out, NULL, words[i].name);
    }
    lvl_buffer_u8(out, ']');
}

static void put_field(lvl_buffer *out, const lvl_table *table, const lvl_field *f)
{
    static const char *const kinds[] = {"int", "real", "text", "bytes", "record", "list", "cells"};
    static const char *const roles[] = {"value", "derived", "unknown", "spelling"};
    static const char *const groups[LVL_GROUP_COUNT] = {NULL, "place", "look", "behaviour"};

    lvl_json_open(out, NULL, '{');
    lvl_json_put_string(out, "name", f->name);
    lvl_json_put_string(out, "kind", kinds[f->kind]);
    lvl_json_put_string(out, "role", roles[f->role]);
    lvl_json_put_string(out, "prose", f->prose);
    lvl_json_put_string(out, "unit", f->unit);
    lvl_json_put_string(out, "group", groups[f->group]);
    put_if_true(out, "common", f->common);
    put_roles(out, f);
    lvl_json_put_string(out, "use", f->use == LVL_USE_SOUND ? "sound" : NULL); /* the page plays it */
    lvl_json_put_string(out, "ref", f->ref);
    put_if_true(out, "by_id", f->flags & LVL_F_BY_ID);
    if (f->table)
        lvl_json_put_string(out, "table", f->table->name);
    if (f->kind == LVL_LIST)
        lvl_json_put_string(out, "item", kinds[f->item]);
    put_if_true(out, "flags", f->flags & LVL_F_FLAGS);
    put_if_true(out, "lines", f->flags & LVL_F_LINES);
    put_if_true(out, "fixed", f->flags & LVL_F_FIXED);
    if (f->kind == LVL_INT)
        lvl_json_put_int(out, "default", f->def);
    if (f->min || f->max) {
        lvl_json_put_int(out, "min", f->min);
        lvl_json_put_int(out, "max", f->max);
    }
    put_condition(out, table, f);
    put_names(out, f);
    lvl_buffer_u8(out, '}');
}

static void put_tables(lvl_buffer *out, const lvl_table *root)
{
    const lvl_table *tables[LVL_MAX_TABLES];
    const uint32_t count = lvl_tables_below(root, tables, NULL, NULL);

    lvl_json_open(out, "tables", '{');
    for (uint32_t i = 0; i < count; i++) {
        const lvl_table *t = tables[i];
        lvl_json_open(out, t->name, '{');
        lvl_json_put_string(out, "name", t->name);
        lvl_json_put_string(out, "prose", t->prose);
        lvl_json_put_string(out, "label", t->label);
        lvl_json_open(out, "fields", '[');
        for (uint32_t k = 0; k < t->field_count; k++)
            put_field(out, t, &t->fields[k]);
        lvl_buffer_str(out, "]}");
    }
    lvl_buffer_u8(out, '}');
}

static void put_forms(lvl_buffer *out, const lvl_format *f)
{
    bool any = false;

    for (const lvl_form *form = f->forms; form && form->name; form++) {
        if (strcmp(form->format, f->id) != 0)
            continue;
        if (!any)
            lvl_json_open(out, "forms", '[');
        any = true;
        lvl_json_open(out, NULL, '{');
        lvl_json_put_string(out, "name", form->name);
        lvl_json_put_string(out, "title", form->title);
        lvl_json_put_string(out, "extension", form->extension);
        lvl_buffer_u8(out, '}');
    }
    lvl_buffer_str(out, any ? "]" : "");
}

static void put_programs(lvl_buffer *out, const lvl_format *f)
{
    if (!f->program_count)
        return;
    lvl_json_open(out, "programs", '[');
    for (uint32_t i = 0; i < f->program_count; i++) {
        lvl_json_open(out, NULL, '{');
        lvl_json_put_string(out, "name", f->programs[i].name);
        lvl_json_put_string(out, "title", f->programs[i].title);
        lvl_json_put_string(out, "prose", f->programs[i].prose);
        lvl_buffer_u8(out, '}');
    }
    lvl_buffer_u8(out, ']');
}

lvl_status lvl_format_json(const lvl_format *f, bool tables, lvl_buffer *out)
{
    const char *endings = f->extensions;
    lvl_text ending;

    lvl_buffer_u8(out, '{');
    lvl_json_put_string(out, "id", f->id);
    lvl_json_put_string(out, "family", f->family);
    lvl_json_put_string(out, "title", f->title);
    lvl_json_put_string(out, "mime", f->mime);
    lvl_json_open(out, "extensions", '[');
    while (lvl_text_next_item(&endings, ' ', &ending))
        lvl_json_put_text(out, NULL, ending);
    lvl_buffer_u8(out, ']');
    lvl_json_open(out, "can", '[');
    lvl_json_put_string(out, NULL, "read");
    for (size_t i = 0; i < LVL_ABILITIES; i++) {
        if (lvl_format_can(f) & lvl_abilities[i].can)
            lvl_json_put_string(out, NULL, lvl_abilities[i].word);
    }
    lvl_buffer_u8(out, ']');
    put_forms(out, f);
    put_programs(out, f);
    if (tables)
        put_tables(out, f->table);
    lvl_buffer_str(out, "}\n");
    return out->status;
}
