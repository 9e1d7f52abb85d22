/*
 * graal/graal_check_link.c: links: rectangles and destinations.
 */
#include "graal/graal_check.h"
#include "graal/graal_findings.h"

#include "base/text.h"
#include "graal/graal_names.h"

#include <string.h>

/* ---- destinations ------------------------------------------------------------------------------------ */

struct expression {
    lvl_text text;
    size_t at;
    bool variable; /* playerx or playery was met */
    bool operators;
    double value; /* of a lone number */
};

static bool term(struct expression *e, unsigned depth);

static bool take(struct expression *e, const char *any)
{
    if (e->at < e->text.len && strchr(any, e->text.ptr[e->at]) && e->text.ptr[e->at]) {
        e->at++;
        return true;
    }
    return false;
}

/* Terms with operators between them. */
static bool sum(struct expression *e, unsigned depth)
{
    if (!term(e, depth))
        return false;
    while (take(e, "+-*/")) {
        e->operators = true;
        if (!term(e, depth))
            return false;
    }
    return true;
}

static bool number(struct expression *e)
{
    double value = 0, scale = 1;
    size_t digits = 0;

    for (; e->at < e->text.len && e->text.ptr[e->at] >= '0' && e->text.ptr[e->at] <= '9'; e->at++, digits++)
        value = value * 10 + (e->text.ptr[e->at] - '0');
    if (take(e, ".")) {
        for (; e->at < e->text.len && e->text.ptr[e->at] >= '0' && e->text.ptr[e->at] <= '9';
             e->at++, digits++)
            value += (e->text.ptr[e->at] - '0') * (scale /= 10);
    }
    e->value = value;
    return digits != 0;
}

static bool term(struct expression *e, unsigned depth)
{
    enum { DEEPEST = 8, NAME = 7 };
    const bool minus = take(e, "-");

    if (take(e, "("))
        return depth < DEEPEST && sum(e, depth + 1) && take(e, ")") && (e->operators = true);
    const size_t left = e->text.len - e->at;
    const lvl_text name = {left ? e->text.ptr + e->at : NULL, left < NAME ? left : NAME};
    if (lvl_text_equal_nocase(name, lvl_text_of("playerx")) ||
        lvl_text_equal_nocase(name, lvl_text_of("playery"))) {
        e->at += NAME;
        e->variable = true;
        return true;
    }
    if (!number(e))
        return false;
    if (minus)
        e->value = -e->value;
    return true;
}

lvl_graal_dest lvl_graal_dest_kind(lvl_text text, double *value)
{
    struct expression e = {text, 0, false, false, 0};

    *value = 0;
    if (!sum(&e, 0) || e.at != text.len)
        return LVL_DEST_BROKEN;
    if (e.variable || e.operators)
        return LVL_DEST_EXPRESSION;
    *value = e.value;
    return LVL_DEST_NUMBER;
}

static void check_dest(const lvl_graal_checker *c, const lvl_where *link, lvl_text text, size_t member)
{
    const bool early = c->level->version < LVL_GR_V1_03;
    const lvl_where where = lvl_where_member(*link, &lvl_graal_link_table, member);
    char shown[80];
    double value;

    lvl_text_show(shown, sizeof shown, c->doc->codepage, text);
    switch (lvl_graal_dest_kind(text, &value)) {
    case LVL_DEST_NUMBER:
        /* -1 says there what playerx says later */
        if (!(early && value == -1) && (value < 0 || value > LVL_GRAAL_SIDE))
            lvl_graal_find(c->findings, LVL_GRAAL_F_LINK_DESTINATION, &where, "leads to %s", shown);
        break;
    case LVL_DEST_EXPRESSION:
        if (early)
            lvl_graal_find(c->findings, LVL_GRAAL_F_LINK_EARLY_EXPRESSION, &where,
                           "\"%s\" in %s, which knows only -1", shown,
                           lvl_graal_version_name(c->level->version));
        break;
    case LVL_DEST_BROKEN:
        lvl_graal_find(c->findings, LVL_GRAAL_F_LINK_EXPRESSION, &where, "\"%s\"", shown);
        break;
    }
}

/* ---- rectangles -------------------------------------------------------------------------------------- */

void lvl_graal_check_links(const lvl_graal_checker *c)
{
    char shown[120];

    for (uint32_t i = 0; i < c->level->link_count; i++) {
        const lvl_graal_link *l = &c->level->links[i];
        const lvl_where where = lvl_graal_at(offsetof(lvl_graal, links), i);
        lvl_text_show(shown, sizeof shown, c->doc->codepage, l->level);
        if (!(l->width > 0 && l->height > 0))
            lvl_graal_find(c->findings, LVL_GRAAL_F_LINK_NO_AREA, &where, "to %s: %g by %g tiles", shown,
                           l->width, l->height);
        else if (!(l->x >= 0 && l->y >= 0 && l->x + l->width <= LVL_GRAAL_SIDE &&
                   l->y + l->height <= LVL_GRAAL_SIDE))
            lvl_graal_find(c->findings, LVL_GRAAL_F_LINK_OFF_BOARD, &where,
                           "to %s: at %g, %g, %g by %g tiles", shown, l->x, l->y, l->width, l->height);
        check_dest(c, &where, l->dest_x, offsetof(lvl_graal_link, dest_x));
        check_dest(c, &where, l->dest_y, offsetof(lvl_graal_link, dest_y));
    }
}
