/*
 * os/seen.c: a file that is saved only if it is still the one that was read.
 */
/* must come before any system header */
#include "os/file_os.h"
#include "os/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct lvl_file_seen {
    lvl_file_lock *version; /* excludes nobody */
    char path[];
};

lvl_status lvl_file_seen_new(lvl_file_seen **out, const char *path)
{
    const size_t size = strlen(path) + 1;
    lvl_file_seen *seen = malloc(sizeof *seen + size);

    *out = NULL;
    if (!seen)
        return LVL_ERR_MEMORY;
    memcpy(seen->path, path, size);
    const lvl_status status = lvl_file_lock_none(&seen->version, path);
    if (seen->version)
        *out = seen;
    else
        free(seen);
    return status;
}

void lvl_file_seen_free(lvl_file_seen *seen)
{
    if (seen)
        lvl_file_lock_free(seen->version);
    free(seen);
}

/* Whether the file has been changed since it was seen. A file that was removed can be written again. */
static bool is_changed(const lvl_file_seen *seen, const char *path)
{
    return seen && strcmp(seen->path, path) == 0 && lvl_file_kind_of(path) == LVL_FILE_REGULAR &&
           !lvl_file_unchanged(seen->version, path);
}

lvl_status lvl_file_save_seen(lvl_file_seen **seen, const char *path, lvl_bytes bytes, lvl_file_error *why)
{
    lvl_file_lock *lock = NULL;
    lvl_file_seen *now = NULL;

    lvl_status status = lvl_file_lock_take(&lock, path, LVL_LOCK_WAIT, why);
    if (status == LVL_OK && is_changed(*seen, path)) {
        errno = EBUSY;
        status = lvl_file_fail(why, LVL_STEP_COMPARE);
    }
    if (status == LVL_OK)
        status = lvl_file_save_below(path, 0, bytes, LVL_SAVE_REPLACE, lock, why);
    if (status == LVL_OK) {
        lvl_file_seen_free(*seen);
        *seen = NULL;
        status = lvl_file_seen_new(&now, path);
        *seen = now;
    }
    lvl_file_lock_free(lock);
    return status;
}
