/*
 * tiled/map.c: memory, lists, properties and numbers of a map.
 */
#include "base/work.h"
#include "tiled/map.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

tiled_map *tiled_map_new(const lvl_ctx *ctx)
{
    tiled_map *map = lvl_mem_alloc(ctx, sizeof *map);

    if (!map)
        return NULL;
    memset(map, 0, sizeof *map);
    lvl_arena_init(&map->arena, ctx);
    map->arena.max = lvl_memory_share(ctx);
    map->ctx = ctx;
    return map;
}

void tiled_map_free(tiled_map *map)
{
    if (!map)
        return;
    lvl_arena_free(&map->arena);
    lvl_mem_free(map->ctx, map);
}

void *tiled_push(lvl_arena *arena, void *items, uint32_t *count, uint32_t *cap, size_t size)
{
    uint8_t *list;

    memcpy(&list, items, sizeof list);
    if (*count == *cap) {
        const uint32_t capacity = *cap ? *cap * 2 : 4;
        uint8_t *more = *cap < UINT32_MAX / 2 ? lvl_arena_array(arena, capacity, size) : NULL;
        if (!more) {
            arena->failed = true;
            return NULL;
        }
        if (*count)
            memcpy(more, list, *count * size);
        list = more;
        memcpy(items, &list, sizeof list);
        *cap = capacity;
    }
    return list + size * (*count)++;
}

lvl_text tiled_copy(lvl_arena *arena, lvl_text text)
{
    char *copy = lvl_arena_raw(arena, text.len + 1);

    if (!copy)
        return (lvl_text){"", 0};
    if (text.len)
        memcpy(copy, text.ptr, text.len);
    copy[text.len] = 0;
    return (lvl_text){copy, text.len};
}

lvl_text tiled_printf(lvl_arena *arena, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    const int len = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    char *text = lvl_arena_raw(arena, (size_t)len + 1);
    if (!text)
        return (lvl_text){"", 0};
    va_start(args, fmt);
    vsnprintf(text, (size_t)len + 1, fmt, args);
    va_end(args);
    return (lvl_text){text, (size_t)len};
}

const tiled_property *tiled_find(const tiled_properties *properties, lvl_text name)
{
    for (uint32_t i = properties->count; i--;) {
        if (lvl_text_equal(properties->items[i].name, name))
            return &properties->items[i];
    }
    return NULL;
}

tiled_property *tiled_add(lvl_arena *arena, tiled_properties *to, lvl_text name, const char *type,
                          lvl_text value)
{
    tiled_property *p = TILED_PUSH(arena, to);

    if (p)
        *p = (tiled_property){name, lvl_text_of(type), value, NULL};
    return p;
}

const char *tiled_digits(char buf[TILED_DIGITS], int64_t value)
{
    char *const end = buf + TILED_DIGITS - 1;

    *end = 0;
    char *at = lvl_digits_before(end, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
    if (value < 0)
        *--at = '-';
    return at;
}

const char *tiled_number(char buf[32], double value)
{
    if (value > 0 && value < 1e6 && value == (double)(uint32_t)value) /* the usual case, without snprintf */
        return tiled_digits(buf, (uint32_t)value);
    snprintf(buf, 32, "%.6g", value);
    for (char *c = buf; *c; c++) {
        if (*c == ',') /* decimal sign of some locales */
            *c = '.';
    }
    return buf;
}
