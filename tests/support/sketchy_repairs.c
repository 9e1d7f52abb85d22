/*
 * support/sketchy_repairs.c: see sketchy_repairs.h.
 */
#include "sketchy_repairs.h"

#include "container/zip.h"
#include "level_make.h"
#include "sketchy_make.h"

#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

lvl_ctx lvl_repair_ctx;

lvl_bytes lvl_view(const lvl_buffer *b)
{
    return (lvl_bytes){b->data, b->len};
}

lvl_bytes lvl_bytes_of(const char *text)
{
    return (lvl_bytes){(const uint8_t *)text, strlen(text)};
}

lvl_buffer lvl_file_of(lvl_doc *doc)
{
    lvl_buffer out = {0};

    assert_true(lvl_make_file(doc, &out));
    return out;
}

lvl_doc *lvl_read_drawing(lvl_bytes bytes)
{
    lvl_doc *doc = NULL;

    assert_int_equal(lvl_read(&doc, &lvl_repair_ctx, NULL, bytes, "x.level", 0, NULL), LVL_OK);
    return doc;
}

const lvl_sketchy *lvl_drawn(const lvl_doc *doc)
{
    return lvl_doc_croot(doc);
}

lvl_findings *lvl_check_drawing(lvl_bytes bytes, lvl_verdict *verdict)
{
    lvl_findings *found = lvl_findings_new(&lvl_repair_ctx);
    lvl_check_result result;

    assert_int_equal(lvl_check(&lvl_repair_ctx, NULL, bytes, "x.level", NULL, found, &result, NULL), LVL_OK);
    *verdict = result.verdict;
    return found;
}

void lvl_expect_sound(lvl_bytes bytes)
{
    lvl_verdict verdict;
    lvl_findings *found = lvl_check_drawing(bytes, &verdict);

    for (size_t i = 0; verdict != LVL_SOUND && i < lvl_findings_count(found); i++)
        fprintf(stderr, "%s: %s\n", lvl_findings_at(found, i)->def->id, lvl_findings_at(found, i)->text);
    assert_int_equal(verdict, LVL_SOUND);
    lvl_findings_free(found);
}

lvl_findings *lvl_repair_drawing(lvl_bytes bytes, lvl_buffer *out)
{
    lvl_findings *changes = lvl_findings_new(&lvl_repair_ctx);
    lvl_doc *doc = lvl_read_drawing(bytes);
    const lvl_status status = lvl_repair(doc, &(lvl_repair_options){.normalize = true}, changes, out);

    for (size_t i = 0; status != LVL_OK && i < lvl_findings_count(changes); i++)
        fprintf(stderr, "%s: %s\n", lvl_findings_at(changes, i)->def->id, lvl_findings_at(changes, i)->text);
    assert_int_equal(status, LVL_OK);
    lvl_doc_free(doc);
    return changes;
}

lvl_doc *lvl_test_repairs(lvl_bytes bytes, const char *id, size_t times)
{
    lvl_verdict verdict;
    lvl_buffer out = {0};

    lvl_findings *found = lvl_check_drawing(bytes, &verdict);
    if (lvl_count_of(found, id) != times)
        fprintf(stderr, "%s: %zu times, not %zu\n", id, lvl_count_of(found, id), times);
    assert_int_equal(lvl_count_of(found, id), times);
    lvl_findings_free(found);
    lvl_findings *changes = lvl_repair_drawing(bytes, &out);
    assert_true(lvl_count_of(changes, id) >= 1);
    lvl_findings_free(changes);
    lvl_expect_sound(lvl_view(&out));
    lvl_doc *doc = lvl_read_drawing(lvl_view(&out));
    lvl_buffer_free(&out);
    return doc;
}

uint32_t lvl_pixel(const lvl_doc *doc, uint32_t layer, int32_t x, int32_t y)
{
    const lvl_field *field = lvl_table_at(&lvl_sketchy_chunk_table, offsetof(lvl_sketchy_chunk, pixels));
    const lvl_sketchy_layer *l = &lvl_drawn(doc)->layers[layer];
    uint32_t index = LVL_REPAIRS_NONE;

    for (uint32_t i = 0; i < l->chunk_count; i++) {
        const lvl_sketchy_chunk *c = &l->chunks[i];
        const int32_t left = c->x * (int32_t)l->size, top = c->y * (int32_t)l->size;
        lvl_buffer storage = {0};
        lvl_cells cells;
        if (x < left || y < top || x >= left + (int32_t)l->size || y >= top + (int32_t)l->size)
            continue;
        assert_int_equal(lvl_doc_cells(doc, c, field, &storage, &cells), LVL_OK);
        index = lvl_cell(&cells, (uint32_t)(x - left), (uint32_t)(y - top));
        lvl_buffer_free(&storage);
    }
    return index;
}

uint32_t lvl_count_pixels(const lvl_doc *doc)
{
    uint32_t n = 0;

    for (int32_t y = 0; y < 4 * LVL_REPAIRS_SIZE; y++) {
        for (int32_t x = -LVL_REPAIRS_SIZE; x < 4 * LVL_REPAIRS_SIZE; x++)
            n += lvl_pixel(doc, 0, x, y) != LVL_REPAIRS_NONE;
    }
    return n;
}

void lvl_set_pixel(lvl_doc *doc, uint32_t chunk, uint32_t x, uint32_t y, uint16_t index)
{
    lvl_sketchy *d = lvl_doc_root(doc);
    uint8_t *p = (uint8_t *)(uintptr_t)d->layers[0].chunks[chunk].pixels.ptr + (y * LVL_REPAIRS_SIZE + x) * 2;

    p[0] = (uint8_t)index;
    p[1] = (uint8_t)(index >> 8);
}

lvl_buffer lvl_replaced(const lvl_buffer *from, const char *what, const char *with)
{
    const size_t n = strlen(what);
    lvl_buffer out = {0};
    size_t at = 0;

    while (at + n <= from->len && memcmp(from->data + at, what, n) != 0)
        at++;
    assert_true(at + n <= from->len);
    lvl_buffer_add(&out, from->data, at);
    lvl_buffer_str(&out, with);
    lvl_buffer_add(&out, from->data + at + n, from->len - at - n);
    return out;
}

lvl_buffer lvl_rezipped(const lvl_buffer *from, const char *without, const char *with, lvl_bytes content)
{
    lvl_buffer out = {0};
    lvl_zip_writer w;
    lvl_arena arena;
    lvl_zip zip;

    lvl_arena_init(&arena, &lvl_repair_ctx);
    assert_int_equal(lvl_zip_read(&arena, &lvl_repair_ctx, lvl_view(from), &zip), LVL_OK);
    lvl_zip_begin(&w, NULL, &out);
    if (with)
        lvl_zip_put_new(&w, lvl_text_of(with), content);
    for (uint32_t i = 0; i < zip.count; i++) {
        if (!without || !lvl_text_is(zip.members[i].name, without))
            lvl_zip_put_member(&w, &zip.members[i]);
    }
    assert_int_equal(lvl_zip_end(&w, NULL), LVL_OK);
    lvl_arena_free(&arena);
    return out;
}
