/*
 * Tile sets, planes and objects of a level that is being made.
 */
#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *take(size_t count, size_t size)
{
    void *p = calloc(count, size);
    if (!p) {
        fputs("samples: out of memory\n", stderr);
        exit(3);
    }
    return p;
}

lvl_wwd_tile_property prop_single(int size, int attribute)
{
    lvl_wwd_tile_property p = {0};
    p.type = LVL_WWD_TILE_SINGLE;
    p.width = p.height = (uint32_t)size;
    p.attribute = attribute;
    return p;
}

lvl_wwd_tile_property prop_double(int size, int outside, int inside, int left, int top, int right, int bottom)
{
    lvl_wwd_tile_property p = {0};
    p.type = LVL_WWD_TILE_DOUBLE;
    p.width = p.height = (uint32_t)size;
    p.outside = outside;
    p.inside = inside;
    p.rect = (lvl_wwd_rect){left, top, right, bottom};
    return p;
}

lvl_wwd_tile_property prop_mask(const canvas *picture, int attribute, uint8_t *mask)
{
    lvl_wwd_tile_property p = {0};
    for (int i = 0; i < picture->w * picture->h; i++)
        mask[i] = (uint8_t)(picture->px[i] ? attribute : 0);
    p.type = LVL_WWD_TILE_MASK;
    p.width = (uint32_t)picture->w;
    p.height = (uint32_t)picture->h;
    p.mask = (lvl_cells){mask, p.width, p.height, 1};
    return p;
}

uint32_t set_add(tile_set *set, canvas *picture)
{
    if (canvas_empty(picture)) {
        canvas_free(picture);
        return LVL_WWD_TILE_NONE;
    }
    for (int i = 0; i < set->count; i++) {
        if (memcmp(set->picture[i]->px, picture->px, (size_t)picture->w * (size_t)picture->h) == 0) {
            canvas_free(picture);
            return (uint32_t)i + 1;
        }
    }
    if (set->count == SET_MAX) {
        fputs("samples: too many tiles\n", stderr);
        exit(1);
    }
    set->picture[set->count] = picture;
    set->property[set->count] = prop_single(set->size, 0);
    return (uint32_t)++set->count;
}

world_plane *world_add_plane(world *w, const char *name, const char *set, int size, int wide, int high)
{
    tile_set *s = &w->set[w->set_count];
    world_plane *p = &w->plane[w->plane_count++];
    s->name = set;
    s->size = size;
    p->name = name;
    p->set = w->set_count++;
    p->wide = wide;
    p->high = high;
    p->movement_x = p->movement_y = 100;
    p->cells = take((size_t)wide * (size_t)high, sizeof(*p->cells));
    for (int i = 0; i < wide * high; i++)
        p->cells[i] = LVL_WWD_TILE_NONE;
    return p;
}

void plane_from_picture(world *w, world_plane *plane, const canvas *picture)
{
    tile_set *set = &w->set[plane->set];
    for (int y = 0; y < plane->high; y++)
        for (int x = 0; x < plane->wide; x++)
            plane->cells[y * plane->wide + x] =
                set_add(set, canvas_cut(picture, x * set->size, y * set->size, set->size, set->size));
}

lvl_wwd_object *world_add(world *w, const char *logic, const char *set, int x, int y, int z)
{
    if (w->object_count == OBJECT_MAX) {
        fputs("samples: too many objects\n", stderr);
        exit(1);
    }
    lvl_wwd_object *o = &w->object[w->object_count++];
    o->id = w->object_count;
    o->logic = lvl_text_of(logic);
    o->image_set = lvl_text_of(set);
    o->x = x;
    o->y = y;
    o->z = z;
    o->i = -1;
    return o;
}

lvl_wwd_object *world_stand(world *w, const char *logic, const char *set, int x, int y, int z)
{
    const sprite *s = gen_sprite_find(set);
    canvas *c = s->draw(s->first);
    int foot = c->h;
    while (foot > 1) { /* the lowest row with something in it */
        bool any = false;
        for (int i = 0; i < c->w; i++)
            any = any || canvas_get(c, i, foot - 1);
        if (any)
            break;
        foot--;
    }
    lvl_wwd_object *o = world_add(w, logic, set, x, y + 4 - foot + c->h / 2 - s->offset_y, z);
    canvas_free(c);
    return o;
}

void world_free(world *w)
{
    for (int i = 0; w && i < w->set_count; i++)
        for (int k = 0; k < w->set[i].count; k++)
            canvas_free(w->set[i].picture[k]);
    for (int i = 0; w && i < w->plane_count; i++)
        free(w->plane[i].cells);
    free(w);
}
