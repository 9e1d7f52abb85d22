/*
 * wap32/art/pid.c: PID, a sprite or tile:
 *
 *     0x00 u32 id 10 (1802 of 1805), 0, 99999 0x04 u32 flags 0x20 chooses the grammar, 0x80: a palette ends
 *     the file 0x08 i32 width px 0x0C i32 height px 0x10 i32 offset_x px, signed 0x14 i32 offset_y 0x18 u32
 *     fill low byte, used with flag 0x100 0x1C u32 0 0x20 pixels runs, see pid_runs.h 0x0C in 465 of 1805
 *     files: what PCX puts before its palette, left over -768 palette with flag 0x80
 */
#include "wap32/formats.h"
#include "wap32/art/color.h"
#include "wap32/art/pid_runs.h"

#include "base/disk.h"
#include "base/text.h"
#include "base/work.h"

enum { HEADER_SIZE = 32, PALETTE_SIZE = 768, PLAUSIBLE_SLACK = 1 << 20 };

/* clang-format off */
static const lvl_name flag_names[] = {
    {LVL_PID_TRANSPARENT, "transparent", "index 0 is not drawn"},
    {LVL_PID_VIDEO_MEMORY, "video_memory", "the surface should be in video memory"},
    {LVL_PID_SYSTEM_MEMORY, "system_memory", "the surface should be in system memory"},
    {LVL_PID_MIRROR, "mirror", "left and right swapped; never set in real files"},
    {LVL_PID_INVERT, "invert", "top and bottom swapped; never set in real files"},
    {LVL_PID_SKIP_RUNS, "skip_runs", "the pixels are encoded as runs of skipped pixels and literals"},
    {LVL_PID_SHADE, "shade", "the pixels are shades laid over what is below"},
    {LVL_PID_PALETTE, "palette", "a palette ends the file"},
    {LVL_PID_FILL, "fill", "skipped pixels of a surface take the fill index"},
    {LVL_PID_EIGHT_BIT, "eight_bit", "8-bit sprite (Gruntz)"},
    {0, NULL, NULL},
};
static const lvl_name spelling_names[] = {
    {LVL_PID_SPARING, "sparing", "runs of one for values from 0xC0, as in PCX"},
    {LVL_PID_EAGER, "eager", "runs of one for values from 0x40"},
    {0, NULL, NULL},
};
static const lvl_cell_name cell_names[] = {
    {LVL_PID_SKIPPED, '.', "skipped", "not drawn"},
    {0, 0, NULL, NULL},
};
static const lvl_field pid_fields[] = {
    LVL_ROW_UINT(lvl_pid, id, "id", 0x00, .def = 10, .prose = "10; 0 and 99999 occur; the game ignores it"),
    LVL_ROW_FLAGS(lvl_pid, flags, "flags", 0x04, flag_names, .prose = "how the pixels are encoded and drawn",
        .summary = {.show = LVL_SHOW, .label = "flags"}),
    LVL_ROW_INT(lvl_pid, width, "width", 0x08, .role = LVL_DERIVED, .unit = "px",
        .prose = "width of the picture"),
    LVL_ROW_INT(lvl_pid, height, "height", 0x0C, .role = LVL_DERIVED, .unit = "px",
        .prose = "height of the picture"),
    LVL_ROW_INT(lvl_pid, offset_x, "offset_x", 0x10, .unit = "px",
        .prose = "moves the sprite right from being centred on its object"),
    LVL_ROW_INT(lvl_pid, offset_y, "offset_y", 0x14, .unit = "px", .prose = "moves the sprite down"),
    LVL_ROW_UINT(lvl_pid, fill, "fill", 0x18,
        .prose = "with flag fill: the index (low byte) that skipped pixels take"),
    LVL_ROW_UINT(lvl_pid, unknown_1c, "unknown_1c", 0x1C, .role = LVL_UNKNOWN, .prose = "always 0"),
    LVL_ROW_CELLS(lvl_pid, pixels, "pixels", cell_names,
        .prose = "palette indices; with skip_runs also skipped pixels",
        .summary = {.show = LVL_SHOW, .order = -1, .label = "size", .key = "size"}),
    LVL_ROW_BYTES(lvl_pid, rest, "rest", .role = LVL_UNKNOWN,
        .prose = "between pixels and palette or end: often one 0x0C, PCX's palette marker, left over"),
    LVL_ROW_LIST(lvl_pid, colors, color_count, "colors", &lvl_color_table, lvl_color,
        .prose = "the sprite's own palette, 256 colours, with flag palette"),
    LVL_ROW_UINT(lvl_pid, spelling, "spelling", LVL_NO_PLACE, .names = spelling_names, .role = LVL_KEPT,
        .prose = "which of two encoders wrote the pixels (not with skip_runs)"),
    LVL_ROW_BYTES(lvl_pid, encoded, "encoded", .role = LVL_KEPT,
        .prose = "the pixels as encoded, where no known encoder would give the same bytes"),
};
/* clang-format on */

const lvl_table lvl_pid_table = {
    .name = "pid",
    .prose = "A sprite or tile.",
    LVL_TABLE_OF(lvl_pid, pid_fields),
    .disk_size = HEADER_SIZE,
};

enum {
    HEADER_SHORT,
    SIZE_INVALID,
    SIZE_IMPLAUSIBLE,
    SIZE_WRONG,
    PIXELS_CUT,
    RUN_EMPTY,
    RUN_ROW,
    RUN_OVER,
    REST_UNKNOWN,
    ROWS_HIDDEN,
    PALETTE_HIDDEN,
    PALETTE_SHORT,
    PIXEL_VALUE,
    PALETTE_FLAG,
    LOSS_COLOR
};

#define FINDING_INDEX(name) name
#include "base/finding_rows.h"

/* clang-format off */
static const lvl_finding_def pid_findings[] = {
    FINDING(HEADER_SHORT, "pid.header.short", F, F, F,
        "The file is shorter than a PID's header of 32 bytes.")
    FINDING(SIZE_INVALID, "pid.size.invalid", E, E, E,
        "Width or height is zero or negative: there is no picture, and the game fails on it.")
    FINDING(SIZE_IMPLAUSIBLE, "pid.size.implausible", E, E, E,
        "Width times height is beyond the limits, or far more than the bytes of the file can encode. The "
        "pixels are not decoded.")
    REPAIRED(SIZE_WRONG, "pid.size.wrong", E, E, E,
        "The runs of pixels do not fit the width, or no picture is so large, and with another size all runs "
        "are within their rows and the last one ends with the file.",
        "sets the size that the runs have")
    REPAIRED(PIXELS_CUT, "pid.pixels.cut", E, E, E,
        "The pixels end before the picture does; the game reads beyond the end. The missing pixels are "
        "read as index 0.",
        "encodes the missing pixels as index 0")
    REPAIRED(RUN_EMPTY, "pid.run.empty", E, E, W,
        "A run of no pixels. In the encoding without skip runs the game hangs on it.",
        "encodes the pixels again")
    REPAIRED(RUN_ROW, "pid.run.row", W, W, N,
        "A run of pixels continues in the next row. No known encoder does that, and the game's drawing of "
        "skip runs counts by row.",
        "encodes the pixels again")
    REPAIRED(RUN_OVER, "pid.run.over", E, E, W,
        "The last run goes beyond the end of the picture; the game writes past its buffer.",
        "encodes the pixels again")
    FINDING(REST_UNKNOWN, "pid.rest", E, E, E,
        "Bytes follow the pixels that are neither a palette nor the single 0x0C that many files have "
        "there: width or height is too low, or something else wrote them. The game ignores them; writing "
        "keeps them.")
    REPAIRED(ROWS_HIDDEN, "pid.rows.hidden", E, E, E,
        "The height is too low: after the picture there are more whole rows of its width. The game does "
        "not draw them.",
        "sets the height to the number of rows")
    REPAIRED(PALETTE_HIDDEN, "pid.palette.hidden", E, E, E,
        "The file ends with the 768 bytes of a palette but the palette flag is not set: the game uses the "
        "level's colours.",
        "sets the palette flag")
    REPAIRED(PALETTE_SHORT, "pid.palette.short", E, E, E,
        "The palette flag is set, but the file is too short for a palette, or its last 768 bytes are "
        "pixels.",
        "removes the palette flag")
    FINDING(PIXEL_VALUE, "pid.pixel.value", E, E, E,
        "A pixel's value cannot be encoded: beyond 255, or skipped in a file without skip runs. Writing "
        "fails.")
    FINDING(PALETTE_FLAG, "pid.palette.flag", E, E, E,
        "Flags, colours and pixels do not match: colours without the palette flag or not 256 of them, the "
        "flag without colours, skipped pixels without the flag skip_runs. Readers would misread the file.")
    FINDING(LOSS_COLOR, "pid.loss.color", W, W, W,
        "A picture that becomes a sprite has colours that the palette does not have.")
};
/* clang-format on */

/* Findings which mean that content is missing, or read as something else. */
static const lvl_finding_def *const cuts[] = {
    &pid_findings[PIXELS_CUT],    &pid_findings[RUN_EMPTY],   &pid_findings[RUN_OVER],
    &pid_findings[REST_UNKNOWN],  &pid_findings[ROWS_HIDDEN], &pid_findings[PALETTE_HIDDEN],
    &pid_findings[PALETTE_SHORT], &pid_findings[SIZE_WRONG],  NULL,
};

static bool skips(const lvl_pid *pid)
{
    return (pid->flags & LVL_PID_SKIP_RUNS) != 0;
}

/* ---- runs ---------------------------------------------------------------------------------------------- */

struct decoding {
    size_t used; /* bytes */
    uint64_t pixels;
    uint32_t empty, row, over; /* number of runs that are empty, cross the end of a row, or exceed the
                                  picture */
    bool cut; /* the bytes end before the picture is complete */
};

static void put_cell(uint8_t *out, uint64_t at, uint32_t size, uint32_t value)
{
    if (size == 1)
        out[at] = (uint8_t)value;
    else
        lvl_store_u16le(out + at * 2, (uint16_t)value);
}

/* Decodes at most `total` pixels into `out`, zeroed cells, which may be NULL. `rows`: stops before the first
 * run that is empty or crosses the end of a row. */
static struct decoding decode(lvl_bytes body, bool skip_runs, uint32_t width, uint64_t total, bool rows,
                              uint8_t *out)
{
    const uint32_t size = skip_runs ? 2 : 1;
    struct decoding how = {0};
    lvl_cursor c = lvl_cursor_of(body);
    lvl_pid_run run;

    while (how.pixels < total) {
        if (!lvl_pid_run_next(&c, skip_runs, &run)) {
            how.cut = true;
            how.used = rows ? how.used : c.pos;
            break;
        }
        const bool crosses = run.count > width - how.pixels % width;
        if (rows && (run.count == 0 || crosses))
            break;
        if (run.count == 0)
            how.empty++;
        else if (run.count > total - how.pixels)
            how.over++;
        else if (crosses)
            how.row++;
        if (run.count > total - how.pixels)
            run.count = (uint32_t)(total - how.pixels);
        for (uint32_t i = 0; out && i < run.count; i++)
            put_cell(out, how.pixels + i, size, run.literals ? run.literals[i] : run.value);
        how.pixels += run.count;
        how.used = c.pos;
    }
    return how;
}

/* ---- probing ------------------------------------------------------------------------------------------- */

/* Whether no run in the head of the file is empty or crosses the end of a row, and, if the head is the whole
 * file, the runs end with the picture. */
static bool runs_plausible(const lvl_probe_input *in, bool skip_runs, uint32_t width, uint32_t height,
                           bool palette)
{
    const uint64_t end = in->size - (palette ? PALETTE_SIZE : 0), total = (uint64_t)width * height;
    const bool whole = end <= in->head.len;
    const lvl_bytes body = {in->head.ptr + HEADER_SIZE, (size_t)(whole ? end : in->head.len) - HEADER_SIZE};
    const struct decoding how = decode(body, skip_runs, width, total, true, NULL);
    const size_t left = body.len - how.used;

    return how.pixels == total ? !whole || left <= 1 : !whole && left < 128;
}

static int pid_probe(const lvl_probe_input *in)
{
    enum { LARGEST = 8192 };

    if (in->size < HEADER_SIZE + 1 || in->head.len < HEADER_SIZE + 1)
        return 0;
    const uint8_t *p = in->head.ptr;
    uint32_t id = lvl_load_u32le(p), flags = lvl_load_u32le(p + 4), w = lvl_load_u32le(p + 8),
             h = lvl_load_u32le(p + 12);
    int32_t ox = (int32_t)lvl_load_u32le(p + 16), oy = (int32_t)lvl_load_u32le(p + 20);
    bool palette = (flags & LVL_PID_PALETTE) != 0;

    if ((id != 10 && id != 0 && id != 99999) || flags > 0x3FF || lvl_load_u32le(p + 0x1C) != 0)
        return 0;
    if (w < 1 || w > LARGEST || h < 1 || h > LARGEST || ox < -LARGEST || ox > LARGEST || oy < -LARGEST ||
        oy > LARGEST || lvl_load_u32le(p + 0x18) > 0xFF)
        return 0;
    /* zeros and small numbers are common in other files: without the usual id, the name must match */
    const bool named = lvl_text_has_ending(lvl_text_of(in->name), ".pid");
    /* a row takes at least a byte for each 127 pixels */
    if (in->size < HEADER_SIZE + (palette ? PALETTE_SIZE : 0) + (uint64_t)h * ((w + 126) / 127) ||
        !runs_plausible(in, (flags & LVL_PID_SKIP_RUNS) != 0, w, h, palette))
        return named && id == 10 ? 32 : 0; /* damaged */
    if (id == 10)
        return 32 + 22 + 32 + 19 + 19;
    return named ? 22 + 32 + 19 + 19 : 0;
}

/* ---- reading ------------------------------------------------------------------------------------------- */

static void report_decoding(const struct decoding *how, lvl_findings *findings)
{
    const lvl_where where = LVL_AT_ROOT(lvl_pid, pixels);
    const lvl_position pos = {
        .bit = (uint64_t)HEADER_SIZE * 8, .bits = (uint64_t)how->used * 8, .known = true};

    if (how->empty)
        lvl_findings_add(findings, &pid_findings[RUN_EMPTY], &where, &pos,
                         "empty runs: %u: the game may hang on them", how->empty);
    if (how->row)
        lvl_findings_add(findings, &pid_findings[RUN_ROW], &where, &pos, "%u runs cross the end of a row",
                         how->row);
    if (how->over)
        lvl_findings_add(findings, &pid_findings[RUN_OVER], &where, &pos,
                         "the last run goes beyond the picture: the game may crash");
    if (how->cut)
        lvl_findings_add(findings, &pid_findings[PIXELS_CUT], &where, &pos,
                         "the pixels end before the picture does: the rest is missing");
}

/* Whether the bytes cannot be a picture of that size. */
static bool is_implausible(uint32_t width, uint32_t height, lvl_bytes body)
{
    return (uint64_t)width * height > (uint64_t)body.len * 127 + PLAUSIBLE_SLACK;
}

/* Whether a palette ends the file: its flag is set, the file is long enough, and the last 768 bytes are not
 * needed for the pixels. */
static bool has_palette(const lvl_pid *pid, lvl_bytes body)
{
    const uint64_t total =
        pid->width > 0 && pid->height > 0 ? (uint64_t)pid->width * (uint64_t)pid->height : 0;

    if (!(pid->flags & LVL_PID_PALETTE) || body.len < PALETTE_SIZE)
        return false;
    const lvl_bytes less = {body.ptr, body.len - PALETTE_SIZE};
    const uint32_t width = (uint32_t)pid->width;
    if (!total || decode(less, skips(pid), width, total, false, NULL).pixels == total)
        return true;
    const struct decoding all = decode(body, skips(pid), width, total, true, NULL);
    return all.pixels < total || body.len - all.used > 1;
}

/* In narrower pictures, almost any bytes are complete rows; with fewer rows, almost any width fits. */
enum { NARROW = 8 /* px */, LOW = 4 /* px */, FEWER = 16 };

/* How many rows of that width the bytes encode; 0: the runs do not fit the width. One extra byte may
 * follow. */
static uint64_t count_rows(lvl_bytes body, bool skip_runs, uint32_t width)
{
    if (width < NARROW)
        return 0;
    const struct decoding how = decode(body, skip_runs, width, UINT64_MAX, true, NULL);
    const uint64_t rows = how.pixels / width, total = rows * width;
    const struct decoding whole = decode(body, skip_runs, width, total, true, NULL);
    return whole.pixels == total && body.len - whole.used <= 1 ? rows : 0;
}

/* The size of the picture according to its runs, if the declared one cannot be right: runs do not end with
 * rows of that width, or the height is not positive or many times too large. Too few rows may mean that the
 * file is cut off, and too many are handled as rows after the picture. */
static bool find_size(const lvl_pid *pid, lvl_bytes body, uint32_t *width, uint32_t *height)
{
    const bool skip_runs = skips(pid), has_width = pid->width > 0, has_height = pid->height > 0;
    const uint64_t rows = has_width ? count_rows(body, skip_runs, (uint32_t)pid->width) : 0;

    if (rows) {
        *width = (uint32_t)pid->width;
        *height = (uint32_t)rows;
        return rows <= INT32_MAX && (!has_height || rows < (uint64_t)pid->height / FEWER ||
                                     is_implausible(*width, (uint32_t)pid->height, body));
    }
    if (pid->height < LOW)
        return false;
    *height = (uint32_t)pid->height;
    const uint64_t pixels = decode(body, skip_runs, 1, UINT64_MAX, false, NULL).pixels;
    /* the extra byte that may follow was read as a pixel */
    for (unsigned less = 0; less < 2 && less < pixels; less++) {
        const uint64_t found = (pixels - less) / *height;
        if ((pixels - less) % *height || found > INT32_MAX)
            continue;
        *width = (uint32_t)found;
        if (count_rows(body, skip_runs, *width) == *height)
            return true;
    }
    return false;
}

/* Classifies `rest`: ROWS_HIDDEN, with the number of rows in *rows; PALETTE_HIDDEN; or REST_UNKNOWN. */
static int hidden_in_rest(const lvl_pid *pid, uint32_t *rows)
{
    const lvl_bytes rest = pid->rest;
    const uint32_t width = pid->pixels.width;
    const bool palette = rest.len == PALETTE_SIZE || (rest.len == PALETTE_SIZE + 1 && rest.ptr[0] == 0x0C);

    *rows = 0;
    if (pid->pixels.ptr && width >= NARROW) {
        const struct decoding how = decode(rest, skips(pid), width, UINT64_MAX, true, NULL);
        const uint64_t n = how.pixels;
        const bool whole = n && n % width == 0 && rest.len - how.used <= 1;
        if (whole && n / width <= (uint64_t)INT32_MAX - pid->pixels.height) {
            *rows = (uint32_t)(n / width);
            return ROWS_HIDDEN;
        }
    }
    return palette && !(pid->flags & LVL_PID_PALETTE) ? PALETTE_HIDDEN : REST_UNKNOWN;
}

/* Sets the spelling with which the pixels are encoded as these bytes. LVL_ERR_ARG if there is none. */
static lvl_status find_spelling(lvl_pid *pid, lvl_bytes encoded)
{
    const uint32_t spellings = skips(pid) ? 1 : 2;
    lvl_buffer buf = {0};
    lvl_status status = LVL_ERR_ARG;

    for (uint32_t s = 0; s < spellings && status == LVL_ERR_ARG; s++) {
        buf.len = 0;
        status = lvl_pid_encode(&pid->pixels, skips(pid), s, &buf);
        if (status == LVL_OK && (buf.len != encoded.len || memcmp(buf.data, encoded.ptr, buf.len) != 0))
            status = LVL_ERR_ARG;
        if (status == LVL_OK)
            pid->spelling = s;
    }
    lvl_buffer_free(&buf);
    return status;
}

/* Decodes the pixels at the beginning of `body`. */
static lvl_status read_pixels(lvl_doc *doc, lvl_bytes body, struct decoding *how, lvl_findings *findings)
{
    lvl_pid *pid = doc->root;
    const lvl_where where = LVL_AT_ROOT(lvl_pid, width);

    *how = (struct decoding){0};
    pid->pixels.size = skips(pid) ? 2 : 1;
    pid->pixels.width = pid->width > 0 ? (uint32_t)pid->width : 0;
    pid->pixels.height = pid->height > 0 ? (uint32_t)pid->height : 0;
    const uint64_t total = (uint64_t)pid->pixels.width * pid->pixels.height;
    if (!total) {
        lvl_findings_add(findings, &pid_findings[SIZE_INVALID], &where, NULL, "%d × %d pixels",
                         (int)pid->width, (int)pid->height);
        return LVL_OK;
    }
    if (is_implausible(pid->pixels.width, pid->pixels.height, body)) {
        lvl_findings_add(findings, &pid_findings[SIZE_IMPLAUSIBLE], &where, NULL,
                         "%d × %d pixels in %llu bytes: they cannot be read", (int)pid->width,
                         (int)pid->height, (unsigned long long)body.len);
        return LVL_OK;
    }
    const lvl_status allowed = lvl_pixels_allowed(doc->ctx, total, pid->pixels.size);
    if (allowed != LVL_OK)
        return allowed;
    uint8_t *cells = lvl_arena_array(&doc->arena, (size_t)total, pid->pixels.size);
    if (!cells)
        return LVL_ERR_MEMORY;
    *how = decode(body, skips(pid), pid->pixels.width, total, false, cells);
    report_decoding(how, findings);
    if (!how->used)
        return LVL_OK; /* cut off before the first run: no pixels, so that none are written */
    pid->pixels.ptr = cells;
    const lvl_bytes encoded = {body.ptr, how->used};
    lvl_status status = doc->show ? LVL_ERR_ARG : find_spelling(pid, encoded);
    if (status == LVL_ERR_ARG) {
        pid->encoded = encoded;
        status = LVL_OK;
    }
    return status;
}

/* Reads the bytes between the pixels, which end at byte `at`, and the palette. */
static void read_rest(lvl_doc *doc, size_t at, size_t end, lvl_sink *sink, lvl_findings *findings)
{
    lvl_pid *pid = doc->root;
    const lvl_field *field = LVL_FIELD(lvl_pid, rest);
    const lvl_where where = LVL_AT_ROOT(lvl_pid, rest);
    const lvl_bytes rest = {doc->input.ptr + at, end - at};
    const lvl_position pos = {.bit = (uint64_t)at * 8, .bits = (uint64_t)rest.len * 8, .known = true};
    uint32_t rows;

    if (!rest.len)
        return;
    pid->rest = rest;
    if (rest.len == 1 && rest.ptr[0] == 0x0C) {
        lvl_emit_span(sink, at, 1,
                      (lvl_span){.where = where, .field = field, .note = "PCX palette marker, left over"});
        return;
    }
    lvl_emit_span(sink, at, rest.len, (lvl_span){.role = LVL_SPAN_RESIDUE, .where = where, .field = field});
    const int hidden = hidden_in_rest(pid, &rows);
    if (hidden == ROWS_HIDDEN)
        lvl_findings_add(findings, &pid_findings[hidden], &where, &pos,
                         "%llu bytes: %u rows more than the height of %u", (unsigned long long)rest.len, rows,
                         pid->pixels.height);
    else
        lvl_findings_add(findings, &pid_findings[hidden], &where, &pos, "%llu bytes",
                         (unsigned long long)rest.len);
}

/* Reports a size that disagrees with the runs. `how`: the decoding with the declared size. */
static void report_size(const lvl_pid *pid, lvl_bytes body, const struct decoding *how,
                        lvl_findings *findings)
{
    const bool fits = how->used && !how->row && !how->over && !how->cut && body.len - how->used <= 1;
    const lvl_where where = LVL_AT_ROOT(lvl_pid, width);
    const lvl_position pos = {.bit = 8 * 8, .bits = 8 * 8, .known = true};
    uint32_t width, height;

    if (!fits && findings && find_size(pid, body, &width, &height))
        lvl_findings_add(
            findings, &pid_findings[SIZE_WRONG], &where, &pos,
            "%d × %d pixels, but the runs are those of a picture of %u × %u; `lvl repair` makes it "
            "that size",
            (int)pid->width, (int)pid->height, width, height);
}

static lvl_status pid_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    lvl_pid *pid = doc->root;
    struct decoding how;

    lvl_status status = lvl_read_header(doc, &lvl_pid_table, sink, &pid_findings[HEADER_SHORT], findings);
    if (status != LVL_OK)
        return status;
    const lvl_bytes all = {doc->input.ptr + HEADER_SIZE, doc->input.len - HEADER_SIZE};
    const size_t palette = has_palette(pid, all) ? PALETTE_SIZE : 0;
    const lvl_bytes body = {all.ptr, all.len - palette}, colors = {all.ptr + body.len, palette};
    if (!palette && (pid->flags & LVL_PID_PALETTE))
        lvl_report_at(findings, &pid_findings[PALETTE_SHORT], LVL_AT_ROOT(lvl_pid, flags),
                      "%llu bytes after the header", (unsigned long long)all.len);
    status = read_pixels(doc, body, &how, findings);
    if (status != LVL_OK)
        return status;
    report_size(pid, body, &how, findings);
    lvl_emit_field(sink, lvl_where_root(), LVL_FIELD(lvl_pid, pixels), HEADER_SIZE, how.used, LVL_SPAN_FIELD);
    read_rest(doc, HEADER_SIZE + how.used, HEADER_SIZE + body.len, sink, findings);
    return palette ? lvl_colors_read(doc, colors, HEADER_SIZE + body.len, LVL_FIELD(lvl_pid, colors), sink,
                                     &pid->colors, &pid->color_count)
                   : LVL_OK;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

static bool encoded_holds(const lvl_pid *pid)
{
    return pid->encoded.len && lvl_pid_decodes_to(pid->encoded, skips(pid), &pid->pixels);
}

/* Why reading the written document would not give the same document; NULL if it would. *member is the member
 * that causes it. */
static const char *unwritable(const lvl_doc *doc, size_t *member)
{
    const lvl_pid *pid = doc->root;
    const lvl_bytes in = doc->input;
    const bool flag = (pid->flags & LVL_PID_PALETTE) != 0;

    *member = offsetof(lvl_pid, flags);
    if (pid->color_count && !flag)
        return "there are colours, but the flag palette is not set: set it, or remove colors[*]";
    if (pid->color_count && pid->color_count != 256) {
        *member = offsetof(lvl_pid, colors);
        return "a palette has 256 colours";
    }
    if (flag && !pid->color_count && in.len >= HEADER_SIZE) {
        lvl_pid before = {0};
        lvl_disk_load(&before, &lvl_pid_table, in.ptr, HEADER_SIZE);
        if (has_palette(&before, (lvl_bytes){in.ptr + HEADER_SIZE, in.len - HEADER_SIZE}))
            return "the flag palette is set, but there are no colours: remove the flag, too";
    }
    *member = offsetof(lvl_pid, pixels);
    for (uint32_t y = 0; pid->pixels.ptr && !skips(pid) && pid->pixels.size > 1 && y < pid->pixels.height;
         y++) {
        for (uint32_t x = 0; x < pid->pixels.width; x++) {
            if (lvl_cell(&pid->pixels, x, y) == LVL_PID_SKIPPED)
                return "there are skipped pixels, which need the flag skip_runs";
        }
    }
    return NULL;
}

static lvl_status pid_check_writable(const lvl_doc *doc, lvl_findings *findings)
{
    size_t member;
    const char *why = unwritable(doc, &member);

    if (!why)
        return LVL_OK;
    lvl_report_at(findings, &pid_findings[PALETTE_FLAG],
                  lvl_where_member(lvl_where_root(), &lvl_pid_table, member), "%s", why);
    return LVL_ERR_LOSS;
}

static lvl_status pid_write(const lvl_doc *doc, lvl_buffer *out)
{
    const lvl_pid *pid = doc->root;

    lvl_status status = pid_check_writable(doc, NULL);
    if (status == LVL_OK)
        status = lvl_write_header(doc, &lvl_pid_table, out);
    if (status == LVL_OK && encoded_holds(pid))
        lvl_buffer_add(out, pid->encoded.ptr, pid->encoded.len);
    else if (status == LVL_OK)
        status = lvl_pid_encode(&pid->pixels, skips(pid), pid->spelling, out);
    if (status != LVL_OK)
        return status;
    lvl_buffer_add(out, pid->rest.ptr, pid->rest.len);
    lvl_colors_write(pid->colors, pid->color_count, out);
    return out->status;
}

static lvl_status pid_derive(lvl_doc *doc, lvl_derived_fn visit, void *user)
{
    lvl_pid *pid = doc->root;

    visit(user, pid, LVL_FIELD(lvl_pid, width), pid->pixels.width);
    visit(user, pid, LVL_FIELD(lvl_pid, height), pid->pixels.height);
    return LVL_OK;
}

static lvl_status pid_kept(const lvl_doc *doc, uint64_t *bytes)
{
    const lvl_pid *pid = doc->root;

    *bytes = encoded_holds(pid) ? pid->encoded.len : 0;
    return LVL_OK;
}

/* ---- checking, info ------------------------------------------------------------------------------------ */

static lvl_status pid_check(const lvl_doc *doc, const lvl_check_request *request)
{
    const lvl_pid *pid = doc->root;

    lvl_pixels_check(&pid->pixels, skips(pid) ? LVL_PID_SKIPPED : 0xFF, &pid_findings[PIXEL_VALUE],
                     LVL_AT_ROOT(lvl_pid, pixels), request->findings);
    if (pid->color_count && (!(pid->flags & LVL_PID_PALETTE) || pid->color_count != 256))
        lvl_report_at(request->findings, &pid_findings[PALETTE_FLAG], LVL_AT_ROOT(lvl_pid, flags),
                      "%u colours, flags 0x%x", pid->color_count, pid->flags);
    return LVL_OK;
}

/* Decodes the pixels of the file again, with the size according to the runs. */
static lvl_status repair_size(lvl_doc *doc, lvl_findings *log)
{
    lvl_pid *pid = doc->root, was = {0};
    const lvl_bytes in = doc->input;
    uint32_t width, height;

    if (in.len <= HEADER_SIZE || (pid->pixels.ptr && !encoded_holds(pid)))
        return LVL_OK;
    lvl_disk_load(&was, &lvl_pid_table, in.ptr, HEADER_SIZE);
    const size_t colors = pid->color_count ? PALETTE_SIZE : 0;
    if (was.width != pid->width || was.height != pid->height || was.flags != pid->flags ||
        in.len - HEADER_SIZE <= colors)
        return LVL_OK;
    const lvl_bytes body = {in.ptr + HEADER_SIZE, in.len - HEADER_SIZE - colors};
    if (!find_size(pid, body, &width, &height))
        return LVL_OK;
    const uint64_t total = (uint64_t)width * height;
    lvl_status status = lvl_pixels_allowed(doc->ctx, total, pid->pixels.size);
    if (status != LVL_OK)
        return status;
    uint8_t *cells = lvl_arena_array(&doc->arena, (size_t)total, pid->pixels.size);
    if (!cells)
        return LVL_ERR_MEMORY;
    const size_t used = decode(body, skips(pid), width, total, false, cells).used;
    pid->pixels.ptr = cells;
    pid->pixels.width = width;
    pid->pixels.height = height;
    pid->rest = (lvl_bytes){used < body.len ? body.ptr + used : NULL, body.len - used};
    pid->encoded = (lvl_bytes){body.ptr, used};
    status = find_spelling(pid, pid->encoded);
    if (status == LVL_OK)
        pid->encoded = (lvl_bytes){NULL, 0};
    else if (status != LVL_ERR_ARG)
        return status;
    lvl_report_at(log, &pid_findings[SIZE_WRONG], LVL_AT_ROOT(lvl_pid, width), "made it %u × %u pixels",
                  width, height);
    lvl_doc_drop_overrides(doc);
    return lvl_doc_recompute_derived(doc);
}

/* Gives a file that ends before its first run pixels with index 0. */
static lvl_status repair_absent(lvl_doc *doc, lvl_findings *log)
{
    lvl_pid *pid = doc->root;
    const uint64_t total = (uint64_t)pid->pixels.width * pid->pixels.height;

    if (pid->pixels.ptr || !total || total > PLAUSIBLE_SLACK ||
        lvl_pixels_allowed(doc->ctx, total, pid->pixels.size) != LVL_OK)
        return LVL_OK;
    pid->pixels.ptr = lvl_arena_array(&doc->arena, (size_t)total, pid->pixels.size);
    if (!pid->pixels.ptr)
        return LVL_ERR_MEMORY;
    lvl_report_at(log, &pid_findings[PIXELS_CUT], LVL_AT_ROOT(lvl_pid, pixels),
                  "encoded the missing pixels as index 0");
    return LVL_OK;
}

/* Repairs all problems with runs by encoding the pixels again. */
static void repair_runs(lvl_pid *pid, lvl_findings *log)
{
    const uint64_t total = (uint64_t)pid->pixels.width * pid->pixels.height;

    /* if more bytes follow, the size may be wrong instead of the runs */
    if (!encoded_holds(pid) || pid->rest.len > 1)
        return;
    const struct decoding how = decode(pid->encoded, skips(pid), pid->pixels.width, total, false, NULL);
    const lvl_finding_def *def = how.empty  ? &pid_findings[RUN_EMPTY]
                                 : how.over ? &pid_findings[RUN_OVER]
                                 : how.row  ? &pid_findings[RUN_ROW]
                                 : how.cut  ? &pid_findings[PIXELS_CUT]
                                            : NULL;
    if (def) {
        lvl_report_at(log, def, LVL_AT_ROOT(lvl_pid, pixels), "encoded the pixels again");
        pid->encoded = (lvl_bytes){NULL, 0};
    }
}

/* Restores rows beyond the height, and a palette whose flag is not set. */
static lvl_status repair_hidden(lvl_doc *doc, lvl_findings *log)
{
    lvl_pid *pid = doc->root;
    const lvl_where where = LVL_AT_ROOT(lvl_pid, rest);
    const uint32_t width = pid->pixels.width, size = pid->pixels.size;
    uint32_t rows;

    if (pid->rest.len < 2)
        return LVL_OK;
    const int hidden = hidden_in_rest(pid, &rows);
    if (hidden == PALETTE_HIDDEN) {
        const lvl_bytes colors = {pid->rest.ptr + pid->rest.len - PALETTE_SIZE, PALETTE_SIZE};
        const lvl_status status = lvl_colors_read(doc, colors, 0, LVL_FIELD(lvl_pid, colors), NULL,
                                                  &pid->colors, &pid->color_count);
        if (status != LVL_OK)
            return status;
        pid->rest.len -= PALETTE_SIZE;
        pid->flags |= LVL_PID_PALETTE;
        lvl_findings_add(log, &pid_findings[hidden], &where, NULL, "set the palette flag");
    } else if (hidden == ROWS_HIDDEN) {
        const size_t before = (size_t)width * pid->pixels.height, more = (size_t)width * rows;
        const lvl_status allowed = lvl_pixels_allowed(doc->ctx, (uint64_t)before + more, size);
        if (allowed != LVL_OK)
            return allowed;
        uint8_t *cells = lvl_arena_array(&doc->arena, before + more, size);
        if (!cells)
            return LVL_ERR_MEMORY;
        memcpy(cells, pid->pixels.ptr, before * size);
        const struct decoding how = decode(pid->rest, skips(pid), width, more, false, cells + before * size);
        pid->rest.ptr += how.used;
        pid->rest.len -= how.used;
        pid->pixels.ptr = cells;
        pid->pixels.height += rows;
        lvl_findings_add(log, &pid_findings[hidden], &where, NULL, "made the height %u", pid->pixels.height);
        lvl_doc_drop_overrides(doc);
        return lvl_doc_recompute_derived(doc);
    }
    return LVL_OK;
}

static lvl_status pid_repair(lvl_doc *doc, lvl_repairs *repairs)
{
    lvl_pid *pid = doc->root;

    lvl_status status = repair_size(doc, repairs->log);
    if (status == LVL_OK)
        status = repair_absent(doc, repairs->log);
    if (status == LVL_OK)
        status = repair_hidden(doc, repairs->log);
    if (status != LVL_OK)
        return status;
    repair_runs(pid, repairs->log);
    if ((pid->flags & LVL_PID_PALETTE) && !pid->color_count) {
        lvl_report_at(repairs->log, &pid_findings[PALETTE_SHORT], LVL_AT_ROOT(lvl_pid, flags),
                      "removed the palette flag");
        pid->flags &= ~(uint32_t)LVL_PID_PALETTE;
    }
    return LVL_OK;
}

static lvl_status pid_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art)
{
    const lvl_pid *pid = doc->root;

    (void)art;
    lvl_info_fields(info, &lvl_pid_table, pid, NULL, NULL);
    lvl_info_string(info, "offset", "offset", "%d, %d px", (int)pid->offset_x, (int)pid->offset_y);
    lvl_info_bool(info, "palette", "own palette", pid->color_count > 0);
    return lvl_info_status(info);
}

/* The usual id; flags, width, height and the rest of the header are small numbers. */
static const lvl_signature signatures[] = {
    LVL_SIGNATURE(NULL, LVL_BYTES_AT(0, "\x0A\0\0\0"), LVL_BYTES_AT(6, "\0\0"), LVL_BYTES_AT(10, "\0\0"),
                  LVL_BYTES_AT(14, "\0\0"), LVL_BYTES_AT(0x19, "\0\0\0\0\0\0\0")),
    {0},
};

static lvl_status pid_draw(lvl_doc *doc, const lvl_image *image, const lvl_draw_options *draw_options,
                           lvl_findings *losses)
{
    uint32_t missing = 0;

    const lvl_status status = lvl_pid_draw(doc, image, draw_options, &missing);
    if (status == LVL_OK && missing && !(draw_options && draw_options->nearest))
        lvl_report_at(losses, &pid_findings[LOSS_COLOR], lvl_where_root(),
                      "%lu colour%s that the palette does not have; with --nearest %s the nearest of it",
                      (unsigned long)missing, missing == 1 ? "" : "s",
                      missing == 1 ? "it becomes" : "they become");
    return status;
}

const lvl_format lvl_format_pid = {
    .id = "pid",
    .family = "wwd",
    .title = "WAP32 sprite or tile",
    .extensions = "pid",
    .mime = "image/x-wap32-pid",
    .is_picture = true,
    .codepage = LVL_CP_1252,
    .table = &lvl_pid_table,
    .findings = pid_findings,
    .signatures = signatures,
    .finding_count = LVL_COUNT_OF(pid_findings),
    .calls =
        &(const lvl_format_calls){
            .cuts = cuts,
            .probe = pid_probe,
            .read = pid_read,
            .write = pid_write,
            .derive = pid_derive,
            .kept = pid_kept,
            .drop_spelling = lvl_doc_drop_kept_members,
            .check = pid_check,
            .repair = pid_repair,
            .info = pid_info,
            .check_writable = pid_check_writable,
            .to_image = lvl_pid_to_image,
            .find_palette = LVL_DRAWING(lvl_wap32_find_palette),
            .draw = LVL_DRAWING(pid_draw),
        },
};
