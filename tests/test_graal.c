/*
 * Binary levels: the tile block and its encoder, the code of signs, every version, kept spelling, edits, and
 * what a version cannot represent.
 */
#include "base/format.h"
#include "graal/level/graal_packets.h"
#include "graal/level/graal_signs.h"
#include "expect.h"
#include "graal_seeds.h"
#include "level_make.h"
#include "measure.h"
#include "graal/level/graal_names.h"

#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

static uint32_t seed;

static unsigned dice(unsigned sides)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % sides;
}

/* ---- packets ----------------------------------------------------------------------------------------- */

static uint16_t tiles[LVL_TILES + LVL_PACKETS_SLACK];
static uint8_t cells[LVL_TILES * 2];

static void store_cells(const uint16_t *from)
{
    for (size_t i = 0; i < LVL_TILES; i++) {
        cells[i * 2] = (uint8_t)from[i];
        cells[i * 2 + 1] = (uint8_t)(from[i] >> 8);
    }
}

/* Decodes; a block that the encoder makes has nothing odd. */
static lvl_packets_result decode(const lvl_buffer *block, unsigned bits)
{
    lvl_packets_result result;
    lvl_buffer again = {0};

    lvl_packets_decode((lvl_bytes){block->data, block->len}, bits, tiles, &result);
    if (result.tiles == LVL_TILES) {
        lvl_packets_encode(&again, (const uint8_t *)tiles, LVL_TILES, bits);
        bool same = again.len == result.used && memcmp(again.data, block->data, again.len) == 0;
        assert_true(!same || result.odd == 0);
    } else {
        assert_true(result.odd & LVL_PACKETS_CUT);
        assert_int_equal(result.used, block->len);
    }
    for (size_t i = result.tiles; i < LVL_TILES; i++)
        assert_int_equal(lvl_cell(&(lvl_cells){(const uint8_t *)tiles, LVL_TILES, 1, 2}, (uint32_t)i, 0),
                         LVL_GRAAL_ABSENT);
    lvl_buffer_free(&again);
    return result;
}

static void the_encoder_is_greedy(void **state)
{
    /* runs of up to 64, pairs after them, neither in the last three tiles; worked out by hand */
    (void)state;
    for (unsigned bits = 11; bits <= 13; bits++) {
        lvl_buffer block = {0}, want = {0};
        lvl_bit_writer w = {&want, bits, 0, 0};
        uint16_t board[LVL_TILES];
        for (size_t i = 0; i < LVL_TILES; i++)
            board[i] = 7;
        board[0] = 1; /* 1 2 1 2 1: two pairs, and one over */
        board[1] = 2;
        board[2] = 1;
        board[3] = 2;
        board[4] = 1;
        board[5] = 3; /* 3 3 4 4: runs come before pairs */
        board[6] = 3;
        board[7] = 4;
        board[8] = 4;
        board[9] = 5; /* alone */
        board[4091] = 8;
        board[4092] = 9; /* 9 9 9 9: the last place where a run begins */
        board[4093] = 9;
        board[4094] = 9;
        board[4095] = 9;
        lvl_put_control(&w, 2, true);
        lvl_put_packet(&w, 1);
        lvl_put_packet(&w, 2);
        lvl_put_packet(&w, 1);
        lvl_put_plain(&w, 2, 3);
        lvl_put_plain(&w, 2, 4);
        lvl_put_packet(&w, 5);
        lvl_put_plain(&w, 4081, 7);
        lvl_put_packet(&w, 8);
        lvl_put_plain(&w, 4, 9);
        lvl_put_spare(&w);
        store_cells(board);
        lvl_packets_encode(&block, cells, LVL_TILES, bits);
        assert_int_equal(block.len, want.len);
        assert_memory_equal(block.data, want.data, want.len);
        assert_int_equal(decode(&block, bits).odd, 0);
        /* one tile further there are no runs */
        board[4092] = 8;
        store_cells(board);
        want.len = 0;
        lvl_put_control(&w, 2, true);
        lvl_put_packet(&w, 1);
        lvl_put_packet(&w, 2);
        lvl_put_packet(&w, 1);
        lvl_put_plain(&w, 2, 3);
        lvl_put_plain(&w, 2, 4);
        lvl_put_packet(&w, 5);
        lvl_put_plain(&w, 4081, 7);
        lvl_put_plain(&w, 2, 8);
        for (int i = 0; i < 3; i++)
            lvl_put_packet(&w, 9);
        lvl_put_spare(&w);
        block.len = 0;
        lvl_packets_encode(&block, cells, LVL_TILES, bits);
        assert_int_equal(block.len, want.len);
        assert_memory_equal(block.data, want.data, want.len);
        lvl_buffer_free(&block);
        lvl_buffer_free(&want);
    }
}

static void boards_come_back(void **state)
{
    (void)state;
    seed = 1;
    for (int round = 0; round < 300; round++) {
        const unsigned bits = 11 + dice(3), kinds = 1 + dice(round % 7 ? 4 : 1U << (bits - 1)),
                       last = 1U << (bits - 1);
        uint16_t board[LVL_TILES];
        lvl_buffer block = {0};
        for (size_t i = 0; i < LVL_TILES;) {
            unsigned n = 1 + dice(dice(4) ? 4 : 200), a = dice(kinds), b = dice(2) ? a : dice(kinds);
            for (; n && i < LVL_TILES; n--, i++)
                board[i] = (uint16_t)((i % 2 ? a : b) % last);
        }
        store_cells(board);
        lvl_packets_encode(&block, cells, LVL_TILES, bits);
        lvl_packets_result r = decode(&block, bits);
        assert_int_equal(r.odd, 0);
        assert_int_equal(r.used, block.len);
        assert_memory_equal(tiles, cells, sizeof cells);
        lvl_buffer_free(&block);
    }
}

/* Any stream of packets means something bounded, and what is odd is found. */
static void any_packets(void **state)
{
    unsigned seen = 0;

    (void)state;
    seed = 2;
    for (int round = 0; round < 3000; round++) {
        const unsigned bits = 11 + dice(3), top = 1U << (bits - 1);
        const unsigned wild = round % 3 == 0 ? 40 : 4000, kinds = 2 + dice(6);
        lvl_buffer block = {0};
        lvl_bit_writer w = {&block, bits, 0, 0};
        const unsigned count = dice(20) ? 6000 : dice(400);
        for (unsigned i = 0; i < count; i++) {
            if (dice(wild) == 0) {
                lvl_put_packet(&w, top | dice(top));
            } else if (dice(3)) {
                lvl_put_packet(&w, dice(kinds));
            } else {
                bool pairs = dice(3) == 0;
                unsigned a = dice(kinds), b = (a + 1 + dice(kinds - 1)) % kinds;
                lvl_put_control(&w, 2 + dice(dice(6) ? 8 : 63), pairs);
                lvl_put_packet(&w, a);
                if (pairs)
                    lvl_put_packet(&w, b);
            }
        }
        lvl_put_spare(&w);
        lvl_packets_result r = decode(&block, bits);
        seen |= r.odd;
        lvl_buffer_free(&block);
    }
    assert_int_equal(seen, 31);
}

static void odd_packets(void **state)
{
    lvl_buffer block = {0};
    lvl_bit_writer w = {&block, 13, 0, 0};

    (void)state;
    lvl_put_control(&w, 0, true); /* gives nothing */
    lvl_put_packet(&w, 1);
    lvl_put_packet(&w, 2);
    lvl_put_control(&w, 1, true); /* one pair */
    lvl_put_packet(&w, 3);
    lvl_put_packet(&w, 4);
    lvl_put_control(&w, 3, true); /* gives way to the next, which isn't of pairs */
    lvl_put_packet(&w, 5);
    lvl_put_control(&w, 2, false);
    lvl_put_packet(&w, 6);
    lvl_put_control(&w, 255, false);
    lvl_put_packet(&w, 7);
    for (int i = 0; i < 4; i++) /* up to a whole byte */
        lvl_put_packet(&w, 9);
    lvl_packets_result r = decode(&block, 13);
    assert_int_equal(r.tiles, 2 + 2 + 255 + 4);
    static const uint8_t want[] = {3, 0, 4, 0, 6, 0, 6, 0, 7, 0, 7, 0};
    assert_memory_equal(tiles, want, sizeof want);
    assert_int_equal(r.odd, LVL_PACKETS_COUNT | LVL_PACKETS_CONTROL | LVL_PACKETS_CUT);
    for (int i = 0; i < 20; i++) {
        lvl_put_control(&w, 255, false);
        lvl_put_packet(&w, 8);
    }
    lvl_put_spare(&w);
    r = decode(&block, 13);
    assert_int_equal(r.tiles, LVL_TILES);
    assert_int_equal(((const uint8_t *)&tiles[LVL_TILES - 1])[0],
                     8); /* the low byte comes first everywhere */
    assert_true(r.odd & LVL_PACKETS_OVERSHOOT);
    assert_true(r.used < block.len);
    lvl_buffer_free(&block);
}

/* ---- signs ------------------------------------------------------------------------------------------- */

static void expect_sign(lvl_sign_era era, const char *text, const char *numbers)
{
    lvl_buffer coded = {0}, want = {0};
    char out[200];
    bool exact;

    for (const char *p = numbers; *p;) {
        char *end;
        lvl_buffer_u8(&want, (uint8_t)(32 + strtol(p, &end, 10)));
        p = *end ? end + 1 : end;
    }
    lvl_sign_encode(&coded, era, lvl_text_of(text));
    if (coded.len != want.len || memcmp(coded.data, want.data, want.len) != 0)
        fail_msg("\"%s\" coded wrongly", text);
    const lvl_text t = {(const char *)want.data, want.len};
    assert_true(lvl_sign_max_text(t) <= sizeof out);
    size_t len = lvl_sign_decode(era, t, out, &exact);
    assert_true(exact);
    if (len != strlen(text) || memcmp(out, text, len) != 0)
        fail_msg("\"%s\" read as \"%.*s\"", text, (int)len, out);
    lvl_buffer_free(&coded);
    lvl_buffer_free(&want);
}

static void signs_in_cells(void **state)
{
    (void)state;
    for (lvl_sign_era era = LVL_SIGN_ZELDA; era <= LVL_SIGN_GRAAL; era++) {
        expect_sign(era, "AZaz09!?-.,", "0 25 26 51 52 61 62 63 64 65 66");
        expect_sign(era, "#.>()#x#y#z#h\"#u#d#l#r'", "67 68 69 70 71 72 73 74 75 76 77 78 79 80 81");
        expect_sign(era, " <#A#B#X#Y\n", "89 90 91 92 93 94 96");
        expect_sign(era, "#4", "87 88");
        expect_sign(era, "#b#i(a", "86 27 86 34 69 26");
        expect_sign(era, "\xE9\x80", "86 10 69 54 55 55 70 86 10 69 53 54 60 70");
        expect_sign(era, "#K(65)#K(035)#K(#", "86 10 69 58 57 70 86 10 69 52 55 57 70 86 10 69 86");
        expect_sign(era, "#K(35)4", "86 56");
        expect_sign(era, "#K(35)#K(35)", "86 10 69 55 57 70 86 10 69 55 57 70");
        expect_sign(era, "##.", "86 67");
    }
    expect_sign(LVL_SIGN_GRAAL, ":/~&#;", "82 83 84 85 86 95");
    expect_sign(LVL_SIGN_GRAAL, "|#1", "86 10 69 53 54 56 70 86 53");
    expect_sign(LVL_SIGN_ZELDA, "#1#2#3|", "82 83 84 83 85 86 95");
    expect_sign(LVL_SIGN_ZELDA, ":", "86 10 69 57 60 70");
    expect_sign(LVL_SIGN_ZELDA, "#K(35)1", "86 53");
}

static void what_a_sign_cant_show(void **state)
{
    size_t first = 0;

    (void)state;
    assert_int_equal(lvl_sign_foreign(LVL_SIGN_GRAAL, lvl_text_of("a#1 #2@"), &first), 2);
    assert_int_equal(first, 1);
    assert_int_equal(lvl_sign_foreign(LVL_SIGN_ZELDA, lvl_text_of("a#1 #2;:"), &first), 4);
    assert_int_equal(first, 1);
    assert_int_equal(lvl_sign_foreign(LVL_SIGN_ZELDA, lvl_text_of("a #s(x) #"), &first), 2);
    assert_int_equal(first, 2);
}

/* Whatever the cells, the text is one that the reader calls exact if and only if coding it gives them; and
 * any text survives. */
static void any_sign(void **state)
{
    unsigned exactly = 0;

    (void)state;
    seed = 3;
    for (int round = 0; round < 60000; round++) {
        static const uint8_t likely[] = {86, 10, 69, 70, 52, 53, 54, 55, 57,
                                         56, 74, 75, 82, 83, 84, 85, 87, 88};
        const lvl_sign_era era = (lvl_sign_era)dice(2);
        uint8_t in[16];
        char out[16 * 8];
        bool exact, again_exact;
        lvl_buffer coded = {0};
        size_t n = dice(16);
        for (size_t i = 0; i < n; i++)
            in[i] = (uint8_t)(dice(60) ? 32 + (dice(3) ? likely[dice(sizeof likely)] : dice(97)) : dice(256));
        const lvl_text t = {(const char *)in, n};
        size_t len = lvl_sign_decode(era, t, out, &exact);
        assert_true(len <= lvl_sign_max_text(t) && lvl_sign_max_text(t) <= sizeof out);
        lvl_sign_encode(&coded, era, (lvl_text){out, len});
        bool same = coded.len == n && (!n || memcmp(coded.data, in, n) == 0);
        assert_int_equal(same, exact);
        exactly += exact;
        /* once more: from text to cells to text */
        char second[16 * 8 * 2];
        const lvl_text c = {(const char *)coded.data, coded.len};
        assert_true(lvl_sign_max_text(c) <= sizeof second);
        size_t second_len = lvl_sign_decode(era, c, second, &again_exact);
        assert_true(again_exact);
        lvl_buffer again = {0};
        lvl_sign_encode(&again, era, (lvl_text){second, second_len});
        assert_int_equal(again.len, coded.len);
        assert_true(!again.len || memcmp(again.data, coded.data, again.len) == 0);
        lvl_buffer_free(&again);
        lvl_buffer_free(&coded);
    }
    assert_true(exactly > 10000 && exactly < 59000);
}

/* ---- levels ------------------------------------------------------------------------------------------ */

static lvl_doc *read_bytes(const lvl_buffer *file, lvl_findings *findings)
{
    lvl_doc *doc = NULL;

    assert_int_equal(lvl_read(&doc, &ctx, NULL, (lvl_bytes){file->data, file->len}, NULL, 0, findings),
                     LVL_OK);
    assert_string_equal(lvl_doc_format(doc)->id, "graal");
    return doc;
}

static lvl_doc *through_dump(const lvl_doc *doc, bool no_kept)
{
    const lvl_dump_options options = {.no_kept = no_kept};
    lvl_buffer json = {0};
    lvl_doc *again = NULL;

    assert_int_equal(lvl_dump(doc, &options, &json, NULL), LVL_OK);
    assert_int_equal(lvl_undump(&again, &ctx, (lvl_text){(const char *)json.data, json.len}, NULL), LVL_OK);
    lvl_buffer_free(&json);
    return again;
}

static void every_version(void **state)
{
    (void)state;
    for (unsigned v = 0; v < LVL_GLEVNW01; v++) {
        lvl_findings *found = lvl_findings_new(&ctx);
        lvl_measure m = {0};
        lvl_buffer file = {0};
        assert_int_equal(lvl_graal_seed((int)v, &file), LVL_OK);
        assert_true(
            lvl_measure_bytes(&m, NULL, (lvl_bytes){file.data, file.len}, lvl_graal_seed_name((int)v)));
        assert_int_equal(m.exact, 1);
        assert_int_equal(m.kept, 0);
        assert_int_equal(m.residue_bits, 0);
        assert_int_equal(m.overlap_bits, 0);
        lvl_doc *doc = read_bytes(&file, found);
        assert_int_equal(lvl_findings_count(found), 0);
        lvl_doc *again = through_dump(doc, false);
        lvl_expect_written(again, lvl_bytes_in(&file));
        lvl_doc_free(again);
        again = through_dump(doc, true);
        lvl_expect_written(again, lvl_bytes_in(&file));
        lvl_doc_free(again);

        const lvl_graal *g = lvl_doc_croot(doc);
        assert_int_equal(g->version, v);
        assert_int_equal(g->layer_count, v == LVL_GR_V1_05 ? 2 : 1);
        assert_int_equal(lvl_cell(&g->layers[0].tiles, 1, 0), 6);
        assert_int_equal(lvl_cell(&g->layers[0].tiles, 5, 0), 20);
        assert_int_equal(lvl_cell(&g->layers[0].tiles, 63, 63), lvl_graal_tile_count(v) - 1);
        assert_int_equal(g->link_count, v <= LVL_Z3_V1_03 ? 1 : 2);
        assert_true(g->links[0].x == 63 && g->links[0].y == 0.5 && g->links[0].height == 56);
        assert_true(lvl_text_is(g->links[0].dest_y, "-1"));
        if (v > LVL_Z3_V1_03) {
            assert_true(lvl_text_is(g->links[1].level, "a far place.graal"));
            assert_true(lvl_text_is(g->links[1].dest_x, "playerx+4"));
            assert_true(lvl_text_is(g->baddies[0].hurt, "Ouch!"));
            assert_true(lvl_text_is(g->baddies[0].win, "Ha\xE9!"));
        }
        assert_int_equal(g->baddy_count, 2);
        assert_int_equal(g->baddies[0].y, 10);
        assert_int_equal(g->baddies[1].type, 6);
        assert_int_equal(g->npc_count, v >= LVL_GR_V1_00 ? 2 : 0);
        if (g->npc_count) {
            assert_true(g->npcs[0].x == 3 && g->npcs[0].y == 4);
            assert_true(lvl_text_is(g->npcs[0].image, "door.gif"));
            assert_true(lvl_text_is(g->npcs[0].script, "if (playerenters) {\n\thide; // # no\x86\n}\n"));
            assert_true(g->npcs[1].x == -1 && g->npcs[1].y == 64);
            assert_int_equal(g->npcs[1].image.len + g->npcs[1].script.len, 0);
        }
        assert_int_equal(g->chest_count, v >= LVL_GR_V1_01 ? 2 : 0);
        if (g->chest_count) {
            assert_int_equal(g->chests[0].item, 1);
            assert_int_equal(g->chests[0].sign, 0);
            assert_int_equal(g->chests[1].item, 7);
            assert_int_equal(g->chests[1].sign, -1);
        }
        assert_int_equal(g->sign_count, 2);
        assert_true(lvl_text_is(g->signs[0].text, "Hello, world\n#u#d#l#r #h\n"));
        assert_int_equal(g->signs[1].x + g->signs[1].y, 0);
        assert_int_equal(g->signs[1].text.len, 0);
        assert_int_equal(g->height_count, v >= LVL_GR_V1_04 ? 81 : 0);
        if (g->height_count)
            assert_true(g->heights[0] == -40.5 && g->heights[80] == 40);
        lvl_doc_free(doc);
        lvl_findings_free(found);
        lvl_buffer_free(&file);
    }
}

static void odd_levels(void **state)
{
    static const struct {
        int seed;
        const char *ids[16];
    } expected[] = {
        {LVL_GRAAL_SEED_ODD,
         {"graal.packets.odd", "graal.line.short", "graal.link.words", "graal.baddy.verses", "graal.npc.mark",
          "graal.chest.length", "graal.sign.code"}},
        {LVL_GRAAL_SEED_LITERAL, {"graal.sign.cut"}},
        {LVL_GRAAL_SEED_OPEN, {"graal.section.end", "graal.section.cut"}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        lvl_findings *found = lvl_findings_new(&ctx);
        lvl_measure m = {0};
        lvl_buffer file = {0};
        size_t kinds = 0;
        assert_int_equal(lvl_graal_seed(expected[i].seed, &file), LVL_OK);
        assert_true(lvl_measure_bytes(&m, NULL, (lvl_bytes){file.data, file.len}, "odd"));
        assert_int_equal(m.exact, 1);
        assert_int_equal(m.residue_bits, 0);
        assert_int_equal(m.overlap_bits, 0);
        lvl_doc *doc = read_bytes(&file, found);
        lvl_doc *again = through_dump(doc, false);
        lvl_expect_written(again, lvl_bytes_in(&file));
        for (; expected[i].ids[kinds]; kinds++) {
            if (!lvl_count_of(found, expected[i].ids[kinds]))
                fail_msg("%s isn't found", expected[i].ids[kinds]);
        }
        for (size_t k = 0; k < lvl_findings_count(found); k++) {
            size_t at = 0;
            while (at < kinds && strcmp(expected[i].ids[at], lvl_findings_at(found, k)->def->id) != 0)
                at++;
            if (at == kinds)
                fail_msg("%s is found", lvl_findings_at(found, k)->def->id);
        }
        lvl_doc_free(again);
        lvl_doc_free(doc);
        lvl_findings_free(found);
        lvl_buffer_free(&file);
    }
}

/* More heights than a level has: found, and kept in the file. */
static void too_many_heights(void **state)
{
    static const char more[] = "1,2,3,\n", end[] = "HEIGHTSEND";
    lvl_findings *found = lvl_findings_new(&ctx);
    lvl_buffer file = {0}, longer = {0};
    size_t at = 0;

    (void)state;
    lvl_doc *doc = lvl_make_full(&ctx, LVL_GR_V1_05);
    assert_int_equal(lvl_doc_write(doc, &file), LVL_OK);
    lvl_doc_free(doc);
    while (at + sizeof end <= file.len && memcmp(file.data + at, end, sizeof end - 1) != 0)
        at++;
    lvl_buffer_add(&longer, file.data, at);
    lvl_buffer_str(&longer, more);
    lvl_buffer_add(&longer, file.data + at, file.len - at);
    doc = read_bytes(&longer, found);
    assert_int_equal(lvl_count_of(found, "graal.heights.count"), 1);
    assert_int_equal(((const lvl_graal *)lvl_doc_croot(doc))->height_count, 81);
    lvl_expect_written(doc, lvl_bytes_in(&longer));
    lvl_doc_free(doc);
    lvl_findings_free(found);
    lvl_buffer_free(&file);
    lvl_buffer_free(&longer);
}

/* A sign that would be the line HEIGHTS, which ends the signs, but for a CR after it: no part of it is
 * lost in a dump, and lvl writes such a sign in the same way. */
static void a_sign_like_heights(void **state)
{
    static const char text[] = "HEIGHTS\r\n";
    lvl_findings *found = lvl_findings_new(&ctx);
    lvl_buffer file = {0};

    (void)state;
    lvl_doc *doc = lvl_make_full(&ctx, LVL_GR_V1_04);
    ((lvl_graal *)lvl_doc_root(doc))->height_count = 0;
    assert_int_equal(lvl_doc_write(doc, &file), LVL_OK);
    lvl_doc_free(doc);
    lvl_buffer_str(&file, text);
    doc = read_bytes(&file, found);
    assert_int_equal(lvl_count_of(found, "graal.sign.code"), 1);
    lvl_doc *again = through_dump(doc, false), *bare = through_dump(doc, true);
    lvl_doc *const docs[] = {doc, again, bare};
    for (size_t i = 0; i < LVL_COUNT_OF(docs); i++) {
        const lvl_graal *g = lvl_doc_croot(docs[i]);
        assert_int_equal(g->signs[g->sign_count - 1].x, 'H' - 32);
        assert_int_equal(g->signs[g->sign_count - 1].y, 'E' - 32);
        assert_true(lvl_text_is(g->signs[g->sign_count - 1].text, "pno0z"));
        lvl_expect_written(docs[i], lvl_bytes_in(&file));
        lvl_doc_free(docs[i]);
    }
    lvl_findings_free(found);
    lvl_buffer_free(&file);
}

/* Replaces the tiles of a file of version 3 by the same ones, as the original editor writes them. */
static void write_tiles_anew(lvl_buffer *file)
{
    const size_t head = 8;
    lvl_buffer tail = {0};
    lvl_packets_result was;

    lvl_packets_decode((lvl_bytes){file->data + head, file->len - head}, 13, tiles, &was);
    lvl_buffer_add(&tail, file->data + head + was.used, file->len - head - was.used);
    file->len = head;
    lvl_packets_encode(file, (const uint8_t *)tiles, LVL_TILES, 13);
    lvl_buffer_add(file, tail.data, tail.len);
    lvl_buffer_free(&tail);
}

static void odd_content(void **state)
{
    lvl_buffer file = {0};

    (void)state;
    assert_int_equal(lvl_graal_seed(LVL_GRAAL_SEED_ODD, &file), LVL_OK);
    lvl_doc *doc = read_bytes(&file, NULL);
    lvl_graal *g = lvl_doc_root(doc);
    assert_int_equal(g->link_count, 1); /* two are no links */
    assert_true(lvl_text_is(g->links[0].level, "not.graal"));
    assert_true(g->links[0].y == 2.5);
    assert_int_equal(g->baddy_count, 3);
    assert_int_equal(g->baddies[0].attack.len, 0);
    assert_true(lvl_text_is(g->baddies[1].attack, "one verse"));
    assert_true(lvl_text_is(g->baddies[2].win, "three\\four"));
    assert_int_equal(g->npc_count, 2);
    assert_true(lvl_text_is(g->npcs[0].image, "no mark"));
    assert_int_equal(g->chest_count, 1); /* one is too short */
    assert_int_equal(g->chests[0].x, 1);
    assert_int_equal(g->chests[0].sign, 1);
    assert_int_equal(g->sign_count, 2);
    assert_true(lvl_text_is(g->signs[0].text, "\xE9#K(35)4"));
    /* an edit of one part leaves the others as they are in the file; the tiles have odd runs, so that they
     * cannot be changed as long as they are as in the file */
    const char *const set[] = {"layers[0].tiles[5,5]=77"};
    lvl_buffer out = {0};
    assert_int_equal(lvl_set(doc, set, 1, NULL, NULL), LVL_OK);
    assert_int_equal(lvl_doc_write(doc, &out), LVL_ERR_LOSS);
    write_tiles_anew(&file);
    lvl_doc_free(doc);
    doc = read_bytes(&file, NULL);
    g = lvl_doc_root(doc);
    out.len = 0;
    assert_int_equal(lvl_set(doc, set, 1, NULL, NULL), LVL_OK);
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    static const char links[] = "\nshort\n";
    size_t from = 8, to = 8;
    while (memcmp(file.data + from, links, sizeof links - 1) != 0)
        from++;
    while (memcmp(out.data + to, links, sizeof links - 1) != 0)
        to++;
    assert_int_equal(out.len - to, file.len - from);
    assert_memory_equal(out.data + to, file.data + from, out.len - to);
    /* one of a part with bytes that no member holds is refused */
    g->npcs[1].x = 5;
    lvl_findings *found = lvl_findings_new(&ctx);
    out.len = 0;
    assert_int_equal(lvl_doc_write_with_findings(doc, &out, found), LVL_ERR_LOSS);
    assert_true(lvl_findings_count(found) && strstr(lvl_findings_at(found, 0)->text, "--unset file"));
    g->file.len = 0;
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    lvl_findings_free(found);
    lvl_buffer_free(&out);
    lvl_doc_free(doc);
    lvl_buffer_free(&file);
}

/* Up to the cut everything is there, and the file comes back as it was. */
static void cut_files(void **state)
{
    lvl_buffer file = {0};
    size_t links = 0, npcs = 0;

    (void)state;
    assert_int_equal(lvl_graal_seed(LVL_GR_V1_03, &file), LVL_OK);
    for (size_t len = 8; len < file.len; len++) {
        const lvl_buffer head = {.data = file.data, .len = len};
        lvl_findings *found = lvl_findings_new(&ctx);
        lvl_doc *doc = read_bytes(&head, found);
        const lvl_graal *g = lvl_doc_croot(doc);
        lvl_expect_written(doc, (lvl_bytes){file.data, len});
        assert_true(g->link_count >= links && g->npc_count >= npcs);
        links = g->link_count;
        npcs = g->npc_count;
        bool whole = len + 4 > file.len || lvl_findings_worst(found) < LVL_ERROR;
        if (!whole)
            assert_int_equal(lvl_count_of(found, "graal.tiles.cut") +
                                 lvl_count_of(found, "graal.section.cut") +
                                 lvl_count_of(found, "graal.sign.cut"),
                             1);
        if (lvl_count_of(found, "graal.tiles.cut")) {
            /* without what is kept, a file that ends in its tiles still ends there */
            lvl_doc *plain = through_dump(doc, true);
            lvl_buffer out = {0};
            assert_int_equal(lvl_doc_write(plain, &out), LVL_OK);
            assert_true(out.len <= len);
            lvl_doc *again = read_bytes(&out, NULL);
            assert_true(lvl_record_equal(g, lvl_doc_croot(again), &lvl_graal_table));
            lvl_doc_free(again);
            lvl_doc_free(plain);
            lvl_buffer_free(&out);
        }
        lvl_doc_free(doc);
        lvl_findings_free(found);
    }
    assert_int_equal(links, 2);
    assert_int_equal(npcs, 2);
    lvl_buffer_free(&file);
}

/* ---- what cannot be written -------------------------------------------------------------------------- */

static void expect_refused(const char *set, lvl_graal_version version, const char *why)
{
    lvl_findings *found = lvl_findings_new(&ctx);
    lvl_buffer out = {0};
    lvl_doc *doc = lvl_make_level(&ctx, version, 100);

    lvl_make_link(doc, "a.graal", 1, 2, 3, 4, "5", "6");
    lvl_make_baddy(doc, 1, 2, 3, "", "", "");
    if (version >= LVL_GR_V1_00)
        lvl_make_npc(doc, 1, 2, "a.png", "script");
    if (version >= LVL_GR_V1_01)
        lvl_make_chest(doc, 1, 2, 3, 0);
    lvl_make_sign(doc, 1, 2, "text");
    assert_int_equal(lvl_doc_write_with_findings(doc, &out, found), LVL_OK);
    assert_int_equal(lvl_findings_count(found), 0);
    out.len = 0;
    assert_int_equal(lvl_set(doc, &set, 1, NULL, NULL), LVL_OK);
    lvl_status status = lvl_doc_write_with_findings(doc, &out, found);
    if (status != LVL_ERR_LOSS || !lvl_findings_count(found))
        fail_msg("%s isn't refused", set);
    assert_int_equal(out.len, 0);
    if (!strstr(lvl_findings_at(found, 0)->text, why))
        fail_msg("%s: \"%s\" says nothing of \"%s\"", set, lvl_findings_at(found, 0)->text, why);
    lvl_doc_free(doc);
    lvl_buffer_free(&out);
    lvl_findings_free(found);
}

static void what_a_version_cant_hold(void **state)
{
    (void)state;
    expect_refused("layers[0].tiles[3,4]=4096", LVL_GR_V1_03, "beyond the last");
    expect_refused("layers[0].tiles[3,4]=2048", LVL_GR_V1_01, "beyond the last");
    expect_refused("layers[0].tiles[3,4]=1024", LVL_Z3_V1_02, "beyond the last");
    expect_refused("layers[0].tiles[3,4]=65535", LVL_GR_V1_03, "absent");
    expect_refused("layers[0].tiles[63,63]=65535", LVL_GR_V1_03, "absent");
    expect_refused("layers[0].number=1", LVL_GR_V1_03, "number");
    expect_refused("links[0].level=", LVL_GR_V1_03, "name");
    expect_refused("links[0].dest_x=a b", LVL_GR_V1_03, "destination");
    expect_refused("links[0].dest_y=", LVL_GR_V1_03, "destination");
    expect_refused("links[0].layer=1", LVL_GR_V1_03, "layer");
    expect_refused("baddies[0].x=256", LVL_GR_V1_03, "place");
    expect_refused("baddies[0].type=-1", LVL_GR_V1_03, "type");
    expect_refused("baddies[0].attack=a\\b", LVL_GR_V1_03, "backslash");
    expect_refused("baddies[0].win=Ha", LVL_Z3_V1_03, "verses");
    expect_refused("npcs[0].x=0.5", LVL_GR_V1_03, "whole number");
    expect_refused("npcs[0].y=-22", LVL_GR_V1_03, "whole number");
    expect_refused("npcs[0].y=224", LVL_GR_V1_03, "whole number");
    expect_refused("npcs[0].image=a#b", LVL_GR_V1_03, "#");
    expect_refused("npcs[0].script=\xC2\xA7", LVL_GR_V1_03, "0xA7");
    expect_refused("npcs[0].layer=1", LVL_GR_V1_03, "layer");
    expect_refused("chests[0].sign=300", LVL_GR_V1_03, "sign");
    expect_refused("signs[0].x=224", LVL_GR_V1_03, "position");
    expect_refused("version=Z3-V1.04", LVL_GR_V1_03, "NPCs");
    expect_refused("version=GR-V1.00", LVL_GR_V1_03, "chests");
    expect_refused("version=GLEVNW01", LVL_GR_V1_03, "text level");
}

static void versions_change(void **state)
{
    lvl_buffer file = {0}, out = {0};
    const char *const set[] = {"version=GR-V1.03"};

    (void)state;
    assert_int_equal(lvl_graal_seed(LVL_Z3_V1_03, &file), LVL_OK);
    lvl_doc *doc = read_bytes(&file, NULL);
    assert_int_equal(lvl_set(doc, set, 1, NULL, NULL), LVL_OK);
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    lvl_doc *again = read_bytes(&out, NULL);
    assert_true(lvl_record_equal(lvl_doc_croot(doc), lvl_doc_croot(again), &lvl_graal_table));
    assert_int_equal(lvl_kept_bytes(again), 0);
    lvl_doc_free(again);
    lvl_doc_free(doc);
    lvl_buffer_free(&file);
    lvl_buffer_free(&out);
}

static void probing(void **state)
{
    static const char *const foreign[] = {"GIF89a\x10\x00\x10", "GLEVNW01\n", "GR-V1.06", "GR-V1.0",
                                          "Z3-V1.01",           "GANI0001"};

    (void)state;
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        const lvl_bytes b = {(const uint8_t *)foreign[i], strlen(foreign[i])};
        const lvl_format *format = lvl_probe(b, b, b.len, "x.graal", NULL);
        assert_true(!format || strcmp(format->id, "graal") != 0);
    }
    for (unsigned v = 0; v < LVL_GLEVNW01; v++) {
        const lvl_bytes b = {(const uint8_t *)lvl_graal_version_name(v), 8};
        const lvl_format *format = lvl_probe(b, b, b.len, "x.txt", NULL);
        assert_true(format && strcmp(format->id, "graal") == 0);
    }
}

static void adds_records(void **state)
{
    lvl_doc *doc = lvl_make_full(&ctx, LVL_GR_V1_03);
    lvl_graal *level = lvl_doc_root(doc);
    const uint32_t npcs = level->npc_count, links = level->link_count;

    (void)state;
    lvl_graal_npc *npc = lvl_graal_add_npc(doc, level);
    assert_non_null(npc);
    assert_ptr_equal(npc, &level->npcs[npcs]);
    assert_non_null(lvl_graal_add_link(doc, level));
    assert_non_null(lvl_graal_add_sign(doc, level));
    assert_non_null(lvl_graal_add_baddy(doc, level));
    assert_non_null(lvl_graal_add_chest(doc, level));
    assert_int_equal(level->npc_count, npcs + 1);
    assert_int_equal(level->link_count, links + 1);
    lvl_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_encoder_is_greedy),
        cmocka_unit_test(boards_come_back),
        cmocka_unit_test(any_packets),
        cmocka_unit_test(odd_packets),
        cmocka_unit_test(signs_in_cells),
        cmocka_unit_test(what_a_sign_cant_show),
        cmocka_unit_test(any_sign),
        cmocka_unit_test(every_version),
        cmocka_unit_test(odd_levels),
        cmocka_unit_test(odd_content),
        cmocka_unit_test(too_many_heights),
        cmocka_unit_test(a_sign_like_heights),
        cmocka_unit_test(adds_records),
        cmocka_unit_test(cut_files),
        cmocka_unit_test(what_a_version_cant_hold),
        cmocka_unit_test(versions_change),
        cmocka_unit_test(probing),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
