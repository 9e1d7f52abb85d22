/*
 * tools/check/rules.c: see rules.h. Conditions about things are those of the game book, with its evaluator
 * (lvl_book_holds); what a path finds is found by the path language of `get`.
 */
#include "tools/check/rules.h"

#include "base/arena.h"
#include "base/search.h"
#include "base/text.h"
#include "base/work.h"
#include "codec/json.h"
#include "games/condition.h"
#include "games/own.h"
#include "tools/paths/objects.h"
#include "tools/paths/path.h"

#include <stdlib.h>
#include <string.h>

enum {
    NO_COUNT = -1,
    PATHS = 32,
    ALTERNATIVES = 32,
    TEXT = 1000,
    USES = 256, /* of all things: their numbers have 8 bits */
    THING_USES = 32,
    USE_FIELDS = 32
};

typedef struct rule {
    lvl_book_rule rule; /* its finding, and the condition */
    uint8_t *things; /* by thing: it is about that; NULL: the rule has paths */
    const char *paths[PATHS];
    uint32_t path_count;
    int64_t least, most; /* NO_COUNT: each that is found is a finding */
    bool set; /* what is found must have a value */
    uint64_t cost; /* of the condition, for a thing */
} rule;

struct lvl_rules {
    lvl_arena arena; /* texts, things and rules */
    const lvl_ctx *ctx;
    const char *name;
    const lvl_format *format;
    const lvl_table *record; /* of the things; NULL: none that rules are about */
    bool moves; /* numbers of the records may be places that move with the level */
    lvl_book book;
    lvl_own own; /* the same for what moves and draws */
    const lvl_book *game; /* or NULL */
    lvl_conditions conditions;
    lvl_book_thing *things; /* sorted */
    lvl_book_use uses[USES]; /* whose fields are in `conditions` */
    uint32_t most_items; /* fields with items that a thing has */
    rule *rules;
    uint32_t count;
};

/* ---- reading ------------------------------------------------------------------------------------------- */

typedef struct reader {
    lvl_rules *r;
    lvl_text json;
    yyjson_doc *tree;
    yyjson_val *parts; /* or NULL */
    uint8_t *thing_uses;
    size_t thing_use_count, thing_use_cap;
    lvl_findings *findings;
    lvl_status status;
} reader;

static bool is_ok(const reader *in)
{
    return in->status == LVL_OK;
}

/* Where a text of the tree begins in the file, which the tree has a copy of. */
static size_t place_of(const reader *in, yyjson_val *text)
{
    const char *at = yyjson_get_str(text);
    const char *from = in->tree ? in->tree->str_pool : NULL;

    return at && from && at >= from && at <= from + in->json.len ? (size_t)(at - from) : 0;
}

/* Reports what is wrong at an offset of the file. */
static void fail_at(reader *in, size_t offset, const char *fmt, ...) LVL_PRINTF(3, 4);
static void fail_at(reader *in, size_t offset, const char *fmt, ...)
{
    size_t line = 1, begin = 0;
    char text[400];
    va_list args;

    if (!is_ok(in))
        return;
    for (size_t i = 0; i < offset && i < in->json.len; i++) {
        if (in->json.ptr[i] == '\n') {
            line++;
            begin = i + 1;
        }
    }
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    lvl_fault_add(in->findings, LVL_FAULT_RULES_FILE, "%s:%zu:%zu: %s", in->r->name, line, offset - begin + 1,
                  text);
    in->status = LVL_ERR_FORMAT;
}

/* Of the member with that key. */
static void fail(reader *in, yyjson_val *key, const char *expected)
{
    char shown[80];

    fail_at(in, place_of(in, key), "%s: expected %s", lvl_show(shown, lvl_json_str(key)), expected);
}

static const char *copied(reader *in, lvl_text text)
{
    char *copy = is_ok(in) ? lvl_arena_raw(&in->r->arena, text.len + 1) : NULL;

    if (copy) {
        memcpy(copy, text.ptr, text.len);
        copy[text.len] = 0;
    } else if (is_ok(in)) {
        in->status = lvl_arena_status(&in->r->arena, LVL_ERR_MEMORY);
    }
    return copy;
}

/* The text of a member; NULL, which is reported, if it is none, or too long. */
static const char *text_of(reader *in, yyjson_val *key, yyjson_val *val)
{
    const lvl_text text = yyjson_is_str(val) ? lvl_json_str(val) : (lvl_text){0};

    if (!yyjson_is_str(val) || text.len > TEXT || (text.len && memchr(text.ptr, 0, text.len)))
        fail(in, key, "a text of at most 1000 characters");
    return copied(in, text);
}

/* Which keys a record may have: their place in `known`, or -1, which is reported. */
static int key_of(reader *in, yyjson_val *key, const char *const *known, uint32_t *seen)
{
    const lvl_text name = lvl_json_str(key);
    const char *near = NULL;
    unsigned best = lvl_typo_limit(name) + 1;
    char shown[80];

    for (int i = 0; known[i]; i++) {
        if (lvl_text_is(name, known[i])) {
            if (*seen & 1u << i)
                fail_at(in, place_of(in, key), "%s is given twice", known[i]);
            *seen |= 1u << i;
            return i;
        }
        const unsigned d = lvl_text_distance(name, lvl_text_of(known[i]), best);
        near = d < best ? known[i] : near;
        best = d < best ? d : best;
    }
    fail_at(in, place_of(in, key), "there is no key \"%s\" here%s%s%s", lvl_show(shown, name),
            near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    return -1;
}

/* ---- conditions ---------------------------------------------------------------------------------------- */

/* Reads a condition about things; *number gets its place in the book, and the result is its cost. `special`:
 * @item and @base are allowed. */
static uint64_t read_condition(reader *in, yyjson_val *key, yyjson_val *val, bool special, uint16_t *number)
{
    lvl_conditions *c = &in->r->conditions;
    const bool list = yyjson_is_arr(val);
    const size_t n = list ? yyjson_arr_size(val) : 1, before = c->test_count, values = c->value_count;
    lvl_condition_error error = {0};

    *number = (uint16_t)(c->count + 1);
    if (!n || n > ALTERNATIVES)
        fail(in, key, "a condition, or a list of up to 32");
    for (size_t i = 0; i < n && is_ok(in); i++) {
        yyjson_val *one = list ? yyjson_arr_get(val, i) : val;
        if (!yyjson_is_str(one) || yyjson_get_len(one) > TEXT) {
            fail(in, key, "a condition, as \"health > 100\"");
            break;
        }
        in->status = lvl_condition_read(c, in->r->record, lvl_json_str(one), i + 1 < n, &error);
        if (in->status == LVL_ERR_FORMAT) {
            in->status = LVL_OK;
            fail_at(in, place_of(in, one) + error.offset, "expected %s", error.expected);
        }
    }
    uint64_t cost = 4 * (uint64_t)(c->test_count - before) + (c->value_count - values);
    for (size_t i = before; i < c->test_count && is_ok(in); i++) {
        const lvl_book_test *test = &c->tests[i];
        const bool items = test->first == LVL_TEST_ITEMS && test->op != LVL_TEST_BASE;
        if (!special && test->first == LVL_TEST_ITEMS)
            fail(in, key, "fields: @item and @base are for rules");
        else if (items && !in->r->most_items)
            fail(in, key, "no @item: no thing has a use with the value item; name such fields in \"uses\"");
        else if (test->op == LVL_TEST_BASE && !in->r->game)
            fail(in, key, "\"game\" before @base, the number of the base level");
        if (items)
            cost += (uint64_t)in->r->most_items * test->value_count;
    }
    return cost;
}

/* ---- uses ---------------------------------------------------------------------------------------------- */

/* Whether a text is one of these words. */
static void take_word(reader *in, yyjson_val *key, yyjson_val *val, const char *const *words)
{
    char list[200] = "one of:";
    bool found = false;

    for (size_t len = strlen(list); *words; words++, len = strlen(list)) {
        snprintf(list + len, sizeof list - len, " %s", *words);
        found = found || (yyjson_is_str(val) && lvl_text_is(lvl_json_str(val), *words));
    }
    if (!found)
        fail(in, key, list);
}

/* The fields of a use: their names, or an object of names and prose. */
static void take_use_fields(reader *in, yyjson_val *key, yyjson_val *val, lvl_book_use *use)
{
    lvl_conditions *c = &in->r->conditions;
    const size_t first = c->field_count, names = yyjson_is_obj(val) ? yyjson_obj_size(val) : 1;
    lvl_condition_error error = {0};
    yyjson_val *name = val, *prose;
    size_t i, n;

    if (!yyjson_is_obj(val) && (!yyjson_is_str(val) || yyjson_get_len(val) > TEXT))
        fail(in, key, "names of fields with blanks between them, or an object of names and what they mean");
    if (is_ok(in) && yyjson_is_str(val)) {
        in->status = lvl_condition_fields(c, in->r->record, lvl_json_str(val), first, &error);
    } else if (is_ok(in) && names <= USE_FIELDS) {
        yyjson_obj_foreach(val, i, n, name, prose)
        {
            if (!yyjson_is_str(prose))
                fail(in, name, "a text");
            if (is_ok(in))
                in->status = lvl_condition_fields(c, in->r->record, lvl_json_str(name), first, &error);
            if (!is_ok(in))
                break;
        }
    }
    if (in->status == LVL_ERR_FORMAT && error.expected) {
        in->status = LVL_OK;
        fail_at(in, place_of(in, name) + error.offset, "expected %s", error.expected);
    }
    if (names > USE_FIELDS || c->field_count - first > USE_FIELDS || c->field_count == first)
        fail(in, key, "1 to 32 fields");
    use->first = (uint16_t)first;
    use->count = (uint8_t)(c->field_count - first);
}

enum { USE_FIELDS_OF, USE_MOVES, USE_ZERO, USE_FOLLOWS, USE_SHAPE, USE_IF, USE_UNREAD, USE_VALUE };
static const char *const use_keys[] = {"fields", "moves", "zero", "follows", "shape",  "if",
                                       "unread", "value", "text", "word",    "when_0", "range",
                                       "note",   "sure",  "unit", NULL};
static const char *const moves_words[] = {"px", "tile", "address", "relative", NULL};
static const char *const zero_words[] = {"each", "group", "pairs", "both", "always", NULL};
static const char *const follows_words[] = {"thing", "place", "other", NULL};
static const char *const shape_words[] = {"patrol", "travel", "area", "point", "path", "address",
                                          "sides",  "reach",  "size", "steps", NULL};
/* The words that a member may have, by its key. */
static const char *const *const use_words[] = {NULL, moves_words, zero_words, follows_words, shape_words};

static bool is_moving(yyjson_val *moves)
{
    return moves && !yyjson_equals_str(moves, "relative");
}

/* The place of a word among those that a member may have; they are in the order of their enums. */
static uint8_t word_at(yyjson_val *member, const char *const *words)
{
    uint8_t i = 0;

    while (member && words[i] && !yyjson_equals_str(member, words[i]))
        i++;
    return i;
}

/* Sets how the fields of a use move and are drawn: what is not said is as in a use of {0}. */
static void take_places(reader *in, yyjson_val *const *keys, yyjson_val *const *members, lvl_book_use *use)
{
    static const uint8_t moves[] = {LVL_MOVES_PX, LVL_MOVES_TILE, LVL_MOVES_ADDRESS, LVL_MOVES_NOT};
    lvl_book_field *fields = in->r->conditions.fields + use->first;

    if (members[USE_MOVES])
        use->moves = moves[word_at(members[USE_MOVES], moves_words)];
    use->zero = members[USE_ZERO] ? word_at(members[USE_ZERO], zero_words) : LVL_ZERO_ALWAYS;
    use->follows = members[USE_FOLLOWS] ? word_at(members[USE_FOLLOWS], follows_words) : LVL_MAP_OF_THING;
    use->shape =
        members[USE_SHAPE] ? (uint8_t)(word_at(members[USE_SHAPE], shape_words) + 1) : LVL_SHAPE_NONE;
    use->unread = members[USE_UNREAD] != NULL;
    /* x, y, x, y, whatever the names */
    for (uint32_t i = 0; (use->shape == LVL_SHAPE_POINT || use->shape == LVL_SHAPE_PATH) && i < use->count;
         i++)
        fields[i].vertical = i % 2 == 1;
    if (use->moves != LVL_MOVES_NOT && !in->r->moves)
        fail(in, keys[USE_MOVES], "no \"moves\": nothing of a thing of this format moves but its place");
    if (!in->r->game &&
        (use->moves == LVL_MOVES_TILE || use->moves == LVL_MOVES_ADDRESS || use->shape == LVL_SHAPE_REACH))
        fail(in, keys[use->shape == LVL_SHAPE_REACH ? USE_SHAPE : USE_MOVES],
             "\"game\" before tiles, whose size depends on it");
    for (uint32_t i = 0; use->moves != LVL_MOVES_NOT && is_ok(in) && i < use->count; i++) {
        if (fields[i].type != LVL_BOOK_INT32 && fields[i].type != LVL_BOOK_UINT32)
            fail(in, keys[USE_MOVES], "numbers as fields that move");
    }
}

/* A use as in the book: what some fields mean. `check` goes by fields and items, what moves and draws by
 * moves, zero, follows, shape and if; the rest is only verified. */
static void take_use(reader *in, yyjson_val *at, yyjson_val *val, lvl_book_use *use)
{
    yyjson_val *key, *member, *members[USE_VALUE + 1] = {0}, *keys[USE_VALUE + 1] = {0};
    uint16_t condition = 0;
    uint32_t seen = 0;
    size_t i, n;

    if (!yyjson_is_obj(val)) {
        fail(in, at, "uses as {\"fields\": \"powerup\", \"value\": \"item\"}, or names of \"parts\"");
        return;
    }
    yyjson_obj_foreach(val, i, n, key, member)
    {
        const int k = key_of(in, key, use_keys, &seen);
        if (k >= 0 && k <= USE_VALUE) {
            members[k] = member;
            keys[k] = key;
        }
        if (k == USE_FIELDS_OF)
            take_use_fields(in, key, member, use);
        else if (k >= USE_MOVES && k <= USE_SHAPE)
            take_word(in, key, member, use_words[k]);
        else if (k == USE_IF)
            (void)read_condition(in, key, member, false, &condition);
        else if (k == USE_UNREAD && !yyjson_is_true(member))
            fail(in, key, "true");
        else if (k >= USE_VALUE && !yyjson_is_str(member))
            fail(in, key, "a text");
    }
    if (!members[USE_FIELDS_OF])
        fail(in, at, "uses with fields");
    if (is_ok(in) && is_moving(members[USE_MOVES]) && !members[USE_ZERO])
        fail(in, at, "uses whose fields move to have \"zero\": which numbers are not set");
    if (is_ok(in) && condition > UINT8_MAX)
        fail(in, keys[USE_IF], "at most 255 conditions of uses");
    if (!is_ok(in))
        return;
    use->condition = (uint8_t)condition;
    take_places(in, keys, members, use);
    if (is_ok(in) && members[USE_VALUE] && yyjson_equals_str(members[USE_VALUE], "item")) {
        use->names = 1;
        if (members[USE_IF])
            fail(in, at, "items without \"if\"");
    }
}

/* Adds a use, which is there in the file (NULL: of the game); the result is its number. */
static uint8_t add_use(reader *in, yyjson_val *at, const lvl_book_use *use)
{
    if (in->r->book.use_count == USES)
        fail_at(in, place_of(in, at),
                "a file has at most %d different uses, with those of the game; name in \"parts\" what "
                "several things have",
                USES);
    if (is_ok(in))
        in->r->uses[in->r->book.use_count++] = *use;
    return (uint8_t)(in->r->book.use_count - 1);
}

static void add_thing_use(reader *in, lvl_book_thing *to, uint8_t number)
{
    if (in->thing_use_count > UINT16_MAX)
        fail_at(in, 0, "the things have more than %d uses; at most so many are read", UINT16_MAX);
    if (is_ok(in) && !lvl_grow(&in->thing_uses, &in->thing_use_cap, in->thing_use_count + 1, 1))
        in->status = LVL_ERR_MEMORY;
    if (!is_ok(in))
        return;
    if (!to->use_count++)
        to->first_use = (uint16_t)in->thing_use_count;
    in->thing_uses[in->thing_use_count++] = number;
}

/* Parts come first: part n of the file is use n. */
static void read_parts(reader *in)
{
    yyjson_val *key, *val;
    size_t i, n;

    if (!in->parts)
        return;
    yyjson_obj_foreach(in->parts, i, n, key, val)
    {
        lvl_book_use use = {0};
        if (yyjson_obj_getn(in->parts, yyjson_get_str(key), yyjson_get_len(key)) != val)
            fail_at(in, place_of(in, key), "parts: a name is given twice");
        take_use(in, key, val, &use);
        (void)add_use(in, key, &use);
        if (!is_ok(in)) /* what follows looks at all parts */
            return;
    }
}

static void read_uses(reader *in, yyjson_val *key, yyjson_val *val, lvl_book_thing *to)
{
    char shown[80];
    size_t i, n;
    yyjson_val *one;

    if (!yyjson_is_arr(val) || yyjson_arr_size(val) > THING_USES) {
        fail(in, key, "a list of up to 32 uses");
        return;
    }
    yyjson_arr_foreach(val, i, n, one)
    {
        lvl_book_use use = {0};
        yyjson_val *part, *about;
        size_t k, parts, number = USES;
        if (yyjson_is_str(one) && in->parts) {
            yyjson_obj_foreach(in->parts, k, parts, part, about)
            {
                if (number == USES && lvl_text_equal(lvl_json_str(part), lvl_json_str(one)))
                    number = k;
            }
        }
        if (yyjson_is_str(one) && number == USES)
            fail_at(in, place_of(in, one), "there is no part \"%s\" in \"parts\"",
                    lvl_show(shown, lvl_json_str(one)));
        if (!yyjson_is_str(one)) {
            take_use(in, key, one, &use);
            number = add_use(in, key, &use);
        }
        add_thing_use(in, to, (uint8_t)number);
    }
}

/* ---- things -------------------------------------------------------------------------------------------- */

static int kind_of(lvl_text name)
{
    for (int i = 1; i < LVL_KIND_COUNT; i++) {
        if (lvl_text_is(name, lvl_book_kinds[i]))
            return i;
    }
    return -1;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const lvl_book_thing *)a)->name, ((const lvl_book_thing *)b)->name);
}

static void read_thing(reader *in, yyjson_val *key, yyjson_val *val, lvl_book_thing *out)
{
    enum { KIND, USES_OF_IT };
    static const char *const known[] = {"kind", "uses", "is", "note", NULL};
    yyjson_val *member, *given = NULL;
    uint32_t seen = 0;
    size_t i, n;

    out->name = copied(in, lvl_json_str(key));
    out->own = true;
    if (!yyjson_is_obj(val))
        fail(in, key, "a thing, as {\"kind\": \"enemy\"}");
    yyjson_val *name;
    yyjson_obj_foreach(val, i, n, name, member)
    {
        const int k = key_of(in, name, known, &seen);
        if (k == KIND)
            given = member;
        if (k == USES_OF_IT)
            read_uses(in, name, member, out);
        else if (k >= 0 && !yyjson_is_str(member))
            fail(in, name, "a text");
    }
    const int kind = given ? kind_of(lvl_json_str(given)) : -1;
    if (kind < 0)
        fail_at(in, place_of(in, given ? given : key),
                "expected a kind: enemy, boss, pickup, container, platform, hazard, warp, sound, checkpoint, "
                "exit, "
                "scenery, puzzle, unit, script");
    else
        out->kind = (uint8_t)kind;
}

/* Gives a thing of the game the fields that hold items, for @item; its other uses and its rules are in `lvl
 * check` already. `numbers`: by use of the game, its number here, from 1; 0: not yet. */
static void copy_items(reader *in, lvl_book_thing *to, uint16_t *numbers)
{
    const lvl_book *game = in->r->game;
    lvl_conditions *c = &in->r->conditions;
    const lvl_book_thing from = *to;

    to->use_count = to->rule_count = 0;
    for (uint32_t i = 0; i < from.use_count && is_ok(in); i++) {
        const uint8_t of_game = game->thing_uses[from.first_use + i];
        lvl_book_use use = game->uses[of_game];
        if (use.names != 1 || use.unread)
            continue;
        if (!numbers[of_game]) {
            const lvl_book_field *fields = &game->fields[use.first];
            use = (lvl_book_use){.first = (uint16_t)c->field_count, .count = use.count, .names = 1};
            for (uint32_t k = 0; k < use.count && is_ok(in); k++)
                in->status = lvl_condition_field(c, fields[k]);
            numbers[of_game] = (uint16_t)(add_use(in, NULL, &use) + 1);
        }
        add_thing_use(in, to, (uint8_t)(numbers[of_game] - 1));
    }
}

/* Where the file has a name of a thing that is there twice, or is one of the game's. */
static size_t place_of_second(const reader *in, yyjson_val *given, const char *name)
{
    const bool of_game = in->r->game && lvl_book_find(in->r->game, lvl_text_of(name));
    yyjson_val *key, *val, *at = NULL;
    bool first = !of_game;
    size_t i, n;

    yyjson_obj_foreach(given, i, n, key, val)
    {
        if (!at && lvl_text_is(lvl_json_str(key), name)) {
            at = first ? NULL : key;
            first = false;
        }
    }
    return place_of(in, at);
}

/* Counts the fields with items that a thing has at most. */
static void count_items(lvl_rules *r)
{
    for (uint32_t i = 0; i < r->book.thing_count; i++) {
        const lvl_book_use *use;
        uint32_t items = 0;
        for (uint32_t k = 0; (use = lvl_book_use_at(&r->book, &r->book.things[i], k)); k++)
            items += use->names ? use->count : 0;
        r->most_items = items > r->most_items ? items : r->most_items;
    }
}

/* The things of the game and those of the file, sorted. */
static void read_things(reader *in, yyjson_val *given)
{
    const uint32_t of_game = in->r->game ? in->r->game->thing_count : 0;
    const size_t own = given ? yyjson_obj_size(given) : 0;
    yyjson_val *key, *val;
    size_t i, n;

    if (own > LVL_RULES_THINGS - 1024 || of_game > 1024) {
        fail_at(in, 0, "%zu things; at most %d are read", own, LVL_RULES_THINGS - 1024);
        return;
    }
    lvl_book_thing *things = lvl_arena_array(&in->r->arena, of_game + own + 1, sizeof *things);
    if (!things) {
        in->status = lvl_arena_status(&in->r->arena, LVL_ERR_MEMORY);
        return;
    }
    if (of_game)
        memcpy(things, in->r->game->things, of_game * sizeof *things);
    uint16_t numbers[USES] = {0};
    read_parts(in);
    if (!is_ok(in))
        return;
    for (uint32_t k = 0; k < of_game; k++)
        copy_items(in, &things[k], numbers);
    uint32_t count = of_game;
    if (given)
        yyjson_obj_foreach(given, i, n, key, val) read_thing(in, key, val, &things[count++]);
    if (!is_ok(in))
        return;
    qsort(things, count, sizeof *things, by_name);
    for (uint32_t k = 1; k < count && is_ok(in); k++) {
        if (strcmp(things[k - 1].name, things[k].name) == 0)
            fail_at(in, place_of_second(in, given, things[k].name),
                    "things: \"%.60s\" is given twice, or is one of the game's", things[k].name);
    }
    uint8_t *uses = is_ok(in) ? lvl_arena_raw(&in->r->arena, in->thing_use_count + 1) : NULL;
    if (is_ok(in) && !uses)
        in->status = lvl_arena_status(&in->r->arena, LVL_ERR_MEMORY);
    if (!is_ok(in))
        return;
    if (in->thing_use_count)
        memcpy(uses, in->thing_uses, in->thing_use_count);
    in->r->things = things;
    in->r->book.things = things;
    in->r->book.thing_count = count;
    in->r->book.thing_uses = uses;
    in->r->book.uses = in->r->uses;
    count_items(in->r);
}

/* Marks the things of a list as in the book: names, @kind, -name. */
static void mark_things(reader *in, rule *to, yyjson_val *text)
{
    const lvl_book *book = &in->r->book;
    const char *list = yyjson_get_str(text), *next = list;
    lvl_text word;
    char shown[80];

    to->things = lvl_arena_array(&in->r->arena, (size_t)book->thing_count + 1, 1);
    if (!to->things) {
        in->status = lvl_arena_status(&in->r->arena, LVL_ERR_MEMORY);
        return;
    }
    while (is_ok(in) && lvl_text_next_item(&next, ' ', &word)) {
        const size_t at = place_of(in, text) + (size_t)(word.ptr - list);
        const bool minus = word.len && word.ptr[0] == '-';
        const bool all = word.len && word.ptr[0] == '@';
        const lvl_text name = {word.ptr + (minus || all), word.len - (minus || all)};
        if (!name.len)
            continue;
        if (all) {
            const int kind = kind_of(name);
            if (kind < 0)
                fail_at(in, at, "there is no kind \"%s\"", lvl_show(shown, name));
            for (uint32_t i = 0; i < book->thing_count && kind >= 0; i++)
                to->things[i] |= book->things[i].kind == kind;
            continue;
        }
        const lvl_book_thing *thing = lvl_book_find(book, name);
        if (thing) {
            to->things[thing - book->things] = !minus;
            continue;
        }
        const lvl_book_thing *near = lvl_book_near(book, name);
        fail_at(in, at, "there is no thing \"%s\"%s%s%s", lvl_show(shown, name),
                near ? "; did you mean \"" : "", near ? near->name : "",
                near ? "\"?" : "; name those of your own in \"things\", and \"game\" for those of a game");
    }
}

/* ---- rules --------------------------------------------------------------------------------------------- */

static void read_path(reader *in, rule *to, yyjson_val *key, yyjson_val *val, const lvl_doc *empty)
{
    lvl_findings *why = is_ok(in) ? lvl_findings_new(in->r->ctx) : NULL;
    lvl_path path = {0};

    if (!yyjson_is_str(val) || yyjson_get_len(val) > TEXT || to->path_count == PATHS) {
        fail(in, key, "a path as for `lvl get', or a list of up to 32");
        lvl_findings_free(why);
        return;
    }
    if (is_ok(in) && !why)
        in->status = LVL_ERR_MEMORY;
    if (!is_ok(in))
        return;
    lvl_status status = lvl_path_parse(&path, lvl_json_str(val), NULL, why);
    if (status == LVL_OK)
        status = lvl_path_bind(&path, empty, why);
    if (status == LVL_ERR_ARG)
        fail_at(in, place_of(in, val), "%s",
                lvl_findings_count(why) ? lvl_findings_at(why, 0)->text : "a wrong path");
    else if (status != LVL_OK)
        in->status = status;
    to->paths[to->path_count++] = copied(in, lvl_json_str(val));
    lvl_path_free(&path);
    lvl_findings_free(why);
}

static void read_paths(reader *in, rule *to, yyjson_val *key, yyjson_val *val, const lvl_doc *empty)
{
    if (!yyjson_is_arr(val)) {
        read_path(in, to, key, val, empty);
        return;
    }
    for (size_t i = 0; i < yyjson_arr_size(val) && is_ok(in); i++)
        read_path(in, to, key, yyjson_arr_get(val, i), empty);
}

static int64_t read_count(reader *in, yyjson_val *key, yyjson_val *val)
{
    if (yyjson_is_uint(val) && yyjson_get_uint(val) <= UINT32_MAX)
        return (int64_t)yyjson_get_uint(val);
    fail(in, key, "a number from 0 on");
    return NO_COUNT;
}

/* Whether an id begins with that word. */
static bool begins_with(const char *id, lvl_text word)
{
    return strncmp(id, word.ptr, word.len) == 0 && (!id[word.len] || id[word.len] == '.');
}

/* Whether it is the first word of ids of lvl's own. */
static bool is_taken(const lvl_ctx *ctx, lvl_text word)
{
    const lvl_format *f;

    bool taken = begins_with("lvl", word);
    for (size_t i = 0; ctx->formats && (f = ctx->formats[i]); i++) {
        taken = taken || begins_with(f->id, word);
        for (uint32_t k = 0; k < f->finding_count; k++)
            taken = taken || begins_with(f->findings[k].id, word);
        for (const lvl_book *const *book = f->calls->books; book && *book; book++)
            taken = taken || begins_with((*book)->game, word);
    }
    return taken;
}

/* An id is words with points between them, and its first word none that begins ids of lvl's own. */
static bool is_free_id(const lvl_ctx *ctx, lvl_text id)
{
    const char *dot = memchr(id.ptr, '.', id.len);
    const lvl_text head = {id.ptr, dot ? (size_t)(dot - id.ptr) : 0};

    for (size_t i = 0; i < id.len; i++) {
        const char c = id.ptr[i];
        if (!lvl_is_digit(c) && !(c >= 'a' && c <= 'z') && c != '_' &&
            (c != '.' || !i || id.ptr[i - 1] == '.'))
            return false;
    }
    return head.len && id.len <= 64 && id.ptr[id.len - 1] != '.' && !is_taken(ctx, head);
}

static void take_severity(reader *in, rule *to, yyjson_val *key, yyjson_val *val)
{
    lvl_severity severity = LVL_NONE;

    for (int s = LVL_NOTE; s <= LVL_ERROR; s++) {
        if (yyjson_is_str(val) && lvl_text_is(lvl_json_str(val), lvl_severity_name((lvl_severity)s)))
            severity = (lvl_severity)s;
    }
    if (severity == LVL_NONE)
        fail(in, key, "note, warning or error");
    /* as of the book's rules (scripts/games): an error makes a file faulty, not damaged */
    for (int p = 0; p < LVL_PROFILE_COUNT; p++)
        to->rule.def.severity[p] =
            p == LVL_PROFILE_SALVAGE && severity > LVL_NOTE ? (lvl_severity)(severity - 1) : severity;
}

static void read_rule(reader *in, yyjson_val *val, rule *to, const lvl_doc *empty)
{
    enum { ID, SEVERITY, WORDS, THINGS, IF, PATH, LEAST, MOST, SET, EFFECT, SURE, NOTE };
    static const char *const known[] = {"id",   "severity", "text",   "things", "if",   "path", "least",
                                        "most", "set",      "effect", "sure",   "note", NULL};
    yyjson_val *key, *member, *first = NULL, *things = NULL;
    uint32_t seen = 0;
    size_t i, n;

    to->least = to->most = NO_COUNT;
    if (!yyjson_is_obj(val)) {
        fail_at(in, 0, "rules: expected objects with id, severity, text, and things or path");
        return;
    }
    yyjson_obj_foreach(val, i, n, key, member)
    {
        first = first ? first : key;
        switch (key_of(in, key, known, &seen)) {
        case ID:
            to->rule.def.id = text_of(in, key, member);
            if (is_ok(in) && !is_free_id(in->r->ctx, lvl_text_of(to->rule.def.id)))
                fail_at(in, place_of(in, member),
                        "expected an id as contest.bosses, of a-z, 0-9, _ and points, whose first word "
                        "begins no id "
                        "of lvl's own findings");
            break;
        case SEVERITY: take_severity(in, to, key, member); break;
        case WORDS: to->rule.def.meaning = text_of(in, key, member); break;
        case THINGS:
            things = member;
            if (!text_of(in, key, member) || !in->r->record)
                fail(in, key, "no things: levels of this format have no list of them; use a path");
            break;
        case IF:
            if (!in->r->record)
                fail(in, key, "no condition about things in this format; use a path with a condition");
            else if (is_ok(in))
                to->cost = read_condition(in, key, member, true, &to->rule.condition);
            break;
        case PATH: read_paths(in, to, key, member, empty); break;
        case LEAST: to->least = read_count(in, key, member); break;
        case MOST: to->most = read_count(in, key, member); break;
        case SET:
            to->set = yyjson_is_true(member);
            if (!to->set)
                fail(in, key, "true");
            break;
        default:
            if (!yyjson_is_str(member))
                fail(in, key, "a text");
        }
    }
    const size_t at = first ? place_of(in, first) : 0;
    if (!to->rule.def.id || !to->rule.def.meaning || !(seen & 1u << SEVERITY))
        fail_at(in, at, "a rule has id, severity and text");
    if (!things == !to->path_count)
        fail_at(in, at, "a rule has things or path");
    if (to->set && (things || to->least != NO_COUNT || to->most != NO_COUNT))
        fail_at(in, at, "\"set\" is for paths, without least and most");
    if (to->rule.condition && !things)
        fail_at(in, at, "\"if\" is about things; a path has its conditions in brackets");
    if (is_ok(in) && things)
        mark_things(in, to, things);
}

static void read_rules(reader *in, yyjson_val *list)
{
    const size_t n = yyjson_arr_size(list);
    lvl_doc *empty = NULL;

    if (n > LVL_RULES_COUNT) {
        fail_at(in, 0, "%zu rules; at most %d are read", n, LVL_RULES_COUNT);
        return;
    }
    in->r->rules = lvl_arena_array(&in->r->arena, n + 1, sizeof *in->r->rules);
    if (!in->r->rules)
        in->status = lvl_arena_status(&in->r->arena, LVL_ERR_MEMORY);
    if (is_ok(in))
        in->status = lvl_doc_new(&empty, in->r->ctx, in->r->format);
    for (size_t i = 0; i < n && is_ok(in); i++) {
        read_rule(in, yyjson_arr_get(list, i), &in->r->rules[i], empty);
        in->r->count++;
    }
    lvl_doc_free(empty);
}

static bool too_deep(yyjson_val *val, int depth)
{
    yyjson_val *key, *one;
    size_t i, n;

    if (!yyjson_is_ctn(val))
        return false;
    if (depth == LVL_RULES_DEPTH)
        return true;
    if (yyjson_is_arr(val)) {
        yyjson_arr_foreach(val, i, n, one) if (too_deep(one, depth + 1)) return true;
        return false;
    }
    yyjson_obj_foreach(val, i, n, key, one) if (too_deep(one, depth + 1)) return true;
    return false;
}

/* The things of a format are the objects of its list with classes; without one, of its only list. */
static void find_record(lvl_rules *r)
{
    lvl_map_objects lists[LVL_MAP_LISTS];
    const uint32_t count = lvl_map_objects_of(r->format, lists);
    uint32_t i = 0;

    while (i < count && !lvl_field_with_role(lists[i].list->table, LVL_ROLE_CLASS, NULL))
        i++;
    if (i == count && count != 1)
        return;
    i = i < count ? i : 0;
    r->record = lists[i].list->table;
    r->moves = lists[i].how->places != NULL;
}

static void read_root(reader *in, yyjson_val *root)
{
    enum { SCHEMA, TITLE, FORMAT, GAME, PARTS, THINGS, RULES, MEMBERS };
    static const char *const known[] = {"$schema", "title",  "format", "game",
                                        "parts",   "things", "rules",  NULL};
    yyjson_val *key, *val, *members[MEMBERS] = {0}, *keys[MEMBERS] = {0};
    uint32_t seen = 0;
    size_t i, n;

    if (!yyjson_is_obj(root) || too_deep(root, 0)) {
        fail_at(in, 0, "expected an object with format and rules; `lvl help rules' shows one");
        return;
    }
    yyjson_obj_foreach(root, i, n, key, val)
    {
        const int k = key_of(in, key, known, &seen);
        if (k >= 0) {
            members[k] = val;
            keys[k] = key;
        }
        if (k >= 0 && k < PARTS)
            (void)text_of(in, key, val);
    }
    if (!members[FORMAT] || (!members[RULES] && !members[THINGS]))
        fail_at(in, 0, "expected \"format\", and \"rules\" or \"things\"");
    if (members[RULES] && !yyjson_is_arr(members[RULES]))
        fail(in, keys[RULES], "a list of rules");
    if (is_ok(in) && !(in->r->format = lvl_formats_find(in->r->ctx, yyjson_get_str(members[FORMAT]))))
        fail(in, keys[FORMAT], "a format, as `lvl formats' lists them");
    if (!is_ok(in))
        return;
    find_record(in->r);
    const lvl_book *const *books = in->r->format->calls->books;
    for (; members[GAME] && books && *books && !in->r->game; books++)
        in->r->game = lvl_text_is(lvl_json_str(members[GAME]), (*books)->game) ? *books : NULL;
    if (members[GAME] && !in->r->game)
        fail(in, keys[GAME], "a game of the format, as claw or gruntz");
    if (members[PARTS] && !yyjson_is_obj(members[PARTS]))
        fail(in, keys[PARTS], "an object: names, and the uses that things share");
    in->parts = members[PARTS];
    if (members[THINGS] && !yyjson_is_obj(members[THINGS]))
        fail(in, keys[THINGS], "an object: names of things, and what they are");
    if (is_ok(in))
        read_things(in, members[THINGS]);
    if (is_ok(in))
        read_rules(in, members[RULES]);
    lvl_conditions_use(&in->r->conditions, &in->r->book);
    in->r->book.tile = in->r->game ? in->r->game->tile : 0;
    in->r->own = (lvl_own){in->r->format, in->r->record, &in->r->book, NULL};
}

lvl_status lvl_rules_read(lvl_rules **out, const lvl_ctx *ctx, lvl_text json, const char *name,
                          lvl_findings *findings)
{
    lvl_rules *r = calloc(1, sizeof *r);
    lvl_json_error error = {0};

    *out = NULL;
    if (!r)
        return LVL_ERR_MEMORY;
    r->ctx = ctx;
    lvl_arena_init(&r->arena, ctx);
    r->conditions.arena = &r->arena;
    if (json.len >= 3 && memcmp(json.ptr, "\xEF\xBB\xBF", 3) == 0) { /* editors on Windows add it */
        json.ptr += 3;
        json.len -= 3;
    }
    reader in = {.r = r, .json = json, .findings = findings, .status = LVL_OK};
    r->name = copied(&in, lvl_text_of(name));
    if (json.len > LVL_RULES_BYTES) {
        in.status = LVL_OK;
        fail_at(&in, 0, "the file is larger than 1 MiB");
    }
    in.tree = is_ok(&in) ? lvl_json_read(ctx, json, &error) : NULL;
    if (is_ok(&in) && !in.tree && error.status == LVL_ERR_FORMAT)
        fail_at(&in, error.offset, "expected JSON: %s", error.text);
    else if (is_ok(&in) && !in.tree)
        in.status = error.status;
    if (is_ok(&in))
        read_root(&in, yyjson_doc_get_root(in.tree));
    yyjson_doc_free(in.tree);
    free(in.thing_uses);
    if (!is_ok(&in)) {
        lvl_rules_free(r);
        return in.status;
    }
    *out = r;
    return LVL_OK;
}

void lvl_rules_own(lvl_rules *r, lvl_ctx *ctx)
{
    r->own.next = ctx->own;
    ctx->own = &r->own;
}

void lvl_rules_free(lvl_rules *r)
{
    if (!r)
        return;
    lvl_conditions_free(&r->conditions);
    lvl_arena_free(&r->arena);
    free(r);
}

/* ---- evaluating ---------------------------------------------------------------------------------------- */

typedef struct judge {
    const lvl_rules *r;
    const lvl_doc *doc;
    lvl_findings *findings;
    uint32_t base; /* number of the document's base level; 0: none */
    int64_t *counts; /* by rule */
    lvl_where *at; /* the one that is too many */
} judge;

static void found(judge *j, uint32_t index, const lvl_where *where)
{
    const rule *one = &j->r->rules[index];
    const bool counted = one->least != NO_COUNT || one->most != NO_COUNT;

    if (!counted)
        lvl_findings_add(j->findings, &one->rule.def, where, NULL, "%s", one->rule.def.meaning);
    else if (j->counts[index] == (one->most == NO_COUNT ? 0 : one->most))
        j->at[index] = *where;
    j->counts[index]++;
}

static void report_count(judge *j, uint32_t index)
{
    const rule *one = &j->r->rules[index];
    const int64_t n = j->counts[index];
    const lvl_where root = lvl_where_root();

    if (one->most != NO_COUNT && n > one->most)
        lvl_findings_add(j->findings, &one->rule.def, &j->at[index], NULL, "%s: %lld found, at most %lld",
                         one->rule.def.meaning, (long long)n, (long long)one->most);
    else if (one->least != NO_COUNT && n < one->least)
        lvl_findings_add(j->findings, &one->rule.def, &root, NULL, "%s: %lld found, at least %lld",
                         one->rule.def.meaning, (long long)n, (long long)one->least);
}

static lvl_status judge_object(void *user, const lvl_map_objects *objects, void *layer,
                               const lvl_where *where, void *item)
{
    judge *j = user;
    lvl_status status = LVL_OK;

    (void)layer;
    const lvl_book_thing *thing =
        objects->list->table == j->r->record ? lvl_own_named(&j->r->book, j->r->record, item) : NULL;
    if (!thing)
        return LVL_OK;
    for (uint32_t i = 0; i < j->r->count && status == LVL_OK; i++) {
        const rule *one = &j->r->rules[i];
        if (!one->things || !one->things[thing - j->r->things])
            continue;
        status = lvl_charge(j->doc->ctx, 1 + one->cost);
        if (status == LVL_OK &&
            (!one->rule.condition || lvl_book_holds(&j->r->book, &one->rule, thing, j->base, item)))
            found(j, i, where);
    }
    return status;
}

/* Whether a match has a value: not an empty text or list, nor the number 0. */
static bool has_value(const lvl_match *m)
{
    lvl_field f;

    if (!m->field || m->has_region)
        return true;
    const void *record = lvl_match_member(m, &f);
    switch (f.kind) {
    case LVL_TEXT: return lvl_get_text(record, &f).len > 0;
    case LVL_INT: return lvl_get_int(record, &f) != 0;
    case LVL_LIST: return lvl_list_count(record, &f) > 0;
    case LVL_BYTES: return lvl_get_bytes(record, &f).len > 0;
    default: return true;
    }
}

static lvl_status judge_path(judge *j, uint32_t index, const char *path)
{
    const rule *one = &j->r->rules[index];
    lvl_findings *why = lvl_findings_new(j->doc->ctx);
    lvl_match *matches = NULL;
    size_t n = 0;

    lvl_status status = why ? lvl_path_matches(j->doc, lvl_text_of(path), &matches, &n, why) : LVL_ERR_MEMORY;
    if (status == LVL_ERR_ARG || status == LVL_ERR_FORMAT)
        lvl_findings_add(j->findings, &lvl_faults[LVL_FAULT_RULES_SKIPPED], NULL, NULL,
                         "%s: the rule %s cannot be evaluated here: %s", j->r->name, one->rule.def.id,
                         lvl_findings_count(why) ? lvl_findings_at(why, 0)->text : path);
    for (size_t i = 0; i < n && status == LVL_OK; i++) {
        lvl_where where = matches[i].where;
        if (where.depth && matches[i].index != LVL_NO_INDEX)
            where.steps[where.depth - 1].index = matches[i].index;
        const bool list = matches[i].field && matches[i].field->kind == LVL_LIST &&
                          matches[i].index == LVL_NO_INDEX && !matches[i].append && !matches[i].has_region;
        /* a list itself counts as its items */
        const uint32_t items = list && !one->set ? lvl_list_count(matches[i].record, matches[i].field) : 1;
        status = lvl_charge(j->doc->ctx, 16 * (uint64_t)items);
        for (uint32_t k = 0; k < items && status == LVL_OK; k++) {
            if (list && !one->set)
                where.steps[where.depth - 1].index = k;
            if (!matches[i].append && !(one->set && has_value(&matches[i])))
                found(j, index, &where);
        }
    }
    free(matches);
    lvl_findings_free(why);
    return status == LVL_ERR_MISSING || status == LVL_ERR_ARG || status == LVL_ERR_FORMAT ? LVL_OK : status;
}

lvl_status lvl_rules_check(const lvl_rules *r, const lvl_doc *doc, lvl_findings *findings)
{
    lvl_book_item level = {0};
    if (doc->format->calls->describe && r->record)
        (void)doc->format->calls->describe(doc, r->record, NULL, &level);
    judge j = {r,
               doc,
               findings,
               level.base,
               calloc((size_t)r->count + 1, sizeof *j.counts),
               calloc((size_t)r->count + 1, sizeof *j.at)};
    const bool other = doc->format != r->format && doc->format->table != r->format->table;
    lvl_status status = j.counts && j.at ? LVL_OK : LVL_ERR_MEMORY;

    if (status == LVL_OK && other) {
        lvl_findings_add(findings, &lvl_faults[LVL_FAULT_RULES_SKIPPED], NULL, NULL,
                         "%s: its rules are about %s, this file is %s", r->name, r->format->id,
                         doc->format->id);
        goto out;
    }
    if (status == LVL_OK && r->record)
        status = lvl_objects_visit(doc, judge_object, &j);
    for (uint32_t i = 0; i < r->count && status == LVL_OK; i++) {
        for (uint32_t k = 0; k < r->rules[i].path_count && status == LVL_OK; k++)
            status = judge_path(&j, i, r->rules[i].paths[k]);
        if (status == LVL_OK)
            report_count(&j, i);
    }
out:
    free(j.counts);
    free(j.at);
    return status;
}

/* ---- the form ------------------------------------------------------------------------------------------ */

/* The form of a use, as "$defs". */
static void write_use_schema(lvl_buffer *out, const char *text)
{
    lvl_buffer_printf(out,
                      "\"$defs\":{\"use\":{\"type\":\"object\",\"additionalProperties\":false,\"required\":["
                      "\"fields\"],\n    \"properties\":{\"unread\":{\"const\":true},\n"
                      "      \"fields\":{\"oneOf\":[%s,{\"type\":\"object\",\"maxProperties\":%d,"
                      "\"additionalProperties\":%s}]},\n"
                      "      \"if\":{\"oneOf\":[%s,{\"type\":\"array\",\"minItems\":1,\"maxItems\":%d,"
                      "\"items\":%s}]}",
                      text, USE_FIELDS, text, text, ALTERNATIVES, text);
    for (size_t k = 0; use_keys[k]; k++) {
        const char *const *words = k < LVL_COUNT_OF(use_words) ? use_words[k] : NULL;
        if (words) {
            lvl_buffer_printf(out, ",\n      \"%s\":{\"enum\":[", use_keys[k]);
            for (size_t i = 0; words[i]; i++)
                lvl_buffer_printf(out, "%s\"%s\"", i ? "," : "", words[i]);
            lvl_buffer_str(out, "]}");
        } else if (k >= USE_VALUE) {
            lvl_buffer_printf(out, ",\n      \"%s\":%s", use_keys[k], text);
        }
    }
    lvl_buffer_str(out, "}}}\n}\n");
}

void lvl_rules_schema(const lvl_ctx *ctx, lvl_buffer *out)
{
    static const char text[] = "{\"type\":\"string\",\"maxLength\":1000}";
    static const char count[] = "{\"type\":\"integer\",\"minimum\":0}";

    lvl_buffer_str(out, "{\n\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\n"
                        "\"title\":\"Rules for lvl check --rules\",\n"
                        "\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"format\"],\n"
                        "\"anyOf\":[{\"required\":[\"rules\"]},{\"required\":[\"things\"]}],\n"
                        "\"properties\":{\n");
    lvl_buffer_printf(out, "  \"$schema\":%s,\n  \"title\":%s,\n  \"format\":{\"enum\":[", text, text);
    const lvl_format *f;
    for (size_t i = 0; ctx->formats && (f = ctx->formats[i]); i++)
        lvl_buffer_printf(out, "%s\"%s\"", i ? "," : "", f->id);
    lvl_buffer_str(out, "]},\n  \"game\":{\"enum\":[");
    bool any = false;
    for (size_t i = 0; ctx->formats && (f = ctx->formats[i]); i++) {
        for (const lvl_book *const *book = f->calls->books; book && *book; book++, any = true)
            lvl_buffer_printf(out, "%s\"%s\"", any ? "," : "", (*book)->game);
    }
    lvl_buffer_str(out,
                   "]},\n"
                   "  \"parts\":{\"type\":\"object\",\"additionalProperties\":{\"$ref\":\"#/$defs/use\"}},\n"
                   "  \"things\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"object\","
                   "\"additionalProperties\":false,\"required\":[\"kind\"],\"properties\":{\n"
                   "    \"kind\":{\"enum\":[");
    for (int i = 1; i < LVL_KIND_COUNT; i++)
        lvl_buffer_printf(out, "%s\"%s\"", i > 1 ? "," : "", lvl_book_kinds[i]);
    lvl_buffer_printf(out,
                      "]},\"is\":%s,\"note\":%s,\n"
                      "    \"uses\":{\"type\":\"array\",\"maxItems\":%d,\"items\":{\"oneOf\":[%s,{\"$ref\":"
                      "\"#/$defs/use\"}]}}}}},\n",
                      text, text, THING_USES, text);
    lvl_buffer_printf(out,
                      "  \"rules\":{\"type\":\"array\",\"maxItems\":%d,\"items\":{\"type\":\"object\","
                      "\"additionalProperties\":false,\"required\":[\"id\",\"severity\",\"text\"],\n"
                      "    \"oneOf\":[{\"required\":[\"things\"]},{\"required\":[\"path\"]}],\n"
                      "    \"properties\":{\n"
                      "      \"id\":{\"type\":\"string\",\"pattern\":\"^[a-z0-9_]+(\\\\.[a-z0-9_]+)+$\","
                      "\"maxLength\":64},\n"
                      "      \"severity\":{\"enum\":[\"note\",\"warning\",\"error\"]},\n      \"text\":%s,\n",
                      LVL_RULES_COUNT, text);
    lvl_buffer_printf(out, "      \"things\":%s,\n", text);
    static const struct {
        const char *key;
        int most;
    } lists[] = {{"if", ALTERNATIVES}, {"path", PATHS}};
    for (size_t i = 0; i < LVL_COUNT_OF(lists); i++)
        lvl_buffer_printf(out,
                          "      \"%s\":{\"oneOf\":[%s,{\"type\":\"array\",\"minItems\":1,\"maxItems\":%d,"
                          "\"items\":%s}]},\n",
                          lists[i].key, text, lists[i].most, text);
    lvl_buffer_printf(out,
                      "      \"least\":%s,\"most\":%s,\"set\":{\"const\":true},\n"
                      "      \"effect\":%s,\"sure\":%s,\"note\":%s}}}},\n",
                      count, count, text, text, text);
    write_use_schema(out, text);
}
