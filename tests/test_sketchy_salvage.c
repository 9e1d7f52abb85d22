/*
 * Values that a damaged drawing has lost and that can be inferred: the chunk size, in every generation of
 * zips and for sizes from 1 to 255; the page type that shows everything. The lost keys are reported.
 */
#include "base/format.h"
#include "container/zip.h"
#include "expect.h"
#include "sketchy_make.h"

#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

/* The finding of that id; NULL: none. */
static const lvl_finding *finding_of(const lvl_findings *found, const char *id)
{
    for (size_t i = 0; i < lvl_findings_count(found); i++) {
        if (!strcmp(lvl_findings_at(found, i)->def->id, id))
            return lvl_findings_at(found, i);
    }
    return NULL;
}

/* A level of chunks of that size, each with a px in its first and last cell and in one of the middle. */
static lvl_doc *level_of(unsigned generation, uint32_t size)
{
    static const int32_t places[][2] = {{0, 0}, {2, 1}, {-1, 3}};
    lvl_doc *doc = lvl_make_sketch(&ctx, generation);
    lvl_sketchy *d = lvl_doc_root(doc);
    lvl_sketchy_chunk *list = lvl_doc_alloc(doc, 3 * sizeof *list);

    for (int i = 0; i < 3; i++) {
        char key[32];
        snprintf(key, sizeof key, "%d,%d", (int)places[i][0], (int)places[i][1]);
        uint8_t *grid = lvl_make_chunk(doc, &list[i], key, places[i][0], places[i][1], size);
        const size_t cells[] = {0, (size_t)size * size / 2, (size_t)size * size - 1};
        for (int k = 0; k < 3; k++) {
            grid[cells[k] * 2] = (uint8_t)k;
            grid[cells[k] * 2 + 1] = 0;
        }
    }
    d->layers[0].size = size;
    d->layers[0].chunks = list;
    d->layers[0].chunk_count = 3;
    return doc;
}

static lvl_doc *read_as(lvl_bytes bytes, lvl_findings *found)
{
    lvl_doc *doc = NULL;

    assert_int_equal(
        lvl_read(&doc, &ctx, lvl_format_find("sketchy"), bytes, "x.level", LVL_READ_BORROW, found), LVL_OK);
    return doc;
}

/* Where the member of that name begins. */
static size_t member_at(lvl_bytes file, const char *name)
{
    lvl_arena arena;
    lvl_zip zip;

    lvl_arena_init(&arena, &ctx);
    assert_int_equal(lvl_zip_read(&arena, &ctx, file, &zip), LVL_OK);
    const lvl_zip_member *m = lvl_zip_find(&zip, lvl_text_of(name));
    assert_non_null(m);
    const size_t at = (size_t)m->at;
    lvl_arena_free(&arena);
    return at;
}

static void same_pixels(const lvl_doc *a, const lvl_doc *b)
{
    const lvl_field *field = lvl_table_at(&lvl_sketchy_chunk_table, offsetof(lvl_sketchy_chunk, pixels));
    const lvl_sketchy *x = lvl_doc_croot(a), *y = lvl_doc_croot(b);
    lvl_buffer sx = {0}, sy = {0};
    unsigned same = 0;

    for (uint32_t i = 0; i < x->layers[0].chunk_count; i++) {
        for (uint32_t k = 0; k < y->layers[0].chunk_count; k++) {
            const lvl_sketchy_chunk *c = &x->layers[0].chunks[i], *e = &y->layers[0].chunks[k];
            lvl_cells cx = {0}, cy = {0};
            if (c->x != e->x || c->y != e->y)
                continue;
            assert_int_equal(lvl_doc_cells(a, c, field, &sx, &cx), LVL_OK);
            assert_int_equal(lvl_doc_cells(b, e, field, &sy, &cy), LVL_OK);
            assert_int_equal(cx.width, cy.width);
            assert_memory_equal(cx.ptr, cy.ptr, (size_t)cx.width * cx.height * 2);
            same++;
        }
    }
    assert_int_equal(same, x->layers[0].chunk_count);
    lvl_buffer_free(&sx);
    lvl_buffer_free(&sy);
}

/* ---- chunk sizes ------------------------------------------------------------------------------------- */

static void sizes_are_found(void **state)
{
    static const uint32_t sizes[] = {1, 2, 5, 16, 64, 100, 127, 128, 129, 254, 255};

    (void)state;
    for (unsigned g = LVL_SKETCHY_V3; g <= LVL_SKETCHY_V4; g++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            lvl_buffer file = {0}, repaired = {0};
            assert_true(lvl_make_file(level_of(g, sizes[i]), &file));
            lvl_doc *sound = read_as(lvl_bytes_in(&file), NULL);
            const lvl_bytes cut = {file.data, member_at(lvl_bytes_in(&file), "level.json")};
            lvl_findings *found = lvl_findings_new(&ctx);
            lvl_doc *doc = read_as(cut, found);
            const lvl_sketchy *d = lvl_doc_croot(doc);
            assert_int_equal(d->layers[0].size, sizes[i]);
            assert_non_null(finding_of(found, "sketchy.chunk.size_lost"));
            same_pixels(sound, doc);
            assert_int_equal(lvl_repair(doc, NULL, NULL, &repaired), LVL_OK);
            lvl_findings_free(found);
            lvl_doc_free(doc);

            found = lvl_findings_new(&ctx);
            doc = read_as(lvl_bytes_in(&repaired), found);
            assert_int_equal(((const lvl_sketchy *)lvl_doc_croot(doc))->layers[0].size, sizes[i]);
            assert_int_equal(lvl_findings_count(found), 0);
            same_pixels(sound, doc);
            lvl_findings_free(found);
            lvl_doc_free(doc);
            lvl_doc_free(sound);
            lvl_buffer_free(&repaired);
            lvl_buffer_free(&file);
        }
    }
}

/* With one chunk of other runs there is no majority; without any chunk that shows the size, it is the
 * usual one. */
static void most_votes_count(void **state)
{
    lvl_buffer odd = {0}, file = {0};
    lvl_doc *doc = level_of(LVL_SKETCHY_V4, 32);
    const lvl_sketchy *d;

    (void)state;
    assert_true(lvl_make_file(level_of(LVL_SKETCHY_V4, 20), &odd));
    assert_int_equal(lvl_doc_write(doc, &file), LVL_OK);
    lvl_doc_free(doc);
    /* a chunk of one size among three of another: added as a chunk of the drawing */
    lvl_arena arena;
    lvl_zip from, to;
    lvl_buffer out = {0};
    lvl_zip_writer w;
    lvl_arena_init(&arena, &ctx);
    assert_int_equal(lvl_zip_read(&arena, &ctx, lvl_bytes_in(&odd), &from), LVL_OK);
    assert_int_equal(lvl_zip_read(&arena, &ctx, lvl_bytes_in(&file), &to), LVL_OK);
    const lvl_zip_member *stray = lvl_zip_find(&from, lvl_text_of("chunks/0/0,0.bin"));
    assert_non_null(stray);
    lvl_zip_begin(&w, NULL, &out);
    lvl_zip_put_parts(&w, lvl_text_of("chunks/0/7,7.bin"), stray->packed, stray->crc, stray->size,
                      (lvl_bytes){NULL, 0}, (lvl_bytes){NULL, 0}, (lvl_bytes){NULL, 0});
    for (uint32_t i = 0; i < to.count; i++) {
        if (to.members[i].name.ptr[0] == 'c')
            lvl_zip_put_member(&w, &to.members[i]);
    }
    assert_int_equal(lvl_zip_end(&w, NULL), LVL_OK);
    doc = read_as(lvl_bytes_in(&out), NULL);
    d = lvl_doc_croot(doc);
    assert_int_equal(d->layers[0].chunk_count, 4);
    assert_int_equal(d->layers[0].size, 32);
    lvl_doc_free(doc);
    out.len = 0;
    lvl_zip_begin(&w, NULL, &out);
    lvl_zip_put_new(&w, lvl_text_of("chunks/0/7,7.bin"), (lvl_bytes){(const uint8_t *)"\1\0\7", 3});
    assert_int_equal(lvl_zip_end(&w, NULL), LVL_OK);
    doc = read_as(lvl_bytes_in(&out), NULL);
    assert_int_equal(((const lvl_sketchy *)lvl_doc_croot(doc))->layers[0].size, 128);
    lvl_doc_free(doc);
    lvl_arena_free(&arena);
    lvl_buffer_free(&out);
    lvl_buffer_free(&odd);
    lvl_buffer_free(&file);
}

/* ---- the page ---------------------------------------------------------------------------------------- */

static const char *find_text(lvl_bytes in, const char *text)
{
    for (size_t i = 0, n = strlen(text); i + n <= in.len; i++) {
        if (!memcmp(in.ptr + i, text, n))
            return (const char *)in.ptr + i;
    }
    return NULL;
}

static lvl_doc *page_doc(int64_t type, bool negative)
{
    lvl_doc *doc = level_of(LVL_SKETCHY_V1, 16);
    lvl_sketchy *d = lvl_doc_root(doc);

    d->page_type = type;
    d->bounded_width = 40;
    d->bounded_height = 30;
    if (!negative)
        d->layers[0].chunk_count = 2;
    return doc;
}

/* The level, cut in front of that key. */
static void cut_page(int64_t type, bool negative, const char *key, int64_t page, const char *names)
{
    lvl_buffer file = {0}, repaired = {0};

    assert_true(lvl_make_file(page_doc(type, negative), &file));
    const char *at = find_text(lvl_bytes_in(&file), key);
    assert_non_null(at);
    const lvl_bytes cut = {file.data, (size_t)(at - (const char *)file.data)};
    lvl_findings *found = lvl_findings_new(&ctx);
    lvl_doc *doc = read_as(cut, found);
    assert_int_equal(((const lvl_sketchy *)lvl_doc_croot(doc))->page_type, page);
    const lvl_finding *lost = finding_of(found, "sketchy.json.lost");
    assert_non_null(lost);
    lvl_expect_in(lost->text, names);
    lvl_expect_not_in(lost->text, "title");
    lvl_findings *log = lvl_findings_new(&ctx);
    assert_int_equal(lvl_repair(doc, NULL, log, &repaired), LVL_OK);
    assert_non_null(finding_of(log, "sketchy.json.lost"));
    lvl_findings_free(log);
    lvl_findings_free(found);
    lvl_doc_free(doc);

    char said[40];
    snprintf(said, sizeof said, "\"pageType\":%d,", (int)page);
    assert_non_null(find_text(lvl_bytes_in(&repaired), said));
    found = lvl_findings_new(&ctx);
    doc = read_as(lvl_bytes_in(&repaired), found);
    assert_int_equal(lvl_findings_count(found), 0);
    lvl_findings_free(found);
    lvl_doc_free(doc);
    lvl_buffer_free(&repaired);
    lvl_buffer_free(&file);
}

static void lost_page_shows_all(void **state)
{
    (void)state;
    cut_page(2, true, "\"pageType\"", LVL_SKETCHY_UNBOUNDED,
             "pageType (now 0, because there are pixels at negative");
    cut_page(2, false, "\"pageType\"", LVL_SKETCHY_NO_NEGATIVE_SPACE,
             "pageType (now 1), boundedWidth (now 2550)");
    cut_page(1, true, "\"boundedHeight\"", LVL_SKETCHY_NO_NEGATIVE_SPACE,
             "boundedHeight (now 3300), wallpaper, scroll");
}

/* A page whose height is lost is as high as what is drawn. */
static void lost_bounds_hold_all(void **state)
{
    lvl_doc *doc = page_doc(LVL_SKETCHY_BOUNDED, true);
    lvl_buffer file = {0};

    (void)state;
    lvl_sketchy *d = lvl_doc_root(doc);
    d->layers[0].chunks[1].key = lvl_text_of("2,900");
    d->layers[0].chunks[1].y = 900;
    assert_true(lvl_make_file(doc, &file));
    const char *at = find_text(lvl_bytes_in(&file), "\"boundedHeight\"");
    assert_non_null(at);
    doc = read_as((lvl_bytes){file.data, (size_t)(at - (const char *)file.data)}, NULL);
    d = lvl_doc_root(doc);
    assert_int_equal(d->page_type, LVL_SKETCHY_BOUNDED);
    assert_int_equal(d->bounded_width, 40);
    assert_int_equal(d->bounded_height, 901 * 16);
    lvl_doc_free(doc);
    lvl_buffer_free(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_found),
        cmocka_unit_test(most_votes_count),
        cmocka_unit_test(lost_page_shows_all),
        cmocka_unit_test(lost_bounds_hold_all),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
