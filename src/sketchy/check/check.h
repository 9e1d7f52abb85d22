/*
 * sketchy/check/check.h: checking of drawings, and of what packs share with them.
 */
#ifndef LVL_SKETCHY_CHECK_H
#define LVL_SKETCHY_CHECK_H

#include "sketchy/chunks/codec.h"
#include "sketchy/text/source.h"
#include "sketchy/model/findings.h"

typedef struct lvl_sketchy_checker {
    const lvl_doc *doc;
    const lvl_sketchy *d;
    lvl_findings *findings;
    const struct lvl_art *art; /* or NULL */
    const lvl_doc *edited; /* as in lvl_check_request */
} lvl_sketchy_checker;

/* Pixels; sketchy/check/chunks.c. */
lvl_status lvl_sketchy_check_chunks(const lvl_sketchy_checker *c);
/* Palette, actors, options; sketchy/check/parts.c. */
lvl_status lvl_sketchy_check_parts(const lvl_sketchy_checker *c);
/* What breaks a level in its game; sketchy/check/rules.c. LVL_ERR_MEMORY, LVL_ERR_LIMIT. */
lvl_status lvl_sketchy_check_rules(const lvl_sketchy_checker *c);
/* A doodad's script; sketchy/check/script_rules.c. `name` is in the text of findings: "", or "a.doodad: " for
 * one that a level has. LVL_ERR_MEMORY. */
lvl_status lvl_sketchy_check_script(const lvl_sketchy_checker *c, const lvl_sketchy *doodad,
                                    const lvl_where *where, const char *name);
/* Attached files of drawings and packs: whether they can be read, and their names. */
lvl_status lvl_sketchy_check_files(const lvl_doc *doc, const lvl_sketchy_file *files, uint32_t count,
                                   const lvl_field *field, lvl_findings *findings);
/* Whether two swatches are equal; colours are compared by value, not by spelling. */
bool lvl_sketchy_same_swatch(const lvl_sketchy_swatch *a, const lvl_sketchy_swatch *b);
/* The index of an equal swatch before this one; `index` itself if there is none. */
uint32_t lvl_sketchy_first_swatch(const lvl_sketchy *d, uint32_t index);
/* The format's `check`. */
lvl_status lvl_sketchy_check(const lvl_doc *doc, const lvl_check_request *request);

#endif
