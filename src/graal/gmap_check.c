/*
 * graal/gmap_check.c: rules of world maps that need nothing but the map: its size, its rows, its names; and mending them. What needs the levels
 * is in graal/world_check.c.
 */
#include "graal/gmap_parts.h"

#include "base/text.h"
#include "graal/world.h"

#include <stdlib.h>
#include <string.h>

static lvl_where at_member(size_t member)
{
    return lvl_where_to(lvl_where_root(), lvl_table_at(&lvl_gmap_table, member), LVL_NO_INDEX);
}

lvl_where lvl_gmap_where(uint32_t row)
{
    return lvl_where_to(lvl_where_root(), lvl_table_at(&lvl_gmap_table, offsetof(lvl_gmap, rows)), row);
}

lvl_where lvl_gmap_where_name(uint32_t x, uint32_t y)
{
    return lvl_where_to(lvl_gmap_where(y), lvl_table_at(&lvl_gmap_row_table, offsetof(lvl_gmap_row, names)),
                        x);
}

/* ---- sizes --------------------------------------------------------------------------------------------------------------------- */

/* Whether the file tells that key. */
static bool has_key(const lvl_gmap *map, lvl_gmap_kind wanted)
{
    lvl_gmap_place place = {.first = true, .block = LVL_GMAP_OTHER};
    lvl_gmap_kind kind;
    uint32_t count;

    if (!map->order.len)
        return true;
    for (size_t at = 0; lvl_gmap_next_order(map->order, &at, &kind, &count);) {
        if (kind == wanted)
            return true;
    }
    for (size_t from = 0; from < map->lines.len;) {
        const char *nl = memchr(map->lines.ptr + from, '\n', map->lines.len - from);
        const size_t end = nl ? (size_t)(nl - map->lines.ptr) : map->lines.len;
        place.block = LVL_GMAP_OTHER;
        if (lvl_gmap_say(&place, (lvl_text){map->lines.ptr + from, end - from}).kind == wanted)
            return true;
        from = end + 1;
    }
    return false;
}

static void check_size(const lvl_doc *doc, lvl_findings *findings, size_t member, lvl_gmap_kind kind,
                       uint32_t computed)
{
    const lvl_gmap *map = doc->root;
    const lvl_field *field = lvl_table_at(&lvl_gmap_table, member);
    const lvl_where where = at_member(member);
    const int64_t said = lvl_doc_derived(doc, map, field, computed);

    if (!has_key(map, kind))
        lvl_findings_add(findings, &lvl_gmap_findings[LVL_GMAP_F_NO_SIZE], NULL, NULL, "no %s",
                         lvl_gmap_keyword(kind));
    else if (said != computed)
        lvl_findings_add(findings, &lvl_gmap_findings[LVL_GMAP_F_SIZE], &where, NULL,
                         "%s %lld, the rows make %u", lvl_gmap_keyword(kind), (long long)said, computed);
}

/* ---- names --------------------------------------------------------------------------------------------------------------------- */

static bool likely_name(lvl_text name)
{
    for (size_t i = 0; i < name.len; i++) {
        if (name.ptr[i] == '/' || name.ptr[i] == '\\' || name.ptr[i] == ':')
            return false;
    }
    return lvl_text_has_ending(name, ".nw") || lvl_text_has_ending(name, ".graal") ||
           lvl_text_has_ending(name, ".zelda");
}

typedef struct named {
    lvl_text name;
    uint32_t x, y;
} named;

static int by_name(const void *a, const void *b)
{
    const named *p = a, *q = b;
    const int d = lvl_text_compare_nocase(p->name, q->name);

    if (d)
        return d;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return p->x < q->x ? -1 : p->x > q->x;
}

static lvl_status check_doubles(const lvl_doc *doc, lvl_findings *findings)
{
    const lvl_gmap *map = doc->root;
    char shown[80];
    size_t count = 0;

    for (uint32_t y = 0; y < map->row_count; y++)
        count += map->rows[y].name_count;
    named *all = count ? lvl_mem_alloc(doc->ctx, count * sizeof *all) : NULL;
    if (count && !all)
        return LVL_ERR_MEMORY;
    count = 0;
    for (uint32_t y = 0; y < map->row_count; y++) {
        for (uint32_t x = 0; x < map->rows[y].name_count; x++) {
            if (map->rows[y].names[x].len)
                all[count++] = (named){map->rows[y].names[x], x, y};
        }
    }
    if (count)
        qsort(all, count, sizeof *all, by_name);
    for (size_t i = 1, first = 0; i < count; i++) {
        if (!lvl_text_equal_nocase(all[i].name, all[first].name)) {
            first = i;
            continue;
        }
        const lvl_where where = lvl_gmap_where_name(all[i].x, all[i].y);
        lvl_findings_add(findings, &lvl_gmap_findings[LVL_GMAP_F_DOUBLED], &where, NULL,
                         "%s stands in column %u of row %u, too",
                         lvl_text_show(shown, sizeof shown, doc->codepage, all[i].name), all[first].x,
                         all[first].y);
    }
    lvl_mem_free(doc->ctx, all);
    return LVL_OK;
}

static void check_text(const lvl_doc *doc, lvl_findings *findings, lvl_text text, lvl_where where)
{
    char shown[80];

    if (text.len && memchr(text.ptr, '\n', text.len))
        lvl_findings_add(findings, &lvl_gmap_findings[LVL_GMAP_F_TEXT], &where, NULL, "%s",
                         lvl_text_show(shown, sizeof shown, doc->codepage, text));
}

static void check_rows(const lvl_doc *doc, lvl_findings *findings)
{
    const lvl_gmap *map = doc->root;
    const uint32_t width = lvl_gmap_width(map);
    char shown[80];
    bool any = false;

    for (uint32_t y = 0; y < map->row_count; y++) {
        const lvl_gmap_row *row = &map->rows[y];
        if (row->name_count < width) {
            const lvl_where where = lvl_gmap_where(y);
            lvl_findings_add(findings, &lvl_gmap_findings[LVL_GMAP_F_UNEVEN], &where, NULL, "names: %u of %u",
                             row->name_count, width);
        }
        for (uint32_t x = 0; x < row->name_count; x++) {
            const lvl_text name = row->names[x];
            if (!name.len)
                continue;
            const lvl_where where = lvl_gmap_where_name(x, y);
            any = true;
            if (!likely_name(name))
                lvl_findings_add(findings, &lvl_gmap_findings[LVL_GMAP_F_NAME], &where, NULL, "%s",
                                 lvl_text_show(shown, sizeof shown, doc->codepage, name));
            check_text(doc, findings, name, where);
        }
    }
    if (!any && (map->row_count || !map->generated.len))
        lvl_findings_add(findings, &lvl_gmap_findings[LVL_GMAP_F_EMPTY], NULL, NULL, "no name in any row");
}

static void check_generated(const lvl_doc *doc, lvl_findings *findings)
{
    const lvl_gmap *map = doc->root;
    const lvl_where where = at_member(offsetof(lvl_gmap, generated));
    char name[LVL_GMAP_NAME], shown[80];

    if (!map->generated.len || map->row_count || !map->generated_width || !map->generated_height)
        return;
    if (!lvl_gmap_level(map, map->generated_width - 1, 0, name).len)
        lvl_findings_add(findings, &lvl_gmap_findings[LVL_GMAP_F_GENERATED], &where, NULL, "%s",
                         lvl_text_show(shown, sizeof shown, doc->codepage, map->generated));
}

lvl_status lvl_gmap_check(const lvl_doc *doc, const lvl_check_request *request)
{
    const lvl_gmap *map = doc->root;
    lvl_findings *findings = request->findings;

    if (map->version != LVL_BIGMAP) {
        check_size(doc, findings, offsetof(lvl_gmap, width), LVL_GMAP_WIDTH, lvl_gmap_width(map));
        check_size(doc, findings, offsetof(lvl_gmap, height), LVL_GMAP_HEIGHT, lvl_gmap_height(map));
        check_generated(doc, findings);
        check_text(doc, findings, map->generated, at_member(offsetof(lvl_gmap, generated)));
        check_text(doc, findings, map->map_image, at_member(offsetof(lvl_gmap, map_image)));
        check_text(doc, findings, map->minimap_image, at_member(offsetof(lvl_gmap, minimap_image)));
        check_text(doc, findings, map->tileset, at_member(offsetof(lvl_gmap, tileset)));
    }
    check_rows(doc, findings);
    const lvl_status status = check_doubles(doc, findings);
    return status == LVL_OK && request->art ? lvl_world_check(doc, request) : status;
}

/* ---- repair -------------------------------------------------------------------------------------------------------------------- */

static void log_change(const lvl_repairs *repairs, unsigned what, const lvl_where *where, const char *text)
{
    lvl_findings_add(repairs->log, &lvl_gmap_findings[what], where, NULL, "%s", text);
}

static lvl_status even_rows(lvl_doc *doc, const lvl_repairs *repairs)
{
    const lvl_field *names = lvl_table_at(&lvl_gmap_row_table, offsetof(lvl_gmap_row, names));
    lvl_gmap *map = doc->root;
    const uint32_t width = lvl_gmap_width(map);
    uint64_t missing = 0;

    for (uint32_t y = 0; y < map->row_count; y++)
        missing += width - map->rows[y].name_count;
    /* One row of a million names among a million of one: that is damage of another kind. */
    if (missing > (uint64_t)doc->input.len * 16 + 4096)
        return LVL_OK;
    for (uint32_t y = 0; y < map->row_count; y++) {
        lvl_gmap_row *row = &map->rows[y];
        const lvl_where where = lvl_gmap_where(y);
        if (row->name_count == width)
            continue;
        const lvl_status status = lvl_list_insert(doc, row, names, row->name_count, width - row->name_count);
        if (status != LVL_OK)
            return status;
        log_change(repairs, LVL_GMAP_F_UNEVEN, &where, "filled up with empty cells");
    }
    return LVL_OK;
}

/* What the reader says of the document as it is. */
static lvl_status listen(const lvl_doc *doc, bool found[LVL_GMAP_F_COUNT])
{
    lvl_ctx ctx;
    lvl_findings *heard;
    const lvl_status status = lvl_doc_hear(doc, &ctx, &heard, NULL);

    for (size_t i = 0; status == LVL_OK && i < lvl_findings_count(heard); i++) {
        const lvl_finding *f = lvl_findings_at(heard, i);
        if (f->def >= lvl_gmap_findings && f->def < lvl_gmap_findings + LVL_GMAP_F_COUNT)
            found[f->def - lvl_gmap_findings] = true;
    }
    lvl_findings_free(heard);
    return status;
}

/* A header, a size or the end of a block that isn't there comes with the usual order of lines. */
static lvl_status mend_order(lvl_doc *doc, const lvl_repairs *repairs)
{
    bool found[LVL_GMAP_F_COUNT] = {false};
    lvl_gmap *map = doc->root;
    lvl_status status;

    if (map->version == LVL_BIGMAP)
        return LVL_OK;
    status = listen(doc, found);
    if (status != LVL_OK)
        return status;
    const bool sizes = has_key(map, LVL_GMAP_WIDTH) && has_key(map, LVL_GMAP_HEIGHT);
    if (found[LVL_GMAP_F_NO_HEADER])
        log_change(repairs, LVL_GMAP_F_NO_HEADER, NULL, "added GRMAP001");
    if (found[LVL_GMAP_F_BLOCK_OPEN])
        log_change(repairs, LVL_GMAP_F_BLOCK_OPEN, NULL, "ended the block");
    if (!sizes)
        log_change(repairs, LVL_GMAP_F_NO_SIZE, NULL, "added WIDTH and HEIGHT");
    if (found[LVL_GMAP_F_NO_HEADER] || found[LVL_GMAP_F_BLOCK_OPEN] || !sizes) {
        map->order = map->lines = (lvl_text){NULL, 0};
        map->unended = 0;
    }
    return LVL_OK;
}

static lvl_status mend_size(lvl_doc *doc, const lvl_repairs *repairs)
{
    const lvl_gmap *map = doc->root;
    const size_t members[2] = {offsetof(lvl_gmap, width), offsetof(lvl_gmap, height)};
    const uint32_t computed[2] = {lvl_gmap_width(map), lvl_gmap_height(map)};
    bool wrong = false;

    for (int i = 0; i < 2 && map->version != LVL_BIGMAP; i++) {
        const lvl_field *field = lvl_table_at(&lvl_gmap_table, members[i]);
        const int64_t said = lvl_doc_derived(doc, map, field, computed[i]);
        const lvl_where where = at_member(members[i]);
        if (said == computed[i])
            continue;
        lvl_findings_add(repairs->log, &lvl_gmap_findings[LVL_GMAP_F_SIZE], &where, NULL,
                         "%u instead of %lld", computed[i], (long long)said);
        wrong = true;
    }
    if (wrong)
        lvl_doc_forget_overrides(doc);
    return lvl_doc_settle_derived(doc);
}

lvl_status lvl_gmap_repair(lvl_doc *doc, lvl_repairs *repairs)
{
    lvl_status status = mend_order(doc, repairs);

    if (status == LVL_OK)
        status = mend_size(doc, repairs);
    if (status == LVL_OK)
        status = even_rows(doc, repairs);
    if (status == LVL_OK && repairs->art)
        status = lvl_world_mend_names(doc, repairs);
    return status;
}
