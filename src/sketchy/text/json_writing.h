/*
 * sketchy/text/json_writing.h: what json_write.c and json_match.c share.
 */
#ifndef LVL_SKETCHY_TEXT_JSON_WRITING_H
#define LVL_SKETCHY_TEXT_JSON_WRITING_H

#include "base/text.h"
#include "sketchy/text/pieces.h"

/* The sorted labels of a map's items, for earlier values of its key. */
typedef struct lvl_json_labels {
    const lvl_field *field;
    const uint8_t *base; /* of the record that has the map */
    lvl_sort_key *list;
    uint32_t count;
} lvl_json_labels;

/* The state of the writer. `status` is the first failure; writing may continue after it. */
typedef struct lvl_json_writing {
    const lvl_doc *doc;
    lvl_text was; /* the source text; empty: none */
    const lvl_doc *noted; /* the document with its pieces: `doc`, or read again from the text */
    lvl_hash_seed seed; /* of their hashes */
    lvl_buffer *out;
    bool inherits; /* lvl_shape_absent, of the file that is written */
    uint32_t index; /* of the list's item that is written */
    uint32_t chunk_size; /* of the layer that is written */
    bool joined; /* in an object whose key occurs twice: no hash is of its text alone, so nothing is copied */
    bool outside; /* chunks and files are members of a zip */
    lvl_json_labels
        labels[8]; /* of maps whose keys occur twice: of each field, those that were needed last */
    bool repair_all; /* values of the wrong kind are replaced */
    bool complete; /* keys that the root does not have are added even if they have their defaults */
    lvl_shapes root;
    lvl_status status;
} lvl_json_writing;

static inline void lvl_json_fail(lvl_json_writing *w, lvl_status status)
{
    if (w->status == LVL_OK)
        w->status = status;
}

/* ---- lists (json_match.c) ------------------------------------------------------------------------ */

/* What was found out about a piece of a list. */
typedef struct lvl_json_match {
    bool used;
    /* by numbers of pieces, or LVL_NO_INDEX: */
    uint32_t next; /* the next one with this key */
    uint32_t first_free; /* of the last one with a key: the first one that may be unused */
} lvl_json_match;

/* A list to be written, and its pieces. */
typedef struct lvl_json_list {
    const lvl_shape *shape;
    const lvl_field *field;
    const lvl_field *label; /* the items' field that is their key; NULL: the list is an array */
    const lvl_table *table; /* of the items, */
    lvl_shapes inside; /* and their members, where they are objects */
    uint32_t count; /* of the items that are written, */
    uint64_t *hashes; /* and what they are */
    const uint8_t *items;
    const lvl_json_pieces *was; /* the text */
    lvl_json_match *matches; /* of its pieces */
    uint32_t at; /* after the piece that was found last */
    uint32_t first_unused; /* of an array's pieces */
    lvl_hash by_key; /* pieces by key; filled when it is needed */
} lvl_json_list;

/* Whether a piece has that key. */
bool lvl_json_key_is(const lvl_json_writing *w, const lvl_json_piece *piece, lvl_text key);
/* The piece for item `index`, which is not used yet: in objects the one with its key; in arrays with as many
 * pieces as items the one with its number, unless items changed places; in other arrays the next one that
 * holds it, else the next one if as many pieces as items are left. NULL: none. */
const lvl_json_piece *lvl_json_find_piece(lvl_json_writing *w, lvl_json_list *list, uint32_t index);

#endif
