/*
 * graal/graal_character.h: NPCs that are people: put together from body, head and the like by an animation,
 * as `showcharacter` does.
 */
#ifndef LVL_GRAAL_PEOPLE_H
#define LVL_GRAAL_PEOPLE_H

#include "graal/gani_cast.h"

enum { LVL_GRAAL_WEARS = 40 }; /* different things that one person can wear */

/* What a person wears and does. Texts are borrowed. */
typedef struct lvl_graal_person {
    lvl_text animation; /* without ending; empty: it stands */
    unsigned direction; /* up, left, down, right */
    uint64_t ms;        /* since the animation began */
    lvl_scene_choice wears[LVL_GRAAL_WEARS];
    uint32_t wear_count;
} lvl_graal_person;

/* Puts on what `setcharprop` names by its message code ("#3" a head, "#8" a body, "#C1" the colour of the
 * coat, "#P2" an attribute). Unknown codes, and values that only the game knows, change nothing. */
void lvl_graal_person_override(lvl_graal_person *person, lvl_text code, lvl_text value);
/* Puts on what a movie and choices name ("head", "color1", "attr2"); other names change nothing. */
void lvl_graal_person_wear(lvl_graal_person *person, lvl_text name, lvl_text value);
/* What is seen of the person as one picture, in the scene's memory; *left, *top is its corner from the
 * person's place. *out is NULL where none of its pictures is found. */
lvl_status lvl_graal_person_picture(const lvl_graal_person *person, lvl_scene *scene, const lvl_art *art,
                                    const lvl_image **out, int32_t *left, int32_t *top);

#endif
