/*
 * libFuzzer target: three-way merges of two files of one format (fuzz_pair.h): with each other, with
 * themselves and with an empty document. Merging an unchanged side changes no byte.
 */
#include "base/format.h"
#include "fuzz_docs.h"
#include "fuzz_format.h"
#include "fuzz_pair.h"

#include <lvl/tools.h>

#include <stdlib.h>
#include <string.h>

/* Merges into `ours`, with any result; the merged document can be written, or writing is refused. */
static void merge(lvl_doc *ours, lvl_doc *base, lvl_doc *theirs, bool markers)
{
    const lvl_merge_options options = {.markers = markers};
    lvl_buffer out = {0};

    const lvl_status status = lvl_merge(ours, base, theirs, &options, NULL, NULL);
    if (status == LVL_OK)
        (void)lvl_doc_write(ours, &out);
    else if (status != LVL_ERR_MEMORY && status != LVL_ERR_LIMIT && status != LVL_ERR_LOSS &&
             status != LVL_ERR_ARG)
        abort();
    lvl_buffer_free(&out);
}

/* Whether a check of what was written says that it is damaged. */
static bool is_damaged(const lvl_format *format, const lvl_buffer *written)
{
    const lvl_check_options options = {.verdict_only = 1};
    lvl_findings *findings = lvl_findings_new(lvl_fuzz_ctx());
    lvl_check_result result = {.verdict = LVL_DAMAGED};

    if (findings)
        (void)lvl_check(lvl_fuzz_ctx(), format, (lvl_bytes){written->data, written->len}, NULL, &options,
                        findings, &result, NULL);
    lvl_findings_free(findings);
    return result.verdict != LVL_SOUND;
}

/* Whether the bytes are known as a file of the format. What is known only by the format that the fuzzer names
 * is refused where a merge gives it another form. */
static bool is_known(const lvl_format *format, const lvl_buffer *written)
{
    const lvl_bytes all = {written->data, written->len};

    return lvl_probe(all, all, all.len, NULL, NULL) == format;
}

/* A side without changes contributes nothing. If OURS is damaged and BASE is not, that is a conflict, and
 * OURS stays. */
static void merge_unchanged(lvl_doc *ours, lvl_doc *base)
{
    lvl_buffer before = {0}, after = {0};
    uint64_t conflicts = 0;

    if (lvl_doc_cuts(ours) > lvl_doc_cuts(base)) {
        if (lvl_merge(ours, base, base, NULL, &conflicts, NULL) == LVL_OK && !conflicts)
            abort();
        return;
    }
    const bool good = lvl_doc_write(ours, &before) == LVL_OK && is_known(lvl_doc_format(ours), &before) &&
                      lvl_merge(ours, base, base, NULL, &conflicts, NULL) == LVL_OK;
    if (good && conflicts && !is_damaged(lvl_doc_format(ours), &before))
        abort();
    if (good && (lvl_doc_write(ours, &after) != LVL_OK || before.len != after.len ||
                 (before.len && memcmp(before.data, after.data, before.len) != 0)))
        abort();
    lvl_buffer_free(&before);
    lvl_buffer_free(&after);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lvl_doc *a, *b, *empty = NULL;

    if (!lvl_fuzz_read_pair(data, size, &a, &b))
        return 0;
    if (lvl_doc_new(&empty, lvl_fuzz_ctx(), lvl_doc_format(a)) == LVL_OK) {
        merge_unchanged(b, a);
        merge(empty, a, b, size % 2);
        merge(b, a, empty, size % 2);
        merge(a, empty, b, size % 2);
    }
    lvl_doc_free(a);
    lvl_doc_free(b);
    lvl_doc_free(empty);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    return lvl_fuzz_mutate_pair(data, size, max_size, seed);
}
