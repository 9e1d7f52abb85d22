/*
 * tools/picture/frames.h: the pictures of an animation or a set, one by one, and all of them in one picture
 * (a sprite sheet) with a list of where they are: JSON in the form of Aseprite's --data, which game engines
 * and packers of sheets read and write, too.
 */
#ifndef LVL_TOOLS_PICTURE_FRAMES_H
#define LVL_TOOLS_PICTURE_FRAMES_H

#include <lvl/doc.h>
#include <lvl/image.h>

enum { LVL_FRAME_MS = 100 /* the time of a frame that has none */ };

typedef struct lvl_frame {
    char *name; /* UTF-8; of a file or a layer */
    lvl_image image; /* no pixels: not cut out of the sheet yet; its offset does not count */
    uint32_t width, height; /* of `image` */
    /* what it is a part of: a canvas, with the point where the sprite is drawn; and where it is in that */
    uint32_t canvas_width, canvas_height;
    int32_t point_x, point_y, left, top;
    uint32_t ms; /* how long it is shown */
    bool own_palette; /* its document has the palette; false: that is the level's */
    char *rest; /* a dump of its document without pixels and colours; NULL: none */
    size_t rest_len;
    uint32_t x, y; /* in the sheet */
} lvl_frame;

/* A sequence of frames with a name. */
typedef struct lvl_frame_tag {
    char *name; /* UTF-8 */
    uint32_t from, to; /* the first and the last */
} lvl_frame_tag;

/* Zeroed: empty. Its memory is from malloc. */
typedef struct lvl_frames {
    lvl_frame *items;
    lvl_frame_tag *tags;
    uint32_t count, tag_count;
    size_t cap, tag_cap;
    char *picture; /* file name of the sheet, as the list has it; or NULL */
    bool points; /* the list has the points of its frames; else they are the middle of the canvas */
    bool loops; /* of an animation: it is shown again and again */
    bool has_colors; /* `colors`: a checksum of the sheet's palette */
    uint32_t colors;
} lvl_frames;

void lvl_frames_free(lvl_frames *frames);
/* Adds a frame of that size without a picture; its canvas is itself, its point the middle. LVL_ERR_MEMORY,
 * and LVL_ERR_LIMIT beyond LVL_FRAMES_MOST frames. */
enum { LVL_FRAMES_MOST = 65536 };
lvl_status lvl_frames_add(lvl_frames *frames, const lvl_ctx *ctx, lvl_text name, uint32_t width,
                          uint32_t height, lvl_frame **out);
/* The same with a picture, which it takes over, also if it fails. The point is moved by its offset, as that
 * of sprites is. */
lvl_status lvl_frames_add_image(lvl_frames *frames, const lvl_ctx *ctx, lvl_text name, lvl_image *image,
                                lvl_frame **out);
/* Appends the name of frame `number` of a file: "walk001", "walk1_001". */
void lvl_frame_name(lvl_buffer *out, lvl_text stem, uint32_t number);
lvl_status lvl_frames_add_tag(lvl_frames *frames, lvl_text name, uint32_t from, uint32_t to);
/* Moves all frames and tags to the end of another list. */
lvl_status lvl_frames_move(lvl_frames *to, const lvl_ctx *ctx, lvl_frames *from);
/* The offset of a sprite that is centred on its point, so that it is where the frame is. */
void lvl_frame_offset(const lvl_frame *frame, int32_t *x, int32_t *y);
/* Gives frames that have different canvases, and offsets (`always`: or none), one canvas: what they cover
 * together. LVL_ERR_LIMIT: it is too large; nothing is changed. */
lvl_status lvl_frames_unite(lvl_frames *frames, const lvl_ctx *ctx, bool always);

/* How many palettes the frames have one after another (none: grey); 0: true colours are among them. */
uint32_t lvl_frames_palettes(const lvl_frames *frames);
/* Puts all into one picture, in their order, row by row, and sets their places: INDEX8 if they share a
 * palette (none: grey), else RGBA8. LVL_ERR_ARG without frames, LVL_ERR_LIMIT. */
lvl_status lvl_frames_pack(lvl_frames *frames, const lvl_ctx *ctx, lvl_image *out);
/* The same, and the picture as a PNG. *indexed: the PNG has a palette; without one it has true colours, also
 * where no index is left for what is transparent. `out` is to be cleared in any case. */
lvl_status lvl_frames_png(lvl_frames *frames, const lvl_ctx *ctx, lvl_buffer *png, bool *indexed,
                          lvl_image *out);
/* Appends the list as JSON. `picture`: the file name of the sheet, `indexed`: it has a palette. `hash`:
 * frames are members of an object, by their names; LVL_ERR_ARG: two have one name. */
lvl_status lvl_frames_json(const lvl_frames *frames, const lvl_image *sheet, const char *picture,
                           bool indexed, bool hash, lvl_buffer *out);

/* A checksum of a palette, as in lvl_frames.colors; NULL: grey. */
uint32_t lvl_frames_checksum(const lvl_palette *palette);

/* Whether a JSON text may be such a list, and not a dump. */
bool lvl_frames_probe(lvl_text json);
/* Reads such a list, as lvl, Aseprite and packers write it: an array or an object, trimmed frames, pivots.
 * Frames have no pixels then. LVL_ERR_FORMAT: `error` (of LVL_FRAMES_ERROR bytes) says what is wrong;
 * LVL_ERR_LIMIT. To be freed in any case. */
enum { LVL_FRAMES_ERROR = 256 };
lvl_status lvl_frames_read(lvl_frames *out, const lvl_ctx *ctx, lvl_text json, char *error);
/* Frames for a sheet that is a plain grid of cells of that size, from left to right and down; a rest at the
 * right and bottom is no cell. LVL_ERR_ARG: the sheet is smaller than a cell. `stem` begins the names. */
lvl_status lvl_frames_slice(lvl_frames *out, const lvl_ctx *ctx, const lvl_image *sheet, uint32_t width,
                            uint32_t height, lvl_text stem);
/* How many frames a GIF has, also one that is cut off; 0: it is none. LVL_ERR_MEMORY. */
lvl_status lvl_frames_count(lvl_bytes gif, uint32_t *out);
/* The frames of a GIF, each as it is seen, with its time: with one palette if the file has one, or the
 * colours of all fit into one. LVL_ERR_FORMAT: broken or cut off; LVL_ERR_LIMIT. To be freed in any case. */
lvl_status lvl_frames_gif(lvl_frames *out, const lvl_ctx *ctx, lvl_bytes gif, lvl_text stem);
/* Cuts the frames without pixels out of the sheet. LVL_ERR_FORMAT: one is not within it, `error` says
 * which. */
lvl_status lvl_frames_cut(lvl_frames *frames, const lvl_ctx *ctx, const lvl_image *sheet, char *error);
/* Makes an animation of the format: parts of the sheet `picture`, or the files that are named like the
 * frames. Frames with the tags up, left, down and right, equally many each, become directions. Losses as
 * those of lvl_doc_draw. LVL_ERR_UNSUPPORTED: the format is no such animation; LVL_ERR_ARG: the names of the
 * frames do not end in numbers. *out is to be freed; NULL unless LVL_OK. */
lvl_status lvl_frames_animate(const lvl_frames *frames, const lvl_ctx *ctx, const lvl_format *format,
                              const char *picture, lvl_doc **out, lvl_findings *losses);
/* Writes the frames as an animated GIF or, without `gif`, PNG, with their times. LVL_ERR_ARG without frames;
 * LVL_ERR_LIMIT; or what `out` returned. */
lvl_status lvl_frames_film(lvl_frames *frames, const lvl_ctx *ctx, bool gif, lvl_writer *out);
/* Cuts off what is transparent at the borders of each frame; of an empty one a pixel stays. */
lvl_status lvl_frames_trim(lvl_frames *frames, const lvl_ctx *ctx);
/* A frame on its canvas, as RGBA8. */
lvl_status lvl_frame_on_canvas(const lvl_frame *frame, const lvl_ctx *ctx, lvl_image *out);
/* Gives each frame the size of its canvas. LVL_ERR_LIMIT. */
lvl_status lvl_frames_untrim(lvl_frames *frames, const lvl_ctx *ctx);

#endif
