/*
 * tiled/import.c: a map as a document: the level that the map was made from, with the map's changes.
 *
 * Layers and objects are recognized by their ids, never by a property, since a copied object has the same
 * properties. A value is changed only if it differs from the text that the export would write. So saving in
 * Tiled does not lose what Tiled cannot store (more than six digits of a coordinate).
 */
#include "base/buffer.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/work.h"
#include "codec/inflate.h"
#include "codec/json.h"
#include "tiled/import.h"

#include <stdio.h>

/* Whether an object layer is one of the level's, and its name there. */
static bool is_list_layer(const importer *im, const tiled_layer *layer, lvl_text *name)
{
    for (uint32_t i = 0; i < im->plan.lists.count; i++) {
        const plan_list *l = &im->plan.lists.items[i];
        *name = l->name;
        if (im->fresh ? lvl_text_equal(l->name, layer->name) : l->layer == layer->id)
            return true;
    }
    *name = lvl_text_of("level");
    return im->plan.start_layer && (im->fresh || layer->id == im->plan.start_layer);
}

static void check_object_layer(importer *im, const tiled_layer *l)
{
    lvl_text name = {"", 0};
    char buf[80];

    const bool known = is_list_layer(im, l, &name);
    import_name_layer(im, l);
    if (!known && l->objects.count && !im->foreign) /* these are sorted one by one */
        import_warn(im, "%s: the level has no such layer; its objects are stored in the level's own",
                    import_what(im));
    else if (known && !im->fresh && !lvl_text_equal(name, l->name))
        import_warn(im, "%s: its name is not stored in the level, where it is \"%.*s\"", import_what(im),
                    (int)name.len, name.ptr);
    for (uint32_t i = 0; i < l->properties.count && im->status == LVL_OK; i++)
        import_warn(im, "%s: the property \"%s\" is not stored in the level", import_what(im),
                    lvl_show(buf, l->properties.items[i].name));
}

/* Warns about a changed order of the level's tile layers, which is not stored. */
static void check_order(importer *im)
{
    const tiled_layer *last = NULL;
    char buf[80];

    for (uint32_t i = 0; i < im->plan.grid_count && !im->fresh; i++) {
        const tiled_layer *l = import_grid_layer(im, &im->plan.grids[i]);
        if (l && last && l < last) {
            import_name_layer(im, l);
            import_warn(im, "%s is below \"%s\" now: the order of the level's layers is not stored",
                        import_what(im), lvl_show(buf, last->name));
        }
        last = l && (!last || l > last) ? l : last;
    }
}

/* Checks that all layers can be stored: tile layers and objects can, picture layers cannot. */
static void check_layers(importer *im)
{
    for (uint32_t i = 0; i < im->map->groups.count && im->status == LVL_OK; i++) {
        const tiled_group *g = &im->map->groups.items[i];
        char buf[80];
        import_warn(im, "group \"%s\": not stored in the level%s%s; its layers are", lvl_show(buf, g->name),
                    g->unused.len ? ", nor its " : "", g->unused.len ? g->unused.ptr : "");
    }
    for (uint32_t i = 0; i < im->map->layers.count && im->status == LVL_OK; i++) {
        const tiled_layer *l = &im->map->layers.items[i];
        char buf[80];
        if (l->kind == TILED_IMAGE)
            import_fail(im, LVL_FAULT_MAP_LAYER,
                        "the layer \"%s\" is a picture, which the level cannot store; delete the layer",
                        lvl_show(buf, l->name));
        if (l->unused.len)
            import_warn(im, "layer \"%s\": its %s is not stored in the level", lvl_show(buf, l->name),
                        l->unused.ptr);
        if (l->kind == TILED_OBJECTS)
            check_object_layer(im, l);
    }
    check_order(im);
}

static void take_settings(importer *im)
{
    im->object = NULL;
    snprintf(im->what, sizeof im->what, "the map");
    import_fields(im, im->doc->root, &im->plan.root_fields, &im->map->properties, NULL, NULL);
    if (im->map->unused.len)
        import_warn(im, "the map: its %s is not stored in the level", im->map->unused.ptr);
}

/* The map's tile size is that of the main plane, which is a property of its layer or not stored at all. */
static void check_tile_size(importer *im)
{
    const tiled_plan *p = &im->plan;
    const tiled_map *map = im->map;

    if (im->status != LVL_OK || p->main >= p->grid_count)
        return;
    const uint32_t width = plan_cell_side(p, &p->grids[p->main], &p->cell_width),
                   height = plan_cell_side(p, &p->grids[p->main], &p->cell_height);
    if (map->tile_width != width || map->tile_height != height)
        import_warn(im,
                    "the map: its tiles are %lu x %lu px, which is not stored in the level, where they are "
                    "%lu x %lu px",
                    (unsigned long)map->tile_width, (unsigned long)map->tile_height, (unsigned long)width,
                    (unsigned long)height);
}

static void take_map(importer *im)
{
    if (im->map->orientation.len && !lvl_text_is(im->map->orientation, "orthogonal")) {
        import_fail(im, LVL_FAULT_MAP, "expected an orthogonal map, found an %.*s one",
                    (int)im->map->orientation.len, im->map->orientation.ptr);
        return;
    }
    import_find_sets(im);
    take_settings(im);
    if (im->foreign && im->status == LVL_OK)
        import_match_foreign(im);
    import_tiles(im);
    check_layers(im);
    import_find_shift(im);
    import_new_grids(im);
    for (uint32_t i = 0; i < im->plan.grid_count && im->status == LVL_OK; i++)
        import_grid(im, &im->plan.grids[i]);
    if (im->status == LVL_OK)
        import_objects(im);
    if (im->status == LVL_OK)
        import_start(im);
    check_tile_size(im);
}

/* The bytes of the level that the map was made from. LVL_ERR_MISSING: the map has none. */
static lvl_status origin_of(importer *im, lvl_buffer *out)
{
    const tiled_property *inside = tiled_find(&im->map->properties, lvl_text_of("lvl.origin")),
                         *file = tiled_find(&im->map->properties, lvl_text_of("lvl.origin_file")),
                         *sha = tiled_find(&im->map->properties, lvl_text_of("lvl.sha256"));
    const size_t most = lvl_memory_share(im->map->ctx);
    lvl_buffer packed = {.max = most};
    lvl_work work = lvl_work_begin(im->map->ctx);
    lvl_status status = LVL_ERR_MISSING;
    size_t size = 0;

    if (inside && !lvl_base64_size(inside->value, &size)) {
        status = LVL_ERR_FORMAT;
    } else if (inside && lvl_buffer_reserve(&packed, size + 1)) {
        packed.len = size;
        status = lvl_base64_decode(inside->value, packed.data) ? LVL_OK : LVL_ERR_FORMAT;
    } else if (!inside && file && im->options->fetch) {
        status = im->options->fetch(im->options->user, file->value.ptr, &packed);
        status = status == LVL_ERR_IO ? LVL_ERR_MISSING : status;
    }
    if (packed.status != LVL_OK)
        status = lvl_buffer_outcome(im->map->ctx, &packed);
    if (status == LVL_OK) {
        status = lvl_inflate_zlib_grow(&work, lvl_buffer_bytes(&packed), out, most, NULL);
        if (status == LVL_ERR_LIMIT && work.status == LVL_OK)
            lvl_refuse(im->map->ctx, LVL_LIMIT_MEMORY, most, 0);
    }
    lvl_buffer_free(&packed);
    if (status == LVL_OK) {
        lvl_sha256_hex(lvl_buffer_bytes(out), im->sha);
        if (sha && !lvl_text_is(sha->value, im->sha))
            status = LVL_ERR_FORMAT;
    }
    if (status == LVL_ERR_FORMAT)
        import_fail(im, LVL_FAULT_MAP_ORIGIN,
                    "the property lvl.origin does not hold the level that lvl.sha256 names; delete both to "
                    "make a new level of the map, or convert the level again");
    else if (status == LVL_ERR_MISSING && file)
        import_fail(
            im, LVL_FAULT_MAP_ORIGIN,
            "the level that the map was made of is missing: %.*s; put it back, or delete the property "
            "lvl.origin_file to make a new level",
            (int)file->value.len, file->value.ptr);
    return im->status != LVL_OK ? im->status : status;
}

/* Notes what the tiles of the new level show, before its layers are replaced by the map's. */
static lvl_status note_art(importer *im)
{
    tiled_properties art = {0};
    tiled_plan plan;

    const lvl_status status = tiled_plan_make(&plan, im->doc, &im->map->arena);
    if (status == LVL_OK && plan.main < plan.grid_count)
        tiled_put_field(&plan, &art, plan.grids[plan.main].item, &plan.art, 0);
    if (art.count)
        im->new_art = art.items[0].value;
    return status;
}

/* Makes the new level as `lvl new` would, but without layers if the map has `count` of its own. Settings that
 * an export left out get their defaults; a map drawn in Tiled has no settings, but the game needs some. */
static lvl_status begin_drawn(importer *im, const lvl_map_layout *layout, const lvl_field *list,
                              uint32_t count)
{
    const tiled_map *map = im->map;
    const bool in_px = lvl_field_with_role(im->doc->format->table, LVL_ROLE_WIDTH, NULL);
    const uint64_t width = (uint64_t)map->width * (in_px ? map->tile_width : 1),
                   height = (uint64_t)map->height * (in_px ? map->tile_height : 1);
    const bool sized = !map->infinite && width && height;

    if (width > INT32_MAX || height > INT32_MAX)
        return lvl_refuse(map->ctx, LVL_LIMIT_ITEMS, INT32_MAX, width > height ? width : height);
    const lvl_map_new what = {.ending = im->doc->format->id,
                              .width = sized ? (uint32_t)width : 0,
                              .height = sized ? (uint32_t)height : 0};
    lvl_status status = layout->fresh(im->doc, &what);
    if (status == LVL_OK && im->foreign)
        status = note_art(im);
    if (status == LVL_OK && count)
        lvl_field_reset(im->doc->root, list);
    return status;
}

/* A new level, with a layer for each tile layer of the map. */
static lvl_status begin_new(importer *im, const lvl_format *format, bool drawn)
{
    const lvl_map_layout *layout = lvl_map_layout_of(format);
    const lvl_field *list = lvl_map_layers(format);
    uint32_t count = 0;

    lvl_status status = list ? lvl_doc_new(&im->doc, im->map->ctx, format) : LVL_ERR_UNSUPPORTED;
    if (status != LVL_OK)
        return status;
    im->fresh = im->changed = true;
    im->foreign = drawn && import_is_foreign(im->map);
    if (im->foreign)
        import_settle_foreign(im, format);
    if (im->status != LVL_OK)
        return im->status;
    for (uint32_t i = 0; i < im->map->layers.count; i++)
        count += im->map->layers.items[i].kind == TILED_TILES;
    if ((drawn || !count) && layout->fresh)
        status = begin_drawn(im, layout, list, count);
    import_warn(
        im, "the map has no origin: a new level is made, in which all that the map does not show is default");
    return status == LVL_OK ? lvl_list_insert(im->doc, im->doc->root, list, 0, count) : status;
}

static lvl_status begin(importer *im, lvl_buffer *origin)
{
    const tiled_property *id = tiled_find(&im->map->properties, lvl_text_of("lvl.format")),
                         *encoding = tiled_find(&im->map->properties, lvl_text_of("lvl.encoding"));
    char buf[80];

    lvl_status status = origin_of(im, origin);
    if (status == LVL_ERR_MISSING) {
        const lvl_format *format = im->options->format;
        if (!format && id)
            format = lvl_formats_find(im->map->ctx, id->value.ptr);
        if (!format) {
            lvl_fault_add(im->findings, LVL_FAULT_MAP_ORIGIN,
                          "the map has no origin, and no format is given that it could become");
            return LVL_ERR_FOREIGN;
        }
        status = begin_new(im, format, !id);
    } else if (status == LVL_OK) {
        const lvl_format *format = id ? lvl_formats_find(im->map->ctx, id->value.ptr) : NULL;
        if (!format || !lvl_tiled_can(format)) {
            import_fail(im, LVL_FAULT_MAP_ORIGIN, "lvl.format: there is no format \"%s\" with a map",
                        id ? lvl_show(buf, id->value) : "");
            return LVL_ERR_FORMAT;
        }
        status =
            lvl_read(&im->doc, im->map->ctx, format, (lvl_bytes){origin->data, origin->len}, NULL, 0, NULL);
        if (status == LVL_ERR_FORMAT || status == LVL_ERR_FOREIGN)
            import_fail(im, LVL_FAULT_MAP_ORIGIN, "lvl.origin holds no %s", format->title);
    }
    if (status == LVL_OK && encoding)
        lvl_codepage_parse(encoding->value.ptr, &im->doc->codepage);
    return status;
}

/* Sets the fields of a new level's layers first, since they determine which lists it has. */
static lvl_status begin_layers(importer *im)
{
    take_settings(im);
    for (uint32_t i = 0; i < im->plan.grid_count && im->status == LVL_OK; i++) {
        const tiled_layer *layer = import_grid_layer(im, &im->plan.grids[i]);
        if (layer)
            import_grid_fields(im, &im->plan.grids[i], layer);
    }
    if (im->plan.layout->begin)
        im->plan.layout->begin(im->doc->root);
    if (im->status == LVL_OK)
        import_stop(im, tiled_plan_make(&im->plan, im->doc, &im->map->arena));
    for (uint32_t i = 0; i < im->plan.grid_count && im->status == LVL_OK; i++) {
        plan_grid *g = &im->plan.grids[i];
        const tiled_layer *layer = import_grid_layer(im, g);
        if (!layer)
            continue;
        if (!im->plan.grid_name.field && !lvl_text_equal(g->name, layer->name)) {
            import_name_layer(im, layer);
            import_warn(im, "%s: its name is not stored in the level, where it is \"%.*s\"", import_what(im),
                        (int)g->name.len, g->name.ptr);
        }
        g->name = layer->name; /* messages name it as the map does */
    }
    return im->status;
}

static lvl_status read_map(importer *im)
{
    lvl_buffer origin = {0};

    lvl_status status = begin(im, &origin);
    if (status == LVL_OK && im->options->origin) {
        lvl_buffer_add(im->options->origin, origin.data, origin.len);
        status = im->options->origin->status;
    }
    lvl_buffer_free(&origin);
    if (status == LVL_OK)
        status = tiled_plan_make(&im->plan, im->doc, &im->map->arena);
    if (status == LVL_OK) {
        import_index_layers(im);
        status = im->status;
    }
    if (status == LVL_OK && !im->foreign && (im->options->tileset_is || im->options->has_empty_is))
        import_warn(im, "lvl wrote this map or its tilesets: --tileset-is and --empty-is change nothing");
    if (status == LVL_OK && im->fresh)
        status = begin_layers(im);
    if (status != LVL_OK)
        return status;
    status = lvl_editor_begin(&im->edit, im->doc, im->findings);
    if (status == LVL_OK) {
        take_map(im);
        status = im->status;
    }
    status = lvl_arena_status(&im->doc->arena, tiled_arena_status(&im->map->arena, status));
    return lvl_editor_finish(&im->edit, status, NULL);
}

lvl_status lvl_tiled_read(lvl_doc **out, const lvl_ctx *ctx, lvl_bytes bytes,
                          const lvl_tiled_read_options *options, bool *changed, lvl_findings *findings)
{
    const lvl_tiled_read_options none = {0};
    importer im = {.findings = findings, .options = options ? options : &none};

    *out = NULL;
    lvl_status status = tiled_read(&im.map, ctx, bytes, im.options, findings);
    if (status == LVL_OK)
        status = read_map(&im);
    lvl_hash_free(&im.layers);
    tiled_map_free(im.map);
    if (status != LVL_OK) {
        lvl_doc_free(im.doc);
        return status;
    }
    if (changed)
        *changed = im.changed;
    *out = im.doc;
    return LVL_OK;
}
