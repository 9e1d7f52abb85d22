/*
 * tools/edit.c: get, set and unset. Edits are all or none: each piece of memory is noted in a journal before it is assigned, and replaced
 * memory stays in the document's arena, so that undoing is copying back in reverse.
 */
#include "base/text.h"
#include "codec/json.h"
#include "tools/load.h"
#include "tools/path.h"
#include "tools/value.h"

#include <stdlib.h>
#include <string.h>

static bool absent(const lvl_match *m)
{
    return m->field && !lvl_field_present(m->record, m->field);
}

/* ---- get ----------------------------------------------------------------------------------------------------------------------------- */

static bool is_plain(lvl_kind kind)
{
    return kind == LVL_INT || kind == LVL_TEXT;
}

static void get_one(const lvl_emit *w, const lvl_match *m, const lvl_get_options *options)
{
    char path[400];
    lvl_field item;

    lvl_match_text(m, path, sizeof path);
    if (options->json) {
        lvl_buffer_str(w->out, "{\"path\":");
        lvl_json_string(w->out, lvl_text_of(path));
        lvl_buffer_str(w->out, ",\"value\":");
        lvl_write_match(w, m, 0);
        lvl_buffer_str(w->out, "}\n");
        return;
    }
    if (options->paths) {
        lvl_buffer_str(w->out, path);
        lvl_buffer_u8(w->out, '=');
    }
    if (m->field && !m->has_region && m->index == LVL_NO_INDEX && is_plain(m->field->kind)) {
        lvl_write_plain(w, m->record, m->field);
    } else if (m->field && m->index != LVL_NO_INDEX && is_plain(m->field->item)) {
        item = lvl_item_field(m->field);
        lvl_write_plain(w, lvl_list_item(m->record, m->field, m->index), &item);
    } else {
        lvl_write_match(w, m, 0);
    }
    lvl_buffer_u8(w->out, '\n');
}

lvl_status lvl_get(const lvl_doc *doc, const char *path, const lvl_get_options *options, lvl_buffer *out,
                   size_t *count, lvl_findings *findings)
{
    const lvl_get_options none = {0};
    lvl_match *matches;
    size_t n, shown = 0;
    char when[200];

    if (count)
        *count = 0;
    lvl_emit w = lvl_emit_of(doc, out);
    w.compact = true;
    lvl_status status = lvl_path_matches(doc, lvl_text_of(path), &matches, &n, findings);
    for (size_t i = 0; i < n; i++) {
        if (matches[i].append || absent(&matches[i]))
            continue;
        get_one(&w, &matches[i], options ? options : &none);
        shown++;
    }
    if (status == LVL_OK && !shown) {
        const lvl_match *m = &matches[0];
        const lvl_table *table = doc->format->table;
        for (uint32_t i = 0; i + 1 < m->where.depth; i++)
            table = m->where.steps[i].field->table;
        lvl_findings_add(findings, &lvl_faults[LVL_FAULT_NOTHING], &m->where, NULL,
                         m->append ? "a new item has no value yet" : "%s is there only %s", m->field->name,
                         lvl_when_text(table, m->field, when, sizeof when));
        status = LVL_ERR_MISSING;
    }
    free(matches);
    if (count)
        *count = shown;
    return status != LVL_OK ? status : out->status;
}

/* ---- the journal --------------------------------------------------------------------------------------------------------------------- */

typedef struct entry {
    void *at;
    size_t size, data; /* where in the journal's buffer the old bytes are */
} entry;

typedef struct editor {
    lvl_loader load;
    entry *entries;
    size_t count, cap;
    lvl_buffer old;
    lvl_override *overrides; /* as they were */
    int64_t *wants;          /* and what their members held */
    uint32_t override_count;
    const uint8_t **grids; /* already copied in this round */
    size_t grid_count, grid_cap;
    size_t changed;
    bool settled; /* derived members were touched */
} editor;

static bool note(editor *e, void *at, size_t size)
{
    if (!lvl_grow((void **)&e->entries, &e->cap, e->count + 1, sizeof *e->entries) ||
        !lvl_buffer_reserve(&e->old, size)) {
        e->load.status = LVL_ERR_MEMORY;
        return false;
    }
    entry one = {at, size, e->old.len};
    e->entries[e->count++] = one;
    lvl_buffer_add(&e->old, at, size);
    return true;
}

static bool note_member(editor *e, void *record, const lvl_field *f)
{
    if (f->kind == LVL_LIST && !note(e, (uint8_t *)record + f->count_offset, sizeof(uint32_t)))
        return false;
    return note(e, (uint8_t *)record + f->offset, f->size);
}

static lvl_status begin(editor *e, lvl_doc *doc, lvl_findings *findings)
{
    memset(e, 0, sizeof *e);
    e->load.doc = doc;
    e->load.findings = findings;
    e->load.no_derived = true;
    e->override_count = doc->override_count;
    if (!doc->override_count)
        return LVL_OK;
    e->overrides = malloc(doc->override_count * sizeof *e->overrides);
    e->wants = malloc(doc->override_count * sizeof *e->wants);
    if (!e->overrides || !e->wants)
        return LVL_ERR_MEMORY;
    memcpy(e->overrides, doc->overrides, doc->override_count * sizeof *e->overrides);
    for (uint32_t i = 0; i < doc->override_count; i++) {
        const lvl_override *o = &doc->overrides[i];
        e->wants[i] = o->record ? lvl_get_int(o->record, o->field) : 0;
    }
    return LVL_OK;
}

/* The overrides as they were, and their members. */
static void restore_overrides(editor *e)
{
    lvl_doc *doc = e->load.doc;

    doc->override_count = e->override_count;
    for (uint32_t i = 0; e->overrides && e->wants && i < e->override_count; i++) {
        doc->overrides[i] = e->overrides[i];
        if (e->overrides[i].record)
            lvl_put_int((void *)(uintptr_t)e->overrides[i].record, e->overrides[i].field, e->wants[i]);
    }
    lvl_doc_index_overrides(doc);
}

/* Settles what follows, or puts everything back. */
static lvl_status finish(editor *e, lvl_status status, size_t *changed)
{
    lvl_doc *doc = e->load.doc;

    if (status == LVL_OK) {
        e->settled = true;
        status = lvl_doc_settle_derived(doc);
    }
    if (status != LVL_OK) {
        while (e->count) {
            const entry *one = &e->entries[--e->count];
            memcpy(one->at, e->old.data + one->data, one->size);
        }
        /* what follows may have followed half of the way; it goes back too, and what disagreed does so again */
        if (e->settled) {
            restore_overrides(e);
            lvl_doc_settle_derived(doc);
        }
        restore_overrides(e);
        e->changed = 0;
    }
    if (changed)
        *changed = e->changed;
    lvl_buffer_free(&e->old);
    free(e->entries);
    free(e->overrides);
    free(e->wants);
    free(e->grids);
    return status;
}

/* ---- set ----------------------------------------------------------------------------------------------------------------------------- */

typedef struct value {
    lvl_text text;
    yyjson_doc *tree; /* once it was needed */
} value;

static yyjson_val *json_of(editor *e, value *v)
{
    lvl_json_error error;

    if (!v->tree) {
        v->tree = lvl_json_read(v->text, &error);
        if (!v->tree && error.status == LVL_ERR_MEMORY)
            e->load.status = LVL_ERR_MEMORY;
        else if (!v->tree)
            lvl_load_fail(&e->load, LVL_ERR_ARG, LVL_FAULT_JSON, "this wants JSON: at character %zu: %s",
                          error.offset + 1, error.text);
    }
    return v->tree ? yyjson_doc_get_root(v->tree) : NULL;
}

/* A reset record is all defaults, ready for the keys given. */
static bool reset_record(editor *e, void *record, const lvl_table *table, size_t size)
{
    if (!note(e, record, size))
        return false;
    memset(record, 0, size);
    lvl_record_init(record, table);
    return true;
}

static void set_int(editor *e, void *record, const lvl_field *f, value *v)
{
    int64_t number;
    char buf[80];

    if (v->text.len && v->text.ptr[0] == '"') {
        yyjson_val *val = json_of(e, v);
        if (val)
            lvl_load_value(&e->load, record, f, val);
        return;
    }
    if (lvl_int_parse(f, v->text, &number)) {
        lvl_put_int(record, f, number);
        return;
    }
    if (lvl_field_is_switch(f)) {
        lvl_load_fail(&e->load, LVL_ERR_ARG, LVL_FAULT_VALUE,
                      "\"%s\" is neither 0 nor 1 (no, yes; false, true)", lvl_show(buf, v->text));
        return;
    }
    const char *near = lvl_nearest_name(f->names, v->text);
    unsigned bits = (unsigned)f->size * 8;
    lvl_load_fail(&e->load, LVL_ERR_ARG, LVL_FAULT_VALUE, "\"%s\" is no %s%s number of %u bits%s%s%s",
                  lvl_show(buf, v->text), f->names ? "name and no " : "",
                  f->flags & LVL_F_SIGNED ? "signed" : "unsigned", bits, near ? ": did you mean " : "",
                  near ? near : "", near ? "?" : "");
}

static void set_real(editor *e, void *record, const lvl_field *f, const value *v)
{
    double number;
    char buf[80];

    if (lvl_real_parse(v->text, &number))
        memcpy((uint8_t *)record + f->offset, &number, sizeof number);
    else
        lvl_load_fail(&e->load, LVL_ERR_ARG, LVL_FAULT_VALUE, "\"%s\" is no finite number",
                      lvl_show(buf, v->text));
}

static void set_scalar(editor *e, void *record, const lvl_field *f, value *v)
{
    const char first = v->text.len ? v->text.ptr[0] : 0;
    yyjson_val *val;

    if (!note_member(e, record, f))
        return;
    if (f->kind == LVL_INT) {
        set_int(e, record, f, v);
        return;
    }
    if (f->kind == LVL_REAL && first != '{') {
        set_real(e, record, f, v);
        return;
    }
    if (f->kind == LVL_TEXT && first != '"' &&
        !(first == '{' && v->text.len > 9 && memcmp(v->text.ptr, "{\"base64\"", 9) == 0)) {
        lvl_load_text(&e->load, record, f, v->text);
    } else if ((val = json_of(e, v))) {
        lvl_load_value(&e->load, record, f, val);
    }
    /* the games end a text in a slot with a NUL */
    if (e->load.status == LVL_OK && f->kind == LVL_TEXT && (f->flags & LVL_F_SLOT) &&
        lvl_get_text(record, f).len == f->size)
        lvl_load_fail(&e->load, LVL_ERR_ARG, LVL_FAULT_VALUE, "the text is too long: at most %lu bytes fit",
                      (unsigned long)f->size - 1);
}

static bool own_grid(editor *e, void *record, const lvl_field *f)
{
    const lvl_cells *cells = lvl_get_cells(record, f);

    for (size_t i = 0; i < e->grid_count; i++) {
        if (e->grids[i] == cells->ptr)
            return true;
    }
    if (!note_member(e, record, f))
        return false;
    if (!lvl_grow((void **)&e->grids, &e->grid_cap, e->grid_count + 1, sizeof *e->grids) ||
        !lvl_cells_edit(e->load.doc, record, f)) {
        e->load.status = LVL_ERR_MEMORY;
        return false;
    }
    e->grids[e->grid_count++] = cells->ptr;
    return true;
}

static void put_cell(uint8_t *to, uint32_t size, uint32_t v)
{
    for (uint32_t i = 0; i < size; i++)
        to[i] = (uint8_t)(v >> 8 * i);
}

static void set_region(editor *e, const lvl_match *m, value *v)
{
    const lvl_cells *cells = lvl_get_cells(m->record, m->field);
    const uint32_t *r = m->region, width = r[2] - r[0] + 1, height = r[3] - r[1] + 1;
    const uint32_t size = cells->size;
    yyjson_val *rows = NULL;
    uint32_t one = 0;
    char buf[80];

    if (v->text.len && v->text.ptr[0] == '[') {
        rows = json_of(e, v);
        if (!rows)
            return;
        if (yyjson_arr_size(rows) != height) {
            lvl_load_fail(&e->load, LVL_ERR_ARG, LVL_FAULT_VALUE, "the region has %lu rows, %zu are given",
                          (unsigned long)height, yyjson_arr_size(rows));
            return;
        }
    } else if (!lvl_cell_parse(m->field->cell_names, v->text, size, &one)) {
        lvl_load_fail(&e->load, LVL_ERR_ARG, LVL_FAULT_VALUE, "\"%s\" is no cell of %lu bytes",
                      lvl_show(buf, v->text), (unsigned long)size);
        return;
    }
    if (!own_grid(e, m->record, m->field))
        return;
    uint8_t *grid = (uint8_t *)(uintptr_t)cells->ptr; /* ours since own_grid */
    for (uint32_t y = 0; y < height; y++) {
        uint8_t *to = grid + ((size_t)(r[1] + y) * cells->width + r[0]) * size;
        yyjson_val *row = rows ? yyjson_arr_get(rows, y) : NULL;
        if (row && (!yyjson_is_str(row) ||
                    !lvl_load_row(m->field->cell_names, lvl_json_str(row), size, width, to))) {
            lvl_load_fail(&e->load, LVL_ERR_ARG, LVL_FAULT_VALUE,
                          "row %lu isn't runs of cells that fill %lu columns", (unsigned long)y,
                          (unsigned long)width);
            return;
        }
        for (uint32_t x = 0; !row && x < width; x++)
            put_cell(to + (size_t)x * size, size, one);
    }
}

static bool refuses(editor *e, const lvl_match *m, bool unset)
{
    const lvl_field *f = m->field;
    const lvl_table *table = e->load.doc->format->table;
    char when[200];

    e->load.where = m->where;
    if (!f) {
        lvl_load_fail(&e->load, LVL_ERR_ARG, LVL_FAULT_PATH,
                      "the whole document can't be assigned; undump makes one");
        return true;
    }
    for (uint32_t i = 0; i < m->where.depth; i++) {
        const lvl_field *step = m->where.steps[i].field;
        if (!unset && (step->role == LVL_DERIVED || step->role == LVL_KEPT)) {
            lvl_load_fail(&e->load, LVL_ERR_ARG, LVL_FAULT_DERIVED,
                          step->role == LVL_DERIVED ? "%s follows from the rest and is computed on writing"
                                                    : "%s is kept spelling and can only be let go (unset)",
                          step->name);
            return true;
        }
        if (i + 1 < m->where.depth)
            table = step->table;
    }
    if (absent(m)) {
        lvl_load_fail(&e->load, LVL_ERR_ARG, LVL_FAULT_ABSENT, "%s is there only %s", f->name,
                      lvl_when_text(table, f, when, sizeof when));
        return true;
    }
    if ((f->flags & LVL_F_FIXED) && f->kind == LVL_LIST &&
        (m->append || (m->index == LVL_NO_INDEX) || (unset && m->index != LVL_NO_INDEX))) {
        lvl_load_fail(&e->load, LVL_ERR_ARG, LVL_FAULT_VALUE, "%s always has as many items as it has",
                      f->name);
        return true;
    }
    return false;
}

static void set_one(editor *e, lvl_match *m, value *v)
{
    const lvl_field *f = m->field;
    void *record = m->record;
    lvl_field item;
    yyjson_val *val;

    if (refuses(e, m, false))
        return;
    if (m->has_region) {
        set_region(e, m, v);
        return;
    }
    if (m->append) {
        if (!note_member(e, record, f))
            return;
        lvl_status status = lvl_list_insert(e->load.doc, record, f, m->index, 1);
        if (status != LVL_OK) {
            e->load.status = status;
            return;
        }
        e->load.where.steps[e->load.where.depth - 1].index = m->index;
    }
    if (m->index != LVL_NO_INDEX) { /* an item is a field of its own */
        record = (void *)(uintptr_t)lvl_list_item(record, f, m->index);
        item = lvl_item_field(f);
        f = &item;
    }
    switch (f->kind) {
    case LVL_INT:
    case LVL_REAL:
    case LVL_TEXT:
    case LVL_BYTES: set_scalar(e, record, f, v); break;
    case LVL_RECORD:
        if ((val = json_of(e, v)) && reset_record(e, (uint8_t *)record + f->offset, f->table, f->size))
            lvl_load_record(&e->load, (uint8_t *)record + f->offset, f->table, val);
        break;
    case LVL_LIST:
    case LVL_CELLS:
        if ((val = json_of(e, v)) && note_member(e, record, f))
            lvl_load_value(&e->load, record, f, val);
        break;
    }
}

static lvl_status set_matches(editor *e, lvl_match *matches, size_t n, value *v)
{
    size_t there = 0;

    for (size_t i = 0; i < n; i++)
        there += !absent(&matches[i]);
    for (size_t i = 0; i < n && e->load.status == LVL_OK; i++) {
        if (there && absent(&matches[i])) /* among many, those that lack the field are left alone */
            continue;
        set_one(e, &matches[i], v);
        e->changed++;
    }
    return e->load.status;
}

static lvl_status assign(editor *e, const char *assignment)
{
    lvl_text all = lvl_text_of(assignment);
    lvl_match *matches = NULL;
    lvl_path path;
    size_t end, n;

    lvl_status status = lvl_path_parse(&path, all, &end, e->load.findings);
    if (status == LVL_OK && (end == all.len || all.ptr[end] != '=')) {
        char buf[80];
        lvl_findings_add(e->load.findings, &lvl_faults[LVL_FAULT_PATH], NULL, NULL,
                         "\"%s\" is no assignment: path=value", lvl_show(buf, all));
        status = LVL_ERR_ARG;
    }
    path.source.len = status == LVL_OK ? end : all.len;
    if (status == LVL_OK)
        status = lvl_path_bind(&path, e->load.doc, e->load.findings);
    if (status == LVL_OK)
        status = lvl_path_find(&path, e->load.doc, &matches, &n, e->load.findings);
    if (status == LVL_OK) {
        value v = {{all.ptr + end + 1, all.len - end - 1}, NULL};
        status = set_matches(e, matches, n, &v);
        yyjson_doc_free(v.tree);
    }
    free(matches);
    lvl_path_free(&path);
    return status;
}

lvl_status lvl_set(lvl_doc *doc, const char *const *assignments, size_t count, size_t *changed,
                   lvl_findings *findings)
{
    editor e;
    lvl_status status = begin(&e, doc, findings);

    for (size_t i = 0; i < count && status == LVL_OK; i++)
        status = assign(&e, assignments[i]);
    if (status == LVL_ERR_FORMAT) /* a value's fault here, not a file's */
        status = LVL_ERR_ARG;
    return finish(&e, status, changed);
}

/* ---- unset --------------------------------------------------------------------------------------------------------------------------- */

static void forget_override(lvl_doc *doc, const void *record, const lvl_field *f)
{
    for (uint32_t i = 0; i < doc->override_count; i++) {
        if (doc->overrides[i].record == record && doc->overrides[i].field == f)
            doc->overrides[i--] = doc->overrides[--doc->override_count];
    }
    lvl_doc_index_overrides(doc);
}

static void unset_member(editor *e, void *record, const lvl_field *f)
{
    const uint32_t none = 0;

    if (!note_member(e, record, f))
        return;
    if (f->role == LVL_DERIVED)
        forget_override(e->load.doc, record, f);
    memset((uint8_t *)record + f->offset, 0, f->size);
    if (f->kind == LVL_INT)
        lvl_put_int(record, f, f->def);
    else if (f->kind == LVL_RECORD)
        lvl_record_init((uint8_t *)record + f->offset, f->table);
    else if (f->kind == LVL_LIST)
        memcpy((uint8_t *)record + f->count_offset, &none, sizeof none);
}

/* Removes the items of one list that are found, all at once. */
static void unset_items(editor *e, const lvl_match *m, size_t n)
{
    uint32_t count = lvl_list_count(m->record, m->field);
    uint8_t *drop = calloc(count ? count : 1, 1);

    if (!drop || !note_member(e, m->record, m->field)) {
        e->load.status = LVL_ERR_MEMORY;
    } else {
        for (size_t i = 0; i < n; i++)
            drop[m[i].index] = 1;
        e->load.status = lvl_list_drop(e->load.doc, m->record, m->field, drop);
        e->changed += n;
    }
    free(drop);
}

static lvl_status unset_path(editor *e, const char *path)
{
    lvl_match *matches;
    size_t n;

    lvl_status status = lvl_path_matches(e->load.doc, lvl_text_of(path), &matches, &n, e->load.findings);
    for (size_t i = 0; i < n && e->load.status == LVL_OK;) {
        lvl_match *m = &matches[i];
        size_t same = 1;
        if (n > 1 && absent(m)) {
            i++;
            continue;
        }
        if (refuses(e, m, true))
            break;
        if (m->has_region || m->append) {
            lvl_load_fail(&e->load, LVL_ERR_ARG, LVL_FAULT_PATH,
                          "there is nothing to unset; set cells to a value");
        } else if (m->index == LVL_NO_INDEX) {
            unset_member(e, m->record, m->field);
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
    editor e;
    lvl_status status = begin(&e, doc, findings);

    for (size_t i = 0; i < count && status == LVL_OK; i++)
        status = unset_path(&e, paths[i]);
    return finish(&e, status, changed);
}
