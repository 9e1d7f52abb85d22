/*
 * graal/level/section_records.h: reads and writes the records of a binary level's sections. Each is a line,
 * without its line break.
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

#include "lines/words.h"

#include <lvl/graal.h>

enum { LVL_PLACE = 32 };

/* What is wrong with a line. */
enum {
    LVL_LINE_NONE = 1, /* not a record of its section; the content of the record is undefined */
    LVL_LINE_BAD = 2 /* only a part of it could be read */
};

/* The parts of a line, including separators, without gaps. */
typedef struct lvl_line_parts {
    unsigned count;
    struct {
        size_t member; /* offset in the record's struct */
        size_t from, len;
    } list[8];
} lvl_line_parts;

/* The sections, in the order of the file. */
enum { LVL_LINKS, LVL_BADDIES, LVL_NPCS, LVL_CHESTS, LVL_SIGNS, LVL_SECTIONS };

enum { LVL_BADDY_LEAST = 3 /* bytes of a baddy without texts; one of them may equal a line feed */ };

/* The properties of a section. */
typedef struct lvl_section_kind {
    size_t list; /* offset in lvl_graal */
    const lvl_table *table; /* table of a record */
    const struct lvl_column *columns; /* the members in a record's line; NULL: they are words */
    unsigned column_count;
    unsigned since; /* the first version whose files have the section */
    unsigned least; /* size of the shortest record */
    const char *name; /* "links" */
    const char *end; /* its end mark */
    const char *end_note; /* description of the end mark; NULL: there is none */
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

/* How a version writes its records. */
typedef struct lvl_section_lines {
    unsigned version;
    lvl_line_form link;
} lvl_section_lines;

void lvl_section_lines_init(lvl_section_lines *lines, unsigned version);

/* Fills a zeroed record. Texts are views of the line, or of `*storage`, which has at least
 * lvl_section_text_size bytes and is moved past the used ones. `parts` may be NULL. Returns LVL_LINE_…; 0: no
 * problem. */
unsigned lvl_section_parse(const lvl_section_lines *lines, int section, lvl_text line, char **storage,
                           void *record, lvl_line_parts *parts);
size_t lvl_section_text_size(int section, lvl_text line);
/* Appends the line of a record. Returns NULL, or what the version cannot represent, in static storage; the
 * appended bytes are then undefined. */
const char *lvl_section_put(const lvl_section_lines *lines, int section, const void *record, lvl_buffer *out);
/* Rewrites the line of a record, which is at the end of `out` from offset `from`, so that words and columns
 * with the same content as in `old`, the line in the file, keep their bytes. */
void lvl_section_respell(const lvl_section_lines *lines, int section, lvl_text old, const void *record,
                         size_t from, lvl_buffer *out);
/* Sets each number that a line cannot represent to the nearest possible one. */
typedef void (*lvl_fit_fn)(void *user, const lvl_field *field, double was, double is);
void lvl_section_fit(int section, void *record, lvl_fit_fn changed, void *user);
/* Takes the line of a section at `*at`, and moves that past it; false if its line break is missing. */
bool lvl_section_line(int section, lvl_text in, size_t *at, lvl_text *line);
/* Whether a line is the mark that ends a section. Signs have none: they end with the file. */
bool lvl_line_ends(int section, lvl_text line);

/* Appends the heights, if there are any: a line HEIGHTS, rows of nine numbers, a line HEIGHTSEND. Returns the
 * same as lvl_section_put. */
const char *lvl_heights_put(lvl_buffer *out, const double *heights, uint32_t count);
/* Reads numbers separated by commas, blanks and line breaks, up to the first word that is not a number,
 * which begins at *end. Returns their count; `out` gets the first `max`. */
uint32_t lvl_heights_parse(lvl_text body, double *out, uint32_t max, size_t *end);

#endif
