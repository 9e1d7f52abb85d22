/*
 * wap32/pal.c: PAL, 256 colours and nothing else:
 *
 *     0x000  256 × { u8 red, u8 green, u8 blue }
 *
 * No signature: a file is recognized by its name and its size of 768 bytes (16 of 16 real files).
 */
#include "wap32/formats.h"
#include "wap32/color.h"

#include "base/cursor.h"
#include "base/text.h"

#include <lvl/pal.h>

/* clang-format off */
static const lvl_field pal_fields[] = {
    LVL_ROW_LIST(lvl_pal, colors, color_count, "colors", &lvl_color_table, lvl_color,
                 .prose = "256 colours; index 0 is what transparent sprites leave out",
        .summary = {.show = LVL_SHOW, .label = "colours"}),
    LVL_ROW_BYTES(lvl_pal, rest, "rest", .role = LVL_UNKNOWN, .prose = "bytes after the last whole colour"),
};
/* clang-format on */

const lvl_table lvl_pal_table = {
    .name = "pal",
    .prose = "A palette.",
    LVL_TABLE_OF(lvl_pal, pal_fields),
};

enum { PAL_SIZE_WRONG };

#define FINDING_INDEX(name) name
#include "base/finding_rows.h"

/* clang-format off */
static const lvl_finding_def pal_findings[] = {
    FINDING(PAL_SIZE_WRONG, "pal.size", E, E, W,
        "The file is not 768 bytes: colours are missing or bytes follow them. The game reads 768 bytes and "
        "takes what it finds.")
};
/* clang-format on */

/* Content is missing. */
static const lvl_finding_def *const cuts[] = {&pal_findings[PAL_SIZE_WRONG], NULL};

static int pal_probe(const lvl_probe_input *in)
{
    return in->size == LVL_PAL_SIZE && lvl_text_has_ending(lvl_text_of(in->name), ".pal") ? 8 : 0;
}

static lvl_status pal_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    lvl_pal *pal = doc->root;
    const lvl_field *colors = LVL_FIELD(lvl_pal, colors), *rest = LVL_FIELD(lvl_pal, rest);
    lvl_status status = lvl_colors_read(doc, doc->input, 0, colors, sink, &pal->colors, &pal->color_count);

    if (status != LVL_OK)
        return status;
    size_t used = (size_t)pal->color_count * 3;
    pal->rest.len = doc->input.len - used;
    pal->rest.ptr = pal->rest.len ? doc->input.ptr + used : NULL;
    lvl_emit_span(sink, used, pal->rest.len,
                  (lvl_span){.role = LVL_SPAN_RESIDUE,
                             .where = lvl_where_to(lvl_where_root(), rest, LVL_NO_INDEX),
                             .note = "after the last whole colour"});
    if (doc->input.len != LVL_PAL_SIZE) {
        const lvl_position pos = {.bits = (uint64_t)doc->input.len * 8, .known = true};
        lvl_findings_add(findings, &pal_findings[PAL_SIZE_WRONG], NULL, &pos, "%llu bytes instead of 768",
                         (unsigned long long)doc->input.len);
    }
    return LVL_OK;
}

static lvl_status pal_write(const lvl_doc *doc, lvl_buffer *out)
{
    const lvl_pal *pal = doc->root;

    lvl_colors_write(pal->colors, pal->color_count, out);
    lvl_buffer_add(out, pal->rest.ptr, pal->rest.len);
    return out->status;
}

static lvl_status pal_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art)
{
    const lvl_pal *pal = doc->root;
    uint32_t different = 0;

    (void)art;
    for (uint32_t i = 0; i < pal->color_count && i < 256; i++) {
        bool seen = false;
        for (uint32_t k = 0; k < i && !seen; k++)
            seen = memcmp(&pal->colors[i], &pal->colors[k], sizeof *pal->colors) == 0;
        different += !seen;
    }
    lvl_info_fields(info, &lvl_pal_table, pal, NULL, NULL);
    lvl_info_int(info, "different", "different", different, NULL);
    return lvl_info_status(info);
}

static lvl_status pal_to_palette(const lvl_doc *doc, lvl_palette *out)
{
    const lvl_pal *pal = doc->root;

    lvl_colors_to_palette(pal->colors, pal->color_count, out);
    return LVL_OK;
}

const lvl_format lvl_format_pal = {
    .id = "pal",
    .family = "wwd",
    .title = "WAP32 palette",
    .extensions = "pal",
    .codepage = LVL_CP_1252,
    .table = &lvl_pal_table,
    .findings = pal_findings,
    .finding_count = LVL_COUNT_OF(pal_findings),
    .calls =
        &(const lvl_format_calls){
            .cuts = cuts,
            .probe = pal_probe,
            .read = pal_read,
            .write = pal_write,
            .info = pal_info,
            .to_palette = pal_to_palette,
        },
};
