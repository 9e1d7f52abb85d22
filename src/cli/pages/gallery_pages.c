/*
 * cli/pages/gallery_pages.c: what a gallery shows of its levels:
 *
 *     levels.js          lvlSite = {levels, folded, parts, shards, counts}, lvlRows = ROWS: the first rows
 *                        of the index, and how many levels have each value of its filters
 *     levels-N.js        lvlMore(ROWS): further ones. A row is [ID, PATH, BYTES, VERDICT, FACTS, PICTURE,
 *                        FORMAT, GAME, AUTHOR, YEAR, TITLE, FIRST, COPIES]; FIRST is the row of the first
 *                        level with this content, which COPIES have
 *     about/ID.js        lvlAbout({…}): the page about a level, level.html?level=ID
 *     pictures/ID.png
 *
 * A page begins with what the levels in memory have (begin_page); texts, references, findings, facts and
 * notes are rows of one query in the order of files, and are appended to the page of their file (put_detail),
 * which is saved when the next file begins.
 */
#include "cli/pages/gallery.h"

#include "base/text.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_ROWS = 100, /* those of the first screen */
    NEXT_ROWS = 5000,
    MAX_TEXT = 8000, /* bytes of a field on the page of a level, and of all fields */
    MAX_TEXTS = 100000,
    MAX_PLACE = 40,
    YEAR = 4, /* bytes of a date */
    MAX_COUNTED = 200, /* values of a filter on the first screen; of more, none are */
    MAX_LABEL = 200, /* bytes of a text in the index */
    MAX_LOOKED_AT = 2000, /* of levels with one name */
    MAX_SHOWN = 100, /* links, copies and so on, of each kind */
    MAX_ALIKE = 24
};

/* ---- the page about a level --------------------------------------------------------------------------- */

typedef struct page {
    gallery *g;
    lvl_buffer text;
    uint32_t row; /* of the level; UINT32_MAX: none was begun */
    int section; /* -1: none was begun */
    size_t shown, text_bytes; /* of this section, of all texts */
} page;

static void put_if_known(lvl_buffer *out, const char *key, const char *text)
{
    lvl_json_put_string(out, key, *text ? text : NULL);
}

/* [ID, PATH, PICTURE, and what follows. */
static void open_level(const gallery *g, lvl_buffer *out, uint32_t row)
{
    const gallery_level *l = &g->levels[row];

    lvl_json_open(out, NULL, '[');
    lvl_json_put_string(out, NULL, l->id);
    lvl_json_put_string(out, NULL, gallery_path(g, l));
    lvl_json_put_int(out, NULL, l->picture);
}

static void put_relations(const gallery *g, const char *key, const gallery_relations *list, uint32_t row,
                          size_t most, lvl_buffer *out)
{
    const gallery_relation *shown[MAX_SHOWN]; /* of copies, the one that is nearest to the row */
    size_t n = 0;

    for (size_t i = gallery_first_relation(list, row); i < list->count && list->items[i].row == row; i++) {
        const gallery_relation *r = &list->items[i];
        size_t k = 0;
        while (k < n && g->levels[shown[k]->other].first != g->levels[r->other].first)
            k++;
        if (k == n && n < most)
            shown[n++] = r;
        else if (k < n &&
                 gallery_shared_path(g, row, r->other) > gallery_shared_path(g, row, shown[k]->other))
            shown[k] = r;
    }
    lvl_json_open(out, key, '[');
    for (size_t i = 0; i < n; i++) {
        open_level(g, out, shown[i]->other);
        lvl_json_put_uint(out, NULL, shown[i]->percent);
        lvl_buffer_u8(out, ']');
    }
    lvl_buffer_u8(out, ']');
}

/* Levels with the same name and another content, with their dates. */
static void put_versions(const gallery *g, uint32_t row, lvl_buffer *out)
{
    const gallery_level *l = &g->levels[row];
    const char *name = gallery_string(g, l->name);
    size_t n = 0;

    lvl_json_open(out, "versions", '[');
    const size_t from = gallery_first_named(g, name);
    /* of very many copies, only the first ones are looked at: each of them has a page, too */
    for (size_t i = from; i < g->count && n < MAX_SHOWN && i < from + MAX_LOOKED_AT; i++) {
        const gallery_level *other = &g->levels[g->by_name[i]];
        if (strcmp(gallery_string(g, other->name), name) != 0)
            break;
        if (other->first == l->first)
            continue;
        open_level(g, out, g->by_name[i]);
        lvl_json_put_string(out, NULL, gallery_string(g, other->date));
        lvl_buffer_u8(out, ']');
        n++;
    }
    lvl_buffer_u8(out, ']');
}

/* Levels with the same content. */
static void put_copies(const gallery *g, uint32_t row, lvl_buffer *out)
{
    size_t n = 0;

    lvl_json_open(out, "copies", '[');
    for (uint32_t i = g->levels[row].first; i != UINT32_MAX && n < MAX_SHOWN; i = g->levels[i].next) {
        if (i == row)
            continue;
        open_level(g, out, i);
        lvl_buffer_u8(out, ']');
        n++;
    }
    lvl_buffer_u8(out, ']');
}

static void begin_page(page *p, uint32_t row)
{
    const gallery *g = p->g;
    const gallery_level *l = &g->levels[row];
    lvl_buffer *out = &p->text;

    out->len = 0;
    p->row = row;
    p->section = -1;
    p->shown = p->text_bytes = 0;
    lvl_buffer_str(out, "lvlAbout({");
    lvl_json_put_string(out, "path", gallery_path(g, l));
    lvl_json_put_string(out, "format", l->format->title);
    put_if_known(out, "version", gallery_string(g, l->version));
    put_if_known(out, "verdict", gallery_string(g, l->verdict));
    lvl_json_put_uint(out, "bytes", l->size);
    lvl_json_put_int(out, "picture", l->picture);
    lvl_json_put_int(out, "viewer", l->viewer);
    put_if_known(out, "date", gallery_string(g, l->date));
    put_if_known(out, "title", gallery_string(g, l->title));
    put_if_known(out, "author", gallery_string(g, l->author));
    put_if_known(out, "game", gallery_string(g, l->game));
    if (row)
        lvl_json_put_string(out, "previous", g->levels[row - 1].id);
    if (row + 1 < g->count)
        lvl_json_put_string(out, "next", g->levels[row + 1].id);
    put_relations(g, "from", &g->from, row, MAX_SHOWN, out);
    put_relations(g, "alike", &g->alike, row, MAX_ALIKE, out);
    put_versions(g, row, out);
    put_copies(g, row, out);
}

static bool end_page(page *p)
{
    gallery_level *l = &p->g->levels[p->row];

    lvl_buffer_str(&p->text, p->section >= 0 ? "]});\n" : "});\n");
    l->written = true;
    return gallery_save(p->g, "about/", l->id, ".js", &p->text);
}

/* ---- its details -------------------------------------------------------------------------------------- */

/* Rows of file, part, number, a, b, c, d, count, found, in this order. */
enum { TEXTS, REFS, FINDINGS, FACTS, NOTES, PARTS };
enum { FILE_ID, PART, A = 3, COUNT = 7, FOUND, COLUMNS };
static const char detail_query[] =
    "SELECT file, 0 AS part, id AS number, name AS a, field AS b, text AS c, places AS d, 0 AS count, 0 AS "
    "found FROM texts WHERE name <> 'file' "
    "UNION ALL SELECT file, 1, number, kind, target, place, '', count, found FROM refs "
    "UNION ALL SELECT file, 2, number, id, severity, place, text, count, 0 FROM findings "
    "UNION ALL SELECT file, 3, 0, info, '', '', '', 0, 0 FROM levels WHERE info IS NOT NULL "
    "UNION ALL SELECT f.id, 4, 0, n.key, n.value, n.source, '', 0, 0 FROM notes n JOIN files f ON f.sha256 = "
    "n.sha256 ORDER BY 1, 2, 3";

static void begin_section(page *p, int section)
{
    static const char *const keys[PARTS] = {"texts", "refs", "findings", "info", "notes"};

    if (section == p->section)
        return;
    lvl_buffer_str(&p->text, p->section >= 0 ? "]" : "");
    lvl_json_open(&p->text, keys[section], '[');
    p->section = section;
    p->shown = 0;
}

/* The texts of a row, cut to what a page shows; returns how many bytes of them were left out. */
static size_t put_texts(page *p, const lvl_catalogue_value *v)
{
    static const unsigned columns[PARTS] = {
        [TEXTS] = 4, [REFS] = 3, [FINDINGS] = 4, [FACTS] = 1, [NOTES] = 3};
    size_t cut = 0;

    for (unsigned i = 0; i < columns[p->section]; i++) {
        const lvl_text all = v[A + i].text.ptr ? v[A + i].text : lvl_text_of("");
        const bool places = p->section == TEXTS && i == 3; /* only that of the first value is shown */
        const lvl_text text = lvl_text_cut(all, places                ? MAX_PLACE
                                                : p->section == FACTS ? MAX_TEXTS
                                                                      : MAX_TEXT);
        lvl_json_put_text(&p->text, NULL, text);
        cut += places ? 0 : all.len - text.len;
        p->text_bytes += p->section == TEXTS ? text.len : 0;
    }
    return cut;
}

/* Whether what a reference names was found, and the level that it leads to. */
static void put_target(page *p, const lvl_catalogue_value *v)
{
    const uint32_t target =
        lvl_text_is(v[A].text, "level") ? gallery_find_target(p->g, p->row, v[A + 1].text) : UINT32_MAX;

    lvl_json_next(&p->text);
    lvl_buffer_str(&p->text, v[FOUND].null ? "null" : gallery_number(&v[FOUND]) ? "1" : "0");
    if (target != UINT32_MAX) {
        open_level(p->g, &p->text, target);
        lvl_buffer_u8(&p->text, ']');
    }
}

static void put_detail(page *p, int section, const lvl_catalogue_value *v)
{
    lvl_buffer *out = &p->text;

    begin_section(p, section);
    if (p->shown >= MAX_SHOWN * 5 || (section == TEXTS && p->text_bytes >= MAX_TEXTS))
        return;
    lvl_buffer_str(out, p->shown++ ? ",\n[" : "\n[");
    const size_t cut = put_texts(p, v);
    if (section == TEXTS)
        lvl_json_put_uint(out, NULL, cut);
    if (section == REFS || section == FINDINGS)
        lvl_json_put_int(out, NULL, gallery_number(&v[COUNT]));
    if (section == REFS)
        put_target(p, v);
    lvl_buffer_u8(out, ']');
}

static bool take_detail(void *user, const lvl_catalogue_value *v, size_t count)
{
    page *p = user;
    const uint32_t row = count == COLUMNS ? gallery_row_of(p->g, gallery_number(&v[FILE_ID])) : UINT32_MAX;
    const int64_t section = count == COLUMNS ? gallery_number(&v[PART]) : PARTS;

    if (row == UINT32_MAX || section >= PARTS)
        return true;
    if (row != p->row) {
        if (p->row != UINT32_MAX && !end_page(p))
            return false;
        begin_page(p, row);
    }
    put_detail(p, (int)section, v);
    return p->text.status == LVL_OK;
}

int gallery_write_pages(gallery *g)
{
    page p = {.g = g, .row = UINT32_MAX};
    const int code = gallery_query(g, detail_query, take_detail, &p);
    bool good = !code && !g->stopped;

    if (good && p.row != UINT32_MAX)
        good = end_page(&p);
    for (uint32_t i = 0; i < g->count && good; i++) {
        if (g->levels[i].written)
            continue;
        begin_page(&p, i); /* of which nothing more is known */
        good = end_page(&p);
    }
    lvl_buffer_free(&p.text);
    return code;
}

/* ---- pictures and the index --------------------------------------------------------------------------- */

bool gallery_save(gallery *g, const char *folder, const char *name, const char *ending,
                  const lvl_buffer *bytes)
{
    if (bytes->status != LVL_OK)
        g->status = bytes->status;
    else if (!cli_view_save(g->job, folder, name, ending, lvl_buffer_bytes(bytes)))
        g->stopped = true;
    return g->status == LVL_OK && !g->stopped && !cli_stopped();
}

static bool take_picture(void *user, const lvl_catalogue_value *v, size_t count)
{
    gallery *g = user;
    const uint32_t row = count == 2 ? gallery_row_of(g, gallery_number(&v[0])) : UINT32_MAX;

    if (row == UINT32_MAX || !v[1].bytes)
        return true;
    const lvl_bytes png = {(const uint8_t *)v[1].text.ptr, v[1].text.len};
    g->stopped = !cli_view_save(g->job, "pictures/", g->levels[row].id, ".png", png);
    return !g->stopped && !cli_stopped();
}

int gallery_write_pictures(gallery *g)
{
    return gallery_query(g, "SELECT file, png FROM thumbnails ORDER BY file", take_picture, g);
}

/* A text of a level. */
static lvl_text text_of(const gallery *g, uint32_t row, size_t member, size_t most)
{
    size_t at;

    memcpy(&at, (const char *)&g->levels[row] + member, sizeof at);
    return lvl_text_cut(lvl_text_of(gallery_string(g, at)), most);
}

static void put_label(lvl_buffer *out, const char *text, size_t most)
{
    lvl_json_put_text(out, NULL, lvl_text_cut(lvl_text_of(text), most));
}

static void put_row(const gallery *g, lvl_buffer *out, uint32_t row)
{
    const gallery_level *l = &g->levels[row];

    lvl_json_open(out, NULL, '[');
    lvl_json_put_string(out, NULL, l->id);
    lvl_json_put_string(out, NULL, gallery_path(g, l));
    lvl_json_put_uint(out, NULL, l->size);
    lvl_json_put_string(out, NULL, gallery_string(g, l->verdict));
    lvl_json_put_string(out, NULL, gallery_string(g, l->facts));
    lvl_json_put_int(out, NULL, l->picture);
    put_label(out, gallery_string(g, l->kind), MAX_LABEL);
    put_label(out, gallery_string(g, l->game), MAX_LABEL);
    put_label(out, gallery_string(g, l->author), MAX_LABEL);
    put_label(out, gallery_string(g, l->date), YEAR);
    put_label(out, gallery_string(g, l->title), MAX_LABEL);
    lvl_json_put_uint(out, NULL, l->first);
    lvl_json_put_uint(out, NULL, l->copies);
    lvl_buffer_u8(out, ']');
}

/* "game":[["Claw",12],…]: the values of a text of the levels, in order, with the number of levels that have
 * each; nothing if there are too many. */
static bool put_counts(const gallery *g, const char *key, size_t member, size_t most, lvl_buffer *out)
{
    uint32_t *rows = gallery_rows_by(g, member);
    lvl_buffer list = {0};
    size_t values = 0, next;

    for (size_t i = 0; rows && i < g->count && values <= MAX_COUNTED; i = next) {
        const lvl_text text = text_of(g, rows[i], member, most);
        for (next = i + 1; next < g->count && lvl_text_equal(text_of(g, rows[next], member, most), text);)
            next++;
        if (!text.len)
            continue;
        lvl_json_open(&list, NULL, '[');
        lvl_json_put_text(&list, NULL, text);
        lvl_json_put_uint(&list, NULL, next - i);
        lvl_buffer_u8(&list, ']');
        values++;
    }
    if (values <= MAX_COUNTED) {
        lvl_json_open(out, key, '[');
        lvl_buffer_add(out, list.data, list.len);
        lvl_buffer_u8(out, ']');
    }
    const bool made = rows && list.status == LVL_OK;
    lvl_buffer_free(&list);
    free(rows);
    return made;
}

/* What the first screen shows of all levels. */
static bool put_site(const gallery *g, size_t parts, uint32_t shards, lvl_buffer *out)
{
    lvl_json_put_uint(out, "levels", g->count);
    lvl_json_put_uint(out, "folded", g->folded);
    lvl_json_put_uint(out, "parts", parts);
    lvl_json_put_uint(out, "shards", shards);
    lvl_json_open(out, "counts", '{');
    const bool made = put_counts(g, "kind", offsetof(gallery_level, kind), MAX_LABEL, out) &&
                      put_counts(g, "game", offsetof(gallery_level, game), MAX_LABEL, out) &&
                      put_counts(g, "author", offsetof(gallery_level, author), MAX_LABEL, out) &&
                      put_counts(g, "year", offsetof(gallery_level, date), YEAR, out) &&
                      put_counts(g, "verdict", offsetof(gallery_level, verdict), MAX_LABEL, out);
    lvl_buffer_u8(out, '}');
    return made;
}

/* Rows from `from` up to `end`, one per line. */
static void put_rows(const gallery *g, lvl_buffer *out, size_t from, size_t end)
{
    for (size_t i = from; i < end; i++) {
        lvl_buffer_str(out, i > from ? ",\n" : "\n");
        put_row(g, out, (uint32_t)i);
    }
    lvl_buffer_str(out, "\n]");
}

bool gallery_write_index(gallery *g, uint32_t shards)
{
    const size_t parts = g->count > FIRST_ROWS ? (g->count - FIRST_ROWS + NEXT_ROWS - 1) / NEXT_ROWS : 0;
    bool saved = true;

    for (size_t i = 0; i <= parts && saved; i++) {
        const size_t from = i ? FIRST_ROWS + (i - 1) * NEXT_ROWS : 0;
        const size_t most = i ? NEXT_ROWS : FIRST_ROWS, left = g->count - from;
        lvl_buffer out = {0};
        char name[32] = "levels";
        if (i)
            snprintf(name, sizeof name, "levels-%zu", i);
        lvl_buffer_str(&out, i ? "lvlMore([" : "var lvlSite = {");
        if (!i) {
            if (!put_site(g, parts, shards, &out))
                out.status = LVL_ERR_MEMORY;
            lvl_buffer_str(&out, "};\nvar lvlRows = [");
        }
        put_rows(g, &out, from, from + (left < most ? left : most));
        lvl_buffer_str(&out, i ? ");\n" : ";\n");
        saved = gallery_save(g, "", name, ".js", &out);
        lvl_buffer_free(&out);
    }
    return saved;
}
