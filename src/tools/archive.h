/*
 * tools/archive.h: archives in paths, "ARCHIVE//MEMBER", and many files of an archive at once.
 */
#ifndef LVL_TOOLS_ARCHIVE_H
#define LVL_TOOLS_ARCHIVE_H

#include <lvl/container.h>

/* The archive that `bytes` are, of a game (lvl_container_open; *doc is its document) or of another program
 * (*doc is NULL). `name` is its file name, for probing. `bytes` are borrowed until both are freed, the
 * container first. *foreign: the bytes are of no format of a game; also set after an error.
 * LVL_ERR_UNSUPPORTED: no archive. `findings` may be NULL. */
lvl_status lvl_archive_open(lvl_container **out, lvl_doc **doc, const lvl_ctx *ctx, lvl_bytes bytes,
                            const char *name, bool *foreign, lvl_findings *findings);

/* Length of the shortest part of a path before a "//" that is a file on disk; 0: the path names no member. */
lvl_status lvl_archive_part(const char *path, size_t *len);
/* Opens one archive of a path: `name` is the path up to it, `entry` its entry in the archive that was opened
 * before, or NULL: the file on disk called `name`. The container stays open until the walk has ended and its
 * result was used. */
typedef lvl_status (*lvl_archive_open_fn)(void *user, const char *name, const lvl_entry *entry,
                                          const lvl_container **out);
/* Where a path leads. */
typedef struct lvl_archive_place {
    const lvl_container *container; /* the last archive that was opened */
    size_t len; /* of the part of the path that names that archive, or the one that did not open */
    const lvl_entry *entry; /* the file or folder in `container`; NULL: the folder `rest` */
    const char *rest; /* the path in `container`, a part of the path; "": all of it */
} lvl_archive_place;
/* Opens the archives of a path from the outermost on. `len`: what lvl_archive_part gave. LVL_ERR_MISSING with
 * `missing`: the last archive has no member `rest`. Other statuses are those of `open`. */
lvl_status lvl_archive_walk(const char *path, size_t len, lvl_archive_open_fn open, void *user,
                            lvl_archive_place *out, bool *missing);
/* lvl_container_put for each item that is not a folder, in this order; for many files, since the time of each
 * call may grow with the archive. The bytes are borrowed as long as the document under the container is read
 * or written; a time of 0 as there. Stops at the first error, and sets *done (may be NULL) to the number of
 * items before it. */
lvl_status lvl_container_put_all(lvl_container *container, const lvl_pack_item *items, size_t count,
                                 size_t *done);
/* lvl_container_remove for each of `count` paths, for many files as lvl_container_put_all. Nothing is
 * removed unless all can be: LVL_ERR_MISSING, LVL_ERR_UNSUPPORTED (a member that the format requires),
 * with *failed (may be NULL) set to the index of the path. */
lvl_status lvl_container_remove_all(lvl_container *container, const char *const *paths, size_t count,
                                    size_t *failed);
/* Appends, NUL-ended, the path of the entry that lvl_container_put would set or create for these bytes: some
 * formats have their own names or folders for some files. One thread, as for put. LVL_ERR_ARG: a path that
 * can't be added. */
lvl_status lvl_container_place(const lvl_container *container, const char *path, lvl_bytes bytes,
                               lvl_buffer *out);
/* Removes copies of files that the game needs only once; each change is a finding in `log` (may be NULL).
 * LVL_ERR_UNSUPPORTED: the format has no such files. Pointers to entries become invalid. */
lvl_status lvl_container_dedupe(lvl_container *container, lvl_findings *log);

#endif
