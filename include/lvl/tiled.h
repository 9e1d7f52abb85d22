/*
 * lvl/tiled.h: levels as maps of the editor Tiled (mapeditor.org) and back.
 *
 * A map holds what a designer edits, and the level from which it was made (map property "lvl.origin", or a
 * file next to the map). Reading a map reads that level and applies the differences that the map shows: an
 * unchanged map gives the bytes of the level. A map without its origin gives a new level.
 *
 * Threads: as lvl/tools.h. Nothing here reads or writes files.
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
    const lvl_art *art; /* where pictures are searched; NULL: tiles are drawn schematically */
    bool json; /* TMJ; else TMX */
    /* Prefix of the names of pictures in the map: a folder, with '/' at its end. NULL: "" */
    const char *folder;
    /* Pictures are named by the SHA-256 of their bytes, so that maps can share a folder; else "tiles-0.png".
     */
    bool by_content;
    bool no_pictures; /* the map names pictures, but none is made, which is faster */
    bool no_origin; /* leave out the level itself */
    bool typed; /* values with names have a type of lvl_tiled_project, for maps of such a project */
    LVL_ROOM(4);
} lvl_tiled_options;

/* A file to be written: the map, a picture, or a level that is too large for the map. */
typedef struct lvl_tiled_file {
    const char *name; /* as the map has it; NULL: the map itself */
    lvl_bytes bytes;
} lvl_tiled_file;

/* The map is the first of them. */
typedef struct lvl_tiled_files {
    lvl_tiled_file *items;
    uint32_t count;
} lvl_tiled_files;

/* Whether documents of the format have a map. */
LVL_API bool lvl_tiled_can(const lvl_format *format);
/* Makes the map of a document: the first file; all others are what it names. *out is freed with
 * lvl_tiled_files_free, and borrows nothing. `options` may be NULL. LVL_ERR_UNSUPPORTED: such documents have
 * no map; LVL_ERR_LOSS: the document can't be written (lvl_doc_write). `findings` may be NULL. */
LVL_API lvl_status lvl_tiled_write(const lvl_doc *doc, const lvl_tiled_options *options,
                                   lvl_tiled_files **out, lvl_findings *findings);
/* Frees the list with the names and bytes of its files. NULL: nothing happens. */
LVL_API void lvl_tiled_files_free(lvl_tiled_files *files);

/* Whether documents of the format are worlds of levels. Any thread. */
LVL_API bool lvl_tiled_can_world(const lvl_format *format);
/* Appends such a world as a .world file of Tiled: it names the files of the levels as the document does.
 * LVL_ERR_UNSUPPORTED: it is no world; LVL_ERR_MEMORY. */
LVL_API lvl_status lvl_tiled_world(const lvl_doc *doc, lvl_buffer *out);

/* A project of Tiled (.tiled-project), appended to `out`: a type for each field whose values have names, so
 * that Tiled offers the names. Maps use these types with lvl_tiled_options.typed. LVL_ERR_MEMORY. */
LVL_API lvl_status lvl_tiled_project(const lvl_ctx *ctx, lvl_buffer *out);

/* ---- maps to levels ---------------------------------------------------------------------------------- */

typedef struct lvl_tiled_read_options {
    /* The level that a map without its origin becomes; NULL: such a map is refused. */
    const lvl_format *format;
    /* Appends the bytes of a file that the map names (an external tileset, a template, a large origin) to
     * `out`; LVL_ERR_MISSING where there is none. NULL: there are none. */
    lvl_status (*fetch)(void *user, const char *name, lvl_buffer *out);
    void *user;
    /* The bytes of the level that the map was made of are appended to it, if the map has them; NULL: they
     * aren't wanted. The caller frees it. */
    lvl_buffer *origin;
    LVL_ROOM(4);
} lvl_tiled_read_options;

/* Whether the bytes begin like a map of Tiled, TMX or TMJ. */
LVL_API bool lvl_tiled_is_map(lvl_bytes bytes);
/* The level that a map holds, with the map's changes. `changed` (may be NULL) gets whether there are any; if
 * not, lvl_doc_write gives the bytes of the original level. `options` may be NULL. Findings name the layer
 * and the object or cell; `findings` may be NULL. LVL_ERR_FORMAT: no map, a broken one, or one with content
 * that the level can't have; LVL_ERR_FOREIGN: a map without origin, and no options->format; LVL_ERR_LIMIT.
 * *out is NULL then. `bytes` may be freed afterwards. */
LVL_API lvl_status lvl_tiled_read(lvl_doc **out, const lvl_ctx *ctx, lvl_bytes bytes,
                                  const lvl_tiled_read_options *options, bool *changed,
                                  lvl_findings *findings);

#ifdef __cplusplus
}
#endif

#endif
