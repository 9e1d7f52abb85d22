/*
 * sketchy/drawing_zip.c: drawings in zips, v3 and later: which members are chunks of which layer and which
 * are files, what generation that makes, and what is left of a drawing whose directory or document is
 * damaged.
 */
#include "sketchy/drawing_read.h"

#include "base/cursor.h"
#include "sketchy/chunk_codec.h"
#include "sketchy/members.h"
#include "sketchy/recover.h"
#include "sketchy/sketchy_findings.h"

#include <stdlib.h>
#include <string.h>

/* What a member turned out to be. */
typedef struct part {
    uint32_t member;
    uint32_t layer; /* chunks; UINT32_MAX: a file */
    bool alias;     /* a chunk whose key the game spells otherwise */
    lvl_sketchy_chunk chunk;
} part;

static int by_place(const void *a, const void *b)
{
    const part *x = a, *y = b;

    if (x->layer != y->layer)
        return x->layer < y->layer ? -1 : 1;
    if (x->layer == UINT32_MAX)
        return x->member < y->member ? -1 : x->member > y->member;
    const int place = lvl_sketchy_by_place(&x->chunk, &y->chunk);
    if (place)
        return place;
    if (x->alias != y->alias) /* the game asks for the plain name */
        return x->alias - y->alias;
    if (x->chunk.encoding != y->chunk.encoding) /* .bin goes before .json */
        return x->chunk.encoding > y->chunk.encoding ? -1 : 1;
    /* of two of one name the last, as archive readers take it */
    return x->member > y->member ? -1 : x->member < y->member;
}

static lvl_status note_member(lvl_doc *doc, const lvl_zip_member *m, const lvl_sketchy_chunk *chunk,
                              uint32_t *source)
{
    lvl_source s = {.kind = LVL_SOURCE_MEMBER, .member = *m};

    if (chunk) {
        s.encoding = chunk->encoding;
        s.x = chunk->x;
        s.y = chunk->y;
    }
    *source = lvl_sketchy_add_source(doc, &s);
    return *source ? LVL_OK : LVL_ERR_MEMORY;
}

static int by_square(const void *a, const void *b)
{
    return lvl_sketchy_by_place(*(const lvl_sketchy_chunk *const *)a, *(const lvl_sketchy_chunk *const *)b);
}

/* A chunk that the document holds itself is the one that the game takes; the zip's of the same place is a
 * file that nobody asks for. */
static lvl_status mark_duplicates(const lvl_sketchy *d, part *parts, uint32_t count)
{
    for (uint32_t l = 0; l < d->layer_count; l++) {
        const lvl_sketchy_layer *layer = &d->layers[l];
        if (!layer->chunk_count)
            continue;
        const lvl_sketchy_chunk **own = malloc(layer->chunk_count * sizeof *own);
        if (!own)
            return LVL_ERR_MEMORY;
        uint32_t placed = 0;
        for (uint32_t k = 0; k < layer->chunk_count; k++) {
            if (lvl_sketchy_has_place(&layer->chunks[k]))
                own[placed++] = &layer->chunks[k];
        }
        qsort(own, placed, sizeof *own, by_square);
        for (uint32_t i = 0; i < count; i++) {
            const lvl_sketchy_chunk *chunk = &parts[i].chunk;
            if (parts[i].layer == l && bsearch(&chunk, own, placed, sizeof *own, by_square))
                parts[i].layer = UINT32_MAX;
        }
        free(own);
    }
    return LVL_OK;
}

/* Gives each layer its chunks and the drawing its files, from parts in their order; a chunk that is there
 * twice stays a file the second time. */
static lvl_status place_parts(lvl_doc *doc, const lvl_zip *zip, part *parts, uint32_t count, lvl_sink *sink,
                              uint32_t *space)
{
    lvl_sketchy *d = doc->root;
    const lvl_field *files = lvl_sketchy_root_field(doc, offsetof(lvl_sketchy, files));
    const lvl_field *chunks = LVL_FIELD(lvl_sketchy_layer, chunks);
    const lvl_field *pixels = LVL_FIELD(lvl_sketchy_chunk, pixels);
    const lvl_field *data = LVL_FIELD(lvl_sketchy_file, data);
    uint32_t first_file = 0;
    lvl_status status;

    status = mark_duplicates(d, parts, count);
    if (status != LVL_OK)
        return status;
    qsort(parts, count, sizeof *parts, by_place);
    for (uint32_t i = 1; i < count; i++) {
        if (parts[i].layer != UINT32_MAX && parts[i].layer == parts[i - 1].layer &&
            parts[i].chunk.x == parts[i - 1].chunk.x && parts[i].chunk.y == parts[i - 1].chunk.y)
            parts[i].member |= 0x80000000; /* a double */
    }
    for (uint32_t i = 0; i < count; i++) {
        if (parts[i].member & 0x80000000) {
            parts[i].member &= 0x7FFFFFFF;
            parts[i].layer = UINT32_MAX;
        }
    }
    qsort(parts, count, sizeof *parts, by_place);
    for (uint32_t i = 0; i < count && parts[i].layer != UINT32_MAX;) {
        const uint32_t l = parts[i].layer;
        uint32_t n = 0;
        while (i + n < count && parts[i + n].layer == l)
            n++;
        lvl_sketchy_layer *layer = &d->layers[l];
        const uint32_t had = layer->chunk_count; /* in the JSON: the game reads both */
        status = lvl_list_insert(doc, layer, chunks, had, n);
        for (uint32_t k = 0; k < n && status == LVL_OK; k++) {
            const lvl_where where =
                lvl_where_to(lvl_sketchy_item(offsetof(lvl_sketchy, layers), l), chunks, had + k);
            const lvl_zip_member *m = &zip->members[parts[i + k].member];
            status = note_member(doc, m, &parts[i + k].chunk, &parts[i + k].chunk.source);
            if (status == LVL_OK)
                status = lvl_sketchy_emit_member(sink, doc, m, space, &where, pixels);
            layer->chunks[had + k] = parts[i + k].chunk;
        }
        if (status != LVL_OK)
            return status;
        i += n;
        first_file = i;
    }
    const uint32_t had = d->file_count;
    status = lvl_list_insert(doc, d, files, had, count - first_file);
    for (uint32_t k = 0; k < count - first_file && status == LVL_OK; k++) {
        const lvl_zip_member *m = &zip->members[parts[first_file + k].member];
        lvl_sketchy_file *f = &d->files[had + k];
        const lvl_where where = lvl_where_to(lvl_where_root(), files, had + k);
        f->path = m->name;
        f->data.len = lvl_sketchy_member_size(m); /* for people; late */
        status = note_member(doc, m, NULL, &f->source);
        if (status == LVL_OK)
            status = lvl_sketchy_emit_member(sink, doc, m, space, &where, data);
    }
    return status;
}

/* v3 while all chunks are JSON, v4 once there are runs, else v3.1. Of a binary chunk its first byte tells,
 * for which it must be inflated: one is enough. */
static lvl_status find_encodings(const lvl_doc *doc, const lvl_zip *zip, part *parts, uint32_t count,
                                 uint8_t *generation)
{
    lvl_buffer storage = {0};
    lvl_status status = LVL_OK;
    bool json = false, map = false, runs = false;

    for (uint32_t i = 0; i < count && status == LVL_OK; i++) {
        if (parts[i].layer == UINT32_MAX)
            continue;
        uint8_t first;
        const lvl_zip_member *m = &zip->members[parts[i].member];
        if (parts[i].chunk.encoding == LVL_SKETCHY_CHUNK_JSON) { /* by its name, so far */
            lvl_bytes bytes = {NULL, 0};
            json = true;
            uint8_t head[24];
            size_t len = lvl_zip_head(doc->ctx, m, head, sizeof head, &status);
            if (len > 17 && !memcmp(head, "{\"type\":0,\"data\":{", 18))
                continue;
            status = lvl_zip_inflate(doc->ctx, m, &storage, &bytes, NULL);
            if (status == LVL_OK && lvl_chunk_encoding(bytes) == LVL_SKETCHY_CHUNK_BASE64)
                parts[i].chunk.encoding = LVL_SKETCHY_CHUNK_BASE64;
            if (status != LVL_ERR_MEMORY)
                status = LVL_OK;
        } else if (lvl_zip_head(doc->ctx, m, &first, 1, &status) == 1) {
            parts[i].chunk.encoding = first == 1 ? LVL_SKETCHY_CHUNK_RUNS : LVL_SKETCHY_CHUNK_MAP;
            runs = runs || first == 1;
            map = map || first != 1;
        }
    }
    lvl_buffer_free(&storage);
    *generation = runs ? LVL_SKETCHY_V4 : map || !json ? LVL_SKETCHY_V3_1 : LVL_SKETCHY_V3;
    return status;
}

/* Layers that chunks speak of, where the document doesn't any more. */
static lvl_status add_layers(lvl_doc *doc, const lvl_zip *zip)
{
    enum { MOST = 1024 };
    lvl_sketchy *d = doc->root;
    uint32_t count = d->layer_count;

    for (uint32_t i = 0; i < zip->count; i++) {
        uint32_t layer;
        lvl_text key;
        bool binary;
        if (lvl_sketchy_chunk_name(zip->members[i].name, &layer, &key, &binary) && layer < MOST &&
            layer >= count)
            count = layer + 1;
    }
    if (count == d->layer_count || (count == 1 && d->kind == LVL_SKETCHY_LEVEL))
        return LVL_OK;
    d->kind = LVL_SKETCHY_DOODAD; /* levels have one */
    const uint32_t had = d->layer_count;
    const lvl_status status =
        lvl_list_insert(doc, d, lvl_sketchy_root_field(doc, offsetof(lvl_sketchy, layers)), had, count - had);
    for (uint32_t i = had; i < count && status == LVL_OK; i++) {
        lvl_sketchy_new_layer(doc, &d->layers[i]);
        d->layers[i].size = i ? d->layers[0].size : d->layers[i].size;
    }
    return status;
}

/* Without chunks nothing but the zip's comment says the generation. */
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
    part *parts = NULL;
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
                           "expected level.json or doodad.json, found neither");
    }
    const bool lacking = lvl_sketchy_is_broken(doc) || ((damaged || !json) && !d->layer_count);
    const uint32_t layers = d->layer_count;
    status = !json || d->kind == LVL_SKETCHY_DOODAD ? add_layers(doc, &zip) : LVL_OK;
    if (!lacking && d->layer_count > layers) {
        const lvl_where where = lvl_sketchy_at(offsetof(lvl_sketchy, layers));
        lvl_sketchy_report(findings, LVL_SKETCHY_F_LAYERS, &where,
                           "the document lists %lu layers, found chunks of %lu", (unsigned long)layers,
                           (unsigned long)d->layer_count);
        damaged = true;
    }
    if (status == LVL_OK)
        status = lvl_sketchy_sort_layers(doc);
    if (status == LVL_OK && !(parts = calloc((size_t)zip.count + 1, sizeof *parts)))
        status = LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < zip.count && status == LVL_OK; i++) {
        part *p = &parts[count];
        bool binary;
        if (&zip.members[i] == json || (zip.members[i].faults & LVL_ZIP_NO_LOCAL))
            continue;
        *p = (part){.member = i, .layer = UINT32_MAX};
        if (lvl_sketchy_chunk_name(zip.members[i].name, &p->layer, &p->chunk.key, &binary) &&
            p->layer < d->layer_count) {
            char key[32];
            lvl_sketchy_key(p->chunk.key, &p->chunk.x, &p->chunk.y);
            p->alias = !lvl_text_equal(p->chunk.key, lvl_sketchy_plain_key(key, p->chunk.x, p->chunk.y));
            p->chunk.encoding = binary ? LVL_SKETCHY_CHUNK_MAP : LVL_SKETCHY_CHUNK_JSON;
        } else {
            p->layer = UINT32_MAX;
        }
        count++;
    }
    /* which of them are in the document itself, no record says */
    for (uint32_t i = 0; i < d->layer_count && !odd; i++)
        odd = d->layers[i].chunk_count > 0;
    if (status == LVL_OK && (odd || damaged || !json || d->file_count))
        status = lvl_sketchy_keep_file(doc, &d->file, damaged || !json);
    if (status == LVL_OK)
        status = find_encodings(doc, &zip, parts, count, &d->generation);
    bool empty = true;
    for (uint32_t i = 0; i < count; i++)
        empty = empty && parts[i].layer == UINT32_MAX;
    for (uint32_t i = 0; i < d->layer_count; i++) {
        for (uint32_t k = 0; k < d->layers[i].chunk_count; k++)
            empty = empty && !lvl_sketchy_has_place(&d->layers[i].chunks[k]);
    }
    if (empty)
        read_generation_mark(&zip, d);
    if (status == LVL_OK)
        status = place_parts(doc, &zip, parts, count, sink, &space);
    free(parts);
    if (status == LVL_OK && (!d->json.len || lvl_sketchy_is_broken(doc)))
        status = lvl_sketchy_recover_lost(doc, findings);
    return status == LVL_OK ? lvl_sketchy_sort_layers(doc) : status;
}
