/*
 * lines/weave.h: what the files share that write a document into its source.
 *
 *     write.c  decides between the source as it is, a merge, and the canonical form
 *     pair.c   which part of the document is which of the source
 *     place.c  where parts that the source does not have go
 *     weave.c  appends the text
 *
 * In all of them `a` is the number of a part of the document, `b` of one of the source.
 */
#ifndef LVL_LINES_WEAVE_H
#define LVL_LINES_WEAVE_H

#include "lines/list.h"

#define LVL_NO_PART UINT32_MAX

typedef struct lvl_merge {
    lvl_line_writer *w;
    const lvl_parts *now, *old; /* of the document, and of the source */
    lvl_text file; /* the source */
    uint32_t *old_of; /* by `a`: the part of the source with its place; LVL_NO_PART: it is new */
    uint32_t *now_of; /* by `b`: what became of it; LVL_NO_PART: it was removed */
    lvl_line_reader *reader; /* of single parts of the source */
    bool add_missing; /* lines that are always written, and ends of blocks */
    bool respell; /* words of changed lines that did not change are copied */
    lvl_buffer *out;
} lvl_merge;

static inline const lvl_rule *lvl_merge_rule(const lvl_merge *m, const lvl_part *part)
{
    return &m->w->rules.grammar->rules[part->rule];
}

/* Whether part `a` has in its first line, or row, what part `b` has; and in the lines after that. */
static inline bool lvl_merge_same_head(const lvl_merge *m, uint32_t a, uint32_t b)
{
    const lvl_part *now = &m->now->items[a], *old = &m->old->items[b];

    return !(old->flags & LVL_PART_DEFAULT) && now->head_hash == old->head_hash;
}
static inline bool lvl_merge_same_body(const lvl_merge *m, uint32_t a, uint32_t b)
{
    const lvl_part *now = &m->now->items[a], *old = &m->old->items[b];

    return !(old->flags & LVL_PART_DEFAULT) && now->body_hash == old->body_hash;
}

static inline bool lvl_merge_is_blank(const lvl_merge *m, size_t from, size_t to)
{
    while (from < to && memchr(" \t\r\n", m->file.ptr[from], 4))
        from++;
    return from >= to;
}

/* Whether part `a` is new. */
static inline bool lvl_merge_is_new(const lvl_merge *m, uint32_t a)
{
    return m->old_of[a] == LVL_NO_PART;
}

/* Fills old_of and now_of, in the writer's memory. LVL_ERR_MEMORY. */
lvl_status lvl_merge_pair(lvl_merge *m);
/* Of the new parts in front of part `a`, which the source has, the first one that goes right before it,
 * and not after the part that precedes it in the document; `a`: none. */
uint32_t lvl_merge_first_before(const lvl_merge *m, uint32_t a);
/* Appends the source with the parts of the document. Fails with LVL_ERR_LOSS if text would be lost that no
 * member has. */
void lvl_merge_put(lvl_merge *m);

#endif
