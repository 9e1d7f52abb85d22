/*
 * wap32/wwd/layout.c: the usual positions of the parts of a main block, and the numbers derived from the
 * records: counts, sizes, offsets.
 *
 * Every known file has its parts in the same order, without gaps: plane headers; tiles of all planes; image
 * set names of all planes; objects of all planes; tile properties. The offset is 0 if there are no objects.
 */
#include "wap32/wwd/internal.h"

uint32_t lvl_wwd_property_fixed(uint32_t type)
{
    return type == LVL_WWD_TILE_SINGLE ? 20 : type == LVL_WWD_TILE_DOUBLE ? 40 : 16;
}

uint64_t lvl_wwd_property_size(const lvl_wwd_tile_property *property)
{
    const bool cells = property->type == LVL_WWD_TILE_MASK && property->mask.ptr;

    return lvl_wwd_property_fixed(property->type) +
           (cells ? (uint64_t)property->mask.width * property->mask.height : 0);
}

static uint64_t image_sets_size(const lvl_wwd_plane *plane)
{
    uint64_t size = 0;

    for (uint32_t i = 0; i < plane->image_set_count; i++)
        size += (uint64_t)plane->image_sets[i].len + 1;
    return size;
}

static uint64_t objects_size(const lvl_wwd_plane *plane)
{
    uint64_t size = 0;

    for (uint32_t i = 0; i < plane->object_count; i++)
        size += lvl_wwd_object_size(&plane->objects[i]);
    return size;
}

static uint64_t part_size(const lvl_wwd *wwd, lvl_wwd_part part, const lvl_wwd_plane *plane)
{
    uint64_t size = LVL_WWD_TILE_HEADER_SIZE;

    switch (part) {
    case LVL_WWD_PART_PLANES: return (uint64_t)wwd->plane_count * LVL_WWD_PLANE_SIZE;
    case LVL_WWD_PART_TILES: return (uint64_t)plane->tiles.width * plane->tiles.height * 4;
    case LVL_WWD_PART_IMAGE_SETS: return image_sets_size(plane);
    case LVL_WWD_PART_OBJECTS: return objects_size(plane);
    default: break;
    }
    /* the file has no table of tile properties, or it was cut off */
    if (!wwd->tile_header.header_size && !wwd->tile_property_count)
        return 0;
    for (uint32_t i = 0; i < wwd->tile_property_count; i++)
        size += lvl_wwd_property_size(&wwd->tile_properties[i]);
    return size;
}

uint64_t lvl_wwd_layout(const lvl_wwd *wwd, void (*fn)(void *user, const lvl_wwd_region *region), void *user)
{
    const lvl_field *offsets[LVL_WWD_PARTS] = {
        LVL_FIELD(lvl_wwd, planes_offset),           LVL_FIELD(lvl_wwd_plane, tiles_offset),
        LVL_FIELD(lvl_wwd_plane, image_sets_offset), LVL_FIELD(lvl_wwd_plane, objects_offset),
        LVL_FIELD(lvl_wwd, tile_properties_offset),
    };
    uint64_t at = LVL_WWD_HEADER_SIZE;

    for (uint32_t i = 0; i < wwd->gap_count; i++)
        at += wwd->gaps[i].bytes.len;
    for (uint32_t part = 0; part < LVL_WWD_PARTS; part++) {
        const bool each = part != LVL_WWD_PART_PLANES && part != LVL_WWD_PART_PROPERTIES;
        for (uint32_t i = 0; i < (each ? wwd->plane_count : 1); i++) {
            lvl_wwd_region r = {
                .part = (lvl_wwd_part)part, .offset = at, .field = offsets[part], .usual = at};
            r.plane = each ? &wwd->planes[i] : NULL;
            r.record = each ? (void *)r.plane : (void *)(uintptr_t)wwd;
            r.size = part_size(wwd, r.part, r.plane);
            if (part == LVL_WWD_PART_OBJECTS && !r.plane->object_count)
                r.usual = 0;
            if (fn)
                fn(user, &r);
            at += r.size;
        }
    }
    return at - LVL_WWD_HEADER_SIZE;
}

/* ---- derived members ----------------------------------------------------------------------------------- */

struct derive {
    lvl_derived_fn visit;
    void *user;
};

static void derive_region(void *user, const lvl_wwd_region *region)
{
    const struct derive *d = user;

    d->visit(d->user, region->record, region->field, (int64_t)(uint32_t)region->usual);
}

/* Objects have very many sizes, so only those that differ are visited. */
static void derive_objects(const struct derive *d, lvl_wwd_plane *plane)
{
    for (uint32_t i = 0; i < plane->object_count; i++) {
        lvl_wwd_object *o = &plane->objects[i];
        for (size_t k = 0; k < LVL_WWD_OBJECT_TEXTS; k++) {
            const size_t len = lvl_wwd_object_text(o, k).len;
            if (lvl_wwd_object_text_size(o, k) != len)
                d->visit(d->user, o, lvl_table_at(&lvl_wwd_object_table, LVL_WWD_SIZE_AT(k)), (int64_t)len);
        }
    }
}

lvl_status lvl_wwd_derive(lvl_doc *doc, lvl_derived_fn visit, void *user)
{
    lvl_wwd *wwd = doc->root;
    const struct derive d = {visit, user};

    visit(user, wwd, LVL_FIELD(lvl_wwd, planes_declared), wwd->plane_count);
    for (uint32_t i = 0; i < wwd->plane_count; i++) {
        lvl_wwd_plane *p = &wwd->planes[i];
        visit(user, p, LVL_FIELD(lvl_wwd_plane, tiles_wide), (int32_t)p->tiles.width);
        visit(user, p, LVL_FIELD(lvl_wwd_plane, tiles_high), (int32_t)p->tiles.height);
        visit(user, p, LVL_FIELD(lvl_wwd_plane, width_px),
              (int32_t)(p->tiles.width * (uint32_t)p->tile_width));
        visit(user, p, LVL_FIELD(lvl_wwd_plane, height_px),
              (int32_t)(p->tiles.height * (uint32_t)p->tile_height));
        visit(user, p, LVL_FIELD(lvl_wwd_plane, image_sets_declared), p->image_set_count);
        visit(user, p, LVL_FIELD(lvl_wwd_plane, objects_declared), p->object_count);
        derive_objects(&d, p);
    }
    visit(user, &wwd->tile_header, LVL_FIELD(lvl_wwd_tile_header, declared), wwd->tile_property_count);
    uint64_t size = lvl_wwd_layout(wwd, derive_region, (void *)(uintptr_t)&d);
    visit(user, wwd, LVL_FIELD(lvl_wwd, inflated_size),
          wwd->flags & LVL_WWD_COMPRESS ? (int64_t)(uint32_t)size : 0);
    /* if no rule matches, the file's own checksum is kept as an override */
    if (wwd->checksum_rule == LVL_WWD_CHECKSUM_OTHER)
        visit(user, wwd, LVL_FIELD(lvl_wwd, checksum), 0);
    uint32_t trailer = 0;
    const lvl_status status = lvl_wwd_trailer_size(wwd, &trailer);
    for (uint32_t i = 0; i < wwd->wapmap_count; i++) {
        if (wwd->wapmap[i].type <= 1)
            visit(user, &wwd->wapmap[i], LVL_FIELD(lvl_wwd_block, size), trailer);
    }
    return status;
}
