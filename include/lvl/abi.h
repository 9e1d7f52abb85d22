/*
 * lvl/abi.h: the library as a flat interface of handles and calls, for bindings to other languages. Functions
 * take handles, texts and numbers, and return results; no structs of other headers are passed. Bindings are
 * generated from the tables that lvl_abi_formats describes (bindings/), and reach the members of records
 * through the offsets that lvl_abi_layout gives for the library that is running.
 *
 * Texts are UTF-8 and end with a NUL, except where a length is given. A list of texts is a sequence of such
 * texts, ended by an empty one; NULL is an empty list. `options` is a list of texts "name=value"; an unknown
 * name or a bad value is LVL_ERR_ARG. Options that can have several values ("art=FOLDER") may be repeated.
 *
 * Results: every call that can fail returns a lvl_abi_result, to be freed with lvl_abi_result_free, or NULL
 * if out of memory. Everything it points to lives until then, except `doc`, which is the caller's
 * (lvl_abi_close).
 *
 * Threads: one call for each document at a time. Calls with different documents may run at once.
 *
 * Memory: records, texts and grids that were reached from lvl_abi_root stay readable until lvl_abi_close,
 * even after they were removed from the document: an edit never frees memory. Pointers to records must belong
 * to that document; they are not checked.
 */
#ifndef LVL_ABI_H
#define LVL_ABI_H

#include <lvl/record.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface: raised when a call or the result changes so that older bindings would fail.
 * New calls and new names of options do not raise it. */
enum { LVL_ABI = 1 };
/* LVL_ABI of the library that is loaded. Any thread. */
LVL_API uint32_t lvl_abi_version(void);

typedef struct lvl_abi_doc lvl_abi_doc;
/* Folders, archives and decoded pictures that documents share. */
typedef struct lvl_abi_art lvl_abi_art;

typedef struct lvl_abi_result {
    int32_t status; /* lvl_status */
    uint32_t width, height; /* size of a picture or grid */
    uint32_t reserved;
    uint64_t count; /* what the call counts: changed values, conflicts, differences */
    lvl_abi_doc *doc; /* a new document, or NULL */
    const uint8_t *data; /* text (UTF-8), JSON, a file or pixels; may be NULL if `len` is 0 */
    size_t len;
    const char
        *findings; /* a JSON array as in lvl_abi_check; may be NULL if `findings_len` is 0: there are none */
    size_t findings_len;
    const char *message; /* one sentence for people, NUL-ended; "" if `status` is LVL_OK */
} lvl_abi_result;

/* Accepts NULL. */
LVL_API void lvl_abi_result_free(lvl_abi_result *result);

/* ---- descriptions ------------------------------------------------------------------------------------ */

/* All formats: a JSON array of {"id","family","title","extensions","can","forms","programs","tables"};
 * "tables" are the records by name, the root's first: prose, label, and for each field name, prose, unit,
 * kind, role, names of values, range, and what it refers to. */
LVL_API lvl_abi_result *lvl_abi_formats(void);
/* How the records of a format lie in this library's memory, as JSON: {"root": table, "pointer": bytes of a
 * pointer, "tables": {name: {"size": bytes of the struct, "fields": {name: [kind, offset, size, flags,
 * offset of a list's count, kind of its items, bytes of an item or cell, table or null, LVL_ROLE]}}}}. Kinds
 * and roles are numbers of lvl_kind and lvl_role. LVL_ERR_MISSING: no such format. */
LVL_API lvl_abi_result *lvl_abi_layout(const char *format);
/* The field of a table of a format, for the calls below; NULL: there is none. Static storage. Any thread. */
LVL_API const lvl_field *lvl_abi_field(const char *format, const char *table, const char *field);
/* The JSON Schema of a format's dumps. LVL_ERR_MISSING: no such format. */
LVL_API lvl_abi_result *lvl_abi_schema(const char *format);
/* Findings, one JSON object per line: id, meaning, severity in each profile, what repair does. `id`
 * NULL: all; else those with that id, or whose id begins with it and a '.' ("wwd.object").
 * LVL_ERR_MISSING: none. */
LVL_API lvl_abi_result *lvl_abi_findings(const char *id);

/* ---- documents --------------------------------------------------------------------------------------- */

/* Reads a document; the bytes are copied. `name` (may be NULL) is the file's name or path, for probing,
 * messages and art. Options: format (an id), profile (of rules, or of a program), codepage, input_bytes,
 * memory_bytes, cells, items, depth, inflate_ratio, findings, work (limits); verdict: it is checked while it
 * is read, and `count` is the lvl_verdict. A damaged file is LVL_OK with findings. */
LVL_API lvl_abi_result *lvl_abi_open(const void *bytes, size_t len, const char *name, const char *options);
/* The summary of a file without keeping a document, for many files: like lvl_abi_info with json=1. Arguments
 * and statuses as for lvl_abi_open; the bytes are not copied. */
LVL_API lvl_abi_result *lvl_abi_scan(const void *bytes, size_t len, const char *name, const char *options);
/* Like lvl_abi_open, from a path, which may be that of a member of an archive:
 * "pack.levelpack//levels/hill.level", "old.zip//backup.7z//castle.nw". LVL_ERR_MISSING, LVL_ERR_IO. */
LVL_API lvl_abi_result *lvl_abi_load(const char *path, const char *options);
/* The files and folders of an archive, or below a folder in one, as lvl_abi_members. `path` names it as for
 * lvl_abi_load. */
LVL_API lvl_abi_result *lvl_abi_list(const char *path);
/* Makes a document from a dump. Options as above, without format. */
LVL_API lvl_abi_result *lvl_abi_undump(const void *json, size_t len, const char *name, const char *options);
/* Makes a new, empty level. Options as above, and form, ending, width, height, base (lvl_new). `like`
 * may be NULL. */
LVL_API lvl_abi_result *lvl_abi_new(const char *format, const lvl_abi_doc *like, const char *options);
/* Accepts NULL. */
LVL_API void lvl_abi_close(lvl_abi_doc *doc);

/* The root record, described by the format's first table. NULL for NULL. */
LVL_API void *lvl_abi_root(lvl_abi_doc *doc);
/* The id of its format; static storage. NULL for NULL. */
LVL_API const char *lvl_abi_format(const lvl_abi_doc *doc);
/* The code page of its texts, a number of lvl_codepage. */
LVL_API int32_t lvl_abi_codepage(const lvl_abi_doc *doc);

/* The document as its file: the same bytes as were read if nothing was changed; else the result is read
 * again and compared, as lvl_write does. LVL_ERR_LOSS: the format cannot represent a value; or the source
 * is cut off, and the edited file, which might replace it, would look whole. Options: damaged (it is
 * written all the same). */
LVL_API lvl_abi_result *lvl_abi_write(lvl_abi_doc *doc, const char *options);
/* The same into a file, which is replaced completely or not at all. Saving to a file other than the source is
 * allowed even if the source is cut off. */
LVL_API lvl_abi_result *lvl_abi_save(lvl_abi_doc *doc, const char *path, const char *options);

/* ---- reading ----------------------------------------------------------------------------------------- */

/* Options: json, summary, counts, no_name (the name is left out), art (may be repeated). */
LVL_API lvl_abi_result *lvl_abi_info(lvl_abi_doc *doc, const char *options);
/* The bytes of the sound that the document names so: of a WWD by its key, else by the name of its file, as a
 * field with the use "sound" or the game's book says. Options: art. LVL_ERR_MISSING: the art has none. */
LVL_API lvl_abi_result *lvl_abi_sound(lvl_abi_doc *doc, const char *name, const char *options);
/* Options: compact, no_kept, path. */
LVL_API lvl_abi_result *lvl_abi_dump(lvl_abi_doc *doc, const char *options);
/* Options: json, paths. `count`: number of matches. */
LVL_API lvl_abi_result *lvl_abi_get(lvl_abi_doc *doc, const char *path, const char *options);
/* Explains the bytes that were read. Options: at (a position), path, residue, all, depth, bits, json. */
LVL_API lvl_abi_result *lvl_abi_explain(lvl_abi_doc *doc, const char *options);
/* The streams in the file from which the document was read: a JSON array of
 * {"id","base","size","place","name","called"}. With `id`: the inflated bytes of that one; LVL_ERR_MISSING:
 * there is none. */
LVL_API lvl_abi_result *lvl_abi_spaces(lvl_abi_doc *doc, uint32_t id);
/* Checks the document as it would be written now: one line of JSON:
 *
 *     {"file":…,"format":…,"sha256":…,"verdict":…,"residue":…,"kept":…,"roundtrip":…,
 *      "findings":[{"id","severity","offset","length","path","text"}…]}
 *
 * offset and length are in bytes, null if unknown; "outer" is the offset of the stream, if the finding is in
 * one; roundtrip and sha256 are there if requested. Options: roundtrip,
 * sha256, text (the findings as lines for people), art. `count`: 0 if the verdict is "sound", else the
 * number of a lvl_verdict. */
LVL_API lvl_abi_result *lvl_abi_check(lvl_abi_doc *doc, const char *options);
/* `count`: 1 if they differ. Options: json, summary. Late members are decoded. */
LVL_API lvl_abi_result *lvl_abi_diff(lvl_abi_doc *a, lvl_abi_doc *b, const char *options);
/* For a list of paths in `before`, the paths of the same items in `after`, another state of the document,
 * each ended by a NUL; an empty path: the item is gone. LVL_ERR_ARG: a path with several matches. */
LVL_API lvl_abi_result *lvl_abi_follow(const lvl_abi_doc *before, const char *paths, lvl_abi_doc *after);
/* The members of an archive: a JSON array of {"path","size","time","folder"}. */
LVL_API lvl_abi_result *lvl_abi_members(lvl_abi_doc *doc);
/* The bytes of a member. LVL_ERR_LOSS: it is damaged, and the bytes are what could be read. */
LVL_API lvl_abi_result *lvl_abi_member(lvl_abi_doc *doc, const char *path);

/* ---- pictures ---------------------------------------------------------------------------------------- */

/* The pictures of a call come from its options "art"; else from the art of the document (lvl_abi_use_art);
 * else from the surroundings of the file that it was loaded from. An art decodes each picture only once.
 * Until lvl_abi_root is called for a document, its scene is kept between calls, too. */

/* The caller's own files, instead of those on disk. Paths are UTF-8 with '/' between the parts: those that
 * were given, and others derived from them. */
typedef struct lvl_abi_files {
    void *user;
    /* 1: a file, 2: a folder, 0: nothing */
    int32_t (*kind)(void *user, const char *path);
    /* Passes the bytes of a file, or the names in a folder, each ended by a NUL, to lvl_abi_give. Returns 0,
     * or LVL_ERR_MISSING, LVL_ERR_IO or LVL_ERR_MEMORY. */
    int32_t (*read)(void *user, const char *path, void *out);
    int32_t (*list)(void *user, const char *path, void *out);
} lvl_abi_files;

/* Appends bytes to the result of a function of lvl_abi_files; `to` is the argument it was called with. */
LVL_API void lvl_abi_give(void *to, const void *bytes, size_t len);
/* Makes an art for documents. `level` (may be NULL): path of a level; its folder and the folders above it are
 * searched, too. `roots`: a list of folders, archives and pictures; those that cannot be opened are skipped.
 * `files`: copied; NULL: the files on disk. Nothing is opened before it is needed. NULL: out of memory. Of
 * the documents that share an art, only one may be used at a time. */
LVL_API lvl_abi_art *lvl_abi_art_new(const char *level, const char *roots, const lvl_abi_files *files);
/* An art for many documents that were loaded from paths, such as all levels of a folder. For each document
 * its own folder and those above it are searched, too, but folders that do not change on disk are listed and
 * opened once. `roots` as above; one that cannot be opened is an error of the call that needs it. NULL
 * without memory. */
LVL_API lvl_abi_art *lvl_abi_art_shared(const char *roots);
/* Releases the caller's reference; documents that use the art keep theirs. Accepts NULL. */
LVL_API void lvl_abi_art_free(lvl_abi_art *art);
/* Sets the art that the document's pictures come from; NULL: none. */
LVL_API void lvl_abi_use_art(lvl_abi_doc *doc, lvl_abi_art *art);
/* The art of a document, which the caller does not free; NULL: none. */
LVL_API lvl_abi_art *lvl_abi_art_of(const lvl_abi_doc *doc);

/* A picture as PNG, or with pixels=1 four bytes a pixel, or with measure=1 only its width and height.
 * Options: the words of `lvl render` (size, scale, region, camera, view, plane, layers, hide, overlay, crop,
 * schematic, transparent, frame, direction), show (planes that are drawn in any case), adjoining (the region
 * will be joined with others: labels stay where the whole picture has them), with (NAME=VALUE, may be
 * repeated), sheet, apng or gif (all frames of an animation), missing (findings name the pictures that were
 * not found), art (may be repeated). LVL_ERR_MISSING: no such plane, frame or direction. */
LVL_API lvl_abi_result *lvl_abi_render(lvl_abi_doc *doc, const char *options);
/* The scene of a document as JSON: title, width, height and place of the whole picture, art found and
 * missing, "layers", "things" with their path in the document (null: none) and rectangle, "arrows"
 * (lvl_scene_link), and "links" to other files. Rectangles are [left, top, width, height] in px of the
 * main layer. Options: frame, direction, with, art. */
LVL_API lvl_abi_result *lvl_abi_scene(lvl_abi_doc *doc, const char *options);
/* The timing of an animation as JSON: frames, directions, durations (ms), names, loops, bounds. Options:
 * with, art. LVL_ERR_UNSUPPORTED: not an animation. */
LVL_API lvl_abi_result *lvl_abi_animation(lvl_abi_doc *doc, const char *options);
/* A picture of a game (PID, PCX, BMP) as a PNG with its palette. */
LVL_API lvl_abi_result *lvl_abi_png(lvl_abi_doc *doc);
/* The tile set of a layer: the pictures of cell values from `first`, as pixels. Options: layer, first,
 * columns, rows (16 each), art. */
LVL_API lvl_abi_result *lvl_abi_tiles(lvl_abi_doc *doc, const char *options);
/* A cell of a layer as JSON: {"value","empty","look" (lvl_tile_class),"inner","name" (the game's word for the
 * look)}. */
LVL_API lvl_abi_result *lvl_abi_cell(lvl_abi_doc *doc, uint32_t layer, uint32_t column, uint32_t row);
/* The places where two documents look different: a JSON array of [lvl_change_kind, 1 for a thing, left, top,
 * width, height]; `count` of them. Options: frame, direction, with, art. */
LVL_API lvl_abi_result *lvl_abi_changes(lvl_abi_doc *a, lvl_abi_doc *b, const char *options);

/* ---- changing ---------------------------------------------------------------------------------------- */

/* Applies a list of assignments "path=value" (lvl_set), all or none. `count`: number of changes. */
LVL_API lvl_abi_result *lvl_abi_set(lvl_abi_doc *doc, const char *assignments);
/* Resets a list of paths to their defaults (lvl_unset), all or none. `count`: number of changes. */
LVL_API lvl_abi_result *lvl_abi_unset(lvl_abi_doc *doc, const char *paths);
/* Copies the matches of a path from another document (lvl_copy); `to_path` may be NULL. `count`: number of
 * copies. */
LVL_API lvl_abi_result *lvl_abi_copy(lvl_abi_doc *to, const char *to_path, lvl_abi_doc *from,
                                     const char *from_path);
/* Options: plane, width, height, anchor_x, anchor_y (lvl_resize). `count`: number of planes changed. */
LVL_API lvl_abi_result *lvl_abi_resize(lvl_abi_doc *doc, const char *options);
/* Moves the objects of a list of paths, or a region of tiles (lvl_move), all or none. Options: by (right and
 * down: "64,-32"; given once, or for each path), unit (px, which is the default; own, tiles), outside, tiles
 * (column, row, width and height of a region), plane. `count`: number of objects moved, plus 1 for a
 * region. */
LVL_API lvl_abi_result *lvl_abi_move(lvl_abi_doc *doc, const char *paths, const char *options);
/* Copies the objects that a list of paths finds in another document, as lvl_abi_copy does, together: what one
 * of them names among the others is the copy. The copies move as by lvl_abi_move, and no other object does.
 * Options: those of lvl_abi_move, with `by` once. `to_path` NULL: to the list of the first path. `count`:
 * number of copies. */
LVL_API lvl_abi_result *lvl_abi_copy_moved(lvl_abi_doc *to, const char *to_path, lvl_abi_doc *from,
                                           const char *paths, const char *options);
/* Sets a member of an archive; `bytes` NULL removes it. */
LVL_API lvl_abi_result *lvl_abi_put_member(lvl_abi_doc *doc, const char *path, const void *bytes, size_t len);

/* The calls below make a new document (`doc` of the result) and do not change theirs. */

/* Converts to another form of its family, or by drawing to a format of another family (lvl_convert_scene).
 * The findings are the losses. Options: allow_loss, scale_down, art. `data`: the file. LVL_ERR_LOSS: there
 * are losses, and allow_loss is not set. */
LVL_API lvl_abi_result *lvl_abi_convert(lvl_abi_doc *doc, const char *form, const char *options);
/* The findings are the repairs. Options: recover, normalize, art. `data`: the file. */
LVL_API lvl_abi_result *lvl_abi_repair(lvl_abi_doc *doc, const char *options);
/* Options: prefer (ours, theirs, base), markers. `count`: number of conflicts, which are the findings.
 * `data`: the file. Late members of `base` and `theirs` are decoded. */
LVL_API lvl_abi_result *lvl_abi_merge(lvl_abi_doc *base, lvl_abi_doc *ours, lvl_abi_doc *theirs,
                                      const char *options);

/* ---- records ----------------------------------------------------------------------------------------- */

/* Numbers are read and assigned in place. In these calls, `record` is a record of the document and `field` a
 * field of its table (lvl_abi_field); they return a lvl_status, LVL_ERR_ARG for NULL, a wrong kind or an
 * index past the end. */

/* Sets a member of kind text (in the document's code page) or bytes to a copy. LVL_ERR_ARG: It does not
 * fit. */
LVL_API int32_t lvl_abi_put(lvl_abi_doc *doc, void *record, const lvl_field *field, const void *bytes,
                            size_t len);
/* The same for an item of a list of texts. */
LVL_API int32_t lvl_abi_put_item(lvl_abi_doc *doc, void *record, const lvl_field *field, uint32_t index,
                                 const void *bytes, size_t len);
/* Inserts default items before `index` (lvl_list_insert). Items move: pointers to them become invalid. */
LVL_API int32_t lvl_abi_insert(lvl_abi_doc *doc, void *record, const lvl_field *field, uint32_t index,
                               uint32_t count);
/* Removes `count` items at `index` (lvl_list_remove). Items move: pointers to them become invalid. */
LVL_API int32_t lvl_abi_remove(lvl_abi_doc *doc, void *record, const lvl_field *field, uint32_t index,
                               uint32_t count);
/* A writable copy of a grid, to which the member then points (lvl_cells_edit); NULL: no grid, or out of
 * memory. */
LVL_API uint8_t *lvl_abi_cells(lvl_abi_doc *doc, void *record, const lvl_field *field);
/* A copy of the content of a member of kind bytes or cells, decoded if it is late: in `data`, and for cells
 * also width, height and, in `count`, the bytes of a cell. */
LVL_API lvl_abi_result *lvl_abi_content(lvl_abi_doc *doc, const void *record, const lvl_field *field);

#ifdef __cplusplus
}
#endif

#endif
