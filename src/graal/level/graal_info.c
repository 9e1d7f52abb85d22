/*
 * graal/level/graal_info.c: the summary of a level: tiles, links, objects, signs.
 */
#include "graal/level/graal_level.h"
#include "graal/level/graal_links.h"
#include "graal/level/graal_names.h"
#include "graal/level/graal_stale.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* ---- tiles ------------------------------------------------------------------------------------------- */

enum { TILES = 0x10000 };

static void info_tiles(const lvl_graal *g, lvl_info *info)
{
    uint8_t seen[TILES / 8] = {0};
    uint32_t distinct = 0, absent = 0, last = LVL_GRAAL_ABSENT;

    for (uint32_t i = 0; i < g->layer_count; i++) {
        const lvl_cells *grid = &g->layers[i].tiles;
        for (uint32_t y = 0; grid->ptr && y < grid->height; y++) {
            for (uint32_t x = 0; x < grid->width; x++) {
                const uint32_t tile = lvl_cell(grid, x, y);
                if (tile == LVL_GRAAL_ABSENT) {
                    absent += g->layers[i].number == 0;
                    continue;
                }
                if (tile == last)
                    continue;
                last = tile;
                const uint8_t bit = (uint8_t)(1 << (tile & 7));
                distinct += tile < TILES && !(seen[tile / 8] & bit);
                if (tile < TILES)
                    seen[tile / 8] |= bit;
            }
        }
    }
    lvl_info_int(info, "distinct_tiles", "tiles", distinct, "different ones");
    lvl_info_int(info, "absent_tiles", absent ? "not given" : NULL, absent, "tiles of the board");
}

/* ---- things ------------------------------------------------------------------------------------------ */

/* Whether an earlier link leads to the same level. */
static bool was_reported(const lvl_graal *g, uint32_t index)
{
    enum { FAR = 256 }; /* limits the search in hostile files; real levels have a dozen links */

    for (uint32_t i = index > FAR ? index - FAR : 0; i < index; i++) {
        if (lvl_text_equal_nocase(g->links[i].level, g->links[index].level))
            return true;
    }
    return false;
}

/* Adds the rectangle of a link, before its destination. */
static bool info_rect(lvl_info *info, const lvl_table *table, const void *record, const lvl_field *field,
                      void *user)
{
    const lvl_graal_link *l = record;

    (void)table;
    (void)user;
    if (field->offset == offsetof(lvl_graal_link, dest_x))
        lvl_info_string(info, "rect", NULL, "%g %g %g %g", l->x, l->y, l->width, l->height);
    return false;
}

static void info_links(const lvl_graal *g, lvl_info *info)
{
    if (!g->link_count)
        return;
    lvl_info_open(info, "leads_to", "lead to", true);
    for (uint32_t i = 0; i < g->link_count; i++) {
        if (!was_reported(g, i))
            lvl_info_text(info, NULL, "", g->links[i].level);
    }
    lvl_info_close(info);
    lvl_info_open(info, "links", NULL, true);
    for (uint32_t i = 0; i < g->link_count; i++) {
        lvl_info_open(info, NULL, NULL, false);
        lvl_info_fields(info, &lvl_graal_link_table, &g->links[i], info_rect, NULL);
        lvl_info_close(info);
    }
    lvl_info_close(info);
}

/* Counts the items of each named kind, and those without a name. */
static void info_kinds(lvl_info *info, const char *key, const lvl_name *names, const int32_t *first,
                       size_t stride, uint32_t count)
{
    uint32_t known = 0;

    if (!count)
        return;
    lvl_info_open(info, key, "of these", false);
    for (; names->name; names++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < count; i++)
            n += *(const int32_t *)(const void *)((const char *)first + i * stride) == names->value;
        if (n)
            lvl_info_int(info, names->name, names->name, n, NULL);
        known += n;
    }
    if (known < count)
        lvl_info_int(info, "unknown", "unknown", count - known, NULL);
    lvl_info_close(info);
}

static uint32_t lines_of(lvl_text text)
{
    uint32_t n = text.len != 0;

    for (size_t i = 0; i + 1 < text.len; i++)
        n += text.ptr[i] == '\n';
    return n;
}

static void info_npcs(const lvl_graal *g, lvl_info *info)
{
    uint32_t pictured = 0, scripted = 0, stale = 0;
    uint64_t bytes = 0, lines = 0;

    for (uint32_t i = 0; i < g->npc_count; i++) {
        const lvl_graal_npc *n = &g->npcs[i];
        if (lvl_graal_stale_npc(g, i) != LVL_STALE_NONE) {
            stale++;
            continue;
        }
        pictured += n->image.len != 0;
        scripted += n->script.len != 0;
        bytes += n->script.len;
        lines += lines_of(n->script);
    }
    const uint32_t npcs = g->npc_count - stale;
    lvl_info_int(info, "npc_count", "NPCs", npcs, NULL);
    lvl_info_int(info, "npcs_with_image", npcs ? "with a picture" : NULL, pictured, NULL);
    lvl_info_int(info, "npcs_without_image", NULL, npcs - pictured, NULL);
    lvl_info_int(info, "npcs_with_script", npcs ? "with a script" : NULL, scripted, NULL);
    lvl_info_int(info, "script_lines", scripted ? "script" : NULL, (int64_t)lines, "lines");
    lvl_info_int(info, "script_bytes", NULL, (int64_t)bytes, "bytes");
    lvl_info_int(info, "stale_npcs", stale ? "lost baddies" : NULL, stale, "records read as NPCs");
}

static void info_chests(const lvl_graal *g, lvl_info *info)
{
    uint32_t stale = 0;

    for (uint32_t i = 0; i < g->chest_count; i++)
        stale += lvl_graal_stale_chest(&g->chests[i]) != NULL;
    lvl_info_int(info, "chest_count", "chests", g->chest_count - stale, NULL);
    if (g->chest_count > stale)
        info_kinds(info, "chests", lvl_graal_item_names, &g->chests->item, sizeof *g->chests, g->chest_count);
    lvl_info_int(info, "stale_chests", stale ? "lost baddies" : NULL, stale, "records read as chests");
}

static void info_signs(const lvl_graal *g, lvl_info *info)
{
    uint32_t standing = 0;

    for (uint32_t i = 0; i < g->sign_count; i++)
        standing += g->signs[i].x || g->signs[i].y;
    /* signs at 0, 0 are shown by chests and scripts only */
    lvl_info_int(info, "signs_standing", g->sign_count ? "on the board" : NULL, standing, NULL);
}

/* ---- the level --------------------------------------------------------------------------------------- */

static void info_tilesets(const lvl_graal *g, lvl_info *info)
{
    if (!g->tileset_count)
        return;
    lvl_info_open(info, "tilesets", "tilesets", true);
    for (uint32_t i = 0; i < g->tileset_count; i++)
        lvl_info_text(info, NULL, "", g->tilesets[i].name);
    lvl_info_close(info);
}

/* Adds the facts computed from a list after its count. */
static bool info_computed(lvl_info *info, const lvl_table *table, const void *record, const lvl_field *field,
                          void *user)
{
    const lvl_graal *g = record;

    (void)table;
    (void)user;
    /* NPCs and chests are counted without false ones, even if a version cannot have them */
    if (field->offset == offsetof(lvl_graal, signs)) {
        info_npcs(g, info);
        info_chests(g, info);
    }
    lvl_info_field(info, g, field);
    switch (field->offset) {
    case offsetof(lvl_graal, layers): info_tiles(g, info); break;
    case offsetof(lvl_graal, links): info_links(g, info); break;
    case offsetof(lvl_graal, baddies):
        if (g->baddy_count)
            info_kinds(info, "baddies", lvl_graal_baddy_names, &g->baddies->type, sizeof *g->baddies,
                       g->baddy_count);
        break;
    case offsetof(lvl_graal, signs):
        info_signs(g, info);
        info_tilesets(g, info);
        break;
    default: break;
    }
    return true;
}

lvl_status lvl_graal_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art)
{
    (void)art;
    lvl_info_fields(info, &lvl_graal_table, doc->root, info_computed, NULL);
    return lvl_info_status(info);
}
