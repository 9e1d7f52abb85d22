/*
 * wap32/rez/read.c: reads a REZ, damaged or not: the header, then the steps of wap32/rez/read.h in order.
 */
#include "wap32/formats.h"
#include "wap32/rez/read.h"

#include <stdlib.h>

/* Drops the kept positions if the writer would choose the same. */
static lvl_status drop_canonical(lvl_doc *doc)
{
    const lvl_rez *rez = doc->root;
    lvl_rez_layout layout;
    lvl_status status = lvl_rez_layout_make(doc, true, &layout);

    if (status != LVL_OK)
        return status;
    bool same = rez->gap_count == 0;
    for (size_t i = 0; i < layout.count && same; i++)
        same = layout.nodes[i].pos == (i ? layout.nodes[i].entry->pos : rez->root_pos);
    if (same)
        lvl_doc_drop_kept_members(doc);
    lvl_rez_layout_free(&layout);
    return LVL_OK;
}

static void check_header(const lvl_rez *rez, lvl_findings *findings)
{
    static const struct {
        size_t offset;
        uint32_t mask; /* bits that the game checks */
        int finding;
    } marks[] = {
        {offsetof(lvl_rez, line_end_0), 0xFF, LVL_REZ_HEADER_MARK},
        {offsetof(lvl_rez, line_end_1), 0xFF00, LVL_REZ_HEADER_MARK},
        {offsetof(lvl_rez, text_end), 0xFF, LVL_REZ_HEADER_MARK},
        {offsetof(lvl_rez, version), UINT32_MAX, LVL_REZ_VERSION_UNKNOWN},
    };

    for (size_t i = 0; i < LVL_COUNT_OF(marks); i++) {
        const lvl_field *f = lvl_table_at(&lvl_rez_table, marks[i].offset);
        const int64_t value = lvl_get_int(rez, f);
        if ((value ^ f->def) & marks[i].mask)
            lvl_report_at(findings, &lvl_rez_findings[marks[i].finding],
                          lvl_where_to(lvl_where_root(), f, LVL_NO_INDEX),
                          "expected 0x%llx, found 0x%llx: the game does not open the archive",
                          (unsigned long long)f->def, (unsigned long long)value);
    }
}

lvl_status lvl_rez_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    lvl_rez *rez = doc->root;
    lvl_rez_reader r = {.doc = doc, .sink = sink, .findings = findings};

    lvl_status status =
        lvl_read_header(doc, &lvl_rez_table, sink, &lvl_rez_findings[LVL_REZ_HEADER_SHORT], findings);
    if (status != LVL_OK)
        return status;
    check_header(rez, findings);
    status = lvl_rez_find_root(&r);
    if (status == LVL_OK)
        status = lvl_rez_read_tree(&r);
    if (status == LVL_OK && r.shift)
        status = lvl_rez_read_moved(&r);
    if (status == LVL_OK && !r.shift)
        status = lvl_rez_read_hidden(&r);
    if (status == LVL_OK)
        status = lvl_rez_read_rests(&r);
    if (status == LVL_OK)
        status = lvl_rez_read_gaps(&r);
    if (status == LVL_OK)
        status = r.shift ? lvl_rez_keep_declared(doc) : drop_canonical(doc);
    free(r.claims);
    free(r.dirs);
    return status;
}
