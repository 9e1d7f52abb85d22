/*
 * graal/gmap_read.c: reads world maps, two sorts of text file:
 *
 *     GRMAP001                    a .gmap          "a.nw","b.nw"     a bigmap, usually a .txt
 *     WIDTH 2                                      "c.nw",""
 *     HEIGHT 2
 *     LEVELNAMES
 *     "a.nw","b.nw"
 *     "c.nw",""
 *     LEVELNAMESEND
 *
 * Other keys have a line each, other blocks (LOADATSTART, HEIGHTMAP, RANDOMSEEDS) end as LEVELNAMES does. Known liars: WIDTH and HEIGHT that
 * aren't those of the rows; commas at the end of rows that begin no cell; blank lines anywhere, a last line without an end.
 */
#include "graal/gmap_parts.h"

#include "base/text.h"

#include <string.h>

typedef struct reader {
    lvl_doc *doc;
    lvl_gmap *map;
    lvl_bytes file;
    size_t start; /* behind a byte order mark */
    bool crlf, bigmap;
    lvl_sink *sink;
    lvl_findings *findings;
    /* first reading */
    uint32_t last[LVL_GMAP_SINGLES]; /* number of the line that counts, plus 1 */
    uint32_t counts[LVL_GMAP_KINDS];
    uint32_t width; /* as the file tells it; 0: it doesn't */
    uint32_t blanks;
    bool limited;
    /* order so far */
    lvl_buffer order, lines, scratch;
    lvl_gmap_kind run;
    uint32_t run_length;
} reader;

static lvl_gmap_place place_of(const reader *r)
{
    return (lvl_gmap_place){.bigmap = r->bigmap, .first = true, .block = LVL_GMAP_OTHER};
}

/* ---- telling ------------------------------------------------------------------------------------------------------------------- */

static lvl_where at_member(size_t member, uint32_t index)
{
    return lvl_where_to(lvl_where_root(), lvl_table_at(&lvl_gmap_table, member), index);
}

static void tell(const reader *r, lvl_where where, const lvl_field *field, size_t from, size_t to,
                 lvl_span_role role, const char *note)
{
    const lvl_span span = {.bit = (uint64_t)from * 8,
                           .bits = (uint64_t)(to - from) * 8,
                           .role = role,
                           .where = where,
                           .field = field,
                           .note = note};
    if (r->sink && to > from)
        r->sink->span(r->sink, &span);
}

static void tell_member(const reader *r, size_t member, uint32_t index, size_t from, size_t to)
{
    tell(r, at_member(member, index), lvl_table_at(&lvl_gmap_table, member), from, to, LVL_SPAN_FIELD, NULL);
}

/* "lead: text" */
static void find(const reader *r, unsigned what, const lvl_gmap_line *line, const char *lead, lvl_text text)
{
    const lvl_position pos = {
        .bit = (uint64_t)line->at * 8, .bits = (uint64_t)line->text.len * 8, .known = true};
    char shown[80];

    if (!r->findings)
        return;
    lvl_text_show(shown, sizeof shown, r->doc->codepage, text);
    lvl_findings_add(r->findings, &lvl_gmap_findings[what], NULL, &pos, "%s%s%s", lead, text.len ? ": " : "",
                     shown);
}

/* ---- order --------------------------------------------------------------------------------------------------------------------- */

static void end_run(reader *r)
{
    if (r->run_length)
        lvl_gmap_put_order(&r->order, r->run, r->run_length);
    r->run_length = 0;
}

static void note_kind(reader *r, lvl_gmap_kind kind)
{
    /* edges of blocks are told one by one, so that a word can't ask for more than it says */
    if (kind != r->run || (lvl_gmap_in_block(kind) && lvl_gmap_keyword(kind)))
        end_run(r);
    r->run = kind;
    r->run_length++;
}

static void note_spelled(reader *r, lvl_text line)
{
    if (r->lines.len)
        lvl_buffer_u8(&r->lines, '\n');
    lvl_buffer_add(&r->lines, line.ptr, line.len);
    note_kind(r, LVL_GMAP_LINE);
}

static bool same_as_scratch(const reader *r, lvl_text line)
{
    return r->scratch.len == line.len && (!line.len || memcmp(r->scratch.data, line.ptr, line.len) == 0);
}

/* ---- lines --------------------------------------------------------------------------------------------------------------------- */

static lvl_text unquoted(reader *r, const lvl_gmap_cells *cells)
{
    if (!cells->doubled)
        return cells->name;
    char *p = lvl_arena_raw(&r->doc->arena, cells->name.len);
    lvl_text out = {p, 0};

    for (size_t i = 0; p && i < cells->name.len; i++) {
        p[out.len++] = cells->name.ptr[i];
        i += cells->name.ptr[i] == '"';
    }
    return out;
}

static lvl_status read_row(reader *r, const lvl_gmap_line *line, lvl_gmap_row *row, lvl_where where)
{
    const lvl_field *names = lvl_table_at(&lvl_gmap_row_table, offsetof(lvl_gmap_row, names));
    lvl_gmap_cells cells = {.line = line->text, .width = r->width}, again = cells;
    const uint64_t most = lvl_limits_of(r->doc->ctx).items;

    while (lvl_gmap_next_cell(&cells))
        ;
    if (cells.count > most) {
        find(r, LVL_GMAP_F_LIMIT, line, "too many names", line->text);
        return LVL_ERR_LIMIT;
    }
    row->names = lvl_arena_array(&r->doc->arena, cells.count, sizeof *row->names);
    if (!row->names)
        return LVL_ERR_MEMORY;
    size_t told = line->at;
    while (lvl_gmap_next_cell(&again)) {
        const lvl_text name = unquoted(r, &again);
        if (again.name.len && !name.ptr)
            return LVL_ERR_MEMORY;
        const bool last = row->name_count + 1 == cells.count;
        const size_t to = last ? line->end : line->at + again.to;
        tell(r, lvl_where_to(where, names, row->name_count), names, told, to, LVL_SPAN_FIELD, NULL);
        told = to;
        row->names[row->name_count++] = name;
    }
    tell(r, where, NULL, told, line->end, LVL_SPAN_SPELLING, "a row without names");
    if (again.open)
        find(r, LVL_GMAP_F_QUOTE_OPEN, line, "no quote at the end", line->text);
    r->scratch.len = 0;
    lvl_gmap_put_row(&r->scratch, row);
    if (!same_as_scratch(r, line->text))
        row->line = line->text;
    return r->scratch.status;
}

static lvl_status read_numbers(reader *r, const lvl_gmap_line *line, lvl_gmap_numbers *numbers,
                               lvl_where where)
{
    const lvl_field *values = lvl_table_at(&lvl_gmap_numbers_table, offsetof(lvl_gmap_numbers, values));
    uint32_t count = 0;
    size_t at = 0, from;
    double value;

    while (lvl_gmap_next_number(line->text, &at, &value, &from, NULL))
        count++;
    numbers->values = lvl_arena_array(&r->doc->arena, count, sizeof *numbers->values);
    if (!numbers->values)
        return LVL_ERR_MEMORY;
    for (at = 0; lvl_gmap_next_number(line->text, &at, &value, &from, NULL);) {
        const bool last = numbers->value_count + 1 == count;
        tell(r, lvl_where_to(where, values, numbers->value_count), values, line->at + from,
             last ? line->end : line->at + at, LVL_SPAN_FIELD, NULL);
        numbers->values[numbers->value_count++] = value;
    }
    r->scratch.len = 0;
    lvl_gmap_put_numbers(&r->scratch, numbers);
    if (!same_as_scratch(r, line->text))
        numbers->line = line->text;
    return r->scratch.status;
}

/* A line inside a block. */
static lvl_status read_inside(reader *r, const lvl_gmap_line *line, lvl_gmap_kind kind)
{
    lvl_gmap *map = r->map;

    note_kind(r, kind);
    switch (kind) {
    case LVL_GMAP_ROW:
        map->row_count++;
        return read_row(r, line, &map->rows[map->row_count - 1],
                        at_member(offsetof(lvl_gmap, rows), map->row_count - 1));
    case LVL_GMAP_LOAD_ROW:
        map->load_count++;
        return read_row(r, line, &map->load_at_start[map->load_count - 1],
                        at_member(offsetof(lvl_gmap, load_at_start), map->load_count - 1));
    case LVL_GMAP_HEIGHTS_ROW:
        map->height_count++;
        return read_numbers(r, line, &map->height_map[map->height_count - 1],
                            at_member(offsetof(lvl_gmap, height_map), map->height_count - 1));
    default:
        map->seed_count++;
        return read_numbers(r, line, &map->random_seeds[map->seed_count - 1],
                            at_member(offsetof(lvl_gmap, random_seeds), map->seed_count - 1));
    }
}

static void read_single(reader *r, const lvl_gmap_line *line, const lvl_gmap_said *said)
{
    lvl_gmap *map = r->map;
    size_t member = 0;

    switch (said->kind) {
    case LVL_GMAP_HEADER: member = offsetof(lvl_gmap, version); break;
    case LVL_GMAP_WIDTH:
        map->width = said->number;
        member = offsetof(lvl_gmap, width);
        break;
    case LVL_GMAP_HEIGHT:
        map->height = said->number;
        member = offsetof(lvl_gmap, height);
        break;
    case LVL_GMAP_GENERATED:
        map->generated = said->value;
        member = offsetof(lvl_gmap, generated);
        break;
    case LVL_GMAP_MAP_IMAGE:
        map->map_image = said->value;
        member = offsetof(lvl_gmap, map_image);
        break;
    case LVL_GMAP_MINIMAP_IMAGE:
        map->minimap_image = said->value;
        member = offsetof(lvl_gmap, minimap_image);
        break;
    case LVL_GMAP_TILESET:
        map->tileset = said->value;
        member = offsetof(lvl_gmap, tileset);
        break;
    case LVL_GMAP_NO_AUTO_MAPPING:
        map->no_auto_mapping = 1;
        member = offsetof(lvl_gmap, no_auto_mapping);
        break;
    case LVL_GMAP_LOAD_FULL_MAP:
        map->load_full_map = 1;
        member = offsetof(lvl_gmap, load_full_map);
        break;
    case LVL_GMAP_LEVEL_HEIGHT:
        map->level_height = said->real;
        member = offsetof(lvl_gmap, level_height);
        break;
    default:
        map->level_chaos = said->real;
        member = offsetof(lvl_gmap, level_chaos);
        break;
    }
    tell_member(r, member, LVL_NO_INDEX, line->at, line->end);
    if (said->kind == LVL_GMAP_HEADER && !lvl_text_is(said->value, lvl_gmap_keyword(LVL_GMAP_HEADER)))
        find(r, LVL_GMAP_F_VERSION, line, "the header is", said->value);
    r->scratch.len = 0;
    lvl_gmap_put_single(&r->scratch, map, said->kind, map->width, map->height);
    if (same_as_scratch(r, line->text))
        note_kind(r, said->kind);
    else
        note_spelled(r, line->text);
}

static void read_other(reader *r, const lvl_gmap_line *line, const lvl_gmap_said *said, bool in_block)
{
    lvl_gmap *map = r->map;

    tell_member(r, offsetof(lvl_gmap, others), map->other_count, line->at, line->end);
    map->others[map->other_count++] = line->text;
    note_kind(r, LVL_GMAP_OTHER);
    if (said->kind != LVL_GMAP_OTHER)
        find(r, LVL_GMAP_F_KEY_DOUBLED, line, "a later line counts instead of", line->text);
    else if (said->known && in_block)
        find(r, LVL_GMAP_F_BLOCK_NUMBER, line, "no numbers", line->text);
    else if (said->known)
        find(r, LVL_GMAP_F_KEY_VALUE, line, "no such value", line->text);
    else if (line->text.len && line->text.ptr[0] == '"')
        find(r, LVL_GMAP_F_OUTSIDE, line, "names", line->text);
    else
        find(r, LVL_GMAP_F_KEY_UNKNOWN, line, "unknown", line->text);
}

static void read_blank(reader *r, const lvl_gmap_line *line)
{
    tell(r, lvl_where_root(), NULL, line->at, line->end, LVL_SPAN_SPELLING, "blank line");
    if (line->text.len)
        note_spelled(r, line->text);
    else if (r->blanks < LVL_GMAP_BLANKS)
        note_kind(r, LVL_GMAP_BLANK);
    else if (r->blanks == LVL_GMAP_BLANKS)
        find(r, LVL_GMAP_F_LIMIT, line, "more blank lines than are kept", (lvl_text){NULL, 0});
    r->blanks += !line->text.len && r->blanks <= LVL_GMAP_BLANKS;
}

static lvl_status read_lines(reader *r)
{
    lvl_gmap_place place = place_of(r);
    lvl_status status = LVL_OK;
    size_t at = r->start;
    uint32_t number = 0;
    lvl_gmap_line line;

    while (status == LVL_OK && lvl_gmap_next_line(r->file, r->crlf, &at, &line)) {
        const bool in_block = place.block != LVL_GMAP_OTHER;
        const lvl_gmap_said said = lvl_gmap_say(&place, line.text);
        const char *keyword = lvl_gmap_keyword(said.kind);
        number++;
        if (said.unclosed)
            find(r, LVL_GMAP_F_BLOCK_OPEN, &line, "the block before this line has no end", line.text);
        if (said.kind == LVL_GMAP_BLANK) {
            read_blank(r, &line);
        } else if (said.kind == LVL_GMAP_OTHER ||
                   (said.kind < LVL_GMAP_SINGLES && r->last[said.kind] != number)) {
            read_other(r, &line, &said, in_block);
        } else if (said.kind < LVL_GMAP_SINGLES) {
            read_single(r, &line, &said);
        } else if (keyword) {
            tell(r, lvl_where_root(), NULL, line.at, line.end, LVL_SPAN_CONTAINER, "edge of a block");
            if (lvl_text_is(line.text, keyword))
                note_kind(r, said.kind);
            else
                note_spelled(r, line.text);
        } else {
            status = read_inside(r, &line, said.kind);
        }
        if (!line.ended)
            r->map->unended = 1;
    }
    if (place.block != LVL_GMAP_OTHER && status == LVL_OK) {
        const lvl_gmap_line end = {.at = r->file.len};
        find(r, LVL_GMAP_F_BLOCK_OPEN, &end, "the file ends inside a block", (lvl_text){NULL, 0});
    }
    return status;
}

/* How many there are of each, and which line of a key counts. */
static bool count_lines(reader *r)
{
    lvl_gmap_place place = place_of(r);
    const uint64_t most = lvl_limits_of(r->doc->ctx).items;
    uint64_t number = 0;
    size_t at = r->start;
    lvl_gmap_line line;

    while (lvl_gmap_next_line(r->file, r->crlf, &at, &line)) {
        const lvl_gmap_said said = lvl_gmap_say(&place, line.text);
        if (++number > most || number > UINT32_MAX)
            return false;
        if (said.kind < LVL_GMAP_SINGLES) {
            r->counts[LVL_GMAP_OTHER] += r->last[said.kind] != 0;
            r->last[said.kind] = (uint32_t)number;
        } else {
            r->counts[said.kind]++;
        }
        if (said.kind == LVL_GMAP_WIDTH)
            r->width = said.number;
    }
    return true;
}

static void *array_of(reader *r, lvl_gmap_kind kind, size_t size)
{
    return lvl_arena_array(&r->doc->arena, r->counts[kind], size);
}

static lvl_status take_memory(reader *r)
{
    lvl_gmap *map = r->map;

    map->rows = array_of(r, LVL_GMAP_ROW, sizeof *map->rows);
    map->load_at_start = array_of(r, LVL_GMAP_LOAD_ROW, sizeof *map->load_at_start);
    map->height_map = array_of(r, LVL_GMAP_HEIGHTS_ROW, sizeof *map->height_map);
    map->random_seeds = array_of(r, LVL_GMAP_SEEDS_ROW, sizeof *map->random_seeds);
    map->others = array_of(r, LVL_GMAP_OTHER, sizeof *map->others);
    return map->rows && map->load_at_start && map->height_map && map->random_seeds && map->others
               ? LVL_OK
               : LVL_ERR_MEMORY;
}

static lvl_status copy_text(reader *r, const lvl_buffer *from, lvl_text *to)
{
    if (from->status != LVL_OK)
        return from->status;
    if (!from->len)
        return LVL_OK;
    to->ptr = lvl_arena_copy(&r->doc->arena, from->data, from->len);
    to->len = to->ptr ? from->len : 0;
    return to->ptr ? LVL_OK : LVL_ERR_MEMORY;
}

/* Keeps the order unless it is the usual one; and the size of a map without rows. */
static lvl_status settle(reader *r)
{
    lvl_gmap *map = r->map;

    end_run(r);
    if (!map->row_count) {
        map->generated_width = r->last[LVL_GMAP_WIDTH] ? map->width : 0;
        map->generated_height = r->last[LVL_GMAP_HEIGHT] ? map->height : 0;
    }
    if (r->bigmap || !r->last[LVL_GMAP_WIDTH])
        map->width = lvl_gmap_width(map);
    if (r->bigmap || !r->last[LVL_GMAP_HEIGHT])
        map->height = lvl_gmap_height(map);
    r->scratch.len = 0;
    lvl_gmap_usual_order(map, &r->scratch);
    lvl_status status = r->scratch.status;
    if (status == LVL_OK && !same_as_scratch(r, (lvl_text){(const char *)r->order.data, r->order.len}))
        status = copy_text(r, &r->order, &map->order);
    return status == LVL_OK ? copy_text(r, &r->lines, &map->lines) : status;
}

/* The first line that isn't blank. */
static lvl_text first_line(const reader *r)
{
    size_t at = r->start;
    lvl_gmap_line line = {.at = 0};

    while (lvl_gmap_next_line(r->file, r->crlf, &at, &line)) {
        if (!lvl_gmap_blank(line.text))
            return line.text;
    }
    return (lvl_text){NULL, 0};
}

lvl_status lvl_gmap_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    reader r = {.doc = doc, .map = doc->root, .file = doc->input, .sink = sink, .findings = findings};
    lvl_gmap_place place;

    if (r.file.len >= 3 && memcmp(r.file.ptr, "\xEF\xBB\xBF", 3) == 0) {
        r.map->mark = 1;
        r.start = 3;
        tell_member(&r, offsetof(lvl_gmap, mark), LVL_NO_INDEX, 0, 3);
    }
    r.crlf = lvl_gmap_is_crlf(r.file, r.start);
    r.map->line_end = r.crlf ? LVL_GMAP_CRLF : LVL_GMAP_LF;
    /* A file that begins with neither a header nor a key has rows only. */
    place = place_of(&r);
    const lvl_text first = first_line(&r);
    const lvl_gmap_kind kind = lvl_gmap_say(&place, first).kind;
    r.bigmap = kind == LVL_GMAP_OTHER || kind == LVL_GMAP_BLANK;
    r.map->version = r.bigmap ? LVL_BIGMAP : LVL_GRMAP001;
    if (!r.bigmap && kind != LVL_GMAP_HEADER)
        lvl_findings_add(findings, &lvl_gmap_findings[LVL_GMAP_F_NO_HEADER], NULL, NULL,
                         "the first line isn't GRMAP001");
    if (!count_lines(&r)) {
        lvl_findings_add(findings, &lvl_gmap_findings[LVL_GMAP_F_LIMIT], NULL, NULL, "too many lines");
        return LVL_ERR_LIMIT;
    }
    lvl_status status = take_memory(&r);
    if (status == LVL_OK)
        status = read_lines(&r);
    if (status == LVL_OK)
        status = settle(&r);
    lvl_buffer_free(&r.order);
    lvl_buffer_free(&r.lines);
    lvl_buffer_free(&r.scratch);
    return status;
}

/* ---- probing ------------------------------------------------------------------------------------------------------------------- */

/* Rows of quoted names that end as levels do, as far as can be seen; nothing else. Counts the names. */
static bool rows_of_names(lvl_bytes head, bool whole, uint32_t *names)
{
    size_t at = 0;
    lvl_gmap_line line;

    while (lvl_gmap_next_line(head, false, &at, &line)) {
        const bool cut = !line.ended && !whole;
        lvl_gmap_cells cells = {.line = line.text};
        if (lvl_gmap_blank(line.text))
            continue;
        while (lvl_gmap_next_cell(&cells)) {
            const lvl_text cell = {line.text.ptr + cells.from, cells.to - cells.from};
            const bool quoted = memchr(cell.ptr, '"', cell.len) != NULL;
            if ((cut && !cells.comma) || cells.open)
                break; /* what follows isn't seen */
            if (cells.name.len && (!quoted || !(lvl_text_has_ending(cells.name, ".nw") ||
                                                lvl_text_has_ending(cells.name, ".graal") ||
                                                lvl_text_has_ending(cells.name, ".zelda"))))
                return false;
            *names += cells.name.len != 0;
        }
        if (cells.open && line.ended)
            return false;
    }
    return *names > 0;
}

int lvl_gmap_probe(const lvl_probe_input *in)
{
    lvl_bytes head = in->head;
    const lvl_text name = lvl_text_of(in->name);
    uint32_t names = 0;

    if (head.len >= 3 && memcmp(head.ptr, "\xEF\xBB\xBF", 3) == 0) {
        head.ptr += 3;
        head.len -= 3;
    }
    if (head.len >= 8 && memcmp(head.ptr, "GRMAP001", 8) == 0)
        return 64;
    if (head.len >= 8 && memcmp(head.ptr, "GRMAP", 5) == 0 && lvl_text_has_ending(name, ".gmap"))
        return 40;
    /* A bigmap has no signature, so its name has to speak for it, too. */
    if (!lvl_text_has_ending(name, ".txt") && !lvl_text_has_ending(name, ".gmap"))
        return 0;
    if (!rows_of_names(head, in->size == in->head.len, &names))
        return 0;
    return names < 4 ? (int)names * 8 : 32;
}
