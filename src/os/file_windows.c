/*
 * os/file_windows.c: see file_os.h. Calls the W functions of Windows, since the others depend on the code
 * page.
 */
#include "os/file_os.h"

#ifdef _WIN32

#include <direct.h>

wchar_t *lvl_os_wide(const char *path)
{
    enum { MAX_PLAIN = 240, PREFIX = 8 };
    UINT page = CP_UTF8;
    int n = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0);

    if (!n) {
        page = CP_ACP;
        n = MultiByteToWideChar(CP_ACP, 0, path, -1, NULL, 0);
    }
    wchar_t *wide = n > 0 ? malloc((size_t)n * sizeof *wide) : NULL;
    errno = n > 0 ? ENOMEM : EINVAL;
    if (!wide || !MultiByteToWideChar(page, 0, path, -1, wide, n)) {
        free(wide);
        return NULL;
    }
    if (wcsncmp(wide, L"\\\\?\\", 4) == 0 || wcsncmp(wide, L"\\\\.\\", 4) == 0)
        return wide;
    const DWORD size = GetFullPathNameW(wide, 0, NULL, NULL);
    if (size < MAX_PLAIN)
        return wide;
    wchar_t *full = size ? malloc((size + PREFIX) * sizeof *full) : NULL;
    wchar_t *at = full ? full + PREFIX : NULL;
    if (!full || !GetFullPathNameW(wide, size, at, NULL)) {
        free(full);
        return wide;
    }
    free(wide);
    /* //server/share becomes //?/UNC/server/share (with backslashes) */
    const bool share = wcsncmp(at, L"\\\\", 2) == 0;
    const wchar_t *prefix = share ? L"\\\\?\\UNC" : L"\\\\?\\";
    const size_t len = wcslen(prefix);
    at += share; /* one of its two backslashes ends the prefix */
    memcpy(full, prefix, len * sizeof *prefix);
    memmove(full + len, at, (wcslen(at) + 1) * sizeof *at);
    return full;
}

/* Frees the path of a call; returns the call's result, with its errno. */
static int end_call(wchar_t *wide, int result)
{
    const int code = errno;

    free(wide);
    errno = code;
    return result;
}

static int stat_wide(const char *path, os_stat *st)
{
    wchar_t *wide = lvl_os_wide(path);

    return end_call(wide, wide ? _wstat64(wide, st) : -1);
}

int lvl_os_stat_path(const char *path, os_stat *st)
{
    size_t len = strlen(path);

    if (len < 2 || !os_is_slash(path[len - 1]) || path[len - 2] == ':')
        return stat_wide(path, st);
    /* _stat64 does not accept "folder/"; "file/" must fail unless it is a folder */
    while (len > 1 && os_is_slash(path[len - 1]) && path[len - 2] != ':')
        len--;
    char *bare = malloc(len + 1);
    if (!bare)
        return -1;
    memcpy(bare, path, len);
    bare[len] = 0;
    int result = stat_wide(bare, st);
    free(bare);
    if (result == 0 && (st->st_mode & S_IFMT) != S_IFDIR) {
        errno = ENOTDIR;
        result = -1;
    }
    return result;
}

int lvl_os_fstat(int fd, os_stat *st)
{
    return _fstat64(fd, st);
}

/* The C library reports EACCES for a file that another program has open; this function reports EBUSY. */
int lvl_os_open(const char *path, int flags, int mode)
{
    wchar_t *wide = lvl_os_wide(path);
    const int fd = wide ? _wopen(wide, flags, mode ? _S_IREAD | _S_IWRITE : 0) : -1;
    const DWORD error = fd < 0 ? GetLastError() : 0;
    const int code =
        wide && (error == ERROR_SHARING_VIOLATION || error == ERROR_LOCK_VIOLATION) ? EBUSY : errno;

    free(wide);
    errno = code;
    return fd;
}

int lvl_os_close(int fd)
{
    return _close(fd);
}

long lvl_os_read(int fd, void *buf, size_t size)
{
    return _read(fd, buf, (unsigned)size);
}

long lvl_os_write(int fd, const void *buf, size_t size)
{
    return _write(fd, buf, (unsigned)size);
}

long lvl_os_read_at(int fd, void *buf, size_t size, uint64_t offset)
{
    OVERLAPPED at = {0};
    DWORD got = 0;

    at.Offset = (DWORD)offset;
    at.OffsetHigh = (DWORD)(offset >> 32);
    if (!ReadFile((HANDLE)_get_osfhandle(fd), buf, (DWORD)size, &got, &at) &&
        GetLastError() != ERROR_HANDLE_EOF) {
        errno = EIO;
        return -1;
    }
    return (long)got;
}

int lvl_os_mkdir(const char *path)
{
    wchar_t *wide = lvl_os_wide(path);

    return end_call(wide, wide ? _wmkdir(wide) : -1);
}

int lvl_os_rmdir(const char *path)
{
    wchar_t *wide = lvl_os_wide(path);

    return end_call(wide, wide ? _wrmdir(wide) : -1);
}

int lvl_os_flush(int fd)
{
    return _commit(fd);
}

int lvl_os_unlink(const char *path)
{
    wchar_t *wide = lvl_os_wide(path);

    return end_call(wide, wide ? _wunlink(wide) : -1);
}

/* Whether the file cannot be replaced because another program has it open, which Windows reports as access
 * denied. */
static bool is_busy(const wchar_t *path)
{
    const HANDLE file = CreateFileW(path, DELETE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                    NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);

    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    return file == INVALID_HANDLE_VALUE && GetLastError() == ERROR_SHARING_VIOLATION;
}

/* Renames. The new file gets the attributes of the one it replaces; a read-only file is replaced like any
 * other, as on POSIX. Virus scanners, indexers and other runs of lvl open a file for a moment, so a busy file
 * is tried again. So is one with access denied, which may have been busy just before. */
static int move(const char *from, const char *to, DWORD flags)
{
    enum { TRIES = 6, FIRST_WAIT_MS = 10 };
    const DWORD kept = FILE_ATTRIBUTE_READONLY | FILE_ATTRIBUTE_HIDDEN | FILE_ATTRIBUTE_SYSTEM;
    wchar_t *wide_from = lvl_os_wide(from), *wide_to = lvl_os_wide(to);
    const DWORD was =
        wide_to && flags & MOVEFILE_REPLACE_EXISTING ? GetFileAttributesW(wide_to) : INVALID_FILE_ATTRIBUTES;
    const bool marked = was != INVALID_FILE_ATTRIBUTES && was & kept;
    bool done = false, busy = false, again = true;
    DWORD error = ERROR_NOT_ENOUGH_MEMORY;

    if (marked && was & FILE_ATTRIBUTE_READONLY)
        SetFileAttributesW(wide_to, was & ~(DWORD)FILE_ATTRIBUTE_READONLY);
    for (unsigned i = 0; i < TRIES && wide_from && wide_to && !done && again; i++) {
        if (i)
            Sleep(FIRST_WAIT_MS << (i - 1));
        done = MoveFileExW(wide_from, wide_to, flags | MOVEFILE_WRITE_THROUGH);
        error = GetLastError();
        again = error == ERROR_SHARING_VIOLATION || error == ERROR_ACCESS_DENIED;
        busy = !done && again && (error == ERROR_SHARING_VIOLATION || is_busy(wide_to) || is_busy(wide_from));
    }
    if (marked)
        SetFileAttributesW(wide_to, was);
    const bool memory = !wide_from || !wide_to;
    free(wide_from);
    free(wide_to);
    if (done)
        return 0;
    errno = memory                                                           ? ENOMEM
            : busy                                                           ? EBUSY
            : error == ERROR_ALREADY_EXISTS || error == ERROR_FILE_EXISTS    ? EEXIST
            : error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND ? ENOENT
            : error == ERROR_DISK_FULL || error == ERROR_HANDLE_DISK_FULL    ? ENOSPC
                                                                             : EACCES;
    return -1;
}

int lvl_os_replace(const char *from, const char *to)
{
    return move(from, to, MOVEFILE_REPLACE_EXISTING);
}

int lvl_os_place(const char *from, const char *to)
{
    return move(from, to, 0);
}

void lvl_os_binary(int fd)
{
    _setmode(fd, _O_BINARY);
}

/* An os_version has the identity of the file or folder on disk, independent of its path (of any length, in
 * any case, or a link), its size, and its times in units of 100 ns. */
static HANDLE open_place(const char *path)
{
    wchar_t *wide = lvl_os_wide(path);
    const HANDLE file = wide ? CreateFileW(wide, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                           NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL)
                             : INVALID_HANDLE_VALUE;

    free(wide);
    return file;
}

bool lvl_os_find_version(const char *path, os_version *version)
{
    const HANDLE file = open_place(path);
    const bool found = file != INVALID_HANDLE_VALUE && GetFileInformationByHandle(file, version);

    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    return found;
}

bool lvl_os_version_of(int fd, os_version *version)
{
    return GetFileInformationByHandle((HANDLE)_get_osfhandle(fd), version);
}

bool lvl_os_is_same_file(const os_version *a, const os_version *b)
{
    return a->dwVolumeSerialNumber == b->dwVolumeSerialNumber && a->nFileIndexHigh == b->nFileIndexHigh &&
           a->nFileIndexLow == b->nFileIndexLow;
}

bool lvl_os_is_unchanged(const os_version *was, const os_version *now)
{
    return lvl_os_is_same_file(was, now) && was->nFileSizeLow == now->nFileSizeLow &&
           was->nFileSizeHigh == now->nFileSizeHigh &&
           CompareFileTime(&was->ftLastWriteTime, &now->ftLastWriteTime) == 0;
}

wchar_t *lvl_os_real_wide(const char *path)
{
    const HANDLE file = open_place(path);
    const bool missing = file == INVALID_HANDLE_VALUE &&
                         (GetLastError() == ERROR_FILE_NOT_FOUND || GetLastError() == ERROR_PATH_NOT_FOUND);
    const DWORD size = file == INVALID_HANDLE_VALUE ? 0 : GetFinalPathNameByHandleW(file, NULL, 0, 0);
    wchar_t *real = size ? malloc(((size_t)size + 1) * sizeof *real) : NULL;

    errno = missing ? ENOENT : size ? ENOMEM : EACCES;
    if (real && !GetFinalPathNameByHandleW(file, real, size + 1, 0)) {
        free(real);
        real = NULL;
        errno = EACCES;
    }
    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    return real;
}

bool lvl_os_is_link(const char *path)
{
    WIN32_FIND_DATAW entry;
    wchar_t *wide = lvl_os_wide(path);
    const HANDLE find = wide ? FindFirstFileW(wide, &entry) : INVALID_HANDLE_VALUE;

    free(wide);
    if (find == INVALID_HANDLE_VALUE)
        return false;
    FindClose(find);
    return entry.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT &&
           (entry.dwReserved0 == IO_REPARSE_TAG_SYMLINK || entry.dwReserved0 == IO_REPARSE_TAG_MOUNT_POINT);
}

void lvl_os_sleep(unsigned milliseconds)
{
    Sleep(milliseconds);
}

/* Need not be strong: the folder of temporary files belongs to the user. */
bool lvl_os_random(uint64_t *number)
{
    LARGE_INTEGER ticks;

    QueryPerformanceCounter(&ticks);
    *number = (uint64_t)ticks.QuadPart ^ ((uint64_t)GetCurrentProcessId() << 40);
    return true;
}

bool lvl_os_is_alive(unsigned long process)
{
    HANDLE handle = OpenProcess(SYNCHRONIZE, FALSE, (DWORD)process);

    if (!handle)
        return GetLastError() != ERROR_INVALID_PARAMETER;
    CloseHandle(handle);
    return true;
}

bool lvl_os_is_own(const char *path, int64_t *time)
{
    os_stat st;

    if (lvl_os_stat_path(path, &st) != 0 || (st.st_mode & S_IFMT) != S_IFREG)
        return false;
    *time = (int64_t)st.st_mtime;
    return true;
}

#endif
