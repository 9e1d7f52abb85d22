/*
 * graal/level/section_records.h: the records of a binary level's sections, each a line, read and written. The
 * line end is no part of a record.
 *
 *     link   level x y width height dest_x dest_y   words; the level's name may contain blanks
 *     baddy  x y type attack\hurt\win               three bytes; no texts up to Z3-V1.03, optional ones in
 *                                                   Z3-V1.04
 *     npc    x y image#script                       two bytes, each + 32; a byte 0xA7 is a line end of the
 *                                                   script
 *     chest  x y item sign                          four bytes, each + 32; sign -1: none
 *     sign   x y text                               two bytes, each + 32; the text in cells (graal_signs.h)
 */
#ifndef LVL_GRAAL_SECTION_RECORDS_H
#define LVL_GRAAL_SECTION_RECORDS_H

#include "codec/words.h"

#include <lvl/graal.h>

enum { LVL_PLACE = 32 };

/* What is wrong with a line. */
enum {
    LVL_LINE_NONE = 1, /* it is no record of its section; the content of the record is undefined */
    LVL_LINE_BAD = 2 /* only a part of it could be read */
};

/* The parts of a line, separators included: they follow each other without a gap. */
typedef struct lvl_line_parts {
    unsigned count;
    struct {
        size_t member; /* offset in the record's struct */
        size_t from, len;
    } list[8];
} lvl_line_parts;

/* The sections, in the order of the file. */
enum { LVL_LINKS, LVL_BADDIES, LVL_NPCS, LVL_CHESTS, LVL_SIGNS, LVL_SECTIONS };

enum { LVL_BADDY_LEAST = 3 /* bytes of a baddy without texts; one of them may equal a line end */ };

/* What is common to all sections. */
typedef struct lvl_section_kind {
    size_t list; /* offset in lvl_graal */
    const lvl_table *table; /* of a record */
    const struct lvl_column *columns; /* the members of a record in its line; NULL: they are words */
    unsigned column_count;
    unsigned since; /* the first version whose files have the section */
    unsigned least; /* bytes of the shortest record */
    const char *name; /* "links" */
    const char *end; /* its end mark */
    const char *end_note; /* description of the end mark; NULL: it has none */
} lvl_section_kind;

extern const lvl_section_kind lvl_sections[LVL_SECTIONS];

/* A record of any section. */
typedef union lvl_section_record {
    lvl_graal_link link;
    lvl_graal_baddy baddy;
    lvl_graal_npc npc;
    lvl_graal_chest chest;
    lvl_graal_sign sign;
} lvl_section_record;

/* The lines of a version's records. */
typedef struct lvl_section_lines {
    unsigned version;
    lvl_line_form link;
} lvl_section_lines;

void lvl_section_lines_init(lvl_section_lines *lines, unsigned version);

/* Fills a record that is all zeros. Texts are views of the line, or of `*room`, which has at least
 * lvl_section_room bytes and moves behind those used. `parts` may be NULL. Returns LVL_LINE_…, 0: nothing is
 * wrong. */
unsigned lvl_section_parse(const lvl_section_lines *lines, int section, lvl_text line, char **room,
                           void *record, lvl_line_parts *parts);
size_t lvl_section_room(int section, lvl_text line);
/* Appends the line of a record. Returns NULL, or what the version cannot represent, in static storage; the
 * appended bytes are then undefined. */
const char *lvl_section_put(const lvl_section_lines *lines, int section, const void *record, lvl_buffer *out);
/* Spells the line of a record, which begins at `from` and ends `out`, as the line `old` of the file: words
 * and columns whose content is the same keep their bytes. */
void lvl_section_respell(const lvl_section_lines *lines, int section, lvl_text old, const void *record,
                         size_t from, lvl_buffer *out);
/* Sets each number that a line cannot represent to the nearest one that it can. */
typedef void (*lvl_fit_fn)(void *user, const lvl_field *field, double was, double is);
void lvl_section_fit(int section, void *record, lvl_fit_fn changed, void *user);
/* The line of a section at `*at`, which moves behind it; false if its line end is missing. */
bool lvl_section_line(int section, lvl_text in, size_t *at, lvl_text *line);
/* Whether a line is the mark that ends a section. Signs have none: they end with the file. */
bool lvl_line_ends(int section, lvl_text line);

/* Appends the heights: a line HEIGHTS, rows of nine numbers, a line HEIGHTSEND; nothing for none. Returns as
 * lvl_section_put. */
const char *lvl_heights_put(lvl_buffer *out, const double *heights, uint32_t count);
/* Reads numbers between commas, blanks and line ends, up to the first word that is none. Returns their count;
 * `out` gets the first `max`. */
uint32_t lvl_heights_parse(lvl_text body, double *out, uint32_t max);

#endif
