/*
 * base/load.h: for public functions that take a path.
 */
#ifndef LVL_BASE_LOAD_H
#define LVL_BASE_LOAD_H

#include "os/file.h"

#include <lvl/image.h>

/* Sets errno for an error that a public function returns: the reason of a step that failed, else 0. Returns
 * `status`. */
lvl_status lvl_file_errno(lvl_status status, const lvl_file_error *why);
/* Creates or replaces a file, under its lock, with what `write` passes to `out`; on any error an existing
 * file is unchanged, and errno has the reason. */
lvl_status lvl_file_put_by(const char *path, lvl_status (*write)(void *user, lvl_writer *out), void *user);

#endif
