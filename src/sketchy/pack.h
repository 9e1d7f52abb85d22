/*
 * sketchy/pack.h: packs of levels, and the files of packs and drawings as a container.
 */
#ifndef LVL_SKETCHY_PACK_H
#define LVL_SKETCHY_PACK_H

#include "sketchy/drawing.h"

lvl_status lvl_levelpack_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings);
lvl_status lvl_levelpack_write(const lvl_doc *doc, lvl_buffer *out);

/* ---- making packs (pack_build.c) --------------------------------------------------------------------- */

/* The name below that folder ("levels/"); empty if the path isn't a file's there. */
lvl_text lvl_levelpack_below(lvl_text path, const char *folder);
/* Where a level or doodad that lies in no folder belongs ("levels/"); NULL: it is none. */
const char *lvl_levelpack_folder(lvl_text path);
/* Fills what the index's entry doesn't say (title, author, uuid) from the level that it is of. */
lvl_status lvl_levelpack_describe(lvl_doc *doc, const lvl_sketchy_file *file, lvl_levelpack_level *level);
/* Appends a level to the index, unless it is there or the file is none. */
lvl_status lvl_levelpack_list(lvl_doc *doc, const lvl_sketchy_file *file);
/* The same for each of these that isn't in the index any more, but has its file still. */
lvl_status lvl_levelpack_relist(lvl_doc *doc, const lvl_levelpack_level *was, uint32_t count);
/* Lets the index follow a level that was replaced: what an entry repeats of the level as it was (`before`,
 * from lvl_levelpack_describe) becomes what the level says now; a title of the entry's own stays. */
lvl_status lvl_levelpack_follow(lvl_doc *doc, const lvl_sketchy_file *file,
                                const lvl_levelpack_level *before);
/* Takes the level of that path out of the index. */
void lvl_levelpack_unlist(lvl_doc *doc, lvl_text path);
/* Makes a new pack's index say all that it must: levels that it lacks behind the others, by name with numbers
 * in order; what entries don't say of their levels. */
lvl_status lvl_levelpack_complete(lvl_doc *doc);
/* Takes doodads out of levels that the pack has, too, with the same bytes; and puts one that several levels
 * bring along into the pack instead, if no other level uses one of that name. Signed levels stay as they are.
 * Each is a finding. */
lvl_status lvl_levelpack_dedupe(lvl_doc *doc, lvl_findings *log);

/* format's open_container. */
lvl_status lvl_sketchy_open_container(lvl_doc *doc, struct lvl_container **out);

#endif
