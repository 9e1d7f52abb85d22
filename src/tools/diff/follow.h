/*
 * tools/diff/follow.h: paths in another state of a document.
 */
#ifndef LVL_TOOLS_DIFF_FOLLOW_H
#define LVL_TOOLS_DIFF_FOLLOW_H

#include <lvl/tools.h>

/* Writes the path in `b` of what each of `paths` names in `a`, another state of the same document, with other
 * indexes if items were added, removed or sorted: "actors[3].point" becomes "actors[5].point". Each has at
 * most one match in `a`. Items are paired as by lvl_diff, and an item that no other resembles by its place.
 * Each text ends with a NUL; an empty one: the item is gone, or `a` has none at that path. LVL_ERR_ARG: a bad
 * path, one with several matches, or `a` and `b` are of different formats. */
lvl_status lvl_paths_follow(const lvl_doc *a, const char *const *paths, size_t count, const lvl_doc *b,
                            lvl_buffer *out, lvl_findings *findings);

#endif
