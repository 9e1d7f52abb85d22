/*
 * codec/grammar.c: reads a text by the rules of its grammar. First the text is cut into parts, then lists
 * are taken at their size and filled. Parts stay in doc->state, so that the writer can copy them.
 */
#include "codec/grammar.h"

#include "base/text.h"
#include "base/work.h"

#include <stdlib.h>

typedef struct reader {
    const lvl_grammar *grammar;
    lvl_doc *doc;
    lvl_sink *sink;
    lvl_findings *findings;
    lvl_lines_text text;
    lvl_words_room room;
    lvl_rule_forms forms;
    lvl_text_part_list parts;
    uint32_t rows;               /* the rule whose block is open; LVL_RULES: none */
    uint32_t other;              /* the rule of lines that no other rule takes; LVL_RULES: none */
    bool first;                  /* no line but blank ones came yet */
    uint32_t last[LVL_RULES];    /* the last part of a SINGLE, plus 1 */
    uint32_t grid;               /* the rule of the lines of grids; LVL_RULES: none */
    uint32_t grid_cap;           /* items that there is room for */
    uint8_t *grid_0;             /* cells of grid 0, or NULL */
    uint32_t next_row;           /* row behind all its rows so far */
    uint16_t grid_of[LVL_GRIDS]; /* index of an item by its number, plus 1 */
} reader;

/* ---- rules --------------------------------------------------------------------------------------- */

void lvl_rule_forms_init(lvl_rule_forms *forms, const lvl_grammar *grammar, const lvl_table *table)
{
    forms->grammar = grammar;
    forms->table = table;
    for (uint32_t k = 0; k < grammar->rule_count; k++)
        forms->form[k].ready = false;
}

const lvl_rule_form *lvl_rule_form_of(lvl_rule_forms *forms, uint32_t rule)
{
    const lvl_rule *r = &forms->grammar->rules[rule];
    lvl_rule_form *form = &forms->form[rule];

    if (form->ready)
        return form;
    form->ready = true;
    form->list =
        r->kind == LVL_RULE_FIRST || r->kind == LVL_RULE_SINGLE ? NULL : lvl_table_at(forms->table, r->list);
    const lvl_table *table = form->list && form->list->table ? form->list->table : forms->table;
    lvl_line_form_of(r->words, table, &form->line);
    lvl_line_form_of(r->body, table, &form->body);
    return form;
}

/* The list that the part's item is in; NULL: it is of the root. */
static const lvl_field *list_of(lvl_rule_forms *forms, const lvl_text_part *part)
{
    return part->kind == LVL_PART_BEGIN || part->kind == LVL_PART_END
               ? NULL
               : lvl_rule_form_of(forms, part->rule)->list;
}

void *lvl_rule_record(lvl_rule_forms *forms, void *root, const lvl_text_part *part)
{
    const lvl_field *list = list_of(forms, part);

    return list ? (void *)(uintptr_t)lvl_list_item(root, list, part->index) : root;
}

lvl_where lvl_rule_where(lvl_rule_forms *forms, const lvl_text_part *part)
{
    const lvl_field *list = list_of(forms, part);
    const lvl_where root = lvl_where_root();

    return list ? lvl_where_to(root, list, part->index) : root;
}

/* ---- parts --------------------------------------------------------------------------------------- */

void lvl_text_part_list_init(lvl_text_part_list *list)
{
    list->items = list->few;
    list->count = list->most = 0;
    list->cap = LVL_COUNT_OF(list->few);
}

void lvl_text_part_list_free(lvl_text_part_list *list)
{
    if (list->items != list->few)
        free(list->items);
    lvl_text_part_list_init(list);
}

lvl_status lvl_text_part_list_add(lvl_text_part_list *list, const lvl_text_part *part, const lvl_ctx *ctx)
{
    if (!list->most) {
        const uint64_t items = ctx ? lvl_limits_of(ctx).items : UINT32_MAX;
        list->most = items < UINT32_MAX ? (uint32_t)items : UINT32_MAX;
    }
    if (list->count >= list->most)
        return lvl_refuse(ctx, LVL_LIMIT_ITEMS, list->most, (uint64_t)list->count + 1);
    if (list->count == list->cap) {
        const bool inside = list->items == list->few;
        const uint32_t cap = list->cap > UINT32_MAX / 2 ? UINT32_MAX : list->cap * 2;
        lvl_text_part *more = realloc(inside ? NULL : list->items, (size_t)cap * sizeof *more);
        if (!more)
            return LVL_ERR_MEMORY;
        if (inside)
            memcpy(more, list->few, sizeof list->few);
        list->items = more;
        list->cap = cap;
    }
    list->items[list->count++] = *part;
    return LVL_OK;
}

/* ---- findings ------------------------------------------------------------------------------------ */

static void report_at(const reader *r, lvl_line_problem problem, const lvl_where *where, lvl_text at,
                      const char *what)
{
    const lvl_finding_def *def = r->grammar->findings[problem];
    char shown[80];

    if (!r->findings || !def)
        return;
    const lvl_position pos = {
        .bit = (uint64_t)(at.ptr - r->text.ptr) * 8, .bits = (uint64_t)at.len * 8, .known = true};
    lvl_text_show(shown, sizeof shown, r->doc->codepage, at);
    lvl_findings_add(r->findings, def, where->depth ? where : NULL, &pos, "%s%s%s", what, at.len ? ": " : "",
                     shown);
}

static void report(reader *r, lvl_line_problem problem, const lvl_text_part *part, lvl_text at,
                   const char *what)
{
    const lvl_where where = r->findings && part ? lvl_rule_where(&r->forms, part) : lvl_where_root();

    report_at(r, problem, &where, at, what);
}

static lvl_text line_of(reader *r, const lvl_text_part *part)
{
    lvl_text line = {r->text.ptr + part->head, part->body - part->head};

    line.len -= line.len && line.ptr[line.len - 1] == '\n';
    line.len -= r->text.crlf && line.len && line.ptr[line.len - 1] == '\r';
    return line;
}

static void report_words(const reader *r, const lvl_where *where, lvl_text line, unsigned problems)
{
    if (problems & LVL_WORDS_NUMBER)
        report_at(r, LVL_LINE_NUMBER, where, line, "expected a number in this line");
    if (problems & LVL_WORDS_NAME)
        report_at(r, LVL_LINE_NAME, where, line, "a name in this line is not known");
    if (problems & LVL_WORDS_MORE)
        report_at(r, LVL_LINE_WORDS, where, line, "expected fewer words in this line");
    if (problems & LVL_WORDS_FEW)
        report_at(r, LVL_LINE_INCOMPLETE, where, line, "expected more words in this line");
    if (problems & LVL_WORDS_QUOTE)
        report_at(r, LVL_LINE_QUOTE, where, line, "expected a quote at the end of a name");
}

/* ---- which rule a line is of --------------------------------------------------------------------- */

static bool is_first(const lvl_rule *rule, lvl_text line)
{
    return line.len >= strlen(rule->word) &&
           memcmp(line.ptr, rule->word, strcspn(rule->word, "0123456789")) == 0;
}

/* A line from its first word on. */
static lvl_text command_of(const lvl_grammar *grammar, lvl_text line)
{
    while (grammar->loose && line.len && (*line.ptr == ' ' || *line.ptr == '\t')) {
        line.ptr++;
        line.len--;
    }
    return line;
}

static bool is_comment(const lvl_grammar *grammar, lvl_text line)
{
    const lvl_text command = command_of(grammar, line);

    return (grammar->comment && lvl_text_begins(command, grammar->comment)) ||
           (grammar->loose && command.len && *command.ptr == '#');
}

static bool ends_block(const lvl_grammar *grammar, const char *word, lvl_text line)
{
    return grammar->loose ? lvl_line_has_word(command_of(grammar, line), word) : lvl_line_is_word(line, word);
}

static const lvl_line_rows *rows_of(const lvl_grammar *grammar, uint32_t rule)
{
    return grammar->rows ? grammar->rows[rule] : NULL;
}

static lvl_text behind_word(const lvl_rule *rule, lvl_text line)
{
    const size_t len = rule->word ? strlen(rule->word) : 0;

    return (lvl_text){line.ptr + len, line.len - len};
}

/* Whether the line begins with the rule's word, with a blank behind it unless its first member is joined to
 * it. */
static bool has_command(const lvl_rule *rule, lvl_text line)
{
    if (!rule->word || !line.len || *line.ptr != *rule->word)
        return false;
    if (!rule->words || *rule->words != '+')
        return lvl_line_has_word(line, rule->word);
    return lvl_text_begins(line, rule->word) && !lvl_line_has_word(line, rule->word);
}

/* Whether what follows the rule's word makes a line of it. */
static bool fits(reader *r, uint32_t k, lvl_text rest, bool strict)
{
    const lvl_rule *rule = &r->grammar->rules[k];
    lvl_grid_line line;

    switch (rule->kind) {
    case LVL_RULE_ROWS: return !lvl_text_trim(rest).len;
    case LVL_RULE_GRID: return r->grammar->grid->parse(rest, &line);
    default:
        return (rule->flags & LVL_RULE_SHORT) ||
               lvl_line_fits(&lvl_rule_form_of(&r->forms, k)->line, rest, strict);
    }
}

/* Whether a line of a rule that is there once has come, or a block of rows. */
static bool has_come(const reader *r, uint32_t rule)
{
    bool any = r->last[rule] != 0;

    for (uint32_t k = 0; k < r->grammar->rule_count && r->grammar->rules[rule].kind == LVL_RULE_ROWS; k++)
        any |= r->grammar->rules[k].kind == LVL_RULE_ROWS && r->last[k];
    return any;
}

/* The rule of a line outside of blocks of rows; LVL_RULES: none, then *why is set. */
static uint32_t rule_of(reader *r, lvl_text line, lvl_line_problem *why)
{
    const lvl_text command = command_of(r->grammar, line);

    *why = LVL_LINE_UNKNOWN;
    for (uint32_t k = 0; k < r->grammar->rule_count; k++) {
        const lvl_rule *rule = &r->grammar->rules[k];
        if (rule->kind == LVL_RULE_FIRST) {
            if (r->first && is_first(rule, line))
                return k;
            continue;
        }
        if (!has_command(rule, command))
            continue;
        const bool once = (rule->flags & LVL_RULE_ONCE) && has_come(r, k);
        if (!once && fits(r, k, behind_word(rule, command), rule->flags & LVL_RULE_STRICT))
            return k;
        *why = !once ? LVL_LINE_INCOMPLETE : rule->kind == LVL_RULE_ROWS ? LVL_LINE_SECOND : *why;
    }
    return LVL_RULES;
}

/* Whether a line inside of a body would be a whole command outside of it. */
static bool is_command_inside(reader *r, lvl_text line)
{
    for (uint32_t k = 0; k < r->grammar->rule_count; k++) {
        const lvl_rule *rule = &r->grammar->rules[k];
        if ((rule->flags & LVL_RULE_INSIDE) && lvl_line_has_word(line, rule->word) &&
            fits(r, k, behind_word(rule, line), true))
            return true;
    }
    return false;
}

static void find_end(reader *r, const char *word, lvl_text_part *part)
{
    lvl_line_view line;

    for (const char *p = r->text.ptr + part->body; p < r->text.end; p = line.next) {
        line = lvl_line_at(&r->text, p);
        if ((*p != *word && !r->grammar->loose) || !ends_block(r->grammar, word, line.text))
            continue;
        part->close = (size_t)(p - r->text.ptr);
        part->end = (size_t)(line.next - r->text.ptr);
        return;
    }
    part->closed = false;
    part->close = part->end = (size_t)(r->text.end - r->text.ptr);
}

/* A line inside of a block of rows; false if it ends the block without being its end. */
static bool take_row(reader *r, lvl_text line, lvl_text_part *part)
{
    const lvl_rule *rule = &r->grammar->rules[r->rows];
    const bool is_list = memchr(line.ptr, '"', line.len) || memchr(line.ptr, ',', line.len);
    lvl_line_problem why;

    part->rule = (uint8_t)r->rows;
    part->kind = LVL_PART_ROW;
    if (rule->end && lvl_line_is_word(line, rule->end)) {
        part->kind = LVL_PART_END;
        r->rows = LVL_RULES;
    } else if (rule->end && !is_list && rule_of(r, line, &why) != LVL_RULES) {
        report(r, LVL_LINE_OPEN, NULL, line, "expected the end of the block before this line");
        r->rows = LVL_RULES;
        return false;
    }
    return true;
}

/* False: the line belongs to no part. */
static bool take_line(reader *r, lvl_text line, lvl_text_part *part)
{
    lvl_line_problem why;

    if (r->rows != LVL_RULES && take_row(r, line, part))
        return true;
    const uint32_t k = rule_of(r, line, &why);
    if (k == LVL_RULES) {
        part->rule = (uint8_t)r->other;
        part->kind = LVL_PART_OTHER;
        return r->other != LVL_RULES && !(r->grammar->loose && is_comment(r->grammar, line));
    }
    const lvl_rule *rule = &r->grammar->rules[k];
    part->rule = (uint8_t)k;
    part->kind = rule->kind == LVL_RULE_ROWS ? LVL_PART_BEGIN : LVL_PART_BLOCK;
    if (rule->kind == LVL_RULE_GRID)
        part->kind = LVL_PART_GRID;
    else if (rule->kind == LVL_RULE_ROWS)
        r->rows = rows_of(r->grammar, k) ? LVL_RULES : k;
    else if (rule->end)
        find_end(r, rule->end, part);
    return true;
}

/* ---- grids --------------------------------------------------------------------------------------- */

lvl_cells lvl_grid_cells(const lvl_line_grid *grid, const void *item)
{
    lvl_cells cells;

    memcpy(&cells, (const uint8_t *)item + grid->cells, sizeof cells);
    return cells;
}

lvl_text_part lvl_grid_part_line(const lvl_lines_text *text, const lvl_text_part *part,
                                 const lvl_text_part *before)
{
    lvl_text_part line = before ? *before : *part;

    line.rows = 1;
    if (before) {
        line.lead = line.head = before->end;
        line.row++;
    }
    line.body = line.close = line.end = (size_t)(lvl_line_at(text, text->ptr + line.head).next - text->ptr);
    return line;
}

/* Makes room for one more item of the list; most files have one. */
static uint8_t *add_grid_item(reader *r, const lvl_field *list)
{
    uint8_t *root = r->doc->root, *items = NULL;
    uint32_t count;

    memcpy(&count, root + list->count_offset, sizeof count);
    if (count == r->grid_cap) {
        r->grid_cap = count ? count * 8 : 1;
        items = lvl_arena_array(&r->doc->arena, r->grid_cap, list->item_size);
        if (!items)
            return NULL;
        if (count)
            memcpy(items, lvl_list_item(root, list, 0), (size_t)count * list->item_size);
        memcpy(root + list->offset, &items, sizeof items);
    }
    count++;
    memcpy(root + list->count_offset, &count, sizeof count);
    return (uint8_t *)(uintptr_t)lvl_list_item(root, list, count - 1);
}

/* The cells of the item of that number, a new one if this is its first line; NULL: no memory. */
static uint8_t *grid_cells(reader *r, uint32_t number)
{
    const lvl_line_grid *grid = r->grammar->grid;
    const size_t size = (size_t)grid->side * grid->side * 2;

    if (!number && r->grid_0)
        return r->grid_0;
    const lvl_field *list = lvl_rule_form_of(&r->forms, r->grid)->list;
    if (r->grid_of[number])
        return (uint8_t *)(uintptr_t)lvl_grid_cells(
                   grid, lvl_list_item(r->doc->root, list, r->grid_of[number] - 1U))
            .ptr;
    uint8_t *cells = lvl_arena_raw(&r->doc->arena, size), *item = cells ? add_grid_item(r, list) : NULL;
    if (!item)
        return NULL;
    memset(cells, 0xFF, size);
    lvl_record_init(item, list->table);
    const lvl_cells all = {cells, grid->side, grid->side, 2};
    memcpy(item + grid->cells, &all, sizeof all);
    lvl_put_int(item, lvl_table_at(list->table, grid->number), number);
    r->grid_of[number] = (uint16_t)lvl_list_count(r->doc->root, list);
    if (!number)
        r->grid_0 = cells;
    return cells;
}

/* Takes the cells of a line into their item. */
static lvl_status read_grid_line(reader *r, const lvl_grid_line *line, lvl_text_part *part)
{
    const lvl_line_grid *grid = r->grammar->grid;
    uint8_t *cells = grid_cells(r, line->number);

    if (!cells)
        return LVL_ERR_MEMORY;
    cells += ((size_t)line->y * grid->side + line->x) * 2;
    part->index = r->grid_of[line->number] - 1U;
    part->row = line->y;
    part->rows = 1;
    part->more = (line->problems & 1U << LVL_LINE_BEYOND) != 0;
    for (uint32_t i = 0; (line->number || line->y < r->next_row) && i < line->width * 2; i += 2)
        part->twice |= (cells[i] & cells[i + 1]) != 0xFF;
    part->odd = !grid->decode(line, cells) || part->twice || line->problems;
    if (!line->number && line->y >= r->next_row)
        r->next_row = line->y + 1;
    return LVL_OK;
}

/* ---- finding parts ------------------------------------------------------------------------------- */

static bool is_blank_line(lvl_text line)
{
    return !line.len || (*line.ptr <= ' ' && !lvl_text_trim(line).len);
}

/* A part that is one line. */
static lvl_text_part line_part(reader *r, size_t lead, const char *from, const char *to)
{
    const size_t head = (size_t)(from - r->text.ptr), next = (size_t)(to - r->text.ptr);

    return (lvl_text_part){
        .lead = lead, .head = head, .body = next, .close = next, .end = next, .closed = true};
}

/* Whole rows of grid 0 one after the other, as nearly every line is, without a look at their words: one
 * part. */
static lvl_status find_usual_rows(reader *r, const char **at, size_t *lead)
{
    const lvl_line_grid *grid = r->grammar->grid;
    const uint32_t first = r->next_row;

    if (!r->grid_0 && grid->read_usual(&r->text, *at, &r->next_row, NULL) == *at)
        return LVL_OK;
    uint8_t *cells = grid_cells(r, 0);
    if (!cells)
        return LVL_ERR_MEMORY;
    const char *end = grid->read_usual(&r->text, *at, &r->next_row, cells);
    if (end == *at)
        return LVL_OK;
    lvl_text_part part = line_part(r, *lead, *at, end);
    part.kind = LVL_PART_GRID;
    part.rule = (uint8_t)r->grid;
    part.index = r->grid_of[0] - 1U;
    part.row = first;
    part.rows = r->next_row - first;
    *lead = part.end;
    *at = end;
    return lvl_text_part_list_add(&r->parts, &part, r->doc->ctx);
}

/* What a part is to the parts before it. */
static lvl_status relate_part(reader *r, lvl_text_part *part)
{
    const lvl_rule *rule = &r->grammar->rules[part->rule];
    lvl_grid_line line;

    r->first = false;
    const uint32_t once = part->rule - (rule->flags & LVL_RULE_ALIAS ? 1U : 0U);
    if (rule->kind == LVL_RULE_SINGLE && part->kind == LVL_PART_BLOCK && r->last[once]) {
        lvl_text_part *before = &r->parts.items[r->last[once] - 1];
        before->twice = true;
        report(r, LVL_LINE_TWICE, NULL, line_of(r, before), "a later line counts instead of");
    }
    r->last[once] = r->parts.count + 1;
    if (part->kind == LVL_PART_GRID && r->grammar->grid->parse(behind_word(rule, line_of(r, part)), &line))
        return read_grid_line(r, &line, part);
    return LVL_OK;
}

void lvl_row_found(lvl_row_finder *finder, const char *from, const char *to, uint32_t kind)
{
    lvl_text_part *part = &finder->part;

    part->head = (size_t)(from - finder->text->ptr);
    part->body = part->close = part->end = (size_t)(to - finder->text->ptr);
    part->row = kind;
    if (finder->status == LVL_OK)
        finder->status = lvl_text_part_list_add(finder->parts, part, finder->doc->ctx);
    part->lead = part->end;
}

/* The rows of a block, and the line that ends it. */
static lvl_status find_rows(reader *r, uint8_t rule, const char **at, size_t *lead)
{
    lvl_row_finder finder = {.text = &r->text, .doc = r->doc, .seen = r->last, .parts = &r->parts};

    finder.part = (lvl_text_part){.kind = LVL_PART_ROW, .rule = rule, .closed = true, .lead = *lead};
    const char *end = rows_of(r->grammar, rule)->find(&finder, *at);
    *lead = finder.part.lead;
    *at = end;
    if (finder.status != LVL_OK)
        return finder.status;
    if (end == r->text.end) {
        report(r, LVL_LINE_OPEN, NULL, (lvl_text){end, 0},
               "expected the end of the block before the end of the file");
        return LVL_OK;
    }
    lvl_text_part part = line_part(r, *lead, end, lvl_line_at(&r->text, end).next);
    part.kind = LVL_PART_END;
    part.rule = rule;
    *lead = part.end;
    *at = r->text.ptr + part.end;
    return lvl_text_part_list_add(&r->parts, &part, r->doc->ctx);
}

static lvl_status find_parts(reader *r, const char *from)
{
    lvl_status status = LVL_OK;
    size_t lead = (size_t)(from - r->text.ptr);

    for (const char *p = from; p < r->text.end && status == LVL_OK;) {
        if (r->grid != LVL_RULES && !r->first && r->next_row < r->grammar->grid->side) {
            status = find_usual_rows(r, &p, &lead);
            if (status != LVL_OK || p == r->text.end)
                break;
        }
        const lvl_line_view line = lvl_line_at(&r->text, p);
        lvl_text_part part = line_part(r, lead, p, line.next);
        p = line.next;
        if (is_blank_line(line.text) || !take_line(r, line.text, &part))
            continue;
        status = relate_part(r, &part);
        if (status == LVL_OK)
            status = lvl_text_part_list_add(&r->parts, &part, r->doc->ctx);
        lead = part.end;
        p = r->text.ptr + part.end;
        if (status == LVL_OK && part.kind == LVL_PART_BEGIN && rows_of(r->grammar, part.rule))
            status = find_rows(r, part.rule, &p, &lead);
    }
    if (status == LVL_OK && r->rows != LVL_RULES && r->grammar->rules[r->rows].end)
        report(r, LVL_LINE_OPEN, NULL, (lvl_text){r->text.end, 0},
               "expected the end of the block before the end of the file");
    return status;
}

/* Gives each part its place in a list, and takes memory for the lists. */
static lvl_status make_lists(reader *r)
{
    uint32_t counts[LVL_RULES] = {0}; /* by the first rule that has the list */
    uint32_t owner[LVL_RULES];
    const lvl_grammar *g = r->grammar;

    for (uint32_t k = 0; k < g->rule_count; k++) {
        for (owner[k] = 0; owner[k] < k && g->rules[owner[k]].list != g->rules[k].list;)
            owner[k]++;
    }
    for (uint32_t i = 0; i < r->parts.count; i++) {
        lvl_text_part *part = &r->parts.items[i];
        const lvl_rule_kind kind = g->rules[part->rule].kind;
        if (kind == LVL_RULE_ITEM || part->kind == LVL_PART_ROW || part->kind == LVL_PART_OTHER)
            part->index = counts[owner[part->rule]]++;
    }
    for (uint32_t k = 0; k < g->rule_count; k++) {
        if (!counts[k])
            continue;
        const lvl_field *list = lvl_table_at(r->forms.table, g->rules[k].list);
        uint8_t *root = r->doc->root, *items = lvl_arena_array(&r->doc->arena, counts[k], list->item_size);
        if (!items)
            return LVL_ERR_MEMORY;
        memcpy(root + list->offset, &items, sizeof items);
        memcpy(root + list->count_offset, &counts[k], sizeof counts[k]);
    }
    return LVL_OK;
}

/* ---- spans --------------------------------------------------------------------------------------- */

static void span(const reader *r, lvl_span_role role, lvl_where where, const char *from, const char *to,
                 const lvl_field *field, uint32_t index, const char *note)
{
    const lvl_span s = {.bit = (uint64_t)(from - r->text.ptr) * 8,
                        .bits = (uint64_t)(to - from) * 8,
                        .role = role,
                        .where = field ? lvl_where_to(where, field, index) : where,
                        .field = role == LVL_SPAN_CONTAINER ? NULL : field,
                        .note = note};

    if (to > from)
        r->sink->span(r->sink, &s);
}

static void emit_list(const reader *r, lvl_where where, const lvl_field *field, const char *from,
                      const char *to)
{
    const lvl_text text = {from, (size_t)(to - from)};
    lvl_list_item_view item;
    size_t at = 0, begin = 0;
    uint32_t i = 0;

    for (uint32_t n = 0; lvl_list_next(text, &at, &item); n++)
        i = n;
    at = 0;
    for (uint32_t n = 0; lvl_list_next(text, &at, &item); begin = at, n++)
        span(r, LVL_SPAN_FIELD, where, from + begin, n == i ? to : from + at, field, n, NULL);
}

/* The words of a line: `found` is each member's. The keyword, blanks and the line end hold them together. */
static void emit_line(const reader *r, lvl_where where, const lvl_line_form *form, const lvl_text *found,
                      const char *at, const char *end, const char *note)
{
    const lvl_field *before = NULL;

    if (form->list) {
        emit_list(r, where, form->member[0].field, at, end);
        return;
    }
    for (unsigned i = 0; i < form->count; i++) {
        const lvl_field *field = form->member[i].field;
        if (form->member[i].form == LVL_WORD_SWITCH && form->count == 1) {
            span(r, LVL_SPAN_FIELD, where, at, end, field, LVL_NO_INDEX, NULL);
            return;
        }
        if (!found[i].ptr)
            continue;
        span(r, LVL_SPAN_CONTAINER, where, at, found[i].ptr, before, LVL_NO_INDEX, note);
        at = found[i].ptr + found[i].len;
        span(r, LVL_SPAN_FIELD, where, found[i].ptr, at, field, LVL_NO_INDEX, NULL);
        before = field;
        note = "blank";
    }
    span(r, LVL_SPAN_CONTAINER, where, at, end, before, LVL_NO_INDEX, "line end");
}

static void emit_body(reader *r, const lvl_text_part *part, const lvl_line_form *body)
{
    const unsigned count = body->count;
    const char *at = r->text.ptr + part->body, *close = r->text.ptr + part->close;
    const lvl_where where = lvl_rule_where(&r->forms, part);

    for (unsigned i = 0; i < count && at < close; i++) {
        const char *next = count == 1 ? close : lvl_line_at(&r->text, at).next;
        span(r, LVL_SPAN_FIELD, where, at, next, body->member[i].field, LVL_NO_INDEX, NULL);
        at = next;
    }
    span(r, LVL_SPAN_SPELLING, where, at, close, NULL, LVL_NO_INDEX, "further lines");
    span(r, LVL_SPAN_CONTAINER, where, close, r->text.ptr + part->end,
         count ? body->member[count - 1].field : NULL, LVL_NO_INDEX, r->grammar->rules[part->rule].end);
}

static void emit_grid_line(reader *r, const lvl_text_part *part, const lvl_grid_line *line)
{
    const lvl_rule *rule = &r->grammar->rules[part->rule];
    const lvl_table *table = lvl_rule_form_of(&r->forms, part->rule)->list->table;
    const lvl_field *number = lvl_table_at(table, r->grammar->grid->number),
                    *cells = lvl_table_at(table, r->grammar->grid->cells);
    const lvl_where where = lvl_rule_where(&r->forms, part);
    const char *head = r->text.ptr + part->head, *end = r->text.ptr + part->end;
    const char *behind_number = line->number_text.ptr + line->number_text.len,
               *behind_cells = line->text.ptr + line->text.len;

    span(r, LVL_SPAN_CONTAINER, where, head, line->number_text.ptr, NULL, LVL_NO_INDEX, rule->word);
    span(r, LVL_SPAN_FIELD, where, line->number_text.ptr, behind_number, number, LVL_NO_INDEX, NULL);
    span(r, LVL_SPAN_CONTAINER, where, behind_number, line->text.ptr, number, LVL_NO_INDEX, "blank");
    span(r, LVL_SPAN_FIELD, where, line->text.ptr, behind_cells, cells, LVL_NO_INDEX, NULL);
    span(r, LVL_SPAN_CONTAINER, where, behind_cells, end, cells, LVL_NO_INDEX, "line end");
}

static void emit_between(reader *r, size_t from, size_t to)
{
    span(r, LVL_SPAN_SPELLING, lvl_where_root(), r->text.ptr + from, r->text.ptr + to, NULL, LVL_NO_INDEX,
         "lines that are no command");
}

/* ---- filling ------------------------------------------------------------------------------------- */

/* The lines of a body, joined by LF. */
static lvl_status read_lines(reader *r, const char *from, const char *to, lvl_text *out)
{
    char *copy = NULL;

    *out = (lvl_text){from, (size_t)(to - from)};
    if (r->text.crlf && from < to) {
        copy = lvl_arena_raw(&r->doc->arena, out->len);
        if (!copy)
            return LVL_ERR_MEMORY;
        *out = (lvl_text){copy, 0};
        for (lvl_line_view line; from < to; from = line.next) {
            line = lvl_line_at(&(lvl_lines_text){from, to, true}, from);
            memcpy(copy + out->len, line.text.ptr, line.text.len);
            out->len += line.text.len;
            if (line.next[-1] == '\n')
                copy[out->len++] = '\n';
        }
    }
    out->len -= out->len && out->ptr[out->len - 1] == '\n';
    return LVL_OK;
}

/* Commands inside of a body, which may mean that the line that ends it is missing. */
static void report_inside(reader *r, const lvl_text_part *part)
{
    const char *close = r->text.ptr + part->close;
    lvl_line_view line;

    for (const char *p = r->text.ptr + part->body; p < close; p = line.next) {
        line = lvl_line_at(&r->text, p);
        if (is_command_inside(r, line.text))
            report(r, LVL_LINE_INSIDE, part, line.text, "a line of this text is a whole command");
    }
}

static lvl_status read_body(reader *r, lvl_text_part *part, void *record)
{
    const char *at = r->text.ptr + part->body, *close = r->text.ptr + part->close;
    const lvl_line_form *body = &lvl_rule_form_of(&r->forms, part->rule)->body;
    const unsigned count = body->count;
    lvl_status status = LVL_OK;
    unsigned problems = 0;

    if (r->sink)
        emit_body(r, part, body);
    if (!part->closed)
        report(r, LVL_LINE_OPEN, part, line_of(r, part),
               "expected the line that ends this block before the end of the file");
    if (count == 1 && body->member[0].field->kind == LVL_LIST) {
        status = lvl_list_read(&r->room, (lvl_text){at, (size_t)(close - at)}, record, body->member[0].field,
                               &problems);
        const lvl_where where = lvl_rule_where(&r->forms, part);
        report_words(r, &where, line_of(r, part), problems);
        return status;
    }
    for (unsigned i = 0; i < count && at < close && status == LVL_OK; i++) {
        const char *next = count == 1 ? close : lvl_line_at(&r->text, at).next;
        status =
            read_lines(r, at, next, (lvl_text *)(void *)((uint8_t *)record + body->member[i].field->offset));
        at = next;
    }
    part->further = at < close;
    if (part->further && status == LVL_OK)
        report(r, LVL_LINE_BODY, part, line_of(r, part), "expected fewer lines in this block");
    if (r->findings && r->grammar->findings[LVL_LINE_INSIDE])
        report_inside(r, part);
    return status;
}

static lvl_status fill_line(reader *r, lvl_text_part *part)
{
    const lvl_rule *rule = &r->grammar->rules[part->rule];
    const lvl_line_form *form = &lvl_rule_form_of(&r->forms, part->rule)->line;
    void *record = lvl_rule_record(&r->forms, r->doc->root, part);
    lvl_text found[LVL_MEMBERS], line = line_of(r, part);
    unsigned problems;

    if (record != r->doc->root && form->defaults)
        lvl_record_init(record, form->table);
    if (part->kind == LVL_PART_BLOCK)
        line = behind_word(rule, command_of(r->grammar, line));
    const lvl_status status = lvl_line_read(form, &r->room, line, record, &problems, found);
    if (status != LVL_OK)
        return status;
    part->more = (problems & LVL_WORDS_MORE) != 0;
    part->misread = (problems & (LVL_WORDS_NUMBER | LVL_WORDS_NAME)) != 0;
    if (r->findings && problems) {
        const lvl_where where = lvl_rule_where(&r->forms, part);
        report_words(r, &where, line_of(r, part), problems);
    }
    if (r->sink)
        emit_line(r, lvl_rule_where(&r->forms, part), form, found, r->text.ptr + part->head,
                  r->text.ptr + part->body, rule->word);
    return rule->end && part->kind == LVL_PART_BLOCK ? read_body(r, part, record) : LVL_OK;
}

/* What is odd in a line of a grid, and what its bytes are. */
static void show_grid_line(reader *r, const lvl_text_part *part)
{
    static const char *const texts[] = {
        [LVL_LINE_CELLS] = "expected as many cells in this line as it declares",
        [LVL_LINE_HIDES] = "this line declares fewer cells than it has",
        [LVL_LINE_BEYOND] = "this line has text beyond the last cell of its row",
        [LVL_LINE_LONG] = "this line declares cells beyond its row, or ends in a part of a cell",
        [LVL_LINE_AGAIN] = "an earlier line has set cells of this line"};
    const lvl_text text = line_of(r, part);
    uint8_t cells[LVL_GRIDS * 2];
    lvl_grid_line line;

    if (!r->grammar->grid->parse(behind_word(&r->grammar->rules[part->rule], text), &line))
        return;
    if (r->sink)
        emit_grid_line(r, part, &line);
    if (!r->grammar->grid->decode(&line, cells))
        line.problems |= 1U << LVL_LINE_CELLS;
    if (part->twice)
        line.problems |= 1U << LVL_LINE_AGAIN;
    for (unsigned problem = LVL_LINE_CELLS; problem <= LVL_LINE_AGAIN; problem++) {
        if (line.problems & 1U << problem)
            report(r, (lvl_line_problem)problem, part, text, texts[problem]);
    }
}

/* Whether a line seems to belong into a block of rows that is there. */
static bool is_row_outside(const reader *r, lvl_text line)
{
    bool any = *line.ptr == '"';

    for (uint32_t k = 0; k < r->grammar->rule_count; k++) {
        const lvl_line_rows *rows = r->last[k] ? rows_of(r->grammar, k) : NULL;
        any |= rows && rows->is_row(line);
    }
    return any;
}

/* A line that no rule takes. */
static void report_other(reader *r, const lvl_text_part *part, lvl_text line)
{
    lvl_line_problem why;
    bool end = false;

    if (is_comment(r->grammar, line))
        return;
    rule_of(r, line, &why);
    for (uint32_t k = 0; k < r->grammar->rule_count; k++)
        end |= r->grammar->rules[k].end && ends_block(r->grammar, r->grammar->rules[k].end, line);
    if (end)
        report(r, LVL_LINE_END, part, line, "expected a block that this line ends");
    else if (why == LVL_LINE_INCOMPLETE)
        report(r, LVL_LINE_INCOMPLETE, part, line, "expected other words in this line");
    else if (why == LVL_LINE_SECOND)
        report(r, LVL_LINE_SECOND, part, line, "expected only one block");
    else if (is_row_outside(r, line))
        report(r, LVL_LINE_OUTSIDE, part, line, "expected this row inside of its block");
    else
        report(r, LVL_LINE_UNKNOWN, part, line, "expected a command that is known");
}

/* Lines between parts. */
static void report_between(reader *r, size_t from, size_t to)
{
    lvl_line_view line;

    for (const char *p = r->text.ptr + from; p < r->text.ptr + to; p = line.next) {
        line = lvl_line_at(&r->text, p);
        if (!lvl_text_trim(line.text).len)
            continue;
        if (r->other == LVL_RULES)
            report_other(r, NULL, line.text);
        else if (!is_comment(r->grammar, line.text))
            report(r, LVL_LINE_BETWEEN, NULL, line.text, "expected a line of this block");
    }
}

/* ---- rows of several lines ----------------------------------------------------------------------- */

void lvl_row_report(const lvl_row_reader *row, lvl_line_problem problem, const lvl_where *where,
                    lvl_text line, const char *what)
{
    report_at(row->engine, problem, where, line, what);
}

void lvl_row_emit(const lvl_row_reader *row, lvl_span_role role, const lvl_where *where,
                  const lvl_field *field, const char *from, const char *to, const char *note)
{
    const reader *r = row->engine;

    if (r->sink)
        span(r, role, *where, from, to, field, LVL_NO_INDEX, note);
}

lvl_status lvl_row_line(const lvl_row_reader *row, const lvl_line_form *form, const lvl_where *where,
                        const lvl_line_view *line, lvl_text behind, void *record, lvl_text *found)
{
    const reader *r = row->engine;
    lvl_text own[LVL_MEMBERS];
    unsigned problems;

    found = found ? found : own;
    const lvl_status status = lvl_line_read(form, &row->room, behind, record, &problems, found);

    if (status != LVL_OK)
        return status;
    *row->more |= (problems & LVL_WORDS_MORE) != 0;
    report_words(r, where, line->text, problems);
    if (r->sink)
        emit_line(r, *where, form, found, line->text.ptr, line->next, "keyword");
    return LVL_OK;
}

void lvl_row_other(const lvl_row_reader *row, const lvl_where *where, const lvl_line_view *line)
{
    const reader *r = row->engine;
    const bool blank = !lvl_text_trim(line->text).len;

    *row->more |= !blank;
    lvl_row_emit(row, LVL_SPAN_SPELLING, where, NULL, line->text.ptr, line->next,
                 "a line that is no command");
    if (!blank && !is_comment(r->grammar, line->text))
        report_at(r, LVL_LINE_BETWEEN, where, line->text, "expected a line of this block");
}

static lvl_status fill_row(reader *r, lvl_text_part *part)
{
    bool more = false;
    void *item = lvl_rule_record(&r->forms, r->doc->root, part);
    const lvl_row_reader row = {.text = {r->text.ptr + part->head, r->text.ptr + part->end, r->text.crlf},
                                .kind = part->row,
                                .room = r->room,
                                .where = r->sink || r->findings ? lvl_rule_where(&r->forms, part)
                                                                : lvl_where_root(),
                                .shows = r->sink || r->findings,
                                .engine = r,
                                .more = &more};

    lvl_record_init(item, lvl_rule_form_of(&r->forms, part->rule)->list->table);
    const lvl_status status = rows_of(r->grammar, part->rule)->read(&row, item);
    part->more = more;
    return status;
}

static lvl_status fill_part(reader *r, lvl_text_part *part)
{
    const lvl_rule *rule = &r->grammar->rules[part->rule];
    const char *head = r->text.ptr + part->head, *end = r->text.ptr + part->end;

    if (part->kind == LVL_PART_OTHER) {
        const lvl_text line = line_of(r, part);
        *(lvl_text *)lvl_rule_record(&r->forms, r->doc->root, part) = line;
        if (r->sink)
            span(r, LVL_SPAN_FIELD, lvl_where_root(), head, end,
                 lvl_rule_form_of(&r->forms, part->rule)->list, part->index, NULL);
        if (r->findings)
            report_other(r, part, line);
        return LVL_OK;
    }
    if (part->kind == LVL_PART_GRID) {
        lvl_text_part line = lvl_grid_part_line(&r->text, part, NULL);
        for (uint32_t i = 0; i < part->rows && (r->sink || part->odd); i++) {
            show_grid_line(r, &line);
            if (i + 1 < part->rows)
                line = lvl_grid_part_line(&r->text, part, &line);
        }
        return LVL_OK;
    }
    if (part->kind != LVL_PART_ROW && (part->kind != LVL_PART_BLOCK || rule->kind == LVL_RULE_FIRST)) {
        if (r->sink && rule->words) {
            const lvl_field *field = lvl_rule_form_of(&r->forms, part->rule)->line.member[0].field;
            const char *from = head;
            for (head += strlen(rule->word); rule->flags & LVL_RULE_NAMED && head<end && * head> ' ';)
                head++;
            span(r, LVL_SPAN_FIELD, lvl_where_root(), from, head, field, LVL_NO_INDEX, NULL);
        }
        if (r->sink)
            span(r, LVL_SPAN_CONTAINER, lvl_where_root(), head, end, NULL, LVL_NO_INDEX,
                 part->kind == LVL_PART_END ? rule->end : rule->word);
        return LVL_OK;
    }
    return part->kind == LVL_PART_ROW && rows_of(r->grammar, part->rule) ? fill_row(r, part)
                                                                         : fill_line(r, part);
}

static lvl_status fill(reader *r, const char *from)
{
    lvl_status status = LVL_OK;
    size_t after = (size_t)(from - r->text.ptr);

    if (r->sink)
        span(r, LVL_SPAN_SPELLING, lvl_where_root(), r->text.ptr, from, NULL, LVL_NO_INDEX,
             "byte order mark");
    for (uint32_t i = 0; i < r->parts.count && status == LVL_OK; i++) {
        lvl_text_part *part = &r->parts.items[i];
        if (part->kind == LVL_PART_GRID && !r->sink && !r->findings)
            continue;
        if (r->sink)
            emit_between(r, part->lead, part->head);
        if (r->findings)
            report_between(r, part->lead, part->head);
        status = fill_part(r, part);
        after = part->end;
    }
    const size_t end = (size_t)(r->text.end - r->text.ptr);
    if (r->sink)
        emit_between(r, after, end);
    if (r->findings)
        report_between(r, after, end);
    return status;
}

/* ---- the text ------------------------------------------------------------------------------------ */

bool lvl_lines_are_crlf(lvl_text text)
{
    const char *p = text.ptr, *end = p + text.len, *nl = text.len ? memchr(p, '\n', text.len) : NULL;
    bool others = false;

    if (!nl)
        return false;
    const bool first = nl > p && nl[-1] == '\r';
    /* in nearly all files the second line ends as the first does */
    for (p = nl + 1; p < end && (nl = memchr(p, '\n', (size_t)(end - p))) != NULL; p = nl + 1) {
        if ((nl > p && nl[-1] == '\r') == first)
            return first;
        others = true;
    }
    return others ? !first : first;
}

/* The parts stay with the document. */
static lvl_status keep_parts(reader *r)
{
    lvl_text_parts *parts = lvl_arena_raw(&r->doc->arena, sizeof *parts);
    lvl_text_part *items = lvl_arena_copy(&r->doc->arena, r->parts.items, r->parts.count * sizeof *items);

    if (!parts || !items)
        return LVL_ERR_MEMORY;
    *parts = (lvl_text_parts){r->grammar, items, r->parts.count};
    r->doc->state = parts;
    return LVL_OK;
}

static void open_reader(reader *r, const lvl_grammar *grammar, lvl_doc *doc, lvl_text file)
{
    r->grammar = grammar;
    lvl_rule_forms_init(&r->forms, grammar, doc->format->table);
    memset(r->last, 0, sizeof r->last);
    r->doc = doc;
    r->sink = NULL;
    r->findings = NULL;
    r->text = (lvl_lines_text){file.ptr, file.ptr + file.len, lvl_lines_are_crlf(file)};
    r->rows = r->other = r->grid = LVL_RULES;
    r->grid_cap = r->next_row = 0;
    r->grid_0 = NULL;
    if (grammar->grid)
        memset(r->grid_of, 0, sizeof r->grid_of);
    r->first = true;
    r->room = (lvl_words_room){&doc->arena, lvl_limits_of(doc->ctx).items};
    for (uint32_t k = 0; k < grammar->rule_count; k++) {
        if (grammar->rules[k].kind == LVL_RULE_OTHER)
            r->other = k;
        if (grammar->rules[k].kind == LVL_RULE_GRID)
            r->grid = k;
        if (grammar->rules[k].kind == LVL_RULE_ROWS && !grammar->rules[k].word)
            r->rows = k;
    }
    lvl_text_part_list_init(&r->parts);
}

lvl_status lvl_grammar_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    const lvl_grammar *grammar = doc->format->calls->grammar(doc);
    const lvl_text file = {(const char *)doc->input.ptr, doc->input.len};
    uint8_t *root = doc->root;
    reader r;

    if (!file.len)
        return LVL_OK;
    open_reader(&r, grammar, doc, file);
    r.sink = sink;
    r.findings = findings;
    memcpy(root + grammar->source, &file, sizeof file);
    root[grammar->line_end] = r.text.crlf;
    const char *from = lvl_lines_of_file(doc->input).ptr;
    lvl_status status = find_parts(&r, from);
    if (status == LVL_OK)
        status = make_lists(&r);
    if (status == LVL_OK)
        status = fill(&r, from);
    if (status == LVL_OK)
        status = keep_parts(&r);
    lvl_text_part_list_free(&r.parts);
    return status;
}

/* ---- repair -------------------------------------------------------------------------------------- */

/* Copies up to a line inside of a body, with the line that ends that body behind it. */
static void end_body(reader *r, const lvl_text_part *open, const char *from, const char *to, lvl_buffer *out,
                     lvl_findings *log)
{
    const char *word = r->grammar->rules[open->rule].end;
    const lvl_where where = lvl_rule_where(&r->forms, open);

    lvl_findings_add(log, r->grammar->findings[LVL_LINE_INSIDE], &where, NULL,
                     "added %s before a line that is a command", word);
    lvl_buffer_add(out, from, (size_t)(to - from));
    lvl_buffer_str(out, word);
    lvl_buffer_str(out, r->text.crlf ? "\r\n" : "\n");
}

lvl_status lvl_grammar_end_bodies(const lvl_doc *doc, lvl_bytes file, lvl_buffer *out, lvl_findings *log)
{
    const lvl_grammar *grammar = doc->format->calls->grammar(doc);
    const lvl_text text = lvl_lines_of_file(file);
    uint32_t counts[LVL_RULES] = {0};
    lvl_text_part open = {.rule = LVL_RULES};
    const char *copied = (const char *)file.ptr;
    lvl_line_problem why;
    lvl_line_view line;
    reader r;

    open_reader(&r, grammar, (lvl_doc *)(uintptr_t)doc, (lvl_text){copied, file.len});
    for (const char *p = text.ptr; p < r.text.end; p = line.next) {
        line = lvl_line_at(&r.text, p);
        if (open.rule != LVL_RULES) {
            const bool ends = lvl_line_is_word(line.text, grammar->rules[open.rule].end);
            if (!ends && !is_command_inside(&r, line.text))
                continue;
            if (!ends) {
                end_body(&r, &open, copied, p, out, log);
                copied = p;
            }
            open.rule = LVL_RULES;
            if (ends)
                continue;
        }
        const uint32_t k = lvl_text_trim(line.text).len ? rule_of(&r, line.text, &why) : LVL_RULES;
        if (k == LVL_RULES)
            continue;
        r.first = false;
        if (grammar->rules[k].end && grammar->rules[k].kind != LVL_RULE_ROWS)
            open = (lvl_text_part){.rule = (uint8_t)k, .index = counts[k]};
        counts[k]++;
    }
    if (out->len)
        lvl_buffer_add(out, copied, (size_t)(r.text.end - copied));
    lvl_text_part_list_free(&r.parts);
    return out->status;
}
