/*
 * How far real files stay below limits.work (base/work.h): the most work that each verb counts, over files of
 * every family, the largest ones and some others. No real file may reach a tenth of the default limit.
 */
#include "base/info.h"
#include "bench.h"
#include "base/format.h"
#include "world.h"

#include <lvl/container.h>
#include <lvl/render.h>
#include <lvl/tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 10, OTHERS = 10, MARGIN = 10 };

typedef struct trial {
    lvl_ctx *ctx;
    const bench_file *file;
    lvl_doc *doc, *other;
    lvl_findings *findings;
    lvl_buffer out;
} trial;

static void do_info(trial *t)
{
    lvl_info *info;

    (void)lvl_doc_info(t->doc, NULL, false, &info);
    lvl_info_free(info);
}

static void do_check(trial *t)
{
    lvl_check_result result;

    lvl_check(t->ctx, lvl_doc_format(t->doc), (lvl_bytes){t->file->data, t->file->len}, t->file->path, NULL,
              t->findings, &result, &t->other);
}

static void do_explain(trial *t)
{
    const lvl_explain_options all = {.mode = LVL_EXPLAIN_ALL};

    lvl_explain(t->doc, &all, &t->out, t->findings);
}

static void do_dump(trial *t)
{
    lvl_dump(t->doc, NULL, &t->out, t->findings);
}

static void do_get(trial *t)
{
    const lvl_table *table = lvl_doc_table(t->doc);

    for (uint32_t i = 0; i < table->field_count; i++)
        lvl_get(t->doc, table->fields[i].name, NULL, &t->out, NULL, t->findings);
}

static void do_set(trial *t)
{
    const lvl_table *table = lvl_doc_table(t->doc);
    const char *path = NULL;

    for (uint32_t i = 0; i < table->field_count && !path; i++)
        path = table->fields[i].kind == LVL_TEXT && table->fields[i].role == LVL_VALUE ? table->fields[i].name
                                                                                       : NULL;
    if (path && lvl_unset(t->doc, &path, 1, NULL, t->findings) == LVL_OK)
        lvl_write(t->doc, &t->out, t->findings);
}

static void do_diff(trial *t)
{
    bool different;

    if (lvl_read(&t->other, t->ctx, lvl_doc_format(t->doc), (lvl_bytes){t->file->data, t->file->len}, NULL,
                 LVL_READ_BORROW, NULL) == LVL_OK)
        lvl_diff(t->doc, t->other, NULL, &different, &t->out);
}

static void do_convert(trial *t)
{
    const lvl_form *forms = lvl_doc_format(t->doc)->forms;

    if (forms && lvl_convert(t->doc, forms->name, true, t->findings, &t->other) == LVL_OK)
        lvl_doc_write(t->other, &t->out);
}

static void do_repair(trial *t)
{
    lvl_repair(t->doc, NULL, t->findings, &t->out);
}

static void do_render(trial *t)
{
    lvl_art *art = lvl_art_new(t->ctx);
    bench_counter out = {{bench_count}, 0};
    lvl_scene *scene = NULL;
    lvl_render_options options;

    lvl_render_options_init(&options);
    options.size = 2048;
    if (art && lvl_art_level(art, t->file->path) == LVL_OK &&
        lvl_doc_scene(t->doc, &(lvl_scene_request){.art = art}, &scene) == LVL_OK)
        lvl_render_png(scene, &options, &out.writer);
    lvl_scene_free(scene);
    lvl_art_free(art);
}

/* Extracts all members and packs them again. */
static void do_extract_and_pack(trial *t)
{
    lvl_container *box = NULL;

    if (!(lvl_format_can(lvl_doc_format(t->doc)) & LVL_CAN_EXTRACT) ||
        lvl_container_open(&box, t->doc) != LVL_OK)
        return;
    const size_t count = lvl_container_count(box);
    lvl_pack_item *items = calloc(count + 1, sizeof *items);
    lvl_buffer *storage = calloc(count + 1, sizeof *storage);
    for (size_t i = 0; items && storage && i < count; i++) {
        const lvl_entry *e = lvl_container_at(box, i);
        items[i] = (lvl_pack_item){.path = e->path, .is_dir = e->is_dir};
        if (!e->is_dir)
            lvl_container_read(box, e, &items[i].bytes, &storage[i], NULL);
    }
    if (items && storage &&
        lvl_container_pack(&t->other, t->ctx, lvl_doc_format(t->doc), items, count) == LVL_OK)
        lvl_doc_write(t->other, &t->out);
    for (size_t i = 0; storage && i < count; i++)
        lvl_buffer_free(&storage[i]);
    lvl_container_close(box);
    free(items);
    free(storage);
}

static const struct {
    const char *name;
    void (*run)(trial *t);
} verbs[] = {{"info", do_info},
             {"check", do_check},
             {"explain", do_explain},
             {"dump", do_dump},
             {"get (every field)", do_get},
             {"set", do_set},
             {"diff", do_diff},
             {"convert", do_convert},
             {"repair", do_repair},
             {"render", do_render},
             {"extract and pack", do_extract_and_pack}};

enum { VERBS = (int)(sizeof verbs / sizeof *verbs) };

static struct {
    uint64_t work;
    char path[300];
} most[VERBS];
static size_t tried;

static void try_file(const bench_file *file)
{
    for (int v = 0; v < VERBS; v++) {
        lvl_usage usage = {0};
        lvl_ctx ctx;
        lvl_ctx_init(&ctx);
        ctx.usage = &usage;
        trial t = {.ctx = &ctx, .file = file, .findings = lvl_findings_new(&ctx)};
        if (t.findings && lvl_read(&t.doc, &ctx, NULL, (lvl_bytes){file->data, file->len}, file->path,
                                   LVL_READ_BORROW, NULL) == LVL_OK)
            verbs[v].run(&t);
        lvl_doc_free(t.other);
        lvl_doc_free(t.doc);
        lvl_buffer_free(&t.out);
        lvl_findings_free(t.findings);
        if (usage.work > most[v].work) {
            most[v].work = usage.work;
            snprintf(most[v].path, sizeof most[v].path, "%s", file->path);
        }
    }
    tried++;
}

static int by_size(const void *a, const void *b)
{
    const bench_file *x = a, *y = b;

    return (x->len < y->len) - (x->len > y->len);
}

static void try_files(const char *endings)
{
    bench_files files;

    if (bench_load(&files, endings)) {
        qsort(files.items, files.count, sizeof *files.items, by_size);
        const size_t rest = files.count > LARGEST ? files.count - LARGEST : 0, step = rest / OTHERS + 1;
        for (size_t i = 0; i < files.count; i += i + 1 < LARGEST ? 1 : step)
            try_file(&files.items[i]);
    }
    bench_free(&files);
}

int main(int argc, char **argv)
{
    static const char *const families[] = {"wwd",         "level", "doodad", "levelpack", "nw",
                                           "graal zelda", "gani",  "gmap",   "pid",       "pcx",
                                           "rez",         "ani",   "pal"};
    const uint64_t limit = lvl_limits_of(NULL).work;
    char line[400];

    if (argc > 1) {
        printf("usage: %s\n  what each verb charges of limits.work at most, over files of LVL_CORPUS or "
               "samples/\n",
               argv[0]);
        return strcmp(argv[1], "--help") == 0 ? 0 : 2;
    }
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        try_files(families[i]);
    printf("%zu files; the default of limits.work is %llu\n", tried, (unsigned long long)limit);
    for (int v = 0; v < VERBS; v++) {
        const char *slash = strrchr(most[v].path, '/');
        snprintf(line, sizeof line, "%llu steps, the default is %llu times that: %.200s",
                 (unsigned long long)most[v].work,
                 (unsigned long long)(limit / (most[v].work ? most[v].work : 1)),
                 slash ? slash + 1 : most[v].path);
        bench_fact(verbs[v].name, most[v].work <= limit / MARGIN, line);
    }
    return bench_failed();
}
