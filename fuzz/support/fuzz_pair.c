/*
 * support/fuzz_pair.c: see support/fuzz_pair.h.
 */
#include "fuzz_pair.h"

#include "fuzz_docs.h"
#include "fuzz_format.h"

#include <string.h>

bool lvl_fuzz_read_pair(const uint8_t *data, size_t size, lvl_doc **a, lvl_doc **b)
{
    const lvl_ctx *ctx = lvl_fuzz_ctx();

    if (size < 2)
        return false;
    const size_t most = size - 2, first = (size_t)data[0] << 8 | data[1], len = first < most ? first : most;
    if (lvl_read(a, ctx, NULL, (lvl_bytes){data + 2, len}, NULL, LVL_READ_BORROW, NULL) != LVL_OK)
        return false;
    if (lvl_read(b, ctx, lvl_doc_format(*a), (lvl_bytes){data + 2 + len, most - len}, NULL, LVL_READ_BORROW,
                 NULL) == LVL_OK ||
        lvl_doc_new(b, ctx, lvl_doc_format(*a)) == LVL_OK)
        return true;
    lvl_doc_free(*a);
    return false;
}

size_t lvl_fuzz_mutate_pair(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    const size_t first = size < 2 ? 0 : (size_t)data[0] << 8 | data[1];
    const size_t at = first < size - 2 && seed & 1 ? first + 2 : 2;

    if (size < 4 || first > size - 2)
        return LLVMFuzzerMutate(data, size, max_size);
    if (first == size - 2 || seed % 16 == 0) { /* one file, or time for a new copy of the first */
        if (first * 2 + 2 + 64 > max_size)
            return LLVMFuzzerMutate(data, size, max_size);
        memmove(data + 2 + first, data + 2, first);
        return first + 2 + LLVMFuzzerMutate(data + 2 + first, first, max_size - first - 2);
    }
    if (at > 2)
        return at + LLVMFuzzerMutate(data + at, size - at, max_size - at);
    /* the first keeps its size */
    LLVMFuzzerMutate(data + 2, first, first);
    return size;
}
