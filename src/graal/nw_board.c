/*
 * graal/nw_board.c: BOARD lines: `BOARD x y width layer` and two characters a tile, the upper six bits first,
 * from the alphabet A–Z a–z 0–9 + /.
 */
#include "graal/nw_internal.h"

#include "base/cursor.h"
#include "base/buffer.h"

enum { NONE = 0xFF };

/* clang-format off */
#define N NONE
static const uint8_t value_of[256] = {
    N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N, N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,
    N,N,N,N,N,N,N,N,N,N,N,62,N,N,N,63, 52,53,54,55,56,57,58,59,60,61,N,N,N,N,N,N,
    N,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14, 15,16,17,18,19,20,21,22,23,24,25,N,N,N,N,N,
    N,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40, 41,42,43,44,45,46,47,48,49,50,51,N,N,N,N,N,
    N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N, N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,
    N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N, N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,
    N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N, N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,
    N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N, N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,
};
#undef N
/* clang-format on */

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

bool lvl_nw_decode(const char *data, size_t count, uint8_t *cells)
{
    const uint8_t *p = (const uint8_t *)data;
    bool good = true;

    for (size_t i = 0; i < count; i++, p += 2, cells += 2) {
        const unsigned hi = value_of[p[0]], lo = value_of[p[1]];
        if ((hi | lo) == NONE) {
            good = false;
            continue;
        }
        lvl_store_u16le(cells, (uint16_t)(hi << 6 | lo));
    }
    return good;
}

/* The text from the start of the first word to the end of the last one. */
static lvl_text join(const lvl_text *first, const lvl_text *last)
{
    return (lvl_text){first->ptr, (size_t)(last->ptr + last->len - first->ptr)};
}

/* The tiles of a BOARD line: its fifth word; all words from there on if blanks split the tiles. */
static void find_tiles(const lvl_words *words, lvl_nw_row *out)
{
    const lvl_text *first = &words->word[4], *last = &words->word[words->count - 1];
    size_t chars = 0;

    out->data = *first;
    out->chars = first->len;
    out->behind = last > first ? join(first + 1, last).len : 0;
    for (const lvl_text *word = first; word <= last; word++)
        chars += word->len;
    if (last == first || words->count == LVL_WORDS || out->width > LVL_GRAAL_SIDE - out->x ||
        chars != (size_t)out->width * 2)
        return;
    out->data = join(first, last);
    out->chars = chars;
    out->behind = 0;
}

/* Whether the line gives the row from x on to the board's edge, whatever its width is. */
static bool is_whole_row(const lvl_nw_row *row)
{
    const uint32_t room = LVL_GRAAL_SIDE - row->x;
    uint8_t cells[LVL_GRAAL_SIDE * 2];

    return !row->behind && row->chars == (size_t)room * 2 && lvl_nw_decode(row->data.ptr, room, cells);
}

bool lvl_nw_decode_row(const lvl_nw_row *row, uint8_t *cells)
{
    char joined[LVL_GRAAL_SIDE * 2] = {0};
    size_t n = 0;

    if (row->data.len == row->chars)
        return lvl_nw_decode(row->data.ptr, lvl_nw_row_width(row), cells);
    for (size_t i = 0; i < row->data.len && n < sizeof joined; i++) {
        if (!memchr(" \t\r", row->data.ptr[i], 3))
            joined[n++] = row->data.ptr[i];
    }
    return lvl_nw_decode(joined, lvl_nw_row_width(row), cells);
}

bool lvl_nw_read_row(const lvl_nw_line *line, lvl_nw_row *out)
{
    const lvl_text rest = lvl_nw_behind_word(LVL_NW_BOARD, line->ptr, line->len);
    int32_t value[4]; /* x, y, width, layer */
    bool odd = false;
    lvl_words words;

    lvl_words_split(rest.ptr, rest.len, &words);
    for (unsigned i = 0; i < 4; i++) {
        const bool good =
            words.count >= 5 && lvl_word_int32(words.word[i], &value[i], &odd) && value[i] >= (i == 2);
        if (!good && (words.count < 5 || i != 2))
            return false;
        if (!good)
            value[i] = 0;
    }
    if (value[0] >= LVL_GRAAL_SIDE || value[1] >= LVL_GRAAL_SIDE || value[3] >= LVL_NW_LAYERS)
        return false;
    *out = (lvl_nw_row){.number = words.word[3],
                        .count = words.word[2],
                        .x = (uint32_t)value[0],
                        .y = (uint32_t)value[1],
                        .width = (uint32_t)value[2],
                        .layer = (uint32_t)value[3]};
    find_tiles(&words, out);
    if (!out->width && !is_whole_row(out))
        return false;
    out->plain = words.plain && words.count == 5 && !odd && value[2] <= LVL_GRAAL_SIDE - value[0] &&
                 out->data.len == (size_t)out->width * 2;
    return true;
}

void lvl_nw_put_row(lvl_buffer *out, const lvl_cells *cells, const lvl_nw_row *row)
{
    const uint32_t value[4] = {row->x, row->y, row->width, row->layer};

    lvl_buffer_str(out, "BOARD ");
    for (unsigned i = 0; i < 4; i++) {
        lvl_put_int_word(out, value[i]);
        lvl_buffer_u8(out, ' ');
    }
    if (!lvl_buffer_reserve(out, (size_t)row->width * 2))
        return;
    uint8_t *p = out->data + out->len;
    for (uint32_t i = 0; i < row->width; i++) {
        const uint32_t tile = lvl_cell(cells, row->x + i, row->y);
        *p++ = (uint8_t)alphabet[tile >> 6 & 63];
        *p++ = (uint8_t)alphabet[tile & 63];
    }
    out->len += (size_t)row->width * 2;
}

bool lvl_nw_decode_line(const lvl_nw_line *line, const lvl_graal_layer *layer, uint8_t *cells,
                        lvl_nw_row *row)
{
    if (!lvl_nw_read_row(line, row) || row->layer != layer->number)
        return false;
    lvl_nw_decode_row(row, cells + ((size_t)row->y * LVL_GRAAL_SIDE + row->x) * 2);
    return true;
}

bool lvl_nw_same_cells(const lvl_graal_layer *layer, const uint8_t *cells, uint32_t at, uint32_t count)
{
    for (uint32_t i = at; i < at + count; i++) {
        if (lvl_cell(&layer->tiles, i % LVL_GRAAL_SIDE, i / LVL_GRAAL_SIDE) !=
            ((uint32_t)cells[i * 2] | (uint32_t)cells[i * 2 + 1] << 8))
            return false;
    }
    return true;
}

uint64_t lvl_nw_layer_beyond(const lvl_graal_layer *layer)
{
    const lvl_text lines = layer->lines;
    const lvl_nw_text text = {lines.ptr, lines.len ? lines.ptr + lines.len : lines.ptr, false};
    uint64_t sum = 0;
    lvl_nw_block block;
    lvl_nw_row row;

    for (const char *at = text.ptr; lvl_nw_next_block(&text, &at, &block);) {
        if (block.kind == LVL_NW_BOARD && lvl_nw_read_row(&block.line, &row))
            sum += lvl_nw_row_beyond(&row);
    }
    return sum;
}

bool lvl_nw_keeps_more(const lvl_graal_layer *layer)
{
    const lvl_text lines = layer->lines;
    const lvl_nw_text text = {lines.ptr, lines.len ? lines.ptr + lines.len : lines.ptr, false};
    lvl_nw_block block;

    for (const char *at = text.ptr; lvl_nw_next_block(&text, &at, &block);) {
        const lvl_text lead = {block.lead, (size_t)(block.head - block.lead)};
        for (size_t i = 0; i < lead.len; i++) {
            if (!memchr(" \t\r\n", lead.ptr[i], 4))
                return true;
        }
    }
    return lvl_nw_layer_beyond(layer) != 0;
}

bool lvl_nw_next_row(const lvl_graal_layer *layer, uint32_t x, uint32_t y, lvl_nw_row *out)
{
    const lvl_cells *c = &layer->tiles;

    for (; c->ptr && y < c->height; y++, x = 0) {
        while (x < c->width && lvl_cell(c, x, y) == LVL_GRAAL_ABSENT)
            x++;
        if (x >= c->width)
            continue;
        out->x = x;
        out->y = y;
        out->layer = layer->number;
        while (x < c->width && lvl_cell(c, x, y) != LVL_GRAAL_ABSENT)
            x++;
        out->width = x - out->x;
        return true;
    }
    return false;
}
