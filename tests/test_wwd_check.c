/*
 * The rules of games and editors, each broken in a level that is otherwise sound; their repairs; the logics.
 */
#include "base/info.h"
#include "base/format.h"
#include "games/book.h"
#include "wwd_make.h"

#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

/* A level whose one oddity is an unknown logic and a custom one; `doc` may be changed before it is checked.
 */
static lvl_doc *made(void)
{
    lvl_doc *doc = wwd_make(&ctx, LVL_WWD_USE_Z);

    assert_non_null(doc);
    lvl_wwd *wwd = lvl_wwd_of(doc);
    wwd->planes[1].objects[2].logic = lvl_text_of("Seagull");
    wwd->planes[1].objects[4].logic = lvl_text_of("PowderKeg");
    wwd->planes[1].objects[4].id = 5;
    for (uint32_t i = 0; i < 6; i++)
        wwd->tile_properties[i].width = wwd->tile_properties[i].height = 64;
    lvl_wwd_tile_property *mask = &wwd->tile_properties[5];
    memset(mask, 0, sizeof *mask);
    lvl_record_init(mask, &lvl_wwd_tile_property_table);
    assert_int_equal(lvl_doc_recompute_derived(doc), LVL_OK);
    return doc;
}

/* How often check reports `id`; *others gets the number of all other findings. */
static size_t reported(const lvl_doc *doc, const char *id, size_t *others, char *text, size_t size)
{
    lvl_findings *found = lvl_findings_new(&ctx);
    const lvl_check_request request = {.findings = found};
    size_t n = 0;

    assert_int_equal(lvl_doc_format(doc)->calls->check(doc, &request), LVL_OK);
    *others = 0;
    for (size_t i = 0; i < lvl_findings_count(found); i++) {
        const lvl_finding *f = lvl_findings_at(found, i);
        if (strcmp(f->def->id, id) != 0) {
            (*others) +=
                strncmp(f->def->id, "claw.", 5) != 0; /* the level is not one to play: test_rules.c */
            continue;
        }
        n++;
        if (text)
            snprintf(text, size, "%s", f->text);
    }
    lvl_findings_free(found);
    return n;
}

static void expect(lvl_doc *doc, const char *id, size_t n)
{
    size_t others;

    if (reported(doc, id, &others, NULL, 0) != n || others) {
        fprintf(stderr, "%s: %zu others\n", id, others);
        fail();
    }
    lvl_doc_free(doc);
}

static void a_sound_level_has_no_findings(void **state)
{
    (void)state;
    expect(made(), "none", 0);
}

static void set_name(lvl_doc *doc, const char *name)
{
    const lvl_field *f = lvl_table_at(&lvl_wwd_table, offsetof(lvl_wwd, name));

    assert_int_equal(lvl_put_text(doc, lvl_doc_root(doc), f, lvl_text_of(name)), LVL_OK);
}

static void header_rules(void **state)
{
    lvl_doc *doc = made();
    lvl_wwd *wwd = lvl_wwd_of(doc);

    (void)state;
    memset(wwd->name, '3', sizeof wwd->name);
    memcpy(wwd->name, "3 ", 2);
    expect(doc, "wwd.header.name_overflow", 1);
    wwd = lvl_wwd_of(doc = made());
    wwd->author[63] = 'x';
    expect(doc, "wwd.slot.dirty", 1);
    wwd = lvl_wwd_of(doc = made());
    wwd->unknown_2f0 = 1;
    expect(doc, "wwd.unknown", 1);
    wwd = lvl_wwd_of(doc = made());
    wwd->unknown_2d8 = 1; /* the main plane's index: the editor's habit */
    expect(doc, "wwd.unknown", 0);
    doc = made();
    set_name(doc, "Level 15");
    expect(doc, "wwd.name.base_level", 1);
    doc = made();
    set_name(doc, "Level 4");
    expect(doc, "wwd.name.base_mismatch", 1);
    wwd = lvl_wwd_of(doc = made());
    wwd->start_x = 6 * 64;
    expect(doc, "wwd.start.outside", 1);
    wwd = lvl_wwd_of(doc = made());
    wwd->planes[2].flags |= LVL_WWD_PLANE_MAIN;
    expect(doc, "wwd.planes.main", 1);
}

static void plane_rules(void **state)
{
    lvl_doc *doc = made();
    lvl_wwd *wwd = lvl_wwd_of(doc);

    (void)state;
    wwd->planes[0].flags |= 0xE0;
    expect(doc, "wwd.plane.flags", 1);
    wwd = lvl_wwd_of(doc = made());
    wwd->planes[0].header_size = 161;
    expect(doc, "wwd.plane.header_size", 1);
    wwd = lvl_wwd_of(doc = made());
    wwd->planes[0].width_px++;
    expect(doc, "wwd.plane.pixel_size", 1);
    wwd = lvl_wwd_of(doc = made());
    wwd->planes[0].tile_width = 60;
    assert_int_equal(lvl_doc_recompute_derived(doc), LVL_OK);
    expect(doc, "wwd.plane.tile_size", 1);
    wwd = lvl_wwd_of(doc = made());
    wwd->planes[0].fill_color = 1000;
    expect(doc, "wwd.plane.fill_color", 1);
    wwd = lvl_wwd_of(doc = made());
    wwd->planes[0].image_sets[0] = lvl_text_of("MY-SET");
    expect(doc, "wwd.image_set.name", 1);
    wwd = lvl_wwd_of(doc = made());
    wwd->planes[0].image_set_count = 0;
    expect(doc, "wwd.image_set.none", 1);
}

static void tile_rules(void **state)
{
    lvl_doc *doc = made();
    lvl_wwd *wwd = lvl_wwd_of(doc);
    const lvl_field *tiles = lvl_table_at(&lvl_wwd_plane_table, offsetof(lvl_wwd_plane, tiles));

    (void)state;
    uint8_t *grid = lvl_cells_edit(doc, &wwd->planes[1], tiles);
    grid[0] = 9;
    size_t others;
    assert_int_equal(reported(doc, "wwd.tile.no_property", &others, NULL, 0), 1);
    assert_int_equal(others, 0);
    lvl_findings *changes = lvl_findings_new(&ctx);
    assert_int_equal(lvl_repair(doc, NULL, changes, NULL), LVL_OK);
    assert_int_equal(lvl_findings_count(changes), 1);
    assert_int_equal(wwd->tile_property_count, 10);
    assert_int_equal(wwd->tile_properties[9].width, 64);
    lvl_findings_free(changes);
    expect(doc, "wwd.tile.no_property", 0);

    wwd = lvl_wwd_of(doc = made());
    grid = lvl_cells_edit(doc, &wwd->planes[1], tiles);
    memcpy(grid, "\x00\xEE\xEE\xEE", 4); /* in one real level */
    expect(doc, "wwd.tile.other_set", 1);
    wwd = lvl_wwd_of(doc = made());
    wwd->tile_properties[0].attribute = 0x69736500;
    expect(doc, "wwd.tile_properties.attribute", 1);
    wwd = lvl_wwd_of(doc = made());
    wwd->tile_properties[3].rect.right = 64;
    expect(doc, "wwd.tile_properties.rect", 1);
    wwd = lvl_wwd_of(doc = made());
    wwd->tile_properties[0].width = wwd->tile_properties[1].width = 60;
    expect(doc, "wwd.tile_properties.size", 1);
    wwd = lvl_wwd_of(doc = made());
    wwd->tile_properties[0].type = LVL_WWD_TILE_MASK;
    wwd->tile_properties[0].height = 32;
    size_t n = reported(doc, "wwd.tile_properties.mask", &others, NULL, 0);
    assert_int_equal(n, 1);
    lvl_doc_free(doc);
}

static void object_rules(void **state)
{
    static char longest[1025];
    lvl_doc *doc = made();
    lvl_wwd_object *o = lvl_wwd_of(doc)->planes[1].objects;

    (void)state;
    o[0].y = -1;
    expect(doc, "wwd.object.outside", 1);
    o = lvl_wwd_of(doc = made())->planes[1].objects;
    o[0].logic = lvl_text_of("");
    expect(doc, "wwd.object.no_logic", 1);
    o = lvl_wwd_of(doc = made())->planes[1].objects;
    o[0].logic = lvl_text_of("CustomLogic");
    expect(doc, "wwd.object.custom_logic", 1);
    o = lvl_wwd_of(doc = made())->planes[1].objects;
    memset(longest, 'x', 1024);
    o[0].name = lvl_text_of(longest);
    expect(doc, "wwd.object.text_overflow", 1);
    o = lvl_wwd_of(doc = made())->planes[1].objects;
    o[0].id = o[1].id = o[2].id;
    expect(doc, "wwd.object.duplicate_id", 1);
    o = lvl_wwd_of(doc = made())->planes[1].objects;
    lvl_wwd_of(doc)->planes[2].objects = o;
    lvl_wwd_of(doc)->planes[2].object_count = 1;
    expect(doc, "wwd.object.plane", 1);
    o = lvl_wwd_of(doc = made())->planes[1].objects;
    o[0].draw_flags = 0x100;
    ctx.profile = LVL_PROFILE_STRICT;
    expect(doc, "wwd.object.wapmap_flags", 1);
    ctx.profile = LVL_PROFILE_GAME;
}

static void slips_are_recognised(void **state)
{
    static const char *const slips[][2] = {
        {"Segull", "Seagull"},
        {"PowerdKeg", "PowderKeg"},
        {"TreasurePuwerup", "TreasurePowerup"},
        {"rat", "Rat"},
        {"DoNothing ", "DoNothing"},
        {"Townguard2", "TownGuard2"},
        {"CheckPoint", "Checkpoint"},
        {"Health", "HealthPowerup"},
        {"Firesword", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof slips / sizeof slips[0]; i++) {
        lvl_doc *doc = made();
        char text[200] = "";
        size_t others;
        lvl_wwd_of(doc)->planes[1].objects[0].logic = lvl_text_of(slips[i][0]);
        assert_int_equal(reported(doc, "wwd.object.unknown_logic", &others, text, sizeof text), 1);
        if (slips[i][1] ? !strstr(text, slips[i][1]) : strstr(text, "did you mean") != NULL)
            fail_msg("%s: %s", slips[i][0], text);
        lvl_doc_free(doc);
    }
}

static void logics_are_sorted_and_found(void **state)
{
    const lvl_book *const books[] = {&lvl_book_claw, &lvl_book_gruntz};
    uint32_t claw = 0;

    (void)state;
    for (size_t b = 0; b < 2; b++) {
        const lvl_book_thing *all = books[b]->things;
        for (uint32_t i = 0; i < books[b]->thing_count; i++) {
            assert_ptr_equal(lvl_book_find(books[b], lvl_text_of(all[i].name)), &all[i]);
            assert_true(i == 0 || strcmp(all[i - 1].name, all[i].name) < 0);
            claw += b == 0 && all[i].kind != LVL_KIND_SCRIPT;
        }
        assert_null(lvl_book_find(books[b], lvl_text_of("Office")));
        assert_null(lvl_book_find(books[b], lvl_text_of("")));
    }
    assert_int_equal(claw, 212);
}

static void info_tells_the_main_things(void **state)
{
    lvl_doc *doc = made();
    lvl_info *info;
    bool title = false, width = false;

    (void)state;
    assert_int_equal(lvl_doc_info(doc, NULL, false, &info), LVL_OK);
    for (const lvl_fact *f = lvl_info_root(info)->first; f; f = f->next) {
        title |= f->key && !strcmp(f->key, "title") && lvl_text_is(f->text, "Level 3 of our own");
        width |= f->key && !strcmp(f->key, "width") && f->number == 6 * 64;
    }
    assert_true(title && width);
    lvl_info_free(info);
    lvl_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_level_has_no_findings),
        cmocka_unit_test(header_rules),
        cmocka_unit_test(plane_rules),
        cmocka_unit_test(tile_rules),
        cmocka_unit_test(object_rules),
        cmocka_unit_test(slips_are_recognised),
        cmocka_unit_test(logics_are_sorted_and_found),
        cmocka_unit_test(info_tells_the_main_things),
    };
    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
