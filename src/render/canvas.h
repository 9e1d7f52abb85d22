/*
 * render/canvas.h: one band of a picture, and the operations that draw on it. Coordinates are those of the
 * whole picture before scaling; everything is clipped to the band.
 */
#ifndef LVL_RENDER_CANVAS_H
#define LVL_RENDER_CANVAS_H

#include <lvl/render.h>

/* The renderer's own colours: the palette of a canvas without art; RGB on a canvas with art. */
typedef enum lvl_ink {
    LVL_INK_BACK, /* behind everything */
    LVL_INK_BACK_GRID, /* cell borders on it */
    LVL_INK_CLEAR, /* passable cells with a tile */
    LVL_INK_SOLID,
    LVL_INK_SOLID_DARK,
    LVL_INK_SOLID_EDGE,
    LVL_INK_GROUND,
    LVL_INK_GROUND_EDGE,
    LVL_INK_CLIMB,
    LVL_INK_CLIMB_DARK,
    LVL_INK_DEATH,
    LVL_INK_DEATH_DARK,
    LVL_INK_OTHER,
    LVL_INK_OTHER_DARK,
    LVL_INK_BLACK,
    LVL_INK_WHITE,
    LVL_INK_SHADE,
    LVL_INK_GREY,
    LVL_INK_ENEMY,
    LVL_INK_BOSS,
    LVL_INK_TREASURE,
    LVL_INK_ITEM,
    LVL_INK_CONTAINER,
    LVL_INK_PLATFORM,
    LVL_INK_HAZARD,
    LVL_INK_WARP,
    LVL_INK_CHECKPOINT,
    LVL_INK_TRIGGER,
    LVL_INK_SOUND,
    LVL_INK_SCENERY,
    LVL_INK_UNKNOWN,
    LVL_INK_START,
    LVL_INK_SIGN,
    LVL_INK_WATER,
    LVL_INK_WATER_DARK,
    LVL_INK_WADE,
    LVL_INK_WADE_DARK,
    LVL_INK_LOW,
    LVL_INK_LOW_DARK,
    LVL_INK_JUMP,
    LVL_INK_REST,
    LVL_INK_COUNT
} lvl_ink;

extern const uint8_t lvl_ink_rgb[LVL_INK_COUNT][3];
lvl_ink lvl_ink_of_kind(lvl_thing_kind kind);

/* Picture coordinates: 64 bits, so that no sum of a hostile level's numbers can overflow. */
typedef struct lvl_area {
    int64_t left, top, right, bottom; /* right and bottom are exclusive */
} lvl_area;

typedef struct lvl_canvas {
    bool indexed; /* one byte per pixel, else four (RGBA) */
    bool transparent; /* RGBA, initially transparent instead of black */
    uint8_t back; /* indexed: the value of a cleared band */
    uint8_t *pixels; /* rows without padding */
    lvl_area area; /* the part of the picture that the band covers */
    uint32_t width; /* area.right - area.left */
    uint32_t pen; /* thickness of lines, for pictures that will be shrunk */
    const lvl_palette *palette; /* for INDEX8 pictures without a palette; NULL: grey */
    const lvl_palette *table_of; /* the palette that `table` was made from; NULL: none yet */
    uint8_t table[256][4];
} lvl_canvas;

/* Clears the band to black, transparent or the background ink. */
void lvl_canvas_clear(lvl_canvas *canvas);
/* False if nothing is left. */
bool lvl_area_clip(lvl_area *area, const lvl_area *to);
static inline lvl_area lvl_area_of(lvl_rect rect)
{
    const lvl_area a = {rect.left, rect.top, (int64_t)rect.right + 1, (int64_t)rect.bottom + 1};
    return a;
}

void lvl_canvas_fill(lvl_canvas *canvas, lvl_area area, lvl_ink ink);
/* Blends the ink over the area; alpha 0 to 255. Does nothing on an indexed canvas. */
void lvl_canvas_tint(lvl_canvas *canvas, lvl_area area, lvl_ink ink, unsigned alpha);
/* Fills with a colour of the art: its index, or as RGB. */
void lvl_canvas_fill_colour(lvl_canvas *canvas, lvl_area area, uint8_t index, const uint8_t rgb[3]);
/* Draws a frame along the inside of the area's border, `pen` thick, even if the area is smaller. */
void lvl_canvas_frame(lvl_canvas *canvas, lvl_area area, lvl_ink ink, bool dashed);
void lvl_canvas_line(lvl_canvas *canvas, int64_t x0, int64_t y0, int64_t x1, int64_t y1, lvl_ink ink);
/* Draws a picture with its top left corner at x, y; `flags`: LVL_THING_MIRROR, _FLIP. Clipped to `clip`, too,
 * unless that is NULL. */
void lvl_canvas_image(lvl_canvas *canvas, const lvl_image *image, int64_t x, int64_t y, unsigned flags,
                      const lvl_area *clip);
/* Draws a part of a picture, cut at the picture's borders, with the part's top left corner at x, y. */
void lvl_canvas_part(lvl_canvas *canvas, const lvl_image *image, const lvl_area *part, int64_t x, int64_t y,
                     unsigned flags);
/* Draws `part` of a picture (in its px; outside of the picture it is transparent), with the part's top left
 * corner at x, y before the effect. With an effect, nothing is drawn on an indexed canvas. `part` and
 * `effect` may be NULL. */
void lvl_canvas_sprite(lvl_canvas *canvas, const lvl_image *image, const lvl_rect *part, int64_t x, int64_t y,
                       unsigned flags, const lvl_scene_effect *effect);

enum { LVL_FONT_WIDTH = 6, LVL_FONT_HEIGHT = 7 }; /* width of a letter with its gap; height without */
/* Seven rows of five bits. */
const uint8_t *lvl_font_glyph(char c);
/* Draws one line of text with its top left corner at x, y, enlarged `size` times, with a dark outline. */
void lvl_canvas_text(lvl_canvas *canvas, int64_t x, int64_t y, const char *str, size_t len, unsigned size,
                     lvl_ink ink);

#endif
