/*
 * tools/paths/condition.c: whether the conditions of a bound path hold for an item of a list.
 */
#include "base/buffer.h"
#include "base/format.h"
#include "base/text.h"
#include "tools/paths/meaning.h"
#include "tools/paths/path.h"

#include <string.h>

static bool holds_order(lvl_compare compare, int order)
{
    switch (compare) {
    case LVL_IS: return order == 0;
    case LVL_IS_NOT: return order != 0;
    case LVL_LESS: return order < 0;
    case LVL_MORE: return order > 0;
    case LVL_AT_MOST: return order <= 0;
    case LVL_AT_LEAST: return order >= 0;
    case LVL_HAS: return false;
    }
    return false;
}

/* NaN is different from every number, itself included. */
static bool real_holds(const lvl_condition *c, double v)
{
    if (v < c->real || v > c->real || v == c->real)
        return holds_order(c->compare, (v > c->real) - (v < c->real));
    return c->compare == LVL_IS_NOT;
}

static bool has_part(lvl_text text, lvl_text part)
{
    if (!part.len)
        return true;
    for (size_t i = 0; i + part.len <= text.len; i++) {
        lvl_text at = {text.ptr + i, part.len};
        if (lvl_text_equal_nocase(at, part))
            return true;
    }
    return false;
}

static bool text_holds(const lvl_condition *c, lvl_text text)
{
    const lvl_text wanted = lvl_buffer_text(&c->text);

    return c->compare == LVL_HAS ? has_part(text, wanted)
                                 : holds_order(c->compare, lvl_text_compare(text, wanted));
}

static bool record_holds(const lvl_condition *c, const void *item)
{
    const void *record = (const uint8_t *)item + c->offset;

    if (!lvl_field_present(record, c->field))
        return false;
    if (c->field->kind == LVL_TEXT)
        return text_holds(c, lvl_get_text(record, c->field));
    if (c->field->kind == LVL_REAL)
        return real_holds(c, lvl_get_real(record, c->field));
    int64_t v = lvl_get_int(record, c->field);
    if (c->compare == LVL_HAS)
        return (v & c->number) == c->number;
    return holds_order(c->compare, (v > c->number) - (v < c->number));
}

/* ---- by the game's book ------------------------------------------------------------------------------ */

/* A member of a thing, as a condition compares it. */
typedef struct value {
    lvl_text text;
    int64_t number; /* of a picture: the item that it shows */
    bool is_text;
} value;

static value value_of(const lvl_book_item *item, const lvl_book_use *use, const lvl_book_field *field)
{
    value v = {.is_text = field->type == LVL_BOOK_TEXT && !use->pictured};

    if (field->type == LVL_BOOK_TEXT)
        memcpy(&v.text, (const uint8_t *)item->record + field->offset, sizeof v.text);
    v.number = use->pictured ? lvl_book_pictured(item->book, v.text) : lvl_book_number(field, item->record);
    return v;
}

/* `compare`: of the condition, or its opposite. */
static bool value_holds(const lvl_condition *c, lvl_compare compare, const lvl_book *book,
                        const lvl_book_use *use, const value *v)
{
    lvl_condition as = *c;

    as.compare = compare;
    return v->is_text ? text_holds(&as, v->text)
           : c->named ? lvl_meaning_is(book, use, v->number, c->value)
                      : holds_order(compare, (v->number > c->number) - (v->number < c->number));
}

/* Whether a member with that meaning meets the condition: one of them, and != if none has the value. Of
 * several, an item has nothing (0) if all of them are 0. */
static bool uses_hold(const lvl_condition *c, const lvl_book_item *item)
{
    const lvl_meaning_scope scope = {item->book, c->word, c->field ? c->offset + c->field->offset : 0};
    const lvl_compare compare = c->compare == LVL_IS_NOT ? LVL_IS : c->compare;
    const bool nothing = c->named ? lvl_text_is(c->value, "nothing") : compare == LVL_IS && c->number == 0;
    const lvl_book_use *use;
    bool any = false, other = false;

    for (uint32_t i = 0; item->thing && (use = lvl_book_use_at(item->book, item->thing, i)); i++) {
        if (!lvl_meaning_covers(&scope, use) || !lvl_book_applies(item->book, use, item->record))
            continue;
        for (uint32_t k = 0; k < use->count; k++) {
            const lvl_book_field *f = &item->book->fields[use->first + k];
            if (!c->word && f->offset != scope.offset)
                continue;
            const value v = value_of(item, use, f);
            any = any || value_holds(c, compare, item->book, use, &v);
            other = other || (!v.is_text && v.number != 0);
        }
    }
    return (any && !(nothing && other)) != (c->compare == LVL_IS_NOT);
}

static bool meaning_holds(const lvl_condition *c, const void *record)
{
    lvl_book_item item;

    if (!c->doc->format->calls->describe(c->doc, c->table, record, &item))
        return false;
    if (c->word == LVL_WORD_KIND)
        return (item.kind == c->number) == (c->compare == LVL_IS);
    return uses_hold(c, &item);
}

/* For an item of a list: a record, or a text. */
static bool condition_holds(const lvl_condition *c, const void *item)
{
    if (LVL_MEANING && (c->word || c->named))
        return meaning_holds(c, item);
    return c->field ? record_holds(c, item) : text_holds(c, *(const lvl_text *)item);
}

bool lvl_condition_holds(const lvl_path *path, uint32_t at, const void *item)
{
    const lvl_condition *c = &path->conditions[at];
    bool good = !c->group ? condition_holds(c, item) : !c->any;

    for (uint32_t i = at + 1; i < c->end && good != c->any; i = path->conditions[i].end)
        good = lvl_condition_holds(path, i, item);
    return good != c->negated;
}
