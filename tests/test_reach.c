/*
 * What players reach from a level: walls, links, kept coordinates, warps in scripts, edges of maps; and links into
 * walls.
 */
#include "base/format.h"
#include "games/ground.h"
#include "graal/level/graal_level.h"
#include "level_make.h"
#include "tools/world/reach.h"

#include <lvl/scene.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;
static unsigned wall;

/* The first tile of the classic tileset that blocks. */
static unsigned find_wall(void)
{
    lvl_doc *doc = lvl_make_level(&ctx, LVL_GLEVNW01, 0);
    lvl_ground g;
    lvl_arena arena;
    unsigned found = 0;

    lvl_arena_init(&arena, &ctx);
    for (unsigned i = 0; i < 4096; i++)
        lvl_make_tile(doc, i % 64, i / 64, i);
    assert_int_equal(lvl_graal_ground(doc, &arena, &g), LVL_OK);
    for (unsigned i = 0; i < 4096 && !found; i++)
        found = g.blocked[i] ? i : 0;
    lvl_arena_free(&arena);
    lvl_doc_free(doc);
    return found;
}

/* A level with a wall over its whole width in row 30, and one hole if `hole` is not negative. */
static lvl_doc *walled(int hole)
{
    lvl_doc *doc = lvl_make_level(&ctx, LVL_GLEVNW01, 0);

    for (unsigned x = 0; x < 64; x++) {
        if ((int)x != hole)
            lvl_make_tile(doc, x, 30, wall);
    }
    return doc;
}

static void add(lvl_reach *reach, size_t file, const char *name, lvl_doc *doc)
{
    assert_int_equal(lvl_reach_add(reach, file, name, doc), LVL_OK);
    lvl_doc_free(doc);
}

/* Findings of a file as "ID path; ID path"; "" if there are none. */
static void expect(const lvl_reach *reach, size_t file, const char *expected)
{
    lvl_findings *found = lvl_findings_new(&ctx);
    char all[400] = "", path[80];

    lvl_reach_report(reach, file, found);
    for (size_t i = 0; i < lvl_findings_count(found); i++) {
        const lvl_finding *f = lvl_findings_at(found, i);
        lvl_where_text(&f->where, path, sizeof path);
        const size_t len = strlen(all);
        snprintf(all + len, sizeof all - len, "%s%s %s", i ? "; " : "", f->def->id, path);
    }
    assert_string_equal(all, expected);
    lvl_findings_free(found);
}

static void walls_and_links(void **state)
{
    lvl_reach *reach = lvl_reach_new(&ctx);
    lvl_doc *a = walled(5), *b = walled(-1), *c = walled(-1), *d = walled(40), *e = walled(-1);
    size_t levels, reached;

    (void)state;
    /* from a to the upper half of b, whose lower half has a link to c, a chest, and signs: one is shown by a script */
    lvl_make_link(a, "B.nw", 10, 60, 2, 2, "10", "10");
    lvl_make_link(b, "c.nw", 10, 60, 2, 2, "10", "10");
    lvl_make_link(a, "e.nw", 1, 1, 1, 1, "30", "63");
    lvl_make_link(b, "d.nw", 20, 2, 2, 2, "playerx", "playery+50");
    lvl_make_chest(b, 20, 50, 1, -1);
    lvl_make_chest(b, 20, 10, 1, -1);
    lvl_make_sign(b, 30, 50, "unread");
    lvl_make_sign(b, 32, 50, "shown");
    lvl_make_npc(b, 1, 1, "", "if (playertouchsme) say 1;");
    lvl_make_chest(d, 20, 10, 1, -1); /* through the hole */
    lvl_make_chest(e, 20, 50, 1, -1); /* from below the board */
    add(reach, 7, "x/a.nw", a);
    add(reach, 3, "b.nw", b);
    add(reach, 5, "c.nw", c);
    add(reach, 6, "d.graal", d); /* d.nw is there with another ending */
    add(reach, 8, "e.nw", e);
    assert_int_equal(lvl_reach_run(reach, "A.nw"), LVL_OK);
    lvl_reach_count(reach, &levels, &reached);
    assert_true(levels == 5 && reached == 4);
    expect(reach, 8, "");
    expect(reach, 7, "");
    expect(reach, 3, "graal.reach.link links[0]; graal.reach.chest chests[0]; graal.reach.sign signs[0]");
    expect(reach, 5, "graal.reach.level ");
    expect(reach, 6, "");
    expect(reach, 9, "");
    lvl_reach_free(reach);
}

/* Warps in scripts are taken; a script that sets tiles opens its level. */
static void scripts(void **state)
{
    lvl_reach *reach = lvl_reach_new(&ctx);
    lvl_doc *a = walled(-1), *b = walled(-1), *c = walled(-1), *d = walled(-1);

    (void)state;
    lvl_make_npc(a, 1, 1, "", "if (playertouchsme) setlevel2 b.nw,10,10;");
    lvl_make_npc(a, 1, 1, "", "function onCreated() { player.setlevel2(\"c.nw\", this.x, 4); }");
    lvl_make_chest(b, 20, 50, 1, -1);
    lvl_make_chest(c, 20, 50, 1, -1); /* the player may be put anywhere */
    lvl_make_link(b, "d.nw", 3, 3, 1, 1, "10", "10");
    lvl_make_npc(d, 1, 1, "", "if (timeout) { tiles[3,3] = 5; updateboard 3,3,1,1; }");
    lvl_make_chest(d, 20, 50, 1, -1);
    add(reach, 0, "a.nw", a);
    add(reach, 1, "b.nw", b);
    add(reach, 2, "c.nw", c);
    add(reach, 3, "d.nw", d);
    assert_int_equal(lvl_reach_run(reach, "a.nw"), LVL_OK);
    expect(reach, 0, "");
    expect(reach, 1, "graal.reach.chest chests[0]");
    expect(reach, 2, "");
    expect(reach, 3, "");
    assert_int_equal(lvl_reach_run(reach, "a.nw"), LVL_ERR_ARG);
    lvl_reach_free(reach);
    reach = lvl_reach_new(&ctx);
    assert_int_equal(lvl_reach_run(reach, "a.nw"), LVL_ERR_MISSING);
    lvl_reach_free(reach);
}

/* The levels of a map lead into each other over their edges. */
static void maps(void **state)
{
    static const char text[] =
        "GRMAP001\nWIDTH 2\nHEIGHT 2\nLEVELNAMES\n\"a.nw\",\"b.nw\",\n\"c.nw\",\"d.nw\",\nLEVELNAMESEND\n";
    lvl_reach *reach = lvl_reach_new(&ctx);
    lvl_doc *map = NULL, *a = walled(-1), *b = walled(-1), *c = walled(-1), *d = walled(-1);

    (void)state;
    assert_int_equal(
        lvl_read(&map, &ctx, NULL, (lvl_bytes){(const uint8_t *)text, sizeof text - 1}, "w.gmap", 0, NULL),
        LVL_OK);
    for (unsigned y = 0; y < 64; y++)
        lvl_make_tile(b, 0, y, wall); /* nothing comes from a to b */
    lvl_make_chest(c, 20, 50, 1, -1);
    lvl_make_chest(d, 20, 10, 1, -1);
    add(reach, 0, "a.nw", a);
    add(reach, 1, "b.nw", b);
    add(reach, 2, "c.nw", c);
    add(reach, 3, "d.nw", d);
    add(reach, 4, "w.gmap", map);
    assert_int_equal(lvl_reach_run(reach, "a.nw"), LVL_OK);
    expect(reach, 0, "");
    expect(reach, 1, "");
    expect(reach, 2, "graal.reach.chest chests[0]");
    expect(reach, 3, "");
    lvl_reach_free(reach);
}

static void arrivals_in_walls(void **state)
{
    lvl_doc *doc = lvl_make_level(&ctx, LVL_GLEVNW01, 0);
    lvl_arena arena;
    lvl_ground g;

    (void)state;
    for (unsigned y = 10; y < 14; y++) {
        for (unsigned x = 10; x < 14; x++)
            lvl_make_tile(doc, x, y, wall);
    }
    lvl_arena_init(&arena, &ctx);
    assert_int_equal(lvl_graal_ground(doc, &arena, &g), LVL_OK);
    assert_true(lvl_graal_is_walled(&g, 10, 10) && lvl_graal_is_walled(&g, 10.5, 10.5));
    assert_false(lvl_graal_is_walled(&g, 12, 10));
    assert_false(lvl_graal_is_walled(&g, 30, 63)); /* off the board may be another level */
    lvl_make_npc(doc, 1, 1, "", "if (created) playerx = 5;");
    assert_int_equal(lvl_graal_ground(doc, &arena, &g), LVL_OK);
    assert_false(lvl_graal_is_walled(&g, 10, 10));
    lvl_arena_free(&arena);
    lvl_doc_free(doc);
}

/* 900 levels with a link each to the next. */
static void many_levels(void **state)
{
    enum { LEVELS = 900 };
    lvl_reach *reach = lvl_reach_new(&ctx);
    char name[20];
    size_t levels, reached;

    (void)state;
    for (size_t i = 0; i < LEVELS; i++) {
        char next[20];
        lvl_doc *doc = walled(5);
        snprintf(next, sizeof next, "l%zu.nw", i + 1);
        lvl_make_link(doc, next, 30, 60, 2, 2, "30", "5");
        snprintf(name, sizeof name, "l%zu.nw", i);
        add(reach, i, name, doc);
    }
    assert_int_equal(lvl_reach_run(reach, "l1.nw"), LVL_OK);
    lvl_reach_count(reach, &levels, &reached);
    assert_true(levels == LEVELS && reached == LEVELS - 1);
    expect(reach, 0, "graal.reach.level ");
    lvl_reach_free(reach);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(walls_and_links), cmocka_unit_test(scripts),
                                       cmocka_unit_test(maps), cmocka_unit_test(arrivals_in_walls),
                                       cmocka_unit_test(many_levels)};

    lvl_ctx_init(&ctx);
    wall = find_wall();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
