/*
 * support/wwd_seeds.c: see support/wwd_seeds.h.
 */
#include "wwd_seeds.h"

#include "base/cursor.h"
#include "base/format.h"
#include "codec/deflate.h"
#include "codec/inflate.h"
#include "base/record.h"

#include <lvl/wwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INFLATED_AT = 0x2E8, CHECKSUM_AT = 0x2EC, MAX_INFLATED = 1 << 24 };

/* ---- seeds ------------------------------------------------------------------------------------------- */

const char *lvl_wwd_seed_name(int seed)
{
    static const char *const names[] = {"tiny", "stored", "compressed", "wapmap", "odd", "large"};

    return names[seed];
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void put(char *slot, size_t size, const char *text)
{
    snprintf(slot, size, "%s", text);
}

static bool add_tiles(lvl_doc *doc, lvl_wwd_plane *plane, uint32_t width, uint32_t height, uint32_t *seed)
{
    size_t cells = (size_t)width * height;
    uint8_t *tiles = lvl_doc_alloc(doc, cells * 4);

    if (!tiles)
        return false;
    for (size_t i = 0; i < cells; i++) {
        uint32_t r = next_random(seed) % 8;
        lvl_store_u32le(tiles + i * 4, r < 4 ? LVL_WWD_TILE_NONE : r == 4 ? LVL_WWD_TILE_FILLED : r % 4);
    }
    plane->tiles = (lvl_cells){tiles, width, height, 4};
    return true;
}

static bool add_objects(lvl_doc *doc, lvl_wwd_plane *plane, uint32_t count, uint32_t *seed)
{
    static const char *const logics[] = {"Soldier", "Rat", "TreasurePowerup", "Elevator", "", "Segull"};
    static const char *const images[] = {"LEVEL_SOLDIER", "LEVEL_RAT", "GAME_TREASURE_COINS", "ACTION",
                                         "LEVEL_X"};

    plane->objects = lvl_doc_alloc(doc, count * sizeof *plane->objects);
    if (!plane->objects)
        return false;
    plane->object_count = count;
    for (uint32_t i = 0; i < count; i++) {
        lvl_wwd_object *o = &plane->objects[i];
        lvl_record_init(o, &lvl_wwd_object_table);
        o->id = (int32_t)(i / 2); /* not unique, as in real files */
        o->x = (int32_t)(next_random(seed) % 300);
        o->y = (int32_t)(next_random(seed) % 300) - 20;
        o->z = 1000;
        o->i = i % 3 ? -1 : 6;
        o->draw_flags = i % 4;
        o->move_rect = (lvl_wwd_rect){1, 2, 3, (int32_t)i};
        o->logic = lvl_text_of(logics[i % 6]);
        o->image_set = lvl_text_of(images[i % 5]);
        if (i % 3 == 0)
            o->name = i % 6 ? lvl_text_of("door \xb3") : (lvl_text){"meta\0\4\0\0\0\1\0\0\0", 13};
        if (i % 5 == 0)
            o->animation = lvl_text_of("GAME_CYCLE100");
    }
    return true;
}

static bool add_image_sets(lvl_doc *doc, lvl_wwd_plane *plane, uint32_t count)
{
    static const char *const names[] = {"ACTION", "", "BACK"};

    plane->image_sets = lvl_doc_alloc(doc, (count ? count : 1) * sizeof *plane->image_sets);
    if (!plane->image_sets)
        return false;
    plane->image_set_count = count;
    for (uint32_t i = 0; i < count; i++)
        plane->image_sets[i] = lvl_text_of(names[i % 3]);
    return true;
}

static bool add_properties(lvl_doc *doc, lvl_wwd *wwd, uint32_t count)
{
    wwd->tile_properties = lvl_doc_alloc(doc, count * sizeof *wwd->tile_properties);
    if (!wwd->tile_properties)
        return false;
    wwd->tile_property_count = count;
    for (uint32_t i = 0; i < count; i++) {
        lvl_wwd_tile_property *p = &wwd->tile_properties[i];
        lvl_record_init(p, &lvl_wwd_tile_property_table);
        p->type = i % 4 == 3 ? LVL_WWD_TILE_MASK : i % 4 == 1 ? LVL_WWD_TILE_DOUBLE : LVL_WWD_TILE_SINGLE;
        p->width = p->height = p->type == LVL_WWD_TILE_MASK ? 8 : 64;
        p->attribute = (int32_t)(i % 5);
        p->inside = 1;
        p->rect = (lvl_wwd_rect){0, 0, 63, 20};
        if (p->type != LVL_WWD_TILE_MASK)
            continue;
        uint8_t *mask = lvl_doc_alloc(doc, 64);
        if (!mask)
            return false;
        memset(mask, (int)i, 32);
        p->mask = (lvl_cells){mask, 8, 8, 1};
    }
    return true;
}

static bool add_plane(lvl_doc *doc, lvl_wwd_plane *plane, int seed, uint32_t index, uint32_t *random)
{
    bool main = index == 1 || seed == LVL_WWD_SEED_TINY;
    uint32_t width = seed == LVL_WWD_SEED_TINY ? 2 : seed == LVL_WWD_SEED_LARGE ? 90 : 5 + index;
    uint32_t objects = !main ? 0 : seed == LVL_WWD_SEED_LARGE ? 150 : seed == LVL_WWD_SEED_TINY ? 1 : 6;

    lvl_record_init(plane, &lvl_wwd_plane_table);
    plane->flags = main ? LVL_WWD_PLANE_MAIN : LVL_WWD_PLANE_WRAP_X | LVL_WWD_PLANE_WRAP_Y;
    put(plane->name, sizeof plane->name, main ? "Action" : "Back");
    plane->tile_width = plane->tile_height = 64;
    plane->movement_x = plane->movement_y = main ? 100 : 50;
    plane->z = main ? 0 : -999;
    if (seed == LVL_WWD_SEED_ODD) {
        plane->flags |= 0x60;
        plane->unknown_94 = 7;
        if (index == 0)
            objects = 2;
    }
    return add_tiles(doc, plane, width, width - 1 + index, random) &&
           add_image_sets(doc, plane, seed == LVL_WWD_SEED_ODD ? index : 1) &&
           (!objects || add_objects(doc, plane, objects, random));
}

static bool fill(lvl_doc *doc, int seed)
{
    lvl_wwd *wwd = lvl_doc_root(doc);
    uint32_t random = 42;

    put(wwd->name, sizeof wwd->name, "Claw - Level 3");
    put(wwd->author, sizeof wwd->author, "T\xb3o");
    put(wwd->image_dir, sizeof wwd->image_dir, "\\LEVEL3\\TILES");
    put(wwd->pal_rez, sizeof wwd->pal_rez, "\\LEVEL3\\PALETTES\\MAIN.PAL");
    put(wwd->image_set1, sizeof wwd->image_set1, "\\LEVEL3\\IMAGES");
    put(wwd->prefix1, sizeof wwd->prefix1, "LEVEL");
    wwd->start_x = 100;
    wwd->flags = LVL_WWD_USE_Z;
    if (seed >= LVL_WWD_SEED_COMPRESSED)
        wwd->flags |= LVL_WWD_COMPRESS;
    if (seed == LVL_WWD_SEED_WAPMAP)
        wwd->checksum_rule = LVL_WWD_CHECKSUM_WAPMAP;
    wwd->plane_count = seed == LVL_WWD_SEED_TINY ? 1 : 3;
    wwd->planes = lvl_doc_alloc(doc, wwd->plane_count * sizeof *wwd->planes);
    if (!wwd->planes || !add_properties(doc, wwd, seed == LVL_WWD_SEED_TINY ? 2 : 8))
        return false;
    for (uint32_t i = 0; i < wwd->plane_count; i++) {
        if (!add_plane(doc, &wwd->planes[i], seed, i, &random))
            return false;
    }
    if (seed == LVL_WWD_SEED_ODD)
        wwd->trailing = (lvl_bytes){(const uint8_t *)"\r\n", 2};
    return true;
}

/* WapMap's trailer. */
static void add_trailer(lvl_buffer *out)
{
    size_t start = out->len;

    lvl_buffer_str(out, "<wm_meta>");
    lvl_buffer_add(out, "\0\4\0\0\0\0\0\0\0", 9); /* start: the size of everything, corrected below */
    lvl_buffer_add(out,
                   "\2\x1b\0\0\0\x1e\0\0\0"
                   "0.3.1\0\1\0\0\0"
                   "1.0\0"
                   "a level\0",
                   9 + 10 + 4 + 8 + 1);
    size_t header = start + 18;
    lvl_store_u32le(out->data + header + 1, (uint32_t)(out->len - header - 5));
    lvl_buffer_add(out, "\3\x0e\0\0\0\2\0\0\0\0\x64\0\0\0\1\xc8\0\0\0", 19);
    lvl_buffer_add(out, "\4\x10\0\0\0\1\0\0\0home\0\x0a\0\0\0\x14\0\0\0", 22);
    lvl_store_u32le(out->data + out->len - 21, 17);
    lvl_buffer_add(out, "\1\4\0\0\0\0\0\0\0", 9);
    lvl_buffer_str(out, "</wm_meta>");
    if (out->status != LVL_OK)
        return;
    lvl_store_u32le(out->data + start + 14, (uint32_t)(out->len - start));
    lvl_store_u32le(out->data + out->len - 14, (uint32_t)(out->len - start));
}

lvl_status lvl_wwd_seed(int seed, lvl_buffer *out)
{
    lvl_ctx ctx;
    lvl_doc *doc = NULL;

    lvl_ctx_init(&ctx);
    lvl_status status = lvl_doc_new(&doc, &ctx, lvl_format_find("wwd"));
    if (status != LVL_OK)
        return status;
    status = fill(doc, seed) ? lvl_doc_write(doc, out) : LVL_ERR_MEMORY;
    if (status == LVL_OK && seed == LVL_WWD_SEED_WAPMAP) {
        add_trailer(out);
        status = out->status;
    }
    lvl_doc_free(doc);
    return status;
}

/* ---- hook -------------------------------------------------------------------------------------------- */

static bool wwd_unwrap(lvl_bytes file, lvl_buffer *inner)
{
    if (file.len < LVL_WWD_HEADER_SIZE + 8 || file.ptr[LVL_WWD_HEADER_SIZE] != 0x78)
        return false;
    lvl_bytes stream = {file.ptr + LVL_WWD_HEADER_SIZE, file.len - LVL_WWD_HEADER_SIZE};
    return lvl_inflate_zlib_grow(&(lvl_work){.left = UINT64_MAX}, stream, inner, MAX_INFLATED, NULL) ==
           LVL_OK;
}

/* The checksum of the editors, implemented a second time to find errors in the library's. */
static uint32_t editor_checksum(const uint8_t *stream, size_t len, lvl_bytes inner)
{
    uint32_t sum = (uint32_t)(0 - len);

    for (size_t i = 1; i < len; i++)
        sum += (uint32_t)(stream[i] - i);
    return sum + (len < inner.len ? inner.ptr[len] : 0);
}

static bool wwd_wrap(lvl_bytes file, lvl_bytes inner, lvl_buffer *out)
{
    size_t start = out->len + LVL_WWD_HEADER_SIZE;

    if (file.len < LVL_WWD_HEADER_SIZE)
        return false;
    lvl_buffer_add(out, file.ptr, LVL_WWD_HEADER_SIZE);
    if (lvl_deflate(LVL_WRAP_ZLIB, inner, out) != LVL_OK)
        return false;
    uint8_t *header = out->data + start - LVL_WWD_HEADER_SIZE;
    lvl_store_u32le(header + INFLATED_AT, (uint32_t)inner.len);
    lvl_store_u32le(header + CHECKSUM_AT, editor_checksum(out->data + start, out->len - start, inner));
    return true;
}

const lvl_hostile_hook lvl_wwd_hook = {wwd_unwrap, wwd_wrap};
