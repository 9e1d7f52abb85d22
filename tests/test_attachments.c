/*
 * Files attached to drawings and packs, extracted and packed again: the same bytes if nothing changed,
 * pictures instead of base64, names that lead out of the folder, the index of packs, duplicate doodads.
 */
#include "base/text.h"
#include "base/format.h"
#include "codec/json.h"
#include "corpus.h"
#include "expect.h"
#include "sketchy_make.h"
#include "tools/archive.h"

#include <lvl/container.h>
#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

static const char png[] = "\x89PNG\r\n\x1a\n and so on", jpeg[] = "\xFF\xD8\xFF\xE0 and so on",
                  custom[] = "assets/wallpapers/custom.b64img";

static lvl_container *open_box(lvl_doc *doc)
{
    lvl_container *box = NULL;

    assert_int_equal(lvl_container_open(&box, doc), LVL_OK);
    return box;
}

/* The document by way of its file. */
static lvl_doc *again(lvl_doc *doc)
{
    lvl_buffer out = {0};
    lvl_doc *read = NULL;

    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    assert_int_equal(lvl_read(&read, &ctx, lvl_doc_format(doc), lvl_bytes_in(&out), NULL, 0, NULL), LVL_OK);
    lvl_buffer_free(&out);
    lvl_doc_free(doc);
    return read;
}

static void expect_file(lvl_doc *doc, const char *path, lvl_bytes want)
{
    lvl_container *box = open_box(doc);
    lvl_buffer storage = {0};
    lvl_bytes got;

    const lvl_entry *e = lvl_container_find(box, path);
    assert_non_null(e);
    assert_string_equal(e->path, path);
    assert_int_equal(lvl_container_read(box, e, &got, &storage, NULL), LVL_OK);
    assert_int_equal(got.len, want.len);
    assert_int_equal(e->size, want.len);
    assert_memory_equal(got.ptr, want.ptr, want.len);
    lvl_buffer_free(&storage);
    lvl_container_close(box);
}

static void put(lvl_doc *doc, const char *path, lvl_bytes bytes, lvl_status want)
{
    lvl_container *box = open_box(doc);

    assert_int_equal(lvl_container_put(box, path, bytes, 0), want);
    lvl_container_close(box);
}

static void expect_place(lvl_doc *doc, const char *path, lvl_bytes bytes, const char *want)
{
    lvl_container *box = open_box(doc);
    lvl_buffer place = {0};

    assert_int_equal(lvl_container_place(box, path, bytes, &place), want ? LVL_OK : LVL_ERR_ARG);
    if (want)
        assert_string_equal((const char *)place.data, want);
    lvl_buffer_free(&place);
    lvl_container_close(box);
}

/* ---- nothing changed --------------------------------------------------------------------------------- */

/* Extracts every file and puts it back. Returns their number. */
static size_t put_back(lvl_doc *doc)
{
    lvl_container *box = open_box(doc);
    const size_t n = lvl_container_count(box);
    char **paths = calloc(n + 1, sizeof *paths);
    lvl_buffer storage = {0}, place = {0};
    size_t count = 0;

    assert_non_null(paths);
    for (size_t i = 0; i < n; i++) {
        const lvl_entry *e = lvl_container_at(box, i);
        if (e->is_dir || !e->unique)
            continue;
        paths[count] = malloc(strlen(e->path) + 1);
        assert_non_null(paths[count]);
        memcpy(paths[count++], e->path, strlen(e->path) + 1);
    }
    for (size_t i = 0; i < count; i++) {
        lvl_bytes bytes;
        const lvl_entry *e = lvl_container_find(box, paths[i]);
        assert_non_null(e);
        const lvl_status status = lvl_container_read(box, e, &bytes, &storage, NULL);
        if (status == LVL_OK) {
            place.len = 0;
            assert_int_equal(lvl_container_place(box, paths[i], bytes, &place), LVL_OK);
            assert_string_equal((const char *)place.data, paths[i]);
            assert_int_equal(lvl_container_put(box, paths[i], bytes, 0), LVL_OK);
        }
        free(paths[i]);
    }
    free(paths);
    lvl_buffer_free(&storage);
    lvl_buffer_free(&place);
    lvl_container_close(box);
    return count;
}

static size_t same_below(const char *dir, size_t *files)
{
    lvl_paths paths = {0};
    size_t count = 0;

    assert_true(lvl_paths_below(&paths, dir, "level doodad levelpack"));
    for (size_t i = 0; i < paths.count; i++) {
        lvl_bytes file = {NULL, 0};
        lvl_buffer out = {0};
        lvl_doc *doc = NULL;
        uint8_t *data = lvl_slurp(paths.items[i], &file.len);
        assert_non_null(data);
        file.ptr = data;
        if (lvl_read(&doc, &ctx, NULL, file, lvl_path_name(paths.items[i]), LVL_READ_BORROW, NULL) ==
            LVL_OK) {
            *files += put_back(doc);
            assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
            if (out.len != file.len || memcmp(out.data, file.ptr, file.len) != 0)
                fail_msg("%s: other bytes", paths.items[i]);
            count++;
        }
        lvl_doc_free(doc);
        lvl_buffer_free(&out);
        free(data);
    }
    lvl_paths_free(&paths);
    return count;
}

static void test_same(void **state)
{
    const char *samples = lvl_samples_dir(), *corpus = lvl_corpus_dir();
    char dir[1000];
    size_t files = 0;

    (void)state;
    if (samples) {
        snprintf(dir, sizeof dir, "%s/sketchy", samples);
        assert_true(same_below(dir, &files) > 8);
        assert_true(files > 8);
    }
    files = 0;
    if (corpus) {
        snprintf(dir, sizeof dir, "%s/sketchy", corpus);
        const size_t count = same_below(dir, &files);
        printf("%zu files, %zu in them, put back as they were\n", count, files);
    }
}

/* ---- wallpapers -------------------------------------------------------------------------------------- */

static void test_wallpapers(void **state)
{
    (void)state;
    for (unsigned generation = LVL_SKETCHY_V1; generation < LVL_SKETCHY_GENERATIONS; generation++) {
        lvl_doc *doc = lvl_make_sketch(&ctx, generation);
        lvl_buffer text = {0};
        assert_non_null(doc);
        /* new: under the name that the game's editor uses */
        expect_place(doc, "assets/wallpapers/custom.png", lvl_bytes_of(png),
                     "assets/wallpapers/custom.b64img");
        put(doc, "assets/wallpapers/custom.png", lvl_bytes_of(png), LVL_OK);
        doc = again(doc);
        const lvl_sketchy *d = lvl_doc_croot(doc);
        const lvl_sketchy_file *file = &d->files[d->file_count - 1];
        assert_true(lvl_text_is(file->path, custom));
        expect_file(doc, "assets/wallpapers/custom.png", lvl_bytes_of(png));
        /* in the file it is text */
        const lvl_field *data = lvl_table_at(&lvl_sketchy_file_table, offsetof(lvl_sketchy_file, data));
        lvl_buffer storage = {0};
        lvl_bytes raw;
        lvl_base64_encode(&text, lvl_bytes_of(png));
        assert_int_equal(lvl_doc_bytes(doc, file, data, &storage, &raw), LVL_OK);
        assert_int_equal(raw.len, text.len);
        assert_memory_equal(raw.ptr, text.data, raw.len);
        lvl_buffer_free(&storage);
        lvl_buffer_free(&text);
        /* a picture of another kind takes its place, and its own ending */
        expect_place(doc, "assets/wallpapers/custom.jpg", lvl_bytes_of(jpeg), "assets/wallpapers/custom.png");
        put(doc, "assets/wallpapers/custom.jpg", lvl_bytes_of(jpeg), LVL_OK);
        doc = again(doc);
        expect_file(doc, "assets/wallpapers/custom.jpg", lvl_bytes_of(jpeg));
        assert_int_equal(((const lvl_sketchy *)lvl_doc_croot(doc))->file_count,
                         generation < LVL_SKETCHY_V3 ? 1 : 2);
        /* other names stay, what is no picture too */
        put(doc, "assets/wallpapers/notebook.png", lvl_bytes_of(png), LVL_OK);
        put(doc, "assets/wallpapers/odd.b64img", lvl_bytes_of("not base64"), LVL_OK);
        doc = again(doc);
        expect_file(doc, "assets/wallpapers/notebook.png", lvl_bytes_of(png));
        expect_file(doc, "assets/wallpapers/odd.b64img", lvl_bytes_of("not base64"));
        if (generation >= LVL_SKETCHY_V3)
            expect_file(doc, "assets/wallpapers/own.b64img", lvl_bytes_of("aGVsbG8="));
        lvl_doc_free(doc);
    }
}

static void test_two_names(void **state)
{
    lvl_doc *doc = lvl_make_sketch(&ctx, LVL_SKETCHY_V4);
    lvl_buffer a = {0}, b = {0};

    (void)state;
    lvl_base64_encode(&a, lvl_bytes_of(png));
    lvl_base64_encode(&b, lvl_bytes_of(jpeg));
    lvl_buffer_u8(&b, '\n');
    assert_true(lvl_make_attached(doc, custom, lvl_bytes_in(&a)));
    assert_true(lvl_make_attached(doc, "assets/wallpapers/custom.png", lvl_bytes_in(&b)));
    doc = again(doc);
    expect_file(doc, "assets/wallpapers/custom.b64img.png", lvl_bytes_of(png));
    expect_file(doc, "assets/wallpapers/custom.png", lvl_bytes_of(jpeg));
    lvl_buffer_free(&a);
    lvl_buffer_free(&b);
    lvl_doc_free(doc);
}

/* ---- names ------------------------------------------------------------------------------------------- */

static void test_names(void **state)
{
    static const char *const bad[] = {"../x", "/etc/x",         "a/../../x",  "C:/x",
                                      "C:x",  "assets\\x",      "..\\x",      "con",
                                      "a//b", "assets/nul.png", "assets/x. ", "assets/a:b.txt"};
    lvl_doc *doc = lvl_make_sketch(&ctx, LVL_SKETCHY_V3_1);
    const size_t count = sizeof bad / sizeof *bad;
    size_t seen = 0;

    (void)state;
    for (size_t i = 0; i < count; i++)
        assert_true(lvl_make_attached(doc, bad[i], lvl_bytes_of("data")));
    lvl_sketchy *d = lvl_doc_root(doc);
    assert_true(lvl_make_attached(doc, "assets/zero", lvl_bytes_of("data")));
    d->files[d->file_count - 1].path = (lvl_text){"assets/\0/x", 10};
    doc = again(doc);
    lvl_container *box = open_box(doc);
    for (size_t i = 0; i < lvl_container_count(box); i++) {
        const lvl_entry *e = lvl_container_at(box, i);
        const bool ours = e->is_dir || strcmp(e->path, "assets/wallpapers/own.b64img") == 0;
        assert_int_equal(e->safe, ours);
        seen += !ours;
    }
    assert_int_equal(seen, count + 1);
    /* one that is there can be changed where it is, and taken out */
    assert_int_equal(lvl_container_put(box, "../x", lvl_bytes_of("more"), 0), LVL_OK);
    assert_int_equal(lvl_container_remove(box, "C:x"), LVL_OK);
    assert_int_equal(lvl_container_remove(box, "C:x"), LVL_ERR_MISSING);
    lvl_container_close(box);
    doc = again(doc);
    expect_file(doc, "../x", lvl_bytes_of("more"));
    lvl_doc_free(doc);

    doc = lvl_make_sketch(&ctx, LVL_SKETCHY_V3_1);
    for (size_t i = 0; i < count; i++) {
        put(doc, bad[i], lvl_bytes_of("data"), LVL_ERR_ARG);
        expect_place(doc, bad[i], lvl_bytes_of("data"), NULL);
    }
    static const char *const reserved[] = {
        "level.json", "doodad.json", "chunks/0/9,9.bin", "x", "assets", "assets/", ""};
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        put(doc, reserved[i], lvl_bytes_of("data"), LVL_ERR_ARG);
    lvl_doc_free(doc);
}

/* ---- packs ------------------------------------------------------------------------------------------- */

static lvl_buffer level_file(const char *title, const char *embed, lvl_bytes doodad)
{
    lvl_doc *doc = lvl_make_sketch(&ctx, LVL_SKETCHY_V4);
    lvl_sketchy *d = lvl_doc_root(doc);
    lvl_buffer out = {0};

    d->title = lvl_doc_text(doc, lvl_text_of(title));
    if (!*title)
        d->author = d->uuid = (lvl_text){NULL, 0};
    if (embed)
        assert_true(lvl_make_attached(doc, embed, doodad));
    assert_true(lvl_make_file(doc, &out));
    return out;
}

static lvl_doc *pack_of(const lvl_pack_item *items, size_t count)
{
    lvl_doc *doc = NULL;

    assert_int_equal(lvl_container_pack(&doc, &ctx, lvl_format_find("levelpack"), items, count), LVL_OK);
    return again(doc);
}

static void expect_index(const lvl_doc *doc, const char *want)
{
    const lvl_levelpack *p = lvl_doc_croot(doc);
    lvl_buffer got = {0};

    for (uint32_t i = 0; i < p->level_count; i++) {
        const lvl_levelpack_level *l = &p->levels[i];
        lvl_buffer_printf(&got, "%s%.*s|%.*s|%.*s|%s", i ? " " : "", (int)l->filename.len, l->filename.ptr,
                          (int)l->title.len, l->title.ptr, (int)l->author.len, l->author.ptr,
                          l->uuid.len ? "id" : "");
    }
    lvl_buffer_u8(&got, 0);
    assert_string_equal((const char *)got.data, want);
    lvl_buffer_free(&got);
}

/* Members of an archive that are changed in place are held once: the archive borrows their bytes, and what is
 * read of the new file shares those that are equal. */
static void test_held_once(void **state)
{
    lvl_buffer one = level_file("One", NULL, (lvl_bytes){NULL, 0}),
               two = level_file("Two", NULL, (lvl_bytes){NULL, 0});
    const lvl_pack_item was = {.path = "levels/a.level", .bytes = lvl_bytes_in(&one)},
                        now = {.path = "levels/a.level", .bytes = lvl_bytes_in(&two)};
    lvl_container *pack = NULL;
    lvl_buffer out = {0};
    size_t done = 0;

    (void)state;
    lvl_doc *doc = pack_of(&was, 1), *read = NULL;
    assert_int_equal(lvl_container_open(&pack, doc), LVL_OK);
    assert_int_equal(lvl_container_put_all(pack, &now, 1, &done), LVL_OK);
    lvl_container_close(pack);
    const lvl_levelpack *p = lvl_doc_croot(doc);
    assert_ptr_equal(p->files[0].data.ptr, two.data);
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    assert_int_equal(lvl_read(&read, &ctx, NULL, lvl_bytes_in(&out), NULL, LVL_READ_BORROW, NULL), LVL_OK);
    lvl_doc *const docs[] = {doc, read};
    assert_int_equal(lvl_doc_open_different(docs, 2, false), LVL_OK);
    p = lvl_doc_croot(read);
    assert_ptr_equal(p->files[0].data.ptr, two.data);
    lvl_doc_free(read);
    lvl_doc_free(doc);
    lvl_buffer_free(&out);
    lvl_buffer_free(&one);
    lvl_buffer_free(&two);
}

static void test_build(void **state)
{
    static const char index[] =
        "{\"title\":\"P\",\"own\":1,\"levels\":[{\"title\":\"Given\",\"filename\":\"L2.level\"},"
        "{\"title\":\"Gone\",\"filename\":\"gone.level\"}],\"freeLevels\":3}";
    lvl_buffer one = level_file("One", NULL, (lvl_bytes){NULL, 0}),
               none = level_file("", NULL, (lvl_bytes){NULL, 0});
    const lvl_pack_item items[] = {
        {.path = "levels/L10.level", .bytes = lvl_bytes_in(&one)},
        {.path = "levels", .is_dir = true},
        {.path = "levels/L2.level", .bytes = lvl_bytes_in(&none)},
        {.path = "L9.level", .bytes = lvl_bytes_in(&one)},
        {.path = "a.doodad", .bytes = lvl_bytes_of("?")},
        {.path = "index.json", .bytes = lvl_bytes_of(index)},
    };

    (void)state;
    lvl_doc *doc = pack_of(items, 5);
    const lvl_levelpack *p = lvl_doc_croot(doc);
    expect_index(doc, "L2.level|L2|| L9.level|One|lvl|id L10.level|One|lvl|id");
    assert_true(lvl_text_is(p->created, "0001-01-01T00:00:00Z")); /* without one the game reads nothing */
    expect_file(doc, "doodads/a.doodad", lvl_bytes_of("?"));
    lvl_doc_free(doc);
    /* with an index: its entries stay, missing ones are added */
    doc = pack_of(items, 6);
    p = lvl_doc_croot(doc);
    expect_index(doc, "L2.level|Given|| gone.level|Gone|| L9.level|One|lvl|id L10.level|One|lvl|id");
    assert_int_equal(p->free_levels, 3);
    assert_true(p->json.len && strstr(p->json.ptr, "\"own\":1"));
    lvl_doc_free(doc);
    /* beside its folder and in it */
    const lvl_pack_item both[] = {{.path = "a.level", .bytes = lvl_bytes_in(&one)},
                                  {.path = "levels/a.level", .bytes = lvl_bytes_in(&one)}};
    assert_int_equal(lvl_container_pack(&doc, &ctx, lvl_format_find("levelpack"), both, 2), LVL_ERR_ARG);
    lvl_buffer_free(&one);
    lvl_buffer_free(&none);
}

static void test_index_follows(void **state)
{
    lvl_buffer one = level_file("One", NULL, (lvl_bytes){NULL, 0}),
               two = level_file("Two", NULL, (lvl_bytes){NULL, 0}), old = {0};
    const lvl_pack_item items[] = {{.path = "levels/a.level", .bytes = lvl_bytes_in(&one)},
                                   {.path = "levels/b.level", .bytes = lvl_bytes_in(&one)}};
    lvl_doc *doc = pack_of(items, 2);
    lvl_container *box = open_box(doc);
    lvl_bytes index;

    (void)state;
    assert_int_equal(lvl_container_read(box, lvl_container_find(box, "index.json"), &index, &old, NULL),
                     LVL_OK);
    assert_int_equal(lvl_container_put(box, "levels/b.level", lvl_bytes_in(&two), 0), LVL_OK);
    assert_int_equal(lvl_container_put(box, "c.level", lvl_bytes_in(&two), 0), LVL_OK);
    expect_index(doc, "a.level|One|lvl|id b.level|Two|lvl|id c.level|Two|lvl|id");
    /* an index from before doesn't lose what came since */
    assert_int_equal(lvl_container_put(box, "index.json", index, 0), LVL_OK);
    expect_index(doc, "a.level|One|lvl|id b.level|One|lvl|id c.level|Two|lvl|id");
    /* one that cannot be read changes nothing */
    assert_int_not_equal(lvl_container_put(box, "index.json", lvl_bytes_of("[1"), 0), LVL_OK);
    expect_index(doc, "a.level|One|lvl|id b.level|One|lvl|id c.level|Two|lvl|id");
    assert_int_equal(lvl_container_remove(box, "levels/a.level"), LVL_OK);
    assert_int_equal(lvl_container_remove(box, "index.json"), LVL_ERR_UNSUPPORTED);
    lvl_container_close(box);
    doc = again(doc);
    expect_index(doc, "b.level|One|lvl|id c.level|Two|lvl|id");
    assert_int_equal(((const lvl_levelpack *)lvl_doc_croot(doc))->file_count, 2);
    lvl_doc_free(doc);
    lvl_buffer_free(&one);
    lvl_buffer_free(&two);
    lvl_buffer_free(&old);
}

static void test_remove_by_case(void **state)
{
    lvl_buffer one = level_file("One", NULL, (lvl_bytes){NULL, 0});
    const lvl_pack_item items[] = {{.path = "levels/a.level", .bytes = lvl_bytes_in(&one)},
                                   {.path = "levels/b.level", .bytes = lvl_bytes_in(&one)}};
    lvl_doc *doc = pack_of(items, 2);
    lvl_levelpack *p = lvl_doc_root(doc);

    (void)state;
    p->files[1].path = lvl_text_of("levels/A.level"); /* another file */
    p->levels[1].filename = lvl_text_of("A.level");
    lvl_container *box = open_box(doc);
    assert_int_equal(lvl_container_remove(box, "levels/a.level"), LVL_OK);
    expect_index(doc, "A.level|One|lvl|id");
    assert_int_equal(p->file_count, 1);
    assert_int_equal(lvl_container_remove(box, "Levels/a.LEVEL"), LVL_OK);
    assert_int_equal(p->file_count, 0);
    lvl_container_close(box);
    lvl_doc_free(doc);
    lvl_buffer_free(&one);
}

/* The pack's files, and after each level the number of its own files. */
static void expect_files(const lvl_doc *doc, const char *want)
{
    const lvl_field *data = lvl_table_at(&lvl_sketchy_file_table, offsetof(lvl_sketchy_file, data));
    const lvl_levelpack *p = lvl_doc_croot(doc);
    lvl_buffer got = {0};

    for (uint32_t i = 0; i < p->file_count; i++) {
        lvl_buffer storage = {0};
        lvl_doc *level = NULL;
        lvl_bytes bytes;
        lvl_buffer_printf(&got, "%s%.*s", i ? " " : "", (int)p->files[i].path.len, p->files[i].path.ptr);
        assert_int_equal(lvl_doc_bytes(doc, &p->files[i], data, &storage, &bytes), LVL_OK);
        if (lvl_read(&level, &ctx, NULL, bytes, NULL, 0, NULL) == LVL_OK)
            lvl_buffer_printf(&got, ":%u", (unsigned)((const lvl_sketchy *)lvl_doc_croot(level))->file_count);
        lvl_doc_free(level);
        lvl_buffer_free(&storage);
    }
    lvl_buffer_u8(&got, 0);
    assert_string_equal((const char *)got.data, want);
    lvl_buffer_free(&got);
}

static void dedupe(const lvl_pack_item *items, size_t count, const char *before, const char *after,
                   size_t reported)
{
    lvl_findings *log = lvl_findings_new(&ctx);
    lvl_doc *doc = pack_of(items, count);
    lvl_container *box = open_box(doc);

    expect_files(doc, before);
    assert_int_equal(lvl_container_dedupe(box, log), LVL_OK);
    assert_int_equal(lvl_findings_count(log), reported);
    lvl_container_close(box);
    doc = again(doc);
    expect_files(doc, after);
    lvl_doc_free(doc);
    lvl_findings_free(log);
}

static void test_dedupe(void **state)
{
    static const char inside[] = "assets/doodads/switch.doodad";
    const lvl_bytes x = lvl_bytes_of("one doodad"), y = lvl_bytes_of("another"), no = {NULL, 0};
    lvl_buffer with_x = level_file("x", inside, x), with_y = level_file("y", inside, y),
               without = level_file("n", NULL, no), other = level_file("o", "assets/doodads/other.doodad", x);
    const lvl_pack_item a = {.path = "levels/a.level", .bytes = lvl_bytes_in(&with_x)},
                        b = {.path = "levels/b.level", .bytes = lvl_bytes_in(&with_x)},
                        c = {.path = "levels/c.level", .bytes = lvl_bytes_in(&with_y)},
                        d = {.path = "levels/d.level", .bytes = lvl_bytes_in(&without)},
                        e = {.path = "levels/e.level", .bytes = lvl_bytes_in(&other)},
                        f = {.path = "levels/f.level", .bytes = lvl_bytes_in(&other)},
                        pack = {.path = "doodads/switch.doodad", .bytes = x};

    (void)state;
    /* in the pack: removed from levels with the same bytes (each level also has a wallpaper) */
    dedupe((lvl_pack_item[]){a, c, d, pack}, 4,
           "doodads/switch.doodad levels/a.level:2 levels/c.level:2 levels/d.level:1",
           "doodads/switch.doodad levels/a.level:1 levels/c.level:2 levels/d.level:1", 1);
    /* two levels have it: into the pack */
    dedupe((lvl_pack_item[]){a, b}, 2, "levels/a.level:2 levels/b.level:2",
           "levels/a.level:1 levels/b.level:1 doodads/switch.doodad", 3);
    /* but not if a third has another, or uses one that it hasn't */
    dedupe((lvl_pack_item[]){a, b, c}, 3, "levels/a.level:2 levels/b.level:2 levels/c.level:2",
           "levels/a.level:2 levels/b.level:2 levels/c.level:2", 0);
    dedupe((lvl_pack_item[]){a, b, d}, 3, "levels/a.level:2 levels/b.level:2 levels/d.level:1",
           "levels/a.level:2 levels/b.level:2 levels/d.level:1", 0);
    dedupe((lvl_pack_item[]){a, e}, 2, "levels/a.level:2 levels/e.level:2",
           "levels/a.level:2 levels/e.level:2", 0);
    dedupe((lvl_pack_item[]){d, e, f}, 3, "levels/d.level:1 levels/e.level:2 levels/f.level:2",
           "levels/d.level:1 levels/e.level:1 levels/f.level:1 doodads/other.doodad", 3);
    lvl_buffer_free(&with_x);
    lvl_buffer_free(&with_y);
    lvl_buffer_free(&without);
    lvl_buffer_free(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same),           cmocka_unit_test(test_wallpapers),
        cmocka_unit_test(test_two_names),      cmocka_unit_test(test_names),
        cmocka_unit_test(test_build),          cmocka_unit_test(test_index_follows),
        cmocka_unit_test(test_remove_by_case), cmocka_unit_test(test_dedupe),
        cmocka_unit_test(test_held_once),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
