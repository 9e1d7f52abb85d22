/*
 * lvl/container.h: one face over everything that holds files: archives and packs (a document whose format
 * opens as a container), and folders on disk. List, find, read, replace, pack.
 *
 * Paths are UTF-8 with '/' between the parts, no '/' at the start or end. They are looked up without regard
 * to ASCII case, and '\' counts as '/'; an exact match goes before one that differs in case. Threads: a
 * container over a document may be looked at and read by many at once, unless put or remove came
 * since the last look (that one makes the list anew); a folder lists what it holds as it is asked, so it
 * belongs to one thread.
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
    uint64_t size;    /* bytes of a file; 0 for a folder */
    int64_t time;     /* of the last change, seconds since 1970 UTC; 0: unknown */
    bool is_dir;
    /* the path may be made below a folder of ours: relative, no "..", no drive, device or stream name,
     * no empty part */
    bool safe;
    /* no other entry has the same path in another case or the same: extracting both would lose one */
    bool unique;
} lvl_entry;

/* The container over a document, which must outlive it and isn't edited except through the container
 * meanwhile. LVL_ERR_UNSUPPORTED where the format is no container. */
LVL_API lvl_status lvl_container_open(lvl_doc *doc, lvl_container **out);
/* The folder at that path of the system. Folders in it are listed when they are first looked into, so opening
 * costs nothing and finding a path only looks at the folders on it; count, at, and a deep list walk
 * everything. What starts with a dot is left out; a folder that is one of those it lies in (by a link) is not
 * entered. Beyond limits.items or limits.depth nothing more is listed. LVL_ERR_MISSING when there is no
 * folder. */
LVL_API lvl_status lvl_container_folder(const lvl_ctx *ctx, const char *path, lvl_container **out);
/* Takes NULL. */
LVL_API void lvl_container_close(lvl_container *container);

/* LVL_ERR_MEMORY: memory ran out while a folder was listed, so that what seems not to be there may be. LVL_OK
 * else. */
LVL_API lvl_status lvl_container_status(const lvl_container *container);

/* Entries in the container's own order (an archive's directory order, folders before what they hold; a
 * folder: by name). */
LVL_API size_t lvl_container_count(const lvl_container *container);
/* NULL past the end. */
LVL_API const lvl_entry *lvl_container_at(const lvl_container *container, size_t index);
/* NULL when nothing is there. */
LVL_API const lvl_entry *lvl_container_find(const lvl_container *container, const char *path);
/* Visits what lies in the folder `dir` ("" for the top), sorted by path without regard to case; `deep`: and
 * in all folders below it. Stops when `visit` returns false. */
typedef bool (*lvl_entry_fn)(void *user, const lvl_entry *entry);
LVL_API void lvl_container_list(const lvl_container *container, const char *dir, bool deep,
                                lvl_entry_fn visit, void *user);

/* The bytes of a file. `*view` borrows from the container where it can, else it points into `storage`, which
 * is cleared first and freed by the caller in any case. LVL_ERR_ARG for a folder; LVL_ERR_LIMIT beyond
 * limits.input_bytes; LVL_ERR_IO. */
LVL_API lvl_status lvl_container_read(const lvl_container *container, const lvl_entry *entry, lvl_bytes *view,
                                      lvl_buffer *storage);

/* Sets the file at `path` to a copy of `bytes`, making it and the folders above it where they are missing.
 * What isn't touched keeps its bytes and, where the format allows, its place. `time` 0: leave or unknown.
 * LVL_ERR_ARG for a path that the format can't say; LVL_ERR_UNSUPPORTED for folders on disk (the command
 * writes those). The document under the container is changed at once, and writing or saving it writes the
 * change. Entries die. */
LVL_API lvl_status lvl_container_put(lvl_container *container, const char *path, lvl_bytes bytes,
                                     int64_t time);
/* Takes a file, or a folder with all in it, out. LVL_ERR_MISSING. Entries die. */
LVL_API lvl_status lvl_container_remove(lvl_container *container, const char *path);
/* Appends, NUL-ended, the path of the entry that lvl_container_put would set to these bytes, or make: formats
 * know some files by names of their own, or put them into a folder. One thread, as for put. LVL_ERR_ARG: a
 * path that can't be added. */
LVL_API lvl_status lvl_container_place(const lvl_container *container, const char *path, lvl_bytes bytes,
                                       lvl_buffer *out);
/* Takes out what is stored more than once where once is enough for the game; each thing done is a finding in
 * `log` (may be NULL). LVL_ERR_UNSUPPORTED: nothing of the format can be. Entries die. */
LVL_API lvl_status lvl_container_dedupe(lvl_container *container, lvl_findings *log);
/* Appends the container as its file. A signature of the archive that a change made void is a finding;
 * `findings` may be NULL. */
LVL_API lvl_status lvl_container_write(const lvl_container *container, lvl_buffer *out,
                                       lvl_findings *findings);

/* One file to pack. */
typedef struct lvl_pack_item {
    const char *path; /* inside */
    lvl_bytes bytes;
    int64_t time;
    bool is_dir;
} lvl_pack_item;

/* A new container of that format over a new document, holding the items in the order of their folded paths,
 * whatever order they come in: the same items give the same bytes. The bytes are borrowed until the document
 * is freed. */
LVL_API lvl_status lvl_container_pack(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format,
                                      const lvl_pack_item *items, size_t count);

#ifdef __cplusplus
}
#endif

#endif
