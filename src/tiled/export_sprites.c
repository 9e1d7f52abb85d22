/*
 * tiled/export_sprites.c: sprites: tiles that show objects, one for all objects that look alike, and one for
 * each picture that an object could have.
 */
#include "tiled/export.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

lvl_text export_type_of(const tiled_plan *plan, const plan_objects *p, const void *record)
{
    return p->type.field ? plan_text(plan, record, &p->type) : lvl_text_of(p->of.type);
}

static bool same_sprite(const export_sprite *a, const export_sprite *b)
{
    return a->image == b->image && a->effect == b->effect && a->left == b->left && a->top == b->top &&
           a->centered == b->centered && a->number == b->number && lvl_text_equal(a->picture, b->picture) &&
           memcmp(&a->part, &b->part, sizeof a->part) == 0;
}

/* Draws a new sprite and adds it to its set. `x`, `y`: the thing's position in the picture. */
static const export_sprite *add_sprite(exporter *e, const export_sprite *s, const plan_objects *p,
                                       const lvl_scene_thing *t, int32_t x, int32_t y)
{
    tiled_set *set = &e->sprite_sets[s->centered];
    lvl_buffer png = {0};
    char stem[48];

    if (!lvl_grow(&e->sprites, &e->sprite_cap, e->sprite_count + 1, sizeof *e->sprites))
        export_status(e, LVL_ERR_MEMORY);
    snprintf(stem, sizeof stem, "sprite-%lu", (unsigned long)e->sprite_count);
    if (export_is_ok(e))
        export_status(e, tiled_draw_thing(e->scene, t, s->width, s->height, x, y, &png));
    tiled_tile *tile = export_is_ok(e) ? export_add_tile(e, set, set->tiles.count) : NULL;
    if (tile) {
        tile->image = export_add_picture(e, stem, &png);
        tile->type = s->type;
        if (p->picture_number
                .field) /* even if it is the default: another object may replace its export_sprite */
            tiled_add(&e->map->arena, &tile->properties, p->picture_number.name, "int",
                      tiled_printf(&e->map->arena, "%lld", (long long)s->number));
        if (s->picture.len)
            tiled_add(&e->map->arena, &tile->properties, p->picture.name, "", s->picture);
        tile->width = s->width;
        tile->height = s->height;
        set->tile_width = s->width > set->tile_width ? s->width : set->tile_width;
        set->tile_height = s->height > set->tile_height ? s->height : set->tile_height;
        e->sprites[e->sprite_count] = *s;
        e->sprites[e->sprite_count].id = tile->id;
    }
    lvl_buffer_free(&png);
    return tile ? &e->sprites[e->sprite_count++] : NULL;
}

/* Sets the area of a thing's sprite around its object at x, y; false: empty or too large. */
static bool measure_sprite(export_sprite *s, const lvl_scene_thing *t, bool centered, int64_t x, int64_t y)
{
    enum { MAX_REACH = 4096 };
    lvl_rect rect;

    if (!lvl_scene_thing_rect(t, &rect))
        return false;
    const int64_t left = rect.left - x, top = rect.top - y;
    const int64_t right = (int64_t)rect.right + 1 - x, bottom = (int64_t)rect.bottom + 1 - y;
    if (left < -MAX_REACH || top < -MAX_REACH || right > MAX_REACH || bottom > MAX_REACH)
        return false;
    s->left = (int32_t)left;
    s->top = (int32_t)top;
    s->centered = centered || left < 0 || top < 0;
    s->width = (uint32_t)(s->centered ? 2 * (-left > right ? -left : right) : right);
    s->height = (uint32_t)(s->centered ? 2 * (-top > bottom ? -top : bottom) : bottom);
    return s->width && s->height;
}

static uint64_t hash_sprite(const exporter *e, const export_sprite *s)
{
    const lvl_hash_seed *seed = &e->sprite_index.seed;

    return lvl_hash_mix(seed, lvl_hash_u64(seed, (uint64_t)(uintptr_t)s->image),
                        (uint64_t)(uint32_t)s->left << 32 | (uint32_t)s->top);
}

static const export_sprite *find_sprite(const exporter *e, const export_sprite *s, uint64_t hash)
{
    for (lvl_hash_at at = lvl_hash_first(&e->sprite_index, hash); at.found;
         at = lvl_hash_next(&e->sprite_index, at)) {
        if (same_sprite(&e->sprites[at.index], s))
            return &e->sprites[at.index];
    }
    return NULL;
}

const export_sprite *export_sprite_of(exporter *e, const plan_list *l, const void *record, lvl_text type,
                                      const lvl_scene_thing *t, int64_t x, int64_t y)
{
    const plan_objects *p = l->objects;
    export_sprite s = {.image = t->image,
                       .effect = t->effect,
                       .type = type,
                       .picture = plan_text(&e->plan, record, &p->picture),
                       .number = plan_int(record, &p->picture_number)};

    if (t->has_part)
        s.part = t->part;
    if (!measure_sprite(&s, t, p->of.how->centered, x, y))
        return NULL;
    const uint64_t hash = hash_sprite(e, &s);
    const export_sprite *known = find_sprite(e, &s, hash);
    if (known)
        return known;
    const int32_t zero_x = s.centered ? (int32_t)(s.width / 2) : 0;
    const int32_t zero_y = s.centered ? (int32_t)(s.height / 2) : 0;
    const export_sprite *added =
        add_sprite(e, &s, p, t, zero_x + (int32_t)(t->x - x), zero_y + (int32_t)(t->y - y));
    if (added)
        export_status(e, lvl_hash_add(&e->sprite_index, hash, (uint32_t)e->sprite_count - 1));
    return added;
}

/* ---- objects that can be placed ---------------------------------------------------------------------- */

/* The list that a thing of the stock is an item of; NULL: none. */
static const plan_list *list_of_thing(const tiled_plan *plan, const lvl_scene_thing *t)
{
    for (uint32_t i = 0; i < plan->lists.count; i++) {
        const plan_list *l = &plan->lists.items[i];
        const uint32_t kinds = l->objects->of.how->things;
        if (t->index < l->count && (!kinds || kinds & 1u << t->kind))
            return l;
    }
    return NULL;
}

static void add_stock_sprite(exporter *e, const tiled_plan *plan, const lvl_scene_thing *t)
{
    const plan_list *l = list_of_thing(plan, t);

    if (!l || !t->image)
        return;
    const plan_objects *p = l->objects;
    const void *record = lvl_list_item(l->owner, l->list, t->index);
    export_sprite_of(e, l, record, export_type_of(plan, p, record), t,
                     (int64_t)plan_number(record, &p->x) + e->stock_scene->zero_x,
                     (int64_t)plan_number(record, &p->y) + e->stock_scene->zero_y);
}

void export_add_stock(exporter *e)
{
    const lvl_scene_request request = {.art = e->options->art};
    tiled_plan plan = {0};

    if (!e->scene || !e->plan.layout->stock)
        return;
    export_status(e, e->plan.layout->stock(e->doc, e->options->art, &e->stock));
    if (!export_is_ok(e) || !e->stock)
        return;
    export_status(e, tiled_plan_make(&plan, e->stock, &e->map->arena));
    if (export_is_ok(e))
        export_status(e, lvl_doc_scene(e->stock, &request, &e->stock_scene));
    for (uint32_t i = 0; export_is_ok(e) && i < e->stock_scene->thing_count; i++)
        add_stock_sprite(e, &plan, &e->stock_scene->things[i]);
}

/* ---- the sets ---------------------------------------------------------------------------------------- */

void export_add_sprite_sets(exporter *e)
{
    static const char *const names[] = {"sprites", "sprites by their centre"};
    tiled_map *map = e->map;
    uint32_t first[2] = {0, 0};

    for (uint32_t i = 0; i < 2; i++) {
        const tiled_set *from = &e->sprite_sets[i];
        tiled_set *set = from->tiles.count ? export_add_set(e, lvl_text_of(names[i]), "sprites") : NULL;
        if (!set)
            continue;
        set->alignment = lvl_text_of(i ? "center" : "topleft");
        set->tile_width = from->tile_width;
        set->tile_height = from->tile_height;
        set->tile_count = from->tiles.count;
        set->tiles = from->tiles;
        first[i] = set->first;
    }
    for (uint32_t i = 0; i < map->layers.count; i++) {
        tiled_layer *layer = &map->layers.items[i];
        for (uint32_t k = 0; k < layer->objects.count; k++) {
            tiled_object *o = &layer->objects.items[k];
            if (o->gid)
                o->gid = (o->gid & (TILED_FLIP_X | TILED_FLIP_Y)) + (o->gid & ~TILED_FLIPS) - 1 +
                         first[o->gid & EXPORT_CENTERED ? 1 : 0];
        }
    }
}
