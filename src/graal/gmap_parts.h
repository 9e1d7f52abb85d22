/*
 * graal/gmap_parts.h: what the parts of world maps offer each other. A map's file is lines, each of one kind; reading turns lines into content
 * and their kinds into `order`, writing goes along `order` and back. The writer uses the reading half to prove spelling that it keeps.
 */
#ifndef LVL_GMAP_PARTS_H
#define LVL_GMAP_PARTS_H

#include "base/format.h"

#include <lvl/gmap.h>

/* Kinds of lines. The single keys come in the order in which they are written. */
typedef enum lvl_gmap_kind {
    LVL_GMAP_HEADER,
    LVL_GMAP_WIDTH,
    LVL_GMAP_HEIGHT,
    LVL_GMAP_GENERATED,
    LVL_GMAP_MAP_IMAGE,
    LVL_GMAP_MINIMAP_IMAGE,
    LVL_GMAP_TILESET,
    LVL_GMAP_NO_AUTO_MAPPING,
    LVL_GMAP_LOAD_FULL_MAP,
    LVL_GMAP_LEVEL_HEIGHT,
    LVL_GMAP_LEVEL_CHAOS,
    LVL_GMAP_SINGLES, /* kinds below are at most once in a file */
    /* three of each block: where it begins, a line in it, where it ends */
    LVL_GMAP_NAMES = LVL_GMAP_SINGLES,
    LVL_GMAP_ROW,
    LVL_GMAP_NAMES_END,
    LVL_GMAP_LOAD,
    LVL_GMAP_LOAD_ROW,
    LVL_GMAP_LOAD_END,
    LVL_GMAP_HEIGHTS,
    LVL_GMAP_HEIGHTS_ROW,
    LVL_GMAP_HEIGHTS_END,
    LVL_GMAP_SEEDS,
    LVL_GMAP_SEEDS_ROW,
    LVL_GMAP_SEEDS_END,
    LVL_GMAP_OTHER,
    LVL_GMAP_BLANK,
    LVL_GMAP_LINE, /* in `order` only: one of `lines`, whose kind it says itself */
    LVL_GMAP_KINDS
} lvl_gmap_kind;

enum { LVL_GMAP_BLOCKS = 4, LVL_GMAP_BLANKS = 1 << 20 /* most blank lines that are kept */ };

static inline bool lvl_gmap_in_block(lvl_gmap_kind kind)
{
    return kind >= LVL_GMAP_NAMES && kind < LVL_GMAP_OTHER;
}

/* The kind that begins the block of a kind that lies in one. */
static inline lvl_gmap_kind lvl_gmap_block_of(lvl_gmap_kind kind)
{
    return (lvl_gmap_kind)(kind - (kind - LVL_GMAP_NAMES) % 3);
}

/* ---- lines (gmap_lines.c) ------------------------------------------------------------------------------------------------------ */

typedef struct lvl_gmap_line {
    lvl_text text;  /* without its line end; of a file that ends lines in LF, a CR is a part of it */
    size_t at, end; /* byte offsets of it, and behind its line end */
    bool ended;
} lvl_gmap_line;

/* Takes the next line from `*at` on; false at the end. */
bool lvl_gmap_next_line(lvl_bytes file, bool crlf, size_t *at, lvl_gmap_line *out);
/* Whether all lines of the file end in CRLF. */
bool lvl_gmap_is_crlf(lvl_bytes file, size_t from);
/* "names_end": as in lvl_gmap.order; and the keyword, NULL if the kind has none. */
const char *lvl_gmap_kind_name(lvl_gmap_kind kind);
const char *lvl_gmap_keyword(lvl_gmap_kind kind);

/* Where lines are taken apart. */
typedef struct lvl_gmap_place {
    bool bigmap;
    bool first;          /* no line but blank ones came yet */
    lvl_gmap_kind block; /* the block that is open (its first kind); LVL_GMAP_OTHER: none */
} lvl_gmap_place;

/* A line taken apart. */
typedef struct lvl_gmap_said {
    lvl_gmap_kind kind;
    lvl_text value; /* of a key with a text */
    uint32_t number;
    double real;
    bool known;    /* an OTHER line that begins with a keyword whose value makes no sense */
    bool unclosed; /* its block began while another one was open */
} lvl_gmap_said;

/* What a line is at that place, which moves on. A row isn't looked into. */
lvl_gmap_said lvl_gmap_say(lvl_gmap_place *place, lvl_text line);

/* Walks along the cells of a row. `width`: the map's, which decides whether a comma at the end begins an empty cell. Start with all zero but line
 * and width. */
typedef struct lvl_gmap_cells {
    lvl_text line;
    uint32_t width;
    size_t at; /* of the next cell */
    uint32_t count;
    lvl_text name; /* of the cell just taken, as it stands there */
    bool doubled;  /* "" in it stands for a quote */
    bool open;     /* a quote had no end */
    bool comma;    /* a comma stands before the next cell */
    size_t from;   /* where the cell just taken begins, quotes and blanks included, */
    size_t to;     /* and ends, comma included */
} lvl_gmap_cells;

bool lvl_gmap_next_cell(lvl_gmap_cells *cells);
/* The same for numbers; *bad (may be NULL) is set if one is none. */
bool lvl_gmap_next_number(lvl_text line, size_t *at, double *out, size_t *from, bool *bad);
/* Whether a line of blanks. */
bool lvl_gmap_blank(lvl_text line);

/* Appends lines as our writer puts them, without their ends. */
void lvl_gmap_put_row(lvl_buffer *out, const lvl_gmap_row *row);
void lvl_gmap_put_numbers(lvl_buffer *out, const lvl_gmap_numbers *numbers);
/* One of the single keys, with the size that is to be written. */
void lvl_gmap_put_single(lvl_buffer *out, const lvl_gmap *map, lvl_gmap_kind kind, uint32_t width,
                         uint32_t height);
/* Whether a single key says something beside the default, so that it is written without being asked for. */
bool lvl_gmap_has_single(const lvl_gmap *map, lvl_gmap_kind kind);

/* The size that the content makes. */
uint32_t lvl_gmap_width(const lvl_gmap *map);
uint32_t lvl_gmap_height(const lvl_gmap *map);
/* The usual order of what the map holds, as in lvl_gmap.order. */
void lvl_gmap_usual_order(const lvl_gmap *map, lvl_buffer *out);
/* Appends a kind to an order; `count` times. */
void lvl_gmap_put_order(lvl_buffer *out, lvl_gmap_kind kind, uint32_t count);
/* Takes the next word of an order; false at its end. Words that are none of ours are passed over. */
bool lvl_gmap_next_order(lvl_text order, size_t *at, lvl_gmap_kind *kind, uint32_t *count);

/* ---- parts --------------------------------------------------------------------------------------------------------------------- */

int lvl_gmap_probe(const lvl_probe_input *in);
lvl_status lvl_gmap_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings);
lvl_status lvl_gmap_write(const lvl_doc *doc, lvl_buffer *out);
lvl_status lvl_gmap_derive(lvl_doc *doc, lvl_derived_fn visit, void *user);
uint64_t lvl_gmap_kept(const lvl_doc *doc);
lvl_status lvl_gmap_check(const lvl_doc *doc, const lvl_check_request *request);
lvl_status lvl_gmap_repair(lvl_doc *doc, lvl_repairs *repairs);
lvl_status lvl_gmap_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art);
lvl_status lvl_gmap_convert(const lvl_doc *from, const lvl_form *form, lvl_doc *to, lvl_findings *losses);

extern const lvl_form lvl_gmap_forms[];

/* ---- findings (gmap_findings.c) ------------------------------------------------------------------------------------------------ */

enum {
    /* the reader */
    LVL_GMAP_F_NO_HEADER,
    LVL_GMAP_F_VERSION,
    LVL_GMAP_F_KEY_UNKNOWN,
    LVL_GMAP_F_KEY_DOUBLED,
    LVL_GMAP_F_KEY_VALUE,
    LVL_GMAP_F_BLOCK_OPEN,
    LVL_GMAP_F_BLOCK_NUMBER,
    LVL_GMAP_F_QUOTE_OPEN,
    LVL_GMAP_F_OUTSIDE,
    LVL_GMAP_F_LIMIT,
    /* rules */
    LVL_GMAP_F_NO_SIZE,
    LVL_GMAP_F_SIZE,
    LVL_GMAP_F_EMPTY,
    LVL_GMAP_F_UNEVEN,
    LVL_GMAP_F_DOUBLED,
    LVL_GMAP_F_NAME,
    LVL_GMAP_F_TEXT,
    LVL_GMAP_F_GENERATED,
    /* given a folder */
    LVL_GMAP_F_MISSING,
    LVL_GMAP_F_CASE,
    LVL_GMAP_F_UNREADABLE,
    LVL_GMAP_F_IMAGE,
    LVL_GMAP_F_LINK_ELSEWHERE,
    LVL_GMAP_F_LINK_ONE_WAY,
    /* losses of a conversion */
    LVL_GMAP_F_LOSS_KEY,
    LVL_GMAP_F_LOSS_GENERATED,
    LVL_GMAP_F_COUNT
};

extern const lvl_finding_def lvl_gmap_findings[LVL_GMAP_F_COUNT];

#endif
