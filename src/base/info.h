/*
 * base/info.h: how formats fill in the facts of a file that lvl/info.h lists.
 */
#ifndef LVL_BASE_INFO_H
#define LVL_BASE_INFO_H

#include <lvl/info.h>

/* NULL without memory. `counts` as in lvl_doc_info. */
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

#endif
