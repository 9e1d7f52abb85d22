/*
 * sketchy/model/shape.h: the objects of the game's JSON, as the tables describe them: `json` of a field is
 * its key there, and the kind of the field gives the form of the value.
 */
#ifndef LVL_SKETCHY_MODEL_SHAPE_H
#define LVL_SKETCHY_MODEL_SHAPE_H

#include "codec/tokens.h"

#include <lvl/sketchy.h>

/* The form of a value in JSON. */
typedef enum lvl_shape_kind {
    LVL_SHAPE_INT, /* a number */
    LVL_SHAPE_BOOL, /* true or false */
    LVL_SHAPE_TEXT, /* a string */
    LVL_SHAPE_XY, /* lvl_sketchy_point: "x,y" */
    LVL_SHAPE_OPTION_TYPE, /* "bool", "str", "int" */
    LVL_SHAPE_OPTION_VALUE, /* text of an option: true, 12 or "…", by its type */
    LVL_SHAPE_OBJECT, /* an object with members of a record inside this one, or (no field) of this one */
    LVL_SHAPE_LAYER, /* an object with members of the only item of a list */
    LVL_SHAPE_RECORDS, /* a list: an array of objects; null when empty */
    LVL_SHAPE_MAP, /* a list: an object of objects by the items' labels; written in the keys' order */
    LVL_SHAPE_TEXT_MAP, /* a list of tags: an object of strings */
    LVL_SHAPE_TEXTS, /* a list of texts: an array of strings */
    LVL_SHAPE_CHUNKS, /* a layer's chunks: an object of chunks, decoded later; in zips they are members */
    LVL_SHAPE_FILES /* attached files: an object of {"data": base64}; in zips they are members */
} lvl_shape_kind;

/* A member of an object. */
typedef struct lvl_shape {
    lvl_text key;
    lvl_shape_kind kind;
    bool omit; /* not written while it is false, 0 or empty */
    const lvl_field *field; /* that holds the value; NULL: an object of fields whose `json` begins with */
    lvl_text prefix; /* this text ("rules.") */
    uint32_t rank; /* by which an object's members are sorted */
} lvl_shape;

/* The members of an object, in the order in which the game writes them. */
typedef struct lvl_shapes {
    const lvl_table *table; /* of the record */
    unsigned kind; /* of the document: LVL_SKETCHY_LEVEL or _DOODAD; 0 in packs */
    uint32_t count;
    lvl_shape list[24];
} lvl_shapes;

/* Tables without a public name (sketchy/model/tables.c), and the one of an item of a list of texts (shape.c).
 * */
extern const lvl_table lvl_sketchy_point_table, lvl_sketchy_rect_table, lvl_sketchy_text_table;

/* The root of a level, a doodad or a pack. */
void lvl_shapes_root(lvl_shapes *out, const lvl_table *table, unsigned kind);
/* The object that the value of a member is, or each item of a list. Not for scalars. */
void lvl_shapes_inside(lvl_shapes *out, const lvl_shapes *around, const lvl_shape *s);
/* The member of that key: exactly, else in any case, as Go reads; NULL: none. */
const lvl_shape *lvl_shape_find(const lvl_shapes *shapes, lvl_text key);
/* Whether reading takes the value for this member. */
bool lvl_shape_accepts(const lvl_shape *s, const lvl_token *value);
/* What a member that is absent means in the game: its value in an item of that index. Where `inherits`, the
 * document is a zipped doodad, which the game reads into its default palette: the first swatch is solid, the
 * third fire, the fourth water, unless the text has `false`. */
bool lvl_shape_absent(const lvl_shape *s, bool inherits, uint32_t index);
/* The number of swatches to which the game gives a meaning by their index. */
enum { LVL_SHAPE_INHERITORS = 4 };
/* Whether it is an object of further members of the same record. */
static inline bool lvl_shape_is_group(const lvl_shape *s)
{
    return s->prefix.len > 0;
}
/* The table of a list's items. */
static inline const lvl_table *lvl_shape_table(const lvl_shape *s)
{
    return s->kind == LVL_SHAPE_TEXTS ? &lvl_sketchy_text_table : s->field->table;
}
/* The text that each item of a list is; NULL where items are objects. */
static inline const lvl_field *lvl_shape_text(const lvl_shape *s)
{
    return s->kind == LVL_SHAPE_TEXT_MAP ? LVL_FIELD(lvl_sketchy_tag, value)
           : s->kind == LVL_SHAPE_TEXTS  ? &lvl_sketchy_text_table.fields[0]
                                         : NULL;
}
/* The field of a list's items that is their key in a map; NULL where they are an array's. */
static inline const lvl_field *lvl_shape_label(const lvl_shape *s)
{
    const bool map = s->kind != LVL_SHAPE_RECORDS && s->kind != LVL_SHAPE_TEXTS;

    return map ? lvl_table_find(s->field->table, lvl_text_of(s->field->table->label)) : NULL;
}
/* Whether its items may be members of a zip instead. */
static inline bool lvl_shape_is_outside(const lvl_shape *s)
{
    return s->kind == LVL_SHAPE_CHUNKS || s->kind == LVL_SHAPE_FILES;
}

#endif
