/*
 * graal/mng/mng.c: MNG, animated pictures:
 *
 *     0x00  8A "MNG" CR LF 1A LF
 *     0x08  chunks: { u32 size of data, 4 type, data, u32 CRC-32 of type and data }, numbers big-endian
 *
 *     MHDR  u32 width, height, ticks in a second, …
 *     FRAM  u8 mode, name, 0, u8 change of delay, 3 others, u32 delay (ticks) if that is 1 or 2, …
 *     TERM  u8 action   3: begin again
 *     IHDR … IEND       a PNG without its signature
 *
 * In all 51 known files each frame is a whole PNG, which is shown for the delay of the last FRAM.
 * Loops and differences between frames are not read.
 */
#include "base/arena.h"
#include "base/buffer.h"
#include "base/cursor.h"
#include "base/work.h"
#include "codec/deflate.h"
#include "codec/png.h"
#include "graal/graal_format.h"
#include "scene/scene.h"

#include <lvl/mng.h>

#include <string.h>

enum {
    SIGNATURE_SIZE = 8,
    CHUNK_SIZE = 12, /* besides its data */
    MAX_FRAMES = 1 << 20
};

static const char signature[SIGNATURE_SIZE + 1] = "\x8AMNG\r\n\x1A\n";

/* clang-format off */
static const lvl_field chunk_fields[] = {
    LVL_ROW_SLOT(lvl_mng_chunk, type, "type", LVL_NO_PLACE, .prose = "what it is"),
    LVL_ROW_BYTES(lvl_mng_chunk, data, "data", .prose = "its content"),
    LVL_ROW(lvl_mng_chunk, crc, "crc", LVL_INT, .flags = LVL_F_HEX, .disk = LVL_NO_PLACE, .role = LVL_DERIVED,
        .prose = "CRC-32 of type and data"),
};
static const lvl_field mng_fields[] = {
    LVL_ROW_LIST(lvl_mng, chunks, chunk_count, "chunks", &lvl_mng_chunk_table, lvl_mng_chunk,
        .prose = "the chunks, in order"),
    LVL_ROW_BYTES(lvl_mng, rest, "rest", .role = LVL_UNKNOWN, .prose = "after the last whole chunk"),
};
/* clang-format on */

const lvl_table lvl_mng_chunk_table = {
    .name = "chunk",
    .prose = "A part of the animation.",
    .struct_size = sizeof(lvl_mng_chunk),
    .fields = chunk_fields,
    .field_count = LVL_COUNT_OF(chunk_fields),
    .label = "type",
};
const lvl_table lvl_mng_table = {
    .name = "mng",
    .prose = "An animated picture.",
    .struct_size = sizeof(lvl_mng),
    .fields = mng_fields,
    .field_count = LVL_COUNT_OF(mng_fields),
};

enum { SIGNATURE_WRONG, CHUNK_CUT, REST_UNKNOWN, CHECKSUM, NO_FRAME, FRAME_BROKEN, NOT_DRAWN };

#define FINDING_INDEX(name) name
#include "base/finding_rows.h"

/* clang-format off */
static const lvl_finding_def findings_table[] = {
    FINDING(SIGNATURE_WRONG, "mng.signature", F, F, F, "The file does not begin like an MNG.")
    FINDING(CHUNK_CUT, "mng.chunk.cut", E, E, E,
        "A chunk extends beyond the end of the file: it was cut off, and frames are missing.")
    FINDING(REST_UNKNOWN, "mng.rest", W, N, N, "Bytes follow the chunk MEND. Readers ignore them.")
    FINDING(CHECKSUM, "mng.chunk.checksum", E, E, W,
        "The checksum of a chunk is wrong: it is damaged, and readers may refuse the file.")
    FINDING(NO_FRAME, "mng.no_frame", E, E, W, "There is no frame: nothing is drawn.")
    FINDING(FRAME_BROKEN, "mng.frame.broken", E, E, W, "A frame is not a whole PNG: it is not drawn.")
    FINDING(NOT_DRAWN, "mng.not_drawn", N, N, N,
        "A chunk changes or repeats frames in a way that lvl does not read: it shows each PNG once.")
};
/* clang-format on */

/* Findings which mean that content is missing. */
static const lvl_finding_def *const cuts[] = {&findings_table[CHUNK_CUT], NULL};

static lvl_where at_chunk(uint32_t index, size_t member)
{
    return lvl_where_member(
        lvl_where_item(lvl_where_root(), &lvl_mng_table, offsetof(lvl_mng, chunks), index),
        &lvl_mng_chunk_table, member);
}

static bool is_type(const lvl_mng_chunk *chunk, const char *type)
{
    return memcmp(chunk->type, type, sizeof chunk->type) == 0;
}

/* ---- reading and writing ------------------------------------------------------------------------------- */

static lvl_status mng_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    lvl_mng *mng = doc->root;
    const lvl_bytes in = doc->input;
    size_t at = SIGNATURE_SIZE, count = 0;
    bool ended = false;

    if (in.len < SIGNATURE_SIZE || memcmp(in.ptr, signature, SIGNATURE_SIZE) != 0) {
        lvl_findings_add(findings, &findings_table[SIGNATURE_WRONG], NULL, NULL, "%s", doc->format->title);
        return LVL_ERR_FORMAT;
    }
    lvl_emit_span(sink, 0, SIGNATURE_SIZE, (lvl_span){.role = LVL_SPAN_CONTAINER, .note = "signature"});
    while (!ended && in.len - at >= CHUNK_SIZE && lvl_load_u32be(in.ptr + at) <= in.len - at - CHUNK_SIZE) {
        ended = memcmp(in.ptr + at + 4, "MEND", 4) == 0;
        at += CHUNK_SIZE + lvl_load_u32be(in.ptr + at);
        count++;
    }
    mng->chunks = lvl_arena_array(&doc->arena, count, sizeof *mng->chunks);
    if (!mng->chunks)
        return LVL_ERR_MEMORY;
    mng->chunk_count = (uint32_t)count;
    at = SIGNATURE_SIZE;
    for (uint32_t i = 0; i < count; i++) {
        lvl_mng_chunk *chunk = &mng->chunks[i];
        const uint32_t len = lvl_load_u32be(in.ptr + at);
        const lvl_where where = at_chunk(i, offsetof(lvl_mng_chunk, data));
        const lvl_where item = lvl_where_item(lvl_where_root(), &lvl_mng_table, offsetof(lvl_mng, chunks), i);
        memcpy(chunk->type, in.ptr + at + 4, sizeof chunk->type);
        chunk->data = (lvl_bytes){len ? in.ptr + at + 8 : NULL, len};
        chunk->crc = lvl_load_u32be(in.ptr + at + 8 + len);
        if (chunk->crc != lvl_crc32((lvl_bytes){in.ptr + at + 4, (size_t)len + 4}))
            lvl_report_at(findings, &findings_table[CHECKSUM], where,
                          "the checksum of chunk %.4s is wrong: it may be damaged", chunk->type);
        lvl_emit_span(sink, at, 4, (lvl_span){.role = LVL_SPAN_DERIVED, .where = where, .note = "size"});
        lvl_emit_field(sink, item, LVL_FIELD(lvl_mng_chunk, type), at + 4, 4, LVL_SPAN_FIELD);
        lvl_emit_field(sink, item, LVL_FIELD(lvl_mng_chunk, data), at + 8, len, LVL_SPAN_FIELD);
        lvl_emit_field(sink, item, LVL_FIELD(lvl_mng_chunk, crc), at + 8 + len, 4, LVL_SPAN_DERIVED);
        at += CHUNK_SIZE + (size_t)len;
    }
    if (!ended)
        lvl_report_at(findings, &findings_table[CHUNK_CUT], lvl_where_root(),
                      "there is no chunk MEND: the file may be cut off");
    if (at < in.len) {
        mng->rest = (lvl_bytes){in.ptr + at, in.len - at};
        if (ended)
            lvl_report_at(findings, &findings_table[REST_UNKNOWN], lvl_where_root(), "%llu bytes",
                          (unsigned long long)mng->rest.len);
        lvl_emit_field(sink, lvl_where_root(), LVL_FIELD(lvl_mng, rest), at, in.len - at, LVL_SPAN_RESIDUE);
    }
    return LVL_OK;
}

/* Appends a chunk and returns its CRC. */
static uint32_t add_chunk(const lvl_mng_chunk *chunk, lvl_buffer *out)
{
    const size_t from = out->len + 4;

    lvl_buffer_u32be(out, (uint32_t)chunk->data.len);
    lvl_buffer_add(out, chunk->type, sizeof chunk->type);
    lvl_buffer_add(out, chunk->data.ptr, chunk->data.len);
    return out->status == LVL_OK ? lvl_crc32((lvl_bytes){out->data + from, out->len - from}) : 0;
}

static lvl_status mng_write(const lvl_doc *doc, lvl_buffer *out)
{
    const lvl_mng *mng = doc->root;

    lvl_buffer_add(out, signature, SIGNATURE_SIZE);
    for (uint32_t i = 0; i < mng->chunk_count; i++) {
        const uint32_t crc = add_chunk(&mng->chunks[i], out);
        lvl_buffer_u32be(out,
                         (uint32_t)lvl_doc_derived(doc, &mng->chunks[i], LVL_FIELD(lvl_mng_chunk, crc), crc));
    }
    lvl_buffer_add(out, mng->rest.ptr, mng->rest.len);
    return out->status;
}

static lvl_status mng_derive(lvl_doc *doc, lvl_derived_fn visit, void *user)
{
    lvl_mng *mng = doc->root;
    lvl_buffer bytes = {0};

    for (uint32_t i = 0; i < mng->chunk_count && bytes.status == LVL_OK; i++) {
        bytes.len = 0;
        visit(user, &mng->chunks[i], LVL_FIELD(lvl_mng_chunk, crc), add_chunk(&mng->chunks[i], &bytes));
    }
    const lvl_status status = bytes.status;
    lvl_buffer_free(&bytes);
    return status;
}

/* ---- frames -------------------------------------------------------------------------------------------- */

/* The frames of an animation, one after the other. */
typedef struct frames {
    const lvl_mng *mng;
    uint32_t next; /* chunk */
    uint32_t ticks; /* in a second */
    uint64_t delay; /* of the frame, in ticks */
    uint32_t first, end; /* its chunks */
    uint32_t width, height;
} frames;

static frames frames_of(const lvl_mng *mng)
{
    frames f = {.mng = mng, .ticks = 1000, .delay = 1};

    if (mng->chunk_count && is_type(&mng->chunks[0], "MHDR") && mng->chunks[0].data.len >= 12)
        f.ticks = lvl_load_u32be(mng->chunks[0].data.ptr + 8);
    return f;
}

static void read_delay(frames *f, lvl_bytes data)
{
    const uint8_t *nul = data.len > 1 ? memchr(data.ptr + 1, 0, data.len - 1) : NULL;
    const size_t at = nul ? (size_t)(nul - data.ptr) + 1 : data.len;

    if (data.len - at >= 8 && data.ptr[at])
        f->delay = lvl_load_u32be(data.ptr + at + 4);
}

static bool next_frame(frames *f)
{
    for (bool inside = false; f->next < f->mng->chunk_count; f->next++) {
        const lvl_mng_chunk *chunk = &f->mng->chunks[f->next];
        if (is_type(chunk, "FRAM"))
            read_delay(f, chunk->data);
        if (is_type(chunk, "IHDR")) {
            inside = chunk->data.len >= 8;
            f->first = f->next;
            f->width = inside ? lvl_load_u32be(chunk->data.ptr) : 0;
            f->height = inside ? lvl_load_u32be(chunk->data.ptr + 4) : 0;
        }
        if (inside && is_type(chunk, "IEND")) {
            f->end = ++f->next;
            return true;
        }
    }
    return false;
}

static uint32_t milliseconds(const frames *f)
{
    const uint64_t ms = f->ticks ? f->delay * 1000 / f->ticks : 0;

    return ms > INT32_MAX ? INT32_MAX : ms ? (uint32_t)ms : 1;
}

static lvl_status frame_image(const lvl_ctx *ctx, const frames *f, lvl_image *out)
{
    lvl_buffer png = {0};

    lvl_buffer_add(&png, lvl_png_signature, LVL_PNG_SIGNATURE_SIZE);
    for (uint32_t i = f->first; i < f->end; i++)
        lvl_buffer_u32be(&png, add_chunk(&f->mng->chunks[i], &png));
    const lvl_status status =
        png.status == LVL_OK ? lvl_png_read_as(ctx, lvl_buffer_bytes(&png), false, out) : png.status;
    lvl_buffer_free(&png);
    return status;
}

static lvl_status mng_to_image(const lvl_doc *doc, const char *layer, lvl_image *out)
{
    frames f = frames_of(doc->root);

    (void)layer;
    return next_frame(&f) ? frame_image(doc->ctx, &f, out) : LVL_ERR_FORMAT;
}

static bool loops(const lvl_mng *mng)
{
    bool again = false;

    for (uint32_t i = 0; i < mng->chunk_count; i++) {
        const lvl_mng_chunk *chunk = &mng->chunks[i];
        if (is_type(chunk, "TERM") && chunk->data.len)
            again = chunk->data.ptr[0] == 3;
    }
    return again;
}

/* Counts frames, and finds the size of the largest. */
static uint32_t count_frames(const lvl_mng *mng, lvl_rect *bounds)
{
    frames f = frames_of(mng);
    uint32_t count = 0, width = 1, height = 1;

    while (count < MAX_FRAMES && next_frame(&f)) {
        width = f.width > width && f.width <= 0xFFFF ? f.width : width;
        height = f.height > height && f.height <= 0xFFFF ? f.height : height;
        count++;
    }
    *bounds = (lvl_rect){0, 0, (int32_t)width - 1, (int32_t)height - 1};
    return count;
}

static lvl_status mng_play(const lvl_doc *doc, const lvl_scene_request *request, lvl_animation **out)
{
    lvl_rect bounds;
    frames f = frames_of(doc->root);
    const uint32_t count = count_frames(doc->root, &bounds), n = count ? count : 1;

    (void)request;
    lvl_animation *play = lvl_mem_alloc(doc->ctx, sizeof *play + (size_t)n * sizeof *play->durations);
    *out = play;
    if (!play)
        return LVL_ERR_MEMORY;
    uint32_t *durations = (uint32_t *)(play + 1);
    for (uint32_t i = 0; i < n; i++) {
        next_frame(&f);
        durations[i] = milliseconds(&f);
    }
    *play = (lvl_animation){.frames = n,
                            .directions = 1,
                            .durations = durations,
                            .loops = loops(doc->root),
                            .has_art = count != 0,
                            .bounds = bounds};
    return LVL_OK;
}

/* The picture of a frame, in the scene's memory. */
static lvl_status put_image(lvl_scene *scene, const frames *f)
{
    lvl_image *image = lvl_scene_alloc(scene, 1, sizeof *image), read = {0};
    lvl_status status = image ? frame_image(scene->ctx, f, &read) : LVL_ERR_MEMORY;

    if (status != LVL_OK)
        return status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT ? status : LVL_OK;
    const size_t total = (size_t)read.width * read.height,
                 bytes = total * (read.format == LVL_PIXELS_RGBA8 ? 4 : 1);
    *image = (lvl_image){.format = read.format, .width = read.width, .height = read.height};
    image->pixels = lvl_scene_raw(scene, bytes, 1);
    image->mask = read.mask ? lvl_scene_raw(scene, total, 1) : NULL;
    image->palette = read.palette ? lvl_scene_raw(scene, 1, sizeof *image->palette) : NULL;
    if (!image->pixels || (read.mask && !image->mask) || (read.palette && !image->palette)) {
        status = LVL_ERR_MEMORY;
    } else {
        memcpy(image->pixels, read.pixels, bytes);
        if (read.mask)
            memcpy(image->mask, read.mask, total);
        if (read.palette)
            *image->palette = *read.palette;
        scene->things = lvl_scene_alloc(scene, 1, sizeof *scene->things);
        status = scene->things ? LVL_OK : LVL_ERR_MEMORY;
    }
    if (status == LVL_OK) {
        scene->thing_count = 1;
        scene->has_art = true;
        scene->things[0] =
            (lvl_scene_thing){.kind = LVL_THING_SCENERY,
                              .flags = LVL_THING_CORNER,
                              .image = image,
                              .has_part = true,
                              .part = {0, 0, (int32_t)read.width - 1, (int32_t)read.height - 1}};
    }
    lvl_image_clear(&read);
    return status;
}

static lvl_status mng_scene(const lvl_doc *doc, const lvl_scene_request *request, lvl_scene **out)
{
    lvl_scene *scene = lvl_scene_new(doc->ctx);
    frames f = frames_of(doc->root), last = f;
    bool any = false;

    if (!scene)
        return LVL_ERR_MEMORY;
    scene->has_bounds = true;
    count_frames(doc->root, &scene->bounds);
    for (uint32_t i = 0; i <= request->frame && next_frame(&f); i++) {
        last = f;
        any = true;
    }
    lvl_status status = any ? put_image(scene, &last) : LVL_OK;
    if (status == LVL_OK)
        status = lvl_scene_arrange(scene, true);
    if (status != LVL_OK)
        return lvl_scene_fail(scene, status);
    *out = scene;
    return LVL_OK;
}

/* ---- check, info ------------------------------------------------------------------------------------- */

static lvl_status mng_check(const lvl_doc *doc, const lvl_check_request *request)
{
    static const char others[][5] = {"LOOP", "JHDR", "DHDR", "BASI", "CLON", "PAST", "MAGN", "MOVE", "SHOW"};
    const lvl_mng *mng = doc->root;
    frames f = frames_of(mng);
    lvl_status status = LVL_OK;
    bool any = false;

    while (status == LVL_OK && next_frame(&f)) {
        lvl_image image = {0};
        any = true;
        status = lvl_charge(doc->ctx, (uint64_t)f.width * f.height);
        if (status == LVL_OK)
            status = frame_image(doc->ctx, &f, &image);
        if (status == LVL_ERR_FORMAT || status == LVL_ERR_LIMIT) {
            lvl_report_at(request->findings, &findings_table[FRAME_BROKEN],
                          at_chunk(f.first, offsetof(lvl_mng_chunk, data)),
                          "a frame of %u by %u px is not whole: it is not drawn", (unsigned)f.width,
                          (unsigned)f.height);
            status = LVL_OK;
        }
        lvl_image_clear(&image);
    }
    if (!any)
        lvl_report_at(request->findings, &findings_table[NO_FRAME], lvl_where_root(),
                      "no IHDR and IEND: nothing is drawn");
    for (uint32_t i = 0; i < mng->chunk_count; i++) {
        for (size_t k = 0; k < LVL_COUNT_OF(others); k++) {
            if (is_type(&mng->chunks[i], others[k]))
                lvl_report_at(request->findings, &findings_table[NOT_DRAWN],
                              at_chunk(i, offsetof(lvl_mng_chunk, type)), "%s", others[k]);
        }
    }
    return status;
}

static lvl_status mng_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art)
{
    frames f = frames_of(doc->root);
    uint32_t count = 0;
    uint64_t ms = 0;

    (void)art;
    while (next_frame(&f)) {
        count++;
        ms += milliseconds(&f);
    }
    lvl_info_string(info, "size", "size", "%u x %u px", (unsigned)f.width, (unsigned)f.height);
    lvl_info_int(info, "frames", "frames", count, NULL);
    lvl_info_int(info, "duration", "duration", (int64_t)ms, "ms");
    lvl_info_bool(info, "loops", "loops", loops(doc->root));
    return lvl_info_status(info);
}

static int mng_probe(const lvl_probe_input *in)
{
    return in->head.len >= SIGNATURE_SIZE && memcmp(in->head.ptr, signature, SIGNATURE_SIZE) == 0 ? 64 : 0;
}

const lvl_format lvl_format_mng = {
    .id = "mng",
    .family = "graal",
    .title = "MNG animation",
    .extensions = "mng",
    .mime = "video/x-mng",
    .is_picture = true,
    .codepage = LVL_CP_1252,
    .table = &lvl_mng_table,
    .findings = findings_table,
    .finding_count = LVL_COUNT_OF(findings_table),
    .calls =
        &(const lvl_format_calls){
            .cuts = cuts,
            .probe = mng_probe,
            .read = mng_read,
            .write = mng_write,
            .derive = mng_derive,
            .check = mng_check,
            .info = mng_info,
            .to_image = mng_to_image,
            .scene = mng_scene,
            .play = mng_play,
        },
};
