/*
 * codec/deflate_same.c: see codec/deflate_same.h.
 */
#include "codec/deflate_same.h"

#include <string.h>

enum { STRIDE = 1024 /* bytes that are compared at once */ };

static size_t common_end(lvl_bytes a, lvl_bytes b)
{
    const size_t most = a.len < b.len ? a.len : b.len;
    size_t n = 0;

    while (n + STRIDE <= most && !memcmp(a.ptr + a.len - n - STRIDE, b.ptr + b.len - n - STRIDE, STRIDE))
        n += STRIDE;
    while (n < most && a.ptr[a.len - n - 1] == b.ptr[b.len - n - 1])
        n++;
    return n;
}

void lvl_deflate_same_begin(lvl_deflate_same *same, lvl_bytes now, lvl_bytes was)
{
    same->now = now;
    same->was = was;
    same->shift = (int64_t)now.len - (int64_t)was.len;
    same->tail = same->shift ? now.len - common_end(now, was) : now.len;
    same->from = same->to = 0;
}

void lvl_deflate_same_next(lvl_deflate_same *same)
{
    const size_t limit = same->tail < same->was.len ? same->tail : same->was.len;
    const uint8_t *const now = same->now.ptr, *const was = same->was.ptr;
    size_t at = same->to;

    while (at < limit && now[at] != was[at])
        at++;
    same->from = at;
    while (at + STRIDE <= limit && !memcmp(now + at, was + at, STRIDE))
        at += STRIDE;
    while (at < limit && now[at] == was[at])
        at++;
    same->to = at;
    if (same->from >= limit) {
        same->from = same->tail;
        same->to = same->now.len;
    }
}
