/*
 * tools/edit/edit.c: set and unset. An edit is all or none (journal.c).
 */
#include "base/buffer.h"
#include "base/text.h"
#include "codec/json.h"
#include "tools/edit/list.h"
#include "tools/edit/value.h"
#include "tools/edit/item_ids.h"
#include "tools/paths/meaning.h"

#include <stdlib.h>

/* ---- set --------------------------------------------------------------------------------------------- */

bool lvl_editor_refuses(lvl_editor *e, const lvl_match *m, bool unset)
{
    const lvl_field *f = m->field;
    char when[200];

    e->load.where = m->where;
    if (!f) {
        lvl_load_fail(&e->load, LVL_FAULT_PATH,
                      "cannot assign the whole document; use `lvl undump' to make one");
        return true;
    }
    for (uint32_t i = 0; i < m->where.depth; i++) {
        const lvl_field *step = m->where.steps[i].field;
        if (!unset && (step->role == LVL_DERIVED || step->role == LVL_KEPT)) {
            lvl_load_fail(&e->load, LVL_FAULT_DERIVED,
                          step->role == LVL_DERIVED ? "%s is computed on writing; it cannot be set"
                                                    : "%s only keeps the file's spelling; it can be unset, "
                                                      "but not set",
                          step->name);
            return true;
        }
    }
    if (lvl_match_is_absent(m)) {
        lvl_load_fail(&e->load, LVL_FAULT_ABSENT, "%s exists only %s", f->name,
                      lvl_when_text(lvl_match_table(e, m), f, when, sizeof when));
        return true;
    }
    if ((f->flags & LVL_F_FIXED) && f->kind == LVL_LIST &&
        (m->append || (m->index == LVL_NO_INDEX) || (unset && m->index != LVL_NO_INDEX))) {
        lvl_load_fail(&e->load, LVL_FAULT_VALUE, "the number of items of %s is fixed", f->name);
        return true;
    }
    return false;
}

/* After an item was appended to a set: removes it if the set had it before. */
static void keep_distinct(lvl_editor *e, const lvl_match *m)
{
    const lvl_field item = lvl_item_field(m->field);
    const uint32_t count = lvl_list_count(m->record, m->field);
    const lvl_text added = lvl_get_text(lvl_list_item(m->record, m->field, m->index), &item);
    char buf[80];

    if (e->load.status != LVL_OK)
        return;
    const uint32_t first = lvl_item_with_text(m->record, m->field, &item, added);
    if (first == m->index)
        return;
    e->load.where.steps[e->load.where.depth - 1].index = first;
    uint8_t *drop = calloc(count, 1);
    if (!drop) {
        e->load.status = LVL_ERR_MEMORY;
        return;
    }
    drop[m->index] = 1;
    lvl_findings_add(e->load.findings, &lvl_faults[LVL_FAULT_PRESENT], &e->load.where, NULL,
                     "%s has \"%s\" already; it is not added again", m->field->name, lvl_show(buf, added));
    e->load.status = lvl_list_drop(e->load.doc, m->record, m->field, drop);
    free(drop);
}

/* Whether a value is a name that the game has for this member only in other items; reports it. */
static bool refuses_name(lvl_editor *e, const void *record, const lvl_field *f, lvl_text text)
{
    lvl_book_item item;
    char near[160], buf[80];

    if (f->kind != LVL_INT || !lvl_meaning_at(e->load.doc, &e->load.where, &item))
        return false;
    const uintptr_t at = (uintptr_t)record + f->offset, from = (uintptr_t)item.record;
    const lvl_meaning_scope scope = {item.book, 0, at - from};
    if (at < from || !lvl_meaning_known(&scope, text, near, sizeof near))
        return false;
    lvl_load_fail(&e->load, LVL_FAULT_VALUE, "%s of %s is a plain number, without names; got \"%s\"", f->name,
                  item.thing ? item.thing->name : "an unknown logic", lvl_show(buf, text));
    return true;
}

void lvl_editor_set(lvl_editor *e, lvl_match *m, lvl_edit_value *v)
{
    lvl_field field;
    const lvl_field *f = &field;
    yyjson_val *val;

    if (lvl_editor_refuses(e, m, false))
        return;
    if (m->has_region) {
        lvl_editor_set_region(e, m, v);
        return;
    }
    if (m->append) {
        if (!lvl_editor_insert(e, m, 1))
            return;
        e->load.where.steps[e->load.where.depth - 1].index = m->index;
    }
    void *record = lvl_match_member(m, &field);
    const lvl_name *names = LVL_MEANING ? lvl_meaning_names(e->load.doc, &e->load.where, record, f) : NULL;
    field.names = names ? names : field.names;
    if (LVL_MEANING && !field.names && refuses_name(e, record, f, v->text))
        return;
    const int64_t was = lvl_editor_tag_value(record, f);
    switch (f->kind) {
    case LVL_INT:
        lvl_editor_set_scalar(e, record, f, v);
        lvl_editor_report_fields(e, m, record, f, was);
        break;
    case LVL_REAL:
    case LVL_TEXT:
    case LVL_BYTES: lvl_editor_set_scalar(e, record, f, v); break;
    case LVL_RECORD:
        if ((val = lvl_editor_json(e, f, v)) && lvl_editor_note_member(e, record, f)) {
            lvl_field_reset(record, f); /* fields that are not given get their defaults */
            lvl_load_record(&e->load, (uint8_t *)record + f->offset, f->table, val);
        }
        break;
    case LVL_LIST:
    case LVL_CELLS:
        if ((val = lvl_editor_json(e, f, v)) && lvl_editor_note_member(e, record, f))
            lvl_load_value(&e->load, record, f, val);
        break;
    }
    if (m->append && m->field->flags & LVL_F_SET)
        keep_distinct(e, m);
    else if (m->append)
        lvl_editor_name_items(e, m, 1);
}

/* Removes the matching items of one list and adjusts the references to it. */
static void unset_items(lvl_editor *e, const lvl_match *m, size_t n)
{
    uint32_t count = lvl_list_count(m->record, m->field);
    uint8_t *drop = calloc(count ? count : 1, 1);
    uint32_t *map = malloc(((size_t)count + 1) * sizeof *map);

    if (!drop || !map || !lvl_editor_note_member(e, m->record, m->field)) {
        e->load.status = LVL_ERR_MEMORY;
    } else {
        for (size_t i = 0; i < n; i++)
            drop[m[i].index] = 1;
        for (uint32_t i = 0, kept = 0; i < count; i++)
            map[i] = drop[i] ? LVL_NO_INDEX : kept++;
        e->load.status = lvl_list_drop(e->load.doc, m->record, m->field, drop);
        if (e->load.status == LVL_OK)
            lvl_editor_follow(e, m, map, count);
        e->changed += n;
    }
    free(drop);
    free(map);
}

/* ---- +=, -=, *= and @= ------------------------------------------------------------------------------- */

/* Whether an item of a list has that value: a text, a number, of records the label. */
static bool item_is(const lvl_match *m, uint32_t index, const lvl_field *field, lvl_text text, int64_t number,
                    double real)
{
    const void *item = lvl_list_item(m->record, m->field, index);

    if (!lvl_field_present(item, field))
        return false;
    switch (field->kind) {
    case LVL_TEXT: return lvl_text_equal(lvl_get_text(item, field), text);
    case LVL_INT: return lvl_get_int(item, field) == number;
    case LVL_REAL: return lvl_get_real(item, field) == real;
    default: return false;
    }
}

/* Removes the items with that value from a list. */
static void remove_items(lvl_editor *e, const lvl_match *m, lvl_edit_value *v)
{
    const lvl_field *f = m->field, *field;
    const uint32_t count = lvl_list_count(m->record, f);
    lvl_text utf8 = v->text;
    lvl_buffer text = {0};
    int64_t number = 0;
    double real = 0;
    uint32_t bad;
    char buf[80];

    lvl_field item = lvl_item_field(f);
    field = f->item != LVL_RECORD ? &item : lvl_label_of(f->table);
    if (field && field->kind == LVL_TEXT && utf8.len && utf8.ptr[0] == '"') {
        yyjson_val *val = lvl_editor_json(e, field, v);
        if (!val)
            return;
        utf8 = yyjson_is_str(val) ? lvl_json_str(val) : utf8;
    }
    const bool good =
        field && (field->kind == LVL_TEXT   ? lvl_text_from_utf8(&text, e->load.doc->codepage, utf8, &bad)
                  : field->kind == LVL_INT  ? lvl_int_parse(field, utf8, &number)
                  : field->kind == LVL_REAL ? lvl_real_parse(utf8, &real)
                                            : false);
    lvl_match *found = good ? malloc(((size_t)count + 1) * sizeof *found) : NULL;
    if (text.status != LVL_OK || (good && !found)) {
        e->load.status = LVL_ERR_MEMORY;
    } else if (!good) {
        lvl_load_fail(&e->load, LVL_FAULT_VALUE, "%s has no item \"%s\"", f->name, lvl_show(buf, v->text));
    } else {
        size_t n = 0;
        for (uint32_t i = 0; i < count; i++) {
            if (!item_is(m, i, field, lvl_buffer_text(&text), number, real))
                continue;
            found[n] = *m;
            found[n++].index = i;
        }
        if (n) {
            unset_items(e, found, n);
        } else {
            e->load.status = LVL_ERR_MISSING;
            lvl_load_fail(&e->load, LVL_FAULT_NOTHING, "%s has no \"%s\"", f->name, lvl_show(buf, v->text));
        }
    }
    free(found);
    lvl_buffer_free(&text);
}

/* Appends an item, or each item of a JSON array. */
static void append_items(lvl_editor *e, const lvl_match *m, lvl_edit_value *v)
{
    lvl_match last = *m;
    size_t i, n;
    yyjson_val *array, *one;

    last.append = true;
    if (!v->text.len || v->text.ptr[0] != '[') {
        last.index = lvl_list_count(m->record, m->field);
        lvl_editor_set(e, &last, v);
        return;
    }
    array = lvl_editor_json(e, m->field, v);
    if (!array)
        return;
    yyjson_arr_foreach(array, i, n, one)
    {
        size_t len;
        char *text = yyjson_val_write(one, 0, &len);
        lvl_edit_value item = {{text, len}, NULL};
        last.index = lvl_list_count(m->record, m->field);
        if (!text)
            e->load.status = LVL_ERR_MEMORY;
        else if (m->field->item == LVL_TEXT && !yyjson_is_str(one))
            lvl_load_fail(&e->load, LVL_FAULT_VALUE, "expected a text as item of %s", m->field->name);
        else
            lvl_editor_set(e, &last, &item);
        yyjson_doc_free(item.tree);
        free(text);
        if (e->load.status != LVL_OK)
            return;
    }
}

static void change_one(lvl_editor *e, const lvl_match *m, lvl_edit_value *v, char op)
{
    lvl_field field;

    if (lvl_editor_refuses(e, m, false))
        return;
    if (m->has_region) {
        lvl_load_fail(&e->load, LVL_FAULT_PATH, "cells can only be set, by =");
        return;
    }
    void *record = m->append ? NULL : lvl_match_member(m, &field);
    if (record && field.kind == LVL_LIST && op == '-')
        remove_items(e, m, v);
    else if (record && field.kind == LVL_LIST && op == '+')
        append_items(e, m, v);
    else if (record && field.kind == LVL_INT) {
        const int64_t was = lvl_get_int(record, &field);
        lvl_editor_add_int(e, record, &field, v, op);
        lvl_editor_report_fields(e, m, record, &field, was);
    } else if (record && field.kind == LVL_REAL)
        lvl_editor_add_real(e, record, &field, v, op);
    else
        lvl_load_fail(&e->load, LVL_FAULT_PATH, "+= and -= apply to lists, numbers and flags, *= to numbers");
}

/* Moves the items of one list; returns how many of the matches these are. */
static size_t move_items(lvl_editor *e, const lvl_match *m, size_t n, const lvl_edit_value *v)
{
    static const lvl_field place = {.kind = LVL_INT, .flags = LVL_F_SIGNED, .size = sizeof(int32_t)};
    size_t same = 1;
    int64_t to;
    char buf[80];

    while (same < n && m[same].record == m->record && m[same].field == m->field)
        same++;
    if (lvl_editor_refuses(e, m, false))
        return same;
    if (lvl_int_parse(&place, v->text, &to))
        lvl_editor_move(e, m, same, to);
    else
        lvl_load_fail(&e->load, LVL_FAULT_VALUE, "expected the number that the item is to have, got \"%s\"",
                      lvl_show(buf, v->text));
    return same;
}

/* ---- assignments ------------------------------------------------------------------------------------- */

static lvl_status set_matches(lvl_editor *e, lvl_match *matches, size_t n, lvl_edit_value *v, char op)
{
    size_t present = 0;

    for (size_t i = 0; i < n; i++)
        present += !lvl_match_is_absent(&matches[i]);
    for (size_t i = 0; i < n && e->load.status == LVL_OK; i++) {
        if (present && lvl_match_is_absent(&matches[i])) /* of several, those without the field are skipped */
            continue;
        const size_t before = e->changed;
        if (op == '@') {
            i += move_items(e, &matches[i], n - i, v) - 1;
            continue;
        }
        if (op == '=')
            lvl_editor_set(e, &matches[i], v);
        else
            change_one(e, &matches[i], v, op);
        e->changed += e->changed == before; /* removed items were counted one by one */
    }
    return e->load.status;
}

static lvl_status assign(lvl_editor *e, const char *assignment)
{
    lvl_text all = lvl_text_of(assignment);
    lvl_match *matches = NULL;
    lvl_path path;
    size_t end, n;

    lvl_status status = lvl_path_parse(&path, all, &end, e->load.findings);
    if (status == LVL_OK && end == all.len)
        status = lvl_path_no_value(all, e->load.findings);
    path.source.len = status == LVL_OK ? end : all.len;
    if (status == LVL_OK)
        status = lvl_path_find(&path, e->load.doc, &matches, &n, e->load.findings);
    if (status == LVL_OK) {
        const char op = all.ptr[end];
        const size_t from = end + (op == '=' ? 1 : 2);
        lvl_edit_value v = {{all.ptr + from, all.len - from}, NULL};
        status = set_matches(e, matches, n, &v, op);
        yyjson_doc_free(v.tree);
    }
    free(matches);
    lvl_path_free(&path);
    return status;
}

/* Applies an edit for each of the texts; all or none. */
static lvl_status edit_each(lvl_doc *doc, lvl_status (*edit)(lvl_editor *e, const char *text),
                            const char *const *texts, size_t count, size_t *changed, lvl_findings *findings)
{
    lvl_editor e;
    lvl_status status = lvl_editor_begin(&e, doc, findings);

    for (size_t i = 0; i < count && status == LVL_OK; i++)
        status = edit(&e, texts[i]);
    return lvl_editor_finish(&e, status, changed);
}

lvl_status lvl_set(lvl_doc *doc, const char *const *assignments, size_t count, size_t *changed,
                   lvl_findings *findings)
{
    return edit_each(doc, assign, assignments, count, changed, findings);
}

/* ---- unset ------------------------------------------------------------------------------------------- */

static void drop_override(lvl_doc *doc, const void *record, const lvl_field *f)
{
    for (uint32_t i = 0; i < doc->override_count; i++) {
        if (doc->overrides[i].record == record && doc->overrides[i].field == f)
            doc->overrides[i--] = doc->overrides[--doc->override_count];
    }
    lvl_doc_index_overrides(doc);
}

static void unset_member(lvl_editor *e, const lvl_match *m)
{
    const lvl_field *f = m->field;

    if (!lvl_editor_note_member(e, m->record, f))
        return;
    const int64_t was = lvl_editor_tag_value(m->record, f);
    if (f->role == LVL_DERIVED)
        drop_override(e->load.doc, m->record, f);
    lvl_field_reset(m->record, f);
    lvl_editor_report_fields(e, m, m->record, f, was);
}

static lvl_status unset_path(lvl_editor *e, const char *path)
{
    lvl_match *matches;
    size_t n;

    lvl_status status = lvl_path_matches(e->load.doc, lvl_text_of(path), &matches, &n, e->load.findings);
    for (size_t i = 0; i < n && e->load.status == LVL_OK;) {
        lvl_match *m = &matches[i];
        size_t same = 1;
        if (n > 1 && lvl_match_is_absent(m)) {
            i++;
            continue;
        }
        if (lvl_editor_refuses(e, m, true))
            break;
        if (m->has_region || m->append) {
            lvl_load_fail(&e->load, LVL_FAULT_PATH, "cells cannot be unset; set them to a value");
        } else if (m->index == LVL_NO_INDEX) {
            unset_member(e, m);
            e->changed++;
        } else {
            while (i + same < n && matches[i + same].record == m->record &&
                   matches[i + same].field == m->field)
                same++;
            unset_items(e, m, same);
        }
        i += same;
    }
    free(matches);
    return status != LVL_OK ? status : e->load.status;
}

lvl_status lvl_unset(lvl_doc *doc, const char *const *paths, size_t count, size_t *changed,
                     lvl_findings *findings)
{
    return edit_each(doc, unset_path, paths, count, changed, findings);
}
