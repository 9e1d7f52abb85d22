/*
 * graal/gani/gani_frames.c: the frames between ANI and ANIEND. A frame has a line for each direction, four
 * or one, then optional WAIT and PLAYSOUND lines; an empty line separates frames. The editor writes a
 * direction without pieces as a line of one blank, but people omit that blank: an empty line is then a
 * direction if the frame is incomplete without it.
 */
#include "graal/gani/gani_internal.h"

#include "base/text.h"
#include "base/work.h"
#include "codec/json.h"

#include <string.h>

typedef enum line_kind {
    /* these may be directions */
    LINE_EMPTY,
    LINE_BLANKS,
    LINE_PIECES,
    /* these end a frame */
    LINE_WAIT,
    LINE_SOUND,
    LINE_END,
    LINE_OTHER
} line_kind;

typedef struct frame_line {
    lvl_line_view view;
    line_kind kind;
} frame_line;

static bool begins_numbered(lvl_text t, const char *word)
{
    const size_t len = strlen(word);

    return t.len > len && memcmp(t.ptr, word, len) == 0 && lvl_is_digit(t.ptr[len]);
}

static inline line_kind kind_of(lvl_text line)
{
    const char *end = line.ptr + line.len, *p = lvl_skip_blanks(line.ptr, end);
    const lvl_text t = {p, (size_t)(end - p)};

    if (!t.len)
        return line.len ? LINE_BLANKS : LINE_EMPTY;
    if (lvl_is_digit(*t.ptr))
        return LINE_PIECES;
    switch (*t.ptr) {
    case '-':
    case '+':
    case '.': return t.len > 1 && (lvl_is_digit(t.ptr[1]) || t.ptr[1] == '.') ? LINE_PIECES : LINE_OTHER;
    case 'P':
        return begins_numbered(t, "PARAM")         ? LINE_PIECES
               : lvl_line_has_word(t, "PLAYSOUND") ? LINE_SOUND
                                                   : LINE_OTHER;
    case 'W': return lvl_line_has_word(t, "WAIT") || begins_numbered(t, "WAIT") ? LINE_WAIT : LINE_OTHER;
    case 'A':
        return begins_numbered(t, "ATTR")       ? LINE_PIECES
               : lvl_line_has_word(t, "ANIEND") ? LINE_END
                                                : LINE_OTHER;
    default: return LINE_OTHER;
    }
}

static frame_line line_at(const lvl_lines_text *text, const char *at)
{
    frame_line l = {.view = lvl_line_at(text, at)};

    if (l.view.text.len && l.view.text.ptr[l.view.text.len - 1] == '\r')
        l.view.text.len--;
    l.kind = kind_of(l.view.text);
    return l;
}

/* ---- finding ------------------------------------------------------------------------------------- */

/* Whether there are `count` directions at `at` and the frame ends after them. `strict`: empty lines do not
 * count as directions; `any`: all of them may be empty lines. */
static bool is_frame(const lvl_lines_text *text, const char *at, uint32_t count, bool strict, bool any)
{
    for (uint32_t i = 0; i < count; i++) {
        if (at >= text->end)
            return false;
        const frame_line l = line_at(text, at);
        if (l.kind > LINE_PIECES || (strict && l.kind == LINE_EMPTY))
            return false;
        any |= l.kind != LINE_EMPTY;
        at = l.view.next;
    }
    if (!any || at >= text->end)
        return any;
    const line_kind next = line_at(text, at).kind;
    return next != LINE_PIECES && next != LINE_BLANKS;
}

/* Whether an empty line is the first direction of a frame: the frame is incomplete without it. */
static bool begins_with_empty(const lvl_lines_text *text, const char *at, uint32_t wanted)
{
    if (wanted == 1 || !is_frame(text, at, wanted, false, false))
        return false;
    frame_line l = line_at(text, at);
    while (l.kind == LINE_EMPTY && l.view.next < text->end) {
        at = l.view.next;
        l = line_at(text, at);
    }
    return l.kind != LINE_EMPTY && !is_frame(text, at, wanted, true, false);
}

static const char *find_frames(lvl_row_finder *finder, const char *at)
{
    const lvl_lines_text *text = &finder->text;
    const uint32_t wanted = ((const lvl_gani *)finder->root)->single_direction ? 1 : 4;
    const char *from = NULL, *to = at; /* of the frame */
    uint32_t count = 0; /* of its directions so far */
    bool open = false; /* more may follow */
    frame_line l;

    for (; at < text->end; at = l.view.next) {
        const uint32_t missing = open ? wanted - count : 0;
        bool direction = false;
        l = line_at(text, at);
        if (l.kind == LINE_END)
            break;
        if (l.kind == LINE_PIECES)
            direction = true;
        else if (l.kind == LINE_BLANKS)
            /* the first direction of a frame, unless the frame is complete without it */
            direction =
                missing || (l.view.next < text->end && !is_frame(text, l.view.next, wanted, true, false));
        else if (l.kind == LINE_EMPTY && missing)
            direction = is_frame(text, at, missing, false, true);
        else if (l.kind == LINE_EMPTY)
            direction = (at != to || !from) && begins_with_empty(text, at, wanted);
        if (direction && (!open || count == wanted)) {
            if (from)
                lvl_row_found(finder, from, to, count);
            from = at;
            count = 0;
        }
        open = direction;
        count += direction;
        if (direction || (from && (l.kind == LINE_WAIT || l.kind == LINE_SOUND)))
            to = l.view.next;
    }
    if (from)
        lvl_row_found(finder, from, to, count);
    return at;
}

static bool is_piece_line(lvl_text line)
{
    return kind_of(line) == LINE_PIECES;
}

/* ---- reading ------------------------------------------------------------------------------------- */

/* Reads a number after blanks; fast for small whole numbers, as nearly all are. */
static bool next_real(const char **at, const char *end, double *out)
{
    const char *p = lvl_skip_blanks(*at, end);
    int32_t small;

    p = lvl_small_int(p, end, &small);
    if (!p)
        return lvl_word_real(lvl_next_word(at, end), out);
    *out = small;
    *at = p;
    return true;
}

/* Reads "id dx dy" or "PARAM1 dx dy"; false if a word is missing or not a number. Sets *more if more words
 * follow. */
static bool read_piece(const char *at, const char *end, lvl_gani_piece *out, bool *more)
{
    const char *after = lvl_small_int(at, end, &out->sprite);
    bool good = true;

    if (after) {
        at = after;
    } else {
        const lvl_text id = lvl_next_word(&at, end);
        if (lvl_is_digit(*id.ptr) || *id.ptr == '-' || *id.ptr == '+')
            good = lvl_word_int32(id, &out->sprite);
        else
            out->param = id;
    }
    good &= next_real(&at, end, &out->dx);
    good &= next_real(&at, end, &out->dy);
    const bool further = lvl_skip_blanks(at, end) < end;
    *more |= further;
    return good && !further;
}

static lvl_where where_direction(const lvl_row_reader *r, uint32_t direction)
{
    return lvl_where_item(r->where, &lvl_gani_frame_table, offsetof(lvl_gani_frame, directions), direction);
}

static void emit_piece(const lvl_row_reader *r, uint32_t direction, uint32_t piece, const char *to)
{
    if (!r->shows)
        return;
    const lvl_where where = lvl_where_item(where_direction(r, direction), &lvl_gani_direction_table,
                                           offsetof(lvl_gani_direction, pieces), piece);
    lvl_row_emit(r, LVL_SPAN_FIELD, &where, to, NULL);
}

static uint32_t count_commas(lvl_text line)
{
    uint32_t count = 0;

    for (size_t i = 0; i < line.len; i++)
        count += line.ptr[i] == ',';
    return count;
}

/* Reads the comma-separated pieces of a line; blanks between two commas are not a piece. */
static lvl_status read_pieces(const lvl_row_reader *r, uint32_t direction, const lvl_line_view *line,
                              lvl_gani_direction *d)
{
    const char *end = line->text.ptr + line->text.len, *comma;
    const uint32_t most = count_commas(line->text) + 1;
    bool good = true;

    if (most > r->store.items)
        return lvl_refuse(r->store.arena->ctx, LVL_LIMIT_ITEMS, r->store.items, most);
    d->pieces = lvl_arena_array(r->store.arena, most, sizeof *d->pieces);
    if (!d->pieces)
        return LVL_ERR_MEMORY;
    for (const char *p = line->text.ptr, *from = p; p < end; p = from = comma < end ? comma + 1 : end) {
        comma = memchr(p, ',', (size_t)(end - p));
        comma = comma ? comma : end;
        while (p < comma && (*p == ' ' || *p == '\t'))
            p++;
        if (p == comma)
            continue;
        if (d->piece_count)
            emit_piece(r, direction, d->piece_count - 1, from);
        good &= read_piece(p, comma, &d->pieces[d->piece_count++], r->more);
    }
    emit_piece(r, direction, d->piece_count - 1, line->next);
    if (!good) {
        const lvl_where where = where_direction(r, direction);
        lvl_row_report(r, LVL_LINE_NUMBER, &where, line->text,
                       "expected an id and two numbers for each piece");
    }
    return LVL_OK;
}

static lvl_status read_directions(const lvl_row_reader *r, const char **at, lvl_gani_frame *f)
{
    lvl_status status = LVL_OK;

    f->directions = lvl_arena_array(r->store.arena, r->kind, sizeof *f->directions);
    if (!f->directions)
        return LVL_ERR_MEMORY;
    for (; f->direction_count < r->kind && status == LVL_OK; f->direction_count++) {
        const frame_line l = line_at(&r->text, *at);
        *at = l.view.next;
        if (l.kind == LINE_PIECES) {
            status = read_pieces(r, f->direction_count, &l.view, &f->directions[f->direction_count]);
        } else if (r->shows) {
            const lvl_where where = where_direction(r, f->direction_count);
            lvl_row_emit(r, LVL_SPAN_FIELD, &where, *at, "no pieces");
        }
    }
    return status;
}

static lvl_status read_wait(const lvl_row_reader *r, const lvl_line_view *line, lvl_text after,
                            lvl_gani_frame *f)
{
    const char *p = after.ptr, *end = p + after.len;
    lvl_line_form form;

    f->wait_more = (lvl_text){NULL, 0};
    /* fast path: one number */
    if (!r->shows && lvl_word_real(lvl_next_word(&p, end), &f->wait) && lvl_skip_blanks(p, end) == end)
        return LVL_OK;
    f->wait = 0;
    lvl_line_form_of("wait [wait_more...]", &lvl_gani_frame_table, &form);
    return lvl_row_line(r, &form, &r->where, line, after, f);
}

/* Reads a number, which may have a decimal comma. */
static bool read_real(lvl_text word, double *out)
{
    const char *comma = word.len ? memchr(word.ptr, ',', word.len) : NULL;
    char plain[LVL_REAL_LONGEST];

    if (comma && word.len < sizeof plain) {
        memcpy(plain, word.ptr, word.len);
        plain[comma - word.ptr] = '.';
        word.ptr = plain;
    }
    const bool good = lvl_word_real(word, out);
    *out += 0; /* -0 is 0 */
    return good;
}

/* Removes the last word from a text if it is a number and not the only word. */
static bool take_number(lvl_text *text, double *out)
{
    size_t at = text->len;

    while (at && text->ptr[at - 1] != ' ' && text->ptr[at - 1] != '\t')
        at--;
    if (!at || !read_real((lvl_text){text->ptr + at, text->len - at}, out))
        return false;
    *text = lvl_text_trim((lvl_text){text->ptr, at});
    return true;
}

/* PLAYSOUND file [x [y]]: the file's name may contain blanks. */
static void read_sound(const lvl_row_reader *r, const lvl_line_view *line, lvl_text after, lvl_gani_frame *f)
{
    const lvl_where where =
        lvl_where_item(r->where, &lvl_gani_frame_table, offsetof(lvl_gani_frame, sounds), f->sound_count);
    lvl_gani_sound *sound = f->sounds ? &f->sounds[f->sound_count++] : NULL;
    double last;

    if (!sound)
        return;
    *sound = (lvl_gani_sound){.file = lvl_text_trim(after)};
    if (take_number(&sound->file, &last)) {
        sound->given = take_number(&sound->file, &sound->x) ? 2 : 1;
        *(sound->given == 2 ? &sound->y : &sound->x) = last;
    }
    lvl_row_emit(r, LVL_SPAN_FIELD, &where, line->next, NULL);
    if (!sound->file.len)
        lvl_row_report(r, LVL_LINE_INCOMPLETE, &where, line->text, "expected a file after PLAYSOUND");
}

static lvl_status make_sounds(const lvl_row_reader *r, const char *at, lvl_gani_frame *f)
{
    uint32_t count = 0;
    frame_line l;

    for (; at < r->text.end; at = l.view.next) {
        l = line_at(&r->text, at);
        count += l.kind == LINE_SOUND;
    }
    f->sounds = count ? lvl_arena_array(r->store.arena, count, sizeof *f->sounds) : NULL;
    return count && !f->sounds ? LVL_ERR_MEMORY : LVL_OK;
}

static lvl_status read_frame(const lvl_row_reader *r, void *item)
{
    const char *at = r->text.ptr;
    lvl_gani_frame *f = item;
    frame_line l;

    lvl_status status = read_directions(r, &at, f);
    if (status == LVL_OK)
        status = make_sounds(r, at, f);
    for (; at < r->text.end && status == LVL_OK; at = l.view.next) {
        l = line_at(&r->text, at);
        const lvl_text text = lvl_text_trim(l.view.text);
        if (l.kind == LINE_WAIT)
            status = read_wait(r, &l.view, (lvl_text){text.ptr + 4, text.len - 4}, f);
        else if (l.kind == LINE_SOUND)
            read_sound(r, &l.view, (lvl_text){text.ptr + 9, text.len - 9}, f);
        else
            lvl_row_other(r, &r->where, &l.view);
    }
    return status;
}

/* ---- writing ------------------------------------------------------------------------------------- */

static void put_real(lvl_buffer *out, double value, size_t columns)
{
    lvl_buffer_u8(out, ' ');
    const size_t at = out->len;
    lvl_put_real_word(out, value);
    lvl_buffer_align(out, at, columns);
}

static void put_direction(const lvl_gani_direction *d, lvl_buffer *out)
{
    if (!d->piece_count)
        lvl_buffer_u8(out, ' ');
    for (uint32_t i = 0; i < d->piece_count; i++) {
        const lvl_gani_piece *p = &d->pieces[i];
        if (i)
            lvl_buffer_str(out, ", ");
        const size_t at = out->len;
        if (p->param.len)
            lvl_buffer_add(out, p->param.ptr, p->param.len);
        else
            lvl_json_int(out, p->sprite);
        lvl_buffer_align(out, at, 4);
        put_real(out, p->dx, 3);
        put_real(out, p->dy, 3);
    }
}

static void put_frame(const void *item, const char *line_end, lvl_buffer *out)
{
    const lvl_gani_frame *f = item;

    for (uint32_t i = 0; i < f->direction_count; i++) {
        put_direction(&f->directions[i], out);
        lvl_buffer_str(out, line_end);
    }
    if (f->wait != 0 || f->wait_more.len) {
        lvl_buffer_str(out, "WAIT");
        put_real(out, f->wait, 0);
        if (f->wait_more.len)
            lvl_buffer_u8(out, ' ');
        lvl_buffer_add(out, f->wait_more.ptr, f->wait_more.len);
        lvl_buffer_str(out, line_end);
    }
    for (uint32_t i = 0; i < f->sound_count; i++) {
        const lvl_gani_sound *s = &f->sounds[i];
        lvl_buffer_str(out, "PLAYSOUND ");
        lvl_buffer_add(out, s->file.ptr, s->file.len);
        if (s->given > 0)
            put_real(out, s->x, 0);
        if (s->given > 1)
            put_real(out, s->y, 0);
        lvl_buffer_str(out, line_end);
    }
}

const lvl_line_rows lvl_gani_frames = {find_frames, read_frame, put_frame, is_piece_line};
