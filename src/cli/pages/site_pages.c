/*
 * cli/pages/site_pages.c: what the page about a level shows: pictures/ID.png, and about/ID.js:
 * lvlAbout({…}).
 *
 * It begins with what the levels in memory have (begin_page); texts, references, findings and facts are rows
 * of one query in the order of files, and are appended to the page of their file (put_detail), which is saved
 * when the next file begins.
 */
#include "cli/pages/site.h"

#include "base/text.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_TEXT = 8000, /* bytes of a field on the page of a level, and of all fields */
    MAX_TEXTS = 100000,
    MAX_PLACE = 40,
    MAX_LOOKED_AT = 2000, /* of levels with one name */
    MAX_SHOWN = 100, /* links, copies and so on, of each kind */
    MAX_ALIKE = 24
};

/* ---- the page about a level --------------------------------------------------------------------------- */

typedef struct page {
    site *s;
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
static void open_level(const site *s, lvl_buffer *out, uint32_t row)
{
    const site_level *l = &s->levels[row];

    lvl_json_open(out, NULL, '[');
    lvl_json_put_string(out, NULL, l->id);
    lvl_json_put_string(out, NULL, site_string(s, l->shown));
    lvl_json_put_int(out, NULL, l->picture);
}

static void put_relations(const site *s, const char *key, const site_relations *list, uint32_t row,
                          size_t most, lvl_buffer *out)
{
    const site_relation *shown[MAX_SHOWN]; /* the nearest of the copies */
    size_t n = 0;

    for (size_t i = site_first_relation(list, row); i < list->count && list->items[i].row == row; i++) {
        const site_relation *r = &list->items[i];
        size_t k = 0;
        while (k < n && s->levels[shown[k]->other].first != s->levels[r->other].first)
            k++;
        if (k == n && n < most)
            shown[n++] = r;
        else if (k < n && site_shared_path(s, row, r->other) > site_shared_path(s, row, shown[k]->other))
            shown[k] = r;
    }
    lvl_json_open(out, key, '[');
    for (size_t i = 0; i < n; i++) {
        open_level(s, out, shown[i]->other);
        lvl_json_put_uint(out, NULL, shown[i]->percent);
        lvl_buffer_u8(out, ']');
    }
    lvl_buffer_u8(out, ']');
}

/* Levels with the same name and another content, with their dates. */
static void put_versions(const site *s, uint32_t row, lvl_buffer *out)
{
    const site_level *l = &s->levels[row];
    const char *name = site_string(s, l->name);
    size_t n = 0;

    lvl_json_open(out, "versions", '[');
    const size_t from = site_first_named(s, name);
    /* of very many copies, only the first ones are looked at: each of them has a page, too */
    for (size_t i = from; i < s->count && n < MAX_SHOWN && i < from + MAX_LOOKED_AT; i++) {
        const site_level *other = &s->levels[s->by_name[i]];
        if (strcmp(site_string(s, other->name), name) != 0)
            break;
        if (other->first == l->first)
            continue;
        open_level(s, out, s->by_name[i]);
        lvl_json_put_string(out, NULL, site_string(s, other->date));
        lvl_buffer_u8(out, ']');
        n++;
    }
    lvl_buffer_u8(out, ']');
}

/* Levels with the same content. */
static void put_copies(const site *s, uint32_t row, lvl_buffer *out)
{
    size_t n = 0;

    lvl_json_open(out, "copies", '[');
    for (uint32_t i = s->levels[row].first; i != UINT32_MAX && n < MAX_SHOWN; i = s->levels[i].next) {
        if (i == row)
            continue;
        open_level(s, out, i);
        lvl_buffer_u8(out, ']');
        n++;
    }
    lvl_buffer_u8(out, ']');
}

static void begin_page(page *p, uint32_t row)
{
    const site *s = p->s;
    const site_level *l = &s->levels[row];
    lvl_buffer *out = &p->text;

    out->len = 0;
    p->row = row;
    p->section = -1;
    p->shown = p->text_bytes = 0;
    lvl_buffer_str(out, "lvlAbout({");
    lvl_json_put_string(out, "path", site_string(s, l->shown));
    lvl_json_put_string(out, "format", l->format->title);
    put_if_known(out, "version", site_string(s, l->version));
    put_if_known(out, "verdict", site_string(s, l->verdict));
    lvl_json_put_uint(out, "bytes", l->size);
    lvl_json_put_int(out, "picture", l->picture);
    lvl_json_put_int(out, "viewer", l->refusal == SITE_PUBLISHED);
    put_if_known(out, "date", site_string(s, l->date));
    put_if_known(out, "title", site_string(s, l->title));
    put_if_known(out, "author", site_string(s, l->author));
    put_if_known(out, "game", site_string(s, l->game));
    if (row)
        lvl_json_put_string(out, "previous", s->levels[row - 1].id);
    if (row + 1 < s->count)
        lvl_json_put_string(out, "next", s->levels[row + 1].id);
    put_relations(s, "from", &s->from, row, MAX_SHOWN, out);
    put_relations(s, "alike", &s->alike, row, MAX_ALIKE, out);
    put_versions(s, row, out);
    put_copies(s, row, out);
}

static bool end_page(page *p)
{
    site_level *l = &p->s->levels[p->row];

    lvl_buffer_str(&p->text, p->section >= 0 ? "]});\n" : "});\n");
    l->written = true;
    return site_save(p->s, "about/", l->id, ".js", &p->text);
}

/* ---- its details -------------------------------------------------------------------------------------- */

/* Rows of file, part, number, a, b, c, d, count, found, in this order. */
enum { TEXTS, REFS, FINDINGS, FACTS, PARTS };
enum { FILE_ID, PART, A = 3, COUNT = 7, FOUND, COLUMNS };
static const char detail_query[] =
    "SELECT file, 0 AS part, id AS number, name AS a, field AS b, text AS c, places AS d, 0 AS count, 0 AS "
    "found FROM texts WHERE name <> 'file' "
    "UNION ALL SELECT file, 1, number, kind, target, place, '', count, found FROM refs "
    "UNION ALL SELECT file, 2, number, id, severity, place, text, count, 0 FROM findings "
    "UNION ALL SELECT file, 3, 0, info, '', '', '', 0, 0 FROM levels WHERE info IS NOT NULL "
    "ORDER BY 1, 2, 3";

static void begin_section(page *p, int section)
{
    static const char *const keys[PARTS] = {"texts", "refs", "findings", "info"};

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
    static const unsigned columns[PARTS] = {[TEXTS] = 4, [REFS] = 3, [FINDINGS] = 4, [FACTS] = 1};
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
        lvl_text_is(v[A].text, "level") ? site_find_target(p->s, p->row, v[A + 1].text) : UINT32_MAX;

    lvl_json_next(&p->text);
    lvl_buffer_str(&p->text, v[FOUND].null ? "null" : site_number(&v[FOUND]) ? "1" : "0");
    if (target != UINT32_MAX) {
        open_level(p->s, &p->text, target);
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
        lvl_json_put_int(out, NULL, site_number(&v[COUNT]));
    if (section == REFS)
        put_target(p, v);
    lvl_buffer_u8(out, ']');
}

static bool take_detail(void *user, const lvl_catalogue_value *v, size_t count)
{
    page *p = user;
    const uint32_t row = count == COLUMNS ? site_row_of(p->s, site_number(&v[FILE_ID])) : UINT32_MAX;
    const int64_t section = count == COLUMNS ? site_number(&v[PART]) : PARTS;

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

static bool take_picture(void *user, const lvl_catalogue_value *v, size_t count)
{
    site *s = user;
    const uint32_t row = count == 2 ? site_row_of(s, site_number(&v[0])) : UINT32_MAX;

    if (row == UINT32_MAX || !v[1].bytes)
        return true;
    const lvl_bytes png = {(const uint8_t *)v[1].text.ptr, v[1].text.len};
    return site_save_bytes(s, "pictures/", s->levels[row].id, ".png", png);
}

int site_write_pages(site *s)
{
    page p = {.s = s, .row = UINT32_MAX};
    int code = site_query(s, "SELECT file, png FROM thumbnails ORDER BY file", take_picture, s);

    if (!code && !s->stopped)
        code = site_query(s, detail_query, take_detail, &p);
    bool good = !code && !s->stopped;
    if (good && p.row != UINT32_MAX)
        good = end_page(&p);
    for (uint32_t i = 0; i < s->count && good; i++) {
        if (s->levels[i].written)
            continue;
        begin_page(&p, i); /* nothing more is known of it */
        good = end_page(&p);
    }
    lvl_buffer_free(&p.text);
    return code;
}
