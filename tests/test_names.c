/*
 * Names of the game book in paths: a value's name is set and printed where the logic of the object gives it
 * that meaning, conditions go by what members mean, and wrong names are refused with those that resemble
 * them.
 */
#include "base/format.h"
#include "corpus.h"
#include "games/book.h"

#include <lvl/tools.h>
#include <lvl/wwd.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

static lvl_doc *read_level(const char *path)
{
    lvl_doc *doc = NULL;
    size_t size;
    uint8_t *data = lvl_slurp(path, &size);

    if (data && lvl_read(&doc, &ctx, NULL, (lvl_bytes){data, size}, NULL, 0, NULL) != LVL_OK)
        doc = NULL;
    free(data);
    return doc;
}

static lvl_doc *cliffs(void)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/wwd/cliffs.wwd", lvl_samples_dir());
    lvl_doc *doc = read_level(path);
    assert_non_null(doc);
    return doc;
}

/* What get prints, or the text of its first finding. */
static void get_is(const lvl_doc *doc, const char *path, bool json, const char *want)
{
    lvl_findings *findings = lvl_findings_new(&ctx);
    const lvl_get_options options = {.json = json};
    lvl_buffer out = {0};

    const lvl_status status = lvl_get(doc, path, &options, &out, NULL, findings);
    lvl_buffer_u8(&out, 0);
    const char *found = status == LVL_OK               ? (const char *)out.data
                        : lvl_findings_count(findings) ? lvl_findings_at(findings, 0)->text
                                                       : "";
    if (strcmp(found, want) != 0)
        fail_msg("%s: \"%s\", not \"%s\"", path, found, want);
    lvl_buffer_free(&out);
    lvl_findings_free(findings);
}

/* An assignment; what it reports, "" if it is applied. */
static void set_says(lvl_doc *doc, const char *assignment, const char *want)
{
    lvl_findings *findings = lvl_findings_new(&ctx);

    const lvl_status status = lvl_set(doc, &assignment, 1, NULL, findings);
    const char *found = lvl_findings_count(findings) ? lvl_findings_at(findings, 0)->text : "";
    if (strcmp(found, want) != 0 || (status == LVL_OK) != (want[0] == 0))
        fail_msg("%s: status %d, \"%s\", not \"%s\"", assignment, status, found, want);
    lvl_findings_free(findings);
}

#define OFFICER "planes[4].objects[73]" /* drops a big potion */
#define CRATES  "planes[4].objects[kind=container].powerup"

static void names_out(void **state)
{
    lvl_doc *doc = cliffs();

    (void)state;
    get_is(doc, OFFICER ".powerup", false, "big_potion\n");
    get_is(doc, OFFICER ".powerup", true,
           "{\"path\":\"planes[4].objects[73].powerup\",\"value\":25,\"name\":\"big_potion\"}\n");
    get_is(doc, OFFICER ".user_rect1.left", false, "nothing\n");
    /* a number without a name, and one that means nothing of the kind */
    set_says(doc, OFFICER ".powerup=999", "");
    get_is(doc, OFFICER ".powerup", false, "999\n");
    get_is(doc, OFFICER ".powerup", true, "{\"path\":\"planes[4].objects[73].powerup\",\"value\":999}\n");
    get_is(doc, "planes[4].objects[logic=Elevator].powerup", false, "0\n");
    /* a name of the table has its number beside it */
    set_says(doc, "planes[4].objects[logic=Elevator].direction=left", "");
    get_is(doc, "planes[4].objects[logic=Elevator].direction", true,
           "{\"path\":\"planes[4].objects[25].direction\",\"value\":\"left\",\"number\":4}\n");
    /* records are as in dumps */
    get_is(doc, OFFICER ".user_rect1", false, "{\"left\":0,\"top\":0,\"right\":0,\"bottom\":0}\n");
    lvl_doc_free(doc);
}

static void names_in(void **state)
{
    lvl_doc *doc = cliffs();

    (void)state;
    set_says(doc, OFFICER ".powerup=coin", "");
    get_is(doc, OFFICER ".powerup", true,
           "{\"path\":\"planes[4].objects[73].powerup\",\"value\":33,\"name\":\"coin\"}\n");
    set_says(doc, OFFICER ".user_rect2.bottom=purple_jewelled_skull", "");
    get_is(doc, "planes[4].objects[user_rect2.bottom=52].logic", false, "Officer\n");
    set_says(doc, OFFICER ".powerup=33", "");
    set_says(doc, CRATES "=extra_life", "");
    get_is(doc, CRATES, false, "extra_life\nextra_life\nextra_life\nextra_life\nextra_life\n");

    /* wrong names */
    set_says(doc, OFFICER ".powerup=con",
             "expected a name or a 32-bit integer, got \"con\"; did you mean coin?");
    set_says(
        doc, OFFICER ".powerup=crown",
        "expected a name or a 32-bit integer, got \"crown\"; did you mean red_crown, green_crown, blue_crown "
        "or purple_crown?");
    set_says(doc, OFFICER ".powerup=zeppelin", "expected a name or a 32-bit integer, got \"zeppelin\"");
    set_says(doc, "planes[4].objects[logic=Elevator].powerup=coin",
             "powerup of Elevator is a plain number, without names; got \"coin\"");
    set_says(doc, "planes[4].objects[logic=Elevator].powerup=con", "expected a 32-bit integer, got \"con\"");
    set_says(doc, OFFICER ".x=coin", "expected a 32-bit integer, got \"coin\"");
    get_is(doc, OFFICER ".powerup", false, "coin\n");
    lvl_doc_free(doc);
}

static void conditions(void **state)
{
    static const char *const cases[][2] = {
        {"kind=exit].logic", "EndOfLevelPowerup\n"},
        {"kind=enemy,health>0,x<1000].logic", "Officer\n"},
        {"kind=container,drops=coin].x", "2866\n2930\n"},
        {"drops=exit].logic", "Officer\n"},
        {"powerup=exit].logic", "Officer\n"},
        {"powerup=31].logic", "Officer\n"},
        {"kind=enemy,drops!=nothing,drops!=coin].powerup", "gold_bars\nbig_potion\nexit\n"},
        {"kind=enemy,drops=nothing,logic~Crab].logic", "HermitCrab\nHermitCrab\n"},
        {"item=coin,x<700].y", "620\n580\n620\n"},
        {"kind=sound,volume>10,sound~wind].logic", "GlobalAmbientSound\n"},
        {"kind=enemy,drops=ghost].logic", ""},
        /* refused */
        {"kind=enemi]", "there is no kind \"enemi\"; did you mean enemy?"},
        {"kind=x]",
         "there is no kind \"x\"; kinds are unknown, enemy, boss, pickup, container, platform, hazard, warp, "
         "sound, checkpoint, exit, scenery, puzzle, unit, script, engine"},
        {"kind>enemy]", "kind can only be compared with a name by = or !="},
        {"drop=coin]", "object has no field \"drop\"; did you mean drops?"},
        {"drops=crwn]", "drops has no value \"crwn\"; did you mean crown?"},
        {"powerup=potion]",
         "powerup has no value \"potion\"; did you mean big_potion, small_potion or middle_potion?"},
        {"drops~coin]", "drops can only be compared with a name by = or !="},
        {"drops~3]", "drops has no value \"3\"; expected a number"},
        {"volume=loud]", "volume has no value \"loud\"; expected a number"},
        {"x=coin]", "x has no value \"coin\"; expected a number"},
        {"move_rect.kind=enemy]", "rect has no field \"kind\"; it has left, top, right, bottom"},
    };
    lvl_doc *doc = cliffs();

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[200], none[300];
        snprintf(path, sizeof path, "planes[4].objects[%s", cases[i][0]);
        snprintf(none, sizeof none, "\"%s\" finds nothing in this file", path);
        get_is(doc, path, false, cases[i][1][0] ? cases[i][1] : none);
    }
    lvl_doc_free(doc);
}

/* Each number of a real level that means one of a list of values has a name, or is a finding: how many do
 * not is printed. */
static void numbers_of_real_levels(void **state)
{
    const char *dir = lvl_corpus_dir();
    size_t levels = 0, named = 0, found = 0, others = 0, things = 0, unknown = 0;
    char folder[1024];
    lvl_paths paths;

    (void)state;
    if (!dir)
        skip();
    snprintf(folder, sizeof folder, "%s/wwd", dir);
    assert_true(lvl_paths_below(&paths, folder, "wwd"));
    for (size_t i = 0; i < paths.count; i++) {
        lvl_doc *doc = read_level(paths.items[i]);
        const lvl_wwd *wwd = doc ? lvl_doc_root(doc) : NULL;
        size_t in_level = 0;
        levels += wwd != NULL;
        for (uint32_t p = 0; wwd && p < wwd->plane_count; p++) {
            for (uint32_t k = 0; k < wwd->planes[p].object_count; k++) {
                lvl_book_item item;
                const lvl_book_use *use;
                assert_true(lvl_doc_format(doc)->calls->describe(doc, &lvl_wwd_object_table,
                                                                 &wwd->planes[p].objects[k], &item));
                things += item.thing != NULL;
                unknown += !item.thing;
                for (uint32_t u = 0; item.thing && (use = lvl_book_use_at(item.book, item.thing, u)); u++) {
                    for (uint32_t f = 0; use->names && !use->open && f < use->count; f++) {
                        const int64_t n = lvl_book_number(&item.book->fields[use->first + f], item.record);
                        if (!n || !lvl_book_applies(item.book, use, item.record))
                            continue;
                        const bool has = lvl_name_of(item.book->value_names[use->names - 1], n) != NULL;
                        named += has;
                        in_level += !has;
                        if (!has && getenv("LVL_TEST_VERBOSE"))
                            print_message("%s: %s: %lld\n", lvl_path_name(paths.items[i]), item.thing->name,
                                          (long long)n);
                    }
                }
            }
        }
        lvl_findings *findings = lvl_findings_new(&ctx);
        const lvl_check_request request = {.findings = findings};
        if (in_level)
            assert_int_equal(lvl_doc_format(doc)->calls->check(doc, &request), LVL_OK);
        bool reported = false;
        for (size_t k = 0; k < lvl_findings_count(findings) && !reported; k++)
            reported = strcmp(lvl_findings_at(findings, k)->def->id, "claw.item.range") == 0 ||
                       strcmp(lvl_findings_at(findings, k)->def->id, "claw.elevator.direction") == 0;
        found += reported ? in_level : 0;
        others += reported ? 0 : in_level;
        lvl_findings_free(findings);
        lvl_doc_free(doc);
    }
    lvl_paths_free(&paths);
    print_message(
        "%zu levels: %zu objects with a logic of the book, %zu others; %zu numbers with a name, %zu in "
        "levels with a finding about them, %zu without either\n",
        levels, things, unknown, named, found, others);
    assert_true(levels >= 200 && named > 10000);
    assert_int_equal(others, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_out),
        cmocka_unit_test(names_in),
        cmocka_unit_test(conditions),
        cmocka_unit_test(numbers_of_real_levels),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
