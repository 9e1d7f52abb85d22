/*
 * graal/level/graal_early.c: see graal_early.h.
 */
#include "graal/level/graal_early.h"

#include <string.h>

/* A line `x y # sign` is a chest of bombs or an NPC with a script of one byte: on the board it is a chest. */
static bool is_chest_like(lvl_text line, bool *on_board)
{
    const uint8_t x = line.len == 4 ? (uint8_t)line.ptr[0] : 0, y = line.len == 4 ? (uint8_t)line.ptr[1] : 0;

    *on_board =
        x >= LVL_PLACE && x < LVL_PLACE + LVL_GRAAL_SIDE && y >= LVL_PLACE && y < LVL_PLACE + LVL_GRAAL_SIDE;
    return line.len == 4 && line.ptr[2] == '#';
}

/* Whether a line cannot be a record of its section. Any text may be a sign, except end marks. */
static bool is_bad(const lvl_section_lines *lines, int section, lvl_text line)
{
    lvl_section_record record;
    bool on_board;

    memset(&record, 0, sizeof record);
    switch (section) {
    case LVL_LINKS:
    case LVL_BADDIES: return lvl_section_parse(lines, section, line, NULL, &record, NULL) != 0;
    case LVL_NPCS:
        return line.len < 2 || !memchr(line.ptr + 2, '#', line.len - 2) ||
               (is_chest_like(line, &on_board) && on_board);
    case LVL_CHESTS:
        return lvl_section_parse(lines, section, line, NULL, &record, NULL) ||
               (is_chest_like(line, &on_board) && !on_board);
    default:
        return lvl_line_ends(LVL_NPCS, line) ||
               (line.len == LVL_BADDY_LEAST && lvl_line_ends(LVL_BADDIES, line));
    }
}

/* Counts bad lines and missing end marks as if the mark of section `without` were absent. `marks` gets the
 * marks. */
static size_t count_bad(const lvl_section_lines *lines, lvl_text in, size_t at, int without,
                        lvl_graal_early *marks)
{
    const unsigned version = lines->version;
    size_t bad = 0;

    for (int i = 0; i < LVL_SECTIONS; i++) {
        const bool heights = i == LVL_SIGNS && version >= LVL_GR_V1_04;
        bool ended = version < lvl_sections[i].since || i == LVL_SIGNS;
        bool skip = i == without;
        lvl_text line;

        marks[i] = (lvl_graal_early){i, at, at};
        while (version >= lvl_sections[i].since && at < in.len) {
            const size_t from = at;
            lvl_section_line(i, in, &at, &line);
            if (heights && lvl_text_is(line, "HEIGHTS"))
                break;
            if (!lvl_line_ends(i, line)) {
                bad += is_bad(lines, i, line);
                continue;
            }
            if (!skip) {
                marks[i] = (lvl_graal_early){i, from, at};
                ended = true;
                break;
            }
            skip = false;
        }
        bad += !ended;
    }
    return bad;
}

bool lvl_graal_find_early(const lvl_section_lines *lines, lvl_text file, size_t at, lvl_graal_early *out)
{
    lvl_graal_early marks[LVL_SECTIONS], other[LVL_SECTIONS];
    bool found = false;

    if (!count_bad(lines, file, at, -1, marks))
        return false;
    for (int i = 0; i < LVL_SIGNS; i++) {
        if (marks[i].to == marks[i].from || count_bad(lines, file, at, i, other))
            continue;
        /* if there are two equal marks in a row, dropping either gives the same bytes */
        if (found && (marks[i].from != out->to || marks[i].to - marks[i].from != out->to - out->from))
            return false;
        *out = marks[i];
        found = true;
    }
    return found;
}
