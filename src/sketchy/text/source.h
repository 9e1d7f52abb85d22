/*
 * sketchy/text/source.h: functions that the files of this family share: reading and writing of drawings
 * and packs, and where the late parts of a document are encoded.
 */
#ifndef LVL_SKETCHY_DRAWING_H
#define LVL_SKETCHY_DRAWING_H

#include "base/format.h"
#include "container/zip.h"
#include "sketchy/model/names.h"
#include "sketchy/chunks/codec.h"
#include "sketchy/model/shape.h"

/* ---- where late parts are ---------------------------------------------------------------------------- */

typedef enum lvl_source_kind {
    LVL_SOURCE_MEMBER, /* a member of the zip */
    LVL_SOURCE_JSON, /* a piece of the JSON text */
    LVL_SOURCE_BASE64 /* a string in it, with its escapes */
} lvl_source_kind;

typedef struct lvl_source {
    lvl_source_kind kind;
    lvl_zip_member member; /* its bytes are views of the input */
    lvl_text text;
    bool cut; /* JSON: the text ends inside it */
    bool earlier; /* a file: it has its data more than once, of which the last one counts */
    uint8_t encoding; /* of a chunk, */
    int32_t x, y; /* and its position when it was read */
} lvl_source;

/* doc->state of drawings and packs, in the document's arena. `source` members of records are indices of
 * `sources`, plus 1. */
typedef struct lvl_sketchy_state {
    lvl_source *sources;
    uint32_t count, cap;
    bool odd; /* the file is kept because of its unusual structure: nothing in it is damaged */
    bool broken; /* the document's text is broken; */
    uint64_t present; /* the root's keys that are left: a bit for each of lvl_sketchy_shapes */
    bool edit; /* it was read for an edit; */
    uint32_t swatches; /* then so many were in its palette */
} lvl_sketchy_state;

/* Keeps the whole input as `file`. `damaged`: not only because of its unusual structure. LVL_ERR_MEMORY. */
lvl_status lvl_sketchy_keep_file(lvl_doc *doc, lvl_bytes *file, bool damaged);

/* Records that the document's text is broken, and which keys of the root are left. LVL_ERR_MEMORY. */
lvl_status lvl_sketchy_note_broken(lvl_doc *doc, uint64_t present);
/* Records the size of the palette as it was read. LVL_ERR_MEMORY. */
lvl_status lvl_sketchy_note_palette(lvl_doc *doc);
/* The document's state; all 0 if it has none. */
lvl_sketchy_state lvl_sketchy_state_of(const lvl_doc *doc);

/* The source with that number of a record, or NULL. */
const lvl_source *lvl_sketchy_source(const lvl_doc *doc, uint32_t source);
/* Adds a source; returns its number, or 0 without memory. */
uint32_t lvl_sketchy_add_source(lvl_doc *doc, const lvl_source *source);
/* The bytes of a source: a view, or in `storage`. *sound (may be NULL): they are complete and their checksum
 * fits. LVL_ERR_FORMAT: they cannot be read; LVL_ERR_LIMIT, LVL_ERR_MEMORY. */
lvl_status lvl_sketchy_source_bytes(const lvl_doc *doc, const lvl_source *source, lvl_buffer *storage,
                                    lvl_bytes *out, bool *sound);
/* Appends a chunk of a layer whose chunks are of `size`, encoded; pixels of other chunks that its source
 * lists are kept. `was` (NULL: none): a stream that is copied if it decodes to the same grid. Nothing is
 * appended for an impossible size. LVL_ERR_ARG: the grid has another size; LVL_ERR_LOSS: the source's runs
 * continue past the chunk's end, or pixels of other chunks would have to become runs. */
lvl_status lvl_sketchy_put_chunk(const lvl_doc *doc, const lvl_sketchy_chunk *chunk, uint32_t size,
                                 unsigned encoding, const lvl_bytes *was, lvl_buffer *out);
/* *same: whether two records of one table have the same content; what can't be decoded counts as empty.
 * LVL_ERR_MEMORY. */
lvl_status lvl_sketchy_same(const lvl_doc *a, const void *ra, const lvl_doc *b, const void *rb,
                            const lvl_table *table, bool *same);
/* A hash of a record's content, without decoding anything: a late member counts by its source, and if it was
 * decoded, as changed. `outside`: chunks and files that are members of a zip are ignored. */
uint64_t lvl_sketchy_hash(const lvl_doc *doc, const lvl_hash_seed *seed, const void *record,
                          const lvl_table *table, bool outside);
/* Whether an item is a member in a zip: files, and chunks that have a position. */
bool lvl_sketchy_is_member(const lvl_table *table, const void *item);
/* The format's `same_stored` and `decode`, of drawings and packs. */
bool lvl_sketchy_same_stored(const lvl_doc *a, const void *ra, const lvl_doc *b, const void *rb,
                             const lvl_field *field);
lvl_status lvl_sketchy_decode(const lvl_doc *doc, const void *record, const lvl_field *field,
                              lvl_buffer *storage, lvl_cells *cells);

/* A chunk that was decoded into `grid` (size × size cells of 2 bytes). */
typedef struct lvl_chunk_look {
    lvl_chunk_report report;
    bool encoded; /* it was decoded from the file; else it was in memory, and the report is empty */
    bool unsound; /* its stream or checksum is broken: the grid has the readable part */
    uint8_t encoding; /* as found, if it was encoded */
    uint32_t over; /* px whose index the palette does not have */
    uint32_t first_over; /* the first of these: cell, */
    uint16_t over_index; /* and index */
} lvl_chunk_look;
/* `size` must be 1 … 255. `inflated` is scratch memory, freed by the caller. LVL_ERR_MEMORY, LVL_ERR_LIMIT;
 * LVL_OK for broken chunks. */
lvl_status lvl_sketchy_look(const lvl_doc *doc, const lvl_sketchy_chunk *chunk, uint32_t size,
                            uint32_t swatches, lvl_buffer *inflated, uint8_t *grid, lvl_chunk_look *out);

/* ---- either root record ------------------------------------------------------------------------------ */

typedef struct lvl_file_list {
    lvl_sketchy_file **items;
    uint32_t *count;
    const lvl_field *field;
} lvl_file_list;

/* The members of a drawing's or a pack's root that make up its file. */
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
/* Appends a file. Its path and data are in the document's memory; NULL where allocating them failed.
 * LVL_ERR_MEMORY. */
lvl_status lvl_sketchy_add_file(lvl_doc *doc, lvl_text path, lvl_bytes data);

/* Reads the level or doodad in a file of the pack or of a level, as far as possible. `storage` holds its
 * bytes. *out is NULL if the status isn't LVL_OK. `findings` may be NULL. */
lvl_status lvl_sketchy_open_file(const lvl_doc *doc, const lvl_sketchy_file *file, lvl_buffer *storage,
                                 lvl_findings *findings, lvl_doc **out);

/* ---- JSON -------------------------------------------------------------------------------------------- */

/* A reading of JSON: its outputs and results. */
typedef struct lvl_json_reading {
    lvl_doc *doc;
    lvl_sink *sink; /* or NULL */
    lvl_findings *findings; /* or NULL */
    uint32_t space; /* that the text is in */
    uint64_t base; /* offset of the text's first byte in that space */
    uint64_t outer; /* offset in the file of the stream that the space is decoded from */
    size_t used; /* out: bytes up to the document's end, or to the break */
    bool broken; /* out: the text ends too early, or isn't JSON, at `used` */
    bool doubled; /* out: an object has a known key twice */
    uint64_t present; /* out: the root's keys in the text: a bit for each of lvl_sketchy_shapes */
    bool guessed; /* whether it is a level or a doodad follows from its keys alone */
    bool inherits; /* of a zipped doodad: flags that its swatches do not have are the default palette's */
    bool recovered; /* the text was broken: a missing size of chunks is set to 0, not to the default */
} lvl_json_reading;

/* Reads the text, which must live as long as the document, into the root record. Unknown keys and values of
 * the wrong kind are skipped, as in the game; each is a finding. LVL_ERR_FORMAT: not an object;
 * LVL_ERR_LIMIT, LVL_ERR_MEMORY. */
lvl_status lvl_sketchy_read_json(lvl_json_reading *reading, lvl_text text);
/* Appends the root record as JSON. `was` (empty: none) is the source text; every part of it whose content is
 * unchanged is copied, unknown keys included. `outside`: chunks and files are members of a zip. */
lvl_status lvl_sketchy_write_json(const lvl_doc *doc, lvl_text was, bool outside, lvl_buffer *out);
/* The same, but values of the wrong kind, which reading skips, are replaced by the record's values.
 * `complete`: keys that the game always writes are added. */
lvl_status lvl_sketchy_write_repaired(const lvl_doc *doc, lvl_text was, bool outside, bool complete,
                                      lvl_buffer *out);

/* ---- drawings and packs ------------------------------------------------------------------------------ */

/* Whether a chunk's key is a position. */
bool lvl_sketchy_has_place(const lvl_sketchy_chunk *chunk);
/* The column or row of chunks that a px of the world is in. */
static inline int64_t lvl_sketchy_chunk_of(int64_t px, int64_t size)
{
    return px / size - (px % size < 0);
}
/* Compares chunks by their positions, row by row. */
static inline int lvl_sketchy_by_place(const lvl_sketchy_chunk *a, const lvl_sketchy_chunk *b)
{
    return a->y != b->y ? (a->y > b->y) - (a->y < b->y) : (a->x > b->x) - (a->x < b->x);
}
/* Whether a JSON document is a level or a doodad, by its keys: LVL_SKETCHY_LEVEL if none decides. */
uint8_t lvl_sketchy_kind_of(lvl_text json);
/* The members of a document's root in JSON. */
void lvl_sketchy_shapes(lvl_shapes *out, const lvl_doc *doc);
/* Whether all bytes are blanks or zeros. */
bool lvl_sketchy_is_padding(lvl_bytes bytes);
/* Initializes a layer that the document does not describe. Where the document is broken or missing, its size
 * is 0: it will be inferred. */
void lvl_sketchy_new_layer(const lvl_doc *doc, lvl_sketchy_layer *layer);
/* Adds a level's one layer if it is missing, and sets the size of all grids to that of their layer's chunks.
 * LVL_ERR_MEMORY. */
lvl_status lvl_sketchy_sort_layers(lvl_doc *doc);
/* Emits a span of container bytes of the file; `sink` may be NULL. */
void lvl_sketchy_emit_span(lvl_sink *sink, uint64_t at, uint64_t len, const char *note);
/* Emits a span of bytes that a field of the root holds; `field` NULL: container bytes. `sink` may be NULL. */
void lvl_sketchy_emit_rest(lvl_sink *sink, uint32_t space, uint64_t at, size_t len, lvl_span_role role,
                           const lvl_field *field);

#endif
