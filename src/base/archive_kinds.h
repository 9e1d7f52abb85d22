/*
 * base/archive_kinds.h: kinds of archives and compressed files, by their first bytes and their names.
 */
#ifndef LVL_BASE_ARCHIVE_KINDS_H
#define LVL_BASE_ARCHIVE_KINDS_H

#include <lvl/container.h>

#include <lvl/base.h>

/* The obstacle of an encrypted archive or member. */
#define LVL_ARCHIVE_ENCRYPTED "it is encrypted with a password: unpack it with the program that made it"

/* Whether this may be a single compressed file instead of an archive. */
bool lvl_archive_is_filter(lvl_bytes head);

/* "zip", "7z", "rar", "tar", "gzip", "xz", "bzip2", "zstd", "lz4", "lzip", "lzma", "compress", "cab", "iso",
 * "lha", "cpio", "ar", "xar", "wim", "zpaq", "alz", "egg", "lzop", "lrzip", "arj", "ace", "zoo" or "StuffIt":
 * the kind of archive or compressed file by its first bytes, even if this build cannot read it; NULL:
 * unknown. Static storage. */
const char *lvl_archive_kind(lvl_bytes head);
/* Why the members of an undamaged archive cannot be read: of 7z and rar "it is encrypted with a password:
 * ...", or one of several volumes; of all but zips, libarchive is not installed. `bytes`: the whole file.
 * NULL: no such reason. Static storage. */
const char *lvl_archive_obstacle(lvl_bytes bytes);
/* How many names of members that are not ASCII were read as UTF-8, and as code page 437, where the archive
 * does not say which. Of an archive of another program. */
typedef struct lvl_archive_names {
    size_t utf8, cp437;
} lvl_archive_names;
lvl_archive_names lvl_archive_names_of(const lvl_container *archive);
/* Whether the first bytes show an archive of another program, even if a game's archive is appended to it.
 * False for zips (games use them, too), for compressed files, and for kinds with a two-byte signature, which
 * may also begin a palette. */
bool lvl_archive_is_foreign(lvl_bytes head);
/* Whether the name has the ending of such an archive (".zip", ".tar.gz", in any case). */
bool lvl_archive_named(const char *name);

#endif
