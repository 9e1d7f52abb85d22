/*
 * catalogue/collect_rows.c: what was collected of a document as rows: its texts, the names of other files,
 * and values of unknown fields.
 */
#include "catalogue/collect.h"
#include "catalogue/collected.h"
#include "catalogue/rows.h"

#include "base/buffer.h"
#include "base/format.h"
#include "base/text.h"
#include "scene/art.h"
#include "tools/tools.h"

#include <string.h>

/* "planes[].objects[].logic" */
static void put_field(const cat_collected *c, uint32_t at, lvl_buffer *out)
{
    const cat_node *n = &c->nodes[at];

    if (!n->field)
        return;
    put_field(c, n->parent, out);
    lvl_buffer_printf(out, "%s%s%s", out->len ? "." : "", n->field->name,
                      n->field->kind == LVL_LIST ? "[]" : "");
}

/* The field with numbers in its brackets: "planes[4].objects[71].logic". */
static void put_place(const lvl_buffer *field, lvl_text numbers, lvl_buffer *out)
{
    size_t at = 0;

    for (size_t i = 0; i < field->len; i++) {
        lvl_buffer_u8(out, field->data[i]);
        if (field->data[i] != '[')
            continue;
        while (at < numbers.len && numbers.ptr[at] != '.')
            lvl_buffer_u8(out, (uint8_t)numbers.ptr[at++]);
        at++;
    }
}

/* The numbers of the place where a value first occurs; a field of the root has none. */
static lvl_text find_place(const cat_node *n, const cat_text_value *v)
{
    return cat_slice(&n->places, v->place, v->place_len);
}

/* Texts of databases hold no NULs: one is shown as its symbol. `line`: nor line breaks. */
static void put_utf8(const cat_collected *c, lvl_text text, bool line, lvl_buffer *out)
{
    size_t from = out->len;

    /* valid UTF-8 is read as such, even in an 8-bit code page: no text has "Ã¼" */
    const bool utf8 = lvl_utf8_valid(text);
    lvl_text_to_utf8(out, utf8 ? LVL_CP_UTF8 : c->doc->codepage, text);
    if (out->status != LVL_OK || out->len == from ||
        (!memchr(out->data + from, 0, out->len - from) &&
         !(line && memchr(out->data + from, '\n', out->len - from))))
        return;
    lvl_buffer plain = {0};
    lvl_buffer_add(&plain, out->data + from, out->len - from);
    out->len = from;
    for (size_t i = 0; i < plain.len; i++) {
        if (!plain.data[i])
            lvl_buffer_str(out, "\xE2\x90\x80");
        else
            lvl_buffer_u8(out, line && plain.data[i] == '\n' ? ' ' : plain.data[i]);
    }
    if (plain.status != LVL_OK)
        out->status = plain.status;
    lvl_buffer_free(&plain);
}

static void put_text_row(lvl_buffer *rows, const lvl_buffer *field, const lvl_buffer *text,
                         const lvl_buffer *places)
{
    cat_row(rows, CAT_TEXTS);
    cat_put_text(rows, field->len ? lvl_buffer_text(field) : lvl_text_of(""));
    cat_put_text(rows, lvl_buffer_text(text));
    cat_put_text(rows, places->len ? lvl_buffer_text(places) : lvl_text_of(""));
    if (field->status != LVL_OK || text->status != LVL_OK || places->status != LVL_OK)
        rows->status = LVL_ERR_MEMORY;
}

/* How many line breaks a text has. */
static size_t count_breaks(lvl_text text)
{
    size_t n = 0;

    for (const char *p = text.ptr, *end = p + text.len; (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++)
        n++;
    return n;
}

static void put_texts(const cat_collected *c, uint32_t at, lvl_buffer *rows)
{
    const cat_node *n = &c->nodes[at];
    lvl_buffer field = {0}, text = {0}, places = {0};

    put_field(c, at, &field);
    for (size_t i = 0; i < n->count; i++) {
        const cat_text_value *v = &n->values[i];
        const lvl_text raw = {(const char *)n->raw.data + v->at, v->len};
        const size_t breaks = count_breaks(raw);
        if (i)
            lvl_buffer_u8(&text, '\n');
        if (i)
            lvl_buffer_u8(&places, '\n');
        put_utf8(c, raw, false, &text);
        if (v->place_len)
            lvl_buffer_add(&places, find_place(n, v).ptr, find_place(n, v).len);
        if (v->count > 1)
            lvl_buffer_printf(&places, " %lu", (unsigned long)v->count);
        if (breaks)
            lvl_buffer_printf(&places, "#%zu", breaks + 1);
    }
    put_text_row(rows, &field, &text, &places);
    lvl_buffer_free(&field);
    lvl_buffer_free(&text);
    lvl_buffer_free(&places);
}

/* Puts a name into a form of names (weapon*.txt). */
static void put_around(lvl_buffer *name, const char *form, const char *star)
{
    lvl_buffer all = {0};

    lvl_buffer_printf(&all, "%.*s%.*s%s", (int)(star - form), form, (int)name->len, (const char *)name->data,
                      star + 1);
    name->len = 0;
    lvl_buffer_add(name, all.data, all.len);
    if (all.status != LVL_OK)
        name->status = all.status;
    lvl_buffer_free(&all);
}

/* The file that a name means, without folders and in lower case; with an ending, that of the document's own
 * format or of the node, for names without one. Empty: it is not the name of a file. */
static void put_folded(const cat_collected *c, const cat_node *n, const lvl_buffer *name, lvl_buffer *out)
{
    size_t last = 0;

    for (size_t i = 0; i < name->len; i++) {
        if (name->data[i] == '/' || name->data[i] == '\\' ||
            (n->what.use == LVL_USE_SCRIPT && name->data[i] == ':'))
            last = i + 1;
    }
    for (size_t i = last; i < name->len; i++)
        lvl_buffer_u8(out, (uint8_t)lvl_lower((char)name->data[i]));
    if ((n->what.ending || n->field->flags & LVL_F_STEM) && out->len && !memchr(out->data, '.', out->len)) {
        const char *form = n->what.ending ? n->what.ending : lvl_stem_endings(c->doc, n->field);
        const char *star = strchr(form, '*');
        if (star)
            put_around(out, form, star);
        else
            lvl_buffer_printf(out, ".%.*s", (int)strcspn(form, " "), form);
    }
}

lvl_text cat_stem(lvl_text name)
{
    size_t len = name.len;

    while (len > 1 && name.ptr[len - 1] != '.')
        len--;
    return (lvl_text){name.ptr ? name.ptr : "", len > 1 ? len - 1 : name.len};
}

/* Whether the art has the file of a key. */
static void put_key_found(const cat_collected *c, const cat_node *n, const cat_text_value *v,
                          const lvl_art *art, lvl_buffer *rows)
{
    const lvl_key_state state =
        art ? lvl_art_look_up(art, c->doc, n->what.use, cat_slice(&n->raw, v->at, v->len)) : LVL_KEY_UNKNOWN;

    if (state == LVL_KEY_UNKNOWN)
        cat_put_null(rows);
    else
        cat_put_int(rows, state == LVL_KEY_FOUND);
}

static void put_refs(const cat_collected *c, uint32_t at, const lvl_art *art, lvl_buffer *rows)
{
    const cat_node *n = &c->nodes[at];
    lvl_buffer field = {0}, name = {0}, folded = {0}, place = {0};
    unsigned brackets = 0;

    put_field(c, at, &field);
    for (size_t i = 0; i < field.len; i++)
        brackets += field.data[i] == '[';
    for (size_t i = 0; i < n->count; i++) {
        const cat_text_value *v = &n->values[i];
        bool number = true;
        name.len = folded.len = place.len = 0;
        put_utf8(c, cat_slice(&n->raw, v->at, v->len), true, &name);
        for (size_t k = 0; k < name.len; k++)
            number = number && lvl_is_digit((char)name.data[k]);
        if (n->field->flags & LVL_F_STEM && number)
            continue; /* an index */
        put_folded(c, n, &name, &folded);
        put_place(&field, find_place(n, v), &place);
        cat_row(rows, CAT_REFS);
        cat_put_str(rows, cat_use_name(n->what.use ? n->what.use : n->field->use));
        cat_put_text(rows, lvl_buffer_text(&name));
        cat_put_int(rows, cat_key_of(cat_stem(lvl_buffer_text(&folded))));
        cat_put_text(rows, lvl_buffer_text(&field));
        if (brackets > 1)
            cat_put_text(rows, lvl_buffer_text(&place));
        else if (brackets)
            cat_put_text(rows, find_place(n, v));
        else
            cat_put_null(rows);
        cat_put_int(rows, v->count);
        /* only such fields are known to name a file */
        const bool is_file =
            n->field->flags & (LVL_F_FILE | LVL_F_STEM) && folded.len && memchr(folded.data, '.', folded.len);
        lvl_buffer_u8(&folded, 0);
        if (n->what.key)
            put_key_found(c, n, v, art, rows);
        else if (is_file && art && folded.status == LVL_OK &&
                 lvl_art_find_name(art, (const char *)folded.data))
            cat_put_int(rows, 1);
        else if (is_file)
            cat_put_int(rows, 0);
        else
            cat_put_null(rows);
    }
    if (field.status != LVL_OK || name.status != LVL_OK || folded.status != LVL_OK || place.status != LVL_OK)
        rows->status = LVL_ERR_MEMORY;
    lvl_buffer_free(&field);
    lvl_buffer_free(&name);
    lvl_buffer_free(&folded);
    lvl_buffer_free(&place);
}

static void put_numbers(const cat_collected *c, uint32_t at, lvl_buffer *rows)
{
    const cat_node *n = &c->nodes[at];
    lvl_buffer field = {0};

    put_field(c, at, &field);
    for (size_t i = 0; i < n->number_count + (n->other_numbers != 0); i++) {
        cat_row(rows, CAT_UNKNOWN);
        cat_put_text(rows, lvl_buffer_text(&field));
        if (i < n->number_count)
            cat_put_int(rows, n->numbers[i].value);
        else
            cat_put_null(rows);
        cat_put_int(rows, (int64_t)(i < n->number_count ? n->numbers[i].count : n->other_numbers));
    }
    if (field.status != LVL_OK)
        rows->status = LVL_ERR_MEMORY;
    lvl_buffer_free(&field);
}

void cat_put_collected(const cat_collected *c, const lvl_art *art, lvl_buffer *rows)
{
    for (uint32_t i = 1; i < c->count; i++) {
        const cat_node *n = &c->nodes[i];
        if (n->raw.status != LVL_OK || n->places.status != LVL_OK)
            rows->status = LVL_ERR_MEMORY;
        else if (n->count && !n->what.use)
            put_texts(c, i, rows);
        /* where each item's meaning is known, its texts were noted by it */
        const bool noted = n->named && c->doc->format->calls->file_places;
        if (n->count && (n->what.use || (n->field->use > LVL_USE_FILES && !noted)))
            put_refs(c, i, art, rows);
        if (n->number_count)
            put_numbers(c, i, rows);
    }
}
