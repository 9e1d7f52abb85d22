/*
 * base/disk.h: the fixed part of a record, between its bytes on disk (little-endian) and its struct, by the
 * places that its table gives. For records of which a file has few; a record that comes by the thousand is
 * copied at once (lvl_table.same_bytes).
 */
#ifndef LVL_BASE_DISK_H
#define LVL_BASE_DISK_H

#include <lvl/record.h>

/* Fills the members that have a place within `size` bytes at `p`: integers, slots, and records of these. A
 * place that is cut off leaves its member as it is. A slot longer in memory than on disk is zero-filled. */
void lvl_disk_load(void *record, const lvl_table *table, const uint8_t *p, size_t size);
/* The other way round; derived members too, as they are. Bytes that no field has stay as they are. */
void lvl_disk_store(const void *record, const lvl_table *table, uint8_t *p, size_t size);

#endif
