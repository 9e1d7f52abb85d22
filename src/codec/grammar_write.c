/*
 * codec/grammar_write.c: writes a document by the rules of its grammar, and copies from its source what
 * still says the same. All that is written is read again: what would be read as something else is not
 * written.
 */
#include "codec/grammar.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* A document as text: its parts, and what they are about. */
typedef struct text {
    void *root;
    const lvl_text_part *parts;
    uint32_t count;
    const char *ptr;
    size_t len;
} text;

typedef struct writer {
    const lvl_grammar *grammar;
    const lvl_doc *doc;
    void *root; /* a copy of the root in which derived members are what is to be written */
    lvl_rule_forms forms;
    bool crlf;
    const lvl_where *anew; /* items whose source is not copied */
    size_t anew_count;
    bool patch; /* of a line that changes, the words that do not are copied */
    lvl_arena arena;
    /* written by the rules alone */
    lvl_buffer usual;
    unsigned section; /* of the last rule that has one */
    bool complete;
    lvl_status status;
    lvl_text_part_list parts;
} writer;

static void fail(writer *w, lvl_status status)
{
    if (w->status == LVL_OK)
        w->status = status;
}

/* ---- the usual text ------------------------------------------------------------------------------ */

static const lvl_line_rows *rows_of(const writer *w, uint32_t rule)
{
    return w->grammar->rows ? w->grammar->rows[rule] : NULL;
}

static void end_line(writer *w, lvl_buffer *out)
{
    lvl_buffer_add(out, w->crlf ? "\r\n" : "\n", w->crlf ? 2 : 1);
}

static void put_lines(writer *w, lvl_text lines, lvl_buffer *out)
{
    const char *nl;

    while (w->crlf && lines.len && (nl = memchr(lines.ptr, '\n', lines.len)) != NULL) {
        const size_t n = (size_t)(nl - lines.ptr);
        lvl_buffer_add(out, lines.ptr, n);
        end_line(w, out);
        lines = (lvl_text){nl + 1, lines.len - n - 1};
    }
    lvl_buffer_add(out, lines.ptr, lines.len);
    end_line(w, out);
}

static void put_body(writer *w, uint32_t rule, const void *record, lvl_buffer *out)
{
    const lvl_rule_form *form = lvl_rule_form_of(&w->forms, rule);
    const lvl_line_form *body = &form->body;
    const unsigned count = body->count;

    for (unsigned i = 0; i < count; i++) {
        if (body->member[i].field->kind == LVL_TEXT) {
            put_lines(w, lvl_get_text(record, body->member[i].field), out);
            continue;
        }
        for (uint32_t n = 0; n < lvl_list_count(record, body->member[i].field); n++) {
            if (n && w->grammar->columns && n % w->grammar->columns == 0)
                end_line(w, out);
            else if (n)
                lvl_buffer_u8(out, ',');
            lvl_put_real_word(out, *(const double *)lvl_list_item(record, body->member[i].field, n));
        }
        end_line(w, out);
    }
}

/* Appends the first line of a part; of a row, all its lines. */
static void put_head(writer *w, void *root, const lvl_text_part *part, lvl_buffer *out)
{
    const lvl_rule *r = &w->grammar->rules[part->rule];
    const lvl_line_form *line = &lvl_rule_form_of(&w->forms, part->rule)->line;
    const void *record = lvl_rule_record(&w->forms, root, part);

    if (part->kind == LVL_PART_ROW && rows_of(w, part->rule)) {
        rows_of(w, part->rule)->put(record, w->crlf ? "\r\n" : "\n", out);
        return;
    }
    if (r->flags & LVL_RULE_NAMED) {
        const lvl_field *member = line->member[0].field;
        const char *name = lvl_name_of(member->names, lvl_get_int(root, member));
        lvl_buffer_str(out, name ? name : r->word);
    } else if (part->kind == LVL_PART_END) {
        lvl_buffer_str(out, r->end);
    } else if (part->kind == LVL_PART_BEGIN || r->kind == LVL_RULE_FIRST) {
        lvl_buffer_str(out, r->word);
    } else if (part->kind == LVL_PART_OTHER) {
        lvl_buffer_add(out, ((const lvl_text *)record)->ptr, ((const lvl_text *)record)->len);
    } else {
        lvl_line_put(line, part->kind == LVL_PART_ROW ? NULL : r->word, record, out);
    }
    end_line(w, out);
}

static unsigned section_of(const writer *w, const lvl_text_part *part)
{
    return w->grammar->rules[part->rule].flags / LVL_RULE_SECTION;
}

/* Whether a blank line stands before a part: between rows of several lines, and between sections. */
static bool is_set_apart(writer *w, const lvl_text_part *part)
{
    const unsigned section = section_of(w, part), before = w->section;

    w->section = section ? section : before;
    return (section && before && section != before) ||
           (part->kind == LVL_PART_ROW && part->index && rows_of(w, part->rule));
}

/* Appends one part, and notes where it is. */
static void put_part(writer *w, lvl_text_part_kind kind, uint32_t rule, uint32_t index)
{
    const lvl_rule *r = &w->grammar->rules[rule];
    lvl_text_part part = {.kind = (uint8_t)kind, .rule = (uint8_t)rule, .index = index, .closed = true};
    lvl_buffer *out = &w->usual;

    part.lead = out->len;
    if (is_set_apart(w, &part))
        end_line(w, out);
    part.head = out->len;
    put_head(w, w->root, &part, out);
    part.body = part.close = part.end = out->len;
    if (kind == LVL_PART_BLOCK && r->end) {
        put_body(w, rule, lvl_rule_record(&w->forms, w->root, &part), out);
        part.close = out->len;
        lvl_buffer_str(out, r->end);
        end_line(w, out);
        part.end = out->len;
    }
    fail(w, out->status);
    if (w->status == LVL_OK)
        fail(w, lvl_text_part_list_add(&w->parts, &part, w->doc->ctx));
}

/* The next cells of a grid that are there, from line->x and line->y on; false: there are none. */
static bool next_cells(const lvl_cells *cells, uint32_t side, lvl_grid_line *line)
{
    const uint32_t width = cells->width < side ? cells->width : side,
                   height = cells->height < side ? cells->height : side;

    for (; cells->ptr && cells->size == 2 && line->y < height; line->y++, line->x = 0) {
        while (line->x < width && lvl_cell(cells, line->x, line->y) == UINT16_MAX)
            line->x++;
        if (line->x == width)
            continue;
        for (line->width = 1; line->x + line->width < width; line->width++) {
            if (lvl_cell(cells, line->x + line->width, line->y) == UINT16_MAX)
                break;
        }
        return true;
    }
    return false;
}

/* Appends the lines of a grid. */
static void put_grid(writer *w, uint32_t rule, uint32_t index)
{
    const lvl_line_grid *grid = w->grammar->grid;
    lvl_text_part part = {
        .kind = LVL_PART_GRID, .rule = (uint8_t)rule, .index = index, .rows = 1, .closed = true};
    const void *item = lvl_rule_record(&w->forms, w->root, &part);
    const lvl_field *list = lvl_rule_form_of(&w->forms, rule)->list;
    const lvl_cells cells = lvl_grid_cells(grid, item);
    lvl_grid_line line = {.number = (uint32_t)lvl_get_int(item, lvl_table_at(list->table, grid->number))};

    for (; w->status == LVL_OK && next_cells(&cells, grid->side, &line); line.x += line.width) {
        part.row = line.y;
        part.lead = part.head = w->usual.len;
        lvl_buffer_str(&w->usual, w->grammar->rules[rule].word);
        grid->put(&line, &cells, &w->usual);
        end_line(w, &w->usual);
        part.body = part.close = part.end = w->usual.len;
        fail(w, w->usual.status);
        if (w->status == LVL_OK)
            fail(w, lvl_text_part_list_add(&w->parts, &part, w->doc->ctx));
    }
}

static bool is_written(writer *w, uint32_t rule)
{
    const lvl_rule_form *form = lvl_rule_form_of(&w->forms, rule);
    const unsigned flags = w->grammar->rules[rule].flags;

    if (flags & LVL_RULE_NAMED)
        return lvl_get_int(w->root, form->line.member[0].field) != 0;
    if (w->grammar->rules[rule].kind == LVL_RULE_FIRST || flags & LVL_RULE_ALIAS)
        return !(flags & LVL_RULE_ALIAS);
    const lvl_line_form *body = &form->body;
    const unsigned count = body->count;
    bool any = (flags & LVL_RULE_ALWAYS) != 0;

    for (unsigned i = 0; i < count; i++)
        any |= !lvl_field_is_default(w->root, body->member[i].field);
    return any || !lvl_line_is_default(&lvl_rule_form_of(&w->forms, rule)->line, w->root);
}

static uint32_t count_of(writer *w, uint32_t rule)
{
    return lvl_list_count(w->root, lvl_rule_form_of(&w->forms, rule)->list);
}

/* Whether the rule shares its list with one that comes before it. */
static bool is_second(writer *w, uint32_t rule)
{
    const lvl_rule *r = w->grammar->rules;

    for (uint32_t k = 0; k < rule; k++) {
        if (r[k].kind == LVL_RULE_ITEM && r[k].list == r[rule].list)
            return true;
    }
    return false;
}

/* Of rules that share a list, the one whose switch is set in the item; else the one that has none. */
static uint32_t rule_of_item(writer *w, uint32_t rule, uint32_t index)
{
    const lvl_rule *r = w->grammar->rules;
    const lvl_text_part part = {.kind = LVL_PART_BLOCK, .rule = (uint8_t)rule, .index = index};
    const void *item = lvl_rule_record(&w->forms, w->root, &part);
    uint32_t plain = rule;

    for (uint32_t k = rule; k < w->grammar->rule_count; k++) {
        if (r[k].kind != LVL_RULE_ITEM || r[k].list != r[rule].list)
            continue;
        const lvl_member *first = &lvl_rule_form_of(&w->forms, k)->line.member[0];
        if (first->form != LVL_WORD_SWITCH)
            plain = k;
        else if (lvl_get_int(item, first->field) == first->value)
            return k;
    }
    return plain;
}

/* Whether a block of rows is written: it has some, or always is behind other lines and no other block has
 * any. */
static bool is_block_written(writer *w, uint32_t rule)
{
    bool any = false;

    for (uint32_t k = 0; k < w->grammar->rule_count; k++)
        any |= w->grammar->rules[k].kind == LVL_RULE_ROWS && count_of(w, k);
    return w->grammar->rules[rule].word &&
           (any ? count_of(w, rule) != 0 : (w->grammar->rules[rule].flags & LVL_RULE_ALWAYS) && w->usual.len);
}

static void put_rule(writer *w, uint32_t rule)
{
    const lvl_rule *r = &w->grammar->rules[rule];
    lvl_text_part_kind kind = LVL_PART_BLOCK;

    if (r->kind == LVL_RULE_FIRST || r->kind == LVL_RULE_SINGLE) {
        if (is_written(w, rule))
            put_part(w, LVL_PART_BLOCK, rule, 0);
        return;
    }
    if (r->kind == LVL_RULE_ITEM && is_second(w, rule))
        return;
    const uint32_t count = count_of(w, rule);
    for (uint32_t i = 0; r->kind == LVL_RULE_GRID && i < count; i++)
        put_grid(w, rule, i);
    if (r->kind == LVL_RULE_GRID)
        return;
    if (r->kind == LVL_RULE_OTHER)
        kind = LVL_PART_OTHER;
    if (r->kind == LVL_RULE_ROWS) {
        kind = LVL_PART_ROW;
        if (is_block_written(w, rule))
            put_part(w, LVL_PART_BEGIN, rule, 0);
    }
    for (uint32_t i = 0; i < count && w->status == LVL_OK; i++)
        put_part(w, kind, kind == LVL_PART_BLOCK ? rule_of_item(w, rule, i) : rule, i);
    if (r->kind == LVL_RULE_ROWS && r->end && is_block_written(w, rule))
        put_part(w, LVL_PART_END, rule, 0);
}

static void note_derived(void *user, void *record, const lvl_field *field, int64_t computed)
{
    writer *w = user;

    if (record == w->doc->root)
        lvl_put_int(w->root, field, lvl_doc_derived(w->doc, record, field, computed));
}

static void open_writer(writer *w, const lvl_doc *doc)
{
    const lvl_format *format = doc->format;
    const lvl_grammar *grammar = format->calls->grammar(doc);

    memset(w, 0, offsetof(writer, parts));
    w->grammar = grammar;
    lvl_rule_forms_init(&w->forms, grammar, format->table);
    w->doc = doc;
    w->crlf = ((const uint8_t *)doc->root)[grammar->line_end] != 0;
    lvl_text_part_list_init(&w->parts);
    lvl_arena_init(&w->arena, doc->ctx);
    w->root = lvl_arena_copy(&w->arena, doc->root, format->table->struct_size);
    if (!w->root)
        w->status = LVL_ERR_MEMORY;
    else if (format->calls->derive)
        fail(w, format->calls->derive((lvl_doc *)(uintptr_t)doc, note_derived, w));
}

/* Writes the document by the rules alone, once. */
static void put_usual(writer *w)
{
    for (uint32_t k = 0; k < w->grammar->rule_count && w->status == LVL_OK && !w->complete; k++)
        put_rule(w, k);
    w->complete = true;
}

static void close_writer(writer *w)
{
    lvl_text_part_list_free(&w->parts);
    lvl_buffer_free(&w->usual);
    lvl_arena_free(&w->arena);
}

/* ---- reading again ------------------------------------------------------------------------------- */

static lvl_status read_again(writer *w, lvl_text bytes, lvl_doc **out)
{
    const lvl_status status = lvl_doc_new(out, w->doc->ctx, w->doc->format);

    if (status != LVL_OK)
        return status;
    (*out)->codepage = w->doc->codepage;
    (*out)->input = (lvl_bytes){(const uint8_t *)bytes.ptr, bytes.len};
    return w->doc->format->calls->read(*out, NULL, NULL);
}

/* Whether the document that was read holds what is to be written. */
static bool same_root(writer *w, const lvl_doc *again)
{
    const lvl_table *table = w->forms.table;

    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->role == LVL_DERIVED && f->kind == LVL_INT &&
            lvl_get_int(w->root, f) != lvl_get_int(again->root, f))
            return false;
    }
    return lvl_record_equal(w->root, again->root, table);
}

/* Whether the text reads as the document; a text that cannot be read does not. */
static bool holds(writer *w, const lvl_buffer *out, size_t from)
{
    lvl_doc *again = NULL;
    lvl_status status = out->status;
    bool same = false;

    if (status == LVL_OK) {
        status = read_again(
            w, (lvl_text){out->len > from ? (const char *)out->data + from : NULL, out->len - from}, &again);
        same = status == LVL_OK && same_root(w, again);
    }
    if (status == LVL_ERR_MEMORY || status == LVL_ERR_STOPPED)
        fail(w, status);
    lvl_doc_free(again);
    return same;
}

/* ---- copying from the source --------------------------------------------------------------------- */

/* The lines of a row of a grid: the first and the last part of either text, or NONE. */
typedef struct grid_row {
    uint32_t a, a_last, b, b_last;
} grid_row;

/* Which parts of two texts stand for the same: by part of one the part of the other, or NONE. */
typedef struct pairing {
    text a, b; /* the usual text; the source */
    uint32_t *of_a, *of_b;
    uint32_t *key_a, *key_b; /* parts of the key at hand */
    bool has[LVL_RULES];     /* the usual text has a part of the rule */
    grid_row *rows;          /* by number of a grid and row */
} pairing;

/* A rule without the word that it has also. */
static uint32_t plain_rule(const writer *w, uint32_t rule)
{
    return rule - (w->grammar->rules[rule].flags & LVL_RULE_ALIAS ? 1U : 0U);
}

static bool same_head(writer *w, const pairing *p, const lvl_text_part *a, const lvl_text_part *b)
{
    const void *x = lvl_rule_record(&w->forms, p->a.root, a), *y = lvl_rule_record(&w->forms, p->b.root, b);

    if (a->kind == LVL_PART_OTHER)
        return lvl_text_equal(*(const lvl_text *)x, *(const lvl_text *)y);
    if (a->kind == LVL_PART_BEGIN || a->kind == LVL_PART_END)
        return true;
    if (a->kind == LVL_PART_ROW && rows_of(w, a->rule))
        return lvl_record_equal(x, y, lvl_rule_form_of(&w->forms, a->rule)->list->table);
    return plain_rule(w, a->rule) == plain_rule(w, b->rule) &&
           lvl_line_equal(&lvl_rule_form_of(&w->forms, a->rule)->line, x, y);
}

static bool same_body(writer *w, const pairing *p, const lvl_text_part *a, const lvl_text_part *b)
{
    const void *x = lvl_rule_record(&w->forms, p->a.root, a), *y = lvl_rule_record(&w->forms, p->b.root, b);
    const lvl_rule_form *form = lvl_rule_form_of(&w->forms, a->rule);
    const lvl_line_form *body = &form->body;
    const unsigned count = body->count;

    for (unsigned i = 0; i < count; i++) {
        const lvl_table one = {.fields = body->member[i].field, .field_count = 1};
        if (!lvl_record_equal(x, y, &one))
            return false;
    }
    return a->rule == b->rule;
}

static bool same_part(writer *w, const pairing *p, uint32_t a, uint32_t b)
{
    const lvl_text_part *x = &p->a.parts[a], *y = &p->b.parts[b];

    return same_head(w, p, x, y) && same_body(w, p, x, y);
}

/* Parts of one key are paired: rules that share a list have the same. */
static uint32_t key_of(writer *w, const lvl_text_part *part)
{
    const lvl_rule *rules = w->grammar->rules;
    uint32_t rule = plain_rule(w, part->rule);

    for (uint32_t k = 0; k < rule && rules[rule].kind == LVL_RULE_ITEM; k++) {
        if (rules[k].kind == LVL_RULE_ITEM && rules[k].list == rules[rule].list)
            rule = k;
    }
    return rule * LVL_PART_KINDS + part->kind;
}

static uint32_t gather(writer *w, const text *t, uint32_t key, uint32_t *out)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < t->count; i++) {
        if (key_of(w, &t->parts[i]) == key && !t->parts[i].twice)
            out[count++] = i;
    }
    return count;
}

/* Equal parts at the start and at the end are the same ones; those between them are, in their order. The end
 * of the rows is the last one, where the source has several blocks of them. */
static void pair_key(writer *w, pairing *p, uint32_t key)
{
    const uint32_t n = gather(w, &p->a, key, p->key_a), m = gather(w, &p->b, key, p->key_b);
    const uint32_t least = n < m ? n : m;
    uint32_t front = 0, back = 0;

    const bool from_back = key % LVL_PART_KINDS == LVL_PART_END;
    while (front < least && (n == m || (!from_back && same_part(w, p, p->key_a[front], p->key_b[front]))))
        front++;
    while (back < least - front && same_part(w, p, p->key_a[n - 1 - back], p->key_b[m - 1 - back]))
        back++;
    for (uint32_t i = 0; i < least; i++) {
        const bool at_end = i >= least - back;
        const uint32_t a = p->key_a[at_end ? n - least + i : i], b = p->key_b[at_end ? m - least + i : i];
        p->of_a[a] = b;
        p->of_b[b] = a;
    }
}

/* The row of a part that is a line of a grid; NULL: the grid's number is too large to be written. */
static grid_row *row_of(writer *w, const pairing *p, const text *t, const lvl_text_part *part)
{
    const lvl_line_grid *grid = w->grammar->grid;
    const lvl_field *list = lvl_rule_form_of(&w->forms, part->rule)->list;
    const uint64_t number = (uint64_t)lvl_get_int(lvl_rule_record(&w->forms, t->root, part),
                                                  lvl_table_at(list->table, grid->number));

    return number < LVL_GRIDS ? &p->rows[number * grid->side + part->row] : NULL;
}

/* The lines of a row stand for each other, however many there are. */
static void pair_rows(writer *w, pairing *p)
{
    const size_t count = (size_t)LVL_GRIDS * w->grammar->grid->side;

    p->rows = lvl_arena_array(&w->arena, count, sizeof *p->rows);
    if (!p->rows) {
        fail(w, LVL_ERR_MEMORY);
        return;
    }
    memset(p->rows, 0xFF, count * sizeof *p->rows);
    for (uint32_t i = 0; i < p->a.count; i++) {
        grid_row *row = p->a.parts[i].kind == LVL_PART_GRID ? row_of(w, p, &p->a, &p->a.parts[i]) : NULL;
        if (!row)
            continue;
        row->a = row->a == NONE ? i : row->a;
        row->a_last = i;
    }
    for (uint32_t i = 0; i < p->b.count; i++) {
        grid_row *row = p->b.parts[i].kind == LVL_PART_GRID ? row_of(w, p, &p->b, &p->b.parts[i]) : NULL;
        if (!row || row->a == NONE)
            continue;
        row->b = row->b == NONE ? i : row->b;
        row->b_last = i;
        p->of_b[i] = row->a;
        for (uint32_t k = row->a; k <= row->a_last; k++)
            p->of_a[k] = row->b;
    }
}

/* The parts of a source, in which each line of a grid is a part. */
static void take_source(writer *w, const lvl_text_parts *parts, lvl_text file, text *out)
{
    const lvl_lines_text lines = {file.ptr, file.ptr + file.len, lvl_lines_are_crlf(file)};
    size_t count = 0;

    for (uint32_t i = 0; i < parts->count; i++)
        count += parts->items[i].kind == LVL_PART_GRID ? parts->items[i].rows : 1;
    lvl_text_part *items = lvl_arena_array(&w->arena, count + 1, sizeof *items);
    *out = (text){.parts = items, .ptr = file.ptr, .len = file.len};
    if (!items) {
        fail(w, LVL_ERR_MEMORY);
        return;
    }
    for (uint32_t i = 0; i < parts->count; i++) {
        const lvl_text_part *part = &parts->items[i];
        items[out->count++] = *part;
        if (part->kind != LVL_PART_GRID)
            continue;
        items[out->count - 1] = lvl_grid_part_line(&lines, part, NULL);
        for (uint32_t k = 1; k < part->rows; k++, out->count++)
            items[out->count] = lvl_grid_part_line(&lines, part, &items[out->count - 1]);
    }
}

static bool open_pairing(writer *w, const lvl_doc *source, lvl_text file, pairing *p)
{
    const lvl_text_parts *parts = source->state;

    put_usual(w);
    take_source(w, parts, file, &p->b);
    p->b.root = source->root;
    const uint32_t n = w->parts.count, m = p->b.count;

    p->a = (text){w->root, w->parts.items, n, (const char *)w->usual.data, w->usual.len};
    p->of_a = lvl_arena_array(&w->arena, (size_t)n + 1, sizeof *p->of_a);
    p->of_b = lvl_arena_array(&w->arena, (size_t)m + 1, sizeof *p->of_b);
    p->key_a = lvl_arena_array(&w->arena, (size_t)n + 1, sizeof *p->key_a);
    p->key_b = lvl_arena_array(&w->arena, (size_t)m + 1, sizeof *p->key_b);
    if (!p->of_a || !p->of_b || !p->b.parts || !p->key_a || !p->key_b) {
        fail(w, LVL_ERR_MEMORY);
        return false;
    }
    memset(p->has, 0, sizeof p->has);
    for (uint32_t i = 0; i < n; i++)
        p->has[w->parts.items[i].rule] = true;
    memset(p->of_a, 0xFF, ((size_t)n + 1) * sizeof *p->of_a);
    memset(p->of_b, 0xFF, ((size_t)m + 1) * sizeof *p->of_b);
    for (uint32_t k = 0; k < w->grammar->rule_count; k++) {
        static const uint8_t kinds[] = {[LVL_RULE_FIRST] = 1 << LVL_PART_BLOCK,
                                        [LVL_RULE_SINGLE] = 1 << LVL_PART_BLOCK,
                                        [LVL_RULE_ITEM] = 1 << LVL_PART_BLOCK,
                                        [LVL_RULE_ROWS] =
                                            1 << LVL_PART_BEGIN | 1 << LVL_PART_ROW | 1 << LVL_PART_END,
                                        [LVL_RULE_OTHER] = 1 << LVL_PART_OTHER};
        for (uint32_t kind = 0; kind < LVL_PART_KINDS; kind++) {
            if (kinds[w->grammar->rules[k].kind] & 1 << kind)
                pair_key(w, p, k * LVL_PART_KINDS + kind);
        }
    }
    if (w->grammar->grid)
        pair_rows(w, p);
    return w->status == LVL_OK;
}

/* Appends lines; the last one ends. */
static void put(writer *w, const text *t, size_t from, size_t to, lvl_buffer *out)
{
    lvl_buffer_add(out, t->ptr + from, to - from);
    if (to > from && t->ptr[to - 1] != '\n')
        end_line(w, out);
}

static bool is_blank(const text *t, size_t from, size_t to)
{
    for (; from < to; from++) {
        if (!memchr(" \t\r\n", t->ptr[from], 4))
            return false;
    }
    return true;
}

/* Whether a line begins or ends a further block of rows, of which some are left. */
static bool is_further(const pairing *p, const lvl_text_part *old)
{
    return (old->kind == LVL_PART_BEGIN || old->kind == LVL_PART_END) && p->has[old->rule];
}

/* Whether lines that are missing are written, too. */
static bool is_root_anew(const writer *w)
{
    bool any = false;

    for (size_t i = 0; i < w->anew_count; i++)
        any |= !w->anew[i].depth;
    return any;
}

/* Whether the item of a part is to be written anew. */
static bool is_anew(writer *w, const lvl_text_part *part)
{
    const lvl_where where = lvl_rule_where(&w->forms, part);

    for (size_t i = 0; i < w->anew_count; i++) {
        const lvl_where *place = &w->anew[i];
        if (where.depth ? place->depth && place->steps[0].field == where.steps[0].field &&
                              place->steps[0].index == where.steps[0].index
                        : !place->depth && w->grammar->rules[part->rule].kind == LVL_RULE_SINGLE)
            return true;
    }
    return false;
}

/* Whether a part that nothing stands for says nothing, before and now, so that it stays: a line whose members
 * have their defaults or that a later line replaces, a block without rows. */
static bool says_nothing(writer *w, const pairing *p, const lvl_text_part *old)
{
    const lvl_rule *rule = &w->grammar->rules[old->rule];
    const lvl_field *list = lvl_rule_form_of(&w->forms, old->rule)->list;

    if (old->kind == LVL_PART_BEGIN || old->kind == LVL_PART_END)
        return !lvl_list_count(w->root, list) && !lvl_list_count(p->b.root, list);
    if (old->twice) /* repair drops a block that nothing reads, with the errors in it */
        return p->has[old->rule] && !(rule->end && is_anew(w, old));
    return rule->kind == LVL_RULE_SINGLE && old->closed && same_head(w, p, old, old) &&
           same_body(w, p, old, old);
}

static bool same_row(writer *w, const pairing *p, const lvl_text_part *a, const lvl_text_part *b)
{
    const lvl_line_grid *grid = w->grammar->grid;
    const lvl_cells x = lvl_grid_cells(grid, lvl_rule_record(&w->forms, p->a.root, a)),
                    y = lvl_grid_cells(grid, lvl_rule_record(&w->forms, p->b.root, b));

    if (x.width != grid->side)
        return false;
    for (uint32_t i = 0; i < grid->side; i++) {
        if (lvl_cell(&x, i, a->row) != lvl_cell(&y, i, b->row))
            return false;
    }
    return true;
}

/* A line of a grid: copied if its whole row is the same, else the lines of the row are written once. */
static void put_row(writer *w, const pairing *p, uint32_t a, uint32_t b, lvl_buffer *out)
{
    const lvl_text_part *new = &p->a.parts[a], *old = &p->b.parts[b];
    const grid_row *row = row_of(w, p, &p->b, old);

    if (same_row(w, p, new, old) && !is_anew(w, new)) {
        put(w, &p->b, old->head, old->end, out);
        return;
    }
    if (old->more)
        fail(w, LVL_ERR_LOSS); /* the further text of the line */
    for (uint32_t i = row->a; b == row->b && i <= row->a_last; i++)
        put(w, &p->a, p->a.parts[i].head, p->a.parts[i].end, out);
}

/* A first line, or a row, that is not as the source has it; `old`: the part that it is spelled like, or
 * NULL. */
static void put_changed(writer *w, const pairing *p, const lvl_text_part *new, const lvl_text_part *old,
                        lvl_buffer *out)
{
    const lvl_text now = {p->a.ptr + new->head, new->body - new->head};
    lvl_buffer was = {0};

    if (!w->patch || !old || old->misread || key_of(w, old) != key_of(w, new)) {
        lvl_buffer_add(out, now.ptr, now.len);
        return;
    }
    put_head(w, p->b.root, old, &was);
    fail(w, was.status);
    if (w->status == LVL_OK)
        lvl_words_patch((lvl_text){p->b.ptr + old->head, old->body - old->head},
                        (lvl_text){(const char *)was.data, was.len}, now, out);
    if (out->status == LVL_OK && out->len && out->data[out->len - 1] != '\n')
        end_line(w, out);
    lvl_buffer_free(&was);
}

/* A part that the source has; `a`: what became of it, or NONE. */
static void put_known(writer *w, const pairing *p, uint32_t a, uint32_t b, lvl_buffer *out)
{
    const lvl_text_part *new = a == NONE ? NULL : &p->a.parts[a], *old = &p->b.parts[b];
    const bool last = b + 1 == p->b.count && a + 1 == p->a.count;

    if (new &&new->kind == LVL_PART_GRID) {
        put_row(w, p, a, b, out);
        return;
    }
    const bool anew = new &&is_anew(w, new);
    if (new && !anew && same_head(w, p, new, old))
        put(w, &p->b, old->head, old->body, out);
    else if (new && old->more)
        fail(w, LVL_ERR_LOSS); /* the further words of the line */
    else if (new)
        put_changed(w, p, new, anew ? NULL : old, out);
    if (!new && (is_further(p, old) || says_nothing(w, p, old)))
        put(w, &p->b, old->head, old->end, out);
    if (!new || new->body == new->end)
        return;
    if ((!anew || old->further) && same_body(w, p, new, old))
        put(w, &p->b, old->body, old->close, out);
    else if (old->further)
        fail(w, LVL_ERR_LOSS); /* the further lines */
    else
        put(w, &p->a, new->body, new->close, out);
    if (old->closed || (last && !anew))
        put(w, &p->b, old->close, old->end, out);
    else
        put(w, &p->a, new->close, new->end, out);
}

/* Whether a part that the source lacks is written: not a line that the source does without. */
static bool is_new(writer *w, const pairing *p, uint32_t a)
{
    const lvl_text_part *part = &p->a.parts[a];
    const lvl_rule *rule = &w->grammar->rules[part->rule];

    if (part->kind == LVL_PART_END) {
        for (uint32_t i = a; i-- > 0;) {
            if (p->a.parts[i].kind == LVL_PART_BEGIN)
                return p->of_a[i] == NONE && count_of(w, part->rule);
        }
    }
    if (part->kind == LVL_PART_BEGIN)
        return count_of(w, part->rule) != 0;
    return part->kind != LVL_PART_BLOCK || rule->kind == LVL_RULE_ITEM || !(rule->flags & LVL_RULE_ALWAYS) ||
           is_root_anew(w);
}

/* Whether lines of a rule are usually written in columns, as not all files have them. */
static bool has_columns(writer *w, uint32_t rule)
{
    const lvl_line_form *line = &lvl_rule_form_of(&w->forms, rule)->line;
    bool any = rows_of(w, rule) != NULL;

    for (unsigned i = 0; i < line->count; i++)
        any |= line->member[i].columns != 0;
    return any;
}

/* New parts that begin the section of part `n`, which the source has: they go behind the blank lines in front
 * of it, so that it does not matter which part of a section comes first. Returns the first of them, or n. */
static uint32_t first_of_section(const writer *w, const pairing *p, uint32_t n)
{
    const lvl_text_part *part = &p->a.parts[n], *old = &p->b.parts[p->of_a[n]];
    const unsigned section = part->kind == LVL_PART_BLOCK ? section_of(w, part) : 0;
    uint32_t first = n;

    if (!section || old->lead == old->head || !is_blank(&p->b, old->lead, old->head))
        return n;
    while (first && p->of_a[first - 1] == NONE && section_of(w, &p->a.parts[first - 1]) == section)
        first--;
    if (first && section_of(w, &p->a.parts[first - 1]) == section)
        return n; /* behind a part of the section */
    uint32_t before = first;
    while (before && p->of_a[before - 1] == NONE)
        before--;
    /* what stands in front of the new parts stands in front of `n` in the source */
    const uint32_t at = before ? p->of_a[before - 1] + 1 : 0;
    return at == p->of_a[n] ? first : n;
}

/* New parts from number `from` up to `to`, spelled like part `like` of the source if it is of their kind. */
static void put_new_parts(writer *w, const pairing *p, uint32_t from, uint32_t to, const lvl_text_part *like,
                          bool set_apart, lvl_buffer *out)
{
    for (uint32_t i = from; i < to; i++) {
        const lvl_text_part *part = &p->a.parts[i];
        if (!is_new(w, p, i))
            continue;
        const bool alike = like && like->kind == part->kind && like->rule == part->rule;
        if (set_apart && alike && like > p->b.parts && like[-1].kind != LVL_PART_BEGIN &&
            is_blank(&p->b, like->lead, like->head))
            put(w, &p->b, like->lead, like->head, out);
        else if (set_apart)
            put(w, &p->a, part->lead, part->head, out);
        put_changed(w, p, part, like && has_columns(w, part->rule) ? like : NULL, out);
        put(w, &p->a, part->body, part->end, out);
    }
}

/* New parts behind part `a` (NONE: at the start), set apart as the source sets apart others of their kind. */
static void put_new(writer *w, const pairing *p, uint32_t a, lvl_buffer *out)
{
    const uint32_t from = a == NONE ? 0 : a + 1;
    uint32_t to = from;

    while (to < p->a.count && p->of_a[to] == NONE)
        to++;
    if (to < p->a.count)
        to = first_of_section(w, p, to);
    put_new_parts(w, p, from, to, a == NONE ? NULL : &p->b.parts[p->of_a[a]], true, out);
}

/* Whether new rows behind part `a` go to the end of their block, whose line is known. */
static bool rows_wait(const writer *w, const pairing *p, uint32_t a)
{
    uint32_t i = a + 1;

    if (p->a.parts[a].kind == LVL_PART_ROW && rows_of(w, p->a.parts[a].rule))
        return false;

    while (i < p->a.count && p->of_a[i] == NONE && p->a.parts[i].kind == LVL_PART_ROW)
        i++;
    return i < p->a.count && p->of_a[i] != NONE && p->a.parts[i].kind == LVL_PART_END;
}

/* Bytes of the byte order mark in front. */
static size_t mark_of(lvl_text file)
{
    return file.len - lvl_lines_of_file((lvl_bytes){(const uint8_t *)file.ptr, file.len}).len;
}

/* Whether the line that ends a block of rows is missing behind a part of the source. */
static bool is_end_missing(const writer *w, const pairing *p, uint32_t b)
{
    const lvl_text_part *part = &p->b.parts[b], *next = b + 1 < p->b.count ? part + 1 : NULL;

    return (part->kind == LVL_PART_BEGIN || part->kind == LVL_PART_ROW) &&
           w->grammar->rules[part->rule].end &&
           !(next && next->rule == part->rule && (next->kind == LVL_PART_ROW || next->kind == LVL_PART_END));
}

static void put_end(writer *w, const char *word, lvl_buffer *out)
{
    lvl_buffer_str(out, word);
    end_line(w, out);
}

static void put_sourced(writer *w, const pairing *p, lvl_buffer *out)
{
    const size_t start = out->len;
    const size_t mark = mark_of((lvl_text){p->b.ptr, p->b.len});
    const bool missing = is_root_anew(w);
    const char *open = NULL; /* the line that ends a block is still to be written */
    size_t after = mark;

    lvl_buffer_add(out, p->b.ptr, mark);
    if (p->a.count && p->of_a[0] == NONE)
        put_new(w, p, NONE, out);
    for (uint32_t b = 0; b < p->b.count && out->status == LVL_OK; b++) {
        const lvl_text_part *part = &p->b.parts[b];
        uint32_t a = p->of_b[b];
        const size_t lead = part->lead > mark ? part->lead : mark;
        after = part->end;
        if (a != NONE || is_further(p, part) || says_nothing(w, p, part) ||
            !is_blank(&p->b, lead, part->head))
            put(w, &p->b, lead, part->head, out);
        if (open)
            put_end(w, open, out);
        if (a != NONE && part->kind == LVL_PART_BLOCK)
            put_new_parts(w, p, first_of_section(w, p, a), a, part, false, out);
        uint32_t row = a;
        while (part->kind == LVL_PART_END && row != NONE && row && p->of_a[row - 1] == NONE)
            row--;
        if (row != a && row && rows_wait(w, p, row - 1))
            put_new(w, p, row - 1, out);
        put_known(w, p, a, b, out);
        if (a != NONE && part->kind == LVL_PART_GRID) {
            const grid_row *cells = row_of(w, p, &p->b, part);
            a = cells->b_last == b ? cells->a_last : NONE;
        }
        if (a != NONE && !rows_wait(w, p, a))
            put_new(w, p, a, out);
        open = missing && is_end_missing(w, p, b) ? w->grammar->rules[part->rule].end : NULL;
    }
    put(w, &p->b, after, p->b.len, out);
    if (open)
        put_end(w, open, out);
    /* the last line has no end where that of the source has none */
    const size_t end = w->crlf ? 2 : 1;
    if (!w->anew_count && p->b.len && p->b.ptr[p->b.len - 1] != '\n' && out->status == LVL_OK &&
        out->len >= start + end)
        out->len -= end;
}

static lvl_text source_of(const writer *w)
{
    lvl_text file;

    memcpy(&file, (const uint8_t *)w->doc->root + w->grammar->source, sizeof file);
    return file;
}

/* Writes with the source. False: without it. */
static bool write_sourced(writer *w, lvl_buffer *out)
{
    const size_t start = out->len;
    const lvl_text file = source_of(w);
    lvl_doc *source = NULL;
    pairing p;

    if (!file.len || w->status != LVL_OK)
        return false;
    lvl_status status = read_again(w, file, &source);
    bool done = status == LVL_OK && !w->anew_count && same_root(w, source);
    if (status == LVL_ERR_MEMORY || status == LVL_ERR_STOPPED)
        fail(w, status);
    if (done) {
        lvl_buffer_add(out, file.ptr, file.len);
    } else if (status == LVL_OK && source->state &&
               ((const lvl_text_parts *)source->state)->grammar == w->grammar &&
               open_pairing(w, source, file, &p)) {
        for (int pass = 0; pass < 2 && !done && w->status == LVL_OK; pass++) {
            out->len = start;
            w->patch = pass == 0;
            put_sourced(w, &p, out);
            fail(w, out->status);
            done = w->status == LVL_OK && holds(w, out, start);
        }
        for (uint32_t i = 0; i < p.b.count && !done; i++) {
            if (p.b.parts[i].more || p.b.parts[i].further)
                fail(w, LVL_ERR_LOSS);
        }
    }
    if (!done && out->status == LVL_OK)
        out->len = start;
    lvl_doc_free(source);
    return done;
}

/* ---- the document -------------------------------------------------------------------------------- */

lvl_status lvl_grammar_write(const lvl_doc *doc, lvl_buffer *out)
{
    return lvl_grammar_rewrite(doc, NULL, 0, out);
}

lvl_status lvl_grammar_rewrite(const lvl_doc *doc, const lvl_where *places, size_t count, lvl_buffer *out)
{
    const size_t start = out->len;
    writer w;

    if (!doc->format->calls->grammar(doc))
        return LVL_ERR_LOSS;
    open_writer(&w, doc);
    w.anew = places;
    w.anew_count = count;
    if (!write_sourced(&w, out) && w.status == LVL_OK) {
        const lvl_text file = source_of(&w);
        put_usual(&w);
        lvl_buffer_add(out, file.ptr, mark_of(file));
        lvl_buffer_add(out, w.usual.data, w.usual.len);
        fail(&w, out->status);
        if (w.status == LVL_OK && !holds(&w, out, start))
            fail(&w, LVL_ERR_LOSS);
    }
    if (w.status != LVL_OK && out->status == LVL_OK)
        out->len = start;
    close_writer(&w);
    return w.status;
}

static lvl_status is_usual(const lvl_doc *doc, bool *out, lvl_text *file)
{
    writer w;

    open_writer(&w, doc);
    *file = source_of(&w);
    put_usual(&w);
    *out = w.status == LVL_OK && w.usual.len == file->len && file->len &&
           memcmp(w.usual.data, file->ptr, file->len) == 0;
    close_writer(&w);
    return w.status;
}

lvl_status lvl_grammar_can_regenerate(const lvl_doc *doc, const lvl_field *field, bool *out)
{
    lvl_text file;

    (void)field;
    return is_usual(doc, out, &file);
}

lvl_status lvl_grammar_kept(const lvl_doc *doc, uint64_t *bytes)
{
    bool usual = false;
    lvl_text file;

    const lvl_status status = is_usual(doc, &usual, &file);
    *bytes = usual ? 0 : file.len;
    return status == LVL_ERR_LOSS ? LVL_OK : status; /* a document that can't be written: all of it is kept */
}

/* ---- what can't be written ----------------------------------------------------------------------- */

/* A member without which its line is no line, or one that has several lines where there is room for one. */
static const lvl_field *unfit_member(const lvl_line_form *form, const void *record)
{
    for (unsigned i = 0; i < form->count; i++) {
        const lvl_member *m = &form->member[i];
        if (m->field->kind != LVL_TEXT)
            continue;
        const lvl_text value = lvl_get_text(record, m->field);
        if ((!value.len && !m->optional && m->form != LVL_WORD_DASH && m->form != LVL_WORD_REST) ||
            (value.len && memchr(value.ptr, '\n', value.len)))
            return m->field;
    }
    return NULL;
}

/* The first member of a part that another record, as it would be read, does not have; NULL: not known. */
static const lvl_field *changed_member(writer *w, const lvl_text_part *part, const void *other)
{
    const void *record = lvl_rule_record(&w->forms, w->root, part);
    const lvl_rule_form *form = lvl_rule_form_of(&w->forms, part->rule);
    const lvl_line_form *line = &form->line;
    const lvl_field *unfit = unfit_member(line, record);

    for (unsigned i = 0; !unfit && other && i < line->count + form->body.count; i++) {
        const lvl_field *field =
            i < line->count ? line->member[i].field : form->body.member[i - line->count].field;
        const lvl_table one = {.fields = field, .field_count = 1};
        if (!lvl_record_equal(record, other, &one))
            unfit = field;
    }
    return unfit;
}

/* Whether a part by itself is read as what it is; `*member`: the one that is not. */
static bool part_holds(writer *w, const lvl_text_part *part, lvl_buffer *room, const lvl_field **member)
{
    const lvl_rule *rule = &w->grammar->rules[part->rule], *first = &w->grammar->rules[0];
    const bool row = part->kind == LVL_PART_ROW && rule->word;
    lvl_text_part alone = *part;
    lvl_doc *again = NULL;
    bool same = false;

    room->len = 0;
    alone.index = 0;
    if (first->kind == LVL_RULE_FIRST) {
        lvl_buffer_str(room, first->word);
        end_line(w, room);
    }
    if (row) {
        lvl_buffer_str(room, rule->word);
        end_line(w, room);
    }
    lvl_buffer_add(room, w->usual.data + part->head, part->end - part->head);
    if (row) {
        lvl_buffer_str(room, rule->end);
        end_line(w, room);
    }
    fail(w, room->status);
    if (w->status == LVL_OK)
        fail(w, read_again(w, (lvl_text){(const char *)room->data, room->len}, &again));
    if (w->status == LVL_OK) {
        const lvl_text_parts *parts = again->state;
        const pairing p = {.a.root = w->root, .b.root = again->root};
        const uint32_t at = (first->kind == LVL_RULE_FIRST ? 1U : 0U) + row;
        same = parts && parts->count == at + 1 + row && parts->items[at].kind == part->kind &&
               parts->items[at].rule == part->rule && same_head(w, &p, part, &alone) &&
               same_body(w, &p, part, &alone);
        const bool like = parts && parts->count > at && parts->items[at].kind == part->kind &&
                          parts->items[at].rule == part->rule;
        if (!same)
            *member = changed_member(w, part, like ? lvl_rule_record(&w->forms, again->root, &alone) : NULL);
    }
    lvl_doc_free(again);
    return same;
}

/* The first member, or item of a list, that the usual text is not read as; the root: none is known. */
static lvl_where where_different(writer *w)
{
    const lvl_text usual = {(const char *)w->usual.data, w->usual.len};
    lvl_where where = lvl_where_root();
    lvl_doc *again = NULL;

    if (w->status == LVL_OK && read_again(w, usual, &again) == LVL_OK) {
        for (uint32_t i = 0; i < w->forms.table->field_count && !where.depth; i++) {
            const lvl_field *f = &w->forms.table->fields[i];
            const lvl_table one = {.fields = f, .field_count = 1};
            if (f->role == LVL_KEPT || lvl_record_equal(w->root, again->root, &one))
                continue;
            uint32_t at = 0;
            const bool items = f->kind == LVL_LIST && f->item == LVL_RECORD;
            const uint32_t n = items ? lvl_list_count(w->root, f) : 0,
                           m = items ? lvl_list_count(again->root, f) : 0;
            while (
                at < n && at < m &&
                lvl_record_equal(lvl_list_item(w->root, f, at), lvl_list_item(again->root, f, at), f->table))
                at++;
            where = lvl_where_to(where, f, at < n ? at : LVL_NO_INDEX);
        }
    }
    lvl_doc_free(again);
    return where;
}

lvl_status lvl_grammar_check_writable(const lvl_doc *doc, lvl_findings *findings)
{
    const lvl_grammar *grammar = doc->format->calls->grammar(doc);
    const lvl_finding_def *def = grammar->findings[LVL_LINE_UNWRITABLE];
    lvl_buffer room = {0};
    bool any = false;
    writer w;

    open_writer(&w, doc);
    put_usual(&w);
    for (uint32_t i = 0; i < w.parts.count && w.status == LVL_OK; i++) {
        const lvl_text_part *part = &w.parts.items[i];
        const bool content =
            (part->kind == LVL_PART_ROW && !rows_of(&w, part->rule)) || part->kind == LVL_PART_OTHER ||
            (part->kind == LVL_PART_BLOCK && grammar->rules[part->rule].kind != LVL_RULE_FIRST);
        const lvl_field *member = NULL;
        if (!content || part_holds(&w, part, &room, &member))
            continue;
        lvl_where where = lvl_rule_where(&w.forms, part);
        if (member)
            where = lvl_where_to(where, member, LVL_NO_INDEX);
        any = true;
        if (def)
            lvl_findings_add(
                findings, def, &where, NULL,
                "expected a value that a line can hold: the file would be read as something else");
    }
    if (!any && w.status == LVL_OK && !holds(&w, &w.usual, 0)) {
        const lvl_where where = where_different(&w);
        any = true;
        if (def)
            lvl_findings_add(findings, def, where.depth ? &where : NULL, NULL,
                             "the lines of this document would be read as something else");
    }
    room.len = 0;
    if (!any && w.status == LVL_OK && !write_sourced(&w, &room) && w.status == LVL_ERR_LOSS) {
        w.status = LVL_OK;
        any = true;
        if (def)
            lvl_findings_add(findings, def, NULL, NULL,
                             "a line that changes has further text, which would be lost: remove that text "
                             "in a text editor first");
    }
    lvl_buffer_free(&room);
    close_writer(&w);
    return w.status != LVL_OK ? w.status : any ? LVL_ERR_LOSS : LVL_OK;
}

/* ---- what no member holds ------------------------------------------------------------------------ */

/* Whether the first line of a file has more than its word. */
static bool is_longer(const lvl_rule *rule, lvl_text line)
{
    const char *end = rule->kind == LVL_RULE_FIRST ? memchr(line.ptr, '\n', line.len) : NULL;

    line.len = end ? (size_t)(end - line.ptr) : line.len;
    return rule->kind == LVL_RULE_FIRST && lvl_text_trim(line).len > strlen(rule->word);
}

static void visit_between(const text *t, size_t from, size_t to, const lvl_where *where, lvl_unread_fn visit,
                          void *user)
{
    if (!is_blank(t, from, to))
        visit(user, (lvl_text){t->ptr + from, to - from}, false, where);
}

lvl_status lvl_grammar_unread(const lvl_doc *doc, lvl_unread_fn visit, void *user)
{
    const lvl_where root = lvl_where_root();
    lvl_doc *source = NULL;
    size_t after = 0;
    writer w;

    open_writer(&w, doc);
    const lvl_text file = source_of(&w);
    if (w.status == LVL_OK && file.len)
        fail(&w, read_again(&w, file, &source));
    /* after an edit of what decides the grammar, the source's is another one */
    const lvl_text_parts *parts = w.status == LVL_OK && source ? source->state : NULL;
    const lvl_grammar *of_source = parts ? parts->grammar : w.grammar;
    lvl_rule_forms forms;
    lvl_rule_forms_init(&forms, of_source, doc->format->table);
    const text t = {.ptr = file.ptr, .len = file.len};
    for (uint32_t i = 0; parts && i < parts->count; i++) {
        const lvl_text_part *part = &parts->items[i];
        const lvl_where where = lvl_rule_where(&forms, part);
        visit_between(&t, part->lead, part->head, &where, visit, user);
        const lvl_text lines = {file.ptr + part->head, part->end - part->head};
        const bool replaced = part->twice && part->kind == LVL_PART_BLOCK;
        if (replaced || part->more || part->further || part->misread ||
            is_longer(&of_source->rules[part->rule], lines))
            visit(user, lines, true, &where);
        after = part->end;
    }
    if (parts)
        visit_between(&t, after, file.len, &root, visit, user);
    lvl_doc_free(source);
    close_writer(&w);
    return w.status;
}
