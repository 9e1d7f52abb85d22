/*
 * libFuzzer target: the mutated members of an archive are scanned into a catalogue in memory, which is
 * searched then.
 */
#include "catalogue/scan.h"
#include "fuzz_docs.h"
#include "fuzz_format.h"
#include "fuzz_members.h"
#include "fuzz_zip.h"

#include "base/buffer.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct scan {
    lvl_catalogue *catalogue;
    size_t files;
} scan;

static void check(const scan *s, lvl_status status)
{
    /* nothing that a file has may be refused by the database */
    if (status == LVL_ERR_IO || status == LVL_ERR_ARG) {
        fprintf(stderr, "status %d: %s\n", (int)status, lvl_catalogue_error(s->catalogue));
        abort();
    }
}

static void add(void *user, const lvl_entry *entry, lvl_bytes bytes)
{
    scan *s = user;
    const lvl_scan_file file = {.path = entry->path, .archive = "a", .size = bytes.len, .time = entry->time};
    const lvl_scan_options options = {.thumbnail = 0};
    lvl_scan_result result;
    lvl_buffer rows = {0};

    const lvl_format *format = lvl_probe(bytes, bytes, bytes.len, entry->path, NULL);
    lvl_status status =
        lvl_scan_read(s->catalogue, lvl_fuzz_ctx(), &file, format, bytes, &options, &rows, &result);
    check(s, status);
    if (status == LVL_OK) {
        status = lvl_scan_add(s->catalogue, &file, lvl_buffer_bytes(&rows));
        check(s, status);
        s->files += status == LVL_OK;
    }
    lvl_buffer_free(&rows);
}

static bool count_row(void *user, const lvl_catalogue_value *values, size_t count)
{
    *(size_t *)user += count && values[0].name;
    return true;
}

static void search(const scan *s, lvl_find_mode mode, const char *word)
{
    const lvl_find_options options = {.mode = mode, .words = &word, .word_count = word != NULL};
    size_t rows = 0;

    check(s, lvl_catalogue_find(s->catalogue, &options, count_row, &rows, NULL));
}

static void search_sql(const scan *s, const char *query)
{
    const lvl_find_options options = {.mode = LVL_FIND_SQL, .text = query};
    size_t rows = 0;

    check(s, lvl_catalogue_find(s->catalogue, &options, count_row, &rows, NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    scan s = {0};
    lvl_scan_totals totals;
    size_t rows = 0;

    if (!lvl_catalogue_supported() ||
        lvl_catalogue_open(&s.catalogue, lvl_fuzz_ctx(), NULL, LVL_CATALOGUE_MEMORY, NULL) != LVL_OK)
        return 0;
    check(&s, lvl_scan_begin(s.catalogue, 0));
    lvl_fuzz_members(lvl_fuzz_ctx(), (lvl_bytes){data, size}, add, &s);
    check(&s, lvl_scan_end(s.catalogue, NULL, 0, &totals));
    if (totals.files > s.files)
        abort();
    search(&s, LVL_FIND_WORDS, "a");
    search(&s, LVL_FIND_WORDS, "author:qx");
    search(&s, LVL_FIND_DUPLICATES, NULL);
    search(&s, LVL_FIND_MISSING, NULL);
    check(&s, lvl_catalogue_alike(s.catalogue, count_row, &rows));
    search_sql(&s, "SELECT 1"); /* from here on it is as one that was opened for reading */
    check(&s, lvl_catalogue_words(s.catalogue, count_row, &rows));
    lvl_catalogue_close(s.catalogue);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    return lvl_fuzz_mutate_zip(data, size, max_size, seed);
}
