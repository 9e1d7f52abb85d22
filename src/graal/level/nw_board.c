/*
 * graal/level/nw_board.c: BOARD lines: `BOARD x y width layer` and two characters a tile, the upper six
 * bits first, from the alphabet A–Z a–z 0–9 + /.
 */
#include "graal/level/nw_internal.h"

#include "base/cursor.h"
#include "base/buffer.h"
#include "codec/json.h"

enum { NO_BITS = 0x80, SIDE = LVL_GRAAL_SIDE };

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* The six bits of a character; NO_BITS or more: not in the alphabet. */
static inline uint8_t bits_of(uint8_t c)
{
    enum { NO = NO_BITS, LAST = 127 };
    /* clang-format off */
    static const uint8_t bits[128] = {
        NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
        NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
        NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 62, NO, NO, NO, 63,
        52, 53, 54, 55, 56, 57, 58, 59, 60, 61, NO, NO, NO, NO, NO, NO,
        NO, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
        15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, NO, NO, NO, NO, NO,
        NO, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40,
        41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, NO, NO, NO, NO, NO,
    };
    /* clang-format on */

    return (uint8_t)(bits[c & LAST] | (c & ~LAST));
}

bool lvl_nw_decode(const char *data, size_t count, uint8_t *cells)
{
    const uint8_t *p = (const uint8_t *)data, *const end = p + count * 2;
    bool good = true;

    for (; p < end; p += 2, cells += 2) {
        const uint8_t high = bits_of(p[0]), low = bits_of(p[1]);
        if ((high | low) < NO_BITS)
            lvl_store_u16le(cells, (uint16_t)(high << 6 | low));
        else
            good = false;
    }
    return good;
}

/* ---- reading ------------------------------------------------------------------------------------- */

/* The numbers of a BOARD line and the characters of its tiles. */
typedef struct board_line {
    int32_t declared; /* number of tiles; 0: the word is not a number */
    size_t chars; /* characters of the tiles, without blanks between them */
    size_t after; /* characters after the tiles */
} board_line;

/* The text from the start of the first word to the end of the last. */
static lvl_text join_words(const lvl_text *first, const lvl_text *last)
{
    return (lvl_text){first->ptr, (size_t)(last->ptr + last->len - first->ptr)};
}

/* The tiles are the fifth word; all words from there on if blanks split the tiles. */
static void find_tiles(const lvl_words *words, board_line *line, lvl_grid_line *out)
{
    const lvl_text *first = &words->word[4], *last = &words->word[words->count - 1];
    size_t chars = 0;

    out->text = *first;
    line->chars = first->len;
    line->after = last > first ? join_words(first + 1, last).len : 0;
    for (const lvl_text *word = first; word <= last; word++)
        chars += word->len;
    if (last == first || words->count == LVL_WORDS || line->declared > (int32_t)(SIDE - out->x) ||
        chars != (size_t)line->declared * 2)
        return;
    out->text = join_words(first, last);
    line->chars = chars;
    line->after = 0;
}

static unsigned problems_of(const board_line *line, const lvl_grid_line *out)
{
    const uint64_t given = line->chars / 2, declared = (uint64_t)line->declared;
    unsigned problems = 0;

    if (given < declared || out->text.len != line->chars)
        problems |= 1U << LVL_LINE_CELLS;
    else if (out->width > declared)
        problems |= 1U << LVL_LINE_HIDES;
    if (line->after || given > out->width)
        problems |= 1U << LVL_LINE_BEYOND;
    else if (declared > SIDE - out->x || (out->width == declared && line->chars % 2))
        problems |= 1U << LVL_LINE_LONG;
    return problems;
}

static bool parse(lvl_text rest, lvl_grid_line *out)
{
    int32_t value[4]; /* x, y, width, layer */
    board_line line;
    lvl_words words;

    lvl_words_split(rest.ptr, rest.len, &words);
    if (words.count < 5)
        return false;
    for (unsigned i = 0; i < 4; i++) {
        const bool good = lvl_word_int32(words.word[i], &value[i]) && value[i] >= (i == 2);
        if (!good && i != 2)
            return false;
        value[i] = good ? value[i] : 0;
    }
    if (value[0] >= SIDE || value[1] >= SIDE || value[3] >= LVL_GRIDS)
        return false;
    *out = (lvl_grid_line){.number = (uint32_t)value[3],
                           .x = (uint32_t)value[0],
                           .y = (uint32_t)value[1],
                           .number_text = words.word[3]};
    line.declared = value[2];
    find_tiles(&words, &line, out);
    const uint32_t space = SIDE - out->x;
    out->width = line.chars / 2 < space ? (uint32_t)(line.chars / 2) : space;
    out->problems = problems_of(&line, out);
    if (!out->width)
        return false;
    uint8_t cells[SIDE * 2];
    /* without a width, it is a row only if it reaches the edge of the board */
    return line.declared ||
           (!line.after && line.chars == (size_t)space * 2 && lvl_nw_decode(out->text.ptr, space, cells));
}

/* The length of "BOARD 0 y 64 0 "; 0: the text does not begin with it. */
static size_t usual_head(const char *at, uint32_t y)
{
    const size_t digits = 1 + (y > 9);
    const char *number = at + 8, *after = number + digits;

    if (memcmp(at, "BOARD 0 ", 8) != 0 || after[-1] != (char)('0' + y % 10) ||
        (y > 9 && *number != (char)('0' + y / 10)) || memcmp(after, " 64 ", 4) != 0 || after[4] != '0' ||
        after[5] != ' ')
        return 0;
    return (size_t)(after + 6 - at);
}

/* Fast path: a line as all programs write it (bench/twins.py measures what it saves). */
static const char *read_row(const lvl_lines_text *text, const char *at, uint32_t y, uint8_t *cells)
{
    enum { HEAD = 16, TILES = SIDE * 2 }; /* the most characters before the tiles; those of the tiles */
    const size_t line_end = 1 + text->crlf, head = text->end - at >= HEAD + TILES + 2 ? usual_head(at, y) : 0;
    const char *end = at + head + TILES;

    if (!head || end[line_end - 1] != '\n' || (text->crlf && *end != '\r') ||
        !lvl_nw_decode(at + head, SIDE, cells))
        return at;
    return end + line_end;
}

/* Decodes tiles separated by blanks, or with more characters than fit. */
static bool decode_spaced(const lvl_grid_line *line, uint8_t *cells)
{
    char joined[SIDE * 2] = {0};
    size_t n = 0;

    for (size_t i = 0; i < line->text.len && n < sizeof joined; i++) {
        if (!memchr(" \t\r", line->text.ptr[i], 3))
            joined[n++] = line->text.ptr[i];
    }
    return lvl_nw_decode(joined, line->width, cells);
}

static bool decode(const lvl_grid_line *line, uint8_t *cells)
{
    return line->text.len == (size_t)line->width * 2 ? lvl_nw_decode(line->text.ptr, line->width, cells)
                                                     : decode_spaced(line, cells);
}

/* ---- writing ------------------------------------------------------------------------------------- */

static void put_row(const lvl_grid_line *line, const lvl_cells *cells, lvl_buffer *out)
{
    const uint32_t values[] = {line->x, line->y, line->width, line->number};

    for (unsigned i = 0; i < LVL_COUNT_OF(values); i++) {
        lvl_buffer_u8(out, ' ');
        lvl_json_int(out, values[i]);
    }
    lvl_buffer_u8(out, ' ');
    for (uint32_t i = 0; i < line->width; i++) {
        const uint32_t tile = lvl_cell(cells, line->x + i, line->y);
        lvl_buffer_u8(out, (uint8_t)alphabet[tile >> 6 & 63]);
        lvl_buffer_u8(out, (uint8_t)alphabet[tile & 63]);
    }
}

const lvl_line_grid lvl_nw_grid = {
    .number = offsetof(lvl_graal_layer, number),
    .cells = offsetof(lvl_graal_layer, tiles),
    .side = SIDE,
    .parse = parse,
    .read_row = read_row,
    .decode = decode,
    .put = put_row,
};
