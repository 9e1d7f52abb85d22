/*
 * base/piece.h: the pieces of a document's source. While a document is read for an edit (LVL_READ_EDIT), its
 * reader notes where each member of the root, and each item of a list, stood, and a hash of its content. The
 * writer copies the bytes of a piece whose content still has that hash, and encodes the others. So members
 * may be assigned freely, and nothing is read a second time to find out what has changed.
 *
 * A document that was not read so (from a dump, or for another purpose) has no pieces: its writer reads the
 * source once to get them (lvl_pieces_of).
 */
#ifndef LVL_BASE_PIECE_H
#define LVL_BASE_PIECE_H

#include "base/hash.h"

#include <lvl/doc.h>

typedef struct lvl_piece {
    size_t at, len; /* in the source */
    uint64_t hash; /* of its content */
} lvl_piece;

/* The pieces of a list of the root. */
typedef struct lvl_piece_list {
    const lvl_field *field;
    lvl_piece whole; /* the list itself */
    lvl_piece *items; /* NULL: they are not noted */
    uint32_t count, cap;
    struct lvl_piece_list *next;
} lvl_piece_list;

typedef struct lvl_pieces {
    lvl_bytes source;
    lvl_hash_seed seed;
    lvl_piece_list *lists;
} lvl_pieces;

/* For readers. All three do nothing in a document that is not read for an edit. */
/* Begins: what is noted so far is dropped. LVL_ERR_MEMORY. */
lvl_status lvl_pieces_begin(lvl_doc *doc);
/* The list gets room for `most` items. LVL_ERR_MEMORY. */
lvl_status lvl_pieces_reserve(lvl_doc *doc, const lvl_field *list, uint32_t most);
/* Notes that item `index` of a list of the root (LVL_NO_INDEX: the list, after its items), which is complete,
 * stands there. Items come in their order, and lvl_pieces_reserve before them. LVL_ERR_MEMORY. */
lvl_status lvl_piece_note(lvl_doc *doc, const lvl_field *list, uint32_t index, size_t at, size_t len);

/* For writers. */
/* The document whose pieces (and state) are those of `source`: `doc` itself, or `*again`, which is read from
 * it, and which the caller frees. NULL with a status: the source cannot be read. */
const lvl_doc *lvl_pieces_of(const lvl_doc *doc, lvl_bytes source, lvl_doc **again, lvl_status *status);
/* Whether the list has the content that it had in the source. */
bool lvl_piece_list_same(const lvl_pieces *pieces, const lvl_field *list, const void *root);

/* Which items of a list correspond to which of the source: equal ones at the end to each other, the others by
 * their number, as far as both have so many. */
typedef struct lvl_pairs {
    size_t was, now; /* how many the source has, and how many there are now */
    size_t back; /* how many at the end correspond */
} lvl_pairs;
/* Whether item `was` of the source has the content of item `now`. */
typedef bool (*lvl_same_item_fn)(const void *user, size_t was, size_t now);
lvl_pairs lvl_pairs_of(size_t was, size_t now, lvl_same_item_fn same, const void *user);
/* The item of the source that item `now` corresponds to; SIZE_MAX: it is new. */
static inline size_t lvl_pairs_was(const lvl_pairs *p, size_t now)
{
    if (now >= p->now - p->back)
        return now - p->now + p->was;
    return now < p->was - p->back ? now : SIZE_MAX;
}
/* What item `was` of the source is now; SIZE_MAX: it was removed. */
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
/* The piece of item `index`, and whether the item has its content; NULL: it is new. */
const lvl_piece *lvl_piece_find(const lvl_piece_pairs *pairs, uint32_t index, bool *same);

#endif
