/*
 * graal/world/gmap_check.c: rules of world maps that only need the map (its size, rows and names), and
 * repair. Rules that need the levels are in graal/world/world_check.c.
 */
#include "graal/world/gmap_internal.h"

#include "base/text.h"
#include "graal/world/world.h"

/* ---- check --------------------------------------------------------------------------------------- */

/* Reports sizes that do not match the rows; true if there are any. */
static bool report_sizes(const lvl_doc *doc, lvl_findings *findings)
{
    const lvl_gmap *map = doc->root;
    const lvl_field *fields[] = {LVL_FIELD(lvl_gmap, width), LVL_FIELD(lvl_gmap, height)};
    const uint32_t found[] = {lvl_gmap_width(map), map->row_count};
    bool any = false;

    for (int i = 0; i < 2 && map->version != LVL_BIGMAP && map->row_count; i++) {
        const int64_t declared = lvl_doc_derived(doc, map, fields[i], found[i]);
        any |= declared != found[i];
        if (declared != found[i])
            lvl_gmap_report(
                findings, LVL_GMAP_F_SIZE, lvl_where_to(lvl_where_root(), fields[i], LVL_NO_INDEX),
                "%s is %lld, but the rows make %u: levels are in the wrong place, or the map fails",
                fields[i]->name, (long long)declared, found[i]);
    }
    return any;
}

static void check_rows(const lvl_doc *doc, lvl_findings *findings)
{
    const lvl_gmap *map = doc->root;
    const uint32_t width = lvl_gmap_width(map);
    bool any = false;
    char shown[80];

    for (uint32_t y = 0; y < map->row_count; y++) {
        const lvl_gmap_row *row = &map->rows[y];
        if (row->name_count < width)
            lvl_gmap_report(findings, LVL_GMAP_F_UNEVEN, lvl_gmap_where_row(y),
                            "row %u has %u names, the longest row %u: the places at its end are empty", y,
                            row->name_count, width);
        uint32_t last = row->name_count, hole = 0;
        while (last && !row->names[last - 1].len)
            last--;
        while (hole < last && row->names[hole].len)
            hole++;
        if (map->version != LVL_BIGMAP && hole < last)
            lvl_gmap_report(findings, LVL_GMAP_F_HOLE, lvl_gmap_where_name(hole, y),
                            "the name in column %u of row %u is empty and others follow: some servers move "
                            "them to the left",
                            hole, y);
        for (uint32_t x = 0; x < row->name_count; x++) {
            any |= row->names[x].len != 0;
            if (row->names[x].len && !lvl_gmap_is_level_name(row->names[x]))
                lvl_gmap_report(findings, LVL_GMAP_F_NAME, lvl_gmap_where_name(x, y),
                                "%s cannot be the name of a level: this place of the map may be empty",
                                lvl_text_show(shown, sizeof shown, doc->codepage, row->names[x]));
        }
    }
    if (!any && (map->row_count || !map->generated.len))
        lvl_gmap_report(findings, LVL_GMAP_F_EMPTY, lvl_where_root(),
                        "there is no name in any row: the map is empty");
}

static void check_doubles(const lvl_world *world, lvl_findings *findings)
{
    char shown[80];

    for (uint32_t y = 0; y < world->height; y++) {
        for (uint32_t x = 0; x < world->width; x++) {
            const lvl_world_level *first = lvl_world_at(world, x, y);
            if (first && (first->x != x || first->y != y))
                lvl_gmap_report(
                    findings, LVL_GMAP_F_DOUBLED, lvl_gmap_where_name(x, y),
                    "%s is in column %u of row %u, too: servers know only one place of a level",
                    lvl_text_show(shown, sizeof shown, world->doc->codepage, world->map->rows[y].names[x]),
                    first->x, first->y);
        }
    }
}

lvl_status lvl_gmap_check(const lvl_doc *doc, const lvl_check_request *request)
{
    lvl_world world;

    report_sizes(doc, request->findings);
    check_rows(doc, request->findings);
    lvl_status status = lvl_world_open(&world, doc, request->art);
    if (status == LVL_OK) {
        check_doubles(&world, request->findings);
        if (world.art)
            status = lvl_world_check(&world, request->findings);
    } else if (status == LVL_ERR_LIMIT) {
        lvl_gmap_report(request->findings, LVL_GMAP_F_LIMIT, lvl_where_root(),
                        "%u x %u cells are too many to look for their levels", world.width, world.height);
        status = LVL_OK;
    }
    lvl_world_close(&world);
    return status;
}

/* ---- repair -------------------------------------------------------------------------------------- */

static lvl_status even_rows(lvl_doc *doc, const lvl_repairs *repairs)
{
    const lvl_field *names = LVL_FIELD(lvl_gmap_row, names);
    lvl_gmap *map = doc->root;
    const uint32_t width = lvl_gmap_width(map);
    lvl_status status = LVL_OK;
    uint64_t missing = 0;

    for (uint32_t y = 0; y < map->row_count; y++)
        missing += width - map->rows[y].name_count;
    /* one row with a million names among a million rows with one name is a different kind of damage */
    if (missing > (uint64_t)doc->input.len * 16 + 4096)
        return LVL_OK;
    for (uint32_t y = 0; y < map->row_count && status == LVL_OK; y++) {
        lvl_gmap_row *row = &map->rows[y];
        if (row->name_count == width)
            continue;
        lvl_gmap_report(repairs->log, LVL_GMAP_F_UNEVEN, lvl_gmap_where_row(y), "added empty cells");
        status = lvl_list_insert(doc, row, names, row->name_count, width - row->name_count);
    }
    return status;
}

/* Whether a row is still outside its block: HEIGHT is then the only record of the number of rows, and is
 * kept. */
static bool has_outside(const lvl_gmap *map)
{
    bool any = false;

    for (uint32_t i = 0; i < map->other_count && !any; i++)
        any = lvl_text_begins(map->others[i], "\"");
    return any;
}

/* Does not add missing lines to a map in which lines have further text, which would be dropped. */
static lvl_status leave_text(const lvl_doc *doc, const lvl_findings *reread, uint8_t *leave)
{
    bool any = false;

    (void)doc;
    for (size_t i = 0; i < lvl_findings_count(reread); i++) {
        const lvl_finding_def *def = lvl_findings_at(reread, i)->def;
        any |= def == &lvl_gmap_findings[LVL_GMAP_F_VERSION] || def == &lvl_gmap_findings[LVL_GMAP_F_WORDS];
    }
    for (size_t i = 0; i < lvl_findings_count(reread); i++)
        leave[i] = any && !lvl_findings_at(reread, i)->where.depth;
    return LVL_OK;
}

lvl_status lvl_gmap_repair(lvl_doc *doc, lvl_repairs *repairs)
{
    lvl_status status = lvl_grammar_repair(doc, repairs, leave_text);

    if (status == LVL_OK && !has_outside(doc->root)) {
        if (report_sizes(doc, repairs->log))
            lvl_doc_drop_overrides(doc);
        status = lvl_doc_recompute_derived(doc);
    }
    if (status == LVL_OK && lvl_repairs_wants(repairs, doc->ctx, &lvl_gmap_findings[LVL_GMAP_F_UNEVEN]))
        status = even_rows(doc, repairs);
    if (status == LVL_OK && repairs->art &&
        lvl_repairs_wants(repairs, doc->ctx, &lvl_gmap_findings[LVL_GMAP_F_CASE]))
        status = lvl_world_repair_names(doc, repairs);
    return status;
}
