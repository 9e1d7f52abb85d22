/*
 * sketchy/pack/pack.c: levelpacks: a zip of levels/X.level (complete drawings of any generation),
 * doodads/X.doodad, and last index.json, which has the order of play.
 *
 * Known wrong values: all packs of 2021 and 2022 write "Title" with a capital; the index may list levels that
 * don't exist, and leave out some that do.
 */
#include "sketchy/pack/pack.h"

#include "base/work.h"
#include "sketchy/drawing/read.h"
#include "sketchy/drawing/write.h"
#include "sketchy/zip/members_write.h"
#include "sketchy/zip/members.h"
#include "sketchy/model/findings.h"

#include <stdlib.h>

lvl_status lvl_levelpack_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    const lvl_field *files = LVL_FIELD(lvl_levelpack, files);
    const lvl_field *data = LVL_FIELD(lvl_sketchy_file, data);
    lvl_levelpack *p = doc->root;
    uint32_t space = 0;
    lvl_zip zip;

    bool odd, damaged;
    lvl_status status =
        lvl_sketchy_read_archive(doc, LVL_SKETCHY_F_PACK_PREFIX, sink, findings, &zip, &odd, &damaged);
    if (status != LVL_OK)
        return status;
    const lvl_zip_member *index = lvl_zip_find(&zip, lvl_text_of("index.json"));
    if (index) {
        status = lvl_sketchy_read_member(doc, index, &space, sink, findings, &p->json, &odd, &damaged);
        if (status != LVL_OK && status != LVL_ERR_FORMAT)
            return status;
    } else {
        lvl_sketchy_report(findings, LVL_SKETCHY_F_NO_DOCUMENT, NULL,
                           "there is no index.json: the game cannot open the pack");
    }
    if (odd || damaged || !index) {
        status = lvl_sketchy_keep_file(doc, &p->file, damaged || !index);
        if (status != LVL_OK)
            return status;
    }
    p->files = lvl_arena_array(&doc->arena, (size_t)zip.count + 1, sizeof *p->files);
    if (!p->files)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < zip.count; i++) {
        const lvl_zip_member *m = &zip.members[i];
        const lvl_source source = {.kind = LVL_SOURCE_MEMBER, .member = *m};
        if (m == index || (m->faults & LVL_ZIP_NO_LOCAL))
            continue;
        lvl_sketchy_file *f = &p->files[p->file_count];
        f->path = m->name;
        f->data.len = lvl_sketchy_member_size(m); /* for display; late */
        f->source = lvl_sketchy_add_source(doc, &source);
        if (!f->source)
            return LVL_ERR_MEMORY;
        const lvl_where where = lvl_where_to(lvl_where_root(), files, p->file_count++);
        status = lvl_sketchy_emit_member(sink, doc, m, &space, &where, data);
        if (status != LVL_OK)
            return status;
    }
    return LVL_OK;
}

/* The members of a pack, to be freed by the caller; NULL without memory. */
static lvl_output_member *want_members(const lvl_levelpack *p)
{
    lvl_output_member *wants = calloc((size_t)p->file_count + 1, sizeof *wants);

    if (!wants)
        return NULL;
    for (uint32_t i = 0; i < p->file_count; i++) {
        wants[i].file = &p->files[i];
        wants[i].name = p->files[i].path;
    }
    wants[p->file_count].json = p->json;
    wants[p->file_count].name = lvl_text_of("index.json");
    return wants;
}

lvl_status lvl_levelpack_write(const lvl_doc *doc, lvl_buffer *out)
{
    const lvl_levelpack *p = doc->root;

    bool done;
    const lvl_status kept = lvl_sketchy_write_kept(doc, out, &done);
    if (kept != LVL_OK || done)
        return kept;
    if (p->file_count >= UINT16_MAX)
        return lvl_refuse_fixed(doc->ctx, "members of a zip archive", UINT16_MAX,
                                (uint64_t)p->file_count + 1);
    lvl_output_member *wants = want_members(p);
    if (!wants)
        return LVL_ERR_MEMORY;
    const lvl_status status = lvl_sketchy_write_zip(doc, wants, p->file_count + 1, p->members,
                                                    p->member_count, p->gap, p->after, out);
    free(wants);
    return status;
}

lvl_status lvl_levelpack_streams(const lvl_doc *doc, lvl_stream_fn visit, void *user)
{
    const lvl_levelpack *p = doc->root;
    lvl_output_member *wants = want_members(p);

    if (!wants)
        return LVL_ERR_MEMORY;
    const lvl_status status =
        lvl_sketchy_zip_streams(doc, wants, p->file_count + 1, p->members, p->member_count, visit, user);
    free(wants);
    return status;
}
