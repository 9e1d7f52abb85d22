/*
 * tiled/import_objects.c: objects of a map as items of the level's lists.
 */
#include "base/text.h"
#include "base/work.h"
#include "tiled/import.h"
#include "tools/item_ids.h"

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
        const char *of_list = im->plan.lists.items[i].objects->how->type;
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
    /* where there is but one list, any layer is its */
    return im->fresh && im->plan.lists.count == 1 ? 0 : LVL_NO_INDEX;
}

static bool is_start(const importer *im, const tiled_object *o)
{
    return im->plan.start_layer &&
           (im->fresh ? lvl_text_is(o->type, "start") : o->id == im->plan.start_object);
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

/* Adds an object to the list that it belongs to now: by its class, by its layer, or where it was. */
static void sort_object(importer *im, const tiled_layer *layer, const tiled_object *o, uint8_t *seen)
{
    const uint32_t was = list_by_id(im, o->id);
    uint32_t list = list_by_type(im, o->type);

    if (is_start(im, o))
        return;
    if (list == LVL_NO_INDEX)
        list = list_by_layer(im, layer);
    if (list == LVL_NO_INDEX && layer->id != im->plan.start_layer)
        list = was;
    import_name_object(im, layer, o);
    if (list == LVL_NO_INDEX) {
        import_warn(im, "%s is not stored in the level: its layer is none of the level's", import_what(im));
        return;
    }
    if (o->source.len) {
        import_fail(
            im, LVL_FAULT_MAP_OBJECT,
            "%s is an instance of the template %.*s, which is missing; put it back, or replace the object",
            import_what(im), (int)o->source.len, o->source.ptr);
        return;
    }
    if (o->gid)
        check_tile(im, o);
    if (o->shape)
        import_warn(im, "%s: only its place is stored in the level, not its shape", import_what(im));
    if (o->rotation != 0)
        import_warn(im, "%s: its rotation is not stored in the level", import_what(im));
    entry *e = TILED_PUSH(&im->map->arena, &im->lists[list]);
    const bool known = was == list && !seen[o->id];
    if (!e)
        return;
    *e = (entry){known ? plan_index_of_id(&im->plan.lists.items[list], o->id) : LVL_NO_INDEX, o};
    if (known)
        seen[o->id] = 1;
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

/* Puts the items of a list in the map's order, removes those that the map no longer has, and adds new
 * ones. */
static void order_list(importer *im, uint32_t index)
{
    plan_list *l = &im->plan.lists.items[index];
    entries *now = &im->lists[index];
    const uint32_t size = l->list->item_size;
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
    uint8_t *items = lvl_arena_array(&im->doc->arena, (size_t)now->count + 1, size);
    const uint8_t *old = NULL;
    if (!moved || !items) {
        import_stop(im, LVL_ERR_MEMORY);
        return;
    }
    memcpy(&old, (const uint8_t *)l->owner + l->list->offset, sizeof old);
    for (uint32_t i = 0; i < l->count; i++)
        moved[i] = LVL_NO_INDEX;
    for (uint32_t i = 0; i < now->count; i++) {
        const uint32_t from = now->items[i].old;
        if (from == LVL_NO_INDEX) {
            lvl_record_init(items + (size_t)i * size, l->list->table);
        } else {
            memcpy(items + (size_t)i * size, old + (size_t)from * size, size);
            moved[from] = i;
        }
    }
    memcpy((uint8_t *)l->owner + l->list->offset, &items, sizeof items);
    memcpy((uint8_t *)l->owner + l->list->count_offset, &now->count, sizeof now->count);
    if (l->grid == UINT32_MAX) {
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

/* The coordinates of the object's record, px. Those of sprites that lvl made, and of points, are the
 * record's; of other objects they follow from the alignment. */
static void place_of(const importer *im, const plan_list *l, const tiled_object *o, double *x, double *y)
{
    const tiled_set *set = o->gid ? import_set_of(im, o->gid & ~TILED_FLIPS) : NULL;
    double ax = 0, ay = 0;

    *x = o->x;
    *y = o->y;
    if (o->gid && (!set || im->sets[set - im->map->sets.items].kind != SET_SPRITES))
        anchor_of(set ? set->alignment : (lvl_text){"", 0}, &ax, &ay);
    else if (o->gid || o->point)
        return;
    const double want = l->objects->how->centered ? .5 : 0;
    *x += (want - ax) * o->width;
    *y += (want - ay) * o->height;
}

static void take_flips(importer *im, const plan_list *l, void *record, const tiled_object *o)
{
    const lvl_map_list *how = l->objects->how;
    const plan_field *f = &l->objects->flip;
    const int64_t mask = (int64_t)how->flip_x | how->flip_y;
    const int64_t wanted =
        (o->gid & TILED_FLIP_X ? how->flip_x : 0) | (o->gid & TILED_FLIP_Y ? how->flip_y : 0);

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

static void take_object(importer *im, const plan_list *l, uint32_t index, const entry *e)
{
    const plan_objects *p = l->objects;
    const tiled_object *o = e->object;
    const double unit = p->how->unit ? p->how->unit : 1;
    void *record = lvl_item_at(l->owner, l->list, index);
    double x, y;

    place_of(im, l, o, &x, &y);
    import_number(im, record, &p->x, unit, x, "x");
    import_number(im, record, &p->y, unit, y, "y");
    import_number(im, record, &p->width, unit, o->width, "width");
    import_number(im, record, &p->height, unit, o->height, "height");
    import_shown_text(im, record, &p->type, o->type, "class");
    import_shown_text(im, record, &p->name, o->name, "name");
    take_flips(im, l, record, o);
    if (p->numbered)
        take_unique(im, record, &p->unique, e);
    import_fields(im, record, &p->fields, &o->properties, p, p->links.field ? TILED_LINK : NULL);
}

void import_objects(importer *im)
{
    sort_objects(im);
    for (uint32_t i = 0; i < im->plan.lists.count && im->status == LVL_OK; i++)
        order_list(im, i);
    for (uint32_t i = 0; i < im->plan.lists.count && im->status == LVL_OK; i++) {
        plan_list *l = &im->plan.lists.items[i];
        const entries *now = &im->lists[i];
        const tiled_layer *layer = import_layer(im, TILED_OBJECTS, l->layer, l->name);
        import_stop(im, lvl_charge(im->doc->ctx, (uint64_t)now->count * 64));
        for (uint32_t k = 0; k < now->count && im->status == LVL_OK; k++) {
            import_name_object(im, layer, now->items[k].object);
            take_object(im, l, k, &now->items[k]);
        }
        make_unique(im, l, now);
        for (uint32_t k = 0; k < now->count && im->status == LVL_OK; k++) {
            import_name_object(im, layer, now->items[k].object);
            take_links(im, l, lvl_item_at(l->owner, l->list, k), &now->items[k].object->properties);
        }
    }
}

void import_start(importer *im)
{
    const tiled_object *found = NULL;

    for (uint32_t i = 0; i < im->map->layers.count; i++) {
        const tiled_layer *layer = &im->map->layers.items[i];
        for (uint32_t k = 0; k < layer->objects.count && !found; k++) {
            if (is_start(im, &layer->objects.items[k]))
                found = &layer->objects.items[k];
        }
    }
    if (found) {
        import_name_object(im, NULL, found);
        import_number(im, im->doc->root, &im->plan.start_x, 1, found->x, "x");
        import_number(im, im->doc->root, &im->plan.start_y, 1, found->y, "y");
    } else if (im->plan.start_layer && im->fresh) {
        import_warn(im, "there is no object of class \"start\": the player starts at 0, 0");
    } else if (im->plan.start_layer) {
        import_fail(im, LVL_FAULT_MAP_OBJECT, "the object \"start\" is missing; the level needs it");
    }
}
