/*
 * lvl_move: what belongs to an object moves with it, destinations stay or follow their region, and what names a
 * switch of Gruntz by its address follows it; what would leave the level is refused, and then nothing is moved.
 */
#include "base/format.h"
#include "corpus.h"
#include "expect.h"
#include "tools/edit/move.h"

#include <lvl/graal.h>
#include <lvl/sketchy.h>
#include <lvl/wwd.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

static lvl_doc *sample(const char *format, const char *name, uint8_t **data)
{
    lvl_doc *doc = NULL;
    char path[1024];
    size_t len;

    snprintf(path, sizeof path, "%s/%s", lvl_samples_dir(), name);
    *data = lvl_slurp(path, &len);
    assert_non_null(*data);
    assert_int_equal(lvl_read(&doc, &ctx, lvl_format_find(format), (lvl_bytes){*data, len}, NULL, 0, NULL),
                     LVL_OK);
    return doc;
}

static lvl_wwd_plane *main_plane(lvl_doc *doc)
{
    uint32_t main = 0;

    assert_true(lvl_wwd_main_plane(lvl_wwd_of(doc), &main));
    return &lvl_wwd_of(doc)->planes[main];
}

/* Makes an object of the level another one. */
static lvl_wwd_object *put(lvl_doc *doc, uint32_t index, const char *logic, int32_t x, int32_t y)
{
    lvl_wwd_object *o = &main_plane(doc)->objects[index];

    lvl_record_init(o, &lvl_wwd_object_table);
    o->logic = lvl_text_of(logic);
    o->x = x;
    o->y = y;
    return o;
}

static void move_things(lvl_doc *doc, const char *path, double dx, double dy, lvl_status expected)
{
    lvl_findings *findings = lvl_findings_new(&ctx);
    const lvl_move_options o = {.path = path, .dx = dx, .dy = dy};

    assert_int_equal(lvl_move(doc, &o, NULL, findings), expected);
    assert_true(expected == LVL_OK || lvl_findings_count(findings) == 1);
    lvl_findings_free(findings);
}

static size_t move_region(lvl_doc *doc, const int32_t region[4], double dx, double dy, lvl_status expected)
{
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_move_options o = {.dx = dx, .dy = dy};

    memcpy(o.region, region, sizeof o.region);
    assert_int_equal(lvl_move(doc, &o, NULL, findings), expected);
    const size_t lost = lvl_count_id(findings, "lvl.move.overwritten");
    lvl_findings_free(findings);
    return lost;
}

static void places_of_claw(void **state)
{
    uint8_t *data;
    lvl_doc *doc = sample("wwd", "wwd/cliffs.wwd", &data);
    lvl_wwd_object *officer = put(doc, 0, "Officer", 500, 300), *warp = put(doc, 1, "BossWarp", 600, 300);

    (void)state;
    officer->min_x = 400;
    officer->max_x = 700;
    officer->speed_x = 77; /* no place: it drops no warp */
    warp->speed_x = 900;
    warp->speed_y = 310;
    move_things(doc, "planes[Action].objects[0]", 64, -8, LVL_OK);
    assert_int_equal(officer->x, 564);
    assert_int_equal(officer->y, 292);
    assert_int_equal(officer->min_x, 464);
    assert_int_equal(officer->max_x, 764);
    assert_int_equal(officer->min_y, 0);
    assert_int_equal(officer->speed_x, 77);
    /* the destination of a warp is another place */
    move_things(doc, "planes[Action].objects[1]", 64, 0, LVL_OK);
    assert_int_equal(warp->x, 664);
    assert_int_equal(warp->speed_x, 900);
    /* a region with the destination, but not with the warp: tiles 14 to 15, rows 4 and 5 */
    move_region(doc, (const int32_t[]){14, 4, 2, 2}, 3, 1, LVL_OK);
    assert_int_equal(warp->x, 664);
    assert_int_equal(warp->speed_x, 900 + 3 * 64);
    assert_int_equal(warp->speed_y, 310 + 64);
    /* and one with the warp alone */
    move_region(doc, (const int32_t[]){10, 4, 1, 2}, -1, 0, LVL_OK);
    assert_int_equal(warp->x, 600);
    assert_int_equal(warp->speed_x, 900 + 3 * 64);
    lvl_doc_free(doc);
    free(data);
}

static void make_gruntz(lvl_doc *doc)
{
    lvl_wwd *wwd = lvl_wwd_of(doc);

    main_plane(doc)->tile_width = main_plane(doc)->tile_height = 32;
    memset(wwd->image_dir, 0, sizeof wwd->image_dir);
    memcpy(wwd->image_dir, "AREA1_IMAGEZ", 12);
}

static void addresses_of_gruntz(void **state)
{
    uint8_t *data;
    lvl_doc *doc = sample("wwd", "wwd/cliffs.wwd", &data);

    (void)state;
    make_gruntz(doc);
    lvl_wwd_object *a = put(doc, 0, "TileTriggerSwitch", 5 * 32 + 16, 4 * 32 + 16),
                   *b = put(doc, 1, "TileTriggerSwitch", 9 * 32 + 16, 4 * 32 + 16),
                   *bridge = put(doc, 2, "TileTrigger", 600, 300),
                   *guard = put(doc, 3, "GruntStartingPoint", 700, 300),
                   *cloud = put(doc, 4, "RainCloud", 800, 300);
    a->id = 5 << 8 | 4;
    a->speed_x = 5;
    a->speed_y = 4;
    b->id = 9 << 8 | 4;
    b->speed_x = 9;
    b->speed_y = 4;
    bridge->move_rect = (lvl_wwd_rect){5 << 8 | 4, 9 << 8 | 4, 0, 5 << 8 | 4};
    guard->points = 6;
    guard->smarts = 1;
    guard->min_x = 5;
    guard->max_x = 4;
    cloud->move_rect = (lvl_wwd_rect){20, 18, 0, 0};
    /* 40 px are one tile, from the middle of one */
    move_things(doc, "planes[Action].objects[0]", 40, 64, LVL_OK);
    assert_int_equal(a->id, 6 << 8 | 6);
    assert_int_equal(a->speed_x, 6);
    assert_int_equal(a->speed_y, 6);
    assert_int_equal(b->id, 9 << 8 | 4);
    assert_int_equal(bridge->move_rect.left, 6 << 8 | 6);
    assert_int_equal(bridge->move_rect.top, 9 << 8 | 4);
    assert_int_equal(bridge->move_rect.right, 0);
    assert_int_equal(bridge->move_rect.bottom, 6 << 8 | 6);
    assert_int_equal(guard->min_x, 6);
    assert_int_equal(guard->max_x, 6);
    move_things(doc, "planes[Action].objects[0]", -40, -64, LVL_OK);
    assert_int_equal(a->id, 5 << 8 | 4);
    assert_int_equal(bridge->move_rect.left, 5 << 8 | 4);
    /* way points belong to their cloud; what names others stays with them */
    move_things(doc, "planes[Action].objects[4]", 32, 0, LVL_OK);
    assert_int_equal(cloud->move_rect.left, 21);
    assert_int_equal(cloud->move_rect.top, 18);
    assert_int_equal(cloud->move_rect.right, 0);
    move_things(doc, "planes[Action].objects[2]", 32, 0, LVL_OK);
    assert_int_equal(bridge->move_rect.left, 5 << 8 | 4);
    lvl_doc_free(doc);
    free(data);
}

static void several_paths(void **state)
{
    static const char *const two[] = {"planes[Action].objects[0]", "planes[Action].objects[1]"};
    uint8_t *data;
    lvl_doc *doc = sample("wwd", "wwd/cliffs.wwd", &data);
    lvl_wwd_object *officer = put(doc, 0, "Officer", 500, 300), *other = put(doc, 1, "Officer", 600, 300);
    lvl_move_options o = {.paths = two, .path_count = 2, .dx = 64, .unit = LVL_MOVE_PX};
    size_t changed;

    (void)state;
    officer->min_x = 400;
    other->min_x = 550;
    assert_int_equal(lvl_move(doc, &o, &changed, NULL), LVL_OK);
    assert_int_equal(changed, 2);
    assert_int_equal(officer->x, 564);
    assert_int_equal(officer->min_x, 464);
    assert_int_equal(other->x, 664);
    assert_int_equal(other->min_x, 614);
    /* one that a path before has found moves once */
    o.path = "planes[Action].objects[1]";
    o.path_count = 1;
    assert_int_equal(lvl_move(doc, &o, &changed, NULL), LVL_OK);
    o.path = two[0];
    assert_int_equal(lvl_move(doc, &o, &changed, NULL), LVL_OK);
    assert_int_equal(changed, 1);
    assert_int_equal(officer->x, 692);
    assert_int_equal(other->x, 728);
    /* all or none, and only within the level unless asked for */
    o.dx = -700;
    o.path = two[1];
    assert_int_equal(lvl_move(doc, &o, &changed, NULL), LVL_ERR_ARG);
    assert_int_equal(officer->x, 692);
    assert_int_equal(other->x, 728);
    o.outside = true;
    assert_int_equal(lvl_move(doc, &o, &changed, NULL), LVL_OK);
    assert_int_equal(officer->x, -8);
    assert_int_equal(officer->min_x, 464 + 64 + 64 - 700);
    assert_int_equal(other->x, 28);
    lvl_doc_free(doc);
    free(data);
}

/* Each path its own distance, in one call: what names the objects by their tiles follows each. */
static void several_distances(void **state)
{
    static const char *const paths[] = {"planes[Action].objects[0]", "planes[Action].objects[1]",
                                        "planes[Action].objects[2]"};
    static const double each[] = {64, 0, 0, -32, 0, 0};
    uint8_t *data;
    lvl_doc *doc = sample("wwd", "wwd/cliffs.wwd", &data);
    lvl_wwd_object *officer = put(doc, 0, "Officer", 500, 300), *other = put(doc, 1, "Officer", 600, 300),
                   *third = put(doc, 2, "Officer", 700, 300);
    lvl_move_options o = {.paths = paths, .path_count = 3, .each = each, .unit = LVL_MOVE_PX};
    lvl_findings *findings = lvl_findings_new(&ctx);
    size_t changed;

    (void)state;
    officer->min_x = 400;
    other->min_x = 550;
    assert_int_equal(lvl_move(doc, &o, &changed, NULL), LVL_OK);
    assert_int_equal(changed, 2);
    assert_int_equal(officer->x, 564);
    assert_int_equal(officer->min_x, 464);
    assert_int_equal(officer->y, 300);
    assert_int_equal(other->x, 600);
    assert_int_equal(other->min_x, 550);
    assert_int_equal(other->y, 268);
    assert_int_equal(third->x, 700);
    /* one object cannot go to two places */
    o.path = "planes[Action].objects[0]";
    o.dx = 1;
    assert_int_equal(lvl_move(doc, &o, &changed, findings), LVL_ERR_ARG);
    assert_non_null(strstr(lvl_findings_at(findings, 0)->text, "differently"));
    assert_int_equal(officer->x, 564);
    lvl_findings_free(findings);
    lvl_doc_free(doc);
    free(data);
}

static void refused(void **state)
{
    uint8_t *data, *other;
    lvl_doc *doc = sample("wwd", "wwd/cliffs.wwd", &data), *same = sample("wwd", "wwd/cliffs.wwd", &other);
    static const int32_t corner[4] = {0, 0, 4, 4}, none[4] = {0, 0, 0, 4}, far[4] = {0, 0, 1 << 30, 1 << 30};

    (void)state;
    move_things(doc, "planes[Action].objects[*]", 100000, 0, LVL_ERR_ARG);
    move_things(doc, "planes[Action].objects[*]", 0.5, 0, LVL_ERR_ARG);
    move_things(doc, "planes[Action].objects[*]", 1e300, 0, LVL_ERR_ARG);
    move_things(doc, "planes[Action]", 1, 0, LVL_ERR_ARG);
    move_things(doc, "planes[Action].objects[*].x", 1, 0, LVL_ERR_ARG);
    move_things(doc, "planes[Action].tiles[0,0]", 1, 0, LVL_ERR_ARG);
    move_things(doc, "planes[Action].objects[logic=Nobody]", 1, 0, LVL_ERR_MISSING);
    move_region(doc, corner, -1, 0, LVL_ERR_ARG);
    move_region(doc, corner, 0, 100, LVL_ERR_ARG);
    move_region(doc, corner, 0.5, 0, LVL_ERR_ARG);
    move_region(doc, none, 1, 0, LVL_ERR_ARG);
    move_region(doc, far, 1, 0, LVL_ERR_ARG);
    assert_true(lvl_record_equal(doc->root, same->root, &lvl_wwd_table));
    lvl_doc_free(doc);
    lvl_doc_free(same);
    free(data);
    free(other);
}

static void regions_of_graal(void **state)
{
    uint8_t *data;
    lvl_doc *doc = sample("nw", "graal/lakeside/lake_village.nw", &data);
    lvl_graal *level = lvl_graal_of(doc);

    (void)state;
    assert_true(level->npc_count > 0);
    lvl_graal_npc *npc = &level->npcs[0];
    const double x = npc->x, y = npc->y;
    const int32_t region[4] = {(int32_t)x, (int32_t)y, 2, 2};
    const double dx = x < 32 ? 20 : -20;
    const uint32_t was = lvl_cell(&level->layers[0].tiles, (uint32_t)x, (uint32_t)y);
    move_region(doc, region, dx, 0, LVL_OK);
    assert_true(npc->x == x + dx && npc->y == y);
    assert_int_equal(lvl_cell(&level->layers[0].tiles, (uint32_t)(x + dx), (uint32_t)y), was);
    assert_int_equal(lvl_cell(&level->layers[0].tiles, (uint32_t)x, (uint32_t)y), 511);
    move_things(doc, "npcs[0]", -dx, 0.5, LVL_OK);
    assert_true(npc->x == x && npc->y == y + 0.5);
    move_things(doc, "npcs[0]", 0.01, 0, LVL_ERR_ARG);
    if (level->link_count)
        move_things(doc, "links[0]", 0.5, 0, LVL_OK);
    lvl_doc_free(doc);
    free(data);
}

static void drawings(void **state)
{
    uint8_t *data, *other;
    lvl_doc *doc = sample("sketchy", "sketchy/hill-v4.level", &data),
            *same = sample("sketchy", "sketchy/hill-v4.level", &other);
    const lvl_move_options far = {.region = {-500, -500, 3000, 3000}, .dx = 10, .dy = 7};
    const lvl_match all = lvl_move_cells(same, 0, far.region);
    lvl_buffer now = {0}, before = {0};
    lvl_cells a, b;

    (void)state;
    lvl_move_options back = far;
    back.region[0] += 10;
    back.region[1] += 7;
    back.dx = -far.dx;
    back.dy = -far.dy;
    assert_int_equal(lvl_move(doc, &far, NULL, NULL), LVL_OK);
    assert_int_equal(lvl_move(doc, &back, NULL, NULL), LVL_OK);
    /* the pixels are the same; there may be squares that are empty now */
    const lvl_match moved = lvl_move_cells(doc, 0, far.region);
    assert_int_equal(lvl_region_read(same, &all, &before, &a), LVL_OK);
    assert_int_equal(lvl_region_read(doc, &moved, &now, &b), LVL_OK);
    assert_memory_equal(a.ptr, b.ptr, (size_t)a.width * a.height * a.size);
    for (uint32_t i = 0; i < lvl_sketchy_of(same)->actor_count; i++)
        assert_true(lvl_record_equal(&lvl_sketchy_of(same)->actors[i], &lvl_sketchy_of(doc)->actors[i],
                                     &lvl_sketchy_actor_table));
    move_things(doc, "actors[*]", 16, 8, LVL_OK);
    move_things(doc, "actors[*]", -16, -8, LVL_OK);
    lvl_buffer_free(&now);
    lvl_buffer_free(&before);
    lvl_doc_free(doc);
    lvl_doc_free(same);
    free(data);
    free(other);
}

static void copies(void **state)
{
    uint8_t *data, *other;
    lvl_doc *doc = sample("wwd", "wwd/cliffs.wwd", &data), *from = sample("wwd", "wwd/cliffs.wwd", &other);
    lvl_wwd_object *officer = put(from, 0, "Officer", 500, 300), *warp = put(from, 1, "BossWarp", 510, 300);
    const uint32_t count = main_plane(doc)->object_count;
    const lvl_move_options by = {.dx = 64, .dy = 0}, region = {.region = {7, 4, 3, 2}, .dx = 10, .dy = 0};
    size_t copied = 0;

    (void)state;
    officer->min_x = 400;
    officer->max_x = 700;
    warp->speed_x = 520;
    warp->speed_y = 310;
    assert_int_equal(lvl_copy_moved(doc, NULL, from, "planes[Action].objects[0]", &by, &copied, NULL),
                     LVL_OK);
    assert_int_equal(main_plane(doc)->object_count, count + 1);
    const lvl_wwd_object *o = &main_plane(doc)->objects[count];
    assert_int_equal(o->x, 564);
    assert_int_equal(o->min_x, 464);
    assert_int_equal(o->max_x, 764);
    assert_int_equal(lvl_copy_moved(doc, NULL, from, "title", &by, &copied, NULL), LVL_ERR_ARG);
    assert_int_equal(lvl_copy_moved(doc, NULL, from, NULL, &region, &copied, NULL), LVL_OK);
    o = &main_plane(doc)->objects[count + 1];
    assert_true(lvl_text_is(o->logic, "Officer"));
    assert_int_equal(o->x, 500 + 640);
    assert_int_equal(o->min_x, 400 + 640);
    assert_true(lvl_text_is(o[1].logic, "BossWarp"));
    assert_int_equal(o[1].speed_x, 520 + 640);
    for (uint32_t y = 4; y < 6; y++) {
        for (uint32_t x = 7; x < 10; x++)
            assert_int_equal(lvl_cell(&main_plane(doc)->tiles, x + 10, y),
                             lvl_cell(&main_plane(from)->tiles, x, y));
    }
    lvl_doc_free(doc);
    lvl_doc_free(from);
    free(data);
    free(other);
}

/* What is copied at once names the copies; others, and what they name, stay as they are. */
static void copies_together(void **state)
{
    static const char *const both[] = {"planes[Action].objects[0]", "planes[Action].objects[1]"},
                             *const mixed[] = {"planes[Action].objects[0]", "planes[Action]"};
    uint8_t *data, *other;
    lvl_doc *doc = sample("wwd", "wwd/cliffs.wwd", &data), *from = sample("wwd", "wwd/cliffs.wwd", &other);
    lvl_move_options by = {.dx = 64, .dy = 32, .unit = LVL_MOVE_PX, .paths = both, .path_count = 2};
    const uint32_t count = main_plane(doc)->object_count;
    size_t copied = 0;

    (void)state;
    make_gruntz(doc);
    make_gruntz(from);
    lvl_wwd_object *a = put(from, 0, "TileTriggerSwitch", 5 * 32 + 16, 4 * 32 + 16);
    a->id = 5 << 8 | 4;
    a->speed_x = 5;
    a->speed_y = 4;
    put(from, 1, "TileTrigger", 600, 300)->move_rect = (lvl_wwd_rect){5 << 8 | 4, 9 << 8 | 4, 0, 0};
    *put(doc, 2, "TileTriggerSwitch", 0, 0) = *a; /* its id is an address, which the copy keeps */
    put(doc, 0, "TileTrigger", 600, 300)->move_rect.left = 5 << 8 | 4;
    assert_int_equal(lvl_copy_moved(doc, "planes[Action].objects", from, NULL, &by, &copied, NULL), LVL_OK);
    assert_int_equal(copied, 2);
    assert_int_equal(main_plane(doc)->object_count, count + 2);
    const lvl_wwd_object *o = main_plane(doc)->objects;
    assert_int_equal(o[count].x, 5 * 32 + 16 + 64);
    assert_int_equal(o[count].id, 7 << 8 | 5);
    assert_int_equal(o[count].speed_x, 7);
    assert_int_equal(o[count + 1].x, 664);
    assert_int_equal(o[count + 1].move_rect.left, 7 << 8 | 5);
    assert_int_equal(o[count + 1].move_rect.top, 9 << 8 | 4);
    assert_int_equal(o[0].move_rect.left, 5 << 8 | 4);
    /* all or none, of one kind, and only within the level unless asked for */
    by.dx = 6400;
    assert_int_equal(lvl_copy_moved(doc, NULL, from, NULL, &by, &copied, NULL), LVL_ERR_ARG);
    by.outside = true;
    assert_int_equal(lvl_copy_moved(doc, NULL, from, NULL, &by, &copied, NULL), LVL_OK);
    assert_int_equal(main_plane(doc)->objects[count + 2].x, 5 * 32 + 16 + 6400);
    by.paths = mixed;
    assert_int_equal(lvl_copy_moved(doc, NULL, from, NULL, &by, &copied, NULL), LVL_ERR_ARG);
    assert_int_equal(main_plane(doc)->object_count, count + 4);
    lvl_doc_free(doc);
    lvl_doc_free(from);
    free(data);
    free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_of_claw),  cmocka_unit_test(addresses_of_gruntz),
        cmocka_unit_test(several_paths),   cmocka_unit_test(several_distances),
        cmocka_unit_test(refused),         cmocka_unit_test(regions_of_graal),
        cmocka_unit_test(drawings),        cmocka_unit_test(copies),
        cmocka_unit_test(copies_together),
    };

    lvl_ctx_init(&ctx);
    if (!lvl_samples_dir())
        return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
