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

/* ---- blocks that end too early ----------------------------------------------------------------------- */

/* How many findings of the file say that it has lines outside of its block, and whether others are errors. */
static lvl_status count_outside(const lvl_doc *doc, lvl_bytes file, size_t *outside, bool *bad)
{
    lvl_findings *found = lvl_findings_new(doc->ctx);
    lvl_doc *again = NULL;
    lvl_status status =
        found ? lvl_read(&again, doc->ctx, doc->format, file, NULL, LVL_READ_BORROW, found) : LVL_ERR_MEMORY;

    *outside = 0;
    *bad = false;
    for (size_t i = 0; status == LVL_OK && i < lvl_findings_count(found); i++) {
        const lvl_finding_def *def = lvl_findings_at(found, i)->def;
        if (def == &lvl_gani_findings[LVL_GANI_F_OUTSIDE] ||
            def == &lvl_gani_findings[LVL_GANI_F_SECOND_BLOCK])
            ++*outside;
        else
            *bad |= def == &lvl_gani_findings[LVL_GANI_F_NOT_ENDED] ||
                    lvl_findings_at(found, i)->severity >= LVL_ERROR;
    }
    lvl_doc_free(again);
    lvl_findings_free(found);
    return status;
}

/* Copies a file without the line that ends its block too early and, if a second block follows, without the
 * line that begins it; nothing where another line stands between. `end`: appends the end line instead. */
static void join_blocks(lvl_bytes file, bool end, lvl_buffer *out)
{
    const char *from = (const char *)file.ptr, *limit = from + file.len, *cut = NULL, *rest = NULL;
    gani_line l, first = {0};

    for (const char *at = from; at < limit && !rest; at = l.next) {
        l = gani_line_at(at, limit, LVL_GANI_LF);
        const lvl_text text = gani_text(l.at, l.end);
        if (!cut && (lvl_text_is(text, "ANIEND") || lvl_text_is(text, "MOVIEEND"))) {
            cut = at;
            first = l;
        } else if (cut && gani_definition_kind(l.at, l.end) != GANI_K_BLANK) {
            const bool begins = lvl_text_is(text, "ANI") || lvl_text_is(text, "MOVIE");
            rest = begins ? l.next : first.next;
        }
    }
    if (!rest)
        return;
    lvl_buffer_add(out, from, (size_t)(cut - from));
    lvl_buffer_add(out, rest, (size_t)(limit - rest));
    if (end && limit[-1] == '\n')
        lvl_buffer_add(out, first.at, (size_t)(first.next - first.at));
}

/* Moves lines of frames behind their block's end back into it, if nothing is wrong with the file then. */
static lvl_status join_ended(lvl_doc *doc, lvl_repairs *repairs)
{
    lvl_buffer file = {0}, out = {0};
    size_t outside = 0, left = 1;
    bool bad = false, joined = false;
    lvl_status status = lvl_doc_write(doc, &file);
    const lvl_bytes before = {file.data, file.len};

    if (status == LVL_OK)
        status = count_outside(doc, before, &outside, &bad);
    for (int end = 0; end < 2 && outside && !joined && status == LVL_OK; end++) {
        out.len = 0;
        join_blocks(before, end, &out);
        status = out.status;
        if (!out.len || status != LVL_OK)
            break;
        status = count_outside(doc, (lvl_bytes){out.data, out.len}, &left, &bad);
        joined = !left && !bad;
    }
    if (joined && status == LVL_OK) {
        const uint8_t *copy = lvl_arena_copy(&doc->arena, out.data, out.len);
        status = copy ? lvl_doc_reread(doc, (lvl_bytes){copy, out.len}) : LVL_ERR_MEMORY;
        log_change(repairs, LVL_GANI_F_OUTSIDE, NULL,
                   "moved the end of the block behind the last line of a frame or actor");
    }
    lvl_buffer_free(&file);
    lvl_buffer_free(&out);
    return status;
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
    lvl_status status = join_ended(doc, repairs);
    if (status == LVL_OK && g->order.len)
        status = end_block(doc, repairs);
    return status == LVL_OK ? fill_frames(doc, repairs) : status;
}
