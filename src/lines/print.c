/*
 * lines/print.c: lists the lines of a document in the order of its rules, each with a hash of its content,
 * and prints them by the rules alone.
 */
#include "lines/writer.h"

#include "base/buffer.h"
#include "base/record.h"

#include <stdlib.h>

/* ---- lines --------------------------------------------------------------------------------------- */

void lvl_writer_end_line(const lvl_line_writer *w, lvl_buffer *out)
{
    lvl_buffer_str(out, w->crlf ? "\r\n" : "\n");
}

void lvl_writer_put_word(const lvl_line_writer *w, const char *word, lvl_buffer *out)
{
    lvl_buffer_str(out, word);
    lvl_writer_end_line(w, out);
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

static void put_body(const lvl_line_writer *w, const lvl_line_form *body, const void *record, lvl_buffer *out)
{
    for (unsigned i = 0; i < body->count; i++) {
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

/* The cells that a row of a grid is in, the width of the row, and its number. */
static lvl_cells row_of(const lvl_line_grid *grid, const lvl_line *line, const void *record, uint32_t *width,
                        uint32_t *y)
{
    const lvl_cells cells = lvl_grid_cells(grid, record);

    *width = cells.width < grid->side ? cells.width : grid->side;
    *y = line->row % grid->side;
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
static void put_cells(const lvl_line_writer *w, const lvl_line *line, const void *record, lvl_buffer *out)
{
    const lvl_rule *rule = &w->rules.grammar->rules[line->rule];
    lvl_grid_line row = {.number = line->row / rule->grid->side};
    uint32_t width;
    const lvl_cells cells = row_of(rule->grid, line, record, &width, &row.y);

    for (; next_cells(&cells, width, &row); row.x += row.width) {
        lvl_buffer_str(out, rule->word);
        rule->grid->put(&row, &cells, out);
        lvl_writer_end_line(w, out);
    }
}

void lvl_writer_put_line(lvl_line_writer *w, const lvl_line *line, const void *record, lvl_buffer *out)
{
    const lvl_rule *r = &w->rules.grammar->rules[line->rule];
    const lvl_rule_form *form = lvl_rules_form(&w->rules, line->rule);
    const bool row = line->place == LVL_PLACE_ROW;

    if (line->place == LVL_PLACE_BODY) {
        put_body(w, &form->body, record, out);
        return;
    }
    if (r->kind == LVL_RULE_GRID) {
        put_cells(w, line, record, out);
        return;
    }
    if (row && r->rows) {
        r->rows->put(record, w->crlf ? "\r\n" : "\n", out);
        return;
    }
    if (line->place == LVL_PLACE_END)
        lvl_buffer_str(out, r->end);
    else if (line->place == LVL_PLACE_BEGIN)
        lvl_buffer_str(out, r->word);
    else if (r->kind == LVL_RULE_FIRST)
        lvl_buffer_str(out, lvl_rules_first_line(&w->rules, line->rule, record));
    else if (r->kind == LVL_RULE_OTHER && !r->words)
        lvl_buffer_add(out, ((const lvl_text *)record)->ptr, ((const lvl_text *)record)->len);
    else
        lvl_line_put(&form->line, row ? NULL : r->word, record, out);
    lvl_writer_end_line(w, out);
}

/* ---- the lines of a document ----------------------------------------------------------------------- */

static void add_line(lvl_line_writer *w, lvl_line_place place, uint32_t rule, uint32_t item, uint32_t row)
{
    const lvl_rule *r = &w->rules.grammar->rules[rule];
    const bool apart =
        (r->section && w->section && r->section != w->section) || (place == LVL_PLACE_ROW && item && r->rows);
    const lvl_line line = {.place = (uint8_t)place,
                           .rule = (uint8_t)rule,
                           .marks = apart ? LVL_MARK_APART : 0,
                           .item = item,
                           .row = row};

    w->section = r->section ? r->section : w->section;
    if (w->status == LVL_OK)
        lvl_writer_fail(w, lvl_line_list_add(&w->list, w->doc->ctx, &line));
}

/* A line with words, and its body. */
static void add_lines(lvl_line_writer *w, uint32_t rule, uint32_t item)
{
    add_line(w, LVL_PLACE_LINE, rule, item, 0);
    if (w->rules.grammar->rules[rule].end) {
        add_line(w, LVL_PLACE_BODY, rule, item, 0);
        add_line(w, LVL_PLACE_END, rule, item, 0);
    }
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
            add_line(w, LVL_PLACE_LINE, rule, index, (uint32_t)number * grid->side + y);
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
        add_lines(w, rule_of_item(w, rule, i), i);
}

static void list_rows(lvl_line_writer *w, uint32_t rule)
{
    const lvl_rule *r = &w->rules.grammar->rules[rule];
    const uint32_t count = count_of(w, rule);
    bool any = false;

    for (uint32_t k = 0; k < w->rules.grammar->rule_count; k++)
        any |= w->rules.grammar->rules[k].kind == LVL_RULE_ROWS && count_of(w, k);
    const bool block = r->word && (count || (!any && (r->flags & LVL_RULE_ALWAYS) && w->list.count));
    if (block)
        add_line(w, LVL_PLACE_BEGIN, rule, 0, 0);
    for (uint32_t i = 0; i < count && w->status == LVL_OK; i++)
        add_line(w, LVL_PLACE_ROW, rule, i, 0);
    if (block)
        add_line(w, LVL_PLACE_END, rule, 0, 0);
}

static void list_rule(lvl_line_writer *w, uint32_t rule)
{
    switch (w->rules.grammar->rules[rule].kind) {
    case LVL_RULE_FIRST:
    case LVL_RULE_SINGLE:
        if (is_single_written(w, rule))
            add_lines(w, rule, 0);
        break;
    case LVL_RULE_ITEM: list_items(w, rule); break;
    case LVL_RULE_ROWS: list_rows(w, rule); break;
    case LVL_RULE_GRID:
        for (uint32_t i = 0; i < count_of(w, rule) && w->status == LVL_OK; i++)
            list_grid(w, rule, i);
        break;
    case LVL_RULE_OTHER:
        for (uint32_t i = 0; i < count_of(w, rule) && w->status == LVL_OK; i++)
            add_lines(w, rule, i);
        break;
    }
}

static void list_lines(lvl_line_writer *w)
{
    for (uint32_t k = 0; k < w->rules.grammar->rule_count && w->status == LVL_OK && !w->listed; k++)
        list_rule(w, k);
    w->listed = true;
}

void lvl_writer_put(lvl_line_writer *w, lvl_buffer *out)
{
    list_lines(w);
    for (uint32_t i = 0; i < w->list.count && w->status == LVL_OK; i++) {
        const lvl_line *line = &w->list.lines[i];
        if (line->marks & LVL_MARK_APART)
            lvl_writer_end_line(w, out);
        lvl_writer_put_line(w, line, lvl_rules_record(&w->rules, w->root, line), out);
        lvl_writer_fail(w, out->status);
    }
}

/* ---- hashes -------------------------------------------------------------------------------------- */

static uint64_t hash_members(const lvl_hash_seed *seed, const lvl_line_form *form, const void *record)
{
    uint64_t hash = lvl_hash_u64(seed, form->count);

    for (unsigned i = 0; i < form->count; i++)
        hash = lvl_member_hash(seed, hash, record, form->member[i].field);
    return hash;
}

static uint64_t hash_row(const lvl_line_grid *grid, const lvl_hash_seed *seed, const lvl_line *line,
                         const void *record)
{
    uint32_t width, y;
    const lvl_cells cells = row_of(grid, line, record, &width, &y);

    return lvl_hash_bytes(seed, cells.ptr + (size_t)y * cells.width * cells.size, (size_t)width * cells.size);
}

/* The hash of what the document has in a line. */
static uint64_t hash_line(lvl_line_writer *w, const lvl_hash_seed *seed, const lvl_line *line)
{
    const lvl_rule *r = &w->rules.grammar->rules[line->rule];
    const lvl_rule_form *form = lvl_rules_form(&w->rules, line->rule);
    const void *record = lvl_rules_record(&w->rules, w->root, line);

    if (line->place == LVL_PLACE_BEGIN || line->place == LVL_PLACE_END)
        return 0;
    if (line->place == LVL_PLACE_BODY)
        return hash_members(seed, &form->body, record);
    if (r->kind == LVL_RULE_FIRST) {
        const char *text = lvl_rules_first_line(&w->rules, line->rule, record);
        return lvl_hash_bytes(seed, text, strlen(text));
    }
    if (r->kind == LVL_RULE_GRID)
        return hash_row(r->grid, seed, line, record);
    if (r->kind == LVL_RULE_OTHER || r->rows)
        return lvl_item_hash(seed, record, form->list);
    return hash_members(seed, &form->line, record);
}

uint64_t lvl_writer_hash(lvl_line_writer *w, const lvl_hash_seed *seed)
{
    uint64_t all = seed->start;

    list_lines(w);
    for (uint32_t i = 0; i < w->list.count && w->status == LVL_OK; i++) {
        lvl_line *line = &w->list.lines[i];
        line->hash = lvl_hash_mix(seed, hash_line(w, seed, line), line->rule);
        all = lvl_hash_mix(seed, all, (uint64_t)line->place << 32 | line->row);
        all = lvl_hash_mix(seed, all, line->hash);
    }
    return all;
}

/* ---- writers ------------------------------------------------------------------------------------- */

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
    w->list = (lvl_line_list){.grammar = w->rules.grammar, .most = lvl_limits_of(doc->ctx).items};
    lvl_arena_init(&w->arena, doc->ctx);
    w->root = lvl_arena_copy(&w->arena, doc->root, format->table->struct_size);
    if (!w->root)
        w->status = LVL_ERR_MEMORY;
    else if (derive && format->calls->derive)
        lvl_writer_fail(w, format->calls->derive((lvl_doc *)(uintptr_t)doc, note_derived, w));
}

void lvl_writer_close(lvl_line_writer *w)
{
    free(w->list.lines);
    lvl_arena_free(&w->arena);
}
