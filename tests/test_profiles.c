/*
 * Profiles: strict, game and salvage, and the programs of a game whose rules differ. Such a program is a
 * profile with a name. The list of findings and `info` show the severities of the profile, and the profile
 * game is the newest release for everything that it can read.
 */
#include "base/info.h"
#include "base/format.h"
#include "corpus.h"
#include "expect.h"
#include "level_make.h"
#include "sketchy_make.h"
#include "tools/world/reference.h"

#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = 16 };

static const char release[] = "sketchy-0.14.0", head[] = "sketchy-head";

static lvl_buffer file_of(lvl_doc *doc)
{
    lvl_buffer out = {0};

    assert_true(lvl_make_file(doc, &out));
    return out;
}

static lvl_ctx asking(const char *profile)
{
    lvl_ctx ctx;

    lvl_ctx_init(&ctx);
    assert_true(lvl_ctx_set_profile(&ctx, profile));
    return ctx;
}

/* Checks as that profile; the findings are of that context, which outlives them. */
static lvl_findings *check(const lvl_ctx *ctx, lvl_bytes bytes, lvl_verdict *verdict)
{
    lvl_findings *found = lvl_findings_new(ctx);
    lvl_check_result result;

    assert_non_null(found);
    assert_int_equal(lvl_check(ctx, NULL, bytes, "x.level", NULL, found, &result, NULL), LVL_OK);
    *verdict = result.verdict;
    return found;
}

/* The worst severity of findings with that id; LVL_NONE: none. */
static lvl_severity says(lvl_bytes bytes, const char *profile, const char *id)
{
    const lvl_ctx ctx = asking(profile);
    lvl_severity worst = LVL_NONE;
    lvl_verdict verdict;
    lvl_findings *found = check(&ctx, bytes, &verdict);

    for (size_t i = 0; i < lvl_findings_count(found); i++) {
        const lvl_finding *f = lvl_findings_at(found, i);
        if (strcmp(f->def->id, id) == 0 && f->severity > worst)
            worst = f->severity;
    }
    lvl_findings_free(found);
    return worst;
}

static lvl_verdict judged(lvl_bytes bytes, const char *profile)
{
    const lvl_ctx ctx = asking(profile);
    lvl_verdict verdict;

    lvl_findings_free(check(&ctx, bytes, &verdict));
    return verdict;
}

/* ---- the mechanism ----------------------------------------------------------------------------------- */

static bool has_def(const lvl_program *program, const lvl_finding_def *def)
{
    const lvl_format *format;
    bool has = false;

    for (size_t i = 0; (format = lvl_format_at(i)) != NULL; i++) {
        bool its = false;
        for (uint32_t k = 0; k < format->program_count; k++)
            its = its || &format->programs[k] == program;
        for (uint32_t k = 0; its && k < format->finding_count; k++)
            has = has || &format->findings[k] == def;
    }
    return has;
}

static void tables_make_sense(void **state)
{
    const lvl_program *p, *other;
    size_t count = 0;

    (void)state;
    for (; (p = lvl_program_at(count)) != NULL; count++) {
        lvl_profile profile;
        assert_true(p->name[0] && p->title[0] && p->prose[0]);
        assert_false(lvl_profile_parse(p->name, &profile));
        for (const char *c = p->name; *c; c++)
            assert_true((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '-' || *c == '.');
        for (size_t i = 0; i < count; i++) {
            other = lvl_program_at(i);
            assert_string_not_equal(other->name, p->name);
        }
        assert_true(p->judgement_count > 0);
        for (uint32_t i = 0; i < p->judgement_count; i++) {
            const lvl_judgement *j = &p->judgements[i];
            assert_true(has_def(p, j->def));
            assert_int_not_equal(j->severity, j->def->severity[LVL_PROFILE_GAME]);
            for (uint32_t k = 0; k < i; k++)
                assert_ptr_not_equal(p->judgements[k].def, j->def);
        }
    }
    assert_true(count >= 2);
}

static void names_choose(void **state)
{
    lvl_ctx ctx;

    (void)state;
    lvl_ctx_init(&ctx);
    assert_null(ctx.program);
    assert_true(lvl_ctx_set_profile(&ctx, head));
    assert_int_equal(ctx.profile, LVL_PROFILE_GAME);
    assert_string_equal(ctx.program->name, head);
    static const char *const none[] = {"", "head", "sketchy", "sketchy-0.14", "game:head", "Strict"};
    for (size_t i = 0; i < LVL_COUNT_OF(none); i++) {
        assert_false(lvl_ctx_set_profile(&ctx, none[i]));
        assert_string_equal(ctx.program->name, head);
    }
    assert_true(lvl_ctx_set_profile(&ctx, "salvage"));
    assert_int_equal(ctx.profile, LVL_PROFILE_SALVAGE);
    assert_null(ctx.program);
}

/* A program is one reading of the profile game: the others don't ask it, nor do findings that it has no word
 * on. */
static void programs_are_the_game(void **state)
{
    static const lvl_finding_def known = {"toy.known", "", {LVL_FATAL, LVL_WARNING, LVL_NOTE}, NULL, 0},
                                 other = {"toy.other", "", {LVL_ERROR, LVL_NOTE, LVL_NONE}, NULL, 0};
    static const lvl_judgement judgements[] = {{&known, LVL_ERROR}};
    static const lvl_program program = {"toy-1", "1", "a toy", judgements, 1};
    lvl_ctx ctx;

    (void)state;
    lvl_ctx_init(&ctx);
    assert_int_equal(lvl_severity_for(&ctx, &known), LVL_WARNING);
    ctx.program = &program;
    assert_int_equal(lvl_severity_for(&ctx, &known), LVL_ERROR);
    assert_int_equal(lvl_severity_for(&ctx, &other), LVL_NOTE);
    lvl_findings *list = lvl_findings_new(&ctx);
    lvl_findings_add(list, &known, NULL, NULL, "x");
    lvl_findings_add(list, &other, NULL, NULL, "x");
    assert_int_equal(lvl_findings_of(list, LVL_ERROR), 1);
    assert_int_equal(lvl_findings_of(list, LVL_NOTE), 1);
    assert_int_equal(lvl_findings_at(list, 0)->severity, LVL_ERROR);
    lvl_findings_free(list);
    ctx.profile = LVL_PROFILE_STRICT;
    assert_int_equal(lvl_severity_for(&ctx, &known), LVL_FATAL);
    ctx.profile = LVL_PROFILE_SALVAGE;
    assert_int_equal(lvl_severity_for(&ctx, &known), LVL_NOTE);
}

static void the_list_tells(void **state)
{
    lvl_buffer out = {0};
    lvl_ctx ctx;

    (void)state;
    lvl_ctx_init(&ctx);
    assert_int_equal(lvl_findings_reference(&ctx, lvl_format_find("sketchy"), NULL, false, &out), LVL_OK);
    lvl_buffer_u8(&out, 0);
    const char *at = strstr((const char *)out.data, "\nsketchy.drawing.head\n");
    assert_non_null(at);
    const char *line = strstr(at, "note; salvage: not reported");
    assert_non_null(line);
    const char *end = strchr(line, '\n');
    assert_true(end && strstr(line, "; sketchy-head: error") < end);
    assert_true(strstr(line, "; sketchy-0.14.0: not reported") < end);
    out.len = 0;
    assert_int_equal(lvl_findings_reference(&ctx, lvl_format_find("sketchy"), NULL, true, &out), LVL_OK);
    lvl_buffer_u8(&out, 0);
    at = strstr((const char *)out.data, "{\"id\":\"sketchy.drawing.release\"");
    assert_non_null(at);
    end = strchr(at, '\n');
    line = strstr(at, "\"sketchy-0.14.0\":\"error\",\"sketchy-head\":\"none\"");
    assert_true(line && line < end);
    lvl_buffer_free(&out);
}

/* ---- the programs of Sketchy Maze -------------------------------------------------------------------- */

/* The findings for each generation and program. */
static const struct reported {
    const char *id;
    lvl_severity game, release, head;
} reported[LVL_SKETCHY_GENERATIONS] = {
    [LVL_SKETCHY_V1] = {"sketchy.drawing.head_save", LVL_NOTE, LVL_NONE, LVL_ERROR},
    [LVL_SKETCHY_V2] = {"sketchy.drawing.head_save", LVL_NOTE, LVL_NONE, LVL_ERROR},
    [LVL_SKETCHY_V3] = {"sketchy.drawing.head", LVL_NOTE, LVL_NONE, LVL_ERROR},
    [LVL_SKETCHY_V3_1] = {NULL, LVL_NONE, LVL_NONE, LVL_NONE},
    [LVL_SKETCHY_V4] = {"sketchy.drawing.release", LVL_NOTE, LVL_ERROR, LVL_NONE},
};

static void judge_generation(lvl_bytes bytes, unsigned g)
{
    for (unsigned k = 0; k < LVL_SKETCHY_GENERATIONS; k++) {
        const struct reported *t = &reported[k];
        const bool its = reported[g].id && t->id && strcmp(t->id, reported[g].id) == 0;
        if (!t->id)
            continue;
        assert_int_equal(says(bytes, "game", t->id), its ? t->game : LVL_NONE);
        assert_int_equal(says(bytes, release, t->id), its ? t->release : LVL_NONE);
        assert_int_equal(says(bytes, head, t->id), its ? t->head : LVL_NONE);
        assert_int_equal(says(bytes, "salvage", t->id), LVL_NONE);
    }
    /* nothing is wrong with the file itself */
    assert_int_equal(judged(bytes, "strict"), LVL_SOUND);
    assert_int_equal(judged(bytes, "game"), LVL_SOUND);
    assert_int_equal(judged(bytes, release), reported[g].release == LVL_ERROR ? LVL_FAULTY : LVL_SOUND);
    assert_int_equal(judged(bytes, head), reported[g].head == LVL_ERROR ? LVL_FAULTY : LVL_SOUND);
    assert_int_equal(says(bytes, head, "sketchy.pixel.lone_last") > LVL_NOTE,
                     says(bytes, "game", "sketchy.pixel.lone_last") == LVL_NOTE);
    assert_int_equal(says(bytes, release, "sketchy.pixel.lone_last"), LVL_NONE);
}

static void generations(void **state)
{
    (void)state;
    for (unsigned g = 0; g < LVL_SKETCHY_GENERATIONS; g++) {
        const lvl_ctx ctx = asking("game");
        lvl_buffer level = file_of(lvl_make_sketch(&ctx, g)), doodad = file_of(lvl_make_doodad(&ctx, g));
        judge_generation(lvl_bytes_in(&level), g);
        judge_generation(lvl_bytes_in(&doodad), g);
        lvl_buffer_free(&level);
        lvl_buffer_free(&doodad);
    }
}

/* Chunks of several generations in one zip: what a program shows of it is blank in part. */
static void mixed_zips(void **state)
{
    const lvl_ctx ctx = asking("game");
    lvl_doc *doc = lvl_make_sketch(&ctx, LVL_SKETCHY_V4);
    lvl_sketchy *d = lvl_sketchy_of(doc);

    (void)state;
    d->layers[0].chunks[0].encoding = LVL_SKETCHY_CHUNK_JSON;
    lvl_buffer file = file_of(doc);
    assert_int_equal(lvl_read(&doc, &ctx, NULL, lvl_bytes_in(&file), "x.level", 0, NULL), LVL_OK);
    unsigned json = 0, runs = 0;
    for (uint32_t i = 0; i < lvl_sketchy_of(doc)->layers[0].chunk_count; i++) {
        json += lvl_sketchy_of(doc)->layers[0].chunks[i].encoding == LVL_SKETCHY_CHUNK_JSON;
        runs += lvl_sketchy_of(doc)->layers[0].chunks[i].encoding == LVL_SKETCHY_CHUNK_RUNS;
    }
    lvl_doc_free(doc);
    assert_true(json > 0 && runs > 0);
    assert_int_equal(says(lvl_bytes_in(&file), release, "sketchy.drawing.release"), LVL_ERROR);
    assert_int_equal(says(lvl_bytes_in(&file), head, "sketchy.drawing.head"), LVL_ERROR);
    assert_int_equal(judged(lvl_bytes_in(&file), "game"), LVL_SOUND);
    lvl_buffer_free(&file);
}

/* A level that all read, with a doodad that not all do. */
static void doodads_inside(void **state)
{
    static const struct {
        unsigned generation;
        const char *id;
        lvl_verdict release, head;
    } tries[] = {{LVL_SKETCHY_V2, "sketchy.drawing.head_save", LVL_SOUND, LVL_SOUND},
                 {LVL_SKETCHY_V3, "sketchy.drawing.head", LVL_SOUND, LVL_FAULTY},
                 {LVL_SKETCHY_V3_1, "sketchy.drawing.head", LVL_SOUND, LVL_SOUND},
                 {LVL_SKETCHY_V4, "sketchy.drawing.release", LVL_FAULTY, LVL_SOUND}};

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(tries); i++) {
        const lvl_ctx ctx = asking("game");
        lvl_buffer inner = file_of(lvl_make_doodad(&ctx, tries[i].generation));
        lvl_doc *doc = lvl_make_sketch(&ctx, LVL_SKETCHY_V3_1);
        assert_true(lvl_make_attached(doc, "assets/doodads/x.doodad", lvl_bytes_in(&inner)));
        lvl_buffer file = file_of(doc);
        assert_int_equal(judged(lvl_bytes_in(&file), "game"), LVL_SOUND);
        assert_int_equal(judged(lvl_bytes_in(&file), release), tries[i].release);
        assert_int_equal(judged(lvl_bytes_in(&file), head), tries[i].head);
        /* no program saves it, so a hang on saving is not reported for a doodad in it */
        assert_int_equal(says(lvl_bytes_in(&file), "game", tries[i].id) != LVL_NONE,
                         tries[i].release == LVL_FAULTY || tries[i].head == LVL_FAULTY);
        lvl_buffer_free(&file);
        lvl_buffer_free(&inner);
    }
}

static void packs(void **state)
{
    (void)state;
    for (unsigned g = 0; g < LVL_SKETCHY_GENERATIONS; g++) {
        const lvl_ctx ctx = asking("game");
        lvl_buffer level = file_of(lvl_make_sketch(&ctx, g)),
                   doodad = file_of(lvl_make_doodad(&ctx, LVL_SKETCHY_V3_1));
        lvl_doc *pack = lvl_make_pack(&ctx);
        lvl_levelpack *p = lvl_levelpack_of(pack);
        for (uint32_t i = 0; i < p->file_count; i++) {
            p->files[i].data =
                lvl_bytes_in(lvl_text_is(p->files[i].path, "doodads/switch.doodad") ? &doodad : &level);
            p->files[i].source = 0;
        }
        lvl_buffer file = file_of(pack);
        assert_int_equal(says(lvl_bytes_in(&file), "game", "sketchy.pack.faulty"), LVL_NONE);
        assert_int_equal(says(lvl_bytes_in(&file), release, "sketchy.pack.faulty"),
                         reported[g].release == LVL_ERROR ? LVL_ERROR : LVL_NONE);
        assert_int_equal(says(lvl_bytes_in(&file), head, "sketchy.pack.faulty"),
                         reported[g].head == LVL_ERROR ? LVL_ERROR : LVL_NONE);
        lvl_buffer_free(&file);
        lvl_buffer_free(&level);
        lvl_buffer_free(&doodad);
    }
}

static void base64_chunks(void **state)
{
    const lvl_ctx ctx = asking("game");
    lvl_doc *doc = lvl_make_sketch(&ctx, LVL_SKETCHY_V1);
    lvl_sketchy *d = lvl_sketchy_of(doc);

    (void)state;
    for (uint32_t i = 0; i < d->layers[0].chunk_count; i++)
        d->layers[0].chunks[i].encoding = LVL_SKETCHY_CHUNK_BASE64;
    lvl_buffer file = file_of(doc);
    assert_int_equal(says(lvl_bytes_in(&file), "game", "sketchy.chunk.base64"), LVL_WARNING);
    assert_int_equal(says(lvl_bytes_in(&file), release, "sketchy.chunk.base64"), LVL_WARNING);
    lvl_buffer_free(&file);
    file = file_of(lvl_make_sketch(&ctx, LVL_SKETCHY_V1));
    assert_int_equal(says(lvl_bytes_in(&file), "game", "sketchy.chunk.base64"), LVL_NONE);
    lvl_buffer_free(&file);
}

/* Attached files aren't in what the game writes as v1 and v2. */
static void dropped_files(void **state)
{
    static const uint8_t data[] = "x";

    (void)state;
    for (unsigned g = 0; g < LVL_SKETCHY_GENERATIONS; g++) {
        const lvl_ctx ctx = asking("game");
        lvl_doc *doc = lvl_make_sketch(&ctx, g);
        assert_true(lvl_make_attached(doc, "assets/wallpapers/x.b64img", (lvl_bytes){data, 1}));
        lvl_buffer file = file_of(doc);
        assert_int_equal(says(lvl_bytes_in(&file), "game", "sketchy.file.dropped"),
                         g <= LVL_SKETCHY_V2 ? LVL_NOTE : LVL_NONE);
        lvl_buffer_free(&file);
    }
}

/* The profile game judges as the newest release does, save for what that doesn't read, and notes of others.
 */
static void game_is_the_release(void **state)
{
    static const char *const own[] = {"sketchy.drawing.release", "sketchy.drawing.head",
                                      "sketchy.drawing.head_save", "sketchy.runs.",
                                      "sketchy.pixel.lone_last"};
    const lvl_ctx game = asking("game"), named = asking(release);
    const lvl_format *sketchy = lvl_format_find("sketchy");
    const lvl_finding_def *defs = sketchy->findings;
    const size_t count = sketchy->finding_count;
    size_t same = 0;

    (void)state;
    for (size_t i = 0; i < count; i++) {
        bool differs = false;
        for (size_t k = 0; k < LVL_COUNT_OF(own); k++)
            differs = differs || strncmp(defs[i].id, own[k], strlen(own[k])) == 0;
        same += !differs;
        if (!differs)
            assert_int_equal(lvl_severity_for(&game, &defs[i]), lvl_severity_for(&named, &defs[i]));
    }
    assert_true(same > 40);
}

/* ---- info -------------------------------------------------------------------------------------------- */

static const lvl_fact *fact(const lvl_fact *group, const char *key)
{
    const lvl_fact *f = group->first;

    while (f && !(f->key && strcmp(f->key, key) == 0))
        f = f->next;
    return f;
}

static lvl_info *info_of(const lvl_doc *doc, bool counts)
{
    lvl_info *info;

    assert_int_equal(lvl_doc_info(doc, NULL, counts, &info), LVL_OK);
    return info;
}

/* `info` reports that a program shows a drawing if and only if check with that program has no finding of a
 * blank one; the wrong ones are counted. */
static size_t info_disagrees(lvl_bytes bytes)
{
    lvl_ctx ctx = asking("game");
    lvl_doc *doc = NULL;
    size_t wrong = 0;

    if (lvl_read(&doc, &ctx, lvl_format_find("sketchy"), bytes, NULL, LVL_READ_BORROW, NULL) != LVL_OK)
        return 0;
    lvl_info *info = info_of(doc, false);
    const lvl_fact *programs = fact(lvl_info_root(info), "programs");
    assert_non_null(programs);
    size_t n = 0;
    for (const lvl_fact *f = programs->first; f; f = f->next, n++) {
        char name[40];
        const lvl_text text = fact(f, "name")->text;
        snprintf(name, sizeof name, "%.*s", (int)text.len, text.ptr);
        const bool blank = says(bytes, name, "sketchy.drawing.head") == LVL_ERROR ||
                           says(bytes, name, "sketchy.drawing.release") == LVL_ERROR;
        const bool hangs = says(bytes, name, "sketchy.drawing.head_save") != LVL_NONE ||
                           says(bytes, name, "sketchy.drawing.head") == LVL_ERROR;
        wrong += fact(f, "shows")->number == blank;
        wrong += fact(f, "saves")->number == hangs;
        wrong += (fact(f, "blank_chunks")->number > 0) != blank;
        const lvl_text line = fact(lvl_info_root(info), "shown_by")->text;
        const char *title = lvl_program_at(n)->title;
        char shown[300];
        snprintf(shown, sizeof shown, "%.*s", (int)line.len, line.ptr);
        const char *at = strstr(shown, title), *blank_at = strstr(shown, "blank in ");
        wrong += !at || (blank_at && blank_at < at) != blank;
        /* what it shows, it judges as the profile game does; for the release */
        if (!blank && strcmp(name, release) == 0)
            wrong += judged(bytes, name) != judged(bytes, "game");
    }
    assert_int_equal(n, 2);
    lvl_info_free(info);
    lvl_doc_free(doc);
    return wrong;
}

/* Texts of a drawing are UTF-8, whatever code page the context has for single-byte texts. */
static void info_has_utf8(void **state)
{
    (void)state;
    const lvl_ctx ctx = asking("game");
    lvl_doc *doc = lvl_make_sketch(&ctx, 0);
    lvl_sketchy *level = lvl_doc_root(doc);
    level->title = lvl_doc_text(doc, lvl_text_of("Höhle"));
    lvl_info *info = info_of(doc, false);
    assert_true(lvl_text_is(fact(lvl_info_root(info), "title")->text, "Höhle"));
    lvl_info_free(info);
    lvl_doc_free(doc);
}

static void info_agrees(void **state)
{
    (void)state;
    for (unsigned g = 0; g < LVL_SKETCHY_GENERATIONS; g++) {
        const lvl_ctx ctx = asking("game");
        lvl_buffer level = file_of(lvl_make_sketch(&ctx, g)), doodad = file_of(lvl_make_doodad(&ctx, g));
        assert_int_equal(info_disagrees(lvl_bytes_in(&level)), 0);
        assert_int_equal(info_disagrees(lvl_bytes_in(&doodad)), 0);
        lvl_buffer_free(&level);
        lvl_buffer_free(&doodad);
    }
}

static void info_agrees_in_the_corpus(void **state)
{
    enum { LARGEST = 100000 };
    const char *dir = lvl_corpus_dir();
    size_t files = 0, wrong = 0;
    char folder[1024];
    lvl_paths paths;

    (void)state;
    if (!dir) {
        skip();
        return;
    }
    snprintf(folder, sizeof folder, "%s/sketchy", dir);
    assert_true(lvl_paths_below(&paths, folder, "level doodad"));
    for (size_t i = 0; i < paths.count; i++) {
        size_t len;
        uint8_t *data = lvl_slurp(paths.items[i], &len);
        if (data && len < LARGEST) {
            const size_t n = info_disagrees((lvl_bytes){data, len});
            if (n)
                fprintf(stderr, "info and the profiles disagree: %s\n", paths.items[i]);
            wrong += n;
            files++;
        }
        free(data);
    }
    printf("%zu drawings\n", files);
    assert_int_equal(wrong, 0);
    assert_true(files > 0);
    lvl_paths_free(&paths);
}

/* ---- counts ------------------------------------------------------------------------------------------ */

static void counts_on_request(void **state)
{
    (void)state;
    for (unsigned g = 0; g < LVL_SKETCHY_GENERATIONS; g++) {
        const lvl_ctx ctx = asking("game");
        lvl_doc *doc = lvl_make_sketch(&ctx, g);
        lvl_sketchy *d = lvl_sketchy_of(doc);
        uint8_t *grid = lvl_make_chunk(doc, &d->layers[0].chunks[0], "0,0", 0, 0, SIZE);
        assert_non_null(grid);
        static const struct {
            uint16_t index;
            unsigned times;
        } drawn[] = {{0, 5}, {2, 7}, {300, 2}};
        size_t at = 0;
        for (size_t i = 0; i < LVL_COUNT_OF(drawn); i++) {
            for (unsigned k = 0; k < drawn[i].times; k++, at++) {
                grid[at * 2] = (uint8_t)drawn[i].index;
                grid[at * 2 + 1] = (uint8_t)(drawn[i].index >> 8);
            }
        }
        d->layers[0].chunk_count = 1;
        lvl_buffer file = file_of(doc);
        assert_int_equal(lvl_read(&doc, &ctx, NULL, lvl_bytes_in(&file), "x.level", 0, NULL), LVL_OK);
        lvl_info *info = info_of(doc, false);
        assert_null(fact(lvl_info_root(info), "pixel_count"));
        assert_null(fact(fact(lvl_info_root(info), "swatches")->first, "pixels"));
        lvl_info_free(info);
        info = info_of(doc, true);
        const lvl_fact *root = lvl_info_root(info);
        assert_int_equal(fact(root, "pixel_count")->number, 14);
        assert_int_equal(fact(root, "strange_pixels")->number, 2);
        assert_int_equal(fact(root, "broken_chunks")->number, 0);
        assert_int_equal(fact(fact(root, "layers")->first, "pixels")->number, 14);
        const lvl_fact *s = fact(root, "swatches")->first;
        assert_int_equal(fact(s, "pixels")->number, 5);
        assert_int_equal(fact(s->next, "pixels")->number, 0);
        assert_int_equal(fact(s->next->next, "pixels")->number, 7);
        lvl_info_free(info);
        lvl_doc_free(doc);
        lvl_buffer_free(&file);
    }
}

static void counts_of_packs(void **state)
{
    const lvl_ctx ctx = asking("game");
    lvl_doc *pack = lvl_make_pack(&ctx);

    (void)state;
    lvl_info *info = info_of(pack, false);
    assert_null(fact(lvl_info_root(info), "pixel_count"));
    lvl_info_free(info);
    info = info_of(pack, true);
    int64_t sum = 0;
    for (const lvl_fact *l = fact(lvl_info_root(info), "levels")->first; l; l = l->next)
        sum += fact(l, "pixels")->number;
    assert_true(sum > 0);
    assert_int_equal(fact(lvl_info_root(info), "pixel_count")->number, sum);
    lvl_info_free(info);
    lvl_doc_free(pack);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_make_sense),     cmocka_unit_test(names_choose),
        cmocka_unit_test(programs_are_the_game), cmocka_unit_test(the_list_tells),
        cmocka_unit_test(generations),           cmocka_unit_test(mixed_zips),
        cmocka_unit_test(doodads_inside),        cmocka_unit_test(packs),
        cmocka_unit_test(base64_chunks),         cmocka_unit_test(dropped_files),
        cmocka_unit_test(game_is_the_release),   cmocka_unit_test(info_agrees),
        cmocka_unit_test(info_has_utf8),         cmocka_unit_test(info_agrees_in_the_corpus),
        cmocka_unit_test(counts_on_request),     cmocka_unit_test(counts_of_packs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
