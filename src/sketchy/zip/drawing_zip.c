/*
 * sketchy/zip/drawing_zip.c: reads drawings in zips, v3 and later: separates chunks, by layer, from
 * files; derives the generation from them; recovers drawings whose directory or document is damaged.
 */
#include "sketchy/text/document.h"

#include "base/cursor.h"
#include "sketchy/chunks/codec.h"
#include "sketchy/zip/members.h"
#include "sketchy/zip/recover.h"
#include "sketchy/model/findings.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t NO_LAYER = UINT32_MAX;

/* A chunk or file in a member; or a chunk in the document. */
typedef struct part {
    const lvl_zip_member *member; /* NULL: in the document */
    uint32_t layer; /* chunks; NO_LAYER: a file */
    bool alias; /* a chunk whose key the game spells otherwise */
    lvl_sketchy_chunk chunk;
} part;

/* Of several chunks at one position the one that the game uses comes first; files come last. */
static int by_place(const void *a, const void *b)
{
    const part *x = a, *y = b;

    if (x->layer != y->layer)
        return x->layer < y->layer ? -1 : 1;
    if (x->layer == NO_LAYER)
        return x->member < y->member ? -1 : x->member > y->member;
    const int place = lvl_sketchy_by_place(&x->chunk, &y->chunk);
    if (place)
        return place;
    if (!x->member != !y->member) /* in the document */
        return x->member ? 1 : -1;
    if (x->alias != y->alias) /* the game looks for the plain name */
        return x->alias - y->alias;
    if (x->chunk.encoding != y->chunk.encoding) /* .bin before .json */
        return x->chunk.encoding > y->chunk.encoding ? -1 : 1;
    /* of two with one name the last, as in archive readers */
    return x->member > y->member ? -1 : x->member < y->member;
}

/* The parts in members, and the document's chunks that have a position; NULL without memory. */
static part *list_parts(const lvl_sketchy *d, const lvl_zip *zip, const lvl_zip_member *json, uint32_t *count)
{
    size_t capacity = (size_t)zip->count + 1;
    uint32_t n = 0;

    for (uint32_t i = 0; i < d->layer_count; i++)
        capacity += d->layers[i].chunk_count;
    part *parts = calloc(capacity, sizeof *parts);
    *count = 0;
    if (!parts)
        return NULL;
    for (uint32_t i = 0; i < d->layer_count; i++) {
        for (uint32_t k = 0; k < d->layers[i].chunk_count; k++) {
            if (lvl_sketchy_has_place(&d->layers[i].chunks[k]))
                parts[n++] = (part){.layer = i, .chunk = d->layers[i].chunks[k]};
        }
    }
    for (uint32_t i = 0; i < zip->count; i++) {
        const lvl_zip_member *m = &zip->members[i];
        part *p = &parts[n];
        bool binary;
        if (m == json || (m->faults & LVL_ZIP_NO_LOCAL))
            continue;
        n++;
        p->member = m;
        if (!lvl_sketchy_chunk_name(m->name, &p->layer, &p->chunk.key, &binary) ||
            p->layer >= d->layer_count) {
            *p = (part){.member = m, .layer = NO_LAYER};
            continue;
        }
        char key[32];
        lvl_sketchy_key(p->chunk.key, &p->chunk.x, &p->chunk.y);
        p->alias = !lvl_text_equal(p->chunk.key, lvl_sketchy_plain_key(key, p->chunk.x, p->chunk.y));
        p->chunk.encoding = binary ? LVL_SKETCHY_CHUNK_MAP : LVL_SKETCHY_CHUNK_JSON;
    }
    *count = n;
    return parts;
}

/* Adds the chunk to its layer, or the file to the drawing. */
static lvl_status place_part(lvl_doc *doc, const part *p, lvl_sink *sink, uint32_t *space)
{
    const lvl_field *files = LVL_FIELD(lvl_sketchy, files), *chunks = LVL_FIELD(lvl_sketchy_layer, chunks);
    const lvl_source source = {.kind = LVL_SOURCE_MEMBER,
                               .member = *p->member,
                               .encoding = p->chunk.encoding,
                               .x = p->chunk.x,
                               .y = p->chunk.y};
    const uint32_t number = lvl_sketchy_add_source(doc, &source);
    lvl_sketchy *d = doc->root;

    if (!number)
        return LVL_ERR_MEMORY;
    if (p->layer == NO_LAYER) {
        const uint32_t k = d->file_count;
        const lvl_where where = lvl_where_to(lvl_where_root(), files, k);
        const lvl_status status = lvl_list_insert(doc, d, files, k, 1);
        if (status != LVL_OK)
            return status;
        d->files[k].path = p->member->name;
        d->files[k].data.len = lvl_sketchy_member_size(p->member); /* for display; late */
        d->files[k].source = number;
        return lvl_sketchy_emit_member(sink, doc, p->member, space, &where,
                                       LVL_FIELD(lvl_sketchy_file, data));
    }
    lvl_sketchy_layer *layer = &d->layers[p->layer];
    const uint32_t k = layer->chunk_count; /* after those in the JSON: the game reads both */
    const lvl_where where = lvl_sketchy_chunk_at(p->layer, k);
    const lvl_status status = lvl_list_insert(doc, layer, chunks, k, 1);
    if (status != LVL_OK)
        return status;
    layer->chunks[k] = p->chunk;
    layer->chunks[k].source = number;
    return lvl_sketchy_emit_member(sink, doc, p->member, space, &where, LVL_FIELD(lvl_sketchy_chunk, pixels));
}

/* Adds all parts; a second chunk for one position becomes a file, since the game does not look for it. */
static lvl_status place_parts(lvl_doc *doc, part *parts, uint32_t count, lvl_sink *sink, uint32_t *space)
{
    const part *last = NULL;
    lvl_status status = LVL_OK;

    qsort(parts, count, sizeof *parts, by_place);
    for (uint32_t i = 0; i < count && parts[i].layer != NO_LAYER; i++) {
        if (last && last->layer == parts[i].layer && !lvl_sketchy_by_place(&last->chunk, &parts[i].chunk))
            parts[i] = (part){.member = parts[i].member, .layer = NO_LAYER};
        else
            last = &parts[i];
    }
    qsort(parts, count, sizeof *parts, by_place);
    for (uint32_t i = 0; i < count && status == LVL_OK; i++)
        status = parts[i].member ? place_part(doc, &parts[i], sink, space) : LVL_OK;
    return status;
}

/* Sets the encodings of chunks: a binary chunk's is its first byte, so one byte is inflated. *generation: v3
 * if all chunks are JSON, v4 if any has runs, else v3.1. */
static lvl_status find_encodings(const lvl_doc *doc, part *parts, uint32_t count, uint8_t *generation)
{
    lvl_buffer storage = {0};
    lvl_status status = LVL_OK;
    bool json = false, map = false, runs = false;

    for (uint32_t i = 0; i < count && status == LVL_OK; i++) {
        const lvl_zip_member *m = parts[i].member;
        uint8_t head[24];
        if (parts[i].layer == NO_LAYER || !m)
            continue;
        if (parts[i].chunk.encoding != LVL_SKETCHY_CHUNK_JSON) { /* binary, by its name */
            if (lvl_zip_head(doc->ctx, m, head, 1, &status) != 1)
                continue;
            const bool is_runs = lvl_chunk_encoding((lvl_bytes){head, 1}) == LVL_SKETCHY_CHUNK_RUNS;
            parts[i].chunk.encoding = is_runs ? LVL_SKETCHY_CHUNK_RUNS : LVL_SKETCHY_CHUNK_MAP;
            runs = runs || is_runs;
            map = map || !is_runs;
            continue;
        }
        lvl_bytes bytes = {NULL, 0};
        json = true;
        if (lvl_zip_head(doc->ctx, m, head, sizeof head, &status) > 17 &&
            !memcmp(head, "{\"type\":0,\"data\":{", 18))
            continue;
        status = lvl_zip_inflate(doc->ctx, m, &storage, &bytes, NULL);
        if (status == LVL_OK && lvl_chunk_encoding(bytes) == LVL_SKETCHY_CHUNK_BASE64)
            parts[i].chunk.encoding = LVL_SKETCHY_CHUNK_BASE64;
        if (status != LVL_ERR_MEMORY)
            status = LVL_OK;
    }
    lvl_buffer_free(&storage);
    *generation = runs ? LVL_SKETCHY_V4 : map || !json ? LVL_SKETCHY_V3_1 : LVL_SKETCHY_V3;
    return status;
}

/* Adds layers that chunks belong to and the document does not have. */
static lvl_status add_layers(lvl_doc *doc, const lvl_zip *zip)
{
    enum { MAX_LAYERS = 1024 };
    lvl_sketchy *d = doc->root;
    uint32_t count = d->layer_count;

    for (uint32_t i = 0; i < zip->count; i++) {
        uint32_t layer;
        lvl_text key;
        bool binary;
        if (lvl_sketchy_chunk_name(zip->members[i].name, &layer, &key, &binary) && layer < MAX_LAYERS &&
            layer >= count)
            count = layer + 1;
    }
    if (count == d->layer_count || (count == 1 && d->kind == LVL_SKETCHY_LEVEL))
        return LVL_OK;
    d->kind = LVL_SKETCHY_DOODAD; /* levels have one */
    const uint32_t had = d->layer_count;
    const lvl_status status = lvl_list_insert(doc, d, LVL_FIELD(lvl_sketchy, layers), had, count - had);
    for (uint32_t i = had; i < count && status == LVL_OK; i++) {
        lvl_sketchy_new_layer(doc, &d->layers[i]);
        d->layers[i].size = i ? d->layers[0].size : d->layers[i].size;
    }
    return status;
}

/* Without chunks only the zip's comment has the generation. */
static void read_generation_mark(const lvl_zip *zip, lvl_sketchy *d)
{
    static const uint8_t marked[] = {LVL_SKETCHY_V3, LVL_SKETCHY_V4};
    const size_t head = LVL_SKETCHY_END_SIZE;

    for (size_t i = 0; i < sizeof marked && zip->end.len > head && zip->plain_end; i++) {
        if (!lvl_text_equal(lvl_sketchy_generation_mark(marked[i]),
                            (lvl_text){(const char *)zip->end.ptr + head, zip->end.len - head}))
            continue;
        d->generation = marked[i];
        d->after = zip->after;
    }
}

lvl_status lvl_sketchy_read_zip(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    lvl_sketchy *d = doc->root;
    uint32_t space = 0, count = 0;
    lvl_zip zip;

    bool odd, damaged;
    lvl_status status =
        lvl_sketchy_read_archive(doc, LVL_SKETCHY_F_ZIP_PREFIX, sink, findings, &zip, &odd, &damaged);
    if (status != LVL_OK)
        return status;
    const lvl_zip_member *json =
        lvl_zip_find(&zip, lvl_text_of(lvl_sketchy_document_name(LVL_SKETCHY_LEVEL)));
    if (!json) {
        json = lvl_zip_find(&zip, lvl_text_of(lvl_sketchy_document_name(LVL_SKETCHY_DOODAD)));
        d->kind = json ? LVL_SKETCHY_DOODAD : LVL_SKETCHY_LEVEL;
    }
    if (json) {
        status = lvl_sketchy_read_member(doc, json, &space, sink, findings, &d->json, &odd, &damaged);
        if (status != LVL_OK && status != LVL_ERR_FORMAT)
            return status;
    } else {
        lvl_sketchy_report(findings, LVL_SKETCHY_F_NO_DOCUMENT, NULL,
                           "the zip has no level.json and no doodad.json: the game cannot open it");
    }
    const bool layers_lost = lvl_sketchy_state_of(doc).broken || ((damaged || !json) && !d->layer_count);
    const uint32_t layers = d->layer_count;
    status = !json || d->kind == LVL_SKETCHY_DOODAD ? add_layers(doc, &zip) : LVL_OK;
    if (!layers_lost && d->layer_count > layers) {
        const lvl_where where = lvl_sketchy_at(offsetof(lvl_sketchy, layers));
        lvl_sketchy_report(
            findings, LVL_SKETCHY_F_LAYERS, &where,
            "the document lists %lu layers, but there are chunks of %lu: the game does not show the others",
            (unsigned long)layers, (unsigned long)d->layer_count);
        damaged = true;
    }
    if (status == LVL_OK)
        status = lvl_sketchy_sort_layers(doc);
    /* no record lists the chunks in the document itself */
    for (uint32_t i = 0; i < d->layer_count && !odd; i++)
        odd = d->layers[i].chunk_count > 0;
    if (status == LVL_OK && (odd || damaged || !json || d->file_count))
        status = lvl_sketchy_keep_file(doc, &d->file, damaged || !json);
    if (status != LVL_OK)
        return status;
    part *parts = list_parts(d, &zip, json, &count);
    if (!parts)
        return LVL_ERR_MEMORY;
    status = find_encodings(doc, parts, count, &d->generation);
    bool empty = true;
    for (uint32_t i = 0; parts && i < count; i++)
        empty = empty && parts[i].layer == NO_LAYER;
    if (empty)
        read_generation_mark(&zip, d);
    if (status == LVL_OK)
        status = place_parts(doc, parts, count, sink, &space);
    free(parts);
    if (status == LVL_OK && (!d->json.len || lvl_sketchy_state_of(doc).broken))
        status = lvl_sketchy_recover_lost(doc, findings);
    return status == LVL_OK ? lvl_sketchy_sort_layers(doc) : status;
}
