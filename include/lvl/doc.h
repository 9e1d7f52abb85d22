/*
 * lvl/doc.h: a document (one file in memory) and the formats that documents have.
 *
 * A lvl_doc owns an arena, its records and its input, which is borrowed or copied. Reading never changes a
 * document, so threads may share it while none edits. The records are plain structs (`lvl_doc_root`), members
 * may be assigned at any time; memory they point to must live in the document (lvl_doc_alloc, lvl_doc_text)
 * or outlive it.
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
    size_t max; /* refuse to grow beyond; 0: no bound */
    lvl_status status;
} lvl_buffer;

/* Frees the bytes and resets the buffer to {0}, so that it can be used again. NULL: nothing happens. */
LVL_API void lvl_buffer_free(lvl_buffer *buf);
/* Appends a copy of `len` bytes; `data` may be NULL if `len` is 0. As in the three calls below, an error
 * (LVL_ERR_MEMORY, LVL_ERR_LIMIT beyond `max`) is in `status`, and after one nothing more is appended. */
LVL_API void lvl_buffer_add(lvl_buffer *buf, const void *data, size_t len);
/* Appends a NUL-ended string without its NUL. Not NULL. */
LVL_API void lvl_buffer_str(lvl_buffer *buf, const char *str);
/* Appends one byte. */
LVL_API void lvl_buffer_u8(lvl_buffer *buf, uint8_t value);
/* Appends formatted text as printf writes it, without a NUL. LVL_ERR_ARG if the format cannot be printed. */
LVL_API void lvl_buffer_printf(lvl_buffer *buf, const char *fmt, ...) LVL_PRINTF(2, 3);

/* ---- formats ----------------------------------------------------------------------------------------- */

/* One form that documents of a family can be written in: a version of a format. What `convert --to` takes. */
typedef struct lvl_form {
    const char *name; /* "gr-v1.03", "nw": lower case, without blanks */
    const char *title; /* one line for people */
    const char *extension; /* of files in this form, without dot */
    const char *format; /* id of the format that such a document has */
    uint32_t version; /* the family's own number for it; 0: the format has no versions */
} lvl_form;

/* Bytes at a place of a file. */
typedef struct lvl_signature_part {
    uint32_t at; /* bytes from the file's start */
    uint32_t len; /* 0: no more parts */
    const char *bytes;
} lvl_signature_part;

/* What identifies sound files of a format without reading them: all parts have to be there. MIME types,
 * data/lvl.magic and data/pronom are made from it. lvl_probe recognizes more: damaged files, and formats
 * whose files have no fixed bytes. */
enum { LVL_SIGNATURE_PARTS = 6 };
typedef struct lvl_signature {
    const char *version; /* what it says beyond the format ("GR-V1.05", "compressed"), or NULL */
    lvl_signature_part parts[LVL_SIGNATURE_PARTS];
    /* A regular expression (POSIX, extended) that the first line fits in addition: only file(1) goes by it,
     * lvl_format_signature skips such a signature. NULL: none. */
    const char *line;
} lvl_signature;

/* A format: a constant of the library. Pointers that do not apply to a format are NULL. */
struct lvl_format {
    const char *id; /* "wwd": also the prefix of its findings */
    const char *family; /* "wwd" */
    const char *title; /* "WAP32 level (Claw, Gruntz)" */
    /* File name endings, blank-separated, lower case, without their first dots: "level doodad". Of one with a
     * dot, "tiledefs.txt", names need only contain what is before it: tiledefs1.txt. */
    const char *extensions;
    const char *mime; /* "application/x-wwd" */
    const char *later; /* how signatures of unsupported versions begin, blank-separated */
    lvl_codepage codepage; /* that its text is shown in unless the user chose one */
    const lvl_table *table; /* of the root record */
    /* Every finding that its reader, check and repair can report. */
    const lvl_finding_def *findings;
    uint32_t finding_count;
    /* The programs whose rules for such files differ. Formats of a family may share them. */
    const lvl_program *programs;
    uint32_t program_count;
    /* The forms that its documents can be converted to (lvl_convert), ended by a NULL name, the preferred one
     * of each format, and of each ending, first. */
    const lvl_form *forms;
    bool is_picture; /* a document is one picture */
    /* Pixels of the screenshots that its documents hold (lvl_doc_embed_screenshot); 0: they hold none. */
    uint32_t shot_width, shot_height;
    const lvl_signature *signatures; /* ended by one without parts; NULL: none */
    uint32_t player_height; /* px of the game's usual player; 0: not known */
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
       LVL_CAN_DRAW = 256, /* is made from a picture: lvl_doc_draw */
       LVL_CAN_PICTURE = 512, /* becomes a picture: lvl_doc_picture */
       LVL_CAN_RESTRUCTURE = 1024, /* lvl_doc_restructure */
       LVL_CAN_PALETTE = 2048, /* has a palette for other documents: lvl_doc_palette */
       LVL_CAN_LINKS = 4096, /* links to other files: lvl_doc_links */
       LVL_CAN_DRAW_LEVEL = 8192 /* is made of levels of other families: lvl_convert_scene */
};

/* The format at `index`, in a fixed order; NULL past the end. */
LVL_API const lvl_format *lvl_format_at(size_t index);
/* By id ("wwd"); NULL if there is none. */
LVL_API const lvl_format *lvl_format_find(const char *id);
/* The first of its signatures that the first bytes of a file have; NULL: none. `head` may be cut:
 * signatures beyond its end do not match. */
LVL_API const lvl_signature *lvl_format_signature(const lvl_format *format, lvl_bytes head);
/* What it can do, LVL_CAN_… */
LVL_API unsigned lvl_format_can(const lvl_format *format);

/* Names of abilities: a format has an ability if it has one of its bits. */
enum { LVL_ABILITIES = 6 };
typedef struct lvl_ability {
    unsigned can; /* LVL_CAN_… */
    const char *word;
} lvl_ability;
LVL_API extern const lvl_ability lvl_abilities[LVL_ABILITIES];

/* The programs of all formats, each once; NULL past the end. */
LVL_API const lvl_program *lvl_program_at(size_t index);
/* Sets the profile of that name ("strict", "game", "salvage"), or the program of that name, whose rules then
 * apply to files of its own formats, and those of the profile game to all others. False: no profile and no
 * program has that name; nothing is changed. */
LVL_API bool lvl_ctx_set_profile(lvl_ctx *ctx, const char *name);

/* For a file of unknown format: the format whose later version it is, by the beginning of its signature
 * ("GR-V1.06"); NULL: none. */
LVL_API const lvl_format *lvl_probe_later(lvl_bytes head);
/* How many bytes of a file's end lvl_probe needs, by its last 4 KiB and its size: more than these if they
 * point to a longer directory of an archive, at most 1 MiB. With a shorter tail, an archive with many members
 * may be taken for a foreign file. */
LVL_API size_t lvl_probe_tail(lvl_bytes tail, uint64_t size);
/* The format of a file by up to 4 KiB of its head, its tail (lvl_probe_tail), its whole size, and its name
 * (may be NULL), which is used only for formats without a signature, and for files with a wrong byte or two
 * in theirs. Returns the format with the most verified bits, or NULL for a foreign file. `bits` (may be NULL)
 * gets them. */
LVL_API const lvl_format *lvl_probe(lvl_bytes head, lvl_bytes tail, uint64_t size, const char *name,
                                    int *bits);

/* ---- documents --------------------------------------------------------------------------------------- */

enum { /* flags of lvl_read */
       /* don't copy the input: the caller keeps it alive and unchanged until lvl_doc_free */
       LVL_READ_BORROW = 1,
       /* The document is only shown: how its pixels are encoded is not analysed, which for pictures
        * takes as long as decoding them. It is still written as it was read; a dump holds the encoded
        * bytes. */
       LVL_READ_SHOW = 2,
       /* The document will be edited and written: where its parts stand is noted, with a hash of each.
        * Without this flag the result is the same, but an edited document reads its source again to write
        * it. */
       LVL_READ_EDIT = 4
};

/* Reads a document from memory. Unless LVL_OK is returned, `*out` is NULL. `format` NULL: probe. `name`
 * is the file's name for probing, or NULL. `findings` may be NULL. The reader is tolerant: LVL_OK with error
 * findings means a damaged file of which all that could be kept is there. The context must outlive the
 * document. */
LVL_API lvl_status lvl_read(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format, lvl_bytes input,
                            const char *name, unsigned flags, lvl_findings *findings);
/* The same from a file, whose format is probed; `path` is what fopen takes; on Windows it is UTF-8 (or, if
 * it is not, in the program's code page), and may be longer than 260 characters. LVL_ERR_IO, and
 * LVL_ERR_MISSING where there is no such file: errno has the reason. */
LVL_API lvl_status lvl_load(lvl_doc **out, const lvl_ctx *ctx, const char *path, lvl_findings *findings);
/* An empty document of that format with all defaults, to be filled. */
LVL_API lvl_status lvl_doc_new(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format);
/* Frees the document and all that it owns: records, texts, its copy of the input. NULL: nothing happens. */
LVL_API void lvl_doc_free(lvl_doc *doc);

/* Its format, in static storage. Any thread. */
LVL_API const lvl_format *lvl_doc_format(const lvl_doc *doc);
/* The context that it was made with. Any thread. */
LVL_API const lvl_ctx *lvl_doc_ctx(const lvl_doc *doc);
/* In how many places the file lacked content when it was read, since it is cut or damaged there: the document
 * does not have it either. 0: nothing is missing that a reader could notice. Any thread. */
LVL_API size_t lvl_doc_cuts(const lvl_doc *doc);
/* The code page of its texts. */
LVL_API lvl_codepage lvl_doc_codepage(const lvl_doc *doc);
/* The root record, a struct that its format's table describes (lvl_wwd for a WWD). */
LVL_API void *lvl_doc_root(lvl_doc *doc);
/* The same of a document that is only read. Any thread. */
LVL_API const void *lvl_doc_croot(const lvl_doc *doc);

/* Writes the document as its file: exactly the bytes it was read from when nothing was changed. Appends to
 * `out`. */
LVL_API lvl_status lvl_doc_write(const lvl_doc *doc, lvl_buffer *out);
/* The same, with findings: with LVL_ERR_LOSS for items that the format cannot represent; with LVL_OK for a
 * signature that a change made invalid. `findings` may be NULL. Members of which no file can have the value
 * (a second layer of a level, two chunks with one key, 7 for yes) may be written as something else:
 * lvl_doc_write_verified and lvl_doc_save_verified (lvl/tools.h) notice each of these. */
LVL_API lvl_status lvl_doc_write_with_findings(const lvl_doc *doc, lvl_buffer *out, lvl_findings *findings);
/* The same into a file, which is created, or replaced as a whole: on any error an existing file is unchanged.
 * LVL_ERR_IO: errno has the reason. */
LVL_API lvl_status lvl_doc_save(const lvl_doc *doc, const char *path, lvl_findings *findings);

/* Reads the document's input again, and sets the position of each finding that has a `where` and no position.
 * LVL_ERR_MEMORY, LVL_ERR_LIMIT, LVL_ERR_STOPPED: the findings stay as they were. Threads: the document is
 * only read. */
LVL_API lvl_status lvl_doc_locate(const lvl_doc *doc, lvl_findings *findings);

/* ---- files that a program provides ------------------------------------------------------------------- */

typedef enum lvl_file_kind {
    LVL_FILE_NONE, /* no such name, or not readable */
    LVL_FILE_REGULAR,
    LVL_FILE_FOLDER,
    LVL_FILE_OTHER /* a device, a pipe */
} lvl_file_kind;

/* A file system of the caller's own: files in memory, from the network or from an archive. Paths are UTF-8
 * with '/' between the parts: those given to the library, and paths derived from them, which may contain "."
 * and "..". Called by each thread that uses the object to which these files were given. */
typedef struct lvl_files {
    void *user;
    lvl_file_kind (*kind)(void *user, const char *path);
    /* Appends the bytes of a regular file. LVL_ERR_MISSING, LVL_ERR_IO, LVL_ERR_MEMORY. */
    lvl_status (*read)(void *user, const char *path, lvl_buffer *out);
    /* Appends the names in a folder, each ended by a NUL, in any order. Errors as above. */
    lvl_status (*list)(void *user, const char *path, lvl_buffer *names);
    LVL_ROOM(4);
} lvl_files;

/* ---- late members ------------------------------------------------------------------------------------ */

/* The grid of a cells member. A late one (LVL_F_LATE) that was not assigned is decoded into `storage`, which
 * is cleared first and which the caller frees in any case; `out` then points into it. The document is not
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

/* Zeroed memory that lives as long as the document; NULL without memory. */
LVL_API void *lvl_doc_alloc(lvl_doc *doc, size_t size);
/* A copy of the text in the document's memory; on failure an empty text with ptr NULL. */
LVL_API lvl_text lvl_doc_text(lvl_doc *doc, lvl_text text);
/* Sets a text member; LVL_ERR_ARG if it doesn't fit its slot (a slot keeps one byte for the NUL). */
LVL_API lvl_status lvl_put_text(lvl_doc *doc, void *record, const lvl_field *field, lvl_text text);
/* Inserts `count` default items before `index` of the list in `record`. Items move: pointers to them become
 * invalid. */
LVL_API lvl_status lvl_list_insert(lvl_doc *doc, void *record, const lvl_field *field, uint32_t index,
                                   uint32_t count);
/* Removes `count` items from `index` on; later items move to their place. LVL_ERR_ARG: `field` is no list,
 * or has fewer items; LVL_ERR_MEMORY. */
LVL_API lvl_status lvl_list_remove(lvl_doc *doc, void *record, const lvl_field *field, uint32_t index,
                                   uint32_t count);
/* Appends one item with all defaults to the list of that name, which has `count`. False without memory. Items
 * may move: pointers to them become invalid. One thread, while none reads. */
static inline bool lvl_list_append(lvl_doc *doc, void *record, const lvl_table *table, const char *list,
                                   uint32_t count)
{
    return lvl_list_insert(doc, record, lvl_table_find(table, lvl_text_of(list)), count, 1) == LVL_OK;
}

/* A writable copy of a cells member's grid, to which the member then points; zeroed where there was no grid.
 * Until then a grid is a read-only view. Each call makes a new copy, so keep the pointer. A late grid is
 * decoded as far as possible. NULL without memory, or beyond a limit. */
LVL_API uint8_t *lvl_cells_edit(lvl_doc *doc, void *record, const lvl_field *field);

#ifdef __cplusplus
}
#endif

#endif
