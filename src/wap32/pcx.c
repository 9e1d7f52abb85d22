/*
 * wap32/pcx.c: PCX version 5 with 8 bits a plane:
 *
 *     0x00  u8   10
 *     0x01  u8   version        5
 *     0x02  u8   encoding       1: runs, 0: none
 *     0x03  u8   bits           8, of a pixel in a plane
 *     0x04  u16  x_min, y_min, x_max, y_max (all inclusive)
 *     0x0C  u16  dpi_x, dpi_y
 *     0x10  48   palette of 16 colours, unused here
 *     0x40  u8   0
 *     0x41  u8   planes         1, or 3: red, green, blue
 *     0x42  u16  line_bytes     of a row of one plane, at least the width
 *     0x44  u16  palette_kind
 *     0x46  u16  screen_width, screen_height
 *     0x4A  54   zeros
 *     0x80  rows: for each row its planes, as runs (11nnnnnn v: n times v; else the byte itself)
 *     -769  0x0C, 256 colours   with one plane
 *
 * Claw's level 12 has tiles as 24-bit PCX. Our encoder ends runs at the end of each plane's row, as the
 * format requires; bytes beyond the width are 0.
 */
#include "wap32/formats.h"
#include "wap32/color.h"
#include "wap32/pid_runs.h"

#include "base/disk.h"
#include "base/work.h"

#include <lvl/pcx.h>

#include <stdlib.h>

enum {
    HEADER_SIZE = 128,
    PALETTE_SIZE = 768,
    PALETTE_MARK = 0x0C,
    MAX_PADDING = 16, /* bytes of a row beyond its pixels */
    MAX_EDGE = 0x10000, /* px in each direction: edges have 16 bits */
    PLAUSIBLE_SLACK = 1 << 20
};

/* clang-format off */
static const lvl_name encoding_names[] = {{0, "none", NULL}, {1, "runs", NULL}, {0, NULL, NULL}};
static const lvl_name palette_kinds[] = {{1, "color", NULL}, {2, "gray", NULL}, {0, NULL, NULL}};
static const lvl_field pcx_fields[] = {
    LVL_ROW_UINT(lvl_pcx, manufacturer, "manufacturer", 0x00, .def = 10, .prose = "10"),
    LVL_ROW_UINT(lvl_pcx, version, "version", 0x01, .def = 5, .prose = "5: 256 colours or 24 bits"),
    LVL_ROW_UINT(lvl_pcx, encoding, "encoding", 0x02, .def = 1, .names = encoding_names,
        .prose = "whether rows are runs"),
    LVL_ROW_UINT(lvl_pcx, bits, "bits", 0x03, .def = 8, .prose = "bits of a pixel in each plane"),
    LVL_ROW_UINT(lvl_pcx, x_min, "x_min", 0x04, .unit = "px", .prose = "left edge"),
    LVL_ROW_UINT(lvl_pcx, y_min, "y_min", 0x06, .unit = "px", .prose = "top edge"),
    LVL_ROW_UINT(lvl_pcx, x_max, "x_max", 0x08, .role = LVL_DERIVED, .unit = "px",
        .prose = "right edge, inside the picture"),
    LVL_ROW_UINT(lvl_pcx, y_max, "y_max", 0x0A, .role = LVL_DERIVED, .unit = "px",
        .prose = "bottom edge, inside the picture"),
    LVL_ROW_UINT(lvl_pcx, dpi_x, "dpi_x", 0x0C, .prose = "dots an inch, or the screen's width"),
    LVL_ROW_UINT(lvl_pcx, dpi_y, "dpi_y", 0x0E, .prose = "dots an inch, or the screen's height"),
    LVL_ROW(lvl_pcx, ega, "ega", LVL_BYTES, .flags = LVL_F_SLOT, .disk = 0x10,
        .prose = "a palette of 16 colours, of no use here"),
    LVL_ROW_UINT(lvl_pcx, unknown_40, "unknown_40", 0x40, .role = LVL_UNKNOWN, .prose = "reserved, 0"),
    LVL_ROW_UINT(lvl_pcx, planes, "planes", 0x41, .def = 1,
        .prose = "1: palette indices; 3: red, green, blue"),
    LVL_ROW_UINT(lvl_pcx, line_bytes, "line_bytes", 0x42, .unit = "bytes",
        .prose = "a row of one plane; at least the width"),
    LVL_ROW_UINT(lvl_pcx, palette_kind, "palette_kind", 0x44, .def = 1, .names = palette_kinds,
        .prose = "colours or grays"),
    LVL_ROW_UINT(lvl_pcx, screen_width, "screen_width", 0x46, .unit = "px",
        .prose = "size of the screen it was made on"),
    LVL_ROW_UINT(lvl_pcx, screen_height, "screen_height", 0x48, .unit = "px",
        .prose = "size of the screen it was made on"),
    LVL_ROW(lvl_pcx, unknown_4a, "unknown_4a", LVL_BYTES, .flags = LVL_F_SLOT, .disk = 0x4A,
        .role = LVL_UNKNOWN, .prose = "zeros"),
    LVL_ROW_CELLS(lvl_pcx, pixels, "pixels", NULL,
        .prose = "palette indices, or red * 65536 + green * 256 + blue with three planes",
        .summary = {.show = LVL_SHOW, .label = "size", .key = "size"}),
    LVL_ROW_LIST(lvl_pcx, colors, color_count, "colors", &lvl_color_table, lvl_color,
        .prose = "256 colours, with one plane"),
    LVL_ROW_BYTES(lvl_pcx, rest, "rest", .role = LVL_UNKNOWN, .prose = "between pixels and palette or end"),
    LVL_ROW_BYTES(lvl_pcx, encoded, "encoded", .role = LVL_KEPT,
        .prose = "the rows as encoded, where lvl would encode them differently"),
};
/* clang-format on */

const lvl_table lvl_pcx_table = {
    .name = "pcx",
    .prose = "A picture.",
    LVL_TABLE_OF(lvl_pcx, pcx_fields),
    .disk_size = HEADER_SIZE,
};

enum {
    HEADER_SHORT,
    DEPTH_UNSUPPORTED,
    SIZE_INVALID,
    SIZE_IMPLAUSIBLE,
    LINE_SHORT,
    PIXELS_CUT,
    REST_UNKNOWN,
    PALETTE_MISSING,
    PIXEL_VALUE
};

#define FINDING_INDEX(name) name
#include "base/finding_rows.h"

/* clang-format off */
static const lvl_finding_def pcx_findings[] = {
    FINDING(HEADER_SHORT, "pcx.header.short", F, F, F,
        "The file is shorter than a PCX's header of 128 bytes.")
    FINDING(DEPTH_UNSUPPORTED, "pcx.depth.unsupported", E, E, W,
        "Neither 8 bits in one plane nor 8 bits in three: the WAP32 games have no such picture. The pixels "
        "are not decoded.")
    FINDING(SIZE_INVALID, "pcx.size.invalid", E, E, E,
        "The right or bottom edge lies before the left or top one: there is no picture.")
    FINDING(SIZE_IMPLAUSIBLE, "pcx.size.implausible", E, E, E,
        "The picture is beyond the limits, or far larger than the bytes of the file can encode. The pixels "
        "are not decoded.")
    FINDING(LINE_SHORT, "pcx.line.short", E, E, E,
        "A row has fewer bytes than the picture is wide. The pixels are not decoded.")
    FINDING(PIXELS_CUT, "pcx.pixels.cut", E, E, W,
        "The pixels end before the picture does. The missing ones are read as 0.")
    FINDING(REST_UNKNOWN, "pcx.rest", E, E, E,
        "Bytes follow the pixels that are no palette: an edge of the picture in the header is too small, "
        "or something else wrote them. Readers ignore them; writing keeps them.")
    FINDING(PALETTE_MISSING, "pcx.palette.missing", E, W, N,
        "A picture of one plane has no palette at its end: 0x0C and 256 colours.")
    FINDING(PIXEL_VALUE, "pcx.pixel.value", E, E, E,
        "A pixel's value is more than its planes can hold. Writing fails.")
};
/* clang-format on */

/* Content is missing. */
static const lvl_finding_def *const cuts[] = {&pcx_findings[PIXELS_CUT], &pcx_findings[PALETTE_MISSING],
                                              NULL};

static int pcx_probe(const lvl_probe_input *in)
{
    if (in->head.len < HEADER_SIZE)
        return 0;
    const uint8_t *p = in->head.ptr;
    unsigned x_min = lvl_load_u16le(p + 4), y_min = lvl_load_u16le(p + 6), x_max = lvl_load_u16le(p + 8),
             y_max = lvl_load_u16le(p + 10), line = lvl_load_u16le(p + 0x42);
    if (p[0] != 10 || p[1] != 5 || p[2] > 1 || p[3] != 8 || p[0x40] != 0 || (p[0x41] != 1 && p[0x41] != 3))
        return 0;
    if (x_max < x_min || y_max < y_min || line < x_max - x_min + 1 || line > x_max - x_min + 1 + MAX_PADDING)
        return 0;
    return 8 * 6 + 12;
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

/* Decodes row after row, each with all its planes. */
struct rows {
    lvl_cursor c;
    bool runs;
    size_t line; /* bytes of a row, all planes */
    lvl_pid_run run; /* `count`: how much of it is left for the next row */
    bool cut; /* the bytes ended before a row did */
};

static struct rows rows_of(const lvl_pcx *pcx, lvl_bytes bytes)
{
    return (struct rows){
        .c = lvl_cursor_of(bytes), .runs = pcx->encoding != 0, .line = (size_t)pcx->line_bytes * pcx->planes};
}

static void next_row(struct rows *r, uint8_t *row)
{
    size_t at = 0;

    memset(row, 0, r->line);
    if (!r->runs) {
        size_t left = lvl_cursor_left(&r->c), n = left < r->line ? left : r->line;
        const uint8_t *p = lvl_cursor_take(&r->c, n);
        if (n)
            memcpy(row, p, n);
        r->cut = r->cut || n < r->line;
        return;
    }
    while (at < r->line) {
        if (r->run.count == 0 && !lvl_pid_run_next(&r->c, false, &r->run)) {
            r->run.count = 0;
            r->cut = true;
            return;
        }
        size_t n = r->run.count < r->line - at ? r->run.count : r->line - at;
        memset(row + at, (int)r->run.value, n);
        r->run.count -= (uint32_t)n;
        at += n;
    }
}

static uint32_t pixel_of(const lvl_pcx *pcx, const uint8_t *row, uint32_t x)
{
    if (pcx->planes != 3)
        return row[x];
    const uint8_t *p = row + x;
    return (uint32_t)p[0] << 16 | (uint32_t)p[pcx->line_bytes] << 8 | p[(size_t)pcx->line_bytes * 2];
}

/* Divides a row's pixels into planes; false if one is out of range. */
static bool split_row(const lvl_pcx *pcx, uint32_t y, uint8_t *row)
{
    const size_t line = pcx->line_bytes;

    memset(row, 0, line * pcx->planes);
    for (uint32_t x = 0; x < pcx->pixels.width; x++) {
        uint32_t v = lvl_cell(&pcx->pixels, x, y);
        if (v > (pcx->planes == 3 ? 0xFFFFFFu : 0xFFu))
            return false;
        if (pcx->planes == 3) {
            row[x] = (uint8_t)(v >> 16);
            row[line + x] = (uint8_t)(v >> 8);
            row[line * 2 + x] = (uint8_t)v;
        } else {
            row[x] = (uint8_t)v;
        }
    }
    return true;
}

static bool is_encodable(const lvl_pcx *pcx)
{
    return pcx->bits == 8 && (pcx->planes == 1 || pcx->planes == 3) && pcx->pixels.ptr &&
           pcx->pixels.width <= pcx->line_bytes;
}

static lvl_status encode(const lvl_pcx *pcx, lvl_buffer *out)
{
    const lvl_cells line = {NULL, pcx->line_bytes, pcx->planes, 1};
    lvl_status status = LVL_OK;

    if (!pcx->pixels.ptr || !pcx->pixels.width || !pcx->pixels.height)
        return LVL_OK;
    if (!is_encodable(pcx))
        return LVL_ERR_ARG;
    uint8_t *row = malloc((size_t)pcx->line_bytes * pcx->planes);
    if (!row)
        return LVL_ERR_MEMORY;
    for (uint32_t y = 0; y < pcx->pixels.height && status == LVL_OK; y++) {
        if (!split_row(pcx, y, row)) {
            status = LVL_ERR_ARG;
        } else if (pcx->encoding == 0) {
            lvl_buffer_add(out, row, (size_t)pcx->line_bytes * pcx->planes);
            status = out->status;
        } else {
            lvl_cells cells = line;
            cells.ptr = row;
            status = lvl_pid_encode(&cells, false, LVL_PID_SPARING, out);
        }
    }
    free(row);
    return status;
}

/* Whether the kept bytes decode to the pixels. */
static lvl_status encoded_holds(const lvl_pcx *pcx, bool *holds)
{
    bool same = true;

    *holds = false;
    if (!pcx->encoded.len || !is_encodable(pcx) || !pcx->line_bytes)
        return LVL_OK;
    struct rows rows = rows_of(pcx, pcx->encoded);
    uint8_t *row = malloc(rows.line);
    if (!row)
        return LVL_ERR_MEMORY;
    for (uint32_t y = 0; same && y < pcx->pixels.height; y++) {
        next_row(&rows, row);
        for (uint32_t x = 0; same && x < pcx->pixels.width; x++)
            same = pixel_of(pcx, row, x) == lvl_cell(&pcx->pixels, x, y);
    }
    free(row);
    *holds = same && lvl_cursor_left(&rows.c) == 0;
    return LVL_OK;
}

/* ---- reading ------------------------------------------------------------------------------------------- */

/* Whether the pixels can be decoded; reports why not. */
static bool is_decodable(const lvl_doc *doc, size_t body, lvl_findings *findings)
{
    const lvl_pcx *pcx = doc->root;
    const uint64_t w = pcx->pixels.width, h = pcx->pixels.height;

    if (pcx->bits != 8 || (pcx->planes != 1 && pcx->planes != 3)) {
        lvl_report_at(findings, &pcx_findings[DEPTH_UNSUPPORTED], LVL_AT_ROOT(lvl_pcx, planes),
                      "%u bits in %u planes", pcx->bits, pcx->planes);
        return false;
    }
    if (!w || !h) {
        lvl_report_at(findings, &pcx_findings[SIZE_INVALID], LVL_AT_ROOT(lvl_pcx, x_max),
                      "%u to %u, %u to %u", pcx->x_min, pcx->x_max, pcx->y_min, pcx->y_max);
        return false;
    }
    if (pcx->line_bytes < w) {
        lvl_report_at(findings, &pcx_findings[LINE_SHORT], LVL_AT_ROOT(lvl_pcx, line_bytes),
                      "%u bytes for %llu pixels", pcx->line_bytes, (unsigned long long)w);
        return false;
    }
    const uint64_t bytes = (uint64_t)pcx->line_bytes * pcx->planes * h;
    if (bytes > (uint64_t)body * 32 + PLAUSIBLE_SLACK) {
        lvl_report_at(findings, &pcx_findings[SIZE_IMPLAUSIBLE], LVL_AT_ROOT(lvl_pcx, x_max),
                      "%llu × %llu pixels in %llu bytes", (unsigned long long)w, (unsigned long long)h,
                      (unsigned long long)body);
        return false;
    }
    return true;
}

static lvl_status decode(lvl_doc *doc, lvl_bytes body, size_t *used, lvl_findings *findings)
{
    lvl_pcx *pcx = doc->root;
    const uint32_t size = pcx->planes == 3 ? 4 : 1, w = pcx->pixels.width, h = pcx->pixels.height;
    lvl_status status = LVL_ERR_MEMORY;
    struct rows rows = rows_of(pcx, body);
    lvl_buffer encoded = {0};

    uint8_t *row = malloc(rows.line);
    uint8_t *cells = lvl_arena_array(&doc->arena, (size_t)w * h, size);
    if (!row || !cells)
        goto out;
    for (uint32_t y = 0; y < h; y++) {
        next_row(&rows, row);
        for (uint32_t x = 0; x < w; x++) {
            size_t at = (size_t)y * w + x;
            if (size == 4)
                lvl_store_u32le(cells + at * 4, pixel_of(pcx, row, x));
            else
                cells[at] = row[x];
        }
    }
    *used = rows.c.pos;
    pcx->pixels.ptr = cells;
    pcx->pixels.size = size;
    if (rows.cut) {
        const lvl_where where = LVL_AT_ROOT(lvl_pcx, pixels);
        const lvl_position pos = {.bit = HEADER_SIZE * 8, .bits = (uint64_t)*used * 8, .known = true};
        lvl_findings_add(findings, &pcx_findings[PIXELS_CUT], &where, &pos,
                         "the pixels end before the picture does");
    }
    status = doc->show ? LVL_OK : encode(pcx, &encoded);
    if (status == LVL_OK &&
        (doc->show || encoded.len != *used || (*used && memcmp(encoded.data, body.ptr, *used) != 0)))
        pcx->encoded = (lvl_bytes){body.ptr, *used};
out:
    lvl_buffer_free(&encoded);
    free(row);
    return status;
}

/* Reads the palette, a mark and 768 bytes, and takes it from the end of *body. */
static lvl_status read_palette(lvl_doc *doc, lvl_bytes *body, lvl_sink *sink, lvl_findings *findings)
{
    lvl_pcx *pcx = doc->root;

    if (pcx->planes != 1)
        return LVL_OK;
    if (body->len < PALETTE_SIZE + 1 || body->ptr[body->len - PALETTE_SIZE - 1] != PALETTE_MARK) {
        lvl_report_at(findings, &pcx_findings[PALETTE_MISSING], LVL_AT_ROOT(lvl_pcx, colors),
                      "no 0x0C 769 bytes before the end");
        return LVL_OK;
    }
    body->len -= PALETTE_SIZE + 1;
    const size_t at = HEADER_SIZE + body->len;
    const lvl_bytes colors = {body->ptr + body->len + 1, PALETTE_SIZE};
    lvl_emit_span(sink, at, 1, (lvl_span){.role = LVL_SPAN_CONTAINER, .note = "palette marker"});
    return lvl_colors_read(doc, colors, at + 1, LVL_FIELD(lvl_pcx, colors), sink, &pcx->colors,
                           &pcx->color_count);
}

static lvl_status pcx_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    lvl_pcx *pcx = doc->root;
    size_t used = 0;

    lvl_status status = lvl_read_header(doc, sink, &pcx_findings[HEADER_SHORT], findings);
    if (status != LVL_OK)
        return status;
    lvl_bytes body = {doc->input.ptr + HEADER_SIZE, doc->input.len - HEADER_SIZE};
    status = read_palette(doc, &body, sink, findings);
    if (status != LVL_OK)
        return status;
    pcx->pixels.size = 1;
    pcx->pixels.width = pcx->x_max >= pcx->x_min ? (uint32_t)pcx->x_max - pcx->x_min + 1 : 0;
    pcx->pixels.height = pcx->y_max >= pcx->y_min ? (uint32_t)pcx->y_max - pcx->y_min + 1 : 0;
    if (is_decodable(doc, body.len, findings)) {
        status = lvl_pixels_allowed(doc->ctx, (uint64_t)pcx->pixels.width * pcx->pixels.height, 4);
        if (status == LVL_OK)
            status = decode(doc, body, &used, findings);
        if (status != LVL_OK)
            return status;
        lvl_emit_field(sink, lvl_where_root(), LVL_FIELD(lvl_pcx, pixels), HEADER_SIZE, used, LVL_SPAN_FIELD);
    }
    lvl_read_rest(doc, LVL_FIELD(lvl_pcx, rest), (lvl_bytes){body.ptr + used, body.len - used}, sink,
                  &pcx_findings[REST_UNKNOWN], findings);
    return LVL_OK;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

/* The last column or row of `size`, which has 16 bits. */
static int64_t last_of(uint32_t first, uint32_t size)
{
    return (uint16_t)(first + size - 1);
}

static lvl_status pcx_write(const lvl_doc *doc, lvl_buffer *out)
{
    const lvl_pcx *pcx = doc->root;
    bool holds = false;

    lvl_status status = lvl_write_header(doc, out);
    if (status == LVL_OK)
        status = encoded_holds(pcx, &holds);
    if (holds)
        lvl_buffer_add(out, pcx->encoded.ptr, pcx->encoded.len);
    else if (status == LVL_OK)
        status = encode(pcx, out);
    if (status != LVL_OK)
        return status;
    lvl_buffer_add(out, pcx->rest.ptr, pcx->rest.len);
    if (pcx->color_count) {
        lvl_buffer_u8(out, PALETTE_MARK);
        lvl_colors_write(pcx->colors, pcx->color_count, out);
    }
    return out->status;
}

static lvl_status pcx_derive(lvl_doc *doc, lvl_derived_fn visit, void *user)
{
    lvl_pcx *pcx = doc->root;

    visit(user, pcx, LVL_FIELD(lvl_pcx, x_max), last_of(pcx->x_min, pcx->pixels.width));
    visit(user, pcx, LVL_FIELD(lvl_pcx, y_max), last_of(pcx->y_min, pcx->pixels.height));
    return LVL_OK;
}

static lvl_status pcx_kept(const lvl_doc *doc, uint64_t *bytes)
{
    const lvl_pcx *pcx = doc->root;
    bool holds = false;
    const lvl_status status = encoded_holds(pcx, &holds);

    *bytes = holds ? pcx->encoded.len : 0;
    return status;
}

/* ---- checking, info, pictures -------------------------------------------------------------------------- */

static lvl_status pcx_check(const lvl_doc *doc, const lvl_check_request *request)
{
    const lvl_pcx *pcx = doc->root;

    lvl_pixels_check(&pcx->pixels, pcx->planes == 3 ? 0xFFFFFF : 0xFF, &pcx_findings[PIXEL_VALUE],
                     LVL_AT_ROOT(lvl_pcx, pixels), request->findings);
    return LVL_OK;
}

static lvl_status pcx_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art)
{
    const lvl_pcx *pcx = doc->root;

    (void)art;
    lvl_info_fields(info, &lvl_pcx_table, pcx, NULL, NULL);
    lvl_info_int(info, "bits", "bits a pixel", pcx->bits * pcx->planes, NULL);
    lvl_info_bool(info, "palette", "palette", pcx->color_count > 0);
    return lvl_info_status(info);
}

static lvl_status pcx_to_image(const lvl_doc *doc, const char *layer, lvl_image *out)
{
    const lvl_pcx *pcx = doc->root;
    const lvl_cells *cells = &pcx->pixels;
    const bool rgb = pcx->planes == 3;
    size_t at = 0;

    (void)layer;
    if (!cells->ptr)
        return LVL_ERR_FORMAT;
    lvl_status status = lvl_image_init(out, doc->ctx, rgb ? LVL_PIXELS_RGBA8 : LVL_PIXELS_INDEX8,
                                       cells->width, cells->height, false);
    if (status != LVL_OK)
        return status;
    for (uint32_t y = 0; y < cells->height; y++) {
        for (uint32_t x = 0; x < cells->width; x++, at++) {
            uint32_t v = lvl_cell(cells, x, y);
            if (rgb) {
                const uint8_t rgba[4] = {(uint8_t)(v >> 16), (uint8_t)(v >> 8), (uint8_t)v, 255};
                memcpy(out->pixels + at * 4, rgba, 4);
            } else {
                out->pixels[at] = (uint8_t)v;
            }
        }
    }
    return lvl_colors_to_image(pcx->colors, rgb ? 0 : pcx->color_count, out);
}

/* RGBA becomes 24-bit, indices stay indices. PCX has no transparency: LVL_ERR_LOSS. */
static lvl_status pcx_draw(lvl_doc *doc, const lvl_image *image, const lvl_draw_options *draw_options,
                           lvl_findings *losses)
{
    const bool rgb = image->format == LVL_PIXELS_RGBA8;
    lvl_pcx *pcx = doc->root;
    lvl_status status;

    (void)draw_options;
    (void)losses;
    if (!image->width || !image->height || image->width > 0xFFFE || image->height > 0xFFFF)
        return LVL_ERR_ARG;
    status = lvl_pixels_allowed(doc->ctx, (uint64_t)image->width * image->height, 4);
    if (status != LVL_OK)
        return status;
    const size_t total = (size_t)image->width * image->height;
    for (size_t i = 0; i < total; i++) {
        if (lvl_pixel_alpha(image, i) != 255)
            return LVL_ERR_LOSS;
    }
    uint8_t *cells = lvl_arena_array(&doc->arena, total, rgb ? 4 : 1);
    if (!cells)
        return LVL_ERR_MEMORY;
    for (size_t i = 0; i < total; i++) {
        const uint8_t *p = image->pixels + i * (rgb ? 4 : 1);
        if (rgb)
            lvl_store_u32le(cells + i * 4, (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2]);
        else
            cells[i] = p[0];
    }
    pcx->color_count = 0;
    if (!rgb && image->palette)
        status = lvl_colors_from_palette(doc, image->palette, &pcx->colors, &pcx->color_count);
    if (status != LVL_OK)
        return status;
    pcx->bits = 8;
    pcx->planes = rgb ? 3 : 1;
    /* the edges of the picture before may be too far right or down for this one */
    if (pcx->x_min + image->width > MAX_EDGE)
        pcx->x_min = 0;
    if (pcx->y_min + image->height > MAX_EDGE)
        pcx->y_min = 0;
    if (pcx->line_bytes < image->width || pcx->line_bytes > image->width + MAX_PADDING)
        pcx->line_bytes = (uint16_t)(image->width + (image->width & 1));
    pcx->pixels.ptr = cells;
    pcx->pixels.size = rgb ? 4 : 1;
    pcx->pixels.width = image->width;
    pcx->pixels.height = image->height;
    bool holds = false;
    status = encoded_holds(pcx, &holds);
    if (!holds)
        pcx->encoded = (lvl_bytes){NULL, 0};
    return status == LVL_OK ? lvl_doc_recompute_derived(doc) : status;
}

const lvl_format lvl_format_pcx = {
    .id = "pcx",
    .family = "wwd",
    .title = "PCX picture",
    .extensions = "pcx",
    .mime = "image/vnd.zbrush.pcx",
    .is_picture = true,
    .codepage = LVL_CP_1252,
    .table = &lvl_pcx_table,
    .findings = pcx_findings,
    .finding_count = LVL_COUNT_OF(pcx_findings),
    .calls =
        &(const lvl_format_calls){
            .cuts = cuts,
            .probe = pcx_probe,
            .read = pcx_read,
            .write = pcx_write,
            .derive = pcx_derive,
            .kept = pcx_kept,
            .drop_spelling = lvl_doc_drop_kept_members,
            .check = pcx_check,
            .info = pcx_info,
            .to_image = pcx_to_image,
            .draw = pcx_draw,
        },
};
