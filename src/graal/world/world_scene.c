/*
 * graal/world/world_scene.c: a world as a scene: the boards of its levels side by side, each with its own
 * tileset, their layers above, their things, and an arrow for each link from one cell of the map to another.
 * For each level the scene keeps two bytes per tile and its things. A missing level is an empty square with
 * its name.
 */
#include "base/cursor.h"
#include "base/text.h"
#include "base/work.h"
#include "graal/tiles/graal_tileset.h"
#include "graal/world/world.h"
#include "scene/scene.h"

#include <string.h>

enum {
    SIDE = LVL_GRAAL_SIDE,
    PX = LVL_GRAAL_SIDE * LVL_GRAAL_TILE, /* width and height of a level, in px */
    LAYERS = 8, /* most layers to draw */
    NOWHERE = LVL_GRAAL_ABSENT - 1 /* the value of tiles of a missing level */
};

typedef struct part {
    bool found; /* the level is not missing */
    uint8_t *boards[LAYERS]; /* 64 by 64 cells of two bytes, or NULL */
    uint32_t sheet; /* index */
    lvl_scene_thing *things; /* in px of the level */
    uint32_t thing_count;
} part;

typedef struct arrow {
    struct arrow *next;
    lvl_scene_link link;
} arrow;

/* Lives in the scene's memory. */
typedef struct maker {
    lvl_world world;
    lvl_scene *scene;
    const uint32_t *grid; /* a copy of the world's */
    uint32_t width, height;
    part *parts; /* by level */
    lvl_graal_sheets *sheets;
    const lvl_graal_sheet **used; /* each once; at most one per level */
    uint32_t used_count;
    uint32_t layers;
    arrow *arrows;
    uint32_t arrow_count;
} maker;

typedef struct layer_user {
    const maker *maker;
    uint32_t layer;
} layer_user;

/* ---- cells ------------------------------------------------------------------------------------------ */

static void cells_of(const lvl_scene_layer *layer, uint32_t x, uint32_t y, uint32_t count, uint32_t *out)
{
    const layer_user *user = layer->user;
    const maker *m = user->maker;
    const uint32_t *row = m->grid + (size_t)(y / SIDE) * m->width;

    for (uint32_t end = x + count; x < end;) {
        const uint32_t index = row[x / SIDE], stop = (x / SIDE + 1) * SIDE;
        const part *p = index ? &m->parts[index - 1] : NULL;
        const uint8_t *board = p ? p->boards[user->layer] : NULL;
        const uint32_t absent = p && !p->found && !user->layer ? NOWHERE : LVL_GRAAL_ABSENT;
        for (; x < end && x < stop; x++) {
            const uint32_t tile =
                board ? lvl_load_u16le(board + ((size_t)(y % SIDE) * SIDE + x % SIDE) * 2) : absent;
            *out++ = board && tile < NOWHERE ? tile | p->sheet << 16 : tile;
        }
    }
}

static void tile_of(const lvl_scene_layer *layer, uint32_t value, lvl_scene_tile *out)
{
    const layer_user *user = layer->user;
    const uint32_t sheet = value >> 16;

    memset(out, 0, sizeof *out);
    if (value == NOWHERE)
        out->filled = true;
    else if ((value & 0xFFFF) >= NOWHERE || sheet >= user->maker->used_count)
        out->empty = true;
    else
        lvl_graal_sheet_tile(user->maker->used[sheet], value & 0xFFFF, user->layer > 0, out);
}

/* ---- things ----------------------------------------------------------------------------------------- */

static int32_t moved_by(int32_t v, int64_t by)
{
    const int64_t to = v + by;

    return to > INT32_MAX ? INT32_MAX : to < INT32_MIN ? INT32_MIN : (int32_t)to;
}

/* Copies a thing to another position; texts and effect are shared. */
static lvl_status move_thing(lvl_scene *scene, const lvl_scene_thing *from, int64_t x, int64_t y,
                             lvl_scene_thing *to)
{
    lvl_scene_box *boxes = NULL;

    *to = *from;
    to->x = moved_by(from->x, x);
    to->y = moved_by(from->y, y);
    to->z = moved_by(from->z, y);
    if (from->box_count) {
        boxes = lvl_scene_alloc(scene, from->box_count, sizeof *boxes);
        if (!boxes)
            return LVL_ERR_MEMORY;
        for (uint32_t i = 0; i < from->box_count; i++) {
            const lvl_rect r = from->boxes[i].rect;
            boxes[i].kind = from->boxes[i].kind;
            boxes[i].rect = (lvl_rect){moved_by(r.left, x), moved_by(r.top, y), moved_by(r.right, x),
                                       moved_by(r.bottom, y)};
        }
    }
    to->boxes = boxes;
    return LVL_OK;
}

/* Copies the things of a level, which outlive the level and the scene `from`. */
static lvl_status keep_things(lvl_scene *scene, const lvl_scene *from, part *p)
{
    p->things = lvl_scene_alloc(scene, (size_t)from->thing_count + 1, sizeof *p->things);
    if (!p->things)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < from->thing_count; i++) {
        const lvl_scene_thing *was = &from->things[i];
        lvl_scene_thing *now = &p->things[p->thing_count];
        const lvl_status status = move_thing(scene, was, 0, 0, now);
        if (status != LVL_OK)
            return status;
        now->label = lvl_scene_text(scene, was->label);
        now->picture = lvl_scene_text(scene, was->picture);
        now->list = NULL; /* it belongs to another document */
        if (!now->label.ptr || !now->picture.ptr)
            return LVL_ERR_MEMORY;
        if (was->effect) {
            lvl_scene_effect *effect = lvl_scene_alloc(scene, 1, sizeof *effect);
            if (!effect)
                return LVL_ERR_MEMORY;
            *effect = *was->effect;
            now->effect = effect;
        }
        p->thing_count++;
    }
    return LVL_OK;
}

/* Adds an arrow for each link to another cell of the map, except for links over an edge, since neighbours are
 * side by side. */
static lvl_status keep_arrows(maker *m, const lvl_world_level *from, const lvl_graal *level)
{
    for (uint32_t i = 0; i < level->link_count; i++) {
        const lvl_graal_link *l = &level->links[i];
        const lvl_world_level *to = lvl_world_find(&m->world, l->level);
        if (!to || (to != from && lvl_graal_link_kind_of(l) != LVL_WAY_DOOR))
            continue;
        const double mid_x = l->x + l->width / 2, mid_y = l->y + l->height / 2;
        double x, y;
        lvl_graal_link_target(l, &x, &y);
        if (!(mid_x > -SIDE && mid_x < 2 * SIDE && mid_y > -SIDE && mid_y < 2 * SIDE && x > -SIDE &&
              x < 2 * SIDE && y > -SIDE && y < 2 * SIDE) ||
            m->arrow_count == UINT32_MAX)
            continue;
        arrow *a = lvl_scene_alloc(m->scene, 1, sizeof *a);
        if (!a)
            return LVL_ERR_MEMORY;
        /* to the feet of the player */
        a->link = (lvl_scene_link){LVL_THING_WARP,
                                   moved_by((int32_t)(mid_x * LVL_GRAAL_TILE), (int64_t)from->x * PX),
                                   moved_by((int32_t)(mid_y * LVL_GRAAL_TILE), (int64_t)from->y * PX),
                                   moved_by((int32_t)((x + 1.5) * LVL_GRAAL_TILE), (int64_t)to->x * PX),
                                   moved_by((int32_t)((y + 2) * LVL_GRAAL_TILE), (int64_t)to->y * PX)};
        a->next = m->arrows;
        m->arrows = a;
        m->arrow_count++;
    }
    return LVL_OK;
}

/* ---- levels ----------------------------------------------------------------------------------------- */

static uint32_t use_sheet(maker *m, const lvl_graal_sheet *sheet)
{
    uint32_t i = 0;

    while (i < m->used_count && m->used[i] != sheet)
        i++;
    i = i < 0xFFFF ? i : 0xFFFE; /* limited to 16 bits in a cell */
    m->used_count = i < m->used_count ? m->used_count : i + 1;
    m->used[i] = sheet;
    return i;
}

/* Copies the cells of a layer to 64 by 64. */
static lvl_status keep_board(maker *m, const lvl_cells *cells, uint8_t **out)
{
    uint8_t *board = lvl_scene_alloc(m->scene, (size_t)SIDE * SIDE, 2);
    const bool exists = cells->ptr && cells->size == 2;

    *out = board;
    if (!board)
        return LVL_ERR_MEMORY;
    for (uint32_t y = 0; y < SIDE; y++) {
        const uint32_t width = !exists || y >= cells->height ? 0 : cells->width < SIDE ? cells->width : SIDE;
        const uint8_t *from = width ? cells->ptr + (size_t)y * cells->width * 2 : NULL;
        for (uint32_t x = 0; x < SIDE; x++, board += 2) {
            const uint32_t tile = x < width ? lvl_load_u16le(from + (size_t)x * 2) : LVL_GRAAL_ABSENT;
            lvl_store_u16le(board, (uint16_t)(tile < LVL_GRAAL_TILES ? tile : LVL_GRAAL_ABSENT));
        }
    }
    return LVL_OK;
}

static lvl_status keep_boards(maker *m, const lvl_graal *level, part *p)
{
    uint32_t above = 0;
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < level->layer_count && status == LVL_OK; i++) {
        const lvl_graal_layer *layer = &level->layers[i];
        if (!layer->number && !p->boards[0])
            status = keep_board(m, &layer->tiles, &p->boards[0]);
        else if (layer->number && above + 1 < LAYERS)
            status = keep_board(m, &layer->tiles, &p->boards[++above]);
    }
    m->layers = above + 1 > m->layers ? above + 1 : m->layers;
    return status;
}

static lvl_status take_level(maker *m, uint32_t index, const lvl_doc *doc)
{
    const lvl_world_level *named = &m->world.levels[index];
    lvl_graal level = *(const lvl_graal *)doc->root;
    lvl_graal_tileset own = {.name = m->world.map->tileset};
    part *p = &m->parts[index];
    const lvl_graal_sheet *sheet;
    lvl_scene *things = NULL;

    /* the tileset of the map is the default of its levels */
    if (own.name.len && !level.tileset_count) {
        level.tilesets = &own;
        level.tileset_count = 1;
    }
    lvl_status status = lvl_graal_sheet_of(m->sheets, &level, named->name, &sheet);
    if (status == LVL_OK)
        status = keep_boards(m, &level, p);
    if (status != LVL_OK)
        return status;
    p->sheet = use_sheet(m, sheet);
    p->found = true;
    m->scene->missing_files--;
    m->scene->has_art = m->scene->has_art || sheet->image;
    if (sheet->image && !m->scene->palette)
        m->scene->palette = sheet->image->palette;
    things = lvl_scene_new(doc->ctx);
    if (!things)
        return LVL_ERR_MEMORY;
    status =
        lvl_graal_scene_things(things, m->scene, &level, sheet->image ? m->world.art : NULL, sheet, false);
    if (status == LVL_OK)
        status = keep_things(m->scene, things, p);
    m->scene->missing_things += things->missing_things;
    lvl_scene_free(things);
    return status == LVL_OK ? keep_arrows(m, named, &level) : status;
}

static lvl_status take_levels(maker *m)
{
    lvl_status status = LVL_OK;
    lvl_buffer bytes = {0};

    m->parts = lvl_scene_alloc(m->scene, (size_t)m->world.level_count + 1, sizeof *m->parts);
    m->used = lvl_scene_alloc(m->scene, (size_t)m->world.level_count + 1, sizeof *m->used);
    if (!m->parts || !m->used)
        return LVL_ERR_MEMORY;
    m->scene->files = m->scene->missing_files = m->world.level_count;
    for (uint32_t i = 0; i < m->world.level_count && status == LVL_OK; i++) {
        lvl_doc *doc;
        status = lvl_world_read(&m->world, m->world.levels[i].name, &bytes, &doc);
        if (status == LVL_OK)
            status = take_level(m, i, doc);
        else if (status != LVL_ERR_MEMORY)
            status = LVL_OK; /* a missing level */
        lvl_doc_free(doc);
    }
    lvl_buffer_free(&bytes);
    return status;
}

/* ---- putting it together ---------------------------------------------------------------------------- */

static lvl_status make_layers(maker *m)
{
    lvl_scene *scene = m->scene;

    scene->layer_count = m->layers ? m->layers : 1;
    scene->main_layer = 0;
    scene->layers = lvl_scene_alloc(scene, scene->layer_count, sizeof *scene->layers);
    layer_user *users = lvl_scene_alloc(scene, scene->layer_count, sizeof *users);
    if (!scene->layers || !users)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < scene->layer_count; i++) {
        lvl_scene_layer *layer = &scene->layers[i];
        users[i] = (layer_user){m, i};
        lvl_graal_layer_begin(layer, i, m->width * SIDE, m->height * SIDE);
        layer->main = i == 0;
        memcpy(layer->fill_rgb, (const uint8_t[3]){30, 30, 38}, 3);
        layer->user = &users[i];
        layer->cells = cells_of;
        layer->tile = tile_of;
    }
    return LVL_OK;
}

/* Sets the thing that shows the name of a missing level, as large as its square. */
static void name_place(lvl_scene_thing *thing, lvl_text name, uint32_t x, uint32_t y)
{
    thing->kind = LVL_THING_UNKNOWN;
    thing->flags = LVL_THING_CORNER | LVL_THING_TEXT;
    thing->label = name;
    thing->x = (int32_t)x * PX;
    thing->y = (int32_t)y * PX;
    thing->z = INT32_MAX;
    thing->has_part = true;
    thing->part = (lvl_rect){0, 0, PX - 1, PX - 1};
}

static lvl_status place_things(maker *m)
{
    lvl_scene *scene = m->scene;
    const uint64_t most = lvl_limits_of(scene->ctx).items;
    const size_t cells = (size_t)m->width * m->height;
    lvl_status status = LVL_OK;
    uint64_t count = 0;

    for (size_t i = 0; i < cells; i++) {
        const part *p = m->grid[i] ? &m->parts[m->grid[i] - 1] : NULL;
        count += !p ? 0 : p->found ? p->thing_count : 1;
    }
    if (count > most || count > UINT32_MAX / 2)
        return lvl_refuse(scene->ctx, LVL_LIMIT_ITEMS, most, count);
    scene->things = lvl_scene_alloc(scene, (size_t)count + 1, sizeof *scene->things);
    if (!scene->things)
        return LVL_ERR_MEMORY;
    for (size_t c = 0; c < cells; c++) {
        const uint32_t x = (uint32_t)(c % m->width), y = (uint32_t)(c / m->width);
        const part *p = m->grid[c] ? &m->parts[m->grid[c] - 1] : NULL;
        if (p && !p->found) {
            const lvl_text name = lvl_scene_text(scene, m->world.levels[m->grid[c] - 1].name);
            if (!name.ptr)
                return LVL_ERR_MEMORY;
            name_place(&scene->things[scene->thing_count++], name, x, y);
        }
        for (uint32_t i = 0; p && i < p->thing_count && status == LVL_OK; i++)
            status = move_thing(scene, &p->things[i], (int64_t)x * PX, (int64_t)y * PX,
                                &scene->things[scene->thing_count++]);
    }
    return status;
}

static lvl_status place_arrows(maker *m)
{
    m->scene->links = lvl_scene_alloc(m->scene, (size_t)m->arrow_count + 1, sizeof *m->scene->links);
    if (!m->scene->links)
        return LVL_ERR_MEMORY;
    for (const arrow *a = m->arrows; a; a = a->next)
        m->scene->links[m->scene->link_count++] = a->link;
    return LVL_OK;
}

static lvl_status make(maker *m, const lvl_doc *doc, const lvl_art *art)
{
    lvl_scene *scene = m->scene;
    lvl_status status = lvl_world_open(&m->world, doc, art);

    if (status != LVL_OK)
        return status;
    m->width = m->world.width;
    m->height = m->world.height;
    lvl_graal_scene_begin(scene, doc, m->width, m->height);
    uint32_t *grid = lvl_scene_alloc(scene, (size_t)m->width * m->height + 1, sizeof *grid);
    if (!grid)
        return LVL_ERR_MEMORY;
    if (m->width && m->height)
        memcpy(grid, m->world.grid, (size_t)m->width * m->height * sizeof *grid);
    m->grid = grid;
    status = lvl_graal_sheets_new(&m->sheets, scene, art);
    if (status == LVL_OK)
        status = take_levels(m);
    if (status == LVL_OK)
        status = make_layers(m);
    if (status == LVL_OK)
        status = place_things(m);
    if (status == LVL_OK)
        status = place_arrows(m);
    return status == LVL_OK ? lvl_scene_arrange(scene, false) : status;
}

lvl_status lvl_world_scene(const lvl_doc *doc, const struct lvl_scene_request *request,
                           struct lvl_scene **out)
{
    lvl_scene *scene = lvl_scene_new(doc->ctx);
    maker *m = scene ? lvl_scene_alloc(scene, 1, sizeof *m) : NULL;

    if (!m)
        return lvl_scene_fail(scene, LVL_ERR_MEMORY);
    m->scene = scene;
    const lvl_status status = make(m, doc, request->art);
    lvl_world_close(&m->world);
    if (status != LVL_OK)
        return lvl_scene_fail(scene, status);
    *out = scene;
    return LVL_OK;
}
