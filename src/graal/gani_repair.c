/*
 * graal/gani_repair.c: mends what can be mended without a guess: frames that lack directions get empty ones, and what was begun is ended.
 */
#include "graal/gani_format.h"

#include "graal/gani_findings.h"
#include "graal/gani_reader.h"

static void log_change(const lvl_repairs *repairs, lvl_gani_finding what, const lvl_where *where,
                       const char *text)
{
    lvl_findings_add(repairs->log, &lvl_gani_findings[what], where, NULL, "%s", text);
}

static lvl_status fill_frames(lvl_doc *doc, lvl_repairs *repairs)
{
    const lvl_field *list = lvl_table_at(&lvl_gani_frame_table, offsetof(lvl_gani_frame, directions));
    lvl_gani *g = doc->root;
    const uint32_t wanted = g->single_direction ? 1 : 4;

    for (uint32_t i = 0; i < g->frame_count; i++) {
        lvl_gani_frame *f = &g->frames[i];
        if (f->direction_count >= wanted)
            continue;
        const lvl_where where = gani_where(&lvl_gani_table, offsetof(lvl_gani, frames), i);
        const lvl_status status =
            lvl_list_insert(doc, f, list, f->direction_count, wanted - f->direction_count);
        if (status != LVL_OK)
            return status;
        log_change(repairs, LVL_GANI_F_DIRECTIONS, &where, "given empty directions");
    }
    return LVL_OK;
}

/* Whether the lines from SCRIPT on come to SCRIPTEND. */
static bool script_ends(lvl_text lines)
{
    static const char word[] = "SCRIPTEND";
    const size_t len = sizeof word - 1;
    const char *p = lines.ptr, *end = p ? p + lines.len : p;

    while (end > p && (gani_blank(end[-1]) || end[-1] == '\n' || end[-1] == '\r'))
        end--;
    return (size_t)(end - p) >= len && memcmp(end - len, word, len) == 0;
}

/* Takes what says that a block isn't ended, or the last line, out of the order. */
static lvl_status end_block(lvl_doc *doc, lvl_repairs *repairs)
{
    lvl_gani *g = doc->root;
    lvl_status status = LVL_OK;
    lvl_buffer text = {0};
    gani_runs runs;
    bool open = false;
    size_t left = 0;

    gani_runs_init(&runs, doc->ctx);
    gani_order_parse(g->order, &runs);
    for (size_t i = 0; i < runs.count; i++)
        open |= runs.items[i].kind == GANI_K_OPEN;
    for (size_t i = 0; i < runs.count; i++) {
        const gani_kind kind = runs.items[i].kind;
        if (!open || (kind != GANI_K_OPEN && kind != GANI_K_CUT))
            runs.items[left++] = runs.items[i];
    }
    runs.count = left;
    if (runs.failed)
        status = LVL_ERR_MEMORY;
    if (open && status == LVL_OK) {
        gani_order_put(&text, &runs);
        const lvl_text order = lvl_doc_text(doc, (lvl_text){(const char *)text.data, text.len});
        if (text.status != LVL_OK || !order.ptr) {
            status = LVL_ERR_MEMORY;
        } else {
            g->order = order;
            g->after = (lvl_text){NULL, 0};
            g->file = (lvl_bytes){NULL, 0};
            log_change(repairs, LVL_GANI_F_NOT_ENDED, NULL,
                       g->actor_count ? "MOVIEEND added" : "ANIEND added");
        }
    }
    lvl_buffer_free(&text);
    gani_runs_free(&runs);
    return status;
}

static bool actors_end(const lvl_gani *g)
{
    gani_line l;
    bool open = false;

    if (!g->actor_count || !g->file.len)
        return true;
    const char *p = (const char *)g->file.ptr, *end = p + g->file.len;
    for (; p < end; p = l.next) {
        l = gani_line_at(p, end, LVL_GANI_LF);
        switch (gani_movie_line_kind(l.at, l.end)) {
        case GANI_M_ACTOR:
        case GANI_M_END:
            if (open)
                return false;
            open = gani_movie_line_kind(l.at, l.end) == GANI_M_ACTOR;
            break;
        case GANI_M_ACTOREND: open = false; break;
        case GANI_M_BLANK:
        case GANI_M_FRAME:
        case GANI_M_STRAY: break;
        }
    }
    return !open;
}

lvl_status lvl_gani_repair(lvl_doc *doc, lvl_repairs *repairs)
{
    lvl_gani *g = doc->root;
    const lvl_where script = gani_where(&lvl_gani_table, offsetof(lvl_gani, script), LVL_NO_INDEX);

    if (g->script_lines.len && !script_ends(g->script_lines)) {
        g->script_lines = (lvl_text){NULL, 0};
        g->file = (lvl_bytes){NULL, 0};
        log_change(repairs, LVL_GANI_F_NOT_ENDED, &script, "SCRIPTEND added");
    }
    if (!actors_end(g)) {
        g->file = (lvl_bytes){NULL, 0};
        log_change(repairs, LVL_GANI_F_NOT_ENDED, NULL, "ACTOREND added");
    }
    lvl_status status = g->order.len ? end_block(doc, repairs) : LVL_OK;
    return status == LVL_OK ? fill_frames(doc, repairs) : status;
}
