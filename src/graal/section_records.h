/*
 * graal/section_records.h: the records of a binary level's sections, each a line, both ways. None of these
 * take the line's end.
 *
 *     link   name x y width height dest_x dest_y    words separated by blanks; the name may hold some, so the
 *                                                   last six come first
 *     baddy  x y type attack\hurt\win               three bytes; no texts up to Z3-V1.03, either way in
 *                                                   Z3-V1.04
 *     npc    x y image#script                       two bytes, each + 32; a byte 0xA7 ends a line of the
 *                                                   script
 *     chest  x y item sign                          four bytes, each + 32; no sign is -1
 *     sign   x y cells                              two bytes, each + 32
 */
#ifndef LVL_GRAAL_LINES_H
#define LVL_GRAAL_LINES_H

#include <lvl/graal.h>

enum { LVL_PLACE = 32 };

/* What reading a line finds besides its content. */
enum {
    LVL_LINE_NONE = 1, /* the line is no record of its section; the record is then of no use */
    LVL_LINE_BAD = 2   /* it is not what its section says; the content is what could be read */
};

/* Where a line's parts are, separators included: they follow each other without a gap. */
typedef struct lvl_line_parts {
    unsigned count;
    struct {
        size_t member; /* offset in the record's struct */
        size_t from, len;
    } list[8];
} lvl_line_parts;

/* The sections, in the order of the file. */
enum { LVL_LINKS, LVL_BADDIES, LVL_NPCS, LVL_CHESTS, LVL_SIGNS, LVL_SECTIONS };

enum { LVL_BADDY_LEAST = 3 /* bytes of a baddy, whose line end is looked for behind them */ };

/* What the sections have in common. */
typedef struct lvl_section_kind {
    size_t list;                      /* member of lvl_graal */
    const lvl_table *table;           /* of a record */
    const struct lvl_column *columns; /* how its members stand in the line */
    unsigned column_count;
    unsigned since;       /* the first version whose files have the section */
    unsigned least;       /* bytes of the shortest record */
    const char *name;     /* "links" */
    const char *end;      /* its end mark */
    const char *end_note; /* what that is called; NULL: it has none */
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

/* Fills a record of the section that is all zeros. Texts are views of the line, or of `*room`, which moves
 * on: lvl_section_room bytes. `parts` may be NULL. Returns LVL_LINE_…. */
unsigned lvl_section_parse(int section, lvl_text line, unsigned version, char **room, void *record,
                           lvl_line_parts *parts);
size_t lvl_section_room(int section, lvl_text line);
/* Appends the line of a record. Returns NULL, or in a few words why that version cannot represent it; static,
 * and what was appended is then of no use. */
const char *lvl_section_put(int section, unsigned version, const void *record, lvl_buffer *out);
/* Brings numbers that a line cannot represent to the nearest that it can. */
typedef void (*lvl_fit_fn)(void *user, const lvl_field *field, double was, double is);
void lvl_section_fit(int section, void *record, lvl_fit_fn changed, void *user);
/* The line of a section at `*at`, which moves behind it; false if the bytes end before a line end. */
bool lvl_section_line(int section, lvl_text in, size_t *at, lvl_text *line);
/* Whether a line is the mark that ends a section (not of signs: those end with the file). */
bool lvl_line_ends(int section, lvl_text line);

/* The word HEIGHTS, the reals in rows of nine, HEIGHTSEND: whole lines; nothing for none. Returns as
 * lvl_section_put. */
const char *lvl_heights_put(lvl_buffer *out, const double *heights, uint32_t count);
/* Reals between commas, blanks and line ends, up to a word that is no number: how many there are, of which
 * `out` gets the first `max`. */
uint32_t lvl_heights_parse(lvl_text body, double *out, uint32_t max);

#endif
