#include "base/format.h"
#include "wwd_make.h"
#include "base/record.h"

#include <stdio.h>
#include <string.h>

static bool fill_plane(lvl_doc *doc, lvl_wwd_plane *p, const char *name, uint32_t wide, uint32_t high)
{
    uint8_t *tiles = lvl_doc_alloc(doc, (size_t)wide * high * 4);

    if (!tiles)
        return false;
    for (uint32_t i = 0; i < wide * high; i++) {
        uint32_t id = i % 7 == 6 ? LVL_WWD_TILE_NONE : i % 11 == 10 ? LVL_WWD_TILE_FILLED : i % 5;
        for (int k = 0; k < 4; k++)
            tiles[i * 4 + (uint32_t)k] = (uint8_t)(id >> 8 * k);
    }
    snprintf(p->name, sizeof p->name, "%s", name);
    p->tiles.ptr = tiles;
    p->tiles.width = wide;
    p->tiles.height = high;
    p->tiles.size = 4;
    p->fill_color = 7;
    p->image_sets = lvl_doc_alloc(doc, sizeof *p->image_sets);
    if (!p->image_sets)
        return false;
    p->image_sets[0] = lvl_text_of(name);
    p->image_set_count = 1;
    return true;
}

static bool fill_objects(lvl_doc *doc, lvl_wwd_plane *p)
{
    static const char *const logics[] = {"Officer", "TreasurePowerup", "Segull", "StandardElevator",
                                         "CustomLogic"};

    p->objects = lvl_doc_alloc(doc, 5 * sizeof *p->objects);
    if (!p->objects)
        return false;
    p->object_count = 5;
    for (uint32_t i = 0; i < 5; i++) {
        lvl_wwd_object *o = &p->objects[i];
        lvl_record_init(o, &lvl_wwd_object_table);
        o->id = (int32_t)(i < 4 ? i + 1 : 1);
        o->x = 64 * (int32_t)i + 10;
        o->y = 100;
        o->z = 4000;
        o->i = -1;
        o->min_x = 5;
        o->max_x = 200;
        o->logic = lvl_text_of(logics[i]);
        o->image_set = lvl_text_of("LEVEL_THING");
        o->animation = lvl_text_of(i == 3 ? "GAME_CYCLE100" : "");
    }
    p->objects[2].name.ptr = "a\0\4\0\0\0meta";
    p->objects[2].name.len = 10;
    return true;
}

static bool fill_properties(lvl_doc *doc, lvl_wwd *wwd)
{
    uint8_t *mask = lvl_doc_alloc(doc, 64);

    wwd->tile_properties = lvl_doc_alloc(doc, 6 * sizeof *wwd->tile_properties);
    if (!wwd->tile_properties || !mask)
        return false;
    wwd->tile_property_count = 6;
    for (uint32_t i = 0; i < 6; i++) {
        lvl_wwd_tile_property *t = &wwd->tile_properties[i];
        lvl_record_init(t, &lvl_wwd_tile_property_table);
        t->attribute = (int32_t)i % 5;
    }
    lvl_wwd_tile_property *d = &wwd->tile_properties[3], *m = &wwd->tile_properties[5];
    d->type = LVL_WWD_TILE_DOUBLE;
    d->attribute = 0;
    d->outside = 1;
    d->inside = 4;
    d->rect = (lvl_wwd_rect){3, 4, 50, 63};
    m->type = LVL_WWD_TILE_MASK;
    m->attribute = 0;
    for (uint8_t i = 0; i < 64; i++)
        mask[i] = i % 3;
    m->mask = (lvl_cells){mask, 8, 8, 1};
    m->width = m->height = 8;
    return true;
}

lvl_doc *wwd_make(const lvl_ctx *ctx, uint32_t flags)
{
    lvl_doc *doc = NULL;

    if (lvl_doc_new(&doc, ctx, lvl_format_find("wwd")) != LVL_OK)
        return NULL;
    lvl_wwd *wwd = lvl_wwd_of(doc);
    wwd->flags = flags;
    strcpy(wwd->name, "Level 3 of our own");
    strcpy(wwd->author, "lvl");
    strcpy(wwd->image_dir, "\\LEVEL3\\TILES");
    strcpy(wwd->image_set1, "\\LEVEL3\\IMAGES");
    strcpy(wwd->prefix1, "LEVEL");
    wwd->start_x = 70;
    wwd->start_y = 80;
    wwd->planes = lvl_doc_alloc(doc, 3 * sizeof *wwd->planes);
    bool good = wwd->planes != NULL;
    wwd->plane_count = good ? 3 : 0;
    for (uint32_t i = 0; i < wwd->plane_count; i++)
        lvl_record_init(&wwd->planes[i], &lvl_wwd_plane_table);
    good = good && fill_plane(doc, &wwd->planes[0], "BACK", 4, 3) &&
           fill_plane(doc, &wwd->planes[1], "ACTION", 6, 5) &&
           fill_plane(doc, &wwd->planes[2], "FRONT", 3, 2) && fill_objects(doc, &wwd->planes[1]) &&
           fill_properties(doc, wwd);
    if (!good) {
        lvl_doc_free(doc);
        return NULL;
    }
    wwd->planes[0].flags = LVL_WWD_PLANE_WRAP_X | LVL_WWD_PLANE_WRAP_Y;
    wwd->planes[0].movement_x = wwd->planes[0].movement_y = 50;
    wwd->planes[1].flags = LVL_WWD_PLANE_MAIN;
    wwd->planes[2].movement_x = 150;
    wwd->planes[2].z = 9000;
    return doc;
}

bool wwd_make_bytes(uint32_t flags, lvl_buffer *out)
{
    lvl_ctx ctx;

    lvl_ctx_init(&ctx);
    *out = (lvl_buffer){0};
    lvl_doc *doc = wwd_make(&ctx, flags);
    bool good = doc && lvl_doc_write(doc, out) == LVL_OK;
    lvl_doc_free(doc);
    return good;
}
