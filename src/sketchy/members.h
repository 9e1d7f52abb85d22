/*
 * sketchy/members.h: zips as drawings and packs have them: what their members are called, what is kept of
 * them, found about them and emitted as spans.
 */
#ifndef LVL_SKETCHY_MEMBERS_H
#define LVL_SKETCHY_MEMBERS_H

#include "sketchy/drawing.h"

/* lvl_sketchy_read_document for a member of a zip, in a space of its own (`*space` counts on); its text lives
 * in the document, and what follows stays with it. *odd is set where that text can't be gone through again,
 * *damaged where it isn't whole. */
lvl_status lvl_sketchy_read_member(lvl_doc *doc, const lvl_zip_member *member, uint32_t *space,
                                   lvl_sink *sink, lvl_findings *findings, lvl_text *json, bool *odd,
                                   bool *damaged);
/* "chunks/0/3,-1.bin": false if it isn't a chunk's name. */
bool lvl_sketchy_chunk_name(lvl_text name, uint32_t *layer, lvl_text *key, bool *binary);
/* What the name of a member is among the chunks of a drawing with so many layers. */
typedef enum lvl_chunk_name {
    LVL_NAME_OTHER,   /* not among them, or of a layer that there isn't */
    LVL_NAME_CHUNK,   /* a chunk's */
    LVL_NAME_ALIAS,   /* a chunk's, but spelled so that the game doesn't find it ("CHUNKS/00/1,2.BIN") */
    LVL_NAME_NO_CHUNK /* the game takes it for a chunk's and can't say which: it can't save the drawing */
} lvl_chunk_name;
/* The outs are set where it is one's. */
lvl_chunk_name lvl_sketchy_name_kind(lvl_text path, uint32_t layers, uint32_t *layer, int32_t *x, int32_t *y,
                                     bool *binary);
/* Whether the name means a place outside of the folder that an archive is unpacked in, or none at all. */
bool lvl_sketchy_leads_out(lvl_text path);
/* A chunk's key as the game spells it: "1,2" for "+1,02". `buf` of 32 bytes. */
lvl_text lvl_sketchy_plain_key(char *buf, int32_t x, int32_t y);
/* What the member is called that a drawing's document is, by its kind; and whether one is called so. */
const char *lvl_sketchy_document_name(uint8_t kind);
bool lvl_sketchy_is_document(lvl_text name);
/* What a member will inflate to, as far as its header can be believed; never 0 where something is packed. */
size_t lvl_sketchy_member_size(const lvl_zip_member *member);
/* Reads the document's input as a zip into the root's members that say how it is put together, tells sink and
 * findings (bytes in front of it as the finding `prefix`), and says whether the archive can't be told by its
 * members' spelling, so that the whole file has to be kept, and whether something is wrong with it. */
lvl_status lvl_sketchy_read_archive(lvl_doc *doc, unsigned prefix, lvl_sink *sink, lvl_findings *findings,
                                    lvl_zip *zip, bool *odd, bool *damaged);
/* Whether bytes of a zip that belong to no member hold something: neither
 * padding nor what is left of its directory. */
bool lvl_sketchy_is_unowned(lvl_bytes bytes);
/* Emits what a member holds, in a space of its own (`*space` counts on): all of it is that late
 * field of the record at `where`. */
lvl_status lvl_sketchy_emit_member(lvl_sink *sink, const lvl_doc *doc, const lvl_zip_member *member,
                                   uint32_t *space, const lvl_where *where, const lvl_field *field);

enum { LVL_SKETCHY_END_SIZE = 22 /* of a zip's end record, without its comment */ };
/* The comment that says of which generation a zip without chunks is. */
lvl_text lvl_sketchy_generation_mark(uint8_t generation);

#endif
