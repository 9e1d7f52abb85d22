/*
 * tiled/read_tmj.c: TMJ, TSJ and TJ (JSON) to a map in memory.
 */
#include "base/work.h"
#include "codec/json.h"
#include "tiled/map.h"

typedef struct reader {
    tiled_map *map;
    lvl_findings *findings;
    lvl_status status;
    uint32_t depth; /* of groups */
} reader;

static void stop(reader *r, lvl_status status)
{
    if (r->status == LVL_OK)
        r->status = status;
}

static void fail(reader *r, const char *text)
{
    if (r->status == LVL_OK)
        lvl_findings_add(r->findings, &lvl_faults[LVL_FAULT_MAP], NULL, NULL, "%s", text);
    stop(r, LVL_ERR_FORMAT);
}

static lvl_text keep(reader *r, lvl_text text)
{
    const lvl_text copy = tiled_copy(&r->map->arena, text);

    if (!copy.ptr)
        stop(r, LVL_ERR_MEMORY);
    return copy.ptr ? copy : (lvl_text){NULL, 0};
}

static lvl_text text_at(reader *r, yyjson_val *obj, const char *key)
{
    yyjson_val *val = yyjson_obj_get(obj, key);

    return yyjson_is_str(val) && yyjson_get_len(val) ? keep(r, lvl_json_str(val)) : (lvl_text){NULL, 0};
}

static double number_at(yyjson_val *obj, const char *key, double def)
{
    yyjson_val *val = yyjson_obj_get(obj, key);

    return yyjson_is_num(val) ? yyjson_get_num(val) : def;
}

static int64_t int_at(reader *r, yyjson_val *obj, const char *key, int64_t min, int64_t max)
{
    const double v = number_at(obj, key, 0);

    if (v >= (double)min && v <= (double)max)
        return (int64_t)v;
    fail(r, "a number is out of range");
    return 0;
}

static uint32_t uint_at(reader *r, yyjson_val *obj, const char *key)
{
    return (uint32_t)int_at(r, obj, key, 0, UINT32_MAX);
}

/* What a value is as text, as TMX has it. */
static lvl_text value_text(reader *r, yyjson_val *val)
{
    lvl_buffer out = {0};
    lvl_text text = {"", 0};

    if (yyjson_is_str(val))
        return keep(r, lvl_json_str(val));
    if (yyjson_is_bool(val))
        return lvl_text_of(yyjson_get_bool(val) ? "true" : "false");
    if (yyjson_is_uint(val))
        lvl_json_uint(&out, yyjson_get_uint(val));
    else if (yyjson_is_sint(val))
        lvl_json_int(&out, yyjson_get_sint(val));
    else if (yyjson_is_real(val))
        lvl_json_real(&out, yyjson_get_real(val));
    if (out.status != LVL_OK)
        stop(r, out.status);
    else
        text = keep(r, (lvl_text){(const char *)out.data, out.len});
    lvl_buffer_free(&out);
    return text;
}

static void read_properties(reader *r, yyjson_val *owner, tiled_properties *to)
{
    yyjson_val *list = yyjson_obj_get(owner, "properties"), *val;
    size_t i, n;

    yyjson_arr_foreach(list, i, n, val)
    {
        const lvl_text type = text_at(r, val, "type");
        const bool plain = !type.len || lvl_text_is(type, "string");
        const lvl_text name = text_at(r, val, "name"), value = value_text(r, yyjson_obj_get(val, "value"));
        if (r->status == LVL_OK && !tiled_add(&r->map->arena, to, name, plain ? "" : type.ptr, value))
            stop(r, LVL_ERR_MEMORY);
    }
}

static void read_set(reader *r, tiled_set *set, yyjson_val *val)
{
    yyjson_val *tiles = yyjson_obj_get(val, "tiles"), *tile;
    size_t i, n;

    set->name = text_at(r, val, "name");
    set->alignment = text_at(r, val, "objectalignment");
    set->tile_width = uint_at(r, val, "tilewidth");
    set->tile_height = uint_at(r, val, "tileheight");
    set->columns = uint_at(r, val, "columns");
    set->tile_count = uint_at(r, val, "tilecount");
    set->image = text_at(r, val, "image");
    read_properties(r, val, &set->properties);
    yyjson_arr_foreach(tiles, i, n, tile)
    {
        tiled_tile *t = tiled_push(&r->map->arena, &set->tiles, &set->count, &set->cap, sizeof *t);
        if (!t) {
            stop(r, LVL_ERR_MEMORY);
            return;
        }
        t->id = uint_at(r, tile, "id");
        t->type = text_at(r, tile, "type");
        t->image = text_at(r, tile, "image");
        read_properties(r, tile, &t->properties);
    }
}

static void read_block(reader *r, tiled_layer *layer, yyjson_val *from, lvl_text encoding,
                       lvl_text compression)
{
    yyjson_val *data = yyjson_obj_get(from, "data"), *val;
    size_t i, n;

    if (r->status != LVL_OK)
        return;
    tiled_block *b =
        tiled_push(&r->map->arena, &layer->blocks, &layer->block_count, &layer->block_cap, sizeof *b);
    if (!b) {
        stop(r, LVL_ERR_MEMORY);
        return;
    }
    b->x = (int32_t)int_at(r, from, "x", INT32_MIN, INT32_MAX);
    b->y = (int32_t)int_at(r, from, "y", INT32_MIN, INT32_MAX);
    b->width = uint_at(r, from, "width");
    b->height = uint_at(r, from, "height");
    if (r->status != LVL_OK)
        return;
    if (yyjson_is_str(data)) {
        stop(r, tiled_decode(r->map, b, lvl_json_str(data), encoding, compression, r->findings));
        return;
    }
    if (yyjson_arr_size(data) != (uint64_t)b->width * b->height) {
        fail(r, "a layer has not as many cells as width and height say");
        return;
    }
    b->cells = lvl_arena_array(&r->map->arena, yyjson_arr_size(data), sizeof *b->cells);
    if (!b->cells) {
        stop(r, LVL_ERR_MEMORY);
        return;
    }
    yyjson_arr_foreach(data, i, n, val)
    {
        if (!yyjson_is_uint(val) || yyjson_get_uint(val) > UINT32_MAX) {
            fail(r, "a cell of a layer is no number of a tile");
            return;
        }
        b->cells[i] = (uint32_t)yyjson_get_uint(val);
    }
}

static void read_cells(reader *r, tiled_layer *layer, yyjson_val *val)
{
    yyjson_val *chunks = yyjson_obj_get(val, "chunks"), *chunk;
    const lvl_text encoding = text_at(r, val, "encoding"), compression = text_at(r, val, "compression");
    const lvl_text used = encoding.len ? encoding : lvl_text_of("csv");
    size_t i, n;

    if (!chunks && yyjson_obj_get(val, "data"))
        read_block(r, layer, val, used, compression);
    if (!chunks && layer->block_count) /* x and y of a layer are always 0 */
        layer->blocks[0].x = layer->blocks[0].y = 0;
    yyjson_arr_foreach(chunks, i, n, chunk)
    {
        read_block(r, layer, chunk, used, compression);
    }
}

static void read_object(reader *r, tiled_object *o, yyjson_val *val)
{
    o->source = text_at(r, val, "template");
    for (size_t i = 0; o->source.len && tiled_own[i].name; i++)
        o->says |= yyjson_obj_get(val, tiled_own[i].name) ? tiled_own[i].says : 0;
    o->id = uint_at(r, val, "id");
    o->gid = uint_at(r, val, "gid");
    o->name = text_at(r, val, "name");
    o->type = text_at(r, val, "type");
    if (!o->type.len)
        o->type = text_at(r, val, "class");
    o->x = number_at(val, "x", 0);
    o->y = number_at(val, "y", 0);
    o->width = number_at(val, "width", 0);
    o->height = number_at(val, "height", 0);
    o->rotation = number_at(val, "rotation", 0);
    o->point = yyjson_is_true(yyjson_obj_get(val, "point"));
    o->shape = yyjson_obj_get(val, "polygon") || yyjson_obj_get(val, "polyline") ||
               yyjson_is_true(yyjson_obj_get(val, "ellipse"));
    read_properties(r, val, &o->properties);
}

static void read_objects(reader *r, tiled_layer *layer, yyjson_val *list)
{
    yyjson_val *val;
    size_t i, n;

    yyjson_arr_foreach(list, i, n, val)
    {
        tiled_object *o =
            tiled_push(&r->map->arena, &layer->objects, &layer->object_count, &layer->object_cap, sizeof *o);
        if (!o) {
            stop(r, LVL_ERR_MEMORY);
            return;
        }
        read_object(r, o, val);
    }
}

static void read_layers(reader *r, yyjson_val *owner) /* NOLINT(misc-no-recursion): bounded by the depth */
{
    yyjson_val *list = yyjson_obj_get(owner, "layers"), *val;
    size_t i, n;

    if (r->depth++ >= lvl_limits_of(r->map->ctx).depth) {
        stop(r, lvl_refuse(r->map->ctx, LVL_LIMIT_DEPTH, lvl_limits_of(r->map->ctx).depth, 0));
        return;
    }
    yyjson_arr_foreach(list, i, n, val)
    {
        const lvl_text type = text_at(r, val, "type");
        if (r->status != LVL_OK)
            break;
        if (lvl_text_is(type, "group")) {
            read_layers(r, val);
            continue;
        }
        tiled_map *map = r->map;
        tiled_layer *layer =
            tiled_push(&map->arena, &map->layers, &map->layer_count, &map->layer_cap, sizeof *layer);
        if (!layer) {
            stop(r, LVL_ERR_MEMORY);
            break;
        }
        layer->kind = lvl_text_is(type, "tilelayer")     ? TILED_TILES
                      : lvl_text_is(type, "objectgroup") ? TILED_OBJECTS
                                                         : TILED_IMAGE;
        layer->id = uint_at(r, val, "id");
        layer->name = text_at(r, val, "name");
        layer->width = uint_at(r, val, "width");
        layer->height = uint_at(r, val, "height");
        layer->has_offset = number_at(val, "offsetx", 0) != 0 || number_at(val, "offsety", 0) != 0;
        layer->parallax_x = number_at(val, "parallaxx", 1);
        layer->parallax_y = number_at(val, "parallaxy", 1);
        read_properties(r, val, &layer->properties);
        if (layer->kind == TILED_TILES)
            read_cells(r, layer, val);
        read_objects(r, layer, yyjson_obj_get(val, "objects"));
    }
    r->depth--;
}

static void read_sets(reader *r, yyjson_val *root)
{
    yyjson_val *list = yyjson_obj_get(root, "tilesets"), *val;
    tiled_map *map = r->map;
    size_t i, n;

    yyjson_arr_foreach(list, i, n, val)
    {
        tiled_set *set = tiled_push(&map->arena, &map->sets, &map->set_count, &map->set_cap, sizeof *set);
        if (!set) {
            stop(r, LVL_ERR_MEMORY);
            return;
        }
        set->first = uint_at(r, val, "firstgid");
        set->source = text_at(r, val, "source");
        if (!set->source.len)
            read_set(r, set, val);
    }
}

static yyjson_doc *read_json(reader *r, lvl_bytes bytes)
{
    const lvl_text text = {(const char *)bytes.ptr, bytes.len};
    lvl_json_error error = {0};

    stop(r, lvl_charge(r->map->ctx, bytes.len));
    yyjson_doc *tree = r->status == LVL_OK ? lvl_json_read(text, &error) : NULL;
    if (r->status == LVL_OK && !tree) {
        if (error.status == LVL_ERR_FORMAT)
            lvl_findings_add(r->findings, &lvl_faults[LVL_FAULT_MAP], NULL, NULL, "line %zu, column %zu: %s",
                             error.line, error.column, error.text);
        stop(r, error.status);
    }
    return tree;
}

lvl_status tiled_read_tmj(tiled_map *map, lvl_bytes bytes, lvl_findings *findings)
{
    reader r = {.map = map, .findings = findings};
    yyjson_doc *tree = read_json(&r, bytes);
    yyjson_val *root = yyjson_doc_get_root(tree);

    if (tree) {
        map->orientation = text_at(&r, root, "orientation");
        map->width = uint_at(&r, root, "width");
        map->height = uint_at(&r, root, "height");
        map->tile_width = uint_at(&r, root, "tilewidth");
        map->tile_height = uint_at(&r, root, "tileheight");
        map->infinite = yyjson_is_true(yyjson_obj_get(root, "infinite"));
        map->next_layer = uint_at(&r, root, "nextlayerid");
        map->next_object = uint_at(&r, root, "nextobjectid");
        read_properties(&r, root, &map->properties);
        read_sets(&r, root);
        read_layers(&r, root);
    }
    yyjson_doc_free(tree);
    return lvl_arena_status(&map->arena, r.status);
}

lvl_status tiled_read_tsj(tiled_map *map, tiled_set *set, lvl_bytes bytes, lvl_findings *findings)
{
    reader r = {.map = map, .findings = findings};
    yyjson_doc *tree = read_json(&r, bytes);

    if (tree)
        read_set(&r, set, yyjson_doc_get_root(tree));
    yyjson_doc_free(tree);
    return lvl_arena_status(&map->arena, r.status);
}

lvl_status tiled_read_tj(tiled_map *map, tiled_object *object, tiled_set *set, lvl_bytes bytes,
                         lvl_findings *findings)
{
    reader r = {.map = map, .findings = findings};
    yyjson_doc *tree = read_json(&r, bytes);
    yyjson_val *root = yyjson_doc_get_root(tree), *of = yyjson_obj_get(root, "tileset");

    if (tree) {
        set->first = uint_at(&r, of, "firstgid");
        set->source = text_at(&r, of, "source");
        read_object(&r, object, yyjson_obj_get(root, "object"));
    }
    yyjson_doc_free(tree);
    return lvl_arena_status(&map->arena, r.status);
}
