/*
 * Recovery of broken JSON of drawings: sound parts stay, a broken entry is dropped, and the result is sound
 * JSON that a second recovery does not change. The result of an edit of such a document can be read.
 */
#include "base/format.h"
#include "codec/tokens.h"
#include "sketchy/text/document.h"
#include "tools/diff/changes.h"

#include <lvl/sketchy.h>
#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static bool is_sound(lvl_text text)
{
    lvl_tokens t;

    lvl_tokens_init(&t, text, LVL_TOKENS_DEPTH);
    const lvl_token first = lvl_tokens_next(&t);
    return first.kind == LVL_TOKEN_OBJECT && lvl_tokens_skip(&t, &first).ptr;
}

/* With the keys of a level. */
static lvl_status recover(lvl_text text, lvl_buffer *out, size_t *breaks)
{
    lvl_shapes shapes;

    lvl_shapes_root(&shapes, &lvl_sketchy_table, LVL_SKETCHY_LEVEL);
    return lvl_sketchy_recover_json(text, &shapes, out, breaks);
}

static lvl_text repair_all(lvl_buffer *out, lvl_text text, size_t *breaks)
{
    out->len = 0;
    assert_int_equal(recover(text, out, breaks), LVL_OK);
    const lvl_text repaired = {(const char *)out->data, out->len};
    assert_true(is_sound(repaired));
    return repaired;
}

static void repaired_as_meant(void **state)
{
    static const char *const pairs[][2] = {
        /* a broken value is removed with its key */
        {"{\"title\":\"a\",,\"author\":\"b\"}", "{\"title\":\"a\",\"author\":\"b\"}"},
        {"{\"title\":\"a\";\"author\":\"b\",\"uuid\":\"c\"}", "{\"title\":\"a\",\"uuid\":\"c\"}"},
        {"{\"title\"=\"a\",\"author\":\"b\",\"uuid\":\"c\"}", "{\"author\":\"b\",\"uuid\":\"c\"}"},
        {"{\"title\":\"a\"\"author\":\"b\",\"uuid\":\"c\"}", "{\"title\":\"a\",\"uuid\":\"c\"}"},
        {"{\"title\":\"a\",xauthor\":\"b\",\"uuid\":\"c\"}", "{\"title\":\"a\",\"uuid\":\"c\"}"},
        {"{\"title\":\"a\",\"pageType\":2.,\"uuid\":\"c\",\"author\":\"b\"}",
         "{\"title\":\"a\",\"uuid\":\"c\",\"author\":\"b\"}"},
        {"{\"title\":\"a\",\"pageType\":?,\"uuid\":\"c\",\"author\":\"b\"}",
         "{\"title\":\"a\",\"uuid\":\"c\",\"author\":\"b\"}"},
        {"{\"title\":\"a\nb\\qc\",\"author\":\"b\"}", "{\"author\":\"b\"}"},
        /* truncated: the complete part is kept */
        {"{\"title\":\"a pict", "{\"title\":\"a pict\"}\n"},
        {"{\"title\":\"a\\u00", "{\"title\":\"a\"}\n"},
        {"{\"title\":\"a\xc3", "{\"title\":\"a\"}\n"},
        {"{\"title\":\"a\",\"uuid\":\"0123", "{\"title\":\"a\"}\n"},
        {"{\"chunks\":{\"size\":16,\"chunks\":{\"0,0\":{\"type\":0,\"data\":{\"1,1\":2,\"1,2\":",
         "{\"chunks\":{\"size\":16,\"chunks\":{\"0,0\":{\"type\":0,\"data\":{\"1,1\":2}}}}}\n"},
    };
    lvl_buffer once = {0}, twice = {0};

    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        size_t breaks = 0;
        const lvl_text text = repair_all(&once, lvl_text_of(pairs[i][0]), &breaks);
        if (!lvl_text_is(text, pairs[i][1]))
            print_error("%s\nbecame %.*s\ninstead of %s\n", pairs[i][0], (int)text.len, text.ptr,
                        pairs[i][1]);
        assert_true(lvl_text_is(text, pairs[i][1]));
        assert_true(breaks > 0);
        assert_true(lvl_text_is(repair_all(&twice, text, &breaks), pairs[i][1]));
        assert_int_equal(breaks, 0);
    }
    lvl_buffer_free(&once);
    lvl_buffer_free(&twice);
}

static const char level[] =
    "{\"version\":1,\"title\":\"A\",\"files\":{},\"rules\":{\"difficulty\":0},\"chunks\":{\"size\":16,"
    "\"chunks\":{\"0,0\":"
    "{\"type\":0,\"data\":{\"1,1\":0,\"2,2\":1}},\"-1,0\":{\"type\":0,\"data\":{\"-1,3\":1}}}},\"palette\":{"
    "\"swatches\":["
    "{\"name\":\"a\",\"color\":\"#000000\"},{\"name\":\"b\",\"color\":\"#ff0000\",\"fire\":true}]},"
    "\"pageType\":1,"
    "\"actors\":{\"x\":{\"filename\":\"y.doodad\",\"point\":\"1,2\",\"links\":[\"z\"]}}}\n";

/* Each byte of a level replaced by each that grammar is made of. */
static void always_sound(void **state)
{
    static const char bytes[] = "{}[],:\".x\\\n";
    lvl_buffer once = {0}, twice = {0};
    char text[sizeof level];

    (void)state;
    for (size_t at = 1; at < sizeof level - 1; at++) {
        for (const char *b = bytes; *b; b++) {
            memcpy(text, level, sizeof text);
            text[at] = *b;
            const lvl_text whole = {text, sizeof level - 1};
            once.len = 0;
            const lvl_status status = recover(whole, &once, NULL);
            if (status == LVL_ERR_MISSING) {
                /* complete, but followed by other text: "{}version..." and after the last bracket */
                assert_true(is_sound(whole));
                assert_true(at == 1 || at == sizeof level - 2);
                continue;
            }
            const lvl_text repaired = repair_all(&once, whole, NULL);
            size_t breaks;
            assert_true(lvl_text_equal(repair_all(&twice, repaired, &breaks), repaired));
            assert_int_equal(breaks, 0);
        }
    }
    lvl_buffer_free(&once);
    lvl_buffer_free(&twice);
}

/* ---- edits ------------------------------------------------------------------------------------------- */

static void edited(const char *text, const char *assignment, const char *want)
{
    const lvl_format *format = lvl_format_find("sketchy");
    const lvl_bytes input = {(const uint8_t *)text, strlen(text)};
    lvl_buffer file = {0};
    lvl_doc *doc = NULL, *again = NULL;
    lvl_changes changes;
    lvl_ctx ctx;

    lvl_ctx_init(&ctx);
    assert_int_equal(lvl_read(&doc, &ctx, format, input, NULL, LVL_READ_BORROW, NULL), LVL_OK);
    assert_int_equal(lvl_doc_write(doc, &file), LVL_OK); /* as it was */
    assert_int_equal(file.len, input.len);
    assert_memory_equal(file.data, input.ptr, input.len);
    file.len = 0;
    assert_int_equal(lvl_set(doc, &assignment, 1, NULL, NULL), LVL_OK);
    assert_int_equal(lvl_doc_write(doc, &file), LVL_OK);
    assert_true(is_sound((lvl_text){(const char *)file.data, file.len}));
    assert_int_equal(
        lvl_read(&again, &ctx, format, (lvl_bytes){file.data, file.len}, NULL, LVL_READ_BORROW, NULL),
        LVL_OK);
    /* all members; what is left of a broken key is none */
    assert_int_equal(lvl_changes_find(&changes, doc, again), LVL_OK);
    if (changes.count)
        print_error("%s\nbecame %.*s\n", text, (int)file.len, (const char *)file.data);
    assert_int_equal(changes.count, 0);
    lvl_changes_free(&changes);
    if (want) {
        assert_int_equal(file.len, strlen(want));
        assert_memory_equal(file.data, want, file.len);
    }
    lvl_doc_free(again);
    lvl_doc_free(doc);
    lvl_buffer_free(&file);
}

static void edits_of_doubled_keys(void **state)
{
    (void)state;
    /* the second continues the first, as in Go: the last one gets the edit, the others stay */
    edited(
        "{\"title\":\"a\",\"actors\":{\"p\":{\"filename\":\"1\"},\"q\":{\"filename\":\"2\"}},\"title\":"
        "\"b\",\"actors\":"
        "{\"q\":{\"filename\":\"3\"}}}",
        "title=c",
        "{\"title\":\"a\",\"actors\":{\"p\":{\"filename\":\"1\"},\"q\":{\"filename\":\"2\"}},\"title\":\"c\","
        "\"actors\":"
        "{\"q\":{\"filename\":\"3\"}}}");
    edited(
        "{\"actors\":{\"p\":{\"filename\":\"1\"}},\"title\":\"b\",\"actors\":{\"q\":{\"filename\":\"3\"}}}",
        "actors[0].filename=4",
        "{\"actors\":{\"p\":{\"filename\":\"1\"}},\"title\":\"b\",\"actors\":{\"p\":{\"filename\":\"4\","
        "\"point\":"
        "\"0,0\",\"links\":[],\"options\":{}},\"q\":{\"filename\":\"3\",\"point\":\"0,0\",\"links\":[],"
        "\"options\":{}}}}");
    edited("{\"title\":\"a\",\"title\":null,\"pageType\":2,\"pageType\":\"x\"}", "title=", NULL);
    edited("{\"chunks\":{\"size\":16,\"chunks\":{\"0,0\":{\"data\":{\"1,1\":0}}}},\"chunks\":{\"chunks\":{"
           "\"1,0\":{\"data\":"
           "{\"17,1\":0}},\"0,0\":{\"data\":{\"2,2\":1}}}}}",
           "title=c", NULL);
    edited("{\"chunks\":{\"size\":16,\"chunks\":{\"0,0\":{\"data\":{\"1,1\":0}}}},\"rules\":{\"difficulty\":"
           "1},\"chunks\":"
           "{\"size\":16},\"rules\":{\"survival\":true}}",
           "title=c", NULL);
}

static void edits_of_broken_text(void **state)
{
    static const char bytes[] = "{}[],:\".x";
    char text[sizeof level];

    (void)state;
    for (size_t at = 1; at < sizeof level - 1; at++) {
        memcpy(text, level, sizeof text);
        text[at] = bytes[at % (sizeof bytes - 1)];
        edited(text, "title=other", NULL);
        memcpy(text, level, sizeof text);
        text[at] = 0; /* cut */
        edited(text, "title=other", NULL);
    }
    edited("{\"palette\":{\"swatches\":null},\"size\":{\"W\":3},\"script\":\"a", "title=x",
           NULL); /* still a doodad */
    edited("{\"actors\":{\"\xff\":{\"filename\":\"\xc3\"}},\"actors\":{}}", "title=x", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repaired_as_meant),
        cmocka_unit_test(always_sound),
        cmocka_unit_test(edits_of_doubled_keys),
        cmocka_unit_test(edits_of_broken_text),
    };

    return cmocka_run_group_tests_name("json_recover", tests, NULL, NULL);
}
