/*
 * graal/level/graal_links.c: where links of levels and cells of maps lead.
 */
#include "graal/level/graal_links.h"

#include "base/text.h"
#include "graal/level/graal_level.h"

#include <string.h>

const size_t lvl_graal_link_dests[LVL_GRAAL_AXES] = {offsetof(lvl_graal_link, dest_x),
                                                     offsetof(lvl_graal_link, dest_y)};

/* ---- destinations ------------------------------------------------------------------------------------ */

struct expression {
    lvl_text text;
    size_t at;
    bool variable; /* it contains playerx or playery */
    bool operators;
    double value; /* of the last number */
};

static bool parse_term(struct expression *e, unsigned depth);

static bool take_operator(struct expression *e, const char *any)
{
    if (e->at < e->text.len && strchr(any, e->text.ptr[e->at]) && e->text.ptr[e->at]) {
        e->at++;
        return true;
    }
    return false;
}

/* Parses terms separated by operators. */
static bool parse_sum(struct expression *e, unsigned depth)
{
    if (!parse_term(e, depth))
        return false;
    while (take_operator(e, "+-*/")) {
        e->operators = true;
        if (!parse_term(e, depth))
            return false;
    }
    return true;
}

static bool parse_number(struct expression *e)
{
    double value = 0, scale = 1;
    size_t digits = 0;

    for (; e->at < e->text.len && e->text.ptr[e->at] >= '0' && e->text.ptr[e->at] <= '9'; e->at++, digits++)
        value = value * 10 + (e->text.ptr[e->at] - '0');
    if (take_operator(e, ".")) {
        for (; e->at < e->text.len && e->text.ptr[e->at] >= '0' && e->text.ptr[e->at] <= '9';
             e->at++, digits++)
            value += (e->text.ptr[e->at] - '0') * (scale /= 10);
    }
    e->value = value;
    return digits != 0;
}

static bool parse_term(struct expression *e, unsigned depth)
{
    enum { DEEPEST = 8, NAME = 7 };
    const bool minus = take_operator(e, "-");

    if (take_operator(e, "("))
        return depth < DEEPEST && parse_sum(e, depth + 1) && take_operator(e, ")") && (e->operators = true);
    const size_t left = e->text.len - e->at;
    const lvl_text name = {left ? e->text.ptr + e->at : NULL, left < NAME ? left : NAME};
    if (lvl_text_equal_nocase(name, lvl_text_of("playerx")) ||
        lvl_text_equal_nocase(name, lvl_text_of("playery"))) {
        e->at += NAME;
        e->variable = true;
        return true;
    }
    if (!parse_number(e))
        return false;
    if (minus)
        e->value = -e->value;
    return true;
}

lvl_graal_dest lvl_graal_dest_kind(lvl_text text, double *value)
{
    struct expression e = {text, 0, false, false, 0};

    *value = 0;
    if (!parse_sum(&e, 0) || e.at != text.len)
        return LVL_DEST_BROKEN;
    if (e.variable || e.operators)
        return LVL_DEST_EXPRESSION;
    *value = e.value;
    return LVL_DEST_NUMBER;
}

/* ---- levels ------------------------------------------------------------------------------------------ */

/* Reads a coordinate of the destination, `own` if it is -1 or not a number; returns whether it is a
 * number. */
static bool read_coordinate(lvl_text dest, double own, double *out)
{
    const lvl_graal_dest kind = lvl_graal_dest_kind(dest, out);

    if (kind != LVL_DEST_NUMBER || *out == -1)
        *out = own;
    return kind == LVL_DEST_NUMBER;
}

bool lvl_graal_link_target(const lvl_graal_link *link, double *x, double *y)
{
    /* a player is 3 by 3 tiles, with its feet at the bottom centre */
    const bool x_known = read_coordinate(link->dest_x, link->x + link->width / 2 - 1.5, x);
    const bool y_known = read_coordinate(link->dest_y, link->y + link->height / 2 - 2, y);

    return x_known && y_known;
}

/* Whether the player keeps about the same coordinate along an edge: if the destination is an expression
 * ("playery"), -1, or a number near the link. */
static bool keeps_coordinate(lvl_text dest, double from, double to)
{
    double value;

    switch (lvl_graal_dest_kind(dest, &value)) {
    case LVL_DEST_EXPRESSION: return true;
    case LVL_DEST_NUMBER: return value == -1 || (value >= from - 4 && value <= to + 4);
    default: return false;
    }
}

static bool is_between(lvl_text dest, double from, double to)
{
    double value;

    return lvl_graal_dest_kind(dest, &value) == LVL_DEST_NUMBER && value >= from && value <= to;
}

lvl_link_kind lvl_graal_link_kind_of(const lvl_graal_link *l)
{
    /* A player is about 3 tiles wide and positioned by its corner: 61 is at the far edge. */
    enum { EDGE = 2, NEAR = 5, FAR = 57 };
    const double side = LVL_GRAAL_SIDE, right = l->x + l->width, bottom = l->y + l->height;

    if (l->width <= EDGE + 1 && keeps_coordinate(l->dest_y, l->y, bottom)) {
        if (l->x < EDGE && is_between(l->dest_x, FAR, side))
            return LVL_WAY_LEFT;
        if (right > side - EDGE && is_between(l->dest_x, -1, NEAR))
            return LVL_WAY_RIGHT;
    }
    if (l->height <= EDGE + 1 && keeps_coordinate(l->dest_x, l->x, right)) {
        if (l->y < EDGE && is_between(l->dest_y, FAR, side))
            return LVL_WAY_UP;
        if (bottom > side - EDGE && is_between(l->dest_y, -1, NEAR))
            return LVL_WAY_DOWN;
    }
    return LVL_WAY_DOOR;
}

static int32_t px_of_tiles(double tiles)
{
    enum { FAR = 1 << 20 };
    const double v = tiles * LVL_GRAAL_TILE;

    return v > -FAR && v < FAR ? (int32_t)v : v < 0 ? -FAR : FAR; /* NaN, too */
}

lvl_status lvl_graal_links(const lvl_doc *doc,
                           lvl_status (*visit)(void *user, const struct lvl_doc_link *link), void *user)
{
    const lvl_graal *level = lvl_doc_croot(doc);
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < level->link_count && status == LVL_OK; i++) {
        const lvl_graal_link *l = &level->links[i];
        const lvl_doc_link reported = {.way = lvl_graal_link_kind_of(l),
                                       .target = l->level,
                                       .where = lvl_graal_at(offsetof(lvl_graal, links), i),
                                       .width = LVL_GRAAL_SIDE * LVL_GRAAL_TILE,
                                       .height = LVL_GRAAL_SIDE * LVL_GRAAL_TILE,
                                       .rect = {px_of_tiles(l->x), px_of_tiles(l->y),
                                                px_of_tiles(l->x + l->width) - 1,
                                                px_of_tiles(l->y + l->height) - 1}};
        if (l->level.len)
            status = visit(user, &reported);
    }
    return status;
}
