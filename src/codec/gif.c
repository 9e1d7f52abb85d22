/*
 * codec/gif.c: GIF to pictures, by giflib: the first frame, or all of them, on the screen that the file
 * declares, which is transparent where nothing was drawn. A size is accepted only if the file is long enough
 * for it: an LZW code has at least three bits and encodes at most 4096 pixels.
 */
#include "codec/gif.h"

#include "base/work.h"

#include <gif_lib.h>
#include <stdlib.h>
#include <string.h>

enum {
    PIXELS_PER_BYTE = 4096 * 8 / 3,
    LEAST_DELAY = 2, /* hundredths: viewers take less for a tenth of a second */
    USUAL_MS = 100
};

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

/* What the extensions before a frame say about it. */
typedef struct control {
    int transparent; /* index; -1: none */
    int disposal; /* DISPOSE_… of giflib */
    uint32_t ms;
} control;

static const control no_control = {-1, DISPOSAL_UNSPECIFIED, USUAL_MS};

/* Reads an extension; `c` and `loops` get what it says. */
static lvl_status read_extension(GifFileType *gif, control *c, bool *loops)
{
    GifByteType *block;
    bool application = false;
    int code;

    if (DGifGetExtension(gif, &code, &block) == GIF_ERROR)
        return status_of(gif->Error);
    while (block) {
        if (code == GRAPHICS_EXT_FUNC_CODE && block[0] >= 4) {
            const unsigned delay = block[2] | (unsigned)block[3] << 8;
            c->transparent = block[1] & 1 ? block[4] : -1;
            c->disposal = block[1] >> 2 & 7;
            c->ms = delay < LEAST_DELAY ? USUAL_MS : delay * 10;
        }
        if (code == APPLICATION_EXT_FUNC_CODE && application && block[0] >= 3 && block[1] == 1)
            *loops = true;
        application = application || (code == APPLICATION_EXT_FUNC_CODE && block[0] == 11 &&
                                      memcmp(block + 1, "NETSCAPE2.0", 11) == 0);
        if (DGifGetExtensionNext(gif, &block) == GIF_ERROR)
            return status_of(gif->Error);
    }
    return LVL_OK;
}

static void put_colours(const ColorMapObject *map, lvl_palette *out)
{
    memset(out, 0, sizeof *out);
    for (int i = 0; map && i < map->ColorCount && i < 256; i++) {
        out->rgb[i][0] = map->Colors[i].Red;
        out->rgb[i][1] = map->Colors[i].Green;
        out->rgb[i][2] = map->Colors[i].Blue;
    }
}

static const ColorMapObject *colours_of(const GifFileType *gif)
{
    return gif->Image.ColorMap ? gif->Image.ColorMap : gif->SColorMap;
}

/* The size of the picture: the screen, or what the first frame covers. LVL_ERR_FORMAT: it is impossible, or
 * the file is too short for it. */
static lvl_status measure(const GifFileType *gif, size_t len, uint32_t *width, uint32_t *height)
{
    const GifImageDesc *frame = &gif->Image;

    if (frame->Left < 0 || frame->Top < 0 || frame->Width < 1 || frame->Height < 1)
        return LVL_ERR_FORMAT;
    *width = gif->SWidth > 0 ? (uint32_t)gif->SWidth : (uint32_t)(frame->Left + frame->Width);
    *height = gif->SHeight > 0 ? (uint32_t)gif->SHeight : (uint32_t)(frame->Top + frame->Height);
    return (uint64_t)*width * *height > (uint64_t)len * PIXELS_PER_BYTE ||
                   (uint64_t)frame->Width * (uint64_t)frame->Height > (uint64_t)len * PIXELS_PER_BYTE
               ? LVL_ERR_FORMAT
               : LVL_OK;
}

/* Draws a part of a row. */
static void put_row(lvl_image *canvas, size_t at, const GifByteType *row, uint32_t count, int transparent,
                    const lvl_palette *colours)
{
    for (uint32_t x = 0; x < count; x++, at++) {
        const bool drawn = row[x] != transparent;
        if (canvas->format == LVL_PIXELS_RGBA8 && drawn) {
            memcpy(canvas->pixels + at * 4, colours->rgb[row[x]], 3);
            canvas->pixels[at * 4 + 3] = 255;
        } else if (canvas->format == LVL_PIXELS_INDEX8 && (drawn || (canvas->mask && !canvas->mask[at]))) {
            canvas->pixels[at] = row[x];
            if (canvas->mask)
                canvas->mask[at] = drawn ? 255 : 0;
        }
    }
}

/* Draws the frame whose description was read; what is outside of the canvas is read and left out. */
static lvl_status draw_rows(GifFileType *gif, int transparent, lvl_image *canvas)
{
    static const uint32_t starts[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
    const GifImageDesc *frame = &gif->Image;
    const uint32_t left = (uint32_t)frame->Left, top = (uint32_t)frame->Top;
    const uint32_t width = (uint32_t)frame->Width, height = (uint32_t)frame->Height;
    GifByteType *row = malloc(width);
    lvl_status status = row ? LVL_OK : LVL_ERR_MEMORY;
    lvl_palette colours;

    put_colours(colours_of(gif), &colours);
    for (uint32_t pass = 0; pass < (frame->Interlace ? 4u : 1u) && status == LVL_OK; pass++) {
        for (uint32_t y = frame->Interlace ? starts[pass] : 0; y < height;
             y += frame->Interlace ? steps[pass] : 1) {
            if (DGifGetLine(gif, row, (int)width) == GIF_ERROR) {
                status = status_of(gif->Error);
                break;
            }
            if (top + y < canvas->height && left < canvas->width)
                put_row(canvas, (size_t)(top + y) * canvas->width + left, row,
                        width < canvas->width - left ? width : canvas->width - left, transparent, &colours);
        }
    }
    free(row);
    return status;
}

static lvl_status read_first(GifFileType *gif, const lvl_ctx *ctx, size_t len, int transparent,
                             lvl_image *out)
{
    const GifImageDesc *frame = &gif->Image;
    uint32_t width, height;

    lvl_status status = measure(gif, len, &width, &height);
    if (status != LVL_OK)
        return status;
    const bool part =
        frame->Left || frame->Top || (uint32_t)frame->Width < width || (uint32_t)frame->Height < height;
    status = lvl_image_init(out, ctx, LVL_PIXELS_INDEX8, width, height, part || transparent >= 0);
    if (status == LVL_OK) {
        out->palette = malloc(sizeof *out->palette);
        status = out->palette ? LVL_OK : LVL_ERR_MEMORY;
    }
    if (status != LVL_OK)
        return status;
    put_colours(colours_of(gif), out->palette);
    return draw_rows(gif, transparent, out);
}

/* Reads up to the next frame's description. *end: there is none. A file without its last byte, which says
 * that, is whole, too. */
static lvl_status next_frame(GifFileType *gif, control *c, bool *loops, bool *end)
{
    const source *from = gif->UserData;
    GifRecordType kind = EXTENSION_RECORD_TYPE;
    lvl_status status = LVL_OK;

    *c = no_control;
    *end = false;
    while (status == LVL_OK && kind == EXTENSION_RECORD_TYPE) {
        const bool over = from->at >= from->bytes.len;
        if (DGifGetRecordType(gif, &kind) == GIF_ERROR) {
            *end = over;
            return over ? LVL_OK : status_of(gif->Error);
        }
        if (kind == EXTENSION_RECORD_TYPE)
            status = read_extension(gif, c, loops);
    }
    *end = status == LVL_OK && kind == TERMINATE_RECORD_TYPE;
    if (status != LVL_OK || *end)
        return status;
    if (kind != IMAGE_DESC_RECORD_TYPE)
        return LVL_ERR_FORMAT;
    return DGifGetImageDesc(gif) == GIF_ERROR ? status_of(gif->Error) : LVL_OK;
}

bool lvl_gif_probe(lvl_bytes bytes)
{
    return bytes.len >= 6 && (memcmp(bytes.ptr, "GIF87a", 6) == 0 || memcmp(bytes.ptr, "GIF89a", 6) == 0);
}

lvl_status lvl_gif_read(const lvl_ctx *ctx, lvl_bytes bytes, lvl_image *out)
{
    source from = {bytes, 0};
    bool loops = false, end;
    int error = 0;
    control c;

    memset(out, 0, sizeof *out);
    if (!lvl_gif_probe(bytes))
        return LVL_ERR_FORMAT;
    GifFileType *gif = DGifOpen(&from, read_bytes, &error);
    if (!gif)
        return status_of(error);
    lvl_status status = next_frame(gif, &c, &loops, &end);
    if (status == LVL_OK)
        status = end ? LVL_ERR_FORMAT : read_first(gif, ctx, bytes.len, c.transparent, out);
    DGifCloseFile(gif, &error);
    if (status != LVL_OK)
        lvl_image_clear(out);
    return status;
}

/* ---- all frames ---------------------------------------------------------------------------------------- */

static lvl_status skip_pixels(GifFileType *gif)
{
    GifByteType *block;
    int size;

    if (DGifGetCode(gif, &size, &block) == GIF_ERROR)
        return status_of(gif->Error);
    while (block) {
        if (DGifGetCodeNext(gif, &block) == GIF_ERROR)
            return status_of(gif->Error);
    }
    return LVL_OK;
}

/* Called for each frame, after its description; it must read or skip the pixels. */
typedef lvl_status each_frame(void *user, GifFileType *gif, const control *c);

/* giflib keeps a description of each frame, several times as long as the least frame of a file. */
static void forget_frame(GifFileType *gif)
{
    GifFreeSavedImages(gif);
    gif->SavedImages = NULL;
    gif->ImageCount = 0;
}

static lvl_status walk(lvl_bytes bytes, each_frame *each, void *user, bool *loops)
{
    source from = {bytes, 0};
    int error = 0;
    bool end = false;
    control c;

    if (!lvl_gif_probe(bytes))
        return LVL_ERR_FORMAT;
    GifFileType *gif = DGifOpen(&from, read_bytes, &error);
    if (!gif)
        return status_of(error);
    lvl_status status = next_frame(gif, &c, loops, &end);
    while (status == LVL_OK && !end) {
        status = each(user, gif, &c);
        forget_frame(gif);
        if (status == LVL_OK)
            status = next_frame(gif, &c, loops, &end);
    }
    DGifCloseFile(gif, &error);
    return status;
}

typedef struct survey {
    lvl_gif_facts *out;
    lvl_palette first; /* of the first frame */
} survey;

static lvl_status survey_frame(void *user, GifFileType *gif, const control *c)
{
    survey *s = user;
    lvl_palette palette;

    (void)c;
    put_colours(colours_of(gif), &palette);
    if (!s->out->frames)
        s->first = palette;
    s->out->indexed = s->out->indexed && memcmp(&s->first, &palette, sizeof palette) == 0;
    s->out->frames++;
    return skip_pixels(gif);
}

lvl_status lvl_gif_survey(lvl_bytes bytes, lvl_gif_facts *out)
{
    survey s = {.out = out};

    *out = (lvl_gif_facts){.indexed = true};
    const lvl_status status = walk(bytes, survey_frame, &s, &out->loops);
    return status == LVL_OK && !out->frames ? LVL_ERR_FORMAT : status;
}

/* What is seen of an animation. */
typedef struct film {
    const lvl_ctx *ctx;
    size_t len; /* bytes of the file */
    bool indexed;
    lvl_gif_visit *visit;
    void *user;
    lvl_image canvas;
    lvl_image before; /* the canvas before a frame that is taken away again */
} film;

static size_t pixel_bytes(const lvl_image *image)
{
    return (size_t)image->width * image->height * (image->format == LVL_PIXELS_RGBA8 ? 4 : 1);
}

static lvl_status init_canvas(film *f, const GifFileType *gif)
{
    uint32_t width, height;

    lvl_status status = measure(gif, f->len, &width, &height);
    if (status == LVL_OK && f->canvas.pixels)
        return LVL_OK;
    if (status == LVL_OK)
        status = lvl_image_init(&f->canvas, f->ctx, f->indexed ? LVL_PIXELS_INDEX8 : LVL_PIXELS_RGBA8, width,
                                height, f->indexed);
    if (status != LVL_OK || !f->indexed)
        return status;
    f->canvas.palette = malloc(sizeof *f->canvas.palette);
    if (!f->canvas.palette)
        return LVL_ERR_MEMORY;
    put_colours(colours_of(gif), f->canvas.palette);
    return LVL_OK;
}

static lvl_status save_canvas(film *f)
{
    const lvl_image *canvas = &f->canvas;
    lvl_status status = LVL_OK;

    if (!f->before.pixels)
        status =
            lvl_image_init(&f->before, f->ctx, canvas->format, canvas->width, canvas->height, f->indexed);
    if (status != LVL_OK)
        return status;
    memcpy(f->before.pixels, canvas->pixels, pixel_bytes(canvas));
    if (f->indexed)
        memcpy(f->before.mask, canvas->mask, pixel_bytes(canvas));
    return LVL_OK;
}

/* Does what is to be done after the frame's time. */
static void dispose(film *f, const GifImageDesc *frame, int disposal)
{
    lvl_image *canvas = &f->canvas;
    const uint32_t left = (uint32_t)frame->Left, width = (uint32_t)frame->Width;
    const size_t size = f->indexed ? 1 : 4;

    if (disposal == DISPOSE_PREVIOUS) {
        memcpy(canvas->pixels, f->before.pixels, pixel_bytes(canvas));
        if (f->indexed)
            memcpy(canvas->mask, f->before.mask, pixel_bytes(canvas));
    }
    for (uint32_t y = (uint32_t)frame->Top; disposal == DISPOSE_BACKGROUND && left < canvas->width &&
                                            y < canvas->height && y < (uint32_t)(frame->Top + frame->Height);
         y++) {
        const size_t at = (size_t)y * canvas->width + left;
        const size_t count = width < canvas->width - left ? width : canvas->width - left;
        memset(canvas->pixels + at * size, 0, count * size);
        if (f->indexed)
            memset(canvas->mask + at, 0, count);
    }
}

static lvl_status show_frame(void *user, GifFileType *gif, const control *c)
{
    const GifImageDesc frame = gif->Image;
    film *f = user;

    lvl_status status = init_canvas(f, gif);
    if (status == LVL_OK)
        status = lvl_charge(f->ctx, (uint64_t)frame.Width * (uint64_t)frame.Height +
                                        3 * (uint64_t)f->canvas.width * f->canvas.height);
    if (status == LVL_OK && c->disposal == DISPOSE_PREVIOUS)
        status = save_canvas(f);
    if (status == LVL_OK)
        status = draw_rows(gif, c->transparent, &f->canvas);
    if (status == LVL_OK)
        status = f->visit(f->user, &f->canvas, c->ms);
    if (status == LVL_OK)
        dispose(f, &frame, c->disposal);
    return status;
}

lvl_status lvl_gif_frames(const lvl_ctx *ctx, lvl_bytes bytes, bool indexed, lvl_gif_visit *visit, void *user)
{
    film f = {.ctx = ctx, .len = bytes.len, .indexed = indexed, .visit = visit, .user = user};
    bool loops = false;

    const lvl_status status = walk(bytes, show_frame, &f, &loops);
    lvl_image_clear(&f.canvas);
    lvl_image_clear(&f.before);
    return status;
}
