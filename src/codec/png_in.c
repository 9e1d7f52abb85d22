/*
 * codec/png_in.c: PNG to pictures, by libspng. Palette pictures stay palette pictures; everything else
 * becomes RGBA.
 */
#include "codec/png.h"
#include "base/arena.h"

#include "base/work.h"

#include <errno.h>
#include <spng.h>
#include <stdlib.h>
#include <string.h>

/* errno is 0 when reading begins: zlib sets it if memory runs out, which libspng reports as a broken
 * stream. */
static lvl_status status_of(const lvl_ctx *ctx, int rc)
{
    switch (rc) {
    case 0: return LVL_OK;
    case SPNG_EMEM:
    case SPNG_EZLIB_INIT: return LVL_ERR_MEMORY;
    case SPNG_EUSER_WIDTH:
    case SPNG_EUSER_HEIGHT: return lvl_refuse_fixed(ctx, "pixels across", INT32_MAX, 0);
    case SPNG_ECHUNK_LIMITS: return lvl_refuse(ctx, LVL_LIMIT_MEMORY, lvl_limits_of(ctx).memory_bytes / 2, 0);
    default: return errno == ENOMEM ? LVL_ERR_MEMORY : LVL_ERR_FORMAT;
    }
}

/* Unpacks indices of 1, 2 or 4 bits to a byte each. */
static void unpack_indices(uint8_t *to, const uint8_t *packed, uint32_t width, unsigned depth)
{
    const unsigned mask = (1u << depth) - 1;

    for (uint32_t x = 0; x < width; x++) {
        const uint64_t bit = (uint64_t)x * depth;
        to[x] = (uint8_t)(packed[bit / 8] >> (8 - depth - bit % 8) & mask);
    }
}

static lvl_status read_indices(spng_ctx *png, const struct spng_ihdr *head, const lvl_ctx *ctx,
                               lvl_image *out)
{
    struct spng_plte colours = {0};
    struct spng_trns trns = {0};
    size_t size = 0;
    uint8_t *packed = NULL;
    lvl_status status;
    const bool masked = spng_get_trns(png, &trns) == 0;
    int rc = spng_get_plte(png, &colours);

    if (rc)
        return status_of(ctx, rc);
    status = lvl_image_init(out, ctx, LVL_PIXELS_INDEX8, head->width, head->height, masked);
    if (status != LVL_OK)
        return status;
    out->palette = calloc(1, sizeof *out->palette);
    if (!out->palette)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < colours.n_entries && i < 256; i++) {
        out->palette->rgb[i][0] = colours.entries[i].red;
        out->palette->rgb[i][1] = colours.entries[i].green;
        out->palette->rgb[i][2] = colours.entries[i].blue;
    }
    rc = spng_decoded_image_size(png, SPNG_FMT_RAW, &size);
    if (rc)
        return status_of(ctx, rc);
    const size_t row = size / head->height;
    const uint64_t cells = (uint64_t)head->width * head->height;
    if (head->bit_depth == 8 && size == cells) {
        rc = spng_decode_image(png, out->pixels, size, SPNG_FMT_RAW, 0);
    } else {
        packed = malloc(size);
        if (!packed)
            return LVL_ERR_MEMORY;
        rc = spng_decode_image(png, packed, size, SPNG_FMT_RAW, 0);
        for (uint32_t y = 0; y < head->height && !rc; y++)
            unpack_indices(out->pixels + (size_t)y * head->width, packed + y * row, head->width,
                           head->bit_depth);
        free(packed);
    }
    for (uint64_t i = 0; i < cells && masked && !rc; i++) {
        const uint8_t index = out->pixels[i];
        out->mask[i] = index < trns.n_type3_entries && trns.type3_alpha[index] < 128 ? 0 : 255;
    }
    return status_of(ctx, rc);
}

/* Whether a colour of the palette is half transparent. */
static bool half_seen(spng_ctx *png)
{
    struct spng_trns trns = {0};

    if (spng_get_trns(png, &trns))
        return false;
    for (uint32_t i = 0; i < trns.n_type3_entries; i++) {
        if (trns.type3_alpha[i] != 0 && trns.type3_alpha[i] != 255)
            return true;
    }
    return false;
}

/* Copies the chunk that is lvl_image.rest. */
static lvl_status read_rest(lvl_bytes png, lvl_image *out)
{
    lvl_bytes rest;

    if (!lvl_png_chunk(png, LVL_PNG_REST, &rest) || !rest.len)
        return LVL_OK;
    out->rest = malloc(rest.len);
    if (!out->rest)
        return LVL_ERR_MEMORY;
    memcpy(out->rest, rest.ptr, rest.len);
    out->rest_len = rest.len;
    return LVL_OK;
}

lvl_status lvl_png_read_as(const lvl_ctx *ctx, lvl_bytes png_bytes, bool indices, lvl_image *out)
{
    const uint64_t most = lvl_limits_of(ctx).memory_bytes / 2;
    const size_t chunks = most > SIZE_MAX / 2 ? SIZE_MAX / 2 : (size_t)most;
    struct spng_ihdr head;
    struct spng_offs offset;
    spng_ctx *png = spng_ctx_new(0);
    lvl_status status;
    size_t size = 0;
    int rc;

    memset(out, 0, sizeof *out);
    if (!png)
        return LVL_ERR_MEMORY;
    errno = 0;
    rc = spng_set_image_limits(png, INT32_MAX, INT32_MAX);
    if (!rc)
        rc = spng_set_chunk_limits(png, chunks, chunks);
    if (!rc)
        rc = spng_set_png_buffer(png, png_bytes.ptr, png_bytes.len);
    if (!rc)
        rc = spng_get_ihdr(png, &head);
    status = status_of(ctx, rc);
    if (rc)
        goto out;
    if (head.color_type == SPNG_COLOR_TYPE_INDEXED && (indices || !half_seen(png))) {
        status = read_indices(png, &head, ctx, out);
        goto out;
    }
    status = lvl_image_init(out, ctx, LVL_PIXELS_RGBA8, head.width, head.height, false);
    if (status != LVL_OK)
        goto out;
    rc = spng_decoded_image_size(png, SPNG_FMT_RGBA8, &size);
    if (!rc && size != (uint64_t)head.width * head.height * 4)
        rc = SPNG_EINTERNAL;
    if (!rc)
        rc = spng_decode_image(png, out->pixels, size, SPNG_FMT_RGBA8, SPNG_DECODE_TRNS);
    status = status_of(ctx, rc);
out:
    if (status == LVL_OK && spng_get_offs(png, &offset) == 0 && offset.unit_specifier == 0) {
        out->offset_x = offset.x;
        out->offset_y = offset.y;
    }
    if (status == LVL_OK)
        status = read_rest(png_bytes, out);
    if (status != LVL_OK)
        lvl_image_clear(out);
    spng_ctx_free(png);
    return status;
}

lvl_status lvl_png_read(const lvl_ctx *ctx, lvl_bytes png, lvl_image *out)
{
    return lvl_png_read_as(ctx, png, true, out);
}
