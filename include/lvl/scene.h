/*
 * lvl/scene.h: what a level looks like, whatever its format: layers of cells, things, links, in drawing
 * order, with parallax and wrapping; and the art search path that finds their pictures. Renderers, thumbnails
 * and exports use nothing else of a level.
 *
 * A scene borrows from its document and from the art it was made with: both must outlive it. Scene and art
 * fill caches while they are read, so each belongs to one thread at a time (a batch makes one art per
 * worker).
 */
#ifndef LVL_SCENE_H
#define LVL_SCENE_H

#include <lvl/doc.h>
#include <lvl/image.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- art search path --------------------------------------------------------------------------------- */

/* Folders and archives in which pictures and palettes are searched, in order; names are compared without
 * case. Files may be of any format in the table of formats, or PNG, GIF or JPEG. Decoded pictures are kept
 * until the art is freed or the level changes. */
typedef struct lvl_art lvl_art;

/* An empty search path, or NULL without memory. The context must outlive it. */
LVL_API lvl_art *lvl_art_new(const lvl_ctx *ctx);
/* Frees the search path with the pictures and palettes that it decoded. NULL: nothing happens. */
LVL_API void lvl_art_free(lvl_art *art);
/* Paths are looked up in these files (which must outlive the art) instead of the system's; NULL: in the
 * system's. To be called before the first root is added. */
LVL_API void lvl_art_set_files(lvl_art *art, const lvl_files *files);
/* Appends a root: a folder, an archive of a known format, or a single picture (PNG, GIF, JPEG).
 * LVL_ERR_MISSING, _IO or _FOREIGN if it can't be opened. */
LVL_API lvl_status lvl_art_add(lvl_art *art, const char *path);
/* The same for the archive that contains the level, which has the level's own files. It stays when the level
 * changes. */
LVL_API lvl_status lvl_art_add_home(lvl_art *art, const char *path);
/* Appends each root of a list as in LVL_ART: separated by ':', on Windows by ';'. Roots that can't be opened
 * are skipped; the first error is returned, after all were tried. `list` may be NULL. */
LVL_API lvl_status lvl_art_add_list(lvl_art *art, const char *list);
/* Sets the level that the art is for. Searched first is the level's custom art: a folder of the level's name
 * next to the file, or in a folder "Custom" of any root. Searched after the given roots are the level's
 * folder and up to five folders above it (for archives: up to two), and folders called "assets" or "art" in
 * them, whatever the case. Replaces the folders of an earlier level; pictures of these become invalid. NULL:
 * no level. */
LVL_API lvl_status lvl_art_level(lvl_art *art, const char *level_path);
/* LVL_ERR_MEMORY: memory ran out during a search or while decoding, so pictures that were reported missing
 * may exist. Else LVL_OK. The error stays until the art is freed: check it after making a scene, and use a
 * new art. */
LVL_API lvl_status lvl_art_status(const lvl_art *art);
/* The path of the root at `index` of those now searched, those of the level included; NULL past the end. */
LVL_API const char *lvl_art_root(const lvl_art *art, size_t index);

/* ---- scene ------------------------------------------------------------------------------------------- */

typedef struct lvl_scene lvl_scene;
typedef struct lvl_scene_layer lvl_scene_layer;

/* What a place does to a player; for schematic pictures and overlays. */
typedef enum lvl_tile_class {
    LVL_LOOK_NONE, /* nothing is there */
    LVL_LOOK_CLEAR, /* passable */
    LVL_LOOK_SOLID, /* blocks from all sides */
    LVL_LOOK_GROUND, /* carries from above, passable from below */
    LVL_LOOK_CLIMB, /* ladder */
    LVL_LOOK_DEATH, /* kills */
    LVL_LOOK_OTHER, /* something special */
    LVL_LOOK_WATER, /* to swim in */
    LVL_LOOK_WADE, /* shallow water, swamp */
    LVL_LOOK_LOW, /* blocks walking; things that are thrown or shot pass over it */
    LVL_LOOK_JUMP, /* an edge to jump down from */
    LVL_LOOK_REST, /* seat or bed */
    LVL_LOOK_COUNT
} lvl_tile_class;

/* A rectangle in px; right and bottom are inside it. */
typedef struct lvl_rect {
    int32_t left, top, right, bottom;
} lvl_rect;

/* The meaning of a cell's value. */
typedef struct lvl_scene_tile {
    const lvl_image *image; /* or NULL: no picture known */
    int32_t image_x,
        image_y; /* the cell's top left corner in the image, for cells that are parts of a sheet */
    bool has_rgb; /* its average colour, for pictures without art */
    uint8_t rgb[3];
    bool empty; /* draws nothing */
    bool filled; /* draws the layer's fill colour */
    lvl_tile_class look; /* outside `inner`; the whole cell if has_inner is false */
    bool has_inner;
    lvl_rect inner; /* in px of the cell, may reach beyond it */
    lvl_tile_class inner_look;
    bool memory_failed; /* memory ran out: this tile is not valid, and no picture can be made */
    const uint8_t *mask; /* mask_width × mask_height looks of the family's own (0: clear), or NULL */
    uint32_t mask_width, mask_height;
    bool mask_looks; /* the mask holds a lvl_tile_class for each px of the cell instead */
} lvl_scene_tile;

/* A grid of cells. */
struct lvl_scene_layer {
    lvl_text name; /* in the document's code page */
    int32_t z;
    bool main; /* the one with the action: things are in its coordinates */
    bool hidden; /* the game doesn't draw it */
    bool wrap_x, wrap_y;
    uint32_t columns, rows; /* cells */
    uint32_t cell_width, cell_height; /* px, at least 1 */
    int32_t move_x, move_y; /* parallax in percent of the main layer's movement */
    int32_t shift_x,
        shift_y; /* px of the main layer at which its corner lies, unless it is shown by itself */
    uint8_t fill_index; /* fill colour in the scene's palette, */
    uint8_t fill_rgb[3]; /* and as a colour where there is none */
    bool fresh; /* what tile() returns is valid until the next call: not to be kept */
    /* Each value is a separate RGBA8 picture, and has no meaning in another scene; 0: empty. Such layers are
     * compared by their pixels. */
    bool drawn;
    const void *user; /* of the family */
    /* Writes the values of `count` cells of a row from column x on; the range lies within the grid. */
    void (*cells)(const lvl_scene_layer *layer, uint32_t x, uint32_t y, uint32_t count, uint32_t *out);
    /* The meaning of a value; fills all of *out. */
    void (*tile)(const lvl_scene_layer *layer, uint32_t value, lvl_scene_tile *out);
};

typedef enum lvl_thing_kind {
    LVL_THING_UNKNOWN,
    LVL_THING_ENEMY,
    LVL_THING_BOSS,
    LVL_THING_TREASURE, /* pick-ups worth points */
    LVL_THING_ITEM, /* other pick-ups: health, ammunition, powers */
    LVL_THING_CONTAINER,
    LVL_THING_PLATFORM,
    LVL_THING_HAZARD,
    LVL_THING_WARP,
    LVL_THING_CHECKPOINT,
    LVL_THING_TRIGGER,
    LVL_THING_SOUND,
    LVL_THING_SCENERY,
    LVL_THING_START,
    LVL_THING_SIGN, /* something to read */
    LVL_THING_EXIT, /* ends the level */
    LVL_THING_COUNT
} lvl_thing_kind;

/* Flags of a thing. */
enum {
    LVL_THING_HIDDEN = 1, /* the game doesn't draw it */
    LVL_THING_MIRROR = 2, /* left and right swapped */
    LVL_THING_FLIP = 4, /* top and bottom swapped */
    LVL_THING_BLINK = 8, /* drawn every other moment; drawn in stills */
    LVL_THING_DROPPED = 16, /* the game drops it at load: not drawn, shown in overlays */
    LVL_THING_MISSING = 32, /* names a picture that the art doesn't have */
    LVL_THING_CORNER = 64, /* x, y are the picture's top left corner, its own offsets don't count */
    LVL_THING_TEXT = 128, /* no picture: its label is drawn at x, y, over everything; with a part, as large as
                             fits into it */
    LVL_THING_OVER = 256 /* its picture's colours are premultiplied, and laid over in 8 bits a channel as Go's
                            image/draw does */
};

typedef enum lvl_box_kind {
    LVL_BOX_HIT,
    LVL_BOX_ATTACK,
    LVL_BOX_MOVE,
    LVL_BOX_CLIP,
    LVL_BOX_AREA, /* the place that it occupies, where it has no picture */
    LVL_BOX_RANGE, /* where it patrols, or its reach: an unbounded side equals the thing's own place */
    LVL_BOX_COUNT
} lvl_box_kind;

typedef struct lvl_scene_box {
    lvl_box_kind kind;
    lvl_rect rect; /* main layer px */
} lvl_scene_box;

typedef enum lvl_blend {
    LVL_BLEND_ALPHA, /* laid over what is there */
    LVL_BLEND_ADD, /* light */
    LVL_BLEND_SUBTRACT, /* shadow */
    LVL_BLEND_COUNT
} lvl_blend;

/* An effect on a picture before it is drawn. Numbers that aren't finite, or out of range, are clamped. */
typedef struct lvl_scene_effect {
    double color[4]; /* factors of red, green, blue and alpha, 0 to 1 (more than 1 is brighter) */
    double scale_x, scale_y; /* about the picture's centre; 0: nothing is seen */
    double angle; /* radians, clockwise, about the picture's centre, after scaling */
    lvl_blend blend;
} lvl_scene_effect;

typedef struct lvl_scene_thing {
    lvl_thing_kind kind;
    unsigned flags;
    int32_t x, y, z; /* px in the main layer: the picture's centre, before its offsets; or its corner */
    const lvl_image *image; /* or NULL */
    /* Only this part of the image, in its px (what reaches beyond it is transparent), or all of it. With no
     * image it gives the size that it would have; then a schematic picture shows a box of that size. */
    bool has_part;
    lvl_rect part;
    const lvl_scene_effect *effect; /* or NULL: drawn as it is */
    lvl_text label; /* what it does ("Officer"), in the document's code page */
    lvl_text picture; /* name of its image set, for people */
    const lvl_scene_box *boxes;
    uint32_t box_count;
    uint32_t index; /* in the family's own list */
    /* That list in the document, its last index LVL_NO_INDEX; NULL: the thing is no item of it */
    const lvl_where *list;
} lvl_scene_thing;

/* An arrow: a warp to its destination, a path. */
typedef struct lvl_scene_link {
    lvl_thing_kind kind;
    int32_t x0, y0, x1, y1;
} lvl_scene_link;

/* One step of drawing: a layer, or things[first .. first + count). */
typedef struct lvl_scene_step {
    bool things;
    uint32_t first; /* index of the layer or of the first thing */
    uint32_t count; /* things; 1 for a layer */
} lvl_scene_step;

typedef struct lvl_scene_memory lvl_scene_memory;

struct lvl_scene {
    const lvl_ctx *ctx;
    lvl_codepage codepage; /* of its texts */
    lvl_text title;
    lvl_scene_layer *layers;
    uint32_t layer_count;
    uint32_t main_layer; /* index; layer_count when there is none */
    bool has_bounds;
    lvl_rect
        bounds; /* px that a picture of the whole shows, where that isn't the main layer from end to end */
    lvl_scene_thing *things; /* in drawing order */
    uint32_t thing_count;
    lvl_scene_link *links;
    uint32_t link_count;
    lvl_scene_step *steps; /* the drawing order */
    uint32_t step_count;
    int32_t start_x, start_y; /* where the player starts, main layer px */
    int32_t zero_x, zero_y; /* where the game's own 0, 0 is, main layer px: not in the corner where levels
                                 have negative places */
    bool free_camera; /* the camera isn't held within the main layer */
    bool from_above; /* the game looks down on the level: nothing falls */
    uint32_t player_height; /* px of the player as drawn, about; 0: not known */
    /* Or NULL. Called before each picture: `view` is what the camera shows, main layer px; NULL: the picture
     * is of something else. May change where layers lie and how many cells they have, in games that lay their
     * background by what is in view. */
    void (*set_view)(const lvl_scene *scene, const lvl_rect *view);
    /* which looks cells can have, 1 << LVL_LOOK_… each, for legends; 0: SOLID, GROUND, CLIMB, DEATH and OTHER
     */
    unsigned looks;
    /* the game's own word for a look ("fire"), for legends; NULL: the usual one. Static storage */
    const char *look_names[LVL_LOOK_COUNT];
    bool has_colours; /* tiles have rgb */
    const lvl_palette *palette; /* of INDEX8 pictures without one of their own; NULL: none known */
    bool has_art; /* pictures were found for a part of it at least; false: draw it schematically */
    uint32_t files, missing_files; /* other files that it is made of (levels of a world), and those of them
                                      that weren't found */
    uint32_t missing_tiles, missing_things; /* cell values and things that name a picture which isn't there */
    bool marks; /* things that name a picture which isn't there are shown as marks with their names, although
                   there is art */
    lvl_scene_memory *memory; /* owns the arrays above */
};

/* A choice that is made when a level or animation is shown: "head" = "head3.png", "param1" = "sword5.png",
 * "skin" = "orange". */
typedef struct lvl_scene_choice {
    lvl_text name; /* compared without case */
    lvl_text value;
} lvl_scene_choice;

typedef struct lvl_scene_request {
    const lvl_art *art; /* or NULL: no pictures */
    /* of an animation: which frame in which direction; past the end: the last one */
    uint32_t frame, direction;
    const lvl_scene_choice *choices; /* or NULL */
    uint32_t choice_count;
    const struct lvl_animation *play; /* from lvl_doc_play for this animation with these choices: saves
                                         measuring the bounds again; or NULL */
    bool bare; /* only layers, bounds, start and the number of things are needed: what the things look like
                  and where they are may be left out, and arrows */
    LVL_ROOM(3);
} lvl_scene_request;

/* ---- animations -------------------------------------------------------------------------------------- */

/* How an animation runs: its frames are scenes (lvl_scene_request.frame, .direction) that share `bounds`. */
typedef struct lvl_animation {
    uint32_t frames, directions; /* at least 1 each */
    const uint32_t *durations; /* ms, one a frame */
    const char *const *names; /* of the directions: "up", "left", "down", "right"; or NULL */
    const lvl_text
        *frame_names; /* one a frame, in the document's code page and memory, may be empty; or NULL */
    bool loops;
    bool has_art; /* pictures were found for a part of it at least; frames without are drawn schematically */
    lvl_rect bounds; /* px, holds every frame of every direction, as far as pictures are known */
} lvl_animation;

/* How an animation runs; *out is freed with lvl_animation_free. `request` may be NULL. LVL_ERR_UNSUPPORTED:
 * the format has no animations. It and all it points to are one block from the context's allocator. */
LVL_API lvl_status lvl_doc_play(const lvl_doc *doc, const lvl_scene_request *request, lvl_animation **out);
/* Frees it; `ctx` is that of its document. `play` may be NULL. */
LVL_API void lvl_animation_free(const lvl_ctx *ctx, lvl_animation *play);

/* Makes the scene of a document. `request` may be NULL: no art. LVL_ERR_UNSUPPORTED: its format has none. */
LVL_API lvl_status lvl_doc_scene(const lvl_doc *doc, const lvl_scene_request *request, lvl_scene **out);
/* Frees the scene, before its document and its art. NULL: nothing happens. */
LVL_API void lvl_scene_free(lvl_scene *scene);
/* Appends the scene of a document as one line of JSON: title, width, height and place of the whole picture,
 * art found and missing, "layers", "things" with their path in the document (null: none) and rectangle,
 * "arrows" (lvl_scene_link), and "links" to other files (lvl/graph.h). Rectangles are [left, top, width,
 * height] in px of the main layer. LVL_ERR_MEMORY. */
LVL_API lvl_status lvl_scene_json(const lvl_doc *doc, const lvl_scene *scene, lvl_buffer *out);
/* Appends how an animation runs as one line of JSON: frames, directions, durations (ms), names, loops,
 * bounds as above. */
LVL_API lvl_status lvl_animation_json(const lvl_doc *doc, const lvl_animation *play, lvl_buffer *out);

/* ---- what changed between two scenes ----------------------------------------------------------------- */

typedef enum lvl_change_kind { LVL_CHANGE_ADDED, LVL_CHANGE_REMOVED, LVL_CHANGE_CHANGED } lvl_change_kind;

/* A changed place, px of the main layer of the scene `after`. */
typedef struct lvl_scene_change {
    lvl_change_kind kind;
    lvl_rect rect;
    bool thing; /* a thing; else cells of the main layer, or its pixels where it is `drawn` */
} lvl_scene_change;

/* Compares main layers and things (by label, picture and place) and gives the changed places; *out is freed
 * with lvl_scene_changes_free. Both are aligned by the games' own point 0, 0 (zero_x, zero_y). */
LVL_API lvl_status lvl_scene_compare(const lvl_scene *before, const lvl_scene *after, lvl_scene_change **out,
                                     size_t *count);
/* Counts the cells that differ in all other layers, which lvl_scene_compare does not compare, since they
 * lie at other places for each view; layers are paired by their number, and `drawn` ones do not count, nor
 * the wallpaper of a drawing. */
LVL_API lvl_status lvl_scene_compare_others(const lvl_scene *before, const lvl_scene *after, uint64_t *cells);
/* Frees the list that lvl_scene_compare made; `scene` is either of the two that were compared. `changes`
 * may be NULL. */
LVL_API void lvl_scene_changes_free(const lvl_scene *scene, lvl_scene_change *changes);

#ifdef __cplusplus
}
#endif

#endif
