/*
 * lvl/tiled.h: levels as maps of the editor Tiled (mapeditor.org) and back.
 *
 * A map contains what a designer edits, and the level that it was made from (map property "lvl.origin", or a
 * file next to the map). Reading a map reads that level and applies the map's changes: an unchanged map gives
 * the bytes of the level. A map without its origin gives a new level.
 *
 * Threads: as in lvl/tools.h. Nothing here reads or writes files.
 */
#ifndef LVL_TILED_H
#define LVL_TILED_H

#include <lvl/doc.h>
#include <lvl/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- levels to maps ---------------------------------------------------------------------------------- */

typedef struct lvl_tiled_options {
    const lvl_art *art; /* where to search for pictures; NULL: tiles are drawn schematically */
    bool json; /* TMJ; else TMX */
    /* Prefix of the names of pictures in the map: a folder, with '/' at its end. NULL: "" */
    const char *folder;
    /* Pictures are named by the SHA-256 of their bytes, so that maps can share a folder; else "tiles-0.png".
     */
    bool by_content;
    bool no_pictures; /* the map refers to pictures, but none are made, which is faster */
    bool no_origin; /* leave out the level itself */
    bool typed; /* values with names have a type from lvl_tiled_project, for maps in such a project */
    LVL_RESERVED(4);
} lvl_tiled_options;

/* A file to be written: the map, a picture, or a level that is too large for the map. */
typedef struct lvl_tiled_file {
    const char *name; /* as in the map; NULL: the map itself */
    lvl_bytes bytes;
} lvl_tiled_file;

/* The first file is the map. */
typedef struct lvl_tiled_files {
    lvl_tiled_file *items;
    uint32_t count;
} lvl_tiled_files;

/* Whether documents of the format have a map. */
LVL_API bool lvl_tiled_can(const lvl_format *format);
/* Makes the map of a document, the first file, and the files that it refers to. *out is freed with
 * lvl_tiled_files_free, and borrows nothing. `options` may be NULL. LVL_ERR_UNSUPPORTED: the document cannot
 * be a map; LVL_ERR_LOSS: the document can't be written (lvl_write). `findings` may be NULL. */
LVL_API lvl_status lvl_tiled_write(const lvl_doc *doc, const lvl_tiled_options *options,
                                   lvl_tiled_files **out, lvl_findings *findings);
/* Frees the list with the names and bytes of its files. Accepts NULL. */
LVL_API void lvl_tiled_files_free(lvl_tiled_files *files);

/* Whether documents of the format are worlds of levels. Any thread. */
LVL_API bool lvl_tiled_can_world(const lvl_format *format);
/* Appends such a world as a .world file of Tiled, with the same file names of levels as in the document.
 * LVL_ERR_UNSUPPORTED: not a world; LVL_ERR_MEMORY. */
LVL_API lvl_status lvl_tiled_world(const lvl_doc *doc, lvl_buffer *out);

/* Appends a Tiled project (.tiled-project) to `out`: a type for each field whose values have names and
 * for each list of names of the game books, so that Tiled offers the names, and a class for each thing of the
 * books, with the members that it uses. Maps use these types with lvl_tiled_options.typed. LVL_ERR_MEMORY. */
LVL_API lvl_status lvl_tiled_project(const lvl_ctx *ctx, lvl_buffer *out);

/* ---- maps to levels ---------------------------------------------------------------------------------- */

typedef struct lvl_tiled_read_options {
    /* The format for a map without its origin; NULL: such a map is refused. */
    const lvl_format *format;
    /* Appends the bytes of a file that the map refers to (an external tileset, a template, a large origin) to
     * `out`; LVL_ERR_MISSING: there is no such file. NULL: there are none. */
    lvl_status (*fetch)(void *user, const char *name, lvl_buffer *out);
    void *user;
    /* Gets the bytes of the level that the map was made from, if the map has them; NULL: not wanted. The
     * caller frees it. */
    lvl_buffer *origin;
    /* For a map that lvl did not write: where to search for the pictures of the level's tiles, with which the
     * tiles of the map's tilesets are compared; NULL: they are not compared. */
    const lvl_art *art;
    /* For such a map: its tilesets that have the form of the level's own sheet are the sheet of that name
     * ("pics1.png"; WWD: an image set), tile for tile; NULL: only a tileset of the usual sheet's name is. */
    const char *tileset_is;
    /* For such a map: cells of tiles that the level does not have become empty, and flipped ones lose their
     * flips, each with a warning; else the map is refused. */
    bool allow_loss;
    /* For such a map, with has_empty_is: the tile of empty cells in a layer that has one everywhere (the
     * board of Graal); else the usual one. */
    bool has_empty_is;
    uint32_t empty_is;
    LVL_RESERVED(1);
} lvl_tiled_read_options;

/* Whether the bytes begin like a Tiled map, TMX or TMJ. */
LVL_API bool lvl_tiled_is_map(lvl_bytes bytes);
/* The level in a map, with the map's changes. A map that lvl did not write, with neither the level's format
 * (map property "lvl.format") nor a tileset of lvl (property "lvl.set"), may have any tilesets, chunks, and a
 * smaller size; its hidden layers, and objects that do not say what they are, are left out with a warning.
 * `changed` (may be NULL) gets whether there are any; if not,
 * lvl_write gives the bytes of the original level. `options` may be NULL. Findings name the layer and the
 * object or cell; `findings` may be NULL. LVL_ERR_FORMAT: not a map, a broken map, or one with content that
 * the level can't have; LVL_ERR_FOREIGN: a map without origin, and no options->format; LVL_ERR_LIMIT. *out is
 * NULL then. `bytes` may be freed afterwards. */
LVL_API lvl_status lvl_tiled_read(lvl_doc **out, const lvl_ctx *ctx, lvl_bytes bytes,
                                  const lvl_tiled_read_options *options, bool *changed,
                                  lvl_findings *findings);

#ifdef __cplusplus
}
#endif

#endif
