/*
 * sketchy/palette_file.c: palettes out of other files than drawings: JSON, as a list of swatches
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
#include "sketchy/flat.h"
#include "sketchy/paint.h"

#include <yyjson.h>

#include <stdio.h>
#include <string.h>

enum { SWATCHES_MAX = LVL_SKETCHY_NONE };

static lvl_sketchy_swatch *add(lvl_doc *doc, uint32_t room)
{
    lvl_sketchy *d = doc->root;

    return d->swatch_count < room ? &d->swatches[d->swatch_count++] : NULL;
}

static lvl_status make_room(lvl_doc *doc, size_t count)
{
    lvl_sketchy *d = doc->root;

    if (count > SWATCHES_MAX)
        return lvl_refuse_fixed(doc->ctx, "swatches", SWATCHES_MAX, count);
    d->swatches = lvl_arena_array(&doc->arena, count + 1, sizeof *d->swatches);
    return d->swatches ? LVL_OK : LVL_ERR_MEMORY;
}

/* ---- JSON -------------------------------------------------------------------------------------------- */

static bool text_of(lvl_doc *doc, yyjson_val *object, const char *key, lvl_text *out)
{
    yyjson_val *v = yyjson_obj_get(object, key);

    if (v && yyjson_is_str(v))
        *out = lvl_doc_text(doc, lvl_json_str(v));
    return !v || !yyjson_is_str(v) || out->ptr;
}

static uint8_t flag_of(yyjson_val *object, const char *key)
{
    yyjson_val *v = yyjson_obj_get(object, key);

    return v && (yyjson_get_bool(v) || yyjson_get_uint(v) == 1 || yyjson_equals_str(v, "yes") ||
                 yyjson_equals_str(v, "true"));
}

/* `color` is the key that it stands under, or NULL. */
static lvl_status read_swatch(lvl_doc *doc, yyjson_val *object, yyjson_val *color, uint32_t room)
{
    const bool named = color && yyjson_is_str(object);
    lvl_sketchy_swatch *s = yyjson_is_obj(object) || named ? add(doc, room) : NULL;
    uint8_t rgba[4];

    if (!s)
        return LVL_ERR_FORMAT;
    for (uint32_t i = 0; i < lvl_sketchy_swatch_table.field_count; i++) {
        const lvl_field *f = &lvl_sketchy_swatch_table.fields[i];
        uint8_t *member = (uint8_t *)s + f->offset;
        if (f->kind != LVL_TEXT)
            *member = flag_of(object, f->name);
        else if (!text_of(doc, object, f->name, (lvl_text *)(void *)member))
            return LVL_ERR_MEMORY;
    }
    if (color)
        s->color = lvl_doc_text(doc, lvl_json_str(color));
    if (named)
        s->name = lvl_doc_text(doc, lvl_json_str(object));
    if ((color && !s->color.ptr) || (named && !s->name.ptr))
        return LVL_ERR_MEMORY;
    if (!s->name.len)
        s->name = s->color;
    return lvl_sketchy_color(s->color, rgba) ? LVL_OK : LVL_ERR_FORMAT;
}

/* The list itself, wherever it may lie. */
static yyjson_val *list_in(yyjson_val *root)
{
    static const char *const keys[] = {"swatches", "Swatches"};
    static const char *const around[] = {"palette", "doc"};

    if (yyjson_is_arr(root))
        return root;
    for (size_t i = 0; i < 2; i++) {
        yyjson_val *list = yyjson_obj_get(root, keys[i]);
        if (yyjson_is_arr(list))
            return list;
    }
    for (size_t i = 0; i < 2; i++) {
        yyjson_val *inner = yyjson_obj_get(root, around[i]);
        yyjson_val *list = inner ? yyjson_obj_get(inner, keys[0]) : NULL;
        if (yyjson_is_arr(list))
            return list;
    }
    return NULL;
}

static lvl_status read_json(lvl_doc *doc, lvl_text text)
{
    lvl_json_error error;
    yyjson_doc *json = lvl_json_read(text, &error);
    lvl_status status = LVL_ERR_FOREIGN;
    size_t at, count;
    yyjson_val *key, *item;

    if (!json)
        return error.status;
    yyjson_val *root = yyjson_doc_get_root(json), *list = list_in(root);
    if (list) {
        count = yyjson_arr_size(list);
        status = make_room(doc, count);
        yyjson_arr_foreach(list, at, count, item)
        {
            if (status == LVL_OK)
                status = read_swatch(doc, item, NULL, (uint32_t)count);
        }
    } else if (yyjson_is_obj(root)) {
        count = yyjson_obj_size(root);
        status = make_room(doc, count);
        yyjson_obj_foreach(root, at, count, key, item)
        {
            if (status == LVL_OK)
                status = read_swatch(doc, item, key, (uint32_t)count);
        }
    }
    yyjson_doc_free(json);
    return status;
}

/* ---- GIMP -------------------------------------------------------------------------------------------- */

static lvl_text next_line(lvl_text *rest)
{
    const char *end = rest->len ? memchr(rest->ptr, '\n', rest->len) : NULL;
    lvl_text line = {rest->ptr, end ? (size_t)(end - rest->ptr) : rest->len};
    const size_t step = line.len + (end ? 1 : 0);

    rest->ptr += step;
    rest->len -= step;
    while (line.len && (line.ptr[line.len - 1] == '\r' || line.ptr[line.len - 1] == ' '))
        line.len--;
    return line;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Three numbers up to 255, and what follows them. */
static bool three_numbers(lvl_text *line, uint8_t rgb[3])
{
    for (int k = 0; k < 3; k++) {
        unsigned n = 0;
        size_t digits = 0;
        while (line->len && is_blank(*line->ptr)) {
            line->ptr++;
            line->len--;
        }
        for (; line->len && *line->ptr >= '0' && *line->ptr <= '9' && digits < 4; digits++) {
            n = n * 10 + (unsigned)(*line->ptr++ - '0');
            line->len--;
        }
        if (!digits || n > 255)
            return false;
        rgb[k] = (uint8_t)n;
    }
    while (line->len && is_blank(*line->ptr)) {
        line->ptr++;
        line->len--;
    }
    return true;
}

static lvl_status read_gimp(lvl_doc *doc, lvl_text rest)
{
    lvl_text count = rest, line;
    size_t lines = 0;
    uint8_t rgb[3];
    char text[16];

    for (; count.len; lines++)
        (void)next_line(&count);
    lvl_status status = make_room(doc, lines);
    for ((void)next_line(&rest); rest.len && status == LVL_OK;) {
        line = next_line(&rest);
        if (!line.len || *line.ptr == '#' || !three_numbers(&line, rgb))
            continue; /* a comment, a name of the whole, columns */
        lvl_sketchy_swatch *s = add(doc, (uint32_t)lines);
        if (!s)
            return LVL_ERR_FORMAT;
        snprintf(text, sizeof text, "#%02x%02x%02x", (unsigned)rgb[0], (unsigned)rgb[1], (unsigned)rgb[2]);
        s->color = lvl_doc_text(doc, lvl_text_of(text));
        s->name = line.len ? lvl_doc_text(doc, line) : s->color;
        if (!s->color.ptr || !s->name.ptr)
            return LVL_ERR_MEMORY;
    }
    return status;
}

lvl_status lvl_sketchy_read_palette(lvl_doc *doc, lvl_bytes file)
{
    static const char gimp[] = "GIMP Palette";
    lvl_text text = {(const char *)file.ptr, file.len};

    if (text.len >= sizeof gimp - 1 && memcmp(text.ptr, gimp, sizeof gimp - 1) == 0)
        return read_gimp(doc, text);
    while (text.len && (is_blank(*text.ptr) || *text.ptr == '\r' || *text.ptr == '\n')) {
        text.ptr++;
        text.len--;
    }
    return text.len && (*text.ptr == '{' || *text.ptr == '[') ? read_json(doc, text) : LVL_ERR_FOREIGN;
}
