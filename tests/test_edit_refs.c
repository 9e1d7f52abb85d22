/*
 * References by number follow when items of a list are inserted or removed before them: pixels and swatches,
 * chests and signs. Nothing else changes, and an edit that fails leaves the file unchanged.
 */
#include "base/format.h"
#include "sketchy_make.h"

#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

static lvl_status set(lvl_doc *doc, const char *a, const char *b)
{
    const char *all[] = {a, b};

    return lvl_set(doc, all, b ? 2 : 1, NULL, NULL);
}

static lvl_status unset(lvl_doc *doc, const char *path)
{
    return lvl_unset(doc, &path, 1, NULL, NULL);
}

static lvl_buffer file_of(const lvl_doc *doc)
{
    lvl_buffer out = {0};

    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    return out;
}

static void expect_file(const lvl_doc *doc, const lvl_buffer *want)
{
    lvl_buffer out = file_of(doc);

    assert_int_equal(out.len, want->len);
    assert_memory_equal(out.data, want->data, out.len);
    lvl_buffer_free(&out);
}

static void get_is(const lvl_doc *doc, const char *path, const char *want)
{
    lvl_buffer out = {0};

    assert_int_equal(lvl_get(doc, path, NULL, &out, NULL, NULL), LVL_OK);
    lvl_buffer_u8(&out, 0);
    assert_string_equal((const char *)out.data, want);
    lvl_buffer_free(&out);
}

/* How many px of each swatch a drawing has, by the swatches' names. */
static void census(const lvl_doc *doc, char *out)
{
    const lvl_field *pixels = lvl_table_at(&lvl_sketchy_chunk_table, offsetof(lvl_sketchy_chunk, pixels));
    const lvl_sketchy *d = lvl_doc_croot(doc);
    unsigned counts[64] = {0};
    lvl_buffer storage = {0};

    for (uint32_t i = 0; i < d->layers[0].chunk_count; i++) {
        lvl_cells cells;
        assert_int_equal(lvl_doc_cells(doc, &d->layers[0].chunks[i], pixels, &storage, &cells), LVL_OK);
        for (size_t k = 0; k < (size_t)cells.width * cells.height; k++) {
            const unsigned index = cells.ptr[k * 2] | cells.ptr[k * 2 + 1] << 8;
            if (index < 64)
                counts[index]++;
        }
    }
    *out = 0;
    for (uint32_t i = 0; i < 64; i++) {
        if (counts[i] && i < d->swatch_count)
            out += sprintf(out, "%.*s %u;", (int)d->swatches[i].name.len, d->swatches[i].name.ptr, counts[i]);
        else if (counts[i])
            out += sprintf(out, "%u: %u;", i, counts[i]);
    }
    lvl_buffer_free(&storage);
}

static void test_swatches(void **state)
{
    static const char all[] = "ground 12;decoration 12;lava 12;pond 12;";
    char text[400];

    (void)state;
    for (unsigned generation = LVL_SKETCHY_V1; generation < LVL_SKETCHY_GENERATIONS; generation++) {
        lvl_buffer was = {0};
        lvl_doc *doc = NULL;
        assert_true(lvl_make_file(lvl_make_sketch(&ctx, generation), &was));
        assert_int_equal(lvl_read(&doc, &ctx, NULL, (lvl_bytes){was.data, was.len}, "x.level", 0, NULL),
                         LVL_OK);
        census(doc, text);
        if (strcmp(text, "ground 13;decoration 11;lava 12;pond 12;") != 0 && strcmp(text, all) != 0)
            puts(text);
        char before[400];
        strcpy(before, text);
        assert_int_equal(set(doc, "swatches[+1]={\"name\":\"new\",\"color\":\"#00ff00\"}", NULL), LVL_OK);
        census(doc, text);
        assert_string_equal(text, before);
        get_is(doc, "swatches[*].name", "ground\nnew\ndecoration\nlava\npond\n");
        /* one after the last changes no px, and removing the other restores the file */
        assert_int_equal(set(doc, "swatches[+]={\"name\":\"last\"}", NULL), LVL_OK);
        assert_int_equal(unset(doc, "swatches[name=new]"), LVL_OK);
        assert_int_equal(set(doc, "swatches-=last", NULL), LVL_OK);
        expect_file(doc, &was);
        /* all or none */
        assert_int_equal(set(doc, "swatches[+0]={\"name\":\"new\"}", "swatches-=nobody"), LVL_ERR_MISSING);
        assert_int_equal(set(doc, "swatches-=ground", "nothing=1"), LVL_ERR_ARG);
        expect_file(doc, &was);
        /* px of a removed one are removed */
        assert_int_equal(set(doc, "swatches-=lava", NULL), LVL_OK);
        census(doc, text);
        const char *lava = strstr(before, "lava 12;");
        assert_non_null(lava);
        snprintf(before + (lava - before), sizeof before - (size_t)(lava - before), "pond 12;");
        assert_string_equal(text, before);
        lvl_doc_free(doc);
        lvl_buffer_free(&was);
    }
}

static void test_actors(void **state)
{
    lvl_doc *doc = lvl_make_sketch(&ctx, LVL_SKETCHY_V2);
    const char *edits[] = {
        "actors[+0]={\"id\":\"c\",\"filename\":\"key.doodad\",\"point\":{\"x\":-3,\"y\":4}}",
        "actors[id=c].links+=[\"a1\",\"b2\"]",
        "actors[id=a1].links+=c",
        "actors[id=c].links-=b2",
        "actors[id=c].options+={\"name\":\"Lit\",\"type\":\"int\",\"value\":\"3\"}",
        "actors[id=c].point.x+=10",
        "difficulty=hard",
        "bounded_width+=100"};
    lvl_buffer file = {0};
    lvl_doc *again = NULL;

    (void)state;
    assert_int_equal(lvl_set(doc, edits, sizeof edits / sizeof *edits, NULL, NULL), LVL_OK);
    file = file_of(doc);
    assert_int_equal(lvl_read(&again, &ctx, NULL, (lvl_bytes){file.data, file.len}, NULL, 0, NULL), LVL_OK);
    get_is(again, "actors[id=c]",
           "{\"id\":\"c\",\"filename\":\"key.doodad\",\"point\":{\"x\":7,\"y\":4},\"links\":[\"a1\"],"
           "\"options\":[{\"name\":\"Lit\",\"type\":\"int\",\"value\":\"3\"}]}\n");
    get_is(again, "actors[id=a1].links", "[\"b2\",\"c\"]\n");
    get_is(again, "difficulty", "hard\n");
    get_is(again, "bounded_width", "2650\n");
    assert_int_equal(unset(again, "actors[filename=key.doodad]"), LVL_OK);
    get_is(again, "actors[*].id", "a1\nb2\n");
    lvl_doc_free(again);
    lvl_doc_free(doc);
    lvl_buffer_free(&file);
}

static void test_signs(void **state)
{
    static const char nw[] =
        "GLEVNW01\nCHEST 1 2 greenrupee 1\nCHEST 3 4 greenrupee 0\nCHEST 5 6 greenrupee -1\n"
        "SIGN 1 1\none\nSIGNEND\nSIGN 2 2\ntwo\nSIGNEND\n";
    lvl_doc *doc = NULL;

    (void)state;
    assert_int_equal(
        lvl_read(&doc, &ctx, NULL, (lvl_bytes){(const uint8_t *)nw, sizeof nw - 1}, "x.nw", 0, NULL), LVL_OK);
    get_is(doc, "chests[*].sign", "1\n0\n-1\n");
    assert_int_equal(set(doc, "signs[+1]={\"x\":9,\"text\":\"new\"}", NULL), LVL_OK);
    get_is(doc, "chests[*].sign", "2\n0\n-1\n");
    assert_int_equal(unset(doc, "signs[0..0]"), LVL_ERR_ARG);
    assert_int_equal(unset(doc, "signs[0]"), LVL_OK);
    get_is(doc, "chests[*].sign", "1\n-1\n-1\n");
    lvl_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_swatches),
        cmocka_unit_test(test_actors),
        cmocka_unit_test(test_signs),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
