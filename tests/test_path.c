/*
 * Paths: what they find, what set and unset do, that errors change nothing, and that get returns what was
 * set.
 */
#include "base/format.h"
#include "tools/tools.h"
#include "toy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static lvl_ctx ctx;

static void get_is(const lvl_doc *doc, const char *path, const char *want)
{
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_buffer out = {0};

    lvl_status status = lvl_get(doc, path, NULL, &out, NULL, findings);
    lvl_buffer_u8(&out, 0);
    if (status != LVL_OK || strcmp((char *)out.data, want) != 0)
        fail_msg("%s: status %d, \"%s\", want \"%s\" (%s)", path, status, (char *)out.data, want,
                 lvl_findings_count(findings) ? lvl_findings_at(findings, 0)->text : "");
    lvl_buffer_free(&out);
    lvl_findings_free(findings);
}

static void getting(void **state)
{
    static const char *const cases[][2] = {
        {"lives", "5\n"},
        {"flags", "main|draw|0x20\n"},
        {"mood", "sad\n"},
        {"start.y", "123456\n"},
        {"start", "{\"x\":-7,\"y\":123456}\n"},
        {"key", "{\"base64\":\"AQID/w==\"}\n"},
        {"gravity", "-9.81\n"},
        {"things[0].name", "thing 0\n"},
        {"things[-1].name", "thing 7\n"},
        {"things[*].x", "0\n10\n20\n30\n40\n50\n60\n70\n"},
        {"things[type=rat].x", "10\n50\n"},
        {"things[ type = rat , x > 10 ].name", "a\"b\\5\n"},
        {"things[type!=rat,x<=30].x", "0\n20\n30\n"},
        {"things[type=3].x", "30\n70\n"},
        {"things[\"thing 4\"].x", "40\n"},
        {"things[\"a\\\"b\\\\5\"].x", "50\n"},
        {"things[name~THING,x>=60].x", "60\n70\n"},
        {"things[name=\"thing 1\"]",
         "{\"type\":\"rat\",\"x\":10,\"y\":4,\"name\":\"thing 1\",\"tags\":[1]}\n"},
        {"things[type=rat|x=30].x", "10\n30\n50\n"},
        {"things[x=0|(type=rat,x>10)|x=70].x", "0\n50\n70\n"},
        {"things[(x=0|type=rat|x=70),x>10].x", "50\n70\n"},
        {"things[ ( x = 0 | type = rat ) , not ( x < 20 , x > 5 ) ].x", "0\n50\n"},
        {"things[not((x=0|x=10),(y=4))].x", "0\n20\n30\n40\n50\n60\n70\n"},
        {"things[(name=thing 1|(name=\"thing 4\"))].x", "10\n40\n"},
        {"things[not type=rat].x", "0\n20\n30\n40\n60\n70\n"},
        {"things[not x<60|x=0].x", "0\n60\n70\n"},
        {"things[2:4].x", "20\n30\n"},
        {"things[-2:].x", "60\n70\n"},
        {"things[:2].x", "0\n10\n"},
        {"things[6:100].x", "60\n70\n"},
        {"things[1:-5].x", "10\n20\n"},
        {"things[5].tags[0:1]", "5\n"},
        {"things[5].tags", "[5,6]\n"},
        {"things[5].tags[-1]", "6\n"},
        {"titles[0]", "Level\n"},
        {"titles[Level]", "Level\n"},
        {"cells[3,2]", "61166\n"},
        {"cells[0,0]", "65535\n"},
        {"cells[2,2 4,3]", "{\"width\":3,\"height\":2,\"rows\":[\"3 # 4\",\"5 # 5\"]}\n"},
        {"cells[2..4,2..3]", "{\"width\":3,\"height\":2,\"rows\":[\"3 # 4\",\"5 # 5\"]}\n"},
        {"cells[fill 3,2]", "61166\n61166\n61166\n"},
        {"cells[fill 0,0]", "{\"width\":12,\"height\":1,\"rows\":[\".*12\"]}\n"
                            "{\"width\":8,\"height\":1,\"rows\":[\".*8\"]}\n"},
        {"cells[3,2..3]", "{\"width\":1,\"height\":2,\"rows\":[\"#\",\"#\"]}\n"},
        {"thing_count", "8\n"},
    };
    lvl_doc *doc = toy_doc(&ctx, 8);
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        get_is(doc, cases[i][0], cases[i][1]);
    lvl_buffer out = {0};
    const lvl_get_options json = {.json = true}, paths = {.paths = true};
    size_t count;
    assert_int_equal(lvl_get(doc, "things[type=rat].mood", NULL, &out, NULL, NULL), LVL_ERR_ARG);
    assert_int_equal(lvl_get(doc, "things[type=rat].x", &json, &out, &count, NULL), LVL_OK);
    assert_int_equal(lvl_get(doc, "cells[1,1 2,2]", &json, &out, NULL, NULL), LVL_OK);
    assert_int_equal(lvl_get(doc, "titles[*]", &paths, &out, NULL, NULL), LVL_OK);
    lvl_buffer_u8(&out, 0);
    assert_int_equal(count, 2);
    assert_string_equal(
        (char *)out.data,
        "{\"path\":\"things[1].x\",\"value\":10}\n{\"path\":\"things[5].x\",\"value\":50}\n"
        "{\"path\":\"cells[1,1 2,2]\",\"value\":{\"width\":2,\"height\":2,\"rows\":[\".*2\",\"3*2\"]}}\n"
        "titles[0]=Level\ntitles[1]=Niveau \xc3\xa9\n\n");
    lvl_buffer_free(&out);
    lvl_doc_free(doc);
}

static void bad_paths(void **state)
{
    static const struct {
        const char *path;
        lvl_status status;
        const char *text;
    } cases[] = {
        {"flogs", LVL_ERR_ARG, "level has no field \"flogs\"; did you mean flags?"},
        {"tags", LVL_ERR_ARG, "did you mean things[*].tags?"},
        {"things[0].nam", LVL_ERR_ARG, "did you mean name?"},
        {"things.x", LVL_ERR_ARG, "is a list"},
        {"things[0", LVL_ERR_ARG, "] is missing"},
        {"things[]", LVL_ERR_ARG, "between the brackets"},
        {"things[\"x]", LVL_ERR_ARG, "quote"},
        {"things[0]x", LVL_ERR_ARG, ". is missing"},
        {"things[0].", LVL_ERR_ARG, "name is missing"},
        {"things[9]", LVL_ERR_MISSING, "there is no things[9]: things has only 8 items, [0] to [7]"},
        {"things[-9]", LVL_ERR_MISSING, "there is no things[-9]: things has only 8 items, [0] to [7]"},
        {"things[type=rta]", LVL_ERR_ARG, "did you mean rat?"},
        {"things[type=tree,x=1]", LVL_ERR_MISSING, "finds nothing"},
        {"things[1,2]", LVL_ERR_ARG, "is a list"},
        {"cells[1]", LVL_ERR_ARG, "is a grid"},
        {"cells[12,0]", LVL_ERR_MISSING, "there is no cells[12,0]: cells has only 12 columns and 5 rows"},
        {"cells[3,3 1,1]", LVL_ERR_ARG, "cells are written"},
        {"cells[-1,0]", LVL_ERR_ARG, "has columns and rows from 0 on"},
        {"cells[fill -1,0]", LVL_ERR_ARG, "has columns and rows from 0 on"},
        {"cells[fill 12,0]", LVL_ERR_MISSING, "12 columns and 5 rows"},
        {"cells[fill 1]", LVL_ERR_ARG, "a fill is written"},
        {"things[fill 0,0]", LVL_ERR_ARG, "is a list"},
        {"lives[0]", LVL_ERR_ARG, "is not a list"},
        {"lives.x", LVL_ERR_ARG, "no fields below"},
        {"radius", LVL_ERR_MISSING, "only while kind is round"},
        {"things[+]", LVL_ERR_MISSING, "no value yet"},
        {"things[+].x", LVL_ERR_ARG, "ends a path"},
        {"titles[x=1]", LVL_ERR_ARG, "no records"},
        {"things[=4]", LVL_ERR_ARG, "is a list"},
        {"things[x=0|type=rat,x>10|x=70]", LVL_ERR_ARG,
         "parentheses: [(x=0|type=rat),(x>10|x=70)] or [x=0|(type=rat,x>10)|x=70]"},
        {"things[(x=0|type=rat,x>10)]", LVL_ERR_ARG, "[(x=0|type=rat),x>10] or [x=0|(type=rat,x>10)]"},
        {"things[(x=0|type=rat]", LVL_ERR_ARG, "a ) is missing"},
        {"things[x=0)|x=1]", LVL_ERR_ARG, "x has no value \"0)\""},
        {"cells[=many]", LVL_ERR_ARG, "by a number or a symbol"},
        {"cells[=1234567]", LVL_ERR_ARG, "by a number or a symbol"},
        {"cells[=54321]", LVL_ERR_MISSING, "finds nothing"},
        {"things[8:9]", LVL_ERR_MISSING, "finds nothing"},
    };
    lvl_doc *doc = toy_doc(&ctx, 8);
    lvl_buffer out = {0};
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lvl_findings *findings = lvl_findings_new(&ctx);
        lvl_status status = lvl_get(doc, cases[i].path, NULL, &out, NULL, findings);
        const lvl_finding *f = lvl_findings_at(findings, 0);
        if (status != cases[i].status || !f || !strstr(f->text, cases[i].text))
            fail_msg("%s: %d %s", cases[i].path, status, f ? f->text : "no finding");
        lvl_findings_free(findings);
    }
    assert_int_equal(out.len, 0);
    lvl_doc_free(doc);
}

/* Every selector after every kind of field, alone and with a field after it, read and assigned: a failure
 * is explained, and leaves the document unchanged. */
static void odd_selectors(void **state)
{
    static const char *const fields[] = {
        "flags",  "mood",       "lives",    "start",     "start.x",        "thing_count",    "name",
        "key",    "radius",     "box_size", "gravity",   "cells",          "things",         "things[0]",
        "titles", "unknown_57", "tail",     "checksum",  "things[0].tags", "things[*].tags", "things[*].name",
        "",       ".",          "\"",       "things[0]."};
    static const char *const selectors[] = {
        "",
        "[2:5]",
        "[:]",
        "[-1:-3]",
        "[:99999999999]",
        "[1:2:3]",
        "[=0]",
        "[=x]",
        "[=]",
        "[=99999999999]",
        "[not x=1]",
        "[not ]",
        "[x=1|x=2]",
        "[x=1|x=2,x=3]",
        "[(x=1|x=2),x=3]",
        "[((((((((((((((((((((((((((((((((((((((((x=1",
        "[not(not(x=1))]",
        "[()]",
        "[(x=1",
        "[x=1)]",
        "[x=1||x=2]",
        "[x=1|",
        "[0]",
        "[-1]",
        "[99999999999999999999]",
        "[-99999999999]",
        "[2147483648]",
        "[4294967295]",
        "[*]",
        "[+]",
        "[+0]",
        "[+99999999999]",
        "[+4294967295]",
        "[\"x\"]",
        "[\"\"]",
        "[\"",
        "[\"\\",
        "[\"\\\"",
        "[x]",
        "[ ]",
        "[]",
        "[",
        "[[]]",
        "]",
        "[=]",
        "[=1]",
        "[x=]",
        "[x=1",
        "[x=1,]",
        "[x=\"1]",
        "[x=\"1\"",
        "[x=\"1\"y]",
        "[x!]",
        "[x!=1]",
        "[x<=>1]",
        "[x<-9223372036854775808]",
        "[x>99999999999999999999]",
        "[x~1]",
        "[name~]",
        "[name~\"\"]",
        "[name<a]",
        "[name>=\xff]",
        "[tags=1]",
        "[tags.x=1]",
        "[name.x=1]",
        "[.=1]",
        "[x.=1]",
        "[.x=1]",
        "[type=rat]",
        "[type=rta]",
        "[type~3]",
        "[name_size=7]",
        "[x=1e9999]",
        "[x>"
        "-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5"
        "-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5"
        "-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5"
        "-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5"
        "-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5-.5"
        "]",
        "[0,0]",
        "[0,0 1,1]",
        "[0..1,0..1]",
        "[0..,1]",
        "[0..1]",
        "[0,0 0..1,1]",
        "[4294967294,4294967294]",
        "[fill 0,0]",
        "[fill 11,4]",
        "[fill -1,99]",
        "[fill 1",
        "[fill ",
        "[-5,-5 2147483647,2147483647]",
        "[0,0 4294967294,4294967294]",
        "[-1,-1]",
        "[1,1 0,0]",
        "[0,",
        "[0,0 ",
        "[0,0 1",
        "[a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1,i=1,j=1,k=1,l=1,m=1,n=1,o=1,p=1,q=1]",
        "[x=1,x=1,x=1,x=1,x=1,x=1,x=1,x=1,x=1,x=1,x=1,x=1,x=1,x=1,x=1,x=1,x=1]",
        " ",
        " =",
        "= ",
        "\n"};
    static const char *const below[] = {"",         ".x",           ".",       ".x.x.x.x.x.x.x.x.x.x.x.x.x.x",
                                        ".name[0]", ".tags[\"x\"]", ".tags[*]"};
    static const char *const values[] = {NULL,
                                         "=",
                                         "=1",
                                         "=\"x\"",
                                         "=[]",
                                         "={}",
                                         "=[1,\"a\",{}]",
                                         "=null",
                                         "={\"base64\":\"AQ\"}",
                                         "+=1",
                                         "+=[]",
                                         "-=1",
                                         "-=\"x",
                                         "=99999999999999999999",
                                         "=1e999",
                                         "*=2",
                                         "*=",
                                         "*=1e300",
                                         "@=0",
                                         "@=-1",
                                         "@=2",
                                         "@=",
                                         "={\"width\":2,\"height\":1,\"rows\":[\"1 2\"]}",
                                         "={\"width\":4294967295,\"height\":4294967295,\"rows\":[]}",
                                         "={\"width\":0,\"height\":0,\"rows\":null}"};
    size_t tried = 0;
    (void)state;

    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
        lvl_doc *doc = toy_doc(&ctx, 3);
        lvl_buffer before = {0};
        assert_int_equal(lvl_doc_write(doc, &before), LVL_OK);
        for (size_t i = 0; i < sizeof selectors / sizeof *selectors * (sizeof below / sizeof *below); i++) {
            for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
                lvl_findings *findings = lvl_findings_new(&ctx);
                char text[400];
                const char *const line = text;
                lvl_buffer out = {0}, after = {0};
                lvl_status status;
                snprintf(text, sizeof text, "%s%s%s%s", fields[f],
                         selectors[i / (sizeof below / sizeof *below)],
                         below[i % (sizeof below / sizeof *below)], values[v] ? values[v] : "");
                if (values[v]) {
                    status = lvl_set(doc, &line, 1, NULL, findings);
                } else {
                    status = lvl_get(doc, text, NULL, &out, NULL, findings);
                    if (status != LVL_OK && out.len)
                        fail_msg("%s: failed, and printed %zu bytes", text, out.len);
                }
                if (status != LVL_OK && status != LVL_ERR_ARG && status != LVL_ERR_MISSING &&
                    status != LVL_ERR_LIMIT)
                    fail_msg("%s: status %d", text, status);
                if (status != LVL_OK && !lvl_findings_count(findings))
                    fail_msg("%s: status %d, and nothing says why", text, status);
                if (!v && lvl_unset(doc, &line, 1, NULL, findings) == LVL_OK) {
                    lvl_doc_free(doc);
                    doc = toy_doc(&ctx, 3);
                }
                if (values[v] && status == LVL_OK) {
                    lvl_doc_free(doc);
                    doc = toy_doc(&ctx, 3);
                } else {
                    assert_int_equal(lvl_doc_write(doc, &after), LVL_OK);
                    if (after.len != before.len || memcmp(after.data, before.data, after.len) != 0)
                        fail_msg("%s: failed, and changed the document", text);
                }
                tried++;
                lvl_buffer_free(&out);
                lvl_buffer_free(&after);
                lvl_findings_free(findings);
            }
        }
        lvl_buffer_free(&before);
        lvl_doc_free(doc);
    }
    print_message("%zu odd paths and assignments\n", tried);
}

/* If a condition or a key finds nothing, the message lists the existing values. */
static void what_is_there(void **state)
{
    static const char *const cases[][2] = {
        {"titles[\"x\"]", "; titles: Level, Niveau"},
        {"titles[Levl]", "did you mean \"Level\"?"},
        {"things[type=2,x=10].x", "no item matches all conditions"},
        {"things[name=zzzzzzzz].x", "; name is one of: thing 0, thing 1, "},
        {"things[\"zzzzzzzz\"].x", "; things: thing 0, thing 1, "},
        {"things[type=7]", "; type is one of: coin, rat, tree, 3"},
        {"things[*].tags[9]", "finds nothing"},
        {"things[0].tags[9]", "there is no things[0].tags[9]: things[0].tags has only 0 items"},
        {"things[0].tags[*]", "tags has no items"},
    };
    lvl_doc *doc = toy_doc(&ctx, 8);
    lvl_buffer out = {0};
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lvl_findings *findings = lvl_findings_new(&ctx);
        assert_int_equal(lvl_get(doc, cases[i][0], NULL, &out, NULL, findings), LVL_ERR_MISSING);
        const char *text = lvl_findings_at(findings, 0)->text;
        if (!strstr(text, cases[i][1]))
            fail_msg("%s: %s", cases[i][0], text);
        lvl_findings_free(findings);
    }
    assert_int_equal(out.len, 0);
    lvl_doc_free(doc);
}

static void set_ok(lvl_doc *doc, const char *assignment, size_t places)
{
    lvl_findings *findings = lvl_findings_new(&ctx);
    size_t changed;

    lvl_status status = lvl_set(doc, &assignment, 1, &changed, findings);
    if (status != LVL_OK || changed != places)
        fail_msg("%s: %d, %zu places, %s", assignment, status, changed,
                 lvl_findings_count(findings) ? lvl_findings_at(findings, 0)->text : "");
    lvl_findings_free(findings);
}

static void setting(void **state)
{
    static const struct {
        const char *assignment;
        size_t places;
        const char *path, *want;
    } cases[] = {
        {"lives=9", 1, "lives", "9\n"},
        {"flags=main|wrap", 1, "flags", "main|wrap\n"},
        {"flags=0x12+draw", 1, "flags", "wrap|draw|0x10\n"},
        {"mood=angry", 1, "mood", "angry\n"},
        {"mood=-300", 1, "mood", "-300\n"},
        {"mood=\"calm\"", 1, "mood", "calm\n"},
        {"start.x=0x10", 1, "start.x", "16\n"},
        {"start={\"y\":4}", 1, "start", "{\"x\":0,\"y\":4}\n"},
        {"name=T\xc3\xa9l\xc3\xa9", 1, "name", "T\xc3\xa9l\xc3\xa9\n"},
        {"name=\"a=b\\u0000c\"", 1, "titles[0]", "Level\n"},
        {"name=", 1, "name", "\n"},
        {"gravity=1.5", 1, "gravity", "1.5\n"},
        {"key={\"base64\":\"AQ==\"}", 1, "key", "{\"base64\":\"AQAAAA==\"}\n"},
        {"things[type=rat].x=-5", 2, "things[x=-5].name", "thing 1\na\"b\\5\n"},
        {"things[0].name=a[b]=c", 1, "things[0].name", "a[b]=c\n"},
        {"things[name=\"a[b]=c\"].y=77", 1, "things[0].y", "77\n"},
        {"things[+]={\"type\":\"tree\",\"name\":\"new\",\"tags\":[9,8]}", 1, "things[-1]",
         "{\"type\":\"tree\",\"x\":0,\"y\":0,\"name\":\"new\",\"tags\":[9,8]}\n"},
        {"things[-1].tags[+]=7", 1, "things[8].tags", "[9,8,7]\n"},
        {"things[-1].tags[0]=1", 1, "things[8].tags", "[1,8,7]\n"},
        {"things[-1].tags=[]", 1, "things[8].tags", "[]\n"},
        {"things[2]={\"name\":\"x\"}", 1, "things[2]",
         "{\"type\":\"coin\",\"x\":0,\"y\":0,\"name\":\"x\",\"tags\":[]}\n"},
        {"titles[+]=Titel", 1, "titles", "[\"Level\",\"Niveau \xc3\xa9\\n\",\"Titel\"]\n"},
        {"titles=[\"a\"]", 1, "titles", "[\"a\"]\n"},
        {"cells[0,0]=7", 1, "cells[0,0]", "7\n"},
        {"cells[0,0 11,4]=.", 1, "cells",
         "{\"width\":12,\"height\":5,\"rows\":[\".*12\",\".*12\",\".*12\",\".*12\",\".*12\"]}\n"},
        {"cells[1,1 3,2]=[\"1*2 2\",\"3 .*2\"]", 1, "cells[0,1 3,2]",
         "{\"width\":4,\"height\":2,\"rows\":[\". 1*2 2\",\". 3 .*2\"]}\n"},
        {"cells[0,1 1,2]={\"width\":2,\"height\":2,\"rows\":[\"5 6\",\"7 8\"]}", 1, "cells[0,1 3,2]",
         "{\"width\":4,\"height\":2,\"rows\":[\"5 6 1 2\",\"7 8 .*2\"]}\n"},
        {"cells[2,3]={\"width\":2,\"height\":2,\"rows\":[\"5 6\",\"7 8\"]}", 1, "cells[0,3 3,4]",
         "{\"width\":4,\"height\":2,\"rows\":[\".*2 5 6\",\".*2 7 8\"]}\n"},
        {"cells[fill 0,4]=9", 2, "cells[0,3 3,4]",
         "{\"width\":4,\"height\":2,\"rows\":[\"9*2 5 6\",\"9*2 7 8\"]}\n"},
        {"cells[fill 0,0]=3", 5, "cells",
         "{\"width\":12,\"height\":5,\"rows\":[\"3*12\",\"5 6 1 2 3*8\",\"7 8 3*10\",\"9*2 5 6 3*8\","
         "\"9*2 7 8 3*8\"]}\n"},
        {"cells[1,1]=filled", 1, "cells[1,1]", "61166\n"},
        {"cells={\"width\":1,\"height\":1,\"rows\":[\"#\"]}", 1, "cells",
         "{\"width\":1,\"height\":1,\"rows\":[\"#\"]}\n"},
        {"kind=round", 1, "radius", "0\n"},
        {"radius=3", 1, "radius", "3\n"},
        {"lives+=2", 1, "lives", "11\n"},
        {"lives-=1", 1, "lives", "10\n"},
        {"mood-=-10", 1, "mood", "10\n"},
        {"flags+=main", 1, "flags", "main|wrap|draw|0x10\n"},
        {"flags-=draw|0x10", 1, "flags", "main|wrap\n"},
        {"gravity+=0.25", 1, "gravity", "1.75\n"},
        {"gravity*=-2", 1, "gravity", "-3.5\n"},
        {"mood*=1.25", 1, "mood", "13\n"}, /* 12.5 */
        {"mood*=-0.5", 1, "mood", "-7\n"}, /* -6.5 */
        {"mood*=2", 1, "mood", "-14\n"},
        {"title=Other", 1, "name", "Other\n"},
        {"name=Mine", 1, "title", "Mine\n"},
        {"things[-1].tags+=5", 1, "things[8].tags", "[5]\n"},
        {"things[-1].tags+=[6,5]", 1, "things[8].tags", "[5,6,5]\n"},
        {"things[-1].tags[0]+=3", 1, "things[8].tags", "[8,6,5]\n"},
        {"things[-1].tags[+1]=5", 1, "things[8].tags", "[8,5,6,5]\n"},
        {"things[-1].tags-=5", 2, "things[8].tags", "[8,6]\n"},
        {"titles+=b", 1, "titles", "[\"a\",\"b\"]\n"},
        {"titles[+0]=first", 1, "titles", "[\"first\",\"a\",\"b\"]\n"},
        {"titles-=a", 1, "titles", "[\"first\",\"b\"]\n"},
        {"titles-=\"b\"", 1, "titles", "[\"first\"]\n"},
        {"things[+1]={\"name\":\"in\"}", 1, "things[1].name", "in\n"},
        {"things+=[{\"name\":\"p\"},{\"name\":\"q\"}]", 1, "things[-2].name", "p\n"},
        {"things-=in", 1, "things[-1].name", "q\n"},
        {"things-=p", 1, "things[9].name", "q\n"},
        {"titles=[\"a\",\"b\",\"c\",\"d\",\"e\"]", 1, "titles[-1]", "e\n"},
        {"titles[3]@=0", 1, "titles", "[\"d\",\"a\",\"b\",\"c\",\"e\"]\n"},
        {"titles[0]@=-1", 1, "titles", "[\"a\",\"b\",\"c\",\"e\",\"d\"]\n"},
        {"titles[1:3]@=2", 2, "titles", "[\"a\",\"e\",\"b\",\"c\",\"d\"]\n"},
        {"titles[1:3]@=4", 2, "titles", "[\"a\",\"c\",\"d\",\"e\",\"b\"]\n"},
        {"titles[*]@=3", 5, "titles", "[\"a\",\"c\",\"d\",\"e\",\"b\"]\n"},
        {"titles[a]@=0", 1, "titles", "[\"a\",\"c\",\"d\",\"e\",\"b\"]\n"},
    };
    lvl_doc *doc = toy_doc(&ctx, 8), *again;
    lvl_buffer file = {0};
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        set_ok(doc, cases[i].assignment, cases[i].places);
        get_is(doc, cases[i].path, cases[i].want);
    }
    get_is(doc, "thing_count", "10\n");
    assert_int_equal(lvl_doc_write(doc, &file), LVL_OK);
    lvl_bytes bytes = {file.data, file.len};
    assert_int_equal(lvl_read(&again, &ctx, &toy_format, bytes, NULL, 0, NULL), LVL_OK);
    assert_int_equal(again->override_count, 0);
    assert_true(lvl_record_equal(lvl_doc_croot(doc), lvl_doc_croot(again), lvl_doc_table(doc)));
    lvl_doc_free(again);
    lvl_doc_free(doc);
    lvl_buffer_free(&file);
}

static void errors_change_nothing(void **state)
{
    static const struct {
        const char *assignment;
        lvl_status status;
        const char *text;
    } cases[] = {
        {"lives=256", LVL_ERR_ARG, "expected an 8-bit unsigned integer"},
        {"lives=", LVL_ERR_ARG, "unsigned integer, got \"\""},
        {"lives", LVL_ERR_ARG, "expected PATH=VALUE"},
        {"lives = 1", LVL_ERR_ARG, "write no blank before the ="},
        {"lives *= 1", LVL_ERR_ARG, "write no blank before the ="},
        {"lives= 1", LVL_ERR_ARG, "write no blanks around the ="},
        {"kind=box ", LVL_ERR_ARG, "write no blanks around the ="},
        {"lives*=1000", LVL_ERR_ARG, "cannot be changed by"},
        {"lives*=1e300", LVL_ERR_ARG, "cannot be changed by"},
        {"gravity*=1e308", LVL_ERR_ARG, "cannot be changed by"},
        {"flags*=2", LVL_ERR_ARG, "cannot be changed by"},
        {"name*=2", LVL_ERR_ARG, "*= to numbers"},
        {"things*=2", LVL_ERR_ARG, "*= to numbers"},
        {"mood=angri", LVL_ERR_ARG, "did you mean angry?"},
        {"thing_count=3", LVL_ERR_ARG, "is computed on writing"},
        {"things[0].name_size=3", LVL_ERR_ARG, "is computed"},
        {"things[+]={\"name_size\":3}", LVL_ERR_ARG, "is computed"},
        {"tail={\"base64\":\"\"}", LVL_ERR_ARG, "only keeps the file's spelling"},
        {"radius=3", LVL_ERR_ARG, "only while kind is round"},
        {"name=0123456789abcdef", LVL_ERR_ARG, "at most 15"},
        {"name=\xc5\x81", LVL_ERR_ARG, "windows-1250"},
        {"name=\"oops", LVL_ERR_ARG, "JSON"},
        {"things[+]={\"nam\":1}", LVL_ERR_ARG, "did you mean name?"},
        {"things[+]=7", LVL_ERR_ARG, "object"},
        {"things=[{\"x\":99999}]", LVL_ERR_ARG, "fit"},
        {"cells[0,0]=70000", LVL_ERR_ARG, "2 bytes"},
        {"cells[0,0 1,1]=[\"1*2\"]", LVL_ERR_ARG, "2 rows"},
        {"cells[0,0 1,1]=[\"1*2\",\"1*3\"]", LVL_ERR_ARG, "row 1"},
        {"things[99].x=1", LVL_ERR_MISSING, "only"},
        {"={}", LVL_ERR_ARG, "whole document"},
        {"lives+=255", LVL_ERR_ARG, "cannot be changed by"},
        {"lives-=2", LVL_ERR_ARG, "cannot be changed by"},
        {"lives+=many", LVL_ERR_ARG, "cannot be changed by"},
        {"name+=x", LVL_ERR_ARG, "lists, numbers and flags"},
        {"things[0]+={}", LVL_ERR_ARG, "lists, numbers and flags"},
        {"things[+]+={}", LVL_ERR_ARG, "lists, numbers and flags"},
        {"thing_count+=1", LVL_ERR_ARG, "is computed on writing"},
        {"things-=nobody", LVL_ERR_MISSING, "has no \"nobody\""},
        {"titles-=nothing", LVL_ERR_MISSING, "has no \"nothing\""},
        {"things[0].tags-=x", LVL_ERR_ARG, "has no item"},
        {"titles+=[1]", LVL_ERR_ARG, "a text"},
        {"titles+=[", LVL_ERR_ARG, "JSON"},
        {"things[+99]={}", LVL_ERR_MISSING, "there is no things[+99]: things has only 9 items, [+0] to [+9]"},
        {"titles[0]@=3", LVL_ERR_ARG, "there is no titles[3]: titles has only 3 items"},
        {"titles[0]@=-4", LVL_ERR_ARG, "there is no titles[-4]: titles has only 3 items"},
        {"titles[0]@=x", LVL_ERR_ARG, "expected the number"},
        {"titles@=1", LVL_ERR_ARG, "moves items of a list"},
        {"titles[+]@=1", LVL_ERR_ARG, "moves items of a list"},
        {"cells[0,0]@=1", LVL_ERR_ARG, "moves items of a list"},
        {"lives@=1", LVL_ERR_ARG, "moves items of a list"},
        {"cells[0,0]+=1", LVL_ERR_ARG, "cells can only be set"},
        {"cells[11,4]={\"width\":2,\"height\":1,\"rows\":[\"1 2\"]}", LVL_ERR_ARG, "do not fit there"},
        {"cells[0,0 1,1]={\"width\":2,\"height\":1,\"rows\":[\"1 2\"]}", LVL_ERR_ARG, "2 columns and 2 rows"},
        {"cells[0,0]={\"width\":2,\"height\":1,\"rows\":null}", LVL_ERR_ARG, "expected cells"},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lvl_findings *findings = lvl_findings_new(&ctx);
        lvl_doc *doc = toy_doc(&ctx, 8);
        lvl_buffer before = {0}, after = {0};
        const char *all[] = {"lives=1",      "things[*].x=1",    "things[+]={\"name\":\"n\"}",
                             "cells[0,0]=1", "name=z",           "titles[+]=t",
                             "start={}",     cases[i].assignment};
        size_t changed;

        toy_level *t = lvl_doc_root(doc);
        t->checksum ^= 1; /* also an override that must be restored */
        lvl_doc_note_derived(doc);
        lvl_doc_write(doc, &before);
        lvl_status status = lvl_set(doc, all, sizeof all / sizeof *all, &changed, findings);
        const lvl_finding *f = lvl_findings_at(findings, 0);
        if (status != cases[i].status || !f || !strstr(f->text, cases[i].text))
            fail_msg("%s: %d %s", cases[i].assignment, status, f ? f->text : "no finding");
        lvl_doc_write(doc, &after);
        assert_int_equal(changed, 0);
        assert_int_equal(before.len, after.len);
        assert_memory_equal(before.data, after.data, before.len);
        lvl_buffer_free(&before);
        lvl_buffer_free(&after);
        lvl_findings_free(findings);
        lvl_doc_free(doc);
    }
}

static void unset_ok(lvl_doc *doc, const char *path, size_t places)
{
    size_t changed;

    if (lvl_unset(doc, &path, 1, &changed, NULL) != LVL_OK || changed != places)
        fail_msg("unset %s: %zu places", path, changed);
}

static void unsetting(void **state)
{
    lvl_doc *doc = toy_doc(&ctx, 8);
    const char *bad[] = {"lives", "things[0]", "thingz"};
    (void)state;

    unset_ok(doc, "lives", 1);
    get_is(doc, "lives", "3\n");
    unset_ok(doc, "things[type=rat]", 2);
    get_is(doc, "things[*].x", "0\n20\n30\n40\n60\n70\n");
    get_is(doc, "thing_count", "6\n");
    unset_ok(doc, "things[*].tags[0]", 3);
    get_is(doc, "things[*].tags", "[]\n[3]\n[]\n[]\n[]\n[]\n");
    unset_ok(doc, "things[-1]", 1);
    unset_ok(doc, "start", 1);
    get_is(doc, "start", "{\"x\":0,\"y\":0}\n");
    unset_ok(doc, "name", 1);
    get_is(doc, "name", "\n");
    unset_ok(doc, "tail", 1);
    get_is(doc, "tail", "{\"base64\":\"\"}\n");
    unset_ok(doc, "titles", 1);
    get_is(doc, "titles", "[]\n");
    assert_int_equal(lvl_unset(doc, bad, 3, NULL, NULL), LVL_ERR_ARG);
    get_is(doc, "things[*].x", "0\n20\n30\n40\n60\n");
    lvl_doc_free(doc);
}

static void a_wrong_checksum_is_let_go(void **state)
{
    lvl_buffer file = {0}, out = {0};
    lvl_doc *doc;
    (void)state;

    toy_file(&file, 3);
    uint8_t right = file.data[24];
    file.data[24] ^= 0x55;
    lvl_bytes bytes = {file.data, file.len};
    assert_int_equal(lvl_read(&doc, &ctx, &toy_format, bytes, NULL, 0, NULL), LVL_OK);
    set_ok(doc, "lives=77", 1); /* not summed up: the wrong one stays */
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    assert_int_equal(out.data[24], right ^ 0x55);
    unset_ok(doc, "checksum", 1);
    out.len = 0;
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    assert_int_equal(out.data[24], right);
    lvl_buffer_free(&file);
    lvl_buffer_free(&out);
    lvl_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(getting),       cmocka_unit_test(bad_paths),
        cmocka_unit_test(odd_selectors), cmocka_unit_test(what_is_there),
        cmocka_unit_test(setting),       cmocka_unit_test(errors_change_nothing),
        cmocka_unit_test(unsetting),     cmocka_unit_test(a_wrong_checksum_is_let_go),
    };
    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
