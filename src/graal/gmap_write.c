/*
 * graal/gmap_write.c: writes world maps: along the order of lines that was kept, as far as there still is content for them; what isn't in it has its
 * usual place. Lines that were spelled otherwise are taken as they were if they still say the same.
 */
#include "graal/gmap_parts.h"

#include <string.h>

typedef struct writer {
    const lvl_gmap *map;
    lvl_buffer *out;
    uint32_t width, height; /* as they are to be written */
    uint32_t told_width;    /* the same; 0 where the file won't tell it */
    /* next ones */
    uint32_t row, load, heights, seeds, other;
    bool written[LVL_GMAP_SINGLES];
    /* words that the order has for each; of lines inside blocks: that are still to come */
    uint32_t ordered[LVL_GMAP_KINDS];
    lvl_gmap_place place;
    size_t line; /* next of map->lines */
    uint32_t blanks;
} writer;

static void end_line(writer *w)
{
    const bool crlf = w->map->line_end == LVL_GMAP_CRLF;

    lvl_buffer_add(w->out, crlf ? "\r\n" : "\n", crlf ? 2 : 1);
}

static void put_keyword(writer *w, lvl_gmap_kind kind)
{
    lvl_buffer_str(w->out, lvl_gmap_keyword(kind));
    end_line(w);
}

/* ---- spelling ------------------------------------------------------------------------------------------------------------------ */

/* Whether a row's line names just these levels. */
static bool row_holds(const writer *w, const lvl_gmap_row *row)
{
    lvl_gmap_cells cells = {.line = row->line, .width = w->told_width};
    uint32_t n = 0;

    if (!row->line.len || memchr(row->line.ptr, '\n', row->line.len))
        return false;
    while (lvl_gmap_next_cell(&cells)) {
        if (n >= row->name_count)
            return false;
        const lvl_text want = row->names[n++];
        size_t k = 0;
        for (size_t i = 0; i < cells.name.len; i++, k++) {
            if (k >= want.len || cells.name.ptr[i] != want.ptr[k])
                return false;
            i += cells.doubled && cells.name.ptr[i] == '"';
        }
        if (k != want.len)
            return false;
    }
    return n == row->name_count;
}

/* Bit for bit: -0 is spelled otherwise than 0. */
static bool same_real(double a, double b)
{
    uint64_t x, y;

    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    return x == y;
}

static bool numbers_hold(const lvl_gmap_numbers *numbers)
{
    size_t at = 0, from;
    uint32_t n = 0;
    double value;
    bool bad = false;

    if (!numbers->line.len || memchr(numbers->line.ptr, '\n', numbers->line.len))
        return false;
    while (lvl_gmap_next_number(numbers->line, &at, &value, &from, &bad)) {
        if (n >= numbers->value_count || !same_real(numbers->values[n], value))
            return false;
        n++;
    }
    return !bad && n == numbers->value_count;
}

/* Whether the line would be taken for one of that kind where it is to stand. */
static bool is_still(const writer *w, lvl_text line, lvl_gmap_kind kind)
{
    lvl_gmap_place place = w->place;

    return lvl_gmap_say(&place, line).kind == kind;
}

static void put_line(writer *w, lvl_text line)
{
    lvl_buffer_add(w->out, line.ptr, line.len);
    end_line(w);
    w->place.first = w->place.first && lvl_gmap_blank(line);
}

static void put_row(writer *w, const lvl_gmap_row *row, lvl_gmap_kind kind)
{
    if (row_holds(w, row) && is_still(w, row->line, kind)) {
        put_line(w, row->line);
        return;
    }
    lvl_gmap_put_row(w->out, row);
    end_line(w);
    w->place.first = false;
}

static void put_numbers(writer *w, const lvl_gmap_numbers *numbers, lvl_gmap_kind kind)
{
    if (numbers_hold(numbers) && is_still(w, numbers->line, kind)) {
        put_line(w, numbers->line);
        return;
    }
    lvl_gmap_put_numbers(w->out, numbers);
    end_line(w);
    w->place.first = false;
}

/* ---- content ------------------------------------------------------------------------------------------------------------------- */

/* Up to `count` of the lines inside a block that are still to be written. */
static void put_inside(writer *w, lvl_gmap_kind kind, uint32_t count)
{
    const lvl_gmap *map = w->map;

    for (; count; count--) {
        if (kind == LVL_GMAP_ROW && w->row < map->row_count)
            put_row(w, &map->rows[w->row++], kind);
        else if (kind == LVL_GMAP_LOAD_ROW && w->load < map->load_count)
            put_row(w, &map->load_at_start[w->load++], kind);
        else if (kind == LVL_GMAP_HEIGHTS_ROW && w->heights < map->height_count)
            put_numbers(w, &map->height_map[w->heights++], kind);
        else if (kind == LVL_GMAP_SEEDS_ROW && w->seeds < map->seed_count)
            put_numbers(w, &map->random_seeds[w->seeds++], kind);
        else
            break;
    }
}

/* What is still to be written of a kind goes into the last of its blocks. */
static void end_inside(writer *w, lvl_gmap_kind kind)
{
    if (!w->ordered[kind])
        put_inside(w, kind, UINT32_MAX);
}

static uint32_t inside_left(const writer *w, lvl_gmap_kind kind)
{
    switch (kind) {
    case LVL_GMAP_ROW: return w->map->row_count - w->row;
    case LVL_GMAP_LOAD_ROW: return w->map->load_count - w->load;
    case LVL_GMAP_HEIGHTS_ROW: return w->map->height_count - w->heights;
    case LVL_GMAP_SEEDS_ROW: return w->map->seed_count - w->seeds;
    default: return 0;
    }
}

static void put_single(writer *w, lvl_gmap_kind kind)
{
    if (w->written[kind] || (kind == LVL_GMAP_HEADER && w->map->version == LVL_BIGMAP))
        return;
    w->written[kind] = true;
    lvl_gmap_put_single(w->out, w->map, kind, w->width, w->height);
    end_line(w);
    w->place.first = false;
    w->place.block = LVL_GMAP_OTHER;
}

/* Keys that say something and aren't in the order. A size that the file never told isn't told now. */
static void put_missing(writer *w)
{
    for (int k = LVL_GMAP_GENERATED; k < LVL_GMAP_SINGLES; k++) {
        if (!w->ordered[k] && lvl_gmap_has_single(w->map, (lvl_gmap_kind)k))
            put_single(w, (lvl_gmap_kind)k);
    }
}

static void put_block_edge(writer *w, lvl_gmap_kind kind)
{
    const lvl_gmap_kind block = lvl_gmap_block_of(kind);

    if (kind == block) {
        put_missing(w);
        w->place.block = block;
    } else if (w->place.block == block) {
        end_inside(w, (lvl_gmap_kind)(block + 1));
        w->place.block = LVL_GMAP_OTHER;
    } else {
        return; /* an end of nothing */
    }
    put_keyword(w, kind);
    w->place.first = false;
}

static bool equal_value(const writer *w, const lvl_gmap_said *said)
{
    switch (said->kind) {
    case LVL_GMAP_HEADER: return w->map->version == LVL_GRMAP001;
    case LVL_GMAP_WIDTH: return said->number == w->width;
    case LVL_GMAP_HEIGHT: return said->number == w->height;
    case LVL_GMAP_NO_AUTO_MAPPING: return w->map->no_auto_mapping;
    case LVL_GMAP_LOAD_FULL_MAP: return w->map->load_full_map;
    case LVL_GMAP_LEVEL_HEIGHT: return same_real(said->real, w->map->level_height);
    case LVL_GMAP_LEVEL_CHAOS: return same_real(said->real, w->map->level_chaos);
    case LVL_GMAP_GENERATED: return lvl_text_equal(said->value, w->map->generated);
    case LVL_GMAP_MAP_IMAGE: return lvl_text_equal(said->value, w->map->map_image);
    case LVL_GMAP_MINIMAP_IMAGE: return lvl_text_equal(said->value, w->map->minimap_image);
    case LVL_GMAP_TILESET: return lvl_text_equal(said->value, w->map->tileset);
    default: return true;
    }
}

/* The next of the lines that were spelled otherwise. */
static bool next_line(const writer *w, size_t *at, lvl_text *out)
{
    const lvl_text lines = w->map->lines;

    if (*at > lines.len || !lines.len)
        return false;
    const char *nl = *at < lines.len ? memchr(lines.ptr + *at, '\n', lines.len - *at) : NULL;
    out->ptr = lines.ptr + *at;
    out->len = (nl ? (size_t)(nl - lines.ptr) : lines.len) - *at;
    *at += out->len + 1;
    return true;
}

static void put_spelled(writer *w)
{
    lvl_gmap_place place = w->place;
    lvl_text line;

    if (!next_line(w, &w->line, &line))
        return;
    const lvl_gmap_said said = lvl_gmap_say(&place, line);
    if (said.kind == LVL_GMAP_BLANK) {
        put_line(w, line);
    } else if (said.kind < LVL_GMAP_SINGLES) {
        if (w->written[said.kind])
            return;
        if (equal_value(w, &said)) {
            w->written[said.kind] = true;
            w->place.block = place.block;
            put_line(w, line);
        } else if (lvl_gmap_has_single(w->map, said.kind)) {
            put_single(w, said.kind);
        }
    } else if (lvl_gmap_in_block(said.kind) && lvl_gmap_keyword(said.kind)) {
        if (lvl_gmap_block_of(said.kind) == said.kind)
            put_missing(w);
        else
            end_inside(w, (lvl_gmap_kind)(said.kind - 1));
        put_line(w, line);
        w->place.block = place.block;
    }
}

static void put_others(writer *w, uint32_t count)
{
    for (; count && w->other < w->map->other_count; count--) {
        const lvl_text line = w->map->others[w->other++];
        lvl_gmap_place place = w->place;
        lvl_gmap_say(&place, line);
        /* a key that doesn't count, or has no value, ends a block all the same */
        if (w->place.block != LVL_GMAP_OTHER && place.block == LVL_GMAP_OTHER) {
            end_inside(w, (lvl_gmap_kind)(w->place.block + 1));
            w->place.block = place.block;
        }
        put_line(w, line);
    }
}

static void put_kind(writer *w, lvl_gmap_kind kind, uint32_t count)
{
    if (kind == LVL_GMAP_LINE) {
        for (uint32_t i = 0; i < count && w->line <= w->map->lines.len && w->map->lines.len; i++)
            put_spelled(w);
    } else if (kind == LVL_GMAP_BLANK) {
        for (uint32_t i = 0; i < count && w->blanks < LVL_GMAP_BLANKS; i++, w->blanks++)
            end_line(w);
    } else if (w->map->version == LVL_BIGMAP) {
        if (kind == LVL_GMAP_ROW)
            put_inside(w, kind, count);
    } else if (kind == LVL_GMAP_NO_AUTO_MAPPING || kind == LVL_GMAP_LOAD_FULL_MAP) {
        if (lvl_gmap_has_single(w->map, kind))
            put_single(w, kind);
    } else if (kind < LVL_GMAP_SINGLES) {
        put_single(w, kind);
    } else if (kind == LVL_GMAP_OTHER) {
        put_others(w, count);
    } else if (lvl_gmap_keyword(kind)) {
        put_block_edge(w, kind);
    } else if (w->place.block == lvl_gmap_block_of(kind)) {
        put_inside(w, kind, count);
    }
}

/* What the order had no place for. */
static void put_rest(writer *w)
{
    if (w->map->version == LVL_BIGMAP) {
        put_inside(w, LVL_GMAP_ROW, UINT32_MAX);
        return;
    }
    if (w->place.block != LVL_GMAP_OTHER)
        put_inside(w, (lvl_gmap_kind)(w->place.block + 1), UINT32_MAX);
    bool more = w->other < w->map->other_count;
    for (int k = LVL_GMAP_GENERATED; k < LVL_GMAP_SINGLES; k++)
        more = more || (!w->ordered[k] && !w->written[k] && lvl_gmap_has_single(w->map, (lvl_gmap_kind)k));
    for (int b = LVL_GMAP_NAMES; b < LVL_GMAP_OTHER; b += 3)
        more = more || inside_left(w, (lvl_gmap_kind)(b + 1));
    if (more && w->place.block != LVL_GMAP_OTHER) {
        put_keyword(w, (lvl_gmap_kind)(w->place.block + 2));
        w->place.block = LVL_GMAP_OTHER;
    }
    put_missing(w);
    for (int b = LVL_GMAP_NAMES; b < LVL_GMAP_OTHER; b += 3) {
        if (inside_left(w, (lvl_gmap_kind)(b + 1))) {
            put_block_edge(w, (lvl_gmap_kind)b);
            put_block_edge(w, (lvl_gmap_kind)(b + 2));
        }
    }
    put_others(w, UINT32_MAX);
}

/* Notes which kinds the order has a place for. */
static void look_ahead(writer *w, lvl_text order)
{
    lvl_gmap_place place = {.first = true, .bigmap = w->map->version == LVL_BIGMAP, .block = LVL_GMAP_OTHER};
    lvl_gmap_kind kind;
    uint32_t count;
    lvl_text line;

    for (size_t at = 0; lvl_gmap_next_order(order, &at, &kind, &count);)
        w->ordered[kind]++;
    for (size_t at = 0; next_line(w, &at, &line);) {
        place.block = LVL_GMAP_OTHER;
        w->ordered[lvl_gmap_say(&place, line).kind]++;
        place.first = false;
    }
}

lvl_status lvl_gmap_write(const lvl_doc *doc, lvl_buffer *out)
{
    const lvl_gmap *map = doc->root;
    const lvl_field *width = lvl_table_at(&lvl_gmap_table, offsetof(lvl_gmap, width)),
                    *height = lvl_table_at(&lvl_gmap_table, offsetof(lvl_gmap, height));
    writer w = {.map = map, .out = out};
    lvl_buffer usual = {0};
    lvl_text order = map->order;
    lvl_gmap_kind kind;
    uint32_t count;

    w.width = (uint32_t)lvl_doc_derived(doc, map, width, lvl_gmap_width(map));
    w.height = (uint32_t)lvl_doc_derived(doc, map, height, lvl_gmap_height(map));
    w.place = (lvl_gmap_place){.first = true, .bigmap = map->version == LVL_BIGMAP, .block = LVL_GMAP_OTHER};
    if (map->mark)
        lvl_buffer_add(out, "\xEF\xBB\xBF", 3);
    if (!order.len) {
        lvl_gmap_usual_order(map, &usual);
        order = (lvl_text){(const char *)usual.data, usual.len};
    }
    const size_t start = out->len;
    look_ahead(&w, order);
    w.told_width = map->version != LVL_BIGMAP && w.ordered[LVL_GMAP_WIDTH] ? w.width : 0;
    for (size_t at = 0; lvl_gmap_next_order(order, &at, &kind, &count) && out->status == LVL_OK;) {
        if (lvl_gmap_in_block(kind))
            w.ordered[kind]--;
        put_kind(&w, kind, count);
    }
    put_rest(&w);
    const size_t end = map->line_end == LVL_GMAP_CRLF ? 2 : 1;
    if (map->unended && out->status == LVL_OK && out->len >= start + end)
        out->len -= end;
    const lvl_status status = usual.status != LVL_OK ? usual.status : out->status;
    lvl_buffer_free(&usual);
    return status;
}

lvl_status lvl_gmap_derive(lvl_doc *doc, lvl_derived_fn visit, void *user)
{
    lvl_gmap *map = doc->root;

    visit(user, map, lvl_table_at(&lvl_gmap_table, offsetof(lvl_gmap, width)), lvl_gmap_width(map));
    visit(user, map, lvl_table_at(&lvl_gmap_table, offsetof(lvl_gmap, height)), lvl_gmap_height(map));
    return LVL_OK;
}

/* Lines that are written as they were are all that is kept. */
uint64_t lvl_gmap_kept(const lvl_doc *doc)
{
    const lvl_gmap *map = doc->root;

    return lvl_doc_kept_members(doc) - map->order.len;
}
