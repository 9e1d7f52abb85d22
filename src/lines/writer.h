/*
 * lines/writer.h: what the files share that write a document.
 *
 *     print.c   lists the lines of a document, and prints them by the rules alone
 *     pair.c    which line of a document is which of its source
 *     weave.c   puts the lines of a document into its source
 *     write.c   decides between the source as it is, weaving, and the rules alone; verifies
 *     check.c   which values cannot be written
 *     repair.c  repairs what the reader finds
 */
#ifndef LVL_LINES_WRITER_H
#define LVL_LINES_WRITER_H

#include "lines/reader.h"

typedef struct lvl_line_writer {
    lvl_rules rules;
    const lvl_doc *doc;
    void *root; /* a copy of the root, with the derived members as they are to be written */
    bool crlf;
    lvl_arena arena;
    lvl_status status; /* the first error */
    lvl_line_list list; /* of the document, in the order of the rules; at, end: not used */
    unsigned section; /* of the last one */
    bool listed;
    /* what was read to verify, if it is to be kept: its findings (NULL: not wanted), and the document */
    bool keeps;
    lvl_findings *found;
    lvl_doc *again;
} lvl_line_writer;

static inline void lvl_writer_fail(lvl_line_writer *w, lvl_status status)
{
    w->status = w->status == LVL_OK ? status : w->status;
}

/* ---- print.c ------------------------------------------------------------------------------------- */

/* Prepares a writer; `derive`: derived members are recomputed. The caller closes it, also after an error. */
void lvl_writer_open(lvl_line_writer *w, const lvl_doc *doc, bool derive);
void lvl_writer_close(lvl_line_writer *w);
/* Lists the lines of the document, with their hashes. Returns the hash of all. */
uint64_t lvl_writer_hash(lvl_line_writer *w, const lvl_hash_seed *seed);
/* Append all lines of the document, which are listed by this; a line, as `record` has it; and a line end. */
void lvl_writer_put(lvl_line_writer *w, lvl_buffer *out);
void lvl_writer_put_line(lvl_line_writer *w, const lvl_line *line, const void *record, lvl_buffer *out);
void lvl_writer_end_line(const lvl_line_writer *w, lvl_buffer *out);
/* A line that is only a word. */
void lvl_writer_put_word(const lvl_line_writer *w, const char *word, lvl_buffer *out);

/* ---- pair.c -------------------------------------------------------------------------------------- */

#define LVL_NO_LINE UINT32_MAX

typedef struct lvl_line_pairs {
    uint32_t
        *old_of; /* by line of the document: the line of the source with its place; LVL_NO_LINE: it is new */
    uint32_t *now_of; /* by line of the source: what became of it; LVL_NO_LINE: it was removed */
} lvl_line_pairs;

/* Pairs the lines of a document with those of its source, in the writer's memory. LVL_ERR_MEMORY. */
lvl_status lvl_writer_pair(lvl_line_writer *w, const lvl_line_list *source, lvl_line_pairs *out);
static inline bool lvl_line_same(const lvl_line *now, const lvl_line *old)
{
    return !(old->marks & LVL_MARK_DEFAULT) && now->hash == old->hash;
}

/* ---- weave.c ------------------------------------------------------------------------------------- */

typedef struct lvl_weave {
    lvl_line_writer *w;
    const lvl_line_list *old; /* the lines of the source, */
    lvl_text file; /* and its text */
    lvl_line_pairs pairs;
    lvl_line_reader *reader; /* of single lines of the source */
    bool add_missing; /* lines that are always written, and ends of blocks */
    bool respell; /* words of changed lines that did not change are copied */
    lvl_buffer *out;
} lvl_weave;

/* Appends the source with the lines of the document. Fails with LVL_ERR_LOSS if text would be lost that no
 * member has. */
void lvl_weave_put(lvl_weave *weave);

/* ---- write.c ------------------------------------------------------------------------------------- */

lvl_text lvl_writer_source(const lvl_line_writer *w);
/* Reads a text as another document, which the caller frees; `lines`: with its lines. `found` may be NULL. */
lvl_status lvl_writer_reread(const lvl_line_writer *w, lvl_text text, bool lines, lvl_findings *found,
                             lvl_doc **out);
/* Whether the text from `from` on is read as the document. */
bool lvl_writer_verify(lvl_line_writer *w, const lvl_buffer *out, size_t from);
/* Appends the document with the unchanged lines of its source. The source of the items at the places
 * `rewritten` is not copied; the root: of its members, and missing lines are added. False: nothing was
 * appended, and w->status is LVL_ERR_LOSS if text of the source would be lost. */
bool lvl_writer_put_sourced(lvl_line_writer *w, const lvl_where *rewritten, size_t count, lvl_buffer *out);
/* lvl_grammar_write with such places. */
lvl_status lvl_grammar_rewrite(const lvl_doc *doc, const lvl_where *rewritten, size_t count, lvl_buffer *out);

#endif
