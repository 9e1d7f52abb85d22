/*
 * libFuzzer target: levelpacks. Mutates their members, and the members of the levels in them.
 */
#include "fuzz_format.h"
#include "fuzz_zip.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    return lvl_fuzz_mutate_zip(data, size, max_size, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return lvl_fuzz_one("levelpack", data, size, false);
}
