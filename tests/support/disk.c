/*
 * support/disk.c: see support/disk.h.
 */
#define _DEFAULT_SOURCE
#include "disk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool lvl_disk_same(const lvl_disk_file *a, const lvl_disk_file *b)
{
    return a && b && a->bytes.len == b->bytes.len &&
           (!a->bytes.len || !memcmp(a->bytes.data, b->bytes.data, a->bytes.len));
}

const lvl_disk_file *lvl_disk_find(const lvl_disk *tree, const char *path)
{
    for (size_t i = 0; i < tree->count; i++) {
        if (!strcmp(tree->files[i].path, path))
            return &tree->files[i];
    }
    return NULL;
}

void lvl_disk_free(lvl_disk *tree)
{
    for (size_t i = 0; i < tree->count; i++) {
        free(tree->files[i].path);
        lvl_buffer_free(&tree->files[i].bytes);
    }
    free(tree->files);
    memset(tree, 0, sizeof *tree);
}

#ifdef __linux__

#include <dirent.h>
#include <sys/stat.h>

static bool read_file(lvl_disk *tree, const char *full, const char *path)
{
    uint8_t block[4096];
    size_t n;

    if (tree->count == tree->cap) {
        const size_t cap = tree->cap ? tree->cap * 2 : 32;
        lvl_disk_file *files = realloc(tree->files, cap * sizeof *files);
        if (!files)
            return false;
        tree->files = files;
        tree->cap = cap;
    }
    lvl_disk_file *file = &tree->files[tree->count];
    memset(file, 0, sizeof *file);
    file->path = malloc(strlen(path) + 1);
    if (!file->path)
        return false;
    memcpy(file->path, path, strlen(path) + 1);
    tree->count++;
    FILE *f = fopen(full, "rb");
    if (!f)
        return false;
    while ((n = fread(block, 1, sizeof block, f)) > 0)
        lvl_buffer_add(&file->bytes, block, n);
    fclose(f);
    return file->bytes.status == LVL_OK;
}

static bool read_below(lvl_disk *tree, const char *dir, size_t skip)
{
    DIR *d = opendir(dir);
    const struct dirent *e;
    struct stat st;
    char full[1024];
    bool good = d != NULL;

    while (good && (e = readdir(d)) != NULL) { /* NOLINT(concurrency-mt-unsafe) */
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
            continue;
        snprintf(full, sizeof full, "%s/%s", dir, e->d_name);
        good = stat(full, &st) == 0 &&
               (S_ISDIR(st.st_mode) ? read_below(tree, full, skip) : read_file(tree, full, full + skip));
    }
    if (d)
        closedir(d);
    return good;
}

bool lvl_disk_read(lvl_disk *out, const char *dir)
{
    memset(out, 0, sizeof *out);
    return read_below(out, dir, strlen(dir) + 1);
}

bool lvl_disk_restore(const lvl_disk *tree, const lvl_disk *now, const char *dir)
{
    char full[1024];
    bool good = true;

    for (size_t i = 0; i < now->count; i++) {
        snprintf(full, sizeof full, "%s/%s", dir, now->files[i].path);
        if (!lvl_disk_find(tree, now->files[i].path))
            good = remove(full) == 0 && good;
    }
    for (size_t i = 0; i < tree->count; i++) {
        const lvl_disk_file *file = &tree->files[i];
        if (lvl_disk_same(file, lvl_disk_find(now, file->path)))
            continue;
        snprintf(full, sizeof full, "%s/%s", dir, file->path);
        FILE *f = fopen(full, "wb");
        good = f && fwrite(file->bytes.data, 1, file->bytes.len, f) == file->bytes.len && good;
        if (f)
            fclose(f);
    }
    return good;
}

#else

bool lvl_disk_read(lvl_disk *out, const char *dir)
{
    (void)dir;
    memset(out, 0, sizeof *out);
    return false;
}

bool lvl_disk_restore(const lvl_disk *tree, const lvl_disk *now, const char *dir)
{
    (void)tree, (void)now, (void)dir;
    return false;
}

#endif
