/*
 * The engine of line grammars, with a grammar that has every kind of rule: reading, writing, the spelling
 * that an edit keeps, what cannot be written, hostile texts, and linear time.
 */
#include "base/format.h"
#include "lines/words.h"
#include "lines/grammar.h"
#include "expect.h"
#include "growth.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct thing {
    lvl_text name, note, first, second;
    double x;
    int32_t y, kind;
    uint32_t layer;
    uint8_t pair;
} thing;

typedef struct row {
    lvl_text *names;
    uint32_t name_count;
} row;

typedef struct level {
    uint32_t width; /* derived */
    lvl_text title;
    uint8_t night;
    double *heights;
    thing *things;
    row *rows;
    lvl_text *others;
    uint32_t height_count, thing_count, row_count, other_count;
    uint8_t line_end;
    lvl_text source;
} level;

/* clang-format off */
static const lvl_name kinds[] = {{0, "tree", NULL}, {1, "rock", NULL}, {0, NULL, NULL}};
static const lvl_field thing_fields[] = {
    LVL_ROW_TEXT(thing, name, "name", .prose = ""), LVL_ROW_TEXT(thing, note, "note", .prose = ""),
    LVL_ROW_TEXT(thing, first, "first", .prose = ""), LVL_ROW_TEXT(thing, second, "second", .prose = ""),
    LVL_ROW_REAL(thing, x, "x", .prose = ""), LVL_ROW_INT(thing, y, "y", LVL_NO_PLACE, .prose = ""),
    LVL_ROW_INT(thing, kind, "kind", LVL_NO_PLACE, .names = kinds, .prose = ""),
    LVL_ROW_UINT(thing, layer, "layer", LVL_NO_PLACE, .prose = ""),
    LVL_ROW_UINT(thing, pair, "pair", LVL_NO_PLACE, .prose = ""),
};
static const lvl_table thing_table = {.name = "thing", .struct_size = sizeof(thing), .fields = thing_fields,
                                      .field_count = LVL_COUNT_OF(thing_fields)};
static const lvl_field row_fields[] = {LVL_ROW_TEXTS(row, names, name_count, "names", .prose = "")};
static const lvl_table row_table = {.name = "row", .struct_size = sizeof(row), .fields = row_fields,
                                    .field_count = 1};
static const lvl_field level_fields[] = {
    LVL_ROW_UINT(level, width, "width", LVL_NO_PLACE, .role = LVL_DERIVED, .prose = ""),
    LVL_ROW_TEXT(level, title, "title", .prose = ""),
    LVL_ROW_UINT(level, night, "night", LVL_NO_PLACE, .max = 1, .prose = ""),
    LVL_ROW_REALS(level, heights, height_count, "heights", .prose = ""),
    LVL_ROW_LIST(level, things, thing_count, "things", &thing_table, thing, .prose = ""),
    LVL_ROW_LIST(level, rows, row_count, "rows", &row_table, row, .prose = ""),
    LVL_ROW_TEXTS(level, others, other_count, "others", .prose = ""),
    LVL_ROW_UINT(level, line_end, "line_end", LVL_NO_PLACE, .role = LVL_KEPT, .prose = ""),
    LVL_ROW_TEXT(level, source, "source", .role = LVL_KEPT, .prose = ""),
};
static const lvl_table level_table = {.name = "level", .struct_size = sizeof(level), .fields = level_fields,
                                      .field_count = LVL_COUNT_OF(level_fields)};

#define SINGLE(word_, words_, flags_) \
    {.word = (word_), .kind = LVL_RULE_SINGLE, .words = (words_), .flags = (flags_)}
static const lvl_rule rules[] = {
    {.word = "TOY1", .kind = LVL_RULE_FIRST},
    {.kind = LVL_RULE_OTHER, .list = offsetof(level, others)},
    SINGLE("WIDTH", "width", LVL_RULE_ALWAYS | LVL_RULE_STRICT),
    SINGLE("TITLE", "[title...]", 0),
    SINGLE("NIGHT", "!night", 0),
    {.word = "HEIGHTS", .end = "HEIGHTSEND", .kind = LVL_RULE_SINGLE, .body = "heights"},
    {.word = "THING", .end = "THINGEND", .kind = LVL_RULE_ITEM, .list = offsetof(level, things),
     .words = "name.. x y [layer]", .body = "note"},
    {.word = "PAIR", .end = "PAIREND", .kind = LVL_RULE_ITEM, .list = offsetof(level, things),
     .words = "!pair name... x kind", .body = "first second"},
    {.word = "ROWS", .end = "ROWSEND", .kind = LVL_RULE_ROWS, .list = offsetof(level, rows), .words = "names,"},
};
/* clang-format on */

static const lvl_finding_def problem = {
    "toy.line", "A line is wrong.", {LVL_WARNING, LVL_WARNING, LVL_WARNING}, NULL, 0};
#define P (&problem)
static const lvl_grammar grammar = {.rules = rules,
                                    .rule_count = LVL_COUNT_OF(rules),
                                    .source = offsetof(level, source),
                                    .line_end = offsetof(level, line_end),
                                    .findings = {P, P, P, P, P, P, P, P, P, P, P, P}};

static const lvl_grammar *grammar_of(const lvl_doc *doc)
{
    (void)doc;
    return &grammar;
}

static const lvl_format toy = {
    .id = "toy",
    .table = &level_table,
    .calls =
        &(const lvl_format_calls){
            .read = lvl_grammar_read,
            .write = lvl_grammar_write,
            .note_pieces = lvl_grammar_note_pieces,
            .grammar = grammar_of,
        },
};

static lvl_ctx ctx;

static lvl_doc *read_text(const char *text, size_t len, lvl_findings *findings)
{
    lvl_doc *doc = NULL;

    assert_int_equal(
        lvl_read(&doc, &ctx, &toy, (lvl_bytes){(const uint8_t *)text, len}, NULL, LVL_READ_BORROW, findings),
        LVL_OK);
    return doc;
}

static void assert_writes_text(const lvl_doc *doc, const char *want)
{
    lvl_expect_written(doc, lvl_bytes_of(want));
}

static const char full[] = "TOY1\nWIDTH 3\nTITLE A  long title\nNIGHT\nHEIGHTS\n1,2.5,-3\nHEIGHTSEND\n"
                           "THING oak tree.png 1.5 2\nfirst line\nsecond\nTHINGEND\n"
                           "THING - 3 -4 5\n\nTHINGEND\n"
                           "PAIR some where 7 rock\nhello\nworld\nPAIREND\n"
                           "ROWS\n\"a\",\"b \"\"c\"\"\",\"\"\n\"d\"\nROWSEND\n";

static const char odd[] =
    "\xEF\xBB\xBFTOY1 more\n\nFOO bar\nWIDTH  03\nWIDTH x\nWIDTH 4\nTHING  oak  1.50 +2  \ntext\n  THINGEND\n"
    "THINGEND \n\n \nPAIR a b c 1e1 9\none\nPAIREND\n\"outside\"\nROWS\n a , \"b\n\n\"c\",,\nTITLE\n"
    "THING\nNIGHT 1\nHEIGHTS\n1,,x\n2\nHEIGHTSEND\nROWSEND\nTHING q 1 1\nopen";

static void reads(void **state)
{
    lvl_doc *doc = read_text(full, sizeof full - 1, NULL);
    const level *l = lvl_doc_croot(doc);
    bool usual;

    (void)state;
    assert_int_equal(l->width, 3);
    assert_true(lvl_text_is(l->title, "A  long title"));
    assert_int_equal(l->night, 1);
    assert_int_equal(l->height_count, 3);
    assert_true(l->heights[1] > 2.4 && l->heights[2] < -2.9);
    assert_int_equal(l->thing_count, 3);
    assert_true(lvl_text_is(l->things[0].name, "oak tree.png"));
    assert_true(lvl_text_is(l->things[0].note, "first line\nsecond"));
    assert_int_equal(l->things[1].y, -4);
    assert_int_equal(l->things[1].layer, 5);
    assert_true(lvl_text_is(l->things[2].name, "some where"));
    assert_int_equal(l->things[2].kind, 1);
    assert_true(lvl_text_is(l->things[2].second, "world"));
    assert_int_equal(l->row_count, 2);
    assert_true(lvl_text_is(l->rows[0].names[1], "b \"c\""));
    assert_int_equal(lvl_grammar_can_regenerate(doc, NULL, &usual), LVL_OK);
    assert_true(usual);
    ((level *)lvl_doc_root(doc))->source.len = 0;
    lvl_expect_written(doc, (lvl_bytes){(const uint8_t *)full, sizeof full - 1});
    lvl_doc_free(doc);
}

/* A text without bytes, which may be NULL, is no number. */
static void reads_no_word(void **state)
{
    int32_t number = 1;
    double real = 1;

    (void)state;
    assert_false(lvl_word_int32((lvl_text){NULL, 0}, &number));
    assert_int_equal(number, 0);
    assert_false(lvl_word_real((lvl_text){NULL, 0}, &real));
    assert_true(real == 0);
}

static void reads_odd_lines(void **state)
{
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_doc *doc = read_text(odd, sizeof odd - 1, findings);
    const level *l = lvl_doc_croot(doc);

    (void)state;
    assert_int_equal(l->width, 4);
    assert_int_equal(l->thing_count, 3);
    assert_int_equal(l->things[0].y, 2);
    assert_true(lvl_text_is(l->things[0].note, "text\n  THINGEND"));
    assert_true(lvl_text_is(l->things[1].name, "a b c"));
    assert_true(lvl_text_is(l->things[2].note, "open"));
    /* FOO, WIDTH x, the row outside, THING without words, ROWSEND after a command ended the block; not the
     * first WIDTH, which a later one replaces */
    assert_int_equal(l->other_count, 5);
    assert_int_equal(l->row_count, 2);
    assert_int_equal(l->rows[1].name_count, 2);
    assert_int_equal(l->height_count, 4);
    assert_true(lvl_findings_count(findings) > 8);
    lvl_expect_written(doc, (lvl_bytes){(const uint8_t *)odd, sizeof odd - 1});
    lvl_doc_free(doc);
    lvl_findings_free(findings);
}

/* Each edit changes its own part of a line, a body or a block. */
static void keeps_spelling(void **state)
{
    static const char from[] = "TOY1\r\n\r\nTHING  a  1.50 2\r\n x\r\nTHINGEND \r\n\r\nFOO\r\nTHING b 01 "
                               "2\r\ny\r\nTHINGEND\r\nROWS\r\n 'q' \r\n\r\nROWSEND";
    lvl_doc *doc = read_text(from, strlen(from), NULL);
    level *l = lvl_doc_root(doc);
    thing more[3];

    (void)state;
    l->things[0].note = lvl_text_of("z\nw");
    assert_writes_text(doc, "TOY1\r\n\r\nTHING  a  1.50 2\r\nz\r\nw\r\nTHINGEND \r\n\r\nFOO\r\nTHING b 01 "
                            "2\r\ny\r\nTHINGEND\r\nROWS\r\n 'q' \r\n\r\nROWSEND");
    l->things[0].note = lvl_text_of(" x");
    assert_writes_text(doc, from);
    l->things[1].y = 3;
    assert_writes_text(doc, "TOY1\r\n\r\nTHING  a  1.50 2\r\n x\r\nTHINGEND \r\n\r\nFOO\r\nTHING b 01 "
                            "3\r\ny\r\nTHINGEND\r\nROWS\r\n 'q' \r\n\r\nROWSEND");
    /* one more between them, and the first one removed */
    more[0] = l->things[0];
    more[1] = (thing){.name = lvl_text_of("n")};
    more[2] = l->things[1];
    more[2].y = 2;
    l->things = more;
    l->thing_count = 3;
    assert_writes_text(
        doc, "TOY1\r\n\r\nTHING  a  1.50 2\r\n x\r\nTHINGEND \r\n\r\nTHING n 0 "
             "0\r\n\r\nTHINGEND\r\n\r\nFOO\r\nTHING b 01 2\r\ny\r\nTHINGEND\r\nROWS\r\n 'q' \r\n\r\nROWSEND");
    l->things = more + 2;
    l->thing_count = 1;
    assert_writes_text(doc,
                       "TOY1\r\n\r\nFOO\r\nTHING b 01 2\r\ny\r\nTHINGEND\r\nROWS\r\n 'q' \r\n\r\nROWSEND");
    lvl_doc_free(doc);
}

/* A new first item goes before the next one, although lines of other kinds that the canonical form has before
 * both follow in the file. */
static void keeps_order(void **state)
{
    static const char text[] = "TOY1\nTHING a  1 2\n\nTHINGEND\nFOO\nTITLE t\n";
    lvl_doc *doc = read_text(text, sizeof text - 1, NULL);
    level *l = lvl_doc_root(doc);
    thing more[3];

    (void)state;
    more[0] = (thing){.name = lvl_text_of("n")};
    more[1] = (thing){.name = lvl_text_of("m")};
    more[2] = l->things[0];
    l->things = more;
    l->thing_count = 3;
    assert_writes_text(doc, "TOY1\nTHING n 0 0\n\nTHINGEND\nTHING m 0 0\n\nTHINGEND\n"
                            "THING a  1 2\n\nTHINGEND\nFOO\nTITLE t\n");
    lvl_doc_free(doc);
}

/* Blanks before the first line are spelling: an edit adds no other first line. */
static void keeps_first_line(void **state)
{
    static const char text[] = "\n  TOY1 \nTITLE  t\n";
    lvl_doc *doc = read_text(text, sizeof text - 1, NULL);
    level *l = lvl_doc_root(doc);

    (void)state;
    assert_int_equal(l->other_count, 0);
    assert_writes_text(doc, text);
    l->title = lvl_text_of("u");
    assert_writes_text(doc, "\n  TOY1 \nTITLE  u\n");
    lvl_doc_free(doc);
}

/* The last line has no end in the file. After its removal the line before it loses its own, which is not that
 * of most lines. */
static void removes_last_line(void **state)
{
    static const char text[] = "TOY1\r\nTITLE  t\r\nROWS\r\n\"q\" \r\nROWSEND\nFOO";
    lvl_doc *doc = read_text(text, sizeof text - 1, NULL);
    level *l = lvl_doc_root(doc);

    (void)state;
    assert_int_equal(l->other_count, 1);
    l->other_count = 0;
    assert_writes_text(doc, "TOY1\r\nTITLE  t\r\nROWS\r\n\"q\" \r\nROWSEND");
    lvl_doc_free(doc);
}

/* The CR at the end of a file whose lines end in CRLF is no text of its last line. */
static void cut_line_end(void **state)
{
    static const char text[] = "TOY1\r\n\r\nFOO\r";
    lvl_doc *doc = read_text(text, sizeof text - 1, NULL);
    level *l = lvl_doc_root(doc);

    (void)state;
    assert_int_equal(l->other_count, 1);
    assert_true(lvl_text_is(l->others[0], "FOO"));
    assert_writes_text(doc, text);
    lvl_doc_free(doc);
}

static void refuses(void **state)
{
    static const struct {
        const char *name, *note;
    } cases[] = {{"a\nb", ""}, {"", ""},      {"a", "x\nTHINGEND"}, {" a", ""},
                 {"a", "x\n"}, {"a 1 1", ""}, {"a\0", NULL}};
    lvl_doc *doc = read_text(full, sizeof full - 1, NULL);
    level *l = lvl_doc_root(doc);
    lvl_buffer out = {0};

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(cases); i++) {
        const bool good = i >= 4;
        lvl_findings *findings = lvl_findings_new(&ctx);
        l->things[0].name = lvl_text_of(cases[i].name);
        l->things[0].note = lvl_text_of(cases[i].note);
        out.len = 0;
        const lvl_status status = lvl_doc_write(doc, &out);
        assert_int_equal(status, good ? LVL_OK : LVL_ERR_LOSS);
        assert_int_equal(lvl_grammar_check_writable(doc, findings), status);
        assert_int_equal(lvl_findings_count(findings), good ? 0 : 1);
        lvl_findings_free(findings);
    }
    lvl_buffer_free(&out);
    lvl_doc_free(doc);
}

static void assert_exact(const char *text, size_t len)
{
    char *copy = malloc(len + 1); /* so that a sanitizer finds reads beyond it */

    assert_non_null(copy);
    memcpy(copy, text, len);
    char *exact = realloc(copy, len ? len : 1);
    assert_non_null(exact);
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_doc *doc = read_text(len ? exact : NULL, len, findings);
    lvl_expect_written(doc, (lvl_bytes){(const uint8_t *)exact, len});
    lvl_doc_free(doc);
    lvl_findings_free(findings);
    free(exact);
}

static void survives_hostile_texts(void **state)
{
    static const char *const texts[] = {"\n",
                                        "\r",
                                        "\r\n",
                                        "TOY1",
                                        "TOY1\r\n\n\r\nWIDTH 1\n\r",
                                        "THING",
                                        "THING ",
                                        "THING a 1",
                                        "THINGEND",
                                        "ROWS",
                                        "ROWS\nROWS\nROWS",
                                        "ROWSEND\nROWSEND",
                                        "HEIGHTS\n,,,\n",
                                        "HEIGHTS\n1\nHEIGHTS\n2\nHEIGHTSEND\n",
                                        "WIDTH 99999999999999999999999999\nWIDTH -1\nWIDTH 4294967295\n",
                                        "THING a 1e999 99999999999 -99999999999\nTHINGEND\n",
                                        "THING a -.5 -9223372036854775808 4294967296\nTHINGEND",
                                        "ROWS\n\"\n\"\"\n\"\"\"\n\"\"\"\"\n,\nROWSEND\n",
                                        "TITLE\nTITLE x\nTITLE\n",
                                        "\xEF\xBB\xBF",
                                        "\xEF\xBB\xBFTOY1"};
    static const char nul[] = "TOY1\0\nTHING \0 1 2\n\0\0\nTHINGEND\0\nTHINGEND\n\0";
    char mixed[2 * sizeof odd];
    size_t n = 0;

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(texts); i++)
        assert_exact(texts[i], strlen(texts[i]));
    for (size_t len = 1; len < sizeof nul; len++)
        assert_exact(nul, len);
    for (size_t len = 1; len < sizeof full; len++)
        assert_exact(full, len);
    for (size_t len = 1; len < sizeof odd; len++)
        assert_exact(odd, len);
    for (unsigned every = 1; every < 4; every++) {
        n = 0;
        for (size_t i = 0, lines = 0; i + 1 < sizeof odd; i++) {
            if (odd[i] == '\n' && lines++ % every == 0)
                mixed[n++] = '\r';
            mixed[n++] = odd[i];
        }
        for (size_t len = 1; len <= n; len++)
            assert_exact(mixed, len);
    }
}

/* ---- time ---------------------------------------------------------------------------------------- */

static double edit_seconds(const void *user, uint32_t n)
{
    const char *line = user;
    lvl_buffer text = {0}, out = {0};

    lvl_buffer_str(&text, "TOY1\n");
    for (uint32_t i = 0; i < n; i++)
        lvl_buffer_str(&text, line);
    assert_int_equal(text.status, LVL_OK);
    const double from = lvl_cpu_seconds();
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_doc *doc = read_text((const char *)text.data, text.len, findings);
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    assert_int_equal(out.len, text.len);
    ((level *)lvl_doc_root(doc))->night ^= 1;
    lvl_doc_write(doc, &out);
    lvl_doc_free(doc);
    lvl_findings_free(findings);
    const double took = lvl_cpu_seconds() - from;
    lvl_buffer_free(&text);
    lvl_buffer_free(&out);
    return took;
}

static void grows_linearly(void **state)
{
    static const char *const lines[] = {"x\n",
                                        "\n",
                                        "THING a 1 2\nTHINGEND\n",
                                        "THING a 1 2\n",
                                        "WIDTH 1\n",
                                        "ROWS\nROWSEND\n",
                                        "\"a\",\n",
                                        "ROWS\nq,\n",
                                        "THINGEND\n",
                                        "TITLE a b c d\n"};
    int failed = 0;

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(lines); i++)
        failed += !lvl_grows_linearly(lines[i], edit_seconds, lines[i], 8000);
    assert_int_equal(failed, 0);
    /* a million short lines */
    edit_seconds("x\n", 1000000);
}

/* Lines that are empty have no address: the head of a part without one, and what was written from a
 * default. */
static void patches_no_lines(void **state)
{
    const lvl_text none = {NULL, 0}, line = {"SIGN 1 2\n", 9}, other = {"SIGN 1 3\n", 9};
    lvl_buffer out = {0};

    (void)state;
    lvl_words_patch(none, none, line, &out);
    lvl_words_patch(line, line, none, &out);
    lvl_words_patch(none, none, none, &out);
    assert_int_equal(out.len, line.len);
    lvl_words_patch(line, line, other, &out);
    assert_memory_equal(out.data, "SIGN 1 2\nSIGN 1 3\n", 18);
    lvl_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_no_word),    cmocka_unit_test(reads),
        cmocka_unit_test(reads_odd_lines),  cmocka_unit_test(keeps_spelling),
        cmocka_unit_test(cut_line_end),     cmocka_unit_test(keeps_order),
        cmocka_unit_test(keeps_first_line), cmocka_unit_test(removes_last_line),
        cmocka_unit_test(refuses),          cmocka_unit_test(survives_hostile_texts),
        cmocka_unit_test(grows_linearly),   cmocka_unit_test(patches_no_lines),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
