/*
 * base/path.c: paths in archives and folders: compares and splits them, and checks which are safe to create
 * on disk.
 */
#include "base/text.h"

#include <string.h>

static unsigned fold(char c)
{
    if (c == '/' || c == '\\')
        return 1; /* sorts after the end of a path, before any character of a name */
    return (unsigned char)lvl_lower(c);
}

int lvl_path_compare(const char *a, const char *b)
{
    while (*a && *b && fold(*a) == fold(*b)) {
        a++;
        b++;
    }
    unsigned x = *a ? fold(*a) : 0, y = *b ? fold(*b) : 0;
    return (x > y) - (x < y);
}

static bool is_slash(char c)
{
    return c == '/' || c == '\\';
}

lvl_text lvl_path_last(lvl_text path)
{
    size_t at = path.len;

    while (at && !is_slash(path.ptr[at - 1]))
        at--;
    return at ? (lvl_text){path.ptr + at, path.len - at} : path;
}

lvl_text lvl_path_part(const char *path, const char **rest)
{
    lvl_text part;

    while (is_slash(*path))
        path++;
    part.ptr = path;
    while (*path && !is_slash(*path))
        path++;
    part.len = (size_t)(path - part.ptr);
    while (is_slash(*path))
        path++;
    *rest = path;
    return part;
}

/* Names that are devices on Windows, with any extension. */
static bool is_device(lvl_text name)
{
    static const char *const devices[] = {"con", "prn", "aux", "nul", "com", "lpt"};
    lvl_text stem = {name.ptr, 0};

    while (stem.len < name.len && name.ptr[stem.len] != '.')
        stem.len++;
    while (stem.len && stem.ptr[stem.len - 1] == ' ')
        stem.len--;
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        lvl_text device = lvl_text_of(devices[i]), head = stem;
        bool numbered = i >= 4;
        if (numbered && stem.len == 4 && stem.ptr[3] >= '0' && stem.ptr[3] <= '9')
            head.len = 3;
        else if (numbered)
            continue;
        if (lvl_text_equal_nocase(head, device))
            return true;
    }
    return false;
}

bool lvl_path_safe(const char *path)
{
    if (!*path || is_slash(*path))
        return false;
    while (*path) {
        size_t n = strcspn(path, "/\\");
        const lvl_text part = {path, n};
        if (n == 0 || path[n - 1] == '.' || path[n - 1] == ' ' || memchr(path, ':', n) || is_device(part))
            return false; /* "." and ".."; Windows removes dots and blanks at the end */
        for (size_t i = 0; i < n; i++) {
            if ((unsigned char)path[i] < 0x20 || path[i] == 0x7F)
                return false;
        }
        path += n;
        if (*path && !*++path)
            return false;
    }
    return true;
}
