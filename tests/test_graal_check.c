/*
 * The rules of Graal levels, on records made here: each reports exactly what it should.
 */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "base/info.h"
#include "base/format.h"
#include "graal/level/graal_check.h"
#include "graal/level/graal_links.h"
#include "graal/script/graal_script.h"
#include "graal/level/graal_stale.h"
#include "level_make.h"

#include <lvl/scene.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifndef _WIN32
#include <sys/stat.h>
#include <unistd.h>
#endif

static lvl_ctx ctx;

static lvl_findings *check_with(const lvl_doc *doc, const lvl_art *art)
{
    lvl_findings *found = lvl_findings_new(&ctx);
    const lvl_check_request request = {.findings = found, .art = art};

    assert_non_null(found);
    assert_int_equal(lvl_doc_format(doc)->calls->check(doc, &request), LVL_OK);
    assert_int_equal(lvl_findings_status(found), LVL_OK);
    return found;
}

/* Frees both; expects this number of findings with that id, and `all` in total. */
static void expect(lvl_doc *doc, const char *id, size_t count, size_t all)
{
    lvl_findings *found = check_with(doc, NULL);

    if (lvl_count_of(found, id) != count || lvl_findings_count(found) != all) {
        for (size_t i = 0; i < lvl_findings_count(found); i++)
            fprintf(stderr, "%s: %s\n", lvl_findings_at(found, i)->def->id, lvl_findings_at(found, i)->text);
    }
    assert_int_equal(lvl_count_of(found, id), count);
    assert_int_equal(lvl_findings_count(found), all);
    lvl_findings_free(found);
    lvl_doc_free(doc);
}

static void sound(void **state)
{
    (void)state;
    lvl_doc *doc = lvl_make_level(&ctx, LVL_GR_V1_03, 4095);
    lvl_make_link(doc, "a.graal", 0, 0, 64, 1, "playerx", "playery-38");
    lvl_make_link(doc, "b.graal", 63, 63, 1, 1, "0.5", "(playery+2)*2");
    lvl_make_baddy(doc, 63, 0, 9, "", "", "");
    lvl_make_npc(doc, -1, -3, "", "if (playerenters) { say 0; } // }");
    lvl_make_chest(doc, 62, 62, 24, 0);
    lvl_make_sign(doc, 62, 63, "Hello");
    lvl_make_tile(doc, 5, 1, 0); /* ways to the links and the chest */
    lvl_make_tile(doc, 61, 61, 0);
    expect(doc, "", 0, 0);
}

static void links(void **state)
{
    (void)state;
    lvl_doc *doc = lvl_make_level(&ctx, LVL_GR_V1_03, 0);
    lvl_make_link(doc, "a.graal", 2, 0, 63, 1, "3", "3");
    expect(doc, "graal.link.off_board", 1, 1);
    doc = lvl_make_level(&ctx, LVL_GR_V1_03, 0);
    lvl_make_link(doc, "a.graal", 2, 0, 0, 1, "3", "3");
    expect(doc, "graal.link.no_area", 1, 1);
    doc = lvl_make_level(&ctx, LVL_GR_V1_03, 0);
    lvl_make_link(doc, "a.graal", 2, 0, 1, 1, "-1", "65");
    expect(doc, "graal.link.destination", 2, 2);
    doc = lvl_make_level(&ctx, LVL_GR_V1_02, 0);
    lvl_make_link(doc, "a.graal", 2, 0, 1, 1, "-1", "-1.0");
    lvl_make_link(doc, "a.graal", 3, 0, 1, 1, "-1", "playery");
    expect(doc, "graal.link.early_expression", 1, 1);
    doc = lvl_make_level(&ctx, LVL_GLEVNW01, 0);
    lvl_make_link(doc, "a.nw", 2, 0, 1, 1, "playerz", "playery+");
    lvl_make_link(doc, "a.nw", 3, 0, 1, 1, "", "1 2");
    expect(doc, "graal.link.expression", 4, 4);
}

static void destinations(void **state)
{
    static const struct {
        const char *text;
        lvl_graal_dest kind;
        double value;
    } cases[] = {
        {"30", LVL_DEST_NUMBER, 30},
        {"30.5", LVL_DEST_NUMBER, 30.5},
        {".5", LVL_DEST_NUMBER, .5},
        {"-1", LVL_DEST_NUMBER, -1},
        {"5.", LVL_DEST_NUMBER, 5},
        {"playerx", LVL_DEST_EXPRESSION, 0},
        {"PlayerY", LVL_DEST_EXPRESSION, 0},
        {"-playerx+63", LVL_DEST_EXPRESSION, 0},
        {"64-playery", LVL_DEST_EXPRESSION, 0},
        {"(playerx", LVL_DEST_BROKEN, 0},
        {"player", LVL_DEST_BROKEN, 0},
        {"playerx-", LVL_DEST_BROKEN, 0},
        {"", LVL_DEST_BROKEN, 0},
        {".", LVL_DEST_BROKEN, 0},
        {"3x", LVL_DEST_BROKEN, 0},
        {"((((((((((1))))))))))", LVL_DEST_BROKEN, 0},
    };
    double value;

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(cases); i++) {
        assert_int_equal(lvl_graal_dest_kind(lvl_text_of(cases[i].text), &value), cases[i].kind);
        assert_true(value == cases[i].value);
    }
}

static void things(void **state)
{
    (void)state;
    lvl_doc *doc = lvl_make_level(&ctx, LVL_GR_V1_03, 0);
    lvl_make_baddy(doc, 64, 0, 1, "", "", "");
    expect(doc, "graal.baddy.off_board", 1, 1);
    doc = lvl_make_level(&ctx, LVL_GR_V1_01, 0);
    lvl_make_baddy(doc, 1, 0, 7, "", "", "");
    expect(doc, "graal.baddy.type", 1, 1);
    doc = lvl_make_level(&ctx, LVL_GR_V1_02, 0);
    lvl_make_baddy(doc, 10, 9, 7, "", "", "");
    lvl_make_baddy(doc, 11, 9, 7, "", "", "");
    expect(doc, "graal.baddy.line_feed", 1, 1);
    doc = lvl_make_level(&ctx, LVL_GLEVNW01, 0);
    lvl_make_baddy(doc, 10, 9, 7, "", "", "");
    expect(doc, "graal.baddy.line_feed", 0, 0);
    doc = lvl_make_level(&ctx, LVL_GR_V1_03, 0);
    lvl_make_chest(doc, 63, 0, 19, -1);
    expect(doc, "graal.chest.off_board", 1, 1);
    doc = lvl_make_level(&ctx, LVL_GR_V1_03, 0);
    lvl_make_chest(doc, 6, 0, 25, -1);
    expect(doc, "graal.chest.item", 1, 1);
    doc = lvl_make_level(&ctx, LVL_GR_V1_03, 0);
    lvl_make_chest(doc, 6, 0, 2, 0);
    lvl_make_chest(doc, 8, 0, 2, -7);
    expect(doc, "graal.chest.sign", 2, 2);
    doc = lvl_make_level(&ctx, LVL_GR_V1_03, 0);
    lvl_make_sign(doc, 63, 0, "a");
    expect(doc, "graal.sign.off_board", 1, 1);
    doc = lvl_make_level(&ctx, LVL_Z3_V1_03, 2047);
    lvl_make_tile(doc, 5, 7, 2048);
    lvl_make_tile(doc, 6, 7, LVL_GRAAL_ABSENT);
    expect(doc, "graal.tile.range", 1, 1);
}

/* What players cannot use: in walls, behind another, or too many. */
static void useless_things(void **state)
{
    enum { WALL = 233, FLOOR = 0 };

    (void)state;
    lvl_doc *doc = lvl_make_level(&ctx, LVL_GR_V1_03, FLOOR);
    lvl_make_link(doc, "a.nw", 2, 2, 4, 4, "3", "3");
    lvl_make_link(doc, "b.nw", 3, 2, 3, 4, "3", "3");
    lvl_make_link(doc, "c.nw", 3, 2, 4, 4, "3", "3");
    expect(doc, "graal.link.covered", 1, 1);
    doc = lvl_make_level(&ctx, LVL_GR_V1_03, FLOOR);
    lvl_make_link(doc, "a.GMAP", 1, 1, 1, 1, "3", "3");
    lvl_make_link(doc, "a.lost", 2, 2, 1, 1, "3", "3");
    expect(doc, "graal.link.ending", 1, 1);
    doc = lvl_make_level(&ctx, LVL_GR_V1_03, WALL);
    lvl_make_link(doc, "a.nw", 8, 8, 2, 1, "3", "3");
    lvl_make_link(doc, "b.nw", 16, 8, 2, 1, "3", "3");
    lvl_make_tile(doc, 20, 8, FLOOR);
    expect(doc, "graal.link.walled", 1, 1);
    doc = lvl_make_level(&ctx, LVL_GR_V1_03, WALL);
    lvl_make_chest(doc, 0, 0, 2, -1);
    lvl_make_chest(doc, 8, 8, 2, -1);
    lvl_make_tile(doc, 10, 10, FLOOR);
    expect(doc, "graal.chest.walled", 1, 1);
    doc = lvl_make_level(&ctx, LVL_GR_V1_03, WALL);
    lvl_make_chest(doc, 0, 0, 2, -1);
    lvl_make_npc(doc, 1, 1, "a.png", "if (created) tiles[3,3] = 0;");
    expect(doc, "graal.chest.walled", 0, 0);
    doc = lvl_make_level(&ctx, LVL_GR_V1_03, FLOOR);
    lvl_make_chest(doc, 8, 8, 2, -1);
    lvl_make_chest(doc, 8, 9, 3, -1);
    lvl_make_chest(doc, 8, 8, 3, -1);
    expect(doc, "graal.chest.twice", 1, 1);
    for (int many = 50; many <= 51; many++) {
        doc = lvl_make_level(&ctx, LVL_GR_V1_03, FLOOR);
        for (int i = 0; i < many; i++)
            lvl_make_baddy(doc, 12, 12, 1, "", "", "");
        expect(doc, "graal.baddy.many", many > 50, many > 50);
    }
    doc = lvl_make_level(&ctx, LVL_GR_V1_03, FLOOR);
    lvl_make_npc(doc, 1, 1, "a.png", "");
    lvl_make_npc(doc, 2, 1, "a.png;", "");
    lvl_make_npc(doc, 3, 1, "a", "");
    lvl_make_npc(doc, 4, 1, "#c#", "");
    lvl_make_npc(doc, 5, 1, "", "");
    expect(doc, "graal.npc.image_name", 2, 2);
    doc = lvl_make_level(&ctx, LVL_GR_V1_03, FLOOR);
    lvl_make_npc(doc, 1, 1, "a.png", "hide;");
    lvl_make_npc(doc, 1, 1, "a.png", "show;");
    lvl_make_npc(doc, 1, 1, "a.png", "hide;");
    lvl_make_npc(doc, 1, 1, "", "");
    lvl_make_npc(doc, 1, 1, "", "");
    expect(doc, "graal.npc.twice", 1, 1);
}

/* Events for which nothing in the level is a reason. */
static void events_that_never_happen(void **state)
{
    static const struct {
        const char *image, *script;
        size_t found;
    } cases[] = {
        {"a.png", "if (timeout) { hide; }", 1},
        {"a.png", "if (timeout) hide;", 1},
        {"a.png", "if (created && timeout) { hide; }", 1},
        {"a.png", "if (timeout == 1) { hide; }", 0},
        {"a.png", "if (timeout || created) { hide; }", 0},
        {"a.png", "if (timeout) { } hide;", 0},
        {"a.png", "if (timeout) { /* hide; */ }", 0},
        {"a.png", "if (timeout)", 0},
        {"a.png", "if (created) timeout = 1; if (timeout) { hide; }", 0},
        {"a.png", "if (created) { timeout+=.5; } if (timeout) { hide; }", 0},
        {"a.png", "if (timeout) { hide; } sleep 1;", 0},
        {"a.png", "join a; if (timeout) { hide; }", 0},
        {"a.png", "if (weaponfired) { hide; }", 1},
        {"a.png", "if (playertouchsme) toweapons A; if (weaponfired) { hide; }", 0},
        {"", "if (playertouchsme) { hide; }", 1},
        {"-", "if (playertouchesme && hasweapon(A)) { hide; }", 1},
        {"a.png", "if (playertouchsme) { hide; }", 0},
        {"a.png", "hide; if (playertouchsme) { say 1; }", 1},
        {"a.png", "if (created) { hidelocal; } if (playertouchsme) { say 1; }", 1},
        {"a.png", "if (created) hide; if (timeout) { timeout = 1; show; } if (playertouchsme) { say 1; }", 0},
        {"a.png", "hide; this.visible = 1; if (playertouchsme) { say 1; }", 0},
        {"a.png", "if (isweapon) hide; if (playertouchsme) { say 1; }", 0},
        {"a.png", "hide; showimg 1,a.png,1,1; if (playertouchsme) { say 1; }", 1},
        {"", "setshape 1,32,32; if (playertouchsme) { hide; }", 0},
        {"", "if (playertouchsme) { hide; } if (created) callnpc 1,a;", 0},
        {"", "function onCreated() { hide(); } if (playertouchsme) { hide; }", 0},
    };

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(cases); i++) {
        lvl_doc *doc = lvl_make_level(&ctx, LVL_GR_V1_03, 0);
        lvl_make_npc(doc, 1, 1, cases[i].image, cases[i].script);
        lvl_findings *found = check_with(doc, NULL);
        if (lvl_count_of(found, "graal.script.never") != cases[i].found)
            fail_msg("%s", cases[i].script);
        lvl_findings_free(found);
        lvl_doc_free(doc);
    }
}

/* Units, endings and places that scripts get wrong. */
static void words_in_the_wrong_form(void **state)
{
    static const struct {
        const char *script, *id;
        size_t found;
    } cases[] = {
        {"setshape 1,2,2;", "graal.script.shape", 1},
        {"setshape 1,32,8;", "graal.script.shape", 1},
        {"setshape 1,32,32; setshape 1,w,2; setshape2 2,2,{22,0};", "graal.script.shape", 0},
        {"setshape 1,0,0;", "graal.script.shape", 0},
        {"setcharani walk.gani,;", "graal.script.gani", 1},
        {"setani \"walk.gani\",;", "graal.script.gani", 1},
        {"setcharani walk,a.gani;", "graal.script.gani", 0},
        {"sparringzone\nif (created) hide;", "graal.script.late", 0},
        {" sparringzone; hide;", "graal.script.late", 0},
        {"//#CLIENTSIDE\nsparringzone\nhide;", "graal.script.late", 0},
        {"{sparringzone}", "graal.script.late", 1},
        {"hide;\nsingleplayer;", "graal.script.late", 1},
        {"if (created) {\n  singleplayer\n}", "graal.script.late", 0},
    };

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(cases); i++) {
        lvl_doc *doc = lvl_make_level(&ctx, LVL_GLEVNW01, 0);
        lvl_make_npc(doc, 1, 1, "a.png", cases[i].script);
        lvl_findings *found = check_with(doc, NULL);
        if (lvl_count_of(found, cases[i].id) != cases[i].found)
            fail_msg("%s", cases[i].script);
        lvl_findings_free(found);
        lvl_doc_free(doc);
    }
    lvl_doc *doc = lvl_make_level(&ctx, LVL_GR_V1_03, 0);
    lvl_make_sign(doc, 0, 0, "");
    lvl_make_sign(doc, 8, 0, "a");
    expect(doc, "graal.sign.empty", 1, 1);
}

static void wide_signs(void **state)
{
    uint32_t line;

    (void)state;
    assert_int_equal(lvl_graal_sign_width(lvl_text_of("aa a   "), &line), 3 * 11 + 8);
    assert_int_equal(lvl_graal_sign_width(lvl_text_of("a\nil#b#haa\n"), &line), 32 + 22);
    assert_int_equal(line, 1);
    assert_int_equal(lvl_graal_sign_width(lvl_text_of("#i(banner.png,0,0,32,32)#K(233)"), &line), 11);
    assert_int_equal(lvl_graal_sign_width(lvl_text_of("#i(never"), &line),
                     lvl_graal_sign_width(lvl_text_of("(never"), &line));
    lvl_doc *doc = lvl_make_level(&ctx, LVL_GR_V1_03, 0);
    lvl_make_sign(doc, 0, 0, "It is harder still to bribe a mayor.");
    lvl_make_sign(doc, 0, 0, "fine\nHere is a line that nobody ever could read to its end.");
    expect(doc, "graal.sign.wide", 1, 1);
}

/* ---- scripts ----------------------------------------------------------------------------------------- */

static void expect_braces(const char *script, uint32_t open, uint32_t close, uint32_t line)
{
    lvl_script_braces b;

    lvl_script_braces_of(lvl_text_of(script), &b);
    assert_int_equal(b.open, open);
    assert_int_equal(b.close, close);
    if (line)
        assert_int_equal(close ? b.close_line : b.open_line, line);
}

static void braces(void **state)
{
    (void)state;
    expect_braces("if (a) {\n b;\n}\n", 0, 0, 0);
    expect_braces("//#CLIENTSIDE\nfunction onCreated() { this.x = {1,{2}}; }", 0, 0, 0);
    expect_braces("// {\n/* { \n { */ a = \"{\"; b = \"\\\"{\";", 0, 0, 0);
    expect_braces("say2 \"quoted { {\nnext", 2, 0, 1);
    expect_braces("a\nif (x) {\n if (y) {\n}\n", 1, 0, 2);
    expect_braces("a {\n}\n} {}\n}", 0, 2, 3);
    expect_braces("a;//", 0, 0, 0);
    expect_braces("a; /* never ends {", 0, 0, 0);
    expect_braces("\"", 0, 0, 0);
}

static void says(void **state)
{
    lvl_script s = {
        .text = lvl_text_of(
            "say 3;\nsay(4)}say5; say2 a;\nsay2\nplayer.say 6; // say 7\nsay n; \"say 8\" essay 9;"
            "say 10 + x; say 11"),
        .line = 1};
    static const uint32_t numbers[] = {3, 4, 5, 11}, lines[] = {1, 2, 2, 5};
    uint32_t sign;

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(numbers); i++) {
        assert_true(lvl_script_report(&s, &sign));
        assert_int_equal(sign, numbers[i]);
        assert_int_equal(s.line, lines[i]);
    }
    assert_false(lvl_script_report(&s, &sign));
    lvl_doc *doc = lvl_make_level(&ctx, LVL_GR_V1_03, 0);
    lvl_make_sign(doc, 0, 0, "one");
    lvl_make_npc(doc, 3, 3, "a.gif", "if (playertouchsme) { say 0; say 1; }");
    expect(doc, "graal.npc.say", 1, 1);
    doc = lvl_make_level(&ctx, LVL_GLEVNW01, 0);
    lvl_make_npc(doc, 3, 3, "a.gif", "if (playertouchsme) { hide;");
    expect(doc, "graal.npc.braces", 1, 1);
}

/* ---- lost baddies ------------------------------------------------------------------------------------ */

/* A line of a binary level's NPCs, `#` included, as a reader takes it. */
static void stale_line(lvl_doc *doc, const char *bytes, size_t len)
{
    static char store[16][64];
    static size_t used;
    char *script = store[used++ % 16];

    assert_true(len >= 3 && len < 64 && bytes[2] == '#');
    memcpy(script, bytes + 3, len - 3);
    script[len - 3] = 0;
    lvl_make_npc(doc, (uint8_t)bytes[0] - 32.0, (uint8_t)bytes[1] - 32.0, "", script);
}

static void stale_kinds(void **state)
{
    static const struct {
        const char *bytes;
        size_t len;
        lvl_stale kind;
    } lines[] = {
        {"\x17\x02#Stop!\\Ouch!\\", 15, LVL_STALE_COLUMN},
        {"\x0d\x24#\x02Stop!\\Ouch!\\", 16, LVL_STALE_BADDY},
        {"\x08\x3a#\x04\\\\", 6, LVL_STALE_BADDY},
        {"\x07\x00#", 3, LVL_STALE_HEAD},
        {"\x06\\#\\", 4, LVL_STALE_REST},
        {"\xff\xff#\xff", 4, LVL_STALE_END},
        {"\x02S#top!\\Ouch!\\", 14, LVL_STALE_REST},
        {"\x05\x0c#\\", 4, LVL_STALE_PIECE},
        {"\x22\x21#\\", 4, LVL_STALE_NONE},
    };
    lvl_doc *doc = lvl_make_level(&ctx, LVL_GR_V1_01, 0);
    lvl_graal_baddy b;

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(lines); i++)
        stale_line(doc, lines[i].bytes, lines[i].len);
    const lvl_graal *g = lvl_doc_croot(doc);
    for (uint32_t i = 0; i < LVL_COUNT_OF(lines); i++)
        assert_int_equal(lvl_graal_stale_npc(g, i), lines[i].kind);
    assert_true(lvl_graal_stale_baddy(g, 0, &doc->arena, &b));
    assert_true(b.x == 10 && b.y == 23 && b.type == 2 && lvl_text_is(b.attack, "Stop!") &&
                lvl_text_is(b.hurt, "Ouch!") && !b.win.len);
    assert_true(lvl_graal_stale_baddy(g, 1, &doc->arena, &b));
    assert_true(b.x == 13 && b.y == 36 && b.type == 2);
    assert_true(lvl_graal_stale_baddy(g, 4, &doc->arena, &b));
    assert_true(b.x == 7 && b.y == 10 && b.type == 6 && !b.attack.len);
    assert_false(lvl_graal_stale_baddy(g, 6, &doc->arena, &b));
    assert_true(b.type == 2 && lvl_text_is(b.attack, "Stop!"));
    assert_false(lvl_graal_stale_baddy(g, 5, &doc->arena, &b));
    lvl_findings *found = check_with(doc, NULL);
    assert_int_equal(lvl_count_of(found, "graal.stale.baddy"), 2);
    assert_int_equal(lvl_count_of(found, "graal.stale.end"), 1);
    assert_int_equal(lvl_count_of(found, "graal.stale.fragment"), 5);
    lvl_findings_free(found);
    lvl_doc_free(doc);
}

/* What makers do, however odd, is no garbage. */
static void legitimate(void **state)
{
    lvl_doc *doc = lvl_make_level(&ctx, LVL_GR_V1_03, 0);

    (void)state;
    lvl_make_npc(doc, -32, -32, "", "");
    lvl_make_npc(doc, -2, -25, "", "\tif (a) { say2 \\\\; }");
    lvl_make_npc(doc, -29, -30, "big.gif", "\\\\");
    lvl_make_npc(doc, -29, -30, "", "// a comment \\ and \\ no more\n");
    lvl_make_npc(doc, 223, 223, "", "");
    lvl_make_npc(doc, -25, 1, "", "\\");
    lvl_make_npc(doc, -1.5, -25, "", "\x02Stop!\\Ouch!\\");
    lvl_make_npc(doc, 40, 30, "", "\x02Stop!\\Ouch!\\");
    lvl_make_chest(doc, -24, 26, 4, -1);
    lvl_make_chest(doc, 24, 26, 90, -1);
    const lvl_graal *g = lvl_doc_croot(doc);
    for (uint32_t i = 0; i < g->npc_count; i++)
        assert_int_equal(lvl_graal_stale_npc(g, i), LVL_STALE_NONE);
    for (uint32_t i = 0; i < g->chest_count; i++)
        assert_null(lvl_graal_stale_chest(&g->chests[i]));
    lvl_doc_free(doc);
}

static void stale_chests(void **state)
{
    lvl_doc *doc = lvl_make_level(&ctx, LVL_GR_V1_02, 0);

    (void)state;
    lvl_make_chest(doc, 30, 30, 2, -1);
    lvl_make_chest(doc, 0x16 - 32, 1 - 32, 'M' - 32, 'o' - 32);
    lvl_make_chest(doc, 0x0e - 32, 0x23 - 32, 3 - 32, 'S' - 32);
    lvl_make_chest(doc, 255 - 32, 255 - 32, 255 - 32, -32);
    expect(doc, "graal.stale.chest", 3, 3);
}

/* ---- info -------------------------------------------------------------------------------------------- */

static const lvl_fact *fact(const lvl_info *info, const char *key)
{
    for (const lvl_fact *f = lvl_info_root(info)->first; f; f = f->next) {
        if (f->key && strcmp(f->key, key) == 0)
            return f;
    }
    fail_msg("no %s", key);
    return NULL;
}

static void facts(void **state)
{
    lvl_doc *doc = lvl_make_full(&ctx, LVL_GR_V1_02);
    lvl_info *info;

    (void)state;
    lvl_make_link(doc, "INSIDE.graal", 9, 2, 3, 4, "30", "30");
    lvl_make_npc(doc, 223, 223, "", "\xFF");
    lvl_make_chest(doc, 223, 223, 223, -32);
    assert_int_equal(lvl_doc_info(doc, NULL, false, &info), LVL_OK);
    assert_true(lvl_text_is(fact(info, "version")->text, "GR-V1.02"));
    assert_int_equal(fact(info, "distinct_tiles")->number, 41);
    assert_int_equal(fact(info, "link_count")->number, 3);
    /* one of them twice, in another case */
    assert_true(fact(info, "leads_to")->first->next && !fact(info, "leads_to")->first->next->next);
    assert_int_equal(fact(info, "baddy_count")->number, 2);
    assert_string_equal(fact(info, "baddies")->first->key, "graysoldier");
    assert_int_equal(fact(info, "npc_count")->number, 2);
    assert_int_equal(fact(info, "npcs_with_image")->number, 1);
    assert_int_equal(fact(info, "script_lines")->number, 4);
    assert_int_equal(fact(info, "stale_npcs")->number, 1);
    assert_int_equal(fact(info, "chest_count")->number, 2);
    assert_int_equal(fact(info, "stale_chests")->number, 1);
    assert_int_equal(fact(info, "signs_standing")->number, 1);
    lvl_info_free(info);
    lvl_doc_free(doc);
}

/* ---- files ------------------------------------------------------------------------------------------- */

#ifndef _WIN32
static void touch(const char *folder, const char *name)
{
    char path[512];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fclose(f);
}

static void files(void **state)
{
    char dir[] = "/tmp/lvl-check-XXXXXX", deep[64];

    (void)state;
    assert_non_null(mkdtemp(dir));
    snprintf(deep, sizeof deep, "%s/images", dir);
    assert_int_equal(mkdir(deep, 0700), 0);
    touch(dir, "inside.graal");
    touch(dir, "Outside.graal");
    touch(dir, "cave.nw");
    touch(deep, "block.png");
    touch(deep, "Tree.gif");
    lvl_art *art = lvl_art_new(&ctx);
    assert_non_null(art);
    assert_int_equal(lvl_art_add(art, dir), LVL_OK);
    lvl_doc *doc = lvl_make_level(&ctx, LVL_GR_V1_03, 0);
    lvl_make_link(doc, "inside.graal", 0, 0, 1, 1, "3", "3");
    lvl_make_link(doc, "outside.graal", 1, 0, 1, 1, "3", "3");
    lvl_make_link(doc, "cave.graal", 2, 0, 1, 1, "3", "3");
    lvl_make_link(doc, "gone.graal", 3, 0, 1, 1, "3", "3");
    lvl_make_npc(doc, 1, 1, "block.gif", "");
    lvl_make_npc(doc, 1, 1, "tree.gif", "");
    lvl_make_npc(doc, 1, 1, "nowhere.gif", "");
    lvl_make_npc(doc, 1, 1, "", "");
    lvl_findings *found = check_with(doc, art);
    assert_int_equal(lvl_count_of(found, "graal.link.missing"), 1);
    assert_int_equal(lvl_count_of(found, "graal.npc.image_missing"), 1);
    assert_int_equal(lvl_count_of(found, "graal.file.case"), 2);
    assert_int_equal(lvl_count_of(found, "graal.file.twin"), 2);
    assert_int_equal(lvl_findings_count(found), 6);
    lvl_findings_free(found);
    lvl_doc_free(doc);
    lvl_art_free(art);
    static const char *const made[] = {"inside.graal",    "Outside.graal", "cave.nw", "images/block.png",
                                       "images/Tree.gif", "images",        ""};
    for (size_t i = 0; i < LVL_COUNT_OF(made); i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", dir, made[i]);
        assert_int_equal(remove(path), 0);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound),
        cmocka_unit_test(links),
        cmocka_unit_test(destinations),
        cmocka_unit_test(things),
        cmocka_unit_test(useless_things),
        cmocka_unit_test(events_that_never_happen),
        cmocka_unit_test(words_in_the_wrong_form),
        cmocka_unit_test(wide_signs),
        cmocka_unit_test(braces),
        cmocka_unit_test(says),
        cmocka_unit_test(stale_kinds),
        cmocka_unit_test(legitimate),
        cmocka_unit_test(stale_chests),
        cmocka_unit_test(facts),
#ifndef _WIN32
        cmocka_unit_test(files),
#endif
    };
    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests_name("graal_check", tests, NULL, NULL);
}
