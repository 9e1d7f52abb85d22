/*
 * tiled/write_tmx.c: a map as TMX, byte for byte as Tiled 1.8 saves it: order of attributes, a blank for each
 * step in, CSV rows, properties by name. So the first save in Tiled changes nothing.
 */
#include "base/buffer.h"
#include "base/text.h"
#include "codec/json.h"
#include "tiled/map.h"

#include <stdlib.h>

typedef struct writer {
    lvl_buffer *out;
    const tiled_map *map;
    tiled_property **sorted; /* malloc'ed */
    size_t cap;
    lvl_status status;
} writer;

/* ---- XML --------------------------------------------------------------------------------------------- */

/* As Qt escapes text; in attributes also what XML would turn into blanks. */
static void escape(lvl_buffer *out, lvl_text text, bool attribute)
{
    size_t from = 0;

    if (!text.len)
        return;
    for (size_t i = 0; i < text.len; i++) {
        const char *as = NULL;
        switch (text.ptr[i]) {
        case '<': as = "&lt;"; break;
        case '>': as = "&gt;"; break;
        case '&': as = "&amp;"; break;
        case '"': as = "&quot;"; break;
        case '\t': as = attribute ? "&#9;" : NULL; break;
        case '\n': as = attribute ? "&#10;" : NULL; break;
        case '\r': as = attribute ? "&#13;" : NULL; break;
        default: break;
        }
        if (!as)
            continue;
        lvl_buffer_add(out, text.ptr + from, i - from);
        lvl_buffer_str(out, as);
        from = i + 1;
    }
    lvl_buffer_add(out, text.ptr + from, text.len - from);
}

/* By hand and not by printf, since there are hundreds of thousands. */
static void put_name(lvl_buffer *out, const char *name)
{
    lvl_buffer_u8(out, ' ');
    lvl_buffer_str(out, name);
    lvl_buffer_str(out, "=\"");
}

static void put_text(lvl_buffer *out, const char *name, lvl_text value)
{
    put_name(out, name);
    escape(out, value, true);
    lvl_buffer_u8(out, '"');
}

static void put_uint(lvl_buffer *out, const char *name, uint32_t value)
{
    put_name(out, name);
    lvl_json_uint(out, value);
    lvl_buffer_u8(out, '"');
}

static void put_number(lvl_buffer *out, const char *name, double value)
{
    char buf[32];

    put_name(out, name);
    lvl_buffer_str(out, tiled_number(buf, value));
    lvl_buffer_u8(out, '"');
}

static void indent(lvl_buffer *out, unsigned depth)
{
    lvl_buffer_fill(out, ' ', depth);
}

/* ---- properties -------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const tiled_property *p = *(tiled_property *const *)a, *q = *(tiled_property *const *)b;

    return lvl_text_compare(p->name, q->name);
}

static void put_properties(writer *w, const tiled_properties *properties, unsigned depth)
{
    lvl_buffer *out = w->out;

    if (!properties->count)
        return;
    if (!lvl_grow(&w->sorted, &w->cap, properties->count, sizeof *w->sorted)) {
        w->status = LVL_ERR_MEMORY;
        return;
    }
    for (uint32_t i = 0; i < properties->count; i++)
        w->sorted[i] = &properties->items[i];
    qsort(w->sorted, properties->count, sizeof *w->sorted, by_name);
    indent(out, depth);
    lvl_buffer_str(out, "<properties>\n");
    for (uint32_t i = 0; i < properties->count; i++) {
        const tiled_property *p = w->sorted[i];
        indent(out, depth + 1);
        lvl_buffer_str(out, "<property");
        put_text(out, "name", p->name);
        if (p->type.len)
            put_text(out, "type", p->type);
        if (p->names)
            put_text(out, "propertytype", lvl_text_of(p->names));
        if (p->value.len && memchr(p->value.ptr, '\n', p->value.len)) {
            lvl_buffer_str(out, ">");
            escape(out, p->value, false);
            lvl_buffer_str(out, "</property>\n");
        } else {
            put_text(out, "value", p->value);
            lvl_buffer_str(out, "/>\n");
        }
    }
    indent(out, depth);
    lvl_buffer_str(out, "</properties>\n");
}

/* ---- tilesets ---------------------------------------------------------------------------------------- */

static void put_tile(writer *w, const tiled_set *set, const tiled_tile *tile)
{
    lvl_buffer *out = w->out;

    lvl_buffer_str(out, "  <tile");
    put_uint(out, "id", tile->id);
    if (tile->type.len)
        put_text(out, "type", tile->type);
    if (!tile->properties.count && set->image.len) {
        lvl_buffer_str(out, "/>\n");
        return;
    }
    lvl_buffer_str(out, ">\n");
    put_properties(w, &tile->properties, 3);
    if (!set->image.len) {
        lvl_buffer_str(out, "   <image");
        put_uint(out, "width", tile->width);
        put_uint(out, "height", tile->height);
        put_text(out, "source", tile->image);
        lvl_buffer_str(out, "/>\n");
    }
    lvl_buffer_str(out, "  </tile>\n");
}

static void put_set(writer *w, const tiled_set *set)
{
    lvl_buffer *out = w->out;

    lvl_buffer_str(out, " <tileset");
    put_uint(out, "firstgid", set->first);
    put_text(out, "name", set->name);
    put_uint(out, "tilewidth", set->tile_width);
    put_uint(out, "tileheight", set->tile_height);
    put_uint(out, "tilecount", set->tile_count);
    put_uint(out, "columns", set->columns);
    if (set->alignment.len)
        put_text(out, "objectalignment", set->alignment);
    lvl_buffer_str(out, ">\n");
    if (!set->image.len) /* what Tiled writes of a collection */
        lvl_buffer_str(out, "  <grid orientation=\"orthogonal\" width=\"1\" height=\"1\"/>\n");
    put_properties(w, &set->properties, 2);
    if (set->image.len) {
        lvl_buffer_str(out, "  <image");
        put_text(out, "source", set->image);
        put_uint(out, "width", set->width);
        put_uint(out, "height", set->height);
        lvl_buffer_str(out, "/>\n");
    }
    for (uint32_t i = 0; i < set->count; i++)
        put_tile(w, set, &set->tiles[i]);
    lvl_buffer_str(out, " </tileset>\n");
}

/* ---- layers ------------------------------------------------------------------------------------------ */

static void put_cells(lvl_buffer *out, const tiled_block *block)
{
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
        if ((i + 1) % block->width == 0)
            out->data[out->len++] = '\n';
    }
}

static void put_data(writer *w, const tiled_layer *layer)
{
    lvl_buffer *out = w->out;

    if (w->map->infinite && !layer->block_count) {
        lvl_buffer_str(out, "  <data encoding=\"csv\"/>\n");
        return;
    }
    lvl_buffer_str(out, "  <data encoding=\"csv\">\n");
    for (uint32_t i = 0; i < layer->block_count; i++) {
        const tiled_block *b = &layer->blocks[i];
        if (w->map->infinite)
            lvl_buffer_printf(out, "   <chunk x=\"%ld\" y=\"%ld\" width=\"%lu\" height=\"%lu\">\n",
                              (long)b->x, (long)b->y, (unsigned long)b->width, (unsigned long)b->height);
        put_cells(out, b);
        if (w->map->infinite)
            lvl_buffer_str(out, "</chunk>\n");
    }
    lvl_buffer_str(out, w->map->infinite ? "  </data>\n" : "</data>\n");
}

static void put_object(writer *w, const tiled_object *o)
{
    lvl_buffer *out = w->out;

    lvl_buffer_str(out, "  <object");
    put_uint(out, "id", o->id);
    if (o->name.len)
        put_text(out, "name", o->name);
    if (o->type.len)
        put_text(out, "type", o->type);
    if (o->gid)
        put_uint(out, "gid", o->gid);
    put_number(out, "x", o->x);
    put_number(out, "y", o->y);
    if (o->width != 0)
        put_number(out, "width", o->width);
    if (o->height != 0)
        put_number(out, "height", o->height);
    if (!o->properties.count && !o->point) {
        lvl_buffer_str(out, "/>\n");
        return;
    }
    lvl_buffer_str(out, ">\n");
    put_properties(w, &o->properties, 3);
    if (o->point)
        lvl_buffer_str(out, "   <point/>\n");
    lvl_buffer_str(out, "  </object>\n");
}

static void put_layer(writer *w, const tiled_layer *layer)
{
    lvl_buffer *out = w->out;
    const char *element = layer->kind == TILED_TILES ? "layer" : "objectgroup";

    lvl_buffer_printf(out, " <%s", element);
    if (layer->color.len)
        put_text(out, "color", layer->color);
    put_uint(out, "id", layer->id);
    put_text(out, "name", layer->name);
    if (layer->kind == TILED_TILES) {
        put_uint(out, "width", layer->width);
        put_uint(out, "height", layer->height);
    }
    if (layer->hidden)
        put_uint(out, "visible", 0);
    if (layer->parallax_x != 1)
        put_number(out, "parallaxx", layer->parallax_x);
    if (layer->parallax_y != 1)
        put_number(out, "parallaxy", layer->parallax_y);
    if (layer->kind == TILED_OBJECTS && !layer->properties.count && !layer->object_count) {
        lvl_buffer_str(out, "/>\n");
        return;
    }
    lvl_buffer_str(out, ">\n");
    put_properties(w, &layer->properties, 2);
    if (layer->kind == TILED_TILES)
        put_data(w, layer);
    for (uint32_t i = 0; i < layer->object_count; i++)
        put_object(w, &layer->objects[i]);
    lvl_buffer_printf(out, " </%s>\n", element);
}

lvl_status tiled_write_tmx(const tiled_map *map, lvl_buffer *out)
{
    writer w = {.out = out, .map = map};

    lvl_buffer_str(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<map version=\"1.8\" tiledversion=\"1.8.2\" orientation=\"orthogonal\" "
                        "renderorder=\"right-down\"");
    put_uint(out, "width", map->width);
    put_uint(out, "height", map->height);
    put_uint(out, "tilewidth", map->tile_width);
    put_uint(out, "tileheight", map->tile_height);
    put_uint(out, "infinite", map->infinite);
    if (map->parallax_x != 0)
        put_number(out, "parallaxoriginx", map->parallax_x);
    if (map->parallax_y != 0)
        put_number(out, "parallaxoriginy", map->parallax_y);
    if (map->background.len)
        put_text(out, "backgroundcolor", map->background);
    put_uint(out, "nextlayerid", map->next_layer);
    put_uint(out, "nextobjectid", map->next_object);
    lvl_buffer_str(out, ">\n");
    put_properties(&w, &map->properties, 1);
    for (uint32_t i = 0; i < map->set_count; i++)
        put_set(&w, &map->sets[i]);
    for (uint32_t i = 0; i < map->layer_count; i++)
        put_layer(&w, &map->layers[i]);
    lvl_buffer_str(out, "</map>\n");
    free(w.sorted);
    return w.status != LVL_OK ? w.status : out->status;
}
