/*
 * graal/gani_repair.c: repairs what can be repaired without a guess: frames that lack directions get empty
 * ones, and what was begun is ended.
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

/* Whether findings of the file say that it has lines outside of its block, and whether others are errors. */
static lvl_status judge(const lvl_doc *doc, const lvl_buffer *file, bool *outside, bool *bad)
{
    lvl_findings *found = lvl_findings_new(doc->ctx);
    lvl_doc *again = NULL;
    lvl_status status = found ? lvl_read(&again, doc->ctx, doc->format, (lvl_bytes){file->data, file->len},
                                         NULL, LVL_READ_BORROW, found)
                              : LVL_ERR_MEMORY;

    *outside = *bad = false;
    for (size_t i = 0; status == LVL_OK && i < lvl_findings_count(found); i++) {
        const lvl_finding_def *def = lvl_findings_at(found, i)->def;
        if (def == &lvl_gani_findings[LVL_GANI_F_OUTSIDE] ||
            def == &lvl_gani_findings[LVL_GANI_F_SECOND_BLOCK])
            *outside = true;
        else
            *bad |= def == &lvl_gani_findings[LVL_GANI_F_NOT_ENDED] ||
                    lvl_findings_at(found, i)->severity >= LVL_ERROR;
    }
    lvl_doc_free(again);
    lvl_findings_free(found);
    return status;
}

/* Goes on with another file, if nothing is wrong with that. */
static lvl_status take_if_sound(lvl_doc *doc, const lvl_buffer *file, bool *taken)
{
    bool outside = true, bad = true;
    const lvl_status status = file->status != LVL_OK ? file->status : judge(doc, file, &outside, &bad);

    *taken = status == LVL_OK && !outside && !bad;
    return *taken ? lvl_doc_reread(doc, (lvl_bytes){file->data, file->len}) : status;
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

/* Moves lines of frames behind their block's end back into it. */
static lvl_status join_ended(lvl_doc *doc, const lvl_buffer *file, lvl_repairs *repairs)
{
    bool outside = false, bad = false, joined = false;
    lvl_buffer out = {0};
    lvl_status status = judge(doc, file, &outside, &bad);

    for (int end = 0; end < 2 && outside && !joined && status == LVL_OK; end++) {
        out.len = 0;
        join_blocks((lvl_bytes){file->data, file->len}, end, &out);
        if (!out.len)
            break;
        status = take_if_sound(doc, &out, &joined);
    }
    if (joined && status == LVL_OK)
        log_change(repairs, LVL_GANI_F_OUTSIDE, NULL,
                   "moved the end of the block after the last line of a frame or actor");
    lvl_buffer_free(&out);
    return status;
}

static bool is_open(const lvl_gani *g, const lvl_ctx *ctx)
{
    gani_runs runs;
    bool open = false;

    gani_runs_init(&runs, ctx);
    gani_order_parse(g->order, &runs);
    for (size_t i = 0; i < runs.count; i++)
        open |= runs.items[i].kind == GANI_K_OPEN;
    gani_runs_free(&runs);
    return open;
}

/* Appends the line that ends the block: all its lines stay. */
static lvl_status append_end(lvl_doc *doc, const lvl_buffer *file, lvl_repairs *repairs)
{
    static const char *const words[] = {"ANIEND", "MOVIEEND"};
    const bool crlf = file->len && memchr(file->data, '\r', file->len);
    const char *line_end = crlf ? "\r\n" : "\n";
    lvl_status status = LVL_OK;
    lvl_buffer out = {0};
    bool taken = false;

    for (size_t i = 0; i < LVL_COUNT_OF(words) && !taken && status == LVL_OK; i++) {
        const bool ended = file->len && file->data[file->len - 1] == '\n';
        out.len = 0;
        lvl_buffer_add(&out, file->data, file->len);
        lvl_buffer_printf(&out, "%s%s%s", ended ? "" : line_end, words[i], line_end);
        status = take_if_sound(doc, &out, &taken);
        if (taken && status == LVL_OK)
            lvl_findings_add(repairs->log, &lvl_gani_findings[LVL_GANI_F_NOT_ENDED], NULL, NULL, "%s added",
                             words[i]);
    }
    lvl_buffer_free(&out);
    return status;
}

/* What is tried with the file as it would be written. */
typedef lvl_status (*attempt)(lvl_doc *doc, const lvl_buffer *file, lvl_repairs *repairs);

static lvl_status try_on_file(lvl_doc *doc, attempt repair, lvl_repairs *repairs)
{
    lvl_buffer file = {0};
    lvl_status status = lvl_doc_write(doc, &file);

    if (status == LVL_OK)
        status = repair(doc, &file, repairs);
    lvl_buffer_free(&file);
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
    lvl_status status = try_on_file(doc, join_ended, repairs);
    if (status == LVL_OK && is_open(doc->root, doc->ctx))
        status = try_on_file(doc, append_end, repairs);
    return status == LVL_OK ? fill_frames(doc, repairs) : status;
}
