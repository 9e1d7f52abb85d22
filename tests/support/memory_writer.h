/*
 * support/memory_writer.h: a writer that keeps in memory what it gets, and may fail.
 */
#ifndef LVL_TEST_MEMORY_WRITER_H
#define LVL_TEST_MEMORY_WRITER_H

#include "base/buffer.h"

typedef struct memory {
    lvl_writer writer; /* {write_memory} */
    lvl_buffer buf;
    size_t most; /* fails beyond; 0: never */
} memory;

static inline lvl_status write_memory(lvl_writer *writer, const void *data, size_t len)
{
    memory *m = (memory *)writer;

    if (m->most && m->buf.len + len > m->most)
        return LVL_ERR_IO;
    lvl_buffer_add(&m->buf, data, len);
    return m->buf.status;
}

#endif
