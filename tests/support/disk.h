/*
 * support/disk.h: what lies in a folder of ours, to compare before and after, and to put back. Linux only, as
 * what needs it is.
 */
#ifndef LVL_TEST_DISK_H
#define LVL_TEST_DISK_H

#include <lvl/doc.h>

typedef struct lvl_disk_file {
    char *path; /* below the folder */
    lvl_buffer bytes;
} lvl_disk_file;

typedef struct lvl_disk {
    lvl_disk_file *files; /* not sorted */
    size_t count, cap;
} lvl_disk;

/* All files below the folder, hidden ones too. False without memory, or if one can't be read. */
bool lvl_disk_read(lvl_disk *out, const char *dir);
void lvl_disk_free(lvl_disk *tree);
/* NULL: none of that path. */
const lvl_disk_file *lvl_disk_find(const lvl_disk *tree, const char *path);
bool lvl_disk_same(const lvl_disk_file *a, const lvl_disk_file *b);
/* Makes the folder hold the tree's files as they were and nothing else (folders stay). `now`: what it holds,
 * as just read. */
bool lvl_disk_restore(const lvl_disk *tree, const lvl_disk *now, const char *dir);

#endif
