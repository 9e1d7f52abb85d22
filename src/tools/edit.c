/*
 * tools/edit.c: set and unset. An edit is all or none (journal.c).
 */
#include "base/buffer.h"
#include "base/text.h"

#include "base/arena.h"
#include "codec/json.h"
#include "tools/edit_list.h"
#include "tools/item_ids.h"
#include "tools/region.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_absent(const lvl_match *m)
{
    return m->field && !lvl_field_present(m->record, m->field);
}

/* The table of the record that has the member. */
static const lvl_table *table_of(const lvl_editor *e, const lvl_match *m)
{
    return m->where.depth > 1 ? m->where.steps[m->where.depth - 2].field->table : e->load.doc->format->table;
}

/* ---- fields that come and go -------------------------------------------------------------------------- */

/* Whether another field of the record exists only with certain values of this one. */
static bool is_decided_by(const lvl_field *field, const lvl_field *tag)
{
    return field->when.tag_size && field->when.tag_offset == tag->offset && field->role != LVL_DERIVED &&
           field->role != LVL_KEPT;
}

static int64_t tag_value(const void *record, const lvl_field *field)
{
    return field->kind == LVL_INT ? lvl_get_int(record, field) : 0;
}

static void warn_dropped(lvl_editor *e, const void *record, const lvl_table *table, const lvl_field *field)
{
    lvl_buffer shown = {0};
    lvl_emit emit = lvl_emit_of(e->load.doc, &shown);
    char when[200];

    lvl_write_short(&emit, record, field);
    if (shown.status == LVL_OK)
        lvl_findings_add(e->load.findings, &lvl_faults[LVL_FAULT_FIELD_DROPPED], &e->load.where, NULL,
                         "%s %.*s is dropped: the field exists only %s", field->name, (int)shown.len,
                         (const char *)shown.data, lvl_when_text(table, field, when, sizeof when));
    else
        e->load.status = shown.status;
    lvl_buffer_free(&shown);
}

/* The names of fields that a tag's value has removed and added. */
typedef struct field_names {
    lvl_buffer gone, come;
} field_names;

static void add_name(lvl_buffer *list, const char *name)
{
    lvl_buffer_printf(list, "%s%s", list->len ? ", " : "", name);
}

static void report_names(lvl_editor *e, const char *tag, const field_names *names)
{
    const lvl_text gone = lvl_buffer_text(&names->gone), come = lvl_buffer_text(&names->come);

    lvl_findings_add(e->load.findings, &lvl_faults[LVL_FAULT_FIELDS], &e->load.where, NULL,
                     "%s decides which fields exist: %s%.*s%s%s%.*s", tag, gone.len ? "no longer " : "",
                     (int)gone.len, gone.len ? gone.ptr : "", gone.len && come.len ? ", " : "",
                     come.len ? "now " : "", (int)come.len, come.len ? come.ptr : "");
}

/* After a match got another value: where that is a tag, names the fields that came and went, and warns of
 * each value that went with its field. `was`: the value before, as tag_value returns it. */
static void report_fields(lvl_editor *e, const lvl_match *m, const void *record, const lvl_field *tag,
                          int64_t was)
{
    const lvl_table *table = table_of(e, m);
    field_names names = {0};

    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *field = &table->fields[i];
        if (!is_decided_by(field, tag))
            continue;
        const bool before = lvl_when_holds(&field->when, was), now = lvl_field_present(record, field);
        if (before != now)
            add_name(now ? &names.come : &names.gone, field->name);
        if (before && !now && !lvl_field_is_default(record, field))
            warn_dropped(e, record, table, field);
    }
    if (names.gone.status != LVL_OK || names.come.status != LVL_OK)
        e->load.status = LVL_ERR_MEMORY;
    else if (names.gone.len || names.come.len)
        report_names(e, tag->name, &names);
    lvl_buffer_free(&names.gone);
    lvl_buffer_free(&names.come);
}

/* ---- set --------------------------------------------------------------------------------------------- */

typedef struct value {
    lvl_text text;
    yyjson_doc *tree; /* parsed when it is needed; or NULL */
} value;

/* Reports that a record is expected, with an example. */
static void want_record(lvl_editor *e, const lvl_table *table)
{
    enum { MAX_FIELDS = 4 };
    lvl_buffer like = {0};

    for (uint32_t i = 0; i < table->field_count && i < MAX_FIELDS; i++)
        lvl_buffer_printf(&like, "%s\"%s\":…", i ? "," : "", table->fields[i].name);
    lvl_load_fail(&e->load, LVL_FAULT_JSON, "expected a record, as {%.*s%s}, or one of its fields (….%s=…)",
                  like.status == LVL_OK ? (int)like.len : 0, like.data ? (const char *)like.data : "",
                  table->field_count > MAX_FIELDS ? ",…" : "", table->fields[0].name);
    lvl_buffer_free(&like);
}

/* Reports why a value is no JSON. */
static void report_json(lvl_editor *e, const lvl_field *f, lvl_text text, const lvl_json_error *error)
{
    const bool is_object = text.len && text.ptr[0] == '{';

    if (error->status != LVL_ERR_FORMAT)
        e->load.status = error->status;
    else if (f->kind == LVL_RECORD && !is_object)
        want_record(e, f->table);
    else
        lvl_load_fail(&e->load, LVL_FAULT_JSON, "expected JSON; at character %zu: %s", error->offset + 1,
                      error->text);
}

/* The value as JSON; NULL: reported. */
static yyjson_val *json_of(lvl_editor *e, const lvl_field *f, value *v)
{
    lvl_json_error error;

    if (!v->tree)
        v->tree = lvl_json_read(e->load.doc->ctx, v->text, &error);
    if (v->tree)
        return yyjson_doc_get_root(v->tree);
    report_json(e, f, v->text, &error);
    return NULL;
}

/* A hint for a value that begins or ends with a blank. */
static const char *blank_hint(lvl_text text)
{
    return text.len && (text.ptr[0] == ' ' || text.ptr[text.len - 1] == ' ')
               ? "; write no blanks around the ="
               : "";
}

/* The names of an integer's values, if they all fit. */
static bool list_names(const lvl_name *names, char *out, size_t size)
{
    size_t len = 0;

    for (const lvl_name *n = names; n->name; n++) {
        const int more = snprintf(out + len, size - len, "%s%s", len ? ", " : "", n->name);
        if (more < 0 || (size_t)more >= size - len)
            return false;
        len += (size_t)more;
    }
    return len != 0;
}

static void set_int(lvl_editor *e, void *record, const lvl_field *f, value *v)
{
    int64_t number;
    char buf[80];

    if (v->text.len && v->text.ptr[0] == '"') {
        yyjson_val *val = json_of(e, f, v);
        if (val)
            lvl_load_value(&e->load, record, f, val);
        return;
    }
    if (lvl_int_parse(f, v->text, &number)) {
        lvl_put_int(record, f, number);
        return;
    }
    if (lvl_field_is_switch(f)) {
        lvl_load_fail(&e->load, LVL_FAULT_VALUE, "expected yes or no (1 or 0, true or false), got \"%s\"%s",
                      lvl_show(buf, v->text), blank_hint(v->text));
        return;
    }
    const char *near = lvl_nearest_name(f->names, v->text);
    const bool flags = (f->flags & LVL_F_FLAGS) != 0;
    char names[320];
    if (f->names && (!near || flags) && list_names(f->names, names, flags ? sizeof names : 160)) {
        lvl_load_fail(&e->load, LVL_FAULT_VALUE, "expected %s: %s; or a number that fits; got \"%s\"%s",
                      flags ? "names joined by |, of" : "one of", names, lvl_show(buf, v->text),
                      blank_hint(v->text));
        return;
    }
    lvl_load_fail(&e->load, LVL_FAULT_VALUE, "expected %s%s%u-bit %sinteger, got \"%s\"%s%s%s%s",
                  f->names ? "a name or " : "", f->size == 1 ? "an " : "a ", (unsigned)f->size * 8,
                  f->flags & LVL_F_SIGNED ? "" : "unsigned ", lvl_show(buf, v->text),
                  near ? "; did you mean " : "", near ? near : "", near ? "?" : "", blank_hint(v->text));
}

static void set_real(lvl_editor *e, void *record, const lvl_field *f, const value *v)
{
    double number;
    char buf[80];

    if (lvl_real_parse(v->text, &number))
        memcpy((uint8_t *)record + f->offset, &number, sizeof number);
    else
        lvl_load_fail(&e->load, LVL_FAULT_VALUE, "expected a finite number, got \"%s\"",
                      lvl_show(buf, v->text));
}

static void set_scalar(lvl_editor *e, void *record, const lvl_field *f, value *v)
{
    const char first = v->text.len ? v->text.ptr[0] : 0;
    yyjson_val *val;

    if (!lvl_editor_note_member(e, record, f))
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
    } else if ((val = json_of(e, f, v))) {
        lvl_load_value(&e->load, record, f, val);
    }
    /* games need a NUL at the end of a slot */
    if (e->load.status == LVL_OK && f->kind == LVL_TEXT && (f->flags & LVL_F_SLOT) &&
        lvl_get_text(record, f).len == f->size)
        lvl_load_fail(&e->load, LVL_FAULT_VALUE, "the text is too long; at most %lu bytes fit",
                      (unsigned long)f->size - 1);
}

/* Parses a grid: as lvl_get prints a region, or an array of its rows. */
static bool load_grid(lvl_editor *e, const lvl_match *m, const lvl_field *f, value *v, lvl_cells *out)
{
    lvl_field alone = *f;
    yyjson_val *json = json_of(e, f, v);
    lvl_buffer whole = {0};
    lvl_json_error error;
    yyjson_doc *tree = NULL;

    if (yyjson_is_arr(json)) {
        lvl_buffer_printf(&whole, "{\"width\":%lld,\"height\":%zu,\"rows\":",
                          (long long)m->region[2] - m->region[0] + 1, yyjson_arr_size(json));
        lvl_buffer_add(&whole, v->text.ptr, v->text.len);
        lvl_buffer_u8(&whole, '}');
        if (whole.status == LVL_OK)
            tree = lvl_json_read(e->load.doc->ctx, lvl_buffer_text(&whole), &error);
        if (!tree)
            e->load.status = whole.status == LVL_OK ? error.status : whole.status;
        json = yyjson_doc_get_root(tree);
    }
    alone.offset = 0;
    if (e->load.status == LVL_OK && json)
        lvl_load_value(&e->load, out, &alone, json);
    yyjson_doc_free(tree);
    lvl_buffer_free(&whole);
    return e->load.status == LVL_OK && json;
}

bool lvl_region_fit(lvl_editor *e, lvl_match *m, const lvl_cells *grid)
{
    int64_t *r = m->region;

    if (!grid->ptr || !grid->width || !grid->height) {
        lvl_load_fail(&e->load, LVL_FAULT_VALUE, "expected cells, found none");
        return false;
    }
    if (r[0] == r[2] && r[1] == r[3]) { /* only the upper left corner was given */
        const lvl_cells *c = m->field->kind == LVL_CELLS ? lvl_get_cells(m->record, m->field) : NULL;
        r[2] = r[0] + grid->width - 1;
        r[3] = r[1] + grid->height - 1;
        if (!c || (r[2] < c->width && r[3] < c->height))
            return true;
        lvl_load_fail(&e->load, LVL_FAULT_VALUE,
                      "%lu columns and %lu rows do not fit there: the grid has %lu columns and %lu rows",
                      (unsigned long)grid->width, (unsigned long)grid->height, (unsigned long)c->width,
                      (unsigned long)c->height);
        return false;
    }
    if (grid->width == r[2] - r[0] + 1 && grid->height == r[3] - r[1] + 1)
        return true;
    lvl_load_fail(&e->load, LVL_FAULT_VALUE,
                  "expected %lld columns and %lld rows for the region, got %lu and %lu",
                  (long long)r[2] - r[0] + 1, (long long)r[3] - r[1] + 1, (unsigned long)grid->width,
                  (unsigned long)grid->height);
    return false;
}

/* The index of the item with that label, in the list that the cells index. */
static bool named_cell(const lvl_doc *doc, const lvl_field *f, lvl_text utf8, uint32_t *number)
{
    const lvl_field *list = lvl_field_named(doc->format->table, f->ref);
    const lvl_field *label = list ? lvl_label_of(list->table) : NULL;
    lvl_buffer text = {0};
    uint32_t bad;

    *number = LVL_NO_INDEX;
    if (label && label->kind == LVL_TEXT && lvl_text_from_utf8(&text, doc->codepage, utf8, &bad))
        *number = lvl_item_with_text(doc->root, list, label, lvl_buffer_text(&text));
    lvl_buffer_free(&text);
    return *number != LVL_NO_INDEX;
}

static void set_region(lvl_editor *e, const lvl_match *m, value *v)
{
    const lvl_field *f = lvl_region_field(e->load.doc, m);
    lvl_patch patch = {0};
    lvl_match to = *m;
    char buf[80];

    if (!f) /* cannot happen: a region has a field */
        return;
    const lvl_cells *was = f == m->field ? lvl_get_cells(m->record, f) : NULL;
    const uint32_t size = was && was->size ? was->size : lvl_cell_size(f);
    lvl_cells grid = {.size = size};

    if (v->text.len && (v->text.ptr[0] == '[' || v->text.ptr[0] == '{')) {
        if (!load_grid(e, m, f, v, &grid) || !lvl_region_fit(e, &to, &grid))
            return;
        patch.grid = &grid;
    } else if (!lvl_cell_parse(f->cell_names, v->text, size, &patch.value) &&
               !named_cell(e->load.doc, f, v->text, &patch.value)) {
        lvl_load_fail(&e->load, LVL_FAULT_VALUE, "expected a cell of %lu bytes%s%s, got \"%s\"",
                      (unsigned long)size, f->ref ? " or a name in " : "", f->ref ? f->ref : "",
                      lvl_show(buf, v->text));
        return;
    }
    lvl_region_write(e, &to, &patch);
}

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
    if (is_absent(m)) {
        lvl_load_fail(&e->load, LVL_FAULT_ABSENT, "%s exists only %s", f->name,
                      lvl_when_text(table_of(e, m), f, when, sizeof when));
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

static void set_one(lvl_editor *e, lvl_match *m, value *v)
{
    lvl_field field;
    const lvl_field *f = &field;
    yyjson_val *val;

    if (lvl_editor_refuses(e, m, false))
        return;
    if (m->has_region) {
        set_region(e, m, v);
        return;
    }
    if (m->append) {
        if (!lvl_editor_insert(e, m, 1))
            return;
        e->load.where.steps[e->load.where.depth - 1].index = m->index;
    }
    void *record = lvl_match_member(m, &field);
    const int64_t was = tag_value(record, f);
    switch (f->kind) {
    case LVL_INT:
        set_scalar(e, record, f, v);
        report_fields(e, m, record, f, was);
        break;
    case LVL_REAL:
    case LVL_TEXT:
    case LVL_BYTES: set_scalar(e, record, f, v); break;
    case LVL_RECORD:
        if ((val = json_of(e, f, v)) && lvl_editor_note_member(e, record, f)) {
            lvl_field_reset(record, f); /* fields that are not given get their defaults */
            lvl_load_record(&e->load, (uint8_t *)record + f->offset, f->table, val);
        }
        break;
    case LVL_LIST:
    case LVL_CELLS:
        if ((val = json_of(e, f, v)) && lvl_editor_note_member(e, record, f))
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

/* Multiplies an integer by a real number and rounds; false if the result does not fit. */
static bool multiply(const lvl_field *f, int64_t was, lvl_text by, int64_t *now)
{
    const double most = 9007199254740992.0; /* 2^53: up to there a double has every integer */
    double factor;

    if (!lvl_real_parse(by, &factor))
        return false;
    const double product = (double)was * factor;
    if (was > (int64_t)most || was < -(int64_t)most || !(product >= -most && product <= most))
        return false;
    *now = (int64_t)(product < 0 ? product - 0.5 : product + 0.5);
    return lvl_int_fits(f, *now);
}

static void add_int(lvl_editor *e, void *record, const lvl_field *f, const value *v, char op)
{
    const int64_t was = lvl_get_int(record, f);
    int64_t by = 0, now = was;
    const bool take = op == '-';
    char buf[80];

    bool good = !lvl_field_is_switch(f) && (op == '*' || lvl_int_parse(f, v->text, &by));
    if (op == '*') {
        good = good && !(f->flags & LVL_F_FLAGS) && multiply(f, was, v->text, &now);
    } else if (f->flags & LVL_F_FLAGS) {
        now = take ? was & ~by : was | by;
    } else {
        if (take && by == INT64_MIN)
            good = false;
        by = take && good ? -by : by;
        good = good && (by > 0 ? was <= INT64_MAX - by : was >= INT64_MIN - by);
        now = good ? was + by : was;
        good = good && lvl_int_fits(f, now);
    }
    if (!good)
        lvl_load_fail(&e->load, LVL_FAULT_VALUE, "%s cannot be changed by \"%s\"", f->name,
                      lvl_show(buf, v->text));
    else if (lvl_editor_note_member(e, record, f))
        lvl_put_int(record, f, now);
}

static void add_real(lvl_editor *e, void *record, const lvl_field *f, const value *v, char op)
{
    double by;
    char buf[80];

    if (!lvl_real_parse(v->text, &by)) {
        lvl_load_fail(&e->load, LVL_FAULT_VALUE, "expected a finite number, got \"%s\"",
                      lvl_show(buf, v->text));
    } else {
        const double was = lvl_get_real(record, f);
        by = op == '*' ? was * by : op == '-' ? was - by : was + by;
        if (by - by != 0)
            lvl_load_fail(&e->load, LVL_FAULT_VALUE, "%s cannot be changed by \"%s\"", f->name,
                          lvl_show(buf, v->text));
        else if (lvl_editor_note_member(e, record, f))
            memcpy((uint8_t *)record + f->offset, &by, sizeof by);
    }
}

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
static void remove_items(lvl_editor *e, const lvl_match *m, value *v)
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
        yyjson_val *val = json_of(e, field, v);
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
static void append_items(lvl_editor *e, const lvl_match *m, value *v)
{
    lvl_match last = *m;
    size_t i, n;
    yyjson_val *array, *one;

    last.append = true;
    if (!v->text.len || v->text.ptr[0] != '[') {
        last.index = lvl_list_count(m->record, m->field);
        set_one(e, &last, v);
        return;
    }
    array = json_of(e, m->field, v);
    if (!array)
        return;
    yyjson_arr_foreach(array, i, n, one)
    {
        size_t len;
        char *text = yyjson_val_write(one, 0, &len);
        value item = {{text, len}, NULL};
        last.index = lvl_list_count(m->record, m->field);
        if (!text)
            e->load.status = LVL_ERR_MEMORY;
        else if (m->field->item == LVL_TEXT && !yyjson_is_str(one))
            lvl_load_fail(&e->load, LVL_FAULT_VALUE, "expected a text as item of %s", m->field->name);
        else
            set_one(e, &last, &item);
        yyjson_doc_free(item.tree);
        free(text);
        if (e->load.status != LVL_OK)
            return;
    }
}

static void change_one(lvl_editor *e, const lvl_match *m, value *v, char op)
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
        add_int(e, record, &field, v, op);
        report_fields(e, m, record, &field, was);
    } else if (record && field.kind == LVL_REAL)
        add_real(e, record, &field, v, op);
    else
        lvl_load_fail(&e->load, LVL_FAULT_PATH, "+= and -= apply to lists, numbers and flags, *= to numbers");
}

/* Moves the items of one list; returns how many of the matches these are. */
static size_t move_items(lvl_editor *e, const lvl_match *m, size_t n, const value *v)
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

static lvl_status set_matches(lvl_editor *e, lvl_match *matches, size_t n, value *v, char op)
{
    size_t present = 0;

    for (size_t i = 0; i < n; i++)
        present += !is_absent(&matches[i]);
    for (size_t i = 0; i < n && e->load.status == LVL_OK; i++) {
        if (present && is_absent(&matches[i])) /* of several, those without the field are skipped */
            continue;
        const size_t before = e->changed;
        if (op == '@') {
            i += move_items(e, &matches[i], n - i, v) - 1;
            continue;
        }
        if (op == '=')
            set_one(e, &matches[i], v);
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
        value v = {{all.ptr + from, all.len - from}, NULL};
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
    const int64_t was = tag_value(m->record, f);
    if (f->role == LVL_DERIVED)
        drop_override(e->load.doc, m->record, f);
    lvl_field_reset(m->record, f);
    report_fields(e, m, m->record, f, was);
}

static lvl_status unset_path(lvl_editor *e, const char *path)
{
    lvl_match *matches;
    size_t n;

    lvl_status status = lvl_path_matches(e->load.doc, lvl_text_of(path), &matches, &n, e->load.findings);
    for (size_t i = 0; i < n && e->load.status == LVL_OK;) {
        lvl_match *m = &matches[i];
        size_t same = 1;
        if (n > 1 && is_absent(m)) {
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
