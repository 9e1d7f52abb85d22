/*
 * support/corpus.c: see support/corpus.h. POSIX (as far as mingw-w64 has it).
 */
#define _POSIX_C_SOURCE 200809L
#include "corpus.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_folder(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

const char *lvl_corpus_dir(void)
{
    const char *dir = getenv("LVL_CORPUS");

    if (!dir || !*dir)
        dir = "../shared/corpus";
    if (is_folder(dir))
        return dir;
    fprintf(stderr, "skipped: no corpus of real files (LVL_CORPUS)\n");
    return NULL;
}

const char *lvl_samples_dir(void)
{
    const char *dir = getenv("LVL_SAMPLES");

    if (!dir || !*dir)
        dir = "samples";
    return is_folder(dir) ? dir : NULL;
}

uint8_t *lvl_slurp(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    uint8_t *data = NULL;
    long size;

    if (!f)
        return NULL;
    if (fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) >= 0) {
        rewind(f);
        data = malloc((size_t)size + 1);
        *len = (size_t)size;
        if (data && fread(data, 1, *len, f) != *len) {
            free(data);
            data = NULL;
        }
    }
    fclose(f);
    return data;
}

bool lvl_slurp_ends(const char *path, uint8_t *head, size_t *head_len, uint8_t *tail, size_t *tail_len,
                    size_t size, uint64_t *total)
{
    FILE *f = fopen(path, "rb");
    long end;
    bool ok = false;

    if (!f)
        return false;
    *head_len = fread(head, 1, size, f);
    if (fseek(f, 0, SEEK_END) == 0 && (end = ftell(f)) >= 0) {
        *total = (uint64_t)end;
        if (fseek(f, (size_t)end > size ? end - (long)size : 0, SEEK_SET) == 0) {
            *tail_len = fread(tail, 1, size, f);
            ok = !ferror(f);
        }
    }
    fclose(f);
    return ok;
}

static bool same_ending(const char *a, const char *b, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        char x = a[i] >= 'A' && a[i] <= 'Z' ? (char)(a[i] + 32) : a[i];
        if (x != b[i])
            return false;
    }
    return true;
}

static bool wanted(const char *name, const char *endings)
{
    const char *dot = strrchr(name, '.');

    if (!endings)
        return true;
    if (!dot)
        return false;
    for (const char *e = endings; *e;) {
        size_t n = strcspn(e, " ");
        if (strlen(dot + 1) == n && same_ending(dot + 1, e, n))
            return true;
        e += n + strspn(e + n, " ");
    }
    return false;
}

static bool add_path(lvl_paths *out, char *path)
{
    if (out->count == out->cap) {
        size_t cap = out->cap ? out->cap * 2 : 256;
        char **items = realloc(out->items, cap * sizeof *items);
        if (!items)
            return false;
        out->items = items;
        out->cap = cap;
    }
    out->items[out->count++] = path;
    return true;
}

static bool walk(lvl_paths *out, const char *dir, const char *endings, int depth)
{
    DIR *d = opendir(dir);
    struct dirent *entry;
    bool ok = true;

    if (!d)
        return true; /* what cannot be opened is skipped */
    while (ok && (entry = readdir(d))) {
        struct stat st;
        size_t len = strlen(dir) + strlen(entry->d_name) + 2;
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        char *path = malloc(len);
        if (!path) {
            ok = false;
            break;
        }
        snprintf(path, len, "%s/%s", dir, entry->d_name);
#ifdef _WIN32
        int there = stat(path, &st);
#else
        int there = lstat(path, &st);
#endif
        if (there == 0 && S_ISDIR(st.st_mode) && depth < 40)
            ok = walk(out, path, endings, depth + 1);
        else if (there == 0 && S_ISREG(st.st_mode) && wanted(entry->d_name, endings) && add_path(out, path))
            path = NULL;
        free(path);
    }
    closedir(d);
    return ok;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

bool lvl_paths_below(lvl_paths *out, const char *dir, const char *endings)
{
    memset(out, 0, sizeof *out);
    bool ok = walk(out, dir, endings, 0);

    if (out->count)
        qsort(out->items, out->count, sizeof *out->items, by_name);
    return ok;
}

void lvl_paths_free(lvl_paths *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        free(paths->items[i]);
    free(paths->items);
    memset(paths, 0, sizeof *paths);
}

const char *lvl_path_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}
