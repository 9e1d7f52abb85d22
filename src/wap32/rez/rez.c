/*
 * wap32/rez/rez.c: the REZ format's row in the table of formats, recognition and info.
 */
#include "base/format.h"
#include "wap32/formats.h"
#include "wap32/rez/rez.h"

#include "base/cursor.h"
#include "base/text.h"

/* A banner and a title between line breaks, the end-of-text byte, version 1. */
static const lvl_signature signatures[] = {
    LVL_SIGNATURE(NULL, LVL_BYTES_AT(0, "\r\n"), LVL_BYTES_AT(0x3E, "\r\n"),
                  LVL_BYTES_AT(0x7C, "\r\n\x1A\1\0\0\0")),
    {0},
};

static int rez_probe(const lvl_probe_input *in)
{
    if (in->size < LVL_REZ_HEADER_SIZE || in->head.len < LVL_REZ_HEADER_SIZE)
        return 0;
    return lvl_format_signature(&lvl_format_rez, in->head) ? 16 * 3 + 8 + 32 : 0;
}

/* ---- info ---------------------------------------------------------------------------------------------- */

struct totals {
    uint64_t files, dirs, bytes;
};

static void count_all(const lvl_rez_entry *entries, uint32_t count, struct totals *t)
{
    for (uint32_t i = 0; i < count; i++) {
        if (entries[i].kind == LVL_REZ_DIR) {
            t->dirs++;
            count_all(entries[i].entries, entries[i].entry_count, t);
        } else {
            t->files++;
            t->bytes += entries[i].data.len;
        }
    }
}

static lvl_status rez_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art)
{
    const lvl_rez *rez = doc->root;
    struct totals t = {0, 0, 0};
    uint64_t dead = 0;

    (void)art;
    (void)lvl_doc_kept(doc, &dead); /* only counted */
    count_all(rez->entries, rez->entry_count, &t);
    lvl_info_fields(info, &lvl_rez_table, rez, NULL, NULL);
    lvl_info_int(info, "files", "files", (int64_t)t.files, NULL);
    lvl_info_int(info, "dirs", "directories", (int64_t)t.dirs, NULL);
    lvl_info_int(info, "payload", "payload", (int64_t)t.bytes, "bytes");
    lvl_info_int(info, "dead", "dead", (int64_t)dead, "bytes");
    return lvl_info_status(info);
}

/* Findings which mean that content is missing. */
static const lvl_finding_def *const cuts[] = {
    &lvl_rez_findings[LVL_REZ_ROOT_OUTSIDE],
    &lvl_rez_findings[LVL_REZ_ROOT_MOVED], /* bytes are missing or duplicated */
    &lvl_rez_findings[LVL_REZ_DIR_OUTSIDE],
    &lvl_rez_findings[LVL_REZ_DIR_LOOP],
    &lvl_rez_findings[LVL_REZ_DIR_DAMAGED],
    &lvl_rez_findings[LVL_REZ_ENTRY_OUTSIDE],
    &lvl_rez_findings[LVL_REZ_ENTRY_MANY],
    NULL,
};

const lvl_format lvl_format_rez = {
    .id = "rez",
    .family = "wwd",
    .title = "Monolith resource archive",
    .extensions = "rez vrz zzz",
    .mime = "application/x-rez",
    .codepage = LVL_CP_1252,
    .table = &lvl_rez_table,
    .findings = lvl_rez_findings,
    .finding_count = LVL_REZ_FINDINGS,
    .signatures = signatures,
    .calls =
        &(const lvl_format_calls){
            .cuts = cuts,
            .probe = rez_probe,
            .read = lvl_rez_read,
            .write = lvl_rez_write,
            .derive = lvl_rez_derive,
            .check_writable = lvl_rez_check_writable,
            .drop_spelling = lvl_doc_drop_kept_members,
            .check = lvl_rez_check,
            .repair = lvl_rez_repair,
            .info = rez_info,
            .open_container = lvl_rez_open_container,
        },
};
