/*
 * os/save.h: shared by save.c, save_files.c and lock.c. save_path.c finds where a save writes.
 */
#ifndef LVL_OS_SAVE_H
#define LVL_OS_SAVE_H

/* must come before any system header */
#include "os/file_os.h"

/* ---- places (save_path.c) ------------------------------------------------------------------------ */

/* Length of the folder part with its slash; 0 if the path is only a name. */
size_t lvl_save_folder_len(const char *path);
/* The folder of a path ("." for a bare name), to be freed; NULL: out of memory. */
char *lvl_save_folder_of(const char *path);
/* The path that links lead to, which need not exist; to be freed. NULL with errno set. */
char *lvl_save_follow(const char *path);
/* The same for a file that must stay below its root folder (lvl_save_open): errno EPERM if links lead out of
 * it. With `hold`, *folder (else -1) is the opened folder of the result, and where the system can, the result
 * names the file relative to it, so that a link created meanwhile has no effect. */
char *lvl_save_follow_below(const char *path, size_t root, bool hold, int *folder);

/* ---- saves (save.c) ------------------------------------------------------------------------------ */

/* Flushes (unless `later`), names and closes the new file. It may get the target's name at once, which sets
 * *placed; `placed` NULL: only a temporary one. */
lvl_status lvl_save_finish(lvl_new_file *save, bool later, bool *placed, lvl_file_error *why);
/* Whether lvl_file_lock_ease was called for it. NULL: false. */
bool lvl_file_lock_is_eased(const lvl_file_lock *lock);
/* Flushes the folder that holds the target, as far as the system can. */
void lvl_save_flush_folder(const char *target);

#endif
