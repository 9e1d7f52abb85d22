/*
 * sketchy/sketchy_format.c: the entries of drawings and packs in the table of formats.
 */
#include "sketchy/sketchy_format.h"

#include "games/book.h"
#include "sketchy/drawing/read.h"
#include "sketchy/drawing/write.h"
#include "sketchy/look/flat.h"
#include "sketchy/pack/pack.h"
#include "sketchy/check/check.h"
#include "sketchy/drawing/convert.h"
#include "sketchy/model/findings.h"
#include "sketchy/images/image.h"
#include "sketchy/look/level.h"
#include "sketchy/model/probe.h"
#include "sketchy/model/programs.h"
#include "sketchy/images/embedded.h"
#include "sketchy/repair/parts.h"

/* A reading that visits what no member has, at its places in the texts that it finds. */
typedef struct unread_visit {
    lvl_sink sink;
    const lvl_findings *found; /* of a reading before, in the same order */
    size_t next;
    lvl_unread_fn visit;
    void *user;
} unread_visit;

/* Whether a finding is about content that no member has: a key, or bytes that belong neither to a document
 * nor to a file in a zip. */
static bool is_unread(const lvl_finding *f)
{
    return f->def == &lvl_sketchy_findings[LVL_SKETCHY_F_UNKNOWN_KEY] ||
           f->def == &lvl_sketchy_findings[LVL_SKETCHY_F_TRAILING] ||
           f->def == &lvl_sketchy_findings[LVL_SKETCHY_F_REFUSED];
}

static void visit_places(unread_visit *v, uint32_t space, uint64_t base, lvl_bytes bytes)
{
    for (; v->next < lvl_findings_count(v->found); v->next++) {
        const lvl_finding *f = lvl_findings_at(v->found, v->next);
        const uint64_t at = f->position.bit / 8 - base, len = f->position.bits / 8;
        if (!is_unread(f) || !len)
            continue;
        if (f->position.space != space || at > bytes.len || len > bytes.len - at)
            return;
        v->visit(v->user, (lvl_text){(const char *)bytes.ptr + at, (size_t)len}, false, &f->where);
    }
}

static void take_space(lvl_sink *sink, const lvl_space *space)
{
    visit_places((unread_visit *)(void *)sink, space->id, space->base, space->bytes);
}

static void skip_span(lvl_sink *sink, const lvl_span *span)
{
    (void)sink;
    (void)span;
}

/* Keys of JSON that are kept in its text, with their values, and bytes after and between. */
static lvl_status visit_unread(const lvl_doc *doc, lvl_unread_fn visit, void *user)
{
    lvl_findings *found = doc->input.len ? lvl_findings_new(doc->ctx) : NULL;
    unread_visit v = {{take_space, skip_span, false}, found, 0, visit, user};
    lvl_doc *again = NULL;

    if (!found)
        return doc->input.len ? LVL_ERR_MEMORY : LVL_OK;
    lvl_status status = lvl_read(&again, doc->ctx, doc->format, doc->input, NULL, LVL_READ_BORROW, found);
    lvl_doc_free(again);
    if (status == LVL_OK) {
        visit_places(&v, 0, 0, doc->input);
        if (v.next < lvl_findings_count(found))
            status = lvl_doc_trace(doc, &v.sink);
    }
    lvl_findings_free(found);
    return status;
}

/* Derived: the positions of chunks, from their keys. */
static lvl_status sketchy_derive(lvl_doc *doc, lvl_derived_fn visit, void *user)
{
    const lvl_field *x = LVL_FIELD(lvl_sketchy_chunk, x);
    const lvl_field *y = LVL_FIELD(lvl_sketchy_chunk, y);
    lvl_sketchy *d = doc->root;

    for (uint32_t i = 0; i < d->layer_count; i++) {
        for (uint32_t k = 0; k < d->layers[i].chunk_count; k++) {
            lvl_sketchy_chunk *c = &d->layers[i].chunks[k];
            int32_t cx = 0, cy = 0;
            lvl_sketchy_key(c->key, &cx, &cy);
            visit(user, c, x, cx);
            visit(user, c, y, cy);
        }
    }
    return LVL_OK;
}

/* Content is missing. */
static const lvl_finding_def *const cuts[] = {
    &lvl_sketchy_findings[LVL_SKETCHY_F_JSON],         &lvl_sketchy_findings[LVL_SKETCHY_F_GZIP_CUT],
    &lvl_sketchy_findings[LVL_SKETCHY_F_GZIP_BAD],     &lvl_sketchy_findings[LVL_SKETCHY_F_ZIP_DIRECTORY],
    &lvl_sketchy_findings[LVL_SKETCHY_F_ZIP_LOST],     &lvl_sketchy_findings[LVL_SKETCHY_F_ZIP_MEMBER],
    &lvl_sketchy_findings[LVL_SKETCHY_F_NO_DOCUMENT],  &lvl_sketchy_findings[LVL_SKETCHY_F_LOST],
    &lvl_sketchy_findings[LVL_SKETCHY_F_PALETTE_LOST], NULL,
};

/* The game's own zips begin with a chunk, its JSON with these keys. Gzip JSON has no bytes of its own, and
 * zips by others may have another member first. */
static const lvl_signature signatures[] = {
    LVL_SIGNATURE("zip", LVL_BYTES_AT(0, "PK\3\4"), LVL_BYTES_AT(30, "chunks/0/")),
    LVL_SIGNATURE("JSON", LVL_BYTES_AT(0, "{\"version\":1,\"gameVersion\":\"")),
    LVL_SIGNATURE("JSON", LVL_BYTES_AT(0, "{\"version\": 1, \"gameVersion\": \"")),
    {0},
};

static const lvl_book *const books[] = {&lvl_book_sketchy, NULL};

const lvl_format lvl_format_sketchy = {
    .id = "sketchy",
    .family = "sketchy",
    .title = "Sketchy Maze drawing (level or doodad)",
    .extensions = "level doodad",
    .mime = "application/x-sketchymaze-level",
    .codepage = LVL_CP_UTF8,
    .table = &lvl_sketchy_table,
    .findings = lvl_sketchy_findings,
    .finding_count = LVL_SKETCHY_F_COUNT,
    .signatures = signatures,
    .programs = lvl_sketchy_programs,
    .program_count = LVL_SKETCHY_PROGRAMS,
    .forms = lvl_sketchy_forms,
    .shot_width = LVL_SKETCHY_SHOT_WIDTH,
    .shot_height = LVL_SKETCHY_SHOT_HEIGHT,
    .player_height = 54, /* boy.doodad */
    .calls =
        &(const lvl_format_calls){
            .cuts = cuts,
            .books = books,
            .probe = lvl_sketchy_probe,
            .probe_tail = lvl_sketchy_probe_tail,
            .read = lvl_sketchy_read,
            .write = lvl_sketchy_write,
            .derive = sketchy_derive,
            .settle = lvl_sketchy_settle,
            .streams = lvl_sketchy_streams,
            .unread = visit_unread,
            .drop_spelling = lvl_doc_drop_kept_members,
            .check = lvl_sketchy_check,
            .repair = lvl_sketchy_repair,
            .info = lvl_sketchy_info,
            .decode = lvl_sketchy_decode,
            .same_stored = lvl_sketchy_same_stored,
            .convert = lvl_sketchy_convert,
            .open_container = lvl_sketchy_open_container,
            .scene = lvl_sketchy_scene,
            .map_layout = &lvl_sketchy_map_layout,
            .play = lvl_sketchy_play,
            .draw = LVL_DRAWING(lvl_sketchy_draw),
            .draw_level = LVL_DRAWING(lvl_sketchy_draw_level),
            .to_image = lvl_sketchy_layer_image,
            .rest = LVL_DRAWING(lvl_sketchy_embedded),
            .read_palette = LVL_DRAWING(lvl_sketchy_read_palette),
            .restructure = LVL_DRAWING(lvl_sketchy_restructure),
            .embed_screenshot = LVL_DRAWING(lvl_sketchy_embed_screenshot),
        },
};

/* ---- packs ------------------------------------------------------------------------------------------- */

const lvl_format lvl_format_levelpack = {
    .id = "levelpack",
    .family = "sketchy",
    .title = "Sketchy Maze levelpack",
    .extensions = "levelpack",
    .mime = "application/x-sketchymaze-levelpack",
    .codepage = LVL_CP_UTF8,
    .table = &lvl_levelpack_table,
    .findings = lvl_sketchy_findings,
    .finding_count = LVL_SKETCHY_F_COUNT,
    .programs = lvl_sketchy_programs,
    .program_count = LVL_SKETCHY_PROGRAMS,
    .calls =
        &(const lvl_format_calls){
            .members = &lvl_format_sketchy,
            .cuts = cuts,
            .probe = lvl_levelpack_probe,
            .probe_tail = lvl_sketchy_probe_tail,
            .read = lvl_levelpack_read,
            .write = lvl_levelpack_write,
            .streams = lvl_levelpack_streams,
            .unread = visit_unread,
            .drop_spelling = lvl_doc_drop_kept_members,
            .check = lvl_levelpack_check,
            .repair = lvl_levelpack_repair,
            .info = lvl_levelpack_info,
            .decode = lvl_sketchy_decode,
            .same_stored = lvl_sketchy_same_stored,
            .open_container = lvl_sketchy_open_container,
        },
};
