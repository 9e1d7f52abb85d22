/*
 * support/disk.h: the content of a folder of the test, to compare it before and after, and to restore it.
 * Linux only, like the tests that use it.
 */
#ifndef LVL_TEST_DISK_H
#define LVL_TEST_DISK_H

#include <lvl/doc.h>

typedef struct lvl_disk_file {
    char *path; /* path below the folder */
    lvl_buffer bytes;
} lvl_disk_file;

typedef struct lvl_disk {
    lvl_disk_file *files; /* not sorted */
    size_t count, cap;
} lvl_disk;

/* All files below the folder, hidden ones too. False without memory, or if one cannot be read. */
bool lvl_disk_read(lvl_disk *out, const char *dir);
void lvl_disk_free(lvl_disk *tree);
/* NULL: there is no such path. */
const lvl_disk_file *lvl_disk_find(const lvl_disk *tree, const char *path);
bool lvl_disk_same(const lvl_disk_file *a, const lvl_disk_file *b);
/* Restores the folder: afterwards it has exactly the files of the tree (folders stay). `now`: its present
 * content, just read. */
bool lvl_disk_restore(const lvl_disk *tree, const lvl_disk *now, const char *dir);

#endif
