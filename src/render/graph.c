/*
 * render/graph.c: a graph of levels as a picture, band by band: the levels, then the links, then the names.
 */
#include <lvl/graph.h>

#include "base/arena.h"
#include "base/work.h"
#include "codec/png.h"
#include "render/canvas.h"
#include "render/graph.h"
#include "scene/graph_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIZE = 96, MAX_SIZE = 1024, BAND_BYTES = 4 << 20, MAX_WIDTH = 1 << 20 };

typedef struct plan {
    const lvl_graph *graph;
    const lvl_graph_node *nodes;
    const lvl_graph_edge *edges;
    uint32_t node_count, edge_count;
    const lvl_graph_picture *options;
    int64_t size, margin, width, height; /* px */
} plan;

static lvl_area area_of(const plan *p, const lvl_graph_node *node)
{
    const int64_t left = p->margin + node->x * p->size / LVL_GRAPH_UNIT,
                  top = p->margin + node->y * p->size / LVL_GRAPH_UNIT;

    return (lvl_area){left, top, left + p->size, top + p->size};
}

static bool touches_canvas(const lvl_canvas *canvas, const lvl_area *area)
{
    lvl_area seen = *area;

    return lvl_area_clip(&seen, &canvas->area);
}

static void draw_node(const plan *p, lvl_canvas *canvas, const lvl_graph_node *node)
{
    const lvl_area area = area_of(p, node);
    const lvl_graph_picture *o = p->options;

    if (!touches_canvas(canvas, &area))
        return;
    if (node->file == LVL_GRAPH_NO_FILE) {
        lvl_canvas_frame(canvas, area, LVL_INK_GREY, true);
        return;
    }
    const lvl_image *image = o->level ? o->level(o->user, node->file) : NULL;
    if (!image) {
        lvl_canvas_fill(canvas, area, LVL_INK_CLEAR);
        lvl_canvas_frame(canvas, area, LVL_INK_GREY, false);
        return;
    }
    lvl_canvas_image(canvas, image, area.left + (p->size - image->width) / 2,
                     area.top + (p->size - image->height) / 2, 0, &area);
}

/* ---- ways -------------------------------------------------------------------------------------------- */

/* Where the line from a point outside of an area to its middle crosses its border. */
static void to_border(const lvl_area *area, double from_x, double from_y, double *x, double *y)
{
    const double mid_x = (double)(area->left + area->right) / 2,
                 mid_y = (double)(area->top + area->bottom) / 2;
    const double half = (double)(area->right - area->left) / 2, dx = from_x - mid_x, dy = from_y - mid_y;
    const double longest = fabs(dx) > fabs(dy) ? fabs(dx) : fabs(dy);
    const double t = longest > half ? half / longest : 1;

    *x = mid_x + dx * t;
    *y = mid_y + dy * t;
}

static void draw_head(lvl_canvas *canvas, double from_x, double from_y, double x, double y, double reach,
                      lvl_ink ink)
{
    const double dx = x - from_x, dy = y - from_y, length = sqrt(dx * dx + dy * dy);

    if (length < 1)
        return;
    const double ux = dx / length, uy = dy / length;
    for (int side = -1; side <= 1; side += 2)
        lvl_canvas_line(canvas, (int64_t)x, (int64_t)y, (int64_t)(x - reach * (ux - side * uy * 0.5)),
                        (int64_t)(y - reach * (uy + side * ux * 0.5)), ink);
}

/* A link between two adjacent levels: a stroke over the edge; an arrow if there is no link back. */
static void draw_beside(const plan *p, lvl_canvas *canvas, const lvl_graph_edge *e)
{
    const lvl_area from = area_of(p, &p->nodes[e->from]), to = area_of(p, &p->nodes[e->to]);
    const double dx = (double)(to.left - from.left) / (double)p->size,
                 dy = (double)(to.top - from.top) / (double)p->size;
    const double reach = (double)p->size / 12 + 2;
    /* the place of the link along the edge */
    const double x = dx != 0 ? (double)(dx > 0 ? to.left : from.left)
                             : (double)from.left + (double)p->size * e->at_x / 1000;
    const double y =
        dy != 0 ? (double)(dy > 0 ? to.top : from.top) : (double)from.top + (double)p->size * e->at_y / 1000;
    const lvl_area area = {(int64_t)(x - reach) - 2, (int64_t)(y - reach) - 2, (int64_t)(x + reach) + 3,
                           (int64_t)(y + reach) + 3};

    if (!touches_canvas(canvas, &area))
        return;
    const lvl_ink ink = e->back ? LVL_INK_WHITE : LVL_INK_HAZARD;
    lvl_canvas_line(canvas, (int64_t)(x - dx * reach), (int64_t)(y - dy * reach), (int64_t)(x + dx * reach),
                    (int64_t)(y + dy * reach), ink);
    if (!e->back)
        draw_head(canvas, x - dx * reach, y - dy * reach, x + dx * reach, y + dy * reach, reach, ink);
}

static void draw_way(const plan *p, lvl_canvas *canvas, const lvl_graph_edge *e)
{
    const lvl_area from = area_of(p, &p->nodes[e->from]), to = area_of(p, &p->nodes[e->to]);
    const bool missing = p->nodes[e->to].file == LVL_GRAPH_NO_FILE;
    const double x0 = (double)from.left + (double)p->size * e->at_x / 1000,
                 y0 = (double)from.top + (double)p->size * e->at_y / 1000;
    char count[16];
    double x1, y1;

    to_border(&to, x0, y0, &x1, &y1);
    const lvl_area area = {(int64_t)fmin(x0, x1) - 8, (int64_t)fmin(y0, y1) - 8, (int64_t)fmax(x0, x1) + 60,
                           (int64_t)fmax(y0, y1) + 9};
    if (!touches_canvas(canvas, &area))
        return;
    const lvl_ink ink = missing                  ? LVL_INK_GREY
                        : e->way != LVL_WAY_DOOR ? LVL_INK_TREASURE
                        : e->back                ? LVL_INK_WARP
                                                 : LVL_INK_HAZARD;
    lvl_canvas_line(canvas, (int64_t)x0, (int64_t)y0, (int64_t)x1, (int64_t)y1, ink);
    lvl_canvas_fill(canvas, (lvl_area){(int64_t)x0 - 1, (int64_t)y0 - 1, (int64_t)x0 + 2, (int64_t)y0 + 2},
                    ink);
    draw_head(canvas, x0, y0, x1, y1, 7, ink);
    if (e->count > 1) {
        const int len = snprintf(count, sizeof count, "%u", e->count);
        lvl_canvas_text(canvas, (int64_t)((x0 + x1) / 2), (int64_t)((y0 + y1) / 2), count,
                        len > 0 ? (size_t)len : 0, 1, ink);
    }
}

/* ---- all of it --------------------------------------------------------------------------------------- */

/* Where the lines of a name end: behind a separator if there are enough lines for that, else where they are
 * full. Returns their number. */
static size_t break_name(const char *name, size_t len, size_t letters, size_t lines, size_t *ends)
{
    for (int soft = 1;; soft--) {
        size_t used = 0, at = 0;
        while (at < len) {
            size_t end = len - at > letters ? at + letters : len;
            for (size_t i = end; soft && end < len && i > at + letters / 4; i--) {
                if (strchr("_-. +", name[i - 1])) {
                    end = name[i - 1] == '.' && i - 1 > at ? i - 1 : i; /* an ending keeps its dot */
                    break;
                }
            }
            if (soft && used == lines)
                break;
            ends[used++] = at = end;
        }
        if (at >= len)
            return used;
    }
}

/* A name over the lower end of its level, in as many lines as a third of it has room for. Of a name that is
 * longer still the middle is left out: names of one family differ in their ends. */
static void draw_name(const plan *p, lvl_canvas *canvas, const lvl_graph_node *node)
{
    enum { LINE = LVL_FONT_HEIGHT + 2, MAX_LETTERS = 256 };
    const lvl_area area = area_of(p, node);
    const size_t letters = (size_t)(p->size - 3) / LVL_FONT_WIDTH;
    const size_t lines = (size_t)p->size / 3 / LINE, room = letters * lines;
    char name[MAX_LETTERS];
    const char *dot = strrchr(node->name, '.');
    size_t len = strlen(node->name);

    if (p->size < 32)
        return;
    if (dot && dot > node->name && len > room)
        len = (size_t)(dot - node->name);
    if (len > room || len >= sizeof name) {
        const size_t keep = (room < sizeof name ? room : sizeof name - 1) - 2, head = (keep + 1) / 2;
        const size_t tail = keep - head;
        snprintf(name, sizeof name, "%.*s..%.*s", (int)head, node->name, (int)tail, node->name + len - tail);
        len = keep + 2;
    } else {
        memcpy(name, node->name, len);
    }
    size_t ends[MAX_LETTERS];
    const size_t used = break_name(name, len, letters, lines, ends);
    const lvl_area strip = {area.left, area.bottom - (int64_t)used * LINE - 1, area.right, area.bottom};
    if (!touches_canvas(canvas, &strip))
        return;
    lvl_canvas_tint(canvas, strip, LVL_INK_BLACK, 130);
    for (size_t i = 0; i < used; i++) {
        const size_t from = i ? ends[i - 1] : 0;
        lvl_canvas_text(canvas, area.left + 2, strip.top + 2 + (int64_t)i * LINE, name + from, ends[i] - from,
                        1, node->file == LVL_GRAPH_NO_FILE ? LVL_INK_GREY : LVL_INK_WHITE);
    }
}

static void draw_band(const plan *p, lvl_canvas *canvas)
{
    lvl_canvas_fill(canvas, canvas->area, LVL_INK_BACK);
    for (uint32_t i = 0; i < p->node_count; i++)
        draw_node(p, canvas, &p->nodes[i]);
    for (uint32_t i = 0; i < p->edge_count; i++) {
        const lvl_graph_edge *e = &p->edges[i];
        if (e->from == e->to)
            continue;
        if (e->beside)
            draw_beside(p, canvas, e);
        else
            draw_way(p, canvas, e);
    }
    for (uint32_t i = 0; i < p->node_count; i++)
        draw_name(p, canvas, &p->nodes[i]);
}

static lvl_status make_plan(plan *p, const lvl_graph *graph, const lvl_graph_picture *options,
                            const lvl_ctx *ctx)
{
    const uint64_t cells = lvl_limits_of(ctx).cells;
    int32_t width, height;

    memset(p, 0, sizeof *p);
    p->graph = graph;
    p->options = options;
    p->nodes = lvl_graph_nodes(graph, &p->node_count);
    p->edges = lvl_graph_edges(graph, &p->edge_count);
    lvl_graph_size(graph, &width, &height);
    if (!p->node_count)
        return LVL_ERR_ARG;
    p->size = options->size ? options->size : SIZE;
    if (p->size > MAX_SIZE)
        return lvl_refuse_fixed(ctx, "pixels across a level of a graph", MAX_SIZE, (uint64_t)p->size);
    p->margin = p->size / 4;
    p->width = width * p->size / LVL_GRAPH_UNIT + 2 * p->margin;
    p->height = height * p->size / LVL_GRAPH_UNIT + 2 * p->margin;
    if (p->width > MAX_WIDTH || p->height > INT32_MAX)
        return lvl_refuse_fixed(ctx, "pixels across", MAX_WIDTH,
                                (uint64_t)(p->width > p->height ? p->width : p->height));
    if ((uint64_t)p->width * (uint64_t)p->height > cells * 16)
        return lvl_refuse(ctx, LVL_LIMIT_CELLS, cells * 16, (uint64_t)p->width * (uint64_t)p->height);
    return LVL_OK;
}

static lvl_status draw_graph(const lvl_ctx *ctx, const plan *p, lvl_rows *rows)
{
    const lvl_graph_picture *o = p->options;
    const uint64_t bytes = o->band_bytes ? o->band_bytes : BAND_BYTES;
    const lvl_picture picture = {.width = (uint32_t)p->width, .height = (uint32_t)p->height, .channels = 3};
    lvl_canvas canvas = {.pen = 1, .width = picture.width, .area = {0, 0, p->width, p->height}};
    const uint64_t most = bytes / ((uint64_t)p->width * 4);
    const uint32_t band = most < 1 ? 1 : most > picture.height ? picture.height : (uint32_t)most;

    canvas.pixels = lvl_mem_alloc(ctx, (size_t)p->width * band * 4);
    lvl_status status = canvas.pixels ? rows->begin(rows, &picture) : LVL_ERR_MEMORY;
    for (uint32_t y = 0; y < picture.height && status == LVL_OK; y += band) {
        if (lvl_stopped(ctx)) {
            status = LVL_ERR_STOPPED;
            break;
        }
        const uint32_t count = picture.height - y < band ? picture.height - y : band;
        canvas.area.top = y;
        canvas.area.bottom = (int64_t)y + count;
        draw_band(p, &canvas);
        /* the canvas has four channels, the picture needs three */
        for (size_t i = 0; i < (size_t)p->width * count; i++)
            memmove(canvas.pixels + i * 3, canvas.pixels + i * 4, 3);
        status = rows->rows(rows, canvas.pixels, count);
    }
    lvl_mem_free(ctx, canvas.pixels);
    return status == LVL_OK ? rows->end(rows) : status;
}

lvl_status lvl_render_graph(const lvl_graph *graph, const lvl_graph_picture *picture, lvl_rows *rows)
{
    static const lvl_graph_picture usual = {0};
    const lvl_ctx *ctx = lvl_graph_ctx(graph);
    plan p;
    const lvl_status status = make_plan(&p, graph, picture ? picture : &usual, ctx);

    return status == LVL_OK ? draw_graph(ctx, &p, rows) : status;
}

lvl_status lvl_render_graph_png(const lvl_graph *graph, const lvl_graph_picture *picture, lvl_writer *out)
{
    lvl_rows *png = lvl_png_rows_new(lvl_graph_ctx(graph), out, LVL_PNG_AUTO);
    const lvl_status status = png ? lvl_render_graph(graph, picture, png) : LVL_ERR_MEMORY;

    lvl_png_rows_free(png);
    return status;
}
