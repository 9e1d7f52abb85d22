/*
 * lvl/render.h: scenes to pixels, in bands, so that a map of any size needs little memory. One thread per
 * scene at a time.
 */
#ifndef LVL_RENDER_H
#define LVL_RENDER_H

#include <lvl/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lvl_render_view {
    LVL_VIEW_WHOLE, /* the whole main layer with its things; other layers at 1:1, as seen from the camera,
                       repeated if they wrap */
    LVL_VIEW_LAYER, /* one whole layer by itself (with the things if it is the main layer) */
    LVL_VIEW_CAMERA /* what the game shows with its camera centred at a point */
} lvl_render_view;

enum { /* overlays */
       LVL_OVERLAY_GRID = 1, /* cell borders of the main layer */
       LVL_OVERLAY_TILES = 2, /* how cells behave, as tints */
       LVL_OVERLAY_THINGS = 4, /* things' outlines, boxes and labels, hidden ones too */
       LVL_OVERLAY_RANGES = 8, /* patrol ranges and links */
       LVL_OVERLAY_LEGEND = 16, /* what the colours mean, in the picture's corner */
       LVL_OVERLAY_FINDINGS = 32 /* cells of the main layer whose picture is missing, crossed out; findings */
};

#define LVL_LAYER_DEFAULT (-1)

typedef struct lvl_render_options {
    lvl_render_view view;
    uint32_t layer; /* LVL_VIEW_LAYER */
    bool camera_given; /* false: the scene's start is used */
    int32_t camera_x, camera_y; /* centre of the view, main layer px */
    uint32_t view_width, view_height; /* LVL_VIEW_CAMERA: px; 0: 1024 and 768 */
    bool region_given;
    /* of the picture before scaling, px of the main layer (or of the layer shown, or of the view) */
    lvl_rect region;
    /* the region will be joined with others: labels are where the whole picture has them, cut off at the
     * region's edges; otherwise labels of things in the region are moved into it */
    bool adjoining;
    /* thumbnail: neither side longer than this, box filter; 0: off. Never enlarges. In large levels each cell
     * and thing is first shrunk separately, to pixels of at most a quarter of the result's, and placed on the
     * nearest of them. */
    uint32_t size;
    uint32_t scale_up, scale_down; /* integer factors; 0 means 1; scale_down is a box filter */
    /* for each layer 1 draw, 0 don't, LVL_LAYER_DEFAULT: by the view; NULL: all default */
    const signed char *layers;
    uint32_t layer_count; /* number of entries; further layers are default */
    bool no_things;
    bool schematic; /* draw schematically although there is art */
    bool transparent; /* empty places are transparent instead of black */
    unsigned overlays; /* LVL_OVERLAY_… */
    uint32_t band_bytes; /* approximate bytes of pixels drawn at once; 0: 4 MiB */
    /* lvl_render_diff: titles of the three pictures; NULL: "before", "after", how much changed */
    const char *captions[3];
    /* LVL_OVERLAY_FINDINGS: findings about the document of the scene, which are marked at their things; those
     * without a place, at the upper left. NULL: none. Must outlive the picture. */
    const lvl_findings *findings;
    LVL_RESERVED(3);
} lvl_render_options;

/* Sets all to zero: the whole level, drawn with the art that is found. */
LVL_API void lvl_render_options_init(lvl_render_options *out);

/* The size that the picture will have; LVL_ERR_ARG if there is nothing to draw (no such layer, an empty
 * region), LVL_ERR_LIMIT if it is too large. */
LVL_API lvl_status lvl_render_size(const lvl_scene *scene, const lvl_render_options *options, uint32_t *width,
                                   uint32_t *height);
/* The part of the picture that is not empty, to be used as its region: cells of the main layer (or of the
 * layer shown) that draw something, and things. LVL_ERR_ARG: everything is empty, or the view is the
 * camera's. */
LVL_API lvl_status lvl_render_content(const lvl_scene *scene, const lvl_render_options *options,
                                      lvl_rect *out);
/* Draws the picture and passes it to `rows` in bands from top to bottom. Needs memory only for a band.
 * LVL_ERR_ARG and LVL_ERR_LIMIT as lvl_render_size, LVL_ERR_MEMORY, or what `rows` returned. */
LVL_API lvl_status lvl_render(const lvl_scene *scene, const lvl_render_options *options, lvl_rows *rows);
/* The same as a streamed PNG. The pixels are always the same, but the compressed bytes may differ. */
LVL_API lvl_status lvl_render_png(const lvl_scene *scene, const lvl_render_options *options, lvl_writer *out);
/* The same into a file, which is created, or replaced as a whole. LVL_ERR_IO, LVL_ERR_MISSING: errno has the
 * reason. */
LVL_API lvl_status lvl_render_save(const lvl_scene *scene, const lvl_render_options *options,
                                   const char *path);
/* The same into memory, with four bytes for each pixel; always RGBA8. lvl_image_clear frees it.
 * LVL_ERR_LIMIT: it is larger than the context's limits of memory or cells allow, and ctx->usage (if it is
 * set) has which one: options->size shrinks it, options->region draws a part, and lvl_render_png needs
 * memory for a band only. */
LVL_API lvl_status lvl_render_image(const lvl_scene *scene, const lvl_render_options *options,
                                    lvl_image *out);

/* ---- tile maps ----------------------------------------------------------------------------------------- */

/* A layer in the form that engines use: a picture of its distinct tiles, and a grid of their numbers. */
typedef struct lvl_atlas {
    uint32_t columns, rows; /* size of the layer, in cells */
    uint32_t cell_width, cell_height; /* px */
    uint32_t *cells; /* columns * rows, row by row: the number of the tile plus 1; 0: draws nothing */
    uint32_t tile_count;
    uint32_t across; /* tiles in a row of the picture; the tile n is at column n % across, row n / across */
    lvl_image image; /* RGBA8; no pixels if there are no tiles */
    const lvl_ctx *ctx;
} lvl_atlas;

/* Makes an atlas, to be cleared unless there was an error. Tiles are drawn as in LVL_VIEW_LAYER.
 * `schematic`: schematically, even if there is art. LVL_ERR_ARG: no such layer; LVL_ERR_LIMIT: too many
 * cells or pixels. */
LVL_API lvl_status lvl_render_atlas(const lvl_scene *scene, uint32_t layer, bool schematic, lvl_atlas *out);
/* Frees what the atlas owns, not the struct. */
LVL_API void lvl_atlas_clear(lvl_atlas *atlas);

/* ---- levels of another family -------------------------------------------------------------------------- */

typedef struct lvl_scene_level_options {
    const lvl_art *art; /* pictures of the source; NULL: it is drawn schematically */
    uint32_t scale_down; /* px of the source for one px of the level; 0: derived from the height of the
                            players */
    lvl_text title; /* UTF-8, for a level without a title; may be empty */
    bool allow_loss;
    LVL_RESERVED(4);
} lvl_scene_level_options;

/* Converts a level to a new level of another family by drawing it: the pixels are solid, ground, deadly or
 * water like the cells that they come from; starts, exits and checkpoints become those of the target. Each
 * item without a counterpart is a finding lvl.convert.counterpart in `losses`, with its path in `doc`.
 * `options` and `losses` may be NULL. `*out` is to be freed; NULL unless LVL_OK. LVL_ERR_UNSUPPORTED: the
 * format cannot be drawn, or is of the same family (lvl_convert), or `doc` is not a level; LVL_ERR_LOSS:
 * there are losses and they are not allowed; LVL_ERR_LIMIT: too many pixels, a larger scale_down helps. */
LVL_API lvl_status lvl_convert_scene(lvl_doc **out, const lvl_doc *doc, const lvl_format *to,
                                     const lvl_scene_level_options *options, lvl_findings *losses);

/* ---- animations -------------------------------------------------------------------------------------- */

/* An animation to draw: a document for lvl_doc_play, and how. */
typedef struct lvl_render_play {
    const lvl_doc *doc;
    lvl_scene_request
        request; /* art, choices; `direction` if only one is drawn; `frame` and `play` are ignored */
    const lvl_animation *play; /* from lvl_doc_play with that request */
    /* how each frame is drawn: size, scale, transparency, overlays … */
    const lvl_render_options *options;
    LVL_RESERVED(4);
} lvl_render_play;

/* All frames of an animation as one PNG: a column for each frame, a row for each direction, or only one row
 * if `one_direction`. All cells have the same size. LVL_ERR_LIMIT: it is larger than the context allows. */
LVL_API lvl_status lvl_render_sheet(const lvl_render_play *play, bool one_direction, lvl_writer *out);
/* The frames of one direction as an animated PNG, with their times; it loops if the animation does, else it
 * plays once. */
LVL_API lvl_status lvl_render_apng(const lvl_render_play *play, lvl_writer *out);
/* The same as a GIF: each frame has at most 255 colours, the nearest ones, and pixels are opaque or
 * transparent; times are in hundredths of a second, at least two. LVL_ERR_LIMIT: a side has more than 65,535
 * pixels. */
LVL_API lvl_status lvl_render_gif(const lvl_render_play *play, lvl_writer *out);

/* Before, after and the changes, side by side, as a PNG: the part of the main layer that contains all
 * changes, shrunk until no panel is wider or higher than options->size (0: 1024) or, for a drawing, enlarged
 * if it is small. `changes` NULL: found with lvl_scene_compare. `options` may be NULL; only size, layers,
 * no_things, schematic and overlays are used. */
LVL_API lvl_status lvl_render_diff(const lvl_scene *before, const lvl_scene *after,
                                   const lvl_scene_change *changes, size_t change_count,
                                   const lvl_render_options *options, lvl_writer *out);

#ifdef __cplusplus
}
#endif

#endif
