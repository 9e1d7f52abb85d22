/*
 * tools/check/rules.h: rules of the user (`lvl check --rules FILE`), as of a contest or a server. A file of
 * them is JSON in the form of the game book (scripts/games): things, and rules about them, or about what a
 * path finds.
 */
#ifndef LVL_TOOLS_CHECK_RULES_H
#define LVL_TOOLS_CHECK_RULES_H

#include <lvl/tools.h>

typedef struct lvl_rules lvl_rules;

/* What a file may hold. */
enum {
    LVL_RULES_BYTES = 1 << 20,
    LVL_RULES_DEPTH = 8, /* of lists and objects in each other */
    LVL_RULES_COUNT = 1000,
    LVL_RULES_THINGS = 8192 /* with those of the game */
};

/* Reads a file of rules. `name`: of the file, for messages; copied. The rules are constant and may be used by
 * any thread; they must be freed after the findings that they made, and before `ctx`. LVL_ERR_FORMAT: it is
 * wrong, and the finding (lvl.rules.file) says where, by line and column; LVL_ERR_LIMIT: it is too large. */
lvl_status lvl_rules_read(lvl_rules **out, const lvl_ctx *ctx, lvl_text json, const char *name,
                          lvl_findings *findings);
void lvl_rules_free(lvl_rules *rules);
/* What is done with `ctx` goes by the things of the rules, too: what of them moves, and their areas. The
 * rules must be freed after the documents. */
void lvl_rules_own(lvl_rules *rules, lvl_ctx *ctx);
/* Adds what the rules find in a document. A rule that cannot be evaluated there is a note
 * (lvl.rules.skipped). */
lvl_status lvl_rules_check(const lvl_rules *rules, const lvl_doc *doc, lvl_findings *findings);
/* The JSON Schema (2020-12) of such files. */
void lvl_rules_schema(const lvl_ctx *ctx, lvl_buffer *out);

#endif
