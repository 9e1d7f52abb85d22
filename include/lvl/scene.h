/*
 * lvl/scene.h: the appearance of a level of any format: layers of cells, things, links, in drawing order,
 * with parallax and wrapping; and the art search path that finds their pictures. Renderers, thumbnails and
 * exports use nothing else of a level.
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

/* Folders and archives in which pictures and palettes are searched, in order; names are compared ignoring
 * case. Files may be of any supported format, or PNG, GIF or JPEG. Decoded pictures are kept until the art is
 * freed or the level changes. */
typedef struct lvl_art lvl_art;

/* An empty search path; NULL: out of memory. The context must outlive it. */
LVL_API lvl_art *lvl_art_new(const lvl_ctx *ctx);
/* Frees the search path with the pictures and palettes that it decoded. Accepts NULL. */
LVL_API void lvl_art_free(lvl_art *art);
/* Uses these files, which must outlive the art, instead of the system's; NULL: the system's. To be called
 * before the first root is added. */
LVL_API void lvl_art_set_files(lvl_art *art, const lvl_files *files);
/* Appends a root: a folder, an archive of a known format, or a single picture (PNG, GIF, JPEG).
 * LVL_ERR_MISSING, _IO or _FOREIGN if it can't be opened. */
LVL_API lvl_status lvl_art_add(lvl_art *art, const char *path);
/* The same for the archive that contains the level and its own files. It stays when the level changes. */
LVL_API lvl_status lvl_art_add_home(lvl_art *art, const char *path);
/* Appends the roots in a list as in LVL_ART: separated by ':', on Windows by ';'. Roots that can't be opened
 * are skipped; the first error is returned after all were tried. `list` may be NULL. */
LVL_API lvl_status lvl_art_add_list(lvl_art *art, const char *list);
/* Sets the level that the art is for. The level's custom art is searched first: a folder with the
 * level's name next to the file, or in a folder "Custom" of any root. The level's folder and up to five
 * folders above it (for archives: up to two), and folders named "assets" or "art" in them (in any case),
 * are searched after the given roots. Replaces the folders of an earlier level, whose pictures become
 * invalid. NULL: no level. */
LVL_API lvl_status lvl_art_level(lvl_art *art, const char *level_path);
/* LVL_ERR_MEMORY: memory ran out during a search or while decoding, so pictures that were reported missing
 * may exist. Else LVL_OK. The error stays until the art is freed: check it after making a scene, and use a
 * new art. */
LVL_API lvl_status lvl_art_status(const lvl_art *art);
/* The path, in its root, of the damaged picture or palette at `index` of those that were asked for since
 * lvl_art_level, in the order in which they were found; NULL past the end. *in_part: a part of it was read,
 * and is drawn. */
LVL_API const char *lvl_art_damaged(const lvl_art *art, size_t index, bool *in_part);
/* The path of the root at `index`, including the level's roots; NULL past the end. */
LVL_API const char *lvl_art_root(const lvl_art *art, size_t index);

/* ---- scene ------------------------------------------------------------------------------------------- */

typedef struct lvl_scene lvl_scene;
typedef struct lvl_scene_layer lvl_scene_layer;

/* The effect of a cell or pixel on a player; for schematic pictures and overlays. */
typedef enum lvl_tile_class {
    LVL_LOOK_NONE, /* empty */
    LVL_LOOK_CLEAR, /* passable */
    LVL_LOOK_SOLID, /* blocks from all sides */
    LVL_LOOK_GROUND, /* solid from above, passable from below */
    LVL_LOOK_CLIMB, /* ladder */
    LVL_LOOK_DEATH, /* kills */
    LVL_LOOK_OTHER, /* something special */
    LVL_LOOK_WATER, /* deep water */
    LVL_LOOK_WADE, /* shallow water, swamp */
    LVL_LOOK_LOW, /* blocks walking; things that are thrown or shot pass over it */
    LVL_LOOK_JUMP, /* an edge to jump down from */
    LVL_LOOK_REST, /* seat or bed */
    LVL_LOOK_COUNT
} lvl_tile_class;

/* A rectangle in px; right and bottom are inclusive. */
typedef struct lvl_rect {
    int32_t left, top, right, bottom;
} lvl_rect;

/* The meaning of a cell's value. */
typedef struct lvl_scene_tile {
    const lvl_image *image; /* or NULL: no picture known */
    int32_t image_x, image_y; /* the cell's top left corner in the image, if the image is a sheet */
    bool has_rgb; /* its average colour, for pictures without art */
    uint8_t rgb[3];
    bool empty; /* draws nothing */
    bool filled; /* draws the layer's fill colour */
    lvl_tile_class look; /* outside `inner`; the whole cell if has_inner is false */
    bool has_inner;
    lvl_rect inner; /* in px of the cell, may extend beyond it */
    lvl_tile_class inner_look;
    bool memory_failed; /* out of memory: this tile is not valid, and no picture can be made */
    const uint8_t *mask; /* mask_width × mask_height values of the family's own classes (0: clear), or NULL */
    uint32_t mask_width, mask_height;
    bool mask_classes; /* the mask holds a lvl_tile_class for each px of the cell instead */
} lvl_scene_tile;

/* A grid of cells. */
struct lvl_scene_layer {
    lvl_text name; /* in the document's code page */
    int32_t z;
    bool main; /* the main layer: things are in its coordinates */
    bool hidden; /* the game doesn't draw it */
    bool wrap_x, wrap_y;
    uint32_t columns, rows; /* cells */
    uint32_t cell_width, cell_height; /* px, at least 1 */
    int32_t move_x, move_y; /* parallax in percent of the main layer's movement */
    int32_t shift_x,
        shift_y; /* position of its corner on the main layer, in px, unless it is shown by itself */
    uint8_t fill_index; /* fill colour in the scene's palette, */
    uint8_t fill_rgb[3]; /* and as a colour if there is no palette */
    bool fresh; /* results of tile() are valid only until the next call */
    /* Each value is a separate RGBA8 picture, and has no meaning in another scene; 0: empty. Such layers are
     * compared by their pixels. */
    bool drawn;
    const void *user; /* the family's own */
    /* Writes the values of `count` cells of a row starting at column x; the range is within the grid. */
    void (*cells)(const lvl_scene_layer *layer, uint32_t x, uint32_t y, uint32_t count, uint32_t *out);
    /* The meaning of a value; fills all of *out. */
    void (*tile)(const lvl_scene_layer *layer, uint32_t value, lvl_scene_tile *out);
    /* The path of what the cells show: of a grid, or of a list whose item n is the value n + 1. NULL: of
     * none. */
    const lvl_where *where;
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
    LVL_THING_BLINK = 8, /* blinks in the game; drawn in still pictures */
    LVL_THING_DROPPED = 16, /* the game drops it at load: not drawn, shown in overlays */
    LVL_THING_MISSING = 32, /* its picture is missing in the art */
    LVL_THING_CORNER = 64, /* x, y are the picture's top left corner; its own offsets are ignored */
    LVL_THING_TEXT = 128, /* no picture: its label is drawn at x, y, over everything; with a part, as large as
                             fits into it */
    LVL_THING_OVER = 256 /* the picture's colours are premultiplied, and blended in 8 bits per channel like
                            Go's image/draw */
};

typedef enum lvl_box_kind {
    LVL_BOX_HIT,
    LVL_BOX_ATTACK,
    LVL_BOX_MOVE,
    LVL_BOX_CLIP,
    LVL_BOX_AREA, /* the area that it occupies, if it has no picture */
    LVL_BOX_RANGE, /* where it patrols, or its reach: an unbounded side equals the thing's own position */
    LVL_BOX_COUNT
} lvl_box_kind;

typedef struct lvl_scene_box {
    lvl_box_kind kind;
    lvl_rect rect; /* main layer px */
} lvl_scene_box;

typedef enum lvl_blend {
    LVL_BLEND_ALPHA, /* normal blending */
    LVL_BLEND_ADD, /* light */
    LVL_BLEND_SUBTRACT, /* shadow */
    LVL_BLEND_COUNT
} lvl_blend;

/* An effect on a picture before it is drawn. Numbers that aren't finite, or out of range, are clamped. */
typedef struct lvl_scene_effect {
    double color[4]; /* factors of red, green, blue and alpha, 0 to 1 (more than 1 is brighter) */
    double scale_x, scale_y; /* around the picture's centre; 0: invisible */
    double angle; /* radians, clockwise, around the picture's centre, after scaling */
    lvl_blend blend;
} lvl_scene_effect;

typedef struct lvl_scene_thing {
    lvl_thing_kind kind;
    unsigned flags;
    int32_t x, y, z; /* px in the main layer: the picture's centre, before its offsets; or its corner */
    const lvl_image *image; /* or NULL */
    /* Only this part of the image, in its px (transparent outside the image), or all of it. Without an image,
     * it gives the size that the image would have, and a schematic picture shows a box of that size. */
    bool has_part;
    lvl_rect part;
    const lvl_scene_effect *effect; /* or NULL: drawn as it is */
    lvl_text label; /* what it does ("Officer"), in the document's code page */
    lvl_text picture; /* name of its image set, for people */
    const lvl_scene_box *boxes;
    uint32_t box_count;
    uint32_t index; /* index in the family's own list */
    /* Path of that list in the document, its last index LVL_NO_INDEX; NULL: the thing is not an item of a
     * list */
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
    lvl_codepage codepage; /* code page of its texts */
    lvl_text title;
    lvl_scene_layer *layers;
    uint32_t layer_count;
    uint32_t main_layer; /* index; layer_count if there is none */
    bool has_bounds;
    lvl_rect
        bounds; /* area that a picture of the whole level shows, in px, if that isn't the whole main layer */
    lvl_scene_thing *things; /* in drawing order */
    uint32_t thing_count;
    lvl_scene_link *links;
    uint32_t link_count;
    lvl_scene_step *steps; /* the drawing order */
    uint32_t step_count;
    int32_t start_x, start_y; /* where the player starts, main layer px */
    int32_t zero_x, zero_y; /* position of the game's own 0, 0, in main layer px: not the corner if levels
                               have negative positions */
    bool free_camera; /* the camera may leave the main layer */
    bool from_above; /* the game looks down on the level: nothing falls */
    uint32_t player_height; /* approximate px of the drawn player; 0: unknown */
    /* Or NULL. Called before each picture: `view` is what the camera shows, in main layer px; NULL: not a
     * camera view. May change the position and number of cells of layers, in games whose background depends
     * on the view. */
    void (*set_view)(const lvl_scene *scene, const lvl_rect *view);
    /* which classes cells can have, 1 << LVL_LOOK_… each, for legends; 0: SOLID, GROUND, CLIMB, DEATH and
     * OTHER */
    unsigned possible_classes;
    /* the game's own word for a look ("fire"), for legends; NULL: the usual one. Static storage */
    const char *look_names[LVL_LOOK_COUNT];
    bool has_colours; /* tiles have rgb */
    const lvl_palette *palette; /* of INDEX8 pictures without one of their own; NULL: none known */
    bool has_art; /* at least some pictures were found; false: draw it schematically */
    uint32_t files, missing_files; /* number of other files that it consists of (levels of a world), and how
                                      many of them are missing */
    uint32_t missing_tiles, missing_things; /* number of cell values and things whose picture is missing */
    bool marks; /* things whose picture is missing are shown as marks with their names, even if there is
                   art */
    lvl_scene_memory *memory; /* owns the arrays above */
    uint64_t missing_cells; /* cells of the values in missing_tiles */
};

/* A choice for showing a level or animation: "head" = "head3.png", "param1" = "sword5.png", "skin" =
 * "orange". */
typedef struct lvl_scene_choice {
    lvl_text name; /* compared ignoring case */
    lvl_text value;
} lvl_scene_choice;

typedef struct lvl_scene_request {
    const lvl_art *art; /* or NULL: no pictures */
    /* for an animation: frame and direction; past the end: the last */
    uint32_t frame, direction;
    const lvl_scene_choice *choices; /* or NULL */
    uint32_t choice_count;
    const struct lvl_animation *play; /* from lvl_doc_play for this animation with these choices: saves
                                         measuring the bounds again; or NULL */
    bool bare; /* only layers, bounds, start and the number of things are needed: appearance and position of
                  things, and arrows, may be left out */
    LVL_RESERVED(3);
} lvl_scene_request;

/* ---- links of a document ----------------------------------------------------------------------------- */

/* How a link leads to its target. */
typedef enum lvl_link_kind {
    LVL_WAY_DOOR, /* through a place anywhere in the level */
    LVL_WAY_LEFT, /* over an edge, to come out at the opposite edge of the target */
    LVL_WAY_UP,
    LVL_WAY_RIGHT,
    LVL_WAY_DOWN,
    LVL_WAY_PLACE /* the document is a map, and the target is a cell of it */
} lvl_link_kind;

typedef struct lvl_doc_link {
    lvl_link_kind way;
    lvl_text target; /* file name, in the document's code page */
    lvl_where where;
    lvl_rect rect; /* where the link starts, in px of the scene's main layer */
    uint32_t width, height; /* px of that layer */
    uint32_t column, row; /* LVL_WAY_PLACE */
} lvl_doc_link;

/* Anything but LVL_OK ends the visit and is its result. */
typedef lvl_status (*lvl_doc_link_fn)(void *user, const lvl_doc_link *link);
/* Calls `visit` for each link of a document. LVL_ERR_UNSUPPORTED if its format has none. */
LVL_API lvl_status lvl_doc_links(const lvl_doc *doc, lvl_doc_link_fn visit, void *user);

/* ---- animations -------------------------------------------------------------------------------------- */

/* The timing of an animation: its frames are scenes (lvl_scene_request.frame, .direction) that share
 * `bounds`. */
typedef struct lvl_animation {
    uint32_t frames, directions; /* at least 1 each */
    const uint32_t *durations; /* ms, one per frame */
    const char *const *names; /* of the directions: "up", "left", "down", "right"; or NULL */
    const lvl_text
        *frame_names; /* one per frame, in the document's code page and memory, may be empty; or NULL */
    bool loops;
    bool has_art; /* at least some pictures were found; frames without any are drawn schematically */
    lvl_rect bounds; /* px, contains every frame of every direction, as far as pictures are known */
} lvl_animation;

/* The timing of an animation; *out is freed with lvl_animation_free. `request` may be NULL.
 * LVL_ERR_UNSUPPORTED: the format has no animations. It is one block from the context's allocator, with
 * everything it points to. */
LVL_API lvl_status lvl_doc_play(const lvl_doc *doc, const lvl_scene_request *request, lvl_animation **out);
/* Frees it; `ctx` is the context of its document. `play` may be NULL. */
LVL_API void lvl_animation_free(const lvl_ctx *ctx, lvl_animation *play);

/* Makes the scene of a document. `request` may be NULL: no art. LVL_ERR_UNSUPPORTED: its format has none. */
LVL_API lvl_status lvl_doc_scene(const lvl_doc *doc, const lvl_scene_request *request, lvl_scene **out);
/* Frees the scene, which must happen before its document and art are freed. Accepts NULL. */
LVL_API void lvl_scene_free(lvl_scene *scene);

/* ---- what changed between two scenes ----------------------------------------------------------------- */

typedef enum lvl_change_kind { LVL_CHANGE_ADDED, LVL_CHANGE_REMOVED, LVL_CHANGE_CHANGED } lvl_change_kind;

/* A changed area, in px of the main layer of the scene `after`. */
typedef struct lvl_scene_change {
    lvl_change_kind kind;
    lvl_rect rect;
    bool thing; /* a thing; else cells of the main layer, or its pixels if it is `drawn` */
} lvl_scene_change;

/* Compares main layers and things (by label, picture and position) and returns the changed areas; *out is
 * freed with lvl_scene_changes_free. The scenes are aligned by the game's own point 0, 0 (zero_x, zero_y). */
LVL_API lvl_status lvl_scene_compare(const lvl_scene *before, const lvl_scene *after, lvl_scene_change **out,
                                     size_t *count);
/* Frees the list from lvl_scene_compare; `scene` is either of the two that were compared. `changes` may be
 * NULL. */
LVL_API void lvl_scene_changes_free(const lvl_scene *scene, lvl_scene_change *changes);

#ifdef __cplusplus
}
#endif

#endif
