/*
 * graal/world/gmap_tables.c: the fields of world maps, their size, and the paths of rows and names.
 */
#include "graal/world/gmap_internal.h"

#include "base/text.h"
#include "graal/art/graal_pictures.h"

/* clang-format off */
static const lvl_name version_names[] = {
    {LVL_BIGMAP, "bigmap", "No header: rows of names and nothing else."},
    {LVL_GRMAP001, "GRMAP001", "A gmap."},
    {0, NULL, NULL},
};
static const lvl_name line_end_names[] = {
    {LVL_GMAP_LF, "lf", NULL},
    {LVL_GMAP_CRLF, "crlf", NULL},
    {0, NULL, NULL},
};

static const lvl_field row_fields[] = {
    LVL_ROW_TEXTS(lvl_gmap_row, names, name_count, "names", .flags = LVL_F_FILE, .use = LVL_USE_LEVEL,
                  .roles = LVL_ROLE_LEVELS,
                  .prose = "File names of levels, west to east; empty: no level."),
};
const lvl_table lvl_gmap_row_table = {
    .name = "row", .prose = "A row of levels.", .struct_size = sizeof(lvl_gmap_row),
    .fields = row_fields, .field_count = LVL_COUNT_OF(row_fields),
};

#define GMAP      .when = {offsetof(lvl_gmap, version), 1, (uint64_t)1 << LVL_GRMAP001}
#define SHOWN(words) .summary = {.show = LVL_SHOW_FILLED, .label = (words)}
#define FILE_NAME(m, use_, words, prose_)                                                    \
    LVL_ROW_TEXT(lvl_gmap, m, #m, GMAP, .flags = LVL_F_FILE, .use = (use_), .prose = (prose_), SHOWN(words))
#define KEPT(m, k, ...) LVL_ROW(lvl_gmap, m, #m, k, .role = LVL_KEPT, .disk = LVL_NO_PLACE, __VA_ARGS__)
#define SWITCH(m, words, prose_) \
    LVL_ROW_UINT(lvl_gmap, m, #m, LVL_NO_PLACE, GMAP, .max = 1, .prose = (prose_), SHOWN(words))

static const lvl_field gmap_fields[] = {
    LVL_ROW_UINT(lvl_gmap, version, "version", LVL_NO_PLACE, .names = version_names, .def = LVL_GRMAP001,
                 .prose = "The file's first line.", .summary = {.show = LVL_SHOW, .label = "kind"}),
    LVL_ROW_UINT(lvl_gmap, width, "width", LVL_NO_PLACE, .role = LVL_DERIVED, .unit = "levels",
                 .prose = "Number of levels in the longest row; of a map without rows, WIDTH of the file."),
    LVL_ROW_UINT(lvl_gmap, height, "height", LVL_NO_PLACE, .role = LVL_DERIVED, .unit = "levels",
                 .prose = "Number of rows; of a map without rows, HEIGHT of the file."),
    LVL_ROW_LIST(lvl_gmap, rows, row_count, "rows", &lvl_gmap_row_table, lvl_gmap_row,
                 .prose = "Rows of levels, north to south.", .roles = LVL_ROLE_LEVELS),
    LVL_ROW_TEXT(lvl_gmap, generated, "generated", GMAP, SHOWN("generated from"),
        .prose = "The first level of a map without rows; the names of the others are made from it."),
    FILE_NAME(map_image, LVL_USE_PICTURE, "picture", "File name of a picture of the world, for the big map."),
    FILE_NAME(minimap_image, LVL_USE_PICTURE, "small picture",
        "File name of a picture of the world, for the small map."),
    FILE_NAME(tileset, LVL_USE_TILESET, "tileset",
        "File name of the tileset of all its levels; an extension of another editor."),
    SWITCH(no_auto_mapping, "no automatic map", "1: the client does not draw a map by itself."),
    SWITCH(load_full_map, "loads all levels", "1: the server loads all of its levels when it starts."),
    LVL_ROW_LIST(lvl_gmap, load_at_start, load_count, "load_at_start", &lvl_gmap_row_table, lvl_gmap_row,
                 GMAP, .prose = "Levels that the server loads when it starts.", SHOWN("loads at start")),
    LVL_ROW_TEXTS(lvl_gmap, others, other_count, "others", GMAP,
                  .prose = "Lines that lvl does not interpret (ground).", SHOWN("other lines")),
    KEPT(line_end, LVL_INT, .names = line_end_names, .prose = "How lines end."),
    KEPT(source, LVL_TEXT, .flags = LVL_F_LINES,
         .prose = "The file, where lvl would write it differently; unchanged parts are copied from it."),
};
const lvl_table lvl_gmap_table = {
    .name = "gmap", .prose = "A world map.", .struct_size = sizeof(lvl_gmap),
    .fields = gmap_fields, .field_count = LVL_COUNT_OF(gmap_fields),
};
/* clang-format on */

uint32_t lvl_gmap_width(const lvl_gmap *map)
{
    uint32_t most = 0;

    for (uint32_t i = 0; i < map->row_count; i++)
        most = map->rows[i].name_count > most ? map->rows[i].name_count : most;
    return most;
}

bool lvl_gmap_is_level_name(lvl_text name)
{
    return lvl_graal_is_plain_name(name) &&
           (lvl_text_has_ending(name, ".nw") || lvl_text_has_ending(name, ".graal") ||
            lvl_text_has_ending(name, ".zelda"));
}

lvl_where lvl_gmap_where_row(uint32_t row)
{
    return lvl_where_to(lvl_where_root(), LVL_FIELD(lvl_gmap, rows), row);
}

lvl_where lvl_gmap_where_name(uint32_t x, uint32_t y)
{
    return lvl_where_to(lvl_gmap_where_row(y), LVL_FIELD(lvl_gmap_row, names), x);
}
