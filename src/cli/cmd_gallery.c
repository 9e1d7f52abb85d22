/*
 * cli/cmd_gallery.c: `lvl gallery': a site of all levels of a catalogue. What a level looks like in the
 * viewer is written as by `lvl view --site' (view_site.c); the rest comes from the catalogue:
 *
 *     levels.js          lvlSite = {levels, parts, shards}, lvlRows = ROWS: the first rows of the index
 *     levels-N.js        lvlMore(ROWS): further ones. A row is [ID, PATH, BYTES, VERDICT, FACTS, PICTURE,
 *                        FORMAT, GAME, AUTHOR, YEAR, TITLE, FIRST]; FIRST is the row of the first level
 *                        with this content
 *     words-N.js         lvlWords(N, "word a b\n…"): rows that have a word, in base 36, each as the
 *                        difference to the one before. N: the first two bytes of the word, b0 * 31 + b1,
 *                        modulo `shards`
 *     about/ID.js        lvlAbout({…}): the page about a level, level.html?level=ID
 *     pictures/ID.png
 */
#include "cli/view.h"

#include "base/text.h"

#include <lvl/catalogue.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_ROWS = 400, /* those of the first screen */
    NEXT_ROWS = 5000,
    WORDS_OF_SHARD = 500,
    MAX_SHARDS = 256,
    MAX_WORD = 64, /* bytes; longer ones are no words of a language */
    MAX_TEXT = 8000, /* bytes of a field on the page of a level, and of all fields */
    MAX_TEXTS = 100000,
    MAX_PLACE = 40,
    MOST_SHOWN = 100, /* links, copies and so on, of each kind */
    MOST_AROUND = 50, /* levels of one name that are compared on each side */
    MOST_ALIKE = 24
};

/* A level. Texts are places in `strings`; 0: an empty one. */
typedef struct level {
    int64_t file;
    const lvl_format *format;
    uint64_t size;
    size_t path, name, version, verdict, content, date, title, author, game, facts;
    uint32_t first,
        next; /* of the same content: the row of the first one, and of the next; UINT32_MAX: none */
    char id[CLI_VIEW_ID];
    bool picture, viewer, written;
} level;

typedef struct relation {
    uint32_t of, other, percent;
} relation;

typedef struct relations {
    relation *items;
    size_t count, cap;
} relations;

typedef struct gallery {
    cli *c;
    lvl_catalogue *catalogue;
    cli_job *job; /* while files are written */
    lvl_buffer strings;
    level *levels; /* as they are shown */
    size_t count, cap;
    uint32_t *by_file, *by_name, *by_path; /* rows, sorted */
    relations from, alike;
    size_t cut; /* the folder that all paths have in common */
    lvl_status status; /* of the callbacks */
    bool stopped; /* a file could not be written */
    /* the page about a level that is being made */
    lvl_buffer page;
    uint32_t row;
    int section;
    size_t shown, text_bytes;
    /* the words */
    lvl_buffer *shards;
    uint32_t shard_count;
    lvl_buffer word;
    size_t words;
    uint32_t *rows_of_word;
    size_t rows_of_word_count, rows_of_word_cap;
} gallery;

static const char *string(const gallery *g, size_t at)
{
    return (const char *)g->strings.data + at;
}

static size_t add_string(gallery *g, lvl_text text)
{
    const size_t at = g->strings.len;

    if (!text.ptr || !text.len)
        return 0;
    lvl_buffer_add(&g->strings, text.ptr, text.len);
    lvl_buffer_u8(&g->strings, 0);
    return at;
}

static int64_t number(const lvl_catalogue_value *v)
{
    int64_t n = 0;

    for (size_t i = 0; i < v->text.len && lvl_is_digit(v->text.ptr[i]) && n < INT64_MAX / 10 - 1; i++)
        n = n * 10 + (v->text.ptr[i] - '0');
    return n;
}

/* Runs a query; `why` is reported. */
static int query(gallery *g, const char *sql, lvl_catalogue_row_fn row)
{
    const lvl_find_options options = {.mode = LVL_FIND_SQL, .text = sql};
    lvl_buffer why = {0};

    lvl_status status = lvl_catalogue_find(g->catalogue, &options, row, g, &why);
    if (status == LVL_OK)
        status = g->status;
    lvl_buffer_u8(&why, 0);
    if (status != LVL_OK && status != LVL_ERR_STOPPED)
        cli_report(g->c, "the catalogue cannot be read: %s",
                   why.len > 1 && why.status == LVL_OK ? (const char *)why.data : lvl_status_text(status));
    lvl_buffer_free(&why);
    return status == LVL_OK ? EXIT_FINE : status == LVL_ERR_ARG ? EXIT_FOREIGN : cli_code_of(status);
}

/* ---- the levels --------------------------------------------------------------------------------------- */

static bool take_level(void *user, const lvl_catalogue_value *v, size_t count)
{
    enum {
        FILE_,
        PATH,
        FOLDED,
        SIZE,
        DATE,
        FORMAT,
        VERSION,
        VERDICT,
        CONTENT,
        TITLE,
        AUTHOR,
        GAME,
        WIDTH,
        HEIGHT,
        THINGS,
        PICTURE,
        COLUMNS
    };
    gallery *g = user;
    lvl_buffer facts = {0};
    char format[32];

    if (count != COLUMNS || g->count == UINT32_MAX / 2)
        return false;
    snprintf(format, sizeof format, "%.*s",
             (int)(v[FORMAT].text.len < sizeof format ? v[FORMAT].text.len : 0),
             v[FORMAT].text.ptr ? v[FORMAT].text.ptr : "");
    const lvl_format *f = lvl_format_find(format);
    const unsigned can = f ? lvl_format_can(f) : 0;
    if (!(can & LVL_CAN_RENDER) || (can & LVL_CAN_IMAGE))
        return true; /* a pack, or a picture */
    if (!cli_grow(&g->levels, &g->cap, g->count + 1, sizeof *g->levels)) {
        g->status = LVL_ERR_MEMORY;
        return false;
    }
    level *l = &g->levels[g->count++];
    memset(l, 0, sizeof *l);
    l->file = number(&v[FILE_]);
    l->format = f;
    l->size = (uint64_t)number(&v[SIZE]);
    l->picture = number(&v[PICTURE]) != 0;
    l->path = add_string(g, v[PATH].text);
    l->name = add_string(g, v[FOLDED].text);
    l->date = add_string(g, v[DATE].text);
    l->version = add_string(g, v[VERSION].text);
    l->verdict = add_string(g, v[VERDICT].text);
    l->content = add_string(g, v[CONTENT].text);
    l->title = add_string(g, v[TITLE].text);
    l->author = add_string(g, v[AUTHOR].text);
    l->game = add_string(g, v[GAME].text);
    if (!v[WIDTH].null)
        lvl_buffer_printf(&facts, "%lld x %lld px", (long long)number(&v[WIDTH]),
                          (long long)number(&v[HEIGHT]));
    if (!v[THINGS].null)
        lvl_buffer_printf(&facts, "%s%lld things", facts.len ? ", " : "", (long long)number(&v[THINGS]));
    l->facts = add_string(g, lvl_buffer_text(&facts));
    g->status = facts.status != LVL_OK ? facts.status : g->strings.status;
    if (g->status == LVL_OK)
        cli_view_id((lvl_bytes){g->strings.data + l->path, strlen(string(g, l->path))}, l->id);
    lvl_buffer_free(&facts);
    return g->status == LVL_OK;
}

/* A row and what it is sorted by. */
typedef struct keyed {
    const char *text;
    int64_t file;
    uint32_t row;
} keyed;

static int by_natural_text(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    const int d = lvl_text_compare_natural(lvl_text_of(x->text), lvl_text_of(y->text));

    return d ? d : strcmp(x->text, y->text);
}

static int by_text(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    const int d = strcmp(x->text, y->text);

    return d ? d : (x->row > y->row) - (x->row < y->row);
}

static int by_file(const void *a, const void *b)
{
    const keyed *x = a, *y = b;

    return (x->file > y->file) - (x->file < y->file);
}

/* Rows in an order; `text`: the offset of the text in a level. NULL without memory. */
static uint32_t *sort_rows(const gallery *g, size_t text, int (*order)(const void *, const void *))
{
    uint32_t *rows = malloc((g->count + 1) * sizeof *rows);
    keyed *keys = malloc((g->count + 1) * sizeof *keys);

    for (size_t i = 0; i < g->count && keys; i++) {
        const level *l = &g->levels[i];
        size_t at;
        memcpy(&at, (const char *)l + text, sizeof at);
        keys[i] = (keyed){string(g, at), l->file, (uint32_t)i};
    }
    if (keys)
        qsort(keys, g->count, sizeof *keys, order);
    for (size_t i = 0; i < g->count && rows && keys; i++)
        rows[i] = keys[i].row;
    if (!keys) {
        free(rows);
        rows = NULL;
    }
    free(keys);
    return rows;
}

/* Puts the levels into the order in which they are shown. */
static bool sort_levels(gallery *g)
{
    uint32_t *rows = sort_rows(g, offsetof(level, path), by_natural_text);
    level *levels = malloc((g->count + 1) * sizeof *levels);

    for (size_t i = 0; i < g->count && rows && levels; i++)
        levels[i] = g->levels[rows[i]];
    const bool good = rows && levels;
    free(rows);
    if (good) {
        free(g->levels);
        g->levels = levels;
    } else {
        free(levels);
    }
    return good;
}

/* Notes which levels have the same content. */
static bool fold_copies(gallery *g)
{
    uint32_t *rows = sort_rows(g, offsetof(level, content), by_text);

    for (size_t i = 0, next; i < g->count && rows; i = next) {
        const char *content = string(g, g->levels[rows[i]].content);
        for (next = i + 1;
             next < g->count && *content && strcmp(string(g, g->levels[rows[next]].content), content) == 0;)
            next++;
        for (size_t k = i; k < next; k++) {
            g->levels[rows[k]].first = rows[i];
            g->levels[rows[k]].next = k + 1 < next ? rows[k + 1] : UINT32_MAX;
        }
    }
    free(rows);
    return rows != NULL;
}

/* How many bytes of a path are folders on the disk. */
static size_t folder_length(const char *path)
{
    const char *inner = strstr(path, "//");
    size_t len = inner ? (size_t)(inner - path) : strlen(path);

    while (len && path[len - 1] != '/')
        len--;
    return len;
}

static void find_cut(gallery *g)
{
    for (size_t i = 0; i < g->count; i++) {
        const char *first = string(g, g->levels[0].path), *path = string(g, g->levels[i].path);
        const size_t most = folder_length(path);
        size_t same = 0;
        if (!i)
            g->cut = most;
        while (same < g->cut && same < most && path[same] == first[same])
            same++;
        while (same && first[same - 1] != '/')
            same--;
        g->cut = same;
    }
}

static int read_levels(gallery *g)
{
    static const char sql[] = "SELECT f.id, f.path, f.folded, f.size, f.date, f.format, f.version, "
                              "f.verdict, f.content, l.title, l.author, "
                              "l.game, l.width, l.height, l.things, CASE WHEN t.file IS NULL THEN 0 ELSE 1 "
                              "END FROM files f LEFT JOIN levels "
                              "l ON l.file = f.id LEFT JOIN thumbnails t ON t.file = f.id WHERE f.removed IS "
                              "NULL AND f.format IS NOT NULL "
                              "ORDER BY f.id";

    lvl_buffer_u8(&g->strings, 0);
    const int code = query(g, sql, take_level);
    if (code || !g->count)
        return code;
    if (!sort_levels(g))
        return cli_no_memory(g->c);
    g->by_file = sort_rows(g, offsetof(level, path), by_file);
    g->by_name = sort_rows(g, offsetof(level, name), by_text);
    g->by_path = sort_rows(g, offsetof(level, path), by_text);
    find_cut(g);
    return g->by_file && g->by_name && g->by_path && fold_copies(g) ? EXIT_FINE : cli_no_memory(g->c);
}

/* The row of a file; UINT32_MAX: it is no level. */
static uint32_t row_of(const gallery *g, int64_t file)
{
    size_t low = 0, high = g->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (g->levels[g->by_file[middle]].file < file)
            low = middle + 1;
        else
            high = middle;
    }
    return low < g->count && g->levels[g->by_file[low]].file == file ? g->by_file[low] : UINT32_MAX;
}

static level *level_at_path(const gallery *g, const char *path)
{
    size_t low = 0, high = g->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(string(g, g->levels[g->by_path[middle]].path), path) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    level *l = low < g->count ? &g->levels[g->by_path[low]] : NULL;
    return l && strcmp(string(g, l->path), path) == 0 ? l : NULL;
}

/* The first in by_name with this name whose row is not below `row`; if there is none, where it would be. */
static size_t named_from(const gallery *g, const char *name, uint32_t row)
{
    size_t low = 0, high = g->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int d = strcmp(string(g, g->levels[g->by_name[middle]].name), name);
        if (d < 0 || (d == 0 && g->by_name[middle] < row))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The level that `target` names in the level of a row: of several, the nearest one. UINT32_MAX: none. */
static uint32_t find_target(const gallery *g, uint32_t row, lvl_text target)
{
    const char *from = string(g, g->levels[row].path);
    uint32_t best = UINT32_MAX;
    size_t longest = 0, start = 0;
    char name[260];

    for (size_t i = 0; i < target.len; i++) {
        if (target.ptr[i] == '/' || target.ptr[i] == '\\')
            start = i + 1;
    }
    if (target.len - start >= sizeof name)
        return UINT32_MAX;
    for (size_t i = start; i <= target.len; i++)
        name[i - start] = i < target.len ? (char)lvl_lower(target.ptr[i]) : 0;
    /* rows are in the order of paths: the nearest ones are those around its own row */
    const size_t first = named_from(g, name, 0), here = named_from(g, name, row);
    for (size_t i = here - first > MOST_AROUND ? here - MOST_AROUND : first;
         i < g->count && i < here + MOST_AROUND; i++) {
        const level *l = &g->levels[g->by_name[i]];
        const char *path = string(g, l->path);
        size_t same = 0;
        if (strcmp(string(g, l->name), name) != 0)
            break;
        while (path[same] && path[same] == from[same])
            same++;
        if (best == UINT32_MAX || same > longest) {
            best = g->by_name[i];
            longest = same;
        }
    }
    return best;
}

/* ---- links and likeness ------------------------------------------------------------------------------- */

static bool relate(gallery *g, relations *to, uint32_t of, uint32_t other, uint32_t percent)
{
    if (!cli_grow(&to->items, &to->cap, to->count + 1, sizeof *to->items)) {
        g->status = LVL_ERR_MEMORY;
        return false;
    }
    to->items[to->count++] = (relation){of, other, percent};
    return true;
}

static bool take_link(void *user, const lvl_catalogue_value *v, size_t count)
{
    gallery *g = user;
    const uint32_t row = count == 2 ? row_of(g, number(&v[0])) : UINT32_MAX;
    const uint32_t target = row != UINT32_MAX && v[1].text.ptr ? find_target(g, row, v[1].text) : UINT32_MAX;

    return target == UINT32_MAX || relate(g, &g->from, target, row, 0);
}

static bool take_alike(void *user, const lvl_catalogue_value *v, size_t count)
{
    gallery *g = user;
    const uint32_t a = count == 3 ? row_of(g, number(&v[0])) : UINT32_MAX,
                   b = count == 3 ? row_of(g, number(&v[1])) : UINT32_MAX;

    if (a == UINT32_MAX || b == UINT32_MAX || g->levels[a].first == g->levels[b].first)
        return true;
    const uint32_t percent = (uint32_t)number(&v[2]);
    return relate(g, &g->alike, a, b, percent) && relate(g, &g->alike, b, a, percent);
}

static int by_relation(const void *a, const void *b)
{
    const relation *x = a, *y = b;

    return x->of != y->of             ? (x->of < y->of ? -1 : 1)
           : x->percent != y->percent ? (x->percent > y->percent ? -1 : 1)
                                      : (x->other > y->other) - (x->other < y->other);
}

static int read_relations(gallery *g)
{
    int code =
        query(g, "SELECT file, target FROM refs WHERE kind = 'level' ORDER BY file, number", take_link);

    if (code)
        return code;
    const lvl_status status = lvl_catalogue_alike(g->catalogue, take_alike, g);
    if (status != LVL_OK || g->status != LVL_OK)
        code = cli_code_of(status != LVL_OK ? status : g->status);
    if (g->from.count)
        qsort(g->from.items, g->from.count, sizeof *g->from.items, by_relation);
    if (g->alike.count)
        qsort(g->alike.items, g->alike.count, sizeof *g->alike.items, by_relation);
    return code;
}

/* ---- the page about a level --------------------------------------------------------------------------- */

static bool save(gallery *g, const char *folder, const char *name, const char *ending,
                 const lvl_buffer *bytes)
{
    if (bytes->status != LVL_OK)
        g->status = bytes->status;
    else if (!cli_view_save(g->job, folder, name, ending, lvl_buffer_bytes(bytes)))
        g->stopped = true;
    return g->status == LVL_OK && !g->stopped && !cli_stopped();
}

static void put_text(lvl_buffer *out, const char *key, const char *text)
{
    if (*text)
        lvl_json_put_string(out, key, text);
}

/* [ID, PATH, PICTURE], and what follows. */
static void put_level(const gallery *g, lvl_buffer *out, uint32_t row)
{
    const level *l = &g->levels[row];

    lvl_buffer_printf(out, "[\"%s\",", l->id);
    lvl_json_string(out, lvl_text_of(string(g, l->path) + g->cut));
    lvl_buffer_printf(out, ",%d", l->picture);
}

static void put_relations(const gallery *g, const char *key, const relations *list, uint32_t row, size_t most,
                          lvl_buffer *out)
{
    size_t low = 0, high = list->count, n = 0;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (list->items[middle].of < row)
            low = middle + 1;
        else
            high = middle;
    }
    lvl_json_key(out, key);
    lvl_buffer_u8(out, '[');
    for (size_t i = low; i < list->count && list->items[i].of == row && n < most; i++) {
        const relation *r = &list->items[i];
        if (i > low && r->other == r[-1].other)
            continue;
        lvl_buffer_str(out, n++ ? "," : "");
        put_level(g, out, r->other);
        lvl_buffer_printf(out, ",%u]", r->percent);
    }
    lvl_buffer_u8(out, ']');
}

/* Levels with the same content; and those with the same name and another content, with their dates. */
static void put_versions(const gallery *g, uint32_t row, lvl_buffer *out)
{
    const level *l = &g->levels[row];
    const size_t first = named_from(g, string(g, l->name), 0);
    size_t n = 0;

    lvl_json_key(out, "versions");
    lvl_buffer_u8(out, '[');
    for (size_t i = first; i < g->count && n < MOST_SHOWN; i++) {
        const level *other = &g->levels[g->by_name[i]];
        if (strcmp(string(g, other->name), string(g, l->name)) != 0)
            break;
        if (other->first == l->first)
            continue;
        lvl_buffer_str(out, n++ ? "," : "");
        put_level(g, out, g->by_name[i]);
        lvl_buffer_u8(out, ',');
        lvl_json_string(out, lvl_text_of(string(g, other->date)));
        lvl_buffer_u8(out, ']');
    }
    lvl_buffer_u8(out, ']');
}

static void put_copies(const gallery *g, uint32_t row, lvl_buffer *out)
{
    const level *l = &g->levels[row];
    size_t n = 0;

    lvl_json_key(out, "copies");
    lvl_buffer_u8(out, '[');
    for (uint32_t i = l->first; i != UINT32_MAX && n < MOST_SHOWN; i = g->levels[i].next) {
        if (i == row)
            continue;
        lvl_buffer_str(out, n++ ? "," : "");
        put_level(g, out, i);
        lvl_buffer_u8(out, ']');
    }
    lvl_buffer_u8(out, ']');
}

static void begin_page(gallery *g, uint32_t row)
{
    const level *l = &g->levels[row];
    lvl_buffer *out = &g->page;

    out->len = 0;
    g->row = row;
    g->section = -1;
    g->shown = g->text_bytes = 0;
    lvl_buffer_str(out, "lvlAbout({");
    lvl_json_put_string(out, "path", string(g, l->path) + g->cut);
    lvl_json_put_string(out, "format", l->format->title);
    put_text(out, "version", string(g, l->version));
    put_text(out, "verdict", string(g, l->verdict));
    lvl_buffer_printf(out, ",\"bytes\":%llu,\"picture\":%d,\"viewer\":%d", (unsigned long long)l->size,
                      l->picture, l->viewer);
    put_text(out, "date", string(g, l->date));
    put_text(out, "title", string(g, l->title));
    put_text(out, "author", string(g, l->author));
    put_text(out, "game", string(g, l->game));
    if (row)
        lvl_json_put_string(out, "previous", g->levels[row - 1].id);
    if (row + 1 < g->count)
        lvl_json_put_string(out, "next", g->levels[row + 1].id);
    put_relations(g, "from", &g->from, row, MOST_SHOWN, out);
    put_relations(g, "alike", &g->alike, row, MOST_ALIKE, out);
    put_versions(g, row, out);
    put_copies(g, row, out);
}

static bool end_page(gallery *g)
{
    level *l = &g->levels[g->row];

    lvl_buffer_str(&g->page, g->section >= 0 ? "]});\n" : "});\n");
    l->written = true;
    return save(g, "about/", l->id, ".js", &g->page);
}

/* A prefix of a text that is shown, which ends at the end of a character. */
static lvl_text shortened(lvl_text text, size_t most)
{
    if (text.len > most) {
        text.len = most;
        while (text.len && ((unsigned char)text.ptr[text.len] & 0xC0) == 0x80)
            text.len--;
    }
    return text;
}

/* Rows of file, part, number, a, b, c, d, count, found, in this order. */
enum { TEXTS, REFS, FINDINGS, FACTS, NOTES, PARTS };
static const char details[] = "SELECT file, 0 AS part, id AS number, name AS a, field AS b, text AS c, "
                              "places AS d, 0 AS count, 0 AS found FROM "
                              "texts WHERE name <> 'file' UNION ALL SELECT file, 1, number, kind, target, "
                              "place, '', count, found FROM refs UNION "
                              "ALL SELECT file, 2, number, id, severity, place, text, count, 0 FROM findings "
                              "UNION ALL SELECT file, 3, 0, info, "
                              "'', '', '', 0, 0 FROM levels WHERE info IS NOT NULL UNION ALL SELECT f.id, 4, "
                              "0, n.key, n.value, n.source, '', 0, "
                              "0 FROM notes n JOIN files f ON f.sha256 = n.sha256 ORDER BY 1, 2, 3";

static void put_detail(gallery *g, int section, const lvl_catalogue_value *v)
{
    static const unsigned columns[PARTS] = {
        [TEXTS] = 4, [REFS] = 3, [FINDINGS] = 4, [FACTS] = 1, [NOTES] = 3};
    static const char *const keys[PARTS] = {"texts", "refs", "findings", "info", "notes"};
    enum { A = 3, COUNT = 7, FOUND = 8 };
    lvl_buffer *out = &g->page;
    size_t cut = 0;

    if (section != g->section) {
        lvl_buffer_str(out, g->section >= 0 ? "]" : "");
        lvl_json_key(out, keys[section]);
        lvl_buffer_u8(out, '[');
        g->section = section;
        g->shown = 0;
    }
    if (g->shown >= MOST_SHOWN * 5 || (section == TEXTS && g->text_bytes >= MAX_TEXTS))
        return;
    lvl_buffer_str(out, g->shown++ ? ",\n[" : "\n[");
    for (unsigned i = 0; i < columns[section]; i++) {
        const lvl_text all = v[A + i].text.ptr ? v[A + i].text : lvl_text_of("");
        const bool places = section == TEXTS && i == 3; /* only that of the first value is shown */
        const lvl_text text = shortened(all, places ? MAX_PLACE : section == FACTS ? MAX_TEXTS : MAX_TEXT);
        lvl_buffer_str(out, i ? "," : "");
        lvl_json_string(out, text);
        cut += places ? 0 : all.len - text.len;
        g->text_bytes += section == TEXTS ? text.len : 0;
    }
    if (section == TEXTS)
        lvl_buffer_printf(out, ",%zu", cut);
    if (section == REFS || section == FINDINGS)
        lvl_buffer_printf(out, ",%lld", (long long)number(&v[COUNT]));
    if (section == REFS) {
        lvl_buffer_printf(out, ",%s", v[FOUND].null ? "null" : number(&v[FOUND]) ? "1" : "0");
        const uint32_t target =
            lvl_text_is(v[A].text, "level") ? find_target(g, g->row, v[A + 1].text) : UINT32_MAX;
        if (target != UINT32_MAX) {
            lvl_buffer_u8(out, ',');
            put_level(g, out, target);
            lvl_buffer_u8(out, ']');
        }
    }
    lvl_buffer_u8(out, ']');
}

static bool take_detail(void *user, const lvl_catalogue_value *v, size_t count)
{
    gallery *g = user;
    const uint32_t row = count == 9 ? row_of(g, number(&v[0])) : UINT32_MAX;
    const int64_t section = count == 9 ? number(&v[1]) : PARTS;

    if (row == UINT32_MAX || section >= PARTS)
        return true;
    if (row != g->row) {
        if (g->row != UINT32_MAX && !end_page(g))
            return false;
        begin_page(g, row);
    }
    put_detail(g, (int)section, v);
    return g->page.status == LVL_OK;
}

static int write_pages(gallery *g)
{
    g->row = UINT32_MAX;
    const int code = query(g, details, take_detail);
    bool good = !code && !g->stopped;

    if (good && g->row != UINT32_MAX)
        good = end_page(g);
    for (uint32_t i = 0; i < g->count && good; i++) {
        if (g->levels[i].written)
            continue;
        begin_page(g, i); /* of which nothing more is known */
        good = end_page(g);
    }
    return code;
}

static bool take_picture(void *user, const lvl_catalogue_value *v, size_t count)
{
    gallery *g = user;
    const uint32_t row = count == 2 ? row_of(g, number(&v[0])) : UINT32_MAX;

    if (row == UINT32_MAX || !v[1].bytes)
        return true;
    const lvl_bytes png = {(const uint8_t *)v[1].text.ptr, v[1].text.len};
    g->stopped = !cli_view_save(g->job, "pictures/", g->levels[row].id, ".png", png);
    return !g->stopped && !cli_stopped();
}

/* ---- the words ---------------------------------------------------------------------------------------- */

static void put_base36(lvl_buffer *out, uint32_t value)
{
    char digits[8];
    size_t n = 0;

    do
        digits[n++] = "0123456789abcdefghijklmnopqrstuvwxyz"[value % 36];
    while ((value /= 36) != 0);
    while (n)
        lvl_buffer_u8(out, (uint8_t)digits[--n]);
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* Adds the word whose rows were collected to its part. */
static void end_word(gallery *g)
{
    uint32_t before = 0;

    if (!g->rows_of_word_count || g->word.len < 2)
        return;
    lvl_buffer *out = &g->shards[(g->word.data[0] * 31U + g->word.data[1]) % g->shard_count];
    qsort(g->rows_of_word, g->rows_of_word_count, sizeof *g->rows_of_word, by_number);
    lvl_buffer_add(out, g->word.data, g->word.len);
    for (size_t i = 0; i < g->rows_of_word_count; i++) {
        lvl_buffer_u8(out, ' ');
        put_base36(out, g->rows_of_word[i] - before);
        before = g->rows_of_word[i];
    }
    lvl_buffer_u8(out, '\n');
    if (out->status != LVL_OK)
        g->status = out->status;
}

static bool take_word(void *user, const lvl_catalogue_value *v, size_t count)
{
    gallery *g = user;
    const lvl_text word = count == 2 ? v[0].text : (lvl_text){NULL, 0};
    const uint32_t row = count == 2 ? row_of(g, number(&v[1])) : UINT32_MAX;

    if (row == UINT32_MAX || !word.len || word.len > MAX_WORD)
        return true;
    if (g->word.len != word.len || memcmp(g->word.data, word.ptr, word.len) != 0) {
        end_word(g);
        g->rows_of_word_count = g->word.len = 0;
        lvl_buffer_add(&g->word, word.ptr, word.len);
        g->words++;
    }
    if (!cli_grow(&g->rows_of_word, &g->rows_of_word_cap, g->rows_of_word_count + 1, sizeof *g->rows_of_word))
        g->status = LVL_ERR_MEMORY;
    else
        g->rows_of_word[g->rows_of_word_count++] = row;
    if (g->word.status != LVL_OK)
        g->status = g->word.status;
    return g->status == LVL_OK && !cli_stopped();
}

static int write_words(gallery *g)
{
    /* about as many words in each part, whatever the number of levels */
    g->shard_count = (uint32_t)(g->count * 10 / WORDS_OF_SHARD + 1);
    if (g->shard_count > MAX_SHARDS)
        g->shard_count = MAX_SHARDS;
    g->shards = calloc(g->shard_count, sizeof *g->shards);
    lvl_status status = g->shards ? lvl_catalogue_words(g->catalogue, take_word, g) : LVL_ERR_MEMORY;
    if (status == LVL_OK)
        status = g->status;
    if (status != LVL_OK) {
        cli_report(g->c, "the words of the catalogue cannot be read: %s",
                   status == LVL_ERR_MEMORY ? lvl_status_text(status) : lvl_catalogue_error(g->catalogue));
        return cli_code_of(status);
    }
    end_word(g);
    for (uint32_t i = 0; i < g->shard_count; i++) {
        lvl_buffer out = {0};
        char name[32];
        lvl_buffer_printf(&out, "lvlWords(%u,", i);
        lvl_json_string(&out, lvl_buffer_text(&g->shards[i]));
        lvl_buffer_str(&out, ");\n");
        snprintf(name, sizeof name, "words-%u", i);
        const bool saved = save(g, "", name, ".js", &out);
        lvl_buffer_free(&out);
        if (!saved)
            return EXIT_FINE;
    }
    return EXIT_FINE;
}

/* ---- the index ---------------------------------------------------------------------------------------- */

static void put_row(const gallery *g, lvl_buffer *out, uint32_t row)
{
    const level *l = &g->levels[row];
    const char *const texts[] = {l->format->title, string(g, l->game), string(g, l->author), NULL,
                                 string(g, l->title)};

    lvl_buffer_printf(out, "[\"%s\",", l->id);
    lvl_json_string(out, lvl_text_of(string(g, l->path) + g->cut));
    lvl_buffer_printf(out, ",%llu,", (unsigned long long)l->size);
    lvl_json_string(out, lvl_text_of(string(g, l->verdict)));
    lvl_buffer_u8(out, ',');
    lvl_json_string(out, lvl_text_of(string(g, l->facts)));
    lvl_buffer_printf(out, ",%d", l->picture);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        lvl_buffer_u8(out, ',');
        const lvl_text year = shortened(lvl_text_of(string(g, l->date)), 4);
        lvl_json_string(out, texts[i] ? shortened(lvl_text_of(texts[i]), 200) : year);
    }
    lvl_buffer_printf(out, ",%u]", l->first);
}

static bool write_index(gallery *g)
{
    const size_t parts = g->count > FIRST_ROWS ? (g->count - FIRST_ROWS + NEXT_ROWS - 1) / NEXT_ROWS : 0;
    size_t from = 0;

    for (size_t piece = 0; piece <= parts; piece++) {
        const size_t most = piece ? NEXT_ROWS : FIRST_ROWS, left = g->count - from,
                     n = left < most ? left : most;
        lvl_buffer out = {0};
        char name[32] = "levels";
        if (piece)
            snprintf(name, sizeof name, "levels-%zu", piece);
        if (piece)
            lvl_buffer_str(&out, "lvlMore([\n");
        else
            lvl_buffer_printf(
                &out, "var lvlSite = {\"levels\":%zu,\"parts\":%zu,\"shards\":%u};\nvar lvlRows = [\n",
                g->count, parts, g->shard_count);
        for (size_t i = 0; i < n; i++) {
            lvl_buffer_str(&out, i ? ",\n" : "");
            put_row(g, &out, (uint32_t)(from + i));
        }
        lvl_buffer_str(&out, piece ? "\n]);\n" : "\n];\n");
        from += n;
        const bool saved = save(g, "", name, ".js", &out);
        lvl_buffer_free(&out);
        if (!saved)
            return false;
    }
    return true;
}

static void write_all(cli_job *job)
{
    gallery *g = job->c->user;

    g->job = job;
    int code = read_relations(g);
    if (!code)
        code = query(g, "SELECT file, png FROM thumbnails ORDER BY file", take_picture);
    if (!code && !g->stopped)
        code = write_pages(g);
    if (!code && !g->stopped)
        code = write_words(g);
    if (!code && !g->stopped && write_index(g))
        g->stopped = !cli_view_pages(job, true);
    if (!code && g->status != LVL_OK)
        code = cli_code_of(g->status);
    job->code = cli_max_exit_code(job->code, code);
}

/* ---- the verb ----------------------------------------------------------------------------------------- */

static bool find_wanted(void *user, const char *name, char id[CLI_VIEW_ID])
{
    const level *l = level_at_path(user, name);

    if (l)
        memcpy(id, l->id, CLI_VIEW_ID);
    return l != NULL;
}

static void note_saved(void *user, const char *name)
{
    level *l = level_at_path(user, name);

    if (l)
        l->viewer = true;
}

/* The files of the levels that are still there, and archives of which levels are members, each once. */
static int take_files(gallery *g, size_t *gone)
{
    char *last = NULL;
    int code = EXIT_FINE;

    for (size_t i = 0; i < g->count && !code; i++) {
        const char *path = string(g, g->levels[g->by_path[i]].path), *inner = strstr(path, "//");
        char *file = cli_format("%.*s", (int)(inner ? (size_t)(inner - path) : strlen(path)), path);
        if (!file) {
            code = cli_no_memory(g->c);
        } else if (lvl_file_kind_of(file) != LVL_FILE_REGULAR) {
            ++*gone;
        } else if (!last || strcmp(last, file) != 0) {
            if (!cli_input_add(g->c, &g->c->inputs, file, true))
                code = cli_no_memory(g->c);
            free(last);
            last = file;
            file = NULL;
        }
        free(file);
    }
    free(last);
    return code;
}

static int make_site(gallery *g)
{
    const cli_view_wanted wanted = {find_wanted, note_saved, g};
    cli *c = g->c;
    lvl_file_error why = {0};
    size_t gone = 0, viewed = 0;
    bool no_viewer;

    c->opt.members = true;
    c->together = true;
    int code = take_files(g, &gone);
    if (code)
        return code;
    /* a level that cannot be read has its page, without the viewer */
    code = cli_view_levels(c, &wanted, &no_viewer);
    if (code == EXIT_USAGE || code == EXIT_ENVIRONMENT || cli_stopped())
        return code;
    c->user = g;
    code = cli_job_whole(c, c->opt.output, write_all);
    const lvl_status status = lvl_folder_flush(c->opt.output, &why);
    if (status != LVL_OK)
        code = cli_max_exit_code(code, cli_report_file(c, c->opt.output, status, &why));
    for (size_t i = 0; i < g->count; i++)
        viewed += g->levels[i].viewer;
    if (no_viewer && !code && !c->opt.quiet)
        cli_report(c, "the site is written without the viewer");
    else if (!code && !c->opt.quiet && gone)
        cli_report(
            c,
            "%zu of %zu levels are not where they were scanned, and cannot be opened in the viewer: run `lvl "
            "gallery' in the folder in which `lvl scan' ran",
            gone, g->count);
    if (!code && !c->opt.quiet)
        cli_report(c, "%zu %s, %zu in the viewer: open %s/index.html", g->count,
                   g->count == 1 ? "level" : "levels", viewed, c->opt.output);
    return code;
}

static void free_gallery(gallery *g)
{
    for (uint32_t i = 0; i < g->shard_count && g->shards; i++)
        lvl_buffer_free(&g->shards[i]);
    free(g->shards);
    free(g->levels);
    free(g->by_file);
    free(g->by_name);
    free(g->by_path);
    free(g->from.items);
    free(g->alike.items);
    free(g->rows_of_word);
    lvl_buffer_free(&g->strings);
    lvl_buffer_free(&g->page);
    lvl_buffer_free(&g->word);
    lvl_catalogue_close(g->catalogue);
}

int cmd_gallery(cli *c)
{
    const char *path = c->args.count ? c->args.items[0] : CLI_CATALOGUE;
    gallery g = {.c = c};

    if (c->args.count > 1)
        return cli_usage(c, "%s: expected one catalogue", c->args.items[1]);
    if (!c->opt.output || cli_is_stdout(c->opt.output) || lvl_file_kind_of(c->opt.output) == LVL_FILE_REGULAR)
        return cli_usage(c, "a gallery is a folder of pages; use -o DIR");
    char *index = cli_format("%s/index.html", c->opt.output);
    int code = index ? cli_may_create(c, index) : cli_no_memory(c);
    free(index);
    if (!code)
        code = cli_catalogue_open(c, path, &g.catalogue);
    if (!code)
        code = read_levels(&g);
    if (!code && !g.count) {
        cli_report(c, "%s: no level is in this catalogue", path);
        code = EXIT_NEGATIVE;
    } else if (!code) {
        code = make_site(&g);
    }
    free_gallery(&g);
    return code;
}
