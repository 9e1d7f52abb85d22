/*
 * base/buffer.h: growable output for encoders, beyond lvl/doc.h.
 */
#ifndef LVL_BASE_BUFFER_H
#define LVL_BASE_BUFFER_H

#include "os/memory.h"

#include <lvl/doc.h>
#include <lvl/image.h>

/* Gives back what is reserved beyond len. */
void lvl_buffer_fit(lvl_buffer *buf);
/* Appends `len` bytes, all `value`. */
void lvl_buffer_fill(lvl_buffer *buf, uint8_t value, size_t len);
void lvl_buffer_u32le(lvl_buffer *buf, uint32_t value);
void lvl_buffer_u32be(lvl_buffer *buf, uint32_t value);
/* Views of the content. */
static inline lvl_text lvl_buffer_text(const lvl_buffer *buf)
{
    return (lvl_text){(const char *)buf->data, buf->len};
}
static inline lvl_bytes lvl_buffer_bytes(const lvl_buffer *buf)
{
    return (lvl_bytes){buf->data, buf->len};
}

/* A writer that appends to a buffer, which must outlive it. */
typedef struct lvl_buffer_writer {
    lvl_writer writer; /* first */
    lvl_buffer *out;
} lvl_buffer_writer;

lvl_buffer_writer lvl_buffer_writer_to(lvl_buffer *out);

#endif
