/*
 * tiled/read.c: maps, tilesets and templates, whichever kind of file they come in.
 */
#include "base/text.h"
#include "base/work.h"
#include "tiled/map.h"

static bool is_json(lvl_bytes bytes)
{
    size_t i = 0;

    while (i < bytes.len &&
           (bytes.ptr[i] == ' ' || bytes.ptr[i] == '\n' || bytes.ptr[i] == '\r' || bytes.ptr[i] == '\t'))
        i++;
    return i < bytes.len && bytes.ptr[i] == '{';
}

static bool has(lvl_bytes bytes, const char *word)
{
    const size_t len = strlen(word);

    for (size_t i = 0; i + len <= bytes.len; i++) {
        if (bytes.ptr[i] == (uint8_t)word[0] && memcmp(bytes.ptr + i, word, len) == 0)
            return true;
    }
    return false;
}

bool lvl_tiled_is_map(lvl_bytes bytes)
{
    enum { HEAD = 4096 };
    const lvl_bytes head = {bytes.ptr, bytes.len < HEAD ? bytes.len : HEAD};

    if (!is_json(bytes))
        return has(head, "<map ") && has(head, "orientation=");
    /* Tiled sorts keys: what says so may come at the end */
    const lvl_bytes tail = {bytes.ptr + (bytes.len - head.len), head.len};
    return !has(head, "\"lvl\":") && (has(head, "\"type\":\"map\"") || has(tail, "\"type\":\"map\"") ||
                                      (has(head, "\"tilewidth\"") && has(head, "\"layers\"")));
}

/* A file that a map names, of either kind; LVL_ERR_MISSING: there is none. */
static lvl_status fetch(tiled_map *map, const lvl_tiled_read_options *options, lvl_text name,
                        lvl_buffer *file)
{
    *file = (lvl_buffer){.max = lvl_memory_share(map->ctx)};
    if (!options || !options->fetch)
        return LVL_ERR_MISSING;
    const lvl_status status = options->fetch(options->user, name.ptr, file);
    return status == LVL_ERR_IO ? LVL_ERR_MISSING : status == LVL_OK ? file->status : status;
}

/* The finding that came with LVL_ERR_FORMAT says where in the file; this says which file. */
static lvl_status in_file(lvl_status status, lvl_text name, lvl_findings *findings)
{
    char buf[80];

    if (status == LVL_ERR_FORMAT)
        lvl_findings_add(findings, &lvl_faults[LVL_FAULT_MAP], NULL, NULL,
                         "that is in %s, which the map names", lvl_show(buf, name));
    return status;
}

/* Only a cell or object that uses it makes a missing set an error. */
static lvl_status read_set(tiled_map *map, tiled_set *set, const lvl_tiled_read_options *options,
                           lvl_findings *findings)
{
    lvl_buffer file;

    lvl_status status = fetch(map, options, set->source, &file);
    const lvl_bytes bytes = {file.data, file.len};
    if (status == LVL_OK)
        status = in_file(is_json(bytes) ? tiled_read_tsj(map, set, bytes, findings)
                                        : tiled_read_tsx(map, set, bytes, findings),
                         set->source, findings);
    lvl_buffer_free(&file);
    if (status == LVL_OK)
        set->source = (lvl_text){NULL, 0};
    return status == LVL_ERR_MISSING ? LVL_OK : status;
}

/* The tileset of a template, whose name is as seen from the template, among those of the map. Its gids lie
 * above all that a map uses. */
static lvl_status add_template_set(tiled_map *map, tiled_template *t, tiled_set *set,
                                   const lvl_tiled_read_options *options, lvl_findings *findings)
{
    enum { FIRST = 1 << 27, STEP = 1 << 16, MOST = 1023 };
    const uint32_t id = (t->object.gid & ~TILED_FLIPS) - set->first;
    size_t folder = t->source.len;
    char buf[80];

    if (id >= STEP || map->template_count > MOST) {
        lvl_findings_add(
            findings, &lvl_faults[LVL_FAULT_MAP], NULL, NULL,
            "template %s: expected a tile below %lu and at most %lu templates, found tile %lu of "
            "template %lu; replace the object by a plain one",
            lvl_show(buf, t->source), (unsigned long)STEP, (unsigned long)MOST, (unsigned long)id,
            (unsigned long)map->template_count);
        return LVL_ERR_FORMAT;
    }
    while (folder && t->source.ptr[folder - 1] != '/')
        folder--;
    char *name = lvl_arena_raw(&map->arena, folder + set->source.len + 1);
    tiled_set *to =
        name ? tiled_push(&map->arena, &map->sets, &map->set_count, &map->set_cap, sizeof *to) : NULL;
    if (!to)
        return LVL_ERR_MEMORY;
    memcpy(name, t->source.ptr, folder);
    memcpy(name + folder, set->source.ptr, set->source.len);
    name[folder + set->source.len] = 0;
    *to =
        (tiled_set){.first = FIRST + map->template_count * STEP, .source = {name, folder + set->source.len}};
    t->object.gid = (t->object.gid & TILED_FLIPS) | (to->first + id);
    return read_set(map, to, options, findings);
}

static lvl_status read_template(tiled_map *map, tiled_template *t, const lvl_tiled_read_options *options,
                                lvl_findings *findings)
{
    tiled_set set = {0};
    lvl_buffer file;

    lvl_status status = fetch(map, options, t->source, &file);
    const lvl_bytes bytes = {file.data, file.len};
    if (status == LVL_OK)
        status = in_file(is_json(bytes) ? tiled_read_tj(map, &t->object, &set, bytes, findings)
                                        : tiled_read_tx(map, &t->object, &set, bytes, findings),
                         t->source, findings);
    lvl_buffer_free(&file);
    t->found = status == LVL_OK && !t->object.source.len; /* not one that is an instance itself */
    if (t->found && t->object.gid && set.source.len)
        status = add_template_set(map, t, &set, options, findings);
    return status == LVL_ERR_MISSING ? LVL_OK : status;
}

/* Gives an object what it does not say itself. */
static lvl_status take_template(tiled_map *map, tiled_object *o, const tiled_template *t)
{
    const tiled_object own = *o;

    *o = t->object;
    o->id = own.id;
    o->x = own.x;
    o->y = own.y;
    if (own.says & TILED_OBJECT_GID)
        o->gid = own.gid;
    if (own.says & TILED_OBJECT_NAME)
        o->name = own.name;
    if (own.says & TILED_OBJECT_TYPE)
        o->type = own.type;
    if (own.says & TILED_OBJECT_WIDTH)
        o->width = own.width;
    if (own.says & TILED_OBJECT_HEIGHT)
        o->height = own.height;
    if (own.says & TILED_OBJECT_ROTATION)
        o->rotation = own.rotation;
    o->properties = (tiled_properties){NULL, 0, 0};
    for (int k = 0; k < 2; k++) { /* of one name the last counts */
        const tiled_properties *from = k ? &own.properties : &t->object.properties;
        for (uint32_t i = 0; i < from->count; i++) {
            const tiled_property *p = &from->items[i];
            if (!tiled_add(&map->arena, &o->properties, p->name, p->type.ptr ? p->type.ptr : "", p->value))
                return LVL_ERR_MEMORY;
        }
    }
    return LVL_OK;
}

static lvl_status use_template(tiled_map *map, tiled_object *o, const lvl_tiled_read_options *options,
                               lvl_findings *findings)
{
    tiled_template *t = NULL;

    lvl_status status = lvl_charge(map->ctx, map->template_count);
    for (uint32_t i = 0; i < map->template_count && !t; i++) {
        if (lvl_text_equal(map->templates[i].source, o->source))
            t = &map->templates[i];
    }
    if (!t && status == LVL_OK) {
        t = tiled_push(&map->arena, &map->templates, &map->template_count, &map->template_cap, sizeof *t);
        if (!t)
            return LVL_ERR_MEMORY;
        t->source = o->source;
        status = read_template(map, t, options, findings);
    }
    return status == LVL_OK && t->found ? take_template(map, o, t) : status;
}

/* What lies in files of its own. */
static lvl_status read_others(tiled_map *map, const lvl_tiled_read_options *options, lvl_findings *findings)
{
    const uint32_t sets = map->set_count;
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < sets && status == LVL_OK; i++) {
        if (map->sets[i].source.len)
            status = read_set(map, &map->sets[i], options, findings);
    }
    for (uint32_t i = 0; i < map->layer_count && status == LVL_OK; i++) {
        const tiled_layer *layer = &map->layers[i];
        for (uint32_t k = 0; k < layer->object_count && status == LVL_OK; k++) {
            if (layer->objects[k].source.len)
                status = use_template(map, &layer->objects[k], options, findings);
        }
    }
    return lvl_arena_status(&map->arena, status);
}

lvl_status tiled_read(tiled_map **out, const lvl_ctx *ctx, lvl_bytes bytes,
                      const lvl_tiled_read_options *options, lvl_findings *findings)
{
    tiled_map *map = tiled_map_new(ctx);

    *out = NULL;
    if (!map)
        return LVL_ERR_MEMORY;
    lvl_status status =
        is_json(bytes) ? tiled_read_tmj(map, bytes, findings) : tiled_read_tmx(map, bytes, findings);
    if (status == LVL_OK)
        status = read_others(map, options, findings);
    if (status != LVL_OK) {
        tiled_map_free(map);
        return status;
    }
    *out = map;
    return LVL_OK;
}
