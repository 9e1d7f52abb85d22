/*
 * libFuzzer target: two files of one format compared, as text, JSON and picture. The inputs are
 * pairs of files (fuzz_pair.h).
 */
#include "fuzz_docs.h"
#include "fuzz_format.h"
#include "fuzz_pair.h"
#include "views.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lvl_doc *a, *b;

    if (!lvl_fuzz_read_pair(data, size, &a, &b))
        return 0;
    if (lvl_doc_open(a) == LVL_OK && lvl_doc_open(b) == LVL_OK &&
        !lvl_view_diff(a, b, lvl_fuzz_hash(data, size)))
        abort();
    lvl_doc_free(a);
    lvl_doc_free(b);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    return lvl_fuzz_mutate_pair(data, size, max_size, seed);
}
