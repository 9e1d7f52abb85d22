/*
 * The rules of Sketchy Maze without memory, and on scripts that are damaged at random: each call of malloc
 * fails once, and the check says so or ends as before.
 */
#include "base/format.h"
#include "base/text.h"
#include "sketchy_make.h"
#include "starve.h"

#include <lvl/sketchy.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

static const char script[] =
    "const color = Self.GetTag('color'), {a, b} = {a: 1, b: /[/]$/g};\n"
    "let word = Self.GetOption(\"delay\"), text = `${word} ${`in ${a}`}`;\n"
    "/* it */ function main() {\n"
    "    Self.AddAnimation('on', 100, ['on', 'off', 2]);\n"
    "    Message.Subscribe('pwoer', (on) => { if (on) Self.Hide(); });\n"
    "    for (let [key, value] of Object.entries(b)) Flsh(key, value, text, color);\n"
    "    Sound.Play('unlock.wav'); Actors.New('key-bleu.doodad'); Self.Hdie(1);\n"
    "}\n";

static lvl_doc *doodad(lvl_text text)
{
    lvl_doc *doc = lvl_make_doodad(&ctx, LVL_SKETCHY_V3_1);

    assert_non_null(doc);
    ((lvl_sketchy *)lvl_doc_root(doc))->script = text;
    return doc;
}

/* A level with the rules that need most: links, floors, groups. */
static lvl_doc *level(void)
{
    lvl_doc *doc = lvl_make_sketch(&ctx, LVL_SKETCHY_V3_1);

    assert_non_null(doc);
    lvl_sketchy *d = lvl_doc_root(doc);
    d->actors[0].filename = lvl_text_of("gem-totem-red.doodad");
    d->actors[1].filename = lvl_text_of("start-flag.doodad");
    d->actors[1].point = (lvl_sketchy_point){-20, -60};
    assert_true(lvl_make_attached(doc, "assets/doodads/mine.doodad", (lvl_bytes){(const uint8_t *)"PK", 2}));
    return doc;
}

static lvl_status check(const lvl_doc *doc, size_t *count)
{
    lvl_findings *found = lvl_findings_new(&ctx);
    const lvl_check_request request = {.findings = found};

    if (!found)
        return LVL_ERR_MEMORY;
    lvl_status status = lvl_doc_format(doc)->calls->check(doc, &request);
    status = status == LVL_OK ? lvl_findings_status(found) : status;
    *count = lvl_findings_count(found);
    lvl_findings_free(found);
    return status;
}

static void starve(lvl_doc *doc, size_t least)
{
    size_t before = 0, count = 0;

    assert_int_equal(check(doc, &before), LVL_OK);
    assert_true(before >= least);
    for (uint64_t i = 1; lvl_starve_works() && i < 20000; i++) {
        lvl_starve_from(i, false);
        const lvl_status status = check(doc, &count);
        const bool all = lvl_starve_calls() < i;
        lvl_starve_from(0, false);
        assert_true(status == LVL_ERR_MEMORY || (status == LVL_OK && count == before));
        if (all)
            break;
    }
    lvl_doc_free(doc);
}

static void without_memory(void **state)
{
    (void)state;
    starve(doodad(lvl_text_of(script)), 5);
    starve(level(), 2);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

/* Characters replaced, cut out and repeated; each script in memory of its own size, for sanitizers. */
static void damaged_scripts(void **state)
{
    enum { TRIALS = 2000 };
    static const char odd[] = "(){}[]`'\"/\\$*,;:=.\n ae0@#\0\x80\xff";
    uint32_t seed = 1;

    (void)state;
    for (int trial = 0; trial < TRIALS; trial++) {
        const size_t from = next_random(&seed) % 200, len = next_random(&seed) % (sizeof script - from);
        char *copy = malloc(len + 1);
        size_t count;
        assert_non_null(copy);
        char *exact = malloc(len ? len : 1);
        assert_non_null(exact);
        memcpy(copy, script + from, len);
        for (int k = 0; len && k < trial % 8; k++)
            copy[next_random(&seed) % len] = odd[next_random(&seed) % (sizeof odd - 1)];
        memcpy(exact, copy, len);
        lvl_doc *doc = doodad((lvl_text){exact, len});
        assert_int_equal(check(doc, &count), LVL_OK);
        lvl_doc_free(doc);
        free(copy);
        free(exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(without_memory), cmocka_unit_test(damaged_scripts)};

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
