/*
 * support/fuzz_zip.h: a mutator for zips that keeps them zips: changes what a member holds, packs it again,
 * and shuffles members about.
 */
#ifndef LVL_FUZZ_ZIP_H
#define LVL_FUZZ_ZIP_H

#include <stddef.h>
#include <stdint.h>

/* As LLVMFuzzerCustomMutator. A gzip's inside is mutated likewise; of anything else, and one time of eight,
 * the bytes as they are. */
size_t lvl_fuzz_mutate_zip(uint8_t *data, size_t size, size_t max_size, unsigned seed);

#endif
