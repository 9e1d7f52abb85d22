/*
 * sketchy/text/source.c: the sources of a document's late parts, decoding them, and encoding changed ones.
 */
#include "sketchy/text/source.h"

#include "base/cursor.h"
#include "base/work.h"
#include "sketchy/chunks/codec.h"
#include "base/buffer.h"

#include <stdlib.h>
#include <string.h>

const lvl_source *lvl_sketchy_source(const lvl_doc *doc, uint32_t source)
{
    const lvl_sketchy_state *state = doc->state;

    return state && source && source <= state->count ? &state->sources[source - 1] : NULL;
}

static lvl_sketchy_state *own_state(lvl_doc *doc)
{
    if (!doc->state)
        doc->state = lvl_arena_alloc(&doc->arena, sizeof(lvl_sketchy_state));
    return doc->state;
}

lvl_status lvl_sketchy_keep_file(lvl_doc *doc, lvl_bytes *file, bool damaged)
{
    lvl_sketchy_state *state = own_state(doc);

    if (!state)
        return LVL_ERR_MEMORY;
    state->odd = !damaged && (state->odd || !file->len);
    *file = doc->input;
    return LVL_OK;
}

lvl_status lvl_sketchy_note_palette(lvl_doc *doc)
{
    lvl_sketchy_state *state = own_state(doc);

    if (!state)
        return LVL_ERR_MEMORY;
    state->edit = true;
    state->swatches = ((const lvl_sketchy *)doc->root)->swatch_count;
    return LVL_OK;
}

lvl_sketchy_state lvl_sketchy_state_of(const lvl_doc *doc)
{
    return doc->state ? *(const lvl_sketchy_state *)doc->state : (lvl_sketchy_state){0};
}

lvl_status lvl_sketchy_note_broken(lvl_doc *doc, uint64_t present)
{
    lvl_sketchy_state *state = own_state(doc);

    if (!state)
        return LVL_ERR_MEMORY;
    state->broken = true;
    state->present = present;
    return LVL_OK;
}

lvl_archive lvl_sketchy_archive(const lvl_doc *doc)
{
#define ARCHIVE(T, r)                                      \
    {{&(r)->files, &(r)->file_count, LVL_FIELD(T, files)}, \
     &(r)->json,                                           \
     &(r)->members,                                        \
     &(r)->member_count,                                   \
     &(r)->gap,                                            \
     &(r)->after,                                          \
     &(r)->file}
    lvl_sketchy *d = doc->root;
    lvl_levelpack *p = doc->root;

    if (doc->format->table == &lvl_levelpack_table)
        return (lvl_archive)ARCHIVE(lvl_levelpack, p);
    return (lvl_archive)ARCHIVE(lvl_sketchy, d);
#undef ARCHIVE
}

uint32_t lvl_sketchy_add_source(lvl_doc *doc, const lvl_source *source)
{
    lvl_sketchy_state *state = own_state(doc);

    if (!state)
        return 0;
    if (state->count == state->cap) {
        const uint32_t cap = state->cap ? state->cap * 2 : 64;
        lvl_source *bigger = cap > state->cap ? lvl_arena_array(&doc->arena, cap, sizeof *bigger) : NULL;
        if (!bigger)
            return 0;
        if (state->count)
            memcpy(bigger, state->sources, (size_t)state->count * sizeof *bigger);
        state->sources = bigger;
        state->cap = cap;
    }
    state->sources[state->count] = *source;
    return ++state->count;
}

lvl_status lvl_sketchy_source_bytes(const lvl_doc *doc, const lvl_source *source, lvl_buffer *storage,
                                    lvl_bytes *out, bool *sound)
{
    if (sound)
        *sound = true;
    if (source->kind == LVL_SOURCE_MEMBER) {
        const lvl_status status = lvl_zip_inflate(doc->ctx, &source->member, storage, out, sound);
        return status == LVL_ERR_UNSUPPORTED || status == LVL_ERR_MISSING ? LVL_ERR_FORMAT : status;
    }
    if (source->kind == LVL_SOURCE_JSON) {
        *out = (lvl_bytes){(const uint8_t *)source->text.ptr, source->text.len};
        return LVL_OK;
    }
    const lvl_text text = source->text;
    const bool escaped = text.len && memchr(text.ptr, '\\', text.len);
    const lvl_status status = lvl_chunk_base64(text, escaped, storage);
    if (sound)
        *sound = status == LVL_OK;
    *out = (lvl_bytes){storage->data, storage->len};
    return status;
}

static lvl_status decode_chunk(const lvl_doc *doc, const lvl_sketchy_chunk *chunk, lvl_buffer *storage,
                               lvl_cells *cells)
{
    const lvl_source *source = lvl_sketchy_source(doc, chunk->source);
    const size_t size = (size_t)cells->width * cells->height * 2;
    lvl_buffer inflated = {0};
    lvl_bytes stream;

    cells->size = 2;
    if (cells->width != cells->height || cells->width < 1 || cells->width > LVL_SKETCHY_CHUNK_SIZE_MAX)
        return LVL_OK; /* no grid: an impossible chunk size */
    if (!lvl_buffer_reserve(storage, size))
        return storage->status;
    storage->len = size;
    if (!source) {
        memset(storage->data, 0xFF, size);
        return LVL_OK;
    }
    const lvl_chunk_place place = {source->x, source->y,
                                   cells->width}; /* as it was read, whatever the chunk is now called */
    lvl_chunk_report report = {0};
    bool sound;
    lvl_status status = lvl_sketchy_source_bytes(doc, source, &inflated, &stream, &sound);
    if (status == LVL_OK)
        status = lvl_chunk_decode(source->encoding, stream, &place, storage->data, &report);
    if (status != LVL_OK)
        memset(storage->data, 0xFF, size);
    else if (!sound || report.partial)
        status = LVL_ERR_LOSS;
    lvl_buffer_free(&inflated);
    return status;
}

lvl_status lvl_sketchy_decode(const lvl_doc *doc, const void *record, const lvl_field *field,
                              lvl_buffer *storage, lvl_cells *cells)
{
    if (cells)
        return decode_chunk(doc, record, storage, cells);
    const lvl_sketchy_file *file = record;
    const lvl_source *source = lvl_sketchy_source(doc, file->source);
    lvl_bytes bytes;

    (void)field;
    if (!source)
        return LVL_OK;
    bool sound;
    const lvl_status status = lvl_sketchy_source_bytes(doc, source, storage, &bytes, &sound);
    if (bytes.ptr != storage->data || bytes.len != storage->len) { /* a view of the input */
        storage->len = 0;
        lvl_buffer_add(storage, bytes.ptr, bytes.len);
    }
    return status == LVL_OK && !sound ? LVL_ERR_LOSS : status;
}

/* ---- keys, layers and bytes ------------------------------------------------------------------------- */

bool lvl_sketchy_has_place(const lvl_sketchy_chunk *chunk)
{
    int32_t x, y;

    return lvl_sketchy_key(chunk->key, &x, &y);
}

void lvl_sketchy_shapes(lvl_shapes *out, const lvl_doc *doc)
{
    const bool pack = doc->format->table == &lvl_levelpack_table;

    lvl_shapes_root(out, doc->format->table, pack ? 0 : ((const lvl_sketchy *)doc->root)->kind);
}

void lvl_sketchy_new_layer(const lvl_doc *doc, lvl_sketchy_layer *layer)
{
    lvl_record_init(layer, &lvl_sketchy_layer_table);
    if (lvl_sketchy_state_of(doc).broken || !((const lvl_sketchy *)doc->root)->json.len)
        layer->size = 0;
}

lvl_status lvl_sketchy_sort_layers(lvl_doc *doc)
{
    lvl_sketchy *d = doc->root;

    if (d->kind == LVL_SKETCHY_LEVEL && !d->layer_count) {
        d->layers = lvl_arena_alloc(&doc->arena, sizeof *d->layers);
        if (!d->layers)
            return LVL_ERR_MEMORY;
        lvl_sketchy_new_layer(doc, d->layers);
        d->layer_count = 1;
    }
    for (uint32_t i = 0; i < d->layer_count; i++) {
        lvl_sketchy_layer *layer = &d->layers[i];
        for (uint32_t k = 0; k < layer->chunk_count; k++)
            layer->chunks[k].pixels = (lvl_cells){NULL, layer->size, layer->size, 2};
    }
    return LVL_OK;
}

void lvl_sketchy_emit_span(lvl_sink *sink, uint64_t at, uint64_t len, const char *note)
{
    lvl_emit_span(sink, at, len, (lvl_span){.role = LVL_SPAN_CONTAINER, .note = note});
}

void lvl_sketchy_emit_rest(lvl_sink *sink, uint32_t space, uint64_t at, size_t len, lvl_span_role role,
                           const lvl_field *field)
{
    lvl_span span = {.space = space, .role = role, .field = field};

    if (field)
        span.where = lvl_where_to(lvl_where_root(), field, LVL_NO_INDEX);
    else
        span.note = "container";
    lvl_emit_span(sink, at, len, span);
}

bool lvl_sketchy_is_padding(lvl_bytes bytes)
{
    size_t i = 0;

    while (i < bytes.len && (!bytes.ptr[i] || memchr(" \t\r\n", bytes.ptr[i], 4)))
        i++;
    return i == bytes.len;
}

/* ---- changed pixels ---------------------------------------------------------------------- */

/* Appends the px of other chunks that a stream lists to `list`, without the pixel that a bug of the game adds
 * (lvl_chunk_report.phantom). LVL_ERR_LOSS: the stream has anything else that neither the grid nor the list
 * holds: runs that continue past the chunk's end, entries that are not px or have an index that no cell can
 * hold, bytes after its end or its break. LVL_ERR_FORMAT: nothing of it can be read. */
static lvl_status read_beyond(const lvl_source *source, lvl_bytes stream, const lvl_chunk_place *place,
                              uint8_t *grid, lvl_buffer *list)
{
    lvl_chunk_report report;
    size_t kept = 0;

    const lvl_status status = lvl_chunk_foreign(source->encoding, stream, place, grid, &report, list);
    if (status == LVL_OK && (report.wide || report.broken || report.trailing || report.partial ||
                             report.total > (uint64_t)place->size * place->size))
        return LVL_ERR_LOSS;
    for (size_t i = 0; status == LVL_OK && i < list->len; i += sizeof(lvl_chunk_pixel)) {
        lvl_chunk_pixel p;
        memcpy(&p, list->data + i, sizeof p);
        if (!p.x && !p.y && !p.index)
            continue; /* lvl_chunk_report.phantom */
        memmove(list->data + kept, list->data + i, sizeof p);
        kept += sizeof p;
    }
    list->len = kept;
    return status;
}

/* Encodes the px in `cells`, with the px of other chunks that the chunk's source lists: an edit must not lose
 * them. */
static lvl_status encode(const lvl_doc *doc, const lvl_sketchy_chunk *chunk, unsigned encoding,
                         const lvl_cells *cells, const lvl_chunk_place *place, lvl_buffer *out)
{
    const lvl_source *source = lvl_sketchy_source(doc, chunk->source);
    lvl_buffer storage = {0}, list = {.max = lvl_memory_share(doc->ctx)};
    lvl_status status = LVL_OK;

    if (source) {
        const lvl_chunk_place was = {source->x, source->y, place->size};
        uint8_t *grid = malloc((size_t)place->size * place->size * 2);
        lvl_bytes stream;
        status = grid ? lvl_sketchy_source_bytes(doc, source, &storage, &stream, NULL) : LVL_ERR_MEMORY;
        if (status == LVL_OK)
            status = read_beyond(source, stream, &was, grid, &list);
        if (status == LVL_ERR_FORMAT)
            status = LVL_ERR_LOSS; /* a repair decides about these bytes */
        free(grid);
    }
    if (status == LVL_OK)
        status = lvl_chunk_encode(encoding, cells->ptr, place, &list, out);
    lvl_buffer_free(&storage);
    lvl_buffer_free(&list);
    return status;
}

lvl_status lvl_sketchy_put_chunk(const lvl_doc *doc, const lvl_sketchy_chunk *chunk, uint32_t size,
                                 unsigned encoding, const lvl_bytes *was, lvl_buffer *out)
{
    const lvl_chunk_place place = {chunk->x, chunk->y, size};
    lvl_buffer grid = {0};
    lvl_cells cells;

    lvl_status status = lvl_doc_cells(doc, chunk, LVL_FIELD(lvl_sketchy_chunk, pixels), &grid, &cells);
    if (status == LVL_ERR_FORMAT)
        status = LVL_OK; /* a broken chunk is empty */
    bool holds = was && !cells.ptr; /* an impossible size, so it cannot have been edited */
    if (status == LVL_OK && cells.ptr) {
        if (cells.width != size || cells.height != size || cells.size != 2)
            status = LVL_ERR_ARG;
        else if (was)
            status = lvl_chunk_describe(encoding, *was, &place, cells.ptr, &holds);
    }
    if (status == LVL_OK && holds)
        lvl_buffer_add(out, was->ptr, was->len);
    else if (status == LVL_OK && cells.ptr && size >= 1 && size <= LVL_SKETCHY_CHUNK_SIZE_MAX)
        status = encode(doc, chunk, encoding, &cells, &place, out);
    lvl_buffer_free(&grid);
    return status;
}

/* ---- a chunk as it is read ---------------------------------------------------------------------------- */

lvl_status lvl_sketchy_look(const lvl_doc *doc, const lvl_sketchy_chunk *chunk, uint32_t size,
                            uint32_t swatches, lvl_buffer *inflated, uint8_t *grid, lvl_chunk_look *out)
{
    const lvl_source *source = lvl_sketchy_source(doc, chunk->source);
    const size_t cells = (size_t)size * size;
    bool sound = true;

    memset(out, 0, sizeof *out);
    if (chunk->pixels.ptr && chunk->pixels.width == size && chunk->pixels.height == size &&
        chunk->pixels.size == 2) {
        memcpy(grid, chunk->pixels.ptr, cells * 2);
        out->report.most = UINT16_MAX;
    } else if (source && !chunk->pixels.ptr) {
        const lvl_chunk_place place = {source->x, source->y, size};
        lvl_bytes stream = {NULL, 0};
        lvl_status status = lvl_sketchy_source_bytes(doc, source, inflated, &stream, &sound);
        if (status == LVL_OK)
            status = lvl_chunk_decode(source->encoding, stream, &place, grid, &out->report);
        if (status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT)
            return status;
        if (status != LVL_OK) {
            memset(grid, 0xFF, cells * 2);
            out->report.bad = true;
        }
        out->encoded = true;
        out->unsound = !sound;
        out->encoding = source->encoding;
        out->report.partial = out->report.partial || source->cut;
    } else {
        memset(grid, 0xFF, cells * 2);
    }
    if (out->report.most < swatches)
        return LVL_OK;
    for (size_t i = 0; i < cells; i++) {
        const uint16_t index = lvl_load_u16le(grid + i * 2);
        if (index == LVL_SKETCHY_NONE || index < swatches)
            continue;
        if (!out->over++) {
            out->first_over = (uint32_t)i;
            out->over_index = index;
        }
    }
    return LVL_OK;
}
