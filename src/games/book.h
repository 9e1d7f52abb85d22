/*
 * games/book.h: the game book: what the numbers of the things in a game's levels mean, which of them are
 * places and move with the level, and the names of their values. The tables are made from data/games by
 * scripts/games; they are constant, for any thread.
 */
#ifndef LVL_GAMES_BOOK_H
#define LVL_GAMES_BOOK_H

#include "base/findings.h"
#include "base/map_layout.h"
#include "base/record.h"

typedef enum lvl_book_kind {
    LVL_KIND_UNKNOWN,
    LVL_KIND_ENEMY,
    LVL_KIND_BOSS,
    LVL_KIND_PICKUP,
    LVL_KIND_CONTAINER,
    LVL_KIND_PLATFORM,
    LVL_KIND_HAZARD,
    LVL_KIND_WARP,
    LVL_KIND_SOUND,
    LVL_KIND_CHECKPOINT,
    LVL_KIND_EXIT, /* ends the level */
    LVL_KIND_SCENERY,
    LVL_KIND_PUZZLE,
    LVL_KIND_UNIT,
    LVL_KIND_SCRIPT,
    LVL_KIND_ENGINE, /* created by the game while it runs */
    LVL_KIND_COUNT
} lvl_book_kind;

/* How a number follows when the thing, or the whole level, is moved. */
typedef enum lvl_book_moves {
    LVL_MOVES_NOT, /* no position, or one relative to the thing */
    LVL_MOVES_PX, /* px in the level */
    LVL_MOVES_TILE, /* column or row of a tile */
    LVL_MOVES_ADDRESS /* 256 * column + row */
} lvl_book_moves;

/* Which numbers of a group are not set, and do not move. */
typedef enum lvl_book_zero {
    LVL_ZERO_EACH, /* each that is 0 */
    LVL_ZERO_GROUP, /* all, if all are 0 */
    LVL_ZERO_PAIRS, /* both of a pair x, y that is 0, 0 */
    LVL_ZERO_BOTH, /* all, unless all are above 0 */
    LVL_ZERO_ALWAYS /* none: 0 is a position */
} lvl_book_zero;

typedef enum lvl_book_shape {
    LVL_SHAPE_NONE,
    LVL_SHAPE_PATROL, /* the thing walks between them */
    LVL_SHAPE_TRAVEL, /* a platform moves between them */
    LVL_SHAPE_AREA, /* left, top, right, bottom of where it is active */
    LVL_SHAPE_POINT, /* a destination x, y */
    LVL_SHAPE_PATH, /* points x, y, one after the other */
    LVL_SHAPE_ADDRESS, /* tiles */
    LVL_SHAPE_SIDES, /* left, top, right, bottom, relative to the thing */
    LVL_SHAPE_REACH, /* tiles to the left, up, right, down of the thing */
    LVL_SHAPE_SIZE, /* width, height, with the thing in the middle */
    LVL_SHAPE_STEPS /* direction as on the keypad, distance: one after the other, from the thing */
} lvl_book_shape;

/* A comparison of numbers of a record. */
typedef struct lvl_book_test {
    uint16_t first, count; /* fields[first …] */
    uint8_t op; /* LVL_TEST_… */
    bool all; /* it holds for each of the fields; else for one */
    uint16_t first_value, value_count; /* values[first_value …], pairs: the least and the greatest value */
} lvl_book_test;
typedef enum lvl_book_op {
    LVL_TEST_IN, /* the number is in one of the ranges */
    LVL_TEST_NOT_IN,
    LVL_TEST_MORE, /* the number is greater than that of fields[first_value] */
    LVL_TEST_TEXT, /* the text is one of texts[first_value …], upper or lower case */
    LVL_TEST_NO_TEXT,
    LVL_TEST_BASE /* the number of the base level is in one of the ranges */
} lvl_book_op;
enum { LVL_TEST_ITEMS = 0xFFFF }; /* as `first`: all fields of the thing whose values have names */

/* Tests that hold together, and then alternatives. */
typedef struct lvl_book_condition {
    uint16_t first, count; /* the tests */
    bool or_next; /* or the next condition holds */
} lvl_book_condition;

/* A member of a thing's record. */
typedef enum lvl_book_type {
    LVL_BOOK_OTHER,
    LVL_BOOK_INT32,
    LVL_BOOK_UINT32,
    LVL_BOOK_REAL,
    LVL_BOOK_TEXT
} lvl_book_type;
typedef struct lvl_book_field {
    uint16_t offset;
    uint8_t type; /* LVL_BOOK_… */
    bool vertical; /* as a place, it is measured from the top; else from the left */
} lvl_book_field;
/* A row for member m of struct T. */
#define LVL_BOOK_FIELD(T, m, vertical)          \
    {                                           \
        offsetof(T, m),                         \
            _Generic(((const T *)0)->m, int32_t \
                     : LVL_BOOK_INT32, uint32_t \
                     : LVL_BOOK_UINT32, double  \
                     : LVL_BOOK_REAL, lvl_text  \
                     : LVL_BOOK_TEXT, default   \
                     : LVL_BOOK_OTHER),         \
            vertical                            \
    }

/* What some fields of a thing mean. */
typedef struct lvl_book_use {
    uint16_t first; /* fields[first …] */
    uint8_t count;
    uint8_t moves, zero;
    uint8_t follows; /* LVL_MAP_OF_… */
    uint8_t shape;
    uint8_t names; /* value_names[names - 1]; 0: numbers */
    uint8_t word; /* words[word - 1]: how conditions call them; 0: by their fields */
    uint8_t condition; /* conditions[condition - 1]: only then; 0: always */
    bool unread : 1; /* the game does not read them */
    bool pictured : 1; /* the text is a picture, which shows an item */
    bool spare : 1; /* without them, the game takes something else */
    bool open : 1; /* they count or measure something: only some of the numbers have names */
    uint8_t file; /* lvl_use: the text is the key of such a file (lvl_format_calls.file_places) */
} lvl_book_use;

typedef struct lvl_book_thing {
    const char *name;
    uint8_t kind; /* LVL_KIND_… */
    uint8_t use_count;
    uint16_t first_use; /* thing_uses[first_use …] */
    uint8_t rule_count;
    uint16_t first_rule; /* thing_rules[first_rule …] */
    uint16_t bases; /* base levels that have its pictures, bits 1 << number; 0: not said */
    bool own; /* the user's (games/own.h), not the game's */
} lvl_book_thing;

/* A rule: a finding about things for which a condition holds, or that code reports. */
typedef struct lvl_book_rule {
    lvl_finding_def def;
    uint16_t condition; /* conditions[condition - 1]; 0: code reports it */
} lvl_book_rule;

/* The picture of an item: of the first list of value_names. */
typedef struct lvl_book_picture {
    const char *name;
    int32_t item;
} lvl_book_picture;

/* Items of one kind, such as rings of all colours. */
enum { LVL_BOOK_GROUPS = 16 };
typedef struct lvl_book_group {
    const char *name, *plural, *key; /* "gold_bar", "gold bars", "gold_bars" */
    uint16_t first_value, value_count; /* the items: values[first_value …], pairs as of tests */
} lvl_book_group;

/* A picture and the thing that usually shows it. */
typedef struct lvl_book_usual {
    const char *start, *thing; /* beginning of the picture's name; "": no thing */
} lvl_book_usual;

/* An option of a doodad. */
typedef struct lvl_book_option {
    const char *name, *type; /* type: "bool", "int", "str" */
    const char *usual; /* the default */
    const char *is; /* what it means */
} lvl_book_option;

/* What else a thing has in a game of doodads: options, and messages over links. */
typedef struct lvl_book_doodad {
    const char *is; /* what it is */
    uint16_t width, height; /* px */
    uint16_t first_option, option_count; /* book->options[first_option …] */
    uint16_t receives, sends; /* bits 1 << index in `messages` */
    const char *needs; /* the thing that opens or fills it, or NULL */
    const char *unless; /* the option that, if true, makes it unnecessary; or NULL */
} lvl_book_doodad;

/* A function of scripts whose first argument is the key of a file. */
typedef struct lvl_book_script_key {
    const char *name;
    lvl_use use;
} lvl_book_script_key;

/* A plane of new levels. */
typedef struct lvl_book_plane {
    const char *name, *images; /* images: the set of its tiles */
    bool main, wrap_x, wrap_y;
    int32_t moves_x, moves_y; /* % of the main plane */
    int32_t fill, z;
    uint32_t tile; /* of all its cells */
} lvl_book_plane;

/* Tiles that act alike on what touches them. */
typedef struct lvl_book_tiles {
    int32_t outside, inside; /* attributes; the same if `whole` */
    bool whole;
    int32_t left, top, right, bottom; /* of `inside`; 0 if `whole` */
    uint16_t first_value, value_count; /* their numbers: values[first_value …], pairs as of tests */
} lvl_book_tiles;

/* A base level: what new levels need to be played with its art. */
typedef struct lvl_book_base {
    const char *place; /* what the game calls it */
    const char *exit, *exit_images; /* the thing that ends the level, and its picture */
    const lvl_book_plane *planes;
    uint16_t plane_count;
    uint16_t first_floor, floor_count; /* values[first_floor …]: tiles from the top of a floor down; the last
                                          goes on below */
    uint16_t tile_count; /* tiles that have properties */
    const lvl_book_tiles *tiles; /* all others are clear */
    uint16_t tiles_count;
} lvl_book_base;

typedef struct lvl_book {
    const char *game, *title;
    const char *grouped, *grouped_count, *grouped_hidden,
        *hidden; /* keys and words of summaries, for groups */
    uint32_t tile; /* px of a tile */
    const lvl_book_thing *things; /* sorted by name */
    uint32_t thing_count;
    lvl_book_thing other; /* things that the book does not describe */
    const uint8_t *thing_uses;
    const lvl_book_use *uses;
    uint32_t use_count;
    const lvl_book_field *fields;
    const lvl_book_condition *conditions;
    const lvl_book_test *tests;
    const int32_t *values;
    const lvl_name *const *value_names; /* each ended by a NULL name */
    const char *const *list_names; /* what each of value_names is called: "item"; ended by NULL */
    const char *const *words; /* ended by NULL */
    const lvl_book_group *groups; /* of the items, in the order of summaries */
    uint32_t group_count;
    const char *const *texts;
    const lvl_book_rule *rules;
    uint32_t rule_count;
    const uint8_t *thing_rules;
    const lvl_book_picture *pictures; /* of the items */
    uint32_t picture_count;
    const lvl_book_usual *usual;
    uint32_t usual_count;
    const lvl_book_doodad *doodads; /* of each thing; NULL: the game has none */
    const lvl_book_option *options;
    const char *const *messages; /* ended by NULL */
    uint16_t broadcasts; /* bits of the messages that all receive, without a link */
    const lvl_book_script_key *script_keys; /* ended by a NULL name; NULL: none are known */
    const lvl_book_base *bases; /* base level n is bases[n - 1] */
    uint32_t base_count;
} lvl_book;

extern const lvl_book lvl_book_claw, lvl_book_gruntz, lvl_book_sketchy;

/* The thing with that name (case-sensitive), or NULL. */
const lvl_book_thing *lvl_book_find(const lvl_book *book, lvl_text name);
/* The thing with the most similar name, for "did you mean"; NULL if no name is similar enough. */
const lvl_book_thing *lvl_book_near(const lvl_book *book, lvl_text name);
/* The name of the thing that usually has that picture ("LEVEL_OFFICER"); empty: none. */
lvl_text lvl_book_usual_thing(const lvl_book *book, lvl_text picture);
/* The uses of a thing, in order; NULL after the last. `thing` may be NULL: unknown. */
const lvl_book_use *lvl_book_use_at(const lvl_book *book, const lvl_book_thing *thing, uint32_t index);
/* A record as its game's book sees it. */
typedef struct lvl_book_item {
    const lvl_book *book;
    const lvl_book_thing *thing; /* NULL: the book does not have it */
    lvl_book_kind kind;
    uint32_t base; /* number of the document's base level; 0: none */
    const void *record; /* NULL: none in particular */
} lvl_book_item;

/* The name of a kind, as in data/games: "enemy". */
extern const char *const lvl_book_kinds[LVL_KIND_COUNT];
/* What the member at that offset means in this record; NULL: the book does not say. */
const lvl_book_use *lvl_book_use_of(const lvl_book_item *item, size_t offset);
/* Which kind of file a text of a record is the key of (lvl_format_calls.file_places): what the book of the
 * document's game says, or the field itself where no book describes its records. LVL_USE_NONE: of none. */
lvl_use lvl_book_key(const lvl_doc *doc, const lvl_table *table, const void *record, const lvl_field *field);
/* The names of the values of that member; NULL: it has none. */
const lvl_name *lvl_book_names_of(const lvl_book_item *item, size_t offset);
/* The group of an item, or NULL. */
const lvl_book_group *lvl_book_group_of(const lvl_book *book, int64_t item);
/* The item that a picture shows, by the part of its name after the first '_' ("TREASURE_COINS"); 0: none. */
int32_t lvl_book_pictured(const lvl_book *book, lvl_text picture);
/* The number of a member of a record; 0 if it is not a number. */
int64_t lvl_book_number(const lvl_book_field *field, const void *record);
/* Whether the use applies to this record. */
bool lvl_book_applies(const lvl_book *book, const lvl_book_use *use, const void *record);

/* Whether a rule holds for a record of that thing, in a level with that base level (0: none). */
bool lvl_book_holds(const lvl_book *book, const lvl_book_rule *rule, const lvl_book_thing *thing,
                    uint32_t base, const void *record);
/* Whether the rule is about that thing (NULL: no). */
bool lvl_book_concerns(const lvl_book *book, const lvl_book_thing *thing, const lvl_finding_def *rule);
/* The rule with that id, which must be in the book. */
const lvl_finding_def *lvl_book_rule_def(const lvl_book *book, const char *id);
/* A position in the level, px. */
typedef struct lvl_book_point {
    int32_t x, y;
} lvl_book_point;
/* The positions that a use of the shape point, path or address names; of a tile, its middle. Returns their
 * number. */
uint32_t lvl_book_points(const lvl_book *book, const lvl_book_use *use, const void *record,
                         lvl_book_point out[LVL_MAP_PLACES]);
/* The places of a record that move with the level; returns their number. */
uint32_t lvl_book_places(const lvl_book *book, const lvl_book_thing *thing, const void *record,
                         lvl_map_place out[LVL_MAP_PLACES]);

#endif
