/*
 * tools/picture/sheet.c: see tools/picture/sheet.h.
 */
#include "tools/picture/sheet.h"

#include "base/arena.h"
#include "base/text.h"
#include "base/work.h"
#include "tools/edit/value.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMN_DEPTH = 4 };

/* A field of a record, or of a record in it. */
typedef struct column {
    const lvl_field *steps[COLUMN_DEPTH];
    uint32_t depth;
} column;

typedef struct columns {
    const lvl_table *table;
    column *items;
    size_t count, cap;
} columns;

/* ---- columns ------------------------------------------------------------------------------------------- */

static lvl_status find_column(const lvl_table *table, lvl_text name, column *out, lvl_findings *findings)
{
    out->depth = 0;
    for (size_t at = 0; at <= name.len;) {
        const char *dot = at < name.len ? memchr(name.ptr + at, '.', name.len - at) : NULL;
        const lvl_text word = {name.ptr + at, dot ? (size_t)(dot - name.ptr) - at : name.len - at};
        const lvl_field *found = NULL;
        for (uint32_t i = 0; i < table->field_count && !found; i++) {
            if (lvl_text_is(word, table->fields[i].name))
                found = &table->fields[i];
        }
        if (!found || out->depth == COLUMN_DEPTH || (dot && found->kind != LVL_RECORD))
            return lvl_path_unknown_name(table, found ? name : word, findings);
        out->steps[out->depth++] = found;
        at += word.len + 1;
        table = found->table;
    }
    return LVL_OK;
}

/* Adds all fields that have one value, in the order of the tables. */
static bool add_columns(columns *c, const lvl_table *table, const column *above)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        column one = *above;
        one.steps[one.depth++] = f;
        if (f->role == LVL_DERIVED || f->role == LVL_KEPT)
            continue;
        if (f->kind == LVL_RECORD && one.depth < COLUMN_DEPTH) {
            if (!add_columns(c, f->table, &one))
                return false;
        } else if (f->kind == LVL_INT || f->kind == LVL_REAL || f->kind == LVL_TEXT) {
            if (!lvl_grow(&c->items, &c->cap, c->count + 1, sizeof *c->items))
                return false;
            c->items[c->count++] = one;
        }
    }
    return true;
}

/* The record that has the field; NULL: the field does not exist in this one. */
static void *record_of(const column *c, void *record)
{
    for (uint32_t i = 0; i < c->depth; i++) {
        if (!lvl_field_present(record, c->steps[i]))
            return NULL;
        if (i + 1 < c->depth)
            record = (uint8_t *)record + c->steps[i]->offset;
    }
    return record;
}

static const lvl_field *field_of(const column *c)
{
    return c->steps[c->depth - 1];
}

/* Appends a value as lvl_get prints it. */
static void put_value(const lvl_emit *w, const column *c, void *record)
{
    const void *has = record_of(c, record);

    if (has)
        lvl_write_plain(w, has, field_of(c));
}

/* ---- a table of a document ----------------------------------------------------------------------------- */

/* The table of the records that a match is one of; NULL: it is not a record. */
static const lvl_table *table_of_match(const lvl_doc *doc, const lvl_match *m)
{
    if (!m->field)
        return doc->format->table;
    const bool one = m->field->kind == LVL_RECORD || (m->field->kind == LVL_LIST && m->index != LVL_NO_INDEX);
    return one && !m->append ? m->field->table : NULL;
}

static void put_head(const columns *c, bool file, lvl_buffer *head)
{
    lvl_buffer_str(head, file ? "file,path" : "path");
    for (size_t i = 0; i < c->count; i++) {
        lvl_buffer_u8(head, ',');
        for (uint32_t k = 0; k < c->items[i].depth; k++)
            lvl_buffer_printf(head, "%s%s", k ? "." : "", c->items[i].steps[k]->name);
    }
    lvl_buffer_str(head, "\r\n");
}

static void put_row(const lvl_emit *w, const columns *c, const lvl_match *m, const char *file,
                    lvl_buffer *rows)
{
    char path[400];
    lvl_field field;

    if (file) {
        lvl_csv_put(rows, lvl_text_of(file));
        lvl_buffer_u8(rows, ',');
    }
    lvl_csv_put(rows, lvl_text_of(lvl_match_text(m, path, sizeof path)));
    void *record = m->field ? lvl_match_member(m, &field) : m->record;
    if (m->field && m->field->kind == LVL_RECORD)
        record = (uint8_t *)record + m->field->offset;
    for (size_t i = 0; i < c->count; i++) {
        w->out->len = 0;
        put_value(w, &c->items[i], record);
        lvl_buffer_u8(rows, ',');
        lvl_csv_put(rows, lvl_buffer_text(w->out));
    }
    lvl_buffer_str(rows, "\r\n");
}

/* Finds what the rows are, and from which of the paths on they are names of fields. */
static lvl_status find_rows(const lvl_doc *doc, const char *path, lvl_match **matches, size_t *n,
                            size_t *from, const lvl_table **table, lvl_findings *findings)
{
    *from = 1;
    lvl_status status = lvl_path_matches(doc, lvl_text_of(path), matches, n, findings);
    if (status != LVL_OK)
        return status;
    *table = table_of_match(doc, *matches);
    if (*table)
        return LVL_OK;
    const lvl_field *f = (*matches)->field;
    if (f->kind == LVL_LIST && f->item == LVL_RECORD && !(*matches)->append)
        return lvl_fault_add(findings, LVL_FAULT_PATH, "%s is a list: its items are %s[*]", path, path);
    *from = 0;
    *table = doc->format->table;
    free(*matches);
    return lvl_path_matches(doc, (lvl_text){"", 0}, matches, n, findings);
}

lvl_status lvl_sheet_get(const lvl_doc *doc, const char *const *paths, size_t count, const char *file,
                         lvl_buffer *head, lvl_buffer *rows, size_t *found, lvl_findings *findings)
{
    columns c = {0};
    lvl_buffer value = {0};
    lvl_match *matches = NULL;
    size_t n = 0, from;

    *found = 0;
    lvl_status status = find_rows(doc, paths[0], &matches, &n, &from, &c.table, findings);
    if (status != LVL_OK)
        goto out;
    const size_t named = count - from;
    if (named && !lvl_grow(&c.items, &c.cap, named, sizeof *c.items))
        status = LVL_ERR_MEMORY;
    for (size_t i = from; i < count && status == LVL_OK; i++)
        status = find_column(c.table, lvl_text_of(paths[i]), &c.items[c.count++], findings);
    if (status == LVL_OK && !named && !add_columns(&c, c.table, &(column){.depth = 0}))
        status = LVL_ERR_MEMORY;
    if (status != LVL_OK)
        goto out;
    put_head(&c, file != NULL, head);
    const lvl_emit w = lvl_emit_of(doc, &value);
    for (size_t i = 0; i < n && status == LVL_OK; i++) {
        put_row(&w, &c, &matches[i], file, rows);
        status = value.status != LVL_OK ? value.status : rows->status;
    }
    *found = n;
out:
    free(matches);
    free(c.items);
    lvl_buffer_free(&value);
    return status != LVL_OK ? status : head->status;
}

/* ---- reading a table ----------------------------------------------------------------------------------- */

void lvl_sheet_free(lvl_sheet *sheet)
{
    lvl_csv_end(&sheet->head);
    free(sheet->rows);
    lvl_buffer_free(&sheet->names);
    lvl_hash_free(&sheet->row_of);
    lvl_hash_free(&sheet->first_of);
}

static void note_place(lvl_sheet_place *place, size_t line, lvl_text name)
{
    place->line = line;
    const lvl_text shown = lvl_text_cut(name, sizeof place->column - 1);
    memcpy(place->column, shown.ptr, shown.len);
    place->column[shown.len] = 0;
}

static lvl_status read_head(lvl_sheet *sheet, lvl_text text, lvl_sheet_place *place, lvl_findings *findings)
{
    lvl_csv *head = &sheet->head;

    lvl_csv_begin(head, text);
    if (!lvl_csv_row(head)) {
        note_place(place, head->line, (lvl_text){"", 0});
        if (head->text.status != LVL_OK)
            return head->text.status;
        return lvl_fault_add(findings, LVL_FAULT_VALUE, "%s",
                             head->error ? head->error : "expected a table, found an empty file");
    }
    sheet->file = sheet->path = LVL_CSV_COLUMNS;
    for (size_t i = 0; i < head->count; i++) {
        const lvl_text name = lvl_csv_field(head, i);
        size_t same = 0;
        while (!lvl_text_equal(lvl_csv_field(head, same), name))
            same++;
        if (same < i || !name.len) {
            note_place(place, head->line, name);
            return lvl_fault_add(findings, LVL_FAULT_VALUE,
                                 name.len ? "the column is there twice" : "column %zu has no name", i + 1);
        }
        if (lvl_text_is(name, "file"))
            sheet->file = i;
        if (lvl_text_is(name, "path"))
            sheet->path = i;
    }
    return LVL_OK;
}

static lvl_text name_of(const lvl_sheet *sheet, const lvl_sheet_row *row)
{
    return (lvl_text){(const char *)sheet->names.data + row->name, row->name_len};
}

static uint32_t first_of(const lvl_sheet *sheet, lvl_text file)
{
    const uint64_t hash = lvl_hash_bytes(&sheet->first_of.seed, file.ptr, file.len);

    for (lvl_hash_at at = lvl_hash_first(&sheet->first_of, hash); at.found;
         at = lvl_hash_next(&sheet->first_of, at)) {
        const lvl_text name = name_of(sheet, &sheet->rows[at.index]);
        if (lvl_text_equal((lvl_text){name.ptr, sheet->rows[at.index].file_len}, file))
            return at.index;
    }
    return LVL_NO_INDEX;
}

uint32_t lvl_sheet_first(const lvl_sheet *sheet, const char *file)
{
    return first_of(sheet, lvl_text_of(sheet->file < LVL_CSV_COLUMNS ? file : ""));
}

/* Adds a row; returns the one for the same file and path, or LVL_NO_INDEX. `last` of the first row of each
 * file is the last one that was added. */
static lvl_status add_row(lvl_sheet *sheet, const lvl_csv *csv, lvl_text source, size_t *twin, uint32_t *last)
{
    const lvl_text file = lvl_csv_field(csv, sheet->file), path = lvl_csv_field(csv, sheet->path);
    const uint32_t at = (uint32_t)sheet->count;

    *twin = SIZE_MAX;
    sheet->rows[at] =
        (lvl_sheet_row){source, csv->line, sheet->names.len, file.len + 1 + path.len, file.len, LVL_NO_INDEX};
    lvl_buffer_add(&sheet->names, file.ptr, file.len);
    lvl_buffer_u8(&sheet->names, '\n');
    lvl_buffer_add(&sheet->names, path.ptr, path.len);
    if (sheet->names.status != LVL_OK)
        return sheet->names.status;
    const lvl_text name = name_of(sheet, &sheet->rows[at]);
    const uint64_t hash = lvl_hash_bytes(&sheet->row_of.seed, name.ptr, name.len);
    for (lvl_hash_at i = lvl_hash_first(&sheet->row_of, hash); i.found;
         i = lvl_hash_next(&sheet->row_of, i)) {
        if (lvl_text_equal(name_of(sheet, &sheet->rows[i.index]), name))
            *twin = i.index;
    }
    const uint32_t first = first_of(sheet, file);
    lvl_status status = lvl_hash_add(&sheet->row_of, hash, at);
    if (status == LVL_OK && first == LVL_NO_INDEX)
        status =
            lvl_hash_add(&sheet->first_of, lvl_hash_bytes(&sheet->first_of.seed, file.ptr, file.len), at);
    if (first != LVL_NO_INDEX)
        sheet->rows[last[first]].next = at;
    last[first == LVL_NO_INDEX ? at : first] = at;
    sheet->count++;
    return status;
}

lvl_status lvl_sheet_read(lvl_sheet *sheet, lvl_text text, lvl_sheet_place *place, lvl_findings *findings)
{
    uint32_t *last = NULL;
    size_t last_cap = 0, twin = SIZE_MAX;

    memset(sheet, 0, sizeof *sheet);
    memset(place, 0, sizeof *place);
    lvl_hash_init(&sheet->row_of);
    lvl_hash_init(&sheet->first_of);
    lvl_status status = read_head(sheet, text, place, findings);
    if (status != LVL_OK)
        return status;
    lvl_csv csv;
    lvl_csv_begin(&csv, text);
    const char *from = lvl_csv_row(&csv) ? csv.p : csv.end;
    for (; status == LVL_OK && lvl_csv_row(&csv); from = csv.p) {
        if (sheet->count == LVL_NO_INDEX - 1 ||
            !lvl_grow(&sheet->rows, &sheet->cap, sheet->count + 1, sizeof *sheet->rows) ||
            !lvl_grow(&last, &last_cap, sheet->count + 1, sizeof *last)) {
            status = LVL_ERR_MEMORY;
            break;
        }
        const lvl_text source = {from, (size_t)(csv.p - from)};
        note_place(place, csv.line, (lvl_text){"", 0});
        if (!lvl_utf8_valid(source))
            status = lvl_fault_add(findings, LVL_FAULT_VALUE, "expected UTF-8 (in a spreadsheet: CSV UTF-8)");
        else if (csv.count != sheet->head.count)
            status = lvl_fault_add(findings, LVL_FAULT_VALUE, "expected %zu columns, found %zu",
                                   sheet->head.count, csv.count);
        else
            status = add_row(sheet, &csv, source, &twin, last);
        if (status == LVL_OK && twin != SIZE_MAX)
            status = lvl_fault_add(findings, LVL_FAULT_VALUE, "the row is there twice, first in line %zu",
                                   sheet->rows[twin].line);
    }
    if (status == LVL_OK && csv.error) {
        note_place(place, csv.line, (lvl_text){"", 0});
        status = lvl_fault_add(findings, LVL_FAULT_VALUE, "%s", csv.error);
    } else if (status == LVL_OK) {
        status = csv.text.status;
    }
    lvl_csv_end(&csv);
    free(last);
    return status;
}

/* ---- setting ------------------------------------------------------------------------------------------- */

typedef struct setter {
    lvl_editor e;
    const lvl_sheet *sheet;
    columns columns; /* of the last row's table */
    lvl_buffer was, json;
    lvl_sheet_place *place;
    lvl_hash items; /* the records of the rows, by address */
    const void **records;
    size_t record_count, record_cap;
} setter;

/* Finds the columns in the table of a row. */
static lvl_status bind(setter *s, const lvl_table *table)
{
    const lvl_csv *head = &s->sheet->head;

    if (s->columns.table == table)
        return LVL_OK;
    s->columns.table = table;
    if (!lvl_grow(&s->columns.items, &s->columns.cap, head->count, sizeof *s->columns.items))
        return LVL_ERR_MEMORY;
    for (size_t i = 0; i < head->count; i++) {
        const lvl_text name = lvl_csv_field(head, i);
        if (i == s->sheet->file || i == s->sheet->path)
            continue;
        note_place(s->place, head->line, name);
        const lvl_status status = find_column(table, name, &s->columns.items[i], s->e.load.findings);
        if (status != LVL_OK)
            return status;
    }
    return LVL_OK;
}

/* Sets a field to the text of a cell, if that is not what it has. */
static void set_cell(setter *s, const lvl_match *row, void *record, const column *c, lvl_text text)
{
    lvl_edit_value v = {text, NULL};
    lvl_match m = {.where = row->where, .index = LVL_NO_INDEX, .field = field_of(c)};
    const lvl_emit w = lvl_emit_of(s->e.load.doc, &s->was);

    s->was.len = s->json.len = 0;
    put_value(&w, c, record);
    if (s->was.status == LVL_OK && lvl_text_equal(lvl_buffer_text(&s->was), text))
        return;
    for (uint32_t i = 0; i < c->depth && m.where.depth < LVL_PATH_DEPTH; i++)
        m.where.steps[m.where.depth++] = (lvl_step){c->steps[i], LVL_NO_INDEX};
    for (uint32_t i = 0; i + 1 < c->depth; i++)
        record = (uint8_t *)record + c->steps[i]->offset;
    m.record = record;
    if (m.field->kind == LVL_TEXT) { /* as it is: neither JSON nor a formula */
        lvl_json_string(&s->json, text);
        v.text = lvl_buffer_text(&s->json);
    }
    if (s->was.status != LVL_OK || s->json.status != LVL_OK) {
        s->e.load.status = LVL_ERR_MEMORY;
        return;
    }
    lvl_editor_set(&s->e, &m, &v);
    yyjson_doc_free(v.tree);
    s->e.changed++;
}

/* Remembers the record of a row; fails if another row has it. */
static lvl_status note_record(setter *s, const void *record)
{
    const uint64_t hash = lvl_hash_u64(&s->items.seed, (uintptr_t)record);

    for (lvl_hash_at at = lvl_hash_first(&s->items, hash); at.found; at = lvl_hash_next(&s->items, at)) {
        if (s->records[at.index] == record)
            return lvl_fault_add(s->e.load.findings, LVL_FAULT_VALUE, "an earlier row has the same path");
    }
    if (!lvl_grow(&s->records, &s->record_cap, s->record_count + 1, sizeof *s->records))
        return LVL_ERR_MEMORY;
    s->records[s->record_count] = record;
    return lvl_hash_add(&s->items, hash, (uint32_t)s->record_count++);
}

static lvl_status set_row(setter *s, const lvl_sheet_row *row, lvl_csv *csv)
{
    const lvl_sheet *sheet = s->sheet;
    lvl_doc *doc = s->e.load.doc;
    lvl_match *matches = NULL;
    const lvl_table *table = NULL;
    lvl_field field;
    size_t n;

    csv->p = row->source.ptr;
    csv->end = row->source.ptr + row->source.len;
    csv->next_line = row->line;
    if (!lvl_csv_row(csv))
        return csv->text.status;
    note_place(s->place, row->line, lvl_text_of(sheet->path < LVL_CSV_COLUMNS ? "path" : ""));
    lvl_status status =
        lvl_path_matches(doc, lvl_csv_field(csv, sheet->path), &matches, &n, s->e.load.findings);
    if (status == LVL_OK) {
        table = table_of_match(doc, matches);
        if (n != 1 || !table)
            status = lvl_fault_add(s->e.load.findings, LVL_FAULT_PATH, "expected the path of one record");
    }
    if (status != LVL_OK)
        goto out;
    void *record = matches->field ? lvl_match_member(matches, &field) : matches->record;
    if (matches->field && matches->field->kind == LVL_RECORD)
        record = (uint8_t *)record + matches->field->offset;
    status = note_record(s, record);
    if (status == LVL_OK)
        status = bind(s, table);
    for (size_t i = 0; i < sheet->head.count && status == LVL_OK; i++) {
        if (i == sheet->file || i == sheet->path)
            continue;
        note_place(s->place, row->line, lvl_csv_field(&sheet->head, i));
        set_cell(s, matches, record, &s->columns.items[i], lvl_csv_field(csv, i));
        status = s->e.load.status;
    }
out:
    free(matches);
    return status == LVL_ERR_MISSING ? LVL_ERR_ARG : status;
}

lvl_status lvl_sheet_set(lvl_doc *doc, const lvl_sheet *sheet, const char *file, size_t *changed,
                         lvl_sheet_place *place, lvl_findings *findings)
{
    setter s = {.sheet = sheet, .place = place};
    lvl_csv csv = {.comma = sheet->head.comma};

    memset(place, 0, sizeof *place);
    lvl_hash_init(&s.items);
    lvl_status status = lvl_editor_begin(&s.e, doc, findings);
    for (uint32_t i = lvl_sheet_first(sheet, file); i != LVL_NO_INDEX && status == LVL_OK;
         i = sheet->rows[i].next)
        status = set_row(&s, &sheet->rows[i], &csv);
    status = lvl_editor_finish(&s.e, status, changed);
    lvl_csv_end(&csv);
    free(s.columns.items);
    free((void *)s.records);
    lvl_hash_free(&s.items);
    lvl_buffer_free(&s.was);
    lvl_buffer_free(&s.json);
    return status;
}
