/*
 * tiled/import_objects.c: the fields of the level's items from the objects of a map.
 */
#include "base/text.h"
#include "base/work.h"
#include "tiled/import.h"
#include "tools/edit/item_ids.h"

#include <math.h>
#include <stdio.h>

/* ---- numbers that identify items --------------------------------------------------------------------- */

/* Sets the number that identifies an item: from its property, else from the object's id, unless the object is
 * new in the level. */
static void take_unique(importer *im, void *record, const plan_field *f, const entry *e)
{
    const tiled_property *wanted = tiled_find(&e->object->properties, f->name);
    tiled_properties is = {0};

    if (im->status == LVL_OK && !wanted && e->moved) { /* unless another item has it: see make_unique */
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

/* ---- values that are not stored ---------------------------------------------------------------------- */

/* Warns about a changed size that the level has no field for. */
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

/* Warns about names, classes and other values of an object that its list has no field for. */
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
    if (!p->type.field && o->type.len && !import_same_word(im, o->type, lvl_text_of(p->of.type)))
        import_warn(im, "%s: the class \"%s\" is not stored in the level", import_what(im),
                    lvl_show(buf, o->type));
    if (foreign && (!p->picture.field || !plan_text(&im->plan, record, &p->picture).len))
        import_warn(im, "%s: its picture is of the tileset \"%s\", which is not stored in the level",
                    import_what(im), lvl_show(buf, set->name));
    if (sprite && p->of.type && sprite->type.len && !lvl_text_is(sprite->type, p->of.type))
        import_warn(im, "%s: its picture is one of the class \"%s\", and is not stored in the level",
                    import_what(im), lvl_show(buf, sprite->type));
    if (o->unused.len)
        import_warn(im, "%s: its %s is not stored in the level", import_what(im), o->unused.ptr);
    for (uint32_t i = 0; i < o->properties.count && p->links.field; i++) {
        const lvl_text name = o->properties.items[i].name;
        if (lvl_text_begins(name, TILED_LINK) && !import_is_link(name))
            import_warn(im, "%s: the property \"%s\" is not stored: a link is " TILED_LINK " and a number",
                        import_what(im), lvl_show(buf, name));
    }
}

/* ---- objects ----------------------------------------------------------------------------------------- */

static void take_object(importer *im, const plan_list *l, uint32_t index, const entry *e)
{
    const plan_objects *p = l->objects;
    const tiled_object whole = import_complete_object(im, p, lvl_list_item(l->owner, l->list, index), e),
                       *o = &whole;
    const double unit = p->of.unit;
    void *record = lvl_item_at(l->owner, l->list, index);
    import_places places = {.count = 0};
    lvl_book_item item;
    double box[4];

    if (e->old == LVL_NO_INDEX || !import_is_shifted(im, l, record, o, box, &places))
        import_place_of(im, l, o, box);
    import_number(im, record, &p->x, unit, box[0], "x");
    import_number(im, record, &p->y, unit, box[1], "y");
    import_number(im, record, &p->width, unit, box[2], "width");
    import_number(im, record, &p->height, unit, box[3], "height");
    im->was = tiled_describe(&im->plan, l->list->table, record, &item) ? item.thing : NULL;
    import_shown_text(im, record, &p->type, o->type, "class");
    import_shown_text(im, record, &p->name, o->name, "name");
    import_take_flips(im, l, record, o);
    if (p->numbered)
        take_unique(im, record, &p->unique, e);
    import_fields(im, record, &p->fields, &o->properties, p, p->links.field ? TILED_LINK : NULL);
    im->was = NULL;
    import_shift_places(im, l, record, &places);
    check_size(im, p, o);
    check_words(im, p, record, o);
}

void import_objects(importer *im)
{
    import_sort_objects(im);
    for (uint32_t i = 0; i < im->plan.lists.count && im->status == LVL_OK; i++)
        import_order_list(im, i);
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
            import_take_links(im, l, lvl_item_at(l->owner, l->list, k), &now->items[k].object->properties);
        }
    }
}

/* ---- the start --------------------------------------------------------------------------------------- */

/* The object that is the start, and its layer; NULL: the map has none. */
static const tiled_object *find_start(const importer *im, const tiled_layer **of)
{
    for (uint32_t i = 0; i < im->map->layers.count; i++) {
        *of = &im->map->layers.items[i];
        for (uint32_t k = 0; k < (*of)->objects.count; k++) {
            if (import_is_start(im, &(*of)->objects.items[k]))
                return &(*of)->objects.items[k];
        }
    }
    return NULL;
}

void import_start(importer *im)
{
    const tiled_layer *layer = NULL;
    const tiled_object *found = find_start(im, &layer);
    char buf[80];

    if (found) {
        import_name_object(im, layer, found);
        import_number(im, im->doc->root, &im->plan.start_x, 1, found->x, "x");
        import_number(im, im->doc->root, &im->plan.start_y, 1, found->y, "y");
        if (!im->fresh && !(lvl_text_is(found->name, "start") && lvl_text_is(found->type, "start")))
            import_warn(im, "%s: its name and its class are not stored: the level has only its place",
                        import_what(im));
        for (uint32_t i = 0; i < found->properties.count && im->status == LVL_OK; i++)
            import_warn(im, "%s: the property \"%s\" is not stored in the level", import_what(im),
                        lvl_show(buf, found->properties.items[i].name));
    } else if (im->plan.start_layer && im->fresh) {
        import_warn(im, "there is no object of class \"start\": the player starts at %lld, %lld",
                    (long long)plan_int(im->doc->root, &im->plan.start_x),
                    (long long)plan_int(im->doc->root, &im->plan.start_y));
    } else if (im->plan.start_layer) {
        import_fail(im, LVL_FAULT_MAP_OBJECT, "the object \"start\" is missing; the level needs it");
    }
}
