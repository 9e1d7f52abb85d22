/*
 * support/measure.h: measures a format's reader and writer on one file: whether it is written byte for byte,
 * and which bits have several spans or none.
 */
#ifndef LVL_TEST_MEASURE_H
#define LVL_TEST_MEASURE_H

#include <lvl/doc.h>

typedef struct lvl_measure {
    size_t files, exact, errors; /* errors: files with a finding of that severity or worse */
    uint64_t kept, residue_bits, overlap_bits;
} lvl_measure;

/* Reads the bytes (format NULL: probed), writes them again and adds to the counts. False, with a message
 * on stderr, if they cannot be read or written. */
bool lvl_measure_bytes(lvl_measure *m, const lvl_format *format, lvl_bytes bytes, const char *name);
/* Does so for all files with these extensions below a folder. */
bool lvl_measure_folder(lvl_measure *m, const lvl_format *format, const char *dir, const char *endings);
/* Each prefix of the bytes, and all of them, is written as it was read, also through a dump, and each byte
 * has exactly one span. For formats that can read any bytes; false, with the length on stderr. */
bool lvl_exact_all(const lvl_format *format, lvl_bytes whole);
/* Every file of a folder is written byte for byte, and each bit has exactly one span; at most `kept` bytes
 * a file are kept (0: any number). Prints a line of counts to stdout. */
bool lvl_measure_exact(const lvl_format *format, const char *dir, unsigned kept);
/* The bytes of kept spelling in a document; UINT64_MAX if that fails. */
uint64_t lvl_kept_bytes(const lvl_doc *doc);
/* Whether a dump of the document, undumped and written, gives these bytes. */
bool lvl_exact_by_dump(const lvl_doc *doc, lvl_bytes file);
/* Reads every file of a folder, with `check` also checks it, and prints the findings by id to stdout.
 * Returns how many files have errors, each named on stderr; SIZE_MAX if one cannot be read. *files gets
 * their number. */
size_t lvl_count_findings(const lvl_format *format, const char *dir, bool check, size_t *files);
/* Reads, writes, and reads the result again: no crash, and the second result equals the first. For damaged
 * input; true if it cannot be read at all. */
bool lvl_survives(const lvl_format *format, lvl_bytes bytes);
/* lvl_survives for each length of the bytes, and with each single bit flipped (or `flips` of them, evenly
 * spread, if there are more; 0: all). */
bool lvl_survives_all(const lvl_format *format, lvl_bytes bytes, size_t flips);

#endif
