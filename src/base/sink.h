/*
 * base/sink.h: receives the meaning of each byte of a file. A reader that is given a sink emits byte spaces
 * and spans while it reads. Records do not store them: explain and the positions of findings come from
 * reading again with a sink.
 */
#ifndef LVL_BASE_SINK_H
#define LVL_BASE_SINK_H

#include <lvl/record.h>

typedef enum lvl_span_role {
    LVL_SPAN_FIELD, /* content: a fixed record, divided by `table`, or one field */
    LVL_SPAN_DERIVED, /* a count, size, offset or checksum */
    LVL_SPAN_SPELLING, /* kept bytes: another way to write the same content */
    LVL_SPAN_CONTAINER, /* what contains another space: a compressed stream, a member */
    LVL_SPAN_PADDING, /* zeros as padding */
    LVL_SPAN_RESIDUE /* unknown bytes, with a note; bytes without any span are residue, too */
} lvl_span_role;

typedef struct lvl_span {
    uint32_t space;
    uint64_t bit, bits; /* base of the space included */
    lvl_span_role role;
    lvl_where where; /* the record (for a table span), the field (for a field span) */
    /* a fixed record: its table divides the span by each field's `disk`; NULL otherwise */
    const lvl_table *table;
    const lvl_field *field; /* a single field's data; NULL otherwise */
    const char *note; /* for people, in addition to or instead of table and field; static; or NULL */
    bool has_value; /* `value` is set: the value of a part of a field's data that is not a member (a packet of
                       tiles) */
    int64_t value;
    lvl_text called; /* the name in the file of what it contains (an archive member); or empty */
} lvl_span;

typedef struct lvl_space {
    uint32_t id; /* 0: the file; others are numbered by the reader in order of discovery */
    uint32_t parent;
    uint64_t parent_bit; /* where its stream starts in the parent, base included */
    uint64_t parent_bits;
    uint64_t base; /* byte offset of its first byte */
    /* the space's bytes; except for space 0, valid only during the call */
    lvl_bytes bytes;
    const char *name; /* "inflated main block"; static */
    lvl_text called; /* as in lvl_span */
} lvl_space;

typedef struct lvl_sink lvl_sink;
struct lvl_sink {
    void (*space)(lvl_sink *sink, const lvl_space *space);
    void (*span)(lvl_sink *sink, const lvl_span *span);
    bool fine; /* to be shown: wants each part of a field's data (packets of bits), and no field for a text
                  that a later one replaces; otherwise a reader may do without, which is faster */
};

#endif
