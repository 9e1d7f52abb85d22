/*
 * The rules of the game book: each of twenty faults that are put into a level is found, and none is found in the
 * levels that came with a game, beyond notes and what a rule of the format reports.
 */
#include "base/format.h"
#include "corpus.h"
#include "expect.h"
#include "games/book.h"

#include <lvl/scene.h>
#include <lvl/tools.h>
#include <lvl/wwd.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;
static uint8_t *data;
static size_t size;

static lvl_doc *cliffs(void)
{
    lvl_doc *doc = NULL;

    assert_int_equal(
        lvl_read(&doc, &ctx, lvl_format_find("wwd"), (lvl_bytes){data, size}, NULL, LVL_READ_BORROW, NULL),
        LVL_OK);
    return doc;
}

static size_t count(const lvl_doc *doc, const char *id)
{
    lvl_findings *found = lvl_findings_new(&ctx);
    const lvl_check_request request = {.findings = found};

    assert_int_equal(lvl_doc_format(doc)->calls->check(doc, &request), LVL_OK);
    const size_t n = lvl_count_id(found, id);
    lvl_findings_free(found);
    return n;
}

static lvl_wwd_object *object_in(lvl_doc *doc, const char *logic)
{
    lvl_wwd *wwd = lvl_wwd_of(doc);
    uint32_t main = 0;

    assert_true(lvl_wwd_main_plane(wwd, &main));
    /* one that is inside and far from others */
    lvl_wwd_object *o = &wwd->planes[main].objects[0];
    const int32_t x = o->x, y = o->y;
    lvl_record_init(o, &lvl_wwd_object_table);
    o->x = x;
    o->y = y;
    o->logic = lvl_text_of(logic);
    return o;
}

#define AT(m) offsetof(lvl_wwd_object, m)
/* A fault: a logic, up to three members with values, and the rule that finds it. */
static const struct fault {
    const char *rule, *logic;
    struct {
        size_t at;
        int32_t value;
    } set[3];
} faults[] = {
    {"claw.item.range", "FrontCrate", {{AT(powerup), 99}}},
    {"claw.item.range", "Soldier", {{AT(user_rect2.bottom), 62}}},
    {"claw.drop.no_target", "BehindCrate", {{AT(powerup), 32}}},
    {"claw.warp.no_target", "BossWarp", {{AT(speed_x), 100}}},
    {"claw.warp.outside", "BossWarp", {{AT(speed_x), 999999}, {AT(speed_y), 10}}},
    {"claw.boss.warp_no_stager", "BossWarp", {{AT(speed_x), 100}, {AT(speed_y), 100}}},
    {"claw.boss.no_stager", "Raux", {{AT(speed_x), 100}, {AT(speed_y), 100}}},
    {"claw.boss.base", "Omar", {{AT(speed_x), 100}, {AT(speed_y), 100}}},
    {"claw.enemy.base", "TigerGuard", {{0, 0}}},
    {"claw.patrol.inverted", "Officer", {{AT(min_x), 400}, {AT(max_x), 300}}},
    {"claw.patrol.outside", "Officer", {{AT(min_x), 1}, {AT(max_x), 2}}},
    {"claw.elevator.one_side", "Elevator", {{AT(max_x), 300}}},
    {"claw.elevator.inverted", "TriggerElevator", {{AT(min_y), 900}, {AT(max_y), 300}}},
    {"claw.elevator.still", "StartElevator", {{0, 0}}},
    {"claw.path.empty", "PathElevator", {{AT(move_rect.left), 6}}},
    {"claw.peg.base", "TogglePeg2", {{0, 0}}},
    {"claw.stone.base", "SteppingStone", {{0, 0}}},
    {"claw.conveyor.still", "ConveyorBelt", {{0, 0}}},
    {"claw.projectile.no_box", "TProjectile", {{AT(direction), 4}}},
    {"claw.projectile.direction", "TProjectile", {{AT(direction), 5}}},
    {"claw.shake.no_box", "Shake", {{0, 0}}},
    {"claw.sound.no_key", "AmbientSound", {{0, 0}}},
    {"claw.crabs.range", "CrabNest", {{AT(user1), 12}}},
    {"claw.aquatis.order", "AquatisStalactite", {{AT(smarts), 6}}},
};

static void seeded_faults_are_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        const struct fault *f = &faults[i];
        lvl_doc *doc = cliffs();
        snprintf(lvl_wwd_of(doc)->name, sizeof lvl_wwd_of(doc)->name, "Level %d",
                 !strcmp(f->rule, "claw.peg.base") ? 3 : 1);
        const bool before = count(doc, f->rule) != 0;
        lvl_wwd_object *o = object_in(doc, f->logic);
        for (size_t k = 0; k < 3; k++) {
            if (f->set[k].at)
                memcpy((uint8_t *)o + f->set[k].at, &f->set[k].value, sizeof(int32_t));
        }
        if ((before && strcmp(f->rule, "claw.enemy.base")) || !count(doc, f->rule))
            fail_msg("%s in %s: %s", f->rule, f->logic, before ? "is found before" : "is not found");
        lvl_doc_free(doc);
    }
}

static void an_exit_is_needed(void **state)
{
    lvl_doc *doc = cliffs();
    lvl_wwd *wwd = lvl_wwd_of(doc);
    uint32_t main = 0;

    (void)state;
    assert_true(lvl_wwd_main_plane(wwd, &main));
    assert_int_equal(count(doc, "claw.exit.none"), 0);
    for (uint32_t i = 0; i < wwd->planes[main].object_count; i++) {
        lvl_wwd_object *o = &wwd->planes[main].objects[i];
        if (lvl_text_is(o->logic, "EndOfLevelPowerup"))
            o->logic = lvl_text_of("TreasurePowerup");
        if (o->powerup == 31)
            o->powerup = 0;
    }
    assert_int_equal(count(doc, "claw.exit.none"), 1);
    /* one that a crate drops */
    object_in(doc, "FrontCrate")->powerup = 31;
    assert_int_equal(count(doc, "claw.exit.none"), 0);
    /* the gem of a boss */
    object_in(doc, "Raux");
    assert_int_equal(count(doc, "claw.exit.none"), 0);
    assert_int_equal(count(doc, "claw.boss.no_target"), 1);
    lvl_doc_free(doc);
}

/* What may stand on a tile of an attribute, alone or with a second object at the same place. */
static void gruntz_stand_on_their_tiles(void **state)
{
    static const struct {
        const char *rule, *logic, *with;
        int32_t attribute, powerup, smarts; /* of the tile; of the object; of the second one */
        size_t found;
    } cases[] = {
        {"gruntz.grunt.blocked", "GruntStartingPoint", NULL, 0, 0, 0, 0},
        {"gruntz.grunt.blocked", "GruntStartingPoint", NULL, 1, 0, 0, 1},
        {"gruntz.grunt.blocked", "GruntStartingPoint", NULL, 0x0A, 0, 0, 1},
        {"gruntz.grunt.blocked", "GruntStartingPoint", NULL, 0x0A, 18, 0, 0},
        {"gruntz.grunt.blocked", "GruntStartingPoint", NULL, 0x9A, 18, 0, 1},
        {"gruntz.grunt.blocked", "GruntStartingPoint", NULL, 0x33, 0, 0, 0},
        {"gruntz.grunt.blocked", "GruntStartingPoint", NULL, 0x10A, 0, 0, 0},
        {"gruntz.trigger.tile", "TileTrigger", NULL, 0, 0, 0, 0},
        {"gruntz.trigger.tile", "TileTrigger", NULL, 0x1E, 0, 0, 1},
        {"gruntz.trigger.tile", "TileTrigger", "CoveredPowerup", 0x1E, 0, 0, 1},
        {"gruntz.trigger.tile", "TileTrigger", "CoveredPowerup", 0x1E, 0, 1, 0},
        {"gruntz.trigger.tile", "TileTrigger", NULL, 0x21, 0, 0, 1},
        {"gruntz.trigger.tile", "TileTrigger", "GiantRock", 0x21, 0, 0, 0},
        {"gruntz.trigger.tile", "TileTrigger", NULL, 0x23, 0, 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lvl_doc *doc = cliffs();
        lvl_wwd *wwd = lvl_wwd_of(doc);
        uint32_t main = 0;
        assert_true(lvl_wwd_main_plane(wwd, &main));
        lvl_wwd_plane *p = &wwd->planes[main];
        snprintf(wwd->image_dir, sizeof wwd->image_dir, "AREA1\\IMAGES");
        lvl_wwd_object *o = object_in(doc, cases[i].logic);
        o->powerup = cases[i].powerup;
        p->objects[1] = *o;
        p->objects[1].logic = lvl_text_of(cases[i].with ? cases[i].with : "");
        p->objects[1].smarts = cases[i].smarts;
        p->object_count = 2;
        assert_int_equal(lvl_set_cell(doc, p, LVL_FIELD(lvl_wwd_plane, tiles),
                                      (uint32_t)(o->x / p->tile_width), (uint32_t)(o->y / p->tile_height), 1),
                         LVL_OK);
        wwd->tile_properties[1].type = LVL_WWD_TILE_SINGLE;
        wwd->tile_properties[1].attribute = cases[i].attribute;
        if (count(doc, cases[i].rule) != cases[i].found)
            fail_msg("%s: %s on 0x%02X", cases[i].rule, cases[i].logic, (unsigned)cases[i].attribute);
        lvl_doc_free(doc);
    }
}

/* One without a name is silent, so it is not heard everywhere. */
static void a_sound_needs_a_name(void **state)
{
    lvl_doc *doc = cliffs();
    lvl_wwd_object *o = object_in(doc, "AmbientSound");

    (void)state;
    const size_t before = count(doc, "claw.sound.everywhere");
    o->animation = lvl_text_of("LEVEL_AMBIENT_BIRDS");
    assert_int_equal(before, 0);
    assert_int_equal(count(doc, "claw.sound.everywhere"), 1);
    assert_int_equal(count(doc, "claw.sound.no_key"), 0);
    lvl_doc_free(doc);
}

/* A plane whose size in px is absurd is not walked through px by px. */
static void absurd_sizes_cost_nothing(void **state)
{
    lvl_doc *doc = cliffs();
    lvl_wwd *wwd = lvl_wwd_of(doc);
    uint32_t main = 0;

    (void)state;
    assert_true(lvl_wwd_main_plane(wwd, &main));
    wwd->planes[main].tile_height = INT32_MAX;
    wwd->start_x = 0;
    wwd->start_y = 0;
    assert_int_equal(count(doc, "claw.start.falls"), 0);
    lvl_doc_free(doc);
}

/* Errors, and warnings of the book, in the levels that came with the games. */
static void levels_of_the_game_break_no_rule(void **state)
{
    const char *dir = lvl_corpus_dir();
    char folder[1024];
    lvl_paths paths;
    size_t seen = 0;

    (void)state;
    if (!dir)
        skip();
    snprintf(folder, sizeof folder, "%s/wwd", dir);
    assert_true(lvl_paths_below(&paths, folder, "wwd"));
    for (size_t i = 0; i < paths.count; i++) {
        if (!strstr(paths.items[i], "RETAIL") || strstr(paths.items[i], "_badsig"))
            continue;
        size_t len;
        uint8_t *bytes = lvl_slurp(paths.items[i], &len);
        lvl_findings *found = lvl_findings_new(&ctx);
        const lvl_check_request request = {.findings = found};
        lvl_doc *doc = NULL;
        assert_int_equal(lvl_read(&doc, &ctx, NULL, (lvl_bytes){bytes, len}, NULL, LVL_READ_BORROW, found),
                         LVL_OK);
        assert_int_equal(lvl_doc_format(doc)->calls->check(doc, &request), LVL_OK);
        for (size_t k = 0; k < lvl_findings_count(found); k++) {
            const lvl_finding *f = lvl_findings_at(found, k);
            if (f->severity >= LVL_ERROR || (f->severity >= LVL_WARNING && !strncmp(f->def->id, "claw.", 5)))
                fail_msg("%s: %s: %s", lvl_path_name(paths.items[i]), f->def->id, f->text);
        }
        seen++;
        lvl_doc_free(doc);
        lvl_findings_free(found);
        free(bytes);
    }
    lvl_paths_free(&paths);
    assert_true(seen >= 9);
}

/* A picture marks each object of a rule; a report has one finding for all. */
static void each_object_is_found_on_request(void **state)
{
    lvl_doc *doc = cliffs();
    lvl_findings *found = lvl_findings_new(&ctx);
    lvl_check_request request = {.findings = found};
    lvl_wwd *wwd = lvl_wwd_of(doc);
    uint32_t main = 0;

    (void)state;
    assert_true(lvl_wwd_main_plane(wwd, &main));
    lvl_wwd_object *o = object_in(doc, "ConveyorBelt");
    for (uint32_t i = 1; i < 3; i++)
        wwd->planes[main].objects[i] = *o;
    for (int each = 0; each < 2; each++) {
        request.each = each;
        lvl_findings_clear(found);
        assert_int_equal(lvl_doc_format(doc)->calls->check(doc, &request), LVL_OK);
        assert_int_equal(lvl_count_id(found, "claw.conveyor.still"), each ? 3 : 1);
    }
    lvl_findings_free(found);
    lvl_doc_free(doc);
}

/* How many arrows of that kind the scene has; the last of them. */
static size_t arrows_of(const lvl_scene *scene, lvl_thing_kind kind, lvl_scene_link *last)
{
    size_t n = 0;

    for (uint32_t i = 0; i < scene->link_count; i++) {
        if (scene->links[i].kind != kind)
            continue;
        *last = scene->links[i];
        n++;
    }
    return n;
}

/* Targets, paths and switches are drawn as the book says; a picture's area, too. */
static void arrows_follow_the_book(void **state)
{
    static const struct {
        const char *dir, *logic;
        struct {
            size_t at;
            int32_t value;
        } set[4];
        lvl_thing_kind kind;
        size_t count;
        int32_t x, y; /* where the last one ends; 0: at the object */
    } cases[] = {
        {"LEVEL1", "BossWarp", {{AT(speed_x), 70}, {AT(speed_y), 90}}, LVL_THING_WARP, 1, 70, 90},
        {"LEVEL1", "BossWarp", {{AT(speed_x), 70}}, LVL_THING_WARP, 0, 0, 0},
        {"LEVEL1",
         "FrontCrate",
         {{AT(powerup), 32}, {AT(speed_x), 7}, {AT(speed_y), 9}},
         LVL_THING_WARP,
         1,
         7,
         9},
        {"LEVEL1",
         "FrontCrate",
         {{AT(powerup), 33}, {AT(speed_x), 7}, {AT(speed_y), 9}},
         LVL_THING_WARP,
         0,
         0,
         0},
        {"AREA1",
         "TileTrigger",
         {{AT(move_rect.left), 5 * 256 + 7}, {AT(clip_rect.top), 2}},
         LVL_THING_TRIGGER,
         2,
         0,
         0},
        {"AREA1", "Teleporter", {{AT(speed_x), 3}, {AT(speed_y), 4}}, LVL_THING_WARP, 1, 112, 144},
        {"AREA1",
         "UFO",
         {{AT(move_rect.left), 1},
          {AT(move_rect.top), 2},
          {AT(move_rect.right), 3},
          {AT(move_rect.bottom), 0}},
         LVL_THING_PLATFORM,
         2,
         112,
         16},
    };
    lvl_scene_link last = {0};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lvl_doc *doc = cliffs();
        lvl_wwd *wwd = lvl_wwd_of(doc);
        lvl_scene *scene = NULL;
        uint32_t main = 0;
        snprintf(wwd->image_dir, sizeof wwd->image_dir, "%s\\IMAGES", cases[i].dir);
        lvl_wwd_object *o = object_in(doc, cases[i].logic);
        for (size_t k = 0; k < 4; k++) {
            if (cases[i].set[k].at)
                memcpy((uint8_t *)o + cases[i].set[k].at, &cases[i].set[k].value, sizeof(int32_t));
        }
        assert_true(lvl_wwd_main_plane(wwd, &main));
        wwd->planes[main].object_count = 1;
        assert_int_equal(lvl_doc_scene(doc, NULL, &scene), LVL_OK);
        if (arrows_of(scene, cases[i].kind, &last) != cases[i].count)
            fail_msg("%s has %u arrows", cases[i].logic, scene->link_count);
        if (cases[i].count) {
            assert_int_equal(last.x1, cases[i].x ? cases[i].x : o->x);
            assert_int_equal(last.y1, cases[i].y ? cases[i].y : o->y);
        }
        lvl_scene_free(scene);
        lvl_doc_free(doc);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seeded_faults_are_found),         cmocka_unit_test(an_exit_is_needed),
        cmocka_unit_test(absurd_sizes_cost_nothing),       cmocka_unit_test(levels_of_the_game_break_no_rule),
        cmocka_unit_test(each_object_is_found_on_request), cmocka_unit_test(arrows_follow_the_book),
        cmocka_unit_test(gruntz_stand_on_their_tiles),     cmocka_unit_test(a_sound_needs_a_name),
    };
    char path[1024];

    lvl_ctx_init(&ctx);
    snprintf(path, sizeof path, "%s/wwd/cliffs.wwd", lvl_samples_dir());
    data = lvl_slurp(path, &size);
    const int failed = data ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    free(data);
    return failed;
}
