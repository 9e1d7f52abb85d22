/*
 * tools/picture/picture.c: documents from pictures, and pictures of documents.
 *
 * A PNG that lvl writes has the rest of the document in a chunk "lvLf" (ancillary, private, safe to copy), so
 * that it can become the same document again:
 *
 *     u8   1                the palette is part of the document; 0: it is that of the level, or grey
 *     u32  crc32            of the palette as it was written, high byte first; 0: no palette
 *     …    JSON             a dump of the document without pixels and colours
 */
#include "base/buffer.h"
#include "base/arena.h"
#include "base/format.h"
#include "codec/deflate.h"
#include "codec/png.h"
#include "tools/picture/frames.h"
#include "tools/picture/pictures.h"
#include "tools/edit/region_write.h"

#include <lvl/tools.h>
#include <string.h>

enum { CHUNK_HEAD = 5 };

/* Frees the new document unless the status is LVL_OK, which is returned. */
static lvl_status or_none(lvl_doc **out, lvl_status status)
{
    if (status != LVL_OK) {
        lvl_doc_free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- pictures to documents --------------------------------------------------------------------------- */

/* Copies everything from `like` but its cells; spelling too, since it has the encoding of the pixels. */
static lvl_status copy_like(lvl_doc *to, const lvl_doc *like)
{
    const lvl_table *table = like->format->table;
    uint8_t *root = to->root;
    lvl_status status = lvl_record_copy(to, root, like, like->root, table);

    for (uint32_t i = 0; i < table->field_count && status == LVL_OK; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->kind == LVL_CELLS) {
            memset(root + f->offset, 0, f->size);
        } else if (f->role == LVL_KEPT && (f->kind == LVL_BYTES || f->kind == LVL_TEXT)) {
            const lvl_bytes from = lvl_get_bytes(like->root, f);
            const lvl_bytes copy = {from.len ? lvl_arena_copy(&to->arena, from.ptr, from.len) : NULL,
                                    from.len};
            memcpy(root + f->offset, &copy, sizeof copy);
            status = copy.len && !copy.ptr ? LVL_ERR_MEMORY : LVL_OK;
        } else if (f->role == LVL_KEPT && f->kind == LVL_INT) {
            memcpy(root + f->offset, (const uint8_t *)like->root + f->offset, f->size);
        }
    }
    return status;
}

/* Draws the picture on a layer of a copy of `like`, whose format has layers of squares. */
static lvl_status draw_into(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format,
                            const lvl_image *image, const lvl_draw_options *w, lvl_findings *losses)
{
    const lvl_field *layers = lvl_map_layers(format);
    const lvl_field *squares = layers ? lvl_map_cells_of(layers->table).squares : NULL;
    lvl_draw_options options = *w;
    lvl_image picture = *image;
    lvl_buffer from = {0}, to = {0};
    lvl_doc *drawn = NULL;

    if (!squares || w->like->format != format || w->layer_count)
        return LVL_ERR_ARG;
    if (w->layer && strpbrk(w->layer, "*]|:+"))
        return LVL_ERR_ARG; /* it must be the number or name of one layer */
    picture.offset_x = picture.offset_y = 0;
    picture.rest_len = 0;
    options.palette = w->palette ? w->palette : w->like;
    options.like = NULL;
    options.ending = NULL;
    lvl_buffer_printf(&from, "%s[0].%s[0,0 %lu,%lu]%c", layers->name, squares->name,
                      (unsigned long)image->width - 1, (unsigned long)image->height - 1, 0);
    lvl_buffer_printf(&to, "%s[%s].%s[%ld,%ld]%c", layers->name, w->layer ? w->layer : "0", squares->name,
                      (long)image->offset_x, (long)image->offset_y, 0);
    lvl_status status = from.status == LVL_OK ? to.status : from.status;
    if (status == LVL_OK)
        status = lvl_doc_draw(&drawn, ctx, format, &picture, &options, losses);
    if (status == LVL_OK)
        status = lvl_doc_copy(w->like, ctx, out);
    if (status == LVL_OK)
        status = lvl_copy_over(*out, (const char *)to.data, drawn, (const char *)from.data);
    lvl_doc_free(drawn);
    lvl_buffer_free(&from);
    lvl_buffer_free(&to);
    return or_none(out, status);
}

lvl_status lvl_doc_draw(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format, const lvl_image *image,
                        const lvl_draw_options *draw_options, lvl_findings *losses)
{
    const lvl_draw_options none = {0}, *w = draw_options ? draw_options : &none;
    lvl_image picture = *image;

    *out = NULL;
    if (!format->calls->draw)
        return LVL_ERR_UNSUPPORTED;
    if (w->like && !(lvl_format_can(format) & LVL_CAN_IMAGE))
        return draw_into(out, ctx, format, image, w, losses);
    lvl_status status = lvl_doc_new(out, ctx, format);
    if ((lvl_format_can(format) & LVL_CAN_IMAGE) && w->like) {
        if (status == LVL_OK)
            status = w->like->format == format ? copy_like(*out, w->like) : LVL_ERR_ARG;
        if (w->keep_indices && picture.format == LVL_PIXELS_INDEX8)
            picture.palette = NULL;
    }
    if (status == LVL_OK)
        status = format->calls->draw(*out, &picture, w, losses);
    if (*out)
        status = lvl_arena_status(&(*out)->arena, status);
    return or_none(out, status);
}

lvl_status lvl_png_like(lvl_doc **out, const lvl_ctx *ctx, lvl_bytes png, bool *keep_indices)
{
    lvl_bytes chunk, palette = {NULL, 0};

    *out = NULL;
    *keep_indices = false;
    if (!lvl_png_chunk(png, LVL_PNG_REST, &chunk) || chunk.len < CHUNK_HEAD)
        return LVL_ERR_MISSING;
    const lvl_text json = {(const char *)chunk.ptr + CHUNK_HEAD, chunk.len - CHUNK_HEAD};
    const lvl_status status = lvl_undump(out, ctx, json, NULL);
    if (status != LVL_OK)
        return status == LVL_ERR_MEMORY ? status : LVL_ERR_MISSING;
    if (lvl_png_chunk(png, "PLTE", &palette)) {
        const uint32_t crc = lvl_crc32(palette);
        const uint8_t bytes[] = {(uint8_t)(crc >> 24), (uint8_t)(crc >> 16), (uint8_t)(crc >> 8),
                                 (uint8_t)crc};
        *keep_indices = !chunk.ptr[0] && memcmp(chunk.ptr + 1, bytes, sizeof bytes) == 0;
    }
    return LVL_OK;
}

/* ---- documents to pictures --------------------------------------------------------------------------- */

lvl_status lvl_doc_picture(const lvl_doc *doc, const char *layer, lvl_image *out)
{
    return doc->format->calls->to_image ? doc->format->calls->to_image(doc, layer, out) : LVL_ERR_UNSUPPORTED;
}

/* A copy of the document without cells and lists, which borrows its texts and bytes. */
static lvl_status borrow_rest(const lvl_doc *doc, lvl_doc **out)
{
    const lvl_table *table = doc->format->table;
    lvl_status status = lvl_doc_new(out, doc->ctx, doc->format);

    for (uint32_t i = 0; i < table->field_count && status == LVL_OK; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->kind != LVL_CELLS && f->kind != LVL_LIST && f->role != LVL_DERIVED)
            memcpy((uint8_t *)(*out)->root + f->offset, (const uint8_t *)doc->root + f->offset, f->size);
    }
    return status;
}

/* Appends a dump of the document without pixels and colours; `placed`: also without its offset. */
static lvl_status dump_rest(const lvl_doc *doc, bool placed, lvl_buffer *out)
{
    static const char *const unmoved[] = {"offset_x=0", "offset_y=0"};
    const lvl_dump_options options = {.compact = true};
    lvl_doc *rest = NULL;

    lvl_status status = borrow_rest(doc, &rest);
    if (status == LVL_OK && placed && lvl_format_places(doc->format))
        status = lvl_set(rest, unmoved, LVL_COUNT_OF(unmoved), NULL, NULL);
    if (status == LVL_OK)
        status = lvl_dump(rest, &options, out, NULL);
    lvl_doc_free(rest);
    return status == LVL_OK ? out->status : status;
}

static lvl_status add_chunk(const lvl_doc *doc, bool own_palette, lvl_buffer *png, size_t from)
{
    lvl_bytes palette = {NULL, 0};
    lvl_buffer chunk = {0};

    const bool colors = lvl_png_chunk((lvl_bytes){png->data + from, png->len - from}, "PLTE", &palette);
    const uint32_t crc = colors ? lvl_crc32(palette) : 0;
    lvl_buffer_u8(&chunk, own_palette);
    for (int shift = 24; shift >= 0; shift -= 8)
        lvl_buffer_u8(&chunk, (uint8_t)(crc >> shift));
    lvl_status status = dump_rest(doc, false, &chunk);
    if (status == LVL_OK)
        status = lvl_png_chunk_add(png, from, LVL_PNG_REST, lvl_buffer_bytes(&chunk));
    lvl_buffer_free(&chunk);
    return status;
}

lvl_status lvl_doc_png(const lvl_doc *doc, const char *layer, const lvl_palette *palette, lvl_buffer *out)
{
    const size_t from = out->len;
    lvl_image image = {0};
    lvl_status status = lvl_doc_picture(doc, layer, &image);

    if (status == LVL_OK)
        status = lvl_png_write_buffer(doc->ctx, &image, palette, out);
    if (status == LVL_OK && (lvl_format_can(doc->format) & LVL_CAN_IMAGE))
        status = add_chunk(doc, image.palette != NULL, out, from);
    lvl_image_clear(&image);
    return status;
}

bool lvl_format_places(const lvl_format *format)
{
    for (uint32_t i = 0; lvl_format_can(format) & LVL_CAN_IMAGE && i < format->table->field_count; i++) {
        if (strcmp(format->table->fields[i].name, "offset_x") == 0)
            return true;
    }
    return false;
}

lvl_status lvl_frame_keep(lvl_frame *frame, const lvl_doc *doc)
{
    lvl_buffer dump = {0};
    const lvl_status status = dump_rest(doc, true, &dump);

    while (dump.len && dump.data[dump.len - 1] == '\n')
        dump.len--;
    if (status == LVL_OK) {
        frame->rest = (char *)dump.data;
        frame->rest_len = dump.len;
    } else {
        lvl_buffer_free(&dump);
    }
    return status;
}

lvl_status lvl_frame_like(lvl_doc **out, const lvl_ctx *ctx, const lvl_frame *frame)
{
    *out = NULL;
    if (!frame->rest)
        return LVL_OK;
    const lvl_status status = lvl_undump(out, ctx, (lvl_text){frame->rest, frame->rest_len}, NULL);
    return status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT || status == LVL_ERR_STOPPED ? status : LVL_OK;
}

lvl_status lvl_doc_picture_rest(const lvl_doc *doc, const char *layer, bool keep, lvl_image *image,
                                lvl_findings *losses)
{
    return doc->format->calls->rest ? doc->format->calls->rest(doc, layer, keep, image, losses) : LVL_OK;
}

lvl_status lvl_doc_restructure(lvl_doc *doc, const lvl_draw_options *draw_options, lvl_findings *losses)
{
    const lvl_draw_options none = {0};

    return doc->format->calls->restructure
               ? doc->format->calls->restructure(doc, draw_options ? draw_options : &none, losses)
               : LVL_ERR_UNSUPPORTED;
}

lvl_status lvl_doc_embed_screenshot(lvl_doc *doc, const lvl_image *shot, lvl_findings *losses)
{
    return doc->format->calls->embed_screenshot ? doc->format->calls->embed_screenshot(doc, shot, losses)
                                                : LVL_ERR_UNSUPPORTED;
}

/* ---- palettes ---------------------------------------------------------------------------------------- */

lvl_status lvl_doc_palette(const lvl_doc *doc, lvl_palette *out)
{
    lvl_image image = {0};

    if (doc->format->calls->to_palette)
        return doc->format->calls->to_palette(doc, out);
    lvl_status status = lvl_doc_picture(doc, NULL, &image);
    if (status == LVL_OK && image.palette)
        *out = *image.palette;
    else if (status == LVL_OK)
        status = LVL_ERR_UNSUPPORTED;
    lvl_image_clear(&image);
    return status;
}

lvl_status lvl_palette_read(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format, lvl_bytes file)
{
    *out = NULL;
    if (!format->calls->read_palette)
        return LVL_ERR_FOREIGN;
    lvl_status status = lvl_doc_new(out, ctx, format);
    if (status == LVL_OK)
        status = format->calls->read_palette(*out, file);
    return or_none(out, status);
}
