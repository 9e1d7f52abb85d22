/*
 * graal/gmap_tables.c: the tables of a world map, and which level lies where.
 */
#include <lvl/gmap.h>

#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define BIT(v) ((uint64_t)1 << (v))

/* clang-format off */
static const lvl_name version_names[] = {
    {LVL_BIGMAP, "bigmap", "No header: rows of names and nothing else."},
    {LVL_GRMAP001, "GRMAP001", "A gmap."},
    {0, NULL, NULL},
};
static const lvl_name line_end_names[] = {{LVL_GMAP_LF, "lf", NULL}, {LVL_GMAP_CRLF, "crlf", NULL}, {0, NULL, NULL}};

#define KEPT(T, m, k, ...) LVL_ROW(T, m, #m, k, .role = LVL_KEPT, .disk = LVL_NO_PLACE, __VA_ARGS__)
#define LINE(T)   KEPT(T, line, LVL_TEXT, .prose = "Its line as in the file, where it would be written otherwise.")
#define GMAP(...) .when = {offsetof(lvl_gmap, version), 1, BIT(LVL_GRMAP001)}, __VA_ARGS__
#define TEXT(m, ...) LVL_ROW_TEXT(lvl_gmap, m, #m, GMAP(.prose = __VA_ARGS__))
#define UINT(m, ...) LVL_ROW_UINT(lvl_gmap, m, #m, LVL_NO_PLACE, GMAP(.prose = __VA_ARGS__))
#define REAL(m, ...) LVL_ROW_REAL(lvl_gmap, m, #m, GMAP(.prose = __VA_ARGS__))

static const lvl_field row_fields[] = {
    LVL_ROW_TEXTS(lvl_gmap_row, names, name_count, "names", .prose = "File names of levels, west to east; empty: none is there."),
    LINE(lvl_gmap_row),
};
const lvl_table lvl_gmap_row_table = {
    .name = "row", .prose = "A row of levels.", .struct_size = sizeof(lvl_gmap_row),
    .fields = row_fields, .field_count = LVL_COUNT_OF(row_fields),
};

static const lvl_field numbers_fields[] = {
    LVL_ROW_REALS(lvl_gmap_numbers, values, value_count, "values", .prose = "The numbers of the line."),
    LINE(lvl_gmap_numbers),
};
const lvl_table lvl_gmap_numbers_table = {
    .name = "numbers", .prose = "A line of numbers.", .struct_size = sizeof(lvl_gmap_numbers),
    .fields = numbers_fields, .field_count = LVL_COUNT_OF(numbers_fields),
};

static const lvl_field gmap_fields[] = {
    LVL_ROW_UINT(lvl_gmap, version, "version", LVL_NO_PLACE, .names = version_names, .def = LVL_GRMAP001,
                 .prose = "The file's first line."),
    LVL_ROW_UINT(lvl_gmap, width, "width", LVL_NO_PLACE, .role = LVL_DERIVED, .unit = "levels",
                 .prose = "Levels across: of the longest row, or generated_width."),
    LVL_ROW_UINT(lvl_gmap, height, "height", LVL_NO_PLACE, .role = LVL_DERIVED, .unit = "levels",
                 .prose = "Levels down: the number of rows, or generated_height."),
    LVL_ROW_LIST(lvl_gmap, rows, row_count, "rows", &lvl_gmap_row_table, lvl_gmap_row,
                 .prose = "Which levels lie beside each other, north to south."),
    UINT(generated_width, "Levels across of a map without rows.", .unit = "levels"),
    UINT(generated_height, "Levels down of a map without rows.", .unit = "levels"),
    TEXT(generated, "The name that those of the levels of a map without rows are made of (\"world_aa-01.nw\")."),
    TEXT(map_image, "File name of a picture of the world, for the big map."),
    TEXT(minimap_image, "File name of a picture of the world, for the small map."),
    TEXT(tileset, "File name of the tileset of all its levels; an extension of another editor."),
    UINT(no_auto_mapping, "1: the client doesn't draw a map by itself.", .max = 1),
    UINT(load_full_map, "1: the server loads all of its levels when it starts.", .max = 1),
    LVL_ROW_LIST(lvl_gmap, load_at_start, load_count, "load_at_start", &lvl_gmap_row_table, lvl_gmap_row,
                 GMAP(.prose = "Levels that the server loads when it starts.")),
    REAL(level_height, "Height of generated ground."),
    REAL(level_chaos, "Roughness of generated ground."),
    LVL_ROW_LIST(lvl_gmap, height_map, height_count, "height_map", &lvl_gmap_numbers_table, lvl_gmap_numbers,
                 GMAP(.prose = "Heights of the ground.")),
    LVL_ROW_LIST(lvl_gmap, random_seeds, seed_count, "random_seeds", &lvl_gmap_numbers_table, lvl_gmap_numbers,
                 GMAP(.prose = "Seeds of generated ground.")),
    LVL_ROW_TEXTS(lvl_gmap, others, other_count, "others", GMAP(.prose = "Lines that mean nothing to lvl, or that a later line makes void.")),
    KEPT(lvl_gmap, line_end, LVL_INT, .names = line_end_names, .prose = "How lines end."),
    KEPT(lvl_gmap, mark, LVL_INT, .max = 1, .prose = "1: the file begins with a UTF-8 byte order mark."),
    KEPT(lvl_gmap, unended, LVL_INT, .max = 1, .prose = "1: the last line has no line end."),
    KEPT(lvl_gmap, order, LVL_TEXT,
         .prose = "The kinds of its lines in their order (\"header width height names row*3 names_end\"), where they aren't as usual."),
    KEPT(lvl_gmap, lines, LVL_TEXT, .flags = LVL_F_LINES,
         .prose = "Those lines of kind \"line\" in `order`, as in the file, where they would be written otherwise."),
};
const lvl_table lvl_gmap_table = {
    .name = "gmap", .prose = "A world map.", .struct_size = sizeof(lvl_gmap),
    .fields = gmap_fields, .field_count = LVL_COUNT_OF(gmap_fields),
};
/* clang-format on */

/* "world_aa-01.nw" says that the level in column 2 of row 4 is "world_ac-05.nw". */
static lvl_text generated_name(const lvl_gmap *map, uint32_t x, uint32_t y, char *buf)
{
    const lvl_text from = map->generated;
    size_t prefix = from.len, dot = from.len;
    char place[32];

    while (prefix && from.ptr[prefix - 1] != '_')
        prefix--;
    for (size_t i = from.len; i > prefix; i--) {
        if (from.ptr[i - 1] == '.') {
            dot = i - 1;
            break;
        }
    }
    if (!prefix || x >= map->generated_width || y >= map->generated_height || x >= 26 * 26)
        return (lvl_text){NULL, 0};
    const int n = snprintf(place, sizeof place, "%c%c-%02u", 'a' + (int)(x / 26), 'a' + (int)(x % 26), y + 1);
    const size_t ending = from.len - dot;
    if (n < 0 || prefix + (size_t)n + ending > LVL_GMAP_NAME)
        return (lvl_text){NULL, 0};
    memcpy(buf, from.ptr, prefix);
    memcpy(buf + prefix, place, (size_t)n);
    memcpy(buf + prefix + n, from.ptr + dot, ending);
    return (lvl_text){buf, prefix + (size_t)n + ending};
}

lvl_text lvl_gmap_level(const lvl_gmap *map, uint32_t x, uint32_t y, char *buf)
{
    if (!map->row_count)
        return generated_name(map, x, y, buf);
    if (y >= map->row_count || x >= map->rows[y].name_count)
        return (lvl_text){NULL, 0};
    return map->rows[y].names[x];
}

bool lvl_gmap_find(const lvl_gmap *map, lvl_text name, uint32_t *x, uint32_t *y)
{
    char buf[LVL_GMAP_NAME];
    const uint32_t wide = map->generated_width < 26 * 26 ? map->generated_width : 26 * 26;

    if (!name.len)
        return false;
    for (uint32_t r = 0; r < map->row_count; r++) {
        for (uint32_t c = 0; c < map->rows[r].name_count; c++) {
            if (lvl_text_equal_nocase(map->rows[r].names[c], name)) {
                *x = c;
                *y = r;
                return true;
            }
        }
    }
    /* The row's number is told by the name, so that only the columns need be tried. */
    size_t at = name.len;
    uint64_t number = 0;
    while (at && name.ptr[at - 1] != '-')
        at--;
    for (size_t i = at;
         at && i < name.len && name.ptr[i] >= '0' && name.ptr[i] <= '9' && number <= UINT32_MAX; i++)
        number = number * 10 + (unsigned)(name.ptr[i] - '0');
    if (map->row_count || !number || number > UINT32_MAX)
        return false;
    for (uint32_t c = 0; c < wide; c++) {
        if (lvl_text_equal_nocase(generated_name(map, c, (uint32_t)number - 1, buf), name)) {
            *x = c;
            *y = (uint32_t)number - 1;
            return true;
        }
    }
    return false;
}
