/*
 * wap32/art/bmp.c: BMP:
 *
 *     0x00  "BM"
 *     0x02  u32  file_size
 *     0x06  u16  0, 0
 *     0x0A  u32  data_offset    of the pixels
 *     0x0E  u32  header_size    40 (Windows), 108 and 124 (V4, V5: more follows), 64 (OS/2 2), 12 (OS/2 1)
 *     0x12  i32  width, height  height < 0: the top row comes first
 *     0x1A  u16  planes 1, bits 8 or 24
 *     0x1E  u32  compression    0: rows, 1: runs (8 bits only)
 *     0x22  u32  image_size     or 0
 *     0x26  i32  dpm_x, dpm_y
 *     0x2E  u32  used           colours; 0: 256
 *     0x32  u32  important
 *           used × { u8 blue, green, red, 0 }
 *           rows from the bottom, each padded to four bytes: indices, or blue, green, red
 *
 * With a header of 12 bytes, width and height are u16 at 0x12, planes and bits follow, and colours have three
 * bytes. 866 of 866 real files of custom levels have 8 bits in plain rows from the bottom; 567 end with two
 * zeros that image_size includes, and have 255 colours.
 */
#include "wap32/art/color.h"
#include "wap32/formats.h"

#include "base/cursor.h"
#include "base/disk.h"
#include "base/work.h"

#include <lvl/bmp.h>

#include <stdlib.h>
#include <string.h>

enum {
    FILE_HEADER = 14,
    HEADER_SIZE = 54,
    OS2_SIZE = 26,
    COLORS = 256,
    MAX_PADDING = 3, /* zeros after the pixels that are not reported */
    MAX_RATIO = 128, /* pixels that one byte can encode */
    PLAUSIBLE_SLACK = 1 << 20
};

/* clang-format off */
static const lvl_name header_names[] = {{0, "windows", NULL}, {1, "os2", NULL}, {0, NULL, NULL}};
static const lvl_name compression_names[] = {{LVL_BMP_PLAIN, "none", NULL}, {LVL_BMP_RUNS, "runs", NULL},
                                             {0, NULL, NULL}};
#define WINDOWS .when = {offsetof(lvl_bmp, os2), 1, 1 << 0}
/* The rows of both kinds of header. */
#define FILE_ROWS \
    LVL_ROW_UINT(lvl_bmp, os2, "header", LVL_NO_PLACE, .names = header_names, \
        .prose = "the kind of header: that of OS/2 1 has 12 bytes"), \
    LVL_ROW(lvl_bmp, type, "type", LVL_INT, .flags = LVL_F_HEX, .disk = 0x00, .def = 0x4D42, .prose = "BM"), \
    LVL_ROW_UINT(lvl_bmp, file_size, "file_size", 0x02, .role = LVL_DERIVED, .unit = "bytes", \
        .prose = "size of the file"), \
    LVL_ROW_UINT(lvl_bmp, unknown_06, "unknown_06", 0x06, .role = LVL_UNKNOWN, .prose = "reserved, 0"), \
    LVL_ROW_UINT(lvl_bmp, unknown_08, "unknown_08", 0x08, .role = LVL_UNKNOWN, .prose = "reserved, 0"), \
    LVL_ROW_UINT(lvl_bmp, data_offset, "data_offset", 0x0A, .disk_size = 4, .role = LVL_KEPT, .unit = "bytes", \
        .def = LVL_BMP_USUAL, .prose = "declared position of the pixels, if it is outside the file"), \
    LVL_ROW_UINT(lvl_bmp, header_size, "header_size", 0x0E, .role = LVL_DERIVED, .unit = "bytes", \
        .prose = "size of the header after the first 14 bytes")
#define SIZE_ROWS(sign, bytes, w, h, p) \
    LVL_ROW(lvl_bmp, width, "width", LVL_INT, .flags = (sign), .disk = (w), .disk_size = (bytes), \
        .role = LVL_DERIVED, .unit = "px", .prose = "width"), \
    LVL_ROW(lvl_bmp, height, "height", LVL_INT, .flags = (sign), .disk = (h), .disk_size = (bytes), \
        .role = LVL_DERIVED, .unit = "px", .prose = "height, negative if the top row comes first"), \
    LVL_ROW_UINT(lvl_bmp, planes, "planes", (p), .def = 1, .prose = "1"), \
    LVL_ROW_UINT(lvl_bmp, bits, "bits", (p) + 2, .def = 8, \
        .prose = "bits per pixel: 8, an index in the palette, or 24")
static const lvl_field bmp_fields[] = {
    FILE_ROWS,
    SIZE_ROWS(LVL_F_SIGNED, 4, 0x12, 0x16, 0x1A),
    LVL_ROW_UINT(lvl_bmp, compression, "compression", 0x1E, WINDOWS, .names = compression_names,
        .prose = "whether rows are runs"),
    LVL_ROW_UINT(lvl_bmp, image_size, "image_size", 0x22, WINDOWS, .role = LVL_DERIVED, .unit = "bytes",
        .prose = "size of the pixels and of what follows them; 0 is allowed"),
    LVL_ROW_INT(lvl_bmp, dpm_x, "dpm_x", 0x26, WINDOWS, .prose = "dots per metre"),
    LVL_ROW_INT(lvl_bmp, dpm_y, "dpm_y", 0x2A, WINDOWS, .prose = "dots per metre"),
    LVL_ROW_UINT(lvl_bmp, used, "used", 0x2E, WINDOWS,
        .prose = "number of colours in the palette; 0: the maximum"),
    LVL_ROW_UINT(lvl_bmp, important, "important", 0x32, WINDOWS, .prose = "number of important colours"),
    LVL_ROW_UINT(lvl_bmp, top_down, "top_down", LVL_NO_PLACE, WINDOWS, .max = 1,
        .prose = "1: the top row comes first in the file"),
    LVL_ROW_BYTES(lvl_bmp, more, "more", WINDOWS,
        .prose = "the rest of a header longer than 40 bytes: masks, colour space"),
    LVL_ROW_LIST(lvl_bmp, colors, color_count, "colors", &lvl_color_table, lvl_color,
        .prose = "the palette; index 0 is not drawn"),
    LVL_ROW_BYTES(lvl_bmp, reserved, "reserved", .role = LVL_UNKNOWN,
        .prose = "the fourth byte of each colour, if they are not all 0"),
    LVL_ROW_BYTES(lvl_bmp, gap, "gap", .role = LVL_UNKNOWN, .prose = "between palette and pixels"),
    LVL_ROW_CELLS(lvl_bmp, pixels, "pixels", NULL,
        .prose = "from the top: palette indices, or red * 65536 + green * 256 + blue with 24 bits",
        .summary = {.show = LVL_SHOW, .label = "size", .key = "size"}),
    LVL_ROW_BYTES(lvl_bmp, rest, "rest", .role = LVL_UNKNOWN, .prose = "after the pixels"),
    LVL_ROW_BYTES(lvl_bmp, encoded, "encoded", .role = LVL_KEPT,
        .prose = "the pixels as encoded, where lvl would encode them differently"),
};
/* How the header of OS/2 1 is stored. */
static const lvl_field os2_fields[] = {FILE_ROWS, SIZE_ROWS(0, 2, 0x12, 0x14, 0x16)};
static const lvl_field bgr_fields[] = {
    LVL_ROW_UINT(lvl_color, blue, "blue", 0, .prose = "blue, 0 to 255"),
    LVL_ROW_UINT(lvl_color, green, "green", 1, .prose = "green, 0 to 255"),
    LVL_ROW_UINT(lvl_color, red, "red", 2, .prose = "red, 0 to 255"),
};
/* clang-format on */

/* A colour as it is stored here. */
static const lvl_table bgr_table = {
    .name = "color",
    .prose = "A colour.",
    LVL_TABLE_OF(lvl_color, bgr_fields),
    .disk_size = 3,
};
const lvl_table lvl_bmp_table = {
    .name = "bmp",
    .prose = "A picture.",
    LVL_TABLE_OF(lvl_bmp, bmp_fields),
    .disk_size = HEADER_SIZE,
};
static const lvl_table os2_table = {
    .name = "bmp",
    .prose = "A picture.",
    LVL_TABLE_OF(lvl_bmp, os2_fields),
    .disk_size = OS2_SIZE,
};

enum {
    HEADER_SHORT,
    DEPTH_UNSUPPORTED,
    SIZE_INVALID,
    SIZE_IMPLAUSIBLE,
    OFFSET_WRONG,
    PALETTE_SHORT,
    PIXELS_CUT,
    RUN_OVER,
    REST_UNKNOWN,
    PIXEL_VALUE,
    LOSS_COLOR
};

#define FINDING_INDEX(name) name
#include "base/finding_rows.h"

/* clang-format off */
static const lvl_finding_def bmp_findings[] = {
    FINDING(HEADER_SHORT, "bmp.header.short", F, F, F,
        "The file is shorter than its header.")
    FINDING(DEPTH_UNSUPPORTED, "bmp.depth.unsupported", E, E, W,
        "Neither 8 nor 24 bits per pixel, or a compression other than runs of 8 bits. The pixels are not decoded; "
        "writing keeps them.")
    FINDING(SIZE_INVALID, "bmp.size.invalid", E, E, E,
        "The width is not positive or the height is 0: there is no picture.")
    FINDING(SIZE_IMPLAUSIBLE, "bmp.size.implausible", E, E, E,
        "The picture is far larger than the bytes of the file can encode. The pixels are not decoded.")
    FINDING(OFFSET_WRONG, "bmp.offset", E, E, W,
        "The pixels begin inside the header or beyond the end of the file. They are read from the end of the "
        "palette.")
    FINDING(PALETTE_SHORT, "bmp.palette.short", E, E, W,
        "The palette has fewer colours than the header declares. The game draws with the level's palette, other "
        "programs show black.")
    FINDING(PIXELS_CUT, "bmp.pixels.cut", E, E, E,
        "The pixels end before the picture does. The missing ones are read as 0.")
    FINDING(RUN_OVER, "bmp.pixels.over", E, E, W,
        "Runs go beyond the end of a row or beyond the last row. Pixels outside are not drawn.")
    FINDING(REST_UNKNOWN, "bmp.rest", W, W, W,
        "Bytes follow the pixels: the size in the header is too small, or something else wrote them. Readers "
        "ignore them; writing keeps them.")
    FINDING(PIXEL_VALUE, "bmp.pixel.value", E, E, E,
        "A pixel's value does not fit its bits. Writing fails.")
    FINDING(LOSS_COLOR, "bmp.loss.color", E, E, E,
        "A colour of the picture is not in the palette that was given.")
};
/* clang-format on */

/* Findings which mean that content is missing. */
static const lvl_finding_def *const cuts[] = {&bmp_findings[PALETTE_SHORT], &bmp_findings[PIXELS_CUT], NULL};

static int bmp_probe(const lvl_probe_input *in)
{
    const uint8_t *p = in->head.ptr;

    if (in->head.len < OS2_SIZE || p[0] != 'B' || p[1] != 'M')
        return 0;
    const uint32_t header = lvl_load_u32le(p + 0x0E), planes = header == 12 ? 0x16 : 0x1A;
    if (header != 12 && header != 40 && header != 52 && header != 56 && header != 64 && header != 108 &&
        header != 124)
        return 0;
    if (in->head.len < planes + 4)
        return 0;
    const unsigned bits = lvl_load_u16le(p + planes + 2);
    return lvl_load_u16le(p + planes) == 1 && bits <= 32 ? 16 + 29 + 16 + 11 : 0;
}

/* ---- pixels -------------------------------------------------------------------------------------------- */

static bool is_supported(const lvl_bmp *bmp)
{
    return (bmp->bits == 8 && bmp->compression <= LVL_BMP_RUNS) ||
           (bmp->bits == 24 && bmp->compression == LVL_BMP_PLAIN);
}

/* Bytes of a plain row. */
static uint64_t row_bytes(const lvl_bmp *bmp)
{
    return ((uint64_t)bmp->pixels.width * bmp->bits + 31) / 32 * 4;
}

/* The index of the first cell of a row of the file. */
static size_t row_start(const lvl_bmp *bmp, uint32_t row)
{
    return (size_t)(bmp->top_down ? row : bmp->pixels.height - 1 - row) * bmp->pixels.width;
}

struct decoded {
    size_t used; /* bytes */
    bool cut; /* the bytes ended inside the picture */
    bool over; /* pixels outside the picture */
};

/* Decodes the pixels into zeroed cells of the size for the bits. */
static struct decoded decode_rows(const lvl_bmp *bmp, lvl_bytes bytes, uint8_t *cells)
{
    const uint64_t line = row_bytes(bmp), total = line * bmp->pixels.height;
    const uint32_t w = bmp->pixels.width;
    struct decoded d = {.used = bytes.len < total ? bytes.len : (size_t)total, .cut = bytes.len < total};

    for (uint32_t row = 0; row < bmp->pixels.height && row * line < bytes.len; row++) {
        const uint8_t *p = bytes.ptr + row * line;
        const size_t left = bytes.len - (size_t)(row * line), at = row_start(bmp, row);
        if (bmp->bits == 8) {
            memcpy(cells + at, p, left < w ? left : w);
            continue;
        }
        for (uint32_t x = 0; x < w && (size_t)x * 3 + 3 <= left; x++, p += 3)
            lvl_store_u32le(cells + (at + x) * 4, (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0]);
    }
    return d;
}

/* n v: n pixels of v; 0 0: end of row; 0 1: end; 0 2 x y: moves; 0 n: n pixels, and a byte if n is odd. */
static struct decoded decode_runs(const lvl_bmp *bmp, lvl_bytes bytes, uint8_t *cells)
{
    const uint32_t w = bmp->pixels.width, h = bmp->pixels.height;
    struct decoded d = {0};
    lvl_cursor c = lvl_cursor_of(bytes);
    uint64_t x = 0, y = 0;

    while (lvl_cursor_left(&c) >= 2) {
        const unsigned n = lvl_cursor_u8(&c), v = lvl_cursor_u8(&c);
        if (n == 0 && v == 1) {
            d.used = c.pos;
            return d;
        }
        if (n == 0 && v == 0) {
            x = 0;
            y++;
        } else if (n == 0 && v == 2 && lvl_cursor_left(&c) >= 2) {
            x += lvl_cursor_u8(&c);
            y += lvl_cursor_u8(&c);
        } else {
            const size_t count = n ? n : v, left = lvl_cursor_left(&c);
            const size_t have = n || left >= count ? count : left,
                         stored = n ? 0 : have + (have & 1 && have < left);
            const size_t fits = y < h && x < w ? (have < w - x ? have : (size_t)(w - x)) : 0;
            const uint8_t *literals = lvl_cursor_take(&c, stored);
            if (fits && n)
                memset(cells + row_start(bmp, (uint32_t)y) + x, (int)v, fits);
            else if (fits)
                memcpy(cells + row_start(bmp, (uint32_t)y) + x, literals, fits);
            d.over = d.over || fits < have;
            d.cut = d.cut || have < count;
            x += have;
        }
    }
    d.used = bytes.len;
    /* the mark of the end may be missing after the last pixel */
    d.cut = d.cut || !(y >= h || (y + 1 == h && x >= w));
    return d;
}

static struct decoded decode(const lvl_bmp *bmp, lvl_bytes bytes, uint8_t *cells)
{
    return bmp->compression == LVL_BMP_RUNS ? decode_runs(bmp, bytes, cells) : decode_rows(bmp, bytes, cells);
}

/* Appends a row; false if a pixel is out of range. */
static bool encode_row(const lvl_bmp *bmp, uint32_t y, lvl_buffer *out)
{
    const lvl_cells *cells = &bmp->pixels;
    const uint32_t most = bmp->bits == 24 ? 0xFFFFFF : 0xFF;

    for (uint32_t x = 0, n = 1; x < cells->width; x += n) {
        const uint32_t v = lvl_cell(cells, x, y);
        if (v > most)
            return false;
        n = 1;
        if (bmp->compression == LVL_BMP_RUNS) {
            while (n < 255 && x + n < cells->width && lvl_cell(cells, x + n, y) == v)
                n++;
            lvl_buffer_u8(out, (uint8_t)n);
        }
        for (unsigned shift = 0; shift < bmp->bits; shift += 8)
            lvl_buffer_u8(out, (uint8_t)(v >> shift));
    }
    if (bmp->compression == LVL_BMP_RUNS)
        lvl_buffer_add(out, "\0", 2);
    else
        lvl_buffer_add(out, "\0\0\0", (size_t)(row_bytes(bmp) - (uint64_t)cells->width * bmp->bits / 8));
    return true;
}

static lvl_status encode(const lvl_bmp *bmp, lvl_buffer *out)
{
    const uint32_t h = bmp->pixels.height;

    if (!bmp->pixels.ptr || !bmp->pixels.width || !h)
        return LVL_OK;
    if (!is_supported(bmp))
        return LVL_ERR_ARG;
    for (uint32_t row = 0; row < h && out->status == LVL_OK; row++) {
        if (!encode_row(bmp, bmp->top_down ? row : h - 1 - row, out))
            return LVL_ERR_ARG;
    }
    if (bmp->compression == LVL_BMP_RUNS)
        lvl_buffer_add(out, "\0\1", 2);
    return out->status;
}

/* Whether the kept bytes decode to the pixels. */
static lvl_status encoded_holds(const lvl_bmp *bmp, bool *holds)
{
    const lvl_cells *pixels = &bmp->pixels;
    lvl_cells read = {NULL, pixels->width, pixels->height, bmp->bits == 24 ? 4 : 1};
    bool same = true;

    *holds = false;
    if (!bmp->encoded.len || !pixels->ptr || !is_supported(bmp))
        return LVL_OK;
    const size_t count = (size_t)pixels->width * pixels->height;
    uint8_t *cells = calloc(count ? count : 1, read.size);
    if (!cells)
        return LVL_ERR_MEMORY;
    read.ptr = cells;
    const struct decoded d = decode(bmp, bmp->encoded, cells);
    for (uint32_t y = 0; same && y < read.height; y++) {
        for (uint32_t x = 0; same && x < read.width; x++)
            same = lvl_cell(&read, x, y) == lvl_cell(pixels, x, y);
    }
    free(cells);
    *holds = same && d.used == bmp->encoded.len;
    return LVL_OK;
}

/* ---- reading ------------------------------------------------------------------------------------------- */

/* How many colours the header declares, at most 256. */
static uint32_t declared_colors(const lvl_bmp *bmp)
{
    const uint32_t n = bmp->used ? bmp->used : bmp->bits <= 8 ? 1u << bmp->bits : 0;

    return n < COLORS ? n : COLORS;
}

/* Reads the palette from the bytes before the pixels, which follow the header at `at`. */
static lvl_status read_palette(lvl_doc *doc, lvl_bytes bytes, size_t at, lvl_sink *sink,
                               lvl_findings *findings)
{
    lvl_bmp *bmp = doc->root;
    const uint32_t entry = bmp->os2 ? 3 : 4, most = declared_colors(bmp);
    const uint32_t n = bytes.len / entry < most ? (uint32_t)(bytes.len / entry) : most;
    bool zero = true;

    bmp->colors = lvl_arena_array(&doc->arena, n, sizeof *bmp->colors);
    uint8_t *reserved = lvl_arena_raw(&doc->arena, n);
    if (!bmp->colors || !reserved)
        return LVL_ERR_MEMORY;
    bmp->color_count = n;
    for (uint32_t i = 0; i < n; i++) {
        const uint8_t *p = bytes.ptr + (size_t)i * entry;
        const lvl_where where = lvl_where_to(lvl_where_root(), LVL_FIELD(lvl_bmp, colors), i);
        lvl_disk_load(&bmp->colors[i], &bgr_table, p, bgr_table.disk_size);
        lvl_emit_span(sink, at + (size_t)i * entry, bgr_table.disk_size,
                      (lvl_span){.where = where, .table = &bgr_table});
        reserved[i] = entry == 4 ? p[3] : 0;
        zero = zero && !reserved[i];
    }
    if (!zero)
        bmp->reserved = (lvl_bytes){reserved, n};
    for (uint32_t i = 0; entry == 4 && i < n; i++) {
        if (zero)
            lvl_emit_span(sink, at + (size_t)i * entry + 3, 1, (lvl_span){.role = LVL_SPAN_PADDING});
        else
            lvl_emit_field(sink, lvl_where_root(), LVL_FIELD(lvl_bmp, reserved), at + (size_t)i * entry + 3,
                           1, LVL_SPAN_FIELD);
    }
    /* OS/2 stores no number of colours: a shorter palette ends where the pixels begin */
    if (n < most && !(bmp->os2 && n))
        lvl_report_at(findings, &bmp_findings[PALETTE_SHORT], LVL_AT_ROOT(lvl_bmp, colors),
                      "%u colours instead of %u", n, most);
    return LVL_OK;
}

/* Whether the pixels can be decoded; reports why not. */
static bool is_decodable(const lvl_bmp *bmp, size_t body, lvl_findings *findings)
{
    const uint64_t w = bmp->pixels.width, h = bmp->pixels.height;

    if (!is_supported(bmp)) {
        lvl_report_at(findings, &bmp_findings[DEPTH_UNSUPPORTED], LVL_AT_ROOT(lvl_bmp, bits),
                      "%u bits, compression %u", bmp->bits, (unsigned)bmp->compression);
        return false;
    }
    if (!w || !h) {
        lvl_report_at(findings, &bmp_findings[SIZE_INVALID], LVL_AT_ROOT(lvl_bmp, width), "%ld × %ld",
                      (long)bmp->width, (long)bmp->height);
        return false;
    }
    if (!body) {
        lvl_report_at(findings, &bmp_findings[PIXELS_CUT], LVL_AT_ROOT(lvl_bmp, pixels),
                      "there are no pixels");
        return false;
    }
    if (w * h > (uint64_t)body * MAX_RATIO + PLAUSIBLE_SLACK) {
        lvl_report_at(findings, &bmp_findings[SIZE_IMPLAUSIBLE], LVL_AT_ROOT(lvl_bmp, width),
                      "%llu × %llu pixels in %llu bytes", (unsigned long long)w, (unsigned long long)h,
                      (unsigned long long)body);
        return false;
    }
    return true;
}

static lvl_status read_pixels(lvl_doc *doc, lvl_bytes body, lvl_findings *findings, size_t *used)
{
    lvl_bmp *bmp = doc->root;
    const uint32_t size = bmp->bits == 24 ? 4 : 1;
    const uint64_t total = (uint64_t)bmp->pixels.width * bmp->pixels.height;
    lvl_status status = lvl_pixels_allowed(doc->ctx, total, 4);
    lvl_buffer encoded = {0};

    if (status != LVL_OK)
        return status;
    uint8_t *cells = lvl_arena_array(&doc->arena, (size_t)total, size);
    if (!cells)
        return LVL_ERR_MEMORY;
    const struct decoded d = decode(bmp, body, cells);
    bmp->pixels.ptr = cells;
    bmp->pixels.size = size;
    *used = d.used;
    if (d.cut || d.over) {
        const lvl_position pos = {
            .bit = (uint64_t)(body.ptr - doc->input.ptr) * 8, .bits = (uint64_t)d.used * 8, .known = true};
        const lvl_where where = LVL_AT_ROOT(lvl_bmp, pixels);
        if (d.cut)
            lvl_findings_add(findings, &bmp_findings[PIXELS_CUT], &where, &pos,
                             "the pixels end before the picture does");
        if (d.over)
            lvl_findings_add(findings, &bmp_findings[RUN_OVER], &where, &pos, "runs outside the picture");
    }
    status = doc->show ? LVL_OK : encode(bmp, &encoded);
    if (status == LVL_OK &&
        (doc->show || encoded.len != d.used || (d.used && memcmp(encoded.data, body.ptr, d.used) != 0)))
        bmp->encoded = (lvl_bytes){body.ptr, d.used};
    lvl_buffer_free(&encoded);
    return status;
}

static void read_rest(lvl_doc *doc, lvl_bytes rest, lvl_sink *sink, lvl_findings *findings)
{
    lvl_bmp *bmp = doc->root;
    bool zero = bmp->pixels.ptr && rest.len <= MAX_PADDING;

    for (size_t i = 0; zero && i < rest.len; i++)
        zero = rest.ptr[i] == 0;
    if (!zero) {
        lvl_read_rest(doc, LVL_FIELD(lvl_bmp, rest), rest, sink, &bmp_findings[REST_UNKNOWN], findings);
    } else if (rest.len) {
        bmp->rest = rest;
        lvl_emit_field(sink, lvl_where_root(), LVL_FIELD(lvl_bmp, rest), (size_t)(rest.ptr - doc->input.ptr),
                       rest.len, LVL_SPAN_PADDING);
    }
}

static lvl_status bmp_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    lvl_bmp *bmp = doc->root;
    const lvl_bytes in = doc->input;
    size_t used = 0;

    bmp->os2 = in.len >= FILE_HEADER + 4 && lvl_load_u32le(in.ptr + FILE_HEADER) == OS2_SIZE - FILE_HEADER;
    const lvl_table *table = bmp->os2 ? &os2_table : &lvl_bmp_table;
    lvl_status status = lvl_read_header(doc, table, sink, &bmp_findings[HEADER_SHORT], findings);
    if (status != LVL_OK)
        return status;
    if (bmp->header_size < table->disk_size - FILE_HEADER || bmp->header_size > in.len - FILE_HEADER) {
        lvl_findings_add(findings, &bmp_findings[HEADER_SHORT], NULL, NULL, "a header of %lu bytes",
                         (unsigned long)bmp->header_size);
        return LVL_ERR_FORMAT;
    }
    const size_t end = FILE_HEADER + (size_t)bmp->header_size;
    if (end > table->disk_size) {
        bmp->more = (lvl_bytes){in.ptr + table->disk_size, end - table->disk_size};
        lvl_emit_field(sink, lvl_where_root(), LVL_FIELD(lvl_bmp, more), table->disk_size, bmp->more.len,
                       LVL_SPAN_FIELD);
    }
    const uint32_t offset = (uint32_t)bmp->data_offset;
    const bool sane = offset >= end && offset <= in.len;
    if (sane)
        bmp->data_offset = LVL_BMP_USUAL;
    else
        lvl_report_at(findings, &bmp_findings[OFFSET_WRONG], LVL_AT_ROOT(lvl_bmp, data_offset),
                      "%lu in a file of %llu bytes: the pixels are read from the end of the palette",
                      (unsigned long)offset, (unsigned long long)in.len);
    status =
        read_palette(doc, (lvl_bytes){in.ptr + end, (sane ? offset : in.len) - end}, end, sink, findings);
    if (status != LVL_OK)
        return status;
    const size_t palette_end = end + (size_t)bmp->color_count * (bmp->os2 ? 3 : 4);
    const size_t at = sane ? offset : palette_end;
    if (at > palette_end) {
        bmp->gap = (lvl_bytes){in.ptr + palette_end, at - palette_end};
        lvl_emit_field(sink, lvl_where_root(), LVL_FIELD(lvl_bmp, gap), palette_end, bmp->gap.len,
                       LVL_SPAN_FIELD);
    }
    const lvl_bytes body = {in.ptr + at, in.len - at};
    bmp->top_down = bmp->height < 0;
    bmp->pixels.size = 1;
    bmp->pixels.width = bmp->width > 0 ? (uint32_t)bmp->width : 0;
    bmp->pixels.height = bmp->top_down ? 0 - (uint32_t)bmp->height : (uint32_t)bmp->height;
    if (is_decodable(bmp, body.len, findings)) {
        status = read_pixels(doc, body, findings, &used);
        if (status != LVL_OK)
            return status;
        lvl_emit_field(sink, lvl_where_root(), LVL_FIELD(lvl_bmp, pixels), at, used, LVL_SPAN_FIELD);
    }
    read_rest(doc, (lvl_bytes){body.ptr + used, body.len - used}, sink, findings);
    return LVL_OK;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

/* Sizes of the header, and of everything before the pixels. */
static size_t header_size(const lvl_bmp *bmp)
{
    return bmp->os2 ? OS2_SIZE - FILE_HEADER : HEADER_SIZE - FILE_HEADER + bmp->more.len;
}

static size_t size_before_pixels(const lvl_bmp *bmp)
{
    return FILE_HEADER + header_size(bmp) + (size_t)bmp->color_count * (bmp->os2 ? 3 : 4) + bmp->gap.len;
}

/* Appends the pixels as they are written. */
static lvl_status write_pixels(const lvl_bmp *bmp, lvl_buffer *out)
{
    bool holds = false;

    lvl_status status = encoded_holds(bmp, &holds);
    if (holds)
        lvl_buffer_add(out, bmp->encoded.ptr, bmp->encoded.len);
    else if (status == LVL_OK)
        status = encode(bmp, out);
    return status == LVL_OK ? out->status : status;
}

static lvl_status bmp_write(const lvl_doc *doc, lvl_buffer *out)
{
    const lvl_bmp *bmp = doc->root;
    const size_t from = out->len;

    lvl_status status = lvl_write_header(doc, bmp->os2 ? &os2_table : &lvl_bmp_table, out);
    if (status != LVL_OK)
        return status;
    lvl_buffer_add(out, bmp->more.ptr, bmp->more.len);
    for (uint32_t i = 0; i < bmp->color_count; i++) {
        uint8_t bytes[4] = {[3] = i < bmp->reserved.len ? bmp->reserved.ptr[i] : 0};
        lvl_disk_store(&bmp->colors[i], &bgr_table, bytes, bgr_table.disk_size);
        lvl_buffer_add(out, bytes, bmp->os2 ? 3 : 4);
    }
    lvl_buffer_add(out, bmp->gap.ptr, bmp->gap.len);
    status = write_pixels(bmp, out);
    lvl_buffer_add(out, bmp->rest.ptr, bmp->rest.len);
    if (status != LVL_OK || out->status != LVL_OK)
        return status == LVL_OK ? out->status : status;
    const size_t at = size_before_pixels(bmp), total = out->len - from;
    /* if colours are missing and no pixels are there, a reader takes the bytes that follow as colours */
    const bool wrong = bmp->data_offset != LVL_BMP_USUAL &&
                       (bmp->data_offset < FILE_HEADER + header_size(bmp) || bmp->data_offset > total) &&
                       (bmp->color_count >= declared_colors(bmp) || total - at < (bmp->os2 ? 3 : 4));
    lvl_store_u32le(out->data + from + 0x0A, wrong ? (uint32_t)bmp->data_offset : (uint32_t)at);
    return LVL_OK;
}

static lvl_status bmp_derive(lvl_doc *doc, lvl_derived_fn visit, void *user)
{
    lvl_bmp *bmp = doc->root;
    const int64_t h = bmp->pixels.height;
    uint64_t body = row_bytes(bmp) * bmp->pixels.height;
    lvl_status status = LVL_OK;

    if (!bmp->pixels.ptr)
        body = 0;
    if (bmp->pixels.ptr && bmp->compression == LVL_BMP_RUNS) {
        lvl_buffer bytes = {0};
        status = write_pixels(bmp, &bytes);
        body = bytes.len;
        lvl_buffer_free(&bytes);
    } else if (bmp->encoded.len && bmp->encoded.len < body) {
        bool holds;
        status = encoded_holds(bmp, &holds);
        body = holds ? bmp->encoded.len : body;
    }
    body += bmp->rest.len;
    visit(user, bmp, LVL_FIELD(lvl_bmp, file_size), (uint32_t)(size_before_pixels(bmp) + body));
    visit(user, bmp, LVL_FIELD(lvl_bmp, header_size), (uint32_t)header_size(bmp));
    visit(user, bmp, LVL_FIELD(lvl_bmp, width), (int32_t)bmp->pixels.width);
    visit(user, bmp, LVL_FIELD(lvl_bmp, height), (int32_t)(bmp->top_down ? -h : h));
    if (!bmp->os2)
        visit(user, bmp, LVL_FIELD(lvl_bmp, image_size), (uint32_t)body);
    return status == LVL_ERR_MEMORY ? status : LVL_OK;
}

static lvl_status bmp_kept(const lvl_doc *doc, uint64_t *bytes)
{
    const lvl_bmp *bmp = doc->root;
    bool holds = false;
    const lvl_status status = encoded_holds(bmp, &holds);

    *bytes = holds ? bmp->encoded.len : 0;
    return status;
}

/* ---- checking, info, pictures -------------------------------------------------------------------------- */

static lvl_status bmp_check(const lvl_doc *doc, const lvl_check_request *request)
{
    const lvl_bmp *bmp = doc->root;

    lvl_pixels_check(&bmp->pixels, bmp->bits == 24 ? 0xFFFFFF : 0xFF, &bmp_findings[PIXEL_VALUE],
                     LVL_AT_ROOT(lvl_bmp, pixels), request->findings);
    return LVL_OK;
}

static lvl_status bmp_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art)
{
    const lvl_bmp *bmp = doc->root;

    (void)art;
    lvl_info_fields(info, &lvl_bmp_table, bmp, NULL, NULL);
    lvl_info_int(info, "bits", "bits a pixel", bmp->bits, NULL);
    lvl_info_int(info, "colors", "colours", bmp->color_count, NULL);
    return lvl_info_status(info);
}

static lvl_status bmp_to_image(const lvl_doc *doc, const char *layer, lvl_image *out)
{
    const lvl_bmp *bmp = doc->root;
    const bool rgb = bmp->bits == 24;

    (void)layer;
    const lvl_status status = lvl_pixels_to_image(doc->ctx, &bmp->pixels, rgb, !rgb, out);
    return status == LVL_OK ? lvl_colors_to_image(bmp->colors, rgb ? 0 : bmp->color_count, out) : status;
}

/* Indices stay indices. RGBA becomes 8 bits: in the given colours, or in its own if they fit, index 0 where
 * it is transparent. An opaque picture of more colours becomes 24 bits, as does every opaque one for a
 * document of 24 bits. */
static lvl_status bmp_draw(lvl_doc *doc, const lvl_image *image, const lvl_draw_options *draw_options,
                           lvl_findings *losses)
{
    const bool opaque = lvl_image_is_opaque(image);
    lvl_bmp *bmp = doc->root;
    lvl_color *colors = bmp->colors;
    uint32_t count = bmp->color_count, missing = 0;
    bool made = false,
         rgb = image->format == LVL_PIXELS_RGBA8 && opaque && bmp->bits == 24 && !image->palette;
    lvl_cells cells = {NULL, image->width, image->height, 1};
    uint8_t highest = 0;

    if (!image->width || !image->height || image->width > INT32_MAX || image->height > INT32_MAX ||
        (bmp->os2 && (image->width > UINT16_MAX || image->height > UINT16_MAX)))
        return LVL_ERR_ARG;
    lvl_status status = lvl_pixels_allowed(doc->ctx, (uint64_t)image->width * image->height, 4);
    if (status != LVL_OK)
        return status;
    const size_t total = (size_t)image->width * image->height;
    uint8_t *indices = rgb ? NULL : lvl_arena_raw(&doc->arena, total);
    if (!rgb && !indices)
        return LVL_ERR_MEMORY;
    if (!rgb)
        status = lvl_draw_indices(doc, image, indices, &colors, &count, &missing, &made);
    rgb = rgb || (made && missing && opaque);
    if (status == LVL_OK && rgb)
        status = lvl_pixels_from_image(doc, image, &cells);
    if (status != LVL_OK)
        return status;
    for (size_t i = 0; !rgb && i < total; i++) {
        if (lvl_pixel_alpha(image, i) < 128)
            indices[i] = 0;
        highest = indices[i] > highest ? indices[i] : highest;
    }
    if (!rgb) {
        cells.ptr = indices;
        bmp->colors = colors;
        bmp->color_count = count;
        bmp->used = highest < bmp->used ? bmp->used : 0;
        if (bmp->used && bmp->used < count)
            bmp->color_count = bmp->used; /* a picture's palette always has 256 */
    } else if (bmp->bits != 24) {
        bmp->color_count = bmp->used = 0;
        bmp->reserved = (lvl_bytes){NULL, 0};
    }
    if (!rgb && missing && !(draw_options && draw_options->nearest))
        lvl_report_at(losses, &bmp_findings[LOSS_COLOR], lvl_where_root(),
                      "%lu colour%s that the palette does not have", (unsigned long)missing,
                      missing == 1 ? "" : "s");
    bmp->bits = rgb ? 24 : 8;
    if (rgb || bmp->compression > LVL_BMP_RUNS)
        bmp->compression = LVL_BMP_PLAIN;
    bmp->pixels = cells;
    bool holds = false;
    status = encoded_holds(bmp, &holds);
    if (!holds)
        bmp->encoded = (lvl_bytes){NULL, 0};
    return status == LVL_OK ? lvl_doc_recompute_derived(doc) : status;
}

const lvl_format lvl_format_bmp = {
    .id = "bmp",
    .family = "wwd",
    .title = "BMP picture",
    .extensions = "bmp",
    .mime = "image/bmp",
    .is_picture = true,
    .codepage = LVL_CP_1252,
    .table = &lvl_bmp_table,
    .findings = bmp_findings,
    .finding_count = LVL_COUNT_OF(bmp_findings),
    .calls =
        &(const lvl_format_calls){
            .cuts = cuts,
            .probe = bmp_probe,
            .read = bmp_read,
            .write = bmp_write,
            .derive = bmp_derive,
            .kept = bmp_kept,
            .drop_spelling = lvl_doc_drop_kept_members,
            .check = bmp_check,
            .info = bmp_info,
            .to_image = bmp_to_image,
            .find_palette = LVL_DRAWING(lvl_wap32_find_palette),
            .draw = LVL_DRAWING(bmp_draw),
        },
};
