/*
 * support/fuzz_pair.h: inputs that are two files: the size of the first in two bytes, then one after the
 * other.
 */
#ifndef LVL_FUZZ_PAIR_H
#define LVL_FUZZ_PAIR_H

#include <lvl/doc.h>

/* Reads both as one format; a second file that cannot be read becomes an empty document. False: the first
 * cannot be read, and there is nothing to free. The documents borrow `data`. */
bool lvl_fuzz_read_pair(const uint8_t *data, size_t size, lvl_doc **a, lvl_doc **b);
/* An input of one file becomes the file and a mutated copy of it. In others, one of the two files changes. */
size_t lvl_fuzz_mutate_pair(uint8_t *data, size_t size, size_t max_size, unsigned seed);

#endif
