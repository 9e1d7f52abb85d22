/*
 * sketchy/json_values.h: the values of the game's JSON as json_write.c puts them together: what a record's
 * members say, and whether a text says it already.
 */
#ifndef LVL_SKETCHY_JSON_VALUES_H
#define LVL_SKETCHY_JSON_VALUES_H

#include "sketchy/drawing.h"

#include <string.h>

/* A writing of JSON, as far as it has come. `status` is the first thing that went wrong; writing on does no
 * harm. */
typedef struct lvl_json_writing {
    const lvl_doc *doc;
    lvl_buffer *out;
    bool outside;      /* chunks and files are elsewhere */
    bool repair_all;   /* what is of the wrong kind isn't kept, */
    bool complete;     /* and what the root lacks is added even if it is the default */
    uint32_t own_name; /* of the object written next: the member that its key in the map has said already, or
                          UINT32_MAX */
    lvl_status status;
} lvl_json_writing;

/* Text as it is spelled. */
static inline void lvl_sketchy_put(lvl_json_writing *w, lvl_text text)
{
    lvl_buffer_add(w->out, text.ptr, text.len);
}

/* A list member's items, and how many. */
static inline const void *lvl_sketchy_list_of(const lvl_shape *s, const uint8_t *base, uint32_t *count)
{
    const void *items;

    memcpy(&items, base + s->offset, sizeof items);
    memcpy(count, base + s->count, sizeof *count);
    return items;
}

/* A text member, wherever it is aligned. */
static inline lvl_text lvl_sketchy_text_at(const uint8_t *p)
{
    lvl_text t;

    memcpy(&t, p, sizeof t);
    return t;
}

/* A member of one value (of a kind below LVL_SHAPE_OBJECT), as the game spells it. */
void lvl_sketchy_write_scalar(lvl_json_writing *w, const lvl_shape *s, const uint8_t *base);
/* Whether the text, one scalar, says what the member holds. */
bool lvl_sketchy_scalar_holds(lvl_json_writing *w, const lvl_shape *s, const uint8_t *base, lvl_text was);
/* Whether a member holds what reading leaves in it where the document says nothing; what is elsewhere, the
 * document never says. */
bool lvl_sketchy_is_default(const lvl_json_writing *w, const lvl_shape *s, const uint8_t *base);
/* The same for a member of the root, whose defaults are the tables'. */
bool lvl_sketchy_is_fields_default(const lvl_json_writing *w, const lvl_shape *s, const uint8_t *base);
/* {}, [] or null, however spaced: nothing that a zip keeps elsewhere. */
bool lvl_sketchy_is_bare(lvl_text was);
/* Whether reading has to see null, a wrong kind or nothing at all in that text: then the member must be what
 * reading leaves. *sound: it is null, or of the right kind at least. */
bool lvl_sketchy_is_silent(const lvl_shape *s, lvl_text was, bool *sound);

/* One chunk of a document of JSON, `size` wide and high: as it stands (`was`, empty: nowhere) while it isn't
 * opened, or still says the same. */
void lvl_sketchy_write_chunk(lvl_json_writing *w, const lvl_sketchy_chunk *chunk, uint32_t size,
                             lvl_text was);
/* The object of an attached file, likewise. */
void lvl_sketchy_write_file(lvl_json_writing *w, const lvl_sketchy_file *file, lvl_text was);

#endif
