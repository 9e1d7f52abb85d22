/*
 * Broken and truncated maps of Tiled, and maps with wrong values: each is refused or read. With allocation
 * failures, reading and writing maps either succeeds or returns a status, and leaks nothing.
 */
#include "base/format.h"
#include "growth.h"
#include "starve.h"

#include <lvl/tiled.h>
#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

static const char text_level[] = "GLEVNW01\nBOARD 0 0 4 0 AAABACAD\n"
                                 "LINK a.nw 1 2 3 4 playerx 5\nSIGN 3 4\nHello\nSIGNEND\n"
                                 "CHEST 1 2 greenrupee 0\nBADDY 3 4 graysoldier\na\nb\nc\nBADDYEND\n"
                                 "NPC door.png 5 6\nif (created) {\n  a=1;\n}\nNPCEND\n";
/* swatches are a list of tiles, and links refer to actors by name */
static const char drawing[] =
    "{\"version\":1,\"title\":\"a\",\"chunks\":{\"size\":128},\"palette\":{\"swatches\":["
    "{\"name\":\"s\",\"color\":\"#102030\",\"solid\":true}]},\"actors\":{\"b\":{\"filename\":"
    "\"c.doodad\",\"point\":\"3,4\",\"links\":[\"b\"]}}}";

typedef struct level {
    const char *format, *name, *text;
} level;

static const level text_file = {"nw", "a.nw", text_level}, drawing_file = {"sketchy", "a.level", drawing};
static const level *used = &text_file;

static lvl_status map_of(const lvl_tiled_options *options, lvl_buffer *out)
{
    const lvl_bytes bytes = {(const uint8_t *)used->text, strlen(used->text)};
    lvl_tiled_files *files = NULL;
    lvl_doc *doc = NULL;

    lvl_status status = lvl_read(&doc, &ctx, lvl_format_find(used->format), bytes, used->name, 0, NULL);
    if (status == LVL_OK)
        status = lvl_tiled_write(doc, options, &files, NULL);
    if (status == LVL_OK) {
        const lvl_bytes map = files->items[0].bytes;
        lvl_buffer_add(out, map.ptr, map.len);
        status = out->status;
    }
    lvl_tiled_files_free(files);
    lvl_doc_free(doc);
    return status;
}

static lvl_status read_map(const void *text, size_t len, lvl_findings *findings)
{
    const lvl_tiled_read_options options = {.format = lvl_format_find(used->format)};
    lvl_buffer out = {0};
    lvl_doc *doc = NULL;
    bool changed = false;

    lvl_status status = lvl_tiled_read(&doc, &ctx, (lvl_bytes){text, len}, &options, &changed, findings);
    if ((status == LVL_OK) != (doc != NULL))
        fail_msg("%s, but %s", lvl_status_text(status), doc ? "a document" : "no document");
    if (status == LVL_OK) {
        status = lvl_doc_write(doc, &out);
        if (status == LVL_OK && !changed &&
            (out.len != strlen(used->text) || memcmp(out.data, used->text, out.len) != 0))
            fail_msg("an unchanged map gives another level");
        status =
            status == LVL_ERR_MEMORY ? status : LVL_OK; /* what the format can't write is another matter */
    }
    lvl_doc_free(doc);
    lvl_buffer_free(&out);
    return status;
}

#define MAP                                                                                      \
    "<map version=\"1.8\" orientation=\"orthogonal\" width=\"2\" height=\"2\" tilewidth=\"16\" " \
    "tileheight=\"16\">"
#define LAYER(size, data)                                                                         \
    MAP "<tileset firstgid=\"1\" name=\"x\" tilewidth=\"16\" tileheight=\"16\"/><layer id=\"1\" " \
        "name=\"a\" " size "><data " data "</data></layer></map>"

static void test_lies(void **state)
{
    static const struct {
        const char *text;
        lvl_status status;
    } cases[] = {
        {"", LVL_ERR_FORMAT},
        {"<map", LVL_ERR_FORMAT},
        {"<html/>", LVL_ERR_FORMAT},
        {"<!DOCTYPE map [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]><map orientation=\"x\">&b;</map>",
         LVL_ERR_FORMAT},
        {"<!DOCTYPE map SYSTEM \"file:///etc/passwd\"><map/>", LVL_ERR_FORMAT},
        {LAYER("width=\"4294967295\" height=\"4294967295\"", "encoding=\"csv\">1,2"), LVL_ERR_FORMAT},
        {LAYER("width=\"4294967296\" height=\"1\"", "encoding=\"csv\">1"), LVL_ERR_FORMAT},
        {LAYER("width=\"-1\" height=\"1\"", "encoding=\"csv\">1"), LVL_ERR_FORMAT},
        {LAYER("width=\"2\" height=\"2\"", "encoding=\"csv\">1,2,3"), LVL_ERR_FORMAT},
        {LAYER("width=\"2\" height=\"2\"", "encoding=\"csv\">1,2,3,4,5"), LVL_ERR_FORMAT},
        {LAYER("width=\"2\" height=\"2\"", "encoding=\"csv\">1,2,3,99999999999"), LVL_ERR_FORMAT},
        {LAYER("width=\"2\" height=\"2\"", "encoding=\"csv\">1,2,x,4"), LVL_ERR_FORMAT},
        {LAYER("width=\"2\" height=\"2\"", "encoding=\"base64\">AAA"), LVL_ERR_FORMAT},
        {LAYER("width=\"2\" height=\"2\"", "encoding=\"base64\">AAA*"), LVL_ERR_FORMAT},
        {LAYER("width=\"2\" height=\"2\"", "encoding=\"base64\">AAAA"), LVL_ERR_FORMAT},
        {LAYER("width=\"2\" height=\"2\"", "encoding=\"base64\" compression=\"zlib\">AAAA"), LVL_ERR_FORMAT},
        {LAYER("width=\"2\" height=\"2\"", "encoding=\"base64\" compression=\"gzip\">AAAA"), LVL_ERR_FORMAT},
        {LAYER("width=\"2\" height=\"2\"", "encoding=\"base64\" compression=\"zstd\">AAAA"), LVL_ERR_FORMAT},
        {LAYER("width=\"9999\" height=\"9999\"", "encoding=\"base64\" compression=\"zstd\">KLUv/SAAAQAA"),
         LVL_ERR_FORMAT},
        {LAYER("width=\"2\" height=\"2\"", "encoding=\"base64\" compression=\"lzma\">AAAA"), LVL_ERR_FORMAT},
        {LAYER("width=\"2\" height=\"2\"", "encoding=\"rot13\">1,2,3,4"), LVL_ERR_FORMAT},
        {LAYER("width=\"2\" height=\"2\"", "><tile gid=\"1\"/>"), LVL_ERR_FORMAT},
        {LAYER("width=\"2\" height=\"2\"", "encoding=\"csv\">1,2,3,4"),
         LVL_ERR_FORMAT}, /* 64 by 64 is needed */
        {"<map orientation=\"isometric\"/>", LVL_ERR_FORMAT},
        {"<map orientation=\"orthogonal\"><objectgroup><object id=\"-1\"/></objectgroup></map>",
         LVL_ERR_FORMAT},
        {"<map orientation=\"orthogonal\"><objectgroup><object x=\"nan\"/></objectgroup></map>",
         LVL_ERR_FORMAT},
        {"<map orientation=\"orthogonal\"><objectgroup name=\"npcs\"><object type=\"npc\" "
         "x=\"1e300\"/></objectgroup>"
         "</map>",
         LVL_OK},
        {"<map><properties><property/></properties></map>", LVL_OK},
        {"<map><properties><property name=\"lvl.origin\" value=\"****\"/></properties></map>",
         LVL_ERR_FORMAT},
        {"<map><properties><property name=\"lvl.origin\" value=\"AAAA\"/></properties></map>",
         LVL_ERR_FORMAT},
        {"<map><properties><property name=\"lvl.format\" value=\"wwd\"/><property name=\"lvl.origin\" "
         "value=\"eJwDAAAAAAE=\"/></properties></map>",
         LVL_ERR_FORMAT},
        {"<map><properties><property name=\"lvl.format\" value=\"none\"/><property name=\"lvl.origin\" "
         "value=\"eJwDAAAAAAE=\"/></properties></map>",
         LVL_ERR_FORMAT},
        {"{\"type\":\"map\",\"layers\":[{\"type\":\"tilelayer\",\"width\":2,\"height\":2,\"data\":[1,2,3]}]}",
         LVL_ERR_FORMAT},
        {"{\"type\":\"map\",\"layers\":[{\"type\":\"tilelayer\",\"width\":1e9,\"height\":1e9,\"data\":"
         "\"AAAA\","
         "\"encoding\":\"base64\"}]}",
         LVL_ERR_FORMAT},
        {"{\"type\":\"map\",\"layers\":[{\"id\":-5}]}", LVL_ERR_FORMAT},
        {"{\"type\":\"map\"", LVL_ERR_FORMAT},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lvl_findings *findings = lvl_findings_new(&ctx);
        const lvl_status status = read_map(cases[i].text, strlen(cases[i].text), findings);
        if (status != cases[i].status)
            fail_msg("case %zu: %s; %s", i, lvl_status_text(status), cases[i].text);
        if (status != LVL_OK && !lvl_findings_count(findings))
            fail_msg("case %zu: no finding says why; %s", i, cases[i].text);
        lvl_findings_free(findings);
    }
}

static void test_depth(void **state)
{
    enum { GROUPS = 20000 };
    lvl_buffer xml = {0}, json = {0};

    (void)state;
    lvl_buffer_str(&xml, "<map orientation=\"orthogonal\">");
    lvl_buffer_str(&json, "{\"type\":\"map\"");
    for (int i = 0; i < GROUPS; i++) {
        lvl_buffer_str(&xml, "<group>");
        lvl_buffer_str(&json, ",\"layers\":[{\"type\":\"group\"");
    }
    for (int i = 0; i < GROUPS; i++) {
        lvl_buffer_str(&xml, "</group>");
        lvl_buffer_str(&json, "}]");
    }
    lvl_buffer_str(&xml, "</map>");
    lvl_buffer_str(&json, "}");
    assert_int_equal(read_map(xml.data, xml.len, NULL), LVL_ERR_LIMIT);
    assert_int_equal(read_map(json.data, json.len, NULL), LVL_ERR_LIMIT);
    lvl_buffer_free(&xml);
    lvl_buffer_free(&json);
}

/* Each cut, and bytes changed all over. */
static void test_broken(void **state)
{
    const lvl_tiled_options options = {.no_pictures = true}, json = {.no_pictures = true, .json = true};
    uint32_t seed = 1;

    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        lvl_buffer map = {0};
        assert_int_equal(map_of(kind ? &json : &options, &map), LVL_OK);
        assert_int_equal(read_map(map.data, map.len, NULL), LVL_OK);
        for (size_t len = 0; len < map.len; len += 1 + map.len / 97)
            assert_int_not_equal(read_map(map.data, len, NULL), LVL_OK);
        for (int i = 0; map.len && i < 400; i++) {
            uint8_t *copy = malloc(map.len);
            assert_non_null(copy);
            memcpy(copy, map.data, map.len);
            for (int k = 0; k < 3; k++) {
                seed = seed * 1664525u + 1013904223u;
                copy[(seed >> 8) % map.len] = (uint8_t)("0129-<>\"=&\0z,;%"[seed >> 28]);
            }
            read_map(copy, map.len, NULL);
            free(copy);
        }
        lvl_buffer_free(&map);
    }
}

static lvl_status use_read(const lvl_buffer *map)
{
    lvl_findings *findings = lvl_findings_new(&ctx);
    const lvl_status status = findings ? read_map(map->data, map->len, findings) : LVL_ERR_MEMORY;

    lvl_findings_free(findings);
    return status;
}

static lvl_status use_write(const lvl_buffer *map)
{
    const lvl_tiled_options options = {.no_pictures = true};
    lvl_buffer out = {0};
    const lvl_status status = map_of(&options, &out);

    (void)map;
    lvl_buffer_free(&out);
    return status;
}

static void starve(lvl_status (*use)(const lvl_buffer *map), const lvl_buffer *map)
{
    if (!lvl_starve_works())
        skip();
    lvl_starve_from(0, false);
    assert_int_equal(use(map), LVL_OK);
    const uint64_t calls = lvl_starve_calls(), blocks = lvl_starve_blocks();
    assert_true(calls > 10);
    for (uint64_t i = 1; i <= calls; i++) {
        for (int on = 0; on < 2; on++) {
            lvl_starve_from(i, on);
            const lvl_status status = use(map);
            lvl_starve_from(0, false);
            if (status != LVL_OK && status != LVL_ERR_MEMORY)
                fail_msg("call %llu: %s", (unsigned long long)i, lvl_status_text(status));
            assert_int_equal(lvl_starve_blocks(), blocks);
        }
    }
    printf("%llu calls, each failed\n", (unsigned long long)calls);
}

/* A limit can refuse each allocation from an arena; a failing malloc, only those that need a new block. */
static void refuse(lvl_status (*use)(const lvl_buffer *map), const lvl_buffer *map)
{
    const uint64_t most = ctx.limits.memory_bytes;
    lvl_status status = LVL_ERR_LIMIT;
    unsigned refused = 0;

    for (uint64_t bytes = 600; status != LVL_OK; bytes += 48) { /* an arena takes a sixth: 8 bytes */
        ctx.limits.memory_bytes = bytes;
        status = use(map);
        if (status != LVL_OK && status != LVL_ERR_LIMIT && status != LVL_ERR_MEMORY)
            fail_msg("%llu bytes: %s", (unsigned long long)bytes, lvl_status_text(status));
        refused += status != LVL_OK;
    }
    ctx.limits.memory_bytes = most;
    assert_true(refused > 100);
}

static void test_no_memory(void **state)
{
    static const level *const levels[] = {&text_file, &drawing_file};
    const lvl_tiled_options options = {.no_pictures = true}, json = {.no_pictures = true, .json = true};

    (void)state;
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        lvl_buffer map = {0}, tmj = {0};
        used = levels[i];
        assert_int_equal(map_of(&options, &map), LVL_OK);
        assert_int_equal(map_of(&json, &tmj), LVL_OK);
        starve(use_read, &map);
        starve(use_read, &tmj);
        starve(use_write, &map);
        refuse(use_read, &map);
        refuse(use_read, &tmj);
        refuse(use_write, &map);
        lvl_buffer_free(&map);
        lvl_buffer_free(&tmj);
    }
    used = &text_file;
}

/* So many elements of which one map has one, and as many of which it has a list. */
static double seconds_of(const void *user, uint32_t n)
{
    lvl_buffer map = {0};

    (void)user;
    lvl_buffer_str(&map, MAP);
    for (uint32_t i = 0; i < n; i++)
        lvl_buffer_str(&map, "<point/><properties name=\"a\"/><image source=\"a\"/>");
    for (uint32_t i = 0; i < n; i++)
        lvl_buffer_str(&map, "<tileset firstgid=\"1\" name=\"x\"/>");
    lvl_buffer_str(&map, "</map>");
    assert_int_equal(map.status, LVL_OK);
    const double start = lvl_cpu_seconds();
    assert_int_equal(read_map(map.data, map.len, NULL), LVL_OK);
    const double seconds = lvl_cpu_seconds() - start;
    lvl_buffer_free(&map);
    return seconds;
}

static void test_growth(void **state)
{
    (void)state;
    assert_true(lvl_grows_linearly("elements that come again", seconds_of, NULL, 10000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lies), cmocka_unit_test(test_depth),
                                       cmocka_unit_test(test_broken), cmocka_unit_test(test_no_memory),
                                       cmocka_unit_test(test_growth)};

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
