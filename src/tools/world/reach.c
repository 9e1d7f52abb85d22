/*
 * tools/world/reach.c: see reach.h. Each level has a grid of cells; reached cells spread to their free
 * neighbours. A way that they touch is followed once, and its end is one more reached cell in another level,
 * until there are no more.
 */
#include "tools/world/reach.h"

#include "base/findings.h"
#include "base/format.h"
#include "base/search.h"
#include "base/text.h"
#include "base/work.h"
#include "games/ground.h"

#include <lvl/scene.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKED = 1, REACHED = 2, MAX_LEVELS = 1 << 26 };
enum { NONE = UINT32_MAX };

typedef struct level {
    const char *name;
    size_t file;
    lvl_ground ground;
    bool *taken; /* by way */
    bool entered, waits; /* a player comes here; it is in the queue */
    uint32_t place; /* index of its first place on maps; NONE */
} level;

/* A cell of a map. */
typedef struct place {
    const char *name;
    uint32_t map, column, row;
    uint32_t level, next; /* the level, and its next place; NONE */
} place;

struct lvl_reach {
    const lvl_ctx *ctx;
    lvl_arena arena;
    level *levels; /* sorted by name after lvl_reach_run began */
    size_t level_count, level_cap;
    place *places; /* sorted by map, row, column */
    size_t place_count, place_cap;
    uint32_t maps;
    uint32_t *queue, *stack;
    uint32_t queued;
    bool ran;
};

lvl_reach *lvl_reach_new(const lvl_ctx *ctx)
{
    lvl_reach *r = lvl_mem_alloc(ctx, sizeof *r);

    if (!r)
        return NULL;
    memset(r, 0, sizeof *r);
    r->ctx = ctx;
    lvl_arena_init(&r->arena, ctx);
    return r;
}

void lvl_reach_free(lvl_reach *r)
{
    if (!r)
        return;
    lvl_arena_free(&r->arena);
    free(r->levels);
    free(r->places);
    lvl_mem_free(r->ctx, r);
}

/* ---- adding ------------------------------------------------------------------------------------------ */

/* The part after the last slash, copied. */
static const char *keep_name(lvl_reach *r, lvl_text name)
{
    name = lvl_path_last(name);
    char *copy = lvl_arena_alloc(&r->arena, name.len + 1);
    if (copy && name.len)
        memcpy(copy, name.ptr, name.len);
    return copy;
}

static const char *keep_target(lvl_reach *r, const lvl_doc *doc, lvl_text target)
{
    lvl_buffer utf8 = {0};

    lvl_text_to_utf8(&utf8, lvl_doc_codepage(doc), target);
    const char *out =
        utf8.status == LVL_OK ? keep_name(r, (lvl_text){(const char *)utf8.data, utf8.len}) : NULL;
    lvl_buffer_free(&utf8);
    return out;
}

typedef struct adder {
    lvl_reach *reach;
    const lvl_doc *doc;
} adder;

static lvl_status add_place(void *user, const lvl_doc_link *link)
{
    const adder *a = user;
    lvl_reach *r = a->reach;

    if (link->way != LVL_WAY_PLACE)
        return LVL_OK;
    const char *name = keep_target(r, a->doc, link->target);
    if (!name || r->place_count >= MAX_LEVELS ||
        !lvl_grow(&r->places, &r->place_cap, r->place_count + 1, sizeof *r->places))
        return LVL_ERR_MEMORY;
    r->places[r->place_count++] = (place){name, r->maps, link->column, link->row, NONE, NONE};
    return LVL_OK;
}

lvl_status lvl_reach_add(lvl_reach *r, size_t file, const char *path, const lvl_doc *doc)
{
    const lvl_format_calls *calls = lvl_doc_format(doc)->calls;
    adder a = {r, doc};
    level new_level = {.file = file, .place = NONE};

    if (!calls->links)
        return LVL_ERR_UNSUPPORTED;
    if (!calls->ground) {
        const lvl_status status = lvl_doc_links(doc, add_place, &a);
        r->maps++;
        return status;
    }
    new_level.name = keep_name(r, lvl_text_of(path));
    if (!new_level.name || r->level_count >= MAX_LEVELS)
        return LVL_ERR_MEMORY;
    const lvl_status status = calls->ground(doc, &r->arena, &new_level.ground);
    if (status != LVL_OK)
        return lvl_arena_status(&r->arena, status);
    lvl_ground *g = &new_level.ground;
    new_level.taken = lvl_arena_array(&r->arena, g->way_count, sizeof *new_level.taken);
    if (!new_level.taken || !lvl_grow(&r->levels, &r->level_cap, r->level_count + 1, sizeof *r->levels))
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < g->way_count; i++) {
        const char *to = keep_target(r, doc, g->ways[i].to);
        if (!to)
            return LVL_ERR_MEMORY;
        g->ways[i].to = lvl_text_of(to);
    }
    for (uint32_t i = 0; g->open && i < g->width * g->height; i++)
        g->blocked[i] = 0;
    r->levels[r->level_count++] = new_level;
    return LVL_OK;
}

/* ---- joining ----------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const level *p = a, *q = b;
    const int order = lvl_text_compare_nocase(lvl_text_of(p->name), lvl_text_of(q->name));

    return order ? order : p->file < q->file ? -1 : p->file > q->file;
}

static int by_file(const void *a, const void *b)
{
    const size_t p = ((const level *)a)->file, q = ((const level *)b)->file;

    return p < q ? -1 : p > q;
}

static int by_place(const void *a, const void *b)
{
    const place *p = a, *q = b;

    if (p->map != q->map)
        return p->map < q->map ? -1 : 1;
    if (p->row != q->row)
        return p->row < q->row ? -1 : 1;
    return p->column < q->column ? -1 : p->column > q->column;
}

/* The first level whose name is not less. */
static size_t lower_bound(const lvl_reach *r, lvl_text name)
{
    size_t at;

    LVL_LOWER_BOUND(at, r->level_count, lvl_text_compare_nocase(lvl_text_of(r->levels[at].name), name) < 0);
    return at;
}

/* The level with that name, or with that name and another ending (.nw for .graal); NONE. */
static uint32_t find_level(const lvl_reach *r, lvl_text name)
{
    size_t at = lower_bound(r, name), stem = name.len;

    if (at < r->level_count && lvl_text_equal_nocase(lvl_text_of(r->levels[at].name), name))
        return (uint32_t)at;
    while (stem && name.ptr[stem - 1] != '.')
        stem--;
    const lvl_text start = {name.ptr, stem};
    at = stem ? lower_bound(r, start) : r->level_count;
    if (at == r->level_count || strlen(r->levels[at].name) < stem ||
        !lvl_text_equal_nocase((lvl_text){r->levels[at].name, stem}, start))
        return NONE;
    return (uint32_t)at;
}

static void join_places(lvl_reach *r)
{
    if (r->place_count)
        qsort(r->places, r->place_count, sizeof *r->places, by_place);
    for (size_t i = 0; i < r->place_count; i++) {
        place *p = &r->places[i];
        p->level = find_level(r, lvl_text_of(p->name));
        if (p->level != NONE) {
            p->next = r->levels[p->level].place;
            r->levels[p->level].place = (uint32_t)i;
        }
    }
}

static uint32_t level_at(const lvl_reach *r, uint32_t map, int64_t column, int64_t row)
{
    const place wanted = {NULL, map, (uint32_t)column, (uint32_t)row, NONE, NONE};
    size_t at;

    if (column < 0 || row < 0)
        return NONE;
    LVL_LOWER_BOUND(at, r->place_count, by_place(&r->places[at], &wanted) < 0);
    return at < r->place_count && by_place(&r->places[at], &wanted) == 0 ? r->places[at].level : NONE;
}

/* ---- walking ----------------------------------------------------------------------------------------- */

static void wait_for(lvl_reach *r, uint32_t index)
{
    level *l = &r->levels[index];

    l->entered = true;
    if (!l->waits) {
        l->waits = true;
        r->queue[r->queued++] = index;
    }
}

/* Marks a free cell; returns whether it is new. */
static bool reach_cell(lvl_ground *g, int64_t column, int64_t row)
{
    bool fresh = false;

    if (column < 0 || row < 0 || column >= g->width || row >= g->height)
        return false;
    uint8_t *cell = &g->blocked[(size_t)row * g->width + (size_t)column];
    fresh = !(*cell & (BLOCKED | REACHED));
    if (fresh)
        *cell |= REACHED;
    return fresh;
}

/* A player arrives: it stands there even if that is a wall, and takes steps of half a cell. */
static void arrive(lvl_reach *r, uint32_t index, double column, double row)
{
    static const double steps[][2] = {{0, 0}, {0.5, 0}, {-0.5, 0}, {0, 0.5}, {0, -0.5}};
    lvl_ground *g = &r->levels[index].ground;
    bool fresh = !r->levels[index].entered;

    /* who arrives just outside walks in */
    column = column > 0 ? fmin(column, g->width - 0.5) : 0; /* NaN, too */
    row = row > 0 ? fmin(row, g->height - 0.5) : 0;
    for (size_t i = 0; i < LVL_COUNT_OF(steps); i++)
        fresh =
            reach_cell(g, (int64_t)floor(column + steps[i][0]), (int64_t)floor(row + steps[i][1])) || fresh;
    if (fresh)
        wait_for(r, index);
}

static int64_t clip(double value, int64_t most)
{
    return value > 0 ? value < (double)most ? (int64_t)value : most : 0;
}

/* How many tiles there are between two places, both included; NaN: none. A place may be any number of a file:
 * one far outside of levels is one tile. */
static uint32_t tile_count(double from, double to)
{
    if (to > from && to - from < UINT16_MAX)
        return (uint32_t)(to - from) + 1;
    return to >= from ? 1 : 0;
}

/* A player takes a way. A coordinate that is kept may be any that the way has; one that is not known, any. */
static void follow(lvl_reach *r, const lvl_ground_way *way)
{
    const uint32_t index = find_level(r, way->to);

    if (index == NONE)
        return;
    const lvl_ground *g = &r->levels[index].ground;
    double from[2] = {way->x, way->y}, to[2] = {way->x, way->y};
    const double low[2] = {way->left, way->top}, high[2] = {way->right, way->bottom};
    const double size[2] = {g->width, g->height};
    const lvl_ground_axis axes[2] = {way->x_axis, way->y_axis};
    for (int i = 0; i < 2; i++) {
        if (axes[i] == LVL_AXIS_KEPT && !way->anywhere) {
            from[i] = (double)clip(low[i] + from[i], (int64_t)size[i]);
            to[i] = (double)clip(high[i] + to[i], (int64_t)size[i]);
        } else if (axes[i] != LVL_AXIS_NUMBER) {
            from[i] = 0;
            to[i] = size[i];
        }
    }
    const uint32_t rows = tile_count(from[1], to[1]), columns = tile_count(from[0], to[0]);
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t column = 0; column < columns; column++)
            arrive(r, index, from[0] + column, from[1] + row);
    }
}

static bool is_touched(const lvl_ground *g, double left, double top, double right, double bottom)
{
    const int64_t x_end = clip(floor(right) + 1, g->width), y_end = clip(floor(bottom) + 1, g->height);

    for (int64_t y = clip(top, g->height); y < y_end; y++) {
        for (int64_t x = clip(left, g->width); x < x_end; x++) {
            if (g->blocked[(size_t)y * g->width + (size_t)x] & REACHED)
                return true;
        }
    }
    return false;
}

/* Spreads from all reached cells. */
static void spread(lvl_reach *r, lvl_ground *g)
{
    static const int steps[][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    uint32_t count = 0;

    for (uint32_t i = 0; i < g->width * g->height; i++) {
        if (g->blocked[i] & REACHED)
            r->stack[count++] = i;
    }
    while (count) {
        const uint32_t at = r->stack[--count];
        for (size_t i = 0; i < LVL_COUNT_OF(steps); i++) {
            const int64_t column = (int64_t)(at % g->width) + steps[i][0],
                          row = (int64_t)(at / g->width) + steps[i][1];
            if (reach_cell(g, column, row))
                r->stack[count++] = (uint32_t)row * g->width + (uint32_t)column;
        }
    }
}

/* Over the edges to the neighbours on maps. */
static void cross_edges(lvl_reach *r, const level *l)
{
    const lvl_ground *g = &l->ground;

    for (uint32_t p = l->place; p != NONE; p = r->places[p].next) {
        const place *at = &r->places[p];
        const uint32_t sides[] = {level_at(r, at->map, (int64_t)at->column - 1, at->row),
                                  level_at(r, at->map, (int64_t)at->column + 1, at->row),
                                  level_at(r, at->map, at->column, (int64_t)at->row - 1),
                                  level_at(r, at->map, at->column, (int64_t)at->row + 1)};
        for (uint32_t i = 0; i < g->height; i++) {
            if (sides[0] != NONE && g->blocked[(size_t)i * g->width] & REACHED)
                arrive(r, sides[0], r->levels[sides[0]].ground.width - 1.0, i);
            if (sides[1] != NONE && g->blocked[(size_t)i * g->width + g->width - 1] & REACHED)
                arrive(r, sides[1], 0, i);
        }
        for (uint32_t i = 0; i < g->width; i++) {
            if (sides[2] != NONE && g->blocked[i] & REACHED)
                arrive(r, sides[2], i, r->levels[sides[2]].ground.height - 1.0);
            if (sides[3] != NONE && g->blocked[(size_t)(g->height - 1) * g->width + i] & REACHED)
                arrive(r, sides[3], i, 0);
        }
    }
}

static lvl_status visit(lvl_reach *r, level *l)
{
    lvl_status status = lvl_charge(r->ctx, (size_t)l->ground.width * l->ground.height + l->ground.way_count);

    spread(r, &l->ground);
    for (uint32_t i = 0; i < l->ground.way_count && status == LVL_OK; i++) {
        const lvl_ground_way *way = &l->ground.ways[i];
        if (l->taken[i] ||
            !(way->anywhere || is_touched(&l->ground, way->left, way->top, way->right, way->bottom)))
            continue;
        l->taken[i] = true;
        follow(r, way);
        if (way->x_axis != LVL_AXIS_NUMBER || way->y_axis != LVL_AXIS_NUMBER)
            status = lvl_charge(r->ctx, (size_t)l->ground.width * l->ground.height);
    }
    cross_edges(r, l);
    return status;
}

lvl_status lvl_reach_run(lvl_reach *r, const char *start)
{
    size_t cells = 0;

    if (r->ran)
        return LVL_ERR_ARG;
    r->ran = true;
    if (r->level_count)
        qsort(r->levels, r->level_count, sizeof *r->levels, by_name);
    const uint32_t first = find_level(r, lvl_text_of(start));
    if (first == NONE)
        return LVL_ERR_MISSING;
    join_places(r);
    for (size_t i = 0; i < r->level_count; i++) {
        const size_t own = (size_t)r->levels[i].ground.width * r->levels[i].ground.height;
        cells = own > cells ? own : cells;
    }
    r->queue = lvl_arena_array(&r->arena, r->level_count, sizeof *r->queue);
    r->stack = lvl_arena_array(&r->arena, cells, sizeof *r->stack);
    if (!r->queue || !r->stack)
        return LVL_ERR_MEMORY;
    lvl_ground *g = &r->levels[first].ground;
    for (uint32_t i = 0; i < g->width * g->height; i++)
        reach_cell(g, i % g->width, i / g->width);
    wait_for(r, first);
    lvl_status status = LVL_OK;
    while (r->queued && status == LVL_OK) {
        level *l = &r->levels[r->queue[--r->queued]];
        l->waits = false;
        status = visit(r, l);
    }
    qsort(r->levels, r->level_count, sizeof *r->levels, by_file); /* for the report */
    return status;
}

/* ---- the result -------------------------------------------------------------------------------------- */

void lvl_reach_report(const lvl_reach *r, size_t file, lvl_findings *findings)
{
    size_t at;

    LVL_LOWER_BOUND(at, r->level_count, r->levels[at].file < file);
    if (at == r->level_count || r->levels[at].file != file)
        return;
    const level *l = &r->levels[at];
    const lvl_ground *g = &l->ground;
    if (!l->entered) {
        lvl_findings_add(findings, g->unreached, NULL, NULL, "no link that is reached leads here");
        return;
    }
    for (uint32_t i = 0; i < g->way_count; i++) {
        if (!l->taken[i] && g->ways[i].unreached)
            lvl_findings_add(findings, g->ways[i].unreached, &g->ways[i].where, NULL, "to %.*s",
                             (int)(g->ways[i].to.len < 200 ? g->ways[i].to.len : 200), g->ways[i].to.ptr);
    }
    for (uint32_t i = 0; i < g->thing_count; i++) {
        const lvl_ground_thing *t = &g->things[i];
        if (!is_touched(g, t->left, t->top, t->right, t->bottom))
            lvl_findings_add(findings, t->unreached, &t->where, NULL, "no way on foot");
    }
}

void lvl_reach_count(const lvl_reach *r, size_t *levels, size_t *reached)
{
    *levels = r->level_count;
    *reached = 0;
    for (size_t i = 0; i < r->level_count; i++)
        *reached += r->levels[i].entered;
}
