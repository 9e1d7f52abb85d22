/*
 * Recognition of drawings and packs whose first bytes are damaged, that have something in front, or that are
 * truncated; and of other files as foreign: other zips, text that contains a zip's signature, gzips of
 * something else. What is recognized is read, reported and repaired.
 */
#include "base/buffer.h"
#include "base/format.h"
#include "codec/deflate.h"
#include "container/zip.h"
#include "expect.h"
#include "sketchy_make.h"

#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;
static const lvl_format *drawings, *packs;

static const lvl_format *probe(lvl_bytes in, const char *name)
{
    enum { PROBED = 4096 };
    const size_t n = in.len < PROBED ? in.len : PROBED;
    const lvl_bytes head = {in.ptr, n}, last = {in.ptr + (in.len - n), n};
    const size_t more = lvl_probe_tail(last, in.len);
    const lvl_bytes tail = {in.ptr + (in.len - more), more};

    return lvl_probe(head, tail, in.len, name, NULL);
}

/* Recognized by its name, and `unnamed` also without; an error of that id is reported; sound after repair.
 * Returns the number of chunks of a drawing, or of files of a pack. */
static uint32_t comes_back(lvl_bytes in, const char *name, const lvl_format *as, const char *id,
                           bool nameless)
{
    lvl_findings *found = lvl_findings_new(&ctx);
    lvl_check_result result;
    lvl_check_options options = {.roundtrip = true};
    lvl_doc *doc = NULL, *repaired = NULL;
    lvl_buffer out = {0};
    bool reported = false;

    if (probe(in, name) != as || (nameless && probe(in, NULL) != as))
        fail_msg("%s, %s: not known", name, id);
    assert_int_equal(lvl_check(&ctx, NULL, in, name, &options, found, &result, &doc), LVL_OK);
    for (size_t i = 0; i < lvl_findings_count(found); i++)
        reported = reported || !strcmp(lvl_findings_at(found, i)->def->id, id);
    if (!reported)
        fail_msg("%s: no %s", name, id);
    assert_true(result.verdict == LVL_DAMAGED || result.verdict == LVL_FAULTY);
    assert_true(result.roundtrip);
    assert_int_equal(result.residue, 0);
    lvl_findings_free(found);
    assert_int_equal(lvl_repair(doc, NULL, NULL, &out), LVL_OK);
    found = lvl_findings_new(&ctx);
    assert_int_equal(lvl_check(&ctx, NULL, lvl_bytes_in(&out), name, NULL, found, &result, &repaired),
                     LVL_OK);
    assert_int_equal(result.verdict, LVL_SOUND);
    assert_ptr_equal(result.format, as);
    const lvl_sketchy *d = as == drawings ? lvl_doc_croot(repaired) : NULL;
    const uint32_t parts =
        d ? d->layers[0].chunk_count : ((const lvl_levelpack *)lvl_doc_croot(repaired))->file_count;
    lvl_findings_free(found);
    lvl_doc_free(doc);
    lvl_doc_free(repaired);
    lvl_buffer_free(&out);
    return parts;
}

static void foreign(lvl_bytes in, const char *name)
{
    const lvl_format *as = probe(in, name);

    if (as == drawings || as == packs)
        fail_msg("%s (%zu bytes) is taken for a %s", name ? name : "nameless", in.len, as->id);
}

/* ---- what is known ----------------------------------------------------------------------------------- */

static void wiped_heads_are_known(void **state)
{
    static const size_t wiped[] = {1, 2, 4, 30, 46};

    (void)state;
    for (unsigned g = LVL_SKETCHY_V3; g <= LVL_SKETCHY_V4; g++) {
        for (size_t i = 0; i < sizeof wiped / sizeof *wiped; i++) {
            /* of a drawing one or two bytes are corrected; otherwise headers are restored; the data are
             * complete */
            const char *const id = wiped[i] <= LVL_HEADER_WRONG ? "lvl.file.header" : "sketchy.zip.member";
            lvl_buffer file = {0};
            assert_true(lvl_make_file(lvl_make_sketch(&ctx, g), &file));
            memset(file.data, 0, wiped[i]);
            assert_int_equal(comes_back(lvl_bytes_in(&file), "x.level", drawings, id, true), 3);
            lvl_buffer_free(&file);
            assert_true(lvl_make_file(lvl_make_pack(&ctx), &file));
            memset(file.data, 0, wiped[i]);
            assert_int_equal(
                comes_back(lvl_bytes_in(&file), "x.levelpack", packs, "sketchy.zip.member", true), 3);
            lvl_buffer_free(&file);
        }
    }
}

/* The data of a chunk at the beginning are lost; the others stay. */
static void wiped_members_are_left_out(void **state)
{
    lvl_buffer file = {0};

    (void)state;
    assert_true(lvl_make_file(lvl_make_sketch(&ctx, LVL_SKETCHY_V4), &file));
    memset(file.data, 'x', 60);
    assert_int_equal(comes_back(lvl_bytes_in(&file), "x.level", drawings, "sketchy.zip.lost", true), 2);
    lvl_buffer_free(&file);
}

static void prefixed_zips_are_known(void **state)
{
    static const char *const before[] = {"\n", "MZ and a program that unpacks itself", "{", "\x1F\x8B",
                                         "PK\3"};

    (void)state;
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        lvl_buffer file = {0}, both = {0};
        assert_true(lvl_make_file(lvl_make_sketch(&ctx, LVL_SKETCHY_V3_1), &file));
        lvl_buffer_str(&both, before[i]);
        lvl_buffer_add(&both, file.data, file.len);
        if (before[i][0] != '{' &&
            before[i][0] != '\x1F') /* what begins as another kind may be read as that */
            assert_int_equal(comes_back(lvl_bytes_in(&both), "x.level", drawings, "sketchy.zip.prefix", true),
                             3);
        lvl_buffer_free(&both);
        lvl_buffer_free(&file);
    }
    /* the game opens packs like that */
    lvl_buffer file = {0}, both = {0};
    lvl_check_result result;
    lvl_findings *found = lvl_findings_new(&ctx);
    assert_true(lvl_make_file(lvl_make_pack(&ctx), &file));
    lvl_buffer_str(&both, "#!/bin/sh\n");
    lvl_buffer_add(&both, file.data, file.len);
    assert_int_equal(lvl_check(&ctx, NULL, lvl_bytes_in(&both), NULL, NULL, found, &result, NULL), LVL_OK);
    assert_ptr_equal(result.format, packs);
    assert_int_equal(result.verdict, LVL_SOUND);
    bool reported = false;
    for (size_t i = 0; i < lvl_findings_count(found); i++)
        reported = reported || !strcmp(lvl_findings_at(found, i)->def->id, "sketchy.pack.prefix");
    assert_true(reported);
    lvl_findings_free(found);
    lvl_buffer_free(&both);
    lvl_buffer_free(&file);
}

/* A zip of those members, each stored or deflated by the writer. */
static lvl_buffer zip_of(const char *const *names, size_t count)
{
    lvl_buffer out = {0};
    lvl_zip_writer w;

    lvl_zip_begin(&w, NULL, &out);
    for (size_t i = 0; i < count; i++)
        lvl_zip_put_new(&w, lvl_text_of(names[i]), (lvl_bytes){(const uint8_t *)"{\"level\": 1}", 12});
    assert_int_equal(lvl_zip_end(&w, NULL), LVL_OK);
    return out;
}

static void cut_zips_are_known_by_their_first_member(void **state)
{
    static const struct {
        const char *first, *file;
        const lvl_format **as;
        bool nameless;
    } rows[] = {
        {"chunks/0/0,0.bin", "x.level", &drawings, true},
        {"chunks/12/-3,44.json", "x.doodad", &drawings, true},
        {"assets/screenshots/large.png", "x.level", &drawings, false},
        {"level.json", "x.level", &drawings, false},
        {"doodad.json", "x.DOODAD", &drawings, false},
        {"levels/Castle.level", "x.levelpack", &packs, false},
        {"doodads/x.doodad", "x.levelpack", &packs, false},
        {"index.json", "x.levelpack", &packs, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *const names[] = {rows[i].first, "other"};
        lvl_buffer zip = zip_of(names, 2);
        for (size_t len = 30 + strlen(rows[i].first); len < zip.len - 22; len++) {
            const lvl_bytes cut = {zip.data, len};
            if (probe(cut, rows[i].file) != *rows[i].as)
                fail_msg("%s, cut at %zu", rows[i].first, len);
            if (!rows[i].nameless)
                foreign(cut, NULL);
            else
                assert_ptr_equal(probe(cut, NULL), *rows[i].as);
        }
        lvl_buffer_free(&zip);
    }
}

/* The names that make it a pack are not in the last 4 KiB: index.json and the levels come first. */
static void long_directories_are_read(void **state)
{
    enum { DOODADS = 10000 };
    static char doodads[DOODADS][40];
    static const char *names[DOODADS + 2] = {"index.json", "levels/Castle.level"};

    (void)state;
    for (size_t i = 0; i < DOODADS; i++) {
        snprintf(doodads[i], sizeof doodads[i], "doodads/one-%zu.doodad", i);
        names[i + 2] = doodads[i];
    }
    for (int round = 0; round < 2; round++) {
        const size_t n = round ? DOODADS : 70;
        lvl_buffer zip = zip_of(names, n + 2);
        assert_ptr_equal(probe(lvl_bytes_in(&zip), NULL), packs);
        assert_ptr_equal(probe(lvl_bytes_in(&zip), "p.zip"), packs);
        assert_ptr_equal(lvl_formats_probe_file(&ctx, lvl_bytes_in(&zip), NULL, NULL), packs);
        lvl_buffer_free(&zip);
        zip = zip_of(names + 2, n); /* no index: a zip of something else */
        foreign(lvl_bytes_in(&zip), NULL);
        lvl_buffer_free(&zip);
    }
    /* a size that lies: as much as the file has, and at most 1 MiB */
    uint8_t end[22] = "PK\5\6";
    memset(end + 12, 0xFF, 4);
    assert_int_equal(lvl_probe_tail((lvl_bytes){end, sizeof end}, 5000), 5000);
    assert_int_equal(lvl_probe_tail((lvl_bytes){end, sizeof end}, 1 << 30), 1 << 20);
    assert_int_equal(lvl_probe_tail((lvl_bytes){end, 10}, 10), 10);
}

/* Levels in a pack may be stored uncompressed: if the pack is cut right after one, the directory of that
 * level is at the end. */
static void a_cut_pack_is_no_level(void **state)
{
    lvl_buffer level = {0}, out = {0};
    lvl_doc *doc = NULL;

    (void)state;
    assert_true(lvl_make_file(lvl_make_sketch(&ctx, LVL_SKETCHY_V4), &level));
    const char name[] = "levels/a.level";
    uint8_t header[30] = {'P', 'K', 3, 4, 20};
    const uint32_t crc = lvl_crc32(lvl_bytes_in(&level)),
                   sizes[] = {crc, (uint32_t)level.len, (uint32_t)level.len};
    for (int i = 0; i < 12; i++)
        header[14 + i] = (uint8_t)(sizes[i / 4] >> i % 4 * 8);
    header[26] = sizeof name - 1;
    lvl_buffer_add(&out, header, sizeof header);
    lvl_buffer_str(&out, name);
    lvl_buffer_add(&out, level.data, level.len);
    assert_ptr_equal(probe(lvl_bytes_in(&out), "x.levelpack"), packs);
    foreign(lvl_bytes_in(&out), NULL);
    assert_int_equal(lvl_read(&doc, &ctx, packs, lvl_bytes_in(&out), "x.levelpack", LVL_READ_BORROW, NULL),
                     LVL_OK);
    const lvl_levelpack *p = lvl_doc_croot(doc);
    assert_int_equal(p->file_count, 1);
    assert_true(lvl_text_is(p->files[0].path, name));
    lvl_doc_free(doc);
    assert_int_equal(comes_back(lvl_bytes_in(&out), "x.levelpack", packs, "sketchy.zip.directory", false), 1);
    lvl_buffer_free(&out);
    lvl_buffer_free(&level);
}

static void marks_and_blanks_are_read(void **state)
{
    static const char *const leads[] = {"\xEF\xBB\xBF", " ", "\r\n\t", "\xEF\xBB\xBF\r\n", " \xEF\xBB\xBF "};

    (void)state;
    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++) {
        lvl_buffer file = {0}, both = {0}, packed = {0};
        assert_true(lvl_make_file(lvl_make_sketch(&ctx, LVL_SKETCHY_V1), &file));
        lvl_buffer_str(&both, leads[i]);
        lvl_buffer_add(&both, file.data, file.len);
        assert_int_equal(comes_back(lvl_bytes_in(&both), "x.level", drawings, "sketchy.json.lead", true), 3);
        assert_int_equal(lvl_deflate(LVL_WRAP_GZIP, lvl_bytes_in(&both), &packed), LVL_OK);
        if (strlen(leads[i]) >= 3 && strchr(leads[i], '\xEF')) {
            assert_int_equal(
                comes_back(lvl_bytes_in(&packed), "x.level", drawings, "sketchy.json.lead", true), 3);
        } else { /* the game passes over blanks there */
            lvl_findings *found = lvl_findings_new(&ctx);
            lvl_check_result result;
            assert_int_equal(lvl_check(&ctx, NULL, lvl_bytes_in(&packed), NULL, NULL, found, &result, NULL),
                             LVL_OK);
            assert_int_equal(result.verdict, LVL_SOUND);
            lvl_findings_free(found);
        }
        lvl_buffer_free(&packed);
        lvl_buffer_free(&both);
        lvl_buffer_free(&file);
    }
}

static void gzips_without_a_head_are_read(void **state)
{
    lvl_buffer file = {0};

    (void)state;
    assert_true(lvl_make_file(lvl_make_sketch(&ctx, LVL_SKETCHY_V2), &file));
    for (size_t i = 0; i < 4; i++) { /* magic, method, flags */
        const uint8_t was = file.data[i];
        file.data[i] ^= 0x15;
        assert_int_equal(comes_back(lvl_bytes_in(&file), "x.level", drawings, "sketchy.gzip.corrupt", i < 3),
                         3);
        file.data[i] = was;
    }
    memset(file.data, 0, 10);
    assert_int_equal(comes_back(lvl_bytes_in(&file), "x.level", drawings, "sketchy.gzip.corrupt", false), 3);
    foreign(lvl_bytes_in(&file), NULL); /* nothing but the name speaks for it */
    lvl_buffer_free(&file);
}

/* Both ends damaged, or something in front of a text or gzip: then only with its name. */
static void names_help(void **state)
{
    lvl_buffer file = {0}, both = {0};

    (void)state;
    for (unsigned g = LVL_SKETCHY_V1; g <= LVL_SKETCHY_V4; g++) {
        const bool zip = g >= LVL_SKETCHY_V3;
        const char *id = zip                   ? "sketchy.zip.directory"
                         : g == LVL_SKETCHY_V2 ? "sketchy.gzip.corrupt"
                                               : "sketchy.json.lead";
        both.len = file.len = 0;
        assert_true(lvl_make_file(lvl_make_sketch(&ctx, g), &file));
        lvl_buffer_str(&both, "HTTP/1.1 200 OK\r\n\r\n");
        lvl_buffer_add(&both, file.data, zip ? file.len - 30 : file.len);
        assert_int_equal(comes_back(lvl_bytes_in(&both), "x.level", drawings, id, false), 3);
        foreign(lvl_bytes_in(&both), NULL);
        foreign(lvl_bytes_in(&both), "x.html");
    }
    /* bytes removed from the front: the directory has offsets that are too large */
    memmove(file.data, file.data + 7, file.len - 7);
    file.len -= 7;
    assert_int_equal(comes_back(lvl_bytes_in(&file), "x.level", drawings, "sketchy.zip.directory", true), 2);
    lvl_buffer_free(&file);
    lvl_buffer_free(&both);
}

/* ---- what isn't -------------------------------------------------------------------------------------- */

static void other_zips_are_foreign(void **state)
{
    static const char *const jar[] = {"META-INF/MANIFEST.MF", "org/game/level.json",
                                      "org/game/chunks/0/0,0.bin"},
                             *const office[] = {"[Content_Types].xml", "word/document.xml",
                                                "docProps/app.xml"},
                             *const game[] = {"level.json", "textures/grass.png", "sounds/step.ogg"},
                             *const web[] = {"index.json", "levels/1.json", "levels/2.json"},
                             *const worlds[] = {"level.dat", "chunks/0/0,0.bin", "index.json"},
                             *const site[] = {"index.json", "index.html", "levels/one.html"};
    static const struct {
        const char *const *names;
        size_t count;
    } rows[] = {{jar, 3}, {office, 3}, {game, 3}, {web, 3}, {worlds, 3}, {site, 3}};
    static const uint8_t empty[22] = {'P', 'K', 5, 6};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lvl_buffer zip = zip_of(rows[i].names, rows[i].count), both = {0};
        foreign(lvl_bytes_in(&zip), NULL);
        foreign(lvl_bytes_in(&zip), "x.zip");
        for (size_t len = 0; len < zip.len; len++)
            foreign((lvl_bytes){zip.data, len}, "x.jar");
        lvl_buffer_str(&both, "MZ");
        lvl_buffer_add(&both, zip.data, zip.len);
        foreign(lvl_bytes_in(&both), NULL);
        memset(zip.data, 0, 30);
        foreign(lvl_bytes_in(&zip), NULL);
        lvl_buffer_free(&both);
        lvl_buffer_free(&zip);
    }
    foreign((lvl_bytes){empty, sizeof empty}, NULL);
    foreign((lvl_bytes){empty, sizeof empty}, "x.level");
    foreign((lvl_bytes){empty, sizeof empty}, "x.levelpack");
}

/* A directory counts only if it is one: entry by entry, up to the end record, of members in front of it. */
static void texts_with_its_letters_are_foreign(void **state)
{
    lvl_buffer zip = {0}, text = {0};

    (void)state;
    assert_true(lvl_make_file(lvl_make_sketch(&ctx, LVL_SKETCHY_V4), &zip));
    lvl_buffer_str(&text,
                   "How a level is told: PK\1\2 stands before each name, as level.json or chunks/0/0,0.bin; "
                   "at the end PK\5\6 and some numbers, which are 0 here");
    lvl_buffer_fill(&text, 0, 18);
    foreign(lvl_bytes_in(&text), NULL);
    foreign(lvl_bytes_in(&text), "readme.txt");
    unsigned entries = 0;
    /* a real directory, with bytes between its entries, or fewer entries than declared */
    for (size_t at = 0; at + 4 <= zip.len; at++) {
        if (memcmp(zip.data + at, "PK\1\2", 4) != 0 || !entries++)
            continue;
        text.len = 0;
        lvl_buffer_str(&text, "a text ");
        lvl_buffer_add(&text, zip.data, at);
        lvl_buffer_str(&text, ".");
        lvl_buffer_add(&text, zip.data + at, zip.len - at);
        foreign(lvl_bytes_in(&text), NULL);
    }
    assert_true(entries > 2);
    zip.data[zip.len - 12]++;
    zip.data[zip.len - 14]++;
    memset(zip.data, ' ', 4);
    foreign(lvl_bytes_in(&zip), NULL);
    lvl_buffer_free(&zip);
    lvl_buffer_free(&text);
}

static void other_gzips_are_foreign(void **state)
{
    static const char *const texts[] = {"{\"name\":\"package\",\"version\":\"1.0\",\"data\":{}}",
                                        "<svg></svg>", "not { \"chunks\": at all"};

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        lvl_buffer packed = {0};
        const lvl_text text = lvl_text_of(texts[i]);
        assert_int_equal(
            lvl_deflate(LVL_WRAP_GZIP, (lvl_bytes){(const uint8_t *)text.ptr, text.len}, &packed), LVL_OK);
        foreign(lvl_bytes_in(&packed), "x.json.gz");
        packed.data[0] = 0;
        foreign(lvl_bytes_in(&packed), "x.json.gz");
        lvl_buffer_free(&packed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wiped_heads_are_known),
        cmocka_unit_test(wiped_members_are_left_out),
        cmocka_unit_test(prefixed_zips_are_known),
        cmocka_unit_test(cut_zips_are_known_by_their_first_member),
        cmocka_unit_test(long_directories_are_read),
        cmocka_unit_test(a_cut_pack_is_no_level),
        cmocka_unit_test(marks_and_blanks_are_read),
        cmocka_unit_test(gzips_without_a_head_are_read),
        cmocka_unit_test(names_help),
        cmocka_unit_test(other_zips_are_foreign),
        cmocka_unit_test(texts_with_its_letters_are_foreign),
        cmocka_unit_test(other_gzips_are_foreign),
    };

    lvl_ctx_init(&ctx);
    drawings = lvl_format_find("sketchy");
    packs = lvl_format_find("levelpack");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
