/*
 * graal/gani_write.c: writes animations. Each kept part is read and compared with the content beside it
 * before it is written, so that edits drop just what they touch. What an empty line among the directions
 * means depends on the lines around it: a file that has any is read once more as a whole.
 */
#include "graal/gani_format.h"
#include "graal/gani_reader.h"

#include "base/cursor.h"

struct writer {
    const lvl_doc *doc;
    const lvl_gani *g;
    lvl_buffer *out;
    size_t begin; /* of the file in `out` */
    size_t text;  /* of its first line, which a byte order mark may come before */
    const char *eol;
    bool plain;                 /* nothing kept of frames is written */
    bool risky;                 /* something was, that is right only with the lines around it */
    bool script_put, block_put; /* which are written once, whatever the order asks for */
    /* items written so far */
    uint32_t sprites, attachments, effects, defaults, others;
};

/* ---- lines ------------------------------------------------------------------------------------------- */

static void begin_line(const struct writer *w)
{
    if (w->out->len > w->text && w->out->data[w->out->len - 1] != '\n')
        lvl_buffer_str(w->out, w->eol);
}

static void end_line(const struct writer *w)
{
    lvl_buffer_str(w->out, w->eol);
}

static void put_lines(const struct writer *w, lvl_text lines)
{
    if (!lines.len)
        return;
    begin_line(w);
    lvl_buffer_add(w->out, lines.ptr, lines.len);
}

/* A kept line brings its own end where that isn't the file's. */
static void put_kept(const struct writer *w, lvl_text line)
{
    put_lines(w, line);
    if (line.ptr[line.len - 1] != '\n')
        end_line(w);
}

/* Where a run's line ends for reading: the '\r' of a line end that isn't the file's is not part of it. NULL
 * for none. */
static const char *raw_end(lvl_text raw)
{
    return raw.len ? raw.ptr + raw.len - (raw.ptr[raw.len - 1] == '\r') : NULL;
}

/* The one line that a kept text should be; false if it is none, or more. */
static bool one_line(lvl_text text, gani_line *out)
{
    if (!text.len)
        return false;
    *out = gani_line_at(text.ptr, text.ptr + text.len, LVL_GANI_LF);
    return out->next == text.ptr + text.len;
}

/* ---- definitions ------------------------------------------------------------------------------------- */

/* Lines before a definition that define nothing. */
static void put_before(const struct writer *w, lvl_text before)
{
    gani_line l;

    if (!before.len || before.ptr[before.len - 1] != '\n')
        return;
    for (const char *p = before.ptr, *end = p + before.len; p < end; p = l.next) {
        l = gani_line_at(p, end, LVL_GANI_LF);
        const gani_kind kind = gani_definition_kind(l.at, l.end);
        if (kind != GANI_K_BLANK && kind != GANI_K_STRAY)
            return;
    }
    put_lines(w, before);
}

static void put_sprite(const struct writer *w, const lvl_gani_sprite *s)
{
    lvl_gani_sprite read = {0};
    gani_line l;

    put_before(w, s->before);
    if (one_line(s->line, &l) && gani_definition_kind(l.at, l.end) == GANI_K_SPRITE) {
        gani_sprite_read(l.at, l.end, 0, &read);
        if (lvl_record_equal(&read, s, &lvl_gani_sprite_table)) {
            put_kept(w, s->line);
            return;
        }
    }
    begin_line(w);
    gani_sprite_put(w->out, s, w->g);
    end_line(w);
}

static void put_attachment(const struct writer *w, const lvl_gani_attachment *a)
{
    lvl_gani_attachment read = {0};
    gani_line l;

    put_before(w, a->before);
    if (one_line(a->line, &l) && gani_definition_kind(l.at, l.end) == GANI_K_ATTACHMENT) {
        gani_attachment_read(l.at, l.end, 0, &read);
        if (lvl_record_equal(&read, a, &lvl_gani_attachment_table)) {
            put_kept(w, a->line);
            return;
        }
    }
    begin_line(w);
    gani_attachment_put(w->out, a, w->g);
    end_line(w);
}

static void put_effect(const struct writer *w, const lvl_gani_effect *e)
{
    lvl_gani_effect read = {0};
    gani_line l;

    put_before(w, e->before);
    if (one_line(e->line, &l) && gani_definition_kind(l.at, l.end) == GANI_K_EFFECT) {
        gani_effect_read(l.at, l.end, &read);
        if (lvl_record_equal(&read, e, &lvl_gani_effect_table)) {
            put_kept(w, e->line);
            return;
        }
    }
    begin_line(w);
    gani_effect_put(w->out, e);
    end_line(w);
}

static void put_default(const struct writer *w, const lvl_gani_default *d)
{
    lvl_gani_default read = {0};
    gani_line l;

    put_before(w, d->before);
    if (one_line(d->line, &l) && gani_definition_kind(l.at, l.end) == GANI_K_DEFAULT) {
        gani_default_read(l.at, l.end, &read);
        if (lvl_record_equal(&read, d, &lvl_gani_default_table)) {
            put_kept(w, d->line);
            return;
        }
    }
    begin_line(w);
    gani_default_put(w->out, d);
    end_line(w);
}

/* Whether the line of a flag or an argument says what the animation has. */
static bool single_holds(const lvl_gani *g, gani_kind kind, lvl_text raw)
{
    const char *at = raw.ptr, *end = raw_end(raw);
    lvl_text text = {NULL, 0};
    int32_t number = 0;

    if (!raw.len || gani_definition_kind(at, end) != kind)
        return false;
    switch (kind) {
    case GANI_K_LOOP: return g->loop;
    case GANI_K_CONTINUOUS: return g->continuous;
    case GANI_K_SINGLE_DIRECTION: return g->single_direction;
    case GANI_K_LENGTH: gani_length_read(at, end, &number); return number == g->length;
    default:
        gani_argument_read(at, end, &text);
        return lvl_text_equal(text, kind == GANI_K_SETBACK_TO ? g->setback_to : g->back_color);
    }
}

static void put_single(const struct writer *w, gani_kind kind, lvl_text raw)
{
    const lvl_gani *g = w->g;
    const lvl_text text = kind == GANI_K_SETBACK_TO ? g->setback_to : g->back_color;

    begin_line(w);
    if (single_holds(g, kind, raw)) {
        lvl_buffer_add(w->out, raw.ptr, raw.len);
    } else if (kind == GANI_K_LOOP && g->loop) {
        lvl_buffer_str(w->out, "LOOP");
    } else if (kind == GANI_K_CONTINUOUS && g->continuous) {
        lvl_buffer_str(w->out, "CONTINUOUS");
    } else if (kind == GANI_K_SINGLE_DIRECTION && g->single_direction) {
        lvl_buffer_str(w->out, "SINGLEDIRECTION");
    } else if (kind == GANI_K_LENGTH) {
        lvl_buffer_str(w->out, "FRAMES ");
        gani_put_int(w->out, g->length, 0);
    } else if ((kind == GANI_K_SETBACK_TO || kind == GANI_K_BACK_COLOR) && text.len) {
        lvl_buffer_str(w->out, kind == GANI_K_SETBACK_TO ? "SETBACKTO " : "BACKCOLOR ");
        gani_put_text(w->out, text, 0);
    } else {
        return;
    }
    end_line(w);
}

static void put_script(const struct writer *w)
{
    const lvl_text script = w->g->script;

    begin_line(w);
    if (gani_script_holds(w->g->script_lines, script)) {
        put_lines(w, w->g->script_lines);
        return;
    }
    lvl_buffer_str(w->out, "SCRIPT");
    end_line(w);
    for (const char *p = script.ptr, *end = p ? p + script.len : p; p < end;) {
        const char *nl = memchr(p, '\n', (size_t)(end - p));
        lvl_buffer_add(w->out, p, (size_t)((nl ? nl : end) - p));
        end_line(w);
        p = nl ? nl + 1 : end;
        if (nl && p == end)
            end_line(w); /* its last line is empty */
    }
    lvl_buffer_str(w->out, "SCRIPTEND");
    end_line(w);
}

/* ---- frames ------------------------------------------------------------------------------------------ */

static bool direction_holds(const lvl_gani_direction *d)
{
    lvl_gani_piece read;
    uint32_t count = 0;
    gani_line l;

    if (!one_line(d->line, &l) || gani_frame_line_kind(l.at, l.end) > GANI_L_PIECES)
        return false;
    gani_cursor c = gani_cursor_of(l.at, l.end);
    memset(&read, 0, sizeof read);
    for (; gani_piece_read(&c, !count, &read); count++) {
        if (count == d->piece_count || !lvl_record_equal(&read, &d->pieces[count], &lvl_gani_piece_table))
            return false;
    }
    return count == d->piece_count;
}

static void put_direction(struct writer *w, const lvl_gani_direction *d)
{
    begin_line(w);
    if (!w->plain && direction_holds(d)) {
        put_kept(w, d->line);
        w->risky |= !d->piece_count;
        return;
    }
    gani_direction_put(w->out, d, w->g->style);
    end_line(w);
}

/* Whether the lines after the directions give what the frame has. */
static bool orders_hold(const lvl_gani_frame *f)
{
    lvl_gani_sound read;
    double wait = 0;
    lvl_text more = {NULL, 0};
    uint32_t sounds = 0;
    gani_line l;

    memset(&read, 0, sizeof read);
    for (const char *p = f->after.ptr, *end = p + f->after.len; p < end; p = l.next) {
        l = gani_line_at(p, end, LVL_GANI_LF);
        switch (gani_frame_line_kind(l.at, l.end)) {
        case GANI_L_PIECES:
        case GANI_L_END: return false;
        case GANI_L_WAIT: gani_wait_read(l.at, l.end, &wait, &more); break;
        case GANI_L_SOUND:
            gani_sound_read(l.at, l.end, &read);
            if (sounds == f->sound_count ||
                !lvl_record_equal(&read, &f->sounds[sounds], &lvl_gani_sound_table))
                return false;
            sounds++;
            break;
        case GANI_L_BLANK:
        case GANI_L_SPACE:
        case GANI_L_STRAY: break;
        }
    }
    return sounds == f->sound_count && wait == f->wait && lvl_text_equal(more, f->wait_more);
}

/* Lines between two frames, or before the first one, where orders belong to none. */
static bool gap_holds(lvl_text before, bool first)
{
    gani_line l;

    if (!before.len || before.ptr[before.len - 1] != '\n')
        return false;
    for (const char *p = before.ptr, *end = p + before.len; p < end; p = l.next) {
        l = gani_line_at(p, end, LVL_GANI_LF);
        const gani_frame_line kind = gani_frame_line_kind(l.at, l.end);
        if (kind == GANI_L_PIECES || kind == GANI_L_END ||
            (!first && (kind == GANI_L_WAIT || kind == GANI_L_SOUND)))
            return false;
    }
    return true;
}

static void put_frame(struct writer *w, uint32_t index)
{
    const lvl_gani_frame *f = &w->g->frames[index];

    if (!w->plain && gap_holds(f->before, index == 0)) {
        put_lines(w, f->before);
        w->risky = true;
    } else if (index && w->g->gaps != LVL_GANI_NOWHERE) {
        begin_line(w);
        end_line(w);
    }
    for (uint32_t i = 0; i < f->direction_count; i++)
        put_direction(w, &f->directions[i]);
    w->risky |= f->direction_count != (w->g->single_direction ? 1 : 4);
    if (!w->plain && f->after.len && orders_hold(f)) {
        put_lines(w, f->after);
        w->risky = true;
        return;
    }
    begin_line(w);
    if (f->wait != 0 || f->wait_more.len) {
        gani_wait_put(w->out, f->wait, f->wait_more);
        end_line(w);
    }
    for (uint32_t i = 0; i < f->sound_count; i++) {
        gani_sound_put(w->out, &f->sounds[i]);
        end_line(w);
    }
}

/* ---- movies ------------------------------------------------------------------------------------------ */

static bool keyframe_holds(const lvl_gani_keyframe *k)
{
    lvl_gani_value read;
    uint32_t count = 0;
    gani_line l;

    if (!one_line(k->line, &l) || gani_movie_line_kind(l.at, l.end) != GANI_M_FRAME)
        return false;
    gani_cursor c = gani_cursor_of(l.at, l.end);
    if (gani_tick_read(&c) != k->tick)
        return false;
    memset(&read, 0, sizeof read);
    for (; gani_value_read(&c, &read); count++) {
        if (count == k->value_count || !lvl_record_equal(&read, &k->values[count], &lvl_gani_value_table))
            return false;
    }
    return count == k->value_count;
}

/* Lines of a movie of which none is of a kind in `not`, a mask; `last` must be the last one's kind
 * (GANI_M_STRAY: any). */
static bool movie_lines_hold(lvl_text lines, unsigned not, gani_movie_line last)
{
    gani_movie_line kind = GANI_M_STRAY;
    gani_line l;

    if (!lines.len || (last == GANI_M_STRAY && lines.ptr[lines.len - 1] != '\n'))
        return false;
    for (const char *p = lines.ptr, *end = p + lines.len; p < end; p = l.next) {
        l = gani_line_at(p, end, LVL_GANI_LF);
        kind = gani_movie_line_kind(l.at, l.end);
        if (not >> kind & 1 && !(kind == last && l.next == end))
            return false;
    }
    return last == GANI_M_STRAY || kind == last;
}

static void put_keyframe(const struct writer *w, const lvl_gani_keyframe *k)
{
    if (movie_lines_hold(k->before,
                         1u << GANI_M_ACTOR | 1u << GANI_M_FRAME | 1u << GANI_M_ACTOREND | 1u << GANI_M_END,
                         GANI_M_STRAY))
        put_lines(w, k->before);
    begin_line(w);
    if (keyframe_holds(k)) {
        put_kept(w, k->line);
        return;
    }
    gani_keyframe_put(w->out, k);
    end_line(w);
}

static bool actor_holds(const lvl_gani_actor *a)
{
    lvl_gani_actor read = {0};
    gani_line l;

    if (!one_line(a->line, &l) || gani_movie_line_kind(l.at, l.end) != GANI_M_ACTOR)
        return false;
    gani_actor_read(l.at, l.end, &read);
    return lvl_text_equal(read.kind, a->kind) && lvl_text_equal(read.name, a->name);
}

static void put_actor(const struct writer *w, uint32_t index)
{
    const lvl_gani_actor *a = &w->g->actors[index];

    begin_line(w);
    if (movie_lines_hold(a->before, 1u << GANI_M_ACTOR | 1u << GANI_M_END, GANI_M_STRAY))
        put_lines(w, a->before);
    else if (index && w->g->gaps != LVL_GANI_NOWHERE)
        end_line(w);
    if (actor_holds(a)) {
        put_kept(w, a->line);
    } else {
        gani_actor_put(w->out, a);
        end_line(w);
    }
    for (uint32_t i = 0; i < a->keyframe_count; i++)
        put_keyframe(w, &a->keyframes[i]);
    begin_line(w);
    if (movie_lines_hold(a->after,
                         1u << GANI_M_ACTOR | 1u << GANI_M_FRAME | 1u << GANI_M_ACTOREND | 1u << GANI_M_END,
                         GANI_M_ACTOREND)) {
        put_lines(w, a->after);
    } else {
        lvl_buffer_str(w->out, "  ACTOREND");
        end_line(w);
    }
}

/* ---- blocks ------------------------------------------------------------------------------------------ */

/* What follows the last frame or actor: the block's end is in it unless the block is open, and nothing that
 * would be content. */
static bool after_holds(const struct writer *w, gani_kind block, bool open)
{
    const lvl_text after = w->g->after;
    const bool none = block == GANI_K_ANI ? !w->g->frame_count : !w->g->actor_count;
    bool ended = false;
    gani_line l;

    if (!after.len)
        return open;
    for (const char *p = after.ptr, *end = p + after.len; p < end; p = l.next) {
        l = gani_line_at(p, end, LVL_GANI_LF);
        if (ended) {
            const gani_kind kind = gani_definition_kind(l.at, l.end);
            if (kind != GANI_K_BLANK && kind != GANI_K_STRAY)
                return false;
        } else if (block == GANI_K_ANI) {
            const gani_frame_line kind = gani_frame_line_kind(l.at, l.end);
            ended = kind == GANI_L_END;
            if (kind == GANI_L_PIECES || (!none && (kind == GANI_L_WAIT || kind == GANI_L_SOUND)))
                return false;
        } else {
            const gani_movie_line kind = gani_movie_line_kind(l.at, l.end);
            ended = kind == GANI_M_END;
            if (kind == GANI_M_ACTOR)
                return false;
        }
    }
    return ended != open;
}

static void put_block(struct writer *w, const gani_run *run, bool open)
{
    const lvl_gani *g = w->g;
    const bool ani = run->kind == GANI_K_ANI;
    const uint32_t count = ani ? g->frame_count : g->actor_count;

    begin_line(w);
    if (run->raw.len && gani_definition_kind(run->raw.ptr, raw_end(run->raw)) == run->kind)
        lvl_buffer_add(w->out, run->raw.ptr, run->raw.len);
    else
        lvl_buffer_str(w->out, ani ? "ANI" : "MOVIE");
    end_line(w);
    for (uint32_t i = 0; i < count; i++) {
        if (ani)
            put_frame(w, i);
        else
            put_actor(w, i);
    }
    if (!w->plain && after_holds(w, run->kind, open)) {
        put_lines(w, g->after);
        w->risky |= g->after.len != 0;
        return;
    }
    begin_line(w);
    if (g->gaps == LVL_GANI_AFTER && count)
        end_line(w);
    lvl_buffer_str(w->out, ani ? "ANIEND" : "MOVIEEND");
    end_line(w);
}

/* ---- all of it --------------------------------------------------------------------------------------- */

static void put_head(struct writer *w)
{
    static const char *const names[LVL_GANI_VERSIONS] = {NULL, "GANI0001", "GANI0002", "GANI0FP4"};
    const lvl_gani *g = w->g;

    w->text = w->begin;
    if (g->head.len && gani_head_holds(g->head, g->version)) {
        lvl_buffer_add(w->out, g->head.ptr, g->head.len);
        if (g->version == LVL_GANI_BARE)
            w->text = w->out->len;
        return;
    }
    if (g->version == LVL_GANI_BARE)
        return;
    lvl_buffer_str(w->out, g->version < LVL_GANI_VERSIONS ? names[g->version] : names[LVL_GANI0001]);
    end_line(w);
}

static void put_run(struct writer *w, const gani_run *run, bool open)
{
    const lvl_gani *g = w->g;
    const uint64_t limit = lvl_limits_of(w->doc->ctx).items;

    for (uint32_t i = 0; i < run->count && i < limit && w->out->status == LVL_OK; i++) {
        switch (run->kind) {
        case GANI_K_SPRITE:
            if (w->sprites == g->sprite_count)
                return;
            put_sprite(w, &g->sprites[w->sprites++]);
            break;
        case GANI_K_ATTACHMENT:
            if (w->attachments == g->attachment_count)
                return;
            put_attachment(w, &g->attachments[w->attachments++]);
            break;
        case GANI_K_EFFECT:
            if (w->effects == g->effect_count)
                return;
            put_effect(w, &g->effects[w->effects++]);
            break;
        case GANI_K_DEFAULT:
            if (w->defaults == g->default_count)
                return;
            put_default(w, &g->defaults[w->defaults++]);
            break;
        case GANI_K_OTHER:
            if (w->others == g->other_count)
                return;
            begin_line(w);
            gani_put_text(w->out, g->others[w->others++], 0);
            end_line(w);
            break;
        case GANI_K_SCRIPT:
            if (w->script_put)
                return;
            w->script_put = true;
            put_script(w);
            break;
        case GANI_K_ANI:
        case GANI_K_MOVIE:
            if (w->block_put)
                return;
            w->block_put = true;
            put_block(w, run, open);
            break;
        case GANI_K_BLANK:
            begin_line(w);
            end_line(w);
            break;
        case GANI_K_STRAY:
            if (!run->raw.len || gani_definition_kind(run->raw.ptr, raw_end(run->raw)) > GANI_K_STRAY ||
                gani_definition_kind(run->raw.ptr, raw_end(run->raw)) < GANI_K_BLANK)
                break;
            begin_line(w);
            lvl_buffer_add(w->out, run->raw.ptr, run->raw.len);
            end_line(w);
            break;
        case GANI_K_OPEN:
        case GANI_K_CUT:
        case GANI_K_NOTHING:
        case GANI_KINDS: return;
        default: put_single(w, run->kind, run->raw);
        }
    }
}

static bool has_run(const gani_runs *runs, gani_kind kind)
{
    for (size_t i = 0; i < runs->count; i++) {
        if (runs->items[i].kind == kind)
            return true;
    }
    return false;
}

static void put_all(struct writer *w, const gani_runs *runs)
{
    const bool open = has_run(runs, GANI_K_OPEN);
    const size_t eol = strlen(w->eol);

    w->sprites = w->attachments = w->effects = w->defaults = w->others = 0;
    w->script_put = w->block_put = false;
    put_head(w);
    for (size_t i = 0; i < runs->count; i++)
        put_run(w, &runs->items[i], open);
    if (has_run(runs, GANI_K_CUT) && w->out->len >= w->begin + eol &&
        memcmp(w->out->data + w->out->len - eol, w->eol, eol) == 0)
        w->out->len -= eol;
}

/* Whether those bytes are read as what the document has. */
static lvl_status reads_back(const lvl_doc *doc, lvl_bytes bytes, bool *out)
{
    lvl_doc *again = NULL;
    const lvl_status status = lvl_read(&again, doc->ctx, doc->format, bytes, NULL, LVL_READ_BORROW, NULL);

    *out = status == LVL_OK && lvl_record_equal(again->root, doc->root, doc->format->table);
    lvl_doc_free(again);
    return status == LVL_ERR_MEMORY ? status : LVL_OK;
}

lvl_status lvl_gani_write(const lvl_doc *doc, lvl_buffer *out)
{
    const lvl_gani *g = doc->root;
    struct writer w = {.doc = doc, .g = g, .out = out, .begin = out->len};
    gani_runs runs;
    bool same = false;
    lvl_status status = LVL_OK;

    if (g->file.len) {
        status = reads_back(doc, g->file, &same);
        if (status != LVL_OK)
            return status;
        if (same) {
            lvl_buffer_add(out, g->file.ptr, g->file.len);
            return out->status;
        }
    }
    w.eol = g->line_end == LVL_GANI_CRLF ? "\r\n" : "\n";
    gani_runs_init(&runs, doc->ctx);
    if (g->order.len) {
        gani_order_parse(g->order, &runs);
        gani_runs_finish(&runs, g);
    } else {
        gani_usual_order(g, &runs);
    }
    if (runs.failed)
        status = LVL_ERR_MEMORY;
    else
        put_all(&w, &runs);
    if (status == LVL_OK && w.risky && out->status == LVL_OK) {
        status = reads_back(doc, (lvl_bytes){out->data + w.begin, out->len - w.begin}, &same);
        if (status == LVL_OK && !same) {
            out->len = w.begin;
            w.plain = true;
            put_all(&w, &runs);
        }
    }
    gani_runs_free(&runs);
    return status != LVL_OK ? status : out->status;
}
