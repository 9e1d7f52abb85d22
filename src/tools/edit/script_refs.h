/*
 * tools/edit/script_refs.h: numbers in scripts that refer to items of a list (`say 3` shows sign 3).
 */
#ifndef LVL_TOOLS_EDIT_SCRIPT_REFS_H
#define LVL_TOOLS_EDIT_SCRIPT_REFS_H

#include "tools/edit/edit.h"

/* Whether scripts of the document's format may name items of the root's list of that name. */
bool lvl_scripts_name(const lvl_doc *doc, const char *list);
/* Visits the scripts of a record and of those below it. */
void lvl_scripts_visit(void *record, const lvl_table *table,
                       void (*visit)(void *user, void *record, const lvl_field *field), void *user);
/* A script with other numbers: item i of `count` is item map[i] now; the number of an item that was removed
 * (LVL_NO_INDEX) stays. Appended to `out`, which stays empty if no number changes. */
lvl_status lvl_script_renumber(const lvl_doc *doc, lvl_text script, const uint32_t *map, uint32_t count,
                               lvl_buffer *out);
/* Changes the numbers in all scripts of the document, if they are about the list. */
void lvl_editor_follow_scripts(lvl_editor *e, const char *list, const uint32_t *map, uint32_t count);
/* Sets used[i] if a script of the document names item i of `count`, if scripts name items of the list. */
void lvl_scripts_mark_used(const lvl_doc *doc, const char *list, uint8_t *used, uint32_t count);

#endif
