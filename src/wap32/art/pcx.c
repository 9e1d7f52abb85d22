/*
 * wap32/art/pcx.c: PCX, mostly of version 5 with 8 bits per plane:
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
 * Older pictures have indices of 1, 2 or 4 bits, also divided into planes (the first has the lowest bits),
 * and the 16 colours at 0x10; version 3 has none.
 *
 * Claw's level 12 has tiles as 24-bit PCX. Our encoder ends runs at the end of each plane's row, as the
 * format requires; bytes beyond the width are 0.
 */
#include "wap32/formats.h"
#include "wap32/art/color.h"
#include "wap32/art/pid_runs.h"

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
    LVL_ROW_UINT(lvl_pcx, version, "version", 0x01, .def = 5, .prose = "5: 256 colours or 24 bits; 0, 2, 3, 4: 16 colours"),
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
        .prose = "a palette of 16 colours, for pictures of at most 4 bits"),
    LVL_ROW_UINT(lvl_pcx, unknown_40, "unknown_40", 0x40, .role = LVL_UNKNOWN, .prose = "reserved, 0"),
    LVL_ROW_UINT(lvl_pcx, planes, "planes", 0x41, .def = 1,
        .prose = "1: palette indices; 3 of 8 bits: red, green, blue; else planes with some bits of the index"),
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
        "Neither 8 bits in three planes nor indices of at most 8 bits, such as red, green, blue and alpha: the WAP32 "
        "games have no such picture. The pixels are not decoded; writing keeps them.")
    FINDING(SIZE_INVALID, "pcx.size.invalid", E, E, E,
        "The right or bottom edge lies before the left or top one: there is no picture.")
    FINDING(SIZE_IMPLAUSIBLE, "pcx.size.implausible", E, E, E,
        "The picture is beyond the limits, or far larger than the bytes of the file can encode. The pixels "
        "are not decoded.")
    FINDING(LINE_SHORT, "pcx.line.short", E, E, E,
        "A row has fewer bytes than the picture is wide. The pixels are not decoded.")
    FINDING(PIXELS_CUT, "pcx.pixels.cut", E, E, E,
        "The pixels end before the picture does. The missing ones are read as 0.")
    FINDING(REST_UNKNOWN, "pcx.rest", E, E, E,
        "Bytes follow the pixels that are not a palette: an edge of the picture in the header is too small, "
        "or something else wrote them. Readers ignore them; writing keeps them.")
    FINDING(PALETTE_MISSING, "pcx.palette.missing", E, E, E,
        "A picture of one plane has no palette at its end: 0x0C and 256 colours.")
    FINDING(PIXEL_VALUE, "pcx.pixel.value", E, E, E,
        "A pixel's value does not fit its planes. Writing fails.")
};
/* clang-format on */

/* Findings which mean that content is missing. */
static const lvl_finding_def *const cuts[] = {&pcx_findings[PIXELS_CUT], &pcx_findings[PALETTE_MISSING],
                                              NULL};

static int pcx_probe(const lvl_probe_input *in)
{
    if (in->head.len < HEADER_SIZE)
        return 0;
    const uint8_t *p = in->head.ptr;
    unsigned x_min = lvl_load_u16le(p + 4), y_min = lvl_load_u16le(p + 6), x_max = lvl_load_u16le(p + 8),
             y_max = lvl_load_u16le(p + 10), line = lvl_load_u16le(p + 0x42);
    const unsigned bits = p[3], bytes = (unsigned)(((uint64_t)(x_max - x_min) + 1) * bits + 7) / 8;
    if (p[0] != 10 || p[1] > 5 || p[1] == 1 || p[2] > 1 || p[0x40] != 0 || p[0x41] < 1 || p[0x41] > 4)
        return 0;
    if (bits != 1 && bits != 2 && bits != 4 && bits != 8)
        return 0;
    if (x_max < x_min || y_max < y_min || line < bytes || line > bytes + MAX_PADDING)
        return 0;
    return 8 * 6 + 12;
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

/* Decodes row by row, each with all its planes. */
struct rows {
    lvl_cursor c;
    bool runs;
    size_t line; /* bytes of a row, all planes */
    lvl_pid_run run; /* the current run; `count`: how much of it is left for the next row */
    bool cut; /* the bytes ended inside a row */
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

static bool is_rgb(const lvl_pcx *pcx)
{
    return pcx->bits == 8 && pcx->planes == 3;
}

/* Whether pixels are decoded: colours, or indices of up to 8 bits in one plane or several. */
static bool is_supported(const lvl_pcx *pcx)
{
    const bool depth = pcx->bits == 1 || pcx->bits == 2 || pcx->bits == 4 || pcx->bits == 8;

    return is_rgb(pcx) || (depth && pcx->planes && pcx->bits * pcx->planes <= 8);
}

static uint32_t pixel_of(const lvl_pcx *pcx, const uint8_t *row, uint32_t x)
{
    const size_t line = pcx->line_bytes, at = (size_t)x * pcx->bits / 8;
    const unsigned shift = 8 - pcx->bits - (unsigned)((size_t)x * pcx->bits % 8);
    uint32_t value = 0;

    if (is_rgb(pcx))
        return (uint32_t)row[x] << 16 | (uint32_t)row[line + x] << 8 | row[line * 2 + x];
    for (unsigned p = 0; p < pcx->planes; p++)
        value |= (row[line * p + at] >> shift & ((1u << pcx->bits) - 1)) << p * pcx->bits;
    return value;
}

/* Divides a row's pixels into planes; false if one is out of range. */
static bool split_row(const lvl_pcx *pcx, uint32_t y, uint8_t *row)
{
    const uint32_t most = is_rgb(pcx) ? 0xFFFFFF : (1u << pcx->bits * pcx->planes) - 1;
    const size_t line = pcx->line_bytes;

    memset(row, 0, line * pcx->planes);
    for (uint32_t x = 0; x < pcx->pixels.width; x++) {
        const size_t at = (size_t)x * pcx->bits / 8;
        const unsigned shift = 8 - pcx->bits - (unsigned)((size_t)x * pcx->bits % 8);
        const uint32_t v = lvl_cell(&pcx->pixels, x, y);
        if (v > most)
            return false;
        for (unsigned p = 0; p < pcx->planes; p++) {
            const unsigned from = is_rgb(pcx) ? 16 - p * 8 : p * pcx->bits;
            row[line * p + at] |= (uint8_t)((v >> from & ((1u << pcx->bits) - 1)) << shift);
        }
    }
    return true;
}

static bool is_encodable(const lvl_pcx *pcx)
{
    return is_supported(pcx) && pcx->pixels.ptr &&
           (uint64_t)pcx->pixels.width * pcx->bits <= (uint64_t)pcx->line_bytes * 8;
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

    if (!is_supported(pcx)) {
        lvl_report_at(findings, &pcx_findings[DEPTH_UNSUPPORTED], LVL_AT_ROOT(lvl_pcx, planes),
                      "%u bits in %u planes", pcx->bits, pcx->planes);
        return false;
    }
    if (!w || !h) {
        lvl_report_at(findings, &pcx_findings[SIZE_INVALID], LVL_AT_ROOT(lvl_pcx, x_max),
                      "%u to %u, %u to %u", pcx->x_min, pcx->x_max, pcx->y_min, pcx->y_max);
        return false;
    }
    if ((uint64_t)pcx->line_bytes * 8 < w * pcx->bits) {
        lvl_report_at(findings, &pcx_findings[LINE_SHORT], LVL_AT_ROOT(lvl_pcx, line_bytes),
                      "%u bytes for %llu pixels", pcx->line_bytes, (unsigned long long)w);
        return false;
    }
    const uint64_t bytes = (uint64_t)pcx->line_bytes * pcx->planes * h;
    if (bytes > (uint64_t)body * 32 + PLAUSIBLE_SLACK) {
        lvl_report_at(findings, &pcx_findings[SIZE_IMPLAUSIBLE], LVL_AT_ROOT(lvl_pcx, x_max),
                      "%llu × %llu pixels in %llu bytes: they cannot be read", (unsigned long long)w,
                      (unsigned long long)h, (unsigned long long)body);
        return false;
    }
    return true;
}

static lvl_status decode(lvl_doc *doc, lvl_bytes body, size_t *used, lvl_findings *findings)
{
    lvl_pcx *pcx = doc->root;
    const uint32_t size = is_rgb(pcx) ? 4 : 1, w = pcx->pixels.width, h = pcx->pixels.height;
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
                cells[at] = (uint8_t)pixel_of(pcx, row, x);
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

/* Reads the palette, a marker and 768 bytes, and removes it from the end of *body. */
static lvl_status read_palette(lvl_doc *doc, lvl_bytes *body, lvl_sink *sink, lvl_findings *findings)
{
    lvl_pcx *pcx = doc->root;

    if (pcx->planes != 1 || pcx->bits != 8)
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

    lvl_status status = lvl_read_header(doc, &lvl_pcx_table, sink, &pcx_findings[HEADER_SHORT], findings);
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

/* The last column or row; must fit 16 bits. */
static int64_t last_of(uint32_t first, uint32_t size)
{
    return (uint16_t)(first + size - 1);
}

static lvl_status pcx_write(const lvl_doc *doc, lvl_buffer *out)
{
    const lvl_pcx *pcx = doc->root;
    bool holds = false;

    lvl_status status = lvl_write_header(doc, &lvl_pcx_table, out);
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

    lvl_pixels_check(&pcx->pixels, is_rgb(pcx) ? 0xFFFFFF : (1u << (pcx->bits * pcx->planes & 15)) - 1,
                     &pcx_findings[PIXEL_VALUE], LVL_AT_ROOT(lvl_pcx, pixels), request->findings);
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

/* The colours of a picture with at most 16: those in the header, or the fixed ones of old screens. */
static lvl_status few_colors(const lvl_pcx *pcx, lvl_image *image)
{
    lvl_color colors[16];
    bool any = false;

    for (size_t i = 0; i < sizeof pcx->ega; i++)
        any = any || pcx->ega[i];
    for (unsigned i = 0; i < LVL_COUNT_OF(colors); i++) {
        const uint8_t *own = pcx->ega + (size_t)i * 3;
        const unsigned light = i & 8 ? 0x55 : 0;
        colors[i] = (lvl_color){(uint8_t)((i & 4 ? 0xAA : 0) + light), (uint8_t)((i & 2 ? 0xAA : 0) + light),
                                (uint8_t)((i & 1 ? 0xAA : 0) + light)};
        if (i == 6)
            colors[i].green = 0x55;
        if (any && pcx->version != 3)
            colors[i] = (lvl_color){own[0], own[1], own[2]};
        else if (i == 1 && pcx->bits * pcx->planes == 1)
            colors[i] = (lvl_color){255, 255, 255};
    }
    return lvl_colors_to_image(colors, LVL_COUNT_OF(colors), image);
}

static lvl_status pcx_to_image(const lvl_doc *doc, const char *layer, lvl_image *out)
{
    const lvl_pcx *pcx = doc->root;
    const bool rgb = is_rgb(pcx);

    (void)layer;
    const lvl_status status = lvl_pixels_to_image(doc->ctx, &pcx->pixels, rgb, false, out);
    if (status == LVL_OK && pcx->bits * pcx->planes <= 4)
        return few_colors(pcx, out);
    return status == LVL_OK ? lvl_colors_to_image(pcx->colors, rgb ? 0 : pcx->color_count, out) : status;
}

/* RGBA becomes 24-bit, indices stay indices. LVL_ERR_LOSS: the picture is transparent, which PCX does not
 * support. */
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
    if (!lvl_image_is_opaque(image))
        return LVL_ERR_LOSS;
    status = lvl_pixels_from_image(doc, image, &pcx->pixels);
    if (status != LVL_OK)
        return status;
    pcx->color_count = 0;
    if (!rgb && image->palette)
        status = lvl_colors_from_palette(doc, image->palette, &pcx->colors, &pcx->color_count);
    if (status != LVL_OK)
        return status;
    pcx->bits = 8;
    pcx->planes = rgb ? 3 : 1;
    /* the position of the previous picture may be too far right or down for this one */
    if (pcx->x_min + image->width > MAX_EDGE)
        pcx->x_min = 0;
    if (pcx->y_min + image->height > MAX_EDGE)
        pcx->y_min = 0;
    if (pcx->line_bytes < image->width || pcx->line_bytes > image->width + MAX_PADDING)
        pcx->line_bytes = (uint16_t)(image->width + (image->width & 1));
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
            .draw = LVL_DRAWING(pcx_draw),
        },
};
