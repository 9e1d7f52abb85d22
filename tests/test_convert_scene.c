/*
 * A level of one family drawn as a level of another: pixels behave as their cells; starts and exits; losses
 * are reported; limits.
 */
#include "base/format.h"
#include "support/corpus.h"

#include <lvl/render.h>
#include <lvl/sketchy.h>
#include <lvl/tools.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

static lvl_doc *read_sample(const char *name)
{
    char path[600];
    size_t len = 0;
    lvl_doc *doc = NULL;

    snprintf(path, sizeof path, "%s/%s", lvl_samples_dir(), name);
    uint8_t *bytes = lvl_slurp(path, &len);
    assert_non_null(bytes);
    assert_int_equal(lvl_read(&doc, &ctx, NULL, (lvl_bytes){bytes, len}, lvl_path_name(path), 0, NULL),
                     LVL_OK);
    free(bytes);
    return doc;
}

static const lvl_format *sketchy(void)
{
    return lvl_format_find("sketchy");
}

/* The swatch of a px of the level; NULL: nothing is there. */
static const lvl_sketchy_swatch *swatch_at(const lvl_sketchy *d, int64_t x, int64_t y)
{
    const lvl_sketchy_layer *layer = d->layers;

    for (uint32_t i = 0; i < layer->chunk_count; i++) {
        const lvl_sketchy_chunk *c = &layer->chunks[i];
        if (c->x != x / layer->size || c->y != y / layer->size)
            continue;
        const uint32_t index = lvl_cell(&c->pixels, (uint32_t)(x % layer->size), (uint32_t)(y % layer->size));
        assert_true(index == LVL_SKETCHY_NONE || index < d->swatch_count);
        return index == LVL_SKETCHY_NONE ? NULL : &d->swatches[index];
    }
    return NULL;
}

/* Compares the middle of each cell of one kind of behaviour with what the pixel there does; how many cells
 * had which. */
static void compare_cells(const lvl_doc *from, const lvl_art *art, const lvl_sketchy *d, uint32_t down,
                          uint32_t counts[LVL_LOOK_COUNT])
{
    const lvl_scene_request request = {.art = art};
    lvl_scene *scene;

    memset(counts, 0, LVL_LOOK_COUNT * sizeof *counts);
    assert_int_equal(lvl_doc_scene(from, &request, &scene), LVL_OK);
    const lvl_scene_layer *layer = &scene->layers[scene->main_layer];
    for (uint32_t row = 0; row < layer->rows; row++) {
        for (uint32_t column = 0; column < layer->columns; column++) {
            lvl_scene_tile tile;
            uint32_t value;
            layer->cells(layer, column, row, 1, &value);
            layer->tile(layer, value, &tile);
            if (tile.has_inner || tile.mask)
                continue;
            const int64_t x = ((int64_t)column * layer->cell_width + layer->cell_width / 2) / down;
            const int64_t y = ((int64_t)row * layer->cell_height + layer->cell_height / 2) / down;
            const lvl_sketchy_swatch *s = swatch_at(d, x, y);
            const bool solid = tile.look == LVL_LOOK_SOLID || tile.look == LVL_LOOK_LOW;
            if (tile.empty || !s)
                continue;
            counts[tile.look]++;
            assert_int_equal(s->solid, solid);
            assert_int_equal(s->fire, tile.look == LVL_LOOK_DEATH);
            assert_int_equal(s->water, tile.look == LVL_LOOK_WATER);
            assert_int_equal(s->semisolid, false); /* the edges of floors only, which no middle is */
        }
    }
    lvl_scene_free(scene);
}

static uint32_t actors_of(const lvl_sketchy *d, const char *filename)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < d->actor_count; i++)
        n += lvl_text_is(d->actors[i].filename, filename);
    return n;
}

/* The level is sound, and what is written is what was made. */
static void assert_sound(lvl_doc *doc)
{
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_check_result result;
    lvl_buffer file = {0};
    lvl_doc *again = NULL;
    bool different = true;

    assert_int_equal(lvl_doc_write(doc, &file), LVL_OK);
    const lvl_bytes bytes = {file.data, file.len};
    assert_int_equal(lvl_check(&ctx, sketchy(), bytes, "a.level", NULL, findings, &result, &again), LVL_OK);
    assert_int_equal(result.verdict, LVL_SOUND);
    for (size_t i = 0; i < lvl_findings_count(findings); i++) {
        const lvl_finding *f = lvl_findings_at(findings, i);
        /* a level that is seen from above may have no ground below its start */
        assert_true(f->severity <= LVL_NOTE || !strcmp(f->def->id, "sketchy.start.no_floor"));
    }
    assert_int_equal(lvl_doc_open(again), LVL_OK);
    assert_int_equal(lvl_diff(doc, again, NULL, &different, NULL), LVL_OK);
    assert_false(different);
    lvl_doc_free(again);
    lvl_buffer_free(&file);
    lvl_findings_free(findings);
}

static void lost(const lvl_doc *from, const lvl_findings *losses, const char *path, const char *text)
{
    char shown[128];

    (void)from;
    for (size_t i = 0; i < lvl_findings_count(losses); i++) {
        const lvl_finding *f = lvl_findings_at(losses, i);
        lvl_where_text(&f->where, shown, sizeof shown);
        if (strcmp(f->text, text) == 0 && strcmp(shown, path) == 0)
            return;
    }
    fail_msg("no loss `%s' at `%s'", text, path);
}

static void village(void **state)
{
    const lvl_scene_level_options options = {.title = lvl_text_of("Village"), .allow_loss = true};
    lvl_findings *losses = lvl_findings_new(&ctx);
    uint32_t counts[LVL_LOOK_COUNT];
    lvl_doc *from = read_sample("graal/lakeside/lake_village.nw"), *doc = NULL;

    (void)state;
    assert_int_equal(lvl_convert_scene(&doc, from, sketchy(), NULL, losses), LVL_ERR_LOSS);
    assert_null(doc);
    assert_true(lvl_findings_count(losses) > 0);
    lvl_findings_free(losses);
    losses = lvl_findings_new(&ctx);
    assert_int_equal(lvl_convert_scene(&doc, from, sketchy(), &options, losses), LVL_OK);
    const lvl_sketchy *d = lvl_sketchy_cof(doc);
    assert_true(lvl_text_is(d->title, "Village"));
    assert_int_equal(d->bounded_width, 1024);
    assert_int_equal(d->bounded_height, 1024);
    compare_cells(from, NULL, d, 1, counts);
    assert_true(counts[LVL_LOOK_SOLID] > 100);
    assert_true(counts[LVL_LOOK_WATER] > 100);
    assert_true(counts[LVL_LOOK_CLEAR] > 1000);
    /* both links lead out of the level; it has no start, and who flies there is a bird */
    assert_int_equal(actors_of(d, "exit-flag.doodad"), 2);
    assert_int_equal(actors_of(d, "start-flag.doodad"), 1);
    assert_int_equal(actors_of(d, "bird-red.doodad"), 1);
    for (uint32_t i = 0; i < d->actor_count; i++) {
        const lvl_sketchy_actor *a = &d->actors[i];
        assert_true(a->point.x >= 0 && a->point.y >= 0 && a->point.x < 1024 && a->point.y < 1024);
        if (!lvl_text_is(a->filename, "start-flag.doodad"))
            continue;
        assert_int_equal(a->link_count, 1);
        assert_true(lvl_text_equal(a->links[0], d->actors[i + 1].id));
        assert_true(lvl_text_is(d->actors[i + 1].filename, "bird-red.doodad"));
        /* where the bird is nothing blocks */
        const lvl_sketchy_point p = d->actors[i + 1].point;
        for (int64_t y = p.y; y < p.y + 35; y++)
            for (int64_t x = p.x; x < p.x + 46; x++)
                assert_false(swatch_at(d, x, y)->solid);
    }
    lost(from, losses, "links[0]", "lake_meadow.nw: where it leads to is lost: it ends the level");
    lost(from, losses, "signs[0]", "Lakeside#bPlease close the g: it has no counterpart");
    lost(from, losses, "npcs[0]", "well.png: it has no counterpart");
    assert_sound(doc);
    lvl_doc_free(doc);
    lvl_doc_free(from);
    lvl_findings_free(losses);
}

/* Every version of the game's files, and a map of four levels. */
static void other_files(void **state)
{
    static const char *const names[] = {"graal/versions/z3-v1.02.zelda", "graal/versions/gr-v1.05.graal",
                                        "graal/lakeside/lake_shore.nw"};
    const lvl_scene_level_options options = {.allow_loss = true};
    uint32_t counts[LVL_LOOK_COUNT], any = 0;

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        lvl_doc *from = read_sample(names[i]), *doc = NULL;
        assert_int_equal(lvl_convert_scene(&doc, from, sketchy(), &options, NULL), LVL_OK);
        compare_cells(from, NULL, lvl_sketchy_cof(doc), 1, counts);
        any += counts[LVL_LOOK_SOLID] > 0;
        assert_sound(doc);
        lvl_doc_free(doc);
        lvl_doc_free(from);
    }
    assert_true(any > 0);
}

/* From the side, with pictures and without; players are as tall as in the other game. */
static void cliffs(void **state)
{
    lvl_findings *losses = lvl_findings_new(&ctx);
    uint32_t counts[LVL_LOOK_COUNT];
    lvl_doc *from = read_sample("wwd/cliffs.wwd");
    char path[600];

    (void)state;
    snprintf(path, sizeof path, "%s/wwd/cliffs.wwd", lvl_samples_dir());
    for (int pictures = 0; pictures < 2; pictures++) {
        lvl_art *art = pictures ? lvl_art_new(&ctx) : NULL;
        const lvl_scene_level_options options = {
            .art = art, .allow_loss = true, .scale_down = pictures ? 0 : 3};
        lvl_doc *doc = NULL;
        if (art)
            assert_int_equal(lvl_art_level(art, path), LVL_OK);
        assert_int_equal(lvl_convert_scene(&doc, from, sketchy(), &options, losses), LVL_OK);
        const lvl_sketchy *d = lvl_sketchy_cof(doc);
        assert_true(d->swatch_count <= LVL_SKETCHY_COLORS);
        compare_cells(from, art, d, pictures ? 2 : 3, counts);
        assert_true(counts[LVL_LOOK_SOLID] > 100);
        assert_true(counts[LVL_LOOK_DEATH] > 5);
        /* floors that carry from above are there, each no thicker than its edge */
        uint32_t floors = 0;
        for (int64_t x = 0; x < d->bounded_width; x += 7) {
            uint32_t run = 0;
            for (int64_t y = 0; y < d->bounded_height; y++) {
                const lvl_sketchy_swatch *s = swatch_at(d, x, y);
                run = s && s->semisolid ? run + 1 : 0;
                floors += run == 1;
                assert_true(run <= 4);
            }
        }
        assert_true(floors > 20);
        assert_int_equal(actors_of(d, "start-flag.doodad"), 1);
        assert_int_equal(actors_of(d, "checkpoint-flag.doodad"), 2);
        assert_int_equal(actors_of(d, "exit-flag.doodad"), 1);
        for (uint32_t i = 0; i < d->actor_count; i++) {
            /* the player appears on the ground */
            const lvl_sketchy_point p = d->actors[i].point;
            const lvl_sketchy_swatch *s = swatch_at(d, p.x + 48, p.y + 86 + 2);
            if (lvl_text_is(d->actors[i].filename, "start-flag.doodad"))
                assert_true(s && (s->solid || s->semisolid));
        }
        assert_sound(doc);
        lvl_doc_free(doc);
        lvl_art_free(art);
    }
    lost(from, losses, "planes[4].objects[31]", "TreasurePowerup, 28 times: they have no counterpart");
    lost(from, losses, "", "ladders: 9 cells are drawn, but do nothing");
    lost(from, losses, "", "Front: a layer that moves with the camera has no counterpart");
    lvl_findings_free(losses);
    lvl_doc_free(from);
}

static bool has_loss(const lvl_findings *losses, const char *text)
{
    bool has = false;

    for (size_t i = 0; i < lvl_findings_count(losses); i++)
        has = has || strstr(lvl_findings_at(losses, i)->text, text);
    return has;
}

/* How many exits the level has after an edit; the losses are to have the text. */
static void expect_exits(const char *edit, const char *loss, uint32_t exits)
{
    const lvl_scene_level_options options = {.allow_loss = true, .scale_down = 3};
    lvl_findings *losses = lvl_findings_new(&ctx);
    lvl_doc *from = read_sample("wwd/cliffs.wwd"), *doc = NULL;

    assert_int_equal(lvl_set(from, &edit, 1, NULL, NULL), LVL_OK);
    assert_int_equal(lvl_convert_scene(&doc, from, sketchy(), &options, losses), LVL_OK);
    assert_int_equal(actors_of(lvl_sketchy_cof(doc), "exit-flag.doodad"), exits);
    assert_true(has_loss(losses, loss));
    lvl_findings_free(losses);
    lvl_doc_free(from);
    lvl_doc_free(doc);
}

/* A level that cannot be finished, or in which the player falls out of the level, says so. */
static void exits_and_starts(void **state)
{
    (void)state;
    expect_exits("planes[\"Action\"].objects[logic=EndOfLevelPowerup].logic=TreasurePowerup",
                 "the level has no exit", 0);
    expect_exits("planes[\"Action\"].objects[logic=EndOfLevelPowerup].logic=Marrow",
                 "the level ends with its boss", 1);
    expect_exits("start_x=-500", "has no ground below it", 1);
}

/* What is no level of another family, and what is too large. */
static void refused(void **state)
{
    static const char *const names[] = {"sketchy/hill-v4.level", "graal/ganis/hero_walk.gani"};
    const lvl_scene_level_options options = {.allow_loss = true};
    lvl_doc *doc = NULL;

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        lvl_doc *from = read_sample(names[i]);
        assert_int_equal(lvl_convert_scene(&doc, from, sketchy(), &options, NULL), LVL_ERR_UNSUPPORTED);
        assert_null(doc);
        lvl_doc_free(from);
    }
    lvl_doc *from = read_sample("wwd/cliffs.wwd");
    assert_int_equal(lvl_convert_scene(&doc, from, lvl_format_find("nw"), &options, NULL),
                     LVL_ERR_UNSUPPORTED);
    const lvl_limits limits = ctx.limits;
    ctx.limits.work = 1000000;
    assert_int_equal(lvl_convert_scene(&doc, from, sketchy(), &options, NULL), LVL_ERR_LIMIT);
    assert_null(doc);
    ctx.limits = limits;
    ctx.limits.memory_bytes = 4 << 20;
    assert_int_equal(lvl_convert_scene(&doc, from, sketchy(), &options, NULL), LVL_ERR_LIMIT);
    assert_null(doc);
    ctx.limits = limits;
    lvl_doc_free(from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(village),          cmocka_unit_test(other_files), cmocka_unit_test(cliffs),
        cmocka_unit_test(exits_and_starts), cmocka_unit_test(refused),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
