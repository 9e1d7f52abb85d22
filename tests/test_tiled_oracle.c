/*
 * A level from a map of Tiled never lacks what a person drew without a word. Maps of samples and corpus files
 * get random edits: objects added to any layer, moved, copied and deleted, new layers of objects and tiles,
 * painted cells, layers renamed, put into groups and in another order. The level that the map becomes is
 * made a map again: it has each object at its place and as many painted cells in each layer, or a finding of the
 * import names the object or the layer. LVL_TILED_SWEEP=N takes each N-th file of the corpus (default 80),
 * LVL_TILED_MAPS=N maps of each.
 */
#include "corpus.h"
#include "edits.h"
#include "base/format.h"

#include <lvl/tiled.h>
#include <lvl/tools.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static lvl_ctx ctx;

/* ---- a map as lines ---------------------------------------------------------------------------------- */

typedef struct map {
    char **lines;
    size_t count, cap;
} map;

static void insert(map *m, size_t at, const char *line, size_t len)
{
    char *copy = malloc(len + 1);

    if (m->count == m->cap) {
        m->cap = m->cap ? 2 * m->cap : 256;
        m->lines = realloc(m->lines, m->cap * sizeof *m->lines);
    }
    assert_true(copy && m->lines);
    if (len)
        memcpy(copy, line, len);
    copy[len] = 0;
    if (at < m->count)
        memmove(m->lines + at + 1, m->lines + at, (m->count - at) * sizeof *m->lines);
    m->lines[at] = copy;
    m->count++;
}

static void insert_text(map *m, size_t at, const char *line)
{
    insert(m, at, line, strlen(line));
}

static void remove_lines(map *m, size_t from, size_t to)
{
    if (from == to)
        return;
    for (size_t i = from; i < to; i++)
        free(m->lines[i]);
    memmove(m->lines + from, m->lines + to, (m->count - to) * sizeof *m->lines);
    m->count -= to - from;
}

static void split(map *m, lvl_bytes bytes)
{
    for (size_t at = 0; at < bytes.len;) {
        const uint8_t *end = memchr(bytes.ptr + at, '\n', bytes.len - at);
        const size_t n = end ? (size_t)(end - bytes.ptr) - at : bytes.len - at;
        insert(m, m->count, (const char *)bytes.ptr + at, n);
        at += n + 1;
    }
}

static void join(const map *m, lvl_buffer *out)
{
    for (size_t i = 0; i < m->count; i++) {
        lvl_buffer_str(out, m->lines[i]);
        lvl_buffer_u8(out, '\n');
    }
}

static void free_map(map *m)
{
    remove_lines(m, 0, m->count);
    free(m->lines);
}

static bool begins(const char *line, const char *element)
{
    while (*line == ' ')
        line++;
    return strncmp(line, element, strlen(element)) == 0;
}

/* The value of an attribute, between its quotes; NULL: it is absent. */
static const char *attribute(const char *line, const char *name, size_t *len)
{
    char key[40];

    *len = 0;
    snprintf(key, sizeof key, " %s=\"", name);
    const char *at = strstr(line, key);
    if (!at)
        return NULL;
    at += strlen(key);
    *len = strcspn(at, "\"");
    return at;
}

/* A random line of an element; the count of lines if there is none. */
static size_t random_line(const map *m, const char *element, uint64_t *random)
{
    size_t found = m->count;
    uint64_t seen = 0;

    for (size_t i = 0; i < m->count; i++) {
        if (begins(m->lines[i], element) && lvl_edit_random(random) % ++seen == 0)
            found = i;
    }
    return found;
}

/* The line behind the element that begins in a line. */
static size_t end_of(const map *m, size_t at, const char *end)
{
    const char *line = m->lines[at];

    if (strlen(line) > 1 && strcmp(line + strlen(line) - 2, "/>") == 0)
        return at + 1;
    while (at < m->count && !strstr(m->lines[at], end))
        at++;
    return at < m->count ? at + 1 : m->count;
}

/* ---- edits ------------------------------------------------------------------------------------------- */

typedef struct editing {
    map map;
    uint64_t random;
    unsigned made; /* for ids, and places that nothing else has */
    unsigned moved[8]; /* ids of objects that were there, and were moved */
    unsigned moved_count;
    char log[2000];
} editing;

static void note(editing *e, const char *text)
{
    const size_t n = strlen(e->log);

    snprintf(e->log + n, sizeof e->log - n, "%s; ", text);
}

static void new_object(editing *e, char *out, size_t size)
{
    static const char *const types[] = {" type=\"npc\"",
                                        " type=\"sign\"",
                                        " type=\"chest\"",
                                        " type=\"link\"",
                                        " type=\"actor\"",
                                        " type=\"Soldier\"",
                                        "",
                                        " type=\"mine\""};
    const unsigned n = ++e->made, id = 9000 + n;
    const bool point = lvl_edit_random(&e->random) % 2;

    snprintf(out, size, "<object id=\"%u\"%s name=\"new%u\" x=\"%u\" y=\"%u\"%s", id,
             types[lvl_edit_random(&e->random) % (sizeof types / sizeof *types)], n, 16 * (n % 60) + 16,
             16 * (unsigned)(lvl_edit_random(&e->random) % 60),
             point ? "><point/></object>" : " width=\"32\" height=\"16\"/>");
}

static bool add_object(editing *e)
{
    const size_t at = random_line(&e->map, "<objectgroup", &e->random);
    char line[400];

    if (at == e->map.count || strstr(e->map.lines[at], "/>"))
        return false;
    new_object(e, line, sizeof line);
    note(e, line);
    insert_text(&e->map, at + 1, line);
    return true;
}

static bool add_layer_of_objects(editing *e)
{
    char line[400];

    insert_text(&e->map, e->map.count - 1, "<objectgroup id=\"980\" name=\"my objects\">");
    new_object(e, line, sizeof line);
    note(e, "a layer:");
    note(e, line);
    insert_text(&e->map, e->map.count - 1, line);
    insert_text(&e->map, e->map.count - 1, "</objectgroup>");
    return true;
}

static bool move_object(editing *e)
{
    const size_t at = random_line(&e->map, "<object ", &e->random);
    char line[1000];
    size_t len;

    if (at == e->map.count)
        return false;
    const char *old = e->map.lines[at], *x = attribute(old, "x", &len);
    if (!x || strlen(old) > 900)
        return false;
    snprintf(line, sizeof line, "%.*s%u%s", (int)(x - old), old, 16 * (++e->made % 60) + 16, x + len);
    const char *id = attribute(old, "id", &len);
    if (id && e->moved_count < 8)
        e->moved[e->moved_count++] = (unsigned)strtoul(id, NULL, 10);
    note(e, "move:");
    note(e, line);
    remove_lines(&e->map, at, at + 1);
    insert_text(&e->map, at, line);
    return true;
}

static bool delete_object(editing *e)
{
    const size_t at = random_line(&e->map, "<object ", &e->random);

    if (at == e->map.count)
        return false;
    note(e, "delete:");
    note(e, e->map.lines[at]);
    remove_lines(&e->map, at, end_of(&e->map, at, "</object>"));
    return true;
}

static bool copy_object(editing *e)
{
    const size_t at = random_line(&e->map, "<object ", &e->random);
    const size_t end = at == e->map.count ? at : end_of(&e->map, at, "</object>");
    char line[1000];
    size_t len;

    if (at == e->map.count || strlen(e->map.lines[at]) > 900)
        return false;
    const char *old = e->map.lines[at], *id = attribute(old, "id", &len);
    if (!id)
        return false;
    snprintf(line, sizeof line, "%.*s%u%s", (int)(id - old), old, 9000 + ++e->made, id + len);
    note(e, "copy:");
    note(e, line);
    for (size_t i = end; i > at + 1; i--)
        insert_text(&e->map, end, e->map.lines[i - 1]);
    insert_text(&e->map, end, line);
    return true;
}

/* The text of cells of a random layer: their first line, and the line behind them. */
static size_t random_cells(editing *e, size_t *end)
{
    const size_t layer = random_line(&e->map, "<layer ", &e->random);
    size_t at = layer;

    while (at < e->map.count && !strstr(e->map.lines[at], "encoding=\"csv\""))
        at++;
    *end = at < e->map.count ? end_of(&e->map, at, "</data>") : at;
    return at + 1 < *end ? at + 1 : e->map.count;
}

/* A cell gets what another one of the layer has. */
static bool paint_cell(editing *e)
{
    size_t end;
    const size_t from = random_cells(e, &end);
    char gid[16] = "";

    for (int tries = 0; from < e->map.count && tries < 400; tries++) {
        const size_t at = from + lvl_edit_random(&e->random) % (end - from);
        char *line = e->map.lines[at];
        const size_t len = strlen(line);
        const size_t cell = len ? lvl_edit_random(&e->random) % len : 0;
        size_t start = cell;
        while (start && line[start - 1] != ',')
            start--;
        const size_t n = strspn(line + start, "0123456789");
        if (!n || n >= sizeof gid)
            continue;
        if (!*gid) {
            if (n > 1 || line[start] != '0')
                snprintf(gid, sizeof gid, "%.*s", (int)n, line + start);
            continue;
        }
        lvl_buffer made = {0};
        lvl_buffer_printf(&made, "%.*s%s%s", (int)start, line, gid, line + start + n);
        note(e, "paint");
        note(e, gid);
        remove_lines(&e->map, at, at + 1);
        insert(&e->map, at, (const char *)made.data, made.len);
        lvl_buffer_free(&made);
        return true;
    }
    return false;
}

/* A copy of a layer of tiles, with its own name. */
static bool add_layer(editing *e)
{
    const size_t at = random_line(&e->map, "<layer ", &e->random);
    const size_t end = at == e->map.count ? at : end_of(&e->map, at, "</layer>");
    size_t id_len, name_len;

    if (at == e->map.count)
        return false;
    const char *old = e->map.lines[at], *id = attribute(old, "id", &id_len),
               *name = attribute(old, "name", &name_len);
    if (!id || !name || id > name)
        return false;
    lvl_buffer line = {0};
    const unsigned number = ++e->made;
    lvl_buffer_printf(&line, "%.*s%u%.*sdrawn%u%s", (int)(id - old), old, 900 + number,
                      (int)(name - id - (ptrdiff_t)id_len), id + id_len, number, name + name_len);
    note(e, "a layer:");
    for (size_t i = end; i > at + 1; i--)
        insert_text(&e->map, end, e->map.lines[i - 1]);
    insert(&e->map, end, (const char *)line.data, line.len);
    lvl_buffer_free(&line);
    return true;
}

static bool group_layer(editing *e)
{
    const bool tiles = lvl_edit_random(&e->random) % 2;
    const size_t at = random_line(&e->map, tiles ? "<layer " : "<objectgroup", &e->random);

    if (at == e->map.count)
        return false;
    insert_text(&e->map, end_of(&e->map, at, tiles ? "</layer>" : "</objectgroup>"), "</group>");
    insert_text(&e->map, at, "<group id=\"970\" name=\"g\">");
    note(e, "a group");
    return true;
}

static bool move_layer(editing *e)
{
    const size_t at = random_line(&e->map, "<objectgroup", &e->random);
    const size_t end = at == e->map.count ? at : end_of(&e->map, at, "</objectgroup>");

    if (at == e->map.count || begins(e->map.lines[end], "</group"))
        return false;
    for (size_t i = at; i < end; i++)
        insert_text(&e->map, e->map.count - 1, e->map.lines[i]);
    remove_lines(&e->map, at, end);
    note(e, "a layer moved");
    return true;
}

static void edit(editing *e)
{
    static bool (*const edits[])(editing *) = {
        add_object, add_object, add_layer_of_objects, move_object, delete_object, copy_object, paint_cell,
        paint_cell, add_layer,  group_layer,          move_layer};
    const unsigned count = 1 + (unsigned)(lvl_edit_random(&e->random) % 4);

    for (unsigned i = 0; i < count; i++)
        edits[lvl_edit_random(&e->random) % (sizeof edits / sizeof *edits)](e);
}

/* ---- the oracle -------------------------------------------------------------------------------------- */

typedef struct tally {
    size_t files, maps, refused, wrong;
} tally;

static bool is_named(const lvl_findings *findings, const char *before, const char *name, size_t len,
                     const char *after)
{
    char want[300];

    snprintf(want, sizeof want, "%s%.*s%s", before, (int)len, name, after);
    for (size_t i = 0; i < lvl_findings_count(findings); i++) {
        if (strstr(lvl_findings_at(findings, i)->text, want))
            return true;
    }
    return false;
}

static double number(const char *line, const char *name)
{
    size_t len;
    const char *at = attribute(line, name, &len);

    return at ? strtod(at, NULL) : 0;
}

/* Whether an object is where another one is: at its corner or, as levels that store the middle have it, in its middle. */
static bool at_place(const char *object, const char *of)
{
    const double x = number(of, "x"), y = number(of, "y"), w = number(of, "width"), h = number(of, "height");
    const double at_x = number(object, "x"), at_y = number(object, "y");

    return (at_x == x && at_y == y) || (at_x == x + w / 2 && at_y == y + h / 2);
}

/* How many objects are at the place of that one; of those of the drawn map, that no finding names. */
static size_t objects_at(const map *m, const char *object, const lvl_findings *named)
{
    size_t len = 0, n = 0;

    for (size_t i = 0; i < m->count; i++) {
        const char *line = m->lines[i];
        if (!begins(line, "<object ") ||
            (named ? number(line, "x") != number(object, "x") || number(line, "y") != number(object, "y")
                   : !at_place(line, object)))
            continue;
        const char *id = attribute(line, "id", &len);
        n += !named || !id || !is_named(named, "object ", id, len, " ");
    }
    return n;
}

/* How many cells of the layers of that name, or with NULL of all, are not empty. */
static size_t cells_in(const map *m, const char *name, size_t name_len)
{
    size_t cells = 0, len;

    for (size_t i = 0; i < m->count; i++) {
        const char *is = begins(m->lines[i], "<layer ") ? attribute(m->lines[i], "name", &len) : NULL;
        if (!is || (name && (len != name_len || memcmp(is, name, len) != 0)))
            continue;
        for (i++; i < m->count && !strstr(m->lines[i], "</layer>"); i++) {
            const char *p = m->lines[i];
            while (*p >= '0' && *p <= '9') {
                const size_t n = strspn(p, "0123456789");
                cells += n > 1 || *p != '0';
                p += n + (p[n] == ',');
            }
        }
    }
    return cells;
}

/* Whether an object is new, or was moved: all others are only counted. */
static bool is_touched(const editing *e, const char *line)
{
    const unsigned id = (unsigned)number(line, "id");
    bool is = id > 9000;

    for (unsigned i = 0; i < e->moved_count; i++)
        is = is || e->moved[i] == id;
    return is;
}

static size_t count_objects(const map *m)
{
    size_t n = 0;

    for (size_t i = 0; i < m->count; i++)
        n += begins(m->lines[i], "<object ");
    return n;
}

static bool compare(const char *path, const editing *e, const map *again, const lvl_findings *findings)
{
    const map *drawn = &e->map;
    bool good = true;
    size_t len;

    for (size_t i = 0; i < drawn->count && good; i++) {
        const char *line = drawn->lines[i];
        if (begins(line, "<object ") && is_touched(e, line) &&
            objects_at(drawn, line, findings) > objects_at(again, line, NULL)) {
            printf("%s: %s\n    missing: %s\n", path, e->log, line);
            good = false;
        } else if (begins(line, "<layer ")) {
            const char *name = attribute(line, "name", &len);
            const bool known = name && cells_in(again, name, len) > 0; /* layers of Graal have no names */
            const bool fewer = known ? cells_in(drawn, name, len) > cells_in(again, name, len)
                                     : cells_in(drawn, NULL, 0) > cells_in(again, NULL, 0);
            if (name && fewer && !is_named(findings, "layer \"", name, len, "\"")) {
                printf("%s: %s\n    %zu cells, now %zu: %s\n", path, e->log, cells_in(drawn, name, len),
                       cells_in(again, name, len), line);
                good = false;
            }
        }
    }
    size_t named = 0;
    for (size_t i = 0; i < lvl_findings_count(findings); i++)
        named += begins(lvl_findings_at(findings, i)->text, "object ");
    if (good && count_objects(drawn) > count_objects(again) + named) {
        printf("%s: %s\n    %zu objects, now %zu\n", path, e->log, count_objects(drawn),
               count_objects(again));
        good = false;
    }
    for (size_t i = 0; i < lvl_findings_count(findings) && !good; i++)
        printf("    %s\n", lvl_findings_at(findings, i)->text);
    return good;
}

static bool to_map(const lvl_doc *doc, map *out)
{
    const lvl_tiled_options options = {.no_pictures = true};
    lvl_tiled_files *files = NULL;

    const bool good = lvl_tiled_write(doc, &options, &files, NULL) == LVL_OK && files->count == 1;
    if (good)
        split(out, files->items[0].bytes);
    lvl_tiled_files_free(files);
    return good;
}

static void try_map(tally *t, const char *path, const map *original, uint64_t seed)
{
    editing e = {.random = (seed + 1) * 0x9E3779B97F4A7C15u};
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_buffer text = {0};
    lvl_doc *doc = NULL;
    map again = {0};
    bool changed;

    for (size_t i = 0; i < original->count; i++)
        insert_text(&e.map, i, original->lines[i]);
    edit(&e);
    join(&e.map, &text);
    const lvl_tiled_read_options options = {0};
    const lvl_status status =
        lvl_tiled_read(&doc, &ctx, (lvl_bytes){text.data, text.len}, &options, &changed, findings);
    t->maps++;
    if (status != LVL_OK) {
        t->refused++;
        if (!lvl_findings_count(findings)) {
            printf("%s: %s\n    refused without a reason\n", path, e.log);
            t->wrong++;
        }
    } else if (to_map(doc, &again)) {
        t->wrong += !compare(path, &e, &again, findings);
    }
    lvl_doc_free(doc);
    lvl_buffer_free(&text);
    lvl_findings_free(findings);
    free_map(&e.map);
    free_map(&again);
}

static void try_file(tally *t, const char *path, uint64_t seed, int maps)
{
    size_t len;
    uint8_t *data = lvl_slurp(path, &len);
    lvl_doc *doc = NULL;
    map original = {0};

    assert_non_null(data);
    if (len < 1 << 18 &&
        lvl_read(&doc, &ctx, NULL, (lvl_bytes){data, len}, lvl_path_name(path), 0, NULL) == LVL_OK &&
        lvl_tiled_can(lvl_doc_format(doc)) && to_map(doc, &original)) {
        t->files++;
        for (int i = 0; i < maps; i++)
            try_map(t, path, &original, seed * 31 + (uint64_t)i);
    }
    lvl_doc_free(doc);
    free_map(&original);
    free(data);
}

static void nothing_drawn_is_lost(void **state)
{
    static const char endings[] = "wwd graal zelda nw level doodad";
    const char *every = getenv("LVL_TILED_SWEEP"), *many = getenv("LVL_TILED_MAPS"),
               *corpus = lvl_corpus_dir(), *samples = lvl_samples_dir();
    const size_t step = every && strtoul(every, NULL, 10) ? strtoul(every, NULL, 10) : 80;
    const int maps = many ? (int)strtol(many, NULL, 10) : 0;
    tally t = {0};
    lvl_paths paths;

    (void)state;
    if (samples && lvl_paths_below(&paths, samples, endings)) {
        for (size_t i = 0; i < paths.count; i++)
            try_file(&t, paths.items[i], i, maps ? maps : 2);
        lvl_paths_free(&paths);
    }
    if (corpus && lvl_paths_below(&paths, corpus, endings)) {
        for (size_t i = 0; i < paths.count; i += step)
            try_file(&t, paths.items[i], i, maps ? maps : 2);
        lvl_paths_free(&paths);
    }
    printf("%zu files, %zu maps, %zu refused, %zu wrong\n", t.files, t.maps, t.refused, t.wrong);
    assert_true(t.refused < t.maps / 2 || !samples);
    assert_int_equal(t.wrong, 0);
}

/* The map of a level is read again, and gives the same level. */
static void comes_back(const lvl_doc *doc)
{
    lvl_buffer is = {0}, wanted = {0};
    lvl_tiled_files *files = NULL;
    lvl_doc *again = NULL;
    bool changed = true;

    assert_int_equal(lvl_doc_write(doc, &wanted), LVL_OK);
    assert_int_equal(lvl_tiled_write(doc, NULL, &files, NULL), LVL_OK);
    assert_int_equal(lvl_tiled_read(&again, &ctx, files->items[0].bytes, NULL, &changed, NULL), LVL_OK);
    assert_false(changed);
    assert_int_equal(lvl_doc_write(again, &is), LVL_OK);
    assert_int_equal(is.len, wanted.len);
    assert_memory_equal(is.data, wanted.data, wanted.len);
    lvl_tiled_files_free(files);
    lvl_doc_free(again);
    lvl_buffer_free(&is);
    lvl_buffer_free(&wanted);
}

/* A drawing in memory may lack the layer that its file always has; a map may lack layers, too. */
static void without_layers(void **state)
{
    static const struct {
        const char *format, *list;
    } kinds[] = {{"sketchy", "layers"}, {"nw", "layers"}, {"wwd", "planes"}};
    static const char none[] = "<map orientation=\"orthogonal\" width=\"8\" height=\"8\" tilewidth=\"64\" "
                               "tileheight=\"64\"><objectgroup id=\"1\" name=\"o\"/></map>";

    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const lvl_format *format = lvl_format_find(kinds[i].format);
        const lvl_tiled_read_options options = {.format = format};
        lvl_doc *doc = NULL;
        size_t changes = 0;
        bool changed = false;
        assert_int_equal(lvl_new(&doc, &ctx, format, NULL, NULL), LVL_OK);
        assert_int_equal(lvl_unset(doc, &kinds[i].list, 1, &changes, NULL), LVL_OK);
        comes_back(doc);
        lvl_doc_free(doc);
        assert_int_equal(lvl_tiled_read(&doc, &ctx, (lvl_bytes){(const uint8_t *)none, sizeof none - 1},
                                        &options, &changed, NULL),
                         LVL_OK);
        comes_back(doc);
        lvl_doc_free(doc);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_drawn_is_lost),
                                       cmocka_unit_test(without_layers)};

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
