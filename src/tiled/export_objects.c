/*
 * tiled/export_objects.c: the objects of a map: the items of lists.
 */
#include "tiled/export.h"

#include "base/text.h"
#include "base/work.h"

/* The things in the scene that show the items of a list, by index; NULL: there are none. */
static const lvl_scene_thing **things_of(exporter *e, const plan_list *l)
{
    const lvl_map_list *how = l->objects->of.how;

    if (!e->scene || !l->count || (l->grid != UINT32_MAX && l->grid != e->plan.main))
        return NULL;
    const lvl_scene_thing **by = lvl_arena_array(&e->map->arena, l->count, sizeof *by);
    for (uint32_t i = 0; by && i < e->scene->thing_count; i++) {
        const lvl_scene_thing *t = &e->scene->things[i];
        if (t->index < l->count && (!how->things || how->things & 1u << t->kind) && t->image &&
            !(t->flags & LVL_THING_TEXT))
            by[t->index] = t;
    }
    return by;
}

/* The object's sprite; NULL: its picture cannot be a sprite. */
static const export_sprite *sprite_for(exporter *e, const plan_list *l, const void *record,
                                       const lvl_scene_thing *t, const tiled_object *o)
{
    const double far = 1e9;

    if (!t || l->objects->width.field || o->x <= -far || o->x >= far || o->y <= -far || o->y >= far)
        return NULL;
    return export_sprite_of(e, l, record, o->type, t, (int64_t)o->x + e->scene->zero_x,
                            (int64_t)o->y + e->scene->zero_y);
}

/* Shows the object as a tile. */
static void put_sprite(tiled_object *o, const export_sprite *s, const lvl_map_list *how, int64_t flags)
{
    o->gid = s->id + 1;
    if (flags & how->flip_x)
        o->gid |= TILED_FLIP_X;
    if (flags & how->flip_y)
        o->gid |= TILED_FLIP_Y;
    if (s->centered)
        o->gid |= EXPORT_CENTERED;
    o->width = s->width;
    o->height = s->height;
}

static void add_object(exporter *e, plan_list *l, uint32_t index, const lvl_scene_thing *t,
                       tiled_layer *layer)
{
    const plan_objects *p = l->objects;
    const lvl_map_list *how = p->of.how;
    const void *record = lvl_list_item(l->owner, l->list, index);
    const double unit = p->of.unit;
    tiled_object *o = EXPORT_PUSH(e, &layer->objects);

    if (!o)
        return;
    o->id = plan_object_id(l, index);
    o->x = plan_number(record, &p->x) * unit;
    o->y = plan_number(record, &p->y) * unit;
    o->width = p->width.field ? plan_number(record, &p->width) * unit : how->fixed_width;
    o->height = p->height.field ? plan_number(record, &p->height) * unit : how->fixed_height;
    o->type = export_type_of(&e->plan, p, record);
    o->name = plan_text(&e->plan, record, &p->name);
    const export_sprite *s = sprite_for(e, l, record, t, o);
    o->point = !s && !p->width.field && !how->fixed_width;
    if (s)
        put_sprite(o, s, how, plan_int(record, &p->flip));
    if (p->numbered)
        tiled_put_unique(&e->plan, &o->properties, record, &p->unique, o->id);
    tiled_put_field(&e->plan, &o->properties, record, &p->flip, s ? (int64_t)how->flip_x | how->flip_y : 0);
    tiled_put_fields(&e->plan, &o->properties, record, &p->fields);
    tiled_put_links(&e->plan, &o->properties, l, record);
}

/* Sorts a layer's objects in the game's drawing order. */
static void arrange_objects(exporter *e, const plan_list *l, tiled_layer *layer)
{
    const uint32_t *order = export_is_ok(e) ? plan_draw_order(&e->plan, l) : NULL;
    tiled_object *to = order ? lvl_arena_array(&e->map->arena, (size_t)l->count + 1, sizeof *to) : NULL;

    layer->by_index = to != NULL;
    for (uint32_t i = 0; to && i < l->count; i++)
        to[i] = layer->objects.items[order[i]];
    if (to)
        layer->objects.items = to;
}

void export_put_objects(exporter *e, plan_list *l, tiled_layer *layer)
{
    const lvl_scene_thing **things = things_of(e, l);

    export_status(e, lvl_charge(e->doc->ctx, (uint64_t)l->count * 64));
    layer->color = lvl_text_of(l->objects->of.how->color);
    for (uint32_t i = 0; i < l->count && export_is_ok(e); i++)
        add_object(e, l, i, things ? things[i] : NULL, layer);
    arrange_objects(e, l, layer);
}

void export_put_start(exporter *e, tiled_layer *layer)
{
    tiled_object *o = EXPORT_PUSH(e, &layer->objects);

    if (!o)
        return;
    layer->color = lvl_text_of("#50ff50");
    o->id = e->plan.start_object;
    o->name = o->type = lvl_text_of("start");
    o->point = true;
    o->x = plan_number(e->doc->root, &e->plan.start_x);
    o->y = plan_number(e->doc->root, &e->plan.start_y);
}
