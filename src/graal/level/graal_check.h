/*
 * graal/level/graal_check.h: shared by the files of check.
 */
#ifndef LVL_GRAAL_CHECK_H
#define LVL_GRAAL_CHECK_H

#include "graal/level/graal_level.h"

typedef struct lvl_graal_checker {
    const lvl_doc *doc;
    const lvl_graal *level;
    lvl_findings *findings;
    const struct lvl_art *art; /* or NULL */
    bool reached; /* scripts may change other NPCs */
} lvl_graal_checker;

/* graal_check_link.c */
void lvl_graal_check_links(const lvl_graal_checker *c);

/* graal_check_script.c: the script of an NPC, by what the language has. */
void lvl_graal_check_script(const lvl_graal_checker *c, const lvl_graal_npc *npc, const lvl_where *where);
/* Whether a script may change other NPCs of its level. */
bool lvl_graal_reaches_others(lvl_text script);

/* graal_check_things.c: things in walls, there twice, with odd names. */
lvl_status lvl_graal_check_things(const lvl_graal_checker *c);

/* graal_check_sign.c */
/* The width of the widest line of a text in px; *line is its index. */
uint32_t lvl_graal_sign_width(lvl_text text, uint32_t *line);
void lvl_graal_check_signs(const lvl_graal_checker *c);

/* graal_check_art.c: names of levels and pictures, against the art path. */
lvl_status lvl_graal_check_files(const lvl_graal_checker *c);

#endif
