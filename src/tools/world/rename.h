/*
 * tools/world/rename.h: the names of files that a document mentions.
 */
#ifndef LVL_TOOLS_WORLD_RENAME_H
#define LVL_TOOLS_WORLD_RENAME_H

#include "base/format.h"

#include <lvl/tools.h>

/* The new name of a file, or an empty text if it keeps its name. Both are UTF-8, without folders; names
 * should be compared without regard to ASCII case. The result must be valid until the next call. */
typedef lvl_text (*lvl_new_name_fn)(void *user, lvl_text name);

/* Whether the file of a key at that place is renamed; appends what place->rest, the end of the key (in
 * UTF-8), becomes. */
typedef bool (*lvl_new_key_fn)(void *user, const lvl_file_place *place, lvl_buffer *rest);

/* A use of the name of a renamed file. */
typedef struct lvl_file_use {
    const lvl_where *where; /* the field */
    uint32_t line; /* of a script, counted from 1; 0: the whole field is the name */
    lvl_text name; /* as the document has it, in its code page */
    lvl_text to; /* what it becomes, in UTF-8 */
    bool changed; /* false: only reported, since it is in a script */
} lvl_file_use;

/* Anything but LVL_OK ends the visit and is its result. What `use` points to is valid during the call. */
typedef lvl_status (*lvl_file_use_fn)(void *user, const lvl_file_use *use);

/* Replaces the names of files that `new_name` renames, in each field that holds the name of a file
 * (LVL_F_FILE), or a name without its ending (LVL_F_STEM: `new_name` gets it with each ending of the
 * format). Strings in scripts that are exactly such a name (in quotes, or an argument without quotes), or
 * the name of an animation where a command expects one, are reported too, and changed if `scripts` is set.
 * `new_key` (may be NULL) is asked for the keys of files (lvl_format_calls.file_places). `report` may be
 * NULL; `user` is passed to all. `*changed` (may be NULL) gets the number of names that were changed.
 * LVL_ERR_ARG: the document's code page does not have a character of a new name that it needs. After an error
 * a part may be changed. */
lvl_status lvl_doc_rename(lvl_doc *doc, lvl_new_name_fn new_name, lvl_new_key_fn new_key, bool scripts,
                          lvl_file_use_fn report, void *user, size_t *changed);

#endif
