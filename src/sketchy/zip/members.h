/*
 * sketchy/zip/members.h: the zips of drawings and packs: what is kept of them, findings
 * and spans.
 */
#ifndef LVL_SKETCHY_MEMBERS_H
#define LVL_SKETCHY_MEMBERS_H

#include "sketchy/model/member_names.h"
#include "sketchy/text/document.h"

/* Reads a drawing that is a zip. */
lvl_status lvl_sketchy_read_zip(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings);
/* lvl_sketchy_read_document for a member of a zip, in a new space (`*space` is incremented); the text is in
 * the document's memory, with the bytes that follow it. *odd is set if writing the text would not reproduce
 * it, *damaged if it is incomplete. */
lvl_status lvl_sketchy_read_member(lvl_doc *doc, const lvl_zip_member *member, uint32_t *space,
                                   lvl_sink *sink, lvl_findings *findings, lvl_text *json, bool *odd,
                                   bool *damaged);
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

#endif
