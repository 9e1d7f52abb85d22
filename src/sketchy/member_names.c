/*
 * sketchy/member_names.c: what members of drawings and packs are called.
 */
#include "sketchy/members.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

const char *lvl_sketchy_document_name(uint8_t kind)
{
    return kind == LVL_SKETCHY_DOODAD ? "doodad.json" : "level.json";
}

bool lvl_sketchy_is_document(lvl_text name)
{
    return lvl_text_is(name, lvl_sketchy_document_name(LVL_SKETCHY_LEVEL)) ||
           lvl_text_is(name, lvl_sketchy_document_name(LVL_SKETCHY_DOODAD));
}

bool lvl_sketchy_chunk_name(lvl_text name, uint32_t *layer, lvl_text *key, bool *binary)
{
    static const char folder[] = "chunks/";
    const size_t head = sizeof folder - 1;
    size_t i = head;
    uint64_t n = 0;

    if (name.len < head + 8 || memcmp(name.ptr, folder, head) != 0)
        return false;
    while (i < name.len && name.ptr[i] >= '0' && name.ptr[i] <= '9' && i - head < 9)
        n = n * 10 + (uint64_t)(name.ptr[i++] - '0');
    if (i == head || i == name.len || name.ptr[i] != '/' || (name.ptr[head] == '0' && i > head + 1))
        return false;
    const lvl_text rest = {name.ptr + i + 1, name.len - i - 1};
    size_t dot = rest.len;
    while (dot > 0 && rest.ptr[dot - 1] != '.')
        dot--;
    if (!dot)
        return false;
    const lvl_text ending = {rest.ptr + dot, rest.len - dot};
    *binary = lvl_text_is(ending, "bin");
    if (!*binary && !lvl_text_is(ending, "json"))
        return false;
    *layer = (uint32_t)n;
    *key = (lvl_text){rest.ptr, dot - 1};
    int32_t x, y;
    return lvl_sketchy_key(*key, &x, &y);
}

/* "chunks/07/", in any case: the number, and what follows. */
static bool take_layer(lvl_text path, uint32_t *layer, lvl_text *rest)
{
    static const char folder[] = "chunks/";
    const size_t first = sizeof folder - 1;
    size_t i = first;
    uint64_t n = 0;

    if (!lvl_text_begins_nocase(path, folder))
        return false;
    for (; i < path.len && lvl_is_digit(path.ptr[i]); i++)
        n = n < UINT32_MAX ? n * 10 + (uint64_t)(path.ptr[i] - '0') : n;
    if (i == first || i == path.len || path.ptr[i] != '/' || n >= UINT32_MAX)
        return false;
    *layer = (uint32_t)n;
    *rest = (lvl_text){path.ptr + i + 1, path.len - i - 1};
    return true;
}

/* The game finds what it copies on saving by the pattern ^chunks/(\d+)/(.+?)\.(bin|json)$, and gives up where
 * the middle isn't two numbers. */
lvl_chunk_name lvl_sketchy_name_kind(lvl_text path, uint32_t layers, uint32_t *layer, int32_t *x, int32_t *y,
                                     bool *binary)
{
    lvl_text rest, key;

    if (!take_layer(path, layer, &rest) || *layer >= layers)
        return LVL_NAME_OTHER;
    *binary = lvl_text_has_ending(rest, ".bin");
    if (!*binary && !lvl_text_has_ending(rest, ".json"))
        return LVL_NAME_OTHER;
    const size_t ending = *binary ? 4 : 5;
    if (lvl_sketchy_key((lvl_text){rest.ptr, rest.len - ending}, x, y)) {
        uint32_t number;
        return lvl_sketchy_chunk_name(path, &number, &key, binary) ? LVL_NAME_CHUNK : LVL_NAME_ALIAS;
    }
    const bool exact = rest.len > ending && !memcmp(path.ptr, "chunks", 6) &&
                       !memcmp(rest.ptr + rest.len - ending, *binary ? ".bin" : ".json", ending);
    return exact ? LVL_NAME_NO_CHUNK : LVL_NAME_OTHER;
}

bool lvl_sketchy_leads_out(lvl_text path)
{
    size_t from = 0;

    if (!path.len || path.ptr[0] == '/' || memchr(path.ptr, '\\', path.len) ||
        memchr(path.ptr, 0, path.len) || (path.len > 1 && path.ptr[1] == ':'))
        return true;
    for (size_t i = 0; i <= path.len; i++) {
        if (i < path.len && path.ptr[i] != '/')
            continue;
        if (i - from == 2 && path.ptr[from] == '.' && path.ptr[from + 1] == '.')
            return true;
        from = i + 1;
    }
    return false;
}

lvl_text lvl_sketchy_plain_key(char *buf, int32_t x, int32_t y)
{
    const int n = snprintf(buf, 32, "%ld,%ld", (long)x, (long)y);

    return (lvl_text){buf, n > 0 ? (size_t)n : 0};
}

lvl_text lvl_sketchy_generation_mark(uint8_t generation)
{
    return lvl_text_of(generation == LVL_SKETCHY_V3 ? "drawing of v3" : "drawing of v4");
}
