/*
 * Repair of Graal levels: lost baddies among NPCs and chests are removed or restored, and files truncated
 * anywhere become sound levels with everything before the cut.
 */
#include "base/format.h"
#include "corpus.h"
#include "expect.h"
#include "graal_seeds.h"
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

static const lvl_graal *level_of(const lvl_doc *doc)
{
    return lvl_doc_croot(doc);
}

/* The file of a document, which is freed. */
static lvl_buffer file_of(lvl_doc *doc)
{
    lvl_buffer out = {0};

    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    lvl_doc_free(doc);
    return out;
}

static lvl_doc *read_bytes(lvl_bytes bytes)
{
    lvl_doc *doc = NULL;

    assert_int_equal(lvl_read(&doc, &ctx, NULL, bytes, NULL, 0, NULL), LVL_OK);
    return doc;
}

/* Repairs bytes into `out`; what was changed. */
static lvl_findings *repair(lvl_bytes bytes, bool recover, lvl_buffer *out)
{
    const lvl_repair_options options = {.recover = recover};
    lvl_findings *changes = lvl_findings_new(&ctx);
    lvl_doc *doc = read_bytes(bytes);

    assert_non_null(changes);
    assert_int_equal(lvl_repair(doc, &options, changes, out), LVL_OK);
    lvl_doc_free(doc);
    return changes;
}

static const char *first_error(const lvl_findings *found)
{
    for (size_t i = 0; i < lvl_findings_count(found); i++) {
        if (lvl_findings_at(found, i)->severity >= LVL_ERROR)
            return lvl_findings_at(found, i)->text;
    }
    return NULL;
}

/* The findings of check on the bytes; the caller frees them. */
static lvl_findings *check_bytes(lvl_bytes bytes, lvl_verdict *verdict)
{
    lvl_findings *found = lvl_findings_new(&ctx);
    lvl_check_result result;

    assert_int_equal(lvl_check(&ctx, NULL, bytes, NULL, NULL, found, &result, NULL), LVL_OK);
    *verdict = result.verdict;
    return found;
}

/* ---- lost baddies ------------------------------------------------------------------------------------ */

/* A level as an early editor left it: some of its baddies among the NPCs. */
static lvl_buffer garbled(void)
{
    lvl_doc *doc = lvl_make_level(&ctx, LVL_GR_V1_01, 0);

    lvl_make_baddy(doc, 8, 58, 4, "", "", "");
    lvl_make_npc(doc, 0x17 - 32, 2 - 32, "", "Stop!\\Ouch!\\");
    lvl_make_npc(doc, 0x0d - 32, 0x24 - 32, "", "\x02Stop!\\Ouch!\\");
    lvl_make_npc(doc, 223, 223, "", "\xFF");
    lvl_make_npc(doc, 8 - 32, 58 - 32, "", "\x04\\\\");
    lvl_make_npc(doc, 7 - 32, -32, "", "");
    lvl_make_npc(doc, 6 - 32, '\\' - 32, "", "\\");
    lvl_make_npc(doc, 2 - 32, 'S' - 32, "", "top!\\Ouch!\\");
    lvl_make_npc(doc, 30, 31, "block.gif", "if (compusdied) hide;");
    lvl_make_chest(doc, 30, 30, 2, -1);
    lvl_make_chest(doc, 0x16 - 32, 1 - 32, 'M' - 32, 'o' - 32);
    lvl_make_chest(doc, 223, 223, 223, -32);
    lvl_make_sign(doc, 0, 0, "Still here.");
    return file_of(doc);
}

static void lost_baddies(void **state)
{
    lvl_buffer bytes = garbled(), out = {0};
    lvl_verdict verdict;

    (void)state;
    lvl_findings *found = check_bytes(lvl_bytes_in(&bytes), &verdict);
    assert_int_equal(verdict, LVL_FAULTY);
    assert_int_equal(lvl_count_of(found, "graal.stale.baddy"), 2);
    assert_int_equal(lvl_count_of(found, "graal.stale.fragment"), 4);
    assert_int_equal(lvl_count_of(found, "graal.stale.end"), 1);
    assert_int_equal(lvl_count_of(found, "graal.stale.chest"), 2);
    for (size_t i = 0; i < lvl_findings_count(found); i++)
        assert_true(lvl_findings_at(found, i)->position.known);
    lvl_findings_free(found);
    lvl_findings *changes = repair(lvl_bytes_in(&bytes), false, &out);
    assert_int_equal(lvl_findings_count(changes), 9);
    for (size_t i = 0; i < lvl_findings_count(changes); i++)
        assert_true(lvl_findings_at(changes, i)->position.known);
    lvl_findings_free(changes);
    lvl_doc *doc = read_bytes(lvl_bytes_in(&out));
    const lvl_graal *g = level_of(doc);
    assert_true(g->npc_count == 1 && g->baddy_count == 1 && g->chest_count == 1 && g->sign_count == 1);
    assert_true(lvl_text_is(g->npcs[0].image, "block.gif"));
    lvl_doc_free(doc);
    lvl_findings_free(check_bytes(lvl_bytes_in(&out), &verdict));
    assert_int_equal(verdict, LVL_SOUND);
    lvl_buffer_free(&out);
    lvl_buffer_free(&bytes);
}

static void recovered_baddies(void **state)
{
    lvl_buffer bytes = garbled(), out = {0};

    (void)state;
    lvl_findings_free(repair(lvl_bytes_in(&bytes), true, &out));
    lvl_doc *doc = read_bytes(lvl_bytes_in(&out));
    const lvl_graal *g = level_of(doc);
    assert_true(g->npc_count == 1 && g->chest_count == 1);
    /* the living one, column 10, the whole one, row 10; the one that is there already and the one without a
     * column are not */
    assert_int_equal(g->baddy_count, 4);
    assert_true(g->baddies[1].x == 10 && g->baddies[1].y == 23 && g->baddies[1].type == 2);
    assert_true(lvl_text_is(g->baddies[1].attack, "Stop!") && lvl_text_is(g->baddies[1].hurt, "Ouch!"));
    assert_true(g->baddies[2].x == 13 && g->baddies[2].y == 36 && g->baddies[2].type == 2);
    assert_true(g->baddies[3].x == 7 && g->baddies[3].y == 10 && g->baddies[3].type == 6);
    lvl_doc_free(doc);
    lvl_buffer_free(&out);
    lvl_buffer_free(&bytes);
}

/* ---- files that break off ---------------------------------------------------------------------------- */

/* Repaired, a cut file is a sound level, or only rows of its board are missing, which nobody can add; a second
 * repair has nothing to do (lvl_repair sees to that itself). */
static void repair_cut(lvl_bytes bytes, const char *name)
{
    lvl_buffer out = {0};
    lvl_verdict verdict;
    lvl_findings *changes = repair(bytes, false, &out);
    lvl_findings *found = check_bytes(lvl_bytes_in(&out), &verdict);

    const size_t rows = lvl_count_of(found, "lvl.file.cut");
    if (verdict != LVL_SOUND && lvl_findings_of(found, LVL_ERROR) > rows) {
        fprintf(stderr, "%s cut at %zu: %s\n", name, bytes.len, first_error(found));
        assert_int_equal(verdict, LVL_SOUND);
    }
    lvl_findings_free(found);
    lvl_findings_free(changes);
    lvl_buffer_free(&out);
}

static void cuts(void **state)
{
    (void)state;
    for (unsigned version = LVL_Z3_V1_02; version < LVL_GRAAL_VERSIONS; version++) {
        lvl_buffer bytes = file_of(lvl_make_full(&ctx, (lvl_graal_version)version));
        /* a text level's board is long and dull */
        const size_t step = version == LVL_GLEVNW01 ? 37 : 1;
        for (size_t len = version == LVL_GR_V1_05 ? 10 : 9; len <= bytes.len; len += step)
            repair_cut((lvl_bytes){bytes.data, len}, lvl_graal_version_name(version));
        for (size_t len = bytes.len > 500 ? bytes.len - 500 : 9; len <= bytes.len; len++)
            repair_cut((lvl_bytes){bytes.data, len}, lvl_graal_version_name(version));
        lvl_buffer_free(&bytes);
    }
}

/* What was before the cut is there. */
static void kept_up_to_the_cut(void **state)
{
    lvl_buffer bytes = file_of(lvl_make_full(&ctx, LVL_GR_V1_03)), out = {0};
    const char *at = NULL;

    (void)state;
    for (size_t i = 0; i + 5 < bytes.len && !at; i++) {
        if (memcmp(bytes.data + i, "Stop!", 5) == 0)
            at = (const char *)bytes.data + i;
    }
    assert_non_null(at);
    lvl_findings_free(
        repair((lvl_bytes){bytes.data, (size_t)(at - (const char *)bytes.data) + 3}, false, &out));
    lvl_doc *doc = read_bytes(lvl_bytes_in(&out));
    const lvl_graal *g = level_of(doc);
    assert_true(g->link_count == 2 && g->baddy_count == 1 && !g->npc_count && !g->sign_count);
    assert_true(lvl_text_is(g->baddies[0].attack, "Sto"));
    assert_int_equal(lvl_cell(&g->layers[0].tiles, 3, 3), 69);
    lvl_doc_free(doc);
    lvl_buffer_free(&out);
    /* inside of the tiles */
    lvl_findings *changes = repair((lvl_bytes){bytes.data, 60}, false, &out);
    assert_true(lvl_count_of(changes, "graal.tiles.cut") == 1 &&
                lvl_count_of(changes, "graal.cut.completed") == 1);
    lvl_findings_free(changes);
    doc = read_bytes(lvl_bytes_in(&out));
    assert_int_equal(lvl_cell(&level_of(doc)->layers[0].tiles, 0, 63), 0);
    assert_int_equal(lvl_cell(&level_of(doc)->layers[0].tiles, 1, 0), 7);
    lvl_doc_free(doc);
    lvl_buffer_free(&out);
    lvl_buffer_free(&bytes);
}

static size_t find_bytes(const lvl_buffer *in, const char *text)
{
    const size_t len = strlen(text);

    for (size_t i = 0; i + len <= in->len; i++) {
        if (memcmp(in->data + i, text, len) == 0)
            return i;
    }
    return SIZE_MAX;
}

/* A line that is no link stays where another list is repaired. */
static void unread_stays(void **state)
{
    static const char bad[] = "a.graal 1 2 x y 3 4\n";
    lvl_buffer sound = file_of(lvl_make_full(&ctx, LVL_GR_V1_03)), bytes = {0}, out = {0};
    const size_t mark = find_bytes(&sound, "\n#\n"), cut = find_bytes(&sound, "Stop!");

    (void)state;
    assert_true(mark < cut && cut < sound.len);
    lvl_buffer_add(&bytes, sound.data, mark + 1);
    lvl_buffer_str(&bytes, bad);
    lvl_buffer_add(&bytes, sound.data + mark + 1, cut + 3 - (mark + 1));
    lvl_findings *changes = repair(lvl_bytes_in(&bytes), false, &out);
    assert_int_equal(lvl_count_of(changes, "graal.section.cut"), 1);
    assert_int_equal(lvl_count_of(changes, "graal.link.words"), 0);
    assert_int_equal(find_bytes(&out, bad), mark + 1);
    lvl_findings_free(changes);
    lvl_buffer_free(&out);
    lvl_buffer_free(&bytes);
    lvl_buffer_free(&sound);
}

/* A number of layers that is wrong: an error; all layers and records are read, an edit keeps them, and repair
 * counts them. */
static void wrong_number_of_layers(void **state)
{
    static const uint8_t wrong[] = {32, 33, 0, 35, 255};
    lvl_buffer sound = {0};

    (void)state;
    assert_int_equal(lvl_graal_seed(LVL_GR_V1_05, &sound), LVL_OK);
    assert_int_equal(sound.data[8], 34);
    lvl_doc *whole = read_bytes(lvl_bytes_in(&sound));
    for (size_t i = 0; i < sizeof wrong; i++) {
        lvl_buffer edited = {0}, repaired = {0};
        lvl_verdict verdict;
        uint8_t *bytes = malloc(sound.len);
        assert_non_null(bytes);
        memcpy(bytes, sound.data, sound.len);
        bytes[8] = wrong[i];
        lvl_findings *found = check_bytes((lvl_bytes){bytes, sound.len}, &verdict);
        assert_int_equal(verdict, LVL_DAMAGED);
        assert_int_equal(lvl_count_of(found, "graal.layers.count"), 1);
        lvl_findings_free(found);
        lvl_doc *doc = read_bytes((lvl_bytes){bytes, sound.len});
        lvl_buffer same = {0};
        assert_int_equal(lvl_doc_write(doc, &same), LVL_OK);
        assert_int_equal(same.len, sound.len);
        assert_memory_equal(same.data, bytes, sound.len);
        lvl_graal *g = lvl_doc_root(doc);
        assert_int_equal(g->layer_count, 2);
        assert_int_equal(g->link_count, level_of(whole)->link_count);
        assert_int_equal(g->sign_count, level_of(whole)->sign_count);
        g->links[0].x = 7;
        assert_int_equal(lvl_doc_write(doc, &edited), LVL_OK);
        assert_int_equal(edited.data[8], 34);
        lvl_doc_free(doc);
        lvl_findings_free(repair((lvl_bytes){bytes, sound.len}, false, &repaired));
        assert_int_equal(repaired.len, sound.len);
        assert_memory_equal(repaired.data, sound.data, sound.len);
        lvl_buffer_free(&same);
        lvl_buffer_free(&edited);
        lvl_buffer_free(&repaired);
        free(bytes);
    }
    lvl_doc_free(whole);
    lvl_buffer_free(&sound);
}

/* A file whose header declares no layers, and that has none: links follow at once. The repaired level has a
 * board of tile 0, and its records. */
static void no_board(void **state)
{
    static const char text[] = "GR-V1.05 cave.graal 1 2 3 4 5 6\n#\n\xFF\xFF\xFF\n#\n#\n#";
    const lvl_bytes bytes = {(const uint8_t *)text, sizeof text - 1};
    lvl_buffer out = {0};
    lvl_verdict verdict;

    (void)state;
    lvl_findings *found = check_bytes(bytes, &verdict);
    assert_int_equal(verdict, LVL_DAMAGED);
    assert_int_equal(lvl_count_of(found, "graal.layers.count"), 1);
    lvl_findings_free(found);
    lvl_doc *doc = read_bytes(bytes);
    assert_int_equal(level_of(doc)->layer_count, 0);
    lvl_doc_free(doc);
    lvl_findings_free(repair(bytes, false, &out));
    lvl_findings_free(check_bytes(lvl_bytes_in(&out), &verdict));
    assert_int_equal(verdict, LVL_SOUND);
    doc = read_bytes(lvl_bytes_in(&out));
    const lvl_graal *g = level_of(doc);
    assert_int_equal(g->layer_count, 1);
    assert_int_equal(g->layers[0].tiles.width, LVL_GRAAL_SIDE);
    assert_int_equal(g->layers[0].tiles.height, LVL_GRAAL_SIDE);
    for (uint32_t i = 0; i < LVL_GRAAL_SIDE * LVL_GRAAL_SIDE; i++)
        assert_int_equal(lvl_cell(&g->layers[0].tiles, i % LVL_GRAAL_SIDE, i / LVL_GRAAL_SIDE), 0);
    assert_int_equal(g->link_count, 1);
    assert_int_equal(g->links[0].height, 4);
    lvl_doc_free(doc);
    lvl_buffer_free(&out);
}

/* A text level whose last NPC never ends. */
static void unclosed(void **state)
{
    static const char text[] = "GLEVNW01\nBOARD 0 0 64 0 AA\nSIGN 1 1\nHi\nSIGNEND\nNPC - 3 4\nsay 0;\n";
    lvl_buffer out = {0};

    (void)state;
    lvl_findings *changes = repair((lvl_bytes){(const uint8_t *)text, sizeof text - 1}, false, &out);
    assert_int_equal(lvl_count_of(changes, "graal.nw.unclosed"), 1);
    assert_int_equal(lvl_count_of(changes, "graal.nw.row"), 1);
    lvl_findings_free(changes);
    lvl_buffer_u8(&out, 0);
    assert_string_equal((const char *)out.data,
                        "GLEVNW01\nBOARD 0 0 1 0 AA\nSIGN 1 1\nHi\nSIGNEND\nNPC - 3 4\nsay 0;\nNPCEND\n");
    lvl_buffer_free(&out);
}

/* ---- the real ones ----------------------------------------------------------------------------------- */

struct stale {
    size_t files, chest_files, whole, ends, fragments, chests, back, repaired;
};

static void repair_file(const char *path, struct stale *s)
{
    lvl_buffer out = {0};
    lvl_verdict verdict;
    size_t len;
    uint8_t *data = lvl_slurp(path, &len);
    const lvl_bytes bytes = {data, len};

    assert_non_null(data);
    lvl_findings *found = check_bytes(bytes, &verdict);
    if (verdict == LVL_FOREIGN)
        goto out;
    const size_t whole = lvl_count_of(found, "graal.stale.baddy"),
                 ends = lvl_count_of(found, "graal.stale.end"),
                 fragments = lvl_count_of(found, "graal.stale.fragment"),
                 chests = lvl_count_of(found, "graal.stale.chest");
    s->files += whole + ends + fragments != 0;
    s->chest_files += chests != 0;
    s->whole += whole;
    s->ends += ends;
    s->fragments += fragments;
    s->chests += chests;
    lvl_doc *doc = read_bytes(bytes);
    const uint32_t living = level_of(doc)->baddy_count;
    lvl_doc_free(doc);
    for (int recover = 0; recover < 2; recover++) {
        out.len = 0;
        lvl_findings *changes = repair(bytes, recover, &out);
        if (!lvl_findings_count(changes))
            assert_true(out.len == len && !memcmp(out.data, data, len));
        s->repaired += lvl_findings_count(changes) != 0;
        lvl_findings_free(changes);
        lvl_findings *left = check_bytes(lvl_bytes_in(&out), &verdict);
        if (verdict != LVL_SOUND)
            fprintf(stderr, "%s: %s\n", path, first_error(left));
        assert_int_equal(verdict, LVL_SOUND);
        lvl_findings_free(left);
    }
    doc = read_bytes(lvl_bytes_in(&out));
    s->back += level_of(doc)->baddy_count - living;
    lvl_doc_free(doc);
out:
    lvl_findings_free(found);
    lvl_buffer_free(&out);
    free(data);
}

static void corpus(void **state)
{
    struct stale s = {0};
    lvl_paths paths = {0};
    char path[512];

    (void)state;
    if (!lvl_corpus_dir()) {
        printf("skipped: 1 sweep, no corpus\n");
        skip();
    }
    snprintf(path, sizeof path, "%s/graal", lvl_corpus_dir());
    assert_true(lvl_paths_below(&paths, path, "graal zelda nw"));
    for (size_t i = 0; i < paths.count; i++)
        repair_file(paths.items[i], &s);
    printf("%zu files: baddies lost in %zu (%zu whole, %zu end marks, %zu fragments), in chests of %zu "
           "(%zu); %zu put back, %zu repaired\n",
           paths.count, s.files, s.whole, s.ends, s.fragments, s.chest_files, s.chests, s.back,
           s.repaired / 2);
    lvl_paths_free(&paths);
    /* every one has an end mark, and most of them some whole ones */
    assert_true(!s.files || (s.ends >= s.files && s.whole > s.ends && s.back > s.ends));
    assert_int_equal(s.chests, s.chest_files * 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lost_baddies),
        cmocka_unit_test(recovered_baddies),
        cmocka_unit_test(cuts),
        cmocka_unit_test(kept_up_to_the_cut),
        cmocka_unit_test(wrong_number_of_layers),
        cmocka_unit_test(no_board),
        cmocka_unit_test(unread_stays),
        cmocka_unit_test(unclosed),
        cmocka_unit_test(corpus),
    };
    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests_name("graal_repair", tests, NULL, NULL);
}
