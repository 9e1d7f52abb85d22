/*
 * container/zip_write.c: writes zip archives of old and new members; see zip.h.
 */
#include "container/zip_parts.h"

#include "base/cursor.h"
#include "base/work.h"
#include "codec/deflate.h"
#include "base/buffer.h"
#include "base/text.h"

#include <string.h>

static void add_u16(lvl_buffer *out, unsigned v)
{
    lvl_buffer_u8(out, (uint8_t)v);
    lvl_buffer_u8(out, (uint8_t)(v >> 8));
}

unsigned lvl_zip_plain_flags(lvl_text name)
{
    bool ascii = true;

    for (size_t i = 0; i < name.len; i++)
        ascii = ascii && (uint8_t)name.ptr[i] < 0x80;
    /* a name keeps its bytes when its member is replaced, and these may be of another code page */
    return ascii || !lvl_utf8_valid(name) ? LVL_ZIP_DESCRIPTOR : LVL_ZIP_DESCRIPTOR | LVL_ZIP_UTF8;
}

void lvl_zip_begin(lvl_zip_writer *writer, const lvl_ctx *ctx, lvl_buffer *out)
{
    memset(writer, 0, sizeof *writer);
    writer->ctx = ctx;
    writer->out = out;
    writer->start = out->len;
}

void lvl_zip_put_raw(lvl_zip_writer *writer, lvl_bytes bytes)
{
    lvl_buffer_add(writer->out, bytes.ptr, bytes.len);
}

/* The offset of the next member; sets the status if it does not fit 32 bits. */
static uint32_t bytes_written(lvl_zip_writer *writer)
{
    const size_t at = writer->out->len - writer->start;

    if (at >= UINT32_MAX && writer->status == LVL_OK)
        /* zip64 is not written, since none of these games reads it */
        writer->status = lvl_refuse_fixed(writer->ctx, "bytes of a zip archive", UINT32_MAX, at);
    return (uint32_t)at;
}

static void put_entry(lvl_zip_writer *writer, lvl_text name, unsigned flags, unsigned method, uint32_t crc,
                      uint32_t packed, uint32_t size, uint32_t at)
{
    lvl_buffer *d = &writer->directory;

    lvl_buffer_add(d, "PK\1\2", 4);
    add_u16(d, 20);
    add_u16(d, 20);
    add_u16(d, flags);
    add_u16(d, method);
    lvl_buffer_u32le(d, 0); /* no time */
    lvl_buffer_u32le(d, crc);
    lvl_buffer_u32le(d, packed);
    lvl_buffer_u32le(d, size);
    add_u16(d, (unsigned)name.len);
    lvl_buffer_fill(d, 0, 12); /* no extra field, no comment, first disk, no attributes */
    lvl_buffer_u32le(d, at);
    lvl_buffer_add(d, name.ptr, name.len);
}

void lvl_zip_put_member(lvl_zip_writer *writer, const lvl_zip_member *m)
{
    const uint32_t at = bytes_written(writer);
    const size_t entry_at = writer->directory.len;

    if (!(m->faults & LVL_ZIP_NO_LOCAL)) {
        lvl_buffer_add(writer->out, m->local.ptr, m->local.len);
        lvl_buffer_add(writer->out, m->packed.ptr, m->packed.len);
        lvl_buffer_add(writer->out, m->after.ptr, m->after.len);
    }
    if (m->central.len >= LVL_ZIP_CENTRAL_SIZE) {
        lvl_buffer_add(&writer->directory, m->central.ptr, m->central.len);
        if (writer->directory.status == LVL_OK && !(m->faults & LVL_ZIP_NO_LOCAL))
            lvl_store_u32le(writer->directory.data + entry_at + 42, at);
    } else {
        const unsigned flags = m->local.len >= LVL_ZIP_LOCAL_SIZE ? lvl_load_u16le(m->local.ptr + 6)
                                                                  : lvl_zip_plain_flags(m->name);
        put_entry(writer, m->name, flags, m->method, m->crc, (uint32_t)m->packed.len, (uint32_t)m->size, at);
    }
    writer->count++;
}

void lvl_zip_put_parts(lvl_zip_writer *writer, lvl_text name, lvl_bytes packed, uint32_t crc, uint64_t size,
                       lvl_bytes local, lvl_bytes after, lvl_bytes central)
{
    lvl_buffer *out = writer->out;
    const uint32_t at = bytes_written(writer);
    const unsigned flags = lvl_zip_plain_flags(name);
    const size_t entry_at = writer->directory.len;

    if (name.len > UINT16_MAX || packed.len >= UINT32_MAX || size >= UINT32_MAX) {
        if (writer->status == LVL_OK)
            writer->status =
                name.len > UINT16_MAX
                    ? lvl_refuse_fixed(writer->ctx, "bytes of a name in a zip archive", UINT16_MAX, name.len)
                    : lvl_refuse_fixed(writer->ctx, "bytes of a member of a zip archive", UINT32_MAX - 1,
                                       size > packed.len ? size : packed.len);
        return;
    }
    if (local.len) {
        lvl_buffer_add(out, local.ptr, local.len);
    } else {
        lvl_buffer_add(out, "PK\3\4", 4);
        add_u16(out, 20);
        add_u16(out, flags);
        add_u16(out, 8);
        lvl_buffer_fill(out, 0, 16); /* no time; checksum and sizes follow the data */
        add_u16(out, (unsigned)name.len);
        add_u16(out, 0);
        lvl_buffer_add(out, name.ptr, name.len);
    }
    lvl_buffer_add(out, packed.ptr, packed.len);
    if (after.len) {
        lvl_buffer_add(out, after.ptr, after.len);
    } else if (!local.len || (lvl_load_u16le(local.ptr + 6) & LVL_ZIP_DESCRIPTOR)) {
        lvl_buffer_add(out, "PK\7\10", 4);
        lvl_buffer_u32le(out, crc);
        lvl_buffer_u32le(out, (uint32_t)packed.len);
        lvl_buffer_u32le(out, (uint32_t)size);
    }
    if (central.len >= LVL_ZIP_CENTRAL_SIZE) {
        lvl_buffer_add(&writer->directory, central.ptr, central.len);
        if (writer->directory.status == LVL_OK) {
            uint8_t *entry = writer->directory.data + entry_at;
            lvl_store_u32le(entry + 42, at);
            if (lvl_load_u32le(entry + 20) !=
                UINT32_MAX) /* a wrong size would hide data; zip64 keeps it elsewhere */
                lvl_store_u32le(entry + 20, (uint32_t)packed.len);
        }
    } else {
        put_entry(writer, name, flags, 8, crc, (uint32_t)packed.len, (uint32_t)size, at);
    }
    writer->count++;
}

void lvl_zip_put_new(lvl_zip_writer *writer, lvl_text name, lvl_bytes content)
{
    const lvl_bytes none = {NULL, 0};
    lvl_buffer packed = {0};
    const lvl_status status = lvl_deflate(LVL_WRAP_RAW, content, &packed);

    if (status == LVL_OK)
        lvl_zip_put_parts(writer, name, (lvl_bytes){packed.data, packed.len}, lvl_crc32(content), content.len,
                          none, none, none);
    else if (writer->status == LVL_OK)
        writer->status = status;
    lvl_buffer_free(&packed);
}

static void put_end(lvl_zip_writer *writer, uint32_t at, const lvl_zip *zip)
{
    lvl_buffer *out = writer->out;
    const lvl_bytes old = zip ? zip->end : (lvl_bytes){NULL, 0};
    const size_t size = out->len - writer->start - at;

    lvl_buffer_add(out, "PK\5\6", 4);
    lvl_buffer_u32le(out, 0); /* one disk */
    add_u16(out, writer->count);
    add_u16(out, writer->count);
    lvl_buffer_u32le(out, (uint32_t)size);
    lvl_buffer_u32le(out, at);
    if (old.len >= 22 && !memcmp(old.ptr, "PK\5\6", 4)) /* the comment and its length */
        lvl_buffer_add(out, old.ptr + 20, old.len - 20);
    else
        add_u16(out, 0);
    if (zip)
        lvl_buffer_add(out, zip->after.ptr, zip->after.len);
}

lvl_status lvl_zip_end(lvl_zip_writer *writer, const lvl_zip *zip)
{
    lvl_status status = writer->status;

    if (status == LVL_OK && writer->count > UINT16_MAX)
        status = lvl_refuse_fixed(writer->ctx, "members of a zip archive", UINT16_MAX, writer->count);
    if (status == LVL_OK)
        status = writer->directory.status;
    if (status == LVL_OK && writer->out->status == LVL_OK) {
        if (zip)
            lvl_buffer_add(writer->out, zip->gap.ptr, zip->gap.len);
        const uint32_t at = bytes_written(writer);
        lvl_buffer_add(writer->out, writer->directory.data, writer->directory.len);
        put_end(writer, at, zip);
        status = writer->status; /* bytes_written may have set the status */
    }
    lvl_buffer_free(&writer->directory);
    return status == LVL_OK ? writer->out->status : status;
}
