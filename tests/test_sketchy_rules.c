/*
 * The rules of Sketchy Maze: each fault that is put into a level is found, and a level without one has no
 * finding. What real levels have is only noted.
 */
#include "base/format.h"
#include "corpus.h"
#include "expect.h"
#include "games/book.h"

#include <lvl/sketchy.h>
#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

/* A level of the first generation, one JSON text: 1000 x 1000 px, solid from 384, 196 to 639, 199. */
static char *level(const char *actors, const char *swatches, const char *rest)
{
    enum { ROOM = 40000 };
    char *text = malloc(ROOM);
    int at = 0;

    assert_non_null(text);
    at += snprintf(text, ROOM,
                   "{\"version\":1,\"gameVersion\":\"0.14.0\",\"chunks\":{\"size\":128,\"chunks\":{");
    for (int c = 3; c < 5; c++) {
        at += snprintf(text + at, ROOM, "%s\"%d,1\":{\"type\":0,\"data\":{", c == 3 ? "" : ",", c);
        for (int i = 0; i < 4 * 128; i++)
            at += snprintf(text + at, ROOM - (size_t)at, "%s\"%d,%d\":0", i ? "," : "", c * 128 + i % 128,
                           196 + i / 128);
        at += snprintf(text + at, ROOM - (size_t)at, "}}");
    }
    snprintf(text + at, ROOM - (size_t)at,
             "}},\"palette\":{\"swatches\":[{\"name\":\"solid\",\"color\":\"#000000\",\"pattern\":\"\","
             "\"solid\":true}%s]},"
             "\"pageType\":2,\"boundedWidth\":1000,\"boundedHeight\":1000,\"actors\":{%s}%s}",
             swatches, actors, rest);
    return text;
}

static lvl_findings *findings_of(const char *text)
{
    lvl_findings *found = lvl_findings_new(&ctx);
    const lvl_check_request request = {.findings = found};
    lvl_doc *doc = NULL;

    assert_int_equal(lvl_read(&doc, &ctx, lvl_format_find("sketchy"), lvl_bytes_of(text), "a.level",
                              LVL_READ_BORROW, NULL),
                     LVL_OK);
    assert_int_equal(lvl_doc_format(doc)->calls->check(doc, &request), LVL_OK);
    lvl_doc_free(doc);
    return found;
}

/* Whether a rule of the book is broken: this one (NULL: any). */
static size_t broken(const lvl_findings *found, const char *id)
{
    size_t n = 0;

    for (size_t i = 0; i < lvl_findings_count(found); i++) {
        const lvl_finding_def *def = lvl_findings_at(found, i)->def;
        for (uint32_t k = 0; k < lvl_book_sketchy.rule_count; k++)
            n += def == &lvl_book_sketchy.rules[k].def && (!id || strcmp(def->id, id) == 0);
    }
    return n;
}

#define A(id, file, x, y, more) \
    "\"" id "\":{\"filename\":\"" file ".doodad\",\"point\":\"" #x "," #y "\"" more "}"
#define LINKS(ids)          ",\"links\":[" ids "]"
#define OPTION(name, value) ",\"options\":{\"" name "\":{\"type\":\"bool\",\"value\":" value "}}"
#define START               A("s", "start-flag", 400, 110, "")
#define EXIT                A("e", "exit-flag", 500, 110, "")
#define BOTH                START "," EXIT ","

/* A fault: actors, swatches, other members; the rule that finds it, and how its text begins. */
static const struct fault {
    const char *actors, *swatches, *rest, *rule, *text;
} faults[] = {
    {START, "", "", "sketchy.exit.none", "there is no exit flag"},
    {EXIT, "", "", "sketchy.start.none", "there is no start flag: the player starts at 0, 0"},
    {BOTH A("t", "start-flag", 420, 110, ""), "", "", "sketchy.start.many",
     "start-flag.doodad at 420, 110: the game"},
    {EXIT "," A("a", "boy", 400, 140, LINKS("\"s\"")) "," A("b", "thief", 440, 140, LINKS("\"s\"")) "," A(
         "s", "start-flag", 400, 110, LINKS("\"a\",\"b\"")),
     "", "", "sketchy.start.characters", "start-flag"},
    {EXIT "," A("s", "start-flag", 100, 110, ""), "", "", "sketchy.start.no_floor",
     "start-flag.doodad at 100, 110: the player falls"},
    {BOTH A("k", "button-sticky", 100, 150, LINKS("\"d\"")) "," A("d", "door-electric", 420, 120,
                                                                  LINKS("\"k\"")),
     "", "", "sketchy.actor.no_floor", "button-sticky.doodad at 100, 150"},
    {BOTH A("d", "door-red", 420, 120, ""), "", "", "sketchy.door.no_key",
     "door-red.doodad at 420, 120: it cannot"},
    {BOTH A("d", "small-key-door", 420, 120, "") "," A("f", "small-key-door", 450, 120,
                                                       "") "," A("k", "small-key", 430, 120, ""),
     "", "", "sketchy.door.few_keys", "2 actors, the first is small-key-door"},
    {BOTH A("k", "key-red", 430, 120, ""), "", "", "sketchy.key.unused", "key-red.doodad"},
    {BOTH A("d", "door-electric", 420, 120, ""), "", "", "sketchy.power.none", "door-electric.doodad at"},
    {BOTH A("d", "camera-focus", 420, 120, ""), "", "", "sketchy.power.camera", "camera-focus.doodad at"},
    {BOTH A("d", "switch", 420, 120, ""), "", "", "sketchy.power.unlinked",
     "switch.doodad at 420, 120: it does nothing"},
    {BOTH A("w", "warp-door", 420, 120, ""), "", "", "sketchy.warp.alone", "warp-door.doodad at"},
    {BOTH A("u", "warp-door", 420, 120, LINKS("\"v\",\"w\"")) "," A(
         "v", "warp-door", 440, 120, LINKS("\"u\"")) "," A("w", "warp-door", 460, 120, LINKS("\"u\"")),
     "", "", "sketchy.warp.many", "warp-door.doodad at 420"},
    {BOTH A("u", "warp-door-blue", 420, 120, LINKS("\"v\"")) "," A("v", "warp-door-orange", 440, 120,
                                                                   LINKS("\"u\"")),
     "", "", "sketchy.warp.state", "warp-door-orange.doodad at 440, 120: it never works"},
    {BOTH A("b", "state-block-blue", 420, 120, ""), "", "", "sketchy.state.no_button",
     "state-block-blue.doodad"},
    {BOTH A("b", "state-button", 420, 120, ""), "", "", "sketchy.state.no_blocks", "state-button.doodad"},
    {BOTH A("b", "crusher", 420, 120, LINKS("\"b\"")), "", "", "sketchy.link.self", "crusher.doodad"},
    {BOTH A("b", "crusher", 420, 120, LINKS("\"c\"")) "," A("c", "anvil", 420, 120, LINKS("\"b\"")), "", "",
     "sketchy.link.unused", "2 actors, the first is crusher.doodad"},
    {BOTH A("t", "gem-totem-red", 420, 120, LINKS("\"d\"")) "," A("d", "door-electric", 420, 120,
                                                                  LINKS("\"t\"")),
     "", "", "sketchy.totem.few_gems", "gem-totem-red.doodad"},
    {BOTH A("t", "gem-totem-red", 420, 120, "") "," A("g", "gem-red", 420, 120, ""), "", "",
     "sketchy.totem.no_receiver", "gem-totem-red.doodad"},
    {BOTH A("t", "gem-totem-red", 420, 120, LINKS("\"u\"") OPTION("has gemstone", "true")) "," A(
         "u", "gem-totem-red", 440, 120, LINKS("\"t\",\"d\"")) "," A("g", "gem-red", 420, 120,
                                                                     "") "," A("d", "door-electric", 420, 120,
                                                                               LINKS("\"u\"")),
     "", "", "sketchy.totem.prefilled", "gem-totem-red.doodad at 420"},
    {BOTH A("t", "gem-totem-red", 420, 120, LINKS("\"u\"")) "," A(
         "u", "gem-totem-red", 440, 120,
         LINKS("\"t\",\"v\"")) "," A("v", "gem-totem-red", 460, 120,
                                     LINKS("\"u\",\"d\"")) "," A("d", "door-electric", 420, 120,
                                                                 LINKS("\"v\"")),
     "", "", "sketchy.totem.partial", "gem-totem-red.doodad at 460"},
    {BOTH A("a", "snake", 420, 120, "") "," A("b", "snake", 420, 120, ""), "", "", "sketchy.actor.same_place",
     "snake"},
    {BOTH A("a", "snake", 2000, 120, ""), "", "", "sketchy.actor.outside",
     "snake.doodad at 2000, 120: it cannot"},
    {BOTH A("a", "snake", 420, -70, ""), "", "", "sketchy.actor.outside", "snake.doodad at 420, -70"},
    {BOTH A("a", "snake", 420, 120, OPTION("No AI", "true")), "", "", "sketchy.option.unknown",
     "snake.doodad"},
    {BOTH A("a", "snake", 420, 120, ""), ",{\"name\":\"Fire\",\"color\":\"#ff0000\"}", "",
     "sketchy.swatch.fire", "\"Fire\": it is harmless"},
    {BOTH A("a", "snake", 420, 120, ""), ",{\"name\":\"water\",\"color\":\"#0000ff\"}", "",
     "sketchy.swatch.water", "\"water\": nobody swims in it"},
    {BOTH A("a", "snake", 420, 120, ""), ",{\"name\":\"ice\",\"color\":\"#00ffff\",\"slippery\":true}", "",
     "sketchy.swatch.slippery", "\"ice\""},
    {BOTH A("a", "snake", 420, 120, ""), ",{\"name\":\"black\",\"color\":\"#000\"}", "",
     "sketchy.palette.alike", "\"black\" has the name or the colour of \"solid\", number 0"},
    {BOTH A("a", "snake", 420, 120, ""), "", ",\"files\":{\"assets/doodads/snake.doodad\":{\"data\":\"\"}}",
     "sketchy.doodad.shadowed", "snake.doodad is one of the game's doodads, too"},
    {BOTH A("a", "snake", 420, 120, ""), "", ",\"files\":{\"assets/doodads/mine.doodad\":{\"data\":\"\"}}",
     "sketchy.doodad.attached", "doodads are attached: the free version"},
    {BOTH A("a", "snake", 420, 120, ""), "", ",\"pageType\":3", "sketchy.page.bordered",
     "the page is bordered"},
};

static void each_fault_is_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(faults); i++) {
        const struct fault *f = &faults[i];
        char *text = level(f->actors, f->swatches, f->rest);
        lvl_findings *found = findings_of(text);
        bool said = false;
        for (size_t k = 0; k < lvl_findings_count(found); k++) {
            const lvl_finding *one = lvl_findings_at(found, k);
            said = said ||
                   (strcmp(one->def->id, f->rule) == 0 && strncmp(one->text, f->text, strlen(f->text)) == 0);
        }
        if (!said || broken(found, f->rule) != 1) {
            for (size_t k = 0; k < lvl_findings_count(found); k++)
                fprintf(stderr, "%s: %s\n", lvl_findings_at(found, k)->def->id,
                        lvl_findings_at(found, k)->text);
            fail_msg("%s: %s", f->rule, f->actors);
        }
        lvl_findings_free(found);
        free(text);
    }
}

/* What only looks wrong. */
static void sound_levels_have_no_finding(void **state)
{
    static const char *const levels[] = {
        "",
        START "," EXIT,
        START "," A("e", "reg-goal", 500, 110, ""),
        START "," A("e", "my-own-goal", 500, 110, ""),
        BOTH A("d", "door-red", 420, 120, OPTION("unlocked", "true")),
        BOTH A("d", "door-red", 420, 120, "") "," A("f", "door-red", 450, 120, "") "," A("k", "key-red", 430,
                                                                                         120, ""),
        BOTH A("d", "door-electric", 420, 120, OPTION("opened", "true")),
        BOTH A("k", "switch", 420, 120, LINKS("\"d\"")) "," A("d", "door-electric", 420, 120, ""),
        BOTH A("u", "warp-door", 420, 120, LINKS("\"v\"")) "," A("v", "warp-door", 440, 120, ""),
        BOTH A("b", "state-button", 420, 120, "") "," A("u", "warp-door-blue", 420, 120,
                                                        LINKS("\"v\"")) "," A("v", "warp-door-orange", 440,
                                                                              120, LINKS("\"u\"")),
        EXIT "," A("a", "boy", 400, 140, LINKS("\"s\"")) "," A("s", "start-flag", 400, 110, LINKS("\"a\"")),
        EXIT "," A("s", "start-flag", 100, 110, "") "," A("f", "crumbly-floor", 90, 194, ""),
        BOTH A("x", "mine", 420, 120, LINKS("\"x\",\"y\"")) "," A("y", "anvil", 440, 120, ""),
    };

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(levels); i++) {
        char *text = level(levels[i], "", "");
        lvl_findings *found = findings_of(text);
        const size_t self =
            strstr(levels[i], "\"x\",\"y\"") ? 1 : 0; /* a link to itself is noted for any doodad */
        if (broken(found, NULL) != self) {
            for (size_t k = 0; k < lvl_findings_count(found); k++)
                fprintf(stderr, "%s: %s\n", lvl_findings_at(found, k)->def->id,
                        lvl_findings_at(found, k)->text);
            fail_msg("%s", levels[i]);
        }
        lvl_findings_free(found);
        free(text);
    }
}

/* The levels that came with the game, and its doodads. */
static void real_files_have_notes_only(void **state)
{
    static const char *const folders[] = {"level-v2-gzip", "level-v3-json", "level-v3.1-bin",
                                          "made/doodads-v3.1"};
    const char *corpus = lvl_corpus_dir();
    size_t files = 0;

    (void)state;
    if (!corpus)
        skip();
    for (size_t k = 0; k < LVL_COUNT_OF(folders); k++) {
        lvl_paths paths = {0};
        char folder[1024];
        snprintf(folder, sizeof folder, "%s/sketchy/%s", corpus, folders[k]);
        assert_true(lvl_paths_below(&paths, folder, "level doodad"));
        for (size_t i = 0; i < paths.count; i++, files++) {
            lvl_findings *found = lvl_findings_new(&ctx);
            const lvl_check_request request = {.findings = found};
            lvl_doc *doc = NULL;
            assert_int_equal(lvl_load(&doc, &ctx, paths.items[i], NULL), LVL_OK);
            assert_int_equal(lvl_doc_format(doc)->calls->check(doc, &request), LVL_OK);
            for (size_t n = 0; n < lvl_findings_count(found); n++) {
                const lvl_finding *f = lvl_findings_at(found, n);
                if (broken(found, f->def->id) && f->severity > LVL_NOTE)
                    fail_msg("%s: %s: %s", paths.items[i], f->def->id, f->text);
            }
            lvl_findings_free(found);
            lvl_doc_free(doc);
        }
        lvl_paths_free(&paths);
    }
    assert_true(files > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_fault_is_found),
                                       cmocka_unit_test(sound_levels_have_no_finding),
                                       cmocka_unit_test(real_files_have_notes_only)};

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
