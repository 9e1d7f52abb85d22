/*
 * cli/pages/site_viewer.c: the viewer of a site, and the data of the levels that it opens.
 *
 * A catalogue may be made by anybody, and may name any path of this machine. So a level's file is published
 * only if it lies below the folder that the user named, and has the content that was scanned; of what it is
 * drawn with, only what lies below that folder or the user's own art.
 */
#include "cli/pages/site.h"

#include "base/hash.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NAMED = 20 }; /* files that are not published, for each reason, without -v */

/* Saves a file that is named by its content, so what exists is that. */
static bool save_content(site *s, const lvl_buffer *bytes)
{
    char id[CLI_VIEW_ID];
    lvl_buffer text = {0};

    cli_view_id(lvl_buffer_bytes(bytes), id);
    char *path = cli_format("%s/files/%s.js", s->c->opt->output, id);
    if (!path) {
        s->status = LVL_ERR_MEMORY;
        return false;
    }
    const bool there = lvl_file_kind_of(path) == LVL_FILE_REGULAR;
    free(path);
    if (there) {
        site_note(s, "files/", id, ".js");
        return true;
    }
    lvl_buffer_printf(&text, "lvlFile(\"%s\",\"", id);
    lvl_base64_encode(&text, lvl_buffer_bytes(bytes));
    lvl_buffer_str(&text, "\");\n");
    const bool saved = site_save(s, "files/", id, ".js", &text);
    lvl_buffer_free(&text);
    return saved;
}

/* levels/ID.js, and the files that it names. */
static bool save_level(site *s, view *v, uint32_t row)
{
    const size_t cut = cli_view_arrange(v);
    lvl_buffer out = {0};
    bool saved = true;

    for (size_t i = 0; i < v->count && saved; i++)
        saved = save_content(s, &v->parts[i].bytes);
    for (size_t i = 0; i < v->count && !v->open; i++) {
        if (v->parts[i].given && !(v->open = cli_copy(v->parts[i].path)))
            s->status = LVL_ERR_MEMORY;
    }
    if (!saved || s->status != LVL_OK)
        return false;
    lvl_buffer_str(&out, "lvlLevel({");
    cli_view_files(v, cut, CLI_VIEW_IDS, &out);
    out.len -= out.status == LVL_OK; /* the object continues */
    if (row)
        lvl_json_put_string(&out, "previous", s->levels[row - 1].id);
    if (row + 1 < s->count)
        lvl_json_put_string(&out, "next", s->levels[row + 1].id);
    lvl_buffer_str(&out, "});\n");
    saved = site_save(s, "levels/", s->levels[row].id, ".js", &out);
    lvl_buffer_free(&out);
    return saved;
}

/* Whether the bytes of the job are those that were scanned. */
static bool is_scanned(const site *s, const site_level *l, lvl_bytes bytes)
{
    char hex[65];

    lvl_sha256_hex(bytes, hex);
    return strcmp(hex, site_string(s, l->sha256)) == 0;
}

static void level_job(cli_job *job)
{
    site *s = job->c->user;
    const uint32_t row = site_row_at(s, job->input->name);
    site_level *l = row != UINT32_MAX ? &s->levels[row] : NULL;
    view v;

    /* an archive, or a member whose path several have: the catalogue has the first of these */
    if (!l || l->refusal != SITE_GONE) {
        job->outcome = CLI_SKIPPED_OTHER;
        return;
    }
    s->job = job;
    if (!cli_job_open(job, 0))
        return;
    if (!is_scanned(s, l, job->bytes)) {
        l->refusal = SITE_CHANGED;
        return;
    }
    if (!cli_job_parse(job, false))
        return;
    bool good = cli_view_begin(&v, job->c);
    if (good) {
        v.folder = s->folder;
        v.refused = &s->refused;
        cli_view_add(&v, job);
        good = !v.no_memory;
    }
    if (!good)
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    else if (!job->code && save_level(s, &v, row))
        l->refusal = SITE_PUBLISHED;
    cli_view_end(&v);
}

/* ---- which files -------------------------------------------------------------------------------------- */

/* The path of the file, or of the archive, of a level; to be freed, NULL without memory. */
static char *file_of(const site *s, const site_level *l)
{
    char *path = cli_disk_path(site_string(s, l->path)), *inner = path ? strstr(path, "//") : NULL;

    if (inner)
        *inner = 0;
    return path;
}

/* Makes the files of the levels the inputs: those that are there and may be published, each once. */
static int take_files(site *s)
{
    char *last = NULL;
    bool made = true;

    for (size_t i = 0; i < s->count && made; i++) {
        site_level *l = &s->levels[s->by_path[i]];
        char *file = file_of(s, l);
        made = file != NULL;
        if (!file || lvl_file_kind_of(file) != LVL_FILE_REGULAR) {
            free(file);
            continue;
        }
        if (s->folder && !cli_view_is_below(file, s->folder)) {
            l->refusal = SITE_OUTSIDE;
        } else if (!last || strcmp(last, file) != 0) {
            made = cli_input_add(s->c, &s->c->inputs, file, true);
            free(last);
            last = file;
            continue;
        }
        free(file);
    }
    free(last);
    return made ? EXIT_FINE : cli_no_memory(s->c);
}

static char *reason_of(const site *s, site_refusal refusal)
{
    if (refusal == SITE_OUTSIDE)
        return cli_format("the file does not lie below the folder %s: name its folder with --files",
                          s->folder);
    if (refusal == SITE_CHANGED)
        return cli_format("the file is not the one that was scanned%s",
                          s->given ? "" : ": run `lvl scan' again");
    return cli_format("the file is not there, or cannot be read%s",
                      s->given ? "" : ": run `lvl gallery' in the folder in which `lvl scan' ran");
}

/* Names and counts the levels that the viewer does not get. */
static void report_refused(const site *s)
{
    for (size_t i = 0; i < s->refused.count && (i < MOST_NAMED || s->c->opt->verbose); i++)
        cli_report(s->c, "%s: not published", s->refused.items[i]);
    if (s->refused.count)
        cli_report(s->c, "%zu file%s with which levels are drawn %s below the folder %s: name %s with --art",
                   s->refused.count, s->refused.count == 1 ? "" : "s",
                   s->refused.count == 1 ? "does not lie" : "do not lie", s->folder,
                   s->refused.count == 1 ? "its folder" : "their folders");
    for (int why = SITE_GONE; why < SITE_PUBLISHED; why++) {
        size_t count = 0;
        for (size_t i = 0; i < s->count; i++) {
            if (s->levels[i].refusal != (site_refusal)why)
                continue;
            if (count++ < MOST_NAMED || s->c->opt->verbose)
                cli_report(s->c, "%s: not in the viewer", site_string(s, s->levels[i].path));
        }
        if (count > MOST_NAMED && !s->c->opt->verbose)
            cli_report(s->c, "... and %zu more (-v names them)", count - MOST_NAMED);
        char *reason = count ? reason_of(s, (site_refusal)why) : NULL;
        if (reason)
            cli_report(s->c, "%zu of %zu levels are not in the viewer: %s", count, s->count, reason);
        free(reason);
    }
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

static void save_page(cli_job *job)
{
    static const char element[] = "<script type=\"application/json\" id=\"lvl-site\">{}</script>\n";
    site *s = job->c->user;
    lvl_buffer page = {0};

    s->job = job;
    job->code = cli_max_exit_code(job->code, cli_view_page(job->c, lvl_text_of(element), true, &page));
    if (!job->code)
        (void)site_save(s, "", "lvl", ".html", &page);
    lvl_buffer_free(&page);
}

int site_write_viewer(site *s, bool *no_viewer)
{
    const cli_batch batch = {.work = level_job, .user = s};
    cli *c = s->c;

    char *page = cli_view_page_path(c);
    *no_viewer = !page;
    free(page);
    cli_arts_free(c); /* of the scan; it may search archives that are closed */
    int code = cli_art_try(c);
    if (code || *no_viewer)
        return code;
    cli_inputs_free(&c->inputs);
    code = take_files(s);
    c->jobs = 1; /* jobs share the site */
    c->user = s;
    if (!code)
        code = cli_job_whole(c, c->opt->output, save_page);
    if (!code && c->inputs.count)
        code = cli_run(c, &batch);
    if (!c->opt->quiet && !cli_stopped())
        report_refused(s);
    return s->status != LVL_OK ? cli_code_of(s->status) : code;
}
