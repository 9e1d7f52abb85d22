/*
 * codec/gif.c: GIF to pictures, by giflib. Only the first frame is read, on the screen that the file
 * declares, which is transparent outside of the frame. A size is accepted only if the file is long enough for
 * it: an LZW code has at least three bits and encodes at most 4096 pixels.
 */
#include "codec/gif.h"

#include <gif_lib.h>
#include <stdlib.h>
#include <string.h>

enum { PIXELS_PER_BYTE = 4096 * 8 / 3 };

typedef struct source {
    lvl_bytes bytes;
    size_t at;
} source;

static int read_bytes(GifFileType *gif, GifByteType *to, int count)
{
    source *s = gif->UserData;
    const size_t left = s->bytes.len - s->at;
    const size_t n = count < 0 ? 0 : (size_t)count < left ? (size_t)count : left;

    if (n)
        memcpy(to, s->bytes.ptr + s->at, n);
    s->at += n;
    return (int)n;
}

static lvl_status status_of(int error)
{
    return error == D_GIF_ERR_NOT_ENOUGH_MEM ? LVL_ERR_MEMORY : LVL_ERR_FORMAT;
}

/* The transparent index in an extension; -1: none. */
static int transparent_of(const GifByteType *block)
{
    return block[0] >= 4 && block[1] & 1 ? block[4] : -1;
}

static lvl_status skip_extension(GifFileType *gif, int *transparent)
{
    GifByteType *block;
    int code;

    if (DGifGetExtension(gif, &code, &block) == GIF_ERROR)
        return status_of(gif->Error);
    while (block) {
        if (code == GRAPHICS_EXT_FUNC_CODE)
            *transparent = transparent_of(block);
        if (DGifGetExtensionNext(gif, &block) == GIF_ERROR)
            return status_of(gif->Error);
    }
    return LVL_OK;
}

static bool copy_colours(const ColorMapObject *map, lvl_image *out)
{
    out->palette = calloc(1, sizeof *out->palette);
    for (int i = 0; out->palette && map && i < map->ColorCount && i < 256; i++) {
        out->palette->rgb[i][0] = map->Colors[i].Red;
        out->palette->rgb[i][1] = map->Colors[i].Green;
        out->palette->rgb[i][2] = map->Colors[i].Blue;
    }
    return out->palette != NULL;
}

static lvl_status read_rows(GifFileType *gif, const lvl_ctx *ctx, size_t len, int transparent, lvl_image *out)
{
    static const uint32_t starts[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
    const GifImageDesc *frame = &gif->Image;
    const uint32_t left = (uint32_t)frame->Left, top = (uint32_t)frame->Top;
    const uint32_t width = (uint32_t)frame->Width, height = (uint32_t)frame->Height;
    const uint32_t full_width = gif->SWidth > 0 ? (uint32_t)gif->SWidth : left + width;
    const uint32_t full_height = gif->SHeight > 0 ? (uint32_t)gif->SHeight : top + height;
    const bool part = left || top || width < full_width || height < full_height;
    GifByteType *row = NULL;
    lvl_status status;

    if (frame->Left < 0 || frame->Top < 0 || frame->Width < 1 || frame->Height < 1)
        return LVL_ERR_FORMAT;
    if ((uint64_t)full_width * full_height > (uint64_t)len * PIXELS_PER_BYTE ||
        (uint64_t)width * height > (uint64_t)len * PIXELS_PER_BYTE)
        return LVL_ERR_FORMAT;
    status = lvl_image_init(out, ctx, LVL_PIXELS_INDEX8, full_width, full_height, part || transparent >= 0);
    if (status != LVL_OK)
        return status;
    row = malloc(width);
    if (!row || !copy_colours(frame->ColorMap ? frame->ColorMap : gif->SColorMap, out)) {
        free(row);
        return LVL_ERR_MEMORY;
    }
    for (uint32_t pass = 0; pass < (frame->Interlace ? 4u : 1u) && status == LVL_OK; pass++) {
        for (uint32_t y = frame->Interlace ? starts[pass] : 0; y < height;
             y += frame->Interlace ? steps[pass] : 1) {
            if (DGifGetLine(gif, row, (int)width) == GIF_ERROR) {
                status = status_of(gif->Error);
                break;
            }
            if (top + y >= full_height || left >= full_width)
                continue;
            const size_t at = (size_t)(top + y) * full_width + left;
            const uint32_t count = width < full_width - left ? width : full_width - left;
            memcpy(out->pixels + at, row, count);
            for (uint32_t x = 0; out->mask && x < count; x++)
                out->mask[at + x] = row[x] == transparent ? 0 : 255;
        }
    }
    free(row);
    return status;
}

bool lvl_gif_probe(lvl_bytes bytes)
{
    return bytes.len >= 6 && (memcmp(bytes.ptr, "GIF87a", 6) == 0 || memcmp(bytes.ptr, "GIF89a", 6) == 0);
}

lvl_status lvl_gif_read(const lvl_ctx *ctx, lvl_bytes bytes, lvl_image *out)
{
    source from = {bytes, 0};
    int transparent = -1, error = 0;
    lvl_status status = LVL_OK;
    bool done = false;

    memset(out, 0, sizeof *out);
    if (!lvl_gif_probe(bytes))
        return LVL_ERR_FORMAT;
    GifFileType *gif = DGifOpen(&from, read_bytes, &error);
    if (!gif)
        return status_of(error);
    while (status == LVL_OK && !done) {
        GifRecordType kind;
        if (DGifGetRecordType(gif, &kind) == GIF_ERROR) {
            status = status_of(gif->Error);
        } else if (kind == EXTENSION_RECORD_TYPE) {
            status = skip_extension(gif, &transparent);
        } else if (kind == IMAGE_DESC_RECORD_TYPE) {
            status = DGifGetImageDesc(gif) == GIF_ERROR ? status_of(gif->Error)
                                                        : read_rows(gif, ctx, bytes.len, transparent, out);
            done = true;
        } else {
            status = LVL_ERR_FORMAT; /* the end, without a picture */
        }
    }
    DGifCloseFile(gif, &error);
    if (status != LVL_OK)
        lvl_image_clear(out);
    return status;
}
