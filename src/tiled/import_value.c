/*
 * tiled/import_value.c: sets the fields of one record from a map, and the importer's messages.
 */
#include "base/buffer.h"
#include "base/text.h"
#include "codec/json.h"
#include "tiled/import.h"
#include "tools/paths/meaning.h"

#include <math.h>
#include <stdio.h>

/* ---- messages ---------------------------------------------------------------------------------------- */

void import_stop(importer *im, lvl_status status)
{
    if (im->status == LVL_OK)
        im->status = status;
}

void import_fail(importer *im, lvl_fault fault, const char *fmt, ...)
{
    va_list args;

    import_stop(im, LVL_ERR_FORMAT);
    va_start(args, fmt);
    lvl_findings_addv(im->findings, &lvl_faults[fault], NULL, NULL, fmt, args);
    va_end(args);
}

void import_warn(importer *im, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    lvl_findings_addv(im->findings, &lvl_faults[LVL_FAULT_MAP_IGNORED], NULL, NULL, fmt, args);
    va_end(args);
}

void import_refuse(importer *im, const char *fmt, ...)
{
    char text[512];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    im->left_out = im->foreign;
    if (im->foreign)
        import_warn(im, "left out: %s", text);
    else
        import_fail(im, LVL_FAULT_MAP_OBJECT, "%s", text);
}

void import_name_layer(importer *im, const tiled_layer *layer)
{
    char buf[80];

    im->object = NULL;
    snprintf(im->what, sizeof im->what, "layer \"%s\"", lvl_show(buf, layer->name));
}

/* Only remembers the object: its name is formatted only if there is a message. */
void import_name_object(importer *im, const tiled_layer *layer, const tiled_object *o)
{
    im->object = o;
    im->layer = layer;
}

const char *import_what(importer *im)
{
    const tiled_object *o = im->object;
    char a[80], b[80];

    if (o)
        snprintf(im->what, sizeof im->what, "object %lu \"%s\" in layer \"%s\"", (unsigned long)o->id,
                 lvl_show(a, o->name.len ? o->name : o->type),
                 lvl_show(b, im->layer ? im->layer->name : (lvl_text){"", 0}));
    return im->what;
}

/* ---- one value --------------------------------------------------------------------------------------- */

/* The text of a property with its control characters restored, in `storage`, which the caller frees. */
static lvl_text plain_text(importer *im, lvl_text shown, lvl_buffer *storage)
{
    if (!tiled_unshow_text(storage, shown))
        import_stop(im, storage->status);
    return (lvl_text){(const char *)storage->data, storage->len};
}

uint32_t import_index_of_id(const plan_list *list, uint32_t id)
{
    if (!list->ids)
        return plan_index_of_id(list, id);
    for (uint32_t i = 0; i < list->id_count; i++) {
        if (list->ids[i] == id)
            return i;
    }
    return LVL_NO_INDEX;
}

static void put_reference(importer *im, void *holder, const plan_field *f, lvl_text text)
{
    const plan_list *list = plan_reference(&im->plan, f->field);
    double id = 0;
    char buf[80];

    if (!lvl_real_parse(text, &id) || id < 0 || id > UINT32_MAX || floor(id) != id) {
        import_fail(im, LVL_FAULT_MAP_OBJECT, "%s: %.*s: expected an object, found \"%s\"", import_what(im),
                    (int)f->name.len, f->name.ptr, lvl_show(buf, text));
        return;
    }
    const uint32_t index = list ? import_index_of_id(list, (uint32_t)id) : LVL_NO_INDEX;
    if (id != 0 && index == LVL_NO_INDEX)
        import_warn(im, "%s: %.*s: there is no object %lu that it could mean; it now means none",
                    import_what(im), (int)f->name.len, f->name.ptr, (unsigned long)id);
    lvl_put_int(holder, f->field, index == LVL_NO_INDEX ? f->field->def : index);
}

static bool parse_int(const importer *im, const void *record, const plan_field *f, lvl_text text,
                      int64_t *out)
{
    double v;

    if (!text.len && f->field->flags & LVL_F_FLAGS) { /* written by Tiled if no flag is set */
        *out = 0;
        return true;
    }
    if (lvl_int_parse(f->field, text, out) || tiled_parse_name(&im->plan, record, f, im->was, text, out))
        return true;
    /* Tiled converts a number beyond 32 bits to a float */
    if (!lvl_real_parse(text, &v) || floor(v) != v || v < -9e15 || v > 9e15 ||
        !lvl_int_fits(f->field, (int64_t)v))
        return false;
    *out = (int64_t)v;
    return true;
}

static void load_json(importer *im, lvl_loader *l, void *holder, const plan_field *f, lvl_text text)
{
    lvl_json_error error;
    yyjson_doc *tree = lvl_json_read(im->doc->ctx, text, &error);

    if (tree)
        lvl_load_value(l, holder, f->field, yyjson_doc_get_root(tree));
    else if (error.status != LVL_ERR_FORMAT)
        import_stop(im, error.status);
    else
        lvl_load_fail(l, LVL_FAULT_JSON, "expected JSON; at character %zu: %s", error.offset + 1, error.text);
    yyjson_doc_free(tree);
}

/* Reports that a text is no value of an integer. */
static void want_int(const importer *im, lvl_loader *l, const void *record, const plan_field *f,
                     lvl_text text)
{
    const lvl_name *names = tiled_names_of(&im->plan, record, f).names;
    char near[160] = "", buf[80];
    lvl_book_item item;

    if (!names && tiled_describe(&im->plan, f->whole, record, &item)) {
        const lvl_meaning_scope all = {item.book, 0, f->offset + f->field->offset};
        if (lvl_meaning_known(&all, text, near, sizeof near)) {
            lvl_load_fail(l, LVL_FAULT_VALUE, "%s has a plain number here, without names; found \"%s\"",
                          item.thing ? item.thing->name : "an unknown class", lvl_show(buf, text));
            return;
        }
    }
    lvl_meaning_near(names, text, near, sizeof near);
    lvl_load_fail(l, LVL_FAULT_VALUE, "expected %s%s%u bits, found \"%s\"%s%s%s", names ? "a name, or " : "",
                  f->field->flags & LVL_F_SIGNED ? "a whole number of " : "a number from 0 of ",
                  (unsigned)f->field->size * 8, lvl_show(buf, text), near[0] ? "; did you mean " : "", near,
                  near[0] ? "?" : "");
}

void import_put(importer *im, void *record, const plan_field *f, lvl_text shown, const char *as)
{
    lvl_findings *why = lvl_findings_new(im->doc->ctx);
    lvl_loader l = {.doc = im->doc, .findings = why, .given = true};
    void *holder = plan_record(record, f);
    lvl_buffer storage = {0};
    int64_t number = 0;
    double real = 0;

    const lvl_text text = plain_text(im, shown, &storage);
    im->changed = true;
    if (!why || im->status != LVL_OK) {
        import_stop(im, LVL_ERR_MEMORY);
    } else if (f->field->kind == LVL_INT) {
        if (parse_int(im, record, f, text, &number))
            lvl_put_int(holder, f->field, number);
        else
            want_int(im, &l, record, f, text);
    } else if (f->field->kind == LVL_REAL && lvl_real_parse(text, &real)) {
        memcpy((uint8_t *)holder + f->field->offset, &real, sizeof real);
    } else if (f->field->kind == LVL_TEXT) {
        lvl_load_text(&l, holder, f->field, text);
        if (l.status == LVL_OK && (f->field->flags & LVL_F_SLOT) &&
            lvl_get_text(holder, f->field).len == f->field->size)
            lvl_load_fail(&l, LVL_FAULT_VALUE, "the text is too long; at most %lu bytes fit",
                          (unsigned long)f->field->size - 1);
    } else {
        load_json(im, &l, holder, f, text);
    }
    for (size_t i = 0; why && i < lvl_findings_count(why); i++)
        import_fail(im, LVL_FAULT_MAP_OBJECT, "%s: %s: %s", import_what(im), as,
                    lvl_findings_at(why, i)->text);
    if (l.status != LVL_OK)
        import_stop(im, l.status);
    lvl_findings_free(why);
    lvl_buffer_free(&storage);
}

/* ---- properties -------------------------------------------------------------------------------------- */

static bool same_text(const tiled_property *a, const tiled_property *b)
{
    return a && b ? lvl_text_equal(a->value, b->value) : a == b;
}

/* Whether two properties are the same number, perhaps spelled differently, or one is missing and the other
 * the default. */
static bool same_number(const importer *im, const void *record, const plan_field *f, const tiled_property *is,
                        const tiled_property *wanted)
{
    int64_t a = f->field->def, b;

    return f->field->kind == LVL_INT && !f->field->ref && wanted &&
           parse_int(im, record, f, wanted->value, &b) && (!is || parse_int(im, record, f, is->value, &a)) &&
           a == b;
}

/* Converts a colour of Tiled, "#aarrggbb", to the form in levels: the alpha is last, and omitted if
 * opaque. */
static lvl_text plain_color(importer *im, lvl_text text)
{
    if (text.len != 9 || text.ptr[0] != '#')
        return text;
    const bool full = lvl_text_equal_nocase((lvl_text){text.ptr + 1, 2}, lvl_text_of("ff"));
    return tiled_printf(&im->map->arena, "#%.6s%.*s", text.ptr + 3, full ? 0 : 2, text.ptr + 1);
}

bool import_field(importer *im, void *record, const plan_field *f, const tiled_properties *from,
                  int64_t clear)
{
    tiled_properties is = {0};
    tiled_property color;
    char name[64];

    if (!f->field || im->status != LVL_OK)
        return false;
    const tiled_property *wanted = tiled_find(from, f->name);
    if (!wanted && (im->fresh || !plan_present(record, f))) /* a new level already has its defaults */
        return false;
    if (wanted && f->field->kind == LVL_TEXT && lvl_text_is(wanted->type, "color")) {
        color = *wanted;
        color.value = plain_color(im, wanted->value);
        wanted = &color;
    }
    tiled_put_field(&im->plan, &is, record, f, clear);
    const tiled_property *now = is.count ? &is.items[0] : NULL;
    if (same_text(now, wanted) || (plan_present(record, f) && same_number(im, record, f, now, wanted)))
        return false;
    snprintf(name, sizeof name, "%.*s", (int)f->name.len, f->name.ptr);
    if (wanted && !plan_present(record, f)) {
        import_fail(im, LVL_FAULT_MAP_OBJECT, "%s: there is no property %s here, as other properties are",
                    import_what(im), name);
        return false;
    }
    im->changed = true;
    if (!wanted) {
        lvl_field_reset(plan_record(record, f), f->field);
    } else if (f->field->ref && lvl_text_is(wanted->type, "object")) {
        put_reference(im, plan_record(record, f), f, wanted->value);
    } else {
        import_put(im, record, f, wanted->value, name);
    }
    return true;
}

static bool is_field(const plan_fields *fields, lvl_text name)
{
    for (uint32_t i = 0; i < fields->count; i++) {
        if (lvl_text_equal(fields->items[i].name, name))
            return true;
    }
    return false;
}

/* Whether the property belongs to something other than `fields`. */
static bool is_other(lvl_text name, const plan_objects *also, const char *prefix)
{
    return lvl_text_begins(name, "lvl.") || (prefix && lvl_text_begins(name, prefix)) ||
           (also && (lvl_text_equal(also->flip.name, name) ||
                     (also->numbered && lvl_text_equal(also->unique.name, name))));
}

/* Whether the properties are exactly those that an export of the record would write, plus `others` more. */
static bool is_unchanged(importer *im, const void *record, const plan_fields *fields,
                         const tiled_properties *from, uint32_t others)
{
    tiled_properties *is = &im->scratch;

    is->count = 0;
    tiled_put_fields(&im->plan, is, record, fields);
    bool same = is->count + others == from->count;
    for (uint32_t i = 0; i < is->count && same; i++)
        same = same_text(&is->items[i], tiled_find(from, is->items[i].name));
    return same;
}

void import_fields(importer *im, void *record, const plan_fields *fields, const tiled_properties *from,
                   const plan_objects *also, const char *prefix)
{
    uint32_t others = 0;

    for (uint32_t i = 0; i < from->count; i++)
        others += is_other(from->items[i].name, also, prefix);
    if (is_unchanged(im, record, fields, from, others)) /* as most are */
        return;
    for (uint32_t i = 0; i < fields->count; i++)
        import_field(im, record, &fields->items[i], from, 0);
    for (uint32_t i = 0; i < from->count && im->status == LVL_OK; i++) {
        const lvl_text name = from->items[i].name;
        char buf[80];
        if (!is_field(fields, name) && !is_other(name, also, prefix))
            import_warn(im, "%s: the property \"%s\" is not stored in the level", import_what(im),
                        lvl_show(buf, name));
    }
}

void import_text(importer *im, void *record, const plan_field *f, lvl_text shown, lvl_text wanted,
                 const char *as)
{
    if (f->field && im->status == LVL_OK && !lvl_text_equal(shown, wanted))
        import_put(im, record, f, wanted, as);
}

void import_shown_text(importer *im, void *record, const plan_field *f, lvl_text wanted, const char *as)
{
    if (f->field && im->status == LVL_OK)
        import_text(im, record, f, plan_text(&im->plan, record, f), wanted, as);
}

void import_number(importer *im, void *record, const plan_field *f, double unit, double value, const char *as)
{
    char a[32], b[32];

    if (!f->field || im->status != LVL_OK)
        return;
    const double is = plan_number(record, f) * unit;
    if (is == value || strcmp(tiled_number(a, is), tiled_number(b, value)) == 0)
        return;
    void *holder = plan_record(record, f);
    im->changed = true;
    if (f->field->kind == LVL_REAL) {
        const double v = value / unit;
        memcpy((uint8_t *)holder + f->field->offset, &v, sizeof v);
        return;
    }
    const double v = floor(value / unit + 0.5);
    if (!(v >= -9e15 && v <= 9e15) || !lvl_int_fits(f->field, (int64_t)v)) {
        import_fail(im, LVL_FAULT_MAP_OBJECT, "%s: %s: %s does not fit", import_what(im), as,
                    tiled_number(b, value));
        return;
    }
    lvl_put_int(holder, f->field, (int64_t)v);
    if (fabs(v * unit - value) >= .5)
        import_warn(im, "%s: %s: %s px is stored as %s: the level has places in steps of %g px",
                    import_what(im), as, tiled_number(b, value), tiled_number(a, v * unit), unit);
}
