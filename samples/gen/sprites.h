/*
 * The sprites' drawing functions: one frame of each thing that an object of the samples can show.
 */
#ifndef SAMPLES_SPRITES_H
#define SAMPLES_SPRITES_H

#include "gen.h"

/* sprites_people.c */
canvas *draw_apprentice(int frame);
canvas *draw_hermit(int frame);
canvas *draw_crab(int frame);
canvas *draw_gull(int frame);
canvas *draw_fish(int frame);

/* sprites_things.c */
canvas *draw_coin(int frame);
canvas *draw_gem(int frame); /* 0 red, 1 green, 2 blue, 3 purple */
canvas *draw_chalice(int frame);
canvas *draw_potion(int frame);
canvas *draw_map_piece(int frame);
canvas *draw_crate(int frame);
canvas *draw_barrel(int frame);
canvas *draw_lantern(int frame);
canvas *draw_signpost(int frame);
canvas *draw_flag(int frame);
canvas *draw_lift(int frame);
canvas *draw_floor_spike(int frame);
canvas *draw_pine_tree(int frame);
canvas *draw_bush(int frame);
canvas *draw_rowboat(int frame);
canvas *draw_anchor(int frame);
canvas *draw_glint(int frame);
canvas *draw_fence(int frame);

/* level_garden.c */
canvas *draw_gardener(int frame);
canvas *draw_switch(int frame);

#endif
