/*
 * Check and repair of drawings and packs: what is sound is left alone, in every generation; each kind of damage is found, and what can be had back is. The
 * repaired file is sound, and a second repair has nothing to do (lvl_repair sees to that itself).
 */
#include "base/format.h"
#include "container/zip.h"
#include "corpus.h"
#include "level_make.h"
#include "sketchy_make.h"

#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = 16, NONE = LVL_SKETCHY_NONE };

static lvl_ctx ctx;

static lvl_bytes view(const lvl_buffer *b)
{
    return (lvl_bytes){b->data, b->len};
}

static lvl_bytes bytes_of(const char *text)
{
    return (lvl_bytes){(const uint8_t *)text, strlen(text)};
}

static lvl_buffer file_of(lvl_doc *doc)
{
    lvl_buffer out = {0};

    assert_true(lvl_make_file(doc, &out));
    return out;
}

static lvl_doc *read_as(lvl_bytes bytes, const char *name)
{
    lvl_doc *doc = NULL;

    assert_int_equal(lvl_read(&doc, &ctx, NULL, bytes, name, 0, NULL), LVL_OK);
    return doc;
}

static lvl_doc *read_bytes(lvl_bytes bytes)
{
    return read_as(bytes, "x.level");
}

static const lvl_sketchy *drawing(const lvl_doc *doc)
{
    return lvl_doc_croot(doc);
}

static lvl_findings *check(lvl_bytes bytes, lvl_verdict *verdict)
{
    lvl_findings *found = lvl_findings_new(&ctx);
    lvl_check_result result;

    assert_int_equal(lvl_check(&ctx, NULL, bytes, "x.level", NULL, found, &result, NULL), LVL_OK);
    *verdict = result.verdict;
    return found;
}

static void expect_sound(lvl_bytes bytes)
{
    lvl_verdict verdict;
    lvl_findings *found = check(bytes, &verdict);

    for (size_t i = 0; verdict != LVL_SOUND && i < lvl_findings_count(found); i++)
        fprintf(stderr, "%s: %s\n", lvl_findings_at(found, i)->def->id, lvl_findings_at(found, i)->text);
    assert_int_equal(verdict, LVL_SOUND);
    lvl_findings_free(found);
}

/* Repairs into `out`; the changes. */
static lvl_findings *repair(lvl_bytes bytes, lvl_buffer *out)
{
    lvl_findings *changes = lvl_findings_new(&ctx);
    lvl_doc *doc = read_bytes(bytes);
    const lvl_status status = lvl_repair(doc, NULL, changes, out);

    for (size_t i = 0; status != LVL_OK && i < lvl_findings_count(changes); i++)
        fprintf(stderr, "%s: %s\n", lvl_findings_at(changes, i)->def->id, lvl_findings_at(changes, i)->text);
    assert_int_equal(status, LVL_OK);
    lvl_doc_free(doc);
    return changes;
}

/* The damage is found that often under that id and mended into a sound file, which is answered. */
static lvl_doc *mends(lvl_bytes bytes, const char *id, size_t times)
{
    lvl_verdict verdict;
    lvl_buffer out = {0};

    lvl_findings *found = check(bytes, &verdict);
    if (lvl_count_of(found, id) != times)
        fprintf(stderr, "%s: %zu times, not %zu\n", id, lvl_count_of(found, id), times);
    assert_int_equal(lvl_count_of(found, id), times);
    lvl_findings_free(found);
    lvl_findings *changes = repair(bytes, &out);
    assert_true(lvl_count_of(changes, id) >= 1);
    lvl_findings_free(changes);
    expect_sound(view(&out));
    lvl_doc *doc = read_bytes(view(&out));
    lvl_buffer_free(&out);
    return doc;
}

/* The index at a px of the world; NONE where nothing is. */
static uint32_t pixel(const lvl_doc *doc, uint32_t layer, int32_t x, int32_t y)
{
    const lvl_field *field = lvl_table_at(&lvl_sketchy_chunk_table, offsetof(lvl_sketchy_chunk, pixels));
    const lvl_sketchy_layer *l = &drawing(doc)->layers[layer];
    uint32_t index = NONE;

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

static uint32_t count_pixels(const lvl_doc *doc)
{
    uint32_t n = 0;

    for (int32_t y = 0; y < 4 * SIZE; y++) {
        for (int32_t x = -SIZE; x < 4 * SIZE; x++)
            n += pixel(doc, 0, x, y) != NONE;
    }
    return n;
}

static void set_pixel(lvl_doc *doc, uint32_t chunk, uint32_t x, uint32_t y, uint16_t index)
{
    lvl_sketchy *d = lvl_doc_root(doc);
    uint8_t *p = (uint8_t *)(uintptr_t)d->layers[0].chunks[chunk].pixels.ptr + (y * SIZE + x) * 2;

    p[0] = (uint8_t)index;
    p[1] = (uint8_t)(index >> 8);
}

/* The bytes with `with` put in place of the first `what`. */
static lvl_buffer replaced(const lvl_buffer *from, const char *what, const char *with)
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

/* The zip without the members of that name, and with one more. */
static lvl_buffer rezipped(const lvl_buffer *from, const char *without, const char *with, lvl_bytes content)
{
    lvl_buffer out = {0};
    lvl_zip_writer w;
    lvl_arena arena;
    lvl_zip zip;

    lvl_arena_init(&arena, &ctx);
    assert_int_equal(lvl_zip_read(&arena, &ctx, view(from), &zip), LVL_OK);
    lvl_zip_begin(&w, &out);
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

/* ---- what is sound ------------------------------------------------------------------------------------------------------------------- */

static void leave_alone(lvl_buffer file)
{
    lvl_buffer out = {0};

    expect_sound(view(&file));
    lvl_findings *changes = repair(view(&file), &out);
    assert_int_equal(lvl_findings_count(changes), 0);
    assert_int_equal(out.len, file.len);
    assert_memory_equal(out.data, file.data, out.len);
    lvl_findings_free(changes);
    lvl_buffer_free(&out);
    lvl_buffer_free(&file);
}

static void sound_ones_stay(void **state)
{
    (void)state;
    for (unsigned g = 0; g < LVL_SKETCHY_GENERATIONS; g++) {
        leave_alone(file_of(lvl_make_sketch(&ctx, g)));
        leave_alone(file_of(lvl_make_doodad(&ctx, g)));
    }
    leave_alone(file_of(lvl_make_pack(&ctx)));
}

static void generations_are_told(void **state)
{
    (void)state;
    for (unsigned g = 0; g < LVL_SKETCHY_GENERATIONS; g++) {
        lvl_buffer file = file_of(lvl_make_sketch(&ctx, g));
        lvl_verdict verdict;
        lvl_findings *found = check(view(&file), &verdict);
        assert_int_equal(lvl_count_of(found, "sketchy.drawing.head_save"), g <= LVL_SKETCHY_V2);
        assert_int_equal(lvl_count_of(found, "sketchy.drawing.head"), g == LVL_SKETCHY_V3);
        assert_int_equal(lvl_count_of(found, "sketchy.drawing.release"), g == LVL_SKETCHY_V4);
        assert_int_equal(lvl_count_of(found, "sketchy.pixel.lone_last"), 1);
        lvl_findings_free(found);
        lvl_buffer_free(&file);
    }
}

/* ---- pixels -------------------------------------------------------------------------------------------------------------------------- */

static void indices_out_of_range(void **state)
{
    (void)state;
    for (unsigned g = 0; g < LVL_SKETCHY_GENERATIONS; g++) {
        lvl_doc *doc = lvl_make_sketch(&ctx, g);
        assert_non_null(doc);
        set_pixel(doc, 0, 9, 9, 200);
        set_pixel(doc, 0, 3, 12, 4);
        const uint32_t before = count_pixels(doc);
        lvl_buffer file = file_of(doc);
        lvl_doc *mended = mends(view(&file), "sketchy.pixel.index", 1);
        assert_int_equal(pixel(mended, 0, 9, 9), NONE);
        assert_int_equal(pixel(mended, 0, 3, 12), NONE);
        assert_int_equal(pixel(mended, 0, 8, 8), 1);
        assert_int_equal(pixel(mended, 0, 4, 5), 0);
        assert_int_equal(pixel(mended, 0, -1, 47), 0);
        assert_int_equal(count_pixels(mended), before - 2);
        lvl_doc_free(mended);
        lvl_buffer_free(&file);
    }
}

static void phantom_pixels(void **state)
{
    lvl_buffer file = file_of(lvl_make_sketch(&ctx, LVL_SKETCHY_V1));
    lvl_buffer odd =
        replaced(&file, "\"-1,2\":{\"type\":0,\"data\":{", "\"-1,2\":{\"type\":0,\"data\":{\"0,0\":0,");

    (void)state;
    lvl_doc *mended = mends(view(&odd), "sketchy.pixel.phantom", 1);
    lvl_buffer out = {0};
    assert_int_equal(lvl_doc_write(mended, &out), LVL_OK);
    assert_int_equal(out.len, file.len);
    assert_memory_equal(out.data, file.data, file.len);
    lvl_doc_free(mended);
    lvl_buffer_free(&out);
    lvl_buffer_free(&odd);
    lvl_buffer_free(&file);
    /* as the game's own re-save leaves it in a list */
    static const uint8_t list[] = {0, 0, 0, 0, 31, 64, 2};
    file = file_of(lvl_make_sketch(&ctx, LVL_SKETCHY_V3_1));
    odd = rezipped(&file, "chunks/0/-1,2.bin", "chunks/0/-1,2.bin", (lvl_bytes){list, sizeof list});
    mended = mends(view(&odd), "sketchy.pixel.phantom", 1);
    assert_int_equal(pixel(mended, 0, -16, 32), 2);
    lvl_doc_free(mended);
    lvl_buffer_free(&odd);
    lvl_buffer_free(&file);
}

/* A v4 level with one chunk replaced. */
static lvl_buffer with_runs(lvl_bytes stream)
{
    lvl_buffer file = file_of(lvl_make_sketch(&ctx, LVL_SKETCHY_V4));
    lvl_buffer odd = rezipped(&file, "chunks/0/-1,2.bin", "chunks/0/-1,2.bin", stream);

    lvl_buffer_free(&file);
    return odd;
}

static void runs(void **state)
{
    static const uint8_t longer[] = {1, 1, 0xFF, 0x02}, huge[] = {1, 1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20},
                         partial[] = {1, 1, 0x80, 0x02, 9}, lost[] = {1, 1, 1, 0xFF, 0xFF, 3, 0xFE, 1},
                         shorter[] = {1, 2, 20};
    lvl_verdict verdict;

    (void)state;
    lvl_buffer file = with_runs((lvl_bytes){longer, sizeof longer});
    lvl_doc *mended = mends(view(&file), "sketchy.runs.long", 1);
    assert_int_equal(pixel(mended, 0, -16, 32), 1);
    assert_int_equal(pixel(mended, 0, 8, 8), 1);
    lvl_doc_free(mended);
    lvl_buffer_free(&file);
    file = with_runs((lvl_bytes){huge, sizeof huge});
    lvl_doc_free(mends(view(&file), "sketchy.runs.long", 1));
    lvl_buffer_free(&file);
    file = with_runs((lvl_bytes){partial, sizeof partial});
    lvl_doc_free(mends(view(&file), "sketchy.chunk.partial", 1));
    lvl_buffer_free(&file);
    file = with_runs((lvl_bytes){lost, sizeof lost});
    lvl_findings *found = check(view(&file), &verdict);
    assert_int_equal(lvl_count_of(found, "sketchy.runs.lost_pixel"), 1);
    lvl_findings_free(found);
    lvl_buffer_free(&file);
    file = with_runs((lvl_bytes){shorter, sizeof shorter});
    found = check(view(&file), &verdict);
    assert_int_equal(lvl_count_of(found, "sketchy.runs.short"), 1);
    assert_int_equal(verdict, LVL_SOUND);
    lvl_findings_free(found);
    lvl_buffer_free(&file);
}

static void unreadable_chunks(void **state)
{
    static const uint8_t grid[] = {2, 1, 2, 3};
    lvl_buffer file = with_runs((lvl_bytes){grid, sizeof grid});

    (void)state;
    lvl_doc *mended = mends(view(&file), "sketchy.chunk.unreadable", 1);
    assert_int_equal(drawing(mended)->layers[0].chunk_count, 2);
    assert_int_equal(pixel(mended, 0, 8, 8), 1);
    lvl_doc_free(mended);
    lvl_buffer_free(&file);
}

static void sizes(void **state)
{
    static const char *const bad[] = {"\"size\":0,", "\"size\":300,"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        lvl_doc *doc = lvl_make_sketch(&ctx, LVL_SKETCHY_V1);
        lvl_sketchy *d = lvl_doc_root(doc);
        lvl_sketchy_chunk *c = lvl_doc_alloc(doc, sizeof *c);
        uint8_t *grid = lvl_make_chunk(doc, c, "0,0", 0, 0, 128);
        assert_non_null(grid);
        grid[260] = 2;
        grid[261] = 0;
        d->layers[0].size = 128;
        d->layers[0].chunks = c;
        d->layers[0].chunk_count = 1;
        lvl_buffer file = file_of(doc), odd = replaced(&file, "\"size\":128,", bad[i]);
        lvl_doc *mended = mends(view(&odd), "sketchy.chunk.size", 1);
        assert_int_equal(pixel(mended, 0, 2, 1), 2);
        lvl_doc_free(mended);
        lvl_buffer_free(&odd);
        lvl_buffer_free(&file);
    }
}

/* ---- palette and actors -------------------------------------------------------------------------------------------------------------- */

static void doubled_palettes(void **state)
{
    (void)state;
    for (unsigned g = 0; g < LVL_SKETCHY_GENERATIONS; g++) {
        lvl_doc *doc = lvl_make_sketch(&ctx, g);
        lvl_sketchy *d = lvl_doc_root(doc);
        lvl_sketchy_swatch *list = lvl_doc_alloc(doc, 8 * sizeof *list);
        assert_non_null(list);
        for (uint32_t i = 0; i < 8; i++)
            list[i] = d->swatches[i / 2];
        d->swatches = list;
        d->swatch_count = 8;
        /* was 1, 2, 3: now the first or the second of each pair */
        set_pixel(doc, 0, 2, 5, 1);
        set_pixel(doc, 0, 3, 5, 4);
        set_pixel(doc, 0, 4, 5, 7);
        lvl_buffer file = file_of(doc);
        lvl_doc *mended = mends(view(&file), "sketchy.palette.double", 4);
        assert_int_equal(drawing(mended)->swatch_count, 4);
        assert_int_equal(pixel(mended, 0, 2, 5), 0);
        assert_int_equal(pixel(mended, 0, 3, 5), 2);
        assert_int_equal(pixel(mended, 0, 4, 5), 3);
        assert_true(drawing(mended)->swatches[0].solid && drawing(mended)->swatches[2].fire);
        lvl_doc_free(mended);
        lvl_buffer_free(&file);
    }
    /* doodads: the first four places mean something */
    lvl_doc *doc = lvl_make_doodad(&ctx, LVL_SKETCHY_V3_1);
    lvl_sketchy *d = lvl_doc_root(doc);
    d->swatches[1] = d->swatches[0];
    lvl_buffer file = file_of(doc), out = {0};
    lvl_findings *changes = repair(view(&file), &out);
    assert_int_equal(lvl_findings_count(changes), 0);
    lvl_findings_free(changes);
    lvl_buffer_free(&out);
    lvl_buffer_free(&file);
}

static size_t finds(lvl_doc *doc, const char *id, lvl_verdict *verdict)
{
    lvl_buffer file = file_of(doc);
    lvl_findings *found = check(view(&file), verdict);
    const size_t n = lvl_count_of(found, id);

    lvl_findings_free(found);
    lvl_buffer_free(&file);
    return n;
}

static void swatches(void **state)
{
    lvl_verdict verdict;

    (void)state;
    lvl_doc *doc = lvl_make_sketch(&ctx, LVL_SKETCHY_V3_1);
    lvl_sketchy *d = lvl_doc_root(doc);
    d->swatches[0].color = lvl_text_of("red");
    assert_int_equal(finds(doc, "sketchy.swatch.color", &verdict), 1);
    assert_int_equal(verdict, LVL_DAMAGED);
    doc = lvl_make_sketch(&ctx, LVL_SKETCHY_V3_1);
    d = lvl_doc_root(doc);
    d->swatches[0].color = lvl_text_of("#10203080");
    d->swatches[1].color = lvl_text_of("fff");
    d->swatches[2].color = lvl_text_of("102030FF");
    assert_int_equal(finds(doc, "sketchy.swatch.alpha", &verdict), 1);
    assert_int_equal(verdict, LVL_SOUND);
    doc = lvl_make_sketch(&ctx, LVL_SKETCHY_V2);
    d = lvl_doc_root(doc);
    d->swatches[3].pattern = lvl_text_of("perlin.png");
    assert_int_equal(finds(doc, "sketchy.swatch.pattern", &verdict), 1);
    doc = lvl_make_sketch(&ctx, LVL_SKETCHY_V2);
    d = lvl_doc_root(doc);
    d->wallpaper = lvl_text_of("mine.png");
    assert_int_equal(finds(doc, "sketchy.level.wallpaper", &verdict), 1);
    doc = lvl_make_sketch(&ctx, LVL_SKETCHY_V3_1);
    d = lvl_doc_root(doc);
    d->wallpaper = lvl_text_of("own.b64img");
    assert_int_equal(finds(doc, "sketchy.level.wallpaper", &verdict), 0);
    for (uint32_t count = 256; count < 259; count++) {
        doc = lvl_make_sketch(&ctx, LVL_SKETCHY_V4);
        d = lvl_doc_root(doc);
        lvl_sketchy_swatch *list = lvl_doc_alloc(doc, count * sizeof *list);
        for (uint32_t i = 0; i < count; i++) {
            char color[8];
            snprintf(color, sizeof color, "#%06x", (unsigned)i);
            list[i] = d->swatches[i % 4];
            list[i].color = lvl_doc_text(doc, lvl_text_of(color));
        }
        d->swatches = list;
        d->swatch_count = count;
        assert_int_equal(
            finds(doc, count == 258 ? "sketchy.palette.too_many" : "sketchy.palette.edge", &verdict),
            count > 256);
        assert_int_equal(verdict, count == 258 ? LVL_DAMAGED : LVL_SOUND);
    }
}

/* What the game fills in, unless the file speaks of it. */
static void inherited(void **state)
{
    lvl_verdict verdict;

    (void)state;
    for (unsigned g = LVL_SKETCHY_V1; g < LVL_SKETCHY_GENERATIONS; g++) {
        lvl_doc *doc = lvl_make_doodad(&ctx, g);
        ((lvl_sketchy *)lvl_doc_root(doc))->swatches[2].fire = 0;
        assert_int_equal(finds(doc, "sketchy.palette.inherits", &verdict), g >= LVL_SKETCHY_V3);
    }
    lvl_buffer file = file_of(lvl_make_doodad(&ctx, LVL_SKETCHY_V3_1)), json = {0};
    lvl_arena arena;
    lvl_zip zip;
    lvl_bytes text;
    lvl_arena_init(&arena, &ctx);
    assert_int_equal(lvl_zip_read(&arena, &ctx, view(&file), &zip), LVL_OK);
    assert_int_equal(
        lvl_zip_inflate(&ctx, lvl_zip_find(&zip, lvl_text_of("doodad.json")), &json, &text, NULL), LVL_OK);
    lvl_buffer said = replaced(&json, "\"fire\":true", "\"fire\":false");
    lvl_buffer odd = rezipped(&file, "doodad.json", "doodad.json", view(&said));
    lvl_findings *found = check(view(&odd), &verdict);
    assert_int_equal(lvl_count_of(found, "sketchy.palette.inherits"), 0);
    lvl_findings_free(found);
    lvl_buffer_free(&odd);
    lvl_buffer_free(&said);
    lvl_buffer_free(&json);
    lvl_buffer_free(&file);
    lvl_arena_free(&arena);
    assert_int_equal(finds(lvl_make_doodad(&ctx, LVL_SKETCHY_V3_1), "sketchy.palette.inherited", &verdict),
                     1);
}

static void links(void **state)
{
    lvl_verdict verdict;

    (void)state;
    for (unsigned g = 0; g < LVL_SKETCHY_GENERATIONS; g++) {
        lvl_doc *doc = lvl_make_sketch(&ctx, g);
        lvl_sketchy *d = lvl_doc_root(doc);
        d->actors[1].links[0] = lvl_text_of("nobody");
        lvl_buffer file = file_of(doc);
        lvl_findings *found = check(view(&file), &verdict);
        assert_int_equal(lvl_count_of(found, "sketchy.actor.link_one_way"), 1);
        lvl_findings_free(found);
        lvl_doc *mended = mends(view(&file), "sketchy.actor.link_to_nothing", 1);
        assert_int_equal(drawing(mended)->actors[1].link_count, 0);
        assert_int_equal(drawing(mended)->actors[0].link_count, 1);
        lvl_doc_free(mended);
        lvl_buffer_free(&file);
    }
}

/* The game makes up another name for it. */
static void nameless_actors(void **state)
{
    lvl_verdict verdict;

    (void)state;
    for (unsigned g = 0; g < LVL_SKETCHY_GENERATIONS; g++) {
        lvl_doc *doc = lvl_make_sketch(&ctx, g);
        ((lvl_sketchy *)lvl_doc_root(doc))->actors[1].id = lvl_text_of("");
        lvl_buffer file = file_of(doc);
        lvl_findings *found = check(view(&file), &verdict);
        assert_int_equal(lvl_count_of(found, "sketchy.actor.no_id"), 1);
        assert_int_equal(lvl_count_of(found, "sketchy.actor.double_id"), 0);
        lvl_findings_free(found);
        lvl_buffer_free(&file);
    }
}

static void options(void **state)
{
    lvl_buffer file = file_of(lvl_make_doodad(&ctx, LVL_SKETCHY_V1));
    lvl_buffer odd = replaced(&file, "\"type\":\"str\"", "\"type\":\"float\"");
    lvl_verdict verdict;

    (void)state;
    lvl_findings *found = check(view(&odd), &verdict);
    assert_int_equal(lvl_count_of(found, "sketchy.option.type"), 1);
    assert_int_equal(verdict, LVL_SOUND);
    lvl_findings_free(found);
    lvl_buffer_free(&odd);
    lvl_buffer_free(&file);
    lvl_doc *doc = lvl_make_doodad(&ctx, LVL_SKETCHY_V3_1);
    ((lvl_sketchy *)lvl_doc_root(doc))->options[0].value = lvl_text_of("1.5");
    assert_int_equal(finds(doc, "sketchy.option.value", &verdict), 1);
}

/* ---- files that break off ------------------------------------------------------------------------------------------------------------ */

static void cut_gzip(void **state)
{
    lvl_buffer file = file_of(lvl_make_sketch(&ctx, LVL_SKETCHY_V2));
    lvl_doc *whole = read_bytes(view(&file));
    const uint32_t all = count_pixels(whole);
    uint32_t most = 0, some = 0;

    (void)state;
    for (size_t len = file.len - 1; len > 40; len -= len > 60 ? 7 : 1) {
        lvl_buffer out = {0};
        lvl_doc *doc = NULL;
        if (lvl_read(&doc, &ctx, lvl_format_find("sketchy"), (lvl_bytes){file.data, len}, NULL, 0, NULL) !=
            LVL_OK)
            continue;
        lvl_findings *changes = lvl_findings_new(&ctx);
        assert_int_equal(lvl_repair(doc, NULL, changes, &out), LVL_OK);
        assert_true(lvl_findings_count(changes) > 0);
        lvl_findings_free(changes);
        lvl_doc_free(doc);
        expect_sound(view(&out));
        lvl_doc *mended = read_bytes(view(&out));
        const uint32_t n = drawing(mended)->layers[0].size == SIZE ? count_pixels(mended) : 0;
        most = n > most ? n : most;
        some += n > 0 && n < all;
        lvl_doc_free(mended);
        lvl_buffer_free(&out);
    }
    printf("of %u px up to %u come back\n", all, most);
    assert_int_equal(most, all);
    assert_true(some > 0);
    lvl_doc_free(whole);
    lvl_buffer_free(&file);
}

static void zip_without_directory(void **state)
{
    (void)state;
    for (unsigned g = LVL_SKETCHY_V3; g < LVL_SKETCHY_GENERATIONS; g++) {
        lvl_buffer file = file_of(lvl_make_sketch(&ctx, g));
        lvl_arena arena;
        lvl_zip zip;
        lvl_arena_init(&arena, &ctx);
        assert_int_equal(lvl_zip_read(&arena, &ctx, view(&file), &zip), LVL_OK);
        lvl_doc *whole = read_bytes(view(&file));
        lvl_doc *mended =
            mends((lvl_bytes){file.data, (size_t)zip.directory_at + 10}, "sketchy.zip.directory", 1);
        assert_int_equal(count_pixels(mended), count_pixels(whole));
        assert_int_equal(drawing(mended)->file_count, 1);
        assert_true(lvl_text_equal(drawing(mended)->title, drawing(whole)->title));
        lvl_doc_free(mended);
        lvl_doc_free(whole);
        /* anywhere */
        uint32_t back = 0;
        for (size_t len = 60; len < file.len; len += 11) {
            lvl_buffer out = {0};
            lvl_doc *doc = NULL;
            if (lvl_read(&doc, &ctx, lvl_format_find("sketchy"), (lvl_bytes){file.data, len}, NULL, 0,
                         NULL) != LVL_OK)
                continue;
            assert_int_equal(lvl_repair(doc, NULL, NULL, &out), LVL_OK);
            expect_sound(view(&out));
            lvl_doc_free(doc);
            doc = read_bytes(view(&out));
            if (drawing(doc)->layers[0].chunk_count == 3) { /* the document was lost, not the picture */
                assert_true(drawing(doc)->layers[0].size == SIZE);
                back = count_pixels(doc);
            }
            lvl_buffer_free(&out);
            lvl_doc_free(doc);
        }
        assert_int_equal(back, 48);
        lvl_arena_free(&arena);
        lvl_buffer_free(&file);
    }
}

static void members(void **state)
{
    static const uint8_t dot[] = {0, 2, 2, 1};
    lvl_buffer file = file_of(lvl_make_sketch(&ctx, LVL_SKETCHY_V3_1));
    lvl_verdict verdict;

    (void)state;
    /* two of a name: the last counts, here the one that was there */
    lvl_buffer odd = rezipped(&file, NULL, "chunks/0/0,0.bin", (lvl_bytes){dot, sizeof dot});
    lvl_doc *mended = mends(view(&odd), "sketchy.zip.double", 1);
    assert_int_equal(pixel(mended, 0, 8, 8), 1);
    assert_int_equal(drawing(mended)->file_count, 2); /* the other one is kept, out of the way */
    lvl_doc_free(mended);
    lvl_buffer_free(&odd);
    odd = rezipped(&file, NULL, "level.json", bytes_of("{\"version\":1,\"title\":\"another\"}"));
    mended = mends(view(&odd), "sketchy.zip.double", 1);
    assert_true(lvl_text_is(drawing(mended)->title, "A <small> drawing"));
    lvl_doc_free(mended);
    lvl_buffer_free(&odd);
    odd = rezipped(&file, "level.json", NULL, bytes_of(""));
    lvl_doc *doc = NULL;
    assert_int_equal(lvl_read(&doc, &ctx, lvl_format_find("sketchy"), view(&odd), NULL, 0, NULL), LVL_OK);
    lvl_buffer out = {0};
    lvl_findings *changes = lvl_findings_new(&ctx);
    assert_int_equal(lvl_repair(doc, NULL, changes, &out), LVL_OK);
    assert_int_equal(lvl_count_of(changes, "sketchy.zip.no_document"), 1);
    lvl_findings_free(changes);
    lvl_doc_free(doc);
    lvl_buffer_free(&out);
    lvl_buffer_free(&odd);
    static const struct {
        const char *name, *id;
        lvl_verdict strict;
    } strangers[] = {{"../../evil", "sketchy.file.leads_out", LVL_DAMAGED},
                     {"/etc/x", "sketchy.file.leads_out", LVL_DAMAGED},
                     {"assets/a\\..\\b", "sketchy.file.leads_out", LVL_DAMAGED},
                     {"README", "sketchy.file.stranger", LVL_SOUND},
                     {"chunks/0/garbage.bin", "sketchy.chunk.name", LVL_SOUND},
                     {"chunks/7/0,0.bin", "sketchy.chunk.layer", LVL_SOUND},
                     {"chunks/0/0,0.json", "sketchy.chunk.double", LVL_SOUND}};
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++) {
        odd = rezipped(&file, NULL, strangers[i].name, (lvl_bytes){dot, sizeof dot});
        ctx.profile = LVL_PROFILE_STRICT;
        lvl_findings *found = check(view(&odd), &verdict);
        ctx.profile = LVL_PROFILE_GAME;
        if (lvl_count_of(found, strangers[i].id) != 1)
            fprintf(stderr, "%s\n", strangers[i].name);
        assert_int_equal(lvl_count_of(found, strangers[i].id), 1);
        assert_int_equal(verdict, strangers[i].strict);
        lvl_findings_free(found);
        lvl_buffer_free(&odd);
    }
    /* a member whose bytes are damaged */
    for (size_t i = 0; i + 12 < file.len; i++) {
        if (!memcmp(file.data + i, "own.b64img", 10)) {
            file.data[i + 12] ^= 0x10;
            break;
        }
    }
    lvl_doc_free(mends(view(&file), "sketchy.file.unreadable", 1));
    lvl_buffer_free(&file);
}

/* What is whole keeps its spelling: unknown keys, order, numbers. */
static void broken_json(void **state)
{
    static const char text[] =
        "{\"title\":\"odd\",\"mine\":[1.50,{\"x\":null}],\"version\":1,\"gameVersion\":\"0.14.0\",\"passwd\":"
        "\"\","
        "\"chunks\":{\"size\":16,\"chunks\":{\"0,0\":{\"type\":0,\"data\":{\"2,1\":0;\"3,1\":0}}}},"
        "\"palette\":{\"swatches\":[{\"name\":\"a\",\"color\":\"#12345g\",\"own\":7}]},\"pageType\":\"one\",";
    static const char kept[] = "{\"title\":\"odd\",\"mine\":[1.50,{\"x\":null}],\"version\":1,";
    lvl_buffer out = {0};

    (void)state;
    lvl_findings *changes = repair(bytes_of(text), &out);
    assert_int_equal(lvl_count_of(changes, "sketchy.json.broken"), 1);
    assert_int_equal(lvl_count_of(changes, "sketchy.swatch.color"), 1);
    lvl_findings_free(changes);
    assert_memory_equal(out.data, kept, sizeof kept - 1);
    expect_sound(view(&out));
    lvl_doc *doc = read_bytes(view(&out));
    assert_int_equal(pixel(doc, 0, 2, 1), 0);
    assert_int_equal(pixel(doc, 0, 3, 1), 0);
    assert_true(lvl_text_is(drawing(doc)->swatches[0].color, "#123450"));
    assert_int_equal(drawing(doc)->page_type, 1);
    lvl_doc_free(doc);
    lvl_buffer_free(&out);
}

static void pixels_of_others(void **state)
{
    static const uint8_t list[] = {0, 0, 66, 2,  40,
                                   2, 1, 16, 16, 3}; /* 0,33; 20,1; 8,8, where something is */
    lvl_buffer file = file_of(lvl_make_sketch(&ctx, LVL_SKETCHY_V3_1));
    lvl_buffer odd =
        rezipped(&file, "chunks/0/-1,2.bin", "chunks/0/-1,2.bin", (lvl_bytes){list, sizeof list});

    (void)state;
    lvl_doc *mended = mends(view(&odd), "sketchy.pixel.outside", 1);
    assert_int_equal(pixel(mended, 0, 0, 33), 2);
    assert_int_equal(pixel(mended, 0, 20, 1), 1);
    assert_int_equal(pixel(mended, 0, 8, 8), 1);
    lvl_doc_free(mended);
    lvl_buffer_free(&odd);
    lvl_buffer_free(&file);
}

/* What nobody knows may nest as it likes; beyond what the tokenizer follows, it goes and nothing else. */
static void nesting(void **state)
{
    static const uint32_t depths[] = {200, 5000};

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(depths); i++) {
        lvl_buffer file = file_of(lvl_make_sketch(&ctx, LVL_SKETCHY_V1)), with = {0};
        lvl_doc *was = read_bytes(view(&file)), *now;
        lvl_buffer_str(&with, "\"nest\":");
        for (uint32_t d = 0; d < depths[i]; d++)
            lvl_buffer_str(&with, "[");
        for (uint32_t d = 0; d < depths[i]; d++)
            lvl_buffer_str(&with, "]");
        lvl_buffer_str(&with, ",\"title\"");
        lvl_buffer_u8(&with, 0);
        lvl_buffer odd = replaced(&file, "\"title\"", (const char *)with.data);
        if (i == 0) {
            expect_sound(view(&odd));
            now = read_bytes(view(&odd));
        } else {
            now = mends(view(&odd), "sketchy.json.broken", 1);
        }
        assert_true(lvl_record_equal(drawing(was), drawing(now), lvl_doc_table(was)));
        lvl_doc_free(was);
        lvl_doc_free(now);
        lvl_buffer_free(&with);
        lvl_buffer_free(&odd);
        lvl_buffer_free(&file);
    }
}

static void signatures(void **state)
{
    (void)state;
    for (unsigned g = 0; g < LVL_SKETCHY_GENERATIONS; g++) {
        lvl_doc *doc = lvl_make_sketch(&ctx, g);
        ((lvl_sketchy *)lvl_doc_root(doc))->signature = lvl_text_of("c2lnbmVk");
        lvl_buffer file = file_of(doc), out = {0};
        lvl_findings *told = lvl_findings_new(&ctx);
        doc = read_bytes(view(&file));
        assert_int_equal(lvl_doc_write_told(doc, &out, told), LVL_OK);
        assert_int_equal(lvl_findings_count(told), 0);
        ((lvl_sketchy *)lvl_doc_root(doc))->title = lvl_text_of("another");
        out.len = 0;
        assert_int_equal(lvl_doc_write_told(doc, &out, told), LVL_OK);
        assert_int_equal(lvl_count_of(told, "lvl.signature.void"), 1);
        lvl_findings_clear(told);
        ((lvl_sketchy *)lvl_doc_root(doc))->signature = lvl_text_of("bmV3");
        assert_int_equal(lvl_doc_write_told(doc, &out, told), LVL_OK);
        assert_int_equal(lvl_findings_count(told), 0);
        lvl_doc *other = NULL; /* in another generation it would fit nothing */
        const char *form = g == LVL_SKETCHY_V4 ? "v1" : "v4";
        assert_int_equal(lvl_convert(doc, form, false, told, &other), LVL_ERR_LOSS);
        assert_int_equal(lvl_convert(doc, form, true, told, &other), LVL_OK);
        assert_int_equal(lvl_sketchy_of(other)->signature.len, 0);
        lvl_doc_free(other);
        lvl_findings_free(told);
        lvl_doc_free(doc);
        lvl_buffer_free(&out);
        lvl_buffer_free(&file);
    }
}

/* ---- packs --------------------------------------------------------------------------------------------------------------------------- */

static void packs(void **state)
{
    lvl_verdict verdict;

    (void)state;
    lvl_doc *doc = lvl_make_pack(&ctx);
    lvl_levelpack *p = lvl_doc_root(doc);
    p->levels[1].filename = lvl_text_of("three.level");
    lvl_buffer file = file_of(doc);
    lvl_findings *found = check(view(&file), &verdict);
    assert_int_equal(lvl_count_of(found, "sketchy.pack.unlisted"), 1);
    assert_int_equal(verdict, LVL_DAMAGED);
    lvl_findings_free(found);
    lvl_doc *mended = mends(view(&file), "sketchy.pack.missing", 1);
    const lvl_levelpack *q = lvl_doc_croot(mended);
    assert_int_equal(q->level_count, 2);
    assert_true(lvl_text_is(q->levels[1].filename, "two.level") &&
                lvl_text_is(q->levels[1].title, "A <small> drawing"));
    lvl_doc_free(mended);
    lvl_buffer_free(&file);
    /* one level again, under another name */
    doc = lvl_make_pack(&ctx);
    p = lvl_doc_root(doc);
    assert_true(lvl_make_attached(doc, "levels/copy.level", p->files[0].data));
    assert_int_equal(finds(doc, "sketchy.pack.uuid", &verdict), 1);
    /* a doodad that a level brings, too */
    doc = lvl_make_pack(&ctx);
    p = lvl_doc_root(doc);
    lvl_doc *level = lvl_make_sketch(&ctx, LVL_SKETCHY_V3_1);
    assert_true(lvl_make_attached(level, "assets/doodads/switch.doodad", p->files[2].data));
    lvl_buffer inner = file_of(level);
    p->files[0].data = view(&inner);
    assert_int_equal(finds(doc, "sketchy.pack.doodad_twice", &verdict), 1);
    lvl_buffer_free(&inner);
    /* a damaged level inside */
    doc = lvl_make_pack(&ctx);
    p = lvl_doc_root(doc);
    level = lvl_make_sketch(&ctx, LVL_SKETCHY_V4);
    set_pixel(level, 0, 1, 1, 99);
    inner = file_of(level);
    p->files[1].data = view(&inner);
    file = file_of(doc);
    mended = mends(view(&file), "sketchy.pack.level", 1);
    lvl_doc_free(mended);
    lvl_buffer_free(&inner);
    lvl_buffer_free(&file);
}

/* ---- the corpus ---------------------------------------------------------------------------------------------------------------------- */

static void corpus(void **state)
{
    const char *dir = lvl_corpus_dir();
    size_t files = 0, changed = 0, sound = 0, wrong = 0;
    char folder[1024];
    lvl_paths paths;

    (void)state;
    if (!dir) {
        skip();
        return;
    }
    snprintf(folder, sizeof folder, "%s/sketchy/made", dir);
    assert_true(lvl_paths_below(&paths, folder, "level doodad"));
    for (size_t i = 0; i < paths.count; i++) {
        const bool malformed = strstr(paths.items[i], "malformed") != NULL;
        lvl_bytes bytes = {NULL, 0};
        lvl_buffer out = {0};
        lvl_doc *doc = NULL;
        lvl_verdict verdict;
        uint8_t *data = lvl_slurp(paths.items[i], &bytes.len);
        bytes.ptr = data;
        if (bytes.len < 100000 &&
            lvl_read(&doc, &ctx, NULL, bytes, paths.items[i], LVL_READ_BORROW, NULL) == LVL_OK) {
            lvl_findings *changes = lvl_findings_new(&ctx);
            if (lvl_repair(doc, NULL, changes, &out) != LVL_OK) {
                fprintf(stderr, "can't be repaired: %s\n", paths.items[i]);
                wrong++;
            }
            files++;
            changed += lvl_findings_count(changes) != 0;
            wrong += !lvl_findings_count(changes) &&
                     (out.len != bytes.len || memcmp(out.data, data, out.len) != 0);
            lvl_findings_free(changes);
            lvl_findings_free(check(view(&out), &verdict));
            sound += verdict == LVL_SOUND;
            wrong += verdict != LVL_SOUND && !malformed;
        }
        lvl_doc_free(doc);
        lvl_buffer_free(&out);
        free(data);
    }
    printf("%zu files: %zu mended, %zu sound then\n", files, changed, sound);
    assert_int_equal(wrong, 0);
    assert_int_equal(sound, files);
    lvl_paths_free(&paths);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound_ones_stay),
        cmocka_unit_test(generations_are_told),
        cmocka_unit_test(indices_out_of_range),
        cmocka_unit_test(phantom_pixels),
        cmocka_unit_test(runs),
        cmocka_unit_test(unreadable_chunks),
        cmocka_unit_test(sizes),
        cmocka_unit_test(doubled_palettes),
        cmocka_unit_test(swatches),
        cmocka_unit_test(inherited),
        cmocka_unit_test(links),
        cmocka_unit_test(nameless_actors),
        cmocka_unit_test(options),
        cmocka_unit_test(cut_gzip),
        cmocka_unit_test(zip_without_directory),
        cmocka_unit_test(members),
        cmocka_unit_test(broken_json),
        cmocka_unit_test(pixels_of_others),
        cmocka_unit_test(nesting),
        cmocka_unit_test(signatures),
        cmocka_unit_test(packs),
        cmocka_unit_test(corpus),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
