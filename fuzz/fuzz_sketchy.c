/*
 * libFuzzer target: levels and doodads of Sketchy Maze, of every generation. Most mutations are made inside:
 * in the JSON of a gzip or zip, in the first chunk, in any member, in the structure of the zip.
 */
#include "fuzz_format.h"

#include "fuzz_zip.h"
#include "sketchy_seeds.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    if (seed & 32)
        return lvl_fuzz_mutate_zip(data, size, max_size, seed);
    return lvl_fuzz_mutate(seed & 16 ? &lvl_sketchy_chunk_hook : &lvl_sketchy_document_hook, data, size,
                           max_size, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return lvl_fuzz_one("sketchy", data, size, false);
}
