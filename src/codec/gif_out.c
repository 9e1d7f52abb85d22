/*
 * codec/gif_out.c: animated GIF out, by giflib.
 *
 * A transparent pixel shows what was there before. So where something disappears with the next frame, a
 * frame is removed after its time, and covers all that is to be seen; otherwise it stays, and the next one is
 * the box of what changed. That depends on the next frame: each is written when the next one is known.
 */
#include "codec/gif_out.h"

#include "base/arena.h"
#include "base/work.h"
#include "codec/colors.h"

#include <gif_lib.h>
#include <string.h>

enum {
    MOST_COLOURS = 255, /* and one index that is transparent: */
    CLEAR = 0,
    OPAQUE = 128, /* alpha from which a pixel is opaque */
    LEAST_DELAY = 2 /* hundredths */
};

typedef struct box {
    uint32_t left, top, right, bottom; /* right and bottom are outside */
} box;

struct lvl_gif_out {
    const lvl_ctx *ctx;
    lvl_writer *out;
    lvl_status status; /* of writing */
    bool loops;
    GifFileType *file;
    uint32_t width, height; /* 0: no frame yet */
    size_t size; /* bytes of a frame */
    uint8_t *shown; /* what is to be seen before `waiting` is drawn */
    uint8_t *waiting; /* the last frame */
    uint32_t waiting_ms;
    bool any; /* there is a frame that waits */
    bool blank; /* nothing is shown before it */
    bool transparent; /* a frame has transparent pixels */
    uint64_t ms, hundredths; /* of the frames that were written */
};

lvl_gif_out *lvl_gif_out_new(const lvl_ctx *ctx, bool loops, lvl_writer *out)
{
    lvl_gif_out *gif = lvl_mem_alloc(ctx, sizeof *gif);

    if (!gif)
        return NULL;
    *gif = (lvl_gif_out){.ctx = ctx, .out = out, .loops = loops, .blank = true};
    return gif;
}

static int write_bytes(GifFileType *file, const GifByteType *bytes, int count)
{
    lvl_gif_out *gif = file->UserData;

    if (gif->status == LVL_OK)
        gif->status = gif->out->write(gif->out, bytes, (size_t)count);
    return gif->status == LVL_OK ? count : 0;
}

/* The status after a call of giflib that failed. */
static lvl_status failure(lvl_gif_out *gif, int error)
{
    if (gif->status == LVL_OK)
        gif->status = error == E_GIF_ERR_NOT_ENOUGH_MEM ? LVL_ERR_MEMORY : LVL_ERR_ARG;
    return gif->status;
}

static lvl_status after(lvl_gif_out *gif, int result)
{
    return result == GIF_OK && gif->status == LVL_OK ? LVL_OK : failure(gif, gif->file->Error);
}

void lvl_gif_out_free(lvl_gif_out *gif)
{
    int error;

    if (!gif)
        return;
    if (gif->file) {
        gif->status = LVL_ERR_ARG; /* it writes its end, which nobody wants any more */
        EGifCloseFile(gif->file, &error);
    }
    lvl_mem_free(gif->ctx, gif->shown);
    lvl_mem_free(gif->ctx, gif->waiting);
    lvl_mem_free(gif->ctx, gif);
}

/* ---- boxes --------------------------------------------------------------------------------------------- */

static bool is_clear(const uint8_t *pixels, size_t at)
{
    return pixels[at * 4 + 3] < OPAQUE;
}

/* Whether a pixel is drawn, of a frame that covers all that is seen or only what changed. */
static bool is_drawn(const lvl_gif_out *gif, size_t at, bool all)
{
    return !is_clear(gif->waiting, at) &&
           (all || memcmp(gif->waiting + at * 4, gif->shown + at * 4, 4) != 0 || is_clear(gif->shown, at));
}

static box find_box(const lvl_gif_out *gif, bool all)
{
    box b = {gif->width, gif->height, 0, 0};

    for (uint32_t y = 0; y < gif->height; y++) {
        for (uint32_t x = 0; x < gif->width; x++) {
            if (!is_drawn(gif, (size_t)y * gif->width + x, all))
                continue;
            b.left = x < b.left ? x : b.left;
            b.right = x >= b.right ? x + 1 : b.right;
            b.top = y < b.top ? y : b.top;
            b.bottom = y + 1;
        }
    }
    return b.bottom ? b : (box){0, 0, 1, 1}; /* a frame must not be empty */
}

/* ---- colours ------------------------------------------------------------------------------------------- */

static uint32_t color_of(const uint8_t *pixel)
{
    return pixel[0] | (uint32_t)pixel[1] << 8 | (uint32_t)pixel[2] << 16 | 255u << 24;
}

/* Finds the colours of a box; *map is to be freed. */
static lvl_status find_colors(const lvl_gif_out *gif, box b, lvl_used_colors *used, ColorMapObject **map)
{
    uint32_t values[LVL_MAX_CUT_COLORS];
    lvl_status status = LVL_OK;

    for (uint32_t y = b.top; y < b.bottom && status == LVL_OK; y++) {
        for (uint32_t x = b.left; x < b.right && status == LVL_OK; x++) {
            const size_t at = (size_t)y * gif->width + x;
            if (!is_clear(gif->waiting, at))
                status = lvl_used_colors_add(used, color_of(gif->waiting + at * 4));
        }
    }
    if (status != LVL_OK)
        return status;
    const uint32_t count = lvl_used_colors_cut(used->list, used->count, MOST_COLOURS, CLEAR + 1, values);
    if (count)
        status = lvl_used_colors_sorted(used);
    if (status == LVL_OK) {
        *map = GifMakeMapObject(1 << GifBitSize((int)count + 1), NULL);
        status = *map ? LVL_OK : LVL_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < count && status == LVL_OK; i++)
        (*map)->Colors[i + 1] = (GifColorType){(GifByteType)values[i], (GifByteType)(values[i] >> 8),
                                               (GifByteType)(values[i] >> 16)};
    return status;
}

/* ---- frames -------------------------------------------------------------------------------------------- */

static lvl_status write_head(lvl_gif_out *gif)
{
    static const GifByteType endless[] = {1, 0, 0};
    int error = 0;

    gif->file = EGifOpen(gif, write_bytes, &error);
    if (!gif->file)
        return failure(gif, error);
    EGifSetGifVersion(gif->file, true);
    lvl_status status =
        after(gif, EGifPutScreenDesc(gif->file, (int)gif->width, (int)gif->height, 8, 0, NULL));
    if (status == LVL_OK && gif->loops) {
        status = after(gif, EGifPutExtensionLeader(gif->file, APPLICATION_EXT_FUNC_CODE));
        if (status == LVL_OK)
            status = after(gif, EGifPutExtensionBlock(gif->file, 11, "NETSCAPE2.0"));
        if (status == LVL_OK)
            status = after(gif, EGifPutExtensionBlock(gif->file, sizeof endless, endless));
        if (status == LVL_OK)
            status = after(gif, EGifPutExtensionTrailer(gif->file));
    }
    return status;
}

/* The time of the frame that waits; what is rounded is made up for by those after it. */
static int next_delay(lvl_gif_out *gif)
{
    gif->ms += gif->waiting_ms;
    const uint64_t end = (gif->ms + 5) / 10;
    uint64_t delay = end > gif->hundredths + LEAST_DELAY ? end - gif->hundredths : LEAST_DELAY;
    delay = delay > UINT16_MAX ? UINT16_MAX : delay;
    gif->hundredths += delay;
    return (int)delay;
}

static lvl_status write_rows(lvl_gif_out *gif, box b, const lvl_used_colors *used)
{
    GifByteType *row = lvl_mem_alloc(gif->ctx, b.right - b.left);
    lvl_status status = row ? LVL_OK : LVL_ERR_MEMORY;

    for (uint32_t y = b.top; y < b.bottom && status == LVL_OK; y++) {
        uint32_t last = 0;
        GifByteType index = CLEAR;
        for (uint32_t x = b.left; x < b.right; x++) {
            const size_t at = (size_t)y * gif->width + x;
            const uint32_t color = is_clear(gif->waiting, at) ? 0 : color_of(gif->waiting + at * 4);
            if (color != last)
                index = color ? (GifByteType)lvl_used_colors_find(used, color)->index : CLEAR;
            last = color;
            row[x - b.left] = index;
        }
        status = after(gif, EGifPutLine(gif->file, row, (int)(b.right - b.left)));
    }
    lvl_mem_free(gif->ctx, row);
    return status;
}

/* Writes the frame that waits; `removed`: it disappears after its time. */
static lvl_status write_waiting(lvl_gif_out *gif, bool removed)
{
    const GraphicsControlBlock control = {.DisposalMode = removed ? DISPOSE_BACKGROUND : DISPOSE_DO_NOT,
                                          .DelayTime = next_delay(gif),
                                          .TransparentColor = CLEAR};
    const box b = find_box(gif, removed || gif->blank);
    lvl_used_colors used = {0};
    ColorMapObject *map = NULL;
    GifByteType block[4];

    lvl_status status = gif->file ? LVL_OK : write_head(gif);
    if (status == LVL_OK)
        status = find_colors(gif, b, &used, &map);
    if (status == LVL_OK)
        status = after(gif, EGifPutExtension(gif->file, GRAPHICS_EXT_FUNC_CODE,
                                             (int)EGifGCBToExtension(&control, block), block));
    if (status == LVL_OK)
        status = after(gif, EGifPutImageDesc(gif->file, (int)b.left, (int)b.top, (int)(b.right - b.left),
                                             (int)(b.bottom - b.top), false, map));
    if (status == LVL_OK)
        status = write_rows(gif, b, &used);
    GifFreeMapObject(map);
    lvl_used_colors_free(&used);
    return status;
}

/* Whether something that the frame that waits shows is transparent in the next one. */
static bool disappears(const lvl_gif_out *gif, const uint8_t *next)
{
    for (size_t i = 0; i < gif->size / 4; i++) {
        if (is_clear(next, i) && !is_clear(gif->waiting, i))
            return true;
    }
    return false;
}

static lvl_status begin(lvl_gif_out *gif, const lvl_image *frame)
{
    const uint32_t longer = frame->width > frame->height ? frame->width : frame->height;

    if (longer > UINT16_MAX)
        return lvl_refuse_fixed(gif->ctx, "pixels of a side of a GIF", UINT16_MAX, longer);
    gif->width = frame->width;
    gif->height = frame->height;
    gif->size = (size_t)frame->width * frame->height * 4;
    gif->shown = lvl_mem_alloc(gif->ctx, gif->size);
    gif->waiting = lvl_mem_alloc(gif->ctx, gif->size);
    return gif->shown && gif->waiting ? LVL_OK : LVL_ERR_MEMORY;
}

lvl_status lvl_gif_out_frame(lvl_gif_out *gif, const lvl_image *frame, uint32_t ms)
{
    lvl_status status = LVL_OK;

    if (frame->format != LVL_PIXELS_RGBA8 || !frame->pixels || !frame->width || !frame->height ||
        (gif->width && (frame->width != gif->width || frame->height != gif->height)))
        return LVL_ERR_ARG;
    if (!gif->width)
        status = begin(gif, frame);
    if (status == LVL_OK && gif->any) {
        const bool removed = disappears(gif, frame->pixels);
        status = write_waiting(gif, removed);
        gif->blank = removed;
        memcpy(gif->shown, gif->waiting, gif->size);
    }
    if (status != LVL_OK)
        return status;
    memcpy(gif->waiting, frame->pixels, gif->size);
    gif->waiting_ms = ms;
    gif->any = true;
    for (size_t i = 0; i < gif->size / 4 && !gif->transparent; i++)
        gif->transparent = is_clear(gif->waiting, i);
    return LVL_OK;
}

lvl_status lvl_gif_out_end(lvl_gif_out *gif)
{
    int error = 0;

    if (!gif->any)
        return LVL_ERR_ARG;
    /* it begins again on an empty canvas: in some viewers only if nothing is left */
    const lvl_status status = write_waiting(gif, gif->loops && gif->transparent);
    if (status != LVL_OK)
        return status;
    GifFileType *file = gif->file;
    gif->file = NULL;
    return EGifCloseFile(file, &error) == GIF_OK && gif->status == LVL_OK ? LVL_OK : failure(gif, error);
}
