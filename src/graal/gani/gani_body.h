/*
 * graal/gani/gani_body.h: colours of clothes.
 */
#ifndef LVL_GRAAL_GANI_BODY_H
#define LVL_GRAAL_GANI_BODY_H

#include <lvl/scene.h>

/* In the game's order (color0 to color4). */
typedef enum lvl_gani_cloth {
    LVL_GANI_SKIN,
    LVL_GANI_COAT,
    LVL_GANI_SLEEVES,
    LVL_GANI_SHOES,
    LVL_GANI_BELT,
    LVL_GANI_CLOTHES
} lvl_gani_cloth;

typedef struct lvl_gani_dye {
    bool given, clear; /* clear: not drawn at all */
    uint8_t rgb[3];
} lvl_gani_dye;

/* "skin", …, or NULL past the end; static storage. */
const char *lvl_gani_cloth_name(unsigned cloth);
/* Parses a colour: the game's name for it, in any case, or #rrggbb; false for anything else. */
bool lvl_gani_dye_parse(lvl_text text, lvl_gani_dye *out);
/* The body with dyed clothes, in the scene's memory; the body itself if no dye is given; NULL: out of
 * memory. */
const lvl_image *lvl_gani_dyed(lvl_scene *scene, const lvl_image *body,
                               const lvl_gani_dye dyes[LVL_GANI_CLOTHES]);

#endif
