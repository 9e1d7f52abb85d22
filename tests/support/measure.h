/*
 * support/measure.h: what a format's reader and writer do with one file: exact or not, which bits its sink was told, twice or never.
 */
#ifndef LVL_TEST_MEASURE_H
#define LVL_TEST_MEASURE_H

#include <lvl/doc.h>

typedef struct lvl_measure {
    size_t files, exact, errors; /* errors: files with a finding of that severity or worse */
    uint64_t kept, residue_bits, overlap_bits;
} lvl_measure;

/* Reads the bytes (format NULL: probed), writes them again and adds to the counts. False, with a line on stderr, if they can't be read or written. */
bool lvl_measure_bytes(lvl_measure *m, const lvl_format *format, lvl_bytes bytes, const char *name);
/* All files below a folder with these endings. */
bool lvl_measure_folder(lvl_measure *m, const lvl_format *format, const char *dir, const char *endings);
/* Reads, writes, and reads what was written again: no crash, and the second writing gives the same as the first. For damaged input; true if
 * it can't be read at all. */
bool lvl_survives(const lvl_format *format, lvl_bytes bytes);
/* lvl_survives for each length of the bytes, and with each single bit flipped (or `flips` of them, spread, if they are more; 0: all). */
bool lvl_survives_all(const lvl_format *format, lvl_bytes bytes, size_t flips);

#endif
