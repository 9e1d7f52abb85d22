/*
 * tools/edit/edit.h: the parts of set and unset: the undo journal, references that follow their lists, and
 * fields that come and go.
 */
#ifndef LVL_TOOLS_EDIT_EDIT_H
#define LVL_TOOLS_EDIT_EDIT_H

#include "tools/values/json_read.h"
#include "tools/paths/path.h"

typedef struct lvl_edit_entry {
    void *at;
    size_t size, data; /* offset of the old bytes in the journal's buffer */
} lvl_edit_entry;

typedef struct lvl_editor {
    lvl_loader load;
    lvl_edit_entry *entries;
    size_t count, cap;
    lvl_buffer old;
    lvl_override *overrides; /* before the edit, */
    int64_t *old_derived; /* and the values of their members */
    uint32_t override_count;
    const uint8_t **grids; /* already copied by this edit */
    size_t grid_count, grid_cap;
    size_t changed;
    bool recomputed; /* derived members were recomputed */
} lvl_editor;

lvl_status lvl_editor_begin(lvl_editor *e, lvl_doc *doc, lvl_findings *findings);
/* Recomputes derived members, or with an error undoes everything; frees the editor. `changed` may be NULL. */
lvl_status lvl_editor_finish(lvl_editor *e, lvl_status status, size_t *changed);
/* Stores the old value of a member that will be assigned; false without memory. */
bool lvl_editor_note_member(lvl_editor *e, void *record, const lvl_field *f);
/* Adjusts the references to the items of a list (LVL_F_FOLLOWS) after items were inserted, removed or moved:
 * item i of `count` is item map[i] now; LVL_NO_INDEX: removed. */
void lvl_editor_follow(lvl_editor *e, const lvl_match *list, const uint32_t *map, uint32_t count);
/* The same for the references in one record, to the root's list of that name. */
void lvl_editor_follow_in(lvl_editor *e, const char *list, const uint32_t *map, uint32_t count, void *record,
                          const lvl_table *table);
/* Sets used[i] if a record, or one below it, has a reference to item i of that list; it has `count` items. */
void lvl_editor_mark_used(lvl_editor *e, const char *list, uint8_t *used, uint32_t count, void *record,
                          const lvl_table *table);
/* Copies the content of a member of another document, whose field there is `as`. References are not
 * adjusted. */
void lvl_editor_take(lvl_editor *e, void *record, const lvl_field *f, const lvl_doc *from, const void *source,
                     const lvl_field *as);
/* Whether a match cannot be assigned, or with `unset` not be reset; reports why. */
bool lvl_editor_refuses(lvl_editor *e, const lvl_match *m, bool unset);
/* Whether a match is a field that its record does not have at present. */
bool lvl_match_is_absent(const lvl_match *m);
/* The table of the record that has the matching member. */
const lvl_table *lvl_match_table(const lvl_editor *e, const lvl_match *m);
/* The value by which a field may decide which others exist; 0 unless it is an integer. */
int64_t lvl_editor_tag_value(const void *record, const lvl_field *field);
/* After a match got another value: where that is a tag, names the fields that came and went, and warns of
 * each value that went with its field. `was`: the value before, as lvl_editor_tag_value returns it. */
void lvl_editor_report_fields(lvl_editor *e, const lvl_match *m, const void *record, const lvl_field *tag,
                              int64_t was);
/* Whether any record below a root can have references to that list. */
bool lvl_list_is_referenced(const lvl_table *root, const char *list);

#endif
