/*
 * graal/graal_character.h: NPCs that are characters: put together from body, head and other layers by an
 * animation, as `showcharacter` does.
 */
#ifndef LVL_GRAAL_CHARACTER_H
#define LVL_GRAAL_CHARACTER_H

#include "graal/gani_cast.h"

enum { LVL_GRAAL_CHARACTER_LAYERS = 40 }; /* layers that a character can set */

/* What a character wears and does. Texts are borrowed. */
typedef struct lvl_graal_character {
    lvl_text animation; /* without ending; empty: it stands */
    unsigned direction; /* up, left, down, right */
    uint64_t ms;        /* since the animation began */
    lvl_scene_choice layers[LVL_GRAAL_CHARACTER_LAYERS];
    uint32_t layer_count;
} lvl_graal_character;

/* Puts on what `setcharprop` names by its message code ("#3" a head, "#8" a body, "#C1" the colour of the
 * coat, "#P2" an attribute). Unknown codes, and values that only the game knows, change nothing. */
void lvl_graal_character_set_code(lvl_graal_character *character, lvl_text code, lvl_text value);
/* Puts on what a movie and choices name ("head", "color1", "attr2"); other names change nothing. */
void lvl_graal_character_set(lvl_graal_character *character, lvl_text name, lvl_text value);
/* What is seen of the character as one picture, in the scene's memory; *left, *top is its corner from the
 * character's place. *out is NULL where none of its pictures is found. */
lvl_status lvl_graal_character_picture(const lvl_graal_character *character, lvl_scene *scene,
                                       const lvl_art *art, const lvl_image **out, int32_t *left,
                                       int32_t *top);

#endif
