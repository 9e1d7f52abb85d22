/*
 * wap32/art/pal.c: PAL, just 256 colours:
 *
 *     0x000  256 × { u8 red, u8 green, u8 blue }
 *
 * No signature: a file is recognized by its name and its size of 768 bytes (16 of 16 real files). Custom
 * levels may have it as ACT, with or without four more bytes at the end, or as TXT: a line "#rrggbb" for each
 * colour.
 */
#include "wap32/formats.h"
#include "wap32/art/color.h"

#include "base/cursor.h"
#include "base/text.h"
#include "lines/words.h"

#include <lvl/pal.h>

#include <string.h>

enum {
    ACT_SIZE = LVL_PAL_SIZE + 4,
    LINE_SIZE = 7, /* #rrggbb */
    MAX_TEXT = 1 << 16
};

/* clang-format off */
static const lvl_name forms[] = {{0, "bytes", NULL}, {1, "text", NULL}, {0, NULL, NULL}};
static const lvl_field pal_fields[] = {
    LVL_ROW_UINT(lvl_pal, text, "form", LVL_NO_PLACE, .names = forms,
        .prose = "whether colours are three bytes each, or lines of text"),
    LVL_ROW_LIST(lvl_pal, colors, color_count, "colors", &lvl_color_table, lvl_color,
                 .prose = "256 colours; index 0 is what transparent sprites leave out",
        .summary = {.show = LVL_SHOW, .label = "colours"}),
    LVL_ROW_BYTES(lvl_pal, rest, "rest", .role = LVL_UNKNOWN, .prose = "bytes after the last whole colour"),
    LVL_ROW_BYTES(lvl_pal, source, "source", .role = LVL_KEPT,
        .prose = "the lines as they are, where lvl would write them differently"),
};
/* clang-format on */

const lvl_table lvl_pal_table = {
    .name = "pal",
    .prose = "A palette.",
    LVL_TABLE_OF(lvl_pal, pal_fields),
};

enum { PAL_SIZE_WRONG, LINE_UNKNOWN, LOSS_COLOR };

#define FINDING_INDEX(name) name
#include "base/finding_rows.h"

/* clang-format off */
static const lvl_finding_def pal_findings[] = {
    FINDING(PAL_SIZE_WRONG, "pal.size", E, E, E,
        "The file is not 768 bytes: colours are missing or bytes follow them. The game reads 768 bytes and "
        "takes what it finds.")
    FINDING(LINE_UNKNOWN, "pal.line", W, W, N,
        "A line of a text palette is not a colour (#rrggbb), or there are more than 256. It is not read; writing keeps "
        "it.")
    FINDING(LOSS_COLOR, "pal.loss.color", W, W, W,
        "A picture has more colours than the palette that is made of it can hold: 255, since index 0 is "
        "transparent in sprites, or 256 if no pixel is transparent. The palette gets the nearest ones.")
};
/* clang-format on */

/* Findings which mean that content is missing. */
static const lvl_finding_def *const cuts[] = {&pal_findings[PAL_SIZE_WRONG], NULL};

/* ---- text ---------------------------------------------------------------------------------------------- */

/* The colour that the text begins with. */
static bool color_of(lvl_text text, lvl_color *out)
{
    uint8_t value[3] = {0};

    if (text.len < LINE_SIZE || text.ptr[0] != '#')
        return false;
    for (unsigned i = 0; i < 6; i++) {
        const char c = lvl_lower(text.ptr[i + 1]);
        const bool digit = c >= '0' && c <= '9';
        if (!digit && (c < 'a' || c > 'f'))
            return false;
        value[i / 2] = (uint8_t)(value[i / 2] * 16 + (digit ? c - '0' : c - 'a' + 10));
    }
    *out = (lvl_color){value[0], value[1], value[2]};
    return true;
}

/* Reads lines into at most 256 colours and returns their number. */
static uint32_t read_lines(lvl_bytes in, lvl_color *colors, lvl_sink *sink, lvl_findings *findings)
{
    uint32_t count = 0;

    for (size_t at = 0; at < in.len;) {
        const char *p = (const char *)in.ptr + at, *end = memchr(p, '\n', in.len - at);
        const size_t len = end ? (size_t)(end - p) + 1 : in.len - at;
        size_t shown = len;
        while (shown && (p[shown - 1] == '\n' || p[shown - 1] == '\r'))
            shown--;
        const lvl_text line = lvl_text_trim((lvl_text){p, shown});
        const lvl_position pos = {.bit = (uint64_t)at * 8, .bits = (uint64_t)len * 8, .known = true};
        const lvl_where where = lvl_where_to(lvl_where_root(), LVL_FIELD(lvl_pal, colors), count);
        if (line.len == LINE_SIZE && count < LVL_PAL_COLORS && color_of(line, &colors[count])) {
            lvl_emit_span(sink, at, len, (lvl_span){.role = LVL_SPAN_FIELD, .where = where});
            count++;
        } else {
            if (line.len)
                lvl_findings_add(findings, &pal_findings[LINE_UNKNOWN], NULL, &pos, "%u colours before it",
                                 (unsigned)count);
            lvl_emit_span(sink, at, len, (lvl_span){.role = LVL_SPAN_SPELLING, .note = "no colour"});
        }
        at += len;
    }
    return count;
}

static void write_lines(const lvl_pal *pal, lvl_buffer *out)
{
    for (uint32_t i = 0; i < pal->color_count; i++)
        lvl_buffer_printf(out, "#%02x%02x%02x\r\n", pal->colors[i].red, pal->colors[i].green,
                          pal->colors[i].blue);
}

/* Whether the kept lines give the colours. */
static bool source_holds(const lvl_pal *pal)
{
    lvl_color colors[LVL_PAL_COLORS];

    return pal->text && pal->source.len && pal->color_count <= LVL_PAL_COLORS &&
           read_lines(pal->source, colors, NULL, NULL) == pal->color_count &&
           (!pal->color_count || memcmp(colors, pal->colors, pal->color_count * sizeof *colors) == 0);
}

/* ---- reading and writing ------------------------------------------------------------------------------- */

static int pal_probe(const lvl_probe_input *in)
{
    const lvl_text name = lvl_text_of(in->name), text = {(const char *)in->head.ptr, in->head.len};
    lvl_color color;

    if (in->size == LVL_PAL_SIZE && (lvl_text_has_ending(name, ".pal") || lvl_text_has_ending(name, ".act")))
        return 8;
    if (in->size == ACT_SIZE && lvl_text_has_ending(name, ".act"))
        return 8;
    return (lvl_text_has_ending(name, ".txt") || lvl_text_has_ending(name, ".pal")) && in->size <= MAX_TEXT &&
                   color_of(text, &color) && text.len > LINE_SIZE && strchr("\r\n", text.ptr[LINE_SIZE]) &&
                   text.ptr[LINE_SIZE]
               ? 24
               : 0;
}

static lvl_status read_text(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    lvl_pal *pal = doc->root;
    lvl_buffer made = {0};

    pal->text = 1;
    pal->colors = lvl_arena_array(&doc->arena, LVL_PAL_COLORS, sizeof *pal->colors);
    if (!pal->colors)
        return LVL_ERR_MEMORY;
    pal->color_count = read_lines(doc->input, pal->colors, sink, findings);
    write_lines(pal, &made);
    if (made.len != doc->input.len || (made.len && memcmp(made.data, doc->input.ptr, made.len) != 0))
        pal->source = doc->input;
    lvl_buffer_free(&made);
    if (pal->color_count != LVL_PAL_COLORS)
        lvl_findings_add(findings, &pal_findings[PAL_SIZE_WRONG], NULL, NULL, "%u colours instead of 256",
                         (unsigned)pal->color_count);
    return made.status;
}

static lvl_status pal_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    lvl_pal *pal = doc->root;
    const lvl_field *colors = LVL_FIELD(lvl_pal, colors), *rest = LVL_FIELD(lvl_pal, rest);
    lvl_color color;

    if (doc->input.len != LVL_PAL_SIZE &&
        color_of((lvl_text){(const char *)doc->input.ptr, doc->input.len}, &color))
        return read_text(doc, sink, findings);
    lvl_status status = lvl_colors_read(doc, doc->input, 0, colors, sink, &pal->colors, &pal->color_count);

    if (status != LVL_OK)
        return status;
    size_t used = (size_t)pal->color_count * 3;
    pal->rest.len = doc->input.len - used;
    pal->rest.ptr = pal->rest.len ? doc->input.ptr + used : NULL;
    const bool act = doc->input.len == ACT_SIZE;
    lvl_emit_span(sink, used, pal->rest.len,
                  (lvl_span){.role = act ? LVL_SPAN_FIELD : LVL_SPAN_RESIDUE,
                             .where = lvl_where_to(lvl_where_root(), rest, LVL_NO_INDEX),
                             .note = "after the last whole colour"});
    if (doc->input.len != LVL_PAL_SIZE && !act) {
        const lvl_position pos = {.bits = (uint64_t)doc->input.len * 8, .known = true};
        lvl_findings_add(findings, &pal_findings[PAL_SIZE_WRONG], NULL, &pos, "%llu bytes instead of 768",
                         (unsigned long long)doc->input.len);
    }
    return LVL_OK;
}

static lvl_status pal_write(const lvl_doc *doc, lvl_buffer *out)
{
    const lvl_pal *pal = doc->root;

    if (!pal->text) {
        lvl_colors_write(pal->colors, pal->color_count, out);
        lvl_buffer_add(out, pal->rest.ptr, pal->rest.len);
    } else if (source_holds(pal)) {
        lvl_buffer_add(out, pal->source.ptr, pal->source.len);
    } else {
        write_lines(pal, out);
    }
    return out->status;
}

static lvl_status pal_kept(const lvl_doc *doc, uint64_t *bytes)
{
    const lvl_pal *pal = doc->root;

    *bytes = source_holds(pal) ? pal->source.len : 0;
    return LVL_OK;
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

/* The palette of a picture. */
static lvl_status pal_draw(lvl_doc *doc, const lvl_image *image, const lvl_draw_options *draw_options,
                           lvl_findings *losses)
{
    lvl_pal *pal = doc->root;
    lvl_palette palette;
    uint32_t count;

    (void)draw_options;
    const lvl_status status = lvl_palette_of_image(image, &palette, &count);
    if (status != LVL_OK)
        return status;
    if (count > (lvl_image_is_opaque(image) ? LVL_PAL_COLORS : LVL_PAL_COLORS - 1u))
        lvl_findings_add(losses, &pal_findings[LOSS_COLOR], NULL, NULL,
                         "%lu colours; the palette gets %d that are near", (unsigned long)count,
                         LVL_PAL_COLORS - 1);
    return lvl_colors_from_palette(doc, &palette, &pal->colors, &pal->color_count);
}

const lvl_format lvl_format_pal = {
    .id = "pal",
    .family = "wwd",
    .title = "WAP32 palette",
    .extensions = "pal act",
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
            .kept = pal_kept,
            .drop_spelling = lvl_doc_drop_kept_members,
            .info = pal_info,
            .to_palette = pal_to_palette,
            .draw = LVL_DRAWING(pal_draw),
        },
};
