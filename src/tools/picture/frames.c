/*
 * tools/picture/frames.c: a list of frames: what they are parts of, and one picture of all.
 */
#include "tools/picture/frames.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"
#include "base/work.h"
#include "codec/png.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the list ------------------------------------------------------------------------------------------ */

void lvl_frames_free(lvl_frames *frames)
{
    for (uint32_t i = 0; i < frames->count; i++) {
        lvl_image_clear(&frames->items[i].image);
        free(frames->items[i].name);
        free(frames->items[i].rest);
    }
    for (uint32_t i = 0; i < frames->tag_count; i++)
        free(frames->tags[i].name);
    free(frames->items);
    free(frames->tags);
    free(frames->picture);
    *frames = (lvl_frames){0};
}

lvl_status lvl_frames_add(lvl_frames *frames, const lvl_ctx *ctx, lvl_text name, uint32_t width,
                          uint32_t height, lvl_frame **out)
{
    if (frames->count >= LVL_FRAMES_MOST)
        return lvl_refuse_fixed(ctx, "frames of a sheet", LVL_FRAMES_MOST, (uint64_t)frames->count + 1);
    if (!lvl_grow(&frames->items, &frames->cap, (size_t)frames->count + 1, sizeof *frames->items))
        return LVL_ERR_MEMORY;
    char *copy = lvl_text_copy(name);
    if (!copy)
        return LVL_ERR_MEMORY;
    *out = &frames->items[frames->count++];
    **out = (lvl_frame){.name = copy,
                        .width = width,
                        .height = height,
                        .canvas_width = width,
                        .canvas_height = height,
                        .point_x = (int32_t)(width >> 1),
                        .point_y = (int32_t)(height >> 1),
                        .ms = LVL_FRAME_MS};
    return LVL_OK;
}

/* A difference that fits in 32 bits: offsets in files may be anything. */
static int32_t clamp(int64_t value)
{
    return (int32_t)(value < -INT32_MAX ? -INT32_MAX : value > INT32_MAX ? INT32_MAX : value);
}

lvl_status lvl_frames_add_image(lvl_frames *frames, const lvl_ctx *ctx, lvl_text name, lvl_image *image,
                                lvl_frame **out)
{
    const lvl_status status = lvl_frames_add(frames, ctx, name, image->width, image->height, out);

    if (status != LVL_OK) {
        lvl_image_clear(image);
        return status;
    }
    (*out)->image = *image;
    (*out)->point_x = clamp((int64_t)(*out)->point_x - image->offset_x);
    (*out)->point_y = clamp((int64_t)(*out)->point_y - image->offset_y);
    memset(image, 0, sizeof *image);
    return LVL_OK;
}

void lvl_frame_name(lvl_buffer *out, lvl_text stem, uint32_t number)
{
    const bool digit = stem.len && stem.ptr[stem.len - 1] >= '0' && stem.ptr[stem.len - 1] <= '9';

    lvl_buffer_printf(out, "%.*s%s%03lu", (int)stem.len, stem.ptr, digit ? "_" : "", (unsigned long)number);
}

lvl_status lvl_frames_add_tag(lvl_frames *frames, lvl_text name, uint32_t from, uint32_t to)
{
    if (!lvl_grow(&frames->tags, &frames->tag_cap, (size_t)frames->tag_count + 1, sizeof *frames->tags))
        return LVL_ERR_MEMORY;
    char *copy = lvl_text_copy(name);
    if (!copy)
        return LVL_ERR_MEMORY;
    frames->tags[frames->tag_count++] = (lvl_frame_tag){.name = copy, .from = from, .to = to};
    return LVL_OK;
}

lvl_status lvl_frames_move(lvl_frames *to, const lvl_ctx *ctx, lvl_frames *from)
{
    const uint64_t count = (uint64_t)to->count + from->count;
    const uint32_t before = to->count;

    if (count > LVL_FRAMES_MOST)
        return lvl_refuse_fixed(ctx, "frames of a sheet", LVL_FRAMES_MOST, count);
    if (!lvl_grow(&to->items, &to->cap, (size_t)count, sizeof *to->items) ||
        !lvl_grow(&to->tags, &to->tag_cap, (size_t)to->tag_count + from->tag_count, sizeof *to->tags))
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < from->count; i++)
        to->items[to->count++] = from->items[i];
    for (uint32_t i = 0; i < from->tag_count; i++) {
        to->tags[to->tag_count] = from->tags[i];
        to->tags[to->tag_count].from += before;
        to->tags[to->tag_count++].to += before;
    }
    from->count = from->tag_count = 0;
    return LVL_OK;
}

/* ---- canvases ------------------------------------------------------------------------------------------ */

/* The upper left corner of a frame, from its point. */
static int64_t corner_x(const lvl_frame *f)
{
    return (int64_t)f->left - f->point_x;
}

static int64_t corner_y(const lvl_frame *f)
{
    return (int64_t)f->top - f->point_y;
}

void lvl_frame_offset(const lvl_frame *frame, int32_t *x, int32_t *y)
{
    *x = clamp(corner_x(frame) + (frame->width >> 1));
    *y = clamp(corner_y(frame) + (frame->height >> 1));
}

lvl_status lvl_frames_unite(lvl_frames *frames, const lvl_ctx *ctx, bool always)
{
    int64_t left = INT64_MAX, top = INT64_MAX, right = INT64_MIN, bottom = INT64_MIN;
    bool moved = false, different = false;

    for (uint32_t i = 0; i < frames->count; i++) {
        const lvl_frame *f = &frames->items[i], *first = &frames->items[0];
        const int64_t x = corner_x(f), y = corner_y(f);
        int32_t dx, dy;
        lvl_frame_offset(f, &dx, &dy);
        moved = moved || dx || dy;
        different = different || f->canvas_width != first->canvas_width ||
                    f->canvas_height != first->canvas_height || f->point_x != first->point_x ||
                    f->point_y != first->point_y;
        left = x < left ? x : left;
        top = y < top ? y : top;
        right = x + f->width > right ? x + f->width : right;
        bottom = y + f->height > bottom ? y + f->height : bottom;
    }
    if (!different || !(moved || always))
        return LVL_OK;
    if (right - left > INT32_MAX || bottom - top > INT32_MAX)
        return lvl_refuse_fixed(ctx, "pixels from one frame of a sheet to another", INT32_MAX,
                                (uint64_t)(right - left > bottom - top ? right - left : bottom - top));
    for (uint32_t i = 0; i < frames->count; i++) {
        lvl_frame *f = &frames->items[i];
        const int64_t x = corner_x(f), y = corner_y(f);
        f->left = (int32_t)(x - left);
        f->top = (int32_t)(y - top);
        f->point_x = clamp(f->left - x);
        f->point_y = clamp(f->top - y);
        f->canvas_width = (uint32_t)(right - left);
        f->canvas_height = (uint32_t)(bottom - top);
    }
    return LVL_OK;
}

/* ---- pixels -------------------------------------------------------------------------------------------- */

static bool is_drawn(const lvl_image *image, size_t at)
{
    if (image->format == LVL_PIXELS_RGBA8)
        return image->pixels[at * 4 + 3] != 0;
    return !image->mask || image->mask[at];
}

/* Copies a rectangle from one picture to another of the same format, or from indices to colours. */
static void copy_part(const lvl_image *from, uint32_t fx, uint32_t fy, uint32_t width, uint32_t height,
                      const lvl_palette *palette, lvl_image *to, uint32_t tx, uint32_t ty)
{
    const size_t bytes = from->format == LVL_PIXELS_RGBA8 ? 4 : 1;

    for (uint32_t y = 0; y < height; y++) {
        const size_t a = (size_t)(fy + y) * from->width + fx, b = (size_t)(ty + y) * to->width + tx;
        if (from->format == to->format) {
            memcpy(to->pixels + b * bytes, from->pixels + a * bytes, width * bytes);
            if (to->mask && from->mask)
                memcpy(to->mask + b, from->mask + a, width);
            else if (to->mask)
                memset(to->mask + b, 255, width);
            continue;
        }
        for (uint32_t x = 0; x < width; x++) {
            const uint8_t index = from->pixels[a + x];
            uint8_t *px = to->pixels + (b + x) * 4;
            if (from->mask && !from->mask[a + x])
                continue; /* transparent, as the sheet is */
            if (palette)
                memcpy(px, palette->rgb[index], 3);
            else
                memset(px, index, 3);
            px[3] = 255;
        }
    }
}

static bool same_palette(const lvl_palette *a, const lvl_palette *b)
{
    return a == b || (a && b && memcmp(a, b, sizeof *a) == 0);
}

uint32_t lvl_frames_palettes(const lvl_frames *frames)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < frames->count; i++) {
        const lvl_palette *own = frames->items[i].image.palette;
        if (frames->items[i].image.format != LVL_PIXELS_INDEX8)
            return 0;
        /* of hundreds of frames nearly all have that of the one before: only "more than one" counts */
        count += !i || !same_palette(own, frames->items[i - 1].image.palette);
    }
    return count;
}

static lvl_status copy_palette(const lvl_palette *from, lvl_image *to)
{
    to->palette = from ? malloc(sizeof *from) : NULL;
    if (to->palette)
        *to->palette = *from;
    return from && !to->palette ? LVL_ERR_MEMORY : LVL_OK;
}

/* ---- one picture --------------------------------------------------------------------------------------- */

/* Places all frames in rows, in their order, in a picture about as wide as high. */
static lvl_status arrange(lvl_frames *frames, const lvl_ctx *ctx, uint32_t *width, uint32_t *height)
{
    uint64_t area = 0, side = 1, x = 0, y = 0, row = 0, widest = 0;

    for (uint32_t i = 0; i < frames->count; i++) {
        area += (uint64_t)frames->items[i].width * frames->items[i].height;
        side = frames->items[i].width > side ? frames->items[i].width : side;
    }
    while (side < UINT16_MAX && side * side < area)
        side++;
    for (uint32_t i = 0; i < frames->count; i++) {
        lvl_frame *f = &frames->items[i];
        if (x && x + f->width > side) {
            y += row;
            x = row = 0;
        }
        if (y + f->height > INT32_MAX || x + f->width > INT32_MAX / 8)
            return lvl_refuse_fixed(ctx, "rows of a sheet", INT32_MAX, y + f->height);
        f->x = (uint32_t)x;
        f->y = (uint32_t)y;
        x += f->width;
        widest = x > widest ? x : widest;
        row = f->height > row ? f->height : row;
    }
    *width = (uint32_t)widest;
    *height = (uint32_t)(y + row);
    return LVL_OK;
}

static bool has_holes(const lvl_frames *frames)
{
    for (uint32_t i = 0; i < frames->count; i++) {
        const lvl_image *image = &frames->items[i].image;
        if (image->mask && memchr(image->mask, 0, (size_t)image->width * image->height))
            return true;
    }
    return false;
}

lvl_status lvl_frames_pack(lvl_frames *frames, const lvl_ctx *ctx, lvl_image *out)
{
    uint32_t width, height;

    memset(out, 0, sizeof *out);
    if (!frames->count)
        return LVL_ERR_ARG;
    const bool indexed = lvl_frames_palettes(frames) == 1;
    lvl_status status = arrange(frames, ctx, &width, &height);
    if (status == LVL_OK)
        status = lvl_charge(ctx, (uint64_t)width * height);
    if (status == LVL_OK) /* where frames have no holes, what is between them may be any index */
        status = lvl_image_init(out, ctx, indexed ? LVL_PIXELS_INDEX8 : LVL_PIXELS_RGBA8, width, height,
                                indexed && has_holes(frames));
    if (status == LVL_OK && indexed)
        status = copy_palette(frames->items[0].image.palette, out);
    for (uint32_t i = 0; i < frames->count && status == LVL_OK; i++) {
        const lvl_frame *f = &frames->items[i];
        copy_part(&f->image, 0, 0, f->width, f->height, f->image.palette, out, f->x, f->y);
    }
    if (status != LVL_OK)
        lvl_image_clear(out);
    return status;
}

lvl_status lvl_frames_png(lvl_frames *frames, const lvl_ctx *ctx, lvl_buffer *png, bool *indexed,
                          lvl_image *out)
{
    lvl_bytes palette;
    lvl_status status = lvl_frames_pack(frames, ctx, out);

    if (status == LVL_OK)
        status = lvl_png_write_buffer(ctx, out, NULL, png);
    *indexed = status == LVL_OK && lvl_png_chunk(lvl_buffer_bytes(png), "PLTE", &palette);
    return status;
}

/* Copies what of a frame is within its canvas to a picture of that size. */
static void put_on_canvas(const lvl_frame *f, lvl_image *to)
{
    const int64_t left = f->left < 0 ? 0 : f->left, top = f->top < 0 ? 0 : f->top;
    int64_t right = (int64_t)f->left + f->width, bottom = (int64_t)f->top + f->height;

    right = right > to->width ? to->width : right;
    bottom = bottom > to->height ? to->height : bottom;
    if (right > left && bottom > top)
        copy_part(&f->image, (uint32_t)(left - f->left), (uint32_t)(top - f->top), (uint32_t)(right - left),
                  (uint32_t)(bottom - top), f->image.palette, to, (uint32_t)left, (uint32_t)top);
}

lvl_status lvl_frame_on_canvas(const lvl_frame *frame, const lvl_ctx *ctx, lvl_image *out)
{
    const lvl_status status =
        lvl_image_init(out, ctx, LVL_PIXELS_RGBA8, frame->canvas_width, frame->canvas_height, false);

    if (status == LVL_OK)
        put_on_canvas(frame, out);
    return status;
}

/* ---- out of one picture -------------------------------------------------------------------------------- */

/* A picture of the same kind, empty. */
static lvl_status init_like(lvl_image *out, const lvl_ctx *ctx, const lvl_image *like, uint32_t width,
                            uint32_t height, bool masked)
{
    lvl_status status = lvl_image_init(out, ctx, like->format, width, height,
                                       like->format == LVL_PIXELS_INDEX8 && (masked || like->mask));

    if (status == LVL_OK)
        status = copy_palette(like->palette, out);
    if (status != LVL_OK)
        lvl_image_clear(out);
    return status;
}

/* Forgets a mask without holes. */
static void drop_full_mask(lvl_image *image)
{
    if (image->mask && !memchr(image->mask, 0, (size_t)image->width * image->height)) {
        free(image->mask);
        image->mask = NULL;
    }
}

/* The bytes that the pictures of all frames take; `canvas`: each as large as its canvas. */
static lvl_status check_memory(const lvl_frames *frames, const lvl_ctx *ctx, bool rgba, bool canvas)
{
    const uint64_t most = lvl_memory_share(ctx), each = rgba ? 4 : 2;
    uint64_t bytes = 0, steps = 0;

    for (uint32_t i = 0; i < frames->count; i++) {
        const lvl_frame *f = &frames->items[i];
        const uint64_t pixels =
            canvas ? (uint64_t)f->canvas_width * f->canvas_height : (uint64_t)f->width * f->height;
        if (pixels > most / each || bytes > most)
            return lvl_refuse(ctx, LVL_LIMIT_MEMORY, most, bytes + pixels * each);
        bytes += pixels * each + sizeof(lvl_palette);
        steps += pixels;
    }
    return bytes > most ? lvl_refuse(ctx, LVL_LIMIT_MEMORY, most, bytes) : lvl_charge(ctx, steps);
}

lvl_status lvl_frames_cut(lvl_frames *frames, const lvl_ctx *ctx, const lvl_image *sheet, char *error)
{
    lvl_status status = check_memory(frames, ctx, sheet->format == LVL_PIXELS_RGBA8, false);

    for (uint32_t i = 0; i < frames->count && status == LVL_OK; i++) {
        lvl_frame *f = &frames->items[i];
        if (f->image.pixels)
            continue;
        if (f->x > sheet->width || f->width > sheet->width - f->x || f->y > sheet->height ||
            f->height > sheet->height - f->y) {
            snprintf(
                error, LVL_FRAMES_ERROR,
                "the frame `%.80s' of %lu by %lu px at %lu,%lu is not within its picture of %lu by %lu px",
                f->name, (unsigned long)f->width, (unsigned long)f->height, (unsigned long)f->x,
                (unsigned long)f->y, (unsigned long)sheet->width, (unsigned long)sheet->height);
            return LVL_ERR_FORMAT;
        }
        status = init_like(&f->image, ctx, sheet, f->width, f->height, false);
        if (status != LVL_OK)
            break;
        copy_part(sheet, f->x, f->y, f->width, f->height, NULL, &f->image, 0, 0);
        drop_full_mask(&f->image);
    }
    return status;
}

static bool is_empty(const lvl_image *sheet, const lvl_frame *f)
{
    for (uint32_t y = 0; y < f->height; y++) {
        for (uint32_t x = 0; x < f->width; x++) {
            if (is_drawn(sheet, (size_t)(f->y + y) * sheet->width + f->x + x))
                return false;
        }
    }
    return true;
}

lvl_status lvl_frames_slice(lvl_frames *out, const lvl_ctx *ctx, const lvl_image *sheet, uint32_t width,
                            uint32_t height, lvl_text stem)
{
    const uint32_t columns = width ? sheet->width / width : 0, rows = height ? sheet->height / height : 0;
    const uint64_t count = (uint64_t)columns * rows;
    lvl_status status = lvl_charge(ctx, (uint64_t)sheet->width * sheet->height);
    lvl_buffer name = {0};

    *out = (lvl_frames){0};
    if (!count)
        return LVL_ERR_ARG;
    if (count > LVL_FRAMES_MOST)
        return lvl_refuse_fixed(ctx, "frames of a sheet", LVL_FRAMES_MOST, count);
    for (uint32_t i = 0; i < count && status == LVL_OK; i++) {
        lvl_frame *f;
        name.len = 0;
        lvl_frame_name(&name, stem, i + 1);
        status = name.status;
        if (status == LVL_OK)
            status = lvl_frames_add(out, ctx, lvl_buffer_text(&name), width, height, &f);
        if (status != LVL_OK)
            break;
        f->x = i % columns * width;
        f->y = i / columns * height;
    }
    lvl_buffer_free(&name);
    /* what follows the last picture of a grid is no frame */
    while (status == LVL_OK && out->count > 1 && is_empty(sheet, &out->items[out->count - 1]))
        free(out->items[--out->count].name);
    if (status != LVL_OK)
        lvl_frames_free(out);
    return status;
}

/* ---- borders ------------------------------------------------------------------------------------------- */

/* Cuts a frame down to a part of it. */
static lvl_status crop(lvl_frame *f, const lvl_ctx *ctx, uint32_t x, uint32_t y, uint32_t width,
                       uint32_t height)
{
    lvl_image part;
    const lvl_status status = init_like(&part, ctx, &f->image, width, height, false);

    if (status != LVL_OK)
        return status;
    copy_part(&f->image, x, y, width, height, NULL, &part, 0, 0);
    drop_full_mask(&part);
    lvl_image_clear(&f->image);
    f->image = part;
    f->left += (int32_t)x;
    f->top += (int32_t)y;
    f->width = width;
    f->height = height;
    return LVL_OK;
}

lvl_status lvl_frames_trim(lvl_frames *frames, const lvl_ctx *ctx)
{
    lvl_status status = check_memory(frames, ctx, false, false);

    for (uint32_t i = 0; i < frames->count && status == LVL_OK; i++) {
        lvl_frame *f = &frames->items[i];
        uint32_t left = f->width, right = 0, top = f->height, bottom = 0;
        for (uint32_t y = 0; y < f->height; y++) {
            for (uint32_t x = 0; x < f->width; x++) {
                if (!is_drawn(&f->image, (size_t)y * f->width + x))
                    continue;
                left = x < left ? x : left;
                right = x >= right ? x + 1 : right;
                top = y < top ? y : top;
                bottom = y + 1;
            }
        }
        if (!right)
            status = crop(f, ctx, 0, 0, 1, 1);
        else if (right - left < f->width || bottom - top < f->height)
            status = crop(f, ctx, left, top, right - left, bottom - top);
    }
    return status;
}

lvl_status lvl_frames_untrim(lvl_frames *frames, const lvl_ctx *ctx)
{
    lvl_status status = check_memory(frames, ctx, true, true);

    for (uint32_t i = 0; i < frames->count && status == LVL_OK; i++) {
        lvl_frame *f = &frames->items[i];
        lvl_image whole;
        if (f->width == f->canvas_width && f->height == f->canvas_height && !f->left && !f->top)
            continue;
        status = init_like(&whole, ctx, &f->image, f->canvas_width, f->canvas_height, true);
        if (status != LVL_OK)
            break;
        put_on_canvas(f, &whole);
        drop_full_mask(&whole);
        lvl_image_clear(&f->image);
        f->image = whole;
        f->left = f->top = 0;
        f->width = f->canvas_width;
        f->height = f->canvas_height;
    }
    return status;
}
