/*
 * Recovery of damaged drawings and packs: each generation truncated at every length, and with every byte
 * changed in its directory, in its local headers, in its chunks and in its JSON. Repair always gives a sound
 * file that needs no second repair (lvl_repair verifies this), invents no pixels, and recovers each pixel
 * whose bytes were before a cut. Prints a table. Corpus files are cut at some places, with LVL_ALL at more.
 */
#include "base/format.h"
#include "codec/inflate.h"
#include "container/zip.h"
#include "corpus.h"
#include "sketchy/chunks/codec.h"
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

/* Of one way of damage. */
typedef struct tally {
    unsigned long tried, unreadable, repaired, wrong, unsound;
    uint64_t whole, back; /* px whose bytes were there, and that came back */
} tally;

static lvl_buffer file_of(lvl_doc *doc)
{
    lvl_buffer out = {0};

    assert_non_null(doc);
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    lvl_doc_free(doc);
    return out;
}

static const lvl_sketchy_chunk *find_chunk(const lvl_sketchy_layer *layer, int32_t x, int32_t y)
{
    for (uint32_t i = 0; i < layer->chunk_count; i++) {
        if (layer->chunks[i].x == x && layer->chunks[i].y == y)
            return &layer->chunks[i];
    }
    return NULL;
}

/* The index there; LVL_SKETCHY_NONE where nothing is. */
static uint32_t index_at(const lvl_doc *doc, uint32_t layer, int64_t x, int64_t y)
{
    const lvl_field *field = lvl_table_at(&lvl_sketchy_chunk_table, offsetof(lvl_sketchy_chunk, pixels));
    const lvl_sketchy *d = lvl_doc_croot(doc);
    const lvl_sketchy_layer *l = layer < d->layer_count ? &d->layers[layer] : NULL;
    uint32_t index = LVL_SKETCHY_NONE;

    for (uint32_t i = 0; l && i < l->chunk_count; i++) {
        const int64_t left = (int64_t)l->chunks[i].x * l->size, top = (int64_t)l->chunks[i].y * l->size;
        lvl_buffer storage = {0};
        lvl_cells cells = {0};
        if (x < left || y < top || x >= left + l->size || y >= top + l->size)
            continue;
        (void)lvl_doc_cells(doc, &l->chunks[i], field, &storage, &cells);
        if (cells.ptr)
            index = lvl_cell(&cells, (uint32_t)(x - left), (uint32_t)(y - top));
        lvl_buffer_free(&storage);
    }
    return index;
}

/* Px of `doc` that `sound` has, too, at that place with that index; *wrong: px that it hasn't. */
static uint64_t same_pixels(const lvl_doc *sound, const lvl_doc *doc, uint64_t *wrong)
{
    const lvl_field *field = lvl_table_at(&lvl_sketchy_chunk_table, offsetof(lvl_sketchy_chunk, pixels));
    const lvl_sketchy *a = lvl_doc_croot(sound), *b = lvl_doc_croot(doc);
    lvl_buffer sa = {0}, sb = {0};
    uint64_t same = 0;

    *wrong = 0;
    for (uint32_t l = 0; l < b->layer_count; l++) {
        for (uint32_t k = 0; k < b->layers[l].chunk_count; k++) {
            const lvl_sketchy_chunk *d = &b->layers[l].chunks[k];
            const lvl_sketchy_chunk *c = l < a->layer_count ? find_chunk(&a->layers[l], d->x, d->y) : NULL;
            lvl_cells ca = {0}, cb = {0};
            (void)lvl_doc_cells(doc, d, field, &sb, &cb);
            if (c)
                (void)lvl_doc_cells(sound, c, field, &sa, &ca);
            const size_t n = cb.ptr ? (size_t)cb.width * cb.height : 0;
            for (size_t i = 0; i < n; i++) {
                const uint8_t *p = cb.ptr + i * 2;
                if (p[0] == 0xFF && p[1] == 0xFF)
                    continue;
                if (ca.ptr && ca.width == cb.width
                        ? !memcmp(ca.ptr + i * 2, p, 2)
                        : index_at(sound, l, (int64_t)d->x * cb.width + (int64_t)(i % cb.width),
                                   (int64_t)d->y * cb.width + (int64_t)(i / cb.width)) ==
                              lvl_cell(&cb, (uint32_t)(i % cb.width), (uint32_t)(i / cb.width)))
                    same++;
                else
                    ++*wrong;
            }
        }
    }
    lvl_buffer_free(&sa);
    lvl_buffer_free(&sb);
    return same;
}

/* Repairs the bytes: how many px of the sound document came back. */
static uint64_t come_back(tally *t, const lvl_doc *sound, lvl_bytes bytes, const char *name)
{
    lvl_doc *doc = NULL, *repaired = NULL;
    lvl_buffer out = {0};
    lvl_check_result result;
    uint64_t back = 0, wrong = 0;

    t->tried++;
    if (lvl_read(&doc, &ctx, sound->format, bytes, name, LVL_READ_BORROW, NULL) != LVL_OK) {
        t->unreadable++;
        return 0;
    }
    lvl_findings *changes = lvl_findings_new(&ctx);
    if (lvl_repair(doc, NULL, changes, &out) != LVL_OK) {
        for (size_t i = 0; i < lvl_findings_count(changes); i++)
            fprintf(stderr, "%s: %s: %s\n", name, lvl_findings_at(changes, i)->def->id,
                    lvl_findings_at(changes, i)->text);
        t->unsound++;
    } else {
        lvl_findings *found = lvl_findings_new(&ctx);
        assert_int_equal(lvl_check(&ctx, sound->format, (lvl_bytes){out.data, out.len}, name, NULL, found,
                                   &result, &repaired),
                         LVL_OK);
        t->repaired++;
        /* of two values under one key, a person must choose; and a letter of a script is nowhere a second time */
        size_t errors = lvl_findings_of(found, LVL_ERROR) + lvl_findings_of(found, LVL_FATAL);
        for (size_t i = 0; i < lvl_findings_count(found); i++) {
            const char *id = lvl_findings_at(found, i)->def->id;
            if (lvl_findings_at(found, i)->severity < LVL_ERROR)
                continue;
            errors -= !strcmp(id, "sketchy.json.double_key") || strstr(id, "sketchy.script.") ||
                      strstr(lvl_findings_at(found, i)->text, "sketchy.script.");
        }
        if (errors) {
            for (size_t i = 0; i < lvl_findings_count(found); i++)
                if (lvl_findings_at(found, i)->severity >= LVL_ERROR)
                    fprintf(stderr, "%s: still %s: %s\n", name, lvl_findings_at(found, i)->def->id,
                            lvl_findings_at(found, i)->text);
            t->unsound++;
        }
        if (repaired && sound->format == drawings)
            back = same_pixels(sound, repaired, &wrong);
        t->wrong += wrong;
        lvl_findings_free(found);
    }
    lvl_findings_free(changes);
    lvl_doc_free(repaired);
    lvl_doc_free(doc);
    lvl_buffer_free(&out);
    t->back += back;
    return back;
}

/* ---- what was whole before a cut --------------------------------------------------------------------- */

static const char *number(const char *p, const char *end)
{
    const char *from = p;

    while (p < end && (*p == '-' || (*p >= '0' && *p <= '9')))
        p++;
    return p > from ? p : NULL;
}

/* The entries "x,y":index of a text that are followed by something. */
static uint64_t entries(const char *text, size_t len)
{
    const char *end = text + len;
    uint64_t n = 0;

    for (const char *p = text; p && p < end; p++) {
        const char *q;
        p = memchr(p, '"', (size_t)(end - p));
        if (!p)
            break;
        if ((q = number(p + 1, end)) && q < end && *q == ',' && (q = number(q + 1, end)) && end - q > 2 &&
            q[0] == '"' && q[1] == ':' && (q = number(q + 2, end)) && q < end)
            n++;
    }
    return n;
}

static uint64_t whole_before(const lvl_doc *sound, lvl_bytes cut)
{
    const lvl_sketchy *d = lvl_doc_croot(sound);
    lvl_inflate_report report;
    lvl_buffer text = {0};
    uint64_t n = 0;

    if (sound->format == packs)
        return 0;
    if (d->generation == LVL_SKETCHY_V1)
        return entries((const char *)cut.ptr, cut.len);
    if (d->generation == LVL_SKETCHY_V2) {
        assert_int_equal(lvl_inflate_salvage(&(lvl_work){.left = UINT64_MAX}, LVL_WRAP_GZIP, cut, &text,
                                             SIZE_MAX, &report),
                         LVL_OK);
        n = entries((const char *)text.data, text.len);
        lvl_buffer_free(&text);
        return n;
    }
    const lvl_bytes file = lvl_doc_input(sound);
    lvl_arena arena;
    lvl_zip zip;
    lvl_arena_init(&arena, &ctx);
    assert_int_equal(lvl_zip_read(&arena, &ctx, file, &zip), LVL_OK);
    uint8_t *grid = malloc((size_t)255 * 255 * 2);
    for (uint32_t i = 0; i < zip.count; i++) {
        const lvl_zip_member *m = &zip.members[i];
        const size_t at = (size_t)(m->packed.ptr - file.ptr);
        char name[64], *p = name + strlen("chunks/");
        snprintf(name, sizeof name, "%.*s", (int)m->name.len, m->name.ptr);
        if (at >= cut.len || strncmp(name, "chunks/", strlen("chunks/")) != 0)
            continue;
        const unsigned long layer = strtoul(p, &p, 10);
        const long x = *p == '/' ? strtol(p + 1, &p, 10) : 0;
        const long y = *p == ',' ? strtol(p + 1, &p, 10) : 0;
        if (*p != '.')
            continue;
        const lvl_bytes packed = {m->packed.ptr, m->packed.len < cut.len - at ? m->packed.len : cut.len - at};
        const lvl_chunk_place place = {(int32_t)x, (int32_t)y, d->layers[layer].size};
        lvl_chunk_report r = {0};
        text.len = 0;
        assert_int_equal(lvl_inflate_salvage(&(lvl_work){.left = UINT64_MAX}, LVL_WRAP_RAW, packed, &text,
                                             SIZE_MAX, &report),
                         LVL_OK);
        const lvl_bytes stream = {text.data, text.len};
        const int encoding = lvl_chunk_encoding(stream);
        if (encoding == LVL_SKETCHY_CHUNK_JSON)
            n += entries((const char *)text.data, text.len);
        else if (encoding >= 0 && lvl_chunk_decode((unsigned)encoding, stream, &place, grid, &r) == LVL_OK)
            n += r.pixels;
    }
    free(grid);
    lvl_buffer_free(&text);
    lvl_arena_free(&arena);
    return n;
}

static lvl_doc *read_sound(const lvl_buffer *file, const char *name)
{
    lvl_doc *doc = NULL;

    assert_int_equal(
        lvl_read(&doc, &ctx, NULL, (lvl_bytes){file->data, file->len}, name, LVL_READ_BORROW, NULL), LVL_OK);
    return doc;
}

static void cut(tally *t, const lvl_buffer *file, const char *name, size_t step)
{
    lvl_doc *sound = read_sound(file, name);

    for (size_t len = 1; len < file->len; len += step) {
        const lvl_bytes bytes = {file->data, len};
        const unsigned long unreadable = t->unreadable;
        const uint64_t whole = whole_before(sound, bytes), back = come_back(t, sound, bytes, name);
        if (t->unreadable > unreadable)
            continue;
        t->whole += whole;
        if (back < whole)
            fprintf(stderr, "%s, cut at %zu: %llu of %llu px\n", name, len, (unsigned long long)back,
                    (unsigned long long)whole);
    }
    lvl_doc_free(sound);
}

static void print(const char *what, const char *how, const tally *t)
{
    printf("%-22s %-16s %6lu tried, %5lu too little to be told, %6lu repaired, %lu not sound then; px %llu "
           "of %llu "
           "(%.1f %%), %lu invented\n",
           what, how, t->tried, t->unreadable, t->repaired, t->unsound, (unsigned long long)t->back,
           (unsigned long long)t->whole, t->whole ? 100.0 * (double)t->back / (double)t->whole : 100.0,
           t->wrong);
    assert_int_equal(t->unsound, 0);
}

static void made_ones_cut(void **state)
{
    (void)state;
    for (unsigned g = 0; g < LVL_SKETCHY_GENERATIONS; g++) {
        lvl_buffer file = file_of(lvl_make_sketch(&ctx, g)), doodad = file_of(lvl_make_doodad(&ctx, g));
        char name[40];
        tally t = {0}, u = {0};
        cut(&t, &file, "made.level", 1);
        snprintf(name, sizeof name, "made level %s", lvl_sketchy_generation_name(g));
        print(name, "cut", &t);
        /* runs have no positions: the size of a truncated chunk without a neighbour cannot be inferred */
        assert_true(g == LVL_SKETCHY_V4 ? t.back * 1000 >= t.whole * 995 : t.back >= t.whole && !t.wrong);
        cut(&u, &doodad, "made.doodad", 1);
        snprintf(name, sizeof name, "made doodad %s", lvl_sketchy_generation_name(g));
        print(name, "cut", &u);
        assert_true(g == LVL_SKETCHY_V4 ? u.back * 1000 >= u.whole * 995 : u.back >= u.whole && !u.wrong);
        lvl_buffer_free(&file);
        lvl_buffer_free(&doodad);
    }
    lvl_buffer pack = file_of(lvl_make_pack(&ctx));
    tally t = {0};
    cut(&t, &pack, "made.levelpack", 3);
    print("made pack", "cut", &t);
    lvl_buffer_free(&pack);
}

/* ---- changed bytes ----------------------------------------------------------------------------------- */

enum { FLIPS = 3 };
static const uint8_t flips[FLIPS] = {0x01, 0x10, 0xFF};

static void change(tally *t, const lvl_doc *sound, lvl_buffer *file, size_t from, size_t to, uint64_t all)
{
    for (size_t i = from; i < to; i++) {
        for (int k = 0; k < FLIPS; k++) {
            const unsigned long unreadable = t->unreadable;
            file->data[i] ^= flips[k];
            come_back(t, sound, (lvl_bytes){file->data, file->len}, "changed");
            file->data[i] ^= flips[k];
            t->whole += t->unreadable > unreadable ? 0 : all;
        }
    }
}

static void bytes_changed(void **state)
{
    (void)state;
    for (unsigned g = 0; g < LVL_SKETCHY_GENERATIONS; g++) {
        lvl_buffer file = file_of(lvl_make_sketch(&ctx, g));
        lvl_buffer copy = {0};
        lvl_buffer_add(&copy, file.data, file.len);
        lvl_doc *sound = read_sound(&copy, "x.level");
        const char *name = lvl_sketchy_generation_name(g);
        uint64_t none;
        const uint64_t all = same_pixels(sound, sound, &none);
        if (g <= LVL_SKETCHY_V2) {
            tally t = {0};
            change(&t, sound, &file, 0, file.len, all);
            print(name, "byte anywhere", &t);
            assert_true(t.back * 100 >= t.whole * (g == LVL_SKETCHY_V1 ? 95 : 25));
        } else {
            tally directory = {0}, headers = {0}, chunks = {0}, document = {0};
            lvl_arena arena;
            lvl_zip zip;
            lvl_arena_init(&arena, &ctx);
            assert_int_equal(lvl_zip_read(&arena, &ctx, (lvl_bytes){copy.data, copy.len}, &zip), LVL_OK);
            for (uint32_t i = 0; i < zip.count; i++) {
                const lvl_zip_member *m = &zip.members[i];
                const size_t data = (size_t)m->at + m->local.len;
                change(&headers, sound, &file, (size_t)m->at, data, all);
                change(m->name.ptr[0] == 'c' ? &chunks : &document, sound, &file, data, data + m->packed.len,
                       all);
            }
            change(&directory, sound, &file, (size_t)zip.directory_at, file.len, all);
            print(name, "in directory", &directory);
            print(name, "in local headers", &headers);
            print(name, "in chunks", &chunks);
            print(name, "in document", &document);
            assert_true(directory.back * 1000 >= directory.whole * 995);
            assert_true(headers.back * 100 >= headers.whole * 99);
            assert_true(document.back * 100 >= document.whole * 99);
            assert_true(chunks.back * 100 >= chunks.whole * 60);
            lvl_arena_free(&arena);
        }
        lvl_doc_free(sound);
        lvl_buffer_free(&file);
        lvl_buffer_free(&copy);
    }
}

/* ---- the corpus -------------------------------------------------------------------------------------- */

static void corpus_cut(void **state)
{
    enum { BIG = 900 << 10, FILES = 3, CUTS = 12 };
    const char *dir = lvl_corpus_dir();
    static const char *const folders[] = {"level-v2-gzip", "level-v3-json", "level-v3.1-bin", "made/level-v4",
                                          "levelpack"};
    char folder[1024];

    (void)state;
    if (!dir) {
        skip();
        return;
    }
    for (size_t k = 0; k < sizeof folders / sizeof *folders; k++) {
        lvl_paths paths = {0};
        tally t = {0};
        size_t files = 0;
        snprintf(folder, sizeof folder, "%s/sketchy/%s", dir, folders[k]);
        if (!lvl_paths_below(&paths, folder, "level levelpack"))
            continue;
        for (size_t i = 0; i < paths.count && (getenv("LVL_ALL") || files < FILES); i++) {
            lvl_buffer file = {0};
            file.data = lvl_slurp(paths.items[i], &file.len);
            if (file.data && (file.len < BIG || getenv("LVL_ALL"))) {
                cut(&t, &file, lvl_path_name(paths.items[i]), file.len / (getenv("LVL_ALL") ? 25 : CUTS) + 1);
                files++;
            }
            free(file.data);
        }
        if (files)
            print(folders[k], "cut", &t);
        lvl_paths_free(&paths);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(made_ones_cut),
        cmocka_unit_test(bytes_changed),
        cmocka_unit_test(corpus_cut),
    };

    lvl_ctx_init(&ctx);
    drawings = lvl_format_find("sketchy");
    packs = lvl_format_find("levelpack");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
