/*
 * cli/pages/gallery_levels.c: the levels of a catalogue, as `lvl gallery' shows them.
 *
 *  1. gallery_read_levels takes a row of each file that can be drawn, sorts them by path, and notes which
 *     have the same content, and which folder all have in common.
 *  2. Indexes find rows by file, name and path.
 *  3. gallery_read_relations resolves links to rows (a link names a file, not a place) and takes likeness.
 */
#include "cli/pages/gallery.h"

#include "base/search.h"
#include "base/text.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_AROUND = 50 }; /* levels of one name that are compared on each side */

const char *gallery_string(const gallery *g, size_t at)
{
    return (const char *)g->strings.data + at;
}

const char *gallery_path(const gallery *g, const gallery_level *l)
{
    return gallery_string(g, l->path) + g->cut;
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

int64_t gallery_number(const lvl_catalogue_value *v)
{
    int64_t n = 0;

    for (size_t i = 0; i < v->text.len && lvl_is_digit(v->text.ptr[i]) && n < INT64_MAX / 10 - 1; i++)
        n = n * 10 + (v->text.ptr[i] - '0');
    return n;
}

int gallery_query(gallery *g, const char *sql, lvl_catalogue_row_fn row, void *user)
{
    const lvl_find_options options = {.mode = LVL_FIND_SQL, .text = sql};
    lvl_buffer why = {0};

    lvl_status status = lvl_catalogue_find(g->catalogue, &options, row, user, &why);
    if (status == LVL_OK)
        status = g->status;
    lvl_buffer_u8(&why, 0);
    if (status != LVL_OK && status != LVL_ERR_STOPPED)
        cli_report(g->c, "the catalogue cannot be read: %s",
                   why.len > 1 && why.status == LVL_OK ? (const char *)why.data : lvl_status_text(status));
    lvl_buffer_free(&why);
    return status == LVL_OK ? EXIT_FINE : status == LVL_ERR_ARG ? EXIT_FOREIGN : cli_code_of(status);
}

/* ---- reading ------------------------------------------------------------------------------------------ */

/* The columns of the query below. */
enum {
    FILE_ID,
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
static const char level_query[] = "SELECT f.id, f.path, f.folded, f.size, f.date, f.format, f.version, "
                                  "f.verdict, f.content, l.title, l.author, "
                                  "l.game, l.width, l.height, l.things, CASE WHEN t.file IS NULL THEN 0 ELSE "
                                  "1 END FROM files f LEFT JOIN stored_levels "
                                  "l ON l.file = f.id LEFT JOIN thumbnails t ON t.file = f.id WHERE "
                                  "f.removed IS NULL AND f.format IS NOT NULL "
                                  "ORDER BY f.id";

/* The format of a level that can be shown; NULL: it is a pack, or a picture. */
static const lvl_format *shown_format(lvl_text id)
{
    char name[32];

    if (!id.ptr || id.len >= sizeof name)
        return NULL;
    memcpy(name, id.ptr, id.len);
    name[id.len] = 0;
    const lvl_format *format = lvl_format_find(name);
    const unsigned can = format ? lvl_format_can(format) : 0;
    return (can & LVL_CAN_RENDER) && !(can & LVL_CAN_IMAGE) ? format : NULL;
}

/* "1024 x 768 px, 12 things", of what is known. */
static size_t add_facts(gallery *g, const lvl_catalogue_value *v)
{
    lvl_buffer facts = {0};

    if (!v[WIDTH].null)
        lvl_buffer_printf(&facts, "%lld x %lld px", (long long)gallery_number(&v[WIDTH]),
                          (long long)gallery_number(&v[HEIGHT]));
    if (!v[THINGS].null)
        lvl_buffer_printf(&facts, "%s%lld things", facts.len ? ", " : "",
                          (long long)gallery_number(&v[THINGS]));
    const size_t at = add_string(g, lvl_buffer_text(&facts));
    if (facts.status != LVL_OK)
        g->status = facts.status;
    lvl_buffer_free(&facts);
    return at;
}

static bool take_level(void *user, const lvl_catalogue_value *v, size_t count)
{
    gallery *g = user;

    if (count != COLUMNS || g->count == UINT32_MAX / 2)
        return false;
    const lvl_format *format = shown_format(v[FORMAT].text);
    if (!format)
        return true;
    if (!cli_grow(&g->levels, &g->cap, g->count + 1, sizeof *g->levels)) {
        g->status = LVL_ERR_MEMORY;
        return false;
    }
    gallery_level *l = &g->levels[g->count++];
    *l = (gallery_level){.file = gallery_number(&v[FILE_ID]),
                         .format = format,
                         .size = (uint64_t)gallery_number(&v[SIZE]),
                         .picture = gallery_number(&v[PICTURE]) != 0};
    l->path = add_string(g, v[PATH].text);
    l->name = add_string(g, v[FOLDED].text);
    l->date = add_string(g, v[DATE].text);
    l->kind = g->count > 1 && l[-1].format == format ? l[-1].kind : add_string(g, lvl_text_of(format->title));
    l->version = add_string(g, v[VERSION].text);
    l->verdict = add_string(g, v[VERDICT].text);
    l->content = add_string(g, v[CONTENT].text);
    l->title = add_string(g, v[TITLE].text);
    l->author = add_string(g, v[AUTHOR].text);
    l->game = add_string(g, v[GAME].text);
    l->facts = add_facts(g, v);
    if (g->status == LVL_OK)
        g->status = g->strings.status;
    if (g->status == LVL_OK)
        cli_view_id((lvl_bytes){g->strings.data + l->path, strlen(gallery_string(g, l->path))}, l->id);
    return g->status == LVL_OK;
}

/* ---- sorting ------------------------------------------------------------------------------------------ */

/* A row and what it is sorted by. */
typedef struct keyed_row {
    const char *text;
    int64_t file;
    uint32_t row;
} keyed_row;

static int by_natural_text(const void *a, const void *b)
{
    const keyed_row *x = a, *y = b;
    const int d = lvl_text_compare_natural(lvl_text_of(x->text), lvl_text_of(y->text));

    return d ? d : strcmp(x->text, y->text);
}

static int by_text(const void *a, const void *b)
{
    const keyed_row *x = a, *y = b;
    const int d = strcmp(x->text, y->text);

    return d ? d : (x->row > y->row) - (x->row < y->row);
}

static int by_file_id(const void *a, const void *b)
{
    const keyed_row *x = a, *y = b;

    return (x->file > y->file) - (x->file < y->file);
}

/* Rows in an order; `text`: the offset of the text in a level. NULL without memory. */
static uint32_t *sort_rows(const gallery *g, size_t text, int (*order)(const void *, const void *))
{
    uint32_t *rows = malloc((g->count + 1) * sizeof *rows);
    keyed_row *keys = malloc((g->count + 1) * sizeof *keys);

    if (!rows || !keys) {
        free(rows);
        free(keys);
        return NULL;
    }
    for (size_t i = 0; i < g->count; i++) {
        const gallery_level *l = &g->levels[i];
        size_t at;
        memcpy(&at, (const char *)l + text, sizeof at);
        keys[i] = (keyed_row){gallery_string(g, at), l->file, (uint32_t)i};
    }
    qsort(keys, g->count, sizeof *keys, order);
    for (size_t i = 0; i < g->count; i++)
        rows[i] = keys[i].row;
    free(keys);
    return rows;
}

uint32_t *gallery_rows_by(const gallery *g, size_t member)
{
    return sort_rows(g, member, by_text);
}

/* Puts the levels into the order in which they are shown. */
static bool sort_levels(gallery *g)
{
    uint32_t *rows = sort_rows(g, offsetof(gallery_level, path), by_natural_text);
    gallery_level *levels = rows ? malloc((g->count + 1) * sizeof *levels) : NULL;

    for (size_t i = 0; i < g->count && levels; i++)
        levels[i] = g->levels[rows[i]];
    free(rows);
    if (!levels)
        return false;
    free(g->levels);
    g->levels = levels;
    return true;
}

/* Notes which levels have the same content. */
static bool note_copies(gallery *g)
{
    uint32_t *rows = sort_rows(g, offsetof(gallery_level, content), by_text);

    for (size_t i = 0, next; i < g->count && rows; i = next) {
        const char *content = gallery_string(g, g->levels[rows[i]].content);
        for (next = i + 1; next < g->count && *content &&
                           strcmp(gallery_string(g, g->levels[rows[next]].content), content) == 0;)
            next++;
        for (size_t k = i; k < next; k++) {
            g->levels[rows[k]].first = rows[i];
            g->levels[rows[k]].copies = (uint32_t)(next - i);
            g->levels[rows[k]].next = k + 1 < next ? rows[k + 1] : UINT32_MAX;
        }
        g->folded += next - i - 1;
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
        const char *first = gallery_string(g, g->levels[0].path),
                   *path = gallery_string(g, g->levels[i].path);
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

int gallery_read_levels(gallery *g)
{
    lvl_buffer_u8(&g->strings, 0);
    const int code = gallery_query(g, level_query, take_level, g);
    if (code || !g->count)
        return code;
    if (!sort_levels(g))
        return cli_no_memory(g->c);
    g->by_file = sort_rows(g, offsetof(gallery_level, path), by_file_id);
    g->by_name = sort_rows(g, offsetof(gallery_level, name), by_text);
    g->by_path = sort_rows(g, offsetof(gallery_level, path), by_text);
    find_cut(g);
    return g->by_file && g->by_name && g->by_path && note_copies(g) ? EXIT_FINE : cli_no_memory(g->c);
}

/* ---- finding ------------------------------------------------------------------------------------------ */

uint32_t gallery_row_of(const gallery *g, int64_t file)
{
    size_t at;

    LVL_LOWER_BOUND(at, g->count, g->levels[g->by_file[at]].file < file);
    return at < g->count && g->levels[g->by_file[at]].file == file ? g->by_file[at] : UINT32_MAX;
}

gallery_level *gallery_level_at(const gallery *g, const char *path)
{
    size_t at;

    LVL_LOWER_BOUND(at, g->count, strcmp(gallery_string(g, g->levels[g->by_path[at]].path), path) < 0);
    gallery_level *l = at < g->count ? &g->levels[g->by_path[at]] : NULL;
    return l && strcmp(gallery_string(g, l->path), path) == 0 ? l : NULL;
}

/* Whether an item of by_name comes before a row of that name. */
static bool is_named_before(const gallery *g, size_t at, const char *name, uint32_t row)
{
    const int d = strcmp(gallery_string(g, g->levels[g->by_name[at]].name), name);

    return d < 0 || (d == 0 && g->by_name[at] < row);
}

size_t gallery_first_named(const gallery *g, const char *name)
{
    size_t at;

    LVL_LOWER_BOUND(at, g->count, is_named_before(g, at, name, 0));
    return at;
}

size_t gallery_first_relation(const gallery_relations *list, uint32_t row)
{
    size_t at;

    LVL_LOWER_BOUND(at, list->count, list->items[at].row < row);
    return at;
}

/* The name of a file in lower case, as in by_name; false: it is longer than any. */
static bool fold_name(lvl_text path, char name[260])
{
    size_t start = 0;

    for (size_t i = 0; i < path.len; i++) {
        if (path.ptr[i] == '/' || path.ptr[i] == '\\')
            start = i + 1;
    }
    if (path.len - start >= 260)
        return false;
    for (size_t i = start; i < path.len; i++)
        name[i - start] = lvl_lower(path.ptr[i]);
    name[path.len - start] = 0;
    return true;
}

size_t gallery_shared_path(const gallery *g, uint32_t a, uint32_t b)
{
    const char *x = gallery_string(g, g->levels[a].path), *y = gallery_string(g, g->levels[b].path);
    size_t same = 0;

    while (x[same] && x[same] == y[same])
        same++;
    return same;
}

uint32_t gallery_find_target(const gallery *g, uint32_t row, lvl_text target)
{
    uint32_t best = UINT32_MAX;
    size_t longest = 0, here;
    char name[260];

    if (!fold_name(target, name))
        return UINT32_MAX;
    /* rows are in the order of paths: the nearest ones are those around its own row */
    LVL_LOWER_BOUND(here, g->count, is_named_before(g, here, name, row));
    const size_t first = gallery_first_named(g, name);
    for (size_t i = here - first > MAX_AROUND ? here - MAX_AROUND : first;
         i < g->count && i < here + MAX_AROUND; i++) {
        if (strcmp(gallery_string(g, g->levels[g->by_name[i]].name), name) != 0)
            break;
        const size_t same = gallery_shared_path(g, row, g->by_name[i]);
        if (best == UINT32_MAX || same > longest) {
            best = g->by_name[i];
            longest = same;
        }
    }
    return best;
}

/* ---- links and likeness ------------------------------------------------------------------------------- */

static bool add_relation(gallery *g, gallery_relations *to, uint32_t row, uint32_t other, uint32_t percent)
{
    if (!cli_grow(&to->items, &to->cap, to->count + 1, sizeof *to->items)) {
        g->status = LVL_ERR_MEMORY;
        return false;
    }
    to->items[to->count++] = (gallery_relation){row, other, percent};
    return true;
}

static bool take_link(void *user, const lvl_catalogue_value *v, size_t count)
{
    gallery *g = user;
    const uint32_t row = count == 2 ? gallery_row_of(g, gallery_number(&v[0])) : UINT32_MAX;
    const uint32_t target =
        row != UINT32_MAX && v[1].text.ptr ? gallery_find_target(g, row, v[1].text) : UINT32_MAX;

    return target == UINT32_MAX || add_relation(g, &g->from, target, row, 0);
}

static bool take_alike(void *user, const lvl_catalogue_value *v, size_t count)
{
    gallery *g = user;
    const uint32_t a = count == 3 ? gallery_row_of(g, gallery_number(&v[0])) : UINT32_MAX,
                   b = count == 3 ? gallery_row_of(g, gallery_number(&v[1])) : UINT32_MAX;

    if (a == UINT32_MAX || b == UINT32_MAX || g->levels[a].first == g->levels[b].first)
        return true;
    const uint32_t percent = (uint32_t)gallery_number(&v[2]);
    return add_relation(g, &g->alike, a, b, percent) && add_relation(g, &g->alike, b, a, percent);
}

static int by_relation(const void *a, const void *b)
{
    const gallery_relation *x = a, *y = b;

    return x->row != y->row           ? (x->row < y->row ? -1 : 1)
           : x->percent != y->percent ? (x->percent > y->percent ? -1 : 1)
                                      : (x->other > y->other) - (x->other < y->other);
}

static void sort_relations(gallery_relations *list)
{
    if (list->count)
        qsort(list->items, list->count, sizeof *list->items, by_relation);
}

int gallery_read_relations(gallery *g)
{
    int code = gallery_query(g, "SELECT file, target FROM refs WHERE kind = 'level' ORDER BY file, number",
                             take_link, g);

    if (code)
        return code;
    const lvl_status status = lvl_catalogue_alike(g->catalogue, take_alike, g);
    if (status != LVL_OK || g->status != LVL_OK)
        code = cli_code_of(status != LVL_OK ? status : g->status);
    sort_relations(&g->from);
    sort_relations(&g->alike);
    return code;
}

void gallery_free(gallery *g)
{
    free(g->levels);
    free(g->by_file);
    free(g->by_name);
    free(g->by_path);
    free(g->from.items);
    free(g->alike.items);
    lvl_buffer_free(&g->strings);
    lvl_catalogue_close(g->catalogue);
}
