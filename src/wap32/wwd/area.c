/*
 * wap32/wwd/area.c: see wap32/wwd/area.h.
 */
#include "wap32/wwd/area.h"

#include "base/map_layout.h"
#include "base/text.h"

#include <string.h>

enum { MAX_BOXES = 8 /* of an object */ };

static int32_t clamp32(int64_t v)
{
    return v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : (int32_t)v;
}

/* ---- boxes --------------------------------------------------------------------------------------------- */

/* A rectangle relative to the object; false if it is not set (left and right are 0). */
static bool box_around(const lvl_wwd_object *object, const lvl_wwd_rect *rect, lvl_rect *out)
{
    if ((rect->left == 0 && rect->right == 0) || rect->left > rect->right || rect->top > rect->bottom)
        return false;
    out->left = clamp32((int64_t)object->x + rect->left);
    out->top = clamp32((int64_t)object->y + rect->top);
    out->right = clamp32((int64_t)object->x + rect->right);
    out->bottom = clamp32((int64_t)object->y + rect->bottom);
    return true;
}

/* Number `index` of a use. */
static int32_t number_of(const lvl_book *book, const lvl_wwd_object *object, const lvl_book_use *use,
                         uint32_t index)
{
    return (int32_t)lvl_book_number(&book->fields[use->first + index], object);
}

/* The rectangle that a use gives; an axis that is not set gets the object's position. False: none is set. */
static bool range_of(const lvl_book *book, const lvl_wwd_object *object, const lvl_book_use *use,
                     lvl_rect *out)
{
    int32_t least[2] = {0}, most[2] = {0}, seen[2] = {0};

    for (uint32_t i = 0; i < use->count; i++) {
        const int axis = book->fields[use->first + i].vertical;
        *(seen[axis]++ ? &most[axis] : &least[axis]) = number_of(book, object, use, i);
    }
    const bool x = least[0] < most[0], y = least[1] < most[1];
    out->left = x ? least[0] : clamp32((int64_t)object->x - 8);
    out->right = x ? most[0] : clamp32((int64_t)object->x + 8);
    out->top = y ? least[1] : clamp32((int64_t)object->y - 8);
    out->bottom = y ? most[1] : clamp32((int64_t)object->y + 8);
    return x || y;
}

/* The rectangle around the object that a use gives; false: it is not set. */
static bool relative_of(const lvl_book *book, const lvl_wwd_object *object, const lvl_book_use *use,
                        lvl_rect *out)
{
    int64_t n[4] = {0};

    for (uint32_t i = 0; i < use->count && i < 4; i++)
        n[i] = number_of(book, object, use, i);
    if (use->shape == LVL_SHAPE_SIZE) {
        if (n[0] <= 0 && n[1] <= 0)
            return false;
        const int64_t x = n[0] > 0 ? n[0] / 2 : 8, y = n[1] > 0 ? n[1] / 2 : 8;
        *out = (lvl_rect){clamp32(object->x - x), clamp32(object->y - y), clamp32(object->x + x),
                          clamp32(object->y + y)};
        return true;
    }
    if (use->shape == LVL_SHAPE_SIDES) {
        const lvl_wwd_rect rect = {(int32_t)n[0], (int32_t)n[1], (int32_t)n[2], (int32_t)n[3]};
        return box_around(object, &rect, out);
    }
    const int64_t tile = book->tile;
    *out =
        (lvl_rect){clamp32(object->x - n[0] * tile - tile / 2), clamp32(object->y - n[1] * tile - tile / 2),
                   clamp32(object->x + n[2] * tile + tile / 2), clamp32(object->y + n[3] * tile + tile / 2)};
    return (n[0] | n[1] | n[2] | n[3]) != 0 && out->left <= out->right && out->top <= out->bottom;
}

/* The rectangles of the uses of an object. */
static uint32_t add_ranges(const lvl_book *book, const lvl_wwd_object *object, const lvl_book_thing *logic,
                           lvl_scene_box *boxes, uint32_t count, uint32_t capacity)
{
    const lvl_book_use *use;

    for (uint32_t i = 0; (use = lvl_book_use_at(book, logic, i)) && count < capacity; i++) {
        lvl_rect *rect = &boxes[count].rect;
        bool drawn = false;
        switch ((lvl_book_shape)use->shape) {
        case LVL_SHAPE_PATROL:
        case LVL_SHAPE_TRAVEL:
        case LVL_SHAPE_AREA: drawn = range_of(book, object, use, rect); break;
        case LVL_SHAPE_SIDES:
        case LVL_SHAPE_REACH:
        case LVL_SHAPE_SIZE: drawn = relative_of(book, object, use, rect); break;
        default: break;
        }
        if (drawn)
            boxes[count++].kind = LVL_BOX_RANGE;
    }
    return count;
}

lvl_status lvl_wwd_area_boxes(lvl_scene *scene, const lvl_book *book, const lvl_wwd_object *object,
                              const lvl_book_thing *logic, lvl_scene_thing *thing)
{
    lvl_scene_box boxes[MAX_BOXES];
    uint32_t count = 0;

    /* other logics use these rectangles for other numbers: steps of a path, times of a sound, items in a
     * crate */
    if (thing->kind == LVL_THING_ENEMY || thing->kind == LVL_THING_BOSS || thing->kind == LVL_THING_HAZARD ||
        thing->kind == LVL_THING_TRIGGER || thing->kind == LVL_THING_SCENERY) {
        if (box_around(object, &object->hit_rect, &boxes[count].rect))
            boxes[count++].kind = LVL_BOX_HIT;
        if (box_around(object, &object->attack_rect, &boxes[count].rect))
            boxes[count++].kind = LVL_BOX_ATTACK;
        if (box_around(object, &object->clip_rect, &boxes[count].rect))
            boxes[count++].kind = LVL_BOX_CLIP;
    }
    count = add_ranges(book, object, logic, boxes, count, MAX_BOXES);
    if (count == 0)
        return LVL_OK;
    lvl_scene_box *kept = lvl_scene_alloc(scene, count, sizeof *kept);
    if (!kept)
        return LVL_ERR_MEMORY;
    memcpy(kept, boxes, count * sizeof *kept);
    thing->boxes = kept;
    thing->box_count = count;
    return LVL_OK;
}

/* ---- arrows -------------------------------------------------------------------------------------------- */

typedef struct arrows {
    lvl_scene_link *out; /* NULL: they are only counted */
    uint32_t count;
} arrows;

static void add_arrow(arrows *a, lvl_thing_kind kind, lvl_book_point from, lvl_book_point to)
{
    if (a->out)
        a->out[a->count] = (lvl_scene_link){kind, from.x, from.y, to.x, to.y};
    a->count++;
}

/* Steps in directions as on the keypad; the first empty one ends them. */
static void add_steps(arrows *a, const lvl_book *book, const lvl_book_use *use, const lvl_wwd_object *object)
{
    lvl_book_point at = {object->x, object->y};

    for (uint32_t i = 0; i + 1 < use->count; i += 2) {
        const int32_t direction = number_of(book, object, use, i),
                      distance = number_of(book, object, use, i + 1);
        if (direction < 1 || direction > 9 || distance <= 0)
            break;
        const int dx = (direction - 1) % 3 - 1, dy = 1 - (direction - 1) / 3;
        const lvl_book_point to = {clamp32(at.x + (int64_t)dx * distance),
                                   clamp32(at.y + (int64_t)dy * distance)};
        add_arrow(a, LVL_THING_PLATFORM, at, to);
        at = to;
    }
}

uint32_t lvl_wwd_area_arrows(const lvl_book *book, const lvl_wwd_object *object, const lvl_book_thing *logic,
                             lvl_scene_link *out)
{
    /* a pickup that does not look like a warp ignores its target */
    const bool leads = lvl_wwd_kind_of(logic, object) != LVL_KIND_PICKUP;
    lvl_book_point points[LVL_MAP_PLACES], at = {object->x, object->y};
    arrows a = {out, 0};
    const lvl_book_use *use;

    for (uint32_t i = 0; (use = lvl_book_use_at(book, logic, i)); i++) {
        if (use->shape == LVL_SHAPE_STEPS)
            add_steps(&a, book, use, object);
        const bool keys = use->shape == LVL_SHAPE_ADDRESS, path = use->shape == LVL_SHAPE_PATH;
        /* one key alone is the object's own */
        if ((!path && !(keys && use->count > 1) && !(leads && use->shape == LVL_SHAPE_POINT)) ||
            !lvl_book_applies(book, use, object))
            continue;
        const uint32_t count = lvl_book_points(book, use, object, points);
        for (uint32_t k = 0; k < count; k++) {
            if (keys)
                add_arrow(&a, LVL_THING_TRIGGER, points[k], at);
            else
                add_arrow(&a, path ? LVL_THING_PLATFORM : LVL_THING_WARP, path && k ? points[k - 1] : at,
                          points[k]);
        }
    }
    return a.count;
}
