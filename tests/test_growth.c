/*
 * test_growth.c: whatever lvl does with a list takes time in proportion to its items. Each list that the
 * samples have gets thousands of items, all alike or each with a name and place of its own, and then half
 * as many; every verb runs over both. LVL_GROWTH=N makes lists of N items (default 10000),
 * LVL_GROWTH_ONLY=TEXT takes only lists and verbs whose line has the text. LVL_GROWTH_ALL
 * (test_growth_slow.sh) takes lists of equal items too, and those generations of a format whose lists are
 * written like another one's.
 */
#include "base/format.h"
#include "corpus.h"
#include "edits.h"
#include "growth.h"
#include "scene/scene.h"
#include "tools/values/json_write.h"
#include "tools/edit/parts.h"
#include "tools/world/rename.h"

#include "tools/world/graph.h"

#include <lvl/container.h>
#include <lvl/scene.h>
#include <lvl/render.h>
#include <lvl/tiled.h>
#include <lvl/tools.h>

#include <limits.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_BYTES = 4 << 20 /* of a grown file */, MAX_LISTS = 400 };

static lvl_ctx ctx;

/* A list of a sample, and how it grows. */
typedef struct growing {
    const char *file; /* the sample */
    lvl_bytes bytes;
    lvl_edit_place list;
    char path[200]; /* of the list */
    bool alike; /* the new items are equal */
    bool copies; /* they are copies of the first item, else new ones */
    uint32_t n; /* new items */
} growing;

/* A grown file, the same with its items in reverse order, and without every third. */
typedef struct grown {
    uint32_t n;
    lvl_buffer file, reversed, thinned;
} grown;

/* ---- growing ----------------------------------------------------------------------------------------- */

static lvl_doc *read_doc(const growing *g, lvl_bytes bytes)
{
    lvl_doc *doc = NULL;

    if (lvl_read(&doc, &ctx, NULL, bytes, lvl_path_name(g->file), LVL_READ_BORROW, NULL) == LVL_OK &&
        lvl_doc_open(doc) == LVL_OK)
        return doc;
    lvl_doc_free(doc);
    return NULL;
}

static bool is_in_identity(const lvl_table *table, const lvl_field *f)
{
    for (uint32_t i = 0; i < table->identity_count; i++) {
        for (uint32_t k = 0; k < table->identities[i].count; k++) {
            if (table->identities[i].offsets[k] == f->offset)
                return true;
        }
    }
    return table->label && strcmp(table->label, f->name) == 0;
}

/* Gives an item values of its own, where they tell it from others. */
static void vary(lvl_doc *doc, void *item, const lvl_field *list, uint32_t i)
{
    char text[32];

    snprintf(text, sizeof text, "n%u", i);
    if (list->item != LVL_RECORD) {
        const lvl_field alone = lvl_item_field(list);
        if (list->item == LVL_TEXT)
            assert_int_equal(lvl_put_text(doc, item, &alone, lvl_doc_text(doc, lvl_text_of(text))), LVL_OK);
        else if (list->item == LVL_INT)
            lvl_put_int(item, &alone, i % 256);
        return;
    }
    for (uint32_t k = 0; k < list->table->field_count; k++) {
        const lvl_field *f = &list->table->fields[k];
        if (f->role == LVL_DERIVED || f->role == LVL_KEPT || !lvl_field_present(item, f) ||
            !is_in_identity(list->table, f))
            continue;
        if (f->kind == LVL_TEXT)
            (void)lvl_put_text(doc, item, f, lvl_doc_text(doc, lvl_text_of(text)));
        else if (f->kind == LVL_INT && !f->names)
            lvl_put_int(item, f, lvl_int_fits(f, i) ? (int64_t)i : i % 128);
    }
}

static bool insert(const growing *g, lvl_doc *doc, uint32_t n)
{
    const lvl_field *list = g->list.field;
    void *holder = lvl_edit_holder(doc, &g->list);
    const uint32_t count = holder ? lvl_list_count(holder, list) : 0;

    if (!holder || lvl_list_insert(doc, holder, list, count, n) != LVL_OK)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        void *item = lvl_item_at(holder, list, count + i);
        if (g->copies && list->item == LVL_RECORD) {
            memset(item, 0, list->item_size);
            if (lvl_record_copy(doc, item, doc, lvl_item_at(holder, list, 0), list->table) != LVL_OK)
                return false;
        }
        if (!g->alike)
            vary(doc, item, list, i);
    }
    return true;
}

static bool write_doc(const growing *g, lvl_doc *doc, lvl_buffer *out)
{
    out->len = 0;
    if (lvl_doc_recompute_derived(doc) != LVL_OK || lvl_doc_write(doc, out) != LVL_OK)
        return false;
    lvl_doc *again = read_doc(g, (lvl_bytes){out->data, out->len});
    lvl_doc_free(again);
    return again != NULL;
}

/* Makes a variant of a grown file by another order of its items. */
static bool arrange(const growing *g, const lvl_buffer *from, bool reversed, lvl_buffer *out)
{
    lvl_doc *doc = read_doc(g, (lvl_bytes){from->data, from->len});
    void *holder = doc ? lvl_edit_holder(doc, &g->list) : NULL;
    const uint32_t count = holder ? lvl_list_count(holder, g->list.field) : 0;
    uint32_t *order = malloc(((size_t)count + 1) * sizeof *order), kept = 0;
    bool good = holder && order;

    for (uint32_t i = 0; good && i < count; i++) {
        if (reversed || i % 3 != 2)
            order[kept++] = reversed ? count - 1 - i : i;
    }
    good =
        good && lvl_list_arrange(doc, holder, g->list.field, order, kept) == LVL_OK && write_doc(g, doc, out);
    free(order);
    lvl_doc_free(doc);
    return good;
}

static bool grow(const growing *g, uint32_t n, grown *out)
{
    lvl_doc *doc = read_doc(g, g->bytes);
    bool good = doc && insert(g, doc, n) && write_doc(g, doc, &out->file);

    lvl_doc_free(doc);
    doc = good ? read_doc(g, (lvl_bytes){out->file.data, out->file.len}) : NULL;
    void *holder = doc ? lvl_edit_holder(doc, &g->list) : NULL;
    good = holder && lvl_list_count(holder, g->list.field) >= n;
    lvl_doc_free(doc);
    out->n = n;
    return good && arrange(g, &out->file, true, &out->reversed) &&
           arrange(g, &out->file, false, &out->thinned);
}

static void free_grown(grown *x)
{
    lvl_buffer_free(&x->file);
    lvl_buffer_free(&x->reversed);
    lvl_buffer_free(&x->thinned);
}

/* ---- verbs ------------------------------------------------------------------------------------------- */

/* What a verb gets, read before its time is taken. */
typedef struct given {
    const growing *g;
    const grown *x;
    lvl_doc *doc, *reversed, *thinned;
    lvl_findings *findings;
    lvl_buffer out;
    lvl_tiled_files *map;
} given;

typedef lvl_status (*verb_fn)(given *in);

static lvl_bytes file_of(const given *in)
{
    return (lvl_bytes){in->x->file.data, in->x->file.len};
}
static lvl_status v_read(given *in)
{
    lvl_doc *doc = NULL;
    lvl_status status =
        lvl_read(&doc, &ctx, NULL, file_of(in), lvl_path_name(in->g->file), LVL_READ_BORROW, in->findings);

    if (status == LVL_OK)
        status = lvl_doc_open(doc);
    lvl_doc_free(doc);
    return status;
}
static lvl_status v_check(given *in)
{
    const lvl_check_options options = {.roundtrip = true};
    lvl_check_result result;

    return lvl_check(&ctx, NULL, file_of(in), lvl_path_name(in->g->file), &options, in->findings, &result,
                     NULL);
}
static lvl_status v_info(given *in)
{
    return lvl_info_write(in->doc, &(lvl_info_options){.json = true, .counts = true}, &in->out);
}
static lvl_status v_explain(given *in)
{
    return lvl_explain(in->doc, NULL, &in->out, in->findings);
}
static lvl_status v_write(given *in)
{
    return lvl_write(in->doc, &in->out, in->findings);
}
static lvl_status v_dump(given *in)
{
    lvl_doc *doc = NULL;
    lvl_status status = lvl_dump(in->doc, NULL, &in->out, in->findings);

    if (status == LVL_OK)
        status = lvl_undump(&doc, &ctx, (lvl_text){(const char *)in->out.data, in->out.len}, in->findings);
    lvl_doc_free(doc);
    return status;
}
static lvl_status v_diff(given *in)
{
    return lvl_diff(in->doc, in->reversed, NULL, NULL, &in->out);
}
static lvl_status v_diff_thinned(given *in)
{
    return lvl_diff(in->doc, in->thinned, NULL, NULL, &in->out);
}
static lvl_status v_merge(given *in)
{
    return lvl_merge(in->reversed, in->doc, in->thinned, NULL, NULL, in->findings);
}
static lvl_status v_repair(given *in)
{
    return lvl_repair(in->doc, NULL, in->findings, &in->out);
}
static lvl_status v_convert(given *in)
{
    lvl_status status = LVL_OK;

    for (const lvl_form *form = lvl_doc_format(in->doc)->forms;
         form && form->name && status != LVL_ERR_LIMIT && status != LVL_ERR_MEMORY; form++) {
        lvl_doc *made = NULL;
        status = lvl_convert(in->doc, form->name, true, in->findings, &made);
        lvl_findings_clear(in->findings);
        lvl_doc_free(made);
    }
    return status;
}
static lvl_status v_get(given *in)
{
    char path[240];

    snprintf(path, sizeof path, "%s[*]", in->g->path);
    return lvl_get(in->doc, path, NULL, &in->out, NULL, in->findings);
}
/* One item by its name, in each of many paths. */
static lvl_status v_set(given *in)
{
    const lvl_field *list = in->g->list.field, *label = lvl_label_of(list->table);
    char path[260];
    const char *assignment = path;

    if (!label || label->kind != LVL_TEXT)
        return LVL_ERR_UNSUPPORTED;
    snprintf(path, sizeof path, "%s[*].%s=z", in->g->path, label->name);
    lvl_status status = lvl_set(in->doc, &assignment, 1, NULL, in->findings);
    return status == LVL_OK ? lvl_write(in->doc, &in->out, in->findings) : status;
}
static lvl_status v_unset(given *in)
{
    char path[240];
    const char *one = path;

    snprintf(path, sizeof path, "%s[*]", in->g->path);
    return lvl_unset(in->doc, &one, 1, NULL, in->findings);
}
static lvl_status v_move(given *in)
{
    char path[240];
    const char *one = path;

    snprintf(path, sizeof path, "%s[*]@=0", in->g->path);
    return lvl_set(in->doc, &one, 1, NULL, in->findings);
}
static lvl_status v_copy(given *in)
{
    char path[240];

    snprintf(path, sizeof path, "%s[*]", in->g->path);
    return lvl_copy(in->reversed, in->g->path, in->doc, path, NULL, in->findings);
}
static lvl_text stays(void *user, lvl_text name)
{
    (void)user;
    (void)name;
    return (lvl_text){0};
}
static lvl_status v_rename(given *in)
{
    return lvl_doc_rename(in->doc, stays, NULL, true, NULL, NULL, NULL);
}
static lvl_status v_parts(given *in)
{
    lvl_parts *parts = NULL;
    lvl_part_file *files = NULL;

    lvl_status status = lvl_parts_new(in->doc, NULL, &parts);
    if (status == LVL_OK)
        files = calloc(parts->count + 1, sizeof *files);
    for (size_t i = 0; files && i < parts->count; i++)
        files[i] = (lvl_part_file){parts->items[i].name, parts->items[i].bytes};
    if (files)
        status = lvl_parts_put(in->doc, files, parts->count, NULL, in->findings);
    free(files);
    lvl_parts_free(parts);
    return status;
}
static lvl_status drop(lvl_writer *w, const void *data, size_t len)
{
    (void)w;
    (void)data;
    (void)len;
    return LVL_OK;
}
static lvl_status v_render(given *in)
{
    lvl_writer nothing = {drop};
    lvl_render_options options;
    lvl_scene *scene = NULL;

    lvl_render_options_init(&options);
    options.size = 64;
    lvl_status status = lvl_doc_scene(in->doc, NULL, &scene);
    if (status == LVL_OK)
        status = lvl_render_png(scene, &options, &nothing);
    if (status == LVL_OK)
        status = lvl_scene_json(in->doc, scene, &in->out);
    lvl_scene_free(scene);
    return status;
}
static lvl_status v_to_level(given *in)
{
    const lvl_scene_level_options options = {.scale_down = 8, .title = lvl_text_of("x"), .allow_loss = true};
    lvl_doc *made = NULL;

    if (lvl_doc_format(in->doc) == lvl_format_find("sketchy"))
        return LVL_ERR_UNSUPPORTED;
    const lvl_status status =
        lvl_convert_scene(&made, in->doc, lvl_format_find("sketchy"), &options, in->findings);
    lvl_doc_free(made);
    return status;
}
static lvl_status v_to_tiled(given *in)
{
    return lvl_tiled_write(in->doc, &(lvl_tiled_options){.no_pictures = true}, &in->map, in->findings);
}
typedef struct map_files {
    const lvl_tiled_files *files;
} map_files;
static lvl_status fetch(void *user, const char *name, lvl_buffer *out)
{
    const lvl_tiled_files *files = ((const map_files *)user)->files;

    for (uint32_t i = 1; i < files->count; i++) {
        if (strcmp(files->items[i].name, name) == 0) {
            lvl_buffer_add(out, files->items[i].bytes.ptr, files->items[i].bytes.len);
            return out->status;
        }
    }
    return LVL_ERR_MISSING;
}
static lvl_status v_from_tiled(given *in)
{
    map_files files = {in->map};
    const lvl_tiled_read_options options = {.fetch = fetch, .user = &files};
    lvl_doc *made = NULL;

    if (!in->map)
        return LVL_ERR_UNSUPPORTED;
    const lvl_status status =
        lvl_tiled_read(&made, &ctx, in->map->items[0].bytes, &options, NULL, in->findings);
    lvl_doc_free(made);
    return status;
}
static lvl_status v_graph(given *in)
{
    lvl_graph *graph = lvl_graph_new(&ctx);
    lvl_status status = graph ? lvl_graph_add(graph, 0, in->g->file, in->doc) : LVL_ERR_MEMORY;

    if (status == LVL_OK)
        status = lvl_graph_finish(graph);
    if (status == LVL_OK)
        status = lvl_graph_dot(graph, NULL, &in->out);
    lvl_graph_free(graph);
    return status;
}
static lvl_status v_container(given *in)
{
    lvl_container *box = NULL;

    lvl_status status = lvl_container_open(&box, in->doc);
    for (size_t i = 0; status == LVL_OK && i < lvl_container_count(box); i++) {
        const lvl_entry *entry = lvl_container_at(box, i);
        if (entry)
            (void)lvl_container_find(box, entry->path);
    }
    lvl_container_close(box);
    return status;
}

enum { DOC = 1, REVERSED = 2, THINNED = 4, MAP = 8 };

typedef struct verb {
    const char *name;
    verb_fn run;
    unsigned needs; /* of what is given */
} verb;

static const verb verbs[] = {
    {"read", v_read, 0},
    {"check", v_check, 0},
    {"info", v_info, DOC},
    {"explain", v_explain, DOC},
    {"write", v_write, DOC},
    {"dump and undump", v_dump, DOC},
    {"diff", v_diff, DOC | REVERSED},
    {"diff, fewer", v_diff_thinned, DOC | THINNED},
    {"merge", v_merge, DOC | REVERSED | THINNED},
    {"repair", v_repair, DOC},
    {"convert", v_convert, DOC},
    {"get", v_get, DOC},
    {"set", v_set, DOC},
    {"unset", v_unset, DOC},
    {"move", v_move, DOC},
    {"copy", v_copy, DOC | REVERSED},
    {"rename", v_rename, DOC},
    {"parts", v_parts, DOC},
    {"render", v_render, DOC},
    {"to a drawing", v_to_level, DOC},
    {"to Tiled", v_to_tiled, DOC},
    {"from Tiled", v_from_tiled, DOC | MAP},
    {"graph", v_graph, DOC},
    {"members", v_container, DOC},
};

/* ---- measuring --------------------------------------------------------------------------------------- */

/* Lists of twice the items, of all of them, of half of them, and so on. */
enum { SIZES = 5 };

typedef struct measured {
    const growing *g;
    grown *sizes;
    const verb *verb;
    lvl_usage usage; /* of the last time */
} measured;

/* Makes the file of a size when it is first asked for. */
static const grown *file_with(const measured *m, uint32_t n)
{
    grown *x = NULL;

    for (int i = 0; i < SIZES && !x; i++) {
        if (m->g->n * 2 >> i == n)
            x = &m->sizes[i];
    }
    assert_non_null(x);
    if (x->n == 0)
        assert_true(grow(m->g, n, x));
    return x;
}

static lvl_doc *need_doc(const growing *g, const lvl_buffer *file, bool needed)
{
    lvl_doc *doc = needed ? read_doc(g, (lvl_bytes){file->data, file->len}) : NULL;

    assert_true(!needed || doc);
    return doc;
}

static double seconds_of(const void *user, uint32_t n)
{
    measured *m = (measured *)(uintptr_t)user;
    const grown *x = file_with(m, n);
    const unsigned needs = m->verb->needs;
    given in = {.g = m->g, .x = x, .findings = lvl_findings_new(&ctx)};

    assert_non_null(in.findings);
    in.doc = need_doc(m->g, &x->file, needs & DOC);
    in.reversed = need_doc(m->g, &x->reversed, needs & REVERSED);
    in.thinned = need_doc(m->g, &x->thinned, needs & THINNED);
    if (needs & MAP)
        (void)v_to_tiled(&in);
    lvl_findings_clear(in.findings);
    m->usage = (lvl_usage){0};
    ctx.usage = &m->usage;
    const double from = lvl_cpu_seconds();
    const lvl_status status = m->verb->run(&in);
    const double took = lvl_cpu_seconds() - from;
    ctx.usage = NULL;
    if (status != LVL_ERR_LIMIT)
        m->usage.limit = LVL_LIMIT_NONE;
    lvl_tiled_files_free(in.map);
    lvl_buffer_free(&in.out);
    lvl_findings_free(in.findings);
    lvl_doc_free(in.doc);
    lvl_doc_free(in.reversed);
    lvl_doc_free(in.thinned);
    return took;
}

/* True if a verb's time grows with the list. A verb that draws each item may need more work than it is
 * allowed: then a shorter list counts. A verb that comes to need more memory than the processor's caches
 * or the heap have ready is slow once: then a longer list counts. */
static bool is_linear(measured *m)
{
    uint32_t n = m->g->n;

    if (!lvl_can_time()) {
        seconds_of(m, n);
        return true;
    }
    for (int shorter = 0; seconds_of(m, n) >= 0.05 && m->usage.limit == LVL_LIMIT_WORK && shorter < 2;
         shorter++)
        n /= 2;
    if (n < m->g->n)
        return m->usage.limit != LVL_LIMIT_WORK &&
               (seconds_of(m, n) < 0.05 || seconds_of(m, n) < 2.5 * seconds_of(m, n / 2));
    return lvl_grows_linearly(NULL, seconds_of, m, n / 2) ||
           ((m->sizes[0].n || grow(m->g, n * 2, &m->sizes[0])) && lvl_grows_linearly(NULL, seconds_of, m, n));
}

typedef struct tally {
    size_t lists, skipped, measured, wrong;
} tally;

static void measure(const growing *g, tally *t)
{
    const char *only = getenv("LVL_GROWTH_ONLY");
    grown sizes[SIZES] = {{0}};
    char line[400];

    if (!grow(g, g->n, &sizes[1])) { /* a list that takes no items */
        t->skipped++;
        free_grown(&sizes[1]);
        return;
    }
    t->lists++;
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        measured m = {g, sizes, &verbs[i], {0}};
        snprintf(line, sizeof line, "%s %s%s: %s", lvl_path_name(g->file), g->path, g->alike ? ", alike" : "",
                 verbs[i].name);
        if (only && !strstr(line, only))
            continue;
        t->measured++;
        if (is_linear(&m))
            continue;
        t->wrong++;
        printf("%s: %u items take %.0f ms, %u take %.0f ms%s\n", line, g->n / 2,
               seconds_of(&m, g->n / 2) * 1e3, g->n, seconds_of(&m, g->n) * 1e3,
               m.usage.limit == LVL_LIMIT_WORK ? " (more work than allowed)" : "");
    }
    for (int i = 0; i < SIZES; i++)
        free_grown(&sizes[i]);
}

static bool takes_all(void)
{
    return getenv("LVL_GROWTH_ALL") != NULL;
}

/* Both ways in which a list can grow, and as many items as the file's size allows. */
static void measure_list(const growing *list, uint32_t n, tally *t)
{
    for (int alike = 0; alike < (takes_all() ? 2 : 1); alike++) {
        growing g = *list;
        grown few = {0};
        g.alike = alike;
        bool good = grow(&g, 16, &few);
        if (!good) {
            g.copies = true;
            good = grow(&g, 16, &few);
        }
        const size_t base = g.bytes.len,
                     item = good && few.file.len > base ? (few.file.len - base) / 16 + 1 : 1;
        const size_t room = MAX_BYTES / item;
        g.n = room < n ? (uint32_t)room / 4 * 4 : n;
        free_grown(&few);
        if (good && g.n >= 200)
            measure(&g, t);
        else
            t->skipped++;
    }
}

/* Calls for each list below a record; of a list's items, only the first is entered. */
static void find_lists(growing *g, const void *record, const lvl_table *table,
                       const lvl_where *where, /* NOLINT(misc-no-recursion) */
                       uint32_t n, tally *t)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->role == LVL_DERIVED || f->role == LVL_KEPT || !lvl_field_present(record, f) ||
            where->depth + 1 >= LVL_PATH_DEPTH)
            continue;
        if (f->kind == LVL_LIST && !(f->flags & LVL_F_FIXED)) {
            g->list = (lvl_edit_place){lvl_where_to(*where, f, LVL_NO_INDEX), f};
            lvl_where_text(&g->list.where, g->path, sizeof g->path);
            measure_list(g, n, t);
        }
        if (f->kind == LVL_RECORD ||
            (f->kind == LVL_LIST && f->item == LVL_RECORD && lvl_list_count(record, f))) {
            const bool list = f->kind == LVL_LIST;
            const lvl_where below = lvl_where_to(*where, f, list ? 0 : LVL_NO_INDEX);
            find_lists(g, list ? lvl_list_item(record, f, 0) : lvl_get_record(record, f), f->table, &below, n,
                       t);
        }
    }
}

static void every_list(void **state)
{
    /* one of each format, and of a format's generations those that are stored in different ways */
    static const char *const files[] = {
        "wwd/cliffs.wwd", "wwd/SAMPLES.REZ", "graal/versions/gr-v1.05.graal",
        "graal/lakeside/lake_village.nw", "graal/lakeside/lakeside.gmap", "graal/ganis/sparks.gani",
        "sketchy/hill-v4.level", "sketchy/lantern.doodad", "sketchy/walk.levelpack",
        /* with LVL_GROWTH_ALL: */
        "graal/versions/z3-v1.04.zelda", "sketchy/hill-v1.level", "sketchy/hill-v3.1.level"};
    const size_t file_count = sizeof files / sizeof *files - (takes_all() ? 0 : 3);
    const char *given_n = getenv("LVL_GROWTH"), *dir = lvl_samples_dir();
    const uint32_t n = given_n ? (uint32_t)strtoul(given_n, NULL, 10) / 4 * 4 : lvl_can_time() ? 10000 : 400;
    tally t = {0};

    (void)state;
    assert_non_null(dir);
    for (size_t i = 0; i < file_count; i++) {
        char path[400];
        size_t len = 0;
        snprintf(path, sizeof path, "%s/%s", dir, files[i]);
        uint8_t *data = lvl_slurp(path, &len);
        growing g = {.file = files[i], .bytes = {data, len}};
        assert_non_null(data);
        lvl_doc *doc = read_doc(&g, g.bytes);
        assert_non_null(doc);
        const lvl_where root = lvl_where_root();
        find_lists(&g, lvl_doc_croot(doc), lvl_doc_format(doc)->table, &root, n, &t);
        lvl_doc_free(doc);
        free(data);
    }
    printf(
        "%zu lists grown, %zu not (no file can have such items), %zu times a verb, %zu not in proportion\n",
        t.lists, t.skipped, t.measured, t.wrong);
    assert_true(t.lists >= 30);
    assert_int_equal(t.wrong, 0);
}

/* ---- the test itself --------------------------------------------------------------------------------- */

static double compare_all(const void *user, uint32_t n)
{
    const double from = lvl_cpu_seconds();
    volatile uint32_t same = 0;

    (void)user;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < i; k++)
            same = same + (i == k);
    }
    return lvl_cpu_seconds() - from;
}

static void a_slow_search_is_found(void **state)
{
    (void)state;
    if (lvl_can_time())
        assert_false(lvl_grows_linearly("each item with each other", compare_all, NULL, 10000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slow_search_is_found),
        cmocka_unit_test(every_list),
    };

#ifdef __GLIBC__ /* memory that is freed stays ready: new pages are slower than most of what is measured */
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
