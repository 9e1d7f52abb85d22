/*
 * tiled/import_place.c: the position, rotation and flips of an object in a map.
 */
#include "base/text.h"
#include "tiled/import.h"

#include <math.h>

turn import_turn_of(const tiled_object *o)
{
    const double quarters = o->rotation / 90, whole = floor(quarters + 0.5);
    turn t = {.exact = fabs(quarters - whole) < 1e-4 && fabs(whole) < 1e9,
              .flip_x = o->gid & TILED_FLIP_X,
              .flip_y = o->gid & TILED_FLIP_Y};

    if (t.exact)
        t.quarters = (unsigned)(((int64_t)whole % 4 + 4) % 4);
    return t;
}

/* The point of a tile object that is at its x, y, as fractions of its size. */
static void anchor_of(lvl_text alignment, double *x, double *y)
{
    static const struct {
        const char *name;
        double x, y;
    } known[] = {{"topleft", 0, 0},  {"top", .5, 0},   {"topright", 1, 0}, {"left", 0, .5},
                 {"center", .5, .5}, {"right", 1, .5}, {"bottom", .5, 1},  {"bottomright", 1, 1}};

    *x = 0;
    *y = 1; /* bottom left is Tiled's default */
    for (size_t i = 0; i < LVL_COUNT_OF(known); i++) {
        if (lvl_text_is(alignment, known[i].name)) {
            *x = known[i].x;
            *y = known[i].y;
        }
    }
}

/* The rectangle of an object in the map, rotated around its x, y. */
static void box_of(const tiled_object *o, double ax, double ay, double box[4])
{
    const turn t = import_turn_of(o);
    static const int cos_of[] = {1, 0, -1, 0}, sin_of[] = {0, 1, 0, -1};
    const double c = cos_of[t.quarters], s = sin_of[t.quarters];
    const double mid_x = (.5 - ax) * o->width, mid_y = (.5 - ay) * o->height;

    box[2] = t.quarters % 2 ? o->height : o->width;
    box[3] = t.quarters % 2 ? o->width : o->height;
    box[0] = o->x + c * mid_x - s * mid_y - box[2] / 2;
    box[1] = o->y + s * mid_x + c * mid_y - box[3] / 2;
}

/* The middle of an object of odd size is at half a pixel, which nobody chose. If positions are whole pixels,
 * the middle of an object at a whole pixel is rounded before comparing. */
static double at_whole(const plan_list *l, double given, double middle)
{
    const plan_objects *p = l->objects;
    const bool whole = p->of.unit == 1 && p->x.field && p->x.field->kind != LVL_REAL;

    return whole && given == floor(given) ? floor(middle + .5) : middle;
}

void import_place_of(const importer *im, const plan_list *l, const tiled_object *o, double box[4])
{
    const tiled_set *set = o->gid ? import_set_of(im, o->gid & ~TILED_FLIPS) : NULL;
    const bool sprite = set && im->sets[set - im->map->sets.items].kind == SET_SPRITES;
    double ax = 0, ay = 0, want = l->objects->of.how->centered ? .5 : 0;

    if (o->gid)
        anchor_of(set ? set->alignment : (lvl_text){"", 0}, &ax, &ay);
    if (sprite && lvl_text_is(set->alignment, "center"))
        want = .5;
    if (o->point || (!import_turn_of(o).quarters && ax == want && ay == want)) { /* exactly */
        const double same[4] = {o->x, o->y, o->width, o->height};
        memcpy(box, same, sizeof same);
        return;
    }
    box_of(o, ax, ay, box);
    box[0] = at_whole(l, o->x, box[0] + want * box[2]);
    box[1] = at_whole(l, o->y, box[1] + want * box[3]);
}

void import_take_flips(importer *im, const plan_list *l, void *record, const tiled_object *o)
{
    const lvl_map_list *how = l->objects->of.how;
    const plan_field *f = &l->objects->flip;
    const int64_t mask = (int64_t)how->flip_x | how->flip_y;
    const turn t = import_turn_of(o);
    const bool half = t.quarters == 2;
    const int64_t wanted = (t.flip_x != half ? how->flip_x : 0) | (t.flip_y != half ? how->flip_y : 0);

    if (!f->field || im->status != LVL_OK)
        return;
    const bool named = import_field(im, record, f, &o->properties, o->gid ? mask : 0);
    if (!o->gid || im->status != LVL_OK)
        return;
    /* flips set in the property count, too */
    const int64_t is = plan_int(record, f), now = (named ? is : is & ~mask) | wanted;
    if (now != is) {
        lvl_put_int(plan_record(record, f), f->field, now);
        im->changed = true;
    }
}
