/*
 * graal/gmap_lines.c: lines of a world map: what each is, what it says, and how our writer puts it.
 */
#include "graal/gmap_parts.h"

#include "codec/json.h"

#include <string.h>

/* clang-format off */
static const struct {
    const char *name;    /* in an order */
    const char *keyword; /* in a file */
} kinds[LVL_GMAP_KINDS] = {
    [LVL_GMAP_HEADER] = {"header", "GRMAP001"},
    [LVL_GMAP_WIDTH] = {"width", "WIDTH"},
    [LVL_GMAP_HEIGHT] = {"height", "HEIGHT"},
    [LVL_GMAP_GENERATED] = {"generated", "GENERATED"},
    [LVL_GMAP_MAP_IMAGE] = {"map_image", "MAPIMG"},
    [LVL_GMAP_MINIMAP_IMAGE] = {"minimap_image", "MINIMAPIMG"},
    [LVL_GMAP_TILESET] = {"tileset", "TILESET"},
    [LVL_GMAP_NO_AUTO_MAPPING] = {"no_auto_mapping", "NOAUTOMAPPING"},
    [LVL_GMAP_LOAD_FULL_MAP] = {"load_full_map", "LOADFULLMAP"},
    [LVL_GMAP_LEVEL_HEIGHT] = {"level_height", "LEVHEIGHT"},
    [LVL_GMAP_LEVEL_CHAOS] = {"level_chaos", "LEVCHAOS"},
    [LVL_GMAP_NAMES] = {"names", "LEVELNAMES"},
    [LVL_GMAP_ROW] = {"row", NULL},
    [LVL_GMAP_NAMES_END] = {"names_end", "LEVELNAMESEND"},
    [LVL_GMAP_LOAD] = {"load", "LOADATSTART"},
    [LVL_GMAP_LOAD_ROW] = {"load_row", NULL},
    [LVL_GMAP_LOAD_END] = {"load_end", "LOADATSTARTEND"},
    [LVL_GMAP_HEIGHTS] = {"heights", "HEIGHTMAP"},
    [LVL_GMAP_HEIGHTS_ROW] = {"heights_row", NULL},
    [LVL_GMAP_HEIGHTS_END] = {"heights_end", "HEIGHTMAPEND"},
    [LVL_GMAP_SEEDS] = {"seeds", "RANDOMSEEDS"},
    [LVL_GMAP_SEEDS_ROW] = {"seeds_row", NULL},
    [LVL_GMAP_SEEDS_END] = {"seeds_end", "RANDOMSEEDSEND"},
    [LVL_GMAP_OTHER] = {"other", NULL},
    [LVL_GMAP_BLANK] = {"blank", NULL},
    [LVL_GMAP_LINE] = {"line", NULL},
};
/* clang-format on */

const char *lvl_gmap_kind_name(lvl_gmap_kind kind)
{
    return kinds[kind].name;
}

const char *lvl_gmap_keyword(lvl_gmap_kind kind)
{
    return kinds[kind].keyword;
}

/* ---- lines --------------------------------------------------------------------------------------------------------------------- */

bool lvl_gmap_next_line(lvl_bytes file, bool crlf, size_t *at, lvl_gmap_line *out)
{
    if (*at >= file.len)
        return false;
    const uint8_t *from = file.ptr + *at, *nl = memchr(from, '\n', file.len - *at);

    out->at = *at;
    out->ended = nl != NULL;
    out->end = nl ? (size_t)(nl - file.ptr) + 1 : file.len;
    out->text = (lvl_text){(const char *)from, out->end - *at - out->ended};
    if (crlf && nl)
        out->text.len--;
    *at = out->end;
    return true;
}

bool lvl_gmap_is_crlf(lvl_bytes file, size_t from)
{
    bool any = false;

    for (size_t at = from; at < file.len;) {
        const uint8_t *nl = memchr(file.ptr + at, '\n', file.len - at);
        if (!nl)
            break;
        const size_t end = (size_t)(nl - file.ptr);
        if (end == at || file.ptr[end - 1] != '\r')
            return false;
        any = true;
        at = end + 1;
    }
    return any;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static lvl_text trim(lvl_text t)
{
    while (t.len && is_blank(t.ptr[t.len - 1]))
        t.len--;
    while (t.len && is_blank(*t.ptr)) {
        t.ptr++;
        t.len--;
    }
    return t;
}

bool lvl_gmap_blank(lvl_text line)
{
    return trim(line).len == 0;
}

/* ---- what a line is -------------------------------------------------------------------------------------------------------------- */

static lvl_gmap_kind kind_of_word(lvl_text word)
{
    for (int k = 0; k < LVL_GMAP_KINDS; k++) {
        if (kinds[k].keyword && lvl_text_is(word, kinds[k].keyword))
            return (lvl_gmap_kind)k;
    }
    return LVL_GMAP_OTHER;
}

/* Only digits, and no more than fits. */
static bool whole(lvl_text t, uint32_t *out)
{
    uint64_t n = 0;

    for (size_t i = 0; i < t.len && n <= UINT32_MAX; i++) {
        if (t.ptr[i] < '0' || t.ptr[i] > '9')
            return false;
        n = n * 10 + (unsigned)(t.ptr[i] - '0');
    }
    *out = (uint32_t)n;
    return t.len && n <= UINT32_MAX;
}

static bool is_header(lvl_text t)
{
    return t.len >= 8 && memcmp(t.ptr, "GRMAP", 5) == 0;
}

/* A line outside of blocks, or one that ends or begins a block. */
static void say_key(lvl_gmap_said *said, lvl_text t)
{
    size_t len = 0;

    while (len < t.len && !is_blank(t.ptr[len]))
        len++;
    said->kind = kind_of_word((lvl_text){t.ptr, len});
    said->value = trim((lvl_text){t.ptr + len, t.len - len});
    bool good = true;
    switch (said->kind) {
    case LVL_GMAP_WIDTH:
    case LVL_GMAP_HEIGHT: good = whole(said->value, &said->number); break;
    case LVL_GMAP_LEVEL_HEIGHT:
    case LVL_GMAP_LEVEL_CHAOS: good = lvl_real_parse(said->value, &said->real); break;
    case LVL_GMAP_NO_AUTO_MAPPING:
    case LVL_GMAP_LOAD_FULL_MAP: said->number = 1; break;
    case LVL_GMAP_HEADER: good = false; break; /* not the first line */
    default: break;
    }
    if (!good) {
        said->known = said->kind != LVL_GMAP_HEADER;
        said->kind = LVL_GMAP_OTHER;
    }
}

/* Whether a line inside a block is a key or the begin of another block, whose end mark is thus missing. */
static bool leaves_block(lvl_text t, lvl_gmap_kind row)
{
    const bool names = row == LVL_GMAP_ROW || row == LVL_GMAP_LOAD_ROW;
    lvl_gmap_said said = {.kind = LVL_GMAP_OTHER};

    say_key(&said, t);
    return said.kind != LVL_GMAP_OTHER &&
           !(names && (memchr(t.ptr, '"', t.len) || memchr(t.ptr, ',', t.len)));
}

lvl_gmap_said lvl_gmap_say(lvl_gmap_place *place, lvl_text line)
{
    const lvl_text t = trim(line);
    lvl_gmap_said said = {.kind = LVL_GMAP_BLANK};

    if (!t.len)
        return said;
    const bool first = place->first;
    place->first = false;
    if (place->bigmap) {
        said.kind = LVL_GMAP_ROW;
        return said;
    }
    if (first && is_header(t)) {
        said.kind = LVL_GMAP_HEADER;
        said.value = t;
        return said;
    }
    if (place->block != LVL_GMAP_OTHER) {
        const lvl_gmap_kind row = (lvl_gmap_kind)(place->block + 1), end = (lvl_gmap_kind)(place->block + 2);
        if (lvl_text_is(t, kinds[end].keyword)) {
            said.kind = end;
            place->block = LVL_GMAP_OTHER;
            return said;
        }
        if (!leaves_block(t, row)) {
            size_t at = 0, from;
            double number;
            bool bad = false;
            said.kind = row;
            if (row == LVL_GMAP_HEIGHTS_ROW || row == LVL_GMAP_SEEDS_ROW) {
                while (lvl_gmap_next_number(line, &at, &number, &from, &bad))
                    ;
                if (bad) {
                    said.kind = LVL_GMAP_OTHER;
                    said.known = true;
                }
            }
            return said;
        }
        said.unclosed = true;
        place->block = LVL_GMAP_OTHER;
    }
    say_key(&said, t);
    if (lvl_gmap_in_block(said.kind)) {
        if (lvl_gmap_block_of(said.kind) == said.kind && !said.value.len)
            place->block = said.kind;
        else
            said.kind = LVL_GMAP_OTHER; /* an end of nothing */
    }
    return said;
}

/* ---- rows ---------------------------------------------------------------------------------------------------------------------- */

bool lvl_gmap_next_cell(lvl_gmap_cells *c)
{
    const char *p = c->line.ptr;
    size_t at = c->at;
    const size_t len = c->line.len;

    c->from = at;
    c->doubled = false;
    while (at < len && is_blank(p[at]))
        at++;
    /* A comma at the end begins a cell only if the map is that wide. */
    if (at >= len && (!c->comma || c->count >= c->width))
        return false;
    if (at < len && p[at] == '"') {
        const size_t begin = ++at;
        while (at < len && (p[at] != '"' || (at + 1 < len && p[at + 1] == '"'))) {
            c->doubled = c->doubled || p[at] == '"';
            at += p[at] == '"' ? 2 : 1;
        }
        c->open = c->open || at >= len;
        c->name = (lvl_text){p + begin, at - begin};
        while (at >= len && c->name.len && is_blank(c->name.ptr[c->name.len - 1]))
            c->name.len--;
        while (at < len && p[at] != ',')
            at++;
    } else {
        const size_t begin = at;
        while (at < len && p[at] != ',')
            at++;
        c->name = trim((lvl_text){p + begin, at - begin});
    }
    c->comma = at < len;
    c->at = c->to = at + c->comma;
    c->count++;
    return true;
}

bool lvl_gmap_next_number(lvl_text line, size_t *at, double *out, size_t *from, bool *bad)
{
    size_t end = *at;

    *from = *at;
    while (end < line.len && is_blank(line.ptr[end]))
        end++;
    if (end == line.len)
        return false;
    while (end < line.len && line.ptr[end] != ',')
        end++;
    if (!lvl_real_parse(trim((lvl_text){line.ptr + *at, end - *at}), out)) {
        if (bad)
            *bad = true;
        return false;
    }
    *at = end + (end < line.len);
    return true;
}

void lvl_gmap_put_row(lvl_buffer *out, const lvl_gmap_row *row)
{
    for (uint32_t i = 0; i < row->name_count; i++) {
        const lvl_text name = row->names[i];
        lvl_buffer_str(out, i ? ",\"" : "\"");
        for (size_t at = 0; at < name.len;) {
            const char *quote = memchr(name.ptr + at, '"', name.len - at);
            const size_t n = quote ? (size_t)(quote - name.ptr) - at + 1 : name.len - at;
            lvl_buffer_add(out, name.ptr + at, n);
            if (quote)
                lvl_buffer_u8(out, '"');
            at += n;
        }
        lvl_buffer_u8(out, '"');
    }
}

void lvl_gmap_put_numbers(lvl_buffer *out, const lvl_gmap_numbers *numbers)
{
    for (uint32_t i = 0; i < numbers->value_count; i++) {
        if (i)
            lvl_buffer_u8(out, ',');
        /* what isn't finite has no decimal */
        if (numbers->values[i] - numbers->values[i] == 0)
            lvl_json_real(out, numbers->values[i]);
        else
            lvl_buffer_u8(out, '0');
    }
}

/* ---- single keys --------------------------------------------------------------------------------------------------------------- */

static lvl_text text_of(const lvl_gmap *map, lvl_gmap_kind kind)
{
    switch (kind) {
    case LVL_GMAP_GENERATED: return map->generated;
    case LVL_GMAP_MAP_IMAGE: return map->map_image;
    case LVL_GMAP_MINIMAP_IMAGE: return map->minimap_image;
    case LVL_GMAP_TILESET: return map->tileset;
    default: return (lvl_text){NULL, 0};
    }
}

static double real_of(const lvl_gmap *map, lvl_gmap_kind kind)
{
    const double value = kind == LVL_GMAP_LEVEL_HEIGHT ? map->level_height : map->level_chaos;

    return value - value == 0 ? value : 0;
}

void lvl_gmap_put_single(lvl_buffer *out, const lvl_gmap *map, lvl_gmap_kind kind, uint32_t width,
                         uint32_t height)
{
    lvl_buffer_str(out, kinds[kind].keyword);
    switch (kind) {
    case LVL_GMAP_WIDTH: lvl_buffer_printf(out, " %u", width); break;
    case LVL_GMAP_HEIGHT: lvl_buffer_printf(out, " %u", height); break;
    case LVL_GMAP_LEVEL_HEIGHT:
    case LVL_GMAP_LEVEL_CHAOS:
        lvl_buffer_u8(out, ' ');
        if (real_of(map, kind) == 0)
            lvl_buffer_u8(out, '0');
        else
            lvl_json_real(out, real_of(map, kind));
        break;
    default: {
        const lvl_text text = text_of(map, kind);
        if (text.len)
            lvl_buffer_u8(out, ' ');
        lvl_buffer_add(out, text.ptr, text.len);
    }
    }
}

bool lvl_gmap_has_single(const lvl_gmap *map, lvl_gmap_kind kind)
{
    switch (kind) {
    case LVL_GMAP_HEADER:
    case LVL_GMAP_WIDTH:
    case LVL_GMAP_HEIGHT: return map->version != LVL_BIGMAP;
    case LVL_GMAP_NO_AUTO_MAPPING: return map->no_auto_mapping;
    case LVL_GMAP_LOAD_FULL_MAP: return map->load_full_map;
    case LVL_GMAP_LEVEL_HEIGHT:
    case LVL_GMAP_LEVEL_CHAOS: return real_of(map, kind) != 0;
    default: return text_of(map, kind).len;
    }
}

uint32_t lvl_gmap_width(const lvl_gmap *map)
{
    uint32_t most = map->row_count ? 0 : map->generated_width;

    for (uint32_t i = 0; i < map->row_count; i++)
        most = map->rows[i].name_count > most ? map->rows[i].name_count : most;
    return most;
}

uint32_t lvl_gmap_height(const lvl_gmap *map)
{
    return map->row_count ? map->row_count : map->generated_height;
}

/* ---- order --------------------------------------------------------------------------------------------------------------------- */

void lvl_gmap_put_order(lvl_buffer *out, lvl_gmap_kind kind, uint32_t count)
{
    if (!count)
        return;
    if (out->len)
        lvl_buffer_u8(out, ' ');
    lvl_buffer_str(out, kinds[kind].name);
    if (count > 1)
        lvl_buffer_printf(out, "*%u", count);
}

bool lvl_gmap_next_order(lvl_text order, size_t *at, lvl_gmap_kind *kind, uint32_t *count)
{
    while (*at < order.len) {
        while (*at < order.len && order.ptr[*at] == ' ')
            ++*at;
        const size_t from = *at;
        while (*at < order.len && order.ptr[*at] != ' ')
            ++*at;
        lvl_text word = {order.ptr + from, *at - from};
        const char *star = word.len ? memchr(word.ptr, '*', word.len) : NULL;
        *count = 1;
        if (star) {
            const size_t n = (size_t)(star - word.ptr);
            if (!whole((lvl_text){star + 1, word.len - n - 1}, count))
                *count = 1;
            word.len = n;
        }
        for (int k = 0; word.len && k < LVL_GMAP_KINDS; k++) {
            if (lvl_text_is(word, kinds[k].name)) {
                *kind = (lvl_gmap_kind)k;
                return true;
            }
        }
    }
    return false;
}

static void put_block(lvl_buffer *out, lvl_gmap_kind block, uint32_t count)
{
    if (!count)
        return;
    lvl_gmap_put_order(out, block, 1);
    lvl_gmap_put_order(out, (lvl_gmap_kind)(block + 1), count);
    lvl_gmap_put_order(out, (lvl_gmap_kind)(block + 2), 1);
}

void lvl_gmap_usual_order(const lvl_gmap *map, lvl_buffer *out)
{
    if (map->version == LVL_BIGMAP) {
        lvl_gmap_put_order(out, LVL_GMAP_ROW, map->row_count);
        return;
    }
    /* Lines that mean nothing come first: if one of them is a key that stands there again, the later one counts. */
    lvl_gmap_put_order(out, LVL_GMAP_HEADER, 1);
    lvl_gmap_put_order(out, LVL_GMAP_OTHER, map->other_count);
    for (int k = LVL_GMAP_WIDTH; k < LVL_GMAP_SINGLES; k++)
        lvl_gmap_put_order(out, (lvl_gmap_kind)k, lvl_gmap_has_single(map, (lvl_gmap_kind)k));
    put_block(out, LVL_GMAP_NAMES, map->row_count);
    put_block(out, LVL_GMAP_LOAD, map->load_count);
    put_block(out, LVL_GMAP_HEIGHTS, map->height_count);
    put_block(out, LVL_GMAP_SEEDS, map->seed_count);
}
