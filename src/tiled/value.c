/*
 * tiled/value.c: fields of records as properties, and text that survives XML and Tiled.
 *
 * XML has no controls, and Tiled drops them: they are shown as control pictures (U+2400 + n, DEL U+2421). Tab
 * and line feed stay, but in a text of nothing but blanks, which Tiled would lose. Those pictures themselves,
 * U+FFFE and U+FFFF stand as U+241B, their number in hexadecimal, and ';'.
 */
#include "base/text.h"
#include "codec/json.h"
#include "tiled/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PICTURES = 0x2400, ESCAPE = 0x241B, DELETE = 0x2421, PICTURES_END = 0x2422 };

static bool is_plain(lvl_text text)
{
    bool blank = true, lines = false;

    for (size_t i = 0; i < text.len; i++) {
        const uint8_t c = (uint8_t)text.ptr[i];
        if (c >= 0x7F || (c < 0x20 && c != '\t' && c != '\n'))
            return false;
        blank = blank && (c == ' ' || c == '\t' || c == '\n');
        lines = lines || c == '\n';
    }
    return !blank || !lines;
}

/* UTF-8 of a code point of three bytes. */
static void add_picture(lvl_buffer *out, uint32_t code)
{
    lvl_buffer_u8(out, (uint8_t)(0xE0 | code >> 12));
    lvl_buffer_u8(out, (uint8_t)(0x80 | (code >> 6 & 0x3F)));
    lvl_buffer_u8(out, (uint8_t)(0x80 | (code & 0x3F)));
}

/* The code point of three bytes at `p`; 0: something else stands there. */
static uint32_t three_bytes(const uint8_t *p, size_t left)
{
    if (left < 3 || (p[0] & 0xF0) != 0xE0 || (p[1] & 0xC0) != 0x80 || (p[2] & 0xC0) != 0x80)
        return 0;
    return (uint32_t)(p[0] & 0x0F) << 12 | (uint32_t)(p[1] & 0x3F) << 6 | (uint32_t)(p[2] & 0x3F);
}

static void show(lvl_buffer *out, lvl_text utf8)
{
    const uint8_t *p = (const uint8_t *)utf8.ptr;
    bool blank = true;

    for (size_t i = 0; i < utf8.len && blank; i++)
        blank = p[i] == ' ' || p[i] == '\t' || p[i] == '\n';
    for (size_t i = 0; i < utf8.len; i++) {
        const uint32_t code = three_bytes(p + i, utf8.len - i);
        if (p[i] == 0x7F) {
            add_picture(out, DELETE);
        } else if (p[i] < 0x20 && ((p[i] != '\t' && p[i] != '\n') || blank)) {
            add_picture(out, PICTURES + p[i]);
        } else if ((code >= PICTURES && code < PICTURES_END) || code == 0xFFFE || code == 0xFFFF) {
            add_picture(out, ESCAPE);
            lvl_buffer_printf(out, "%lX;", (unsigned long)code);
            i += 2;
        } else {
            lvl_buffer_u8(out, p[i]);
        }
    }
}

lvl_text tiled_show_text(lvl_arena *arena, lvl_codepage page, lvl_text text)
{
    lvl_buffer utf8 = {0}, shown = {0};
    lvl_text out = {NULL, 0};

    if (is_plain(text))
        return tiled_copy(arena, text);
    lvl_text_to_utf8(&utf8, page, text);
    show(&shown, (lvl_text){(const char *)utf8.data, utf8.len});
    if (utf8.status == LVL_OK && shown.status == LVL_OK)
        out = tiled_copy(arena, (lvl_text){(const char *)shown.data, shown.len});
    else
        arena->failed = true;
    lvl_buffer_free(&utf8);
    lvl_buffer_free(&shown);
    return out;
}

/* The number behind U+241B; its length, 0: there is none. */
static size_t escaped(const uint8_t *p, size_t left, uint32_t *code)
{
    size_t n = 0;

    for (*code = 0; n < left && n < 5; n++) {
        const char c = lvl_lower((char)p[n]);
        if (c == ';')
            return n ? n + 1 : 0;
        if (!lvl_is_digit(c) && !(c >= 'a' && c <= 'f'))
            return 0;
        *code = *code << 4 | (uint32_t)(lvl_is_digit(c) ? c - '0' : c - 'a' + 10);
    }
    return 0;
}

bool tiled_unshow_text(lvl_buffer *out, lvl_text shown)
{
    const uint8_t *p = (const uint8_t *)shown.ptr;

    for (size_t i = 0; i < shown.len; i++) {
        const uint32_t code = three_bytes(p + i, shown.len - i);
        uint32_t other;
        size_t n;
        if (code == ESCAPE && (n = escaped(p + i + 3, shown.len - i - 3, &other)) != 0 && other >= 0x800) {
            add_picture(out, other);
            i += 2 + n;
        } else if (code >= PICTURES && code < PICTURES_END && code != PICTURES + 0x20) {
            lvl_buffer_u8(out, code == DELETE ? 0x7F : (uint8_t)(code - PICTURES));
            i += 2;
        } else {
            lvl_buffer_u8(out, p[i]);
        }
    }
    return out->status == LVL_OK;
}

/* ---- fields ------------------------------------------------------------------------------------------ */

static bool put_short(const tiled_plan *plan, tiled_properties *to, lvl_text name, const char *type,
                      const char *value)
{
    const lvl_text copy = tiled_copy(plan->arena, lvl_text_of(value));

    return copy.ptr && tiled_add(plan->arena, to, name, type, copy);
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
        return put_short(plan, to, f->name, "", buf);
    }
    if (name)
        return put_short(plan, to, f->name, "", name);
    if (lvl_field_is_switch(f->field))
        return put_short(plan, to, f->name, "bool", value ? "true" : "false");
    snprintf(buf, sizeof buf, "%lld", (long long)value);
    return put_short(plan, to, f->name, value >= INT32_MIN && value <= INT32_MAX ? "int" : "", buf);
}

/* As JSON, as a dump has it. */
static bool put_json(const tiled_plan *plan, tiled_properties *to, const void *record, const plan_field *f)
{
    lvl_buffer out = {0};
    lvl_emit w = lvl_emit_of(plan->doc, &out);

    w.compact = true;
    lvl_write_value(&w, record, f->field, 0);
    const lvl_text json =
        tiled_show_text(plan->arena, LVL_CP_UTF8, (lvl_text){(const char *)out.data, out.len});
    const bool ok = out.status == LVL_OK && json.ptr && tiled_add(plan->arena, to, f->name, "", json);
    lvl_buffer_free(&out);
    return ok;
}

static bool put_real(const tiled_plan *plan, tiled_properties *to, const void *record, const plan_field *f)
{
    const double v = lvl_get_real(record, f->field);
    lvl_buffer out = {0};

    if (!isfinite(v) || (v == 0 && signbit(v))) /* which Tiled would not keep */
        return put_json(plan, to, record, f);
    lvl_json_real(&out, v);
    lvl_buffer_u8(&out, 0);
    const bool ok = out.status == LVL_OK && put_short(plan, to, f->name, "float", (const char *)out.data);
    lvl_buffer_free(&out);
    return ok;
}

bool tiled_put_field(const tiled_plan *plan, tiled_properties *to, const void *record, const plan_field *f,
                     int64_t clear)
{
    if (!plan_present(record, f))
        return true;
    const void *holder = plan_record(record, f);
    if (f->field->kind == LVL_INT) {
        const int64_t value = lvl_get_int(holder, f->field) & ~clear;
        return value == f->field->def || put_int(plan, to, f, value);
    }
    if (lvl_value_is_default(holder, f->field))
        return true;
    if (f->field->kind == LVL_TEXT) {
        const lvl_text shown =
            tiled_show_text(plan->arena, plan->doc->codepage, lvl_get_text(holder, f->field));
        return shown.ptr && tiled_add(plan->arena, to, f->name, "", shown);
    }
    return f->field->kind == LVL_REAL ? put_real(plan, to, holder, f) : put_json(plan, to, holder, f);
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
    uint32_t lo = 0, hi = lvl_list_count(list->owner, list->list);
    const uint32_t count = hi;

    while (lo < hi) {
        const uint32_t mid = lo + (hi - lo) / 2;
        if (lvl_text_compare(list->names[mid].name, name) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < count && lvl_text_equal(list->names[lo].name, name) ? list->names[lo].index : UINT32_MAX;
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
