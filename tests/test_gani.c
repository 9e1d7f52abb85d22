/*
 * test_gani.c: animations: definitions, frames and movies; the meaning of empty lines; spelling byte for
 * byte; edits that change nothing else; findings and repairs; recognition; and every real file.
 */
#include "corpus.h"
#include "expect.h"
#include "gani_seeds.h"
#include "measure.h"
#include "tools/explain/coverage.h"

#include "base/format.h"

#include <lvl/gani.h>
#include <lvl/tools.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;
static const lvl_format *gani_format;

static lvl_doc *read_gani(lvl_bytes bytes, lvl_findings *findings)
{
    lvl_doc *doc = NULL;

    assert_int_equal(lvl_read(&doc, &ctx, gani_format, bytes, NULL, 0, findings), LVL_OK);
    return doc;
}

static void assert_real(double is, double want)
{
    assert_true(is > want - 1e-12 && is < want + 1e-12);
}

static void test_read(void **state)
{
    lvl_doc *doc = read_gani(lvl_gani_seed(LVL_GANI_SEED_EDITOR), NULL);
    const lvl_gani *g = lvl_doc_croot(doc);

    (void)state;
    assert_int_equal(g->version, LVL_GANI_BARE);
    assert_int_equal(g->sprite_count, 6);
    assert_int_equal(g->sprites[3].id, 101);
    assert_true(lvl_text_is(g->sprites[3].source, "HEAD"));
    assert_int_equal(g->sprites[3].y, 32);
    assert_true(lvl_text_is(g->sprites[3].description, "head left"));
    assert_int_equal(g->sprites[5].id, -3);
    assert_int_equal(g->sprites[5].y, -16);
    assert_int_equal(g->attachment_count, 2);
    assert_int_equal(g->attachments[0].under, 0);
    assert_int_equal(g->attachments[1].under, 1);
    assert_real(g->attachments[1].dy, 2.5);
    assert_int_equal(g->loop, 1);
    assert_int_equal(g->continuous, 1);
    assert_int_equal(g->single_direction, 0);
    assert_true(lvl_text_is(g->setback_to, "idle"));
    assert_int_equal(g->default_count, 3);
    assert_true(lvl_text_is(g->defaults[1].layer, "HEAD"));
    assert_int_equal(g->defaults[2].value.len, 0);
    assert_int_equal(g->frame_count, 2);
    assert_int_equal(g->frames[0].direction_count, 4);
    assert_int_equal(g->frames[0].directions[LVL_GANI_RIGHT].piece_count, 0);
    assert_real(g->frames[0].wait, 3);
    assert_int_equal(g->frames[0].sound_count, 1);
    assert_real(g->frames[0].sounds[0].x, 1.5);
    assert_real(g->frames[1].directions[LVL_GANI_LEFT].pieces[2].dx, 6.25);
    assert_int_equal(g->frames[1].sounds[0].given, 1);
    assert_int_equal(g->frames[1].sounds[1].given, 0);
    /* it has a comment, for which the file is kept */
    assert_int_equal(lvl_kept_bytes(doc), lvl_gani_seed(LVL_GANI_SEED_EDITOR).len);
    lvl_doc_free(doc);

    doc = read_gani(lvl_gani_seed(LVL_GANI_SEED_SINGLE), NULL);
    g = lvl_doc_croot(doc);
    assert_int_equal(g->version, LVL_GANI0001);
    assert_int_equal(g->effect_count, 4);
    assert_real(g->effects[0].blue, 0.25);
    assert_int_equal(g->effects[2].sprite, LVL_GANI_WHOLE);
    assert_real(g->effects[2].value, -0.785398163);
    assert_true(lvl_text_is(g->script, "if (created) {\n  timeout = 0.05;\n}"));
    assert_true(lvl_text_is(g->frames[0].wait_more, "RAND"));
    assert_true(lvl_text_is(g->frames[1].directions[0].pieces[1].param, "PARAM2"));
    lvl_doc_free(doc);
}

static void test_movie(void **state)
{
    lvl_doc *doc = read_gani(lvl_gani_seed(LVL_GANI_SEED_MOVIE), NULL);
    const lvl_gani *g = lvl_doc_croot(doc);

    (void)state;
    assert_int_equal(g->version, LVL_GANI0002);
    assert_int_equal(g->length, 40);
    assert_int_equal(g->actor_count, 2);
    assert_true(lvl_text_is(g->actors[0].kind, "CHAR"));
    assert_true(lvl_text_is(g->actors[1].name, "Sprite 1"));
    assert_int_equal(g->actors[0].keyframe_count, 3);
    assert_int_equal(g->actors[0].keyframes[0].value_count, 5);
    /* commas of free text are no ends of values */
    assert_int_equal(g->actors[0].keyframes[1].value_count, 2);
    assert_true(lvl_text_is(g->actors[0].keyframes[1].values[0].value, "Well, well, who is there?"));
    assert_int_equal(g->actors[0].keyframes[2].value_count, 0);
    assert_true(lvl_text_is(g->actors[1].keyframes[0].values[1].key, "sprite #"));
    assert_true(lvl_text_is(g->actors[1].keyframes[0].values[1].value, "0,,odd"));
    lvl_doc_free(doc);
}

/* Each seed, and each prefix of it, is written as it was read, also through a dump, and each byte has
 * exactly one span. */
static void test_exact(void **state)
{
    (void)state;
    for (int seed = 0; seed < LVL_GANI_SEED_COUNT; seed++)
        assert_true(lvl_exact_all(lvl_format_find("gani"), lvl_gani_seed(seed)));
}

/* An empty line sets frames apart, or is a direction without pieces where only then the frame comes out
 * whole. */
static void test_blank_lines(void **state)
{
    static const struct {
        const char *body,
            *shape; /* of each frame: a digit a direction, its number of pieces; ' ' between frames */
        bool single;
    } cases[] = {
        {"1 0 0\n1 0 0\n1 0 0\n1 0 0\n\n1 0 0\n1 0 0\n1 0 0\n1 0 0\n", "1111 1111", false},
        {"1 0 0\n1 0 0\n1 0 0\n1 0 0\n1 0 0\n1 0 0\n1 0 0\n1 0 0\n", "1111 1111", false},
        {"1 0 0\n\n1 0 0\n1 0 0\n\n1 0 0\n1 0 0\n1 0 0\n1 0 0\n", "1011 1111", false},
        {"1 0 0\n1 0 0\n\n1 0 0\n1 0 0\n1 0 0\n1 0 0\n", "11 1111", false},
        {"1 0 0\n1 0 0\n\n1 0 0\n1 0 0\n\n", "11 11", false},
        {"1 0 0\n1 0 0\n1 0 0\n\n\n1 0 0\n1 0 0\n1 0 0\n1 0 0\n", "1110 1111", false},
        {"1 0 0\n1 0 0\n1 0 0\n \n\n1 0 0\n1 0 0\n1 0 0\n1 0 0\n", "1110 1111", false},
        {"\n1 0 0\n1 0 0\n1 0 0\n\n1 0 0\n1 0 0\n1 0 0\n1 0 0\n", "0111 1111", false},
        {"\n1 0 0\n1 0 0\n1 0 0\n1 0 0\n\n\n1 0 0\n1 0 0\n1 0 0\n1 0 0\n", "1111 1111", false},
        {"1 0 0\n1 0 0\n1 0 0\n1 0 0\n  \n1 0 0\n1 0 0\n1 0 0\n1 0 0\n", "1111 1111", false},
        {" \n \n \n \n\n1 0 0, 2 0 0\n \n \n \n", "0000 2000", false},
        {"1 0 0\n\n1 0 0\n1 0 0\n", "1 1 1", true},
        {" \n\n1 0 0\n", "0 1", true},
        {"1 0 0\n  \n1 0 0\n", "1 1", true},
        {"1 0 0\nWAIT 2\n\nWAIT 3\n\n1 0 0\n", "1 1", true},
        {"", "", true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char file[400], shape[64];
        size_t n = 0;
        snprintf(file, sizeof file, "%sANI\n%sANIEND\n", cases[i].single ? "SINGLEDIRECTION\n\n" : "",
                 cases[i].body);
        lvl_doc *doc = read_gani(lvl_bytes_of(file), NULL);
        const lvl_gani *g = lvl_doc_croot(doc);
        for (uint32_t f = 0; f < g->frame_count; f++) {
            if (f)
                shape[n++] = ' ';
            for (uint32_t d = 0; d < g->frames[f].direction_count; d++)
                shape[n++] = (char)('0' + g->frames[f].directions[d].piece_count);
        }
        shape[n] = 0;
        assert_string_equal(shape, cases[i].shape);
        lvl_expect_written(doc, lvl_bytes_of(file));
        lvl_doc_free(doc);
    }
}

/* Numbers, orders and words as people spell them, and what they come to when nothing is kept. */
static void test_spelling(void **state)
{
    static const struct {
        const char *line, *usual;
    } cases[] = {
        {"WAIT4", "WAIT 4"},
        {"WAIT 1.50", "WAIT 1.5"},
        {"WAIT 0", NULL},
        {"WAIT  2 RAND ", "WAIT 2 RAND"},
        {"WAIT 1\nWAIT 3", "WAIT 3"},
        {"PLAYSOUND a.wav 1,5 2", "PLAYSOUND a.wav 1.5 2"},
        {"PLAYSOUND  a b.wav 1e1", "PLAYSOUND a b.wav 10"},
        {"PLAYSOUND a.wav -0.25 0.1", "PLAYSOUND a.wav -0.25 0.1"},
        {"PLAYSOUND a.wav 0.30000000000000004 1", "PLAYSOUND a.wav 0.30000000000000004 1"},
        {"PLAYSOUND a.wav\nWAIT 1", "WAIT 1\nPLAYSOUND a.wav"},
        {"\tPLAYSOUND PARAM1 +2 -0", "PLAYSOUND PARAM1 2 0"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char file[200], usual[200];
        snprintf(file, sizeof file, "GANI0001\nSINGLEDIRECTION\n\nANI\n   1   0   0\n%s\nANIEND\n",
                 cases[i].line);
        snprintf(usual, sizeof usual, "GANI0001\nSINGLEDIRECTION\n\nANI\n   1   0   0\n%s%sANIEND\n",
                 cases[i].usual ? cases[i].usual : "", cases[i].usual ? "\n" : "");
        lvl_doc *doc = read_gani(lvl_bytes_of(file), NULL);
        lvl_expect_written(doc, lvl_bytes_of(file));
        gani_format->calls->drop_spelling(doc);
        assert_int_equal(lvl_kept_bytes(doc), 0);
        lvl_expect_written(doc, lvl_bytes_of(usual));
        lvl_doc_free(doc);
    }
}

/* Lines of a frame in an order of their own, spelled in their own way: an edit changes one of them. */
static void test_edit_order(void **state)
{
    static const char head[] = "GANI0001\nSINGLEDIRECTION\n\nANI\n 1 0 0, 2  8 8\n";
    static const struct {
        const char *from, *path, *to;
    } cases[] = {
        {"PLAYSOUND a.wav 1.5 2\nWAIT 4\n", "frames[0].sounds[0].x=3", "PLAYSOUND a.wav 3 2\nWAIT 4\n"},
        {"PLAYSOUND a.wav 1.5 2\nWAIT4\n", "frames[0].wait=7", "PLAYSOUND a.wav 1.5 2\nWAIT 7\n"},
        {"PLAYSOUND  a.wav 1.50 2\nWAIT4\n", "frames[0].sounds[0].y=9", "PLAYSOUND  a.wav 1.50 9\nWAIT4\n"},
        {"PLAYSOUND a.wav 1 2\nWAIT4\nPLAYSOUND b.wav 1 2\n", "frames[0].sounds[1].x=5",
         "PLAYSOUND a.wav 1 2\nWAIT4\nPLAYSOUND b.wav 5 2\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char from[200], to[200];
        snprintf(from, sizeof from, "%s%sANIEND\n", head, cases[i].from);
        snprintf(to, sizeof to, "%s%sANIEND\n", head, cases[i].to);
        lvl_doc *doc = read_gani(lvl_bytes_of(from), NULL);
        assert_int_equal(lvl_set(doc, &cases[i].path, 1, NULL, NULL), LVL_OK);
        lvl_expect_written(doc, lvl_bytes_of(to));
        lvl_doc_free(doc);
    }
}

/* Blank lines in an actor stay at an edit of it. */
static void test_edit_blank_lines(void **state)
{
    static const char *const from = "GANI0002\nMOVIE\n  ACTOR TEXT one\n\n    FRAME 0 dx=1,dy=2\n \n\n"
                                    "    FRAME 5 dx=3,dy=4\n\n  ACTOREND\n\nMOVIEEND\n";
    static const struct {
        const char *edit, *was, *is;
    } cases[] = {{"actors[0].keyframes[1].tick=6", "FRAME 5", "FRAME 6"},
                 {"actors[0].name=two", "TEXT one", "TEXT two"},
                 {"actors[0].keyframes[0].values[0].value=7", "dx=1", "dx=7"}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char to[300];
        const char *at = strstr(from, cases[i].was);
        snprintf(to, sizeof to, "%.*s%s%s", (int)(at - from), from, cases[i].is, at + strlen(cases[i].was));
        lvl_doc *doc = read_gani(lvl_bytes_of(from), NULL);
        assert_int_equal(lvl_set(doc, &cases[i].edit, 1, NULL, NULL), LVL_OK);
        lvl_expect_written(doc, lvl_bytes_of(to));
        lvl_doc_free(doc);
    }
}

/* An edit drops the spelling that it touches, and no other: blanks stay, new lines are like those before. */
static void test_edit(void **state)
{
    static const char *const from = "GANI0001 \n"
                                    "SPRITE 1 a.png 0 0 8 8 one\n"
                                    "// two\n"
                                    "SPRITE  2  b.png 0 0 8 8 two\n"
                                    "SPRITE  3  c.png 0 0 8 8 three\n"
                                    "\n"
                                    "LOOP \n"
                                    "SINGLEDIR\n"
                                    "DEFAULTHEAD\n"
                                    "DEFAULTBODY  x.png\n"
                                    "\n"
                                    "ANI\n"
                                    "1 0  0\n"
                                    "WAIT1\n"
                                    "\n"
                                    "2 0  0\n"
                                    "WAIT1\n"
                                    "ANIEND\n";
    static const char *const to = "GANI0001 \n"
                                  "SPRITE 1 a.png 0 0 8 8 one\n"
                                  "// two\n"
                                  "SPRITE  2  b.png 0 0 9 8 two\n"
                                  "SPRITE  3  c.png 0 0 8 8 three\n"
                                  "SPRITE  4  d.png 0 0 0 0 \n"
                                  "\n"
                                  "LOOP \n"
                                  "CONTINUOUS\n"
                                  "SINGLEDIR\n"
                                  "DEFAULTHEAD\n"
                                  "DEFAULTBODY  y.png\n"
                                  "\n"
                                  "ANI\n"
                                  "1 0.5  0\n"
                                  "WAIT1\n"
                                  "\n"
                                  "2 0  0\n"
                                  "WAIT 2\n"
                                  "ANIEND\n";
    static const char *const assignments[] = {
        "sprites[1].width=9", "sprites[+]={\"id\":4,\"source\":\"d.png\"}", "defaults[1].value=y.png",
        "continuous=1",       "frames[0].directions[0].pieces[0].dx=0.5",   "frames[1].wait=2"};
    lvl_doc *doc = read_gani(lvl_bytes_of(from), NULL);

    (void)state;
    lvl_expect_written(doc, lvl_bytes_of(from));
    assert_int_equal(lvl_set(doc, assignments, 6, NULL, NULL), LVL_OK);
    lvl_buffer out = {0};
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    lvl_doc *again = read_gani((lvl_bytes){out.data, out.len}, NULL);
    assert_true(lvl_record_equal(lvl_doc_croot(doc), lvl_doc_croot(again), &lvl_gani_table));
    lvl_doc_free(again);
    lvl_buffer_free(&out);
    lvl_expect_written(doc, lvl_bytes_of(to));
    lvl_gani *g = lvl_doc_root(doc);
    g->loop = g->single_direction = 0;
    g->sprite_count = 0;
    g->default_count = 0;
    g->frame_count = 0;
    lvl_expect_written(doc, lvl_bytes_of("GANI0001 \nCONTINUOUS\n// two\n\nANI\nANIEND\n"));
    lvl_doc_free(doc);
}

/* A document made from nothing is written as the editor would. */
static void test_new(void **state)
{
    lvl_doc *doc = NULL;
    lvl_gani_piece piece = {.sprite = 1, .dx = -8, .dy = 16.5};
    lvl_gani_direction direction = {.pieces = &piece, .piece_count = 1};
    lvl_gani_frame frame = {.directions = &direction, .direction_count = 1};
    lvl_gani_sprite sprite = {.id = 1, .width = 32, .height = 32};

    (void)state;
    assert_int_equal(lvl_doc_new(&doc, &ctx, gani_format), LVL_OK);
    lvl_expect_written(doc, lvl_bytes_of("GANI0001\nANI\nANIEND\n"));
    lvl_gani *g = lvl_doc_root(doc);
    sprite.source = lvl_text_of("BODY");
    sprite.description = lvl_text_of("two lines");
    g->sprites = &sprite;
    g->frames = &frame;
    g->sprite_count = g->frame_count = 1;
    g->single_direction = 1;
    lvl_expect_written(doc, lvl_bytes_of("GANI0001\n"
                                         "SPRITE    1            BODY    0    0   32   32 two lines\n"
                                         "\n"
                                         "SINGLEDIRECTION\n"
                                         "\n"
                                         "ANI\n"
                                         "   1  -8 16.5\n"
                                         "ANIEND\n"));
    lvl_findings *findings = lvl_findings_new(&ctx);
    const lvl_check_request request = {.findings = findings};
    lvl_buffer out = {0};
    sprite.description = lvl_text_of("two\nlines");
    assert_int_equal(lvl_doc_write(doc, &out), LVL_ERR_LOSS);
    assert_int_equal(out.len, 0);
    lvl_buffer_free(&out);
    assert_int_equal(gani_format->calls->check(doc, &request), LVL_OK);
    assert_int_equal(lvl_count_id(findings, "gani.unwritable"), 1);
    sprite.description = lvl_text_of("one line");
    lvl_findings_clear(findings);
    assert_int_equal(gani_format->calls->check(doc, &request), LVL_OK);
    assert_int_equal(lvl_findings_count(findings), 0);
    lvl_findings_free(findings);
    lvl_doc_free(doc);
}

/* What cannot be written is named, not a line that lacks words and is copied as it is. */
static void test_unwritable_place(void **state)
{
    static const char text[] = "GANI0001\nSPRITE 7\nSINGLEDIRECTION\n\nANI\n 7 0 0\nANIEND\n";
    lvl_doc *doc = read_gani(lvl_bytes_of(text), NULL);
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_gani *g = lvl_doc_root(doc);
    lvl_gani_direction directions[4] = {{0}};
    lvl_buffer out = {0};

    (void)state;
    assert_int_equal(g->sprite_count, 1);
    g->frames[0].directions = directions;
    g->frames[0].direction_count = 4;
    assert_int_equal(lvl_doc_write(doc, &out), LVL_ERR_LOSS);
    assert_int_equal(gani_format->calls->check_writable(doc, findings), LVL_ERR_LOSS);
    assert_int_equal(lvl_findings_count(findings), 1);
    assert_string_equal(lvl_findings_at(findings, 0)->where.steps[0].field->name, "frames");
    lvl_buffer_free(&out);
    lvl_findings_free(findings);
    lvl_doc_free(doc);
}

static void test_check(void **state)
{
    static const char *const file = "GANI0001\n"
                                    "SPRITE 1 a.png 0 0 8 8 one\n"
                                    "SPRITE 1 b.png 0 0 8 8 again\n"
                                    "SPRITE 2 BODY 0 0 8\n"
                                    "ATTACHSPRITE 1 77 0 0\n"
                                    "ATTACHSPRITE2 78 1 0 0\n"
                                    "\n"
                                    "SETBACKTO 2\n"
                                    "DEFAULTHEAD \n"
                                    "DEFAULTBODY a.png\n"
                                    "DEFAULTBODY b.png\n"
                                    "ZOOMEFFECT 79 2\n"
                                    "ZOOMEFFECT -1 2\n"
                                    "HELLO\n"
                                    "\n"
                                    "ANI\n"
                                    "1 0 0, 80 0 0\n"
                                    "80 0 0\n"
                                    "\n"
                                    "1 0 0\n"
                                    "1 0 0\n"
                                    "1 0 0\n"
                                    "1 0 0\n";
    static const char *const repaired = "1 0 0, 80 0 0\n"
                                        "80 0 0\n"
                                        " \n"
                                        " \n"
                                        "\n"
                                        "1 0 0\n"
                                        "1 0 0\n"
                                        "1 0 0\n"
                                        "1 0 0\n"
                                        "ANIEND\n";
    static const char *const expected[] = {
        "gani.sprite.twice",  "gani.line.odd",      "gani.attachment.parent", "gani.attachment.child",
        "gani.setback.frame", "gani.default.empty", "gani.default.twice",     "gani.effect.sprite",
        "gani.line.unknown",  "gani.piece.sprite",  "gani.frame.directions",  "gani.end.missing",
    };
    lvl_ctx strict = ctx;
    strict.profile = LVL_PROFILE_STRICT;
    lvl_findings *findings = lvl_findings_new(&strict), *log = lvl_findings_new(&strict);
    lvl_doc *doc = read_gani(lvl_bytes_of(file), findings);
    const lvl_check_request request = {.findings = findings};
    lvl_repairs repairs = {.log = log, .normalize = true};

    (void)state;
    assert_int_equal(gani_format->calls->check(doc, &request), LVL_OK);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        if (lvl_count_id(findings, expected[i]) != 1)
            print_message("%s: %zu\n", expected[i], lvl_count_id(findings, expected[i]));
        assert_int_equal(lvl_count_id(findings, expected[i]), 1);
    }
    assert_int_equal(lvl_findings_count(findings), sizeof expected / sizeof *expected);
    lvl_expect_written(doc, lvl_bytes_of(file));
    assert_int_equal(gani_format->calls->repair(doc, &repairs), LVL_OK);
    assert_int_equal(lvl_findings_count(log), 2);
    lvl_buffer out = {0};
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    assert_true(out.len > strlen(repaired));
    assert_memory_equal(out.data + out.len - strlen(repaired), repaired, strlen(repaired));
    lvl_buffer_free(&out);
    assert_int_equal(gani_format->calls->repair(doc, &repairs), LVL_OK);
    assert_int_equal(lvl_findings_count(log), 2);
    lvl_doc_free(doc);
    lvl_findings_free(log);
    lvl_findings_free(findings);
}

/* What was begun and not ended is ended by repair. */
static void test_repair_ends(void **state)
{
    static const struct {
        const char *from, *to;
    } cases[] = {
        {"SPRITE 1 a 0 0 8 8\n\nSCRIPT\nx;\n", "SPRITE 1 a 0 0 8 8\n\nSCRIPT\nx;\nSCRIPTEND\n"},
        {"GANI0002\n\nMOVIE\n  ACTOR CHAR a\n    FRAME 1 dx=2\n",
         "GANI0002\n\nMOVIE\n  ACTOR CHAR a\n    FRAME 1 dx=2\n  ACTOREND\nMOVIEEND\n"},
        {"SINGLEDIRECTION\n\nANI\n   1   0   0", "SINGLEDIRECTION\n\nANI\n   1   0   0\nANIEND\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lvl_findings *log = lvl_findings_new(&ctx);
        lvl_repairs repairs = {.log = log, .normalize = true};
        lvl_doc *doc = read_gani(lvl_bytes_of(cases[i].from), NULL);
        lvl_expect_written(doc, lvl_bytes_of(cases[i].from));
        assert_int_equal(gani_format->calls->repair(doc, &repairs), LVL_OK);
        assert_true(lvl_findings_count(log) > 0);
        lvl_expect_written(doc, lvl_bytes_of(cases[i].to));
        lvl_doc_free(doc);
        lvl_findings_free(log);
    }
}

static void test_probe(void **state)
{
    static const lvl_probe_case cases[] = {
        {"GANI0001\n", NULL, true},
        {"# note\n\nGANI0002\n", NULL, true},
        {"GANI0FP4\nxyz\n", NULL, true},
        {"GANI", "a.gani", false},
        {"SPRITE    0         SPRITES    0    0   24   12 shadow\n", NULL, true},
        {"\r\nSPRITE 0 SPRITES 0 0 24 12 shadow\r\n", NULL, true},
        {"SPRITE 0 SPRITES 0 0 24 x\n", NULL, false},
        {"SPRITE is a fizzy drink\n", "a.gani", false},
        {"LOOP\nANI\n", "a.GANI", true},
        {"LOOP\nANI\n", "a.txt", false},
        {"LOOP\nANI\n", NULL, false},
        {"DEFAULTS are bad\n", NULL, false},
        {"hello\nSPRITE 0 SPRITES 0 0 24 12\n", "a.gani", false},
        {"", "a.gani", false},
        {"# a comment\n", "a.gani", false},
    };

    (void)state;
    lvl_expect_probed(gani_format, cases, sizeof cases / sizeof *cases);
}

/* An obfuscated export is kept as it is; a readable one is read. */
static void test_obfuscated(void **state)
{
    static const char *const dark = "GANI0FP4\nxq8 7\x80zz\n\n";
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_doc *doc = read_gani(lvl_bytes_of(dark), findings);

    (void)state;
    assert_int_equal(lvl_count_id(findings, "gani.obfuscated"), 1);
    lvl_expect_written(doc, lvl_bytes_of(dark));
    lvl_doc_free(doc);
    doc = read_gani(lvl_bytes_of("GANI0FP4\nSPRITE 0 a 0 0 1 1\n"), NULL);
    const lvl_gani *g = lvl_doc_croot(doc);
    assert_int_equal(g->sprite_count, 1);
    assert_int_equal(g->version, LVL_GANI0FP4);
    lvl_doc_free(doc);
    lvl_findings_free(findings);
}

/* Long lines and many lines take linear time, and limits are reported as such. */
static void test_large(void **state)
{
    enum { MANY = 200000 };
    lvl_buffer file = {0};
    lvl_ctx tight = ctx;
    lvl_doc *doc = NULL;

    (void)state;
    lvl_buffer_str(&file, "SINGLEDIRECTION\nANI\n");
    for (int i = 0; i < MANY; i++)
        lvl_buffer_str(&file, "1 0 0,");
    for (int i = 0; i < MANY; i++)
        lvl_buffer_str(&file, "\n \n");
    const lvl_bytes bytes = {file.data, file.len};
    doc = read_gani(bytes, NULL);
    const lvl_gani *g = lvl_doc_croot(doc);
    assert_int_equal(g->frames[0].directions[0].piece_count, MANY);
    lvl_expect_written(doc, bytes);
    lvl_doc_free(doc);
    tight.limits.items = 1000;
    assert_int_equal(lvl_read(&doc, &tight, gani_format, bytes, NULL, 0, NULL), LVL_ERR_LIMIT);
    lvl_buffer_free(&file);
}

/* Whether the document is the same without its spelling. */
static bool is_same_unspelled(lvl_doc *doc, lvl_bytes file)
{
    lvl_doc *was = read_gani(file, NULL), *again = NULL;
    lvl_buffer out = {0};

    gani_format->calls->drop_spelling(doc);
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    again = read_gani((lvl_bytes){out.data, out.len}, NULL);
    const bool same = lvl_record_equal(lvl_doc_croot(again), lvl_doc_croot(was), &lvl_gani_table);
    lvl_buffer_free(&out);
    lvl_doc_free(again);
    lvl_doc_free(was);
    return same;
}

/* Every real file comes out as it went in, with nothing left over and nothing wrong, and is the same
 * animation when nothing is kept. */
static void test_corpus(void **state)
{
    const char *dir = lvl_corpus_dir();
    lvl_paths paths = {0};
    size_t odd = 0, kept = 0;

    (void)state;
    if (!dir || !lvl_paths_below(&paths, dir, "gani") || !paths.count) {
        print_message("no corpus: 0 real animations looked at\n");
        lvl_paths_free(&paths);
        skip();
    }
    for (size_t i = 0; i < paths.count; i++) {
        size_t len = 0;
        uint8_t *data = lvl_slurp(paths.items[i], &len);
        lvl_findings *findings = lvl_findings_new(&ctx);
        const lvl_check_request request = {.findings = findings};
        uint64_t residue, overlap;
        lvl_doc *doc = NULL;
        assert_non_null(data);
        assert_int_equal(lvl_read(&doc, &ctx, NULL, (lvl_bytes){data, len}, paths.items[i], 0, findings),
                         LVL_OK);
        assert_ptr_equal(lvl_doc_format(doc), gani_format);
        const lvl_gani *g = lvl_doc_croot(doc);
        assert_true(g->frame_count || g->actor_count);
        lvl_expect_written(doc, (lvl_bytes){data, len});
        assert_int_equal(lvl_residue(doc, &residue, &overlap), LVL_OK);
        assert_int_equal(residue, 0);
        assert_int_equal(overlap, 0);
        assert_int_equal(gani_format->calls->check(doc, &request), LVL_OK);
        odd += lvl_findings_of(findings, LVL_ERROR) + lvl_findings_of(findings, LVL_FATAL);
        assert_int_equal(lvl_count_id(findings, "gani.unwritable"), 0);
        kept += lvl_kept_bytes(doc) != 0;
        assert_true(is_same_unspelled(doc, (lvl_bytes){data, len}));
        lvl_doc_free(doc);
        lvl_findings_free(findings);
        free(data);
    }
    print_message("%zu real animations, %zu with kept source\n", paths.count, kept);
    assert_int_equal(odd, 0);
    lvl_paths_free(&paths);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),       cmocka_unit_test(test_movie),
        cmocka_unit_test(test_exact),      cmocka_unit_test(test_blank_lines),
        cmocka_unit_test(test_spelling),   cmocka_unit_test(test_edit),
        cmocka_unit_test(test_edit_order), cmocka_unit_test(test_edit_blank_lines),
        cmocka_unit_test(test_new),        cmocka_unit_test(test_unwritable_place),
        cmocka_unit_test(test_check),      cmocka_unit_test(test_repair_ends),
        cmocka_unit_test(test_probe),      cmocka_unit_test(test_obfuscated),
        cmocka_unit_test(test_large),      cmocka_unit_test(test_corpus),
    };

    lvl_ctx_init(&ctx);
    gani_format = lvl_format_find("gani");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
