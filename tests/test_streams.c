/*
 * Compressed streams in dumps: a stream is named by its library, level and CRC-32 where these give its bytes
 * again, else it is in the dump; an edited dump gets a new stream, with a note; merges take an input's stream.
 */
#include "codec/deflate.h"
#include "corpus.h"
#include "expect.h"
#include "tools/tools.h"

#include <lvl/wwd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

enum { HEADER = 0x5F4 };

static lvl_ctx ctx;

static lvl_doc *read_sample(const char *name)
{
    char path[1024];
    lvl_doc *doc;
    size_t len;

    snprintf(path, sizeof path, "%s/%s", lvl_samples_dir(), name);
    uint8_t *file = lvl_slurp(path, &len);
    assert_non_null(file);
    assert_int_equal(lvl_read(&doc, &ctx, NULL, (lvl_bytes){file, len}, name, 0, NULL), LVL_OK);
    free(file);
    return doc;
}

/* The level with its block compressed by zlib at that level. */
static lvl_doc *packed_by_zlib(int level)
{
    lvl_doc *doc = read_sample("wwd/cliffs.wwd"), *stored, *out;
    lvl_buffer plain = {0}, file = {0};

    lvl_wwd_of(doc)->flags &= ~(uint32_t)LVL_WWD_COMPRESS;
    assert_int_equal(lvl_doc_write(doc, &plain), LVL_OK);
    assert_int_equal(lvl_read(&stored, &ctx, NULL, (lvl_bytes){plain.data, plain.len}, "a.wwd", 0, NULL),
                     LVL_OK);
    uLongf len = compressBound(plain.len);
    uint8_t *packed = malloc(len);
    assert_non_null(packed);
    assert_int_equal(compress2(packed, &len, plain.data + HEADER, plain.len - HEADER, level), Z_OK);
    lvl_wwd_of(stored)->flags |= LVL_WWD_COMPRESS;
    lvl_wwd_of(stored)->stream = (lvl_bytes){packed, len};
    assert_int_equal(lvl_doc_recompute_derived(stored), LVL_OK);
    assert_int_equal(lvl_doc_write(stored, &file), LVL_OK);
    assert_true(file.len >= HEADER + len && !memcmp(file.data + HEADER, packed, len));
    assert_int_equal(lvl_read(&out, &ctx, NULL, (lvl_bytes){file.data, file.len}, "a.wwd", 0, NULL), LVL_OK);
    lvl_doc_free(doc);
    lvl_doc_free(stored);
    lvl_buffer_free(&plain);
    lvl_buffer_free(&file);
    free(packed);
    return out;
}

static char *dump_of(const lvl_doc *doc, bool no_kept)
{
    const lvl_dump_options options = {.no_kept = no_kept};
    lvl_buffer json = {0};

    assert_int_equal(lvl_dump(doc, &options, &json, NULL), LVL_OK);
    lvl_buffer_u8(&json, 0);
    assert_int_equal(json.status, LVL_OK);
    return (char *)json.data;
}

/* Undump of `json`, with `from` (NULL: nothing) replaced by `to`; *notes: how many findings name a new stream. */
static lvl_status undump(const char *json, const char *from, const char *to, lvl_doc **out, size_t *notes)
{
    lvl_findings *found = lvl_findings_new(&ctx);
    lvl_buffer text = {0};
    const char *at = from ? strstr(json, from) : NULL;

    assert_true(at || !from);
    if (at) {
        lvl_buffer_add(&text, json, (size_t)(at - json));
        lvl_buffer_str(&text, to);
        json = at + strlen(from);
    }
    lvl_buffer_str(&text, json);
    const lvl_status status = lvl_undump(out, &ctx, (lvl_text){(const char *)text.data, text.len}, found);
    *notes = 0;
    for (size_t i = 0; i < lvl_findings_count(found); i++)
        *notes += !strcmp(lvl_findings_at(found, i)->def->id, "lvl.dump.stream");
    lvl_findings_free(found);
    lvl_buffer_free(&text);
    return status;
}

static void assert_same_file(const lvl_doc *a, const lvl_doc *b)
{
    lvl_buffer x = {0}, y = {0};

    assert_int_equal(lvl_doc_write(a, &x), LVL_OK);
    assert_int_equal(lvl_doc_write(b, &y), LVL_OK);
    assert_int_equal(x.len, y.len);
    assert_memory_equal(x.data, y.data, x.len);
    lvl_buffer_free(&x);
    lvl_buffer_free(&y);
}

static void assert_there_and_back(const lvl_doc *doc)
{
    char *json = dump_of(doc, false);
    lvl_doc *again;
    size_t notes;

    assert_int_equal(undump(json, NULL, NULL, &again, &notes), LVL_OK);
    assert_int_equal(notes, 0);
    assert_same_file(doc, again);
    lvl_doc_free(again);
    free(json);
}

static void makers_are_named(void **state)
{
    (void)state;
    for (int level = 1; level <= 9; level++) {
        lvl_doc *doc = packed_by_zlib(level);
        char *json = dump_of(doc, false), want[40];
        snprintf(want, sizeof want, "\"stream\": {\"zlib\":%d,\"crc32\":", level);
        if (level == 6 || level == 9)
            assert_non_null(strstr(json, want));
        else if (!strstr(json, "\"stream\": {\"zlib\":"))
            assert_non_null(strstr(json, "\"stream\": {\"base64\":"));
        assert_there_and_back(doc);
        free(json);
        json = dump_of(doc, true);
        assert_null(strstr(json, "\"stream\""));
        free(json);
        lvl_doc_free(doc);
    }
    lvl_doc *doc = read_sample("wwd/cliffs-stored.wwd"), *again;
    lvl_buffer file = {0};
    lvl_wwd_of(doc)->flags |= LVL_WWD_COMPRESS;
    assert_int_equal(lvl_doc_write(doc, &file), LVL_OK);
    assert_int_equal(lvl_read(&again, &ctx, NULL, (lvl_bytes){file.data, file.len}, "a.wwd", 0, NULL),
                     LVL_OK);
    char *json = dump_of(again, false);
    assert_non_null(strstr(json, "\"stream\": {\"libdeflate\":6,\"crc32\":"));
    assert_there_and_back(again);
    free(json);
    lvl_doc_free(doc);
    lvl_doc_free(again);
    lvl_buffer_free(&file);
}

static void members_of_zips_too(void **state)
{
    static const char *const names[] = {"sketchy/hill-v2.level",   "sketchy/hill-v3.level",
                                        "sketchy/hill-v3.1.level", "sketchy/hill-v4.level",
                                        "sketchy/lantern.doodad",  "sketchy/walk.levelpack"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        lvl_doc *doc = read_sample(names[i]);
        assert_there_and_back(doc);
        lvl_doc_free(doc);
    }
}

static void an_edited_dump_gets_a_new_stream(void **state)
{
    lvl_doc *doc = packed_by_zlib(6), *other;
    char *json = dump_of(doc, false), crc[40];
    size_t notes;

    (void)state;
    assert_int_equal(undump(json, "\"x\":", "\"x\":1", &other, &notes), LVL_OK);
    assert_int_equal(notes, 1);
    assert_int_equal(lvl_wwd_of(other)->stream.len, 0);
    assert_there_and_back(other);
    lvl_doc_free(other);
    /* the header is not in the stream */
    assert_int_equal(undump(json, "\"author\": \"", "\"author\": \"New ", &other, &notes), LVL_OK);
    assert_int_equal(notes, 0);
    assert_int_equal(lvl_wwd_of(other)->stream.len, lvl_wwd_of(doc)->stream.len);
    lvl_doc_free(other);
    /* as if another version of the library made other bytes */
    snprintf(crc, sizeof crc, "\"crc32\":%lu", (unsigned long)lvl_crc32(lvl_wwd_of(doc)->stream));
    assert_int_equal(undump(json, crc, "\"crc32\":7", &other, &notes), LVL_OK);
    assert_int_equal(notes, 1);
    assert_true(lvl_record_equal(lvl_doc_croot(doc), lvl_doc_croot(other), lvl_doc_table(doc)));
    lvl_doc_free(other);
    lvl_doc_free(doc);
    free(json);
}

static void wrong_makers_are_errors(void **state)
{
    static const char *const wrong[] = {"\"zlib\":0", "\"zlib\":10", "\"zlib\":\"6\"", "\"zopfli\":6",
                                        "\"zlib\":6,\"libdeflate\":6"};
    lvl_doc *doc = packed_by_zlib(6), *other;
    char *json = dump_of(doc, false);
    size_t notes;

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(undump(json, "\"zlib\":6", wrong[i], &other, &notes), LVL_ERR_FORMAT);
        assert_null(other);
    }
    assert_int_equal(undump(json, "\"crc32\":", "\"crc\":", &other, &notes), LVL_ERR_FORMAT);
    assert_int_equal(undump(json, "\"crc32\":", "\"crc32\":999", &other, &notes), LVL_ERR_FORMAT);
    lvl_doc_free(doc);
    free(json);
}

/* Both sides made the same change, and one of them more: the result has the content of that one. */
static void merges_take_a_stream(void **state)
{
    lvl_doc *base = packed_by_zlib(9), *ours = packed_by_zlib(9), *theirs = packed_by_zlib(6);
    uint64_t conflicts;

    (void)state;
    snprintf(lvl_wwd_of(theirs)->author, sizeof lvl_wwd_of(theirs)->author, "someone else");
    assert_int_equal(lvl_doc_recompute_derived(theirs), LVL_OK);
    assert_int_equal(lvl_merge(ours, base, theirs, NULL, &conflicts, NULL), LVL_OK);
    assert_int_equal(conflicts, 0);
    assert_same_file(ours, theirs);
    lvl_doc_free(base);
    lvl_doc_free(ours);
    lvl_doc_free(theirs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makers_are_named),
        cmocka_unit_test(members_of_zips_too),
        cmocka_unit_test(an_edited_dump_gets_a_new_stream),
        cmocka_unit_test(wrong_makers_are_errors),
        cmocka_unit_test(merges_take_a_stream),
    };
    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
