/*
 * Data that an early end, or a size or list that is too small, hides in drawings is an error in the default
 * profile; repair recovers it or attaches it as a file, and an edit keeps it.
 */
#include "base/format.h"
#include "expect.h"
#include "base/cursor.h"
#include "codec/deflate.h"
#include "level_make.h"
#include "sketchy_make.h"
#include "sketchy_repairs.h"

#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char stray[] = "assets/recovered/trailing";

static lvl_buffer join(lvl_bytes a, lvl_bytes b)
{
    lvl_buffer out = {0};

    lvl_buffer_add(&out, a.ptr, a.len);
    lvl_buffer_add(&out, b.ptr, b.len);
    assert_int_equal(out.status, LVL_OK);
    return out;
}

/* The document's text, and the file with another text in its place. */
static lvl_buffer document_of(const lvl_buffer *file)
{
    lvl_doc *doc = lvl_read_drawing(lvl_view(file));
    const lvl_text json = lvl_drawn(doc)->json;
    lvl_buffer out = join((lvl_bytes){(const uint8_t *)json.ptr, json.len}, (lvl_bytes){NULL, 0});

    lvl_doc_free(doc);
    return out;
}

static lvl_buffer with_document(const lvl_buffer *file, unsigned generation, uint8_t kind, lvl_bytes json)
{
    const char *name = kind == LVL_SKETCHY_DOODAD ? "doodad.json" : "level.json";
    lvl_buffer out = {0};

    if (generation == LVL_SKETCHY_V1)
        return join(json, (lvl_bytes){NULL, 0});
    if (generation >= LVL_SKETCHY_V3)
        return lvl_rezipped(file, name, name, json);
    assert_int_equal(lvl_deflate(LVL_WRAP_GZIP, json, &out), LVL_OK);
    return out;
}

static size_t errors_of(lvl_bytes bytes, const char *id)
{
    lvl_verdict verdict;
    lvl_findings *found = lvl_check_drawing(bytes, &verdict);
    size_t n = 0;

    for (size_t i = 0; i < lvl_findings_count(found); i++)
        n += lvl_findings_at(found, i)->severity >= LVL_ERROR &&
             !strcmp(lvl_findings_at(found, i)->def->id, id);
    lvl_findings_free(found);
    return n;
}

/* Px that both have, of those that the first has. */
static uint32_t common_pixels(const lvl_doc *a, const lvl_doc *b, uint32_t layer)
{
    enum { SIDE = 5 * LVL_REPAIRS_SIZE };
    static uint32_t grids[2][SIDE * SIDE];
    const lvl_doc *const docs[] = {a, b};
    const lvl_field *field = lvl_table_at(&lvl_sketchy_chunk_table, offsetof(lvl_sketchy_chunk, pixels));
    uint32_t n = 0;

    if (layer >= lvl_drawn(b)->layer_count)
        return 0;
    memset(grids, 0xFF, sizeof grids);
    for (unsigned d = 0; d < 2; d++) {
        const lvl_sketchy_layer *l = &lvl_drawn(docs[d])->layers[layer];
        for (uint32_t i = 0; i < l->chunk_count; i++) {
            lvl_buffer storage = {0};
            lvl_cells cells;
            assert_int_equal(lvl_doc_cells(docs[d], &l->chunks[i], field, &storage, &cells), LVL_OK);
            for (uint32_t k = 0; cells.ptr && k < cells.width * cells.height; k++) {
                const int64_t x = (int64_t)l->chunks[i].x * l->size + k % cells.width + LVL_REPAIRS_SIZE;
                const int64_t y = (int64_t)l->chunks[i].y * l->size + k / cells.width;
                const uint32_t index = lvl_cell(&cells, k % cells.width, k / cells.width);
                if (index != LVL_REPAIRS_NONE && x >= 0 && y >= 0 && x < SIDE && y < SIDE)
                    grids[d][y * SIDE + x] = index;
            }
            lvl_buffer_free(&storage);
        }
    }
    for (size_t i = 0; i < SIDE * SIDE; i++)
        n += grids[0][i] != UINT32_MAX && grids[0][i] == grids[1][i];
    return n;
}

static lvl_doc *repaired(lvl_bytes bytes)
{
    lvl_buffer out = {0};

    lvl_findings_free(lvl_repair_drawing(bytes, &out));
    lvl_expect_sound(lvl_view(&out));
    lvl_doc *doc = lvl_read_drawing(lvl_view(&out));
    lvl_buffer_free(&out);
    return doc;
}

static lvl_doc *edited(lvl_bytes bytes)
{
    lvl_doc *doc = lvl_read_drawing(bytes);

    ((lvl_sketchy *)lvl_doc_root(doc))->title = lvl_text_of("another");
    lvl_buffer out = lvl_file_of(doc);
    doc = lvl_read_drawing(lvl_view(&out));
    lvl_buffer_free(&out);
    return doc;
}

static void expect_same(const lvl_doc *was, const lvl_doc *now)
{
    const lvl_sketchy *a = lvl_drawn(was), *b = lvl_drawn(now);

    assert_int_equal(b->swatch_count, a->swatch_count);
    assert_int_equal(b->actor_count, a->actor_count);
    assert_int_equal(b->file_count, a->file_count);
    assert_int_equal(b->layer_count, a->layer_count);
    for (uint32_t i = 0; i < a->layer_count; i++)
        assert_int_equal(common_pixels(was, now, i), common_pixels(was, was, i));
}

/* "}{" in place of each comma of the document's root, and an additional bracket after each closing one. */
static void early_end(void **state)
{
    (void)state;
    for (unsigned g = LVL_SKETCHY_V1; g < LVL_SKETCHY_GENERATIONS; g++) {
        lvl_buffer file = lvl_file_of(lvl_make_sketch(&lvl_repair_ctx, g)), json = document_of(&file);
        lvl_doc *was = lvl_read_drawing(lvl_view(&file));
        unsigned long commas = 0, brackets = 0, px = 0, all = 0;
        int depth = 0;
        bool quoted = false;
        for (size_t i = 0; i < json.len; i++) {
            const char c = (char)json.data[i];
            quoted = quoted != (c == '"' && json.data[i - 1] != '\\');
            depth += quoted ? 0 : (c == '{' || c == '[') - (c == '}' || c == ']');
            const bool comma = !quoted && depth == 1 && c == ',';
            if (!comma && (quoted || c != '}' || !depth))
                continue;
            lvl_buffer odd =
                join((lvl_bytes){json.data, comma ? i : i + 1}, lvl_bytes_of(comma ? "}{" : "}"));
            lvl_buffer_add(&odd, json.data + i + 1, json.len - i - 1);
            lvl_buffer made = with_document(&file, g, LVL_SKETCHY_LEVEL, lvl_view(&odd));
            assert_int_equal(errors_of(lvl_view(&made), "sketchy.json.broken"), 1);
            lvl_doc *now = repaired(lvl_view(&made));
            if (comma)
                expect_same(was, now);
            px += common_pixels(was, now, 0);
            all += common_pixels(was, was, 0);
            commas += comma;
            brackets += !comma;
            lvl_doc_free(now);
            now = edited(lvl_view(&made));
            if (comma) {
                ((lvl_sketchy *)lvl_doc_root(now))->title = lvl_drawn(was)->title;
                expect_same(was, now);
            }
            lvl_doc_free(now);
            lvl_buffer_free(&made);
            lvl_buffer_free(&odd);
        }
        printf("%s: %lu documents end early, %lu have a bracket too much: %lu of %lu px are back\n",
               lvl_sketchy_generation_name(g), commas, brackets, px, all);
        assert_true(commas > 10 && brackets > 10);
        assert_int_equal(px, all);
        lvl_doc_free(was);
        lvl_buffer_free(&json);
        lvl_buffer_free(&file);
    }
}

static void expect_attached(const lvl_doc *was, const lvl_doc *now, lvl_bytes bytes)
{
    const lvl_field *data = lvl_table_at(&lvl_sketchy_file_table, offsetof(lvl_sketchy_file, data));
    const lvl_sketchy *d = lvl_drawn(now);
    lvl_buffer storage = {0};
    lvl_bytes got = {NULL, 0};

    assert_true(lvl_text_equal(d->title, lvl_drawn(was)->title));
    for (uint32_t i = 0; i < d->file_count; i++) {
        if (lvl_text_is(d->files[i].path, stray))
            assert_int_equal(lvl_doc_bytes(now, &d->files[i], data, &storage, &got), LVL_OK);
    }
    assert_int_equal(got.len, bytes.len);
    assert_memory_equal(got.ptr, bytes.ptr, bytes.len);
    lvl_buffer_free(&storage);
}

/* What follows a document is another document, or none at all. */
static void behind_the_end(void **state)
{
    static const char *const tails[] = {"{\"version\":1,\"title\":\"another\"}", "some words", "\0x"};

    (void)state;
    for (unsigned g = LVL_SKETCHY_V1; g < LVL_SKETCHY_GENERATIONS; g++) {
        lvl_buffer file = lvl_file_of(lvl_make_sketch(&lvl_repair_ctx, g)), json = document_of(&file);
        lvl_doc *was = lvl_read_drawing(lvl_view(&file));
        const char *id = g == LVL_SKETCHY_V1 ? "sketchy.json.trailing" : "sketchy.trailing";
        for (size_t i = 0; i < LVL_COUNT_OF(tails); i++) {
            const lvl_bytes tail = {(const uint8_t *)tails[i], i == 2 ? 2 : strlen(tails[i])};
            lvl_buffer odd = join(lvl_view(&json), tail);
            lvl_buffer made = with_document(&file, g, LVL_SKETCHY_LEVEL, lvl_view(&odd));
            assert_int_equal(errors_of(lvl_view(&made), id), 1);
            lvl_doc *now = repaired(lvl_view(&made));
            expect_attached(was, now, tail);
            lvl_doc_free(now);
            lvl_doc *kept = edited(lvl_view(&made));
            assert_true(lvl_drawn(kept)->json.len > tail.len);
            assert_memory_equal(lvl_drawn(kept)->json.ptr + lvl_drawn(kept)->json.len - tail.len, tail.ptr,
                                tail.len);
            lvl_doc_free(kept);
            lvl_buffer_free(&odd);
            lvl_buffer_free(&made);
        }
        lvl_doc_free(was);
        lvl_buffer_free(&json);
        lvl_buffer_free(&file);
    }
}

static void behind_gzip(void **state)
{
    static const uint8_t zeros[512];
    lvl_buffer file = lvl_file_of(lvl_make_sketch(&lvl_repair_ctx, LVL_SKETCHY_V2)), second = {0};
    lvl_doc *was = lvl_read_drawing(lvl_view(&file));

    (void)state;
    lvl_buffer made = join(lvl_view(&file), lvl_bytes_of("some words"));
    assert_int_equal(errors_of(lvl_view(&made), "sketchy.trailing"), 1);
    lvl_doc *now = repaired(lvl_view(&made));
    expect_attached(was, now, lvl_bytes_of("some words"));
    lvl_doc_free(now);
    now = edited(lvl_view(&made));
    assert_int_equal(lvl_drawn(now)->after.len, 10);
    lvl_doc_free(now);
    lvl_buffer_free(&made);
    /* a second member that is a document */
    const lvl_bytes other = lvl_bytes_of("{\"version\":1,\"title\":\"another\"}");
    assert_int_equal(lvl_deflate(LVL_WRAP_GZIP, other, &second), LVL_OK);
    made = join(lvl_view(&file), lvl_view(&second));
    assert_int_equal(errors_of(lvl_view(&made), "sketchy.trailing"), 1);
    now = repaired(lvl_view(&made));
    expect_attached(was, now, other);
    lvl_doc_free(now);
    lvl_buffer_free(&made);
    /* zeros, as tapes and blocks leave them, hide nothing */
    made = join(lvl_view(&file), (lvl_bytes){zeros, sizeof zeros});
    lvl_expect_sound(lvl_view(&made));
    lvl_buffer_free(&made);
    lvl_buffer_free(&second);
    lvl_buffer_free(&file);
    lvl_doc_free(was);
}

/* A chunk's object that ends, or breaks off, in front of entries. */
static void chunk_ends_early(void **state)
{
    static const struct {
        const char *text;
        uint32_t pixels;
        bool error;
    } chunks[] = {
        {"{\"type\":0,\"data\":{\"1,1\":0}}{\"2,2\":1,\"3,3\":2}", 3, true},
        {"{\"type\":0,\"data\":{\"1,1\":0}},\"2,2\":1,\"3,3\":2}}", 3, true},
        {"{\"type\":0,\"data\":{\"1,1\":0}\"2,2\":1,\"3,3\":2}}", 3, true},
        {"{\"type\":0,\"data\":{\"1,1\":0,\"2,2\":x,\"3,3\":2}}", 2, true},
        {"{\"type\":0,\"data\":{\"1,1\":0}}{\"1,1\":2}", 1, true},
        {"{\"type\":0,\"data\":{\"1,1\":0}} some words", 1, true},
        {"{\"type\":0,\"data\":{\"1,1\":0,\"2,2\":1}}\n", 2, false},
        {"{\"type\":0,\"data\":{\"1,1\":0,\"2,2\":1,\"3,", 2, false},
    };
    lvl_buffer file = lvl_file_of(lvl_make_sketch(&lvl_repair_ctx, LVL_SKETCHY_V3));

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(chunks); i++) {
        lvl_buffer made =
            lvl_rezipped(&file, "chunks/0/0,0.json", "chunks/0/0,0.json", lvl_bytes_of(chunks[i].text));
        assert_int_equal(errors_of(lvl_view(&made), "sketchy.chunk.unreadable"), chunks[i].error);
        lvl_doc *now = repaired(lvl_view(&made));
        uint32_t n = 0;
        for (int32_t k = 1; k <= 3; k++)
            n += lvl_pixel(now, 0, k, k) == (uint32_t)k - 1;
        assert_int_equal(n, chunks[i].pixels);
        lvl_doc_free(now);
        lvl_buffer_free(&made);
    }
    lvl_buffer_free(&file);
}

/* A doodad whose list of layers is shorter than the numbers of its chunks. */
static void lost_layers(void **state)
{
    (void)state;
    for (unsigned g = LVL_SKETCHY_V3; g < LVL_SKETCHY_GENERATIONS; g++) {
        lvl_buffer file = lvl_file_of(lvl_make_doodad(&lvl_repair_ctx, g)), json = document_of(&file);
        lvl_doc *was = lvl_read_drawing(lvl_view(&file));
        lvl_buffer text = join(lvl_view(&json), (lvl_bytes){(const uint8_t *)"", 1});
        char *list = strstr((char *)text.data, "\"layers\":["), *comma;
        assert_int_equal(lvl_drawn(was)->layer_count, 2);
        assert_non_null(list);
        comma = strstr(list, "},{");
        assert_non_null(comma);
        char *end = strchr(comma, ']');
        assert_non_null(end);
        memmove(comma + 1, end, strlen(end) + 1);
        lvl_buffer made = with_document(&file, g, LVL_SKETCHY_DOODAD, lvl_bytes_of((char *)text.data));
        assert_int_equal(errors_of(lvl_view(&made), "sketchy.doodad.layers"), 1);
        lvl_doc *now = repaired(lvl_view(&made));
        expect_same(was, now);
        lvl_doc_free(now);
        now = edited(lvl_view(&made));
        expect_same(was, now);
        lvl_doc_free(now);
        lvl_doc_free(was);
        lvl_buffer_free(&made);
        lvl_buffer_free(&text);
        lvl_buffer_free(&json);
        lvl_buffer_free(&file);
    }
}

/* Each size that the chunks are not of. */
static void wrong_size(void **state)
{
    (void)state;
    for (unsigned g = LVL_SKETCHY_V1; g < LVL_SKETCHY_GENERATIONS; g++) {
        lvl_buffer file = lvl_file_of(lvl_make_sketch(&lvl_repair_ctx, g)), json = document_of(&file);
        lvl_doc *was = lvl_read_drawing(lvl_view(&file));
        unsigned long tried = 0, reported = 0, px = 0, all = 0;
        for (unsigned size = 1; size <= 255; size += size < 20 ? 1 : 47) {
            char with[40];
            if (size == LVL_REPAIRS_SIZE)
                continue;
            snprintf(with, sizeof with, "\"chunks\":{\"size\":%u", size);
            lvl_buffer odd = lvl_replaced(&json, "\"chunks\":{\"size\":16", with);
            lvl_buffer made = with_document(&file, g, LVL_SKETCHY_LEVEL, lvl_view(&odd));
            lvl_doc *now = repaired(lvl_view(&made));
            tried++;
            reported += errors_of(lvl_view(&made), "sketchy.chunk.size") == 1;
            px += common_pixels(was, now, 0);
            all += common_pixels(was, was, 0);
            lvl_doc_free(now);
            lvl_buffer_free(&odd);
            lvl_buffer_free(&made);
        }
        printf("%s: %lu sizes, %lu are errors: %lu of %lu px are back\n", lvl_sketchy_generation_name(g),
               tried, reported, px, all);
        assert_int_equal(px, all);
        assert_true(reported * 10 >= tried * 9); /* what fits is no error */
        lvl_doc_free(was);
        lvl_buffer_free(&json);
        lvl_buffer_free(&file);
    }
}

/* A drawing without its last chunk keeps its generation, so that it can be written. */
static void emptied(void **state)
{
    const char *paths[] = {"layers[0].chunks[*]"};

    (void)state;
    for (unsigned g = LVL_SKETCHY_V1; g < LVL_SKETCHY_GENERATIONS; g++) {
        lvl_buffer file = lvl_file_of(lvl_make_sketch(&lvl_repair_ctx, g)), out = {0}, again = {0};
        lvl_doc *doc = lvl_read_drawing(lvl_view(&file));
        assert_int_equal(lvl_unset(doc, paths, 1, NULL, NULL), LVL_OK);
        assert_int_equal(lvl_write(doc, &out, NULL), LVL_OK);
        lvl_doc_free(doc);
        lvl_expect_sound(lvl_view(&out));
        doc = lvl_read_drawing(lvl_view(&out));
        assert_int_equal(lvl_drawn(doc)->generation, g);
        assert_int_equal(lvl_drawn(doc)->layers[0].chunk_count, 0);
        ((lvl_sketchy *)lvl_doc_root(doc))->title = lvl_text_of("another");
        assert_int_equal(lvl_write(doc, &again, NULL), LVL_OK);
        lvl_doc_free(doc);
        doc = lvl_read_drawing(lvl_view(&again));
        assert_int_equal(lvl_drawn(doc)->generation, g);
        lvl_doc_free(doc);
        lvl_buffer_free(&file);
        lvl_buffer_free(&out);
        lvl_buffer_free(&again);
    }
}

/* Where a directory begins, by the file's end record. */
static size_t directory_of(const lvl_buffer *file)
{
    return lvl_load_u32le(file->data + file->len - 22 + 16);
}

/* The zip with words inserted at that place; the directory is adjusted. */
static lvl_buffer with_words(const lvl_buffer *file, size_t at, const char *words)
{
    lvl_buffer out = join((lvl_bytes){file->data, at}, lvl_bytes_of(words));
    const uint32_t shift = (uint32_t)strlen(words);
    const size_t directory = directory_of(file);

    lvl_buffer_add(&out, file->data + at, file->len - at);
    assert_int_equal(out.status, LVL_OK);
    if (at > directory)
        return out;
    uint8_t *end = out.data + out.len - 22, *p = out.data + directory + shift;
    lvl_store_u32le(end + 16, (uint32_t)directory + shift);
    for (; p < end; p += 46 + (size_t)lvl_load_u16le(p + 28)) {
        if (lvl_load_u32le(p + 42) >= at)
            lvl_store_u32le(p + 42, lvl_load_u32le(p + 42) + shift);
    }
    return out;
}

/* Words between two members of a zip, before its directory, and after the end. */
static void between_members(void **state)
{
    static const char words[] = "some words", zeros[] = "   \n  ";

    (void)state;
    for (unsigned g = LVL_SKETCHY_V3; g < LVL_SKETCHY_GENERATIONS; g++) {
        lvl_buffer file = lvl_file_of(lvl_make_sketch(&lvl_repair_ctx, g));
        lvl_doc *was = lvl_read_drawing(lvl_view(&file));
        const size_t directory = directory_of(&file);
        const uint8_t *second = file.data + directory + 46 + lvl_load_u16le(file.data + directory + 28);
        const size_t places[] = {lvl_load_u32le(second + 42), directory, file.len};
        for (size_t i = 0; i < LVL_COUNT_OF(places); i++) {
            lvl_buffer made = with_words(&file, places[i], words);
            assert_int_equal(errors_of(lvl_view(&made), "sketchy.trailing"), 1);
            lvl_doc *now = repaired(lvl_view(&made));
            expect_attached(was, now, lvl_bytes_of(words));
            lvl_doc_free(now);
            lvl_doc *doc = lvl_read_drawing(lvl_view(&made));
            ((lvl_sketchy *)lvl_doc_root(doc))->title = lvl_text_of("another");
            lvl_buffer out = lvl_file_of(doc);
            assert_int_equal(errors_of(lvl_view(&out), "sketchy.trailing"), 1);
            lvl_buffer_free(&out);
            lvl_buffer_free(&made);
            made = with_words(&file, places[i], zeros); /* hides nothing */
            assert_int_equal(errors_of(lvl_view(&made), "sketchy.trailing"), 0);
            lvl_buffer_free(&made);
        }
        lvl_doc_free(was);
        lvl_buffer_free(&file);
    }
}

/* Numbers of more bytes than any number has, in front of more pixels. */
static void long_numbers(void **state)
{
    static const uint8_t list[] = {0,    2,    2,    0,    0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
                                   0x80, 0x80, 0x80, 0x80, 1,    4,    1,    6,    6,    2},
                         runs[] = {1,    0,    2,    1,    0x80, 0x80, 0x80, 0x80, 0x80,
                                   0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1,    2,    3};
    lvl_buffer file = lvl_file_of(lvl_make_sketch(&lvl_repair_ctx, LVL_SKETCHY_V3_1));

    (void)state;
    lvl_buffer made =
        lvl_rezipped(&file, "chunks/0/0,0.bin", "chunks/0/0,0.bin", (lvl_bytes){list, sizeof list});
    assert_int_equal(errors_of(lvl_view(&made), "sketchy.pixel.broken"), 1);
    lvl_doc *now = repaired(lvl_view(&made));
    assert_int_equal(lvl_pixel(now, 0, 1, 1), 0);
    assert_int_equal(lvl_pixel(now, 0, 3, 3), 2);
    lvl_doc_free(now);
    lvl_buffer_free(&made);
    lvl_buffer_free(&file);
    file = lvl_file_of(lvl_make_sketch(&lvl_repair_ctx, LVL_SKETCHY_V4));
    made = lvl_rezipped(&file, "chunks/0/0,0.bin", "chunks/0/0,0.bin", (lvl_bytes){runs, sizeof runs});
    assert_int_equal(errors_of(lvl_view(&made), "sketchy.chunk.unreadable"), 1);
    now = repaired(lvl_view(&made));
    assert_int_equal(lvl_pixel(now, 0, 1, 0), 0);
    lvl_doc_free(now);
    lvl_buffer_free(&made);
    lvl_buffer_free(&file);
}

/* A pixel is changed in chunks of which the size that is declared shows a part:
 * the others are kept, or the change is refused. */
static void edit_of_a_part(void **state)
{
    (void)state;
    for (unsigned g = LVL_SKETCHY_V1; g < LVL_SKETCHY_GENERATIONS; g++) {
        lvl_buffer file = lvl_file_of(lvl_make_sketch(&lvl_repair_ctx, g)), json = document_of(&file);
        lvl_doc *was = lvl_read_drawing(lvl_view(&file));
        lvl_buffer odd = lvl_replaced(&json, "\"chunks\":{\"size\":16", "\"chunks\":{\"size\":8"), out = {0};
        lvl_buffer made = with_document(&file, g, LVL_SKETCHY_LEVEL, lvl_view(&odd));
        lvl_doc *doc = lvl_read_drawing(lvl_view(&made));
        assert_int_equal(lvl_doc_open(doc), LVL_OK);
        const lvl_sketchy_layer *layer = &lvl_drawn(doc)->layers[0];
        unsigned changed = 0;
        for (uint32_t i = 0; i < layer->chunk_count; i++) {
            const lvl_cells *cells = &layer->chunks[i].pixels;
            uint8_t *p = (uint8_t *)(uintptr_t)cells->ptr;
            for (uint32_t k = 0; p && k < cells->width * cells->height; k++) {
                if (lvl_load_u16le(p + (size_t)k * 2) != LVL_SKETCHY_NONE)
                    continue;
                lvl_store_u16le(p + (size_t)k * 2, 0);
                changed++;
                break;
            }
        }
        assert_true(changed > 0);
        lvl_findings *why = lvl_findings_new(lvl_doc_ctx(doc));
        const lvl_status status = lvl_write(doc, &out, why);
        if (g == LVL_SKETCHY_V4) {
            assert_int_equal(status, LVL_ERR_LOSS);
            assert_int_equal(lvl_findings_count(why), 1);
            assert_string_equal(lvl_findings_at(why, 0)->def->id, "lvl.write.hidden");
            lvl_expect_in(lvl_findings_at(why, 0)->text, "lvl repair");
            /* the reason is also reported after existing findings */
            assert_int_equal(lvl_write(doc, &out, why), LVL_ERR_LOSS);
            assert_int_equal(lvl_findings_count(why), 2);
        } else {
            assert_int_equal(status, LVL_OK);
            lvl_doc *now = repaired(lvl_view(&out));
            printf("%s: %u chunks changed, %u of %u px are back\n", lvl_sketchy_generation_name(g), changed,
                   common_pixels(was, now, 0), common_pixels(was, was, 0));
            assert_int_equal(common_pixels(was, now, 0), common_pixels(was, was, 0));
            lvl_doc_free(now);
        }
        lvl_findings_free(why);
        lvl_doc_free(doc);
        lvl_doc_free(was);
        lvl_buffer_free(&out);
        lvl_buffer_free(&odd);
        lvl_buffer_free(&made);
        lvl_buffer_free(&json);
        lvl_buffer_free(&file);
    }
}

/* A pixel is painted in a chunk that lists more than its grid can hold: the change is refused, since that
 * part would be lost; other changes are written and keep it. */
static void edit_beside_broken_entries(void **state)
{
    static const char *const broken[] = {
        "\"data\":{\"zz\":3,",
        "\"data\":{\"3,3\":\"red\",",
        "\"data\":{\"-1,46\":70000,",
        "\"data\":\"no base64\",\"was\":{",
    };
    static const char *const paint[] = {"layers[0].chunks[-16,32 -1,47]=1"}, *const title[] = {"title=New"};

    (void)state;
    for (unsigned g = LVL_SKETCHY_V1; g <= LVL_SKETCHY_V2; g++) {
        lvl_buffer file = lvl_file_of(lvl_make_sketch(&lvl_repair_ctx, g)), json = document_of(&file);
        for (size_t i = 0; i < LVL_COUNT_OF(broken); i++) {
            lvl_buffer odd = lvl_replaced(&json, "\"data\":{", broken[i]), out = {0}, text;
            lvl_buffer made = with_document(&file, g, LVL_SKETCHY_LEVEL, lvl_view(&odd));
            lvl_doc *doc = lvl_read_drawing(lvl_view(&made));
            lvl_findings *why = lvl_findings_new(lvl_doc_ctx(doc));
            assert_int_equal(lvl_set(doc, title, 1, NULL, NULL), LVL_OK);
            assert_int_equal(lvl_write(doc, &out, why), LVL_OK);
            text = document_of(&out);
            lvl_buffer_u8(&text, 0);
            lvl_expect_in((const char *)text.data, broken[i]);
            assert_int_equal(lvl_set(doc, paint, 1, NULL, NULL), LVL_OK);
            assert_int_equal(lvl_write(doc, &out, why), LVL_ERR_LOSS);
            assert_string_equal(lvl_findings_at(why, 0)->def->id, "lvl.write.hidden");
            lvl_findings_free(why);
            lvl_doc_free(doc);
            lvl_buffer_free(&text);
            lvl_buffer_free(&out);
            lvl_buffer_free(&made);
            lvl_buffer_free(&odd);
        }
        lvl_buffer_free(&json);
        lvl_buffer_free(&file);
    }
}

/* A text above the limit is refused with the name of the limit, and no memory is allocated for it. */
static void large_text(void **state)
{
    lvl_usage usage = {0};
    lvl_ctx small = lvl_repair_ctx;

    (void)state;
    for (unsigned g = LVL_SKETCHY_V1; g <= LVL_SKETCHY_V2; g++) {
        lvl_doc *doc = lvl_make_sketch(&small, g);
        lvl_buffer out = {0};
        assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
        lvl_buffer_free(&out);
        usage = (lvl_usage){0};
        small.usage = &usage;
        small.limits.memory_bytes = 6 * 256; /* a document's share is 256 bytes */
        assert_int_equal(lvl_doc_write(doc, &out), LVL_ERR_LIMIT);
        assert_int_equal(usage.limit, LVL_LIMIT_MEMORY);
        small.limits.memory_bytes = 0;
        assert_true(out.cap <= 4096);
        lvl_buffer_free(&out);
        lvl_doc_free(doc);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(early_end),
        cmocka_unit_test(behind_the_end),
        cmocka_unit_test(behind_gzip),
        cmocka_unit_test(chunk_ends_early),
        cmocka_unit_test(lost_layers),
        cmocka_unit_test(wrong_size),
        cmocka_unit_test(emptied),
        cmocka_unit_test(between_members),
        cmocka_unit_test(long_numbers),
        cmocka_unit_test(edit_of_a_part),
        cmocka_unit_test(edit_beside_broken_entries),
        cmocka_unit_test(large_text),
    };

    lvl_ctx_init(&lvl_repair_ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
