/*
 * os/save_path.c: where a save writes. A symbolic link stays a link: its target is replaced. A file that is
 * saved below a folder must stay below it, whatever links are in its path.
 */
#include "os/save.h"
#include "os/locale.h"
#include "os/memory.h"

#ifndef _WIN32
#include <limits.h>
#endif

size_t lvl_save_folder_len(const char *path)
{
    size_t len = strlen(path);

    while (len && !os_is_slash(path[len - 1]))
        len--;
    return len;
}

char *lvl_save_folder_of(const char *path)
{
    const size_t len = lvl_save_folder_len(path);

    return lvl_text_copy(len ? (lvl_text){path, len} : (lvl_text){".", 1});
}

#ifdef _WIN32

/* See below. Names in two forms and junctions are left to the system. */
static bool is_plain(const char *path, size_t root)
{
    (void)path;
    (void)root;
    return false;
}

/* A broken link is returned as it is. */
char *lvl_save_follow(const char *path)
{
    wchar_t *real = lvl_os_is_link(path) ? lvl_os_real_wide(path) : NULL;
    char *at = real ? lvl_locale_narrow(real, false) : lvl_text_copy((lvl_text){path, strlen(path)});

    free(real);
    if (!at)
        errno = ENOMEM;
    return at;
}

/* The folder in which a save to `target` writes, without links; of one that does not exist yet, the last
 * folder around it that does. NULL with errno set. */
static wchar_t *real_folder(const char *target)
{
    char *folder = lvl_save_folder_of(target);
    wchar_t *real = NULL;

    errno = ENOMEM;
    while (folder && !(real = lvl_os_real_wide(folder)) && errno == ENOENT) {
        size_t len = strlen(folder);
        while (len && os_is_slash(folder[len - 1]))
            len--;
        while (len && !os_is_slash(folder[len - 1]))
            len--;
        if (len) {
            folder[len] = 0;
        } else if (strcmp(folder, ".") != 0) {
            free(folder);
            folder = lvl_text_copy((lvl_text){".", 1});
        } else {
            break;
        }
    }
    const int code = errno;
    free(folder);
    errno = real ? 0 : code;
    return real;
}

/* Like lvl_file_stays_below, for `target`, a path without links. */
static bool leads_below(const char *target, const char *path, size_t root)
{
    char *named = lvl_text_copy((lvl_text){path, root});
    wchar_t *outer = named ? lvl_os_real_wide(named) : NULL;
    const bool missing = named && !outer && errno == ENOENT; /* the folder will be created */
    wchar_t *inner = outer ? real_folder(target) : NULL;
    const bool unknown = !missing && !inner && errno == ENOMEM;
    size_t len = outer ? wcslen(outer) : 0;

    while (len && os_is_slash((char)outer[len - 1])) /* the slash after a drive */
        len--;
    const bool below = missing || unknown ||
                       (inner && wcslen(inner) >= len && _wcsnicmp(inner, outer, len) == 0 &&
                        (!inner[len] || os_is_slash((char)inner[len])));
    free(named);
    free(outer);
    free(inner);
    return below;
}

/* Windows cannot open a file relative to its folder, so a link created meanwhile is followed. */
char *lvl_save_follow_below(const char *path, size_t root, bool hold, int *folder)
{
    char *target = lvl_save_follow(path);

    (void)hold;
    *folder = -1;
    if (!target)
        return NULL;
    errno = 0;
    const bool below = leads_below(target, path, root), unknown = errno == ENOMEM;
    if (below && !unknown)
        return target;
    free(target);
    errno = unknown ? ENOMEM : EPERM;
    return NULL;
}

#else

char *lvl_save_follow(const char *path)
{
    char *at = lvl_text_copy((lvl_text){path, strlen(path)});
    char link_to[4096];

    for (int hops = 0; at; hops++) {
        ssize_t n = readlink(at, link_to, sizeof link_to);
        if (n < 0)
            return at; /* not a link, or it does not exist */
        if (n == (ssize_t)sizeof link_to || hops == 40) {
            free(at);
            errno = ELOOP;
            return NULL;
        }
        size_t dir = link_to[0] == '/' ? 0 : lvl_save_folder_len(at);
        char *next = malloc(dir + (size_t)n + 1);
        if (next) {
            memcpy(next, at, dir);
            memcpy(next + dir, link_to, (size_t)n);
            next[dir + (size_t)n] = 0;
        }
        struct stat end;
        if (next && access(next, F_OK) != 0 && stat(at, &end) == 0 && !S_ISREG(end.st_mode) &&
            !S_ISDIR(end.st_mode)) {
            free(next); /* a pipe without a name, as /dev/fd/63 of a shell: its link has none to follow */
            return at;
        }
        free(at);
        at = next;
    }
    errno = ENOMEM;
    return NULL;
}

/* A path without links, to be freed; NULL with errno set. */
static char *real_path(const char *path)
{
    char real[PATH_MAX];

    return realpath(path, real) ? lvl_text_copy((lvl_text){real, strlen(real)}) : NULL;
}

/* The path of the folder `inner` relative to `root`, both without links: "" or "a/b"; NULL: it is not below
 * it. */
static const char *rest_below(const char *inner, const char *root)
{
    const size_t len = strcmp(root, "/") == 0 ? 0 : strlen(root);

    if (strncmp(inner, root, len) != 0 || (inner[len] && inner[len] != '/'))
        return NULL;
    return inner + len + (inner[len] == '/');
}

/* The folder in which a save to `path` writes, without links; of one that does not exist yet, the last
 * folder around it that does. NULL with errno set. */
static char *real_folder(const char *target)
{
    enum { MAX_STEPS = 4096 };
    char *folder = lvl_save_folder_of(target);

    for (int steps = 0; folder && steps < MAX_STEPS; steps++) {
        char *real = real_path(folder);
        if (real || (errno != ENOENT && errno != ENOTDIR)) {
            free(folder);
            return real;
        }
        size_t len = strlen(folder);
        while (len > 1 && folder[len - 1] == '/')
            folder[--len] = 0;
        char *place = lvl_save_follow(folder); /* also follows a broken link */
        char *parent = place ? lvl_save_folder_of(place) : NULL;
        free(place);
        free(folder);
        folder = parent;
    }
    errno = folder ? ELOOP : ENOMEM;
    free(folder);
    return NULL;
}

/* Whether no part of the path below its root is a link, and none is ".." or empty; parts may be missing. Most
 * paths are like this, and need no other look at the folders around them. */
static bool is_plain(const char *path, size_t root)
{
    char part[PATH_MAX], link_to[1];

    for (size_t end, at = root + (path[root] == '/'); path[at]; at = end + (path[end] == '/')) {
        end = at + strcspn(path + at, "/");
        if (end == at || end >= sizeof part || strncmp(path + at, "..", end - at) == 0)
            return false;
        memcpy(part, path, end);
        part[end] = 0;
        if (readlink(part, link_to, sizeof link_to) >= 0 || (errno != EINVAL && errno != ENOENT))
            return false;
    }
    return true;
}

/* Like lvl_file_stays_below, for `target`, a path without links. */
static bool leads_below(const char *target, const char *path, size_t root)
{
    char *named = lvl_text_copy((lvl_text){path, root}), *outer = named ? real_path(named) : NULL;
    const bool missing = named && !outer && errno == ENOENT; /* the folder will be created */
    char *inner = outer ? real_folder(target) : NULL;
    /* out of memory: unknown here, the save will report it */
    const bool unknown = !missing && !inner && errno == ENOMEM;
    const bool below = missing || unknown || (inner && rest_below(inner, outer));

    free(named);
    free(outer);
    free(inner);
    return below;
}

/* Opens the folder `rest` below `root`; an error if a part of the path has become a link meanwhile. -1 with
 * errno set. */
static int open_below(const char *root, const char *rest)
{
    int fd = open(root, OS_SEARCH | O_CLOEXEC);

    while (fd >= 0 && *rest) {
        char part[NAME_MAX + 1];
        const size_t len = strcspn(rest, "/");
        if (len > NAME_MAX) {
            lvl_os_close(fd);
            errno = ENAMETOOLONG;
            return -1;
        }
        memcpy(part, rest, len);
        part[len] = 0;
        const int next = openat(fd, part, OS_SEARCH | O_NOFOLLOW | O_CLOEXEC);
        lvl_os_close(fd);
        fd = next;
        rest += len + (rest[len] == '/');
    }
    return fd;
}

/* The path of a file in the folder `path`. With `hold` it names the folder by its open file, where the system
 * can. NULL with errno: out of memory. */
static char *path_in(const char *path, const char *name, bool hold, int folder)
{
    char self[40];
    os_stat st;

    snprintf(self, sizeof self, "/proc/self/fd/%d", folder);
    const char *place = hold && stat(self, &st) == 0 ? self : path;
    const size_t size = strlen(place) + strlen(name) + 2;
    char *result = malloc(size);
    if (result)
        snprintf(result, size, "%s/%s", place, name);
    return result;
}

/* lvl_save_follow_below for a path with links. */
static char *follow_links_below(const char *path, size_t root, bool hold, int *folder)
{
    char *named = lvl_text_copy((lvl_text){path, root}), *outer = named ? real_path(named) : NULL;
    char *target = outer ? lvl_save_follow(path) : NULL, *dir = target ? lvl_save_folder_of(target) : NULL;
    char *inner = dir ? real_path(dir) : NULL; /* errno is from the first failure */
    const char *rest = inner ? rest_below(inner, outer) : NULL;
    char *result = NULL;

    *folder = rest ? open_below(outer, rest) : -1;
    if (inner && !rest)
        errno = EPERM;
    if (*folder >= 0)
        result = path_in(inner, target + lvl_save_folder_len(target), hold, *folder);
    const int code = errno;
    free(target);
    free(named);
    free(dir);
    free(outer);
    free(inner);
    errno = code;
    return result;
}

/* The same for a path without them. */
static char *follow_plain_below(const char *path, size_t root, bool hold, int *folder)
{
    const size_t len = lvl_save_folder_len(path), from = root + (path[root] == '/');
    char *outer = lvl_text_copy((lvl_text){path, root});
    char *dir = lvl_text_copy((lvl_text){path, len > from ? len - 1 : from});
    char *result = NULL;

    *folder = outer && dir ? open_below(outer, dir + from) : -1;
    if (*folder >= 0)
        result = path_in(dir, path + len, hold, *folder);
    const int code = outer && dir ? errno : ENOMEM;
    free(outer);
    free(dir);
    errno = code;
    return result;
}

char *lvl_save_follow_below(const char *path, size_t root, bool hold, int *folder)
{
    char *const result = is_plain(path, root) ? follow_plain_below(path, root, hold, folder)
                                              : follow_links_below(path, root, hold, folder);

    if (*folder >= 0 && !hold) {
        lvl_os_close(*folder);
        *folder = -1;
    }
    return result;
}

#endif

bool lvl_file_stays_below(const char *path, size_t root)
{
    if (!root || is_plain(path, root))
        return true;
    char *target = lvl_save_follow(path);
    const bool below = target ? leads_below(target, path, root) : errno == ENOMEM;

    free(target);
    return below;
}

/* ---- which file a save replaces ---------------------------------------------------------------------- */

/* The file's number on disk, and how many names it has. */
static uint32_t put_number(const os_version *st, char text[64])
{
#ifdef _WIN32
    snprintf(text, 64, "%lx:%lx%08lx", st->dwVolumeSerialNumber, st->nFileIndexHigh, st->nFileIndexLow);
    return st->nNumberOfLinks;
#else
    snprintf(text, 64, "%llu:%llu", (unsigned long long)st->st_dev, (unsigned long long)st->st_ino);
    return st->st_nlink < UINT32_MAX ? (uint32_t)st->st_nlink : UINT32_MAX;
#endif
}

char *lvl_file_entry_id(const char *path)
{
    char number[64];
    os_version st;

    if (lvl_os_find_version(path, &st) && put_number(&st, number) == 1)
        return lvl_text_copy((lvl_text){number, strlen(number)});
    /* one of several names, or none yet: its folder, and the name there */
    char *at = lvl_save_follow(path), *folder = at ? lvl_save_folder_of(at) : NULL;
    const bool known = folder && lvl_os_find_version(folder, &st);
    if (known)
        put_number(&st, number);
    const char *name = known ? lvl_file_name(at) : path;
    const size_t len = known ? strlen(number) : 0, rest = strlen(name) + 1;
    char *id = malloc(len + 1 + rest);
    if (id) {
        memcpy(id, number, len);
        id[len] = '/';
        memcpy(id + len + 1, name, rest);
    }
    free(at);
    free(folder);
    return id;
}
