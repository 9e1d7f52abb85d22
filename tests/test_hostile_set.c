/*
 * The set sweep: each scalar field of the samples is set to unlikely values, then every tool runs on the
 * result: write, read again, check, info, dump, explain, repair, convert, and pictures of levels, frames,
 * differences and graphs. Nothing crashes or hangs, and every status is one that a document may cause.
 * LVL_HOSTILE=full tries all samples with all values (LVL_HOSTILE_CALL: only files whose path contains this);
 * otherwise each field of a format is set a few times.
 */
#define _DEFAULT_SOURCE
#include "base/info.h"
#include "base/format.h"
#include "container/container.h"
#include "hostile.h"
#include "hostile_trial.h"
#include "views.h"
#include "growth.h"

#include <lvl/tools.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef _WIN32
#include <signal.h>
#include <unistd.h>
#endif

#include <cmocka.h>

enum { MAX_FIELDS = 4000, SECONDS = 120 };

static const char *const values[] = {
    "0", "-1", "1",   "2147483647", "-2147483648",          "2147483648",  "65536", "",
    "8", "64", "181", "255",        NULL /* a long text */, "L\xC3\x9CLL", "a\tb",  "a\nb"};

static struct {
    lvl_ctx ctx;
    bool full;
    const lvl_field *seen[MAX_FIELDS];
    unsigned char times[MAX_FIELDS];
    size_t seen_count;
    uint64_t tried, set, verified, slowest_ms;
    unsigned failures;
    const char *file;
    lvl_bytes bytes;
    const lvl_doc *original;
    char assignment[4096], slowest[600];
} sweep;

#ifndef _WIN32
static void on_alarm(int sig)
{
    static const char text[] = "\nset sweep: hangs: ";

    (void)sig;
    (void)!write(2, text, sizeof text - 1);
    (void)!write(2, sweep.file, strlen(sweep.file));
    (void)!write(2, " ", 1);
    (void)!write(2, sweep.assignment, strnlen(sweep.assignment, 200));
    (void)!write(2, "\n", 1);
    _exit(1);
}
#endif

static void complain(const char *what)
{
    fprintf(stderr, "set sweep: lvl set %s '%.200s': %s\n", sweep.file, sweep.assignment, what);
    sweep.failures++;
}

/* ---- every tool -------------------------------------------------------------------------------------- */

static void show(const lvl_doc *doc, uint32_t choice)
{
    const unsigned can = lvl_format_can(lvl_doc_format(doc));
    bool good = true;

    for (uint32_t i = 0; can & LVL_CAN_RENDER && good && i < 3; i++)
        good = lvl_view_scene(doc, choice * 2654435769u + i * 40503u);
    if (good && can & LVL_CAN_PLAY)
        good = lvl_view_animation(doc, choice);
    if (good)
        good = lvl_view_graph(doc);
    if (good)
        good = lvl_view_diff(sweep.original, doc, sweep.full ? choice & ~24u : choice);
    if (!good)
        complain("a picture ends with a status that it never should");
}

static void convert(const lvl_doc *doc, uint32_t choice)
{
    size_t forms = 0;

    for (const lvl_form *form = lvl_doc_format(doc)->forms; form && form->name; form++)
        forms++;
    if (!forms)
        return;
    lvl_findings *losses = lvl_findings_new(&sweep.ctx);
    lvl_doc *made = NULL;
    lvl_buffer out = {0};
    const char *form = lvl_doc_format(doc)->forms[choice % forms].name;
    lvl_status status = losses ? lvl_convert(doc, form, true, losses, &made) : LVL_ERR_MEMORY;
    if (status == LVL_OK)
        status = lvl_doc_write(made, &out);
    if (status != LVL_OK && status != LVL_ERR_LIMIT && status != LVL_ERR_LOSS)
        complain("can't be converted");
    lvl_doc_free(made);
    lvl_buffer_free(&out);
    lvl_findings_free(losses);
}

/* Of the file that the edited document is. */
static void examine(const lvl_format *format, lvl_bytes file)
{
    lvl_findings *findings = lvl_findings_new(&sweep.ctx), *changes = lvl_findings_new(&sweep.ctx);
    const lvl_explain_options all = {.mode = LVL_EXPLAIN_ALL};
    lvl_buffer text = {0}, dump = {0}, fixed = {0};
    lvl_check_result result;
    lvl_doc *doc = NULL;

    lvl_status status = lvl_check(&sweep.ctx, format, file, "x", NULL, findings, &result, &doc);
    if (status != LVL_OK && status != LVL_ERR_LIMIT)
        complain("check fails");
    if (doc) {
        status = lvl_dump(doc, NULL, &dump, NULL);
        if (status != LVL_OK && status != LVL_ERR_LIMIT)
            complain("dump fails");
        if (sweep.full || sweep.tried % 4 == 0)
            status = lvl_explain(doc, &all, &text, NULL);
        if (status != LVL_OK && status != LVL_ERR_LIMIT)
            complain("explain fails");
        lvl_info *info;
        if (lvl_doc_info(doc, NULL, false, &info) != LVL_OK)
            complain("info fails");
        lvl_info_free(info);
        status = lvl_repair(doc, NULL, changes, &fixed);
        if (status != LVL_OK && status != LVL_ERR_LIMIT && status != LVL_ERR_UNSUPPORTED &&
            status != LVL_ERR_LOSS)
            complain("repair fails");
    }
    lvl_doc_free(doc);
    lvl_buffer_free(&text);
    lvl_buffer_free(&dump);
    lvl_buffer_free(&fixed);
    lvl_findings_free(findings);
    lvl_findings_free(changes);
}

/* The edited document itself, as a program has it that does not write it. */
static void examine_unwritten(const lvl_doc *doc)
{
    lvl_buffer dump = {0};
    lvl_info *info;

    const lvl_status status = lvl_dump(doc, NULL, &dump, NULL);
    if (status != LVL_OK && status != LVL_ERR_LIMIT && status != LVL_ERR_LOSS)
        complain("dump of the unwritten document fails");
    if (lvl_doc_info(doc, NULL, false, &info) != LVL_OK)
        complain("info of the unwritten document fails");
    lvl_info_free(info);
    lvl_buffer_free(&dump);
}

/* What is written without an objection opens by its name, as a document of the same format. */
static void open_again(lvl_doc *doc)
{
    const lvl_format *format = lvl_doc_format(doc);
    const char *name = strrchr(sweep.file, '/');
    lvl_buffer file = {0};
    lvl_doc *again = NULL;

    if (lvl_write(doc, &file, NULL) == LVL_OK) {
        sweep.verified++;
        const lvl_status status = lvl_read(&again, &sweep.ctx, NULL, (lvl_bytes){file.data, file.len},
                                           name ? name + 1 : sweep.file, LVL_READ_BORROW, NULL);
        if (status != LVL_ERR_LIMIT && (status != LVL_OK || lvl_doc_format(again) != format))
            complain("is written, and does not open again");
    }
    lvl_doc_free(again);
    lvl_buffer_free(&file);
}

static void try_one(const char *path, const char *value)
{
    const char *assignment = sweep.assignment;
    const double start = lvl_cpu_seconds();
    lvl_buffer file = {0};
    lvl_doc *doc = NULL;

    if (value)
        snprintf(sweep.assignment, sizeof sweep.assignment, "%s=%s", path, value);
    else
        snprintf(sweep.assignment, sizeof sweep.assignment, "%s=%03000d", path, 7);
    sweep.tried++;
#ifndef _WIN32
    alarm(SECONDS);
#endif
    if (lvl_read(&doc, &sweep.ctx, lvl_doc_format(sweep.original), sweep.bytes, NULL,
                 LVL_READ_BORROW | LVL_READ_EDIT, NULL) != LVL_OK)
        return;
    if (lvl_set(doc, &assignment, 1, NULL, NULL) == LVL_OK) {
        sweep.set++;
        const lvl_status status = lvl_doc_write(doc, &file);
        examine_unwritten(doc);
        open_again(doc);
        show(doc, (uint32_t)sweep.tried);
        convert(doc, (uint32_t)sweep.tried);
        if (status == LVL_OK)
            examine(lvl_doc_format(doc), (lvl_bytes){file.data, file.len});
        else if (status != LVL_ERR_LIMIT && status != LVL_ERR_LOSS && status != LVL_ERR_ARG)
            complain("can't be written");
    }
    lvl_buffer_free(&file);
    lvl_doc_free(doc);
    const uint64_t ms = (uint64_t)((lvl_cpu_seconds() - start) * 1000);
    if (sweep.full && ms > 1000)
        fprintf(stderr, "set sweep: %s '%.200s': %llu ms\n", sweep.file, sweep.assignment,
                (unsigned long long)ms);
    if (ms > sweep.slowest_ms) {
        sweep.slowest_ms = ms;
        snprintf(sweep.slowest, sizeof sweep.slowest, "%.200s '%.300s'", sweep.file, sweep.assignment);
    }
}

/* ---- every field ------------------------------------------------------------------------------------- */

static unsigned times_seen(const lvl_field *field)
{
    for (size_t i = 0; i < sweep.seen_count; i++) {
        if (sweep.seen[i] == field)
            return sweep.times[i] < 255 ? sweep.times[i]++ : 255;
    }
    if (sweep.seen_count < MAX_FIELDS) {
        sweep.times[sweep.seen_count] = 1;
        sweep.seen[sweep.seen_count++] = field;
    }
    return 0;
}

static void visit(const void *record, const lvl_table *table, lvl_where where)
{
    const uint32_t most = sweep.full ? 3 : 1;
    char path[400];

    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (!lvl_field_present(record, f) || f->role == LVL_DERIVED || f->role == LVL_KEPT)
            continue;
        const lvl_where at = lvl_where_to(where, f, LVL_NO_INDEX);
        if (f->kind == LVL_RECORD) {
            visit(lvl_get_record(record, f), f->table, at);
        } else if (f->kind == LVL_LIST) {
            const uint32_t count = lvl_list_count(record, f);
            for (uint32_t k = 0; k < count && k < most; k++) {
                if (f->item == LVL_RECORD)
                    visit(lvl_list_item(record, f, k), f->table, lvl_where_to(where, f, k));
            }
        } else if (f->kind == LVL_INT || f->kind == LVL_REAL || f->kind == LVL_TEXT) {
            const unsigned seen = times_seen(f);
            if (!sweep.full && seen > 1)
                continue;
            lvl_where_text(&at, path, sizeof path);
            for (size_t v = 0; v < LVL_COUNT_OF(values); v++) {
                if (sweep.full || v % 3 == (sweep.seen_count + seen) % 3)
                    try_one(path, values[v]);
            }
        }
    }
}

static void sweep_file(const char *path, lvl_bytes bytes)
{
    const char *only = getenv("LVL_HOSTILE_CALL"); /* NOLINT(concurrency-mt-unsafe) */
    const char *slash = strrchr(path, '/');
    lvl_doc *doc = NULL;

    if ((only && !strstr(path, only)) || bytes.len > 1 << 18)
        return;
    if (lvl_read(&doc, &sweep.ctx, NULL, bytes, slash ? slash + 1 : path, LVL_READ_BORROW, NULL) != LVL_OK)
        return;
    sweep.file = path;
    sweep.bytes = bytes;
    sweep.original = doc;
    visit(lvl_doc_croot(doc), lvl_doc_table(doc), lvl_where_root());
    lvl_doc_free(doc);
}

static void every_field(void **state)
{
    const char *samples = getenv("LVL_SAMPLES"); /* NOLINT(concurrency-mt-unsafe) */
    lvl_container *folder = NULL;

    (void)state;
    sweep.full = lvl_hostile_wants_full();
    lvl_ctx_init(&sweep.ctx);
    sweep.ctx.limits.memory_bytes = (uint64_t)64 << 20;
#ifndef _WIN32
    signal(SIGALRM, on_alarm);
#endif
    assert_int_equal(lvl_container_folder(&sweep.ctx, samples ? samples : "samples", &folder), LVL_OK);
    const size_t count = lvl_container_count(folder);
    for (size_t i = 0; i < count; i++) {
        const lvl_entry *entry = lvl_container_at(folder, i);
        lvl_buffer storage = {0};
        lvl_bytes bytes;
        if (!entry->is_dir && lvl_container_read(folder, entry, &bytes, &storage, NULL) == LVL_OK)
            sweep_file(entry->path, bytes);
        lvl_buffer_free(&storage);
    }
    lvl_container_close(folder);
#ifndef _WIN32
    alarm(0);
#endif
    print_message(
        "%llu assignments tried, %llu could be made; the slowest took %llu ms of processor time: %s\n",
        (unsigned long long)sweep.tried, (unsigned long long)sweep.set, (unsigned long long)sweep.slowest_ms,
        sweep.slowest);
    assert_true(sweep.set > 100 && sweep.verified > 100);
    assert_int_equal(sweep.failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_field)};

    return cmocka_run_group_tests_name("hostile_set", tests, NULL, NULL);
}
