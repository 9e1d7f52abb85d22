/*
 * Check and repair of drawings and packs: sound ones have no findings, in every generation; each kind of
 * damage is found, and everything that can be recovered is. The repaired file is sound, and a second repair
 * changes nothing (lvl_repair verifies this itself).
 */
#include "base/format.h"
#include "container/zip.h"
#include "corpus.h"
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

/* ---- what is sound ----------------------------------------------------------------------------------- */

static void leave_alone(lvl_buffer file)
{
    lvl_buffer out = {0};

    lvl_expect_sound(lvl_view(&file));
    lvl_findings *changes = lvl_repair_drawing(lvl_view(&file), &out);
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
        leave_alone(lvl_file_of(lvl_make_sketch(&lvl_repair_ctx, g)));
        leave_alone(lvl_file_of(lvl_make_doodad(&lvl_repair_ctx, g)));
    }
    leave_alone(lvl_file_of(lvl_make_pack(&lvl_repair_ctx)));
}

static void generations_are_told(void **state)
{
    (void)state;
    for (unsigned g = 0; g < LVL_SKETCHY_GENERATIONS; g++) {
        lvl_buffer file = lvl_file_of(lvl_make_sketch(&lvl_repair_ctx, g));
        lvl_verdict verdict;
        lvl_findings *found = lvl_check_drawing(lvl_view(&file), &verdict);
        assert_int_equal(lvl_count_of(found, "sketchy.drawing.head_save"), g <= LVL_SKETCHY_V2);
        assert_int_equal(lvl_count_of(found, "sketchy.drawing.head"), g == LVL_SKETCHY_V3);
        assert_int_equal(lvl_count_of(found, "sketchy.drawing.release"), g == LVL_SKETCHY_V4);
        assert_int_equal(lvl_count_of(found, "sketchy.pixel.lone_last"), 1);
        lvl_findings_free(found);
        lvl_buffer_free(&file);
    }
}

/* ---- pixels ------------------------------------------------------------------------------------------ */

static void indices_out_of_range(void **state)
{
    (void)state;
    for (unsigned g = 0; g < LVL_SKETCHY_GENERATIONS; g++) {
        lvl_doc *doc = lvl_make_sketch(&lvl_repair_ctx, g);
        assert_non_null(doc);
        lvl_set_pixel(doc, 0, 9, 9, 200);
        lvl_set_pixel(doc, 0, 3, 12, 4);
        const uint32_t before = lvl_count_pixels(doc);
        lvl_buffer file = lvl_file_of(doc);
        lvl_doc *repaired = lvl_test_repairs(lvl_view(&file), "sketchy.pixel.index", 1);
        assert_int_equal(lvl_pixel(repaired, 0, 9, 9), LVL_REPAIRS_NONE);
        assert_int_equal(lvl_pixel(repaired, 0, 3, 12), LVL_REPAIRS_NONE);
        assert_int_equal(lvl_pixel(repaired, 0, 8, 8), 1);
        assert_int_equal(lvl_pixel(repaired, 0, 4, 5), 0);
        assert_int_equal(lvl_pixel(repaired, 0, -1, 47), 0);
        assert_int_equal(lvl_count_pixels(repaired), before - 2);
        lvl_doc_free(repaired);
        lvl_buffer_free(&file);
    }
}

static void phantom_pixels(void **state)
{
    lvl_buffer file = lvl_file_of(lvl_make_sketch(&lvl_repair_ctx, LVL_SKETCHY_V1));
    lvl_buffer odd =
        lvl_replaced(&file, "\"-1,2\":{\"type\":0,\"data\":{", "\"-1,2\":{\"type\":0,\"data\":{\"0,0\":0,");

    (void)state;
    lvl_doc *repaired = lvl_test_repairs(lvl_view(&odd), "sketchy.pixel.phantom", 1);
    lvl_buffer out = {0};
    assert_int_equal(lvl_doc_write(repaired, &out), LVL_OK);
    assert_int_equal(out.len, file.len);
    assert_memory_equal(out.data, file.data, file.len);
    lvl_doc_free(repaired);
    lvl_buffer_free(&out);
    lvl_buffer_free(&odd);
    lvl_buffer_free(&file);
    /* as the game's own re-save leaves it in a list */
    static const uint8_t list[] = {0, 0, 0, 0, 31, 64, 2};
    file = lvl_file_of(lvl_make_sketch(&lvl_repair_ctx, LVL_SKETCHY_V3_1));
    odd = lvl_rezipped(&file, "chunks/0/-1,2.bin", "chunks/0/-1,2.bin", (lvl_bytes){list, sizeof list});
    repaired = lvl_test_repairs(lvl_view(&odd), "sketchy.pixel.phantom", 1);
    assert_int_equal(lvl_pixel(repaired, 0, -16, 32), 2);
    lvl_doc_free(repaired);
    lvl_buffer_free(&odd);
    lvl_buffer_free(&file);
}

/* A v4 level with one chunk replaced. */
static lvl_buffer with_runs(lvl_bytes stream)
{
    lvl_buffer file = lvl_file_of(lvl_make_sketch(&lvl_repair_ctx, LVL_SKETCHY_V4));
    lvl_buffer odd = lvl_rezipped(&file, "chunks/0/-1,2.bin", "chunks/0/-1,2.bin", stream);

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
    lvl_doc *repaired = lvl_test_repairs(lvl_view(&file), "sketchy.runs.long", 1);
    assert_int_equal(lvl_pixel(repaired, 0, -16, 32), 1);
    assert_int_equal(lvl_pixel(repaired, 0, 8, 8), 1);
    lvl_doc_free(repaired);
    lvl_buffer_free(&file);
    file = with_runs((lvl_bytes){huge, sizeof huge});
    lvl_doc_free(lvl_test_repairs(lvl_view(&file), "sketchy.runs.long", 1));
    lvl_buffer_free(&file);
    file = with_runs((lvl_bytes){partial, sizeof partial});
    lvl_doc_free(lvl_test_repairs(lvl_view(&file), "sketchy.chunk.partial", 1));
    lvl_buffer_free(&file);
    file = with_runs((lvl_bytes){lost, sizeof lost});
    lvl_findings *found = lvl_check_drawing(lvl_view(&file), &verdict);
    assert_int_equal(lvl_count_of(found, "sketchy.runs.lost_pixel"), 1);
    lvl_findings_free(found);
    lvl_buffer_free(&file);
    file = with_runs((lvl_bytes){shorter, sizeof shorter});
    found = lvl_check_drawing(lvl_view(&file), &verdict);
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
    lvl_doc *repaired = lvl_test_repairs(lvl_view(&file), "sketchy.chunk.unreadable", 1);
    assert_int_equal(lvl_drawn(repaired)->layers[0].chunk_count, 2);
    assert_int_equal(lvl_pixel(repaired, 0, 8, 8), 1);
    lvl_doc_free(repaired);
    lvl_buffer_free(&file);
}

static void sizes(void **state)
{
    static const char *const bad[] = {"\"size\":0,", "\"size\":300,"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        lvl_doc *doc = lvl_make_sketch(&lvl_repair_ctx, LVL_SKETCHY_V1);
        lvl_sketchy *d = lvl_doc_root(doc);
        lvl_sketchy_chunk *c = lvl_doc_alloc(doc, sizeof *c);
        uint8_t *grid = lvl_make_chunk(doc, c, "0,0", 0, 0, 128);
        assert_non_null(grid);
        grid[260] = 2;
        grid[261] = 0;
        d->layers[0].size = 128;
        d->layers[0].chunks = c;
        d->layers[0].chunk_count = 1;
        lvl_buffer file = lvl_file_of(doc), odd = lvl_replaced(&file, "\"size\":128,", bad[i]);
        lvl_doc *repaired = lvl_test_repairs(lvl_view(&odd), "sketchy.chunk.size", 1);
        assert_int_equal(lvl_pixel(repaired, 0, 2, 1), 2);
        lvl_doc_free(repaired);
        lvl_buffer_free(&odd);
        lvl_buffer_free(&file);
    }
}

static void pixels_of_others(void **state)
{
    static const uint8_t list[] = {0, 0, 66, 2,  40,
                                   2, 1, 16, 16, 3}; /* 0,33; 20,1; 8,8, where something is */
    lvl_buffer file = lvl_file_of(lvl_make_sketch(&lvl_repair_ctx, LVL_SKETCHY_V3_1));
    lvl_buffer odd =
        lvl_rezipped(&file, "chunks/0/-1,2.bin", "chunks/0/-1,2.bin", (lvl_bytes){list, sizeof list});

    (void)state;
    lvl_doc *repaired = lvl_test_repairs(lvl_view(&odd), "sketchy.pixel.outside", 1);
    assert_int_equal(lvl_pixel(repaired, 0, 0, 33), 2);
    assert_int_equal(lvl_pixel(repaired, 0, 20, 1), 1);
    assert_int_equal(lvl_pixel(repaired, 0, 8, 8), 1);
    lvl_doc_free(repaired);
    lvl_buffer_free(&odd);
    lvl_buffer_free(&file);
}

/* ---- palette and actors ------------------------------------------------------------------------------ */

static void doubled_palettes(void **state)
{
    (void)state;
    for (unsigned g = 0; g < LVL_SKETCHY_GENERATIONS; g++) {
        lvl_doc *doc = lvl_make_sketch(&lvl_repair_ctx, g);
        lvl_sketchy *d = lvl_doc_root(doc);
        lvl_sketchy_swatch *list = lvl_doc_alloc(doc, 8 * sizeof *list);
        assert_non_null(list);
        for (uint32_t i = 0; i < 8; i++)
            list[i] = d->swatches[i / 2];
        d->swatches = list;
        d->swatch_count = 8;
        /* was 1, 2, 3: now the first or the second of each pair */
        lvl_set_pixel(doc, 0, 2, 5, 1);
        lvl_set_pixel(doc, 0, 3, 5, 4);
        lvl_set_pixel(doc, 0, 4, 5, 7);
        lvl_buffer file = lvl_file_of(doc);
        lvl_doc *repaired = lvl_test_repairs(lvl_view(&file), "sketchy.palette.double", 4);
        assert_int_equal(lvl_drawn(repaired)->swatch_count, 4);
        assert_int_equal(lvl_pixel(repaired, 0, 2, 5), 0);
        assert_int_equal(lvl_pixel(repaired, 0, 3, 5), 2);
        assert_int_equal(lvl_pixel(repaired, 0, 4, 5), 3);
        assert_true(lvl_drawn(repaired)->swatches[0].solid && lvl_drawn(repaired)->swatches[2].fire);
        lvl_doc_free(repaired);
        lvl_buffer_free(&file);
    }
    /* doodads: the first four places mean something */
    lvl_doc *doc = lvl_make_doodad(&lvl_repair_ctx, LVL_SKETCHY_V3_1);
    lvl_sketchy *d = lvl_doc_root(doc);
    d->swatches[1] = d->swatches[0];
    lvl_buffer file = lvl_file_of(doc), out = {0};
    lvl_findings *changes = lvl_repair_drawing(lvl_view(&file), &out);
    assert_int_equal(lvl_findings_count(changes), 0);
    lvl_findings_free(changes);
    lvl_buffer_free(&out);
    lvl_buffer_free(&file);
}

static size_t finds(lvl_doc *doc, const char *id, lvl_verdict *verdict)
{
    lvl_buffer file = lvl_file_of(doc);
    lvl_findings *found = lvl_check_drawing(lvl_view(&file), verdict);
    const size_t n = lvl_count_of(found, id);

    lvl_findings_free(found);
    lvl_buffer_free(&file);
    return n;
}

static void swatches(void **state)
{
    lvl_verdict verdict;

    (void)state;
    lvl_doc *doc = lvl_make_sketch(&lvl_repair_ctx, LVL_SKETCHY_V3_1);
    lvl_sketchy *d = lvl_doc_root(doc);
    d->swatches[0].color = lvl_text_of("red");
    assert_int_equal(finds(doc, "sketchy.swatch.color", &verdict), 1);
    assert_int_equal(verdict, LVL_FAULTY);
    doc = lvl_make_sketch(&lvl_repair_ctx, LVL_SKETCHY_V3_1);
    d = lvl_doc_root(doc);
    d->swatches[0].color = lvl_text_of("#10203080");
    d->swatches[1].color = lvl_text_of("fff");
    d->swatches[2].color = lvl_text_of("102030FF");
    assert_int_equal(finds(doc, "sketchy.swatch.alpha", &verdict), 1);
    assert_int_equal(verdict, LVL_SOUND);
    doc = lvl_make_sketch(&lvl_repair_ctx, LVL_SKETCHY_V2);
    d = lvl_doc_root(doc);
    d->swatches[3].pattern = lvl_text_of("perlin.png");
    assert_int_equal(finds(doc, "sketchy.swatch.pattern", &verdict), 1);
    doc = lvl_make_sketch(&lvl_repair_ctx, LVL_SKETCHY_V2);
    d = lvl_doc_root(doc);
    d->wallpaper = lvl_text_of("mine.png");
    assert_int_equal(finds(doc, "sketchy.level.wallpaper", &verdict), 1);
    doc = lvl_make_sketch(&lvl_repair_ctx, LVL_SKETCHY_V3_1);
    d = lvl_doc_root(doc);
    d->wallpaper = lvl_text_of("own.b64img");
    assert_int_equal(finds(doc, "sketchy.level.wallpaper", &verdict), 0);
    for (uint32_t count = 256; count < 259; count++) {
        doc = lvl_make_sketch(&lvl_repair_ctx, LVL_SKETCHY_V4);
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
        assert_int_equal(verdict, count == 258 ? LVL_FAULTY : LVL_SOUND);
    }
}

/* A palette that has the flags of the game's own, and no others. */
static void inherited(void **state)
{
    lvl_verdict verdict;

    (void)state;
    assert_int_equal(
        finds(lvl_make_doodad(&lvl_repair_ctx, LVL_SKETCHY_V3_1), "sketchy.palette.inherited", &verdict), 1);
}

static void links(void **state)
{
    lvl_verdict verdict;

    (void)state;
    for (unsigned g = 0; g < LVL_SKETCHY_GENERATIONS; g++) {
        lvl_doc *doc = lvl_make_sketch(&lvl_repair_ctx, g);
        lvl_sketchy *d = lvl_doc_root(doc);
        d->actors[1].links[0] = lvl_text_of("nobody");
        lvl_buffer file = lvl_file_of(doc);
        lvl_findings *found = lvl_check_drawing(lvl_view(&file), &verdict);
        assert_int_equal(lvl_count_of(found, "sketchy.actor.link_one_way"), 1);
        lvl_findings_free(found);
        lvl_doc *repaired = lvl_test_repairs(lvl_view(&file), "sketchy.actor.link_to_nothing", 1);
        assert_int_equal(lvl_drawn(repaired)->actors[1].link_count, 0);
        assert_int_equal(lvl_drawn(repaired)->actors[0].link_count, 1);
        lvl_doc_free(repaired);
        lvl_buffer_free(&file);
    }
}

/* The game makes up another name for it. */
static void nameless_actors(void **state)
{
    lvl_verdict verdict;

    (void)state;
    for (unsigned g = 0; g < LVL_SKETCHY_GENERATIONS; g++) {
        lvl_doc *doc = lvl_make_sketch(&lvl_repair_ctx, g);
        ((lvl_sketchy *)lvl_doc_root(doc))->actors[1].id = lvl_text_of("");
        lvl_buffer file = lvl_file_of(doc);
        lvl_findings *found = lvl_check_drawing(lvl_view(&file), &verdict);
        assert_int_equal(lvl_count_of(found, "sketchy.actor.no_id"), 1);
        assert_int_equal(lvl_count_of(found, "sketchy.actor.double_id"), 0);
        lvl_findings_free(found);
        lvl_buffer_free(&file);
    }
}

static void options(void **state)
{
    lvl_buffer file = lvl_file_of(lvl_make_doodad(&lvl_repair_ctx, LVL_SKETCHY_V1));
    lvl_buffer odd = lvl_replaced(&file, "\"type\":\"str\"", "\"type\":\"float\"");
    lvl_verdict verdict;

    (void)state;
    lvl_findings *found = lvl_check_drawing(lvl_view(&odd), &verdict);
    assert_int_equal(lvl_count_of(found, "sketchy.option.type"), 1);
    assert_int_equal(verdict, LVL_SOUND);
    lvl_findings_free(found);
    lvl_buffer_free(&odd);
    lvl_buffer_free(&file);
    lvl_doc *doc = lvl_make_doodad(&lvl_repair_ctx, LVL_SKETCHY_V3_1);
    ((lvl_sketchy *)lvl_doc_root(doc))->options[0].value = lvl_text_of("1.5");
    assert_int_equal(finds(doc, "sketchy.option.value", &verdict), 1);
    assert_int_equal(verdict, LVL_SOUND);
    doc = lvl_make_sketch(&lvl_repair_ctx, LVL_SKETCHY_V3_1);
    ((lvl_sketchy *)lvl_doc_root(doc))->difficulty = 7;
    assert_int_equal(finds(doc, "sketchy.level.difficulty", &verdict), 1);
    assert_int_equal(verdict, LVL_FAULTY);
}

/* ---- signatures -------------------------------------------------------------------------------------- */

static void signatures(void **state)
{
    (void)state;
    for (unsigned g = 0; g < LVL_SKETCHY_GENERATIONS; g++) {
        lvl_doc *doc = lvl_make_sketch(&lvl_repair_ctx, g);
        ((lvl_sketchy *)lvl_doc_root(doc))->signature = lvl_text_of("c2lnbmVk");
        lvl_buffer file = lvl_file_of(doc), out = {0};
        lvl_findings *reported = lvl_findings_new(&lvl_repair_ctx);
        doc = lvl_read_drawing(lvl_view(&file));
        assert_int_equal(lvl_doc_write_with_findings(doc, &out, reported), LVL_OK);
        assert_int_equal(lvl_findings_count(reported), 0);
        ((lvl_sketchy *)lvl_doc_root(doc))->title = lvl_text_of("another");
        out.len = 0;
        assert_int_equal(lvl_doc_write_with_findings(doc, &out, reported), LVL_OK);
        assert_int_equal(lvl_count_of(reported, "lvl.signature.void"), 1);
        lvl_findings_clear(reported);
        ((lvl_sketchy *)lvl_doc_root(doc))->signature = lvl_text_of("bmV3");
        assert_int_equal(lvl_doc_write_with_findings(doc, &out, reported), LVL_OK);
        assert_int_equal(lvl_findings_count(reported), 0);
        lvl_doc *other = NULL; /* in another generation it would fit nothing */
        const char *form = g == LVL_SKETCHY_V4 ? "v1" : "v4";
        assert_int_equal(lvl_convert(doc, form, false, reported, &other), LVL_ERR_LOSS);
        assert_int_equal(lvl_convert(doc, form, true, reported, &other), LVL_OK);
        assert_int_equal(lvl_sketchy_of(other)->signature.len, 0);
        lvl_doc_free(other);
        lvl_findings_free(reported);
        lvl_doc_free(doc);
        lvl_buffer_free(&out);
        lvl_buffer_free(&file);
    }
}

/* ---- packs ------------------------------------------------------------------------------------------- */

static void packs(void **state)
{
    lvl_verdict verdict;

    (void)state;
    lvl_doc *doc = lvl_make_pack(&lvl_repair_ctx);
    lvl_levelpack *p = lvl_doc_root(doc);
    p->levels[1].filename = lvl_text_of("three.level");
    lvl_buffer file = lvl_file_of(doc), inner;
    lvl_findings *found = lvl_check_drawing(lvl_view(&file), &verdict);
    assert_int_equal(lvl_count_of(found, "sketchy.pack.unlisted"), 1);
    assert_int_equal(verdict, LVL_DAMAGED);
    lvl_findings_free(found);
    lvl_doc *repaired = lvl_test_repairs(lvl_view(&file), "sketchy.pack.missing", 1);
    const lvl_levelpack *q = lvl_doc_croot(repaired);
    assert_int_equal(q->level_count, 2);
    assert_true(lvl_text_is(q->levels[1].filename, "two.level") &&
                lvl_text_is(q->levels[1].title, "A <small> drawing"));
    lvl_doc_free(repaired);
    lvl_buffer_free(&file);
    /* one level again, under another name */
    doc = lvl_make_pack(&lvl_repair_ctx);
    p = lvl_doc_root(doc);
    assert_true(lvl_make_attached(doc, "levels/copy.level", p->files[0].data));
    assert_int_equal(finds(doc, "sketchy.pack.uuid", &verdict), 1);
    /* an index that differs from a level: repair sets the id, and leaves the title */
    doc = lvl_make_pack(&lvl_repair_ctx);
    p = lvl_doc_root(doc);
    p->levels[0].title = lvl_text_of("An old title");
    p->levels[0].author = lvl_text_of(""); /* absent: nothing to compare */
    p->levels[1].uuid = lvl_text_of("an-old-id");
    file = lvl_file_of(doc);
    found = lvl_check_drawing(lvl_view(&file), &verdict);
    assert_int_equal(lvl_count_of(found, "sketchy.pack.stale"), 2);
    assert_int_equal(verdict, LVL_SOUND);
    lvl_findings_free(found);
    inner = (lvl_buffer){0};
    found = lvl_repair_drawing(lvl_view(&file), &inner);
    assert_int_equal(lvl_count_of(found, "sketchy.pack.stale"), 1);
    lvl_findings_free(found);
    repaired = lvl_read_drawing(lvl_view(&inner));
    q = lvl_doc_croot(repaired);
    assert_true(lvl_text_is(q->levels[0].title, "An old title") && !q->levels[0].author.len);
    assert_true(lvl_text_is(q->levels[1].uuid, "00000000-0000-4000-8000-000000000002"));
    lvl_doc_free(repaired);
    lvl_buffer_free(&inner);
    lvl_buffer_free(&file);
    /* a doodad that a level brings, too */
    doc = lvl_make_pack(&lvl_repair_ctx);
    p = lvl_doc_root(doc);
    lvl_doc *level = lvl_make_sketch(&lvl_repair_ctx, LVL_SKETCHY_V3_1);
    assert_true(lvl_make_attached(level, "assets/doodads/switch.doodad", p->files[2].data));
    inner = lvl_file_of(level);
    p->files[0].data = lvl_view(&inner);
    assert_int_equal(finds(doc, "sketchy.pack.doodad_twice", &verdict), 1);
    lvl_buffer_free(&inner);
    /* two doodads of one path */
    doc = lvl_make_pack(&lvl_repair_ctx);
    p = lvl_doc_root(doc);
    assert_true(lvl_make_attached(doc, "doodads/switch.doodad", p->files[2].data));
    assert_int_equal(finds(doc, "sketchy.pack.doodad_twice", &verdict), 1);
    /* a damaged level inside */
    doc = lvl_make_pack(&lvl_repair_ctx);
    p = lvl_doc_root(doc);
    level = lvl_make_sketch(&lvl_repair_ctx, LVL_SKETCHY_V4);
    lvl_set_pixel(level, 0, 1, 1, 99);
    inner = lvl_file_of(level);
    p->files[1].data = lvl_view(&inner);
    file = lvl_file_of(doc);
    repaired = lvl_test_repairs(lvl_view(&file), "sketchy.pack.level", 1);
    lvl_doc_free(repaired);
    lvl_buffer_free(&inner);
    lvl_buffer_free(&file);
}

/* ---- the corpus -------------------------------------------------------------------------------------- */

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
            lvl_read(&doc, &lvl_repair_ctx, NULL, bytes, paths.items[i], LVL_READ_BORROW, NULL) == LVL_OK) {
            lvl_findings *changes = lvl_findings_new(&lvl_repair_ctx);
            if (lvl_repair(doc, NULL, changes, &out) != LVL_OK) {
                fprintf(stderr, "can't be repaired: %s\n", paths.items[i]);
                wrong++;
            }
            files++;
            changed += lvl_findings_count(changes) != 0;
            wrong += !lvl_findings_count(changes) &&
                     (out.len != bytes.len || memcmp(out.data, data, out.len) != 0);
            lvl_findings_free(changes);
            lvl_findings_free(lvl_check_drawing(lvl_view(&out), &verdict));
            sound += verdict == LVL_SOUND ||
                     strstr(paths.items[i], "casekeys"); /* of its two keys, a person must choose */
            wrong += verdict != LVL_SOUND && !malformed;
        }
        lvl_doc_free(doc);
        lvl_buffer_free(&out);
        free(data);
    }
    printf("%zu files: %zu repaired, %zu sound then\n", files, changed, sound);
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
        cmocka_unit_test(pixels_of_others),
        cmocka_unit_test(signatures),
        cmocka_unit_test(packs),
        cmocka_unit_test(corpus),
    };

    lvl_ctx_init(&lvl_repair_ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
