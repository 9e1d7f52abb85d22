/*
 * cli/pages/site_index.c: the index of a site, and the pages that show it:
 *
 *     levels.js          lvlSite = {levels, folded, parts, shards, counts}, lvlRows = ROWS: the first rows
 *                        of the index, and how many levels have each value of its filters
 *     levels-N.js        lvlMore(ROWS): further ones. A row is [ID, PATH, BYTES, VERDICT, FACTS, PICTURE,
 *                        FORMAT, GAME, AUTHOR, YEAR, TITLE, FIRST, COPIES]; FIRST is the row of the first
 *                        level with this content, which COPIES have
 *     index.html         the page, with the names of the first levels as links for browsers without scripts
 *     names-N.html       the same page with the names of further levels
 */
#include "cli/pages/site.h"

#include "base/text.h"
#include "site_icon.h"
#include "site_index_page.h"
#include "site_level_page.h"
#include "site_level_script.h"
#include "site_script.h"
#include "site_style.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_ROWS = 100, /* those of the first screen */
    PART_BYTES = 500000, /* of rows in a file */
    NAMES = 250, /* of a page */
    YEAR = 4, /* bytes of a date */
    MAX_COUNTED = 200, /* values of a filter on the first screen; of more, none are */
    MAX_LABEL = 200 /* bytes of a text in the index */
};

/* A text of a level. */
static lvl_text text_of(const site *s, uint32_t row, size_t member, size_t most)
{
    size_t at;

    memcpy(&at, (const char *)&s->levels[row] + member, sizeof at);
    return lvl_text_cut(lvl_text_of(site_string(s, at)), most);
}

static void put_label(lvl_buffer *out, const char *text, size_t most)
{
    lvl_json_put_text(out, NULL, lvl_text_cut(lvl_text_of(text), most));
}

static void put_row(const site *s, lvl_buffer *out, uint32_t row)
{
    const site_level *l = &s->levels[row];

    lvl_json_open(out, NULL, '[');
    lvl_json_put_string(out, NULL, l->id);
    lvl_json_put_string(out, NULL, site_string(s, l->shown));
    lvl_json_put_uint(out, NULL, l->size);
    lvl_json_put_string(out, NULL, site_string(s, l->verdict));
    lvl_json_put_string(out, NULL, site_string(s, l->facts));
    lvl_json_put_int(out, NULL, l->picture);
    put_label(out, site_string(s, l->kind), MAX_LABEL);
    put_label(out, site_string(s, l->game), MAX_LABEL);
    put_label(out, site_string(s, l->author), MAX_LABEL);
    put_label(out, site_string(s, l->date), YEAR);
    put_label(out, site_string(s, l->title), MAX_LABEL);
    lvl_json_put_uint(out, NULL, l->first);
    lvl_json_put_uint(out, NULL, l->copies);
    lvl_buffer_u8(out, ']');
}

/* "game":[["Claw",12],…]: the values of a text of the levels, in order, with the number of levels that have
 * each; nothing if there are too many. */
static bool put_counts(const site *s, const char *key, size_t member, size_t most, lvl_buffer *out)
{
    uint32_t *rows = site_rows_by(s, member);
    lvl_buffer list = {0};
    size_t values = 0, next;

    for (size_t i = 0; rows && i < s->count && values <= MAX_COUNTED; i = next) {
        const lvl_text text = text_of(s, rows[i], member, most);
        for (next = i + 1; next < s->count && lvl_text_equal(text_of(s, rows[next], member, most), text);)
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
static bool put_site(const site *s, size_t parts, uint32_t shards, lvl_buffer *out)
{
    lvl_json_put_uint(out, "levels", s->count);
    lvl_json_put_uint(out, "folded", s->folded);
    lvl_json_put_uint(out, "parts", parts);
    lvl_json_put_uint(out, "shards", shards);
    lvl_json_open(out, "counts", '{');
    const bool made = put_counts(s, "kind", offsetof(site_level, kind), MAX_LABEL, out) &&
                      put_counts(s, "game", offsetof(site_level, game), MAX_LABEL, out) &&
                      put_counts(s, "author", offsetof(site_level, author), MAX_LABEL, out) &&
                      put_counts(s, "year", offsetof(site_level, date), YEAR, out) &&
                      put_counts(s, "verdict", offsetof(site_level, verdict), MAX_LABEL, out);
    lvl_buffer_u8(out, '}');
    return made;
}

/* Rows from `from` on, one per line, up to a number of them or of bytes; returns the row that follows. */
static size_t put_rows(const site *s, lvl_buffer *out, size_t from, size_t most, size_t bytes)
{
    const size_t before = out->len;
    size_t i = from;

    for (; i < s->count && i - from < most && (i == from || out->len - before < bytes); i++) {
        lvl_buffer_str(out, i > from ? ",\n" : "\n");
        put_row(s, out, (uint32_t)i);
    }
    lvl_buffer_str(out, "\n]");
    return i;
}

/* levels.js, levels-N.js: none becomes large, however many levels there are. */
static bool save_rows(site *s, uint32_t shards)
{
    lvl_buffer rows = {0}, out = {0};
    size_t parts = 0;
    bool saved = true;

    for (size_t at = put_rows(s, &rows, 0, FIRST_ROWS, PART_BYTES); at < s->count && saved;) {
        char name[32];
        snprintf(name, sizeof name, "levels-%zu", ++parts);
        out.len = 0;
        lvl_buffer_str(&out, "lvlMore([");
        at = put_rows(s, &out, at, SIZE_MAX, PART_BYTES);
        lvl_buffer_str(&out, ");\n");
        saved = site_save(s, "", name, ".js", &out);
    }
    out.len = 0;
    lvl_buffer_str(&out, "var lvlSite = {");
    if (!put_site(s, parts, shards, &out))
        out.status = LVL_ERR_MEMORY;
    lvl_buffer_str(&out, "};\nvar lvlRows = [");
    lvl_buffer_add(&out, rows.data, rows.len);
    lvl_buffer_str(&out, ";\n");
    if (rows.status != LVL_OK)
        out.status = rows.status;
    saved = saved && site_save(s, "", "levels", ".js", &out);
    lvl_buffer_free(&rows);
    lvl_buffer_free(&out);
    return saved;
}

/* ---- names for browsers without scripts --------------------------------------------------------------- */

static void put_names(const site *s, size_t from, lvl_buffer *out)
{
    for (size_t i = from; i < s->count && i < from + NAMES; i++) {
        const site_level *l = &s->levels[i];
        lvl_buffer_printf(out, "<li><a href=\"level.html?level=%s\">", l->id);
        lvl_text_markup(out, lvl_text_of(site_string(s, l->shown)), false);
        lvl_buffer_str(out, "</a>");
        if (l->picture)
            lvl_buffer_printf(out, " (<a href=\"pictures/%s.png\">picture</a>)", l->id);
        lvl_buffer_str(out, "\n");
    }
}

static void put_page_links(size_t pages, size_t here, lvl_buffer *out)
{
    lvl_buffer_str(out, "<p>");
    for (size_t i = 0; i < pages; i++) {
        if (i == here)
            lvl_buffer_printf(out, "%zu\n", i + 1);
        else if (!i)
            lvl_buffer_str(out, "<a href=\"index.html\">1</a>\n");
        else
            lvl_buffer_printf(out, "<a href=\"names-%zu.html\">%zu</a>\n", i + 1, i + 1);
    }
    lvl_buffer_str(out, "</p>\n");
}

/* index.html, names-N.html: the page with a part of the names in its <noscript>. */
static bool save_names(site *s)
{
    static const char end[] = "</noscript>";
    const size_t pages = s->count ? (s->count + NAMES - 1) / NAMES : 1;
    lvl_buffer page = {0};
    bool saved = true;

    lvl_buffer_add(&page, site_index_page, sizeof site_index_page);
    lvl_buffer_u8(&page, 0);
    const char *text = page.status == LVL_OK ? (const char *)page.data : "", *at = strstr(text, end);
    for (size_t i = 0; i < pages && saved; i++) {
        lvl_buffer out = {.status = page.status};
        char name[32] = "index";
        if (i)
            snprintf(name, sizeof name, "names-%zu", i + 1);
        lvl_buffer_add(&out, text, at ? (size_t)(at - text) : 0);
        lvl_buffer_str(&out, "<ul>\n");
        put_names(s, i * NAMES, &out);
        lvl_buffer_str(&out, "</ul>\n");
        if (pages > 1)
            put_page_links(pages, i, &out);
        lvl_buffer_str(&out, at ? at : "");
        saved = site_save(s, "", name, ".html", &out);
        lvl_buffer_free(&out);
    }
    lvl_buffer_free(&page);
    return saved;
}

bool site_write_index(site *s, uint32_t shards)
{
#define SAVE(name, ending, bytes) site_save_bytes(s, "", name, ending, (lvl_bytes){bytes, sizeof(bytes)})
    return save_rows(s, shards) && SAVE("icon", ".svg", site_icon) && SAVE("site", ".css", site_style) &&
           SAVE("site", ".js", site_script) && SAVE("level", ".js", site_level_script) &&
           SAVE("level", ".html", site_level_page) && save_names(s);
#undef SAVE
}
