/*
 * container/zip.h: zip archives, byte for byte: what each member is and where its bytes are, and writing an
 * archive of members that were left alone and members that are new. Families keep their drawings and packs in
 * zips; how they name members is theirs to know.
 *
 * A member is local header, data, perhaps a data descriptor; the directory at the end lists them again.
 * Members are listed here in the order of their bytes in the file. "Plain" headers are those that Go's
 * archive/zip writes, which made all known files: deflated, sizes behind the data (flag bit 3), no times, no
 * extra fields. What is plain needs no keeping.
 */
#ifndef LVL_CONTAINER_ZIP_H
#define LVL_CONTAINER_ZIP_H

#include "base/arena.h"

#include <lvl/doc.h>

enum {                        /* lvl_zip_member.faults */
       LVL_ZIP_NO_ENTRY = 1,  /* the directory doesn't list it: found by its local header */
       LVL_ZIP_NO_LOCAL = 2,  /* the directory lists it, but no local header is there: no data */
       LVL_ZIP_DIFFERS = 4,   /* directory and local header disagree about name, method, size or checksum */
       LVL_ZIP_CUT = 8,       /* the file ends inside its data */
       LVL_ZIP_OVERLAPS = 16, /* its bytes are another member's, too */
       LVL_ZIP_DOUBLE = 32,   /* another member before it has the same name */
       LVL_ZIP_SHARED = 128,  /* so many members share bytes that unpacking them all would take more than the
                                 file's length allows: this one isn't */
       LVL_ZIP_UNKNOWN = 64   /* encrypted, or packed by a method other than 0 and 8 */
};

typedef struct lvl_zip_member {
    lvl_text name;
    uint16_t method;                               /* 0 stored, 8 deflated */
    uint32_t crc;                                  /* as declared */
    uint64_t size;                                 /* inflated, as declared */
    uint64_t at;                                   /* offset of its first byte (local header) in the file */
    lvl_bytes before;                              /* bytes in front of it that belong to nothing */
    lvl_bytes local;                               /* local header with name and extra field */
    lvl_bytes packed;                              /* its data */
    lvl_bytes behind;                              /* data descriptor, or empty */
    lvl_bytes central;                             /* its entry in the directory; empty if none */
    uint32_t listed;                               /* place of that entry in the directory */
    bool plain_local, plain_behind, plain_central; /* as Go would write them */
    unsigned faults;                               /* LVL_ZIP_… */
} lvl_zip_member;

typedef struct lvl_zip {
    lvl_zip_member *members; /* by offset */
    uint32_t count;
    uint32_t ended; /* members that the end record counts; not set if salvaged */
    bool salvaged;  /* there was no usable directory: members were found by their headers */
    bool in_order;  /* the directory lists the members in this order */
    lvl_bytes gap;  /* bytes between the last member and the directory that belong to nothing */
    uint64_t directory_at;
    lvl_bytes directory; /* all entries; empty if salvaged */
    lvl_bytes end;       /* end record with the comment, and zip64's if there is one */
    bool plain_end;      /* one disk, counts and offsets right, nothing of zip64; perhaps a comment */
    lvl_bytes after;     /* bytes behind the end record */
} lvl_zip;

/* Whether the bytes could be a zip: a local header at the start. */
bool lvl_zip_probe(lvl_bytes head);
/* Whether an end record stands at its end, with a directory in front of that: a zip whose beginning is
 * damaged, or that something stands in front of. */
bool lvl_zip_ends(lvl_bytes in);
/* Whether a member's local header stands anywhere in it. */
bool lvl_zip_holds(lvl_bytes in);
/* Reads the directory, or looks for members by their headers where there is none; takes no member's bytes
 * apart except to find the end of one whose size is not stated. Views point into `in`. LVL_ERR_FORMAT: no
 * member at all; LVL_ERR_LIMIT: more than limits.items; LVL_ERR_MEMORY. */
lvl_status lvl_zip_read(lvl_arena *arena, const lvl_ctx *ctx, lvl_bytes in, lvl_zip *out);
/* The member of that name, the last one if there are several (as archive readers do); NULL: none. Folds no
 * case. */
const lvl_zip_member *lvl_zip_find(const lvl_zip *zip, lvl_text name);
/* A member's content: a view of stored data, else inflated into `storage` (cleared first, freed by the
 * caller). *sound (may be NULL) is false where the stream or checksum is broken, and then what could be had
 * is there. LVL_ERR_LIMIT beyond limits.memory_bytes or inflate_ratio; LVL_ERR_UNSUPPORTED for unknown
 * methods. */
lvl_status lvl_zip_inflate(const lvl_ctx *ctx, const lvl_zip_member *member, lvl_buffer *storage,
                           lvl_bytes *content, bool *sound);

/* Its first bytes, at most `size`; less than that where it is shorter or broken. Answers how many; *status is
 * set to LVL_ERR_MEMORY if that was short. */
size_t lvl_zip_head(const lvl_ctx *ctx, const lvl_zip_member *member, uint8_t *out, size_t size,
                    lvl_status *status);

/* ---- writing ----------------------------------------------------------------------------------------- */

typedef struct lvl_zip_writer {
    const lvl_ctx *ctx;
    lvl_buffer *out;
    lvl_buffer directory; /* entries so far */
    size_t start;         /* of the archive in out */
    uint32_t count;
    lvl_status status; /* sticky */
} lvl_zip_writer;

/* The flags that Go gives a member of that name. */
unsigned lvl_zip_plain_flags(lvl_text name);
/* Begins an archive at the end of `out`. lvl_zip_end must be called in any case. */
void lvl_zip_begin(lvl_zip_writer *writer, const lvl_ctx *ctx, lvl_buffer *out);
/* Bytes between members that belong to nothing. */
void lvl_zip_put_raw(lvl_zip_writer *writer, lvl_bytes bytes);
/* A member as it was: its bytes are copied, its entry gets its new offset. An entry that it lacks is made
 * from its local header and descriptor. */
void lvl_zip_put_member(lvl_zip_writer *writer, const lvl_zip_member *member);
/* A new member with plain headers, deflated. */
void lvl_zip_put_new(lvl_zip_writer *writer, lvl_text name, lvl_bytes content);
/* A member of deflated or stored bytes (`packed`) with this checksum and inflated size; local header, what
 * follows the data, and the entry as given, or plain ones where empty. */
void lvl_zip_put_parts(lvl_zip_writer *writer, lvl_text name, lvl_bytes packed, uint32_t crc, uint64_t size,
                       lvl_bytes local, lvl_bytes behind, lvl_bytes central);
/* Writes directory and end record. `zip` (may be NULL): the archive that this comes from, whose gap, comment,
 * and bytes behind are taken over. */
lvl_status lvl_zip_end(lvl_zip_writer *writer, const lvl_zip *zip);

#endif
