/*
 * support/measure.h: what a format's reader and writer do with one file: exact or not, which bits its sink
 * was told, twice or never.
 */
#ifndef LVL_TEST_MEASURE_H
#define LVL_TEST_MEASURE_H

#include <lvl/doc.h>

typedef struct lvl_measure {
    size_t files, exact, errors; /* errors: files with a finding of that severity or worse */
    uint64_t kept, residue_bits, overlap_bits;
} lvl_measure;

/* Reads the bytes (format NULL: probed), writes them again and adds to the counts. False, with a line on
 * stderr, if they can't be read or written. */
bool lvl_measure_bytes(lvl_measure *m, const lvl_format *format, lvl_bytes bytes, const char *name);
/* All files below a folder with these endings. */
bool lvl_measure_folder(lvl_measure *m, const lvl_format *format, const char *dir, const char *endings);
/* Each beginning of the bytes, and all of them, comes out as it went in, by way of a dump as well, and each
 * byte is told of once. For formats that read whatever they are told to read; false, with the length on
 * stderr. */
bool lvl_exact_all(const lvl_format *format, lvl_bytes whole);
/* Every file of a folder is exact, nothing is told of twice or never; at most `kept` bytes a file are kept
 * (0: any number). A line of counts to stdout. */
bool lvl_measure_exact(const lvl_format *format, const char *dir, unsigned kept);
/* Bytes of the document that are only kept as spelling; UINT64_MAX if that fails. */
uint64_t lvl_kept_bytes(const lvl_doc *doc);
/* Whether what is dumped and undumped is written as these bytes. */
bool lvl_exact_by_dump(const lvl_doc *doc, lvl_bytes file);
/* Reads every file of a folder, asks check too if `check` says so, and counts findings by kind on stdout.
 * Answers how many files have errors, each told of on stderr, SIZE_MAX if one can't be read; *files gets
 * their number. */
size_t lvl_count_findings(const lvl_format *format, const char *dir, bool check, size_t *files);
/* Reads, writes, and reads what was written again: no crash, and the second writing gives the same as the
 * first. For damaged input; true if it can't be read at all. */
bool lvl_survives(const lvl_format *format, lvl_bytes bytes);
/* lvl_survives for each length of the bytes, and with each single bit flipped (or `flips` of them, spread, if
 * they are more; 0: all). */
bool lvl_survives_all(const lvl_format *format, lvl_bytes bytes, size_t flips);

#endif
