/*
 * How often an edit reads the document: once to edit it, and once to verify what was written.
 */
#include "base/buffer.h"
#include "base/format.h"
#include "support/corpus.h"
#include "support/level_make.h"
#include "tools/write.h"

#include <lvl/lvl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_status (*read_really)(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings);
static unsigned readings;

static lvl_status read_counted(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    readings++;
    return read_really(doc, sink, findings);
}

/* Edits a sample and writes it. Returns how many findings with this id the edit adds; NULL: with any id. */
static size_t edit_sample(const lvl_format *format, const char *file, const char *change, const char *id)
{
    lvl_buffer out = {0};
    char path[1024];
    lvl_doc *doc;
    size_t len, changed;
    lvl_ctx ctx;

    lvl_ctx_init(&ctx);
    snprintf(path, sizeof path, "%s/%s", lvl_samples_dir(), file);
    uint8_t *sample = lvl_slurp(path, &len);
    assert_non_null(sample);
    lvl_findings *findings = lvl_findings_new(&ctx), *added = lvl_findings_new(&ctx);
    assert_int_equal(
        lvl_read(&doc, &ctx, format, (lvl_bytes){sample, len}, NULL, LVL_READ_BORROW | LVL_READ_EDIT, NULL),
        LVL_OK);
    assert_int_equal(lvl_set(doc, &change, 1, &changed, findings), LVL_OK);
    assert_int_equal(changed, 1);
    assert_int_equal(lvl_doc_write_checked(doc, &out, findings, LVL_ERROR, added), LVL_OK);
    const size_t count = id ? lvl_count_of(added, id) : lvl_findings_count(added);
    lvl_doc_free(doc);
    lvl_findings_free(findings);
    lvl_findings_free(added);
    lvl_buffer_free(&out);
    free(sample);
    return count;
}

static void test_readings(void **state)
{
    static const struct {
        const char *file, *format, *change;
        unsigned attached; /* documents of the same format in it, which a check reads */
    } edits[] = {
        {"graal/versions/gr-v1.03.graal", "graal", "npcs[0].x=11", 0},
        {"graal/versions/z3-v1.04.zelda", "graal", "links[0].x=3", 0},
        {"graal/lakeside/lake_woods.nw", "nw", "npcs[0].x=11", 0},
        {"graal/ganis/hero_walk.gani", "gani", "sprites[0].x=3", 0},
        {"graal/lakeside/lakeside.gmap", "gmap", "rows[0].names[1]=edited.nw", 0},
        {"graal/lakeside/lakeside_bigmap.txt", "gmap", "rows[0].names[1]=edited.nw", 0},
        {"wwd/cliffs.wwd", "wwd", "planes[0].name=Edited", 0},
        {"sketchy/hill-v1.level", "sketchy", "title=Edited", 1},
        {"sketchy/hill-v2.level", "sketchy", "title=Edited", 1},
        {"sketchy/hill-v3.level", "sketchy", "title=Edited", 1},
        {"sketchy/hill-v3.1.level", "sketchy", "title=Edited", 1},
        {"sketchy/hill-v4.level", "sketchy", "title=Edited", 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        /* the same format with a reader that counts */
        lvl_format format = *lvl_format_find(edits[i].format);
        lvl_format_calls calls = *format.calls;
        read_really = calls.read;
        calls.read = read_counted;
        format.calls = &calls;
        readings = 0;
        assert_int_equal(edit_sample(&format, edits[i].file, edits[i].change, NULL), 0);
        if (readings > 2 + edits[i].attached)
            fail_msg("%s was read %u times", edits[i].file, readings);
    }
}

/* In how many chunks an edit of a drawing leaves px without a swatch. */
static size_t count_lost(const char *file, const char *change)
{
    return edit_sample(lvl_format_find("sketchy"), file, change, "sketchy.pixel.index");
}

/* Chunks that an edit did not touch are not decoded to check them, unless their palette changed. */
static void test_untouched_chunks(void **state)
{
    static const char *const files[] = {"sketchy/hill-v1.level", "sketchy/hill-v2.level",
                                        "sketchy/hill-v3.level", "sketchy/hill-v3.1.level",
                                        "sketchy/hill-v4.level"};

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        assert_int_equal(count_lost(files[i], "title=Edited"), 0);
        assert_int_equal(count_lost(files[i], "swatches=[]"), 5); /* one for each chunk */
        assert_int_equal(count_lost(files[i], "swatches=[{\"name\":\"earth\"}]"), 5);
    }
}

/* What an edit writes. `flags`: of the reading. */
static void write_edited(lvl_text file, const char *change, unsigned flags, lvl_buffer *out)
{
    const lvl_format *format = lvl_format_find("sketchy");
    lvl_doc *doc;
    size_t changed;
    lvl_ctx ctx;

    lvl_ctx_init(&ctx);
    assert_int_equal(lvl_read(&doc, &ctx, format, (lvl_bytes){(const uint8_t *)file.ptr, file.len}, NULL,
                              LVL_READ_BORROW | flags, NULL),
                     LVL_OK);
    lvl_findings *findings = lvl_findings_new(&ctx);
    if (lvl_set(doc, &change, 1, &changed, findings) != LVL_OK)
        fail_msg("%s: %s", change, lvl_findings_count(findings) ? lvl_findings_at(findings, 0)->text : "");
    assert_int_equal(lvl_doc_write(doc, out), LVL_OK);
    lvl_findings_free(findings);
    lvl_doc_free(doc);
}

/* A document that was not read for an edit is written with pieces of a second reading: the same. `wanted`:
 * what is written, or NULL. */
static void check_pieces(lvl_text file, const char *change, const char *wanted)
{
    lvl_buffer noted = {0}, reread = {0};

    write_edited(file, change, LVL_READ_EDIT, &noted);
    write_edited(file, change, 0, &reread);
    assert_int_equal(noted.len, reread.len);
    assert_memory_equal(noted.data, reread.data, noted.len);
    if (wanted) {
        assert_int_equal(noted.len, strlen(wanted));
        assert_memory_equal(noted.data, wanted, noted.len);
    }
    lvl_buffer_free(&noted);
    lvl_buffer_free(&reread);
}

static void test_pieces(void **state)
{
    static const char *const files[] = {"sketchy/hill-v1.level", "sketchy/hill-v2.level",
                                        "sketchy/hill-v3.level", "sketchy/hill-v3.1.level",
                                        "sketchy/hill-v4.level"};
    static const char *const changes[] = {"title=Edited",
                                          "actors[1].point.x+=1",
                                          "actors[0].id=first",
                                          "swatches[2]@=0",
                                          "layers[0].chunks[0].pixels[3,4]=1",
                                          "files[+]={\"path\":\"assets/a\",\"data\":{\"base64\":\"QQ==\"}}"};
    static const char odd[] =
        "{ \"TITLE\" : \"a\\u0062\", \"x\":[1, 2] ,\n\"palette\":{ \"swatches\":[ {\"name\":\"n\", \"y\":{} "
        "},{\"color\":\"#000\"} ]},\n\"actors\" :{\"b\":{\"z\":1, \"point\":\"1,+2\"} , \"a\" :{ } } }\n";

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[1024];
        size_t len;
        snprintf(path, sizeof path, "%s/%s", lvl_samples_dir(), files[i]);
        uint8_t *sample = lvl_slurp(path, &len);
        assert_non_null(sample);
        for (size_t k = 0; k < sizeof changes / sizeof *changes; k++)
            check_pieces((lvl_text){(const char *)sample, len}, changes[k], NULL);
        free(sample);
    }
    check_pieces(
        lvl_text_of(odd), "actors[0].filename=f",
        "{ \"TITLE\" : \"a\\u0062\", \"x\":[1, 2] ,\n\"palette\":{ \"swatches\":[ {\"name\":\"n\", \"y\":{} "
        "},{\"color\":\"#000\"} ]},\n\"actors\" :{\"b\":{\"filename\":\"f\", \"z\":1, \"point\":\"1,+2\"} , "
        "\"a\" :{ } } }\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_readings),
                                       cmocka_unit_test(test_untouched_chunks),
                                       cmocka_unit_test(test_pieces)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
