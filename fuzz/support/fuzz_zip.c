/*
 * support/fuzz_zip.c: see support/fuzz_zip.h.
 */
#include "fuzz_zip.h"

#include "codec/deflate.h"
#include "codec/inflate.h"
#include "container/zip.h"
#include "fuzz_format.h"
#include "base/buffer.h"

#include <string.h>

enum { MAX_INNER = 1 << 16, DEEPEST = 3 };

static unsigned next(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void mutate_any(lvl_buffer *bytes, unsigned *seed, unsigned depth);

static void mutate_plain(lvl_buffer *bytes)
{
    if (bytes->len > MAX_INNER || !lvl_buffer_reserve(bytes, 256))
        return;
    const size_t room = bytes->cap < MAX_INNER ? bytes->cap : MAX_INNER;
    bytes->len = LLVMFuzzerMutate(bytes->data, bytes->len, room);
}

static void put_changed(lvl_zip_writer *w, const lvl_ctx *ctx, const lvl_zip_member *m, unsigned *seed,
                        unsigned depth)
{
    lvl_buffer storage = {0}, inner = {0};
    lvl_bytes bytes;

    if (lvl_zip_inflate(ctx, m, &storage, &bytes, NULL) == LVL_OK)
        lvl_buffer_add(&inner, bytes.ptr, bytes.len);
    mutate_any(&inner, seed, depth + 1);
    lvl_zip_put_new(w, m->name, (lvl_bytes){inner.data, inner.len});
    lvl_buffer_free(&storage);
    lvl_buffer_free(&inner);
}

/* Changes one member: its content, its name, its place, its headers; or removes or duplicates it. */
static bool mutate_zip(lvl_buffer *bytes, unsigned *seed, unsigned depth)
{
    lvl_buffer out = {0}, name = {0};
    lvl_zip_writer w;
    lvl_arena arena;
    lvl_ctx ctx;
    lvl_zip zip;

    lvl_ctx_init(&ctx);
    ctx.limits.memory_bytes = 1 << 20;
    lvl_arena_init(&arena, &ctx);
    bool good = lvl_zip_probe((lvl_bytes){bytes->data, bytes->len}) &&
                lvl_zip_read(&arena, &ctx, (lvl_bytes){bytes->data, bytes->len}, &zip) == LVL_OK && zip.count;
    if (good) {
        const uint32_t which = next(seed) % zip.count, how = next(seed) % 16, other = next(seed) % zip.count;
        lvl_zip_begin(&w, NULL, &out);
        for (uint32_t i = 0; i < zip.count; i++) {
            const lvl_zip_member *m = &zip.members[i];
            if (i != which) {
                lvl_zip_put_member(&w, m);
            } else if (how < 10) {
                put_changed(&w, &ctx, m, seed, depth);
            } else if (how == 10) { /* the name of another member, or a similar one */
                lvl_buffer_add(&name, zip.members[other].name.ptr, zip.members[other].name.len);
                if (next(seed) % 2)
                    mutate_plain(&name);
                if (name.len > 2000)
                    name.len = 2000;
                lvl_zip_put_parts(&w, (lvl_text){(const char *)name.data, name.len}, m->packed, m->crc,
                                  m->size, (lvl_bytes){0}, (lvl_bytes){0}, (lvl_bytes){0});
            } else if (how == 11) { /* wrong values */
                lvl_zip_put_parts(&w, m->name, m->packed, m->crc ^ (next(seed) % 2),
                                  next(seed) % 3 ? m->size + next(seed) % 3 - 1 : (uint64_t)next(seed) << 20,
                                  m->local, (lvl_bytes){0}, m->central);
            } else if (how == 12) { /* twice */
                lvl_zip_put_member(&w, m);
                put_changed(&w, &ctx, m, seed, depth);
            } else if (how == 13) { /* the content of another member */
                lvl_zip_put_parts(&w, m->name, zip.members[other].packed, zip.members[other].crc,
                                  zip.members[other].size, (lvl_bytes){0}, (lvl_bytes){0}, (lvl_bytes){0});
            } else if (how == 14) { /* bytes that belong to nothing */
                lvl_zip_put_raw(&w, (lvl_bytes){m->packed.ptr, m->packed.len < 9 ? m->packed.len : 9});
                lvl_zip_put_member(&w, m);
            } /* 15: removed */
        }
        good = lvl_zip_end(&w, &zip) == LVL_OK && out.len;
    }
    lvl_arena_free(&arena);
    lvl_buffer_free(&name);
    if (good) {
        lvl_buffer_free(bytes);
        *bytes = out;
    } else {
        lvl_buffer_free(&out);
    }
    return good;
}

static bool mutate_gzip(lvl_buffer *bytes, unsigned *seed, unsigned depth)
{
    lvl_inflate_report report;
    lvl_buffer inner = {0}, out = {0};

    bool good = bytes->len > 2 && bytes->data[0] == 0x1F && bytes->data[1] == 0x8B &&
                lvl_inflate_salvage(&(lvl_work){.left = UINT64_MAX}, LVL_WRAP_GZIP,
                                    (lvl_bytes){bytes->data, bytes->len}, &inner, 1 << 20, &report) == LVL_OK;
    if (good) {
        mutate_any(&inner, seed, depth + 1);
        good = lvl_deflate(LVL_WRAP_GZIP, (lvl_bytes){inner.data, inner.len}, &out) == LVL_OK;
    }
    lvl_buffer_free(&inner);
    if (good) {
        lvl_buffer_free(bytes);
        *bytes = out;
    } else {
        lvl_buffer_free(&out);
    }
    return good;
}

static void mutate_any(lvl_buffer *bytes, unsigned *seed, unsigned depth)
{
    if (depth < DEEPEST && next(seed) % 8 &&
        (mutate_zip(bytes, seed, depth) || mutate_gzip(bytes, seed, depth)))
        return;
    mutate_plain(bytes);
}

size_t lvl_fuzz_mutate_zip(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    lvl_buffer bytes = {0};
    size_t len = 0;

    lvl_buffer_add(&bytes, data, size);
    mutate_any(&bytes, &seed, 0);
    if (bytes.status == LVL_OK && bytes.len && bytes.len <= max_size) {
        memcpy(data, bytes.data, bytes.len);
        len = bytes.len;
    }
    lvl_buffer_free(&bytes);
    return len ? len : LLVMFuzzerMutate(data, size, max_size);
}
