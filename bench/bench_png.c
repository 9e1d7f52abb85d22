/*
 * Writing and reading PNG: a screen of 1024 x 1024 by our writer with each compressor, compared with libspng
 * and libpng.
 */
#include "bench.h"
#include "world.h"

#include "codec/png.h"

#include <spng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LVL_BENCH_LIBPNG
#include <png.h>
#endif

enum { SIDE = 1024, ROUNDS = 10 };

typedef struct job {
    bench_world world;
    uint8_t *pixels; /* indices */
    lvl_png_packer packer;
    uint64_t bytes;
    lvl_buffer file;
    bool failed;
} job;

/* ---- the picture ------------------------------------------------------------------------------------- */

typedef struct keep_rows {
    lvl_rows rows;
    uint8_t *at;
} keep_rows;

static lvl_status keep_begin(lvl_rows *rows, const lvl_picture *picture)
{
    (void)rows;
    return picture->channels == 1 && picture->width == SIDE && picture->height == SIDE ? LVL_OK : LVL_ERR_ARG;
}

static lvl_status keep_take(lvl_rows *rows, const uint8_t *pixels, uint32_t count)
{
    keep_rows *k = (keep_rows *)rows;

    memcpy(k->at, pixels, (size_t)count * SIDE);
    k->at += (size_t)count * SIDE;
    return LVL_OK;
}

static lvl_status keep_end(lvl_rows *rows)
{
    (void)rows;
    return LVL_OK;
}

static void draw(void *user)
{
    job *j = user;
    keep_rows rows = {{keep_begin, keep_take, keep_end}, j->pixels};
    lvl_render_options o;

    lvl_render_options_init(&o);
    o.view = LVL_VIEW_CAMERA;
    o.camera_given = true;
    o.camera_x = o.camera_y = 2000;
    o.view_width = o.view_height = SIDE;
    j->failed |= lvl_render(j->world.scene, &o, &rows.rows) != LVL_OK;
}

/* ---- writers ----------------------------------------------------------------------------------------- */

static void ours(void *user)
{
    job *j = user;
    const lvl_picture picture = {SIDE, SIDE, 1, &j->world.palette, false, 0, 0, 0, {NULL, 0}};
    bench_counter out = {{bench_count}, 0};
    lvl_rows *rows = lvl_png_rows_new(&j->world.ctx, &out.writer, j->packer);

    j->failed |= !rows || rows->begin(rows, &picture) != LVL_OK ||
                 rows->rows(rows, j->pixels, SIDE) != LVL_OK || rows->end(rows) != LVL_OK;
    lvl_png_rows_free(rows);
    j->bytes = out.bytes;
}

static void by_spng(void *user)
{
    job *j = user;
    spng_ctx *png = spng_ctx_new(SPNG_CTX_ENCODER);
    struct spng_ihdr head = {
        .width = SIDE, .height = SIDE, .bit_depth = 8, .color_type = SPNG_COLOR_TYPE_INDEXED};
    struct spng_plte plte = {.n_entries = 256};
    size_t len = 0;
    int error = 0;

    for (int i = 0; i < 256; i++)
        plte.entries[i] = (struct spng_plte_entry){j->world.palette.rgb[i][0], j->world.palette.rgb[i][1],
                                                   j->world.palette.rgb[i][2], 0};
    spng_set_option(png, SPNG_ENCODE_TO_BUFFER, 1);
    spng_set_ihdr(png, &head);
    spng_set_plte(png, &plte);
    j->failed |=
        spng_encode_image(png, j->pixels, (size_t)SIDE * SIDE, SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE) != 0;
    free(spng_get_png_buffer(png, &len, &error));
    j->bytes = len;
    spng_ctx_free(png);
}

#ifdef LVL_BENCH_LIBPNG
static void png_count(png_structp png, png_bytep data, png_size_t len)
{
    (void)data;
    *(uint64_t *)png_get_io_ptr(png) += len;
}

static void by_libpng(void *user)
{
    job *j = user;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    png_color colours[256];

    j->bytes = 0;
    if (!info) {
        j->failed = true;
        return;
    }
    for (int i = 0; i < 256; i++)
        colours[i] =
            (png_color){j->world.palette.rgb[i][0], j->world.palette.rgb[i][1], j->world.palette.rgb[i][2]};
    png_set_write_fn(png, &j->bytes, png_count, NULL);
    png_set_IHDR(png, info, SIDE, SIDE, 8, PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_PLTE(png, info, colours, 256);
    png_write_info(png, info);
    for (size_t y = 0; y < SIDE; y++)
        png_write_row(png, j->pixels + y * SIDE);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
}
#endif

static void read_back(void *user)
{
    job *j = user;
    lvl_image image;

    j->failed |= lvl_png_read(&j->world.ctx, (lvl_bytes){j->file.data, j->file.len}, &image) != LVL_OK;
    lvl_image_clear(&image);
}

static double measure(job *j, const char *stage, void (*fn)(void *), int rounds)
{
    char note[64];
    const double seconds = bench_best_cpu(fn, j, rounds);

    snprintf(note, sizeof note, "%.0f kB", (double)j->bytes / 1e3);
    bench_time(stage, seconds, note);
    return seconds;
}

int main(void)
{
    static job j;

    j.pixels = malloc((size_t)SIDE * SIDE);
    if (!j.pixels || !bench_world_make(&j.world, 100, 60, 800)) {
        puts("out of memory");
        return 1;
    }
    const double drawing = bench_best_cpu(draw, &j, ROUNDS);
    bench_time("drawing 1024 x 1024", drawing, NULL);
    j.packer = LVL_PNG_ISAL;
    const double isal = measure(&j, "PNG by isa-l", ours, ROUNDS);
    j.packer = LVL_PNG_LIBDEFLATE;
    measure(&j, "PNG by libdeflate", ours, ROUNDS);
    const double spng = measure(&j, "libspng", by_spng, 3);
    bench_ratio("ours", isal, "libspng", spng, 1);
    bench_ratio("drawing and PNG together", drawing + isal, "libspng", spng, 0.3);
#ifdef LVL_BENCH_LIBPNG
    const double libpng = measure(&j, "libpng", by_libpng, 3);
    bench_ratio("ours", isal, "libpng", libpng, 1);
#endif
    const lvl_image image = {.width = SIDE, .height = SIDE, .pixels = j.pixels};
    j.failed |= lvl_png_write_buffer(&j.world.ctx, &image, &j.world.palette, &j.file) != LVL_OK;
    bench_time("reading it", bench_best_cpu(read_back, &j, ROUNDS), NULL);
    bench_fact("every PNG was written and read", !j.failed, NULL);
    lvl_buffer_free(&j.file);
    bench_world_free(&j.world);
    free(j.pixels);
    return bench_failed();
}
