/*
 * Bombs: small inputs that declare, or inflate to, more than the limits allow. They are refused, or the real
 * content is read, before memory is allocated: the peak of allocated memory is measured. Time is measured as
 * work, which would show quadratic operations.
 */
#include "base/info.h"
#include "base/format.h"
#include "codec/deflate.h"
#include "container/zip.h"
#include "expect.h"
#include "growth.h"
#include "starve.h"

#include <lvl/container.h>
#include <lvl/render.h>
#include <lvl/sketchy.h>
#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MIB ((uint64_t)1 << 20)

static const char minimal[] =
    "{\"version\":1,\"gameVersion\":\"x\",\"title\":\"bomb\",\"palette\":{\"swatches\":[{}]}}";

/* What else is done with a document: explained, dumped and undumped, compared with a copy of another title,
 * edited, converted, repaired, listed. */
static void do_more(const lvl_doc *doc)
{
    static const char *const edits[] = {"title=another", "actors[0].id=first", "files[0].path=assets/other"};
    const lvl_ctx *ctx = lvl_doc_ctx(doc);
    lvl_findings *findings = lvl_findings_new(ctx);
    lvl_doc *again = NULL, *made = NULL;
    lvl_container *box = NULL;
    lvl_buffer out = {0}, found = {0};
    bool different;

    assert_non_null(findings);
    (void)lvl_explain(doc, NULL, &found, NULL);
    found.len = 0;
    if (lvl_dump(doc, NULL, &out, NULL) == LVL_OK)
        (void)lvl_undump(&again, ctx, (lvl_text){(const char *)out.data, out.len}, NULL);
    if (again) {
        for (size_t i = 0; i < LVL_COUNT_OF(edits); i++)
            (void)lvl_set(again, &edits[i], 1, NULL, NULL);
        out.len = 0;
        (void)lvl_doc_write(again, &out);
        (void)lvl_diff(doc, again, NULL, &different, &found);
        found.len = 0;
        (void)lvl_get(again, "actors[filename~x9].id", NULL, &found, NULL, NULL);
        (void)lvl_repair(again, NULL, findings, NULL);
    }
    if (lvl_convert(doc, "v4", true, findings, &made) == LVL_OK && lvl_container_open(&box, made) == LVL_OK) {
        for (size_t i = 0; i < lvl_container_count(box); i++)
            assert_non_null(lvl_container_find(box, lvl_container_at(box, i)->path));
    }
    out.len = 0;
    if (made)
        (void)lvl_doc_write(made, &out);
    lvl_container_close(box);
    lvl_doc_free(made);
    lvl_doc_free(again);
    lvl_findings_free(findings);
    lvl_buffer_free(&out);
    lvl_buffer_free(&found);
}

typedef struct measure {
    lvl_status read, open, check, info, render, write;
    uint64_t peak;
    double seconds;
} measure;

/* Every operation on a foreign file, with little memory allowed. */
static measure go_through(const char *format, lvl_bytes input, uint64_t memory, bool more)
{
    measure m;
    lvl_ctx ctx;
    lvl_doc *doc = NULL, *seen = NULL;
    lvl_check_result result;
    lvl_scene *scene = NULL;
    lvl_image image = {0};
    lvl_buffer out = {0};

    memset(&m, 0, sizeof m);
    memset(&result, 0, sizeof result);
    lvl_ctx_init(&ctx);
    ctx.limits.memory_bytes = memory;
    ctx.limits.findings = 100;
    const uint64_t before = lvl_starve_bytes();
    lvl_starve_mark();
    const double start = lvl_cpu_seconds();
    lvl_findings *findings = lvl_findings_new(&ctx);
    assert_non_null(findings);
    m.read = lvl_read(&doc, &ctx, lvl_format_find(format), input, NULL, LVL_READ_BORROW, findings);
    if (doc) {
        lvl_info *info;
        m.info = lvl_doc_info(doc, NULL, false, &info);
        lvl_info_free(info);
        m.render = lvl_doc_scene(doc, NULL, &scene);
        if (m.render == LVL_OK) {
            lvl_render_options options;
            lvl_render_options_init(&options);
            options.size = 64;
            m.render = lvl_render_image(scene, &options, &image);
        }
        m.write = lvl_doc_write(doc, &out);
        m.open = lvl_doc_open(doc);
        if (more && m.open == LVL_OK)
            do_more(doc);
    }
    lvl_image_clear(&image);
    lvl_scene_free(scene);
    lvl_buffer_free(&out);
    lvl_doc_free(doc);
    lvl_findings_clear(findings);
    m.check = lvl_check(&ctx, lvl_format_find(format), input, NULL, NULL, findings, &result, &seen);
    lvl_doc_free(seen);
    lvl_findings_free(findings);
    m.seconds = lvl_cpu_seconds() - start;
    m.peak = lvl_starve_peak() - before;
    return m;
}

/* A status that a bomb may have: never "out of memory", for there is enough of it. */
static bool fair(lvl_status status)
{
    return status == LVL_OK || status == LVL_ERR_LIMIT || status == LVL_ERR_FORMAT ||
           status == LVL_ERR_MISSING || status == LVL_ERR_UNSUPPORTED || status == LVL_ERR_ARG;
}

/* Goes through everything within some times the limit, and in seconds. */
static measure defuse(const char *name, const char *format, lvl_bytes input, uint64_t memory, double seconds)
{
    const measure m = go_through(format, input, memory, !*name);

    if (*name)
        print_message("%s: %zu bytes, limit %llu KiB: read %s, open %s, check %s, info %s, render %s, write "
                      "%s; %llu KiB, "
                      "%.2f s\n",
                      name, input.len, (unsigned long long)(memory / 1024), lvl_status_text(m.read),
                      lvl_status_text(m.open), lvl_status_text(m.check), lvl_status_text(m.info),
                      lvl_status_text(m.render), lvl_status_text(m.write),
                      (unsigned long long)(m.peak / 1024), m.seconds);
    assert_true(fair(m.read) && fair(m.open) && fair(m.check) && fair(m.info) && fair(m.render) &&
                fair(m.write));
    /* a document, a second one, what it is written to, and what one member unpacks to */
    assert_true(!*name || m.peak <= memory * 4 + input.len * 4 + 4 * MIB);
    assert_true(m.seconds < seconds);
    return m;
}

/* ---- claims ------------------------------------------------------------------------------------------ */

static void put_document(lvl_zip_writer *w, const char *json)
{
    lvl_zip_put_new(w, lvl_text_of("level.json"), (lvl_bytes){(const uint8_t *)json, strlen(json)});
}

/* A document and a chunk that declare a gigabyte, and more than is possible. */
static void claimed_sizes(void **state)
{
    static const uint64_t sizes[] = {(uint64_t)1 << 30, UINT32_MAX - 1, 0};
    static const uint8_t chunk[] = {0x03, 0x00}; /* an empty stream */

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(sizes); i++) {
        for (int which = 0; which < 2; which++) {
            lvl_buffer file = {0};
            lvl_zip_writer w;
            lvl_zip_begin(&w, NULL, &file);
            lvl_zip_put_parts(&w, lvl_text_of(which ? "level.json" : "chunks/0/0,0.bin"),
                              (lvl_bytes){chunk, sizeof chunk}, 0, sizes[i], (lvl_bytes){0}, (lvl_bytes){0},
                              (lvl_bytes){0});
            if (!which)
                put_document(&w, minimal);
            assert_int_equal(lvl_zip_end(&w, NULL), LVL_OK);
            defuse("claimed size", "sketchy", lvl_bytes_in(&file), MIB, 5);
            lvl_buffer_free(&file);
        }
    }
}

/* Members larger than the limit: the document, a chunk, an attached file; a gzip, and one with a wrong
 * size. */
static void real_sizes(void **state)
{
    enum { BIG = 64 << 20 };
    static const char *const names[] = {"level.json", "chunks/0/0,0.bin", "chunks/0/0,0.json", "assets/x.png",
                                        "assets/doodads/x.doodad"};
    uint8_t *zeros = calloc(BIG, 1);
    lvl_buffer file = {0};

    (void)state;
    assert_non_null(zeros);
    for (size_t i = 0; i < LVL_COUNT_OF(names); i++) {
        lvl_zip_writer w;
        file.len = 0;
        lvl_zip_begin(&w, NULL, &file);
        lvl_zip_put_new(&w, lvl_text_of(names[i]), (lvl_bytes){zeros, BIG});
        if (i)
            put_document(&w, "{\"version\":1,\"title\":\"x\",\"gameVersion\":\"x\",\"actors\":{\"a\":{"
                             "\"filename\":\"x.doodad\","
                             "\"point\":\"0,0\"}},\"palette\":{\"swatches\":[{}]}}");
        assert_int_equal(lvl_zip_end(&w, NULL), LVL_OK);
        const measure m = defuse(names[i], "sketchy", lvl_bytes_in(&file), MIB, 5);
        assert_true(i ? m.open == LVL_ERR_LIMIT || i == 1 || i == 2 : m.read == LVL_ERR_LIMIT);
    }
    memset(zeros, ' ', BIG);
    memcpy(zeros, "{\"version\":1,\"gameVersion\":\"x\",\"title\":\"\"", 40);
    file.len = 0;
    assert_int_equal(lvl_deflate(LVL_WRAP_GZIP, (lvl_bytes){zeros, BIG}, &file), LVL_OK);
    for (int lie = 0; lie < 3; lie++) {
        if (lie)
            memset(file.data + file.len - 4, lie == 1 ? 0xFF : 0, 4);
        assert_int_equal(defuse("gzip", "sketchy", lvl_bytes_in(&file), MIB, 5).read, LVL_ERR_LIMIT);
    }
    free(zeros);
    lvl_buffer_free(&file);
}

/* A thousand entries of the directory for one member that unpacks to megabytes: as long as a file is, it
 * can't be made to be unpacked again and again. */
static void overlapping(void **state)
{
    enum { BIG = 4 << 20, ENTRIES = 3000 };
    uint8_t *zeros = calloc(BIG, 1);
    lvl_buffer file = {0}, bomb = {0};
    lvl_zip_writer w;

    (void)state;
    assert_non_null(zeros);
    lvl_zip_begin(&w, NULL, &file);
    lvl_zip_put_new(&w, lvl_text_of("chunks/0/0,0.bin"), (lvl_bytes){zeros, BIG});
    const size_t first_end = file.len;
    put_document(&w, minimal);
    assert_int_equal(lvl_zip_end(&w, NULL), LVL_OK);
    free(zeros);
    /* a new directory: many entries for the first member, then the document's */
    const uint8_t *end = file.data + file.len - 22;
    const uint32_t at = (uint32_t)end[16] | (uint32_t)end[17] << 8 | (uint32_t)end[18] << 16;
    const uint8_t *entry = file.data + at;
    const size_t entry_len = 46 + (size_t)entry[28];
    lvl_buffer_add(&bomb, file.data, at);
    for (int i = 0; i < ENTRIES; i++)
        lvl_buffer_add(&bomb, entry, entry_len);
    lvl_buffer_add(&bomb, entry + entry_len, (size_t)(end - entry) - entry_len);
    const size_t directory = bomb.len - at;
    const size_t tail = bomb.len;
    lvl_buffer_add(&bomb, end, 22);
    bomb.data[tail + 8] = bomb.data[tail + 10] = (uint8_t)((ENTRIES + 1) & 0xFF);
    bomb.data[tail + 9] = bomb.data[tail + 11] = (uint8_t)((ENTRIES + 1) >> 8);
    for (int i = 0; i < 4; i++)
        bomb.data[tail + 12 + i] = (uint8_t)(directory >> i * 8);
    assert_true(first_end < at);
    defuse("overlapping", "sketchy", lvl_bytes_in(&bomb), 16 * MIB, 5);
    lvl_buffer_free(&bomb);
    lvl_buffer_free(&file);
}

/* As many members as an end record can count, and more, with names that differ only in case. */
static void many_members(void **state)
{
    static const int counts[] = {1000, 65534, 65535, 70000};

    (void)state;
    for (size_t k = 0; k < LVL_COUNT_OF(counts); k++) {
        lvl_buffer file = {0};
        lvl_zip_writer w;
        lvl_zip_begin(&w, NULL, &file);
        for (int i = 0; i < counts[k]; i++) {
            char name[64] = "assets/levels and doodads";
            for (int bit = 0; bit < 17; bit++) { /* aAa… */
                const char letter = (char)('a' + bit);
                name[25 + bit] = (char)(i >> bit & 1 ? letter - 32 : letter);
            }
            lvl_zip_put_parts(&w, lvl_text_of(name), (lvl_bytes){(const uint8_t *)"\x03", 2}, 0, 0,
                              (lvl_bytes){0}, (lvl_bytes){0}, (lvl_bytes){0});
        }
        put_document(&w, minimal);
        const lvl_status status = lvl_zip_end(&w, NULL);
        if (status == LVL_OK) {
            char name[40];
            snprintf(name, sizeof name, "%d members", counts[k]);
            defuse(name, "sketchy", lvl_bytes_in(&file), 256 * MIB, 20);
            defuse(name, "levelpack", lvl_bytes_in(&file), 256 * MIB, 20);
        } else {
            assert_true(counts[k] >= 65535);
            assert_int_equal(status, LVL_ERR_LIMIT);
        }
        lvl_buffer_free(&file);
    }
}

/* ---- documents --------------------------------------------------------------------------------------- */

static measure drawing(const char *name, const char *before, const char *unit, const char *after,
                       size_t count, uint64_t memory)
{
    lvl_buffer file = {0};

    lvl_buffer_str(&file, before);
    for (size_t i = 0; i < count; i++) {
        for (const char *p = unit; *p; p++) {
            if (*p == '$')
                lvl_buffer_printf(&file, "%zu", i);
            else if (*p == '^')
                lvl_buffer_printf(&file, "%zu", (i + 1) % count);
            else
                lvl_buffer_u8(&file, (uint8_t)*p);
        }
        if (i + 1 < count)
            lvl_buffer_u8(&file, ',');
    }
    lvl_buffer_str(&file, after);
    assert_int_equal(file.status, LVL_OK);
    const measure m = defuse(name, "sketchy", lvl_bytes_in(&file), memory, 30);
    lvl_buffer_free(&file);
    return m;
}

#define HEAD "{\"version\":1,\"gameVersion\":\"x\",\"title\":\"t\","

/* Sizes of chunks, places of pixels and chunks, counts of runs, at the edges of all integers. */
static void edges(void **state)
{
    static const char *const numbers[] = {"0",
                                          "255",
                                          "256",
                                          "65536",
                                          "2147483647",
                                          "-2147483648",
                                          "4294967296",
                                          "9223372036854775807",
                                          "-9223372036854775808",
                                          "1e300"};

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(numbers); i++) {
        for (size_t k = 0; k < LVL_COUNT_OF(numbers); k++) {
            lvl_buffer file = {0};
            lvl_buffer_printf(
                &file,
                HEAD
                "\"pageType\":2,\"boundedWidth\":%s,\"boundedHeight\":%s,\"chunks\":{\"size\":%s,"
                "\"chunks\":{\"%s,%s\":{\"type\":0,\"data\":{\"%s,0\":0}},\"0,0\":{\"type\":0,"
                "\"data\":{\"0,0\":0}}}},\"palette\":{\"swatches\":[{}]},\"actors\":{\"a\":{\"filename\":"
                "\"x\",\"point\":\"%s,%s\"}}}",
                numbers[k], numbers[i], numbers[i], numbers[k], numbers[i], numbers[k], numbers[k],
                numbers[i]);
            const measure m = go_through("sketchy", lvl_bytes_in(&file), 16 * MIB, false);
            assert_true(fair(m.read) && fair(m.open) && fair(m.check) && fair(m.info) && fair(m.render) &&
                        fair(m.write));
            assert_true(m.peak < 160 * MIB);
            /* a page of 2^32 rows is drawn in 2 s, under sanitizers in 8 */
            assert_true(m.seconds < (lvl_can_time() ? 5 : 50));
            lvl_buffer_free(&file);
        }
    }
}

/* Runs that count to the end of all numbers, and lists that claim more than is there; as binary chunks and as
 * base64. */
static void chunk_streams(void **state)
{
    static const struct {
        const char *bytes;
        size_t len;
    } streams[] = {
        {"\x01\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12}, /* a run of 2^64-1 */
        {"\x01\xff\xff\x03\xff\xff\xff\xff\x0f\x00\x01", 11}, /* of nothing, 2^32-1 */
        {"\x01\x00\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 14}, /* a varint that doesn't end */
        {"\x01\x00\x00\x00\x00\x00\x00", 7}, /* runs of none */
        {"\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00\x00", 13}, /* a pixel at the edge of the world */
        {"\x00\x80", 2},
        {"\x02\x00\x00", 3}, /* a type that there isn't */
        {"", 0},
    };

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(streams); i++) {
        for (int size = 1; size <= 255; size += 127) {
            lvl_buffer file = {0}, json = {0};
            lvl_zip_writer w;
            lvl_buffer_printf(&json, HEAD "\"chunks\":{\"size\":%d},\"palette\":{\"swatches\":[{}]}}", size);
            lvl_zip_begin(&w, NULL, &file);
            lvl_zip_put_new(&w, lvl_text_of("chunks/0/-1,2.bin"),
                            (lvl_bytes){(const uint8_t *)streams[i].bytes, streams[i].len});
            lvl_zip_put_new(&w, lvl_text_of("level.json"), lvl_bytes_in(&json));
            assert_int_equal(lvl_zip_end(&w, NULL), LVL_OK);
            const measure m = go_through("sketchy", lvl_bytes_in(&file), 4 * MIB, false);
            assert_true(fair(m.read) && fair(m.open) && fair(m.check) && fair(m.render) && fair(m.write));
            assert_true(m.peak < 24 * MIB);
            lvl_buffer_free(&file);
            lvl_buffer_free(&json);
        }
    }
    drawing("base64 lies", HEAD "\"chunks\":{\"size\":16,\"chunks\":{",
            "\"$,0\":{\"type\":0,\"data\":\"////////////\"}", "}},\"palette\":{\"swatches\":[{}]}}", 2000,
            16 * MIB);
    drawing("base64 that isn't", HEAD "\"chunks\":{\"size\":16,\"chunks\":{",
            "\"$,0\":{\"type\":0,\"data\":\"A\\u0000=\"}", "}},\"palette\":{\"swatches\":[{}]}}", 2000,
            16 * MIB);
}

/* ---- work -------------------------------------------------------------------------------------------- */

/* Many of one thing, and four times as many: time may not grow with the square. It is measured on one
 * processor's clock, the best of three, so that what grows sixteenfold can't be taken for what grows
 * fourfold. */
typedef struct thing {
    const char *name, *before, *unit, *after;
    uint32_t count;
} thing;

static double drawing_seconds(const void *user, uint32_t n)
{
    const thing *t = user;

    return drawing("", t->before, t->unit, t->after, n, 256 * MIB).seconds;
}

static void growth(void **state)
{
    static const thing things[] = {
        {"actors with links", HEAD "\"actors\":{",
         "\"a$\":{\"filename\":\"x$.doodad\",\"point\":\"$,0\",\"links\":[\"a^\"]}", "}}", 3000},
        {"links of one actor", HEAD "\"actors\":{\"a\":{\"filename\":\"x\",\"point\":\"0,0\",\"links\":[",
         "\"a$\"", "]}}}", 6000},
        {"actors of one id", HEAD "\"actors\":{",
         "\"a\":{\"filename\":\"x\",\"point\":\"$,0\",\"links\":[\"a\"]}", "}}", 3000},
        {"options", HEAD "\"actors\":{\"a\":{\"filename\":\"x\",\"point\":\"0,0\",\"options\":{",
         "\"o$\":{\"type\":\"int\",\"name\":\"o$\",\"value\":$}", "}}}}", 4000},
        {"swatches", HEAD "\"palette\":{\"swatches\":[", "{\"name\":\"s\",\"color\":\"#123456\"}", "]}}",
         4000},
        {"unknown keys", HEAD, "\"k$\":$", "}", 8000},
        {"keys that come twice", HEAD, "\"title\":\"$\"", "}", 6000},
        {"chunks", HEAD "\"chunks\":{\"size\":2,\"chunks\":{", "\"$,0\":{\"type\":0,\"data\":{}}",
         "}},\"palette\":{\"swatches\":[{}]}}", 4000},
        {"chunks of one place", HEAD "\"chunks\":{\"size\":2,\"chunks\":{",
         "\"0,0\":{\"type\":0,\"data\":{\"0,0\":0}}", "}},\"palette\":{\"swatches\":[{}]}}", 4000},
        {"pixels", HEAD "\"chunks\":{\"size\":128,\"chunks\":{\"0,0\":{\"type\":0,\"data\":{", "\"$,0\":0",
         "}}}},\"palette\":{\"swatches\":[{}]}}", 20000},
        {"files", HEAD "\"files\":{", "\"assets/doodads/x$.doodad\":{\"data\":\"aGVsbG8=\"}", "}}", 3000},
    };

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(things); i++)
        assert_true(lvl_grows_linearly(things[i].name, drawing_seconds, &things[i], things[i].count));
}

/* Doodads in a level, and as many actors that name them. */
static measure doodads(size_t count)
{
    lvl_buffer file = {0}, json = {0};
    lvl_zip_writer w;

    lvl_buffer_str(&json, HEAD "\"palette\":{\"swatches\":[{}]},\"actors\":{");
    lvl_zip_begin(&w, NULL, &file);
    for (size_t i = 0; i < count; i++) {
        char name[64];
        snprintf(name, sizeof name, "assets/doodads/a doodad of a somewhat longer name %zu", i);
        lvl_zip_put_parts(&w, lvl_text_of(name), (lvl_bytes){(const uint8_t *)"\x03", 2}, 0, 0,
                          (lvl_bytes){0}, (lvl_bytes){0}, (lvl_bytes){0});
        lvl_buffer_printf(&json, "%s\"%zu\":{\"filename\":\"%s\",\"point\":\"0,0\"}", i ? "," : "", i,
                          name + 15);
    }
    lvl_buffer_str(&json, "}}");
    lvl_zip_put_new(&w, lvl_text_of("level.json"), lvl_bytes_in(&json));
    assert_int_equal(lvl_zip_end(&w, NULL), LVL_OK);
    const measure m = defuse("", "sketchy", lvl_bytes_in(&file), 256 * MIB, 30);
    lvl_buffer_free(&json);
    lvl_buffer_free(&file);
    return m;
}

static double doodads_seconds(const void *user, uint32_t n)
{
    (void)user;
    return doodads(n).seconds;
}

static void many_doodads(void **state)
{
    (void)state;
    assert_true(lvl_grows_linearly("doodads", doodads_seconds, NULL, 2000));
}

/* A picture that is too large for a document gives LVL_ERR_LIMIT, not LVL_ERR_MEMORY. */
static void large_pictures(void **state)
{
    unsigned refused = 0;
    lvl_image image;
    lvl_ctx ctx;

    (void)state;
    lvl_ctx_init(&ctx);
    ctx.limits.memory_bytes = 6 * MIB; /* a document may take a sixth */
    assert_int_equal(lvl_image_init(&image, &ctx, LVL_PIXELS_INDEX8, 1200, 1200, false), LVL_OK);
    for (size_t i = 0; i < (size_t)1200 * 1200; i++)
        image.pixels[i] = (uint8_t)(i * i >> 3);
    for (size_t i = 0; i < lvl_format_count(); i++) {
        lvl_doc *made = NULL;
        const lvl_status status = lvl_doc_draw(&made, &ctx, lvl_format_at(i), &image, NULL, NULL);
        refused += status == LVL_ERR_LIMIT;
        if (status == LVL_ERR_MEMORY)
            fail_msg("%s: out of memory", lvl_format_at(i)->id);
        lvl_doc_free(made);
    }
    lvl_image_clear(&image);
    assert_true(refused >= 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_pictures), cmocka_unit_test(claimed_sizes), cmocka_unit_test(real_sizes),
        cmocka_unit_test(overlapping),    cmocka_unit_test(many_members),  cmocka_unit_test(edges),
        cmocka_unit_test(chunk_streams),  cmocka_unit_test(growth),        cmocka_unit_test(many_doodads),
    };

    return cmocka_run_group_tests_name("hostile_bombs", tests, NULL, NULL);
}
