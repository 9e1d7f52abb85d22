/*
 * sketchy/shape.h: how records lie in the game's JSON: which key holds which member, in the order and manner
 * in which the game writes them. One description for reading and writing.
 */
#ifndef LVL_SKETCHY_SHAPE_H
#define LVL_SKETCHY_SHAPE_H

#include <lvl/sketchy.h>

typedef enum lvl_shape_kind {
    LVL_SHAPE_INT,          /* int64_t: a number */
    LVL_SHAPE_UINT,         /* uint32_t: a number */
    LVL_SHAPE_BOOL,         /* uint8_t: true or false */
    LVL_SHAPE_TEXT,         /* lvl_text: a string */
    LVL_SHAPE_POINT,        /* lvl_sketchy_point: "x,y" */
    LVL_SHAPE_OPTION_TYPE,  /* uint8_t: "bool", "str", "int" */
    LVL_SHAPE_OPTION_VALUE, /* lvl_text of an option: true, 12 or "…", by its type */
    LVL_SHAPE_OBJECT,       /* an object whose members are of the same record, or of one inside it: `sub`, at
                               `offset` */
    LVL_SHAPE_LAYER,    /* an object whose members are of the first item of a list, which there is always */
    LVL_SHAPE_RECORDS,  /* a list: an array of objects */
    LVL_SHAPE_MAP,      /* a list: an object of objects, the key in the item's member at `key`; written in the
                           keys' order */
    LVL_SHAPE_TEXT_MAP, /* a list: an object of strings; the item's key, then its value at `value` */
    LVL_SHAPE_TEXTS,    /* a list of texts: an array of strings */
    LVL_SHAPE_CHUNKS,   /* a layer's chunks: an object of chunks, which are told apart later */
    LVL_SHAPE_FILES     /* attached files: an object of {"data": base64} */
} lvl_shape_kind;

enum {
    LVL_SHAPE_OMIT = 1,   /* not written when it is false, 0 or empty */
    LVL_SHAPE_NULL = 2,   /* an empty list is written as null, not as [] or {} */
    LVL_SHAPE_OUTSIDE = 4 /* in zips it is outside of the JSON, where {} stands for it */
};

typedef struct lvl_shape lvl_shape;
struct lvl_shape {
    const char *key; /* NULL ends a list of shapes */
    lvl_shape_kind kind;
    unsigned flags;
    uint32_t offset; /* of the member in the record */
    uint32_t count;  /* lists: of the uint32_t count */
    uint32_t item;   /* lists: bytes of an item */
    uint32_t name;   /* maps: of the lvl_text in the item that is the key */
    uint32_t value;  /* text maps: of the lvl_text in the item that is the value */
    const lvl_shape *sub;
    const lvl_table *table; /* lists and objects of records: the items' table */
};

/* Of a level, a doodad, and a pack's index. */
extern const lvl_shape lvl_level_shape[], lvl_doodad_shape[], lvl_pack_shape[];

/* The shape of that key: exactly, else whatever the case, as Go reads; NULL: none. */
const lvl_shape *lvl_shape_find(const lvl_shape *shapes, lvl_text key);

#endif
