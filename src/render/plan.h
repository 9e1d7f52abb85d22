/*
 * render/plan.h: what is drawn: planned once per picture, then drawn band by band.
 */
#ifndef LVL_RENDER_PLAN_H
#define LVL_RENDER_PLAN_H

#include "render/canvas.h"
#include "scene/scene.h"

enum { LVL_TILE_CACHE = 1024 };

/* A cache of tiles, so that a layer's tile() is called once per value and not once per cell. */
typedef struct lvl_tile_cache {
    uint32_t values[LVL_TILE_CACHE];
    bool full[LVL_TILE_CACHE];
    lvl_scene_tile tiles[LVL_TILE_CACHE];
} lvl_tile_cache;

typedef struct lvl_layer_plan {
    const lvl_scene_layer *layer;
    bool draw;
    bool behind; /* behind the main layer */
    bool wrap_x, wrap_y;
    bool stretch_x, stretch_y; /* its last cells are repeated beyond its ends; */
    bool plain_top, plain_bottom; /* above and below, the commonest cell of the row is repeated instead: */
    uint32_t top, bottom;
    int64_t x, y; /* layer px at the picture's point 0, 0 */
    lvl_tile_cache *cache; /* one per drawn layer */
    bool memory_failed; /* memory ran out for one of its tiles */
} lvl_layer_plan;

/* A label and its position in the picture. */
typedef struct lvl_label {
    const char *text;
    uint32_t len;
    int32_t x, y;
    lvl_ink ink;
} lvl_label;

typedef struct lvl_plan {
    const lvl_scene *scene;
    const lvl_ctx *ctx;
    lvl_render_options options;
    lvl_area area; /* the part of the picture to draw, before scaling */
    lvl_area labelled; /* the part in which labels are placed: `area`, or the whole picture */
    lvl_layer_plan *layers; /* all layers of the scene */
    uint32_t main; /* index of the layer with the things */
    int64_t main_x, main_y; /* main layer px at the picture's point 0, 0 */
    bool schematic;
    bool things;
    bool indexed;
    uint32_t pen; /* line thickness */
    unsigned text_size; /* size of labels; 0: none, since they would be too small to read */
    uint32_t band_rows;
    /* Things per band: those of band b are band_things[band_first[b] .. band_first[b + 1]), in drawing order;
     * NULL: examine all. */
    uint32_t *band_first, *band_things;
    uint32_t band_count;
    lvl_label *labels;
    uint32_t label_count;
    struct lvl_finding_mark *marks; /* findings with a place, */
    const lvl_finding **lines; /* and others */
    uint32_t mark_count, line_count;
    unsigned shift; /* a drawn pixel is 1 << shift px of the picture before scaling, in both directions */
    struct lvl_reduction *reduction; /* NULL: shift is 0 */
} lvl_plan;

/* Where a rectangle of the main layer is in the picture. */
static inline lvl_area lvl_plan_place(const lvl_plan *plan, lvl_rect rect)
{
    const lvl_area a = lvl_area_of(rect);

    return (lvl_area){a.left - plan->main_x, a.top - plan->main_y, a.right - plan->main_x,
                      a.bottom - plan->main_y};
}

/* The area of all canvases together: the picture's area or, at reduced size, its drawn pixels from 0, 0. */
static inline lvl_area lvl_plan_drawn(const lvl_plan *plan)
{
    const lvl_area whole = plan->area;

    if (!plan->shift)
        return whole;
    return (lvl_area){0, 0, (whole.right - whole.left) >> plan->shift,
                      (whole.bottom - whole.top) >> plan->shift};
}

/* ---- plan.c ------------------------------------------------------------------------------------------ */

/* The options with their defaults. */
lvl_render_options lvl_plan_options(const lvl_scene *scene, const lvl_render_options *options);
/* Finds which part of the scene the picture shows, and its size before scaling. */
lvl_status lvl_plan_measure(const lvl_scene *scene, const lvl_render_options *o, uint32_t *main,
                            lvl_area *area);
/* The size after scaling. */
lvl_status lvl_plan_scale(const lvl_ctx *ctx, const lvl_render_options *o, const lvl_area *area,
                          uint32_t *width, uint32_t *height);
/* Plans a picture of width x height. To be freed with lvl_plan_free, even after an error. */
lvl_status lvl_plan_make(lvl_plan *plan, const lvl_scene *scene, const lvl_render_options *options,
                         uint32_t *width, uint32_t *height);
void lvl_plan_free(lvl_plan *plan);
/* The area of a thing's mark or image in the picture; false if it isn't drawn. */
bool lvl_plan_thing_area(const lvl_plan *plan, const lvl_scene_thing *thing, lvl_area *out);

/* ---- layers.c ---------------------------------------------------------------------------------------- */

const lvl_scene_tile *lvl_plan_tile(lvl_layer_plan *lp, uint32_t value);
/* A cell of a layer and its area in the picture. */
typedef struct lvl_cell_at {
    uint32_t column, row, value;
    lvl_area area;
} lvl_cell_at;
/* Calls `visit` for each cell of the layer that touches the canvas. */
typedef void (*lvl_cell_fn)(void *user, lvl_canvas *canvas, lvl_layer_plan *lp, const lvl_cell_at *cell);
void lvl_plan_cells(lvl_layer_plan *lp, lvl_canvas *canvas, lvl_cell_fn visit, void *user);
/* The same for runs of up to LVL_RUN adjacent cells of a row, without `first.value`. */
enum { LVL_RUN = 512 };
typedef void (*lvl_run_fn)(void *user, lvl_canvas *canvas, lvl_layer_plan *lp, const lvl_cell_at *first,
                           const uint32_t *values, uint32_t count);
void lvl_plan_runs(lvl_layer_plan *lp, lvl_canvas *canvas, lvl_run_fn visit, void *user);
/* The cell at a point of the picture; false: there is none. Its area is not set. */
bool lvl_plan_cell_at(const lvl_layer_plan *lp, int64_t x, int64_t y, lvl_cell_at *out);
/* How many cells of the layer touch an area of the picture, including repeated ones. */
uint64_t lvl_plan_count_cells(const lvl_layer_plan *lp, const lvl_area *area);
/* Sets the cell that a stretched layer repeats above and below: the commonest of its row, if that is more
 * than half, so that a single cloud does not become a column. */
void lvl_plan_edges(lvl_layer_plan *lp);
/* Draws the layer's pictures. */
void lvl_draw_layer(lvl_layer_plan *lp, lvl_canvas *canvas);
/* Whether all pictures of the layer in that area can be drawn as indices into the palette. */
bool lvl_layer_fits_palette(lvl_layer_plan *lp, const lvl_area *area, const lvl_palette *palette);

/* One cell. */
void lvl_draw_layer_cell(lvl_layer_plan *lp, lvl_canvas *canvas, uint32_t value, lvl_area area);

/* ---- schematic.c ------------------------------------------------------------------------------------- */

/* How a tile class is drawn. */
typedef struct lvl_class_style {
    const char *name; /* in a legend; NULL: not listed */
    lvl_ink back, ink; /* in a schematic picture: colour of the area, and of its pattern and pixels */
    lvl_ink tint; /* over a picture */
    unsigned tint_alpha; /* 0: no tint */
    bool framed;
} lvl_class_style;
extern const lvl_class_style lvl_class_styles[LVL_LOOK_COUNT];

void lvl_draw_schematic(lvl_layer_plan *lp, lvl_canvas *canvas);
/* An lvl_cell_fn for a cell of a schematic picture; `user` is not used. */
void lvl_draw_schematic_at(void *user, lvl_canvas *canvas, lvl_layer_plan *lp, const lvl_cell_at *cell);
/* The class of the cell above, along its lower border. */
typedef struct lvl_above {
    lvl_tile_class look;
    bool edge; /* there is none: the cell is in the first row */
} lvl_above;
/* `above`: the value of the cell above; NULL in the first row. */
lvl_above lvl_class_above(lvl_layer_plan *lp, const uint32_t *above);
/* One cell. `area` may have another size than the layer's cells. */
void lvl_draw_schematic_cell(lvl_layer_plan *lp, lvl_canvas *canvas, uint32_t value, lvl_above above,
                             lvl_area area);
/* Draws a thing's mark at its point; `reach`: px from the centre to the edge. */
void lvl_draw_mark(lvl_canvas *canvas, lvl_thing_kind kind, int64_t x, int64_t y, int64_t reach);

/* Whether a schematic picture shows the thing as a box of its size, or as text, not as a mark. */
static inline bool lvl_thing_box(const lvl_scene_thing *thing)
{
    return thing->has_part || thing->flags & LVL_THING_TEXT;
}
/* Draws a box in a colour derived from the picture's name, so that things from one sheet look alike. `faint`:
 * what is below stays visible. */
void lvl_draw_box(lvl_canvas *canvas, const lvl_scene_thing *thing, lvl_area area, bool faint);
/* Draws the label of a thing that is text; `area`: its rectangle from lvl_scene_thing_rect. */
void lvl_draw_thing_text(lvl_canvas *canvas, const lvl_scene_thing *thing, lvl_area area);
/* The area of that text. */
lvl_area lvl_thing_text_area(const lvl_scene_thing *thing, lvl_area area);

/* ---- reduce.c, reduce_layer.c, reduce_thing.c --------------------------------------------------------- */

typedef struct lvl_reduction lvl_reduction;

/* Decides whether the picture of width × height px is drawn at reduced size; sets `shift`, and `pen` in
 * drawn pixels. Call it after the layers are planned. */
lvl_status lvl_plan_reduce(lvl_plan *plan, uint32_t width, uint32_t height);
void lvl_reduction_free(const lvl_plan *plan);
/* Returns LVL_ERR_MEMORY, LVL_ERR_LIMIT or LVL_ERR_STOPPED if something could not be drawn. */
lvl_status lvl_reduction_status(const lvl_plan *plan);
void lvl_draw_layer_reduced(lvl_plan *plan, lvl_layer_plan *lp, lvl_canvas *canvas);
/* Draws a mark or a box. */
void lvl_draw_mark_reduced(const lvl_plan *plan, lvl_canvas *canvas, uint32_t index);
void lvl_draw_box_reduced(const lvl_plan *plan, lvl_canvas *canvas, const lvl_scene_thing *thing,
                          lvl_area area);
/* Whether the thing is light or shadow, which is drawn into what is below it. */
bool lvl_changes_below(const lvl_plan *plan, const lvl_scene_thing *thing);
/* Draws a thing that is a plain image, which is shrunk once for all things that show it. False: it is
 * something else. */
bool lvl_draw_image_reduced(lvl_plan *plan, lvl_canvas *canvas, const lvl_scene_thing *thing, lvl_area area);
/* Begins a transparent piece at full size, for the part of `area` that is on the canvas; false: there is no
 * such part, it is too small to be visible, or out of memory. */
bool lvl_piece_begin(lvl_plan *plan, const lvl_canvas *canvas, lvl_area area, lvl_canvas *piece);
/* Shrinks the piece and draws it. */
void lvl_piece_end(lvl_plan *plan, const lvl_canvas *piece, lvl_canvas *canvas);

/* Whether a thing is shown as a mark. */
static inline bool lvl_thing_marked(const lvl_plan *plan, const lvl_scene_thing *thing)
{
    const bool missing = plan->scene->marks && thing->flags & LVL_THING_MISSING && !thing->image;

    return (plan->schematic || missing) && !lvl_thing_box(thing);
}

/* ---- few_colors.c ------------------------------------------------------------------------------------ */

/* Receives a picture in opaque RGBA and passes it on as indices, if it is small and has few colours, else as
 * RGB. NULL: out of memory. */
lvl_rows *lvl_opaque_rows_new(const lvl_ctx *ctx, lvl_rows *next);
void lvl_opaque_rows_free(lvl_rows *rows);

/* ---- overlay.c --------------------------------------------------------------------------------------- */

/* Places the labels so that they do not overlap, more important ones first. */
lvl_status lvl_plan_labels(lvl_plan *plan);
void lvl_draw_overlays(lvl_plan *plan, lvl_canvas *canvas);
/* Half the size of a thing's mark. */
int64_t lvl_mark_reach(const lvl_plan *plan, const lvl_scene_thing *thing);

/* ---- marks.c ----------------------------------------------------------------------------------------- */

typedef struct lvl_finding_mark lvl_finding_mark;
#ifdef LVL_WITHOUT_NAMES /* the browser's module is small */
static inline lvl_status lvl_plan_marks(lvl_plan *plan)
{
    (void)plan;
    return LVL_OK;
}
static inline void lvl_draw_marks(const lvl_plan *plan, lvl_canvas *canvas)
{
    (void)plan;
    (void)canvas;
}
#else
/* Places the findings of the options. */
lvl_status lvl_plan_marks(lvl_plan *plan);
void lvl_draw_marks(const lvl_plan *plan, lvl_canvas *canvas);
#endif

/* ---- scale.c ----------------------------------------------------------------------------------------- */

/* Receives a picture of indices or RGBA and passes on one of to_width × to_height as RGBA, shrunk by a box
 * filter (by any ratio in either direction; only the colours of opaque pixels count). Or enlarges a picture
 * of any kind by the integer factor `up` (to_* are then ignored). NULL: out of memory. */
lvl_rows *lvl_scale_rows_new(const lvl_ctx *ctx, uint32_t to_width, uint32_t to_height, uint32_t up,
                             lvl_rows *next);
void lvl_scale_rows_free(lvl_rows *rows);

#endif
