/*
 * Maps of Tiled that lvl did not write, as levels: tilesets by name, by --tileset-is and by their pixels, all
 * kinds of cells, chunks, hidden layers, objects of any kind. Then broken ones, absurd numbers, failing
 * allocations.
 */
#include "base/format.h"
#include "growth.h"
#include "starve.h"

#include <lvl/graal.h>
#include <lvl/image.h>
#include <lvl/tiled.h>
#include <lvl/tools.h>
#include <lvl/wwd.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TILE = 16, COLUMNS = 128, ROWS = 32, GRASS = 511, ABSENT = LVL_GRAAL_ABSENT };

static lvl_ctx ctx;

/* ---- files in memory ----------------------------------------------------------------------------------- */

enum { FILES = 32 };
static struct {
    const char *path;
    lvl_buffer bytes;
} disk[FILES];
static size_t disk_count;

static lvl_buffer *add_file(const char *path)
{
    assert_true(disk_count < FILES);
    disk[disk_count].path = path;
    disk[disk_count].bytes = (lvl_buffer){0};
    return &disk[disk_count++].bytes;
}

static void add_text(const char *path, const char *text)
{
    lvl_buffer_str(add_file(path), text);
}

static void clear_disk(void)
{
    while (disk_count)
        lvl_buffer_free(&disk[--disk_count].bytes);
}

static const lvl_buffer *find_file(const char *path)
{
    for (size_t i = 0; i < disk_count; i++) {
        if (strcmp(disk[i].path, path) == 0)
            return &disk[i].bytes;
    }
    return NULL;
}

static lvl_status read_file(void *user, const char *path, lvl_buffer *out)
{
    const lvl_buffer *file = find_file(path);

    (void)user;
    if (!file)
        return LVL_ERR_MISSING;
    lvl_buffer_add(out, file->data, file->len);
    return out->status;
}

static unsigned files_read; /* by the map itself */

/* lvl_tiled_read_options.fetch */
static lvl_status fetch_file(void *user, const char *path, lvl_buffer *out)
{
    files_read++;
    return read_file(user, path, out);
}

static lvl_file_kind kind_of(void *user, const char *path)
{
    const size_t len = strlen(path);

    (void)user;
    for (size_t i = 0; i < disk_count; i++) {
        if (strncmp(disk[i].path, path, len) == 0 && (disk[i].path[len] == '/' || !disk[i].path[len]))
            return disk[i].path[len] ? LVL_FILE_FOLDER : LVL_FILE_REGULAR;
    }
    return LVL_FILE_NONE;
}

static lvl_status list_files(void *user, const char *path, lvl_buffer *names)
{
    const size_t len = strlen(path);

    (void)user;
    for (size_t i = 0; i < disk_count; i++) {
        if (strncmp(disk[i].path, path, len) != 0 || disk[i].path[len] != '/')
            continue;
        const char *name = disk[i].path + len + 1;
        const char *end = strchr(name, '/');
        lvl_buffer_add(names, name, end ? (size_t)(end - name) : strlen(name));
        lvl_buffer_u8(names, 0);
    }
    return names->status;
}

static const lvl_files files = {.kind = kind_of, .read = read_file, .list = list_files};

/* ---- pictures ------------------------------------------------------------------------------------------ */

/* Draws tile number `n`, unlike any other, into a picture. */
static void draw_tile(lvl_image *image, uint32_t left, uint32_t top, uint32_t side, uint32_t n)
{
    for (uint32_t y = 0; y < side; y++) {
        for (uint32_t x = 0; x < side; x++) {
            uint8_t *p = image->pixels + ((size_t)(top + y) * image->width + left + x) * 4;
            p[0] = (uint8_t)n;
            p[1] = (uint8_t)(n >> 8);
            p[2] = (uint8_t)(x * y);
            p[3] = 255;
        }
    }
}

static void save_picture(const char *path, lvl_image *image)
{
    assert_int_equal(lvl_png_write_buffer(&ctx, image, NULL, add_file(path)), LVL_OK);
    lvl_image_clear(image);
}

/* The game's sheet: place i shows the tile i, but 5 and 6 show the same. */
static void add_sheet(const char *path, uint32_t columns, uint32_t rows)
{
    lvl_image image = {0};

    assert_int_equal(lvl_image_init(&image, &ctx, LVL_PIXELS_RGBA8, columns * TILE, rows * TILE, false),
                     LVL_OK);
    for (uint32_t i = 0; i < columns * rows; i++) {
        const uint32_t place = i / columns * COLUMNS + i % columns;
        draw_tile(&image, i % columns * TILE, i / columns * TILE, TILE, place == 6 ? 5 : place);
    }
    save_picture(path, &image);
}

/* Tiles of the game in another order, with a margin of 2 px and gaps of 3 px, 2 in a row. */
static void add_other(const char *path, const uint32_t *tiles, uint32_t count)
{
    lvl_image image = {0};

    assert_int_equal(lvl_image_init(&image, &ctx, LVL_PIXELS_RGBA8, 2 + 2 * (TILE + 3),
                                    2 + (count + 1) / 2 * (TILE + 3), false),
                     LVL_OK);
    for (uint32_t i = 0; i < count; i++)
        draw_tile(&image, 2 + i % 2 * (TILE + 3), 2 + i / 2 * (TILE + 3), TILE, tiles[i]);
    save_picture(path, &image);
}

static void add_single(const char *path, uint32_t side, uint32_t tile)
{
    lvl_image image = {0};

    assert_int_equal(lvl_image_init(&image, &ctx, LVL_PIXELS_RGBA8, side, side, false), LVL_OK);
    draw_tile(&image, 0, 0, side, tile);
    save_picture(path, &image);
}

/* ---- conversions --------------------------------------------------------------------------------------- */

typedef struct run {
    lvl_status status;
    lvl_doc *doc;
    lvl_findings *findings;
} run;

static lvl_art *new_art(void)
{
    lvl_art *art = lvl_art_new(&ctx);

    if (!art)
        return NULL;
    lvl_art_set_files(art, &files);
    if (find_file("art/pics1.png") || kind_of(NULL, "art") == LVL_FILE_FOLDER) {
        if (lvl_art_add(art, "art") != LVL_OK) {
            lvl_art_free(art);
            return NULL;
        }
    }
    return art;
}

static run convert(const char *format, const char *text, size_t len, lvl_tiled_read_options options)
{
    run r = {.status = LVL_ERR_MEMORY, .findings = lvl_findings_new(&ctx)};
    lvl_art *art = r.findings ? new_art() : NULL;

    options.format = lvl_format_find(format);
    options.fetch = fetch_file;
    options.art = art;
    if (art)
        r.status =
            lvl_tiled_read(&r.doc, &ctx, (lvl_bytes){(const uint8_t *)text, len}, &options, NULL, r.findings);
    lvl_art_free(art);
    if ((r.status == LVL_OK) != (r.doc != NULL))
        fail_msg("%s, but %s", lvl_status_text(r.status), r.doc ? "a document" : "no document");
    return r;
}

static void end(run *r)
{
    lvl_doc_free(r->doc);
    lvl_findings_free(r->findings);
}

static bool has_finding(const run *r, const char *id, const char *text)
{
    for (size_t i = 0; i < lvl_findings_count(r->findings); i++) {
        const lvl_finding *f = lvl_findings_at(r->findings, i);
        if (strcmp(f->def->id, id) == 0 && strstr(f->text, text))
            return true;
    }
    return false;
}

static void expect_finding(const run *r, const char *id, const char *text)
{
    if (has_finding(r, id, text))
        return;
    for (size_t i = 0; i < lvl_findings_count(r->findings); i++)
        print_message("%s: %s\n", lvl_findings_at(r->findings, i)->def->id,
                      lvl_findings_at(r->findings, i)->text);
    fail_msg("expected %s: %s", id, text);
}

static run level_of(const char *format, const char *text, lvl_tiled_read_options options)
{
    run r = convert(format, text, strlen(text), options);

    if (r.status != LVL_OK) {
        expect_finding(&r, "", "no level");
        fail_msg("%s", lvl_status_text(r.status));
    }
    return r;
}

static void refused(const char *format, const char *text, lvl_tiled_read_options options, const char *id,
                    const char *why)
{
    run r = convert(format, text, strlen(text), options);

    if (r.status != LVL_ERR_FORMAT)
        print_message("%s instead of: %s\n", lvl_status_text(r.status), why);
    assert_int_equal(r.status, LVL_ERR_FORMAT);
    expect_finding(&r, id, why);
    end(&r);
}

static uint32_t tile_at(const run *r, uint32_t layer, uint32_t x, uint32_t y)
{
    const lvl_graal *level = lvl_doc_root(r->doc);

    assert_true(layer < level->layer_count);
    assert_int_equal(level->layers[layer].tiles.width, LVL_GRAAL_SIDE);
    assert_int_equal(level->layers[layer].tiles.height, LVL_GRAAL_SIDE);
    return lvl_cell(&level->layers[layer].tiles, x, y);
}

/* ---- maps ---------------------------------------------------------------------------------------------- */

#define MAP_OF(more)                                                                              \
    "<map version=\"1.10\" orientation=\"orthogonal\" width=\"2\" height=\"2\" tilewidth=\"16\" " \
    "tileheight=\"16\"" more ">"
#define MAP MAP_OF("")
#define SHEET                                                                                         \
    "<tileset firstgid=\"1\" name=\"outside\" tilewidth=\"16\" tileheight=\"16\" tilecount=\"4096\" " \
    "columns=\"128\">"                                                                                \
    "<image source=\"../Pics1.PNG\" width=\"2048\" height=\"512\"/></tileset>"
#define OTHER(first, name, picture)                                                                       \
    "<tileset firstgid=\"" first "\" name=\"" name "\" tilewidth=\"16\" tileheight=\"16\" spacing=\"3\" " \
    "margin=\"2\" columns=\"2\"><image source=\"" picture "\" width=\"40\" height=\"40\"/></tileset>"
#define LAYER_OF(name, more, data) \
    "<layer id=\"1\" name=\"" name "\" width=\"2\" height=\"2\"" more "><data " data "</data></layer>"
#define LAYER(data) LAYER_OF("ground", "", data)
#define CSV(cells)  "encoding=\"csv\">" cells

static const lvl_tiled_read_options plain = {0}, lossy = {.allow_loss = true};

/* A sheet by its name and size: the same places, and grass where nothing is. */
static void test_sheet(void **state)
{
    (void)state;
    run r = level_of("nw", MAP SHEET LAYER(CSV("1,921,0,4096")) "</map>", plain);
    assert_int_equal(tile_at(&r, 0, 0, 0), 0);
    assert_int_equal(tile_at(&r, 0, 1, 0), 632); /* column 24 of row 7: block 1 */
    assert_int_equal(tile_at(&r, 0, 0, 1), GRASS);
    assert_int_equal(tile_at(&r, 0, 1, 1), 4095);
    assert_int_equal(tile_at(&r, 0, 63, 63), GRASS);
    expect_finding(&r, "lvl.map.ignored", "4093 empty cells get the tile 511");
    end(&r);

    const lvl_tiled_read_options empty = {.has_empty_is = true, .empty_is = 2047};
    r = level_of("graal", MAP SHEET LAYER(CSV("1,921,0,4096")) "</map>", empty);
    assert_int_equal(tile_at(&r, 0, 0, 1), 2047);
    end(&r);
    const lvl_tiled_read_options beyond = {.has_empty_is = true, .empty_is = 4096};
    refused("nw", MAP SHEET LAYER(CSV("1,1,1,1")) "</map>", beyond, "lvl.map.file", "there is no tile 4096");
    refused("wwd", MAP LAYER(CSV("0,0,0,0")) "</map>", empty, "lvl.map.file",
            "no layer of this level has a tile everywhere");
    refused("nw", MAP SHEET LAYER(CSV("1,2,3,4097")) "</map>", plain, "lvl.map.cell",
            "there is no tile 4096");
    refused("nw", MAP LAYER(CSV("1,2,3,4")) "</map>", plain, "lvl.map.cell", "no tileset of the map has");
    refused("nw", MAP "<tileset firstgid=\"9\" name=\"x\"/>" LAYER(CSV("1,9,9,9")) "</map>", plain,
            "lvl.map.cell", "no tileset of the map has");
}

/* Every kind of cells, as XML and JSON. */
static void test_encodings(void **state)
{
    static const char *const data[] = {
        "encoding=\"csv\">1,2,\n3,4",
        "encoding=\"base64\">\n AQAAAAIAAAADAAAABAAAAA== \n",
        "encoding=\"base64\" compression=\"zlib\">eJxjZGBgYAJiZiBmAWIAAGAACw==",
        "encoding=\"base64\" compression=\"gzip\">H4sIAAAAAAACA2NkYGBgAmJmIGYBYgDv1AWvEAAAAA==",
        "encoding=\"base64\" compression=\"zstd\">KLUv/SQQgQAAAQAAAAIAAAADAAAABAAAAKYUxW4=",
        "><tile gid=\"1\"/><tile gid=\"2\"/><tile gid=\"3\"/><tile gid=\"4\"/>",
    };
    char text[2000];

    (void)state;
    for (size_t i = 0; i < sizeof data / sizeof data[0]; i++) {
        snprintf(text, sizeof text, MAP SHEET LAYER("%s") "</map>", data[i]);
        run r = convert("nw", text, strlen(text), plain);
        if (has_finding(&r, "lvl.map.file", "built without zstd")) {
            end(&r);
            continue;
        }
        assert_int_equal(r.status, LVL_OK);
        assert_int_equal(tile_at(&r, 0, 0, 0), 0);
        assert_int_equal(tile_at(&r, 0, 1, 0), 1);
        assert_int_equal(tile_at(&r, 0, 0, 1), 2);
        assert_int_equal(tile_at(&r, 0, 1, 1), 3);
        end(&r);
    }
    run r = level_of(
        "nw",
        "{\"type\":\"map\",\"orientation\":\"orthogonal\",\"width\":2,\"height\":2,\"tilewidth\":16,"
        "\"tileheight\":16,\"tilesets\":[{\"firstgid\":1,\"name\":\"o\",\"image\":\"pics1.png\","
        "\"imagewidth\":2048,\"imageheight\":512,\"tilewidth\":16,\"tileheight\":16,\"columns\":128}],"
        "\"layers\":[{\"type\":\"tilelayer\",\"id\":1,\"name\":\"a\",\"width\":2,\"height\":2,"
        "\"data\":[1,2,3,4]},{\"type\":\"tilelayer\",\"id\":2,\"name\":\"b\",\"visible\":false,"
        "\"width\":2,\"height\":2,\"data\":[1,2,0,0]}]}",
        plain);
    assert_int_equal(tile_at(&r, 0, 1, 1), 3);
    expect_finding(&r, "lvl.map.ignored", "\"b\" is hidden: it is left out, with its 2 tiles");
    end(&r);
}

static void test_chunks(void **state)
{
    (void)state;
    run r = level_of("nw",
                     MAP_OF(" infinite=\"1\"") SHEET
                     "<layer id=\"1\" name=\"g\" width=\"2\" height=\"2\"><data encoding=\"csv\">"
                     "<chunk x=\"-16\" y=\"0\" width=\"2\" height=\"1\">0,0</chunk>"
                     "<chunk x=\"0\" y=\"0\" width=\"2\" height=\"1\">2,3</chunk>"
                     "<chunk x=\"62\" y=\"63\" width=\"2\" height=\"2\">4,5,0,0</chunk></data></layer></map>",
                     plain);
    assert_int_equal(tile_at(&r, 0, 0, 0), 1);
    assert_int_equal(tile_at(&r, 0, 1, 0), 2);
    assert_int_equal(tile_at(&r, 0, 62, 63), 3);
    assert_int_equal(tile_at(&r, 0, 63, 63), 4);
    end(&r);
    refused(
        "nw",
        MAP_OF(" infinite=\"1\"") SHEET
        "<layer id=\"1\" name=\"g\" width=\"2\" height=\"2\"><data encoding=\"csv\">"
        "<chunk x=\"-3\" y=\"62\" width=\"2\" height=\"1\">0,9</chunk><chunk x=\"0\" y=\"64\" width=\"2\" "
        "height=\"1\">2,3</chunk></data></layer></map>",
        plain, "lvl.map.layer",
        "\"g\" has tiles in columns -2 to 1, rows 0 to 64, but the level has columns 0 to 63");
    refused("nw",
            MAP SHEET "<layer id=\"1\" name=\"g\" width=\"65\" height=\"1\"><data encoding=\"csv\">"
                      "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"
                      "0,0,0,0,0,0,0,0,0,"
                      "0,0,0,0,0,0,0,0,0,0,0,0,1</data></layer></map>",
            plain, "lvl.map.layer", "columns 0 to 64");
    /* a level of any size gets that of its tiles */
    r = level_of(
        "wwd",
        MAP_OF(" infinite=\"1\"") "<tileset firstgid=\"1\" name=\"a\" tilewidth=\"64\" tileheight=\"64\"/>"
                                  "<layer id=\"1\" name=\"Action\" width=\"2\" height=\"2\"><data "
                                  "encoding=\"csv\">"
                                  "<chunk x=\"4\" y=\"2\" width=\"2\" "
                                  "height=\"1\">7,0</chunk></data></layer></map>",
        (lvl_tiled_read_options){.tileset_is = "ACTION"});
    const lvl_wwd *wwd = lvl_doc_root(r.doc);
    assert_int_equal(wwd->planes[0].tiles.width, 5);
    assert_int_equal(wwd->planes[0].tiles.height, 3);
    assert_int_equal(lvl_cell(&wwd->planes[0].tiles, 4, 2), 6);
    end(&r);
    refused(
        "wwd",
        MAP_OF(" infinite=\"1\"") "<tileset firstgid=\"1\" name=\"a\" tilewidth=\"64\" tileheight=\"64\"/>"
                                  "<layer id=\"1\" name=\"Action\" width=\"2\" height=\"2\"><data "
                                  "encoding=\"csv\">"
                                  "<chunk x=\"-4\" y=\"2\" width=\"2\" "
                                  "height=\"1\">7,0</chunk></data></layer></map>",
        (lvl_tiled_read_options){.tileset_is = "ACTION"}, "lvl.map.layer", "columns -4 to");
}

/* Tiles of other pictures are the game's with the same pixels. */
static void test_pixels(void **state)
{
    static const uint32_t order[] = {300, 5, 6 * COLUMNS + 17, 0}, strange[] = {5000, 7};

    (void)state;
    add_sheet("art/pics1.png", COLUMNS, ROWS);
    add_other("sets/mine.png", order, 4);
    add_other("strange.png", strange, 2);
    add_text(
        "sets/mine.tsx",
        "<tileset name=\"mine\" tilewidth=\"16\" tileheight=\"16\" spacing=\"3\" margin=\"2\" columns=\"2\">"
        "<image source=\"mine.png\" width=\"40\" height=\"40\"/></tileset>");
    run r = level_of(
        "nw", MAP "<tileset firstgid=\"1\" source=\"sets/mine.tsx\"/>" LAYER(CSV("1,2,3,4")) "</map>", plain);
    assert_int_equal(tile_at(&r, 0, 0, 0), 512 * 2 + 2 * 16 + 12); /* place 300: row 2, column 44 */
    assert_int_equal(tile_at(&r, 0, 1, 0), 5); /* of two that look the same, the first */
    assert_int_equal(tile_at(&r, 0, 0, 1), 512 + 6 * 16 + 1);
    assert_int_equal(tile_at(&r, 0, 1, 1), 0);
    end(&r);
    /* several tilesets, one of them the sheet; layers in their order */
    r = level_of("nw",
                 MAP SHEET OTHER("5000", "mine", "sets/mine.png") LAYER(CSV("7,5000,5001,5003"))
                     LAYER_OF("over", "", CSV("0,0,5001,0")) "</map>",
                 plain);
    assert_int_equal(tile_at(&r, 0, 0, 0), 6);
    assert_int_equal(tile_at(&r, 0, 0, 1), 5);
    assert_int_equal(tile_at(&r, 1, 0, 1), 5);
    assert_int_equal(tile_at(&r, 1, 0, 0), 4095);
    end(&r);
    /* what no tile of the game shows */
    refused("nw", MAP OTHER("1", "strange", "strange.png") LAYER(CSV("1,2,1,0")) "</map>", plain,
            "lvl.map.cell",
            "\"strange\": 1 of its 2 tiles (0) in 2 cells are not in the level: no tile of the level shows "
            "the same");
    r = level_of("nw", MAP OTHER("1", "strange", "strange.png") LAYER(CSV("1,2,1,0")) "</map>", lossy);
    expect_finding(&r, "lvl.map.ignored", "2 cells with them stay empty");
    assert_int_equal(tile_at(&r, 0, 0, 0), GRASS);
    assert_int_equal(tile_at(&r, 0, 1, 0), 7);
    end(&r);
    refused("nw", MAP OTHER("1", "none", "none.png") LAYER(CSV("1,2,1,0")) "</map>", plain, "lvl.map.cell",
            "2 of its 2 tiles (0, 1)");
    refused("nw",
            MAP
            "<tileset firstgid=\"1\" name=\"big\" tilewidth=\"32\" tileheight=\"32\" columns=\"1\"><image "
            "source=\"strange.png\" width=\"40\" height=\"40\"/></tileset>" LAYER(CSV("1,1,1,1")) "</map>",
            plain, "lvl.map.cell", "its tiles are 32 by 32 px, those of the level 16 by 16");
    /* a collection */
    add_single("c/a.png", TILE, 9);
    add_single("c/b.png", TILE + 1, 9);
    refused("nw",
            MAP
            "<tileset firstgid=\"1\" name=\"c\" tilewidth=\"16\" tileheight=\"16\"><tile id=\"4\"><image "
            "source=\"c/a.png\"/></tile><tile id=\"5\"><image source=\"c/b.png\"/></tile></tileset>" LAYER(
                CSV("5,6,8,0")) "</map>",
            plain, "lvl.map.cell", "2 of its 3 tiles (5, 7)");
    r = level_of(
        "nw",
        MAP "<tileset firstgid=\"1\" name=\"c\" tilewidth=\"16\" tileheight=\"16\"><tile id=\"4\"><image "
            "source=\"c/a.png\"/></tile></tileset>" LAYER(CSV("5,0,0,0")) "</map>",
        plain);
    assert_int_equal(tile_at(&r, 0, 0, 0), 9);
    end(&r);
    /* one picture of several tiles is read once */
    files_read = 0;
    r = level_of(
        "nw",
        MAP "<tileset firstgid=\"1\" name=\"c\" tilewidth=\"16\" tileheight=\"16\"><tile id=\"4\"><image "
            "source=\"c/a.png\"/></tile><tile id=\"5\"><image source=\"c/a.png\"/></tile><tile "
            "id=\"6\"><image source=\"c/a.png\"/></tile></tileset>" LAYER(CSV("5,6,7,0")) "</map>",
        plain);
    assert_int_equal(files_read, 1);
    assert_int_equal(tile_at(&r, 0, 0, 0), 9);
    assert_int_equal(tile_at(&r, 0, 0, 1), 9);
    end(&r);
    clear_disk();
    add_other("strange.png", strange, 2);
    refused("nw", MAP OTHER("1", "strange", "strange.png") LAYER(CSV("2,2,2,2")) "</map>", plain,
            "lvl.map.cell", "the pictures of the level's tiles are missing");
    clear_disk();
}

/* The image set of a plane. */
static void test_image_set(void **state)
{
    (void)state;
    add_single("art/LEVEL1/TILES/ACTION/001.PNG", 64, 100);
    add_single("art/LEVEL1/TILES/ACTION/012.PNG", 64, 101);
    add_single("mine.png", 64, 101);
    run r = level_of(
        "wwd",
        MAP
        "<tileset firstgid=\"1\" name=\"c\" tilewidth=\"64\" tileheight=\"64\"><image "
        "source=\"mine.png\" width=\"64\" height=\"64\"/></tileset>" LAYER(CSV(
            "1,0,0,1")) "<objectgroup name=\"things\"><object id=\"1\" type=\"Officer\" x=\"64\" y=\"64\"/>"
                        "<object id=\"2\" name=\"tree\" x=\"64\" y=\"64\"/></objectgroup>"
                        "<objectgroup name=\"later\" visible=\"0\"><object id=\"3\" type=\"Officer\" "
                        "x=\"64\" "
                        "y=\"64\"/></objectgroup></map>",
        plain);
    const lvl_wwd *wwd = lvl_doc_root(r.doc);
    expect_finding(&r, "lvl.map.ignored", "\"later\" is hidden, but its 1 object is stored");
    assert_int_equal(wwd->plane_count, 1);
    assert_int_equal(wwd->planes[0].tiles.width, 2);
    assert_int_equal(lvl_cell(&wwd->planes[0].tiles, 0, 0), 12);
    assert_int_equal(lvl_cell(&wwd->planes[0].tiles, 1, 0), LVL_WWD_TILE_NONE);
    assert_int_equal(wwd->planes[0].image_set_count, 1);
    assert_int_equal(wwd->planes[0].object_count, 2);
    expect_finding(&r, "lvl.map.ignored", "left out: object 2 \"tree\"");
    end(&r);
    clear_disk();
}

static void test_flips(void **state)
{
    static const char text[] = MAP SHEET LAYER(CSV("1,2147483650,3,1073741828")) "</map>";

    (void)state;
    refused(
        "nw", text, plain, "lvl.map.cell",
        "\"ground\": 2 tiles are flipped or rotated, which the level cannot store (first: column 1, row 0)");
    run r = level_of("nw", text, lossy);
    expect_finding(&r, "lvl.map.ignored", "2 tiles are flipped or rotated");
    assert_int_equal(tile_at(&r, 0, 1, 0), 1);
    assert_int_equal(tile_at(&r, 0, 1, 1), 3);
    end(&r);
}

static void test_layers(void **state)
{
    (void)state;
    run r = level_of(
        "nw",
        MAP SHEET LAYER(CSV("1,2,3,4")) LAYER_OF(
            "collision", " visible=\"0\"",
            CSV("9,9,0,0")) "<group name=\"g\" visible=\"0\">" LAYER_OF("under", "",
                                                                        CSV("9,9,9,9")) "</group>"
                                                                                        "<imagelayer "
                                                                                        "id=\"7\" "
                                                                                        "name=\"sky\"><"
                                                                                        "image "
                                                                                        "source=\"sky."
                                                                                        "png\"/></"
                                                                                        "imagelayer"
                                                                                        ">" LAYER_OF(
                                                                                            "roof", "",
                                                                                            CSV("0,8,0,"
                                                                                                "0")) "</"
                                                                                                      "ma"
                                                                                                      "p"
                                                                                                      ">",
        plain);
    const lvl_graal *level = lvl_doc_root(r.doc);
    assert_int_equal(level->layer_count, 2);
    assert_int_equal(tile_at(&r, 1, 1, 0), 7);
    expect_finding(&r, "lvl.map.ignored", "\"collision\" is hidden: it is left out, with its 2 tiles");
    expect_finding(&r, "lvl.map.ignored", "\"under\" is hidden: it is left out, with its 4 tiles");
    expect_finding(&r, "lvl.map.ignored", "\"sky\" is a picture");
    end(&r);
}

static void test_objects(void **state)
{
    (void)state;
    run r = level_of(
        "nw",
        MAP
        "<objectgroup name=\"NPCs\"><object id=\"1\" name=\"door.png\" x=\"32\" y=\"48\"/></objectgroup>"
        "<objectgroup name=\"things\"><object id=\"2\" type=\"Sign\" x=\"16\" y=\"16\"><properties><property "
        "name=\"text\" value=\"Hello\"/></properties></object>"
        "<object id=\"3\" name=\"chest\" x=\"16\" y=\"16\"/>"
        "<object id=\"4\" name=\"lamp\" x=\"5\" y=\"6\"/>"
        "<object id=\"5\" type=\"npc\" x=\"5\" y=\"6\"><polygon points=\"0,0 1,1\"/></object>"
        "<object id=\"6\" type=\"npc\" x=\"5\" y=\"6\"><text>Hi</text></object>"
        "<object id=\"7\" type=\"npc\" x=\"5\" y=\"6\" rotation=\"45\"/>"
        "<object id=\"8\" type=\"npc\" template=\"none.tx\" x=\"5\" y=\"6\"/>"
        "<object id=\"9\" type=\"npc\" gid=\"77\" x=\"5\" y=\"6\"/></objectgroup></map>",
        plain);
    const lvl_graal *level = lvl_doc_root(r.doc);
    assert_int_equal(level->npc_count, 1);
    assert_int_equal(level->sign_count, 1);
    assert_int_equal(level->chest_count, 1);
    assert_int_equal(level->link_count + level->baddy_count, 0);
    expect_finding(&r, "lvl.map.ignored", "left out: object 4 \"lamp\" in layer \"things\" at 5, 6");
    expect_finding(&r, "lvl.map.ignored", "left out: object 5");
    expect_finding(&r, "lvl.map.ignored", "left out: object 6");
    expect_finding(&r, "lvl.map.ignored", "left out: object 7");
    expect_finding(&r, "lvl.map.ignored", "left out: object 8");
    expect_finding(&r, "lvl.map.ignored", "left out: object 9");
    end(&r);
}

static void test_tileset_is(void **state)
{
    static const char missing[] =
        MAP "<tileset firstgid=\"1\" source=\"../other.tsx\"/>" LAYER(CSV("1,921,3,4")) "</map>";
    const lvl_tiled_read_options is = {.tileset_is = "pics1.png"};

    (void)state;
    refused("nw", missing, plain, "lvl.map.cell",
            "\"../other.tsx\": 4 of its 4 tiles (0, 2, 3, 920) in 4 cells are not in "
            "the level: its file is missing");
    run r = level_of("nw", missing, is);
    assert_int_equal(tile_at(&r, 0, 1, 0), 632);
    end(&r);
    refused("nw", MAP OTHER("1", "a", "a.png") LAYER(CSV("1,1,1,1")) "</map>", is, "lvl.map.file",
            "no tileset of the map has the form of pics1.png");
    r = level_of("nw",
                 MAP "<tileset firstgid=\"1\" source=\"../PICS1.tsx\"/>" LAYER(CSV("1,921,3,4")) "</map>",
                 plain);
    expect_finding(&r, "lvl.map.ignored", "its file is missing; by its name, it is the level's sheet");
    assert_int_equal(tile_at(&r, 0, 1, 0), 632);
    end(&r);
    r = level_of("nw", "<map><properties><property name=\"lvl.format\" value=\"nw\"/></properties></map>",
                 is);
    expect_finding(&r, "lvl.map.ignored", "--tileset-is and --empty-is change nothing");
    end(&r);
    /* a map of lvl keeps its rules */
    refused("nw",
            MAP
            "<properties><property name=\"lvl.format\" value=\"nw\"/></properties><tileset firstgid=\"1\" "
            "source=\"o.tsx\"/>" LAYER(CSV("1,1,1,1")) "</map>",
            is, "lvl.map.layer", "expected 64 by 64 cells");
}

/* What is wrong in a file that is not XML, and where. */
static void test_not_xml(void **state)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"<map orientation=\"x\">\n a & b</map>", "line 2, column 5: a plain &, which XML writes as &amp;"},
        {"<map orientation=\"x\">\n\n < b</map>", "line 3, column 3: a plain <, which XML writes as &lt;"},
        {"<map orientation=\"x\" a=\"<\"/>", "line 1, column 25: a plain <"},
        {"<map orientation=x/>", "line 1, column 18: a value without quotation marks"},
        {"<map orientation=\"x\"><a></b></map>", "line 1, column 27: mismatched tag"},
        {"<map orientation=\"x\"><a>", "line 1, column 25: the file ends before its map is complete"},
        {"<map orientation=\"x\"><a b=\"", "the file ends before its map is complete"},
        {"<map orientation=\"x\">\x01</map>", "line 1, column 22: the control character 0x01"},
        {"<map orientation=\"x\">\n <a b=\"\xF8\"/></map>",
         "line 2, column 8: the byte 0xF8 is no character"},
        {"<?xml version=\"1.0\" encoding=\"klingon\"?><map orientation=\"x\"/>", "unknown encoding"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        refused("nw", cases[i].text, plain, "lvl.map.file", cases[i].why);
    run r = level_of(
        "nw",
        "<?xml version=\"1.0\" encoding=\"windows-1252\"?>" MAP
        "<objectgroup name=\"signs\"><object id=\"1\" x=\"0\" y=\"0\"><properties><property name=\"text\" "
        "value=\"\x80 \xF8\"/></properties></object></objectgroup></map>",
        plain);
    const lvl_graal *level = lvl_doc_root(r.doc);
    assert_int_equal(level->sign_count, 1);
    assert_memory_equal(level->signs[0].text.ptr, "\x80 \xF8", 3);
    end(&r);
}

/* ---- hostile ------------------------------------------------------------------------------------------- */

/* A map with all of it, for a format whose tiles are single pictures, so that it is read quickly. */
#define OF_64 "tilewidth=\"64\" tileheight=\"64\""
static const char everything[] = MAP_OF(
    " infinite=\"1\"") "<tileset firstgid=\"1\" name=\"a\" " OF_64
                       " columns=\"1\"><image source=\"one.png\"/></tileset>"
                       "<tileset firstgid=\"6000\" name=\"c\" " OF_64
                       "><tile id=\"4\"><image source=\"two.png\"/></tile></tileset>"
                       "<tileset firstgid=\"7000\" source=\"sets/mine.tsx\"/>"
                       "<layer id=\"1\" name=\"g\" width=\"2\" height=\"2\"><data encoding=\"csv\">"
                       "<chunk x=\"0\" y=\"0\" width=\"2\" height=\"2\">1,6004,7000,0</chunk></data></layer>"
                       "<layer id=\"2\" name=\"h\" width=\"2\" height=\"2\" visible=\"0\"><data "
                       "encoding=\"csv\">"
                       "<chunk x=\"0\" y=\"0\" width=\"1\" height=\"1\">2</chunk></data></layer>"
                       "<objectgroup name=\"npcs\"><object id=\"1\" type=\"Officer\" x=\"16\" "
                       "y=\"16\"/><object id=\"2\" "
                       "name=\"sign\" x=\"3\" y=\"3\"/><object id=\"3\" type=\"?\" x=\"1\" "
                       "y=\"1\"><ellipse/></object></objectgroup></map>";

static void add_everything(void)
{
    add_single("art/LEVEL1/TILES/ACTION/001.PNG", 64, 100);
    add_single("art/LEVEL1/TILES/ACTION/002.PNG", 64, 101);
    add_single("one.png", 64, 100);
    add_single("two.png", 64, 101);
    add_single("sets/three.png", 64, 101);
    add_text("sets/mine.tsx",
             "<tileset name=\"mine\" " OF_64 " columns=\"1\"><image source=\"three.png\"/></tileset>");
}

static lvl_status use_everything(const char *text, size_t len)
{
    run r = convert("wwd", text, len, plain);
    const lvl_status status = r.status;

    end(&r);
    return status;
}

static void test_broken(void **state)
{
    const size_t len = sizeof everything - 1;
    char *copy = malloc(len);
    uint32_t seed = 1;

    (void)state;
    assert_non_null(copy);
    add_everything();
    run r = level_of("wwd", everything, plain);
    const lvl_cells *cells = &((const lvl_wwd *)lvl_doc_root(r.doc))->planes[0].tiles;
    assert_int_equal(lvl_cell(cells, 0, 0), 1);
    assert_int_equal(lvl_cell(cells, 1, 0), 2);
    assert_int_equal(lvl_cell(cells, 0, 1), 2);
    assert_int_equal(lvl_cell(cells, 1, 1), LVL_WWD_TILE_NONE);
    end(&r);
    for (size_t cut = 0; cut < len; cut += 7)
        assert_int_not_equal(use_everything(everything, cut), LVL_OK);
    for (int i = 0; i < 1500; i++) {
        memcpy(copy, everything, len);
        for (int k = 0; k < 2; k++) {
            seed = seed * 1664525u + 1013904223u;
            copy[(seed >> 8) % len] = "0129-<>\"=&\0z,;%"[seed >> 28];
        }
        use_everything(copy, len);
    }
    free(copy);
    clear_disk();
}

static void test_absurd(void **state)
{
    static const struct {
        const char *text;
        lvl_status status;
    } cases[] = {
        {MAP "<tileset firstgid=\"1\" name=\"x\" tilewidth=\"16\" tileheight=\"16\" spacing=\"4294967295\" "
             "margin=\"4294967295\" columns=\"4294967295\"><image source=\"mine.png\" width=\"4294967295\" "
             "height=\"4294967295\"/></tileset>" LAYER(CSV("1,2,3,268435455")) "</map>",
         LVL_ERR_FORMAT},
        {MAP "<tileset firstgid=\"1\" name=\"x\" tilewidth=\"16\" tileheight=\"16\" columns=\"0\"><image "
             "source=\"mine.png\"/></tileset>" LAYER(CSV("1,200000000,3,4")) "</map>",
         LVL_ERR_FORMAT},
        {MAP
         "<tileset firstgid=\"1\" name=\"x\" tilewidth=\"0\" tileheight=\"0\"><image source=\"mine.png\"/>"
         "</tileset>" LAYER(CSV("1,2,3,4")) "</map>",
         LVL_ERR_FORMAT},
        {MAP "<tileset firstgid=\"4294967295\" name=\"x\"/><tileset firstgid=\"0\" name=\"y\"/>" LAYER(
             CSV("1,2,3,4")) "</map>",
         LVL_ERR_FORMAT},
        {MAP "<tileset firstgid=\"268370000\" name=\"x\"/>" LAYER(CSV("268370001,268435000,0,0")) "</map>",
         LVL_ERR_FORMAT},
        {MAP "<tileset firstgid=\"1\" name=\"x\" tilewidth=\"16\" tileheight=\"16\"><image "
             "source=\"broken.png\"/>"
             "</tileset>" LAYER(CSV("1,2,3,4")) "</map>",
         LVL_ERR_FORMAT},
        {MAP_OF(" infinite=\"1\"") SHEET "<layer id=\"1\" name=\"g\"><data encoding=\"csv\"><chunk "
                                         "x=\"2147483647\" y=\"-2147483648\" width=\"1\" "
                                         "height=\"1\">1</chunk></data></layer></map>",
         LVL_ERR_FORMAT},
        {MAP
         "<layer id=\"1\" name=\"g\" width=\"0\" height=\"0\"><data encoding=\"csv\"></data></layer></map>",
         LVL_OK},
        {MAP "<layer id=\"1\" name=\"g\"/></map>", LVL_OK},
        {MAP "</map>", LVL_OK},
    };

    (void)state;
    add_everything();
    add_text("broken.png", "\x89PNG\r\n\x1A\n and no more");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        run r = convert("nw", cases[i].text, strlen(cases[i].text), plain);
        if (r.status != cases[i].status || (r.status != LVL_OK && !lvl_findings_count(r.findings)))
            fail_msg("case %zu: %s; %s", i, lvl_status_text(r.status), cases[i].text);
        end(&r);
    }
    /* an area of 2^62 cells */
    run r = convert(
        "wwd",
        MAP_OF(" infinite=\"1\"") "<tileset firstgid=\"1\" name=\"x\"/><layer id=\"1\" name=\"g\"><data "
                                  "encoding=\"csv\"><chunk x=\"2147483647\" y=\"2147483647\" width=\"1\" "
                                  "height=\"1\">1</chunk></data></layer></map>",
        strlen(
            MAP_OF(" infinite=\"1\"") "<tileset firstgid=\"1\" name=\"x\"/><layer id=\"1\" name=\"g\"><data "
                                      "encoding=\"csv\"><chunk x=\"2147483647\" y=\"2147483647\" width=\"1\" "
                                      "height=\"1\">1</chunk></data></layer></map>"),
        plain);
    assert_int_equal(r.status, LVL_ERR_LIMIT);
    end(&r);
    clear_disk();
}

static lvl_status use_all(void)
{
    return use_everything(everything, sizeof everything - 1);
}

static void test_no_memory(void **state)
{
    (void)state;
    if (!lvl_starve_works())
        skip();
    add_everything();
    lvl_starve_from(0, false);
    assert_int_equal(use_all(), LVL_OK);
    const uint64_t calls = lvl_starve_calls(), blocks = lvl_starve_blocks();
    assert_true(calls > 50);
    for (uint64_t i = 1; i <= calls; i++) {
        for (int on = 0; on < 2; on++) {
            lvl_starve_from(i, on);
            const lvl_status status = use_all();
            lvl_starve_from(0, false);
            if (status != LVL_OK && status != LVL_ERR_MEMORY)
                fail_msg("call %llu: %s", (unsigned long long)i, lvl_status_text(status));
            assert_int_equal(lvl_starve_blocks(), blocks);
        }
    }
    print_message("%llu calls, each failed\n", (unsigned long long)calls);
    clear_disk();
}

static void test_limits(void **state)
{
    const uint64_t most = ctx.limits.memory_bytes;
    lvl_status status = LVL_ERR_LIMIT;
    unsigned refusals = 0;

    (void)state;
    add_everything();
    for (uint64_t bytes = 6000; status != LVL_OK; bytes += 480) {
        ctx.limits.memory_bytes = bytes;
        status = use_all();
        /* art that is too large for a limit counts as missing */
        if (status != LVL_OK && status != LVL_ERR_LIMIT && status != LVL_ERR_MEMORY &&
            status != LVL_ERR_FORMAT)
            fail_msg("%llu bytes: %s", (unsigned long long)bytes, lvl_status_text(status));
        refusals += status != LVL_OK;
    }
    ctx.limits.memory_bytes = most;
    assert_true(refusals > 100);
    clear_disk();
}

/* So many tilesets, each with one tile that is used. */
static double seconds_of(const void *user, uint32_t n)
{
    lvl_buffer map = {0};
    char text[200];

    (void)user;
    lvl_buffer_str(&map, "<map orientation=\"orthogonal\" infinite=\"1\">");
    for (uint32_t i = 1; i <= n; i++) {
        snprintf(text, sizeof text, "<tileset firstgid=\"%lu\" name=\"x\"/>", (unsigned long)i);
        lvl_buffer_str(&map, text);
    }
    for (uint32_t i = 0; i * 4096 < n; i++) {
        lvl_buffer_str(&map,
                       "<layer><data encoding=\"csv\"><chunk x=\"0\" y=\"0\" width=\"64\" height=\"64\">");
        for (uint32_t k = 1; k <= 4096; k++) {
            snprintf(text, sizeof text, "%lu,", (unsigned long)i * 4096 + k);
            lvl_buffer_str(&map, text);
        }
        lvl_buffer_str(&map, "</chunk></data></layer>");
    }
    lvl_buffer_str(&map, "</map>");
    assert_int_equal(map.status, LVL_OK);
    const double start = lvl_cpu_seconds();
    run r = convert("nw", (const char *)map.data, map.len, lossy);
    const double seconds = lvl_cpu_seconds() - start;
    assert_int_equal(r.status, LVL_OK);
    end(&r);
    lvl_buffer_free(&map);
    return seconds;
}

static void test_growth(void **state)
{
    (void)state;
    assert_true(lvl_grows_linearly("tilesets", seconds_of, NULL, 4096));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sheet),   cmocka_unit_test(test_encodings), cmocka_unit_test(test_chunks),
        cmocka_unit_test(test_pixels),  cmocka_unit_test(test_image_set), cmocka_unit_test(test_flips),
        cmocka_unit_test(test_layers),  cmocka_unit_test(test_objects),   cmocka_unit_test(test_tileset_is),
        cmocka_unit_test(test_not_xml), cmocka_unit_test(test_broken),    cmocka_unit_test(test_absurd),
        cmocka_unit_test(test_limits),  cmocka_unit_test(test_no_memory), cmocka_unit_test(test_growth),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
