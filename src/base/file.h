/*
 * base/file.h: files in and out, the only room of the library that touches the disk. Reading is bounded;
 * saving is atomic: the bytes go to a new file beside the target, are flushed to the disk, and the new file
 * takes the target's name. A save that fails or is interrupted leaves the old file as it was.
 *
 * Paths are NUL-ended, in the system's own encoding, '/' between parts ('\\' as well on Windows). Functions
 * return LVL_OK, LVL_ERR_IO (and `why` has the message of the system), LVL_ERR_MISSING (no such file),
 * LVL_ERR_LIMIT or LVL_ERR_MEMORY. `why` may be NULL. A lvl_file may be read by several threads at once; a
 * lvl_save belongs to one.
 */
#ifndef LVL_BASE_FILE_H
#define LVL_BASE_FILE_H

#include <lvl/doc.h>

/* What went wrong, for a message: the step, and the system's error number. */
typedef struct lvl_file_error {
    const char *step; /* "open", "read", …: static; NULL while nothing went wrong */
    int code;         /* errno */
} lvl_file_error;

/* "can't open: No such file or directory", NUL-ended, cut to size. Returns buf. */
const char *lvl_file_error_text(const lvl_file_error *why, char *buf, size_t size);

/* What a path names; symbolic links are followed. */
lvl_file_kind lvl_file_kind_of(const char *path);
/* Whether it is a named pipe. */
bool lvl_file_is_pipe(const char *path);
/* Whether it is a regular file that is read-only by its mode or attribute, for every user. */
bool lvl_file_is_read_only(const char *path);
/* Whether the path itself is a symbolic link. */
bool lvl_file_is_link(const char *path);
/* The same, with the size in bytes of a regular file (else 0) and the time of its last change, seconds since
 * 1970 UTC. */
lvl_file_kind lvl_file_look(const char *path, uint64_t *size, int64_t *time);

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

/* A file's bytes where the system has them, so that of a large one only what is looked at comes from the
 * disk; for lvl_file_unmap. For short reading only: a file that is truncated meanwhile ends the
 * program, as does a disk that fails. LVL_ERR_UNSUPPORTED: a system or a kind of file (a pipe, an empty one)
 * that has nothing like it, and the file is to be read. Otherwise as lvl_file_read. */
lvl_status lvl_file_map(lvl_bytes *view, const char *path, uint64_t max, lvl_file_error *why);
void lvl_file_unmap(lvl_bytes view);

/* The ends of a file, all that probing looks at. */
enum { LVL_FILE_END = 4096 };
typedef struct lvl_file_ends {
    uint8_t head[LVL_FILE_END], tail[LVL_FILE_END];
    size_t head_len, tail_len; /* the tail is the last bytes, which may be the head's as well */
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
void lvl_file_list_free(lvl_file_list *list);
/* For who fills a list, which begins zeroed: adds a copy of a name (false without memory), and sorts them, or
 * frees them if the status isn't LVL_OK, which is returned. */
bool lvl_file_list_add(lvl_file_list *list, const char *name);
lvl_status lvl_file_list_end(lvl_file_list *list, lvl_status status);
/* Makes a folder and those above it; fine if it is there. */
lvl_status lvl_folder_make(const char *path, lvl_file_error *why);

/* Whether two paths name the same file (device and inode; by full name on Windows). False if either isn't
 * there. */
bool lvl_file_same(const char *a, const char *b);
/* A text that two paths share if saving to one replaces what the other leads to: the same path, two
 * spellings of it, or a symbolic link to it. Two hard links, which a save separates, have different texts;
 * so have two spellings of a file with hard links. To be freed; NULL without memory. */
char *lvl_file_entry_id(const char *path);

/* ---- the system's files, or a program's ---------------------------------------------------------------- */

/* As lvl_file_kind_of, lvl_file_read and lvl_folder_list, of files that may be a program's; `files` NULL: the
 * system's. */
lvl_file_kind lvl_files_kind(const lvl_files *files, const char *path);
lvl_status lvl_files_read(const lvl_files *files, lvl_buffer *out, const char *path, uint64_t max);
lvl_status lvl_files_list(const lvl_files *files, lvl_file_list *out, const char *path);

/* ---- saving ------------------------------------------------------------------------------------------ */

enum { /* flags of a save */
       LVL_SAVE_REPLACE =
           1, /* replace what is there; without it, an existing file is refused (LVL_ERR_IO, EEXIST) */
       LVL_SAVE_TOGETHER = 2 /* one of many new files: only lvl_folder_flush, after the last of them, waits
                                for the disk. What is replaced is flushed all the same */
};

typedef struct lvl_save lvl_save;

/* Starts a save. A symbolic link is followed and stays a link; the mode of a file that is replaced is kept.
 * What is no regular file (a device, a pipe) is written straight. */
lvl_status lvl_save_open(lvl_save **out, const char *path, unsigned flags, lvl_file_error *why);
lvl_status lvl_save_write(lvl_save *save, const void *data, size_t len, lvl_file_error *why);
/* Flushes to the disk and puts the file in its place. The save is freed whatever is returned. */
lvl_status lvl_save_commit(lvl_save *save, lvl_file_error *why);
/* Gives up: the target stays as it was. Takes NULL. */
void lvl_save_abort(lvl_save *save);

/* One file of several that are saved together. */
typedef struct lvl_file_change {
    const char *path;
    lvl_bytes bytes;
    lvl_bytes was; /* what the file must still hold; ptr NULL: anything */
} lvl_file_change;

/* Replaces existing regular files, and then gives the file `from` the name `to`, all or nothing: first all
 * new files are written beside the old ones and brought to the disk, then they take their names; if that
 * fails for one, the ones before it get their old content back. `from` NULL: no file is renamed; `to` must
 * not exist, unless it is the same file (a name in another case). If the process is killed meanwhile, each
 * file holds its old or its new content as a whole. `*failed` (may be NULL) gets the path that the error is
 * about. LVL_ERR_FORMAT: it holds something else than `was`, and nothing is changed; LVL_ERR_LOSS: after an
 * error the old content could not be put back into it, and perhaps into others. */
lvl_status lvl_files_save(const lvl_file_change *changes, size_t count, const char *from, const char *to,
                          const char **failed, lvl_file_error *why);

/* Locks a folder for this process, until it is unlocked or the process ends; it keeps out only those who lock
 * it, too. LVL_ERR_IO with EWOULDBLOCK (EAGAIN): another process has it. Where the system has no such locks
 * *out is NULL, and LVL_OK. */
typedef struct lvl_folder_lock lvl_folder_lock;
lvl_status lvl_folder_lock_take(lvl_folder_lock **out, const char *path, lvl_file_error *why);
/* Takes NULL. */
void lvl_folder_lock_free(lvl_folder_lock *lock);

/* Brings everything that was saved below a folder to the disk, as far as the system can. LVL_ERR_IO: some of
 * it, or of what others wrote to that disk, is lost. */
lvl_status lvl_folder_flush(const char *path, lvl_file_error *why);

/* All at once. */
lvl_status lvl_file_save(const char *path, lvl_bytes bytes, unsigned flags, lvl_file_error *why);

#endif
