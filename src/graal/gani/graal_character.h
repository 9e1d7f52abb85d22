/*
 * graal/gani/graal_character.h: characters: NPCs (`showcharacter`) and actors of movies that are composed of
 * body, head and other layers by an animation.
 */
#ifndef LVL_GRAAL_CHARACTER_H
#define LVL_GRAAL_CHARACTER_H

#include "graal/gani/gani_pieces.h"

enum { LVL_GRAAL_CHARACTER_LAYERS = 40 };

/* The appearance of a character. Texts are borrowed. */
typedef struct lvl_graal_character {
    lvl_text animation; /* without ending; empty: "idle" */
    unsigned direction; /* up, left, down, right */
    uint64_t ms; /* since the start of the animation */
    bool given[LVL_GRAAL_CHARACTER_LAYERS];
    lvl_text values[LVL_GRAAL_CHARACTER_LAYERS]; /* values of the given layers: a file name or a colour */
} lvl_graal_character;

/* Sets a layer by its message code, as `setcharprop` does ("#3" the head, "#8" the body, "#C1" the colour of
 * the coat, "#P2" an attribute). Unknown codes, and values that contain message codes, change nothing. */
void lvl_graal_character_set_code(lvl_graal_character *character, lvl_text code, lvl_text value);
/* Sets a layer by its name ("head", "color1", "attr2"), as movies do. Unknown names change nothing. */
void lvl_graal_character_set(lvl_graal_character *character, lvl_text name, lvl_text value);
/* Composes the character into one picture in the scene's memory; *left, *top is its corner relative to the
 * character's position. *out is NULL if none of its pictures is found. */
lvl_status lvl_graal_character_picture(const lvl_graal_character *character, lvl_scene *scene,
                                       const lvl_art *art, const lvl_image **out, int32_t *left,
                                       int32_t *top);

#endif
