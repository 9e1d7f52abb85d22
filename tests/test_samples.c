/*
 * The samples: the sound ones are sound and round-trip. Each damaged one has the expected findings, can be
 * repaired, and a second repair changes nothing. test_samples_made.sh makes them from their sources.
 */
#include "base/format.h"
#include "corpus.h"
#include "measure.h"

#include <lvl/graal.h>
#include <lvl/tools.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct sample {
    char *file; /* its path on disk */
    const char *path; /* the same below samples/ */
    uint8_t *data;
    size_t len;
} sample;

static sample samples[512];
static size_t sample_count;
static lvl_ctx ctx;

static int load(void **state)
{
    (void)state;
    const char *dir = lvl_samples_dir();
    lvl_paths paths = {0};

    lvl_ctx_init(&ctx);
    if (!dir || !lvl_paths_below(&paths, dir, NULL))
        return -1;
    for (size_t i = 0; i < paths.count && sample_count < sizeof samples / sizeof samples[0]; i++) {
        const char *below = paths.items[i] + strlen(dir) + 1;
        /* README.md, make; what samples are made of */
        if (!strchr(below, '/') || strncmp(below, "src/", 4) == 0)
            continue;
        sample *s = &samples[sample_count++];
        s->data = lvl_slurp(paths.items[i], &s->len);
        s->file = paths.items[i];
        s->path = below;
        paths.items[i] = NULL; /* the sample has it now */
        if (!s->data)
            return -1;
    }
    lvl_paths_free(&paths);
    return sample_count ? 0 : -1;
}

static int drop(void **state)
{
    (void)state;
    while (sample_count) {
        sample_count--;
        free(samples[sample_count].file);
        free(samples[sample_count].data);
    }
    return 0;
}

static const sample *sample_at(const char *path)
{
    for (size_t i = 0; i < sample_count; i++)
        if (strcmp(samples[i].path, path) == 0)
            return &samples[i];
    fail_msg("no sample %s", path);
    return NULL;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

/* Whether it is of no format of ours: a picture, or rules for `lvl check --rules`. */
static bool is_foreign(const char *path)
{
    return ends_with(path, ".png") || strncmp(path, "rules/", 6) == 0;
}

/* All samples together stay small, since each clone has them. */
static void test_size(void **state)
{
    (void)state;
    size_t total = 0;

    for (size_t i = 0; i < sample_count; i++)
        total += samples[i].len;
    assert_true(sample_count < sizeof samples / sizeof samples[0]); /* there was room for all */
    assert_true(total < 2000000);
}

/* The format of a file that only its folder tells; NULL: its bytes do. */
static const lvl_format *format_of(const char *path)
{
    const lvl_format *format;
    char below[64];

    for (size_t i = 0; (format = lvl_format_at(i)) != NULL; i++) {
        const lvl_format_place *place = format->calls->place;
        snprintf(below, sizeof below, "/%s/", place ? place->folder : "");
        if (place && strstr(path, below))
            return format;
    }
    return NULL;
}

/* Every file, damaged ones too, comes out of reading and writing as it was. */
static void test_exact(void **state)
{
    (void)state;
    lvl_measure sound = {0}, other = {0};

    size_t foreign = 0;
    for (size_t i = 0; i < sample_count; i++) {
        if (is_foreign(samples[i].path)) {
            foreign++;
            continue;
        }
        /* Gaps belong to nothing, though nothing is wrong with them. */
        const bool odd = strstr(samples[i].path, "damaged/") || strstr(samples[i].path, "odd-layout");
        lvl_measure *m = odd ? &other : &sound;
        const lvl_bytes bytes = {samples[i].data, samples[i].len};
        assert_true(lvl_measure_bytes(m, format_of(samples[i].path), bytes, samples[i].path));
        if (sound.residue_bits || sound.overlap_bits || sound.errors)
            fail_msg("%s isn't sound", samples[i].path);
    }
    assert_int_equal(sound.files + other.files + foreign, sample_count);
    assert_int_equal(sound.exact, sound.files);
    assert_int_equal(other.exact, other.files);
}

/* The ids of findings from `least` up, each once, in order of the alphabet, with blanks between. */
static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void ids_of(const lvl_findings *findings, lvl_severity least, char *out, size_t size)
{
    const char *ids[256];
    size_t count = 0, len = 0;

    for (size_t i = 0; i < lvl_findings_count(findings) && count < 256; i++)
        if (lvl_findings_at(findings, i)->severity >= least)
            ids[count++] = lvl_findings_at(findings, i)->def->id;
    qsort(ids, count, sizeof ids[0], by_name);
    out[0] = 0;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || strcmp(ids[i], ids[i - 1]) != 0)
            len += (size_t)snprintf(out + len, len < size ? size - len : 0, "%s%s", len ? " " : "", ids[i]);
}

static lvl_verdict check(lvl_bytes bytes, const char *name, lvl_severity least, char *ids, size_t size,
                         lvl_check_result *result)
{
    const lvl_check_options options = {.roundtrip = true};
    lvl_findings *findings = lvl_findings_new(&ctx);

    assert_non_null(findings);
    assert_int_equal(lvl_check(&ctx, format_of(name), bytes, name, &options, findings, result, NULL), LVL_OK);
    ids_of(findings, least, ids, size);
    lvl_findings_free(findings);
    return result->verdict;
}

/* Samples that break rules of their game. */
static const char *const warnings[][2] = {
    {"small/small.wwd", "claw.exit.none"},
    {"wwd/garden/keepers-garden.wwd", "gruntz.covered.place gruntz.exit.no_stone gruntz.switch.address"},
};

static const char *warnings_of(const char *path)
{
    for (size_t i = 0; i < sizeof warnings / sizeof warnings[0]; i++) {
        if (!strcmp(path, warnings[i][0]))
            return warnings[i][1];
    }
    return "";
}

static void test_sound(void **state)
{
    (void)state;
    size_t checked = 0;

    for (size_t i = 0; i < sample_count; i++) {
        const sample *s = &samples[i];
        lvl_check_result result;
        char ids[1024];
        if (strstr(s->path, "damaged/") || is_foreign(s->path))
            continue;
        check((lvl_bytes){s->data, s->len}, s->path, LVL_WARNING, ids, sizeof ids, &result);
        const bool gaps = strstr(s->path, "odd-layout") != NULL;
        if (result.verdict != LVL_SOUND || strcmp(ids, warnings_of(s->path)) || !result.roundtrip ||
            (result.residue != 0) != gaps)
            fail_msg("%s: %s, roundtrip %d, residue %llu: %s", s->path, lvl_verdict_name(result.verdict),
                     result.roundtrip, (unsigned long long)result.residue, ids);
        checked++;
    }
    assert_true(checked > 100);
}

/* What each level is that has no warnings, by its notes. */
#define RULES "claw.enemy.base claw.health.unread claw.item.unread claw.pickup.picture" /* of the game book */
static const char *const notes[][2] = {
    {"wwd/cliffs.wwd", RULES},
    {"wwd/cliffs-stored.wwd", RULES},
    {"wwd/cliffs-wapmap.wwd", RULES " wwd.checksum.rule"},
    {"wwd/cliffs-libwap32.wwd", RULES " wwd.checksum.rule"},
    {"wwd/odd-layout.wwd", RULES " wwd.gap"},
    {"wwd/odd-names.wwd", RULES},
    {"wwd/damaged/ids.wwd", RULES " wwd.object.duplicate_id"},
    {"wwd/polish.wwd", RULES},
    {"wwd/garden/keepers-garden.wwd", "gruntz.covered.place gruntz.exit.no_stone gruntz.switch.address"},
    {"graal/lakeside/lake_meadow.nw", ""},
    {"graal/lakeside/frost_pass.graal", ""},
    {"graal/lakeside/lakeside.gmap", ""},
    {"graal/lakeside/lakeside_bigmap.txt", ""},
    {"graal/versions/z3-v1.02.zelda", ""},
    {"graal/versions/gr-v1.05.graal", ""},
    {"graal/styles/extended.nw", ""},
    {"graal/ganis/meeting.gani", ""},
    {"graal/damaged/missing-rows.nw", "graal.nw.absent"},
};

static void test_notes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++) {
        const sample *s = sample_at(notes[i][0]);
        lvl_check_result result;
        char ids[1024];
        check((lvl_bytes){s->data, s->len}, s->path, LVL_NOTE, ids, sizeof ids, &result);
        if (strcmp(ids, notes[i][1]) != 0)
            fail_msg("%s: \"%s\" instead of \"%s\"", s->path, ids, notes[i][1]);
    }
}

/* Every damaged twin: what is found from warnings up, and what of it is left after repair. */
static const struct damage {
    const char *name;
    const char *found, *left;
    lvl_verdict verdict;
} damages[] = {
    {"truncated",
     "wwd.checksum.mismatch wwd.objects.cut wwd.stream.truncated wwd.tile.no_property "
     "wwd.tile_properties.cut wwd.tile_properties.header_size",
     "claw.exit.none claw.start.falls", LVL_DAMAGED},
    {"flipped",
     "wwd.checksum.mismatch wwd.header.inflated_size wwd.objects.cut wwd.objects.skipped "
     "wwd.stream.checksum wwd.tile.no_property wwd.tile_properties.header_size wwd.tile_properties.type",
     "claw.start.falls", LVL_DAMAGED},
    {"cut-stored",
     "wwd.checksum.mismatch wwd.objects.cut wwd.tile.no_property wwd.tile_properties.cut "
     "wwd.tile_properties.header_size",
     "claw.start.falls", LVL_DAMAGED},
    {"checksum", "wwd.checksum.mismatch", "wwd.checksum.mismatch", LVL_SOUND},
    {"size", "wwd.header.inflated_size", "", LVL_FAULTY},
    {"offset", "wwd.offset.wrong", "", LVL_DAMAGED},
    {"huge-plane", "wwd.tiles.shape", "", LVL_DAMAGED},
    {"unterminated", "wwd.header.unterminated", "wwd.header.unterminated", LVL_SOUND},
    {"logics", "wwd.object.no_logic wwd.object.unknown_logic", "wwd.object.no_logic wwd.object.unknown_logic",
     LVL_SOUND},
    {"outside", "wwd.object.outside", "wwd.object.outside", LVL_SOUND},
    {"ids", "", "", LVL_SOUND}, /* a note, since games don't mind */
    {"long-string", "wwd.object.text_overflow", "wwd.object.text_overflow", LVL_FAULTY},
    {"base-level", "wwd.name.base_mismatch", "wwd.name.base_mismatch", LVL_SOUND},
    {"images", "", "", LVL_SOUND}, /* nothing without art to look in */
    {"properties", "wwd.tile.no_property", "", LVL_FAULTY},
    {"mask", "wwd.tile_properties.mask", "wwd.tile_properties.mask", LVL_FAULTY},
    {"stale-baddies.graal", "graal.stale.baddy graal.stale.end", "", LVL_FAULTY},
    {"stale-chests.graal", "graal.stale.chest", "", LVL_FAULTY},
    {"cut-tiles.graal", "graal.tiles.cut", "", LVL_DAMAGED},
    {"cut-npcs.graal", "graal.section.cut", "", LVL_DAMAGED},
    {"unclosed-npc.nw", "graal.nw.unclosed", "", LVL_DAMAGED},
    {"missing-rows.nw", "", "", LVL_SOUND}, /* a note: games take tile 0 there */
    {"missing-sign.nw", "graal.chest.sign", "graal.chest.sign", LVL_SOUND},
    {"off-board.nw", "graal.baddy.off_board graal.link.expression graal.link.off_board",
     "graal.baddy.off_board graal.link.expression graal.link.off_board", LVL_SOUND},
    {"wrong-size.gmap", "gmap.row.short gmap.size.wrong", "gmap.row.short", LVL_FAULTY},
    {"cut-gzip.level", "sketchy.gzip.truncated sketchy.json.broken sketchy.json.lost sketchy.pixel.index", "",
     LVL_DAMAGED},
    {"trailing.level", "sketchy.json.trailing", "", LVL_DAMAGED},
    {"few-colors.level", "sketchy.level.wallpaper sketchy.pixel.index", "sketchy.level.wallpaper",
     LVL_DAMAGED},
    {"no-color.level", "sketchy.actor.link_to_nothing sketchy.level.wallpaper sketchy.swatch.color",
     "sketchy.actor.link_to_nothing sketchy.level.wallpaper", LVL_FAULTY},
    {"dangling.gani", "gani.attachment.child", "gani.attachment.child", LVL_SOUND},
};

static void test_damaged(void **state)
{
    (void)state;
    size_t twins = 0;

    for (size_t i = 0; i < sample_count; i++)
        twins += strstr(samples[i].path, "damaged/") != NULL;
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        const struct damage *d = &damages[i];
        char path[128], ids[1024];
        lvl_check_result result;
        lvl_buffer repaired = {0}, again = {0};
        lvl_doc *doc = NULL;
        lvl_findings *changes = lvl_findings_new(&ctx);

        snprintf(path, sizeof path,
                 ends_with(d->name, ".level") ? "sketchy/damaged/%s"
                 : strchr(d->name, '.')       ? "graal/damaged/%s"
                                              : "wwd/damaged/%s.wwd",
                 d->name);
        const sample *s = sample_at(path);
        check((lvl_bytes){s->data, s->len}, path, LVL_WARNING, ids, sizeof ids, &result);
        if (strcmp(ids, d->found) != 0 || result.verdict != d->verdict || !result.roundtrip)
            fail_msg("%s: %s, roundtrip %d, \"%s\" instead of \"%s\"", d->name,
                     lvl_verdict_name(result.verdict), result.roundtrip, ids, d->found);

        assert_non_null(changes);
        assert_int_equal(lvl_read(&doc, &ctx, NULL, (lvl_bytes){s->data, s->len}, path, 0, NULL), LVL_OK);
        assert_int_equal(lvl_repair(doc, NULL, changes, &repaired), LVL_OK);
        /* A change is reported if and only if the bytes differ. */
        assert_int_equal(lvl_findings_count(changes) == 0,
                         repaired.len == s->len && memcmp(repaired.data, s->data, s->len) == 0);
        lvl_doc_free(doc);
        check((lvl_bytes){repaired.data, repaired.len}, path, LVL_WARNING, ids, sizeof ids, &result);
        if (strcmp(ids, d->left) != 0)
            fail_msg("%s, repaired: \"%s\" instead of \"%s\"", d->name, ids, d->left);

        lvl_findings_clear(changes);
        assert_int_equal(lvl_read(&doc, &ctx, NULL, (lvl_bytes){repaired.data, repaired.len}, path, 0, NULL),
                         LVL_OK);
        assert_int_equal(lvl_repair(doc, NULL, changes, &again), LVL_OK);
        assert_int_equal(lvl_findings_count(changes), 0);
        assert_int_equal(again.len, repaired.len);
        assert_memory_equal(again.data, repaired.data, repaired.len);
        lvl_doc_free(doc);
        lvl_buffer_free(&repaired);
        lvl_buffer_free(&again);
        lvl_findings_free(changes);
    }
    assert_int_equal(twins, sizeof damages / sizeof damages[0]);
}

/* Baddies that stood among the NPCs come back as what they were. */
static void test_recover(void **state)
{
    (void)state;
    const sample *s = sample_at("graal/damaged/stale-baddies.graal");
    const lvl_repair_options options = {.recover = true};
    lvl_findings *changes = lvl_findings_new(&ctx);
    lvl_doc *doc = NULL;

    assert_non_null(changes);
    assert_int_equal(lvl_read(&doc, &ctx, NULL, (lvl_bytes){s->data, s->len}, s->path, 0, NULL), LVL_OK);
    const lvl_graal *level = lvl_doc_croot(doc);
    const uint32_t baddies = level->baddy_count, npcs = level->npc_count;
    assert_int_equal(lvl_repair(doc, &options, changes, NULL), LVL_OK);
    level = lvl_doc_croot(doc);
    assert_int_equal(level->baddy_count, baddies + 3);
    assert_int_equal(level->npc_count, npcs - 4); /* and the end mark */
    bool found = false;
    for (uint32_t i = 0; i < level->baddy_count; i++)
        found |= level->baddies[i].x == 12 && level->baddies[i].y == 20 && level->baddies[i].type == 1 &&
                 lvl_text_is(level->baddies[i].win, "That was easy.");
    assert_true(found);
    lvl_doc_free(doc);
    lvl_findings_free(changes);
}

static void test_kinds(void **state)
{
    (void)state;
    static const char *const endings[] = {".wwd",   ".PID",    ".pid",      ".pal",  ".PAL", ".pcx",
                                          ".PCX",   ".bmp",    ".mng",      ".ani",  ".REZ", ".zelda",
                                          ".graal", ".nw",     ".gani",     ".gmap", ".txt", ".png",
                                          ".level", ".doodad", ".levelpack"};

    for (size_t e = 0; e < sizeof endings / sizeof endings[0]; e++) {
        size_t count = 0;
        for (size_t i = 0; i < sample_count; i++)
            count += ends_with(samples[i].path, endings[e]);
        if (!count)
            fail_msg("no sample ends in %s", endings[e]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_size),    cmocka_unit_test(test_kinds), cmocka_unit_test(test_sound),
        cmocka_unit_test(test_exact),   cmocka_unit_test(test_notes), cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_recover),
    };
    return cmocka_run_group_tests_name("samples", tests, load, drop);
}
