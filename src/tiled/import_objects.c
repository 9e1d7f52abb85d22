/*
 * tiled/import_objects.c: objects of a map as items of the level's lists.
 */
#include "base/text.h"
#include "base/work.h"
#include "tiled/import.h"
#include "tools/item_ids.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- objects ----------------------------------------------------------------------------------------- */

static uint32_t list_by_id(const importer *im, uint32_t id)
{
    for (uint32_t i = 0; i < im->plan.lists.count && !im->fresh; i++) {
        const plan_list *l = &im->plan.lists.items[i];
        if (plan_index_of_id(l, id) != LVL_NO_INDEX)
            return i;
    }
    return LVL_NO_INDEX;
}

static uint32_t list_by_type(const importer *im, lvl_text type)
{
    for (uint32_t i = 0; i < im->plan.lists.count && type.len; i++) {
        const char *of_list = im->plan.lists.items[i].objects->of.type;
        if (of_list && lvl_text_is(type, of_list))
            return i;
    }
    return LVL_NO_INDEX;
}

static uint32_t list_by_layer(const importer *im, const tiled_layer *layer)
{
    for (uint32_t i = 0; i < im->plan.lists.count; i++) {
        const plan_list *l = &im->plan.lists.items[i];
        if (im->fresh ? lvl_text_equal(l->name, layer->name) : l->layer == layer->id)
            return i;
    }
    return LVL_NO_INDEX;
}

/* Position of a list's layer in the map; that of the main tile layer where the map lacks it. */
static int64_t position_of(const importer *im, const plan_list *l)
{
    const plan_grid *g = l->grid < im->plan.grid_count ? &im->plan.grids[l->grid] : NULL;
    const tiled_layer *layer = import_layer(im, TILED_OBJECTS, l->layer, l->name);

    if (!layer && g)
        layer = import_grid_layer(im, g);
    return layer ? layer - im->map->layers.items : 0;
}

/* The list for an object in a layer that is none of the level's: of lists of one kind, that of the nearest
 * layer. Where there are several kinds, only the object's class can tell. */
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

/* The places that an object of this layer may have, for a message: the classes of the level's lists. */
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

static bool is_start(const importer *im, const tiled_object *o)
{
    return im->plan.start_layer &&
           (im->fresh ? lvl_text_is(o->type, "start") : o->id == im->plan.start_object);
}

/* How an object is turned and flipped. */
typedef struct turn {
    unsigned quarters; /* clockwise, about its x, y */
    bool exact; /* it is turned by quarters */
    bool flip_x, flip_y;
} turn;

static turn turn_of(const tiled_object *o)
{
    const double quarters = o->rotation / 90, whole = floor(quarters + 0.5);
    turn t = {.exact = fabs(quarters - whole) < 1e-4 && fabs(whole) < 1e9,
              .flip_x = o->gid & TILED_FLIP_X,
              .flip_y = o->gid & TILED_FLIP_Y};

    if (t.exact)
        t.quarters = (unsigned)(((int64_t)whole % 4 + 4) % 4);
    return t;
}

/* What a level can store of a turned object: two quarters are both flips, and an area has no direction. */
static void check_turn(importer *im, const plan_list *l, const tiled_object *o)
{
    const turn t = turn_of(o);
    const bool half = t.quarters == 2;

    if (!t.exact || (o->gid && t.quarters % 2))
        import_fail(
            im, LVL_FAULT_MAP_OBJECT,
            "%s at %g, %g is turned by %g degrees, which the level cannot store; set its rotation to 0",
            import_what(im), o->x, o->y, o->rotation);
    else if (o->gid & TILED_FLIPS & ~(TILED_FLIP_X | TILED_FLIP_Y))
        import_fail(im, LVL_FAULT_MAP_OBJECT,
                    "%s at %g, %g is flipped along its diagonal, which the level cannot store",
                    import_what(im), o->x, o->y);
    else if (o->gid && !l->objects->flip.field && (t.flip_x != half || t.flip_y != half))
        import_fail(im, LVL_FAULT_MAP_OBJECT,
                    "%s at %g, %g is flipped, which the level cannot store; flip it back", import_what(im),
                    o->x, o->y);
}

/* The tileset says which point of a tile object is at its x, y. */
static void check_tile(importer *im, const tiled_object *o)
{
    const uint32_t gid = o->gid & ~TILED_FLIPS;
    const tiled_set *set = import_set_of(im, gid);
    char buf[80];

    if (set && set->source.len)
        import_fail(im, LVL_FAULT_MAP_OBJECT,
                    "%s has a tile of the tileset %s, which is missing; put it back, or replace the object",
                    import_what(im), lvl_show(buf, set->source));
    else if (!set || (set->image.len && set->tile_count && gid - set->first >= set->tile_count))
        import_fail(im, LVL_FAULT_MAP_OBJECT,
                    "%s has the tile %lu, which no tileset of the map has; replace the object",
                    import_what(im), (unsigned long)gid);
}

/* The class of an object; a new one without a class has that of its sprite, as Tiled shows it. */
static lvl_text class_of(const importer *im, const tiled_object *o, bool is_new)
{
    const tiled_tile *sprite = is_new && !o->type.len ? import_sprite(im, o->gid) : NULL;

    return sprite ? sprite->type : o->type;
}

/* The list that an object belongs to: by its class, by its layer, where it was, or the nearest. */
static uint32_t list_of(importer *im, const tiled_layer *layer, const tiled_object *o, uint32_t was)
{
    uint32_t list = list_by_type(im, class_of(im, o, was == LVL_NO_INDEX));
    char classes[200];

    if (list == LVL_NO_INDEX)
        list = list_by_layer(im, layer);
    if (list == LVL_NO_INDEX)
        list = was;
    if (list == LVL_NO_INDEX)
        list = list_nearby(im, layer);
    if (list == LVL_NO_INDEX)
        import_fail(
            im, LVL_FAULT_MAP_OBJECT,
            "%s at %g, %g: its layer is none of the level's; give it one of the classes %s, or delete it",
            import_what(im), o->x, o->y, classes_of(im, classes, sizeof classes));
    return list;
}

/* Adds an object to the list that it belongs to now. */
static void sort_object(importer *im, const tiled_layer *layer, const tiled_object *o, uint8_t *seen)
{
    const uint32_t was = list_by_id(im, o->id);

    if (is_start(im, o))
        return;
    import_name_object(im, layer, o);
    const uint32_t list = list_of(im, layer, o, was);
    if (list == LVL_NO_INDEX)
        return;
    if (o->source.len) {
        import_fail(
            im, LVL_FAULT_MAP_OBJECT,
            "%s is an instance of the template %.*s, which is missing; put it back, or replace the object",
            import_what(im), (int)o->source.len, o->source.ptr);
        return;
    }
    if (o->gid)
        check_tile(im, o);
    if (o->text)
        import_fail(im, LVL_FAULT_MAP_OBJECT,
                    "%s at %g, %g is a text, which the level cannot store; delete it, or write the text into "
                    "a property of an object",
                    import_what(im), o->x, o->y);
    if (o->shape)
        import_fail(
            im, LVL_FAULT_MAP_OBJECT,
            "%s at %g, %g is a polygon or an ellipse, whose shape the level cannot store; replace it by "
            "a rectangle or a point",
            import_what(im), o->x, o->y);
    if (!o->point) /* a point has no direction */
        check_turn(im, &im->plan.lists.items[list], o);
    entry *e = TILED_PUSH(&im->map->arena, &im->lists[list]);
    const bool known = was == list && !seen[o->id];
    if (!e)
        return;
    *e = (entry){known ? plan_index_of_id(&im->plan.lists.items[list], o->id) : LVL_NO_INDEX, o, layer, false,
                 0};
    if (known) {
        seen[o->id] = 1;
    } else if (was != LVL_NO_INDEX && was != list) {
        const plan_list *from = &im->plan.lists.items[was];
        const void *record = lvl_list_item(from->owner, from->list, plan_index_of_id(from, o->id));
        e->moved = from->objects->numbered && im->plan.lists.items[list].objects == from->objects;
        e->number = e->moved ? plan_int(record, &from->objects->unique) : 0;
    }
}

static void sort_objects(importer *im)
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
    /* objects are not deleted with their layer silently */
    for (uint32_t i = 0; i < im->plan.lists.count && im->status == LVL_OK; i++) {
        const plan_list *l = &im->plan.lists.items[i];
        if (l->count && !im->lists[i].count && !import_layer(im, TILED_OBJECTS, l->layer, l->name))
            import_fail(
                im, LVL_FAULT_MAP_LAYER,
                "the layer \"%.*s\" is missing; to remove its %lu objects, delete them and keep the layer",
                (int)l->name.len, l->name.ptr, (unsigned long)l->count);
    }
}

/* An item of a map whose objects are in the order in which they are drawn. */
typedef struct placed {
    uint32_t at; /* the item of the list that it is before, or that it is */
    uint32_t behind; /* of those at one place */
    entry e;
} placed;

static int by_place(const void *a, const void *b)
{
    const placed *p = a, *q = b;

    if (p->at != q->at)
        return p->at < q->at ? -1 : 1;
    return p->behind < q->behind ? -1 : p->behind > q->behind;
}

/* A layer that shows its objects in the order of drawing does not show that of the list: those that were
 * there keep it, and a new one is before the one that it is behind in the map. */
static void undo_draw_order(importer *im, const plan_list *l, entries *now)
{
    const tiled_layer *layer = import_layer(im, TILED_OBJECTS, l->layer, l->name);
    const uint32_t *order = layer && layer->by_index ? plan_draw_order(&im->plan, l) : NULL;
    placed *all = order ? lvl_arena_array(&im->map->arena, (size_t)now->count + 1, sizeof *all) : NULL;
    uint32_t *rank = all ? lvl_arena_array(&im->map->arena, (size_t)l->count + 1, sizeof *rank) : NULL;
    uint32_t last = 0, next = l->count;

    if (!rank)
        return;
    for (uint32_t i = 0; i < l->count; i++)
        rank[order[i]] = i;
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
            break;
        }
        last = rank[old];
    }
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

/* Puts the items of a list in the map's order, removes those that the map no longer has, and adds new
 * ones. */
static void order_list(importer *im, uint32_t index)
{
    plan_list *l = &im->plan.lists.items[index];
    entries *now = &im->lists[index];

    undo_draw_order(im, l, now);
    bool same = now->count == l->count;
    l->ids = lvl_arena_array(&im->map->arena, (size_t)now->count + 1, sizeof *l->ids);
    if (!l->ids) {
        import_stop(im, LVL_ERR_MEMORY);
        return;
    }
    l->id_count = now->count;
    for (uint32_t i = 0; i < now->count; i++) {
        l->ids[i] = now->items[i].object->id;
        same = same && now->items[i].old == i;
    }
    if (same)
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
    /* those that stay, then the new ones behind them, then all in their places */
    lvl_status status = lvl_list_arrange(im->doc, l->owner, l->list, order, kept);
    if (status == LVL_OK && kept < now->count) {
        status = lvl_list_insert(im->doc, l->owner, l->list, kept, now->count - kept);
        for (uint32_t i = 0, old = 0, added = kept; i < now->count; i++)
            order[i] = now->items[i].old == LVL_NO_INDEX ? added++ : old++;
        if (status == LVL_OK)
            status = lvl_list_arrange(im->doc, l->owner, l->list, order, now->count);
    }
    import_stop(im, status);
    if (status == LVL_OK && l->grid == UINT32_MAX) {
        lvl_match match = {.record = l->owner, .field = l->list, .index = LVL_NO_INDEX};
        match.where = lvl_where_to(lvl_where_root(), l->list, LVL_NO_INDEX);
        lvl_editor_follow(&im->edit, &match, moved, l->count);
        import_stop(im, im->edit.load.status);
    }
}

/* Which point of a tile object is at its x, y, as fractions of its size. */
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

/* The rectangle of an object as the map shows it, turned about its x, y. */
static void box_of(const tiled_object *o, double ax, double ay, double box[4])
{
    const turn t = turn_of(o);
    static const int cos_of[] = {1, 0, -1, 0}, sin_of[] = {0, 1, 0, -1};
    const double c = cos_of[t.quarters], s = sin_of[t.quarters];
    const double mid_x = (.5 - ax) * o->width, mid_y = (.5 - ay) * o->height;

    box[2] = t.quarters % 2 ? o->height : o->width;
    box[3] = t.quarters % 2 ? o->width : o->height;
    box[0] = o->x + c * mid_x - s * mid_y - box[2] / 2;
    box[1] = o->y + s * mid_x + c * mid_y - box[3] / 2;
}

/* The coordinates and the size of the object's record, px. Of a picture that lvl made, the record's place is
 * the point that its tileset aligns; of other objects, their middle or their upper left corner. */
static void place_of(const importer *im, const plan_list *l, const tiled_object *o, double box[4])
{
    const tiled_set *set = o->gid ? import_set_of(im, o->gid & ~TILED_FLIPS) : NULL;
    const bool sprite = set && im->sets[set - im->map->sets.items].kind == SET_SPRITES;
    double ax = 0, ay = 0, want = l->objects->of.how->centered ? .5 : 0;

    if (o->gid)
        anchor_of(set ? set->alignment : (lvl_text){"", 0}, &ax, &ay);
    if (sprite && lvl_text_is(set->alignment, "center"))
        want = .5;
    if (o->point || (!turn_of(o).quarters && ax == want && ay == want)) { /* exactly */
        const double same[4] = {o->x, o->y, o->width, o->height};
        memcpy(box, same, sizeof same);
        return;
    }
    box_of(o, ax, ay, box);
    box[0] += want * box[2];
    box[1] += want * box[3];
}

static void take_flips(importer *im, const plan_list *l, void *record, const tiled_object *o)
{
    const lvl_map_list *how = l->objects->of.how;
    const plan_field *f = &l->objects->flip;
    const int64_t mask = (int64_t)how->flip_x | how->flip_y;
    const turn t = turn_of(o);
    const bool half = t.quarters == 2;
    const int64_t wanted = (t.flip_x != half ? how->flip_x : 0) | (t.flip_y != half ? how->flip_y : 0);

    if (!f->field || im->status != LVL_OK)
        return;
    const bool named = import_field(im, record, f, &o->properties, o->gid ? mask : 0);
    if (!o->gid || im->status != LVL_OK)
        return;
    /* flips that were written into the property count, too */
    const int64_t is = plan_int(record, f), now = (named ? is : is & ~mask) | wanted;
    if (now != is) {
        lvl_put_int(plan_record(record, f), f->field, now);
        im->changed = true;
    }
}

/* The number that identifies an item: its property, else the object's id, unless the object is new in the
 * level. */
static void take_unique(importer *im, void *record, const plan_field *f, const entry *e)
{
    const tiled_property *wanted = tiled_find(&e->object->properties, f->name);
    tiled_properties is = {0};

    if (im->status == LVL_OK && !wanted && e->moved) { /* if no other item has it: see make_unique */
        lvl_put_int(plan_record(record, f), f->field, e->number);
        return;
    }
    if (im->status != LVL_OK || (!wanted && e->old == LVL_NO_INDEX && !im->fresh))
        return;
    if (!wanted) {
        import_number(im, record, f, 1, e->object->id, "id");
        return;
    }
    tiled_put_unique(&im->plan, &is, record, f, e->object->id);
    if (!is.count || !lvl_text_equal(is.items[0].value, wanted->value))
        import_put(im, record, f, wanted->value, "id");
}

/* Gives new items ids that no other item has. */
static void make_unique(importer *im, const plan_list *l, const entries *now)
{
    lvl_item_ids ids;
    char seed[128];

    if (!l->objects->unique.field)
        return;
    lvl_item_ids_init(&ids, im->doc->ctx, l->objects->unique.field);
    for (uint32_t k = 0; k < now->count && im->status == LVL_OK; k++) {
        if (now->items[k].old != LVL_NO_INDEX)
            import_stop(im, lvl_item_ids_add(&ids, lvl_list_item(l->owner, l->list, k), k));
    }
    for (uint32_t k = 0; k < now->count && im->status == LVL_OK; k++) {
        if (now->items[k].old != LVL_NO_INDEX)
            continue;
        /* from a seed, so that the same map gives the same level */
        snprintf(seed, sizeof seed, "%s %lu %lu", im->sha, (unsigned long)l->ids[k],
                 (unsigned long)++im->made);
        import_stop(im, lvl_item_ids_make_unique(&ids, im->doc, lvl_item_at(l->owner, l->list, k), k,
                                                 lvl_text_of(seed)));
    }
    lvl_item_ids_free(&ids);
}

/* A property `link.N`, and its number. */
typedef struct numbered {
    uint64_t number;
    const tiled_property *property;
} numbered;

static int by_number(const void *a, const void *b)
{
    const numbered *p = a, *q = b;

    if (p->number != q->number)
        return p->number < q->number ? -1 : 1;
    return p->property < q->property ? -1 : p->property > q->property; /* of one array */
}

/* The links among the properties, in the order of their numbers; of equal names Tiled keeps the last. */
static void list_links(const tiled_properties *from, lvl_arena *arena, tiled_properties *out)
{
    numbered *list = lvl_arena_array(arena, (size_t)from->count + 1, sizeof *list);
    size_t count = 0;

    for (uint32_t i = 0; list && i < from->count; i++) {
        const lvl_text name = from->items[i].name;
        uint64_t n = 0;
        size_t k = strlen(TILED_LINK);
        if (!lvl_text_begins(name, TILED_LINK) || name.len > k + 9 || name.len == k)
            continue;
        while (k < name.len && lvl_is_digit(name.ptr[k]))
            n = n * 10 + (uint64_t)(name.ptr[k++] - '0');
        if (k == name.len)
            list[count++] = (numbered){n, &from->items[i]};
    }
    if (count)
        qsort(list, count, sizeof *list, by_number);
    for (size_t i = 0; i < count; i++) {
        const tiled_property *one = list[i].property;
        if (i + 1 == count || list[i + 1].number != list[i].number)
            tiled_add(arena, out, one->name, one->type.ptr, one->value);
    }
}

/* The targets of an item: `link.1` … in the order of their numbers, some of which may be missing. */
static void take_links(importer *im, plan_list *l, void *record, const tiled_properties *from)
{
    const plan_objects *p = l->objects;
    tiled_properties is = {0}, wanted = {0};
    bool same = true;

    if (!p->links.field || im->status != LVL_OK)
        return;
    list_links(from, &im->map->arena, &wanted);
    tiled_put_links(&im->plan, &is, l, record);
    same = is.count == wanted.count;
    for (uint32_t i = 0; i < is.count && same; i++)
        same = lvl_text_equal(is.items[i].value, wanted.items[i].value);
    if (same || im->status != LVL_OK)
        return;
    lvl_text *texts = lvl_arena_array(&im->doc->arena, (size_t)wanted.count + 1, sizeof *texts);
    if (!texts) {
        import_stop(im, LVL_ERR_MEMORY);
        return;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < wanted.count; i++) {
        const tiled_property *one = &wanted.items[i];
        double id = 0;
        if (!lvl_text_is(one->type, "object")) {
            texts[count] = lvl_doc_text(im->doc, one->value);
            if (!texts[count++].ptr)
                import_stop(im, LVL_ERR_MEMORY);
            continue;
        }
        lvl_real_parse(one->value, &id);
        const uint32_t index =
            id >= 0 && id <= UINT32_MAX ? import_index_of_id(l, (uint32_t)id) : LVL_NO_INDEX;
        if (index == LVL_NO_INDEX) {
            import_warn(im, "%s: %.*s: there is no object %.*s that it could mean; the link is left out",
                        import_what(im), (int)one->name.len, one->name.ptr, (int)one->value.len,
                        one->value.ptr);
            continue;
        }
        texts[count++] =
            lvl_get_text(plan_record(lvl_list_item(l->owner, l->list, index), &p->unique), p->unique.field);
    }
    memcpy((uint8_t *)record + p->links.field->offset, &texts, sizeof texts);
    memcpy((uint8_t *)record + p->links.field->count_offset, &count, sizeof count);
    im->changed = true;
}

/* ---- a map that was resized with an offset ------------------------------------------------------------- */

/* By how many px the map's object is beside its record. */
static void moved_by(const importer *im, const plan_list *l, const void *record, const tiled_object *o,
                     double box[4], double by[2])
{
    const plan_objects *p = l->objects;
    const double unit = p->of.unit;

    place_of(im, l, o, box);
    by[0] = box[0] - plan_number(record, &p->x) * unit;
    by[1] = box[1] - plan_number(record, &p->y) * unit;
}

static bool is_shift(const double by[2], double x, double y)
{
    return fabs(by[0] - x) < .5 && fabs(by[1] - y) < .5;
}

void import_find_shift(importer *im)
{
    const tiled_plan *plan = &im->plan;
    uint32_t known = 0, moved = 0;
    double by[2] = {0, 0};
    int64_t px[2] = {0, 0};

    if (im->fresh || !plan->start_layer || plan->main >= plan->grid_count)
        return;
    for (uint32_t i = 0; i < im->map->layers.count; i++) {
        const tiled_layer *layer = &im->map->layers.items[i];
        for (uint32_t k = 0; k < layer->objects.count; k++) {
            const tiled_object *o = &layer->objects.items[k];
            if (o->id == plan->start_object) {
                by[0] = o->x - plan_number(im->doc->root, &plan->start_x);
                by[1] = o->y - plan_number(im->doc->root, &plan->start_y);
            }
        }
    }
    lvl_cell_px(plan->grid, plan->grid_list->table, plan->grids[plan->main].item, px);
    const bool whole = px[0] && px[1] && fmod(by[0], (double)px[0]) == 0 && fmod(by[1], (double)px[1]) == 0;
    if (is_shift(by, 0, 0) || !whole || fabs(by[0]) > 1e9 || fabs(by[1]) > 1e9)
        return;
    for (uint32_t i = 0; i < im->map->layers.count; i++) {
        const tiled_layer *layer = &im->map->layers.items[i];
        for (uint32_t k = 0; k < layer->objects.count; k++) {
            const tiled_object *o = &layer->objects.items[k];
            const uint32_t list = list_by_id(im, o->id);
            const plan_list *l = list == LVL_NO_INDEX ? NULL : &plan->lists.items[list];
            double box[4], object_by[2];
            if (!l || l->grid != plan->main)
                continue;
            const uint32_t index = plan_index_of_id(l, o->id);
            moved_by(im, l, lvl_list_item(l->owner, l->list, index), o, box, object_by);
            known++;
            moved += is_shift(object_by, by[0], by[1]);
        }
    }
    if (moved * 2 > known || !known) {
        im->shift_x = (int64_t)by[0];
        im->shift_y = (int64_t)by[1];
    }
}

/* Whether an object moved with its map. On the main layer, it stays there with its further places: their bits
 * are returned in `places`, their values in `values`. In another layer, which keeps its place, so does it. */
static bool is_shifted(const importer *im, const plan_list *l, const void *record, const tiled_object *o,
                       double box[4], uint32_t *places, int64_t values[32])
{
    const lvl_field *fields[LVL_MAP_PLACES];
    double by[2];

    *places = 0;
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
    const uint32_t count = lvl_map_places(&l->objects->of, fields);
    for (uint32_t i = 0; i < count; i++) {
        if (!l->objects->of.how->is_place(record, fields[i]))
            continue;
        *places |= 1u << i;
        values[i] = lvl_get_int(record, fields[i]);
    }
    return true;
}

/* Moves the further places of an object with its map, except those that were changed in it. */
static void shift_places(importer *im, const plan_list *l, void *record, uint32_t places,
                         const int64_t values[32])
{
    const lvl_field *fields[LVL_MAP_PLACES];
    const uint32_t count = lvl_map_places(&l->objects->of, fields);

    for (uint32_t i = 0; i < count && im->status == LVL_OK; i++) {
        const lvl_field *f = fields[i];
        if (!(places & 1u << i) || lvl_get_int(record, f) != values[i])
            continue;
        const int64_t now = values[i] + (lvl_map_is_vertical(f) ? im->shift_y : im->shift_x);
        if (lvl_int_fits(f, now))
            lvl_put_int(record, f, now);
        else
            import_fail(im, LVL_FAULT_MAP_OBJECT, "%s: %s: %lld does not fit", import_what(im), f->name,
                        (long long)now);
    }
}

/* Gives an object a property. */
static void show_also(importer *im, tiled_object *o, const tiled_property *shows)
{
    if (shows)
        tiled_add(&im->map->arena, &o->properties, shows->name, shows->type.len ? shows->type.ptr : "",
                  shows->value);
}

/* Whether an object's own property differs from its record: then a person wrote it. */
static bool is_written(importer *im, const void *record, const plan_field *f, const tiled_object *o)
{
    const tiled_property *own = tiled_find(&o->properties, f->name);
    tiled_properties is = {0};

    tiled_put_field(&im->plan, &is, record, f, 0);
    return is.count || own ? !is.count || !own || !lvl_text_equal(is.items[0].value, own->value) : false;
}

/* Whether an object that was there has a sprite that shows something else, and no property that says so. */
static bool is_replaced(importer *im, const plan_objects *p, const void *record, const tiled_object *o,
                        const tiled_property *shows, const tiled_property *number)
{
    const bool as_name = p->picture.field == p->name.field;
    const lvl_text was = plan_text(&im->plan, record, &p->picture);
    int64_t n = plan_int(record, &p->picture_number);

    if (number && !lvl_int_parse(p->picture_number.field, number->value, &n))
        return false;
    if ((!shows || lvl_text_equal(shows->value, was)) && n == plan_int(record, &p->picture_number))
        return false;
    return !(as_name ? !lvl_text_equal(o->name, was) : is_written(im, record, &p->picture, o)) &&
           !(p->picture_number.field && is_written(im, record, &p->picture_number, o));
}

/* Warns of a new object that names another picture than its sprite shows: it cannot be known which of the
 * two a person changed. */
static void check_picture(importer *im, const plan_objects *p, const tiled_object *o,
                          const tiled_property *shows, const tiled_property *number)
{
    const bool as_name = p->picture.field == p->name.field;
    const tiled_property *own = as_name ? NULL : tiled_find(&o->properties, p->picture.name),
                         *own_number = number ? tiled_find(&o->properties, p->picture_number.name) : NULL;
    const lvl_text is = as_name ? o->name : own ? own->value : (lvl_text){"", 0};
    int64_t n = number ? p->picture_number.field->def : 0, wanted = n;
    char a[80], b[80];

    if (number)
        lvl_int_parse(p->picture_number.field, number->value, &wanted);
    if (own_number)
        lvl_int_parse(p->picture_number.field, own_number->value, &n);
    if (!lvl_text_equal(is, shows->value))
        import_warn(im, "%s: its %.*s \"%s\" is stored, not the picture \"%s\" that its tile shows",
                    import_what(im), (int)p->picture.name.len, p->picture.name.ptr, lvl_show(a, is),
                    lvl_show(b, shows->value));
    else if (n != wanted)
        import_warn(im, "%s: the number %lld of its picture is stored, not %lld, which its tile shows",
                    import_what(im), (long long)n, (long long)wanted);
}

/* An object as its sprite completes it: a new one has the sprite's class and picture, unless it names its
 * own; one that was there gets the picture if Tiled replaced its sprite. */
static tiled_object complete_object(importer *im, const plan_objects *p, const void *record, const entry *e)
{
    tiled_object o = *e->object;
    const bool is_new = e->old == LVL_NO_INDEX,
               as_name = p->picture.field && p->picture.field == p->name.field;
    const tiled_tile *sprite = import_sprite(im, o.gid);
    const tiled_property *shows =
        sprite && p->picture.field ? tiled_find(&sprite->properties, p->picture.name) : NULL;
    const tiled_property *number =
        sprite && p->picture_number.field ? tiled_find(&sprite->properties, p->picture_number.name) : NULL;

    o.type = class_of(im, &o, is_new);
    if (!shows)
        return o;
    const bool named = as_name ? o.name.len : tiled_find(&o.properties, p->picture.name) != NULL;
    if (is_new && named)
        check_picture(im, p, &o, shows, number);
    if (is_new ? named : !is_replaced(im, p, record, &o, shows, number))
        return o;
    if (is_new && p->picture_number.field && tiled_find(&o.properties, p->picture_number.name))
        number = NULL;
    const tiled_properties from = o.properties; /* the last of a name counts */
    o.properties = (tiled_properties){0};
    for (uint32_t i = 0; i < from.count; i++)
        show_also(im, &o, &from.items[i]);
    if (as_name)
        o.name = shows->value;
    else
        show_also(im, &o, shows);
    show_also(im, &o, number);
    return o;
}

/* A size that differs from the one that the map would have, and that the level has no field for. */
static void check_size(importer *im, const plan_objects *p, const tiled_object *o)
{
    const tiled_tile *sprite = import_sprite(im, o->gid);
    const double width = sprite ? sprite->width : o->gid ? 0 : p->of.how->fixed_width;
    const double height = sprite ? sprite->height : o->gid ? 0 : p->of.how->fixed_height;

    if (!p->width.field && !o->point && !o->gid && !width && (o->width > 0 || o->height > 0) &&
        im->status == LVL_OK)
        import_warn(im, "%s at %g, %g is a rectangle of %g x %g px: the level stores its place, but no size",
                    import_what(im), o->x, o->y, o->width, o->height);
    if (!p->width.field && !o->point && width > 0 && height > 0 && im->status == LVL_OK &&
        (fabs(o->width - width) > .5 || fabs(o->height - height) > .5))
        import_warn(
            im, "%s at %g, %g is %g x %g px large, and %g x %g without being resized: its size is not stored",
            import_what(im), o->x, o->y, o->width, o->height, width, height);
}

/* What an object has that its list has no field for. */
static void check_words(importer *im, const plan_objects *p, const void *record, const tiled_object *o)
{
    const tiled_set *set = o->gid ? import_set_of(im, o->gid & ~TILED_FLIPS) : NULL;
    const bool foreign = set && im->sets[set - im->map->sets.items].kind != SET_SPRITES;
    const tiled_tile *sprite = import_sprite(im, o->gid);
    char buf[80];

    if (im->status != LVL_OK)
        return;
    if (!p->name.field && o->name.len)
        import_warn(im, "%s: its name is not stored in the level", import_what(im));
    if (!p->type.field && o->type.len && !lvl_text_is(o->type, p->of.type))
        import_warn(im, "%s: the class \"%s\" is not stored in the level", import_what(im),
                    lvl_show(buf, o->type));
    if (foreign && (!p->picture.field || !plan_text(&im->plan, record, &p->picture).len))
        import_warn(im, "%s: its picture is of the tileset \"%s\", which is not stored in the level",
                    import_what(im), lvl_show(buf, set->name));
    if (sprite && p->of.type && sprite->type.len && !lvl_text_is(sprite->type, p->of.type))
        import_warn(im, "%s: its picture is one of the class \"%s\", and is not stored in the level",
                    import_what(im), lvl_show(buf, sprite->type));
    for (uint32_t i = 0; i < o->properties.count && p->links.field; i++) {
        const lvl_text name = o->properties.items[i].name;
        size_t k = strlen(TILED_LINK);
        if (!lvl_text_begins(name, TILED_LINK))
            continue;
        while (k < name.len && lvl_is_digit(name.ptr[k]))
            k++;
        if (k < name.len || name.len == strlen(TILED_LINK) || name.len > strlen(TILED_LINK) + 9)
            import_warn(im, "%s: the property \"%s\" is not stored: a link is " TILED_LINK " and a number",
                        import_what(im), lvl_show(buf, name));
    }
}

static void take_object(importer *im, const plan_list *l, uint32_t index, const entry *e)
{
    const plan_objects *p = l->objects;
    const tiled_object whole = complete_object(im, p, lvl_list_item(l->owner, l->list, index), e),
                       *o = &whole;
    const double unit = p->of.unit;
    void *record = lvl_item_at(l->owner, l->list, index);
    int64_t values[32];
    uint32_t places = 0;
    double box[4];

    if (e->old == LVL_NO_INDEX || !is_shifted(im, l, record, o, box, &places, values))
        place_of(im, l, o, box);
    import_number(im, record, &p->x, unit, box[0], "x");
    import_number(im, record, &p->y, unit, box[1], "y");
    import_number(im, record, &p->width, unit, box[2], "width");
    import_number(im, record, &p->height, unit, box[3], "height");
    import_shown_text(im, record, &p->type, o->type, "class");
    import_shown_text(im, record, &p->name, o->name, "name");
    take_flips(im, l, record, o);
    if (p->numbered)
        take_unique(im, record, &p->unique, e);
    import_fields(im, record, &p->fields, &o->properties, p, p->links.field ? TILED_LINK : NULL);
    shift_places(im, l, record, places, values);
    check_size(im, p, o);
    check_words(im, p, record, o);
}

void import_objects(importer *im)
{
    sort_objects(im);
    for (uint32_t i = 0; i < im->plan.lists.count && im->status == LVL_OK; i++)
        order_list(im, i);
    for (uint32_t i = 0; i < im->plan.lists.count && im->status == LVL_OK; i++) {
        plan_list *l = &im->plan.lists.items[i];
        const entries *now = &im->lists[i];
        import_stop(im, lvl_charge(im->doc->ctx, (uint64_t)now->count * 64));
        for (uint32_t k = 0; k < now->count && im->status == LVL_OK; k++) {
            import_name_object(im, now->items[k].layer, now->items[k].object);
            take_object(im, l, k, &now->items[k]);
        }
        make_unique(im, l, now);
        for (uint32_t k = 0; k < now->count && im->status == LVL_OK; k++) {
            import_name_object(im, now->items[k].layer, now->items[k].object);
            take_links(im, l, lvl_item_at(l->owner, l->list, k), &now->items[k].object->properties);
        }
    }
}

void import_start(importer *im)
{
    const tiled_object *found = NULL;
    const tiled_layer *of = NULL;

    for (uint32_t i = 0; i < im->map->layers.count; i++) {
        const tiled_layer *layer = &im->map->layers.items[i];
        for (uint32_t k = 0; k < layer->objects.count && !found; k++) {
            if (is_start(im, &layer->objects.items[k])) {
                found = &layer->objects.items[k];
                of = layer;
            }
        }
    }
    if (found) {
        import_name_object(im, of, found);
        import_number(im, im->doc->root, &im->plan.start_x, 1, found->x, "x");
        import_number(im, im->doc->root, &im->plan.start_y, 1, found->y, "y");
        if (!im->fresh && !(lvl_text_is(found->name, "start") && lvl_text_is(found->type, "start")))
            import_warn(im, "%s: its name and its class are not stored: the level has only its place",
                        import_what(im));
        for (uint32_t i = 0; i < found->properties.count && im->status == LVL_OK; i++) {
            char buf[80];
            import_warn(im, "%s: the property \"%s\" is not stored in the level", import_what(im),
                        lvl_show(buf, found->properties.items[i].name));
        }
    } else if (im->plan.start_layer && im->fresh) {
        import_warn(im, "there is no object of class \"start\": the player starts at %lld, %lld",
                    (long long)plan_int(im->doc->root, &im->plan.start_x),
                    (long long)plan_int(im->doc->root, &im->plan.start_y));
    } else if (im->plan.start_layer) {
        import_fail(im, LVL_FAULT_MAP_OBJECT, "the object \"start\" is missing; the level needs it");
    }
}
