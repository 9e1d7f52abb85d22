/*
 * support/measure.c: measuring readers and writers.
 */
#include "measure.h"

#include "base/format.h"
#include "games/book.h"
#include "corpus.h"
#include "tools/explain/coverage.h"

#include <lvl/tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Counts how often each bit of the file itself has a span. */
struct counter {
    lvl_sink sink;
    uint8_t *seen; /* a bit each */
    uint64_t bits, overlap, outside;
};

static void no_space(lvl_sink *sink, const lvl_space *space)
{
    (void)sink;
    (void)space;
}

static void count_span(lvl_sink *sink, const lvl_span *span)
{
    struct counter *c = (struct counter *)(void *)sink;

    if (span->space != 0 || span->role == LVL_SPAN_RESIDUE)
        return;
    for (uint64_t b = span->bit; b < span->bit + span->bits; b++) {
        if (b >= c->bits) {
            c->outside++;
            continue;
        }
        c->overlap += c->seen[b / 8] >> (b % 8) & 1;
        c->seen[b / 8] |= (uint8_t)(1 << b % 8);
    }
}

static bool count_bits(lvl_measure *m, const lvl_doc *doc, lvl_bytes bytes)
{
    struct counter c = {
        {no_space, count_span, false}, calloc(bytes.len + 1, 1), (uint64_t)bytes.len * 8, 0, 0};

    if (!c.seen || lvl_doc_trace(doc, &c.sink) != LVL_OK) {
        free(c.seen);
        return false;
    }
    for (uint64_t b = 0; b < c.bits; b++)
        m->residue_bits += !(c.seen[b / 8] >> (b % 8) & 1);
    m->overlap_bits += c.overlap + c.outside;
    free(c.seen);
    return true;
}

uint64_t lvl_kept_bytes(const lvl_doc *doc)
{
    uint64_t bytes;

    return lvl_doc_kept(doc, &bytes) == LVL_OK ? bytes : UINT64_MAX;
}

bool lvl_measure_bytes(lvl_measure *m, const lvl_format *format, lvl_bytes bytes, const char *name)
{
    lvl_doc *doc = NULL;
    lvl_buffer out = {0};
    lvl_ctx ctx;
    bool fine = false;

    lvl_ctx_init(&ctx);
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_status status = lvl_read(&doc, &ctx, format, bytes, name, LVL_READ_BORROW, findings);
    if (status != LVL_OK) {
        fprintf(stderr, "%s: can't be read: %s\n", name, lvl_status_text(status));
        goto out;
    }
    m->files++;
    m->errors += lvl_findings_worst(findings) >= LVL_ERROR;
    m->kept += lvl_kept_bytes(doc);
    status = lvl_doc_write(doc, &out);
    if (status != LVL_OK || !count_bits(m, doc, bytes)) {
        fprintf(stderr, "%s: can't be written: %s\n", name, lvl_status_text(status));
        goto out;
    }
    fine = true;
    if (out.len == bytes.len && memcmp(out.data, bytes.ptr, bytes.len) == 0)
        m->exact++;
    else
        fprintf(stderr, "%s: written differently: %zu bytes, was %zu\n", name, out.len, bytes.len);
out:
    lvl_findings_free(findings);
    lvl_buffer_free(&out);
    lvl_doc_free(doc);
    return fine;
}

bool lvl_measure_folder(lvl_measure *m, const lvl_format *format, const char *dir, const char *endings)
{
    lvl_paths paths;
    bool fine = true;

    if (!lvl_paths_below(&paths, dir, endings))
        return false;
    for (size_t i = 0; i < paths.count; i++) {
        lvl_bytes bytes = {NULL, 0};
        uint8_t *data = lvl_slurp(paths.items[i], &bytes.len);
        bytes.ptr = data;
        if (!data || !lvl_measure_bytes(m, format, bytes, lvl_path_name(paths.items[i]))) {
            fprintf(stderr, "in %s\n", paths.items[i]);
            fine = false;
        }
        free(data);
    }
    lvl_paths_free(&paths);
    return fine;
}

bool lvl_survives(const lvl_format *format, lvl_bytes bytes)
{
    lvl_doc *doc = NULL, *again = NULL;
    lvl_buffer first = {0}, second = {0};
    lvl_ctx ctx;
    bool fine = false;

    lvl_ctx_init(&ctx);
    ctx.limits.memory_bytes = (uint64_t)64 << 20;
    ctx.limits.cells = (uint64_t)16 << 20;
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_status status = lvl_read(&doc, &ctx, format, bytes, NULL, 0, findings);
    if (status != LVL_OK) {
        fine = true;
        goto out;
    }
    if (doc->format->calls->check) {
        const lvl_check_request request = {.findings = findings};
        if (doc->format->calls->check(doc, &request) != LVL_OK)
            goto out;
    }
    status = lvl_doc_write(doc, &first);
    if (status != LVL_OK) {
        /* a refusal is a valid result */
        fine = status == LVL_ERR_LIMIT;
        goto out;
    }
    const lvl_bytes written = {first.data, first.len};
    status = lvl_read(&again, &ctx, format, written, NULL, 0, NULL);
    if (status == LVL_OK)
        status = lvl_doc_write(again, &second);
    fine = status == LVL_OK && first.len == second.len &&
           (!first.len || memcmp(first.data, second.data, first.len) == 0);
    if (!fine)
        fprintf(stderr, "%s: not stable: %s, %zu, %zu, %zu bytes\n", format->id, lvl_status_text(status),
                bytes.len, first.len, second.len);
out:
    lvl_findings_free(findings);
    lvl_buffer_free(&first);
    lvl_buffer_free(&second);
    lvl_doc_free(doc);
    lvl_doc_free(again);
    return fine;
}

bool lvl_survives_all(const lvl_format *format, lvl_bytes bytes, size_t flips)
{
    const size_t bits = bytes.len * 8, step = flips && flips < bits ? bits / flips : 1;
    uint8_t *copy = malloc(bytes.len + 1);
    bool fine = copy != NULL;

    if (!copy)
        return false;
    /* memory of exactly that size, so that the sanitizer sees reads beyond it */
    for (size_t len = 0; len <= bytes.len && fine; len += step > 1 ? step / 8 + 1 : 1) {
        uint8_t *cut = malloc(len ? len : 1);
        const lvl_bytes b = {cut, len};
        if (!cut)
            break;
        if (len)
            memcpy(cut, bytes.ptr, len);
        fine = lvl_survives(format, b);
        if (!fine)
            fprintf(stderr, "cut to %zu bytes\n", len);
        free(cut);
    }
    for (size_t bit = 0; bit < bits && fine; bit += step) {
        const lvl_bytes b = {copy, bytes.len};
        memcpy(copy, bytes.ptr, bytes.len);
        copy[bit / 8] ^= (uint8_t)(1 << bit % 8);
        fine = lvl_survives(format, b);
        if (!fine)
            fprintf(stderr, "bit %zu flipped\n", bit);
    }
    free(copy);
    return fine;
}

bool lvl_exact_by_dump(const lvl_doc *doc, lvl_bytes file)
{
    lvl_doc *again = NULL;
    lvl_buffer json = {0}, out = {0};

    const bool fine =
        lvl_dump(doc, NULL, &json, NULL) == LVL_OK &&
        lvl_undump(&again, lvl_doc_ctx(doc), (lvl_text){(const char *)json.data, json.len}, NULL) == LVL_OK &&
        lvl_doc_write(again, &out) == LVL_OK && out.len == file.len &&
        (!out.len || memcmp(out.data, file.ptr, file.len) == 0);
    lvl_doc_free(again);
    lvl_buffer_free(&json);
    lvl_buffer_free(&out);
    return fine;
}

bool lvl_exact_all(const lvl_format *format, lvl_bytes whole)
{
    bool fine = true;
    lvl_ctx ctx;

    lvl_ctx_init(&ctx);
    for (size_t len = 0; len <= whole.len && fine; len++) {
        const lvl_bytes bytes = {whole.ptr, len};
        uint64_t residue = 1, overlap = 1;
        lvl_buffer out = {0};
        lvl_doc *doc = NULL;
        fine = lvl_read(&doc, &ctx, format, bytes, NULL, LVL_READ_BORROW, NULL) == LVL_OK &&
               lvl_doc_write(doc, &out) == LVL_OK && out.len == len &&
               (!len || memcmp(out.data, bytes.ptr, len) == 0) &&
               lvl_residue(doc, &residue, &overlap) == LVL_OK && !residue && !overlap &&
               lvl_exact_by_dump(doc, bytes);
        if (!fine)
            fprintf(stderr, "the first %zu bytes aren't exact: %llu bits told of never, %llu twice\n", len,
                    (unsigned long long)residue, (unsigned long long)overlap);
        lvl_doc_free(doc);
        lvl_buffer_free(&out);
    }
    return fine;
}

bool lvl_measure_exact(const lvl_format *format, const char *dir, unsigned kept)
{
    lvl_measure m = {0};

    if (!lvl_measure_folder(&m, format, dir, NULL))
        return false;
    printf("%zu levels, %zu exact, %llu bytes kept, %llu bits residue, %llu bits claimed twice\n", m.files,
           m.exact, (unsigned long long)m.kept, (unsigned long long)m.residue_bits,
           (unsigned long long)m.overlap_bits);
    return m.files && m.exact == m.files && !m.residue_bits && !m.overlap_bits &&
           (!kept || m.kept <= m.files * kept);
}

/* Whether it is a rule of the format's game books. */
static bool is_rule(const lvl_format *format, const lvl_finding_def *def)
{
    for (const lvl_book *const *book = format->calls->books; book && *book; book++) {
        for (uint32_t i = 0; i < (*book)->rule_count; i++) {
            if (&(*book)->rules[i].def == def)
                return true;
        }
    }
    return false;
}

size_t lvl_count_findings(const lvl_format *format, const char *dir, bool check, size_t *files)
{
    size_t n = format->finding_count, errors = 0;
    const lvl_finding_def *defs = format->findings;
    struct {
        size_t times, files, last;
    } *seen = calloc(n, sizeof *seen);
    lvl_paths paths;
    lvl_ctx ctx;

    lvl_ctx_init(&ctx);
    if (!seen || !lvl_paths_below(&paths, dir, NULL)) {
        free(seen);
        return SIZE_MAX;
    }
    for (size_t i = 0; i < paths.count && errors != SIZE_MAX; i++) {
        lvl_findings *found = lvl_findings_new(&ctx);
        const lvl_check_request request = {.findings = found};
        lvl_bytes file = {NULL, 0};
        lvl_doc *doc = NULL;
        uint8_t *data = lvl_slurp(paths.items[i], &file.len);
        file.ptr = data;
        bool fine = found && data &&
                    lvl_read(&doc, &ctx, format, file, NULL, LVL_READ_BORROW, found) == LVL_OK &&
                    (!check || !format->calls->check || format->calls->check(doc, &request) == LVL_OK);
        for (size_t k = 0; fine && k < lvl_findings_count(found); k++) {
            if (lvl_findings_at(found, k)->def == &lvl_doc_cut_off) /* of any format */
                continue;
            if (is_rule(format, lvl_findings_at(found, k)->def))
                continue;
            const size_t id = (size_t)(lvl_findings_at(found, k)->def - defs);
            fine = id < n;
            if (!fine)
                break;
            seen[id].times++;
            seen[id].files += seen[id].last != i + 1;
            seen[id].last = i + 1;
        }
        if (!fine)
            fprintf(stderr, "can't be read, or finds what isn't in the table: %s\n",
                    lvl_path_name(paths.items[i]));
        else if (lvl_findings_worst(found) >= LVL_ERROR)
            fprintf(stderr, "error in %s\n", lvl_path_name(paths.items[i]));
        errors = !fine ? SIZE_MAX : errors + (lvl_findings_worst(found) >= LVL_ERROR);
        lvl_findings_free(found);
        lvl_doc_free(doc);
        free(data);
    }
    for (size_t k = 0; k < n; k++) {
        if (seen[k].times)
            printf("%6zu in %4zu levels  %-8s %s\n", seen[k].times, seen[k].files,
                   lvl_severity_name(defs[k].severity[LVL_PROFILE_GAME]), defs[k].id);
    }
    printf("%zu of %zu levels with errors\n", errors, paths.count);
    *files = paths.count;
    lvl_paths_free(&paths);
    free(seen);
    return errors;
}
