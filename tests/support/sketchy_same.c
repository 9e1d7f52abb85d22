/*
 * support/sketchy_same.c: whether two drawings are the same.
 */
#include "sketchy_same.h"

#include "base/format.h"
#include "codec/deflate.h"

bool lvl_sketchy_picture(const lvl_doc *doc, uint64_t *picture, uint64_t *pixels)
{
    const lvl_field *field = lvl_table_at(&lvl_sketchy_chunk_table, offsetof(lvl_sketchy_chunk, pixels));
    const lvl_sketchy *d = doc->root;
    lvl_buffer storage = {0};
    lvl_status status = LVL_OK;

    *picture = *pixels = 0;
    for (uint32_t i = 0; i < d->layer_count; i++) {
        for (uint32_t k = 0; k < d->layers[i].chunk_count && status == LVL_OK; k++) {
            const lvl_sketchy_chunk *c = &d->layers[i].chunks[k];
            uint64_t drawn = 0;
            lvl_cells cells;
            status = lvl_doc_cells(doc, c, field, &storage, &cells);
            if (status == LVL_ERR_FORMAT)
                status = LVL_OK;
            const size_t n = status == LVL_OK && cells.ptr ? (size_t)cells.width * cells.height : 0;
            for (size_t p = 0; p < n; p++)
                drawn += cells.ptr[p * 2] != 0xFF || cells.ptr[p * 2 + 1] != 0xFF;
            if (!drawn)
                continue;
            const uint32_t crc = lvl_crc32((lvl_bytes){cells.ptr, n * 2});
            uint64_t h = (uint64_t)i << 40 ^ (uint64_t)(uint32_t)c->x << 20 ^ (uint32_t)c->y;
            h = (h + cells.width) * UINT64_C(0x9E3779B97F4A7C15) ^
                (uint64_t)crc * UINT64_C(0xD6E8FEB86659FD93);
            *picture += h ^ h >> 29;
            *pixels += drawn;
        }
    }
    lvl_buffer_free(&storage);
    return status == LVL_OK;
}

bool lvl_sketchy_same_words(const lvl_doc *a, const lvl_doc *b)
{
    lvl_sketchy x = *(const lvl_sketchy *)a->root, y = *(const lvl_sketchy *)b->root;

    if (x.layer_count != y.layer_count)
        return false;
    for (uint32_t i = 0; i < x.layer_count; i++) {
        if (!lvl_text_equal(x.layers[i].name, y.layers[i].name) || x.layers[i].size != y.layers[i].size)
            return false;
    }
    x.layer_count = y.layer_count = x.file_count = y.file_count = 0;
    x.generation = y.generation;
    return lvl_record_equal(&x, &y, &lvl_sketchy_table);
}
