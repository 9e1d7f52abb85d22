/*
 * graal/level/graal_check_link.c: rules of links: rectangles and destinations.
 */
#include "graal/level/graal_check.h"
#include "graal/level/graal_findings.h"
#include "graal/level/graal_links.h"
#include "graal/level/graal_names.h"

#include "base/text.h"

static void check_dest(const lvl_graal_checker *c, uint32_t index, size_t member)
{
    const bool early = c->level->version < LVL_GR_V1_03;
    const lvl_where where =
        lvl_where_member(lvl_graal_at(offsetof(lvl_graal, links), index), &lvl_graal_link_table, member);
    const lvl_text text = lvl_get_text(&c->level->links[index], lvl_table_at(&lvl_graal_link_table, member));
    char shown[80];
    double value;

    lvl_text_show(shown, sizeof shown, c->doc->codepage, text);
    switch (lvl_graal_dest_kind(text, &value)) {
    case LVL_DEST_NUMBER:
        /* in early versions, -1 means what playerx means later */
        if (!(early && value == -1) && (value < 0 || value > LVL_GRAAL_SIDE))
            lvl_graal_find(c->findings, LVL_GRAAL_F_LINK_DESTINATION, &where,
                           "leads to %s, expected 0 to 64: players arrive off the board of the other level",
                           shown);
        break;
    case LVL_DEST_EXPRESSION:
        if (early)
            lvl_graal_find(c->findings, LVL_GRAAL_F_LINK_EARLY_EXPRESSION, &where,
                           "\"%s\" in %s, which knows only -1: the game may take players to the wrong place",
                           shown, lvl_graal_version_name(c->level->version));
        break;
    case LVL_DEST_BROKEN:
        lvl_graal_find(
            c->findings, LVL_GRAAL_F_LINK_EXPRESSION, &where,
            "\"%s\" is neither a number nor an expression: the game may take players to the wrong place",
            shown);
        break;
    }
}

void lvl_graal_check_links(const lvl_graal_checker *c)
{
    char shown[120];

    for (uint32_t i = 0; i < c->level->link_count; i++) {
        const lvl_graal_link *l = &c->level->links[i];
        const lvl_where where = lvl_graal_at(offsetof(lvl_graal, links), i);
        lvl_text_show(shown, sizeof shown, c->doc->codepage, l->level);
        if (!(l->width > 0 && l->height > 0))
            lvl_graal_find(c->findings, LVL_GRAAL_F_LINK_NO_AREA, &where,
                           "the link to %s has %g by %g tiles: players cannot enter it", shown, l->width,
                           l->height);
        else if (!(l->x >= 0 && l->y >= 0 && l->x + l->width <= LVL_GRAAL_SIDE &&
                   l->y + l->height <= LVL_GRAAL_SIDE))
            lvl_graal_find(
                c->findings, LVL_GRAAL_F_LINK_OFF_BOARD, &where,
                "the link to %s leaves the board (at %g, %g, %g by %g tiles): players cannot reach that part",
                shown, l->x, l->y, l->width, l->height);
        for (size_t k = 0; k < LVL_GRAAL_AXES; k++)
            check_dest(c, i, lvl_graal_link_dests[k]);
    }
}
