/*
 * support/sketchy_draw.c: see sketchy_draw.h.
 */
#define _DEFAULT_SOURCE
#include "mkdtemp.h"
#include "sketchy_draw.h"

#include "os/file.h"
#include "base/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { SIZE = LVL_DRAW_SIZE };

lvl_draw lvl_drawing;

/* ---- art --------------------------------------------------------------------------------------------- */

static void save_picture(const char *folder, const char *name, uint32_t width, uint32_t height,
                         void (*color)(uint32_t x, uint32_t y, uint8_t rgba[4]))
{
    lvl_buffer png = {0};
    lvl_image image;
    char path[512];

    assert_int_equal(lvl_image_init(&image, &lvl_drawing.ctx, LVL_PIXELS_RGBA8, width, height, false),
                     LVL_OK);
    for (uint32_t i = 0; i < width * height; i++)
        color(i % width, i / width, image.pixels + (size_t)i * 4);
    snprintf(path, sizeof path, "%s/%s", lvl_drawing.folder, folder);
    assert_int_equal(lvl_folder_make(path, NULL), LVL_OK);
    snprintf(path, sizeof path, "%s/%s/%s", lvl_drawing.folder, folder, name);
    assert_int_equal(lvl_png_write_buffer(&lvl_drawing.ctx, &image, NULL, &png), LVL_OK);
    assert_int_equal(lvl_file_save(path, (lvl_bytes){png.data, png.len}, LVL_SAVE_REPLACE, NULL), LVL_OK);
    lvl_buffer_free(&png);
    lvl_image_clear(&image);
}

void lvl_draw_noise(uint32_t x, uint32_t y, uint8_t rgba[4])
{
    const uint8_t v[4] = {(uint8_t)(50 + x * 60), (uint8_t)(100 + y * 100), (uint8_t)(255 - x * 20), 255};

    memcpy(rgba, v, 4);
}

/* one transparent column */
static void bars(uint32_t x, uint32_t y, uint8_t rgba[4])
{
    const uint8_t v[4] = {255, 255, 255, (uint8_t)(x ? 255 : 0)};

    (void)y;
    memcpy(rgba, v, 4);
}

/* 4 by 4: each quarter has its number */
static void paper(uint32_t x, uint32_t y, uint8_t rgba[4])
{
    const uint8_t v[4] = {(uint8_t)(10 * (1 + x / 2)), (uint8_t)(10 * (1 + y / 2)), 9, 255};

    memcpy(rgba, v, 4);
}

static void red(uint32_t x, uint32_t y, uint8_t rgba[4])
{
    const uint8_t v[4] = {255, 0, 0, 255};

    (void)x;
    (void)y;
    memcpy(rgba, v, 4);
}

static const struct {
    const char *folder, *name;
    uint32_t width, height;
    void (*color)(uint32_t x, uint32_t y, uint8_t rgba[4]);
} made[] = {{"pattern", "noise.png", 3, 2, lvl_draw_noise},
            {"pattern", "bars.png", 2, 2, bars},
            {"wallpapers", "own.png", 4, 4, paper},
            {"wallpapers", "red.png", 2, 2, red},
            {"wallpapers", "notebook.png", 4, 4, paper}};

bool lvl_draw_open(void)
{
    lvl_ctx_init(&lvl_drawing.ctx);
    snprintf(lvl_drawing.folder, sizeof lvl_drawing.folder, "/tmp/lvl-sketchy-XXXXXX");
    if (!mkdtemp(lvl_drawing.folder))
        return false;
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        save_picture(made[i].folder, made[i].name, made[i].width, made[i].height, made[i].color);
    lvl_drawing.art = lvl_art_new(&lvl_drawing.ctx);
    return lvl_drawing.art && lvl_art_add(lvl_drawing.art, lvl_drawing.folder) == LVL_OK;
}

void lvl_draw_close(void)
{
    char path[512];

    lvl_art_free(lvl_drawing.art);
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        snprintf(path, sizeof path, "%s/%s/%s", lvl_drawing.folder, made[i].folder, made[i].name);
        remove(path);
    }
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        snprintf(path, sizeof path, "%s/%s", lvl_drawing.folder, made[i].folder);
        rmdir(path);
    }
    rmdir(lvl_drawing.folder);
}

/* ---- drawings ---------------------------------------------------------------------------------------- */

void *lvl_draw_take(lvl_doc *doc, size_t count, size_t size)
{
    void *p = lvl_doc_alloc(doc, count * size);

    assert_non_null(p);
    return p;
}

lvl_doc *lvl_draw_new(uint8_t kind, uint32_t chunks)
{
    lvl_doc *doc = NULL;

    assert_int_equal(lvl_doc_new(&doc, &lvl_drawing.ctx, lvl_format_find("sketchy")), LVL_OK);
    lvl_sketchy *d = lvl_doc_root(doc);
    d->kind = kind;
    d->page_type = LVL_SKETCHY_NO_NEGATIVE_SPACE;
    d->wallpaper = lvl_text_of("white.png"); /* our only plain one */
    d->layers = lvl_draw_take(doc, 1, sizeof *d->layers);
    d->layer_count = 1;
    d->layers[0].size = SIZE;
    d->layers[0].chunks = lvl_draw_take(doc, chunks, sizeof *d->layers[0].chunks);
    d->layers[0].chunk_count = chunks;
    return doc;
}

uint8_t *lvl_draw_chunk(lvl_doc *doc, uint32_t layer, uint32_t index, int32_t x, int32_t y, uint16_t color)
{
    lvl_sketchy *d = lvl_doc_root(doc);
    const uint32_t size = d->layers[layer].size;
    uint8_t *cells = lvl_draw_take(doc, (size_t)size * size, 2);
    char key[32];

    snprintf(key, sizeof key, "%d,%d", x, y);
    for (size_t i = 0; i < (size_t)size * size; i++) {
        cells[i * 2] = (uint8_t)color;
        cells[i * 2 + 1] = (uint8_t)(color >> 8);
    }
    d->layers[layer].chunks[index] = (lvl_sketchy_chunk){.key = lvl_doc_text(doc, lvl_text_of(key)),
                                                         .x = x,
                                                         .y = y,
                                                         .encoding = LVL_SKETCHY_CHUNK_MAP,
                                                         .pixels = {cells, size, size, 2}};
    return cells;
}

lvl_sketchy_swatch *lvl_draw_swatch(lvl_doc *doc, const char *color, const char *pattern)
{
    lvl_sketchy *d = lvl_doc_root(doc);

    if (!d->swatches)
        d->swatches = lvl_draw_take(doc, 16, sizeof *d->swatches);
    assert_true(d->swatch_count < 16);
    lvl_sketchy_swatch *s = &d->swatches[d->swatch_count++];
    *s = (lvl_sketchy_swatch){
        .name = lvl_text_of(color), .color = lvl_text_of(color), .pattern = lvl_text_of(pattern)};
    return s;
}

lvl_doc *lvl_draw_doodad(const char *color)
{
    lvl_doc *doodad = lvl_draw_new(LVL_SKETCHY_DOODAD, 1);

    lvl_draw_swatch(doodad, color, "");
    lvl_draw_chunk(doodad, 0, 0, 0, 0, 0);
    return doodad;
}

void lvl_draw_embed(lvl_doc *level, uint32_t index, const char *path, lvl_doc *doodad)
{
    lvl_sketchy *d = lvl_doc_root(level);
    lvl_buffer out = {0};

    assert_int_equal(lvl_doc_write(doodad, &out), LVL_OK);
    uint8_t *bytes = lvl_draw_take(level, out.len, 1);
    memcpy(bytes, out.data, out.len);
    d->files[index] = (lvl_sketchy_file){.path = lvl_text_of(path), .data = {bytes, out.len}};
    lvl_buffer_free(&out);
    lvl_doc_free(doodad);
}

void lvl_draw_actor(lvl_doc *level, uint32_t index, const char *id, const char *filename, int64_t x,
                    int64_t y)
{
    lvl_sketchy *d = lvl_doc_root(level);

    d->actors[index] =
        (lvl_sketchy_actor){.id = lvl_text_of(id), .filename = lvl_text_of(filename), .point = {x, y}};
}

/* ---- pictures ---------------------------------------------------------------------------------------- */

void lvl_draw_picture(lvl_doc *doc, const lvl_draw_how *how, lvl_image *out, uint32_t *missing)
{
    const lvl_scene_request request = {.art = how->art, .frame = how->frame};
    lvl_render_options options;
    lvl_scene *scene = NULL;

    assert_int_equal(lvl_doc_scene(doc, &request, &scene), LVL_OK);
    lvl_render_options_init(&options);
    options.overlays = how->overlays;
    options.transparent = true;
    if (how->width) {
        options.view = LVL_VIEW_CAMERA;
        options.view_width = how->width;
        options.view_height = how->height;
        options.camera_given = true;
        options.camera_x = how->x + (int32_t)how->width / 2;
        options.camera_y = how->y + (int32_t)how->height / 2;
    }
    assert_int_equal(lvl_render_image(scene, &options, out), LVL_OK);
    if (missing)
        *missing = scene->missing_things;
    lvl_scene_free(scene);
}

uint32_t lvl_draw_at(const lvl_image *image, uint32_t x, uint32_t y)
{
    assert_true(x < image->width && y < image->height);
    const uint8_t *p = image->pixels + ((size_t)y * image->width + x) * 4;
    return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}
