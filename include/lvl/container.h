/*
 * lvl/container.h: one interface to everything that holds files: archives and packs (documents whose format
 * opens as a container), and folders on disk. List, find, read, replace, pack.
 *
 * Paths are UTF-8 with '/' between the parts, no '/' at the start or end. They are looked up without regard
 * to ASCII case, and '\' counts as '/'; an exact match is preferred to one that differs in case. Threads:
 * several may list and read a container over a document at once, but not the first time after a put or
 * remove, when the list is rebuilt. A folder is listed on demand, so it belongs to one thread.
 */
#ifndef LVL_CONTAINER_H
#define LVL_CONTAINER_H

#include <lvl/doc.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lvl_container lvl_container;

/* One file or folder inside. Owned by the container; valid until it is closed or changed. */
typedef struct lvl_entry {
    const char *path; /* NUL-ended UTF-8; controls, and '/' or '\' inside one name, are shown as '_' */
    uint64_t size; /* bytes of a file, as the container declares them; 0: a folder, or not known */
    int64_t time; /* of the last change, seconds since 1970 UTC; 0: unknown */
    bool is_dir;
    /* the path can be created below a folder safely: relative, no "..", no drive, device or stream name, no
     * empty part */
    bool safe;
    /* no other entry has the same path, ignoring case: extracting both would lose one */
    bool unique;
} lvl_entry;

/* The container over a document, which must outlive it and must only be edited through the container
 * meanwhile. LVL_ERR_UNSUPPORTED: the format is no container. */
LVL_API lvl_status lvl_container_open(lvl_doc *doc, lvl_container **out);
/* The folder at that path of the file system. Its folders are listed on demand: opening is cheap, and finding
 * a path lists only the folders on it; count, at, and a deep list walk everything. Names that start with a
 * dot are left out; a link to a folder that contains it is not followed. Nothing beyond limits.items or
 * limits.depth is listed. LVL_ERR_MISSING: there is no such folder. */
LVL_API lvl_status lvl_container_folder(const lvl_ctx *ctx, const char *path, lvl_container **out);
/* An archive that is no format of a game: a zip, or, where lvl was built with libarchive, a 7z, rar, tar with
 * or without compression, cab, iso, lha and others. It is read only. A zip's members are read when they are
 * asked for; another archive is read at once, in the order of its bytes, and its content counts as memory.
 * `bytes` are borrowed until it is closed. LVL_ERR_UNSUPPORTED: no such archive; LVL_ERR_FORMAT: nothing of
 * it can be read; LVL_ERR_LIMIT. lvl_container_status is LVL_ERR_LOSS if the archive is damaged, so that
 * members may be missing. Threads: as a container over a document. */
LVL_API lvl_status lvl_container_archive(const lvl_ctx *ctx, lvl_bytes bytes, lvl_container **out);
/* "zip", "7z", "rar", "tar", "gzip", "xz", "bzip2", "zstd", "lz4", "lzip", "lzma", "compress", "cab", "iso",
 * "lha", "cpio", "ar", "xar", "wim", "zpaq", "alz", "egg", "lzop", "lrzip", "arj", "ace", "zoo" or "StuffIt":
 * the kind of archive or compressed file by the first bytes, also where this lvl cannot read it; NULL: none
 * of these. Static storage. */
LVL_API const char *lvl_archive_kind(lvl_bytes head);
/* Why members of an archive that is not damaged cannot be read: "it is encrypted with a password: ...", or it
 * is one of several volumes; of 7z and rar. `bytes`: the whole file. NULL: no such reason. Static storage. */
LVL_API const char *lvl_archive_obstacle(lvl_bytes bytes);
/* Whether it is one by its first bytes, whatever a game's archive that was stored at its end looks like: not
 * so for zips, which games have, too, compressed files, and what only two bytes show, as palettes have. */
LVL_API bool lvl_archive_is_foreign(lvl_bytes head);
/* Whether the name ends as such archives do (".zip", ".tar.gz", in any case). */
LVL_API bool lvl_archive_named(const char *name);
/* The archive that `bytes` are, of a game (lvl_container_open; *doc is its document) or of another program
 * (lvl_container_archive; *doc is NULL). `name` is its file name, for probing. `bytes` are borrowed until
 * both are freed, the container first. *foreign: the bytes are of no format of a game; also set after an
 * error. LVL_ERR_UNSUPPORTED: no archive. */
LVL_API lvl_status lvl_archive_open(const lvl_ctx *ctx, lvl_bytes bytes, const char *name, lvl_doc **doc,
                                    lvl_container **out, bool *foreign);
/* Accepts NULL. */
LVL_API void lvl_container_close(lvl_container *container);

/* Whether what was listed so far is complete. LVL_ERR_MEMORY: memory ran out while a folder was listed.
 * LVL_ERR_LIMIT: there is more than the limits allow. LVL_ERR_LOSS: a damaged archive. LVL_ERR_IO: the system
 * did not list a folder (lvl_container_unlisted). Else LVL_OK. */
LVL_API lvl_status lvl_container_status(const lvl_container *container);
/* The path of the first folder that could not be listed, or of the first entry that could not be looked at,
 * for example for lack of permission; "" is the root. NULL: there is none so far. Valid until the container
 * is closed. */
LVL_API const char *lvl_container_unlisted(const lvl_container *container);

/* Entries in the container's own order (an archive's directory order, folders before what they hold; a
 * folder: by name). */
LVL_API size_t lvl_container_count(const lvl_container *container);
/* NULL past the end. */
LVL_API const lvl_entry *lvl_container_at(const lvl_container *container, size_t index);
/* NULL if there is none. */
LVL_API const lvl_entry *lvl_container_find(const lvl_container *container, const char *path);
/* Called for an entry, which is valid until the container is closed; false stops the visit. */
typedef bool (*lvl_entry_fn)(void *user, const lvl_entry *entry);
/* Visits the entries of the folder `dir` ("" for the top), sorted by path without regard to case; `deep`:
 * those of all folders below it, too. Stops when `visit` returns false. */
LVL_API void lvl_container_list(const lvl_container *container, const char *dir, bool deep,
                                lvl_entry_fn visit, void *user);

/* ---- paths of members -------------------------------------------------------------------------------- */

/* "ARCHIVE//MEMBER", where MEMBER may be "INNER//MEMBER" again. */

/* Length of the shortest part of a path before a "//" that is a file on disk; 0: the path names no member. */
LVL_API lvl_status lvl_archive_part(const char *path, size_t *len);
/* Opens one archive of a path: `name` is the path up to it, `entry` its entry in the archive that was opened
 * before, or NULL: the file on disk called `name`. The container stays open until the walk has ended and its
 * result was used. */
typedef lvl_status (*lvl_archive_open_fn)(void *user, const char *name, const lvl_entry *entry,
                                          const lvl_container **out);
/* Where a path leads. */
typedef struct lvl_archive_place {
    const lvl_container *box; /* the last archive that was opened */
    size_t len; /* of the part of the path that names the archive: `box`, or the one that did not open */
    const lvl_entry *entry; /* the file or folder in `box`; NULL: the folder `rest` */
    const char *rest; /* the path in `box`, a part of the path; "": all of it */
} lvl_archive_place;
/* Opens the archives of a path from the outermost on. `len`: what lvl_archive_part gave. LVL_ERR_MISSING with
 * `missing`: the last archive has no member `rest`. Other statuses are those of `open`. */
LVL_API lvl_status lvl_archive_walk(const char *path, size_t len, lvl_archive_open_fn open, void *user,
                                    lvl_archive_place *out, bool *missing);

/* The bytes of a file. `*view` borrows from the container where it can, else it points into `storage`, which
 * is cleared first and freed by the caller in any case. LVL_ERR_LOSS: the file is damaged, and `*view` is the
 * part of it that could be read; LVL_ERR_FORMAT: no part of it could be read; for both, `findings` (may be
 * NULL) gets one finding that names the file and what is missing. LVL_ERR_ARG for a folder; LVL_ERR_LIMIT
 * beyond limits.input_bytes; LVL_ERR_IO. */
LVL_API lvl_status lvl_container_read(const lvl_container *container, const lvl_entry *entry, lvl_bytes *view,
                                      lvl_buffer *storage, lvl_findings *findings);

/* One file to pack or to put. */
typedef struct lvl_pack_item {
    const char *path; /* inside */
    lvl_bytes bytes;
    int64_t time;
    bool is_dir;
} lvl_pack_item;

/* Sets the file at `path` to a copy of `bytes`, and creates it and the folders above it where they are
 * missing. Other files keep their bytes and, where the format allows, their place. `time` 0: unchanged or
 * unknown. LVL_ERR_ARG: a path that the format can't represent; LVL_ERR_UNSUPPORTED: a folder on disk. The
 * document under the container is changed at once, and writing or saving it writes the change. Pointers to
 * entries become invalid. */
LVL_API lvl_status lvl_container_put(lvl_container *container, const char *path, lvl_bytes bytes,
                                     int64_t time);
/* lvl_container_put for each item that is not a folder, in this order; for many files, since an archive may
 * need time for each call that follows its size. The bytes are copied; a time of 0 as there. Stops at the
 * first error, and sets *done (may be NULL) to the number of items before it. */
LVL_API lvl_status lvl_container_put_all(lvl_container *container, const lvl_pack_item *items, size_t count,
                                         size_t *done);
/* Removes a file, or a folder with its content. LVL_ERR_MISSING. Pointers to entries become invalid. */
LVL_API lvl_status lvl_container_remove(lvl_container *container, const char *path);
/* lvl_container_remove for each of `count` paths, for many files as lvl_container_put_all. Nothing is
 * removed unless all can be: LVL_ERR_MISSING, LVL_ERR_UNSUPPORTED (a member that the format requires),
 * with *failed (may be NULL) set to the index of the path. */
LVL_API lvl_status lvl_container_remove_all(lvl_container *container, const char *const *paths, size_t count,
                                            size_t *failed);
/* Appends, NUL-ended, the path of the entry that lvl_container_put would set or create for these bytes: some
 * formats have their own names or folders for some files. One thread, as for put. LVL_ERR_ARG: a path that
 * can't be added. */
LVL_API lvl_status lvl_container_place(const lvl_container *container, const char *path, lvl_bytes bytes,
                                       lvl_buffer *out);
/* Removes copies of files of which the game needs only one; each change is a finding in `log` (may be NULL).
 * LVL_ERR_UNSUPPORTED: the format has no such files. Pointers to entries become invalid. */
LVL_API lvl_status lvl_container_dedupe(lvl_container *container, lvl_findings *log);
/* Appends the container as its file. A signature that a change made invalid is a finding; `findings` may be
 * NULL. */
LVL_API lvl_status lvl_container_write(const lvl_container *container, lvl_buffer *out,
                                       lvl_findings *findings);

/* A new container of that format over a new document, holding the items in the order of their folded paths,
 * whatever order they come in: the same items give the same bytes. The bytes are borrowed until the document
 * is freed. */
LVL_API lvl_status lvl_container_pack(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format,
                                      const lvl_pack_item *items, size_t count);

#ifdef __cplusplus
}
#endif

#endif
