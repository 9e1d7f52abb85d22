/*
 * graal/level/graal_check.c: rules of the game and its editors for binary and text levels
 * (docs/formats/graal.md, nw.md), beyond what the readers report.
 */
#include "graal/level/graal_check.h"

#include "base/text.h"
#include "graal/level/graal_findings.h"
#include "graal/level/graal_names.h"
#include "graal/script/graal_script.h"
#include "graal/level/graal_stale.h"

/* ---- tiles ------------------------------------------------------------------------------------------- */

static void check_tiles(const lvl_graal_checker *c)
{
    const unsigned tiles = lvl_graal_tile_count(c->level->version);

    for (uint32_t i = 0; i < c->level->layer_count; i++) {
        const lvl_cells *grid = &c->level->layers[i].tiles;
        uint32_t beyond = 0, first = 0, at = 0;
        if (!grid->ptr || grid->size != 2 ||
            lvl_graal_highest_tile(grid->ptr, (size_t)grid->width * grid->height) < tiles)
            continue;
        for (uint32_t k = 0; k < grid->width * grid->height; k++) {
            const uint32_t tile = lvl_cell(grid, k % grid->width, k / grid->width);
            if (tile < tiles || tile == LVL_GRAAL_ABSENT || beyond++)
                continue;
            first = tile;
            at = k;
        }
        if (!beyond)
            continue;
        const lvl_where all = lvl_where_member(lvl_graal_at(offsetof(lvl_graal, layers), i),
                                               &lvl_graal_layer_table, offsetof(lvl_graal_layer, tiles)),
                        where = lvl_where_cell(all, at % grid->width, at / grid->width);
        lvl_graal_find(
            c->findings, LVL_GRAAL_F_TILE_RANGE, &where,
            "%lu tiles are not in the tileset, the first is %lu at [%lu,%lu]; %s has %u: players may see "
            "anything there",
            (unsigned long)beyond, (unsigned long)first, (unsigned long)(at % grid->width),
            (unsigned long)(at / grid->width), lvl_graal_version_name(c->level->version), tiles);
    }
}

/* ---- baddies ----------------------------------------------------------------------------------------- */

static bool on_board(int32_t x, int32_t y, int32_t size)
{
    return x >= 0 && y >= 0 && x <= LVL_GRAAL_SIDE - size && y <= LVL_GRAAL_SIDE - size;
}

static void check_baddies(const lvl_graal_checker *c)
{
    enum { LTTP = 7, ALL = 10 };
    const int32_t types = c->level->version < LVL_GR_V1_02 ? LTTP : ALL;
    const bool by_name = c->level->version == LVL_GLEVNW01; /* its reader reports unknown names */
    char name[32];

    for (uint32_t i = 0; i < c->level->baddy_count; i++) {
        const lvl_graal_baddy *b = &c->level->baddies[i];
        const lvl_where where = lvl_graal_at(offsetof(lvl_graal, baddies), i);
        lvl_graal_baddy_text(b->type, name, sizeof name);
        if (!on_board(b->x, b->y, 1))
            lvl_graal_find(c->findings, LVL_GRAAL_F_BADDY_OFF_BOARD, &where,
                           "%s at %ld, %ld is off the board: players may not meet it", name, (long)b->x,
                           (long)b->y);
        if ((b->type < 0 || b->type >= types) && !by_name)
            lvl_graal_find(c->findings, LVL_GRAAL_F_BADDY_TYPE, &where,
                           "%s is not a baddy of %s: the game may show another one, or none", name,
                           lvl_graal_version_name(c->level->version));
        if (!by_name && (b->x == '\n' || b->y == '\n'))
            lvl_graal_find(c->findings, LVL_GRAAL_F_BADDY_LINE_FEED, &where,
                           "%s at %ld, %ld, and %lu after it, would become broken NPCs in an early editor",
                           name, (long)b->x, (long)b->y, (unsigned long)(c->level->baddy_count - i - 1));
    }
}

/* ---- chests ------------------------------------------------------------------------------------------ */

static void check_chests(const lvl_graal_checker *c)
{
    const uint32_t signs = c->level->sign_count;
    char name[32];

    for (uint32_t i = 0; i < c->level->chest_count; i++) {
        const lvl_graal_chest *chest = &c->level->chests[i];
        const lvl_where where = lvl_graal_at(offsetof(lvl_graal, chests), i);
        const char *stale = lvl_graal_stale_chest(chest);
        lvl_graal_item_text(chest->item, name, sizeof name);
        if (stale) {
            lvl_graal_find(c->findings, LVL_GRAAL_F_STALE_CHEST, &where,
                           "%s, read as a chest at %ld, %ld with %s, which players cannot reach", stale,
                           (long)chest->x, (long)chest->y, name);
            continue;
        }
        if (!on_board(chest->x, chest->y, 2))
            lvl_graal_find(
                c->findings, LVL_GRAAL_F_CHEST_OFF_BOARD, &where,
                "the chest with %s at %ld, %ld is not entirely on the board: players may not reach it", name,
                (long)chest->x, (long)chest->y);
        if (c->level->version != LVL_GLEVNW01 && !lvl_name_of(lvl_graal_item_names, chest->item))
            lvl_graal_find(c->findings, LVL_GRAAL_F_CHEST_ITEM, &where,
                           "there is no item %s: players may find nothing in the chest", name);
        if (chest->sign < -1 || (chest->sign >= 0 && (uint32_t)chest->sign >= signs))
            lvl_graal_find(c->findings, LVL_GRAAL_F_CHEST_SIGN, &where,
                           "the chest shows sign %ld, but the level has %lu signs: players see no text",
                           (long)chest->sign, (unsigned long)signs);
    }
}

/* ---- NPCs -------------------------------------------------------------------------------------------- */

static void check_script(const lvl_graal_checker *c, const lvl_graal_npc *npc, const lvl_where *at)
{
    const lvl_text text = npc->script;
    const lvl_where where = lvl_where_member(*at, &lvl_graal_npc_table, offsetof(lvl_graal_npc, script));
    lvl_script says = {.text = text, .line = 1};
    lvl_script_braces braces;
    uint32_t sign;

    lvl_script_braces_of(text, &braces);
    if (braces.close)
        lvl_graal_find(c->findings, LVL_GRAAL_F_NPC_BRACES, &where,
                       "line %lu: } without {, %lu of them: the script may not run",
                       (unsigned long)braces.close_line, (unsigned long)braces.close);
    if (braces.open)
        lvl_graal_find(c->findings, LVL_GRAAL_F_NPC_BRACES, &where,
                       "line %lu: { without }, %lu of them: the script may not run",
                       (unsigned long)braces.open_line, (unsigned long)braces.open);
    lvl_graal_check_script(c, npc, &where);
    while (lvl_script_report(&says, &sign)) {
        if (sign >= c->level->sign_count)
            lvl_graal_find(c->findings, LVL_GRAAL_F_NPC_SAY, &where,
                           "line %lu shows sign %lu, but the level has %lu signs: players see no text",
                           (unsigned long)says.line, (unsigned long)sign,
                           (unsigned long)c->level->sign_count);
    }
}

static void check_npcs(const lvl_graal_checker *c)
{
    char text[LVL_STALE_TEXT];

    for (uint32_t i = 0; i < c->level->npc_count; i++) {
        const lvl_where where = lvl_graal_at(offsetof(lvl_graal, npcs), i);
        const lvl_stale stale = lvl_graal_stale_npc(c->level, i);
        if (stale == LVL_STALE_NONE)
            check_script(c, &c->level->npcs[i], &where);
        else
            lvl_graal_find(c->findings, lvl_graal_stale_finding(stale), &where, "%s",
                           lvl_graal_stale_text(c->level, i, stale, text));
    }
}

static void check_encoding(const lvl_graal_checker *c)
{
    const lvl_bytes input = lvl_doc_input(c->doc);
    size_t letters = 0;

    for (size_t i = 0; i < input.len; i++)
        letters += input.ptr[i] >= 0xc0; /* the first byte of a character */
    if (letters && lvl_utf8_valid((lvl_text){(const char *)input.ptr, input.len}))
        lvl_graal_find(c->findings, LVL_GRAAL_F_NW_UTF8, NULL,
                       "%zu character%s in UTF-8; the game expects windows-1252 and shows others there",
                       letters, letters == 1 ? " is" : "s are");
}

lvl_status lvl_graal_check(const lvl_doc *doc, const lvl_check_request *request)
{
    lvl_graal_checker c = {doc, doc->root, request->findings, request->art, false};

    if (c.level->version == LVL_GLEVNW01)
        check_encoding(&c);
    check_tiles(&c);
    lvl_graal_check_links(&c);
    check_baddies(&c);
    for (uint32_t i = 0; i < c.level->npc_count && !c.reached; i++)
        c.reached = lvl_graal_reaches_others(c.level->npcs[i].script);
    check_npcs(&c);
    check_chests(&c);
    lvl_graal_check_signs(&c);
    const lvl_status status = lvl_graal_check_things(&c);
    if (status != LVL_OK)
        return status;
    return c.art ? lvl_graal_check_files(&c) : LVL_OK;
}
