/*
 * graal/nw_read.c: reads text levels. Blocks are found first, then counted, then made into items, so that
 * lists are taken at their size. How a block is spelled is seen while it is read; only one that isn't surely
 * as our writer puts it is written once to know.
 */
#include "graal/nw_internal.h"

#include "graal/graal_findings.h"
#include "base/work.h"

#include <stdarg.h>
#include <stdlib.h>

static const char magic[] = "GLEVNW01";
static const char mark[] = "\xEF\xBB\xBF";

enum {
    MAGIC = sizeof magic - 1,
    MARK = sizeof mark - 1,
    FEW_PIECES = 48,
    CELLS = LVL_GRAAL_SIDE * LVL_GRAAL_SIDE
};

/* A block and what it became. Neighbouring BOARD lines of a layer are one piece. */
typedef struct piece {
    lvl_nw_block block;
    uint32_t index; /* of the item, or of the layer */
    uint32_t lines; /* BOARD lines */
} piece;

/* A layer while its rows come in. */
typedef struct layer_state {
    lvl_graal_layer *layer;
    uint8_t *cells;
    uint32_t next;        /* cell behind the last row */
    uint32_t top;         /* cell behind all rows so far */
    uint32_t first, last; /* its pieces */
    bool odd;             /* rows come otherwise than our writer would put them */
    bool odd_rows;        /* a row alone is spelled otherwise */
    bool gaps;            /* not every cell up to there came */
} layer_state;

struct reader {
    lvl_doc *doc;
    lvl_graal *level;
    lvl_sink *sink;
    lvl_findings *findings;
    const char *file;
    lvl_nw_text text;
    piece *pieces;
    uint32_t piece_count, piece_cap;
    piece few[FEW_PIECES];
    uint16_t layer_of[LVL_NW_LAYERS]; /* index + 1 of a layer by its number */
    layer_state *layers;
    uint32_t layer_cap;
    lvl_nw_forms forms;
    bool whole; /* nothing but the file itself says how it is spelled */
};

int lvl_nw_probe(const lvl_probe_input *in)
{
    lvl_bytes head = in->head;

    if (head.len >= MARK && memcmp(head.ptr, mark, MARK) == 0) {
        head.ptr += MARK;
        head.len -= MARK;
    }
    return head.len >= MAGIC && memcmp(head.ptr, magic, MAGIC) == 0 ? MAGIC * 8 : 0;
}

/* ---- findings ---------------------------------------------------------------------------------------- */

static void find(const struct reader *r, int what, const lvl_where *where, const char *from, const char *to,
                 const char *fmt, ...) LVL_PRINTF(6, 7);

static void find(const struct reader *r, int what, const lvl_where *where, const char *from, const char *to,
                 const char *fmt, ...)
{
    const lvl_position pos = {0, (uint64_t)(from - r->file) * 8, (uint64_t)(to - from) * 8, 0, true};
    va_list args;

    va_start(args, fmt);
    lvl_findings_addv(r->findings, &lvl_graal_findings[what], where, &pos, fmt, args);
    va_end(args);
}

static lvl_where where_of(lvl_nw_kind kind, uint32_t index)
{
    return lvl_where_to(lvl_where_root(), lvl_table_at(&lvl_graal_table, lvl_nw_lists[kind].items), index);
}

/* ---- tiles ------------------------------------------------------------------------------------------- */

static lvl_status add_piece(struct reader *r, const lvl_nw_block *block, uint32_t index)
{
    if (r->piece_count == r->piece_cap) {
        uint32_t cap = r->piece_cap * 2;
        const uint64_t most = lvl_limits_of(r->doc->ctx).items;
        if (r->piece_cap > UINT32_MAX / 4 || cap > most)
            return lvl_refuse(r->doc->ctx, LVL_LIMIT_ITEMS, most, cap);
        piece *more =
            r->pieces == r->few ? malloc(cap * sizeof *more) : realloc(r->pieces, cap * sizeof *more);
        if (!more)
            return LVL_ERR_MEMORY;
        if (r->pieces == r->few)
            memcpy(more, r->few, sizeof r->few);
        r->pieces = more;
        r->piece_cap = cap;
    }
    piece *p = &r->pieces[r->piece_count++];
    p->block = *block;
    p->index = index;
    p->lines = 0;
    return LVL_OK;
}

/* The layer of that number, a new one if it's the first line of it. */
static lvl_status layer_at(struct reader *r, uint32_t number, layer_state **out)
{
    lvl_graal *level = r->level;
    lvl_arena *arena = &r->doc->arena;

    if (r->layer_of[number]) {
        *out = &r->layers[r->layer_of[number] - 1];
        return LVL_OK;
    }
    if (level->layer_count == r->layer_cap) {
        const uint32_t cap = r->layer_cap ? r->layer_cap * 8 : 1; /* nearly all have one */
        lvl_graal_layer *layers = lvl_arena_array(arena, cap, sizeof *layers);
        layer_state *states = lvl_arena_array(arena, cap, sizeof *states);
        if (!layers || !states)
            return LVL_ERR_MEMORY;
        if (r->layer_cap) {
            memcpy(layers, level->layers, r->layer_cap * sizeof *layers);
            memcpy(states, r->layers, r->layer_cap * sizeof *states);
        }
        r->layers = states;
        level->layers = layers;
        r->layer_cap = cap;
    }
    const uint32_t index = level->layer_count;
    layer_state *s = &r->layers[index];
    s->cells = lvl_arena_raw(arena, CELLS * 2);
    if (!s->cells)
        return LVL_ERR_MEMORY;
    memset(s->cells, 0xFF, CELLS * 2);
    s->first = s->last = r->piece_count;
    lvl_graal_layer *layer = &level->layers[index];
    layer->number = number;
    layer->tiles.ptr = s->cells;
    layer->tiles.width = layer->tiles.height = LVL_GRAAL_SIDE;
    layer->tiles.size = 2;
    level->layer_count++;
    r->layer_of[number] = (uint16_t)(index + 1);
    *out = s;
    return LVL_OK;
}

static void judge_row(const struct reader *r, const lvl_nw_block *block, uint32_t index,
                      const lvl_nw_row *row, bool good, bool twice)
{
    const lvl_where where = where_of(LVL_NW_BOARD, index);
    const char *from = block->head, *to = from + block->line.len;

    if (!row->width)
        find(r, LVL_GRAAL_F_NW_ROW_HIDES, &where, from, to,
             "row %lu: expected a width, got %.*s; found %lu tiles", (unsigned long)row->y,
             (int)(row->count.len < 24 ? row->count.len : 24), row->count.ptr,
             (unsigned long)lvl_nw_row_width(row));
    else if (row->data.len != row->chars)
        find(r, LVL_GRAAL_F_NW_ROW, &where, from, to, "row %lu: blanks between the characters of its tiles",
             (unsigned long)row->y);
    else if (row->chars / 2 < row->width)
        find(r, LVL_GRAAL_F_NW_ROW, &where, from, to, "row %lu: the line declares %lu tiles, found %llu",
             (unsigned long)row->y, (unsigned long)row->width, (unsigned long long)row->chars / 2);
    else if (lvl_nw_row_width(row) > row->width)
        find(r, LVL_GRAAL_F_NW_ROW_HIDES, &where, from, to, "row %lu: the line declares %lu tiles, found %lu",
             (unsigned long)row->y, (unsigned long)row->width, (unsigned long)lvl_nw_row_width(row));
    else if (row->chars != (size_t)row->width * 2 && !lvl_nw_row_beyond(row))
        find(r, LVL_GRAAL_F_NW_ROW_LONG, &where, from, to, "row %lu: %lu tiles, but %llu characters of them",
             (unsigned long)row->y, (unsigned long)row->width, (unsigned long long)row->chars);
    if (row->behind)
        find(r, LVL_GRAAL_F_NW_ROW_BEYOND, &where, from, to,
             "row %lu: %llu characters follow the %llu of its tiles", (unsigned long)row->y,
             (unsigned long long)row->behind, (unsigned long long)row->chars);
    else if (lvl_nw_row_beyond(row))
        find(r, LVL_GRAAL_F_NW_ROW_BEYOND, &where, from, to,
             "row %lu: the line has %llu tiles from column %lu on, the last %llu beyond the board's edge",
             (unsigned long)row->y, (unsigned long long)row->chars / 2, (unsigned long)row->x,
             (unsigned long long)lvl_nw_row_beyond(row));
    else if (row->width > LVL_GRAAL_SIDE - row->x)
        find(r, LVL_GRAAL_F_NW_ROW_LONG, &where, from, to,
             "row %lu: %lu tiles from column %lu go beyond the board", (unsigned long)row->y,
             (unsigned long)row->width, (unsigned long)row->x);
    if (!good)
        find(r, LVL_GRAAL_F_NW_ROW, &where, from, to, "row %lu: characters that are not a tile",
             (unsigned long)row->y);
    if (twice)
        find(r, LVL_GRAAL_F_NW_ROW_TWICE, &where, from, to, "row %lu: tiles that an earlier line has set",
             (unsigned long)row->y);
}

/* Lines that are no command. */
static void judge_lines(const struct reader *r, const char *from, const char *to, const lvl_where *where)
{
    const lvl_nw_text text = {from, to, r->text.crlf};
    lvl_nw_line line;
    lvl_nw_kind kind;

    for (const char *at = from; at < to; at = line.next) {
        line = lvl_nw_line_at(&text, at);
        if (lvl_nw_is_end(&line, "") || (line.len > 1 && line.ptr[0] == '/' && line.ptr[1] == '/'))
            continue; /* blank, comment */
        const char *end = at + line.len;
        const int shown = line.len < 40 ? (int)line.len : 40;
        bool is_end = false;
        for (int k = 0; k < LVL_NW_KINDS; k++)
            is_end |=
                lvl_nw_end_word((lvl_nw_kind)k) && lvl_nw_is_end(&line, lvl_nw_end_word((lvl_nw_kind)k));
        if (is_end)
            find(r, LVL_GRAAL_F_NW_STRAY_END, where, at, end, "%.*s ends nothing", shown, line.ptr);
        else if (lvl_nw_is_command_word(&line, &kind))
            find(r, LVL_GRAAL_F_NW_COMMAND, where, at, end, "a %s line that says too little, or nonsense",
                 lvl_nw_kind_name(kind));
        else
            find(r, LVL_GRAAL_F_NW_LINE, where, at, end, "a line that is no command");
    }
}

static lvl_status read_row(struct reader *r, const lvl_nw_block *block)
{
    lvl_nw_row row;
    layer_state *s;

    if (!lvl_nw_read_row(&block->line, &row))
        return LVL_OK; /* can't be: the block wouldn't have begun here */
    lvl_status status = layer_at(r, row.layer, &s);
    if (status != LVL_OK)
        return status;
    const uint32_t index = (uint32_t)(s - r->layers), at = row.y * LVL_GRAAL_SIDE + row.x;
    const uint32_t width = lvl_nw_row_width(&row);
    uint8_t *cells = s->cells + (size_t)at * 2;
    bool twice = false, any = false;
    for (uint32_t i = 0; at < s->next && i < width * 2; i += 2)
        twice |= (cells[i] & cells[i + 1]) != 0xFF;
    const bool good = lvl_nw_decode_row(&row, cells);
    const bool odd = !row.plain || !good || !block->line.own;
    const bool first = s->first == r->piece_count;
    for (uint32_t i = 0; odd && i < width * 2; i += 2)
        any |= (cells[i] & cells[i + 1]) != 0xFF;
    if (at < s->next || (at == s->next && row.x) || (!first && block->lead != block->head) || (odd && !any))
        s->odd = true;
    s->odd_rows |= odd;
    if (index + 1 != r->level->layer_count)
        r->whole = true; /* layers in turns */
    s->gaps |= at > s->next;
    s->next = at + lvl_nw_row_span(&row);
    s->top = s->next > s->top ? s->next : s->top;
    if (r->findings && (!row.plain || !good || twice))
        judge_row(r, block, index, &row, good, twice);
    piece *last = r->piece_count ? &r->pieces[r->piece_count - 1] : NULL;
    if (!last || last->block.kind != LVL_NW_BOARD || last->index != index) {
        status = add_piece(r, block, index);
        last = &r->pieces[r->piece_count - 1];
        s->last = r->piece_count - 1;
    } else {
        if (r->findings && block->lead != block->head) {
            const lvl_where where = where_of(LVL_NW_BOARD, index);
            judge_lines(r, block->lead, block->head, &where);
        }
        last->block.end = block->end;
    }
    if (status == LVL_OK)
        last->lines++;
    return status;
}

/* Whole rows of the board one after the other, as nearly every line of a level is, without a look at their
 * words. */
static const char *read_rows(struct reader *r, const char *at)
{
    static const char head[] = "BOARD 0 ", tail[] = " 64 0 ";
    piece *last = r->piece_count ? &r->pieces[r->piece_count - 1] : NULL;
    const size_t tiles = (size_t)LVL_GRAAL_SIDE * 2, line_end = 1 + r->text.crlf;

    if (!last || !r->layers || last->block.kind != LVL_NW_BOARD || r->level->layers[last->index].number)
        return at;
    layer_state *s = &r->layers[last->index];
    const char *const end = r->text.end;
    while (s->next % LVL_GRAAL_SIDE == 0 && s->next < CELLS && s->next == s->top) {
        const uint32_t y = s->next / LVL_GRAAL_SIDE;
        const size_t digits = 1 + (y > 9), front = sizeof head - 1 + digits + sizeof tail - 1;
        if ((size_t)(end - at) < front + tiles + line_end || memcmp(at, head, sizeof head - 1) != 0)
            break;
        const char *p = at + sizeof head - 1;
        if (p[digits - 1] != (char)('0' + y % 10) || (y > 9 && p[0] != (char)('0' + y / 10)) ||
            memcmp(p + digits, tail, sizeof tail - 1) != 0)
            break;
        p = at + front + tiles;
        if (r->text.crlf ? p[0] != '\r' || p[1] != '\n' : p[0] != '\n')
            break;
        uint8_t *cells = s->cells + (size_t)s->next * 2;
        if (!lvl_nw_decode(at + front, LVL_GRAAL_SIDE, cells)) {
            memset(cells, 0xFF, tiles);
            break;
        }
        s->next = s->top = s->next + LVL_GRAAL_SIDE;
        last->lines++;
        at = last->block.end = p + line_end;
    }
    return at;
}

/* ---- blocks ------------------------------------------------------------------------------------------ */

static lvl_status read_blocks(struct reader *r, const char *at, uint32_t *counts, const char **after)
{
    lvl_status status = LVL_OK;
    lvl_nw_block block;

    while (status == LVL_OK) {
        at = read_rows(r, at);
        if (!lvl_nw_next_block(&r->text, &at, &block))
            break;
        if (block.kind == LVL_NW_BOARD)
            status = read_row(r, &block);
        else
            status = add_piece(r, &block, counts[block.kind]++);
    }
    *after = block.lead;
    const uint64_t most = lvl_limits_of(r->doc->ctx).items;
    if (status == LVL_OK && r->piece_count > most)
        status = lvl_refuse(r->doc->ctx, LVL_LIMIT_ITEMS, most, r->piece_count);
    return status;
}

/* All of a text but the line end that its lines have anyway; with it where the text would end in another
 * then. */
static lvl_text without_end(const lvl_nw_text *t, const char *from, const char *to)
{
    const lvl_text all = {from, (size_t)(to - from)};
    lvl_text text = all;

    if (t->crlf && text.len > 1 && to[-1] == '\n' && to[-2] == '\r')
        text.len -= 2;
    else if (!t->crlf && text.len && to[-1] == '\n')
        text.len--;
    return text.len && from[text.len - 1] == '\n' ? all : text;
}

/* What to keep of a block that may be spelled otherwise than our writer would. */
static lvl_status spelling(struct reader *r, const lvl_nw_block *b, const void *item, lvl_text *out)
{
    lvl_buffer head = {0}, rest = {0};
    const bool crlf = r->text.crlf;
    const lvl_text ends = lvl_text_of(crlf ? "\r\n" : "\n");
    const size_t behind = (size_t)(b->end - b->body);

    if (b->kind == LVL_NW_HEIGHTS) {
        lvl_nw_put_heights(&rest, r->level->heights, r->level->height_count, crlf);
    } else {
        lvl_nw_put_rest(&rest, b->kind, item, crlf);
    }
    lvl_nw_put_head(&head, &r->forms, b->kind, item);
    lvl_status status = head.status != LVL_OK ? head.status : rest.status;
    if (status == LVL_OK) {
        /* the file's last line end may be missing, which is kept by itself */
        const bool cut = b->end == r->text.end && b->end[-1] != '\n';
        const bool same_head =
            b->line.own && head.len == b->line.len && memcmp(head.data, b->head, head.len) == 0;
        const size_t want = rest.len - ends.len - (cut && behind ? ends.len : 0);
        const bool same_rest = b->line.own && b->closed && behind == want &&
                               (!want || memcmp(rest.data + ends.len, b->body, want) == 0);
        if (same_head && same_rest)
            out->len = 0;
        else if (same_rest && b->body < b->end)
            *out = (lvl_text){b->head, b->line.len};
        else
            *out = without_end(&r->text, b->head, b->end);
        /* a whole block of one line must not look like a head */
        if (out->len && !same_rest && lvl_nw_end_word(b->kind) && !memchr(out->ptr, '\n', out->len)) {
            out->len = (size_t)(b->end - b->head);
            if (cut) {
                char *text = lvl_arena_raw(&r->doc->arena, out->len + ends.len);
                if (!text) {
                    status = LVL_ERR_MEMORY;
                } else {
                    memcpy(text, out->ptr, out->len);
                    memcpy(text + out->len, ends.ptr, ends.len);
                    out->ptr = text;
                    out->len += ends.len;
                }
            }
        }
    }
    lvl_buffer_free(&head);
    lvl_buffer_free(&rest);
    return status;
}

static void judge_block(const struct reader *r, const piece *p, unsigned problems)
{
    const lvl_nw_block *b = &p->block;
    const lvl_where where = where_of(b->kind, b->kind == LVL_NW_HEIGHTS ? LVL_NO_INDEX : p->index);
    const char *from = b->head, *to = from + b->line.len, *name = lvl_nw_kind_name(b->kind);

    if (problems & LVL_NW_BAD_NUMBER)
        find(r, LVL_GRAAL_F_NW_NUMBER, &where, from, to, "%s: expected a number, found another word", name);
    if (problems & LVL_NW_UNKNOWN_NAME)
        find(r, LVL_GRAAL_F_NW_NAME, &where, from, to, "%s: unknown %s", name,
             b->kind == LVL_NW_CHEST ? "an item" : "a type");
    if (problems & LVL_NW_FEW_WORDS)
        find(r, LVL_GRAAL_F_NW_HEIGHTS, &where, from, to, "%lu heights, expected %d",
             (unsigned long)r->level->height_count, LVL_GRAAL_HEIGHTS);
    if (problems & LVL_NW_MORE_WORDS)
        find(r, LVL_GRAAL_F_NW_WORDS, &where, from, to, "%s: unexpected words after the last one", name);
    if (problems & LVL_NW_MORE_LINES)
        find(r, LVL_GRAAL_F_NW_VERSES, &where, from, b->end, "%s: more than three lines", name);
    if (!b->closed)
        find(r, LVL_GRAAL_F_NW_UNCLOSED, &where, from, b->end, "%s: the file ends before %s", name,
             lvl_nw_end_word(b->kind));
}

/* A line inside of a body that would be a command outside of it, which may mean that an end line is missing.
 */
static void judge_body(const struct reader *r, const piece *p)
{
    const lvl_nw_block *b = &p->block;
    const lvl_where where = where_of(b->kind, p->index);
    lvl_nw_line line;
    lvl_nw_kind kind;

    for (const char *at = b->body; at < b->close; at = line.next) {
        line = lvl_nw_line_at(&r->text, at);
        if (lvl_nw_is_swallowed(&line, &kind))
            find(r, LVL_GRAAL_F_NW_INSIDE, &where, at, at + line.len,
                 "a line of the %s is a whole %s command", lvl_nw_kind_name(b->kind), lvl_nw_kind_name(kind));
    }
}

static lvl_status read_heights(struct reader *r, const piece *p)
{
    lvl_graal *level = r->level;
    lvl_nw_parse parse = {&r->doc->arena, &r->forms, r->text.crlf, 0, false};
    lvl_text line = {NULL, 0};

    if (level->heights) {
        r->whole = true; /* the first ones count */
        return LVL_OK;
    }
    level->heights = lvl_arena_array(&r->doc->arena, LVL_GRAAL_HEIGHTS, sizeof *level->heights);
    if (!level->heights)
        return LVL_ERR_MEMORY;
    lvl_nw_read_heights(&parse, &p->block, level->heights, &level->height_count);
    lvl_status status = spelling(r, &p->block, NULL, &line);
    level->heights_line = line;
    if (!level->height_count)
        r->whole = true;
    if (r->findings)
        judge_block(r, p, parse.problems);
    return status;
}

static lvl_status read_items(struct reader *r)
{
    lvl_nw_parse parse = {&r->doc->arena, &r->forms, r->text.crlf, 0, false};
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < r->piece_count && status == LVL_OK; i++) {
        const piece *p = &r->pieces[i];
        const lvl_nw_list *list = &lvl_nw_lists[p->block.kind];
        if (p->block.kind == LVL_NW_BOARD)
            continue;
        if (p->block.kind == LVL_NW_HEIGHTS) {
            status = read_heights(r, p);
            continue;
        }
        uint8_t *item = lvl_nw_items(r->level, p->block.kind) + p->index * list->size;
        lvl_record_init(item, list->table);
        status = lvl_nw_read_item(&parse, &p->block, item);
        if (status == LVL_OK && !parse.canonical)
            status = spelling(r, &p->block, item, (lvl_text *)(void *)(item + list->line));
        if (r->findings) {
            if (parse.problems || !p->block.closed)
                judge_block(r, p, parse.problems);
            if (lvl_nw_end_word(p->block.kind))
                judge_body(r, p);
        }
    }
    return status;
}

static lvl_status take_lists(struct reader *r, const uint32_t *counts)
{
    for (int k = LVL_NW_LINK; k < LVL_NW_KINDS; k++) {
        const lvl_nw_list *list = &lvl_nw_lists[k];
        if (!counts[k] || !list->table)
            continue;
        void *items = lvl_arena_array(&r->doc->arena, counts[k], list->size);
        if (!items)
            return LVL_ERR_MEMORY;
        memcpy((uint8_t *)r->level + list->items, &items, sizeof items);
        memcpy((uint8_t *)r->level + list->count, &counts[k], sizeof counts[k]);
    }
    return LVL_OK;
}

/* Whether a BOARD line alone is spelled otherwise than our writer would. */
static bool is_odd_row(const lvl_nw_block *block)
{
    uint8_t cells[LVL_GRAAL_SIDE * 2];
    lvl_nw_row row;

    return block->line.own && lvl_nw_read_row(&block->line, &row)
               ? !row.plain || !lvl_nw_decode_row(&row, cells)
               : true;
}

/* Adds the lines of a piece that have to be kept to the layer's: all, with those before them, or the odd
 * ones. */
static void gather(const struct reader *r, const piece *p, bool first, bool all, lvl_buffer *out)
{
    const lvl_nw_text text = {p->block.head, p->block.end, r->text.crlf};
    const char *at = text.ptr, *from = first ? p->block.head : p->block.lead;
    lvl_nw_block row;

    if (all) {
        lvl_buffer_add(out, from, (size_t)(p->block.end - from));
        return;
    }
    while (lvl_nw_next_block(&text, &at, &row)) {
        if (is_odd_row(&row))
            lvl_buffer_add(out, row.head, (size_t)(row.end - row.head));
    }
}

static lvl_status keep_lines(struct reader *r, uint32_t index)
{
    const layer_state *s = &r->layers[index];
    lvl_graal_layer *layer = &r->level->layers[index];
    const lvl_nw_block *first = &r->pieces[s->first].block;
    const char *end = r->pieces[s->last].block.end;
    lvl_buffer lines = {0};

    if (!s->odd && !s->odd_rows)
        return LVL_OK;
    if (s->odd && s->first == s->last && end[-1] == '\n') {
        layer->lines = (lvl_text){first->head, (size_t)(end - first->head)};
        return LVL_OK;
    }
    for (uint32_t i = s->first; i <= s->last; i++) {
        if (r->pieces[i].block.kind == LVL_NW_BOARD && r->pieces[i].index == index)
            gather(r, &r->pieces[i], i == s->first, s->odd, &lines);
    }
    /* the file's last line end may be missing, which is kept by itself */
    if (lines.len && lines.data[lines.len - 1] != '\n')
        lvl_nw_put_line_end(&lines, r->text.crlf);
    lvl_status status = lines.status;
    if (status == LVL_OK) {
        layer->lines = lvl_doc_text(r->doc, (lvl_text){(const char *)lines.data, lines.len});
        status = layer->lines.ptr ? LVL_OK : LVL_ERR_MEMORY;
    }
    lvl_buffer_free(&lines);
    return status;
}

/* The sequence of kinds, unless it is the official one. */
static lvl_status read_order(struct reader *r)
{
    lvl_buffer text = {0};
    bool usual = true;

    for (uint32_t i = 1; i < r->piece_count; i++)
        usual &= r->pieces[i].block.kind >= r->pieces[i - 1].block.kind;
    for (uint32_t i = 0; !usual && i < r->piece_count;) {
        const lvl_nw_kind kind = r->pieces[i].block.kind;
        uint64_t n = 0;
        for (; i < r->piece_count && r->pieces[i].block.kind == kind; i++)
            n += kind == LVL_NW_BOARD ? r->pieces[i].lines : 1;
        lvl_nw_add_run(&text, kind, n);
    }
    lvl_status status = text.status;
    if (status == LVL_OK && text.len) {
        r->level->order = lvl_doc_text(r->doc, (lvl_text){(const char *)text.data, text.len});
        status = r->level->order.ptr ? LVL_OK : LVL_ERR_MEMORY;
    }
    lvl_buffer_free(&text);
    return status;
}

/* Lines between blocks are kept beside the block that follows them. */
static void read_gaps(struct reader *r, const char *after)
{
    for (uint32_t i = 0; i < r->piece_count; i++) {
        const piece *p = &r->pieces[i];
        const lvl_nw_list *list = &lvl_nw_lists[p->block.kind];
        const lvl_text before = {p->block.lead, (size_t)(p->block.head - p->block.lead)};
        if (!before.len)
            continue;
        if (p->block.kind == LVL_NW_HEIGHTS)
            r->level->heights_before = before;
        else if (p->block.kind != LVL_NW_BOARD || r->layers[p->index].first == i)
            memcpy(lvl_nw_items(r->level, p->block.kind) + p->index * list->size + list->before, &before,
                   sizeof before);
    }
    if (after != r->text.end)
        r->level->after = (lvl_text){after, (size_t)(r->text.end - after)};
}

static void judge_file(const struct reader *r, const char *after)
{
    const lvl_graal *level = r->level;

    for (uint32_t i = 0; i < r->piece_count; i++) {
        const piece *p = &r->pieces[i];
        const lvl_where where =
            where_of(p->block.kind, p->block.kind == LVL_NW_HEIGHTS ? LVL_NO_INDEX : p->index);
        if (p->block.lead != p->block.head)
            judge_lines(r, p->block.lead, p->block.head, &where);
    }
    judge_lines(r, after, r->text.end, NULL);
    const uint32_t board = r->layer_of[0]; /* its index + 1 */
    uint32_t absent = board ? 0 : CELLS;
    if (board && (r->layers[board - 1].odd || r->layers[board - 1].odd_rows ||
                  r->layers[board - 1].next < CELLS || r->layers[board - 1].gaps)) {
        for (uint32_t i = 0; i < CELLS; i++)
            absent += lvl_cell(&level->layers[board - 1].tiles, i % LVL_GRAAL_SIDE, i / LVL_GRAAL_SIDE) ==
                      LVL_GRAAL_ABSENT;
    }
    if (absent) {
        const lvl_where where = where_of(LVL_NW_BOARD, board ? board - 1 : LVL_NO_INDEX);
        lvl_findings_add(r->findings, &lvl_graal_findings[LVL_GRAAL_F_NW_ABSENT], &where, NULL,
                         "%lu of %d tiles are not set", (unsigned long)absent, CELLS);
    }
}

/* ---- the file ---------------------------------------------------------------------------------------- */

/* The mark and the first line; where the second begins, or NULL. */
static const char *read_head(struct reader *r)
{
    const lvl_bytes in = r->doc->input;
    lvl_graal *level = r->level;
    const char *p = r->file;
    size_t left = in.len;

    if (left >= MARK && memcmp(p, mark, MARK) == 0) {
        p += MARK;
        left -= MARK;
        level->mark = 1;
    }
    if (left < MAGIC || memcmp(p, magic, MAGIC) != 0) {
        if (r->findings) {
            const lvl_position pos = {0, 0, (uint64_t)in.len * 8, 0, true};
            lvl_findings_add(r->findings, &lvl_graal_findings[LVL_GRAAL_F_NW_HEADER], NULL, &pos,
                             "expected %s in the first line", magic);
        }
        return NULL;
    }
    r->text = (lvl_nw_text){p, p + left, lvl_lines_are_crlf((lvl_text){p, left})};
    level->version = LVL_GLEVNW01;
    r->doc->version = LVL_GLEVNW01;
    level->line_end = r->text.crlf ? LVL_NW_CRLF : LVL_NW_LF;
    level->unended = r->text.end[-1] != '\n';
    const lvl_nw_line line = lvl_nw_line_at(&r->text, p);
    if (line.len != MAGIC || !line.own)
        level->head = without_end(&r->text, p, line.next);
    if (line.len != MAGIC)
        find(r, LVL_GRAAL_F_NW_FIRST_LINE, NULL, p, p + line.len,
             "expected only %s in the first line, found more", magic);
    return line.next;
}

static void emit(const struct reader *r, const char *second, const char *after)
{
    lvl_nw_emit_head(r->sink, r->file, r->text.ptr, second);
    for (uint32_t i = 0; i < r->piece_count; i++)
        lvl_nw_emit_block(r->sink, r->file, &r->pieces[i].block, r->pieces[i].index, r->text.crlf);
    lvl_nw_emit_lines(r->sink, r->file, after, r->text.end,
                      lvl_table_at(&lvl_graal_table, offsetof(lvl_graal, after)));
}

lvl_status lvl_nw_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    uint32_t counts[LVL_NW_KINDS] = {0};
    const char *after;
    struct reader r;

    r.doc = doc;
    r.level = doc->root;
    r.sink = sink;
    r.findings = findings;
    r.file = (const char *)doc->input.ptr;
    r.pieces = r.few;
    r.piece_count = 0;
    r.piece_cap = FEW_PIECES;
    r.layers = NULL;
    r.layer_cap = 0;
    r.whole = false;
    memset(r.layer_of, 0, sizeof r.layer_of);
    memset(r.forms.ready, 0, sizeof r.forms.ready);
    const char *second = read_head(&r);
    if (!second)
        return LVL_ERR_FORMAT;
    lvl_status status = read_blocks(&r, second, counts, &after);
    if (status == LVL_OK)
        status = take_lists(&r, counts);
    if (status == LVL_OK)
        status = read_items(&r);
    for (uint32_t i = 0; status == LVL_OK && i < r.level->layer_count; i++)
        status = keep_lines(&r, i);
    if (status == LVL_OK)
        status = read_order(&r);
    if (status == LVL_OK) {
        read_gaps(&r, after);
        if (r.whole)
            r.level->file = doc->input;
        if (findings)
            judge_file(&r, after);
        if (sink)
            emit(&r, second, after);
    }
    if (r.pieces != r.few)
        free(r.pieces);
    return status;
}
