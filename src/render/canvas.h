/*
 * render/canvas.h: one band of a picture, and the operations that draw on it. Coordinates are those of the
 * whole picture before scaling; everything is clipped to the band.
 */
#ifndef LVL_RENDER_CANVAS_H
#define LVL_RENDER_CANVAS_H

#include <lvl/render.h>

/* Colours of our own. A canvas without art has them as its palette, one with art gets them as RGB. */
typedef enum lvl_ink {
    LVL_INK_BACK, /* behind everything */
    LVL_INK_BACK_GRID, /* cell borders on it */
    LVL_INK_CLEAR, /* passable cells that show something */
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
    int64_t left, top, right, bottom; /* right and bottom are just outside */
} lvl_area;

typedef struct lvl_canvas {
    bool indexed; /* one byte a pixel, else four (RGBA) */
    bool transparent; /* RGBA that begins transparent, not black */
    uint8_t back; /* indexed: the value of a cleared band */
    uint8_t *pixels; /* rows without padding */
    lvl_area area; /* of the picture; what the band covers */
    uint32_t width; /* area.right - area.left */
    uint32_t pen; /* thickness of lines, for pictures that will be shrunk */
    const lvl_palette *palette; /* of INDEX8 pictures without their own; NULL: grey */
    const lvl_palette *table_of; /* whose colours `table` holds; NULL: none yet */
    uint8_t table[256][4];
} lvl_canvas;

/* Clears the band: black, or transparent, or the background ink. */
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
/* The inside of the area's border, `pen` thick, even where the area is smaller than that. */
void lvl_canvas_frame(lvl_canvas *canvas, lvl_area area, lvl_ink ink, bool dashed);
/* A straight line. */
void lvl_canvas_line(lvl_canvas *canvas, int64_t x0, int64_t y0, int64_t x1, int64_t y1, lvl_ink ink);
/* A picture with its top left corner at x, y; `flags` LVL_THING_MIRROR, _FLIP. Clipped to `clip` too, unless
 * that is NULL. */
void lvl_canvas_image(lvl_canvas *canvas, const lvl_image *image, int64_t x, int64_t y, unsigned flags,
                      const lvl_area *clip);
/* The part of a picture that lies within it, with its top left corner at x, y. */
void lvl_canvas_part(lvl_canvas *canvas, const lvl_image *image, const lvl_area *part, int64_t x, int64_t y,
                     unsigned flags);
/* Only `part` of it (in its px; what reaches beyond it is transparent), with the part's top left corner at x,
 * y before the effect. An effect on an indexed canvas draws nothing. `part` and `effect` may be NULL. */
void lvl_canvas_sprite(lvl_canvas *canvas, const lvl_image *image, const lvl_rect *part, int64_t x, int64_t y,
                       unsigned flags, const lvl_scene_effect *effect);

enum { LVL_FONT_WIDTH = 6, LVL_FONT_HEIGHT = 7 }; /* a letter with its gap; without */
/* Seven rows of five bits. */
const uint8_t *lvl_font_glyph(char c);
/* One line, its top left corner at x, y, in letters `size` times as large, with a dark rim. */
void lvl_canvas_text(lvl_canvas *canvas, int64_t x, int64_t y, const char *str, size_t len, unsigned size,
                     lvl_ink ink);

#endif
