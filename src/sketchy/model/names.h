/*
 * sketchy/model/names.h: sorted texts of records, to look up records by them: files by path, actors by id;
 * and the keys of chunks.
 */
#ifndef LVL_SKETCHY_MODEL_NAMES_H
#define LVL_SKETCHY_MODEL_NAMES_H

#include "base/text.h"

#include <lvl/sketchy.h>

typedef struct lvl_names {
    lvl_sort_key *list; /* sorted by name, those of one name by index */
    uint32_t count;
} lvl_names;

/* The text at `offset` of each of `count` records of `size` bytes. The caller frees them, whatever is
 * returned. LVL_ERR_MEMORY. */
lvl_status lvl_names_of(lvl_names *names, const void *records, uint32_t count, size_t size, size_t offset);
/* The paths of files below a folder ("levels/"), without that folder. */
lvl_status lvl_names_below(lvl_names *names, const lvl_sketchy_file *files, uint32_t count,
                           const char *folder);
/* The position in the list of the first of that name; `count`: none. */
uint32_t lvl_names_find(const lvl_names *names, lvl_text name);
static inline bool lvl_names_has(const lvl_names *names, lvl_text name)
{
    return lvl_names_find(names, name) < names->count;
}
/* The index of the last record of that name; LVL_NO_INDEX: none. */
uint32_t lvl_names_last(const lvl_names *names, lvl_text name);
void lvl_names_free(lvl_names *names);

/* Parses "3,-1", each number as Go's Atoi does; false: not a chunk's key. */
bool lvl_sketchy_key(lvl_text key, int32_t *x, int32_t *y);
/* The part of a file's path after the folder; empty if it is not a file in that folder. */
lvl_text lvl_path_below(lvl_text path, const char *folder);

#endif
