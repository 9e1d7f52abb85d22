/*
 * support/sketchy_draw.h: drawings of Sketchy Maze made pixel by pixel, their pictures, and generated art to
 * draw them with.
 */
#ifndef LVL_TEST_SKETCHY_DRAW_H
#define LVL_TEST_SKETCHY_DRAW_H

#include <lvl/render.h>
#include <lvl/sketchy.h>

enum { LVL_DRAW_SIZE = 4 }; /* of chunks */

/* A separate context, and a folder of art: patterns noise.png (3 by 2, see lvl_draw_noise) and bars.png (2
 * by 2, one column is transparent), wallpapers own.png and notebook.png (4 by 4, each quarter in one
 * colour), red.png. False: no memory, or the folder cannot be made. lvl_draw_close removes everything. */
typedef struct lvl_draw {
    lvl_ctx ctx;
    lvl_art *art;
    char folder[200];
} lvl_draw;

extern lvl_draw lvl_drawing;

bool lvl_draw_open(void);
void lvl_draw_close(void);

/* Colours of the wallpapers' quarters. */
enum { CORNER = 0x0A0A09, ROW_ABOVE = 0x140A09, LEFT_COLUMN = 0x0A1409, REPEAT = 0x141409 };

void lvl_draw_noise(uint32_t x, uint32_t y, uint8_t rgba[4]);

/* Zeroed memory of the document; fails the test without memory. */
void *lvl_draw_take(lvl_doc *doc, size_t count, size_t size);
/* A level or doodad with one layer that has space for that many chunks. A level's wallpaper is plain
 * white. */
lvl_doc *lvl_draw_new(uint8_t kind, uint32_t chunks);
/* Makes chunk x, y in one colour; returns its cells, to be changed. */
uint8_t *lvl_draw_chunk(lvl_doc *doc, uint32_t layer, uint32_t index, int32_t x, int32_t y, uint16_t color);
lvl_sketchy_swatch *lvl_draw_swatch(lvl_doc *doc, const char *color, const char *pattern);
/* A doodad in one colour. */
lvl_doc *lvl_draw_doodad(const char *color);
/* Adds the doodad to the level as attached file `index`, and frees it. */
void lvl_draw_embed(lvl_doc *level, uint32_t index, const char *path, lvl_doc *doodad);
/* Adds an actor; `list` must have space for it. */
void lvl_draw_actor(lvl_doc *level, uint32_t index, const char *id, const char *filename, int64_t x,
                    int64_t y);

/* Draws the whole drawing, or with `width` the camera's view from x, y on (scene px). The caller clears
 * the image. */
typedef struct lvl_draw_how {
    const lvl_art *art;
    uint32_t frame;
    unsigned overlays;
    int32_t x, y;
    uint32_t width, height;
} lvl_draw_how;

void lvl_draw_picture(lvl_doc *doc, const lvl_draw_how *how, lvl_image *out, uint32_t *missing);
/* A pixel as 0xRRGGBB; fails the test outside the image. */
uint32_t lvl_draw_at(const lvl_image *image, uint32_t x, uint32_t y);

#endif
