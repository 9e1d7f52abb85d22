/*
 * support/fuzz_format.h: what the fuzzers of formats have in common: each input is read, written, read again
 * and written again (the tools have targets of their own). A mutator reaches inside compressed files through
 * the family's hook.
 */
#ifndef LVL_FUZZ_FORMAT_H
#define LVL_FUZZ_FORMAT_H

#include "hostile.h"

/* libFuzzer's faces. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* Aborts if the format doesn't stand the input; `loose` as in lvl_hostile. */
int lvl_fuzz_one(const char *format, const uint8_t *data, size_t size, bool loose);
/* Three times of four: unwraps, mutates what is inside, wraps again (sizes and checksums repaired); else, or
 * when that can't be, mutates the file as it is. */
size_t lvl_fuzz_mutate(const lvl_hostile_hook *hook, uint8_t *data, size_t size, size_t max_size,
                       unsigned seed);

#endif
