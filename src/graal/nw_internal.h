/*
 * graal/nw_internal.h: what reading and writing of text levels share: lines, words and numbers; blocks (a
 * command's line, or its lines up to their end line); and the items that blocks stand for, in both
 * directions. The writer uses the reading half to prove spelling that it keeps.
 */
#ifndef LVL_NW_PARTS_H
#define LVL_NW_PARTS_H

#include "codec/grammar.h"
#include "graal/graal_level.h"

#include <string.h>

/* Kinds of blocks, in the order in which the official editor writes them. */
typedef enum lvl_nw_kind {
    LVL_NW_BOARD,
    LVL_NW_LINK,
    LVL_NW_SIGN,
    LVL_NW_BADDY,
    LVL_NW_CHEST,
    LVL_NW_NPC,
    LVL_NW_HEIGHTS,
    LVL_NW_TILESET,
    LVL_NW_KINDS
} lvl_nw_kind;

/* ---- lines (nw_scan.c) --------------------------------------------------------------------------- */

/* A stretch of text whose lines end in LF, or in CRLF. In an LF text a CR is a character. */
typedef struct lvl_nw_text {
    const char *ptr, *end;
    bool crlf;
} lvl_nw_text;

typedef struct lvl_nw_line {
    const char *ptr;
    size_t len;       /* without its line end */
    const char *next; /* behind its line end */
    bool own;         /* ends as the text's lines do, or with the text */
} lvl_nw_line;

static inline lvl_nw_line lvl_nw_line_at(const lvl_nw_text *t, const char *p)
{
    const char *nl = memchr(p, '\n', (size_t)(t->end - p));
    lvl_nw_line line = {p, (size_t)((nl ? nl : t->end) - p), nl ? nl + 1 : t->end, true};

    if (t->crlf && nl) {
        line.own = line.len && p[line.len - 1] == '\r';
        line.len -= line.own;
    }
    return line;
}

/* Whether a line is that word, but for blanks behind it. */
bool lvl_nw_is_end(const lvl_nw_line *line, const char *word);

/* ---- blocks (nw_scan.c) ------------------------------------------------------------------------------ */

typedef struct lvl_nw_block {
    lvl_nw_kind kind;
    bool closed;       /* its end line is there; always so for commands of one line */
    bool usual_end;    /* … and is spelled and ended as usual */
    const char *lead;  /* the lines before it that are no command: from here to `head` */
    const char *head;  /* its first line */
    const char *body;  /* behind that line */
    const char *close; /* its end line; the text's end without one; `body` for commands of one line */
    const char *end;   /* behind its last line */
    lvl_nw_line line;  /* its first line */
} lvl_nw_block;

/* The members on a kind's first line, as codec/words.h has them; NULL: none. */
const char *lvl_nw_words_of(lvl_nw_kind kind);
/* How many words have to follow that word; the description above has as many outside of brackets. */
unsigned lvl_nw_required(lvl_nw_kind kind);
/* What is behind the word that a kind's first line begins with. */
lvl_text lvl_nw_behind_word(lvl_nw_kind kind, const char *line, size_t len);
/* The word that a kind's first line begins with ("NPC"). */
const char *lvl_nw_kind_word(lvl_nw_kind kind);
/* The end line of a kind ("NPCEND"), or NULL. */
const char *lvl_nw_end_word(lvl_nw_kind kind);
/* "npc": as in lvl_graal.order. */
const char *lvl_nw_kind_name(lvl_nw_kind kind);
/* The next block from `*at` on, which moves behind it; false at the end of the text: then only lines that are
 * no command are left from block->lead on. */
bool lvl_nw_next_block(const lvl_nw_text *text, const char **at, lvl_nw_block *block);
/* Whether the line begins with a command that is whole: enough words, numbers where they have to be. */
bool lvl_nw_is_command(const lvl_nw_line *line, lvl_nw_kind *kind);
/* Whether a line inside of a text is a whole command, as where the end line before it is missing. */
bool lvl_nw_is_swallowed(const lvl_nw_line *line, lvl_nw_kind *kind);
/* nw_repair.c: copies the lines of a file and ends texts before whole commands that they swallow, so that
 * these are read as what they are. Appends nothing if there are none. */
lvl_status lvl_nw_end_texts(lvl_bytes file, lvl_buffer *out, lvl_findings *log);
/* Whether it begins with a command's word at least. */
bool lvl_nw_is_command_word(const lvl_nw_line *line, lvl_nw_kind *kind);

/* ---- the order of kinds (nw_scan.c) ----------------------------------------------------------------- */

/* Appends "npc*3" to an order. */
void lvl_nw_add_run(lvl_buffer *order, lvl_nw_kind kind, uint64_t count);
/* The next run of an order; false at its end. Words that are no kind are skipped. */
bool lvl_nw_next_run(const char **at, const char *end, lvl_nw_kind *kind, uint64_t *count);

/* ---- tiles (nw_board.c) ------------------------------------------------------------------------------ */

/* A BOARD line: `width` tiles from x, y on. */
typedef struct lvl_nw_row {
    lvl_text number; /* the word that is the layer */
    lvl_text count;  /* the word that is the width */
    uint32_t x, y, width, layer;
    lvl_text data; /* from the first tile to the last one */
    size_t chars;  /* of data: without the blanks that split it */
    size_t behind; /* characters behind data */
    bool plain;    /* as our writer would put a line with these numbers */
} lvl_nw_row;

enum { LVL_NW_LAYERS = 256 }; /* numbers of layers are below that */

/* Takes a BOARD line apart; false if the game would have no use for it. */
bool lvl_nw_read_row(const lvl_nw_line *line, lvl_nw_row *out);
/* Decodes `count` tiles of two characters each into cells of two bytes; false if a character is none of the
 * 64: its tile is then left as it was. */
bool lvl_nw_decode(const char *data, size_t count, uint8_t *cells);
/* Decodes the lvl_nw_row_width tiles of a BOARD line. */
bool lvl_nw_decode_row(const lvl_nw_row *row, uint8_t *cells);
/* The tiles that a BOARD line gives: all that it has and the board has room for, whatever it counts. */
static inline uint32_t lvl_nw_row_width(const lvl_nw_row *row)
{
    const uint32_t room = LVL_GRAAL_SIDE - row->x;

    return row->chars / 2 < room ? (uint32_t)(row->chars / 2) : room;
}
/* The cells of the board that a BOARD line takes: as many as it counts or gives, whichever is more. */
static inline uint32_t lvl_nw_row_span(const lvl_nw_row *row)
{
    const uint32_t room = LVL_GRAAL_SIDE - row->x, said = row->width < room ? row->width : room;
    const uint32_t given = lvl_nw_row_width(row);

    return given > said ? given : said;
}

/* Tiles that a BOARD line has beyond the board's edge; characters behind its tiles count as tiles, too. */
static inline uint64_t lvl_nw_row_beyond(const lvl_nw_row *row)
{
    return row->chars / 2 - lvl_nw_row_width(row) + (row->behind + 1) / 2;
}
/* The same for all kept lines of a layer. */
uint64_t lvl_nw_layer_beyond(const lvl_graal_layer *layer);
/* Whether the kept lines of a layer have such tiles, or other lines between them that are not blank. */
bool lvl_nw_keeps_more(const lvl_graal_layer *layer);
/* Decodes a BOARD line into the cells of a board; false if it is no line of that layer. */
bool lvl_nw_decode_line(const lvl_nw_line *line, const lvl_graal_layer *layer, uint8_t *cells,
                        lvl_nw_row *row);
/* Whether `count` cells from number `at` on are the layer's. */
bool lvl_nw_same_cells(const lvl_graal_layer *layer, const uint8_t *cells, uint32_t at, uint32_t count);

/* Appends a BOARD line. */
void lvl_nw_put_row(lvl_buffer *out, const lvl_cells *cells, const lvl_nw_row *row);
/* The next row that our writer would write of a layer, from x, y on; false if none is left. */
bool lvl_nw_next_row(const lvl_graal_layer *layer, uint32_t x, uint32_t y, lvl_nw_row *out);

/* ---- items (nw_items.c) ------------------------------------------------------------------------------ */

enum { /* what is wrong with a block */
       LVL_NW_BAD_NUMBER = 1,
       LVL_NW_FEW_WORDS = 2,
       LVL_NW_MORE_WORDS = 4,
       LVL_NW_UNKNOWN_NAME = 8,
       LVL_NW_MORE_LINES = 16
};

/* The lines of kinds, compiled when they are first needed: codec/words.h. */
typedef struct lvl_nw_forms {
    lvl_line_form form[LVL_NW_KINDS];
    bool ready[LVL_NW_KINDS];
} lvl_nw_forms;

typedef struct lvl_nw_parse {
    lvl_arena *arena; /* for texts that can't be views of the input */
    lvl_nw_forms *forms;
    bool crlf;
    unsigned problems;
    bool canonical; /* the block is surely as our writer would put it; if not, it may be so yet */
} lvl_nw_parse;

/* Fills a fresh item (its members have their defaults) from a block. Memory is all that can go wrong. */
lvl_status lvl_nw_read_item(lvl_nw_parse *p, const lvl_nw_block *block, void *item);
/* Heights go into `values`, up to LVL_GRAAL_HEIGHTS of them. */
void lvl_nw_read_heights(lvl_nw_parse *p, const lvl_nw_block *block, double *values, uint32_t *count);
/* Appends the block of an item as our writer puts it. */
void lvl_nw_put_item(lvl_buffer *out, lvl_nw_forms *forms, lvl_nw_kind kind, const void *item, bool crlf);
/* Only its first line, without a line end; and all behind that. */
void lvl_nw_put_head(lvl_buffer *out, lvl_nw_forms *forms, lvl_nw_kind kind, const void *item);
void lvl_nw_put_rest(lvl_buffer *out, lvl_nw_kind kind, const void *item, bool crlf);
/* All behind the first line of heights. */
void lvl_nw_put_heights(lvl_buffer *out, const double *values, uint32_t count, bool crlf);
static inline void lvl_nw_put_line_end(lvl_buffer *out, bool crlf)
{
    lvl_buffer_add(out, crlf ? "\r\n" : "\n", crlf ? 2 : 1);
}

/* A kind's list of items: how to reach them without a switch for each. */
typedef struct lvl_nw_list {
    const lvl_table *table; /* NULL: BOARD, HEIGHTS */
    size_t items, count;    /* offsets in lvl_graal */
    size_t size;
    size_t before, line; /* offsets in an item */
} lvl_nw_list;

extern const lvl_nw_list lvl_nw_lists[LVL_NW_KINDS];

static inline uint32_t lvl_nw_count(const lvl_graal *level, lvl_nw_kind kind)
{
    uint32_t n;

    memcpy(&n, (const uint8_t *)level + lvl_nw_lists[kind].count, sizeof n);
    return n;
}

static inline uint8_t *lvl_nw_items(const lvl_graal *level, lvl_nw_kind kind)
{
    uint8_t *p;

    memcpy(&p, (const uint8_t *)level + lvl_nw_lists[kind].items, sizeof p);
    return p;
}

/* ---- spans (nw_tell.c) ------------------------------------------------------------------------------- */

/* Tell the sink what each byte is: of the mark and the first line, of a block with the lines before it
 * (`index` is the item's, or the layer's), and of lines that are no command, which are kept in `field` of the
 * root. `file` is where the file begins. */
void lvl_nw_emit_head(lvl_sink *sink, const char *file, const char *head, const char *second);
void lvl_nw_emit_block(lvl_sink *sink, const char *file, const lvl_nw_block *block, uint32_t index,
                       bool crlf);
void lvl_nw_emit_lines(lvl_sink *sink, const char *file, const char *from, const char *to,
                       const lvl_field *field);

#endif
