/*
 * scene/scene.h: making scenes, and positions of things in them.
 */
#ifndef LVL_SCENE_SCENE_H
#define LVL_SCENE_SCENE_H

#include <lvl/scene.h>

/* "enemy", "boss", …; static storage. */
const char *lvl_thing_kind_name(lvl_thing_kind kind);
/* The effect with its numbers clamped to their ranges; NULL: an effect that changes nothing. */
lvl_scene_effect lvl_scene_effect_sane(const lvl_scene_effect *effect);
/* For families: an empty scene, and zeroed memory of count × size bytes that is freed with it. NULL: out of
 * memory. */
lvl_scene *lvl_scene_new(const lvl_ctx *ctx);
/* Frees the scene, which may be NULL, and returns `status`; for LVL_ERR_MEMORY, the status of the limit that
 * caused it, if any. */
lvl_status lvl_scene_fail(lvl_scene *scene, lvl_status status);
void *lvl_scene_alloc(lvl_scene *scene, size_t count, size_t size);
/* The same, not zeroed. */
void *lvl_scene_raw(lvl_scene *scene, size_t count, size_t size);
/* A copy of a text that lives as long as the scene; ptr NULL: out of memory. */
lvl_text lvl_scene_text(lvl_scene *scene, lvl_text text);
/* The path of a list that things are items of (lvl_scene_thing.list); NULL: out of memory. */
const lvl_where *lvl_scene_list(lvl_scene *scene, lvl_where where);
/* Notes the path of what a layer's cells show (lvl_scene_layer.where). LVL_ERR_MEMORY. */
static inline lvl_status lvl_scene_layer_shows(lvl_scene *scene, lvl_scene_layer *layer, lvl_where where)
{
#ifndef LVL_WITHOUT_NAMES /* the page finds cells itself */
    layer->where = lvl_scene_list(scene, where);
    return layer->where ? LVL_OK : LVL_ERR_MEMORY;
#else
    (void)scene;
    (void)layer;
    (void)where;
    return LVL_OK;
#endif
}
/* Clamps the layers' numbers: cells to 1 .. 2^16 px, columns and rows to 2^31 - 1 px in all, parallax to
 * ±10,000 percent; what set_view changes later must be within these ranges. Sorts things by z (stable) and
 * writes the steps. With `by_z`: layer 0, then before each further layer the things with a z below the
 * layer's, and finally the other things. Without: the layers up to the main one, all things, the other
 * layers. */
lvl_status lvl_scene_arrange(lvl_scene *scene, bool by_z);
/* Where a thing's picture is drawn, in main layer px: its bounding box after the effect; false if it has
 * none. A thing without an image but with a part has a box of that size. */
bool lvl_scene_thing_rect(const lvl_scene_thing *thing, lvl_rect *out);
/* The same; for a thing without a picture, the area that it occupies. */
bool lvl_scene_thing_place(const lvl_scene_thing *thing, lvl_rect *out);
/* The thing's path in the document; false if it has none. */
bool lvl_scene_thing_where(const lvl_scene_thing *thing, lvl_where *out);
/* The main layer; NULL if there is none. */
static inline const lvl_scene_layer *lvl_scene_main(const lvl_scene *scene)
{
    return scene->main_layer < scene->layer_count ? &scene->layers[scene->main_layer] : NULL;
}

/* The class of a value in a tile's mask, and of the pixel at x, y of a cell of the layer. */
lvl_tile_class lvl_mask_class(const lvl_scene_tile *tile, uint8_t value);
lvl_tile_class lvl_tile_class_at(const lvl_scene_layer *layer, const lvl_scene_tile *tile, uint32_t x,
                                 uint32_t y);

/* ---- levels drawn from scenes ------------------------------------------------------------------------ */

enum {
    LVL_LEVEL_COLORS = 256,
    LVL_LEVEL_NOTHING = 0xFFFF /* index of an empty px */
};

/* A colour and its class: CLEAR, SOLID, GROUND, DEATH or WATER. */
typedef struct lvl_level_color {
    uint8_t rgb[3];
    lvl_tile_class look;
} lvl_level_color;

/* A start, exit or checkpoint, in px of the picture: its bottom or, in a level seen from above, its
 * centre. */
typedef struct lvl_level_mark {
    lvl_thing_kind kind;
    int64_t x, y;
} lvl_level_mark;

/* A scene as pixels with classes, for lvl_format_calls.draw_level. */
typedef struct lvl_level_picture lvl_level_picture;
struct lvl_level_picture {
    const lvl_scene *scene;
    lvl_text title; /* UTF-8; used if the scene has none */
    uint32_t width, height, scale_down;
    lvl_level_color colors[LVL_LEVEL_COLORS];
    uint32_t color_count;
    lvl_level_mark *marks;
    uint32_t mark_count;
    /* Draws the picture from top to bottom: `take` gets `width` colour indices for each row. */
    lvl_status (*rows)(lvl_level_picture *picture,
                       lvl_status (*take)(void *user, uint32_t y, const uint16_t *indices), void *user);
};

/* Appends the scene of a document as one line of JSON: title, width, height and position of the whole
 * picture, art found and missing, "layers", "things" with their path in the document (null: none) and
 * rectangle, "arrows" (lvl_scene_link), and "links" to other files (lvl_doc_link). Rectangles are [left, top,
 * width, height] in px of the main layer. LVL_ERR_MEMORY. */
lvl_status lvl_scene_json(const lvl_doc *doc, const lvl_scene *scene, lvl_buffer *out);
/* Appends the timing of an animation as one line of JSON: frames, directions, durations (ms), names, loops,
 * bounds as above. */
lvl_status lvl_animation_json(const lvl_doc *doc, const lvl_animation *play, lvl_buffer *out);

#endif
