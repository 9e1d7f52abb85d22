/*
 * sketchy/images/palette_file.c: palettes from files that are not drawings: JSON, as a list of swatches
 *
 *     [{"name": "grass", "color": "#00ff00", "solid": true}, …]
 *
 * (alone or as "swatches", as the game writes them and `lvl dump` and `lvl get FILE swatches` do) or by
 * colours, as the game's own tool takes it,
 *
 *     {"#00ff00": {"name": "grass", "solid": true}, "#202020": "ink", …}
 *
 * and GIMP's palettes, lines of three numbers and a name.
 */
#include "base/text.h"
#include "base/work.h"
#include "codec/json.h"
#include "sketchy/look/flat.h"
#include "sketchy/chunks/paint.h"
#include "sketchy/images/image.h"

#include <yyjson.h>

#include <stdio.h>
#include <string.h>

enum { SWATCHES_MAX = LVL_SKETCHY_NONE };

static lvl_status reserve_swatches(lvl_doc *doc, size_t count)
{
    lvl_sketchy *d = doc->root;

    if (count > SWATCHES_MAX)
        return lvl_refuse_fixed(doc->ctx, "swatches", SWATCHES_MAX, count);
    d->swatches = lvl_arena_array(&doc->arena, count + 1, sizeof *d->swatches);
    return d->swatches ? LVL_OK : LVL_ERR_MEMORY;
}

/* ---- JSON -------------------------------------------------------------------------------------------- */

/* Copies a value that is a string; false: no memory. */
static bool take_text(lvl_doc *doc, yyjson_val *value, lvl_text *out)
{
    if (yyjson_is_str(value))
        *out = lvl_doc_text(doc, lvl_json_str(value));
    return !yyjson_is_str(value) || out->ptr;
}

/* `color`: the key of the value if that is a colour, or NULL. */
static lvl_status read_swatch(lvl_doc *doc, yyjson_val *value, yyjson_val *color)
{
    lvl_sketchy *d = doc->root;
    lvl_sketchy_swatch *s = &d->swatches[d->swatch_count];
    uint8_t rgba[4];

    if (!yyjson_is_obj(value) && !(color && yyjson_is_str(value)))
        return LVL_ERR_FORMAT;
    for (uint32_t i = 0; i < lvl_sketchy_swatch_table.field_count; i++) {
        const lvl_field *f = &lvl_sketchy_swatch_table.fields[i];
        uint8_t *member = (uint8_t *)s + f->offset;
        yyjson_val *v = yyjson_obj_get(value, f->name);
        if (f->kind != LVL_TEXT)
            *member = yyjson_is_true(v) || yyjson_get_uint(v) == 1 || yyjson_equals_str(v, "yes") ||
                      yyjson_equals_str(v, "true");
        else if (!take_text(doc, v, (lvl_text *)(void *)member))
            return LVL_ERR_MEMORY;
    }
    if (!take_text(doc, color, &s->color) || !take_text(doc, value, &s->name))
        return LVL_ERR_MEMORY;
    if (!s->name.len)
        s->name = s->color;
    d->swatch_count++;
    return lvl_sketchy_color(s->color, rgba) ? LVL_OK : LVL_ERR_FORMAT;
}

/* The list of swatches, in any place where files have it. */
static yyjson_val *list_in(yyjson_val *root)
{
    yyjson_val *const places[] = {root, yyjson_obj_get(root, "swatches"), yyjson_obj_get(root, "Swatches"),
                                  yyjson_obj_get(yyjson_obj_get(root, "palette"), "swatches"),
                                  yyjson_obj_get(yyjson_obj_get(root, "doc"), "swatches")};

    for (size_t i = 0; i < LVL_COUNT_OF(places); i++) {
        if (yyjson_is_arr(places[i]))
            return places[i];
    }
    return NULL;
}

static lvl_status read_json(lvl_doc *doc, lvl_text text)
{
    lvl_json_error error;
    yyjson_doc *json = lvl_json_read(doc->ctx, text, &error);
    size_t at, count;
    yyjson_val *key, *item;

    if (!json)
        return error.status;
    yyjson_val *root = yyjson_doc_get_root(json), *list = list_in(root);
    yyjson_val *by_color = !list && yyjson_is_obj(root) ? root : NULL;
    lvl_status status = list || by_color
                            ? reserve_swatches(doc, yyjson_arr_size(list) + yyjson_obj_size(by_color))
                            : LVL_ERR_FOREIGN;
    if (list) { /* yyjson's loops add to the pointer, so it must not be NULL */
        yyjson_arr_foreach(list, at, count, item)
        {
            if (status == LVL_OK)
                status = read_swatch(doc, item, NULL);
        }
    } else if (by_color) {
        yyjson_obj_foreach(by_color, at, count, key, item)
        {
            if (status == LVL_OK)
                status = read_swatch(doc, item, key);
        }
    }
    yyjson_doc_free(json);
    return status;
}

/* ---- GIMP -------------------------------------------------------------------------------------------- */

static lvl_text next_line(lvl_text *rest)
{
    lvl_text line = lvl_text_take_line(rest);

    while (line.len && (line.ptr[line.len - 1] == '\r' || line.ptr[line.len - 1] == ' '))
        line.len--;
    return line;
}

static void skip_blanks(lvl_text *text)
{
    while (text->len &&
           (*text->ptr == ' ' || *text->ptr == '\t' || *text->ptr == '\r' || *text->ptr == '\n')) {
        text->ptr++;
        text->len--;
    }
}

/* Parses three numbers up to 255; `line` becomes the text after them. */
static bool three_numbers(lvl_text *line, unsigned rgb[3])
{
    for (int k = 0; k < 3; k++) {
        size_t digits = 0;
        rgb[k] = 0;
        for (skip_blanks(line); line->len && lvl_is_digit(*line->ptr) && digits < 4; digits++) {
            rgb[k] = rgb[k] * 10 + (unsigned)(*line->ptr++ - '0');
            line->len--;
        }
        if (!digits || rgb[k] > 255)
            return false;
    }
    skip_blanks(line);
    return true;
}

static lvl_status read_gimp(lvl_doc *doc, lvl_text rest)
{
    lvl_sketchy *d = doc->root;
    lvl_text count = rest;
    size_t lines = 0;
    unsigned rgb[3];
    char text[16];

    for (; count.len; lines++)
        (void)next_line(&count);
    lvl_status status = reserve_swatches(doc, lines);
    for ((void)next_line(&rest); rest.len && status == LVL_OK;) {
        lvl_text line = next_line(&rest);
        if (!line.len || *line.ptr == '#' || !three_numbers(&line, rgb))
            continue; /* a comment, the palette's name, its columns */
        lvl_sketchy_swatch *s = &d->swatches[d->swatch_count++];
        snprintf(text, sizeof text, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
        s->color = lvl_doc_text(doc, lvl_text_of(text));
        s->name = line.len ? lvl_doc_text(doc, line) : s->color;
        if (!s->color.ptr || !s->name.ptr)
            status = LVL_ERR_MEMORY;
    }
    return status;
}

lvl_status lvl_sketchy_read_palette(lvl_doc *doc, lvl_bytes file)
{
    lvl_text text = {(const char *)file.ptr, file.len};

    if (lvl_text_begins(text, "GIMP Palette"))
        return read_gimp(doc, text);
    skip_blanks(&text);
    return text.len && (*text.ptr == '{' || *text.ptr == '[') ? read_json(doc, text) : LVL_ERR_FOREIGN;
}
