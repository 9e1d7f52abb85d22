/*
 * support/world_make.h: a small world of our own on disk: a map of 3 by 2 places, three levels that are
 * there.
 */
#ifndef LVL_TEST_WORLD_MAKE_H
#define LVL_TEST_WORLD_MAKE_H

#include <lvl/doc.h>

/* A folder for tests below TMPDIR, made if it isn't there. */
bool world_folder(char *out, size_t size, const char *name);
/* A text file in it. */
bool world_save(const char *folder, const char *name, const char *text);
/* A text level whose board is made of one tile ("AB": 1); `rest`: its other lines. */
bool world_level(const char *folder, const char *name, const char *tile, const char *rest);
/* The world: map.gmap, with a.nw and b.nw (whose file is B.nw) in the upper row, c.nw in the lower one, and
 * places for levels that aren't there, aren't levels, or lie elsewhere. */
bool world_make(const char *folder);

#endif
