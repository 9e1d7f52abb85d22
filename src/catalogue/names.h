/*
 * catalogue/names.h: which texts of a document name files, without a field for it.
 */
#ifndef LVL_CATALOGUE_NAMES_H
#define LVL_CATALOGUE_NAMES_H

#include "base/format.h"

/* What a text names. */
typedef struct cat_file_name {
    lvl_use use; /* LVL_USE_NONE: no file */
    const char *ending; /* to be added to the name; NULL: it has one */
    bool key; /* it is a key of a game's file (lvl_format_calls.file_places) */
} cat_file_name;

/* What files with such an ending are; `family`: of the format; NULL: any. */
lvl_use cat_use_of_ending(const lvl_ctx *ctx, const char *family, lvl_text ending);
/* By its ending, that of a picture, a sound, or a file of the document's family. */
cat_file_name cat_name_of(const lvl_doc *doc, lvl_text name);
/* Calls `visit` for each name of a file in a script. */
typedef void (*cat_name_fn)(void *user, lvl_text name, const cat_file_name *what);
lvl_status cat_names_of_script(const lvl_doc *doc, lvl_text script, cat_name_fn visit, void *user);

#endif
