/*
 * tiled/write.c: writes a map as TMX or TMJ, which have the same content: elements become objects, and
 * elements of one kind become a list. TMX is byte for byte what Tiled 1.8 saves (order of attributes,
 * indentation by one blank, CSV rows, properties sorted by name), so the first save in Tiled changes nothing.
 */
#include "base/buffer.h"
#include "base/text.h"
#include "codec/json.h"
#include "tiled/map.h"

#include <stdlib.h>

typedef struct writer {
    lvl_buffer *out;
    const tiled_map *map;
    bool json;
    tiled_property **sorted; /* malloc'ed */
    size_t cap;
    lvl_status status;
} writer;

/* ---- elements ---------------------------------------------------------------------------------------- */

static void put_key(const writer *w, const char *name)
{
    if (w->json) {
        lvl_json_key(w->out, name);
        return;
    }
    lvl_buffer_u8(w->out, ' ');
    lvl_buffer_str(w->out, name);
    lvl_buffer_str(w->out, "=\"");
}

static void end_value(const writer *w)
{
    if (!w->json)
        lvl_buffer_u8(w->out, '"');
}

static void put_text(const writer *w, const char *name, lvl_text value)
{
    put_key(w, name);
    if (w->json)
        lvl_json_string(w->out, value);
    else
        lvl_text_markup(w->out, value, true);
    end_value(w);
}

static void put_int(const writer *w, const char *name, int64_t value)
{
    put_key(w, name);
    lvl_json_int(w->out, value);
    end_value(w);
}

static void put_number(const writer *w, const char *name, double value)
{
    char buf[32];

    put_key(w, name);
    if (w->json)
        lvl_json_real(w->out, value);
    else
        lvl_buffer_str(w->out, tiled_number(buf, value));
    end_value(w);
}

/* Text that only TMX has, or only TMJ. */
static void in_tmx(const writer *w, unsigned depth, const char *text)
{
    if (w->json)
        return;
    lvl_buffer_fill(w->out, ' ', depth);
    lvl_buffer_str(w->out, text);
}

static void in_tmj(const writer *w, const char *text)
{
    lvl_buffer_str(w->out, w->json ? text : "");
}

static void begin(const writer *w, unsigned depth, const char *element)
{
    if (w->out->len && w->out->data[w->out->len - 1] == '}')
        in_tmj(w, ",\n");
    in_tmj(w, "{");
    in_tmx(w, depth, "<");
    in_tmx(w, 0, element);
}

static void end(const writer *w, unsigned depth, const char *element)
{
    in_tmj(w, "}");
    in_tmx(w, depth, "</");
    in_tmx(w, 0, element);
    in_tmx(w, 0, ">\n");
}

/* Ends an element that has only attributes. */
static void end_empty(const writer *w)
{
    in_tmx(w, 0, "/>\n");
    in_tmj(w, "}");
}

static void begin_list(const writer *w, const char *name)
{
    if (!w->json)
        return;
    put_key(w, name);
    lvl_buffer_u8(w->out, '[');
}

/* ---- properties -------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const tiled_property *p = *(tiled_property *const *)a, *q = *(tiled_property *const *)b;

    return lvl_text_compare(p->name, q->name);
}

static void put_property(const writer *w, const tiled_property *p, unsigned depth)
{
    begin(w, depth, "property");
    put_text(w, "name", p->name);
    if (p->type.len || w->json)
        put_text(w, "type", p->type.len ? p->type : lvl_text_of("string"));
    if (p->names)
        put_text(w, "propertytype", lvl_text_of(p->names));
    if (w->json && p->type.len) { /* numbers, and true and false */
        put_key(w, "value");
        lvl_buffer_add(w->out, p->value.ptr, p->value.len);
    } else if (!w->json && p->value.len && memchr(p->value.ptr, '\n', p->value.len)) {
        lvl_buffer_str(w->out, ">");
        lvl_text_markup(w->out, p->value, false);
        end(w, 0, "property");
        return;
    } else {
        put_text(w, "value", p->value);
    }
    end_empty(w);
}

static void put_properties(writer *w, const tiled_properties *properties, unsigned depth)
{
    if (!properties->count)
        return;
    if (!lvl_grow(&w->sorted, &w->cap, properties->count, sizeof *w->sorted)) {
        w->status = LVL_ERR_MEMORY;
        return;
    }
    for (uint32_t i = 0; i < properties->count; i++)
        w->sorted[i] = &properties->items[i];
    qsort(w->sorted, properties->count, sizeof *w->sorted, by_name);
    begin_list(w, "properties");
    in_tmx(w, depth, "<properties>\n");
    for (uint32_t i = 0; i < properties->count; i++)
        put_property(w, w->sorted[i], depth + 1);
    in_tmx(w, depth, "</properties>\n");
    in_tmj(w, "]");
}

/* ---- tilesets ---------------------------------------------------------------------------------------- */

static void put_sides(const writer *w, const char *width, const char *height, uint32_t x, uint32_t y)
{
    put_int(w, width, x);
    put_int(w, height, y);
}

static void put_tile(writer *w, const tiled_set *set, const tiled_tile *tile)
{
    begin(w, 2, "tile");
    put_int(w, "id", tile->id);
    if (tile->type.len)
        put_text(w, "type", tile->type);
    if (!tile->properties.count && set->image.len) {
        end_empty(w);
        return;
    }
    in_tmx(w, 0, ">\n");
    put_properties(w, &tile->properties, 3);
    if (tile->image.len && w->json) {
        put_text(w, "image", tile->image);
        put_sides(w, "imagewidth", "imageheight", tile->width, tile->height);
    } else if (!set->image.len && !w->json) {
        begin(w, 3, "image");
        put_sides(w, "width", "height", tile->width, tile->height);
        put_text(w, "source", tile->image);
        end_empty(w);
    }
    end(w, 2, "tile");
}

static void put_set(writer *w, const tiled_set *set)
{
    begin(w, 1, "tileset");
    put_int(w, "firstgid", set->first);
    put_text(w, "name", set->name);
    put_sides(w, "tilewidth", "tileheight", set->tile_width, set->tile_height);
    put_int(w, "tilecount", set->tile_count);
    put_int(w, "columns", set->columns);
    in_tmj(w, ",\"margin\":0,\"spacing\":0");
    if (set->alignment.len)
        put_text(w, "objectalignment", set->alignment);
    in_tmx(w, 0, ">\n");
    if (!set->image.len) /* as Tiled writes a collection */
        in_tmx(w, 2, "<grid orientation=\"orthogonal\" width=\"1\" height=\"1\"/>\n");
    put_properties(w, &set->properties, 2);
    if (set->image.len && w->json) {
        put_text(w, "image", set->image);
        put_sides(w, "imagewidth", "imageheight", set->width, set->height);
    } else if (set->image.len) {
        begin(w, 2, "image");
        put_text(w, "source", set->image);
        put_sides(w, "width", "height", set->width, set->height);
        end_empty(w);
    }
    begin_list(w, "tiles");
    for (uint32_t i = 0; i < set->tiles.count; i++)
        put_tile(w, set, &set->tiles.items[i]);
    in_tmj(w, "]");
    end(w, 1, "tileset");
}

/* ---- layers ------------------------------------------------------------------------------------------ */

static void put_cells(const writer *w, const tiled_block *block)
{
    lvl_buffer *out = w->out;
    const size_t count = (size_t)block->width * block->height;

    for (size_t i = 0; i < count; i++) {
        char buf[TILED_DIGITS];
        const char *digits = tiled_digits(buf, block->cells[i]);
        const size_t len = (size_t)(buf + TILED_DIGITS - 1 - digits);
        if (!lvl_buffer_reserve(out, len + 2))
            return;
        memcpy(out->data + out->len, digits, len);
        out->len += len;
        if (i + 1 < count)
            out->data[out->len++] = ',';
        if (!w->json && (i + 1) % block->width == 0)
            out->data[out->len++] = '\n';
    }
}

static void put_block(const writer *w, const tiled_block *b)
{
    begin_list(w, "data");
    put_cells(w, b);
    in_tmj(w, "]");
}

static void put_data(const writer *w, const tiled_layer *layer)
{
    if (w->map->infinite && !layer->blocks.count)
        in_tmx(w, 2, "<data encoding=\"csv\"/>\n");
    else
        in_tmx(w, 2, "<data encoding=\"csv\">\n");
    if (!w->map->infinite) {
        if (layer->blocks.count)
            put_block(w, &layer->blocks.items[0]);
        in_tmx(w, 0, "</data>\n");
        return;
    }
    begin_list(w, "chunks");
    for (uint32_t i = 0; i < layer->blocks.count; i++) {
        const tiled_block *b = &layer->blocks.items[i];
        begin(w, 3, "chunk");
        put_int(w, "x", b->x);
        put_int(w, "y", b->y);
        put_sides(w, "width", "height", b->width, b->height);
        in_tmx(w, 0, ">\n");
        put_block(w, b);
        end(w, 0, "chunk");
    }
    in_tmj(w, "]");
    if (layer->blocks.count)
        in_tmx(w, 2, "</data>\n");
}

static void put_object(writer *w, const tiled_object *o)
{
    begin(w, 2, "object");
    put_int(w, "id", o->id);
    if (o->name.len || w->json)
        put_text(w, "name", o->name);
    if (o->type.len || w->json)
        put_text(w, "type", o->type);
    if (o->gid)
        put_int(w, "gid", o->gid);
    put_number(w, "x", o->x);
    put_number(w, "y", o->y);
    if (o->width != 0 || w->json)
        put_number(w, "width", o->width);
    if (o->height != 0 || w->json)
        put_number(w, "height", o->height);
    in_tmj(w, ",\"rotation\":0,\"visible\":true");
    if (!o->properties.count && !o->point) {
        end_empty(w);
        return;
    }
    in_tmx(w, 0, ">\n");
    put_properties(w, &o->properties, 3);
    if (o->point) {
        in_tmx(w, 3, "<point/>\n");
        in_tmj(w, ",\"point\":true");
    }
    end(w, 2, "object");
}

static void put_layer(writer *w, const tiled_layer *layer)
{
    const bool tiles = layer->kind == TILED_TILES;
    const char *element = tiles ? "layer" : "objectgroup";

    begin(w, 1, element);
    in_tmj(w, tiles ? "\"type\":\"tilelayer\"" : "\"type\":\"objectgroup\"");
    if (layer->color.len)
        put_text(w, "color", layer->color);
    if (layer->by_index && !w->json)
        put_text(w, "draworder", lvl_text_of("index"));
    put_int(w, "id", layer->id);
    put_text(w, "name", layer->name);
    in_tmj(w, ",\"opacity\":1,\"visible\":true,\"x\":0,\"y\":0");
    if (tiles)
        put_sides(w, "width", "height", layer->width, layer->height);
    if (layer->parallax_x != 1)
        put_number(w, "parallaxx", layer->parallax_x);
    if (layer->parallax_y != 1)
        put_number(w, "parallaxy", layer->parallax_y);
    if (!tiles && !layer->properties.count && !layer->objects.count && !w->json) {
        end_empty(w);
        return;
    }
    in_tmx(w, 0, ">\n");
    put_properties(w, &layer->properties, 2);
    if (tiles) {
        put_data(w, layer);
    } else {
        in_tmj(w, layer->by_index ? ",\"draworder\":\"index\"" : ",\"draworder\":\"topdown\"");
        begin_list(w, "objects");
        for (uint32_t i = 0; i < layer->objects.count; i++)
            put_object(w, &layer->objects.items[i]);
        in_tmj(w, "]");
    }
    end(w, 1, element);
}

lvl_status tiled_write(const tiled_map *map, bool json, lvl_buffer *out)
{
    writer w = {.out = out, .map = map, .json = json};

    in_tmx(&w, 0, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    begin(&w, 0, "map");
    if (json)
        put_text(&w, "type", lvl_text_of("map"));
    put_text(&w, "version", lvl_text_of("1.8"));
    put_text(&w, "tiledversion", lvl_text_of("1.8.2"));
    put_text(&w, "orientation", lvl_text_of("orthogonal"));
    put_text(&w, "renderorder", lvl_text_of("right-down"));
    in_tmj(&w, ",\"compressionlevel\":-1");
    put_sides(&w, "width", "height", map->width, map->height);
    put_sides(&w, "tilewidth", "tileheight", map->tile_width, map->tile_height);
    put_key(&w, "infinite");
    in_tmj(&w, map->infinite ? "true" : "false");
    in_tmx(&w, 0, map->infinite ? "1\"" : "0\"");
    if (map->parallax_x != 0)
        put_number(&w, "parallaxoriginx", map->parallax_x);
    if (map->parallax_y != 0)
        put_number(&w, "parallaxoriginy", map->parallax_y);
    if (map->background.len)
        put_text(&w, "backgroundcolor", map->background);
    put_int(&w, "nextlayerid", map->next_layer);
    put_int(&w, "nextobjectid", map->next_object);
    in_tmx(&w, 0, ">\n");
    put_properties(&w, &map->properties, 1);
    begin_list(&w, "tilesets");
    for (uint32_t i = 0; i < map->sets.count; i++)
        put_set(&w, &map->sets.items[i]);
    in_tmj(&w, "]");
    begin_list(&w, "layers");
    for (uint32_t i = 0; i < map->layers.count; i++)
        put_layer(&w, &map->layers.items[i]);
    in_tmj(&w, "]");
    end(&w, 0, "map");
    in_tmj(&w, "\n");
    free(w.sorted);
    return w.status != LVL_OK ? w.status : out->status;
}
