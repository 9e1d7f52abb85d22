/*
 * catalogue/filled.h: finds the fields of a record that may differ from their defaults, eight bytes at a
 * time: a level has many records in which most fields have their defaults.
 */
#ifndef LVL_CATALOGUE_FILLED_H
#define LVL_CATALOGUE_FILLED_H

#include <lvl/record.h>

#include <string.h>

enum { CAT_FILLED_FIELDS = 64 }; /* a table with more has no masks */

/* Eight bytes of a record. */
typedef struct cat_filled_word {
    uint32_t offset;
    uint64_t mask; /* the bits by which it is compared */
    uint64_t def; /* what they are while all fields in them have their defaults */
    uint64_t fields; /* bits: which fields of the table have bytes here */
} cat_filled_word;

/* Zeroed, it is empty. */
typedef struct cat_filled {
    cat_filled_word *words;
    size_t count, cap;
    uint64_t always; /* fields that have to be looked at in each record */
} cat_filled;

/* Whether a field can be content: what a file's spelling, form or signature decides is none. */
bool cat_may_be_content(const lvl_field *field);

/* Fills in the masks for records of a table. Field `n` is the n-th that may be content. False: no memory, or
 * too many fields. */
bool cat_filled_make(cat_filled *filled, const lvl_table *table);
void cat_filled_free(cat_filled *filled);

/* The fields that may differ from their defaults; all others have them. */
static inline uint64_t cat_filled_fields(const cat_filled *filled, const void *record)
{
    const uint8_t *bytes = record;
    uint64_t fields = filled->always;

    for (size_t i = 0; i < filled->count; i++) {
        const cat_filled_word *w = &filled->words[i];
        uint64_t word;
        memcpy(&word, bytes + w->offset, sizeof word);
        /* without a branch, which would be taken at random */
        fields |= w->fields & -(uint64_t)(((word ^ w->def) & w->mask) != 0);
    }
    return fields;
}

#endif
