/*
 * wap32/wwd_format.c: the format's row in the table of formats, and telling a WWD from everything else.
 */
#include "base/cursor.h"
#include "wap32/formats.h"
#include "wap32/wwd_stream.h"

/* A slot of text: something printable, then zeros to the end. Counts the bytes that speak for it; -1: they
 * speak against. */
static int slot_evidence(const uint8_t *s, size_t size)
{
    size_t n = 0;
    int evidence = 0;

    while (n < size && s[n])
        n++;
    for (size_t i = 0; i < n; i++) {
        if (s[i] < 0x20 || s[i] == 0x7F)
            return -1;
    }
    for (size_t i = n; i < size; i++) {
        if (s[i])
            return -1;
        evidence++;
    }
    return evidence;
}

/* The first 16 bytes: the header's size, flags that levels have, and zeros around them. Bits that speak for
 * it; 0: they don't. */
static int start_evidence(const uint8_t *h, size_t len)
{
    if (len < 16 || lvl_load_u32le(h) != LVL_WWD_HEADER_SIZE || lvl_load_u32le(h + 4) ||
        lvl_load_u32le(h + 12))
        return 0;
    const uint32_t flags = lvl_load_u32le(h + offsetof(lvl_wwd, flags));
    return flags >= 1 && flags <= 3 ? 4 * 32 - 2 : 0;
}

/* Each slot of text adds to *bits what speaks for it, to *odd if it doesn't look like one. A slot that the
 * file's end cuts is left out. */
static void judge_slots(lvl_bytes head, int *bits, int *odd)
{
    static const struct {
        uint16_t at, size;
    } slots[] = {
        {0x010, 64}, {0x050, 64}, {0x090, 64}, {0x0D0, 256}, {0x1D0, 128}, {0x250, 128},
    };
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++) {
        if (slots[i].at + (size_t)slots[i].size > head.len)
            continue;
        int n = slot_evidence(head.ptr + slots[i].at, slots[i].size);
        *odd += n < 0;
        *bits += n > 0 ? 8 : 0;
    }
}

/* A file that breaks off in its header: whatever of it is there must be as in a sound one. */
static int probe_cut(const lvl_probe_input *in)
{
    int bits = start_evidence(in->head.ptr, in->head.len), odd = 0;

    if (!bits || in->size != in->head.len)
        return 0;
    judge_slots(in->head, &bits, &odd);
    return odd ? 0 : bits;
}

/* Three things are hard to have by chance: the header's first words, the header's size as the offset of the
 * planes, and a main block that begins as the flags say. The first words as every level has them are enough;
 * if they aren't so, two of the three are needed. One may thus be damaged, and the planes may stand anywhere.
 * The slots of text must look like slots of text. */
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
    judge_slots(in->head, &bits, &odd);
    odd += flags > 3;
    odd += planes > 4096;
    odd += lvl_load_u32le(h + 4) != 0;
    odd += lvl_load_u32le(h + 12) != 0;
    odd += lvl_load_u32le(h + offsetof(lvl_wwd, unknown_2f0)) != 0;
    bits += 30 * (flags <= 3) + 20 * (planes <= 4096) + 32 * 3;
    return odd <= 2 && bits > 60 ? bits - 30 * odd : 0;
}

const lvl_format lvl_format_wwd = {
    .id = "wwd",
    .family = "wwd",
    .title = "WAP32 level (Claw, Gruntz, Get Medieval)",
    .extensions = "wwd",
    .mime = "application/x-wwd",
    .codepage = LVL_CP_1252,
    .table = &lvl_wwd_table,
    .findings = lvl_wwd_findings,
    .finding_count = LVL_WWD_F_COUNT,
    .calls =
        &(const lvl_format_calls){
            .probe = probe,
            .read = lvl_wwd_read,
            .write = lvl_wwd_write,
            .derive = lvl_wwd_derive,
            .check = lvl_wwd_check,
            .repair = lvl_wwd_repair,
            .scene = lvl_wwd_scene,
            .map_layout = &lvl_wwd_map_layout,
            .info = lvl_wwd_info,
            .kept = lvl_wwd_kept,
            .can_regenerate = lvl_wwd_can_regenerate,
            .drop_spelling = lvl_wwd_drop_spelling,
        },
};
