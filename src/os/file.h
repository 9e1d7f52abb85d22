/*
 * os/file.h: reading and saving files; the library accesses the disk only through these functions. Reading
 * is bounded; saving is atomic: the bytes go to a new file beside the target, are flushed to the disk, and
 * the new file takes the target's name. A save that fails or is interrupted leaves the old file as it was.
 *
 * Paths are NUL-ended, in the system's own encoding, '/' between parts ('\\' as well on Windows). Functions
 * return LVL_OK, LVL_ERR_IO (and `why` has the message of the system), LVL_ERR_MISSING (no such file),
 * LVL_ERR_LIMIT or LVL_ERR_MEMORY. `why` may be NULL. A lvl_file may be read by several threads at once; a
 * lvl_new_file belongs to one.
 */
#ifndef LVL_OS_FILE_H
#define LVL_OS_FILE_H

#include <lvl/doc.h>

/* The step that failed and the system's error number, for a message. */
typedef struct lvl_file_error {
    const char *step; /* "open", "read", …: static; NULL: nothing failed */
    int code; /* errno */
} lvl_file_error;

/* "can't open: No such file or directory", NUL-ended, cut to size. Returns buf. */
const char *lvl_file_error_text(const lvl_file_error *why, char *buf, size_t size);

/* What a path names; symbolic links are followed. */
lvl_file_kind lvl_file_kind_of(const char *path);
/* Whether it is a named pipe. */
bool lvl_file_is_pipe(const char *path);
/* Whether it is a regular file that is read-only by its mode or attribute, for every user. */
bool lvl_file_is_read_only(const char *path);
/* Sleeps; a signal ends it early. */
void lvl_wait(unsigned milliseconds);
/* Whether the path itself is a symbolic link. */
bool lvl_file_is_link(const char *path);
/* The same, with the size in bytes of a regular file (else 0) and the time of its last change, seconds since
 * 1970 UTC. */
lvl_file_kind lvl_file_look(const char *path, uint64_t *size, int64_t *time);
/* The name at the end of a path, without its folders. */
const char *lvl_file_name(const char *path);

/* ---- reading ----------------------------------------------------------------------------------------- */

typedef struct lvl_file lvl_file;

lvl_status lvl_file_open(lvl_file **out, const char *path, lvl_file_error *why);
/* Reads up to `size` bytes at `offset`; *got is less only where the file ends. Not for pipes. */
lvl_status lvl_file_at(const lvl_file *file, uint64_t offset, void *buf, size_t size, size_t *got,
                       lvl_file_error *why);
void lvl_file_close(lvl_file *file);

/* Whether the path names this file. */
bool lvl_file_is_at(const lvl_file *file, const char *path);

/* Appends a whole file to `out`. More than `max` bytes (0: no bound): LVL_ERR_LIMIT, before memory is taken
 * where the size is known. If the file grows or shrinks meanwhile, these are the bytes that could be read. */
lvl_status lvl_file_read(lvl_buffer *out, const char *path, uint64_t max, lvl_file_error *why);
/* The same for a file that is open; not for pipes. */
lvl_status lvl_file_read_open(const lvl_file *file, lvl_buffer *out, uint64_t max, lvl_file_error *why);
/* The same for standard input. */
lvl_status lvl_file_read_stdin(lvl_buffer *out, uint64_t max, lvl_file_error *why);

/* The first and last bytes of a file, which is what probing reads. */
enum { LVL_FILE_END = 4096 };
typedef struct lvl_file_ends {
    uint8_t head[LVL_FILE_END], tail[LVL_FILE_END];
    size_t head_len, tail_len; /* head and tail of a short file overlap */
    uint64_t size;
} lvl_file_ends;
lvl_status lvl_file_read_ends(lvl_file_ends *out, const char *path, lvl_file_error *why);
lvl_status lvl_file_ends_of(const lvl_file *file, lvl_file_ends *out, lvl_file_error *why);

/* ---- folders ----------------------------------------------------------------------------------------- */

/* Names, sorted by byte value. */
typedef struct lvl_file_list {
    char **names;
    size_t count, cap;
} lvl_file_list;

/* The names in a folder, without those that start with a dot. Not recursive. */
lvl_status lvl_folder_list(lvl_file_list *out, const char *path, lvl_file_error *why);
/* The same for the names that start with a dot. */
lvl_status lvl_folder_list_hidden(lvl_file_list *out, const char *path, lvl_file_error *why);
void lvl_file_list_free(lvl_file_list *list);
/* Creates a folder and its parents, or none of them; LVL_OK if it exists already. */
lvl_status lvl_folder_make(const char *path, lvl_file_error *why);

/* Whether two paths name the same file on disk. False if either does not exist. */
bool lvl_file_same(const char *a, const char *b);
/* A string that is equal for two paths if saving to one replaces the file of the other: the same path, two
 * spellings of it, or a symbolic link to it, whether the file exists or only its folder. Hard links have
 * different strings, since a save separates them. The caller frees it; NULL: out of memory. */
char *lvl_file_entry_id(const char *path);

/* ---- files that a program provides ------------------------------------------------------------------- */

/* Like lvl_file_kind_of, lvl_file_read and lvl_folder_list, but for files that a program may provide; `files`
 * NULL: the system's files. */
lvl_file_kind lvl_files_kind(const lvl_files *files, const char *path);
lvl_status lvl_files_read(const lvl_files *files, lvl_buffer *out, const char *path, uint64_t max);
lvl_status lvl_files_list(const lvl_files *files, lvl_file_list *out, const char *path);

/* ---- saving ------------------------------------------------------------------------------------------ */

enum { /* flags of a save */
       LVL_SAVE_REPLACE =
           1, /* replace what is there; without it, an existing file is refused (LVL_ERR_IO, EEXIST) */
       LVL_SAVE_TOGETHER = 2 /* one of many new files: lvl_folder_flush flushes them together after the last.
                                A file that replaces another is still flushed at once */
       ,
       LVL_SAVE_MANY = 4 /* many saves are open at once: do not hold their folders open */
};

typedef struct lvl_new_file lvl_new_file;
typedef struct lvl_file_lock lvl_file_lock;

/* Starts a save. A symbolic link is followed and stays a link; a file that is replaced keeps its mode. A
 * device or a pipe is written directly.
 *
 * `root`: length of the part of the path, with or without its slash, that names the folder that the file must
 * stay in: LVL_ERR_IO (EPERM) if links lead out of it. Links in the folder's own path are followed. 0: the
 * user typed the whole path. */
lvl_status lvl_save_open(lvl_new_file **out, const char *path, size_t root, unsigned flags,
                         lvl_file_error *why);
/* Whether a path stays below its root folder when links are followed. The file need not exist. */
bool lvl_file_stays_below(const char *path, size_t root);
lvl_status lvl_save_write(lvl_new_file *save, const void *data, size_t len, lvl_file_error *why);
/* Makes the commit fail if the target has changed since it was read under this lock. NULL: it may change. */
void lvl_save_guard(lvl_new_file *save, const lvl_file_lock *lock);
/* Flushes to the disk and puts the file in its place. Frees the save in any case. LVL_ERR_FORMAT: somebody
 * has changed the target since it was locked. */
lvl_status lvl_save_commit(lvl_new_file *save, lvl_file_error *why);
/* Cancels the save: the target is not changed. Accepts NULL. */
void lvl_save_abort(lvl_new_file *save);

/* One file of several that are saved together. */
typedef struct lvl_file_change {
    const char *path;
    lvl_bytes bytes;
    size_t root; /* as in lvl_save_open */
    const lvl_file_lock *lock; /* the lock it was read under; NULL: any content is replaced */
} lvl_file_change;

/* Replaces existing regular files and then renames the file `from` to `to`, all or nothing: first all new
 * files are written beside the old ones and flushed, then they take their names; if that fails for one, the
 * files replaced before it get their old content back. `from` NULL: no file is renamed. `to` must not exist,
 * unless it is the same file (a name in another case). If the process is killed meanwhile, each file has
 * either its old or its new content. `*failed` (may be NULL) gets the path of the file that failed.
 * LVL_ERR_FORMAT: somebody has changed it since it was locked, and nothing is changed; LVL_ERR_LOSS: after an
 * error its old content, and perhaps that of others, could not be restored. */
lvl_status lvl_files_save(const lvl_file_change *changes, size_t count, const char *from, const char *to,
                          const char **failed, lvl_file_error *why);

/* Locks a folder until it is unlocked or the process ends. An advisory lock: it excludes only processes that
 * lock the folder as well. LVL_ERR_IO with EWOULDBLOCK (EAGAIN): another process holds the lock. On a system
 * without such locks *out is NULL and the status LVL_OK. */
typedef struct lvl_folder_lock lvl_folder_lock;
lvl_status lvl_folder_lock_take(lvl_folder_lock **out, const char *path, lvl_file_error *why);
/* Accepts NULL. */
void lvl_folder_lock_free(lvl_folder_lock *lock);

/* Removes a regular file below its root folder (see lvl_save_open), unless links lead out of it. False: it
 * still exists, or never did. */
bool lvl_file_remove_below(const char *path, size_t root);

/* Removes temporary files in this folder left by saves of killed processes. */
void lvl_folder_clean(const char *path);

/* Locks a file that is read, changed and saved; programs that take the lock wait for each other. To be called
 * before reading. Waits at most that long. LVL_ERR_IO (EWOULDBLOCK): another program holds the lock; (EMFILE
 * …): too many files are open. Where the system or the file system has no locks, only lvl_file_unchanged
 * protects the file. A file that cannot be opened for another reason: LVL_OK and *out NULL; reading it
 * reports why. */
enum { LVL_LOCK_WAIT = 60 * 1000 }; /* the longest time for an edit of a large file */
lvl_status lvl_file_lock_take(lvl_file_lock **out, const char *path, unsigned milliseconds,
                              lvl_file_error *why);
/* The same for a file that is open already, without waiting and without opening it again. *out NULL: it is
 * not locked, since another program holds the lock, the path names another file by now, or a lock needs more
 * than the open file here. */
lvl_status lvl_file_lock_open(lvl_file_lock **out, const lvl_file *file, const char *path);
/* A lock that excludes nobody, for lvl_file_unchanged only. */
lvl_status lvl_file_lock_none(lvl_file_lock **out, const char *path);
/* Whether the path still names the file that was locked, and nobody has written to it since. True for
 * NULL. */
bool lvl_file_unchanged(const lvl_file_lock *lock, const char *path);
/* Lets others take the lock, and closes the file: of a run that changes many files, only some can be open.
 * lvl_file_unchanged still compares, and lvl_files_save takes it again while the file is replaced. */
void lvl_file_lock_ease(lvl_file_lock *lock);
/* To be called after saving. Accepts NULL. */
void lvl_file_lock_free(lvl_file_lock *lock);

/* Flushes everything that was saved below a folder to the disk, as far as the system can. LVL_ERR_IO: some of
 * it, or of other programs' data on that disk, is lost. */
lvl_status lvl_folder_flush(const char *path, lvl_file_error *why);

/* Writes a new file that only the user can read, with an unpredictable name: PREFIX, random digits, ENDING.
 * *path gets its path, to be freed; NULL after an error. */
lvl_status lvl_temporary_save(char **path, const char *folder, const char *prefix, const char *ending,
                              lvl_bytes bytes, lvl_file_error *why);
/* Removes such a file. Accepts NULL. */
void lvl_temporary_remove(const char *path);
/* Removes this user's files from lvl_temporary_save that are older than `seconds`. */
void lvl_temporary_clean(const char *folder, const char *prefix, const char *ending, int64_t seconds);

/* Opens a save, lets `write` write it, and commits it; `root` as in lvl_save_open, `lock` as in
 * lvl_save_guard. NULL: a file that is replaced is locked meanwhile. */
typedef lvl_status lvl_save_fn(void *user, lvl_new_file *save, lvl_file_error *why);
lvl_status lvl_save_by(const char *path, size_t root, unsigned flags, const lvl_file_lock *lock,
                       lvl_save_fn *write, void *user, lvl_file_error *why);
/* The same for bytes. */
lvl_status lvl_file_save_below(const char *path, size_t root, lvl_bytes bytes, unsigned flags,
                               const lvl_file_lock *lock, lvl_file_error *why);
/* The same with root 0. */
lvl_status lvl_file_save(const char *path, lvl_bytes bytes, unsigned flags, lvl_file_error *why);
/* The step of lvl_file_error when a file is not the one that was read. */
#define LVL_STEP_COMPARE "compare"
/* A file that was read, and its version then; opaque (seen.c). To be made before reading. NULL without an
 * error: there is no such file. */
typedef struct lvl_file_seen lvl_file_seen;
lvl_status lvl_file_seen_new(lvl_file_seen **out, const char *path);
void lvl_file_seen_free(lvl_file_seen *seen);
/* Creates or replaces a file under its lock. If it is the one that was seen, and another program has changed
 * it since, LVL_ERR_IO (EBUSY), and nothing is written. Afterwards *seen (may be NULL) is the new file. */
lvl_status lvl_file_save_seen(lvl_file_seen **seen, const char *path, lvl_bytes bytes, lvl_file_error *why);

#endif
