/*
 * graal/gmap_format.c: world maps as the house knows them: the row in the table of formats, the account for `info`, and the two forms.
 */
#include "graal/gmap_parts.h"
#include "graal/graal_format.h"
#include "graal/world.h"

#include <string.h>

/* ---- info ---------------------------------------------------------------------------------------------------------------------- */

/* How many of the levels are there, and which are not. */
static lvl_status tell_levels(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art)
{
    char file[LVL_WORLD_FILE_NAME];
    uint32_t missing = 0;
    lvl_world world;
    lvl_status status = lvl_world_open(&world, doc, art);

    if (status != LVL_OK || !world.level_count)
        goto out;
    uint8_t *there = lvl_arena_array(&world.arena, world.level_count, 1);
    if (!there) {
        status = LVL_ERR_MEMORY;
        goto out;
    }
    for (uint32_t i = 0; i < world.level_count; i++) {
        status = lvl_world_file_name(doc, world.levels[i].name, file);
        if (status == LVL_ERR_MEMORY)
            goto out;
        there[i] = status == LVL_OK && lvl_art_file_name(art, file);
        missing += !there[i];
    }
    lvl_info_int(info, "levels_found", "found", world.level_count - missing, "of them");
    if (missing) {
        /* of a world that is elsewhere nobody wants to read every name */
        lvl_info_open(info, "missing", missing < world.level_count && missing <= 40 ? "missing" : NULL, true);
        for (uint32_t i = 0; i < world.level_count; i++) {
            if (!there[i])
                lvl_info_text(info, NULL, "", world.levels[i].name);
        }
        lvl_info_close(info);
    }
    status = LVL_OK;
out:
    lvl_world_close(&world);
    return status == LVL_ERR_LIMIT ? LVL_OK : status;
}

lvl_status lvl_gmap_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art)
{
    const lvl_gmap *map = doc->root;
    const uint32_t width = lvl_gmap_width(map), height = lvl_gmap_height(map);
    int64_t levels = 0, empty = 0;

    for (uint32_t y = 0; y < map->row_count; y++) {
        for (uint32_t x = 0; x < map->rows[y].name_count; x++) {
            levels += map->rows[y].names[x].len != 0;
            empty += map->rows[y].names[x].len == 0;
        }
    }
    lvl_info_string(info, "version", "kind", "%s", map->version == LVL_BIGMAP ? "bigmap" : "GRMAP001");
    lvl_info_string(info, NULL, "size", "%u x %u levels", width, height);
    lvl_info_int(info, "width", NULL, width, NULL);
    lvl_info_int(info, "height", NULL, height, NULL);
    if (map->row_count) {
        lvl_info_int(info, "levels", "levels", levels, NULL);
        lvl_info_int(info, "empty_cells", empty ? "empty cells" : NULL, empty, NULL);
    } else if (map->generated.len) {
        lvl_info_text(info, "generated", "levels named like", map->generated);
    }
    const lvl_status status = art ? tell_levels(doc, info, art) : LVL_OK;
    if (status != LVL_OK)
        return status;
    if (map->map_image.len)
        lvl_info_text(info, "map_image", "map image", map->map_image);
    if (map->minimap_image.len)
        lvl_info_text(info, "minimap_image", "small map image", map->minimap_image);
    if (map->tileset.len)
        lvl_info_text(info, "tileset", "tileset", map->tileset);
    if (map->version != LVL_BIGMAP) {
        lvl_info_bool(info, "no_auto_mapping", map->no_auto_mapping ? "no automatic map" : NULL,
                      map->no_auto_mapping);
        lvl_info_bool(info, "load_full_map", map->load_full_map ? "loaded as a whole" : NULL,
                      map->load_full_map);
    }
    if (map->load_count)
        lvl_info_int(info, "load_at_start", "rows loaded at start", map->load_count, NULL);
    if (map->height_count)
        lvl_info_int(info, "height_rows", "rows of heights", map->height_count, NULL);
    if (map->seed_count)
        lvl_info_int(info, "seed_rows", "rows of seeds", map->seed_count, NULL);
    if (map->other_count)
        lvl_info_int(info, "others", "unknown lines", map->other_count, NULL);
    return lvl_info_status(info);
}

/* ---- forms --------------------------------------------------------------------------------------------------------------------- */

const lvl_form lvl_gmap_forms[] = {
    {"gmap", "gmap (GRMAP001)", "gmap", "gmap", LVL_GRMAP001},
    {"bigmap", "bigmap (rows of level names)", "txt", "gmap", LVL_BIGMAP},
    {NULL, NULL, NULL, NULL, 0},
};

static bool copy_text(lvl_doc *to, lvl_text from, lvl_text *out)
{
    if (from.len)
        *out = lvl_doc_text(to, from);
    return !from.len || out->ptr;
}

static lvl_status copy_rows(lvl_doc *to, const lvl_gmap_row *rows, uint32_t count, lvl_gmap_row **out,
                            uint32_t *out_count)
{
    *out = lvl_arena_array(&to->arena, count, sizeof **out);
    if (!*out)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        lvl_gmap_row *row = &(*out)[i];
        row->names = lvl_arena_array(&to->arena, rows[i].name_count, sizeof *row->names);
        if (!row->names)
            return LVL_ERR_MEMORY;
        for (; row->name_count < rows[i].name_count; row->name_count++) {
            if (!copy_text(to, rows[i].names[row->name_count], &row->names[row->name_count]))
                return LVL_ERR_MEMORY;
        }
    }
    *out_count = count;
    return LVL_OK;
}

static lvl_status copy_numbers(lvl_doc *to, const lvl_gmap_numbers *from, uint32_t count,
                               lvl_gmap_numbers **out, uint32_t *out_count)
{
    *out = lvl_arena_array(&to->arena, count, sizeof **out);
    if (!*out)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        double *values = lvl_arena_array(&to->arena, from[i].value_count, sizeof *values);
        if (!values)
            return LVL_ERR_MEMORY;
        if (from[i].value_count)
            memcpy(values, from[i].values, from[i].value_count * sizeof *values);
        (*out)[i].values = values;
        (*out)[i].value_count = from[i].value_count;
    }
    *out_count = count;
    return LVL_OK;
}

/* All that isn't rows. */
static lvl_status copy_keys(lvl_doc *to, const lvl_gmap *from)
{
    lvl_gmap *map = to->root;

    map->generated_width = from->generated_width;
    map->generated_height = from->generated_height;
    map->no_auto_mapping = from->no_auto_mapping;
    map->load_full_map = from->load_full_map;
    map->level_height = from->level_height;
    map->level_chaos = from->level_chaos;
    if (!copy_text(to, from->generated, &map->generated) ||
        !copy_text(to, from->map_image, &map->map_image) ||
        !copy_text(to, from->minimap_image, &map->minimap_image) ||
        !copy_text(to, from->tileset, &map->tileset))
        return LVL_ERR_MEMORY;
    map->others = lvl_arena_array(&to->arena, from->other_count, sizeof *map->others);
    if (!map->others)
        return LVL_ERR_MEMORY;
    for (; map->other_count < from->other_count; map->other_count++) {
        if (!copy_text(to, from->others[map->other_count], &map->others[map->other_count]))
            return LVL_ERR_MEMORY;
    }
    lvl_status status =
        copy_rows(to, from->load_at_start, from->load_count, &map->load_at_start, &map->load_count);
    if (status == LVL_OK)
        status = copy_numbers(to, from->height_map, from->height_count, &map->height_map, &map->height_count);
    if (status == LVL_OK)
        status = copy_numbers(to, from->random_seeds, from->seed_count, &map->random_seeds, &map->seed_count);
    return status;
}

static void lose(lvl_findings *losses, size_t member, const char *what)
{
    const lvl_where where =
        lvl_where_to(lvl_where_root(), lvl_table_at(&lvl_gmap_table, member), LVL_NO_INDEX);

    lvl_findings_add(losses, &lvl_gmap_findings[LVL_GMAP_F_LOSS_KEY], &where, NULL, "%s", what);
}

static void lose_keys(const lvl_gmap *map, lvl_findings *losses)
{
    if (map->map_image.len)
        lose(losses, offsetof(lvl_gmap, map_image), "the picture of the map");
    if (map->minimap_image.len)
        lose(losses, offsetof(lvl_gmap, minimap_image), "the picture of the small map");
    if (map->tileset.len)
        lose(losses, offsetof(lvl_gmap, tileset), "the tileset");
    if (map->no_auto_mapping)
        lose(losses, offsetof(lvl_gmap, no_auto_mapping), "that no map is drawn by itself");
    if (map->load_full_map)
        lose(losses, offsetof(lvl_gmap, load_full_map), "that the map is loaded as a whole");
    if (map->load_count)
        lose(losses, offsetof(lvl_gmap, load_at_start), "levels that are loaded at start");
    if (map->level_height < 0 || map->level_height > 0)
        lose(losses, offsetof(lvl_gmap, level_height), "the ground's height");
    if (map->level_chaos < 0 || map->level_chaos > 0)
        lose(losses, offsetof(lvl_gmap, level_chaos), "the ground's roughness");
    if (map->height_count)
        lose(losses, offsetof(lvl_gmap, height_map), "heights");
    if (map->seed_count)
        lose(losses, offsetof(lvl_gmap, random_seeds), "seeds");
    if (map->other_count)
        lose(losses, offsetof(lvl_gmap, others), "unknown lines");
}

/* Names that a gmap generates become rows. */
static lvl_status list_generated(const lvl_gmap *from, lvl_doc *to, lvl_findings *losses)
{
    enum { MOST = 1 << 16 };
    const lvl_where where = lvl_where_to(
        lvl_where_root(), lvl_table_at(&lvl_gmap_table, offsetof(lvl_gmap, generated)), LVL_NO_INDEX);
    lvl_gmap *map = to->root;
    char name[LVL_GMAP_NAME];

    if (!from->generated.len || !from->generated_width || !from->generated_height)
        return LVL_OK;
    if ((uint64_t)from->generated_width * from->generated_height > MOST) {
        lvl_findings_add(losses, &lvl_gmap_findings[LVL_GMAP_F_LOSS_GENERATED], &where, NULL,
                         "%u x %u levels", from->generated_width, from->generated_height);
        return LVL_OK;
    }
    map->rows = lvl_arena_array(&to->arena, from->generated_height, sizeof *map->rows);
    if (!map->rows)
        return LVL_ERR_MEMORY;
    for (uint32_t y = 0; y < from->generated_height; y++) {
        lvl_gmap_row *row = &map->rows[map->row_count++];
        row->names = lvl_arena_array(&to->arena, from->generated_width, sizeof *row->names);
        if (!row->names)
            return LVL_ERR_MEMORY;
        for (; row->name_count < from->generated_width; row->name_count++) {
            if (!copy_text(to, lvl_gmap_level(from, row->name_count, y, name), &row->names[row->name_count]))
                return LVL_ERR_MEMORY;
        }
    }
    return LVL_OK;
}

lvl_status lvl_gmap_convert(const lvl_doc *from, const lvl_form *form, lvl_doc *to, lvl_findings *losses)
{
    const lvl_gmap *map = from->root;
    lvl_gmap *made = to->root;
    lvl_status status = copy_rows(to, map->rows, map->row_count, &made->rows, &made->row_count);

    made->version = (uint8_t)form->version;
    made->line_end = map->line_end;
    if (status == LVL_OK && form->version != LVL_BIGMAP && map->version != LVL_BIGMAP) {
        status = copy_keys(to, map);
    } else if (status == LVL_OK && form->version == LVL_BIGMAP && map->version != LVL_BIGMAP) {
        lose_keys(map, losses);
        if (!map->row_count)
            status = list_generated(map, to, losses);
    }
    return status;
}

const lvl_format lvl_format_gmap = {
    .id = "gmap",
    .family = "graal",
    .title = "Graal world map (gmap, bigmap)",
    .extensions = "gmap",
    .later = "GRMAP",
    .mime = "text/x-graal-map",
    .notes = "Lines of text. A gmap begins with GRMAP001 and has a key a line and blocks that end with their "
             "key and END. A "
             "bigmap, whose file is usually a `.txt`, is only the rows of names that stand between "
             "LEVELNAMES and LEVELNAMESEND in a "
             "gmap; having no signature, it is only known by its name as well. Text is in one byte a "
             "character, windows-1252 "
             "as a rule.",
    .can = LVL_CAN_WRITE | LVL_CAN_CHECK | LVL_CAN_REPAIR | LVL_CAN_RENDER | LVL_CAN_CONVERT,
    .codepage = LVL_CP_1252,
    .table = &lvl_gmap_table,
    .findings = lvl_gmap_findings,
    .finding_count = LVL_GMAP_F_COUNT,
    .probe = lvl_gmap_probe,
    .read = lvl_gmap_read,
    .write = lvl_gmap_write,
    .derive = lvl_gmap_derive,
    .kept = lvl_gmap_kept,
    .forget = lvl_doc_forget_members,
    .check = lvl_gmap_check,
    .repair = lvl_gmap_repair,
    .info = lvl_gmap_info,
    .scene = lvl_world_scene,
    .links = lvl_gmap_links,
    .forms = lvl_gmap_forms,
    .convert = lvl_gmap_convert,
};
