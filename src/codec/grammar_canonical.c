/*
 * codec/grammar_canonical.c: writes a document in its canonical form, by the rules alone, and verifies texts
 * by re-reading them.
 */
#include "codec/grammar_internal.h"

#include "base/buffer.h"
#include "base/record.h"

#include <stdlib.h>

void lvl_writer_fail(lvl_line_writer *w, lvl_status status)
{
    if (w->status == LVL_OK)
        w->status = status;
}

void lvl_writer_end_line(const lvl_line_writer *w, lvl_buffer *out)
{
    lvl_buffer_str(out, w->crlf ? "\r\n" : "\n");
}

static void put_lines(const lvl_line_writer *w, lvl_text lines, lvl_buffer *out)
{
    const char *nl;

    while (w->crlf && lines.len && (nl = memchr(lines.ptr, '\n', lines.len)) != NULL) {
        const size_t n = (size_t)(nl - lines.ptr);
        lvl_buffer_add(out, lines.ptr, n);
        lvl_writer_end_line(w, out);
        lines = (lvl_text){nl + 1, lines.len - n - 1};
    }
    lvl_buffer_add(out, lines.ptr, lines.len);
    lvl_writer_end_line(w, out);
}

static void put_body(lvl_line_writer *w, uint32_t rule, const void *record)
{
    const lvl_line_form *body = &lvl_rules_form(&w->rules, rule)->body;

    for (unsigned i = 0; i < body->count; i++) {
        const lvl_field *field = body->member[i].field;
        const unsigned columns = body->member[i].columns;
        if (field->kind == LVL_TEXT) {
            put_lines(w, lvl_get_text(record, field), &w->text);
            continue;
        }
        for (uint32_t n = 0; n < lvl_list_count(record, field); n++) {
            if (n && columns && n % columns == 0)
                lvl_writer_end_line(w, &w->text);
            else if (n)
                lvl_buffer_u8(&w->text, ',');
            lvl_put_real_word(&w->text, *(const double *)lvl_list_item(record, field, n));
        }
        lvl_writer_end_line(w, &w->text);
    }
}

/* The next cells of a row that are not absent, from line->x on; false: there are none. */
static bool next_cells(const lvl_cells *cells, uint32_t width, lvl_grid_line *line)
{
    while (line->x < width && lvl_cell(cells, line->x, line->y) == UINT16_MAX)
        line->x++;
    for (line->width = 0; line->x + line->width < width; line->width++) {
        if (lvl_cell(cells, line->x + line->width, line->y) == UINT16_MAX)
            break;
    }
    return line->width != 0;
}

/* The lines of a row of a grid. */
static void put_cells(lvl_line_writer *w, const lvl_part *part)
{
    const lvl_rule *rule = &w->rules.grammar->rules[part->rule];
    const lvl_field *list = lvl_rules_form(&w->rules, part->rule)->list;
    const void *item = lvl_list_item(w->root, list, part->index);
    const lvl_cells cells = lvl_grid_cells(rule->grid, item);
    const uint32_t width = cells.width < rule->grid->side ? cells.width : rule->grid->side;
    lvl_grid_line line = {.number =
                              (uint32_t)lvl_get_int(item, lvl_table_at(list->table, rule->grid->number)),
                          .y = part->row % rule->grid->side};

    for (; next_cells(&cells, width, &line); line.x += line.width) {
        lvl_buffer_str(&w->text, rule->word);
        rule->grid->put(&line, &cells, &w->text);
        lvl_writer_end_line(w, &w->text);
    }
}

/* The first line of a part; of a row, all its lines. */
static void put_head(lvl_line_writer *w, const lvl_part *part)
{
    const lvl_rule *r = &w->rules.grammar->rules[part->rule];
    const void *record = lvl_rules_record(&w->rules, w->root, part);
    lvl_buffer *out = &w->text;

    if (r->kind == LVL_RULE_GRID) {
        put_cells(w, part);
        return;
    }
    if (part->place == LVL_PART_ROW && r->rows) {
        r->rows->put(record, w->crlf ? "\r\n" : "\n", out);
        return;
    }
    if (r->kind == LVL_RULE_FIRST)
        lvl_buffer_str(out, lvl_rules_first_line(&w->rules, part->rule, w->root));
    else if (part->place == LVL_PART_BEGIN || part->place == LVL_PART_END)
        lvl_buffer_str(out, part->place == LVL_PART_END ? r->end : r->word);
    else if (r->kind == LVL_RULE_OTHER)
        lvl_buffer_add(out, ((const lvl_text *)record)->ptr, ((const lvl_text *)record)->len);
    else
        lvl_line_put(&lvl_rules_form(&w->rules, part->rule)->line,
                     part->place == LVL_PART_ROW ? NULL : r->word, record, out);
    lvl_writer_end_line(w, out);
}

static void put_part(lvl_line_writer *w, lvl_part_place place, uint32_t rule, uint32_t index, uint32_t row)
{
    const lvl_rule *r = &w->rules.grammar->rules[rule];
    lvl_part part = {.place = (uint8_t)place, .rule = (uint8_t)rule, .index = index, .row = row};

    part.lead = w->text.len;
    if ((r->section && w->section && r->section != w->section) || (place == LVL_PART_ROW && index && r->rows))
        lvl_writer_end_line(w, &w->text);
    w->section = r->section ? r->section : w->section;
    part.head = w->text.len;
    put_head(w, &part);
    part.body = part.close = w->text.len;
    if (place == LVL_PART_ALONE && r->end) {
        put_body(w, rule, lvl_rules_record(&w->rules, w->root, &part));
        part.close = w->text.len;
        lvl_buffer_str(&w->text, r->end);
        lvl_writer_end_line(w, &w->text);
    }
    part.end = w->text.len;
    lvl_writer_fail(w, w->text.status);
    if (w->status == LVL_OK && (part.end > part.lead || r->kind != LVL_RULE_GRID))
        lvl_writer_fail(w, lvl_parts_add(&w->parts, w->doc->ctx, &part));
}

static void put_grid(lvl_line_writer *w, uint32_t rule, uint32_t index)
{
    const lvl_line_grid *grid = w->rules.grammar->rules[rule].grid;
    const lvl_field *list = lvl_rules_form(&w->rules, rule)->list;
    const void *item = lvl_list_item(w->root, list, index);
    const lvl_cells cells = lvl_grid_cells(grid, item);
    const int64_t number = lvl_get_int(item, lvl_table_at(list->table, grid->number));

    const bool valid = number < LVL_GRIDS && cells.ptr && cells.size == 2;
    for (uint32_t y = 0; valid && y < cells.height && y < grid->side; y++)
        put_part(w, LVL_PART_ALONE, rule, index, (uint32_t)number * grid->side + y);
}

static bool is_single_written(lvl_line_writer *w, uint32_t rule)
{
    const lvl_rule_form *form = lvl_rules_form(&w->rules, rule);

    if (w->rules.grammar->rules[rule].kind == LVL_RULE_FIRST)
        return lvl_rules_first_line(&w->rules, rule, w->root) != NULL;
    return (w->rules.grammar->rules[rule].flags & LVL_RULE_ALWAYS) ||
           !lvl_line_is_default(&form->line, w->root) || !lvl_line_is_default(&form->body, w->root);
}

static uint32_t count_of(lvl_line_writer *w, uint32_t rule)
{
    return lvl_list_count(w->root, lvl_rules_form(&w->rules, rule)->list);
}

/* Of rules that share a list, the one whose switch is set in the item; otherwise the one that has none. */
static uint32_t rule_of_item(lvl_line_writer *w, uint32_t rule, uint32_t index)
{
    const lvl_rule *r = w->rules.grammar->rules;
    const void *item = lvl_list_item(w->root, lvl_rules_form(&w->rules, rule)->list, index);
    uint32_t plain = rule;

    for (uint32_t k = rule; k < w->rules.grammar->rule_count; k++) {
        if (r[k].kind != LVL_RULE_ITEM || r[k].list != r[rule].list)
            continue;
        const lvl_member *first = &lvl_rules_form(&w->rules, k)->line.member[0];
        if (first->form != LVL_WORD_SWITCH)
            plain = k;
        else if (lvl_get_int(item, first->field) == first->value)
            return k;
    }
    return plain;
}

/* The items of a list whose first rule this is. */
static void put_items(lvl_line_writer *w, uint32_t rule)
{
    const lvl_rule *r = w->rules.grammar->rules;

    for (uint32_t k = 0; k < rule; k++) {
        if (r[k].kind == LVL_RULE_ITEM && r[k].list == r[rule].list)
            return;
    }
    for (uint32_t i = 0; i < count_of(w, rule) && w->status == LVL_OK; i++)
        put_part(w, LVL_PART_ALONE, rule_of_item(w, rule, i), i, 0);
}

static void put_rows(lvl_line_writer *w, uint32_t rule)
{
    const lvl_rule *r = &w->rules.grammar->rules[rule];
    const uint32_t count = count_of(w, rule);
    bool any = false;

    for (uint32_t k = 0; k < w->rules.grammar->rule_count; k++)
        any |= w->rules.grammar->rules[k].kind == LVL_RULE_ROWS && count_of(w, k);
    const bool block = r->word && (count || (!any && (r->flags & LVL_RULE_ALWAYS) && w->text.len));
    if (block)
        put_part(w, LVL_PART_BEGIN, rule, 0, 0);
    for (uint32_t i = 0; i < count && w->status == LVL_OK; i++)
        put_part(w, LVL_PART_ROW, rule, i, 0);
    if (block)
        put_part(w, LVL_PART_END, rule, 0, 0);
}

static void put_rule(lvl_line_writer *w, uint32_t rule)
{
    switch (w->rules.grammar->rules[rule].kind) {
    case LVL_RULE_FIRST:
    case LVL_RULE_SINGLE:
        if (is_single_written(w, rule))
            put_part(w, LVL_PART_ALONE, rule, 0, 0);
        break;
    case LVL_RULE_ITEM: put_items(w, rule); break;
    case LVL_RULE_ROWS: put_rows(w, rule); break;
    case LVL_RULE_GRID:
        for (uint32_t i = 0; i < count_of(w, rule) && w->status == LVL_OK; i++)
            put_grid(w, rule, i);
        break;
    case LVL_RULE_OTHER:
        for (uint32_t i = 0; i < count_of(w, rule) && w->status == LVL_OK; i++)
            put_part(w, LVL_PART_ALONE, rule, i, 0);
        break;
    }
}

static void note_derived(void *user, void *record, const lvl_field *field, int64_t computed)
{
    lvl_line_writer *w = user;

    if (record == w->doc->root)
        lvl_put_int(w->root, field, lvl_doc_derived(w->doc, record, field, computed));
}

void lvl_writer_open(lvl_line_writer *w, const lvl_doc *doc, bool derive)
{
    const lvl_format *format = doc->format;

    *w = (lvl_line_writer){.doc = doc};
    lvl_rules_init(&w->rules, format->calls->grammar(doc), format->table);
    w->crlf = ((const uint8_t *)doc->root)[w->rules.grammar->line_end] != 0;
    w->parts = (lvl_parts){.grammar = w->rules.grammar, .most = lvl_limits_of(doc->ctx).items};
    lvl_arena_init(&w->arena, doc->ctx);
    w->root = lvl_arena_copy(&w->arena, doc->root, format->table->struct_size);
    if (!w->root)
        w->status = LVL_ERR_MEMORY;
    else if (derive && format->calls->derive)
        lvl_writer_fail(w, format->calls->derive((lvl_doc *)(uintptr_t)doc, note_derived, w));
}

void lvl_writer_put(lvl_line_writer *w)
{
    for (uint32_t k = 0; k < w->rules.grammar->rule_count && w->status == LVL_OK && !w->complete; k++)
        put_rule(w, k);
    w->complete = true;
}

void lvl_writer_close(lvl_line_writer *w)
{
    free(w->parts.items);
    lvl_buffer_free(&w->text);
    lvl_arena_free(&w->arena);
}

/* ---- verifying ----------------------------------------------------------------------------------- */

lvl_text lvl_writer_source(const lvl_line_writer *w)
{
    lvl_text file;

    memcpy(&file, (const uint8_t *)w->doc->root + w->rules.grammar->source, sizeof file);
    return file;
}

lvl_status lvl_writer_reread(const lvl_line_writer *w, lvl_text text, lvl_findings *found, lvl_doc **out)
{
    const lvl_status status = lvl_doc_new(out, w->doc->ctx, w->doc->format);

    if (status != LVL_OK)
        return status;
    (*out)->codepage = w->doc->codepage;
    (*out)->input = (lvl_bytes){(const uint8_t *)text.ptr, text.len};
    return w->doc->format->calls->read(*out, NULL, found);
}

bool lvl_writer_same(const lvl_line_writer *w, const lvl_doc *other)
{
    const lvl_table *table = w->rules.table;

    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->role == LVL_DERIVED && f->kind == LVL_INT &&
            lvl_get_int(w->root, f) != lvl_get_int(other->root, f))
            return false;
    }
    return lvl_record_equal(w->root, other->root, table);
}

bool lvl_writer_verify(lvl_line_writer *w, const lvl_buffer *out, size_t from)
{
    const lvl_text text = {out->len > from ? (const char *)out->data + from : NULL, out->len - from};
    lvl_doc *again = NULL;
    if (w->found)
        lvl_findings_clear(w->found);
    const lvl_status status = lvl_writer_reread(w, text, w->found, &again);
    const bool same = status == LVL_OK && lvl_writer_same(w, again);

    if (status == LVL_ERR_MEMORY || status == LVL_ERR_STOPPED)
        lvl_writer_fail(w, status);
    if (same && w->keeps)
        w->again = again;
    else
        lvl_doc_free(again);
    return same;
}

lvl_status lvl_grammar_note_pieces(lvl_doc *doc)
{
    lvl_parts *parts = doc->state;
    lvl_line_writer w;

    if (!parts || !doc->format->calls->grammar(doc))
        return LVL_OK;
    lvl_writer_open(&w, doc, false);
    lvl_writer_put(&w);
    lvl_parts *was = lvl_arena_copy(&doc->arena, &w.parts, sizeof w.parts);
    const char *text = lvl_arena_copy(&doc->arena, w.text.data, w.text.len);
    if (was)
        was->items = lvl_arena_copy(&doc->arena, w.parts.items, w.parts.count * sizeof *w.parts.items);
    const lvl_status status = w.status != LVL_OK             ? w.status
                              : !was || !text || !was->items ? LVL_ERR_MEMORY
                                                             : LVL_OK;
    if (status == LVL_OK) {
        parts->was = was;
        parts->was_text = (lvl_text){text, w.text.len};
        parts->was_crlf = w.crlf;
    }
    lvl_writer_close(&w);
    return status;
}
