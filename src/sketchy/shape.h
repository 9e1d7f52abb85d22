/*
 * sketchy/shape.h: the keys of the game's JSON, in the order in which the game writes them. Each names a
 * field of a record's table, which says all else about it.
 */
#ifndef LVL_SKETCHY_SHAPE_H
#define LVL_SKETCHY_SHAPE_H

#include "codec/tokens.h"

#include <lvl/sketchy.h>

/* The form of a value in JSON. */
typedef enum lvl_shape_kind {
    LVL_SHAPE_INT,          /* a number */
    LVL_SHAPE_BOOL,         /* true or false */
    LVL_SHAPE_TEXT,         /* a string */
    LVL_SHAPE_POINT,        /* lvl_sketchy_point: "x,y" */
    LVL_SHAPE_OPTION_TYPE,  /* "bool", "str", "int" */
    LVL_SHAPE_OPTION_VALUE, /* text of an option: true, 12 or "…", by its type */
    LVL_SHAPE_OBJECT,   /* an object with members of a record inside this one, or (no field) of this one */
    LVL_SHAPE_LAYER,    /* an object with members of the first item of a list, which there is always */
    LVL_SHAPE_RECORDS,  /* a list: an array of objects; null when empty */
    LVL_SHAPE_MAP,      /* a list: an object of objects by the items' labels; written in the keys' order */
    LVL_SHAPE_TEXT_MAP, /* a list of tags: an object of strings */
    LVL_SHAPE_TEXTS,    /* a list of texts: an array of strings */
    LVL_SHAPE_CHUNKS,   /* a layer's chunks: an object of chunks, decoded later; in zips they are elsewhere */
    LVL_SHAPE_FILES     /* attached files: an object of {"data": base64}; in zips they are elsewhere */
} lvl_shape_kind;

typedef struct lvl_shape lvl_shape;
struct lvl_shape {
    const char *key; /* NULL ends a list of shapes */
    lvl_shape_kind kind;
    bool omit;              /* not written when it is false, 0 or empty */
    const lvl_table *table; /* of the record; NULL: a group of members of the same record */
    uint32_t offset;        /* of the member in the record */
    const lvl_shape *sub;   /* members of an object, or of each item */
};

extern const lvl_table lvl_sketchy_rect_table; /* sketchy_tables.c */

/* Of a level, a doodad, and a pack's index. */
extern const lvl_shape lvl_level_shape[], lvl_doodad_shape[], lvl_pack_shape[];

/* The shape of that key: exactly, else whatever the case, as Go reads; NULL: none. */
const lvl_shape *lvl_shape_find(const lvl_shape *shapes, lvl_text key);
/* Whether a value is of the form that reading takes for this one. */
bool lvl_shape_accepts(const lvl_shape *s, const lvl_token *value);
/* The field that holds the value; not for groups. */
static inline const lvl_field *lvl_shape_field(const lvl_shape *s)
{
    return lvl_table_at(s->table, s->offset);
}
/* The member of a list's items that is their key in a map; NULL where items are an array's. */
static inline const lvl_field *lvl_shape_label(const lvl_shape *s)
{
    const lvl_field *list = lvl_shape_field(s);
    const bool map = s->kind != LVL_SHAPE_RECORDS && s->kind != LVL_SHAPE_TEXTS;

    return map ? lvl_table_find(list->table, lvl_text_of(list->table->label)) : NULL;
}
/* Whether its items may be members of a zip instead. */
static inline bool lvl_shape_is_outside(const lvl_shape *s)
{
    return s->kind == LVL_SHAPE_CHUNKS || s->kind == LVL_SHAPE_FILES;
}

#endif
