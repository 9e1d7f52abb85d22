/*
 * cli/verbs/cmd_gallery.c: `lvl gallery': a site of all levels of a catalogue:
 *
 *  1. the levels of the catalogue are read (gallery_levels.c);
 *  2. what the viewer needs of those that are still there is written as by `lvl view --site' (view_site.c);
 *  3. the rest comes from the catalogue: pictures, pages, the index (gallery_pages.c), words
 *     (gallery_words.c), and the files of the pages themselves.
 */
#include "cli/pages/gallery.h"

#include <stdlib.h>
#include <string.h>

/* Step 3. */
static void write_all(cli_job *job)
{
    gallery *g = job->c->user;
    uint32_t shards = 0;

    g->job = job;
    int code = gallery_read_relations(g);
    if (!code)
        code = gallery_write_pictures(g);
    if (!code && !g->stopped)
        code = gallery_write_pages(g);
    if (!code && !g->stopped)
        code = gallery_write_words(g, &shards);
    if (!code && !g->stopped && gallery_write_index(g, shards))
        g->stopped = !cli_view_pages(job, true);
    if (!code && g->status != LVL_OK)
        code = cli_code_of(g->status);
    job->code = cli_max_exit_code(job->code, code);
}

static bool find_wanted(void *user, const char *name, char id[CLI_VIEW_ID])
{
    const gallery_level *l = gallery_level_at(user, name);

    if (l)
        memcpy(id, l->id, CLI_VIEW_ID);
    return l != NULL;
}

static void note_saved(void *user, const char *name)
{
    gallery_level *l = gallery_level_at(user, name);

    if (l)
        l->viewer = true;
}

/* The files of the levels that are still there, and archives of which levels are members, each once. */
static int take_files(gallery *g, size_t *gone)
{
    char *last = NULL;
    int code = EXIT_FINE;

    for (size_t i = 0; i < g->count && !code; i++) {
        const char *path = gallery_string(g, g->levels[g->by_path[i]].path), *inner = strstr(path, "//");
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
    lvl_buffer written = {0};
    int code = take_files(g, &gone);
    if (code)
        return code;
    c->written = &written;
    /* a level that cannot be read has its page, without the viewer */
    code = cli_view_levels(c, &wanted, &no_viewer);
    if (code == EXIT_USAGE || code == EXIT_ENVIRONMENT || cli_stopped()) {
        lvl_buffer_free(&written);
        return code;
    }
    c->user = g;
    code = cli_job_whole(c, c->opt.output, write_all);
    if (!code && !g->stopped && !cli_stopped())
        code = gallery_clean(g, &written);
    c->written = NULL;
    lvl_buffer_free(&written);
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
        code = gallery_read_levels(&g);
    if (!code && !g.count) {
        cli_report(c, "%s: no level is in this catalogue", path);
        code = EXIT_NEGATIVE;
    } else if (!code) {
        code = make_site(&g);
    }
    gallery_free(&g);
    return code;
}
