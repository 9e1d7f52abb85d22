/*
 * Diff: reports every change and nothing else; matches items that moved or changed; regions contain every
 * changed cell.
 */
#include "tools/diff/align.h"
#include "tools/diff/changes.h"
#include "tools/diff/follow.h"
#include "toy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

static lvl_ctx ctx;

static void edit(lvl_doc *doc, const char *assignment)
{
    if (lvl_set(doc, &assignment, 1, NULL, NULL) != LVL_OK)
        fail_msg("set %s", assignment);
}

static void unset(lvl_doc *doc, const char *path)
{
    if (lvl_unset(doc, &path, 1, NULL, NULL) != LVL_OK)
        fail_msg("unset %s", path);
}

/* Changes nest, and each has a difference inside or is one. */
static void changes_nest(const lvl_changes *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const lvl_change *c = &list->items[i];
        const bool outer = c->kind == LVL_CHANGE_RECORD || c->kind == LVL_CHANGE_LIST;
        assert_in_range(c->end, i + 1 + outer, list->count);
        if (c->parent != UINT32_MAX) {
            assert_true(c->parent < i && c->end <= list->items[c->parent].end);
            assert_true(list->items[c->parent].kind >= LVL_CHANGE_RECORD);
        }
        if (c->kind == LVL_CHANGE_ITEM)
            assert_true(c->u.tally.moved || c->end > i + 1);
    }
}

static void diff_is(const lvl_doc *a, const lvl_doc *b, lvl_diff_options options, const char *want)
{
    lvl_buffer out = {0};
    bool different;

    assert_int_equal(lvl_diff(a, b, &options, &different, &out), LVL_OK);
    lvl_buffer_u8(&out, 0);
    assert_string_equal((char *)out.data, want);
    assert_int_equal(different, *want != 0);
    lvl_buffer_free(&out);
    assert_int_equal(lvl_diff(a, b, NULL, &different, NULL), LVL_OK);
    assert_int_equal(different, *want != 0);
    lvl_changes list;
    assert_int_equal(lvl_changes_find(&list, a, b), LVL_OK);
    changes_nest(&list);
    lvl_changes_free(&list);
}

static void same_is_same(void **state)
{
    lvl_doc *a = toy_doc(&ctx, 20), *b = toy_doc(&ctx, 20);
    lvl_diff_options options = {.a = "a", .b = "b"};
    (void)state;

    diff_is(a, b, options, "");
    unset(b, "tail"); /* spelling is no content */
    diff_is(a, b, options, "");
    lvl_doc_free(a);
    lvl_doc_free(b);
}

static void everything_is_told(void **state)
{
    lvl_doc *a = toy_doc(&ctx, 9), *b = toy_doc(&ctx, 9);
    lvl_diff_options text = {.a = "old", .b = "new"}, json = {.json = true}, summary = {.summary = true};
    (void)state;

    edit(b, "lives=9");
    edit(b, "start.x=4");
    edit(b, "titles[+]=third");
    edit(b, "kind=round");
    unset(b, "things[1]");
    edit(b, "things[3].x=41");
    edit(b, "things[+]={\"type\":\"tree\",\"name\":\"new\",\"x\":3}");
    edit(b, "cells[0,0]=3");
    edit(b, "cells[8,3 11,4]=1");
    diff_is(a, b, text,
            "--- old\n+++ new\n"
            "kind: box -> round\n"
            "lives: 5 -> 9\n"
            "start.x: -7 -> 4\n"
            "box_size: 99 -> (none)\n"
            "radius: (none) -> 0\n"
            "cells: 9 cells changed in 2 regions\n"
            "  [0,0] . -> 3\n"
            "  [8,3 11,4] 8 cells\n"
            "things: 1 added, 1 removed, 1 changed\n"
            "  - [1] thing \"thing 1\": type=rat, x=10, y=4\n"
            "  ~ [3] thing \"thing 4\": x 40 -> 41\n"
            "  + [8] thing \"new\": type=tree, x=3\n"
            "titles: 2 items -> 3 items\n");
    diff_is(a, b, json,
            "{\"change\":\"set\",\"path\":\"kind\",\"old\":\"box\",\"new\":\"round\"}\n"
            "{\"change\":\"set\",\"path\":\"lives\",\"old\":5,\"new\":9}\n"
            "{\"change\":\"set\",\"path\":\"start.x\",\"old\":-7,\"new\":4}\n"
            "{\"change\":\"set\",\"path\":\"box_size\",\"old\":99,\"new\":null}\n"
            "{\"change\":\"set\",\"path\":\"radius\",\"old\":null,\"new\":0}\n"
            "{\"change\":\"cells\",\"path\":\"cells\",\"x\":0,\"y\":0,\"width\":1,\"height\":1,\"cells\":1,"
            "\"old\":{\"width\":1,"
            "\"height\":1,\"rows\":[\".\"]},\"new\":{\"width\":1,\"height\":1,\"rows\":[\"3\"]}}\n"
            "{\"change\":\"cells\",\"path\":\"cells\",\"x\":8,\"y\":3,\"width\":4,\"height\":2,\"cells\":8,"
            "\"old\":{\"width\":4,"
            "\"height\":2,\"rows\":[\"6*4\",\"8*4\"]},"
            "\"new\":{\"width\":4,\"height\":2,\"rows\":[\"1*4\",\"1*4\"]}}\n"
            "{\"change\":\"remove\",\"path\":\"things[1]\",\"item\":\"thing \\\"thing "
            "1\\\"\",\"old\":{\"type\":\"rat\",\"x\":10,\"y\":4,"
            "\"name\":\"thing 1\",\"tags\":[1]}}\n"
            "{\"change\":\"set\",\"path\":\"things[3].x\",\"item\":\"thing \\\"thing "
            "4\\\"\",\"old\":40,\"new\":41}\n"
            "{\"change\":\"insert\",\"path\":\"things[8]\",\"item\":\"thing "
            "\\\"new\\\"\",\"new\":{\"type\":\"tree\",\"x\":3,\"name\":"
            "\"new\"}}\n"
            "{\"change\":\"set\",\"path\":\"titles\",\"old\":[\"Level\",\"Niveau "
            "\xc3\xa9\\n\"],\"new\":[\"Level\",\"Niveau "
            "\xc3\xa9\\n\",\"third\"]}\n");
    diff_is(
        a, b, summary,
        "fields: 6 changed\ncells: 9 cells changed in 2 regions\nthings: 1 added, 1 removed, 1 changed\n");
    lvl_doc_free(a);
    lvl_doc_free(b);
}

static void moved_and_renamed(void **state)
{
    lvl_doc *a = toy_doc(&ctx, 6), *b = toy_doc(&ctx, 6);
    lvl_diff_options text = {0};
    toy_level *t = lvl_doc_root(b);
    (void)state;

    toy_thing first = t->things[0];
    memmove(t->things, t->things + 1, 4 * sizeof first);
    t->things[4] = first;
    diff_is(a, b, text, "things: 1 moved\n  = [4] thing \"thing 0\" (moved from 0)\n");
    lvl_doc_free(a);
    lvl_doc_free(b);
    a = toy_doc(&ctx, 3);
    b = toy_doc(&ctx, 3);
    edit(b, "things[1].name=other"); /* called otherwise: another thing */
    diff_is(a, b, text,
            "things: 1 added, 1 removed\n  - [1] thing \"thing 1\": type=rat, x=10, y=4\n"
            "  + [1] thing \"other\": type=rat, x=10, y=4\n");
    lvl_doc_free(a);
    lvl_doc_free(b);
}

static void sizes(void **state)
{
    lvl_doc *a = toy_doc(&ctx, 1), *b = toy_doc(&ctx, 1);
    lvl_diff_options text = {0}, json = {.json = true};
    (void)state;

    edit(b,
         "cells={\"width\":13,\"height\":4,\"rows\":[\".*13\",\".*8 2 3*4\",\"3*3 # 4*9\",\"5*3 # 5*9\"]}");
    diff_is(a, b, text,
            "cells: 12 x 5 -> 13 x 4\ncells: 7 cells changed in 1 region\n  [6,2 11,3] 7 "
            "cells\n");
    edit(b, "cells={\"width\":12,\"height\":5,\"rows\":null}");
    diff_is(a, b, json,
            "{\"change\":\"size\",\"path\":\"cells\",\"old\":{\"width\":12,\"height\":5},\"new\":{\"width\":"
            "12,\"height\":5}}\n");
    lvl_doc_free(a);
    lvl_doc_free(b);
}

/* The regions contain every changed cell, and no row or column without a change. */
static void regions_hold_all(void **state)
{
    enum { W = 64, H = 40 };
    static uint8_t x[W * H], y[W * H];
    (void)state;

    srand(7);
    for (int round = 0; round < 200; round++) {
        lvl_cells a = {x, W, H, 1}, b = {y, W, H, 1};
        lvl_region *regions;
        size_t count;
        uint32_t changed = 0, sum = 0;
        memset(x, 0, sizeof x);
        memset(y, 0, sizeof y);
        int n = rand() % (round < 100 ? 12 : 1500);
        for (int i = 0; i < n; i++)
            y[rand() % (W * H)] = 1;
        assert_int_equal(lvl_regions_find(&a, &b, &regions, &count), LVL_OK);
        for (uint32_t i = 0; i < W * H; i++) {
            bool in = false;
            changed += y[i];
            for (size_t k = 0; k < count && y[i] && !in; k++)
                in = i % W >= regions[k].x0 && i % W <= regions[k].x1 && i / W >= regions[k].y0 &&
                     i / W <= regions[k].y1;
            assert_true(!y[i] || in);
        }
        for (size_t k = 0; k < count; k++)
            sum += regions[k].cells;
        assert_int_equal(sum, changed);
        free(regions);
    }
}

/* Shuffled, reduced and edited at random: the reported changes must turn one list into the other. */
static void pairs_are_sound(void **state)
{
    (void)state;
    srand(11);
    for (int round = 0; round < 60; round++) {
        lvl_doc *a = toy_doc(&ctx, 60), *b = toy_doc(&ctx, 60);
        toy_level *t = lvl_doc_root(b), *s = lvl_doc_root(a);
        for (int i = 0; i < round; i++) {
            uint32_t k = (uint32_t)rand() % t->thing_count, l = (uint32_t)rand() % t->thing_count;
            toy_thing tmp = t->things[k];
            switch (rand() % 3) {
            case 0: t->things[k].x = (int16_t)(rand() % 50); break;
            case 1:
                t->things[k] = t->things[l];
                t->things[l] = tmp;
                break;
            default: t->things[k] = t->things[--t->thing_count];
            }
        }
        const lvl_field *list = lvl_table_find(lvl_doc_table(a), lvl_text_of("things"));
        lvl_alignment pairs;
        assert_int_equal(lvl_align(&pairs, NULL, s, t, list), LVL_OK);
        uint32_t last = 0;
        for (uint32_t j = 0; j < t->thing_count; j++) {
            uint32_t i = pairs.b[j];
            assert_true(i != LVL_UNPAIRED); /* nothing was added, and names are unique */
            assert_int_equal(pairs.a[i], j);
            assert_true(lvl_text_equal(s->things[i].name, t->things[j].name));
            if (!pairs.moved[j]) {
                assert_true(i >= last);
                last = i;
            }
        }
        lvl_alignment_free(&pairs);
        lvl_doc_free(a);
        lvl_doc_free(b);
    }
}

static void follows(const lvl_doc *a, const char *path, const lvl_doc *b, const char *want)
{
    const char *paths[] = {"kind", path, path};
    const size_t len = strlen(want) + 1;
    lvl_buffer out = {0};

    assert_int_equal(lvl_paths_follow(a, paths, 3, b, &out, NULL), LVL_OK);
    assert_int_equal(out.len, 5 + 2 * len);
    assert_string_equal((char *)out.data, "kind");
    assert_string_equal((char *)out.data + 5, want);
    assert_string_equal((char *)out.data + 5 + len, want);
    lvl_buffer_free(&out);
}

/* A path names the same item after items were added, removed, moved and changed. */
static void items_are_followed(void **state)
{
    lvl_doc *a = toy_doc(&ctx, 9), *b = toy_doc(&ctx, 9);
    lvl_buffer out = {0};
    (void)state;

    edit(b, "things[+2]={\"type\":\"tree\",\"name\":\"new\"}");
    follows(a, "things[1].x", b, "things[1].x");
    follows(a, "things[2].x", b, "things[3].x");
    follows(b, "things[2]", a, ""); /* the new one */
    unset(b, "things[0]");
    edit(b, "things[5]@=0");
    follows(a, "things[0]", b, "");
    follows(a, "things[5]", b, "things[0]");
    follows(a, "things[\"thing 1\"].tags[0]", b, "things[1].tags[0]");
    follows(a, "things", b, "things");
    follows(a, "start.x", b, "start.x");
    follows(a, "titles[1]", b, "titles[1]");
    follows(a, "cells[3,1]", b, "cells[3,1]");
    follows(a, "", b, "");
    lvl_doc_free(b);
    b = toy_doc(&ctx, 9);
    edit(b, "things[4].name=other"); /* like no other now: it is found by its place */
    edit(b, "things[6].name=third");
    follows(a, "things[4]", b, "things[4]");
    follows(a, "things[6].name", b, "things[6].name");
    unset(b, "things[6]");
    follows(a, "things[4]", b, "things[4]");
    follows(a, "things[6]", b, "");
    const char *several = "things[*]", *none = "nothing";
    assert_int_equal(lvl_paths_follow(a, &several, 1, b, &out, NULL), LVL_ERR_ARG);
    assert_int_equal(lvl_paths_follow(a, &none, 1, b, &out, NULL), LVL_ERR_ARG);
    assert_int_equal(out.len, 0);
    lvl_doc_free(a);
    lvl_doc_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_is_same),       cmocka_unit_test(everything_is_told),
        cmocka_unit_test(moved_and_renamed),  cmocka_unit_test(sizes),
        cmocka_unit_test(regions_hold_all),   cmocka_unit_test(pairs_are_sound),
        cmocka_unit_test(items_are_followed),
    };
    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
