/*
 * support/views.c: see support/views.h.
 */
#include "views.h"
#include "tools/world/graph.h"

#include <lvl/scene.h>
#include <lvl/render.h>
#include <lvl/tools.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_PIXELS = 1 << 12, MAX_SIDE = 96 };

static lvl_status nowhere(lvl_writer *writer, const void *data, size_t len)
{
    (void)writer, (void)data, (void)len;
    return LVL_OK;
}

static lvl_status begin_nowhere(lvl_rows *rows, const lvl_picture *picture)
{
    (void)rows, (void)picture;
    return LVL_OK;
}

static lvl_status rows_nowhere(lvl_rows *rows, const uint8_t *pixels, uint32_t count)
{
    (void)rows, (void)pixels, (void)count;
    return LVL_OK;
}

static lvl_status end_nowhere(lvl_rows *rows)
{
    (void)rows;
    return LVL_OK;
}

static bool expected(lvl_status status, const char *what)
{
    switch (status) {
    case LVL_OK:
    case LVL_ERR_MEMORY:
    case LVL_ERR_LIMIT:
    case LVL_ERR_UNSUPPORTED:
    case LVL_ERR_MISSING:
    case LVL_ERR_ARG:
    case LVL_ERR_FORMAT: return true;
    default: fprintf(stderr, "%s: unexpected status: %s\n", what, lvl_status_text(status)); return false;
    }
}

static bool is_large(const lvl_scene *scene, const lvl_render_options *options)
{
    lvl_render_options full = *options;
    uint32_t width, height;

    full.size = 0;
    full.scale_down = full.scale_up = 0;
    return lvl_render_size(scene, &full, &width, &height) == LVL_OK && (uint64_t)width * height > MAX_PIXELS;
}

static void choose(uint32_t choice, lvl_render_options *options)
{
    static const uint32_t sizes[] = {0, 1, 7, 48};
    static const uint32_t scales[] = {0, 1, 3, 200};
    static const int32_t places[] = {0, -300, 100, INT32_MAX, INT32_MIN, 64, 1 << 20, -1};

    lvl_render_options_init(options);
    options->view = (lvl_render_view)(choice % 3);
    options->layer = choice >> 2 & 3;
    options->overlays = choice >> 4 & 31;
    options->overlays &= ~1u;
    options->schematic = choice >> 9 & 1;
    options->transparent = choice >> 10 & 1;
    options->no_things = (choice >> 11 & 7) == 0;
    options->size = sizes[choice >> 14 & 3];
    if (!options->size)
        options->scale_down = scales[choice >> 16 & 3];
    options->camera_given = choice >> 18 & 1;
    options->camera_x = places[choice >> 19 & 7];
    options->camera_y = places[choice >> 22 & 7];
    options->band_bytes = 1 << 14;
    options->view_width = 48;
    options->view_height = 36;
    options->region_given = (choice >> 25 & 3) == 0;
    options->region.left = places[choice >> 27 & 7];
    options->region.top = places[choice >> 29 & 7];
    options->region.right = options->region.left > 0 ? options->region.left : options->region.left + 90;
    options->region.bottom = options->region.top > 0 ? options->region.top : options->region.top + 50;
}

bool lvl_view_scene(const lvl_doc *doc, uint32_t choice)
{
    const lvl_scene_request request = {.frame = choice % 3, .direction = choice >> 3 & 3};
    lvl_rows rows = {begin_nowhere, rows_nowhere, end_nowhere};
    lvl_render_options options;
    lvl_scene *scene = NULL;

    choose(choice, &options);
    lvl_status status = lvl_doc_scene(doc, &request, &scene);
    if (status == LVL_OK && is_large(scene, &options)) {
        options.view = LVL_VIEW_CAMERA;
        options.region_given = false;
    }
    if (status == LVL_OK)
        status = lvl_render(scene, &options, &rows);
    lvl_scene_free(scene);
    return expected(status, "drawing");
}

bool lvl_view_animation(const lvl_doc *doc, uint32_t choice)
{
    lvl_writer writer = {.write = nowhere};
    lvl_render_options options;
    lvl_animation *play = NULL;

    lvl_render_options_init(&options);
    options.size = 16;
    lvl_status status = lvl_doc_play(doc, NULL, &play);
    if (status == LVL_OK && play->frames <= 64) {
        const lvl_render_play what = {
            .doc = doc, .request = {.direction = choice % 4}, .play = play, .options = &options};
        const uint64_t width = (uint64_t)((int64_t)play->bounds.right - play->bounds.left),
                       height = (uint64_t)((int64_t)play->bounds.bottom - play->bounds.top);
        if (width < 512 && height < 512)
            status = choice & 4    ? lvl_render_sheet(&what, choice & 8, &writer)
                     : choice & 16 ? lvl_render_gif(&what, &writer)
                                   : lvl_render_apng(&what, &writer);
    }
    lvl_animation_free(lvl_doc_ctx(doc), play);
    return expected(status, "drawing frames");
}

/* Whether the picture of the changes, which contains all of them, is large. */
static bool spread(const lvl_scene_change *changes, size_t count)
{
    int64_t left = 0, top = 0, right = 0, bottom = 0;

    for (size_t i = 0; i < count; i++) {
        const lvl_rect *r = &changes[i].rect;
        left = i && left < r->left ? left : r->left;
        top = i && top < r->top ? top : r->top;
        right = i && right > r->right ? right : r->right;
        bottom = i && bottom > r->bottom ? bottom : r->bottom;
    }
    return right - left > MAX_SIDE || bottom - top > MAX_SIDE;
}

bool lvl_view_diff(const lvl_doc *before, const lvl_doc *after, uint32_t choice)
{
    const lvl_diff_options text = {.json = choice & 1, .summary = (choice >> 1 & 3) == 0};
    lvl_writer writer = {.write = nowhere};
    lvl_scene *a = NULL, *b = NULL;
    lvl_scene_change *changes = NULL;
    lvl_render_options options;
    lvl_buffer out = {0};
    size_t count = 0;
    bool different;

    lvl_status status = lvl_diff(before, after, &text, &different, &out);
    lvl_buffer_free(&out);
    if (!expected(status, "comparing"))
        return false;
    choose(choice, &options);
    options.view = LVL_VIEW_WHOLE;
    options.region_given = false;
    options.size = 24;
    status = lvl_doc_scene(before, NULL, &a);
    if (status == LVL_OK)
        status = lvl_doc_scene(after, NULL, &b);
    if (status == LVL_OK)
        status = lvl_scene_compare(a, b, &changes, &count);
    if (status == LVL_OK && (choice >> 3 & 3) == 0 && !spread(changes, count))
        status = lvl_render_diff(a, b, changes, count, &options, &writer);
    if (changes)
        lvl_scene_changes_free(a, changes);
    lvl_scene_free(a);
    lvl_scene_free(b);
    return expected(status, "drawing differences");
}

bool lvl_view_graph(const lvl_doc *doc)
{
    char path[] = "a.png";
    const lvl_graph_picture picture = {path, 8, 8};
    lvl_buffer out = {0};

    lvl_graph *graph = lvl_graph_new(lvl_doc_ctx(doc));
    lvl_status status = graph ? lvl_graph_add(graph, 0, "a.nw", doc) : LVL_ERR_MEMORY;
    if (status == LVL_OK)
        status = lvl_graph_finish(graph);
    if (status == LVL_OK)
        status = lvl_graph_dot(graph, &picture, &out);
    if (status == LVL_OK)
        status = lvl_graph_place(graph);
    lvl_graph_free(graph);
    lvl_buffer_free(&out);
    return expected(status, "making a graph");
}
