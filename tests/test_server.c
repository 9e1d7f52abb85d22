/*
 * Files of a Graal server: fields, exact writing, edits that change one line, odd lines, renaming, and every
 * real file.
 */
#include "base/buffer.h"
#include "corpus.h"
#include "expect.h"
#include "measure.h"
#include "tools/world/rename.h"

#include "base/format.h"

#include <lvl/server.h>
#include <lvl/tools.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char account[] = "GRACC001\r\nNAME mira\r\nNICK \r\nLEVEL mill.nw\r\nX 30.00\r\nRUPEES 7\r\n"
                              "ARROWS 10\r\nATTR1 hat.png\r\nFLAG a=b c\r\nWEAPON -bow\r\n"
                              "CHEST 10:20:a mill.nw\r\nANI walk\r\n\r\nBANNED 0\r\n";
static const char weapon[] = "GRAWP001\nREALNAME -bow\nIMAGE bow.png\nSCRIPT\nif (a) {\n  setani walk,;\n"
                             "  addweapon -bow;\n}\nSCRIPTEND\n";
static const char npc[] =
    "GRNPC001\nNAME -bow\nID 10000\nSTARTLEVEL mill.nw\nSTARTX 1.50\nIMAGE \nNPCSCRIPT\n"
    "NPCSCRIPTEND\n";

static lvl_ctx ctx;

static lvl_bytes bytes_of(const char *text)
{
    return (lvl_bytes){(const uint8_t *)text, strlen(text)};
}

static lvl_doc *read_text(const char *text, lvl_findings *findings)
{
    lvl_doc *doc = NULL;

    assert_int_equal(lvl_read(&doc, &ctx, NULL, bytes_of(text), "x.txt", 0, findings), LVL_OK);
    assert_string_equal(lvl_doc_format(doc)->id, "server");
    return doc;
}

static void test_read(void **state)
{
    lvl_doc *doc = read_text(account, NULL);
    const lvl_server *s = lvl_doc_croot(doc);
    (void)state;

    assert_int_equal(s->version, LVL_GRACC001);
    assert_int_equal(s->line_end, LVL_SERVER_CRLF);
    assert_true(lvl_text_is(s->level, "mill.nw"));
    assert_true(s->x > 29.9 && s->x < 30.1);
    assert_true(lvl_text_is(s->gralats, "7"));
    assert_int_equal(s->attribute_count, 1);
    assert_true(lvl_text_is(s->attributes[0].number, "1"));
    assert_true(lvl_text_is(s->flags[0].value, "a=b c"));
    assert_true(lvl_text_is(s->weapons[0].name, "-bow"));
    assert_int_equal(s->chest_count, 1);
    assert_int_equal(s->chests[0].x, 10);
    assert_int_equal(s->chests[0].y, 20);
    assert_true(lvl_text_is(s->chests[0].level, "a mill.nw"));
    assert_int_equal(s->other_count, 2);
    lvl_expect_written(doc, bytes_of(account));
    lvl_doc_free(doc);
    doc = read_text(weapon, NULL);
    s = lvl_doc_croot(doc);
    assert_true(lvl_text_is(s->real_name, "-bow"));
    assert_true(s->script.len > 20);
    lvl_expect_written(doc, bytes_of(weapon));
    lvl_doc_free(doc);
    doc = read_text(npc, NULL);
    s = lvl_doc_croot(doc);
    assert_true(s->start_x > 1.4 && s->start_x < 1.6);
    lvl_expect_written(doc, bytes_of(npc));
    lvl_doc_free(doc);
}

static void test_edits(void **state)
{
    static const char *const sets[] = {"chests[0].level=inn.nw",
                                       "chests[+]={\"x\":1,\"y\":2,\"level\":\"b.nw\"}", "x=31.5"};
    static const char want[] = "GRACC001\r\nNAME mira\r\nNICK \r\nLEVEL mill.nw\r\nX 31.5\r\nRUPEES 7\r\n"
                               "ARROWS 10\r\nATTR1 hat.png\r\nFLAG a=b c\r\nWEAPON -bow\r\n"
                               "CHEST 10:20:inn.nw\r\nCHEST 1:2:b.nw\r\nANI walk\r\n\r\nBANNED 0\r\n";
    lvl_doc *doc = read_text(account, NULL);
    (void)state;

    assert_int_equal(lvl_set(doc, sets, 3, NULL, NULL), LVL_OK);
    lvl_expect_written(doc, bytes_of(want));
    lvl_doc_free(doc);
}

/* A new file has its first line. */
static void test_new(void **state)
{
    lvl_doc *doc = NULL;
    (void)state;

    for (int version = LVL_GRAWP001; version <= LVL_GRACC001; version++) {
        static const char *const want[] = {"GRAWP001\nREALNAME \n", "GRNPC001\nNAME \n", "GRACC001\nNAME \n"};
        assert_int_equal(lvl_doc_new(&doc, &ctx, lvl_format_find("server")), LVL_OK);
        ((lvl_server *)lvl_doc_root(doc))->version = (uint8_t)version;
        lvl_expect_written(doc, bytes_of(want[version - LVL_GRAWP001]));
        lvl_doc_free(doc);
    }
}

static void test_odd(void **state)
{
    static const struct {
        const char *text, *id;
    } cases[] = {
        {"GRACC001\nNAME a\nNAME b\n", "server.key.twice"},
        {"GRACC001\nNAME a\nCHEST 1:2\n", "server.line.short"},
        {"GRACC001\nNAME a\nCHEST 1:x:b.nw\n", "server.number"},
        {"GRACC001\nNAME a\nCHEST 1:2:b.nw:c\n", "server.line.more"},
        {"GRACC001\nNAME a\nX 1.5x\n", "server.number"},
        {"GRAWP001\nREALNAME a\nSCRIPT\nx\n", "server.script.open"},
        {"GRNPC001\nNAME a\nNPCSCRIPTEND\n", "server.script.end"},
        {"GRNPC001\n", "server.name.empty"},
    };
    (void)state;

    for (size_t i = 0; i < LVL_COUNT_OF(cases); i++) {
        lvl_findings *findings = lvl_findings_new(&ctx);
        lvl_check_result result;
        bool found = false;
        lvl_doc *doc = read_text(cases[i].text, NULL);
        lvl_expect_written(doc, bytes_of(cases[i].text));
        lvl_doc_free(doc);
        assert_int_equal(
            lvl_check(&ctx, NULL, bytes_of(cases[i].text), "x.txt", NULL, findings, &result, NULL), LVL_OK);
        for (size_t k = 0; k < lvl_findings_count(findings); k++)
            found = found || strcmp(lvl_findings_at(findings, k)->def->id, cases[i].id) == 0;
        if (!found)
            fail_msg("%s: no %s", cases[i].text, cases[i].id);
        lvl_findings_free(findings);
    }
}

/* mill.nw becomes inn.nw, walk.gani run.gani, weapon-bow.txt weapon-sling.txt. */
static lvl_text new_name(void *user, lvl_text name)
{
    static const char *const names[][2] = {{"mill.nw", "inn.nw"},
                                           {"walk.gani", "run.gani"},
                                           {"weapon-bow.txt", "weapon-sling.txt"},
                                           {"a mill.nw", "b.nw"}};

    (void)user;
    for (size_t i = 0; i < LVL_COUNT_OF(names); i++) {
        if (lvl_text_is(name, names[i][0]))
            return lvl_text_of(names[i][1]);
    }
    return (lvl_text){NULL, 0};
}

static void renamed(const char *text, const char *want, size_t count)
{
    lvl_doc *doc = read_text(text, NULL);
    size_t changed;

    assert_int_equal(lvl_doc_rename(doc, new_name, NULL, true, NULL, NULL, &changed), LVL_OK);
    assert_int_equal(changed, count);
    lvl_expect_written(doc, bytes_of(want));
    lvl_doc_free(doc);
}

static void test_rename(void **state)
{
    (void)state;
    renamed(account,
            "GRACC001\r\nNAME mira\r\nNICK \r\nLEVEL inn.nw\r\nX 30.00\r\nRUPEES 7\r\nARROWS 10\r\n"
            "ATTR1 hat.png\r\nFLAG a=b c\r\nWEAPON -sling\r\nCHEST 10:20:b.nw\r\nANI run\r\n\r\nBANNED 0\r\n",
            4);
    renamed(weapon,
            "GRAWP001\nREALNAME -sling\nIMAGE bow.png\nSCRIPT\nif (a) {\n  setani run,;\n"
            "  addweapon -sling;\n}\nSCRIPTEND\n",
            3);
    renamed(
        npc, /* it has the name of a weapon, which is no name of one */
        "GRNPC001\nNAME -bow\nID 10000\nSTARTLEVEL inn.nw\nSTARTX 1.50\nIMAGE \nNPCSCRIPT\nNPCSCRIPTEND\n",
        1);
}

static void test_corpus(void **state)
{
    const char *corpus = lvl_corpus_dir();
    lvl_measure m = {0};
    char folder[1024];
    lvl_paths paths;

    (void)state;
    if (!corpus)
        skip();
    snprintf(folder, sizeof folder, "%s/around/server", corpus);
    if (!lvl_paths_below(&paths, folder, "txt"))
        skip();
    for (size_t i = 0; i < paths.count; i++) {
        lvl_bytes file = {NULL, 0};
        uint8_t *data = lvl_slurp(paths.items[i], &file.len);
        file.ptr = data;
        if (file.len > 8 && memcmp(data, "GR", 2) == 0)
            assert_true(
                lvl_measure_bytes(&m, lvl_format_find("server"), file, lvl_path_name(paths.items[i])));
        free(data);
    }
    lvl_paths_free(&paths);
    print_message("%zu files, %zu exact, %llu bits residue\n", m.files, m.exact,
                  (unsigned long long)m.residue_bits);
    assert_int_equal(m.exact, m.files);
    assert_int_equal(m.residue_bits + m.overlap_bits, 0);
}

/* ---- settings and folders ------------------------------------------------------------------------ */

static const char settings[] = "# stuck\nunstickmelevel = mill.nw\nunstickmex=30\n unstickmey =  30.5 \n\n"
                               "jaillevels = jail 1.graal,jail2.nw\nmaps = \ngmaps = lakeside, other\n"
                               "minimap = world.txt,world.png,10,20\nname = My = Server\nmaxplayers = 128\n"
                               "nonsense\nstaff = (Manager),me";
static const char folders[] = "# types\r\nhead    heads/*\r\nlevel\t*.nw\r\nfoo  x y/*\r\nfile\r\n";

static lvl_doc *read_named(const char *text, const char *name, lvl_findings *findings)
{
    lvl_doc *doc = NULL;

    assert_int_equal(lvl_read(&doc, &ctx, NULL, bytes_of(text), name, 0, findings), LVL_OK);
    return doc;
}

static void test_settings(void **state)
{
    lvl_findings *found = lvl_findings_new(&ctx);
    lvl_doc *doc = read_named(settings, "config/serveroptions.txt", found);
    lvl_server_settings *s = lvl_doc_root(doc);
    (void)state;

    assert_string_equal(lvl_doc_format(doc)->id, "serveroptions");
    assert_true(lvl_text_is(s->name, "My = Server"));
    assert_true(lvl_text_is(s->unstick_level, "mill.nw"));
    assert_true(s->unstick_y > 30.4 && s->unstick_y < 30.6);
    assert_int_equal(s->jail_level_count, 2);
    assert_true(lvl_text_is(s->jail_levels[0], "jail 1.graal"));
    assert_true(lvl_text_is(s->gmaps[1], "other"));
    assert_true(lvl_text_is(s->minimap_image, "world.png"));
    assert_int_equal(s->option_count, 2);
    assert_true(lvl_text_is(s->options[1].value, "(Manager),me"));
    assert_int_equal(lvl_findings_count(found), 1); /* no equals sign */
    lvl_expect_written(doc, bytes_of(settings));

    s->unstick_level = lvl_text_of("other mill.nw");
    s->jail_levels[1] = lvl_text_of("j.nw");
    s->minimap_x = 5;
    s->options[0].value = lvl_text_of("64");
    s->staff_head = lvl_text_of("h.png");
    lvl_expect_written(
        doc, bytes_of("# stuck\nunstickmelevel = other mill.nw\nunstickmex=30\n unstickmey =  30.5 \n\n"
                      "jaillevels = jail 1.graal,j.nw\nmaps = \ngmaps = lakeside, other\n"
                      "minimap = world.txt,world.png,5,20\nstaffhead = h.png\n"
                      "name = My = Server\nmaxplayers = 64\nnonsense\nstaff = (Manager),me"));
    s->options[0].key = lvl_text_of("name"); /* it would be read as the name */
    lvl_buffer out = {0};
    assert_int_equal(lvl_doc_write(doc, &out), LVL_ERR_LOSS);
    lvl_buffer_free(&out);
    lvl_doc_free(doc);
    lvl_findings_free(found);
}

/* Names in lists, with and without their ending. */
static void test_settings_renamed(void **state)
{
    lvl_doc *doc = read_named("jaillevels = x.nw,mill.nw\nprotectedweapons = bomb,-bow\nstartlevel=mill.nw\n",
                              "serveroptions.txt", NULL);
    size_t changed;
    (void)state;

    assert_int_equal(lvl_doc_rename(doc, new_name, NULL, true, NULL, NULL, &changed), LVL_OK);
    assert_int_equal(changed, 3);
    lvl_expect_written(
        doc, bytes_of("jaillevels = x.nw,inn.nw\nprotectedweapons = bomb,-sling\nstartlevel=inn.nw\n"));
    lvl_doc_free(doc);
}

/* Many names and many blanks after them: each is looked at a few times. */
static void test_long_list(void **state)
{
    enum { MANY = 400000 };
    static const char key[] = "jaillevels = ";
    char *text = malloc(sizeof key + 3 * MANY + 1), *p = text;
    (void)state;

    assert_non_null(text);
    memcpy(p, key, sizeof key - 1);
    p += sizeof key - 1;
    for (int i = 0; i < MANY; i++, p += 2)
        memcpy(p, "a,", 2);
    memset(p, ' ', MANY);
    memcpy(p + MANY, "\n", 2);
    lvl_doc *doc = read_named(text, "serveroptions.txt", NULL);
    const lvl_server_settings *s = lvl_doc_root(doc);
    assert_int_equal(s->jail_level_count, MANY + 1); /* the last one is empty */
    assert_true(lvl_text_is(s->jail_levels[MANY - 1], "a"));
    lvl_doc_free(doc);
    free(text);
}

static void test_folders(void **state)
{
    lvl_findings *found = lvl_findings_new(&ctx);
    lvl_doc *doc = read_named(folders, "foldersconfig.txt", found);
    lvl_server_folders *f = lvl_doc_root(doc);
    (void)state;

    assert_string_equal(lvl_doc_format(doc)->id, "folderconfig");
    assert_int_equal(f->folder_count, 3);
    assert_int_equal(f->folders[1].type, LVL_FOLDER_LEVEL);
    assert_true(lvl_text_is(f->folders[2].path, "x y/*"));
    assert_int_equal(lvl_findings_count(found), 2);
    lvl_expect_written(doc, bytes_of(folders));
    f->folders[0].path = lvl_text_of("global/heads/*");
    lvl_expect_written(doc,
                       bytes_of("# types\r\nhead global/heads/*\r\nlevel\t*.nw\r\nfoo  x y/*\r\nfile\r\n"));
    lvl_doc_free(doc);
    lvl_findings_free(found);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_settings), cmocka_unit_test(test_settings_renamed),
        cmocka_unit_test(test_folders),  cmocka_unit_test(test_long_list),
        cmocka_unit_test(test_read),     cmocka_unit_test(test_edits),
        cmocka_unit_test(test_odd),      cmocka_unit_test(test_new),
        cmocka_unit_test(test_rename),   cmocka_unit_test(test_corpus),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
