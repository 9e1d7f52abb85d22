/*
 * Conversion of Graal levels between their forms: everything that the target can represent is converted,
 * every loss is reported with its place, and converting real levels there and back gives the same level or
 * had losses.
 */
#include "base/format.h"
#include "corpus.h"
#include "level_make.h"
#include "graal/level/graal_names.h"

#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

static const char *const forms[] = {"z3-v1.02", "z3-v1.03", "z3-v1.04", "gr-v1.00", "gr-v1.01",
                                    "gr-v1.02", "gr-v1.03", "gr-v1.04", "gr-v1.05", "nw"};

static void print_losses(const lvl_findings *losses)
{
    for (size_t i = 0; i < lvl_findings_count(losses); i++) {
        const lvl_finding *f = lvl_findings_at(losses, i);
        char path[200];
        lvl_where_text(&f->where, path, sizeof path);
        fprintf(stderr, "  %s: %s (%s)\n", f->def->id, f->text, path);
    }
}

/* Converts, expecting that number of losses with that id and `all` in total; the caller frees the result. */
static lvl_doc *convert(const lvl_doc *doc, const char *form, const char *id, size_t count, size_t all)
{
    lvl_findings *losses = lvl_findings_new(&ctx);
    lvl_doc *made = NULL, *refused = NULL;

    assert_non_null(losses);
    assert_int_equal(lvl_convert(doc, form, true, losses, &made), LVL_OK);
    if (lvl_count_of(losses, id) != count || lvl_findings_count(losses) != all)
        print_losses(losses);
    assert_int_equal(lvl_count_of(losses, id), count);
    assert_int_equal(lvl_findings_count(losses), all);
    lvl_findings_clear(losses);
    assert_int_equal(lvl_convert(doc, form, false, losses, &refused), all ? LVL_ERR_LOSS : LVL_OK);
    lvl_doc_free(refused);
    lvl_findings_free(losses);
    return made;
}

static const lvl_graal *level_of(const lvl_doc *doc)
{
    return lvl_doc_croot(doc);
}

/* Everything that every form can represent is converted to each form and back without a change. */
static void plain(void **state)
{
    (void)state;
    for (unsigned from = LVL_Z3_V1_02; from < LVL_GRAAL_VERSIONS; from++) {
        lvl_doc *doc = lvl_make_level(&ctx, (lvl_graal_version)from, 1023);
        lvl_make_tile(doc, 3, 4, 5);
        lvl_make_link(doc, "a.nw", 1, 2, 3, 4, "30", "30.5");
        lvl_make_link(doc, "b.nw", 1, 2, 3, 4, from < LVL_GR_V1_03 ? "-1" : "playerx",
                      from < LVL_GR_V1_03 ? "-1" : "playery");
        lvl_make_baddy(doc, 10, 12, 3, "", "", "");
        lvl_make_sign(doc, 0, 0, "Hello #h\n#4 you!\n");
        lvl_make_sign(doc, 0, 0, "");
        for (size_t i = 0; i < LVL_COUNT_OF(forms); i++) {
            lvl_doc *there = convert(doc, forms[i], "", 0, 0);
            const lvl_graal *g = level_of(there);
            assert_int_equal(g->version, i);
            assert_int_equal(lvl_cell(&g->layers[0].tiles, 3, 4), 5);
            assert_true(lvl_text_is(g->links[1].dest_x, i < LVL_GR_V1_03 ? "-1" : "playerx"));
            assert_true(lvl_text_is(g->links[1].dest_y, i < LVL_GR_V1_03 ? "-1" : "playery"));
            assert_true(lvl_text_is(g->links[0].dest_y, "30.5"));
            lvl_doc *back = convert(there, forms[from], "", 0, 0);
            assert_true(lvl_record_equal(lvl_doc_croot(doc), lvl_doc_croot(back), &lvl_graal_table));
            lvl_doc_free(back);
            lvl_doc_free(there);
        }
        lvl_doc_free(doc);
    }
}

static void report_loss(lvl_doc *doc, const char *form, const char *id, size_t count)
{
    lvl_doc_free(convert(doc, form, id, count, count));
    lvl_doc_free(doc);
}

static void tiles(void **state)
{
    (void)state;
    lvl_doc *doc = lvl_make_level(&ctx, LVL_GR_V1_03, 0);
    lvl_make_tile(doc, 7, 5, 2048);
    lvl_make_tile(doc, 8, 5, 4095);
    lvl_doc *made = convert(doc, "gr-v1.01", "graal.loss.tile", 1, 1);
    assert_int_equal(lvl_cell(&level_of(made)->layers[0].tiles, 7, 5), 0);
    lvl_doc_free(made);
    made = convert(doc, "nw", "", 0, 0);
    assert_int_equal(lvl_cell(&level_of(made)->layers[0].tiles, 8, 5), 4095);
    lvl_doc_free(made);
    lvl_doc_free(doc);
    doc = lvl_make_level(&ctx, LVL_GLEVNW01, 7);
    lvl_make_tile(doc, 7, 5, LVL_GRAAL_ABSENT);
    report_loss(doc, "gr-v1.03", "graal.loss.absent", 1);
}

static lvl_graal_layer *add_layer(lvl_doc *doc, uint32_t number, unsigned tile)
{
    lvl_graal *g = lvl_doc_root(doc);
    const uint32_t at = g->layer_count;
    uint8_t *grid = lvl_doc_alloc(doc, 8192);

    assert_non_null(grid);
    assert_int_equal(
        lvl_list_insert(doc, g, lvl_table_at(&lvl_graal_table, offsetof(lvl_graal, layers)), at, 1), LVL_OK);
    memset(grid, 0xFF, 8192);
    grid[0] = (uint8_t)tile;
    grid[1] = (uint8_t)(tile >> 8);
    g->layers[at].number = number;
    g->layers[at].tiles = (lvl_cells){grid, LVL_GRAAL_SIDE, LVL_GRAAL_SIDE, 2};
    return &g->layers[at];
}

static void layers(void **state)
{
    (void)state;
    lvl_doc *doc = lvl_make_level(&ctx, LVL_GLEVNW01, 7);
    add_layer(doc, 2, 9);
    report_loss(convert(doc, "gr-v1.05", "", 0, 0), "gr-v1.04", "graal.loss.layer", 2);
    lvl_doc *made = convert(doc, "gr-v1.05", "", 0, 0);
    assert_int_equal(level_of(made)->layer_count, 3);
    assert_int_equal(lvl_cell(&level_of(made)->layers[1].tiles, 0, 0), 4095);
    assert_int_equal(lvl_cell(&level_of(made)->layers[2].tiles, 0, 0), 9);
    assert_int_equal(lvl_cell(&level_of(made)->layers[2].tiles, 1, 0), 4095);
    lvl_doc *back = convert(made, "nw", "", 0, 0);
    assert_true(lvl_record_equal(lvl_doc_croot(doc), lvl_doc_croot(back), &lvl_graal_table));
    lvl_doc_free(back);
    lvl_doc_free(made);
    report_loss(doc, "gr-v1.03", "graal.loss.layer", 1);
    doc = lvl_make_level(&ctx, LVL_GLEVNW01, 7);
    lvl_make_sign(doc, 1, 1, "up");
    ((lvl_graal *)lvl_doc_root(doc))->signs[0].layer = 1;
    report_loss(doc, "gr-v1.05", "graal.loss.layer", 1);
}

static void heights_and_tilesets(void **state)
{
    (void)state;
    lvl_doc *doc = lvl_make_level(&ctx, LVL_GLEVNW01, 7);
    lvl_graal *g = lvl_doc_root(doc);
    g->heights = lvl_doc_alloc(doc, LVL_GRAAL_HEIGHTS * sizeof(double));
    g->height_count = LVL_GRAAL_HEIGHTS;
    g->heights[80] = -1.25;
    lvl_doc *made = convert(doc, "gr-v1.04", "", 0, 0);
    assert_true(level_of(made)->heights[80] == -1.25);
    lvl_doc_free(made);
    lvl_doc_free(convert(doc, "gr-v1.03", "graal.loss.heights", 1, 1));
    assert_int_equal(
        lvl_list_insert(doc, g, lvl_table_at(&lvl_graal_table, offsetof(lvl_graal, tilesets)), 0, 1), LVL_OK);
    g->tilesets[0].name = lvl_text_of("pics1.png");
    report_loss(doc, "gr-v1.05", "graal.loss.tileset", 1);
}

static void links(void **state)
{
    (void)state;
    lvl_doc *doc = lvl_make_level(&ctx, LVL_GR_V1_03, 0);
    lvl_make_link(doc, "a.graal", 0, 0, 1, 1, "playerx+4", "playerx");
    lvl_make_link(doc, "a.graal", 0, 0, 1, 1, "3", "-1");
    lvl_doc *made = convert(doc, "gr-v1.02", "graal.loss.expression", 3, 3);
    assert_true(lvl_text_is(level_of(made)->links[0].dest_x, "-1"));
    lvl_doc_free(made);
    lvl_doc_free(doc);
    doc = lvl_make_level(&ctx, LVL_Z3_V1_03, 0);
    lvl_make_link(doc, "a.zelda", 0, 0, 1, 1, "-1", "-1.0");
    lvl_make_link(doc, "a.zelda", 0, 0, 1, 1, "playerx", "3.0");
    report_loss(doc, "nw", "graal.loss.expression", 2);
}

/* A tab separates words as a blank does: the file's spelling does not go along, and is a loss. */
static void spelling(void **state)
{
    (void)state;
    lvl_doc *doc = lvl_make_level(&ctx, LVL_GR_V1_03, 0), *made = NULL;
    lvl_buffer file = {0};
    lvl_make_link(doc, "a.graal", 31, 0, 1, 1, "3", "4");
    assert_int_equal(lvl_doc_write(doc, &file), LVL_OK);
    lvl_doc_free(doc);
    for (size_t at = 0; at + 2 < file.len; at++) {
        if (memcmp(file.data + at, "31 ", 3) == 0)
            file.data[at + 2] = '\t';
    }
    assert_int_equal(lvl_read(&made, &ctx, NULL, (lvl_bytes){file.data, file.len}, NULL, 0, NULL), LVL_OK);
    assert_true(level_of(made)->links[0].x == 31);
    report_loss(made, "nw", "graal.loss.spelling", 1);
    lvl_buffer_free(&file);
}

/* Content that the binary form would read differently is written as it would be read. */
static void read_as(void **state)
{
    lvl_findings *losses = lvl_findings_new(&ctx);
    lvl_doc *doc = lvl_make_level(&ctx, LVL_GLEVNW01, 0), *made = NULL;

    (void)state;
    assert_non_null(losses);
    lvl_make_sign(doc, 1, 1, "caf#K(233)");
    assert_int_equal(lvl_convert(doc, "gr-v1.03", true, losses, &made), LVL_OK);
    assert_int_equal(lvl_findings_count(losses), 1);
    assert_string_equal(lvl_findings_at(losses, 0)->text, "GR-V1.03 reads it as \"caf\xC3\xA9\"");
    lvl_doc_free(made);
    lvl_doc_free(doc);
    lvl_findings_free(losses);
}

static void baddies(void **state)
{
    (void)state;
    lvl_doc *doc = lvl_make_level(&ctx, LVL_GLEVNW01, 0);
    lvl_make_baddy(doc, 5, 5, 8, "", "", "");
    lvl_make_baddy(doc, 5, 5, 6, "", "", "");
    lvl_doc *made = convert(doc, "gr-v1.01", "graal.loss.baddy", 1, 1);
    assert_int_equal(level_of(made)->baddy_count, 1);
    assert_int_equal(level_of(made)->baddies[0].type, 6);
    lvl_doc_free(made);
    lvl_doc_free(doc);
    doc = lvl_make_level(&ctx, LVL_GLEVNW01, 0);
    lvl_make_baddy(doc, 300, 5, 6, "", "", "");
    report_loss(doc, "gr-v1.03", "graal.loss.place", 1);
    doc = lvl_make_level(&ctx, LVL_GLEVNW01, 0);
    lvl_make_baddy(doc, 3, 5, 6, "C:\\", "Ouch!", "");
    lvl_doc_free(convert(doc, "z3-v1.03", "graal.loss.verses", 2, 2));
    made = convert(doc, "gr-v1.03", "graal.loss.verses", 1, 1);
    assert_true(lvl_text_is(level_of(made)->baddies[0].attack, "C:/"));
    assert_true(lvl_text_is(level_of(made)->baddies[0].hurt, "Ouch!"));
    lvl_doc_free(made);
    lvl_doc_free(doc);
    doc = lvl_make_level(&ctx, LVL_GR_V1_03, 0);
    lvl_make_baddy(doc, 3, 5, 6, "", "BADDYEND", "");
    report_loss(doc, "nw", "graal.loss.verses", 1);
}

static void npcs(void **state)
{
    (void)state;
    lvl_doc *doc = lvl_make_level(&ctx, LVL_GLEVNW01, 0);
    lvl_make_npc(doc, 3.4, -22, "a.png", "show;");
    lvl_make_npc(doc, 3, 224, "a#b.png", "a\xA7\nb\xA7");
    lvl_make_npc(doc, -32, 223, "", "");
    lvl_doc_free(convert(doc, "z3-v1.04", "graal.loss.npc", 3, 3));
    lvl_doc *made = convert(doc, "gr-v1.03", "graal.loss.place", 3, 5);
    const lvl_graal *g = level_of(made);
    assert_true(g->npcs[0].x == 3 && g->npcs[0].y == -21 && g->npcs[1].y == 223);
    assert_true(lvl_text_is(g->npcs[1].image, "a_b.png"));
    assert_true(lvl_text_is(g->npcs[1].script, "a?\nb?"));
    lvl_doc_free(made);
    lvl_doc_free(doc);
    doc = lvl_make_level(&ctx, LVL_GR_V1_03, 0);
    lvl_make_npc(doc, 3, 3, "my picture.gif", "a\nNPCEND\nb\n\n");
    made = convert(doc, "nw", "graal.loss.end_line", 1, 1);
    assert_true(lvl_text_is(level_of(made)->npcs[0].script, "a\n NPCEND\nb\n\n"));
    lvl_doc_free(made);
    lvl_doc_free(doc);
    /* the name would be no name there */
    doc = lvl_make_level(&ctx, LVL_GR_V1_03, 0);
    lvl_make_npc(doc, 3, 3, "-", "a");
    lvl_make_npc(doc, 4, 3, "b.gif", "a");
    made = convert(doc, "nw", "graal.loss.unwritable", 1, 1);
    assert_int_equal(level_of(made)->npc_count, 1);
    assert_true(level_of(made)->npcs[0].x == 4);
    lvl_doc_free(made);
    lvl_doc_free(doc);
}

static void chests(void **state)
{
    (void)state;
    lvl_doc *doc = lvl_make_level(&ctx, LVL_GR_V1_03, 0);
    lvl_make_chest(doc, 3, 3, 7, -1);
    lvl_make_chest(doc, 3, 3, 7, 500);
    lvl_doc_free(convert(doc, "gr-v1.00", "graal.loss.chest", 2, 2));
    lvl_doc *made = convert(doc, "nw", "", 0, 0);
    lvl_doc_free(convert(made, "gr-v1.02", "graal.loss.place", 1, 1));
    lvl_doc_free(made);
    lvl_doc_free(doc);
}

static void signs(void **state)
{
    (void)state;
    lvl_doc *doc = lvl_make_level(&ctx, LVL_Z3_V1_03, 0);
    lvl_make_sign(doc, 1, 1, "#1#2 |");
    lvl_make_sign(doc, 1, 1, "#4 #h");
    lvl_doc *made = convert(doc, "nw", "graal.loss.sign_code", 1, 1);
    assert_true(lvl_text_is(level_of(made)->signs[0].text, "#1#2 |"));
    lvl_doc_free(made);
    lvl_doc_free(doc);
    doc = lvl_make_level(&ctx, LVL_GLEVNW01, 0);
    lvl_make_sign(doc, 1, 1, "a: b");
    lvl_make_sign(doc, 1, 1, "#s(name)");
    lvl_make_sign(doc, 1, 1, "\xE9t\xE9 [*]");
    lvl_make_sign(doc, 1, -22, "plain");
    lvl_doc_free(convert(doc, "gr-v1.03", "graal.loss.place", 1, 1));
    lvl_doc_free(convert(doc, "z3-v1.04", "graal.loss.sign_code", 3, 4));
    lvl_doc_free(doc);
    doc = lvl_make_level(&ctx, LVL_GR_V1_03, 0);
    lvl_make_sign(doc, 1, 1, "\nSIGNEND");
    report_loss(doc, "nw", "graal.loss.end_line", 1);
}

/* ---- the real ones ----------------------------------------------------------------------------------- */

struct tally {
    size_t files, exact, lossy, wrong, damaged;
};

/* Whether it is written as it was read; NULL for a file that cannot be read. */
static lvl_doc *read_file(const char *path, lvl_buffer *bytes, bool *sound)
{
    lvl_findings *found = lvl_findings_new(&ctx);
    lvl_check_result result;
    lvl_doc *doc = NULL;
    size_t len;
    uint8_t *data = lvl_slurp(path, &len);

    assert_true(found && data);
    lvl_buffer_add(bytes, data, len);
    free(data);
    assert_int_equal(lvl_check(&ctx, NULL, (lvl_bytes){bytes->data, bytes->len}, lvl_path_name(path), NULL,
                               found, &result, &doc),
                     LVL_OK);
    *sound = result.verdict == LVL_SOUND;
    lvl_findings_free(found);
    return doc;
}

static bool same_bytes(const lvl_doc *doc, const lvl_buffer *bytes)
{
    lvl_buffer out = {0};
    const bool same = lvl_doc_write(doc, &out) == LVL_OK && out.len == bytes->len &&
                      memcmp(out.data, bytes->data, out.len) == 0;

    lvl_buffer_free(&out);
    return same;
}

/* Through a file in the other form, and back; `content`: style aside. */
static void there_and_back(const char *path, const char *form, bool content, struct tally *t)
{
    lvl_findings *losses = lvl_findings_new(&ctx);
    lvl_buffer bytes = {0}, middle = {0};
    lvl_doc *there = NULL, *again = NULL, *back = NULL;
    bool sound;
    lvl_doc *doc = read_file(path, &bytes, &sound);
    const lvl_format *format = doc ? lvl_doc_format(doc) : NULL;

    if (!format || !(lvl_format_can(format) & LVL_CAN_CONVERT))
        goto out;
    t->files++;
    t->damaged += !sound;
    char own[16];
    const char *version = lvl_graal_version_name(level_of(doc)->version);
    snprintf(own, sizeof own, "%s", version);
    for (char *p = own; *p; p++)
        *p = (char)(*p >= 'A' && *p <= 'Z' ? *p + 32 : *p);
    assert_int_equal(lvl_convert(doc, form, true, losses, &there), LVL_OK);
    assert_int_equal(lvl_doc_write(there, &middle), LVL_OK);
    assert_int_equal(lvl_read(&again, &ctx, lvl_doc_format(there), (lvl_bytes){middle.data, middle.len}, NULL,
                              LVL_READ_BORROW, NULL),
                     LVL_OK);
    assert_int_equal(lvl_convert(again, content ? "nw" : own, true, losses, &back), LVL_OK);
    const bool same = content ? lvl_record_equal(lvl_doc_croot(doc), lvl_doc_croot(back), &lvl_graal_table)
                              : same_bytes(back, &bytes);
    if (lvl_findings_count(losses)) {
        t->lossy++;
        if (getenv("LVL_SHOW")) {
            fprintf(stderr, "%s:\n", path);
            print_losses(losses);
        }
    } else if (same) {
        t->exact++;
    } else {
        fprintf(stderr, "%s: not the same after %s, and no loss was named\n", path, form);
        t->wrong++;
    }
out:
    lvl_doc_free(back);
    lvl_doc_free(again);
    lvl_doc_free(there);
    lvl_doc_free(doc);
    lvl_buffer_free(&bytes);
    lvl_buffer_free(&middle);
    lvl_findings_free(losses);
}

static struct tally folder(const char *name, const char *form, bool content)
{
    struct tally t = {0};
    char path[512];
    lvl_paths paths = {0};

    snprintf(path, sizeof path, "%s/graal/%s", lvl_corpus_dir(), name);
    if (lvl_paths_below(&paths, path, "graal zelda nw")) {
        for (size_t i = 0; i < paths.count; i++)
            there_and_back(paths.items[i], form, content, &t);
    }
    lvl_paths_free(&paths);
    printf("%s by %s: %zu files (%zu damaged), %zu exact, %zu with named losses, %zu wrong\n", name, form,
           t.files, t.damaged, t.exact, t.lossy, t.wrong);
    return t;
}

static void corpus(void **state)
{
    (void)state;
    if (!lvl_corpus_dir()) {
        printf("skipped: 3 sweeps, no corpus\n");
        skip();
    }
    /* every way there is takes longer */
    for (size_t i = 0; i < LVL_COUNT_OF(forms) && getenv("LVL_ALL_FORMS"); i++) {
        assert_int_equal(folder("graal", forms[i], false).wrong, 0);
        assert_int_equal(folder("zelda", forms[i], false).wrong, 0);
        assert_int_equal(folder("nw", forms[i], true).wrong, 0);
    }
    const struct tally graal = folder("graal", "nw", false), zelda = folder("zelda", "nw", false),
                       nw = folder("nw", "gr-v1.05", true);
    assert_int_equal(graal.wrong + zelda.wrong + nw.wrong, 0);
    /* nearly all go without a loss */
    assert_true(graal.exact * 100 >= graal.files * 98 && zelda.exact * 100 >= zelda.files * 70);
    assert_true(nw.exact * 100 >= nw.files * 80);
}

/* A new level in each form, without findings, which may be NULL. */
static void new_levels(void **state)
{
    const lvl_format *graal = lvl_format_find("graal"), *nw = lvl_format_find("nw");
    lvl_doc *doc;

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(forms); i++) {
        const lvl_new_options options = {.form = forms[i]};
        assert_int_equal(lvl_new(&doc, &ctx, strcmp(forms[i], "nw") == 0 ? nw : graal, &options, NULL),
                         LVL_OK);
        lvl_doc_free(doc);
    }
    const lvl_new_options none = {.form = "gr-v9"}, size = {.width = 1, .height = 1};
    assert_int_equal(lvl_new(&doc, &ctx, graal, &none, NULL), LVL_ERR_ARG);
    assert_null(doc);
    assert_int_equal(lvl_new(&doc, &ctx, nw, &size, NULL), LVL_ERR_ARG);
    assert_null(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain),      cmocka_unit_test(tiles),
        cmocka_unit_test(layers),     cmocka_unit_test(heights_and_tilesets),
        cmocka_unit_test(links),      cmocka_unit_test(baddies),
        cmocka_unit_test(npcs),       cmocka_unit_test(chests),
        cmocka_unit_test(signs),      cmocka_unit_test(spelling),
        cmocka_unit_test(read_as),    cmocka_unit_test(corpus),
        cmocka_unit_test(new_levels),
    };
    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests_name("graal_convert", tests, NULL, NULL);
}
