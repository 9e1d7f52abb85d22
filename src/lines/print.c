/*
 * lines/print.c: lists the parts of a document, each with hashes of its content, writes them in
 * their canonical form, by the rules alone, and verifies texts by re-reading them.
 */
#include "lines/list.h"

#include "base/buffer.h"
#include "base/piece.h"
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

/* Whether the part is a block of lines: one with a body and a line that ends it. */
static bool has_body(const lvl_line_writer *w, const lvl_part *part)
{
    return part->place == LVL_PART_ALONE && w->rules.grammar->rules[part->rule].end;
}

void lvl_writer_put_body(lvl_line_writer *w, const lvl_part *part, lvl_buffer *out)
{
    const lvl_line_form *body = &lvl_rules_form(&w->rules, part->rule)->body;
    const void *record = lvl_rules_record(&w->rules, w->root, part);

    for (unsigned i = 0; i < body->count && has_body(w, part); i++) {
        const lvl_field *field = body->member[i].field;
        const unsigned columns = body->member[i].columns;
        if (field->kind == LVL_TEXT) {
            put_lines(w, lvl_get_text(record, field), out);
            continue;
        }
        for (uint32_t n = 0; n < lvl_list_count(record, field); n++) {
            if (n && columns && n % columns == 0)
                lvl_writer_end_line(w, out);
            else if (n)
                lvl_buffer_u8(out, ',');
            lvl_put_real_word(out, *(const double *)lvl_list_item(record, field, n));
        }
        lvl_writer_end_line(w, out);
    }
}

void lvl_writer_put_close(lvl_line_writer *w, const lvl_part *part, lvl_buffer *out)
{
    if (has_body(w, part)) {
        lvl_buffer_str(out, w->rules.grammar->rules[part->rule].end);
        lvl_writer_end_line(w, out);
    }
}

/* The cells of the item of a part that is a row of a grid, and the row. */
static lvl_cells row_of(lvl_line_writer *w, const lvl_part *part, uint32_t *width, uint32_t *y)
{
    const lvl_line_grid *grid = w->rules.grammar->rules[part->rule].grid;
    const lvl_cells cells = lvl_grid_cells(grid, lvl_rules_record(&w->rules, w->root, part));

    *width = cells.width < grid->side ? cells.width : grid->side;
    *y = part->row % grid->side;
    return cells;
}

/* The first cell of a row, from x on, that is not absent; `width`: there is none. */
static uint32_t find_cell(const lvl_cells *cells, uint32_t width, uint32_t x, uint32_t y)
{
    while (x < width && lvl_cell(cells, x, y) == UINT16_MAX)
        x++;
    return x;
}

/* The next cells of a row that are not absent, from line->x on; false: there are none. */
static bool next_cells(const lvl_cells *cells, uint32_t width, lvl_grid_line *line)
{
    line->x = find_cell(cells, width, line->x, line->y);
    for (line->width = 0; line->x + line->width < width; line->width++) {
        if (lvl_cell(cells, line->x + line->width, line->y) == UINT16_MAX)
            break;
    }
    return line->width != 0;
}

/* The lines of a row of a grid. */
static void put_cells(lvl_line_writer *w, const lvl_part *part, lvl_buffer *out)
{
    const lvl_rule *rule = &w->rules.grammar->rules[part->rule];
    lvl_grid_line line = {.number = part->row / rule->grid->side};
    uint32_t width;
    const lvl_cells cells = row_of(w, part, &width, &line.y);

    for (; next_cells(&cells, width, &line); line.x += line.width) {
        lvl_buffer_str(out, rule->word);
        rule->grid->put(&line, &cells, out);
        lvl_writer_end_line(w, out);
    }
}

void lvl_writer_put_head(lvl_line_writer *w, const lvl_part *part, const void *record, lvl_buffer *out)
{
    const lvl_rule *r = &w->rules.grammar->rules[part->rule];

    if (r->kind == LVL_RULE_GRID) {
        put_cells(w, part, out);
        return;
    }
    if (part->place == LVL_PART_ROW && r->rows) {
        r->rows->put(record, w->crlf ? "\r\n" : "\n", out);
        return;
    }
    if (r->kind == LVL_RULE_FIRST)
        lvl_buffer_str(out, lvl_rules_first_line(&w->rules, part->rule, record));
    else if (part->place == LVL_PART_BEGIN || part->place == LVL_PART_END)
        lvl_buffer_str(out, part->place == LVL_PART_END ? r->end : r->word);
    else if (r->kind == LVL_RULE_OTHER)
        lvl_buffer_add(out, ((const lvl_text *)record)->ptr, ((const lvl_text *)record)->len);
    else
        lvl_line_put(&lvl_rules_form(&w->rules, part->rule)->line,
                     part->place == LVL_PART_ROW ? NULL : r->word, record, out);
    lvl_writer_end_line(w, out);
}

void lvl_writer_put_part(lvl_line_writer *w, const lvl_part *part, lvl_buffer *out)
{
    lvl_writer_put_head(w, part, lvl_rules_record(&w->rules, w->root, part), out);
    lvl_writer_put_body(w, part, out);
    lvl_writer_put_close(w, part, out);
}

void lvl_writer_put(lvl_line_writer *w, lvl_buffer *out)
{
    lvl_writer_list(w);
    for (uint32_t i = 0; i < w->parts.count && w->status == LVL_OK; i++) {
        if (w->parts.items[i].flags & LVL_PART_APART)
            lvl_writer_end_line(w, out);
        lvl_writer_put_part(w, &w->parts.items[i], out);
        lvl_writer_fail(w, out->status);
    }
}

/* ---- the parts of a document --------------------------------------------------------------------- */

static uint64_t hash_members(const lvl_hash_seed *seed, const lvl_line_form *form, const void *record)
{
    uint64_t hash = lvl_hash_u64(seed, form->count);

    for (unsigned i = 0; i < form->count; i++)
        hash = lvl_member_hash(seed, hash, record, form->member[i].field);
    return hash;
}

static uint64_t hash_row(lvl_line_writer *w, const lvl_hash_seed *seed, const lvl_part *part)
{
    uint32_t width, y;
    const lvl_cells cells = row_of(w, part, &width, &y);

    return lvl_hash_bytes(seed, cells.ptr + (size_t)y * cells.width * cells.size, (size_t)width * cells.size);
}

/* The hash of what a part has in its first line, or in its row. */
static uint64_t hash_head(lvl_line_writer *w, const lvl_hash_seed *seed, const lvl_part *part)
{
    const lvl_rule *r = &w->rules.grammar->rules[part->rule];
    const lvl_rule_form *form = lvl_rules_form(&w->rules, part->rule);
    const void *record = lvl_rules_record(&w->rules, w->root, part);

    if (part->place == LVL_PART_BEGIN || part->place == LVL_PART_END)
        return 0;
    if (r->kind == LVL_RULE_FIRST) {
        const char *line = lvl_rules_first_line(&w->rules, part->rule, record);
        return lvl_hash_bytes(seed, line, strlen(line));
    }
    if (r->kind == LVL_RULE_GRID)
        return hash_row(w, seed, part);
    if (r->kind == LVL_RULE_OTHER || r->rows)
        return lvl_item_hash(seed, record, form->list);
    return hash_members(seed, &form->line, record);
}

static void add_part(lvl_line_writer *w, lvl_part_place place, uint32_t rule, uint32_t index, uint32_t row)
{
    const lvl_rule *r = &w->rules.grammar->rules[rule];
    const bool apart =
        (r->section && w->section && r->section != w->section) || (place == LVL_PART_ROW && index && r->rows);
    lvl_part part = {.place = (uint8_t)place,
                     .rule = (uint8_t)rule,
                     .flags = apart ? LVL_PART_APART : 0,
                     .index = index,
                     .row = row};

    w->section = r->section ? r->section : w->section;
    lvl_writer_fail(w, lvl_parts_add(&w->parts, w->doc->ctx, &part));
}

static void list_grid(lvl_line_writer *w, uint32_t rule, uint32_t index)
{
    const lvl_line_grid *grid = w->rules.grammar->rules[rule].grid;
    const lvl_field *list = lvl_rules_form(&w->rules, rule)->list;
    const void *item = lvl_list_item(w->root, list, index);
    const lvl_cells cells = lvl_grid_cells(grid, item);
    const int64_t number = lvl_get_int(item, lvl_table_at(list->table, grid->number));

    const bool valid = number < LVL_GRIDS && cells.ptr && cells.size == 2;
    const uint32_t width = cells.width < grid->side ? cells.width : grid->side;
    for (uint32_t y = 0; valid && y < cells.height && y < grid->side && w->status == LVL_OK; y++) {
        if (find_cell(&cells, width, 0, y) < width)
            add_part(w, LVL_PART_ALONE, rule, index, (uint32_t)number * grid->side + y);
    }
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
static void list_items(lvl_line_writer *w, uint32_t rule)
{
    const lvl_rule *r = w->rules.grammar->rules;

    for (uint32_t k = 0; k < rule; k++) {
        if (r[k].kind == LVL_RULE_ITEM && r[k].list == r[rule].list)
            return;
    }
    for (uint32_t i = 0; i < count_of(w, rule) && w->status == LVL_OK; i++)
        add_part(w, LVL_PART_ALONE, rule_of_item(w, rule, i), i, 0);
}

static void list_rows(lvl_line_writer *w, uint32_t rule)
{
    const lvl_rule *r = &w->rules.grammar->rules[rule];
    const uint32_t count = count_of(w, rule);
    bool any = false;

    for (uint32_t k = 0; k < w->rules.grammar->rule_count; k++)
        any |= w->rules.grammar->rules[k].kind == LVL_RULE_ROWS && count_of(w, k);
    const bool block = r->word && (count || (!any && (r->flags & LVL_RULE_ALWAYS) && w->parts.count));
    if (block)
        add_part(w, LVL_PART_BEGIN, rule, 0, 0);
    for (uint32_t i = 0; i < count && w->status == LVL_OK; i++)
        add_part(w, LVL_PART_ROW, rule, i, 0);
    if (block)
        add_part(w, LVL_PART_END, rule, 0, 0);
}

static void list_rule(lvl_line_writer *w, uint32_t rule)
{
    switch (w->rules.grammar->rules[rule].kind) {
    case LVL_RULE_FIRST:
    case LVL_RULE_SINGLE:
        if (is_single_written(w, rule))
            add_part(w, LVL_PART_ALONE, rule, 0, 0);
        break;
    case LVL_RULE_ITEM: list_items(w, rule); break;
    case LVL_RULE_ROWS: list_rows(w, rule); break;
    case LVL_RULE_GRID:
        for (uint32_t i = 0; i < count_of(w, rule) && w->status == LVL_OK; i++)
            list_grid(w, rule, i);
        break;
    case LVL_RULE_OTHER:
        for (uint32_t i = 0; i < count_of(w, rule) && w->status == LVL_OK; i++)
            add_part(w, LVL_PART_ALONE, rule, i, 0);
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

    /* not all of it at once: the forms of the rules are large, and each is filled in when it is needed */
    w->doc = doc;
    w->status = LVL_OK;
    w->section = 0;
    w->listed = w->keeps = false;
    w->found = NULL;
    w->again = NULL;
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

void lvl_writer_list(lvl_line_writer *w)
{
    for (uint32_t k = 0; k < w->rules.grammar->rule_count && w->status == LVL_OK && !w->listed; k++)
        list_rule(w, k);
    w->listed = true;
}

uint64_t lvl_writer_hash(lvl_line_writer *w, const lvl_hash_seed *seed)
{
    uint64_t all = seed->start;

    lvl_writer_list(w);
    for (uint32_t i = 0; i < w->parts.count && w->status == LVL_OK; i++) {
        lvl_part *part = &w->parts.items[i];
        part->head_hash = lvl_hash_mix(seed, hash_head(w, seed, part), part->rule);
        part->body_hash = hash_members(seed, &lvl_rules_form(&w->rules, part->rule)->body,
                                       lvl_rules_record(&w->rules, w->root, part));
        all = lvl_hash_mix(seed, all, (uint64_t)part->place << 32 | part->row);
        all = lvl_hash_mix(seed, lvl_hash_mix(seed, all, part->head_hash), part->body_hash);
    }
    return all;
}

void lvl_writer_close(lvl_line_writer *w)
{
    free(w->parts.items);
    lvl_arena_free(&w->arena);
}

/* ---- verifying ----------------------------------------------------------------------------------- */

lvl_text lvl_writer_source(const lvl_line_writer *w)
{
    lvl_text file;

    memcpy(&file, (const uint8_t *)w->doc->root + w->rules.grammar->source, sizeof file);
    return file;
}

lvl_status lvl_writer_reread(const lvl_line_writer *w, lvl_text text, bool parts, lvl_findings *found,
                             lvl_doc **out)
{
    const lvl_status status = lvl_doc_new(out, w->doc->ctx, w->doc->format);

    if (status != LVL_OK)
        return status;
    (*out)->codepage = w->doc->codepage;
    (*out)->input = (lvl_bytes){(const uint8_t *)text.ptr, text.len};
    (*out)->edit = parts;
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
    const lvl_status status = lvl_writer_reread(w, text, false, w->found, &again);
    const bool same = status == LVL_OK && lvl_writer_same(w, again);

    if (status == LVL_ERR_MEMORY || status == LVL_ERR_STOPPED)
        lvl_writer_fail(w, status);
    if (same && w->keeps)
        w->again = again;
    else
        lvl_doc_free(again);
    return same;
}

/* ---- noting -------------------------------------------------------------------------------------- */

/* Gives the parts of a text the hashes of the document's, which are listed; without memory it fails. */
static void note_hashes(lvl_line_writer *w, lvl_parts *text)
{
    const size_t count = lvl_rules_slots(&w->rules, text, lvl_rules_slots(&w->rules, &w->parts, 1));
    uint32_t *at = lvl_arena_array(&w->arena, count, sizeof *at); /* by slot: the first part there, plus 1 */

    if (!at) {
        lvl_writer_fail(w, LVL_ERR_MEMORY);
        return;
    }
    for (uint32_t i = w->parts.count; i-- > 0;)
        at[lvl_rules_slot(&w->rules, &w->parts.items[i])] = i + 1;
    for (uint32_t i = 0; i < text->count; i++) {
        lvl_part *part = &text->items[i];
        const size_t slot = lvl_rules_slot(&w->rules, part);
        const uint32_t first = at[slot];
        if (!first) {
            part->flags |= LVL_PART_DEFAULT;
            continue;
        }
        /* items of a list follow one another */
        const lvl_part *now = &w->parts.items[first - 1 + (lvl_slot_is_list(slot) ? part->index : 0)];
        part->head_hash = now->head_hash;
        part->body_hash = now->body_hash;
    }
}

lvl_status lvl_grammar_note_pieces(lvl_doc *doc)
{
    lvl_parts *parts = doc->state;
    lvl_line_writer w;

    if (!parts || !doc->format->calls->grammar(doc))
        return LVL_OK;
    const lvl_status begun = lvl_pieces_begin(doc);
    if (begun != LVL_OK)
        return begun;
    lvl_writer_open(&w, doc, false);
    parts->hash = lvl_writer_hash(&w, &doc->pieces->seed);
    if (w.status == LVL_OK)
        note_hashes(&w, parts);
    parts->noted = w.status == LVL_OK;
    lvl_writer_close(&w);
    return w.status;
}
