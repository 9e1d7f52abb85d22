/*
 * scene/scene_json.c: a scene, and how an animation runs, as JSON for programs that show them.
 */
#include "codec/json.h"
#include "base/text.h"
#include "scene/scene.h"

#include <lvl/graph.h>

enum { MARK = 16 }; /* px of the rectangle around a thing that has neither picture nor place */

static void rect_json(lvl_buffer *out, lvl_rect r)
{
    lvl_buffer_printf(out, "[%ld,%ld,%lld,%lld]", (long)r.left, (long)r.top, (long long)r.right - r.left + 1,
                      (long long)r.bottom - r.top + 1);
}

static void path_json(lvl_buffer *out, const lvl_where *where)
{
    char path[512];

    lvl_where_text(where, path, sizeof path);
    lvl_json_string(out, lvl_text_of(path));
}

static const char *yes_no(bool value)
{
    return value ? "true" : "false";
}

static void layer_json(lvl_buffer *out, const lvl_scene *scene, const lvl_scene_layer *l)
{
    lvl_buffer_str(out, "{\"name\":");
    lvl_json_text(out, scene->codepage, l->name);
    lvl_buffer_printf(out, ",\"z\":%ld,\"main\":%s,\"hidden\":%s,\"wrap_x\":%s,\"wrap_y\":%s", (long)l->z,
                      yes_no(l->main), yes_no(l->hidden), yes_no(l->wrap_x), yes_no(l->wrap_y));
    lvl_buffer_printf(out, ",\"columns\":%lu,\"rows\":%lu,\"cell_width\":%lu,\"cell_height\":%lu",
                      (unsigned long)l->columns, (unsigned long)l->rows, (unsigned long)l->cell_width,
                      (unsigned long)l->cell_height);
    lvl_buffer_printf(out, ",\"move_x\":%ld,\"move_y\":%ld,\"shift_x\":%ld,\"shift_y\":%ld}", (long)l->move_x,
                      (long)l->move_y, (long)l->shift_x, (long)l->shift_y);
}

/* The rectangle of a thing: of its picture, of the area that it occupies, or of a mark. */
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

    lvl_buffer_str(out, "{\"path\":");
    if (lvl_scene_thing_where(t, &where))
        path_json(out, &where);
    else
        lvl_buffer_str(out, "null");
    lvl_buffer_printf(out, ",\"kind\":\"%s\",\"label\":", lvl_thing_kind_name(t->kind));
    lvl_json_text(out, scene->codepage, t->label);
    lvl_buffer_str(out, ",\"picture\":");
    lvl_json_text(out, scene->codepage, t->picture);
    lvl_buffer_printf(out,
                      ",\"x\":%ld,\"y\":%ld,\"z\":%ld,\"hidden\":%s,\"dropped\":%s,\"missing\":%s,\"rect\":",
                      (long)t->x, (long)t->y, (long)t->z, yes_no(t->flags & LVL_THING_HIDDEN),
                      yes_no(t->flags & LVL_THING_DROPPED), yes_no(t->flags & LVL_THING_MISSING));
    rect_json(out, place_of(t));
    lvl_buffer_u8(out, '}');
}

typedef struct link_list {
    lvl_buffer *out;
    lvl_codepage codepage;
    bool more;
} link_list;

static lvl_status link_json(void *user, const lvl_doc_link *link)
{
    static const char *const ways[] = {"door", "left", "up", "right", "down", "place"};
    link_list *list = user;

    lvl_buffer_str(list->out, list->more ? ",{\"target\":" : "{\"target\":");
    list->more = true;
    lvl_json_text(list->out, list->codepage, link->target);
    lvl_buffer_printf(list->out, ",\"way\":\"%s\",\"path\":", ways[link->way]);
    path_json(list->out, &link->where);
    if (link->way == LVL_WAY_PLACE) {
        lvl_buffer_printf(list->out, ",\"column\":%lu,\"row\":%lu", (unsigned long)link->column,
                          (unsigned long)link->row);
    } else {
        lvl_buffer_str(list->out, ",\"rect\":");
        rect_json(list->out, link->rect);
    }
    lvl_buffer_u8(list->out, '}');
    return list->out->status;
}

lvl_status lvl_scene_json(const lvl_doc *doc, const lvl_scene *scene, lvl_buffer *out)
{
    link_list links = {out, scene->codepage, false};

    lvl_buffer_str(out, "{\"title\":");
    lvl_json_text(out, scene->codepage, scene->title);
    lvl_buffer_str(out, ",\"bounds\":");
    if (scene->has_bounds)
        rect_json(out, scene->bounds);
    else
        lvl_buffer_str(out, "null");
    lvl_buffer_printf(out, ",\"start\":[%ld,%ld],\"zero\":[%ld,%ld],\"free_camera\":%s", (long)scene->start_x,
                      (long)scene->start_y, (long)scene->zero_x, (long)scene->zero_y,
                      yes_no(scene->free_camera));
    lvl_buffer_printf(out, ",\"has_art\":%s,\"files\":%lu,\"missing_files\":%lu", yes_no(scene->has_art),
                      (unsigned long)scene->files, (unsigned long)scene->missing_files);
    lvl_buffer_printf(out, ",\"missing_tiles\":%lu,\"missing_things\":%lu,\"layers\":[",
                      (unsigned long)scene->missing_tiles, (unsigned long)scene->missing_things);
    for (uint32_t i = 0; i < scene->layer_count; i++) {
        lvl_buffer_str(out, i ? "," : "");
        layer_json(out, scene, &scene->layers[i]);
    }
    lvl_buffer_str(out, "],\"things\":[");
    for (uint32_t i = 0; i < scene->thing_count; i++) {
        lvl_buffer_str(out, i ? "," : "");
        thing_json(out, scene, &scene->things[i]);
    }
    lvl_buffer_str(out, "],\"arrows\":[");
    for (uint32_t i = 0; i < scene->link_count; i++) {
        const lvl_scene_link *l = &scene->links[i];
        lvl_buffer_printf(out, "%s{\"kind\":\"%s\",\"from\":[%ld,%ld],\"to\":[%ld,%ld]}", i ? "," : "",
                          lvl_thing_kind_name(l->kind), (long)l->x0, (long)l->y0, (long)l->x1, (long)l->y1);
    }
    lvl_buffer_str(out, "],\"links\":[");
    const lvl_status status = lvl_doc_links(doc, link_json, &links);
    lvl_buffer_str(out, "]}\n");
    return status == LVL_ERR_UNSUPPORTED || status == LVL_OK ? out->status : status;
}

lvl_status lvl_animation_json(const lvl_doc *doc, const lvl_animation *play, lvl_buffer *out)
{
    lvl_buffer_printf(out, "{\"frames\":%lu,\"directions\":%lu,\"loops\":%s,\"has_art\":%s,\"bounds\":",
                      (unsigned long)play->frames, (unsigned long)play->directions, yes_no(play->loops),
                      yes_no(play->has_art));
    rect_json(out, play->bounds);
    lvl_buffer_str(out, ",\"durations\":[");
    for (uint32_t i = 0; i < play->frames; i++)
        lvl_buffer_printf(out, "%s%lu", i ? "," : "", (unsigned long)play->durations[i]);
    lvl_buffer_str(out, "],\"names\":[");
    for (uint32_t i = 0; play->names && i < play->directions; i++) {
        lvl_buffer_str(out, i ? "," : "");
        lvl_json_string(out, lvl_text_of(play->names[i]));
    }
    lvl_buffer_str(out, "],\"frame_names\":[");
    for (uint32_t i = 0; play->frame_names && i < play->frames; i++) {
        lvl_buffer_str(out, i ? "," : "");
        lvl_json_text(out, lvl_doc_codepage(doc), play->frame_names[i]);
    }
    lvl_buffer_str(out, "]}\n");
    return out->status;
}
