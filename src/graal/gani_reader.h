/*
 * graal/gani_reader.h: what the files of the reader of animations share: gani_read.c reads the definitions,
 * gani_read_frames.c what ANI begins, gani_read_movie.c what MOVIE begins.
 */
#ifndef LVL_GANI_READER_H
#define LVL_GANI_READER_H

#include "base/format.h"
#include "graal/gani_findings.h"
#include "graal/gani_order.h"

typedef struct gani_reader {
    lvl_doc *doc;
    lvl_gani *g;
    lvl_sink *sink;
    lvl_findings *findings;
    const char *start, *limit; /* the input */
    const char *at;            /* of the next line */
    const char *pending;       /* where lines begin that hang on what comes next; NULL: none do */
    unsigned style;            /* GANI_COLUMNS or GANI_SINGLE */
    unsigned line_end;
    bool whole;                      /* something was met that no kept part can tell */
    bool cut;                        /* the last line has no end, and isn't in a part that is kept as it is */
    bool failed;                     /* no memory */
    bool source_known, offset_known; /* a line has told the widths of columns */
    gani_runs runs;
    uint32_t singles; /* kinds of lines that belong once, as bits, of which there has been one */
    /* room in the lists, counted before: upper bounds */
    uint32_t sprites, attachments, effects, defaults, directions, pieces, sounds, actors, keyframes, values;
    uint32_t others;
    /* shared by all frames and actors */
    lvl_gani_direction *direction;
    lvl_gani_piece *piece;
    lvl_gani_sound *sound;
    lvl_gani_keyframe *keyframe;
    lvl_gani_value *value;
} gani_reader;

static inline gani_line gani_next(const gani_reader *r)
{
    return gani_line_at(r->at, r->limit, r->line_end);
}

/* A line as it is kept: without its end where that is the file's own, or missing. */
static inline lvl_text gani_keep(gani_reader *r, const gani_line *l)
{
    const bool open = l->next == l->end;

    r->cut |= open;
    return gani_text(l->at, l->own || open ? l->end : l->next);
}

/* What has gathered before the line, and lets go of it. */
static inline lvl_text gani_before(gani_reader *r, const gani_line *l)
{
    const lvl_text t = {r->pending, r->pending ? (size_t)(l->at - r->pending) : 0};

    r->pending = NULL;
    return t;
}

/* gani_read_head.c, in this order. The header: up to the first line that isn't blank or a comment; if that is
 * one, the reader goes on behind it. */
void gani_read_head(gani_reader *r);
/* An export whose lines say nothing. */
bool gani_is_obfuscated(const gani_reader *r);
/* How many items of each kind there can be at most, and room for them, in one block. */
void gani_count_lines(gani_reader *r);
lvl_status gani_make_room(gani_reader *r);
/* The style is what the first line says that tells styles apart. */
unsigned gani_guess_style(const gani_reader *r);

/* Reads the lines after ANI or MOVIE, up to and with what ends them. */
void gani_read_frames(gani_reader *r);
void gani_read_movie(gani_reader *r);
/* After ANIEND or MOVIEEND: `from` is where the last frame or actor ends, r->at behind the line that ends the
 * block. Takes blank lines and comments up to the end of the file along, if nothing else comes; keeps what
 * the writer would make otherwise. */
void gani_read_after(gani_reader *r, const char *from, const char *word);

/* For the writer: whether a file that begins so has that version, and nothing else is said there. */
bool gani_head_holds(lvl_text head, unsigned version);
/* The lines of a script as its text has them: each ends with '\n', but for the last. A view where they can be
 * one. */
bool gani_script_text(lvl_arena *arena, lvl_text lines, lvl_text *out);
/* Whether those lines, from SCRIPT on, say just this script. */
bool gani_script_holds(lvl_text lines, lvl_text script);

/* ---- telling ----------------------------------------------------------------------------------------- */

lvl_where gani_where(const lvl_table *table, size_t member, uint32_t index);
void gani_report(const gani_reader *r, lvl_gani_finding what, const lvl_where *where, const char *from,
                 const char *to, const char *fmt, ...) LVL_PRINTF(6, 7);
void gani_report_odd(const gani_reader *r, const lvl_where *where, const gani_line *l);
/* One span; `field` may be NULL. Nothing without a sink or a length. */
void gani_emit(const gani_reader *r, lvl_span_role role, const lvl_where *where, const lvl_field *field,
               const char *from, const char *to, const char *note);
/* A line's words: the first is the keyword (none with `keyword` NULL), each other a member of the record at
 * `where`, the last member has the rest. */
void gani_emit_words(const gani_reader *r, const lvl_where *where, const lvl_table *table,
                     const char *keyword, const uint32_t *members, unsigned count, const gani_line *l);
/* Lines that are kept as they are. */
void gani_emit_kept(const gani_reader *r, const lvl_where *where, const lvl_table *table, size_t member,
                    const char *from, const char *to);

#endif
