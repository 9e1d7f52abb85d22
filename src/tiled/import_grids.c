/*
 * tiled/import_grids.c: tile layers of a map as items of the level's list of layers.
 */
#include "base/text.h"
#include "base/work.h"
#include "tiled/import.h"

/* ---- layers of the level ----------------------------------------------------------------------------- */

/* Takes the art of a layer in a new map from its tileset. */
static void take_art(importer *im, const plan_grid *g, const tiled_layer *layer)
{
    const plan_field *f = &im->plan.art;
    const tiled_set *set = im->fresh && f->field && !tiled_find(&layer->properties, f->name)
                               ? import_set_of_layer(im, layer)
                               : NULL;
    const tiled_property *art = set ? tiled_find(&set->properties, lvl_text_of(TILED_ART)) : NULL;

    if (art && im->status == LVL_OK)
        import_put(im, g->item, f, art->value, TILED_ART);
}

void import_grid_fields(importer *im, const plan_grid *g, const tiled_layer *layer)
{
    import_name_layer(im, layer);
    import_fields(im, g->item, &im->plan.grid_fields, &layer->properties, NULL, NULL);
    import_text(im, g->item, &im->plan.grid_name, g->name, layer->name, "name");
}

/* Whether an item has neither cells nor squares, so that nothing is lost if its layer is missing. */
static bool is_bare(const importer *im, const plan_grid *g)
{
    const tiled_plan *plan = &im->plan;

    return plan->of.squares ? !lvl_list_count(g->item, plan->of.squares)
                            : !plan->of.cells || !lvl_get_cells(g->item, plan->of.cells)->width;
}

void import_grid(importer *im, const plan_grid *g)
{
    const tiled_layer *layer = import_grid_layer(im, g);

    if (!layer && (im->fresh || is_bare(im, g)))
        return;
    if (!layer) {
        import_fail(im, LVL_FAULT_MAP_LAYER, "the layer \"%.*s\" is missing; the level needs it",
                    (int)g->name.len, g->name.ptr);
        return;
    }
    if (im->fresh) /* in a new level, they were set before: see import.c */
        import_name_layer(im, layer);
    else
        import_grid_fields(im, g, layer);
    take_art(im, g, layer);
    import_number(im, g->item, &im->plan.parallax_x, 0.01, layer->parallax_x, "parallax factor");
    import_number(im, g->item, &im->plan.parallax_y, 0.01, layer->parallax_y, "parallax factor");
    if (!im->plan.parallax_x.field && (layer->parallax_x != 1 || layer->parallax_y != 1))
        import_warn(im, "%s: its parallax factor is not stored in the level", import_what(im));
    if (!im->fresh && !im->plan.grid_name.field && !lvl_text_equal(layer->name, g->name))
        import_warn(im, "%s: its name is not stored in the level, where it is \"%.*s\"", import_what(im),
                    (int)g->name.len, g->name.ptr);
    if (im->status == LVL_OK && im->plan.of.squares)
        import_take_squares(im, g, layer);
    else if (im->status == LVL_OK)
        import_take_cells(im, g, layer);
}

/* ---- new layers -------------------------------------------------------------------------------------- */

/* Inserts an item before the one at `at`. */
static void *insert_item(importer *im, uint32_t at)
{
    import_stop(im, lvl_list_insert(im->doc, im->doc->root, im->plan.grid_list, at, 1));
    for (uint32_t i = 0; i < im->plan.grid_count && im->status == LVL_OK; i++) {
        plan_grid *g = &im->plan.grids[i];
        g->at += g->at >= at;
        g->item = lvl_item_at(im->doc->root, im->plan.grid_list, g->at);
    }
    for (uint32_t i = 0; i < im->plan.lists.count && im->status == LVL_OK; i++) {
        plan_list *l = &im->plan.lists.items[i];
        if (l->grid != UINT32_MAX)
            l->owner = im->plan.grids[l->grid].item;
    }
    return im->status == LVL_OK ? lvl_item_at(im->doc->root, im->plan.grid_list, at) : NULL;
}

/* Initialises a new item with the tiles of another one: its lists and cell size, but not its cells or
 * objects. Everything else comes from the layer's properties. */
static void begin_item(importer *im, void *item, const plan_grid *like, const tiled_layer *layer)
{
    const tiled_plan *plan = &im->plan;
    const lvl_table *table = plan->grid_list->table;
    uint8_t *from = lvl_arena_array(&im->map->arena, 1, table->struct_size);

    if (!from) {
        import_stop(im, LVL_ERR_MEMORY);
        return;
    }
    memcpy(from, like->item, table->struct_size);
    lvl_field_reset(from, plan->of.cells);
    for (uint32_t i = 0; i < plan->object_lists; i++) {
        if (plan->objects[i].of.in_layer)
            lvl_field_reset(from, plan->objects[i].of.list);
    }
    import_stop(im, lvl_record_copy(im->doc, item, im->doc, from, table));
    for (uint32_t i = 0; i < plan->grid_fields.count && im->status == LVL_OK; i++) {
        const plan_field *f = &plan->grid_fields.items[i];
        const bool tiles = f->field->kind == LVL_LIST || f->field == plan->cell_width.field ||
                           f->field == plan->cell_height.field;
        if (!tiles || tiled_find(&layer->properties, f->name))
            import_field(im, item, f, &layer->properties, 0);
    }
    import_text(im, item, &plan->grid_name, (lvl_text){"", 0}, layer->name, "name");
}

/* The grid whose tiles a new layer uses: the one of its tileset, or the main grid. */
static uint32_t find_like(const importer *im, uint32_t gid)
{
    const tiled_set *set = import_set_of(im, gid & ~TILED_FLIPS);
    const set_info *info = set ? &im->sets[set - im->map->sets.items] : NULL;

    return info && info->kind == SET_TILES && info->grid < im->plan.grid_count ? info->grid : im->plan.main;
}

/* Reports an additional layer that the level cannot have. `x`, `y`: its first cell. */
static void refuse_grid(importer *im, const tiled_layer *layer, const plan_grid *like, int64_t x, int64_t y)
{
    char buf[80];

    import_name_layer(im, layer);
    import_fail(im, LVL_FAULT_MAP_LAYER,
                "%s, first cell at column %lld, row %lld: the level cannot have a further layer %s; move its "
                "cells to the layer \"%s\", and delete it",
                im->what, (long long)x, (long long)y, im->plan.of.cells ? "below all others" : "of tiles",
                lvl_show(buf, like->name));
}

/* Adds a new tile layer as an item after that of the layer below it. */
static void add_grid(importer *im, const tiled_layer *layer, uint32_t at, uint32_t like)
{
    const lvl_map_grid *grid = im->plan.grid;
    char buf[80], other[80];

    plan_grid g = {.index = like, .at = at, .layer = layer->id, .name = layer->name};
    g.item = insert_item(im, at);
    if (!g.item)
        return;
    import_name_layer(im, layer);
    im->changed = true;
    begin_item(im, g.item, &im->plan.grids[like], layer);
    import_number(im, g.item, &im->plan.parallax_x, 0.01, layer->parallax_x, "parallax factor");
    import_number(im, g.item, &im->plan.parallax_y, 0.01, layer->parallax_y, "parallax factor");
    if (!im->plan.grid_name.field && layer->name.len)
        import_warn(im, "%s: its name is not stored in the level, which has only numbers of layers",
                    import_what(im));
    if (im->status == LVL_OK && grid->begin_layer)
        grid->begin_layer(im->doc->root, at);
    if (grid->main && grid->main(im->doc->root) != im->plan.grids[im->plan.main].at)
        import_fail(im, LVL_FAULT_MAP_LAYER,
                    "layer \"%s\" would become the level's main one, which is \"%s\"; change its properties",
                    lvl_show(buf, layer->name), lvl_show(other, im->plan.grids[im->plan.main].name));
    if (im->status == LVL_OK)
        import_take_cells(im, &g, layer);
}

void import_new_grids(importer *im)
{
    uint32_t at = 0;
    lvl_hash grids; /* the level's grids, by their layer in the map; each is removed once it was found */
    bool *met = lvl_arena_array(&im->map->arena, (size_t)im->plan.grid_count + 1, sizeof *met);

    if (!met) {
        import_stop(im, LVL_ERR_MEMORY);
        return;
    }
    lvl_hash_init(&grids);
    for (uint32_t k = 0; k < im->plan.grid_count && im->status == LVL_OK; k++)
        import_stop(im, lvl_hash_add(&grids, lvl_hash_u64(&grids.seed, im->plan.grids[k].layer), k));
    for (uint32_t i = 0; i < im->tile_layer_count && im->status == LVL_OK && !im->fresh; i++) {
        const tiled_layer *layer = &im->map->layers.items[im->tile_layers[i]];
        lvl_hash_at found = lvl_hash_first(&grids, lvl_hash_u64(&grids.seed, layer->id));
        int64_t x = 0, y = 0;
        while (found.found && im->plan.grids[found.index].layer != layer->id)
            found = lvl_hash_next(&grids, found);
        if (found.found && !met[found.index]) { /* if two layers have the same id, the second is new */
            const plan_grid *g = &im->plan.grids[found.index];
            met[found.index] = true;
            at = g->at >= at ? g->at + 1 : at;
            continue;
        }
        const uint32_t *gid = import_first_cell(layer, &x, &y);
        if (!gid)
            continue;
        /* everything after a new layer moves */
        import_stop(im, lvl_charge(im->doc->ctx, (uint64_t)im->plan.grid_count + im->plan.lists.count + at));
        const uint32_t like = find_like(im, *gid);
        if (!im->plan.of.cells || (!at && im->plan.grid->first))
            refuse_grid(im, layer, &im->plan.grids[like], x, y);
        else
            add_grid(im, layer, at, like);
        at++;
    }
    lvl_hash_free(&grids);
}
