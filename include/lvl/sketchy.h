/*
 * lvl/sketchy.h: the records of Sketchy Maze's drawings (`.level`, `.doodad`) and packs (`.levelpack`), in
 * all generations of the formats. The root record of a document of format "sketchy" (levels and doodads
 * alike) is a lvl_sketchy, that of a "levelpack" a lvl_levelpack.
 *
 * A drawing is a JSON document (title, palette, actors, scripts …), pixels, and attached files. The
 * generations differ only in how these are stored: v1 is one JSON text; v2 the same, gzipped; v3 a zip with a
 * member for each chunk of pixels, as JSON; v3.1 stores the chunks as binary lists of pixels; v4 as runs. So
 * there is one set of records for all, and `generation` determines what is written.
 *
 * Pixels are in chunks, squares of `size` px; a chunk's grid has an index in the palette for each px, or
 * LVL_SKETCHY_NONE. Grids and attached files are late: opening a document does not decode them. Read them
 * with lvl_sketchy_pixels and lvl_sketchy_file_data, which decode into the caller's memory; a member that was
 * assigned or edited (lvl_cells_edit) is already in memory and is used from then on.
 *
 * Text is UTF-8, and empty if the file has none. The pointer of a list is undefined while its count is 0.
 * Members may be assigned at any time, to memory that lives as long as the document (lvl_doc_alloc,
 * lvl_doc_text); kept members (see the tables) are written as long as reading them gives the record's
 * content. One thread edits; any number may read while none does.
 *
 * Statements about the game come from running its last release (0.14.0) and its newest source on real files,
 * or from that source. The two differ in v3 and v4, and in saving v1 and v2; lvl_ctx_set_profile chooses
 * whose rules apply to findings: "sketchy-0.14.0", "sketchy-head", or "game", which is the release, with
 * notes for files that only the newest source can read.
 */
#ifndef LVL_SKETCHY_H
#define LVL_SKETCHY_H

#include <lvl/doc.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LVL_SKETCHY_NONE = 0xFFFF, /* a pixel that isn't drawn */
    LVL_SKETCHY_COLORS = 256, /* swatches that the game allows */
    LVL_SKETCHY_CHUNK_SIZE = 128, /* default */
    LVL_SKETCHY_CHUNK_SIZE_MAX = 255
};

/* lvl_sketchy.kind */
enum { LVL_SKETCHY_LEVEL, LVL_SKETCHY_DOODAD };

/* lvl_sketchy.generation */
typedef enum lvl_sketchy_generation {
    LVL_SKETCHY_V1, /* JSON */
    LVL_SKETCHY_V2, /* gzip of JSON */
    LVL_SKETCHY_V3, /* zip, chunks in JSON */
    LVL_SKETCHY_V3_1, /* zip, chunks as binary lists: read by all programs */
    LVL_SKETCHY_V4, /* zip, chunks as runs: the smallest */
    LVL_SKETCHY_GENERATIONS
} lvl_sketchy_generation;

/* lvl_sketchy_chunk.encoding: how its pixels are stored. */
enum {
    LVL_SKETCHY_CHUNK_JSON, /* {"type":0,"data":{"x,y":index,…}}, in the document or a .json member */
    LVL_SKETCHY_CHUNK_BASE64, /* {"type":0,"data":"…"}: base64 of the binary list without its type */
    LVL_SKETCHY_CHUNK_MAP, /* .bin: type 0, then x, y (zig-zag varints, world coordinates), index */
    LVL_SKETCHY_CHUNK_RUNS /* .bin: type 1, then index, count, row by row over the chunk */
};

/* lvl_sketchy.page_type */
enum { LVL_SKETCHY_UNBOUNDED, LVL_SKETCHY_NO_NEGATIVE_SPACE, LVL_SKETCHY_BOUNDED, LVL_SKETCHY_BORDERED };

/* A position, in px of the world; y grows downwards. */
typedef struct lvl_sketchy_point {
    int64_t x, y;
} lvl_sketchy_point;

/* A part of a doodad's canvas, in px from its top left corner. */
typedef struct lvl_sketchy_rect {
    int64_t x, y, width, height;
} lvl_sketchy_rect;

/* A colour of the palette and how it behaves. Names need not be unique; pixels refer to it by its index.
 * Insert and remove swatches with lvl_set ("swatches[+1]={…}", "swatches-=ice"), which adjusts the pixels;
 * lvl_list_insert only moves swatches. */
typedef struct lvl_sketchy_swatch {
    lvl_text name;
    lvl_text color; /* "#rrggbb", as written; '#' optional, 3, 6 or 8 hex digits */
    lvl_text pattern; /* file name of a picture that it is drawn with, or empty */
    uint8_t solid, semisolid, fire, water, slippery;
} lvl_sketchy_swatch;

/* A square of pixels of a layer. Chunks may be in any order; empty ones may be missing. Do not copy the
 * struct into another document, where `source` would refer to that document's file: use lvl_copy
 * (lvl/tools.h), or assign the pixels (lvl_sketchy_pixels), in memory of the other document, and 0 to
 * `source`. */
typedef struct lvl_sketchy_chunk {
    lvl_text key; /* "3,-1": its column and row, as written */
    int32_t x, y; /* derived: the key as numbers; the chunk starts at world px x × size */
    uint8_t encoding; /* LVL_SKETCHY_CHUNK_… */
    lvl_cells pixels; /* late: size × size cells of 2 bytes */
    uint32_t source; /* for lvl only: where in the input it is encoded; 0: nowhere */
} lvl_sketchy_chunk;

/* The pixels of a level, or of one frame of a doodad. */
typedef struct lvl_sketchy_layer {
    lvl_text name; /* doodads; the only layer of a level has no name */
    uint32_t size; /* px of a chunk, each way */
    lvl_sketchy_chunk *chunks;
    uint32_t chunk_count;
} lvl_sketchy_layer;

/* lvl_sketchy_option.type */
enum { LVL_SKETCHY_BOOL, LVL_SKETCHY_STRING, LVL_SKETCHY_INT };

/* A setting of a doodad, or its value for an actor. */
typedef struct lvl_sketchy_option {
    lvl_text name;
    uint8_t type;
    lvl_text value; /* as text: "true", "12", "…"; for an actor its value, for a doodad the default */
} lvl_sketchy_option;

/* A doodad placed in a level. The game draws actors in no fixed order; lvl draws them sorted bytewise by
 * id. */
typedef struct lvl_sketchy_actor {
    lvl_text id;
    lvl_text filename; /* file name of its doodad */
    lvl_sketchy_point point; /* top left corner of its canvas, px */
    lvl_text *links; /* ids of actors */
    lvl_sketchy_option *options;
    uint32_t link_count, option_count;
} lvl_sketchy_actor;

/* A tag of a doodad: {"category", "objects,gizmos"}. */
typedef struct lvl_sketchy_tag {
    lvl_text name, value;
} lvl_sketchy_tag;

/* An attached file: a screenshot, an embedded doodad, a wallpaper. It is copied into another document like a
 * chunk (lvl_sketchy_file_data). */
typedef struct lvl_sketchy_file {
    lvl_text path; /* "assets/wallpapers/custom.b64img" */
    lvl_bytes data; /* late */
    uint32_t source; /* for lvl only, as in lvl_sketchy_chunk */
} lvl_sketchy_file;

/* How a member of a drawing's or pack's zip differs from what lvl would write. All are kept members. */
typedef struct lvl_zip_spelling {
    lvl_text name; /* as in the archive */
    lvl_bytes packed; /* its compressed bytes, if compressing again gives others, */
    uint32_t crc; /* and the checksum */
    uint64_t size; /* and inflated size as declared; both 0: the correct ones */
    lvl_bytes local; /* its local header, if unusual */
    lvl_bytes after; /* what follows its data, if unusual */
    lvl_bytes central; /* its entry in the directory, if unusual */
    lvl_bytes before; /* bytes before its local header that do not belong to a member */
} lvl_zip_spelling;

/* A level or doodad. */
typedef struct lvl_sketchy {
    uint8_t kind; /* LVL_SKETCHY_LEVEL or _DOODAD; decides which of the members below apply */
    uint8_t generation; /* lvl_sketchy_generation */
    int64_t version; /* 1 */
    lvl_text game_version, title, author;
    uint8_t locked;
    uint8_t hidden; /* doodads: not offered by the editor */
    lvl_text password, uuid;
    /* levels */
    int64_t difficulty; /* -1 peaceful, 0 normal, 1 hard */
    uint8_t survival;
    int64_t page_type, bounded_width, bounded_height;
    lvl_text wallpaper; /* file name */
    lvl_sketchy_point scroll;
    uint8_t save_doodads, save_builtins;
    lvl_text signature; /* base64 */
    lvl_sketchy_actor *actors;
    /* doodads */
    lvl_sketchy_rect size, hitbox;
    lvl_text script;
    lvl_sketchy_tag *tags; /* "data" in the file */
    lvl_sketchy_option *options;
    /* both */
    lvl_sketchy_swatch *swatches;
    lvl_sketchy_layer *layers;
    lvl_sketchy_file *files;
    uint32_t actor_count, tag_count, option_count, swatch_count, layer_count, file_count;
    /* kept */
    lvl_text json; /* the JSON document as in the file, if lvl would write it differently; has unknown keys */
    lvl_bytes gzip; /* v2: the gzip stream */
    lvl_zip_spelling *members; /* zips: members in their order */
    uint32_t member_count;
    lvl_bytes gap, after, file; /* see the tables */
} lvl_sketchy;

/* A pack's entry for a level, which is the file "levels/" + filename. */
typedef struct lvl_levelpack_level {
    lvl_text uuid, title, author, filename;
} lvl_levelpack_level;

/* A pack of levels. Each level in it is a complete level file: read it with lvl_read from
 * lvl_sketchy_file_data, or through lvl_container. */
typedef struct lvl_levelpack {
    lvl_text title, description, author, created; /* created: RFC 3339 */
    lvl_levelpack_level *levels; /* in the order of play */
    int64_t free_levels; /* 0: all are open from the start */
    lvl_text signature;
    lvl_sketchy_file *files; /* "levels/X.level", "doodads/X.doodad"; late */
    uint32_t level_count, file_count;
    /* kept, as in lvl_sketchy */
    lvl_text json;
    lvl_zip_spelling *members;
    uint32_t member_count;
    lvl_bytes gap, after, file;
} lvl_levelpack;

LVL_API extern const lvl_table lvl_sketchy_table;
LVL_API extern const lvl_table lvl_sketchy_swatch_table, lvl_sketchy_chunk_table, lvl_sketchy_layer_table,
    lvl_sketchy_option_table, lvl_sketchy_actor_table, lvl_sketchy_tag_table, lvl_sketchy_file_table;
LVL_API extern const lvl_table lvl_levelpack_table, lvl_levelpack_level_table;

/* The root record of a drawing, or of a pack; NULL if the document is something else. It lives as long as the
 * document. */
static inline lvl_sketchy *lvl_sketchy_of(lvl_doc *doc)
{
    return lvl_doc_format(doc)->table == &lvl_sketchy_table ? (lvl_sketchy *)lvl_doc_root(doc) : NULL;
}
static inline const lvl_sketchy *lvl_sketchy_cof(const lvl_doc *doc)
{
    return lvl_doc_format(doc)->table == &lvl_sketchy_table ? (const lvl_sketchy *)lvl_doc_croot(doc) : NULL;
}
static inline lvl_levelpack *lvl_levelpack_of(lvl_doc *doc)
{
    return lvl_doc_format(doc)->table == &lvl_levelpack_table ? (lvl_levelpack *)lvl_doc_root(doc) : NULL;
}
static inline const lvl_levelpack *lvl_levelpack_cof(const lvl_doc *doc)
{
    return lvl_doc_format(doc)->table == &lvl_levelpack_table ? (const lvl_levelpack *)lvl_doc_croot(doc)
                                                              : NULL;
}

/* Like lvl_list_append; returns the new item, to be filled; NULL: out of memory. */
static inline lvl_sketchy_actor *lvl_sketchy_add_actor(lvl_doc *doc, lvl_sketchy *drawing)
{
    const uint32_t last = drawing->actor_count;

    return lvl_list_append(doc, drawing, &lvl_sketchy_table, "actors", last) ? &drawing->actors[last] : NULL;
}

/* A chunk's grid: lvl_cell(out, x, y) is an index in the palette (swatch_count or more is possible in a
 * damaged file), or LVL_SKETCHY_NONE; 0,0 is its top left px, in the world at chunk->x × layer->size,
 * chunk->y × layer->size. `storage` is cleared first, keeps its memory from call to call, and is always freed
 * by the caller; `out` points into it, or to the grid that was assigned. Several threads may call this at
 * once, each with its own storage. LVL_ERR_FORMAT: some or all of it can't be decoded and is
 * LVL_SKETCHY_NONE; if there is no grid (an impossible size of chunks), out->ptr is NULL and it is 0 by 0.
 * LVL_ERR_MEMORY, LVL_ERR_LIMIT: the same. `out` can always be iterated, whatever is returned. */
LVL_API lvl_status lvl_sketchy_pixels(const lvl_doc *doc, const lvl_sketchy_chunk *chunk, lvl_buffer *storage,
                                      lvl_cells *out);
/* A chunk's grid for editing, which the document owns and will write: 2 bytes per px, little-endian, row by
 * row, size × size. Call it once for each round of edits. NULL: out of memory, or there is no grid. */
LVL_API uint8_t *lvl_sketchy_pixels_edit(lvl_doc *doc, lvl_sketchy_chunk *chunk);
/* The same as lvl_sketchy_pixels, for the content of an attached file. */
LVL_API lvl_status lvl_sketchy_file_data(const lvl_doc *doc, const lvl_sketchy_file *file,
                                         lvl_buffer *storage, lvl_bytes *out);

/* The name of a generation, "v3.1"; NULL: no such generation. Static storage. */
LVL_API const char *lvl_sketchy_generation_name(unsigned generation);

#ifdef __cplusplus
}
#endif

#endif
