/*
 * tiled/value.c: fields of records as properties.
 */
#include "base/buffer.h"
#include "base/search.h"
#include "base/text.h"
#include "codec/json.h"
#include "tiled/plan.h"

#include <stdio.h>
#include <stdlib.h>

static bool put_short(const tiled_plan *plan, tiled_properties *to, lvl_text name, const char *type,
                      const char *value)
{
    const lvl_text copy = tiled_copy(plan->arena, lvl_text_of(value));

    return copy.ptr && tiled_add(plan->arena, to, name, type, copy);
}

const char *tiled_type_name(const tiled_plan *plan, const plan_field *f)
{
    char name[128];

    snprintf(name, sizeof name, "%s %s %s", plan->doc->format->id, f->table->name, f->field->name);
    return tiled_copy(plan->arena, lvl_text_of(name)).ptr;
}

/* A value with a name. Tiled separates flags by commas, if it knows the type. */
static bool put_named(const tiled_plan *plan, tiled_properties *to, const plan_field *f, char *value)
{
    for (char *c = value; *c && plan->typed; c++)
        *c = *c == '|' ? ',' : *c;
    if (!put_short(plan, to, f->name, "", value))
        return false;
    tiled_property *p = &to->items[to->count - 1];
    p->names = plan->typed ? tiled_type_name(plan, f) : NULL;
    return p->names || !plan->typed;
}

static bool put_int(const tiled_plan *plan, tiled_properties *to, const plan_field *f, int64_t value)
{
    const plan_list *list = plan_reference(plan, f->field);
    const char *name = f->field->flags & LVL_F_FLAGS ? NULL : lvl_name_of(f->field->names, value);
    char buf[512];

    if (list && plan_object_id(list, value)) {
        snprintf(buf, sizeof buf, "%lu", (unsigned long)plan_object_id(list, value));
        return put_short(plan, to, f->name, "object", buf);
    }
    if (f->field->flags & LVL_F_FLAGS) {
        lvl_flags_text(f->field, value, buf, sizeof buf);
        return put_named(plan, to, f, buf);
    }
    if (name) {
        snprintf(buf, sizeof buf, "%s", name);
        return put_named(plan, to, f, buf);
    }
    if (lvl_field_is_switch(f->field))
        return put_short(plan, to, f->name, "bool", value ? "true" : "false");
    return put_short(plan, to, f->name, value >= INT32_MIN && value <= INT32_MAX ? "int" : "",
                     tiled_digits(buf, value));
}

/* As JSON, as a dump has it. */
static bool put_json(const tiled_plan *plan, tiled_properties *to, const void *record, const plan_field *f)
{
    lvl_buffer out = {0};
    lvl_emit w = lvl_emit_of(plan->doc, &out);

    w.compact = true;
    lvl_write_value(&w, record, f->field, 0);
    const lvl_text json = tiled_show_text(plan->arena, LVL_CP_UTF8, lvl_buffer_text(&out));
    const bool ok = out.status == LVL_OK && json.ptr && tiled_add(plan->arena, to, f->name, "", json);
    lvl_buffer_free(&out);
    return ok;
}

bool tiled_put_field(const tiled_plan *plan, tiled_properties *to, const void *record, const plan_field *f,
                     int64_t clear)
{
    if (!f->field)
        return true;
    const void *holder = plan_record(record, f);
    const bool is_int = f->field->kind == LVL_INT;
    const int64_t value = is_int ? lvl_get_int(holder, f->field) & ~clear : 0;
    if ((is_int && value == f->field->def) || !plan_present(record, f))
        return true;
    if (is_int)
        return put_int(plan, to, f, value);
    if (lvl_field_is_default(holder, f->field))
        return true;
    if (f->field->kind == LVL_TEXT) {
        const lvl_text shown =
            tiled_show_text(plan->arena, plan->doc->codepage, lvl_get_text(holder, f->field));
        return shown.ptr && tiled_add(plan->arena, to, f->name, "", shown);
    }
    return put_json(plan, to, holder, f);
}

bool tiled_put_fields(const tiled_plan *plan, tiled_properties *to, const void *record,
                      const plan_fields *fields)
{
    for (uint32_t i = 0; i < fields->count; i++) {
        if (!tiled_put_field(plan, to, record, &fields->items[i], 0))
            return false;
    }
    return true;
}

bool tiled_put_unique(const tiled_plan *plan, tiled_properties *to, const void *record, const plan_field *f,
                      uint32_t object_id)
{
    const int64_t value = plan_int(record, f);

    return value == object_id || put_int(plan, to, f, value);
}

/* The items of a list by what makes them unique. */
static bool sort_names(const tiled_plan *plan, plan_list *list)
{
    const plan_field *f = &list->objects->unique;
    const uint32_t count = lvl_list_count(list->owner, list->list);

    if (list->names)
        return true;
    list->names = lvl_arena_array(plan->arena, (size_t)count + 1, sizeof *list->names);
    if (!list->names)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const void *item = lvl_list_item(list->owner, list->list, i);
        list->names[i] = (lvl_sort_key){lvl_get_text(plan_record(item, f), f->field), i};
    }
    if (count)
        qsort(list->names, count, sizeof *list->names, lvl_sort_key_order);
    return true;
}

/* The first item of that name; UINT32_MAX: there is none. */
static uint32_t item_named(const plan_list *list, lvl_text name)
{
    const uint32_t count = lvl_list_count(list->owner, list->list);
    size_t at;

    LVL_LOWER_BOUND(at, count, lvl_text_compare(list->names[at].name, name) < 0);
    return at < count && lvl_text_equal(list->names[at].name, name) ? list->names[at].index : UINT32_MAX;
}

bool tiled_put_links(const tiled_plan *plan, tiled_properties *to, plan_list *list, const void *record)
{
    const plan_objects *o = list->objects;
    char name[32], id[16];

    if (!o->links.field)
        return true;
    const uint32_t count = lvl_list_count(record, o->links.field);
    if (count && !sort_names(plan, list))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const lvl_text target = *(const lvl_text *)lvl_list_item(record, o->links.field, i);
        const uint32_t item = item_named(list, target);
        snprintf(name, sizeof name, "link.%lu", (unsigned long)i + 1);
        const lvl_text kept = tiled_copy(plan->arena, lvl_text_of(name));
        snprintf(id, sizeof id, "%lu", (unsigned long)plan_object_id(list, item));
        const lvl_text value = item != UINT32_MAX ? tiled_copy(plan->arena, lvl_text_of(id))
                                                  : tiled_show_text(plan->arena, plan->doc->codepage, target);
        if (!kept.ptr || !value.ptr ||
            !tiled_add(plan->arena, to, kept, item != UINT32_MAX ? "object" : "", value))
            return false;
    }
    return true;
}
