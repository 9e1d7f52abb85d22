/*
 * catalogue/collect.h: what a catalogue stores of a document, found by a walk over its tables of fields.
 */
#ifndef LVL_CATALOGUE_COLLECT_H
#define LVL_CATALOGUE_COLLECT_H

#include "catalogue/likeness.h"
#include "catalogue/rows.h"

struct lvl_art;

/* Texts are UTF-8, NUL-ended; all memory belongs to the collector. */
typedef struct cat_facts {
    bool has_content;
    uint8_t content[16]; /* hash of the content */
    const char *version; /* of the form; or NULL */
    lvl_buffer uses[LVL_USE_FACTS]; /* by lvl_use: title, author … */
    bool has_signature;
    uint8_t signature[CAT_SIGNATURE];
} cat_facts;

/* Appends the rows of texts, references and unknown values of the document, and fills in `facts`, which
 * cat_facts_clear frees in any case. LVL_ERR_MEMORY, LVL_ERR_LIMIT, LVL_ERR_STOPPED. */
lvl_status cat_collect(const lvl_doc *doc, const struct lvl_art *art, lvl_buffer *rows, cat_facts *facts);
/* A file's name without its ending. */
lvl_text cat_stem(lvl_text name);
void cat_facts_clear(cat_facts *facts);

#endif
