/*
 * test_graal_growth.c: inputs made to be slow. Each is checked or drawn at one size and at twice that size:
 * quadratic work takes more than 2.5 times the processor time.
 */
#include "base/buffer.h"
#include "base/format.h"
#include "growth.h"

#include <lvl/graal.h>
#include <lvl/scene.h>
#include <lvl/tools.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

typedef void make_fn(lvl_buffer *out, uint32_t n);

static void repeat(lvl_buffer *out, const char *text, uint32_t n)
{
    while (n--)
        lvl_buffer_str(out, text);
}

/* ---- inputs ------------------------------------------------------------------------------------------ */

static void open_quotes(lvl_buffer *out, uint32_t n)
{
    lvl_buffer_str(out, "GLEVNW01\nNPC - 1 1\n\"");
    repeat(out, "\\\"", n);
    lvl_buffer_str(out, "\nNPCEND\n");
}

static void swallowed_npcs(lvl_buffer *out, uint32_t n)
{
    lvl_buffer_str(out, "GLEVNW01\n");
    repeat(out, "NPC a.png 1 1\n", n);
}

/* Baddies that were read as NPCs, no two alike. */
static void lost_baddies(lvl_buffer *out, uint32_t n)
{
    lvl_buffer_str(out, "GLEVNW01\n");
    for (uint32_t i = 0; i < n; i++)
        lvl_buffer_printf(out, "NPC - -30 -20\n\x02%u\\Ouch!\\\nNPCEND\n", (unsigned)i);
}

static void open_conditions(lvl_buffer *out, uint32_t n)
{
    lvl_buffer_str(out, "GLEVNW01\nNPC - 1 1\n");
    repeat(out, "if(", n);
    lvl_buffer_str(out, "\nNPCEND\n");
}

static void links_in_words(lvl_buffer *out, uint32_t n)
{
    lvl_buffer_str(out, "GLEVNW01\n");
    for (uint32_t i = 0; i < n; i++)
        lvl_buffer_printf(out, "LINK a%u.nw x y 3 4 5 6 7\n", (unsigned)i);
}

/* Rows with a part of a cell, and others with tiles beyond the board. */
static void rows_of_layers(lvl_buffer *out, uint32_t n)
{
    lvl_buffer_str(out, "GLEVNW01\n");
    for (uint32_t i = 0; i < n; i++)
        lvl_buffer_printf(out, "BOARD 0 0 1 %u AAA\nBOARD 63 1 1 %u AAAA\n", (unsigned)i, (unsigned)i);
}

static void open_codes(lvl_buffer *out, uint32_t n)
{
    lvl_buffer_str(out, "GLEVNW01\nSIGN 1 1\n");
    repeat(out, "#a(", n);
    lvl_buffer_str(out, "\nSIGNEND\n");
}

/* Each gets a finding: the level is there more than once. */
static void names_in_row(lvl_buffer *out, uint32_t n)
{
    lvl_buffer_printf(out, "GRMAP001\nWIDTH %u\nHEIGHT 1\nLEVELNAMES\n", n);
    for (uint32_t i = 0; i < n; i++)
        lvl_buffer_str(out, i ? ",\"a.nw\"" : "\"a.nw\"");
    lvl_buffer_str(out, "\nLEVELNAMESEND\n");
}

static void numbers_and_blanks(lvl_buffer *out, uint32_t n)
{
    lvl_buffer_str(out, "GRMAP001\nWIDTH 1\nHEIGHT 1\nHEIGHTMAP\n");
    repeat(out, "1,", n);
    repeat(out, "  ", n);
    lvl_buffer_str(out, "\nHEIGHTMAPEND\nLEVELNAMES\n\"a.nw\"\nLEVELNAMESEND\n");
}

static void absent_children(lvl_buffer *out, uint32_t n)
{
    lvl_buffer_str(out, "GANI0001\nSPRITE 1 SPRITES 0 0 8 8 x\n");
    repeat(out, "ATTACHSPRITE 1 2 0 0\n", n);
    lvl_buffer_str(out, "SINGLEDIRECTION\nANI\n1 0 0");
    repeat(out, ", 1 0 0", n);
    lvl_buffer_str(out, "\nANIEND\n");
}

static void absent_pieces(lvl_buffer *out, uint32_t n)
{
    lvl_buffer_str(out, "GANI0001\nSPRITE 1 SPRITES 0 0 8 8 x\n");
    for (uint32_t i = 0; i < n; i++)
        lvl_buffer_printf(out, "DEFAULTPARAM%u 1\n", 1000000 + i);
    lvl_buffer_str(out, "SINGLEDIRECTION\nANI\n1 0 0");
    for (uint32_t i = 0; i < n; i++)
        lvl_buffer_printf(out, ", PARAM%u 0 0", 5000000 + i);
    lvl_buffer_str(out, "\nANIEND\n");
}

static void absent_layers(lvl_buffer *out, uint32_t n)
{
    lvl_buffer_str(out, "GANI0001\n");
    for (uint32_t i = 0; i < n; i++)
        lvl_buffer_printf(out, "SPRITE %u L%u 0 0 8 8 x\nDEFAULTM%u a.png\n", i, i % 4096, i);
    lvl_buffer_str(out, "SINGLEDIRECTION\nANI\n1 0 0\nANIEND\n");
}

static void single_lines(lvl_buffer *out, uint32_t n)
{
    lvl_buffer_str(out, "GANI0001\nSPRITE 1 SPRITES 0 0 8 8 x\n");
    repeat(out, "LOOP\nCONTINUOUS\n", n);
    lvl_buffer_str(out, "SINGLEDIRECTION\nANI\n1 0 0\nANIEND\n");
}

static void captions(lvl_buffer *out, uint32_t n)
{
    lvl_buffer_str(out, "GANI0002\nMOVIE\n  ACTOR TEXT t\n");
    for (uint32_t i = 0; i < n; i++)
        lvl_buffer_printf(out, "    FRAME %u text=a\n", i % 50000);
    lvl_buffer_str(out, "  ACTOREND\nMOVIEEND\n");
}

static void many_layers(lvl_buffer *out, uint32_t n)
{
    lvl_buffer_str(
        out, "{\"lvl\":1,\"format\":\"graal\",\"doc\":{\"version\":\"GLEVNW01\",\"layers\":[{\"number\":0}");
    for (uint32_t i = 1; i < n; i++)
        lvl_buffer_printf(out, ",{\"number\":%u}", n - i);
    lvl_buffer_str(out, "]}}");
}

/* ---- measuring --------------------------------------------------------------------------------------- */

typedef void run_fn(const lvl_buffer *input, const char *name);

static void check(const lvl_buffer *input, const char *name)
{
    const lvl_check_options options = {0};
    lvl_check_result result;
    lvl_findings *findings = lvl_findings_new(&ctx);

    assert_non_null(findings);
    assert_int_equal(
        lvl_check(&ctx, NULL, (lvl_bytes){input->data, input->len}, name, &options, findings, &result, NULL),
        LVL_OK);
    lvl_findings_free(findings);
}

static void draw(const lvl_buffer *input, const char *name)
{
    lvl_scene *scene;
    lvl_doc *doc;

    assert_int_equal(lvl_read(&doc, &ctx, NULL, (lvl_bytes){input->data, input->len}, name, 0, NULL), LVL_OK);
    assert_int_equal(lvl_doc_scene(doc, NULL, &scene), LVL_OK);
    lvl_scene_free(scene);
    lvl_doc_free(doc);
}

static void draw_dump(const lvl_buffer *input, const char *name)
{
    lvl_scene *scene;
    lvl_doc *doc;

    (void)name;
    assert_int_equal(lvl_undump(&doc, &ctx, (lvl_text){(const char *)input->data, input->len}, NULL), LVL_OK);
    assert_int_equal(lvl_doc_scene(doc, NULL, &scene), LVL_OK);
    lvl_scene_free(scene);
    lvl_doc_free(doc);
}

static void recover(const lvl_buffer *input, const char *name)
{
    const lvl_repair_options options = {.recover = true};
    lvl_findings *changes = lvl_findings_new(&ctx);
    lvl_buffer out = {0};
    lvl_doc *doc;

    assert_non_null(changes);
    assert_int_equal(lvl_read(&doc, &ctx, NULL, (lvl_bytes){input->data, input->len}, name, 0, NULL), LVL_OK);
    assert_int_equal(lvl_repair(doc, &options, changes, &out), LVL_OK);
    lvl_doc_free(doc);
    /* what is repaired is not found again, however much it was */
    assert_int_equal(lvl_read(&doc, &ctx, NULL, lvl_buffer_bytes(&out), name, 0, NULL), LVL_OK);
    lvl_findings_clear(changes);
    assert_int_equal(lvl_repair(doc, &options, changes, NULL), LVL_OK);
    assert_int_equal(lvl_findings_count(changes), 0);
    lvl_buffer_free(&out);
    lvl_findings_free(changes);
    lvl_doc_free(doc);
}

typedef struct growing {
    const char *what;
    make_fn *make;
    run_fn *run;
    const char *name;
    uint32_t n;
} growing;

static double seconds_of(const void *user, uint32_t n)
{
    const growing *g = user;
    lvl_buffer input = {0};

    g->make(&input, n);
    assert_int_equal(input.status, LVL_OK);
    const double from = lvl_cpu_seconds();
    g->run(&input, g->name);
    const double took = lvl_cpu_seconds() - from;
    lvl_buffer_free(&input);
    return took;
}

static void doubling(void **state)
{
    static const growing cases[] = {
        {"quotes that no line closes", open_quotes, check, "a.nw", 40000},
        {"NPCs that nothing ends", swallowed_npcs, recover, "a.nw", 20000},
        {"lost baddies that come back", lost_baddies, recover, "a.nw", 10000},
        {"links with words for numbers", links_in_words, recover, "a.nw", 30000},
        {"rows that layers leave", rows_of_layers, recover, "a.nw", 10000},
        {"conditions without an end", open_conditions, draw, "a.nw", 350000},
        {"sign codes without an end", open_codes, check, "a.nw", 40000},
        {"numbers and blanks in a map", numbers_and_blanks, check, "a.gmap", 40000},
        {"names in one row of a map", names_in_row, check, "a.gmap", 4500},
        {"attachments to absent sprites", absent_children, draw, "a.gani", 20000},
        {"pieces that no DEFAULT names", absent_pieces, draw, "a.gani", 20000},
        {"layers that no DEFAULT names", absent_layers, draw, "a.gani", 20000},
        {"lines that belong once", single_lines, check, "a.gani", 20000},
        {"captions of a movie", captions, draw, "a.gani", 20000},
        {"layers in turns", many_layers, draw_dump, "a.nw", 20000},
    };
    int failed = 0;

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(cases); i++)
        failed += !lvl_grows_linearly(cases[i].what, seconds_of, &cases[i], cases[i].n);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(doubling)};

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
