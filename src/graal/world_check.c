/*
 * graal/world_check.c: what can be said of a world map when its levels can be looked at: those that are
 * missing, called otherwise or no levels, pictures that are missing, and links along edges that don't
 * lead where the map says.
 */
#include "graal/gmap_internal.h"
#include "graal/world.h"

#include "base/text.h"
#include "scene/art.h"

#include <stdio.h>
#include <string.h>

/* What is known of a level: where its links along the edges lead. A level has one such link an edge, as a
 * rule; of several the first counts. */
typedef struct edges {
    lvl_text to[5]; /* by lvl_link_kind; copies */
} edges;

typedef struct checker {
    lvl_world world;
    lvl_findings *findings;
    edges *edges; /* by level */
    bool *there;  /* whether it was read */
} checker;

static const char *const side_names[] = {"", "left", "upper", "right", "lower"};
static const int side_dx[] = {0, -1, 0, 1, 0}, side_dy[] = {0, 0, -1, 0, 1};

static void report(const checker *c, unsigned what, const lvl_world_level *level, const char *text)
{
    const lvl_where where = lvl_gmap_where_name(level->x, level->y);

    lvl_findings_add(c->findings, &lvl_gmap_findings[what], &where, NULL, "%s", text);
}

static lvl_status note_edges(checker *c, uint32_t index, const lvl_graal *level)
{
    edges *e = &c->edges[index];

    for (uint32_t i = 0; i < level->link_count; i++) {
        const lvl_link_kind side = lvl_graal_link_kind_of(&level->links[i]);
        const lvl_text to = level->links[i].level;
        if (side == LVL_WAY_DOOR || e->to[side].len || !to.len)
            continue;
        e->to[side].ptr = lvl_arena_copy(&c->world.arena, to.ptr, to.len);
        if (!e->to[side].ptr)
            return LVL_ERR_MEMORY;
        e->to[side].len = to.len;
    }
    return LVL_OK;
}

static lvl_status check_level(checker *c, uint32_t index, lvl_buffer *bytes)
{
    const lvl_world_level *level = &c->world.levels[index];
    char file[LVL_GRAAL_NAME], text[2 * LVL_GRAAL_NAME];
    lvl_doc *doc;

    if (!lvl_world_file_name(c->world.doc, level->name, file))
        return LVL_OK; /* was said of the name already */
    const char *found = lvl_art_file_name(c->world.art, file);
    if (!found) {
        report(c, LVL_GMAP_F_MISSING, level, file);
        return LVL_OK;
    }
    if (strcmp(found, file) != 0) {
        snprintf(text, sizeof text, "%s is called %s", file, found);
        report(c, LVL_GMAP_F_CASE, level, text);
    }
    lvl_status status = lvl_world_read(&c->world, level->name, bytes, &doc);
    c->there[index] = status == LVL_OK;
    if (status == LVL_OK)
        status = note_edges(c, index, doc->root);
    else if (status != LVL_ERR_MEMORY) {
        report(c, LVL_GMAP_F_UNREADABLE, level, file);
        status = LVL_OK;
    }
    lvl_doc_free(doc);
    return status;
}

static const edges *edges_of(const checker *c, const lvl_world_level *level)
{
    return &c->edges[level - c->world.levels];
}

/* The level whose first place that is. */
static const lvl_world_level *first_at(const lvl_world *world, uint32_t x, uint32_t y)
{
    const lvl_world_level *level = lvl_world_at(world, x, y);

    return level && level->x == x && level->y == y ? level : NULL;
}

/* Levels side by side: each link along the edge between them leads to the other, and there is one back. */
static void check_edges(const checker *c, const lvl_world_level *level)
{
    char from[80], to[80], beside[80], text[400];
    const lvl_codepage page = c->world.doc->codepage;

    for (int side = LVL_WAY_LEFT; side <= LVL_WAY_DOWN; side++) {
        const lvl_text leads = edges_of(c, level)->to[side];
        const lvl_world_level *next =
            lvl_world_at(&c->world, (int64_t)level->x + side_dx[side], (int64_t)level->y + side_dy[side]);
        const int back = (side + 1) % 4 + 1;
        if (!leads.len || !next)
            continue;
        lvl_text_show(from, sizeof from, page, level->name);
        lvl_text_show(to, sizeof to, page, leads);
        lvl_text_show(beside, sizeof beside, page, next->name);
        if (!lvl_text_equal_nocase(leads, next->name)) {
            snprintf(text, sizeof text, "%s links over its %s edge to %s, but its neighbour is %s", from,
                     side_names[side], to, beside);
            report(c, LVL_GMAP_F_LINK_ELSEWHERE, level, text);
        } else if (c->there[next - c->world.levels] && !edges_of(c, next)->to[back].len) {
            snprintf(text, sizeof text, "%s links over its %s edge to %s, which has no link back", from,
                     side_names[side], to);
            report(c, LVL_GMAP_F_LINK_ONE_WAY, level, text);
        }
    }
}

static void check_neighbours(const checker *c)
{
    for (uint32_t y = 0; y < c->world.height; y++) {
        for (uint32_t x = 0; x < c->world.width; x++) {
            const lvl_world_level *level = first_at(&c->world, x, y);
            if (level)
                check_edges(c, level);
        }
    }
}

static const size_t image_members[] = {offsetof(lvl_gmap, map_image), offsetof(lvl_gmap, minimap_image),
                                       offsetof(lvl_gmap, tileset)};
enum { IMAGES = LVL_COUNT_OF(image_members) };

/* `around`: levels of the map were found, so that its pictures should be there, too. */
static void check_images(const checker *c, bool around)
{
    char files[IMAGES][LVL_GRAAL_NAME];
    bool named[IMAGES], there[IMAGES];
    uint32_t names = 0, found = 0;
    const uint32_t folders = lvl_graal_picture_folders(c->world.art);

    for (size_t i = 0; i < IMAGES; i++) {
        const lvl_text image =
            *(const lvl_text *)(const void *)((const char *)c->world.map + image_members[i]);
        named[i] = lvl_world_file_name(c->world.doc, image, files[i]);
        there[i] = named[i] && lvl_graal_picture_name(c->world.art, folders, files[i]);
        names += named[i];
        found += there[i];
    }
    if (names && !found && !around) {
        if (!c->world.level_count)
            lvl_findings_add(c->findings, &lvl_doc_art_absent, NULL, NULL, "pictures of the map");
        return;
    }
    for (size_t i = 0; i < IMAGES; i++) {
        const lvl_where where =
            lvl_where_to(lvl_where_root(), lvl_table_at(&lvl_gmap_table, image_members[i]), LVL_NO_INDEX);
        if (named[i] && !there[i])
            lvl_findings_add(c->findings, &lvl_gmap_findings[LVL_GMAP_F_IMAGE], &where, NULL, "%s", files[i]);
    }
}

static bool is_there(const lvl_world *world, uint32_t level)
{
    char file[LVL_GRAAL_NAME];

    return lvl_world_file_name(world->doc, world->levels[level].name, file) &&
           lvl_art_file_name(world->art, file);
}

/* Whether a level of the map lies around it; if none does, the world is elsewhere. */
static bool has_levels(const lvl_world *world)
{
    bool any = lvl_art_given(world->art);

    for (uint32_t i = 0; i < world->level_count && !any; i++)
        any = is_there(world, i);
    return any;
}

static lvl_status check_levels(checker *c, bool any)
{
    lvl_buffer bytes = {0};
    lvl_status status = LVL_OK;

    if (!any && c->world.level_count)
        lvl_findings_add(c->findings, &lvl_doc_art_absent, NULL, NULL, "%u levels", c->world.level_count);
    for (uint32_t y = 0; y < c->world.height && status == LVL_OK && any; y++) {
        for (uint32_t x = 0; x < c->world.width && status == LVL_OK; x++) {
            const lvl_world_level *level = first_at(&c->world, x, y);
            if (level)
                status = check_level(c, (uint32_t)(level - c->world.levels), &bytes);
        }
    }
    if (status == LVL_OK && any)
        check_neighbours(c);
    lvl_buffer_free(&bytes);
    return status;
}

lvl_status lvl_world_check(const lvl_doc *doc, const lvl_check_request *request)
{
    checker c = {.findings = request->findings};
    lvl_status status = lvl_world_open(&c.world, doc, request->art);

    if (status == LVL_ERR_LIMIT) {
        lvl_findings_add(c.findings, &lvl_gmap_findings[LVL_GMAP_F_LIMIT], NULL, NULL,
                         "%u x %u cells are too many to look for their levels", c.world.width,
                         c.world.height);
        status = LVL_OK;
        goto out;
    }
    if (status == LVL_OK) {
        c.edges = lvl_arena_array(&c.world.arena, c.world.level_count, sizeof *c.edges);
        c.there = lvl_arena_array(&c.world.arena, c.world.level_count, sizeof *c.there);
        status = c.edges && c.there ? LVL_OK : LVL_ERR_MEMORY;
    }
    const bool around = status == LVL_OK && has_levels(&c.world);
    if (status == LVL_OK)
        status = check_levels(&c, around);
    if (status == LVL_OK)
        check_images(&c, around);
out:
    lvl_world_close(&c.world);
    return status;
}

static lvl_status repair_name(lvl_doc *doc, const lvl_repairs *repairs, uint32_t x, uint32_t y,
                              lvl_buffer *name)
{
    const lvl_where where = lvl_gmap_where_name(x, y);
    lvl_text *at = &((lvl_gmap *)doc->root)->rows[y].names[x];
    char file[LVL_GRAAL_NAME];
    uint32_t bad;

    const char *found = lvl_world_file_name(doc, *at, file) ? lvl_art_file_name(repairs->art, file) : NULL;
    name->len = 0;
    if (!found || strcmp(found, file) == 0 ||
        !lvl_text_from_utf8(name, doc->codepage, lvl_text_of(found), &bad))
        return name->status;
    const lvl_text copy = lvl_doc_text(doc, (lvl_text){(const char *)name->data, name->len});
    if (!copy.ptr || name->status != LVL_OK)
        return LVL_ERR_MEMORY;
    lvl_findings_add(repairs->log, &lvl_gmap_findings[LVL_GMAP_F_CASE], &where, NULL, "%s instead of %s",
                     found, file);
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
    uint8_t *there = lvl_arena_array(&world.arena, world.level_count, 1);
    if (!there) {
        status = LVL_ERR_MEMORY;
        goto out;
    }
    for (uint32_t i = 0; i < world.level_count; i++) {
        there[i] = is_there(&world, i);
        missing += !there[i];
    }
    lvl_info_int(info, "levels_found", "found", world.level_count - missing, "of them");
    if (missing) {
        /* where the whole world is elsewhere, a list of all names is of no use */
        lvl_info_open(info, "missing", missing < world.level_count && missing <= 40 ? "missing" : NULL, true);
        for (uint32_t i = 0; i < world.level_count; i++) {
            if (!there[i])
                lvl_info_text(info, NULL, "", world.levels[i].name);
        }
        lvl_info_close(info);
    }
out:
    lvl_world_close(&world);
    return status == LVL_ERR_LIMIT ? LVL_OK : status;
}
