/*
 * Broken drawings: gzip streams truncated anywhere, zips without their directory or with wrong members, JSON
 * that is broken or nested too deeply. Sound parts are recovered, and the repaired file is sound.
 */
#include "container/zip.h"
#include "level_make.h"
#include "sketchy_make.h"
#include "sketchy_repairs.h"
#include "base/format.h"

#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void cut_gzip(void **state)
{
    lvl_buffer file = lvl_file_of(lvl_make_sketch(&lvl_repair_ctx, LVL_SKETCHY_V2));
    lvl_doc *whole = lvl_read_drawing(lvl_view(&file));
    const uint32_t all = lvl_count_pixels(whole);
    uint32_t most = 0, some = 0;

    (void)state;
    for (size_t len = file.len - 1; len > 40; len -= len > 60 ? 7 : 1) {
        lvl_buffer out = {0};
        lvl_doc *doc = NULL;
        if (lvl_read(&doc, &lvl_repair_ctx, lvl_format_find("sketchy"), (lvl_bytes){file.data, len}, NULL, 0,
                     NULL) != LVL_OK)
            continue;
        lvl_findings *changes = lvl_findings_new(&lvl_repair_ctx);
        assert_int_equal(lvl_repair(doc, NULL, changes, &out), LVL_OK);
        assert_true(lvl_findings_count(changes) > 0);
        lvl_findings_free(changes);
        lvl_doc_free(doc);
        lvl_expect_sound(lvl_view(&out));
        lvl_doc *repaired = lvl_read_drawing(lvl_view(&out));
        const uint32_t n =
            lvl_drawn(repaired)->layers[0].size == LVL_REPAIRS_SIZE ? lvl_count_pixels(repaired) : 0;
        most = n > most ? n : most;
        some += n > 0 && n < all;
        lvl_doc_free(repaired);
        lvl_buffer_free(&out);
    }
    printf("of %u px up to %u come back\n", all, most);
    assert_int_equal(most, all);
    assert_true(some > 0);
    lvl_doc_free(whole);
    lvl_buffer_free(&file);
}

/* The key before the break may belong to a doodad or be unknown; the keys after it belong to a level. */
static void kind_behind_break(void **state)
{
    static const char text[] = "{\"data\"8,\"title\":\"t\",\"passwd\":\"\",\"uuid\":\"u\",\"rules\":{},"
                               "\"palette\":{\"swatches\":[{\"name\":\"a\",\"color\":\"#102030\"}]}}";
    const lvl_bytes file = {(const uint8_t *)text, sizeof text - 1};
    const char *color = "swatches[0].color=#123456";
    lvl_doc *doc = NULL;

    (void)state;
    assert_int_equal(lvl_read(&doc, &lvl_repair_ctx, lvl_format_find("sketchy"), file, NULL, 0, NULL),
                     LVL_OK);
    assert_int_equal(lvl_drawn(doc)->kind, LVL_SKETCHY_LEVEL);
    assert_int_equal(lvl_set(doc, &color, 1, NULL, NULL), LVL_OK);
    lvl_buffer out = lvl_file_of(doc);
    doc = lvl_read_drawing(lvl_view(&out));
    assert_int_equal(lvl_drawn(doc)->kind, LVL_SKETCHY_LEVEL);
    assert_true(lvl_text_is(lvl_drawn(doc)->uuid, "u"));
    assert_int_equal(lvl_drawn(doc)->swatch_count, 1);
    lvl_doc_free(doc);
    lvl_buffer_free(&out);
}

/* A chunk whose key is no position has no member's name: in a zip it stays in the document. */
static void chunk_without_position(void **state)
{
    static const unsigned generations[] = {LVL_SKETCHY_V1, LVL_SKETCHY_V3, LVL_SKETCHY_V3_1, LVL_SKETCHY_V4};
    static const size_t count = sizeof generations / sizeof *generations;

    (void)state;
    for (size_t g = 0; g < count; g++) {
        lvl_doc *doc = lvl_make_sketch(&lvl_repair_ctx, generations[g]);
        lvl_sketchy *d = lvl_doc_root(doc);
        const uint32_t chunks = d->layers[0].chunk_count, files = d->file_count;
        assert_true(chunks > 1);
        d->layers[0].chunks[1].key = lvl_text_of("nowhere");
        d->layers[0].chunks[1].x = d->layers[0].chunks[1].y = 0;
        d->layers[0].chunks[1].encoding = LVL_SKETCHY_CHUNK_JSON;
        lvl_buffer file = lvl_file_of(doc);
        for (unsigned round = 0; round < 3; round++) { /* read, edited, converted */
            lvl_doc *read = lvl_read_drawing(lvl_view(&file));
            lvl_sketchy *r = lvl_doc_root(read);
            uint32_t found = 0;
            for (uint32_t i = 0; i < r->layers[0].chunk_count; i++)
                found += lvl_text_is(r->layers[0].chunks[i].key, "nowhere");
            assert_int_equal(found, 1);
            assert_int_equal(r->layers[0].chunk_count, chunks);
            assert_int_equal(r->file_count, files);
            lvl_buffer_free(&file);
            if (round == 1) {
                lvl_findings *losses = lvl_findings_new(&lvl_repair_ctx);
                lvl_doc *made = NULL;
                assert_int_equal(lvl_convert(read, "v4", false, losses, &made), LVL_OK);
                assert_int_equal(lvl_findings_count(losses), 0);
                lvl_findings_free(losses);
                file = lvl_file_of(made);
                lvl_doc_free(read);
            } else {
                r->title = lvl_text_of("another");
                file = lvl_file_of(read);
            }
        }
        lvl_buffer_free(&file);
    }
}

static void zip_without_directory(void **state)
{
    (void)state;
    for (unsigned g = LVL_SKETCHY_V3; g < LVL_SKETCHY_GENERATIONS; g++) {
        lvl_buffer file = lvl_file_of(lvl_make_sketch(&lvl_repair_ctx, g));
        lvl_arena arena;
        lvl_zip zip;
        lvl_arena_init(&arena, &lvl_repair_ctx);
        assert_int_equal(lvl_zip_read(&arena, &lvl_repair_ctx, lvl_view(&file), &zip), LVL_OK);
        lvl_doc *whole = lvl_read_drawing(lvl_view(&file));
        /* an end record that counts fewer members than there are: the game refuses the file */
        const size_t count_at = (size_t)(zip.end.ptr - file.data) + 10;
        const uint8_t count = file.data[count_at];
        assert_true(count > 1);
        file.data[count_at] = 1;
        lvl_doc *counted = lvl_test_repairs(lvl_view(&file), "sketchy.zip.directory", 1);
        assert_int_equal(lvl_count_pixels(counted), lvl_count_pixels(whole));
        lvl_doc_free(counted);
        file.data[count_at] = count;
        /* a directory without its first entry: the member is unlisted */
        const size_t entry = zip.members[0].central.len, behind = (size_t)(zip.end.ptr - file.data);
        lvl_buffer hidden = {0};
        assert_int_equal(zip.members[0].listed, 0);
        lvl_buffer_add(&hidden, file.data, (size_t)zip.directory_at);
        lvl_buffer_add(&hidden, file.data + zip.directory_at + entry,
                       behind - (size_t)zip.directory_at - entry);
        const size_t end = hidden.len;
        lvl_buffer_add(&hidden, file.data + behind, file.len - behind);
        assert_int_equal(hidden.status, LVL_OK);
        hidden.data[end + 8] = hidden.data[end + 10] = (uint8_t)(count - 1);
        const size_t size = zip.directory.len - entry;
        hidden.data[end + 12] = (uint8_t)size;
        hidden.data[end + 13] = (uint8_t)(size >> 8);
        lvl_doc *listed = lvl_test_repairs(lvl_view(&hidden), "sketchy.zip.directory", 1);
        assert_int_equal(lvl_count_pixels(listed), lvl_count_pixels(whole));
        lvl_doc_free(listed);
        /* an edit keeps the member, too */
        listed = lvl_read_drawing(lvl_view(&hidden));
        ((lvl_sketchy *)lvl_doc_root(listed))->title = lvl_text_of("another");
        lvl_buffer edited = lvl_file_of(listed);
        listed = lvl_read_drawing(lvl_view(&edited));
        assert_int_equal(lvl_count_pixels(listed), lvl_count_pixels(whole));
        lvl_doc_free(listed);
        lvl_buffer_free(&edited);
        lvl_buffer_free(&hidden);
        lvl_doc *repaired = lvl_test_repairs((lvl_bytes){file.data, (size_t)zip.directory_at + 10},
                                             "sketchy.zip.directory", 1);
        assert_int_equal(lvl_count_pixels(repaired), lvl_count_pixels(whole));
        assert_int_equal(lvl_drawn(repaired)->file_count, 1);
        assert_true(lvl_text_equal(lvl_drawn(repaired)->title, lvl_drawn(whole)->title));
        lvl_doc_free(repaired);
        lvl_doc_free(whole);
        /* anywhere */
        uint32_t back = 0;
        for (size_t len = 60; len < file.len; len += 11) {
            lvl_buffer out = {0};
            lvl_doc *doc = NULL;
            if (lvl_read(&doc, &lvl_repair_ctx, lvl_format_find("sketchy"), (lvl_bytes){file.data, len}, NULL,
                         0, NULL) != LVL_OK)
                continue;
            assert_int_equal(lvl_repair(doc, NULL, NULL, &out), LVL_OK);
            lvl_expect_sound(lvl_view(&out));
            lvl_doc_free(doc);
            doc = lvl_read_drawing(lvl_view(&out));
            if (lvl_drawn(doc)->layers[0].chunk_count == 3) { /* the document was lost, not the picture */
                assert_true(lvl_drawn(doc)->layers[0].size == LVL_REPAIRS_SIZE);
                back = lvl_count_pixels(doc);
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
    lvl_buffer file = lvl_file_of(lvl_make_sketch(&lvl_repair_ctx, LVL_SKETCHY_V3_1));
    lvl_verdict verdict;

    (void)state;
    /* two of a name: the last counts, here the one that was there */
    lvl_buffer odd = lvl_rezipped(&file, NULL, "chunks/0/0,0.bin", (lvl_bytes){dot, sizeof dot});
    lvl_doc *repaired = lvl_test_repairs(lvl_view(&odd), "sketchy.zip.double", 1);
    assert_int_equal(lvl_pixel(repaired, 0, 8, 8), 1);
    assert_int_equal(lvl_drawn(repaired)->file_count, 2); /* the other one is kept, out of the way */
    lvl_doc_free(repaired);
    lvl_buffer_free(&odd);
    odd = lvl_rezipped(&file, NULL, "level.json", lvl_bytes_of("{\"version\":1,\"title\":\"another\"}"));
    repaired = lvl_test_repairs(lvl_view(&odd), "sketchy.zip.double", 1);
    assert_true(lvl_text_is(lvl_drawn(repaired)->title, "A <small> drawing"));
    lvl_doc_free(repaired);
    lvl_buffer_free(&odd);
    odd = lvl_rezipped(&file, "level.json", NULL, lvl_bytes_of(""));
    lvl_doc *doc = NULL;
    assert_int_equal(
        lvl_read(&doc, &lvl_repair_ctx, lvl_format_find("sketchy"), lvl_view(&odd), NULL, 0, NULL), LVL_OK);
    lvl_buffer out = {0};
    lvl_findings *changes = lvl_findings_new(&lvl_repair_ctx);
    assert_int_equal(lvl_repair(doc, NULL, changes, &out), LVL_OK);
    assert_int_equal(lvl_count_of(changes, "sketchy.zip.no_document"), 1);
    lvl_findings_free(changes);
    lvl_doc_free(doc);
    lvl_buffer_free(&out);
    lvl_buffer_free(&odd);
    static const struct {
        const char *name, *id;
        lvl_verdict strict;
    } strangers[] = {{"../../evil", "sketchy.file.leads_out", LVL_FAULTY},
                     {"/etc/x", "sketchy.file.leads_out", LVL_FAULTY},
                     {"assets/a\\..\\b", "sketchy.file.leads_out", LVL_FAULTY},
                     {"README", "sketchy.file.stranger", LVL_SOUND},
                     {"chunks/0/garbage.bin", "sketchy.chunk.name", LVL_FAULTY},
                     {"chunks/7/0,0.bin", "sketchy.chunk.layer", LVL_SOUND},
                     {"chunks/0/0,0.json", "sketchy.chunk.double", LVL_SOUND}};
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++) {
        odd = lvl_rezipped(&file, NULL, strangers[i].name, (lvl_bytes){dot, sizeof dot});
        lvl_repair_ctx.profile = LVL_PROFILE_STRICT;
        lvl_findings *found = lvl_check_drawing(lvl_view(&odd), &verdict);
        lvl_repair_ctx.profile = LVL_PROFILE_GAME;
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
    lvl_doc_free(lvl_test_repairs(lvl_view(&file), "sketchy.file.unreadable", 1));
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
    lvl_findings *changes = lvl_repair_drawing(lvl_bytes_of(text), &out);
    assert_int_equal(lvl_count_of(changes, "sketchy.json.broken"), 1);
    assert_int_equal(lvl_count_of(changes, "sketchy.swatch.color"), 1);
    lvl_findings_free(changes);
    assert_memory_equal(out.data, kept, sizeof kept - 1);
    lvl_expect_sound(lvl_view(&out));
    lvl_doc *doc = lvl_read_drawing(lvl_view(&out));
    assert_int_equal(lvl_pixel(doc, 0, 2, 1), 0);
    assert_int_equal(lvl_pixel(doc, 0, 3, 1), LVL_REPAIRS_NONE); /* the entry at the break is dropped */
    assert_true(lvl_text_is(lvl_drawn(doc)->swatches[0].color, "#123450"));
    assert_int_equal(lvl_drawn(doc)->page_type, 1);
    lvl_doc_free(doc);
    lvl_buffer_free(&out);
}

/* Unknown values may be nested to any depth; beyond the depth of the tokenizer they are dropped, and
 * nothing else. */
static void nesting(void **state)
{
    static const uint32_t depths[] = {200, 5000};

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(depths); i++) {
        lvl_buffer file = lvl_file_of(lvl_make_sketch(&lvl_repair_ctx, LVL_SKETCHY_V1)), with = {0};
        lvl_doc *was = lvl_read_drawing(lvl_view(&file)), *now;
        lvl_buffer_str(&with, "\"nest\":");
        for (uint32_t d = 0; d < depths[i]; d++)
            lvl_buffer_str(&with, "[");
        for (uint32_t d = 0; d < depths[i]; d++)
            lvl_buffer_str(&with, "]");
        lvl_buffer_str(&with, ",\"title\"");
        lvl_buffer_u8(&with, 0);
        lvl_buffer odd = lvl_replaced(&file, "\"title\"", (const char *)with.data);
        if (i == 0) {
            lvl_expect_sound(lvl_view(&odd));
            now = lvl_read_drawing(lvl_view(&odd));
        } else {
            now = lvl_test_repairs(lvl_view(&odd), "sketchy.json.broken", 1);
        }
        assert_true(lvl_record_equal(lvl_drawn(was), lvl_drawn(now), lvl_doc_table(was)));
        lvl_doc_free(was);
        lvl_doc_free(now);
        lvl_buffer_free(&with);
        lvl_buffer_free(&odd);
        lvl_buffer_free(&file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_gzip),          cmocka_unit_test(zip_without_directory),
        cmocka_unit_test(members),           cmocka_unit_test(broken_json),
        cmocka_unit_test(nesting),           cmocka_unit_test(chunk_without_position),
        cmocka_unit_test(kind_behind_break),
    };

    lvl_ctx_init(&lvl_repair_ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
