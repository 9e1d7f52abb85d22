/*
 * graal/world/world_check.c: rules of a world map that need its levels: levels that are missing, spelled in
 * another case or not levels; missing pictures; links along edges that do not lead to the neighbour on the
 * map.
 */
#include "graal/world/gmap_internal.h"
#include "graal/world/world.h"

#include "base/findings.h"
#include "base/text.h"
#include "scene/art.h"

#include <string.h>

/* The links along the edges of a level, by lvl_link_kind. Of several along one edge, the first counts. */
typedef struct edges {
    bool known; /* the level was read */
    lvl_text to[5]; /* names of levels, in the world's memory */
} edges;

typedef struct checker {
    lvl_world *world;
    lvl_findings *findings;
    edges *edges; /* by level */
} checker;

static const char *const side_names[] = {"", "left", "upper", "right", "lower"};
static const int side_dx[] = {0, -1, 0, 1, 0}, side_dy[] = {0, 0, -1, 0, 1};

#define REPORT(c, what, level, ...) \
    lvl_gmap_report((c)->findings, what, lvl_gmap_where_name((level)->x, (level)->y), __VA_ARGS__)

/* The next level, in the order of first cells, starting at *cell; NULL at the end. */
static const lvl_world_level *next_level(const lvl_world *world, size_t *cell)
{
    while (*cell < (size_t)world->width * world->height) {
        const size_t at = (*cell)++;
        const lvl_world_level *level = world->grid[at] ? &world->levels[world->grid[at] - 1] : NULL;
        if (level && (size_t)level->y * world->width + level->x == at)
            return level;
    }
    return NULL;
}

static edges *edges_of(const checker *c, const lvl_world_level *level)
{
    return &c->edges[level - c->world->levels];
}

static lvl_status note_edges(const checker *c, edges *e, const lvl_graal *level)
{
    e->known = true;
    for (uint32_t i = 0; i < level->link_count; i++) {
        const lvl_link_kind side = lvl_graal_link_kind_of(&level->links[i]);
        const lvl_text to = level->links[i].level;
        if (side == LVL_WAY_DOOR || e->to[side].len || !to.len)
            continue;
        e->to[side].ptr = lvl_arena_copy(&c->world->arena, to.ptr, to.len);
        if (!e->to[side].ptr)
            return LVL_ERR_MEMORY;
        e->to[side].len = to.len;
    }
    return LVL_OK;
}

static lvl_status check_level(const checker *c, const lvl_world_level *level, lvl_buffer *bytes)
{
    char file[LVL_GRAAL_NAME];
    lvl_doc *doc;

    if (!lvl_world_file_name(c->world->doc, level->name, file))
        return LVL_OK; /* gmap.level.name */
    const char *found = lvl_art_find_name(c->world->art, file);
    if (!found) {
        REPORT(c, LVL_GMAP_F_MISSING, level, "%s" LVL_IS_MISSING ": this place of the map is empty", file);
        return LVL_OK;
    }
    if (strcmp(found, file) != 0)
        REPORT(c, LVL_GMAP_F_CASE, level, "%s is called %s: a server may not find it", file, found);
    lvl_status status = lvl_world_read(c->world, level->name, bytes, &doc);
    if (status == LVL_OK) {
        status = note_edges(c, edges_of(c, level), doc->root);
    } else if (status != LVL_ERR_MEMORY) {
        REPORT(c, LVL_GMAP_F_UNREADABLE, level,
               "%s cannot be read as a level: this place of the map may be empty", file);
        status = LVL_OK;
    }
    lvl_doc_free(doc);
    return status;
}

/* Checks neighbours: a link along the edge between them must lead to the other, and there must be a link
 * back. */
static void check_edges(const checker *c, const lvl_world_level *level)
{
    const lvl_codepage page = c->world->doc->codepage;
    char from[80], to[80], beside[80];

    for (int side = LVL_WAY_LEFT; side <= LVL_WAY_DOWN; side++) {
        const lvl_text leads = edges_of(c, level)->to[side];
        const lvl_world_level *next =
            lvl_world_at(c->world, (int64_t)level->x + side_dx[side], (int64_t)level->y + side_dy[side]);
        const int back = (side + 1) % 4 + 1;
        if (!leads.len || !next)
            continue;
        lvl_text_show(from, sizeof from, page, level->name);
        lvl_text_show(to, sizeof to, page, leads);
        lvl_text_show(beside, sizeof beside, page, next->name);
        if (!lvl_text_equal_nocase(leads, next->name))
            REPORT(c, LVL_GMAP_F_LINK_ELSEWHERE, level,
                   "%s links over its %s edge to %s, but its neighbour is %s", from, side_names[side], to,
                   beside);
        else if (edges_of(c, next)->known && !edges_of(c, next)->to[back].len)
            REPORT(c, LVL_GMAP_F_LINK_ONE_WAY, level,
                   "%s links over its %s edge to %s, which has no link back", from, side_names[side], to);
    }
}

/* `around`: the levels of the map are on the art path, so its pictures should be there, too. */
static void check_images(const checker *c, bool around)
{
    static const size_t members[] = {offsetof(lvl_gmap, map_image), offsetof(lvl_gmap, minimap_image),
                                     offsetof(lvl_gmap, tileset)};
    enum { IMAGES = LVL_COUNT_OF(members) };
    const uint32_t folders = lvl_graal_picture_folders(c->world->art);
    char files[IMAGES][LVL_GRAAL_NAME];
    bool missing[IMAGES] = {false};
    unsigned names = 0, found = 0;

    for (size_t i = 0; i < IMAGES; i++) {
        const lvl_text image = lvl_get_text(c->world->map, lvl_table_at(&lvl_gmap_table, members[i]));
        if (!lvl_world_file_name(c->world->doc, image, files[i]))
            continue;
        names++;
        missing[i] = !lvl_graal_picture_name(c->world->art, folders, files[i]);
        found += !missing[i];
    }
    if (!found && !around) {
        if (names && !c->world->level_count)
            lvl_findings_add(c->findings, &lvl_doc_art_absent, NULL, NULL, "pictures of the map");
        return;
    }
    for (size_t i = 0; i < IMAGES; i++) {
        if (missing[i])
            lvl_gmap_report(
                c->findings, LVL_GMAP_F_IMAGE,
                lvl_where_to(lvl_where_root(), lvl_table_at(&lvl_gmap_table, members[i]), LVL_NO_INDEX),
                "%s" LVL_IS_MISSING ": players do not see this picture of the map", files[i]);
    }
}

static bool has_file(const lvl_world *world, const lvl_world_level *level)
{
    char file[LVL_GRAAL_NAME];

    return lvl_world_file_name(world->doc, level->name, file) && lvl_art_find_name(world->art, file);
}

/* Whether the levels of the map are on the art path: the user gave it, or it has one of them. */
static bool has_levels(const lvl_world *world)
{
    bool any = lvl_art_given(world->art);

    for (uint32_t i = 0; i < world->level_count && !any; i++)
        any = has_file(world, &world->levels[i]);
    return any;
}

lvl_status lvl_world_check(lvl_world *world, lvl_findings *findings)
{
    checker c = {world, findings, lvl_arena_array(&world->arena, world->level_count, sizeof *c.edges)};
    const bool around = has_levels(world);
    lvl_status status = c.edges ? LVL_OK : LVL_ERR_MEMORY;
    const lvl_world_level *level;
    lvl_buffer bytes = {0};

    if (!around && world->level_count)
        lvl_findings_add(findings, &lvl_doc_art_absent, NULL, NULL, "%u levels", world->level_count);
    for (size_t cell = 0; around && status == LVL_OK && (level = next_level(world, &cell)) != NULL;)
        status = check_level(&c, level, &bytes);
    for (size_t cell = 0; around && status == LVL_OK && (level = next_level(world, &cell)) != NULL;)
        check_edges(&c, level);
    if (status == LVL_OK)
        check_images(&c, around);
    lvl_buffer_free(&bytes);
    return status;
}

static lvl_status repair_name(lvl_doc *doc, const lvl_repairs *repairs, uint32_t x, uint32_t y,
                              lvl_buffer *name)
{
    lvl_text *at = &((lvl_gmap *)doc->root)->rows[y].names[x];
    char file[LVL_GRAAL_NAME];
    uint32_t bad;

    const char *found = lvl_world_file_name(doc, *at, file) ? lvl_art_find_name(repairs->art, file) : NULL;
    name->len = 0;
    if (!found || strcmp(found, file) == 0 ||
        !lvl_text_from_utf8(name, doc->codepage, lvl_text_of(found), &bad))
        return name->status;
    const lvl_text copy = lvl_doc_text(doc, (lvl_text){(const char *)name->data, name->len});
    if (!copy.ptr || name->status != LVL_OK)
        return LVL_ERR_MEMORY;
    lvl_gmap_report(repairs->log, LVL_GMAP_F_CASE, lvl_gmap_where_name(x, y), "%s instead of %s", found,
                    file);
    *at = copy;
    return LVL_OK;
}

lvl_status lvl_world_repair_names(lvl_doc *doc, lvl_repairs *repairs)
{
    const lvl_gmap *map = doc->root;
    lvl_status status = LVL_OK;
    lvl_buffer name = {0};

    for (uint32_t y = 0; y < map->row_count && status == LVL_OK; y++) {
        for (uint32_t x = 0; x < map->rows[y].name_count && status == LVL_OK; x++)
            status = repair_name(doc, repairs, x, y, &name);
    }
    lvl_buffer_free(&name);
    return status;
}

lvl_status lvl_world_info(const lvl_doc *doc, lvl_info *info, const lvl_art *art)
{
    uint32_t missing = 0;
    lvl_world world;
    lvl_status status = lvl_world_open(&world, doc, art);

    if (status != LVL_OK || !world.level_count)
        goto out;
    bool *found = lvl_arena_array(&world.arena, world.level_count, sizeof *found);
    if (!found) {
        status = LVL_ERR_MEMORY;
        goto out;
    }
    for (uint32_t i = 0; i < world.level_count; i++) {
        found[i] = has_file(&world, &world.levels[i]);
        missing += !found[i];
    }
    lvl_info_int(info, "levels_found", "found", world.level_count - missing, "of them");
    if (missing) {
        /* for people, omitted if it is long or contains all levels */
        lvl_info_open(info, "missing", missing < world.level_count && missing <= 40 ? "missing" : NULL, true);
        for (uint32_t i = 0; i < world.level_count; i++) {
            if (!found[i])
                lvl_info_text(info, NULL, "", world.levels[i].name);
        }
        lvl_info_close(info);
    }
out:
    lvl_world_close(&world);
    return status == LVL_ERR_LIMIT ? LVL_OK : status;
}
