/*
 * tools/edit/script_names.h: where scripts name files: in strings, and in arguments without quotes
 * (`setimg door.png;`). Some commands of a format name files without their ending.
 */
#ifndef LVL_TOOLS_EDIT_SCRIPT_NAMES_H
#define LVL_TOOLS_EDIT_SCRIPT_NAMES_H

#include "base/format.h"

/* A walk over the places where a name may begin; begins with `text` alone. Strings end with their line;
 * outside of strings `//` begins a comment. */
typedef struct lvl_script_walk {
    lvl_text text;
    size_t at; /* the place */
    char quote; /* that the name there is in; 0: an argument without quotes */
    uint32_t breaks; /* lines before it */
    uint64_t work; /* steps that the names of the place took */
    bool quoted, comment, shown;
} lvl_script_walk;

/* The next place; false: there is none. */
bool lvl_script_walk_next(lvl_script_walk *walk);
/* Goes on after a name of that length. */
void lvl_script_walk_skip(lvl_script_walk *walk, size_t len);
/* The whole string or argument at the place, in *name, which is empty before; without quotes a name may have
 * commas and blanks, so each call gives a longer one. False: there is none. */
bool lvl_script_walk_name(lvl_script_walk *walk, lvl_text *name);
/* Charges the work for the last place: its names are up to 255 bytes long, found or not. */
lvl_status lvl_script_walk_charge(lvl_script_walk *walk, const lvl_ctx *ctx);
/* Whether the place is one of the command's arguments that name files. */
bool lvl_script_is_argument(const lvl_script_walk *walk, const lvl_script_stem *command);
/* What a record's values name without an ending, if its label is a script's word for that (`ani=walk` in a
 * keyframe of a movie); NULL: nothing. */
const lvl_script_stem *lvl_label_stem(const lvl_doc *doc, const void *record, const lvl_table *table);

#endif
