/*
 * sketchy/pack/pack.h: packs of levels, and the files of packs and drawings as a container.
 */
#ifndef LVL_SKETCHY_PACK_H
#define LVL_SKETCHY_PACK_H

#include "sketchy/text/source.h"
#include "sketchy/model/member_names.h"
#include "sketchy/model/names.h"

lvl_status lvl_levelpack_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings);
lvl_status lvl_levelpack_write(const lvl_doc *doc, lvl_buffer *out);
lvl_status lvl_levelpack_streams(const lvl_doc *doc, lvl_stream_fn visit, void *user);

lvl_status lvl_levelpack_check(const lvl_doc *doc, const lvl_check_request *request);
lvl_status lvl_levelpack_repair(lvl_doc *doc, lvl_repairs *repairs);
static inline lvl_where lvl_levelpack_item(size_t list, uint32_t index)
{
    return lvl_where_item(lvl_where_root(), &lvl_levelpack_table, list, index);
}
/* Whether a file of the pack is a level or a doodad, by its path. */
static inline bool lvl_levelpack_is_level(lvl_text path)
{
    return lvl_text_has_ending(lvl_path_below(path, LVL_PACK_LEVELS), ".level");
}
static inline bool lvl_levelpack_is_doodad(lvl_text path)
{
    return lvl_text_has_ending(lvl_path_below(path, LVL_PACK_DOODADS), ".doodad");
}
/* ---- the index (sketchy/pack/index.c) ------------------------------------------------------------------ */

/* A level's text for a field of its entry in the index (title, author, uuid); NULL: it has no such field. */
const lvl_text *lvl_levelpack_own_text(const lvl_sketchy *level, const lvl_field *field);
/* The folder for a level or doodad whose path has none ("levels/"); NULL: other files. */
const char *lvl_levelpack_folder(lvl_text path);
/* Fills empty texts of an entry of the index (title, author, uuid) from the level. */
lvl_status lvl_levelpack_describe(lvl_doc *doc, const lvl_sketchy_file *file, lvl_levelpack_level *level);
/* The names in the index, sorted; freed by the caller in any case. Entries may be appended meanwhile. */
lvl_status lvl_levelpack_listed(const lvl_doc *doc, lvl_names *listed);
/* Appends a new file to the index, unless it is `listed` or no level. */
lvl_status lvl_levelpack_list(lvl_doc *doc, const lvl_sketchy_file *file, const lvl_names *listed);
/* Updates the index after a level was replaced: texts that equal those of the old level (`before`, from
 * lvl_levelpack_describe) become those of the new one; others stay. */
lvl_status lvl_levelpack_follow(lvl_doc *doc, const lvl_sketchy_file *file, const lvl_levelpack_level *before,
                                const lvl_names *listed);
/* Removes the levels from the index whose files are marked in `drop`. */
lvl_status lvl_levelpack_unlist(lvl_doc *doc, const uint8_t *drop);
/* Appends the levels that the index does not have, sorted by name, numbers in them by value. */
lvl_status lvl_levelpack_list_missing(lvl_doc *doc);
/* Completes the index of a new pack: levels that it does not have, empty texts of entries, and a date. */
lvl_status lvl_levelpack_complete(lvl_doc *doc);

/* ---- doodads stored more than once (sketchy/pack/doodads.c) -------------------------------------------- */

/* A doodad that is stored or used: by the pack itself, or by one of its levels. */
typedef struct lvl_pack_doodad {
    lvl_text name;
    char digest[65]; /* SHA-256; "": unreadable, or only used by actors of the level */
    uint64_t size;
    uint32_t level; /* file of the pack; UINT32_MAX: the pack itself */
    uint32_t file; /* of the level or pack; LVL_NO_INDEX: only used */
    bool drop;
} lvl_pack_doodad;

typedef struct lvl_pack_doodads {
    lvl_pack_doodad *items;
    size_t count, cap;
    lvl_arena arena; /* of names */
} lvl_pack_doodads;

void lvl_pack_doodads_init(lvl_pack_doodads *list, const lvl_ctx *ctx);
void lvl_pack_doodads_free(lvl_pack_doodads *list);
/* Adds a doodad that is a file of the pack, or those that a level embeds or has actors of. LVL_ERR_MEMORY. */
lvl_status lvl_pack_doodads_add_file(lvl_pack_doodads *list, const lvl_doc *doc, uint32_t file);
lvl_status lvl_pack_doodads_add_level(lvl_pack_doodads *list, const lvl_doc *level, uint32_t file);
/* Reports those that are stored more than once; sorts the list. */
void lvl_pack_doodads_report(lvl_pack_doodads *list, const lvl_levelpack *p, lvl_findings *findings);
/* Removes doodads from levels if the pack has them with the same bytes. A doodad that several levels embed
 * moves into the pack if no other level uses one of that name. Signed levels are not changed. Each removal is
 * a finding. */
lvl_status lvl_levelpack_dedupe(lvl_doc *doc, lvl_findings *log);

/* format's open_container. */
lvl_status lvl_sketchy_open_container(lvl_doc *doc, struct lvl_container **out);

#endif
