/*
 * base/piece.h: the pieces of a document's source. When a document is read for an edit (LVL_READ_EDIT), its
 * reader records the position of each member of the root and each item of a list, and a hash of its content.
 * The writer copies the bytes of a piece whose content still has that hash, and encodes the others. So
 * members can be assigned freely, and no second reading is needed to find out what has changed.
 *
 * A document that was made in another way (from a dump, or read for another purpose) has no pieces: its
 * writer reads the source once to get them (lvl_pieces_of).
 */
#ifndef LVL_BASE_PIECE_H
#define LVL_BASE_PIECE_H

#include "base/hash.h"

#include <lvl/doc.h>

typedef struct lvl_piece {
    size_t at, len; /* in the source */
    uint64_t hash; /* of the content */
} lvl_piece;

/* The pieces of a list of the root. */
typedef struct lvl_piece_list {
    const lvl_field *field;
    lvl_piece whole; /* the list itself */
    lvl_piece *items; /* NULL: not recorded */
    uint32_t count, cap;
    struct lvl_piece_list *next;
} lvl_piece_list;

typedef struct lvl_pieces {
    lvl_bytes source;
    lvl_hash_seed seed;
    lvl_piece_list *lists;
    const void *own; /* pieces that are not lists of the root, as the format has them; or NULL */
} lvl_pieces;

/* For readers. All three do nothing in a document that is not read for an edit. */
/* Starts recording; drops earlier records. LVL_ERR_MEMORY. */
lvl_status lvl_pieces_begin(lvl_doc *doc);
/* Reserves space for `most` items of the list. LVL_ERR_MEMORY. */
lvl_status lvl_pieces_reserve(lvl_doc *doc, const lvl_field *list, uint32_t most);
/* Records the position of item `index` of a list of the root (LVL_NO_INDEX: of the list itself, after
 * its items). The item must be complete. Items are recorded in order, after lvl_pieces_reserve.
 * LVL_ERR_MEMORY. */
lvl_status lvl_piece_note(lvl_doc *doc, const lvl_field *list, uint32_t index, size_t at, size_t len);

/* For writers. */
/* The document with the pieces (and state) of `source`: `doc` itself, or `*again`, which is read from
 * `source` and which the caller frees. NULL with a status: the source cannot be read. */
const lvl_doc *lvl_pieces_of(const lvl_doc *doc, lvl_bytes source, lvl_doc **again, lvl_status *status);
/* Whether the list has the same content as in the source. */
bool lvl_piece_list_same(const lvl_pieces *pieces, const lvl_field *list, const void *root);

/* Which items of a list correspond to which items in the source: equal items at the end correspond to each
 * other, the others by index. */
typedef struct lvl_pairs {
    size_t was, now; /* number of items in the source and now */
    size_t back; /* number of equal items at the end */
} lvl_pairs;
/* Whether item `was` of the source has the content of item `now`. */
typedef bool (*lvl_same_item_fn)(const void *user, size_t was, size_t now);
lvl_pairs lvl_pairs_of(size_t was, size_t now, lvl_same_item_fn same, const void *user);
/* The index in the source of item `now`; SIZE_MAX: it is new. */
static inline size_t lvl_pairs_was(const lvl_pairs *p, size_t now)
{
    if (now >= p->now - p->back)
        return now - p->now + p->was;
    return now < p->was - p->back ? now : SIZE_MAX;
}
/* The present index of item `was` of the source; SIZE_MAX: it was removed. */
static inline size_t lvl_pairs_now(const lvl_pairs *p, size_t was)
{
    const lvl_pairs other = {p->now, p->was, p->back};

    return lvl_pairs_was(&other, was);
}

/* The pairs of a list of the root. */
typedef struct lvl_piece_pairs {
    const lvl_pieces *pieces;
    const lvl_piece_list *was; /* NULL: the source has none */
    const void *root;
    const lvl_field *list;
    lvl_pairs pairs;
} lvl_piece_pairs;
lvl_piece_pairs lvl_piece_pair(const lvl_pieces *pieces, const lvl_field *list, const void *root);
/* The piece that item `index` corresponds to, and whether its content is the same; NULL: the item is new. */
const lvl_piece *lvl_piece_find(const lvl_piece_pairs *pairs, uint32_t index, bool *same);

#endif
