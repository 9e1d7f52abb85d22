/*
 * A level from a map of Tiled never lacks what a person drew without a word. Maps of samples and corpus files
 * get random edits: objects added to any layer, placed as sprites, moved, copied, flipped and deleted, their
 * sprites replaced, new layers of objects and tiles, painted cells, properties of anything, layers renamed,
 * put into groups and in another order, Resize Map, tilesets in another order or in files of their own; some
 * lose the level that they were made of. Then the map is read as it is, or as another program writes it: as
 * JSON, with `class` for `type`, cells in base64. The level that it becomes is made a map again: it has each
 * object at its place with its class, name, flips, picture and properties, the cells of each layer, and the
 * properties of layers, tiles and the map, or a finding of the import names the object, the layer or tile.
 * LVL_TILED_SWEEP=N takes each N-th file of the corpus (default 80), LVL_TILED_MAPS=N maps of each,
 * LVL_TILED_SEED=N other edits, LVL_TILED_REASONS prints why maps are refused.
 */
#include "corpus.h"
#include "edits.h"
#include "base/buffer.h"
#include "base/format.h"
#include "base/text.h"
#include "codec/deflate.h"
#include "tiled/map.h"

#include <lvl/scene.h>
#include <lvl/tiled.h>
#include <lvl/tools.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static lvl_ctx ctx;
static uint64_t first_seed;

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
    unsigned replaced[8]; /* ids of objects that got another sprite */
    unsigned replaced_count;
    int shift_x, shift_y; /* px by which Resize Map moved all */
    bool resized;
    map files[8]; /* tilesets that have files of their own: set0.tsx, ... */
    unsigned file_count;
    char log[4000];
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
        const size_t len = *line == '<' || *line == ' ' ? 0 : strlen(line);
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

/* Replaces the value of an attribute in a line; false: it has none. */
static bool set_attribute(map *m, size_t at, const char *name, const char *value)
{
    size_t len;
    const char *old = m->lines[at], *is = attribute(old, name, &len);
    lvl_buffer made = {0};

    if (!is)
        return false;
    lvl_buffer_printf(&made, "%.*s%s%s", (int)(is - old), old, value, is + len);
    remove_lines(m, at, at + 1);
    insert(m, at, (const char *)made.data, made.len);
    lvl_buffer_free(&made);
    return true;
}

static void set_number(map *m, size_t at, const char *name, long long value)
{
    char text[32];

    snprintf(text, sizeof text, "%lld", value);
    set_attribute(m, at, name, text);
}

static double number(const char *line, const char *name)
{
    size_t len;
    const char *at = attribute(line, name, &len);

    return at ? strtod(at, NULL) : 0;
}

static void set_real(map *m, size_t at, const char *name, double value)
{
    char text[32];

    snprintf(text, sizeof text, "%.6g", value);
    set_attribute(m, at, name, text);
}

static long long whole(const char *line, const char *name)
{
    size_t len;
    const char *at = attribute(line, name, &len);

    return at ? strtoll(at, NULL, 10) : 0;
}

static bool rename_layer(editing *e)
{
    const bool tiles = lvl_edit_random(&e->random) % 2;
    const size_t at = random_line(&e->map, tiles ? "<layer " : "<objectgroup", &e->random);
    char name[32];

    snprintf(name, sizeof name, "renamed%u", ++e->made);
    if (at == e->map.count || !set_attribute(&e->map, at, "name", name))
        return false;
    note(e, name);
    return true;
}

/* The X key, the Y key, or a half turn. */
static bool flip_object(editing *e)
{
    const size_t at = random_line(&e->map, "<object ", &e->random);
    static const long long flips[] = {0x80000000LL, 0x40000000LL, 0xC0000000LL};
    size_t len;

    if (at == e->map.count || !attribute(e->map.lines[at], "gid", &len))
        return false;
    const long long gid = whole(e->map.lines[at], "gid");
    set_number(&e->map, at, "gid", gid ^ flips[lvl_edit_random(&e->random) % 3]);
    note(e, "flip:");
    note(e, e->map.lines[at]);
    return true;
}

/* The gid of a random tile of the sets of sprites, and its size; 0: there is none. */
static long long random_sprite(editing *e, long long *width, long long *height)
{
    long long first = 0, gid = 0;
    bool sprites = false;
    uint64_t seen = 0;

    for (size_t i = 0; i < e->map.count && !begins(e->map.lines[i], "<layer "); i++) {
        if (begins(e->map.lines[i], "<tileset ")) {
            first = whole(e->map.lines[i], "firstgid");
            sprites = strstr(e->map.lines[i], " name=\"sprites") != NULL;
        } else if (sprites && begins(e->map.lines[i], "<tile ") &&
                   lvl_edit_random(&e->random) % ++seen == 0) {
            size_t image = i;
            while (!begins(e->map.lines[image], "<image"))
                image++;
            gid = first + whole(e->map.lines[i], "id");
            *width = whole(e->map.lines[image], "width");
            *height = whole(e->map.lines[image], "height");
        }
    }
    return gid;
}

static bool replace_sprite(editing *e)
{
    const size_t at = random_line(&e->map, "<object ", &e->random);
    long long width = 0, height = 0;
    size_t len;

    if (at == e->map.count || !attribute(e->map.lines[at], "gid", &len))
        return false;
    const long long gid = random_sprite(e, &width, &height), was = whole(e->map.lines[at], "gid");
    if (!gid || e->replaced_count == 8)
        return false;
    e->replaced[e->replaced_count++] = (unsigned)whole(e->map.lines[at], "id");
    set_number(&e->map, at, "gid", gid | (was & 0xE0000000LL));
    set_number(&e->map, at, "width", width);
    set_number(&e->map, at, "height", height);
    note(e, "replace:");
    note(e, e->map.lines[at]);
    return true;
}

static bool place_sprite(editing *e)
{
    const size_t at = random_line(&e->map, "<objectgroup", &e->random);
    long long width = 0, height = 0;
    const long long gid = random_sprite(e, &width, &height);
    char line[200];

    if (!gid || at == e->map.count || strstr(e->map.lines[at], "/>"))
        return false;
    const unsigned n = ++e->made;
    snprintf(line, sizeof line,
             "<object id=\"%u\" gid=\"%lld\" x=\"%u\" y=\"%u\" width=\"%lld\" height=\"%lld\"/>", 9000 + n,
             gid, 16 * (n % 60) + 16, 16 * (unsigned)(lvl_edit_random(&e->random) % 60), width, height);
    note(e, "sprite:");
    note(e, line);
    insert_text(&e->map, at + 1, line);
    return true;
}

/* Whether a line describes a sprite, which is no part of the level. */
static bool is_of_sprite(const map *m, size_t at)
{
    while (at > 0 && !begins(m->lines[at], "<tileset ") && !begins(m->lines[at], "</tileset>"))
        at--;
    return strstr(m->lines[at], " name=\"sprites") != NULL;
}

/* A number or text of any record of the map. */
static bool set_property(editing *e)
{
    const size_t at = random_line(&e->map, "<property ", &e->random);
    char value[32];
    size_t len;

    if (at == e->map.count || is_of_sprite(&e->map, at))
        return false;
    const char *line = e->map.lines[at], *name = attribute(line, "name", &len),
               *type = attribute(line, "type", &len);
    const bool number = type && strncmp(type, "int\"", 4) == 0;
    if (!name || strncmp(name, "lvl.", 4) == 0 || strncmp(name, "id\"", 3) == 0 || (type && !number) ||
        !strstr(line, "/>"))
        return false;
    snprintf(value, sizeof value, number ? "%u" : "text%u", 40 + ++e->made);
    if (!set_attribute(&e->map, at, "value", value))
        return false;
    note(e, "property:");
    note(e, e->map.lines[at]);
    return true;
}

static bool remove_property(editing *e)
{
    const size_t at = random_line(&e->map, "<property ", &e->random);
    size_t len;

    if (at == e->map.count || !strstr(e->map.lines[at], "/>") || is_of_sprite(&e->map, at))
        return false;
    const char *name = attribute(e->map.lines[at], "name", &len);
    if (!name || strncmp(name, "lvl.", 4) == 0)
        return false;
    note(e, "without:");
    note(e, e->map.lines[at]);
    remove_lines(&e->map, at, at + 1);
    return true;
}

/* The rows of a layer's cells in another size, moved. */
static void resize_rows(map *m, size_t from, size_t *end, int width, int height, int dx, int dy)
{
    const int was_height = (int)(*end - from);
    lvl_buffer *rows = calloc((size_t)height, sizeof *rows);

    assert_non_null(rows);
    for (int y = 0; y < height; y++) {
        const char *old = y - dy >= 0 && y - dy < was_height ? m->lines[from + (size_t)(y - dy)] : "";
        int column = dx;
        for (int x = 0; x < dx && x < width; x++)
            lvl_buffer_str(&rows[y], "0,");
        while (*old >= '0' && *old <= '9' && column < width) {
            const size_t n = strspn(old, "0123456789");
            if (column >= 0)
                lvl_buffer_printf(&rows[y], "%.*s,", (int)n, old);
            old += n + (old[n] == ',');
            column++;
        }
        for (int x = column > 0 ? column : 0; x < width; x++)
            lvl_buffer_str(&rows[y], "0,");
        if (y + 1 == height)
            rows[y].len--;
    }
    remove_lines(m, from, *end);
    for (int y = 0; y < height; y++) {
        insert(m, from + (size_t)y, (const char *)rows[y].data, rows[y].len);
        lvl_buffer_free(&rows[y]);
    }
    *end = from + (size_t)height;
    free(rows);
}

/* Resize Map: every layer gets the size of the map, and objects move with the offset. */
static bool resize_map(editing *e)
{
    const size_t at = random_line(&e->map, "<map ", &e->random);
    const int dx = (int)(lvl_edit_random(&e->random) % 5) - 2,
              dy = (int)(lvl_edit_random(&e->random) % 5) - 2;
    const char *head = e->map.lines[at];

    if (e->resized || strstr(head, "infinite=\"1\"") || lvl_edit_random(&e->random) % 2)
        return false;
    const int width = (int)whole(head, "width") + (int)(lvl_edit_random(&e->random) % 9) - 4,
              height = (int)whole(head, "height") + (int)(lvl_edit_random(&e->random) % 9) - 4;
    if (width < 3 || height < 3)
        return false;
    const bool moved = lvl_edit_random(&e->random) % 2;
    e->resized = true;
    e->shift_x = moved ? dx * (int)whole(head, "tilewidth") : 0;
    e->shift_y = moved ? dy * (int)whole(head, "tileheight") : 0;
    set_number(&e->map, at, "width", width);
    set_number(&e->map, at, "height", height);
    for (size_t i = at; i < e->map.count; i++) {
        if (begins(e->map.lines[i], "<object ") && (e->shift_x || e->shift_y)) {
            set_real(&e->map, i, "x", number(e->map.lines[i], "x") + e->shift_x);
            set_real(&e->map, i, "y", number(e->map.lines[i], "y") + e->shift_y);
        } else if (begins(e->map.lines[i], "<layer ")) {
            set_number(&e->map, i, "width", width);
            set_number(&e->map, i, "height", height);
            while (!strstr(e->map.lines[i], "<data"))
                i++;
            size_t end = i + 1;
            while (!strstr(e->map.lines[end], "</data>"))
                end++;
            resize_rows(&e->map, i + 1, &end, width, height, moved ? dx : 0, moved ? dy : 0);
            i = end;
        }
    }
    char text[80];
    snprintf(text, sizeof text, "resized to %d x %d, moved by %d, %d px", width, height, e->shift_x,
             e->shift_y);
    note(e, text);
    return true;
}

/* All gids at or above `from` and below `to` get another number. */
static void renumber(map *m, long long from, long long to, long long by)
{
    for (size_t i = 0; i < m->count; i++) {
        const char *line = m->lines[i];
        size_t len;
        if (begins(line, "<object ") && attribute(line, "gid", &len)) {
            const long long gid = whole(line, "gid"), id = gid & 0x1FFFFFFF;
            if (id >= from && id < to)
                set_number(m, i, "gid", gid + by);
        } else if (line[0] >= '0' && line[0] <= '9' && strspn(line, "0123456789,") == strlen(line)) {
            lvl_buffer row = {0};
            while (*line) {
                char *next;
                const long long gid = strtoll(line, &next, 10);
                lvl_buffer_printf(&row, "%lld%s", gid >= from && gid < to ? gid + by : gid, *next ? "," : "");
                line = next + (*next == ',');
            }
            remove_lines(m, i, i + 1);
            insert(m, i, (const char *)row.data, row.len);
            lvl_buffer_free(&row);
        }
    }
}

/* A tileset is behind all others, with other gids, as after it was removed and added again. */
static bool move_set(editing *e)
{
    const size_t at = random_line(&e->map, "<tileset ", &e->random);
    const size_t end = at == e->map.count ? at : end_of(&e->map, at, "</tileset>");
    size_t len;

    if (at == e->map.count || attribute(e->map.lines[at], "source", &len))
        return false;
    const long long first = whole(e->map.lines[at], "firstgid"), tiles = whole(e->map.lines[at], "tilecount");
    renumber(&e->map, first, first + (tiles ? tiles : 1), 100000 + 20000 * ++e->made - first);
    set_number(&e->map, at, "firstgid", 100000 + 20000 * e->made);
    note(e, "a tileset moved");
    for (size_t i = at; i < end; i++)
        insert_text(&e->map, end + i - at, e->map.lines[i]);
    size_t last = e->map.count;
    for (size_t i = 0; i < e->map.count; i++) {
        if (begins(e->map.lines[i], "<tileset "))
            last = end_of(&e->map, i, "</tileset>");
    }
    map copy = {0};
    for (size_t i = at; i < end; i++)
        insert_text(&copy, copy.count, e->map.lines[i]);
    for (size_t i = copy.count; i > 0; i--)
        insert_text(&e->map, last, copy.lines[i - 1]);
    remove_lines(&e->map, at, at + 2 * (end - at));
    free_map(&copy);
    return true;
}

/* Export Tileset, and the map uses that file. */
static bool export_set(editing *e)
{
    const size_t at = random_line(&e->map, "<tileset ", &e->random);
    const size_t end = at == e->map.count ? at : end_of(&e->map, at, "</tileset>");
    char line[80];

    if (at == e->map.count || e->file_count == 8 || end == at + 1)
        return false;
    map *file = &e->files[e->file_count];
    for (size_t i = at; i < end; i++)
        insert_text(file, file->count, e->map.lines[i]);
    snprintf(line, sizeof line, "<tileset firstgid=\"%lld\" source=\"set%u.tsx\"/>",
             whole(e->map.lines[at], "firstgid"), e->file_count++);
    remove_lines(&e->map, at, end);
    insert_text(&e->map, at, line);
    note(e, "a tileset in a file");
    return true;
}

/* Layer > Move Objects to Layer, or the list of objects: to the beginning or the end of a layer. */
static bool move_to_layer(editing *e)
{
    const size_t at = random_line(&e->map, "<object ", &e->random),
                 layer = random_line(&e->map, "<objectgroup", &e->random);
    const size_t end = at == e->map.count ? at : end_of(&e->map, at, "</object>");
    map copy = {0};

    if (at == e->map.count || layer == e->map.count || strstr(e->map.lines[layer], "/>") ||
        (strstr(e->map.lines[at], "type=\"start\"") && lvl_edit_random(&e->random) % 4))
        return false;
    const bool last = lvl_edit_random(&e->random) % 2;
    size_t to = last ? end_of(&e->map, layer, "</objectgroup>") - 1 : layer + 1;
    if (!strstr(e->map.lines[last ? to : layer], "objectgroup"))
        return false;
    for (size_t i = at; i < end; i++)
        insert_text(&copy, copy.count, e->map.lines[i]);
    remove_lines(&e->map, at, end);
    to -= at < to ? end - at : 0;
    note(e, "to another layer:");
    note(e, copy.lines[0]);
    for (size_t i = copy.count; i > 0; i--)
        insert_text(&e->map, to, copy.lines[i - 1]);
    free_map(&copy);
    return true;
}

static bool change_class(editing *e)
{
    static const char *const classes[] = {"npc", "sign", "chest", "link", "baddy", "actor", "Officer", ""};
    const size_t at = random_line(&e->map, "<object ", &e->random);

    if (at == e->map.count || strstr(e->map.lines[at], "type=\"start\"") ||
        !set_attribute(&e->map, at, "type", classes[lvl_edit_random(&e->random) % LVL_COUNT_OF(classes)]))
        return false;
    note(e, "class:");
    note(e, e->map.lines[at]);
    return true;
}

/* What no level has. */
static bool decorate_layer(editing *e)
{
    static const char *const with[] = {" offsetx=\"5\"", " opacity=\"0.5\"", " tintcolor=\"#ff0000\"",
                                       " class=\"mine\""};
    const size_t at =
        random_line(&e->map, lvl_edit_random(&e->random) % 2 ? "<layer " : "<objectgroup ", &e->random);
    const char *more = with[lvl_edit_random(&e->random) % LVL_COUNT_OF(with)];
    lvl_buffer made = {0};

    if (at == e->map.count || strstr(e->map.lines[at], more))
        return false;
    const size_t head = strcspn(e->map.lines[at], "<");
    const size_t name = head + strcspn(e->map.lines[at] + head, " ");
    lvl_buffer_printf(&made, "%.*s%s%s", (int)name, e->map.lines[at], more, e->map.lines[at] + name);
    remove_lines(&e->map, at, at + 1);
    insert(&e->map, at, (const char *)made.data, made.len);
    lvl_buffer_free(&made);
    note(e, more);
    return true;
}

/* The level that the map was made of is gone: a new one is made of what the map shows. */
static bool drop_origin(editing *e)
{
    if (lvl_edit_random(&e->random) % 2)
        return false;
    for (size_t i = e->map.count; i-- > 0;) {
        if (strstr(e->map.lines[i], "name=\"lvl.origin\"") || strstr(e->map.lines[i], "name=\"lvl.sha256\""))
            remove_lines(&e->map, i, i + 1);
    }
    note(e, "no origin");
    return true;
}

static void edit(editing *e)
{
    static bool (*const edits[])(editing *) = {
        add_object,   add_object,    add_layer_of_objects, move_object,    delete_object,
        copy_object,  paint_cell,    paint_cell,           add_layer,      group_layer,
        move_layer,   rename_layer,  flip_object,          replace_sprite, place_sprite,
        set_property, set_property,  remove_property,      resize_map,     move_set,
        export_set,   move_to_layer, move_to_layer,        change_class,   decorate_layer,
        drop_origin,  drop_origin};
    const unsigned count = 1 + (unsigned)(lvl_edit_random(&e->random) % 8);

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

/* ---- what a map says --------------------------------------------------------------------------------- */

/* The value of a property, which may have several lines; *at becomes the line behind it. */
static void property_value(const map *m, size_t *at, lvl_buffer *out)
{
    const char *line = m->lines[*at];
    size_t len;
    const char *value = attribute(line, "value", &len);

    if (strstr(line, "/>")) {
        lvl_buffer_add(out, value ? value : "", value ? len : 0);
        ++*at;
        return;
    }
    line += strcspn(line, ">") + 1;
    for (;;) {
        const char *end = strstr(line, "</property>");
        lvl_buffer_add(out, line, end ? (size_t)(end - line) : strlen(line));
        ++*at;
        if (end || *at == m->count)
            return;
        lvl_buffer_str(out, "&#10;");
        line = m->lines[*at];
    }
}

/* The value of the last property of that name in the lines; false: there is none. */
static bool find_property(const map *m, size_t from, size_t end, const char *name, size_t name_len,
                          lvl_buffer *out)
{
    bool found = false;
    size_t len;

    for (size_t i = from; i < end;) {
        const char *is = begins(m->lines[i], "<property ") ? attribute(m->lines[i], "name", &len) : NULL;
        if (!is || len != name_len || memcmp(is, name, len) != 0) {
            i++;
            continue;
        }
        found = true;
        out->len = 0;
        property_value(m, &i, out);
    }
    return found;
}

/* The line behind the properties of the element that begins in a line. */
static size_t end_of_head(const map *m, size_t at)
{
    size_t len = strlen(m->lines[at]);

    if (at + 1 >= m->count || strcmp(m->lines[at] + len - 2, "/>") == 0 ||
        !begins(m->lines[at + 1], "<properties>"))
        return at + 1;
    for (at++; at < m->count && !begins(m->lines[at], "</properties>"); at++)
        ;
    return at;
}

/* The line of the tileset of a gid, in that map or in a file of its own; NULL: there is none. */
static const map *set_of(const map *m, const map *files, long long gid, size_t *at, long long *first)
{
    const map *in = NULL;
    size_t len;

    for (size_t i = 0; i < m->count && !begins(m->lines[i], "<layer "); i++) {
        if (!begins(m->lines[i], "<tileset ") || whole(m->lines[i], "firstgid") > gid)
            continue;
        const char *source = attribute(m->lines[i], "source", &len);
        if (in && whole(m->lines[i], "firstgid") < *first)
            continue;
        *first = whole(m->lines[i], "firstgid");
        in = source ? &files[strtoul(source + 3, NULL, 10)] : m;
        *at = source ? 0 : i;
    }
    return in;
}

/* Where a tile of a set begins; 0: the set says nothing about it. */
static size_t tile_in(const map *m, size_t set, long long id)
{
    const size_t end = end_of(m, set, "</tileset>");

    for (size_t i = set; i < end; i++) {
        if (begins(m->lines[i], "<tile ") && whole(m->lines[i], "id") == id)
            return i;
    }
    return 0;
}

/* The tilesets of a map, for its cells. */
typedef struct sets {
    struct {
        const map *in;
        size_t at;
        long long first;
        bool special;
    } items[64];
    size_t count;
} sets;

static void list_sets(sets *list, const map *m, const map *files)
{
    *list = (sets){0};
    for (size_t i = 0; i < m->count && !begins(m->lines[i], "<layer "); i++) {
        lvl_buffer mark = {0};
        if (!begins(m->lines[i], "<tileset ") || list->count == 64)
            continue;
        const long long first = whole(m->lines[i], "firstgid");
        long long same;
        size_t at = 0;
        const map *in = set_of(m, files, first, &at, &same);
        const bool found = find_property(in, at + 1, end_of(in, at, "</properties>"), "lvl.set", 7, &mark);
        list->items[list->count].in = in;
        list->items[list->count].at = at;
        list->items[list->count].first = first;
        list->items[list->count++].special = found && mark.len == 7 && memcmp(mark.data, "special", 7) == 0;
        lvl_buffer_free(&mark);
    }
}

/* What a cell shows: the number of the tile, or its special value. */
static void cell_text(const sets *list, long long gid, char out[64])
{
    lvl_buffer value = {0};
    size_t best = list->count;

    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].first <= gid &&
            (best == list->count || list->items[i].first > list->items[best].first))
            best = i;
    }
    snprintf(out, 64, "%lld", gid && best < list->count ? gid - list->items[best].first : -1);
    if (!gid || best == list->count || !list->items[best].special)
        return;
    const map *in = list->items[best].in;
    const size_t tile = tile_in(in, list->items[best].at, gid - list->items[best].first);
    if (tile && find_property(in, tile, end_of(in, tile, "</tile>"), "value", 5, &value))
        snprintf(out, 64, "special %.*s", (int)value.len, (const char *)value.data);
    lvl_buffer_free(&value);
}

/* Whether an object at x, y is where another one is: at its corner or, as levels that store the middle have
 * it, in its middle. */
static bool is_at(double x, double y, const char *of, int dx, int dy)
{
    const double left = number(of, "x") - dx, top = number(of, "y") - dy;

    return (x == left && y == top) ||
           (x == left + number(of, "width") / 2 && y == top + number(of, "height") / 2);
}

/* How many objects are at the place of that one; of those of the drawn map, that no finding names. */
static size_t objects_at(const map *m, const char *object, const lvl_findings *named)
{
    size_t len = 0, n = 0;

    for (size_t i = 0; i < m->count; i++) {
        const char *line = m->lines[i];
        if (!begins(line, "<object ") ||
            (named ? number(line, "x") != number(object, "x") || number(line, "y") != number(object, "y")
                   : !is_at(number(line, "x"), number(line, "y"), object, 0, 0)))
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
    bool is = id > 9000 && id <= 9000 + e->made;

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

/* ---- comparing --------------------------------------------------------------------------------------- */

typedef struct compared {
    const editing *e;
    const map *again;
    const lvl_findings *findings;
    sets drawn_sets, again_sets;
    struct spot {
        size_t line;
        double x, y;
    } * objects; /* of `again` */
    size_t object_count;
    char wrong[600];
} compared;

static bool same_value(const compared *c, size_t at, size_t from, size_t end, size_t *next)
{
    const map *m = &c->e->map;
    lvl_buffer wanted = {0}, is = {0};
    size_t name_len, type_len;
    const char *name = attribute(m->lines[at], "name", &name_len),
               *type = attribute(m->lines[at], "type", &type_len);
    const bool found = find_property(c->again, from, end, name, name_len, &is);

    *next = at;
    property_value(m, next, &wanted);
    bool same = found && wanted.len == is.len && memcmp(wanted.data, is.data, is.len) == 0;
    if (type && strncmp(type, "object", 6) == 0) /* has another id; or it is gone, which a finding says */
        same = true;
    if (type && strncmp(type, "int", 3) == 0 && (c->e->shift_x || c->e->shift_y)) /* patrols */
        same = found;
    if (strncmp(name, "id\"", 3) == 0 || strncmp(name, "lvl.", 4) == 0 ||
        strncmp(name, "draw_flags\"", 11) == 0 ||
        strncmp(name, "number\"", 7) == 0) /* of a layer: its place */
        same = true;
    lvl_buffer_free(&wanted);
    lvl_buffer_free(&is);
    return same;
}

/* Whether all properties of an element of the drawn map are among those of one of the level's. */
static bool is_replaced(const editing *e, const char *object)
{
    bool is = false;

    for (unsigned i = 0; i < e->replaced_count; i++)
        is = is || e->replaced[i] == (unsigned)whole(object, "id");
    return is;
}

/* Whether a property of an object that got another sprite says what the old one showed. */
static bool is_of_old_sprite(const editing *e, size_t at, const char *property)
{
    size_t len;
    const char *name = attribute(property, "name", &len);

    return is_replaced(e, e->map.lines[at]) && name &&
           (strncmp(name, "image_set\"", 10) == 0 || strncmp(name, "i\"", 2) == 0);
}

static bool same_properties(const compared *c, size_t at, size_t end, size_t from, size_t to,
                            const char **lacks)
{
    const map *m = &c->e->map;

    for (size_t i = at + 1; i < end;) {
        size_t next = i + 1;
        if (begins(m->lines[i], "<property ") && !same_value(c, i, from, to, &next) &&
            !(begins(m->lines[at], "<object ") && is_of_old_sprite(c->e, at, m->lines[i]))) {
            *lacks = m->lines[i];
            return false;
        }
        i = next;
    }
    return true;
}

static bool same_attribute(const char *a, const char *b, const char *name)
{
    size_t n, k;
    const char *p = attribute(a, name, &n), *q = attribute(b, name, &k);

    return !p || !n || (q && n == k && memcmp(p, q, n) == 0);
}

/* The flips of an object as its level has them. */
static bool same_flips(const compared *c, const char *line, size_t at)
{
    lvl_buffer flags = {0};
    const long long gid = whole(line, "gid");
    bool x = false, y = false;

    if (find_property(c->again, at, end_of(c->again, at, "</object>"), "draw_flags", 10, &flags)) {
        lvl_buffer_u8(&flags, 0);
        x = strstr((const char *)flags.data, "mirror") != NULL;
        y = strstr((const char *)flags.data, "invert") != NULL;
    }
    lvl_buffer_free(&flags);
    return !gid || ((!(gid & 0x80000000LL) || x) && (!(gid & 0x40000000LL) || y));
}

/* The class that a new object has from its sprite, and what a new one or one with another sprite shows. */
static bool same_sprite(const compared *c, const char *line, size_t at)
{
    static const char *const shown[] = {"image_set", "image", "filename"};
    const long long gid = whole(line, "gid") & 0x1FFFFFFF;
    const bool is_new = whole(line, "id") > 9000 && whole(line, "id") <= 9000 + c->e->made;
    const char *other = c->again->lines[at];
    long long first = 0;
    size_t set = 0, len;

    const map *in = gid && (is_new || is_replaced(c->e, line))
                        ? set_of(&c->e->map, c->e->files, gid, &set, &first)
                        : NULL;
    const size_t tile = in ? tile_in(in, set, gid - first) : 0;
    if (!tile)
        return true;
    const size_t end = end_of(in, tile, "</tile>"), object_end = end_of(c->again, at, "</object>");
    bool same = !is_new || attribute(line, "type", &len) || same_attribute(in->lines[tile], other, "type");
    for (size_t i = 0; i < LVL_COUNT_OF(shown) && !strstr(line, "type=\"sign\""); i++) {
        lvl_buffer wanted = {0}, is = {0};
        if (is_new && attribute(line, "type", &len) &&
            !is_replaced(c->e, line)) /* a copy shows what its properties say */
            break;
        if (!find_property(in, tile, end, shown[i], strlen(shown[i]), &wanted))
            continue;
        if (i) {
            const char *name = attribute(other, "name", &len);
            lvl_buffer_add(&is, name ? name : "", len);
        } else {
            find_property(c->again, at, object_end, shown[i], strlen(shown[i]), &is);
        }
        same = same && is.len == wanted.len && memcmp(is.data, wanted.data, is.len) == 0;
        lvl_buffer_free(&wanted);
        lvl_buffer_free(&is);
    }
    return same;
}

static bool has_object(compared *c, size_t at, size_t end)
{
    const char *line = c->e->map.lines[at], *lacks = "";
    const map *again = c->again;

    const double w = number(line, "width"), h = number(line, "height");
    const double reach = 1 + w + h + abs(c->e->shift_x) + abs(c->e->shift_y);
    const double x = number(line, "x"), y = number(line, "y");

    for (size_t k = 0; k < c->object_count; k++) {
        const struct spot *spot = &c->objects[k];
        if (fabs(spot->x - x) > reach || fabs(spot->y - y) > reach ||
            (!is_at(spot->x, spot->y, line, 0, 0) &&
             !is_at(spot->x, spot->y, line, c->e->shift_x, c->e->shift_y)))
            continue;
        const size_t i = spot->line;
        const char *other = again->lines[i];
        if (!same_attribute(line, other, "type"))
            lacks = "its class";
        else if (!is_replaced(c->e, line) && !same_attribute(line, other, "name"))
            lacks = "its name";
        else if (!same_flips(c, line, i))
            lacks = "its flips";
        else if (!same_sprite(c, line, i))
            lacks = "its sprite";
        else if (same_properties(c, at, end, i, end_of(again, i, "</object>"), &lacks))
            return true;
    }
    snprintf(c->wrong, sizeof c->wrong, "not in the level: %s: %s", line, lacks);
    return false;
}

static bool has_objects(compared *c)
{
    const map *m = &c->e->map;
    size_t len, named = 0;

    for (size_t i = 0; i < m->count; i++) {
        const char *line = m->lines[i], *id = begins(line, "<object ") ? attribute(line, "id", &len) : NULL;
        if (!id || is_named(c->findings, "object ", id, len, " "))
            continue;
        if (!has_object(c, i, end_of(m, i, "</object>")))
            return false;
        if (is_touched(c->e, line) && !c->e->shift_x && !c->e->shift_y &&
            objects_at(m, line, c->findings) > objects_at(c->again, line, NULL)) {
            snprintf(c->wrong, sizeof c->wrong, "one of those at its place is missing: %s", line);
            return false;
        }
    }
    for (size_t i = 0; i < lvl_findings_count(c->findings); i++)
        named += begins(lvl_findings_at(c->findings, i)->text, "object ");
    if (count_objects(m) > count_objects(c->again) + named)
        snprintf(c->wrong, sizeof c->wrong, "%zu objects, now %zu", count_objects(m),
                 count_objects(c->again));
    return !*c->wrong;
}

/* The next layer of tiles that is not bare and new; the count of lines: there is none. */
static size_t next_layer(const map *m, size_t at)
{
    for (; at < m->count; at++) {
        if (!begins(m->lines[at], "<layer "))
            continue;
        const size_t end = end_of(m, at, "</layer>");
        bool bare = whole(m->lines[at], "id") >= 900;
        for (size_t i = end_of_head(m, at); i < end && bare; i++)
            bare = !strpbrk(m->lines[i], "123456789") || strchr(m->lines[i], '<');
        if (!bare)
            return at;
    }
    return at;
}

static bool same_row(const compared *c, const char *a, const char *b)
{
    long long last_p = -1, last_q = -1;
    char x[64], y[64];

    while (*a && *b) {
        char *next_a, *next_b;
        const long long p = strtoll(a, &next_a, 10), q = strtoll(b, &next_b, 10);
        if (next_a == a || next_b == b)
            break;
        if (p != last_p || q != last_q) {
            cell_text(&c->drawn_sets, p, x);
            cell_text(&c->again_sets, q, y);
            if (strcmp(x, y) != 0)
                return false;
            last_p = p;
            last_q = q;
        }
        a = next_a + (*next_a == ',');
        b = next_b + (*next_b == ',');
    }
    return *a == *b;
}

static bool same_layer(compared *c, size_t at, size_t other)
{
    const map *m = &c->e->map;
    const char *lacks = "", *head = m->lines[at];
    const size_t end = end_of_head(m, at), other_end = end_of_head(c->again, other);
    size_t len;
    const char *name = attribute(head, "name", &len);
    const bool named = name && is_named(c->findings, "layer \"", name, len, "\"");

    if (!same_properties(c, at, end, other, other_end, &lacks))
        snprintf(c->wrong, sizeof c->wrong, "of layer %s: %s", head, lacks);
    else if (!named &&
             !(name && strncmp(name, "layer ", 6) == 0) && /* their index, which a new one changes */
             !same_attribute(head, c->again->lines[other], "name"))
        snprintf(c->wrong, sizeof c->wrong, "the name of layer %s", head);
    if (*c->wrong || c->e->resized || strstr(m->lines[0], "infinite=\"1\"") ||
        strstr(m->lines[1], "infinite=\"1\""))
        return !*c->wrong;
    size_t i = end, k = other_end;
    while (!strstr(m->lines[i], "<data"))
        i++;
    while (!strstr(c->again->lines[k], "<data"))
        k++;
    for (i++, k++; !strstr(m->lines[i], "</data>"); i++, k++) {
        if (!same_row(c, m->lines[i], c->again->lines[k])) {
            snprintf(c->wrong, sizeof c->wrong, "cells of layer %s: %.200s: %.200s", head, m->lines[i],
                     c->again->lines[k]);
            return false;
        }
    }
    return true;
}

static bool has_layers(compared *c)
{
    const map *m = &c->e->map;
    size_t i = next_layer(m, 0), k = next_layer(c->again, 0), len;

    for (; i < m->count && k < c->again->count; i = next_layer(m, i + 1), k = next_layer(c->again, k + 1)) {
        if (!same_layer(c, i, k))
            return false;
    }
    if (i < m->count)
        snprintf(c->wrong, sizeof c->wrong, "a layer less: %s", m->lines[i]);
    for (i = 0; i < m->count && !*c->wrong; i++) {
        const char *line = m->lines[i];
        const char *name =
            begins(line, "<layer ") || begins(line, "<objectgroup ") ? attribute(line, "name", &len) : NULL;
        if (name &&
            (strstr(line, " offsetx=") || strstr(line, " opacity=") || strstr(line, " tintcolor=") ||
             strstr(line, " class=")) &&
            !is_named(c->findings, "layer \"", name, len, "\": its "))
            snprintf(c->wrong, sizeof c->wrong, "nothing is said about %s", line);
    }
    for (i = 0; i < m->count && !*c->wrong; i++) {
        const char *name = begins(m->lines[i], "<layer ") ? attribute(m->lines[i], "name", &len) : NULL;
        const bool known = name && cells_in(c->again, name, len) > 0; /* layers of Graal have no names */
        const bool fewer = name && (known ? cells_in(m, name, len) > cells_in(c->again, name, len)
                                          : cells_in(m, NULL, 0) > cells_in(c->again, NULL, 0));
        if (fewer && !is_named(c->findings, "layer \"", name, len, "\""))
            snprintf(c->wrong, sizeof c->wrong, "%zu cells, now %zu: %s", cells_in(m, name, len),
                     cells_in(c->again, name, len), m->lines[i]);
    }
    return !*c->wrong;
}

/* The set whose tiles are described. */
static size_t described_set(const map *m)
{
    for (size_t i = 0; i < m->count && !begins(m->lines[i], "<layer "); i++) {
        if (!begins(m->lines[i], "<tileset ") || strstr(m->lines[i], "name=\"special cells\"") ||
            strstr(m->lines[i], "name=\"sprites"))
            continue;
        const size_t end = end_of(m, i, "</tileset>");
        for (size_t k = i + 1; k < end; k++) {
            if (begins(m->lines[k], "<tile "))
                return i;
        }
    }
    return m->count;
}

static bool has_tiles(compared *c)
{
    const map *m = &c->e->map;
    const size_t set = described_set(m), other = described_set(c->again);
    char after[20];

    if (set == m->count)
        return true;
    for (size_t i = set; i < end_of(m, set, "</tileset>"); i++) {
        const char *lacks = "";
        if (!begins(m->lines[i], "<tile "))
            continue;
        snprintf(after, sizeof after, "%lld of", whole(m->lines[i], "id"));
        const size_t tile = other < c->again->count ? tile_in(c->again, other, whole(m->lines[i], "id")) : 0;
        if (!is_named(c->findings, "tile ", "", 0, after) &&
            !same_properties(c, i, end_of(m, i, "</tile>"), tile,
                             tile ? end_of(c->again, tile, "</tile>") : 0, &lacks)) {
            snprintf(c->wrong, sizeof c->wrong, "of a tile: %s: %s", m->lines[i], lacks);
            return false;
        }
    }
    return true;
}

static bool has_settings(compared *c)
{
    const map *m = &c->e->map;
    const char *lacks = "";
    size_t at = 0, other = 0;

    while (!begins(m->lines[at], "<map "))
        at++;
    while (!begins(c->again->lines[other], "<map "))
        other++;
    if (is_named(c->findings, "the map", "", 0, "") ||
        same_properties(c, at, end_of_head(m, at), other, end_of_head(c->again, other), &lacks))
        return true;
    snprintf(c->wrong, sizeof c->wrong, "of the map: %s", lacks);
    return false;
}

static bool compare(const char *path, const editing *e, const map *again, const lvl_findings *findings)
{
    compared c = {.e = e, .again = again, .findings = findings};

    list_sets(&c.drawn_sets, &e->map, e->files);
    list_sets(&c.again_sets, again, NULL);
    c.objects = malloc((again->count + 1) * sizeof *c.objects);
    assert_non_null(c.objects);
    for (size_t i = 0; i < again->count; i++) {
        if (begins(again->lines[i], "<object "))
            c.objects[c.object_count++] =
                (struct spot){i, number(again->lines[i], "x"), number(again->lines[i], "y")};
    }
    const bool good = has_layers(&c) && has_objects(&c) && has_tiles(&c) && has_settings(&c);
    free(c.objects);
    if (good)
        return true;
    printf("%s: %s\n    %s\n", path, e->log, c.wrong);
    for (size_t i = 0; i < lvl_findings_count(findings); i++)
        printf("    %s\n", lvl_findings_at(findings, i)->text);
    return false;
}

/* ---- how another program writes it --------------------------------------------------------------------- */

typedef struct style {
    uint64_t random;
    bool json, spaces, reals, classes, base64, zlib, reversed;
} style;

static void put_cells(const style *s, lvl_buffer *out, const char *text)
{
    lvl_buffer raw = {0}, packed = {0};

    for (char *next; *text; text = next) {
        const uint32_t v = (uint32_t)strtoul(text, &next, 10);
        const uint8_t le[4] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24)};
        next += strspn(next, ",\n");
        if (s->base64)
            lvl_buffer_add(&raw, le, 4);
        else
            lvl_buffer_printf(out, "%lu%s%s", (unsigned long)v, s->reals ? ".0" : "", *next ? "," : "");
    }
    if (s->base64 && s->zlib)
        assert_int_equal(lvl_deflate(LVL_WRAP_ZLIB, lvl_buffer_bytes(&raw), &packed), LVL_OK);
    if (s->base64)
        lvl_base64_encode(out, lvl_buffer_bytes(s->zlib ? &packed : &raw));
    lvl_buffer_free(&raw);
    lvl_buffer_free(&packed);
}

static void put_quoted(lvl_buffer *out, const char *text)
{
    lvl_buffer_u8(out, '"');
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            lvl_buffer_printf(out, "\\%c", c);
        else if (c < 0x20 || c == '/')
            lvl_buffer_printf(out, "\\u%04x", c);
        else
            lvl_buffer_u8(out, c);
    }
    lvl_buffer_u8(out, '"');
}

static bool is_one_of(const char *key, const char *words)
{
    const char *at = strstr(words, key);

    return at && (at == words || at[-1] == ' ') && (at[strlen(key)] == ' ' || !at[strlen(key)]);
}

static void put_value(const style *s, lvl_buffer *out, const char *key, const char *text, const char *type)
{
    const bool is =
        is_one_of(key, "id gid firstgid x y width height tilewidth tileheight tilecount columns rotation "
                       "parallaxx parallaxy offsetx offsety opacity imagewidth imageheight margin spacing "
                       "nextobjectid nextlayerid");
    const bool number = strcmp(key, "value") == 0 ? type && is_one_of(type, "int float object") : is;

    if (strcmp(key, "infinite") == 0 || (type && strcmp(type, "bool") == 0 && strcmp(key, "value") == 0))
        lvl_buffer_str(out, strcmp(text, "1") == 0 || strcmp(text, "true") == 0 ? "true" : "false");
    else if (number)
        lvl_buffer_printf(out, "%s%s", text, s->reals && !strpbrk(text, ".e") ? ".0" : "");
    else
        put_quoted(out, text);
}

static void put_json(const style *s, lvl_buffer *out, yyjson_val *val,
                     bool object) /* NOLINT(misc-no-recursion) */
{
    yyjson_val *keys[64];
    yyjson_obj_iter iter = yyjson_obj_iter_with(val);
    const char *type = yyjson_get_str(yyjson_obj_get(val, "type")), *blank = s->spaces ? " \n\t" : "";
    const bool cells =
        yyjson_obj_get(val, "chunks") || (yyjson_obj_get(val, "data") && yyjson_obj_get(val, "id"));
    size_t count = 0;

    while (count < 64 && (keys[count] = yyjson_obj_iter_next(&iter)))
        count++;
    lvl_buffer_str(out, "{");
    if (cells && s->base64)
        lvl_buffer_printf(out, "\"encoding\":\"base64\",%s", s->zlib ? "\"compression\":\"zlib\"," : "");
    bool first = true;
    for (size_t i = 0; i < count; i++) {
        yyjson_val *key = keys[s->reversed ? count - 1 - i : i], *is = yyjson_obj_iter_get_val(key), *item;
        const char *name = yyjson_get_str(key);
        size_t k, n;
        if (strcmp(name, TILED_LINE) == 0 || strcmp(name, "encoding") == 0)
            continue;
        const char *as = object && s->classes && strcmp(name, "type") == 0 ? "class" : name;
        lvl_buffer_printf(out, "%s%s\"%s\"%s:%s", first ? "" : ",", blank, as, blank, blank);
        first = false;
        if (strcmp(name, "data") == 0) {
            lvl_buffer_str(out, s->base64 ? "\"" : "[");
            put_cells(s, out, yyjson_get_str(is));
            lvl_buffer_str(out, s->base64 ? "\"" : "]");
        } else if (yyjson_is_arr(is)) {
            lvl_buffer_str(out, "[");
            yyjson_arr_foreach(is, k, n, item)
            {
                lvl_buffer_str(out, k ? "," : "");
                put_json(s, out, item, strcmp(name, "objects") == 0 || strcmp(name, "tiles") == 0);
            }
            lvl_buffer_str(out, "]");
        } else if (yyjson_is_str(is)) {
            put_value(s, out, name, yyjson_get_str(is), type);
        } else {
            lvl_buffer_str(out, "true");
        }
    }
    lvl_buffer_printf(out, "%s}", blank);
}

/* The map as another program could save it. */
static void write_otherwise(editing *e, lvl_buffer *text)
{
    const uint64_t random = lvl_edit_random(&e->random);
    const style s = {.json = random & 1,
                     .spaces = random & 2,
                     .reals = random & 4,
                     .classes = random & 8,
                     .base64 = random & 16,
                     .zlib = random & 32,
                     .reversed = random & 64};
    yyjson_doc *tree = NULL;
    lvl_buffer out = {0};

    if (!s.json || tiled_xml_tree(&tree, &ctx, "map", lvl_buffer_bytes(text), NULL) != LVL_OK)
        return;
    put_json(&s, &out, yyjson_doc_get_root(tree), false);
    assert_int_equal(out.status, LVL_OK);
    yyjson_doc_free(tree);
    lvl_buffer_free(text);
    *text = out;
    snprintf(e->log + strlen(e->log), sizeof e->log - strlen(e->log), "JSON%s%s%s%s%s%s",
             s.spaces ? " spaced" : "", s.reals ? " reals" : "", s.classes ? " classes" : "",
             s.base64 ? " base64" : "", s.base64 && s.zlib ? " zlib" : "", s.reversed ? " reversed" : "");
}

/* ---- maps of levels ------------------------------------------------------------------------------------ */

static lvl_status fetch_set(void *user, const char *name, lvl_buffer *out)
{
    const editing *e = user;
    const size_t n = strncmp(name, "set", 3) == 0 ? strtoul(name + 3, NULL, 10) : 8;

    if (n >= e->file_count)
        return LVL_ERR_MISSING;
    join(&e->files[n], out);
    return out->status;
}

static bool to_map(const lvl_doc *doc, const lvl_art *art, bool sprites, map *out)
{
    const lvl_tiled_options options = {.no_pictures = !sprites, .art = art};
    lvl_tiled_files *files = NULL;

    const bool good = lvl_tiled_write(doc, &options, &files, NULL) == LVL_OK && files->count >= 1;
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
    write_otherwise(&e, &text);
    const lvl_tiled_read_options options = {.fetch = fetch_set, .user = &e};
    const lvl_status status =
        lvl_tiled_read(&doc, &ctx, (lvl_bytes){text.data, text.len}, &options, &changed, findings);
    t->maps++;
    if (status != LVL_OK) {
        t->refused++;
        if (getenv("LVL_TILED_REASONS") && lvl_findings_count(findings))
            printf("refused: %s: %s: %s\n", path, e.log,
                   lvl_findings_at(findings, lvl_findings_count(findings) - 1)->text);
        if (!lvl_findings_count(findings)) {
            printf("%s: %s\n    refused without a reason\n", path, e.log);
            t->wrong++;
        }
    } else if (to_map(doc, NULL, false, &again)) {
        t->wrong += !compare(path, &e, &again, findings);
    }
    lvl_doc_free(doc);
    lvl_buffer_free(&text);
    lvl_findings_free(findings);
    free_map(&e.map);
    free_map(&again);
    for (unsigned i = 0; i < e.file_count; i++)
        free_map(&e.files[i]);
}

static void try_file(tally *t, const char *path, uint64_t seed, int maps)
{
    size_t len;
    uint8_t *data = lvl_slurp(path, &len);
    lvl_art *art = lvl_art_new(&ctx);
    lvl_doc *doc = NULL;
    map original = {0};

    assert_non_null(data);
    lvl_art_level(art, path);
    if (len < 1 << 18 &&
        lvl_read(&doc, &ctx, NULL, (lvl_bytes){data, len}, lvl_path_name(path), 0, NULL) == LVL_OK &&
        lvl_tiled_can(lvl_doc_format(doc)) && to_map(doc, art, true, &original)) {
        t->files++;
        for (int i = 0; i < maps; i++)
            try_map(t, path, &original, (seed + first_seed) * 31 + (uint64_t)i);
    }
    lvl_doc_free(doc);
    lvl_art_free(art);
    free_map(&original);
    free(data);
}

static void nothing_drawn_is_lost(void **state)
{
    static const char endings[] = "wwd graal zelda nw level doodad";
    const char *every = getenv("LVL_TILED_SWEEP"), *many = getenv("LVL_TILED_MAPS"),
               *corpus = lvl_corpus_dir(), *samples = lvl_samples_dir();
    const size_t step = every && strtoul(every, NULL, 10) ? strtoul(every, NULL, 10) : 80;
    const char *first = getenv("LVL_TILED_SEED");
    first_seed = first ? strtoull(first, NULL, 10) : 0;
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
