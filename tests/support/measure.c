/*
 * support/measure.c: measuring readers and writers.
 */
#include "measure.h"

#include "base/format.h"
#include "corpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Counts how often each bit of the file itself is told. */
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

bool lvl_measure_bytes(lvl_measure *m, const lvl_format *format, lvl_bytes bytes, const char *name)
{
    lvl_doc *doc = NULL;
    lvl_buffer out;
    lvl_ctx ctx;
    bool fine = false;

    lvl_ctx_init(&ctx);
    lvl_buffer_init(&out);
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_status status = lvl_read(&doc, &ctx, format, bytes, name, LVL_READ_BORROW, findings);
    if (status != LVL_OK) {
        fprintf(stderr, "%s: can't be read: %s\n", name, lvl_status_text(status));
        goto out;
    }
    m->files++;
    m->errors += lvl_findings_worst(findings) >= LVL_ERROR;
    m->kept += lvl_doc_kept(doc);
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
    lvl_buffer first, second;
    lvl_ctx ctx;
    bool fine = false;

    lvl_ctx_init(&ctx);
    ctx.limits.memory_bytes = (uint64_t)64 << 20;
    ctx.limits.cells = (uint64_t)16 << 20;
    lvl_buffer_init(&first);
    lvl_buffer_init(&second);
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_status status = lvl_read(&doc, &ctx, format, bytes, NULL, 0, findings);
    if (status != LVL_OK) {
        fine = true;
        goto out;
    }
    if (doc->format->check) {
        const lvl_check_request request = {findings, NULL};
        if (doc->format->check(doc, &request) != LVL_OK)
            goto out;
    }
    status = lvl_doc_write(doc, &first);
    if (status != LVL_OK) {
        /* a refusal is fine as long as it is an answer */
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
    /* memory of just that size, so that the sanitizer sees a byte too many */
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
