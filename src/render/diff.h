/*
 * render/diff.h: the parts of a comparison of two scenes, for pages that show each part separately.
 */
#ifndef LVL_RENDER_DIFF_H
#define LVL_RENDER_DIFF_H

#include <lvl/scene.h>

#include <lvl/render.h>

/* One part of a comparison; its pictures have the same size. */
typedef struct lvl_diff_part {
    lvl_rect area; /* px of the main layer of the scene `after` */
    uint32_t scale_up, scale_down; /* factors by which it is drawn; one of them is 1 */
    lvl_image before, after;
    lvl_image marked; /* after, dimmed, with each change marked */
} lvl_diff_part;

/* Which parts to show: first the part with all changes, then each group of nearby changes, with a margin, by
 * rows; at most `most` in all. `changes` from lvl_scene_compare. LVL_ERR_MEMORY. */
lvl_status lvl_render_diff_areas(const lvl_scene *before, const lvl_scene *after,
                                 const lvl_scene_change *changes, size_t change_count, lvl_rect *areas,
                                 size_t most, size_t *count);
/* Draws a part (NULL: the one with all changes), with the same options as lvl_render_diff; options->scale_up
 * is the largest factor by which a small part is enlarged, as far as size allows. LVL_ERR_ARG: the area is
 * empty. If LVL_OK, the caller clears `out`. */
lvl_status lvl_render_diff_part(const lvl_scene *before, const lvl_scene *after,
                                const lvl_scene_change *changes, size_t change_count, const lvl_rect *area,
                                const lvl_render_options *options, lvl_diff_part *out);
/* Frees the three pictures of a part, not the struct itself; it may be cleared again. Not NULL. */
void lvl_diff_part_clear(lvl_diff_part *part);

/* Counts the cells that differ in all layers except the main one. lvl_scene_compare does not compare these,
 * since their position depends on the view. Layers are paired by index; `drawn` layers and the wallpaper of a
 * drawing are not compared. */
lvl_status lvl_scene_compare_others(const lvl_scene *before, const lvl_scene *after, uint64_t *cells);

#endif
