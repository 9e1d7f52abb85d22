/*
 * codec/png.c: PNG out, in bands with isa-l. No filters and the fastest deflate: level pictures are flat
 * colours and repeated tiles, for which filters do not help, and isa-l's level 1 takes a twentieth of
 * libpng's time for about the same size.
 */
#include "codec/png.h"

#include "base/load.h"
#include "base/buffer.h"
#include "base/arena.h"
#include "base/cursor.h"
#include "base/work.h"
#include "codec/deflate.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#ifdef LVL_HAVE_ISAL
#include <isa-l/igzip_lib.h>
#endif

enum {
    CHUNK_DATA = 64 << 10, /* bytes of an IDAT chunk */
    ROWS_BYTES = 128 << 10 /* rows with their filter bytes, gathered before compressing */
};

typedef struct png_rows {
    lvl_rows rows;
    const lvl_ctx *ctx;
    lvl_writer *out;
    lvl_png_packer packer;
    size_t row_bytes; /* without the filter byte */
    uint32_t left; /* rows to come */
    uint8_t *raw; /* rows with their filter bytes */
    size_t raw_len, raw_cap;
    uint8_t *chunk; /* length, name, data, checksum */
    size_t chunk_len;
#ifdef LVL_HAVE_ISAL
    struct isal_zstream *isal;
    uint8_t *isal_level;
#endif
} png_rows;

const uint8_t lvl_png_signature[LVL_PNG_SIGNATURE_SIZE] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

lvl_status lvl_png_chunk_write(lvl_writer *out, const char *name, uint8_t *chunk, size_t len)
{
    lvl_store_u32be(chunk, (uint32_t)len);
    memcpy(chunk + 4, name, 4);
    lvl_store_u32be(chunk + 8 + len, lvl_crc32((lvl_bytes){chunk + 4, len + 4}));
    return out->write(out, chunk, len + 12);
}

static lvl_status write_rest(const png_rows *png, lvl_bytes rest)
{
    if (rest.len > INT32_MAX)
        return lvl_refuse_fixed(png->ctx, "bytes in a chunk of a PNG", INT32_MAX, rest.len);
    uint8_t *chunk = lvl_mem_alloc(png->ctx, rest.len + 12);
    if (!chunk)
        return LVL_ERR_MEMORY;
    memcpy(chunk + 8, rest.ptr, rest.len);
    const lvl_status status = lvl_png_chunk_write(png->out, LVL_PNG_REST, chunk, rest.len);
    lvl_mem_free(png->ctx, chunk);
    return status;
}

static lvl_status write_head(png_rows *png, const lvl_picture *picture)
{
    uint8_t chunk[12 + 768] = {0};
    lvl_status status = png->out->write(png->out, lvl_png_signature, sizeof lvl_png_signature);

    lvl_store_u32be(chunk + 8, picture->width);
    lvl_store_u32be(chunk + 12, picture->height);
    chunk[16] = 8;
    chunk[17] = picture->channels == 1 ? 3 : picture->channels == 3 ? 2 : 6;
    if (status == LVL_OK)
        status = lvl_png_chunk_write(png->out, "IHDR", chunk, 13);
    if (status == LVL_OK && picture->channels == 1) {
        for (size_t i = 0; i < 256; i++) {
            if (picture->palette)
                memcpy(chunk + 8 + i * 3, picture->palette->rgb[i], 3);
            else
                memset(chunk + 8 + i * 3, (int)i, 3);
        }
        status = lvl_png_chunk_write(png->out, "PLTE", chunk, 768);
        if (status == LVL_OK && picture->has_key) {
            memset(chunk + 8, 255, 256);
            chunk[8 + picture->key] = 0;
            status = lvl_png_chunk_write(png->out, "tRNS", chunk, (size_t)picture->key + 1);
        }
    }
    if (status == LVL_OK && (picture->offset_x || picture->offset_y)) {
        lvl_store_u32be(chunk + 8, (uint32_t)picture->offset_x);
        lvl_store_u32be(chunk + 12, (uint32_t)picture->offset_y);
        chunk[16] = 0; /* pixels, not micrometres */
        status = lvl_png_chunk_write(png->out, "oFFs", chunk, 9);
    }
    if (status == LVL_OK && picture->rest.len)
        status = write_rest(png, picture->rest);
    return status;
}

#ifdef LVL_HAVE_ISAL

static lvl_status flush_chunk(png_rows *png)
{
    const size_t len = png->chunk_len;

    png->chunk_len = 0;
    return len ? lvl_png_chunk_write(png->out, "IDAT", png->chunk, len) : LVL_OK;
}

static bool isal_open(png_rows *png)
{
    /* The stream includes its window and hash: too large for the stack. */
    png->isal = malloc(sizeof *png->isal);
    png->isal_level = malloc(ISAL_DEF_LVL1_DEFAULT);
    if (!png->isal || !png->isal_level)
        return false;
    isal_deflate_init(png->isal);
    png->isal->level = 1;
    png->isal->level_buf = png->isal_level;
    png->isal->level_buf_size = ISAL_DEF_LVL1_DEFAULT;
    png->isal->gzip_flag = IGZIP_ZLIB;
    return true;
}

#if defined(__GNUC__) && defined(_WIN64)
/* isa-l's assembly leaves other values in xmm8 to xmm14, which a function of 64-bit Windows must keep for its
 * caller. Named as changed here, they are saved and restored by this function. */
__attribute__((noinline)) static int isal_step(struct isal_zstream *z)
{
    const int result = isal_deflate(z);

    __asm__ volatile("" ::
                         : "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
                           "xmm15");
    return result;
}
#else
static int isal_step(struct isal_zstream *z)
{
    return isal_deflate(z);
}
#endif

static lvl_status isal_pack(png_rows *png, bool last)
{
    struct isal_zstream *z = png->isal;

    z->next_in = png->raw;
    z->avail_in = (uint32_t)png->raw_len;
    z->end_of_stream = last;
    do {
        z->next_out = png->chunk + 8 + png->chunk_len;
        z->avail_out = (uint32_t)(CHUNK_DATA - png->chunk_len);
        if (isal_step(z) != COMP_OK)
            return LVL_ERR_ARG;
        png->chunk_len = CHUNK_DATA - z->avail_out;
        if (z->avail_out == 0) {
            lvl_status status = flush_chunk(png);
            if (status != LVL_OK)
                return status;
        } else if (z->avail_in == 0 && (!last || z->internal_state.state == ZSTATE_END)) {
            break;
        }
    } while (true);
    return LVL_OK;
}
#endif

/* The whole picture as one chunk. */
static lvl_status libdeflate_pack(png_rows *png)
{
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(1);
    lvl_status status = LVL_ERR_MEMORY;
    uint8_t *all = NULL;

    if (!c)
        goto out;
    const size_t bound = libdeflate_zlib_compress_bound(c, png->raw_len);
    all = lvl_mem_alloc(png->ctx, bound + 12);
    if (!all)
        goto out;
    const size_t len = libdeflate_zlib_compress(c, png->raw, png->raw_len, all + 8, bound);
    status = len && len <= INT32_MAX
                 ? lvl_png_chunk_write(png->out, "IDAT", all, len)
                 : lvl_refuse_fixed(png->ctx, "bytes in a chunk of a PNG", INT32_MAX, len);
out:
    lvl_mem_free(png->ctx, all);
    if (c)
        libdeflate_free_compressor(c);
    return status;
}

static lvl_status pack(png_rows *png, bool last)
{
#ifdef LVL_HAVE_ISAL
    if (png->packer == LVL_PNG_ISAL) {
        const lvl_status status = isal_pack(png, last);
        png->raw_len = 0;
        return status == LVL_OK && last ? flush_chunk(png) : status;
    }
#endif
    return last ? libdeflate_pack(png) : LVL_OK;
}

static lvl_status png_begin(lvl_rows *rows, const lvl_picture *picture)
{
    png_rows *png = (png_rows *)rows;

    if (picture->width == 0 || picture->height == 0 || picture->width > INT32_MAX / 4 - 1 ||
        picture->height > INT32_MAX ||
        (picture->channels != 1 && picture->channels != 3 && picture->channels != 4))
        return LVL_ERR_ARG;
    png->row_bytes = (size_t)picture->width * picture->channels;
    png->left = picture->height;
    const uint64_t whole = (uint64_t)(png->row_bytes + 1) * picture->height;
#ifdef LVL_HAVE_ISAL
    if (png->packer == LVL_PNG_AUTO)
        png->packer = LVL_PNG_ISAL;
#else
    png->packer = LVL_PNG_LIBDEFLATE;
#endif
    const uint64_t most = lvl_limits_of(png->ctx).memory_bytes / 2; /* pixels and what they become */
    if (png->packer == LVL_PNG_LIBDEFLATE && whole > most)
        return lvl_refuse(png->ctx, LVL_LIMIT_MEMORY, most, whole);
    png->raw_cap = ROWS_BYTES;
    if (png->raw_cap < png->row_bytes + 1)
        png->raw_cap = png->row_bytes + 1;
    if (png->packer == LVL_PNG_LIBDEFLATE || png->raw_cap > whole)
        png->raw_cap = (size_t)whole;
    png->raw = lvl_mem_alloc(png->ctx, png->raw_cap);
    png->chunk = lvl_mem_alloc(png->ctx, CHUNK_DATA + 12);
    if (!png->raw || !png->chunk)
        return LVL_ERR_MEMORY;
#ifdef LVL_HAVE_ISAL
    if (png->packer == LVL_PNG_ISAL && !isal_open(png))
        return LVL_ERR_MEMORY;
#endif
    return write_head(png, picture);
}

static lvl_status png_take(lvl_rows *rows, const uint8_t *pixels, uint32_t count)
{
    png_rows *png = (png_rows *)rows;

    if (count > png->left)
        return LVL_ERR_ARG;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *to = png->raw + png->raw_len;

        *to = 0;
        memcpy(to + 1, pixels + i * png->row_bytes, png->row_bytes);
        png->raw_len += png->row_bytes + 1;
        png->left--;
        if (png->left == 0 || png->raw_cap - png->raw_len < png->row_bytes + 1) {
            lvl_status status = pack(png, png->left == 0);
            if (status != LVL_OK)
                return status;
        }
    }
    return LVL_OK;
}

static lvl_status png_end(lvl_rows *rows)
{
    png_rows *png = (png_rows *)rows;
    uint8_t chunk[12];

    return png->left ? LVL_ERR_ARG : lvl_png_chunk_write(png->out, "IEND", chunk, 0);
}

lvl_rows *lvl_png_rows_new(const lvl_ctx *ctx, lvl_writer *out, lvl_png_packer packer)
{
    png_rows *png = lvl_mem_alloc(ctx, sizeof *png);

    if (!png)
        return NULL;
    memset(png, 0, sizeof *png);
    png->rows.begin = png_begin;
    png->rows.rows = png_take;
    png->rows.end = png_end;
    png->ctx = ctx;
    png->out = out;
    png->packer = packer;
    return &png->rows;
}

void lvl_png_rows_free(lvl_rows *rows)
{
    png_rows *png = (png_rows *)rows;

    if (!png)
        return;
#ifdef LVL_HAVE_ISAL
    free(png->isal);
    free(png->isal_level);
#endif
    lvl_mem_free(png->ctx, png->raw);
    lvl_mem_free(png->ctx, png->chunk);
    lvl_mem_free(png->ctx, png);
}

/* ---- chunks of a file ---------------------------------------------------------------------------------- */

enum {
    SIGNATURE = 8,
    CHUNK_FRAME = 12 /* length, name, checksum */,
    HEAD_END = SIGNATURE + CHUNK_FRAME + 13
};

bool lvl_png_chunk(lvl_bytes png, const char *name, lvl_bytes *out)
{
    for (size_t at = SIGNATURE; png.len >= CHUNK_FRAME && at <= png.len - CHUNK_FRAME;) {
        const size_t len = lvl_load_u32be(png.ptr + at);
        if (len > png.len - CHUNK_FRAME - at)
            return false;
        if (memcmp(png.ptr + at + 4, name, 4) == 0) {
            *out = (lvl_bytes){png.ptr + at + 8, len};
            return true;
        }
        at += CHUNK_FRAME + len;
    }
    return false;
}

lvl_status lvl_png_chunk_add(lvl_buffer *buf, size_t from, const char *name, lvl_bytes data)
{
    const size_t size = CHUNK_FRAME + data.len;

    if (from > buf->len || buf->len - from < HEAD_END || data.len > INT32_MAX)
        return LVL_ERR_ARG;
    lvl_buffer_fill(buf, 0, size);
    if (buf->status != LVL_OK)
        return buf->status;
    uint8_t *chunk = buf->data + from + HEAD_END;
    memmove(chunk + size, chunk, buf->len - size - from - HEAD_END);
    lvl_store_u32be(chunk, (uint32_t)data.len);
    memcpy(chunk + 4, name, 4);
    if (data.len)
        memcpy(chunk + 8, data.ptr, data.len);
    lvl_store_u32be(chunk + 8 + data.len, lvl_crc32((lvl_bytes){chunk + 4, data.len + 4}));
    return LVL_OK;
}

/* ---- pictures in memory ------------------------------------------------------------------------------ */

/* A palette index that no drawn pixel has, 0 if it can be; -1 when all 256 are in use. */
static int free_index(const lvl_image *image)
{
    const size_t count = (size_t)image->width * image->height;
    bool used[256] = {false};

    for (size_t i = 0; i < count; i++) {
        if (image->mask[i])
            used[image->pixels[i]] = true;
    }
    for (int i = 0; i < 256; i++) {
        if (!used[i])
            return i;
    }
    return -1;
}

static lvl_status write_rows(lvl_rows *rows, const lvl_image *image, const lvl_picture *picture, uint8_t *row)
{
    lvl_status status = rows->begin(rows, picture);

    for (uint32_t y = 0; y < image->height && status == LVL_OK; y++) {
        const size_t at = (size_t)y * image->width;
        const uint8_t *from = image->pixels + (image->format == LVL_PIXELS_RGBA8 ? at * 4 : at);

        for (size_t x = 0; x < image->width && row; x++) {
            const bool drawn = !image->mask || image->mask[at + x];

            if (picture->channels == 1) {
                row[x] = drawn ? from[x] : picture->key;
            } else if (image->format == LVL_PIXELS_RGBA8) {
                memcpy(row + x * 3, from + x * 4, 3);
            } else if (drawn) {
                memcpy(row + x * 4, picture->palette->rgb[from[x]], 3);
                row[x * 4 + 3] = 255;
            } else {
                memset(row + x * 4, 0, 4);
            }
        }
        status = rows->rows(rows, row ? row : from, 1);
    }
    return status == LVL_OK ? rows->end(rows) : status;
}

static bool opaque(const lvl_image *image)
{
    const size_t count = (size_t)image->width * image->height;

    for (size_t i = 0; i < count; i++) {
        if (image->pixels[i * 4 + 3] != 255)
            return false;
    }
    return true;
}

lvl_status lvl_png_write(const lvl_ctx *ctx, const lvl_image *image, const lvl_palette *palette,
                         lvl_writer *out)
{
    lvl_picture picture = {.width = image->width,
                           .height = image->height,
                           .channels = 1,
                           .offset_x = image->offset_x,
                           .offset_y = image->offset_y,
                           .rest = {image->rest, image->rest_len}};
    lvl_palette grey;
    uint8_t *row = NULL;
    bool convert = false;

    if (!image->pixels || image->width == 0 || image->height == 0 || image->width > INT32_MAX / 4 - 1)
        return LVL_ERR_ARG;
    for (size_t i = 0; i < 256; i++)
        memset(grey.rgb[i], (int)i, 3);
    picture.palette = image->palette ? image->palette : palette ? palette : &grey;
    if (image->format == LVL_PIXELS_RGBA8) {
        convert = opaque(image);
        picture.channels = convert ? 3 : 4;
    } else if (image->mask) {
        const int key = free_index(image);
        convert = true;
        picture.has_key = key >= 0;
        picture.key = (uint8_t)(key < 0 ? 0 : key);
        if (key < 0)
            picture.channels = 4;
    }
    lvl_status status = LVL_ERR_MEMORY;
    lvl_rows *rows = lvl_png_rows_new(ctx, out, LVL_PNG_LIBDEFLATE); /* see png.h: always the same bytes */
    if (convert)
        row = lvl_mem_alloc(ctx, (size_t)image->width * picture.channels);
    if (rows && (row || !convert))
        status = write_rows(rows, image, &picture, row);
    lvl_mem_free(ctx, row);
    lvl_png_rows_free(rows);
    return status;
}

lvl_status lvl_png_write_buffer(const lvl_ctx *ctx, const lvl_image *image, const lvl_palette *palette,
                                lvl_buffer *out)
{
    lvl_buffer_writer writer = lvl_buffer_writer_to(out);

    return lvl_png_write(ctx, image, palette, &writer.writer);
}

typedef struct png_of {
    const lvl_ctx *ctx;
    const lvl_image *image;
    const lvl_palette *palette;
} png_of;

static lvl_status write_png(void *user, lvl_writer *out)
{
    const png_of *p = user;

    return lvl_png_write(p->ctx, p->image, p->palette, out);
}

lvl_status lvl_png_save(const lvl_ctx *ctx, const lvl_image *image, const lvl_palette *palette,
                        const char *path)
{
    png_of p = {ctx, image, palette};

    return lvl_file_put_by(path, write_png, &p);
}
