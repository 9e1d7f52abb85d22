/*
 * tiled/value.c: fields of records as properties.
 */
#include "base/buffer.h"
#include "base/search.h"
#include "base/text.h"
#include "codec/json.h"
#include "tiled/mapping.h"

#include <stdlib.h>

/* Adds a value with a name, or flags. `type`: the property type of the names, or NULL. */
static void put_named(const tiled_plan *plan, tiled_properties *to, const plan_field *f, const char *names,
                      const char *type)
{
    tiled_property *p = tiled_add(plan->arena, to, f->name, "", tiled_copy(plan->arena, lvl_text_of(names)));

    if (p)
        p->names = type;
}

static void put_int(const tiled_plan *plan, tiled_properties *to, const void *record, const plan_field *f,
                    int64_t value)
{
    const tiled_names named = tiled_names_of(plan, record, f);
    const plan_list *list = plan_reference(plan, f->field);
    const uint32_t object = list ? plan_object_id(list, value) : 0;
    const char *type = value >= INT32_MIN && value <= INT32_MAX ? "int" : "";
    char buf[512];

    if (f->field->flags & LVL_F_FLAGS) {
        lvl_flags_text(f->field, value, buf, sizeof buf);
        for (char *c = buf; *c && plan->typed; c++)
            *c = *c == '|' ? ',' : *c; /* Tiled's separator for flags of a known type */
        put_named(plan, to, f, buf, named.type);
        return;
    }
    const char *name = lvl_name_of(named.names, value);
    if (name && !object) {
        put_named(plan, to, f, name, named.type);
        return;
    }
    const char *text = tiled_digits(buf, object ? object : value);
    if (object) {
        type = "object";
    } else if (lvl_field_is_switch(f->field)) {
        type = "bool";
        text = value ? "true" : "false";
    }
    tiled_add(plan->arena, to, f->name, type, tiled_copy(plan->arena, lvl_text_of(text)));
}

/* Adds a field as JSON, as in a dump. */
static void put_json(const tiled_plan *plan, tiled_properties *to, const void *record, const plan_field *f)
{
    lvl_buffer out = {0};
    lvl_emit w = lvl_emit_of(plan->doc, &out);

    w.compact = true;
    lvl_write_value(&w, record, f->field, 0);
    plan->arena->failed = plan->arena->failed || out.status != LVL_OK;
    tiled_add(plan->arena, to, f->name, "", tiled_show_text(plan->arena, LVL_CP_UTF8, lvl_buffer_text(&out)));
    lvl_buffer_free(&out);
}

void tiled_put_field(const tiled_plan *plan, tiled_properties *to, const void *record, const plan_field *f,
                     int64_t clear)
{
    if (!plan_present(record, f))
        return;
    const void *holder = plan_record(record, f);
    if (f->field->kind == LVL_INT) {
        const int64_t value = lvl_get_int(holder, f->field) & ~clear;
        if (value != f->field->def)
            put_int(plan, to, record, f, value);
    } else if (lvl_field_is_default(holder, f->field)) {
        return;
    } else if (f->field->kind == LVL_TEXT) {
        tiled_add(plan->arena, to, f->name, "", plan_text(plan, record, f));
    } else {
        put_json(plan, to, holder, f);
    }
}

void tiled_put_fields(const tiled_plan *plan, tiled_properties *to, const void *record,
                      const plan_fields *fields)
{
    for (uint32_t i = 0; i < fields->count; i++)
        tiled_put_field(plan, to, record, &fields->items[i], 0);
}

void tiled_put_unique(const tiled_plan *plan, tiled_properties *to, const void *record, const plan_field *f,
                      uint32_t object_id)
{
    const int64_t value = plan_int(record, f);

    if (value != object_id)
        put_int(plan, to, record, f, value);
}

/* Sorts the items of a list by their unique field; list->names stays NULL if out of memory. */
static void sort_names(const tiled_plan *plan, plan_list *list)
{
    const plan_field *f = &list->objects->unique;
    const uint32_t count = lvl_list_count(list->owner, list->list);

    list->names = lvl_arena_array(plan->arena, (size_t)count + 1, sizeof *list->names);
    for (uint32_t i = 0; i < count && list->names; i++) {
        const void *item = lvl_list_item(list->owner, list->list, i);
        list->names[i] = (lvl_sort_key){lvl_get_text(plan_record(item, f), f->field), i};
    }
    if (count && list->names)
        qsort(list->names, count, sizeof *list->names, lvl_sort_key_order);
}

/* The id of the first item of that name; 0: there is none. */
static uint32_t id_of_name(const plan_list *list, lvl_text name)
{
    const uint32_t count = lvl_list_count(list->owner, list->list);
    size_t at;

    LVL_LOWER_BOUND(at, count, lvl_text_compare(list->names[at].name, name) < 0);
    return at < count && lvl_text_equal(list->names[at].name, name)
               ? plan_object_id(list, list->names[at].index)
               : 0;
}

void tiled_put_links(const tiled_plan *plan, tiled_properties *to, plan_list *list, const void *record)
{
    const lvl_field *links = list->objects->links.field;
    const uint32_t count = links ? lvl_list_count(record, links) : 0;

    if (count && !list->names)
        sort_names(plan, list);
    for (uint32_t i = 0; i < count && list->names; i++) {
        const lvl_text target = *(const lvl_text *)lvl_list_item(record, links, i);
        const uint32_t id = id_of_name(list, target);
        const lvl_text value = id ? tiled_printf(plan->arena, "%lu", (unsigned long)id)
                                  : tiled_show_text(plan->arena, plan->doc->codepage, target);
        tiled_add(plan->arena, to, tiled_printf(plan->arena, TILED_LINK "%lu", (unsigned long)i + 1),
                  id ? "object" : "", value);
    }
}
