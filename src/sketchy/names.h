/*
 * sketchy/names.h: texts of records in order, to find records by them: files by their paths, actors by ids.
 */
#ifndef LVL_SKETCHY_NAMES_H
#define LVL_SKETCHY_NAMES_H

#include "base/text.h"

#include <lvl/sketchy.h>

typedef struct lvl_names {
    lvl_sort_key *list; /* sorted by name, those of one name by index */
    uint32_t count;
} lvl_names;

/* The texts at `offset` in each of `count` records of `size` bytes. Freed by the caller in any case.
 * LVL_ERR_MEMORY. */
lvl_status lvl_names_of(lvl_names *names, const void *records, uint32_t count, size_t size, size_t offset);
/* The paths of files below a folder ("levels/"), without it. */
lvl_status lvl_names_below(lvl_names *names, const lvl_sketchy_file *files, uint32_t count,
                           const char *folder);
/* The place in the list of the first of that name; `count`: there is none. */
uint32_t lvl_names_find(const lvl_names *names, lvl_text name);
static inline bool lvl_names_has(const lvl_names *names, lvl_text name)
{
    return lvl_names_find(names, name) < names->count;
}
/* The index of the last record of that name; LVL_NO_INDEX: there is none. */
uint32_t lvl_names_last(const lvl_names *names, lvl_text name);
void lvl_names_free(lvl_names *names);

/* What follows the folder in a file's path; empty if the path isn't a file's there. */
lvl_text lvl_path_below(lvl_text path, const char *folder);

#endif
