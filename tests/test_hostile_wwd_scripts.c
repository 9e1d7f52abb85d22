/*
 * Keys in the Lua files of CustomLogic objects: those that are missing are reported, whatever the file has
 * besides; a file that is cut anywhere, or has any bytes, reports no others, and without memory nothing
 * leaks.
 */
#include "base/buffer.h"
#include "base/format.h"
#include "starve.h"

#include <lvl/lvl.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;
static lvl_buffer level;

/* The level x.wwd with its folder x: SOUNDS/HIT.WAV, and LOGICS/a.lua, which is `script`. */
static lvl_text script;

static lvl_file_kind kind_of(void *user, const char *path)
{
    (void)user;
    return strstr(path, ".lua") || strstr(path, ".WAV") || strstr(path, ".wwd") ? LVL_FILE_REGULAR
                                                                                : LVL_FILE_FOLDER;
}

static lvl_status read_file(void *user, const char *path, lvl_buffer *out)
{
    (void)user;
    if (strstr(path, "a.lua"))
        lvl_buffer_add(out, script.ptr, script.len);
    return out->status;
}

static lvl_status list_folder(void *user, const char *path, lvl_buffer *names)
{
    const size_t len = strlen(path);

    (void)user;
    if (len >= 6 && strcmp(path + len - 6, "LOGICS") == 0)
        lvl_buffer_add(names, "a.lua", 6);
    else if (len >= 6 && strcmp(path + len - 6, "SOUNDS") == 0)
        lvl_buffer_add(names, "HIT.WAV", 8);
    else if (len >= 1 && path[len - 1] == 'x')
        lvl_buffer_add(names, "LOGICS\0SOUNDS", 14);
    else
        lvl_buffer_add(names, "x\0x.wwd", 8);
    return names->status;
}

/* Checks the level; returns how many sounds are missing. */
static lvl_status check(size_t *missing)
{
    const lvl_files files = {.kind = kind_of, .read = read_file, .list = list_folder};
    lvl_findings *found = lvl_findings_new(&ctx);
    lvl_art *art = lvl_art_new(&ctx);
    const lvl_check_options options = {.art = art};
    lvl_check_result result = {0};
    lvl_status status = found && art ? LVL_OK : LVL_ERR_MEMORY;

    *missing = 0;
    if (status == LVL_OK) {
        lvl_art_set_files(art, &files);
        status = lvl_art_level(art, "x.wwd");
    }
    if (status == LVL_OK)
        status = lvl_check(&ctx, NULL, lvl_buffer_bytes(&level), "x.wwd", &options, found, &result, NULL);
    if (status == LVL_OK)
        status = lvl_art_status(art);
    for (size_t i = 0; status == LVL_OK && i < lvl_findings_count(found); i++)
        *missing += strcmp(lvl_findings_at(found, i)->def->id, "wwd.object.no_sound") == 0;
    lvl_art_free(art);
    lvl_findings_free(found);
    return status;
}

static size_t missing_in(const char *text, size_t len)
{
    size_t missing;

    script = (lvl_text){text, len};
    assert_int_equal(check(&missing), LVL_OK);
    return missing;
}

#define MISSING_IN(text) missing_in(text, sizeof(text) - 1)

static void keys_are_those_of_calls(void **state)
{
    (void)state;
    assert_int_equal(MISSING_IN(""), 0);
    assert_int_equal(MISSING_IN("PlaySound(\"CUSTOM_HIT\")"), 0);
    assert_int_equal(MISSING_IN("PlaySound(\"CUSTOM_NO\")"), 1);
    assert_int_equal(MISSING_IN("a.PlaySound ( 'CUSTOM_NO' , 1) ClawSound(\"CUSTOM_NOT\")"), 2);
    assert_int_equal(MISSING_IN("PlaySound(\"CUSTOM_NO\") PlaySound(\"CUSTOM_NO\")"), 1);
    assert_int_equal(MISSING_IN("-- PlaySound(\"CUSTOM_NO\")"), 0);
    assert_int_equal(
        MISSING_IN("--[[ PlaySound(\"CUSTOM_A\")\nPlaySound(\"CUSTOM_B\") ]] PlaySound(\"CUSTOM_C\")"), 1);
    assert_int_equal(MISSING_IN("PlaySound(\"CUSTOM_\" .. n)"), 0);
    assert_int_equal(MISSING_IN("PlaySound(f(\"CUSTOM_NO\"))"), 0);
    assert_int_equal(MISSING_IN("TextOut(\"PlaySound('CUSTOM_NO')\")"), 0);
    assert_int_equal(MISSING_IN("x = \"\\\"PlaySound('CUSTOM_NO')\""), 0);
}

static const char sample[] =
    "PlaySound(\"CUSTOM_HIT\") -- \"\n--[[ ' ]] x = 'a\\'b' self:SetAnimation(\"GAME_X\",'";

static void cut_scripts_report_nothing_else(void **state)
{
    (void)state;
    for (size_t len = 0; len <= sizeof sample - 1; len++) {
        char *text = malloc(len + 1); /* its own size: reading beyond it is seen */
        assert_non_null(text);
        memcpy(text, sample, len);
        assert_int_equal(missing_in(text, len), 0);
        free(text);
    }
}

static void any_bytes_are_read(void **state)
{
    static const char letters[] = "ab(\"'\\-[] \n,)=.";
    uint32_t seed = 1;

    (void)state;
    for (int round = 0; round < 300; round++) {
        char text[64];
        for (size_t i = 0; i < sizeof text; i++) {
            seed = seed * 1664525 + 1013904223;
            text[i] = round % 2 ? letters[(seed >> 24) % (sizeof letters - 1)] : (char)(seed >> 24);
        }
        assert_int_equal(missing_in(text, sizeof text), 0);
    }
}

static void no_memory_is_an_error(void **state)
{
    lvl_status status = LVL_ERR_MEMORY;
    size_t missing;

    (void)state;
    script = (lvl_text){sample, sizeof sample - 1};
    for (uint64_t n = 1; status != LVL_OK && lvl_starve_works(); n++) {
        const uint64_t before = lvl_starve_blocks();
        lvl_starve_from(n, true);
        status = check(&missing);
        lvl_starve_from(0, false);
        assert_true(status == LVL_OK || status == LVL_ERR_MEMORY);
        assert_int_equal(lvl_starve_blocks(), before);
    }
}

/* A level with one object, which is of the CustomLogic "a". */
static int make_level(void **state)
{
    lvl_doc *doc = NULL;

    (void)state;
    lvl_ctx_init(&ctx);
    assert_int_equal(lvl_new(&doc, &ctx, lvl_format_find("wwd"), NULL, NULL), LVL_OK);
    lvl_wwd_plane *plane = &((lvl_wwd *)lvl_doc_root(doc))->planes[0];
    assert_int_equal(
        lvl_list_insert(doc, plane, lvl_table_find(&lvl_wwd_plane_table, lvl_text_of("objects")), 0, 1),
        LVL_OK);
    plane->objects[0].logic = lvl_text_of("CustomLogic");
    plane->objects[0].name = lvl_text_of("a");
    assert_int_equal(lvl_write(doc, &level, NULL), LVL_OK);
    lvl_doc_free(doc);
    return 0;
}

static int free_level(void **state)
{
    (void)state;
    lvl_buffer_free(&level);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_those_of_calls),
        cmocka_unit_test(cut_scripts_report_nothing_else),
        cmocka_unit_test(any_bytes_are_read),
        cmocka_unit_test(no_memory_is_an_error),
    };

    return cmocka_run_group_tests(tests, make_level, free_level);
}
