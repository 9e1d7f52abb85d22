/*
 * graal/gani_items.c: the line of each kind of definition, in and out.
 */
#include "graal/gani_items.h"

static const struct {
    const char *word;
    uint8_t kind; /* lvl_gani_effect_kind */
} effects[] = {
    {"COLOREFFECT", LVL_GANI_COLOR},
    {"ZOOMEFFECT", LVL_GANI_ZOOM},
    {"STRETCHXEFFECT", LVL_GANI_STRETCH_X},
    {"STRETCHYEFFECT", LVL_GANI_STRETCH_Y},
    {"ROTATEEFFECT", LVL_GANI_ROTATE},
    {"EFFECTMODE", LVL_GANI_MODE},
    {"LAYER", LVL_GANI_LAYER},
};

static bool is(const char *from, size_t len, const char *word)
{
    return strlen(word) == len && memcmp(from, word, len) == 0;
}

static int effect_kind(const char *from, size_t len)
{
    for (size_t i = 0; i < sizeof effects / sizeof effects[0]; i++) {
        if (is(from, len, effects[i].word))
            return effects[i].kind;
    }
    return -1;
}

static gani_kind word_kind(const char *w, size_t len)
{
    static const struct {
        const char *word;
        gani_kind kind;
    } words[] = {
        {"ANI", GANI_K_ANI},
        {"LOOP", GANI_K_LOOP},
        {"CONTINUOUS", GANI_K_CONTINUOUS},
        {"SINGLEDIRECTION", GANI_K_SINGLE_DIRECTION},
        {"SINGLEDIR", GANI_K_SINGLE_DIRECTION},
        {"SETBACKTO", GANI_K_SETBACK_TO},
        {"BACKCOLOR", GANI_K_BACK_COLOR},
        {"SCRIPT", GANI_K_SCRIPT},
        {"FRAMES", GANI_K_LENGTH},
        {"MOVIE", GANI_K_MOVIE},
    };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (is(w, len, words[i].word))
            return words[i].kind;
    }
    return effect_kind(w, len) >= 0 ? GANI_K_EFFECT : GANI_K_OTHER;
}

gani_kind gani_definition_kind(const char *at, const char *end)
{
    const char *w = gani_skip(at, end);
    const size_t left = (size_t)(end - w);

    if (!left)
        return end == at ? GANI_K_BLANK : GANI_K_STRAY;
    if (left >= 6 && memcmp(w, "SPRITE", 6) == 0 && (left == 6 || gani_blank(w[6])))
        return GANI_K_SPRITE;
    if (*w == '#' || (left > 1 && w[0] == '/' && w[1] == '/'))
        return GANI_K_STRAY;
    const size_t len = (size_t)(gani_word_end(w, end) - w);
    if (len >= 12 && memcmp(w, "ATTACHSPRITE", 12) == 0 && (len == 12 || (len == 13 && w[12] == '2')))
        return GANI_K_ATTACHMENT;
    if (len > 7 && memcmp(w, "DEFAULT", 7) == 0)
        return GANI_K_DEFAULT;
    return word_kind(w, len);
}

/* The cursor behind the first word, which should stand at the start of the line. */
static gani_cursor after_word(const char *at, const char *end)
{
    const char *w = gani_skip(at, end);
    gani_cursor c = gani_cursor_of(gani_word_end(w, end), end);

    if (w != at)
        gani_unfit(&c);
    return c;
}

/* What is left after one blank, without blanks at its ends. */
static lvl_text rest_of(gani_cursor *c)
{
    const char *from = gani_skip(c->p, c->end), *to = gani_trim(from, c->end);

    if (from != c->p + 1 || *c->p != ' ' || to != c->end)
        gani_unfit(c);
    c->p = c->end;
    return gani_text(from, to);
}

/* ---- SPRITE id source x y w h [description] ---------------------------------------------------------- */

/* The source and x after it: a left-aligned source leaves its blanks to what follows. */
static void read_source(gani_cursor *c, int width, lvl_gani_sprite *out)
{
    out->source = gani_word(c, width > 0 ? (size_t)width : 0);
    if (width >= 0) {
        out->x = gani_int(c, 4);
        return;
    }
    const size_t pad = out->source.len < (size_t)-width ? (size_t)-width - out->source.len : 0;
    const size_t gap = gani_gap(c);
    const char *from = c->p;
    out->x = gani_int_here(c, ' ');
    const size_t len = (size_t)(c->p - from), before = len < 4 ? 4 - len : 0;
    c->fit &= (gap == 1 ? GANI_SINGLE : 0u) | (gap == 1 + pad + before ? GANI_COLUMNS : 0u) | GANI_WELL;
}

unsigned gani_sprite_read(const char *at, const char *end, int source_width, lvl_gani_sprite *out)
{
    gani_cursor c = after_word(at, end);

    out->id = gani_int(&c, 4);
    read_source(&c, source_width, out);
    out->y = gani_int(&c, 4);
    out->width = gani_int(&c, 4);
    out->height = gani_int(&c, 4);
    if (c.p == end) {
        out->description = gani_text(end, end);
        c.fit &= ~(unsigned)GANI_COLUMNS;
        return c.fit;
    }
    const char *from = gani_skip(c.p, end);
    if (from != c.p + 1 || *c.p != ' ')
        gani_unfit(&c);
    if (from == end)
        c.fit &= ~(unsigned)GANI_SINGLE;
    out->description = gani_text(from, end);
    return c.fit;
}

int gani_source_width(const char *at, const char *end)
{
    lvl_gani_sprite sprite;
    gani_cursor c = after_word(at, end);

    gani_int(&c, 4);
    const size_t gap = gani_gap(&c);
    const char *from = c.p;
    c.p = gani_word_end(from, end);
    const size_t len = (size_t)(c.p - from), after = gani_gap(&c);
    from = c.p;
    gani_int_here(&c, ' ');
    const size_t x = (size_t)(c.p - from), pad = x < 4 ? 4 - x : 0;
    int width = 0;
    if (gap > 1 && gap + len <= GANI_WIDEST)
        width = (int)(gap - 1 + len);
    else if (gap == 1 && after > 1 + pad && after + len <= GANI_WIDEST)
        width = -(int)(len + after - 1 - pad);
    return width && gani_sprite_read(at, end, width, &sprite) & GANI_COLUMNS ? width : 0;
}

void gani_sprite_put(lvl_buffer *out, const lvl_gani_sprite *s, const lvl_gani *g)
{
    const bool columns = g->style != LVL_GANI_SINGLE;
    const size_t width = columns ? 4 : 0;
    const int source = columns ? g->source_width : 0;
    const int32_t numbers[] = {s->x, s->y, s->width, s->height};

    lvl_buffer_add(out, "SPRITE ", 7);
    gani_put_int(out, s->id, width);
    lvl_buffer_u8(out, ' ');
    gani_put_text(out, s->source, source > 0 ? (size_t)source : 0);
    if (source < 0 && s->source.len < (size_t)-source)
        lvl_buffer_fill(out, ' ', (size_t)-source - s->source.len);
    for (unsigned i = 0; i < 4; i++) {
        lvl_buffer_u8(out, ' ');
        gani_put_int(out, numbers[i], width);
    }
    if (columns || s->description.len) {
        lvl_buffer_u8(out, ' ');
        gani_put_text(out, s->description, 0);
    }
}

/* ---- ATTACHSPRITE parent child dx dy ----------------------------------------------------------------- */

unsigned gani_attachment_read(const char *at, const char *end, unsigned offset_width,
                              lvl_gani_attachment *out)
{
    gani_cursor c = after_word(at, end);

    out->under = c.p[-1] == '2';
    out->parent = gani_int(&c, out->under ? 3 : 4);
    out->child = gani_int(&c, 4);
    out->dx = gani_real(&c, offset_width, ' ');
    out->dy = gani_real(&c, offset_width, ' ');
    return gani_line_done(&c);
}

void gani_attachment_put(lvl_buffer *out, const lvl_gani_attachment *a, const lvl_gani *g)
{
    const bool columns = g->style != LVL_GANI_SINGLE;

    lvl_buffer_str(out, a->under ? "ATTACHSPRITE2 " : "ATTACHSPRITE ");
    gani_put_int(out, a->parent, !columns ? 0 : a->under ? 3 : 4);
    lvl_buffer_u8(out, ' ');
    gani_put_int(out, a->child, columns ? 4 : 0);
    lvl_buffer_u8(out, ' ');
    gani_put_real(out, a->dx, columns ? g->offset_width : 0);
    lvl_buffer_u8(out, ' ');
    gani_put_real(out, a->dy, columns ? g->offset_width : 0);
}

/* ---- COLOREFFECT id r g b a, ZOOMEFFECT id factor … -------------------------------------------------- */

unsigned gani_effect_read(const char *at, const char *end, lvl_gani_effect *out)
{
    const char *w = gani_skip(at, end);
    gani_cursor c = after_word(at, end);
    double *const color[] = {&out->red, &out->green, &out->blue, &out->alpha};
    const int kind = effect_kind(w, (size_t)(c.p - w));

    out->kind = (uint8_t)(kind < 0 ? 0 : kind);
    out->sprite = gani_int(&c, 0);
    for (unsigned i = 0; i < 4; i++)
        *color[i] = out->kind == LVL_GANI_COLOR ? gani_real(&c, 0, ' ') : 0;
    out->value = out->kind == LVL_GANI_COLOR ? 0 : gani_real(&c, 0, ' ');
    return gani_line_done(&c);
}

void gani_effect_put(lvl_buffer *out, const lvl_gani_effect *e)
{
    const double color[] = {e->red, e->green, e->blue, e->alpha};
    const char *word = effects[0].word;

    for (size_t i = 0; i < sizeof effects / sizeof effects[0]; i++) {
        if (effects[i].kind == e->kind)
            word = effects[i].word;
    }
    lvl_buffer_str(out, word);
    lvl_buffer_u8(out, ' ');
    gani_put_int(out, e->sprite, 0);
    for (unsigned i = 0; i < (e->kind == LVL_GANI_COLOR ? 4u : 1u); i++) {
        lvl_buffer_u8(out, ' ');
        gani_put_real(out, e->kind == LVL_GANI_COLOR ? color[i] : e->value, 0);
    }
}

/* ---- DEFAULTHEAD head19.png, SETBACKTO idle, LOOP … -------------------------------------------------- */

unsigned gani_default_read(const char *at, const char *end, lvl_gani_default *out)
{
    const char *w = gani_skip(at, end);
    gani_cursor c = after_word(at, end);

    out->layer = gani_text(w + 7, c.p);
    out->value = rest_of(&c);
    return c.fit;
}

void gani_default_put(lvl_buffer *out, const lvl_gani_default *d)
{
    lvl_buffer_add(out, "DEFAULT", 7);
    gani_put_text(out, d->layer, 0);
    lvl_buffer_u8(out, ' ');
    gani_put_text(out, d->value, 0);
}

unsigned gani_length_read(const char *at, const char *end, int32_t *out)
{
    gani_cursor c = after_word(at, end);

    *out = gani_int(&c, 0);
    return gani_line_done(&c);
}

unsigned gani_argument_read(const char *at, const char *end, lvl_text *out)
{
    gani_cursor c = after_word(at, end);

    *out = rest_of(&c);
    if (!out->len)
        gani_unfit(&c);
    return c.fit;
}

unsigned gani_flag_read(const char *at, const char *end, gani_kind kind)
{
    gani_cursor c = after_word(at, end);

    if (kind == GANI_K_SINGLE_DIRECTION && c.p - at == 9) /* SINGLEDIR */
        gani_unfit(&c);
    return gani_line_done(&c);
}

/* ---- frames ------------------------------------------------------------------------------------------ */

gani_frame_line gani_frame_line_kind(const char *at, const char *end)
{
    const char *w = gani_skip(at, end);
    const size_t left = (size_t)(end - w);

    if (!left)
        return at == end ? GANI_L_BLANK : GANI_L_SPACE;
    if (lvl_is_digit(*w))
        return GANI_L_PIECES;
    switch (*w) {
    case '-':
    case '+':
    case '.': return left > 1 && (lvl_is_digit(w[1]) || w[1] == '.') ? GANI_L_PIECES : GANI_L_STRAY;
    case 'P':
        if (left > 5 && memcmp(w, "PARAM", 5) == 0 && lvl_is_digit(w[5]))
            return GANI_L_PIECES;
        return left >= 9 && memcmp(w, "PLAYSOUND", 9) == 0 && (left == 9 || gani_blank(w[9])) ? GANI_L_SOUND
                                                                                              : GANI_L_STRAY;
    case 'W':
        return left >= 4 && memcmp(w, "WAIT", 4) == 0 && (left == 4 || gani_blank(w[4]) || lvl_is_digit(w[4]))
                   ? GANI_L_WAIT
                   : GANI_L_STRAY;
    case 'A':
        if (left > 4 && memcmp(w, "ATTR", 4) == 0 && lvl_is_digit(w[4]))
            return GANI_L_PIECES;
        return left >= 6 && memcmp(w, "ANIEND", 6) == 0 && (left == 6 || gani_blank(w[6])) ? GANI_L_END
                                                                                           : GANI_L_STRAY;
    default: return GANI_L_STRAY;
    }
}

/* The first piece has no blank before it but what fills its column; each later one stands after ", ". */
bool gani_piece_read(gani_cursor *c, bool first, lvl_gani_piece *out)
{
    size_t gap = gani_gap(c) + first;

    while (c->p < c->end && *c->p == ',') { /* nothing between two commas */
        gani_unfit(c);
        c->p++;
        gap = gani_gap(c);
    }
    if (c->p == c->end) {
        if (gap > first)
            gani_unfit(c);
        return false;
    }
    const char *w = c->p;
    if (lvl_is_digit(*w) || *w == '-' || *w == '+') {
        out->sprite = gani_int_here(c, ',');
        out->param = gani_text(c->end, c->end);
    } else {
        while (c->p < c->end && !gani_blank(*c->p) && *c->p != ',')
            c->p++;
        out->sprite = 0;
        out->param = gani_text(w, c->p);
    }
    gani_fit(c, gap, (size_t)(c->p - w), 4);
    out->dx = gani_real(c, 3, ',');
    out->dy = gani_real(c, 3, ',');
    if (c->p < c->end && *c->p != ',') { /* blanks, or more than there should be */
        gani_unfit(c);
        c->p = gani_skip(c->p, c->end);
        if (c->p < c->end && *c->p != ',')
            gani_ill(c);
        while (c->p < c->end && *c->p != ',')
            c->p++;
    }
    if (c->p < c->end && ++c->p == c->end) /* a comma that nothing follows */
        gani_unfit(c);
    return true;
}

void gani_direction_put(lvl_buffer *out, const lvl_gani_direction *d, unsigned style)
{
    const bool columns = style == LVL_GANI_COLUMNS;

    if (!d->piece_count)
        lvl_buffer_u8(out, ' ');
    for (uint32_t i = 0; i < d->piece_count; i++) {
        const lvl_gani_piece *p = &d->pieces[i];
        if (i)
            lvl_buffer_add(out, ", ", 2);
        if (p->param.len)
            gani_put_text(out, p->param, columns ? 4 : 0);
        else
            gani_put_int(out, p->sprite, columns ? 4 : 0);
        lvl_buffer_u8(out, ' ');
        gani_put_real(out, p->dx, columns ? 3 : 0);
        lvl_buffer_u8(out, ' ');
        gani_put_real(out, p->dy, columns ? 3 : 0);
    }
}

unsigned gani_wait_read(const char *at, const char *end, double *wait, lvl_text *more)
{
    const char *w = gani_skip(at, end);
    gani_cursor c = gani_cursor_of(w + 4, end);

    if (w != at)
        gani_unfit(&c);
    *wait = gani_real(&c, 0, ' ');
    *more = gani_text(end, end);
    const bool ends = c.p == end;
    if (!ends)
        *more = rest_of(&c);
    if (!more->len && (!ends || *wait == 0)) /* no line at all would say as much as WAIT 0 */
        gani_unfit(&c);
    return c.fit;
}

void gani_wait_put(lvl_buffer *out, double wait, lvl_text more)
{
    lvl_buffer_add(out, "WAIT ", 5);
    gani_put_real(out, wait, 0);
    if (more.len) {
        lvl_buffer_u8(out, ' ');
        gani_put_text(out, more, 0);
    }
}

/* Where the last word before `end` begins; `from` if there is none. */
static const char *last_word(const char *from, const char *end)
{
    end = gani_trim(from, end);
    while (end > from && !gani_blank(end[-1]))
        end--;
    return end;
}

static bool whole_number(const char *from, const char *end, double *out)
{
    gani_cursor c = gani_cursor_of(from, end);

    *out = from < end ? gani_real_here(&c, ' ') : 0;
    return from < end && c.fit & GANI_WELL && c.p == end;
}

/* PLAYSOUND file [x [y]]: a file's name may hold blanks, so the numbers are looked for from the right. */
unsigned gani_sound_read(const char *at, const char *end, lvl_gani_sound *out)
{
    gani_cursor c = after_word(at, end);
    const char *from = gani_skip(c.p, end), *stop = gani_trim(from, end), *last = last_word(from, stop);
    double x, y;

    out->given = 0;
    out->x = out->y = 0;
    if (last > from && whole_number(last, stop, &y)) {
        const char *before = gani_trim(from, last), *first = last_word(from, before);
        out->given = 1;
        out->x = y;
        stop = before;
        if (first > from && whole_number(first, before, &x)) {
            out->given = 2;
            out->x = x;
            out->y = y;
            stop = gani_trim(from, first);
        }
    }
    out->file = gani_text(from, stop);
    if (from == stop)
        gani_ill(&c);
    if (from != c.p + 1 || *c.p != ' ')
        gani_unfit(&c);
    c.p = stop;
    for (unsigned i = 0; i < out->given; i++)
        gani_real(&c, 0, ' ');
    return gani_line_done(&c);
}

void gani_sound_put(lvl_buffer *out, const lvl_gani_sound *s)
{
    const double place[] = {s->x, s->y};

    lvl_buffer_add(out, "PLAYSOUND ", 10);
    gani_put_text(out, s->file, 0);
    for (unsigned i = 0; i < 2 && i < s->given; i++) {
        lvl_buffer_u8(out, ' ');
        gani_put_real(out, place[i], 0);
    }
}

/* ---- movies ------------------------------------------------------------------------------------------ */

gani_movie_line gani_movie_line_kind(const char *at, const char *end)
{
    static const struct {
        const char *word;
        gani_movie_line kind;
    } words[] = {
        {"FRAME", GANI_M_FRAME},
        {"ACTOR", GANI_M_ACTOR},
        {"ACTOREND", GANI_M_ACTOREND},
        {"MOVIEEND", GANI_M_END},
    };
    const char *w = gani_skip(at, end);
    const size_t len = (size_t)(gani_word_end(w, end) - w);

    if (at == end)
        return GANI_M_BLANK;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (is(w, len, words[i].word))
            return words[i].kind;
    }
    return GANI_M_STRAY;
}

/* The cursor behind the first word, which should stand after so many blanks. */
static gani_cursor indented(const char *at, const char *end, size_t blanks)
{
    gani_cursor c = gani_cursor_of(at, end);

    if (gani_gap(&c) != blanks)
        gani_unfit(&c);
    c.p = gani_word_end(c.p, end);
    return c;
}

unsigned gani_actor_read(const char *at, const char *end, lvl_gani_actor *out)
{
    gani_cursor c = indented(at, end, 2);

    out->kind = gani_word(&c, 0);
    out->name = rest_of(&c);
    return c.fit;
}

void gani_actor_put(lvl_buffer *out, const lvl_gani_actor *a)
{
    lvl_buffer_str(out, "  ACTOR ");
    gani_put_text(out, a->kind, 0);
    lvl_buffer_u8(out, ' ');
    gani_put_text(out, a->name, 0);
}

int32_t gani_tick_read(gani_cursor *c)
{
    *c = indented(c->p, c->end, 4);
    const int32_t tick = gani_int(c, 0);

    const char *from = c->p;
    c->p = gani_skip(from, c->end);
    if (from < c->end && (c->p != from + 1 || *from != ' ' || c->p == c->end))
        gani_unfit(c);
    return tick;
}

/* Whether a key and '=' follow the comma at `p`: free text in a value may hold commas. Keys are words;
 * "sprite #" is one too. */
static bool key_follows(const char *p, const char *end)
{
    enum { LONGEST = 24 };
    const char *from = ++p;

    if (p == end || *p < 'a' || *p > 'z')
        return false;
    while (p < end && p - from < LONGEST &&
           ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || lvl_is_digit(*p) || *p == '_' ||
            *p == '#' || *p == ' '))
        p++;
    return p < end && *p == '=' && p[-1] != ' ';
}

bool gani_value_read(gani_cursor *c, lvl_gani_value *out)
{
    const char *p = c->p, *end = c->end, *equals;

    if (p >= end)
        return false;
    equals = memchr(p, '=', (size_t)(end - p));
    if (!equals) { /* a word without a value */
        gani_ill(c);
        out->key = gani_text(p, end);
        out->value = gani_text(end, end);
        c->p = end;
        return true;
    }
    out->key = gani_text(p, equals);
    for (p = equals + 1; (p = memchr(p, ',', (size_t)(end - p))); p++) {
        if (key_follows(p, end))
            break;
    }
    out->value = gani_text(equals + 1, p ? p : end);
    c->p = p ? p + 1 : end;
    return true;
}

void gani_keyframe_put(lvl_buffer *out, const lvl_gani_keyframe *k)
{
    lvl_buffer_str(out, "    FRAME ");
    gani_put_int(out, k->tick, 0);
    for (uint32_t i = 0; i < k->value_count; i++) {
        lvl_buffer_u8(out, i ? ',' : ' ');
        gani_put_text(out, k->values[i].key, 0);
        lvl_buffer_u8(out, '=');
        gani_put_text(out, k->values[i].value, 0);
    }
}
