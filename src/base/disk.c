/*
 * base/disk.c: loads and stores the fixed part of a record by its table.
 */
#include "base/disk.h"

#include "base/cursor.h"

#include <string.h>

/* The number of leading bytes that are the same in struct and file on this machine. */
static size_t same_bytes(const lvl_table *table, size_t size)
{
    const size_t same = lvl_little_endian() ? table->same_bytes : 0;

    return same < size ? same : size;
}

/* The size of the field in the file if it lies completely within `size` bytes, else 0. */
static uint32_t disk_size(const lvl_field *f, size_t size)
{
    if (f->disk == LVL_NO_PLACE)
        return 0;
    uint32_t n = f->disk_size ? f->disk_size : f->size;
    return f->disk <= size && n <= size - f->disk ? n : 0;
}

void lvl_disk_load(void *record, const lvl_table *table, const uint8_t *p, size_t size)
{
    const size_t same = same_bytes(table, size);

    if (same)
        memcpy(record, p, same);
    for (uint32_t i = 0; same < size && i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        uint8_t *member = (uint8_t *)record + f->offset;
        uint32_t n = disk_size(f, size);

        if (f->disk < same || !lvl_field_present(record, f))
            continue;
        if (f->kind == LVL_RECORD && f->disk < size) {
            lvl_disk_load(member, f->table, p + f->disk, size - f->disk);
        } else if (n && f->kind == LVL_INT) {
            uint64_t v = 0;
            for (uint32_t k = n; k-- > 0;)
                v = v << 8 | p[f->disk + k];
            if ((f->flags & LVL_F_SIGNED) && n < 8 && (v >> (n * 8 - 1) & 1))
                v |= UINT64_MAX << n * 8;
            lvl_put_int(record, f, (int64_t)v);
        } else if (n && (f->flags & LVL_F_SLOT)) {
            uint32_t have = n < f->size ? n : f->size;
            memset(member, 0, f->size);
            memcpy(member, p + f->disk, have);
        }
    }
}

void lvl_disk_store(const void *record, const lvl_table *table, uint8_t *p, size_t size)
{
    const size_t same = same_bytes(table, size);

    if (same)
        memcpy(p, record, same);
    for (uint32_t i = 0; same < size && i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        const uint8_t *member = (const uint8_t *)record + f->offset;
        uint32_t n = disk_size(f, size);

        if (f->disk < same || !lvl_field_present(record, f))
            continue;
        if (f->kind == LVL_RECORD && f->disk < size) {
            lvl_disk_store(member, f->table, p + f->disk, size - f->disk);
        } else if (n && f->kind == LVL_INT) {
            uint64_t v = (uint64_t)lvl_get_int(record, f);
            for (uint32_t k = 0; k < n; k++)
                p[f->disk + k] = (uint8_t)(v >> 8 * k);
        } else if (n && (f->flags & LVL_F_SLOT)) {
            uint32_t have = n < f->size ? n : f->size;
            memset(p + f->disk, 0, n);
            memcpy(p + f->disk, member, have);
        }
    }
}
