/*
 * base/transfer.c: undoes and redoes the change of each LF to CR LF.
 */
#include "base/transfer.h"

#include "base/arena.h"

#include <string.h>

size_t lvl_transfer_lines(lvl_bytes bytes)
{
    size_t lines = 0;

    if (!bytes.len)
        return 0;
    const uint8_t *at = bytes.ptr, *const end = at + bytes.len;
    while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        if (at == bytes.ptr || at[-1] != '\r')
            return 0;
        lines++;
        at++;
    }
    return lines;
}

uint8_t *lvl_transfer_undo(const lvl_ctx *ctx, lvl_bytes bytes, size_t lines)
{
    const size_t len = bytes.len - lines;
    uint8_t *out = lvl_mem_alloc(ctx, len);
    const uint8_t *at = bytes.ptr;

    for (uint8_t *to = out; out && to < out + len;) {
        const uint8_t *lf = memchr(at, '\n', (size_t)(bytes.ptr + bytes.len - at));
        const size_t n = lf ? (size_t)(lf - 1 - at) : (size_t)(bytes.ptr + bytes.len - at);
        memcpy(to, at, n);
        to += n;
        if (lf)
            *to++ = '\n';
        at = lf ? lf + 1 : at + n;
    }
    return out;
}

void lvl_transfer_redo(lvl_buffer *out, size_t from)
{
    const size_t len = out->len;
    size_t lines = 0;

    if (out->status != LVL_OK)
        return;
    for (size_t i = from; i < len; i++)
        lines += out->data[i] == '\n';
    lvl_buffer_fill(out, 0, lines);
    if (out->status != LVL_OK || !lines)
        return;
    /* backwards, so that each byte moves once */
    uint8_t *to = out->data + out->len;
    for (size_t i = len; i-- > from;) {
        *--to = out->data[i];
        if (*to == '\n')
            *--to = '\r';
    }
}
