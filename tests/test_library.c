/*
 * What a program of somebody else does with the public API alone: archives by path, a tile, pictures as
 * files, saves that verify and that hide no damage, errno.
 */
#include <lvl/lvl.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;
static const char made[] = "test_library.made";

static const char *sample(const char *name)
{
    static char path[4][1000];
    static int turn;
    const char *folder = getenv("LVL_SAMPLES");

    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder ? folder : "samples", name);
    return path[turn];
}

static void slurp(const char *path, lvl_buffer *out)
{
    uint8_t block[4096];
    size_t n;
    FILE *in = fopen(path, "rb");

    assert_non_null(in);
    while ((n = fread(block, 1, sizeof block, in)) > 0)
        lvl_buffer_add(out, block, n);
    fclose(in);
}

/* How many files of a container are documents. */
static size_t levels_in(const lvl_container *box)
{
    lvl_buffer storage = {0};
    size_t found = 0;

    for (size_t i = 0; i < lvl_container_count(box); i++) {
        const lvl_entry *entry = lvl_container_at(box, i);
        lvl_doc *doc = NULL;
        lvl_bytes bytes;
        if (entry->is_dir)
            continue;
        assert_int_equal(lvl_container_read(box, entry, &bytes, &storage, NULL), LVL_OK);
        found += lvl_read(&doc, &ctx, NULL, bytes, entry->path, 0, NULL) == LVL_OK;
        lvl_doc_free(doc);
    }
    lvl_buffer_free(&storage);
    return found;
}

static void test_archives(void **state)
{
    lvl_container *box, *again;
    lvl_buffer pack = {0};

    (void)state;
    assert_int_equal(lvl_container_load(&box, &ctx, sample("sketchy/walk.levelpack"), NULL), LVL_OK);
    const size_t levels = levels_in(box);
    assert_true(levels >= 2);
    assert_non_null(lvl_container_doc(box));
    /* put into it, saved, and opened again */
    const lvl_entry *entry = lvl_container_find(box, "levels/hill.level");
    lvl_buffer storage = {0};
    lvl_bytes bytes;
    assert_non_null(entry);
    assert_int_equal(lvl_container_read(box, entry, &bytes, &storage, NULL), LVL_OK);
    assert_int_equal(lvl_container_put(box, "levels/copy.level", bytes, 0), LVL_OK);
    assert_int_equal(lvl_save(lvl_container_doc(box), made, NULL), LVL_OK);
    assert_int_equal(lvl_container_load(&again, &ctx, made, NULL), LVL_OK);
    assert_int_equal(levels_in(again), levels + 1);
    lvl_container_close(again);
    lvl_container_close(box);
    lvl_buffer_free(&storage);
    /* from memory */
    slurp(sample("sketchy/walk.levelpack"), &pack);
    assert_int_equal(lvl_container_from(&box, &ctx, (lvl_bytes){pack.data, pack.len}, "x", NULL), LVL_OK);
    assert_int_equal(levels_in(box), levels);
    lvl_container_close(box);
    assert_int_equal(lvl_container_from(&box, &ctx, (lvl_bytes){pack.data, 0}, NULL, NULL),
                     LVL_ERR_UNSUPPORTED);
    assert_null(box);
    lvl_buffer_free(&pack);
    /* a folder, which has no document; an archive in it, by one path */
    assert_int_equal(lvl_container_load(&box, &ctx, sample("sketchy"), NULL), LVL_OK);
    assert_null(lvl_container_doc(box));
    assert_non_null(lvl_container_find(box, "walk.levelpack"));
    lvl_container_close(box);
    char inner[1000];
    snprintf(inner, sizeof inner, "%s//levels/hill.level", sample("sketchy/walk.levelpack"));
    assert_int_equal(lvl_container_load(&box, &ctx, inner, NULL), LVL_OK); /* a level holds files, too */
    lvl_container_close(box);
    snprintf(inner, sizeof inner, "%s//levels/none.level", sample("sketchy/walk.levelpack"));
    assert_int_equal(lvl_container_load(&box, &ctx, inner, NULL), LVL_ERR_MISSING);
    assert_null(box);
    snprintf(inner, sizeof inner, "%s//levels", sample("sketchy/walk.levelpack"));
    assert_int_equal(lvl_container_load(&box, &ctx, inner, NULL), LVL_ERR_UNSUPPORTED);
    errno = 0;
    assert_int_equal(lvl_container_load(&box, &ctx, "no-such-file", NULL), LVL_ERR_MISSING);
    assert_int_equal(errno, ENOENT);
    errno = ENOENT;
    assert_int_equal(lvl_container_load(&box, &ctx, sample("wwd/cliffs.wwd"), NULL), LVL_ERR_UNSUPPORTED);
    assert_int_equal(errno, 0);
    remove(made);
}

static void test_a_tile(void **state)
{
    lvl_doc *doc, *again;

    (void)state;
    assert_int_equal(lvl_load(&doc, &ctx, sample("wwd/cliffs.wwd"), NULL), LVL_OK);
    lvl_wwd *wwd = lvl_wwd_of(doc);
    lvl_wwd_plane *plane = &wwd->planes[wwd->plane_count - 1], *first = &wwd->planes[0];
    const lvl_field *tiles = LVL_FIELD(lvl_wwd_plane, tiles);
    const uint32_t width = plane->tiles.width, height = plane->tiles.height;
    assert_int_equal(lvl_set_cell(doc, plane, tiles, 1, 2, 7), LVL_OK);
    const uint8_t *grid = plane->tiles.ptr;
    assert_int_equal(lvl_set_cell(doc, first, tiles, 0, 0, 5), LVL_OK);
    assert_int_equal(lvl_set_cell(doc, plane, tiles, width - 1, height - 1, 9), LVL_OK);
    assert_ptr_equal(plane->tiles.ptr, grid); /* copied once, also after a cell of another grid */
    assert_int_equal(lvl_set_cell(doc, plane, tiles, width, 0, 1), LVL_ERR_ARG);
    assert_int_equal(lvl_set_cell(doc, plane, tiles, 0, height, 1), LVL_ERR_ARG);
    assert_int_equal(lvl_set_cell(doc, plane, LVL_FIELD(lvl_wwd_plane, name), 0, 0, 1), LVL_ERR_ARG);
    assert_int_equal(lvl_save(doc, made, NULL), LVL_OK);
    assert_int_equal(lvl_load(&again, &ctx, made, NULL), LVL_OK);
    const lvl_cells *cells = &lvl_wwd_of(again)->planes[wwd->plane_count - 1].tiles;
    assert_int_equal(lvl_cell(cells, 1, 2), 7);
    assert_int_equal(lvl_cell(cells, width - 1, height - 1), 9);
    lvl_doc_free(again);
    lvl_doc_free(doc);
    /* cells of one byte */
    assert_int_equal(lvl_load(&doc, &ctx, sample("graal/lakeside/lake_mill.nw"), NULL), LVL_OK);
    lvl_graal *graal = lvl_graal_of(doc);
    const lvl_field *board = lvl_table_find(lvl_doc_format(doc)->table, lvl_text_of("layers"))->table->fields;
    while (board->kind != LVL_CELLS)
        board++;
    void *layer = (void *)(uintptr_t)lvl_list_item(
        graal, lvl_table_find(lvl_doc_format(doc)->table, lvl_text_of("layers")), 0);
    const uint32_t size = lvl_get_cells(layer, board)->size;
    if (size < 4)
        assert_int_equal(lvl_set_cell(doc, layer, board, 0, 0, (uint32_t)1 << 8 * size), LVL_ERR_ARG);
    assert_int_equal(lvl_set_cell(doc, layer, board, 63, 63, 0x7f), LVL_OK);
    assert_int_equal(lvl_cell(lvl_get_cells(layer, board), 63, 63), 0x7f);
    lvl_doc_free(doc);
    remove(made);
}

/* A document is saved over the file that it was loaded from only if nobody has changed that meanwhile. */
static void test_saved_beside_another(void **state)
{
    lvl_findings *findings = lvl_findings_new(&ctx);
    const lvl_save_options options = {.findings = findings};
    lvl_doc *doc, *other;

    (void)state;
    assert_non_null(findings);
    assert_int_equal(lvl_load(&doc, &ctx, sample("wwd/cliffs.wwd"), NULL), LVL_OK);
    assert_int_equal(lvl_save(doc, made, NULL), LVL_OK);
    lvl_doc_free(doc);
    assert_int_equal(lvl_load(&doc, &ctx, made, NULL), LVL_OK);
    assert_int_equal(lvl_load(&other, &ctx, made, NULL), LVL_OK);
    lvl_wwd_of(other)->start_x++;
    assert_int_equal(lvl_save(other, made, NULL), LVL_OK);
    assert_int_equal(lvl_save(other, made, NULL), LVL_OK); /* its own save is no other program's */
    assert_int_equal(lvl_save(doc, made, &options), LVL_ERR_IO);
    assert_int_equal(errno, EBUSY);
    assert_int_equal(lvl_findings_count(findings), 1);
    assert_non_null(strstr(lvl_findings_at(findings, 0)->text, "another program has changed it"));
    lvl_doc_free(doc);
    assert_int_equal(lvl_load(&doc, &ctx, made, NULL), LVL_OK);
    assert_int_equal(lvl_wwd_of(doc)->start_x, lvl_wwd_of(other)->start_x);
    remove(made);
    assert_int_equal(lvl_save(doc, made, NULL), LVL_OK); /* a file that is gone is made again */
    lvl_doc_free(other);
    lvl_doc_free(doc);
    lvl_findings_free(findings);
    remove(made);
}

/* A copy of a grid that is beyond the limit of memory is no lack of memory. */
static void test_a_tile_beyond_a_limit(void **state)
{
    lvl_ctx small = ctx;
    lvl_status status = LVL_ERR_LIMIT;
    lvl_doc *doc = NULL;

    (void)state;
    for (small.limits.memory_bytes = 4096; status != LVL_OK; small.limits.memory_bytes += 64)
        status = lvl_load(&doc, &small, sample("wwd/cliffs.wwd"), NULL);
    assert_int_equal(status, LVL_OK);
    lvl_wwd *wwd = lvl_wwd_of(doc);
    for (uint32_t i = 0; i < wwd->plane_count && status == LVL_OK; i++)
        status = lvl_set_cell(doc, &wwd->planes[i], LVL_FIELD(lvl_wwd_plane, tiles), 0, 0, 5);
    assert_int_equal(status, LVL_ERR_LIMIT);
    lvl_doc_free(doc);
}

static void test_pictures(void **state)
{
    lvl_render_options options;
    lvl_image image = {0}, again = {0};
    lvl_scene *scene = NULL;
    lvl_buffer file = {0};
    lvl_doc *doc;

    (void)state;
    assert_int_equal(lvl_load(&doc, &ctx, sample("sketchy/hill-v4.level"), NULL), LVL_OK);
    assert_int_equal(lvl_doc_scene(doc, NULL, &scene), LVL_OK);
    lvl_render_options_init(&options);
    assert_int_equal(lvl_render_image(scene, &options, &image), LVL_OK);
    for (int streamed = 0; streamed < 2; streamed++) {
        file.len = 0;
        if (streamed)
            assert_int_equal(lvl_render_save(scene, &options, made), LVL_OK);
        else
            assert_int_equal(lvl_png_save(&ctx, &image, NULL, made), LVL_OK);
        slurp(made, &file);
        assert_int_equal(lvl_picture_read(&ctx, (lvl_bytes){file.data, file.len}, false, &again), LVL_OK);
        assert_int_equal(again.width, image.width);
        assert_int_equal(again.height, image.height);
        for (size_t i = 0; i < (size_t)image.width * image.height; i++) {
            const bool indexed = again.format == LVL_PIXELS_INDEX8;
            const uint8_t *px = indexed ? again.palette->rgb[again.pixels[i]] : again.pixels + 4 * i;
            assert_memory_equal(px, image.pixels + 4 * i, 3);
        }
        lvl_image_clear(&again);
    }
    assert_int_equal(lvl_png_save(&ctx, &image, NULL, "no-such-folder/x.png"), LVL_ERR_MISSING);
    assert_int_equal(errno, ENOENT);
    /* an error leaves the file that was there */
    options.view = LVL_VIEW_LAYER;
    options.layer = 1000;
    errno = ENOENT;
    assert_int_equal(lvl_render_save(scene, &options, made), LVL_ERR_ARG);
    assert_int_equal(errno, 0);
    const size_t len = file.len;
    file.len = 0;
    slurp(made, &file);
    assert_int_equal(file.len, len);
    lvl_image_clear(&image);
    lvl_scene_free(scene);
    lvl_doc_free(doc);
    lvl_buffer_free(&file);
    remove(made);
}

/* A damaged file is not replaced by one that looks whole, unless that is asked for. */
static void test_damage_stays_visible(void **state)
{
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_buffer file = {0};
    lvl_doc *doc;

    (void)state;
    slurp(sample("sketchy/hill-v1.level"), &file);
    FILE *out = fopen(made, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(file.data, 1, file.len / 2, out), file.len / 2);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(lvl_load(&doc, &ctx, made, NULL), LVL_OK);
    assert_true(lvl_doc_cuts(doc) > 0);
    lvl_sketchy_of(doc)->title = lvl_text_of("Half a level");
    errno = ENOENT;
    assert_int_equal(lvl_save(doc, made, &(lvl_save_options){.findings = findings}), LVL_ERR_LOSS);
    assert_int_equal(errno, 0);
    assert_int_equal(lvl_findings_count(findings), 1);
    assert_string_equal(lvl_findings_at(findings, 0)->def->id, "lvl.write.lost");
    lvl_buffer now = {0};
    slurp(made, &now);
    assert_int_equal(now.len, file.len / 2);
    assert_int_equal(lvl_save(doc, "test_library.other", NULL), LVL_OK); /* a new file */
    assert_int_equal(lvl_save(doc, made, &(lvl_save_options){.allow_damaged = true}), LVL_OK);
    lvl_doc_free(doc);
    lvl_findings_free(findings);
    lvl_buffer_free(&file);
    lvl_buffer_free(&now);
    remove(made);
    remove("test_library.other");
}

static void test_reasons(void **state)
{
    lvl_doc *doc;
    FILE *out = fopen(made, "wb");

    (void)state;
    assert_non_null(out);
    fputs("no level", out);
    fclose(out);
    errno = ENOENT;
    assert_int_equal(lvl_load(&doc, &ctx, made, NULL), LVL_ERR_FOREIGN);
    assert_int_equal(errno, 0); /* not "unknown format (No such file or directory)" */
    assert_string_equal(lvl_status_text(LVL_OK), "no error");
    remove(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_archives),
        cmocka_unit_test(test_a_tile),
        cmocka_unit_test(test_a_tile_beyond_a_limit),
        cmocka_unit_test(test_saved_beside_another),
        cmocka_unit_test(test_pictures),
        cmocka_unit_test(test_damage_stays_visible),
        cmocka_unit_test(test_reasons),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
