/*
 * lvl/tools.h: operations on any document, over the field tables: dump and undump, paths with get, set and
 * unset, explain, check, repair, diff, JSON Schema and the format reference. There is no code for single
 * formats here.
 *
 * Output is UTF-8 and is appended to a lvl_buffer; check the returned status (it includes the buffer's own).
 * JSON outputs end with a newline. Options may be NULL where that is documented, and all zeros is always the
 * default. Errors are reported as findings whose text is a sentence for people; `findings` may be NULL
 * everywhere.
 *
 * Threads: functions that take a const lvl_doc only read it and may run at the same time; the others edit it,
 * and no other thread may use it meanwhile.
 */
#ifndef LVL_TOOLS_H
#define LVL_TOOLS_H

#include <lvl/doc.h>
#include <lvl/image.h>

#ifdef __cplusplus
extern "C" {
#endif

struct lvl_art;

/* ---- dump and undump --------------------------------------------------------------------------------- */

typedef struct lvl_dump_options {
    bool compact; /* no line breaks and indents */
    /* leave out spelling ("~") and derived values that disagree: undump then writes the file in the usual
     * spelling. Lists without order (LVL_F_UNORDERED) are sorted by label, so that the same content gives the
     * same text, whichever program wrote the file */
    bool no_kept;
    /* only the matches of this path, a dump each, with "path" and "value" instead of "doc"; NULL:
     * everything */
    const char *path;
    LVL_ROOM(4);
} lvl_dump_options;

/* Writes the document as JSON:
 *
 *     {"lvl":1,"format":"…","encoding":"windows-1252","doc":{…}}
 *
 * Fields are in the order of the table; those with their default are left out. A value with a name is that
 * name ("main"), otherwise a number; flags are "a|b|0x20"; text is a string in the document's code page, NULs
 * included, a script or sign of several lines an array of its lines (unless compact); bytes, and text that is
 * broken UTF-8, are {"base64":"…"}; cells are {"width":w,"height":h,"rows":[…]} (and "size", bytes of a cell,
 * if it is not that of the table) with one string of runs for each row (".*60 13 14*3"); rows are null if
 * there are no cells. Derived fields are written only if the file disagrees with the computed value; spelling
 * is under "~" of its record, unless the writer can regenerate it. `options` may be NULL. LVL_ERR_ARG or
 * LVL_ERR_MISSING: the path is wrong or has no match. */
LVL_API lvl_status lvl_dump(const lvl_doc *doc, const lvl_dump_options *options, lvl_buffer *out,
                            lvl_findings *findings);

/* Makes a document from a dump. Writing it gives the file that was dumped, byte for byte, damaged or not
 * (unless it was dumped without kept spelling). Unknown and duplicate keys, values of the wrong kind, and
 * characters that the code page lacks are errors; each is a finding with its path. The context's limits
 * apply. LVL_ERR_FORMAT: not JSON, or errors as above; LVL_ERR_FOREIGN: JSON, but not a dump or of an unknown
 * format. `json` may be freed afterwards. */
LVL_API lvl_status lvl_undump(lvl_doc **out, const lvl_ctx *ctx, lvl_text json, lvl_findings *findings);

/* ---- paths ------------------------------------------------------------------------------------------- */

/* A path selects one or many values below the root record:
 *
 *     planes[0].objects[3].logic       the first item is 0
 *     planes[-1]                       counted from the end
 *     planes[*].objects[*].x           all items
 *     planes["Action"].name            items whose label (the field that the table names) is this text
 *     planes[2:5]  planes[-3:]         items 2, 3 and 4; the last three
 *     objects[logic=Rat,x>=100].health items that meet every condition: = != < > <= >=, and ~ (text:
 *                                      contains, ignoring case; flags: has all of them); the field may
 *                                      be a.b.c; the value may be quoted
 *     objects[logic=Rat|logic=Officer] items that meet either; | binds less tightly than a comma
 *     objects[not logic=Rat]           items that do not meet it
 *     objects[+]                       a new item at the end (set only)
 *     tiles[5,7]                       the cell in column 5 of row 7
 *     tiles[0,0 9,4]  tiles[0..9,0..4] a region, both corners included
 *     tiles[=10]                       every cell that has this value
 *     tiles[fill 5,7]                  the connected cells of the same value, as runs of rows
 *     layers[0].chunks[-9,0 99,50]     of a drawing: pixels of the whole layer, in coordinates of the level;
 *                                      empty where there is no chunk. The same for [fill 5,7]
 *
 * A value or key may be quoted ("…", with \" and \\). A list's name without brackets is the list as a whole.
 * "" is the document. "title" and "name" both select the name of a document, whichever of the two its format
 * has. */

/* Checks the grammar of a path, or of an assignment for lvl_set, without a document: LVL_ERR_ARG with a
 * finding that describes the error, LVL_ERR_MEMORY. Any thread. */
LVL_API lvl_status lvl_path_check(const char *path, bool assignment, lvl_findings *findings);

typedef struct lvl_get_options {
    bool json; /* lines of JSON {"path":…,"value":…}; else lines of plain values */
    bool paths; /* plain: lines "path=value", as for lvl_set */
    LVL_ROOM(4);
} lvl_get_options;

/* Writes each value that matches the path, in document order, one per line: numbers, names and texts plainly,
 * everything else as one line of JSON as in a dump; a matching record includes members with their default.
 * LVL_ERR_ARG: no such path (a finding suggests a similar one); LVL_ERR_MISSING: a valid path without a
 * match. `count` (may be NULL) gets the number of matches. `options` may be NULL. */
LVL_API lvl_status lvl_get(const lvl_doc *doc, const char *path, const lvl_get_options *options,
                           lvl_buffer *out, size_t *count, lvl_findings *findings);

/* Applies `count` assignments "path=value" one after the other, all or none: on any error the document is
 * unchanged. Values depend on the kind of field: a number (decimal, 0x…), a name, flags "a|b|0x20", a plain
 * text, or a JSON string if it begins with a quote; lists, records, bytes and cells as JSON like in a dump (a
 * record is replaced as a whole, missing keys get their defaults). A region of cells is set to one value (a
 * number, a symbol, or the label of the item that it refers to, as in "=grass"), a JSON array of row strings
 * of its size, or cells of its size as lvl_get writes them; a single cell is the upper left corner for such
 * cells. Pixels of a layer outside of all chunks add a chunk. "list[+]" is a new item after the last one,
 * "list[+2]" one before item 2; if items of the list have ids, it gets a unique one. "list[3]@=0" moves the
 * matching items to index 0 of the list, or with -1 to its end. "path+=value" and "path-=value" add to and
 * subtract from numbers, flags and lists (of lists: append one item, or each of a JSON array; remove the
 * items that equal the value, records by their label); "path*=value" multiplies a number; integers are
 * rounded to the nearest, halves away from 0. Members with LVL_F_FOLLOWS follow their lists. Derived fields
 * cannot be set; they are computed at the end. `changed` (may be NULL) gets the number of assigned values.
 * LVL_ERR_ARG: bad path or value; LVL_ERR_MISSING: a path without a match. */
LVL_API lvl_status lvl_set(lvl_doc *doc, const char *const *assignments, size_t count, size_t *changed,
                           lvl_findings *findings);

/* Resets the matches of each path to their defaults: removes list items, empties lists and texts. All or
 * none; derived fields follow. */
LVL_API lvl_status lvl_unset(lvl_doc *doc, const char *const *paths, size_t count, size_t *changed,
                             lvl_findings *findings);

/* Copies the matches of `from_path` in `from` to another document, `to`, all or none. Items of a list are
 * added to the list at `to_path` ("objects", "objects[+2]"; NULL: the list with that path in `to`); in an
 * unordered list they replace items of the same name. Cells are copied to the region at `to_path`, or to the
 * one with that upper left corner (NULL: the same place); any other value to each match. References to items
 * of a list (LVL_F_FOLLOWS) are kept: an item that is missing in `to` is copied as well (lvl.copy.added);
 * items with ids get unique ones, and links between them follow. A reference to something else in `to`, or to
 * nothing, is the finding lvl.copy.reference. `copied` (may be NULL) gets the number of items, regions or
 * values. Late members of both documents are decoded where they are copied. LVL_ERR_ARG: bad paths, or
 * another kind of value; LVL_ERR_MISSING: a path without a match; LVL_ERR_LOSS: `to` cannot represent the
 * value. */
LVL_API lvl_status lvl_copy(lvl_doc *to, const char *to_path, const lvl_doc *from, const char *from_path,
                            size_t *copied, lvl_findings *findings);

typedef struct lvl_resize_options {
    const char *plane; /* "2", "-1", "*", or a name, as in the brackets of a path; NULL: the main one */
    uint32_t width, height; /* cells */
    /* which part keeps its position: -1 the left or upper edge, 0 the middle, 1 the right or lower edge */
    int anchor_x, anchor_y;
    LVL_ROOM(4);
} lvl_resize_options;

/* Changes the size of planes, all or none. New cells are empty; objects on the plane, and their members that
 * are positions, move with its content; with the main plane also the start. Cells that are cut off and
 * objects that are outside afterwards are findings (lvl.resize.cut). `changed` (may be NULL) gets the number
 * of planes that had another size. LVL_ERR_UNSUPPORTED: the format has no planes, or they have a fixed size;
 * LVL_ERR_MISSING: no such plane; LVL_ERR_ARG: a place does not fit its field. */
LVL_API lvl_status lvl_resize(lvl_doc *doc, const lvl_resize_options *options, size_t *changed,
                              lvl_findings *findings);

typedef struct lvl_new_options {
    const char *form; /* as for lvl_convert; NULL: the format's usual one */
    const char *ending; /* of the new file, without dot, if the kind of document depends on it; or NULL */
    uint32_t width, height; /* of the main plane, cells (of drawings, which have none: px); 0: as usual */
    /* another level, of the format or of one that converts to it: the new one has its planes, palette, tile
     * properties and settings, but neither its cells nor its objects; or NULL */
    const lvl_doc *like;
    LVL_ROOM(4);
} lvl_new_options;

/* A new, empty level that the game loads; to be freed. `options` may be NULL. LVL_ERR_UNSUPPORTED: the format
 * has no new documents; LVL_ERR_ARG: a size that it cannot have, or `like` is of another family;
 * LVL_ERR_LOSS: the form cannot represent what `like` has. `*out` is NULL then. */
LVL_API lvl_status lvl_new(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format,
                           const lvl_new_options *options, lvl_findings *findings);

/* Writes a document that was edited, as lvl_doc_write does, then reads the result and compares it. Returns
 * LVL_OK only if the file has the whole content. LVL_ERR_LOSS: it has not, since the format cannot
 * represent a value (a member that needs another one, a key that the game would not read), or the file
 * would not be known as one of its format any more; the finding lvl.write.lost lists the differences.
 * Decodes late members of `doc`, so it counts as an edit for threads. `findings` may be NULL. After an
 * error the bytes appended to `out` must not be used. */
LVL_API lvl_status lvl_doc_write_verified(lvl_doc *doc, lvl_buffer *out, lvl_findings *findings);
/* The same into a file, which is created, or replaced as a whole: on any error an existing file is unchanged.
 * LVL_ERR_IO, LVL_ERR_MISSING: errno has the reason. Before the file of a damaged document is replaced, ask
 * lvl_doc_may_replace. */
LVL_API lvl_status lvl_doc_save_verified(lvl_doc *doc, const char *path, lvl_findings *findings);

/* The same, and checks what was written by the rules of lvl_check: `added` gets each finding of at least that
 * severity that it has and the source of `doc` has not, without positions. A document without a source has
 * none. `added` may be NULL. */
LVL_API lvl_status lvl_doc_write_checked(lvl_doc *doc, lvl_buffer *out, lvl_findings *findings,
                                         lvl_severity least, lvl_findings *added);

/* Whether an edit may replace the source of `doc` by `written`, its file now. LVL_ERR_LOSS: it may not:
 * the source lacks content (lvl_doc_cuts), and what was written would look whole. A text of JSON or a zip
 * that is cut off becomes a whole one when it is written, for example. */
LVL_API lvl_status lvl_doc_may_replace(const lvl_doc *doc, lvl_bytes written);

/* ---- explain ----------------------------------------------------------------------------------------- */

typedef enum lvl_explain_mode {
    LVL_EXPLAIN_RECORDS, /* a line for each record, string, grid, stream; in a text format for each record */
    LVL_EXPLAIN_AT, /* the field at one offset, with the records around it */
    LVL_EXPLAIN_PATH, /* every field of the matches of a path */
    LVL_EXPLAIN_RESIDUE, /* only the bytes that belong to no field */
    LVL_EXPLAIN_ALL /* every field of the whole file, with its meaning once, and the residue */
} lvl_explain_mode;

typedef struct lvl_explain_options {
    lvl_explain_mode mode;
    /* LVL_EXPLAIN_AT: "0x1a3" in the file, "0x5f4/0x697" in the content of the stream at 0x5f4, "0x8.5" a
     * bit; or decimal */
    const char *at;
    const char *path; /* LVL_EXPLAIN_PATH */
    unsigned depth; /* RECORDS: steps of a path; deeper records are counted; 0: no limit */
    bool bits; /* positions and lengths in bits, and a line for each span that is finer than a byte */
    /* one JSON object a line: offset, length (bytes), outer (offset of the stream, if in one), role, path,
     * name, value, raw (hex, the first bytes), unit, prose */
    bool json;
    LVL_ROOM(4);
} lvl_explain_options;

/* Explains the bytes that the document was read from (an undumped document has none: LVL_ERR_MISSING).
 * `options` may be NULL. */
LVL_API lvl_status lvl_explain(const lvl_doc *doc, const lvl_explain_options *options, lvl_buffer *out,
                               lvl_findings *findings);

/* The number of bits of the document's input and of its streams' content that are no field, derived value,
 * spelling, container or padding: 0 for every sound file. `overlap` (may be NULL) gets the number of bits
 * that belong to two fields, which means a bug in the reader. */
LVL_API lvl_status lvl_residue(const lvl_doc *doc, uint64_t *bits, uint64_t *overlap);

/* ---- info -------------------------------------------------------------------------------------------- */

typedef struct lvl_info_options {
    const char *file; /* the file's name in the output, UTF-8; or NULL */
    bool json; /* one line of JSON; else lines for people */
    bool summary; /* for people: one line */
    bool color; /* for people: with the escape sequences of terminals */
    /* also counts that need decoding (the pixels of a drawing) */
    bool counts;
    const struct lvl_art *art; /* where to search pictures; or NULL */
    LVL_ROOM(4);
} lvl_info_options;

/* Appends a summary of a document: its size, contents, and facts of its format. `options` may be NULL.
 * LVL_ERR_MEMORY, LVL_ERR_LIMIT, LVL_ERR_STOPPED: nothing was appended. */
LVL_API lvl_status lvl_info_write(const lvl_doc *doc, const lvl_info_options *options, lvl_buffer *out);

/* ---- check ------------------------------------------------------------------------------------------- */

typedef enum lvl_verdict {
    LVL_SOUND, /* no error in the context's profile */
    LVL_DAMAGED, /* read, with errors */
    LVL_UNREADABLE, /* of a supported format, but nothing of it can be read */
    LVL_FOREIGN /* no supported format */
} lvl_verdict;

/* "sound", "damaged", "unreadable", "foreign". */
LVL_API const char *lvl_verdict_name(lvl_verdict verdict);

typedef struct lvl_check_options {
    bool roundtrip; /* write, and dump, undump and write, and compare with the input each time */
    const struct lvl_art *art; /* where references to images are looked up, or NULL: they are not checked */
    bool sha256; /* compute the SHA-256 of the input */
    /* 1: only the verdict is wanted. The file is read once; residue and kept are 0, and findings may lack
     * their position. */
    uint64_t verdict_only;
    LVL_ROOM(3);
} lvl_check_options;

typedef struct lvl_check_result {
    const lvl_format *format; /* NULL: foreign */
    lvl_verdict verdict;
    uint64_t residue; /* bytes that belong to no field (bits rounded up) */
    /* bytes of spelling; with roundtrip, only those that lvl would write differently without it */
    uint64_t kept;
    bool roundtrip_asked; /* whether `roundtrip` was tested */
    bool roundtrip;
    lvl_status status; /* what reading returned */
    char sha256[65]; /* in lower case hex, if requested; else "" */
    LVL_ROOM(4);
} lvl_check_result;

/* Reads the input, collects the findings of reader and check with their positions, measures residue and kept
 * bytes, and sets the verdict. `format` NULL: probe; `name` as for lvl_read; `findings` must not be NULL
 * here. Damage is no error of the function: it returns LVL_OK unless memory ran out. `doc` (may be NULL) gets
 * the document that was read (NULL if none), to be freed by the caller before the input. */
LVL_API lvl_status lvl_check(const lvl_ctx *ctx, const lvl_format *format, lvl_bytes input, const char *name,
                             const lvl_check_options *options, lvl_findings *findings,
                             lvl_check_result *result, lvl_doc **doc);

/* One line of JSON:
 *
 *     {"file":…,"format":…,"sha256":…,"verdict":…,"residue":…,"kept":…,"roundtrip":…,
 *      "findings":[{"id","severity","offset","length","path","text"}…]}
 *
 * offset and length are in bytes, null if unknown; "outer" is the offset of the stream, if the finding is in
 * one. format is null for a foreign file; roundtrip and sha256 are written only if requested. `file` is UTF-8
 * (broken bytes become U+FFFD). */
LVL_API lvl_status lvl_check_json(const lvl_check_result *result, const lvl_findings *findings,
                                  const char *file, lvl_buffer *out);
enum { LVL_FINDINGS_FEW = 3, LVL_FINDINGS_MANY = 20 }; /* usual and largest value of `few` */
/* Appends the findings as lines "file:0x1a3: error: id: text", from severity `least` up. `few`: of each id
 * only the first few with different texts (at most LVL_FINDINGS_MANY), and at the end a line with the number
 * of the others; 0: all. Returns the status of `out`. */
LVL_API lvl_status lvl_findings_text(const lvl_findings *findings, const char *file, lvl_severity least,
                                     size_t few, lvl_buffer *out);
/* The findings as a JSON array, as in lvl_check_json, without a newline. */
LVL_API lvl_status lvl_findings_json(const lvl_findings *findings, lvl_buffer *out);

/* ---- repair ------------------------------------------------------------------------------------------ */

typedef struct lvl_repair_options {
    const struct lvl_art *art; /* where references to images are looked up, or NULL */
    bool recover; /* restore what can be recovered from stale data, instead of removing it */
    LVL_ROOM(4);
} lvl_repair_options;

/* Repairs what can be repaired safely, recomputes derived fields, writes the file to `out` (may be NULL), and
 * verifies that the result can be read, and that a second repair changes nothing. If it does, the repair is
 * repeated a few times; LVL_ERR_FORMAT then means a bug in the format's repair. `out` has the final file, the
 * document the result of the first pass. Each change is added to `changes` with its place and text; without
 * changes `out` is the input, byte for byte. After an error the document may be repaired in part and must not
 * be used. `options` may be NULL. LVL_ERR_UNSUPPORTED: the format has no repair. */
LVL_API lvl_status lvl_repair(lvl_doc *doc, const lvl_repair_options *options, lvl_findings *changes,
                              lvl_buffer *out);

/* ---- convert ----------------------------------------------------------------------------------------- */

/* A new document with the content of `doc` in another form of its family ("nw", "gr-v1.03"; a format's id
 * means its preferred form). Each item that the form can't represent is added to `losses` (must not be NULL)
 * with its place in `doc`. LVL_ERR_LOSS, and no document, when there are any and `allow_loss` is false;
 * LVL_ERR_ARG: no such form; LVL_ERR_UNSUPPORTED: the format has no conversion. */
LVL_API lvl_status lvl_convert(const lvl_doc *doc, const char *form, bool allow_loss, lvl_findings *losses,
                               lvl_doc **out);
/* A new document of that format that shows the picture: a sprite of a picture in 256 colours, a drawing whose
 * colours are the picture's, or those of `options->palette` (lvl/image.h has the options; NULL: none). What
 * could only be approximated is added to `losses` (may be NULL), and the document is made. LVL_ERR_ARG: an
 * option that such a document can't have (the reason is in `losses`), or, for a sprite, a picture that isn't
 * in 256 colours; LVL_ERR_UNSUPPORTED: pictures can't become such documents. `*out` is NULL then; else to be
 * freed. */
LVL_API lvl_status lvl_doc_draw(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format,
                                const lvl_image *image, const lvl_draw_options *draw_options,
                                lvl_findings *losses);
/* The reverse: the picture of a sprite, or of one layer of a drawing in the plain colours of its palette
 * (lvl_doc_scene has the picture that the game draws); `layer` is an index or a name, NULL the first; sprites
 * have no layers. LVL_ERR_MISSING: no such layer; LVL_ERR_UNSUPPORTED: the document is no picture. `out` is
 * to be cleared if LVL_OK. */
LVL_API lvl_status lvl_doc_picture(const lvl_doc *doc, const char *layer, lvl_image *out);
/* The same as a PNG, appended to `out`. The other content of a document that is a picture is kept in a chunk
 * "lvLf". `palette`: colours of a picture without its own; NULL: grey. Errors as above, and those of
 * lvl_png_write_buffer. */
LVL_API lvl_status lvl_doc_png(const lvl_doc *doc, const char *layer, const lvl_palette *palette,
                               lvl_buffer *out);
/* The content of that chunk of a PNG, as a document without pixels for lvl_draw_options.like, and whether
 * lvl_draw_options.keep_indices should be set: the palette is still the one that was written for a picture
 * without its own. LVL_ERR_MISSING: the PNG has no such chunk, or one that can't be read; *out is NULL then;
 * else to be freed. */
LVL_API lvl_status lvl_png_like(lvl_doc **out, const lvl_ctx *ctx, lvl_bytes png, bool *keep_indices);
/* Stores the content that such a picture does not show (title, actors, other layers …) in image->rest, from
 * which lvl_doc_draw restores the whole document. What cannot be stored is added to `losses`; with `keep`
 * false that is all of it, and the image is not changed. Sprites have no such content. */
LVL_API lvl_status lvl_doc_picture_rest(const lvl_doc *doc, const char *layer, bool keep, lvl_image *image,
                                        lvl_findings *losses);
/* Changes how a drawing is stored (options chunk_size, trim_palette; NULL: not at all), not how it looks.
 * Losses as above. One thread, while none reads. LVL_ERR_ARG, LVL_ERR_UNSUPPORTED: a part of it may be
 * done. */
LVL_API lvl_status lvl_doc_restructure(lvl_doc *doc, const lvl_draw_options *draw_options,
                                       lvl_findings *losses);

/* Puts a screenshot of the start, RGBA8 of format->shot_width by shot_height px, into the document, in each
 * size that the game stores. Losses as above. LVL_ERR_UNSUPPORTED: such documents have no screenshots. One
 * thread. */
LVL_API lvl_status lvl_doc_embed_screenshot(lvl_doc *doc, const lvl_image *shot, lvl_findings *losses);
/* The colours of a palette, or a picture's own. LVL_ERR_UNSUPPORTED: the document has none. */
LVL_API lvl_status lvl_doc_palette(const lvl_doc *doc, lvl_palette *out);
/* Reads a list of colours in a format that is no document format (Sketchy Maze's palettes in JSON, GIMP's
 * palettes) as a document of the format, for lvl_draw_options.palette; to be freed. LVL_ERR_FOREIGN: it is no
 * such file; *out is NULL then. */
LVL_API lvl_status lvl_palette_read(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format,
                                    lvl_bytes file);

/* ---- merge ------------------------------------------------------------------------------------------- */

/* Which side wins a conflict. */
typedef enum lvl_merge_side { LVL_MERGE_OURS, LVL_MERGE_THEIRS, LVL_MERGE_BASE } lvl_merge_side;

typedef struct lvl_merge_options {
    lvl_merge_side prefer;
    /* the winner of each conflict, in the order in which a merge without choices reports them; `prefer`
     * wins those after the last one. May be NULL. What one choice keeps may change which conflicts there
     * are after it. */
    const lvl_merge_side *choices;
    size_t choice_count;
    /* texts of lines (scripts) have both sides of a conflict, between lines such as "<<<<<<< ours" */
    bool markers;
    LVL_ROOM(4);
} lvl_merge_options;

/* Three-way merge: applies to `ours` what `theirs` changed since `base`. Items of lists are paired as by
 * lvl_diff; grids are merged cell by cell, even if a side resized its grid, and the objects of the other side
 * move with its content; texts of lines line by line, flags bit by bit; derived fields follow. A value that
 * both sides changed, differently, is a conflict: a finding with its path and the three values, counted in
 * *conflicts (may be NULL). A side with more cuts than `base` (lvl_doc_cuts) lacks content that nobody
 * deleted: that is a conflict, and the result has the content of the other side (of `ours` if both are
 * damaged). If only `theirs` has another form (version, generation) than `base`, the result gets that form,
 * or stays in its own with a conflict if that form cannot hold it; a drawing of which a side changed the
 * chunk size is merged by pixels, and gets that size. All records of `ours` may be others afterwards. `base`
 * and `theirs` keep their content, but late members that are stored in different ways are decoded, and chunks
 * may get the size of those of `ours`, so no other thread may use them. `options` NULL: all defaults;
 * `findings` may be NULL. LVL_ERR_ARG: the documents are of different formats; LVL_ERR_LOSS: `base` or
 * `theirs` has another form, and the form of `ours` cannot represent all of it: the losses are findings.
 * After an error `ours` is unchanged. */
LVL_API lvl_status lvl_merge(lvl_doc *ours, lvl_doc *base, lvl_doc *theirs, const lvl_merge_options *options,
                             uint64_t *conflicts, lvl_findings *findings);

/* ---- names of files ---------------------------------------------------------------------------------- */

/* The new name of a file, or an empty text if it keeps its name. Both are UTF-8, without folders; names
 * should be compared without regard to ASCII case. The result must be valid until the next call. */
typedef lvl_text (*lvl_new_name_fn)(void *user, lvl_text name);

/* A use of the name of a renamed file. */
typedef struct lvl_file_use {
    const lvl_where *where; /* the field */
    uint32_t line; /* of a script, counted from 1; 0: the whole field is the name */
    lvl_text name; /* as the document has it, in its code page */
    lvl_text to; /* what it becomes, in UTF-8 */
    bool changed; /* false: only reported, since it is in a script */
} lvl_file_use;

/* Anything but LVL_OK ends the visit and is its result. What `use` points to is valid during the call. */
typedef lvl_status (*lvl_file_use_fn)(void *user, const lvl_file_use *use);

/* Replaces the names of files that `new_name` renames, in each field that holds the name of a file
 * (LVL_F_FILE), or a name without its ending (LVL_F_STEM: `new_name` gets it with each ending of the
 * format). Strings in scripts that are exactly such a name (in quotes, or an argument without quotes), or
 * the name of an animation where a command expects one, are reported too, and changed if `scripts` is set.
 * `report` may be NULL; `user` is passed to both. `*changed` (may be NULL) gets the number of names that
 * were changed. LVL_ERR_ARG: the document's code page lacks a character of a new name that it needs. After
 * an error a part may be changed. */
LVL_API lvl_status lvl_doc_rename(lvl_doc *doc, lvl_new_name_fn new_name, bool scripts,
                                  lvl_file_use_fn report, void *user, size_t *changed);

/* ---- parts ------------------------------------------------------------------------------------------- */

/* Texts that are best edited in separate files: scripts, signs. The tables name the fields that are such
 * parts, and their group. A part's file is UTF-8 (unless the document's text is broken UTF-8), its lines end
 * with '\n', and a text of lines gets one '\n' more at its end; bytes are written as they are. Its name
 * begins with the part's place, "npc-003" or "layer-0-npc-003", which alone decides where it is put back; the
 * rest ("-door", from the item's label) is for people and may be changed, and so may the ending (".txt", or
 * that of the script's language). */

/* The group at `index` of those that documents of the format have ("scripts"), NULL past the end. Static
 * storage. */
LVL_API const char *lvl_format_parts(const lvl_format *format, size_t index);

typedef struct lvl_part {
    const char *group;
    const char *name; /* of its file: ASCII without '/', unique in the document */
    lvl_where where; /* the field */
    lvl_bytes bytes; /* of its file */
} lvl_part;

typedef struct lvl_parts {
    lvl_part *items;
    size_t count;
} lvl_parts;

/* The parts of those groups (a list ended by NULL; NULL: all groups) that are not empty, in document order.
 * They are copies and do not point into the document. Free the list with lvl_parts_free, which accepts
 * NULL. */
LVL_API lvl_status lvl_parts_new(const lvl_doc *doc, const char *const *groups, lvl_parts **out);
/* Frees the list with the bytes of its parts. NULL: nothing happens. */
LVL_API void lvl_parts_free(lvl_parts *parts);

typedef struct lvl_part_file {
    const char *name; /* without folder */
    lvl_bytes bytes;
} lvl_part_file;

/* Sets means[i] to whether a file called names[i] (without folder) is for a part that the document has.
 * LVL_ERR_MEMORY. */
LVL_API lvl_status lvl_parts_which(const lvl_doc *doc, const char *const *names, size_t count, bool *means);
/* Stores such files in their parts, all or none. Parts without a file, or with one of the same content, are
 * unchanged. Windows line ends, a byte order mark and a missing last line end are ignored. `changed` (may be
 * NULL) gets the number of parts that changed. LVL_ERR_ARG, with a finding for each such file: it names no
 * part of the document, or the same as another file, or has content that the part can't have. */
LVL_API lvl_status lvl_parts_put(lvl_doc *doc, const lvl_part_file *files, size_t count, size_t *changed,
                                 lvl_findings *findings);

/* ---- diff -------------------------------------------------------------------------------------------- */

typedef struct lvl_diff_options {
    /* one JSON object per line: change ("set", "insert", "remove", "move", "cells", "lines", "unread"), path,
     * old, new …; of lines, "hunks": [{"old_line": its number from 1, "old": […], "new_line", "new"}] */
    bool json;
    bool summary; /* only the counts for each list and grid */
    const char *a; /* names of both sides for the head of the text, or NULL */
    const char *b;
    LVL_ROOM(4);
} lvl_diff_options;

/* What changed from `a` to `b`, in records, items of lists, regions of cells and lines of scripts; derived
 * fields and spelling are ignored. Items are paired by their table's identities, then by similarity. Sets
 * *different. Both must be of one format, or of two forms of a family that share their records (the form is
 * ignored then); else LVL_ERR_ARG. For two forms of one format (LVL_F_FORM of the root record) the form is
 * reported, and the forms of parts are not. Moved items of a list without order (LVL_F_UNORDERED)
 * are no difference. Content of the files that no member has (lines that are no command, unknown keys) is
 * compared line by line, without its order ("unread"). `out` may be NULL to only compare. `options` may be
 * NULL. Documents with late members must be open (lvl_doc_open): those not decoded count as absent. */
LVL_API lvl_status lvl_diff(const lvl_doc *a, const lvl_doc *b, const lvl_diff_options *options,
                            bool *different, lvl_buffer *out);

/* Writes the path in `b` of what each of `paths` names in `a`, another state of the same document, with
 * other indexes if items were added, removed or sorted: "actors[3].point" becomes "actors[5].point". Each
 * has at most one match in `a`. Items are paired as by lvl_diff, and an item that is like no other by its
 * place. Each text ends with a NUL; an empty one: the item is gone, or `a` has none at that path.
 * LVL_ERR_ARG: a bad path, one with several matches, or `a` and `b` are of different formats. */
LVL_API lvl_status lvl_paths_follow(const lvl_doc *a, const char *const *paths, size_t count,
                                    const lvl_doc *b, lvl_buffer *out, lvl_findings *findings);

/* ---- descriptions ------------------------------------------------------------------------------------ */

/* The JSON Schema (2020-12) of a format's dumps. */
LVL_API lvl_status lvl_schema(const lvl_format *format, lvl_buffer *out);
/* The format as one line of JSON: id, family, title, extensions, abilities ("can"), forms, programs; with
 * `tables` also its records by name, the root's first: prose, label, and for each field name, prose, unit,
 * kind, role, names of values, range, and what it refers to. */
LVL_API lvl_status lvl_format_json(const lvl_format *format, bool tables, lvl_buffer *out);
/* The format's reference page in Markdown: its tables of fields and the names of values. */
LVL_API lvl_status lvl_reference(const lvl_format *format, lvl_buffer *out);
/* Findings: id, meaning, severity in each profile, what repair does; as text for people or as one JSON object
 * per line. Of one format, or (NULL) of all in the context and those that any file can have; with `id`, only
 * those whose id is that or begins with it and a '.' ("wwd.object"). LVL_ERR_MISSING: none. */
LVL_API lvl_status lvl_findings_reference(const lvl_ctx *ctx, const lvl_format *format, const char *id,
                                          bool json, lvl_buffer *out);

#ifdef __cplusplus
}
#endif

#endif
