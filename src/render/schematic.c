/*
 * render/schematic.c: draws a level without art so that a designer can read it: floors, walls, ladders,
 * deadly cells, and a mark for each kind of thing.
 */
#include "render/looks.h"
#include "render/plan.h"

#include <math.h>

const lvl_class_style lvl_class_styles[LVL_LOOK_COUNT] = {
    [LVL_LOOK_NONE] = {NULL, LVL_INK_BACK, LVL_INK_BACK, LVL_INK_BACK, 0, false},
    [LVL_LOOK_CLEAR] = {NULL, LVL_INK_CLEAR, LVL_INK_GREY, LVL_INK_WHITE, 0, false},
    [LVL_LOOK_SOLID] = {"solid", LVL_INK_SOLID, LVL_INK_SOLID, LVL_INK_PLATFORM, 110, false},
    [LVL_LOOK_GROUND] = {"ground", LVL_INK_CLEAR, LVL_INK_GROUND, LVL_INK_ITEM, 64, false},
    [LVL_LOOK_CLIMB] = {"climb", LVL_INK_CLEAR, LVL_INK_CLIMB, LVL_INK_TREASURE, 80, true},
    [LVL_LOOK_DEATH] = {"death", LVL_INK_DEATH_DARK, LVL_INK_DEATH, LVL_INK_DEATH, 140, false},
    [LVL_LOOK_OTHER] = {"other", LVL_INK_OTHER_DARK, LVL_INK_OTHER, LVL_INK_OTHER, 96, true},
    [LVL_LOOK_WATER] = {"water", LVL_INK_WATER_DARK, LVL_INK_WATER, LVL_INK_WATER, 130, false},
    [LVL_LOOK_WADE] = {"wade", LVL_INK_WADE_DARK, LVL_INK_WADE, LVL_INK_WADE, 110, false},
    [LVL_LOOK_LOW] = {"low", LVL_INK_LOW_DARK, LVL_INK_LOW, LVL_INK_LOW, 90, true},
    [LVL_LOOK_JUMP] = {"jump", LVL_INK_CLEAR, LVL_INK_JUMP, LVL_INK_JUMP, 120, false},
    [LVL_LOOK_REST] = {"rest", LVL_INK_CLEAR, LVL_INK_REST, LVL_INK_REST, 120, false},
};

unsigned lvl_looks_possible(const lvl_scene *scene)
{
    const unsigned usual = 1u << LVL_LOOK_SOLID | 1u << LVL_LOOK_GROUND | 1u << LVL_LOOK_CLIMB |
                           1u << LVL_LOOK_DEATH | 1u << LVL_LOOK_OTHER;

    return scene->possible_classes ? scene->possible_classes : usual;
}

const char *lvl_looks_name(const lvl_scene *scene, lvl_tile_class look)
{
    return scene->look_names[look] ? scene->look_names[look] : lvl_class_styles[look].name;
}

/* The greatest from + n * step that does not exceed `at`; `from` if there is none. */
static int64_t last_before(int64_t from, int64_t step, int64_t at)
{
    return at > from ? from + (at - from) / step * step : from;
}

/* The patterns below fill `area`, but draw only `seen`, its part on the canvas: a cell may be much larger
 * than the picture. */

/* Spikes pointing up, as wide as the gaps between them. */
static void draw_spikes(lvl_canvas *canvas, lvl_area area, lvl_area seen)
{
    const int64_t width = area.right - area.left, height = area.bottom - area.top;
    const int64_t teeth = width >= 24 ? width / 12 : 1;
    const int64_t first = (seen.left - area.left) * teeth / width;

    for (int64_t y = seen.top; y < seen.bottom; y++) {
        for (int64_t t = first; t < teeth; t++) {
            const int64_t from = width * t / teeth, to = width * (t + 1) / teeth;
            const int64_t half = (to - from) * (y - area.top + 1) / (2 * height);
            const int64_t middle = area.left + (from + to) / 2;
            if (area.left + from >= seen.right)
                break;
            lvl_canvas_fill(canvas, (lvl_area){middle - half, y, middle + half, y + 1}, LVL_INK_DEATH);
        }
    }
}

static void draw_ladder(lvl_canvas *canvas, lvl_area area, lvl_area seen)
{
    const int64_t width = area.right - area.left, rail = width / 10 + 1;
    const int64_t left = area.left + width / 4, right = area.right - width / 4;
    /* Rungs are counted from the picture's top instead of the cell's, so that they are evenly spaced across
     * cells. */
    const int64_t step = width / 4 > 4 ? width / 4 : 4;
    const int64_t top = area.top - (area.top % step + step) % step;

    for (int64_t y = last_before(top, step, seen.top - step); y < seen.bottom; y += step) {
        lvl_area rung = {left, y + step / 2, right, y + step / 2 + rail / 2 + 1};
        if (lvl_area_clip(&rung, &area))
            lvl_canvas_fill(canvas, rung, LVL_INK_CLIMB_DARK);
    }
    lvl_canvas_fill(canvas, (lvl_area){left - rail, area.top, left, area.bottom}, LVL_INK_CLIMB);
    lvl_canvas_fill(canvas, (lvl_area){right, area.top, right + rail, area.bottom}, LVL_INK_CLIMB);
}

/* Stripes that continue from cell to cell. */
static void draw_stripes(lvl_canvas *canvas, lvl_area seen, lvl_ink ink)
{
    for (int64_t y = seen.top; y < seen.bottom; y++) {
        const int64_t phase = ((seen.left + y) % 12 + 12) % 12;
        for (int64_t x = seen.left - phase; x < seen.right; x += 12) {
            lvl_area run = {x, y, x + 3, y + 1};
            if (lvl_area_clip(&run, &seen))
                lvl_canvas_fill(canvas, run, ink);
        }
    }
}

/* Short strokes in staggered rows; with alpha below 255 they are blended. */
static void draw_ripples(lvl_canvas *canvas, lvl_area area, lvl_area seen, lvl_ink ink, unsigned alpha)
{
    for (int64_t y = last_before(area.top + 3, 8, seen.top); y < seen.bottom; y += 8) {
        const int64_t from = area.left + ((y - area.top) / 8 % 2 ? 9 : 2);
        for (int64_t x = last_before(from, 16, seen.left); x < seen.right; x += 16) {
            lvl_area stroke = {x, y, x + 5, y + 1};
            if (!lvl_area_clip(&stroke, &area))
                continue;
            if (alpha == 255)
                lvl_canvas_fill(canvas, stroke, ink);
            else
                lvl_canvas_tint(canvas, stroke, ink, alpha);
        }
    }
}

/* Draws an area of one class. `open_top`: the class above is different, so the top edge is drawn. */
static void draw_look(lvl_canvas *canvas, lvl_area area, lvl_tile_class look, bool open_top)
{
    const int64_t height = area.bottom - area.top, width = area.right - area.left;
    const bool small = height < 8 || width < 8;
    lvl_area edge = area, seen = area;

    if (!lvl_area_clip(&seen, &canvas->area))
        return;
    lvl_canvas_fill(canvas, area, lvl_class_styles[look].back);
    switch (look) {
    case LVL_LOOK_SOLID:
        if (!small)
            draw_stripes(canvas, seen, LVL_INK_SOLID_DARK);
        edge.bottom = edge.top + (height >= 32 ? 5 : height / 6 + 1);
        if (open_top)
            lvl_canvas_fill(canvas, edge, LVL_INK_SOLID_EDGE);
        break;
    case LVL_LOOK_GROUND:
        edge.bottom = edge.top + (height >= 32 ? 10 : height / 3 + 1);
        lvl_canvas_fill(canvas, edge, LVL_INK_GROUND);
        edge.bottom = edge.top + (height >= 32 ? 4 : height / 8 + 1);
        lvl_canvas_fill(canvas, edge, LVL_INK_GROUND_EDGE);
        break;
    case LVL_LOOK_CLIMB:
        if (small)
            lvl_canvas_fill(canvas, area, LVL_INK_CLIMB);
        else
            draw_ladder(canvas, area, seen);
        break;
    case LVL_LOOK_DEATH:
        if (small)
            lvl_canvas_fill(canvas, area, LVL_INK_DEATH);
        else if (open_top)
            draw_spikes(canvas, area, seen);
        else
            draw_stripes(canvas, seen, LVL_INK_DEATH);
        break;
    case LVL_LOOK_OTHER:
        if (small)
            lvl_canvas_fill(canvas, area, LVL_INK_OTHER);
        else
            draw_stripes(canvas, seen, LVL_INK_OTHER);
        break;
    case LVL_LOOK_WATER:
    case LVL_LOOK_WADE: draw_ripples(canvas, area, seen, lvl_class_styles[look].ink, 255); break;
    case LVL_LOOK_LOW:
        edge.bottom = edge.top + height / 6 + 1;
        if (open_top)
            lvl_canvas_fill(canvas, edge, LVL_INK_LOW);
        break;
    case LVL_LOOK_JUMP:
        edge.top = edge.bottom - height / 6 - 1;
        lvl_canvas_fill(canvas, edge, LVL_INK_JUMP);
        break;
    case LVL_LOOK_REST: lvl_canvas_frame(canvas, area, LVL_INK_REST, true); break;
    default: break;
    }
}

/* Draws an area in its tile's colour: solid with a light upper edge and a shade, liquid with ripples. */
static void draw_coloured(lvl_canvas *canvas, lvl_area area, const lvl_scene_tile *tile, lvl_tile_class above)
{
    const int64_t height = area.bottom - area.top;
    const bool open_top = above != tile->look;
    lvl_area edge = area, seen = area;

    if (!lvl_area_clip(&seen, &canvas->area))
        return;
    const unsigned light = tile->look == LVL_LOOK_SOLID ? 220 : tile->look == LVL_LOOK_LOW ? 237 : 255;
    const uint8_t rgb[3] = {(uint8_t)(tile->rgb[0] * light / 255), (uint8_t)(tile->rgb[1] * light / 255),
                            (uint8_t)(tile->rgb[2] * light / 255)};
    lvl_canvas_fill_colour(canvas, area, 0, rgb);
    edge.bottom = edge.top + height / 8 + 1;
    switch (tile->look) {
    case LVL_LOOK_SOLID:
    case LVL_LOOK_LOW:
        if (open_top)
            lvl_canvas_tint(canvas, edge, LVL_INK_WHITE, 90);
        break;
    case LVL_LOOK_DEATH:
    case LVL_LOOK_OTHER:
        if (height >= 8)
            draw_stripes(canvas, seen, lvl_class_styles[tile->look].ink);
        break;
    case LVL_LOOK_WATER:
    case LVL_LOOK_WADE:
        draw_ripples(canvas, area, seen, LVL_INK_WHITE, tile->look == LVL_LOOK_WATER ? 110 : 48);
        break;
    default:
        /* the shadow of a wall above, so that walls look higher than the ground */
        if (above == LVL_LOOK_SOLID)
            lvl_canvas_tint(canvas, edge, LVL_INK_BLACK, 70);
        break;
    }
}

lvl_above lvl_class_above(lvl_layer_plan *lp, const uint32_t *above)
{
    lvl_above out = {LVL_LOOK_NONE, !above};
    const lvl_scene_tile *tile = above ? lvl_plan_tile(lp, *above) : NULL;

    if (tile && !tile->empty)
        out.look = tile->has_inner && tile->inner.bottom >= (int64_t)lp->layer->cell_height - 1
                       ? tile->inner_look
                       : tile->look;
    return out;
}

static void draw_mask(lvl_canvas *canvas, const lvl_scene_tile *tile, lvl_area area)
{
    const int64_t width = area.right - area.left, height = area.bottom - area.top;
    lvl_area seen = area;

    if (!lvl_area_clip(&seen, &canvas->area))
        return;
    /* the rows and columns of the mask that are on the canvas */
    const int64_t top = (seen.top - area.top) * tile->mask_height / height;
    const int64_t left = (seen.left - area.left) * tile->mask_width / width;
    for (int64_t y = top; y < tile->mask_height && area.top + height * y / tile->mask_height < seen.bottom;
         y++) {
        const uint8_t *row = tile->mask + (size_t)y * tile->mask_width;
        lvl_area cell = {0, area.top + height * y / tile->mask_height, 0,
                         area.top + height * (y + 1) / tile->mask_height};
        for (int64_t x = left; x < tile->mask_width; x++) {
            cell.left = area.left + width * x / tile->mask_width;
            cell.right = area.left + width * (x + 1) / tile->mask_width;
            if (cell.left >= seen.right)
                break;
            const lvl_tile_class look = lvl_mask_class(tile, row[x]);
            if (tile->mask_classes ? look != LVL_LOOK_NONE : look != LVL_LOOK_CLEAR)
                lvl_canvas_fill(canvas, cell, lvl_class_styles[look].ink);
        }
    }
}

void lvl_draw_schematic_cell(lvl_layer_plan *lp, lvl_canvas *canvas, uint32_t value, lvl_above above,
                             lvl_area area)
{
    const lvl_scene_tile *tile = lvl_plan_tile(lp, value);

    if (tile->empty)
        return;
    if (tile->mask) {
        lvl_canvas_fill(canvas, area, LVL_INK_CLEAR);
        draw_mask(canvas, tile, area);
        return;
    }
    if (tile->has_rgb) {
        /* above the first row the same class is assumed */
        draw_coloured(canvas, area, tile, above.edge ? tile->look : above.look);
        return;
    }
    draw_look(canvas, area, tile->look, above.look != tile->look);
    if (tile->has_inner) {
        const int64_t width = area.right - area.left, of_width = lp->layer->cell_width;
        const int64_t height = area.bottom - area.top, of_height = lp->layer->cell_height;
        lvl_area inner = {area.left + tile->inner.left * width / of_width,
                          area.top + tile->inner.top * height / of_height,
                          area.left + ((int64_t)tile->inner.right + 1) * width / of_width,
                          area.top + ((int64_t)tile->inner.bottom + 1) * height / of_height};
        if (lvl_area_clip(&inner, &area))
            draw_look(canvas, inner, tile->inner_look,
                      inner.top > area.top ? tile->look != tile->inner_look : above.look != tile->inner_look);
    }
}

void lvl_draw_schematic_at(void *user, lvl_canvas *canvas, lvl_layer_plan *lp, const lvl_cell_at *cell)
{
    uint32_t above;

    (void)user;
    if (lvl_plan_tile(lp, cell->value)->empty)
        return;
    if (cell->row)
        lp->layer->cells(lp->layer, cell->column, cell->row - 1, 1, &above);
    lvl_draw_schematic_cell(lp, canvas, cell->value, lvl_class_above(lp, cell->row ? &above : NULL),
                            cell->area);
}

void lvl_draw_schematic(lvl_layer_plan *lp, lvl_canvas *canvas)
{
    lvl_plan_cells(lp, canvas, lvl_draw_schematic_at, NULL);
}

/* ---- marks ------------------------------------------------------------------------------------------- */

typedef enum shape { DISC, DIAMOND, SQUARE, BAR, TRIANGLE, RING, FLAG, DOT } shape;

static shape shape_of(lvl_thing_kind kind)
{
    switch (kind) {
    case LVL_THING_TREASURE:
    case LVL_THING_ITEM: return DIAMOND;
    case LVL_THING_CONTAINER: return SQUARE;
    case LVL_THING_SIGN:
    case LVL_THING_PLATFORM: return BAR;
    case LVL_THING_HAZARD: return TRIANGLE;
    case LVL_THING_WARP:
    case LVL_THING_TRIGGER: return RING;
    case LVL_THING_CHECKPOINT:
    case LVL_THING_EXIT:
    case LVL_THING_START: return FLAG;
    case LVL_THING_SOUND:
    case LVL_THING_SCENERY: return DOT;
    default: return DISC;
    }
}

/* The whole part of a square root; v is below 2^62. */
static int64_t square_root(int64_t v)
{
    int64_t r = (int64_t)sqrt((double)v); /* may be off by one where a double is less precise than v */

    while (r * r > v)
        r--;
    while ((r + 1) * (r + 1) <= v)
        r++;
    return r;
}

/* Half the width of the shape in row y of -reach .. reach; *hole: half the width of the empty part in its
 * middle. Below 0: none. */
static int64_t half_width(shape s, int64_t reach, int64_t y, int64_t *hole)
{
    const int64_t ay = y < 0 ? -y : y;

    *hole = -1;
    switch (s) {
    case DIAMOND: return reach - ay;
    case SQUARE: return ay <= reach * 4 / 5 ? reach * 4 / 5 : -1;
    case BAR: return ay <= reach / 3 ? reach * 3 / 2 : -1;
    case TRIANGLE: return (y + reach) / 2;
    case DOT: {
        const int64_t r = reach / 2;
        return ay > r ? -1 : square_root(r * r - ay * ay);
    }
    case RING: {
        const int64_t r = reach * 3 / 5;
        if (ay <= r)
            *hole = square_root(r * r - ay * ay);
        return square_root(reach * reach - ay * ay);
    }
    default: return square_root(reach * reach - ay * ay);
    }
}

static void draw_shape(lvl_canvas *canvas, shape s, int64_t x, int64_t y, int64_t reach, lvl_ink ink)
{
    const int64_t top = y - reach > canvas->area.top ? y - reach : canvas->area.top;

    for (int64_t row = top; row <= y + reach && row < canvas->area.bottom; row++) {
        const int64_t dy = row - y;
        int64_t hole;

        const int64_t half = half_width(s, reach, dy, &hole);
        if (half < 0)
            continue;
        if (hole < 0) {
            lvl_canvas_fill(canvas, (lvl_area){x - half, row, x + half + 1, row + 1}, ink);
        } else {
            lvl_canvas_fill(canvas, (lvl_area){x - half, row, x - hole, row + 1}, ink);
            lvl_canvas_fill(canvas, (lvl_area){x + hole + 1, row, x + half + 1, row + 1}, ink);
        }
    }
}

void lvl_draw_mark(lvl_canvas *canvas, lvl_thing_kind kind, int64_t x, int64_t y, int64_t reach)
{
    const lvl_ink ink = lvl_ink_of_kind(kind);
    const shape s = shape_of(kind);
    const int64_t rim = reach / 6 + 1;

    if (y - reach - rim >= canvas->area.bottom || y + reach + rim < canvas->area.top ||
        x - reach * 2 >= canvas->area.right || x + reach * 2 < canvas->area.left)
        return;
    if (s == FLAG) {
        lvl_canvas_fill(canvas, (lvl_area){x - 2 * rim, y - reach - rim, x + reach + rim, y + rim},
                        LVL_INK_SHADE);
        lvl_canvas_fill(canvas, (lvl_area){x - 2 * rim, y - reach - rim, x + rim, y + reach}, LVL_INK_SHADE);
        lvl_canvas_fill(canvas, (lvl_area){x - rim, y - reach, x, y + reach}, LVL_INK_WHITE);
        lvl_canvas_fill(canvas, (lvl_area){x, y - reach, x + reach, y}, ink);
        return;
    }
    draw_shape(canvas, s, x, y, reach + rim, LVL_INK_SHADE);
    draw_shape(canvas, s, x, y, reach, ink);
    if (s == SQUARE) {
        const int64_t r = reach * 4 / 5;
        lvl_canvas_line(canvas, x - r, y - r, x + r, y + r, LVL_INK_SHADE);
        lvl_canvas_line(canvas, x - r, y + r, x + r, y - r, LVL_INK_SHADE);
    } else if (kind == LVL_THING_ENEMY || kind == LVL_THING_BOSS) {
        const int64_t e = reach / 5 + 1;
        lvl_canvas_fill(canvas, (lvl_area){x - 2 * e, y - e, x - e + 1, y + 1}, LVL_INK_SHADE);
        lvl_canvas_fill(canvas, (lvl_area){x + e, y - e, x + 2 * e + 1, y + 1}, LVL_INK_SHADE);
    } else if (kind == LVL_THING_TREASURE || kind == LVL_THING_ITEM) {
        draw_shape(canvas, DIAMOND, x - reach / 6, y - reach / 6, reach / 4, LVL_INK_WHITE);
    }
}

/* ---- boxes ------------------------------------------------------------------------------------------- */

void lvl_draw_box(lvl_canvas *canvas, const lvl_scene_thing *thing, lvl_area area, bool faint)
{
    static const lvl_ink inks[] = {LVL_INK_PLATFORM, LVL_INK_TREASURE,   LVL_INK_ITEM,    LVL_INK_WARP,
                                   LVL_INK_HAZARD,   LVL_INK_CHECKPOINT, LVL_INK_TRIGGER, LVL_INK_CONTAINER};
    uint32_t h = 2166136261u;

    for (size_t i = 0; i < thing->label.len; i++)
        h = (h ^ (uint8_t)thing->label.ptr[i]) * 16777619u;
    if (faint) {
        lvl_canvas_tint(canvas, area, LVL_INK_WHITE, 24);
        lvl_canvas_frame(canvas, area, LVL_INK_SCENERY, true);
        return;
    }
    /* transparent if the canvas has colours, since boxes overlap, such as hats and heads */
    if (canvas->indexed)
        lvl_canvas_fill(canvas, area, LVL_INK_CLEAR);
    else
        lvl_canvas_tint(canvas, area, LVL_INK_CLEAR, 140);
    lvl_canvas_frame(canvas, area, inks[(h ^ h >> 13) % (sizeof inks / sizeof *inks)],
                     (thing->flags & LVL_THING_HIDDEN) != 0);
}

/* The top left corner of a text and the size of its letters' dots; returns the number of letters. */
static size_t place_text(const lvl_scene_thing *thing, lvl_area area, int64_t *left, int64_t *top,
                         int64_t *size)
{
    const size_t len = thing->label.len < 256 ? thing->label.len : 256;
    const int64_t width = area.right - area.left, height = area.bottom - area.top;
    int64_t s = 1;

    *left = area.left + 1;
    *top = area.top + 1;
    if (thing->has_part && len) {
        const int64_t across = (int64_t)(len + 1) * LVL_FONT_WIDTH;
        s = width / across < height / (2 * LVL_FONT_HEIGHT) ? width / across : height / (2 * LVL_FONT_HEIGHT);
        s = s < 1 ? 1 : s > 64 ? 64 : s;
        *left = area.left + (width - (int64_t)len * LVL_FONT_WIDTH * s) / 2;
        *top = area.top + (height - LVL_FONT_HEIGHT * s) / 2;
    }
    *size = s;
    return len;
}

lvl_area lvl_thing_text_area(const lvl_scene_thing *thing, lvl_area area)
{
    int64_t left, top, size;
    const size_t len = place_text(thing, area, &left, &top, &size);

    return (lvl_area){left - size, top - size, left + (int64_t)len * LVL_FONT_WIDTH * size + size,
                      top + LVL_FONT_HEIGHT * size + size};
}

void lvl_draw_thing_text(lvl_canvas *canvas, const lvl_scene_thing *thing, lvl_area area)
{
    int64_t left, top, size;
    const size_t len = place_text(thing, area, &left, &top, &size);

    lvl_canvas_text(canvas, left, top, thing->label.ptr, len, (unsigned)size,
                    thing->has_part ? LVL_INK_GREY : LVL_INK_WHITE);
}
