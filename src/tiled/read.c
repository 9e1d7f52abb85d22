/*
 * tiled/read.c: reads maps, tilesets and templates from the tree of a JSON file (TMJ, TSJ, TJ); read_xml.c
 * converts TMX, TSX and TX to such a tree. Groups are replaced by their layers; an instance of a template
 * gets the template's fields.
 */
#include "base/buffer.h"
#include "base/text.h"
#include "base/work.h"
#include "codec/json.h"
#include "tiled/map.h"

#include <math.h>

typedef struct reader {
    tiled_map *map;
    const lvl_tiled_read_options *options; /* NULL: files that the map refers to are not available */
    lvl_findings *findings;
    lvl_status status;
    uint32_t depth; /* of groups */
    bool hidden; /* in a group that is */
    bool in_template;
} reader;

static bool is_json(lvl_bytes bytes)
{
    size_t i = 0;

    while (i < bytes.len &&
           (bytes.ptr[i] == ' ' || bytes.ptr[i] == '\n' || bytes.ptr[i] == '\r' || bytes.ptr[i] == '\t'))
        i++;
    return i < bytes.len && bytes.ptr[i] == '{';
}

static bool bytes_have(lvl_bytes bytes, const char *word)
{
    const size_t len = strlen(word);

    for (size_t i = 0; i + len <= bytes.len; i++) {
        if (bytes.ptr[i] == (uint8_t)word[0] && memcmp(bytes.ptr + i, word, len) == 0)
            return true;
    }
    return false;
}

/* Whether the bytes contain "type": "map", with any blanks. */
static bool has_type(lvl_bytes bytes)
{
    static const char key[] = "\"type\"", value[] = "\"map\"";

    for (size_t i = 0; i + sizeof key - 1 <= bytes.len; i++) {
        if (bytes.ptr[i] != '"' || memcmp(bytes.ptr + i, key, sizeof key - 1) != 0)
            continue;
        size_t at = i + sizeof key - 1;
        while (at < bytes.len && memchr(": \t\r\n", bytes.ptr[at], 5))
            at++;
        if (at + sizeof value - 1 <= bytes.len && memcmp(bytes.ptr + at, value, sizeof value - 1) == 0)
            return true;
    }
    return false;
}

bool lvl_tiled_is_map(lvl_bytes bytes)
{
    enum { HEAD = 4096 };
    const lvl_bytes head = {bytes.ptr, bytes.len < HEAD ? bytes.len : HEAD};

    if (!is_json(bytes))
        return bytes_have(head, "<map ") && bytes_have(head, "orientation=");
    /* Tiled sorts keys, so "type" is near the end; other programs may not */
    const lvl_bytes tail = {bytes.ptr + (bytes.len - head.len), head.len};
    return !bytes_have(head, "\"lvl\":") &&
           (has_type(head) || has_type(tail) ||
            (bytes_have(head, "\"tilewidth\"") && bytes_have(head, "\"layers\"")));
}

/* ---- values ------------------------------------------------------------------------------------------ */

static void set_status(reader *r, lvl_status status)
{
    if (r->status == LVL_OK)
        r->status = status;
}

/* `at`: the object with the error; if read from XML, it has its line number. */
static void fail(reader *r, yyjson_val *at, const char *text)
{
    const unsigned long line = (unsigned long)yyjson_get_uint(yyjson_obj_get(at, TILED_LINE));
    char where[40] = "";

    if (line)
        snprintf(where, sizeof where, "line %lu: ", line);
    if (r->status == LVL_OK)
        lvl_fault_add(r->findings, LVL_FAULT_MAP, "%s%s", where, text);
    set_status(r, LVL_ERR_FORMAT);
}

/* Appends a zeroed item to a list of the map; NULL without memory. */
#define PUSH(r, list) TILED_PUSH(&(r)->map->arena, list)

static lvl_text text_at(reader *r, yyjson_val *obj, const char *key)
{
    yyjson_val *val = yyjson_obj_get(obj, key);

    return yyjson_is_str(val) && yyjson_get_len(val) ? tiled_copy(&r->map->arena, lvl_json_str(val))
                                                     : (lvl_text){NULL, 0};
}

static double number_at(reader *r, yyjson_val *obj, const char *key, double def)
{
    yyjson_val *val = yyjson_obj_get(obj, key);
    double v = def;

    if (yyjson_is_num(val))
        return yyjson_get_num(val);
    if (yyjson_is_str(val) && !lvl_real_parse(lvl_json_str(val), &v))
        fail(r, obj, "expected a number in an attribute");
    return v;
}

/* A number in the range, without its fraction; other values are errors. */
static int64_t int_at(reader *r, yyjson_val *obj, const char *key, int64_t min, int64_t max)
{
    const double v = number_at(r, obj, key, 0);

    if (v >= (double)min && v <= (double)max)
        return (int64_t)v;
    fail(r, obj, "a number is out of range");
    return 0;
}

static uint32_t uint_at(reader *r, yyjson_val *obj, const char *key)
{
    return (uint32_t)int_at(r, obj, key, 0, UINT32_MAX);
}

/* A value in the spelling of TMX. */
static lvl_text value_text(reader *r, yyjson_val *val)
{
    lvl_buffer out = {0};
    lvl_text text = {"", 0};

    if (yyjson_is_str(val))
        return tiled_copy(&r->map->arena, lvl_json_str(val));
    if (yyjson_is_bool(val))
        return lvl_text_of(yyjson_get_bool(val) ? "true" : "false");
    if (yyjson_is_uint(val))
        lvl_json_uint(&out, yyjson_get_uint(val));
    else if (yyjson_is_sint(val))
        lvl_json_int(&out, yyjson_get_sint(val));
    else if (yyjson_is_real(val))
        lvl_json_real(&out, yyjson_get_real(val));
    if (out.status != LVL_OK)
        set_status(r, out.status);
    else
        text = tiled_copy(&r->map->arena, lvl_buffer_text(&out));
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
        tiled_add(&r->map->arena, to, name, plain ? "" : type.ptr, value);
    }
}

/* An attribute or part of a map that no level stores. */
typedef struct extra {
    const char *key, *usual; /* the default value, which is not reported; NULL: every value is */
    const char *name; /* for messages */
} extra;

static const extra layer_extras[] = {{"offsetx", "0", "offset"},       {"offsety", "0", "offset"},
                                     {"opacity", "1", "opacity"},      {"tintcolor", "", "tint color"},
                                     {"mode", "normal", "blend mode"}, {"class", "", "class"}};
static const extra object_extras[] = {{"opacity", "1", "opacity"}};
static const extra factor_extras[] = {{"parallaxx", "1", "parallax factor"},
                                      {"parallaxy", "1", "parallax factor"}};
static const extra map_extras[] = {{"class", "", "class"}, {"renderorder", "right-down", "render order"}};
static const extra set_extras[] = {
    {"class", "", "class"}, {"tileoffset", NULL, "drawing offset"}, {"wangsets", NULL, "terrain sets"}};
static const extra tile_extras[] = {{"animation", NULL, "animation"},
                                    {"layers", NULL, "collision shapes"},
                                    {"objectgroup", NULL, "collision shapes"}};

static bool is_usual(reader *r, yyjson_val *val, const char *usual)
{
    double a, b;

    if (!val || (yyjson_is_arr(val) && !yyjson_arr_size(val)))
        return true;
    if (!usual)
        return false;
    const lvl_text text = value_text(r, val), wanted = lvl_text_of(usual);
    return lvl_text_equal(text, wanted) || (lvl_real_parse(text, &a) && lvl_real_parse(wanted, &b) && a == b);
}

/* Appends the names of the extras that an object has. */
static void read_extras(reader *r, yyjson_val *obj, const extra *list, size_t count, lvl_text *names)
{
    for (size_t i = 0; i < count && r->status == LVL_OK; i++) {
        const lvl_text name = lvl_text_of(list[i].name);
        if (is_usual(r, yyjson_obj_get(obj, list[i].key), list[i].usual) ||
            (names->len >= name.len &&
             lvl_text_equal((lvl_text){names->ptr + names->len - name.len, name.len}, name)))
            continue;
        *names = names->len ? tiled_printf(&r->map->arena, "%s, %s", names->ptr, name.ptr) : name;
    }
}
#define READ_EXTRAS(r, obj, list, names) read_extras(r, obj, list, LVL_COUNT_OF(list), names)

/* ---- files ------------------------------------------------------------------------------------------- */

/* `root`: the expected root element of an XML file. */
static yyjson_doc *read_tree(reader *r, const char *root, lvl_bytes bytes)
{
    lvl_json_error error = {0};
    yyjson_doc *tree = NULL;

    set_status(r, lvl_charge(r->map->ctx, bytes.len));
    if (r->status != LVL_OK)
        return NULL;
    if (!is_json(bytes)) {
        set_status(r, tiled_xml_tree(&tree, r->map->ctx, root, bytes, r->findings));
        return tree;
    }
    tree = lvl_json_read(r->map->ctx, (lvl_text){(const char *)bytes.ptr, bytes.len}, &error);
    if (!tree && error.status == LVL_ERR_FORMAT)
        lvl_fault_add(r->findings, LVL_FAULT_MAP, "line %zu, column %zu: %s", error.line, error.column,
                      error.text);
    if (!tree)
        set_status(r, error.status);
    return tree;
}

/* Reads a file that the map refers to. NULL: it is missing, which is an error only if it is needed, or
 * broken. */
static yyjson_doc *read_named(reader *r, const char *root, lvl_text name)
{
    lvl_buffer file = {.max = lvl_memory_share(r->map->ctx)};
    yyjson_doc *tree = NULL;

    if (r->status != LVL_OK || !r->options || !r->options->fetch)
        return NULL;
    lvl_status status = r->options->fetch(r->options->user, name.ptr, &file);
    if (file.status != LVL_OK)
        status = lvl_buffer_outcome(r->map->ctx, &file);
    if (status == LVL_OK)
        tree = read_tree(r, root, lvl_buffer_bytes(&file));
    else if (status != LVL_ERR_MISSING && status != LVL_ERR_IO)
        set_status(r, status);
    lvl_buffer_free(&file);
    return tree;
}

/* After reading such a file: adds the file's name to an error in it. */
static void in_file(reader *r, lvl_text name)
{
    char buf[80];

    if (r->status == LVL_ERR_FORMAT)
        lvl_fault_add(r->findings, LVL_FAULT_MAP, "that is in %s, which the map names", lvl_show(buf, name));
}

/* A file name that is relative to the folder of another file, relative to the folder of the map. */
static lvl_text name_beside(reader *r, lvl_text of, lvl_text name)
{
    size_t folder = of.len;

    if (!name.len || name.ptr[0] == '/' || name.ptr[0] == '\\' || (name.len > 1 && name.ptr[1] == ':'))
        return name;
    while (folder && of.ptr[folder - 1] != '/')
        folder--;
    if (!folder)
        return name;
    char *joined = lvl_arena_raw(&r->map->arena, folder + name.len + 1);
    if (!joined) {
        set_status(r, LVL_ERR_MEMORY);
        return name;
    }
    memcpy(joined, of.ptr, folder);
    memcpy(joined + folder, name.ptr, name.len);
    joined[folder + name.len] = 0;
    return (lvl_text){joined, folder + name.len};
}

/* ---- tilesets ---------------------------------------------------------------------------------------- */

static void read_set(reader *r, tiled_set *set, yyjson_val *val)
{
    yyjson_val *tiles = yyjson_obj_get(val, "tiles"), *tile;
    size_t i, n;

    set->name = text_at(r, val, "name");
    set->alignment = text_at(r, val, "objectalignment");
    set->image = name_beside(r, set->source, text_at(r, val, "image"));
    set->width = uint_at(r, val, "imagewidth");
    set->height = uint_at(r, val, "imageheight");
    set->tile_width = uint_at(r, val, "tilewidth");
    set->tile_height = uint_at(r, val, "tileheight");
    set->columns = uint_at(r, val, "columns");
    set->margin = uint_at(r, val, "margin");
    set->spacing = uint_at(r, val, "spacing");
    set->tile_count = uint_at(r, val, "tilecount");
    read_properties(r, val, &set->properties);
    READ_EXTRAS(r, val, set_extras, &set->unused);
    yyjson_arr_foreach(tiles, i, n, tile)
    {
        tiled_tile *t = PUSH(r, &set->tiles);
        if (!t)
            return;
        t->id = uint_at(r, tile, "id");
        t->type = text_at(r, tile, "type");
        if (!t->type.len)
            t->type = text_at(r, tile, "class"); /* of Tiled 1.9 */
        t->image = name_beside(r, set->source, text_at(r, tile, "image"));
        t->width = uint_at(r, tile, "imagewidth");
        t->height = uint_at(r, tile, "imageheight");
        read_properties(r, tile, &t->properties);
        READ_EXTRAS(r, tile, tile_extras, &t->unused);
    }
}

/* A missing set is an error only if a cell or object uses it. */
static void read_named_set(reader *r, tiled_set *set)
{
    if (r->status != LVL_OK)
        return;
    yyjson_doc *tree = read_named(r, "tileset", set->source);

    if (tree)
        read_set(r, set, yyjson_doc_get_root(tree));
    in_file(r, set->source);
    if (tree)
        set->source = (lvl_text){NULL, 0};
    yyjson_doc_free(tree);
}

static void read_sets(reader *r, yyjson_val *root)
{
    yyjson_val *list = yyjson_obj_get(root, "tilesets"), *val;
    tiled_map *map = r->map;
    size_t i, n;

    yyjson_arr_foreach(list, i, n, val)
    {
        tiled_set *set = PUSH(r, &map->sets);
        if (!set)
            return;
        set->first = uint_at(r, val, "firstgid");
        set->source = text_at(r, val, "source");
        if (set->source.len)
            read_named_set(r, set);
        else
            read_set(r, set, val);
    }
}

/* ---- objects ----------------------------------------------------------------------------------------- */

static const tiled_template *find_template(reader *r, lvl_text source);

static lvl_text text_or(reader *r, yyjson_val *obj, const char *key, lvl_text def)
{
    return yyjson_obj_get(obj, key) ? text_at(r, obj, key) : def;
}

/* Tiled 1.9 has "class" instead of "type". */
static void read_object(reader *r, tiled_object *o, yyjson_val *val) /* NOLINT(misc-no-recursion) */
{
    static const tiled_object plain = {0};
    const lvl_text source = text_at(r, val, "template");
    const tiled_template *t = source.len && !r->in_template ? find_template(r, source) : NULL;
    const tiled_object *like = t ? &t->object : &plain;

    o->source = t ? (lvl_text){NULL, 0} : source;
    o->id = uint_at(r, val, "id");
    o->gid = yyjson_obj_get(val, "gid") ? uint_at(r, val, "gid") : like->gid;
    o->name = text_or(r, val, "name", like->name);
    o->type = text_at(r, val, "type");
    if (!o->type.len)
        o->type = text_or(r, val, "class", yyjson_obj_get(val, "type") ? o->type : like->type);
    o->x = number_at(r, val, "x", 0);
    o->y = number_at(r, val, "y", 0);
    o->width = number_at(r, val, "width", like->width);
    o->height = number_at(r, val, "height", like->height);
    o->rotation = number_at(r, val, "rotation", like->rotation);
    o->point = like->point || yyjson_is_true(yyjson_obj_get(val, "point"));
    o->shape = like->shape || yyjson_obj_get(val, "polygon") || yyjson_obj_get(val, "polyline") ||
               yyjson_is_true(yyjson_obj_get(val, "ellipse")) ||
               yyjson_is_true(yyjson_obj_get(val, "capsule"));
    o->text = like->text || yyjson_obj_get(val, "text");
    o->unused = like->unused;
    if (!o->unused.len)
        READ_EXTRAS(r, val, object_extras, &o->unused);
    for (uint32_t i = 0; i < like->properties.count;
         i++) { /* before the object's own, since the last of equal names counts */
        const tiled_property *p = &like->properties.items[i];
        tiled_add(&r->map->arena, &o->properties, p->name, p->type.ptr, p->value);
    }
    read_properties(r, val, &o->properties);
}

/* Adds a template's tileset to the map's, with gids above those that maps use. `source` is relative to the
 * template. */
static void add_template_set(reader *r, tiled_template *t, uint32_t first, lvl_text source)
{
    enum { FIRST = 1 << 27, STEP = 1 << 16, MAX_TEMPLATES = 1023 };
    tiled_map *map = r->map;
    const uint32_t id = (t->object.gid & ~TILED_FLIPS) - first;
    char buf[80];

    if (id >= STEP || map->templates.count > MAX_TEMPLATES) {
        lvl_fault_add(r->findings, LVL_FAULT_MAP,
                      "template %s: expected a tile below %lu and at most %lu templates, found tile %lu of "
                      "template %lu; replace the object by a plain one",
                      lvl_show(buf, t->source), (unsigned long)STEP, (unsigned long)MAX_TEMPLATES,
                      (unsigned long)id, (unsigned long)map->templates.count);
        set_status(r, LVL_ERR_FORMAT);
        return;
    }
    tiled_set *to = PUSH(r, &map->sets);
    if (!to) {
        set_status(r, LVL_ERR_MEMORY);
        return;
    }
    *to = (tiled_set){.first = FIRST + map->templates.count * STEP,
                      .source = name_beside(r, t->source, source)};
    t->object.gid = (t->object.gid & TILED_FLIPS) | (to->first + id);
    read_named_set(r, to);
}

/* Member `key` of a template; in the tree of an XML file it is the first item of a list. */
static yyjson_val *part_of(yyjson_val *root, const char *key, const char *list)
{
    yyjson_val *part = yyjson_obj_get(root, key);

    return part ? part : yyjson_arr_get_first(yyjson_obj_get(root, list));
}

static void read_template(reader *r, tiled_template *t) /* NOLINT(misc-no-recursion): at most once */
{
    yyjson_doc *tree = read_named(r, "template", t->source);
    yyjson_val *root = yyjson_doc_get_root(tree), *set = part_of(root, "tileset", "tilesets");

    const lvl_text source = text_at(r, set, "source");
    const uint32_t first = uint_at(r, set, "firstgid");

    if (tree) {
        r->in_template = true;
        read_object(r, &t->object, part_of(root, "object", "objects"));
        r->in_template = false;
    }
    in_file(r, t->source);
    t->found = tree && r->status == LVL_OK && !t->object.source.len; /* no template of a template */
    if (t->found && t->object.gid && source.len)
        add_template_set(r, t, first, source);
    yyjson_doc_free(tree);
}

/* NULL: it is missing. */
static const tiled_template *find_template(reader *r, lvl_text source) /* NOLINT(misc-no-recursion) */
{
    tiled_map *map = r->map;
    tiled_template *t = NULL;

    set_status(r, lvl_charge(map->ctx, map->templates.count));
    for (uint32_t i = 0; i < map->templates.count && !t; i++)
        t = lvl_text_equal(map->templates.items[i].source, source) ? &map->templates.items[i] : NULL;
    if (!t && r->status == LVL_OK) {
        t = PUSH(r, &map->templates);
        if (!t)
            return NULL;
        t->source = source;
        read_template(r, t);
    }
    return t && t->found ? t : NULL;
}

/* ---- layers ------------------------------------------------------------------------------------------ */

static void read_block(reader *r, tiled_layer *layer, yyjson_val *from, lvl_text encoding,
                       lvl_text compression)
{
    yyjson_val *data = yyjson_obj_get(from, "data"), *val;
    size_t i, n;

    tiled_block *b = PUSH(r, &layer->blocks);
    if (!b)
        return;
    b->x = (int32_t)int_at(r, from, "x", INT32_MIN, INT32_MAX);
    b->y = (int32_t)int_at(r, from, "y", INT32_MIN, INT32_MAX);
    b->width = uint_at(r, from, "width");
    b->height = uint_at(r, from, "height");
    if (r->status != LVL_OK)
        return;
    if (yyjson_is_str(data)) {
        set_status(r, tiled_decode(r->map, b, lvl_json_str(data), encoding, compression, r->findings));
        return;
    }
    if (yyjson_arr_size(data) != (uint64_t)b->width * b->height) {
        fail(r, from, "a layer has not as many cells as width and height say");
        return;
    }
    b->cells = lvl_arena_array(&r->map->arena, yyjson_arr_size(data), sizeof *b->cells);
    if (!b->cells) {
        set_status(r, LVL_ERR_MEMORY);
        return;
    }
    yyjson_arr_foreach(data, i, n, val)
    {
        const double v = yyjson_get_num(val); /* programs may write 16.0 */
        if (!yyjson_is_num(val) || !(v >= 0 && v <= UINT32_MAX) || v != floor(v)) {
            fail(r, from, "a cell of a layer is not the number of a tile");
            return;
        }
        b->cells[i] = (uint32_t)v;
    }
}

/* Like read_block, but names the layer in a message. */
static void read_named_block(reader *r, tiled_layer *layer, yyjson_val *from, lvl_text encoding,
                             lvl_text compression)
{
    char buf[80];

    read_block(r, layer, from, encoding, compression);
    if (r->status == LVL_ERR_FORMAT)
        lvl_fault_add(r->findings, LVL_FAULT_MAP, "that is in the layer \"%s\"", lvl_show(buf, layer->name));
}

static void read_cells(reader *r, tiled_layer *layer, yyjson_val *val)
{
    yyjson_val *chunks = yyjson_obj_get(val, "chunks"), *chunk;
    const lvl_text encoding = text_at(r, val, "encoding"), compression = text_at(r, val, "compression");
    const lvl_text used = encoding.len ? encoding : lvl_text_of("csv");
    size_t i, n;

    if (!chunks && yyjson_obj_get(val, "data") && r->status == LVL_OK)
        read_named_block(r, layer, val, used, compression);
    if (!chunks && layer->blocks.count) /* x and y of a layer are always 0 */
        layer->blocks.items[0].x = layer->blocks.items[0].y = 0;
    yyjson_arr_foreach(chunks, i, n, chunk)
    {
        if (r->status == LVL_OK)
            read_named_block(r, layer, chunk, used, compression);
    }
}

static bool is_hidden(yyjson_val *val)
{
    yyjson_val *visible = yyjson_obj_get(val, "visible");

    return yyjson_is_false(visible) || yyjson_equals_str(visible, "0");
}

static void read_layer(reader *r, yyjson_val *val, lvl_text type)
{
    tiled_map *map = r->map;
    tiled_layer *layer = PUSH(r, &map->layers);
    yyjson_val *objects = yyjson_obj_get(val, "objects"), *object;
    size_t i, n;

    if (!layer)
        return;
    layer->kind = lvl_text_is(type, "tilelayer")     ? TILED_TILES
                  : lvl_text_is(type, "objectgroup") ? TILED_OBJECTS
                                                     : TILED_IMAGE;
    layer->id = uint_at(r, val, "id");
    layer->name = text_at(r, val, "name");
    layer->hidden = r->hidden || is_hidden(val);
    layer->by_index = lvl_text_is(text_at(r, val, "draworder"), "index");
    READ_EXTRAS(r, val, layer_extras, &layer->unused);
    if (layer->kind != TILED_TILES)
        READ_EXTRAS(r, val, factor_extras, &layer->unused);
    layer->parallax_x = number_at(r, val, "parallaxx", 1);
    layer->parallax_y = number_at(r, val, "parallaxy", 1);
    read_properties(r, val, &layer->properties);
    if (layer->kind == TILED_TILES)
        read_cells(r, layer, val);
    yyjson_arr_foreach(objects, i, n, object)
    {
        tiled_object *o = r->status == LVL_OK ? PUSH(r, &layer->objects) : NULL;
        if (!o)
            return;
        read_object(r, o, object);
    }
}

static void read_layers(reader *r, yyjson_val *owner);

static void read_group(reader *r, yyjson_val *val) /* NOLINT(misc-no-recursion): bounded by the depth */
{
    tiled_group *group = PUSH(r, &r->map->groups);

    if (!group)
        return;
    tiled_group g = {.name = text_at(r, val, "name")};
    READ_EXTRAS(r, val, layer_extras, &g.unused);
    READ_EXTRAS(r, val, factor_extras, &g.unused);
    if (yyjson_arr_size(yyjson_obj_get(val, "properties")))
        g.unused = g.unused.len ? tiled_printf(&r->map->arena, "%s, properties", g.unused.ptr)
                                : lvl_text_of("properties");
    *group = g;
    const bool hidden = r->hidden;
    r->hidden = hidden || is_hidden(val);
    read_layers(r, val);
    r->hidden = hidden;
}

static void read_layers(reader *r, yyjson_val *owner) /* NOLINT(misc-no-recursion): bounded by the depth */
{
    yyjson_val *list = yyjson_obj_get(owner, "layers"), *val;
    size_t i, n;

    if (r->depth++ >= lvl_limits_of(r->map->ctx).depth) {
        set_status(r, lvl_refuse(r->map->ctx, LVL_LIMIT_DEPTH, lvl_limits_of(r->map->ctx).depth, 0));
        return;
    }
    yyjson_arr_foreach(list, i, n, val)
    {
        const lvl_text type = text_at(r, val, "type");
        if (r->status != LVL_OK)
            break;
        if (lvl_text_is(type, "group"))
            read_group(r, val);
        else
            read_layer(r, val, type);
    }
    r->depth--;
}

lvl_status tiled_read(tiled_map **out, const lvl_ctx *ctx, lvl_bytes bytes,
                      const lvl_tiled_read_options *options, lvl_findings *findings)
{
    reader r = {.map = tiled_map_new(ctx), .options = options, .findings = findings};

    *out = NULL;
    if (!r.map)
        return LVL_ERR_MEMORY;
    yyjson_doc *tree = read_tree(&r, "map", bytes);
    yyjson_val *root = yyjson_doc_get_root(tree), *infinite = yyjson_obj_get(root, "infinite");
    if (tree) {
        r.map->orientation = text_at(&r, root, "orientation");
        r.map->infinite = yyjson_is_true(infinite) || yyjson_equals_str(infinite, "1");
        r.map->width = uint_at(&r, root, "width");
        r.map->height = uint_at(&r, root, "height");
        r.map->tile_width = uint_at(&r, root, "tilewidth");
        r.map->tile_height = uint_at(&r, root, "tileheight");
        read_properties(&r, root, &r.map->properties);
        READ_EXTRAS(&r, root, map_extras, &r.map->unused);
        read_sets(&r, root);
        read_layers(&r, root);
    }
    yyjson_doc_free(tree);
    r.status = tiled_arena_status(&r.map->arena, r.status);
    if (r.status == LVL_OK)
        *out = r.map;
    else
        tiled_map_free(r.map);
    return r.status;
}
