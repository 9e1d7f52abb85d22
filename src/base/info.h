/*
 * base/info.h: a summary of a document, for people (`lvl info`) and programs (`--json`): an ordered tree of
 * named facts that a format adds and a tool prints. One thread at a time. Texts are copied.
 */
#ifndef LVL_BASE_INFO_H
#define LVL_BASE_INFO_H

#include <lvl/doc.h>

typedef enum lvl_fact_kind {
    LVL_FACT_TEXT,
    LVL_FACT_INT,
    LVL_FACT_BOOL,
    LVL_FACT_GROUP,
    LVL_FACT_LIST
} lvl_fact_kind;

typedef struct lvl_fact lvl_fact;
struct lvl_fact {
    const char *key; /* JSON key, lower_snake; NULL for an item of a list or a fact that is not in JSON */
    const char *label; /* for people; NULL: JSON only */
    const char *unit; /* or NULL */
    lvl_fact_kind kind;
    lvl_text text; /* UTF-8 */
    int64_t number;
    lvl_fact *first, *last; /* LVL_FACT_GROUP, LVL_FACT_LIST: children */
    lvl_fact *next;
};

struct lvl_art;
typedef struct lvl_info lvl_info;

/* LVL_ERR_MEMORY once any addition failed. */
lvl_status lvl_info_status(const lvl_info *info);
/* The `counts` of lvl_doc_info. */
bool lvl_info_wants_counts(const lvl_info *info);
/* Sets the title of the document. Static, or outlives the info. */
void lvl_info_headline(lvl_info *info, const char *text);
/* Additions go to the innermost open group or list. key, label and unit must be static or outlive the info.
 */
/* `text` is in the document's code page, the string of lvl_info_string is UTF-8. */
void lvl_info_text(lvl_info *info, const char *key, const char *label, lvl_text text);
void lvl_info_string(lvl_info *info, const char *key, const char *label, const char *fmt, ...)
    LVL_PRINTF(4, 5);
void lvl_info_int(lvl_info *info, const char *key, const char *label, int64_t number, const char *unit);
void lvl_info_bool(lvl_info *info, const char *key, const char *label, bool value);
void lvl_info_open(lvl_info *info, const char *key, const char *label, bool list);
void lvl_info_close(lvl_info *info);

/* Adds one field of a record as its table says (lvl_field.summary). */
void lvl_info_field(lvl_info *info, const void *record, const lvl_field *field);
/* Called before a field is added, to add values computed from it. True: the field itself is not added. */
typedef bool lvl_info_hook(lvl_info *info, const lvl_table *table, const void *record, const lvl_field *field,
                           void *user);
/* Adds the fields of a record that its table marks, and those of the items of its lists. `hook` may be
 * NULL. */
void lvl_info_fields(lvl_info *info, const lvl_table *table, const void *record, lvl_info_hook *hook,
                     void *user);

/* The facts about a document, to be freed with lvl_info_free; none if its format has none. `art` (may be
 * NULL): where to search for pictures. `counts`: include facts that need decoding (how many pixels a drawing
 * has). LVL_ERR_MEMORY, LVL_ERR_LIMIT, LVL_ERR_STOPPED: *out is NULL. */
lvl_status lvl_doc_info(const lvl_doc *doc, const struct lvl_art *art, bool counts, lvl_info **out);
/* Accepts NULL. */
void lvl_info_free(lvl_info *info);
/* The top group. Its text is the title of the document ("Sketchy Maze doodad"); empty: the title of its
 * format. */
const lvl_fact *lvl_info_root(const lvl_info *info);

#endif
