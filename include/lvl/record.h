/*
 * lvl/record.h: field tables, the only description of a record. dump, undump, get, set, explain, diff, schema
 * and the format reference use these tables and have no code for specific formats. A record is a plain C
 * struct with one constant lvl_table.
 *
 * Tables are constant and may be shared by threads. All strings in them are NUL-ended with static storage.
 */
#ifndef LVL_RECORD_H
#define LVL_RECORD_H

#include <lvl/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lvl_table lvl_table;
typedef struct lvl_field lvl_field;

typedef enum lvl_kind {
    LVL_INT, /* integer of `size` bytes (1, 2, 4, 8) in the struct, signed or not */
    LVL_REAL, /* double */
    LVL_TEXT, /* lvl_text, or an inline slot of `size` chars (LVL_F_SLOT) */
    LVL_BYTES, /* lvl_bytes, or an inline slot of `size` bytes (LVL_F_SLOT) */
    LVL_RECORD, /* a struct inside the struct, described by `table` */
    LVL_LIST, /* a pointer to items at `offset` and a uint32_t count at `count_offset` */
    LVL_CELLS /* lvl_cells */
} lvl_kind;

typedef enum lvl_role {
    LVL_VALUE, /* content */
    LVL_DERIVED, /* follows from content (count, size, offset, checksum): computed on write, dumped only where
                    the file disagrees, refused by `set`, ignored by `diff` */
    LVL_UNKNOWN, /* content whose meaning is unknown; treated as a value */
    LVL_KEPT /* spelling: bytes that are written as long as reading them gives the same content; under "~" in
                a dump */
} lvl_role;

/* The topic of a field, for programs that show a record. */
typedef enum lvl_group {
    LVL_GROUP_REST,
    LVL_GROUP_PLACE, /* where it is and how large */
    LVL_GROUP_LOOK, /* pictures, colours, drawing */
    LVL_GROUP_BEHAVIOUR, /* what it does in the game */
    LVL_GROUP_COUNT
} lvl_group;

/* Whether a summary of the document (`lvl info`) shows a field. */
typedef enum lvl_summary_show {
    LVL_SHOW_NOT,
    LVL_SHOW, /* always */
    LVL_SHOW_FILLED, /* unless it is 0 or empty */
    LVL_SHOW_KEY, /* always in JSON, to people unless it is 0 or empty */
    LVL_SHOW_MANY /* LVL_LIST: always in JSON, to people if it has more than one item */
} lvl_summary_show;

/* How a summary shows a field: the name of its value, an integer with its unit, yes or no if its range is 0
 * to 1, a text, the number of lines of a script, bytes of data or items of a list, the size of a grid. */
typedef struct lvl_summary {
    uint8_t show; /* lvl_summary_show */
    int8_t order; /* -1: before the other fields of the record, 1: after them; 0: in the table's order */
    const char *label; /* for people; NULL: in JSON only */
    const char *key; /* in JSON; NULL: the field's name */
    const char *items; /* LVL_LIST of records: label of its items, each with the fields that its own table
                          marks; NULL: only their number is shown */
} lvl_summary;

/* The meaning of a field in a level, as bits, for programs that show or change it without knowing the format.
 * A field of an inner record may have a role instead of the item's own. The fields are numbers unless stated
 * otherwise; on a field of another kind, a role has no effect. */
enum {
    /* for an item with a position in a level */
    LVL_ROLE_X = 1,
    LVL_ROLE_Y = 2,
    LVL_ROLE_WIDTH = 4,
    LVL_ROLE_HEIGHT = 8,
    LVL_ROLE_ORDER = 16, /* items are drawn in its order, upwards */
    LVL_ROLE_CLASS = 32, /* LVL_TEXT; an integer with names is a separate property */
    LVL_ROLE_NAME = 64, /* LVL_TEXT */
    LVL_ROLE_ID = 128, /* unique among the items; a new item gets a new value */
    LVL_ROLE_LINKS = 256, /* LVL_LIST of texts: ids of other items */
    LVL_ROLE_PICTURE = 512, /* LVL_TEXT: the name of its picture */
    LVL_ROLE_NUMBER = 1024, /* number of the picture among those with that name */
    LVL_ROLE_FLIP = 2048, /* flags that mirror the picture */
    /* edges of an area in which the item moves; in an inner record: a box around its position, inclusive. For
     * display: what moves with an item is said by the game book. */
    LVL_ROLE_LEFT = 1 << 12,
    LVL_ROLE_TOP = 1 << 13,
    LVL_ROLE_RIGHT = 1 << 14,
    LVL_ROLE_BOTTOM = 1 << 15,
    LVL_ROLE_DEST_X = 1 << 16, /* destination: a number, or an expression */
    LVL_ROLE_DEST_Y = 1 << 17,
    LVL_ROLE_COLOR = 1 << 18, /* LVL_TEXT: "#rrggbb" */
    /* for a layer: a record with LVL_CELLS, or with a list of squares, which have a position and LVL_CELLS;
     * also LVL_ROLE_NAME, and LVL_ROLE_PICTURE, a text or LVL_LIST of texts: the pictures of its tiles */
    LVL_ROLE_CELL_WIDTH = 1 << 19, /* px of a cell; with squares, cells of a square */
    LVL_ROLE_CELL_HEIGHT = 1 << 20,
    LVL_ROLE_PARALLAX_X = 1 << 21, /* percent by which it moves with the main layer */
    LVL_ROLE_PARALLAX_Y = 1 << 22,
    /* for the root; LVL_ROLE_WIDTH, LVL_ROLE_HEIGHT: px of a level whose size does not follow from cells */
    LVL_ROLE_LAYERS = 1 << 23, /* LVL_LIST: its layers */
    LVL_ROLE_OBJECTS = 1 << 24, /* LVL_LIST of the root or a layer: items with a position in the level */
    LVL_ROLE_START_X = 1 << 25, /* px: where the player starts */
    LVL_ROLE_START_Y = 1 << 26,
    LVL_ROLE_BOUNDS = 1 << 27, /* which sides of the level are edges */
    LVL_ROLE_FILES = 1 << 28, /* LVL_LIST: attached files, by their labels */
    LVL_ROLE_LEVELS = 1 << 29, /* LVL_LIST: rows of a world; in a row: the list of its levels' file names */
    LVL_ROLE_PROPERTY = 1 << 30 /* LVL_LIST: a setting of the level, not a layer, object or file */
};

enum {
    LVL_F_SIGNED = 1, /* LVL_INT: two's complement */
    LVL_F_SLOT = 2, /* LVL_TEXT, LVL_BYTES: the member is an inline array, zero-padded on disk */
    LVL_F_FLAGS = 4, /* LVL_INT with names: the names are bits or bit groups, shown as "main|wrap_x|0x20" */
    LVL_F_HEX = 8, /* LVL_INT: show in hexadecimal to people (explain) */
    LVL_F_FIXED = 16, /* LVL_LIST: the list's length can't be changed by an edit */
    LVL_F_LINES = 32, /* LVL_TEXT: lines separated by '\n' (a script): differences are shown by line, dumps
                         have a string for each */
    /* the form (within its family) of a document or of a part of it: ignored when documents of different
     * formats are compared and, in parts, when documents of different forms are compared */
    LVL_F_FORM = 64,
    /* LVL_CELLS, LVL_BYTES: stays encoded until it is needed: while `ptr` is NULL, lvl_doc_cells and
     * lvl_doc_bytes decode it */
    LVL_F_LATE = 128,
    /* LVL_LIST: the order of its items has no meaning (in a map, an archive): diff does not report moves, and
     * dumps without kept bytes sort them bytewise by label */
    LVL_F_UNORDERED = 256,
    /* LVL_INT, LVL_CELLS with a `ref`: an index in that list, which is adjusted (lvl_set, lvl_unset) when
     * items are inserted or removed before it. An index of a removed item becomes the default; in cells, the
     * first named value */
    LVL_F_FOLLOWS = 512,
    /* LVL_TEXT, LVL_LIST of texts: the name of another file: the level that a link leads to, a picture
     * (`lvl rename`) */
    LVL_F_FILE = 1024,
    /* LVL_TEXT: the name of another file of the document's format, without its ending; digits alone are an
     * index instead of a name (`lvl rename`) */
    LVL_F_STEM = 2048,
    /* LVL_TEXT of a root: a signature of all other content, which any change invalidates */
    LVL_F_SIGNATURE = 4096,
    /* LVL_LIST of texts: a set. An item that it already has is not added again (lvl_set with `+=` or `[+]`),
     * and the additions and removals of both sides of a merge are applied to the result */
    LVL_F_SET = 8192,
    /* LVL_BYTES, kept: a deflate stream. A dump says how it was made where that gives its bytes again */
    LVL_F_STREAM = 16384,
    /* LVL_LIST of records: an item is what its index says (the properties of tile 12), so that diffs and
     * merges compare items of the same index */
    LVL_F_INDEXED = 32768,
    /* LVL_INT with a `ref`: the value is the id of an item, the first identity of its table, not its index */
    LVL_F_BY_ID = 65536
};

/* What a text is for, for programs that do not know the format: facts about the whole document, and names of
 * other files. X(NAME, name, prose): the columns and kinds of references in a catalogue (lvl/catalogue.h). */
#define LVL_USES_OF_FACTS(X)                                          \
    X(TITLE, title, "Title, as its author wrote it.")                 \
    X(AUTHOR, author, "Who made it.")                                 \
    X(DATE, date, "When it was made, in the author's own words.")     \
    X(DESCRIPTION, description, "The author's description.")          \
    X(PROGRAM, program, "The program or version that saved it last.") \
    X(MUSIC, music, "Its music.")
#define LVL_USES_OF_FILES(X)                                                          \
    X(LEVEL, level, "Another level: of a link, of a map, of a pack.")                 \
    X(PICTURE, picture, "A picture, or a set of pictures.")                           \
    X(SOUND, sound, "A sound.")                                                       \
    X(ANIMATION, animation, "An animation; in some games the same key names sounds.") \
    X(TILESET, tileset, "A set of tiles.")                                            \
    X(DOODAD, doodad, "A thing that is drawn and scripted in a file of its own.")     \
    X(SCRIPT, script, "A script in a file of its own.")
#define LVL_USE_VALUE(NAME, name, prose) LVL_USE_##NAME,
typedef enum lvl_use {
    LVL_USE_NONE,
    LVL_USES_OF_FACTS(LVL_USE_VALUE) LVL_USE_FACTS, /* the first use that is not a fact */
    LVL_USE_FILES = LVL_USE_FACTS, /* names of files are greater than this */
    LVL_USES_OF_FILES(LVL_USE_VALUE) LVL_USE_COUNT
} lvl_use;

/* The name of an integer's value, or of a flag. A value without a name is a number, never an error. */
typedef struct lvl_name {
    int64_t value;
    const char *name; /* lower_snake, without '|' */
    const char *prose; /* or NULL */
} lvl_name;

/* A cell value that a dump writes as one character. */
typedef struct lvl_cell_name {
    uint32_t value;
    char symbol; /* '.' or '#' …; not a digit, blank, '*' or '"' */
    const char *name;
    const char *prose;
} lvl_cell_name;

/* Presence: the field exists only while the integer member at `tag_offset` of the same record (of `tag_size`
 * bytes) has a value v < 64 with bit v set in `values`. tag_size 0: always present. */
typedef struct lvl_when {
    uint32_t tag_offset;
    uint32_t tag_size;
    uint64_t values;
} lvl_when;

#define LVL_NO_PLACE UINT32_MAX

struct lvl_field {
    const char *name; /* used in JSON and paths */
    const char *prose; /* one line: what it means */
    const char *unit; /* "px", "tiles", "ms", "%", "bytes" or NULL */
    lvl_kind kind;
    lvl_role role;
    uint32_t flags; /* LVL_F_… */
    uint32_t offset; /* offset of the member in the struct */
    uint32_t size; /* size of the member in the struct, in bytes */
    uint32_t disk; /* byte offset in the record's fixed part on disk; LVL_NO_PLACE where not fixed */
    uint32_t disk_size; /* bytes there; 0 means `size` */
    uint8_t group; /* lvl_group */
    bool common; /* one of the fields that people change most, shown before the others of its group */
    uint32_t roles; /* LVL_ROLE_… */
    const lvl_name *names; /* ended by a NULL name; NULL when there are none */
    lvl_when when;
    /* LVL_INT: the default, which a dump leaves out; a value that doesn't fit the member means that there is
     * no default, so dumps always have the field. Reals default to 0, texts to empty, lists to no items,
     * records to all defaults */
    int64_t def;
    int64_t min, max; /* LVL_INT: the sensible range, both 0: none. For docs, schema and check; reading
                         accepts everything */
    /* a reference: the path from the root of the list that this value is an index of (LVL_F_BY_ID: an id);
     * NULL: not a reference */
    const char *ref;
    const lvl_table *table; /* LVL_RECORD, and LVL_LIST of records */
    uint32_t count_offset; /* LVL_LIST: of the uint32_t count in the struct */
    lvl_kind item; /* LVL_LIST: kind of its items: LVL_RECORD, LVL_TEXT (lvl_text), LVL_INT or LVL_REAL */
    uint32_t item_size; /* LVL_LIST: bytes of one item in memory; LVL_CELLS: bytes of a cell, 0 means 4 */
    const lvl_cell_name *cell_names; /* LVL_CELLS: ended by symbol 0; NULL when there are none */
    /* LVL_TEXT, LVL_BYTES: belongs to this group of parts ("scripts", "signs") that `extract` writes to files
     * and `pack` reads back; NULL: to none */
    const char *part;
    const char *part_ending; /* of its file, without dot ("js"); NULL: "txt" for texts, "bin" for bytes */
    /* Only documents of these forms can have a value other than the default: bit v stands for the value v of
     * the root's field with LVL_F_FORM. 0: all forms */
    uint64_t forms;
    /* In formats whose files are JSON: its key there, if that is not the name, with the keys of the objects
     * around it ("rules.difficulty"); empty: not in the JSON. With '?' at the end: left out if the value is
     * false, 0 or empty. "A|B": one key in levels, another in doodads */
    const char *json;
    lvl_use use; /* LVL_TEXT, LVL_LIST of texts: what it is for */
    /* LVL_INT: bits that only concern how the document is stored (compressed, by which rule): two documents
     * that differ only in these have the same content */
    uint64_t stored;
    lvl_summary summary;
};

#define LVL_IDENTITY_FIELDS 6

/* When two items are considered the same: the struct offsets of the members whose values must be equal. */
typedef struct lvl_identity {
    uint32_t count;
    uint32_t offsets[LVL_IDENTITY_FIELDS];
} lvl_identity;

struct lvl_table {
    const char *name; /* "object" */
    const char *prose; /* what the record is */
    uint32_t struct_size;
    uint32_t disk_size; /* bytes of the fixed part on disk; 0 when there is none */
    /* leading bytes that are the same in struct and file on a little-endian host: copied at once */
    uint32_t same_bytes;
    const lvl_field *fields;
    uint32_t field_count;
    const lvl_identity *identities; /* tried in order by diff; NULL: by position */
    uint32_t identity_count;
    const char *label; /* name of the field that identifies an item for people ("logic"), or NULL */
};

/* ---- rows of a table -------------------------------------------------------------------------------- */

/* Macros for rows. T is the struct, m the member; disk is the offset in the fixed part or LVL_NO_PLACE; at
 * least .prose follows. */
#define LVL_SIZEOF(T, m) ((uint32_t)sizeof(((T *)0)->m))
#define LVL_ROW(T, m, nm, k, ...)                                                                            \
    {                                                                                                        \
        .name = (nm), .kind = (k), .offset = (uint32_t)offsetof(T, m), .size = LVL_SIZEOF(T, m), __VA_ARGS__ \
    }
#define LVL_ROW_INT(T, m, nm, at, ...) \
    LVL_ROW(T, m, nm, LVL_INT, .flags = LVL_F_SIGNED, .disk = (at), __VA_ARGS__)
#define LVL_ROW_UINT(T, m, nm, at, ...) LVL_ROW(T, m, nm, LVL_INT, .disk = (at), __VA_ARGS__)
#define LVL_ROW_FLAGS(T, m, nm, at, nms, ...) \
    LVL_ROW(T, m, nm, LVL_INT, .flags = LVL_F_FLAGS | LVL_F_HEX, .disk = (at), .names = (nms), __VA_ARGS__)
#define LVL_ROW_SLOT(T, m, nm, at, ...) \
    LVL_ROW(T, m, nm, LVL_TEXT, .flags = LVL_F_SLOT, .disk = (at), __VA_ARGS__)
#define LVL_ROW_TEXT(T, m, nm, ...)  LVL_ROW(T, m, nm, LVL_TEXT, .disk = LVL_NO_PLACE, __VA_ARGS__)
#define LVL_ROW_BYTES(T, m, nm, ...) LVL_ROW(T, m, nm, LVL_BYTES, .disk = LVL_NO_PLACE, __VA_ARGS__)
#define LVL_ROW_REAL(T, m, nm, ...)  LVL_ROW(T, m, nm, LVL_REAL, .disk = LVL_NO_PLACE, __VA_ARGS__)
#define LVL_ROW_RECORD(T, m, nm, at, tbl, ...) \
    LVL_ROW(T, m, nm, LVL_RECORD, .disk = (at), .table = (tbl), __VA_ARGS__)
#define LVL_ROW_CELLS(T, m, nm, cnames, ...) \
    LVL_ROW(T, m, nm, LVL_CELLS, .disk = LVL_NO_PLACE, .cell_names = (cnames), __VA_ARGS__)
#define LVL_ROW_LIST(T, m, cnt, nm, tbl, itemT, ...)                                              \
    LVL_ROW(T, m, nm, LVL_LIST, .disk = LVL_NO_PLACE, .count_offset = (uint32_t)offsetof(T, cnt), \
            .table = (tbl), .item = LVL_RECORD, .item_size = (uint32_t)sizeof(itemT), __VA_ARGS__)
#define LVL_ROW_TEXTS(T, m, cnt, nm, ...)                                                         \
    LVL_ROW(T, m, nm, LVL_LIST, .disk = LVL_NO_PLACE, .count_offset = (uint32_t)offsetof(T, cnt), \
            .item = LVL_TEXT, .item_size = (uint32_t)sizeof(lvl_text), __VA_ARGS__)
#define LVL_ROW_INTS(T, m, cnt, nm, ...)                                                          \
    LVL_ROW(T, m, nm, LVL_LIST, .disk = LVL_NO_PLACE, .count_offset = (uint32_t)offsetof(T, cnt), \
            .item = LVL_INT, .item_size = (uint32_t)sizeof(*((T *)0)->m), __VA_ARGS__)
#define LVL_ROW_REALS(T, m, cnt, nm, ...)                                                         \
    LVL_ROW(T, m, nm, LVL_LIST, .disk = LVL_NO_PLACE, .count_offset = (uint32_t)offsetof(T, cnt), \
            .item = LVL_REAL, .item_size = (uint32_t)sizeof(double), __VA_ARGS__)
#define LVL_COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof(*(array))))

/* ---- reading and assigning members through a table -------------------------------------------------- */

/* `record` is a struct that the field's table describes. The field must be of the right kind; these functions
 * check nothing. */

/* The field called `name`, or NULL. */
LVL_API const lvl_field *lvl_table_find(const lvl_table *table, lvl_text name);
/* The field whose member starts at that struct offset, or NULL. This is how code refers to a field. */
LVL_API const lvl_field *lvl_table_at(const lvl_table *table, size_t struct_offset);
/* The field of member m of struct T, whose table is T_table: LVL_FIELD(lvl_wwd_object, logic). */
#define LVL_FIELD(T, m) lvl_table_at(&T##_table, offsetof(T, m))
/* The member's value: sign-extended if it is signed, else zero-extended. */
LVL_API int64_t lvl_get_int(const void *record, const lvl_field *field);
/* Sets the member, truncating the value to its size. */
LVL_API void lvl_put_int(void *record, const lvl_field *field, int64_t value);
/* The member's value. */
LVL_API double lvl_get_real(const void *record, const lvl_field *field);
/* The member's text; that of a slot is without trailing zeros. */
LVL_API lvl_text lvl_get_text(const void *record, const lvl_field *field);
/* The bytes, owned by the record or its document; a slot gives all its bytes. */
LVL_API lvl_bytes lvl_get_bytes(const void *record, const lvl_field *field);
/* The number of items of a list. */
LVL_API uint32_t lvl_list_count(const void *record, const lvl_field *field);
/* The item at `index` (not checked). */
LVL_API const void *lvl_list_item(const void *record, const lvl_field *field, uint32_t index);
/* The inner record in this member, a part of `record`. */
LVL_API const void *lvl_get_record(const void *record, const lvl_field *field);
/* The grid in this member, a part of `record`. */
LVL_API const lvl_cells *lvl_get_cells(const void *record, const lvl_field *field);
/* Whether the field exists in this record (its `when`). */
LVL_API bool lvl_field_present(const void *record, const lvl_field *field);
/* Deep comparison of content: values and unknowns, not derived or kept fields. */
LVL_API bool lvl_record_equal(const void *a, const void *b, const lvl_table *table);

#ifdef __cplusplus
}
#endif

#endif
