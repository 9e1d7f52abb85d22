/*
 * sketchy/text/json_writing.h: what the files share that write records as the game's JSON into a source.
 *
 *     json_write.c    walks text and records together, and copies or writes each value
 *     json_match.c    finds the element of the text for each item of a list
 *     json_split.c    splits the text of an object or array into its elements
 */
#ifndef LVL_SKETCHY_TEXT_JSON_WRITING_H
#define LVL_SKETCHY_TEXT_JSON_WRITING_H

#include "base/hash.h"
#include "sketchy/drawing/read.h"

#define LVL_NO_ELEMENT UINT32_MAX

/* The state of the writer. `status` is the first failure; writing may continue after it. */
typedef struct lvl_json_writing {
    const lvl_doc *doc, *old; /* old: read from the source text; NULL without one */
    lvl_buffer *out;
    bool inherits; /* lvl_shape_absent, of the file that is written */
    uint32_t index; /* of the list's item that is written */
    uint32_t chunk_size; /* of the layer that is written */
    bool outside; /* chunks and files are members of a zip */
    bool repair_all; /* values of the wrong kind are replaced */
    bool complete; /* keys that the root does not have are added even if they have their defaults */
    lvl_shapes root;
    lvl_text chunks; /* the largest value of the old text, which need not be scanned again */
    lvl_status status;
} lvl_json_writing;

static inline void lvl_json_fail(lvl_json_writing *w, lvl_status status)
{
    if (w->status == LVL_OK)
        w->status = status;
}

/* Whether a record has the content of one of the source. */
static inline bool lvl_json_same(lvl_json_writing *w, const lvl_table *table, const uint8_t *old,
                                 const uint8_t *now)
{
    bool same = false;

    lvl_json_fail(w, lvl_sketchy_same(w->old, old, w->doc, now, table, w->outside, &same));
    return same;
}

/* ---- the source text (json_split.c) -------------------------------------------------------------- */

/* One element of a list's or an object's text. */
typedef struct lvl_json_element {
    lvl_text key, value; /* key: as spelled, with quotes */
    lvl_text before; /* from the brace or comma to the key or value */
    lvl_text colon;
    lvl_text after; /* from the value to the comma; empty where the brace follows */
    const lvl_shape *shape; /* of an object's member; NULL: unknown */
    bool used;
    /* for lvl_json_find_element, by the numbers of elements, or LVL_NO_ELEMENT: */
    uint32_t next; /* the next one with this key */
    uint32_t first_free; /* of the last one with a key: the first one that may be unused */
} lvl_json_element;

typedef struct lvl_json_elements {
    lvl_json_element *list; /* freed by the caller */
    size_t cap;
    uint32_t count;
    bool array; /* not an object */
    /* the white space of new elements, as the first ones have it, and in front of the closing brace */
    lvl_text before, colon, last;
} lvl_json_elements;

/* Splits the text of an array or object into its elements; none if it is another value. */
lvl_json_elements lvl_json_split(lvl_json_writing *w, lvl_text text, bool array);
bool lvl_json_key_is(const lvl_json_element *e, lvl_text key);

/* ---- lists (json_match.c) ------------------------------------------------------------------------ */

/* A list to be written, and what the source has of it. */
typedef struct lvl_json_list {
    const lvl_shape *shape;
    const lvl_field *field;
    const lvl_field *label; /* the items' field that is their key; NULL: the list is an array */
    const lvl_table *table; /* of the items, */
    lvl_shapes inside; /* and their members, where they are objects */
    const uint8_t *now; /* the items that are written, */
    uint32_t now_count; /* and how many */
    lvl_json_elements text; /* the source, */
    const uint8_t *old; /* the items that were read from it, */
    uint32_t old_count; /* and how many */
    uint32_t at; /* after the element that was found last */
    uint32_t first_unused; /* of an array's elements */
    lvl_hash by_key, by_label; /* elements by key, old items by label; filled when they are needed */
} lvl_json_list;

/* The element for item `index`, which is not used yet: in objects the one with its key; in arrays with as
 * many elements as items the one with its number, unless items changed places; in other arrays the next
 * one that holds it, else the next one if as many elements as items are left. NULL: none. */
lvl_json_element *lvl_json_find_element(lvl_json_writing *w, lvl_json_list *list, uint32_t index);
/* The item that an element was read into; NULL: none. `item`: the one that is written there, with its
 * label. */
const uint8_t *lvl_json_old_item(lvl_json_writing *w, lvl_json_list *list, const lvl_json_element *e,
                                 const uint8_t *item);

#endif
