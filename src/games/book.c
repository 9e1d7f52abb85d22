/*
 * games/book.c: see book.h.
 */
#include "games/book.h"

#include "base/format.h"
#include "base/search.h"
#include "base/text.h"

#include <string.h>

/* ---- things -------------------------------------------------------------------------------------------- */

const lvl_book_thing *lvl_book_find(const lvl_book *book, lvl_text name)
{
    size_t at;

    LVL_LOWER_BOUND(at, book->thing_count, lvl_text_compare(lvl_text_of(book->things[at].name), name) < 0);
    return at < book->thing_count && lvl_text_compare(lvl_text_of(book->things[at].name), name) == 0
               ? &book->things[at]
               : NULL;
}

const lvl_book_thing *lvl_book_near(const lvl_book *book, lvl_text name)
{
    const lvl_book_thing *best = NULL;
    unsigned most = 4;

    /* the most frequent mistake is a trailing blank */
    while (name.len && name.ptr[name.len - 1] == ' ')
        name.len--;
    while (name.len && name.ptr[0] == ' ') {
        name.ptr++;
        name.len--;
    }
    if (name.len < 2 || name.len > 64)
        return NULL;
    /* if more than a third of the letters differ, it is another word */
    if ((name.len + 2) / 3 < most)
        most = (unsigned)(name.len + 2) / 3;
    for (uint32_t i = 0; i < book->thing_count; i++) {
        const lvl_book_thing *t = &book->things[i];
        if (t->kind == LVL_KIND_ENGINE)
            continue;
        const unsigned d = lvl_text_distance(name, lvl_text_of(t->name), most);
        if (d < most || (d == most && !best)) {
            most = d;
            best = t;
        }
    }
    /* the beginning of a name, such as "Health" */
    for (uint32_t i = 0; !best && name.len >= 4 && i < book->thing_count; i++) {
        const lvl_book_thing *t = &book->things[i];
        if (t->kind != LVL_KIND_ENGINE && strlen(t->name) > name.len &&
            memcmp(t->name, name.ptr, name.len) == 0)
            best = t;
    }
    return best;
}

/* A picture's name without its first part ("GAME_"), which differs in levels with pictures of their own. */
static lvl_text after_prefix(lvl_text picture)
{
    const char *part = picture.len ? memchr(picture.ptr, '_', picture.len) : NULL;
    const size_t from = part ? (size_t)(part - picture.ptr) + 1 : 0;

    return (lvl_text){picture.ptr + from, picture.len - from};
}

lvl_text lvl_book_usual_thing(const lvl_book *book, lvl_text picture)
{
    for (uint32_t i = 0; i < book->usual_count; i++) {
        if (lvl_text_begins_nocase(picture, book->usual[i].start))
            return lvl_text_of(book->usual[i].thing);
    }
    const lvl_text name = after_prefix(picture);
    for (uint32_t i = 0; i < book->thing_count; i++) {
        const lvl_book_thing *t = &book->things[i];
        if (t->kind != LVL_KIND_ENGINE && lvl_text_equal_nocase(name, lvl_text_of(t->name)))
            return lvl_text_of(t->name);
    }
    return (lvl_text){"", 0};
}

/* ---- what its numbers mean ----------------------------------------------------------------------------- */

const lvl_book_use *lvl_book_use_at(const lvl_book *book, const lvl_book_thing *thing, uint32_t index)
{
    const lvl_book_thing *t = thing ? thing : &book->other;

    return index < t->use_count ? &book->uses[book->thing_uses[t->first_use + index]] : NULL;
}

int64_t lvl_book_number(const lvl_book_field *field, const void *record)
{
    const uint8_t *at = (const uint8_t *)record + field->offset;
    int32_t number;
    uint32_t count;
    double real;

    switch ((lvl_book_type)field->type) {
    case LVL_BOOK_INT32: memcpy(&number, at, sizeof number); return number;
    case LVL_BOOK_UINT32: memcpy(&count, at, sizeof count); return count;
    case LVL_BOOK_REAL:
        memcpy(&real, at, sizeof real);
        return real > -1e15 && real < 1e15 ? (int64_t)real : 0;
    default: return 0;
    }
}

const char *const lvl_book_kinds[LVL_KIND_COUNT] = {
    "unknown", "enemy",      "boss", "pickup",  "container", "platform", "hazard", "warp",
    "sound",   "checkpoint", "exit", "scenery", "puzzle",    "unit",     "script", "engine",
};

const lvl_book_use *lvl_book_use_of(const lvl_book_item *item, size_t offset)
{
    const lvl_book_use *use;

    for (uint32_t i = 0; item->thing && (use = lvl_book_use_at(item->book, item->thing, i)); i++) {
        for (uint32_t k = 0; k < use->count; k++) {
            if (item->book->fields[use->first + k].offset == offset &&
                lvl_book_applies(item->book, use, item->record))
                return use;
        }
    }
    return NULL;
}

lvl_use lvl_book_key(const lvl_doc *doc, const lvl_table *table, const void *record, const lvl_field *f)
{
    const lvl_format_calls *calls = doc->format->calls;
    lvl_book_item item;

    if (f->kind != LVL_TEXT || !calls->file_places)
        return LVL_USE_NONE;
    if (!calls->describe)
        return f->use > LVL_USE_FILES && !(f->flags & LVL_F_FILE) ? (lvl_use)f->use : LVL_USE_NONE;
    const lvl_book_use *use =
        calls->describe(doc, table, record, &item) ? lvl_book_use_of(&item, f->offset) : NULL;
    return use ? (lvl_use)use->file : LVL_USE_NONE;
}

const lvl_name *lvl_book_names_of(const lvl_book_item *item, size_t offset)
{
    const lvl_book_use *use = lvl_book_use_of(item, offset);

    return use && use->names ? item->book->value_names[use->names - 1] : NULL;
}

const lvl_book_group *lvl_book_group_of(const lvl_book *book, int64_t item)
{
    for (uint32_t i = 0; i < book->group_count; i++) {
        const lvl_book_group *g = &book->groups[i];
        for (uint32_t k = 0; k < g->value_count; k++) {
            const int32_t *range = &book->values[g->first_value + 2 * k];
            if (item >= range[0] && item <= range[1])
                return g;
        }
    }
    return NULL;
}

int32_t lvl_book_pictured(const lvl_book *book, lvl_text picture)
{
    const lvl_text shown = after_prefix(picture);

    for (uint32_t i = 0; i < book->picture_count; i++) {
        if (lvl_text_equal_nocase(shown, after_prefix(lvl_text_of(book->pictures[i].name))))
            return book->pictures[i].item;
    }
    return 0;
}

/* A record whose conditions are evaluated. */
typedef struct subject {
    const lvl_book *book;
    const lvl_book_thing *thing; /* or NULL */
    uint32_t base;
    const void *record;
} subject;

static bool is_in(const subject *s, const lvl_book_test *test, int64_t value)
{
    for (uint32_t i = 0; i < test->value_count; i++) {
        const int32_t *range = &s->book->values[test->first_value + 2 * i];
        if (value >= range[0] && value <= range[1])
            return true;
    }
    return false;
}

static bool is_text(const subject *s, const lvl_book_test *test, const lvl_book_field *field)
{
    lvl_text text = {"", 0};

    if (field->type == LVL_BOOK_TEXT)
        memcpy(&text, (const uint8_t *)s->record + field->offset, sizeof text);
    for (uint32_t i = 0; i < test->value_count; i++) {
        if (lvl_text_equal_nocase(text, lvl_text_of(s->book->texts[test->first_value + i])))
            return true;
    }
    return false;
}

static bool holds_for(const subject *s, const lvl_book_test *test, const lvl_book_field *field)
{
    switch ((lvl_book_op)test->op) {
    case LVL_TEST_IN: return is_in(s, test, lvl_book_number(field, s->record));
    case LVL_TEST_NOT_IN: return !is_in(s, test, lvl_book_number(field, s->record));
    case LVL_TEST_MORE:
        return lvl_book_number(field, s->record) >
               lvl_book_number(&s->book->fields[test->first_value], s->record);
    case LVL_TEST_TEXT: return is_text(s, test, field);
    case LVL_TEST_NO_TEXT: return !is_text(s, test, field);
    case LVL_TEST_BASE: break;
    }
    return is_in(s, test, s->base);
}

/* Whether a test holds for one of the fields that hold items of the thing, and that the game reads. */
static bool items_hold(const subject *s, const lvl_book_test *test)
{
    const lvl_book_use *use;

    for (uint32_t i = 0; (use = lvl_book_use_at(s->book, s->thing, i)); i++) {
        for (uint32_t k = 0; use->names == 1 && !use->unread && k < use->count; k++) {
            if (holds_for(s, test, &s->book->fields[use->first + k]))
                return true;
        }
    }
    return false;
}

static bool test_holds(const subject *s, const lvl_book_test *test)
{
    if (test->op == LVL_TEST_BASE)
        return holds_for(s, test, NULL);
    if (test->first == LVL_TEST_ITEMS)
        return items_hold(s, test);
    for (uint32_t i = 0; i < test->count; i++) {
        const bool holds = holds_for(s, test, &s->book->fields[test->first + i]);
        if (holds != test->all)
            return holds;
    }
    return test->all;
}

static bool condition_holds(const subject *s, uint32_t number)
{
    for (const lvl_book_condition *c = &s->book->conditions[number - 1];; c++) {
        bool all = true;
        for (uint32_t i = 0; i < c->count && all; i++)
            all = test_holds(s, &s->book->tests[c->first + i]);
        if (all || !c->or_next)
            return all;
    }
}

bool lvl_book_applies(const lvl_book *book, const lvl_book_use *use, const void *record)
{
    const subject s = {.book = book, .record = record};

    return !use->condition || condition_holds(&s, use->condition);
}

bool lvl_book_holds(const lvl_book *book, const lvl_book_rule *rule, const lvl_book_thing *thing,
                    uint32_t base, const void *record)
{
    const subject s = {book, thing, base, record};

    return rule->condition && condition_holds(&s, rule->condition);
}

bool lvl_book_concerns(const lvl_book *book, const lvl_book_thing *thing, const lvl_finding_def *rule)
{
    for (uint32_t i = 0; thing && i < thing->rule_count; i++) {
        if (&book->rules[book->thing_rules[thing->first_rule + i]].def == rule)
            return true;
    }
    return false;
}

const lvl_finding_def *lvl_book_rule_def(const lvl_book *book, const char *id)
{
    uint32_t i = 0;

    while (i + 1 < book->rule_count && strcmp(book->rules[i].def.id, id) != 0)
        i++;
    return &book->rules[i].def;
}

/* ---- places -------------------------------------------------------------------------------------------- */

/* Whether number `index` of a use is set. */
static bool is_set(const lvl_book_use *use, const int64_t *values, uint32_t index)
{
    const uint32_t pair = index & ~1u;

    switch ((lvl_book_zero)use->zero) {
    case LVL_ZERO_EACH: return values[index] != 0;
    case LVL_ZERO_PAIRS: return values[pair] != 0 || values[pair + 1] != 0;
    case LVL_ZERO_GROUP:
        for (uint32_t i = 0; i < use->count; i++) {
            if (values[i] != 0)
                return true;
        }
        return false;
    case LVL_ZERO_BOTH:
        for (uint32_t i = 0; i < use->count; i++) {
            if (values[i] <= 0)
                return false;
        }
        return true;
    case LVL_ZERO_ALWAYS: break;
    }
    return true;
}

static void read_numbers(const lvl_book *book, const lvl_book_use *use, const void *record,
                         int64_t values[LVL_MAP_PLACES + 1])
{
    memset(values, 0, (LVL_MAP_PLACES + 1) * sizeof *values);
    for (uint32_t i = 0; i < use->count; i++)
        values[i] = lvl_book_number(&book->fields[use->first + i], record);
}

/* A number of a position as px, from the left or the top. */
static int32_t px_of(const lvl_book *book, const lvl_book_use *use, int64_t value, bool vertical)
{
    const int64_t tile = book->tile;

    if (use->moves == LVL_MOVES_ADDRESS)
        value = vertical ? value & 0xFF : value >> 8;
    if (use->moves != LVL_MOVES_PX)
        value = value * tile + tile / 2;
    return value < INT32_MIN ? INT32_MIN : value > INT32_MAX ? INT32_MAX : (int32_t)value;
}

uint32_t lvl_book_points(const lvl_book *book, const lvl_book_use *use, const void *record,
                         lvl_book_point out[LVL_MAP_PLACES])
{
    const bool keys = use->moves == LVL_MOVES_ADDRESS;
    int64_t values[LVL_MAP_PLACES + 1];
    uint32_t count = 0;

    read_numbers(book, use, record, values);
    for (uint32_t i = 0; i < use->count; i += keys ? 1 : 2) {
        if (is_set(use, values, i))
            out[count++] = (lvl_book_point){px_of(book, use, values[i], false),
                                            px_of(book, use, values[keys ? i : i + 1], true)};
        else if (use->shape == LVL_SHAPE_PATH)
            break;
    }
    return count;
}

/* Whether a member is among places: two uses may name it, and it moves once. */
static bool is_place(const lvl_map_place *places, uint32_t count, const lvl_book_field *f)
{
    for (uint32_t i = 0; i < count; i++) {
        if (places[i].offset == f->offset)
            return true;
    }
    return false;
}

static uint32_t add_places(const lvl_book *book, const lvl_book_use *use, const void *record,
                           lvl_map_place out[LVL_MAP_PLACES], uint32_t count)
{
    int64_t values[LVL_MAP_PLACES + 1];

    read_numbers(book, use, record, values);
    for (uint32_t i = 0; i < use->count && count < LVL_MAP_PLACES; i++) {
        const lvl_book_field *f = &book->fields[use->first + i];
        if (is_set(use, values, i) && !is_place(out, count, f))
            out[count++] = (lvl_map_place){.offset = f->offset,
                                           .unit = use->moves == LVL_MOVES_PX ? 1 : book->tile,
                                           .axis = use->moves == LVL_MOVES_ADDRESS ? LVL_MAP_ADDRESS
                                                   : f->vertical                   ? LVL_MAP_Y
                                                                                   : LVL_MAP_X,
                                           .follows = use->follows,
                                           .zero_is_unset = use->zero == LVL_ZERO_EACH};
    }
    return count;
}

uint32_t lvl_book_places(const lvl_book *book, const lvl_book_thing *thing, const void *record,
                         lvl_map_place out[LVL_MAP_PLACES])
{
    const lvl_book_use *use;
    uint32_t count = 0;

    for (uint32_t i = 0; (use = lvl_book_use_at(book, thing, i)); i++) {
        if (use->moves != LVL_MOVES_NOT && lvl_book_applies(book, use, record))
            count = add_places(book, use, record, out, count);
    }
    return count;
}
