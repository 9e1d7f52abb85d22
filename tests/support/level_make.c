/*
 * support/level_make.c: see level_make.h.
 */
#include "level_make.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

lvl_doc *lvl_make_level(const lvl_ctx *ctx, lvl_graal_version version, unsigned tile)
{
    const char *format = version == LVL_GLEVNW01 ? "nw" : "graal";
    const lvl_table *table = lvl_format_find(format)->table;
    lvl_doc *doc = NULL;

    assert_int_equal(lvl_doc_new(&doc, ctx, lvl_format_find(format)), LVL_OK);
    lvl_graal *g = lvl_doc_root(doc);
    g->version = (uint8_t)version;
    if (!g->layer_count)
        assert_int_equal(lvl_list_insert(doc, g, lvl_table_at(table, offsetof(lvl_graal, layers)), 0, 1),
                         LVL_OK);
    lvl_cells *tiles = &g->layers[0].tiles;
    uint8_t *grid = lvl_doc_alloc(doc, 2 * LVL_GRAAL_SIDE * LVL_GRAAL_SIDE);
    assert_non_null(grid);
    *tiles = (lvl_cells){grid, LVL_GRAAL_SIDE, LVL_GRAAL_SIDE, 2};
    for (unsigned i = 0; i < LVL_GRAAL_SIDE * LVL_GRAAL_SIDE; i++) {
        grid[2 * i] = (uint8_t)tile;
        grid[2 * i + 1] = (uint8_t)(tile >> 8);
    }
    return doc;
}

void lvl_make_tile(lvl_doc *doc, unsigned x, unsigned y, unsigned tile)
{
    lvl_graal *g = lvl_doc_root(doc);
    uint8_t *grid = (uint8_t *)(uintptr_t)g->layers[0].tiles.ptr;

    grid[2 * (y * LVL_GRAAL_SIDE + x)] = (uint8_t)tile;
    grid[2 * (y * LVL_GRAAL_SIDE + x) + 1] = (uint8_t)(tile >> 8);
}

/* One more default item at the end of a list of the root. */
static void *add(lvl_doc *doc, size_t list)
{
    const lvl_field *field = lvl_table_at(&lvl_graal_table, list);
    const uint32_t n = lvl_list_count(lvl_doc_root(doc), field);

    assert_int_equal(lvl_list_insert(doc, lvl_doc_root(doc), field, n, 1), LVL_OK);
    return (void *)(uintptr_t)lvl_list_item(lvl_doc_root(doc), field, n);
}

void lvl_make_link(lvl_doc *doc, const char *level, double x, double y, double w, double h,
                   const char *dest_x, const char *dest_y)
{
    lvl_graal_link *l = add(doc, offsetof(lvl_graal, links));

    l->level = lvl_text_of(level);
    l->x = x;
    l->y = y;
    l->width = w;
    l->height = h;
    l->dest_x = lvl_text_of(dest_x);
    l->dest_y = lvl_text_of(dest_y);
}

void lvl_make_baddy(lvl_doc *doc, int x, int y, int type, const char *attack, const char *hurt,
                    const char *win)
{
    lvl_graal_baddy *b = add(doc, offsetof(lvl_graal, baddies));

    b->x = x;
    b->y = y;
    b->type = type;
    b->attack = lvl_text_of(attack);
    b->hurt = lvl_text_of(hurt);
    b->win = lvl_text_of(win);
}

void lvl_make_npc(lvl_doc *doc, double x, double y, const char *image, const char *script)
{
    lvl_graal_npc *n = add(doc, offsetof(lvl_graal, npcs));

    n->x = x;
    n->y = y;
    n->image = lvl_text_of(image);
    n->script = lvl_text_of(script);
}

void lvl_make_chest(lvl_doc *doc, int x, int y, int item, int sign)
{
    lvl_graal_chest *c = add(doc, offsetof(lvl_graal, chests));

    c->x = x;
    c->y = y;
    c->item = item;
    c->sign = sign;
}

void lvl_make_sign(lvl_doc *doc, int x, int y, const char *text)
{
    lvl_graal_sign *s = add(doc, offsetof(lvl_graal, signs));

    s->x = x;
    s->y = y;
    s->text = lvl_text_of(text);
}

lvl_doc *lvl_make_full(const lvl_ctx *ctx, lvl_graal_version version)
{
    lvl_doc *doc = lvl_make_level(ctx, version, 7);

    for (unsigned i = 0; i < 40; i++)
        lvl_make_tile(doc, i, i, i * 23);
    lvl_make_link(doc, "inside.graal", 1, 2, 3, 4, "30", "30");
    lvl_make_link(doc, "out side.graal", 1, 2, 3, 4, "3", "40.5");
    lvl_make_baddy(doc, 5, 6, 3, version > LVL_Z3_V1_03 ? "Stop!" : "", version > LVL_Z3_V1_03 ? "Ouch!" : "",
                   "");
    lvl_make_baddy(doc, 35, 6, 0, "", "", "");
    if (version >= LVL_GR_V1_00) {
        lvl_make_npc(doc, 3, 3, "block.gif", "if (playertouchsme) {\n  say 0;\n}\n");
        lvl_make_npc(doc, 4, 3, "", "//#CLIENTSIDE\n");
    }
    if (version >= LVL_GR_V1_01) {
        lvl_make_chest(doc, 6, 6, 2, -1);
        lvl_make_chest(doc, 8, 6, 1, 0);
    }
    lvl_make_sign(doc, 1, 1, "Welcome!\nTo the #h house");
    lvl_make_sign(doc, 0, 0, "");
    if (version >= LVL_GR_V1_04) {
        lvl_graal *g = lvl_doc_root(doc);
        g->heights = lvl_doc_alloc(doc, LVL_GRAAL_HEIGHTS * sizeof(double));
        g->height_count = LVL_GRAAL_HEIGHTS;
    }
    return doc;
}

size_t lvl_count_of(const lvl_findings *findings, const char *id)
{
    size_t n = 0;

    for (size_t i = 0; i < lvl_findings_count(findings); i++)
        n += strcmp(lvl_findings_at(findings, i)->def->id, id) == 0;
    return n;
}
