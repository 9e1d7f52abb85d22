/*
 * catalogue/collected.h: what the walk over a document collects (collect.c), and its rows (collect_rows.c).
 */
#ifndef LVL_CATALOGUE_COLLECTED_H
#define LVL_CATALOGUE_COLLECTED_H

#include "catalogue/content.h"
#include "catalogue/names.h"

#include "base/buffer.h"
#include "base/hash.h"
#include "base/text.h"

struct lvl_art;

/* A value of a text field, where it first occurs. */
typedef struct cat_text_value {
    size_t at, len; /* in `raw` of its field */
    size_t place, place_len; /* in `places` */
    uint32_t count;
} cat_text_value;

/* A value of an unknown field. */
typedef struct cat_number {
    int64_t value;
    uint64_t count;
} cat_number;

/* A field on its way from the root, whatever the numbers of items. */
typedef struct cat_node {
    const lvl_field *field; /* NULL: the root */
    const lvl_table *table; /* of the record or items; or NULL */
    uint32_t parent;
    uint32_t children; /* in the walk's children: the first field of `table` */
    uint64_t name; /* hash of its path */
    lvl_buffer raw, places; /* of texts */
    lvl_hash index;
    cat_text_value *values;
    size_t count, cap;
    uint32_t named;
    uint32_t next; /* of such a node: another one of the same field */
    cat_file_name what; /* of such a node: what they name */
    cat_number *numbers; /* of unknown fields */
    size_t number_count, number_cap;
    uint64_t other_numbers; /* occurrences of values beyond the limit */
} cat_node;

/* A part of a buffer; empty if memory ran out before it was added. */
static inline lvl_text cat_slice(const lvl_buffer *buffer, size_t at, size_t len)
{
    if (!len || at > buffer->len || len > buffer->len - at)
        return (lvl_text){"", 0};
    return (lvl_text){(const char *)buffer->data + at, len};
}

/* All fields of a document that had values. Node 0 is the root. */
typedef struct cat_collected {
    const lvl_doc *doc;
    const cat_node *nodes;
    size_t count;
} cat_collected;

/* Appends the rows of texts, references and unknown values. `art` looks for the files that are named; or
 * NULL. Without memory, rows->status is LVL_ERR_MEMORY. */
void cat_put_collected(const cat_collected *c, const struct lvl_art *art, lvl_buffer *rows);

#endif
