/*
 * tools/edit/value.h: values that are assigned: texts and numbers (tools/edit/value.c), and cells
 * (tools/edit/cells.c). The caller frees the tree of the value.
 */
#ifndef LVL_TOOLS_EDIT_VALUE_H
#define LVL_TOOLS_EDIT_VALUE_H

#include "tools/edit/edit.h"

/* What is after the = of an assignment. */
typedef struct lvl_edit_value {
    lvl_text text;
    yyjson_doc *tree; /* parsed when it is needed; or NULL */
} lvl_edit_value;

/* The value as JSON, for a field; NULL: reported. */
yyjson_val *lvl_editor_json(lvl_editor *e, const lvl_field *f, lvl_edit_value *v);
/* Assigns what a match is, as `=' does (edit.c). */
void lvl_editor_set(lvl_editor *e, lvl_match *m, lvl_edit_value *v);
/* Sets an integer, a real number, a text or bytes. What does not fit is reported. */
void lvl_editor_set_scalar(lvl_editor *e, void *record, const lvl_field *f, lvl_edit_value *v);
/* Adds to an integer or a real number (`op` +), takes from it (-), or multiplies it (*); sets and clears
 * flags. What does not fit is reported. */
void lvl_editor_add_int(lvl_editor *e, void *record, const lvl_field *f, const lvl_edit_value *v, char op);
void lvl_editor_add_real(lvl_editor *e, void *record, const lvl_field *f, const lvl_edit_value *v, char op);
/* Sets the cells of a region: all to one value, or to those of a grid of its size. */
void lvl_editor_set_region(lvl_editor *e, const lvl_match *m, lvl_edit_value *v);

#endif
