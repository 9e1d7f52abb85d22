/*
 * test_graph.c: graphs of levels: joined by names whatever their case and extension, placed edge to edge,
 * independent of the order of adding; as DOT.
 */
#include "expect.h"
#include "corpus.h"
#include "tools/world/graph.h"

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

static void test_placed(void **state)
{
    lvl_graph *graph = make(false);
    const lvl_graph_node *a = node(graph, "a.nw"), *b = node(graph, "b.nw"), *c = node(graph, "c.nw");

    (void)state;
    assert_int_equal(lvl_graph_place(graph), LVL_OK);
    assert_int_equal(a->block, b->block);
    assert_int_equal(a->block, c->block);
    assert_int_equal(b->x - a->x, 1);
    assert_int_equal(b->y, a->y);
    assert_int_equal(c->x, a->x);
    assert_int_equal(c->y - a->y, 1);
    assert_int_not_equal(node(graph, "d.nw")->block, a->block); /* a door joins nothing */
    lvl_graph_free(graph);
}

static void test_order(void **state)
{
    lvl_graph *one = make(false), *other = make(true);
    lvl_buffer a = {0}, b = {0};
    uint32_t count, again;

    (void)state;
    assert_int_equal(lvl_graph_dot(one, NULL, &a), LVL_OK);
    assert_int_equal(lvl_graph_dot(other, NULL, &b), LVL_OK);
    assert_int_equal(a.len, b.len);
    assert_memory_equal(a.data, b.data, a.len);
    assert_int_equal(lvl_graph_place(one), LVL_OK);
    assert_int_equal(lvl_graph_place(other), LVL_OK);
    const lvl_graph_node *p = lvl_graph_nodes(one, &count), *q = lvl_graph_nodes(other, &again);
    assert_int_equal(count, again);
    for (uint32_t i = 0; i < count; i++)
        assert_true(p[i].x == q[i].x && p[i].y == q[i].y && p[i].block == q[i].block &&
                    p[i].file == q[i].file);
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
    assert_int_equal(lvl_graph_dot(graph, NULL, &out), LVL_OK);
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

/* A map is no level, and what it names are levels; of two links that would put levels on each other, the one
 * in both directions is used. */
static void test_map(void **state)
{
    static const file files[] = {
        {"a.nw", "GLEVNW01\nLINK c.nw 63 0 1 64 0 playery\nLINK b.nw 63 0 1 64 0 playery\n"},
        {"b.nw", "GLEVNW01\nLINK a.nw 0 0 1 64 61 playery\n"},
        {"c.nw", "GLEVNW01\n"},
        {"w.gmap", "GRMAP001\nWIDTH 3\nHEIGHT 1\nLEVELNAMES\n\"b.nw\",\"gone.nw\",\"a.nw\"\nLEVELNAMESEND\n"},
    };
    lvl_graph *graph = lvl_graph_new(&ctx);
    uint32_t count;

    (void)state;
    for (size_t i = 0; i < 4; i++)
        add(graph, &files[i], i);
    assert_int_equal(lvl_graph_finish(graph), LVL_OK);
    assert_int_equal(lvl_graph_place(graph), LVL_OK);
    lvl_graph_nodes(graph, &count);
    assert_int_equal(count, 4);
    assert_int_equal(node(graph, "gone.nw")->file, LVL_GRAPH_NO_FILE);
    assert_int_equal(node(graph, "b.nw")->x - node(graph, "a.nw")->x, 1);
    assert_int_equal(node(graph, "a.nw")->block, node(graph, "b.nw")->block);
    assert_int_not_equal(node(graph, "c.nw")->block, node(graph, "a.nw")->block);
    lvl_graph_free(graph);
}

/* Pictures stand above the names; no name is markup, a reference or an end of a string. */
static void test_pictures(void **state)
{
    static const file files[] = {
        {"-T\"x<b>.nw", "GLEVNW01\nLINK a&lt;b.nw 1 1 2 2 30 30\nLINK c\\\x01\"d.nw 1 1 2 2 30 30\n"},
        {"a&lt;b.nw", "GLEVNW01\n"},
    };
    static const char *const lines[] = {
        "    \"-T\\\"x<b>.nw\" [margin=0, label=<<TABLE ",
        ("<TD FIXEDSIZE=\"TRUE\" WIDTH=\"72\" HEIGHT=\"24\"><IMG SCALE=\"TRUE\" "
         "SRC=\"x&quot;&lt;/1.png\"/></TD>"),
        "<TD CELLPADDING=\"3\">-T&quot;x&lt;b&gt;.nw</TD></TR></TABLE>>];\n",
        "    \"a&lt;b.nw\" [label=<a&amp;lt;b.nw>];\n",
        "    \"\\\\x01\\\"d.nw\" [style=dashed",
        "    \"-T\\\"x<b>.nw\" -> \"a&lt;b.nw\" [",
    };
    char path[] = "x\"</1.png";
    const lvl_graph_picture pictures[] = {{path, 96, 32}, {0}};
    lvl_graph *graph = lvl_graph_new(&ctx);
    lvl_buffer out = {0};

    (void)state;
    for (size_t i = 0; i < 2; i++)
        add(graph, &files[i], i);
    assert_int_equal(lvl_graph_finish(graph), LVL_OK);
    assert_int_equal(lvl_graph_dot(graph, pictures, &out), LVL_OK);
    lvl_buffer_u8(&out, 0);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (!strstr((const char *)out.data, lines[i]))
            print_message("%s", (const char *)out.data);
        lvl_expect_in(out.data, lines[i]);
    }
    lvl_buffer_free(&out);
    lvl_graph_free(graph);
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
    assert_int_equal(lvl_graph_dot(graph, NULL, &dot), LVL_OK);
    lvl_buffer_u8(&dot, 0);
    lvl_expect_in(dot.data, "\"a.nw\" -> \"x\\\"7.nw\"");
    lvl_buffer_free(&dot);
    lvl_buffer_free(&text);
    lvl_graph_free(graph);
}

static int by_place(const void *a, const void *b)
{
    const lvl_graph_node *p = a, *q = b;

    if (p->block != q->block)
        return p->block < q->block ? -1 : 1;
    return p->y != q->y ? (p->y > q->y) - (p->y < q->y) : (p->x > q->x) - (p->x < q->x);
}

/* The links of all real levels: no level is placed on another. */
static void test_corpus(void **state)
{
    const char *dir = lvl_corpus_dir();
    lvl_graph *graph = lvl_graph_new(&ctx);
    uint32_t count, edges, placed = 0, missing = 0;
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
    assert_int_equal(lvl_graph_place(graph), LVL_OK);
    const lvl_graph_node *nodes = lvl_graph_nodes(graph, &count);
    lvl_graph_edges(graph, &edges);
    lvl_graph_node *sorted = malloc(count * sizeof *sorted);
    assert_non_null(sorted);
    memcpy(sorted, nodes, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_place);
    for (uint32_t i = 0; i < count; i++) {
        missing += nodes[i].file == LVL_GRAPH_NO_FILE;
        placed += i && sorted[i].block == sorted[i - 1].block;
        assert_false(i && by_place(&sorted[i - 1], &sorted[i]) == 0);
    }
    free(sorted);
    assert_true(placed > count / 10);
    print_message("%u levels, %u of them missing, %u ways, %u levels placed beside another\n", count, missing,
                  edges, placed);
    lvl_paths_free(&paths);
    lvl_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_join),  cmocka_unit_test(test_placed), cmocka_unit_test(test_order),
        cmocka_unit_test(test_dot),   cmocka_unit_test(test_map),    cmocka_unit_test(test_pictures),
        cmocka_unit_test(test_large), cmocka_unit_test(test_corpus),
    };
    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
