/*
 * lines/grid.c: reads lines that are cells of a grid. The items of the list have a number each; the first
 * line of a number makes its item, whose cells are absent until a line has them.
 */
#include "lines/reader.h"

/* The cells of the item of that number; NULL without memory. */
static uint8_t *find_cells(lvl_line_reader *r, uint32_t number)
{
    const lvl_line_grid *grid = r->rules.grammar->rules[r->grid].grid;
    const lvl_rule_form *form = lvl_rules_form(&r->rules, r->grid);
    const lvl_field *list = form->list;
    const size_t size = (size_t)grid->side * grid->side * 2;
    uint32_t index;

    if (r->grid_of[number])
        return (uint8_t *)(uintptr_t)lvl_grid_cells(
                   grid, lvl_list_item(r->doc->root, list, r->grid_of[number] - 1U))
            .ptr;
    uint8_t *cells = lvl_arena_raw(&r->doc->arena, size);
    uint8_t *item = cells ? lvl_rules_add_item(form, r->doc, &index) : NULL;
    if (!item)
        return NULL;
    memset(cells, 0xFF, size);
    const lvl_cells all = {cells, grid->side, grid->side, 2};
    memcpy(item + grid->cells, &all, sizeof all);
    lvl_put_int(item, lvl_table_at(list->table, grid->number), number);
    r->grid_of[number] = (uint16_t)(index + 1);
    return cells;
}

static uint8_t *cells_of(lvl_line_reader *r, uint32_t number)
{
    if (number)
        return find_cells(r, number);
    if (!r->board)
        r->board = find_cells(r, 0);
    return r->board;
}

lvl_status lvl_reader_grid_row(lvl_line_reader *r, const char **at, lvl_line *line)
{
    const lvl_line_grid *grid = r->rules.grammar->rules[r->grid].grid;
    const size_t size = (size_t)grid->side * 2;
    uint8_t row[LVL_GRIDS * 2], *cells;

    const char *next = r->next_row < grid->side ? grid->read_row(&r->text, *at, r->next_row, row) : *at;
    if (next == *at)
        return LVL_OK;
    cells = cells_of(r, 0);
    if (!cells)
        return LVL_ERR_MEMORY;
    memcpy(cells + r->next_row * size, row, size);
    line->rule = (uint8_t)r->grid;
    line->item = r->grid_of[0] - 1U;
    line->row = r->next_row++;
    *at = next;
    return LVL_OK;
}

static void emit_line(lvl_line_reader *r, const lvl_line *line, const lvl_grid_line *row)
{
    const lvl_rule *rule = &r->rules.grammar->rules[line->rule];
    const lvl_table *table = lvl_rules_form(&r->rules, line->rule)->list->table;
    const lvl_field *number = lvl_table_at(table, rule->grid->number),
                    *cells = lvl_table_at(table, rule->grid->cells);
    const lvl_where where = lvl_rules_where(&r->rules, line);
    const char *behind_number = row->number_text.ptr + row->number_text.len,
               *behind_cells = row->text.ptr + row->text.len;

    lvl_reader_emit(r, LVL_SPAN_CONTAINER, &where, NULL, LVL_NO_INDEX, row->number_text.ptr, rule->word);
    lvl_reader_emit(r, LVL_SPAN_FIELD, &where, number, LVL_NO_INDEX, behind_number, NULL);
    lvl_reader_emit(r, LVL_SPAN_CONTAINER, &where, number, LVL_NO_INDEX, row->text.ptr, "blank");
    lvl_reader_emit(r, LVL_SPAN_FIELD, &where, cells, LVL_NO_INDEX, behind_cells, NULL);
    lvl_reader_emit(r, LVL_SPAN_CONTAINER, &where, cells, LVL_NO_INDEX, r->text.ptr + line->end, "line end");
}

lvl_status lvl_reader_grid_line(lvl_line_reader *r, lvl_line *line)
{
    static const char *const texts[] = {
        [LVL_LINE_CELLS] = "this line does not have as many cells as it declares, and the game skips it",
        [LVL_LINE_HIDES] = "this line declares fewer cells than it has: the game does not show the others",
        [LVL_LINE_BEYOND] =
            "this line has text beyond the last cell of its row, which the game does not show",
        [LVL_LINE_LONG] = "this line declares cells beyond its row, or ends in a part of a cell",
        [LVL_LINE_AGAIN] = "an earlier line has set cells of this line"};
    const lvl_line_grid *grid = r->rules.grammar->rules[line->rule].grid;
    const lvl_text text = lvl_reader_line(r, line);
    lvl_grid_line row;

    if (!grid->parse(lvl_rules_words(&r->rules, line->rule, text), &row))
        return LVL_OK;
    uint8_t *cells = cells_of(r, row.number);
    if (!cells)
        return LVL_ERR_MEMORY;
    cells += ((size_t)row.y * grid->side + row.x) * 2;
    line->item = r->grid_of[row.number] - 1U;
    line->row = row.number * grid->side + row.y;
    if (row.problems & 1U << LVL_LINE_BEYOND)
        line->marks |= LVL_MARK_MORE;
    for (uint32_t i = 0; i < row.width * 2; i += 2) {
        if ((cells[i] & cells[i + 1]) != 0xFF)
            row.problems |= 1U << LVL_LINE_AGAIN;
    }
    if (!grid->decode(&row, cells))
        row.problems |= 1U << LVL_LINE_CELLS;
    if (!row.number && row.y >= r->next_row)
        r->next_row = row.y + 1;
    for (unsigned problem = LVL_LINE_CELLS; problem <= LVL_LINE_AGAIN; problem++) {
        if (row.problems & 1U << problem)
            lvl_reader_report_line(r, (lvl_line_problem)problem, line, text, texts[problem]);
    }
    if (r->sink)
        emit_line(r, line, &row);
    return LVL_OK;
}
