/*
 * tiled/import_order.c: which list of the level each object of a map belongs to, and its index there.
 */
#include "base/text.h"
#include "tiled/import.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- the list of an object --------------------------------------------------------------------------- */

uint32_t import_list_by_id(const importer *im, uint32_t id)
{
    for (uint32_t i = 0; i < im->plan.lists.count && !im->fresh; i++) {
        const plan_list *l = &im->plan.lists.items[i];
        if (plan_index_of_id(l, id) != LVL_NO_INDEX)
            return i;
    }
    return LVL_NO_INDEX;
}

bool import_same_word(const importer *im, lvl_text a, lvl_text b)
{
    return im->foreign ? lvl_text_equal_nocase(a, b) : lvl_text_equal(a, b);
}

static uint32_t list_by_type(const importer *im, lvl_text type)
{
    for (uint32_t i = 0; i < im->plan.lists.count && type.len; i++) {
        const char *of_list = im->plan.lists.items[i].objects->of.type;
        if (of_list && import_same_word(im, type, lvl_text_of(of_list)))
            return i;
    }
    return LVL_NO_INDEX;
}

static uint32_t list_by_layer(const importer *im, const tiled_layer *layer)
{
    for (uint32_t i = 0; i < im->plan.lists.count; i++) {
        const plan_list *l = &im->plan.lists.items[i];
        if (im->fresh ? import_same_word(im, l->name, layer->name) : l->layer == layer->id)
            return i;
    }
    return LVL_NO_INDEX;
}

/* The position of a list's layer in the map; if it is missing there, that of the main tile layer. */
static int64_t position_of(const importer *im, const plan_list *l)
{
    const plan_grid *g = l->grid < im->plan.grid_count ? &im->plan.grids[l->grid] : NULL;
    const tiled_layer *layer = import_layer(im, TILED_OBJECTS, l->layer, l->name);

    if (!layer && g)
        layer = import_grid_layer(im, g);
    return layer ? layer - im->map->layers.items : 0;
}

/* The list for an object in a layer that the level does not have: if all lists are of one kind, that of the
 * nearest layer. With several kinds, only the object's class decides. */
static uint32_t list_nearby(const importer *im, const tiled_layer *layer)
{
    const int64_t at = layer - im->map->layers.items;
    uint32_t best = LVL_NO_INDEX;
    int64_t least = INT64_MAX;

    for (uint32_t i = 0; i < im->plan.lists.count; i++) {
        const plan_list *l = &im->plan.lists.items[i];
        const int64_t position = position_of(im, l), far = position < at ? at - position : position - at;
        if (l->objects != im->plan.lists.items[0].objects)
            return LVL_NO_INDEX;
        if (far < least) {
            best = i;
            least = far;
        }
    }
    return best;
}

/* The classes of the level's lists, for a message. */
static const char *classes_of(const importer *im, char *buf, size_t size)
{
    size_t len = 0;

    buf[0] = 0;
    for (uint32_t i = 0; i < im->plan.object_lists && len < size; i++) {
        const char *type = im->plan.objects[i].of.type;
        if (type)
            len += (size_t)snprintf(buf + len, size - len, "%s%s", len ? ", " : "", type);
    }
    return buf;
}

/* The list that an object belongs to: by its class, by its layer, where it was, or the nearest. */
static uint32_t list_of(importer *im, const tiled_layer *layer, const tiled_object *o, uint32_t was)
{
    uint32_t list = list_by_type(im, import_class_of(im, o, was == LVL_NO_INDEX));
    char classes[200];

    if (list == LVL_NO_INDEX && im->foreign)
        list = list_by_type(im, o->name);
    if (list == LVL_NO_INDEX)
        list = list_by_layer(im, layer);
    if (list == LVL_NO_INDEX)
        list = was;
    if (list == LVL_NO_INDEX)
        list = list_nearby(im, layer);
    if (list == LVL_NO_INDEX)
        import_refuse(
            im, "%s at %g, %g: its layer is none of the level's; give it one of the classes %s, or delete it",
            import_what(im), o->x, o->y, classes_of(im, classes, sizeof classes));
    return list;
}

/* ---- properties that no level stores ----------------------------------------------------------------- */

/* Checks a rotation: 180 degrees can be stored as both flips, and an area or a point has no direction. */
static void check_turn(importer *im, const plan_list *l, const tiled_object *o)
{
    const turn t = import_turn_of(o);
    const bool half = t.quarters == 2;

    if (!t.exact || (o->gid && t.quarters % 2))
        import_refuse(
            im, "%s at %g, %g is turned by %g degrees, which the level cannot store; set its rotation to 0",
            import_what(im), o->x, o->y, o->rotation);
    else if (o->gid & TILED_FLIPS & ~(TILED_FLIP_X | TILED_FLIP_Y))
        import_refuse(im, "%s at %g, %g is flipped along its diagonal, which the level cannot store",
                      import_what(im), o->x, o->y);
    else if (o->gid && !l->objects->flip.field && (t.flip_x != half || t.flip_y != half))
        import_refuse(im, "%s at %g, %g is flipped, which the level cannot store; flip it back",
                      import_what(im), o->x, o->y);
}

/* Checks that the tile of an object is known, since its tileset determines which point is at x, y. */
static void check_tile(importer *im, const tiled_object *o)
{
    const uint32_t gid = o->gid & ~TILED_FLIPS;
    const tiled_set *set = import_set_of(im, gid);
    char buf[80];

    if (set && set->source.len)
        import_refuse(im,
                      "%s has a tile of the tileset %s, which is missing; put it back, or replace the object",
                      import_what(im), lvl_show(buf, set->source));
    else if (!set || (set->image.len && set->tile_count && gid - set->first >= set->tile_count))
        import_refuse(im, "%s has the tile %lu, which no tileset of the map has; replace the object",
                      import_what(im), (unsigned long)gid);
}

/* Reports what cannot be stored of an object in that list. */
static void check_object(importer *im, const plan_list *l, const tiled_object *o)
{
    if (o->gid)
        check_tile(im, o);
    if (o->text)
        import_refuse(
            im,
            "%s at %g, %g is a text, which the level cannot store; delete it, or write the text into "
            "a property of an object",
            import_what(im), o->x, o->y);
    if (im->foreign && l->objects->type.field && !o->type.len)
        import_refuse(im, "%s at %g, %g has no class, which would say what it is", import_what(im), o->x,
                      o->y);
    if (o->shape)
        import_refuse(
            im,
            "%s at %g, %g is a polygon or an ellipse, whose shape the level cannot store; replace it by "
            "a rectangle or a point",
            import_what(im), o->x, o->y);
    check_turn(im, l, o);
}

/* ---- the items of the lists -------------------------------------------------------------------------- */

/* Adds an object to a list. `was`: the list that it was in; LVL_NO_INDEX: none. */
static void add_entry(importer *im, uint32_t list, uint32_t was, const tiled_layer *layer,
                      const tiled_object *o, uint8_t *seen)
{
    const plan_list *l = &im->plan.lists.items[list];
    entry *e = TILED_PUSH(&im->map->arena, &im->lists[list]);
    const bool known = was == list && !seen[o->id]; /* if two objects have the same id, the second is new */

    if (!e)
        return;
    *e = (entry){known ? plan_index_of_id(l, o->id) : LVL_NO_INDEX, o, layer, false, 0};
    if (known) {
        seen[o->id] = 1;
    } else if (was != LVL_NO_INDEX && was != list) {
        const plan_list *from = &im->plan.lists.items[was];
        const void *record = lvl_list_item(from->owner, from->list, plan_index_of_id(from, o->id));
        e->moved = from->objects->numbered && l->objects == from->objects;
        e->number = e->moved ? plan_int(record, &from->objects->unique) : 0;
    }
}

bool import_is_start(const importer *im, const tiled_object *o)
{
    return im->plan.start_layer &&
           (im->fresh ? lvl_text_is(o->type, "start") : o->id == im->plan.start_object);
}

/* Adds an object to the list that it belongs to now. */
static void sort_object(importer *im, const tiled_layer *layer, const tiled_object *o, uint8_t *seen)
{
    const uint32_t was = import_list_by_id(im, o->id);

    if (import_is_start(im, o))
        return;
    import_name_object(im, layer, o);
    im->left_out = false;
    const uint32_t list = list_of(im, layer, o, was);
    if (list == LVL_NO_INDEX)
        return;
    if (o->source.len) {
        import_refuse(
            im,
            "%s is an instance of the template %.*s, which is missing; put it back, or replace the object",
            import_what(im), (int)o->source.len, o->source.ptr);
        return;
    }
    check_object(im, &im->plan.lists.items[list], o);
    if (!im->left_out)
        add_entry(im, list, was, layer, o, seen);
}

void import_sort_objects(importer *im)
{
    uint8_t *seen = lvl_arena_array(&im->map->arena, (size_t)im->plan.next_object + 1, 1);

    im->lists = lvl_arena_array(&im->map->arena, (size_t)im->plan.lists.count + 1, sizeof *im->lists);
    if (!seen || !im->lists)
        import_stop(im, LVL_ERR_MEMORY);
    for (uint32_t i = 0; i < im->map->layers.count && im->status == LVL_OK; i++) {
        const tiled_layer *layer = &im->map->layers.items[i];
        for (uint32_t k = 0; k < layer->objects.count && im->status == LVL_OK; k++)
            sort_object(im, layer, &layer->objects.items[k], seen);
    }
    /* objects are not silently deleted with their layer */
    for (uint32_t i = 0; i < im->plan.lists.count && im->status == LVL_OK; i++) {
        const plan_list *l = &im->plan.lists.items[i];
        if (l->count && !im->lists[i].count && !import_layer(im, TILED_OBJECTS, l->layer, l->name))
            import_fail(
                im, LVL_FAULT_MAP_LAYER,
                "the layer \"%.*s\" is missing; to remove its %lu objects, delete them and keep the layer",
                (int)l->name.len, l->name.ptr, (unsigned long)l->count);
    }
}

/* ---- the order of a list ----------------------------------------------------------------------------- */

/* An item of a list whose objects are in drawing order in the map. */
typedef struct placed {
    uint32_t at; /* index of the item itself, or of the item that it is inserted before */
    uint32_t order; /* order among items with the same `at` */
    entry e;
} placed;

static int by_place(const void *a, const void *b)
{
    const placed *p = a, *q = b;

    if (p->at != q->at)
        return p->at < q->at ? -1 : 1;
    return p->order < q->order ? -1 : p->order > q->order;
}

/* Warns if existing items changed their order in the map, which is the drawing order. `rank`: their drawing
 * positions, by index. */
static void check_draw_order(importer *im, const plan_list *l, const entries *now, const uint32_t *rank)
{
    uint32_t last = 0;

    for (uint32_t i = 0; i < now->count; i++) {
        const uint32_t old = now->items[i].old;
        if (old == LVL_NO_INDEX)
            continue;
        if (rank[old] < last) {
            import_name_object(im, now->items[i].layer, now->items[i].object);
            import_warn(
                im,
                "%s: its place in the order of objects is not stored: the game draws them in the order "
                "of %s; change that",
                import_what(im), l->objects->order.field->name);
            return;
        }
        last = rank[old];
    }
}

/* A layer in drawing order does not show the order of the list: existing items keep theirs, and a new item is
 * inserted before the item that it follows in the map. */
static void undo_draw_order(importer *im, const plan_list *l, entries *now)
{
    const tiled_layer *layer = import_layer(im, TILED_OBJECTS, l->layer, l->name);
    const uint32_t *order = layer && layer->by_index ? plan_draw_order(&im->plan, l) : NULL;
    placed *all = order ? lvl_arena_array(&im->map->arena, (size_t)now->count + 1, sizeof *all) : NULL;
    uint32_t *rank = all ? lvl_arena_array(&im->map->arena, (size_t)l->count + 1, sizeof *rank) : NULL;
    uint32_t next = l->count;

    if (!rank)
        return;
    for (uint32_t i = 0; i < l->count; i++)
        rank[order[i]] = i;
    check_draw_order(im, l, now, rank);
    for (uint32_t i = now->count; i-- > 0;) {
        const entry e = now->items[i];
        next = e.old == LVL_NO_INDEX ? next : e.old;
        all[i] = (placed){im->fresh ? e.object->id : next, e.old == LVL_NO_INDEX ? i : now->count, e};
    }
    if (now->count)
        qsort(all, now->count, sizeof *all, by_place);
    for (uint32_t i = 0; i < now->count; i++)
        now->items[i] = all[i].e;
}

/* Records which object shows each item; *same: the items and their order are unchanged. */
static void note_ids(importer *im, plan_list *l, const entries *now, bool *same)
{
    *same = now->count == l->count;
    l->ids = lvl_arena_array(&im->map->arena, (size_t)now->count + 1, sizeof *l->ids);
    if (!l->ids) {
        import_stop(im, LVL_ERR_MEMORY);
        return;
    }
    l->id_count = now->count;
    for (uint32_t i = 0; i < now->count; i++) {
        l->ids[i] = now->items[i].object->id;
        *same = *same && now->items[i].old == i;
    }
}

/* Sorts the remaining items, appends the new ones, then moves all to their positions. `order`: the old
 * indices of the remaining items, with a capacity for all items. */
static lvl_status arrange(importer *im, const plan_list *l, const entries *now, uint32_t *order,
                          uint32_t kept)
{
    lvl_status status = lvl_list_arrange(im->doc, l->owner, l->list, order, kept);

    if (status != LVL_OK || kept == now->count)
        return status;
    status = lvl_list_insert(im->doc, l->owner, l->list, kept, now->count - kept);
    for (uint32_t i = 0, old = 0, added = kept; i < now->count; i++)
        order[i] = now->items[i].old == LVL_NO_INDEX ? added++ : old++;
    return status == LVL_OK ? lvl_list_arrange(im->doc, l->owner, l->list, order, now->count) : status;
}

void import_order_list(importer *im, uint32_t index)
{
    plan_list *l = &im->plan.lists.items[index];
    entries *now = &im->lists[index];
    bool same;

    undo_draw_order(im, l, now);
    note_ids(im, l, now, &same);
    if (im->status != LVL_OK || same)
        return;
    im->changed = true;
    uint32_t *moved = lvl_arena_array(&im->map->arena, (size_t)l->count + 1, sizeof *moved);
    uint32_t *order = lvl_arena_array(&im->map->arena, (size_t)now->count + 1, sizeof *order), kept = 0;
    if (!moved || !order) {
        import_stop(im, LVL_ERR_MEMORY);
        return;
    }
    for (uint32_t i = 0; i < l->count; i++)
        moved[i] = LVL_NO_INDEX;
    for (uint32_t i = 0; i < now->count; i++) {
        const uint32_t from = now->items[i].old;
        if (from == LVL_NO_INDEX)
            continue;
        order[kept++] = from;
        moved[from] = i;
    }
    const lvl_status status = arrange(im, l, now, order, kept);
    import_stop(im, status);
    if (status == LVL_OK && l->grid == UINT32_MAX) { /* other records refer to items of such a list by
                                                        index */
        lvl_match match = {.record = l->owner, .field = l->list, .index = LVL_NO_INDEX};
        match.where = lvl_where_to(lvl_where_root(), l->list, LVL_NO_INDEX);
        lvl_editor_follow(&im->edit, &match, moved, l->count);
        import_stop(im, im->edit.load.status);
    }
}
