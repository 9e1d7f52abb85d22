/*
 * graal/gani_read_frames.c: reads what stands between ANI and ANIEND. A frame is four lines of pieces, or
 * one; WAIT and PLAYSOUND follow; a blank line sets frames apart. The editor writes a direction without
 * pieces as a line of one blank, but people leave that blank out, so that an empty line may be a direction as
 * well as a gap: it is a direction where only then the frame comes out whole.
 */
#include "graal/gani_reader.h"

/* The frame being read. */
struct frame {
    lvl_gani_frame *f; /* NULL before the first one */
    bool open;         /* more directions may follow */
    const char *end;   /* where it ends: behind ANI, or its last line so far */
    const char *after; /* where its lines after the directions begin */
    bool usual;        /* those lines are as the writer sets them */
};

static bool ends_frame(gani_frame_line kind)
{
    return kind == GANI_L_BLANK || kind == GANI_L_WAIT || kind == GANI_L_SOUND || kind == GANI_L_END ||
           kind == GANI_L_STRAY;
}

static uint32_t directions(const gani_reader *r)
{
    return r->g->single_direction ? 1 : 4;
}

/* Whether `count` directions stand at `p`, some of them perhaps empty lines, with a frame's end behind them.
 * `strict`: none of them is an empty line; else not all are. */
static bool frame_fits(const gani_reader *r, const char *p, uint32_t count, bool strict)
{
    bool any = false;
    gani_line l;

    for (uint32_t i = 0; i < count; i++, p = l.next) {
        if (p >= r->limit)
            return false;
        l = gani_line_at(p, r->limit, r->line_end);
        const gani_frame_line kind = gani_frame_line_kind(l.at, l.end);
        if (kind > GANI_L_PIECES || (strict && kind == GANI_L_BLANK))
            return false;
        any |= kind != GANI_L_BLANK;
    }
    if (!any)
        return false;
    if (p >= r->limit)
        return true;
    l = gani_line_at(p, r->limit, r->line_end);
    return ends_frame(gani_frame_line_kind(l.at, l.end));
}

/* An open frame lacks `missing` directions and an empty line comes at `p`. */
static bool blank_is_direction(const gani_reader *r, const char *p, uint32_t missing)
{
    gani_line l = {p, p, p, false};

    for (uint32_t i = 0; i < missing; i++) {
        if (l.next >= r->limit)
            return false;
        l = gani_line_at(l.next, r->limit, r->line_end);
        if (gani_frame_line_kind(l.at, l.end) > GANI_L_PIECES)
            return false;
    }
    if (l.next >= r->limit)
        return true;
    l = gani_line_at(l.next, r->limit, r->line_end);
    return ends_frame(gani_frame_line_kind(l.at, l.end));
}

/* No frame is open and an empty line comes at `p`, not the first one. It is a frame's first direction if the
 * frame needs it. */
static bool blank_begins_frame(const gani_reader *r, const char *p)
{
    gani_line l = {p, p, p, false};

    if (directions(r) == 1 || !frame_fits(r, p, 4, false))
        return false;
    while (l.next < r->limit) {
        l = gani_line_at(l.next, r->limit, r->line_end);
        if (gani_frame_line_kind(l.at, l.end) != GANI_L_BLANK)
            return !frame_fits(r, l.at, 4, true);
    }
    return false;
}

/* Blanks where a frame may begin are a direction, or a gap that somebody typed. */
static bool space_begins_frame(const gani_reader *r, const gani_line *l)
{
    return frame_fits(r, l->at, directions(r), false) ||
           (l->next < r->limit && !frame_fits(r, l->next, directions(r), true));
}

/* ---- lines ------------------------------------------------------------------------------------------- */

static void end_frame(const struct frame *now)
{
    if (now->f && !now->usual)
        now->f->after = gani_text(now->after, now->end);
}

static void begin_frame(gani_reader *r, struct frame *now, const gani_line *l)
{
    end_frame(now);
    lvl_gani_frame *f = &r->g->frames[r->g->frame_count++];
    memset(f, 0, sizeof *f);
    f->before = gani_text(now->end, l->at); /* settled when all gaps are known */
    f->directions = r->direction;
    f->sounds = r->sound;
    now->f = f;
    now->open = true;
    now->usual = true;
    r->pending = NULL;
}

static lvl_where frame_where(const gani_reader *r)
{
    return gani_where(&lvl_gani_table, offsetof(lvl_gani, frames), r->g->frame_count - 1);
}

static void emit_pieces(const gani_reader *r, const lvl_where *where, const lvl_gani_direction *d,
                        const gani_line *l)
{
    const lvl_field *list = lvl_table_at(&lvl_gani_direction_table, offsetof(lvl_gani_direction, pieces));
    gani_cursor c = gani_cursor_of(l->at, l->end);
    const char *from = l->at;
    lvl_gani_piece piece;

    for (uint32_t i = 0; i < d->piece_count && gani_piece_read(&c, !i, &piece); i++) {
        const lvl_where at = lvl_where_to(*where, list, i);
        const char *to = i + 1 < d->piece_count ? c.p : l->next;
        gani_emit(r, LVL_SPAN_FIELD, &at, NULL, from, to, NULL);
        from = to;
    }
    gani_emit(r, LVL_SPAN_FIELD, where, NULL, from, l->next, "no pieces");
}

static void read_direction(gani_reader *r, struct frame *now, const gani_line *l)
{
    if (!now->open || now->f->direction_count == directions(r))
        begin_frame(r, now, l);
    lvl_gani_direction *d = r->direction++;
    gani_cursor c = gani_cursor_of(l->at, l->end);

    now->f->direction_count++;
    d->pieces = r->piece;
    d->line = gani_text(NULL, NULL);
    if (gani_frame_line_kind(l->at, l->end) == GANI_L_PIECES) {
        for (bool first = true; gani_piece_read(&c, first, r->piece); first = false)
            r->piece++;
    } else if (l->end != l->at + 1 || *l->at != ' ') {
        gani_unfit(&c);
    }
    d->piece_count = (uint32_t)(r->piece - d->pieces);
    if (!(c.fit & r->style) || !l->own)
        d->line = l->end == l->at ? gani_text(l->at, l->next) : gani_keep(r, l);
    now->end = now->after = l->next;
    if (!r->sink && c.fit & GANI_WELL)
        return;
    const lvl_where frame = frame_where(r);
    const lvl_where where =
        lvl_where_to(frame, lvl_table_at(&lvl_gani_frame_table, offsetof(lvl_gani_frame, directions)),
                     now->f->direction_count - 1);
    emit_pieces(r, &where, d, l);
    if (!(c.fit & GANI_WELL))
        gani_report_odd(r, &where, l);
}

/* WAIT or PLAYSOUND. Whatever stands between it and the frame that it belongs to is kept with it. */
static void read_order(gani_reader *r, struct frame *now, const gani_line *l, gani_frame_line kind)
{
    lvl_gani_frame *f = now->f;
    const lvl_field *field = NULL;
    unsigned fit;

    now->usual &= l->at == now->end && l->own;
    if (kind == GANI_L_WAIT) {
        now->usual &= now->end == now->after; /* sounds follow */
        fit = gani_wait_read(l->at, l->end, &f->wait, &f->wait_more);
        field = lvl_table_at(&lvl_gani_frame_table, offsetof(lvl_gani_frame, wait));
    } else {
        fit = gani_sound_read(l->at, l->end, r->sound++);
        f->sound_count++;
    }
    now->usual &= (fit & r->style) != 0;
    lvl_where where = frame_where(r);
    if (kind == GANI_L_SOUND)
        where = lvl_where_to(where, lvl_table_at(&lvl_gani_frame_table, offsetof(lvl_gani_frame, sounds)),
                             f->sound_count - 1);
    gani_emit(r, LVL_SPAN_SPELLING, &where, NULL, now->end, l->at, "lines kept with the frame");
    gani_emit(r, LVL_SPAN_FIELD, &where, field, l->at, l->next, NULL);
    if (!(fit & GANI_WELL))
        gani_report_odd(r, &where, l);
    now->open = false;
    now->end = l->next;
    r->pending = NULL;
}

/* ---- gaps -------------------------------------------------------------------------------------------- */

/* Sets how frames are set apart, and lets go of the lines before them that say just that. `from` to `to`:
 * what follows the last frame. */
static void place_gaps(gani_reader *r, const char *from, const char *to)
{
    const char *eol = r->line_end == LVL_GANI_CRLF ? "\r\n" : "\n";
    const size_t len = r->line_end == LVL_GANI_CRLF ? 2 : 1;
    lvl_gani *g = r->g;
    bool nowhere = false;

    for (uint32_t i = 1; i < g->frame_count && !nowhere; i++)
        nowhere = g->frames[i].before.len == 0;
    if (nowhere)
        g->gaps = LVL_GANI_NOWHERE;
    else if (g->frame_count && (size_t)(to - from) > len && memcmp(from, eol, len) == 0)
        g->gaps = LVL_GANI_AFTER;
    for (uint32_t i = 0; i < g->frame_count; i++) {
        lvl_text *before = &g->frames[i].before;
        const bool usual = i && !nowhere && before->len == len && memcmp(before->ptr, eol, len) == 0;
        if (r->sink) {
            const lvl_where where = gani_where(&lvl_gani_table, offsetof(lvl_gani, frames), i);
            const char *end = before->ptr + before->len;
            if (usual)
                gani_emit(r, LVL_SPAN_SPELLING, NULL, NULL, before->ptr, end, "blank line");
            else
                gani_emit_kept(r, &where, &lvl_gani_frame_table, offsetof(lvl_gani_frame, before),
                               before->ptr, end);
        }
        if (usual)
            *before = gani_text(NULL, NULL);
    }
}

void gani_read_frames(gani_reader *r)
{
    struct frame now = {.end = r->at, .usual = true};
    bool ended = false;

    while (r->at < r->limit && !ended) {
        const gani_line l = gani_next(r);
        const gani_frame_line kind = gani_frame_line_kind(l.at, l.end);
        const uint32_t missing = now.open ? directions(r) - now.f->direction_count : 0;
        r->at = l.next;
        switch (kind) {
        case GANI_L_PIECES: read_direction(r, &now, &l); break;
        case GANI_L_SPACE:
            if (missing || space_begins_frame(r, &l))
                read_direction(r, &now, &l);
            else
                now.open = false;
            break;
        case GANI_L_BLANK:
            if (missing ? blank_is_direction(r, l.at, missing)
                        : (l.at != now.end || !now.f) && blank_begins_frame(r, l.at))
                read_direction(r, &now, &l);
            else
                now.open = false;
            break;
        case GANI_L_WAIT:
        case GANI_L_SOUND:
            if (now.f)
                read_order(r, &now, &l, kind);
            else
                gani_report_odd(r, NULL, &l); /* no frame that it could belong to */
            break;
        case GANI_L_STRAY:
            now.open = false;
            if (gani_definition_kind(l.at, l.end) != GANI_K_STRAY)
                gani_report_odd(r, NULL, &l);
            break;
        case GANI_L_END: ended = true; break;
        }
    }
    end_frame(&now);
    place_gaps(r, now.end, r->at);
    if (ended) {
        gani_read_after(r, now.end, "ANIEND");
        return;
    }
    gani_runs_add(&r->runs, GANI_K_OPEN);
    r->g->after = gani_text(now.end, r->limit);
    gani_emit_kept(r, NULL, &lvl_gani_table, offsetof(lvl_gani, after), now.end, r->limit);
    gani_report(r, LVL_GANI_F_NOT_ENDED, NULL, r->limit, r->limit, "ANI without ANIEND");
}
