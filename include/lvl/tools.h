/*
 * lvl/tools.h: operations on any document, based on the field tables: dump and undump, paths with get, set
 * and unset, explain, check, repair, diff, JSON Schema and the format reference. There is no code for
 * specific formats here.
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
    /* only the matches of this path, one dump each, with "path" and "value" instead of "doc"; NULL:
     * everything */
    const char *path;
    LVL_RESERVED(4);
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
 * characters that are not in the code page are errors; each is a finding with its path. The context's limits
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
 *     objects[logic=Rat|logic=Officer] items that meet either
 *     objects[(logic=Rat|logic=Officer),x<5]  both in one path need parentheses; without them the path is
 *                                      refused, with both readings in the message
 *     objects[not logic=Rat]           items that do not meet it; also [not(logic=Rat,x<5)]
 *     objects[kind=enemy,drops=crown]  objects of Claw and Gruntz by what their numbers mean for their logic
 *                                      (docs/games): kind is enemy, boss, pickup, container …; drops are all
 *                                      items that it drops or holds, item is the one that a pickup shows,
 *                                      sound, volume; of Gruntz team, player, behaviour, carries, needs,
 *                                      switches. "nothing": it has none
 *     objects[powerup=coin]            a name of a value, or of a group of items (crown: of any colour),
 *                                      where the number means that for its logic
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

typedef struct lvl_get_options {
    /* lines of JSON {"path":…,"value":…}, with the "name" of a number that the game has for this object, or
     * the "number" of a value that is a name; else lines of plain values, names in place of such numbers */
    bool json;
    bool paths; /* plain: lines "path=value", as for lvl_set */
    bool brief; /* of a record only what differs from its default */
    LVL_RESERVED(4);
} lvl_get_options;

/* Writes each value that matches the path, in document order, one per line: numbers, names and texts plainly,
 * everything else as one line of JSON as in a dump; a matching record includes members with their default,
 * unless `brief`.
 * LVL_ERR_ARG: no such path (a finding suggests a similar one); LVL_ERR_MISSING: a valid path without a
 * match. `count` (may be NULL) gets the number of matches. `options` may be NULL. */
LVL_API lvl_status lvl_get(const lvl_doc *doc, const char *path, const lvl_get_options *options,
                           lvl_buffer *out, size_t *count, lvl_findings *findings);

/* Applies `count` assignments "path=value" one after the other, all or none: on any error the document is
 * unchanged. Values depend on the kind of field: a number (decimal, 0x…), a name (also one that the number
 * has for the logic of its object, as "coin" for powerup of an enemy), flags "a|b|0x20", a plain text, or a
 * JSON string if it begins with a quote; lists, records, bytes and cells as JSON like in a dump (a record is
 * replaced as a whole, missing keys get their defaults). A region of cells is set to one value (a number, a
 * symbol, or the label of the item that it refers to, as in "=grass"), a JSON array of row strings of its
 * size, or cells of its size as lvl_get writes them; a single cell is the upper left corner for such cells.
 * Pixels of a layer outside of all chunks add a chunk. "list[+]" is a new item after the last one, "list[+2]"
 * one before item 2; if items of the list have ids, it gets a unique one. "list[3]@=0" moves the matching
 * items to index 0 of the list, or with -1 to its end. "path+=value" and "path-=value" add to and subtract
 * from numbers, flags and lists (of lists: append one item, or each of a JSON array; remove the items that
 * equal the value, records by their label); "path*=value" multiplies a number; integers are rounded to the
 * nearest, halves away from 0. Members with LVL_F_FOLLOWS follow their lists. Derived fields cannot be set;
 * they are computed at the end. `changed` (may be NULL) gets the number of assigned values. LVL_ERR_ARG: bad
 * path or value; LVL_ERR_MISSING: a path without a match. */
LVL_API lvl_status lvl_set(lvl_doc *doc, const char *const *assignments, size_t count, size_t *changed,
                           lvl_findings *findings);

/* Resets the matches of each path to their defaults: removes list items, empties lists and texts. All or
 * none; derived fields follow. */
LVL_API lvl_status lvl_unset(lvl_doc *doc, const char *const *paths, size_t count, size_t *changed,
                             lvl_findings *findings);

/* Copies the matches of `from_path` in `from` to another document, `to`, all or none. Items of a list are
 * added to the list at `to_path` ("objects", "objects[+2]"; NULL: the list with that path in `to`); in an
 * unordered list they replace items of the same name (lvl.copy.replaced, if those differ). Cells are copied
 * to the region at `to_path`, or to the one with that upper left corner (NULL: the same place); any other
 * value to each match. References to items of a list (LVL_F_FOLLOWS) are kept: an item that is missing in
 * `to` is copied as well (lvl.copy.added); items with ids get unique ones, and links between them follow. A
 * reference to something else in `to`, or to nothing, is the finding lvl.copy.reference. `copied` (may be
 * NULL) gets the number of items, regions or values. Late members of both documents are decoded where they
 * are copied. LVL_ERR_ARG: bad paths, or another kind of value; LVL_ERR_MISSING: a path without a match;
 * LVL_ERR_LOSS: `to` cannot represent the value. */
LVL_API lvl_status lvl_copy(lvl_doc *to, const char *to_path, const lvl_doc *from, const char *from_path,
                            size_t *copied, lvl_findings *findings);

typedef struct lvl_resize_options {
    const char *plane; /* "2", "-1", "*", or a name, as in the brackets of a path; NULL: the main one */
    uint32_t width, height; /* cells */
    /* which part keeps its position: -1 the left or upper edge, 0 the middle, 1 the right or lower edge */
    int anchor_x, anchor_y;
    LVL_RESERVED(4);
} lvl_resize_options;

/* Changes the size of planes, all or none. New cells are empty; objects on the plane, and their members that
 * are positions, move with its content; with the main plane, so does the start. Cells that are cut off and
 * objects that are then outside are findings (lvl.resize.cut). `changed` (may be NULL) gets the number of
 * planes that had another size. LVL_ERR_UNSUPPORTED: the format has no planes, or they have a fixed size;
 * LVL_ERR_MISSING: no such plane; LVL_ERR_ARG: a place does not fit its field. */
LVL_API lvl_status lvl_resize(lvl_doc *doc, const lvl_resize_options *options, size_t *changed,
                              lvl_findings *findings);

typedef enum lvl_move_unit {
    LVL_MOVE_OWN, /* that of the objects' own x, y: px; in Graal tiles */
    LVL_MOVE_TILES,
    LVL_MOVE_PX
} lvl_move_unit;

typedef struct lvl_move_options {
    const char *path; /* objects ("npcs[0]", "planes[1].objects[logic=Officer]"); NULL: those of the region */
    /* Without paths: column, row, width and height, in tiles (drawings: px). */
    int32_t region[4];
    /* Its plane, as in lvl_resize_options, but one. Where planes do not scroll by themselves, those above and
     * below move with it. */
    const char *plane;
    double dx, dy; /* to the right and down */
    lvl_move_unit unit; /* of objects; a region always moves by tiles */
    const char *const *paths; /* further paths of objects, which move with those of `path` */
    size_t path_count;
    bool outside; /* objects may leave the level */
    const double *each; /* for each of `paths` its own distance, right and down; NULL: dx, dy for all */
    LVL_RESERVED(2);
} lvl_move_options;

/* Moves objects, or a region of tiles with what stands in it, all or none. What belongs to an object moves
 * with it: patrols, areas, paths, and in Gruntz a switch's address. What names another place (a warp's
 * destination) moves if that place does: if it is in the region. What names a switch by its address follows
 * it, in all objects. Cells that are left are empty (grass on the board of a Graal level); cells that are
 * replaced although they were not empty are findings (lvl.move.overwritten). `changed` (may be NULL) gets the
 * number of objects that moved, plus 1 for a region. LVL_ERR_ARG: the path finds no objects, or something
 * would lie outside of the level or does not fit its field; LVL_ERR_MISSING: nothing is there;
 * LVL_ERR_UNSUPPORTED: the format has no tiles or pixels. */
LVL_API lvl_status lvl_move(lvl_doc *doc, const lvl_move_options *options, size_t *changed,
                            lvl_findings *findings);

typedef struct lvl_new_options {
    const char *form; /* as for lvl_convert; NULL: the format's usual one */
    const char *ending; /* ending of the new file, without dot, if the kind of document depends on it; or
                           NULL */
    uint32_t width, height; /* size of the main plane, in cells (of drawings, which have none: in px); 0: the
                               usual size */
    /* another level, of the format or of one that converts to it: the new one has its planes, palette, tile
     * properties and settings, but neither its cells nor its objects; or NULL */
    const lvl_doc *like;
    /* of WWDs: the base level of Claw, 1 to 14, whose art it has: with its planes and the properties of its
     * tiles, a floor, a start and an exit; 0: none. Not together with `like` */
    uint32_t base;
    LVL_RESERVED(3);
} lvl_new_options;

/* Makes a new, empty level that the game loads; to be freed. `options` may be NULL. LVL_ERR_UNSUPPORTED: new
 * documents of the format cannot be made; LVL_ERR_ARG: an impossible size, or `like` is of another family;
 * LVL_ERR_LOSS: the form cannot represent what is taken from `like`. `*out` is NULL then. */
LVL_API lvl_status lvl_new(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format,
                           const lvl_new_options *options, lvl_findings *findings);

/* Appends the document as a file to `out`; unchanged parts have the bytes that they were read from. Then the
 * result is read and compared: LVL_OK only if the file has all of the content. LVL_ERR_LOSS: it does not,
 * because the format cannot represent a value (a member that needs another one, a key that the game would not
 * read), or the file would no longer be recognized as its format; the finding lvl.write.lost lists the
 * differences. Decodes late members of `doc`, so it counts as an edit for threads. `findings` may be NULL.
 * After an error the bytes appended to `out` must not be used. */
LVL_API lvl_status lvl_write(lvl_doc *doc, lvl_buffer *out, lvl_findings *findings);

typedef struct lvl_save_options {
    lvl_findings *findings; /* gets the reasons of errors; or NULL */
    /* replace an existing file even if content of the source is missing in `doc` (lvl_doc_cuts), although the
     * new file would not show that */
    bool allow_damaged;
    LVL_RESERVED(4);
} lvl_save_options;

/* The same into a file, which is created, or replaced completely: on any error an existing file is unchanged.
 * `options` may be NULL. LVL_ERR_LOSS also if content is missing in `doc` because its source is cut off or
 * damaged: the file that would be replaced may be the only evidence of that. LVL_ERR_IO, LVL_ERR_MISSING:
 * errno has the reason; after other errors it is 0. The file is locked meanwhile. EBUSY: another program has
 * changed it since `doc` was loaded from it or saved to it by this path: load it again, or save under another
 * name; EWOULDBLOCK: another program has kept it locked for a minute. */
LVL_API lvl_status lvl_save(lvl_doc *doc, const char *path, const lvl_save_options *options);

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
    LVL_RESERVED(4);
} lvl_explain_options;

/* Explains the bytes that the document was read from (an undumped document has none: LVL_ERR_MISSING).
 * `options` may be NULL. */
LVL_API lvl_status lvl_explain(const lvl_doc *doc, const lvl_explain_options *options, lvl_buffer *out,
                               lvl_findings *findings);

/* ---- info -------------------------------------------------------------------------------------------- */

typedef struct lvl_info_options {
    const char *file; /* the file's name in the output, UTF-8; or NULL */
    bool json; /* one line of JSON; else lines for people */
    bool summary; /* for people: one line */
    bool color; /* for people: with the escape sequences of terminals */
    /* also counts that need decoding (the pixels of a drawing) */
    bool counts;
    const struct lvl_art *art; /* where to search pictures; or NULL */
    LVL_RESERVED(4);
} lvl_info_options;

/* Appends a summary of a document: its size, contents, and facts of its format. `options` may be NULL.
 * LVL_ERR_MEMORY, LVL_ERR_LIMIT, LVL_ERR_STOPPED: nothing was appended. */
LVL_API lvl_status lvl_info_write(const lvl_doc *doc, const lvl_info_options *options, lvl_buffer *out);

/* ---- check ------------------------------------------------------------------------------------------- */

typedef enum lvl_verdict {
    LVL_SOUND, /* no error in the context's profile */
    LVL_DAMAGED, /* read, but content is missing, hidden or wrong: an error of the profile salvage, too */
    LVL_UNREADABLE, /* of a supported format, but nothing of it can be read */
    LVL_FOREIGN, /* no supported format */
    LVL_FAULTY, /* whole and readable, but the game misbehaves or crashes: errors of the profile only */
    LVL_VERDICT_COUNT
} lvl_verdict;

/* "sound", "damaged", "unreadable", "foreign", "faulty". */
LVL_API const char *lvl_verdict_name(lvl_verdict verdict);

typedef struct lvl_check_options {
    bool roundtrip; /* write, and dump, undump and write, and compare with the input each time */
    const struct lvl_art *art; /* where references to images are looked up; NULL: they are not checked */
    bool sha256; /* compute the SHA-256 of the input */
    /* 1: only the verdict is wanted. The file is read once; residue and kept are 0, and findings may have no
     * position. */
    uint64_t verdict_only;
    /* 1: kept is not measured and is 0, unless `roundtrip`; a document that lvl_check returns is as with
     * LVL_READ_SHOW. Measuring it takes as long as decoding the pixels of a picture. */
    uint64_t no_kept;
    const struct lvl_rules *const *rules; /* further rules (the command's --rules); ended by NULL, or NULL */
    LVL_RESERVED(1);
} lvl_check_options;

typedef struct lvl_check_result {
    const lvl_format *format; /* NULL: foreign */
    lvl_verdict verdict;
    uint64_t residue; /* bytes that do not belong to a field (bits rounded up) */
    /* bytes of spelling; with roundtrip, only those that lvl would write differently without it */
    uint64_t kept;
    bool roundtrip_asked; /* whether `roundtrip` was tested */
    bool roundtrip;
    lvl_status status; /* status of reading */
    char sha256[65]; /* in lower case hex, if requested; else "" */
    LVL_RESERVED(4);
} lvl_check_result;

/* Reads the input, collects the findings of reader and check with their positions, measures residue and kept
 * bytes, and sets the verdict. `format` NULL: probe; `name` as for lvl_read; `findings` must not be NULL
 * here. The function returns LVL_OK for damaged files, too, unless memory ran out. `doc` (may be NULL) gets
 * the document that was read (NULL if none), to be freed by the caller before the input. */
LVL_API lvl_status lvl_check(const lvl_ctx *ctx, const lvl_format *format, lvl_bytes input, const char *name,
                             const lvl_check_options *options, lvl_findings *findings,
                             lvl_check_result *result, lvl_doc **doc);

enum { LVL_FINDINGS_FEW = 3, LVL_FINDINGS_MANY = 20 }; /* usual and largest value of `few` */
/* Appends the findings as lines "file:0x1a3: error: id: text", from severity `least` up. `few`: of each id
 * only the first few with different texts (at most LVL_FINDINGS_MANY), and at the end a line with the number
 * of the others; 0: all. Returns the status of `out`. */
LVL_API lvl_status lvl_findings_text(const lvl_findings *findings, const char *file, lvl_severity least,
                                     size_t few, lvl_buffer *out);

/* ---- repair ------------------------------------------------------------------------------------------ */

typedef struct lvl_repair_options {
    const struct lvl_art *art; /* where references to images are looked up, or NULL */
    bool recover; /* restore what can be recovered from stale data, instead of removing it */
    /* also change what is only odd: warnings and notes that have a repair. Without it a sound document is not
     * changed at all. */
    bool normalize;
    LVL_RESERVED(4);
} lvl_repair_options;

/* Repairs damage, and those errors of the context's profile that can be repaired without losing or inventing
 * anything; recomputes derived fields; writes the file to `out` (may be NULL); and verifies that the result
 * can be read and that a second repair changes nothing. If it does, the repair is repeated a few times;
 * LVL_ERR_FORMAT then means a bug in the format's repair. `out` has the final file, the document the result
 * of the first pass. Each change is added to `changes` with its path and text; without changes `out` is the
 * input, byte for byte. After an error the document may be partly repaired and must not be used. `options`
 * may be NULL. LVL_ERR_UNSUPPORTED: the format has no repair. */
LVL_API lvl_status lvl_repair(lvl_doc *doc, const lvl_repair_options *options, lvl_findings *changes,
                              lvl_buffer *out);

/* ---- convert ----------------------------------------------------------------------------------------- */

/* Makes a new document with the content of `doc` in another form of its family ("nw", "gr-v1.03"; a format's
 * id means its preferred form). Each item that the form can't represent is added to `losses` (must not be
 * NULL) with its path in `doc`. LVL_ERR_LOSS, and no document, if there are any and `allow_loss` is false;
 * LVL_ERR_ARG: no such form; LVL_ERR_UNSUPPORTED: the format has no conversion. */
LVL_API lvl_status lvl_convert(const lvl_doc *doc, const char *form, bool allow_loss, lvl_findings *losses,
                               lvl_doc **out);
/* Makes a new document of that format from a picture: a sprite from a picture in 256 colours, or a drawing
 * with the picture's colours or those of `options->palette` (lvl/image.h has the options; NULL: none). What
 * could only be approximated is added to `losses` (may be NULL), and the document is made. LVL_ERR_ARG: an
 * option that such a document can't have (the reason is in `losses`), or, for a sprite, a picture that isn't
 * in 256 colours; LVL_ERR_UNSUPPORTED: such documents cannot be made from pictures. `*out` is NULL then;
 * otherwise it is to be freed. */
LVL_API lvl_status lvl_doc_draw(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format,
                                const lvl_image *image, const lvl_draw_options *draw_options,
                                lvl_findings *losses);
/* The reverse: the picture of a sprite, or of one layer of a drawing in the plain colours of its palette
 * (lvl_doc_scene gives the picture that the game draws). `layer` is an index or a name, NULL the first;
 * sprites have no layers. LVL_ERR_MISSING: no such layer; LVL_ERR_UNSUPPORTED: the document is not a picture.
 * `out` is to be cleared if LVL_OK. */
LVL_API lvl_status lvl_doc_picture(const lvl_doc *doc, const char *layer, lvl_image *out);

/* ---- merge ------------------------------------------------------------------------------------------- */

/* Which side wins a conflict. */
typedef enum lvl_merge_side { LVL_MERGE_OURS, LVL_MERGE_THEIRS, LVL_MERGE_BASE } lvl_merge_side;

/* A conflict, for a program that shows it. Texts are UTF-8; what it points to is valid during the call. */
typedef struct lvl_conflict {
    const lvl_where *where; /* the field, or the item, in OURS */
    const char *member; /* the file in a pack that `where` is in; NULL: the document itself */
    const char *item; /* the item of a list that it is about, on a line; NULL: none */
    bool has_values; /* what the three sides have there is known, on a line each; NULL: nothing */
    const char *base, *ours, *theirs;
    const char *text; /* as in its finding */
} lvl_conflict;

typedef struct lvl_merge_options {
    lvl_merge_side prefer;
    /* the winner of each conflict, in the order in which a merge without choices reports them; `prefer`
     * decides any further ones. May be NULL. A choice may change which conflicts follow. */
    const lvl_merge_side *choices;
    size_t choice_count;
    /* texts of lines (scripts) have both sides of a conflict, between lines such as "<<<<<<< ours" */
    bool markers;
    /* is called for each conflict, in order; or NULL */
    void (*report)(void *user, const lvl_conflict *conflict);
    void *user;
    LVL_RESERVED(2);
} lvl_merge_options;

/* Three-way merge: applies to `ours` what `theirs` changed since `base`. Items of lists are paired as by
 * lvl_diff; grids are merged cell by cell, even if a side resized its grid, and the objects of the other side
 * move with its content; texts of lines line by line, flags bit by bit; derived fields follow. A value that
 * both sides changed, differently, is a conflict: a finding with its path and the three values, counted in
 * *conflicts (may be NULL). A side with more cuts than `base` (lvl_doc_cuts) misses content that nobody
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

/* ---- diff -------------------------------------------------------------------------------------------- */

typedef struct lvl_diff_options {
    /* one JSON object per line: change ("set", "insert", "remove", "move", "cells", "lines", "unread"), path,
     * old, new …; of lines, "hunks": [{"old_line": its number from 1, "old": […], "new_line", "new"}] */
    bool json;
    bool summary; /* only the counts for each list and grid */
    const char *a; /* names of both sides for the head of the text, or NULL */
    const char *b;
    LVL_RESERVED(4);
} lvl_diff_options;

/* What changed from `a` to `b`, in records, items of lists, regions of cells and lines of scripts; derived
 * fields and spelling are ignored. Items are paired by their table's identities, then by similarity. Sets
 * *different. Both must be of one format, or of two forms of a family that share their records (the form is
 * ignored then); else LVL_ERR_ARG. For two forms of one format (LVL_F_FORM of the root record) the form is
 * reported, and the forms of parts are not. Moved items of a list without order (LVL_F_UNORDERED)
 * are not differences. Content of the files that no member has (lines that are not commands, unknown keys) is
 * compared line by line, without its order ("unread"). `out` may be NULL to only compare. `options` may be
 * NULL. Documents with late members must be open (lvl_doc_open): those not decoded count as absent. */
LVL_API lvl_status lvl_diff(const lvl_doc *a, const lvl_doc *b, const lvl_diff_options *options,
                            bool *different, lvl_buffer *out);

#ifdef __cplusplus
}
#endif

#endif
