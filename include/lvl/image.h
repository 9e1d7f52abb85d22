/*
 * lvl/image.h: a picture in memory, made by decoders and used by renderers. Plain data: one thread writes,
 * any number read.
 */
#ifndef LVL_IMAGE_H
#define LVL_IMAGE_H

#include <lvl/doc.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lvl_pixels {
    LVL_PIXELS_INDEX8, /* one palette index per pixel */
    LVL_PIXELS_RGBA8 /* red, green, blue, alpha; alpha is straight, not premultiplied */
} lvl_pixels;

typedef struct lvl_palette {
    uint8_t rgb[256][3];
} lvl_palette;

typedef struct lvl_image {
    lvl_pixels format;
    uint32_t width, height;
    /* where the sprite is drawn, in px from its object's point (added to the centring) */
    int32_t offset_x, offset_y;
    uint8_t *pixels; /* rows without padding */
    uint8_t *mask; /* INDEX8: one byte per pixel, 0 not drawn, 255 drawn; NULL: every pixel is drawn */
    lvl_palette *palette; /* INDEX8: the image's own palette, or NULL (the level's is used) */
    /* The content of the picture's document that pixels can't show, owned by the
     * image; NULL: none. A PNG keeps it in the chunk "lvLf", which other programs may copy, and lvl_doc_draw
     * reads it. */
    uint8_t *rest;
    size_t rest_len;
} lvl_image;

/* Allocates pixels (and a mask if `masked`), zeroed; width and height at least 1, within the limits of
 * ctx. */
LVL_API lvl_status lvl_image_init(lvl_image *out, const lvl_ctx *ctx, lvl_pixels format, uint32_t width,
                                  uint32_t height, bool masked);
/* Frees what the image owns, not the struct. */
LVL_API void lvl_image_clear(lvl_image *image);

/* ---- pictures that become documents ------------------------------------------------------------------ */

/* How transparent px are treated when a drawing is made from a picture. */
typedef enum lvl_alpha_choice {
    LVL_ALPHA_KEEP, /* a transparent colour */
    LVL_ALPHA_CUT, /* below half opacity not drawn, else opaque */
    LVL_ALPHA_OVER /* blended with a colour */
} lvl_alpha_choice;

/* Options for a drawing that is made from a picture, or restructured. All 0: defaults. */
typedef struct lvl_draw_options {
    const char *ending; /* of the file, without dot: decides the kind of document; or NULL */
    const lvl_doc *palette; /* use the colours of this document, with their attributes; or NULL */
    uint32_t chunk_size; /* px, width and height of a chunk; 0: unchanged, or the format's default */
    bool trim_palette; /* merge equal colours and remove unused ones */
    bool more_colors; /* append colours that `palette` does not have */
    uint32_t colors; /* reduce the picture to at most this many colours; 0: no */
    lvl_alpha_choice alpha;
    uint8_t over[3]; /* LVL_ALPHA_OVER */
    bool has_key; /* px with the colour `key` are not drawn */
    uint8_t key[3];
    const lvl_image *layers; /* more pictures of the same size, each a layer, for formats with layers */
    uint32_t layer_count;
    const char *const *layer_names; /* of the first picture and then of `layers`; NULL: none */
    /* formats that are a picture: what the picture does not have (flags, offsets, how pixels are encoded) is
     * taken from this document of the same format; or NULL. The picture's own offset wins unless it is 0,
     * 0 */
    const lvl_doc *like;
    /* Formats with layers, with `like`: the picture is drawn onto this layer ("1", or its name; NULL: the
     * first) of a copy of that document, at its offset; where it is transparent, nothing changes. Colours are
     * the document's unless `palette` is set */
    const char *layer;
    const lvl_image *tileset; /* levels of tiles: the picture with the tiles; else NULL */
    /* colours that a given palette does not have become its nearest colour; otherwise they are losses */
    bool nearest;
    bool keep_indices; /* INDEX8: the indices refer to another palette; ignore the picture's own */
    LVL_RESERVED(4);
} lvl_draw_options;

/* ---- pictures on the way out ------------------------------------------------------------------------- */

/* The properties of a picture to be written. */
typedef struct lvl_picture {
    uint32_t width, height;
    uint32_t channels; /* 1: palette indices, 3: RGB, 4: RGBA, straight alpha */
    const lvl_palette *palette; /* of indices; else NULL */
    bool has_key; /* indices: `key` isn't drawn */
    uint8_t key;
    int32_t offset_x, offset_y; /* px, see lvl_image; PNG has a chunk for it (oFFs) */
    lvl_bytes rest; /* see lvl_image */
} lvl_picture;

/* A receiver of rows: begin once, rows from top to bottom, end once. A failing status stops the picture and
 * is returned by the function that makes it. */
typedef struct lvl_rows lvl_rows;
struct lvl_rows {
    lvl_status (*begin)(lvl_rows *rows, const lvl_picture *picture);
    /* `count` rows without padding; valid only during the call. */
    lvl_status (*rows)(lvl_rows *rows, const uint8_t *pixels, uint32_t count);
    lvl_status (*end)(lvl_rows *rows);
};

/* A receiver of encoded bytes, in order. */
typedef struct lvl_writer lvl_writer;
struct lvl_writer {
    lvl_status (*write)(lvl_writer *writer, const void *data, size_t len);
};

/* ---- PNG --------------------------------------------------------------------------------------------- */

/* Appends the picture as a PNG. `palette`: colours of an INDEX8 picture without its own; NULL: grey. */
LVL_API lvl_status lvl_png_write_buffer(const lvl_ctx *ctx, const lvl_image *image,
                                        const lvl_palette *palette, lvl_buffer *out);

/* The same into a file, which is created, or replaced as a whole. LVL_ERR_IO, LVL_ERR_MISSING: errno has the
 * reason. */
LVL_API lvl_status lvl_png_save(const lvl_ctx *ctx, const lvl_image *image, const lvl_palette *palette,
                                const char *path);

/* ---- all kinds --------------------------------------------------------------------------------------- */

/* "PNG", "GIF" or "JPEG", by the first bytes; NULL: another kind. Static storage. */
LVL_API const char *lvl_picture_kind(lvl_bytes bytes);
/* Reads a picture of any of these kinds. A PNG with a palette becomes INDEX8 if `indices` is set and the
 * palette has no partly transparent colours; else RGBA8. A GIF becomes INDEX8, a JPEG RGBA8. LVL_ERR_FORMAT:
 * another kind, or broken; LVL_ERR_LIMIT: larger than the context allows; LVL_ERR_UNSUPPORTED: a JPEG, and
 * lvl was built without libjpeg. */
LVL_API lvl_status lvl_picture_read(const lvl_ctx *ctx, lvl_bytes bytes, bool indices, lvl_image *out);

#ifdef __cplusplus
}
#endif

#endif
