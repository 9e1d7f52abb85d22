/*
 * sketchy/drawing.h: what the parts of this family offer each other: reading and writing of drawings and
 * packs, and what a document remembers of where its late parts are encoded.
 */
#ifndef LVL_SKETCHY_DRAWING_H
#define LVL_SKETCHY_DRAWING_H

#include "base/format.h"
#include "container/zip.h"
#include "sketchy/shape.h"

/* ---- where late parts are ---------------------------------------------------------------------------- */

typedef enum lvl_source_kind {
    LVL_SOURCE_MEMBER, /* a member of the zip */
    LVL_SOURCE_JSON,   /* a piece of the JSON text */
    LVL_SOURCE_BASE64  /* a string in it, spelled as it stands */
} lvl_source_kind;

typedef struct lvl_source {
    lvl_source_kind kind;
    lvl_zip_member member; /* views of the input */
    lvl_text text;
    bool cut;         /* JSON: the text ends inside it */
    uint8_t encoding; /* of a chunk, */
    int32_t x, y;     /* and which it was */
} lvl_source;

/* doc->state of drawings and packs, in the document's arena. `source` members of records are indices in it,
 * plus 1. */
typedef struct lvl_sketchy_state {
    lvl_source *sources;
    uint32_t count, room;
    bool odd;         /* the file is kept for how it is put together: nothing in it is damaged */
    bool broken;      /* the text of the document breaks off; */
    uint64_t present; /* keys that are left: a bit for each of lvl_sketchy_shapes */
} lvl_sketchy_state;

/* Keeps the file as it was, `damaged` or only odd. LVL_ERR_MEMORY. */
lvl_status lvl_sketchy_keep_file(lvl_doc *doc, lvl_bytes *file, bool damaged);

/* Notes that the document's text breaks off, and which keys of the root it still has; LVL_ERR_MEMORY. */
lvl_status lvl_sketchy_note_broken(lvl_doc *doc, uint64_t present);
/* What was noted so far; all of it 0 where nothing was. */
lvl_sketchy_state lvl_sketchy_state_of(const lvl_doc *doc);

/* The source behind a record's number, or NULL. */
const lvl_source *lvl_sketchy_source(const lvl_doc *doc, uint32_t source);
/* Notes a source; its number, or 0 without memory. */
uint32_t lvl_sketchy_add_source(lvl_doc *doc, const lvl_source *source);
/* The bytes of a source: a view, or in `storage`. *sound (may be NULL): nothing was wrong with them. */
lvl_status lvl_sketchy_source_bytes(const lvl_doc *doc, const lvl_source *source, lvl_buffer *storage,
                                    lvl_bytes *out, bool *sound);
/* Appends a chunk as a layer has it whose chunks are of `size`; with pixels that were changed goes what its
 * source lists beyond it. `was` (NULL: none): a stream that is taken if it says the same. Nothing is appended
 * for a size that can't be. LVL_ERR_ARG: a grid of another size; LVL_ERR_LOSS: runs that go on past the
 * chunk's end, or pixels of other chunks that are to become runs. */
lvl_status lvl_sketchy_put_chunk(const lvl_doc *doc, const lvl_sketchy_chunk *chunk, uint32_t size,
                                 unsigned encoding, const lvl_bytes *was, lvl_buffer *out);
/* Whether records of the same table hold the same; what can't be decoded is empty. Chunks and files that are
 * members of a zip don't count in b if it has them `outside` of what a has. LVL_ERR_MEMORY. */
lvl_status lvl_sketchy_same(const lvl_doc *a, const void *ra, const lvl_doc *b, const void *rb,
                            const lvl_table *table, bool outside, bool *same);
/* Whether an item is a member of its own in a zip: files, and chunks that have a position to be named by. */
bool lvl_sketchy_is_member(const lvl_table *table, const void *item);
/* format's `decode`, of drawings and packs. */
bool lvl_sketchy_same_stored(const lvl_doc *a, const void *ra, const lvl_doc *b, const void *rb,
                             const lvl_field *field);
lvl_status lvl_sketchy_decode(const lvl_doc *doc, const void *record, const lvl_field *field,
                              lvl_buffer *storage, lvl_cells *cells);

/* ---- either root record ------------------------------------------------------------------------------ */

typedef struct lvl_file_list {
    lvl_sketchy_file **items;
    uint32_t *count;
    const lvl_field *field;
} lvl_file_list;

/* The members of a drawing's or a pack's root that its file is put together of. */
typedef struct lvl_archive {
    lvl_file_list files;
    lvl_text *json;
    lvl_zip_spelling **members;
    uint32_t *member_count;
    lvl_bytes *gap, *after, *file;
} lvl_archive;
lvl_archive lvl_sketchy_archive(const lvl_doc *doc);
static inline lvl_file_list lvl_sketchy_files(const lvl_doc *doc)
{
    return lvl_sketchy_archive(doc).files;
}
/* Appends a file. Its path and data live in the document's memory; NULL for want of it. LVL_ERR_MEMORY. */
lvl_status lvl_sketchy_add_file(lvl_doc *doc, lvl_text path, lvl_bytes data);

/* ---- JSON -------------------------------------------------------------------------------------------- */

/* A reading of JSON: where it reports to, and what it found. */
typedef struct lvl_json_reading {
    lvl_doc *doc;
    lvl_sink *sink;         /* or NULL */
    lvl_findings *findings; /* or NULL */
    uint32_t space;         /* that the text is in */
    uint64_t base;          /* offset of the text's first byte in that space */
    uint64_t outer;         /* offset in the file of the stream that the space comes from */
    size_t used;            /* out: bytes up to the document's end, or to where it broke */
    bool broken;            /* out: it broke off, or isn't JSON, at `used` */
    bool doubled;           /* out: an object has a known key twice */
    uint64_t present;       /* out: the root's keys that are there: a bit for each of lvl_sketchy_shapes */
    lvl_text chunks;        /* out: a level's object of chunks as it is in the text; empty: none */
    bool guessed;           /* level or doodad: only the text says it */
    bool recovered; /* the text was broken: sizes of chunks that it doesn't say become 0, not the default */
} lvl_json_reading;

/* Reads the text, which must live as long as the document, into the root record. Tolerant as the game is:
 * unknown keys and values of the wrong kind are passed over, each a finding. LVL_ERR_FORMAT: not even an
 * object; LVL_ERR_LIMIT, LVL_ERR_MEMORY. */
lvl_status lvl_sketchy_read_json(lvl_json_reading *reading, lvl_text text);
/* Appends the root record as JSON: `was` (empty: none) is the text that it was read from, and whatever in it
 * still says what the record holds stays as it is spelled, unknown keys too. `outside`: chunks and files are
 * elsewhere (zips). */
lvl_status lvl_sketchy_write_json(const lvl_doc *doc, lvl_text was, bool outside, lvl_buffer *out);
/* The same, but values of the wrong kind, which reading passes over, are replaced by what the record holds.
 * `complete`: keys that the game always writes are added. */
lvl_status lvl_sketchy_write_repaired(const lvl_doc *doc, lvl_text was, bool outside, bool complete,
                                      lvl_buffer *out);

/* ---- drawings and packs ------------------------------------------------------------------------------ */

/* "3,-1" as numbers, as Go's Atoi reads them; false if it isn't a chunk's key. */
bool lvl_sketchy_key(lvl_text key, int32_t *x, int32_t *y);
/* Whether a chunk's key is a position. */
bool lvl_sketchy_has_place(const lvl_sketchy_chunk *chunk);
/* Compares chunks by their places, row by row. */
static inline int lvl_sketchy_by_place(const lvl_sketchy_chunk *a, const lvl_sketchy_chunk *b)
{
    return a->y != b->y ? (a->y > b->y) - (a->y < b->y) : (a->x > b->x) - (a->x < b->x);
}
/* Whether a document of JSON is a level's or a doodad's: LVL_SKETCHY_LEVEL unless something speaks for the
 * other. */
uint8_t lvl_sketchy_kind_of(lvl_text json);
/* The members of a document's root in JSON. */
void lvl_sketchy_shapes(lvl_shapes *out, const lvl_doc *doc);
/* Whether a gzip member begins here. */
bool lvl_sketchy_is_gzip(lvl_bytes in);
/* Whether there is nothing but blanks and zeros. */
bool lvl_sketchy_is_padding(lvl_bytes bytes);
/* A layer that no document describes; its size is to be inferred (0) where the document is broken or gone. */
void lvl_sketchy_new_layer(const lvl_doc *doc, lvl_sketchy_layer *layer);
/* A level has its one layer whatever the file says; grids have the size of their layer's chunks.
 * LVL_ERR_MEMORY. */
lvl_status lvl_sketchy_sort_layers(lvl_doc *doc);
/* Emits a span of bytes of the file that wrap something; `sink` may be NULL. */
void lvl_sketchy_emit_span(lvl_sink *sink, uint64_t at, uint64_t len, const char *note);
/* Emits a span of bytes of a space that are in a field of the root, or where `field` is NULL wrap something;
 * `sink` may be NULL. */
void lvl_sketchy_emit_rest(lvl_sink *sink, uint32_t space, uint64_t at, size_t len, lvl_span_role role,
                           const lvl_field *field);

#endif
