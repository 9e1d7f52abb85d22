/*
 * sketchy/model/member_names.c: names of zip members in drawings and packs.
 */
#include "sketchy/model/member_names.h"

#include "base/text.h"
#include "sketchy/model/names.h"

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

static const char chunk_folder[] = LVL_CHUNK_FOLDER;

void lvl_sketchy_put_chunk_name(lvl_buffer *out, uint32_t layer, lvl_text key, bool binary)
{
    lvl_buffer_printf(out, "%s%lu/", chunk_folder, (unsigned long)layer);
    lvl_buffer_add(out, key.ptr, key.len);
    lvl_buffer_str(out, binary ? ".bin" : ".json");
}

/* Parses "chunks/07/", in any case: the number, and the rest of the path. */
static bool take_layer(lvl_text path, uint32_t *layer, lvl_text *rest)
{
    const size_t first = sizeof chunk_folder - 1;
    size_t i = first;
    uint64_t n = 0;

    if (!lvl_text_begins_nocase(path, chunk_folder))
        return false;
    for (; i < path.len && lvl_is_digit(path.ptr[i]); i++)
        n = n < UINT32_MAX ? n * 10 + (uint64_t)(path.ptr[i] - '0') : n;
    if (i == first || i == path.len || path.ptr[i] != '/' || n >= UINT32_MAX)
        return false;
    *layer = (uint32_t)n;
    *rest = (lvl_text){path.ptr + i + 1, path.len - i - 1};
    return true;
}

/* Removes ".bin" or ".json" from the end of a name, in any case; *exact: that and the folder are spelled as
 * the game does. */
static bool take_ending(lvl_text path, lvl_text *rest, bool *binary, bool *exact)
{
    *binary = lvl_text_has_ending(*rest, ".bin");
    if (!*binary && !lvl_text_has_ending(*rest, ".json"))
        return false;
    const size_t n = *binary ? 4 : 5;
    rest->len -= n;
    *exact =
        lvl_text_begins(path, chunk_folder) && !memcmp(rest->ptr + rest->len, *binary ? ".bin" : ".json", n);
    return true;
}

bool lvl_sketchy_chunk_name(lvl_text name, uint32_t *layer, lvl_text *key, bool *binary)
{
    const size_t first = sizeof chunk_folder - 1;
    int32_t x, y;
    bool exact;

    return take_layer(name, layer, key) && take_ending(name, key, binary, &exact) && exact &&
           (name.ptr[first] != '0' || name.ptr[first + 1] == '/') && lvl_sketchy_key(*key, &x, &y);
}

/* On saving the game looks for chunks by the pattern ^chunks/(\d+)/(.+?)\.(bin|json)$, and fails if the
 * middle is not two numbers. */
lvl_chunk_name lvl_sketchy_name_kind(lvl_text path, uint32_t layers, uint32_t *layer, int32_t *x, int32_t *y,
                                     bool *binary)
{
    lvl_text rest;
    bool exact;

    if (!take_layer(path, layer, &rest) || *layer >= layers || !take_ending(path, &rest, binary, &exact))
        return LVL_NAME_OTHER;
    if (lvl_sketchy_key(rest, x, y))
        return lvl_sketchy_chunk_name(path, layer, &rest, binary) ? LVL_NAME_CHUNK : LVL_NAME_ALIAS;
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
