/*
 * base/format.h: what a format does, and help for readers and writers. A format is one constant (lvl_format
 * in lvl/doc.h; the table of all is src/formats.c), whose `calls` are these. Tools work through them and
 * never name a format.
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

/* What probing sees: up to 4 KiB of the head and of the tail, the size and the name. */
typedef struct lvl_probe_input {
    lvl_bytes head;
    lvl_bytes tail;
    uint64_t size;
    const char *name; /* file name without folder, or NULL */
} lvl_probe_input;

/* One disagreement: a derived member whose value in the file isn't what the writer would compute. It holds
 * while the computed value is still `expected` and the member still `value`; then the writer writes it as it
 * was. */
typedef struct lvl_override {
    const void *record;
    const lvl_field *field;
    int64_t expected;
    int64_t value;
    bool pending; /* set by undump: `expected` is to be filled by the format's derive */
} lvl_override;

struct lvl_doc {
    const lvl_ctx *ctx;
    const lvl_format *format;
    lvl_arena arena;
    lvl_bytes input;
    uint8_t *input_owned; /* the copy, or NULL when borrowed */
    void *root;
    void *state;      /* the family's own, in the arena; or NULL */
    uint32_t version; /* of the format, where it has several; else 0 */
    lvl_override *overrides;
    uint32_t override_count;
    size_t override_cap;
    lvl_hash override_index; /* by record and field; all zero before the first override */
    struct {
        const void *items;
        uint32_t used, room;
    } grown;   /* the list that got items at its end last; with room for more, which are zero bytes */
    bool show; /* read with LVL_READ_SHOW */
    lvl_codepage codepage; /* that texts are shown in */
};

/* How a derived member is reported; see lvl_derive_visit. */
typedef void (*lvl_derived_fn)(void *user, void *record, const lvl_field *field, int64_t computed);

/* One repair: what was changed, for the list that `repair` prints. */
typedef struct lvl_repairs {
    lvl_findings *log;         /* each change as a finding with its place and text */
    const struct lvl_art *art; /* or NULL */
    /* the user wants back what can be made out in bytes that are otherwise garbage (records of an earlier,
     * longer level); else those are removed, and the log says that they could be had */
    bool recover;
} lvl_repairs;

typedef struct lvl_check_request {
    lvl_findings *findings;
    /* art search path for references to images, or NULL: those checks are left out */
    const struct lvl_art *art;
} lvl_check_request;

/* What a format does. A call that a format leaves out (NULL) does nothing, or is unsupported. */
struct lvl_format_calls {
    /* What the files in such a document are read as (the levels of a pack); NULL: they are probed. */
    const lvl_format *members;
    /* How many bits of the input were verified to be this format; 0: not this format. Must not claim foreign
     * files. */
    int (*probe)(const lvl_probe_input *in);
    /* Fills doc->root (zeroed, defaults set) from doc->input; tolerant. sink and findings may be NULL. */
    lvl_status (*read)(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings);
    lvl_status (*write)(const lvl_doc *doc, lvl_buffer *out);
    /* What of the document no file of the format can say (a script with a line that would end it): a finding
     * for each, an error by severity. LVL_ERR_LOSS if there is any; write returns the same then. `findings`
     * may be NULL. Or NULL: it can say everything. */
    lvl_status (*check_writable)(const lvl_doc *doc, lvl_findings *findings);
    /* Calls visit for each derived member of the document with the value that the writer would compute. Or
     * NULL: no derived members that can disagree. */
    lvl_status (*derive)(lvl_doc *doc, lvl_derived_fn visit, void *user);
    /* How many bytes the writer copies from the source as spelling; *bytes is 0 before. NULL: none.
     * LVL_ERR_MEMORY. */
    lvl_status (*kept)(const lvl_doc *doc, uint64_t *bytes);
    /* Whether the writer makes just these kept bytes (a member of the root, role LVL_KEPT) by itself when
     * they aren't there, so that a dump leaves them out. May take as long as packing. NULL: never. */
    lvl_status (*can_regenerate)(const lvl_doc *doc, const lvl_field *field, bool *out);
    /* Drops everything kept: streams, placements, trivia. For repair and `dump --no-kept`. NULL: nothing is
     * kept. */
    void (*drop_spelling)(lvl_doc *doc);
    /* Rules of the game and references, beyond what the reader reports. */
    lvl_status (*check)(const lvl_doc *doc, const lvl_check_request *request);
    lvl_status (*repair)(lvl_doc *doc, lvl_repairs *repairs);
    lvl_status (*info)(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art);
    /* Document -> scene; see lvl/scene.h. */
    lvl_status (*scene)(const lvl_doc *doc, const struct lvl_scene_request *request, struct lvl_scene **out);
    /* Document -> container over it; see container/container.h. */
    lvl_status (*open_container)(lvl_doc *doc, struct lvl_container **out);
    /* Document -> picture, in plain colours: what `draw` would make the document, or that layer of it, of.
     * `layer` is its number or name, NULL: the first; its place is the picture's offset. Formats that are one
     * picture (LVL_CAN_IMAGE) have no layers and pass over it. LVL_ERR_MISSING: there is no such layer. Or
     * NULL. */
    lvl_status (*to_image)(const lvl_doc *doc, const char *layer, lvl_image *out);
    /* Picture -> a new document, one layer and more from draw_options. What can't be is a finding in
     * `losses`, and brought as near as can be. LVL_ERR_ARG: an option that no document can meet. Formats that
     * are one picture (LVL_CAN_IMAGE) take no options: what the picture does not say stays as it is in the
     * document. Or NULL. */
    lvl_status (*draw)(lvl_doc *doc, const lvl_image *image, const lvl_draw_options *draw_options,
                       lvl_findings *losses);
    /* What the picture that to_image makes doesn't show, into image->rest (malloc), for `draw` to put
     * back; what can't be kept is a finding in `losses`. `keep` false: nothing is kept, and each thing that
     * the picture doesn't show is a loss. Or NULL. */
    lvl_status (*rest)(const lvl_doc *doc, const char *layer, bool keep, lvl_image *image,
                       lvl_findings *losses);
    /* Fills a new document with the colours that a file of another kind names (what lvl_draw_options.palette
     * takes). LVL_ERR_FOREIGN: it is nothing of that kind. Or NULL. */
    lvl_status (*read_palette)(lvl_doc *doc, lvl_bytes file);
    /* Changes how a document is stored; losses as above. LVL_ERR_UNSUPPORTED: an option that isn't for such
     * documents. Or NULL. */
    lvl_status (*restructure)(lvl_doc *doc, const lvl_draw_options *draw_options, lvl_findings *losses);
    /* Puts a picture of what the game shows at the scene's start, `shot_width` by `shot_height` px, RGBA8,
     * into the document, in each size that the game keeps there. Losses as above. LVL_ERR_UNSUPPORTED:
     * such documents hold none. Or NULL. */
    lvl_status (*embed_screenshot)(lvl_doc *doc, const lvl_image *shot, lvl_findings *losses);
    /* Document -> palette (PAL). */
    lvl_status (*to_palette)(const lvl_doc *doc, lvl_palette *out);
    /* Fills a new document with a level drawn from the scene of another family; losses as above. Or NULL. */
    lvl_status (*draw_level)(lvl_doc *doc, struct lvl_level_picture *picture, lvl_findings *losses);
    /* Fills `to`, a new document of the form's format, with the content of `from`. Each thing that the form
     * can't hold is a finding in `losses` (its own defs, "graal.loss.layer"), with its place in `from`, and
     * is left out or brought as near as the form allows. May not fail for a loss. */
    lvl_status (*convert)(const lvl_doc *from, const lvl_form *form, lvl_doc *to, lvl_findings *losses);
    /* An animation's frames and times; see lvl/scene.h. The scene of a frame is asked for by scene's request.
     */
    lvl_status (*play)(const lvl_doc *doc, const struct lvl_scene_request *request,
                       struct lvl_animation **out);
    /* Decodes a late member (LVL_F_LATE) whose `ptr` is NULL into the empty `storage`; of kind LVL_CELLS:
     * rows of `cells`, whose sides and size of a cell are filled in; of LVL_BYTES: all of storage.
     * LVL_ERR_LOSS: only a part of it could be decoded, and is there. NULL: the format has none. */
    lvl_status (*decode)(const lvl_doc *doc, const void *record, const lvl_field *field, lvl_buffer *storage,
                         lvl_cells *cells);
    /* Whether a late member is decoded in neither document, and stored as the same bytes in both, so that it
     * is the same. NULL: not known. */
    bool (*same_stored)(const lvl_doc *a, const void *ra, const lvl_doc *b, const void *rb,
                        const lvl_field *field);
    /* Visits each link to another file: lvl_doc_links. NULL: there are none. */
    lvl_status (*links)(const lvl_doc *doc, lvl_status (*visit)(void *user, const struct lvl_doc_link *link),
                        void *user);
    /* The rules of the document's lines, by which the functions of codec/grammar.h read, write and repair it.
     * NULL in a format that is no text of lines; returns NULL for a document that no rules are for. */
    const struct lvl_grammar *(*grammar)(const lvl_doc *doc);
    /* How its records appear in a map editor (base/map_layout.h); NULL: not at all. */
    const struct lvl_map_layout *map_layout;
};
typedef struct lvl_format_calls lvl_format_calls;

/* ---- the context's formats (base/probe.c) ----------------------------------------------------------- */

/* The number of formats (formats.c). */
size_t lvl_format_count(void);
/* The table, ended by NULL; without entries if `ctx` is NULL or was not made by lvl_ctx_init. */
const lvl_format *const *lvl_formats_of(const lvl_ctx *ctx);
/* The format of that id, or NULL. */
const lvl_format *lvl_formats_find(const lvl_ctx *ctx, const char *id);
/* The format with the most verified bits, which `bits` (may be NULL) gets; NULL for a foreign file. */
const lvl_format *lvl_formats_probe(const lvl_ctx *ctx, const lvl_probe_input *in, int *bits);
/* The same for a whole file. `name` may be NULL. */
const lvl_format *lvl_formats_probe_file(const lvl_ctx *ctx, lvl_bytes file, const char *name);

/* ---- help for readers and writers (base/doc.c) ------------------------------------------------------- */

/* What is found of any file that is beyond a limit: in the order of lvl_limit, from LVL_LIMIT_INPUT. */
enum { LVL_DOC_LIMITS = LVL_LIMIT_FIXED };
extern const lvl_finding_def lvl_doc_limits[LVL_DOC_LIMITS];
/* As lvl_usage_report, for what is at a place in the document (NULL: the document as a whole). */
void lvl_usage_report_at(const lvl_usage *usage, const lvl_ctx *ctx, const lvl_where *where,
                         lvl_findings *findings);
/* What check finds instead of each missing picture, level or doodad, where the art has none of them and
 * nobody named that art (lvl_art_given). */
extern const lvl_finding_def lvl_doc_art_absent;
extern const lvl_finding_def lvl_doc_counterpart;
/* What lvl_container_read finds of a file that it cannot read in full. */
extern const lvl_finding_def lvl_doc_member_damaged;
/* What lvl_doc_write_with_findings finds of a signed document that was changed, */
extern const lvl_finding_def lvl_doc_signature_void;
/* and the same for who has the written bytes already. `findings` may be NULL. LVL_ERR_MEMORY. */
lvl_status lvl_doc_report_signature(const lvl_doc *doc, lvl_bytes written, lvl_findings *findings);

/* Bytes of the input that the writer would take from keeping rather than make from the records. */
lvl_status lvl_doc_kept(const lvl_doc *doc, uint64_t *bytes);
lvl_bytes lvl_doc_input(const lvl_doc *doc);
const lvl_table *lvl_doc_table(const lvl_doc *doc);
/* After reading: notes each derived member whose value isn't the computed one. */
lvl_status lvl_doc_note_derived(lvl_doc *doc);
/* After undump or edits: sets each derived member to its computed value, save the overrides that hold
 * (pending ones are resolved). */
lvl_status lvl_doc_recompute_derived(lvl_doc *doc);
/* Undump: the dump gave this derived member this value. */
lvl_status lvl_doc_restore_derived(lvl_doc *doc, void *record, const lvl_field *field, int64_t value);
/* The value to write for a derived member: the file's own where an override holds, else `computed`. */
int64_t lvl_doc_derived(const lvl_doc *doc, const void *record, const lvl_field *field, int64_t computed);
/* Whether the member disagrees (dump shows it). */
bool lvl_doc_disagrees(const lvl_doc *doc, const void *record, const lvl_field *field);
void lvl_doc_drop_overrides(lvl_doc *doc);
/* To be called by whoever assigned doc->overrides by hand (put back a copy of them, no more than there were,
 * or set a `record` to NULL, which takes it out). */
void lvl_doc_index_overrides(lvl_doc *doc);
/* Removes each item of the list whose byte in `drop` isn't 0, in one go. */
lvl_status lvl_list_drop(lvl_doc *doc, void *record, const lvl_field *field, const uint8_t *drop);
/* Makes the list consist of its items number order[0 … count - 1], in that order; each at most once. Items
 * that are not named are removed. */
lvl_status lvl_list_arrange(lvl_doc *doc, void *record, const lvl_field *field, const uint32_t *order,
                            uint32_t count);
/* `drop_spelling` of formats whose tables describe all of it: sets each member of role LVL_KEPT to its
 * default. */
void lvl_doc_drop_kept_members(lvl_doc *doc);
/* lvl_doc_open for documents that are to be compared with each other: late members that are stored alike in
 * all of them, in items of the same number and name, stay as they are; `whole`: those of which only a part
 * can be decoded, too. At most LVL_OPENED of one format. */
enum { LVL_OPENED = 3 };
lvl_status lvl_doc_open_different(lvl_doc *const *docs, uint32_t count, bool whole);
/* Copies a record and all below it into another document of the same tables: content, not what is kept; late
 * members are decoded. `dst` is a zeroed struct that the table describes. */
lvl_status lvl_record_copy(lvl_doc *to, void *dst, const lvl_doc *from, const void *src,
                           const lvl_table *table);
/* As lvl_record_equal, with derived and kept members. */
bool lvl_record_identical(const void *a, const void *b, const lvl_table *table);
/* As lvl_doc_locate; `also` gets all spans that this reading emits, so that who needs both reads once. */
lvl_status lvl_doc_locate_and_trace(const lvl_doc *doc, lvl_findings *findings, lvl_sink *also);
/* The findings of the document as it is now, not as it was in the file: writes it and reads that, by the
 * strict profile, borrowing nothing of the document. `*reread` is the caller's to free, and needs `ctx`,
 * which is filled in, as long; NULL unless LVL_OK. `size` (may be NULL): bytes written. */
lvl_status lvl_doc_reread_findings(const lvl_doc *doc, lvl_ctx *ctx, lvl_findings **reread, uint64_t *size);
/* Reads the document again from a copy of other bytes; positions stay those of its input. */
lvl_status lvl_doc_reread(lvl_doc *doc, lvl_bytes bytes);
/* Reads the document's input again into a sink (explain). */
lvl_status lvl_doc_trace(const lvl_doc *doc, lvl_sink *sink);

/* ---- where ------------------------------------------------------------------------------------------- */

static inline lvl_where lvl_where_root(void)
{
    lvl_where w;
    w.depth = 0;
    return w;
}

/* One step further: a field, and an item of it or LVL_NO_INDEX. Steps beyond the depth are dropped. */
static inline lvl_where lvl_where_to(lvl_where w, const lvl_field *field, uint32_t index)
{
    if (w.depth < LVL_PATH_DEPTH) {
        w.steps[w.depth].field = field;
        w.steps[w.depth].index = index;
        w.depth++;
    }
    return w;
}

/* The same to a member of a record of that table, given by its offset in the struct, and to an item of a
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

/* Emits a span of `len` bytes from byte `at` of its space on, whose bit and bits are filled in. Nothing
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
