/*
 * os/memory.c: see memory.h.
 */
#include "os/memory.h"

#include <stdlib.h>
#include <string.h>

void lvl_buffer_free(lvl_buffer *buf)
{
    if (!buf)
        return;
    free(buf->data);
    memset(buf, 0, sizeof *buf);
}

bool lvl_buffer_reserve(lvl_buffer *buf, size_t more)
{
    if (buf->status != LVL_OK)
        return false;
    if (more > SIZE_MAX - buf->len) {
        buf->status = LVL_ERR_MEMORY;
        return false;
    }
    const size_t need = buf->len + more;
    if (buf->max && need > buf->max) {
        buf->status = LVL_ERR_LIMIT;
        return false;
    }
    if (need <= buf->cap)
        return true;
    size_t cap = buf->cap < 256 ? 256 : buf->cap;
    while (cap < need)
        cap = cap > SIZE_MAX / 2 ? need : cap * 2;
    uint8_t *data = realloc(buf->data, cap);
    if (!data) {
        buf->status = LVL_ERR_MEMORY;
        return false;
    }
    buf->data = data;
    buf->cap = cap;
    return true;
}

bool lvl_grow(void *list, size_t *cap, size_t need, size_t item_size)
{
    void *items;

    if (need <= *cap)
        return true;
    size_t more = *cap < 16 ? 16 : *cap;
    while (more < need)
        more = more > SIZE_MAX / 2 ? need : more * 2;
    memcpy(&items, list, sizeof items);
    items = more <= SIZE_MAX / item_size ? realloc(items, more * item_size) : NULL;
    if (!items)
        return false;
    memcpy(list, &items, sizeof items);
    *cap = more;
    return true;
}

char *lvl_text_copy(lvl_text text)
{
    char *copy = malloc(text.len + 1);

    if (!copy)
        return NULL;
    if (text.len)
        memcpy(copy, text.ptr, text.len);
    copy[text.len] = 0;
    return copy;
}
