/*
 * base/buffer.c: growable output with a sticky status.
 */
#include "base/cursor.h"
#include "base/buffer.h"

#include <lvl/doc.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void lvl_buffer_fit(lvl_buffer *buf)
{
    /* cut in place, the memory after it would be too small for the next buffer that grows */
    uint8_t *data = buf->len && buf->len < buf->cap ? malloc(buf->len) : NULL;

    if (data) {
        memcpy(data, buf->data, buf->len);
        free(buf->data);
        buf->data = data;
        buf->cap = buf->len;
    }
}

void lvl_buffer_add(lvl_buffer *buf, const void *data, size_t len)
{
    if (len && lvl_buffer_reserve(buf, len)) {
        memcpy(buf->data + buf->len, data, len);
        buf->len += len;
    }
}

void lvl_buffer_str(lvl_buffer *buf, const char *str)
{
    lvl_buffer_add(buf, str, strlen(str));
}

void lvl_buffer_fill(lvl_buffer *buf, uint8_t value, size_t len)
{
    if (len && lvl_buffer_reserve(buf, len)) {
        memset(buf->data + buf->len, value, len);
        buf->len += len;
    }
}

void lvl_buffer_u8(lvl_buffer *buf, uint8_t value)
{
    if (lvl_buffer_reserve(buf, 1))
        buf->data[buf->len++] = value;
}

void lvl_buffer_u32le(lvl_buffer *buf, uint32_t value)
{
    uint8_t b[4];

    lvl_store_u32le(b, value);
    lvl_buffer_add(buf, b, 4);
}

void lvl_buffer_u32be(lvl_buffer *buf, uint32_t value)
{
    uint8_t b[4];

    lvl_store_u32be(b, value);
    lvl_buffer_add(buf, b, 4);
}

void lvl_buffer_printf(lvl_buffer *buf, const char *fmt, ...)
{
    va_list args;

    if (!lvl_buffer_reserve(buf, 1))
        return;
    const size_t space = buf->cap - buf->len;
    va_start(args, fmt);
    const int want = vsnprintf((char *)buf->data + buf->len, space, fmt, args);
    va_end(args);
    if (want < 0) {
        buf->status = LVL_ERR_ARG;
        return;
    }
    if (!lvl_buffer_reserve(buf, (size_t)want + 1))
        return;
    if ((size_t)want >= space) {
        va_start(args, fmt);
        vsnprintf((char *)buf->data + buf->len, (size_t)want + 1, fmt, args);
        va_end(args);
    }
    buf->len += (size_t)want;
}

static lvl_status write_to_buffer(lvl_writer *writer, const void *data, size_t len)
{
    lvl_buffer *out = ((lvl_buffer_writer *)(void *)writer)->out;

    lvl_buffer_add(out, data, len);
    return out->status;
}

lvl_buffer_writer lvl_buffer_writer_to(lvl_buffer *out)
{
    return (lvl_buffer_writer){{write_to_buffer}, out};
}
