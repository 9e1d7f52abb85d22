/*
 * How the Graal samples are put together: documents of the library that are filled item by item, and boards from letters and things.
 */
#include "graal_gen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = LVL_GRAAL_SIDE };

static void fail(const char *what)
{
    fprintf(stderr, "samples: can't %s\n", what);
    exit(1);
}

lvl_doc *graal_doc(const char *format)
{
    static lvl_ctx ctx;
    lvl_doc *doc = NULL;
    const lvl_format *f = lvl_format_find(format);

    lvl_ctx_init(&ctx);
    if (!f || lvl_doc_new(&doc, &ctx, f) != LVL_OK)
        fail(format);
    return doc;
}

void graal_finish(lvl_doc *doc, lvl_buffer *out)
{
    const lvl_status status = lvl_doc_write(doc, out);

    if (status != LVL_OK || out->status != LVL_OK) {
        fprintf(stderr, "samples: writing %s: %s\n", lvl_format_id(lvl_doc_format(doc)),
                lvl_status_text(status));
        exit(1);
    }
    lvl_doc_free(doc);
}

void *graal_take(lvl_doc *doc, size_t count, size_t size)
{
    void *p = lvl_doc_alloc(doc, count * size);

    if (!p)
        fail("get memory");
    return p;
}

void *graal_item(lvl_doc *doc, size_t member)
{
    void *root = lvl_doc_root(doc);
    const lvl_field *list = lvl_table_at(lvl_doc_table(doc), member);
    const uint32_t at = list ? lvl_list_count(root, list) : 0;

    if (!list || lvl_list_insert(doc, root, list, at, 1) != LVL_OK)
        fail("add an item");
    return (void *)(uintptr_t)lvl_list_item(root, list, at);
}

/* ---- levels ----------------------------------------------------------------------------------------------------------------------- */

void graal_layer(lvl_doc *doc, uint32_t number, const board *tiles)
{
    uint8_t *cells = graal_take(doc, (size_t)SIDE * SIDE, 2);
    lvl_graal_layer *layer = graal_item(doc, offsetof(lvl_graal, layers));

    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++) {
        const uint16_t tile = tiles->tile[i / SIDE][i % SIDE];
        cells[i * 2] = (uint8_t)tile;
        cells[i * 2 + 1] = (uint8_t)(tile >> 8);
    }
    layer->number = number;
    layer->tiles = (lvl_cells){cells, SIDE, SIDE, 2};
}

lvl_doc *graal_level(lvl_graal_version version, const board *tiles)
{
    lvl_doc *doc = graal_doc(version == LVL_GLEVNW01 ? "nw" : "graal");
    lvl_graal *level = lvl_doc_root(doc);

    level->version = (uint8_t)version;
    graal_layer(doc, 0, tiles);
    return doc;
}

void graal_link(lvl_doc *doc, const char *level, int x, int y, int w, int h, const char *dest_x,
                const char *dest_y)
{
    lvl_graal_link *link = graal_item(doc, offsetof(lvl_graal, links));

    link->level = lvl_doc_text(doc, lvl_text_of(level));
    link->x = x;
    link->y = y;
    link->width = w;
    link->height = h;
    link->dest_x = lvl_doc_text(doc, lvl_text_of(dest_x));
    link->dest_y = lvl_doc_text(doc, lvl_text_of(dest_y));
}

void graal_npc(lvl_doc *doc, double x, double y, const char *image, const char *script)
{
    lvl_graal_npc *npc = graal_item(doc, offsetof(lvl_graal, npcs));

    npc->x = x;
    npc->y = y;
    npc->image = lvl_doc_text(doc, lvl_text_of(image));
    npc->script = lvl_doc_text(doc, lvl_text_of(script));
}

void graal_sign(lvl_doc *doc, int x, int y, const char *text)
{
    lvl_graal_sign *sign = graal_item(doc, offsetof(lvl_graal, signs));

    sign->x = x;
    sign->y = y;
    sign->text = lvl_doc_text(doc, lvl_text_of(text));
}

void graal_chest(lvl_doc *doc, int x, int y, int item, int sign)
{
    lvl_graal_chest *chest = graal_item(doc, offsetof(lvl_graal, chests));

    chest->x = x;
    chest->y = y;
    chest->item = item;
    chest->sign = sign;
}

void graal_baddy(lvl_doc *doc, int x, int y, int type, const char *attack, const char *hurt, const char *win)
{
    lvl_graal_baddy *baddy = graal_item(doc, offsetof(lvl_graal, baddies));

    baddy->x = x;
    baddy->y = y;
    baddy->type = type;
    baddy->attack = lvl_doc_text(doc, lvl_text_of(attack));
    baddy->hurt = lvl_doc_text(doc, lvl_text_of(hurt));
    baddy->win = lvl_doc_text(doc, lvl_text_of(win));
}

/* ---- boards ----------------------------------------------------------------------------------------------------------------------- */

void graal_put(board *b, unsigned first, int x, int y, int w, int h)
{
    for (int j = 0; j < h; j++)
        for (int i = 0; i < w; i++)
            if (x + i >= 0 && y + j >= 0 && x + i < SIDE && y + j < SIDE)
                b->tile[y + j][x + i] = (uint16_t)(first + (unsigned)j * 16 + (unsigned)i);
}

void graal_house(board *b, int x, int y)
{
    for (int j = 0; j < HOUSE_HIGH; j++)
        for (int i = 0; i < HOUSE_WIDE; i++)
            graal_put(b, graal_house_tile(i, j), x + i, y + j, 1, 1);
    graal_put(b, T_DOOR, x + 3, y + 4, 2, 2);
}

void graal_ground(board *b, char (*at)(void *user, int x, int y), void *user)
{
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            const char here = at(user, x, y);
            const unsigned mask = (at(user, x, y - 1) != here) | (at(user, x + 1, y) != here) << 1 |
                                  (at(user, x, y + 1) != here) << 2 | (at(user, x - 1, y) != here) << 3;
            b->tile[y][x] = (uint16_t)(here == '~'   ? graal_water_tile(mask)
                                       : here == ':' ? graal_path_tile(mask)
                                                     : T_GRASS);
        }
    }
}

void graal_add(file_list *list)
{
    graal_add_tileset(list);
    graal_add_people(list);
    graal_add_lakeside(list);
    graal_add_versions(list);
    graal_add_animations(list);
    graal_add_damaged_levels(list);
}
