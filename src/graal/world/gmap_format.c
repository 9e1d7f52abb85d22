/*
 * graal/world/gmap_format.c: world maps, two kinds of text file:
 *
 *     GRMAP001                    a .gmap          "a.nw","b.nw"     a bigmap, usually a .txt
 *     WIDTH 2                                      "c.nw",""
 *     HEIGHT 2
 *     LEVELNAMES
 *     "a.nw","b.nw"
 *     "c.nw",""
 *     LEVELNAMESEND
 *
 * Known wrong values: WIDTH and HEIGHT that do not match the rows, and commas at the end of rows, which do
 * not begin a cell.
 */
#include "graal/world/gmap_internal.h"

#include "base/text.h"
#include "graal/graal_format.h"
#include "graal/level/graal_map.h"
#include "graal/world/world.h"

/* ---- lines --------------------------------------------------------------------------------------- */

/* clang-format off */
#define LIST(m) offsetof(lvl_gmap, m)
#define KEY(word_, words_, flags_) \
    {.word = (word_), .kind = LVL_RULE_SINGLE, .words = (words_), .flags = (flags_)}
#define ROWS(word_, m) \
    {.word = (word_), .end = word_ "END", .kind = LVL_RULE_ROWS, .list = LIST(m), .words = "names,"}

/* Lines that match no other rule are written after the header. */
static const lvl_rule gmap_rules[] = {
    {.word = "GRMAP001", .kind = LVL_RULE_FIRST},
    {.kind = LVL_RULE_OTHER, .list = LIST(others)},
    KEY("WIDTH", "width", LVL_RULE_ALWAYS | LVL_RULE_STRICT),
    KEY("HEIGHT", "height", LVL_RULE_ALWAYS | LVL_RULE_STRICT),
    KEY("GENERATED", "[generated...]", 0),
    KEY("MAPIMG", "[map_image...]", 0),
    KEY("MINIMAPIMG", "[minimap_image...]", 0),
    KEY("TILESET", "[tileset...]", 0),
    KEY("NOAUTOMAPPING", "!no_auto_mapping", 0),
    KEY("LOADFULLMAP", "!load_full_map", 0),
    ROWS("LEVELNAMES", rows),
    ROWS("LOADATSTART", load_at_start),
};
static const lvl_rule bigmap_rules[] = {{.kind = LVL_RULE_ROWS, .list = LIST(rows), .words = "names,"}};

#define GRAMMAR(rules_)                                                                                      \
    {                                                                                                        \
        .rules = (rules_), .rule_count = LVL_COUNT_OF(rules_), .source = offsetof(lvl_gmap, source),         \
        .line_end = offsetof(lvl_gmap, line_end), .findings = {                                              \
            [LVL_LINE_QUOTE] = &lvl_gmap_findings[LVL_GMAP_F_QUOTE_OPEN],                                    \
            [LVL_LINE_WORDS] = &lvl_gmap_findings[LVL_GMAP_F_WORDS],                                         \
            [LVL_LINE_OPEN] = &lvl_gmap_findings[LVL_GMAP_F_BLOCK_OPEN],                                     \
            [LVL_LINE_END] = &lvl_gmap_findings[LVL_GMAP_F_KEY_UNKNOWN],                                     \
            [LVL_LINE_INCOMPLETE] = &lvl_gmap_findings[LVL_GMAP_F_KEY_VALUE],                                \
            [LVL_LINE_OUTSIDE] = &lvl_gmap_findings[LVL_GMAP_F_OUTSIDE],                                     \
            [LVL_LINE_UNKNOWN] = &lvl_gmap_findings[LVL_GMAP_F_KEY_UNKNOWN],                                 \
            [LVL_LINE_TWICE] = &lvl_gmap_findings[LVL_GMAP_F_KEY_DOUBLED],                                   \
            [LVL_LINE_UNWRITABLE] = &lvl_gmap_findings[LVL_GMAP_F_TEXT],                                     \
        }                                                                                                    \
    }
static const lvl_grammar gmap_grammar = GRAMMAR(gmap_rules), bigmap_grammar = GRAMMAR(bigmap_rules);
/* clang-format on */

static const lvl_grammar *grammar_of(const lvl_doc *doc)
{
    const lvl_gmap *map = doc->root;

    return map->version == LVL_BIGMAP ? &bigmap_grammar : &gmap_grammar;
}

/* ---- reading ------------------------------------------------------------------------------------- */

/* The first line that is not blank, trimmed. */
static lvl_text first_line(lvl_bytes file)
{
    const lvl_text lines = lvl_lines_of_file(file);
    const lvl_lines_text text = {lines.ptr, lines.ptr + lines.len, false};
    lvl_line_view line = {{NULL, 0}, text.ptr};

    while (line.next < text.end && !lvl_text_trim(line.text).len)
        line = lvl_line_at(&text, line.next);
    return lvl_text_trim(line.text);
}

/* Reports WIDTH and HEIGHT after LEVELNAMES: servers read only as many names as the size before them says. */
static void check_order(lvl_bytes file, lvl_findings *findings)
{
    const lvl_text lines = lvl_lines_of_file(file);
    const lvl_lines_text text = {lines.ptr, lines.ptr + lines.len, false};
    bool names = false;
    lvl_line_view line;

    for (const char *p = text.ptr; p < text.end; p = line.next) {
        line = lvl_line_at(&text, p);
        const bool wide = lvl_text_begins(line.text, "WIDTH "), high = lvl_text_begins(line.text, "HEIGHT ");
        names = names || lvl_text_is(lvl_text_trim(line.text), "LEVELNAMES");
        if (names && (wide || high))
            lvl_gmap_report(
                findings, LVL_GMAP_F_LATE_SIZE,
                lvl_where_to(lvl_where_root(),
                             wide ? LVL_FIELD(lvl_gmap, width) : LVL_FIELD(lvl_gmap, height), LVL_NO_INDEX),
                "%s stands after LEVELNAMES: servers read no levels of this map; move it before LEVELNAMES",
                wide ? "WIDTH" : "HEIGHT");
    }
}

/* Whether a file without the header of a .gmap is one all the same: no level is called LEVELNAMES, which
 * begins the rows there. Only `--as' reads such a file. */
static bool has_block(lvl_bytes file)
{
    const lvl_text lines = lvl_lines_of_file(file);
    const lvl_lines_text text = {lines.ptr, lines.ptr + lines.len, false};
    lvl_line_view line;

    for (const char *p = text.ptr; p < text.end; p = line.next) {
        line = lvl_line_at(&text, p);
        if (lvl_line_is_word(line.text, "LEVELNAMES"))
            return true;
    }
    return false;
}

static lvl_status read_map(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    const uint32_t UNKNOWN = UINT32_MAX;
    const lvl_where root = lvl_where_root();
    const lvl_text first = first_line(doc->input);
    lvl_gmap *map = doc->root;

    const bool header = lvl_text_begins(first, "GRMAP") && first.len >= 8;
    map->version = header || has_block(doc->input) ? LVL_GRMAP001 : LVL_BIGMAP;
    map->width = map->height = UNKNOWN;
    const lvl_status status = lvl_grammar_read(doc, sink, findings);
    const bool wide = map->width != UNKNOWN, high = map->height != UNKNOWN;
    map->width = wide ? map->width : lvl_gmap_width(map);
    map->height = high ? map->height : map->row_count;
    if (!map->row_count && !map->generated.len) /* rows come last */
        lvl_doc_report_cut(doc, findings,
                           "the map has no rows of level names: the file may be cut off before them");
    if (map->version == LVL_BIGMAP)
        return status;
    if (!lvl_text_is(first, "GRMAP001"))
        lvl_gmap_report(findings, LVL_GMAP_F_VERSION, root, "expected GRMAP001 in the first line");
    else if (first.ptr != lvl_lines_of_file(doc->input).ptr)
        lvl_gmap_report(findings, LVL_GMAP_F_VERSION, root,
                        "expected GRMAP001 at the beginning, found blanks before it");
    if (!wide || !high)
        lvl_gmap_report(findings, LVL_GMAP_F_NO_SIZE, root, "there is no %s: games show no map",
                        wide ? "HEIGHT" : "WIDTH");
    if (findings)
        check_order(doc->input, findings);
    return status;
}

/* Whether the head of a file consists of quoted names of levels; counts the names. */
static bool has_rows_only(lvl_bytes head, bool whole, uint32_t *names)
{
    const lvl_text lines = lvl_lines_of_file(head);
    const lvl_lines_text text = {lines.ptr, lines.ptr + lines.len, false};
    lvl_list_item_view item;
    lvl_line_view line;

    for (const char *p = text.ptr; p < text.end; p = line.next) {
        line = lvl_line_at(&text, p);
        const bool ends = line.next[-1] == '\n';
        for (size_t at = 0; lvl_list_next(line.text, &at, &item);) {
            if (!ends && (item.open || (!whole && line.text.ptr[at - 1] != ',')))
                break; /* the head ends inside it */
            if (item.open || (item.text.len && (item.text.ptr[-(item.text.ptr > p)] != '"' ||
                                                !lvl_gmap_is_level_name(item.text))))
                return false;
            *names += item.text.len != 0;
        }
    }
    return *names > 0;
}

static int probe(const lvl_probe_input *in)
{
    const lvl_text first = first_line(in->head), name = lvl_text_of(in->name);
    uint32_t names = 0;

    if (lvl_text_begins(first, "GRMAP001"))
        return 64;
    if (lvl_text_begins(first, "GRMAP") && first.len >= 8 && lvl_text_has_ending(name, ".gmap"))
        return 40;
    /* a bigmap has no signature, so its name must match, too */
    if ((!lvl_text_has_ending(name, ".txt") && !lvl_text_has_ending(name, ".gmap")) ||
        !has_rows_only(in->head, in->size == in->head.len, &names))
        return 0;
    return names < 4 ? (int)names * 8 : 32;
}

/* ---- writing ------------------------------------------------------------------------------------- */

static lvl_status derive(lvl_doc *doc, lvl_derived_fn visit, void *user)
{
    lvl_gmap *map = doc->root;

    visit(user, map, LVL_FIELD(lvl_gmap, width), lvl_gmap_width(map));
    visit(user, map, LVL_FIELD(lvl_gmap, height), map->row_count);
    return LVL_OK;
}

/* Reports text that is not in any member: comments of a bigmap, further text in a line. */
static void lose_unread(void *user, lvl_text lines, bool more, const lvl_where *where)
{
    (void)more;
    lvl_findings_add(user, &lvl_gmap_findings[LVL_GMAP_F_LOSS_TEXT], where, NULL,
                     "text in lines of %llu bytes", (unsigned long long)lines.len);
}

/* Copies the record; a bigmap loses keys that do not have their default. */
static lvl_status convert(const lvl_doc *from, const lvl_form *form, lvl_doc *to, lvl_findings *losses)
{
    const lvl_gmap *map = from->root;
    lvl_gmap *made = to->root;
    lvl_status status = lvl_record_copy(to, made, from, map, &lvl_gmap_table);

    if (status == LVL_OK)
        status = lvl_grammar_unread(from, lose_unread, losses);
    for (uint32_t i = 0; i < lvl_gmap_table.field_count && form->version == LVL_BIGMAP; i++) {
        const lvl_field *f = &lvl_gmap_table.fields[i];
        const lvl_where where = lvl_where_to(lvl_where_root(), f, LVL_NO_INDEX);
        if (f->when.tag_size && lvl_field_present(map, f) && !lvl_field_is_default(map, f))
            lvl_findings_add(losses, &lvl_gmap_findings[LVL_GMAP_F_LOSS_KEY], &where, NULL, "%s", f->name);
    }
    made->version = (uint8_t)form->version;
    made->line_end = map->line_end;
    return status;
}

/* ---- info ---------------------------------------------------------------------------------------- */

static void info_size(const lvl_gmap *map, lvl_info *info)
{
    const uint32_t width = map->row_count ? lvl_gmap_width(map) : map->width,
                   height = map->row_count ? map->row_count : map->height;
    int64_t levels = 0, empty = 0;

    for (uint32_t y = 0; y < map->row_count; y++) {
        for (uint32_t x = 0; x < map->rows[y].name_count; x++) {
            levels += map->rows[y].names[x].len != 0;
            empty += map->rows[y].names[x].len == 0;
        }
    }
    lvl_info_string(info, NULL, "size", "%u x %u levels", width, height);
    lvl_info_int(info, "width", NULL, width, NULL);
    lvl_info_int(info, "height", NULL, height, NULL);
    lvl_info_int(info, "levels", "levels", levels, NULL);
    lvl_info_int(info, "empty_cells", empty ? "empty cells" : NULL, empty, NULL);
}

struct info_request {
    const lvl_doc *doc;
    const lvl_art *art;
    lvl_status status;
};

/* Adds computed facts after the version, before the other fields. */
static bool info_computed(lvl_info *info, const lvl_table *table, const void *record, const lvl_field *field,
                          void *user)
{
    struct info_request *r = user;

    (void)table;
    if (field->offset != offsetof(lvl_gmap, version))
        return false;
    lvl_info_field(info, record, field);
    info_size(record, info);
    r->status = r->art ? lvl_world_info(r->doc, info, r->art) : LVL_OK;
    return true;
}

static lvl_status info_of_map(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art)
{
    struct info_request request = {doc, art, LVL_OK};

    lvl_info_fields(info, &lvl_gmap_table, doc->root, info_computed, &request);
    return request.status == LVL_OK ? lvl_info_status(info) : request.status;
}

static const lvl_form forms[] = {
    {"gmap", "gmap (GRMAP001)", "gmap", "gmap", LVL_GRMAP001},
    {"bigmap", "bigmap (rows of level names)", "txt", "gmap", LVL_BIGMAP},
    {NULL, NULL, NULL, NULL, 0},
};

/* Findings which mean that content is missing. */
static const lvl_finding_def *const cuts[] = {
    &lvl_gmap_findings[LVL_GMAP_F_BLOCK_OPEN],
    &lvl_gmap_findings[LVL_GMAP_F_QUOTE_OPEN],
    NULL,
};

static const lvl_signature signatures[] = {LVL_SIGNATURE(NULL, LVL_BYTES_AT(0, "GRMAP001")), {0}};

/* lvl_format_calls.links */
static lvl_status links_of(const lvl_doc *doc,
                           lvl_status (*visit)(void *user, const struct lvl_doc_link *link), void *user)
{
    enum { SIDE = LVL_GRAAL_SIDE * LVL_GRAAL_TILE };
    const lvl_gmap *map = lvl_doc_croot(doc);
    lvl_status status = LVL_OK;

    for (uint32_t y = 0; y < map->row_count && status == LVL_OK; y++) {
        for (uint32_t x = 0; x < map->rows[y].name_count && status == LVL_OK; x++) {
            lvl_doc_link reported = {.way = LVL_WAY_PLACE,
                                     .target = map->rows[y].names[x],
                                     .where = lvl_gmap_where_name(x, y),
                                     .column = x,
                                     .row = y};
            if (!reported.target.len)
                continue;
            const int32_t left = (int32_t)(x < LVL_WORLD_PLACES ? x : LVL_WORLD_PLACES) * SIDE,
                          top = (int32_t)(y < LVL_WORLD_PLACES ? y : LVL_WORLD_PLACES) * SIDE;
            reported.rect = (lvl_rect){left, top, left + SIDE - 1, top + SIDE - 1};
            status = visit(user, &reported);
        }
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
    .codepage = LVL_CP_1252,
    .table = &lvl_gmap_table,
    .findings = lvl_gmap_findings,
    .finding_count = LVL_GMAP_F_COUNT,
    .forms = forms,
    .signatures = signatures,
    .calls =
        &(const lvl_format_calls){
            .cuts = cuts,
            .probe = probe,
            LVL_GRAMMAR_CALLS(read_map, lvl_grammar_check_writable, grammar_of),
            .derive = derive,
            .check = lvl_gmap_check,
            .repair = lvl_gmap_repair,
            .info = info_of_map,
            .map_layout = &lvl_gmap_map_layout,
            .scene = lvl_world_scene,
            .links = links_of,
            .convert = convert,
        },
};
