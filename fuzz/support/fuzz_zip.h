/*
 * support/fuzz_zip.h: a mutator for zips whose results are zips: changes the content of a member, compresses
 * it again, and reorders members.
 */
#ifndef LVL_FUZZ_ZIP_H
#define LVL_FUZZ_ZIP_H

#include <stddef.h>
#include <stdint.h>

/* As LLVMFuzzerCustomMutator. The content of a gzip is mutated in the same way. In other files, and one
 * time out of eight, the bytes themselves are mutated. */
size_t lvl_fuzz_mutate_zip(uint8_t *data, size_t size, size_t max_size, unsigned seed);

#endif
