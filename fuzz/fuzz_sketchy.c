/*
 * libFuzzer target: levels and doodads of Sketchy Maze, of every generation. Half of the mutations are made inside: of the JSON in a gzip or zip, or of the first chunk.
 */
#include "fuzz_format.h"

#include "sketchy_seeds.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    return lvl_fuzz_mutate(seed & 16 ? &lvl_sketchy_chunk_hook : &lvl_sketchy_document_hook, data, size,
                           max_size, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return lvl_fuzz_one("sketchy", data, size, false);
}
