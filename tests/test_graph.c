/*
 * test_graph.c: graphs of levels: joined by names whatever their case and extension, laid out edge to edge,
 * independent of the order of adding; as DOT and as a picture.
 */
#include "expect.h"
#include "corpus.h"
#include "render/graph.h"
#include "scene/graph_internal.h"

#include <lvl/graph.h>
#include <lvl/render.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

typedef struct file {
    const char *name, *text;
} file;

/* a and b side by side both ways, c below a one way; a door from b to a level that isn't there, twice; d
 * leads to b under the name that it had before. */
static const file world[] = {
    {"maps/a.nw", "GLEVNW01\nLINK B.nw 63 0 1 64 0 playery\nLINK c.nw 0 63 64 1 playerx 0\n"},
    {"maps/b.nw",
     "GLEVNW01\nLINK a.nw 0 0 1 64 61 playery\nLINK gone.nw 20 20 2 2 30 30\nLINK Gone.nw 24 20 2 2 30 30\n"},
    {"maps/c.nw", "GLEVNW01\n"},
    {"maps/d.nw", "GLEVNW01\nLINK b.graal 32 32 2 2 30 30\nLINK d.nw 1 1 2 2 30 30\n"},
    {"maps/e.nw", "GLEVNW01\n"},
};
enum { FILES = sizeof world / sizeof *world };

static void add(lvl_graph *graph, const file *f, size_t number)
{
    lvl_doc *doc = NULL;
    const lvl_bytes bytes = {(const uint8_t *)f->text, strlen(f->text)};

    assert_int_equal(lvl_read(&doc, &ctx, NULL, bytes, f->name, 0, NULL), LVL_OK);
    assert_int_equal(lvl_graph_add(graph, number, f->name, doc), LVL_OK);
    lvl_doc_free(doc);
}

static lvl_graph *make(bool backwards)
{
    lvl_graph *graph = lvl_graph_new(&ctx);

    assert_non_null(graph);
    for (size_t i = 0; i < FILES; i++)
        add(graph, &world[backwards ? FILES - 1 - i : i], backwards ? FILES - 1 - i : i);
    assert_int_equal(lvl_graph_finish(graph), LVL_OK);
    return graph;
}

static const lvl_graph_node *node(const lvl_graph *graph, const char *name)
{
    uint32_t count;
    const lvl_graph_node *nodes = lvl_graph_nodes(graph, &count);

    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(nodes[i].name, name) == 0)
            return &nodes[i];
    }
    return NULL;
}

static const lvl_graph_edge *edge(const lvl_graph *graph, const char *from, const char *to)
{
    uint32_t count;
    const lvl_graph_node *nodes = lvl_graph_nodes(graph, &count);
    const lvl_graph_edge *edges = lvl_graph_edges(graph, &count);

    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(nodes[edges[i].from].name, from) == 0 && strcmp(nodes[edges[i].to].name, to) == 0)
            return &edges[i];
    }
    return NULL;
}

static void test_join(void **state)
{
    lvl_graph *graph = make(false);
    uint32_t count;

    (void)state;
    lvl_graph_nodes(graph, &count);
    assert_int_equal(count, 6);
    lvl_graph_edges(graph, &count);
    assert_int_equal(count, 6);
    assert_int_equal(node(graph, "a.nw")->file, 0);
    assert_int_equal(node(graph, "Gone.nw")->file, LVL_GRAPH_NO_FILE);
    assert_int_equal(node(graph, "Gone.nw")->in, 2);
    assert_int_equal(edge(graph, "b.nw", "Gone.nw")->count, 2);
    assert_false(edge(graph, "b.nw", "Gone.nw")->back);
    assert_true(edge(graph, "a.nw", "b.nw")->back);
    assert_int_equal(edge(graph, "a.nw", "b.nw")->way, LVL_WAY_RIGHT);
    assert_int_equal(edge(graph, "b.nw", "a.nw")->way, LVL_WAY_LEFT);
    assert_false(edge(graph, "a.nw", "c.nw")->back);
    assert_non_null(edge(graph, "d.nw", "b.nw")); /* by its name of old */
    assert_false(edge(graph, "d.nw", "d.nw")->back);
    lvl_graph_free(graph);
}

static void test_layout(void **state)
{
    lvl_graph *graph = make(false);
    const lvl_graph_node *a = node(graph, "a.nw"), *b = node(graph, "b.nw"), *c = node(graph, "c.nw");
    int32_t width, height;
    uint32_t count;

    (void)state;
    assert_int_equal(b->x - a->x, LVL_GRAPH_UNIT);
    assert_int_equal(b->y, a->y);
    assert_int_equal(c->x, a->x);
    assert_int_equal(c->y - a->y, LVL_GRAPH_UNIT);
    assert_true(edge(graph, "a.nw", "b.nw")->beside);
    assert_true(edge(graph, "a.nw", "c.nw")->beside);
    assert_false(edge(graph, "d.nw", "b.nw")->beside);
    /* no two overlap, all are inside */
    const lvl_graph_node *nodes = lvl_graph_nodes(graph, &count);
    lvl_graph_size(graph, &width, &height);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(nodes[i].x >= 0 && nodes[i].y >= 0 && nodes[i].x + LVL_GRAPH_UNIT <= width &&
                    nodes[i].y + LVL_GRAPH_UNIT <= height);
        for (uint32_t k = 0; k < i; k++)
            assert_true(abs(nodes[i].x - nodes[k].x) >= LVL_GRAPH_UNIT ||
                        abs(nodes[i].y - nodes[k].y) >= LVL_GRAPH_UNIT);
    }
    lvl_graph_free(graph);
}

static void test_order(void **state)
{
    lvl_graph *one = make(false), *other = make(true);
    lvl_buffer a = {0}, b = {0};
    uint32_t count, again;

    (void)state;
    assert_int_equal(lvl_graph_dot(one, &a), LVL_OK);
    assert_int_equal(lvl_graph_dot(other, &b), LVL_OK);
    assert_int_equal(a.len, b.len);
    assert_memory_equal(a.data, b.data, a.len);
    const lvl_graph_node *p = lvl_graph_nodes(one, &count), *q = lvl_graph_nodes(other, &again);
    assert_int_equal(count, again);
    for (uint32_t i = 0; i < count; i++)
        assert_true(p[i].x == q[i].x && p[i].y == q[i].y && p[i].file == q[i].file);
    lvl_buffer_free(&a);
    lvl_buffer_free(&b);
    lvl_graph_free(one);
    lvl_graph_free(other);
}

static void test_dot(void **state)
{
    static const char *const lines[] = {
        "digraph levels {\n",
        "    \"Gone.nw\" [style=dashed, color=gray50, fontcolor=gray40];\n",
        "    \"e.nw\";\n",
        "    \"a.nw\" -> \"b.nw\" [dir=both, label=\"1+1\", penwidth=2];\n",
        "    \"a.nw\" -> \"c.nw\" [label=\"1\", color=orangered, penwidth=2];\n",
        "    \"b.nw\" -> \"Gone.nw\" [label=\"2\", color=orangered];\n",
    };
    lvl_graph *graph = make(false);
    lvl_buffer out = {0};

    (void)state;
    assert_int_equal(lvl_graph_dot(graph, &out), LVL_OK);
    lvl_buffer_u8(&out, 0);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (!strstr((const char *)out.data, lines[i]))
            print_message("%s", (const char *)out.data);
        lvl_expect_in(out.data, lines[i]);
    }
    lvl_expect_not_in(out.data, "\"b.nw\" -> \"a.nw\"");
    lvl_buffer_free(&out);
    lvl_graph_free(graph);
}

/* A map places levels side by side, also across empty cells, and has priority over links. */
static void test_map(void **state)
{
    static const file files[] = {
        {"a.nw", "GLEVNW01\nLINK b.nw 63 0 1 64 0 playery\n"},
        {"b.nw", "GLEVNW01\nLINK a.nw 0 0 1 64 61 playery\n"},
        {"w.gmap", "GRMAP001\nWIDTH 3\nHEIGHT 1\nLEVELNAMES\n\"b.nw\",\"\",\"a.nw\"\nLEVELNAMESEND\n"},
    };
    lvl_graph *graph = lvl_graph_new(&ctx);
    uint32_t count;

    (void)state;
    for (size_t i = 0; i < 3; i++)
        add(graph, &files[i], i);
    assert_int_equal(lvl_graph_finish(graph), LVL_OK);
    lvl_graph_nodes(graph, &count);
    assert_int_equal(count, 2); /* the map is none */
    assert_int_equal(node(graph, "a.nw")->x - node(graph, "b.nw")->x, 2 * LVL_GRAPH_UNIT);
    assert_false(edge(graph, "a.nw", "b.nw")->beside);
    lvl_graph_free(graph);
}

static const lvl_image *small(void *user, size_t number)
{
    return number == 0 ? user : NULL;
}

static lvl_status count_bytes(lvl_writer *writer, const void *data, size_t len)
{
    (void)writer;
    (void)data;
    return len ? LVL_OK : LVL_ERR_ARG;
}

typedef struct rows_seen {
    lvl_rows rows;
    lvl_picture picture;
    uint32_t y;
    uint8_t corner[3]; /* of level a, in the middle of it */
    uint32_t at_x, at_y;
} rows_seen;

static lvl_status see_begin(lvl_rows *rows, const lvl_picture *picture)
{
    ((rows_seen *)rows)->picture = *picture;
    return LVL_OK;
}

static lvl_status see_rows(lvl_rows *rows, const uint8_t *pixels, uint32_t count)
{
    rows_seen *s = (rows_seen *)rows;

    if (s->at_y >= s->y && s->at_y < s->y + count)
        memcpy(s->corner, pixels + ((size_t)(s->at_y - s->y) * s->picture.width + s->at_x) * 3, 3);
    s->y += count;
    return LVL_OK;
}

static lvl_status see_end(lvl_rows *rows)
{
    (void)rows;
    return LVL_OK;
}

static void test_picture(void **state)
{
    lvl_graph *graph = make(false), *empty = lvl_graph_new(&ctx);
    uint8_t pixels[32 * 32 * 4];
    lvl_image image = {.format = LVL_PIXELS_RGBA8, .width = 32, .height = 32, .pixels = pixels};
    lvl_graph_picture options = {.size = 32, .level = small, .user = &image, .band_bytes = 1};
    rows_seen seen = {.rows = {see_begin, see_rows, see_end}};
    lvl_writer writer = {count_bytes};
    int32_t width, height;

    (void)state;
    memset(pixels, 200, sizeof pixels);
    for (size_t i = 3; i < sizeof pixels; i += 4)
        pixels[i] = 255;
    lvl_graph_size(graph, &width, &height);
    seen.at_x = (uint32_t)(8 + node(graph, "a.nw")->x * 2 + 10);
    seen.at_y = (uint32_t)(8 + node(graph, "a.nw")->y * 2 + 10);
    assert_int_equal(lvl_render_graph(graph, &options, &seen.rows), LVL_OK);
    assert_int_equal(seen.picture.width, width * 2 + 16);
    assert_int_equal(seen.picture.height, height * 2 + 16);
    assert_int_equal(seen.y, seen.picture.height);
    assert_int_equal(seen.corner[0], 200);
    assert_int_equal(lvl_render_graph_png(graph, NULL, &writer), LVL_OK);
    options.size = 100000;
    assert_int_equal(lvl_render_graph_png(graph, &options, &writer), LVL_ERR_LIMIT);
    assert_int_equal(lvl_graph_finish(empty), LVL_OK);
    assert_int_equal(lvl_render_graph_png(empty, NULL, &writer), LVL_ERR_ARG);
    lvl_graph_free(empty);
    lvl_graph_free(graph);
}

typedef struct hasher {
    lvl_writer writer;
    uint64_t hash;
} hasher;

static lvl_status hash_bytes(lvl_writer *writer, const void *data, size_t len)
{
    hasher *h = (hasher *)writer;
    const uint8_t *p = data;

    while (len--)
        h->hash = (h->hash ^ *p++) * 1099511628211u;
    return LVL_OK;
}

static uint64_t picture_of_name(const char *name, uint32_t size)
{
    hasher h = {.writer = {hash_bytes}, .hash = 14695981039346656037u};
    lvl_graph *graph = lvl_graph_new(&ctx);
    const file f = {name, "GLEVNW01\n"};
    const lvl_graph_picture options = {.size = size};

    add(graph, &f, 0);
    assert_int_equal(lvl_graph_finish(graph), LVL_OK);
    assert_int_equal(lvl_render_graph_png(graph, &options, &h.writer), LVL_OK);
    lvl_graph_free(graph);
    return h.hash;
}

/* A name that is longer than any room for it still ends where it ends. */
static void test_longest_name(void **state)
{
    char first[400], second[400];

    (void)state;
    memset(first, 'n', sizeof first);
    first[sizeof first - 1] = '\0';
    memcpy(second, first, sizeof first);
    second[sizeof second - 2] = 'o';
    assert_true(picture_of_name(first, 512) != picture_of_name(second, 512));
    second[sizeof second - 2] = 'n';
    second[0] = 'o';
    assert_true(picture_of_name(first, 512) != picture_of_name(second, 512));
}

/* A name breaks behind a separator, not inside of its ending: as if blanks filled the line. */
static void test_broken_names(void **state)
{
    (void)state;
    assert_true(picture_of_name("frost_pass.graal", 96) == picture_of_name("frost_pass     .graal", 96));
}

/* A long name shows both its ends. */
static void test_long_names(void **state)
{
    static const char *const names[][3] = {
        {"a_level_of_the_east.nw", "b_level_of_the_east.nw", "a_level_of_the_easz.nw"},
        {"aquarium_of_the_old_castle_in_the_far_east_of_the_world_no_0123.nw",
         "bquarium_of_the_old_castle_in_the_far_east_of_the_world_no_0123.nw",
         "aquarium_of_the_old_castle_in_the_far_east_of_the_world_no_0124.nw"},
    };

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        for (uint32_t size = 32; size <= 128; size *= 2) {
            const uint64_t hash = picture_of_name(names[i][0], size);
            assert_true(hash == picture_of_name(names[i][0], size));
            assert_true(hash != picture_of_name(names[i][1], size));
            assert_true(hash != picture_of_name(names[i][2], size));
        }
    }
}

/* A level with thousands of links, and unusual names. */
static void test_large(void **state)
{
    lvl_graph *graph = lvl_graph_new(&ctx);
    lvl_buffer text = {0}, dot = {0};
    uint32_t count;

    (void)state;
    lvl_buffer_str(&text, "GLEVNW01\n");
    for (int i = 0; i < 20000; i++)
        lvl_buffer_printf(&text, "LINK ../x\"%d.nw 63 0 1 64 0 playery\n", i);
    lvl_buffer_u8(&text, 0);
    const file f = {"a.nw", (const char *)text.data};
    add(graph, &f, 0);
    assert_int_equal(lvl_graph_finish(graph), LVL_OK);
    lvl_graph_nodes(graph, &count);
    assert_int_equal(count, 20001);
    assert_int_equal(lvl_graph_dot(graph, &dot), LVL_OK);
    lvl_buffer_u8(&dot, 0);
    lvl_expect_in(dot.data, "\"a.nw\" -> \"x\\\"7.nw\"");
    lvl_buffer_free(&dot);
    lvl_buffer_free(&text);
    lvl_graph_free(graph);
}

/* The links of all real levels: joined in no time, no level over another. */
static void test_corpus(void **state)
{
    const char *dir = lvl_corpus_dir();
    lvl_graph *graph = lvl_graph_new(&ctx);
    uint32_t count, edges, beside = 0, missing = 0;
    char path[600];
    lvl_paths paths;

    (void)state;
    if (!dir) {
        lvl_graph_free(graph);
        skip();
    }
    snprintf(path, sizeof path, "%s/graal", dir);
    assert_true(lvl_paths_below(&paths, path, "nw graal zelda gmap"));
    for (size_t i = 0; i < paths.count; i++) {
        size_t len;
        lvl_doc *doc = NULL;
        uint8_t *bytes = lvl_slurp(paths.items[i], &len);
        /* names begin with a hash in the corpus */
        const char *name = strchr(lvl_path_name(paths.items[i]), '_');
        if (name &&
            lvl_read(&doc, &ctx, NULL, (lvl_bytes){bytes, len}, name + 1, LVL_READ_BORROW, NULL) == LVL_OK)
            assert_int_equal(lvl_graph_add(graph, i, name + 1, doc), LVL_OK);
        lvl_doc_free(doc);
        free(bytes);
    }
    assert_int_equal(lvl_graph_finish(graph), LVL_OK);
    const lvl_graph_node *nodes = lvl_graph_nodes(graph, &count);
    const lvl_graph_edge *e = lvl_graph_edges(graph, &edges);
    for (uint32_t i = 0; i < edges; i++)
        beside += e[i].beside;
    for (uint32_t i = 0; i < count; i++) {
        missing += nodes[i].file == LVL_GRAPH_NO_FILE;
        for (uint32_t k = 0; k < i; k++)
            assert_true(abs(nodes[i].x - nodes[k].x) >= LVL_GRAPH_UNIT ||
                        abs(nodes[i].y - nodes[k].y) >= LVL_GRAPH_UNIT);
    }
    print_message("%u levels, %u of them missing, %u ways, %u of them to the level beside\n", count, missing,
                  edges, beside);
    lvl_paths_free(&paths);
    lvl_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_join),   cmocka_unit_test(test_layout),       cmocka_unit_test(test_order),
        cmocka_unit_test(test_dot),    cmocka_unit_test(test_map),          cmocka_unit_test(test_picture),
        cmocka_unit_test(test_large),  cmocka_unit_test(test_broken_names), cmocka_unit_test(test_long_names),
        cmocka_unit_test(test_corpus), cmocka_unit_test(test_longest_name),
    };
    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
