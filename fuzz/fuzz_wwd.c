/*
 * libFuzzer target: WWD files, mutated inside the compressed main block as well.
 */
#include "fuzz_format.h"
#include "wwd_seeds.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return lvl_fuzz_one("wwd", data, size, false);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    return lvl_fuzz_mutate(&lvl_wwd_hook, data, size, max_size, seed);
}
