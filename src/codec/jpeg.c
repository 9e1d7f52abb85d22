/*
 * codec/jpeg.c: JPEG to pictures, by libjpeg-turbo (or any libjpeg). A size is accepted only if the file is
 * long enough for it: a block of 64 pixels takes at least one bit. Damaged files are refused: the library
 * only warns, but here the first warning is an error, which also stops files of many empty passes early. The
 * library decodes the coefficients; jpeg_blocks.c computes the pixels as Go's decoder does, without smoothing
 * between blocks, so that a picture has the same pixels as in a game written in Go. The Exif orientation is
 * ignored, as in Go.
 */
#include "codec/jpeg.h"

#include "codec/jpeg_blocks.h"
#include "base/work.h"
#include "base/arena.h"

#include <string.h>

bool lvl_jpeg_probe(lvl_bytes bytes)
{
    return bytes.len >= 3 && bytes.ptr[0] == 0xFF && bytes.ptr[1] == 0xD8 && bytes.ptr[2] == 0xFF;
}

#ifdef LVL_HAVE_JPEG

#include <setjmp.h>
#include <stdio.h> /* jpeglib.h needs it before */

#include <jpeglib.h>

#include <jerror.h>

enum { PIXELS_PER_BYTE = 64 * 8, SCANS_MAX = 200 };

/* The state that must survive a longjmp, so nothing of it is in a register. */
typedef struct reader {
    struct jpeg_error_mgr errors; /* first, since the library passes a pointer to it */
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    struct jpeg_decompress_struct jpeg;
    jmp_buf back;
    lvl_status status;
    lvl_image *out;
} reader;

static void fail(j_common_ptr jpeg)
{
    reader *r = (reader *)(void *)jpeg->err;

    if (jpeg->err->msg_code == JERR_OUT_OF_MEMORY)
        r->status = LVL_ERR_MEMORY;
    else if (r->status == LVL_OK)
        r->status = LVL_ERR_FORMAT;
    longjmp(r->back, 1);
}

/* Warnings are below 0; those that do not concern pixels are ignored. */
static void emit(j_common_ptr jpeg, int level)
{
    const int code = jpeg->err->msg_code;

    if (level < 0 && code != JWRN_EXTRANEOUS_DATA && code != JWRN_JFIF_MAJOR && code != JWRN_ADOBE_XFORM)
        fail(jpeg);
}

static void do_nothing(j_decompress_ptr jpeg)
{
    (void)jpeg;
}

/* All bytes are in memory from the start: if more are needed, the file is truncated. */
static boolean fill(j_decompress_ptr jpeg)
{
    fail((j_common_ptr)jpeg);
    return FALSE;
}

static void skip(j_decompress_ptr jpeg, long count)
{
    if (count <= 0)
        return;
    if ((unsigned long)count > jpeg->src->bytes_in_buffer)
        fail((j_common_ptr)jpeg);
    jpeg->src->next_input_byte += count;
    jpeg->src->bytes_in_buffer -= (size_t)count;
}

static void watch(j_common_ptr jpeg)
{
    if (((j_decompress_ptr)(void *)jpeg)->input_scan_number > SCANS_MAX)
        fail(jpeg);
}

/* One channel, which may be subsampled. */
typedef struct channel {
    uint8_t *pixels;
    size_t stride;
    uint32_t across, down; /* of that many, */
    uint32_t width, height; /* for that many px of the picture */
} channel;

static channel read_channel(reader *r, jvirt_barray_ptr blocks, const jpeg_component_info *info)
{
    struct jpeg_decompress_struct *jpeg = &r->jpeg;
    const j_common_ptr common = (j_common_ptr)jpeg;
    channel c = {.stride = (size_t)info->width_in_blocks * DCTSIZE,
                 .across = (uint32_t)info->h_samp_factor,
                 .down = (uint32_t)info->v_samp_factor,
                 .width = (uint32_t)jpeg->max_h_samp_factor,
                 .height = (uint32_t)jpeg->max_v_samp_factor};

    if (!info->quant_table)
        fail(common); /* no pass has the channel */
    c.pixels = jpeg->mem->alloc_large(common, JPOOL_IMAGE, c.stride * info->height_in_blocks * DCTSIZE);
    for (JDIMENSION y = 0; y < info->height_in_blocks; y++) {
        const JBLOCKARRAY row = jpeg->mem->access_virt_barray(common, blocks, y, 1, FALSE);
        for (JDIMENSION x = 0; x < info->width_in_blocks; x++)
            lvl_jpeg_block(row[0][x], info->quant_table->quantval,
                           c.pixels + (size_t)y * DCTSIZE * c.stride + (size_t)x * DCTSIZE, c.stride);
    }
    return c;
}

static uint8_t channel_at(const channel *c, uint32_t x, uint32_t y)
{
    return c->pixels[(size_t)(y * c->down / c->height) * c->stride + x * c->across / c->width];
}

/* CMYK, by the formula of Go's color.CMYKToRGB; Adobe stores it inverted. */
static void print_inks(uint8_t inks[4], bool turned)
{
    const uint32_t light = (turned ? inks[3] : 255u - inks[3]) * 257u;

    for (int k = 0; k < 3; k++) {
        const uint32_t v = (turned ? inks[k] : 255u - inks[k]) * 257u;
        inks[k] = (uint8_t)((uint64_t)v * light / 65535 >> 8);
    }
    inks[3] = 255;
}

static void read_pixels(reader *r)
{
    struct jpeg_decompress_struct *jpeg = &r->jpeg;
    const bool colors = jpeg->jpeg_color_space == JCS_YCbCr || jpeg->jpeg_color_space == JCS_YCCK;
    const int count = jpeg->num_components;
    channel channels[4];

    jvirt_barray_ptr *blocks = jpeg_read_coefficients(jpeg);
    for (int k = 0; k < count; k++)
        channels[k] = read_channel(r, blocks[k], &jpeg->comp_info[k]);
    for (uint32_t y = 0; y < jpeg->image_height; y++) {
        uint8_t *to = r->out->pixels + (size_t)y * jpeg->image_width * 4;
        for (uint32_t x = 0; x < jpeg->image_width; x++, to += 4) {
            for (int k = 0; k < count; k++)
                to[k] = channel_at(&channels[k], x, y);
            if (count == 1)
                to[1] = to[2] = to[0];
            if (colors)
                lvl_jpeg_color(to[0], to[1], to[2], to);
            if (jpeg->jpeg_color_space == JCS_YCCK) {
                for (int k = 0; k < 3; k++)
                    to[k] = (uint8_t)(255 - to[k]);
            }
            if (count == 4)
                print_inks(to, jpeg->saw_Adobe_marker);
            to[3] = 255;
        }
    }
    jpeg_finish_decompress(jpeg);
}

/* Checked before large allocations: two bytes for each coefficient, and the pixels of a channel. */
static lvl_status check_size(const struct jpeg_decompress_struct *jpeg, const lvl_ctx *ctx, size_t len)
{
    const uint64_t most = lvl_limits_of(ctx).memory_bytes / 2;
    const uint64_t pixels = (uint64_t)jpeg->image_width * jpeg->image_height;

    if (jpeg->arith_code || jpeg->data_precision != 8 || jpeg->num_components == 2 ||
        jpeg->num_components > 4 || pixels > (uint64_t)len * PIXELS_PER_BYTE)
        return LVL_ERR_FORMAT;
    const uint64_t bytes = pixels * (4 + 3u * (unsigned)jpeg->num_components);
    return bytes > most ? lvl_refuse(ctx, LVL_LIMIT_MEMORY, most, bytes) : LVL_OK;
}

lvl_status lvl_jpeg_read(const lvl_ctx *ctx, lvl_bytes bytes, lvl_image *out)
{
    reader r;

    memset(out, 0, sizeof *out);
    if (!lvl_jpeg_probe(bytes))
        return LVL_ERR_FORMAT;
    memset(&r, 0, sizeof r);
    r.out = out;
    r.jpeg.err = jpeg_std_error(&r.errors);
    r.errors.error_exit = fail;
    r.errors.emit_message = emit; /* with fail: nothing else prints */
    r.source = (struct jpeg_source_mgr){.next_input_byte = bytes.ptr,
                                        .bytes_in_buffer = bytes.len,
                                        .init_source = do_nothing,
                                        .fill_input_buffer = fill,
                                        .skip_input_data = skip,
                                        .resync_to_restart = jpeg_resync_to_restart,
                                        .term_source = do_nothing};
    r.progress.progress_monitor = watch;
    if (setjmp(r.back) == 0) { /* NOLINT(cert-err52-cpp): how the library leaves on an error */
        jpeg_create_decompress(&r.jpeg);
        r.jpeg.src = &r.source;
        r.jpeg.progress = &r.progress;
        jpeg_read_header(&r.jpeg, TRUE);
        r.status = check_size(&r.jpeg, ctx, bytes.len);
        if (r.status == LVL_OK)
            r.status =
                lvl_image_init(out, ctx, LVL_PIXELS_RGBA8, r.jpeg.image_width, r.jpeg.image_height, false);
        if (r.status == LVL_OK)
            read_pixels(&r);
    }
    jpeg_destroy_decompress(&r.jpeg);
    if (r.status != LVL_OK)
        lvl_image_clear(out);
    return r.status;
}

#else

lvl_status lvl_jpeg_read(const lvl_ctx *ctx, lvl_bytes bytes, lvl_image *out)
{
    (void)ctx;
    memset(out, 0, sizeof *out);
    return lvl_jpeg_probe(bytes) ? LVL_ERR_UNSUPPORTED : LVL_ERR_FORMAT;
}

#endif
