/*
 * scene/scene_json.c: scenes and the timing of animations as JSON, for programs that show them.
 */
#include "codec/json.h"
#include "base/text.h"
#include "scene/scene.h"

#include <lvl/scene.h>

enum { MARK = 16 }; /* px of the rectangle around a thing that has neither a picture nor an area */

/* A list of numbers as a member; `key` NULL: an item of a list. Avoids printf, which would take most of the
 * time in a level with many things. */
static void numbers_json(lvl_buffer *out, const char *key, const int64_t *values, size_t count)
{
    lvl_json_open(out, key, '[');
    for (size_t i = 0; i < count; i++)
        lvl_json_put_int(out, NULL, values[i]);
    lvl_buffer_u8(out, ']');
}

static void pair_json(lvl_buffer *out, const char *key, int32_t x, int32_t y)
{
    numbers_json(out, key, (const int64_t[]){x, y}, 2);
}

static void rect_json(lvl_buffer *out, const char *key, lvl_rect r)
{
    numbers_json(
        out, key,
        (const int64_t[]){r.left, r.top, (int64_t)r.right - r.left + 1, (int64_t)r.bottom - r.top + 1}, 4);
}

static void text_json(lvl_buffer *out, const char *key, lvl_codepage codepage, lvl_text text)
{
    lvl_json_key(out, key);
    lvl_json_text(out, codepage, text);
}

/* `where` NULL: null. */
static void path_json(lvl_buffer *out, const lvl_where *where)
{
    char path[512];

    if (where)
        lvl_where_text(where, path, sizeof path);
    lvl_json_key(out, "path");
    if (where)
        lvl_json_string(out, lvl_text_of(path));
    else
        lvl_buffer_str(out, "null");
}

static void layer_json(lvl_buffer *out, const lvl_scene *scene, const lvl_scene_layer *l)
{
    lvl_json_open(out, NULL, '{');
    text_json(out, "name", scene->codepage, l->name);
    lvl_json_put_int(out, "z", l->z);
    lvl_json_put_bool(out, "main", l->main);
    lvl_json_put_bool(out, "hidden", l->hidden);
    lvl_json_put_bool(out, "wrap_x", l->wrap_x);
    lvl_json_put_bool(out, "wrap_y", l->wrap_y);
    lvl_json_put_uint(out, "columns", l->columns);
    lvl_json_put_uint(out, "rows", l->rows);
    lvl_json_put_uint(out, "cell_width", l->cell_width);
    lvl_json_put_uint(out, "cell_height", l->cell_height);
    lvl_json_put_int(out, "move_x", l->move_x);
    lvl_json_put_int(out, "move_y", l->move_y);
    lvl_json_put_int(out, "shift_x", l->shift_x);
    lvl_json_put_int(out, "shift_y", l->shift_y);
    lvl_buffer_u8(out, '}');
}

/* The rectangle of a thing: its picture, the area that it occupies, or a mark. */
static lvl_rect place_of(const lvl_scene_thing *t)
{
    lvl_rect rect;

    if (lvl_scene_thing_place(t, &rect))
        return rect;
    const int32_t x = t->x > INT32_MIN + MARK ? t->x - MARK / 2 : t->x,
                  y = t->y > INT32_MIN + MARK ? t->y - MARK / 2 : t->y;
    return (lvl_rect){x, y, x > INT32_MAX - MARK ? x : x + MARK - 1, y > INT32_MAX - MARK ? y : y + MARK - 1};
}

static void thing_json(lvl_buffer *out, const lvl_scene *scene, const lvl_scene_thing *t)
{
    lvl_where where;

    lvl_json_open(out, NULL, '{');
    path_json(out, lvl_scene_thing_where(t, &where) ? &where : NULL);
    lvl_json_put_string(out, "kind", lvl_thing_kind_name(t->kind));
    text_json(out, "label", scene->codepage, t->label);
    text_json(out, "picture", scene->codepage, t->picture);
    lvl_json_put_int(out, "x", t->x);
    lvl_json_put_int(out, "y", t->y);
    lvl_json_put_int(out, "z", t->z);
    lvl_json_put_bool(out, "hidden", t->flags & LVL_THING_HIDDEN);
    lvl_json_put_bool(out, "dropped", t->flags & LVL_THING_DROPPED);
    lvl_json_put_bool(out, "missing", t->flags & LVL_THING_MISSING);
    rect_json(out, "rect", place_of(t));
    lvl_buffer_u8(out, '}');
}

typedef struct link_list {
    lvl_buffer *out;
    lvl_codepage codepage;
} link_list;

static lvl_status link_json(void *user, const lvl_doc_link *link)
{
    static const char *const ways[] = {"door", "left", "up", "right", "down", "place"};
    const link_list *list = user;

    lvl_json_open(list->out, NULL, '{');
    text_json(list->out, "target", list->codepage, link->target);
    lvl_json_put_string(list->out, "way", ways[link->way]);
    path_json(list->out, &link->where);
    if (link->way == LVL_WAY_PLACE) {
        lvl_json_put_uint(list->out, "column", link->column);
        lvl_json_put_uint(list->out, "row", link->row);
    } else {
        rect_json(list->out, "rect", link->rect);
    }
    lvl_buffer_u8(list->out, '}');
    return list->out->status;
}

lvl_status lvl_scene_json(const lvl_doc *doc, const lvl_scene *scene, lvl_buffer *out)
{
    link_list links = {out, scene->codepage};

    lvl_json_open(out, NULL, '{');
    text_json(out, "title", scene->codepage, scene->title);
    if (scene->has_bounds) {
        rect_json(out, "bounds", scene->bounds);
    } else {
        lvl_json_key(out, "bounds");
        lvl_buffer_str(out, "null");
    }
    pair_json(out, "start", scene->start_x, scene->start_y);
    pair_json(out, "zero", scene->zero_x, scene->zero_y);
    lvl_json_put_bool(out, "free_camera", scene->free_camera);
    lvl_json_put_bool(out, "has_art", scene->has_art);
    lvl_json_put_uint(out, "files", scene->files);
    lvl_json_put_uint(out, "missing_files", scene->missing_files);
    lvl_json_put_uint(out, "missing_tiles", scene->missing_tiles);
    lvl_json_put_uint(out, "missing_cells", scene->missing_cells);
    lvl_json_put_uint(out, "missing_things", scene->missing_things);
    lvl_json_open(out, "layers", '[');
    for (uint32_t i = 0; i < scene->layer_count; i++)
        layer_json(out, scene, &scene->layers[i]);
    lvl_buffer_u8(out, ']');
    lvl_json_open(out, "things", '[');
    for (uint32_t i = 0; i < scene->thing_count; i++)
        thing_json(out, scene, &scene->things[i]);
    lvl_buffer_u8(out, ']');
    lvl_json_open(out, "arrows", '[');
    for (uint32_t i = 0; i < scene->link_count; i++) {
        const lvl_scene_link *l = &scene->links[i];
        lvl_json_open(out, NULL, '{');
        lvl_json_put_string(out, "kind", lvl_thing_kind_name(l->kind));
        pair_json(out, "from", l->x0, l->y0);
        pair_json(out, "to", l->x1, l->y1);
        lvl_buffer_u8(out, '}');
    }
    lvl_buffer_u8(out, ']');
    lvl_json_open(out, "links", '[');
    const lvl_status status = lvl_doc_links(doc, link_json, &links);
    lvl_buffer_str(out, "]}\n");
    return status == LVL_ERR_UNSUPPORTED || status == LVL_OK ? out->status : status;
}

lvl_status lvl_animation_json(const lvl_doc *doc, const lvl_animation *play, lvl_buffer *out)
{
    lvl_json_open(out, NULL, '{');
    lvl_json_put_uint(out, "frames", play->frames);
    lvl_json_put_uint(out, "directions", play->directions);
    lvl_json_put_bool(out, "loops", play->loops);
    lvl_json_put_bool(out, "has_art", play->has_art);
    rect_json(out, "bounds", play->bounds);
    lvl_json_open(out, "durations", '[');
    for (uint32_t i = 0; i < play->frames; i++)
        lvl_json_put_uint(out, NULL, play->durations[i]);
    lvl_buffer_u8(out, ']');
    lvl_json_open(out, "names", '[');
    for (uint32_t i = 0; play->names && i < play->directions; i++)
        lvl_json_put_string(out, NULL, play->names[i]);
    lvl_buffer_u8(out, ']');
    lvl_json_open(out, "frame_names", '[');
    for (uint32_t i = 0; play->frame_names && i < play->frames; i++)
        text_json(out, NULL, lvl_doc_codepage(doc), play->frame_names[i]);
    lvl_buffer_str(out, "]}\n");
    return out->status;
}
