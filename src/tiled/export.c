/*
 * tiled/export.c: a document as a map.
 */
#include "tiled/export.h"

#include "base/format.h"
#include "base/text.h"
#include "codec/deflate.h"
#include "codec/json.h"

#include <stdlib.h>

enum {
    ORIGIN_INSIDE = 1 << 20 /* bytes in base64; longer properties make Tiled slow, so a file is written */
};

/* ---- layers ------------------------------------------------------------------------------------------ */

static tiled_layer *add_layer(exporter *e, tiled_kind kind, uint32_t id, lvl_text name)
{
    tiled_layer *layer = EXPORT_PUSH(e, &e->map->layers);

    if (layer)
        *layer = (tiled_layer){.kind = kind, .id = id, .name = name, .parallax_x = 1, .parallax_y = 1};
    return layer;
}

static void add_grid(exporter *e, const plan_grid *g)
{
    tiled_layer *layer = add_layer(e, TILED_TILES, g->layer, g->name);

    if (!layer)
        return;
    tiled_put_fields(&e->plan, &layer->properties, g->item, &e->plan.grid_fields);
    if (e->plan.parallax_x.field)
        layer->parallax_x = plan_number(g->item, &e->plan.parallax_x) / 100;
    if (e->plan.parallax_y.field)
        layer->parallax_y = plan_number(g->item, &e->plan.parallax_y) / 100;
    if (e->plan.of.squares)
        export_put_squares(e, g, layer);
    else
        export_put_cells(e, g, layer);
}

static void add_objects(exporter *e, plan_list *l)
{
    tiled_layer *layer = add_layer(e, TILED_OBJECTS, l->layer, l->name);

    if (layer)
        export_put_objects(e, l, layer);
}

static void add_start(exporter *e)
{
    tiled_layer *layer = add_layer(e, TILED_OBJECTS, e->plan.start_layer, lvl_text_of("level"));

    if (layer)
        export_put_start(e, layer);
}

static void add_layers(exporter *e)
{
    uint32_t next = 0;

    for (uint32_t i = 0; i < e->plan.grid_count && export_is_ok(e); i++) {
        add_grid(e, &e->plan.grids[i]);
        for (; next < e->plan.lists.count && e->plan.lists.items[next].grid == i && export_is_ok(e); next++)
            add_objects(e, &e->plan.lists.items[next]);
    }
    for (; next < e->plan.lists.count && export_is_ok(e); next++)
        add_objects(e, &e->plan.lists.items[next]);
    if (e->plan.start_layer && export_is_ok(e))
        add_start(e);
}

static void add_palette(exporter *e)
{
    if (e->plan.tiles && e->plan.layout->tiles_alone)
        export_add_palette(e);
}

/* ---- the level itself -------------------------------------------------------------------------------- */

static void put_property(exporter *e, const char *name, lvl_text value)
{
    tiled_add(&e->map->arena, &e->map->properties, lvl_text_of(name), "", tiled_copy(&e->map->arena, value));
}

static void put_origin(exporter *e)
{
    lvl_buffer file = {0}, packed = {0}, text = {0};
    char sha[65];

    export_status(e, lvl_doc_write_with_findings(e->doc, &file, e->findings));
    if (export_is_ok(e))
        export_status(e, lvl_deflate(LVL_WRAP_ZLIB, lvl_buffer_bytes(&file), &packed));
    if (export_is_ok(e)) {
        lvl_sha256_hex(lvl_buffer_bytes(&file), sha);
        put_property(e, "lvl.sha256", lvl_text_of(sha));
    }
    if (export_is_ok(e) && packed.len / 3 * 4 > ORIGIN_INSIDE) {
        const lvl_text name = tiled_printf(&e->map->arena, "%sorigin-%.16s.bin",
                                           e->options->folder ? e->options->folder : "", sha);
        put_property(e, "lvl.origin_file", name);
        export_add_file(e, name.ptr, lvl_buffer_bytes(&packed));
    } else if (export_is_ok(e)) {
        lvl_base64_encode(&text, lvl_buffer_bytes(&packed));
        export_status(e, text.status);
        put_property(e, "lvl.origin", lvl_buffer_text(&text));
    }
    lvl_buffer_free(&file);
    lvl_buffer_free(&packed);
    lvl_buffer_free(&text);
}

static void put_map(exporter *e)
{
    tiled_map *map = e->map;
    const plan_grid *main = e->plan.main < e->plan.grid_count ? &e->plan.grids[e->plan.main] : NULL;

    map->infinite = e->plan.of.squares != NULL;
    map->parallax_x = e->plan.grid->view_width / 2.0;
    map->parallax_y = e->plan.grid->view_height / 2.0;
    map->background = lvl_text_of(e->plan.grid->background);
    map->tile_width = main ? export_cell_width(e, main) : 64;
    map->tile_height = main ? export_cell_height(e, main) : 64;
    map->width = map->height = EXPORT_CHUNK;
    if (main && e->plan.of.cells) {
        const lvl_cells *cells = lvl_get_cells(main->item, e->plan.of.cells);
        map->width = cells->width ? cells->width : 1;
        map->height = cells->height ? cells->height : 1;
    }
    map->next_layer = e->plan.next_layer;
    map->next_object = e->plan.next_object;
    put_property(e, "lvl.format", lvl_text_of(e->doc->format->id));
    put_property(e, "lvl.encoding", lvl_text_of(lvl_codepage_name(e->doc->codepage)));
    tiled_put_fields(&e->plan, &map->properties, e->doc->root, &e->plan.root_fields);
    if (!e->options->no_origin)
        put_origin(e);
}

/* Makes the level's scene if possible; without art, the map has no pictures. */
static void make_scene(exporter *e)
{
    const lvl_scene_request request = {.art = e->options->art};

    if (!export_is_ok(e) || e->options->no_pictures)
        return;
    const lvl_status status = lvl_doc_scene(e->doc, &request, &e->scene);
    if (status != LVL_ERR_LIMIT && status != LVL_ERR_UNSUPPORTED)
        export_status(e, status);
}

/* Adds the special values that have a name to each map, so that users can place them. */
static void add_named_specials(exporter *e)
{
    e->special_first = export_next_gid(e->map);
    for (const lvl_cell_name *n = e->plan.of.cells ? e->plan.of.cells->cell_names : NULL;
         n && n->symbol && export_is_ok(e); n++)
        export_special_id(e, e->plan.main, n->value);
}

static void make_map(exporter *e)
{
    void (*const steps[])(exporter *) = {put_map,          export_add_sheets,      add_named_specials,
                                         add_layers,       export_add_special_set, add_palette,
                                         export_add_stock, export_add_sprite_sets};

    export_status(e, tiled_plan_make(&e->plan, (lvl_doc *)(uintptr_t)e->doc, &e->map->arena));
    e->plan.typed = e->options->typed;
    make_scene(e);
    e->sheets = lvl_arena_array(&e->map->arena, (size_t)e->plan.grid_count + 1, sizeof *e->sheets);
    if (!e->sheets)
        export_status(e, LVL_ERR_MEMORY);
    for (size_t i = 0; i < LVL_COUNT_OF(steps) && export_is_ok(e); i++)
        steps[i](e);
    e->status = tiled_arena_status(&e->map->arena, e->status);
}

/* ---- the API ----------------------------------------------------------------------------------------- */

bool lvl_tiled_can(const lvl_format *format)
{
    return lvl_map_layers(format) != NULL;
}

lvl_status lvl_tiled_write(const lvl_doc *doc, const lvl_tiled_options *options, lvl_tiled_files **out,
                           lvl_findings *findings)
{
    const lvl_tiled_options none = {0};
    exporter e = {.doc = doc, .options = options ? options : &none, .findings = findings};

    *out = NULL;
    if (!lvl_tiled_can(doc->format))
        return LVL_ERR_UNSUPPORTED;
    lvl_hash_init(&e.special_index);
    lvl_hash_init(&e.sprite_index);
    lvl_hash_init(&e.drawn_index);
    e.map = tiled_map_new(doc->ctx);
    e.list = export_files_new(doc->ctx);
    if (e.map && e.list)
        export_add_file(&e, NULL, (lvl_bytes){NULL, 0}); /* the map comes first, but is written last */
    else
        e.status = LVL_ERR_MEMORY;
    if (export_is_ok(&e))
        make_map(&e);
    if (export_is_ok(&e))
        e.status = tiled_write(e.map, e.options->json, &e.list->map);
    if (export_is_ok(&e)) {
        e.list->files.items[0].bytes = lvl_buffer_bytes(&e.list->map);
        *out = &e.list->files;
    } else if (e.list) {
        lvl_tiled_files_free(&e.list->files);
    }
    lvl_scene_free(e.scene);
    lvl_scene_free(e.stock_scene);
    lvl_doc_free(e.stock);
    lvl_hash_free(&e.special_index);
    lvl_hash_free(&e.sprite_index);
    lvl_hash_free(&e.drawn_index);
    free(e.drawn);
    free(e.specials);
    free(e.sprites);
    tiled_map_free(e.map);
    return e.status;
}
