/*
 * Hostile world maps and tile definitions; see support/hostile.h.
 */
#include "gmap_seeds.h"
#include "hostile.h"
#include "starve.h"
#include "world_make.h"

#include "tools/world/graph.h"

#include <lvl/scene.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void treat(int seed)
{
    const lvl_hostile hostile = {
        .name = lvl_gmap_seed_name(seed), .format = lvl_format_find("gmap"), .sample = lvl_gmap_seed(seed)};

    /* whatever it is, it is written back bit for bit */
    assert_true(lvl_hostile_stands(&hostile, 1000));
}

static void plain(void **state)
{
    (void)state;
    treat(LVL_GMAP_SEED_PLAIN);
}

static void bigmap(void **state)
{
    (void)state;
    treat(LVL_GMAP_SEED_BIGMAP);
}

static void full(void **state)
{
    (void)state;
    treat(LVL_GMAP_SEED_FULL);
}

static void odd(void **state)
{
    (void)state;
    treat(LVL_GMAP_SEED_ODD);
}

/* The small formats of lines. */
static void lists(void **state)
{
    static const struct {
        const char *format, *text;
    } all[] = {
        {"tiledefs", "pics4.png,,0,0,0\r\npics4_winter.png,snow_,2,0,0\r\nice.png,snow_7.nw,4,64,-400\r\n"},
        {"tiledefs",
         "\n a.png , b c ,1, 2 ,3\n\nx.png,,4\n#comment\n,foo,0,0,0\nq.png,lev,12,1.5,99999999999,5\na.png"},
        {"serveroptions",
         "# c\nname = A = b\nunstickmelevel=x.nw\n unstickmex =  3.5 \njaillevels = a b.nw,c.nw\n"
         "gmaps = w\nminimap = w.txt,w.png,1,2\nmaxplayers = 128\n"},
        {"serveroptions", "name=\r\nname\r\nname = twice\r\nstartx = 1x 2\r\nstartlevel = \"q\",,r\r\n"
                          "bigmap = a,b,c,d,e\r\nminimap = ,,\r\n = v\r\nk =\r\n\"row\"\r\nstaffhead = h"},
        {"class", "if (created) {\r\n  setani walk,;\r\n  join door;\r\n  setimg a.png;\r\n}"},
        {"class", "a\r\r\n\"b.nw\n\nsetlevel2 b.nw,\r"},
        {"folderconfig", "# c\nhead    heads/*\nlevel\t*.nw\n\nfoo  x y/* # z\nfile\n\"a\" b\n3 c"},
    };

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(all); i++) {
        const lvl_hostile hostile = {.name = all[i].format,
                                     .format = lvl_format_find(all[i].format),
                                     .sample = {(const uint8_t *)all[i].text, strlen(all[i].text)}};
        assert_true(lvl_hostile_stands(&hostile, 1000));
    }
}

/* A world is read and its scene made while each allocation fails in turn: no crash, no leak, a correct
 * status. */
static lvl_status make_scene(const lvl_ctx *ctx, lvl_bytes bytes, const char *path, size_t *things)
{
    lvl_scene *scene = NULL;
    lvl_doc *doc = NULL;
    lvl_art *art = lvl_art_new(ctx);
    lvl_status status = art ? lvl_art_level(art, path) : LVL_ERR_MEMORY;

    if (status == LVL_OK)
        status = lvl_read(&doc, ctx, NULL, bytes, path, LVL_READ_BORROW, NULL);
    if (status == LVL_OK)
        status = lvl_doc_scene(doc, &(lvl_scene_request){.art = art}, &scene);
    if (status == LVL_OK)
        *things = scene->thing_count;
    lvl_scene_free(scene);
    lvl_doc_free(doc);
    lvl_art_free(art);
    return status;
}

static void memory_failed(void **state)
{
    static const char *const map = "\"a.nw\",\"b.nw\"\n\"c.nw\",\"gone.nw\"\n";
    const lvl_bytes bytes = {(const uint8_t *)map, strlen(map)};
    char folder[500], path[600];
    size_t things = 0, all = 0;
    lvl_ctx ctx;

    (void)state;
    lvl_ctx_init(&ctx);
    assert_true(world_folder(folder, sizeof folder, "hostile-gmap"));
    assert_true(world_make(folder));
    snprintf(path, sizeof path, "%s/map.txt", folder);
    assert_int_equal(make_scene(&ctx, bytes, path, &all), LVL_OK);
    for (uint64_t call = 1; lvl_starve_works(); call++) {
        const uint64_t before = lvl_starve_blocks();
        lvl_starve_from(call, false);
        const lvl_status status = make_scene(&ctx, bytes, path, &things);
        const bool all_calls = lvl_starve_calls() < call;
        lvl_starve_from(0, false);
        assert_int_equal(lvl_starve_blocks(), before);
        assert_true(status == LVL_OK || status == LVL_ERR_MEMORY);
        /* a level that was not read for lack of memory must not count as missing */
        if (status == LVL_OK)
            assert_int_equal(things, all);
        if (all_calls)
            break;
    }
}

/* The same for a graph of three levels and a map. */
static lvl_status make_graph(const lvl_ctx *ctx, uint32_t *edges)
{
    static const char *const files[][2] = {
        {"a.nw", "GLEVNW01\nLINK b.nw 63 0 1 64 0 playery\nLINK c.nw 3 3 1 4 5 5\n"},
        {"b.nw", "GLEVNW01\nLINK a.nw 0 0 1 64 61 playery\n"},
        {"m.txt", "\"a.nw\",\"b.nw\",\"d.nw\"\n"},
    };
    lvl_graph *graph = lvl_graph_new(ctx);
    lvl_status status = graph ? LVL_OK : LVL_ERR_MEMORY;
    lvl_buffer dot = {0};

    for (size_t i = 0; i < 3 && status == LVL_OK; i++) {
        const lvl_bytes bytes = {(const uint8_t *)files[i][1], strlen(files[i][1])};
        lvl_doc *doc = NULL;
        status = lvl_read(&doc, ctx, NULL, bytes, files[i][0], LVL_READ_BORROW, NULL);
        if (status == LVL_OK)
            status = lvl_graph_add(graph, i, files[i][0], doc);
        lvl_doc_free(doc);
    }
    if (status == LVL_OK)
        status = lvl_graph_finish(graph);
    if (status == LVL_OK)
        status = lvl_graph_dot(graph, NULL, &dot);
    if (status == LVL_OK)
        status = lvl_graph_place(graph);
    if (status == LVL_OK)
        lvl_graph_edges(graph, edges);
    lvl_buffer_free(&dot);
    lvl_graph_free(graph);
    return status;
}

static void starved_graph(void **state)
{
    uint32_t edges = 0;
    lvl_ctx ctx;

    (void)state;
    lvl_ctx_init(&ctx);
    assert_int_equal(make_graph(&ctx, &edges), LVL_OK);
    assert_int_equal(edges, 3);
    for (uint64_t call = 1; lvl_starve_works(); call++) {
        const uint64_t before = lvl_starve_blocks();
        lvl_starve_from(call, false);
        const lvl_status status = make_graph(&ctx, &edges);
        const bool all_calls = lvl_starve_calls() < call;
        lvl_starve_from(0, false);
        assert_int_equal(lvl_starve_blocks(), before);
        assert_true(status == LVL_OK || status == LVL_ERR_MEMORY);
        if (status == LVL_OK)
            assert_int_equal(edges, 3);
        if (all_calls)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain),         cmocka_unit_test(bigmap), cmocka_unit_test(full),
        cmocka_unit_test(odd),           cmocka_unit_test(lists),  cmocka_unit_test(memory_failed),
        cmocka_unit_test(starved_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
