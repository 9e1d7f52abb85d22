/*
 * graal/gmap_check.c: rules of world maps that need nothing but the map (its size, its rows, its names),
 * and what repair does about them. What needs the levels is in graal/world_check.c.
 */
#include "graal/gmap_internal.h"

#include "base/text.h"
#include "graal/world.h"

#include <stdio.h>

static lvl_where at_member(size_t member)
{
    return lvl_where_to(lvl_where_root(), lvl_table_at(&lvl_gmap_table, member), LVL_NO_INDEX);
}

static void report(lvl_findings *findings, unsigned what, lvl_where where, const char *text)
{
    lvl_findings_add(findings, &lvl_gmap_findings[what], where.depth ? &where : NULL, NULL, "%s", text);
}

/* ---- check --------------------------------------------------------------------------------------- */

static const size_t size_members[2] = {offsetof(lvl_gmap, width), offsetof(lvl_gmap, height)};

/* Reports sizes that are not those of the rows; true if there are any. */
static bool report_sizes(const lvl_doc *doc, lvl_findings *findings)
{
    const lvl_gmap *map = doc->root;
    const uint32_t found[2] = {lvl_gmap_width(map), map->row_count};
    bool any = false;

    for (int i = 0; i < 2 && map->version != LVL_BIGMAP && map->row_count; i++) {
        const lvl_field *f = lvl_table_at(&lvl_gmap_table, size_members[i]);
        const lvl_where where = at_member(size_members[i]);
        const int64_t said = lvl_doc_derived(doc, map, f, found[i]);
        any |= said != found[i];
        if (said != found[i])
            lvl_findings_add(findings, &lvl_gmap_findings[LVL_GMAP_F_SIZE], &where, NULL,
                             "%s is %lld, the rows make %u", f->name, (long long)said, found[i]);
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
        snprintf(shown, sizeof shown, "row %u: %u names, the longest row has %u", y, row->name_count, width);
        if (row->name_count < width)
            report(findings, LVL_GMAP_F_UNEVEN, lvl_gmap_where_row(y), shown);
        for (uint32_t x = 0; x < row->name_count; x++) {
            any |= row->names[x].len != 0;
            if (row->names[x].len && !lvl_gmap_is_level_name(row->names[x]))
                report(findings, LVL_GMAP_F_NAME, lvl_gmap_where_name(x, y),
                       lvl_text_show(shown, sizeof shown, doc->codepage, row->names[x]));
        }
    }
    if (!any && (map->row_count || !map->generated.len))
        report(findings, LVL_GMAP_F_EMPTY, lvl_where_root(), "no name in any row");
}

static lvl_status check_doubles(const lvl_doc *doc, lvl_findings *findings)
{
    lvl_world_level *all;
    uint32_t count;
    char shown[80];
    lvl_arena arena;

    lvl_arena_init(&arena, doc->ctx);
    const lvl_status status = lvl_world_names(doc->root, &arena, &all, &count);
    for (uint32_t i = 1, first = 0; i < count && status == LVL_OK; i++) {
        if (!lvl_text_equal_nocase(all[i].name, all[first].name)) {
            first = i;
            continue;
        }
        const lvl_where where = lvl_gmap_where_name(all[i].x, all[i].y);
        lvl_findings_add(findings, &lvl_gmap_findings[LVL_GMAP_F_DOUBLED], &where, NULL,
                         "%s is in column %u of row %u, too",
                         lvl_text_show(shown, sizeof shown, doc->codepage, all[i].name), all[first].x,
                         all[first].y);
    }
    lvl_arena_free(&arena);
    return status;
}

lvl_status lvl_gmap_check(const lvl_doc *doc, const lvl_check_request *request)
{
    report_sizes(doc, request->findings);
    check_rows(doc, request->findings);
    const lvl_status status = check_doubles(doc, request->findings);
    return status == LVL_OK && request->art ? lvl_world_check(doc, request) : status;
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
    /* one row of a million names among a million of one: that is damage of another kind */
    if (missing > (uint64_t)doc->input.len * 16 + 4096)
        return LVL_OK;
    for (uint32_t y = 0; y < map->row_count && status == LVL_OK; y++) {
        lvl_gmap_row *row = &map->rows[y];
        if (row->name_count == width)
            continue;
        report(repairs->log, LVL_GMAP_F_UNEVEN, lvl_gmap_where_row(y), "added empty cells");
        status = lvl_list_insert(doc, row, names, row->name_count, width - row->name_count);
    }
    return status;
}

/* Whether a row is still outside of its block: then only HEIGHT says how many rows belong to the map. */
static bool has_outside(const lvl_gmap *map)
{
    bool any = false;

    for (uint32_t i = 0; i < map->other_count && !any; i++)
        any = lvl_text_begins(map->others[i], "\"");
    return any;
}

/* Where a line has further text, no line that is missing is added: all would be written anew. */
static bool leaves_text(const lvl_doc *doc, const lvl_findings *reread, const lvl_finding *finding)
{
    bool any = false;

    (void)doc;
    for (size_t i = 0; i < lvl_findings_count(reread) && !finding->where.depth; i++) {
        const lvl_finding_def *def = lvl_findings_at(reread, i)->def;
        any |= def == &lvl_gmap_findings[LVL_GMAP_F_VERSION] || def == &lvl_gmap_findings[LVL_GMAP_F_WORDS];
    }
    return any;
}

lvl_status lvl_gmap_repair(lvl_doc *doc, lvl_repairs *repairs)
{
    lvl_status status = lvl_grammar_repair(doc, repairs->log, leaves_text);

    if (status == LVL_OK && !has_outside(doc->root)) {
        if (report_sizes(doc, repairs->log))
            lvl_doc_drop_overrides(doc);
        status = lvl_doc_recompute_derived(doc);
    }
    if (status == LVL_OK)
        status = even_rows(doc, repairs);
    if (status == LVL_OK && repairs->art)
        status = lvl_world_repair_names(doc, repairs);
    return status;
}
