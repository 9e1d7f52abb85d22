/*
 * graal/nw_style.c: how the blocks of a text level follow each other: their order, and blank lines between them. Editors differ: the official one writes
 * kind by kind without blank lines; others put a blank line before, or after, each sign, baddy and NPC, and after the last BOARD line. Where a
 * file keeps to such a rule, the rule is noted, and only what breaks it is kept beside the item.
 */
#include "graal/nw_parts.h"

#define BIT(kind) (1U << (kind))

enum {
    BODIES = BIT(LVL_NW_SIGN) | BIT(LVL_NW_BADDY) | BIT(LVL_NW_NPC) | BIT(LVL_NW_HEIGHTS),
    NOBODY = LVL_NW_RULES /* no rule decides */
};

/* The rules that a style has where the file names none. */
static unsigned usual(unsigned style)
{
    return style == LVL_NW_BLANK_BEFORE  ? BODIES
           : style == LVL_NW_BLANK_AFTER ? BODIES | BIT(LVL_NW_BOARD)
                                         : 0;
}

/* The rule that decides on a blank line between two blocks (LVL_NW_KINDS: the head of the file, its end). Commands of one line stand together, which
 * has a rule of its own: that of the kind, and LVL_NW_KINDS more. */
static unsigned rule_for(unsigned style, lvl_nw_kind before, lvl_nw_kind after)
{
    const lvl_nw_kind kind = style == LVL_NW_BLANK_BEFORE  ? after
                             : style == LVL_NW_BLANK_AFTER ? before
                                                           : LVL_NW_KINDS;

    if (kind == LVL_NW_KINDS)
        return NOBODY;
    return before == after && !(BODIES & BIT(kind)) ? (unsigned)kind + LVL_NW_KINDS : (unsigned)kind;
}

bool lvl_nw_is_apart(const lvl_graal *level, lvl_nw_kind before, lvl_nw_kind after)
{
    const unsigned rules = level->blanks ? level->blanks : usual(level->style);
    const unsigned rule = rule_for(level->style, before, after);

    return rule != NOBODY && (rules & BIT(rule));
}

void lvl_nw_see_gap(lvl_nw_gaps *gaps, lvl_nw_kind before, lvl_nw_kind after, const char *from,
                    const char *to, bool crlf)
{
    const size_t len = (size_t)(to - from);
    const bool blank = len == 1 + (size_t)crlf && from[len - 1] == '\n' && (!crlf || *from == '\r');

    if (len && !blank)
        return; /* kept in any case */
    gaps->blanks += blank;
    for (unsigned style = LVL_NW_BLANK_BEFORE; style <= LVL_NW_BLANK_AFTER; style++) {
        const unsigned rule = rule_for(style, before, after);
        if (rule == NOBODY)
            gaps->alien[style] += blank;
        else
            gaps->seen[style][rule][blank]++;
    }
}

void lvl_nw_choose_style(const lvl_nw_gaps *gaps, lvl_graal *level)
{
    enum {
        KEPT = 2 * LVL_NW_RULES
    }; /* a line that is kept weighs more than all rules that aren't the usual ones */
    uint64_t least = (uint64_t)gaps->blanks * KEPT; /* the official style would have to keep each */

    for (unsigned style = LVL_NW_BLANK_BEFORE; style <= LVL_NW_BLANK_AFTER && least; style++) {
        uint64_t odd = gaps->alien[style];
        unsigned set = 0, present = 0;
        for (unsigned rule = 0; rule < LVL_NW_RULES; rule++) {
            const uint32_t *seen = gaps->seen[style][rule];
            if (seen[1] && !seen[0])
                set |= BIT(rule);
            else
                odd += seen[1];
            if (seen[0] || seen[1])
                present |= BIT(rule);
        }
        /* kinds that the file lacks go by the usual; of two styles that keep as much, rather the one that is nearer to its usual rules */
        set |= usual(style) & ~present;
        uint64_t cost = odd * KEPT;
        for (unsigned other = set ^ usual(style); other; other &= other - 1)
            cost++;
        if (cost >= least)
            continue;
        least = cost;
        level->style = (uint8_t)style;
        level->blanks = (uint16_t)(set == usual(style) ? 0 : set);
    }
}

/* ---- order ----------------------------------------------------------------------------------------------------------------------- */

void lvl_nw_add_run(lvl_buffer *order, lvl_nw_kind kind, uint64_t count)
{
    if (order->len)
        lvl_buffer_u8(order, ' ');
    lvl_buffer_str(order, lvl_nw_kind_name(kind));
    if (count > 1) {
        lvl_buffer_u8(order, '*');
        lvl_put_int_word(order, (int64_t)count);
    }
}

bool lvl_nw_next_run(const char **at, const char *end, lvl_nw_kind *kind, uint64_t *count)
{
    while (*at < end) {
        const char *p = *at, *name;
        while (p < end && *p == ' ')
            p++;
        for (name = p; p < end && *p != ' ' && *p != '*'; p++)
            ;
        const lvl_text word = {name, (size_t)(p - name)};
        *count = 1;
        if (p < end && *p == '*') {
            *count = 0;
            for (p++; p < end && *p >= '0' && *p <= '9' && *count < UINT32_MAX; p++)
                *count = *count * 10 + (uint64_t)(*p - '0');
        }
        while (p < end && *p != ' ')
            p++;
        *at = p;
        for (int k = 0; k < LVL_NW_KINDS; k++) {
            if (lvl_text_is(word, lvl_nw_kind_name((lvl_nw_kind)k))) {
                *kind = (lvl_nw_kind)k;
                return true;
            }
        }
    }
    return false;
}
