/*
 * wap32/wwd/format.c: the WWD format's row in the table of formats, and its recognition.
 */
#include "base/cursor.h"
#include "base/text.h"
#include "wap32/formats.h"
#include "wap32/wwd/book.h"
#include "wap32/wwd/stream.h"

/* Confirmed bits in the first 16 bytes: the header's size, valid flags, and zeros around them; 0: not a
 * level. */
static int start_evidence(const uint8_t *h, size_t len)
{
    if (len < 16 || lvl_load_u32le(h) != LVL_WWD_HEADER_SIZE || lvl_load_u32le(h + 4) ||
        lvl_load_u32le(h + 12))
        return 0;
    const uint32_t flags = lvl_load_u32le(h + offsetof(lvl_wwd, flags));
    return flags >= 1 && flags <= 3 ? 4 * 32 - 2 : 0;
}

/* Adds confirmed bits to *bits for each text slot with printable text and a zero at its end, and the number
 * of slots with other characters to *odd. Slots beyond the end of the file are ignored. */
static void count_slots(lvl_bytes head, int *bits, int *odd)
{
    const size_t end = head.len < offsetof(lvl_wwd, launch_app) ? head.len : offsetof(lvl_wwd, launch_app);

    for (uint32_t i = 0; i < lvl_wwd_table.field_count; i++) {
        const lvl_field *f = &lvl_wwd_table.fields[i];
        bool printable = true;
        if (!(f->flags & LVL_F_SLOT) || f->disk + (size_t)f->size > end)
            continue;
        const lvl_text text = lvl_text_slot((const char *)head.ptr + f->disk, f->size);
        for (size_t k = 0; k < text.len; k++)
            printable = printable && (uint8_t)text.ptr[k] >= 0x20 && text.ptr[k] != 0x7F;
        *odd += !printable;
        *bits += printable && text.len < f->size ? 8 : 0;
    }
}

/* Probes a file that is truncated inside its header: the remaining part must be undamaged. */
static int probe_cut(const lvl_probe_input *in)
{
    int bits = start_evidence(in->head.ptr, in->head.len), odd = 0;

    if (!bits || in->size != in->head.len)
        return 0;
    count_slots(in->head, &bits, &odd);
    return odd ? 0 : bits;
}

/* The first 16 bytes are enough for every real level. If they differ, two of three must match: the header's
 * size, the offset of the planes, and the first bytes of the main block. So one of them may be damaged, and
 * the planes may be anywhere. The text slots must be plausible, too. */
static int probe(const lvl_probe_input *in)
{
    const uint8_t *h = in->head.ptr;
    int strong = 0, bits = 0, odd = 0;

    if (in->head.len < offsetof(lvl_wwd, launch_app))
        return probe_cut(in);
    const bool size = lvl_load_u32le(h) == LVL_WWD_HEADER_SIZE;
    const bool offset = lvl_load_u32le(h + offsetof(lvl_wwd, planes_offset)) == LVL_WWD_HEADER_SIZE;
    const uint32_t flags = lvl_load_u32le(h + offsetof(lvl_wwd, flags));
    const uint32_t planes = lvl_load_u32le(h + offsetof(lvl_wwd, planes_declared));
    strong += size + offset;
    bits += 32 * strong;
    if (in->head.len >= LVL_WWD_HEADER_SIZE + 4) {
        const lvl_bytes body = {h + LVL_WWD_HEADER_SIZE, in->head.len - LVL_WWD_HEADER_SIZE};
        if (lvl_wwd_is_zlib(body) || lvl_load_u32le(body.ptr) == LVL_WWD_PLANE_SIZE) {
            strong++;
            bits += 13;
        }
    }
    if (strong < 2 && !start_evidence(h, in->head.len))
        return 0;
    count_slots(in->head, &bits, &odd);
    odd += flags > 3;
    odd += planes > 4096;
    odd += lvl_load_u32le(h + 4) != 0;
    odd += lvl_load_u32le(h + 12) != 0;
    odd += lvl_load_u32le(h + offsetof(lvl_wwd, unknown_2f0)) != 0;
    bits += 30 * (flags <= 3) + 20 * (planes <= 4096) + 32 * 3;
    return odd <= 2 && bits > 60 ? bits - 30 * odd : 0;
}

/* Findings which mean that content is missing. */
static const lvl_finding_def *const cuts[] = {
    &lvl_wwd_findings[LVL_WWD_F_HEADER_CUT],      &lvl_wwd_findings[LVL_WWD_F_STREAM_TRUNCATED],
    &lvl_wwd_findings[LVL_WWD_F_STREAM_CORRUPT],  &lvl_wwd_findings[LVL_WWD_F_STREAM_CHECKSUM],
    &lvl_wwd_findings[LVL_WWD_F_PLANES_CUT],      &lvl_wwd_findings[LVL_WWD_F_TILES_CUT],
    &lvl_wwd_findings[LVL_WWD_F_IMAGE_SETS_CUT],  &lvl_wwd_findings[LVL_WWD_F_OBJECTS_CUT],
    &lvl_wwd_findings[LVL_WWD_F_PROPERTIES_CUT],  &lvl_wwd_findings[LVL_WWD_F_PROPERTY_TYPE],
    &lvl_wwd_findings[LVL_WWD_F_OBJECTS_SKIPPED], NULL,
};

/* The header's size, flags between zeros, and the planes after the header. */
static const lvl_signature signatures[] = {
    LVL_SIGNATURE(NULL, LVL_BYTES_AT(0, "\xF4\5\0\0\0\0\0\0\1\0\0\0\0\0\0\0"),
                  LVL_BYTES_AT(0x2E0, "\xF4\5\0\0")),
    LVL_SIGNATURE("compressed", LVL_BYTES_AT(0, "\xF4\5\0\0\0\0\0\0\2\0\0\0\0\0\0\0"),
                  LVL_BYTES_AT(0x2E0, "\xF4\5\0\0")),
    LVL_SIGNATURE("compressed", LVL_BYTES_AT(0, "\xF4\5\0\0\0\0\0\0\3\0\0\0\0\0\0\0"),
                  LVL_BYTES_AT(0x2E0, "\xF4\5\0\0")),
    {0},
};

static const lvl_book *const books[] = {&lvl_book_claw, &lvl_book_gruntz, NULL};

const lvl_format lvl_format_wwd = {
    .id = "wwd",
    .family = "wwd",
    .title = "WAP32 level (Claw, Gruntz, Get Medieval)",
    .extensions = "wwd wms", /* wms: templates of WapMap */
    .mime = "application/x-wwd",
    .codepage = LVL_CP_1252,
    .table = &lvl_wwd_table,
    .findings = lvl_wwd_findings,
    .finding_count = LVL_WWD_F_COUNT,
    .signatures = signatures,
    .calls =
        &(const lvl_format_calls){
            .books = books,
            .describe = lvl_wwd_describe,
            .file_places = lvl_wwd_file_places,
            .cuts = cuts,
            .probe = probe,
            .read = lvl_wwd_read,
            .write = lvl_wwd_write,
            .derive = lvl_wwd_derive,
            .check = lvl_wwd_check,
            .repair = lvl_wwd_repair,
            .scene = lvl_wwd_scene,
            .map_layout = &lvl_wwd_map_layout,
            .info = lvl_wwd_info,
            .streams = lvl_wwd_streams,
            .drop_spelling = lvl_wwd_drop_spelling,
        },
};
