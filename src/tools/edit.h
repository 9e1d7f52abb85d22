/*
 * tools/edit.h: the parts of set and unset: the journal that undoes them, and references that follow lists.
 */
#ifndef LVL_TOOLS_EDIT_H
#define LVL_TOOLS_EDIT_H

#include "tools/json_read.h"
#include "tools/path.h"

typedef struct lvl_edit_entry {
    void *at;
    size_t size, data; /* where in the journal's buffer the old bytes are */
} lvl_edit_entry;

typedef struct lvl_editor {
    lvl_loader load;
    lvl_edit_entry *entries;
    size_t count, cap;
    lvl_buffer old;
    lvl_override *overrides; /* as they were */
    int64_t *wants;          /* and what their members held */
    uint32_t override_count;
    const uint8_t **grids; /* already copied in this round */
    size_t grid_count, grid_cap;
    size_t changed;
    bool settled; /* derived members were touched */
} lvl_editor;

lvl_status lvl_editor_begin(lvl_editor *e, lvl_doc *doc, lvl_findings *findings);
/* Settles what follows, or puts everything back; frees the editor. `changed` may be NULL. */
lvl_status lvl_editor_finish(lvl_editor *e, lvl_status status, size_t *changed);
/* Notes memory, or a member, that is to be assigned; false without memory. */
bool lvl_editor_note(lvl_editor *e, void *at, size_t size);
bool lvl_editor_note_member(lvl_editor *e, void *record, const lvl_field *f);
/* Lets what means the items of a list (LVL_F_FOLLOWS) follow after items were put in or taken out: item i is
 * number map[i] now, or LVL_NO_INDEX: gone. `count` of them. */
void lvl_editor_follow(lvl_editor *e, const lvl_match *list, const uint32_t *map, uint32_t count);
/* The same for one record of the document, and a list of the root by its name. */
void lvl_editor_follow_in(lvl_editor *e, const char *list, const uint32_t *map, uint32_t count, void *record,
                          const lvl_table *table);
/* Sets used[i] where a record, or anything below it, means item i of that list; `count` of them. */
void lvl_editor_mark_used(lvl_editor *e, const char *list, uint8_t *used, uint32_t count, void *record,
                          const lvl_table *table);
/* Gives a member the content that one of another document has, whose field is `as`; numbers that mean items
 * of lists stay as they are there. */
void lvl_editor_take(lvl_editor *e, void *record, const lvl_field *f, const lvl_doc *from, const void *source,
                     const lvl_field *as);
/* Whether what a path found cannot be assigned, or, with `unset`, reset; it is said why. */
bool lvl_editor_refuses(lvl_editor *e, const lvl_match *m, bool unset);
/* Whether anything below a root means items of that list by their number. */
bool lvl_list_is_referenced(const lvl_table *root, const char *list);

#endif
