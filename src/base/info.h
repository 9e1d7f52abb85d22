/*
 * base/info.h: a short account of a document, for people (`lvl info`) and programs (`--json`): an ordered
 * tree of named facts that a format fills in and a tool prints. One thread at a time. Texts are copied, given
 * in the document's code page or as UTF-8 strings.
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
    const char
        *key; /* JSON key, lower_snake; NULL for an item of a list, and in a group for what only people see */
    const char *label; /* for people; NULL: not shown to people, JSON only */
    const char *unit;  /* or NULL */
    lvl_fact_kind kind;
    lvl_text text; /* UTF-8 */
    int64_t number;
    lvl_fact *first, *last; /* LVL_FACT_GROUP, LVL_FACT_LIST: children */
    lvl_fact *next;
};

struct lvl_art;
typedef struct lvl_info lvl_info;

/* NULL without memory. `counts`: also what only decoding shows (how many pixels a drawing has), which
 * a format that opens files lazily leaves out otherwise. */
lvl_info *lvl_info_new(const lvl_ctx *ctx, bool counts);
/* LVL_ERR_MEMORY once any addition failed. */
lvl_status lvl_info_status(const lvl_info *info);
/* As lvl_info_new was called. */
bool lvl_info_wants_counts(const lvl_info *info);
/* Says what to call the document. Static, or outlives the info. */
void lvl_info_headline(lvl_info *info, const char *text);
/* Additions go to the innermost open group or list. key, label and unit must be static or outlive the info.
 */
void lvl_info_text(lvl_info *info, const char *key, const char *label,
                   lvl_text text); /* in the document's code page */
void lvl_info_string(lvl_info *info, const char *key, const char *label, const char *fmt, ...)
    LVL_PRINTF(4, 5); /* UTF-8 */
void lvl_info_int(lvl_info *info, const char *key, const char *label, int64_t number, const char *unit);
void lvl_info_bool(lvl_info *info, const char *key, const char *label, bool value);
void lvl_info_open(lvl_info *info, const char *key, const char *label, bool list);
void lvl_info_close(lvl_info *info);

/* The facts of a document, for lvl_info_free. `art` (may be NULL): where pictures are looked for. Formats
 * without facts have an empty list. LVL_ERR_MEMORY, LVL_ERR_LIMIT, LVL_ERR_STOPPED: *out is NULL. */
lvl_status lvl_doc_info(const lvl_doc *doc, const struct lvl_art *art, bool counts, lvl_info **out);
/* NULL: nothing. */
void lvl_info_free(lvl_info *info);
/* The top group. Its text is what to call the document where that is more than its format's title ("Sketchy
 * Maze level"); empty: that. */
const lvl_fact *lvl_info_root(const lvl_info *info);

#endif
