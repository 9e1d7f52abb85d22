/*
 * sketchy/drawing/convert.c: converts drawings from any generation to any other, pixel for pixel.
 * Unknown keys and the spelling of the document are kept.
 */
#include "sketchy/drawing/convert.h"
#include "sketchy/model/findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The preferred one first: v3.1 is the only zip that both the last release and the newest source read. */
const lvl_form lvl_sketchy_forms[] = {
    {"v3.1", "zip, chunks as binary lists: what every version of the game since 0.13 reads", "level",
     "sketchy", LVL_SKETCHY_V3_1},
    {"v4", "zip, chunks as runs: the smallest; the last release (0.14.0) shows it as blank", "level",
     "sketchy", LVL_SKETCHY_V4},
    {"v3", "zip, chunks as JSON; the newest source shows it as blank", "level", "sketchy", LVL_SKETCHY_V3},
    {"v2", "gzip of JSON: every version reads it", "level", "sketchy", LVL_SKETCHY_V2},
    {"v1", "JSON: every version reads it", "level", "sketchy", LVL_SKETCHY_V1},
    {NULL, NULL, NULL, NULL, 0},
};

static void report_loss(lvl_findings *losses, unsigned id, const lvl_where *where, const char *text,
                        unsigned long n)
{
    lvl_sketchy_report(losses, id, where, "%lu %s", n, text);
}

/* Decodes one chunk into `to`'s memory, and reports what is lost. */
static lvl_status convert_chunk(const lvl_doc *from, const lvl_sketchy_chunk *src, uint32_t size, lvl_doc *to,
                                lvl_sketchy_chunk *dst, const lvl_where *where, lvl_findings *losses)
{
    lvl_buffer storage = {0};
    lvl_chunk_look look;

    dst->key = lvl_doc_text(to, src->key);
    if (!dst->key.ptr && src->key.len)
        return LVL_ERR_MEMORY;
    dst->x = src->x;
    dst->y = src->y;
    dst->source = 0;
    dst->pixels = (lvl_cells){NULL, size, size, 2};
    if (size < 1 || size > LVL_SKETCHY_CHUNK_SIZE_MAX ||
        (src->pixels.ptr && (src->pixels.width != size || src->pixels.height != size))) {
        report_loss(losses, LVL_SKETCHY_F_LOSS_CHUNK, where, "chunk of an impossible size", 1);
        return LVL_OK;
    }
    uint8_t *grid = lvl_arena_raw(&to->arena, (size_t)size * size * 2);
    if (!grid)
        return LVL_ERR_MEMORY;
    dst->pixels.ptr = grid;
    const lvl_status status = lvl_sketchy_look(from, src, size, UINT32_MAX, &storage, grid, &look);
    lvl_buffer_free(&storage);
    if (status != LVL_OK)
        return status;
    const lvl_chunk_report *r = &look.report;
    if (look.unsound || r->bad || r->partial)
        report_loss(losses, LVL_SKETCHY_F_LOSS_CHUNK, where, "chunk that is broken, from the break on", 1);
    if (r->unused)
        report_loss(losses, LVL_SKETCHY_F_LOSS_CHUNK, where, "list of pixels that is followed by another one",
                    r->unused);
    if (r->outside > r->phantom)
        report_loss(losses, LVL_SKETCHY_F_LOSS_OUTSIDE, where, "pixels that lie outside of their chunk",
                    (unsigned long)r->outside - r->phantom);
    if (r->wide || r->broken)
        report_loss(losses, LVL_SKETCHY_F_LOSS_INDEX, where, "invalid pixels",
                    (unsigned long)r->wide + r->broken);
    return LVL_OK;
}

uint8_t lvl_sketchy_encoding(unsigned generation)
{
    switch (generation) {
    case LVL_SKETCHY_V4: return LVL_SKETCHY_CHUNK_RUNS;
    case LVL_SKETCHY_V3_1: return LVL_SKETCHY_CHUNK_MAP;
    default: return LVL_SKETCHY_CHUNK_JSON;
    }
}

static lvl_status convert_layers(const lvl_doc *from, lvl_doc *to, lvl_findings *losses)
{
    const lvl_sketchy *s = from->root;
    lvl_sketchy *d = to->root;
    const lvl_field *layers = LVL_FIELD(lvl_sketchy, layers);
    const lvl_field *chunks = LVL_FIELD(lvl_sketchy_layer, chunks);
    lvl_status status = LVL_OK;

    d->layers = lvl_arena_array(&to->arena, (size_t)s->layer_count + 1, sizeof *d->layers);
    if (!d->layers)
        return LVL_ERR_MEMORY;
    d->layer_count = s->layer_count;
    for (uint32_t i = 0; i < s->layer_count && status == LVL_OK; i++) {
        const lvl_sketchy_layer *l = &s->layers[i];
        lvl_sketchy_layer *m = &d->layers[i];
        lvl_sketchy_layer plain = *l;
        plain.chunks = NULL;
        plain.chunk_count = 0;
        status = lvl_record_copy(to, m, from, &plain, &lvl_sketchy_layer_table);
        m->chunks = lvl_arena_array(&to->arena, (size_t)l->chunk_count + 1, sizeof *m->chunks);
        if (status != LVL_OK || !m->chunks)
            return status == LVL_OK ? LVL_ERR_MEMORY : status;
        m->chunk_count = l->chunk_count;
        for (uint32_t k = 0; k < l->chunk_count && status == LVL_OK; k++) {
            const lvl_where where = lvl_where_to(lvl_where_to(lvl_where_root(), layers, i), chunks, k);
            status = convert_chunk(from, &l->chunks[k], l->size, to, &m->chunks[k], &where, losses);
            m->chunks[k].encoding = lvl_sketchy_has_place(&l->chunks[k]) ? lvl_sketchy_encoding(d->generation)
                                                                         : LVL_SKETCHY_CHUNK_JSON;
        }
    }
    return status;
}

/* Reports attached files that are damaged, and copied only in part or not at all, and data of them that the
 * game does not use. */
static lvl_status report_files(const lvl_doc *from, lvl_findings *losses)
{
    const lvl_sketchy *s = from->root;
    const lvl_field *data = LVL_FIELD(lvl_sketchy_file, data);
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < s->file_count && status == LVL_OK; i++) {
        const lvl_where where = lvl_sketchy_item(offsetof(lvl_sketchy, files), i);
        bool whole;
        status = lvl_doc_decodes(from, &s->files[i], data, &whole);
        if (status == LVL_OK && !whole)
            report_loss(losses, LVL_SKETCHY_F_LOSS_FILE, &where, "attached file that is damaged", 1);
        const lvl_source *source = lvl_sketchy_source(from, s->files[i].source);
        if (source && source->earlier)
            report_loss(losses, LVL_SKETCHY_F_LOSS_FILE, &where,
                        "attached file that is followed by another one", 1);
    }
    return status;
}

/* Copies the document's source text; to a zip, without the pixels and files in the text of a v1 or v2. */
static lvl_status convert_text(const lvl_doc *from, lvl_doc *to)
{
    const lvl_sketchy *s = from->root;
    lvl_sketchy *d = to->root;
    lvl_status status = LVL_OK;

    if (s->generation <= LVL_SKETCHY_V2 && d->generation > LVL_SKETCHY_V2 && s->json.len) {
        lvl_buffer rest = {0};
        status = lvl_sketchy_write_json(from, s->json, true, &rest);
        if (status == LVL_OK)
            d->json = lvl_doc_text(to, (lvl_text){(const char *)rest.data, rest.len});
        lvl_buffer_free(&rest);
    } else {
        d->json = lvl_doc_text(to, s->json);
    }
    return status == LVL_OK && s->json.len && !d->json.ptr ? LVL_ERR_MEMORY : status;
}

lvl_status lvl_sketchy_convert(const lvl_doc *from, const lvl_form *form, lvl_doc *to, lvl_findings *losses)
{
    const lvl_sketchy *s = from->root;
    lvl_sketchy *d = to->root;
    lvl_sketchy plain = *s; /* without the pixels: convert_layers reports their losses */

    plain.layers = NULL;
    plain.layer_count = 0;
    lvl_status status = lvl_record_copy(to, d, from, &plain, &lvl_sketchy_table);
    if (status != LVL_OK)
        return status;
    d->generation = (uint8_t)form->version;
    status = convert_text(from, to);
    if (status != LVL_OK)
        return status;
    lvl_sketchy_unsign(to, losses);
    const lvl_sketchy_state *state = from->state;
    if (s->file.len && !(state && state->odd))
        report_loss(losses, LVL_SKETCHY_F_LOSS_DAMAGE, NULL, "damaged file: only its content is converted",
                    1);
    status = report_files(from, losses);
    return status == LVL_OK ? convert_layers(from, to, losses) : status;
}

/* ---- changed drawings --------------------------------------------------------------------------------- */

lvl_status lvl_sketchy_make_chunk(lvl_doc *doc, uint32_t size, int32_t x, int32_t y, lvl_sketchy_chunk *out,
                                  uint8_t **cells)
{
    const lvl_sketchy *d = doc->root;
    char key[32];

    snprintf(key, sizeof key, "%ld,%ld", (long)x, (long)y);
    uint8_t *grid = lvl_arena_raw(&doc->arena, (size_t)size * size * 2);
    *out = (lvl_sketchy_chunk){.key = lvl_doc_text(doc, lvl_text_of(key)),
                               .x = x,
                               .y = y,
                               .encoding = lvl_sketchy_encoding(d->generation),
                               .pixels = {grid, size, size, 2}};
    if (!grid || !out->key.ptr)
        return LVL_ERR_MEMORY;
    memset(grid, 0xFF, (size_t)size * size * 2);
    *cells = grid;
    return LVL_OK;
}

static uint64_t hash_of(const lvl_hash *index, int32_t x, int32_t y)
{
    return lvl_hash_u64(&index->seed, (uint64_t)(uint32_t)x << 32 | (uint32_t)y);
}

lvl_status lvl_sketchy_index_chunks(lvl_hash *index, const lvl_sketchy_layer *layer)
{
    lvl_status status = LVL_OK;

    lvl_hash_init(index);
    for (uint32_t i = 0; i < layer->chunk_count && status == LVL_OK; i++) {
        const lvl_sketchy_chunk *c = &layer->chunks[i];
        if (lvl_sketchy_has_place(c))
            status = lvl_hash_add(index, hash_of(index, c->x, c->y), i);
    }
    return status;
}

uint32_t lvl_sketchy_find_chunk(const lvl_hash *index, const lvl_sketchy_layer *layer, int32_t x, int32_t y)
{
    for (lvl_hash_at at = lvl_hash_first(index, hash_of(index, x, y)); at.found;
         at = lvl_hash_next(index, at)) {
        if (layer->chunks[at.index].x == x && layer->chunks[at.index].y == y)
            return at.index;
    }
    return LVL_NO_INDEX;
}

lvl_status lvl_sketchy_add_chunk(lvl_doc *doc, lvl_hash *index, lvl_sketchy_layer *layer, int32_t x,
                                 int32_t y, uint8_t **grid)
{
    const uint32_t at = layer->chunk_count;

    lvl_status status = lvl_list_insert(doc, layer, LVL_FIELD(lvl_sketchy_layer, chunks), at, 1);
    if (status == LVL_OK)
        status = lvl_sketchy_make_chunk(doc, layer->size, x, y, &layer->chunks[at], grid);
    return status == LVL_OK && index ? lvl_hash_add(index, hash_of(index, x, y), at) : status;
}

lvl_status lvl_sketchy_chunk_cells(const lvl_doc *doc, const lvl_sketchy_layer *layer, uint32_t chunk,
                                   lvl_buffer *storage, lvl_cells *cells, lvl_findings *losses)
{
    const lvl_field *pixels = LVL_FIELD(lvl_sketchy_chunk, pixels);
    const lvl_sketchy_chunk *c = &layer->chunks[chunk];
    lvl_status status = lvl_doc_cells(doc, c, pixels, storage, cells);

    if (status == LVL_ERR_FORMAT)
        lvl_sketchy_report(losses, LVL_SKETCHY_F_LOSS_CHUNK, NULL, "chunk %.*s cannot be decoded",
                           (int)(c->key.len < 40 ? c->key.len : 40), c->key.ptr);
    else if (status != LVL_OK)
        return status;
    if (cells->ptr && (cells->width != layer->size || cells->height != layer->size || cells->size != 2))
        cells->ptr = NULL;
    return LVL_OK;
}

void lvl_sketchy_unsign(lvl_doc *doc, lvl_findings *losses)
{
    lvl_sketchy *d = doc->root;

    if (!d->signature.len)
        return;
    d->signature = (lvl_text){NULL, 0};
    lvl_sketchy_report(losses, LVL_SKETCHY_F_LOSS_SIGNATURE, NULL,
                       "signature, which is not valid for the new file");
}

lvl_status lvl_sketchy_no_chunks(uint32_t size, lvl_findings *losses)
{
    lvl_sketchy_report(losses, LVL_SKETCHY_F_CONVERT_OPTION, NULL,
                       "chunks of %lu px are not possible: expected 1 to %d", (unsigned long)size,
                       LVL_SKETCHY_CHUNK_SIZE_MAX);
    return LVL_ERR_ARG;
}
