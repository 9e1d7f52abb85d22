/*
 * Conversion of hostile input: levels of every version with flipped bits and truncated are converted to every
 * form without a crash, and the result can be read as it was made. When memory runs out, a status reports it,
 * nothing leaks, and no wrong result is returned.
 */
#include "base/format.h"
#include "hostile.h"
#include "level_make.h"
#include "starve.h"

#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

static const char *const forms[] = {"z3-v1.02", "z3-v1.03", "z3-v1.04", "gr-v1.00", "gr-v1.01",
                                    "gr-v1.02", "gr-v1.03", "gr-v1.04", "gr-v1.05", "nw"};

static lvl_buffer file_of(lvl_graal_version version)
{
    lvl_doc *doc = lvl_make_full(&ctx, version);
    lvl_buffer out = {0};

    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    lvl_doc_free(doc);
    return out;
}

/* Into one form, and from there into another: all that is left then is sayable, so nothing is lost on the
 * way. */
static void pass_on(const lvl_doc *doc, const char *form)
{
    lvl_findings *losses = lvl_findings_new(&ctx);
    lvl_doc *made = NULL, *again = NULL;
    lvl_buffer bytes = {0};

    const lvl_status status = lvl_convert(doc, form, true, losses, &made);
    for (size_t i = 0; status != LVL_OK && i < lvl_findings_count(losses); i++)
        fprintf(stderr, "%s: %s: %s\n", form, lvl_findings_at(losses, i)->def->id,
                lvl_findings_at(losses, i)->text);
    assert_int_equal(status, LVL_OK);
    assert_int_equal(lvl_doc_write(made, &bytes), LVL_OK);
    assert_int_equal(lvl_read(&again, &ctx, lvl_doc_format(made), (lvl_bytes){bytes.data, bytes.len}, NULL,
                              LVL_READ_BORROW, NULL),
                     LVL_OK);
    const bool same = lvl_record_equal(lvl_doc_croot(made), lvl_doc_croot(again), &lvl_graal_table);
    if (!same && !lvl_findings_count(losses))
        fprintf(stderr, "%s reads as something else, and no loss was named\n", form);
    assert_true(same || lvl_findings_count(losses));
    lvl_doc_free(again);
    lvl_doc_free(made);
    lvl_buffer_free(&bytes);
    lvl_findings_free(losses);
}

static void damaged(void **state)
{
    uint32_t seed = 1, done = 0;

    (void)state;
    for (unsigned version = LVL_Z3_V1_02; version < LVL_GRAAL_VERSIONS; version++) {
        lvl_buffer file = file_of((lvl_graal_version)version);
        /* the sections are the end of the file, and where the variety is */
        const size_t tail = version == LVL_GLEVNW01 ? file.len - 9000 : file.len;
        for (unsigned i = 0; i < 1200; i++) {
            uint8_t *copy = malloc(file.len);
            assert_non_null(copy);
            memcpy(copy, file.data, file.len);
            for (unsigned k = 0; k < 1 + i % 5; k++) {
                seed = seed * 1664525u + 1013904223u;
                copy[file.len - 1 - (seed >> 8) % tail] ^= (uint8_t)(1 << (seed >> 29));
            }
            seed = seed * 1664525u + 1013904223u;
            const size_t len = i % 7 ? file.len : file.len - (seed >> 8) % tail;
            lvl_doc *doc = NULL;
            if (lvl_read(&doc, &ctx, NULL, (lvl_bytes){copy, len}, NULL, 0, NULL) == LVL_OK) {
                pass_on(doc, forms[i % LVL_COUNT_OF(forms)]);
                done++;
            }
            lvl_doc_free(doc);
            free(copy);
        }
        lvl_buffer_free(&file);
    }
    printf("%u damaged levels went into another form\n", done);
    assert_true(done > 5000);
}

static void memory_failed(void **state)
{
    (void)state;
    if (!lvl_starve_works()) {
        printf("skipped: malloc can't be made to fail here\n");
        skip();
    }
    for (unsigned version = LVL_Z3_V1_04; version < LVL_GRAAL_VERSIONS; version += 2) {
        lvl_doc *doc = lvl_make_full(&ctx, (lvl_graal_version)version);
        for (size_t f = 1; f < LVL_COUNT_OF(forms); f += 2) {
            lvl_buffer wanted = {0};
            bool done = false;
            for (uint64_t fail = 0; !done; fail++) {
                const uint64_t blocks = lvl_starve_blocks();
                lvl_doc *made = NULL;
                lvl_findings *losses = lvl_findings_new(&ctx);
                assert_non_null(losses);
                lvl_starve_from(fail, fail % 2);
                const lvl_status status = lvl_convert(doc, forms[f], true, losses, &made);
                done = fail && lvl_starve_calls() < fail;
                lvl_starve_from(0, false);
                assert_true(status == LVL_OK || status == LVL_ERR_MEMORY);
                assert_true((status == LVL_OK) == (made != NULL));
                if (made) {
                    lvl_buffer bytes = {0};
                    assert_int_equal(lvl_doc_write(made, &bytes), LVL_OK);
                    if (!wanted.len)
                        lvl_buffer_add(&wanted, bytes.data, bytes.len);
                    assert_true(bytes.len == wanted.len && !memcmp(bytes.data, wanted.data, bytes.len));
                    lvl_buffer_free(&bytes);
                }
                lvl_doc_free(made);
                lvl_findings_free(losses);
                if (fail)
                    assert_int_equal(lvl_starve_blocks(), blocks);
            }
            lvl_buffer_free(&wanted);
        }
        lvl_doc_free(doc);
    }
}

/* Runs the hostile-input harness on check, info and repair, with levels that contain lost baddies. */
static void lost(void **state)
{
    lvl_doc *doc = lvl_make_full(&ctx, LVL_GR_V1_02);
    lvl_buffer file = {0};

    (void)state;
    lvl_make_npc(doc, 0x17 - 32, 2 - 32, "", "Stop!\\Ouch!\\");
    lvl_make_npc(doc, 0x0d - 32, 0x24 - 32, "", "\x02Stop!\\Ouch!\\");
    lvl_make_npc(doc, 7 - 32, -32, "", "");
    lvl_make_npc(doc, 6 - 32, '\\' - 32, "", "\\");
    lvl_make_npc(doc, 223, 223, "", "\xFF");
    lvl_make_chest(doc, 0x16 - 32, 1 - 32, 'M' - 32, 'o' - 32);
    lvl_make_chest(doc, 223, 223, 223, -32);
    assert_int_equal(lvl_doc_write(doc, &file), LVL_OK);
    lvl_doc_free(doc);
    for (size_t bit = 0; bit < file.len * 8; bit++) {
        file.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_true(lvl_hostile_try(lvl_format_find("graal"), (lvl_bytes){file.data, file.len}, bit % 64 == 0,
                                    false));
        file.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    for (size_t len = 0; len <= file.len; len++)
        assert_true(
            lvl_hostile_try(lvl_format_find("graal"), (lvl_bytes){file.data, len}, len % 16 == 0, false));
    lvl_buffer_free(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged),
        cmocka_unit_test(memory_failed),
        cmocka_unit_test(lost),
    };
    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests_name("hostile_convert", tests, NULL, NULL);
}
