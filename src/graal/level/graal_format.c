/*
 * graal/level/graal_format.c: the formats of levels of Zelda Online and Graal Online: a binary one of nine
 * versions and a text one.
 */
#include "graal/graal_format.h"

#include "lines/grammar.h"
#include "graal/level/graal_findings.h"
#include "graal/level/graal_level.h"
#include "graal/level/graal_links.h"
#include "graal/level/graal_map.h"
#include "graal/script/graal_script.h"
#include "games/language.h"

/* Content is missing. */
static const lvl_finding_def *const graal_cuts[] = {
    &lvl_graal_findings[LVL_GRAAL_F_HEADER_CUT],
    &lvl_graal_findings[LVL_GRAAL_F_TILES_CUT],
    &lvl_graal_findings[LVL_GRAAL_F_SECTION_CUT],
    &lvl_graal_findings[LVL_GRAAL_F_SIGN_CUT],
    /* records that are not read, or are read as other records */
    &lvl_graal_findings[LVL_GRAAL_F_LAYERS],
    &lvl_graal_findings[LVL_GRAAL_F_SECTION_EARLY],
    &lvl_graal_findings[LVL_GRAAL_F_NPC_MARK],
    &lvl_graal_findings[LVL_GRAAL_F_LINK_WORDS],
    &lvl_graal_findings[LVL_GRAAL_F_CHEST_LENGTH],
    &lvl_graal_findings[LVL_GRAAL_F_HEIGHTS],
    NULL,
};

static const lvl_signature graal_signatures[] = {
    LVL_SIGNATURE("Z3-V1.02", LVL_BYTES_AT(0, "Z3-V1.02")),
    LVL_SIGNATURE("Z3-V1.03", LVL_BYTES_AT(0, "Z3-V1.03")),
    LVL_SIGNATURE("Z3-V1.04", LVL_BYTES_AT(0, "Z3-V1.04")),
    LVL_SIGNATURE("GR-V1.00", LVL_BYTES_AT(0, "GR-V1.00")),
    LVL_SIGNATURE("GR-V1.01", LVL_BYTES_AT(0, "GR-V1.01")),
    LVL_SIGNATURE("GR-V1.02", LVL_BYTES_AT(0, "GR-V1.02")),
    LVL_SIGNATURE("GR-V1.03", LVL_BYTES_AT(0, "GR-V1.03")),
    LVL_SIGNATURE("GR-V1.04", LVL_BYTES_AT(0, "GR-V1.04")),
    LVL_SIGNATURE("GR-V1.05", LVL_BYTES_AT(0, "GR-V1.05")),
    {0},
};

/* A visit of the bytes that are not in any member. */
typedef struct unread_visit {
    lvl_sink sink;
    lvl_bytes file;
    lvl_unread_fn visit;
    void *user;
} unread_visit;

static void skip_space(lvl_sink *sink, const lvl_space *space)
{
    (void)sink;
    (void)space;
}

static void visit_span(lvl_sink *sink, const lvl_span *span)
{
    const unread_visit *v = (const unread_visit *)(const void *)sink;

    if (span->role == LVL_SPAN_SPELLING)
        v->visit(v->user, (lvl_text){(const char *)v->file.ptr + span->bit / 8, (size_t)(span->bits / 8)},
                 false, &span->where);
}

/* Visits lines that are not records, and bytes after the heights. */
static lvl_status visit_unread(const lvl_doc *doc, lvl_unread_fn visit, void *user)
{
    unread_visit v = {{skip_space, visit_span, false}, doc->input, visit, user};
    const lvl_graal_parts *parts = doc->state; /* NULL: not from a file */

    return parts && parts->unread ? lvl_doc_trace(doc, &v.sink) : LVL_OK;
}

const lvl_format lvl_format_graal = {
    .id = "graal",
    .family = "graal",
    .title = "Graal level, binary (Zelda Online, Graal Online)",
    .extensions = "graal zelda",
    .later = "GR-V Z3-V",
    .mime = "application/x-graal-level",
    .codepage = LVL_CP_1252,
    .table = &lvl_graal_table,
    .findings = lvl_graal_findings,
    .finding_count = LVL_GRAAL_F_TEXT,
    .forms = lvl_graal_forms,
    .signatures = graal_signatures,
    .calls =
        &(const lvl_format_calls){
            .cuts = graal_cuts,
            .unread = visit_unread,
            .probe = lvl_graal_probe,
            .read = lvl_graal_read,
            .write = lvl_graal_write,
            .check_writable = lvl_graal_check_writable,
            .kept = lvl_graal_kept,
            .can_regenerate = lvl_graal_can_regenerate,
            .drop_spelling = lvl_doc_drop_kept_members,
            .check = lvl_graal_check,
            .repair = lvl_graal_repair,
            .info = lvl_graal_info,
            .scene = lvl_graal_scene,
            .map_layout = &lvl_graal_map_layout,
            .draw = LVL_DRAWING(lvl_graal_draw),
            .links = lvl_graal_links,
            .ground = lvl_graal_ground,
            .script_stems = lvl_gs1_stems,
            .script_list = "signs",
            .script_numbers = lvl_graal_script_signs,
            .convert = lvl_graal_convert,
        },
};

/* Content is missing. */
static const lvl_finding_def *const nw_cuts[] = {
    &lvl_graal_findings[LVL_GRAAL_F_NW_ROW],
    &lvl_graal_findings[LVL_GRAAL_F_NW_UNCLOSED],
    NULL,
};

/* Editors on Windows may put a byte order mark before it. */
static const lvl_signature nw_signatures[] = {
    LVL_SIGNATURE(NULL, LVL_BYTES_AT(0, "GLEVNW01")),
    LVL_SIGNATURE(NULL, LVL_BYTES_AT(0, "\xEF\xBB\xBFGLEVNW01")),
    {0},
};

const lvl_format lvl_format_nw = {
    .id = "nw",
    .family = "graal",
    .title = "Graal level, text (New World, Graal Online)",
    .extensions = "nw",
    .later = "GLEVNW GWEBL",
    .mime = "text/x-graal-level",
    .codepage = LVL_CP_1252,
    .table = &lvl_graal_table,
    .findings = lvl_graal_findings + LVL_GRAAL_F_EITHER,
    .finding_count = LVL_GRAAL_F_COUNT - LVL_GRAAL_F_EITHER,
    .forms = lvl_graal_forms,
    .signatures = nw_signatures,
    .calls =
        &(const lvl_format_calls){
            .cuts = nw_cuts,
            .probe = lvl_nw_probe,
            LVL_GRAMMAR_CALLS(lvl_nw_read, lvl_nw_check_writable, lvl_nw_grammar),
            .check = lvl_graal_check,
            .repair = lvl_graal_repair,
            .info = lvl_graal_info,
            .scene = lvl_graal_scene,
            .map_layout = &lvl_nw_map_layout,
            .draw = LVL_DRAWING(lvl_graal_draw),
            .links = lvl_graal_links,
            .ground = lvl_graal_ground,
#ifndef LVL_WITHOUT_SERVER
            .own_files = lvl_gs1_own_files,
#endif
            .script_stems = lvl_gs1_stems,
            .script_list = "signs",
            .script_numbers = lvl_graal_script_signs,
            .convert = lvl_graal_convert,
        },
};
