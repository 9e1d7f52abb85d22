/*
 * Unsafe names of members: names that lead out of a folder, that are invalid on some systems, duplicates, and
 * invalid names among the chunks. Each is reported; repair gives it a name that hides no other member, and
 * keeps the content; extracting never writes outside its folder, whatever that contains already.
 */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "base/text.h"
#include "cli/cli.h"
#include "container/zip.h"
#include "disk.h"
#include "expect.h"
#include "sketchy_make.h"

#include <lvl/container.h>
#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

/* A name with its length, since it may hold NULs. */
#define NAME(text, ...)                      \
    {                                        \
        {text, sizeof text - 1}, __VA_ARGS__ \
    }

typedef struct bad_name {
    lvl_text name;
    const char *id; /* of the finding in drawings */
    const char *after; /* what it is called then, in a drawing; NULL: as before */
} bad_name;

static const char out_id[] = "sketchy.file.leads_out", chunk_id[] = "sketchy.chunk.name",
                  alias_id[] = "sketchy.chunk.alias", stranger_id[] = "sketchy.file.stranger";

static const bad_name bad_names[] = {
    NAME("../lvl_evil", out_id, "lvl_evil"),
    NAME("../../../../tmp/lvl_evil", out_id, "tmp/lvl_evil"),
    NAME("/etc/lvl_evil", out_id, "etc/lvl_evil"),
    NAME("//host/share/lvl_evil", out_id, "host/share/lvl_evil"),
    NAME("C:\\lvl_evil", out_id, "lvl_evil~2"),
    NAME("C:lvl_evil2", out_id, "lvl_evil2"),
    NAME("\\lvl_evil", out_id, "lvl_evil~3"),
    NAME("assets/..\\..\\lvl_evil", out_id, "assets/lvl_evil"),
    NAME("assets/../../lvl_evil3", out_id, "assets/lvl_evil3"),
    NAME("assets/a/..", out_id, "assets/a"),
    NAME("assets/\0hidden", out_id, "assets/_hidden"),
    NAME("..", out_id, "unnamed"),
    NAME("", out_id, "unnamed~2"),
    NAME("../level.json", out_id, "level~2.json"),
    NAME("../LEVEL.JSON", out_id, "LEVEL~3.JSON"),
    NAME("/chunks/0/0,0.bin", out_id, "assets/recovered/0/0,0.bin"),
    NAME("chunks\\0\\9,9.bin", out_id, "assets/recovered/0/9,9.bin"),
    NAME("chunks/0/garbage.bin", chunk_id, "assets/recovered/0/garbage.bin"),
    NAME("chunks/0/garbage.json", chunk_id, "assets/recovered/0/garbage.json"),
    NAME("chunks/0/../lvl_evil.bin", out_id, "assets/recovered/0/lvl_evil.bin"),
    NAME("chunks/0/notes.txt", stranger_id, NULL),
    NAME("README", stranger_id, NULL),
    NAME("con", stranger_id, NULL),
};

enum { BAD = sizeof bad_names / sizeof *bad_names };

/* The file with additional members in front. */
static lvl_buffer with_members(lvl_doc *doc, const lvl_text *names, const lvl_bytes *contents, size_t count)
{
    lvl_buffer file = {0}, out = {0};
    lvl_zip_writer w;
    lvl_arena arena;
    lvl_zip zip;

    assert_true(lvl_make_file(doc, &file));
    lvl_arena_init(&arena, &ctx);
    assert_int_equal(lvl_zip_read(&arena, &ctx, lvl_bytes_in(&file), &zip), LVL_OK);
    lvl_zip_begin(&w, NULL, &out);
    for (size_t i = 0; i < count; i++)
        lvl_zip_put_new(&w, names[i], contents[i]);
    for (uint32_t i = 0; i < zip.count; i++)
        lvl_zip_put_member(&w, &zip.members[i]);
    assert_int_equal(lvl_zip_end(&w, NULL), LVL_OK);
    lvl_arena_free(&arena);
    lvl_buffer_free(&file);
    return out;
}

/* All the bad names, each with its number for content. */
static lvl_buffer with_bad_names(lvl_doc *doc, char contents[BAD][8])
{
    lvl_bytes bytes[BAD];
    lvl_text names[BAD];

    for (size_t i = 0; i < BAD; i++) {
        names[i] = bad_names[i].name;
        bytes[i] = (lvl_bytes){(const uint8_t *)contents[i], (size_t)snprintf(contents[i], 8, "<%zu>", i)};
    }
    return with_members(doc, names, bytes, BAD);
}

/* Repairs, and reads what came of it; `found` hears of that. */
static lvl_doc *repaired(lvl_bytes file, const char *name, lvl_findings *log, lvl_buffer *out,
                         lvl_findings *found)
{
    lvl_check_result result;
    lvl_doc *doc = NULL, *repaired = NULL;

    assert_int_equal(lvl_read(&doc, &ctx, NULL, file, name, LVL_READ_BORROW, NULL), LVL_OK);
    assert_int_equal(lvl_repair(doc, &(lvl_repair_options){.normalize = true}, log, out), LVL_OK);
    lvl_doc_free(doc);
    assert_int_equal(lvl_check(&ctx, NULL, lvl_bytes_in(out), name, NULL, found, &result, &repaired), LVL_OK);
    assert_int_equal(result.verdict, LVL_SOUND);
    return repaired;
}

/* The file that holds just this; NULL: none. */
static const lvl_sketchy_file *holder(const lvl_doc *doc, const lvl_sketchy_file *files, uint32_t count,
                                      const char *content)
{
    const lvl_sketchy_file *found = NULL;

    for (uint32_t i = 0; i < count; i++) {
        lvl_buffer storage = {0};
        lvl_bytes bytes;
        if (lvl_sketchy_file_data(doc, &files[i], &storage, &bytes) == LVL_OK &&
            bytes.len == strlen(content) && !memcmp(bytes.ptr, content, bytes.len))
            found = &files[i];
        lvl_buffer_free(&storage);
    }
    return found;
}

static void each_is_reported_and_repaired(void **state)
{
    char contents[BAD][8];
    lvl_findings *found = lvl_findings_new(&ctx), *log = lvl_findings_new(&ctx),
                 *after = lvl_findings_new(&ctx);
    lvl_buffer file = with_bad_names(lvl_make_sketch(&ctx, LVL_SKETCHY_V3_1), contents), out = {0};
    lvl_check_result result;
    size_t reported[3] = {0}, renamed = 0;
    lvl_doc *doc = NULL;

    (void)state;
    assert_int_equal(lvl_check(&ctx, NULL, lvl_bytes_in(&file), "x.level", NULL, found, &result, &doc),
                     LVL_OK);
    for (size_t i = 0; i < BAD; i++) {
        reported[0] += bad_names[i].id == out_id;
        reported[1] += bad_names[i].id == chunk_id;
        reported[2] += bad_names[i].id == stranger_id;
        renamed += bad_names[i].after != NULL;
    }
    assert_int_equal(lvl_count_id(found, out_id), reported[0]);
    assert_int_equal(lvl_count_id(found, chunk_id),
                     reported[1] + 1); /* one of those that lead out is among the chunks, too */
    assert_true(lvl_count_id(found, stranger_id) >= reported[2]);
    lvl_doc_free(doc);

    doc = repaired(lvl_bytes_in(&file), "x.level", log, &out, after);
    assert_int_equal(lvl_count_id(log, out_id) + lvl_count_id(log, chunk_id), renamed);
    assert_int_equal(lvl_count_id(after, out_id) + lvl_count_id(after, chunk_id), 0);
    const lvl_sketchy *d = lvl_sketchy_cof(doc);
    assert_int_equal(d->file_count, BAD + 1);
    assert_int_equal(d->layers[0].chunk_count, 3);
    for (size_t i = 0; i < BAD; i++) {
        const lvl_sketchy_file *f = holder(doc, d->files, d->file_count, contents[i]);
        const lvl_text want = bad_names[i].after ? lvl_text_of(bad_names[i].after) : bad_names[i].name;
        assert_non_null(f);
        if (!lvl_text_equal(f->path, want))
            fail_msg("%zu: %.*s instead of %.*s", i, (int)f->path.len, f->path.ptr, (int)want.len, want.ptr);
    }
    lvl_doc_free(doc);
    lvl_findings_free(found);
    lvl_findings_free(log);
    lvl_findings_free(after);
    lvl_buffer_free(&out);
    lvl_buffer_free(&file);
}

/* A chunk under a name that isn't its own becomes one where its place is free, and only if it is one. */
static void chunks_find_their_places(void **state)
{
    static const uint8_t list[] = {0,   160, 1,   162, 1, 1,
                                   164, 1,   166, 1,   2}; /* px 80,81 and 82,83: of chunk 5,5 of 16 px */
    static const uint8_t runs[] = {1, 2, 128, 2}; /* 256 px */
    static const uint8_t both[] = {0, 0, 0, 1, 200, 1, 200, 1, 1};
    static const struct {
        const char *name;
        lvl_bytes bytes;
        const char *id, *key, *stray; /* the chunk that it is then, or the file */
    } rows[] = {
        {"chunks/0/+5,05.bin", {list, sizeof list}, alias_id, "5,5", NULL},
        {"chunks/0/-0,7.bin", {runs, sizeof runs}, alias_id, "0,7", NULL},
        {"chunks/00/5,5.bin", {list, sizeof list}, alias_id, "5,5", NULL},
        {"CHUNKS/0/5,5.BIN", {list, sizeof list}, alias_id, "5,5", NULL},
        {"chunks\\0\\5,5.bin", {list, sizeof list}, out_id, "5,5", NULL},
        {"./../chunks/0/7,7.bin", {runs, sizeof runs}, out_id, "7,7", NULL},
        {"chunks/0/garbage.bin", {list, sizeof list}, chunk_id, NULL, "assets/recovered/0/garbage.bin"},
        {"chunks/0/garbage.bin", {runs, sizeof runs}, chunk_id, NULL, "assets/recovered/0/garbage.bin"},
        {"chunks/0/garbage.bin", {both, sizeof both}, chunk_id, NULL, "assets/recovered/0/garbage.bin"},
        {"chunks\\0\\-1,2.bin", {runs, sizeof runs}, out_id, NULL, "assets/recovered/0/-1,2.bin"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const lvl_text name = lvl_text_of(rows[i].name);
        lvl_findings *found = lvl_findings_new(&ctx), *after = lvl_findings_new(&ctx);
        lvl_buffer file = with_members(lvl_make_sketch(&ctx, LVL_SKETCHY_V4), &name, &rows[i].bytes, 1),
                   out = {0};
        lvl_check_result result;
        assert_int_equal(lvl_check(&ctx, NULL, lvl_bytes_in(&file), "x.level", NULL, found, &result, NULL),
                         LVL_OK);
        if (lvl_count_id(found, rows[i].id) != 1)
            fail_msg("%s isn't told", rows[i].name);
        lvl_doc *doc = repaired(lvl_bytes_in(&file), "x.level", NULL, &out, after);
        const lvl_sketchy *d = lvl_sketchy_cof(doc);
        assert_int_equal(lvl_count_id(after, rows[i].id), 0);
        assert_int_equal(d->layers[0].chunk_count, rows[i].key ? 4 : 3);
        bool seen = false;
        for (uint32_t k = 0; k < d->layers[0].chunk_count && rows[i].key; k++)
            seen = seen || lvl_text_is(d->layers[0].chunks[k].key, rows[i].key);
        for (uint32_t k = 0; k < d->file_count && rows[i].stray; k++)
            seen = seen || lvl_text_is(d->files[k].path, rows[i].stray);
        if (!seen)
            fail_msg("%s isn't where it belongs", rows[i].name);
        lvl_doc_free(doc);
        lvl_findings_free(found);
        lvl_findings_free(after);
        lvl_buffer_free(&file);
        lvl_buffer_free(&out);
    }
}

/* Of two chunks of one place the game takes the one whose name is plain. */
static void plain_keys_count(void **state)
{
    static const uint8_t list[] = {0, 2, 2, 2};
    const lvl_text name = lvl_text_of("chunks/0/+0,0.bin");
    const lvl_bytes bytes = {list, sizeof list};
    lvl_buffer file = with_members(lvl_make_sketch(&ctx, LVL_SKETCHY_V3_1), &name, &bytes, 1);
    lvl_doc *doc = NULL;

    (void)state;
    assert_int_equal(lvl_read(&doc, &ctx, NULL, lvl_bytes_in(&file), "x.level", LVL_READ_BORROW, NULL),
                     LVL_OK);
    const lvl_sketchy *d = lvl_sketchy_cof(doc);
    assert_int_equal(d->layers[0].chunk_count, 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_false(lvl_text_is(d->layers[0].chunks[i].key, "+0,0"));
    lvl_doc_free(doc);
    lvl_buffer_free(&file);
}

static void doubles_keep_what_differs(void **state)
{
    const lvl_text names[] = {lvl_text_of("levels/three.level"), lvl_text_of("levels/three.level"),
                              lvl_text_of("levels/three.level"), lvl_text_of("readme.txt"),
                              lvl_text_of("readme.txt"),         lvl_text_of("README.txt")};
    lvl_buffer levels[2] = {{0}, {0}}, out = {0};
    lvl_findings *found = lvl_findings_new(&ctx), *after = lvl_findings_new(&ctx);
    lvl_check_result result;

    (void)state;
    assert_true(lvl_make_file(lvl_make_sketch(&ctx, LVL_SKETCHY_V1), &levels[0]));
    assert_true(lvl_make_file(lvl_make_sketch(&ctx, LVL_SKETCHY_V4), &levels[1]));
    const lvl_bytes bytes[] = {lvl_bytes_in(&levels[0]),     lvl_bytes_in(&levels[1]),
                               lvl_bytes_in(&levels[1]),     {(const uint8_t *)"same", 4},
                               {(const uint8_t *)"same", 4}, {(const uint8_t *)"else", 4}};
    lvl_buffer file = with_members(lvl_make_pack(&ctx), names, bytes, 6);
    assert_int_equal(lvl_check(&ctx, NULL, lvl_bytes_in(&file), "x.levelpack", NULL, found, &result, NULL),
                     LVL_OK);
    assert_int_equal(result.verdict, LVL_FAULTY);
    assert_int_equal(lvl_count_id(found, "sketchy.zip.double"), 3);
    assert_int_equal(lvl_count_id(found, "sketchy.file.case"), 1);
    lvl_doc *doc = repaired(lvl_bytes_in(&file), "x.levelpack", NULL, &out, after);
    const lvl_levelpack *p = lvl_levelpack_cof(doc);
    unsigned three = 0, other = 0, readme = 0, listed = 0;
    for (uint32_t i = 0; i < p->file_count; i++) {
        three += lvl_text_is(p->files[i].path, "levels/three.level");
        other += lvl_text_is(p->files[i].path, "levels/three~2.level");
        readme += lvl_text_equal_nocase(p->files[i].path, lvl_text_of("readme.txt"));
    }
    for (uint32_t i = 0; i < p->level_count; i++)
        listed += lvl_text_is(p->levels[i].filename, "three~2.level") ||
                  lvl_text_is(p->levels[i].filename, "three.level");
    assert_int_equal(three, 1);
    assert_int_equal(other, 1);
    assert_int_equal(readme, 2); /* of one name in two cases each stays */
    assert_int_equal(listed, 2);
    assert_int_equal(p->file_count, 3 + 6); /* each under a different name */
    lvl_doc_free(doc);
    lvl_findings_free(found);
    lvl_findings_free(after);
    lvl_buffer_free(&file);
    lvl_buffer_free(&out);
    lvl_buffer_free(&levels[0]);
    lvl_buffer_free(&levels[1]);
}

/* A level that Windows' own zips call with backslashes is found by the index again. */
/* So many members that wish for one name have each its own, without trying all that went before. */
static void crowds_of_one_name(void **state)
{
    enum { MANY = 30000, PLACES = 15 };
    lvl_text *names = calloc(MANY, sizeof *names);
    lvl_bytes *contents = calloc(MANY, sizeof *contents);
    char *text = malloc((size_t)MANY * (PLACES + 2));
    lvl_findings *log = lvl_findings_new(&ctx), *after = lvl_findings_new(&ctx);
    lvl_buffer out = {0};

    (void)state;
    assert_true(names && contents && text);
    for (uint32_t i = 0; i < MANY; i++) {
        char *name = text + (size_t)i * (PLACES + 2);
        for (unsigned k = 0; k < PLACES; k++)
            name[k] = i >> k & 1 ? '\\' : '/';
        name[PLACES] = 'a';
        names[i] = (lvl_text){name, PLACES + 1};
        contents[i] = (lvl_bytes){(const uint8_t *)name, PLACES};
    }
    names[MANY - 1] =
        lvl_text_of("chunks/0/notes.txt"); /* the end of a directory of this length must name its document */
    lvl_buffer file = with_members(lvl_make_sketch(&ctx, LVL_SKETCHY_V3_1), names, contents, MANY);
    lvl_doc *doc = repaired(lvl_bytes_in(&file), "x.level", log, &out, after);
    assert_int_equal(lvl_count_id(after, out_id), 0);
    const lvl_sketchy *d = lvl_sketchy_cof(doc);
    char last[16];
    snprintf(last, sizeof last, "a~%d", MANY - 1);
    bool found = false;
    for (uint32_t i = 0; i < d->file_count; i++)
        found = found || lvl_text_is(d->files[i].path, last);
    assert_true(found);
    lvl_doc_free(doc);
    lvl_buffer_free(&file);
    lvl_buffer_free(&out);
    lvl_findings_free(log);
    lvl_findings_free(after);
    free(names);
    free(contents);
    free(text);
}

static void packs_are_repaired(void **state)
{
    char contents[BAD][8];
    lvl_buffer level = {0}, out = {0};
    lvl_findings *after = lvl_findings_new(&ctx);
    const lvl_text name = lvl_text_of("levels\\three.level");

    (void)state;
    assert_true(lvl_make_file(lvl_make_sketch(&ctx, LVL_SKETCHY_V4), &level));
    const lvl_bytes bytes = lvl_bytes_in(&level);
    lvl_buffer file = with_members(lvl_make_pack(&ctx), &name, &bytes, 1);
    lvl_doc *doc = repaired(lvl_bytes_in(&file), "x.levelpack", NULL, &out, after);
    const lvl_levelpack *p = lvl_levelpack_cof(doc);
    assert_int_equal(p->level_count, 3);
    assert_true(lvl_text_is(p->levels[2].filename, "three.level"));
    lvl_doc_free(doc);
    lvl_buffer_free(&file);
    out.len = 0;

    file = with_bad_names(lvl_make_pack(&ctx), contents);
    doc = repaired(lvl_bytes_in(&file), "x.levelpack", NULL, &out, after);
    p = lvl_levelpack_cof(doc);
    assert_int_equal(p->file_count, BAD + 3);
    for (size_t i = 0; i < BAD; i++)
        assert_non_null(holder(doc, p->files, p->file_count, contents[i]));
    assert_int_equal(lvl_count_id(after, out_id), 0);
    lvl_doc_free(doc);
    lvl_findings_free(after);
    lvl_buffer_free(&file);
    lvl_buffer_free(&level);
    lvl_buffer_free(&out);
}

/* ---- extracting -------------------------------------------------------------------------------------- */

#ifdef __linux__

#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

static char top[64];

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st;
    (void)kind;
    (void)at;
    return remove(path);
}

/* Removes the folder with its content; links are not followed. */
static int remove_folder(const char *path)
{
    return nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void put(const char *path, lvl_bytes bytes)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(bytes.ptr, 1, bytes.len, f), bytes.len);
    assert_int_equal(fclose(f), 0);
}

static int command(const char *const *words)
{
    char args[12][128], *argv[13];
    int argc = 0;

    for (; words[argc]; argc++) {
        snprintf(args[argc], sizeof args[argc], "%s", words[argc]);
        argv[argc] = args[argc];
    }
    argv[argc] = NULL;
    fflush(stdout);
    fflush(stderr);
    const int out = dup(1), err = dup(2), none = open("/dev/null", O_WRONLY);
    dup2(none, 1);
    dup2(none, 2);
    const int code = cli_main(argc, argv);
    fflush(stdout);
    dup2(out, 1);
    dup2(err, 2);
    close(out);
    close(err);
    close(none);
    return code;
}

/* The number of files below the folder; none of them is in `outside`. */
static size_t files_below(const char *dir)
{
    lvl_disk tree = {0};

    assert_true(lvl_disk_read(&tree, dir));
    const size_t n = tree.count;
    lvl_disk_free(&tree);
    return n;
}

static void extract(const char *file, const char *dir, bool replace, int code)
{
    const char *const words[] = {"lvl", "extract", file, "-o", dir, replace ? "-y" : NULL, NULL};

    assert_int_equal(command(words), code);
}

/* Into an empty folder, three folders deep, each of which holds what was there before and nothing more. */
static void nothing_is_written_outside(void **state)
{
    static const char *const files[] = {"x.level", "x.levelpack"};
    char contents[BAD][8];

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        lvl_buffer file =
            with_bad_names(i ? lvl_make_pack(&ctx) : lvl_make_sketch(&ctx, LVL_SKETCHY_V4), contents);
        put(files[i], lvl_bytes_in(&file));
        lvl_buffer_free(&file);
        assert_int_equal(mkdir("a", 0777), 0);
        assert_int_equal(mkdir("a/b", 0777), 0);
        extract(files[i], "a/b/c", false, EXIT_NEGATIVE);
        /* one of them, by its name; and all again */
        const char *const one[] = {"lvl", "extract", files[i], "../lvl_evil", "-o", "a/b/d", NULL};
        assert_int_equal(command(one), EXIT_NEGATIVE);
        extract(files[i], "a/b/c", true, EXIT_NEGATIVE);
        const size_t inside = files_below("a/b/c");
        assert_true(inside >= 4);
        assert_int_equal(files_below("."), inside + 1 + i); /* the archives themselves */
        assert_int_equal(access("/etc/lvl_evil", F_OK), -1);
        assert_int_equal(access("/tmp/lvl_evil", F_OK), -1);
        assert_int_equal(remove_folder("a"), 0);
    }
    assert_int_equal(remove("x.level"), 0);
    assert_int_equal(remove("x.levelpack"), 0);
}

/* Existing links in the folder are not followed, neither for folders nor for files. The folder itself may
 * be a link. */
static void links_are_not_followed(void **state)
{
    lvl_buffer file = {0};

    (void)state;
    assert_true(lvl_make_file(lvl_make_pack(&ctx), &file));
    put("x.levelpack", lvl_bytes_in(&file));
    assert_int_equal(mkdir("out", 0777), 0);
    assert_int_equal(mkdir("outside", 0777), 0);
    put("outside/index.json", (lvl_bytes){(const uint8_t *)"mine", 4});
    assert_int_equal(symlink("../outside", "out/levels"), 0);
    assert_int_equal(symlink("../outside/index.json", "out/index.json"), 0);
    assert_int_equal(symlink("../outside/new", "out/doodads"), 0);
    for (int replace = 0; replace < 2; replace++) {
        extract("x.levelpack", "out", replace, EXIT_NEGATIVE);
        assert_int_equal(files_below("outside"), 1);
        lvl_disk tree = {0};
        assert_true(lvl_disk_read(&tree, "outside"));
        assert_int_equal(tree.files[0].bytes.len, 4);
        lvl_disk_free(&tree);
    }
    assert_int_equal(mkdir("real", 0777), 0);
    assert_int_equal(symlink("real", "way"), 0);
    extract("x.levelpack", "way", false, 0);
    assert_int_equal(files_below("real"), 4);
    lvl_buffer_free(&file);
}

static int enter(void **state)
{
    (void)state;
    snprintf(top, sizeof top, "/tmp/lvl-names-XXXXXX");
    return mkdtemp(top) && chdir(top) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    return chdir("/") == 0 && remove_folder(top) == 0 ? 0 : -1;
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_reported_and_repaired),
        cmocka_unit_test(chunks_find_their_places),
        cmocka_unit_test(plain_keys_count),
        cmocka_unit_test(doubles_keep_what_differs),
        cmocka_unit_test(crowds_of_one_name),
        cmocka_unit_test(packs_are_repaired),
#ifdef __linux__
        cmocka_unit_test_setup_teardown(nothing_is_written_outside, enter, leave),
        cmocka_unit_test_setup_teardown(links_are_not_followed, enter, leave),
#endif
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
