/*
 * support/world_make.h: a small world on disk: a map of 3 by 2 places and three levels.
 */
#ifndef LVL_TEST_WORLD_MAKE_H
#define LVL_TEST_WORLD_MAKE_H

#include <lvl/doc.h>

/* A folder for tests below TMPDIR, created if it does not exist. */
bool world_folder(char *out, size_t size, const char *name);
/* A text file in it. */
bool world_save(const char *folder, const char *name, const char *text);
/* A text level whose board has one tile ("AB": 1); `rest`: its other lines. */
bool world_level(const char *folder, const char *name, const char *tile, const char *rest);
/* The world: map.gmap, with a.nw and b.nw (the file is called B.nw) in the upper row, c.nw in the lower
 * one, and places for names that do not exist, are no levels, or are in another folder. */
bool world_make(const char *folder);

#endif
