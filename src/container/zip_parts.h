/*
 * container/zip_parts.h: the parts of a zip member and where they end; for zip_directory.c, zip_salvage.c and
 * zip_write.c.
 */
#ifndef LVL_CONTAINER_ZIP_PARTS_H
#define LVL_CONTAINER_ZIP_PARTS_H

#include "base/work.h"
#include "container/zip.h"

enum {
    LVL_ZIP_LOCAL_SIZE = 30,
    LVL_ZIP_CENTRAL_SIZE = 46,
    LVL_ZIP_LOCAL_MAGIC = 0x04034B50,
    LVL_ZIP_DESCRIPTOR_MAGIC = 0x08074B50,
    /* bits of the flags in a header */
    LVL_ZIP_ENCRYPTED = 1,
    LVL_ZIP_DESCRIPTOR = 8,
    LVL_ZIP_UTF8 = 0x800
};

/* The state of the search for the real positions and ends of all members of an archive. */
typedef struct lvl_zip_search {
    lvl_work work;
    uint64_t left; /* packed bytes that may still be examined to correct the directory */
} lvl_zip_search;

/* A part of the bytes, cut at their end. */
lvl_bytes lvl_zip_cut(lvl_bytes in, uint64_t at, uint64_t len);
/* The declared length of a local header. */
uint64_t lvl_zip_header_size(const uint8_t *header);
/* The data descriptor after the data, if any: with its signature, or without if it matches; with 8-byte
 * sizes, as in zip64, or 4-byte sizes. */
lvl_bytes lvl_zip_find_descriptor(lvl_bytes in, uint64_t at, uint32_t crc, uint64_t packed);
/* Fills in the bytes of a member whose header and sizes are known; `limit` is where they must end. */
void lvl_zip_cut_member(lvl_bytes in, uint64_t limit, uint64_t header, uint64_t packed, lvl_zip_member *m);
/* The next position of the magic number; NULL: none, or work->status. Charges the bytes searched. */
const uint8_t *lvl_zip_find_magic(lvl_work *work, lvl_bytes in, uint64_t from, uint32_t magic);
lvl_zip_search lvl_zip_search_begin(const lvl_ctx *ctx, lvl_bytes in);
/* Finds the size of a member's data if its header does not have it, by the end of the stream. Stored data has
 * no end marker, so it extends to the next member or to `limit`. */
lvl_status lvl_zip_measure(lvl_zip_search *s, lvl_bytes in, uint64_t limit, uint64_t at, uint16_t method,
                           uint64_t *packed, bool *cut);

#endif
