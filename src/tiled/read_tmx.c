/*
 * tiled/read_tmx.c: TMX, TSX and TX to a map in memory, as any version of Tiled writes them. What lvl has no
 * use for (wang sets, animations, editor settings) is passed over; groups are dissolved into their layers.
 *
 * A document type is refused, so no entity can be declared, and expat's own bound on amplification holds.
 */
#include "base/text.h"
#include "base/work.h"
#include "codec/json.h"
#include "tiled/map.h"

#include <expat.h>
#include <stdlib.h>

typedef enum element {
    E_SKIP, /* and all in it */
    E_ROOT,
    E_TEMPLATE,
    E_MAP,
    E_SET,
    E_TILE,
    E_IMAGE,
    E_LAYER,
    E_OBJECTS,
    E_GROUP,
    E_DATA,
    E_CHUNK,
    E_CELL,
    E_OBJECT,
    E_SHAPE,
    E_PROPERTIES,
    E_PROPERTY
} element;

typedef struct reader {
    XML_Parser parser;
    tiled_map *map;
    tiled_set *only;      /* the file is a tileset, and this is it; else NULL */
    tiled_object *single; /* the file is a template, and this is its object; `only` names its tileset */
    lvl_findings *findings;
    lvl_status status;
    element *stack;
    uint32_t depth, most;
    tiled_set *set;
    tiled_tile *tile;
    tiled_layer *layer;
    tiled_object *object;
    tiled_block *block;
    tiled_properties *properties;
    lvl_text encoding, compression;
    lvl_buffer text;  /* of the element that collects any */
    lvl_buffer cells; /* gids of cells that are elements, 4 bytes each in the host's order */
    bool collects, cell_elements;
} reader;

static void stop(reader *r, lvl_status status)
{
    if (r->status == LVL_OK)
        r->status = status;
    XML_StopParser(r->parser, XML_FALSE);
}

static void fail(reader *r, const char *text)
{
    if (r->status == LVL_OK)
        lvl_findings_add(r->findings, &lvl_faults[LVL_FAULT_MAP], NULL, NULL, "line %lu: %s",
                         (unsigned long)XML_GetCurrentLineNumber(r->parser), text);
    stop(r, LVL_ERR_FORMAT);
}

/* ---- attributes -------------------------------------------------------------------------------------- */

static lvl_text attr(const XML_Char **attrs, const char *name)
{
    for (; attrs[0]; attrs += 2) {
        if (attrs[0][0] == name[0] && strcmp(attrs[0], name) == 0)
            return lvl_text_of(attrs[1]);
    }
    return (lvl_text){NULL, 0};
}

static lvl_text keep(reader *r, lvl_text text)
{
    const lvl_text copy = tiled_copy(&r->map->arena, text);

    if (!copy.ptr)
        stop(r, LVL_ERR_MEMORY);
    return copy.ptr ? copy : (lvl_text){NULL, 0};
}

static lvl_text kept_attr(reader *r, const XML_Char **attrs, const char *name)
{
    const lvl_text text = attr(attrs, name);

    return text.len ? keep(r, text) : (lvl_text){NULL, 0};
}

/* Tiled 1.9 calls the type "class", all others "type". */
static lvl_text kept_class(reader *r, const XML_Char **attrs)
{
    const lvl_text type = kept_attr(r, attrs, "type");

    return type.len ? type : kept_attr(r, attrs, "class");
}

static double number_attr(reader *r, const XML_Char **attrs, const char *name, double def)
{
    const lvl_text text = attr(attrs, name);
    double v = def;

    if (text.ptr && !lvl_real_parse(text, &v))
        fail(r, "expected a number in an attribute");
    return v;
}

/* A whole number that fits; else the file is no map. */
static int64_t int_attr(reader *r, const XML_Char **attrs, const char *name, int64_t def, int64_t min,
                        int64_t max)
{
    const double v = number_attr(r, attrs, name, (double)def);

    if (v >= (double)min && v <= (double)max)
        return (int64_t)v;
    fail(r, "a number in an attribute is out of range");
    return def;
}

static uint32_t uint_attr(reader *r, const XML_Char **attrs, const char *name)
{
    return (uint32_t)int_attr(r, attrs, name, 0, 0, UINT32_MAX);
}

/* ---- elements ---------------------------------------------------------------------------------------- */

static void collect(reader *r)
{
    r->text.len = 0;
    r->collects = true;
}

static element begin_map(reader *r, const XML_Char **attrs)
{
    tiled_map *map = r->map;

    map->orientation = kept_attr(r, attrs, "orientation");
    map->width = uint_attr(r, attrs, "width");
    map->height = uint_attr(r, attrs, "height");
    map->tile_width = uint_attr(r, attrs, "tilewidth");
    map->tile_height = uint_attr(r, attrs, "tileheight");
    map->infinite = lvl_text_is(attr(attrs, "infinite"), "1");
    map->next_layer = uint_attr(r, attrs, "nextlayerid");
    map->next_object = uint_attr(r, attrs, "nextobjectid");
    r->properties = &map->properties;
    return E_MAP;
}

static void fill_set(reader *r, tiled_set *set, const XML_Char **attrs)
{
    set->name = kept_attr(r, attrs, "name");
    set->alignment = kept_attr(r, attrs, "objectalignment");
    set->tile_width = uint_attr(r, attrs, "tilewidth");
    set->tile_height = uint_attr(r, attrs, "tileheight");
    set->columns = uint_attr(r, attrs, "columns");
    set->tile_count = uint_attr(r, attrs, "tilecount");
    r->set = set;
    r->properties = &set->properties;
}

static element begin_set(reader *r, const XML_Char **attrs)
{
    tiled_map *map = r->map;
    tiled_set *set = tiled_push(&map->arena, &map->sets, &map->set_count, &map->set_cap, sizeof *set);

    if (!set) {
        stop(r, LVL_ERR_MEMORY);
        return E_SKIP;
    }
    set->first = uint_attr(r, attrs, "firstgid");
    set->source = kept_attr(r, attrs, "source");
    if (set->source.len)
        return E_SKIP;
    fill_set(r, set, attrs);
    return E_SET;
}

static element begin_layer(reader *r, const XML_Char **attrs, tiled_kind kind)
{
    tiled_map *map = r->map;
    tiled_layer *layer =
        tiled_push(&map->arena, &map->layers, &map->layer_count, &map->layer_cap, sizeof *layer);

    if (!layer) {
        stop(r, LVL_ERR_MEMORY);
        return E_SKIP;
    }
    layer->kind = kind;
    layer->id = uint_attr(r, attrs, "id");
    layer->name = kept_attr(r, attrs, "name");
    layer->width = uint_attr(r, attrs, "width");
    layer->height = uint_attr(r, attrs, "height");
    layer->hidden = lvl_text_is(attr(attrs, "visible"), "0");
    layer->has_offset = number_attr(r, attrs, "offsetx", 0) != 0 || number_attr(r, attrs, "offsety", 0) != 0;
    layer->parallax_x = number_attr(r, attrs, "parallaxx", 1);
    layer->parallax_y = number_attr(r, attrs, "parallaxy", 1);
    r->layer = layer;
    r->properties = &layer->properties;
    return kind == TILED_TILES ? E_LAYER : E_OBJECTS;
}

static element begin_tile(reader *r, const XML_Char **attrs)
{
    tiled_set *set = r->set;
    tiled_tile *tile = tiled_push(&r->map->arena, &set->tiles, &set->count, &set->cap, sizeof *tile);

    if (!tile) {
        stop(r, LVL_ERR_MEMORY);
        return E_SKIP;
    }
    tile->id = uint_attr(r, attrs, "id");
    tile->type = kept_class(r, attrs);
    r->tile = tile;
    r->properties = &tile->properties;
    return E_TILE;
}

static element begin_object(reader *r, const XML_Char **attrs)
{
    tiled_layer *layer = r->layer;
    tiled_object *o = r->single ? r->single
                                : tiled_push(&r->map->arena, &layer->objects, &layer->object_count,
                                             &layer->object_cap, sizeof *o);

    if (!o) {
        stop(r, LVL_ERR_MEMORY);
        return E_SKIP;
    }
    o->source = kept_attr(r, attrs, "template");
    for (size_t i = 0; o->source.len && tiled_own[i].name; i++)
        o->says |= attr(attrs, tiled_own[i].name).ptr ? tiled_own[i].says : 0;
    o->id = uint_attr(r, attrs, "id");
    o->gid = uint_attr(r, attrs, "gid");
    o->name = kept_attr(r, attrs, "name");
    o->type = kept_class(r, attrs);
    o->x = number_attr(r, attrs, "x", 0);
    o->y = number_attr(r, attrs, "y", 0);
    o->width = number_attr(r, attrs, "width", 0);
    o->height = number_attr(r, attrs, "height", 0);
    o->rotation = number_attr(r, attrs, "rotation", 0);
    r->object = o;
    r->properties = &o->properties;
    return E_OBJECT;
}

static element begin_data(reader *r, const XML_Char **attrs)
{
    r->encoding = kept_attr(r, attrs, "encoding");
    r->compression = kept_attr(r, attrs, "compression");
    r->cells.len = 0;
    r->cell_elements = !r->encoding.len;
    r->block = NULL;
    collect(r);
    return E_DATA;
}

static tiled_block *add_block(reader *r)
{
    tiled_layer *layer = r->layer;
    tiled_block *block =
        tiled_push(&r->map->arena, &layer->blocks, &layer->block_count, &layer->block_cap, sizeof *block);

    if (!block)
        stop(r, LVL_ERR_MEMORY);
    return block;
}

static element begin_chunk(reader *r, const XML_Char **attrs)
{
    tiled_block *block = add_block(r);

    if (!block)
        return E_SKIP;
    block->x = (int32_t)int_attr(r, attrs, "x", 0, INT32_MIN, INT32_MAX);
    block->y = (int32_t)int_attr(r, attrs, "y", 0, INT32_MIN, INT32_MAX);
    block->width = uint_attr(r, attrs, "width");
    block->height = uint_attr(r, attrs, "height");
    r->block = block;
    r->cells.len = 0;
    collect(r);
    return E_CHUNK;
}

static element begin_property(reader *r, const XML_Char **attrs)
{
    const lvl_text name = attr(attrs, "name"), value = attr(attrs, "value");
    tiled_property *p = tiled_push(&r->map->arena, &r->properties->items, &r->properties->count,
                                   &r->properties->cap, sizeof *p);

    if (!p) {
        stop(r, LVL_ERR_MEMORY);
        return E_SKIP;
    }
    p->name = keep(r, name);
    p->type = kept_attr(r, attrs, "type");
    p->value = value.ptr ? keep(r, value) : value;
    if (!value.ptr)
        collect(r);
    return E_PROPERTY;
}

static element begin_cell(reader *r, const XML_Char **attrs)
{
    const uint32_t gid = uint_attr(r, attrs, "gid");

    lvl_buffer_add(&r->cells, &gid, sizeof gid);
    if (r->cells.status != LVL_OK)
        stop(r, r->cells.status);
    return E_CELL;
}

static element begin_image(reader *r, const XML_Char **attrs)
{
    const lvl_text source = kept_attr(r, attrs, "source");

    if (r->tile)
        r->tile->image = source;
    else
        r->set->image = source;
    return E_IMAGE;
}

static element element_of(reader *r, element in, const char *name, const XML_Char **attrs)
{
#define IS(word) (strcmp(name, word) == 0)
    if (IS("properties"))
        return in == E_MAP || in == E_SET || in == E_TILE || in == E_LAYER || in == E_OBJECTS ||
                       in == E_OBJECT
                   ? E_PROPERTIES
                   : E_SKIP;
    switch (in) {
    case E_ROOT:
        if (IS("map") && !r->only)
            return begin_map(r, attrs);
        if (IS("tileset") && r->only && !r->single) {
            fill_set(r, r->only, attrs);
            return E_SET;
        }
        if (IS("template") && r->single)
            return E_TEMPLATE;
        fail(r, r->single ? "expected a template of Tiled"
                : r->only ? "expected a tileset of Tiled"
                          : "expected a map of Tiled");
        return E_SKIP;
    case E_TEMPLATE:
        if (IS("tileset")) {
            r->only->first = uint_attr(r, attrs, "firstgid");
            r->only->source = kept_attr(r, attrs, "source");
        }
        return IS("object") ? begin_object(r, attrs) : E_SKIP;
    case E_MAP:
    case E_GROUP:
        if (IS("tileset") && in == E_MAP)
            return begin_set(r, attrs);
        if (IS("layer"))
            return begin_layer(r, attrs, TILED_TILES);
        if (IS("objectgroup"))
            return begin_layer(r, attrs, TILED_OBJECTS);
        if (IS("imagelayer"))
            return begin_layer(r, attrs, TILED_IMAGE) == E_SKIP ? E_SKIP : E_OBJECTS;
        return IS("group") ? E_GROUP : E_SKIP;
    case E_SET:
        r->tile = NULL;
        return IS("tile") ? begin_tile(r, attrs) : IS("image") ? begin_image(r, attrs) : E_SKIP;
    case E_TILE: return IS("image") ? begin_image(r, attrs) : E_SKIP;
    case E_LAYER: return IS("data") ? begin_data(r, attrs) : E_SKIP;
    case E_OBJECTS: return IS("object") ? begin_object(r, attrs) : E_SKIP;
    case E_DATA:
        if (IS("chunk"))
            return begin_chunk(r, attrs);
        return IS("tile") ? begin_cell(r, attrs) : E_SKIP;
    case E_CHUNK: return IS("tile") ? begin_cell(r, attrs) : E_SKIP;
    case E_OBJECT:
        r->object->point = r->object->point || IS("point") || IS("capsule");
        r->object->shape = r->object->shape || IS("ellipse") || IS("polygon") || IS("polyline");
        return E_SHAPE;
    case E_PROPERTIES: return IS("property") ? begin_property(r, attrs) : E_SKIP;
    default: return E_SKIP;
    }
#undef IS
}

static void XMLCALL on_start(void *user, const XML_Char *name, const XML_Char **attrs)
{
    reader *r = user;

    if (r->status != LVL_OK)
        return;
    if (r->depth + 1 >= r->most) {
        stop(r, lvl_refuse(r->map->ctx, LVL_LIMIT_DEPTH, r->most, 0));
        return;
    }
    r->stack[r->depth + 1] =
        r->stack[r->depth] == E_SKIP ? E_SKIP : element_of(r, r->stack[r->depth], name, attrs);
    r->depth++;
}

/* ---- ends -------------------------------------------------------------------------------------------- */

static void end_cells(reader *r, tiled_block *block)
{
    const lvl_text text = {(const char *)r->text.data, r->text.len};
    const uint64_t count = (uint64_t)block->width * block->height;

    if (!r->cell_elements) {
        const lvl_status status = tiled_decode(r->map, block, text, r->encoding, r->compression, r->findings);
        if (status != LVL_OK)
            stop(r, status);
        return;
    }
    if (count != r->cells.len / sizeof(uint32_t)) {
        fail(r, "there are not as many cells as width and height say");
        return;
    }
    block->cells = lvl_arena_copy(&r->map->arena, count ? (const void *)r->cells.data : "", r->cells.len);
    if (!block->cells)
        stop(r, LVL_ERR_MEMORY);
}

static void end_data(reader *r)
{
    tiled_block *block;

    if (r->map->infinite || r->block)
        return; /* its chunks said all */
    block = add_block(r);
    if (!block)
        return;
    block->width = r->layer->width;
    block->height = r->layer->height;
    end_cells(r, block);
}

/* What the element in `in` gives its properties to. */
static tiled_properties *properties_in(reader *r, element in)
{
    switch (in) {
    case E_MAP: return &r->map->properties;
    case E_SET: return &r->set->properties;
    case E_TILE: return &r->tile->properties;
    case E_LAYER:
    case E_OBJECTS: return &r->layer->properties;
    default: return r->properties;
    }
}

static void XMLCALL on_end(void *user, const XML_Char *name)
{
    reader *r = user;

    (void)name;
    if (r->status != LVL_OK)
        return;
    const element was = r->stack[r->depth--];
    if (r->collects && (was == E_PROPERTY || was == E_CHUNK || was == E_DATA)) {
        r->collects = false;
        if (r->text.status != LVL_OK) {
            stop(r, r->text.status);
        } else if (was == E_PROPERTY) {
            r->properties->items[r->properties->count - 1].value =
                keep(r, (lvl_text){(const char *)r->text.data, r->text.len});
        } else if (was == E_CHUNK) {
            end_cells(r, r->block);
        } else {
            end_data(r);
        }
    } else if (was == E_DATA) {
        end_data(r);
    }
    r->properties = properties_in(r, r->stack[r->depth]);
}

static void XMLCALL on_text(void *user, const XML_Char *text, int len)
{
    reader *r = user;

    if (r->collects && r->status == LVL_OK && r->stack[r->depth] != E_SKIP)
        lvl_buffer_add(&r->text, text, (size_t)len);
}

static void XMLCALL on_doctype(void *user, const XML_Char *name, const XML_Char *system_id,
                               const XML_Char *public_id, int has_internal)
{
    (void)name;
    (void)system_id;
    (void)public_id;
    (void)has_internal;
    fail(user, "a map has no document type (DOCTYPE)");
}

/* ---- all of it --------------------------------------------------------------------------------------- */

static void parse(reader *r, lvl_bytes bytes)
{
    enum { PART = 1 << 29 }; /* the most that expat takes; of several parts it counts all lines */
    size_t at = 0;

    if (!bytes.len)
        bytes.ptr = (const uint8_t *)"";
    do {
        const size_t n = bytes.len - at < PART ? bytes.len - at : PART;
        const lvl_status work = lvl_charge(r->map->ctx, n);
        if (work != LVL_OK) {
            r->status = work;
            return;
        }
        const bool last = at + n == bytes.len;
        if (XML_Parse(r->parser, (const char *)bytes.ptr + at, (int)n, last) == XML_STATUS_ERROR &&
            r->status == LVL_OK) {
            const enum XML_Error code = XML_GetErrorCode(r->parser);
            if (code == XML_ERROR_NO_MEMORY) {
                r->status = LVL_ERR_MEMORY;
            } else {
                lvl_findings_add(r->findings, &lvl_faults[LVL_FAULT_MAP], NULL, NULL, "line %lu: %s",
                                 (unsigned long)XML_GetCurrentLineNumber(r->parser), XML_ErrorString(code));
                r->status = LVL_ERR_FORMAT;
            }
        }
        at += n;
    } while (at < bytes.len && r->status == LVL_OK);
}

static lvl_status read_xml(tiled_map *map, tiled_set *only, tiled_object *single, lvl_bytes bytes,
                           lvl_findings *findings)
{
    reader r = {.map = map, .only = only, .single = single, .findings = findings};

    r.most = lvl_limits_of(map->ctx).depth + 4; /* what is around the deepest group */
    r.stack = malloc(r.most * sizeof *r.stack);
    r.parser = XML_ParserCreate(NULL);
    if (r.stack && r.parser) {
        r.stack[0] = E_ROOT;
        r.properties = &map->properties;
        r.text.max = r.cells.max = lvl_memory_share(map->ctx);
        XML_SetUserData(r.parser, &r);
        XML_SetElementHandler(r.parser, on_start, on_end);
        XML_SetCharacterDataHandler(r.parser, on_text);
        XML_SetStartDoctypeDeclHandler(r.parser, on_doctype);
        parse(&r, bytes);
    } else {
        r.status = LVL_ERR_MEMORY;
    }
    if (r.parser)
        XML_ParserFree(r.parser);
    free(r.stack);
    lvl_buffer_free(&r.text);
    lvl_buffer_free(&r.cells);
    return lvl_arena_status(&map->arena, r.status);
}

lvl_status tiled_read_tmx(tiled_map *map, lvl_bytes bytes, lvl_findings *findings)
{
    return read_xml(map, NULL, NULL, bytes, findings);
}

lvl_status tiled_read_tsx(tiled_map *map, tiled_set *set, lvl_bytes bytes, lvl_findings *findings)
{
    return read_xml(map, set, NULL, bytes, findings);
}

lvl_status tiled_read_tx(tiled_map *map, tiled_object *object, tiled_set *set, lvl_bytes bytes,
                         lvl_findings *findings)
{
    return read_xml(map, set, object, bytes, findings);
}
