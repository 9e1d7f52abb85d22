/*
 * sketchy/look/map.c: the layout of a drawing in a map editor: chunks are tiles that can be moved,
 * copied and erased, actors are objects whose links are arrows, and the palette is a tileset.
 */
#include "sketchy/look/level.h"

#include "base/map_layout.h"
#include "base/text.h"
#include "sketchy/model/names.h"
#include "sketchy/model/member_names.h"
#include "sketchy/drawing/convert.h"

#include <lvl/sketchy.h>

#include <string.h>

static void begin_square(const void *root, void *square)
{
    ((lvl_sketchy_chunk *)square)->encoding = lvl_sketchy_encoding(((const lvl_sketchy *)root)->generation);
}

/* The game's default palette. */
static const struct {
    const char *name, *color;
    bool solid, fire, water;
} colors[] = {{"solid", "#777777", true, false, false},
              {"decoration", "#ff66ff", false, false, false},
              {"fire", "#ff0000", false, true, false},
              {"water", "#0099ff", false, false, true}};

static lvl_status put_colors(lvl_doc *doc)
{
    lvl_sketchy *d = doc->root;
    const lvl_field *list = LVL_FIELD(lvl_sketchy, swatches);
    const lvl_status status = lvl_list_insert(doc, d, list, 0, LVL_COUNT_OF(colors));

    for (size_t i = 0; i < LVL_COUNT_OF(colors) && status == LVL_OK; i++)
        d->swatches[i] = (lvl_sketchy_swatch){.name = lvl_text_of(colors[i].name),
                                              .color = lvl_text_of(colors[i].color),
                                              .solid = colors[i].solid,
                                              .fire = colors[i].fire,
                                              .water = colors[i].water};
    return status;
}

static lvl_status make_level(lvl_doc *doc, const lvl_map_new *what)
{
    lvl_sketchy *d = doc->root;

    d->kind = what->ending && strcmp(what->ending, "doodad") == 0 ? LVL_SKETCHY_DOODAD : LVL_SKETCHY_LEVEL;
    d->title = lvl_text_of(d->kind ? "New doodad" : "New level");
    if (d->kind) {
        const int64_t side = LVL_SKETCHY_CHUNK_SIZE;
        d->size.width = what->width ? what->width : side;
        d->size.height = what->height ? what->height : side;
        d->hitbox = d->size;
    } else if (what->width) {
        d->page_type = LVL_SKETCHY_BOUNDED;
        d->bounded_width = what->width;
        d->bounded_height = what->height;
    }
    lvl_status status = put_colors(doc);
    if (status == LVL_OK)
        status = lvl_list_insert(doc, d, LVL_FIELD(lvl_sketchy, layers), 0, 1);
    if (status == LVL_OK && d->kind)
        d->layers[0].name = lvl_text_of("main");
    return status;
}

/* Resets the values that identify a level, and drops its screenshots. */
static lvl_status clear(lvl_doc *doc)
{
    lvl_sketchy *d = doc->root;
    uint8_t *drop = lvl_arena_array(&doc->arena, (size_t)d->file_count + 1, 1);

    d->title = lvl_text_of(d->kind ? "New doodad" : "New level");
    d->uuid = d->signature = (lvl_text){"", 0};
    for (uint32_t i = 0; drop && i < d->file_count; i++)
        drop[i] = lvl_text_begins(d->files[i].path, "assets/screenshots/");
    return drop ? lvl_list_drop(doc, d, LVL_FIELD(lvl_sketchy, files), drop) : LVL_ERR_MEMORY;
}

/* The layers of a doodad have names, the one of a level has none. */
static void begin(void *root)
{
    lvl_sketchy *d = root;

    for (uint32_t i = 0; i < d->layer_count && d->kind == LVL_SKETCHY_LEVEL; i++)
        d->layers[i].name = (lvl_text){"", 0};
}

/* An actor of each attached doodad that no actor of the level has. */
static lvl_status make_stock(const lvl_doc *doc, const struct lvl_art *art, lvl_doc **out)
{
    const lvl_sketchy *d = doc->root;
    lvl_sketchy head = *d;
    lvl_sketchy_layer empty = {.size = LVL_SKETCHY_CHUNK_SIZE};
    lvl_names attached = {NULL, 0}, used = {NULL, 0};
    lvl_doc *made = NULL;
    uint32_t count = 0;

    (void)art;
    *out = NULL;
    lvl_status status = lvl_names_below(&attached, d->files, d->file_count, LVL_EMBEDDED_DOODADS);
    if (status == LVL_OK && attached.count)
        status = lvl_names_of(&used, d->actors, d->actor_count, sizeof *d->actors,
                              offsetof(lvl_sketchy_actor, filename));
    head.actors = NULL;
    head.actor_count = 0;
    head.layers = &empty; /* a drawing without a layer cannot be drawn */
    head.layer_count = 1;
    if (status == LVL_OK && attached.count)
        status = lvl_doc_new(&made, doc->ctx, doc->format);
    if (status == LVL_OK && made)
        status = lvl_record_copy(made, made->root, doc, &head, &lvl_sketchy_table);
    for (uint32_t i = 0; made && i < attached.count && status == LVL_OK; i++) {
        const lvl_text name = attached.list[i].name;
        if ((i && lvl_text_equal(name, attached.list[i - 1].name)) || lvl_names_has(&used, name))
            continue;
        status = lvl_list_insert(made, made->root, LVL_FIELD(lvl_sketchy, actors), count, 1);
        if (status != LVL_OK)
            break;
        const lvl_text copy = lvl_doc_text(made, name);
        ((lvl_sketchy *)made->root)->actors[count++].filename = copy;
        status = copy.ptr ? LVL_OK : LVL_ERR_MEMORY;
    }
    lvl_names_free(&attached);
    lvl_names_free(&used);
    if (status == LVL_OK && count)
        *out = made;
    else
        lvl_doc_free(made);
    return status;
}

static const lvl_map_grid layers = {
    .first = "drawing",
    .columns = 16,
    .background = "#ffffff",
    .begin_square = begin_square,
};

static const lvl_map_list lists[] = {
    {
        .item = &lvl_sketchy_actor_table,
        .color = "#c000c0",
        .folder = "assets/doodads/",
    },
};

const lvl_map_layout lvl_sketchy_map_layout = {
    .grid = &layers,
    .lists = lists,
    .list_count = LVL_COUNT_OF(lists),
    .tiles_alone = true,
    .page_value = LVL_SKETCHY_BOUNDED,
    .begin = begin,
    .fresh = make_level,
    .stock = make_stock,
    .clear = clear,
};
