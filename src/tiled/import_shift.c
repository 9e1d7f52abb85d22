/*
 * tiled/import_shift.c: maps that were resized in Tiled with an offset. That moves all tile layers and
 * objects, even those whose positions the level stores in another way.
 */
#include "tiled/import.h"

#include <math.h>

/* The distance of the map's object from its record, in px. */
static void moved_by(const importer *im, const plan_list *l, const void *record, const tiled_object *o,
                     double box[4], double by[2])
{
    const plan_objects *p = l->objects;
    const double unit = p->of.unit;

    import_place_of(im, l, o, box);
    by[0] = box[0] - plan_number(record, &p->x) * unit;
    by[1] = box[1] - plan_number(record, &p->y) * unit;
}

static bool is_shift(const double by[2], double x, double y)
{
    return fabs(by[0] - x) < .5 && fabs(by[1] - y) < .5;
}

/* The distance of the map's start from the level's, in px. */
static void find_start_shift(const importer *im, double by[2])
{
    const tiled_plan *plan = &im->plan;

    for (uint32_t i = 0; i < im->map->layers.count; i++) {
        const tiled_layer *layer = &im->map->layers.items[i];
        for (uint32_t k = 0; k < layer->objects.count; k++) {
            const tiled_object *o = &layer->objects.items[k];
            if (o->id != plan->start_object)
                continue;
            by[0] = o->x - plan_number(im->doc->root, &plan->start_x);
            by[1] = o->y - plan_number(im->doc->root, &plan->start_y);
        }
    }
}

/* Counts an object if it is on the main layer, and if it has moved by that distance. */
static void count_moved(const importer *im, const tiled_object *o, const double by[2], uint32_t *known,
                        uint32_t *moved)
{
    const uint32_t list = import_list_by_id(im, o->id);
    const plan_list *l = list == LVL_NO_INDEX ? NULL : &im->plan.lists.items[list];
    double box[4], object_by[2];

    if (!l || l->grid != im->plan.main)
        return;
    moved_by(im, l, lvl_list_item(l->owner, l->list, plan_index_of_id(l, o->id)), o, box, object_by);
    ++*known;
    *moved += is_shift(object_by, by[0], by[1]);
}

/* The map has moved if the start and more than half of the main layer's objects moved by the same whole
 * number of cells. */
void import_find_shift(importer *im)
{
    const tiled_plan *plan = &im->plan;
    uint32_t known = 0, moved = 0;
    double by[2] = {0, 0};
    int64_t px[2] = {0, 0};

    if (im->fresh || !plan->start_layer || plan->main >= plan->grid_count)
        return;
    find_start_shift(im, by);
    lvl_cell_px(plan->grid, plan->grid_list->table, plan->grids[plan->main].item, px);
    const bool whole = px[0] && px[1] && fmod(by[0], (double)px[0]) == 0 && fmod(by[1], (double)px[1]) == 0;
    if (is_shift(by, 0, 0) || !whole || fabs(by[0]) > 1e9 || fabs(by[1]) > 1e9)
        return;
    for (uint32_t i = 0; i < im->map->layers.count; i++) {
        const tiled_layer *layer = &im->map->layers.items[i];
        for (uint32_t k = 0; k < layer->objects.count; k++)
            count_moved(im, &layer->objects.items[k], by, &known, &moved);
    }
    if (moved * 2 > known || !known) {
        im->shift_x = (int64_t)by[0];
        im->shift_y = (int64_t)by[1];
    }
}

bool import_is_shifted(const importer *im, const plan_list *l, const void *record, const tiled_object *o,
                       double box[4], import_places *places)
{
    double by[2];

    places->count = 0;
    if ((!im->shift_x && !im->shift_y) || l->grid == UINT32_MAX)
        return false;
    moved_by(im, l, record, o, box, by);
    if (!is_shift(by, (double)im->shift_x, (double)im->shift_y))
        return false;
    if (l->grid != im->plan.main) {
        box[0] -= by[0];
        box[1] -= by[1];
        return true;
    }
    places->count = lvl_map_places(&l->objects->of, im->doc, record, places->at);
    for (uint32_t i = 0; i < places->count; i++) {
        void *inner = (void *)(uintptr_t)record;
        const lvl_field *f = lvl_member_at(l->list->table, places->at[i].offset, &inner);
        places->values[i] = f && f->kind == LVL_INT ? lvl_get_int(inner, f) : 0;
    }
    return true;
}

void import_shift_places(importer *im, const plan_list *l, void *record, const import_places *places)
{
    for (uint32_t i = 0; i < places->count && im->status == LVL_OK; i++) {
        void *inner = record;
        const lvl_field *f = lvl_member_at(l->list->table, places->at[i].offset, &inner);
        int64_t now = 0;
        if (!f || f->kind != LVL_INT || lvl_get_int(inner, f) != places->values[i])
            continue;
        if (lvl_map_moved(&places->at[i], places->values[i], im->shift_x, im->shift_y, &now) &&
            lvl_int_fits(f, now))
            lvl_put_int(inner, f, now);
        else
            import_fail(im, LVL_FAULT_MAP_OBJECT, "%s: %s: %lld cannot be moved with the map",
                        import_what(im), f->name, (long long)places->values[i]);
    }
}
