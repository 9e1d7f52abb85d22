/*
 * test_rez.c: REZ archives: packing, reading, edits that leave the rest in place, damage and traps, and the
 * real files byte for byte.
 */
#include "container/container.h"
#include "expect.h"
#include "growth.h"
#include "measure.h"

#include "corpus.h"

#include "base/cursor.h"
#include "base/format.h"
#include "base/buffer.h"

#include <lvl/container.h>
#include <lvl/rez.h>
#include <lvl/tools.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;
static const lvl_format *rez_format;

static lvl_bytes bytes_of(const char *text)
{
    const lvl_bytes b = {(const uint8_t *)text, strlen(text)};
    return b;
}

/* A small archive of two folders, one empty, and three files. */
static void pack(lvl_buffer *out)
{
    const lvl_pack_item items[] = {
        {"level1/tiles/012.pid", bytes_of("twelve"), 1000, false},
        {"README", bytes_of("read me"), 2000, false},
        {"level1\\tiles\\action.b.longer", bytes_of("odd"), 0, false},
        {"level1/empty", {NULL, 0}, 3000, true},
        {"level1/tiles/012.txt", {NULL, 0}, 0, false},
    };
    lvl_doc *doc;

    *out = (lvl_buffer){0};
    assert_int_equal(lvl_container_pack(&doc, &ctx, rez_format, items, 5), LVL_OK);
    assert_int_equal(lvl_doc_write(doc, out), LVL_OK);
    lvl_doc_free(doc);
}

static lvl_doc *read_rez(const lvl_buffer *buf, lvl_findings *findings)
{
    const lvl_bytes bytes = {buf->data, buf->len};
    lvl_doc *doc = NULL;

    assert_int_equal(lvl_read(&doc, &ctx, NULL, bytes, NULL, 0, findings), LVL_OK);
    assert_ptr_equal(lvl_doc_format(doc), rez_format);
    return doc;
}

static void assert_holds(const lvl_container *c, const char *path, const char *text)
{
    const lvl_entry *entry = lvl_container_find(c, path);
    lvl_buffer storage = {0};
    lvl_bytes view;

    if (!entry)
        fail_msg("no %s", path);
    assert_int_equal(lvl_container_read(c, entry, &view, &storage, NULL), LVL_OK);
    assert_int_equal(view.len, strlen(text));
    assert_int_equal(entry->size, view.len);
    if (view.len)
        assert_memory_equal(view.ptr, text, view.len);
    lvl_buffer_free(&storage);
}

static void test_pack(void **state)
{
    lvl_container *c;
    lvl_buffer file;
    lvl_measure m = {0};

    (void)state;
    pack(&file);
    const lvl_bytes bytes = {file.data, file.len};
    assert_true(lvl_measure_bytes(&m, NULL, bytes, "packed"));
    assert_int_equal(m.exact, 1);
    assert_int_equal(m.kept + m.residue_bits + m.overlap_bits + m.errors, 0);
    assert_memory_equal(file.data, "\r\n", 2);
    assert_int_equal(file.data[0x3F], '\n');
    assert_int_equal(file.data[0x7E], 0x1A);

    lvl_doc *doc = read_rez(&file, NULL);
    const lvl_rez *rez = lvl_doc_croot(doc);
    assert_int_equal(rez->time, 3000);
    assert_int_equal(rez->largest_dir, 7);
    assert_int_equal(rez->entry_count, 2);
    assert_int_equal(lvl_container_open(&c, doc), LVL_OK);
    assert_int_equal(lvl_container_count(c), 7);
    assert_string_equal(lvl_container_at(c, 0)->path, "LEVEL1");
    assert_holds(c, "level1/TILES/012.pid", "twelve");
    assert_holds(c, "LEVEL1\\tiles\\012.TXT", "");
    assert_holds(c, "readme", "read me");
    assert_holds(c, "LEVEL1/TILES/ACTION.B.LONGER", "odd");
    assert_true(lvl_container_find(c, "level1/empty")->is_dir);
    assert_null(lvl_container_find(c, "level1/empt"));
    assert_null(lvl_container_find(c, "012.pid"));
    lvl_container_close(c);
    lvl_doc_free(doc);
    lvl_buffer_free(&file);
}

static void test_pack_refusals(void **state)
{
    static const char *const bad[][2] = {
        {"a/b", "A\\B"}, {"../x", "y"}, {"/etc/x", "y"}, {"a", "a/b"}, {"c:x", "y"}};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const lvl_pack_item items[] = {{bad[i][0], bytes_of("1"), 0, false},
                                       {bad[i][1], bytes_of("2"), 0, false}};
        lvl_doc *doc;
        assert_int_equal(lvl_container_pack(&doc, &ctx, rez_format, items, 2), LVL_ERR_ARG);
        assert_null(doc);
    }
}

/* Position of a text in a file. */
static size_t place_of(const lvl_buffer *file, const char *text)
{
    size_t n = strlen(text);

    for (size_t i = 0; i + n <= file->len; i++) {
        if (memcmp(file->data + i, text, n) == 0)
            return i;
    }
    return SIZE_MAX;
}

/* After an edit that does not fit in place, the archive is laid out again, around the gaps. */
static void test_edit(void **state)
{
    lvl_buffer file, changed = {0};
    lvl_container *c;

    (void)state;
    pack(&file);
    lvl_buffer_str(&file, "dead bytes behind it all"); /* a gap, so that places are kept */
    lvl_doc *doc = read_rez(&file, NULL);
    assert_int_equal(lvl_kept_bytes(doc), 24);
    assert_int_equal(lvl_container_open(&c, doc), LVL_OK);
    assert_int_equal(lvl_container_put(c, "Level1/Tiles/012.PID", bytes_of("shorter or not, longer"), 5),
                     LVL_OK);
    assert_int_equal(lvl_container_put(c, "NEW/DEEP/file.x", bytes_of("new"), 6), LVL_OK);
    assert_holds(c, "level1/tiles/012.pid", "shorter or not, longer");
    assert_holds(c, "new/deep/FILE.X", "new");
    /* no path would lead to a file with a folder's name, nor to one in a folder with a file's name */
    assert_int_equal(lvl_container_put(c, "New/Deep", bytes_of("lost"), 6), LVL_ERR_ARG);
    assert_int_equal(lvl_container_put(c, "new/deep/file.x/y", bytes_of("lost"), 6), LVL_ERR_ARG);
    assert_holds(c, "new/deep/FILE.X", "new");
    assert_int_equal(lvl_container_write(c, &changed, NULL), LVL_OK);
    assert_int_equal(place_of(&changed, "dead bytes"), place_of(&file, "dead bytes"));
    assert_true(place_of(&changed, "read me") < changed.len);
    assert_true(place_of(&changed, "odd") < changed.len);
    assert_true(place_of(&changed, "shorter or not") > place_of(&file, "read me"));
    lvl_container_close(c);
    lvl_doc_free(doc);

    lvl_findings *findings = lvl_findings_new(&ctx);
    doc = read_rez(&changed, findings);
    assert_true(lvl_findings_worst(findings) <= LVL_NOTE);
    assert_int_equal(lvl_container_open(&c, doc), LVL_OK);
    assert_holds(c, "level1/tiles/012.pid", "shorter or not, longer");
    assert_holds(c, "new/deep/FILE.X", "new");
    assert_holds(c, "readme", "read me");
    assert_int_equal(lvl_container_remove(c, "level1"), LVL_OK);
    assert_int_equal(lvl_container_remove(c, "level1"), LVL_ERR_MISSING);
    assert_null(lvl_container_find(c, "level1/tiles/012.pid"));
    changed.len = 0;
    assert_int_equal(lvl_container_write(c, &changed, NULL), LVL_OK);
    lvl_container_close(c);
    lvl_doc_free(doc);
    doc = read_rez(&changed, NULL);
    assert_int_equal(lvl_container_open(&c, doc), LVL_OK);
    assert_int_equal(lvl_container_count(c), 4); /* README, NEW, NEW/DEEP, FILE.X */
    lvl_container_close(c);
    lvl_doc_free(doc);
    lvl_findings_free(findings);
    lvl_buffer_free(&changed);
    lvl_buffer_free(&file);
}

/* Builds a file whose root body is `body`. */
static void raw(lvl_buffer *out, const uint8_t *body, size_t len, size_t pad)
{
    static const uint8_t head[] = {'\r', '\n'};

    *out = (lvl_buffer){0};
    lvl_buffer_add(out, head, 2);
    lvl_buffer_fill(out, ' ', 60);
    lvl_buffer_add(out, head, 2);
    lvl_buffer_fill(out, ' ', 60);
    lvl_buffer_add(out, head, 2);
    lvl_buffer_u8(out, 0x1A);
    lvl_buffer_u32le(out, 1);
    lvl_buffer_u32le(out, 0xA8);
    lvl_buffer_u32le(out, (uint32_t)len);
    lvl_buffer_fill(out, 0, 0xA8 - out->len);
    lvl_buffer_add(out, body, len);
    lvl_buffer_fill(out, 7, pad);
}

static size_t put_entry(uint8_t *p, uint32_t kind, uint32_t pos, uint32_t size, const char *name)
{
    size_t n = strlen(name) + 1, fixed = kind == LVL_REZ_DIR ? 16 : 28;

    memset(p, 0, fixed);
    lvl_store_u32le(p, kind);
    lvl_store_u32le(p + 4, pos);
    lvl_store_u32le(p + 8, size);
    memcpy(p + fixed, name, n);
    if (kind != LVL_REZ_DIR)
        p[fixed + n++] = 0;
    return fixed + n;
}

static void check_found(const uint8_t *body, size_t len, size_t pad, const char *id)
{
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_check_request request = {.findings = findings};
    lvl_buffer file;

    raw(&file, body, len, pad);
    lvl_doc *doc = read_rez(&file, findings);
    assert_int_equal(rez_format->calls->check(doc, &request), LVL_OK);
    if (!lvl_count_id(findings, id))
        fail_msg("no %s", id);
    lvl_doc_free(doc);
    const lvl_bytes bytes = {file.data, file.len};
    assert_true(lvl_survives(rez_format, bytes));
    lvl_buffer_free(&file);
    lvl_findings_free(findings);
}

static void test_traps(void **state)
{
    uint8_t body[1024];
    size_t n;

    (void)state;
    n = put_entry(body, LVL_REZ_DIR, 0xA8, 18, "A");
    check_found(body, n, 0, "rez.dir.loop"); /* holds itself */
    n = put_entry(body, LVL_REZ_DIR, 0xA8 + 18, 18, "A");
    n += put_entry(body + n, LVL_REZ_DIR, 0xA8, 36, "B");
    check_found(body, n, 0, "rez.dir.loop"); /* in a circle */
    n = put_entry(body, LVL_REZ_DIR, 0xFFFFFFF0, 0xFFFFFFF0, "A");
    check_found(body, n, 0, "rez.dir.outside");
    n = put_entry(body, LVL_REZ_FILE, 0x10000, 5, "A");
    check_found(body, n, 0, "rez.entry.outside");
    n = put_entry(body, LVL_REZ_FILE, 0xA8, 5, "A");
    check_found(body, n, 0, "rez.entry.overlap");
    n = put_entry(body, LVL_REZ_FILE, 0, 0, "A");
    n += put_entry(body + n, LVL_REZ_FILE, 0, 0, "a");
    check_found(body, n, 0, "rez.entry.double");
    /* listed many times over */
    for (n = 0; n + 40 < sizeof body;)
        n += put_entry(body + n, LVL_REZ_FILE, 0xA8, 0x20000000, "A");
    check_found(body, n, 0, "rez.entry.overlap");
    check_found(body, n, 5000000, "rez.entry.many");
    n = put_entry(body, LVL_REZ_FILE, 0, 0, "../../etc/passwd");
    check_found(body, n, 0, "rez.name.unsafe");
    n = put_entry(body, LVL_REZ_DIR, 0, 0, "..");
    check_found(body, n, 0, "rez.name.unsafe");
    n = put_entry(body, 77, 0, 0, "A");
    check_found(body, n, 0, "rez.dir.damaged");
    n = put_entry(body, LVL_REZ_FILE, 0, 0, "A");
    lvl_store_u32le(body + 24, 0x40000000); /* keys: more than 32 bits of bytes */
    check_found(body, n, 0, "rez.dir.damaged");
}

/* A payload beyond the end of the file is not found elsewhere after such an edit. */
static void test_edit_outside(void **state)
{
    uint8_t body[100];
    lvl_buffer file, out = {0};

    (void)state;
    size_t n = put_entry(body, LVL_REZ_FILE, 0xA8, 5, "A"); /* overlaps the directory */
    n += put_entry(body + n, LVL_REZ_FILE, 0x10000, 5, "B");
    raw(&file, body, n, 0);
    lvl_doc *doc = read_rez(&file, NULL);
    ((lvl_rez *)lvl_doc_root(doc))->entries[0].time = 7;
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    lvl_doc *again = read_rez(&out, NULL);
    const lvl_rez *rez = lvl_doc_croot(again);
    assert_int_equal(rez->entry_count, 2);
    assert_int_equal(rez->entries[0].time, 7);
    assert_int_equal(rez->entries[0].data.len, 5);
    assert_int_equal(rez->entries[1].data.len, 0);
    lvl_doc_free(again);
    lvl_doc_free(doc);
    lvl_buffer_free(&out);
    lvl_buffer_free(&file);
}

/* A directory whose size is too low hides entries: an error. What is dead, or listed elsewhere, hides
 * none. */
static void test_hidden_entries(void **state)
{
    lvl_findings *findings = lvl_findings_new(&ctx);
    uint8_t body[256];
    lvl_buffer file;

    (void)state;
    const size_t one = put_entry(body, LVL_REZ_FILE, 0x200, 4, "A");
    const size_t two = one + put_entry(body + one, LVL_REZ_FILE, 0x204, 4, "B");
    for (uint32_t pos = 0x200; pos <= 0x204; pos += 4) {
        lvl_store_u32le(body + one + 4, pos);
        raw(&file, body, two, 0x208 - 0xA8 - two);
        lvl_store_u32le(file.data + 0x87, (uint32_t)one); /* the root's size */
        lvl_findings_clear(findings);
        lvl_doc *doc = read_rez(&file, findings);
        assert_int_equal(lvl_count_id(findings, "rez.dir.hides"), pos == 0x204);
        lvl_doc_free(doc);
        lvl_buffer_free(&file);
    }
    lvl_findings_free(findings);
}

/* What the archive of `pack` holds. */
static void assert_all_there(const lvl_doc *doc)
{
    lvl_container *c;

    assert_int_equal(lvl_container_open(&c, (lvl_doc *)(uintptr_t)doc), LVL_OK);
    assert_holds(c, "LEVEL1/TILES/012.PID", "twelve");
    assert_holds(c, "LEVEL1/TILES/012.TXT", "");
    assert_holds(c, "LEVEL1/TILES/ACTION.B.LONGER", "odd");
    assert_holds(c, "README", "read me");
    assert_non_null(lvl_container_find(c, "LEVEL1/EMPTY"));
    lvl_container_close(c);
}

/* Each size that is too low, of the root and of each directory: an error; all members are there, also
 * after an edit; and repair gives back the archive as it was. Bytes that nothing claims stay through it. */
static void test_sizes_too_low(void **state)
{
    static const char *const names[] = {NULL, "LEVEL1", "TILES"};
    size_t tried = 0, errors = 0, repaired = 0;
    lvl_buffer whole;

    (void)state;
    pack(&whole);
    lvl_buffer_str(&whole, "\x01 dead bytes after it all");
    for (size_t d = 0; d < sizeof names / sizeof *names; d++) {
        const size_t at = names[d] ? place_of(&whole, names[d]) - 8 : 0x87;
        const uint32_t size = lvl_load_u32le(whole.data + at);
        for (uint32_t lie = 0; lie < size; lie++) {
            lvl_findings *findings = lvl_findings_new(&ctx);
            lvl_buffer file = {0}, out = {0};
            lvl_container *c;
            lvl_buffer_add(&file, whole.data, whole.len);
            lvl_store_u32le(file.data + at, lie);
            lvl_doc *doc = read_rez(&file, findings);
            errors += lvl_findings_worst(findings) >= LVL_ERROR;
            assert_all_there(doc);
            assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
            assert_int_equal(out.len, file.len);
            assert_memory_equal(out.data, file.data, file.len);
            assert_int_equal(lvl_container_open(&c, doc), LVL_OK);
            assert_int_equal(lvl_container_put(c, "NEW", bytes_of("longer than the gap"), 0), LVL_OK);
            out.len = 0;
            assert_int_equal(lvl_container_write(c, &out, NULL), LVL_OK);
            lvl_container_close(c);
            lvl_doc_free(doc);
            doc = read_rez(&out, NULL);
            assert_all_there(doc);
            assert_true(place_of(&out, "dead bytes after it all") < out.len);
            lvl_doc_free(doc);
            doc = read_rez(&file, NULL);
            out.len = 0;
            assert_int_equal(lvl_repair(doc, NULL, NULL, &out), LVL_OK);
            repaired += out.len == whole.len && memcmp(out.data, whole.data, out.len) == 0;
            lvl_doc_free(doc);
            lvl_findings_free(findings);
            lvl_buffer_free(&file);
            lvl_buffer_free(&out);
            tried++;
        }
    }
    print_message("%zu sizes too low: %zu errors, %zu repaired\n", tried, errors, repaired);
    assert_int_equal(errors, tried);
    assert_int_equal(repaired, tried);
    lvl_buffer_free(&whole);
}

/* Names can't lead out of the folder that they are extracted to. */
static void test_unsafe_paths(void **state)
{
    static const char *const names[] = {"..",  ".",   "",     "/etc/passwd", "..\\x",
                                        "c:x", "nul", "COM1", "x.",          "a\x1b[2J"};
    static const bool safe[] = {false, false, false, true, true, false, false, false, false, true};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint8_t body[256];
        lvl_container *c;
        lvl_buffer file;
        raw(&file, body, put_entry(body, LVL_REZ_FILE, 0, 0, names[i]), 0);
        lvl_doc *doc = read_rez(&file, NULL);
        assert_int_equal(lvl_container_open(&c, doc), LVL_OK);
        const lvl_entry *entry = lvl_container_at(c, 0);
        assert_int_equal(entry->safe, safe[i]);
        if (safe[i]) {
            assert_null(strchr(entry->path, '/')); /* separators in names don't separate */
            assert_null(strchr(entry->path, '\x1b'));
        }
        lvl_container_close(c);
        lvl_doc_free(doc);
        lvl_buffer_free(&file);
    }
}

/* The share of the files of an archive, in percent, that another one has with the same name and bytes. */
static unsigned share_of(lvl_doc *whole, lvl_doc *found)
{
    lvl_container *a, *b;
    unsigned same = 0, all = 0;

    assert_int_equal(lvl_container_open(&a, whole), LVL_OK);
    assert_int_equal(lvl_container_open(&b, found), LVL_OK);
    for (size_t i = 0; i < lvl_container_count(a); i++) {
        const lvl_entry *entry = lvl_container_at(a, i);
        const lvl_entry *other = lvl_container_find(b, entry->path);
        lvl_buffer own_x = {0}, own_y = {0};
        lvl_bytes x = {0}, y = {0};
        if (entry->is_dir)
            continue;
        assert_int_equal(lvl_container_read(a, entry, &x, &own_x, NULL), LVL_OK);
        same += other && lvl_container_read(b, other, &y, &own_y, NULL) == LVL_OK && x.len == y.len &&
                (!x.len || !memcmp(x.ptr, y.ptr, x.len));
        all++;
        lvl_buffer_free(&own_x);
        lvl_buffer_free(&own_y);
    }
    lvl_container_close(a);
    lvl_container_close(b);
    assert_true(all > 100);
    return all ? same * 100 / all : 0; /* clang-tidy does not know what assert_true() leaves */
}

/* The root directory is not where the header says, since that is wrong, or since bytes are missing or there
 * twice: all files are found but the one with those bytes, and repair writes a sound archive. */
static void test_moved(void **state)
{
    enum { AT = 400000, BLOCK = 512 };
    char path[1024];
    size_t len;

    (void)state;
    snprintf(path, sizeof path, "%s/wwd/SAMPLES.REZ", lvl_samples_dir());
    uint8_t *sample = lvl_slurp(path, &len);
    assert_non_null(sample);
    for (int kind = 0; kind < 3; kind++) {
        lvl_findings *findings = lvl_findings_new(&ctx), *log = lvl_findings_new(&ctx);
        static const char *const edit[] = {"title=edited"};
        lvl_buffer file = {0}, out = {0}, json = {0};
        lvl_doc *whole, *doc, *again;

        const size_t to = kind == 2 ? AT + BLOCK : AT, from = kind == 1 ? AT + BLOCK : AT;
        lvl_buffer_add(&file, sample, to);
        lvl_buffer_add(&file, sample + from, len - from);
        if (kind == 0)
            lvl_store_u32le(file.data + 0x83, lvl_load_u32le(file.data + 0x83) - 300);
        const lvl_buffer right = {.data = sample, .len = len};
        whole = read_rez(&right, NULL);
        doc = read_rez(&file, findings);
        assert_int_equal(lvl_count_id(findings, "rez.root.moved"), 1);
        lvl_expect_written(doc, lvl_buffer_bytes(&file));
        assert_true(share_of(whole, doc) >= (kind ? 99 : 100));
        /* neither a dump nor an edit makes it look whole */
        assert_int_equal(lvl_dump(doc, NULL, &json, NULL), LVL_OK);
        assert_int_equal(lvl_undump(&again, &ctx, lvl_buffer_text(&json), NULL), LVL_OK);
        lvl_expect_written(again, lvl_buffer_bytes(&file));
        lvl_doc_free(again);
        again = read_rez(&file, NULL);
        assert_int_equal(lvl_set(again, edit, 1, NULL, NULL), LVL_OK);
        assert_int_equal(lvl_doc_write(again, &out), LVL_OK);
        lvl_doc_free(again);
        lvl_findings_clear(findings);
        again = read_rez(&out, findings);
        assert_int_equal(lvl_count_id(findings, "rez.root.moved"), 1);
        lvl_doc_free(again);
        out.len = 0;
        assert_int_equal(lvl_repair(doc, NULL, log, &out), LVL_OK);
        assert_int_equal(lvl_count_id(log, "rez.root.moved"), 1);
        lvl_findings_clear(findings);
        again = read_rez(&out, findings);
        assert_true(lvl_findings_worst(findings) < LVL_ERROR);
        assert_true(share_of(whole, again) >= (kind ? 99 : 100));
        if (kind == 0) {
            assert_int_equal(out.len, len);
            assert_memory_equal(out.data, sample, len);
        }
        lvl_doc_free(whole);
        lvl_doc_free(doc);
        lvl_doc_free(again);
        lvl_findings_free(findings);
        lvl_findings_free(log);
        lvl_buffer_free(&file);
        lvl_buffer_free(&json);
        lvl_buffer_free(&out);
    }
    free(sample);
}

/* The size of each entry is wrong, of many entries, with edits: all are reported and written back. */
static void test_many_lies(void **state)
{
    enum { COUNT = 400 };
    uint8_t *body = malloc(COUNT * 40);
    const lvl_field *list = lvl_table_at(&lvl_rez_table, offsetof(lvl_rez, entries)),
                    *size = lvl_table_at(&lvl_rez_entry_table, offsetof(lvl_rez_entry, size));
    lvl_buffer file, out = {0};
    size_t n = 0;

    (void)state;
    assert_non_null(body);
    for (uint32_t i = 0; i < COUNT; i++)
        n += put_entry(body + n, LVL_REZ_FILE, 0x7FFF0000, i + 1, "LIE");
    raw(&file, body, n, 0);
    lvl_doc *doc = read_rez(&file, NULL);
    lvl_rez *rez = lvl_doc_root(doc);
    assert_int_equal(rez->entry_count, COUNT);
    for (uint32_t i = 0; i < COUNT; i++)
        assert_true(lvl_doc_disagrees(doc, &rez->entries[i], size));
    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    assert_int_equal(out.len, file.len);
    assert_memory_equal(out.data, file.data, out.len);
    /* items move with the data about them */
    assert_int_equal(lvl_list_remove(doc, rez, list, 0, 1), LVL_OK);
    assert_int_equal(lvl_list_insert(doc, rez, list, 5, 1), LVL_OK);
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(lvl_doc_disagrees(doc, &rez->entries[i], size), i != 5);
    lvl_doc_drop_overrides(doc);
    assert_false(lvl_doc_disagrees(doc, &rez->entries[3], size));
    lvl_doc_free(doc);
    lvl_buffer_free(&file);
    lvl_buffer_free(&out);
    free(body);
}

/* Entries that a root's size hides and that share their payload with one that is listed, or have none, with
 * zeros after them: an error, and repair gives all of them. */
static void test_hidden_without_payload(void **state)
{
    (void)state;
    for (uint32_t size = 0; size <= 4; size += 4) {
        uint8_t body[256] = {0};
        lvl_findings *findings = lvl_findings_new(&ctx);
        lvl_buffer file, out = {0};
        lvl_container *c;
        size_t n = put_entry(body, LVL_REZ_FILE, 0x18, size, "A"), one = n;
        n += put_entry(body + n, LVL_REZ_FILE, 0x18, size, "B");
        n += put_entry(body + n, LVL_REZ_FILE, 0x18, size, "C");
        const size_t zeros = size ? 0 : 40, end = 0xA8 + n + zeros;
        for (size_t at = 0; at < n; at += one)
            lvl_store_u32le(body + at + 4, size ? (uint32_t)end : 0);
        raw(&file, body, n + zeros, size);
        lvl_store_u32le(file.data + 0x87, (uint32_t)one);
        lvl_doc *doc = read_rez(&file, findings);
        assert_true(lvl_count_id(findings, "rez.dir.hides"));
        assert_int_equal(lvl_repair(doc, NULL, NULL, &out), LVL_OK);
        lvl_doc_free(doc);
        lvl_findings_clear(findings);
        doc = read_rez(&out, findings);
        assert_false(lvl_count_id(findings, "rez.dir.hides"));
        assert_true(lvl_findings_worst(findings) <= LVL_WARNING);
        assert_int_equal(lvl_container_open(&c, doc), LVL_OK);
        assert_holds(c, "A", size ? "\7\7\7\7" : "");
        assert_holds(c, "B", size ? "\7\7\7\7" : "");
        assert_holds(c, "C", size ? "\7\7\7\7" : "");
        lvl_container_close(c);
        lvl_doc_free(doc);
        lvl_findings_free(findings);
        lvl_buffer_free(&out);
        lvl_buffer_free(&file);
    }
}

/* A dump gives back the file: entries that share a payload, and a root's size that is too low. */
static void test_roundtrip(void **state)
{
    const lvl_check_options options = {.roundtrip = true};

    (void)state;
    for (int low = 0; low < 2; low++) {
        uint8_t body[256];
        lvl_findings *findings = lvl_findings_new(&ctx);
        lvl_check_result result;
        lvl_buffer file;
        size_t n = put_entry(body, LVL_REZ_FILE, 0xA8 + 93, 4, "A");
        n += put_entry(body + n, LVL_REZ_FILE, 0xA8 + 93, 4, "B");
        n += put_entry(body + n, LVL_REZ_FILE, 0xA8 + 95, 5, "C"); /* shares two bytes */
        assert_int_equal(n, 93);
        raw(&file, body, n, 7);
        if (low)
            lvl_store_u32le(file.data + 0x87, 31);
        const lvl_bytes bytes = {file.data, file.len};
        assert_int_equal(lvl_check(&ctx, rez_format, bytes, "x.rez", &options, findings, &result, NULL),
                         LVL_OK);
        assert_int_equal(result.verdict, low ? LVL_DAMAGED : LVL_SOUND);
        assert_true(result.roundtrip);
        lvl_findings_free(findings);
        lvl_buffer_free(&file);
    }
}

/* Processor seconds for reading `n` empty directories at one place, where an entry begins whose name is 20 n
 * bytes long. */
static double read_empty_dirs(const void *user, uint32_t n)
{
    const uint32_t one = 18, place = 0xA8 + n * one;
    uint8_t *body = malloc((size_t)n * one + 28 + (size_t)n * 20 + 2);
    lvl_buffer file;
    size_t len = 0;

    (void)user;
    assert_non_null(body);
    for (uint32_t i = 0; i < n; i++)
        len += put_entry(body + len, LVL_REZ_DIR, place, 0, "A");
    memset(body + len, 0, 28);
    memset(body + len + 28, 'N', (size_t)n * 20);
    memset(body + len + 28 + (size_t)n * 20, 0, 2);
    raw(&file, body, len + 28 + (size_t)n * 20 + 2, 3);
    lvl_store_u32le(file.data + 0x87, (uint32_t)len);
    const double start = lvl_cpu_seconds();
    lvl_doc_free(read_rez(&file, NULL));
    const double took = lvl_cpu_seconds() - start;
    lvl_buffer_free(&file);
    free(body);
    return took;
}

static void test_hidden_growth(void **state)
{
    (void)state;
    assert_true(lvl_grows_linearly("empty directories at one place", read_empty_dirs, NULL, 4000));
}

/* Many files added one by one to a large archive, in its root and in new folders. */
static void test_add_many(void **state)
{
    enum { OLD = 10000, NEW = 200 };
    uint8_t *body = malloc(OLD * 40);
    lvl_buffer file, out = {0};
    lvl_container *c;
    char path[40];
    size_t n = 0;

    (void)state;
    assert_non_null(body);
    for (unsigned i = 0; i < OLD; i++) {
        snprintf(path, sizeof path, "OLD%u", i);
        n += put_entry(body + n, LVL_REZ_FILE, 0, 0, path);
    }
    raw(&file, body, n, 0);
    lvl_doc *doc = read_rez(&file, NULL);
    assert_int_equal(lvl_container_open(&c, doc), LVL_OK);
    for (unsigned i = 0; i < NEW; i++) {
        snprintf(path, sizeof path, i % 2 ? "NEW%u" : "FOLDER%u/FILE", i);
        assert_int_equal(lvl_container_put(c, path, bytes_of(path), 1), LVL_OK);
    }
    assert_int_equal(lvl_container_write(c, &out, NULL), LVL_OK);
    lvl_container_close(c);
    lvl_doc_free(doc);
    doc = read_rez(&out, NULL);
    assert_int_equal(lvl_container_open(&c, doc), LVL_OK);
    assert_int_equal(lvl_container_count(c), OLD + NEW + NEW / 2);
    for (unsigned i = 0; i < NEW; i++) {
        snprintf(path, sizeof path, i % 2 ? "NEW%u" : "FOLDER%u/FILE", i);
        assert_holds(c, path, path);
    }
    lvl_container_close(c);
    lvl_doc_free(doc);
    lvl_buffer_free(&out);
    lvl_buffer_free(&file);
    free(body);
}

static lvl_status rez_rules(const lvl_doc *doc, lvl_findings *findings)
{
    const lvl_check_request request = {.findings = findings};

    return rez_format->calls->check(doc, &request);
}

/* The status of writing the dump, and the finding with the reason, if it is not NULL. */
static lvl_status write_dump(const lvl_ctx *with, const char *text, const char *id)
{
    lvl_findings *findings = lvl_findings_new(with);
    lvl_buffer out = {0};
    lvl_doc *doc = NULL;

    assert_int_equal(lvl_undump(&doc, with, (lvl_text){text, strlen(text)}, NULL), LVL_OK);
    const lvl_status status = lvl_doc_write(doc, &out);
    if (id) {
        assert_int_equal(rez_rules(doc, findings), LVL_OK);
        if (!lvl_count_id(findings, id))
            fail_msg("no %s for %s", id, text);
    }
    lvl_doc_free(doc);
    lvl_findings_free(findings);
    lvl_buffer_free(&out);
    return status;
}

#define GAP(pos)   "{\"pos\":" pos ",\"data\":{\"base64\":\"QUJDREVGR0g=\"}}"
#define DUMP(gaps) "{\"lvl\":1,\"format\":\"rez\",\"doc\":{\"~\":{\"gaps\":[" gaps "]}}}"

/* Dumps that can't be written so that they are read back the same are refused. */
static void test_undump_refusals(void **state)
{
    lvl_buffer out = {0};
    lvl_usage usage = {0};
    lvl_ctx own = ctx;
    char path[400];
    lvl_container *c;
    lvl_buffer file;

    (void)state;
    own.usage = &usage;
    assert_int_equal(write_dump(&own, DUMP(GAP("512") "," GAP("520")), NULL), LVL_OK);
    assert_int_equal(write_dump(&own, DUMP(GAP("519") "," GAP("512")), "rez.gap.overlap"), LVL_ERR_LOSS);
    assert_int_equal(write_dump(&own, DUMP(GAP("32")), "rez.gap.overlap"), LVL_ERR_LOSS);
    assert_int_equal(usage.limit, LVL_LIMIT_NONE);
    assert_int_equal(write_dump(&own, DUMP(GAP("600000000")), NULL), LVL_ERR_LIMIT);
    assert_int_equal(usage.limit, LVL_LIMIT_MEMORY);
    usage = (lvl_usage){0};
    assert_int_equal(write_dump(&own, DUMP(GAP("4294967295")), NULL), LVL_ERR_LIMIT);
    assert_int_equal(usage.limit, LVL_LIMIT_INPUT);

    for (size_t deep = 60; deep <= 70; deep += 10) { /* the limit is 64 */
        pack(&file);
        lvl_doc *doc = read_rez(&file, NULL);
        for (size_t i = 0; i < deep; i++)
            memcpy(path + i * 2, "D/", 2);
        memcpy(path + deep * 2, "FILE", 5);
        assert_int_equal(lvl_container_open(&c, doc), LVL_OK);
        assert_int_equal(lvl_container_put(c, path, bytes_of("deep"), 0), LVL_OK);
        out.len = 0;
        assert_int_equal(lvl_container_write(c, &out, NULL), deep == 60 ? LVL_OK : LVL_ERR_LOSS);
        lvl_findings *findings = lvl_findings_new(&ctx);
        assert_int_equal(rez_rules(doc, findings), LVL_OK);
        assert_int_equal(lvl_count_id(findings, "rez.dir.deep"), deep == 70);
        lvl_findings_free(findings);
        lvl_container_close(c);
        lvl_doc_free(doc);
        lvl_buffer_free(&file);
    }
    lvl_buffer_free(&out);
}

static void test_hostile(void **state)
{
    lvl_buffer file;

    (void)state;
    pack(&file);
    const lvl_bytes bytes = {file.data, file.len};
    assert_true(lvl_survives_all(rez_format, bytes, 0));
    lvl_buffer_free(&file);
}

static void test_corpus(void **state)
{
    const lvl_measure m = lvl_expect_corpus_exact("wwd/rez", "rez");

    (void)state;
    assert_int_equal(m.errors, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pack),
        cmocka_unit_test(test_pack_refusals),
        cmocka_unit_test(test_edit),
        cmocka_unit_test(test_traps),
        cmocka_unit_test(test_edit_outside),
        cmocka_unit_test(test_unsafe_paths),
        cmocka_unit_test(test_hidden_entries),
        cmocka_unit_test(test_sizes_too_low),
        cmocka_unit_test(test_many_lies),
        cmocka_unit_test(test_moved),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_corpus),
        cmocka_unit_test(test_hidden_without_payload),
        cmocka_unit_test(test_roundtrip),
        cmocka_unit_test(test_hidden_growth),
        cmocka_unit_test(test_add_many),
        cmocka_unit_test(test_undump_refusals),
    };

    lvl_ctx_init(&ctx);
    rez_format = lvl_format_find("rez");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
