/*
 * base/disk.h: converts the fixed part of a record between its bytes on disk (little-endian) and its struct,
 * by the offsets in its table. For records of which a file has few; records that come in thousands are copied
 * as a whole (lvl_table.same_bytes).
 */
#ifndef LVL_BASE_DISK_H
#define LVL_BASE_DISK_H

#include <lvl/record.h>

/* Sets the members whose bytes lie within the `size` bytes at `p`: integers, slots, and records of these. A
 * member of which bytes are missing is not changed. A slot that is longer in memory than on disk is padded
 * with zeros. */
void lvl_disk_load(void *record, const lvl_table *table, const uint8_t *p, size_t size);
/* The reverse, derived members included. Bytes that belong to no field are not changed. */
void lvl_disk_store(const void *record, const lvl_table *table, uint8_t *p, size_t size);

#endif
