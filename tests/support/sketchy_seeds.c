/*
 * support/sketchy_seeds.c: see sketchy_seeds.h.
 */
#include "sketchy_seeds.h"

#include "codec/deflate.h"
#include "codec/inflate.h"
#include "container/zip.h"
#include "sketchy_make.h"

#include <string.h>

const char *lvl_sketchy_seed_name(int seed)
{
    static const char *const names[] = {"v1", "v2", "v3", "v3.1", "v4", "base64", "doodad", "pack"};

    return names[seed];
}

bool lvl_sketchy_seed(int seed, lvl_buffer *out)
{
    lvl_doc *doc = NULL;
    lvl_ctx ctx;

    lvl_ctx_init(&ctx);
    if (seed <= LVL_SKETCHY_SEED_V4)
        doc = lvl_make_sketch(&ctx, (unsigned)seed);
    else if (seed == LVL_SKETCHY_SEED_DOODAD)
        doc = lvl_make_doodad(&ctx, LVL_SKETCHY_V3_1);
    else if (seed == LVL_SKETCHY_SEED_PACK)
        doc = lvl_make_pack(&ctx);
    else
        doc = lvl_make_sketch(&ctx, LVL_SKETCHY_V1);
    if (doc && seed == LVL_SKETCHY_SEED_BASE64) {
        lvl_sketchy *d = lvl_doc_root(doc);
        for (uint32_t i = 0; i < d->layers[0].chunk_count; i++)
            d->layers[0].chunks[i].encoding = LVL_SKETCHY_CHUNK_BASE64;
    }
    return lvl_make_file(doc, out);
}

/* ---- hooks ------------------------------------------------------------------------------------------- */

static bool is_document(lvl_text name)
{
    return lvl_text_is(name, "level.json") || lvl_text_is(name, "doodad.json") ||
           lvl_text_is(name, "index.json");
}

static bool open_zip(lvl_arena *arena, lvl_ctx *ctx, lvl_bytes file, lvl_zip *zip)
{
    lvl_ctx_init(ctx);
    lvl_arena_init(arena, ctx);
    return lvl_zip_probe(file) && lvl_zip_read(arena, ctx, file, zip) == LVL_OK && zip->count;
}

static const lvl_zip_member *pick(const lvl_zip *zip, bool document)
{
    for (uint32_t i = 0; i < zip->count; i++) {
        if (is_document(zip->members[i].name) == document)
            return &zip->members[i];
    }
    return NULL;
}

static bool unwrap(lvl_bytes file, lvl_buffer *inner, bool document)
{
    lvl_inflate_report report;
    lvl_buffer storage = {0};
    lvl_arena arena;
    lvl_bytes bytes;
    lvl_ctx ctx;
    lvl_zip zip;

    if (document && file.len > 2 && file.ptr[0] == 0x1F && file.ptr[1] == 0x8B)
        return lvl_inflate_salvage(&(lvl_work){.left = UINT64_MAX}, LVL_WRAP_GZIP, file, inner, 1 << 20,
                                   &report) == LVL_OK;
    bool good = open_zip(&arena, &ctx, file, &zip);
    const lvl_zip_member *m = good ? pick(&zip, document) : NULL;
    good = m && lvl_zip_inflate(&ctx, m, &storage, &bytes, NULL) == LVL_OK;
    if (good)
        lvl_buffer_add(inner, bytes.ptr, bytes.len);
    lvl_buffer_free(&storage);
    lvl_arena_free(&arena);
    return good && inner->status == LVL_OK;
}

static bool wrap(lvl_bytes file, lvl_bytes inner, lvl_buffer *out, bool document)
{
    lvl_zip_writer w;
    lvl_arena arena;
    lvl_ctx ctx;
    lvl_zip zip;

    if (document && file.len > 2 && file.ptr[0] == 0x1F && file.ptr[1] == 0x8B)
        return lvl_deflate(LVL_WRAP_GZIP, inner, out) == LVL_OK;
    bool good = open_zip(&arena, &ctx, file, &zip);
    const lvl_zip_member *m = good ? pick(&zip, document) : NULL;
    if (m) {
        lvl_zip_begin(&w, NULL, out);
        for (uint32_t i = 0; i < zip.count; i++) {
            if (&zip.members[i] == m)
                lvl_zip_put_new(&w, m->name, inner);
            else
                lvl_zip_put_member(&w, &zip.members[i]);
        }
        good = lvl_zip_end(&w, NULL) == LVL_OK;
    }
    lvl_arena_free(&arena);
    return m && good;
}

static bool unwrap_document(lvl_bytes file, lvl_buffer *inner)
{
    return unwrap(file, inner, true);
}

static bool wrap_document(lvl_bytes file, lvl_bytes inner, lvl_buffer *out)
{
    return wrap(file, inner, out, true);
}

static bool unwrap_chunk(lvl_bytes file, lvl_buffer *inner)
{
    return unwrap(file, inner, false);
}

static bool wrap_chunk(lvl_bytes file, lvl_bytes inner, lvl_buffer *out)
{
    return wrap(file, inner, out, false);
}

const lvl_hostile_hook lvl_sketchy_document_hook = {unwrap_document, wrap_document};
const lvl_hostile_hook lvl_sketchy_chunk_hook = {unwrap_chunk, wrap_chunk};
