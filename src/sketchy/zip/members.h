/*
 * sketchy/zip/members.h: the zips of drawings and packs: names of members, what is kept of them, findings
 * and spans.
 */
#ifndef LVL_SKETCHY_MEMBERS_H
#define LVL_SKETCHY_MEMBERS_H

#include "sketchy/text/source.h"

/* lvl_sketchy_read_document for a member of a zip, in a new space (`*space` is incremented); the text is in
 * the document's memory, with the bytes that follow it. *odd is set if writing the text would not reproduce
 * it, *damaged if it is incomplete. */
lvl_status lvl_sketchy_read_member(lvl_doc *doc, const lvl_zip_member *member, uint32_t *space,
                                   lvl_sink *sink, lvl_findings *findings, lvl_text *json, bool *odd,
                                   bool *damaged);
/* Parses "chunks/0/3,-1.bin"; false: not a chunk's name. */
bool lvl_sketchy_chunk_name(lvl_text name, uint32_t *layer, lvl_text *key, bool *binary);
/* The kind of a member's name. */
typedef enum lvl_chunk_name {
    LVL_NAME_OTHER, /* not in the folder of chunks, or of a layer that does not exist */
    LVL_NAME_CHUNK, /* a chunk's */
    LVL_NAME_ALIAS, /* a chunk's, but spelled so that the game doesn't find it ("CHUNKS/00/1,2.BIN") */
    LVL_NAME_NO_CHUNK /* the game assumes that it is a chunk, fails to parse it, and can't save the drawing */
} lvl_chunk_name;
/* `layers`: how many the drawing has. The outs are set for CHUNK and ALIAS. */
lvl_chunk_name lvl_sketchy_name_kind(lvl_text path, uint32_t layers, uint32_t *layer, int32_t *x, int32_t *y,
                                     bool *binary);
/* Whether the name is empty, or leads out of the folder that an archive is unpacked in. */
bool lvl_sketchy_leads_out(lvl_text path);
/* A chunk's key as the game spells it: "1,2" for "+1,02". `buf` of 32 bytes. */
lvl_text lvl_sketchy_plain_key(char *buf, int32_t x, int32_t y);
/* The name of the member that is the document of a drawing of that kind. */
const char *lvl_sketchy_document_name(uint8_t kind);
/* Whether a member of that name is a drawing's document. */
bool lvl_sketchy_is_document(lvl_text name);
/* The inflated size of a member by its header; never 0 where data is packed. */
size_t lvl_sketchy_member_size(const lvl_zip_member *member);
/* Reads the document's input as a zip into the root's kept members, and emits spans and findings (bytes
 * before the zip as the finding `prefix`). *odd: the kept members do not describe the archive completely, so
 * the whole file has to be kept; *damaged: because it is damaged. */
lvl_status lvl_sketchy_read_archive(lvl_doc *doc, unsigned prefix, lvl_sink *sink, lvl_findings *findings,
                                    lvl_zip *zip, bool *odd, bool *damaged);
/* Whether bytes of a zip that belong to no member are content: neither padding nor parts of a directory. */
bool lvl_sketchy_is_unowned(lvl_bytes bytes);
/* Emits the content of a member in a new space (`*space` is incremented), as that late field of the record at
 * `where`. */
lvl_status lvl_sketchy_emit_member(lvl_sink *sink, const lvl_doc *doc, const lvl_zip_member *member,
                                   uint32_t *space, const lvl_where *where, const lvl_field *field);

enum { LVL_SKETCHY_END_SIZE = 22 /* of a zip's end record, without its comment */ };
/* The zip's comment that has the generation of a drawing without chunks. */
lvl_text lvl_sketchy_generation_mark(uint8_t generation);

#endif
