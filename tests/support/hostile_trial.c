/*
 * support/hostile_trial.c: runs every operation on one input.
 */
#include "base/info.h"
#include "hostile_trial.h"
#include "tools/edit/parts.h"
#include "tools/explain/coverage.h"
#include "tools/check/reports.h"

#include "base/format.h"
#include "hostile.h"

#include <lvl/tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lvl_trial_small(lvl_ctx *ctx)
{
    lvl_ctx_init(ctx);
    ctx->limits.input_bytes = (uint64_t)1 << 20;
    ctx->limits.memory_bytes = (uint64_t)8 << 20;
    ctx->limits.cells = (uint64_t)1 << 14;
    ctx->limits.items = (uint64_t)1 << 12;
    ctx->limits.findings = 50;
}

static void trial_ctx(lvl_ctx *ctx)
{
    lvl_ctx_init(ctx);
    ctx->limits.input_bytes = (uint64_t)64 << 20;
    ctx->limits.memory_bytes = LVL_TRIAL_MEMORY;
    ctx->limits.cells = (uint64_t)8 << 20;
    ctx->limits.items = (uint64_t)1 << 20;
    ctx->limits.findings = 500;
}

static lvl_bytes bytes_of(const lvl_buffer *b)
{
    lvl_bytes bytes = {b->data, b->len};

    return bytes;
}

static bool same(lvl_bytes a, lvl_bytes b)
{
    return a.len == b.len && (!a.len || !memcmp(a.ptr, b.ptr, a.len));
}

/* Statuses that hostile input may cause: all except those for misuse of the library. */
static bool decent(lvl_status status, bool memory_failed)
{
    return status == LVL_OK || status == LVL_ERR_FORMAT || status == LVL_ERR_LIMIT ||
           status == LVL_ERR_MEMORY || (memory_failed && status == LVL_ERR_FOREIGN);
}

static bool complain(struct lvl_trial *t, const char *what)
{
    if (!t->complaint)
        t->complaint = what;
    return false;
}

/* Reports a difference. */
static bool differs(struct lvl_trial *t, const char *what)
{
    return t->loose && !t->reference ? true : complain(t, what);
}

/* True for a status that ends this part: memory ran out as requested. */
static bool gave_up(const struct lvl_trial *t, lvl_status status)
{
    return t->reference && status == LVL_ERR_MEMORY;
}

/* ---- the basics: read, write, read, write ------------------------------------------------------------ */

static bool read_back(struct lvl_trial *t, const lvl_ctx *ctx, const lvl_buffer *written, const lvl_doc *doc)
{
    lvl_doc *again = NULL;
    lvl_buffer out = {0};
    bool good = true;
    lvl_status status = lvl_read(&again, ctx, t->format, bytes_of(written), NULL, LVL_READ_BORROW, NULL);

    if (status == LVL_OK)
        status = lvl_doc_write(again, &out);
    else if (!gave_up(t, status))
        good = complain(t, "what was written can't be read");
    if (good && !gave_up(t, status)) {
        if (status != LVL_OK)
            good = complain(t, "what was written and read can't be written");
        else if (!same(bytes_of(written), bytes_of(&out)))
            good = differs(t, "written, read and written again isn't the same");
    }
    if (good && status == LVL_OK &&
        !lvl_record_equal(lvl_doc_croot(doc), lvl_doc_croot(again), t->format->table))
        good = differs(t, "what was written reads as another document");
    if (good && status == LVL_OK && t->thorough) {
        bool different = false;
        status = lvl_diff(doc, again, NULL, &different, NULL);
        if (status == LVL_OK && different)
            good = differs(t, "diff sees a difference between a document and its copy");
        else if (status != LVL_OK && !gave_up(t, status) && status != LVL_ERR_LIMIT)
            good = complain(t, "diff fails");
    }
    lvl_doc_free(again);
    lvl_buffer_free(&out);
    return good;
}

/* ---- everything else --------------------------------------------------------------------------------- */

static bool dump_and_back(struct lvl_trial *t, const lvl_ctx *ctx, const lvl_doc *doc,
                          const lvl_buffer *written)
{
    lvl_buffer dump = {0}, out = {0};
    lvl_doc *again = NULL;
    bool good = true;
    lvl_status status = lvl_dump(doc, NULL, &dump, NULL);

    if (status == LVL_OK && t->reference && t->reference->dump.len &&
        !same(bytes_of(&dump), bytes_of(&t->reference->dump)))
        good = complain(t, "a dump made while memory ran out is wrong");
    if (status == LVL_OK) {
        lvl_text text = {(const char *)dump.data, dump.len};
        status = lvl_undump(&again, ctx, text, NULL);
    }
    if (status == LVL_OK)
        status = lvl_doc_write(again, &out);
    if (good && status == LVL_OK && !same(bytes_of(&out), bytes_of(written)))
        good = differs(t, "dumped, undumped and written isn't what is written at once");
    if (good && status != LVL_OK && !gave_up(t, status) && status != LVL_ERR_LIMIT)
        good = complain(t, "can't be dumped, undumped and written");
    lvl_doc_free(again);
    lvl_buffer_free(&dump);
    lvl_buffer_free(&out);
    return good;
}

static bool explain_all(struct lvl_trial *t, const lvl_doc *doc)
{
    static const lvl_explain_mode modes[] = {LVL_EXPLAIN_RECORDS, LVL_EXPLAIN_RESIDUE, LVL_EXPLAIN_AT};
    uint64_t bits = 0, overlap = 0;

    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        lvl_explain_options options;
        lvl_buffer out = {0};
        memset(&options, 0, sizeof options);
        options.mode = modes[i];
        options.at = modes[i] == LVL_EXPLAIN_AT ? "0x0" : NULL;
        options.json = i % 2 != 0;
        lvl_status status = lvl_explain(doc, &options, &out, NULL);
        lvl_buffer_free(&out);
        if (status == LVL_ERR_ARG && modes[i] == LVL_EXPLAIN_AT)
            continue; /* the file ends before that offset */
        if (status != LVL_OK && status != LVL_ERR_MISSING && status != LVL_ERR_LIMIT && !gave_up(t, status))
            return complain(t, "explain fails");
    }
    lvl_status status = lvl_residue(doc, &bits, &overlap);
    /* A damaged file may have two records in one place; a sound one must not. */
    if (status == LVL_OK && overlap && t->reference)
        return complain(t, "bits are claimed twice");
    if (status != LVL_OK && !gave_up(t, status))
        return complain(t, "residue fails");
    return true;
}

static bool check_it(struct lvl_trial *t, const lvl_ctx *ctx)
{
    lvl_findings *findings = lvl_findings_new(ctx);
    lvl_check_options options = {.roundtrip = true};
    lvl_check_result result;
    lvl_buffer out = {0};
    lvl_doc *doc = NULL;
    bool good = true;

    if (!findings)
        return true;
    memset(&result, 0, sizeof result);
    lvl_status status = lvl_check(ctx, t->format, t->input, "level", &options, findings, &result, &doc);
    if (!decent(status, t->reference != NULL))
        good = complain(t, "check answers what it never should");
    if (good && status == LVL_OK) {
        (void)lvl_check_json(&result, findings, "level", &out);
        (void)lvl_findings_text(findings, "level", LVL_NOTE, 0, &out);
    }
    if (good && status == LVL_OK && !t->reference && result.verdict != LVL_UNREADABLE && !doc)
        good = complain(t, "check read it, but gives no document");
    lvl_doc_free(doc);
    lvl_buffer_free(&out);
    lvl_findings_free(findings);
    return good;
}

static bool report_about(struct lvl_trial *t, lvl_doc *doc)
{
    const lvl_format *format = t->format;

    lvl_info *info;
    const lvl_status known = lvl_doc_info(doc, NULL, true, &info);
    lvl_info_free(info);
    if (known != LVL_OK && !gave_up(t, known) && known != LVL_ERR_LIMIT)
        return complain(t, "info fails");
    if (format->calls->to_image) {
        lvl_image image;
        memset(&image, 0, sizeof image);
        lvl_status status = format->calls->to_image(doc, NULL, &image);
        if (status == LVL_OK)
            lvl_image_clear(&image);
        else if (!decent(status, true) && status != LVL_ERR_UNSUPPORTED && status != LVL_ERR_MISSING)
            return complain(t, "making a picture answers what it never should");
    }
    if (format->calls->to_palette) {
        lvl_palette palette;
        (void)format->calls->to_palette(doc, &palette);
    }
    return true;
}

/* Extracting parts and packing them again changes nothing. */
static bool parts_and_back(struct lvl_trial *t, lvl_doc *doc, const lvl_buffer *written)
{
    lvl_part_file *files = NULL;
    lvl_parts *parts = NULL;
    lvl_buffer out = {0};
    size_t changed = 0;
    bool good = true;

    if (!lvl_format_parts(t->format, 0))
        return true;
    lvl_status status = lvl_parts_new(doc, NULL, &parts);
    const size_t n = status == LVL_OK ? parts->count : 0;
    if (status == LVL_OK) {
        files = calloc(n + 1, sizeof *files);
        status = files ? LVL_OK : LVL_ERR_MEMORY;
    }
    for (size_t i = 0; i < n && files; i++) {
        files[i].name = parts->items[i].name;
        files[i].bytes = parts->items[i].bytes;
    }
    if (status == LVL_OK)
        status = lvl_parts_put(doc, files, n, &changed, NULL);
    if (status == LVL_OK)
        status = lvl_doc_write(doc, &out);
    if (status == LVL_OK && (changed || !same(bytes_of(&out), bytes_of(written))))
        good = complain(t, "parts there and back change something");
    else if (status != LVL_OK && !gave_up(t, status))
        good = complain(t, "parts can't be taken back");
    free(files);
    lvl_parts_free(parts);
    lvl_buffer_free(&out);
    return good;
}

/* Converts to one of its forms, which depends on the input: with losses allowed it can always be written,
 * and read again. */
static bool another_form(struct lvl_trial *t, const lvl_ctx *ctx, const lvl_doc *doc)
{
    lvl_findings *losses = lvl_findings_new(ctx);
    lvl_doc *made = NULL, *again = NULL;
    lvl_buffer out = {0};
    bool good = true, different;
    size_t n = 0;

    for (const lvl_form *f = t->format->forms; f && f->name; f++)
        n++;
    if (n && losses) {
        const char *form = t->format->forms[t->input.len % n].name;
        lvl_status status = lvl_convert(doc, form, true, losses, &made);
        if (status == LVL_OK)
            status = lvl_doc_write(made, &out);
        if (status == LVL_OK)
            status = lvl_read(&again, ctx, made->format, bytes_of(&out), NULL, LVL_READ_BORROW, NULL);
        if (status != LVL_OK && !gave_up(t, status) && status != LVL_ERR_LIMIT)
            good = complain(t, "it can't become another form");
        if (status == LVL_OK)
            (void)lvl_diff(doc, again, NULL, &different, NULL);
    }
    lvl_doc_free(again);
    lvl_doc_free(made);
    lvl_buffer_free(&out);
    lvl_findings_free(losses);
    return good;
}

/* Operations that edit come last: after them the document differs from the file. */
static bool edit_it(struct lvl_trial *t, const lvl_ctx *ctx, lvl_doc *doc)
{
    bool good = true, usable = true;

    if (t->format->calls->repair) {
        lvl_findings *changes = lvl_findings_new(ctx);
        lvl_buffer out = {0};
        const lvl_repair_options how = {.recover = t->input.len % 2 != 0, .normalize = t->input.len % 3 != 0};
        lvl_status status = changes ? lvl_repair(doc, &how, changes, &out) : LVL_ERR_MEMORY;
        usable = status == LVL_OK; /* a document that is repaired in part must not be used */
        if (status == LVL_OK) {
            lvl_doc *repaired = NULL;
            status = lvl_read(&repaired, ctx, t->format, bytes_of(&out), NULL, LVL_READ_BORROW, NULL);
            if (status != LVL_OK && !gave_up(t, status))
                good = complain(t, "what was repaired can't be read");
            lvl_doc_free(repaired);
        } else if (status == LVL_ERR_FORMAT && !t->reference) {
            good = differs(t, "repairing twice changes more, or the result doesn't read");
        }
        lvl_buffer_free(&out);
        if (usable && !how.normalize) { /* what is only odd may be written by its spelling alone */
            const lvl_repair_options all = {.normalize = true};
            status = lvl_repair(doc, &all, changes, &out);
            usable = status == LVL_OK;
            if (status == LVL_ERR_FORMAT && !t->reference)
                good = differs(t, "what was repaired and normalized doesn't read");
            lvl_buffer_free(&out);
        }
        lvl_findings_free(changes);
    }
    if (good && usable && t->format->calls->drop_spelling) {
        lvl_buffer out = {0};
        lvl_doc *plain = NULL;
        t->format->calls->drop_spelling(doc);
        lvl_status status = lvl_doc_recompute_derived(doc);
        if (status == LVL_OK)
            status = lvl_doc_write(doc, &out);
        if (status == LVL_OK)
            status = lvl_read(&plain, ctx, t->format, bytes_of(&out), NULL, LVL_READ_BORROW, NULL);
        if (status != LVL_OK && !gave_up(t, status) && status != LVL_ERR_LIMIT)
            good = complain(t, "without what was kept it can't be written and read");
        /* Wrong values of the file may now be read differently; after that it must be stable. */
        good = good && (status != LVL_OK || read_back(t, ctx, &out, plain));
        lvl_doc_free(plain);
        lvl_buffer_free(&out);
    }
    return good;
}

/* Files of other programs that it can be written as. */
static bool export_it(struct lvl_trial *t, const lvl_doc *doc)
{
    bool good = true;

    for (const lvl_export *e = t->format->calls->exports; e && e->ending && good; e++) {
        lvl_buffer out = {0};
        const lvl_status status = e->write(doc, &out);
        if (status != LVL_OK && status != LVL_ERR_LOSS && !gave_up(t, status))
            good = complain(t, "what was read can't be written as a file of another program");
        lvl_buffer_free(&out);
    }
    return good;
}

static bool chosen(const struct lvl_trial *t, unsigned tool)
{
    return !t->tool || t->tool == tool;
}

bool lvl_trial_run(struct lvl_trial *t)
{
    lvl_ctx ctx;
    lvl_doc *doc = NULL;
    lvl_buffer written = {0};
    bool good = true;

    if (t->small)
        lvl_trial_small(&ctx);
    else
        trial_ctx(&ctx);
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_status status =
        lvl_read(&doc, &ctx, t->format, t->input, NULL, LVL_READ_BORROW | LVL_READ_EDIT, findings);
    if (!decent(status, t->reference != NULL))
        good = complain(t, "reading answers what it never should");
    if ((status == LVL_OK) != (doc != NULL))
        good = complain(t, "the status of reading and the document disagree");
    if (doc && good) {
        t->was_read = true;
        status = lvl_doc_write(doc, &written);
        if (status == LVL_OK) {
            t->was_exact = same(bytes_of(&written), t->input);
            if (t->reference && !same(bytes_of(&written), bytes_of(&t->reference->written)))
                good = complain(t, "a file written while memory ran out is wrong");
            good = good && read_back(t, &ctx, &written, doc);
        } else if (!gave_up(t, status)) {
            good = complain(t, "what was read can't be written");
        }
    }
    good = good && (!doc || export_it(t, doc));
    if (doc && good && t->thorough && status == LVL_OK)
        good = (!chosen(t, 1) || dump_and_back(t, &ctx, doc, &written)) &&
               (!chosen(t, 2) || explain_all(t, doc)) && (!chosen(t, 3) || report_about(t, doc)) &&
               (!chosen(t, 4) || check_it(t, &ctx)) && (!chosen(t, 5) || another_form(t, &ctx, doc)) &&
               (!chosen(t, 6) || parts_and_back(t, doc, &written)) &&
               (!chosen(t, LVL_TRIAL_TOOLS) || edit_it(t, &ctx, doc));
    lvl_doc_free(doc);
    lvl_findings_free(findings);
    lvl_buffer_free(&written);
    return good;
}

bool lvl_trial_reference_make(struct lvl_trial_reference *out, const lvl_format *format, lvl_bytes sample)
{
    lvl_ctx ctx;
    lvl_doc *doc = NULL;

    memset(out, 0, sizeof *out);
    trial_ctx(&ctx);
    if (lvl_read(&doc, &ctx, format, sample, NULL, LVL_READ_BORROW, NULL) != LVL_OK)
        return false;
    bool good = lvl_doc_write(doc, &out->written) == LVL_OK && same(bytes_of(&out->written), sample) &&
                lvl_dump(doc, NULL, &out->dump, NULL) == LVL_OK;
    lvl_doc_free(doc);
    return good;
}

void lvl_trial_reference_free(struct lvl_trial_reference *reference)
{
    lvl_buffer_free(&reference->written);
    lvl_buffer_free(&reference->dump);
}

bool lvl_trial_trace(const lvl_format *format, lvl_bytes sample, lvl_sink *sink)
{
    lvl_ctx ctx;
    lvl_doc *doc = NULL;

    trial_ctx(&ctx);
    if (lvl_read(&doc, &ctx, format, sample, NULL, LVL_READ_BORROW, NULL) != LVL_OK)
        return false;
    lvl_status status = lvl_doc_trace(doc, sink);
    lvl_doc_free(doc);
    return status == LVL_OK;
}

bool lvl_hostile_try(const lvl_format *format, lvl_bytes input, bool thorough, bool loose)
{
    struct lvl_trial trial = {
        .format = format, .input = input, .thorough = thorough, .small = true, .loose = loose};
    bool good = lvl_trial_run(&trial);

    if (!good)
        fprintf(stderr, "hostile: %s\n", trial.complaint);
    return good;
}
