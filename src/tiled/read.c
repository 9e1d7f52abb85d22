/*
 * tiled/read.c: maps, tilesets and templates, whichever kind of file they come in.
 */
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

lvl_status tiled_read_set(tiled_map *map, tiled_set *set, const lvl_tiled_read_options *options,
                          lvl_findings *findings)
{
    lvl_buffer file = {.max = lvl_memory_share(map->ctx)};
    lvl_status status = LVL_ERR_MISSING;

    if (options && options->fetch)
        status = options->fetch(options->user, set->source.ptr, &file);
    if (status == LVL_OK)
        status = file.status;
    const lvl_bytes bytes = {file.data, file.len};
    if (status == LVL_OK)
        status = is_json(bytes) ? tiled_read_tsj(map, set, bytes, findings)
                                : tiled_read_tsx(map, set, bytes, findings);
    lvl_buffer_free(&file);
    /* only a cell or object that uses it makes a missing set an error */
    return status == LVL_ERR_MISSING || status == LVL_ERR_IO ? LVL_OK : status;
}

/* The tileset of a template, whose name is as seen from the template, among those of the map. Its gids lie
 * above all that a map uses. */
static lvl_status add_template_set(tiled_map *map, tiled_template *t, tiled_set *set,
                                   const lvl_tiled_read_options *options, lvl_findings *findings)
{
    enum { FIRST = 1 << 27, STEP = 1 << 16, MOST = 1024 };
    const uint32_t id = (t->object.gid & ~TILED_FLIPS) - set->first;
    size_t folder = t->source.len;

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
    *to = (tiled_set){.first = FIRST + map->template_count % MOST * STEP,
                      .source = {name, folder + set->source.len}};
    t->object.gid = (t->object.gid & TILED_FLIPS) | (to->first + id % STEP);
    return tiled_read_set(map, to, options, findings);
}

static lvl_status load_template(tiled_map *map, tiled_template *t, const lvl_tiled_read_options *options,
                                lvl_findings *findings)
{
    lvl_buffer file = {.max = lvl_memory_share(map->ctx)};
    lvl_status status = LVL_ERR_MISSING;
    tiled_set set = {0};

    if (options && options->fetch)
        status = options->fetch(options->user, t->source.ptr, &file);
    if (status == LVL_OK)
        status = file.status;
    const lvl_bytes bytes = {file.data, file.len};
    if (status == LVL_OK)
        status = is_json(bytes) ? tiled_read_tj(map, &t->object, &set, bytes, findings)
                                : tiled_read_tx(map, &t->object, &set, bytes, findings);
    lvl_buffer_free(&file);
    t->found = status == LVL_OK;
    if (t->found && t->object.gid && set.source.len)
        status = add_template_set(map, t, &set, options, findings);
    return status == LVL_ERR_MISSING || status == LVL_ERR_IO ? LVL_OK : status;
}

lvl_status tiled_read_template(tiled_map *map, tiled_object *object, lvl_text source,
                               const lvl_tiled_read_options *options, lvl_findings *findings)
{
    tiled_template *t = NULL;

    const lvl_status work = lvl_charge(map->ctx, map->template_count);
    if (work != LVL_OK)
        return work;
    for (uint32_t i = 0; i < map->template_count && !t; i++) {
        if (lvl_text_equal(map->templates[i].source, source))
            t = &map->templates[i];
    }
    if (!t) {
        t = tiled_push(&map->arena, &map->templates, &map->template_count, &map->template_cap, sizeof *t);
        if (!t)
            return LVL_ERR_MEMORY;
        t->source = source;
        const lvl_status status = load_template(map, t, options, findings);
        if (status != LVL_OK)
            return status;
    }
    *object = t->object;
    object->source = t->found ? (lvl_text){NULL, 0} : source;
    const tiled_properties *p = &t->object.properties; /* those of the object itself follow, and count */
    object->properties = (tiled_properties){NULL, 0, 0};
    for (uint32_t i = 0; i < p->count; i++) {
        tiled_property *to = tiled_push(&map->arena, &object->properties.items, &object->properties.count,
                                        &object->properties.cap, sizeof *to);
        if (!to)
            return LVL_ERR_MEMORY;
        *to = p->items[i];
    }
    return LVL_OK;
}

lvl_status tiled_read(tiled_map **out, const lvl_ctx *ctx, lvl_bytes bytes,
                      const lvl_tiled_read_options *options, lvl_findings *findings)
{
    tiled_map *map = tiled_map_new(ctx);

    *out = NULL;
    if (!map)
        return LVL_ERR_MEMORY;
    const lvl_status status = is_json(bytes) ? tiled_read_tmj(map, bytes, options, findings)
                                             : tiled_read_tmx(map, bytes, options, findings);
    if (status != LVL_OK) {
        tiled_map_free(map);
        return status;
    }
    *out = map;
    return LVL_OK;
}
