/*
 * container/zip.h: zip archives, byte for byte: where the bytes of each member are, and writing an archive of
 * unchanged and new members. Families use zips for drawings and packs and give names of members a meaning.
 *
 * A member is a local header, data, and perhaps a data descriptor; the directory at the end lists the
 * members. The list here is in file order. "Plain" headers are like those of Go's archive/zip, which wrote
 * all known files: deflated, sizes after the data (flag bit 3), no times, no extra fields. Plain headers are
 * not kept, since they can be regenerated.
 */
#ifndef LVL_CONTAINER_ZIP_H
#define LVL_CONTAINER_ZIP_H

#include "base/arena.h"

#include <lvl/doc.h>

enum { /* lvl_zip_member.faults */
       LVL_ZIP_NO_ENTRY = 1, /* the directory does not list it: found by its local header */
       LVL_ZIP_NO_LOCAL = 2, /* the directory lists it, but it has no local header: no data */
       LVL_ZIP_DIFFERS = 4, /* directory and local header disagree about name, method, size or checksum */
       LVL_ZIP_CUT = 8, /* the file ends inside its data */
       LVL_ZIP_OVERLAPS = 16, /* shares bytes with another member */
       LVL_ZIP_DOUBLE = 32, /* another member before it has the same name */
       LVL_ZIP_SHARED = 128, /* members share so many bytes that inflating all would take too long for the
                                size of the file: this one is not inflated */
       LVL_ZIP_UNKNOWN = 64 /* encrypted, or compressed by a method other than 0 and 8 */
};

typedef struct lvl_zip_member {
    lvl_text name;
    uint16_t method; /* 0 stored, 8 deflated */
    uint32_t crc; /* as declared */
    uint64_t size; /* inflated, as declared */
    uint64_t at; /* offset of its first byte (local header) in the file */
    lvl_bytes before; /* bytes before it that belong to nothing */
    lvl_bytes local; /* local header with name and extra field */
    lvl_bytes packed; /* its data */
    lvl_bytes after; /* data descriptor, or empty */
    lvl_bytes central; /* its entry in the directory; empty if none */
    uint32_t listed; /* index of that entry in the directory */
    bool plain_local, plain_after, plain_central; /* as Go would write them */
    unsigned faults; /* LVL_ZIP_… */
} lvl_zip_member;

typedef struct lvl_zip {
    lvl_zip_member *members; /* by offset */
    uint32_t count;
    uint32_t ended; /* number of members according to the end record; not set if salvaged */
    bool salvaged; /* no usable directory: members were found by their headers */
    bool in_order; /* the directory lists the members in this order */
    lvl_bytes gap; /* bytes between the last member and the directory that belong to nothing */
    uint64_t directory_at;
    lvl_bytes directory; /* all entries; empty if salvaged */
    lvl_bytes end; /* end record with the comment, and zip64's if there is one */
    bool plain_end; /* one disk, counts and offsets right, nothing of zip64; perhaps a comment */
    lvl_bytes after; /* bytes after the end record */
} lvl_zip;

/* Whether the bytes begin with a local header. */
bool lvl_zip_probe(lvl_bytes head);
/* Whether the bytes end with a directory and an end record. True even if the beginning is damaged, or other
 * bytes precede the zip. */
bool lvl_zip_ends(lvl_bytes in);
/* Whether the bytes contain the local header of a member. */
bool lvl_zip_holds(lvl_bytes in);
/* Reads the directory or, if there is none, searches for members by their headers. Inflates a member only if
 * its size is unknown, to find its end. Views point into `in`. LVL_ERR_FORMAT: no members; LVL_ERR_LIMIT:
 * more than limits.items; LVL_ERR_MEMORY. */
lvl_status lvl_zip_read(lvl_arena *arena, const lvl_ctx *ctx, lvl_bytes in, lvl_zip *out);
/* The member of that name, the last one if there are several (as in archive readers); NULL: none.
 * Case-sensitive. */
const lvl_zip_member *lvl_zip_find(const lvl_zip *zip, lvl_text name);
/* A member's content: a view of stored data, otherwise inflated into `storage` (cleared first, freed by the
 * caller). *sound (may be NULL) is false if the stream or checksum is broken; the content then is what could
 * be decoded. LVL_ERR_LIMIT beyond limits.memory_bytes or inflate_ratio; LVL_ERR_UNSUPPORTED for unknown
 * methods. */
lvl_status lvl_zip_inflate(const lvl_ctx *ctx, const lvl_zip_member *member, lvl_buffer *storage,
                           lvl_bytes *content, bool *sound);

/* Decodes the first `size` bytes, fewer if the member is shorter or broken. Returns their number; sets
 * *status to LVL_ERR_MEMORY if out of memory. */
size_t lvl_zip_head(const lvl_ctx *ctx, const lvl_zip_member *member, uint8_t *out, size_t size,
                    lvl_status *status);

/* ---- writing ----------------------------------------------------------------------------------------- */

typedef struct lvl_zip_writer {
    const lvl_ctx *ctx;
    lvl_buffer *out;
    lvl_buffer directory; /* entries so far */
    size_t start; /* offset of the archive in `out` */
    uint32_t count;
    lvl_status status; /* sticky */
} lvl_zip_writer;

/* The flags that Go writes for a member with that name. */
unsigned lvl_zip_plain_flags(lvl_text name);
/* Begins an archive at the end of `out`. lvl_zip_end must always be called. */
void lvl_zip_begin(lvl_zip_writer *writer, const lvl_ctx *ctx, lvl_buffer *out);
/* Writes bytes between members that belong to nothing. */
void lvl_zip_put_raw(lvl_zip_writer *writer, lvl_bytes bytes);
/* Copies an unchanged member; its entry gets the new offset. If it has no entry, one is made from its local
 * header and descriptor. */
void lvl_zip_put_member(lvl_zip_writer *writer, const lvl_zip_member *member);
/* Writes a new member with plain headers, deflated. */
void lvl_zip_put_new(lvl_zip_writer *writer, lvl_text name, lvl_bytes content);
/* Writes a member of deflated or stored bytes (`packed`) with this checksum and inflated size; local header,
 * data descriptor and entry as given, or plain if empty. */
void lvl_zip_put_parts(lvl_zip_writer *writer, lvl_text name, lvl_bytes packed, uint32_t crc, uint64_t size,
                       lvl_bytes local, lvl_bytes after, lvl_bytes central);
/* Writes directory and end record. `zip` (may be NULL): the original archive, whose gap, comment, and bytes
 * after the end record are copied. */
lvl_status lvl_zip_end(lvl_zip_writer *writer, const lvl_zip *zip);

#endif
