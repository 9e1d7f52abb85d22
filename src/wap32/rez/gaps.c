/*
 * wap32/rez/gaps.c: bytes that no entry refers to, and bytes in directories that cannot be read.
 */
#include "wap32/rez/read.h"

#include "base/arena.h"
#include "base/work.h"

#include <stdlib.h>

static int by_from(const void *a, const void *b)
{
    const lvl_rez_range *x = a, *y = b;

    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

size_t lvl_rez_find_gaps(lvl_rez_reader *r, bool split, lvl_rez_range *gaps, lvl_rez_range *overlap)
{
    const uint64_t len = r->doc->input.len;
    uint64_t at = LVL_REZ_HEADER_SIZE;
    size_t n = 0;

    if (r->claim_count)
        qsort(r->claims, r->claim_count, sizeof *r->claims, by_from);
    for (size_t i = 0; i < r->claim_count; i++) {
        const lvl_rez_range *s = &r->claims[i];
        if (s->from == s->to && (!split || s->from < at))
            continue;
        if (s->from > at)
            gaps[n++] = (lvl_rez_range){.from = at, .to = s->from};
        if (s->from < at && overlap && !overlap->to)
            *overlap = *s;
        at = s->to > at ? s->to : at;
    }
    if (at < len)
        gaps[n++] = (lvl_rez_range){.from = at, .to = len};
    return n;
}

lvl_status lvl_rez_read_rests(lvl_rez_reader *r)
{
    lvl_status status = LVL_OK;

    for (uint32_t k = 0; k < r->dir_count && status == LVL_OK; k++) {
        const uint64_t end = r->dirs[k].end, limit = r->dirs[k].limit;
        const lvl_rez_dir dir = lvl_rez_dir_at(r, k);
        if (end >= limit)
            continue;
        const lvl_where where = lvl_rez_where_of(r, k),
                        at = lvl_where_to(where, dir.rest_field, LVL_NO_INDEX);
        *dir.rest = (lvl_bytes){r->doc->input.ptr + end, (size_t)(limit - end)};
        lvl_findings_add(r->findings, &lvl_rez_findings[LVL_REZ_DIR_DAMAGED], &at, NULL,
                         "%llu bytes after %u entries", (unsigned long long)(limit - end), *dir.count);
        lvl_emit_field(r->sink, where, dir.rest_field, end, limit - end, LVL_SPAN_RESIDUE);
        status = lvl_rez_claim(r, end, limit);
    }
    return status;
}

/* Zeros between parts are padding. Other unclaimed bytes are kept, as are zeros at the end of the file, which
 * determine its size. */
static void keep_gap(lvl_rez_reader *r, lvl_rez_range gap)
{
    lvl_rez *rez = r->doc->root;
    const lvl_field *list = LVL_FIELD(lvl_rez, gaps), *data = LVL_FIELD(lvl_rez_gap, data);
    const uint64_t len = gap.to - gap.from;
    const uint8_t *p = r->doc->input.ptr;
    uint64_t i = gap.from;

    while (i < gap.to && p[i] == 0)
        i++;
    if (i == gap.to && gap.to < r->doc->input.len) {
        lvl_emit_span(r->sink, gap.from, len, (lvl_span){.role = LVL_SPAN_PADDING, .note = "zeros between"});
        return;
    }
    const lvl_where where = lvl_where_to(lvl_where_root(), list, rez->gap_count);
    const lvl_position pos = {.bit = gap.from * 8, .bits = len * 8, .known = true};
    rez->gaps[rez->gap_count++] = (lvl_rez_gap){(uint32_t)gap.from, {p + gap.from, (size_t)len}};
    lvl_emit_span(
        r->sink, gap.from, len,
        (lvl_span){
            .role = LVL_SPAN_SPELLING, .where = where, .field = data, .note = "no entry refers to it"});
    if (i < gap.to)
        lvl_findings_add(r->findings, &lvl_rez_findings[LVL_REZ_GAP], &where, &pos, "%llu bytes",
                         (unsigned long long)len);
}

lvl_status lvl_rez_read_gaps(lvl_rez_reader *r)
{
    lvl_rez *rez = r->doc->root;
    lvl_rez_range *gaps = malloc((r->claim_count + 1) * sizeof *gaps), overlap = {0};
    lvl_status status = gaps ? LVL_OK : LVL_ERR_MEMORY;

    rez->gaps = lvl_arena_array(&r->doc->arena, r->claim_count + 1, sizeof *rez->gaps);
    if (!rez->gaps)
        status = LVL_ERR_MEMORY;
    const size_t count = status == LVL_OK ? lvl_rez_find_gaps(r, false, gaps, &overlap) : 0;
    for (size_t i = 0; i < count && status == LVL_OK; i++) {
        if (gaps[i].from > UINT32_MAX)
            status = lvl_refuse_fixed(r->doc->ctx, "bytes in a REZ archive", UINT32_MAX, gaps[i].from);
        else
            keep_gap(r, gaps[i]);
    }
    const lvl_position pos = {.bit = overlap.from * 8, .known = true};
    if (overlap.to)
        lvl_findings_add(r->findings, &lvl_rez_findings[LVL_REZ_ENTRY_OVERLAP], NULL, &pos,
                         "the payload or directory at 0x%llx begins within another",
                         (unsigned long long)overlap.from);
    free(gaps);
    return status;
}
