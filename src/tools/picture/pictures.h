/*
 * tools/picture/pictures.h: documents that are pictures: what a PNG keeps of them, their colours, how they
 * are stored.
 */
#ifndef LVL_TOOLS_PICTURE_PICTURES_H
#define LVL_TOOLS_PICTURE_PICTURES_H

#include <lvl/tools.h>

/* The same as a PNG, appended to `out`. The other content of a document that is a picture is kept in a chunk
 * "lvLf". `palette`: colours of a picture without its own; NULL: grey. Errors as above, and those of
 * lvl_png_write_buffer. */
lvl_status lvl_doc_png(const lvl_doc *doc, const char *layer, const lvl_palette *palette, lvl_buffer *out);
/* The content of that chunk of a PNG, as a document without pixels for lvl_draw_options.like, and whether
 * lvl_draw_options.keep_indices should be set: the palette is still the one that was written for a picture
 * without its own. LVL_ERR_MISSING: the PNG has no such chunk, or one that can't be read; *out is NULL then;
 * else to be freed. */
lvl_status lvl_png_like(lvl_doc **out, const lvl_ctx *ctx, lvl_bytes png, bool *keep_indices);
/* Whether pictures of the format have an offset from the point where they are drawn. */
bool lvl_format_places(const lvl_format *format);
struct lvl_frame;
/* The same for a frame of a sheet (frames.h), in frame->rest: what a document that is a picture has besides
 * it. The offset is not part of that. */
lvl_status lvl_frame_keep(struct lvl_frame *frame, const lvl_doc *doc);
/* The document of frame->rest, without pixels and colours, to be freed; NULL: there is none that can be
 * read. */
lvl_status lvl_frame_like(lvl_doc **out, const lvl_ctx *ctx, const struct lvl_frame *frame);
/* Stores the content that such a picture does not show (title, actors, other layers …) in image->rest, from
 * which lvl_doc_draw restores the whole document. What cannot be stored is added to `losses`; with `keep`
 * false that is all of it, and the image is not changed. Sprites have no such content. */
lvl_status lvl_doc_picture_rest(const lvl_doc *doc, const char *layer, bool keep, lvl_image *image,
                                lvl_findings *losses);
/* Changes how a drawing is stored (options chunk_size, trim_palette; NULL: not at all), not how it looks.
 * Losses as above. One thread, while none reads. LVL_ERR_ARG, LVL_ERR_UNSUPPORTED: a part of it may be
 * done. */
lvl_status lvl_doc_restructure(lvl_doc *doc, const lvl_draw_options *draw_options, lvl_findings *losses);

/* Puts a screenshot of the start, RGBA8 of format->shot_width by shot_height px, into the document, in each
 * size that the game stores. Losses as above. LVL_ERR_UNSUPPORTED: such documents have no screenshots. One
 * thread. */
lvl_status lvl_doc_embed_screenshot(lvl_doc *doc, const lvl_image *shot, lvl_findings *losses);
/* The colours of a palette, or a picture's own. LVL_ERR_UNSUPPORTED: the document has none. */
lvl_status lvl_doc_palette(const lvl_doc *doc, lvl_palette *out);
/* Reads a list of colours in a format that is not a document format (Sketchy Maze's palettes in JSON, GIMP's
 * palettes) as a document of the format, for lvl_draw_options.palette; to be freed. LVL_ERR_FOREIGN: it is no
 * such file; *out is NULL then. */
lvl_status lvl_palette_read(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format, lvl_bytes file);

#endif
