/*
 * base/file.h: reading and saving files; the library uses the disk through these functions only. Reading is
 * bounded; saving is atomic: the bytes go to a new file beside the target, are flushed to the disk, and the
 * new file takes the target's name. A save that fails or is interrupted leaves the old file as it was.
 *
 * Paths are NUL-ended, in the system's own encoding, '/' between parts ('\\' as well on Windows). Functions
 * return LVL_OK, LVL_ERR_IO (and `why` has the message of the system), LVL_ERR_MISSING (no such file),
 * LVL_ERR_LIMIT or LVL_ERR_MEMORY. `why` may be NULL. A lvl_file may be read by several threads at once; a
 * lvl_save belongs to one.
 */
#ifndef LVL_BASE_FILE_H
#define LVL_BASE_FILE_H

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
/* Does nothing for so many milliseconds; a signal ends it earlier. */
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

/* Appends a whole file to `out`. More than `max` bytes (0: no bound): LVL_ERR_LIMIT, before memory is taken
 * where the size is known. A file that grows or shrinks meanwhile gives the bytes that were there. */
lvl_status lvl_file_read(lvl_buffer *out, const char *path, uint64_t max, lvl_file_error *why);
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

/* ---- folders ----------------------------------------------------------------------------------------- */

/* Names, sorted by byte value. */
typedef struct lvl_file_list {
    char **names;
    size_t count, cap;
} lvl_file_list;

/* The names in a folder, without "." and ".." and whatever starts with a dot. Not recursive. */
lvl_status lvl_folder_list(lvl_file_list *out, const char *path, lvl_file_error *why);
/* The same for the names that start with a dot. */
lvl_status lvl_folder_list_hidden(lvl_file_list *out, const char *path, lvl_file_error *why);
void lvl_file_list_free(lvl_file_list *list);
/* Creates a folder and its parents; LVL_OK if it exists already. */
lvl_status lvl_folder_make(const char *path, lvl_file_error *why);

/* Whether two paths name the same file, by what the disk knows it by. False if either does not exist. */
bool lvl_file_same(const char *a, const char *b);
/* A text that is the same for two paths if saving to one replaces the file of the other: the same path, two
 * spellings of it, or a symbolic link to it. Two hard links have different texts, since a save separates
 * them; so do two spellings of a file with hard links. The caller frees it; NULL without memory. */
char *lvl_file_entry_id(const char *path);

/* ---- files that a program provides ------------------------------------------------------------------- */

/* As lvl_file_kind_of, lvl_file_read and lvl_folder_list, for files that a program may provide; `files` NULL:
 * the files of the system. */
lvl_file_kind lvl_files_kind(const lvl_files *files, const char *path);
lvl_status lvl_files_read(const lvl_files *files, lvl_buffer *out, const char *path, uint64_t max);
lvl_status lvl_files_list(const lvl_files *files, lvl_file_list *out, const char *path);

/* ---- saving ------------------------------------------------------------------------------------------ */

enum { /* flags of a save */
       LVL_SAVE_REPLACE =
           1, /* replace what is there; without it, an existing file is refused (LVL_ERR_IO, EEXIST) */
       LVL_SAVE_TOGETHER = 2 /* one of many new files, which lvl_folder_flush flushes after the last of them.
                                A file that replaces another is flushed at once all the same */
       ,
       LVL_SAVE_MANY = 4 /* many saves are open at once: none of them holds its folder open */
};

typedef struct lvl_save lvl_save;

/* Starts a save. A symbolic link is followed and stays a link; a file that is replaced keeps its mode. A
 * device or a pipe is written directly.
 *
 * `root`: how many bytes of the path name a folder, with or without its slash, below which the file must
 * stay: if links lead out of it, that is LVL_ERR_IO (EPERM). Links in the folder's own path are followed. 0:
 * a path that the user typed as a whole. */
lvl_status lvl_save_open(lvl_save **out, const char *path, size_t root, unsigned flags, lvl_file_error *why);
/* Whether links on the way to a file below that folder, which need not exist, do not lead out of it. */
bool lvl_file_stays_below(const char *path, size_t root);
lvl_status lvl_save_write(lvl_save *save, const void *data, size_t len, lvl_file_error *why);
/* Flushes to the disk and puts the file in its place. The save is freed whatever is returned. */
lvl_status lvl_save_commit(lvl_save *save, lvl_file_error *why);
/* Cancels the save: the target is not changed. Accepts NULL. */
void lvl_save_abort(lvl_save *save);

/* One file of several that are saved together. */
typedef struct lvl_file_change {
    const char *path;
    lvl_bytes bytes;
    lvl_bytes was; /* what the file must still hold; ptr NULL: anything */
    size_t root; /* as of lvl_save_open */
} lvl_file_change;

/* Replaces existing regular files, and then renames the file `from` to `to`, all or nothing: first all new
 * files are written beside the old ones and flushed, then they take their names; if that fails for one, the
 * files before it get their old content back. `from` NULL: no file is renamed. `to` must not exist, unless it
 * is the same file (a name in another case). If the process is killed meanwhile, each file has either its old
 * or its new content. `*failed` (may be NULL) gets the path of the file that failed. LVL_ERR_FORMAT: its
 * content is not `was`, and nothing is changed; LVL_ERR_LOSS: after an error its old content, and perhaps
 * that of others, could not be restored. */
lvl_status lvl_files_save(const lvl_file_change *changes, size_t count, const char *from, const char *to,
                          const char **failed, lvl_file_error *why);

/* Locks a folder until it is unlocked or the process ends. An advisory lock: it excludes only processes that
 * lock the folder as well. LVL_ERR_IO with EWOULDBLOCK (EAGAIN): another process holds the lock. On a system
 * without such locks *out is NULL and the status LVL_OK. */
typedef struct lvl_folder_lock lvl_folder_lock;
lvl_status lvl_folder_lock_take(lvl_folder_lock **out, const char *path, lvl_file_error *why);
/* Accepts NULL. */
void lvl_folder_lock_free(lvl_folder_lock *lock);

/* Removes a regular file below the folder that the first `root` bytes of the path name, unless links lead
 * out of it. False: it is still there, or was not. */
bool lvl_file_remove_below(const char *path, size_t root);

/* Removes the new files that saves in this folder had not finished when their process was killed. */
void lvl_folder_clean(const char *path);

/* A file that is read, changed and saved: of several programs that hold its lock, each waits for the one
 * before. */
typedef struct lvl_file_lock lvl_file_lock;
/* Before reading: waits at most that long. LVL_ERR_IO (EWOULDBLOCK): another program holds the lock. Where
 * the system or the file system has no locks, only lvl_file_unchanged protects the file. A file that cannot
 * be opened: LVL_OK and *out NULL; reading it reports why. */
lvl_status lvl_file_lock_take(lvl_file_lock **out, const char *path, unsigned milliseconds,
                              lvl_file_error *why);
/* Before saving: whether the path still names the file that was locked, and nobody has written it since. True
 * for NULL. */
bool lvl_file_unchanged(const lvl_file_lock *lock, const char *path);
/* After saving. Accepts NULL. */
void lvl_file_lock_free(lvl_file_lock *lock);

/* Flushes everything that was saved below a folder to the disk, as far as the system can. LVL_ERR_IO: some of
 * it, or of what other programs wrote to that disk, is lost. */
lvl_status lvl_folder_flush(const char *path, lvl_file_error *why);

/* Writes a new file that only the user can read, with a name that nobody can guess: PREFIX, random digits,
 * ENDING. Its path, to be freed, goes to *path, which is NULL after an error. */
lvl_status lvl_temporary_save(char **path, const char *folder, const char *prefix, const char *ending,
                              lvl_bytes bytes, lvl_file_error *why);
/* Removes files that lvl_temporary_save made for this user, if they are older than that. */
void lvl_temporary_clean(const char *folder, const char *prefix, const char *ending, int64_t seconds);

/* Opens, writes and commits a save; `root` as of lvl_save_open. */
lvl_status lvl_file_save_below(const char *path, size_t root, lvl_bytes bytes, unsigned flags,
                               lvl_file_error *why);
/* The same for a path that the user typed as a whole. */
lvl_status lvl_file_save(const char *path, lvl_bytes bytes, unsigned flags, lvl_file_error *why);
/* Makes or replaces a file; after an error, errno has the reason (load.c). */
lvl_status lvl_file_put(const char *path, lvl_bytes bytes);

#endif
