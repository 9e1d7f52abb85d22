/*
 * graal/gani_read.c: reads animations: the header, the definitions, and what follows the block of frames or
 * actors. One pass counts lines by their first letter, so that all lists get their room at once; the second
 * reads. Views of the input stand for all texts.
 */
#include "graal/gani_format.h"
#include "graal/gani_reader.h"

#include "base/cursor.h"
#include "base/text.h"
#include "base/work.h"

#include <stdarg.h>

/* ---- telling ----------------------------------------------------------------------------------------- */

lvl_where gani_where(const lvl_table *table, size_t member, uint32_t index)
{
    return lvl_where_to(lvl_where_root(), lvl_table_at(table, member), index);
}

static lvl_position position(const gani_reader *r, const char *from, const char *to)
{
    const lvl_position p = {
        .bit = (uint64_t)(from - r->start) * 8, .bits = (uint64_t)(to - from) * 8, .known = true};
    return p;
}

void gani_report(const gani_reader *r, lvl_gani_finding what, const lvl_where *where, const char *from,
                 const char *to, const char *fmt, ...)
{
    const lvl_position pos = position(r, from, to);
    va_list args;

    va_start(args, fmt);
    lvl_findings_addv(r->findings, &lvl_gani_findings[what], where, &pos, fmt, args);
    va_end(args);
}

void gani_report_odd(const gani_reader *r, const lvl_where *where, const gani_line *l)
{
    char shown[100];

    if (r->findings)
        gani_report(r, LVL_GANI_F_ODD_LINE, where, l->at, l->end, "%s",
                    lvl_text_show(shown, sizeof shown, r->doc->codepage, gani_text(l->at, l->end)));
}

void gani_emit(const gani_reader *r, lvl_span_role role, const lvl_where *where, const lvl_field *field,
               const char *from, const char *to, const char *note)
{
    if (!r->sink || to <= from)
        return;
    lvl_span span = {.bit = (uint64_t)(from - r->start) * 8,
                     .bits = (uint64_t)(to - from) * 8,
                     .role = role,
                     .field = field,
                     .note = note};
    span.where = where ? *where : lvl_where_root();
    if (field)
        span.where = lvl_where_to(span.where, field, LVL_NO_INDEX);
    r->sink->span(r->sink, &span);
}

void gani_emit_words(const gani_reader *r, const lvl_where *where, const lvl_table *table,
                     const char *keyword, const uint32_t *members, unsigned count, const gani_line *l)
{
    const char *p = l->at, *from = l->at;

    if (!r->sink)
        return;
    if (keyword) {
        p = gani_word_end(gani_skip(p, l->end), l->end);
        gani_emit(r, LVL_SPAN_FIELD, where, NULL, from, p, keyword);
        from = p;
    }
    for (unsigned i = 0; i < count; i++) {
        p = gani_skip(from, l->end);
        gani_emit(r, LVL_SPAN_SPELLING, where, NULL, from, p, "blanks");
        from = p;
        p = i + 1 < count ? gani_word_end(p, l->end) : l->end;
        gani_emit(r, LVL_SPAN_FIELD, where, lvl_table_at(table, members[i]), from, p, NULL);
        from = p;
    }
    gani_emit(r, LVL_SPAN_SPELLING, where, NULL, from, l->next, "end of line");
}

void gani_emit_kept(const gani_reader *r, const lvl_where *where, const lvl_table *table, size_t member,
                    const char *from, const char *to)
{
    if (r->sink)
        gani_emit(r, LVL_SPAN_SPELLING, where, lvl_table_at(table, member), from, to, NULL);
}

/* ---- definitions ------------------------------------------------------------------------------------- */

/* A line as a run keeps it: the writer sets the file's line end behind it. */
static lvl_text raw_of(gani_reader *r, const gani_line *l)
{
    if (l->own)
        return gani_text(l->at, l->end);
    if (l->next == l->end || l->next[-1] != '\n') {
        r->cut = true;
        return gani_text(l->at, l->end);
    }
    if (r->line_end == LVL_GANI_CRLF)
        r->whole = true; /* a bare LF where lines end in CRLF */
    return gani_text(l->at, l->next - 1);
}

/* What hangs before a line that has no room for it becomes runs of its own. */
static void flush_strays(gani_reader *r, const char *to)
{
    gani_line l;

    for (const char *p = r->pending; p && p < to; p = l.next) {
        l = gani_line_at(p, r->limit, r->line_end);
        if (l.own && l.end == l.at)
            gani_runs_add(&r->runs, GANI_K_BLANK);
        else
            gani_runs_push(&r->runs, GANI_K_STRAY, 1, raw_of(r, &l));
        gani_emit(r, LVL_SPAN_SPELLING, NULL, NULL, l.at, l.next, "blank line or comment");
    }
    r->pending = NULL;
}

static void read_sprite(gani_reader *r, const gani_line *l)
{
    static const uint32_t members[] = {
        offsetof(lvl_gani_sprite, id),         offsetof(lvl_gani_sprite, source),
        offsetof(lvl_gani_sprite, x),          offsetof(lvl_gani_sprite, y),
        offsetof(lvl_gani_sprite, width),      offsetof(lvl_gani_sprite, height),
        offsetof(lvl_gani_sprite, description)};
    const uint32_t index = r->g->sprite_count++;
    lvl_gani_sprite *s = &r->g->sprites[index];
    unsigned fit = gani_sprite_read(l->at, l->end, r->g->source_width, s);

    if (!(fit & r->style) && !r->source_known) {
        const int width = gani_source_width(l->at, l->end);
        if (width)
            r->g->source_width = (int8_t)width;
        fit |= width && r->style == GANI_COLUMNS ? GANI_COLUMNS : 0;
    }
    r->source_known |= (fit & r->style) != 0; /* from here on widths are what this line says */
    s->before = gani_before(r, l);
    s->line = (fit & r->style) && l->own ? (lvl_text){NULL, 0} : gani_keep(r, l);
    gani_runs_add(&r->runs, GANI_K_SPRITE);
    if (!r->sink && fit & GANI_WELL)
        return;
    const lvl_where where = gani_where(&lvl_gani_table, offsetof(lvl_gani, sprites), index);
    gani_emit_kept(r, &where, &lvl_gani_sprite_table, offsetof(lvl_gani_sprite, before),
                   l->at - s->before.len, l->at);
    gani_emit_words(r, &where, &lvl_gani_sprite_table, "SPRITE", members, 7, l);
    if (!(fit & GANI_WELL))
        gani_report_odd(r, &where, l);
}

static void read_attachment(gani_reader *r, const gani_line *l)
{
    static const uint32_t members[] = {offsetof(lvl_gani_attachment, parent),
                                       offsetof(lvl_gani_attachment, child),
                                       offsetof(lvl_gani_attachment, dx), offsetof(lvl_gani_attachment, dy)};
    const uint32_t index = r->g->attachment_count++;
    lvl_gani_attachment *a = &r->g->attachments[index];
    unsigned fit = gani_attachment_read(l->at, l->end, r->g->offset_width, a);

    if (!(fit & r->style) && !r->offset_known) {
        const unsigned again = gani_attachment_read(l->at, l->end, GANI_OFFSET_WIDTH + 1, a);
        if (again & r->style & GANI_COLUMNS)
            r->g->offset_width = GANI_OFFSET_WIDTH + 1;
        fit = again & r->style ? again : fit;
    }
    r->offset_known |= (fit & r->style) != 0;
    a->before = gani_before(r, l);
    a->line = (fit & r->style) && l->own ? (lvl_text){NULL, 0} : gani_keep(r, l);
    gani_runs_add(&r->runs, GANI_K_ATTACHMENT);
    if (!r->sink && fit & GANI_WELL)
        return;
    const lvl_where where = gani_where(&lvl_gani_table, offsetof(lvl_gani, attachments), index);
    gani_emit_kept(r, &where, &lvl_gani_attachment_table, offsetof(lvl_gani_attachment, before),
                   l->at - a->before.len, l->at);
    gani_emit_words(r, &where, &lvl_gani_attachment_table, a->under ? "ATTACHSPRITE2" : "ATTACHSPRITE",
                    members, 4, l);
    if (!(fit & GANI_WELL))
        gani_report_odd(r, &where, l);
}

static void read_effect(gani_reader *r, const gani_line *l)
{
    static const uint32_t color[] = {offsetof(lvl_gani_effect, sprite), offsetof(lvl_gani_effect, red),
                                     offsetof(lvl_gani_effect, green), offsetof(lvl_gani_effect, blue),
                                     offsetof(lvl_gani_effect, alpha)};
    static const uint32_t one[] = {offsetof(lvl_gani_effect, sprite), offsetof(lvl_gani_effect, value)};
    const uint32_t index = r->g->effect_count++;
    lvl_gani_effect *e = &r->g->effects[index];
    const unsigned fit = gani_effect_read(l->at, l->end, e);
    const bool is_color = e->kind == LVL_GANI_COLOR;

    e->before = gani_before(r, l);
    e->line = (fit & r->style) && l->own ? (lvl_text){NULL, 0} : gani_keep(r, l);
    gani_runs_add(&r->runs, GANI_K_EFFECT);
    const lvl_where where = gani_where(&lvl_gani_table, offsetof(lvl_gani, effects), index);
    gani_emit_kept(r, &where, &lvl_gani_effect_table, offsetof(lvl_gani_effect, before),
                   l->at - e->before.len, l->at);
    gani_emit_words(r, &where, &lvl_gani_effect_table, "kind of effect", is_color ? color : one,
                    is_color ? 5 : 2, l);
    if (!(fit & GANI_WELL))
        gani_report_odd(r, &where, l);
}

static void read_default(gani_reader *r, const gani_line *l)
{
    const uint32_t index = r->g->default_count++;
    lvl_gani_default *d = &r->g->defaults[index];
    const unsigned fit = gani_default_read(l->at, l->end, d);

    d->before = gani_before(r, l);
    d->line = (fit & r->style) && l->own ? (lvl_text){NULL, 0} : gani_keep(r, l);
    gani_runs_add(&r->runs, GANI_K_DEFAULT);
    if (!r->sink)
        return;
    const lvl_where where = gani_where(&lvl_gani_table, offsetof(lvl_gani, defaults), index);
    const char *layer_end = d->layer.ptr + d->layer.len;
    const uint32_t value = offsetof(lvl_gani_default, value);
    gani_emit_kept(r, &where, &lvl_gani_default_table, offsetof(lvl_gani_default, before),
                   l->at - d->before.len, l->at);
    gani_emit(r, LVL_SPAN_FIELD, &where, NULL, l->at, d->layer.ptr, "DEFAULT");
    gani_emit(r, LVL_SPAN_FIELD, &where,
              lvl_table_at(&lvl_gani_default_table, offsetof(lvl_gani_default, layer)), d->layer.ptr,
              layer_end, NULL);
    const gani_line rest = {layer_end, l->end, l->next, l->own};
    gani_emit_words(r, &where, &lvl_gani_default_table, NULL, &value, 1, &rest);
}

/* LOOP and its like, and what has one argument. */
static void read_single(gani_reader *r, const gani_line *l, gani_kind kind)
{
    lvl_gani *g = r->g;
    unsigned fit = 0;
    size_t member = 0;
    lvl_text text = {NULL, 0};
    int32_t number = 0;
    const bool again = r->singles >> kind & 1;

    flush_strays(r, l->at);
    r->singles |= 1u << kind;
    switch (kind) {
    case GANI_K_LOOP:
        g->loop = 1;
        member = offsetof(lvl_gani, loop);
        break;
    case GANI_K_CONTINUOUS:
        g->continuous = 1;
        member = offsetof(lvl_gani, continuous);
        break;
    case GANI_K_SINGLE_DIRECTION:
        g->single_direction = 1;
        member = offsetof(lvl_gani, single_direction);
        break;
    case GANI_K_LENGTH:
        fit = gani_length_read(l->at, l->end, &number);
        r->whole |= again && number != g->length;
        g->length = number;
        member = offsetof(lvl_gani, length);
        break;
    default:
        fit = gani_argument_read(l->at, l->end, &text);
        lvl_text *to = kind == GANI_K_SETBACK_TO ? &g->setback_to : &g->back_color;
        r->whole |= again && !lvl_text_equal(*to, text);
        *to = text;
        member = kind == GANI_K_SETBACK_TO ? offsetof(lvl_gani, setback_to) : offsetof(lvl_gani, back_color);
    }
    if (kind <= GANI_K_SINGLE_DIRECTION && kind != GANI_K_LENGTH)
        fit = gani_flag_read(l->at, l->end, kind);
    if ((fit & GANI_FITS) && l->own)
        gani_runs_add(&r->runs, kind);
    else
        gani_runs_push(&r->runs, kind, 1, raw_of(r, l));
    const lvl_where where = gani_where(&lvl_gani_table, member, LVL_NO_INDEX);
    gani_emit(r, LVL_SPAN_FIELD, NULL, where.steps[0].field, l->at, l->next, NULL);
    if (!(fit & GANI_WELL))
        gani_report_odd(r, &where, l);
}

static void read_other(gani_reader *r, const gani_line *l)
{
    lvl_gani *g = r->g;

    flush_strays(r, l->at);
    if (g->other_count == r->others) {
        const uint32_t more = r->others ? r->others * 2 : 4;
        lvl_text *items = lvl_arena_array(&r->doc->arena, more, sizeof *items);
        if (!items) {
            r->failed = true;
            return;
        }
        if (g->other_count)
            memcpy(items, g->others, g->other_count * sizeof *items);
        g->others = items;
        r->others = more;
    }
    const uint32_t index = g->other_count++;
    g->others[index] = raw_of(r, l);
    gani_runs_add(&r->runs, GANI_K_OTHER);
    const lvl_where where = gani_where(&lvl_gani_table, offsetof(lvl_gani, others), index);
    gani_emit(r, LVL_SPAN_FIELD, &where, NULL, l->at, l->next, "an unknown line");
    const gani_movie_line movie = gani_movie_line_kind(l->at, l->end);
    const bool outside = (g->frame_count && gani_frame_line_kind(l->at, l->end) == GANI_L_PIECES) ||
                         (g->actor_count && (movie == GANI_M_ACTOR || movie == GANI_M_FRAME));
    char shown[100];
    if (r->findings)
        gani_report(r, outside ? LVL_GANI_F_OUTSIDE : LVL_GANI_F_UNKNOWN_LINE, &where, l->at, l->end, "%s",
                    lvl_text_show(shown, sizeof shown, r->doc->codepage, gani_text(l->at, l->end)));
}

/* ---- the script -------------------------------------------------------------------------------------- */

static bool is_script_end(const gani_line *l)
{
    const char *w = gani_skip(l->at, l->end);

    return gani_word_end(w, l->end) - w == 9 && memcmp(w, "SCRIPTEND", 9) == 0;
}

bool gani_script_text(lvl_arena *arena, lvl_text lines, lvl_text *out)
{
    size_t len = 0;

    if (lines.len && lines.ptr[lines.len - 1] == '\n')
        lines.len -= 1 + (lines.len > 1 && lines.ptr[lines.len - 2] == '\r');
    *out = lines;
    if (!lines.len || !memchr(lines.ptr, '\r', lines.len))
        return true;
    char *to = lvl_arena_raw(arena, lines.len);
    if (!to)
        return false;
    for (size_t i = 0; i < lines.len; i++) {
        if (lines.ptr[i] != '\r' || i + 1 == lines.len || lines.ptr[i + 1] != '\n')
            to[len++] = lines.ptr[i];
    }
    *out = gani_text(to, to + len);
    return true;
}

bool gani_script_holds(lvl_text lines, lvl_text script)
{
    const char *p = lines.ptr, *s = script.ptr ? script.ptr : "";
    bool any = false;

    if (!p || !lines.len)
        return false;
    const char *end = p + lines.len, *s_end = s + script.len;
    gani_line l = gani_line_at(p, end, LVL_GANI_LF);
    if (gani_definition_kind(l.at, l.end) != GANI_K_SCRIPT)
        return false;
    for (p = l.next; p < end; p = l.next) {
        l = gani_line_at(p, end, LVL_GANI_LF);
        if (is_script_end(&l))
            return l.next == end && s == s_end;
        if (any && (s == s_end || *s++ != '\n'))
            return false;
        const size_t len = (size_t)(l.end - l.at);
        if ((size_t)(s_end - s) < len || memcmp(s, l.at, len) != 0)
            return false;
        s += len;
        any = true;
    }
    return s == s_end;
}

static void read_script(gani_reader *r, const gani_line *first)
{
    const lvl_where where = gani_where(&lvl_gani_table, offsetof(lvl_gani, script), LVL_NO_INDEX);
    const char *body = first->next, *p = body;
    bool usual = first->own && first->end - first->at == 6, ended = false;
    uint32_t lines = 0;
    gani_line l = *first;

    flush_strays(r, first->at);
    gani_runs_add(&r->runs, GANI_K_SCRIPT);
    for (; p < r->limit && !ended; p = l.next) {
        l = gani_line_at(p, r->limit, r->line_end);
        ended = is_script_end(&l);
        lines += !ended;
        usual &= l.own && (!ended || l.end - l.at == 9);
    }
    const char *body_end = ended ? l.at : r->limit;
    /* one empty line says no more than none */
    usual &= ended && !(lines == 1 && body_end - body <= 2);
    if (!gani_script_text(&r->doc->arena, gani_text(body, body_end), &r->g->script))
        r->failed = true;
    if (!usual)
        r->g->script_lines = gani_text(first->at, p);
    r->at = p;
    gani_emit(r, LVL_SPAN_FIELD, NULL, NULL, first->at, body, "SCRIPT");
    gani_emit(r, LVL_SPAN_FIELD, NULL, where.steps[0].field, body, body_end, NULL);
    if (ended)
        gani_emit(r, LVL_SPAN_FIELD, NULL, NULL, body_end, p, "SCRIPTEND");
    else
        gani_report(r, LVL_GANI_F_NOT_ENDED, &where, first->at, first->end, "SCRIPT without SCRIPTEND");
}

/* ---- blocks ------------------------------------------------------------------------------------------ */

static void read_block(gani_reader *r, const gani_line *l, gani_kind kind)
{
    const bool plain = l->own && l->end - l->at == (kind == GANI_K_ANI ? 3 : 5);

    flush_strays(r, l->at);
    if (plain)
        gani_runs_add(&r->runs, kind);
    else
        gani_runs_push(&r->runs, kind, 1, raw_of(r, l));
    gani_emit(r, LVL_SPAN_FIELD, NULL, NULL, l->at, l->next, kind == GANI_K_ANI ? "ANI" : "MOVIE");
    r->at = l->next;
    if (kind == GANI_K_ANI)
        gani_read_frames(r);
    else
        gani_read_movie(r);
}

void gani_read_after(gani_reader *r, const char *from, const char *word)
{
    const char *eol = r->line_end == LVL_GANI_CRLF ? "\r\n" : "\n";
    const size_t eol_len = strlen(eol), word_len = strlen(word);
    const char *p = r->at;
    gani_line l;

    for (; p < r->limit; p = l.next) {
        l = gani_line_at(p, r->limit, r->line_end);
        const gani_kind kind = gani_definition_kind(l.at, l.end);
        if (kind != GANI_K_BLANK && kind != GANI_K_STRAY)
            break;
    }
    if (p >= r->limit)
        r->at = r->limit;
    const char *rest = from, *to = r->at;
    if (r->g->gaps == LVL_GANI_AFTER)
        rest += eol_len; /* looked at when the gaps were */
    if ((size_t)(to - rest) != word_len + eol_len || memcmp(rest, word, word_len) != 0 ||
        memcmp(rest + word_len, eol, eol_len) != 0)
        r->g->after = gani_text(from, to);
    gani_emit(r, r->g->after.len ? LVL_SPAN_SPELLING : LVL_SPAN_FIELD, NULL, NULL, from, to, word);
}

static void read_definitions(gani_reader *r)
{
    bool block = false, script = false;

    while (r->at < r->limit && !r->failed) {
        const gani_line l = gani_next(r);
        gani_kind kind = gani_definition_kind(l.at, l.end);
        r->at = l.next;
        switch (kind) {
        case GANI_K_SPRITE: read_sprite(r, &l); break;
        case GANI_K_ATTACHMENT: read_attachment(r, &l); break;
        case GANI_K_DEFAULT: read_default(r, &l); break;
        case GANI_K_EFFECT: read_effect(r, &l); break;
        case GANI_K_BLANK:
        case GANI_K_STRAY:
            if (kind == GANI_K_BLANK && l.own && !r->pending) {
                gani_runs_add(&r->runs, GANI_K_BLANK);
                gani_emit(r, LVL_SPAN_SPELLING, NULL, NULL, l.at, l.next, "blank line");
            } else if (!r->pending) {
                r->pending = l.at;
            }
            break;
        case GANI_K_SCRIPT:
            if (script)
                read_other(r, &l);
            else
                read_script(r, &l);
            script = true;
            break;
        case GANI_K_ANI:
        case GANI_K_MOVIE:
            if (block) {
                gani_report(r, LVL_GANI_F_SECOND_BLOCK, NULL, l.at, l.end,
                            "a second block of frames or actors");
                read_other(r, &l);
            } else {
                read_block(r, &l, kind);
            }
            block = true;
            break;
        case GANI_K_OTHER: read_other(r, &l); break;
        default: read_single(r, &l, kind);
        }
    }
    flush_strays(r, r->limit);
}

/* ---- all of it --------------------------------------------------------------------------------------- */

static lvl_status keep_order(gani_reader *r)
{
    gani_runs usual;
    lvl_status status = LVL_OK;

    if (r->cut)
        gani_runs_add(&r->runs, GANI_K_CUT);
    if (!r->runs.count)
        gani_runs_add(&r->runs, GANI_K_NOTHING);
    gani_runs_init(&usual, r->doc->ctx);
    gani_usual_order(r->g, &usual);
    if (!gani_runs_equal(&r->runs, &usual)) {
        lvl_buffer text = {0};
        gani_order_put(&text, &r->runs);
        const char *copy = lvl_arena_copy(&r->doc->arena, text.data, text.len);
        if (text.status != LVL_OK || !copy)
            status = LVL_ERR_MEMORY;
        else
            r->g->order = gani_text(copy, copy + text.len);
        lvl_buffer_free(&text);
    }
    gani_runs_free(&usual);
    return status;
}

static void emit_space(gani_reader *r)
{
    const lvl_space space = {.bytes = r->doc->input, .name = "file"};

    r->sink->space(r->sink, &space);
}

lvl_status lvl_gani_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    const lvl_bytes input = doc->input;
    gani_reader r = {.doc = doc, .g = doc->root, .sink = sink, .findings = findings};
    const char *nl;

    if (input.len > UINT32_MAX / 2)
        return lvl_refuse_fixed(doc->ctx, "bytes in a gani", UINT32_MAX / 2, input.len);
    r.start = input.len ? (const char *)input.ptr : "";
    r.limit = r.start + input.len;
    nl = memchr(r.start, '\n', input.len);
    r.line_end = nl && nl > r.start && nl[-1] == '\r' ? LVL_GANI_CRLF : LVL_GANI_LF;
    r.g->line_end = (uint8_t)r.line_end;
    if (sink)
        emit_space(&r);
    gani_read_head(&r);
    if (r.g->version == LVL_GANI0FP4 && gani_is_obfuscated(&r)) {
        r.g->file = input;
        gani_report(&r, LVL_GANI_F_OBFUSCATED, NULL, r.start, r.limit, "%lu bytes are kept as they are",
                    (unsigned long)input.len);
        gani_emit(&r, LVL_SPAN_SPELLING, NULL, NULL, r.at, r.limit, "obfuscated");
        return LVL_OK;
    }
    gani_count_lines(&r);
    lvl_status status = gani_make_room(&r);
    if (status != LVL_OK)
        return status;
    r.style = gani_guess_style(&r);
    r.g->style = r.style == GANI_SINGLE ? LVL_GANI_SINGLE : LVL_GANI_COLUMNS;
    gani_runs_init(&r.runs, doc->ctx);
    read_definitions(&r);
    status = r.failed || r.runs.failed ? LVL_ERR_MEMORY : keep_order(&r);
    gani_runs_free(&r.runs);
    if (r.whole)
        r.g->file = input;
    return status;
}
