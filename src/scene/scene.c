/*
 * scene/scene.c: memory of scenes, drawing order, positions of things.
 */
#include <lvl/scene.h>

#include "base/arena.h"
#include "base/cursor.h"
#include "base/format.h"
#include "scene/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_CELL = 1 << 16, /* px, width and height of a cell */
    MAX_PERCENT = 10000, /* parallax, positive or negative */
    MAX_SCALE = 4096,
    LETTER_WIDTH = 6, /* px of the renderer's letters */
    LETTER_HEIGHT = 7,
    MAX_LETTERS = 256
};

struct lvl_scene_memory {
    lvl_arena arena;
};

static const char *const kind_names[LVL_THING_COUNT] = {
    "unknown", "enemy",      "boss",    "treasure", "item",    "container", "platform", "hazard",
    "warp",    "checkpoint", "trigger", "sound",    "scenery", "start",     "sign",     "exit",
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

void *lvl_scene_raw(lvl_scene *scene, size_t count, size_t size)
{
    size_t total;

    return lvl_mul_size(count, size, &total) ? lvl_arena_raw(&scene->memory->arena, total) : NULL;
}

lvl_text lvl_scene_text(lvl_scene *scene, lvl_text text)
{
    char *copy = lvl_scene_alloc(scene, text.len + 1, 1);

    if (!copy)
        return (lvl_text){0};
    if (text.len)
        memcpy(copy, text.ptr, text.len);
    return (lvl_text){copy, text.len};
}

const lvl_where *lvl_scene_list(lvl_scene *scene, lvl_where where)
{
    lvl_where *list = lvl_scene_alloc(scene, 1, sizeof *list);

    if (list)
        *list = where;
    return list;
}

void lvl_scene_free(lvl_scene *scene)
{
    if (!scene)
        return;
    lvl_scene_memory *memory = scene->memory;
    const lvl_ctx *ctx = scene->ctx;
    lvl_arena_free(&memory->arena); /* it contains the scene itself */
    lvl_mem_free(ctx, memory);
}

lvl_status lvl_scene_fail(lvl_scene *scene, lvl_status status)
{
    if (scene)
        status = lvl_arena_status(&scene->memory->arena, status);
    lvl_scene_free(scene);
    return status;
}

lvl_status lvl_doc_scene(const lvl_doc *doc, const lvl_scene_request *request, lvl_scene **out)
{
    static const lvl_scene_request nothing = {0};

    *out = NULL;
    if (!doc->format->calls->scene)
        return LVL_ERR_UNSUPPORTED;
    lvl_status status = doc->format->calls->scene(doc, request ? request : &nothing, out);
    if (status == LVL_OK && request && request->art && lvl_art_status(request->art) != LVL_OK) {
        lvl_scene_free(*out);
        *out = NULL;
        status = LVL_ERR_MEMORY;
    }
    return status;
}

lvl_status lvl_doc_links(const lvl_doc *doc, lvl_doc_link_fn visit, void *user)
{
    return doc->format->calls->links ? doc->format->calls->links(doc, visit, user) : LVL_ERR_UNSUPPORTED;
}

/* ---- animations -------------------------------------------------------------------------------------- */

lvl_status lvl_doc_play(const lvl_doc *doc, const lvl_scene_request *request, lvl_animation **out)
{
    static const lvl_scene_request nothing = {0};

    *out = NULL;
    if (!doc->format->calls->play)
        return LVL_ERR_UNSUPPORTED;
    lvl_status status = doc->format->calls->play(doc, request ? request : &nothing, out);
    if (status == LVL_OK && request && request->art && lvl_art_status(request->art) != LVL_OK) {
        lvl_animation_free(lvl_doc_ctx(doc), *out);
        *out = NULL;
        status = LVL_ERR_MEMORY;
    }
    return status;
}

void lvl_animation_free(const lvl_ctx *ctx, lvl_animation *play)
{
    lvl_mem_free(ctx, play);
}

/* ---- order ------------------------------------------------------------------------------------------- */

/* A stable merge sort through `scratch`, in n log n for any input. */
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

static uint32_t bound_cell(uint32_t size)
{
    return size < 1 ? 1 : size > MAX_CELL ? MAX_CELL : size;
}

static uint32_t bound_count(uint32_t count, uint32_t size)
{
    return count > INT32_MAX / size ? INT32_MAX / size : count;
}

static int32_t bound_percent(int32_t percent)
{
    return percent < -MAX_PERCENT ? -MAX_PERCENT : percent > MAX_PERCENT ? MAX_PERCENT : percent;
}

/* Clamps the numbers of a layer, which come from a file, so that sums of them do not overflow. */
static void bound_layer(lvl_scene_layer *layer)
{
    layer->cell_width = bound_cell(layer->cell_width);
    layer->cell_height = bound_cell(layer->cell_height);
    layer->columns = bound_count(layer->columns, layer->cell_width);
    layer->rows = bound_count(layer->rows, layer->cell_height);
    layer->move_x = bound_percent(layer->move_x);
    layer->move_y = bound_percent(layer->move_y);
}

lvl_status lvl_scene_arrange(lvl_scene *scene, bool by_z)
{
    const uint32_t count = scene->thing_count, layers = scene->layer_count;
    bool sorted = true;
    uint32_t next = 0;

    for (uint32_t l = 0; l < layers; l++)
        bound_layer(&scene->layers[l]);
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

static double clamp_or(double v, double least, double most, double otherwise)
{
    if (isnan(v))
        return otherwise;
    return v < least ? least : v > most ? most : v;
}

lvl_scene_effect lvl_scene_effect_sane(const lvl_scene_effect *effect)
{
    static const lvl_scene_effect nothing = {{1, 1, 1, 1}, 1, 1, 0, LVL_BLEND_ALPHA};
    lvl_scene_effect e = effect ? *effect : nothing;

    for (size_t i = 0; i < 4; i++)
        e.color[i] = clamp_or(e.color[i], 0, i == 3 ? 1 : 16, 1);
    e.scale_x = clamp_or(e.scale_x, -MAX_SCALE, MAX_SCALE, 1);
    e.scale_y = clamp_or(e.scale_y, -MAX_SCALE, MAX_SCALE, 1);
    e.angle = isfinite(e.angle) ? fmod(e.angle, 2 * 3.14159265358979323846) : 0;
    if ((unsigned)e.blend >= LVL_BLEND_COUNT)
        e.blend = LVL_BLEND_ALPHA;
    return e;
}

/* The bounding box of a rectangle after the effect; false if it is not visible. */
static bool is_affected(const lvl_scene_effect *effect, int64_t left, int64_t top, int64_t width,
                        int64_t height, lvl_rect *out)
{
    const lvl_scene_effect e = lvl_scene_effect_sane(effect);
    const double w = fabs((double)width * e.scale_x) / 2, h = fabs((double)height * e.scale_y) / 2;
    const double c = fabs(cos(e.angle)), s = fabs(sin(e.angle));
    const double x = (double)left + (double)width / 2, y = (double)top + (double)height / 2;
    const double reach_x = w * c + h * s, reach_y = w * s + h * c;

    if (!(w > 0) || !(h > 0) || e.color[3] <= 0)
        return false;
    /* at most 2^32 px scaled by 2^12, which a double can hold; 1e-6 allows for rounding */
    out->left = clamp32((int64_t)floor(x - reach_x + 1e-6));
    out->top = clamp32((int64_t)floor(y - reach_y + 1e-6));
    out->right = clamp32((int64_t)ceil(x + reach_x - 1e-6) - 1);
    out->bottom = clamp32((int64_t)ceil(y + reach_y - 1e-6) - 1);
    return out->left <= out->right && out->top <= out->bottom;
}

/* The box of a label in the renderer's letters, centred above the thing's point. */
static bool text_rect(const lvl_scene_thing *thing, lvl_rect *out)
{
    const int64_t width =
        (int64_t)(thing->label.len < MAX_LETTERS ? thing->label.len : MAX_LETTERS) * LETTER_WIDTH;

    if (width == 0)
        return false;
    out->left = clamp32((int64_t)thing->x - width / 2 - 1);
    out->top = clamp32((int64_t)thing->y - LETTER_HEIGHT - 1);
    out->right = clamp32((int64_t)thing->x - width / 2 + width);
    out->bottom = thing->y;
    return true;
}

bool lvl_scene_thing_rect(const lvl_scene_thing *thing, lvl_rect *out)
{
    const lvl_image *image = thing->image;
    int64_t width, height, dx = 0, dy = 0;

    if (thing->flags & LVL_THING_TEXT && !thing->has_part)
        return text_rect(thing, out);
    if (thing->has_part) {
        width = (int64_t)thing->part.right - thing->part.left + 1;
        height = (int64_t)thing->part.bottom - thing->part.top + 1;
        if (width <= 0 || height <= 0)
            return false;
    } else {
        if (!image)
            return false;
        width = image->width;
        height = image->height;
    }
    if (!(thing->flags & LVL_THING_CORNER)) {
        dx = -(width >> 1);
        dy = -(height >> 1);
        if (image) {
            dx += thing->flags & LVL_THING_MIRROR ? -(int64_t)image->offset_x : image->offset_x;
            dy += thing->flags & LVL_THING_FLIP ? -(int64_t)image->offset_y : image->offset_y;
        }
    }
    if (thing->effect)
        return is_affected(thing->effect, thing->x + dx, thing->y + dy, width, height, out);
    const int64_t left = (int64_t)thing->x + dx, top = (int64_t)thing->y + dy;
    out->left = clamp32(left);
    out->top = clamp32(top);
    out->right = clamp32(left + width - 1);
    out->bottom = clamp32(top + height - 1);
    return true;
}

bool lvl_scene_thing_place(const lvl_scene_thing *thing, lvl_rect *out)
{
    if (lvl_scene_thing_rect(thing, out))
        return true;
    for (uint32_t i = 0; i < thing->box_count; i++) {
        if (thing->boxes[i].kind == LVL_BOX_AREA) {
            *out = thing->boxes[i].rect;
            return true;
        }
    }
    return false;
}

bool lvl_scene_thing_where(const lvl_scene_thing *thing, lvl_where *out)
{
    if (!thing->list)
        return false;
    *out = *thing->list;
    out->steps[out->depth - 1].index = thing->index;
    return true;
}

lvl_tile_class lvl_mask_class(const lvl_scene_tile *tile, uint8_t value)
{
    if (!tile->mask_classes)
        return value ? LVL_LOOK_OTHER : LVL_LOOK_CLEAR;
    return value < LVL_LOOK_COUNT ? (lvl_tile_class)value : LVL_LOOK_OTHER;
}

lvl_tile_class lvl_tile_class_at(const lvl_scene_layer *layer, const lvl_scene_tile *tile, uint32_t x,
                                 uint32_t y)
{
    if (tile->empty)
        return LVL_LOOK_NONE;
    if (tile->mask) {
        const uint64_t mx = (uint64_t)x * tile->mask_width / layer->cell_width;
        const uint64_t my = (uint64_t)y * tile->mask_height / layer->cell_height;
        return lvl_mask_class(tile, tile->mask[my * tile->mask_width + mx]);
    }
    const lvl_rect *in = &tile->inner;
    const bool inner = tile->has_inner && (int64_t)x >= in->left && (int64_t)x <= in->right &&
                       (int64_t)y >= in->top && (int64_t)y <= in->bottom;
    return inner ? tile->inner_look : tile->look;
}
