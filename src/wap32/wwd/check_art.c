/*
 * wap32/wwd/check_art.c: finds tiles and image sets without an image, if the art search path has the art that
 * the level needs.
 */
#include "base/text.h"
#include "wap32/wwd/art.h"
#include "wap32/wwd/check.h"

#include <stdio.h>
#include <string.h>

enum { REMEMBERED = 64 };

/* ---- tiles ------------------------------------------------------------------------------------------- */

/* Without the game's tiles (`bank`), missing ones are not the fault of the level. Returns whether any is
 * missing. */
static bool check_tiles(const lvl_wwd_checker *c, const lvl_wwd_art *wa, bool bank)
{
    bool missing = false;
    char shown[64];

    for (uint32_t i = 0; i < c->wwd->plane_count; i++) {
        const lvl_wwd_plane *p = &c->wwd->planes[i];
        if (!p->tiles.ptr || !p->image_set_count || !p->image_sets[0].len)
            continue;
        const lvl_where where = LVL_AT(lvl_wwd_at_plane(i), lvl_wwd_plane, tiles);
        const lvl_art_set *set = lvl_wwd_art_tiles(wa, p->image_sets[0]);
        const lvl_wwd_missing m = lvl_wwd_art_missing(p, &set, 1);
        missing = missing || m.cells;
        lvl_text_show(shown, sizeof shown, c->doc->codepage, p->image_sets[0]);
        if (bank && !set)
            lvl_wwd_report(
                c->findings, LVL_WWD_F_TILE_NO_IMAGE, where,
                "the game crashes when a tile of this plane comes into view: the art has no tile set %s",
                shown);
        else if (bank && m.cells)
            lvl_wwd_report(
                c->findings, LVL_WWD_F_TILE_NO_IMAGE, lvl_where_cell(where, m.x, m.y),
                "the game crashes when [%u,%u] comes into view: tile %u has no picture in %s (cells "
                "without one: %llu, tile numbers: %u)",
                m.x, m.y, m.first, shown, (unsigned long long)m.cells, m.numbers);
    }
    return missing;
}

/* ---- objects ----------------------------------------------------------------------------------------- */

/* A cache of image sets: objects use few different ones. */
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
        l->set = lvl_wwd_art_images(wa, name);
        l->covered = l->set || lvl_wwd_art_covers(wa, name);
    }
    return l;
}

/* Returns whether the art that has the object's image set is missing. */
static bool check_object(const lvl_wwd_checker *c, const lvl_wwd_art *wa, struct lookup *table,
                         uint32_t plane, uint32_t index)
{
    const lvl_wwd_object *o = &c->wwd->planes[plane].objects[index];
    char shown[96];

    if (!o->image_set.len)
        return false;
    const struct lookup *l = look_up(table, wa, o->image_set);
    if (!l->covered || (l->set && (o->i < 0 || lvl_art_set_has(l->set, (uint32_t)o->i))))
        return !l->covered;
    const lvl_where where = lvl_wwd_at_object(plane, index);
    lvl_text_show(shown, sizeof shown, c->doc->codepage, o->image_set);
    if (!l->set) {
        lvl_wwd_report(c->findings, LVL_WWD_F_OBJECT_NO_IMAGES, LVL_AT(where, lvl_wwd_object, image_set),
                       "the art has no %s: the object is invisible, or missing", shown);
    } else {
        lvl_wwd_report(c->findings, LVL_WWD_F_OBJECT_NO_FRAME, LVL_AT(where, lvl_wwd_object, i),
                       "%s has no image %d: players may see another one, or none", shown, o->i);
    }
    return false;
}

/* ---- scripts ----------------------------------------------------------------------------------------- */

#define LOGICS LVL_ART_OWN "LOGICS"

/* CrazyHook runs LOGICS/a/b.lua for an object of CustomLogic that is called "a:b". */
static void check_script(const lvl_wwd_checker *c, uint32_t plane, uint32_t index)
{
    const lvl_wwd_object *o = &c->wwd->planes[plane].objects[index];
    char path[300], shown[96];

    if (!lvl_text_is(o->logic, "CustomLogic"))
        return;
    int len = o->name.len < 200 && !memchr(o->name.ptr ? o->name.ptr : "", 0, o->name.len)
                  ? snprintf(path, sizeof path, LOGICS "/%.*s.lua", (int)o->name.len,
                             o->name.ptr ? o->name.ptr : "")
                  : 0;
    for (int i = sizeof LOGICS; i < len; i++)
        path[i] = (char)(path[i] == ':' ? '/' : path[i]);
    if (len && o->name.len && !strstr(path, "..") && lvl_art_has_file(c->art, path))
        return;
    lvl_text_show(shown, sizeof shown, c->doc->codepage, o->name);
    lvl_wwd_report(c->findings, LVL_WWD_F_OBJECT_NO_SCRIPT,
                   LVL_AT(lvl_wwd_at_object(plane, index), lvl_wwd_object, name),
                   "the folder LOGICS has no \"%s\"", shown);
}

lvl_status lvl_wwd_check_art(const lvl_wwd_checker *c)
{
    struct lookup table[REMEMBERED];
    lvl_wwd_art wa;

    if (!c->art || !lvl_art_root(c->art, 0))
        return LVL_OK;
    lvl_wwd_art_init(&wa, c->wwd, c->art);
    const bool bank = lvl_wwd_art_has_tiles(&wa, false), logics = lvl_art_has_folder(c->art, LOGICS);
    bool missing = false;
    memset(table, 0, sizeof table);
    for (uint32_t i = 0; i < c->wwd->plane_count; i++) {
        for (uint32_t k = 0; k < c->wwd->planes[i].object_count; k++) {
            missing |= check_object(c, &wa, table, i, k);
            if (logics)
                check_script(c, i, k);
        }
    }
    missing |= check_tiles(c, &wa, bank);
    if (missing && !bank && !lvl_art_given(c->art))
        lvl_findings_add(c->findings, &lvl_doc_art_absent, NULL, NULL, "tiles and images of base level %u",
                         wa.base_level);
    return LVL_OK;
}
