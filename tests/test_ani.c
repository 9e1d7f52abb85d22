/*
 * test_ani.c: animations: steps, cues, the first frame, damage, and every real file byte for byte.
 */
#include "expect.h"
#include "measure.h"

#include "base/cursor.h"
#include "base/format.h"
#include "wap32/formats.h"

#include <lvl/ani.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;
static const lvl_format *ani_format;

/* Two steps: the first holds and has a cue, the second shows frame 7. */
static size_t make(uint8_t *out)
{
    memset(out, 0, 128);
    lvl_store_u32le(out, 32);
    lvl_store_u32le(out + 8, 1);
    lvl_store_u32le(out + 12, 2);
    lvl_store_u32le(out + 16, 4);
    memcpy(out + 32, "RATS", 4);
    uint8_t *p = out + 36;
    lvl_store_u16le(p, LVL_ANI_STEP_CUE);
    lvl_store_u16le(p + 10, 100);
    memcpy(p + 20, "GAME_HIT", 9);
    p += 29;
    lvl_store_u16le(p + 2, LVL_ANI_FRAME);
    lvl_store_u16le(p + 8, 7);
    lvl_store_u16le(p + 10, 50);
    lvl_store_u16le(p + 14, (uint16_t)-2);
    return (size_t)(p + 20 - out);
}

static lvl_doc *read_ani(const uint8_t *data, size_t len, lvl_findings *findings)
{
    const lvl_bytes bytes = {data, len};
    lvl_doc *doc = NULL;

    assert_int_equal(lvl_read(&doc, &ctx, NULL, bytes, NULL, 0, findings), LVL_OK);
    assert_ptr_equal(lvl_doc_format(doc), ani_format);
    return doc;
}

static void test_read(void **state)
{
    uint8_t file[128];
    size_t len = make(file);
    int32_t frame = 0;

    (void)state;
    lvl_doc *doc = read_ani(file, len, NULL);
    const lvl_ani *ani = lvl_doc_croot(doc);
    assert_true(lvl_text_is(ani->name, "RATS"));
    assert_int_equal(ani->step_count, 2);
    assert_true(lvl_text_is(ani->steps[0].cue, "GAME_HIT"));
    assert_int_equal(ani->steps[1].dx, -2);
    assert_true(lvl_ani_first_frame(ani, &frame));
    assert_int_equal(frame, 7);
    lvl_expect_written(doc, (lvl_bytes){file, len});
    lvl_doc_free(doc);
}

/* Counts follow what is edited. */
static void test_edit(void **state)
{
    uint8_t file[128];
    size_t len = make(file);
    lvl_buffer out = {0};

    (void)state;
    lvl_doc *doc = read_ani(file, len, NULL);
    lvl_ani *ani = lvl_doc_root(doc);
    const lvl_field *steps = lvl_table_at(&lvl_ani_table, offsetof(lvl_ani, steps));
    assert_int_equal(lvl_list_insert(doc, ani, steps, 1, 1), LVL_OK);
    ani->name = lvl_text_of("OFFICER");
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    lvl_doc *again = read_ani(out.data, out.len, NULL);
    const lvl_ani *was = lvl_doc_croot(again);
    assert_int_equal(was->count, 3);
    assert_int_equal(was->name_len, 7);
    assert_int_equal(was->steps[1].step_mode, LVL_ANI_FRAME); /* the default */
    assert_true(lvl_text_is(was->steps[0].cue, "GAME_HIT"));
    lvl_doc_free(again);
    lvl_doc_free(doc);
    lvl_buffer_free(&out);
}

/* Sound keys that a file can't hold are refused, not dropped. */
static void test_cue_refused(void **state)
{
    static const lvl_text nul = {"A\0B", 3};
    uint8_t file[128];
    size_t len = make(file);
    lvl_buffer out = {0};

    (void)state;
    lvl_doc *doc = read_ani(file, len, NULL);
    lvl_ani *ani = lvl_doc_root(doc);
    ani->steps[1].cue = lvl_text_of("GAME_HIT");
    assert_int_equal(lvl_doc_write(doc, &out), LVL_ERR_LOSS);
    ani->steps[1].flags |= LVL_ANI_STEP_CUE;
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    ani->steps[1].cue = nul;
    assert_int_equal(lvl_doc_write(doc, &out), LVL_ERR_LOSS);
    lvl_doc_free(doc);
    lvl_buffer_free(&out);
}

static void test_cut(void **state)
{
    uint8_t file[128];
    size_t len = make(file);
    lvl_findings *findings = lvl_findings_new(&ctx), *log = lvl_findings_new(&ctx);
    lvl_repairs repairs = {.log = log};

    (void)state;
    lvl_doc *doc = read_ani(file, len - 5, findings);
    assert_string_equal(lvl_findings_at(findings, 0)->def->id, "ani.steps.cut");
    lvl_expect_written(doc, (lvl_bytes){file, len - 5});
    assert_int_equal(ani_format->calls->repair(doc, &repairs), LVL_OK);
    assert_int_equal(lvl_findings_count(log), 1);
    assert_int_equal(ani_format->calls->repair(doc, &repairs), LVL_OK);
    assert_int_equal(lvl_findings_count(log), 1);
    lvl_doc_free(doc);
    lvl_findings_free(log);
    lvl_findings_free(findings);
}

/* A count that is too low hides no step: it is an error, writing keeps all bytes, and repair counts what
 * is there. */
static void test_hidden(void **state)
{
    uint8_t file[128];
    size_t len = make(file);
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_repairs repairs = {.log = findings};
    lvl_buffer out = {0};

    (void)state;
    const uint8_t count = file[12];
    file[12] = 1;
    lvl_doc *doc = read_ani(file, len, findings);
    assert_string_equal(lvl_findings_at(findings, 0)->def->id, "ani.steps.hidden");
    assert_int_equal(lvl_findings_of(findings, LVL_ERROR), 1);
    assert_int_equal(((const lvl_ani *)lvl_doc_croot(doc))->step_count, count);
    lvl_expect_written(doc, (lvl_bytes){file, len});
    assert_int_equal(ani_format->calls->repair(doc, &repairs), LVL_OK);
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    file[12] = count;
    assert_int_equal(out.len, len);
    assert_memory_equal(out.data, file, len);
    lvl_doc_free(doc);
    lvl_findings_free(findings);
    lvl_buffer_free(&out);
}

static void test_hostile(void **state)
{
    uint8_t file[128];
    const lvl_bytes bytes = {file, make(file)};

    (void)state;
    assert_true(lvl_survives_all(ani_format, bytes, 0));
}

static void test_corpus(void **state)
{
    const lvl_measure m = lvl_expect_corpus_exact("wwd/assets", "ani");

    (void)state;
    assert_int_equal(m.errors, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),   cmocka_unit_test(test_edit),        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_hidden), cmocka_unit_test(test_cue_refused), cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_corpus),
    };

    lvl_ctx_init(&ctx);
    ani_format = lvl_format_find("ani");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
