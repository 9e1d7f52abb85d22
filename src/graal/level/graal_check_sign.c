/*
 * graal/level/graal_check_sign.c: checks signs: positions, and lines that are wider than the box.
 *
 * The game draws letters by their own widths (most are 11 px in letters.png), not by the 16 px of a cell. In
 * 1482 real binary levels (12950 lines of signs) lines of 336 px or more are rare; lines that fill the box,
 * with an arrow or heart at either end, are 370 px wide; and 12 lines are wider than 384 px (24 tiles), which
 * is assumed to be the width of the box. This also fits text levels.
 */
#include "graal/level/graal_check.h"
#include "graal/level/graal_findings.h"

#include "base/text.h"

enum { BOX = 384, LETTER = 11, BLANK = 8, CELL = 16 };

/* Widths of characters in px; 0: LETTER. */
static const uint8_t letter_widths[256] = {
    ['I'] = 5,  ['i'] = 5,  ['l'] = 5,  ['!'] = 5,  [':'] = 5,  ['|'] = 5,  ['.'] = 7,  [','] = 7,
    ['\''] = 7, ['1'] = 7,  [';'] = 7,  ['j'] = 9,  ['r'] = 9,  ['"'] = 9,  ['M'] = 13, ['T'] = 13,
    ['V'] = 13, ['W'] = 13, ['X'] = 13, ['Y'] = 13, ['m'] = 13, ['v'] = 13, ['w'] = 13, ['x'] = 13,
    ['y'] = 13, ['?'] = 13, ['/'] = 13, ['~'] = 13, ['#'] = 13, ['&'] = 15};
/* Widths of message codes in px; 0: unknown. */
static const uint8_t code_widths[256] = {
    ['x'] = LETTER,   ['y'] = LETTER,   ['z'] = LETTER,   ['.'] = LETTER,   ['u'] = 13,      ['d'] = 13,
    ['l'] = 13,       ['r'] = 13,       ['A'] = 15,       ['B'] = 15,       ['X'] = 15,      ['Y'] = 15,
    ['h'] = 2 * CELL, ['1'] = 2 * CELL, ['2'] = 2 * CELL, ['3'] = 2 * CELL, ['4'] = 2 * CELL};

/* The width of a message code whose letter is at *at; moves *at past it and its parentheses. Names and
 * variables count as 0. There is no closing parenthesis before *open_until, so that each line is searched
 * once. */
static uint32_t width_of_code(lvl_text text, size_t *at, size_t *open_until)
{
    const char c = text.ptr[(*at)++];
    const size_t open = *at;

    if (open < text.len && text.ptr[open] == '(' && open >= *open_until) {
        size_t close = open;
        while (close < text.len && text.ptr[close] != ')' && text.ptr[close] != '\n')
            close++;
        if (close < text.len && text.ptr[close] == ')') {
            *at = close + 1;
            return c == 'K' ? LETTER : 0;
        }
        *open_until = close;
    }
    return code_widths[(uint8_t)c];
}

uint32_t lvl_graal_sign_width(lvl_text text, uint32_t *line)
{
    uint32_t widest = 0, width = 0, blanks = 0, number = 0;
    size_t open_until = 0;

    *line = 0;
    for (size_t i = 0; i < text.len;) {
        const char c = text.ptr[i++];
        uint32_t w;
        if (c == '\n' || (c == '#' && i < text.len && text.ptr[i] == 'b')) {
            number += c == '\n';
            i += c == '#';
            width = blanks = 0;
            continue;
        }
        if (c == ' ') {
            blanks += BLANK; /* blanks at the end of a line do not count */
            continue;
        }
        if (c == '#' && i < text.len && text.ptr[i] != ' ')
            w = width_of_code(text, &i, &open_until);
        else
            w = letter_widths[(uint8_t)c] ? letter_widths[(uint8_t)c] : LETTER;
        if (!w)
            continue;
        width += blanks + w;
        blanks = 0;
        if (width > widest) {
            widest = width;
            *line = number;
        }
    }
    return widest;
}

void lvl_graal_check_signs(const lvl_graal_checker *c)
{
    for (uint32_t i = 0; i < c->level->sign_count; i++) {
        const lvl_graal_sign *s = &c->level->signs[i];
        const lvl_where where = lvl_graal_at(offsetof(lvl_graal, signs), i);
        uint32_t line;
        if (s->x < 0 || s->y < 0 || s->x > LVL_GRAAL_SIDE - 2 || s->y > LVL_GRAAL_SIDE - 1)
            lvl_graal_find(c->findings, LVL_GRAAL_F_SIGN_OFF_BOARD, &where,
                           "the sign at %ld, %ld is not entirely on the board: players may not reach it",
                           (long)s->x, (long)s->y);
        if (!s->text.len)
            lvl_graal_find(c->findings, LVL_GRAAL_F_SIGN_EMPTY, &where,
                           "the sign at %ld, %ld has no text: it shows an empty box", (long)s->x, (long)s->y);
        const uint32_t width = lvl_graal_sign_width(s->text, &line);
        if (width > BOX) {
            const lvl_where text =
                lvl_where_member(where, &lvl_graal_sign_table, offsetof(lvl_graal_sign, text));
            lvl_graal_find(c->findings, LVL_GRAAL_F_SIGN_WIDE, &text,
                           "line %lu is about %lu px wide, the box holds %d: players may not see its end",
                           (unsigned long)line + 1, (unsigned long)width, BOX);
        }
    }
}
