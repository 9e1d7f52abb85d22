/*
 * os/file.c: reads files and folders of the system, or provided by a program. Saving is in save.c;
 * differences between systems are in file_os.h.
 */
#include "os/file_os.h"
#include "os/memory.h"

#include <stdlib.h>
#include <string.h>

#ifndef _WIN32
#include <dirent.h>
#endif

lvl_status lvl_file_fail(lvl_file_error *why, const char *step)
{
    int code = errno;

    if (why) {
        why->step = step;
        why->code = code;
    }
    if (code == ENOMEM)
        return LVL_ERR_MEMORY;
    return code == ENOENT ? LVL_ERR_MISSING : LVL_ERR_IO;
}

const char *lvl_file_error_text(const lvl_file_error *why, char *buf, size_t size)
{
    char text[160] = "unknown error";

    if (why->step && strcmp(why->step, "lock") == 0 && why->code == EWOULDBLOCK) {
        snprintf(buf, size, "another program is changing it; nothing was written");
        return buf;
    }
    if (why->step && strcmp(why->step, LVL_STEP_COMPARE) == 0) {
        snprintf(buf, size,
                 "another program has changed it since it was read; nothing was written: read it again, or "
                 "save under another name");
        return buf;
    }
#ifdef _WIN32
    if (why->code == EBUSY)
        snprintf(text, sizeof text, "another program has the file open; close it there and try again");
    else
        strerror_s(text, sizeof text, why->code);
#else
    /* XSI strerror_r; thread-safe, unlike strerror */
    if (strerror_r(why->code, text, sizeof text) != 0)
        snprintf(text, sizeof text, "error %d", why->code);
#endif
    snprintf(buf, size, "can't %s: %s", why->step ? why->step : "go on", text);
    return buf;
}

void lvl_wait(unsigned milliseconds)
{
    lvl_os_sleep(milliseconds);
}

lvl_file_kind lvl_file_look(const char *path, uint64_t *size, int64_t *time)
{
    os_stat st;

    *size = 0;
    *time = 0;
    if (lvl_os_stat_path(path, &st) != 0)
        return LVL_FILE_NONE;
    *time = (int64_t)st.st_mtime;
    if ((st.st_mode & S_IFMT) == S_IFREG) {
        *size = st.st_size > 0 ? (uint64_t)st.st_size : 0;
        return LVL_FILE_REGULAR;
    }
    return (st.st_mode & S_IFMT) == S_IFDIR ? LVL_FILE_FOLDER : LVL_FILE_OTHER;
}

const char *lvl_file_name(const char *path)
{
    const char *name = path;

    for (const char *p = path; *p; p++) {
        bool ends_folder = os_is_slash(*p);
#ifdef _WIN32
        ends_folder = ends_folder || *p == ':';
#endif
        if (ends_folder)
            name = p + 1;
    }
    return name;
}

bool lvl_file_is_link(const char *path)
{
#ifdef _WIN32
    /* files in cloud storage and deduplicated files are reparse points, too, but not links */
    WIN32_FIND_DATAW found;
    wchar_t *wide = lvl_os_wide(path);
    const HANDLE search = wide ? FindFirstFileW(wide, &found) : INVALID_HANDLE_VALUE;

    if (search != INVALID_HANDLE_VALUE)
        FindClose(search);
    free(wide);
    return search != INVALID_HANDLE_VALUE && found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT &&
           (found.dwReserved0 == IO_REPARSE_TAG_SYMLINK || found.dwReserved0 == IO_REPARSE_TAG_MOUNT_POINT);
#else
    os_stat st;
    return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
#endif
}

lvl_file_kind lvl_file_kind_of(const char *path)
{
    uint64_t size;
    int64_t time;

    return lvl_file_look(path, &size, &time);
}

bool lvl_file_is_pipe(const char *path)
{
#ifdef _WIN32
    (void)path; /* Windows has named pipes in a separate name space, and opening one does not block */
    return false;
#else
    os_stat st;
    return lvl_os_stat_path(path, &st) == 0 && S_ISFIFO(st.st_mode);
#endif
}

bool lvl_file_is_read_only(const char *path)
{
#ifdef _WIN32
    const int writable = _S_IWRITE;
#else
    const int writable = S_IWUSR | S_IWGRP | S_IWOTH;
#endif
    os_stat st;

    return lvl_os_stat_path(path, &st) == 0 && (st.st_mode & S_IFMT) == S_IFREG && !(st.st_mode & writable);
}

bool lvl_file_same(const char *a, const char *b)
{
    os_version fa, fb;

    return lvl_os_find_version(a, &fa) && lvl_os_find_version(b, &fb) && lvl_os_is_same_file(&fa, &fb);
}

/* ---- reading ----------------------------------------------------------------------------------------- */

lvl_status lvl_file_open(lvl_file **out, const char *path, lvl_file_error *why)
{
    lvl_status status;
    os_stat st;

    *out = NULL;
    lvl_file *file = calloc(1, sizeof *file);
    if (!file)
        return LVL_ERR_MEMORY;
    file->fd = lvl_os_open(path, O_RDONLY | OS_OPEN_FLAGS, 0);
    if (file->fd < 0) {
        status = lvl_file_fail(why, "open");
        goto out;
    }
    if (lvl_os_fstat(file->fd, &st) != 0) {
        status = lvl_file_fail(why, "look at it");
        goto out;
    }
    if ((st.st_mode & S_IFMT) == S_IFDIR) {
        errno = EISDIR;
        status = lvl_file_fail(why, "read");
        goto out;
    }
    file->size = (st.st_mode & S_IFMT) == S_IFREG ? (uint64_t)st.st_size : 0;
    *out = file;
    return LVL_OK;
out:
    lvl_file_close(file);
    return status;
}

void lvl_file_close(lvl_file *file)
{
    if (!file)
        return;
    if (file->fd >= 0)
        lvl_os_close(file->fd);
    free(file);
}

lvl_status lvl_file_at(const lvl_file *file, uint64_t offset, void *buf, size_t size, size_t *got,
                       lvl_file_error *why)
{
    *got = 0;
    while (*got < size) {
        size_t want = size - *got < MAX_IO ? size - *got : MAX_IO;
        long n = lvl_os_read_at(file->fd, (uint8_t *)buf + *got, want, offset + *got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return lvl_file_fail(why, "read");
        if (n == 0)
            break;
        *got += (size_t)n;
    }
    return LVL_OK;
}

/* Reads to the end of the stream: for pipes, and for files without trusting their size. `by_place`: from the
 * start of the file, wherever reading it has come to. */
static lvl_status read_all(lvl_buffer *out, int fd, bool by_place, uint64_t size, uint64_t max,
                           lvl_file_error *why)
{
    uint64_t total = 0;

    if (max && size > max)
        return LVL_ERR_LIMIT;
    if (size >= SIZE_MAX)
        return LVL_ERR_MEMORY;
    /* one byte more, so that the read that hits the end needs no larger buffer */
    if (!lvl_buffer_reserve(out, (size_t)size + 1))
        return out->status;
    for (;;) {
        if (out->len == out->cap && !lvl_buffer_reserve(out, 65536))
            return out->status;
        size_t space = out->cap - out->len;
        const size_t most = space < MAX_IO ? space : MAX_IO;
        long n = by_place ? lvl_os_read_at(fd, out->data + out->len, most, total)
                          : lvl_os_read(fd, out->data + out->len, most);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return lvl_file_fail(why, "read");
        if (n == 0)
            return LVL_OK;
        out->len += (size_t)n;
        total += (uint64_t)n;
        if (max && total > max)
            return LVL_ERR_LIMIT;
        if (total == size && (size_t)n < space && space <= MAX_IO) /* a short read of a file means its end */
            return LVL_OK;
    }
}

lvl_status lvl_file_read(lvl_buffer *out, const char *path, uint64_t max, lvl_file_error *why)
{
    lvl_file *file;
    lvl_status status = lvl_file_open(&file, path, why);

    if (status != LVL_OK)
        return status;
    status = read_all(out, file->fd, false, file->size, max, why);
    lvl_file_close(file);
    return status;
}

lvl_status lvl_file_read_stdin(lvl_buffer *out, uint64_t max, lvl_file_error *why)
{
    lvl_os_binary(0);
    return read_all(out, 0, false, 0, max, why);
}

lvl_status lvl_file_read_open(const lvl_file *file, lvl_buffer *out, uint64_t max, lvl_file_error *why)
{
    return read_all(out, file->fd, true, file->size, max, why);
}

lvl_status lvl_file_ends_of(const lvl_file *file, lvl_file_ends *out, lvl_file_error *why)
{
    out->tail_len = 0;
    out->size = file->size;
    const lvl_status status = lvl_file_at(file, 0, out->head, LVL_FILE_END, &out->head_len, why);
    if (status != LVL_OK)
        return status;
    if (file->size > LVL_FILE_END)
        return lvl_file_at(file, file->size - LVL_FILE_END, out->tail, LVL_FILE_END, &out->tail_len, why);
    memcpy(out->tail, out->head, out->head_len);
    out->tail_len = out->head_len;
    return LVL_OK;
}

lvl_status lvl_file_read_ends(lvl_file_ends *out, const char *path, lvl_file_error *why)
{
    lvl_file *file;
    lvl_status status = lvl_file_open(&file, path, why);

    out->head_len = out->tail_len = 0;
    out->size = 0;
    if (status == LVL_OK)
        status = lvl_file_ends_of(file, out, why);
    lvl_file_close(file);
    return status;
}

bool lvl_file_is_at(const lvl_file *file, const char *path)
{
    os_version open, there;

    return lvl_os_version_of(file->fd, &open) && lvl_os_find_version(path, &there) &&
           lvl_os_is_same_file(&open, &there);
}

/* ---- folders ----------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool add_name(lvl_file_list *list, const char *name)
{
    if (!lvl_grow(&list->names, &list->cap, list->count + 1, sizeof(*list->names)))
        return false;
    char *copy = lvl_text_copy((lvl_text){name, strlen(name)});
    if (!copy)
        return false;
    list->names[list->count++] = copy;
    return true;
}

void lvl_file_list_free(lvl_file_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->names[i]);
    free(list->names);
    memset(list, 0, sizeof *list);
}

/* Sorts the names, or frees them unless the status is LVL_OK, which is returned. */
static lvl_status end_list(lvl_file_list *list, lvl_status status)
{
    if (status != LVL_OK)
        lvl_file_list_free(list);
    else if (list->count)
        qsort(list->names, list->count, sizeof *list->names, by_name);
    return status;
}

static bool is_hidden(const char *name)
{
    return name[0] == '.' && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

/* The names in a folder; with `hidden`, those that begin with a dot, except "." and "..". */
static lvl_status list_names(lvl_file_list *out, const char *path, bool hidden, lvl_file_error *why)
{
    lvl_status status = LVL_OK;

    memset(out, 0, sizeof *out);
#ifdef _WIN32
    struct _wfinddata64i32_t entry;
    size_t len = strlen(path);
    char *pattern = malloc(len + 3);
    if (!pattern)
        return LVL_ERR_MEMORY;
    snprintf(pattern, len + 3, "%s/*", path);
    wchar_t *wide = lvl_os_wide(pattern);
    intptr_t find = wide ? _wfindfirst64i32(wide, &entry) : -1;
    free(pattern);
    if (find == -1)
        status = lvl_file_fail(why, "list");
    free(wide);
    if (find == -1)
        return status;
    do {
        char name[4 * sizeof entry.name / sizeof *entry.name];
        /* half a surrogate pair: not valid in UTF-8, and it could not be opened either */
        if (!WideCharToMultiByte(CP_UTF8, 0, entry.name, -1, name, sizeof name, NULL, NULL))
            continue;
        if ((hidden ? is_hidden(name) : name[0] != '.' && !(entry.attrib & _A_HIDDEN)) &&
            !add_name(out, name))
            status = LVL_ERR_MEMORY;
    } while (status == LVL_OK && _wfindnext64i32(find, &entry) == 0);
    _findclose(find);
#else
    DIR *dir = opendir(path);
    const struct dirent *entry;

    if (!dir)
        return lvl_file_fail(why, "list");
    while (status == LVL_OK) {
        errno = 0;
        entry = readdir(dir);
        if (!entry) {
            if (errno)
                status = lvl_file_fail(why, "list");
            break;
        }
        if ((hidden ? is_hidden(entry->d_name) : entry->d_name[0] != '.') && !add_name(out, entry->d_name))
            status = LVL_ERR_MEMORY;
    }
    closedir(dir);
#endif
    return end_list(out, status);
}

lvl_status lvl_folder_list(lvl_file_list *out, const char *path, lvl_file_error *why)
{
    return list_names(out, path, false, why);
}

lvl_status lvl_folder_list_hidden(lvl_file_list *out, const char *path, lvl_file_error *why)
{
    return list_names(out, path, true, why);
}

lvl_status lvl_folder_make(const char *path, lvl_file_error *why)
{
    lvl_status status = LVL_OK;
    size_t len = strlen(path), made = 0; /* length of the first that was made; 0: none was */

    if (lvl_file_kind_of(path) == LVL_FILE_FOLDER)
        return LVL_OK;
    char *copy = lvl_text_copy((lvl_text){path, len});
    if (!copy)
        return LVL_ERR_MEMORY;
    for (size_t i = 1; i <= len && status == LVL_OK; i++) {
        if (copy[i] && !os_is_slash(copy[i]))
            continue;
        if (os_is_slash(copy[i - 1]) || (i == 2 && copy[1] == ':'))
            continue; /* doubled or trailing slash, a drive's name */
        char was = copy[i];
        copy[i] = 0;
        if (lvl_os_mkdir(copy) == 0) {
            made = made ? made : i;
        } else if (errno != EEXIST) {
            const int code = errno; /* some systems do not return EEXIST for an existing folder */
            if (lvl_file_kind_of(copy) != LVL_FILE_FOLDER) {
                errno = code;
                status = lvl_file_fail(why, "make the folder");
            }
        }
        copy[i] = was;
    }
    for (size_t i = len; made && status != LVL_OK && i >= made; i--) {
        if (copy[i] && !os_is_slash(copy[i]))
            continue;
        copy[i] = 0;
        (void)lvl_os_rmdir(copy);
    }
    if (status == LVL_OK && lvl_file_kind_of(path) != LVL_FILE_FOLDER) {
        errno = ENOTDIR;
        status = lvl_file_fail(why, "make the folder");
    }
    free(copy);
    return status;
}

/* ---- files that a program provides ------------------------------------------------------------------- */

lvl_file_kind lvl_files_kind(const lvl_files *files, const char *path)
{
    return files ? files->kind(files->user, path) : lvl_file_kind_of(path);
}

lvl_status lvl_files_read(const lvl_files *files, lvl_buffer *out, const char *path, uint64_t max)
{
    const size_t before = out->len;

    if (!files)
        return lvl_file_read(out, path, max, NULL);
    lvl_status status = files->read(files->user, path, out);
    if (status == LVL_OK)
        status = out->status;
    return status == LVL_OK && max && out->len - before > max ? LVL_ERR_LIMIT : status;
}

lvl_status lvl_files_list(const lvl_files *files, lvl_file_list *out, const char *path)
{
    lvl_buffer names = {0};

    if (!files)
        return lvl_folder_list(out, path, NULL);
    memset(out, 0, sizeof *out);
    lvl_status status = files->list(files->user, path, &names);
    if (lvl_buffer_reserve(&names, 1))
        names.data[names.len++] = 0; /* in case the last name has no NUL */
    if (status == LVL_OK)
        status = names.status;
    for (size_t at = 0; status == LVL_OK && at < names.len;) {
        const char *name = (const char *)names.data + at;
        const size_t size = strlen(name) + 1;
        at += size;
        if (size == 1 || *name == '.' || strchr(name, '/'))
            continue;
        if (!add_name(out, name))
            status = LVL_ERR_MEMORY;
    }
    free(names.data);
    return end_list(out, status);
}
