/*
 * graal/gani_repair.c: repairs what can be repaired without a guess: frames that lack directions get empty
 * ones, what was begun is ended, and lines behind the end of their block come back into it. What changes the
 * file's lines is tried on the file: it is taken if the file is sound then.
 */
#include "graal/gani_internal.h"

#include "base/text.h"

#include <string.h>

static void log_change(const lvl_repairs *repairs, lvl_gani_finding what, const lvl_where *where,
                       const char *text)
{
    lvl_findings_add(repairs->log, &lvl_gani_findings[what], where, NULL, "%s", text);
}

static lvl_status fill_frames(lvl_doc *doc, lvl_repairs *repairs)
{
    const lvl_field *list = LVL_FIELD(lvl_gani_frame, directions), *frames = LVL_FIELD(lvl_gani, frames);
    lvl_gani *g = doc->root;
    const uint32_t wanted = g->single_direction ? 1 : 4;

    for (uint32_t i = 0; i < g->frame_count; i++) {
        lvl_gani_frame *f = &g->frames[i];
        if (f->direction_count >= wanted)
            continue;
        const lvl_where where = lvl_where_to(lvl_where_root(), frames, i);
        const lvl_status status =
            lvl_list_insert(doc, f, list, f->direction_count, wanted - f->direction_count);
        if (status != LVL_OK)
            return status;
        log_change(repairs, LVL_GANI_F_DIRECTIONS, &where, "given empty directions");
    }
    return LVL_OK;
}

/* What reading a file says of its blocks. */
typedef struct verdict {
    bool outside; /* lines are outside of their block */
    bool open;    /* a block is not ended */
    bool bad;     /* it has other errors */
} verdict;

static lvl_status judge(const lvl_doc *doc, const lvl_buffer *file, verdict *out)
{
    lvl_findings *found = lvl_findings_new(doc->ctx);
    lvl_doc *again = NULL;
    lvl_status status = found ? lvl_read(&again, doc->ctx, doc->format, (lvl_bytes){file->data, file->len},
                                         NULL, LVL_READ_BORROW, found)
                              : LVL_ERR_MEMORY;

    *out = (verdict){false, false, false};
    for (size_t i = 0; status == LVL_OK && i < lvl_findings_count(found); i++) {
        const lvl_finding *f = lvl_findings_at(found, i);
        if (f->def == &lvl_gani_findings[LVL_GANI_F_OUTSIDE] ||
            f->def == &lvl_gani_findings[LVL_GANI_F_SECOND_BLOCK])
            out->outside = true;
        else if (f->def == &lvl_gani_findings[LVL_GANI_F_NOT_ENDED])
            out->open = true;
        else
            out->bad |= f->severity >= LVL_ERROR;
    }
    lvl_doc_free(again);
    lvl_findings_free(found);
    return status;
}

/* Goes on with another file, if nothing is wrong with that. */
static lvl_status take_if_sound(lvl_doc *doc, const lvl_buffer *file, bool *taken)
{
    verdict v = {true, true, true};
    const lvl_status status = file->status != LVL_OK ? file->status : judge(doc, file, &v);

    *taken = status == LVL_OK && !v.outside && !v.open && !v.bad;
    return *taken ? lvl_doc_reread(doc, (lvl_bytes){file->data, file->len}) : status;
}

/* ---- blocks that end too early ------------------------------------------------------------------- */

/* Copies a file without the line that ends its block too early and, if a second block follows, without the
 * line that begins it; nothing where another line stands between. `end`: appends the end line instead. */
static void join_blocks(lvl_bytes file, bool end, lvl_buffer *out)
{
    const char *from = (const char *)file.ptr, *limit = from + file.len, *cut = NULL, *rest = NULL;
    const lvl_lines_text text = {from, limit, true};
    lvl_line_view l, first = {{NULL, 0}, NULL};

    for (const char *at = from; at < limit && !rest; at = l.next) {
        l = lvl_line_at(&text, at);
        if (!cut && (lvl_text_is(l.text, "ANIEND") || lvl_text_is(l.text, "MOVIEEND"))) {
            cut = at;
            first = l;
        } else if (cut && l.text.len) {
            const bool begins = lvl_text_is(l.text, "ANI") || lvl_text_is(l.text, "MOVIE");
            rest = begins ? l.next : first.next;
        }
    }
    if (!rest)
        return;
    lvl_buffer_add(out, from, (size_t)(cut - from));
    lvl_buffer_add(out, rest, (size_t)(limit - rest));
    if (end && limit[-1] == '\n')
        lvl_buffer_add(out, cut, (size_t)(first.next - cut));
}

/* Moves lines of frames behind their block's end back into it. */
static lvl_status join_ended(lvl_doc *doc, const lvl_buffer *file, lvl_repairs *repairs)
{
    bool joined = false;
    lvl_buffer out = {0};
    verdict v;
    lvl_status status = judge(doc, file, &v);

    for (int end = 0; end < 2 && v.outside && !joined && status == LVL_OK; end++) {
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

/* ---- blocks that do not end ---------------------------------------------------------------------- */

/* Appends the line that ends the block: all its lines stay. */
static lvl_status append_end(lvl_doc *doc, const lvl_buffer *file, lvl_repairs *repairs)
{
    static const char *const endings[] = {"SCRIPTEND", "ANIEND", "MOVIEEND", "  ACTOREND\nMOVIEEND"};
    const char *line_end = ((const lvl_gani *)doc->root)->line_end ? "\r\n" : "\n";
    lvl_buffer out = {0};
    bool taken = false;
    verdict v;
    lvl_status status = judge(doc, file, &v);

    for (size_t i = 0; i < LVL_COUNT_OF(endings) && v.open && !taken && status == LVL_OK; i++) {
        const char *second = strchr(endings[i], '\n');
        const size_t first = second ? (size_t)(second - endings[i]) : strlen(endings[i]);
        out.len = 0;
        lvl_buffer_add(&out, file->data, file->len);
        if (file->data[file->len - 1] != '\n')
            lvl_buffer_str(&out, line_end);
        lvl_buffer_add(&out, endings[i], first);
        if (second)
            lvl_buffer_printf(&out, "%s%s", line_end, second + 1);
        lvl_buffer_str(&out, line_end);
        status = take_if_sound(doc, &out, &taken);
        if (taken && status == LVL_OK)
            lvl_findings_add(repairs->log, &lvl_gani_findings[LVL_GANI_F_NOT_ENDED], NULL, NULL, "added %s",
                             second ? second + 1 : endings[i]);
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

    if (status == LVL_OK && file.len)
        status = repair(doc, &file, repairs);
    lvl_buffer_free(&file);
    return status;
}

lvl_status lvl_gani_repair(lvl_doc *doc, lvl_repairs *repairs)
{
    static const attempt attempts[] = {join_ended, append_end};
    lvl_status status = LVL_OK;

    for (size_t i = 0; i < LVL_COUNT_OF(attempts) && status == LVL_OK; i++)
        status = try_on_file(doc, attempts[i], repairs);
    return status == LVL_OK ? fill_frames(doc, repairs) : status;
}
