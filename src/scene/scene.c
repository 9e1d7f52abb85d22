/*
 * scene/scene.c: memory of scenes, the order of drawing, where things stand.
 */
#include <lvl/scene.h>

#include "base/arena.h"
#include "base/format.h"

#include <stdlib.h>
#include <string.h>

struct lvl_scene_memory {
    lvl_arena arena;
};

static const char *const kind_names[LVL_THING_COUNT] = {
    "unknown", "enemy", "boss",       "treasure", "item",  "container", "platform",
    "hazard",  "warp",  "checkpoint", "trigger",  "sound", "scenery",   "start",
};

const char *lvl_thing_kind_name(lvl_thing_kind kind)
{
    return (unsigned)kind < LVL_THING_COUNT ? kind_names[kind] : kind_names[0];
}

lvl_scene *lvl_scene_new(const lvl_ctx *ctx)
{
    lvl_scene_memory *memory = lvl_mem_alloc(ctx, sizeof *memory);

    if (!memory)
        return NULL;
    lvl_arena_init(&memory->arena, ctx);
    lvl_scene *scene = lvl_arena_alloc(&memory->arena, sizeof *scene);
    if (!scene) {
        lvl_arena_free(&memory->arena);
        lvl_mem_free(ctx, memory);
        return NULL;
    }
    scene->ctx = ctx;
    scene->codepage = ctx ? ctx->codepage : LVL_CP_1252;
    scene->memory = memory;
    return scene;
}

void *lvl_scene_alloc(lvl_scene *scene, size_t count, size_t size)
{
    return lvl_arena_array(&scene->memory->arena, count, size);
}

void lvl_scene_free(lvl_scene *scene)
{
    if (!scene)
        return;
    lvl_scene_memory *memory = scene->memory;
    const lvl_ctx *ctx = scene->ctx;
    lvl_arena_free(&memory->arena); /* the scene itself lies in it */
    lvl_mem_free(ctx, memory);
}

lvl_status lvl_doc_scene(const lvl_doc *doc, const lvl_scene_request *request, lvl_scene **out)
{
    static const lvl_scene_request nothing = {0};

    *out = NULL;
    if (!doc->format->scene)
        return LVL_ERR_UNSUPPORTED;
    return doc->format->scene(doc, request ? request : &nothing, out);
}

/* ---- animations ------------------------------------------------------------------------------------------------------------------ */

lvl_status lvl_doc_play(const lvl_doc *doc, const lvl_scene_request *request, lvl_play **out)
{
    static const lvl_scene_request nothing = {0};

    *out = NULL;
    if (!doc->format->play)
        return LVL_ERR_UNSUPPORTED;
    return doc->format->play(doc, request ? request : &nothing, out);
}

void lvl_play_free(const lvl_ctx *ctx, lvl_play *play)
{
    lvl_mem_free(ctx, play);
}

/* ---- order ----------------------------------------------------------------------------------------------------------------------- */

/* Stable, in n log n whatever the input: merges halves through `scratch`. */
static void sort_by_z(lvl_scene_thing *things, lvl_scene_thing *scratch, uint32_t count)
{
    for (uint32_t width = 1; width<count; width = width> count / 2 ? count : width * 2) {
        for (uint32_t from = 0; from < count; from += width * 2) {
            const uint32_t middle = count - from > width ? from + width : count;
            const uint32_t end = count - middle > width ? middle + width : count;
            uint32_t a = from, b = middle, to = from;

            while (a < middle || b < end) {
                const bool left = b == end || (a < middle && things[a].z <= things[b].z);
                scratch[to++] = things[left ? a++ : b++];
            }
            if (count - from <= width * 2)
                break;
        }
        memcpy(things, scratch, (size_t)count * sizeof *things);
    }
}

static void add_step(lvl_scene *scene, bool things, uint32_t first, uint32_t count)
{
    if (count)
        scene->steps[scene->step_count++] = (lvl_scene_step){things, first, count};
}

lvl_status lvl_scene_arrange(lvl_scene *scene, bool by_z)
{
    const uint32_t count = scene->thing_count, layers = scene->layer_count;
    bool sorted = true;
    uint32_t next = 0;

    for (uint32_t i = 1; i < count && sorted; i++)
        sorted = scene->things[i - 1].z <= scene->things[i].z;
    if (!sorted) {
        lvl_scene_thing *scratch = lvl_mem_alloc(scene->ctx, (size_t)count * sizeof *scratch);
        if (!scratch)
            return LVL_ERR_MEMORY;
        sort_by_z(scene->things, scratch, count);
        lvl_mem_free(scene->ctx, scratch);
    }
    scene->step_count = 0;
    scene->steps = lvl_scene_alloc(scene, (size_t)layers * 2 + 1, sizeof *scene->steps);
    if (!scene->steps)
        return LVL_ERR_MEMORY;
    for (uint32_t l = 0; l < layers; l++) {
        if (by_z && l > 0) {
            uint32_t end = next;
            while (end < count && scene->things[end].z < scene->layers[l].z)
                end++;
            add_step(scene, true, next, end - next);
            next = end;
        }
        add_step(scene, false, l, 1);
        if (!by_z && l == scene->main_layer) {
            add_step(scene, true, 0, count);
            next = count;
        }
    }
    add_step(scene, true, next, count - next);
    return LVL_OK;
}

static int32_t clamp32(int64_t v)
{
    return v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : (int32_t)v;
}

bool lvl_scene_thing_rect(const lvl_scene_thing *thing, lvl_rect *out)
{
    const lvl_image *image = thing->image;

    if (!image)
        return false;
    const int64_t dx = thing->flags & LVL_THING_MIRROR ? -(int64_t)image->offset_x : image->offset_x;
    const int64_t dy = thing->flags & LVL_THING_FLIP ? -(int64_t)image->offset_y : image->offset_y;
    const int64_t left = (int64_t)thing->x - (image->width >> 1) + dx;
    const int64_t top = (int64_t)thing->y - (image->height >> 1) + dy;
    out->left = clamp32(left);
    out->top = clamp32(top);
    out->right = clamp32(left + image->width - 1);
    out->bottom = clamp32(top + image->height - 1);
    return true;
}
