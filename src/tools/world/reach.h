/*
 * tools/world/reach.h: what players reach in many levels from one of them, on foot and by links and warps.
 * Levels are identified by the name of their file without its folder, without regard to ASCII case, as games
 * do. What scripts open, and how far a jump goes, is not known: everything is taken as reached that might be.
 */
#ifndef LVL_TOOLS_WORLD_REACH_H
#define LVL_TOOLS_WORLD_REACH_H

#include <lvl/doc.h>

typedef struct lvl_reach lvl_reach;

/* NULL without memory. The context must outlive it. */
lvl_reach *lvl_reach_new(const lvl_ctx *ctx);
void lvl_reach_free(lvl_reach *reach);
/* Adds a level, or a map of levels, whose edges then lead to the neighbours. `file` is any number of the
 * caller's own; of two files with one name the one with the lower number is used. The document isn't needed
 * afterwards. Not from two threads at a time, and not after lvl_reach_run. LVL_ERR_UNSUPPORTED: its format
 * has no links between levels. */
lvl_status lvl_reach_add(lvl_reach *reach, size_t file, const char *path, const lvl_doc *doc);
/* Follows everything from the level with that file name; players may begin anywhere in it. LVL_ERR_MISSING:
 * there is no such level. */
lvl_status lvl_reach_run(lvl_reach *reach, const char *start);
/* Adds what is not reached to `findings`: the level itself, or links and things of a reached level. */
void lvl_reach_report(const lvl_reach *reach, size_t file, lvl_findings *findings);
/* The number of levels, and of those that are reached. */
void lvl_reach_count(const lvl_reach *reach, size_t *levels, size_t *reached);

#endif
