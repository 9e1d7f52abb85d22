/*
 * sketchy/images/screenshots.c: embeds the four screenshots of a level. The smaller ones are the largest one,
 * reduced as the game does it, with ApproxBiLinear of golang.org/x/image: interpolation of the four nearest
 * px, without the others that a px covers.
 */
#include "sketchy/drawing/convert.h"
#include "sketchy/images/image.h"

#include "base/text.h"

#include <string.h>

/* The two px between which a position is, and its distance from the first. */
typedef struct between {
    uint32_t first, second;
    double part;
} between;

static between place(uint32_t at, uint32_t to, uint32_t from)
{
    const double x = (at + 0.5) * ((double)from / to) - 0.5;

    if (x < 0)
        return (between){0, 0, 0};
    const uint32_t first = (uint32_t)x;
    if (first + 1 > from - 1)
        return (between){from - 1, from - 1, 1};
    return (between){first, first + 1, x - first};
}

/* As Go: 16 bits a channel, truncated. */
static void shrink(const lvl_image *from, lvl_image *to)
{
    for (uint32_t y = 0; y < to->height; y++) {
        const between v = place(y, to->height, from->height);
        const uint8_t *above = from->pixels + (size_t)v.first * from->width * 4;
        const uint8_t *below = from->pixels + (size_t)v.second * from->width * 4;
        for (uint32_t x = 0; x < to->width; x++) {
            const between h = place(x, to->width, from->width);
            uint8_t *out = to->pixels + ((size_t)y * to->width + x) * 4;
            for (size_t k = 0; k < 4; k++) {
                const size_t a = (size_t)h.first * 4 + k, b = (size_t)h.second * 4 + k;
                const double top = (1 - h.part) * (above[a] * 257) + h.part * (above[b] * 257);
                const double low = (1 - h.part) * (below[a] * 257) + h.part * (below[b] * 257);
                out[k] = (uint8_t)((uint32_t)((1 - v.part) * top + v.part * low) >> 8);
            }
        }
    }
}

/* Attaches the picture under that path, or replaces the file that is there. */
static lvl_status attach(lvl_doc *doc, const char *path, const lvl_image *image)
{
    lvl_sketchy *d = doc->root;
    lvl_buffer png = {0};
    uint32_t at = 0;

    lvl_status status = lvl_png_write_buffer(doc->ctx, image, NULL, &png);
    const lvl_bytes data = {status == LVL_OK ? lvl_arena_copy(&doc->arena, png.data, png.len) : NULL,
                            png.len};
    lvl_buffer_free(&png);
    if (status != LVL_OK)
        return status;
    while (at < d->file_count && !lvl_text_is(d->files[at].path, path))
        at++;
    if (at == d->file_count)
        return lvl_sketchy_add_file(doc, lvl_doc_text(doc, lvl_text_of(path)), data);
    if (data.ptr)
        d->files[at].data = data;
    return data.ptr ? LVL_OK : LVL_ERR_MEMORY;
}

lvl_status lvl_sketchy_embed_screenshot(lvl_doc *doc, const lvl_image *shot, lvl_findings *losses)
{
    static const struct {
        const char *path;
        uint32_t width, height;
    } sizes[] = {
        {"assets/screenshots/large.png", LVL_SKETCHY_SHOT_WIDTH, LVL_SKETCHY_SHOT_HEIGHT},
        {"assets/screenshots/medium.png", 640, 360},
        {"assets/screenshots/small.png", 320, 180},
        {"assets/screenshots/tiny.png", 224, 126},
    };
    const lvl_sketchy *d = doc->root;
    lvl_status status;

    if (d->kind != LVL_SKETCHY_LEVEL)
        return LVL_ERR_UNSUPPORTED;
    if (shot->format != LVL_PIXELS_RGBA8 || shot->width != sizes[0].width || shot->height != sizes[0].height)
        return LVL_ERR_ARG;
    status = attach(doc, sizes[0].path, shot);
    for (size_t i = 1; i < LVL_COUNT_OF(sizes) && status == LVL_OK; i++) {
        lvl_image small = {0};
        status = lvl_image_init(&small, doc->ctx, LVL_PIXELS_RGBA8, sizes[i].width, sizes[i].height, false);
        if (status != LVL_OK)
            break;
        shrink(shot, &small);
        status = attach(doc, sizes[i].path, &small);
        lvl_image_clear(&small);
    }
    if (status == LVL_OK)
        lvl_sketchy_unsign(doc, losses);
    return status;
}
