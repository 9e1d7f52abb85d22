/*
 * tools/write.h: writing edited documents: what an edit may replace, and what it adds to the findings of a
 * file.
 */
#ifndef LVL_TOOLS_WRITE_H
#define LVL_TOOLS_WRITE_H

#include <lvl/tools.h>

/* The same, and checks what was written by the rules of lvl_check: `added` gets each finding of at least that
 * severity that the source of `doc` does not have, without positions. A document without a source has none.
 * `added` may be NULL. */
lvl_status lvl_doc_write_checked(lvl_doc *doc, lvl_buffer *out, lvl_findings *findings, lvl_severity least,
                                 lvl_findings *added);

/* Whether an edit may replace the source of `doc` by `written`, its file now. LVL_ERR_LOSS: it may not, since
 * content of the source is missing (lvl_doc_cuts) and what was written would look whole. A text of JSON or a
 * zip that is cut off becomes a whole one when it is written, for example. */
lvl_status lvl_doc_may_replace(const lvl_doc *doc, lvl_bytes written);

#endif
