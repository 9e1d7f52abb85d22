/*
 * base/save.h: what save.c, save_files.c and lock.c share. Where a save writes is found in save_path.c.
 */
#ifndef LVL_BASE_SAVE_H
#define LVL_BASE_SAVE_H

/* first, as it must be before any system header */
#include "base/file_os.h"

/* ---- places (save_path.c) ------------------------------------------------------------------------ */

/* Length of the folder part with its slash; 0 when the path is a bare name. */
size_t lvl_save_folder_len(const char *path);
/* The folder of a path ("." of a bare name), to be freed; NULL without memory. */
char *lvl_save_folder_of(const char *path);
/* The path that links lead to, which need not exist; to be freed. NULL with errno set. */
char *lvl_save_follow(const char *path);
/* The same for a file that must stay below the folder that the first `root` bytes name: errno EPERM if
 * links lead out of it. With `hold`, *folder (else -1) is the folder of the result, which names the file
 * by it where the system can, so that a link that is made meanwhile leads nowhere. */
char *lvl_save_follow_below(const char *path, size_t root, bool hold, int *folder);

/* ---- saves (save.c) ------------------------------------------------------------------------------ */

/* Flushes (unless `later`), names and closes the new file. It may get the target's name at once, which sets
 * *placed; `placed` NULL: only a temporary one. */
lvl_status lvl_save_finish(lvl_save *save, bool later, bool *placed, lvl_file_error *why);
/* Flushes the folder that holds the target, as far as the system can. */
void lvl_save_flush_folder(const char *target);

#endif
