/*
 * Three-way merge. On samples and corpus: two random edits at different places of a file, each saved as a
 * separate file, merge to the file with both edits, byte for byte; merging with an unchanged side changes
 * nothing; three edits merge in either order; two different edits of one place are a conflict, in which the
 * result has OURS, or merge by parts. LVL_MERGE_SWEEP=N takes each N-th file of the corpus (default 60; 1:
 * all), LVL_MERGE_PAIRS=N pairs of each.
 */
#include "base/format.h"
#include "corpus.h"
#include "edits.h"
#include "expect.h"
#include "base/buffer.h"
#include "tools/diff/merge_rules.h"
#include "tools/tools.h"

#include <lvl/sketchy.h>
#include <lvl/tools.h>
#include <lvl/wwd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static lvl_ctx ctx;

static lvl_doc *read_doc(lvl_bytes bytes, const char *name)
{
    lvl_doc *doc = NULL;

    assert_int_equal(lvl_read(&doc, &ctx, NULL, bytes, name, 0, NULL), LVL_OK);
    return doc;
}

static bool same(lvl_bytes a, const lvl_buffer *b)
{
    return a.len == b->len && (!a.len || memcmp(a.ptr, b->data, a.len) == 0);
}

/* ours and theirs merged, as bytes; returns the number of conflicts. */
static uint64_t merged(lvl_bytes base, lvl_bytes ours, lvl_bytes theirs, const char *name,
                       const lvl_merge_options *options, lvl_buffer *out)
{
    lvl_doc *b = read_doc(base, name), *o = read_doc(ours, name), *t = read_doc(theirs, name);
    lvl_findings *findings = lvl_findings_new(&ctx);
    uint64_t conflicts = 99;

    assert_int_equal(lvl_merge(o, b, t, options, &conflicts, findings), LVL_OK);
    assert_true(conflicts == lvl_findings_count(findings));
    assert_int_equal(lvl_doc_write(o, out), LVL_OK);
    lvl_findings_free(findings);
    lvl_doc_free(b);
    lvl_doc_free(o);
    lvl_doc_free(t);
    return conflicts;
}

/* ---- random edits ------------------------------------------------------------------------------------ */

typedef struct tally {
    const char *format;
    size_t files, pairs, threes, refused, wrong;
    size_t same, conflicts; /* pairs of edits of one place, and how many of them are conflicts */
} tally;

enum { MAX_FORMATS = 16 };

/* Changes the place and writes; false: nothing to change, or the format cannot hold it. */
static bool edited(lvl_bytes base, const char *name, const lvl_edit_place *places, const uint64_t *randoms,
                   size_t count, lvl_buffer *out)
{
    lvl_doc *doc = read_doc(base, name);
    bool good = true;

    for (size_t i = 0; good && i < count; i++) {
        uint64_t random = randoms[i];
        good = lvl_edit_change(doc, &places[i], &random);
    }
    good = good && lvl_write(doc, out, NULL) == LVL_OK;
    lvl_doc_free(doc);
    return good;
}

static bool same_place(const lvl_edit_place *a, const lvl_edit_place *b)
{
    char x[400], y[400];

    lvl_where_text(&a->where, x, sizeof x);
    lvl_where_text(&b->where, y, sizeof y);
    return strcmp(x, y) == 0;
}

static void expect(tally *t, const char *path, const char *what, const lvl_edit_place *places, bool good)
{
    char a[400], b[400];

    if (good)
        return;
    t->wrong++;
    lvl_where_text(&places[0].where, a, sizeof a);
    lvl_where_text(&places[1].where, b, sizeof b);
    printf("%s: %s: %s and %s\n", path, what, a, b);
    fflush(stdout);
}

static void try_pair(tally *t, const char *path, lvl_bytes base, uint64_t seed)
{
    const char *name = lvl_path_name(path);
    lvl_doc *doc = read_doc(base, name);
    lvl_buffer a = {0}, b = {0}, both = {0}, out = {0};
    lvl_edit_place places[2];
    uint64_t random = (seed + 1) * 0x9E3779B97F4A7C15u, randoms[2];
    bool found = true;

    for (int i = 0; i < 2; i++) {
        const lvl_edit_kind kind = (lvl_edit_kind)(lvl_edit_random(&random) % LVL_EDIT_KINDS);
        found = found && lvl_edit_find(doc, kind, &random, &places[i]);
        randoms[i] = lvl_edit_random(&random);
    }
    lvl_doc_free(doc);
    if (!found || same_place(&places[0], &places[1]))
        return;
    if (!edited(base, name, places, randoms, 1, &a) || !edited(base, name, places + 1, randoms + 1, 1, &b) ||
        !edited(base, name, places, randoms, 2, &both)) {
        t->refused++;
    } else {
        t->pairs++;
        uint64_t n = merged(base, lvl_bytes_in(&a), lvl_bytes_in(&b), name, NULL, &out);
        expect(t, path, "ours and theirs", places, !n && same(lvl_bytes_in(&out), &both));
        lvl_buffer_free(&out);
        n = merged(base, lvl_bytes_in(&b), lvl_bytes_in(&a), name, NULL, &out);
        expect(t, path, "theirs and ours", places, !n && same(lvl_bytes_in(&out), &both));
        lvl_buffer_free(&out);
        n = merged(base, lvl_bytes_in(&a), base, name, NULL, &out);
        expect(t, path, "ours alone", places, !n && same(lvl_bytes_in(&out), &a));
        lvl_buffer_free(&out);
        n = merged(base, base, lvl_bytes_in(&b), name, NULL, &out);
        expect(t, path, "theirs alone", places, !n && same(lvl_bytes_in(&out), &b));
        lvl_buffer_free(&out);
        n = merged(base, lvl_bytes_in(&a), lvl_bytes_in(&a), name, NULL, &out);
        expect(t, path, "the same twice", places, !n && same(lvl_bytes_in(&out), &a));
        lvl_buffer_free(&out);
    }
    lvl_buffer_free(&a);
    lvl_buffer_free(&b);
    lvl_buffer_free(&both);
}

/* Three edits of different items: merged one after the other, from either end, they are all three. */
static void try_three(tally *t, const char *path, lvl_bytes base, uint64_t seed)
{
    const char *name = lvl_path_name(path);
    lvl_doc *doc = read_doc(base, name);
    lvl_buffer one[3] = {{0}}, all = {0}, first = {0}, last = {0}, out = {0};
    lvl_edit_place places[3];
    uint64_t random = (seed + 3) * 0x9E3779B97F4A7C15u, randoms[3];
    bool good = true;

    for (int i = 0; i < 3; i++) {
        const lvl_edit_kind kind = (lvl_edit_kind)(lvl_edit_random(&random) % LVL_EDIT_KINDS);
        good = good && lvl_edit_find(doc, kind, &random, &places[i]);
        randoms[i] = lvl_edit_random(&random);
        /* of one item, two changes at once may make another item of it */
        for (int k = 0; good && k < i; k++)
            good = !same_place(&places[k], &places[i]) &&
                   (places[i].where.depth == 1 ||
                    lvl_edit_holder(doc, &places[k]) != lvl_edit_holder(doc, &places[i]));
    }
    lvl_doc_free(doc);
    for (int i = 0; good && i < 3; i++)
        good = edited(base, name, places + i, randoms + i, 1, &one[i]);
    if (good && edited(base, name, places, randoms, 3, &all)) {
        t->threes++;
        uint64_t n = merged(base, lvl_bytes_in(&one[0]), lvl_bytes_in(&one[1]), name, NULL, &first);
        n += merged(base, lvl_bytes_in(&first), lvl_bytes_in(&one[2]), name, NULL, &out);
        expect(t, path, "first two, then the third", places, !n && same(lvl_bytes_in(&out), &all));
        lvl_buffer_free(&out);
        n = merged(base, lvl_bytes_in(&one[1]), lvl_bytes_in(&one[2]), name, NULL, &last);
        n += merged(base, lvl_bytes_in(&one[0]), lvl_bytes_in(&last), name, NULL, &out);
        expect(t, path, "the first, then last two", places, !n && same(lvl_bytes_in(&out), &all));
    }
    for (int i = 0; i < 3; i++)
        lvl_buffer_free(&one[i]);
    lvl_buffer_free(&all);
    lvl_buffer_free(&first);
    lvl_buffer_free(&last);
    lvl_buffer_free(&out);
}

/* A choice for each conflict is the same as preferring that side, and no choice is needed after the last
 * one. */
static bool choices_are_taken(lvl_bytes base, const lvl_buffer *a, const lvl_buffer *b, const char *name,
                              uint64_t n)
{
    enum { MOST = 64 };
    lvl_merge_side choices[MOST];
    bool good = true;

    for (int side = LVL_MERGE_OURS; n <= MOST && side <= LVL_MERGE_BASE; side++) {
        lvl_buffer preferred = {0}, chosen = {0};
        for (size_t i = 0; i < MOST; i++)
            choices[i] = (lvl_merge_side)side;
        const lvl_merge_options prefer = {.prefer = (lvl_merge_side)side};
        const lvl_merge_options choose = {.prefer =
                                              side == LVL_MERGE_OURS ? LVL_MERGE_THEIRS : LVL_MERGE_OURS,
                                          .choices = choices,
                                          .choice_count = (size_t)n};
        merged(base, lvl_bytes_in(a), lvl_bytes_in(b), name, &prefer, &preferred);
        merged(base, lvl_bytes_in(a), lvl_bytes_in(b), name, &choose, &chosen);
        good = good && same(lvl_bytes_in(&preferred), &chosen);
        lvl_buffer_free(&preferred);
        lvl_buffer_free(&chosen);
    }
    return good;
}

/* Two edits of one place. */
static void try_clash(tally *t, const char *path, lvl_bytes base, uint64_t seed)
{
    const char *name = lvl_path_name(path);
    lvl_doc *doc = read_doc(base, name);
    lvl_buffer a = {0}, b = {0}, out = {0}, other = {0};
    lvl_edit_place places[2];
    uint64_t random = (seed + 7) * 0x9E3779B97F4A7C15u;

    const lvl_edit_kind kind = (lvl_edit_kind)(lvl_edit_random(&random) % LVL_EDIT_KINDS);
    const bool found = lvl_edit_find(doc, kind, &random, &places[0]);
    const uint64_t randoms[2] = {lvl_edit_random(&random), lvl_edit_random(&random)};
    lvl_doc_free(doc);
    places[1] = places[0];
    if (found && edited(base, name, places, randoms, 1, &a) &&
        edited(base, name, places, randoms + 1, 1, &b)) {
        t->same++;
        const uint64_t n = merged(base, lvl_bytes_in(&a), lvl_bytes_in(&b), name, NULL, &out);
        const uint64_t m = merged(base, lvl_bytes_in(&b), lvl_bytes_in(&a), name, NULL, &other);
        t->conflicts += n > 0;
        expect(t, path, "a clash, from the other side", places, (n > 0) == (m > 0));
        if (n)
            expect(t, path, "a clash, won by ours", places,
                   same(lvl_bytes_in(&out), &a) && same(lvl_bytes_in(&other), &b));
        if (n)
            expect(t, path, "a choice for each conflict", places, choices_are_taken(base, &a, &b, name, n));
    }
    lvl_buffer_free(&a);
    lvl_buffer_free(&b);
    lvl_buffer_free(&out);
    lvl_buffer_free(&other);
}

/* The row of a format. */
static tally *row_of(tally *rows, const lvl_format *format)
{
    size_t i = 0;

    while (i < MAX_FORMATS - 1 && rows[i].format && strcmp(rows[i].format, format->id) != 0)
        i++;
    rows[i].format = format->id;
    return &rows[i];
}

static void try_file(tally *rows, const char *path, size_t seed, int pairs)
{
    size_t len;
    uint8_t *data = lvl_slurp(path, &len);
    lvl_doc *doc = NULL;

    assert_non_null(data);
    const lvl_bytes bytes = {data, len};
    if (len < 1 << 22 && lvl_read(&doc, &ctx, NULL, bytes, lvl_path_name(path), 0, NULL) == LVL_OK) {
        tally *t = row_of(rows, lvl_doc_format(doc));
        t->files++;
        for (int i = 0; i < pairs; i++) {
            try_pair(t, path, bytes, seed * 31 + (size_t)i);
            if (i % 3 == 0)
                try_clash(t, path, bytes, seed * 31 + (size_t)i);
            if (i % 3 == 1)
                try_three(t, path, bytes, seed * 31 + (size_t)i);
        }
    }
    lvl_doc_free(doc);
    free(data);
}

static void random_edits(void **state)
{
    const char *every = getenv("LVL_MERGE_SWEEP"), *corpus = lvl_corpus_dir(), *samples = lvl_samples_dir();
    const unsigned long given = every ? strtoul(every, NULL, 10) : 0;
    const size_t step = given ? given : 60;
    const char *many = getenv("LVL_MERGE_PAIRS");
    const int pairs = many ? (int)strtol(many, NULL, 10) : 0;
    tally rows[MAX_FORMATS] = {{0}};
    size_t all = 0, wrong = 0;
    lvl_paths paths;

    (void)state;
    if (samples && lvl_paths_below(&paths, samples, "wwd graal zelda nw gani gmap level doodad")) {
        for (size_t i = 0; i < paths.count; i++)
            try_file(rows, paths.items[i], i, pairs ? pairs : 2);
        lvl_paths_free(&paths);
    }
    if (corpus && lvl_paths_below(&paths, corpus, "wwd graal zelda nw gani gmap level doodad")) {
        for (size_t i = 0; i < paths.count; i += step)
            try_file(rows, paths.items[i], i, pairs ? pairs : 3);
        lvl_paths_free(&paths);
    }
    printf("%-8s %6s %6s %6s %8s %8s %10s %6s\n", "format", "files", "pairs", "threes", "refused", "clashes",
           "conflicts", "wrong");
    for (const tally *t = rows; t < rows + MAX_FORMATS && t->format; t++) {
        printf("%-8s %6zu %6zu %6zu %8zu %8zu %10zu %6zu\n", t->format, t->files, t->pairs, t->threes,
               t->refused, t->same, t->conflicts, t->wrong);
        all += t->pairs;
        wrong += t->wrong;
    }
    assert_true(all > 0 || !samples);
    assert_int_equal(wrong, 0);
}

/* ---- lists, grids, texts ----------------------------------------------------------------------------- */

static lvl_doc *level_with(const char *const *assignments, size_t count)
{
    static const char plane[] =
        "planes[+]={\"name\":\"Action\",\"flags\":\"main\",\"tiles\":{\"width\":6,\"height\":4,"
        "\"rows\":[\"1*6\",\"2*6\",\"3*6\",\"4*6\"]}}";
    static const char *const start[] = {
        plane, "planes[0].objects[+]={\"id\":1,\"logic\":\"Rat\",\"x\":10,\"y\":20}",
        "planes[0].objects[+]={\"id\":2,\"logic\":\"Officer\",\"x\":30,\"y\":40}",
        "planes[0].objects[+]={\"id\":3,\"logic\":\"Soldier\",\"x\":50,\"y\":60}"};
    lvl_doc *doc = NULL;
    lvl_findings *findings = lvl_findings_new(&ctx);

    assert_int_equal(lvl_doc_new(&doc, &ctx, lvl_format_find("wwd")), LVL_OK);
    for (size_t i = 0; i < sizeof start / sizeof *start; i++) {
        if (lvl_set(doc, &start[i], 1, NULL, findings) != LVL_OK)
            print_error("%s: %s\n", start[i], lvl_findings_at(findings, 0)->text);
        assert_int_equal(lvl_findings_count(findings), 0);
    }
    for (size_t i = 0; i < count; i++) {
        const char *const unset = assignments[i] + 1;
        const lvl_status status = assignments[i][0] == '!' ? lvl_unset(doc, &unset, 1, NULL, findings)
                                                           : lvl_set(doc, &assignments[i], 1, NULL, findings);
        assert_int_equal(status, LVL_OK);
    }
    lvl_findings_free(findings);
    return doc;
}

/* One assignment on each side ("" for none; "!PATH" removes), the conflicts that are expected, and a value of
 * the result. */
typedef struct trial {
    const char *ours, *theirs;
    uint64_t conflicts;
    const char *path, *want;
} trial;

#define KEPT_TOP_LEFT \
    "planes[0].tiles={\"width\":7,\"height\":5,\"rows\":[\"1*6 5\",\"2*6 5\",\"3*6 5\",\"4*6 5\",\"6*7\"]}"
#define KEPT_BOTTOM_RIGHT \
    "planes[0].tiles={\"width\":7,\"height\":5,\"rows\":[\"6*7\",\"5 1*6\",\"5 2*6\",\"5 3*6\",\"5 4*6\"]}"
#define LARGER \
    "planes[0].tiles={\"width\":7,\"height\":5,\"rows\":[\"1*6 .\",\"2*6 .\",\"3*6 .\",\"4*6 .\",\".*7\"]}"
#define LARGER_PAINTED \
    "planes[0].tiles={\"width\":7,\"height\":5,\"rows\":[\"1*6 .\",\"2*6 .\",\"3*6 8\",\"4*6 .\",\".*7\"]}"
#define CROPPED_TILES "{\"width\":4,\"height\":3,\"rows\":[\"1*4\",\"2*4\",\"3*4\"]}"
#define CROPPED       "planes[0].tiles=" CROPPED_TILES
#define CRAB          "planes[0].objects[+]={\"id\":7,\"logic\":\"Crab\"}"

static void edits_of_a_level(void **state)
{
    static const trial trials[] = {
        {"author=me", "name=Cliffs", 0, "author", "me"},
        {"author=me", "author=you", 1, "author", "me"},
        {"author=me", "author=me", 0, "author", "me"},
        {"planes[0].objects[+]={\"id\":7,\"logic\":\"Crab\"}",
         "planes[0].objects[+]={\"id\":7,\"logic\":\"Seagull\"}", 0, "planes[0].objects[*].logic",
         "Rat,Officer,Soldier,Crab,Seagull"},
        /* numbers stay unique, and two objects at one place are two */
        {"planes[0].objects[+]={\"id\":7,\"logic\":\"Crab\"}",
         "planes[0].objects[+]={\"id\":7,\"logic\":\"Seagull\"}", 0, "planes[0].objects[*].id", "1,2,3,7,8"},
        {"planes[0].objects[+]={\"id\":7,\"logic\":\"Crab\",\"score\":1}",
         "planes[0].objects[+]={\"id\":7,\"logic\":\"Crab\",\"score\":2}", 0, "planes[0].objects[*].score",
         "0,0,0,1,2"},
        {"planes[0].objects[+]={\"id\":7,\"logic\":\"Crab\"}",
         "planes[0].objects[+]={\"id\":7,\"logic\":\"Crab\"}", 0, "planes[0].objects[*].logic",
         "Rat,Officer,Soldier,Crab"},
        {"planes[0].objects[+0]={\"logic\":\"Crab\"}", "planes[0].objects[1].x=99", 0,
         "planes[0].objects[*].x", "0,10,99,50"},
        {"!planes[0].objects[0]", "planes[0].objects[1].x=99", 0, "planes[0].objects[*].x", "99,50"},
        {"!planes[0].objects[0]", "!planes[0].objects[2]", 0, "planes[0].objects[*].logic", "Officer"},
        {"!planes[0].objects[0]", "!planes[0].objects[0]", 0, "planes[0].objects[*].logic",
         "Officer,Soldier"},
        {"!planes[0].objects[0]", "planes[0].objects[0].health=5", 1, "planes[0].objects[*].logic",
         "Officer,Soldier"},
        {"planes[0].objects[0].health=5", "!planes[0].objects[0]", 1, "planes[0].objects[*].logic",
         "Rat,Officer,Soldier"},
        {"planes[0].flags=main|no_draw", "planes[0].flags=main|wrap_x", 0, "planes[0].flags",
         "main|no_draw|wrap_x"},
        {"planes[0].tiles[0,0]=9", "planes[0].tiles[5,3]=8", 0, "planes[0].tiles[0,0]", "9"},
        {"planes[0].tiles[0,0]=9", "planes[0].tiles[0,0]=8", 1, "planes[0].tiles[0,0]", "9"},
        {"planes[0].tiles[0,0]=9",
         "planes[0].tiles={\"width\":7,\"height\":5,\"rows\":[\"1*6 5\",\"2*6 5\",\"3*6 5\",\"4*6 "
         "5\",\"6*7\"]}",
         0, "planes[0].tiles",
         "{\"width\":7,\"height\":5,\"rows\":[\"9 1*5 5\",\"2*6 5\",\"3*6 5\",\"4*6 5\",\"6*7\"]}"},
        {"planes[0].tiles={\"width\":7,\"height\":5,\"rows\":[\"6*7\",\"5 1*6\",\"5 2*6\",\"5 3*6\",\"5 "
         "4*6\"]}",
         "planes[0].tiles[0,0]=9", 0, "planes[0].tiles",
         "{\"width\":7,\"height\":5,\"rows\":[\"6*7\",\"5 9 1*5\",\"5 2*6\",\"5 3*6\",\"5 4*6\"]}"},
        /* resized to the same size: kept at the top left, and at the bottom right */
        {KEPT_TOP_LEFT, KEPT_BOTTOM_RIGHT, 2, "planes[0].tiles[0,0]", "1"},
        /* both resize alike, and one of them paints in the new area */
        {LARGER, LARGER_PAINTED, 0, "planes[0].tiles[6,2]", "8"},
        {LARGER_PAINTED, LARGER, 0, "planes[0].tiles[6,2]", "8"},
        /* one side crops what the other one paints */
        {CROPPED, "planes[0].tiles[5,3]=8", 1, "planes[0].tiles", CROPPED_TILES},
        {"planes[0].tiles[5,3]=8", CROPPED, 1, "planes[0].tiles", CROPPED_TILES},
        {CROPPED, "planes[0].tiles[0,0]=8", 0, "planes[0].tiles[0,0]", "8"},
        {KEPT_TOP_LEFT, KEPT_TOP_LEFT, 0, "planes[0].tiles[0,0]", "1"},
        {KEPT_BOTTOM_RIGHT, CRAB, 1, "planes[0].objects[*].logic", "Rat,Officer,Soldier,Crab"},
        {CRAB, KEPT_BOTTOM_RIGHT, 1, "planes[0].objects[*].logic", "Rat,Officer,Soldier,Crab"},
        {KEPT_TOP_LEFT, CRAB, 0, "planes[0].objects[*].logic", "Rat,Officer,Soldier,Crab"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        const trial *t = &trials[i];
        lvl_doc *base = level_with(NULL, 0), *ours = level_with(&t->ours, 1),
                *theirs = level_with(&t->theirs, 1);
        lvl_findings *findings = lvl_findings_new(&ctx);
        lvl_buffer out = {0};
        uint64_t conflicts = 99;

        assert_int_equal(lvl_merge(ours, base, theirs, NULL, &conflicts, findings), LVL_OK);
        assert_int_equal(lvl_get(ours, t->path, NULL, &out, NULL, findings), LVL_OK);
        while (out.len && out.data[out.len - 1] == '\n')
            out.len--;
        for (size_t k = 0; k < out.len; k++)
            out.data[k] = out.data[k] == '\n' ? ',' : out.data[k];
        lvl_buffer_u8(&out, 0);
        if (conflicts != t->conflicts || strcmp((const char *)out.data, t->want) != 0)
            print_error("%s and %s: %llu conflicts, %s\n", t->ours, t->theirs, (unsigned long long)conflicts,
                        (const char *)out.data);
        assert_true(conflicts == t->conflicts);
        assert_string_equal((const char *)out.data, t->want);
        lvl_buffer_free(&out);
        lvl_findings_free(findings);
        lvl_doc_free(base);
        lvl_doc_free(ours);
        lvl_doc_free(theirs);
    }
}

static void conflicts_go_to_the_preferred_side(void **state)
{
    static const char *const want[] = {
        [LVL_MERGE_OURS] = "me", [LVL_MERGE_THEIRS] = "you", [LVL_MERGE_BASE] = ""};
    const char *const mine = "author=me", *const yours = "author=you";

    (void)state;
    for (int side = 0; side < 3; side++) {
        lvl_doc *base = level_with(NULL, 0), *ours = level_with(&mine, 1), *theirs = level_with(&yours, 1);
        const lvl_merge_options options = {.prefer = (lvl_merge_side)side};
        uint64_t conflicts = 0;
        assert_int_equal(lvl_merge(ours, base, theirs, &options, &conflicts, NULL), LVL_OK);
        assert_true(conflicts == 1);
        const lvl_text author =
            lvl_get_text(lvl_doc_croot(ours), lvl_table_find(lvl_doc_table(ours), lvl_text_of("author")));
        assert_int_equal(author.len, strlen(want[side]));
        assert_memory_equal(author.ptr, want[side], author.len);
        lvl_doc_free(base);
        lvl_doc_free(ours);
        lvl_doc_free(theirs);
    }
}

/* Where both sides resized a grid, and not in the same way, the preferred side has its size: one conflict,
 * and one for the cells of each side that the size cuts off. */
static void resized_grids_go_to_the_preferred_side(void **state)
{
    static const char *const larger =
        "planes[0].tiles={\"width\":6,\"height\":5,\"rows\":[\"1*6\",\"2*6\",\"3*6\",\"4*6\",\"9*6\"]}";
    static const char *const ours[] = {KEPT_TOP_LEFT, larger}, *const theirs = KEPT_BOTTOM_RIGHT;
    static const char *const want[] = {
        [LVL_MERGE_OURS] = "1\n", [LVL_MERGE_THEIRS] = "6\n", [LVL_MERGE_BASE] = "1\n"};
    static const uint32_t widths[2][3] = {
        {[LVL_MERGE_OURS] = 7, [LVL_MERGE_THEIRS] = 7, [LVL_MERGE_BASE] = 6},
        {[LVL_MERGE_OURS] = 6, [LVL_MERGE_THEIRS] = 7, [LVL_MERGE_BASE] = 6}};

    (void)state;
    for (int i = 0; i < 6; i++) {
        const int which = i / 3, side = i % 3;
        lvl_doc *base = level_with(NULL, 0), *mine = level_with(&ours[which], 1),
                *other = level_with(&theirs, 1);
        const lvl_merge_options options = {.prefer = (lvl_merge_side)side};
        lvl_buffer out = {0};
        uint64_t conflicts = 0;
        assert_int_equal(lvl_merge(mine, base, other, &options, &conflicts, NULL), LVL_OK);
        assert_int_equal(conflicts, side == LVL_MERGE_BASE ? 3 : 2);
        assert_int_equal(lvl_get(mine, "planes[0].tiles[0,0]", NULL, &out, NULL, NULL), LVL_OK);
        lvl_buffer_u8(&out, 0);
        assert_string_equal((const char *)out.data, want[side]);
        const lvl_wwd *level = lvl_wwd_cof(mine);
        assert_int_equal(level->planes[0].tiles.width, widths[which][side]);
        lvl_buffer_free(&out);
        lvl_doc_free(base);
        lvl_doc_free(mine);
        lvl_doc_free(other);
    }
}

static void scripts(void **state)
{
    static const char base[] = "GLEVNW01\nNPC - 1 2\none\ntwo\nthree\nfour\nNPCEND\n";
    static const char ours[] = "GLEVNW01\nNPC - 1 2\nONE\ntwo\nthree\nfour\nNPCEND\n";
    static const char theirs[] = "GLEVNW01\nNPC - 1 2\none\ntwo\nthree\nfour\nfive\nNPCEND\n";
    static const char both[] = "GLEVNW01\nNPC - 1 2\nONE\ntwo\nthree\nfour\nfive\nNPCEND\n";
    static const char other[] = "GLEVNW01\nNPC - 1 2\nUno\ntwo\nthree\nfour\nNPCEND\n";
    static const char marked[] =
        "GLEVNW01\nNPC - 1 2\n<<<<<<< ours\nONE\n=======\nUno\n>>>>>>> theirs\ntwo\nthree\n"
        "four\nNPCEND\n";
    const lvl_merge_options markers = {.markers = true};
    lvl_buffer out = {0};

#define BYTES(text) ((lvl_bytes){(const uint8_t *)(text), sizeof(text) - 1})
    (void)state;
    assert_true(merged(BYTES(base), BYTES(ours), BYTES(theirs), "a.nw", NULL, &out) == 0);
    assert_true(same(BYTES(both), &out));
    lvl_buffer_free(&out);
    assert_true(merged(BYTES(base), BYTES(ours), BYTES(other), "a.nw", NULL, &out) == 1);
    assert_true(same(BYTES(ours), &out));
    lvl_buffer_free(&out);
    assert_true(merged(BYTES(base), BYTES(ours), BYTES(other), "a.nw", &markers, &out) == 1);
    assert_true(same(BYTES(marked), &out));
    lvl_buffer_free(&out);
}

/* The first lines that conflict are named with their three values, and how many other places there are. */
static void conflicts_of_lines_are_named(void **state)
{
    static const char base[] = "GLEVNW01\nNPC - 1 2\none\ntwo\nthree\nfour\nNPCEND\n";
    static const char ours[] = "GLEVNW01\nNPC - 1 2\none\nTWO\nthree\nFOUR\nfive\nNPCEND\n";
    static const char theirs[] = "GLEVNW01\nNPC - 1 2\none\nthree\nfor\nNPCEND\n";
    static const char *const texts[] = {base, ours, theirs};
    lvl_doc *docs[3];
    lvl_findings *findings = lvl_findings_new(&ctx);
    uint64_t conflicts = 0;

    (void)state;
    for (int i = 0; i < 3; i++)
        assert_int_equal(lvl_read(&docs[i], &ctx, NULL,
                                  (lvl_bytes){(const uint8_t *)texts[i], strlen(texts[i])}, "a.nw", 0, NULL),
                         LVL_OK);
    assert_int_equal(lvl_merge(docs[1], docs[0], docs[2], NULL, &conflicts, findings), LVL_OK);
    assert_int_equal(conflicts, 1);
    assert_int_equal(lvl_findings_count(findings), 1);
    lvl_expect_in(lvl_findings_at(findings, 0)->text,
                  "line 2: base \"two\", ours \"TWO\", theirs (absent); 1 more place in this text");
    for (int i = 0; i < 3; i++)
        lvl_doc_free(docs[i]);
    lvl_findings_free(findings);
}

#define LEVEL_WITH(swatch)                                                         \
    "{\"version\":1,\"gameVersion\":\"0.10.0\",\"palette\":{\"swatches\":[" swatch \
    "]},\"chunks\":{\"size\":128,\"chunks\":{}}}\n"

/* Edits in different members, whichever side makes them: one result, byte for byte. */
static void both_orders(void **state)
{
    static const struct {
        const char *name, *base, *one, *other, *both;
    } trials[] = {
        /* both begin a section of settings that the file has */
        {"a.gani", "GANI0001\nSPRITE 1 SPRITES 0 0 8 8 a\n\nSINGLEDIRECTION\n\nANI\nANIEND\n",
         "GANI0001\nSPRITE 1 SPRITES 0 0 8 8 a\n\nLOOP\nSINGLEDIRECTION\n\nANI\nANIEND\n",
         "GANI0001\nSPRITE 1 SPRITES 0 0 8 8 a\n\nCONTINUOUS\nSINGLEDIRECTION\n\nANI\nANIEND\n",
         "GANI0001\nSPRITE 1 SPRITES 0 0 8 8 a\n\nLOOP\nCONTINUOUS\nSINGLEDIRECTION\n\nANI\nANIEND\n"},
        /* and one that it does not have */
        {"a.gani", "GANI0001\nSPRITE 1 SPRITES 0 0 8 8 a\n\nANI\nANIEND\n",
         "GANI0001\nSPRITE 1 SPRITES 0 0 8 8 a\n\nLOOP\n\nANI\nANIEND\n",
         "GANI0001\nSPRITE 1 SPRITES 0 0 8 8 a\n\nCONTINUOUS\n\nANI\nANIEND\n",
         "GANI0001\nSPRITE 1 SPRITES 0 0 8 8 a\n\nLOOP\nCONTINUOUS\n\nANI\nANIEND\n"},
        /* new keys of an object, the first one and in the middle, however it is spaced */
        {"a.level", LEVEL_WITH("{ \"color\":\"#ff0000\", \"solid\":true}"),
         LEVEL_WITH("{ \"color\":\"#ff0000\", \"solid\":true, \"semisolid\":true}"),
         LEVEL_WITH("{ \"color\":\"#ff0000\", \"solid\":true, \"fire\":true}"),
         LEVEL_WITH("{ \"color\":\"#ff0000\", \"solid\":true, \"semisolid\":true, \"fire\":true}")},
        {"a.level", LEVEL_WITH("{ \"color\":\"#ff0000\", \"fire\":true}"),
         LEVEL_WITH("{ \"name\":\"lava\", \"color\":\"#ff0000\", \"fire\":true}"),
         LEVEL_WITH("{ \"color\":\"#ff0000\", \"solid\":true, \"fire\":true}"),
         LEVEL_WITH("{ \"name\":\"lava\", \"color\":\"#ff0000\", \"solid\":true, \"fire\":true}")},
        /* renamed on one side, changed on the other: both at the same place */
        {"a.nw", "GLEVNW01\nTILESET pics1.png\n", "GLEVNW01\nTILESET pics2.png\n",
         "GLEVNW01\nTILESET pics1.png 1\n", "GLEVNW01\nTILESET pics2.png 1\n"},
        {"a.nw", "GLEVNW01\nTILESET a.png\nTILESET b.png\nTILESET c.png\n",
         "GLEVNW01\nTILESET a.png\nTILESET d.png\nTILESET c.png\n",
         "GLEVNW01\nTILESET a.png\nTILESET b.png 1\nTILESET c.png\n",
         "GLEVNW01\nTILESET a.png\nTILESET d.png 1\nTILESET c.png\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        const lvl_bytes base = {(const uint8_t *)trials[i].base, strlen(trials[i].base)};
        const char *const sides[2] = {trials[i].one, trials[i].other};
        for (int k = 0; k < 2; k++) {
            const lvl_bytes ours = {(const uint8_t *)sides[k], strlen(sides[k])};
            const lvl_bytes theirs = {(const uint8_t *)sides[!k], strlen(sides[!k])};
            lvl_buffer out = {0};
            assert_int_equal(merged(base, ours, theirs, trials[i].name, NULL, &out), 0);
            lvl_buffer_u8(&out, 0);
            assert_string_equal((const char *)out.data, trials[i].both);
            lvl_buffer_free(&out);
        }
    }
}

#define CHUNKED(swatches, first, second)                                                   \
    "{\"version\":1,\"gameVersion\":\"0.10.0\",\"palette\":{\"swatches\":[" swatches       \
    "]},\"chunks\":{\"size\":128,\"chunks\":{\"0,0\":{\"type\":0,\"data\":{\"5,5\":" first \
    "}},\"1,0\":{\"type\":0,\"data\":{\"130,5\":" second "}}}}}\n"
#define TWO_SWATCHES "{\"name\":\"a\",\"color\":\"#ff0000\"},{\"name\":\"b\",\"color\":\"#00ff00\"}"
#define ONE_MORE     "{\"name\":\"c\",\"color\":\"#0000ff\",\"pattern\":\"\"}," TWO_SWATCHES

/* Chunks that all three store alike are not decoded, unless what they mean by number is different. */
static void what_is_stored_alike(void **state)
{
    static const struct {
        const char *ours, *theirs, *both;
        bool decoded;
    } trials[] = {
        {CHUNKED(TWO_SWATCHES, "0", "1"), CHUNKED(TWO_SWATCHES, "1", "1"), CHUNKED(TWO_SWATCHES, "1", "1"),
         false},
        {CHUNKED(TWO_SWATCHES, "0", "1"), CHUNKED(ONE_MORE, "2", "2"), CHUNKED(ONE_MORE, "2", "2"), true},
    };
    static const char base[] = CHUNKED(TWO_SWATCHES, "0", "1");

    (void)state;
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        lvl_doc *b = read_doc((lvl_bytes){(const uint8_t *)base, strlen(base)}, "a.level");
        lvl_doc *o =
            read_doc((lvl_bytes){(const uint8_t *)trials[i].ours, strlen(trials[i].ours)}, "a.level");
        lvl_doc *t =
            read_doc((lvl_bytes){(const uint8_t *)trials[i].theirs, strlen(trials[i].theirs)}, "a.level");
        lvl_buffer out = {0};
        uint64_t conflicts = 99;
        assert_int_equal(lvl_merge(o, b, t, NULL, &conflicts, NULL), LVL_OK);
        assert_true(conflicts == 0);
        const lvl_sketchy *merged_level = lvl_doc_croot(o);
        assert_int_equal(merged_level->layers[0].chunk_count, 2);
        assert_true(merged_level->layers[0].chunks[0].pixels.ptr != NULL);
        assert_int_equal(merged_level->layers[0].chunks[1].pixels.ptr != NULL, trials[i].decoded);
        assert_int_equal(lvl_write(o, &out, NULL), LVL_OK);
        lvl_buffer_u8(&out, 0);
        assert_string_equal((const char *)out.data, trials[i].both);
        lvl_buffer_free(&out);
        lvl_doc_free(b);
        lvl_doc_free(o);
        lvl_doc_free(t);
    }
}

#define ENCODED(title, data)                                                                 \
    "{\"version\":1,\"gameVersion\":\"0.10.0\",\"title\":\"" title                           \
    "\",\"palette\":{\"swatches\":[" TWO_SWATCHES "]},\"chunks\":{\"size\":128,\"chunks\":{" \
    "\"0,0\":{\"type\":0,\"data\":\"" data "\"}}}}\n"

#define ATTACHED(title, data)                                      \
    "{\"version\":1,\"gameVersion\":\"0.10.0\",\"title\":\"" title \
    "\",\"files\":{\"assets/a.png\":{\"data\":\"" data "\"}}}\n"

/* A chunk or file of which one side has only a part is a conflict, and everything of OURS stays. */
static void damaged_chunks(void **state)
{
    static const struct {
        const char *base, *ours, *theirs, *merged;
        uint64_t conflicts;
    } trials[] = {
#define WHOLE "AgQBBAQBBgQB" /* three pixels, x y index */
#define CUT   "AgQBBAQ="
#define NEW   "AgQBBAQBBgQBCAQB"
        {ENCODED("a", WHOLE), ENCODED("b", WHOLE), ENCODED("a", CUT), ENCODED("b", WHOLE), 1},
        {ENCODED("a", WHOLE), ENCODED("a", NEW), ENCODED("b", CUT), ENCODED("b", NEW), 1},
        {ENCODED("a", WHOLE), ENCODED("a", WHOLE), ENCODED("b", "!"), ENCODED("b", WHOLE), 1},
        {ENCODED("a", WHOLE), ENCODED("b", CUT), ENCODED("a", WHOLE), ENCODED("b", CUT), 1},
        {ENCODED("a", WHOLE), ENCODED("b", CUT), ENCODED("a", NEW), ENCODED("b", CUT), 1},
        {ENCODED("a", WHOLE), ENCODED("b", CUT), ENCODED("a", CUT), ENCODED("b", CUT), 0},
        {ENCODED("a", CUT), ENCODED("b", WHOLE), ENCODED("a", CUT), ENCODED("b", WHOLE), 0},
        {ENCODED("a", CUT), ENCODED("b", WHOLE), ENCODED("a", NEW), ENCODED("b", WHOLE), 1},
        {ENCODED("a", CUT), ENCODED("b", CUT), ENCODED("a", CUT), ENCODED("b", CUT), 0},
        {ENCODED("a", CUT), ENCODED("b", CUT), ENCODED("a", NEW), ENCODED("b", NEW), 0},
        {ENCODED("a", "!"), ENCODED("b", CUT), ENCODED("a", NEW), ENCODED("b", CUT), 1},
        {ATTACHED("a", WHOLE), ATTACHED("b", WHOLE), ATTACHED("a", "AgQB!"), ATTACHED("b", WHOLE), 1},
        {ATTACHED("a", WHOLE), ATTACHED("b", "AgQB!"), ATTACHED("a", WHOLE), ATTACHED("b", "AgQB!"), 1},
        {ATTACHED("a", WHOLE), ATTACHED("b", "AgQB!"), ATTACHED("a", "AgQB!"), ATTACHED("b", "AgQB!"), 0},
        {ATTACHED("a", WHOLE), ATTACHED("b", WHOLE), ATTACHED("a", ""), ATTACHED("b", ""), 0},
        {ATTACHED("a", "!"), ATTACHED("b", "!"), ATTACHED("a", WHOLE), ATTACHED("b", WHOLE), 0},
        {ATTACHED("a", "!"), ATTACHED("b", NEW), ATTACHED("a", WHOLE), ATTACHED("b", NEW), 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        const lvl_bytes base = {(const uint8_t *)trials[i].base, strlen(trials[i].base)};
        const lvl_bytes ours = {(const uint8_t *)trials[i].ours, strlen(trials[i].ours)};
        const lvl_bytes theirs = {(const uint8_t *)trials[i].theirs, strlen(trials[i].theirs)};
        lvl_buffer out = {0};
        print_message("trial %zu\n", i);
        assert_int_equal(merged(base, ours, theirs, "a.level", NULL, &out), trials[i].conflicts);
        lvl_buffer_u8(&out, 0);
        assert_string_equal((const char *)out.data, trials[i].merged);
        lvl_buffer_free(&out);
    }
}

static void other_formats_are_refused(void **state)
{
    lvl_doc *a = NULL, *b = level_with(NULL, 0);

    (void)state;
    assert_int_equal(lvl_doc_new(&a, &ctx, lvl_format_find("nw")), LVL_OK);
    assert_int_equal(lvl_merge(a, b, b, NULL, NULL, NULL), LVL_ERR_ARG);
    assert_int_equal(lvl_merge(b, b, a, NULL, NULL, NULL), LVL_ERR_ARG);
    lvl_doc_free(a);
    lvl_doc_free(b);
}

/* The rules in docs/git.md are those of the table. */
static void documented_rules(void **state)
{
    const char *samples = lvl_samples_dir();
    char path[1000];
    lvl_buffer table = {0};
    size_t len;

    (void)state;
    if (!samples)
        skip();
    snprintf(path, sizeof path, "%s/../docs/git.md", samples);
    uint8_t *data = lvl_slurp(path, &len);
    assert_non_null(data);
    char *page = malloc(len + 1);
    assert_non_null(page);
    memcpy(page, data, len);
    page[len] = 0;
    lvl_buffer_str(&table, "| ours \\ theirs |");
    for (int t = 0; t < LVL_STATE_COUNT; t++)
        lvl_buffer_printf(&table, " %s |", lvl_item_state_names[t]);
    lvl_buffer_str(&table, "\n|---|");
    for (int t = 0; t < LVL_STATE_COUNT; t++)
        lvl_buffer_str(&table, "---|");
    for (int o = 0; o < LVL_STATE_COUNT; o++) {
        lvl_buffer_printf(&table, "\n| %s |", lvl_item_state_names[o]);
        for (int t = 0; t < LVL_STATE_COUNT; t++)
            lvl_buffer_printf(&table, " %s |",
                              lvl_merge_rule_names[lvl_merge_rule_of((lvl_item_state)o, (lvl_item_state)t)]);
    }
    lvl_buffer_str(&table, "\n\n");
    lvl_buffer_u8(&table, 0);
    lvl_expect_in(page, (const char *)table.data);
    lvl_buffer_free(&table);
    free(page);
    free(data);
}

#define LINES(...) "GLEVNW01\n" __VA_ARGS__
#define GANI(frames)                                                                                   \
    "GANI0001\nSPRITE 1 SPRITES 0 0 24 12 a\nSPRITE 2 SPRITES 0 12 24 12 b\nSINGLEDIR\n\nANI\n" frames \
    "ANIEND\n"
#define GMAP(size, rows) "GRMAP001\n" size "LEVELNAMES\n" rows "LEVELNAMESEND\n"

static void assert_same_content(lvl_bytes found, const char *expected, const char *name)
{
    lvl_doc *a = read_doc((lvl_bytes){(const uint8_t *)expected, strlen(expected)}, name);
    lvl_doc *b = read_doc(found, name);
    lvl_buffer out = {0};
    bool different = true;

    assert_int_equal(lvl_diff(a, b, NULL, &different, &out), LVL_OK);
    if (different)
        print_error("%.*s", (int)out.len, (const char *)out.data);
    assert_false(different);
    lvl_buffer_free(&out);
    lvl_doc_free(a);
    lvl_doc_free(b);
}

/* Cases that were wrong before items were aligned once. `merged` NULL: a conflict. */
static void found_cases(void **state)
{
    static const struct {
        const char *name, *base, *ours, *theirs, *merged;
    } trials[] = {
        /* a frame deleted before one that the other side edits */
        {"a.gani", GANI("   1 0 0,   2 0 5\n\n   1 10 0,   2 10 5\n\n   1 20 0,   2 20 5\n"),
         GANI("   1 10 0,   2 10 5\n\n   1 20 0,   2 20 5\n"),
         GANI("   1 0 0,   2 0 5\n\n   1 10 9,   2 10 5\n\n   1 20 0,   2 20 5\n"),
         GANI("   1 10 9,   2 10 5\n\n   1 20 0,   2 20 5\n")},
        /* one deletes the frame that the other edits */
        {"a.gani", GANI("   1 0 0,   2 0 5\n\n   1 10 0,   2 10 5\n"), GANI("   1 10 0,   2 10 5\n"),
         GANI("   1 0 7,   2 0 5\n\n   1 10 0,   2 10 5\n"), NULL},
        /* an NPC moved and edited, and deleted */
        {"a.nw", LINES("NPC a.png 10 10\nif (created) {\n  x;\n}\nNPCEND\n"),
         LINES("NPC b.png 12 14\nif (created) {\n  z;\n}\nNPCEND\n"), LINES(""), NULL},
        /* a sign moved and edited, another one appended: the first one stays the first */
        {"a.nw", LINES("SIGN 1 1\nfirst\nSIGNEND\n"), LINES("SIGN 5 1\nfirst!\nSIGNEND\n"),
         LINES("SIGN 1 1\nfirst\nSIGNEND\nSIGN 9 9\nsecond\nSIGNEND\n"),
         LINES("SIGN 5 1\nfirst!\nSIGNEND\nSIGN 9 9\nsecond\nSIGNEND\n")},
        /* a row in front of a world, a name changed in it */
        {"a.gmap", GMAP("WIDTH 2\nHEIGHT 2\n", "\"a.nw\",\"b.nw\"\n\"c.nw\",\"d.nw\"\n"),
         GMAP("WIDTH 2\nHEIGHT 3\n", "\"m.nw\",\"n.nw\"\n\"a.nw\",\"b.nw\"\n\"c.nw\",\"d.nw\"\n"),
         GMAP("WIDTH 2\nHEIGHT 2\n", "\"a.nw\",\"b.nw\"\n\"x.nw\",\"d.nw\"\n"),
         GMAP("WIDTH 2\nHEIGHT 3\n", "\"m.nw\",\"n.nw\"\n\"a.nw\",\"b.nw\"\n\"x.nw\",\"d.nw\"\n")},
        /* a column in front */
        {"a.gmap", GMAP("WIDTH 2\nHEIGHT 2\n", "\"a.nw\",\"b.nw\"\n\"c.nw\",\"d.nw\"\n"),
         GMAP("WIDTH 3\nHEIGHT 2\n", "\"m.nw\",\"a.nw\",\"b.nw\"\n\"n.nw\",\"c.nw\",\"d.nw\"\n"),
         GMAP("WIDTH 2\nHEIGHT 2\n", "\"a.nw\",\"b.nw\"\n\"x.nw\",\"d.nw\"\n"),
         GMAP("WIDTH 3\nHEIGHT 2\n", "\"m.nw\",\"a.nw\",\"b.nw\"\n\"n.nw\",\"x.nw\",\"d.nw\"\n")},
    };

    (void)state;
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        for (int turned = 0; turned < 2; turned++) {
            const char *const sides[2] = {turned ? trials[i].theirs : trials[i].ours,
                                          turned ? trials[i].ours : trials[i].theirs};
            const lvl_bytes base = {(const uint8_t *)trials[i].base, strlen(trials[i].base)};
            lvl_buffer out = {0};
            print_message("case %zu%s\n", i, turned ? ", from the other side" : "");
            const uint64_t n =
                merged(base, (lvl_bytes){(const uint8_t *)sides[0], strlen(sides[0])},
                       (lvl_bytes){(const uint8_t *)sides[1], strlen(sides[1])}, trials[i].name, NULL, &out);
            assert_int_equal(n > 0, trials[i].merged == NULL);
            if (trials[i].merged)
                assert_same_content(lvl_bytes_in(&out), trials[i].merged, trials[i].name);
            lvl_buffer_free(&out);
        }
    }
}

/* Both sides append properties of tiles: of one number, which is a conflict. */
static void tile_properties_are_by_number(void **state)
{
    uint64_t conflicts = 0;

    (void)state;
    const char *const assignments[] = {"tile_properties=[{},{},{}]", "tile_properties[+]={\"attribute\":1}",
                                       "tile_properties[+]={\"attribute\":2}",
                                       "tile_properties[+]={\"attribute\":3}"};
    lvl_doc *base = level_with(assignments, 1), *ours = level_with(assignments, 2);
    const char *const theirs_do[] = {assignments[0], assignments[2], assignments[3]};
    lvl_doc *theirs = level_with(theirs_do, 3);
    assert_int_equal(lvl_merge(ours, base, theirs, NULL, &conflicts, NULL), LVL_OK);
    assert_int_equal(conflicts, 1);
    const lvl_wwd *level = lvl_wwd_cof(ours);
    assert_int_equal(level->tile_property_count, 5);
    assert_int_equal(level->tile_properties[3].attribute, 1); /* ours */
    assert_int_equal(level->tile_properties[4].attribute, 3); /* only theirs has it */
    lvl_doc_free(base);
    lvl_doc_free(ours);
    lvl_doc_free(theirs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_of_a_level),
        cmocka_unit_test(conflicts_go_to_the_preferred_side),
        cmocka_unit_test(scripts),
        cmocka_unit_test(conflicts_of_lines_are_named),
        cmocka_unit_test(other_formats_are_refused),
        cmocka_unit_test(what_is_stored_alike),
        cmocka_unit_test(both_orders),
        cmocka_unit_test(damaged_chunks),
        cmocka_unit_test(random_edits),
        cmocka_unit_test(resized_grids_go_to_the_preferred_side),
        cmocka_unit_test(documented_rules),
        cmocka_unit_test(found_cases),
        cmocka_unit_test(tile_properties_are_by_number),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
