/*
 * base/format.h: the functions of a format, and help for readers and writers. A format is one constant
 * (lvl_format in lvl/doc.h; src/formats.c has the table of all) with a pointer to these `calls`. Tools use
 * them and name no format.
 */
#ifndef LVL_BASE_FORMAT_H
#define LVL_BASE_FORMAT_H

#include "base/arena.h"
#include "base/findings.h"
#include "base/hash.h"
#include "base/info.h"
#include "base/record.h"
#include "base/sink.h"

#include <lvl/doc.h>
#include <lvl/image.h>

struct lvl_scene;
struct lvl_scene_request;
struct lvl_container;
struct lvl_art;
struct lvl_animation;
struct lvl_level_picture;
struct lvl_ground;
struct lvl_doc_link;
struct lvl_map_layout;
struct lvl_grammar;
struct lvl_book_item;

/* The input of probing: up to 4 KiB of the head and of the tail, the size and the name. Formats with a
 * `probe_tail` get a longer tail, if the caller has it. */
typedef struct lvl_probe_input {
    lvl_bytes head;
    lvl_bytes tail;
    uint64_t size;
    const char *name; /* file name without folder, or NULL */
} lvl_probe_input;

/* A derived member whose value in the file is not the one that the writer would compute. As long as the
 * computed value is `expected` and the member has `value`, the writer writes `value`. */
typedef struct lvl_override {
    const void *record;
    const lvl_field *field;
    int64_t expected;
    int64_t value;
    bool pending; /* set by undump: `expected` is not computed yet */
} lvl_override;

/* A list with spare zeroed memory at its end. When its items move, the entry is updated. */
typedef struct lvl_grown_list {
    const void *items;
    uint32_t used, cap; /* number of items, and capacity */
} lvl_grown_list;

/* Wrong bytes in a file's signature (base/header.h). */
enum { LVL_HEADER_WRONG = 2 };
typedef struct lvl_header_byte {
    uint32_t at; /* bytes from the file's start */
    uint8_t expected, found;
} lvl_header_byte;
typedef struct lvl_header {
    lvl_header_byte wrong[LVL_HEADER_WRONG];
    uint8_t count; /* 0: none is wrong */
} lvl_header;

struct lvl_doc {
    const lvl_ctx *ctx;
    const lvl_format *format;
    lvl_arena arena;
    lvl_bytes input;
    uint8_t *input_owned; /* the copy, or NULL when borrowed */
    lvl_sink *sink; /* gets the spans while the document is read, if that reading counts; or NULL */
    void *root;
    void *state; /* the family's own, in the arena; or NULL */
    uint32_t version; /* version of the format, if it has several; else 0 */
    lvl_override *overrides;
    uint32_t override_count;
    size_t override_cap;
    lvl_hash override_index; /* by record and field; all zero before the first override */
    lvl_grown_list *grown;
    uint32_t grown_count;
    size_t grown_cap;
    lvl_hash grown_index; /* by items; all zero before the first list grew */
    lvl_text signature; /* lvl_doc_signature as it was read */
    bool show; /* read with LVL_READ_SHOW */
    bool edit; /* read with LVL_READ_EDIT */
    struct lvl_pieces *pieces; /* pieces of its source (base/piece.h); NULL: not recorded */
    /* the file was transferred as text (base/transfer.h): `input` has that undone, writing redoes it */
    bool transferred;
    lvl_header header; /* `input` has the right bytes, writing restores the wrong ones */
    /* how many times reading found content missing: by findings of `calls->cuts`, or otherwise by the
     * reader */
    size_t cuts;
    bool cut_off; /* the reader took the file as cut off: lvl_doc_report_cut */
    lvl_codepage codepage; /* code page of its texts */
    struct lvl_file_seen *seen; /* the file that it was loaded from or saved to, or NULL */
};

/* Called by a format's `derive` for each derived member. */
typedef void (*lvl_derived_fn)(void *user, void *record, const lvl_field *field, int64_t computed);

/* Input and output of a repair. */
typedef struct lvl_repairs {
    lvl_findings *log; /* gets each change as a finding with its path and text */
    const struct lvl_art *art; /* or NULL */
    /* restore records that are recognized in unused bytes (left from an earlier, longer level); otherwise
     * such bytes are removed, and the log mentions that records could be restored */
    bool recover;
    bool normalize; /* also change what is only odd */
} lvl_repairs;

/* Whether a repair changes what the finding is about: an error in the profile of `ctx`, or anything if odd
 * things are normalized. */
bool lvl_repairs_wants(const lvl_repairs *repairs, const lvl_ctx *ctx, const lvl_finding_def *def);

typedef struct lvl_check_request {
    lvl_findings *findings;
    /* art search path for references to images; NULL: these are not checked */
    const struct lvl_art *art;
    /* the document that this one was edited from, or NULL. Findings about parts that are unchanged since then
     * may be left out, if nothing that they depend on has changed */
    const lvl_doc *edited;
    bool each; /* rules of games: a finding for each thing, instead of one for all */
} lvl_check_request;

/* A command of a format's scripts (or a variable that is set) whose first arguments are names of files
 * without their ending. */
typedef struct lvl_script_stem {
    const char *command, *ending; /* in lower case */
    unsigned args;
} lvl_script_stem;

/* A kept stream (LVL_F_STREAM) of `record` with what the writer would compress for it. `wrap`: an lvl_wrap
 * (codec/inflate.h). Any status but LVL_OK ends the calls. */
typedef lvl_status (*lvl_stream_fn)(void *user, const void *record, const lvl_field *field, int wrap,
                                    lvl_bytes content);

/* Receives content of a file that no member holds. `more`: it is extra text inside a part that is read, and
 * is passed together with that part. */
typedef void (*lvl_unread_fn)(void *user, lvl_text content, bool more, const lvl_where *where);

/* Where the file of a key may be: the folder, the rest of the key, whose `joint` separates folders, and the
 * ending. */
enum { LVL_FILE_PLACES = 16 };
typedef struct lvl_file_place {
    char folder[200]; /* as in the art: "GAME/SOUNDS"; "@/…" is in the level's own folder (scene/art.h) */
    lvl_text rest; /* of the key, at its end */
    char joint;
    bool own; /* it comes with the level, and not with the game */
    const char *ending;
} lvl_file_place;

/* Where files lie that have no signature and are known by their folder. */
typedef struct lvl_format_place {
    const char *folder; /* the name of their folder, in any case */
    const char *ending; /* of their names, without its dot */
    const char *beside; /* folders that are usual beside it, separated by blanks; `least` of them are there */
    unsigned least;
} lvl_format_place;

/* A frame of an animation that is made of parts of a picture. */
typedef struct lvl_animation_part {
    uint32_t x, y, width, height; /* in the picture */
    int32_t left, top; /* of its upper left corner, px from the point where the animation is drawn */
    uint32_t ms; /* how long it is shown */
    int64_t number; /* of its file in an image set; -1: it has none */
} lvl_animation_part;

typedef struct lvl_animation_parts {
    const char *picture; /* its file name */
    const lvl_animation_part *items; /* all frames of the first direction, then those of the next */
    uint32_t frames, directions; /* directions: 1 or 4: up, left, down, right */
    bool loops;
} lvl_animation_parts;

/* A kind of file of other programs that a document can be written as, one way. */
typedef struct lvl_export {
    const char *ending, *what; /* "mid", "a MIDI file" */
    bool text;
    /* LVL_ERR_LOSS: a number is too large for such a file. */
    lvl_status (*write)(const lvl_doc *doc, lvl_buffer *out);
} lvl_export;

/* The functions of a format. NULL: does nothing, or is unsupported. */
struct lvl_format_calls {
    /* The palette of a picture without its own, which the game finds by the picture's place: NULL if there is
     * none. `path`: of the picture, in its archive or on disk. NULL: the format needs none. */
    const struct lvl_palette *(*find_palette)(const struct lvl_art *art, const char *path);
    /* The format of the files in a container document (the levels of a pack); NULL: they are probed. */
    const lvl_format *members;
    /* Where files of the format lie that `probe` cannot know; NULL: it knows all. */
    const lvl_format_place *place;
    /* How many bits of the input confirm this format; 0: it is not this format. */
    int (*probe)(const lvl_probe_input *in);
    /* How many bytes of the file's end `probe` needs, judging by the last 4 KiB (which may point to a
     * directory); 0: the 4 KiB are enough. Or NULL. */
    uint64_t (*probe_tail)(lvl_bytes tail, uint64_t size);
    /* Fills doc->root (zeroed, defaults set) from doc->input; tolerant. sink and findings may be NULL. */
    lvl_status (*read)(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings);
    lvl_status (*write)(const lvl_doc *doc, lvl_buffer *out);
    /* Reports as an error each part of the document that the format cannot represent (a script that contains
     * its own end marker). LVL_ERR_LOSS if there is any, which write then returns, too. `findings` may be
     * NULL. Or NULL: the format can represent every document. */
    lvl_status (*check_writable)(const lvl_doc *doc, lvl_findings *findings);
    /* Calls visit for each derived member of the document with the value that the writer would compute. NULL:
     * no derived member of the format can disagree. */
    lvl_status (*derive)(lvl_doc *doc, lvl_derived_fn visit, void *user);
    /* What else its documents can be written as; ended by an empty entry. NULL: nothing. */
    const lvl_export *exports;
    /* Sets *bytes to the number of bytes that the writer copies from the source as spelling. NULL: all bytes
     * in kept members. A format whose kept bytes may be what the writer makes without them compares the two
     * here. LVL_ERR_MEMORY. */
    lvl_status (*kept)(const lvl_doc *doc, uint64_t *bytes);
    /* Whether the writer would produce these kept bytes (a member of the root, role LVL_KEPT) without them,
     * so that a dump can omit them. May take as long as compressing them. NULL: never. */
    lvl_status (*can_regenerate)(const lvl_doc *doc, const lvl_field *field, bool *out);
    /* Calls visit for each stream that the file has as a kept member, whether or not the document has it: so
     * a dump finds out how it was made, and undump makes it again. Any order. NULL: there are none. */
    lvl_status (*streams)(const lvl_doc *doc, lvl_stream_fn visit, void *user);
    /* Records the pieces of a document that was read with LVL_READ_EDIT, once it is complete. NULL: its
     * reader records them, or there are none. LVL_ERR_MEMORY, LVL_ERR_LIMIT. */
    lvl_status (*note_pieces)(lvl_doc *doc);
    /* `write` of a format whose writer verifies its output by reading it: `*again` gets that document, which
     * uses the bytes in `out`; it may stay NULL. Its findings are added to `found` (may be NULL). NULL:
     * `write` does not read its output. */
    lvl_status (*write_read)(const lvl_doc *doc, lvl_buffer *out, lvl_findings *found, lvl_doc **again);
    /* Drops all spelling. For repair and `dump --no-kept`. NULL: the format has none. */
    void (*drop_spelling)(lvl_doc *doc);
    /* Checks rules of the game and references, beyond what the reader reports. */
    lvl_status (*check)(const lvl_doc *doc, const lvl_check_request *request);
    lvl_status (*repair)(lvl_doc *doc, lvl_repairs *repairs);
    lvl_status (*info)(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art);
    /* Document -> scene; see lvl/scene.h. */
    lvl_status (*scene)(const lvl_doc *doc, const struct lvl_scene_request *request, struct lvl_scene **out);
    /* Document -> container over it; see container/container.h. */
    lvl_status (*open_container)(lvl_doc *doc, struct lvl_container **out);
    /* Document -> picture, in plain colours; the reverse of `draw`. `layer`: number or name of a layer, whose
     * position becomes the picture's offset; NULL: the first. Formats that are one picture (LVL_CAN_IMAGE)
     * ignore it. LVL_ERR_MISSING: no such layer. Or NULL. */
    lvl_status (*to_image)(const lvl_doc *doc, const char *layer, lvl_image *out);
    /* Picture -> a new document of one layer, by draw_options. What the document cannot represent is a
     * finding in `losses` and approximated. LVL_ERR_ARG: an invalid option. Formats that are one picture
     * (LVL_CAN_IMAGE) ignore the options; other members of the document are not changed. Or NULL. */
    lvl_status (*draw)(lvl_doc *doc, const lvl_image *image, const lvl_draw_options *draw_options,
                       lvl_findings *losses);
    /* Stores everything that the picture of to_image does not show in image->rest (malloc), so that `draw`
     * can restore it; a finding in `losses` for each part that cannot be stored. `keep` false: stores
     * nothing, and reports everything that the picture does not show as a loss. Or NULL. */
    lvl_status (*rest)(const lvl_doc *doc, const char *layer, bool keep, lvl_image *image,
                       lvl_findings *losses);
    /* Fills a new document with the colours of a palette file of another kind, for lvl_draw_options.palette.
     * LVL_ERR_FOREIGN: not such a palette. Or NULL. */
    lvl_status (*read_palette)(lvl_doc *doc, lvl_bytes file);
    /* Changes how a document is stored; losses as above. LVL_ERR_UNSUPPORTED: an option that does not apply
     * to the document. Or NULL. */
    lvl_status (*restructure)(lvl_doc *doc, const lvl_draw_options *draw_options, lvl_findings *losses);
    /* Stores a picture of the level's start (`shot_width` by `shot_height` px, RGBA8) in the document, in
     * each size that the game uses. Losses as above. LVL_ERR_UNSUPPORTED: the document cannot hold one. Or
     * NULL. */
    lvl_status (*embed_screenshot)(lvl_doc *doc, const lvl_image *shot, lvl_findings *losses);
    /* Document -> palette (PAL). */
    lvl_status (*to_palette)(const lvl_doc *doc, lvl_palette *out);
    /* Fills a new document with a level drawn from the scene of another family; losses as above. Or NULL. */
    lvl_status (*draw_level)(lvl_doc *doc, struct lvl_level_picture *picture, lvl_findings *losses);
    /* Fills `to`, a new document of the form's format, with the content of `from`. What the form cannot
     * represent is left out or approximated, with a finding in `losses` ("graal.loss.layer") that has the
     * path in `from`. Losses are not failures. */
    lvl_status (*convert)(const lvl_doc *from, const lvl_form *form, lvl_doc *to, lvl_findings *losses);
    /* An animation's frames and times; see lvl/scene.h. `scene` returns the scene of a frame. */
    lvl_status (*play)(const lvl_doc *doc, const struct lvl_scene_request *request,
                       struct lvl_animation **out);
    /* Fills a new document with an animation of parts of a picture, or of the files of an image set; losses
     * as above. LVL_ERR_ARG: it needs numbers, and a part has none. Or NULL. */
    lvl_status (*animate)(lvl_doc *doc, const lvl_animation_parts *parts, lvl_findings *losses);
    bool animates_files; /* its frames are files of an image set, and not parts of a picture */
    /* Decodes a late member (LVL_F_LATE) whose `ptr` is NULL into the empty `storage`. For LVL_CELLS that
     * gets the rows of `cells`, whose width, height and cell size are already set; for LVL_BYTES (`cells`
     * NULL) the bytes. LVL_ERR_LOSS: only a part could be decoded, and is in `storage`. NULL: the format has
     * no late members. */
    lvl_status (*decode)(const lvl_doc *doc, const void *record, const lvl_field *field, lvl_buffer *storage,
                         lvl_cells *cells);
    /* Whether a late member is not decoded in either document and is stored as the same bytes in both. NULL:
     * unknown. */
    bool (*same_stored)(const lvl_doc *a, const void *ra, const lvl_doc *b, const void *rb,
                        const lvl_field *field);
    /* Visits each link to another file: lvl_doc_links. NULL: the format has none. */
    lvl_status (*links)(const lvl_doc *doc, lvl_status (*visit)(void *user, const struct lvl_doc_link *link),
                        void *user);
    /* Where a player can walk (games/ground.h), in the memory of `arena`. NULL: not known for the format. */
    lvl_status (*ground)(const lvl_doc *doc, lvl_arena *arena, struct lvl_ground *out);
    /* The rules of the document's lines, by which the functions of lines/grammar.h read, write and repair it;
     * NULL for a document without rules. NULL for formats that are not text. */
    const struct lvl_grammar *(*grammar)(const lvl_doc *doc);
    /* How its records appear in a map editor (base/map_layout.h); NULL: not at all. */
    const struct lvl_map_layout *map_layout;
    /* Changes parts that were copied from a document of another form to a form (LVL_F_FORM) that this
     * document can hold. NULL: it can hold all. */
    void (*settle)(lvl_doc *doc);
    /* Findings of the reader which mean that content is missing from the document because the file is cut off
     * or damaged; ended by NULL. NULL: none. */
    const lvl_finding_def *const *cuts;
    /* Visits content of the file that no member holds: lines that are not commands, unknown keys. NULL:
     * members hold all content. */
    lvl_status (*unread)(const lvl_doc *doc, lvl_unread_fn visit, void *user);
    /* The books of the games whose levels the format holds (games/book.h); ended by NULL. NULL: none. */
    const struct lvl_book *const *books;
    /* What the book of the document's game says about an item of a list with that table (NULL: nothing in
     * particular, only which book it is). False: no book describes such items. NULL: of none. */
    bool (*describe)(const lvl_doc *doc, const lvl_table *table, const void *item, struct lvl_book_item *out);
    /* The places where the game looks for the file of a key (lvl_book_use.file), in its order; of an empty
     * key, those of any key. Returns their number. NULL: no text of a document is such a key. */
    uint32_t (*file_places)(const lvl_doc *doc, lvl_use use, lvl_text key,
                            lvl_file_place out[LVL_FILE_PLACES]);
    /* Names of files that the game asks for by itself, separated by blanks; NULL: none are known. */
    const char *own_files;
    /* What names files in scripts without their ending; ended by an empty entry. NULL: nothing. */
    const lvl_script_stem *script_stems;
    /* The list of the root whose items scripts name by their number (`say 3`); NULL: none. */
    const char *script_list;
    /* Visits these numbers in a script, with the text that they are written as. */
    void (*script_numbers)(lvl_text script, void (*visit)(void *user, uint32_t number, lvl_text written),
                           void *user);
};
typedef struct lvl_format_calls lvl_format_calls;

/* A call that only makes or restructures drawings. The module for browsers leaves it out
 * (web/CMakeLists.txt). */
#ifdef LVL_WITHOUT_DRAWING
#define LVL_DRAWING(call) (0 ? (call) : NULL)
#else
#define LVL_DRAWING(call) (call)
#endif

/* Rows of a format's table of signatures; `bytes` is a string constant. */
#define LVL_BYTES_AT(at, bytes)      \
    {                                \
        at, sizeof(bytes) - 1, bytes \
    }
#define LVL_SIGNATURE(version, ...)  \
    {                                \
        version, {__VA_ARGS__}, NULL \
    }

/* ---- the context's formats (base/probe.c) ----------------------------------------------------------- */

/* The number of formats (formats.c). */
size_t lvl_format_count(void);
/* The table, ended by NULL; without entries if `ctx` is NULL or was not made by lvl_ctx_init. */
const lvl_format *const *lvl_formats_of(const lvl_ctx *ctx);
/* The format of that id, or NULL. */
const lvl_format *lvl_formats_find(const lvl_ctx *ctx, const char *id);
/* The bits of a file that is recognized only after wrong bytes in its header are corrected
 * (base/header.h). */
enum { LVL_PROBED_BY_HEADER = 1 };
/* The format with the most confirmed bits, whose number goes to `bits` (may be NULL); NULL for a foreign
 * file. */
const lvl_format *lvl_formats_probe(const lvl_ctx *ctx, const lvl_probe_input *in, int *bits);
/* See lvl_probe_tail. */
size_t lvl_formats_probe_tail(const lvl_ctx *ctx, lvl_bytes tail, uint64_t size);
/* Whether the format has that ending, without its dot, in any case. */
bool lvl_format_has_extension(const lvl_format *format, lvl_text ending);
/* lvl_formats_probe for a whole file. `name` and `bits` may be NULL. */
const lvl_format *lvl_formats_probe_file(const lvl_ctx *ctx, lvl_bytes file, const char *name, int *bits);

/* ---- help for readers and writers -------------------------------------------------------------------- */

/* The findings for exceeded limits: in the order of lvl_limit, from LVL_LIMIT_INPUT (base/limits.c). */
enum { LVL_DOC_LIMITS = LVL_LIMIT_FIXED };
extern const lvl_finding_def lvl_doc_limits[LVL_DOC_LIMITS];
/* Like lvl_usage_report, with a path in the document (NULL: the document as a whole). */
void lvl_usage_report_at(const lvl_usage *usage, const lvl_ctx *ctx, const lvl_where *where,
                         lvl_findings *findings);
/* Reported once by check, in place of each missing picture, level or doodad, if none of them was found and
 * the user gave no art (lvl_art_given). */
extern const lvl_finding_def lvl_doc_art_absent;
/* Reported by lvl_abi_render for a picture that was drawn without some of its art. */
extern const lvl_finding_def lvl_doc_art_missing;
/* Reported for a picture that was found in the art and is damaged (lvl_art_damaged). */
extern const lvl_finding_def lvl_doc_art_unreadable;
/* Reported by `lvl check' about a folder as a whole. */
extern const lvl_finding_def lvl_doc_level_unlinked, lvl_doc_file_unnamed, lvl_doc_file_case;
extern const lvl_finding_def lvl_doc_counterpart;
/* Reported by lvl_read for a file that was transferred as text. */
extern const lvl_finding_def lvl_doc_transferred;
/* Reported by lvl_read for a file with wrong bytes in its signature. */
extern const lvl_finding_def lvl_doc_header;
/* Reported by lvl_container_read for a file that it cannot read in full. */
extern const lvl_finding_def lvl_doc_member_damaged;
/* The file may be cut off: see lvl_doc_report_cut. */
extern const lvl_finding_def lvl_doc_cut_off;
/* Counts and reports that content may be missing at the end of the file; only once. `text`: how it ends. */
void lvl_doc_report_cut(lvl_doc *doc, lvl_findings *findings, const char *text);
/* The text of the root's member with LVL_F_SIGNATURE; empty: the document is not signed. */
lvl_text lvl_doc_signature(const lvl_doc *doc);
/* Reported by lvl_doc_write_with_findings for a signed document that was changed. */
extern const lvl_finding_def lvl_doc_signature_void;
/* Reports it for a document that was written as these bytes. `findings` may be NULL. LVL_ERR_MEMORY. */
lvl_status lvl_doc_report_signature(const lvl_doc *doc, lvl_bytes written, lvl_findings *findings);

/* lvl_doc_write_with_findings, which also passes on the document that the writer read to verify its output,
 * in `*again` (may be NULL), and the findings of that reading, in `found`. *again is NULL if the writer does
 * not verify. The caller frees it before changing `out`. */
lvl_status lvl_doc_write_again(const lvl_doc *doc, lvl_buffer *out, lvl_findings *findings,
                               lvl_findings *found, lvl_doc **again);

/* Records a grid that lvl_cells_edit made writable, like a list with spare capacity (base/list.c). Out of
 * memory: it is not recorded. */
void lvl_list_note_grid(lvl_doc *doc, const void *grid);
bool lvl_list_has_grid(const lvl_doc *doc, const void *grid);

/* How many bytes of the input the writer would copy as spelling. */
lvl_status lvl_doc_kept(const lvl_doc *doc, uint64_t *bytes);
lvl_bytes lvl_doc_input(const lvl_doc *doc);
const lvl_table *lvl_doc_table(const lvl_doc *doc);
/* Derived members (base/derived.c). After reading: stores an override for each derived member whose value is
 * not the computed one. */
lvl_status lvl_doc_note_derived(lvl_doc *doc);
/* After undump or edits: sets each derived member to its computed value, or to its override's value while the
 * override is valid. Completes pending overrides. */
lvl_status lvl_doc_recompute_derived(lvl_doc *doc);
/* Swaps all content of two documents, so that records of one then belong to the other. */
void lvl_doc_swap(lvl_doc *a, lvl_doc *b);
/* Like lvl_read, with a sink (may be NULL) for the spans. *traced: they are those of the document; otherwise
 * they are of a reading of the damaged bytes, which was replaced. */
lvl_status lvl_read_traced(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format, lvl_bytes input,
                           const char *name, unsigned flags, lvl_findings *findings, lvl_sink *sink,
                           bool *traced);
/* Reads doc->input into the root. If damage affects the file as a whole, *doc may become a reading of the
 * input without the damage (doc_damage.c). `findings` may be NULL. */
lvl_status lvl_doc_read_input(lvl_doc *doc, lvl_findings *findings);
/* For undump: sets a derived member to the value in the dump. */
lvl_status lvl_doc_restore_derived(lvl_doc *doc, void *record, const lvl_field *field, int64_t value);
/* The value to write for a derived member: its override's while the override is valid, else `computed`. */
int64_t lvl_doc_derived(const lvl_doc *doc, const void *record, const lvl_field *field, int64_t computed);
/* Whether the member has the value of an override, which a dump must include. */
bool lvl_doc_disagrees(const lvl_doc *doc, const void *record, const lvl_field *field);
void lvl_doc_drop_overrides(lvl_doc *doc);
/* Moves the overrides of records in the `len` bytes at `from` to the records at `to`. */
void lvl_doc_move_overrides(lvl_doc *doc, const void *from, size_t len, const void *to);
/* To be called after doc->overrides was changed directly, by restoring an earlier copy or by setting a
 * `record` to NULL, which removes that override. */
void lvl_doc_index_overrides(lvl_doc *doc);
/* Removes each item of the list whose byte in `drop` is not 0 (base/list.c). */
lvl_status lvl_list_drop(lvl_doc *doc, void *record, const lvl_field *field, const uint8_t *drop);
/* Reorders the list to the items order[0 … count - 1], each at most once, and removes all others. */
lvl_status lvl_list_arrange(lvl_doc *doc, void *record, const lvl_field *field, const uint32_t *order,
                            uint32_t count);
/* `drop_spelling` for formats whose tables describe all spelling: sets each member of role LVL_KEPT to its
 * default. */
void lvl_doc_drop_kept_members(lvl_doc *doc);
/* Whether a late member can be decoded completely; true if it is already decoded, or not late.
 * LVL_ERR_MEMORY, LVL_ERR_LIMIT, LVL_ERR_STOPPED: unknown. */
lvl_status lvl_doc_decodes(const lvl_doc *doc, const void *record, const lvl_field *field, bool *whole);
/* lvl_doc_open for documents that will be compared with each other: late members that are stored as the same
 * bytes in all of them, in items with the same index and name, stay encoded. `whole`: so do members that can
 * only be decoded in part; else equal bytes (LVL_BYTES) are held once, by docs[0], which is freed last. At
 * most LVL_OPENED documents of one format. */
enum { LVL_OPENED = 3 };
lvl_status lvl_doc_open_different(lvl_doc *const *docs, uint32_t count, bool whole);
/* Copies the content of a record and all below it, without spelling, into another document of the same
 * tables. Late members are decoded. `dst` is a zeroed struct that the table describes. */
lvl_status lvl_record_copy(lvl_doc *to, void *dst, const lvl_doc *from, const void *src,
                           const lvl_table *table);
/* Like lvl_record_equal, but includes derived and kept members. */
bool lvl_record_identical(const void *a, const void *b, const lvl_table *table);
/* Like lvl_doc_locate; `also` gets all spans of the same reading. */
lvl_status lvl_doc_locate_and_trace(const lvl_doc *doc, lvl_findings *findings, lvl_sink *also);
/* Like lvl_doc_locate, but the spans are those that `replay` gives to the sink; the file is not read. */
typedef lvl_status (*lvl_replay_fn)(const void *user, lvl_sink *sink);
lvl_status lvl_doc_locate_in(const lvl_doc *doc, lvl_findings *findings, lvl_replay_fn replay,
                             const void *user);
/* The findings of the document as it is now, not as it was in the file: writes it and reads the result in the
 * strict profile. Fills in `ctx`, which must outlive `*reread`; the caller frees `*reread`, NULL unless
 * LVL_OK. `size` (may be NULL): bytes written. */
lvl_status lvl_doc_reread_findings(const lvl_doc *doc, lvl_ctx *ctx, lvl_findings **reread, uint64_t *size);
/* Reads the document again from a copy of other bytes; lvl_doc_input stays the same. */
lvl_status lvl_doc_reread(lvl_doc *doc, lvl_bytes bytes);
/* Reads the document's input again into a sink (explain). */
lvl_status lvl_doc_trace(const lvl_doc *doc, lvl_sink *sink);

/* ---- paths ------------------------------------------------------------------------------------------- */

static inline lvl_where lvl_where_root(void)
{
    lvl_where w;
    w.depth = 0;
    return w;
}

/* The path with one more step: a field, and the index of an item or LVL_NO_INDEX. Steps beyond LVL_PATH_DEPTH
 * are dropped. */
static inline lvl_where lvl_where_to(lvl_where w, const lvl_field *field, uint32_t index)
{
    if (w.depth < LVL_PATH_DEPTH) {
        w.steps[w.depth].field = field;
        w.steps[w.depth].index = index;
        w.depth++;
    }
    return w;
}

/* The same for a member given by its offset in the struct, and for an item of a list. */
static inline lvl_where lvl_where_member(lvl_where w, const lvl_table *table, size_t member)
{
    return lvl_where_to(w, lvl_table_at(table, member), LVL_NO_INDEX);
}

static inline lvl_where lvl_where_item(lvl_where w, const lvl_table *table, size_t list, uint32_t index)
{
    return lvl_where_to(w, lvl_table_at(table, list), index);
}

/* The path to one of the cells that a path leads to; of a grid that is too large for that, to all of them. */
static inline lvl_where lvl_where_cell(lvl_where cells, uint32_t column, uint32_t row)
{
    if (cells.depth && column < 0xFFFF && row < 0xFFFF)
        cells.steps[cells.depth - 1].index = row << 16 | column;
    return cells;
}

/* ---- spans ------------------------------------------------------------------------------------------ */

/* Emits a span of `len` bytes at byte `at` of its space; sets its `bit` and `bits`. Does nothing without a
 * sink, or if `len` is 0. */
static inline void lvl_emit_span(lvl_sink *sink, uint64_t at, uint64_t len, lvl_span span)
{
    if (!sink || !len)
        return;
    span.bit = at * 8;
    span.bits = len * 8;
    sink->span(sink, &span);
}

/* The same for the data of one field of the record at `where`. */
static inline void lvl_emit_field(lvl_sink *sink, lvl_where where, const lvl_field *field, uint64_t at,
                                  uint64_t len, lvl_span_role role)
{
    const lvl_span span = {.role = role, .where = lvl_where_to(where, field, LVL_NO_INDEX), .field = field};

    lvl_emit_span(sink, at, len, span);
}

/* The first signature of the format that matches the beginning of a file; NULL: none. `head` may be cut:
 * signatures beyond its end do not match. */
const lvl_signature *lvl_format_signature(const lvl_format *format, lvl_bytes head);

/* Names of abilities: a format has an ability if it has one of its bits. */
enum { LVL_ABILITIES = 6 };
typedef struct lvl_ability {
    unsigned can; /* LVL_CAN_… */
    const char *word;
} lvl_ability;
extern const lvl_ability lvl_abilities[LVL_ABILITIES];

/* The programs of all formats, each once; NULL past the end. */
const lvl_program *lvl_program_at(size_t index);

/* For a file of unknown format: the format whose later version it seems to be, by the beginning of its
 * signature ("GR-V1.06"); NULL: none. */
const lvl_format *lvl_probe_later(lvl_bytes head);

/* Appends the document as a file to `out`. If nothing was changed, these are exactly the bytes it was read
 * from. */
lvl_status lvl_doc_write(const lvl_doc *doc, lvl_buffer *out);
/* The same with findings: with LVL_ERR_LOSS for items that the format cannot represent, with LVL_OK for a
 * signature that a change made invalid. `findings` may be NULL. Values that no file can hold (a second layer
 * of a level, two chunks with one key, 7 for yes) may be written as something else; lvl_write and lvl_save
 * (lvl/tools.h) detect all of these. */
lvl_status lvl_doc_write_with_findings(const lvl_doc *doc, lvl_buffer *out, lvl_findings *findings);

/* Reads the document's input again and sets the position of each finding that has a `where` and no position.
 * LVL_ERR_MEMORY, LVL_ERR_LIMIT, LVL_ERR_STOPPED: the findings are unchanged. Threads: the document is only
 * read. */
lvl_status lvl_doc_locate(const lvl_doc *doc, lvl_findings *findings);

#endif
