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
    LVL_VIEW_WHOLE, /* the main layer from end to end with its things; other layers at 1:1, as seen from the
                       camera, repeated where they wrap */
    LVL_VIEW_LAYER, /* one layer from end to end, by itself (with the things if it is the main one) */
    LVL_VIEW_CAMERA /* what the game shows with its camera centred at a point */
} lvl_render_view;

enum { /* overlays */
       LVL_OVERLAY_GRID = 1, /* cell borders of the main layer */
       LVL_OVERLAY_TILES = 2, /* how cells behave, as tints */
       LVL_OVERLAY_THINGS = 4, /* things' outlines, boxes and labels, hidden ones too */
       LVL_OVERLAY_RANGES = 8, /* patrol ranges and links */
       LVL_OVERLAY_LEGEND = 16 /* what the colours mean, in the picture's corner */
};

#define LVL_LAYER_DEFAULT (-1)

typedef struct lvl_render_options {
    lvl_render_view view;
    uint32_t layer; /* LVL_VIEW_LAYER */
    bool camera_given; /* else the scene's start is used */
    int32_t camera_x, camera_y; /* centre of the view, main layer px */
    uint32_t view_width, view_height; /* LVL_VIEW_CAMERA: px; 0: 1024 and 768 */
    bool region_given;
    /* of the picture before scaling, px of the main layer (or of the layer shown, or of the view) */
    lvl_rect region;
    /* the region will be joined with others: labels are where the whole picture has them, and cut at the
     * region's edges; else those of things in the region are moved into it */
    bool adjoining;
    /* thumbnail: neither side longer than this, box filter; 0: off. Never enlarges. In large levels each cell
     * and thing is shrunk by itself first, to pixels of at most a quarter of the result's, and placed on the
     * nearest of them. */
    uint32_t size;
    uint32_t scale_up, scale_down; /* whole factors; 0 means 1; scale_down is a box filter */
    /* for each layer 1 draw, 0 don't, LVL_LAYER_DEFAULT: by the view; NULL: all default */
    const signed char *layers;
    uint32_t layer_count; /* entries in it; layers beyond are default */
    bool no_things;
    bool schematic; /* draw schematically although there is art */
    bool transparent; /* empty places are transparent instead of black */
    unsigned overlays; /* LVL_OVERLAY_… */
    uint32_t band_bytes; /* pixels drawn at once, about; 0: 4 MiB */
    /* lvl_render_diff: titles of the three pictures; NULL: "before", "after", how much changed */
    const char *captions[3];
    LVL_ROOM(4);
} lvl_render_options;

/* All zero: the whole level, drawn with the art that is found. */
LVL_API void lvl_render_options_init(lvl_render_options *out);

/* The size that the picture will have; LVL_ERR_ARG if there is nothing to draw (no such layer, an empty
 * region), LVL_ERR_LIMIT if it is too large. */
LVL_API lvl_status lvl_render_size(const lvl_scene *scene, const lvl_render_options *options, uint32_t *width,
                                   uint32_t *height);
/* The part of the picture that is not empty, to be used as its region: cells of the main layer (or of the
 * layer shown) that draw something, and things. LVL_ERR_ARG: all of it is empty, or the view is the
 * camera's. */
LVL_API lvl_status lvl_render_content(const lvl_scene *scene, const lvl_render_options *options,
                                      lvl_rect *out);
/* Draws the picture and passes it to `rows` in bands from top to bottom. Needs memory for a band, not for
 * the picture. LVL_ERR_ARG and LVL_ERR_LIMIT as lvl_render_size, LVL_ERR_MEMORY, or what `rows`
 * returned. */
LVL_API lvl_status lvl_render(const lvl_scene *scene, const lvl_render_options *options, lvl_rows *rows);
/* The same as a PNG, streamed. The pixels are always the same, the compressed bytes may differ. */
LVL_API lvl_status lvl_render_png(const lvl_scene *scene, const lvl_render_options *options, lvl_writer *out);
/* The same into memory, with four bytes for each pixel; always RGBA8. lvl_image_clear frees it.
 * LVL_ERR_LIMIT: it is larger than the context's limits of memory or cells allow, and ctx->usage (if it is
 * set) has which one: options->size shrinks it, options->region draws a part, and lvl_render_png needs
 * memory for a band only. */
LVL_API lvl_status lvl_render_image(const lvl_scene *scene, const lvl_render_options *options,
                                    lvl_image *out);

/* ---- what to draw, in words ---------------------------------------------------------------------------- */

/* A word: an option of `lvl render`, of the same name in bindings. */
typedef struct lvl_render_word {
    const char *name;
    const char *value; /* what is expected, for messages ("N or 1/N"); NULL: 0 or 1 */
} lvl_render_word;
/* All words: size, scale, region, camera, view, plane, layers, hide, overlay, crop, schematic,
 * transparent, frame, direction. Static storage; any thread. */
LVL_API const lvl_render_word *lvl_render_word_list(size_t *count);

/* What the words say. Texts are borrowed. */
typedef struct lvl_render_words {
    lvl_render_options options; /* what needs no scene */
    uint32_t fit_width, fit_height; /* size: the box that the picture fits into; 0: none */
    bool crop; /* without empty borders */
    const char *plane, *layers,
        *hide; /* numbers or names, as UTF-8; lists have commas, and "objects" in them */
    const char *frame, *direction; /* of an animation: a number or name */
    LVL_ROOM(4);
} lvl_render_words;

/* No word is set: the options are those of lvl_render_options_init. */
LVL_API void lvl_render_words_init(lvl_render_words *out);
/* Sets a word. LVL_ERR_MISSING: there is no such word; LVL_ERR_ARG: *bad, the value or an item of it, is
 * not what it expects. */
LVL_API lvl_status lvl_render_words_set(lvl_render_words *draw, const char *name, const char *value,
                                        lvl_text *bad);
/* The word that was set and excludes camera and view, which were set, too; NULL: none. */
LVL_API const char *lvl_render_words_clash(const lvl_render_words *draw);
/* The options for a scene. `layers` has room for scene->layer_count + 1, and has to live as long as *out.
 * LVL_ERR_MISSING: there is no layer *missing; `lenient`: one to hide may be missing. Else as
 * lvl_render_size. */
LVL_API lvl_status lvl_render_words_scene(const lvl_render_words *draw, const lvl_scene *scene, bool lenient,
                                          signed char *layers, lvl_render_options *out, lvl_text *missing);
/* Sets the layers of a list, as in the words, to be drawn: of what lvl_render_words_scene chose. False:
 * there is no layer *missing. */
LVL_API bool lvl_render_layers_mark(const lvl_scene *scene, const char *list, signed char *layers,
                                    lvl_text *missing);
/* Appends the names of the layers that a word may name, with commas; a number where there is no name. */
LVL_API void lvl_render_layer_names(const lvl_scene *scene, lvl_buffer *out);
/* Only the size, of all frames of an animation: `scene` is one of them. */
LVL_API lvl_status lvl_render_words_fit(const lvl_render_words *draw, const lvl_scene *scene,
                                        lvl_render_options *options);
/* Sets the frame and direction of a request; without words the first one, down. `page` is that of the
 * document. LVL_ERR_MISSING: there is none, and *missing is the word. */
LVL_API lvl_status lvl_render_words_frame(const lvl_render_words *draw, lvl_codepage page,
                                          const lvl_animation *play, lvl_scene_request *request,
                                          const char **missing);

/* Whether a text is "NAME=VALUE", with a name. */
LVL_API bool lvl_render_is_choice(const char *text);
/* Choices of an animation (lvl_scene_request.choices) from such texts, in the document's code page; what
 * they point to is appended to `storage`. LVL_ERR_MEMORY. */
LVL_API lvl_status lvl_render_choices(lvl_codepage page, const char *const *texts, size_t count,
                                      lvl_scene_choice *choices, lvl_buffer *storage);

/* ---- tile maps ----------------------------------------------------------------------------------------- */

/* A layer as engines draw it: a picture of its distinct tiles, and a grid of their numbers. */
typedef struct lvl_atlas {
    uint32_t columns, rows; /* of the layer, cells */
    uint32_t cell_width, cell_height; /* px */
    uint32_t *cells; /* columns * rows, row by row: the number of the tile plus 1; 0: draws nothing */
    uint32_t tile_count;
    uint32_t across; /* tiles in a row of the picture; the tile n is at column n % across, row n / across */
    lvl_image image; /* RGBA8; no pixels if there are no tiles */
    const lvl_ctx *ctx;
} lvl_atlas;

/* Makes it, to be cleared unless there was an error. Tiles are drawn as lvl_render draws the layer by
 * itself. `schematic`: also where there is art. LVL_ERR_ARG: no such layer; LVL_ERR_LIMIT: too many cells
 * or pixels. */
LVL_API lvl_status lvl_render_atlas(const lvl_scene *scene, uint32_t layer, bool schematic, lvl_atlas *out);
/* Frees what it owns, not the struct. */
LVL_API void lvl_atlas_clear(lvl_atlas *atlas);

/* ---- levels of another family -------------------------------------------------------------------------- */

typedef struct lvl_scene_level_options {
    const lvl_art *art; /* pictures of the source; NULL: it is drawn schematically */
    uint32_t scale_down; /* px of the source for one of the level; 0: by the height of the players */
    lvl_text title; /* UTF-8, of a level that has none of its own; may be empty */
    bool allow_loss;
    LVL_ROOM(4);
} lvl_scene_level_options;

/* Draws a level of one family as a new level of a format of another: a picture whose pixels block, carry,
 * kill or are water as the cells under them do; starts, exits and checkpoints become those of the target.
 * Each item without a counterpart is a finding lvl.convert.counterpart in `losses`, with its place in `doc`.
 * `options` and `losses` may be NULL. `*out` is to be freed; NULL unless LVL_OK. LVL_ERR_UNSUPPORTED: the
 * format is not made of pictures, or is of the same family (lvl_convert), or `doc` is no level; LVL_ERR_LOSS:
 * there are losses and they are not allowed; LVL_ERR_LIMIT: too many pixels, a larger scale_down helps. */
LVL_API lvl_status lvl_convert_scene(lvl_doc **out, const lvl_doc *doc, const lvl_format *to,
                                     const lvl_scene_level_options *options, lvl_findings *losses);

/* ---- animations -------------------------------------------------------------------------------------- */

/* An animation to draw: a document for lvl_doc_play, and how. */
typedef struct lvl_render_play {
    const lvl_doc *doc;
    lvl_scene_request
        request; /* art, choices; `direction` where one is drawn; `frame` and `play` are ignored */
    const lvl_animation *play; /* from lvl_doc_play with that request */
    /* how each frame is drawn, as if by itself: its size, scale, transparency, overlays … */
    const lvl_render_options *options;
    LVL_ROOM(4);
} lvl_render_play;

/* All frames of an animation as one PNG: a column for each frame, a row for each direction, or only the row
 * of one if `one_direction`. All cells are of one size. LVL_ERR_LIMIT if it is larger than the context
 * allows. */
LVL_API lvl_status lvl_render_sheet(const lvl_render_play *play, bool one_direction, lvl_writer *out);
/* The frames of one direction as an animated PNG, with their times; it loops if the animation does, else it
 * plays once. */
LVL_API lvl_status lvl_render_apng(const lvl_render_play *play, lvl_writer *out);

/* Before, after and what changed, side by side, as a PNG: the part of the main layer that holds all changes,
 * shrunk until no panel is wider or higher than options->size (0: 1024), and of a drawing enlarged if it is
 * small. `changes` NULL: found with lvl_scene_compare. `options` may be NULL; size, layers, no_things,
 * schematic and overlays of it are used. */
LVL_API lvl_status lvl_render_diff(const lvl_scene *before, const lvl_scene *after,
                                   const lvl_scene_change *changes, size_t change_count,
                                   const lvl_render_options *options, lvl_writer *out);

/* One part of a comparison: pictures of one size. */
typedef struct lvl_diff_part {
    lvl_rect area; /* px of the main layer of the scene `after` */
    uint32_t scale_up, scale_down; /* by which factor it is drawn; one of them is 1 */
    lvl_image before, after;
    lvl_image marked; /* after, dimmed, with each change marked */
} lvl_diff_part;

/* Which parts to show: first the one that holds all changes, then each group of changes that lie close to
 * each other, with a margin, by rows; at most `most` in all. `changes` from lvl_scene_compare.
 * LVL_ERR_MEMORY. */
LVL_API lvl_status lvl_render_diff_areas(const lvl_scene *before, const lvl_scene *after,
                                         const lvl_scene_change *changes, size_t change_count,
                                         lvl_rect *areas, size_t most, size_t *count);
/* Draws a part (NULL: the one with all changes), with the same options as lvl_render_diff; with
 * options->scale_up a small one is enlarged up to that factor, as far as size allows. LVL_ERR_ARG: the area
 * is empty. If LVL_OK, `out` is to be cleared. */
LVL_API lvl_status lvl_render_diff_part(const lvl_scene *before, const lvl_scene *after,
                                        const lvl_scene_change *changes, size_t change_count,
                                        const lvl_rect *area, const lvl_render_options *options,
                                        lvl_diff_part *out);
/* Frees the three pictures of a part, not the struct itself; it may be cleared again. Not NULL. */
LVL_API void lvl_diff_part_clear(lvl_diff_part *part);

#ifdef __cplusplus
}
#endif

#endif
