/*
 * wap32/wwd/read.c: reads a file. Its layout, all numbers little-endian:
 *
 *     0x000 header, 0x5F4 bytes (lvl_wwd as far as prefix4); its first dword is its size 0x5F4 main block:
 *     stored, or (flag compress) one zlib stream … optional trailer: WapMap's block, or a line break
 *
 * Known wrong values: the header size (0xADBA in one file), the flag bits of planes, the checksum (three
 * rules). No real file is damaged.
 */
#include "base/cursor.h"
#include "base/disk.h"
#include "wap32/wwd/stream.h"

struct reader {
    lvl_doc *doc;
    lvl_wwd *wwd;
    lvl_sink *sink;
    lvl_findings *findings;
};

/* ---- header -------------------------------------------------------------------------------------------- */

static lvl_status read_header(struct reader *r)
{
    const lvl_bytes in = r->doc->input;

    if (in.len < LVL_WWD_HEADER_SIZE) {
        if (r->findings)
            lvl_findings_add(r->findings, &lvl_wwd_findings[LVL_WWD_F_HEADER_CUT], NULL, NULL,
                             "found %llu bytes, expected a header of %d", (unsigned long long)in.len,
                             LVL_WWD_HEADER_SIZE);
        return LVL_ERR_FORMAT;
    }
    lvl_disk_load(r->wwd, &lvl_wwd_table, in.ptr, LVL_WWD_HEADER_SIZE);
    if (r->wwd->header_size != LVL_WWD_HEADER_SIZE)
        lvl_wwd_report(r->findings, LVL_WWD_F_HEADER_SIZE, LVL_AT_ROOT(lvl_wwd, header_size),
                       "found 0x%x, expected 0x%x: the game %s", r->wwd->header_size,
                       (unsigned)LVL_WWD_HEADER_SIZE,
                       r->wwd->header_size > LVL_WWD_HEADER_SIZE ? "does not load the level"
                                                                 : "reads only a part of the header");
    lvl_emit_span(r->sink, 0, LVL_WWD_HEADER_SIZE, (lvl_span){.table = &lvl_wwd_table});
    return LVL_OK;
}

/* ---- main block ---------------------------------------------------------------------------------------- */

/* Whether the main block is compressed; reports a wrong flag. */
static bool is_compressed(const struct reader *r, lvl_bytes rest)
{
    const bool flag = (r->wwd->flags & LVL_WWD_COMPRESS) != 0, packed = lvl_wwd_is_packed(r->wwd, rest);

    if (packed != flag)
        lvl_wwd_report(r->findings, LVL_WWD_F_COMPRESS_FLAG, LVL_AT_ROOT(lvl_wwd, flags), "%s",
                       packed ? "the flag says stored, but the main block is a zlib stream"
                              : "the flag says compressed, but the main block is stored");
    return packed;
}

static void report_stream(const struct reader *r, lvl_bytes stream, const lvl_inflate_report *report)
{
    static const struct {
        lvl_inflate_end end;
        lvl_wwd_finding what;
        const char *text;
    } ends[] = {
        {LVL_INFLATE_TRUNCATED, LVL_WWD_F_STREAM_TRUNCATED, "the file ends too early"},
        {LVL_INFLATE_BAD_HEADER, LVL_WWD_F_STREAM_CORRUPT, "the compressed data is damaged"},
        {LVL_INFLATE_BAD_DATA, LVL_WWD_F_STREAM_CORRUPT, "the compressed data is damaged"},
        {LVL_INFLATE_NEED_DICT, LVL_WWD_F_STREAM_CORRUPT, "the compressed data is damaged"},
        {LVL_INFLATE_BAD_CHECKSUM, LVL_WWD_F_STREAM_CHECKSUM,
         "the checksum of the compressed data is wrong, so some tiles or objects may be wrong"},
    };
    const lvl_position pos = {0, (uint64_t)LVL_WWD_HEADER_SIZE * 8, (uint64_t)stream.len * 8, 0, true};

    for (size_t i = 0; r->findings && i < sizeof ends / sizeof ends[0]; i++) {
        if (report->end == ends[i].end)
            lvl_findings_add(r->findings, &lvl_wwd_findings[ends[i].what], NULL, &pos,
                             "%s: %llu of %u bytes of the level could be read, and the game does not load it",
                             ends[i].text, (unsigned long long)report->out_len, r->wwd->inflated_size);
    }
    bool sound = report->end == LVL_INFLATE_DONE || report->end == LVL_INFLATE_BAD_CHECKSUM;
    if (lvl_inflate_impossible(stream.len, r->wwd->inflated_size, lvl_limits_of(r->doc->ctx).inflate_ratio))
        lvl_wwd_report(
            r->findings, LVL_WWD_F_INFLATE_RATIO, LVL_AT_ROOT(lvl_wwd, inflated_size),
            "header declares %u bytes, which %llu compressed ones cannot give: the number is wrong",
            r->wwd->inflated_size, (unsigned long long)stream.len);
    else if (sound && report->out_len != r->wwd->inflated_size)
        lvl_wwd_report(r->findings, LVL_WWD_F_INFLATED_SIZE, LVL_AT_ROOT(lvl_wwd, inflated_size),
                       "header declares %u bytes, found %llu: the game does not load the level",
                       r->wwd->inflated_size, (unsigned long long)report->out_len);
}

static void read_checksum(const struct reader *r, lvl_bytes stored, lvl_bytes inflated)
{
    lvl_wwd *wwd = r->wwd;

    wwd->checksum_rule = lvl_wwd_checksum_rule(wwd->checksum, stored, inflated);
    if (!r->findings || wwd->checksum_rule == LVL_WWD_CHECKSUM_GAME)
        return;
    const lvl_where where = LVL_AT_ROOT(lvl_wwd, checksum);
    if (wwd->checksum_rule == LVL_WWD_CHECKSUM_OTHER)
        lvl_wwd_report(r->findings, LVL_WWD_F_CHECKSUM_MISMATCH, where,
                       "found 0x%08x, expected 0x%08x: Gruntz may take it for another one", wwd->checksum,
                       lvl_wwd_checksum(LVL_WWD_CHECKSUM_GAME, stored, inflated));
    else
        lvl_wwd_report(r->findings, LVL_WWD_F_CHECKSUM_RULE, where, "0x%08x is computed as %s does",
                       wwd->checksum, wwd->checksum_rule == LVL_WWD_CHECKSUM_WAPMAP ? "WapMap" : "libwap32");
}

static void emit_stream(const struct reader *r, lvl_bytes stream, lvl_bytes block)
{
    const lvl_field *f = LVL_FIELD(lvl_wwd, stream);
    const lvl_span span = {.role = LVL_SPAN_CONTAINER,
                           .field = f,
                           .where = lvl_where_to(lvl_where_root(), f, LVL_NO_INDEX),
                           .note = "zlib stream of the main block"};
    const lvl_space space = {.id = 1,
                             .parent_bit = (uint64_t)LVL_WWD_HEADER_SIZE * 8,
                             .parent_bits = (uint64_t)stream.len * 8,
                             .base = LVL_WWD_HEADER_SIZE,
                             .bytes = block,
                             .name = "inflated main block"};

    lvl_emit_span(r->sink, LVL_WWD_HEADER_SIZE, stream.len, span);
    r->sink->space(r->sink, &space);
}

/* Keeps the content of an intact stream for the writer, which compares it with its own block. */
static lvl_status keep_source(lvl_doc *doc, lvl_bytes stream, lvl_bytes block)
{
    const lvl_wwd_source source = {stream, block};

    doc->state = lvl_arena_copy(&doc->arena, &source, sizeof source);
    return doc->state ? LVL_OK : LVL_ERR_MEMORY;
}

static lvl_status read_compressed(struct reader *r, lvl_bytes rest, lvl_bytes *trailer)
{
    lvl_inflate_report report;
    lvl_bytes stream = rest, block = {NULL, 0};
    lvl_block_result result;

    lvl_status status = lvl_wwd_inflate_block(r->doc, rest, r->wwd->inflated_size, &block, &report);
    if (status != LVL_OK)
        return status;
    /* the end of a broken stream is unknown */
    if (report.end == LVL_INFLATE_DONE || report.end == LVL_INFLATE_BAD_CHECKSUM)
        stream.len = report.in_used;
    trailer->ptr = rest.ptr + stream.len;
    trailer->len = rest.len - stream.len;
    report_stream(r, stream, &report);
    r->wwd->stream = stream;
    if (r->sink)
        emit_stream(r, stream, block);
    status = lvl_wwd_block_read(r->doc, block, true, r->sink, r->findings, &result);
    if (status == LVL_OK)
        read_checksum(r, stream, block);
    if (status == LVL_OK && r->doc->edit && report.end == LVL_INFLATE_DONE)
        status = keep_source(r->doc, stream, block);
    return status;
}

static lvl_status read_stored(struct reader *r, lvl_bytes rest, lvl_bytes *trailer)
{
    const lvl_bytes none = {NULL, 0};
    lvl_block_result result;

    lvl_status status = lvl_wwd_block_read(r->doc, rest, false, r->sink, r->findings, &result);
    if (status != LVL_OK)
        return status;
    trailer->ptr = rest.ptr + result.end;
    trailer->len = rest.len - (size_t)result.end;
    rest.len = (size_t)result.end;
    /* with the flag for a compressed block, the writer would compress it */
    if (!result.usual || r->wwd->flags & LVL_WWD_COMPRESS)
        r->wwd->stream = rest;
    read_checksum(r, rest, none);
    return LVL_OK;
}

lvl_status lvl_wwd_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    struct reader r = {doc, doc->root, sink, findings};
    lvl_bytes trailer = {NULL, 0};
    lvl_space file = {0};

    if (sink) {
        file.bytes = doc->input;
        file.name = "file";
        sink->space(sink, &file);
    }
    lvl_status status = read_header(&r);
    if (status != LVL_OK)
        return status;
    const lvl_bytes rest = {doc->input.ptr + LVL_WWD_HEADER_SIZE, doc->input.len - LVL_WWD_HEADER_SIZE};
    if (is_compressed(&r, rest))
        status = read_compressed(&r, rest, &trailer);
    else
        status = read_stored(&r, rest, &trailer);
    if (status != LVL_OK)
        return status;
    status = lvl_wwd_trailer_read(doc, trailer, doc->input.len - trailer.len, sink);
    if (status == LVL_OK && r.wwd->trailing.len)
        lvl_wwd_report(r.findings, LVL_WWD_F_TRAILING, LVL_AT_ROOT(lvl_wwd, trailing),
                       "bytes after the main block: %llu: games ignore them, and lvl keeps them",
                       (unsigned long long)r.wwd->trailing.len);
    return status;
}
