/*
 * A canvas of palette indices and the few shapes that the world is drawn with: balls and limbs lit from the upper left, polygons,
 * boards with grain, and an outline that darkens what it surrounds.
 */
#include "gen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

canvas *canvas_new(int w, int h)
{
    canvas *c = calloc(1, sizeof(*c));
    if (c)
        c->px = calloc((size_t)w * (size_t)h, 1);
    if (!c || !c->px) {
        fputs("samples: out of memory\n", stderr);
        exit(3);
    }
    c->w = w;
    c->h = h;
    c->dither = 700;
    return c;
}

void canvas_free(canvas *c)
{
    if (c)
        free(c->px);
    free(c);
}

uint8_t canvas_get(const canvas *c, int x, int y)
{
    if (c->wrap)
        x = gen_mod(x, c->w);
    if (x < 0 || y < 0 || x >= c->w || y >= c->h)
        return 0;
    return c->px[(size_t)y * (size_t)c->w + (size_t)x];
}

void canvas_put(canvas *c, int x, int y, uint8_t index)
{
    if (c->wrap)
        x = gen_mod(x, c->w);
    if (x >= 0 && y >= 0 && x < c->w && y < c->h)
        c->px[(size_t)y * (size_t)c->w + (size_t)x] = index;
}

void canvas_shade(canvas *c, int x, int y, ramp r, int shade)
{
    canvas_put(c, x, y, gen_color(r, shade, c->rows ? 0 : x, y, c->dither));
}

void canvas_blit(canvas *c, const canvas *from, int x, int y, bool mirror)
{
    for (int j = 0; j < from->h; j++) {
        for (int i = 0; i < from->w; i++) {
            const uint8_t p = canvas_get(from, mirror ? from->w - 1 - i : i, j);
            if (p)
                canvas_put(c, x + i, y + j, p);
        }
    }
}

canvas *canvas_cut(const canvas *from, int x, int y, int w, int h)
{
    canvas *c = canvas_new(w, h);
    for (int j = 0; j < h; j++)
        for (int i = 0; i < w; i++)
            canvas_put(c, i, j, canvas_get(from, x + i, y + j));
    return c;
}

bool canvas_empty(const canvas *c)
{
    for (int i = 0; i < c->w * c->h; i++)
        if (c->px[i])
            return false;
    return true;
}

bool canvas_full(const canvas *c)
{
    return !memchr(c->px, 0, (size_t)c->w * (size_t)c->h);
}

void canvas_outline(canvas *c)
{
    canvas *old = canvas_cut(c, 0, 0, c->w, c->h);
    for (int y = 0; y < c->h; y++) {
        for (int x = 0; x < c->w; x++) {
            static const int8_t step[4][2] = {{0, 1}, {1, 0}, {-1, 0}, {0, -1}};
            for (int i = 0; i < 4 && !canvas_get(old, x, y); i++) {
                const uint8_t near = canvas_get(old, x + step[i][0], y + step[i][1]);
                ramp r;
                int shade;
                if (!near)
                    continue;
                /* Towards the light the outline keeps the colour, away from it it is ink. */
                if (i < 2 && gen_ramp_of(near, &r, &shade))
                    canvas_put(c, x, y, gen_flat(r, shade / 8));
                else
                    canvas_put(c, x, y, INK);
                break;
            }
        }
    }
    canvas_free(old);
}

/* The light's direction, in 1024ths: from the upper left, towards the viewer. */
enum { LIGHT_X = -520, LIGHT_Y = -640, LIGHT_Z = 600 };

static int lit(int nx, int ny, int nz, int dark, int light)
{
    const int dot = (nx * LIGHT_X + ny * LIGHT_Y + nz * LIGHT_Z) / 1024; /* -1024..1024 */
    return gen_mix(dark, light, gen_clamp((dot + 420) * 1024 / 1400, 0, 1024));
}

void draw_ball(canvas *c, int cx, int cy, int rx, int ry, ramp r, int dark, int light)
{
    for (int y = (cy - ry) / 16 - 1; y <= (cy + ry) / 16 + 1; y++) {
        for (int x = (cx - rx) / 16 - 1; x <= (cx + rx) / 16 + 1; x++) {
            const int nx = (x * 16 + 8 - cx) * 1024 / rx, ny = (y * 16 + 8 - cy) * 1024 / ry;
            const int64_t rest = (int64_t)SQUARE_ONE - (int64_t)nx * nx - (int64_t)ny * ny;
            if (rest > 0)
                canvas_shade(c, x, y, r, lit(nx, ny, gen_isqrt(rest), dark, light));
        }
    }
}

void draw_limb(canvas *c, int x0, int y0, int r0, int x1, int y1, int r1, ramp r, int dark, int light)
{
    const int64_t dx = x1 - x0, dy = y1 - y0, len2 = dx * dx + dy * dy;
    const int rm = r0 > r1 ? r0 : r1;
    const int left = (x0 < x1 ? x0 : x1) - rm, right = (x0 < x1 ? x1 : x0) + rm;
    const int top = (y0 < y1 ? y0 : y1) - rm, low = (y0 < y1 ? y1 : y0) + rm;
    for (int y = top / 16 - 1; y <= low / 16 + 1; y++) {
        for (int x = left / 16 - 1; x <= right / 16 + 1; x++) {
            const int px = x * 16 + 8, py = y * 16 + 8;
            int t = len2 ? (int)(((px - x0) * dx + (py - y0) * dy) * 1024 / len2) : 0;
            t = gen_clamp(t, 0, 1024);
            const int rad = gen_mix(r0, r1, t);
            if (rad <= 0)
                continue;
            const int ox = px - gen_mix(x0, x1, t), oy = py - gen_mix(y0, y1, t);
            const int nx = ox * 1024 / rad, ny = oy * 1024 / rad;
            const int64_t rest = (int64_t)SQUARE_ONE - (int64_t)nx * nx - (int64_t)ny * ny;
            if (rest > 0)
                canvas_shade(c, x, y, r, lit(nx, ny, gen_isqrt(rest), dark, light));
        }
    }
}

void draw_poly(canvas *c, const point *points, int count, ramp r, int left, int right)
{
    int x0 = points[0].x, x1 = x0, y0 = points[0].y, y1 = y0;
    for (int i = 1; i < count; i++) {
        x0 = points[i].x < x0 ? points[i].x : x0;
        x1 = points[i].x > x1 ? points[i].x : x1;
        y0 = points[i].y < y0 ? points[i].y : y0;
        y1 = points[i].y > y1 ? points[i].y : y1;
    }
    for (int y = y0 / 16 - 1; y <= y1 / 16 + 1; y++) {
        for (int x = x0 / 16 - 1; x <= x1 / 16 + 1; x++) {
            const int px = x * 16 + 8, py = y * 16 + 8;
            bool in = false;
            for (int i = 0, j = count - 1; i < count; j = i++) {
                const int ax = points[i].x, ay = points[i].y, bx = points[j].x, by = points[j].y;
                if ((ay > py) != (by > py) && px < ax + (int)((int64_t)(bx - ax) * (py - ay) / (by - ay)))
                    in = !in;
            }
            if (in)
                canvas_shade(c, x, y, r, gen_mix(left, right, x1 > x0 ? (px - x0) * 1024 / (x1 - x0) : 0));
        }
    }
}

void draw_box(canvas *c, int x, int y, int w, int h, ramp r, int shade)
{
    for (int j = y; j < y + h; j++)
        for (int i = x; i < x + w; i++)
            canvas_shade(c, i, j, r, shade);
}

void draw_dot(canvas *c, int x, int y, ramp r, int shade)
{
    canvas_put(c, x, y, gen_flat(r, shade));
}

void draw_line(canvas *c, int x0, int y0, int x1, int y1, ramp r, int shade)
{
    const int dx = abs(x1 - x0), dy = -abs(y1 - y0), sx = x0 < x1 ? 1 : -1, sy = y0 < y1 ? 1 : -1;
    int err = dx + dy;
    for (;;) {
        draw_dot(c, x0, y0, r, shade);
        if (x0 == x1 && y0 == y1)
            return;
        const int twice = 2 * err;
        if (twice >= dy) {
            err += dy;
            x0 += sx;
        }
        if (twice <= dx) {
            err += dx;
            y0 += sy;
        }
    }
}

void draw_board(canvas *c, int x, int y, int w, int h, bool standing, int shade, int seed)
{
    for (int j = 0; j < h; j++) {
        for (int i = 0; i < w; i++) {
            const int along = standing ? j : i, across = standing ? i : j, wide = standing ? w : h;
            const int warp = gen_noise(along, across, 24, 5, 64, 64, seed + 3) / 128;
            const int grain = gen_noise(along, across * 8 + warp * 4, 40, 9, 64, 64, seed);
            int s = shade + (grain - 512) * 300 / 1024;
            if (j == 0 || i == 0)
                s += 190;
            else if (j == 1)
                s += 70;
            if (j == h - 1 || i == w - 1)
                s -= 260;
            else if (j == h - 2 || across == wide - 2)
                s -= 110;
            canvas_shade(c, x + i, y + j, R_WOOD, s);
        }
    }
}
