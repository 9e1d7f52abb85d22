/*
 * base/disk.h: copies the fixed part of a record between its bytes on disk (little-endian) and its struct, by
 * the offsets in its table. Bytes that are the same in both (lvl_table.same_bytes) are copied at once, so
 * that files with thousands of records load fast.
 */
#ifndef LVL_BASE_DISK_H
#define LVL_BASE_DISK_H

#include <lvl/record.h>

/* Sets the members whose bytes lie within the `size` bytes at `p`: integers, slots, and records of these.
 * Other members, and members absent by their tag (lvl_field.when), are not changed; the tag comes before them
 * in the table. A slot that is longer in memory than on disk is filled with zeros. */
void lvl_disk_load(void *record, const lvl_table *table, const uint8_t *p, size_t size);
/* Stores the same members, derived ones with the value in the struct. Other bytes are not changed. */
void lvl_disk_store(const void *record, const lvl_table *table, uint8_t *p, size_t size);

#endif
