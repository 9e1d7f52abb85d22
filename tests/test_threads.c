/*
 * Documents and contexts shared by threads: no read changes a document, late members are decoded into the
 * caller's memory, tables are constant. So the results of many threads with one document equal those of a
 * single one. With the thread sanitizer (`cmake --preset threads`), each data race is a failure, too.
 */
#include "base/info.h"
#include "os/file.h"
#include "base/format.h"
#include "os/pool.h"
#include "tools/check/reports.h"

#include <lvl/container.h>
#include <lvl/render.h>
#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { THREADS = 4, KINDS = 9, ROUNDS = 2 };

struct shared {
    const lvl_ctx *ctx;
    const lvl_doc *doc;
    const lvl_container *box; /* or NULL */
    lvl_bytes file;
    uint64_t alone[KINDS];
    bool differs[KINDS];
};

static void add(uint64_t *sum, const void *data, size_t len)
{
    const uint8_t *p = data;

    for (size_t i = 0; i < len; i++)
        *sum = (*sum ^ p[i]) * 0x100000001B3u;
}

static void add_buffer(uint64_t *sum, lvl_status status, lvl_buffer *out)
{
    add(sum, &status, sizeof status);
    add(sum, out->data, out->len);
    lvl_buffer_free(out);
}

/* Every late member below a record. */
static void add_late(uint64_t *sum, const lvl_doc *doc, const void *record, const lvl_table *table)
{
    lvl_buffer storage = {0};

    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (!lvl_field_present(record, f))
            continue;
        if (f->flags & LVL_F_LATE && f->kind == LVL_CELLS) {
            lvl_cells cells;
            if (lvl_doc_cells(doc, record, f, &storage, &cells) == LVL_OK && cells.ptr)
                add(sum, cells.ptr, (size_t)cells.width * cells.height * cells.size);
        } else if (f->flags & LVL_F_LATE && f->kind == LVL_BYTES) {
            lvl_bytes bytes;
            if (lvl_doc_bytes(doc, record, f, &storage, &bytes) == LVL_OK)
                add(sum, bytes.ptr, bytes.len);
        }
        for (uint32_t k = 0; f->kind == LVL_LIST && f->item == LVL_RECORD && k < lvl_list_count(record, f);
             k++)
            add_late(sum, doc, lvl_list_item(record, f, k), f->table);
    }
    lvl_buffer_free(&storage);
}

static void draw(uint64_t *sum, const struct shared *s)
{
    lvl_render_options options;
    lvl_scene *scene = NULL;
    lvl_image image = {0};

    lvl_render_options_init(&options);
    options.size = 200;
    lvl_status status = lvl_doc_scene(s->doc, NULL, &scene);
    if (status == LVL_OK)
        status = lvl_render_image(scene, &options, &image); /* a PNG may be packed otherwise */
    lvl_scene_free(scene);
    add(sum, &status, sizeof status);
    if (status == LVL_OK)
        add(sum, image.pixels, (size_t)image.width * image.height * 4);
    lvl_image_clear(&image);
}

static void check(uint64_t *sum, const struct shared *s)
{
    lvl_findings *findings = lvl_findings_new(s->ctx);
    lvl_check_result result;
    lvl_buffer out = {0};

    memset(&result, 0, sizeof result);
    lvl_status status = findings
                            ? lvl_check(s->ctx, s->doc->format, s->file, NULL, NULL, findings, &result, NULL)
                            : LVL_ERR_MEMORY;
    if (status == LVL_OK)
        status = lvl_check_json(&result, findings, "x", &out);
    add_buffer(sum, status, &out);
    lvl_findings_free(findings);
}

static void convert(uint64_t *sum, const struct shared *s)
{
    const lvl_form *forms = s->doc->format->forms;

    for (size_t i = 0; forms && forms[i].name && i < 12; i++) {
        lvl_findings *losses = lvl_findings_new(s->ctx);
        lvl_doc *made = NULL;
        lvl_buffer out = {0};
        lvl_status status = losses ? lvl_convert(s->doc, forms[i].name, true, losses, &made) : LVL_ERR_MEMORY;
        if (status == LVL_OK)
            status = lvl_doc_write(made, &out);
        lvl_doc_free(made);
        lvl_findings_free(losses);
        add_buffer(sum, status, &out);
    }
}

static void unpack(uint64_t *sum, const struct shared *s)
{
    lvl_buffer storage = {0};
    lvl_bytes bytes;

    for (size_t i = 0; s->box && i < lvl_container_count(s->box); i++) {
        const lvl_entry *e = lvl_container_at(s->box, i);
        add(sum, e->path, strlen(e->path));
        if (lvl_container_find(s->box, e->path) &&
            lvl_container_read(s->box, e, &bytes, &storage, NULL) == LVL_OK)
            add(sum, bytes.ptr, bytes.len);
    }
    lvl_buffer_free(&storage);
}

/* One operation on a document that no thread edits. */
static uint64_t one(const struct shared *s, unsigned kind)
{
    uint64_t sum = 0xCBF29CE484222325u;
    lvl_buffer out = {0};
    lvl_status status;

    switch (kind) {
    case 0: add_late(&sum, s->doc, lvl_doc_croot(s->doc), lvl_doc_table(s->doc)); break;
    case 1:
        status = lvl_doc_write(s->doc, &out);
        add_buffer(&sum, status, &out);
        break;
    case 2:
        status = lvl_dump(s->doc, NULL, &out, NULL);
        add_buffer(&sum, status, &out);
        break;
    case 3: draw(&sum, s); break;
    case 4: check(&sum, s); break;
    case 5: convert(&sum, s); break;
    case 6: unpack(&sum, s); break;
    case 7: {
        lvl_info *info;
        status = lvl_doc_info(s->doc, NULL, false, &info);
        lvl_info_free(info);
        add_buffer(&sum, status, &out);
        break;
    }
    default: {
        const lvl_explain_options all = {.mode = LVL_EXPLAIN_ALL};
        status = lvl_explain(s->doc, &all, &out, NULL);
        add_buffer(&sum, status, &out);
    }
    }
    return sum;
}

static void *work(void *user, size_t index)
{
    struct shared *s = user;
    const unsigned kind = (unsigned)(index % KINDS);

    return one(s, kind) == s->alone[kind] ? NULL : &s->differs[kind];
}

static bool done(void *user, size_t index, void *result)
{
    (void)user, (void)index;
    if (result)
        *(bool *)result = true;
    return true;
}

static void share(const lvl_ctx *ctx, const lvl_format *format, const char *path)
{
    lvl_buffer file = {0};
    lvl_doc *doc = NULL, *boxed = NULL;
    lvl_container *box = NULL;
    struct shared s;

    memset(&s, 0, sizeof s);
    assert_int_equal(lvl_file_read(&file, path, 0, NULL), LVL_OK);
    s.file = (lvl_bytes){file.data, file.len};
    if (lvl_read(&doc, ctx, format, s.file, NULL, LVL_READ_BORROW, NULL) == LVL_OK &&
        lvl_read(&boxed, ctx, format, s.file, NULL, LVL_READ_BORROW, NULL) == LVL_OK) {
        if (lvl_container_open(&box, boxed) != LVL_OK)
            box = NULL;
        s.ctx = ctx;
        s.doc = doc;
        s.box = box;
        for (unsigned k = 0; k < KINDS; k++)
            s.alone[k] = one(&s, k);
        lvl_pool_run(THREADS, (size_t)KINDS * ROUNDS, work, done, NULL, &s);
        for (unsigned k = 0; k < KINDS; k++) {
            if (s.differs[k])
                fail_msg("%s: thing %u comes out otherwise with threads", path, k);
        }
    }
    lvl_container_close(box);
    lvl_doc_free(boxed);
    lvl_doc_free(doc);
    lvl_buffer_free(&file);
}

static void documents(void **state)
{
    size_t tried = 0;
    lvl_ctx ctx;

    (void)state;
    lvl_ctx_init(&ctx);
    for (size_t i = 0; lvl_format_at(i); i++) {
        lvl_file_list names = {0};
        char dir[200], path[500];
        snprintf(dir, sizeof dir, "fuzz/seeds/%s", lvl_format_at(i)->id);
        if (lvl_folder_list(&names, dir, NULL) != LVL_OK)
            continue;
        for (size_t k = 0; k < names.count; k++, tried++) {
            snprintf(path, sizeof path, "%s/%s", dir, names.names[k]);
            share(&ctx, lvl_format_at(i), path);
        }
        lvl_file_list_free(&names);
    }
    print_message("%zu documents, each shared by %d threads\n", tried, THREADS);
    if (!tried)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(documents)};

    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
