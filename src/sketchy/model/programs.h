/*
 * sketchy/model/programs.h: the programs that open drawings and packs, and what each can do with each
 * generation. check, the profiles and info use this table.
 */
#ifndef LVL_SKETCHY_PROGRAMS_H
#define LVL_SKETCHY_PROGRAMS_H

#include "base/info.h"

#include "sketchy/model/findings.h"

#include <lvl/sketchy.h>

enum {
    LVL_SKETCHY_RELEASE, /* 0.14.0, the newest release */
    LVL_SKETCHY_HEAD, /* the newest source, never released */
    LVL_SKETCHY_PROGRAMS
};

extern const lvl_program lvl_sketchy_programs[LVL_SKETCHY_PROGRAMS];

/* What a program can't do with a generation. Programs show and save generations that are not listed. */
typedef struct lvl_sketchy_limit {
    uint8_t program, generation;
    bool shows, saves;
    uint8_t finding; /* of check: LVL_SKETCHY_F_… */
    const char *text; /* of the finding, after "v3: " */
} lvl_sketchy_limit;
enum { LVL_SKETCHY_LIMITS = 4 };
extern const lvl_sketchy_limit lvl_sketchy_limits[LVL_SKETCHY_LIMITS]; /* by generation */

/* The chunks of a drawing by the generation of their encoding: in a zip it may differ from chunk to chunk. */
typedef struct lvl_sketchy_encodings {
    uint32_t chunks[LVL_SKETCHY_GENERATIONS];
    uint32_t base64; /* of these, chunks of base64 in JSON */
    uint32_t total;
} lvl_sketchy_encodings;
void lvl_sketchy_count_encodings(const lvl_sketchy *d, lvl_sketchy_encodings *out);
/* Whether some chunk has the encoding of that generation, or, for v1 and v2, the document is of it. */
bool lvl_sketchy_uses(const lvl_sketchy *d, const lvl_sketchy_encodings *encodings, unsigned generation);

/* For info: the programs that show the drawing. */
void lvl_sketchy_info_programs(const lvl_sketchy *d, lvl_info *info);

#endif
