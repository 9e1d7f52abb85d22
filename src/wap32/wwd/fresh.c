/*
 * wap32/wwd/fresh.c: new levels: a main plane without tiles, or all that a base level of Claw has, with a
 * floor to begin on and an exit. What base levels have is in the game book.
 */
#include "base/cursor.h"
#include "base/map_layout.h"
#include "base/text.h"
#include "wap32/wwd/book.h"
#include "wap32/wwd/internal.h"

#include <stdio.h>
#include <string.h>

enum {
    SIDE = 64, /* tiles */
    TILE = 64, /* px */
    ABOVE = 64, /* px from the ground up to the middle of who stands there, as levels have it */
    WRAPPED = 24 /* columns or rows of a plane that repeats */
};

/* ---- header ------------------------------------------------------------------------------------------ */

static const struct {
    size_t member;
    const char *text; /* %u: the base level */
} texts[] = {{offsetof(lvl_wwd, image_dir), "\\LEVEL%u\\TILES"},
             {offsetof(lvl_wwd, pal_rez), "\\LEVEL%u\\PALETTES\\MAIN.PAL"},
             {offsetof(lvl_wwd, image_set1), "\\LEVEL%u\\IMAGES"},
             {offsetof(lvl_wwd, image_set2), "\\GAME\\IMAGES"},
             {offsetof(lvl_wwd, prefix1), "LEVEL"},
             {offsetof(lvl_wwd, prefix2), "GAME"},
             {offsetof(lvl_wwd, name), "New - Level %u"}};

static lvl_status put_texts(lvl_doc *doc, uint32_t base)
{
    lvl_status status = LVL_OK;
    char text[64];

    for (size_t i = 0; i < LVL_COUNT_OF(texts) && status == LVL_OK; i++) {
        const char *mark = strstr(texts[i].text, "%u");
        if (mark)
            snprintf(text, sizeof text, "%.*s%u%s", (int)(mark - texts[i].text), texts[i].text,
                     (unsigned)base, mark + 2);
        else
            snprintf(text, sizeof text, "%s", texts[i].text);
        status =
            lvl_put_text(doc, doc->root, lvl_table_at(&lvl_wwd_table, texts[i].member), lvl_text_of(text));
    }
    return status;
}

/* ---- planes ------------------------------------------------------------------------------------------ */

static void fill(uint8_t *tiles, uint32_t value, size_t count)
{
    for (size_t i = 0; i < count; i++)
        lvl_store_u32le(tiles + 4 * i, value);
}

static lvl_status begin_plane(lvl_doc *doc, uint32_t index, const lvl_book_plane *from, uint32_t columns,
                              uint32_t rows)
{
    lvl_wwd *wwd = doc->root;
    lvl_wwd_plane *plane = &wwd->planes[index];
    uint8_t *tiles = lvl_arena_array(&doc->arena, (size_t)columns * rows, 4);

    if (!tiles)
        return LVL_ERR_MEMORY;
    fill(tiles, from->tile, (size_t)columns * rows);
    plane->tiles = (lvl_cells){tiles, columns, rows, 4};
    plane->flags = (from->main ? LVL_WWD_PLANE_MAIN : 0u) | (from->wrap_x ? LVL_WWD_PLANE_WRAP_X : 0u) |
                   (from->wrap_y ? LVL_WWD_PLANE_WRAP_Y : 0u);
    plane->movement_x = from->moves_x;
    plane->movement_y = from->moves_y;
    plane->fill_color = from->fill;
    plane->z = from->z;
    lvl_status status = lvl_list_insert(doc, plane, LVL_FIELD(lvl_wwd_plane, image_sets), 0, 1);
    if (status == LVL_OK)
        plane->image_sets[0] = lvl_text_of(from->images);
    return status == LVL_OK
               ? lvl_put_text(doc, plane, LVL_FIELD(lvl_wwd_plane, name), lvl_text_of(from->name))
               : status;
}

static lvl_status put_planes(lvl_doc *doc, const lvl_book_plane *planes, uint32_t count, uint32_t columns,
                             uint32_t rows)
{
    lvl_status status = lvl_list_insert(doc, doc->root, LVL_FIELD(lvl_wwd, planes), 0, count);

    for (uint32_t i = 0; i < count && status == LVL_OK; i++) {
        const lvl_book_plane *p = &planes[i];
        status = begin_plane(doc, i, p, p->wrap_x && !p->main ? WRAPPED : columns,
                             p->wrap_y && !p->main ? WRAPPED : rows);
    }
    return status;
}

/* ---- base levels ------------------------------------------------------------------------------------- */

static lvl_status put_properties(lvl_doc *doc, const lvl_book *book, const lvl_book_base *base)
{
    lvl_wwd *wwd = doc->root;
    const lvl_status status =
        lvl_list_insert(doc, wwd, LVL_FIELD(lvl_wwd, tile_properties), 0, base->tile_count);

    for (uint32_t i = 0; i < base->tiles_count && status == LVL_OK; i++) {
        const lvl_book_tiles *t = &base->tiles[i];
        const int32_t *range = &book->values[t->first_value];
        for (uint32_t k = 0; k < t->value_count; k++) {
            for (int32_t tile = range[2 * k]; tile <= range[2 * k + 1]; tile++) {
                lvl_wwd_tile_property *p = &wwd->tile_properties[tile];
                p->type = t->whole ? LVL_WWD_TILE_SINGLE : LVL_WWD_TILE_DOUBLE;
                p->attribute = t->inside;
                p->outside = t->outside;
                p->inside = t->inside;
                p->rect = (lvl_wwd_rect){t->left, t->top, t->right, t->bottom};
            }
        }
    }
    return status;
}

/* A floor across the lower quarter, with the start at its left and the exit at its right. */
static lvl_status put_floor(lvl_doc *doc, const lvl_book *book, const lvl_book_base *base)
{
    lvl_wwd *wwd = doc->root;
    uint32_t main = 0;

    if (!lvl_wwd_main_plane(wwd, &main))
        return LVL_OK;
    lvl_wwd_plane *plane = &wwd->planes[main];
    const int32_t *floor = &book->values[base->first_floor];
    const uint32_t columns = plane->tiles.width, rows = plane->tiles.height, top = rows - (rows + 3) / 4,
                   edge = columns < 8 ? columns / 2 : 4; /* tiles from the level's side */
    uint8_t *tiles = (uint8_t *)(uintptr_t)plane->tiles.ptr; /* new, by begin_plane */

    for (uint32_t y = top; y < rows; y++) {
        const uint32_t depth = y - top, last = base->floor_count - 1u;
        fill(tiles + (size_t)y * columns * 4, (uint32_t)floor[depth < last ? depth : last], columns);
    }
    const int32_t ground = (int32_t)top * TILE + wwd->tile_properties[floor[0]].rect.top,
                  standing = ground > ABOVE ? ground - ABOVE : 0;
    wwd->start_x = (int32_t)edge * TILE + TILE / 2;
    wwd->start_y = standing;
    const lvl_status status = lvl_list_insert(doc, plane, LVL_FIELD(lvl_wwd_plane, objects), 0, 1);
    if (status != LVL_OK)
        return status;
    lvl_wwd_object *exit = &plane->objects[0];
    exit->logic = lvl_text_of(base->exit);
    exit->image_set = lvl_text_of(base->exit_images);
    exit->x = (int32_t)(columns - 1 - edge) * TILE + TILE / 2;
    exit->y = standing;
    return LVL_OK;
}

lvl_status lvl_wwd_make_level(lvl_doc *doc, const lvl_map_new *what)
{
    static const lvl_book_plane alone = {"Action", "ACTION", true, false, false,
                                         100,      100,      0,    0,     LVL_WWD_TILE_NONE};
    const lvl_book *book = &lvl_book_claw;
#ifdef LVL_WITHOUT_NAMES /* the page's book has no base levels: what is only for them is left out */
    const lvl_book_base *base = NULL;
#else
    const lvl_book_base *base = what->base ? &book->bases[what->base - 1] : NULL;
#endif
    const uint32_t columns = what->width ? what->width : SIDE, rows = what->height ? what->height : SIDE;
    lvl_wwd *wwd = doc->root;

    wwd->flags = LVL_WWD_USE_Z | LVL_WWD_COMPRESS;
    wwd->start_x = (int32_t)(columns / 2 * TILE);
    wwd->start_y = (int32_t)(rows / 2 * TILE);
    lvl_status status = put_texts(doc, base ? what->base : 1);
    if (status == LVL_OK)
        status = base ? put_planes(doc, base->planes, base->plane_count, columns, rows)
                      : put_planes(doc, &alone, 1, columns, rows);
    if (status == LVL_OK && base)
        status = put_properties(doc, book, base);
    return status == LVL_OK && base ? put_floor(doc, book, base) : status;
}
