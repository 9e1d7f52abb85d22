/*
 * games/condition.c: see condition.h.
 */
#include "games/condition.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 0xFFF0 }; /* limit of every table: their counts have 16 bits */

typedef struct reader {
    lvl_conditions *c;
    const lvl_table *table;
    lvl_text text;
    size_t at;
    size_t first; /* field of the use that is read */
    lvl_condition_error *error;
    lvl_status status;
} reader;

static void fail(reader *r, size_t offset, const char *expected)
{
    if (r->status != LVL_OK)
        return;
    *r->error = (lvl_condition_error){offset, expected};
    r->status = LVL_ERR_FORMAT;
}

static void skip_blanks(reader *r)
{
    while (r->at < r->text.len && r->text.ptr[r->at] == ' ')
        r->at++;
}

static bool take(reader *r, const char *word)
{
    const size_t len = strlen(word);

    skip_blanks(r);
    if (r->text.len - r->at < len || memcmp(r->text.ptr + r->at, word, len) != 0)
        return false;
    r->at += len;
    return true;
}

static bool is_name(char c)
{
    return lvl_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}

static lvl_text take_name(reader *r)
{
    skip_blanks(r);
    const size_t from = r->at;

    while (r->at < r->text.len && is_name(r->text.ptr[r->at]))
        r->at++;
    return (lvl_text){r->text.ptr + from, r->at - from};
}

/* Grows a table by one item. */
static bool grows(reader *r, void *list, size_t *cap, size_t count, size_t size)
{
    if (r->status != LVL_OK)
        return false;
    if (count >= MOST)
        r->status = LVL_ERR_LIMIT;
    else if (!lvl_grow(list, cap, count + 1, size))
        r->status = LVL_ERR_MEMORY;
    return r->status == LVL_OK;
}

static void add_field(reader *r, lvl_book_field field)
{
    lvl_conditions *c = r->c;

    if (grows(r, &c->fields, &c->field_cap, c->field_count, sizeof *c->fields))
        c->fields[c->field_count++] = field;
}

static bool ends_with(lvl_text text, const char *end)
{
    const size_t len = strlen(end);

    return text.len >= len && memcmp(text.ptr + text.len - len, end, len) == 0;
}

/* Whether a place of that name is measured from the top, as scripts/games has it; without a name that says
 * so, x and y take turns. */
static bool is_vertical(const reader *r, lvl_text name)
{
    if (ends_with(name, "top") || ends_with(name, "bottom") || ends_with(name, "_y"))
        return true;
    if (ends_with(name, "left") || ends_with(name, "right") || ends_with(name, "_x"))
        return false;
    return (r->c->field_count - r->first) % 2 == 1;
}

/* A member, or one of a record in it ("user_rect1.left"). */
static void add_member(reader *r, lvl_text name, size_t at)
{
    const lvl_table *table = r->table;
    const bool vertical = is_vertical(r, name);
    const lvl_field *f = NULL;
    size_t offset = 0;

    while (name.len && table) {
        const char *dot = memchr(name.ptr, '.', name.len);
        const lvl_text part = {name.ptr, dot ? (size_t)(dot - name.ptr) : name.len};
        f = NULL;
        for (uint32_t i = 0; i < table->field_count && !f; i++)
            f = lvl_text_is(part, table->fields[i].name) ? &table->fields[i] : NULL;
        if (!f)
            break;
        offset += f->offset;
        name.ptr += part.len + (dot != NULL);
        name.len -= part.len + (dot != NULL);
        table = dot && f->kind == LVL_RECORD ? f->table : NULL;
    }
    const bool whole = f && !name.len;
    uint8_t type = LVL_BOOK_OTHER;
    if (whole && f->kind == LVL_TEXT && !(f->flags & LVL_F_SLOT))
        type = LVL_BOOK_TEXT;
    else if (whole && f->kind == LVL_REAL)
        type = LVL_BOOK_REAL;
    else if (whole && f->kind == LVL_INT && f->size == sizeof(int32_t))
        type = f->flags & LVL_F_SIGNED ? LVL_BOOK_INT32 : LVL_BOOK_UINT32;
    if (type == LVL_BOOK_OTHER || offset > UINT16_MAX)
        fail(r, at, "a field of these things that is a number of 32 bits or a text");
    else
        add_field(r, (lvl_book_field){.offset = (uint16_t)offset, .type = type, .vertical = vertical});
}

/* FIELD, or all sides of a box: "rect.*". */
static void take_field(reader *r)
{
    static const char *const sides[] = {"left", "top", "right", "bottom"};
    char side[80];

    skip_blanks(r);
    const size_t at = r->at;
    const lvl_text name = take_name(r);
    if (!name.len || name.ptr[name.len - 1] != '.' || r->at >= r->text.len || r->text.ptr[r->at] != '*') {
        add_member(r, name, at);
        return;
    }
    r->at++;
    for (int i = 0; i < 4 && name.len < 64; i++) {
        memcpy(side, name.ptr, name.len);
        memcpy(side + name.len, sides[i], strlen(sides[i]) + 1);
        add_member(r, lvl_text_of(side), at);
    }
    if (name.len >= 64)
        fail(r, at, "the name of a field");
}

/* FIELD|FIELD */
static void take_fields(reader *r)
{
    do
        take_field(r);
    while (r->status == LVL_OK && take(r, "|"));
}

static bool take_number(reader *r, int32_t *out)
{
    skip_blanks(r);
    const bool negative = r->at < r->text.len && r->text.ptr[r->at] == '-';
    size_t at = r->at + negative;
    int64_t n = 0;

    while (at < r->text.len && lvl_is_digit(r->text.ptr[at]) && n <= INT32_MAX)
        n = n * 10 + (r->text.ptr[at++] - '0');
    if (at == r->at + negative || n > INT32_MAX)
        return false;
    r->at = at;
    *out = (int32_t)(negative ? -n : n);
    return true;
}

static void add_range(reader *r, int32_t least, int32_t most)
{
    lvl_conditions *c = r->c;

    if (!grows(r, &c->values, &c->value_cap, c->value_count + 1, sizeof *c->values))
        return;
    c->values[c->value_count++] = least;
    c->values[c->value_count++] = most;
}

/* VALUE|LEAST..MOST|..MOST, by an operator. */
static void take_values(reader *r, const char *op, lvl_book_test *test)
{
    test->first_value = (uint16_t)r->c->value_count;
    test->op = strcmp(op, "!=") == 0 ? LVL_TEST_NOT_IN : LVL_TEST_IN;
    do {
        int32_t least = INT32_MIN, most = INT32_MAX;
        skip_blanks(r);
        const size_t at = r->at;
        const bool from = take_number(r, &least);
        const bool range = take(r, "..");
        const bool to = range && take_number(r, &most);
        if (!from && !to) {
            fail(r, at, "a number, a range as 1..9, a text in quotation marks, or after > a field");
            return;
        }
        if (!range)
            most = least;
        if (op[0] != '=' && op[0] != '!' && range)
            fail(r, at, "one number");
        if (op[0] == '<') {
            most = op[1] ? least : least == INT32_MIN ? least : least - 1;
            least = INT32_MIN;
        } else if (op[0] == '>') {
            least = op[1] ? least : least == INT32_MAX ? least : least + 1;
            most = INT32_MAX;
        }
        add_range(r, least, most);
        test->value_count++;
    } while (r->status == LVL_OK && take(r, "|"));
}

/* "TEXT"|"TEXT" */
static void take_texts(reader *r, const char *op, lvl_book_test *test)
{
    lvl_conditions *c = r->c;

    test->first_value = (uint16_t)c->text_count;
    test->op = strcmp(op, "!=") == 0 ? LVL_TEST_NO_TEXT : LVL_TEST_TEXT;
    if (op[0] != '=' && op[0] != '!')
        fail(r, r->at, "= or != before a text");
    do {
        if (!take(r, "\"")) {
            fail(r, r->at, "a text in quotation marks");
            return;
        }
        const char *from = r->text.ptr + r->at;
        const char *end = memchr(from, '"', r->text.len - r->at);
        if (!end) {
            fail(r, r->at - 1, "a quotation mark at the end of the text");
            return;
        }
        char *copy = lvl_arena_raw(c->arena, (size_t)(end - from) + 1);
        if (!copy)
            r->status = LVL_ERR_MEMORY;
        if (!copy || !grows(r, &c->texts, &c->text_cap, c->text_count, sizeof *c->texts))
            return;
        memcpy(copy, from, (size_t)(end - from));
        copy[end - from] = 0;
        c->texts[c->text_count++] = copy;
        r->at += (size_t)(end - from) + 1;
        test->value_count++;
    } while (r->status == LVL_OK && take(r, "|"));
}

/* @item or @base, which stand for fields. */
static bool take_special(reader *r, lvl_book_test *test, bool *base)
{
    skip_blanks(r);
    const size_t at = r->at;

    if (!take(r, "@"))
        return false;
    const lvl_text name = take_name(r);
    *base = lvl_text_is(name, "base");
    test->first = LVL_TEST_ITEMS;
    if (!*base && !lvl_text_is(name, "item"))
        fail(r, at, "a field, @item or @base");
    else if (test->all)
        fail(r, at, "fields after `all'");
    return true;
}

static void take_test(reader *r)
{
    static const char *const ops[] = {"!=", "<=", ">=", "=", "<", ">"};
    lvl_conditions *c = r->c;
    lvl_book_test test = {.all = take(r, "all ")};
    const char *op = NULL;
    bool base = false;

    const size_t first = c->field_count;
    if (!take_special(r, &test, &base)) {
        take_fields(r);
        test.first = (uint16_t)first;
        test.count = (uint16_t)(c->field_count - first);
    }
    for (size_t i = 0; i < sizeof ops / sizeof *ops && !op && r->status == LVL_OK; i++)
        op = take(r, ops[i]) ? ops[i] : NULL;
    if (!op) {
        fail(r, r->at, "=, !=, <, <=, > or >=");
        return;
    }
    if (base && op[0] == '!')
        fail(r, r->at - 2, "=, <, <=, > or >= after @base");
    skip_blanks(r);
    const char next = r->at < r->text.len ? r->text.ptr[r->at] : 0;
    const bool texts = test.count && c->fields[first].type == LVL_BOOK_TEXT;
    for (size_t i = first; i < c->field_count; i++) {
        if ((c->fields[i].type == LVL_BOOK_TEXT) != (next == '"'))
            fail(r, r->at, texts ? "a text in quotation marks" : "a number");
    }
    if (test.first == LVL_TEST_ITEMS) {
        take_values(r, op, &test);
        test.op = base ? LVL_TEST_BASE : test.op;
    } else if (next == '"') {
        take_texts(r, op, &test);
    } else if (is_name(next) && !lvl_is_digit(next) && next != '.') {
        const size_t other = c->field_count, at = r->at;
        if (strcmp(op, ">") != 0)
            fail(r, at, "> before the name of a field");
        add_member(r, take_name(r), at);
        test.op = LVL_TEST_MORE;
        test.first_value = (uint16_t)other;
        test.value_count = 1;
    } else {
        take_values(r, op, &test);
    }
    if (grows(r, &c->tests, &c->test_cap, c->test_count, sizeof *c->tests))
        c->tests[c->test_count++] = test;
}

lvl_status lvl_condition_read(lvl_conditions *c, const lvl_table *table, lvl_text text, bool or_next,
                              lvl_condition_error *error)
{
    reader r = {.c = c, .table = table, .text = text, .error = error, .status = LVL_OK};
    const size_t first = c->test_count;

    do
        take_test(&r);
    while (r.status == LVL_OK && take(&r, ","));
    skip_blanks(&r);
    if (r.at < text.len)
        fail(&r, r.at, "a comma and another test, or the end");
    if (grows(&r, &c->items, &c->cap, c->count, sizeof *c->items))
        c->items[c->count++] =
            (lvl_book_condition){(uint16_t)first, (uint16_t)(c->test_count - first), or_next};
    return lvl_arena_status(c->arena, r.status);
}

lvl_status lvl_condition_fields(lvl_conditions *c, const lvl_table *table, lvl_text text, size_t first,
                                lvl_condition_error *error)
{
    reader r = {.c = c, .table = table, .text = text, .first = first, .error = error, .status = LVL_OK};

    for (skip_blanks(&r); r.at < text.len && r.status == LVL_OK; skip_blanks(&r))
        take_field(&r);
    return r.status;
}

lvl_status lvl_condition_field(lvl_conditions *c, lvl_book_field field)
{
    reader r = {.c = c, .status = LVL_OK};

    add_field(&r, field);
    return r.status;
}

void lvl_conditions_use(const lvl_conditions *c, lvl_book *book)
{
    book->fields = c->fields;
    book->tests = c->tests;
    book->conditions = c->items;
    book->values = c->values;
    book->texts = c->texts;
}

void lvl_conditions_free(lvl_conditions *c)
{
    free(c->fields);
    free(c->tests);
    free(c->items);
    free(c->values);
    free((void *)c->texts);
    *c = (lvl_conditions){0};
}
