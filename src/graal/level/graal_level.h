/*
 * graal/level/graal_level.h: readers, writers, rules and scenes of levels, for the files of this family.
 * Binary and text levels share the records of lvl/graal.h.
 */
#ifndef LVL_GRAAL_LEVEL_H
#define LVL_GRAAL_LEVEL_H

#include "base/format.h"

#include <lvl/graal.h>

/* The words of a link in every form; those of text levels have optional ones after them (lines/words.h). */
#define LVL_GRAAL_LINK_WORDS "level... x y width height dest_x dest_y"

/* graal_read.c, graal_write.c: the binary forms. */
int lvl_graal_probe(const lvl_probe_input *in);
lvl_status lvl_graal_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings);
lvl_status lvl_graal_write(const lvl_doc *doc, lvl_buffer *out);
lvl_status lvl_graal_check_writable(const lvl_doc *doc, lvl_findings *findings);
/* nw_format.c: the text form. */
int lvl_nw_probe(const lvl_probe_input *in);
lvl_status lvl_nw_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings);
lvl_status lvl_nw_check_writable(const lvl_doc *doc, lvl_findings *findings);
/* NULL for a level of another version. */
const struct lvl_grammar *lvl_nw_grammar(const lvl_doc *doc);
lvl_status lvl_graal_kept(const lvl_doc *doc, uint64_t *bytes);
lvl_status lvl_graal_can_regenerate(const lvl_doc *doc, const lvl_field *field, bool *out);
/* doc->state of a binary level that was read. The parts of its file after the header: the layers, the
 * sections, the rest. */
enum { LVL_GRAAL_PARTS = 7 };
typedef struct lvl_graal_parts {
    size_t from[LVL_GRAAL_PARTS + 1]; /* offsets of the parts, and the end of the file */
    int whole; /* index of the first part without an end; nothing can be written after it */
    uint8_t version;
    bool unread; /* the file has bytes that are not in any member */
} lvl_graal_parts;
/* graal_write.c: the list of the root in a part. */
const lvl_field *lvl_graal_list_of(int part);
/* graal_write.c: the part that a finding is about; LVL_GRAAL_PARTS: none. */
int lvl_graal_part_of(const lvl_finding *finding);
/* Rewrites `file` of a binary level: the parts selected by `rewrite`, and those whose content changed, which
 * are then also selected. All other parts keep their bytes. LVL_ERR_LOSS: the level cannot be written. */
lvl_status lvl_graal_rewrite_parts(lvl_doc *doc, bool rewrite[LVL_GRAAL_PARTS]);
/* graal_tables.c: the path of an item in a list of the root; `list` is the list's offset; `index`
 * LVL_NO_INDEX: the list itself. */
lvl_where lvl_graal_at(size_t list, uint32_t index);
/* graal_convert.c: whether a layer has no tile. */
enum { LVL_GRAAL_NOTHING = 0xFFF }; /* above the board: no tile */
bool lvl_graal_is_empty_layer(const lvl_graal_layer *layer);
/* graal_check.c, graal_repair.c, graal_convert.c, graal_info.c, graal_scene.c: for both forms. */
lvl_status lvl_graal_check(const lvl_doc *doc, const lvl_check_request *request);
lvl_status lvl_graal_repair(lvl_doc *doc, lvl_repairs *repairs);
lvl_status lvl_graal_convert(const lvl_doc *from, const lvl_form *form, lvl_doc *to, lvl_findings *losses);
lvl_status lvl_graal_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art);
lvl_status lvl_graal_scene(const lvl_doc *doc, const struct lvl_scene_request *request,
                           struct lvl_scene **out);
struct lvl_graal_sheet;
struct lvl_scene_layer;
/* Sets what all scenes of levels have in common; columns, rows: number of levels. */
void lvl_graal_scene_begin(struct lvl_scene *scene, const lvl_doc *doc, uint32_t columns, uint32_t rows);
/* Sets what all layers have in common; number 0 is the board. */
void lvl_graal_layer_begin(struct lvl_scene_layer *layer, uint32_t number, uint32_t columns, uint32_t rows);
/* Makes the things of a level in a new scene. Their texts are views of the level's; pictures composed for
 * them are in the memory of `owner`, the same scene or one that outlives it. `art` may be NULL. `bare`: as in
 * lvl_scene_request. */
lvl_status lvl_graal_scene_things(struct lvl_scene *scene, struct lvl_scene *owner, const lvl_graal *level,
                                  const struct lvl_art *art, const struct lvl_graal_sheet *sheet, bool bare);

/* graal_ground.c: lvl_format_calls.ground. */
struct lvl_ground;
lvl_status lvl_graal_ground(const lvl_doc *doc, lvl_arena *arena, struct lvl_ground *out);
/* Whether a player who arrives there stands in walls on all sides: none of the tiles below the player is
 * free. */
bool lvl_graal_is_walled(const struct lvl_ground *ground, double x, double y);

/* graal_draw.c: lvl_format_calls.draw. The board gets the tiles of options->tileset that show the picture;
 * cells without an exact tile get the most similar one, with a finding. Transparent cells stay as in a new
 * level. */
lvl_status lvl_graal_draw(lvl_doc *doc, const lvl_image *image, const lvl_draw_options *options,
                          lvl_findings *losses);

extern const lvl_form lvl_graal_forms[];

#endif
