/*
 * sketchy/text/pieces.h: the pieces of a document's JSON text (base/piece.h). The reader notes each element
 * of each object and array: its position, and a hash of what was read from it. The writer copies the text of
 * an element whose content still has that hash.
 *
 *     json_read.c     notes the elements while it fills the records
 *     json_write.c    walks pieces and records together, and copies or writes each value
 *     json_match.c    finds the piece for each item of a list
 */
#ifndef LVL_SKETCHY_TEXT_PIECES_H
#define LVL_SKETCHY_TEXT_PIECES_H

#include "base/piece.h"
#include "sketchy/text/source.h"

/* An element of an object or array; positions are in the text. */
typedef struct lvl_json_piece {
    lvl_piece value;
    size_t from, to; /* with the white space around it: after the bracket or comma, and up to its own comma */
    size_t key, key_len; /* as spelled, with quotes; 0, 0 in an array */
    uint32_t member; /* of an object: number of the shape, or LVL_NO_INDEX: an unknown key */
    uint32_t source; /* of an attached file (lvl_sketchy_source) */
    const struct lvl_json_pieces *inside; /* NULL: the value has no elements, or they were not read */
} lvl_json_piece;

/* The elements of one object or array. */
typedef struct lvl_json_pieces {
    const lvl_json_piece *list;
    uint32_t count;
    bool array;
    size_t last, end; /* of the white space before the closing bracket */
} lvl_json_pieces;

/* The pieces of a document: lvl_pieces.own. The text is lvl_pieces.source. */
typedef struct lvl_noted_text {
    lvl_json_piece root;
    uint8_t kind; /* of the document, when it was read; 0 in packs */
    bool inherits; /* lvl_shape_absent */
} lvl_noted_text;

/* ---- for the reader ---------------------------------------------------------------------------------- */

/* The pieces of a text that is being read. All of these do nothing unless it is read for an edit. */
typedef struct lvl_json_notes {
    lvl_doc *doc;
    const lvl_tokens *t;
    lvl_buffer open; /* elements of the objects and arrays that have no end yet */
    const lvl_json_pieces *inside; /* of the value that was read last */
} lvl_json_notes;

/* An object or array that has no end yet. */
typedef struct lvl_json_bracket {
    size_t from; /* after its bracket, or the comma of its last element */
    size_t first; /* its elements are from there in lvl_json_notes.open */
    bool array;
} lvl_json_bracket;

/* Starts; drops earlier notes of the document. LVL_ERR_MEMORY. */
lvl_status lvl_json_notes_begin(lvl_json_notes *notes, lvl_doc *doc, const lvl_tokens *t, lvl_text text);
/* After the bracket of an object or array. */
lvl_json_bracket lvl_json_note_begin(const lvl_json_notes *notes, bool array);
/* After an element's value. `key`: NULL in an array. `piece`: its member, source and hash. */
void lvl_json_note(lvl_json_notes *notes, lvl_json_bracket *open, const lvl_token *key,
                   const lvl_token *value, lvl_json_piece piece);
/* After the closing bracket, or an error. */
void lvl_json_note_end(lvl_json_notes *notes, const lvl_json_bracket *open, const lvl_token *end);
/* After the document, or, if the text is broken, to drop the notes. LVL_ERR_LIMIT, LVL_ERR_MEMORY. */
lvl_status lvl_json_notes_end(lvl_json_notes *notes, const lvl_token *first, bool broken, bool inherits);

/* ---- for reader and writer --------------------------------------------------------------------------- */

/* The hash of a member's value in a record. */
uint64_t lvl_json_hash(const lvl_doc *doc, const lvl_hash_seed *seed, const lvl_shapes *shapes,
                       const lvl_shape *s, const uint8_t *record, bool outside);

#endif
