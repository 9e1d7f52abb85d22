/*
 * Text levels of Graal: three styles with either line end, every command, kept spelling, edits, and what
 * cannot be written.
 */
#include "base/buffer.h"
#include "base/format.h"
#include "graal/level/nw_internal.h"
#include "expect.h"
#include "nw_seeds.h"
#include "measure.h"

#include <lvl/graal.h>
#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

static lvl_doc *read_text(const char *text, size_t len, lvl_findings *findings)
{
    lvl_doc *doc = NULL;

    assert_int_equal(lvl_read(&doc, &ctx, NULL, (lvl_bytes){(const uint8_t *)text, len}, NULL, 0, findings),
                     LVL_OK);
    assert_string_equal(lvl_doc_format(doc)->id, "nw");
    return doc;
}

static void expect_written(const lvl_doc *doc, const char *text, size_t len)
{
    lvl_buffer out = {0};

    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    lvl_buffer_u8(&out, 0);
    if (out.len - 1 != len || memcmp(out.data, text, len) != 0) {
        fprintf(stderr, "written:\n%s\n", (const char *)out.data);
        fail_msg("%zu bytes written, %zu expected", out.len - 1, len);
    }
    lvl_buffer_free(&out);
}

/* Through the file, and through a dump. */
static void expect_exact(const char *text, size_t len)
{
    lvl_buffer json = {0};
    lvl_doc *again = NULL;
    lvl_doc *doc = read_text(text, len, NULL);

    expect_written(doc, text, len);
    assert_int_equal(lvl_dump(doc, NULL, &json, NULL), LVL_OK);
    assert_int_equal(lvl_undump(&again, &ctx, (lvl_text){(const char *)json.data, json.len}, NULL), LVL_OK);
    expect_written(again, text, len);
    lvl_doc_free(again);
    lvl_doc_free(doc);
    lvl_buffer_free(&json);
}

static void every_style(void **state)
{
    (void)state;
    for (unsigned style = LVL_NW_OFFICIAL; style <= LVL_NW_BLANK_AFTER; style++) {
        for (int crlf = 0; crlf < 2; crlf++) {
            lvl_buffer file = {0};
            assert_int_equal(lvl_nw_styled(style, crlf, &file), LVL_OK);
            expect_exact((const char *)file.data, file.len);
            lvl_doc *doc = read_text((const char *)file.data, file.len, NULL);
            const lvl_graal *g = lvl_doc_croot(doc);
            assert_int_equal(g->line_end, crlf);
            assert_true(style != LVL_NW_OFFICIAL || lvl_kept_bytes(doc) == 0);
            assert_int_equal(g->version, LVL_GLEVNW01);
            assert_int_equal(g->layer_count, 1);
            assert_int_equal(lvl_cell(&g->layers[0].tiles, 1, 0), 1);
            assert_int_equal(lvl_cell(&g->layers[0].tiles, 2, 1), 4095);
            assert_int_equal(lvl_cell(&g->layers[0].tiles, 4, 0), LVL_GRAAL_ABSENT);
            assert_int_equal(lvl_cell(&g->layers[0].tiles, 2, 3), 2 * 64 + 41);
            assert_int_equal(g->link_count, 2);
            assert_true(g->links[0].y == 62.5);
            assert_true(lvl_text_is(g->links[0].dest_x, "playerx"));
            assert_int_equal(g->sign_count, 2);
            assert_true(lvl_text_is(g->signs[0].text, "Hello #K(233)\n#b\n  two lines"));
            assert_int_equal(g->signs[1].text.len, 0);
            assert_int_equal(g->baddies[0].type, 3);
            assert_true(lvl_text_is(g->baddies[0].hurt, "Ouch!"));
            assert_int_equal(g->baddies[0].win.len, 0);
            assert_int_equal(g->chests[1].item, 7);
            assert_int_equal(g->chests[0].sign, -1);
            assert_int_equal(g->npc_count, 2);
            assert_int_equal(g->npcs[0].image.len, 0);
            assert_true(g->npcs[0].x == 12.5 && g->npcs[0].y == -3);
            assert_true(lvl_text_is(g->npcs[0].script, "// script\nif (created) {\n\n  NPC x y z\n}"));
            assert_true(lvl_text_is(g->npcs[1].image, "light\xE9.png"));
            assert_true(g->npcs[1].x == 30.3125);
            lvl_doc_free(doc);
            lvl_buffer_free(&file);
        }
    }
}

/* Blank lines of all sorts are kept where they are. */
static void blank_lines(void **state)
{
    static const char *const files[] = {
        "GLEVNW01\nBOARD 0 0 1 0 AA\n\nLINK a.nw 1 2 3 4 5 6\nLINK b.nw 1 2 3 4 5 6\n\nSIGN 1 "
        "2\na\nSIGNEND\n\n"
        "SIGN 1 2\na\nSIGNEND\n\nCHEST 1 2 bow 0\nNPC - 1 2\n\nNPCEND\nNPC - 1 2\n\nNPCEND\n",
        "GLEVNW01\nBOARD 0 0 1 0 AA\nSIGN 1 2\na\nSIGNEND\nNPC - 1 2\n\nNPCEND\n\nNPC - 1 2\n\nNPCEND\n\n"
        "NPC - 1 2\n\nNPCEND\n\n",
        "GLEVNW01\n\nBOARD 0 0 1 0 AA\n\nLINK a.nw 1 2 3 4 5 6\n\nLINK b.nw 1 2 3 4 5 6\n\nCHEST 1 2 bow "
        "0\n\n"
        "CHEST 1 2 bow 0\n\nNPC - 1 2\n\nNPCEND\n\nNPC - 1 2\n\nNPCEND\n",
        "GLEVNW01\nBOARD 0 0 1 0 AA\n\nBOARD 0 0 1 1 AA\n\nNPC - 1 2\n\nNPCEND\n\nLINK a.nw 1 2 3 4 5 6\n"
        "LINK b.nw 1 2 3 4 5 6\nSIGN 1 2\na\nSIGNEND\n\nLINK a.nw 1 2 3 4 5 6\nTILESET a\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        expect_exact(files[i], strlen(files[i]));
}

static void extensions(void **state)
{
    lvl_findings *f = lvl_findings_new(&ctx);
    lvl_buffer file = {0};

    (void)state;
    assert_int_equal(lvl_nw_seed(LVL_NW_SEED_EXTENDED, &file), LVL_OK);
    expect_exact((const char *)file.data, file.len);
    lvl_doc *doc = read_text((const char *)file.data, file.len, f);
    const lvl_graal *g = lvl_doc_croot(doc);
    assert_int_equal(g->layer_count, 2);
    assert_int_equal(g->layers[1].number, 1);
    assert_int_equal(lvl_cell(&g->layers[1].tiles, 61, 63), 4095);
    assert_int_equal(lvl_cell(&g->layers[1].tiles, 0, 0), LVL_GRAAL_ABSENT);
    assert_true(lvl_text_is(g->links[0].level, "a far level.nw"));
    assert_int_equal(g->links[1].dest_layer, 1);
    assert_int_equal(g->links[1].layer, 2);
    assert_true(lvl_text_is(g->links[1].dest_y, "playery-38"));
    assert_true(lvl_text_is(g->links[2].level, "one 1.nw"));
    assert_int_equal(g->links[2].dest_layer, 1);
    assert_int_equal(g->signs[0].layer, 3);
    assert_int_equal(g->baddies[0].layer, 1);
    assert_int_equal(g->baddies[1].type, 9);
    assert_int_equal(g->baddies[2].type, 12);
    assert_int_equal(g->baddies[3].type, -1);
    assert_true(lvl_text_is(g->baddies[3].attack, "only one"));
    assert_int_equal(g->chests[0].layer, 1);
    assert_int_equal(g->chests[1].item, 24);
    assert_int_equal(g->chests[2].item, -1);
    assert_true(lvl_text_is(g->npcs[0].image, "a tall ladder.png"));
    assert_int_equal(g->npcs[1].layer, 3);
    assert_true(lvl_text_is(g->npcs[2].image, "stone 2"));
    assert_true(g->npcs[2].x == 1.5);
    assert_int_equal(g->height_count, LVL_GRAAL_HEIGHTS);
    assert_true(g->heights[3] == -36.75 || g->heights[3] == -37.25);
    assert_int_equal(g->tileset_count, 3);
    assert_true(lvl_text_is(g->tilesets[1].type, "tiles.png 1"));
    assert_int_equal(g->tilesets[2].image, 1);
    assert_true(lvl_count_id(f, "graal.nw.name"));
    assert_true(lvl_findings_worst(f) < LVL_ERROR);
    lvl_doc_free(doc);
    lvl_buffer_free(&file);
    lvl_findings_free(f);
}

/* A BOARD line that counts fewer tiles than it has: an error; the tiles are read, kept by an edit, and
 * counted by repair. */
static void hidden_tiles(void **state)
{
    static const char text[] = "GLEVNW01\nBOARD 0 0 2 0 ABACADAE\nBOARD 0 1 2 0 ABACA\n";
    lvl_findings *f = lvl_findings_new(&ctx);
    lvl_repairs repairs = {.log = f};
    lvl_buffer out = {0};

    (void)state;
    expect_exact(text, sizeof text - 1);
    lvl_doc *doc = read_text(text, sizeof text - 1, f);
    lvl_graal *g = lvl_doc_root(doc);
    assert_true(lvl_count_id(f, "graal.nw.row_hides"));
    assert_true(lvl_count_id(f, "graal.nw.row_long")); /* half a tile hides none */
    for (uint32_t x = 0; x < 4; x++)
        assert_int_equal(lvl_cell(&g->layers[0].tiles, x, 0), x + 1);
    uint8_t *cells = lvl_cells_edit(doc, &g->layers[0],
                                    lvl_table_at(&lvl_graal_layer_table, offsetof(lvl_graal_layer, tiles)));
    assert_non_null(cells);
    cells[0] = 7;
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    lvl_buffer_u8(&out, 0);
    assert_string_equal((const char *)out.data, "GLEVNW01\nBOARD 0 0 4 0 AHACADAE\nBOARD 0 1 2 0 ABACA\n");
    lvl_doc_free(doc);
    out.len = 0;
    doc = read_text(text, sizeof text - 1, NULL);
    assert_int_equal(doc->format->calls->repair(doc, &repairs), LVL_OK);
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    lvl_buffer_u8(&out, 0);
    lvl_expect_in(out.data, "BOARD 0 0 4 0 ABACADAE");
    lvl_doc_free(doc);
    lvl_buffer_free(&out);
    lvl_findings_free(f);
}

/* Tiles beyond the board's edge: an error. Other rows can be edited; an edit of that row is refused. */
static void tiles_beyond(void **state)
{
    static const char text[] = "GLEVNW01\nBOARD 62 0 4 0 ABACADAE\nBOARD 0 1 2 0 ABAC\n";
    const lvl_field *tiles = lvl_table_at(&lvl_graal_layer_table, offsetof(lvl_graal_layer, tiles));
    lvl_findings *f = lvl_findings_new(&ctx);
    lvl_buffer out = {0};

    (void)state;
    expect_exact(text, sizeof text - 1);
    lvl_doc *doc = read_text(text, sizeof text - 1, f);
    lvl_graal *g = lvl_doc_root(doc);
    assert_true(lvl_count_id(f, "graal.nw.row_beyond"));
    assert_int_equal(lvl_findings_worst(f), LVL_ERROR);
    uint8_t *cells = lvl_cells_edit(doc, &g->layers[0], tiles);
    assert_non_null(cells);
    cells[64 * 2] = 7;
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    lvl_buffer_u8(&out, 0);
    assert_string_equal((const char *)out.data, "GLEVNW01\nBOARD 62 0 4 0 ABACADAE\nBOARD 0 1 2 0 AHAC\n");
    out.len = 0;
    cells[62 * 2] = 7;
    assert_int_equal(lvl_doc_write(doc, &out), LVL_ERR_LOSS);
    assert_int_equal(out.len, 0);
    lvl_doc_free(doc);
    lvl_buffer_free(&out);
    lvl_findings_free(f);
}

static void oddities(void **state)
{
    static const char *const ids[] = {
        "graal.nw.first_line", "graal.nw.line",      "graal.nw.command",   "graal.nw.end_unmatched",
        "graal.nw.inside",     "graal.nw.unclosed",  "graal.nw.number",    "graal.nw.verses",
        "graal.nw.row",        "graal.nw.row_hides", "graal.nw.row_twice", "graal.nw.absent",
    };
    lvl_findings *f = lvl_findings_new(&ctx);
    lvl_buffer file = {0};

    (void)state;
    assert_int_equal(lvl_nw_seed(LVL_NW_SEED_ODD, &file), LVL_OK);
    expect_exact((const char *)file.data, file.len);
    lvl_doc *doc = read_text((const char *)file.data, file.len, f);
    const lvl_graal *g = lvl_doc_croot(doc);
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        if (!lvl_count_id(f, ids[i]))
            fail_msg("no %s", ids[i]);
    }
    assert_int_equal(g->layer_count, 1);
    assert_int_equal(lvl_cell(&g->layers[0].tiles, 2, 0), 0);
    assert_int_equal(lvl_cell(&g->layers[0].tiles, 3, 0), 3); /* "A*" has no tile */
    assert_int_equal(lvl_cell(&g->layers[0].tiles, 4, 0), 2);
    assert_int_equal(g->npc_count, 3);
    assert_true(lvl_text_is(g->npcs[0].script, "BOARD 0 0 64 0 AA"));
    assert_true(g->npcs[0].x == 30 && g->npcs[0].y == 1.5);
    assert_true(lvl_text_is(g->npcs[1].script, "with a CR\r\n\r"));
    assert_true(lvl_text_is(g->npcs[2].script, "no end"));
    assert_true(g->npcs[2].x == 10);
    assert_int_equal(g->link_count, 1);
    assert_true(g->links[0].x == 1 && g->links[0].height == 4);
    assert_int_equal(g->signs[0].y, 2);
    lvl_doc_free(doc);
    lvl_buffer_free(&file);
    lvl_findings_free(f);
}

/* Small files with one oddity each: all come back as they were. */
static void small_files(void **state)
{
    static const char *const files[] = {
        "GLEVNW01",
        "GLEVNW01\n",
        "GLEVNW01\r\n",
        "GLEVNW01\r",
        "GLEVNW01\n\n",
        "GLEVNW01\n\n\nx",
        "GLEVNW01x\n",
        "GLEVNW01\r\nNPC - 1 2\n\nNPCEND\n",
        "GLEVNW01\nNPC - 1 2\r\na\r\nNPCEND\r\n",
        "GLEVNW01\nNPC - 1 2\nNPCEND\n",
        "GLEVNW01\nNPC - 1 2\nNPCEND",
        "GLEVNW01\nNPC - 1 2\n",
        "GLEVNW01\nNPC - 1 2",
        "GLEVNW01\r\nNPC - 1 2",
        "GLEVNW01\r\nNPC - 1 2\r\n",
        "GLEVNW01\r\nNPC - 1 2\r",
        "GLEVNW01\r\nNPC - 1 2\r\n\r\nNPCEND\r",
        "GLEVNW01\nNPC - 1 2\n\n",
        "GLEVNW01\nNPC - 01 2\n\nNPCEND\n",
        "GLEVNW01\nNPC - 01 2\n\nNPCEND",
        "GLEVNW01\nNPC - 1 2\n\nNPCEND \n",
        "GLEVNW01\nSIGN 1 2\nSIGNEND\nSIGN 1 2\n\nSIGNEND\n",
        "GLEVNW01\nBADDY 1 2 3\nBADDYEND\n",
        "GLEVNW01\nBADDY 1 2 3\na\nb\nc\nd\nBADDYEND\n",
        "GLEVNW01\nLINK a 1 2 3 4 5 6",
        "GLEVNW01\nLINK a 1 2 3 4 5 6 7\n",
        "GLEVNW01\nLINK a 1 2 3 4 5 6 7 8 9\n",
        "GLEVNW01\nLINK a b c d e f g\n",
        "GLEVNW01\nLINK  a  1 2 3 4 5 6\n",
        "GLEVNW01\nLINK a  b 1 2 3 4 5 6\n",
        "GLEVNW01\nLINK\ta 1 2 3 4 5 6\n",
        "GLEVNW01\nLINK a 30.333333333333332 2 3 4 5 6\n",
        "GLEVNW01\nLINK a 1e400 -0 .5 5. 5 6\n",
        "GLEVNW01\nLINK a 1 2 3 4 5 6\nBOARD 0 0 1 0 AA\nLINK b 1 2 3 4 5 6\nBOARD 0 1 1 0 AA\n",
        "GLEVNW01\nBOARD 0 0 1 0 AA\nBOARD 1 0 1 0 AA\n",
        "GLEVNW01\nBOARD 0 0 1 1 AA\nBOARD 0 0 1 0 AA\n",
        "GLEVNW01\nBOARD 0 0 1 1 AA\nBOARD 0 0 1 0 AA\nBOARD 0 1 1 1 AA\n",
        "GLEVNW01\nBOARD 0 0 2 0 AA\n",
        "GLEVNW01\nBOARD 0 0 2 0 AAA",
        "GLEVNW01\nBOARD 0 0 64 256 AA\n",
        "GLEVNW01\nBOARD 0 64 1 0 AA\n",
        "GLEVNW01\nBOARD 63 0 2 0 AAAA\n",
        "GLEVNW01\nHEIGHTS\nHEIGHTSEND\n",
        "GLEVNW01\nHEIGHTS\n1,2,\n3\nHEIGHTSEND\nHEIGHTS\n4\nHEIGHTSEND\n",
        "GLEVNW01\nHEIGHTS\n1,,x\n",
        "GLEVNW01\nTILESET a  b \nTILESET\nTILESETIMAGES a\n",
        "GLEVNW01\nCHEST 1 2 bow 0 1 2\nCHEST 99999999999 2 bow 0\n",
        "GLEVNW01\nNPC a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h i j k\nNPCEND\n",
        "GLEVNW01\nNPC a\n// not one\nNPCEND\n",
        "\xEF\xBB\xBFGLEVNW01\r\nBOARD 0 0 1 0 AA\r\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        expect_exact(files[i], strlen(files[i]));
}

/* ---- edits ------------------------------------------------------------------------------------------- */

/* Sets, and expects the text with the first `from` in it made `to`. */
static void expect_set(const lvl_buffer *file, const char *assignment, const char *from, const char *to)
{
    const char *const assignments[] = {assignment};
    lvl_buffer want = {0};
    size_t changed;

    lvl_doc *doc = read_text((const char *)file->data, file->len, NULL);
    assert_int_equal(lvl_set(doc, assignments, 1, &changed, NULL), LVL_OK);
    lvl_buffer_add(&want, file->data, file->len);
    lvl_buffer_u8(&want, 0);
    char *at = strstr((char *)want.data, from);
    assert_non_null(at);
    const size_t before = (size_t)(at - (char *)want.data);
    want.len = before;
    lvl_buffer_str(&want, to);
    lvl_buffer_add(&want, file->data + before + strlen(from), file->len - before - strlen(from));
    expect_written(doc, (const char *)want.data, want.len);
    lvl_buffer_free(&want);
    lvl_doc_free(doc);
}

static void edits_change_what_they_must(void **state)
{
    lvl_buffer file = {0};

    (void)state;
    assert_int_equal(lvl_nw_seed(LVL_NW_SEED_ODD, &file), LVL_OK);
    expect_set(&file, "npcs[0].x=7", "NPC a.png 030 1.50 \n", "NPC a.png 7 1.50 \n");
    expect_set(&file, "npcs[0].script=x", "BOARD 0 0 64 0 AA\nNPCEND ", "x\nNPCEND ");
    expect_set(&file, "npcs[1].script=x", "with a CR\r\n\r\nNPCEND\r", "x\nNPCEND\r");
    expect_set(&file, "npcs[1].x=5", "NPC - 1 2\nwith", "NPC - 5 2\nwith");
    expect_set(&file, "npcs[2].script=other", "no end", "other");
    expect_set(&file, "npcs[2].y=3", "NPC - 1e1 2", "NPC - 1e1 3");
    expect_set(&file, "links[0].x=4", "LINK b.nw +1 2 3 4e0 5 6", "LINK b.nw 4 2 3 4e0 5 6");
    expect_set(&file, "signs[0].x=4", "SIGN 1 2x", "SIGN 4 2x");
    expect_set(&file, "signs[0].text=words", "SIGNEND", "words\nSIGNEND");
    expect_set(&file, "baddies[0].type=dragon", "BADDY 1 2 5", "BADDY 1 2 9");
    expect_set(&file, "chests[0].item=bomb", "CHEST 1 2 7 3 0", "CHEST 1 2 bomb 3 0");
    lvl_buffer_free(&file);
}

/* An edit of another word of the line leaves words that are no value of their member, and further ones. */
static void odd_words_stay(void **state)
{
    lvl_buffer file = {0};

    (void)state;
    lvl_buffer_str(&file, "GLEVNW01\nNPC a.png x 2 extra\n\nNPCEND\nCHEST 1 2 fancybow 1\nSIGN 1 2 "
                          "extra\nx\nSIGNEND\nBADDY 1 2 q\n"
                          "\nBADDYEND\n");
    expect_set(&file, "chests[0].y=9", "CHEST 1 2 fancybow 1", "CHEST 1 9 fancybow 1");
    expect_set(&file, "chests[0].item=bow", "CHEST 1 2 fancybow 1", "CHEST 1 2 bow 1");
    expect_set(&file, "signs[0].y=9", "SIGN 1 2 extra", "SIGN 1 9 extra");
    expect_set(&file, "baddies[0].x=9", "BADDY 1 2 q", "BADDY 9 2 q");
    lvl_buffer_free(&file);
}

static const lvl_field *list_of(const char *name)
{
    return lvl_table_find(&lvl_graal_table, lvl_text_of(name));
}

static void lists_change(void **state)
{
    static const char from[] =
        "GLEVNW01\n// first\nBOARD 0 0 1 0 AA\nNPC a 1 2\n\nNPCEND\n\nLINK a 1 2 3 4 5 6\n// second\n"
        "NPC b 1 2\n\nNPCEND\nSIGN 1 2\n\nSIGNEND\nend";
    static const char inserted[] =
        "GLEVNW01\n// first\nBOARD 0 0 1 0 AA\nNPC a 1 2\n\nNPCEND\n\nLINK a 1 2 3 4 5 6\n"
        "\nLINK new 0 0 0 0 1 2\n// second\nNPC b 1 2\n\nNPCEND\nSIGN 1 2\n\nSIGNEND\n"
        "CHEST 0 0 greenrupee -1\nend";
    static const char removed[] =
        "GLEVNW01\n// first\nBOARD 0 0 1 0 AA\n\nLINK a 1 2 3 4 5 6\n// second\nNPC b 1 2\n\nNPCEND\n"
        "SIGN 1 2\n\nSIGNEND\nend";

    (void)state;
    lvl_doc *doc = read_text(from, sizeof from - 1, NULL);
    lvl_graal *g = lvl_doc_root(doc);
    assert_int_equal(lvl_list_insert(doc, g, list_of("links"), 1, 1), LVL_OK);
    g->links[1].level = lvl_text_of("new");
    g->links[1].dest_x = lvl_text_of("1");
    g->links[1].dest_y = lvl_text_of("2");
    assert_int_equal(lvl_list_insert(doc, g, list_of("chests"), 0, 1), LVL_OK);
    expect_written(doc, inserted, sizeof inserted - 1);
    lvl_doc_free(doc);

    doc = read_text(from, sizeof from - 1, NULL);
    g = lvl_doc_root(doc);
    assert_int_equal(lvl_list_remove(doc, g, list_of("npcs"), 0, 1), LVL_OK);
    expect_written(doc, removed, sizeof removed - 1);
    lvl_doc_free(doc);
}

static void tiles_change(void **state)
{
    static const char from[] = "GLEVNW01\nBOARD 0 1 2 0 AAAB\nBOARD 0 0 2 0 AAAB\nLINK  a 1 2 3 4 5 6\n";
    static const char to[] =
        "GLEVNW01\nBOARD 0 1 2 0 AAAB\nBOARD 5 1 1 0 AC\nBOARD 0 0 1 0 AA\nLINK  a 1 2 3 4 5 6\n";

    (void)state;
    lvl_doc *doc = read_text(from, sizeof from - 1, NULL);
    lvl_graal *g = lvl_doc_root(doc);
    uint8_t *cells = lvl_cells_edit(doc, &g->layers[0],
                                    lvl_table_at(&lvl_graal_layer_table, offsetof(lvl_graal_layer, tiles)));
    assert_non_null(cells);
    expect_written(doc, from, sizeof from - 1); /* the lines keep their bytes, whatever changes the cells */
    cells[2] = cells[3] = 0xFF;
    cells[(64 + 5) * 2] = 2;
    cells[(64 + 5) * 2 + 1] = 0;
    expect_written(doc, to, sizeof to - 1);
    lvl_doc_free(doc);
}

/* An unusual row is kept by itself, and stays after edits of others. */
static void odd_rows(void **state)
{
    static const char from[] = "GLEVNW01\nBOARD 0 0 2 0 AAAB\nBOARD  3 1 2 0 A*AB \nBOARD 0 2 64 0 AAABA";
    static const char to[] = "GLEVNW01\nBOARD 0 0 2 0 AAAC\nBOARD  3 1 2 0 A*AB \nBOARD 0 2 64 0 AAABA";
    static const char too[] = "GLEVNW01\nBOARD 0 0 2 0 AAAC\nBOARD 3 1 2 0 ACAB\nBOARD 0 2 64 0 AAABA";

    (void)state;
    expect_exact(from, sizeof from - 1);
    lvl_doc *doc = read_text(from, sizeof from - 1, NULL);
    lvl_graal *g = lvl_doc_root(doc);
    assert_int_equal(lvl_cell(&g->layers[0].tiles, 3, 1), LVL_GRAAL_ABSENT);
    assert_int_equal(lvl_cell(&g->layers[0].tiles, 1, 2), 1);
    uint8_t *cells = lvl_cells_edit(doc, &g->layers[0],
                                    lvl_table_at(&lvl_graal_layer_table, offsetof(lvl_graal_layer, tiles)));
    assert_non_null(cells);
    cells[2] = 2;
    expect_written(doc, to, sizeof to - 1);
    cells[(64 + 3) * 2] = 2;
    cells[(64 + 3) * 2 + 1] = 0;
    expect_written(doc, too, sizeof too - 1);
    lvl_doc_free(doc);
}

/* Text that no member holds: other lines can be edited, and an edit that would lose it is refused. */
static void further_text(void **state)
{
    static const char text[] =
        "GLEVNW01\nCHEST 1 2 bow 0 0 9\nBADDY 1 2 3\na\nb\nc\nd\nBADDYEND\nCHEST 3 4 bow 0\n";
    static const struct {
        const char *assignment, *from, *to; /* `from` NULL: refused */
    } cases[] = {
        {"chests[0].x=5", NULL, NULL},
        {"baddies[0].hurt=x", NULL, NULL},
        {"baddies[0].x=5", "BADDY 1", "BADDY 5"},
        {"chests[1].x=5", "CHEST 3", "CHEST 5"},
    };
    const lvl_buffer file = {.data = (uint8_t *)(uintptr_t)text, .len = sizeof text - 1};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lvl_buffer out = {0};
        size_t changed;
        if (cases[i].from) {
            expect_set(&file, cases[i].assignment, cases[i].from, cases[i].to);
            continue;
        }
        lvl_findings *f = lvl_findings_new(&ctx);
        lvl_doc *doc = read_text(text, sizeof text - 1, NULL);
        assert_int_equal(lvl_set(doc, &cases[i].assignment, 1, &changed, NULL), LVL_OK);
        assert_int_equal(lvl_doc_write_with_findings(doc, &out, f), LVL_ERR_LOSS);
        assert_int_equal(out.len, 0);
        assert_true(lvl_count_id(f, "graal.nw.unwritable"));
        lvl_doc_free(doc);
        lvl_findings_free(f);
        lvl_buffer_free(&out);
    }
}

static void without_kept(void **state)
{
    lvl_buffer file = {0}, json = {0}, out = {0};
    lvl_doc *again = NULL, *third = NULL;
    const lvl_dump_options options = {.no_kept = true};

    (void)state;
    for (int seed = 0; seed < LVL_NW_SEED_COUNT; seed++) {
        file.len = json.len = out.len = 0;
        assert_int_equal(lvl_nw_seed(seed, &file), LVL_OK);
        lvl_doc *doc = read_text((const char *)file.data, file.len, NULL);
        assert_int_equal(lvl_dump(doc, &options, &json, NULL), LVL_OK);
        assert_int_equal(lvl_undump(&again, &ctx, (lvl_text){(const char *)json.data, json.len}, NULL),
                         LVL_OK);
        assert_int_equal(lvl_doc_write(again, &out), LVL_OK);
        third = read_text((const char *)out.data, out.len, NULL);
        assert_true(lvl_record_equal(lvl_doc_croot(doc), lvl_doc_croot(third), &lvl_graal_table));
        assert_int_equal(lvl_kept_bytes(third), 0);
        lvl_doc_free(doc);
        lvl_doc_free(again);
        lvl_doc_free(third);
    }
    lvl_buffer_free(&file);
    lvl_buffer_free(&json);
    lvl_buffer_free(&out);
}

/* ---- what cannot be written -------------------------------------------------------------------------- */

static void refused(void **state)
{
    static const struct {
        const char *assignment, *path;
    } cases[] = {
        {"npcs[0].script=a\nNPCEND\nb", "npcs[0].script"},
        {"npcs[0].script=NPCEND ", "npcs[0].script"},
        {"signs[0].text=SIGNEND", "signs[0].text"},
        {"baddies[0].win=a\nb", "baddies[0].win"},
        {"baddies[0].attack=BADDYEND", "baddies[0].attack"},
        {"links[0].level=", "links[0].level"},
        {"links[0].level=a\nb", "links[0].level"},
        {"links[0].dest_x=1 2", "links[0].dest_x"},
        {"npcs[0].image= a", "npcs[0].image"},
        {"npcs[0].image=-", "npcs[0].image"},
        {"version=GR-V1.03", "version"},
        {"layers[0].number=256", "layers[0]"},
        {"layers[0].tiles[1,0]=4096", "layers[0]"},
    };
    static const char *const fine[] = {"npcs[0].script=\nNPC - 1 2\nSIGNEND",
                                       "npcs[0].image=a 1",
                                       "npcs[0].image=1",
                                       "links[0].level=a 1 2",
                                       "npcs[0].script=a\r",
                                       "layers[0].tiles[1,0]=4095"};
    lvl_buffer file = {0};

    (void)state;
    for (int crlf = 0; crlf < 2; crlf++) {
        file.len = 0;
        assert_int_equal(lvl_nw_styled(LVL_NW_OFFICIAL, crlf, &file), LVL_OK);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            lvl_doc *doc = read_text((const char *)file.data, file.len, NULL);
            lvl_findings *f = lvl_findings_new(&ctx);
            lvl_buffer out = {0};
            size_t changed;
            char path[100];
            assert_int_equal(lvl_set(doc, &cases[i].assignment, 1, &changed, f), LVL_OK);
            assert_int_equal(lvl_doc_write(doc, &out), LVL_ERR_LOSS);
            assert_int_equal(out.len, 0);
            assert_int_equal(lvl_doc_write_with_findings(doc, &out, f), LVL_ERR_LOSS);
            assert_true(lvl_count_id(f, "graal.nw.unwritable"));
            lvl_where_text(&lvl_findings_at(f, 0)->where, path, sizeof path);
            assert_string_equal(path, cases[i].path);
            lvl_findings_free(f);
            lvl_buffer_free(&out);
            lvl_doc_free(doc);
        }
        for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
            lvl_doc *doc = read_text((const char *)file.data, file.len, NULL);
            lvl_buffer out = {0};
            size_t changed;
            assert_int_equal(lvl_set(doc, &fine[i], 1, &changed, NULL), LVL_OK);
            assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
            lvl_doc *again = read_text((const char *)out.data, out.len, NULL);
            assert_true(lvl_record_equal(lvl_doc_croot(doc), lvl_doc_croot(again), &lvl_graal_table));
            lvl_doc_free(again);
            lvl_buffer_free(&out);
            lvl_doc_free(doc);
        }
    }
    lvl_buffer_free(&file);
}

/* Every byte at every place of a row, in blocks that are decoded at once and in what is left over. */
static void characters(void **state)
{
    enum { TILES = 70, UNSET = 0xEEEE };
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char row[TILES * 2];
    uint8_t cells[TILES * 2];

    (void)state;
    for (unsigned byte = 0; byte < 256; byte++) {
        const char *found = byte ? strchr(alphabet, (int)byte) : NULL;
        for (unsigned at = 0; at < sizeof row; at++) {
            memset(row, 'B', sizeof row);
            memset(cells, UNSET & 0xFF, sizeof cells);
            row[at] = (char)byte;
            assert_int_equal(lvl_nw_decode(row, TILES, cells), found != NULL);
            for (unsigned i = 0; i < TILES; i++) {
                const unsigned bits = found ? (unsigned)(found - alphabet) : 0,
                               is = cells[i * 2] | cells[i * 2 + 1] << 8;
                const unsigned tile = at % 2 ? 1U << 6 | bits : bits << 6 | 1;
                assert_int_equal(is, i != at / 2 ? 1U << 6 | 1 : found ? tile : UNSET);
            }
        }
    }
}

static void probing(void **state)
{
    static const char *const foreign[] = {"", "GLEVNW0", "\xEF\xBBGLEVNW01\n", "GR-V1.03", "glevnw01\n"};
    static const char wrong[] = "GLEVNW02\n";
    lvl_findings *f = lvl_findings_new(&ctx);
    lvl_doc *doc = NULL;

    (void)state;
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        const lvl_bytes bytes = {(const uint8_t *)foreign[i], strlen(foreign[i])};
        const lvl_format *format = lvl_probe(bytes, bytes, bytes.len, "a.nw", NULL);
        assert_true(!format || strcmp(format->id, "nw") != 0);
        lvl_findings_clear(f);
        assert_int_equal(lvl_read(&doc, &ctx, lvl_format_find("nw"), bytes, NULL, 0, f), LVL_ERR_FORMAT);
        assert_true(lvl_count_id(f, "graal.nw.header"));
    }
    /* A wrong byte of the header is an error, but hides nothing if one says what the file is. */
    lvl_findings_clear(f);
    assert_int_equal(lvl_read(&doc, &ctx, lvl_format_find("nw"),
                              (lvl_bytes){(const uint8_t *)wrong, strlen(wrong)}, NULL, 0, f),
                     LVL_OK);
    assert_true(lvl_count_id(f, "lvl.file.header"));
    lvl_doc_free(doc);
    doc = NULL;
    lvl_findings_free(f);
}

/* Commands in a block of heights without an end are reported, as in other blocks. */
static void inside_heights(void **state)
{
    static const char text[] = "GLEVNW01\nHEIGHTS\n1,2\nLINK a 1 2 3 4 5 6\nHEIGHTSEND\n";
    lvl_findings *f = lvl_findings_new(&ctx);

    (void)state;
    lvl_doc *doc = read_text(text, sizeof text - 1, f);
    assert_int_equal(lvl_count_id(f, "graal.nw.inside"), 1);
    lvl_doc_free(doc);
    lvl_findings_free(f);
}

/* Every place of a finding is a place of the file, and the right one. */
static void findings_have_places(void **state)
{
    static const char text[] = "GLEVNW01\nBOARD 0 0 2 0 AA\nNPC - 1 2\nNPC - 3 4\n\nNPCEND\nNPCEND\n";
    lvl_findings *f = lvl_findings_new(&ctx);
    unsigned seen = 0;

    (void)state;
    lvl_doc *doc = read_text(text, sizeof text - 1, f);
    for (size_t i = 0; i < lvl_findings_count(f); i++) {
        const lvl_finding *one = lvl_findings_at(f, i);
        const char *at = text + one->position.bit / 8;
        if (strcmp(one->def->id, "graal.nw.row") == 0)
            seen += one->position.known && strncmp(at, "BOARD 0 0 2", 11) == 0;
        if (strcmp(one->def->id, "graal.nw.inside") == 0)
            seen += one->position.known && strncmp(at, "NPC - 3 4", 9) == 0;
        if (strcmp(one->def->id, "graal.nw.end_unmatched") == 0)
            seen += one->position.known && at == text + sizeof text - 1 - strlen("NPCEND\n");
    }
    assert_int_equal(seen, 3);
    lvl_doc_free(doc);
    lvl_findings_free(f);
}

/* A level with very many lines can be edited within the default limits, and only the line that changed is
 * written. */
static void large_text(void **state)
{
    static const char line[] = "LINK  a.nw 1 1 1 1 1 1\n", edited[] = "LINK  a.nw 3 1 1 1 1 1\n";
    static const char header[] = "GLEVNW01\n", *const change = "links[0].x=3";
    enum { LINES = 500000, LEN = sizeof line - 1 };
    lvl_buffer file = {0}, out = {0};
    size_t changed;
    lvl_doc *doc;

    (void)state;
    lvl_buffer_str(&file, header);
    for (uint32_t i = 0; i < LINES; i++)
        lvl_buffer_add(&file, line, LEN);
    assert_int_equal(file.status, LVL_OK);
    lvl_findings *findings = lvl_findings_new(&ctx);
    assert_int_equal(
        lvl_read(&doc, &ctx, NULL, lvl_buffer_bytes(&file), NULL, LVL_READ_BORROW | LVL_READ_EDIT, NULL),
        LVL_OK);
    assert_int_equal(lvl_set(doc, &change, 1, &changed, findings), LVL_OK);
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    memcpy(file.data + sizeof header - 1, edited, LEN);
    assert_int_equal(out.len, file.len);
    assert_memory_equal(out.data, file.data, file.len);
    lvl_doc_free(doc);
    lvl_findings_free(findings);
    lvl_buffer_free(&file);
    lvl_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_style),
        cmocka_unit_test(blank_lines),
        cmocka_unit_test(large_text),
        cmocka_unit_test(extensions),
        cmocka_unit_test(hidden_tiles),
        cmocka_unit_test(tiles_beyond),
        cmocka_unit_test(oddities),
        cmocka_unit_test(small_files),
        cmocka_unit_test(edits_change_what_they_must),
        cmocka_unit_test(odd_words_stay),
        cmocka_unit_test(lists_change),
        cmocka_unit_test(tiles_change),
        cmocka_unit_test(odd_rows),
        cmocka_unit_test(further_text),
        cmocka_unit_test(without_kept),
        cmocka_unit_test(refused),
        cmocka_unit_test(characters),
        cmocka_unit_test(probing),
        cmocka_unit_test(findings_have_places),
        cmocka_unit_test(inside_heights),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
