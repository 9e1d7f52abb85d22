/*
 * A file is renamed in all fields that refer to it; strings in scripts that are exactly its name are found.
 */
#include "base/format.h"
#include "base/text.h"
#include "tools/world/rename.h"

#include <lvl/graal.h>
#include <lvl/tools.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

static lvl_text new_name(void *user, lvl_text name)
{
    static const char *const names[][2] = {
        {"a.nw", "new one.nw"}, {"a.graal", "new one.graal"}, {"old mill.nw", "m.nw"}};

    (void)user;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (lvl_text_equal_nocase(name, lvl_text_of(names[i][0])))
            return lvl_text_of(names[i][1]);
    }
    return (lvl_text){0};
}

typedef struct seen {
    char text[512]; /* "path:line:name:changed " of each use */
} seen;

static lvl_status note(void *user, const lvl_file_use *use)
{
    char path[64];
    seen *s = user;
    const size_t len = strlen(s->text);

    lvl_where_text(use->where, path, sizeof path);
    snprintf(s->text + len, sizeof s->text - len, "%s:%u:%.*s:%d ", path, use->line, (int)use->name.len,
             use->name.ptr, use->changed);
    return LVL_OK;
}

/* Reads a copy in an allocation of exactly its size, so that a sanitizer sees reads beyond it. */
static lvl_doc *doc_of(const char *file, char **copy)
{
    lvl_doc *doc;
    const size_t len = strlen(file);

    *copy = malloc(len);
    assert_non_null(*copy);
    memcpy(*copy, file, len);
    assert_int_equal(
        lvl_read(&doc, &ctx, NULL, (lvl_bytes){(const uint8_t *)*copy, len}, "x.nw", LVL_READ_BORROW, NULL),
        LVL_OK);
    return doc;
}

static void assert_renamed(const char *before, bool scripts, const char *after, const char *uses)
{
    lvl_buffer out = {0};
    seen s = {""};
    char *copy;
    lvl_doc *doc = doc_of(before, &copy);

    assert_int_equal(lvl_doc_rename(doc, new_name, NULL, scripts, note, &s, NULL), LVL_OK);
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    assert_string_equal(s.text, uses);
    lvl_buffer_u8(&out, 0);
    assert_string_equal((const char *)out.data, after);
    lvl_buffer_free(&out);
    lvl_doc_free(doc);
    free(copy);
}

static void fields(void **state)
{
    (void)state;
    assert_renamed(
        "GRMAP001\nWIDTH 2\nHEIGHT 1\nMAPIMG aa.nw\nLEVELNAMES\n\"A.NW\",\"xa.nw\"\nLEVELNAMESEND\n", false,
        "GRMAP001\nWIDTH 2\nHEIGHT 1\nMAPIMG aa.nw\nLEVELNAMES\n\"new one.nw\",\"xa.nw\"\n"
        "LEVELNAMESEND\n",
        "rows[0].names[0]:0:A.NW:1 ");
    assert_renamed("GLEVNW01\nLINK a.nw 1 2 3 4 5 6\nLINK a.graal 1 2 3 4 5 6\nLINK b.nw 1 2 3 4 5 6\n", true,
                   "GLEVNW01\nLINK new one.nw 1 2 3 4 5 6\nLINK new one.graal 1 2 3 4 5 6\n"
                   "LINK b.nw 1 2 3 4 5 6\n",
                   "links[0].level:0:a.nw:1 links[1].level:0:a.graal:1 ");
}

#define NPC(script) "GLEVNW01\nNPC x.png 1 2\n" script "\nNPCEND\n"

static void scripts(void **state)
{
    static const struct {
        const char *before, *after; /* NULL: no string of it is the name */
    } cases[] = {
        {"warp(\"a.nw\");", "warp(\"new one.nw\");"},
        {"warp('A.NW', 'a.graal');", "warp('new one.nw', 'new one.graal');"},
        {"setlevel2 a.nw,30,30;", "setlevel2 new one.nw,30,30;"},
        {"if (x) {setlevel a.nw}", "if (x) {setlevel new one.nw}"},
        {"setstring to,a.nw;", "setstring to,new one.nw;"},
        /* names with blanks, and names that end like another one */
        {"setlevel2 old mill.nw,3,4;", "setlevel2 m.nw,3,4;"},
        {"setstring to, old mill.nw;", "setstring to, m.nw;"},
        {"setlevel2 my old mill.nw,3,4;", NULL},
        {"setlevel2 old a.nw,1,1; setstring to,old a.nw;", NULL},
        {"say \"it's a.nw\";", NULL},
        {"say2 go to a.nw;", NULL},
        {"x = \"xa.nw\" @ \"a.nwx\" @ \"a.nw \";", NULL},
        {"// setlevel a.nw", NULL},
        {"x=\"\\\"a.nw\\\"\";", NULL},
        {"a.nw", NULL},
        {"setlevel2 xa.nw,1,1; setlevel2 a.nw.bak,1,1;", NULL},
    };
    char before[256], after[256], expected[256];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(before, sizeof before, NPC("%s"), cases[i].before);
        snprintf(after, sizeof after, NPC("%s"), cases[i].after ? cases[i].after : cases[i].before);
        lvl_buffer out = {0};
        size_t changed = 9;
        char *copy;
        lvl_doc *doc = doc_of(before, &copy);
        assert_int_equal(lvl_doc_rename(doc, new_name, NULL, true, NULL, NULL, &changed), LVL_OK);
        assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
        snprintf(expected, sizeof expected, "%.*s", (int)out.len, (const char *)out.data);
        assert_string_equal(expected, after);
        assert_int_equal(changed != 0, cases[i].after != NULL);
        lvl_buffer_free(&out);
        lvl_doc_free(doc);
        free(copy);
    }
    /* without being asked for, they are only found */
    assert_renamed(NPC("x=1;\nsetlevel2 a.nw,3,4;"), false, NPC("x=1;\nsetlevel2 a.nw,3,4;"),
                   "npcs[0].script:2:a.nw:0 ");
}

static lvl_text chinese_name(void *user, lvl_text name)
{
    (void)user;
    return lvl_text_of(lvl_text_is(name, "a.nw") ? "\xE4\xB8\x96.nw" : "");
}

static lvl_text no_name(void *user, lvl_text name)
{
    (void)user;
    (void)name;
    return (lvl_text){0};
}

static void names_that_do_not_fit(void **state)
{
    size_t changed;
    char *copy;
    lvl_doc *doc = doc_of("GLEVNW01\nLINK a.nw 1 2 3 4 5 6\n", &copy);

    (void)state;
    assert_int_equal(lvl_doc_rename(doc, chinese_name, NULL, true, NULL, NULL, NULL), LVL_ERR_ARG);
    assert_int_equal(lvl_doc_rename(doc, no_name, NULL, true, NULL, NULL, &changed), LVL_OK);
    assert_int_equal(changed, 0);
    lvl_doc_free(doc);
    free(copy);
    /* who does not name the file does not care */
    doc = doc_of("GLEVNW01\nLINK b.nw 1 2 3 4 5 6\n", &copy);
    assert_int_equal(lvl_doc_rename(doc, chinese_name, NULL, true, NULL, NULL, &changed), LVL_OK);
    assert_int_equal(changed, 0);
    lvl_doc_free(doc);
    free(copy);
}

/* Names, quotes and blanks in any order: nothing is read past the end, and a long script takes a time in
 * proportion to its length. */
static void hostile_scripts(void **state)
{
    static const char *const pieces[] = {"a.nw", "\"", "'", " ", "\\", "/", "\n",
                                         "a.",   "x",  "(", ",", ";",  "`", "a.graal"};
    uint32_t random = 1;

    (void)state;
    for (int round = 0; round < 200; round++) {
        lvl_buffer file = {0}, out = {0};
        char *copy;
        lvl_buffer_str(&file, "GLEVNW01\nNPC x.png 1 2\n");
        for (int i = 0; i < (round ? 40 : 40000); i++) {
            random = random * 1664525 + 1013904223;
            lvl_buffer_str(&file, pieces[(random >> 16) % (sizeof pieces / sizeof *pieces)]);
        }
        lvl_buffer_str(&file, round & 1 ? "\nNPCEND\n" : "");
        lvl_buffer_u8(&file, 0);
        lvl_doc *doc = doc_of((const char *)file.data, &copy);
        assert_int_equal(lvl_doc_rename(doc, new_name, NULL, true, NULL, NULL, NULL), LVL_OK);
        (void)lvl_doc_write(doc, &out);
        lvl_buffer_free(&out);
        lvl_buffer_free(&file);
        lvl_doc_free(doc);
        free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields),
        cmocka_unit_test(scripts),
        cmocka_unit_test(names_that_do_not_fit),
        cmocka_unit_test(hostile_scripts),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
