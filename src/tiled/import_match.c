/*
 * tiled/import_match.c: the tilesets of a map that lvl did not write, as tiles of the level: a tileset that
 * is the level's sheet has its tiles at the same places; a tile of any other is the level's tile with the
 * same pixels.
 */
#include "base/buffer.h"
#include "base/hash.h"
#include "base/search.h"
#include "base/text.h"
#include "base/work.h"
#include "tiled/import_match.h"

#include <stdio.h>
#include <stdlib.h>

static use *find_use(const matcher *m, uint32_t gid)
{
    const uint64_t hash = lvl_hash_u64(&m->by_gid.seed, gid);

    for (lvl_hash_at at = lvl_hash_first(&m->by_gid, hash); at.found; at = lvl_hash_next(&m->by_gid, at)) {
        if (m->uses[at.index].gid == gid)
            return &m->uses[at.index];
    }
    return NULL;
}

/* ---- the tiles that the map uses ----------------------------------------------------------------------- */

static void add_cell(matcher *m, uint32_t gid)
{
    use *u = find_use(m, gid);

    if (!u) {
        if (!lvl_grow(&m->uses, &m->cap, (size_t)m->count + 1, sizeof *m->uses)) {
            import_stop(m->im, LVL_ERR_MEMORY);
            return;
        }
        u = &m->uses[m->count];
        *u = (use){.gid = gid, .place = NO_PLACE};
        import_stop(m->im, lvl_hash_add(&m->by_gid, lvl_hash_u64(&m->by_gid.seed, gid), m->count++));
    }
    u->cells++;
}

/* Flipped tiles of a layer: refused, or stored without their flips. */
static void report_flips(matcher *m, const tiled_layer *layer, uint64_t flipped, size_t first)
{
    const tiled_block *block = &layer->blocks.items[0];
    const unsigned long column = (unsigned long)(first % block->width),
                        row = (unsigned long)(first / block->width);
    const char *s = flipped == 1 ? " is" : "s are";

    import_name_layer(m->im, layer);
    if (m->im->options->allow_loss)
        import_warn(m->im,
                    "%s: %llu tile%s flipped or rotated, which the level cannot store: stored without that "
                    "(first: column %lu, row %lu)",
                    m->im->what, (unsigned long long)flipped, s, column, row);
    else
        import_fail(
            m->im, LVL_FAULT_MAP_CELL,
            "%s: %llu tile%s flipped or rotated, which the level cannot store (first: column %lu, row "
            "%lu); --allow-loss stores them without that",
            m->im->what, (unsigned long long)flipped, s, column, row);
}

static void list_layer(matcher *m, const tiled_layer *layer)
{
    const tiled_block *block = layer->blocks.count ? &layer->blocks.items[0] : NULL;
    const size_t count = block ? (size_t)block->width * block->height : 0;
    uint64_t flipped = 0;
    size_t first = 0;

    import_stop(m->im, lvl_charge(m->im->map->ctx, (uint64_t)count * 4));
    for (size_t i = 0; i < count && m->im->status == LVL_OK; i++) {
        const uint32_t gid = block->cells[i];
        if (!(gid & ~TILED_FLIPS))
            continue;
        if (gid & TILED_FLIPS && !flipped++)
            first = i;
        add_cell(m, gid & ~TILED_FLIPS);
    }
    if (flipped && m->im->status == LVL_OK)
        report_flips(m, layer, flipped, first);
}

static int by_gid(const void *a, const void *b)
{
    const use *p = a, *q = b;

    return p->gid < q->gid ? -1 : p->gid > q->gid;
}

static void list_uses(matcher *m)
{
    const tiled_map *map = m->im->map;

    for (uint32_t i = 0; i < map->layers.count && m->im->status == LVL_OK; i++) {
        if (map->layers.items[i].kind == TILED_TILES)
            list_layer(m, &map->layers.items[i]);
    }
    if (m->count)
        qsort(m->uses, m->count, sizeof *m->uses, by_gid);
    lvl_hash_free(&m->by_gid);
    lvl_hash_init(&m->by_gid);
    for (uint32_t i = 0; i < m->count && m->im->status == LVL_OK; i++)
        import_stop(m->im, lvl_hash_add(&m->by_gid, lvl_hash_u64(&m->by_gid.seed, m->uses[i].gid), i));
}

/* Checks that each tile is of a tileset, and that the level's own sheet has room after all of these. */
static void check_numbers(matcher *m)
{
    const tiled_map *map = m->im->map;
    const tiled_set *sets = map->sets.items;

    if (m->im->status != LVL_OK)
        return;
    if (m->count && (!map->sets.count || m->uses[0].gid < sets[0].first))
        import_fail(m->im, LVL_FAULT_MAP_CELL,
                    "%llu cells have the tile %lu, which no tileset of the map has",
                    (unsigned long long)m->uses[0].cells, (unsigned long)m->uses[0].gid);
    if ((map->sets.count && sets[map->sets.count - 1].first >= OWN_FIRST) ||
        (m->count && m->uses[m->count - 1].gid >= OWN_FIRST))
        import_fail(m->im, LVL_FAULT_MAP, "expected numbers of tiles below %lu", (unsigned long)OWN_FIRST);
}

/* The uses of a tileset: *count items from the returned one. */
static use *uses_of(const matcher *m, const tiled_set *set, uint32_t *count)
{
    const tiled_map *map = m->im->map;
    const uint32_t next = (uint32_t)(set - map->sets.items) + 1;
    const uint32_t end = next < map->sets.count ? map->sets.items[next].first : UINT32_MAX;
    size_t first, beyond;

    LVL_LOWER_BOUND(first, m->count, m->uses[first].gid < set->first);
    LVL_LOWER_BOUND(beyond, m->count, m->uses[beyond].gid < end);
    *count = beyond > first ? (uint32_t)(beyond - first) : 0;
    return m->uses ? m->uses + first : NULL; /* no cell has a tile */
}

/* ---- a tileset that is the level's sheet --------------------------------------------------------------- */

/* The name of a file without folder and ending. */
static lvl_text stem_of(lvl_text name)
{
    const lvl_text last = lvl_path_last(name);
    size_t len = last.len;

    while (len && last.ptr[len - 1] != '.')
        len--;
    return (lvl_text){last.ptr, len ? len - 1 : last.len};
}

/* Whether a tileset has the form of the level's sheet, as far as it is known. */
static bool has_form(const matcher *m, const tiled_set *set)
{
    const lvl_map_grid *grid = m->im->plan.grid;

    if (set->source.len) /* its file is missing */
        return true;
    if (set->tile_width != m->cell_width || set->tile_height != m->cell_height || set->margin || set->spacing)
        return false;
    if (!grid->sheet_tiles)
        return true;
    return (set->width || set->columns) && (!set->columns || set->columns == grid->columns) &&
           (!set->width || (set->width == grid->columns * m->cell_width &&
                            set->height == grid->sheet_tiles / grid->columns * m->cell_height));
}

/* The name of a tileset's file, or of its picture, without folder and ending. */
static lvl_text name_of_set(const tiled_set *set)
{
    return stem_of(set->source.len ? set->source : set->image.len ? set->image : set->name);
}

static bool has_name(const matcher *m, const tiled_set *set)
{
    const char *sheet = m->im->plan.grid->sheet;

    return sheet && lvl_text_equal_nocase(name_of_set(set), stem_of(lvl_text_of(sheet)));
}

/* The name of the tileset that --tileset-is means: of several of that form, the one with the name of the
 * sheet. */
static lvl_text name_of_given(matcher *m)
{
    const tiled_map *map = m->im->map;
    const char *given = m->im->options->tileset_is;
    const tiled_set *first = NULL, *other = NULL;
    char buf[80], buf2[80];
    uint32_t count;

    for (uint32_t i = 0; i < map->sets.count; i++) {
        const tiled_set *set = &map->sets.items[i];
        (void)uses_of(m, set, &count);
        if (!count || !has_form(m, set))
            continue;
        if (lvl_text_equal_nocase(name_of_set(set), stem_of(lvl_text_of(given))))
            return name_of_set(set);
        if (first && !lvl_text_equal_nocase(name_of_set(set), name_of_set(first)))
            other = set;
        first = first ? first : set;
    }
    if (other)
        import_fail(
            m->im, LVL_FAULT_MAP,
            "the tilesets \"%s\" and \"%s\" both have the form of %s, and only one can be it: give the "
            "file of that one this name",
            lvl_show(buf, name_of_set(first)), lvl_show(buf2, name_of_set(other)), given);
    return first ? name_of_set(first) : (lvl_text){"", 0};
}

/* Notes what the tiles of a set show. */
static void take_art(importer *im, tiled_set *set, lvl_text art)
{
    if (im->plan.art.field && art.len)
        tiled_add(&im->map->arena, &set->properties, lvl_text_of(TILED_ART), "", art);
}

/* The art that the user named, as a property has it. */
static lvl_text given_art(importer *im)
{
    const lvl_text given = lvl_text_of(im->options->tileset_is);
    lvl_buffer json = {0};

    if (!im->plan.art.field || im->plan.art.field->kind != LVL_LIST)
        return given;
    lvl_buffer_u8(&json, '[');
    lvl_json_text(&json, LVL_CP_UTF8, given);
    lvl_buffer_u8(&json, ']');
    const lvl_text art = tiled_copy(&im->map->arena, lvl_buffer_text(&json));
    import_stop(im, json.status);
    lvl_buffer_free(&json);
    return art;
}

/* The name in an art property. */
static lvl_text name_of_art(importer *im, lvl_text art)
{
    const char *from = art.len ? memchr(art.ptr, '"', art.len) : NULL;
    const char *to = from ? memchr(from + 1, '"', (size_t)(art.ptr + art.len - from) - 1) : NULL;

    return to ? tiled_copy(&im->map->arena, (lvl_text){from + 1, (size_t)(to - from) - 1}) : art;
}

/* Takes the tilesets that are the level's sheet. */
static void take_sheets(matcher *m)
{
    importer *im = m->im;
    const char *given = im->options->tileset_is;
    const lvl_text name = given ? name_of_given(m) : (lvl_text){"", 0};
    uint32_t used = 0, taken = 0;
    char buf[80];

    for (uint32_t i = 0; i < im->map->sets.count && im->status == LVL_OK; i++) {
        tiled_set *set = &im->map->sets.items[i];
        uint32_t count;
        (void)uses_of(m, set, &count);
        used += count != 0;
        if (!count || !has_form(m, set) ||
            !(given ? lvl_text_equal_nocase(name_of_set(set), name) : has_name(m, set)))
            continue;
        taken++;
        im->sets[i] = (set_info){.kind = SET_TILES, .grid = im->plan.main};
        take_art(im, set, given ? given_art(im) : im->new_art);
        if (!given && set->source.len)
            import_warn(im, "tileset \"%s\": its file is missing; by its name, it is the level's sheet",
                        lvl_show(buf, set->source));
    }
    if (given && used && !taken && im->status == LVL_OK)
        import_fail(im, LVL_FAULT_MAP,
                    "no tileset of the map has the form of %s, tiles of %lu by %lu px, %lu in a row, without "
                    "gaps: leave out --tileset-is, and its tiles are compared with the level's",
                    given, (unsigned long)m->cell_width, (unsigned long)m->cell_height,
                    (unsigned long)im->plan.grid->columns);
}

/* ---- the result ---------------------------------------------------------------------------------------- */

/* Why no tile of the set was found. */
static const char *reason_of(const matcher *m, const sheets *s, const tiled_set *set, char *buf, size_t size)
{
    char name[80];

    if (set->source.len)
        snprintf(buf, size, "its file is missing");
    else if (!match_has_own(s))
        snprintf(buf, size,
                 "the pictures of the level's tiles are missing, with which its tiles are compared (--art)");
    else if (set->image.len && (set->tile_width != m->cell_width || set->tile_height != m->cell_height))
        snprintf(buf, size, "its tiles are %lu by %lu px, those of the level %lu by %lu",
                 (unsigned long)set->tile_width, (unsigned long)set->tile_height,
                 (unsigned long)m->cell_width, (unsigned long)m->cell_height);
    else
        snprintf(buf, size, "no tile of the level shows the same as these of %s",
                 set->image.len ? lvl_show(name, set->image) : "its pictures");
    return buf;
}

/* Reports the tiles of a set that the level does not have. */
static void report_set(matcher *m, const sheets *s, const tiled_set *set, const use *uses, uint32_t count)
{
    uint32_t missing = 0, listed = 0;
    uint64_t cells = 0;
    char why[200], name[80], hint[100] = "", tiles[100] = "";

    for (uint32_t i = 0; i < count; i++) {
        if (uses[i].place != NO_PLACE)
            continue;
        missing++;
        cells += uses[i].cells;
        if (listed++ < 8)
            snprintf(tiles + strlen(tiles), sizeof tiles - strlen(tiles), "%s%lu", listed > 1 ? ", " : "",
                     (unsigned long)(uses[i].gid - set->first));
    }
    if (!missing)
        return;
    const char *dots = listed > 8 ? ", …" : "", *s1 = cells == 1 ? "" : "s";
    reason_of(m, s, set, why, sizeof why);
    lvl_show(name, set->name.len ? set->name : set->source);
    if (m->im->options->allow_loss) {
        import_warn(m->im,
                    "tileset \"%s\": %lu of its %lu tiles (%s%s) are not in the level, and %llu cell%s "
                    "with them stay%s empty: %s",
                    name, (unsigned long)missing, (unsigned long)count, tiles, dots,
                    (unsigned long long)cells, s1, cells == 1 ? "s" : "", why);
        return;
    }
    if (has_form(m, set) && !m->im->options->tileset_is)
        snprintf(hint, sizeof hint, "if it is the game's own, name it (--tileset-is %.40s); ", m->name.ptr);
    import_fail(m->im, LVL_FAULT_MAP_CELL,
                "tileset \"%s\": %lu of its %lu tiles (%s%s) in %llu cell%s are not in the level: %s; %s"
                "--allow-loss leaves the cells empty",
                name, (unsigned long)missing, (unsigned long)count, tiles, dots, (unsigned long long)cells,
                s1, why, hint);
}

/* Makes all cells refer to the level's own sheet, which is added to the map. */
static void rename_cells(matcher *m)
{
    importer *im = m->im;
    tiled_map *map = im->map;

    for (uint32_t i = 0; i < map->layers.count && im->status == LVL_OK; i++) {
        const tiled_layer *layer = &map->layers.items[i];
        const tiled_block *block = layer->blocks.count ? &layer->blocks.items[0] : NULL;
        const size_t count = block ? (size_t)block->width * block->height : 0;
        import_stop(im, lvl_charge(map->ctx, (uint64_t)count * 4));
        for (size_t k = 0; k < count && im->status == LVL_OK; k++) {
            const uint32_t gid = block->cells[k] & ~TILED_FLIPS;
            const use *u = gid ? find_use(m, gid) : NULL;
            const tiled_set *set = import_set_of(im, gid);
            const bool own = set && im->sets[set - map->sets.items].kind == SET_TILES;
            block->cells[k] = own ? gid : u && u->place != NO_PLACE ? OWN_FIRST + u->place : 0;
        }
    }
}

/* Adds the level's own sheet to the map, once all cells refer to it. */
static void add_own(matcher *m, uint32_t tiles)
{
    importer *im = m->im;
    const uint32_t index = im->map->sets.count;
    tiled_set *set = TILED_PUSH(&im->map->arena, &im->map->sets);

    if (!set)
        return;
    *set = (tiled_set){.first = OWN_FIRST, .name = m->name, .tile_count = tiles};
    take_art(im, set, im->new_art);
    im->sets[index] = (set_info){.kind = SET_TILES, .grid = im->plan.main};
}

/* Compares the tiles of all sets that are not the level's sheet. */
static lvl_status compare_sets(matcher *m, sheets *s)
{
    importer *im = m->im;
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < im->map->sets.count && status == LVL_OK && im->status == LVL_OK; i++) {
        const tiled_set *set = &im->map->sets.items[i];
        uint32_t count;
        use *uses = uses_of(m, set, &count);
        if (!count || im->sets[i].kind != SET_FOREIGN)
            continue;
        if (!s->scene)
            status = match_draw_own(m, s);
        if (status == LVL_OK && match_has_own(s) && !set->source.len)
            status = match_compare(m, s, set, uses, count);
        if (status == LVL_OK)
            report_set(m, s, set, uses, count);
    }
    return status;
}

/* Gives the empty cells of a layer that has a tile everywhere that tile. */
static void fill_layer(matcher *m, const plan_grid *g, const tiled_layer *layer, uint32_t tile)
{
    importer *im = m->im;
    const tiled_block *block = layer->blocks.count ? &layer->blocks.items[0] : NULL;
    const size_t count = block ? (size_t)block->width * block->height : 0;
    uint64_t filled = 0;

    for (size_t i = 0; i < count; i++) {
        if (block->cells[i])
            continue;
        block->cells[i] = OWN_FIRST + tiled_tile_of_value(im->plan.grid, tile);
        filled++;
    }
    if (filled)
        import_warn(im, "layer \"%.*s\": %llu empty cell%s the tile %lu, as this layer has a tile everywhere",
                    (int)g->name.len, g->name.ptr, (unsigned long long)filled,
                    filled == 1 ? " gets" : "s get", (unsigned long)tile);
}

static void fill_layers(matcher *m)
{
    importer *im = m->im;
    const lvl_field *cells = im->plan.of.cells;
    const bool given = im->options->has_empty_is;
    bool any = false;

    for (uint32_t i = 0; i < im->plan.grid_count; i++) {
        const plan_grid *g = &im->plan.grids[i];
        const tiled_layer *layer = import_grid_layer(im, g);
        const uint32_t tile = lvl_map_cleared(im->plan.grid, g->item, cells);
        if (!layer || tile == lvl_map_empty(im->plan.grid, g->item, cells))
            continue;
        any = true;
        fill_layer(m, g, layer, given ? im->options->empty_is : tile);
    }
    if (given && (!any || im->options->empty_is >= im->plan.grid->values))
        import_fail(im, LVL_FAULT_MAP,
                    any ? "--empty-is: there is no tile %lu"
                        : "--empty-is %lu: no layer of this level has a tile everywhere",
                    (unsigned long)im->options->empty_is);
}

static void match_sets(matcher *m)
{
    importer *im = m->im;
    sheets s = {0};

    lvl_hash_init(&s.index);
    import_stop(im, compare_sets(m, &s));
    if (im->status == LVL_OK)
        rename_cells(m);
    if (im->status == LVL_OK)
        add_own(m, s.own_sheet.tiles);
    if (im->status == LVL_OK)
        fill_layers(m);
    match_clear(&s);
}

/* Gives the layers the art of a new level, which its tiles are compared with. */
static void give_art(importer *im)
{
    const plan_field *f = &im->plan.art;

    for (uint32_t i = 0; f->field && im->new_art.len && i < im->plan.grid_count; i++) {
        const tiled_layer *layer = import_grid_layer(im, &im->plan.grids[i]);
        if (layer && !tiled_find(&layer->properties, f->name))
            import_put(im, im->plan.grids[i].item, f, im->new_art, TILED_ART);
    }
}

void import_match_foreign(importer *im)
{
    const plan_grid *main = im->plan.main < im->plan.grid_count ? &im->plan.grids[im->plan.main] : NULL;
    matcher m = {.im = im};

    if (!main || !im->plan.of.cells || im->status != LVL_OK)
        return;
    m.cell_width = plan_cell_side(&im->plan, main, &im->plan.cell_width);
    m.cell_height = plan_cell_side(&im->plan, main, &im->plan.cell_height);
    m.name = im->plan.grid->sheet ? lvl_text_of(im->plan.grid->sheet) : name_of_art(im, im->new_art);
    if (!m.name.len)
        m.name = lvl_text_of("NAME");
    lvl_hash_init(&m.by_gid);
    give_art(im);
    list_uses(&m);
    check_numbers(&m);
    if (im->status == LVL_OK)
        take_sheets(&m);
    if (im->status == LVL_OK)
        match_sets(&m);
    lvl_hash_free(&m.by_gid);
    free(m.uses);
}
