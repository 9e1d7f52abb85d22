/*
 * support/fuzz_format.h: shared by the fuzzers of formats. Each input is read, written, read again and
 * written again (the tools have their own targets). A mutator reaches inside compressed files through the
 * hook of the family.
 */
#ifndef LVL_FUZZ_FORMAT_H
#define LVL_FUZZ_FORMAT_H

#include "hostile.h"

/* The functions that libFuzzer calls. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* Aborts if the format fails on the input; `loose` as in lvl_hostile. */
int lvl_fuzz_one(const char *format, const uint8_t *data, size_t size, bool loose);
/* Three times out of four: unwraps, mutates the content, wraps it again (sizes and checksums corrected).
 * Otherwise, or if that is not possible, mutates the file itself. */
size_t lvl_fuzz_mutate(const lvl_hostile_hook *hook, uint8_t *data, size_t size, size_t max_size,
                       unsigned seed);

#endif
