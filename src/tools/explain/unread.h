/*
 * tools/explain/unread.h: content of files that no member has (lines that are not commands, unknown keys), of
 * several documents beside each other.
 */
#ifndef LVL_TOOLS_EXPLAIN_UNREAD_H
#define LVL_TOOLS_EXPLAIN_UNREAD_H

#include "base/arena.h"
#include "base/format.h"
#include "base/hash.h"

enum { LVL_UNREAD_SIDES = 3 };

typedef struct lvl_unread_line {
    lvl_text text; /* in the code page of the first side that has it */
    size_t key; /* lines are the same if they are from here on */
    bool more; /* further text in a part that is read */
    unsigned side; /* the first that has it */
    uint32_t count[LVL_UNREAD_SIDES];
} lvl_unread_line;

/* The different lines of all sides, in the order in which they were added. For lvl_unread_free. */
typedef struct lvl_unread {
    lvl_unread_line *lines;
    size_t count, cap;
    unsigned side; /* the one that is read */
    bool whole;
    lvl_hash index;
    lvl_arena arena;
    lvl_status status;
} lvl_unread;

/* `whole`: lines with further text in a part that is read are the same if they are equal, members included;
 * otherwise if their last word is, since the caller compares the members anyway. */
void lvl_unread_init(lvl_unread *unread, const lvl_ctx *ctx, bool whole);
/* Adds the content of a document, as that of a side. */
lvl_status lvl_unread_add(lvl_unread *unread, const lvl_doc *doc, unsigned side);
void lvl_unread_free(lvl_unread *unread);

#endif
