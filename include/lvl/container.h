/*
 * lvl/container.h: one interface to everything that holds files: archives and packs (documents whose format
 * opens as a container), and folders on disk. List, find, read, replace, pack.
 *
 * Paths are UTF-8 with '/' between the parts, no '/' at the start or end. Lookups ignore ASCII case, and '\'
 * counts as '/'; an exact match is preferred. Threads: several may list and read a container over a document
 * at once, except for the first time after a put or remove, when the list is rebuilt. A folder is listed on
 * demand, so it belongs to one thread.
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
    uint64_t size; /* declared size of a file, in bytes; 0: a folder, or unknown */
    int64_t time; /* of the last change, seconds since 1970 UTC; 0: unknown */
    bool is_dir;
    /* the path can be created below a folder safely: relative, no "..", no drive, device or stream name, no
     * empty part */
    bool safe;
    /* no other entry has the same path, ignoring case; otherwise extracting both would lose one */
    bool unique;
} lvl_entry;

/* The archive at a path: a pack, level or archive of a game; an archive of another program (a zip; where lvl
 * was built with libarchive, a 7z, rar, tar, cab, iso, lha and others), which is read only; or a folder,
 * which is listed on demand. "ARCHIVE//MEMBER" is an archive in an archive. The container owns what it reads.
 * `findings` may be NULL. LVL_ERR_UNSUPPORTED: not an archive; LVL_ERR_FORMAT: nothing of it can be read;
 * LVL_ERR_MISSING: there is no such file or member; LVL_ERR_IO; LVL_ERR_LIMIT. */
LVL_API lvl_status lvl_container_load(lvl_container **out, const lvl_ctx *ctx, const char *path,
                                      lvl_findings *findings);
/* The same for bytes in memory, which are borrowed until the container is closed. `name` is the file's name
 * for probing, or NULL. */
LVL_API lvl_status lvl_container_from(lvl_container **out, const lvl_ctx *ctx, lvl_bytes bytes,
                                      const char *name, lvl_findings *findings);
/* The container over a document, which must outlive it and must only be edited through the container
 * meanwhile. LVL_ERR_UNSUPPORTED: the format is not a container. */
LVL_API lvl_status lvl_container_open(lvl_container **out, lvl_doc *doc);
/* The document under a container; writing or saving it (lvl_save) writes what was put and removed. NULL: a
 * folder, or an archive of another program. */
LVL_API lvl_doc *lvl_container_doc(const lvl_container *container);
/* Accepts NULL. */
LVL_API void lvl_container_close(lvl_container *container);

/* Whether the listing so far is complete. LVL_ERR_MEMORY: memory ran out while a folder was listed.
 * LVL_ERR_LIMIT: there is more than the limits allow. LVL_ERR_LOSS: a damaged archive. LVL_ERR_IO: a folder
 * could not be listed (lvl_container_unlisted). Else LVL_OK. */
LVL_API lvl_status lvl_container_status(const lvl_container *container);
/* The path of the first folder that could not be listed, or entry that could not be examined, for example for
 * lack of permission; "" is the root. NULL: none so far. Valid until the container is closed. */
LVL_API const char *lvl_container_unlisted(const lvl_container *container);

/* The number of entries. */
LVL_API size_t lvl_container_count(const lvl_container *container);
/* The entry at `index`, in the container's own order (an archive's directory order, folders before their
 * content; a folder: by name); NULL past the end. */
LVL_API const lvl_entry *lvl_container_at(const lvl_container *container, size_t index);
/* The entry with that path; NULL if there is none. */
LVL_API const lvl_entry *lvl_container_find(const lvl_container *container, const char *path);
/* Called for an entry, which is valid until the container is closed; false stops the visit. */
typedef bool (*lvl_entry_fn)(void *user, const lvl_entry *entry);
/* Visits the entries of the folder `dir` ("" for the top), sorted by path, ignoring case; `deep`: also those
 * of all folders below it. Stops when `visit` returns false. */
LVL_API void lvl_container_list(const lvl_container *container, const char *dir, bool deep,
                                lvl_entry_fn visit, void *user);

/* The bytes of a file. `*view` borrows from the container if possible, else it points into `storage`, which
 * is cleared first and always freed by the caller. LVL_ERR_LOSS: the file is damaged, and `*view` is the part
 * of it that could be read; LVL_ERR_FORMAT: no part of it could be read; for both, `findings` (may be NULL)
 * gets one finding that names the file and what is missing. LVL_ERR_ARG for a folder; LVL_ERR_LIMIT beyond
 * limits.input_bytes; LVL_ERR_IO. */
LVL_API lvl_status lvl_container_read(const lvl_container *container, const lvl_entry *entry, lvl_bytes *view,
                                      lvl_buffer *storage, lvl_findings *findings);

/* One file to pack or to put. */
typedef struct lvl_pack_item {
    const char *path; /* path inside the container */
    lvl_bytes bytes;
    int64_t time;
    bool is_dir;
} lvl_pack_item;

/* Sets the file at `path` to a copy of `bytes`; creates it and the folders above it if they are missing.
 * Other files keep their bytes and, if the format allows, their position. `time` 0: unchanged or unknown.
 * LVL_ERR_ARG: a path that the format can't represent; LVL_ERR_UNSUPPORTED: a folder on disk. The document
 * under the container is changed at once, and writing or saving it writes the change. Pointers to entries
 * become invalid. */
LVL_API lvl_status lvl_container_put(lvl_container *container, const char *path, lvl_bytes bytes,
                                     int64_t time);
/* Removes a file, or a folder with its content. LVL_ERR_MISSING. Pointers to entries become invalid. */
LVL_API lvl_status lvl_container_remove(lvl_container *container, const char *path);

/* Makes a new document of that format that contains the items, sorted by folded path, so that the same items
 * give the same bytes in any order. The bytes are borrowed until the document is freed. */
LVL_API lvl_status lvl_container_pack(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format,
                                      const lvl_pack_item *items, size_t count);

#ifdef __cplusplus
}
#endif

#endif
