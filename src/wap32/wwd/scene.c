/*
 * wap32/wwd/scene.c: makes the scene of a WWD: planes become layers, objects become things, tile properties
 * become tile classes.
 */
#include "base/cursor.h"
#include "base/text.h"
#include "games/own.h"
#include "wap32/wwd/area.h"
#include "wap32/wwd/art.h"
#include "wap32/wwd/book.h"
#include "wap32/wwd/internal.h"
#include "scene/scene.h"

#include <string.h>

enum {
    MAX_SETS = 8 /* image sets of a plane that are used; the game uses one */
};

typedef struct plane_user {
    const lvl_wwd *wwd;
    const lvl_wwd_plane *plane;
    const lvl_art *art;
    const lvl_art_set *sets[MAX_SETS];
    uint32_t set_count;
    bool main, gruntz;
} plane_user;

/* ---- layers ------------------------------------------------------------------------------------------ */

static lvl_tile_class class_of(const plane_user *user, int32_t attribute)
{
    switch (attribute) {
    case 0: return LVL_LOOK_CLEAR;
    case 1: return LVL_LOOK_SOLID;
    case 2: return LVL_LOOK_GROUND;
    case 3: return LVL_LOOK_CLIMB;
    case 4: return LVL_LOOK_DEATH;
    default: break;
    }
    if (!user->gruntz)
        return LVL_LOOK_CLEAR; /* as the game does with unknown attributes */
    switch (attribute) {
    case 0x0A: /* water */
    case 0x20: /* spikes */
    case 0x24: /* sink hazard */ return LVL_LOOK_DEATH;
    case 0x1E: /* rocks and bricks, which can be broken; a giant rock */
    case 0x1F:
    case 0x21:
    case 0x97:
    case 0x98:
    case 0x99: return LVL_LOOK_SOLID;
    default: return LVL_LOOK_OTHER;
    }
}

static void set_classes(const plane_user *user, uint32_t id, lvl_scene_tile *out)
{
    out->look = LVL_LOOK_CLEAR;
    if (!user->main || id >= user->wwd->tile_property_count)
        return;
    const lvl_wwd_tile_property *p = &user->wwd->tile_properties[id];
    switch (p->type) {
    case LVL_WWD_TILE_SINGLE: out->look = class_of(user, p->attribute); break;
    case LVL_WWD_TILE_DOUBLE:
        out->look = class_of(user, p->outside);
        out->has_inner = true;
        out->inner = (lvl_rect){p->rect.left, p->rect.top, p->rect.right, p->rect.bottom};
        out->inner_look = class_of(user, p->inside);
        break;
    case LVL_WWD_TILE_MASK:
        if (p->mask.ptr && p->mask.size == 1 && p->mask.width && p->mask.height) {
            out->mask = p->mask.ptr;
            out->mask_width = p->mask.width;
            out->mask_height = p->mask.height;
        }
        break;
    default: break;
    }
}

/* The high word of a tile is the index of the image set, the low word the frame. */
static const lvl_art_set *set_of(const plane_user *user, uint32_t value)
{
    return value >> 16 < user->set_count ? user->sets[value >> 16] : NULL;
}

static void tile_of(const lvl_scene_layer *layer, uint32_t value, lvl_scene_tile *out)
{
    const plane_user *user = layer->user;
    const lvl_art_set *set;

    memset(out, 0, sizeof *out);
    if (value == LVL_WWD_TILE_NONE) {
        out->empty = true;
        return;
    }
    if (value == LVL_WWD_TILE_FILLED) {
        out->filled = true;
        out->look = LVL_LOOK_CLEAR;
        return;
    }
    set = set_of(user, value);
    if (set)
        out->image = lvl_art_image(user->art, set, value & 0xFFFF);
    out->memory_failed = set && !out->image && lvl_art_status(user->art) != LVL_OK;
    set_classes(user, value & 0xFFFF, out);
}

static void cells_of(const lvl_scene_layer *layer, uint32_t x, uint32_t y, uint32_t count, uint32_t *out)
{
    const lvl_cells *cells = &((const plane_user *)layer->user)->plane->tiles;
    const uint8_t *p = cells->ptr + ((size_t)y * cells->width + x) * 4;

    for (uint32_t i = 0; i < count; i++)
        out[i] = lvl_load_u32le(p + (size_t)i * 4);
}

static uint32_t side_or_default(int32_t size)
{
    return size > 0 ? (uint32_t)size : 64; /* as nearly every plane has */
}

static lvl_status make_layer(lvl_scene *scene, const lvl_wwd *wwd, const lvl_wwd_art *wa, uint32_t index)
{
    const lvl_wwd_plane *plane = &wwd->planes[index];
    lvl_scene_layer *layer = &scene->layers[index];
    plane_user *user = lvl_scene_alloc(scene, 1, sizeof *user);

    if (!user)
        return LVL_ERR_MEMORY;
    user->wwd = wwd;
    user->plane = plane;
    user->art = wa->art;
    user->main = index == scene->main_layer;
    user->gruntz = lvl_wwd_game_of(wwd) == LVL_WWD_GRUNTZ;
    for (uint32_t i = 0; i < plane->image_set_count && i < MAX_SETS; i++)
        user->sets[user->set_count++] = lvl_wwd_art_tiles(wa, plane->image_sets[i]);
    layer->name = lvl_text_slot(plane->name, sizeof plane->name);
    layer->z = plane->z;
    layer->main = user->main;
    layer->hidden = plane->flags & LVL_WWD_PLANE_NO_DRAW;
    layer->wrap_x = plane->flags & LVL_WWD_PLANE_WRAP_X;
    layer->wrap_y = plane->flags & LVL_WWD_PLANE_WRAP_Y;
    /* a damaged file may have no tiles */
    layer->columns = plane->tiles.ptr && plane->tiles.size == 4 ? plane->tiles.width : 0;
    layer->rows = layer->columns ? plane->tiles.height : 0;
    layer->cell_width = side_or_default(plane->tile_width);
    layer->cell_height = side_or_default(plane->tile_height);
    if (plane->flags & LVL_WWD_PLANE_AUTO_TILE_SIZE && user->set_count && user->sets[0]) {
        const lvl_image *first = lvl_art_image(wa->art, user->sets[0], -1);
        if (first) {
            layer->cell_width = first->width;
            layer->cell_height = first->height;
        }
    }
    layer->move_x = plane->movement_x;
    layer->move_y = plane->movement_y;
    layer->fill_index = (uint8_t)plane->fill_color;
    layer->user = user;
    layer->cells = cells_of;
    layer->tile = tile_of;
    return lvl_scene_layer_shows(scene, layer, LVL_AT(lvl_wwd_at_plane(index), lvl_wwd_plane, tiles));
}

/* Counts the cells and tile numbers without an image. */
static void count_missing(lvl_scene *scene, const lvl_scene_layer *layer)
{
    const plane_user *user = layer->user;

    if (!layer->columns)
        return;
    const lvl_wwd_missing m = lvl_wwd_art_missing(user->plane, user->sets, user->set_count);
    scene->missing_tiles += m.numbers;
    scene->missing_cells += m.cells + m.elsewhere;
}

static lvl_status make_layers(lvl_scene *scene, const lvl_wwd *wwd, const lvl_wwd_art *wa)
{
    scene->layers = lvl_scene_alloc(scene, wwd->plane_count, sizeof *scene->layers);
    if (!scene->layers)
        return LVL_ERR_MEMORY;
    scene->layer_count = wwd->plane_count;
    scene->main_layer = wwd->plane_count;
    lvl_wwd_main_plane(wwd, &scene->main_layer);
    for (uint32_t i = 0; i < wwd->plane_count; i++) {
        lvl_status status = make_layer(scene, wwd, wa, i);
        if (status != LVL_OK)
            return status;
        const plane_user *user = scene->layers[i].user;
        for (uint32_t s = 0; s < user->set_count; s++)
            scene->has_art = scene->has_art || user->sets[s];
    }
    if (!scene->has_art)
        return LVL_OK;
    scene->palette = lvl_wwd_art_palette(wa);
    for (uint32_t i = 0; i < scene->layer_count; i++) {
        lvl_scene_layer *layer = &scene->layers[i];
        const plane_user *user = layer->user;
        /* without a palette file the palette of the tiles is used, as in Gruntz */
        for (uint32_t s = 0; s < user->set_count && !scene->palette; s++) {
            const lvl_image *first = user->sets[s] ? lvl_art_image(wa->art, user->sets[s], -1) : NULL;
            scene->palette = first ? first->palette : NULL;
        }
        count_missing(scene, layer);
    }
    for (uint32_t i = 0; i < scene->layer_count && scene->palette; i++)
        memcpy(scene->layers[i].fill_rgb, scene->palette->rgb[scene->layers[i].fill_index], 3);
    return LVL_OK;
}

/* ---- things ------------------------------------------------------------------------------------------ */

static lvl_thing_kind kind_of(const lvl_wwd_object *object, const lvl_book_thing *logic)
{
    static const lvl_thing_kind things[LVL_KIND_COUNT] = {
        [LVL_KIND_UNKNOWN] = LVL_THING_UNKNOWN,     [LVL_KIND_ENEMY] = LVL_THING_ENEMY,
        [LVL_KIND_BOSS] = LVL_THING_BOSS,           [LVL_KIND_PICKUP] = LVL_THING_ITEM,
        [LVL_KIND_CONTAINER] = LVL_THING_CONTAINER, [LVL_KIND_PLATFORM] = LVL_THING_PLATFORM,
        [LVL_KIND_HAZARD] = LVL_THING_HAZARD,       [LVL_KIND_WARP] = LVL_THING_WARP,
        [LVL_KIND_SOUND] = LVL_THING_SOUND,         [LVL_KIND_CHECKPOINT] = LVL_THING_CHECKPOINT,
        [LVL_KIND_SCENERY] = LVL_THING_SCENERY,     [LVL_KIND_PUZZLE] = LVL_THING_TRIGGER,
        [LVL_KIND_UNIT] = LVL_THING_ENEMY,          [LVL_KIND_SCRIPT] = LVL_THING_TRIGGER,
        [LVL_KIND_ENGINE] = LVL_THING_UNKNOWN,      [LVL_KIND_EXIT] = LVL_THING_EXIT,
    };
    const lvl_book_kind kind = lvl_wwd_kind_of(logic, object);

    if (kind != LVL_KIND_PICKUP)
        return things[kind];
    return lvl_text_begins_nocase(object->image_set, "GAME_TREASURE") ||
                   lvl_text_begins_nocase(object->logic, "Treasure") ||
                   lvl_text_begins_nocase(object->logic, "Glitterless")
               ? LVL_THING_TREASURE
               : LVL_THING_ITEM;
}

/* Whether the game drops the object when it loads the level. */
static bool is_dropped(const lvl_wwd_object *object, const lvl_scene_layer *main, const lvl_book_thing *logic,
                       lvl_wwd_game game)
{
    const int64_t width = (int64_t)main->columns * main->cell_width,
                  height = (int64_t)main->rows * main->cell_height;

    if (object->x < 0 || object->y < 0 || object->x >= width || object->y >= height || object->logic.len == 0)
        return true;
    /* all logics are known only for Claw */
    return game == LVL_WWD_CLAW && !logic;
}

static void find_image(lvl_scene *scene, const lvl_wwd_object *object, const lvl_wwd_art *wa,
                       lvl_scene_thing *thing)
{
    if (!scene->has_art || object->image_set.len == 0)
        return;
    const lvl_art_set *set = lvl_wwd_art_images(wa, object->image_set);
    if (set)
        thing->image = lvl_art_image(wa->art, set, object->i < 0 ? -1 : object->i);
    if (!thing->image && lvl_wwd_art_covers(wa, object->image_set)) {
        thing->flags |= LVL_THING_MISSING;
        scene->missing_things++;
    }
}

enum { RECENT = 32 };

/* Recently used logics: a level has few. */
typedef struct recent_logics {
    const lvl_doc *doc;
    const lvl_book *book;
    lvl_wwd_game game;
    lvl_text names[RECENT];
    const lvl_book_thing *found[RECENT];
} recent_logics;

/* As lvl_wwd_thing_of. */
static const lvl_book_thing *find_logic(recent_logics *recent, const lvl_wwd_object *object,
                                        const lvl_book **book)
{
    const lvl_text name = object->logic;
    const lvl_book_thing *own = lvl_own_thing(recent->doc, &lvl_wwd_object_table, object, book);
    const size_t at = name.len ? (name.len * 7 + (uint8_t)name.ptr[name.len - 1]) % RECENT : 0;

    if (own)
        return own;
    *book = recent->book;
    if (!name.len)
        return NULL;
    if (!lvl_text_equal(recent->names[at], name)) {
        recent->names[at] = name;
        recent->found[at] = lvl_book_find(recent->book, name);
    }
    return recent->found[at];
}

static lvl_status make_thing(lvl_scene *scene, recent_logics *level, const lvl_wwd_object *object,
                             const lvl_wwd_art *wa, lvl_scene_thing *thing)
{
    const lvl_scene_layer *main = &scene->layers[scene->main_layer];
    const lvl_book *book;
    const lvl_book_thing *logic = find_logic(level, object, &book);

    thing->kind = kind_of(object, logic);
    thing->x = object->x;
    thing->y = object->y;
    thing->z = object->z;
    thing->label = object->logic;
    thing->picture = object->image_set;
    if (object->draw_flags & LVL_WWD_DRAW_HIDDEN)
        thing->flags |= LVL_THING_HIDDEN;
    if (object->draw_flags & LVL_WWD_DRAW_MIRROR)
        thing->flags |= LVL_THING_MIRROR;
    if (object->draw_flags & LVL_WWD_DRAW_INVERT)
        thing->flags |= LVL_THING_FLIP;
    if (object->draw_flags & LVL_WWD_DRAW_FLASH)
        thing->flags |= LVL_THING_BLINK;
    if (is_dropped(object, main, logic, level->game))
        thing->flags |= LVL_THING_DROPPED;
    find_image(scene, object, wa, thing);
    scene->link_count += lvl_wwd_area_arrows(book, object, logic, scene->links + scene->link_count);
    return lvl_wwd_area_boxes(scene, book, object, logic, thing);
}

/* How many arrows the objects have. */
static size_t count_arrows(recent_logics *level, const lvl_wwd_plane *plane)
{
    const lvl_book *book;
    size_t arrows = 0;

    for (uint32_t i = 0; i < plane->object_count; i++) {
        const lvl_book_thing *logic = find_logic(level, &plane->objects[i], &book);
        arrows += lvl_wwd_area_arrows(book, &plane->objects[i], logic, NULL);
    }
    return arrows;
}

static lvl_status make_things(lvl_scene *scene, const lvl_doc *doc, const lvl_wwd_art *wa, bool bare)
{
    const lvl_wwd *wwd = doc->root;
    recent_logics recent = {.doc = doc, .book = lvl_wwd_book(wwd), .game = lvl_wwd_game_of(wwd)};

    if (scene->main_layer >= scene->layer_count)
        return LVL_OK;
    const lvl_wwd_plane *plane = &wwd->planes[scene->main_layer];
    const uint32_t count = plane->object_count;
    scene->things = lvl_scene_alloc(scene, (size_t)count + 1, sizeof *scene->things);
    if (bare && scene->things) {
        scene->thing_count = count + 1;
        return LVL_OK;
    }
    const lvl_where *list =
        lvl_scene_list(scene, LVL_AT(lvl_wwd_at_plane(scene->main_layer), lvl_wwd_plane, objects));
    scene->links = lvl_scene_alloc(scene, count_arrows(&recent, plane) + 1, sizeof *scene->links);
    if (!scene->things || !scene->links || !list)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        const lvl_wwd_object *object = &plane->objects[i];
        lvl_scene_thing *thing = &scene->things[scene->thing_count++];
        thing->index = i;
        thing->list = list;
        const lvl_status status = make_thing(scene, &recent, object, wa, thing);
        if (status != LVL_OK)
            return status;
    }
    lvl_scene_thing *start = &scene->things[scene->thing_count++];
    *start = (lvl_scene_thing){.kind = LVL_THING_START,
                               .x = wwd->start_x,
                               .y = wwd->start_y,
                               .z = INT32_MAX,
                               .label = lvl_text_of("Start"),
                               .index = UINT32_MAX};
    return LVL_OK;
}

lvl_status lvl_wwd_scene(const lvl_doc *doc, const lvl_scene_request *request, lvl_scene **out)
{
    const lvl_wwd *wwd = doc->root;
    lvl_scene *scene = lvl_scene_new(doc->ctx);
    lvl_wwd_art wa;

    if (!scene)
        return LVL_ERR_MEMORY;
    scene->codepage = doc->codepage;
    scene->title = lvl_text_slot(wwd->name, sizeof wwd->name);
    scene->start_x = wwd->start_x;
    scene->start_y = wwd->start_y;
    scene->from_above = lvl_wwd_game_of(wwd) == LVL_WWD_GRUNTZ;
    scene->player_height = scene->from_above ? 40 : 106; /* Claw standing still */
    lvl_wwd_art_init(&wa, wwd, request->art);
    lvl_status status = make_layers(scene, wwd, &wa);
    if (status == LVL_OK)
        status = make_things(scene, doc, &wa, request->bare);
    if (status == LVL_OK)
        status = lvl_scene_arrange(scene, wwd->flags & LVL_WWD_USE_Z);
    if (status != LVL_OK)
        return lvl_scene_fail(scene, status);
    *out = scene;
    return LVL_OK;
}
