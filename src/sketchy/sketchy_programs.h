/*
 * sketchy/sketchy_programs.h: the programs that open drawings and packs, and what each makes of each
 * generation. The one place that says so: check, the profiles and info take it from here.
 */
#ifndef LVL_SKETCHY_PROGRAMS_H
#define LVL_SKETCHY_PROGRAMS_H

#include "base/info.h"

#include "sketchy/sketchy_findings.h"

#include <lvl/sketchy.h>

enum {
    LVL_SKETCHY_RELEASE, /* 0.14.0, the newest release */
    LVL_SKETCHY_HEAD,    /* the newest source, never released */
    LVL_SKETCHY_PROGRAMS
};

extern const lvl_program lvl_sketchy_programs[LVL_SKETCHY_PROGRAMS];

/* What a program can't do with a generation; what isn't listed it shows and saves. */
typedef struct lvl_sketchy_trouble {
    uint8_t program, generation;
    bool shows, saves;
    uint8_t finding;  /* what check says of it: LVL_SKETCHY_F_… */
    const char *text; /* the same in words, behind "v3: " */
} lvl_sketchy_trouble;
enum { LVL_SKETCHY_TROUBLES = 4 };
extern const lvl_sketchy_trouble lvl_sketchy_troubles[LVL_SKETCHY_TROUBLES]; /* by generation */

/* Chunks of a drawing by the generation that stores them so: in a zip any chunk may be of another than its
 * document. A drawing without chunks has none anywhere. */
typedef struct lvl_sketchy_links {
    uint32_t chunks[LVL_SKETCHY_GENERATIONS];
    uint32_t base64; /* those of them whose JSON holds base64 */
    uint32_t total;
} lvl_sketchy_links;
void lvl_sketchy_count_links(const lvl_sketchy *d, lvl_sketchy_links *out);
/* Whether some chunk is stored as that generation does, or, where it is the whole document that counts, this
 * is it. */
bool lvl_sketchy_uses(const lvl_sketchy *d, const lvl_sketchy_links *ways, unsigned generation);

/* For info: by which programs the drawing is shown. */
void lvl_sketchy_info_programs(const lvl_sketchy *d, lvl_info *info);

#endif
