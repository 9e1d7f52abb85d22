/*
 * graal/world/world.c: the levels of a map, each once: lists, finds and reads them.
 */
#include "graal/world/world.h"

#include "base/search.h"
#include "base/text.h"
#include "base/work.h"
#include "graal/world/gmap_internal.h"
#include "scene/art.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    const lvl_world_level *p = a, *q = b;
    const int order = lvl_text_compare_nocase(p->name, q->name);

    if (order)
        return order;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return p->x < q->x ? -1 : p->x > q->x;
}

/* The names of all cells, sorted. */
static lvl_status list_names(lvl_world *w)
{
    const lvl_gmap *map = w->map;

    w->levels = lvl_arena_array(&w->arena, (size_t)w->width * w->height, sizeof *w->levels);
    if (!w->levels)
        return LVL_ERR_MEMORY;
    for (uint32_t y = 0; y < map->row_count; y++) {
        for (uint32_t x = 0; x < map->rows[y].name_count; x++) {
            if (map->rows[y].names[x].len)
                w->levels[w->level_count++] = (lvl_world_level){map->rows[y].names[x], x, y};
        }
    }
    if (w->level_count)
        qsort(w->levels, w->level_count, sizeof *w->levels, by_name);
    return LVL_OK;
}

lvl_status lvl_world_open(lvl_world *w, const lvl_doc *doc, const lvl_art *art)
{
    const lvl_gmap *map = doc->root;
    uint32_t count = 0;

    *w = (lvl_world){
        .doc = doc, .map = map, .art = art, .width = lvl_gmap_width(map), .height = map->row_count};
    lvl_arena_init(&w->arena, doc->ctx);
    if ((uint64_t)w->width * w->height > LVL_WORLD_PLACES)
        return lvl_refuse_fixed(doc->ctx, "cells of a map whose levels are looked for", LVL_WORLD_PLACES,
                                (uint64_t)w->width * w->height);
    w->grid = lvl_arena_array(&w->arena, (size_t)w->width * w->height, sizeof *w->grid);
    const lvl_status status = w->grid ? list_names(w) : LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < w->level_count && status == LVL_OK; i++) {
        const lvl_world_level level = w->levels[i];
        if (!count || lvl_text_compare_nocase(level.name, w->levels[count - 1].name) != 0)
            w->levels[count++] = level;
        w->grid[(size_t)level.y * w->width + level.x] = count;
    }
    w->level_count = count;
    return status;
}

void lvl_world_close(lvl_world *w)
{
    lvl_arena_free(&w->arena);
}

const lvl_world_level *lvl_world_find(const lvl_world *w, lvl_text name)
{
    size_t at;

    LVL_LOWER_BOUND(at, w->level_count, lvl_text_compare_nocase(w->levels[at].name, name) < 0);
    return at < w->level_count && lvl_text_compare_nocase(w->levels[at].name, name) == 0 ? &w->levels[at]
                                                                                         : NULL;
}

const lvl_world_level *lvl_world_at(const lvl_world *w, int64_t x, int64_t y)
{
    if (x < 0 || y < 0 || x >= w->width || y >= w->height)
        return NULL;
    const uint32_t index = w->grid[(size_t)y * w->width + (size_t)x];
    return index ? &w->levels[index - 1] : NULL;
}

bool lvl_world_file_name(const lvl_doc *doc, lvl_text name, char out[LVL_GRAAL_NAME])
{
    return lvl_graal_is_plain_name(name) && lvl_graal_file_name(doc->codepage, name, out);
}

lvl_status lvl_world_read(const lvl_world *w, lvl_text name, lvl_buffer *bytes, lvl_doc **out)
{
    char file[LVL_GRAAL_NAME];

    *out = NULL;
    bytes->len = 0;
    if (!w->art || !lvl_world_file_name(w->doc, name, file))
        return LVL_ERR_MISSING;
    lvl_status status = lvl_art_read_named(w->art, file, bytes);
    if (status != LVL_OK)
        return status;
    status =
        lvl_read(out, w->doc->ctx, NULL, (lvl_bytes){bytes->data, bytes->len}, file, LVL_READ_BORROW, NULL);
    if (status == LVL_OK && (*out)->format->table != &lvl_graal_table) {
        lvl_doc_free(*out);
        *out = NULL;
        status = LVL_ERR_FOREIGN;
    }
    return status;
}
