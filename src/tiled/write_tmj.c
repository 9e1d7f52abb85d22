/*
 * tiled/write_tmj.c: a map as TMJ (JSON).
 */
#include "codec/json.h"
#include "base/text.h"
#include "tiled/map.h"

static void key(lvl_buffer *out, const char *name)
{
    lvl_buffer_printf(out, ",\"%s\":", name);
}

static void put_text(lvl_buffer *out, const char *name, lvl_text value)
{
    key(out, name);
    lvl_json_string(out, value);
}

static void put_uint(lvl_buffer *out, const char *name, uint32_t value)
{
    key(out, name);
    lvl_json_uint(out, value);
}

static void put_number(lvl_buffer *out, const char *name, double value)
{
    key(out, name);
    lvl_json_real(out, value);
}

static void put_properties(lvl_buffer *out, const tiled_properties *p)
{
    if (!p->count)
        return;
    key(out, "properties");
    for (uint32_t i = 0; i < p->count; i++) {
        const tiled_property *one = &p->items[i];
        lvl_buffer_str(out, i ? ",\n{\"name\":" : "[{\"name\":");
        lvl_json_string(out, one->name);
        if (one->names)
            put_text(out, "propertytype", lvl_text_of(one->names));
        put_text(out, "type", one->type.len ? one->type : lvl_text_of("string"));
        key(out, "value");
        if (one->type.len) /* numbers, and true and false */
            lvl_buffer_add(out, one->value.ptr, one->value.len);
        else
            lvl_json_string(out, one->value);
        lvl_buffer_str(out, "}");
    }
    lvl_buffer_str(out, "]");
}

static void put_set(lvl_buffer *out, const tiled_set *set)
{
    lvl_buffer_printf(out, "{\"firstgid\":%lu", (unsigned long)set->first);
    put_text(out, "name", set->name);
    put_uint(out, "tilewidth", set->tile_width);
    put_uint(out, "tileheight", set->tile_height);
    put_uint(out, "tilecount", set->tile_count);
    put_uint(out, "columns", set->columns);
    lvl_buffer_str(out, ",\"margin\":0,\"spacing\":0");
    if (set->alignment.len)
        put_text(out, "objectalignment", set->alignment);
    if (set->image.len) {
        put_text(out, "image", set->image);
        put_uint(out, "imagewidth", set->width);
        put_uint(out, "imageheight", set->height);
    }
    put_properties(out, &set->properties);
    for (uint32_t i = 0; i < set->count; i++) {
        const tiled_tile *t = &set->tiles[i];
        lvl_buffer_printf(out, "%s{\"id\":%lu", i ? ",\n" : ",\"tiles\":[", (unsigned long)t->id);
        if (t->image.len) {
            put_text(out, "image", t->image);
            put_uint(out, "imagewidth", t->width);
            put_uint(out, "imageheight", t->height);
        }
        put_properties(out, &t->properties);
        lvl_buffer_str(out, "}");
    }
    lvl_buffer_str(out, set->count ? "]}" : "}");
}

static void put_block(lvl_buffer *out, const tiled_block *b)
{
    const size_t count = (size_t)b->width * b->height;

    lvl_buffer_str(out, "\"data\":[");
    for (size_t i = 0; i < count; i++) {
        if (i)
            lvl_buffer_u8(out, ',');
        lvl_json_uint(out, b->cells[i]);
    }
    lvl_buffer_str(out, "]");
}

static void put_cells(lvl_buffer *out, const tiled_map *map, const tiled_layer *layer)
{
    if (!map->infinite) {
        lvl_buffer_str(out, ",");
        if (layer->block_count)
            put_block(out, &layer->blocks[0]);
        return;
    }
    lvl_buffer_str(out, ",\"chunks\":[");
    for (uint32_t i = 0; i < layer->block_count; i++) {
        const tiled_block *b = &layer->blocks[i];
        lvl_buffer_printf(out, "%s{\"x\":%ld,\"y\":%ld,\"width\":%lu,\"height\":%lu,", i ? ",\n" : "",
                          (long)b->x, (long)b->y, (unsigned long)b->width, (unsigned long)b->height);
        put_block(out, b);
        lvl_buffer_str(out, "}");
    }
    lvl_buffer_str(out, "]");
}

static void put_object(lvl_buffer *out, const tiled_object *o)
{
    lvl_buffer_printf(out, "{\"id\":%lu", (unsigned long)o->id);
    put_text(out, "name", o->name);
    put_text(out, "type", o->type);
    if (o->gid)
        put_uint(out, "gid", o->gid);
    put_number(out, "x", o->x);
    put_number(out, "y", o->y);
    put_number(out, "width", o->width);
    put_number(out, "height", o->height);
    lvl_buffer_str(out, ",\"rotation\":0,\"visible\":true");
    if (o->point)
        lvl_buffer_str(out, ",\"point\":true");
    put_properties(out, &o->properties);
    lvl_buffer_str(out, "}");
}

static void put_layer(lvl_buffer *out, const tiled_map *map, const tiled_layer *layer)
{
    const bool tiles = layer->kind == TILED_TILES;

    lvl_buffer_printf(out, "{\"type\":\"%s\",\"id\":%lu", tiles ? "tilelayer" : "objectgroup",
                      (unsigned long)layer->id);
    put_text(out, "name", layer->name);
    if (layer->color.len)
        put_text(out, "color", layer->color);
    lvl_buffer_printf(out, ",\"opacity\":1,\"visible\":%s,\"x\":0,\"y\":0", layer->hidden ? "false" : "true");
    if (tiles) {
        put_uint(out, "width", layer->width);
        put_uint(out, "height", layer->height);
    }
    if (layer->parallax_x != 1)
        put_number(out, "parallaxx", layer->parallax_x);
    if (layer->parallax_y != 1)
        put_number(out, "parallaxy", layer->parallax_y);
    put_properties(out, &layer->properties);
    if (tiles) {
        put_cells(out, map, layer);
    } else {
        lvl_buffer_str(out, ",\"draworder\":\"topdown\",\"objects\":[");
        for (uint32_t i = 0; i < layer->object_count; i++) {
            lvl_buffer_str(out, i ? ",\n" : "");
            put_object(out, &layer->objects[i]);
        }
        lvl_buffer_str(out, "]");
    }
    lvl_buffer_str(out, "}");
}

lvl_status tiled_write_tmj(const tiled_map *map, lvl_buffer *out)
{
    lvl_buffer_str(out, "{\"type\":\"map\",\"version\":\"1.8\",\"tiledversion\":\"1.8.2\",\"orientation\":"
                        "\"orthogonal\",\"renderorder\":\"right-down\",\"compressionlevel\":-1");
    put_uint(out, "width", map->width);
    put_uint(out, "height", map->height);
    put_uint(out, "tilewidth", map->tile_width);
    put_uint(out, "tileheight", map->tile_height);
    lvl_buffer_printf(out, ",\"infinite\":%s", map->infinite ? "true" : "false");
    if (map->parallax_x != 0)
        put_number(out, "parallaxoriginx", map->parallax_x);
    if (map->parallax_y != 0)
        put_number(out, "parallaxoriginy", map->parallax_y);
    if (map->background.len)
        put_text(out, "backgroundcolor", map->background);
    put_uint(out, "nextlayerid", map->next_layer);
    put_uint(out, "nextobjectid", map->next_object);
    put_properties(out, &map->properties);
    lvl_buffer_str(out, ",\n\"tilesets\":[");
    for (uint32_t i = 0; i < map->set_count; i++) {
        lvl_buffer_str(out, i ? ",\n" : "");
        put_set(out, &map->sets[i]);
    }
    lvl_buffer_str(out, "],\n\"layers\":[");
    for (uint32_t i = 0; i < map->layer_count; i++) {
        lvl_buffer_str(out, i ? ",\n" : "");
        put_layer(out, map, &map->layers[i]);
    }
    lvl_buffer_str(out, "]}\n");
    return out->status;
}
