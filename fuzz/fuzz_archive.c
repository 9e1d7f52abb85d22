/*
 * libFuzzer target: archives of any kind, and those in them: paths of members, their content.
 */
#include "fuzz_docs.h"
#include "fuzz_format.h"
#include "fuzz_members.h"
#include "fuzz_zip.h"

static void read_bytes(void *user, const lvl_entry *entry, lvl_bytes bytes)
{
    *(uint32_t *)user += lvl_fuzz_hash(bytes.ptr, bytes.len) + entry->is_dir;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t hash = 0;

    lvl_fuzz_members(lvl_fuzz_ctx(), (lvl_bytes){data, size}, read_bytes, &hash);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    return lvl_fuzz_mutate_zip(data, size, max_size, seed);
}
