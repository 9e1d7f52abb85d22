/*
 * render/options.h: picture options as texts, as in `lvl render` and the bindings.
 */
#ifndef LVL_RENDER_OPTIONS_H
#define LVL_RENDER_OPTIONS_H

#include <lvl/render.h>

/* A word: an option of `lvl render`, with the same name in bindings. */
typedef struct lvl_render_word {
    const char *name;
    const char *value; /* what is expected, for messages ("N or 1/N"); NULL: 0 or 1 */
} lvl_render_word;
/* All words: size, scale, region, camera, view, plane, layers, hide, overlay, crop, schematic,
 * transparent, frame, direction. Static storage; any thread. */
const lvl_render_word *lvl_render_word_list(size_t *count);

/* The parsed words. Texts are borrowed. */
typedef struct lvl_render_words {
    lvl_render_options options; /* options that do not depend on a scene */
    uint32_t fit_width, fit_height; /* size: the box that the picture must fit into; 0: none */
    bool crop; /* cut off empty borders */
    const char *plane, *layers,
        *hide; /* numbers or names, as UTF-8; lists are separated by commas and may contain "objects" */
    const char *frame, *direction; /* for an animation: a number or name */
    LVL_RESERVED(4);
} lvl_render_words;

/* Initialises `out` without words; its options are those of lvl_render_options_init. */
void lvl_render_words_init(lvl_render_words *out);
/* Sets a word. LVL_ERR_MISSING: there is no such word; LVL_ERR_ARG: *bad, the value or an item of it, is not
 * valid. */
lvl_status lvl_render_words_set(lvl_render_words *draw, const char *name, const char *value, lvl_text *bad);
/* If camera or view is set: another word that was set and cannot be combined with them; NULL: none. */
const char *lvl_render_words_clash(const lvl_render_words *draw);
/* The options for a scene. `layers` has at least scene->layer_count + 1 items and must outlive *out.
 * LVL_ERR_MISSING: there is no layer *missing; `lenient`: layers to hide may be missing. Other errors as
 * lvl_render_size. */
lvl_status lvl_render_words_scene(const lvl_render_words *draw, const lvl_scene *scene, bool lenient,
                                  signed char *layers, lvl_render_options *out, lvl_text *missing);
/* Sets the layers of a list (in the syntax of the words) to be drawn, in the `layers` of
 * lvl_render_words_scene. False: there is no layer *missing. */
bool lvl_render_layers_mark(const lvl_scene *scene, const char *list, signed char *layers, lvl_text *missing);
/* Appends the names of the layers, separated by commas, as used in words; a number if a layer has no name. */
void lvl_render_layer_names(const lvl_scene *scene, lvl_buffer *out);
/* Only sets the size, for all frames of an animation; `scene` is one of them. */
lvl_status lvl_render_words_fit(const lvl_render_words *draw, const lvl_scene *scene,
                                lvl_render_options *options);
/* Sets the frame and direction of a request; by default the first frame, direction down. `page`: the
 * document's code page. LVL_ERR_MISSING: there is no such frame or direction, and *missing is the word. */
lvl_status lvl_render_words_frame(const lvl_render_words *draw, lvl_codepage page, const lvl_animation *play,
                                  lvl_scene_request *request, const char **missing);

/* Whether a text is "NAME=VALUE", with a name. */
bool lvl_render_is_choice(const char *text);
/* Makes choices of an animation (lvl_scene_request.choices) from such texts, in the document's code page; the
 * data they point to is appended to `storage`. LVL_ERR_MEMORY. */
lvl_status lvl_render_choices(lvl_codepage page, const char *const *texts, size_t count,
                              lvl_scene_choice *choices, lvl_buffer *storage);

#endif
