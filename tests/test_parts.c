/*
 * Parts as separate files: their names, exact packing whatever an editor did to line ends, and files that
 * belong to no part.
 */
#include "base/format.h"
#include "tools/edit/parts.h"
#include "tools/tools.h"
#include "tale.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static lvl_ctx ctx;

static const char sample[] = "TALE 1\n"
                             "ACTOR 1 2 Old Door!.png\n"
                             "|open;\n"
                             "|\n"
                             "ACTOR 3 4 \n"
                             "ACTOR 5 6 Zo\xEB\n"
                             "|say \xEB;\n"
                             "|end;\n"
                             "SIGN 7 8\n"
                             "|A text that goes on for very long indeed\n"
                             "SIGN 9 9\n";

static void out_of(void **state)
{
    static const char *const signs[] = {"signs", NULL}, *const none[] = {"songs", NULL};
    static const struct {
        const char *name, *bytes, *path;
    } want[] = {
        {"actor-000-old_door.txt", "open;\n\n", "actors[0].script"},
        {"actor-002-zo.txt", "say \xC3\xAB;\nend;\n", "actors[2].script"},
        {"sign-000-a_text_that_goes_on_for.txt", "A text that goes on for very long indeed\n",
         "signs[0].text"},
    };
    lvl_doc *doc = tale_doc(&ctx, sample);
    lvl_parts *parts;
    char path[100];
    (void)state;

    assert_string_equal(lvl_format_parts(&tale_format, 0), "scripts");
    assert_string_equal(lvl_format_parts(&tale_format, 1), "signs");
    assert_null(lvl_format_parts(&tale_format, 2));
    assert_int_equal(lvl_parts_new(doc, NULL, &parts), LVL_OK);
    assert_int_equal(parts->count, 3);
    for (size_t i = 0; i < 3; i++) {
        const lvl_part *p = &parts->items[i];
        assert_string_equal(p->name, want[i].name);
        assert_int_equal(p->bytes.len, strlen(want[i].bytes));
        assert_memory_equal(p->bytes.ptr, want[i].bytes, p->bytes.len);
        lvl_where_text(&p->where, path, sizeof path);
        assert_string_equal(path, want[i].path);
    }
    lvl_parts_free(parts);
    assert_int_equal(lvl_parts_new(doc, signs, &parts), LVL_OK);
    assert_int_equal(parts->count, 1);
    assert_string_equal(parts->items[0].group, "signs");
    lvl_parts_free(parts);
    assert_int_equal(lvl_parts_new(doc, none, &parts), LVL_OK);
    assert_int_equal(parts->count, 0);
    lvl_parts_free(parts);
    lvl_doc_free(doc);
}

/* Packs files and returns the status; `want` is the document's file afterwards. */
static lvl_status put(const lvl_part_file *files, size_t count, size_t *changed, const char *want,
                      lvl_findings *findings)
{
    lvl_doc *doc = tale_doc(&ctx, sample);
    lvl_buffer file = {0};

    lvl_status status = lvl_parts_put(doc, files, count, changed, findings);
    assert_int_equal(lvl_doc_write(doc, &file), LVL_OK);
    lvl_buffer_u8(&file, 0);
    assert_string_equal((const char *)file.data, want);
    lvl_buffer_free(&file);
    lvl_doc_free(doc);
    return status;
}

static lvl_part_file file_of(const char *name, const char *text)
{
    lvl_part_file f = {name, {(const uint8_t *)text, strlen(text)}};
    return f;
}

static void back_the_same(void **state)
{
    static const char *const ways[][2] = {
        {"actor-000-old_door.txt", "open;\n\n"},
        {"actor-000.txt", "\xEF\xBB\xBFopen;\r\n\r\n"},
        {"actor-000", "open;\n\n"},
        {"actor-002-whoever it is.TXT", "say \xC3\xAB;\nend;"},
        {"actor-001-.txt", "\n"},
        {"actor-001.txt", ""},
        {"sign-000-x.y.z", "A text that goes on for very long indeed"},
    };
    size_t changed;
    (void)state;

    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        lvl_part_file f = file_of(ways[i][0], ways[i][1]);
        assert_int_equal(put(&f, 1, &changed, sample, NULL), LVL_OK);
        assert_int_equal(changed, 0);
    }
}

static void back_changed(void **state)
{
    const lvl_part_file files[] = {
        file_of("actor-000.txt", "close;\n"),
        file_of("actor-001.txt", "new \xC3\xA9\r\n"),
        file_of("actor-002-zo.txt", "say \xC3\xAB;\nend;\n"),
        file_of("sign-000.txt", ""),
        file_of("sign-001-b.txt", "x\n\n"),
    };
    size_t changed;
    (void)state;

    assert_int_equal(
        put(files, 5, &changed,
            "TALE 1\nACTOR 1 2 Old Door!.png\n|close;\nACTOR 3 4 \n|new \xE9\nACTOR 5 6 Zo\xEB\n|say \xEB;\n"
            "|end;\nSIGN 7 8\n|\nSIGN 9 9\n|x\n|\n",
            NULL),
        LVL_OK);
    assert_int_equal(changed, 4);
}

/* Nothing is changed, and each wrong file is reported. */
static void refused(void **state)
{
    static const struct {
        const char *name, *bytes, *says;
    } bad[] = {
        {"actor-003.txt", "x", "no such part; the last one of its kind is actor-002"},
        {"actor-0000.txt", "x", "no such part"},
        {"actor.txt", "x", "no such part"},
        {"notes.txt", "x", "is not the name of a part; expected a name like actor-000"},
        {"", "x", "is not the name of a part"},
        {"actor-001.txt", "\xE2\x82\xAC\xE2\x98\x83", "U+2603"},
        {"actor-001.txt", "\xFF", "isn't UTF-8"},
        {"actor-000-again.txt", "x", "belongs to the same part as actor-000.txt"},
    };
    lvl_findings *findings = lvl_findings_new(&ctx);
    size_t changed;
    (void)state;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const lvl_part_file files[2] = {file_of("actor-000.txt", "changed"),
                                        file_of(bad[i].name, bad[i].bytes)};
        lvl_findings_clear(findings);
        assert_int_equal(put(files, 2, &changed, sample, findings), LVL_ERR_ARG);
        assert_int_equal(changed, 0);
        assert_int_equal(lvl_findings_count(findings), 1);
        if (!strstr(lvl_findings_at(findings, 0)->text, bad[i].says))
            fail_msg("%s: %s", bad[i].name, lvl_findings_at(findings, 0)->text);
    }
    lvl_findings_free(findings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(out_of),
        cmocka_unit_test(back_the_same),
        cmocka_unit_test(back_changed),
        cmocka_unit_test(refused),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
