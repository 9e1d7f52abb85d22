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
struct lvl_doc_link;
struct lvl_map_layout;
struct lvl_grammar;

/* The input of probing: up to 4 KiB of the head and of the tail, the size and the name. Formats with a
 * `probe_tail` get a longer tail, if the caller has it. */
typedef struct lvl_probe_input {
    lvl_bytes head;
    lvl_bytes tail;
    uint64_t size;
    const char *name; /* file name without folder, or NULL */
} lvl_probe_input;

/* A derived member whose value in the file is not what the writer would compute. As long as the computed
 * value is `expected` and the member has `value`, the writer writes `value`. */
typedef struct lvl_override {
    const void *record;
    const lvl_field *field;
    int64_t expected;
    int64_t value;
    bool pending; /* set by undump: `expected` is not computed yet */
} lvl_override;

/* A list with zeroed memory for more items at its end. One that moves takes the entry of its former items. */
typedef struct lvl_grown_list {
    const void *items;
    uint32_t used, cap; /* items that it has, and that it has memory for */
} lvl_grown_list;

/* The wrong bytes of a file's signature (base/header.h). */
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
    void *root;
    void *state; /* of the family, in the arena; or NULL */
    uint32_t version; /* of the format, where it has several; else 0 */
    lvl_override *overrides;
    uint32_t override_count;
    size_t override_cap;
    lvl_hash override_index; /* by record and field; all zero before the first override */
    lvl_grown_list *grown;
    uint32_t grown_count;
    size_t grown_cap;
    lvl_hash grown_index; /* by items; all zero before the first list grew */
    lvl_text signature; /* lvl_doc_signature when it was read */
    bool show; /* read with LVL_READ_SHOW */
    bool edit; /* read with LVL_READ_EDIT */
    struct lvl_pieces *pieces; /* of its source (base/piece.h); NULL: not noted */
    /* the file was transferred as text (base/transfer.h): `input` is what it was before, writing repeats
     * it */
    bool transferred;
    lvl_header header; /* `input` has the right bytes, writing puts the wrong ones back */
    /* findings of `calls->cuts` that reading it gave, and what the reader noticed besides: content is
     * missing */
    size_t cuts;
    lvl_codepage codepage; /* of its texts */
};

/* Called by a format's `derive` for each derived member. */
typedef void (*lvl_derived_fn)(void *user, void *record, const lvl_field *field, int64_t computed);

/* What a repair gets and reports. */
typedef struct lvl_repairs {
    lvl_findings *log; /* gets each change as a finding with its path and text */
    const struct lvl_art *art; /* or NULL */
    /* restore records that can be recognized in unused bytes (of an earlier, longer level); else such bytes
     * are removed, and the log mentions that records could be restored */
    bool recover;
} lvl_repairs;

/* Called for a late grid that a check decoded, before its memory is used for the next one. */
typedef void (*lvl_grid_fn)(void *user, const void *record, const lvl_field *field, const lvl_cells *cells);

typedef struct lvl_check_request {
    lvl_findings *findings;
    /* art search path for references to images, or NULL: those checks are left out */
    const struct lvl_art *art;
    lvl_grid_fn
        note_grid; /* or NULL; a check may call it for some grids only, in the order of the document */
    void *user;
    /* or NULL: the document whose edit made this one. Findings about stored parts that are those of its
     * source may be left out, if nothing that they depend on has changed since */
    const lvl_doc *edited;
} lvl_check_request;

/* A command of a format's scripts (or a variable that is set) whose first arguments are names of files
 * without their ending. */
typedef struct lvl_script_stem {
    const char *command, *ending; /* in lower case */
    unsigned args;
} lvl_script_stem;

/* Content of a file that no member has. `more`: further text in a part that is read, with the part. */
typedef void (*lvl_unread_fn)(void *user, lvl_text content, bool more, const lvl_where *where);

/* The functions of a format. One that is NULL does nothing, or is unsupported. */
struct lvl_format_calls {
    /* The format of the files in such a document (the levels of a pack); NULL: they are probed. */
    const lvl_format *members;
    /* How many bits of the input were verified to be this format; 0: not this format, also for all foreign
     * files. */
    int (*probe)(const lvl_probe_input *in);
    /* How many bytes of the file's end `probe` needs, by its last 4 KiB: from the directory on to which they
     * point; 0: these. Or NULL. */
    uint64_t (*probe_tail)(lvl_bytes tail, uint64_t size);
    /* Fills doc->root (zeroed, defaults set) from doc->input; tolerant. sink and findings may be NULL. */
    lvl_status (*read)(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings);
    lvl_status (*write)(const lvl_doc *doc, lvl_buffer *out);
    /* Reports each part of the document that no file of the format can represent (a script with a line that
     * would end it), as an error. LVL_ERR_LOSS if there is any; write returns the same then. `findings` may
     * be NULL. Or NULL: the format can represent every document. */
    lvl_status (*check_writable)(const lvl_doc *doc, lvl_findings *findings);
    /* Calls visit for each derived member of the document with the value that the writer would compute. NULL:
     * the format has no derived members that can disagree. */
    lvl_status (*derive)(lvl_doc *doc, lvl_derived_fn visit, void *user);
    /* Sets *bytes to the number of bytes that the writer copies from the source as spelling. NULL: none.
     * LVL_ERR_MEMORY. */
    lvl_status (*kept)(const lvl_doc *doc, uint64_t *bytes);
    /* Whether the writer would make exactly these kept bytes (a member of the root, role LVL_KEPT) without
     * them, so that a dump leaves them out. May take as long as compressing them. NULL: never. */
    lvl_status (*can_regenerate)(const lvl_doc *doc, const lvl_field *field, bool *out);
    /* Notes the pieces of a document that was read with LVL_READ_EDIT, once it is complete. NULL: its reader
     * notes them, or there are none. LVL_ERR_MEMORY, LVL_ERR_LIMIT. */
    lvl_status (*note_pieces)(lvl_doc *doc);
    /* `write` of a format whose writer verifies by reading what it wrote: `*again` becomes that document,
     * over the bytes in `out`; it may stay NULL. Its findings are added to `found` (may be NULL). NULL:
     * `write` reads nothing. */
    lvl_status (*write_read)(const lvl_doc *doc, lvl_buffer *out, lvl_findings *found, lvl_doc **again);
    /* Drops all spelling. For repair and `dump --no-kept`. NULL: the format has none. */
    void (*drop_spelling)(lvl_doc *doc);
    /* Rules of the game and references, beyond what the reader reports. */
    lvl_status (*check)(const lvl_doc *doc, const lvl_check_request *request);
    lvl_status (*repair)(lvl_doc *doc, lvl_repairs *repairs);
    lvl_status (*info)(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art);
    /* Document -> scene; see lvl/scene.h. */
    lvl_status (*scene)(const lvl_doc *doc, const struct lvl_scene_request *request, struct lvl_scene **out);
    /* Document -> container over it; see container/container.h. */
    lvl_status (*open_container)(lvl_doc *doc, struct lvl_container **out);
    /* Document -> picture, in plain colours; the reverse of `draw`. `layer`: number or name of a layer, whose
     * place becomes the picture's offset; NULL: the first. Formats that are one picture (LVL_CAN_IMAGE)
     * ignore it. LVL_ERR_MISSING: no such layer. Or NULL. */
    lvl_status (*to_image)(const lvl_doc *doc, const char *layer, lvl_image *out);
    /* Picture -> a new document of one layer, by draw_options. What the document cannot represent is a
     * finding in `losses` and approximated. LVL_ERR_ARG: an impossible option. Formats that are one picture
     * (LVL_CAN_IMAGE) ignore the options, and other members of the document are not changed. Or NULL. */
    lvl_status (*draw)(lvl_doc *doc, const lvl_image *image, const lvl_draw_options *draw_options,
                       lvl_findings *losses);
    /* Stores what the picture of to_image does not show in image->rest (malloc), so that `draw` can restore
     * it; what cannot be stored is a finding in `losses`. `keep` false: nothing is stored, and everything
     * that the picture does not show is a loss. Or NULL. */
    lvl_status (*rest)(const lvl_doc *doc, const char *layer, bool keep, lvl_image *image,
                       lvl_findings *losses);
    /* Fills a new document with the colours of a palette file of another kind, for lvl_draw_options.palette.
     * LVL_ERR_FOREIGN: the file is no such palette. Or NULL. */
    lvl_status (*read_palette)(lvl_doc *doc, lvl_bytes file);
    /* Changes how a document is stored; losses as above. LVL_ERR_UNSUPPORTED: an option that such documents
     * do not have. Or NULL. */
    lvl_status (*restructure)(lvl_doc *doc, const lvl_draw_options *draw_options, lvl_findings *losses);
    /* Stores a picture of the scene's start (`shot_width` by `shot_height` px, RGBA8) in the document, in
     * each size that the game uses. Losses as above. LVL_ERR_UNSUPPORTED: such documents have none. Or
     * NULL. */
    lvl_status (*embed_screenshot)(lvl_doc *doc, const lvl_image *shot, lvl_findings *losses);
    /* Document -> palette (PAL). */
    lvl_status (*to_palette)(const lvl_doc *doc, lvl_palette *out);
    /* Fills a new document with a level drawn from the scene of another family; losses as above. Or NULL. */
    lvl_status (*draw_level)(lvl_doc *doc, struct lvl_level_picture *picture, lvl_findings *losses);
    /* Fills `to`, a new document of the form's format, with the content of `from`. Everything that the form
     * cannot represent is a finding in `losses` ("graal.loss.layer"), with its path in `from`, and is left
     * out or approximated. A loss is no reason to fail. */
    lvl_status (*convert)(const lvl_doc *from, const lvl_form *form, lvl_doc *to, lvl_findings *losses);
    /* An animation's frames and times; see lvl/scene.h. `scene` returns the scene of a frame. */
    lvl_status (*play)(const lvl_doc *doc, const struct lvl_scene_request *request,
                       struct lvl_animation **out);
    /* Decodes a late member (LVL_F_LATE) whose `ptr` is NULL into the empty `storage`; of kind LVL_CELLS:
     * rows of `cells`, whose sides and size of a cell are filled in; of LVL_BYTES (`cells` NULL): all of
     * storage. LVL_ERR_LOSS: only a part of it could be decoded, and is in storage. NULL: the format has
     * none. */
    lvl_status (*decode)(const lvl_doc *doc, const void *record, const lvl_field *field, lvl_buffer *storage,
                         lvl_cells *cells);
    /* Whether a late member is decoded in neither document and stored as the same bytes in both. NULL: not
     * known. */
    bool (*same_stored)(const lvl_doc *a, const void *ra, const lvl_doc *b, const void *rb,
                        const lvl_field *field);
    /* Visits each link to another file: lvl_doc_links. NULL: the format has none. */
    lvl_status (*links)(const lvl_doc *doc, lvl_status (*visit)(void *user, const struct lvl_doc_link *link),
                        void *user);
    /* The rules of the document's lines, by which the functions of codec/grammar.h read, write and repair it;
     * NULL for a document without rules. NULL for formats that are not text. */
    const struct lvl_grammar *(*grammar)(const lvl_doc *doc);
    /* How its records appear in a map editor (base/map_layout.h); NULL: they do not. */
    const struct lvl_map_layout *map_layout;
    /* Gives parts that were taken from a document of another form a form (LVL_F_FORM) that the document can
     * hold. NULL: all can be held. */
    void (*settle)(lvl_doc *doc);
    /* The findings of reading that mean that content of the file is missing in the document, since the file
     * is cut or damaged there; ended by NULL. NULL: there are none. */
    const lvl_finding_def *const *cuts;
    /* Visits the content of the file that no member has: lines that are no command, unknown keys. NULL:
     * there is none, or its places are members. */
    lvl_status (*unread)(const lvl_doc *doc, lvl_unread_fn visit, void *user);
    /* What names files in scripts without their ending; ended by an empty one. NULL: nothing. */
    const lvl_script_stem *script_stems;
};
typedef struct lvl_format_calls lvl_format_calls;

/* Rows of a format's table of signatures: the bytes are a string constant. */
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
/* Bits of a file that is known only if wrong bytes of its header are corrected (base/header.h). */
enum { LVL_PROBED_BY_HEADER = 1 };
/* The format with the most verified bits, which `bits` (may be NULL) gets; NULL for a foreign file. */
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
/* As lvl_usage_report, with a path in the document (NULL: the document as a whole). */
void lvl_usage_report_at(const lvl_usage *usage, const lvl_ctx *ctx, const lvl_where *where,
                         lvl_findings *findings);
/* Reported once by check, in place of each missing picture, level or doodad, if none of them was found and
 * the user gave no art (lvl_art_given). */
extern const lvl_finding_def lvl_doc_art_absent;
/* Of a picture that was drawn (lvl_abi_render). */
extern const lvl_finding_def lvl_doc_art_missing;
extern const lvl_finding_def lvl_doc_counterpart;
/* Reported by lvl_read for a file that was transferred as text. */
extern const lvl_finding_def lvl_doc_transferred;
/* Reported by lvl_read for a file with wrong bytes in its signature. */
extern const lvl_finding_def lvl_doc_header;
/* Reported by lvl_container_read for a file that it cannot read in full. */
extern const lvl_finding_def lvl_doc_member_damaged;
/* The text of the root's member with LVL_F_SIGNATURE; empty: the document is not signed. */
lvl_text lvl_doc_signature(const lvl_doc *doc);
/* Reported by lvl_doc_write_with_findings for a signed document that was changed. */
extern const lvl_finding_def lvl_doc_signature_void;
/* Reports it for a document that was written as these bytes. `findings` may be NULL. LVL_ERR_MEMORY. */
lvl_status lvl_doc_report_signature(const lvl_doc *doc, lvl_bytes written, lvl_findings *findings);

/* lvl_doc_write_with_findings of which `*again` (may be NULL) becomes the document that the writer read to
 * verify what it wrote, with its findings in `found`; NULL if it read none. The caller frees it, before it
 * changes `out`. */
lvl_status lvl_doc_write_again(const lvl_doc *doc, lvl_buffer *out, lvl_findings *findings,
                               lvl_findings *found, lvl_doc **again);

/* How many bytes of the input the writer would copy as spelling. */
lvl_status lvl_doc_kept(const lvl_doc *doc, uint64_t *bytes);
lvl_bytes lvl_doc_input(const lvl_doc *doc);
const lvl_table *lvl_doc_table(const lvl_doc *doc);
/* Derived members (base/derived.c). After reading: stores an override for each derived member whose value is
 * not the computed one. */
lvl_status lvl_doc_note_derived(lvl_doc *doc);
/* After undump or edits: sets each derived member to its computed value, or to that of its override while
 * that is valid. Completes pending overrides. */
lvl_status lvl_doc_recompute_derived(lvl_doc *doc);
/* Exchanges all content of two documents; records of one belong to the other afterwards. */
void lvl_doc_swap(lvl_doc *a, lvl_doc *b);
/* Reads doc->input into the root, or what it was before damage that concerns the file as a whole: then
 * *doc is that reading. `findings` may be NULL. */
lvl_status lvl_doc_read_input(lvl_doc *doc, lvl_findings *findings);
/* For undump: sets a derived member to the value in the dump. */
lvl_status lvl_doc_restore_derived(lvl_doc *doc, void *record, const lvl_field *field, int64_t value);
/* The value to write for a derived member: that of its override while that is valid, else `computed`. */
int64_t lvl_doc_derived(const lvl_doc *doc, const void *record, const lvl_field *field, int64_t computed);
/* Whether the member has the value of an override, so that a dump includes it. */
bool lvl_doc_disagrees(const lvl_doc *doc, const void *record, const lvl_field *field);
void lvl_doc_drop_overrides(lvl_doc *doc);
/* Makes the overrides of records in the `len` bytes at `from` those of the records at `to`. */
void lvl_doc_move_overrides(lvl_doc *doc, const void *from, size_t len, const void *to);
/* To be called after doc->overrides was changed directly: a copy of earlier ones was restored, or a `record`
 * was set to NULL, which removes that override. */
void lvl_doc_index_overrides(lvl_doc *doc);
/* Removes each item of the list whose byte in `drop` is not 0 (base/list.c). */
lvl_status lvl_list_drop(lvl_doc *doc, void *record, const lvl_field *field, const uint8_t *drop);
/* Reorders the list to its items order[0 … count - 1], each at most once. All other items are removed. */
lvl_status lvl_list_arrange(lvl_doc *doc, void *record, const lvl_field *field, const uint32_t *order,
                            uint32_t count);
/* `drop_spelling` of formats whose tables describe all of it: sets each member of role LVL_KEPT to its
 * default. */
void lvl_doc_drop_kept_members(lvl_doc *doc);
/* Whether a late member decodes as a whole; true for a member that is decoded already, or not late.
 * LVL_ERR_MEMORY, LVL_ERR_LIMIT, LVL_ERR_STOPPED: not known. */
lvl_status lvl_doc_decodes(const lvl_doc *doc, const void *record, const lvl_field *field, bool *whole);
/* lvl_doc_open for documents that will be compared with each other: late members that are stored as the same
 * bytes in all of them, in items of the same index and name, stay encoded. `whole`: so do those of which only
 * a part can be decoded. At most LVL_OPENED documents of one format. */
enum { LVL_OPENED = 3 };
lvl_status lvl_doc_open_different(lvl_doc *const *docs, uint32_t count, bool whole);
/* Copies the content of a record and all below it, without spelling, into another document of the same
 * tables. Late members are decoded. `dst` is a zeroed struct that the table describes. */
lvl_status lvl_record_copy(lvl_doc *to, void *dst, const lvl_doc *from, const void *src,
                           const lvl_table *table);
/* As lvl_record_equal, derived and kept members included. */
bool lvl_record_identical(const void *a, const void *b, const lvl_table *table);
/* As lvl_doc_locate; `also` gets all spans of the same reading. */
lvl_status lvl_doc_locate_and_trace(const lvl_doc *doc, lvl_findings *findings, lvl_sink *also);
/* The findings of the document as it is now, not as it was in the file: writes it and reads the result, by
 * the strict profile. Fills in `ctx`, which must outlive `*reread`, which the caller frees; NULL unless
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

/* The path with one more step: a field, and the index of its item or LVL_NO_INDEX. Steps beyond
 * LVL_PATH_DEPTH are dropped. */
static inline lvl_where lvl_where_to(lvl_where w, const lvl_field *field, uint32_t index)
{
    if (w.depth < LVL_PATH_DEPTH) {
        w.steps[w.depth].field = field;
        w.steps[w.depth].index = index;
        w.depth++;
    }
    return w;
}

/* The same for a member of a record of that table, given by its offset in the struct, and for an item of a
 * list. */
static inline lvl_where lvl_where_member(lvl_where w, const lvl_table *table, size_t member)
{
    return lvl_where_to(w, lvl_table_at(table, member), LVL_NO_INDEX);
}

static inline lvl_where lvl_where_item(lvl_where w, const lvl_table *table, size_t list, uint32_t index)
{
    return lvl_where_to(w, lvl_table_at(table, list), index);
}

/* ---- spans ------------------------------------------------------------------------------------------ */

/* Emits a span of `len` bytes at byte `at` of its space, whose bit and bits are filled in. Does nothing
 * without a sink, or without bytes. */
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

#endif
