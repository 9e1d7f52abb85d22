/*
 * The samples' generator: draws a small world of our own (levels, tiles, sprites) and writes it through lvl's writers. Everything is
 * integer arithmetic on fixed seeds, so that the same bytes come out on every machine. Pictures are palette indices; 0 is "nothing".
 * Shades go from 0 (dark) to SHADE_MAX (light) along a ramp of the palette, and are dithered to the ramp's colours as they are set.
 */
#ifndef SAMPLES_GEN_H
#define SAMPLES_GEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- numbers: numbers.c ------------------------------------------------------------------------------------------------------- */

#define SHADE_MAX  1023
#define SQUARE_ONE 1048576 /* 1024 squared: what a product of two 1024ths is divided by */

uint32_t gen_hash(int x, int y, int seed);
int gen_isqrt(int64_t value);
/* Sine and cosine in 1024ths, of an angle in 1024ths of a turn. */
int gen_sin(int angle);
int gen_cos(int angle);
int gen_clamp(int value, int low, int high);
/* Between a and b, t in 0..1024. */
int gen_mix(int a, int b, int t);
/* 0 below `from`, 1024 above `to`, a smooth step between; `from` may be above `to`. */
int gen_smooth(int from, int to, int value);
/* Remainder that is never negative. */
int gen_mod(int value, int by);
/* Smooth noise 0..1023 with lattice cells of sx by sy px, repeating after nx by ny cells. */
int gen_noise(int x, int y, int sx, int sy, int nx, int ny, int seed);
/* Four octaves of it, the first with cells of `size` px, repeating after wx by wy px. */
int gen_fbm(int x, int y, int size, int wx, int wy, int seed);

/* ---- colours: palette.c ------------------------------------------------------------------------------------------------------- */

typedef enum ramp {
    R_SKY,
    R_CLOUD,
    R_SEA,
    R_ISLE,
    R_HEAD,
    R_STONE,
    R_GRASS,
    R_WOOD,
    R_PLASTER,
    R_RED,
    R_LEAF,
    R_ROPE,
    R_EARTH,
    R_STEEL,
    R_GOLD,
    R_FIRE,
    R_SKIN,
    R_CLOTH,
    R_BLUE,
    R_GREEN,
    R_PURPLE,
    R_CORAL,
    RAMP_COUNT
} ramp;

#define INK 255 /* the darkest outline */

/* The world's 256 colours. */
void gen_palette(uint8_t rgb[256][3]);
/* The index of a shade at a pixel; `dither` 0..1024 says how much of a step the pattern may move it. */
uint8_t gen_color(ramp r, int shade, int x, int y, int dither);
/* The same without a pattern. */
uint8_t gen_flat(ramp r, int shade);
/* The ramp of an index and its shade; false for 0 and INK. */
bool gen_ramp_of(uint8_t index, ramp *r, int *shade);

/* ---- drawing: canvas.c -------------------------------------------------------------------------------------------------------- */

typedef struct canvas {
    int w, h;
    int dither; /* 0..1024, for everything drawn */
    bool wrap;  /* x runs on from the other side */
    bool rows;  /* the dither pattern changes by rows only, which leaves long runs of a colour */
    uint8_t *px;
} canvas;

/* Empty canvas; ends the program without memory. */
canvas *canvas_new(int w, int h);
void canvas_free(canvas *c);
uint8_t canvas_get(const canvas *c, int x, int y);
void canvas_put(canvas *c, int x, int y, uint8_t index);
void canvas_shade(canvas *c, int x, int y, ramp r, int shade);
/* Draws what is not 0 of `from`, mirrored if asked. */
void canvas_blit(canvas *c, const canvas *from, int x, int y, bool mirror);
/* A cut of `from`, which may reach over its edges. */
canvas *canvas_cut(const canvas *from, int x, int y, int w, int h);
bool canvas_empty(const canvas *c);
bool canvas_full(const canvas *c);
/* Draws an outline around everything: the dark end of the neighbour's ramp, or INK. */
void canvas_outline(canvas *c);

/* The shapes below are lit from the upper left. Coordinates are in 16ths of a px, so that small figures move smoothly. */
void draw_ball(canvas *c, int cx, int cy, int rx, int ry, ramp r, int dark, int light);
/* A limb from one point to another, with a radius at each end. */
void draw_limb(canvas *c, int x0, int y0, int r0, int x1, int y1, int r1, ramp r, int dark, int light);
/* A flat polygon whose shade goes from `left` to `right`. */
typedef struct point {
    int x, y;
} point;
void draw_poly(canvas *c, const point *points, int count, ramp r, int left, int right);
/* The next are in whole px. */
void draw_box(canvas *c, int x, int y, int w, int h, ramp r, int shade);
void draw_line(canvas *c, int x0, int y0, int x1, int y1, ramp r, int shade);
void draw_dot(canvas *c, int x, int y, ramp r, int shade);
/* A board with grain and bevelled edges, lying or standing. */
void draw_board(canvas *c, int x, int y, int w, int h, bool standing, int shade, int seed);

/* ---- the world's parts -------------------------------------------------------------------------------------------------------- */

#define TILE 64

/* cliff.c: a cliff tile. `solid` has a bit for each of the 3x3 cells around it, row by row, bit 4 the cell itself; `flush` has those where
 * something (water) touches the rock, so that its edge is straight; phase in cells. */
canvas *tile_cliff(unsigned solid, unsigned flush, int phase_x, int phase_y);
enum { CLIFF_PHASES_X = 4, CLIFF_PHASES_Y = 2 };
/* Grass, flowers and stones that stand on a cliff, drawn in the cell above it. */
canvas *tile_tuft(int variant);
enum { TUFT_COUNT = 8 };

/* structures.c */
typedef enum plank_part { PLANK_LEFT, PLANK_MIDDLE, PLANK_RIGHT, PLANK_LADDER } plank_part;
canvas *tile_plank(plank_part part, int variant);
canvas *tile_ladder(int variant, bool top);
canvas *tile_water(int variant, bool surface);
canvas *tile_spikes(int variant);
/* The rope bridge, `cells` wide and two cells high. *sag gets how far its boards hang below their ends at each cell's middle, in px. */
canvas *draw_bridge(int cells, int *sag);
canvas *draw_lighthouse(void); /* 4 x 8 cells */
canvas *tile_crag(int variant);
canvas *tile_cave(int phase_x, int phase_y);

/* backdrop.c: planes, whole; all repeat in x */
canvas *draw_sky(void);
canvas *draw_clouds(void);
canvas *draw_isles(void);
canvas *draw_headland(void);
canvas *draw_front(void);

/* A sprite: frames, and where they are drawn against their object's point. */
typedef struct sprite {
    const char *folder; /* below the archive's root: "LEVEL1/IMAGES/CRAB" */
    const char *set;    /* as objects name it: "LEVEL_CRAB" */
    canvas *(*draw)(int frame);
    int first,
        frames; /* frames drawn, from number `first` of the drawing function; on file they count from 1 */
    int offset_x, offset_y;
    int duration; /* ms a frame in its ANI; 0: none */
} sprite;

extern const sprite gen_sprites[];
extern const int gen_sprite_count;
/* By image set; ends the program if there is none. */
const sprite *gen_sprite_find(const char *set);

#endif
