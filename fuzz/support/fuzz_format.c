/*
 * support/fuzz_format.c: see support/fuzz_format.h.
 */
#include "fuzz_format.h"
#include "base/buffer.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_INNER = 1 << 16 };

int lvl_fuzz_one(const char *format, const uint8_t *data, size_t size, bool loose)
{
    if (!lvl_hostile_try(lvl_format_find(format), (lvl_bytes){data, size}, false, loose))
        abort();
    return 0;
}

size_t lvl_fuzz_mutate(const lvl_hostile_hook *hook, uint8_t *data, size_t size, size_t max_size,
                       unsigned seed)
{
    lvl_buffer inner = {0}, out = {0};
    size_t len = 0;

    if (seed % 4 && hook->unwrap((lvl_bytes){data, size}, &inner) && inner.len && inner.len <= MAX_INNER &&
        lvl_buffer_reserve(&inner, 256)) {
        size_t room = inner.cap < MAX_INNER ? inner.cap : MAX_INNER;
        inner.len = LLVMFuzzerMutate(inner.data, inner.len, room);
        if (hook->wrap((lvl_bytes){data, size}, (lvl_bytes){inner.data, inner.len}, &out) &&
            out.len <= max_size) {
            memcpy(data, out.data, out.len);
            len = out.len;
        }
    }
    lvl_buffer_free(&inner);
    lvl_buffer_free(&out);
    return len ? len : LLVMFuzzerMutate(data, size, max_size);
}
