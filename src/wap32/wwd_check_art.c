/*
 * wap32/wwd_check_art.c: finds tiles and image sets without an image, if the art search path has the art that
 * the level needs.
 */
#include "base/text.h"
#include "wap32/wwd_art.h"
#include "wap32/wwd_check.h"

#include <string.h>

enum { NUMBERS = 0x10000, REMEMBERED = 64 };

/* ---- tiles ------------------------------------------------------------------------------------------- */

struct missing {
    uint64_t tiles;
    uint32_t numbers; /* different tile numbers */
    uint32_t first, x, y;
};

/* `known` has a byte per tile number. */
static void count_missing(const lvl_wwd_plane *p, const lvl_art_set *set, uint8_t *known, struct missing *m)
{
    enum { ASKED = 1, ABSENT = 2 };

    for (uint32_t y = 0; y < p->tiles.height; y++) {
        for (uint32_t x = 0; x < p->tiles.width; x++) {
            uint32_t id = lvl_cell(&p->tiles, x, y);
            if (id >= NUMBERS)
                continue;
            if (!known[id]) {
                known[id] = (uint8_t)(lvl_art_set_has(set, id) ? ASKED : ASKED | ABSENT);
                m->numbers += (known[id] & ABSENT) != 0;
            }
            if (known[id] & ABSENT && !m->tiles++) {
                m->first = id;
                m->x = x;
                m->y = y;
            }
        }
    }
}

static lvl_status check_tiles(const lvl_wwd_checker *c, const lvl_wwd_art *wa)
{
    uint8_t *known = lvl_mem_alloc(c->doc->ctx, NUMBERS);
    char shown[64];

    if (!known)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < c->wwd->plane_count; i++) {
        const lvl_wwd_plane *p = &c->wwd->planes[i];
        if (!p->tiles.ptr || !p->image_set_count || !p->image_sets[0].len)
            continue;
        const lvl_where where = LVL_AT(lvl_wwd_at_plane(i), lvl_wwd_plane, tiles);
        const lvl_art_set *set = lvl_wwd_art_tiles(wa, p->image_sets[0]);
        struct missing m = {0};
        lvl_text_show(shown, sizeof shown, c->doc->codepage, p->image_sets[0]);
        if (!set) {
            lvl_wwd_report(c->findings, LVL_WWD_F_TILE_NO_IMAGE, where, "the art has no tile set %s", shown);
            continue;
        }
        memset(known, 0, NUMBERS);
        count_missing(p, set, known, &m);
        if (m.tiles)
            lvl_wwd_report(c->findings, LVL_WWD_F_TILE_NO_IMAGE, where,
                           "%llu tiles of %u numbers are not in %s, the first is %u at [%u,%u]",
                           (unsigned long long)m.tiles, m.numbers, shown, m.first, m.x, m.y);
    }
    lvl_mem_free(c->doc->ctx, known);
    return LVL_OK;
}

/* ---- objects ----------------------------------------------------------------------------------------- */

/* A cache of image sets: objects have few different ones. */
struct lookup {
    lvl_text name;
    const lvl_art_set *set;
    bool covered, valid;
};

static const struct lookup *look_up(struct lookup *table, const lvl_wwd_art *wa, lvl_text name)
{
    uint32_t hash = 2166136261u;

    for (size_t i = 0; i < name.len; i++)
        hash = (hash ^ (uint8_t)name.ptr[i]) * 16777619u;
    struct lookup *l = &table[(hash ^ hash >> 16) % REMEMBERED];
    if (!l->valid || !lvl_text_equal(l->name, name)) {
        l->name = name;
        l->valid = true;
        l->covered = lvl_wwd_art_covers(wa, name);
        l->set = l->covered ? lvl_wwd_art_images(wa, name) : NULL;
    }
    return l;
}

static void check_object(const lvl_wwd_checker *c, const lvl_wwd_art *wa, struct lookup *table,
                         uint32_t plane, uint32_t index)
{
    const lvl_wwd_object *o = &c->wwd->planes[plane].objects[index];
    char shown[96];

    if (!o->image_set.len)
        return;
    const struct lookup *l = look_up(table, wa, o->image_set);
    if (!l->covered || (l->set && (o->i < 0 || lvl_art_set_has(l->set, (uint32_t)o->i))))
        return;
    const lvl_where where = lvl_wwd_at_object(plane, index);
    lvl_text_show(shown, sizeof shown, c->doc->codepage, o->image_set);
    if (!l->set) {
        lvl_wwd_report(c->findings, LVL_WWD_F_OBJECT_NO_IMAGES, LVL_AT(where, lvl_wwd_object, image_set),
                       "the art has no %s", shown);
    } else {
        lvl_wwd_report(c->findings, LVL_WWD_F_OBJECT_NO_FRAME, LVL_AT(where, lvl_wwd_object, i),
                       "%s has no image %d", shown, o->i);
    }
}

lvl_status lvl_wwd_check_art(const lvl_wwd_checker *c)
{
    struct lookup table[REMEMBERED];
    lvl_wwd_art wa;

    if (!c->art || !lvl_art_root(c->art, 0))
        return LVL_OK;
    lvl_wwd_art_init(&wa, c->wwd, c->art);
    const bool bank = lvl_wwd_art_has_tiles(&wa, false);
    if (!bank && !lvl_art_given(c->art))
        lvl_findings_add(c->findings, &lvl_doc_art_absent, NULL, NULL, "tiles and images of base level %u",
                         wa.base_level);
    memset(table, 0, sizeof table);
    for (uint32_t i = 0; i < c->wwd->plane_count; i++) {
        for (uint32_t k = 0; k < c->wwd->planes[i].object_count; k++)
            check_object(c, &wa, table, i, k);
    }
    /* without the game's tiles, missing images are no fault of the level */
    return bank ? check_tiles(c, &wa) : LVL_OK;
}
