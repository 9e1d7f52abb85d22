/*
 * graal/gani_read_head.c: what the reader of animations does before it reads definitions: room for all lists,
 * the header, the style.
 */
#include "graal/gani_reader.h"

#include "base/cursor.h"
#include "base/work.h"

/* ---- room -------------------------------------------------------------------------------------------- */

static uint32_t count_commas(const char *from, const char *to)
{
    uint32_t n = 0;

    for (const char *p = from; p < to; p++)
        n += *p == ',';
    return n;
}

/* How many items of each kind there can be at most: the first letter of a line must count it for whatever the
 * line may be read as. */
void gani_count_lines(gani_reader *r)
{
    const char *ani = NULL;

    for (const char *p = r->at, *end; p < r->limit; p = end + 1) {
        end = memchr(p, '\n', (size_t)(r->limit - p));
        end = end ? end : r->limit;
        const char *w = gani_skip(p, end);
        switch (w < end ? *w : '\n') {
        case 'S':
            r->sprites++;
            r->effects += end - w > 1 && w[1] == 'T'; /* STRETCHXEFFECT */
            break;
        case 'A':
            r->attachments++;
            r->actors++;
            r->directions += ani != NULL;
            if (!ani && end - w >= 3 && w[1] == 'N' && w[2] == 'I' &&
                (end - w == 3 || gani_blank(w[3]) || w[3] == '\r'))
                ani = p;
            break;
        case 'D': r->defaults++; break;
        case 'F': r->keyframes++; break;
        case 'C':
        case 'Z':
        case 'R':
        case 'E':
        case 'L': r->effects++; break;
        case 'P':
            r->sounds++;
            r->directions += ani != NULL;
            break;
        case '\n':
        case '\r':
        case '-':
        case '+':
        case '.': r->directions += ani != NULL; break;
        default: r->directions += ani && lvl_is_digit(*w);
        }
    }
    if (ani)
        r->pieces = count_commas(ani, r->limit) + r->directions;
    if (r->keyframes)
        r->values = count_commas(r->at, r->limit) + r->keyframes;
}

/* All lists share one block. */
lvl_status gani_make_room(gani_reader *r)
{
    const uint64_t limit = lvl_limits_of(r->doc->ctx).items;
    const struct {
        void *list; /* a pointer to items */
        uint32_t count;
        size_t size;
    } lists[] = {
        {&r->g->sprites, r->sprites, sizeof(lvl_gani_sprite)},
        {&r->g->attachments, r->attachments, sizeof(lvl_gani_attachment)},
        {&r->g->effects, r->effects, sizeof(lvl_gani_effect)},
        {&r->g->defaults, r->defaults, sizeof(lvl_gani_default)},
        {&r->g->frames, r->directions, sizeof(lvl_gani_frame)},
        {&r->g->actors, r->actors, sizeof(lvl_gani_actor)},
        {&r->direction, r->directions, sizeof(lvl_gani_direction)},
        {&r->piece, r->pieces, sizeof(lvl_gani_piece)},
        {&r->sound, r->sounds, sizeof(lvl_gani_sound)},
        {&r->keyframe, r->keyframes, sizeof(lvl_gani_keyframe)},
        {&r->value, r->values, sizeof(lvl_gani_value)},
    };
    size_t total = 0, size;

    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        if (lists[i].count > limit)
            return lvl_refuse(r->doc->ctx, LVL_LIMIT_ITEMS, limit, lists[i].count);
        if (!lvl_mul_size(lists[i].count, lists[i].size, &size) || !lvl_add_size(total, size, &total))
            return LVL_ERR_MEMORY;
    }
    uint8_t *at = lvl_arena_raw(&r->doc->arena, total);
    if (!at)
        return LVL_ERR_MEMORY;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        void *items = lists[i].count ? at : NULL;
        memcpy(lists[i].list, &items, sizeof items);
        at += lists[i].count * lists[i].size;
    }
    return LVL_OK;
}

/* ---- the header -------------------------------------------------------------------------------------- */

/* Reads up to the first line that isn't blank or a comment; if that is a header, the reader goes on behind
 * it. */
void gani_read_head(gani_reader *r)
{
    static const char mark[] = "\xEF\xBB\xBF";
    const bool marked = r->limit - r->start >= 3 && memcmp(r->start, mark, 3) == 0;
    const char *from = r->start + (marked ? 3 : 0);
    gani_line l;

    r->g->version = LVL_GANI_BARE;
    r->at = from;
    for (const char *p = from; p < r->limit; p = l.next) {
        l = gani_line_at(p, r->limit, r->line_end);
        const gani_kind kind = gani_definition_kind(l.at, l.end);
        if (kind == GANI_K_BLANK || kind == GANI_K_STRAY)
            continue;
        if (l.end - l.at < 8 || memcmp(l.at, "GANI0", 5) != 0)
            break;
        lvl_gani *g = r->g;
        g->version = memcmp(l.at, "GANI0002", 8) == 0   ? LVL_GANI0002
                     : memcmp(l.at, "GANI0FP4", 8) == 0 ? LVL_GANI0FP4
                                                        : LVL_GANI0001;
        if (l.at != r->start || l.end != l.at + 8 || !l.own)
            g->head = gani_text(r->start, l.next);
        const lvl_where where = gani_where(&lvl_gani_table, offsetof(lvl_gani, version), LVL_NO_INDEX);
        if (g->version == LVL_GANI0001 && memcmp(l.at, "GANI0001", 8) != 0) {
            g->head = gani_text(r->start, l.next);
            gani_report(r, LVL_GANI_F_VERSION, &where, l.at, l.end, "%.8s", l.at);
        }
        if (g->head.len)
            gani_emit(r, LVL_SPAN_SPELLING, NULL, NULL, r->start, l.at, "before the header");
        gani_emit(r, LVL_SPAN_FIELD, NULL, where.steps[0].field, l.at, l.at + 8, NULL);
        gani_emit(r, LVL_SPAN_SPELLING, NULL, NULL, l.at + 8, l.next, "end of line");
        r->at = l.next;
        return;
    }
    if (marked) {
        r->g->head = gani_text(r->start, from);
        gani_emit(r, LVL_SPAN_SPELLING, NULL, NULL, r->start, from, "byte order mark");
    }
}

bool gani_head_holds(lvl_text head, unsigned version)
{
    lvl_gani g;
    gani_reader r = {.g = &g, .start = head.ptr, .limit = head.ptr + head.len};

    memset(&g, 0, sizeof g);
    gani_read_head(&r);
    return r.at == r.limit && g.version == version;
}

/* An export whose lines say nothing. */
bool gani_is_obfuscated(const gani_reader *r)
{
    gani_line l;

    for (const char *p = r->at; p < r->limit; p = l.next) {
        l = gani_line_at(p, r->limit, r->line_end);
        const gani_kind kind = gani_definition_kind(l.at, l.end);
        if (kind != GANI_K_BLANK && kind != GANI_K_STRAY)
            return kind == GANI_K_OTHER;
    }
    return false;
}

/* The style is what the first line says that tells styles apart. */
unsigned gani_guess_style(const gani_reader *r)
{
    lvl_gani_sprite sprite;
    lvl_gani_attachment attachment;
    lvl_gani_piece piece;
    bool frames = false;
    gani_line l;

    for (const char *p = r->at; p < r->limit; p = l.next) {
        l = gani_line_at(p, r->limit, r->line_end);
        const gani_kind kind = gani_definition_kind(l.at, l.end);
        unsigned fit = 0;
        if (kind == GANI_K_SPRITE) {
            fit = gani_sprite_read(l.at, l.end, GANI_SOURCE_WIDTH, &sprite);
            if (!(fit & GANI_FITS) && gani_source_width(l.at, l.end))
                return GANI_COLUMNS;
        } else if (kind == GANI_K_ATTACHMENT) {
            fit = gani_attachment_read(l.at, l.end, GANI_OFFSET_WIDTH, &attachment);
        } else if (kind == GANI_K_ANI) {
            frames = true;
        } else if (frames && gani_frame_line_kind(l.at, l.end) == GANI_L_PIECES) {
            gani_cursor c = gani_cursor_of(l.at, l.end);
            for (bool first = true; gani_piece_read(&c, first, &piece);)
                first = false;
            fit = c.fit;
        }
        fit &= GANI_FITS;
        if (fit == GANI_COLUMNS || fit == GANI_SINGLE)
            return fit;
    }
    return GANI_COLUMNS;
}
