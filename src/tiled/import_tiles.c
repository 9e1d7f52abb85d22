/*
 * tiled/import_tiles.c: properties of single tiles in the tilesets of a map.
 */
#include "base/text.h"
#include "base/work.h"
#include "tiled/import.h"

#include <stdio.h>

/* A map does not contain the cells of a tile (its mask), so a new tile that needs them becomes a plain
 * one. */
static void drop_cells(importer *im, void *record, const lvl_table *table)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->kind != LVL_CELLS || !lvl_field_present(record, f) || lvl_get_cells(record, f)->ptr)
            continue;
        import_warn(im, "%s: its %s is not in the map; it becomes a plain tile", import_what(im), f->name);
        memset(record, 0, table->struct_size);
        lvl_record_init(record, table);
        return;
    }
}

static void name_tile(importer *im, const tiled_set *set, uint32_t id)
{
    char buf[80];

    im->object = NULL;
    snprintf(im->what, sizeof im->what, "tile %lu of tileset \"%s\"", (unsigned long)id,
             lvl_show(buf, set->name));
}

/* Whether the list describes the tiles of this set, which must be the main layer's; in a new level, the set
 * that the main layer was drawn with. */
static bool is_described(const importer *im, const tiled_set *set)
{
    const tiled_plan *plan = &im->plan;
    const set_info *info = &im->sets[set - im->map->sets.items];
    const plan_grid *main = plan->main < plan->grid_count ? &plan->grids[plan->main] : NULL;
    const tiled_set *drawn = im->fresh && main ? import_set_of_layer(im, import_grid_layer(im, main)) : NULL;

    if (!plan->tiles || info->kind != (plan->layout->tiles_alone ? SET_LIST : SET_TILES))
        return false;
    if (plan->layout->tiles_alone)
        return true;
    return drawn && im->sets[drawn - im->map->sets.items].kind == SET_TILES ? set == drawn
                                                                            : info->grid == plan->main;
}

/* Warns about values of a tile that no level stores: a class, properties of a special tile or of a tile in
 * another layer. */
static void check_tile(importer *im, const tiled_set *set, const set_info *info, const tiled_tile *tile,
                       bool stored)
{
    char buf[80];

    name_tile(im, set, tile->id);
    if (tile->unused.len)
        import_warn(im, "%s: %s: not stored in the level", import_what(im), tile->unused.ptr);
    if (info->kind == SET_SPRITES)
        return;
    if (tile->type.len)
        import_warn(im, "%s: the class \"%s\" is not stored in the level", import_what(im),
                    lvl_show(buf, tile->type));
    for (uint32_t i = 0; i < tile->properties.count && !stored && im->status == LVL_OK; i++) {
        const tiled_property *p = &tile->properties.items[i];
        if (info->kind != SET_SPECIAL || !lvl_text_is(p->name, "value"))
            import_warn(im, "%s: the property %s is not stored in the level", import_what(im),
                        lvl_show(buf, p->name));
    }
}

/* Warns about values of a tileset that no level stores. Tilesets of templates are separate files. */
static void check_set(importer *im, const tiled_set *set, const set_info *info)
{
    const plan_grid *g = info->kind == SET_TILES && info->grid < im->plan.grid_count && !im->plan.grid->shared
                             ? &im->plan.grids[info->grid]
                             : NULL;
    char buf[80], was[80];

    im->object = NULL;
    if (info->kind == SET_FOREIGN)
        return;
    if (set->unused.len)
        import_warn(im, "tileset \"%s\": %s: not stored in the level", lvl_show(buf, set->name),
                    set->unused.ptr);
    if (g && !im->fresh && !lvl_text_equal(set->name, g->name))
        import_warn(im, "tileset \"%s\": its name is not stored in the level; it is that of the layer \"%s\"",
                    lvl_show(buf, set->name), lvl_show(was, g->name));
    for (uint32_t i = 0; i < set->properties.count; i++) {
        if (!lvl_text_begins(set->properties.items[i].name, "lvl."))
            import_warn(im, "tileset \"%s\": the property \"%s\" is not stored in the level",
                        lvl_show(buf, set->name), lvl_show(was, set->properties.items[i].name));
    }
}

static void check_tiles(importer *im)
{
    for (uint32_t i = 0; i < im->map->sets.count && im->status == LVL_OK; i++) {
        const tiled_set *set = &im->map->sets.items[i];
        const set_info *info = &im->sets[i];
        check_set(im, set, info);
        if (info->kind == SET_FOREIGN)
            continue;
        const bool stored = is_described(im, set);
        import_stop(im, lvl_charge(im->map->ctx, (uint64_t)set->tiles.count * 8));
        for (uint32_t k = 0; k < set->tiles.count && im->status == LVL_OK; k++)
            check_tile(im, set, info, &set->tiles.items[k], stored);
    }
}

/* Adds items for tiles beyond the list: for a sheet, all up to that tile; for a collection, the next item. */
static uint32_t add_tiles(importer *im, const tiled_set *set, uint32_t count)
{
    const tiled_plan *plan = &im->plan;
    const bool alone = plan->layout->tiles_alone;

    for (uint32_t k = 0; k < set->tiles.count && im->status == LVL_OK; k++) {
        const uint32_t id = tiled_value_of_tile(plan->grid, set->tiles.items[k].id);
        if (!set->tiles.items[k].properties.count || id < count)
            continue;
        name_tile(im, set, set->tiles.items[k].id);
        if (alone && id > count) {
            import_fail(im, LVL_FAULT_MAP, "%s is beyond the next new one, %lu; give that one the properties",
                        import_what(im), (unsigned long)count);
        } else if (alone || id < plan->grid->values) {
            import_stop(im, lvl_list_insert(im->doc, im->doc->root, plan->tiles, count, id + 1 - count));
            count = id + 1;
            im->changed = true;
        }
    }
    return count;
}

void import_tiles(importer *im)
{
    const tiled_plan *plan = &im->plan;

    check_tiles(im);
    for (uint32_t i = 0; plan->tiles && i < im->map->sets.count && im->status == LVL_OK; i++) {
        const tiled_set *set = &im->map->sets.items[i];
        if (!is_described(im, set))
            continue;
        if (im->fresh)
            lvl_field_reset(im->doc->root, plan->tiles);
        const uint32_t old = lvl_list_count(im->doc->root, plan->tiles);
        const uint32_t count = add_tiles(im, set, old);
        for (uint32_t k = 0; k < count && im->status == LVL_OK; k++) {
            const tiled_properties none = {0};
            const tiled_tile *tile = import_tile_of(set, tiled_tile_of_value(plan->grid, k));
            name_tile(im, set, k);
            void *record = lvl_item_at(im->doc->root, plan->tiles, k);
            import_fields(im, record, &plan->tile_fields, tile ? &tile->properties : &none, NULL, NULL);
            if (k >= old && im->status == LVL_OK)
                drop_cells(im, record, plan->tiles->table);
        }
        return;
    }
}
