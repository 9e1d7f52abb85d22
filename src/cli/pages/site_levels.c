/*
 * cli/pages/site_levels.c: the levels of a catalogue, as a site shows them.
 *
 *  1. site_read_levels takes a row of each file that can be drawn, sorts them by path, notes which have the
 *     same content, and gives each a name and an ID.
 *  2. Indexes find rows by file, name and path.
 *  3. site_read_relations resolves links to rows (a link names a file, not a place) and takes likeness.
 */
#include "cli/pages/site.h"

#include "base/search.h"
#include "base/text.h"
#include "catalogue/catalogue.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_AROUND = 50 }; /* levels of one name that are compared on each side */

const char *site_string(const site *s, size_t at)
{
    return (const char *)s->strings.data + at;
}

static size_t add_string(site *s, lvl_text text)
{
    const size_t at = s->strings.len;

    if (!text.ptr || !text.len)
        return 0;
    lvl_buffer_add(&s->strings, text.ptr, text.len);
    lvl_buffer_u8(&s->strings, 0);
    return at;
}

int64_t site_number(const lvl_catalogue_value *v)
{
    int64_t n = 0;

    for (size_t i = 0; i < v->text.len && lvl_is_digit(v->text.ptr[i]) && n < INT64_MAX / 10 - 1; i++)
        n = n * 10 + (v->text.ptr[i] - '0');
    return n;
}

int site_query(site *s, const char *sql, lvl_catalogue_row_fn row, void *user)
{
    const lvl_find_options options = {.mode = LVL_FIND_SQL, .text = sql};
    lvl_buffer why = {0};

    lvl_status status = lvl_catalogue_find(s->catalogue, &options, row, user, &why);
    if (status == LVL_OK)
        status = s->status;
    lvl_buffer_u8(&why, 0);
    if (status != LVL_OK && status != LVL_ERR_STOPPED)
        cli_report(s->c, "the catalogue cannot be read: %s",
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
    SHA256,
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
                                  "f.verdict, f.content, f.sha256, l.title, l.author, "
                                  "l.game, l.width, l.height, l.things, CASE WHEN t.file IS NULL THEN 0 ELSE "
                                  "1 END FROM files f LEFT JOIN stored_levels "
                                  "l ON l.file = f.id LEFT JOIN thumbnails t ON t.file = f.id WHERE "
                                  "f.removed IS NULL AND f.format IS NOT NULL "
                                  "ORDER BY f.id";

/* The format of a level that can be shown; NULL: it is a pack, a picture, or a part of one. */
static const lvl_format *shown_format(lvl_text id)
{
    char name[32];

    if (!id.ptr || id.len >= sizeof name)
        return NULL;
    memcpy(name, id.ptr, id.len);
    name[id.len] = 0;
    const lvl_format *format = lvl_format_find(name);
    const unsigned can = format ? lvl_format_can(format) : 0;
    return (can & LVL_CAN_RENDER) && !(can & LVL_CAN_IMAGE) && !format->is_part ? format : NULL;
}

/* "1024 x 768 px, 12 things", of what is known. */
static size_t add_facts(site *s, const lvl_catalogue_value *v)
{
    lvl_buffer facts = {0};

    if (!v[WIDTH].null)
        lvl_buffer_printf(&facts, "%lld x %lld px", (long long)site_number(&v[WIDTH]),
                          (long long)site_number(&v[HEIGHT]));
    if (!v[THINGS].null)
        lvl_buffer_printf(&facts, "%s%lld things", facts.len ? ", " : "", (long long)site_number(&v[THINGS]));
    const size_t at = add_string(s, lvl_buffer_text(&facts));
    if (facts.status != LVL_OK)
        s->status = facts.status;
    lvl_buffer_free(&facts);
    return at;
}

static bool take_level(void *user, const lvl_catalogue_value *v, size_t count)
{
    site *s = user;

    if (count != COLUMNS || s->count == UINT32_MAX / 2)
        return false;
    const lvl_format *format = shown_format(v[FORMAT].text);
    if (!format)
        return true;
    if (!cli_grow(&s->levels, &s->cap, s->count + 1, sizeof *s->levels)) {
        s->status = LVL_ERR_MEMORY;
        return false;
    }
    site_level *l = &s->levels[s->count++];
    *l = (site_level){.file = site_number(&v[FILE_ID]),
                      .format = format,
                      .size = (uint64_t)site_number(&v[SIZE]),
                      .picture = site_number(&v[PICTURE]) != 0};
    l->path = add_string(s, v[PATH].text);
    l->name = add_string(s, v[FOLDED].text);
    l->date = add_string(s, v[DATE].text);
    l->kind = s->count > 1 && l[-1].format == format ? l[-1].kind : add_string(s, lvl_text_of(format->title));
    l->version = add_string(s, v[VERSION].text);
    l->verdict = add_string(s, v[VERDICT].text);
    l->content = add_string(s, v[CONTENT].text);
    l->sha256 = add_string(s, v[SHA256].text);
    l->title = add_string(s, v[TITLE].text);
    l->author = add_string(s, v[AUTHOR].text);
    l->game = add_string(s, v[GAME].text);
    l->facts = add_facts(s, v);
    if (s->status == LVL_OK)
        s->status = s->strings.status;
    return s->status == LVL_OK;
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
static uint32_t *sort_rows(const site *s, size_t text, int (*order)(const void *, const void *))
{
    uint32_t *rows = malloc((s->count + 1) * sizeof *rows);
    keyed_row *keys = malloc((s->count + 1) * sizeof *keys);

    if (!rows || !keys) {
        free(rows);
        free(keys);
        return NULL;
    }
    for (size_t i = 0; i < s->count; i++) {
        const site_level *l = &s->levels[i];
        size_t at;
        memcpy(&at, (const char *)l + text, sizeof at);
        keys[i] = (keyed_row){site_string(s, at), l->file, (uint32_t)i};
    }
    qsort(keys, s->count, sizeof *keys, order);
    for (size_t i = 0; i < s->count; i++)
        rows[i] = keys[i].row;
    free(keys);
    return rows;
}

uint32_t *site_rows_by(const site *s, size_t member)
{
    return sort_rows(s, member, by_text);
}

/* Puts the levels into the order in which they are shown. */
static bool sort_levels(site *s)
{
    uint32_t *rows = sort_rows(s, offsetof(site_level, path), by_natural_text);
    site_level *levels = rows ? malloc((s->count + 1) * sizeof *levels) : NULL;

    for (size_t i = 0; i < s->count && levels; i++)
        levels[i] = s->levels[rows[i]];
    free(rows);
    if (!levels)
        return false;
    free(s->levels);
    s->levels = levels;
    return true;
}

/* Notes which levels have the same content. */
static bool note_copies(site *s)
{
    uint32_t *rows = sort_rows(s, offsetof(site_level, content), by_text);

    for (size_t i = 0, next; i < s->count && rows; i = next) {
        const char *content = site_string(s, s->levels[rows[i]].content);
        for (next = i + 1; next < s->count && *content &&
                           strcmp(site_string(s, s->levels[rows[next]].content), content) == 0;)
            next++;
        for (size_t k = i; k < next; k++) {
            s->levels[rows[k]].first = rows[i];
            s->levels[rows[k]].copies = (uint32_t)(next - i);
            s->levels[rows[k]].next = k + 1 < next ? rows[k + 1] : UINT32_MAX;
        }
        s->folded += next - i - 1;
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

/* How many bytes of all paths are the folder that they have in common. */
static size_t common_folder(const site *s)
{
    size_t cut = 0;

    for (size_t i = 0; i < s->count; i++) {
        const char *first = site_string(s, s->levels[0].path), *path = site_string(s, s->levels[i].path);
        const size_t most = folder_length(path);
        size_t same = 0;
        if (!i)
            cut = most;
        while (same < cut && same < most && path[same] == first[same])
            same++;
        while (same && first[same - 1] != '/')
            same--;
        cut = same;
    }
    return cut;
}

/* How many bytes of a path stand before its name in a site of `given' files and folders: a file loses its
 * folder, a file below a folder that folder; if several are given, each begins with its own. */
static size_t before_name(const cli_strings *given, const char *path, size_t cut)
{
    for (size_t i = 0; i < given->count; i++) {
        const char *one = given->items[i];
        size_t len = strlen(one), start;
        while (len && one[len - 1] == '/')
            len--;
        for (start = len; start && one[start - 1] != '/';)
            start--;
        const bool here = one[start] == '.' && len - start <= 2 && one[len - 1] == '.'; /* . and .. */
        if (strncmp(path, one, len) != 0 || (path[len] && path[len] != '/'))
            continue;
        const bool inside = path[len] == '/' && path[len + 1] != '/'; /* not a member of an archive */
        return inside && (given->count == 1 || here) ? len + strspn(path + len, "/") : start;
    }
    return cut; /* of a list of files */
}

/* The ID of a text, followed by a number if others have the same. */
static void set_id(site *s, site_level *l, const char *text, size_t number)
{
    lvl_buffer all = {0};

    lvl_buffer_str(&all, text);
    if (number)
        lvl_buffer_printf(&all, "%c%zu", 0, number);
    cli_view_id(lvl_buffer_bytes(&all), l->id);
    if (all.status != LVL_OK)
        s->status = all.status;
    lvl_buffer_free(&all);
}

/* Names the levels. The address of a level is promised to stay: its ID is a hash of its path in the
 * catalogue, or of its name in a site of given files. */
static bool name_levels(site *s)
{
    const size_t cut = common_folder(s);

    for (size_t i = 0; i < s->count; i++) {
        site_level *l = &s->levels[i];
        l->shown = l->path + (s->given ? before_name(s->given, site_string(s, l->path), cut) : cut);
    }
    uint32_t *rows = site_rows_by(s, s->given ? offsetof(site_level, shown) : offsetof(site_level, path));
    const char *before = "";
    for (size_t i = 0, same = 0; i < s->count && rows && s->status == LVL_OK; i++) {
        site_level *l = &s->levels[rows[i]];
        const char *text = site_string(s, s->given ? l->shown : l->path);
        same = strcmp(text, before) == 0 ? same + 1 : 0;
        before = text;
        set_id(s, l, text, same);
    }
    free(rows);
    return rows && s->status == LVL_OK;
}

int site_read_levels(site *s)
{
    lvl_buffer_u8(&s->strings, 0);
    const int code = site_query(s, level_query, take_level, s);
    if (code || !s->count)
        return code;
    if (!sort_levels(s))
        return cli_no_memory(s->c);
    s->by_file = sort_rows(s, offsetof(site_level, path), by_file_id);
    s->by_name = sort_rows(s, offsetof(site_level, name), by_text);
    s->by_path = sort_rows(s, offsetof(site_level, path), by_text);
    return s->by_file && s->by_name && s->by_path && note_copies(s) && name_levels(s) ? EXIT_FINE
                                                                                      : cli_no_memory(s->c);
}

/* ---- finding ------------------------------------------------------------------------------------------ */

uint32_t site_row_of(const site *s, int64_t file)
{
    size_t at;

    LVL_LOWER_BOUND(at, s->count, s->levels[s->by_file[at]].file < file);
    return at < s->count && s->levels[s->by_file[at]].file == file ? s->by_file[at] : UINT32_MAX;
}

uint32_t site_row_at(const site *s, const char *name)
{
    lvl_buffer path = {0};
    uint32_t row = UINT32_MAX;
    size_t at;

    cat_put_path(&path, name);
    lvl_buffer_u8(&path, 0);
    const char *text = path.status == LVL_OK ? (const char *)path.data : "";
    LVL_LOWER_BOUND(at, s->count, strcmp(site_string(s, s->levels[s->by_path[at]].path), text) < 0);
    if (at < s->count && strcmp(site_string(s, s->levels[s->by_path[at]].path), text) == 0)
        row = s->by_path[at];
    lvl_buffer_free(&path);
    return row;
}

/* Whether an item of by_name comes before a row of that name. */
static bool is_named_before(const site *s, size_t at, const char *name, uint32_t row)
{
    const int d = strcmp(site_string(s, s->levels[s->by_name[at]].name), name);

    return d < 0 || (d == 0 && s->by_name[at] < row);
}

size_t site_first_named(const site *s, const char *name)
{
    size_t at;

    LVL_LOWER_BOUND(at, s->count, is_named_before(s, at, name, 0));
    return at;
}

size_t site_first_relation(const site_relations *list, uint32_t row)
{
    size_t at;

    LVL_LOWER_BOUND(at, list->count, list->items[at].row < row);
    return at;
}

/* The name of a file in lower case, as in by_name; false: it is longer than any. */
static bool fold_name(lvl_text path, char name[260])
{
    const lvl_text last = lvl_path_last(path);

    if (last.len >= 260)
        return false;
    for (size_t i = 0; i < last.len; i++)
        name[i] = lvl_lower(last.ptr[i]);
    name[last.len] = 0;
    return true;
}

size_t site_shared_path(const site *s, uint32_t a, uint32_t b)
{
    const char *x = site_string(s, s->levels[a].path), *y = site_string(s, s->levels[b].path);
    size_t same = 0;

    while (x[same] && x[same] == y[same])
        same++;
    return same;
}

uint32_t site_find_target(const site *s, uint32_t row, lvl_text target)
{
    uint32_t best = UINT32_MAX;
    size_t longest = 0, here;
    char name[260];

    if (!fold_name(target, name))
        return UINT32_MAX;
    /* rows are in the order of paths: the nearest ones are those around its own row */
    LVL_LOWER_BOUND(here, s->count, is_named_before(s, here, name, row));
    const size_t first = site_first_named(s, name);
    for (size_t i = here - first > MAX_AROUND ? here - MAX_AROUND : first;
         i < s->count && i < here + MAX_AROUND; i++) {
        if (strcmp(site_string(s, s->levels[s->by_name[i]].name), name) != 0)
            break;
        const size_t same = site_shared_path(s, row, s->by_name[i]);
        if (best == UINT32_MAX || same > longest) {
            best = s->by_name[i];
            longest = same;
        }
    }
    return best;
}

/* ---- links and likeness ------------------------------------------------------------------------------- */

static bool add_relation(site *s, site_relations *to, uint32_t row, uint32_t other, uint32_t percent)
{
    if (!cli_grow(&to->items, &to->cap, to->count + 1, sizeof *to->items)) {
        s->status = LVL_ERR_MEMORY;
        return false;
    }
    to->items[to->count++] = (site_relation){row, other, percent};
    return true;
}

static bool take_link(void *user, const lvl_catalogue_value *v, size_t count)
{
    site *s = user;
    const uint32_t row = count == 2 ? site_row_of(s, site_number(&v[0])) : UINT32_MAX;
    const uint32_t target =
        row != UINT32_MAX && v[1].text.ptr ? site_find_target(s, row, v[1].text) : UINT32_MAX;

    return target == UINT32_MAX || add_relation(s, &s->from, target, row, 0);
}

static bool take_alike(void *user, const lvl_catalogue_value *v, size_t count)
{
    site *s = user;
    const uint32_t a = count == 3 ? site_row_of(s, site_number(&v[0])) : UINT32_MAX,
                   b = count == 3 ? site_row_of(s, site_number(&v[1])) : UINT32_MAX;

    if (a == UINT32_MAX || b == UINT32_MAX || s->levels[a].first == s->levels[b].first)
        return true;
    const uint32_t percent = (uint32_t)site_number(&v[2]);
    return add_relation(s, &s->alike, a, b, percent) && add_relation(s, &s->alike, b, a, percent);
}

static int by_relation(const void *a, const void *b)
{
    const site_relation *x = a, *y = b;

    return x->row != y->row           ? (x->row < y->row ? -1 : 1)
           : x->percent != y->percent ? (x->percent > y->percent ? -1 : 1)
                                      : (x->other > y->other) - (x->other < y->other);
}

static void sort_relations(site_relations *list)
{
    if (list->count)
        qsort(list->items, list->count, sizeof *list->items, by_relation);
}

int site_read_relations(site *s)
{
    int code = site_query(s, "SELECT file, target FROM refs WHERE kind = 'level' ORDER BY file, number",
                          take_link, s);

    if (code)
        return code;
    const lvl_status status = lvl_catalogue_alike(s->catalogue, take_alike, s);
    if (status != LVL_OK || s->status != LVL_OK)
        code = cli_code_of(status != LVL_OK ? status : s->status);
    sort_relations(&s->from);
    sort_relations(&s->alike);
    return code;
}

void site_free(site *s)
{
    free(s->levels);
    free(s->by_file);
    free(s->by_name);
    free(s->by_path);
    free(s->from.items);
    free(s->alike.items);
    lvl_buffer_free(&s->strings);
    lvl_buffer_free(&s->written);
    for (size_t i = 0; i < s->refused.count; i++)
        free((void *)(uintptr_t)s->refused.items[i]);
    cli_strings_free(&s->refused);
}
