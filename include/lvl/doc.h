/*
 * lvl/doc.h: documents (a file in memory) and their formats.
 *
 * A lvl_doc owns an arena, its records and its input, which is borrowed or copied. Reading never changes a
 * document, so threads may share it while none edits. The records are plain structs (`lvl_doc_root`) whose
 * members may be assigned at any time; memory they point to must be the document's (lvl_doc_alloc,
 * lvl_doc_text) or outlive it.
 */
#ifndef LVL_DOC_H
#define LVL_DOC_H

#include <lvl/record.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lvl_doc lvl_doc;
typedef struct lvl_format lvl_format;

/* ---- growable output --------------------------------------------------------------------------------- */

/* A growable byte buffer with a sticky status: append freely, check `status` once at the end. Initialise with
 * {0}, in C++ with {}. */
typedef struct lvl_buffer {
    uint8_t *data;
    size_t len, cap;
    size_t max; /* largest size; 0: no limit */
    lvl_status status;
} lvl_buffer;

/* Frees the bytes and resets the buffer to {0}, so that it can be used again. Accepts NULL. */
LVL_API void lvl_buffer_free(lvl_buffer *buf);
/* Appends a copy of `len` bytes; `data` may be NULL if `len` is 0. Here and in the three calls below,
 * `status` gets an error (LVL_ERR_MEMORY, LVL_ERR_LIMIT beyond `max`), after which nothing more is
 * appended. */
LVL_API void lvl_buffer_add(lvl_buffer *buf, const void *data, size_t len);
/* Appends a NUL-ended string without its NUL. Not NULL. */
LVL_API void lvl_buffer_str(lvl_buffer *buf, const char *str);
/* Appends one byte. */
LVL_API void lvl_buffer_u8(lvl_buffer *buf, uint8_t value);
/* Appends formatted text as printf writes it, without a NUL. LVL_ERR_ARG if the format cannot be printed. */
LVL_API void lvl_buffer_printf(lvl_buffer *buf, const char *fmt, ...) LVL_PRINTF(2, 3);

/* ---- formats ----------------------------------------------------------------------------------------- */

/* A form in which documents of a family can be written: a version of a format, as in `convert --to`. */
typedef struct lvl_form {
    const char *name; /* "gr-v1.03", "nw": lower case, without blanks */
    const char *title; /* one line for people */
    const char *extension; /* of files in this form, without dot */
    const char *format; /* id of the form's format */
    uint32_t version; /* the family's own number for it; 0: the format has no versions */
} lvl_form;

/* Bytes at a position in a file. */
typedef struct lvl_signature_part {
    uint32_t at; /* bytes from the file's start */
    uint32_t len; /* 0: no more parts */
    const char *bytes;
} lvl_signature_part;

/* Identifies undamaged files of a format without reading them: all parts must match. MIME types,
 * data/lvl.magic and data/pronom are made from it. lvl_probe also recognizes damaged files, and formats whose
 * files have no fixed bytes. */
enum { LVL_SIGNATURE_PARTS = 6 };
typedef struct lvl_signature {
    const char *version; /* version that it indicates ("GR-V1.05", "compressed"), or NULL */
    lvl_signature_part parts[LVL_SIGNATURE_PARTS];
    /* A regular expression (POSIX, extended) that the first line must also match. Only file(1) uses it;
     * lvl_format_signature skips such a signature. NULL: none. */
    const char *line;
} lvl_signature;

/* A format: a constant of the library. Pointers that do not apply to a format are NULL. */
struct lvl_format {
    const char *id; /* "wwd": also the prefix of its findings */
    const char *family; /* "wwd" */
    const char *title; /* "WAP32 level (Claw, Gruntz)" */
    /* File name endings, blank-separated, lower case, without their first dots: "level doodad". For an ending
     * with a dot inside, "tiledefs.txt", names need only contain the part before it: tiledefs1.txt. */
    const char *extensions;
    const char *mime; /* "application/x-wwd" */
    const char *later; /* beginnings of signatures of unsupported versions, blank-separated */
    lvl_codepage codepage; /* code page of its text, unless the user chose one */
    const lvl_table *table; /* table of the root record */
    /* All findings that its reader, check and repair can report. */
    const lvl_finding_def *findings;
    uint32_t finding_count;
    /* Programs with different rules for such files. Formats of a family may share them. */
    const lvl_program *programs;
    uint32_t program_count;
    /* The forms that its documents can be converted to (lvl_convert), ended by a NULL name. The preferred
     * form of each format, and of each ending, comes first. */
    const lvl_form *forms;
    bool is_picture; /* a document is one picture */
    bool is_part; /* a part of the art of levels, not a level: galleries do not list it */
    /* Size of the screenshots in its documents, in px; 0: they have none. */
    uint32_t shot_width, shot_height;
    const lvl_signature *signatures; /* ended by a signature without parts; NULL: none */
    uint32_t player_height; /* px of the game's usual player; 0: unknown */
    const struct lvl_format_calls *calls; /* the library's own */
};

enum { /* what a format can do: lvl_format_can */
       LVL_CAN_WRITE = 1,
       LVL_CAN_CHECK = 2,
       LVL_CAN_REPAIR = 4,
       LVL_CAN_RENDER = 8, /* has a scene */
       LVL_CAN_EXTRACT = 16, /* is a container: list, extract, pack */
       LVL_CAN_IMAGE = 32, /* is one picture: converts to and from PNG */
       LVL_CAN_CONVERT = 64, /* converts to other forms of its family: lvl_convert */
       LVL_CAN_PLAY = 128, /* is an animation: lvl_doc_play */
       LVL_CAN_DRAW = 256, /* can be made from a picture: lvl_doc_draw */
       LVL_CAN_PICTURE = 512, /* can become a picture: lvl_doc_picture */
       LVL_CAN_RESTRUCTURE = 1024, /* can be stored in other ways: chunks of another size */
       LVL_CAN_PALETTE = 2048, /* has a palette for other documents */
       LVL_CAN_LINKS = 4096, /* links to other files: lvl_doc_links */
       LVL_CAN_DRAW_LEVEL = 8192 /* can be made from levels of other families: lvl_convert_scene */
};

/* The format at `index`, in a fixed order; NULL past the end. */
LVL_API const lvl_format *lvl_format_at(size_t index);
/* By id ("wwd"); NULL if there is none. */
LVL_API const lvl_format *lvl_format_find(const char *id);
/* What it can do, LVL_CAN_… */
LVL_API unsigned lvl_format_can(const lvl_format *format);

/* Sets the profile with that name ("strict", "game", "salvage"), or the program with that name: its rules
 * then apply to files of its formats, and the profile game to all others. False: unknown name; nothing is
 * changed. */
LVL_API bool lvl_ctx_set_profile(lvl_ctx *ctx, const char *name);

/* How many bytes of a file's end lvl_probe needs, judging by its last 4 KiB and its size: more than 4 KiB if
 * these point to a longer archive directory, at most 1 MiB. With a shorter tail, an archive with many members
 * may be mistaken for a foreign file. */
LVL_API size_t lvl_probe_tail(lvl_bytes tail, uint64_t size);
/* The format of a file, from up to 4 KiB of its head, its tail (lvl_probe_tail), its size, and its name (may
 * be NULL), which matters only for formats without a signature and for files with one or two wrong bytes in
 * theirs. Returns the format that the most bits confirm, or NULL for a foreign file. `bits` (may be NULL)
 * gets their number. */
LVL_API const lvl_format *lvl_probe(lvl_bytes head, lvl_bytes tail, uint64_t size, const char *name,
                                    int *bits);

/* ---- documents --------------------------------------------------------------------------------------- */

enum { /* flags of lvl_read */
       /* don't copy the input: the caller keeps it alive and unchanged until lvl_doc_free */
       LVL_READ_BORROW = 1,
       /* The document is only shown: the encoding of its pixels is not analysed, which for pictures takes as
        * long as decoding them. It is still written as it was read; a dump contains the encoded bytes. */
       LVL_READ_SHOW = 2,
       /* The document will be edited and written: the positions of its parts are recorded, with a hash of
        * each. Without this flag the result is the same, but writing an edited document reads its source
        * again. */
       LVL_READ_EDIT = 4
};

/* Reads a document from memory. Unless LVL_OK is returned, `*out` is NULL. `format` NULL: probe. `name` is
 * the file's name for probing, or NULL. `findings` may be NULL. The reader is tolerant: LVL_OK with error
 * findings means a damaged file, and the document has everything that could be kept. The context must outlive
 * the document. */
LVL_API lvl_status lvl_read(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format, lvl_bytes input,
                            const char *name, unsigned flags, lvl_findings *findings);
/* The same from a file, whose format is probed; `path` is what fopen takes; on Windows it is UTF-8 (or, if
 * it is not, in the program's code page), and may be longer than 260 characters. LVL_ERR_IO, and
 * LVL_ERR_MISSING where there is no such file: errno has the reason. */
LVL_API lvl_status lvl_load(lvl_doc **out, const lvl_ctx *ctx, const char *path, lvl_findings *findings);
/* An empty document of that format with all defaults, to be filled. */
LVL_API lvl_status lvl_doc_new(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format);
/* Frees the document and everything it owns: records, texts, its copy of the input. Accepts NULL. */
LVL_API void lvl_doc_free(lvl_doc *doc);

/* Its format, in static storage. Any thread. */
LVL_API const lvl_format *lvl_doc_format(const lvl_doc *doc);
/* The context that it was made with. Any thread. */
LVL_API const lvl_ctx *lvl_doc_ctx(const lvl_doc *doc);
/* In how many places content was missing when the file was read, because it is cut off or damaged: it is
 * missing in the document, too. 0: the reader noticed nothing missing. Any thread. */
LVL_API size_t lvl_doc_cuts(const lvl_doc *doc);
/* The code page of its texts. */
LVL_API lvl_codepage lvl_doc_codepage(const lvl_doc *doc);
/* The root record, a struct described by the format's table (lvl_wwd for a WWD). */
LVL_API void *lvl_doc_root(lvl_doc *doc);
/* The same for a document that is only read. Any thread. */
LVL_API const void *lvl_doc_croot(const lvl_doc *doc);

/* ---- files that a program provides ------------------------------------------------------------------- */

typedef enum lvl_file_kind {
    LVL_FILE_NONE, /* no such name, or not readable */
    LVL_FILE_REGULAR,
    LVL_FILE_FOLDER,
    LVL_FILE_OTHER /* a device, a pipe */
} lvl_file_kind;

/* The caller's own file system: files in memory, from the network or from an archive. Paths are UTF-8 with
 * '/' between the parts: those given to the library, and paths derived from them, which may contain "." and
 * "..". Called by each thread that uses the object with these files. */
typedef struct lvl_files {
    void *user;
    lvl_file_kind (*kind)(void *user, const char *path);
    /* Appends the bytes of a regular file. LVL_ERR_MISSING, LVL_ERR_IO, LVL_ERR_MEMORY. */
    lvl_status (*read)(void *user, const char *path, lvl_buffer *out);
    /* Appends the names in a folder, each ended by a NUL, in any order. Errors as above. */
    lvl_status (*list)(void *user, const char *path, lvl_buffer *names);
    LVL_RESERVED(4);
} lvl_files;

/* ---- late members ------------------------------------------------------------------------------------ */

/* The grid of a cells member. A late member (LVL_F_LATE) that was not assigned is decoded into `storage`,
 * which is cleared first and always freed by the caller; `out` then points into it. The document is not
 * changed, so several threads may call this at once. LVL_ERR_FORMAT: cells that cannot be decoded have the
 * table's first named value; LVL_ERR_LIMIT. */
LVL_API lvl_status lvl_doc_cells(const lvl_doc *doc, const void *record, const lvl_field *field,
                                 lvl_buffer *storage, lvl_cells *out);
/* The same for a member of kind LVL_BYTES. */
LVL_API lvl_status lvl_doc_bytes(const lvl_doc *doc, const void *record, const lvl_field *field,
                                 lvl_buffer *storage, lvl_bytes *out);

/* Decodes every late member into the document; members that cannot be decoded are not changed. Counts as an
 * edit for threads. LVL_ERR_MEMORY, LVL_ERR_LIMIT, LVL_ERR_STOPPED. */
LVL_API lvl_status lvl_doc_open(lvl_doc *doc);

/* ---- editing ----------------------------------------------------------------------------------------- */

/* Zeroed memory that lives as long as the document; NULL: out of memory. */
LVL_API void *lvl_doc_alloc(lvl_doc *doc, size_t size);
/* A copy of the text in the document's memory; on failure an empty text with ptr NULL. */
LVL_API lvl_text lvl_doc_text(lvl_doc *doc, lvl_text text);
/* Sets a text member; LVL_ERR_ARG if it doesn't fit its slot (a slot keeps one byte for the NUL). */
LVL_API lvl_status lvl_put_text(lvl_doc *doc, void *record, const lvl_field *field, lvl_text text);
/* Inserts `count` default items before `index` of the list in `record`. Items move: pointers to them become
 * invalid. */
LVL_API lvl_status lvl_list_insert(lvl_doc *doc, void *record, const lvl_field *field, uint32_t index,
                                   uint32_t count);
/* Removes `count` items at `index`; later items move up. LVL_ERR_ARG: `field` is not a list, or has fewer
 * items; LVL_ERR_MEMORY. */
LVL_API lvl_status lvl_list_remove(lvl_doc *doc, void *record, const lvl_field *field, uint32_t index,
                                   uint32_t count);
/* Appends one default item to the list of that name, which has `count`. False: out of memory. Items may move:
 * pointers to them become invalid. One thread, while none reads. */
static inline bool lvl_list_append(lvl_doc *doc, void *record, const lvl_table *table, const char *list,
                                   uint32_t count)
{
    return lvl_list_insert(doc, record, lvl_table_find(table, lvl_text_of(list)), count, 1) == LVL_OK;
}

/* A writable copy of a cells member's grid, to which the member then points; zeroed if there was no grid.
 * Until then a grid is a read-only view. Each call makes a new copy, so keep the pointer. A late grid is
 * decoded as far as possible. NULL: out of memory, or beyond a limit. */
LVL_API uint8_t *lvl_cells_edit(lvl_doc *doc, void *record, const lvl_field *field);
/* Sets the cell at column x of row y of a cells member; the first call for a grid copies it, like
 * lvl_cells_edit. LVL_ERR_ARG: outside the grid, or the value does not fit; LVL_ERR_MEMORY; LVL_ERR_LIMIT:
 * decoded, a late grid is beyond a limit. */
LVL_API lvl_status lvl_set_cell(lvl_doc *doc, void *record, const lvl_field *field, uint32_t x, uint32_t y,
                                uint32_t value);

#ifdef __cplusplus
}
#endif

#endif
