/*
 * The flat interface with hostile arguments, and with each allocation failing in turn: no crash, no leak,
 * and a status or NULL for each failure.
 */
#include "base/buffer.h"
#include "container/zip.h"
#include "starve.h"

#include <lvl/lvl.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define NW_LEVEL "GLEVNW01\nLINK a.nw 1 2 3 4 5 6\n"

static lvl_abi_doc *doc, *other, *source; /* `source` was read from bytes */

static lvl_abi_doc *made(const char *format, const char *options)
{
    lvl_abi_result *r = lvl_abi_new(format, NULL, options);

    assert_non_null(r);
    assert_int_equal(r->status, LVL_OK);
    lvl_abi_doc *d = r->doc;
    lvl_abi_result_free(r);
    return d;
}

static void setup_documents(const char *format)
{
    lvl_abi_result *r = lvl_abi_open(NW_LEVEL, sizeof NW_LEVEL - 1, "a.nw", NULL);

    doc = made(format, NULL);
    other = made(format, NULL);
    assert_non_null(r);
    source = r->doc;
    assert_non_null(source);
    lvl_abi_result_free(r);
}

static void close_documents(void)
{
    lvl_abi_close(doc);
    lvl_abi_close(other);
    lvl_abi_close(source);
    doc = other = source = NULL;
}

/* ---- hostile arguments ------------------------------------------------------------------------------- */

/* Frees the result; its status. */
static int32_t status_of(lvl_abi_result *r)
{
    assert_non_null(r);
    const int32_t status = r->status;
    assert_non_null(r->message);
    assert_true((status == LVL_OK) == (r->message[0] == 0));
    assert_true(status == LVL_OK || !r->doc);
    lvl_abi_close(r->doc);
    lvl_abi_result_free(r);
    return status;
}

#define REFUSED(call, code) assert_int_equal(status_of(call), code)

static void test_null(void **state)
{
    (void)state;
    REFUSED(lvl_abi_layout(NULL), LVL_ERR_MISSING);
    REFUSED(lvl_abi_layout("none"), LVL_ERR_MISSING);
    REFUSED(lvl_abi_findings("none"), LVL_ERR_MISSING);
    REFUSED(lvl_abi_open(NULL, 5, NULL, NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_open(NULL, 0, NULL, NULL), LVL_ERR_FOREIGN);
    REFUSED(lvl_abi_load(NULL, NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_list(NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_scan(NULL, 5, NULL, NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_scan(NULL, 0, NULL, NULL), LVL_ERR_FOREIGN);
    REFUSED(lvl_abi_undump(NULL, 0, NULL, NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_undump("{}", 2, NULL, NULL), LVL_ERR_FOREIGN);
    REFUSED(lvl_abi_new(NULL, NULL, NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_write(NULL, NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_save(NULL, "x", NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_info(NULL, NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_dump(NULL, NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_get(NULL, "x", NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_explain(NULL, NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_check(NULL, NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_diff(NULL, NULL, NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_follow(NULL, NULL, NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_render(NULL, NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_scene(NULL, NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_animation(NULL, NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_png(NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_tiles(NULL, NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_cell(NULL, 0, 0, 0), LVL_ERR_ARG);
    REFUSED(lvl_abi_changes(NULL, NULL, NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_spaces(NULL, 0), LVL_ERR_ARG);
    REFUSED(lvl_abi_schema(NULL), LVL_ERR_MISSING);
    REFUSED(lvl_abi_schema("none"), LVL_ERR_MISSING);
    REFUSED(lvl_abi_members(NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_member(NULL, "x"), LVL_ERR_ARG);
    REFUSED(lvl_abi_set(NULL, NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_unset(NULL, NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_copy(NULL, NULL, NULL, NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_resize(NULL, NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_copy_moved(NULL, NULL, NULL, NULL, NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_move(NULL, NULL, NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_move(NULL, "npcs[0]\0", NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_put_member(NULL, NULL, NULL, 0), LVL_ERR_ARG);
    REFUSED(lvl_abi_convert(NULL, NULL, NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_repair(NULL, NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_merge(NULL, NULL, NULL, NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_content(NULL, NULL, NULL), LVL_ERR_ARG);
    assert_null(lvl_abi_field(NULL, "plane", "name"));
    assert_null(lvl_abi_field("wwd", NULL, "name"));
    assert_null(lvl_abi_field("wwd", "plane", NULL));
    assert_null(lvl_abi_field("wwd", "plane", "none"));
    assert_null(lvl_abi_field("wwd", "none", "name"));
    assert_null(lvl_abi_root(NULL));
    assert_null(lvl_abi_format(NULL));
    assert_null(lvl_abi_cells(NULL, NULL, NULL));
    assert_int_equal(lvl_abi_put(NULL, NULL, NULL, NULL, 0), LVL_ERR_ARG);
    assert_int_equal(lvl_abi_put_item(NULL, NULL, NULL, 0, NULL, 0), LVL_ERR_ARG);
    assert_int_equal(lvl_abi_insert(NULL, NULL, NULL, 0, 1), LVL_ERR_ARG);
    assert_int_equal(lvl_abi_remove(NULL, NULL, NULL, 0, 1), LVL_ERR_ARG);
    lvl_abi_close(NULL);
    lvl_abi_result_free(NULL);
    lvl_abi_art_free(NULL);
    lvl_abi_use_art(NULL, NULL);
    assert_null(lvl_abi_art_of(NULL));
    lvl_abi_give(NULL, "x", 1);
}

static void test_options(void **state)
{
    static const char *const wrong[] = {"no_such=1\0",
                                        "size\0",
                                        "size=\0",
                                        "size=-1\0",
                                        "pixels=1\0measure=1\0",
                                        "direction=1\0",
                                        "size=4294967296\0",
                                        "size=1x\0",
                                        "crop=2\0",
                                        "overlay=grid,x\0",
                                        "scale=2/3\0",
                                        "with==\0",
                                        "frame=1\0",
                                        "plane=0\0camera=1,1\0",
                                        "sheet=1\0apng=1\0",
                                        "region=1,2,3\0",
                                        "region=1,2,3,4,\0",
                                        "region=0,0,0,1\0",
                                        "camera=1\0",
                                        "view=0x5\0",
                                        "region=2147483647,0,2,1\0",
                                        "=\0",
                                        "camera=99999999999,1\0"};
    (void)state;
    setup_documents("wwd");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        REFUSED(lvl_abi_render(doc, wrong[i]), LVL_ERR_ARG);
    REFUSED(lvl_abi_render(doc, "plane=99\0"), LVL_ERR_MISSING);
    REFUSED(lvl_abi_render(doc, "hide=none\0"), LVL_ERR_MISSING);
    REFUSED(lvl_abi_render(doc, "show=none\0"), LVL_ERR_MISSING);
    REFUSED(lvl_abi_render(doc, "measure=1\0frame=0\0direction=0\0"), LVL_OK);
    REFUSED(lvl_abi_tiles(doc, "layer=99\0"), LVL_ERR_ARG);
    REFUSED(lvl_abi_tiles(doc, "columns=0\0"), LVL_ERR_ARG);
    REFUSED(lvl_abi_tiles(doc, "columns=4294967295\0rows=4294967295\0"), LVL_ERR_LIMIT);
    REFUSED(lvl_abi_cell(doc, 0, UINT32_MAX, 0), LVL_ERR_ARG);
    REFUSED(lvl_abi_animation(doc, NULL), LVL_ERR_UNSUPPORTED);
    REFUSED(lvl_abi_png(doc), LVL_ERR_UNSUPPORTED);
    REFUSED(lvl_abi_spaces(source, 99), LVL_ERR_MISSING);
    REFUSED(lvl_abi_move(doc, NULL, "by=1,1\0"), LVL_ERR_ARG);
    REFUSED(lvl_abi_move(doc, "\0", "by=1,1\0"), LVL_ERR_ARG);
    REFUSED(lvl_abi_copy_moved(doc, NULL, doc, "\0", "by=1,1\0"), LVL_ERR_ARG);
    REFUSED(lvl_abi_copy_moved(doc, NULL, doc, "planes[0]\0", "by=1,1\0"), LVL_ERR_ARG);
    REFUSED(lvl_abi_move(doc, "planes[0].objects[9999]\0", "by=1,1\0"), LVL_ERR_MISSING);
    REFUSED(lvl_abi_move(doc, "planes[0]\0", "by=1,1\0"), LVL_ERR_ARG);
    REFUSED(lvl_abi_move(doc, "planes[0]\0", "by=1\0"), LVL_ERR_ARG);
    REFUSED(lvl_abi_resize(doc, "width=9\0height=9\0anchor_x=2\0"), LVL_ERR_ARG);
    REFUSED(lvl_abi_merge(doc, doc, other, "prefer=mine\0"), LVL_ERR_ARG);
    REFUSED(lvl_abi_open("x", 1, "x.wwd", "profile=none\0"), LVL_ERR_ARG);
    REFUSED(lvl_abi_open("x", 1, "x.wwd", "codepage=none\0"), LVL_ERR_ARG);
    REFUSED(lvl_abi_open("x", 1, "x.wwd", "format=none\0"), LVL_ERR_ARG);
    REFUSED(lvl_abi_open("x", 1, "x.wwd", "work=18446744073709551616\0"), LVL_ERR_ARG);
    REFUSED(lvl_abi_load("no/such//file", NULL), LVL_ERR_MISSING);
    REFUSED(lvl_abi_list("no/such//file"), LVL_ERR_MISSING);
    REFUSED(lvl_abi_scan("x", 1, "x.wwd", "size=1\0"), LVL_ERR_ARG);
    REFUSED(lvl_abi_members(doc), LVL_ERR_UNSUPPORTED);
    REFUSED(lvl_abi_convert(doc, "none", NULL), LVL_ERR_UNSUPPORTED);
    REFUSED(lvl_abi_get(doc, "planes[", NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_merge(doc, doc, doc, NULL), LVL_OK);
    close_documents();
}

static void test_members(void **state)
{
    (void)state;
    setup_documents("wwd");
    const lvl_field *planes = lvl_abi_field("wwd", "wwd", "planes"),
                    *name = lvl_abi_field("wwd", "wwd", "name"), *x = lvl_abi_field("wwd", "wwd", "start_x"),
                    *trailing = lvl_abi_field("wwd", "wwd", "trailing"),
                    *tiles = lvl_abi_field("wwd", "plane", "tiles"),
                    *sets = lvl_abi_field("wwd", "plane", "image_sets");
    lvl_wwd *root = lvl_abi_root(doc);
    char text[100];

    memset(text, 'x', sizeof text);
    assert_int_equal(lvl_abi_put(doc, root, name, text, 63), LVL_OK);
    assert_int_equal(lvl_abi_put(doc, root, name, text, 64), LVL_ERR_ARG);
    assert_int_equal(lvl_abi_put(doc, root, name, NULL, 1), LVL_ERR_ARG);
    assert_int_equal(lvl_abi_put(doc, root, x, text, 4), LVL_ERR_ARG);
    assert_int_equal(lvl_abi_put(doc, root, trailing, text, 5), LVL_OK);
    assert_int_equal(root->trailing.len, 5);
    assert_int_equal(lvl_abi_insert(doc, root, name, 0, 1), LVL_ERR_ARG);
    assert_int_equal(lvl_abi_insert(doc, root, planes, root->plane_count + 1, 1), LVL_ERR_ARG);
    assert_int_equal(lvl_abi_insert(doc, root, planes, 0, UINT32_MAX), LVL_ERR_LIMIT);
    assert_int_equal(lvl_abi_remove(doc, root, planes, 0, root->plane_count + 1), LVL_ERR_ARG);
    assert_int_equal(lvl_abi_remove(doc, root, planes, UINT32_MAX, 1), LVL_ERR_ARG);
    assert_int_equal(lvl_abi_insert(doc, root, planes, 0, 1), LVL_OK);
    assert_int_equal(lvl_abi_insert(doc, &root->planes[0], sets, 0, 2), LVL_OK);
    assert_int_equal(lvl_abi_put_item(doc, &root->planes[0], sets, 2, "A", 1), LVL_ERR_ARG);
    assert_int_equal(lvl_abi_put_item(doc, &root->planes[0], sets, 1, "A", 1), LVL_OK);
    assert_true(lvl_text_is(root->planes[0].image_sets[1], "A"));
    assert_null(lvl_abi_cells(doc, root, name));
    assert_non_null(lvl_abi_cells(doc, &root->planes[1], tiles));
    REFUSED(lvl_abi_content(doc, root, x), LVL_ERR_ARG);
    REFUSED(lvl_abi_content(doc, &root->planes[1], tiles), LVL_OK);
    close_documents();
}

/* ---- art of the caller ------------------------------------------------------------------------------- */

/* A folder with one file, which is no picture; `user` counts what was asked. */
static int32_t give_kind(void *user, const char *path)
{
    ++*(unsigned *)user;
    return strcmp(path, "x") == 0 || strcmp(path, ".") == 0 ? 2 : strstr(path, "pics1.png") ? 1 : 0;
}
static int32_t give_file(void *user, const char *path, void *out)
{
    (void)path;
    ++*(unsigned *)user;
    lvl_abi_give(out, "no picture", 10);
    lvl_abi_give(out, NULL, 0);
    return LVL_OK;
}
static int32_t give_names(void *user, const char *path, void *out)
{
    (void)path;
    ++*(unsigned *)user;
    lvl_abi_give(out, "pics1.png", 10);
    return LVL_OK;
}

static bool says(lvl_abi_result *r, const char *part)
{
    assert_int_equal(r->status, LVL_OK);
    char *text = calloc(r->len + 1, 1);
    assert_non_null(text);
    memcpy(text, r->data, r->len);
    const bool found = strstr(text, part) != NULL;
    free(text);
    lvl_abi_result_free(r);
    return found;
}

/* Files are asked when a picture is needed, once for documents that share them, and again never. */
static void test_art(void **state)
{
    unsigned asked = 0;
    const lvl_abi_files files = {&asked, give_kind, give_file, give_names};

    (void)state;
    setup_documents("nw");
    lvl_abi_art *art = lvl_abi_art_new("x/a.nw", "none\0x\0", &files);
    assert_non_null(art);
    lvl_abi_use_art(doc, art);
    lvl_abi_use_art(other, lvl_abi_art_of(doc));
    lvl_abi_art_free(art);
    assert_ptr_equal(lvl_abi_art_of(other), art);
    assert_int_equal(asked, 0);
    assert_true(says(lvl_abi_scene(doc, NULL), "\"title\""));
    REFUSED(lvl_abi_render(doc, "pixels=1\0size=32\0"), LVL_OK);
    const unsigned before = asked;
    assert_true(before > 0);
    REFUSED(lvl_abi_render(doc, "pixels=1\0size=32\0"), LVL_OK);
    REFUSED(lvl_abi_render(other, "pixels=1\0size=32\0"), LVL_OK);
    assert_int_equal(asked, before);
    lvl_abi_use_art(doc, NULL);
    REFUSED(lvl_abi_render(doc, "pixels=1\0size=32\0"), LVL_OK);
    REFUSED(lvl_abi_render(other, "pixels=1\0size=32\0"), LVL_OK); /* its art is still there */
    close_documents();
    lvl_abi_art *empty = lvl_abi_art_new(NULL, NULL, NULL);
    assert_non_null(empty);
    lvl_abi_art_free(empty);
}

/* What is kept between calls follows each change, whoever makes it. */
static void test_kept(void **state)
{
    (void)state;
    setup_documents("nw");
    assert_false(says(lvl_abi_scene(source, NULL), "\"npcs[0]\""));
    REFUSED(lvl_abi_set(source, "npcs[+]={\"script\":\"x\",\"x\":1}\0"), LVL_OK);
    assert_true(says(lvl_abi_scene(source, NULL), "\"npcs[0]\""));
    REFUSED(lvl_abi_unset(source, "npcs[0]\0"), LVL_OK);
    assert_false(says(lvl_abi_scene(source, NULL), "\"npcs[0]\""));
    REFUSED(lvl_abi_set(other, "npcs[+]={\"script\":\"x\",\"x\":1}\0"), LVL_OK);
    REFUSED(lvl_abi_copy(source, NULL, other, "npcs[0]"), LVL_OK);
    assert_true(says(lvl_abi_scene(source, NULL), "\"npcs[0]\""));
    lvl_abi_result *r = lvl_abi_write(source, NULL);
    assert_true(r && r->status == LVL_OK && r->len > sizeof NW_LEVEL - 1);
    lvl_abi_result_free(r);
    void *root = lvl_abi_root(source);
    const lvl_field *npcs = lvl_abi_field("nw", "graal", "npcs");
    assert_true(says(lvl_abi_scene(source, NULL), "\"npcs[0]\""));
    assert_int_equal(lvl_abi_remove(source, root, npcs, 0, 1), LVL_OK);
    assert_false(says(lvl_abi_scene(source, NULL), "\"npcs[0]\""));
    r = lvl_abi_write(source, NULL);
    assert_true(r && r->status == LVL_OK && r->len == sizeof NW_LEVEL - 1);
    lvl_abi_result_free(r);
    close_documents();
}

/* ---- paths of members -------------------------------------------------------------------------------- */

#define NW      NW_LEVEL
#define ARCHIVE "hostile_abi.zip"

/* A zip with a level, and a zip in it with the same, in a folder. */
static void save_archive(void)
{
    lvl_buffer inner = {0}, outer = {0};
    lvl_zip_writer writer;
    lvl_ctx ctx;

    lvl_ctx_init(&ctx);
    lvl_zip_begin(&writer, &ctx, &inner);
    lvl_zip_put_new(&writer, lvl_text_of("a.nw"), (lvl_bytes){(const uint8_t *)NW, sizeof NW - 1});
    assert_int_equal(lvl_zip_end(&writer, NULL), LVL_OK);
    lvl_zip_begin(&writer, &ctx, &outer);
    lvl_zip_put_new(&writer, lvl_text_of("b.nw"), (lvl_bytes){(const uint8_t *)NW, sizeof NW - 1});
    lvl_zip_put_new(&writer, lvl_text_of("old/inner.zip"), lvl_buffer_bytes(&inner));
    assert_int_equal(lvl_zip_end(&writer, NULL), LVL_OK);
    FILE *file = fopen(ARCHIVE, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(outer.data, 1, outer.len, file), outer.len);
    fclose(file);
    lvl_buffer_free(&inner);
    lvl_buffer_free(&outer);
}

static void listed(const char *path, const char *expected, unsigned count)
{
    lvl_abi_result *r = lvl_abi_list(path);

    assert_int_equal(r->status, LVL_OK);
    assert_int_equal(r->count, count);
    char *text = calloc(r->len + 1, 1);
    assert_non_null(text);
    memcpy(text, r->data, r->len);
    if (!strstr(text, expected))
        fail_msg("%s: expected %s, found %s", path, expected, text);
    free(text);
    lvl_abi_result_free(r);
}

static void test_paths(void **state)
{
    (void)state;
    save_archive();
    REFUSED(lvl_abi_load(ARCHIVE "//b.nw", NULL), LVL_OK);
    REFUSED(lvl_abi_load(ARCHIVE "//B.NW", NULL), LVL_OK);
    REFUSED(lvl_abi_load(ARCHIVE "//old/inner.zip//a.nw", NULL), LVL_OK);
    REFUSED(lvl_abi_load(ARCHIVE, NULL), LVL_ERR_FOREIGN);
    REFUSED(lvl_abi_load(ARCHIVE "//", NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_load(ARCHIVE "//old", NULL), LVL_ERR_ARG);
    REFUSED(lvl_abi_load(ARCHIVE "//c.nw", NULL), LVL_ERR_MISSING);
    REFUSED(lvl_abi_load(ARCHIVE "//old//a.nw", NULL), LVL_ERR_MISSING);
    REFUSED(lvl_abi_load(ARCHIVE "//b.nw//a.nw", NULL), LVL_ERR_UNSUPPORTED);
    REFUSED(lvl_abi_load(ARCHIVE "//old/inner.zip//b.nw", NULL), LVL_ERR_MISSING);
    REFUSED(lvl_abi_load(ARCHIVE "//b.nw", "input_bytes=10\0"), LVL_ERR_LIMIT);
    REFUSED(lvl_abi_list(ARCHIVE "//b.nw"), LVL_ERR_UNSUPPORTED);
    REFUSED(lvl_abi_list(ARCHIVE "//c"), LVL_ERR_MISSING);
    listed(ARCHIVE, "\"path\":\"b.nw\",\"size\":31,", 2);
    listed(ARCHIVE "//old", "\"old/inner.zip\"", 1);
    listed(ARCHIVE "//old/inner.zip", "\"path\":\"a.nw\",\"size\":31,", 1);
    remove(ARCHIVE);
}

/* ---- allocations that fail --------------------------------------------------------------------------- */

static lvl_abi_result *do_formats(void)
{
    return lvl_abi_formats();
}
static lvl_abi_result *do_layout(void)
{
    return lvl_abi_layout("wwd");
}
static lvl_abi_result *do_new(void)
{
    return lvl_abi_new("nw", NULL, "codepage=windows-1251\0");
}
static lvl_abi_result *do_open(void)
{
    return lvl_abi_open("GLEVNW01\nLINK a.nw 1 2 3 4 5 6\nNPC a.png 1 2\nfoo\nNPCEND\n", 53, "x/a.nw",
                        "profile=strict\0");
}
static lvl_abi_result *do_scan(void)
{
    return lvl_abi_scan(NW, sizeof NW - 1, "x/a.nw", "profile=strict\0");
}
static lvl_abi_result *do_load(void)
{
    return lvl_abi_load(ARCHIVE "//old/inner.zip//a.nw", NULL);
}
static lvl_abi_result *do_list(void)
{
    return lvl_abi_list(ARCHIVE "//old/inner.zip");
}
static lvl_abi_result *do_write(void)
{
    return lvl_abi_write(doc, NULL);
}
static lvl_abi_result *do_dump(void)
{
    return lvl_abi_dump(doc, "compact=1\0");
}
static lvl_abi_result *do_undump(void)
{
    static const char dump[] = "{\"lvl\":1,\"format\":\"nw\",\"doc\":{\"version\":\"GLEVNW01\",\"signs\":[{"
                               "\"x\":3,\"text\":[\"a\",\"b\"]}]}}";
    return lvl_abi_undump(dump, sizeof dump - 1, "a.nw", NULL);
}
static lvl_abi_result *do_info(void)
{
    return lvl_abi_info(doc, "json=1\0");
}
static lvl_abi_result *do_get(void)
{
    return lvl_abi_get(doc, "signs[*].text", "json=1\0");
}
static lvl_abi_result *do_set(void)
{
    return lvl_abi_set(other, "signs[+]={\"x\":3,\"text\":\"a\"}\0signs[0].y=4\0");
}
static lvl_abi_result *do_check(void)
{
    return lvl_abi_check(doc, "roundtrip=1\0sha256=1\0");
}
static lvl_abi_result *do_diff(void)
{
    return lvl_abi_diff(doc, other, NULL);
}
static lvl_abi_result *do_merge(void)
{
    return lvl_abi_merge(doc, doc, other, "prefer=theirs\0");
}
static lvl_abi_result *do_convert(void)
{
    return lvl_abi_convert(doc, "gr-v1.03", "allow_loss=1\0");
}
static lvl_abi_result *do_repair(void)
{
    return lvl_abi_repair(doc, NULL);
}
static lvl_abi_result *do_render(void)
{
    return lvl_abi_render(doc, "size=40x30\0schematic=1\0overlay=all\0crop=0\0");
}
static lvl_abi_result *do_pixels(void)
{
    return lvl_abi_render(doc, "size=40\0schematic=1\0pixels=1\0");
}
static lvl_abi_result *do_scene(void)
{
    return lvl_abi_scene(doc, NULL);
}
static lvl_abi_result *do_explain(void)
{
    return lvl_abi_explain(source, "all=1\0json=1\0");
}
static lvl_abi_result *do_findings(void)
{
    return lvl_abi_findings("lvl.limit");
}
static lvl_abi_result *do_follow(void)
{
    return lvl_abi_follow(doc, "signs[0]\0npcs[0]\0", other);
}

/* Of a new animation; the first result that failed. */
static lvl_abi_result *of_animation(lvl_abi_result *(*call)(lvl_abi_doc *, const char *), const char *options)
{
    lvl_abi_result *r = lvl_abi_new("gani", NULL, NULL);

    if (!r || r->status != LVL_OK)
        return r;
    lvl_abi_doc *d = r->doc;
    lvl_abi_result_free(r);
    r = call(d, options);
    if (r && r->status == LVL_OK) { /* with what is kept */
        lvl_abi_result_free(r);
        r = call(d, options);
    }
    lvl_abi_close(d);
    return r;
}
static lvl_abi_result *do_animation(void)
{
    return of_animation(lvl_abi_animation, "with=head=a.png\0with=skin=red\0");
}
static lvl_abi_result *do_frame(void)
{
    return of_animation(lvl_abi_render, "frame=0\0direction=0\0with=head=a.png\0pixels=1\0");
}
static lvl_abi_result *do_tiles(void)
{
    return lvl_abi_tiles(doc, "columns=4\0rows=2\0");
}
static lvl_abi_result *do_cell(void)
{
    return lvl_abi_cell(doc, 0, 3, 3);
}
static lvl_abi_result *do_changes(void)
{
    return lvl_abi_changes(doc, other, NULL);
}
static lvl_abi_result *do_spaces(void)
{
    return lvl_abi_spaces(source, 0);
}
static lvl_abi_result *do_schema(void)
{
    return lvl_abi_schema("nw");
}
static lvl_abi_result *do_verdict(void)
{
    return lvl_abi_open(NW, sizeof NW - 1, "a.nw", "verdict=1\0");
}
static unsigned asked_files;
static lvl_abi_result *do_art(void)
{
    const lvl_abi_files files = {&asked_files, give_kind, give_file, give_names};
    lvl_abi_art *art = lvl_abi_art_new("x/a.nw", "x\0", &files);

    lvl_abi_use_art(doc, art);
    lvl_abi_art_free(art);
    return art ? lvl_abi_render(doc, "measure=1\0") : NULL;
}

/* Two documents of one folder and one of an archive, in turn, with a shared art. */
static lvl_abi_result *do_shared(void)
{
    static const char *const paths[] = {ARCHIVE "//b.nw", ARCHIVE "//old/inner.zip//a.nw", ARCHIVE "//b.nw"};
    lvl_abi_art *art = lvl_abi_art_shared(NULL);
    lvl_abi_result *r = NULL;

    for (size_t i = 0; i < 3 && art; i++) {
        lvl_abi_result_free(r);
        r = lvl_abi_load(paths[i], NULL);
        if (!r || r->status != LVL_OK)
            break;
        lvl_abi_doc *d = r->doc;
        lvl_abi_use_art(d, art);
        lvl_abi_result_free(r);
        r = lvl_abi_render(d, "measure=1\0");
        lvl_abi_close(d);
        if (!r || r->status != LVL_OK)
            break;
    }
    lvl_abi_art_free(art);
    return r;
}

static void starve(const char *name, lvl_abi_result *(*call)(void))
{
    uint64_t calls = 0;

    for (int on = 0; on < 2; on++) {
        for (uint64_t n = 0; n <= calls; n++) {
            setup_documents("nw");
            status_of(lvl_abi_set(doc, "signs[+]={\"x\":3,\"text\":\"abc\"}\0npcs[+]={\"script\":\"x\"}\0"));
            const uint64_t before = lvl_starve_blocks();
            lvl_starve_from(n, on);
            lvl_abi_result *r = call();
            if (!n)
                calls = lvl_starve_calls();
            lvl_starve_from(0, false);
            const int32_t status = r ? r->status : LVL_ERR_MEMORY;
            if (n == 0 && status != LVL_OK)
                fail_msg("%s: status %d with all memory: %s", name, status, r ? r->message : "");
            if (n && status != LVL_OK && status != LVL_ERR_MEMORY)
                fail_msg("%s: call %llu refused: status %d", name, (unsigned long long)n, status);
            if (r)
                (void)status_of(r);
            lvl_abi_use_art(doc, NULL); /* forgets what is kept */
            lvl_abi_use_art(other, NULL);
            if (call != do_set && call != do_diff && call != do_merge && call != do_follow &&
                lvl_starve_blocks() != before)
                fail_msg("%s: call %llu refused: memory is lost", name, (unsigned long long)n);
            close_documents();
        }
    }
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    if (!lvl_starve_works())
        skip();
#define STARVE(call) starve(#call, call)
    save_archive();
    const uint64_t before = lvl_starve_blocks();
    STARVE(do_shared);
    STARVE(do_formats);
    STARVE(do_layout);
    STARVE(do_new);
    STARVE(do_open);
    STARVE(do_scan);
    STARVE(do_load);
    STARVE(do_list);
    STARVE(do_write);
    STARVE(do_dump);
    STARVE(do_undump);
    STARVE(do_info);
    STARVE(do_get);
    STARVE(do_set);
    STARVE(do_check);
    STARVE(do_diff);
    STARVE(do_merge);
    STARVE(do_convert);
    STARVE(do_repair);
    STARVE(do_render);
    STARVE(do_pixels);
    STARVE(do_scene);
    STARVE(do_explain);
    STARVE(do_findings);
    STARVE(do_follow);
    STARVE(do_animation);
    STARVE(do_frame);
    STARVE(do_tiles);
    STARVE(do_cell);
    STARVE(do_changes);
    STARVE(do_spaces);
    STARVE(do_schema);
    STARVE(do_verdict);
    STARVE(do_art);
    remove(ARCHIVE);
    if (lvl_starve_blocks() != before)
        fail_msg("memory is lost: %lld blocks", (long long)(lvl_starve_blocks() - before));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_null),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_members),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_art),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
