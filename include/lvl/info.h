/*
 * lvl/info.h: a short account of a document, for people (`lvl info`) and programs (`--json`): an ordered tree
 * of named facts that a format fills in and a tool prints. One thread at a time. Texts are copied, given in
 * the document's code page or as UTF-8 strings.
 */
#ifndef LVL_INFO_H
#define LVL_INFO_H

#include <lvl/doc.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/* The facts of a document, for lvl_info_free. `counts`: also what only decoding shows (how many pixels a
 * drawing has), which a format that opens files lazily leaves out otherwise. `art` (may be NULL): where
 * pictures are looked for. Formats without facts have an empty list. LVL_ERR_MEMORY, LVL_ERR_LIMIT,
 * LVL_ERR_STOPPED: *out is NULL. */
LVL_API lvl_status lvl_doc_info(const lvl_doc *doc, const struct lvl_art *art, bool counts, lvl_info **out);
/* NULL: nothing. */
LVL_API void lvl_info_free(lvl_info *info);
/* The top group. Its text is what to call the document where that is more than its format's title ("Sketchy
 * Maze level"); empty: that. */
LVL_API const lvl_fact *lvl_info_root(const lvl_info *info);

#ifdef __cplusplus
}
#endif

#endif
