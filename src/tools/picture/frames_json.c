/*
 * tools/picture/frames_json.c: the list of the frames in a sheet, in the form of Aseprite's --data:
 *
 *     {"frames": [{"filename": "FRAME001.PID", "frame": {"x": 0, "y": 0, "w": 32, "h": 40}, "rotated": false,
 *                  "trimmed": true, "spriteSourceSize": {"x": 4, "y": 0, "w": 32, "h": 40},
 *                  "sourceSize": {"w": 40, "h": 40}, "duration": 100, "lvl": {…}}, …],
 *      "meta": {"app": …, "version": …, "image": "s.png", "format": "I8", "size": {…}, "scale": "1",
 *               "frameTags": [{"name": "off", "from": 0, "to": 3, "direction": "forward"}], "layers": [],
 *               "slices": [{"name": "point", "keys": [{"frame": 0, "bounds": {…}, "pivot": {"x": 20, "y": 20}}]}],
 *               "lvl": {"colors": …}}}
 *
 * `lvl` has what the form has no place for, and other programs ignore it: the frame's document without its
 * picture, and a checksum of the palette, by which is seen whether the numbers of pixels still mean the same.
 */
#include "tools/picture/frames.h"

#include "base/text.h"
#include "codec/deflate.h"
#include "codec/json.h"
#include "codec/tokens.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FARTHEST = 1 << 24 /* px: what is beyond is no sprite, and sums of it fit 32 bits */ };

/* ---- out ----------------------------------------------------------------------------------------------- */

static void put_rect(lvl_buffer *out, const char *key, int64_t x, int64_t y, uint32_t width, uint32_t height)
{
    lvl_json_open(out, key, '{');
    lvl_json_put_int(out, "x", x);
    lvl_json_put_int(out, "y", y);
    lvl_json_put_uint(out, "w", width);
    lvl_json_put_uint(out, "h", height);
    lvl_buffer_u8(out, '}');
}

static void put_size(lvl_buffer *out, const char *key, uint32_t width, uint32_t height)
{
    lvl_json_open(out, key, '{');
    lvl_json_put_uint(out, "w", width);
    lvl_json_put_uint(out, "h", height);
    lvl_buffer_u8(out, '}');
}

static void put_frame(const lvl_frame *f, bool hash, lvl_buffer *out)
{
    lvl_buffer_str(out, "\n");
    if (hash) {
        lvl_json_string(out, lvl_text_of(f->name));
        lvl_buffer_str(out, ":{");
    } else {
        lvl_buffer_u8(out, '{');
        lvl_json_put_string(out, "filename", f->name);
    }
    put_rect(out, "frame", f->x, f->y, f->width, f->height);
    lvl_json_put_bool(out, "rotated", false);
    lvl_json_put_bool(out, "trimmed", f->width != f->canvas_width || f->height != f->canvas_height);
    put_rect(out, "spriteSourceSize", f->left, f->top, f->width, f->height);
    put_size(out, "sourceSize", f->canvas_width, f->canvas_height);
    lvl_json_put_uint(out, "duration", f->ms);
    if (f->rest || f->own_palette) {
        lvl_json_open(out, "lvl", '{');
        if (f->own_palette)
            lvl_json_put_bool(out, "own_palette", true);
        if (f->rest) {
            lvl_json_key(out, "document");
            lvl_buffer_add(out, f->rest, f->rest_len);
        }
        lvl_buffer_u8(out, '}');
    }
    lvl_buffer_u8(out, '}');
}

/* The points of the frames, as a slice with a pivot: a key where it changes. Without it they are the
 * middle. */
static void put_points(const lvl_frames *frames, lvl_buffer *out)
{
    const lvl_frame *last = NULL;
    bool middle = true;

    for (uint32_t i = 0; i < frames->count; i++) {
        const lvl_frame *f = &frames->items[i];
        middle = middle && (uint32_t)f->point_x == f->canvas_width >> 1 &&
                 (uint32_t)f->point_y == f->canvas_height >> 1;
    }
    lvl_json_open(out, "slices", '[');
    if (middle) {
        lvl_buffer_u8(out, ']');
        return;
    }
    lvl_json_open(out, NULL, '{');
    lvl_json_put_string(out, "name", "point");
    lvl_json_put_string(out, "color", "#0000ffff");
    lvl_json_open(out, "keys", '[');
    for (uint32_t i = 0; i < frames->count; i++) {
        const lvl_frame *f = &frames->items[i];
        if (last && last->point_x == f->point_x && last->point_y == f->point_y &&
            last->canvas_width == f->canvas_width && last->canvas_height == f->canvas_height)
            continue;
        last = f;
        lvl_json_open(out, NULL, '{');
        lvl_json_put_uint(out, "frame", i);
        put_rect(out, "bounds", 0, 0, f->canvas_width, f->canvas_height);
        lvl_json_open(out, "pivot", '{');
        lvl_json_put_int(out, "x", f->point_x);
        lvl_json_put_int(out, "y", f->point_y);
        lvl_buffer_str(out, "}}");
    }
    lvl_buffer_str(out, "]}]");
}

static void put_tags(const lvl_frames *frames, lvl_buffer *out)
{
    lvl_json_open(out, "frameTags", '[');
    for (uint32_t i = 0; i < frames->tag_count; i++) {
        lvl_json_open(out, NULL, '{');
        lvl_json_put_string(out, "name", frames->tags[i].name);
        lvl_json_put_uint(out, "from", frames->tags[i].from);
        lvl_json_put_uint(out, "to", frames->tags[i].to);
        lvl_json_put_string(out, "direction", "forward");
        if (!frames->loops)
            lvl_json_put_string(out, "repeat", "1");
        lvl_json_put_string(out, "color", "#000000ff");
        lvl_buffer_u8(out, '}');
    }
    lvl_buffer_u8(out, ']');
}

static int by_name(const void *a, const void *b)
{
    return strcmp((*(const lvl_frame *const *)a)->name, (*(const lvl_frame *const *)b)->name);
}

static lvl_status check_names(const lvl_frames *frames)
{
    const lvl_frame **sorted = malloc(((size_t)frames->count + 1) * sizeof *sorted);
    lvl_status status = sorted ? LVL_OK : LVL_ERR_MEMORY;

    for (uint32_t i = 0; sorted && i < frames->count; i++)
        sorted[i] = &frames->items[i];
    if (sorted && frames->count)
        qsort((void *)sorted, frames->count, sizeof *sorted, by_name);
    for (uint32_t i = 1; sorted && i < frames->count; i++)
        status = strcmp(sorted[i - 1]->name, sorted[i]->name) == 0 ? LVL_ERR_ARG : status;
    free((void *)sorted);
    return status;
}

uint32_t lvl_frames_checksum(const lvl_palette *palette)
{
    lvl_palette grey;

    for (size_t i = 0; i < 256; i++)
        memset(grey.rgb[i], (int)i, 3);
    return lvl_crc32((lvl_bytes){(palette ? palette : &grey)->rgb[0], sizeof grey.rgb});
}

lvl_status lvl_frames_json(const lvl_frames *frames, const lvl_image *sheet, const char *picture,
                           bool indexed, bool hash, lvl_buffer *out)
{
    const lvl_status status = hash ? check_names(frames) : LVL_OK;

    if (status != LVL_OK)
        return status;
    lvl_buffer_u8(out, '{');
    lvl_json_open(out, "frames", hash ? '{' : '[');
    for (uint32_t i = 0; i < frames->count; i++) {
        if (i)
            lvl_buffer_u8(out, ',');
        put_frame(&frames->items[i], hash, out);
    }
    lvl_buffer_str(out, hash ? "\n},\n" : "\n],\n");
    lvl_json_open(out, "meta", '{');
    lvl_json_put_string(out, "app", "lvl");
    lvl_json_put_string(out, "version", LVL_VERSION);
    lvl_json_put_string(out, "image", picture);
    lvl_json_put_string(out, "format", indexed ? "I8" : "RGBA8888");
    put_size(out, "size", sheet->width, sheet->height);
    lvl_json_put_string(out, "scale", "1");
    put_tags(frames, out);
    lvl_json_open(out, "layers", '[');
    lvl_buffer_u8(out, ']');
    put_points(frames, out);
    if (indexed) {
        lvl_json_open(out, "lvl", '{');
        lvl_json_put_uint(out, "colors", lvl_frames_checksum(sheet->palette));
        lvl_buffer_u8(out, '}');
    }
    lvl_buffer_str(out, "}}\n");
    return out->status;
}

/* ---- in ------------------------------------------------------------------------------------------------ */

bool lvl_frames_probe(lvl_text json)
{
    lvl_tokens t;
    bool frames = false;

    lvl_tokens_init(&t, json, 0);
    lvl_token token = lvl_tokens_next(&t);
    if (token.kind != LVL_TOKEN_OBJECT)
        return false;
    for (token = lvl_tokens_next(&t); token.kind == LVL_TOKEN_KEY; token = lvl_tokens_next(&t)) {
        const bool is_frames = lvl_token_is(&token, "frames");
        if (lvl_token_is(&token, "lvl")) /* a dump */
            return false;
        const lvl_token value = lvl_tokens_next(&t);
        frames = frames || (is_frames && (value.kind == LVL_TOKEN_OBJECT || value.kind == LVL_TOKEN_ARRAY));
        lvl_tokens_skip(&t, &value);
    }
    return frames;
}

typedef struct reading {
    const lvl_ctx *ctx;
    lvl_frames *out;
    char *error;
    const char *name; /* of the frame that is read */
} reading;

static lvl_status wrong(const reading *r, const char *what)
{
    if (r->name)
        snprintf(r->error, LVL_FRAMES_ERROR, "the frame `%.80s': %s", r->name, what);
    else
        snprintf(r->error, LVL_FRAMES_ERROR, "%s", what);
    return LVL_ERR_FORMAT;
}

/* A whole number, also one that is written with a fraction of 0; `missing`: the member may be absent, and
 * then has that value. */
static bool whole(yyjson_val *object, const char *key, const int64_t *missing, int64_t least, int64_t *out)
{
    yyjson_val *val = yyjson_obj_get(object, key);
    const double number = yyjson_is_num(val) ? yyjson_get_num(val) : NAN;

    if (!val && missing) {
        *out = *missing;
        return true;
    }
    if (!(number >= (double)least && number <= FARTHEST) || number != floor(number))
        return false;
    *out = (int64_t)number;
    return true;
}

/* {"x":…, "y":…, "w":…, "h":…}; without `at` only the size. */
static bool rect(yyjson_val *object, bool at, int64_t least, int64_t out[4])
{
    return (!at || (whole(object, "x", NULL, least, &out[0]) && whole(object, "y", NULL, least, &out[1]))) &&
           whole(object, "w", NULL, 1, &out[2]) && whole(object, "h", NULL, 1, &out[3]);
}

/* A frame's own pivot, of packers: in parts of its canvas. */
static bool own_pivot(yyjson_val *frame, lvl_frame *f)
{
    yyjson_val *pivot = yyjson_obj_get(frame, "pivot");
    yyjson_val *x = yyjson_obj_get(pivot, "x"), *y = yyjson_obj_get(pivot, "y");
    const double px = yyjson_get_num(x) * f->canvas_width, py = yyjson_get_num(y) * f->canvas_height;

    if (!yyjson_is_num(x) || !yyjson_is_num(y) || !(fabs(px) <= FARTHEST) || !(fabs(py) <= FARTHEST))
        return false;
    f->point_x = (int32_t)floor(px);
    f->point_y = (int32_t)floor(py);
    return true;
}

static lvl_status read_rest(yyjson_val *frame, lvl_frame *f)
{
    yyjson_val *own = yyjson_obj_get(frame, "lvl");
    yyjson_val *document = yyjson_obj_get(own, "document");

    f->own_palette = yyjson_is_true(yyjson_obj_get(own, "own_palette"));
    if (!yyjson_is_obj(document))
        return LVL_OK;
    f->rest = yyjson_val_write(document, YYJSON_WRITE_NOFLAG, &f->rest_len);
    return f->rest ? LVL_OK : LVL_ERR_MEMORY;
}

static lvl_status read_frame(reading *r, yyjson_val *name, yyjson_val *frame)
{
    int64_t at[4], source[4], size[4], ms;
    static const int64_t usual = LVL_FRAME_MS;
    lvl_frame *f;

    r->name = yyjson_is_str(name) ? yyjson_get_str(name) : NULL;
    if (!r->name)
        return wrong(r, "expected a filename in each frame");
    if (strlen(r->name) != yyjson_get_len(name))
        return wrong(r, "a NUL in its name");
    if (!rect(yyjson_obj_get(frame, "frame"), true, 0, at))
        return wrong(r, "expected \"frame\" with x, y, w, h: whole numbers, a size of at least 1");
    if (yyjson_is_true(yyjson_obj_get(frame, "rotated")))
        return wrong(r, "it is rotated; make the sheet without rotation");
    memcpy(source, (const int64_t[]){0, 0, at[2], at[3]}, sizeof source);
    if (yyjson_obj_get(frame, "spriteSourceSize") &&
        !rect(yyjson_obj_get(frame, "spriteSourceSize"), true, -FARTHEST, source))
        return wrong(r, "expected \"spriteSourceSize\" with x, y, w, h: whole numbers");
    /* what Aseprite adds around each frame (--inner-padding) is in `frame` alone */
    source[0] -= (at[2] - source[2]) / 2;
    source[1] -= (at[3] - source[3]) / 2;
    if (source[0] < -FARTHEST || source[1] < -FARTHEST)
        return wrong(r, "\"spriteSourceSize\" is too far from its canvas");
    memcpy(size, at, sizeof size);
    if (yyjson_obj_get(frame, "sourceSize") && !rect(yyjson_obj_get(frame, "sourceSize"), false, 0, size))
        return wrong(r, "expected \"sourceSize\" with w, h: whole numbers of at least 1");
    if (!whole(frame, "duration", &usual, 0, &ms))
        return wrong(r, "expected \"duration\" in milliseconds");
    lvl_status status =
        lvl_frames_add(r->out, r->ctx, lvl_text_of(r->name), (uint32_t)at[2], (uint32_t)at[3], &f);
    if (status != LVL_OK)
        return status;
    f->x = (uint32_t)at[0];
    f->y = (uint32_t)at[1];
    f->left = (int32_t)source[0];
    f->top = (int32_t)source[1];
    f->canvas_width = (uint32_t)size[2];
    f->canvas_height = (uint32_t)size[3];
    f->point_x = (int32_t)(size[2] >> 1);
    f->point_y = (int32_t)(size[3] >> 1);
    f->ms = (uint32_t)ms;
    r->out->points = own_pivot(frame, f) || r->out->points;
    return read_rest(frame, f);
}

static lvl_status read_frames(reading *r, yyjson_val *frames)
{
    yyjson_val *key, *val;
    lvl_status status = LVL_OK;
    size_t i, n;

    if (yyjson_is_arr(frames)) {
        yyjson_arr_foreach(frames, i, n, val)
        {
            if (status == LVL_OK)
                status = read_frame(r, yyjson_obj_get(val, "filename"), val);
        }
    } else if (yyjson_is_obj(frames)) {
        yyjson_obj_foreach(frames, i, n, key, val)
        {
            if (status == LVL_OK)
                status = read_frame(r, key, val);
        }
    } else {
        return wrong(r, "expected \"frames\", an array or an object");
    }
    r->name = NULL;
    return status != LVL_OK || r->out->count ? status : wrong(r, "it has no frames");
}

static lvl_status read_tags(reading *r, yyjson_val *tags)
{
    lvl_status status = LVL_OK;
    yyjson_val *tag;
    size_t i, n;

    yyjson_arr_foreach(tags, i, n, tag)
    {
        yyjson_val *name = yyjson_obj_get(tag, "name");
        int64_t from, to;
        r->out->loops = r->out->loops && !yyjson_obj_get(tag, "repeat");
        if (status != LVL_OK || !yyjson_is_str(name) || !whole(tag, "from", NULL, 0, &from) ||
            !whole(tag, "to", NULL, 0, &to) || from > to || to >= r->out->count)
            continue; /* of no use here, and no reason to refuse the frames */
        status = lvl_frames_add_tag(r->out, lvl_json_str(name), (uint32_t)from, (uint32_t)to);
    }
    return status;
}

/* The points of the first slice with pivots: each key is that of its frame and those after it. */
static void read_points(reading *r, yyjson_val *slices)
{
    yyjson_val *slice, *key;
    size_t i, n, k, m;
    bool found = false;

    yyjson_arr_foreach(slices, i, n, slice)
    {
        if (found)
            break;
        uint32_t next = 0;
        int64_t x = 0, y = 0;
        yyjson_arr_foreach(yyjson_obj_get(slice, "keys"), k, m, key)
        {
            int64_t frame, bounds[4], px, py;
            yyjson_val *pivot = yyjson_obj_get(key, "pivot");
            if (!pivot || !whole(key, "frame", NULL, 0, &frame) || frame < next ||
                !rect(yyjson_obj_get(key, "bounds"), true, -FARTHEST, bounds) ||
                !whole(pivot, "x", NULL, -FARTHEST, &px) || !whole(pivot, "y", NULL, -FARTHEST, &py))
                continue;
            for (; found && next < r->out->count && next < frame; next++) {
                r->out->items[next].point_x = (int32_t)x;
                r->out->items[next].point_y = (int32_t)y;
            }
            found = true;
            next = (uint32_t)(frame > r->out->count ? r->out->count : frame);
            x = bounds[0] + px;
            y = bounds[1] + py;
        }
        r->out->points = r->out->points || found;
        for (; found && next < r->out->count; next++) {
            r->out->items[next].point_x = (int32_t)x;
            r->out->items[next].point_y = (int32_t)y;
        }
    }
}

static lvl_status read_list(reading *r, yyjson_val *root)
{
    yyjson_val *meta = yyjson_obj_get(root, "meta");
    yyjson_val *image = yyjson_obj_get(meta, "image");
    yyjson_val *colors = yyjson_obj_get(yyjson_obj_get(meta, "lvl"), "colors");

    r->out->loops = true;
    lvl_status status = read_frames(r, yyjson_obj_get(root, "frames"));
    if (status == LVL_OK)
        status = read_tags(r, yyjson_obj_get(meta, "frameTags"));
    if (status == LVL_OK)
        read_points(r, yyjson_obj_get(meta, "slices"));
    if (status == LVL_OK && yyjson_is_str(image)) {
        r->out->picture = lvl_text_copy(lvl_path_last(lvl_json_str(image)));
        status = r->out->picture ? LVL_OK : LVL_ERR_MEMORY;
    }
    r->out->has_colors = yyjson_is_uint(colors) && yyjson_get_uint(colors) <= UINT32_MAX;
    r->out->colors = r->out->has_colors ? (uint32_t)yyjson_get_uint(colors) : 0;
    return status;
}

lvl_status lvl_frames_read(lvl_frames *out, const lvl_ctx *ctx, lvl_text json, char *error)
{
    reading r = {.ctx = ctx, .out = out, .error = error};
    lvl_json_error why;

    *out = (lvl_frames){0};
    *error = 0;
    yyjson_doc *tree = lvl_json_read(ctx, json, &why);
    if (!tree) {
        if (why.status == LVL_ERR_FORMAT)
            snprintf(error, LVL_FRAMES_ERROR, "line %zu, column %zu: %s", why.line, why.column, why.text);
        return why.refused.limit ? lvl_refuse(ctx, why.refused.limit, why.refused.allowed, 0) : why.status;
    }
    const lvl_status status = read_list(&r, yyjson_doc_get_root(tree));
    yyjson_doc_free(tree);
    return status;
}
