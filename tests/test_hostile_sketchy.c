/*
 * Hostile drawings and packs; see support/hostile.h. Also bombs: files that declare or inflate to more than
 * the limits allow are refused before memory is allocated. LVL_HOSTILE=full tries everything, otherwise a
 * part that takes a minute.
 */
#include "base/buffer.h"
#include "base/format.h"
#include "codec/deflate.h"
#include "container/zip.h"
#include "hostile.h"
#include "sketchy_seeds.h"
#include "growth.h"

#include <lvl/sketchy.h>
#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void treat(int seed, const lvl_hostile_hook *hook)
{
    lvl_buffer file = {0};

    assert_true(lvl_sketchy_seed(seed, &file));
    const lvl_hostile hostile = {.name = lvl_sketchy_seed_name(seed),
                                 .format =
                                     lvl_format_find(seed == LVL_SKETCHY_SEED_PACK ? "levelpack" : "sketchy"),
                                 .sample = {file.data, file.len},
                                 .hook = hook};
    /* damaged as it may be, it is written back bit for bit */
    const bool stands = lvl_hostile_stands(&hostile, 1000);
    lvl_buffer_free(&file);
    assert_true(stands);
}

static void v1(void **state)
{
    (void)state;
    treat(LVL_SKETCHY_SEED_V1, NULL);
}

static void v2(void **state)
{
    (void)state;
    treat(LVL_SKETCHY_SEED_V2, &lvl_sketchy_document_hook);
}

static void v3(void **state)
{
    (void)state;
    treat(LVL_SKETCHY_SEED_V3, &lvl_sketchy_chunk_hook);
}

static void v3_1(void **state)
{
    (void)state;
    treat(LVL_SKETCHY_SEED_V3_1, &lvl_sketchy_chunk_hook);
}

static void v4(void **state)
{
    (void)state;
    treat(LVL_SKETCHY_SEED_V4, &lvl_sketchy_chunk_hook);
}

static void base64(void **state)
{
    (void)state;
    treat(LVL_SKETCHY_SEED_BASE64, NULL);
}

static void doodad(void **state)
{
    (void)state;
    treat(LVL_SKETCHY_SEED_DOODAD, &lvl_sketchy_document_hook);
}

static void pack(void **state)
{
    (void)state;
    treat(LVL_SKETCHY_SEED_PACK, &lvl_sketchy_document_hook);
}

/* Keys that occur twice. */
static void doubled(void **state)
{
    static const char text[] =
        "{\"version\":1,\"gameVersion\":\"0.14.0\",\"title\":\"a\",\"title\":\"b\",\"rules\":{\"odd\":1,"
        "\"survival\":true},\"rules\":{\"difficulty\":2},\"actors\":{\"a\":{\"filename\":\"x.doodad\"}},"
        "\"actors\":{\"b\":{\"point\":\"1,2\",\"point\":\"3,4\"}},\"chunks\":{\"size\":8,\"chunks\":{}},"
        "\"chunks\":{\"chunks\":{\"0,0\":{\"type\":0,\"data\":{\"1,1\":0}}}}}";
    const lvl_hostile hostile = {.name = "doubled keys",
                                 .format = lvl_format_find("sketchy"),
                                 .sample = {(const uint8_t *)text, sizeof text - 1}};

    (void)state;
    assert_true(lvl_hostile_stands(&hostile, 300));
}

/* An edit of a map whose key occurs `n` times, the last time with `n` items. */
static double edit_doubled(const void *user, uint32_t n)
{
    static const char *const edits[] = {"title=y", "actors[i1].filename=y.doodad"};
    lvl_buffer text = {0}, out = {0};
    lvl_doc *doc = NULL;
    lvl_ctx ctx;

    (void)user;
    lvl_ctx_init(&ctx);
    lvl_buffer_str(&text, "{\"version\":1,\"gameVersion\":\"x\",\"title\":\"x\"");
    for (uint32_t i = 0; i < n; i++)
        lvl_buffer_str(&text, ",\"actors\":{\"i1\":{}}");
    lvl_buffer_str(&text, ",\"actors\":{\"i0\":{}");
    for (uint32_t i = 1; i < n; i++)
        lvl_buffer_printf(&text, ",\"i%lu\":{\"filename\":\"a.doodad\"}", (unsigned long)i);
    lvl_buffer_str(&text, "}}");
    const double start = lvl_cpu_seconds();
    assert_int_equal(lvl_read(&doc, &ctx, lvl_format_find("sketchy"), (lvl_bytes){text.data, text.len}, NULL,
                              LVL_READ_BORROW | LVL_READ_EDIT, NULL),
                     LVL_OK);
    assert_int_equal(lvl_set(doc, edits, 2, NULL, NULL), LVL_OK);
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    const double seconds = lvl_cpu_seconds() - start;
    lvl_doc_free(doc);
    lvl_buffer_free(&text);
    lvl_buffer_free(&out);
    return seconds;
}

static void edits_of_doubled_keys_are_linear(void **state)
{
    (void)state;
    assert_true(lvl_grows_linearly("an edit of keys that occur often", edit_doubled, NULL, 8000));
}

/* ---- bombs ------------------------------------------------------------------------------------------- */

static lvl_status open_all(lvl_bytes bytes, uint64_t memory)
{
    lvl_doc *doc = NULL;
    lvl_ctx ctx;

    lvl_ctx_init(&ctx);
    ctx.limits.memory_bytes = memory;
    lvl_status status = lvl_read(&doc, &ctx, lvl_format_find("sketchy"), bytes, NULL, LVL_READ_BORROW, NULL);
    if (status == LVL_OK)
        status = lvl_doc_open(doc);
    lvl_doc_free(doc);
    return status;
}

/* 64 MiB of blanks in a gzip of 64 KiB. */
static void gzip_bomb(void **state)
{
    enum { BIG = 64 << 20 };
    lvl_buffer text = {0}, file = {0};

    (void)state;
    lvl_buffer_str(&text, "{\"version\":1,\"gameVersion\":\"x\",\"title\":\"");
    lvl_buffer_fill(&text, ' ', BIG);
    lvl_buffer_str(&text, "\"}");
    assert_int_equal(lvl_deflate(LVL_WRAP_GZIP, (lvl_bytes){text.data, text.len}, &file), LVL_OK);
    lvl_buffer_free(&text);
    assert_true(file.len < BIG / 500);
    assert_int_equal(open_all((lvl_bytes){file.data, file.len}, 1 << 20), LVL_ERR_LIMIT);
    assert_int_equal(open_all((lvl_bytes){file.data, file.len}, (uint64_t)BIG * 8),
                     LVL_OK); /* a document takes a sixth */
    /* and one with a wrong size */
    memset(file.data + file.len - 4, 0xFF, 4);
    assert_int_equal(open_all((lvl_bytes){file.data, file.len}, 1 << 20), LVL_ERR_LIMIT);
    lvl_buffer_free(&file);
}

/* A chunk of 64 MiB. */
static void zip_bomb(void **state)
{
    enum { BIG = 64 << 20 };
    uint8_t *zeros = calloc(BIG, 1);
    lvl_buffer file = {0};
    lvl_zip_writer w;

    (void)state;
    assert_non_null(zeros);
    lvl_zip_begin(&w, NULL, &file);
    lvl_zip_put_new(&w, lvl_text_of("chunks/0/0,0.bin"), (lvl_bytes){zeros, BIG});
    const char *json = "{\"version\":1,\"gameVersion\":\"x\",\"title\":\"bomb\"}";
    lvl_zip_put_new(&w, lvl_text_of("level.json"), (lvl_bytes){(const uint8_t *)json, strlen(json)});
    assert_int_equal(lvl_zip_end(&w, NULL), LVL_OK);
    free(zeros);
    assert_int_equal(open_all((lvl_bytes){file.data, file.len}, 1 << 20), LVL_ERR_LIMIT);
    assert_true(lvl_hostile_try(lvl_format_find("sketchy"), (lvl_bytes){file.data, file.len}, true, false));
    lvl_buffer_free(&file);
}

static void deep_json(void **state)
{
    enum { DEEP = 100000 };
    lvl_buffer file = {0};

    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        file.len = 0;
        lvl_buffer_str(&file, "{\"version\":1,\"gameVersion\":\"x\",\"title\":\"deep\",\"actors\":");
        for (int i = 0; i < DEEP; i++)
            lvl_buffer_str(&file, kind ? "{\"a\":" : "[");
        assert_true(
            lvl_hostile_try(lvl_format_find("sketchy"), (lvl_bytes){file.data, file.len}, false, false));
        for (int i = 0; i < DEEP; i++)
            lvl_buffer_str(&file, kind ? "}" : "]");
        lvl_buffer_str(&file, "}");
        assert_true(
            lvl_hostile_try(lvl_format_find("sketchy"), (lvl_bytes){file.data, file.len}, true, false));
    }
    lvl_buffer_free(&file);
}

/* Numbers at every edge, in keys, coordinates, sizes and indices. */
static void edges(void **state)
{
    static const char *const numbers[] = {"0",
                                          "1",
                                          "255",
                                          "256",
                                          "-1",
                                          "2147483647",
                                          "-2147483648",
                                          "2147483648",
                                          "4294967295",
                                          "4294967296",
                                          "9223372036854775807",
                                          "-9223372036854775808",
                                          "99999999999999999999",
                                          "1e9",
                                          "0.5",
                                          "-0"};
    const size_t n = sizeof numbers / sizeof *numbers;

    (void)state;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            lvl_buffer file = {0};
            lvl_buffer_printf(
                &file,
                "{\"version\":%s,\"gameVersion\":\"x\",\"title\":\"edge\",\"chunks\":{\"size\":%s,\"chunks\":"
                "{\"%s,%s\":{\"type\":0,\"data\":{\"%s,%s\":%s,\"%s,0\":1}}}},\"palette\":{\"swatches\":null}"
                ","
                "\"pageType\":%s,\"boundedWidth\":%s,\"scroll\":\"%s,%s\"}\n",
                numbers[i], numbers[k], numbers[i], numbers[k], numbers[k], numbers[i], numbers[k],
                numbers[i], numbers[i], numbers[k], numbers[i], numbers[k]);
            assert_true(lvl_hostile_try(lvl_format_find("sketchy"), (lvl_bytes){file.data, file.len},
                                        (i + k) % 5 == 0, false));
            lvl_buffer_free(&file);
        }
    }
}

/* Many of everything: nothing may take time that grows with the square of them. */
static void many(void **state)
{
    enum { MANY = 60000, MAX_SECONDS = 30 };
    lvl_buffer file = {0};
    const double start = lvl_cpu_seconds();

    (void)state;
    lvl_buffer_str(
        &file, "{\"version\":1,\"gameVersion\":\"x\",\"title\":\"many\",\"chunks\":{\"size\":8,\"chunks\":{");
    for (int i = 0; i < MANY; i++)
        lvl_buffer_printf(&file, "%s\"%d,0\":{\"type\":0,\"data\":{\"%d,0\":900}}", i ? "," : "", i, i * 8);
    lvl_buffer_str(&file, "}},\"palette\":{\"swatches\":[");
    for (int i = 0; i < MANY / 10; i++)
        lvl_buffer_str(&file, i ? ",{}" : "{}");
    lvl_buffer_str(&file, "]},\"actors\":{");
    for (int i = 0; i < MANY; i++)
        lvl_buffer_printf(
            &file, "%s\"%d\":{\"filename\":\"x.doodad\",\"point\":\"0,0\",\"links\":[\"%d\",\"none\"]}",
            i ? "," : "", i, (i + 1) % MANY);
    lvl_buffer_str(&file, "}}");
    assert_true(lvl_hostile_try(lvl_format_find("sketchy"), (lvl_bytes){file.data, file.len}, false, false));
    const double seconds = lvl_cpu_seconds() - start;
    print_message("%d of each in %zu bytes: %.1f s\n", MANY, file.len, seconds);
    assert_true(seconds < MAX_SECONDS);
    lvl_buffer_free(&file);
}

static int leave_seeds(void **state)
{
    (void)state;
    for (int seed = 0; seed < LVL_SKETCHY_SEED_COUNT; seed++) {
        lvl_buffer file = {0};
        char name[100];
        snprintf(name, sizeof name, "%s.%s", lvl_sketchy_seed_name(seed),
                 seed == LVL_SKETCHY_SEED_PACK ? "levelpack" : "level");
        if (lvl_sketchy_seed(seed, &file))
            lvl_hostile_leave(name, (lvl_bytes){file.data, file.len});
        lvl_buffer_free(&file);
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gzip_bomb),
        cmocka_unit_test(zip_bomb),
        cmocka_unit_test(deep_json),
        cmocka_unit_test(edges),
        cmocka_unit_test(many),
        cmocka_unit_test(v1),
        cmocka_unit_test(v2),
        cmocka_unit_test(v3),
        cmocka_unit_test(v3_1),
        cmocka_unit_test(v4),
        cmocka_unit_test(base64),
        cmocka_unit_test(doodad),
        cmocka_unit_test(pack),
        cmocka_unit_test(doubled),
        cmocka_unit_test(edits_of_doubled_keys_are_linear),
    };

    return cmocka_run_group_tests(tests, leave_seeds, NULL);
}
