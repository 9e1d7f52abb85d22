/*
 * Allocation failures: making packs, adding, removing and deduplicating files either succeeds or returns a
 * status, and leaks nothing.
 */
#include "base/buffer.h"
#include "base/format.h"
#include "container/container.h"
#include "expect.h"
#include "sketchy_make.h"
#include "starve.h"
#include "tools/archive.h"

#include <lvl/container.h>
#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

static lvl_buffer level_file(unsigned generation)
{
    lvl_doc *doc = lvl_make_sketch(&ctx, generation);
    lvl_buffer out = {0};

    assert_true(lvl_make_attached(doc, "assets/doodads/switch.doodad",
                                  (lvl_bytes){(const uint8_t *)"one doodad", 10}));
    assert_true(lvl_make_attached(doc, "assets/wallpapers/custom.b64img",
                                  (lvl_bytes){(const uint8_t *)"iVBORw0KGgo=", 12}));
    assert_true(lvl_make_file(doc, &out));
    return out;
}

static lvl_status use_pack(const lvl_buffer *a, const lvl_buffer *b)
{
    const lvl_pack_item items[] = {{.path = "a.level", .bytes = lvl_bytes_in(a)},
                                   {.path = "levels/b.level", .bytes = lvl_bytes_in(b)}};
    lvl_findings *log = lvl_findings_new(&ctx);
    lvl_container *box = NULL;
    lvl_buffer out = {0};
    lvl_doc *doc = NULL;

    lvl_status status =
        log ? lvl_container_pack(&doc, &ctx, lvl_format_find("levelpack"), items, 2) : LVL_ERR_MEMORY;
    if (status == LVL_OK)
        status = lvl_container_open(&box, doc);
    if (status == LVL_OK)
        status = lvl_container_dedupe(box, log);
    if (status == LVL_OK)
        status = lvl_container_put(box, "c.level", lvl_bytes_in(a), 0);
    if (status == LVL_OK)
        status = lvl_container_remove(box, "levels/b.level");
    if (status == LVL_OK)
        status = lvl_container_write(box, &out, NULL);
    lvl_container_close(box);
    lvl_doc_free(doc);
    lvl_buffer_free(&out);
    lvl_findings_free(log);
    return status;
}

static lvl_status use_level(const lvl_buffer *a, const lvl_buffer *b)
{
    static const char *const edits[] = {"swatches[+1]={\"name\":\"new\"}", "swatches-=lava",
                                        "bounded_width+=1"};
    lvl_container *box = NULL;
    lvl_buffer out = {0}, place = {0}, storage = {0};
    lvl_doc *doc = NULL;
    lvl_bytes bytes;

    (void)b;
    lvl_status status = lvl_read(&doc, &ctx, NULL, lvl_bytes_in(a), "a.level", LVL_READ_BORROW, NULL);
    if (status == LVL_OK)
        status = lvl_container_open(&box, doc);
    const lvl_entry *e = status == LVL_OK ? lvl_container_find(box, "assets/wallpapers/custom.png") : NULL;
    if (e)
        status = lvl_container_read(box, e, &bytes, &storage, NULL);
    if (status == LVL_OK)
        status = lvl_container_place(box, "assets/wallpapers/custom.jpg", lvl_bytes_in(b), &place);
    if (status == LVL_OK)
        status = lvl_container_put(box, "assets/doodads/new.doodad", lvl_bytes_in(b), 0);
    lvl_container_close(box);
    if (status == LVL_OK)
        status = lvl_set(doc, edits, 3, NULL, NULL);
    if (status == LVL_OK)
        status = lvl_doc_write(doc, &out);
    lvl_doc_free(doc);
    lvl_buffer_free(&out);
    lvl_buffer_free(&place);
    lvl_buffer_free(&storage);
    return status;
}

/* A file that is loaded, edited and saved by its path. */
static lvl_status use_paths(const lvl_buffer *a, const lvl_buffer *b)
{
    static const char path[] = "test_hostile_pack.made";
    lvl_container *box = NULL;
    FILE *out = fopen(path, "wb");

    if (!out)
        return LVL_ERR_MEMORY; /* stdio needs memory, too */
    const bool written = fwrite(a->data, 1, a->len, out) == a->len;
    if (fclose(out) != 0 || !written)
        return LVL_ERR_MEMORY;
    lvl_status status = lvl_container_load(&box, &ctx, path, NULL);
    if (status == LVL_OK)
        status = lvl_container_put(box, "assets/doodads/new.doodad", lvl_bytes_in(b), 0);
    if (status == LVL_OK)
        status = lvl_save(lvl_container_doc(box), path, NULL);
    lvl_container_close(box);
    remove(path);
    return status;
}

static void starve(lvl_status (*use)(const lvl_buffer *a, const lvl_buffer *b))
{
    lvl_buffer a = level_file(LVL_SKETCHY_V4), b = level_file(LVL_SKETCHY_V2);

    if (!lvl_starve_works())
        skip();
    lvl_starve_from(0, false);
    assert_int_equal(use(&a, &b), LVL_OK);
    const uint64_t calls = lvl_starve_calls(), blocks = lvl_starve_blocks();
    assert_true(calls > 20);
    for (uint64_t i = 1; i <= calls; i++) {
        for (int on = 0; on < 2; on++) {
            lvl_starve_from(i, on);
            const lvl_status status = use(&a, &b);
            lvl_starve_from(0, false);
            if (status != LVL_OK && status != LVL_ERR_MEMORY && status != LVL_ERR_MISSING)
                fail_msg("call %llu: %s", (unsigned long long)i, lvl_status_text(status));
            assert_int_equal(lvl_starve_blocks(), blocks);
        }
    }
    printf("%llu calls, each failed\n", (unsigned long long)calls);
    lvl_buffer_free(&a);
    lvl_buffer_free(&b);
}

static void test_pack(void **state)
{
    (void)state;
    starve(use_pack);
}

static void test_level(void **state)
{
    (void)state;
    starve(use_level);
}

static void test_paths(void **state)
{
    (void)state;
    starve(use_paths);
}

enum { NAME = 300 };

static void put_u16(lvl_buffer *out, unsigned value)
{
    lvl_buffer_u8(out, (uint8_t)value);
    lvl_buffer_u8(out, (uint8_t)(value >> 8));
}

/* A zip with an empty member, whose name is in code page 437. */
static lvl_buffer zip_with_name(void)
{
    enum { HEADER = 26, CENTRAL = 46 };
    lvl_buffer zip = {0};

    for (int central = 0; central < 2; central++) {
        lvl_buffer_add(&zip, central ? "PK\1\2\24\0" : "PK\3\4", central ? 6 : 4);
        put_u16(&zip, 20);
        lvl_buffer_fill(&zip, 0, HEADER - 6);
        put_u16(&zip, NAME);
        lvl_buffer_fill(&zip, 0, central ? 16 : 2);
        lvl_buffer_fill(&zip, 0x81, NAME);
    }
    lvl_buffer_str(&zip, "PK\5\6");
    lvl_buffer_fill(&zip, 0, 4);
    put_u16(&zip, 1);
    put_u16(&zip, 1);
    lvl_buffer_u32le(&zip, CENTRAL + NAME);
    lvl_buffer_u32le(&zip, 4 + HEADER + NAME);
    put_u16(&zip, 0);
    return zip;
}

/* A name that is converted is whole, or there is no memory. */
static void test_zip_names(void **state)
{
    lvl_buffer zip = zip_with_name();
    uint64_t calls = 1;

    (void)state;
    if (!lvl_starve_works())
        skip();
    for (uint64_t i = 0; i <= calls; i++) {
        lvl_container *box = NULL;
        lvl_starve_from(i, false);
        const lvl_status status = lvl_container_archive(&ctx, lvl_bytes_in(&zip), NULL, &box);
        const size_t count = status == LVL_OK ? lvl_container_count(box) : 0;
        const bool complete = status == LVL_OK && lvl_container_status(box) == LVL_OK;
        calls = i ? calls : lvl_starve_calls();
        lvl_starve_from(0, false);
        if (complete) {
            assert_int_equal(count, 1);
            assert_int_equal(strlen(lvl_container_at(box, 0)->path), 2 * NAME);
        }
        assert_true(complete || i);
        lvl_container_close(box);
    }
    lvl_buffer_free(&zip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pack), cmocka_unit_test(test_level),
                                       cmocka_unit_test(test_paths), cmocka_unit_test(test_zip_names)};

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
